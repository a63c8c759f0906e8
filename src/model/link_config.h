/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The link that the command line speaks of. */
#ifndef PCB_MODEL_LINK_CONFIG_H
#define PCB_MODEL_LINK_CONFIG_H

#include "common/link/model.h"
#include "common/pci/path.h"

/* A parameter of the link with an option of its own. */
enum link_param { GEN, LANES, MPS, MRRS, RCB, ADDR, ECRC, FLIT, NLINK_PARAMS };

struct link_param_option {
	bool given;
	unsigned value; /* as in struct link; addr: 1 if 32 */
};

/*
 * Zero-initialise. At most one of grammar and dump or device is given; the
 * parameters change what they say, or the default.
 */
struct link_options {
	const char *grammar; /* --link */
	const char *dump;    /* a file */
	const char *device;  /* in the dump, or of this machine */
	struct link_param_option param[NLINK_PARAMS];
	enum completer completer;
	enum accounting accounting;
	bool completer_given, accounting_given;
	struct fraction skp; /* as in struct link_config */
	struct bounds bounds;

	/* Set by link_options_resolve. */
	bool based; /* `base` is what the first three named */
	struct link base;
	struct path path; /* of the device; n is 0 without one */
};

/*
 * Setters of an option table for the struct link_param_option of an enum
 * link_param: of "4" or "gen4", or with "4x16" also of the lanes behind it; of
 * "16" or "x16"; of a size; of "32" or "64"; of no value at all; of "on" or
 * "off".
 */
const char *link_param_set_gen(void *to, const char *text);
const char *link_param_set_lanes(void *to, const char *text);
const char *link_param_set_size(void *to, const char *text);
const char *link_param_set_addr(void *to, const char *text);
const char *link_param_set_flag(void *to, const char *text);
const char *link_param_set_flit(void *to, const char *text);

/*
 * Reads what the options name. Ends the program where they contradict each
 * other or give a link without a model (2; `any_bus`: parallel ones need
 * none), or where the device is not there or its link unknown (3; in a dump 2).
 * Warns of what limits elsewhere than at the device, and of what cannot be
 * seen. Release with link_options_free.
 */
void link_options_resolve(struct link_options *o, bool any_bus);
void link_options_free(struct link_options *o);

/* The parameters given take the place of what is in the link. */
void link_options_override(const struct link_options *o, struct link *link);

/*
 * The link of the options, defaults where they are silent. It refers to them
 * where they name a device.
 */
struct link_config link_config_of(const struct link_options *o);

/*
 * The same for a row whose `link` reads `text`: the options override it. An
 * empty text gives a link only where options name one, or generation and
 * lanes. Returns NULL, or (a constant) what is wrong with the text, or
 * what is needed where it is empty.
 */
const char *link_config_of_row(const struct link_options *o, const char *text,
                               struct link_config *config);

#endif
