/* SPDX-License-Identifier: GPL-2.0-or-later */
/* PMU units and their CPUs, from sysfs. */
#include "collect/pmu/units.h"

#include "common/base/list.h"
#include "common/base/number.h"
#include "common/sys/cpulist.h"
#include "common/sys/pmu_name.h"
#include "common/sys/sysfs.h"

#include <dirent.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

/* Whether `name` is a unit of this PMU. */
static bool
is_unit(const char *pmu, const char *name)
{
	size_t length = strlen(pmu);

	if (strchr(pmu, '*'))
		return !fnmatch(pmu, name, 0);
	if (strncmp(pmu, name, length) != 0)
		return false;
	name += length;
	return !*name || (*name == '_' && name[1] &&
	                  !name[1 + strspn(name + 1, "0123456789")]);
}

static char *
topology(const char *sysfs, unsigned cpu, const char *file)
{
	return read_first_line("%s/devices/system/cpu/cpu%u/topology/%s", sysfs,
	                       cpu, file);
}

/*
 * Each die numbers its units, and a package may have several dies, such as
 * Cascade Lake-AP: each die is a socket here, named as in perf.
 */
static char *
socket_of(const char *sysfs, unsigned cpu)
{
	char *package = topology(sysfs, cpu, "physical_package_id");
	char *number = topology(sysfs, cpu, "die_id");
	char *cpus = topology(sysfs, cpu, "package_cpus_list");
	char *near = topology(sysfs, cpu, "die_cpus_list");
	char *socket;

	if (package && number && cpus && near && strcmp(cpus, near) != 0)
		socket = xasprintf("S%s-D%s", package, number);
	else
		socket = xstrdup(package ? package : "");
	free(package);
	free(number);
	free(cpus);
	free(near);
	return socket;
}

static void
add_cpu(struct pmu_unit *u, const char *sysfs, unsigned cpu)
{
	array_push(u->at, u->n,
	           (struct pmu_access){cpu, socket_of(sysfs, cpu)});
}

/* Adds the CPUs that read a unit. */
static bool
add_cpus(struct pmu_unit *u, const char *sysfs, const char *text)
{
	struct cpulist list;
	bool is_list = cpulist_parse(text, &list);

	for (size_t i = 0; i < list.n; i++)
		add_cpu(u, sysfs, list.cpu[i]);
	free(list.cpu);
	return is_list;
}

static bool
read_unit(struct pmu_unit *u, const char *sysfs, char **why)
{
	char *type = read_first_line("%s/type", u->path);
	char *cpus = read_first_line("%s/cpumask", u->path);
	uint64_t number = 0;

	if (!type || parse_integer(type, &number) || number > UINT32_MAX)
		*why = xasprintf("%s/type: not a number", u->path);
	else if (!add_cpus(u, sysfs, cpus))
		*why = xasprintf("%s/cpumask: not a list of CPUs", u->path);
	u->type = (uint32_t)number;
	free(type);
	free(cpus);
	return !*why;
}

static bool
add_unit(struct pmu_units *units, const char *sysfs, const char *name,
         char **why)
{
	struct pmu_unit *u;

	array_push(units->unit, units->n,
	           (struct pmu_unit){
	               .path = xasprintf("%s/" PMU_DEVICES "/%s", sysfs, name),
	               .unit = pmu_unit(name, strlen(name)),
	           });
	u = &units->unit[units->n - 1];
	return read_unit(u, sysfs, why);
}

bool
pmu_units_find(struct pmu_units *units, const char *sysfs, const char *pmu,
               char **why)
{
	char *path = xasprintf("%s/" PMU_DEVICES, sysfs);
	struct dirent **entry;
	int n = scandir(path, &entry, NULL, versionsort);
	bool ok = true;

	*why = NULL;
	for (int i = 0; i < n; i++) {
		if (ok && is_unit(pmu, entry[i]->d_name))
			ok = add_unit(units, sysfs, entry[i]->d_name, why);
		free(entry[i]);
	}
	if (n >= 0)
		free(entry);
	free(path);
	return ok;
}

void
pmu_units_free(struct pmu_units *units)
{
	for (size_t i = 0; i < units->n; i++) {
		struct pmu_unit *u = &units->unit[i];

		for (size_t k = 0; k < u->n; k++)
			free(u->at[k].socket);
		free(u->at);
		free(u->path);
		free(u->unit);
	}
	free(units->unit);
	*units = (struct pmu_units){0};
}
