/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names and colours of curves: constants go into the title, differences into
 * the legend. */
#ifndef PCB_PLOT_DATA_CAPTIONS_H
#define PCB_PLOT_DATA_CAPTIONS_H

#include "common/stream/key_set.h"
#include "common/stream/table.h"
#include "plot/picture/drawing.h"

/* Names -------------------------------------------------------------------- */

/* Where each key column is named. */
struct names {
	const struct table *t;
	enum name_place {
		NAME_NOWHERE, /* empty, or no key column */
		NAME_TITLE,
		NAME_LEGEND,
	} *
	    place;               /* for each column of the table */
	const struct key *first; /* the key with the constants */
};

/*
 * Chooses by the keys of all curves, which must outlive the names. What only
 * models lack is constant. If kinds differ, drops columns that follow from the
 * kind, such as the host, but not conditions such as the size; if devices
 * differ, drops link and parent if these follow from the device; drops file and
 * link if other columns tell all keys apart.
 */
struct names names_of(const struct table *t, const struct key_set *keys);

/* Drops a column from title and legend. */
void names_hide(struct names *names, const char *column);

/* "run 1, cache cold": the varying columns of this key; or "". */
char *names_legend(const struct names *names, const struct key *key);

/*
 * The same for key `number` of `keys`. "cache not given" if all varying columns
 * are empty; `alone` if no column varies.
 */
char *names_key(const struct names *names, const struct key_set *keys,
                size_t number, const char *alone);

/*
 * A curve for each key, with a name as of names_key; without points. With
 * `by_kind`, keys that differ only in the kind, and in what follows from it,
 * share a colour, and later ones are dashed. Of more
 * than eight conditions, the seven with medians furthest from the median of
 * all, and any that is the only one of its kind, have their own name and
 * colour; the others are thin and share the last colour, and the first of them
 * is named by their number and the range of their medians.
 */
struct curve *named_curves(const struct names *names,
                           const struct key_set *keys, bool by_kind,
                           const double median[], const char *alone);

/*
 * A value with its column: "cache cold", "size 64 B"; "cache not given" if it
 * is empty.
 */
char *value_words(const char *column, const char *text);

/*
 * Sets the title, such as "Ratio of read latency: FINDING (simulated)", and
 * puts all other constants into the subtitle. Keeps a
 * title that the picture has and appends the kind; only then the finding is
 * left for another place. A picture without titles shows only the kind. Never
 * mentions the kind "measured".
 */
void names_describe(const struct names *names, struct picture *p,
                    const char *what);

/* The value of this column if it is constant, else "". */
const char *names_constant(const struct names *names, const char *column);

/* What a constant bench moves, such as "reads", else "". */
char *names_bench(const struct names *names);

/* The cell of a key in the column called `column`, or "". */
const char *key_text(const struct table *t, const struct key *key,
                     const char *column);

/* Whether the rows of this key are computed: kind "model". */
bool is_computed(const struct names *names, const struct key *key);

/*
 * The name of a column in words, without its unit: "transfer size" for
 * "transfer_size_bytes".
 */
char *column_words(const char *column);

/* "latency", "bandwidth", "rate", "ratio": the quantity of a measure. */
const char *measure_words(const char *measure);

/* "900 ns", "2.019 ms": in the largest unit of which it is at least 1. */
char *time_words(double ns);

/*
 * A number with so many significant digits; larger ones as a whole number, not
 * with an exponent.
 */
char *number_words(double value, int digits);

/* "ns", "Gbit/s" or "GB/s", "1/s", "%" or "": of a column in a picture. */
const char *unit_words(const char *column);

/* "560 ns", "1.2 us", "51.3 Gbit/s": a number of a column. */
char *quantity_words(const char *column, double value);

/* Orders names: gpu2 before gpu10, and addresses as hexadecimal numbers. */
int name_order(const char *a, const char *b);

/* "64 B", "1 KiB", "1025 B": a number of bytes; of any column. */
char *size_words(double bytes);
char *place_words(const char *column, double value);

/* The name of a curve for the pointer, "" without one. */
const char *whole_name(const struct curve *c);

/* Whether the column's name ends in "_bytes". */
bool is_bytes(const char *column);

/*
 * What pcb-diff compared: `base` such as "cache cold", or "" without one, and
 * `other` such as "cache host-warm", or "" if several conditions were compared
 * with it, which stay in the legend. Drops both from the subtitle.
 */
void compared_words(struct names *names, const char **base, const char **other);

#endif
