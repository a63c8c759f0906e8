/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The link of the command line. */
#ifndef PCB_MODEL_LINK_CONFIG_H
#define PCB_MODEL_LINK_CONFIG_H

#include "common/link/model.h"
#include "common/machine/machine.h"
#include "common/machine/told.h"
#include "common/pci/path.h"

/* A parameter of the link with its own option, and the name of that. */
enum link_param { GEN, LANES, MPS, MRRS, RCB, ADDR, ECRC, FLIT, NLINK_PARAMS };
extern const char *const link_params[NLINK_PARAMS];

/* What is known of a device besides its link; n/a without a path. */
struct pci_facts {
	unsigned class_code, vendor; /* 0: unknown */
	struct link could;           /* see doctor_find_links */
	unsigned now_gen; /* of the slowest link, if it sleeps; or 0 */
};

/*
 * Zero-initialise. At most one of grammar and dump or device is given, unless
 * the link may differ; parameters override their values, or the defaults.
 */
struct link_options {
	const char *grammar; /* --link, or an operand if by_operand */
	bool by_operand;
	const char *dump;   /* file */
	const char *device; /* in the dump, or of this machine */
	bool may_differ;    /* the link may be stated for a device, too */
	bool given[NLINK_PARAMS];
	uint64_t number[RCB + 1]; /* as in struct link */
	unsigned addr64, no_flit;
	enum completer completer;
	enum accounting accounting;
	struct fraction skp; /* as in struct link_config */
	struct bounds bounds;

	/* Set by link_options_resolve. */
	bool based; /* `base` is from the first three */
	struct link base;
	struct path path;   /* of the device; n is 0 without one */
	struct link actual; /* of the path, where another one is stated */
	struct told told;   /* its link, if only others tell of it */
	struct pci_facts facts;
	struct pci_tree *tree; /* of the path, and the device in it; or NULL */
	const struct pci_function *function;
};

/*
 * Resolves the options; with `by_row` not a dump of which they name no device.
 * Ends the program if they contradict each other or give
 * a link without a model (2; not for parallel buses with `any_bus`), or if the
 * device does not exist or its link is unknown (3; in a dump 2). Warns of
 * limits other than the device's link and of unknown parts. Free the path.
 */
void link_options_resolve(struct link_options *o, bool any_bus, bool by_row);

/*
 * As path_find, or with the link that machine_told finds, which it says; `told`
 * is zero without.
 */
const char *link_path_find(struct path *path, struct told *told,
                           const struct pci_tree *tree,
                           const struct pci_function *f);

/*
 * Warns if the limit of a path is above the device's own link, a link is too
 * narrow, or parts are unknown; and that a link sleeps, if none `slept` before.
 */
void link_path_say(const struct link_options *o, const struct path *path,
                   const struct pci_tree *tree, size_t slept);

/* Warns of sizes that the link has only because they are not known. */
void link_say_assumed(const struct link *link);

/* Overrides parts of the link with the parameters given. */
void link_options_override(const struct link_options *o, struct link *link);

/*
 * The link of the options, with defaults. It refers to the options if they name
 * a device.
 */
struct link_config link_config_of(const struct link_options *o);

/* The same for a path, to which the result refers. */
struct link_config link_config_of_path(const struct link_options *o,
                                       const struct path *path);

/*
 * The same for a row whose `link` is `text`; options override it. An empty text
 * needs options that name a link, or generation and lanes. Returns NULL, or why
 * not (a constant): what is wrong with the text, or what is missing.
 */
const char *link_config_of_row(const struct link_options *o, const char *text,
                               struct link_config *config);

#endif
