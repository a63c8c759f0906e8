/* Reads of config space by the CPU, of the real functions of this machine. */
#include "collect/backend.h"
#include "collect/host.h"
#include "common/pci.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

/*
 * Class code and revision: a register every function has, that an ordinary
 * user may read, that never changes and that VFIO does not answer itself.
 */
#define REGISTER 0x08

#define ALL_ONES UINT32_MAX

static const char name[] = "pci";

/* One descriptor per target: reopening would be timed, too. */
struct target {
	const struct pci_function *function;
	int fd;
};

struct pci_state {
	struct pci_tree *tree;
	struct target *target;
	size_t ntargets;
	const char *kind;
	int cpu;
	struct clock clock;
	struct disturbance before;
};

static const struct backend_option options[] = {
    {"sysfs", "/sys/bus/pci", "where the kernel shows its PCI bus"},
    {NULL, NULL, NULL},
};

static void
probe(const struct request *request, struct findings *list)
{
	struct pci_tree *tree =
	    pci_tree_read(option_value(request, options, "sysfs"));

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
	}
	pci_tree_free(tree);
}

static bool
add_target(struct session *s, const struct pci_function *function)
{
	struct pci_state *state = s->state;
	struct target *target;
	char path[PATH_MAX];

	snprintf(path, sizeof path, "%s/devices/%s/config", state->tree->sysfs,
	         function->bdf);
	state->target = xreallocarray(state->target, state->ntargets + 1,
	                              sizeof *state->target);
	target = &state->target[state->ntargets];
	target->function = function;
	target->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (target->fd < 0)
		return fail(s, STATUS_ABSENT, "%s: %s", path, strerror(errno));
	state->ntargets++;
	return true;
}

/* The bridge so many levels above a function; NULL above the root. */
static const struct pci_function *
ancestor(const struct pci_tree *tree, const struct pci_function *function,
         size_t levels)
{
	while (function && levels--)
		function = pci_find(tree, function->parent);
	return function;
}

/* The bridges from the root down to the function, then the function. */
static bool
add_path(struct session *s, const struct pci_function *function)
{
	const struct pci_tree *tree = ((struct pci_state *)s->state)->tree;
	size_t depth = 0;

	while (ancestor(tree, function, depth + 1))
		depth++;
	for (size_t above = depth + 1; above--;) {
		if (!add_target(s, ancestor(tree, function, above)))
			return false;
	}
	return true;
}

static bool
choose_targets(struct session *s)
{
	const struct pci_tree *tree = ((struct pci_state *)s->state)->tree;
	const struct pci_function *function;
	char bdf[BDF_MAX];

	if (!tree->n)
		return fail(s, STATUS_ABSENT, "%s: no PCI device here",
		            tree->sysfs);
	if (s->request->path && !s->request->which)
		return fail(s, STATUS_TROUBLE,
		            "--path: of which device? -d BDF says it");
	if (!s->request->which) {
		for (size_t i = 0; i < tree->n; i++) {
			if (!add_target(s, &tree->function[i]))
				return false;
		}
		return true;
	}
	if (!parse_bdf(s->request->which, bdf))
		return fail(s, STATUS_TROUBLE,
		            "%s: not a device (such as 03:00.0)",
		            s->request->which);
	function = pci_find(tree, bdf);
	if (!function)
		return fail(s, STATUS_ABSENT,
		            "%s: no such device ('pcb-collect list' shows "
		            "those there are)",
		            bdf);
	return s->request->path ? add_path(s, function)
	                        : add_target(s, function);
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
		warn("this machine is virtual (%s): config reads are answered "
		     "by the hypervisor, not by a bus; rows are marked "
		     "'virtual'",
		     hypervisor);
		return "virtual";
	}
	return "measured";
}

/* Whether a target is this function or lies below it. */
static bool
is_on_a_path(const struct pci_state *state, const struct pci_function *f)
{
	for (size_t i = 0; i < state->ntargets; i++) {
		const struct pci_function *at = state->target[i].function;

		while (at && at != f)
			at = pci_find(state->tree, at->parent);
		if (at)
			return true;
	}
	return false;
}

/* Of every hop from the root to a target. */
static void
describe_aspm(struct session *s)
{
	const struct pci_state *state = s->state;
	char *text = xstrdup("");

	for (size_t i = 0; i < state->tree->n; i++) {
		const struct pci_function *f = &state->tree->function[i];
		char *longer;

		if (!*f->express.aspm || !is_on_a_path(state, f))
			continue;
		longer = xasprintf("%s%s%s=%s", text, *text ? " " : "", f->bdf,
		                   f->express.aspm);
		free(text);
		text = longer;
	}
	if (*text)
		preamble_set(s->preamble, "aspm", "%s", text);
	free(text);
}

static bool
prepare_host(struct session *s)
{
	struct pci_state *state = s->state;
	const char *not_set;

	host_describe(s->preamble);
	state->cpu = host_pin(s->preamble, s->request->cpu,
	                      state->target[0].function->node);
	if (state->cpu < 0 && s->request->cpu >= 0)
		return fail(s, STATUS_TROUBLE, "--cpu %d: %s", s->request->cpu,
		            strerror(errno));
	clock_open(&state->clock);
	host_describe_clock(s->preamble, &state->clock);
	host_lock_memory(s->preamble);
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

static bool
open_pci(struct session *s)
{
	const char *sysfs = option_value(s->request, options, "sysfs");
	struct pci_state *state = xcalloc(1, sizeof *state);

	s->state = state;
	state->tree = pci_tree_read(sysfs);
	if (!state->tree)
		return fail(s, STATUS_ABSENT, "%s/devices: %s", sysfs,
		            strerror(errno));
	if (!choose_targets(s))
		return false;
	state->kind = find_kind(state->tree);
	describe_aspm(s);
	return prepare_host(s);
}

static bool
prepare(struct session *s, const struct point *point)
{
	const struct pci_state *state = s->state;

	(void)point;
	series_make(s, state->ntargets);
	for (size_t i = 0; i < state->ntargets; i++) {
		const struct pci_function *f = state->target[i].function;
		char link[LINK_TEXT_MAX];

		link_format(&f->link, link);
		series_set(&s->series[i], ID_KIND, "%s", state->kind);
		series_set(&s->series[i], ID_DEVICE, "%s", f->bdf);
		series_set(&s->series[i], ID_LINK, "%s", link);
		series_set(&s->series[i], ID_PARENT, "%s", f->parent);
		series_set(&s->series[i], ID_ACCESS, "sysfs");
		series_set(&s->series[i], ID_REGISTER, "0x%02x", REGISTER);
	}
	return true;
}

static bool
report_read(struct session *s, const struct target *target, ssize_t got,
            int error)
{
	const char *bdf = target->function->bdf;

	if (got == sizeof(uint32_t))
		return fail(s, STATUS_TROUBLE,
		            "%s: register 0x%02x reads all ones: the device "
		            "is gone or does not answer",
		            bdf, REGISTER);
	return fail(s, STATUS_TROUBLE, "%s: reading register 0x%02x: %s", bdf,
	            REGISTER, got < 0 ? strerror(error) : "no answer");
}

/* The measurement: whole rounds over all targets, so that each has as many. */
static bool
time_reads(struct session *s, uint64_t rounds)
{
	const struct pci_state *state = s->state;

	for (uint64_t i = 0; i < rounds && !*s->halt; i++) {
		for (size_t t = 0; t < state->ntargets; t++) {
			uint32_t value = ALL_ONES;
			uint64_t begin = counter_begin();
			ssize_t got = pread(state->target[t].fd, &value,
			                    sizeof value, REGISTER);
			uint64_t end = counter_end();

			if (got != sizeof value || value == ALL_ONES)
				return report_read(s, &state->target[t], got,
				                   errno);
			s->series[t].raw[i] = end - begin;
			s->series[t].n = i + 1;
		}
	}
	return true;
}

static bool
run(struct session *s, uint64_t want)
{
	const struct pci_state *state = s->state;
	bool ok = time_reads(s, 1);

	/* The first round comes after a pause and finds cold caches. */
	for (size_t t = 0; t < state->ntargets; t++)
		s->series[t].n = 0;
	ok = ok && time_reads(s, want);
	for (size_t t = 0; t < state->ntargets; t++) {
		struct series *series = &s->series[t];

		for (size_t i = 0; i < series->n; i++)
			series->raw[i] =
			    clock_ps(&state->clock, series->raw[i]);
	}
	return ok;
}

static void
add_to_end(struct session *s, struct preamble *end)
{
	const struct pci_state *state = s->state;
	struct disturbance now = host_disturbance(state->cpu);

	preamble_set(end, "clock_drift_ppm", "%.3f",
	             clock_drift_ppm(&state->clock));
	if (state->cpu >= 0)
		preamble_set(
		    end, "interrupts", "%ju",
		    (uintmax_t)(now.interrupts - state->before.interrupts));
	preamble_set(end, "involuntary_switches", "%ju",
	             (uintmax_t)(now.switches - state->before.switches));
}

static void
close_pci(struct session *s)
{
	struct pci_state *state = s->state;

	if (!state)
		return;
	for (size_t i = 0; i < state->ntargets; i++)
		close(state->target[i].fd);
	free(state->target);
	pci_tree_free(state->tree);
	free(state);
	s->state = NULL;
}

const struct backend pci_backend = {
    .name = name,
    .help = "config space of this machine's PCI functions, read by the CPU",
    .benches = BENCH_BIT(LAT_CFG),
    .options = options,
    .probe = probe,
    .open = open_pci,
    .prepare = prepare,
    .run = run,
    .end = add_to_end,
    .close = close_pci,
};
