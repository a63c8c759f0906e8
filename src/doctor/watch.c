/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What links did while pcb-collect link watched them. */
#include "doctor/watch.h"

#include "common/stream/table.h"
#include "common/sys/datadir.h"
#include "common/sys/sysfs.h"

#include <pci/pci.h>

struct state {
	unsigned gen, lanes;
};

/* What one function has shown. */
struct seen {
	struct state first, now, best, least; /* least: after the best */
	double time;                          /* of `now` */
	bool gone;
};

/* Rows of one time are one state. */
static void
take_state(struct seen *seen)
{
	const struct state *now = &seen->now, *least = &seen->least;

	if (now->lanes << now->gen > seen->best.lanes << seen->best.gen)
		seen->best = seen->least = *now;
	else if (now->lanes < least->lanes ||
	         (now->lanes == least->lanes && now->gen < least->gen))
		seen->least = *now;
}

static void
take_row(struct seen *seen, double *errors, const struct table *t)
{
	const char *what = need_text(t, "what"), *old;
	double value = table_number(t, need_column(t, "new_value"));
	double time = table_number(t, need_column(t, "time_ns"));
	bool gen = !strcmp(what, "gen");

	old = need_text(t, "old_value");
	/* Counts start again with a new device. */
	if (strchr(what, '.') && *old)
		*errors +=
		    value - (value < strtod(old, NULL) ? 0 : strtod(old, NULL));
	seen->gone |= !strcmp(what, "present") && *old && value <= 0;
	/* A link that is down has no lanes. */
	if (value <= 0 || (!gen && strcmp(what, "lanes") != 0))
		return;
	if (time > seen->time)
		take_state(seen);
	seen->time = time;
	*(gen ? &seen->now.gen : &seen->now.lanes) = (unsigned)value;
	if (time <= 0)
		seen->first = seen->now;
}

static void
check_fall(struct doctor *d, const struct pci_function *f,
           const struct seen *seen)
{
	struct state best = seen->best, least = seen->least;
	/* A driver does it, or hardware that says so. */
	bool by_choice =
	    least.lanes == best.lanes &&
	    (pci_class_of(f) == CLASS_GPU ||
	     (f->up->registers.value[REG_LNKSTA] & PCI_EXP_LNKSTA_AUTBW));
	struct doctor_finding *row;

	if (least.gen == best.gen && least.lanes == best.lanes)
		return;
	row = doctor_add(
	    d, "link_fell", by_choice ? SURE_BY_DESIGN : SURE_LIKELY, "idle", f,
	    "its link fell from gen%ux%u to gen%ux%u while watched", best.gen,
	    best.lanes, least.gen, least.lanes);
	if (by_choice)
		return;
	doctor_say(&row->fix, RESEAT);
	row->risk = "the machine is down meanwhile";
}

/* A link that rose was idle: the other checks see the best of it. */
static void
take_best(struct doctor *d, struct pci_function *f, struct state first,
          struct state best)
{
	struct pci_function *up = (struct pci_function *)doctor_port_above(f);

	if (first.lanes && best.lanes << best.gen > first.lanes << first.gen)
		doctor_add(d, "link_woke", SURE_BY_DESIGN, "idle", f,
		           "its link rose from gen%ux%u to gen%ux%u while "
		           "watched: it was idle, not broken",
		           first.gen, first.lanes, best.gen, best.lanes);
	if (best.lanes << best.gen <= f->link.lanes << f->link.gen)
		return;
	f->link.gen = f->pcie.gen = up->pcie.gen = best.gen;
	f->link.lanes = f->pcie.lanes = up->pcie.lanes = best.lanes;
}

/* The rows of pcb-collect. */
static struct table *
run_collect(uint64_t ps, char *const command[])
{
	static char *file;
	char *time = xasprintf("%juns", (uintmax_t)ps / 1000);
	const char *fixed[] = {"pcb-collect", "link", "--root", root_path("/"),
	                       "--time",      time,   "--"};
	size_t n = ARRAY_LEN(fixed), words = 0;
	char **argv;

	fixed[0] = sibling_program(fixed[0]);
	while (command[words])
		words++;
	argv = xcalloc(n + words + 1, sizeof *argv);
	memcpy(argv, fixed, sizeof fixed);
	memcpy(argv + n, command, words * sizeof *argv);
	file = program_output(argv);
	free(*argv);
	free(argv);
	free(time);
	return table_open(&file, 1);
}

void
watch_links(struct doctor *d, struct pci_tree *tree, bool *chosen, uint64_t ps,
            char *const command[])
{
	struct seen *seen = xcalloc(tree->n + 1, sizeof *seen);
	struct table *t = run_collect(ps, command);
	struct pci_tree *now = pci_tree_read(tree->sysfs), old = *tree;
	const char *end;

	/* What the load has woken can be read now. */
	if (now && now->n == old.n) {
		*tree = *now;
		*now = old;
	}
	pci_tree_free(now);
	for (size_t i = 0; chosen && i < tree->n; i++) {
		const struct pci_function *f = &tree->function[i];

		for (; chosen[i] && f; f = f->up)
			chosen[f - tree->function] = true;
	}
	d->grown = xcalloc(tree->n + 1, sizeof *d->grown);
	while (table_next(t)) {
		const struct pci_function *f =
		    pci_find(tree, need_text(t, "device"));
		size_t i = f ? (size_t)(f - tree->function) : 0;

		if (f && (!chosen || chosen[i]))
			take_row(&seen[i], &d->grown[i], t);
	}
	end = preamble_get(&t->end, "watched_ns");
	d->watched_s = end ? strtod(end, NULL) / 1e9 : 0;
	end = preamble_get(&t->end, "command_status");
	end = end ? end : "0"; /* it was ended */
	d->loaded = *command && !strcmp(end, "0") && chosen;
	if (strcmp(end, "0") != 0)
		warn("the command ended with status %s", end);
	for (size_t i = 0; i < tree->n; i++) {
		struct pci_function *f = &tree->function[i];

		if (!doctor_port_above(f) || bdf_split(f->bdf).function)
			continue;
		take_state(&seen[i]);
		if (seen[i].gone)
			doctor_say(&doctor_add(d, "link_gone", SURE_LIKELY,
			                       NULL, f,
			                       "it stopped answering while "
			                       "watched")
			                ->fix,
			           FIX_GONE);
		check_fall(d, f, &seen[i]);
		take_best(d, f, seen[i].first, seen[i].best);
	}
	free(seen);
	table_close(t);
}
