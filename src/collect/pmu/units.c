/* SPDX-License-Identifier: GPL-2.0-or-later */
/* PMU units and their CPUs, from sysfs; the unit and part of a device. */
#include "collect/pmu/pmu.h"

#include "collect/host/describe.h"
#include "common/base/number.h"
#include "common/pci/tree.h"
#include "common/stream/columns.h"
#include "common/stream/table.h"
#include "common/sys/sysfs.h"

#include <dirent.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

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

static bool
add_unit(struct pmu_units *units, const char *sysfs, const char *name,
         char **why)
{
	struct pmu_unit unit = {
	    .path = xasprintf("%s/" PMU_DEVICES "/%s", sysfs, name),
	    .unit = pmu_unit(name, strlen(name)),
	};
	char *type = read_first_line("%s/type", unit.path);
	char *cpus = read_first_line("%s/cpumask", unit.path);
	struct cpulist list;
	uint64_t number = 0;

	if (!type || parse_integer(type, &number) || number > UINT32_MAX)
		*why = xasprintf("%s/type: not a number", unit.path);
	unit.type = (uint32_t)number;
	if (!cpulist_parse(cpus, &list) && !*why)
		*why = xasprintf("%s/cpumask: not a list of CPUs", unit.path);
	for (size_t i = 0; i < list.n; i++)
		array_push(unit.at, unit.n,
		           (struct pmu_access){list.cpu[i],
		                               socket_of(sysfs, list.cpu[i])});
	array_push(units->unit, units->n, unit);
	free(list.cpu);
	free(type);
	free(cpus);
	return !*why;
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

/* The PMU of all units with such files. */
static const char pmu[] = "uncore_iio";

/* A map ------------------------------------------------------------------- */

static char *
find_in_map(struct pmu_place *place, const char *bdf, const char *map)
{
	char *file = xstrdup(map);
	struct table *t = table_open(&file, 1);

	while (table_next(t)) {
		uint64_t number = 0;
		char full[BDF_MAX];
		const char *part;

		if (!parse_bdf(need_text(t, "device"), full))
			table_refuse(t, need_column(t, "device"),
			             "not a device such as 03:00.0");
		if (strcmp(full, bdf) != 0)
			continue;
		part = need_text(t, "part");
		if (place->unit)
			table_die(t, need_column(t, "device"),
			          "a second row of this device");
		if (*part && (parse_integer(part, &number) || number > INT_MAX))
			table_refuse(t, need_column(t, "part"),
			             "not the number of a part");
		place->socket = xstrdup(need_text(t, "socket"));
		place->unit = xstrdup(need_text(t, "unit"));
		place->part = *part ? (int)number : -1;
	}
	table_close(t);
	free(file);
	return place->unit ? NULL : xasprintf("%s: no row of %s", map, bdf);
}

/* The kernel's files ------------------------------------------------------- */

/* Domain and bus at the root of a device, from its path in sysfs, or NULL. */
static char *
root_of(const char *sys, const char *bdf)
{
	static const char above[] = "/devices/pci";
	char *link = xasprintf("%s/bus/pci/devices/%s", sys, bdf);
	char path[PATH_MAX];
	char *root = NULL;
	char *at;

	if (realpath(link, path) && (at = strstr(path, above))) {
		at += strlen(above);
		at[strcspn(at, "/")] = '\0';
		root = xstrdup(at);
	}
	free(link);
	return root;
}

static bool
find_die(struct pmu_place *place, const struct pmu_units *units,
         const char *root)
{
	for (size_t i = 0; i < units->n; i++) {
		const struct pmu_unit *unit = &units->unit[i];

		for (size_t k = 0; k < unit->n; k++) {
			/* The number is the index of the CPU in cpumask. */
			char *bus = read_first_line("%s/die%zu", unit->path, k);
			bool same = bus && !strcmp(bus, root);

			free(bus);
			if (!same)
				continue;
			place->socket = xstrdup(unit->at[k].socket);
			place->unit = xstrdup(unit->unit);
			place->part = -1;
			return true;
		}
	}
	return false;
}

static char *
find_in_sysfs(struct pmu_place *place, const char *sys, const char *bdf,
              const char *remedy)
{
	char *root = root_of(sys, bdf);
	struct pmu_units units = {0};
	char *why = NULL;

	if (!root)
		return xasprintf("%s: no such device in %s/bus/pci", bdf, sys);
	if (pmu_units_find(&units, sys, pmu, &why) &&
	    !find_die(place, &units, root))
		why = xasprintf("%s: the kernel does not say which unit counts "
		                "bus %s (no file die* of %s_* names it)%s",
		                bdf, root, pmu, remedy);
	pmu_units_free(&units);
	free(root);
	return why;
}

char *
pmu_place_find(struct pmu_place *place, const char *sys, const char *device,
               const char *map)
{
	char bdf[BDF_MAX];

	if (!parse_bdf(device, bdf))
		return xasprintf("%s: not a device such as 03:00.0", device);
	return map ? find_in_map(place, bdf, map)
	           : find_in_sysfs(place, sys, bdf, ": -O map=FILE can");
}

bool
pmu_find(struct out *out, const char *device)
{
	static const char *const columns[] = {"host",   "kind", "device",
	                                      "socket", "unit", "part"};
	const char *sys = root_path("/sys");
	struct pmu_place place = {0};
	struct utsname host;
	char bdf[BDF_MAX];
	char *why;

	parse_bdf(device, bdf);
	why = find_in_sysfs(&place, sys, bdf, "");
	if (why) {
		warn("%s", why);
		free(why);
		return false;
	}
	host_describe(out->preamble);
	const char *cell[] = {uname(&host) ? "" : host.nodename,
	                      host_kind(sys),
	                      bdf,
	                      place.socket,
	                      place.unit,
	                      ""};
	out_begin(out, columns, ARRAY_LEN(columns));
	for (size_t i = 0; i < ARRAY_LEN(cell); i++)
		out_text(out, cell[i]);
	out_finish(out, true, NULL);
	pmu_place_free(&place);
	return true;
}

void
pmu_place_free(struct pmu_place *place)
{
	free(place->socket);
	free(place->unit);
	*place = (struct pmu_place){0};
}
