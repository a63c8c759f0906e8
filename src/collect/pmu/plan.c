/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What to count: units of this machine, and the events of a table on them. */
#include "collect/pmu/pmu.h"

#include "collect/host/describe.h"
#include "common/base/number.h"
#include "common/pci/tree.h"
#include "common/stream/columns.h"
#include "common/stream/table.h"
#include "common/sys/datadir.h"
#include "common/sys/sysfs.h"

#include <dirent.h>
#include <fnmatch.h>
#include <limits.h>
#include <sys/utsname.h>

/* Parts are bits of a 32-bit field. */
#define PARTS_MAX 32

/* Checks a row; returns its number of parts. */
static unsigned
check_row(const struct table *t)
{
	static const char *const needed[] = {"group", "event"};
	const char *parts;
	uint64_t n = 0;

	for (size_t i = 0; i < ARRAY_LEN(needed); i++) {
		if (!*need_text(t, needed[i]))
			table_die(t, need_column(t, needed[i]), "empty");
	}
	if (!*need_text(t, "pmu") != !*need_text(t, "terms") ||
	    !*need_text(t, "pmu") != !!*need_text(t, "why_not"))
		table_die(t, need_column(t, "pmu"),
		          "either pmu and terms, or why_not");
	parts = need_text(t, "parts");
	if (*parts && (parse_integer(parts, &n) || !n || n > PARTS_MAX))
		table_die(t, need_column(t, "parts"),
		          "'%s': not a number from 1 to %d", parts, PARTS_MAX);
	if (!*parts != !*need_text(t, "part"))
		table_die(t, need_column(t, "parts"),
		          "part and parts belong together");
	return (unsigned)n;
}

void
pmu_events_read(struct pmu_events *events, char *file)
{
	struct table *t = table_open(&file, 1);

	while (table_next(t)) {
		unsigned n = check_row(t);

		/* Whole before it is counted: out of memory, it is freed. */
		struct pmu_event event = {
		    .group = xstrdup(need_text(t, "group")),
		    .name = xstrdup(need_text(t, "event")),
		    .pmu = xstrdup(need_text(t, "pmu")),
		    .terms = xstrdup(need_text(t, "terms")),
		    .part_fields = xstrdup(need_text(t, "part")),
		    .parts = n,
		    .why_not = xstrdup(need_text(t, "why_not")),
		};

		array_push(events->event, events->n, event);
	}
	table_close(t);
}

void
pmu_events_free(struct pmu_events *events)
{
	for (size_t i = 0; i < events->n; i++) {
		struct pmu_event *e = &events->event[i];

		free(e->group);
		free(e->name);
		free(e->pmu);
		free(e->terms);
		free(e->part_fields);
		free(e->why_not);
	}
	free(events->event);
	*events = (struct pmu_events){0};
}

/* Looks up the CPU with this modalias in the installed index. */
static struct pmu_cpu
find_cpu(const char *modalias)
{
	char *file = share_find("cpu", "events");
	struct pmu_cpu cpu = {0};
	struct table *t;

	if (!file)
		return cpu;
	t = table_open(&file, 1);
	while (table_next(t)) {
		char *pattern = xasprintf("*:%s:*", need_text(t, "modalias"));
		const char *msr, *why;

		if (!cpu.events && !fnmatch(pattern, modalias, 0)) {
			cpu.events = xstrdup(need_text(t, "events"));
			msr = need_text(t, "llc_ways_msr");
			why =
			    *msr ? parse_offset(msr, &cpu.llc_ways_msr) : NULL;
			if (why)
				table_refuse(t, need_column(t, "llc_ways_msr"),
				             why);
		}
		free(pattern);
	}
	table_close(t);
	free(file);
	return cpu;
}

/* The table and its units -------------------------------------------------- */

static char *
read_table(struct pmu_plan *plan, const char *name)
{
	char *modalias =
	    read_first_line("%s/devices/system/cpu/modalias", plan->sysfs);
	const char *model = modalias ? modalias : "";
	const char *end = strstr(model, ":feature");
	char *file, *why = NULL;

	plan->cpu = find_cpu(model);
	name = name ? name : plan->cpu.events;
	file = name ? share_find("events", name) : NULL;
	if (file)
		pmu_events_read(&plan->events, file);
	else if (name)
		why = xasprintf("%s: no such table of events%s", name,
		                share_hint("events", name));
	else
		why = xasprintf("no events are known for this CPU (%.*s): -O "
		                "events names a table",
		                (int)(end ? end - model : 7),
		                end ? model : "unknown");
	free(file);
	free(modalias);
	return why;
}

const struct pmu_family *
pmu_plan_family(const struct pmu_plan *plan, const char *pmu)
{
	for (size_t i = 0; i < plan->nfamilies; i++) {
		if (!strcmp(plan->family[i].pmu, pmu))
			return &plan->family[i];
	}
	return NULL;
}

/* Describes what was looked for, if nothing was found. */
static char *
describe_search(const struct pmu_plan *plan)
{
	struct pmu_units nameless = {0};
	char *names = xstrdup("");
	char *why;

	for (size_t i = 0; i < plan->nfamilies; i++)
		xappend(&names, ", ", "%s", plan->family[i].pmu);
	/* Linux names units of Intel CPUs so if it does not know their type. */
	pmu_units_find(&nameless, plan->sysfs, "uncore_type_*", &why);
	free(why);
	why = xasprintf(
	    "no PMU called %s in %s/" PMU_DEVICES ": %s", names, plan->sysfs,
	    nameless.n
	        ? "the kernel is too old to know this CPU's (uncore_type_*)"
	        : "the driver is not loaded (intel_uncore, amd_uncore, "
	          "hisi_pcie_pmu, dwc_pcie_pmu, nvidia_cspmu) or too old, "
	          "or this is a virtual machine");
	pmu_units_free(&nameless);
	free(names);
	return why;
}

char *
pmu_plan_make(struct pmu_plan *plan, const char *sysfs, const char *events)
{
	char *why;

	*plan = (struct pmu_plan){.sysfs = sysfs};
	why = read_table(plan, events);
	for (size_t i = 0; !why && i < plan->events.n; i++) {
		struct pmu_family family = {plan->events.event[i].pmu, {0}};

		if (!*family.pmu || pmu_plan_family(plan, family.pmu))
			continue;
		pmu_units_find(&family.units, sysfs, family.pmu, &why);
		plan->nunits += family.units.n;
		array_push(plan->family, plan->nfamilies, family);
	}
	if (!why && !plan->nunits)
		why = describe_search(plan);
	return why;
}

/* Counters ----------------------------------------------------------------- */

/* Adds an event, with the part's bit in each field that selects one. */
static char *
add_counter(struct pmu_plan *plan, const struct pmu_source *source,
            size_t together)
{
	struct pmu_counter counter = {.type = source->unit->type,
	                              .cpu = (int)source->at->cpu,
	                              .together = together};
	char *terms = xstrdup(source->event->terms);
	char **field = list_split(source->event->part_fields);
	size_t n = plan->counters.n;
	char *why = NULL;

	for (size_t i = 0; source->part >= 0 && field[i]; i++)
		xappend(&terms, ",", "%s=%ju", field[i],
		        (uintmax_t)1 << source->part);
	if (pmu_encode(source->unit->path, terms, &counter.config, &why)) {
		array_push(plan->counters.counter, plan->counters.n, counter);
		array_push(plan->source, n, *source);
	}
	free(field);
	free(terms);
	return why;
}

/* Rows of one group of one PMU, and the most parts that one has. */
struct range {
	size_t first, end;
	unsigned parts;
};

static struct range
next_group(const struct pmu_events *events, size_t first)
{
	const struct pmu_event *e = events->event;
	struct range r = {first, first, 0};

	for (; r.end < events->n && !strcmp(e[r.end].group, e[first].group) &&
	       !strcmp(e[r.end].pmu, e[first].pmu);
	     r.end++) {
		if (e[r.end].parts > r.parts)
			r.parts = e[r.end].parts;
	}
	return r;
}

/* Adds one part of a unit, or (-1) the events without parts, as a group. */
static char *
add_group(struct pmu_plan *plan, struct range r, struct pmu_source source,
          size_t *together)
{
	char *why = NULL;

	++*together;
	for (size_t i = r.first; !why && i < r.end; i++) {
		const struct pmu_event *event = &plan->events.event[i];
		bool has = source.part < 0
		               ? !event->parts
		               : (unsigned)source.part < event->parts;

		source.event = event;
		if (has)
			why = add_counter(plan, &source, *together);
	}
	return why;
}

/* Whether a part (-1: none) is wanted, by its number and the device's place. */
static bool
is_wanted(const struct pmu_choice *choice, int part)
{
	char text[24];

	if (part < 0)
		return true;
	if (choice->place && choice->place->part >= 0 &&
	    choice->place->part != part)
		return false;
	*print_u64(text, (unsigned)part) = '\0';
	return !choice->parts || list_has(choice->parts, text);
}

static char *
add_groups_of_unit(struct pmu_plan *plan, struct range r,
                   const struct pmu_unit *unit, const struct pmu_choice *choice,
                   size_t *together)
{
	const struct pmu_place *place = choice->place;
	char *why = NULL;

	for (size_t k = 0; k < unit->n; k++) {
		const struct pmu_access *at = &unit->at[k];

		if (r.parts && place &&
		    (strcmp(place->unit, unit->unit) != 0 ||
		     strcmp(place->socket, at->socket) != 0))
			continue;
		for (int part = -1; !why && part < (int)r.parts; part++) {
			struct pmu_source source = {
			    .unit = unit, .at = at, .part = part};

			if (is_wanted(choice, part))
				why = add_group(plan, r, source, together);
		}
	}
	return why;
}

/* Refuses groups of which the CPU has no event. */
static char *
check_groups(const struct pmu_events *events, const char *wanted)
{
	char **name = list_split(wanted ? wanted : "");
	char *groups = xstrdup("");
	char *why = NULL;

	for (size_t i = 0; i < events->n; i++) {
		const char *group = events->event[i].group;

		if (*events->event[i].pmu && !list_has(groups, group))
			xappend(&groups, ",", "%s", group);
	}
	for (size_t i = 0; wanted && !why && name[i]; i++) {
		if (!list_has(groups, name[i]))
			why = xasprintf("-O groups: '%s': not one of %s",
			                name[i], groups);
	}
	free(name);
	free(groups);
	return why;
}

char *
pmu_plan_counters(struct pmu_plan *plan, const struct pmu_choice *choice)
{
	const struct pmu_events *events = &plan->events;
	size_t together = 0;
	struct range r;
	char *why = check_groups(events, choice->groups);

	for (size_t i = 0; !why && i < events->n; i = r.end) {
		const struct pmu_event *first = &events->event[i];
		const struct pmu_family *family =
		    pmu_plan_family(plan, first->pmu);

		r = next_group(events, i);
		if (!family ||
		    (choice->groups && !list_has(choice->groups, first->group)))
			continue;
		for (size_t u = 0; !why && u < family->units.n; u++)
			why = add_groups_of_unit(
			    plan, r, &family->units.unit[u], choice, &together);
	}
	if (!why && !plan->counters.n)
		why = xasprintf("nothing to count: no event of these groups "
		                "and parts is counted on this machine");
	return why;
}

void
pmu_plan_free(struct pmu_plan *plan)
{
	for (size_t i = 0; i < plan->nfamilies; i++)
		pmu_units_free(&plan->family[i].units);
	free(plan->family);
	pmu_events_free(&plan->events);
	free(plan->cpu.events);
	free(plan->counters.counter);
	free(plan->source);
	*plan = (struct pmu_plan){0};
}

/* Units -------------------------------------------------------------------- */

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
	uint64_t number = read_number(UINT64_MAX, "%s/type", unit.path);
	char *cpus = read_first_line("%s/cpumask", unit.path);
	struct cpulist list;

	if (number > UINT32_MAX)
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
