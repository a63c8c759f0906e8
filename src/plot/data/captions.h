/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is constant goes into the title, what varies into the legend. */
#ifndef PCB_PLOT_DATA_CAPTIONS_H
#define PCB_PLOT_DATA_CAPTIONS_H

#include "common/stream/key_set.h"
#include "common/stream/table.h"
#include "plot/picture/picture.h"

/* Where a column of identity is said; release with names_free. */
struct names {
	const struct table *t;
	enum name_place {
		NAME_NOWHERE, /* empty throughout, or no identity */
		NAME_TITLE,
		NAME_LEGEND,
	} *
	    place;               /* for each column of the table */
	const struct key *first; /* has what is constant */
};

/*
 * Looks at the keys of all curves, which must outlive the names. Where kinds
 * differ, what follows from the kind is not said, such as the host, unless it
 * is a condition such as the size; nor is a link or a parent that follows from
 * the device where devices differ.
 */
struct names names_of(const struct table *t, const struct key_set *keys);

/*
 * Where runs vary, says their number nowhere: names_run tells curves of one
 * name apart. Needs the names before any are asked for.
 */
void names_hide_runs(struct names *names);

/*
 * The name of a curve among its runs: takes ownership of `name`, and returns
 * NULL for a curve that repeats another, else "NAME (5 runs)" where it has
 * several; an empty name stays what `runs` says, "5 runs".
 */
char *names_run(char *name, size_t runs, bool repeated);

/* Says the column nowhere, whatever is in it. */
void names_hide(struct names *names, const char *column);

/* "run 1, cache cold": what varies, for the curve of this key; or "". */
char *names_legend(const struct names *names, const struct key *key);

/*
 * The same of one of the keys that are told apart. Where all that varies is
 * empty it says so, "cache not given"; `alone` is for where nothing varies.
 */
char *names_key(const struct names *names, const struct key_set *keys,
                size_t number, const char *alone);

/*
 * A value with its column: "cache cold", "size 64 B", "cache not given" where
 * it is empty. free() it.
 */
char *value_words(const char *column, const char *text);

/*
 * Sets the title, such as "Read latency (simulated)" or "Difference of read
 * latency", and has all else that is constant in the subtitle. A title that the
 * picture already has stands instead, with the kind. A picture without a title
 * has the kind alone. A kind "measured" is not mentioned.
 */
void names_describe(const struct names *names, struct picture *p,
                    const char *what);

/* The value of this column if it is constant, else "". */
const char *names_constant(const struct names *names, const char *column);

/*
 * The name of a column in words, without the unit at its end: "transfer size"
 * for "transfer_size_bytes". free() it.
 */
char *column_words(const char *column);

/* "Latency", "Bandwidth" or "Ratio": what such a measure is. */
const char *measure_words(const char *measure);

/* "ns", "Gbit/s", "1/s", "%" or "": the unit of a column, as it is drawn. */
const char *unit_words(const char *column);

/* Whether the column's name ends in "_bytes". */
bool is_bytes(const char *column);

void names_free(struct names *names);

#endif
