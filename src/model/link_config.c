/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the link by grammar, device or dump, and applies options to it. */
#include "model/link_config.h"

#include "common/base/util.h"
#include "common/doctor/doctor.h"
#include "common/pci/tree.h"
#include "common/sys/sysfs.h"

#include <pci/pci.h>

const char *const link_params[] = {"gen", "lanes", "mps",  "mrrs",
                                   "rcb", "addr",  "ecrc", "flit"};

void
link_options_override(const struct link_options *o, struct link *link)
{
	unsigned *const number[] = {&link->gen, &link->lanes, &link->mps,
	                            &link->mrrs, &link->rcb};

	for (enum link_param i = GEN; i <= RCB; i++) {
		if (o->given[i])
			*number[i] = (unsigned)o->number[i];
		link->assumed &= i < MPS || !o->given[i];
	}
	/* A lower rate does not end flit mode once negotiated. */
	if (o->given[GEN] && link->gen > 5)
		link->flit = true;
	if (o->given[FLIT])
		link->flit = !o->no_flit;
	if (o->given[ADDR])
		link->addr32 = !o->addr64;
	link->ecrc |= o->given[ECRC];
	link->ecrc_up &= !link->ecrc;
}

void
link_say_assumed(const struct link *link)
{
	if (link->assumed)
		warn("only root may read MPS, MRRS and RCB: they are taken as "
		     "%u, %u and %u bytes",
		     link->mps, link->mrrs, link->rcb);
}

static void
say_narrow(const struct path *path, const struct pci_tree *tree)
{
	for (size_t i = 0; i < path->n; i++) {
		const struct pci_function *f = pci_find(tree, path->hop[i].bdf);

		if (f && doctor_is_narrow(tree, f))
			warn("%s: its link has x%u, both ends support x%u: "
			     "pcb-doctor says what may help",
			     f->bdf, f->pcie.lanes, f->could_lanes);
	}
}

void
link_path_say(const struct link_options *o, const struct path *path,
              const struct pci_tree *tree, size_t slept)
{
	const struct hop *top = &path->hop[path->n - 1];
	const struct hop *limit = &path->hop[path->limit];
	char link[LINK_TEXT_MAX];

	for (size_t i = 0; i < path->n; i++) {
		if (hop_is_unseen(&path->hop[i]))
			warn("%s: the links above it are not visible and may "
			     "be slower",
			     path->hop[i].bdf);
	}
	if (!path->rooted)
		warn("%s: no root port is visible above it: completions have "
		     "the settings of the device",
		     top->bdf);
	if (path->tags && o->bounds.inflight > path->tags)
		warn("%s: --inflight %ju is more than its tags allow: %u",
		     path->hop[0].bdf, (uintmax_t)o->bounds.inflight,
		     path->tags);
	link_format(&limit->link, link);
	if (path->limit)
		warn("%s: the link above %s is the slowest: %s",
		     path->hop[0].bdf, limit->bdf, link);
	if (limit->now && !o->given[GEN] && !slept)
		warn("%s: its link sleeps at gen%u; while data move it is "
		     "gen%u, which %s",
		     limit->bdf, limit->now, limit->link.gen,
		     path->limit + 1 < path->n ? "both ends support"
		                               : "it supports");
	link_say_assumed(&path->link);
	say_narrow(path, tree);
}

static void
set_facts(struct link_options *o, const struct pci_tree *tree,
          const struct pci_function *f)
{
	o->facts = (struct pci_facts){
	    .class_code = f->class_code >> 16,
	    .vendor = f->vendor_id,
	    .could = doctor_find_links(tree, f).could,
	    .now_gen = o->path.hop[o->path.limit].now,
	};
	if (o->told.gpu) {
		o->facts.class_code = PCI_CLASS_DISPLAY_VGA;
		o->facts.vendor = strcmp(o->told.gpu, "AMD") ? 0x10de : 0x1002;
	}
}

const char *
link_path_find(struct path *path, struct told *told,
               const struct pci_tree *tree, const struct pci_function *f)
{
	struct hop hop = {.port = PORT_ENDPOINT};
	const char *why = path_find(path, f);

	*told = (struct told){0};
	if (!why || !machine_told(tree, f, told))
		return why;
	memcpy(hop.bdf, f->bdf, sizeof hop.bdf);
	hop.link = told->link;
	hop.now = told->now;
	path->link = told->link;
	path->completion_mps = told->link.mps;
	array_push(path->hop, path->n, hop);
	warn("%s: its link is gen%ux%u by %s", f->bdf,
	     told->now ? told->now : told->link.gen, told->link.lanes,
	     told->by);
	return NULL;
}

/* The path of a function in the dump, or of this machine. */
static void
read_path(struct link_options *o)
{
	struct pci_tree *tree = o->dump
	                            ? pci_tree_need_dump(o->dump, 0)
	                            : pci_tree_read(root_path("/sys/bus/pci"));
	const char *wanted = o->device, *why = "this machine has no PCI";
	const char *dump =
	    o->dump && !strcmp(o->dump, "-") ? "standard input" : o->dump;
	struct pci_matches found = {0};
	char bdf[BDF_MAX];

	if (!wanted && tree->n > 1)
		die("%s: %zu functions: choose one with --device", dump,
		    tree->n);
	if (!wanted)
		wanted = tree->function->bdf;
	if (tree)
		why = machine_match(tree, wanted, &found);
	if (found.n > 1)
		why = "more than one function: name one as 03:00.0";
	if (!why)
		why = link_path_find(&o->path, &o->told, tree, found.item[0]);
	if (why && o->dump)
		die("%s: %s: %s", dump, wanted, why);
	if (why) {
		warn("%s: %s", wanted, why);
		exit(STATUS_ABSENT);
	}
	set_facts(o, tree, found.item[0]);
	link_path_say(o, &o->path, tree, 0);
	/* lspci does not know other names. */
	if (o->device && !parse_bdf(o->device, bdf))
		o->device = xstrdup(found.item[0]->bdf);
	o->tree = tree;
	o->function = found.item[0];
	free(found.item);
}

/*
 * Parameters are valid one by one, so a check with the default link covers all
 * rows.
 */
static void
check_link(const struct link_options *o, bool any_bus)
{
	struct link link = link_config_of(o).link;
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
link_options_resolve(struct link_options *o, bool any_bus, bool by_row)
{
	bool device = o->device || (o->dump && !by_row);
	struct link *said = device ? &o->path.link : &o->base;
	const char *why;

	if (o->grammar && (o->device || o->dump) && !o->may_differ)
		die_usage("--link and --%s each name a link: give one",
		          o->dump ? "dump" : "device");
	o->based = o->grammar || device;
	o->base = link_usual;
	if (device)
		read_path(o);
	o->actual = o->path.link;
	why = o->grammar ? link_parse_brief(o->grammar, said) : NULL;
	if (why)
		die_usage("%s'%s': %s", o->by_operand ? "" : "--link ",
		          o->grammar, why);
	if (o->path.n)
		o->base = o->path.link;
	check_link(o, any_bus);
}

/* Adds what the options say. */
static void
complete(const struct link_options *o, struct link_config *config)
{
	config->completer = o->completer;
	config->accounting = o->accounting;
	config->skp = o->skp;
	config->bounds = o->bounds;
	link_options_override(o, &config->link);
}

struct link_config
link_config_of_path(const struct link_options *o, const struct path *path)
{
	struct link_config config = path_link_config(path);

	link_options_override(o, &config.back);
	complete(o, &config);
	return config;
}

struct link_config
link_config_of(const struct link_options *o)
{
	struct link_config config = {.link = o->based ? o->base : link_usual};

	if (o->path.n)
		return link_config_of_path(o, &o->path);
	complete(o, &config);
	return config;
}

const char *
link_config_of_row(const struct link_options *o, const char *text,
                   struct link_config *config)
{
	struct link link = {0}, brief = link_usual;
	const char *why = o->based ? NULL : link_parse(text, &link);
	static bool said;

	if ((why || link.assumed) && !link_parse_brief(text, &brief)) {
		char whole[LINK_TEXT_MAX];

		link_format(&brief, whole);
		if (!said)
			warn("link %s is taken as %s", text, whole);
		said = true;
		link = brief;
		why = NULL;
	}
	if (why)
		return why;
	*config = link_config_of(o);
	if (o->based)
		return NULL;
	if (link.bus == BUS_UNKNOWN)
		return o->given[GEN] && o->given[LANES]
		           ? NULL
		           : "a link: the row has none; --link names one, or "
		             "--gen and --lanes";
	config->link = link;
	if (link.bus == BUS_PCIE)
		link_options_override(o, &config->link);
	return NULL;
}
