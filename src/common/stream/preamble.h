/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Provenance: the "# key: value" lines of a pcb-csv stream. */
#ifndef PCB_COMMON_STREAM_PREAMBLE_H
#define PCB_COMMON_STREAM_PREAMBLE_H

#include "common/base/util.h"
#include "common/stream/key_set.h"

#include <stdio.h>

/* The key of the names of devices: "BDF=name; BDF=name", no name with ";". */
#define DEVICE_NAMES "device_names"

/*
 * Keys are unique and keep their order. Zero-initialise; release with
 * preamble_free. Values hold no control characters.
 */
struct preamble {
	struct preamble_entry {
		char *key;
		char *value;
	} * entry;
	size_t n;
	struct key_set keys; /* the same keys, numbered as the entries */
};

/*
 * Sets `key` to the formatted text, replacing an older value, of which the
 * text may be made; control characters become '?'.
 */
void preamble_set(struct preamble *pre, const char *key, const char *fmt, ...)
    PRINTF_LIKE(3, 4);

/* The value of `key`, owned by the preamble until it changes, or NULL. */
const char *preamble_get(const struct preamble *pre, const char *key);

/*
 * clock_tick_ns, the tick of the clock that timed the rows, or 0 if it is
 * missing or not a number.
 */
double preamble_tick_ns(const struct preamble *pre);

void preamble_free(struct preamble *pre);

/* Sets in `into` all that `other` says. */
void preamble_copy(struct preamble *into, const struct preamble *other);

/*
 * Keeps in `into` only what `other` says too, with the same value; but of
 * clock_tick_ns the coarsest that either has, by which pcb-diff(1) judges.
 */
void preamble_intersect(struct preamble *into, const struct preamble *other);

/*
 * Appends program_command to what is under "command", with " | " between.
 */
void preamble_add_command(struct preamble *pre);

/* Adds "text (of)" to the list under `key`, with "; " between. */
void preamble_note(struct preamble *pre, const char *key, const char *text,
                   const char *of);

/* Writes one "# key: value" line per entry; errors stay in ferror. */
void preamble_write(const struct preamble *pre, FILE *to);

#endif
