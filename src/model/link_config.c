/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/link_config.h"

#include "common/base/number.h"
#include "common/base/util.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const struct link usual = {BUS_PCIE,   .gen = 3,    .lanes = 8,
                                  .mps = 256, .mrrs = 512, .rcb = 64};

/* One of two words; the second is 1. */
static const char *
parse_choice(const char *text, const char *no, const char *yes, const char *why,
             unsigned *value)
{
	*value = !strcmp(text, yes);
	return *value || !strcmp(text, no) ? NULL : why;
}

const char *
slot_part(struct slot_options *o, enum part part, const char *text)
{
	unsigned *value = &o->value[part];
	uint64_t number = 1;
	const char *why = NULL;

	o->given[part] = true;
	if (part == ADDR)
		return parse_choice(text, "64", "32",
		                    "addresses have 32 or 64 bits", value);
	if (part == FLIT)
		return parse_choice(text, "off", "on", "not on or off", value);
	if (part == GEN || part == LANES)
		why = parse_integer(text, &number);
	else if (part != ECRC)
		why = parse_size(text, &number);
	if (!why && number > UINT_MAX)
		why = "out of range";
	*value = (unsigned)number;
	return why;
}

void
slot_override(const struct slot_options *o, struct link *link)
{
	unsigned *const number[] = {
	    [GEN] = &link->gen,   [LANES] = &link->lanes, [MPS] = &link->mps,
	    [MRRS] = &link->mrrs, [RCB] = &link->rcb,
	};
	bool *const flag[] = {
	    [ADDR] = &link->addr32, [ECRC] = &link->ecrc, [FLIT] = &link->flit};

	for (enum part part = GEN; part <= RCB; part++) {
		if (o->given[part])
			*number[part] = o->value[part];
	}
	/* The rate alone does not end the mode that was agreed on. */
	if (o->given[GEN] && link->gen > 5)
		link->flit = true;
	for (enum part part = ADDR; part <= FLIT; part++) {
		if (o->given[part])
			*flag[part] = o->value[part];
	}
	link->ecrc_up &= !link->ecrc;
}

static struct link
link_of_grammar(const char *text)
{
	struct link link = usual;
	const char *why = link_parse_brief(text, &link);

	if (why)
		die_usage("--link '%s': %s", text, why);
	return link;
}

/* The only function of a dump. */
static const char *
single(const struct pci_tree *tree, const char *dump)
{
	if (!tree->n)
		die("%s: no function in it: not what lspci -xxx prints", dump);
	if (tree->n > 1)
		die("%s: %zu functions: choose one with --device", dump,
		    tree->n);
	return tree->function->bdf;
}

/* A limit above the device's own link is worth a word, and so is doubt. */
static void
warn_of_path(const struct path *path, const struct bounds *bounds)
{
	const struct hop *top = &path->hop[path->n - 1];
	char link[LINK_TEXT_MAX];

	for (size_t i = 0; i < path->n; i++) {
		if (hop_is_unseen(&path->hop[i]))
			warn("%s: what is above it cannot be seen and may be "
			     "slower",
			     path->hop[i].bdf);
	}
	if (!path->rooted)
		warn("%s: no root port above it to be seen: completions are "
		     "taken to be as the device is set",
		     top->bdf);
	if (path->tags && bounds->inflight > path->tags)
		warn("%s: --inflight %ju is more than its tags allow, which "
		     "is %u",
		     path->hop[0].bdf, (uintmax_t)bounds->inflight, path->tags);
	link_format(&path->hop[path->limit].link, link);
	if (path->limit)
		warn("%s: the link above %s limits: %s", path->hop[0].bdf,
		     path->hop[path->limit].bdf, link);
}

static void
read_dump(struct slot_options *o, const char *bdf)
{
	struct pci_tree *tree = pci_tree_read_dump(o->dump);
	const char *wanted = bdf ? bdf : single(tree, o->dump);
	const struct pci_function *f = pci_find(tree, wanted);
	const char *why = f ? path_find(&o->path, tree, f) : "not in it";

	if (why)
		die("%s: %s: %s", o->dump, wanted, why);
	pci_tree_free(tree);
}

static void
read_device(struct slot_options *o, const char *bdf)
{
	struct pci_tree *tree = pci_tree_read("/sys/bus/pci");
	const struct pci_function *f = tree ? pci_find(tree, bdf) : NULL;
	const char *why = f ? path_find(&o->path, tree, f)
	                    : "no such function on this machine";

	if (why) {
		warn("%s: %s", bdf, why);
		exit(STATUS_ABSENT);
	}
	pci_tree_free(tree);
}

static void
read_base(struct slot_options *o)
{
	char bdf[BDF_MAX];

	if (o->device && !parse_bdf(o->device, bdf))
		die_usage("--device '%s': not of the form 03:00.0", o->device);
	o->based = o->grammar || o->dump || o->device;
	if (o->grammar)
		o->base = link_of_grammar(o->grammar);
	else if (o->dump)
		read_dump(o, o->device ? bdf : NULL);
	else if (o->device)
		read_device(o, bdf);
	if (o->path.n) {
		o->base = o->path.link;
		warn_of_path(&o->path, &o->bounds);
	}
}

/*
 * Looked at once: parts are right or wrong one by one, so those that go with
 * the default go with every row, too.
 */
static void
check_link(const struct slot_options *o, bool any_bus)
{
	struct link link = slot_of(o).link;
	char text[LINK_TEXT_MAX];
	const char *why = link.bus == BUS_PCIE ? link_check(&link) : NULL;

	if (why)
		die_usage("%s", why);
	why = any_bus && link.bus != BUS_PCIE ? NULL : why_no_model(&link);
	link_format(&link, text);
	if (why)
		die("%s: %s", text, why);
}

void
slot_resolve(struct slot_options *o, bool any_bus)
{
	if (o->grammar && (o->device || o->dump))
		die_usage("--link and --%s each name a link: give one",
		          o->dump ? "dump" : "device");
	read_base(o);
	check_link(o, any_bus);
}

void
slot_free(struct slot_options *o)
{
	path_free(&o->path);
}

struct slot
slot_of(const struct slot_options *o)
{
	struct slot slot = {
	    .link = o->based ? o->base : usual,
	    .completer = o->completer,
	    .accounting = o->accounting,
	    .skp = o->skp,
	    .bounds = o->bounds,
	};

	if (o->path.n) {
		slot.path = &o->path;
		slot.back = o->base;
		slot.back.mps = o->path.completion_mps;
		slot.back.ecrc = o->path.completion_ecrc;
		slot_override(o, &slot.back);
	}
	slot_override(o, &slot.link);
	return slot;
}

const char *
slot_of_row(const struct slot_options *o, const char *text, struct slot *slot)
{
	struct link link = {0};
	const char *why = o->based ? NULL : link_parse(text, &link);

	if (why)
		return why;
	*slot = slot_of(o);
	if (o->based)
		return NULL;
	if (link.bus == BUS_UNKNOWN)
		return o->given[GEN] && o->given[LANES]
		           ? NULL
		           : "a link: the row has none; --link names one, or "
		             "--gen and --lanes";
	slot->link = link;
	if (link.bus == BUS_PCIE)
		slot_override(o, &slot->link);
	return NULL;
}
