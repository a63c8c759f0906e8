/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The link that the command line speaks of. */
#ifndef PCB_MODEL_LINK_CONFIG_H
#define PCB_MODEL_LINK_CONFIG_H

#include "model/model.h"
#include "model/path.h"

/* A parameter of the link with an option of its own. */
enum part { GEN, LANES, MPS, MRRS, RCB, ADDR, ECRC, FLIT };
#define NPARTS (FLIT + 1)

/*
 * Zero-initialise. At most one of grammar and dump or device is given; the
 * parts change what they say, or the default.
 */
struct slot_options {
	const char *grammar; /* --link */
	const char *dump;    /* a file */
	const char *device;  /* in the dump, or of this machine */
	bool given[NPARTS];
	unsigned value[NPARTS]; /* as in struct link; addr: 1 if 32 */
	enum completer completer;
	enum accounting accounting;
	bool completer_given, accounting_given;
	struct fraction skp; /* as in struct slot */
	struct bounds bounds;

	/* Set by slot_resolve. */
	bool based; /* `base` is what the first three named */
	struct link base;
	struct path path; /* of the device; n is 0 without one */
};

/*
 * The argument of the option of a part (NULL: it has none). Returns NULL, or
 * why it is refused (a constant).
 */
const char *slot_part(struct slot_options *o, enum part part, const char *text);

/*
 * Reads what the options name. Ends the program where they contradict each
 * other or give a link without a model (2; `any_bus`: parallel ones need
 * none), or where the device is not there or its link unknown (3; in a dump 2).
 * Warns of what limits elsewhere than at the device, and of what cannot be
 * seen. Release with slot_free.
 */
void slot_resolve(struct slot_options *o, bool any_bus);
void slot_free(struct slot_options *o);

/* The parts given take the place of what is in the link. */
void slot_override(const struct slot_options *o, struct link *link);

/*
 * The link of the options, defaults where they are silent. It refers to them
 * where they name a device.
 */
struct slot slot_of(const struct slot_options *o);

/*
 * The same for a row whose `link` reads `text`: the options override it. An
 * empty text gives a link only where options name one, or generation and
 * lanes. Returns NULL, or (a constant) what is wrong with the text, or
 * what is needed where it is empty.
 */
const char *slot_of_row(const struct slot_options *o, const char *text,
                        struct slot *slot);

#endif
