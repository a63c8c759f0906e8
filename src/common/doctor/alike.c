/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares devices of one kind, in slots of one width, with each other. */
#include "common/doctor/doctor.h"

#include <pci/pci.h>

/* A device, and what is compared; 0: unknown. */
struct device {
	const struct pci_function *f;
	const char *name; /* if it has no IDs; "" */
	size_t length;
	unsigned slot; /* lanes; 0: not seen */
	unsigned value[ALIKE_KINDS];
};

static const struct {
	const char *has, *before, *after;
} kinds[ALIKE_KINDS] = {
    [ALIKE_LANES] = {"its link has", "x", ""},
    [ALIKE_MAX_LANES] = {"its link supports", "x", ""},
    [ALIKE_MAX_GEN] = {"its link supports", "gen", ""},
    [ALIKE_MPS] = {"its MPS is", "", " bytes"},
    [ALIKE_BAR] = {"its largest BAR shows", "", " MiB"},
    [ALIKE_ACS] = {"ACS of the port above redirects", "", ""},
};

/* Of ACS, a bit that no redirection has: 0 is unknown. */
#define KNOWN 0x100

/* A value in words; free it. */
static char *
words_of(unsigned kind, unsigned value)
{
	static const char *const acs[] = {"nothing", "requests", "completions",
	                                  "both"};

	if (kind == ALIKE_ACS)
		return xstrdup(acs[value / PCI_ACS_CTRL_REQ_RED & 3]);
	return xasprintf("%s%u%s", kinds[kind].before, value,
	                 kinds[kind].after);
}

/* The lanes of a link, by registers or files, else by nvidia-smi or amd-smi. */
static unsigned
lanes_of(const struct doctor *d, const struct pci_function *f)
{
	unsigned lanes =
	    register_field(&f->registers, REG_LNKSTA, PCI_EXP_LNKSTA_WIDTH);

	return lanes || !(f->device_id || f->title)
	           ? lanes
	           : (unsigned)facts_number(&d->tree->facts, f->bdf, FACT_LANES,
	                                    0);
}

static struct device
describe(const struct doctor *doctor, const struct pci_function *f)
{
	const struct pci_function *up = doctor_port_above(f);
	const struct pci_registers *r = &f->registers;
	struct device d = {.f = f, .name = ""};
	uint32_t redirects = PCI_ACS_CTRL_REQ_RED | PCI_ACS_CTRL_CMPLT_RED;

	if (!f->vendor_id && f->title && strchr(f->title, ' ')) {
		d.name = strchr(f->title, ' ');
		d.length = strcspn(d.name, "(");
	}
	d.slot = up ? pci_max_lanes(up) : 0;
	d.value[ALIKE_LANES] = lanes_of(doctor, f);
	d.value[ALIKE_MAX_LANES] = pci_max_lanes(f);
	d.value[ALIKE_MAX_GEN] = pci_max_gen(f);
	d.value[ALIKE_MPS] = f->pcie.mps;
	if (r->seen[REG_REBARCTL])
		d.value[ALIKE_BAR] = 1u
		                     << register_field(r, REG_REBARCTL, 0x3f00);
	if (up && up->registers.seen[REG_ACSCTL])
		d.value[ALIKE_ACS] =
		    (up->registers.value[REG_ACSCTL] & redirects) | KNOWN;
	return d;
}

/* Kinds of devices, in the order of the tree. */
static int
by_kind(const void *a, const void *b)
{
	const struct device *x = a, *y = b;
	const struct pci_function *f = x->f, *g = y->f;
	size_t n = x->length < y->length ? x->length : y->length;
	int order = strncmp(x->name, y->name, n);

#define ORDER(p, q)                                                            \
	if ((p) != (q))                                                        \
	return (p) < (q) ? -1 : 1
	ORDER(f->vendor_id, g->vendor_id);
	ORDER(f->device_id, g->device_id);
	ORDER(f->class_code >> 16, g->class_code >> 16);
	ORDER(order, 0);
	ORDER(x->length, y->length);
	ORDER(x->slot, y->slot);
#undef ORDER
	return 0;
}

static int
by_value(const void *a, const void *b)
{
	unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;

	return x < y ? -1 : x > y;
}

/* The value that most have, and how many; all have `n` values. */
static unsigned
most_common(unsigned *value, size_t n, size_t *most)
{
	unsigned best = 0;

	qsort(value, n, sizeof *value, by_value);
	*most = 0;
	for (size_t i = 0, same = 0; i < n; i++) {
		same = i && value[i] == value[i - 1] ? same + 1 : 1;
		/* Of two as common, the larger one. */
		if (same >= *most) {
			*most = same;
			best = value[i];
		}
	}
	return best;
}

/*
 * Marks the devices of one kind that differ from most. Fewer lanes are odd
 * beside a single other device in such a slot; if the slots are not seen, they
 * may differ: only beside three times as many.
 */
static void
compare(struct doctor *d, const struct device *all, size_t n, unsigned kind,
        unsigned *value)
{
	size_t known = 0, most, odd;
	const struct pci_function *best = NULL;
	unsigned usual;
	bool enough;

	for (size_t i = 0; i < n; i++) {
		if (all[i].value[kind])
			value[known++] = all[i].value[kind];
	}
	if (known < 2)
		return;
	usual = most_common(value, known, &most);
	odd = known - most;
	if (kind == ALIKE_LANES && all->slot && usual < value[known - 1]) {
		usual = value[known - 1];
		for (most = 1;
		     most < known && value[known - 1 - most] == usual;)
			most++;
	}
	enough = kind == ALIKE_LANES && all->slot ? true
	         : all->slot                      ? most > odd && most > 1
	                                          : most > 2 && most >= 3 * odd;
	if (!odd || !enough)
		return;
	for (size_t i = 0; i < n && !best; i++) {
		if (all[i].value[kind] == usual)
			best = all[i].f;
	}
	for (size_t i = 0; i < n; i++) {
		unsigned is = all[i].value[kind];

		if (is && is != usual && (is < usual || kind == ALIKE_ACS))
			d->alike[all[i].f - d->tree->function][kind] =
			    (struct doctor_alike){.best = best,
			                          .n = most,
			                          .slots = all->slot,
			                          .is = is,
			                          .usual = usual};
	}
}

void
doctor_find_alike(struct doctor *d)
{
	const struct pci_tree *tree = d->tree;
	struct device *all = xcalloc(tree->n + 1, sizeof *all);
	unsigned *value = xcalloc(tree->n + 1, sizeof *value);
	size_t n = 0, end;

	if (d->virtual_machine)
		goto done;
	for (size_t i = 0; i < tree->n; i++) {
		const struct pci_function *f = &tree->function[i];

		/* A virtual function has no link of its own. */
		if ((f->vendor_id || f->class_code) &&
		    !bdf_split(f->bdf).function && doctor_moves_data(f) &&
		    (doctor_is_linked(f) || lanes_of(d, f)) &&
		    (f->pcie.port == PORT_ENDPOINT ||
		     f->pcie.port == PORT_UNSEEN) &&
		    !doctor_is_tunnel(f) && !doctor_is_dead(f))
			all[n++] = describe(d, f);
	}
	if (n > 1) {
		d->alike = xcalloc(tree->n, sizeof *d->alike);
		qsort(all, n, sizeof *all, by_kind);
	}
	for (size_t i = 0; i < n && n > 1; i = end) {
		for (end = i + 1; end < n && !by_kind(&all[i], &all[end]);)
			end++;
		for (unsigned kind = 0; kind < ALIKE_KINDS; kind++)
			compare(d, all + i, end - i, kind, value);
	}
done:
	free(value);
	free(all);
}

bool
doctor_say_alike(struct doctor *d, struct doctor_finding *row,
                 const struct pci_function *f, unsigned kind)
{
	struct doctor_alike *odd =
	    d->alike ? &d->alike[f - d->tree->function][kind] : NULL;
	char *usual;

	if (!odd || !odd->best)
		return false;
	usual = words_of(kind, odd->usual);
	xappend(&row->what, "; ", "%zu like it%s ha%s %s, such as %s", odd->n,
	        odd->n > 1 && odd->slots ? " in such slots" : "",
	        odd->n > 1 ? "ve" : "s", usual, doctor_short_bdf(odd->best));
	/* What it does not need is no fault. */
	if (row->sure == SURE_BY_DESIGN && strcmp(row->reason, "device") != 0) {
		row->sure = SURE_LIKELY;
		row->reason = "";
	}
	doctor_say(&row->fix,
	           "swap it with %s: what moves with it is the card, what "
	           "stays is the slot, its riser or firmware setup",
	           doctor_short_bdf(odd->best));
	row->risk = "the machine is down meanwhile";
	free(usual);
	odd->best = NULL;
	return true;
}

void
doctor_check_alike(struct doctor *d, const struct pci_function *f)
{
	struct doctor_alike *all =
	    d->alike ? d->alike[f - d->tree->function] : NULL;

	/* A link has no more lanes than its end supports: one fact. */
	if (all && all[ALIKE_MAX_LANES].best)
		all[ALIKE_LANES].best = NULL;
	for (unsigned kind = 0; all && kind < ALIKE_KINDS; kind++) {
		const struct doctor_alike *odd = &all[kind];
		struct doctor_finding *row;
		char *has;

		if (!odd->best)
			continue;
		has = words_of(kind, odd->is);
		row = doctor_add(d, "unlike", SURE_LIKELY, NULL, f, "%s %s",
		                 kinds[kind].has, has);
		doctor_say_alike(d, row, f, kind);
		free(has);
	}
}
