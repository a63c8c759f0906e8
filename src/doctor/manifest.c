/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares a tree with that of a dump, by the places of their functions. */
#include "doctor/machine.h"

#include <pci/pci.h>

static unsigned
bus_of(const struct pci_function *f)
{
	struct bdf_numbers at = bdf_split(f->bdf);

	return at.domain << 8 | at.bus;
}

/*
 * Where a function is. Root buses are the same by their order, because their
 * numbers change, too, unless one has come or gone.
 */
struct place {
	size_t up;    /* index of the bridge above, from 1; 0: none */
	size_t root;  /* on a root bus: which one; else 0 */
	unsigned at;  /* device and function */
	size_t index; /* of the function */
};

/* The places of all functions; stores the number of root buses. Free them. */
static struct place *
find_places(const struct pci_tree *tree, size_t *roots)
{
	struct place *place = xcalloc(tree->n + 1, sizeof *place);
	const struct pci_function *last = NULL, *f = tree->function;

	*roots = 0;
	for (size_t i = 0; i < tree->n; i++, f++) {
		struct bdf_numbers at = bdf_split(f->bdf);

		place[i].at = at.device << 3 | at.function;
		place[i].index = i;
		if (f->up) {
			place[i].up = (size_t)(f->up - tree->function) + 1;
			continue;
		}
		*roots += !last || bus_of(last) != bus_of(f);
		place[i].root = *roots;
		last = f;
	}
	return place;
}

static void
number_by_bus(struct place *place, const struct pci_tree *tree)
{
	for (size_t i = 0; i < tree->n; i++) {
		if (place[i].root)
			place[i].root = 1 + bus_of(&tree->function[i]);
	}
}

static int
by_place(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	return x->up != y->up       ? (x->up < y->up ? -1 : 1)
	       : x->root != y->root ? (x->root < y->root ? -1 : 1)
	       : x->at != y->at     ? (x->at < y->at ? -1 : 1)
	                        : (x->index > y->index) - (x->index < y->index);
}

/* The first function at a place, among n in order, or NULL. */
static const struct place *
find_place(const struct place *place, size_t n, struct place wanted)
{
	size_t first = 0, end = n;

	wanted.index = 0;
	while (first < end) {
		size_t middle = first + (end - first) / 2;

		if (by_place(&place[middle], &wanted) < 0)
			first = middle + 1;
		else
			end = middle;
	}
	if (first == n)
		return NULL;
	wanted.index = place[first].index;
	return by_place(&place[first], &wanted) ? NULL : &place[first];
}

/*
 * For each function of a tree, the one at the same place in another: below the
 * twin of the bridge above; or NULL. Free the array.
 */
static const struct pci_function **
find_twins(const struct pci_tree *of, const struct pci_tree *in)
{
	const struct pci_function **twin = xcalloc(of->n + 1, sizeof *twin);
	size_t roots, roots_in;
	struct place *place = find_places(of, &roots);
	struct place *there = find_places(in, &roots_in);

	if (roots != roots_in) {
		number_by_bus(place, of);
		number_by_bus(there, in);
	}
	qsort(there, in->n, sizeof *there, by_place);
	/* Bridges come before what is below them. */
	for (size_t i = 0; i < of->n; i++) {
		struct place wanted = place[i];
		const struct pci_function *up =
		    wanted.up ? twin[wanted.up - 1] : NULL;
		const struct place *found;

		if (wanted.up && !up)
			continue;
		wanted.up = up ? (size_t)(up - in->function) + 1 : 0;
		found = find_place(there, in->n, wanted);
		twin[i] = found ? &in->function[found->index] : NULL;
	}
	free(place);
	free(there);
	return twin;
}

/* Whether both have the same IDs, as far as they are known. */
static bool
is_same(const struct pci_function *f, const struct pci_function *g)
{
	if (f->id && g->id)
		return f->id == g->id;
	return !f->vendor_id || !g->vendor_id ||
	       (f->vendor_id == g->vendor_id &&
	        (!f->device_id || !g->device_id ||
	         f->device_id == g->device_id));
}

/* `now` is at the same place, or else is the next bridge above or NULL. */
static void
say_lost(struct doctor *d, const struct pci_function *then,
         const struct pci_function *now, bool same, bool behind)
{
	char *what = same ? pci_name(now->vendor_id, now->device_id)
	                  : xstrdup("nothing");
	struct doctor_finding *row;
	unsigned slot = 0;

	for (const struct pci_function *f = then->up; f && !slot; f = f->up)
		slot = register_field(&f->registers, REG_SLTCAP,
		                      PCI_EXP_SLTCAP_PSN);
	if (slot)
		xappend(&what, " ", "in slot %u", slot);
	xappend(&what, ", ", "the manifest has %s", then->bdf);
	if (then->title && *then->title)
		xappend(&what, ", ", "%s", then->title);
	row = doctor_add(d, "lost_device",
	                 same || behind ? SURE_LIKELY : SURE_CERTAIN, NULL, now,
	                 "%s", what);
	doctor_say(&row->fix, FIX_GONE);
	free(what);
}

/* The link above, whatever else of it is known. */
static struct link
link_now(const struct pci_function *f)
{
	struct link link = f->link;

	link.gen = f->pcie.gen;
	link.lanes = f->pcie.lanes;
	return link;
}

/*
 * Lanes and rate as they are, and the rate while data move, unless both ends
 * support less than before.
 */
static void
check_link(struct doctor *d, const struct pci_tree *tree,
           const struct pci_function *then, const struct pci_function *now)
{
	const struct doctor before = {.tree = tree};
	struct link has = link_now(now), had = link_now(then), best, was;
	const char *begin = "its link is", *fix = FIX_GONE;
	bool idle, narrow = has.lanes < had.lanes, slow = has.gen < had.gen;
	enum sure sure, then_sure;
	struct doctor_finding *row;

	/* Functions of a device share it. */
	if (bdf_split(now->bdf).function)
		return;
	if (!doctor_find_link(&before, then, &was, &then_sure)) {
		d->unseen += doctor_is_unseen(then);
		return;
	}
	if (!doctor_find_link(d, now, &best, &sure)) {
		d->unseen += !register_field(&now->registers, REG_POWER,
		                             PCI_PM_CTRL_STATE_MASK);
		return;
	}
	d->examined++;
	idle = sure == SURE_BY_DESIGN;
	if (best.gen < was.gen || best.lanes < was.lanes) {
		has = best;
		had = was;
		sure = SURE_CERTAIN;
		begin = "both ends support only";
		fix = now->up && doctor_may_have_slot(now->up)
		          ? "firmware setup: link speed, bifurcation of this "
		            "slot"
		          : "firmware setup: link speed of the port above";
	} else if (narrow || (slow && !idle)) {
		/* What is idle lowers its rate, but seldom its width. */
		sure = idle ? SURE_LIKELY : sure;
		if (idle || then_sure == SURE_BY_DESIGN)
			begin = "awake, its link is";
		if (idle)
			has.gen = best.gen;
		if (then_sure == SURE_BY_DESIGN)
			had.gen = was.gen;
	} else if ((idle ? now->awake_gen : has.gen) < then->awake_gen) {
		/* One of both is asleep: its rate is what it should be. */
		has.gen = idle ? now->awake_gen : has.gen;
		had.gen = then->awake_gen;
		sure = SURE_LIKELY;
		begin = "awake, its link is";
	} else if (slow) {
		fix = "none: it wakes under load";
	} else {
		return;
	}
	row = doctor_add(d, "lost_link", sure, "idle", now,
	                 "%s gen%ux%u, the manifest has gen%ux%u", begin,
	                 has.gen, has.lanes, had.gen, had.lanes);
	doctor_say(&row->fix, "%s", fix);
	doctor_verify(row, now, "bw_rd");
	if (sure != SURE_BY_DESIGN)
		doctor_set_link_cost(d, row, now, has, had.gen, had.lanes);
}

/* Smaller sizes, and switches in the other position. */
static void
check_settings(struct doctor *d, const struct pci_function *then,
               const struct pci_function *now)
{
	static const struct {
		const char *name;
		enum pci_register reg;
		uint32_t mask;
	} fields[] = {
	    {"MPS", REG_DEVCTL, PCI_EXP_DEVCTL_PAYLOAD},
	    {"MRRS", REG_DEVCTL, PCI_EXP_DEVCTL_READRQ},
	    {"relaxed ordering", REG_DEVCTL, PCI_EXP_DEVCTL_RELAXED},
	    {"ASPM L0s", REG_LNKCTL, 1},
	    {"ASPM L1", REG_LNKCTL, 2},
	    {"ASPM L1.2", REG_L1SSCTL1, PCI_L1PM_SUBSTAT_CTL1_ASPM_L12},
	    {"redirection by ACS", REG_ACSCTL, PCI_ACS_CTRL_REQ_RED},
	};
	const struct pci_registers *a = &now->registers, *b = &then->registers;
	struct doctor_finding *row;
	char *what = NULL;

	for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
		enum pci_register reg = fields[i].reg;
		uint32_t mask = fields[i].mask & a->seen[reg] & b->seen[reg];
		unsigned has = mask ? register_field(a, reg, mask) : 0;
		unsigned had = mask ? register_field(b, reg, mask) : 0;

		if (reg == REG_ACSCTL ? now->pcie.port != PORT_DOWNSTREAM
		                      : now->pcie.port != PORT_ENDPOINT ||
		                            !doctor_moves_data(now))
			continue;
		if (i < 2 && has < had)
			xappend(&what, "; ", "%s %u, the manifest has %u",
			        fields[i].name, 128u << has, 128u << had);
		else if (i >= 2 && has != had)
			xappend(&what, "; ", "%s %s, the manifest has %s",
			        fields[i].name, has ? "on" : "off",
			        had ? "on" : "off");
	}
	if (!what)
		return;
	row = doctor_add(d, "lost_setting", SURE_LIKELY, NULL, now, "%s", what);
	doctor_say(&row->fix, "firmware setup, kernel options and driver as "
	                      "they were");
	free(what);
}

void
manifest_compare(struct doctor *d, const char *file)
{
	struct pci_tree *then = pci_tree_read_dump(file, 0);
	const struct pci_function **twin = find_twins(then, d->tree),
	                          *f = then->function;
	const struct pci_function *last =
	    d->tree->open && d->tree->n ? &d->tree->function[d->tree->n - 1]
	                                : pci_find(d->tree, d->tree->part);
	bool gone = false, behind = false, dead, same;
	size_t least = then->n < d->tree->n ? then->n : d->tree->n, fits = 0;

	if (!then->n)
		die("%s: no PCI function in it: --save writes what can be read",
		    file);

	for (size_t i = 0; i < then->n; i++, f++) {
		const struct pci_function *up = f->up, *at = twin[i];
		bool before = gone;

		dead = at && doctor_is_dead(at);
		gone = !at || dead;
		/* Lines of a link whose function is not named. */
		if (*f->bdf == '?') {
			d->unseen++;
			continue;
		}
		/* What is behind a cut is unknown. */
		behind |=
		    last && (at == last || bdf_order(f->bdf, last->bdf) > 0);
		if (behind && !at && *d->tree->part) {
			d->unseen++;
			continue;
		}
		same = !gone && is_same(at, f);
		fits += same || dead;
		for (; !at && up; up = up->up)
			at = twin[up - then->function];
		/* Virtual functions come and go; a device goes at once. */
		if (f->id == 0xffffffff || doctor_is_dead(f) ||
		    (gone && before && bdf_split(f->bdf).function))
			continue;
		if (same) {
			check_link(d, then, f, at);
			check_settings(d, f, at);
		} else if (dead) {
			doctor_say_dead(d, at, "lost_device", SURE_CERTAIN);
		} else if (f->class_code >> 24 != PCI_BASE_CLASS_BRIDGE) {
			/* A bridge goes with what is below it. */
			say_lost(d, f, at, !gone, behind);
		}
	}
	if (2 * fits < least)
		warn("%s: %zu of %zu functions are at their place: of another "
		     "machine?",
		     file, fits, least);
	if (2 * fits < least || then->cut)
		exit(STATUS_ABSENT);
	d->unseen += *then->part != '\0';
	d->links = d->examined;
	free(twin);
	pci_tree_free(then);
}

void
manifest_save(const struct pci_tree *tree, const char *file)
{
	output_to_file(file);
	puts("# pcb-doctor --save: begin");
	for (size_t i = 0; i < tree->n; i++) {
		const struct pci_function *f = &tree->function[i];
		char *path = xasprintf("%s/config", f->path);
		char *name = pci_name(f->vendor_id, f->device_id);
		FILE *config = fopen(path, "re");
		unsigned char byte[4096];
		size_t n = 0;

		/* A copy of /sys may lack it, and have the link. */
		if (!config && errno != ENOENT)
			die_sys("%s", path);
		if (config)
			n = fread(byte, 1, sizeof byte, config);
		if (config && ferror(config))
			die_sys("%s", path);
		if (config)
			fclose(config);
		printf("%s Class %04x: %s", f->bdf, f->class_code >> 16, name);
		for (size_t at = 0; at < n; at++) {
			if (at % 16 == 0)
				printf("\n%02zx:", at);
			printf(" %02x", byte[at]);
		}
		fputs("\n\n", stdout);
		if (f->pcie.files || !n)
			facts_print_function(f->path);
		free(path);
		free(name);
	}
	puts("# pcb-doctor --save: end");
}
