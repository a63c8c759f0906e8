/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What links did while pcb-collect link watched them. */
#include "doctor/watch.h"

#include "common/stream/table.h"
#include "common/sys/datadir.h"
#include "common/sys/sysfs.h"

#include <pci/pci.h>

/* Rows of which the last value is kept. */
enum { GEN, LANES, ASPM, TARGET, COOLING, REASON, EXTENSION, SOURCE, KEPT };
static const char *const kept[] = {
    "gen",     "lanes",      "aspm",           "target_gen",
    "cooling", "dpc_reason", "dpc_reason_ext", "dpc_source"};

#define UNSEEN UINT32_MAX /* lanes */
struct state {
	unsigned gen, lanes;
};

/* What one function has shown; times in ns. */
struct seen {
	unsigned value[KEPT];
	const struct pci_function *up;         /* of a lower end: the port */
	struct state first, last, best, least; /* least: after the best */
	double time, fell, lowest; /* of the row, first fall, `least` */
	double lowered, contained; /* a port's target; its link, by DPC */
	unsigned falls;            /* after the best */
	bool gone;
};

static unsigned
rate(struct state s)
{
	return s.gen ? s.lanes << s.gen : 0;
}

/* Rows of one time are one state. What sleeps has none yet. */
static void
take_state(struct seen *seen)
{
	struct state now = {seen->value[GEN], seen->value[LANES]};

	if (now.lanes == UNSEEN)
		return;
	if (seen->first.lanes == UNSEEN)
		seen->first = now;
	if (rate(now) > rate(seen->best)) {
		seen->best = seen->least = now;
		seen->falls = 0;
	}
	if (rate(now) < rate(seen->last) && !seen->falls++)
		seen->fell = seen->time;
	if (now.lanes < seen->least.lanes ||
	    (now.lanes == seen->least.lanes && now.gen < seen->least.gen)) {
		seen->least = now;
		seen->lowest = seen->time;
	}
	seen->last = now;
}

static void
add_grown(struct doctor_watched *w, const char *name, bool aspm, double n)
{
	size_t i = 0;

	while (*w->kind[i].name && strcmp(w->kind[i].name, name) != 0)
		i++;
	if (i == ARRAY_LEN(w->kind) - 1)
		return;
	snprintf(w->kind[i].name, sizeof w->kind->name, "%s", name);
	w->kind[i].n[aspm] += n;
}

static void
take_row(struct seen *seen, struct doctor_watched *w, const struct table *t)
{
	const char *what = need_text(t, "what"), *text;
	double value = table_number(t, need_column(t, "new_value")), old;
	double time = table_number(t, need_column(t, "time_ns"));

	text = need_text(t, "old_value");
	old = *text ? strtod(text, NULL) : value; /* no change */
	if (time > seen->time)
		take_state(seen);
	seen->time = time;
	for (size_t i = 0; i < KEPT; i++) {
		if (!strcmp(what, kept[i]))
			seen->value[i] = (unsigned)value;
	}
	/* Counts start again with a new device. */
	if (strchr(what, '.') && value > 0 && value != old)
		add_grown(w, what, seen->value[ASPM],
		          value - (value < old ? 0 : old));
	if (strstr(what, "cor_status") && ((uint32_t)value & ~(uint32_t)old))
		add_grown(w, what, seen->value[ASPM], 1);
	if (!strcmp(what, "target_gen") && value < old)
		seen->lowered = time;
	else if (!strcmp(what, "dpc_trigger") && value > 0)
		seen->contained = time + 1; /* it may have been so at 0 */
	seen->gone |= !strcmp(what, "present") && value < old;
}

/* Whether the link is as good as its best, or fell for good reason. */
static bool
check_fall(struct doctor *d, const struct pci_function *f,
           const struct seen *seen, const struct seen *port)
{
	struct state best = seen->best, least = seen->least;
	bool began = !memcmp(&least, &seen->first, sizeof least);
	bool down = !rate(seen->last) && f->registers.seen[REG_LNKSTA];
	bool slower = least.lanes == best.lanes;
	/* Polls may see one change at two times. */
	bool lowered = slower && port->lowered > 0 &&
	               port->value[TARGET] == least.gen &&
	               port->lowered <= seen->lowest + 2e8;
	/* A driver does it, or hardware that says so; or it was idle before. */
	bool by_choice =
	    slower &&
	    (pci_class_of(f) == CLASS_GPU ||
	     (seen->up->registers.value[REG_LNKSTA] & PCI_EXP_LNKSTA_AUTBW) ||
	     (began && !lowered && !d->loaded));
	unsigned cooling = port->value[COOLING];
	struct doctor_finding *row;

	if (!seen->falls)
		return true;
	row = doctor_add(d, "link_fell",
	                 down        ? SURE_CERTAIN
	                 : by_choice ? SURE_BY_DESIGN
	                             : SURE_LIKELY,
	                 "idle", f, "its link fell from gen%ux%u to ", best.gen,
	                 best.lanes);
	xappend(&row->what, "",
	        rate(least) ? "gen%ux%u while watched"
	                    : "no link while watched",
	        least.gen, least.lanes);
	xappend(&row->what, ", ", "%u time%s after %.1f s", seen->falls,
	        seen->falls > 1 ? "s, first" : "", seen->fell / 1e9);
	if (lowered)
		xappend(&row->what, ": ",
		        cooling
		            ? "the target speed was lowered to gen%u, as the "
		              "kernel's thermal control does (cooling %u)"
		            : "the target speed was lowered to gen%u",
		        least.gen, cooling);
	if (by_choice)
		return true;
	row->risk = lowered ? "the link is down for some milliseconds"
	                    : "the machine is down meanwhile";
	doctor_say(&row->fix,
	           lowered ? "%ssetpci -s %s CAP_EXP+30.w=%x:f "
	                     "CAP_EXP+10.w=20:20%s"
	           : down  ? FIX_GONE
	                   : RESEAT,
	           cooling ? "cool the machine; if it is not hot, '" : "",
	           doctor_short_bdf(seen->up), best.gen, cooling ? "'" : "");
	return false;
}

/* A link that rose was idle: the other checks see the best of it. */
static void
take_best(struct doctor *d, struct pci_function *f, struct state first,
          struct state best)
{
	struct pci_function *up = (struct pci_function *)doctor_port_above(f);

	if (first.lanes && rate(best) > rate(first))
		doctor_add(d, "link_woke", SURE_BY_DESIGN, "idle", f,
		           "its link rose from gen%ux%u to gen%ux%u while "
		           "watched: it was idle, not broken",
		           first.gen, first.lanes, best.gen, best.lanes);
	if (!up || best.lanes << best.gen <= f->link.lanes << f->link.gen)
		return;
	f->link.gen = f->pcie.gen = f->awake_gen = up->pcie.gen = best.gen;
	f->link.lanes = f->pcie.lanes = up->pcie.lanes = best.lanes;
}

/* Downstream Port Containment took the link below a port down. */
static void
check_contained(struct doctor *d, const struct pci_function *f,
                const struct seen *seen)
{
	static const char *const reasons[] = {
	    "an error that the port found", "a non-fatal error of ",
	    "a fatal error of ", "a failed access by the CPU", "software"};
	const unsigned *v = seen->value, id = v[SOURCE];
	size_t why = v[REASON] < 3 ? v[REASON] : 3 + !!v[EXTENSION];
	struct doctor_finding *row;

	if (seen->contained <= 0)
		return;
	row = doctor_add(d, "link_dpc", SURE_LIKELY, NULL, f,
	                 "DPC took its link down, seen after %.1f s: %s",
	                 seen->contained / 1e9, reasons[why]);
	if (why == 1 || why == 2)
		xappend(&row->what, "", "%02x:%02x.%x", id >> 8, id >> 3 & 0x1f,
		        id & 7);
	doctor_say(&row->fix, FIX_GONE);
}

/* One row for a device; virtual functions, whose IDs are ones, may go. */
static void
check_gone(struct doctor *d, const struct pci_function *f,
           const struct seen *seen)
{
	if (!seen->gone || (f->id == UINT32_MAX && !doctor_is_dead(f)) ||
	    (f > d->tree->function && seen[-1].gone &&
	     bdf_same_device(f[-1].bdf, f->bdf)))
		return;
	doctor_say(&doctor_add(d, "link_gone", SURE_LIKELY, NULL, f,
	                       "it stopped answering while watched")
	                ->fix,
	           FIX_GONE);
}

/* The rows of pcb-collect. */
static struct table *
run_collect(uint64_t ps, char *const command[])
{
	static char *file, name[] = "the watched links", *names = name;
	char *time = xasprintf("%juns", (uintmax_t)ps / 1000);
	char *path = sibling_program("pcb-collect");
	const char *fixed[] = {program_name, "link", "--root", root_path("/"),
	                       "--time",     time,   "--"};
	char **argv = NULL;
	struct table *t;
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_LEN(fixed); i++)
		array_push(argv, n, (char *)fixed[i]);
	do
		array_push(argv, n, *command);
	while (*command++);
	file = program_output(path, argv, true);
	free(path);
	free(argv);
	free(time);
	t = table_open(&file, 1);
	table_set_names(t, &names);
	return t;
}

/* What the load woke can be read; what sleeps again is known from before. */
static void
read_again(struct doctor *d, struct pci_tree *tree)
{
	struct pci_tree *now = pci_tree_read_awake(tree->sysfs);

	for (size_t i = 0; now && i < tree->n; i++) {
		struct pci_function was = tree->function[i];
		struct pci_function *f =
		    (struct pci_function *)pci_find(now, was.bdf);

		d->watched[i].gone = !f;
		if (!f || !f->id)
			continue;
		tree->function[i] = *f;
		tree->function[i].up =
		    f->up ? pci_find(tree, f->up->bdf) : NULL;
		*f = was;
	}
	pci_tree_free(now);
}

void
watch_links(struct doctor *d, struct pci_tree *tree, bool *chosen, uint64_t ps,
            char *const command[])
{
	struct seen *seen = xcalloc(tree->n + 1, sizeof *seen);
	struct table *t = run_collect(ps, command);
	const char *end;

	d->watched = xcalloc(tree->n + 1, sizeof *d->watched);
	read_again(d, tree);
	for (size_t i = 0; chosen && i < tree->n; i++) {
		const struct pci_function *f = tree->function[i].up;

		for (; chosen[i] && f; f = f->up)
			chosen[f - tree->function] = true;
	}
	for (size_t i = 0; i < tree->n; i++)
		seen[i].value[LANES] = seen[i].first.lanes = UNSEEN;
	while (table_next(t)) {
		const struct pci_function *f =
		    pci_find(tree, need_text(t, "device"));
		size_t i;

		if (!f || (chosen && !chosen[f - tree->function]))
			continue;
		i = (size_t)(f - tree->function);
		take_row(&seen[i], &d->watched[i], t);
		if (!strcmp(need_text(t, "end"), "lower"))
			seen[i].up = pci_find(tree, need_text(t, "parent"));
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
		struct seen *s = &seen[i];

		check_contained(d, f, s);
		if (!s->up)
			continue;
		take_state(s);
		d->watched[i].lanes = s->best.lanes;
		check_gone(d, f, s);
		if (!bdf_split(f->bdf).function &&
		    check_fall(d, f, s, &seen[s->up - tree->function]))
			take_best(d, f, s->first, s->best);
	}
	free(seen);
	table_close(t);
}
