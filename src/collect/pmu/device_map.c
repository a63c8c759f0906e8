/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the unit and part that count a device's traffic. */
#include "collect/pmu/device_map.h"

#include "collect/host/describe.h"
#include "collect/pmu/units.h"
#include "common/base/number.h"
#include "common/pci/tree.h"
#include "common/stream/columns.h"
#include "common/stream/table.h"
#include "common/sys/root.h"
#include "common/sys/sysfs.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

/* The PMU of all units with such files. */
static const char pmu[] = "uncore_iio";

/* A map ------------------------------------------------------------------- */

static bool
is_row_of(const struct table *t, const char *bdf)
{
	const char *device = need_text(t, "device");
	char full[BDF_MAX];

	if (!parse_bdf(device, full))
		table_refuse(t, need_column(t, "device"),
		             "not a device such as 03:00.0");
	return !strcmp(full, bdf);
}

static void
take_row(struct pmu_place *place, const struct table *t)
{
	const char *part = need_text(t, "part");
	uint64_t number = 0;

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

static char *
find_in_map(struct pmu_place *place, const char *bdf, const char *map)
{
	char *file = xstrdup(map);
	struct table *t = table_open(&file, 1);

	while (table_next(t)) {
		if (is_row_of(t, bdf))
			take_row(place, t);
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

/* The file's number is the index of the CPU in the unit's cpumask. */
static bool
is_at(const struct pmu_unit *unit, size_t number, const char *root)
{
	char *bus = read_first_line("%s/die%zu", unit->path, number);
	bool same = bus && !strcmp(bus, root);

	free(bus);
	return same;
}

static bool
find_die(struct pmu_place *place, const struct pmu_units *units,
         const char *root)
{
	for (size_t i = 0; i < units->n; i++) {
		const struct pmu_unit *unit = &units->unit[i];

		for (size_t k = 0; k < unit->n; k++) {
			if (!is_at(unit, k, root))
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
