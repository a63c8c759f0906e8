/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the kernel's log and nvidia-smi say of a function. */
#include "common/doctor/doctor.h"

#include <pci/pci.h>

/* Fewer corrected errors may come from training. */
#define FEW 100

/* Whether the log has IDs of a function, with such a name. */
static bool
is_named(const struct doctor *d, const char *bdf, const char *word)
{
	const struct facts *facts = &d->tree->facts;
	struct pci_function f = {
	    .vendor_id = (uint16_t)facts_number(facts, bdf, FACT_VENDOR, 0),
	    .device_id = (uint16_t)facts_number(facts, bdf, FACT_DEVICE, 0)};

	return f.vendor_id && doctor_is_named(&f, word);
}

/* Whether a part of Thunderbolt or USB4 is below the same root port. */
static bool
has_tunnel_beside(const struct doctor *d, const char *port)
{
	const struct pci_function *top = pci_find(d->tree, port), *f;

	while (top && top->up)
		top = top->up;
	f = top;
	while (f && (f = pci_next_below(d->tree, top, f))) {
		if (doctor_is_named(f, "Thunderbolt") ||
		    doctor_is_named(f, "USB4"))
			return true;
	}
	return false;
}

/* Ports of tunnels say this, whatever they carry. */
static bool
is_of_tunnel(const struct doctor *d, const char *port, unsigned gen,
             unsigned lanes)
{
	return gen == 1 && (lanes == 1 || lanes == 4) &&
	       (d->tree->facts.log.tunnels || has_tunnel_beside(d, port) ||
	        is_named(d, port, "Thunderbolt") || is_named(d, port, "USB4"));
}

/* Whether the path is as it was at boot. */
static bool
is_as_now(const struct pci_function *f, unsigned gen, unsigned lanes)
{
	struct path path = {0};
	bool same = !path_find(&path, f) && path.link.gen == gen &&
	            path.link.lanes == lanes;

	path_free(&path);
	return same;
}

/* A link of which a source says one end; its row may be NULL. */
static void
say_half(struct doctor *d, struct doctor_finding *row, const char *source)
{
	char *paste =
	    xasprintf("%s does not say what the port supports: run pcb-doctor "
	              "there, or paste the files of /sys that pcb-doctor(1) "
	              "names",
	              source);

	d->half++;
	if (row)
		doctor_say(&row->fix, "%s", paste);
	if (d->found.missing)
		free(paste);
	else
		d->found.missing = paste;
}

/* What limited the path at boot. */
static void
check_limit(struct doctor *d, const struct pci_function *f, bool unread)
{
	const struct fact *fact =
	    facts_find(&d->tree->facts, f->bdf, FACT_LIMIT);
	/* "gen3x4 at 0000:00:1c.4 of gen3x16" */
	char at[LINK_TEXT_MAX], port[BDF_MAX], most[LINK_TEXT_MAX];
	struct link link = {0};
	bool tunnel;
	struct doctor_finding *row;

	if (!fact)
		return;
	if (sscanf(fact->value, "%63s at %19s of %63s", at, port, most) != 3 ||
	    link_parse(at, &link)) {
		d->judged += unread;
		return;
	}
	if (is_as_now(f, link.gen, link.lanes))
		return;
	tunnel = is_of_tunnel(d, port, link.gen, link.lanes);
	row = doctor_add(d, "link_boot", SURE_BY_DESIGN,
	                 tunnel ? "tunnel" : "boot", f,
	                 "at boot its path was limited by the %s link at %s, "
	                 "it supports %s",
	                 at, *port == '?' ? "a port" : port, most);
	/* A tunnel is no link: the doctor does not judge it. */
	if (tunnel)
		doctor_say(&row->fix, "none: USB4 or Thunderbolt is not a "
		                      "link, measure it");
	else if (unread)
		say_half(d, row, "a log");
}

static unsigned
number(const struct doctor *d, const struct pci_function *f,
       enum fact_kind kind)
{
	return (unsigned)facts_number(&d->tree->facts, f->bdf, kind, 0);
}

/* Packets that the GPU, or the port above it, sent again. */
static void
check_replays(struct doctor *d, const struct pci_function *f)
{
	unsigned n = number(d, f, FACT_REPLAYS);
	unsigned rollovers = number(d, f, FACT_ROLLOVERS);
	bool few = n < FEW && !rollovers;
	const struct fact *by = facts_find(&d->tree->facts, f->bdf,
	                                   n ? FACT_REPLAYS : FACT_ROLLOVERS);
	struct doctor_finding *row;

	if (!n && !rollovers)
		return;
	row = doctor_add(d, "errors", few ? SURE_BY_DESIGN : SURE_LIKELY,
	                 "training", f,
	                 "%s counts %u replays of packets since the GPU was "
	                 "reset",
	                 fact_sources[by->source], n);
	if (rollovers)
		xappend(&row->what, ", ",
		        "and %u rollovers: a packet failed four times",
		        rollovers);
	if (!few)
		doctor_say_signal(row, f);
}

/* A lower rate than both ends support; at rest drivers lower it. */
static void
check_rate(struct doctor *d, const struct pci_function *f)
{
	const struct facts *facts = &d->tree->facts;
	unsigned gen = number(d, f, FACT_GEN);
	unsigned most = number(d, f, FACT_PAIR_GEN);
	bool known = facts_find(facts, f->bdf, FACT_PSTATE) ||
	             facts_find(facts, f->bdf, FACT_IDLE);
	struct doctor_finding *row;

	if (!gen || gen >= most || facts_gpu_rests(facts, f->bdf))
		return;
	row = doctor_add(
	    d, "link_speed", known ? SURE_LIKELY : SURE_BY_DESIGN,
	    gen > 1 ? "unseen" : "idle", f,
	    "its link runs at gen%u, both ends support gen%u, and the GPU %s",
	    gen, most, known ? "is not idle" : "may be idle");
	doctor_say(&row->fix, "see it under load: nvidia-smi -q again");
}

/* The link of a GPU, as its driver's program says it. */
static void
check_gpu(struct doctor *d, const struct pci_function *f, bool unread)
{
	const struct facts *facts = &d->tree->facts;
	const struct fact *now =
	    facts_last(facts, f->bdf, FACT_LANES, FROM_SMI);
	unsigned both = number(d, f, FACT_PAIR_LANES); /* by NCCL; or 0 */
	unsigned card = number(d, f, FACT_MAX_LANES), lanes;
	unsigned shown =
	    register_field(&f->registers, REG_LNKSTA, PCI_EXP_LNKSTA_WIDTH);
	struct doctor_finding *row = NULL;

	if (!now)
		now = facts_last(facts, f->bdf, FACT_LANES, FROM_AMD);
	if (!now)
		return;
	lanes = (unsigned)strtoul(now->value, NULL, 10);
	if (shown && lanes != shown)
		doctor_add(d, "link_differs", SURE_BY_DESIGN, "sources", f,
		           "its link has x%u by %s, x%u by %s", lanes,
		           fact_sources[now->source], shown,
		           f->pcie.files ? "/sys" : "its registers");
	if (!unread)
		return;
	if (lanes < both) {
		row = doctor_add(d, "link_width", SURE_LIKELY, NULL, f,
		                 "its link has x%u, both ends support x%u",
		                 lanes, both);
		doctor_say(&row->fix, RESEAT);
	}
	check_rate(d, f);
	if (both || (card && lanes >= card && number(d, f, FACT_PAIR_GEN))) {
		d->judged++;
		return;
	}
	if (lanes < card)
		row = doctor_add(d, "link_unseen", SURE_BY_DESIGN, "unseen", f,
		                 "its link has x%u, the card supports x%u",
		                 lanes, card);
	say_half(d, row, fact_sources[now->source]);
	if (row)
		doctor_say_alike(d, row, f, ALIKE_LANES);
}

bool
doctor_check_facts(struct doctor *d, const struct pci_function *f, bool unread)
{
	const struct facts *facts = &d->tree->facts;

	check_limit(d, f, unread);
	check_gpu(d, f, unread);
	check_replays(d, f);
	doctor_check_events(d, f);
	return unread && (facts_find(facts, f->bdf, FACT_LIMIT) ||
	                  facts_find(facts, f->bdf, FACT_EVENT) ||
	                  facts_find(facts, f->bdf, FACT_LANES));
}
