/* Reads by the CPU, of the real functions of this machine. */
#include "collect/backend.h"
#include "collect/hold.h"
#include "collect/host.h"
#include "collect/lost.h"
#include "collect/targets.h"
#include "common/sysfs.h"

#include <errno.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>

/*
 * Class code and revision: a register every function has, that an ordinary
 * user may read, that never changes and that VFIO does not answer itself.
 */
#define DEFAULT_REGISTER 0x08

static const char name[] = "pci";

struct pci_state {
	struct pci_tree *tree;
	struct targets targets;
	struct hold hold;
	const char *kind;
	int cpu;
	struct clock clock;
	struct disturbance before;
};

static const struct backend_option options[] = {
    {"sysfs", "/sys/bus/pci", "where the kernel shows its PCI bus"},
    {"access", "auto",
     "the way there: sysfs, ecam, vfio, conf1 (of lat_mmio: resource, vfio)"},
    {"register", "auto",
     "what is read: 0x08 (of lat_mmio, such as BAR0+0x8: one that is known)"},
    {NULL, NULL, NULL},
};

/* Whether a BAR of memory is there: its flags, of linux/ioport.h. */
static bool
has_memory(const struct pci_tree *tree, const struct pci_function *f)
{
	char *path = xasprintf("%s/devices/%s/resource", tree->sysfs, f->bdf);
	FILE *file = fopen(path, "re");
	char *line = NULL;
	size_t size = 0;
	bool found = false;

	for (int bar = 0; file && bar < 6 && getline(&line, &size, file) > 0;
	     bar++) {
		const char *flags = strrchr(line, ' ');

		found = found || (flags && strtoul(flags, NULL, 16) & 0x200);
	}
	if (file)
		fclose(file);
	free(line);
	free(path);
	return found;
}

/* A register of a BAR must be named, or known. */
static void
probe_mmio(const struct request *request, const struct known *known,
           const struct pci_tree *tree, const struct pci_function *f,
           struct finding *found)
{
	const char *named = option_value(request, options, "register");
	struct place place = {.bar = CONFIG_SPACE};

	if (!has_memory(tree, f))
		return;
	place_parse(named, &place);
	if (place.bar != CONFIG_SPACE || known_find(known, f))
		found->benches |= BENCH_BIT(LAT_MMIO);
	else
		finding_text(
		    &found->why_not,
		    "lat_mmio: name a register (-O register=BAR0+0x8)");
}

static void
probe(const struct request *request, struct findings *list)
{
	struct pci_tree *tree =
	    pci_tree_read(option_value(request, options, "sysfs"));
	struct known known = known_read();

	for (size_t i = 0; tree && i < tree->n; i++) {
		const struct pci_function *f = &tree->function[i];
		struct finding *found = findings_add(list, name);
		char link[LINK_TEXT_MAX];

		link_format(&f->link, link);
		finding_text(&found->device, "%s", f->bdf);
		finding_text(&found->parent, "%s", f->parent);
		finding_text(&found->link, "%s", link);
		finding_text(&found->driver, "%s", f->driver);
		finding_text(&found->name, "%s", f->name);
		if (f->node >= 0)
			finding_text(&found->node, "%d", f->node);
		found->benches = BENCH_BIT(LAT_CFG);
		found->automatic = true;
		probe_mmio(request, &known, tree, f, found);
	}
	known_free(&known);
	pci_tree_free(tree);
}

static bool
is_sysfs(const char *path)
{
	struct statfs where;

	return !statfs(path, &where) && where.f_type == SYSFS_MAGIC;
}

/*
 * Under a hypervisor a config read is answered by software; in a copy of the
 * tree, by a file.
 */
static const char *
find_kind(const struct pci_tree *tree)
{
	char hypervisor[HYPERVISOR_NAME_MAX];

	if (!is_sysfs(tree->sysfs)) {
		warn("%s is no sysfs: rows are marked 'virtual'", tree->sysfs);
		return "virtual";
	}
	if (arch_hypervisor(hypervisor)) {
		warn("this machine is virtual (%s): reads are answered by the "
		     "hypervisor, not by a bus; rows are marked 'virtual'",
		     hypervisor);
		return "virtual";
	}
	return "measured";
}

/*
 * Records "BDF=TEXT" words under `key`, of every hop from the root to a
 * target, as the tree says now; "" is left out. text() gives memory to free.
 */
static void
describe_hops(struct session *s, const struct pci_tree *tree, const char *key,
              char *(*text)(const struct pci_tree *tree,
                            const struct pci_function *f))
{
	const struct pci_state *state = s->state;
	char *all = xstrdup("");

	for (size_t i = 0; i < tree->n; i++) {
		const struct pci_function *f = &tree->function[i];
		const struct pci_function *same = pci_find(state->tree, f->bdf);
		char *one, *longer;

		if (!same || !targets_are_below(&state->targets, same))
			continue;
		one = text(tree, f);
		longer = xasprintf("%s%s%s=%s", all, *all ? " " : "", f->bdf,
		                   one ? one : "");
		free(one && *one ? all : longer);
		all = one && *one ? longer : all;
		free(one);
	}
	if (*all)
		preamble_set(s->preamble, key, "%s", all);
	free(all);
}

static char *
aspm_of(const struct pci_tree *tree, const struct pci_function *f)
{
	(void)tree;
	return xstrdup(f->express.aspm);
}

static char *
driver_of(const struct pci_tree *tree, const struct pci_function *f)
{
	(void)tree;
	return xstrdup(f->driver);
}

static char *
runtime_pm_of(const struct pci_tree *tree, const struct pci_function *f)
{
	return read_first_line("%s/devices/%s/power/control", tree->sysfs,
	                       f->bdf);
}

/* As it is while we measure: what we have changed is read again. */
static void
describe_path(struct session *s)
{
	const struct pci_state *state = s->state;
	struct pci_tree *now = pci_tree_read(state->tree->sysfs);

	if (!now)
		return;
	describe_hops(s, now, "aspm", aspm_of);
	describe_hops(s, now, "driver", driver_of);
	describe_hops(s, now, "runtime_pm", runtime_pm_of);
	pci_tree_free(now);
}

static bool
prepare_host(struct session *s)
{
	struct pci_state *state = s->state;
	const char *not_set;

	host_describe(s->preamble);
	state->cpu = host_pin(s->preamble, s->request->cpu,
	                      state->targets.item[0].reader.function->node);
	if (state->cpu < 0 && s->request->cpu >= 0)
		return fail(s, STATUS_TROUBLE, "--cpu %d: %s", s->request->cpu,
		            strerror(errno));
	clock_open(&state->clock);
	host_describe_clock(s->preamble, &state->clock);
	host_lock_memory(s->preamble);
	if (!hold_begin(s, &state->hold, &state->targets, state->cpu))
		return false;
	describe_path(s);
	if (!state->clock.invariant)
		warn("the %s of this CPU changes its rate: latencies are "
		     "unreliable",
		     state->clock.name);
	not_set = preamble_get(s->preamble, "not_set");
	if (not_set)
		warn("not done: %s: the run may be disturbed", not_set);
	state->before = host_disturbance(state->cpu);
	return true;
}

/* What -O register asks for; false after fail(). */
static bool
choose_place(struct session *s, struct targets *targets)
{
	const char *text = option_value(s->request, options, "register");
	bool config = s->request->bench->id == LAT_CFG;
	struct place *place = &targets->place;
	const char *why;

	*place = (struct place){config ? CONFIG_SPACE : 0, DEFAULT_REGISTER};
	targets->harmless = !config && !strcmp(text, "auto");
	if (!strcmp(text, "auto"))
		return true;
	why = place_parse(text, place);
	if (!why && config && place->bar != CONFIG_SPACE)
		why = "lat_cfg reads config space, lat_mmio what BARs map";
	if (!why && !config && place->bar == CONFIG_SPACE)
		why = "lat_mmio reads what BARs map, as in BAR0+0x8";
	return !why || fail(s, STATUS_TROUBLE, "-O register=%s: %s", text, why);
}

static bool
choose_method(struct session *s, struct targets *targets)
{
	const char *by = option_value(s->request, options, "access");
	char *names;

	if (!choose_place(s, targets))
		return false;
	targets->method = find_method(by, &targets->place);
	if (targets->method)
		return true;
	names = list_methods(&targets->place);
	fail(s, STATUS_TROUBLE, "-O access=%s: %s is read by %s", by,
	     s->request->bench->name, names);
	free(names);
	return false;
}

static bool
open_pci(struct session *s)
{
	const char *sysfs = option_value(s->request, options, "sysfs");
	struct pci_state *state = xcalloc(1, sizeof *state);

	s->state = state;
	lost_catch();
	if (!choose_method(s, &state->targets))
		return false;
	state->tree = pci_tree_read(sysfs);
	if (!state->tree)
		return fail(s, STATUS_ABSENT, "%s/devices: %s", sysfs,
		            strerror(errno));
	state->targets.tree = state->tree;
	if (!targets_open(s, &state->targets))
		return false;
	state->kind = find_kind(state->tree);
	return prepare_host(s);
}

static bool
prepare(struct session *s, const struct point *point)
{
	const struct pci_state *state = s->state;

	(void)point;
	series_make(s, state->targets.n);
	for (size_t i = 0; i < state->targets.n; i++) {
		const struct reader *r = &state->targets.item[i].reader;
		char link[LINK_TEXT_MAX], text[PLACE_TEXT_MAX];

		link_format(&r->function->link, link);
		place_format(&r->place, text);
		series_set(&s->series[i], ID_KIND, "%s", state->kind);
		series_set(&s->series[i], ID_DEVICE, "%s", r->function->bdf);
		series_set(&s->series[i], ID_LINK, "%s", link);
		series_set(&s->series[i], ID_PARENT, "%s", r->function->parent);
		series_set(&s->series[i], ID_ACCESS, "%s", r->method->name);
		series_set(&s->series[i], ID_REGISTER, "%s", text);
	}
	return true;
}

/* The measurement: whole rounds over all targets, so that each has as many. */
static bool
time_reads(struct session *s, uint64_t rounds)
{
	struct pci_state *state = s->state;

	for (uint64_t i = 0; i < rounds && !*s->halt; i++) {
		for (size_t t = 0; t < state->targets.n; t++) {
			struct target *target = &state->targets.item[t];
			const struct reader *r = &target->reader;
			uint32_t value = 0;
			uint64_t begin = counter_begin();
			bool ok = r->method->read(r, &value);
			uint64_t end = counter_end();

			if (!target_check(s, target, ok, value))
				return false;
			s->series[t].raw[i] = end - begin;
			s->series[t].n = i + 1;
		}
	}
	return true;
}

/* A driver that takes the device, or its removal, ends our mappings. */
static bool
time_reads_if_mapped(struct session *s, uint64_t rounds)
{
	sigjmp_buf lost;
	bool ok;

	if (sigsetjmp(lost, 1)) {
		lost_mapping = NULL;
		return fail(s, STATUS_TROUBLE,
		            "a register is no longer mapped: its device was "
		            "removed, or taken by a driver");
	}
	lost_mapping = &lost;
	ok = time_reads(s, rounds);
	lost_mapping = NULL;
	return ok;
}

static bool
run(struct session *s, uint64_t want)
{
	const struct pci_state *state = s->state;
	bool ok = time_reads_if_mapped(s, 1);

	/* The first round comes after a pause and finds cold caches. */
	for (size_t t = 0; t < state->targets.n; t++)
		s->series[t].n = 0;
	ok = ok && time_reads_if_mapped(s, want);
	for (size_t t = 0; t < state->targets.n; t++) {
		struct series *series = &s->series[t];

		for (size_t i = 0; i < series->n; i++)
			series->raw[i] =
			    clock_ps(&state->clock, series->raw[i]);
	}
	return ok;
}

/* Reads that gave another value than those before. */
static uint64_t
count_changes(const struct targets *targets)
{
	uint64_t changes = 0;

	for (size_t i = 0; i < targets->n; i++) {
		const struct target *target = &targets->item[i];
		char text[PLACE_TEXT_MAX];

		changes += target->changes;
		if (!target->changes)
			continue;
		place_format(&target->reader.place, text);
		warn("%s: register %s changed, so its latency may be that of "
		     "several things",
		     target->reader.function->bdf, text);
	}
	return changes;
}

static void
add_to_end(struct session *s, struct preamble *end)
{
	const struct pci_state *state = s->state;
	struct disturbance now = host_disturbance(state->cpu);
	uint64_t changes;

	preamble_set(end, "clock_drift_ppm", "%.3f",
	             clock_drift_ppm(&state->clock));
	if (state->cpu >= 0)
		preamble_set(
		    end, "interrupts", "%ju",
		    (uintmax_t)(now.interrupts - state->before.interrupts));
	preamble_set(end, "involuntary_switches", "%ju",
	             (uintmax_t)(now.switches - state->before.switches));
	changes = count_changes(&state->targets);
	if (changes)
		preamble_set(end, "changed_values", "%ju", (uintmax_t)changes);
}

static void
close_pci(struct session *s)
{
	struct pci_state *state = s->state;

	if (!state)
		return;
	hold_end(&state->hold);
	targets_close(&state->targets);
	lost_release();
	pci_tree_free(state->tree);
	free(state);
	s->state = NULL;
}

const struct backend pci_backend = {
    .name = name,
    .help = "registers of this machine's PCI functions, read by the CPU",
    .benches = BENCH_BIT(LAT_CFG) | BENCH_BIT(LAT_MMIO),
    .options = options,
    .probe = probe,
    .open = open_pci,
    .prepare = prepare,
    .run = run,
    .end = add_to_end,
    .close = close_pci,
};
