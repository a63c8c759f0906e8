/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Splits the name of a directory of pcie-bench results. */
#include "import/system_name.h"

#include "common/base/util.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Cuts off an ending and the - or _ before it. */
static bool
cut(char *name, const char *ending)
{
	size_t n = strlen(name);
	size_t m = strlen(ending);

	if (n < m + 2 || strcmp(name + n - m, ending) != 0 ||
	    !strchr("-_", name[n - m - 1]))
		return false;
	name[n - m - 1] = '\0';
	return true;
}

/* Cuts off "s0-sN-sN" and stores the digit N. */
static void
cut_node(struct system *system)
{
	size_t n = strlen(system->host);
	char topology[] = "s0-s?-s?";
	char digit = system->host[n - 1];

	if (!isdigit((unsigned char)digit))
		return;
	topology[4] = digit;
	topology[7] = digit;
	if (cut(system->host, topology))
		system->node[0] = digit;
}

/* The host in a name of the published form, or NULL. */
static const char *
after_card(const char *name)
{
	const char *clock = name + strcspn(name, "-_");
	const char *p = clock + (*clock == '-');

	p += strspn(p, "0123456789.");
	if (clock == name || *clock != '-' || strncmp(p, "GHz_", 4) != 0)
		return NULL;
	return p[4] ? p + 4 : NULL;
}

bool
parse_system(const char *name, struct system *system)
{
	const char *host = after_card(name);

	*system = (struct system){.iommu = ""};
	system->host = xstrdup(host ? host : "");
	system->device = xstrdup(host ? name : "");
	if (!host)
		return false;
	*strchr(system->device, '-') = '\0';
	if (cut(system->host, "iommu-nosp"))
		system->iommu = "on-nosp";
	else if (cut(system->host, "iommu"))
		system->iommu = "on";
	else
		system->iommu = "off";
	cut_node(system);
	return true;
}

char *
directory_of_file(const char *file)
{
	char *path;

	if (!strcmp(file, "-"))
		return NULL;
	path = realpath(file, NULL);
	if (path) {
		*strrchr(path, '/') = '\0';
		return path;
	}
	die_sys("%s", file);
}

void
system_of_directory(const char *directory, struct system *system)
{
	const char *slash = directory ? strrchr(directory, '/') : NULL;

	parse_system(slash ? slash + 1 : "", system);
}

void
system_free(struct system *system)
{
	free(system->host);
	free(system->device);
}
