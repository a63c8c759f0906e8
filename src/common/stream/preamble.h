/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Metadata: the lines of a stream that start with #. */
#ifndef PCB_COMMON_STREAM_PREAMBLE_H
#define PCB_COMMON_STREAM_PREAMBLE_H

#include "common/base/util.h"
#include "common/stream/key_set.h"

/* Preamble: "# key: value" ------------------------------------------------- */

/* The key with names of devices: "BDF=name; BDF=name", without ";" in names. */
#define DEVICE_NAMES "device_names"

/* The key with the tick of the clock that timed the rows. */
#define CLOCK_TICK "clock_tick_ns"

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
	struct key_set keys; /* of the entries, in the same order */
};

/*
 * Sets `key` to the formatted text, which may use the old value. Control
 * characters become '?'.
 */
void preamble_set(struct preamble *pre, const char *key, const char *fmt, ...)
    PRINTF_LIKE(3, 4);

/* The value of `key`, valid until it changes, or NULL. */
const char *preamble_get(const struct preamble *pre, const char *key);

/* The same as a number; 0 if it is missing or not one. */
double preamble_number(const struct preamble *pre, const char *key);

void preamble_free(struct preamble *pre);

/* Sets in `into` all entries of `other`. */
void preamble_copy(struct preamble *into, const struct preamble *other);

/*
 * Keeps in `into` only the entries that `other` has with the same value; of
 * clock_tick_ns, keeps the larger value, since pcb-diff(1) compares with it;
 * adds counts of interrupts and involuntary switches.
 */
void preamble_intersect(struct preamble *into, const struct preamble *other);

/* Appends program_command to the value of "command", after " | ". */
void preamble_add_command(struct preamble *pre);

/* Appends "text (of)" to the list under `key`, after "; ". */
void preamble_note(struct preamble *pre, const char *key, const char *text,
                   const char *of);

/* Writes a line "# key: value" for each entry; errors stay in ferror. */
void preamble_write(const struct preamble *pre, FILE *to);

#endif
