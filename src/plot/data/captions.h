/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Constants go into the title, differences into the legend. */
#ifndef PCB_PLOT_DATA_CAPTIONS_H
#define PCB_PLOT_DATA_CAPTIONS_H

#include "common/stream/key_set.h"
#include "common/stream/table.h"
#include "plot/picture/picture.h"

/* Where each key column is named. Release with names_free. */
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
 * Chooses by the keys of all curves, which must outlive the names. If kinds
 * differ, drops columns that follow from the kind, such as the host, but not
 * conditions such as the size; if devices differ, drops link and parent if
 * these follow from the device.
 */
struct names names_of(const struct table *t, const struct key_set *keys);

/*
 * If runs vary, drops the run: names_run then tells curves of one name apart.
 * Call before asking for any name.
 */
void names_hide_runs(struct names *names);

/*
 * The name of a curve for all of its runs; takes ownership of `name`. NULL for
 * a curve that repeats another, "NAME (5 runs)" if there are several, "5 runs"
 * if the name is empty.
 */
char *names_run(char *name, size_t runs, bool repeated);

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
 * A value with its column: "cache cold", "size 64 B"; "cache not given" if it
 * is empty. Free it.
 */
char *value_words(const char *column, const char *text);

/*
 * Sets the title, such as "Read latency (simulated)" or "Difference of read
 * latency", and puts all other constants into the subtitle. Keeps a title that
 * the picture has and appends the kind; a picture without titles shows only the
 * kind. Never mentions the kind "measured".
 */
void names_describe(const struct names *names, struct picture *p,
                    const char *what);

/* The value of this column if it is constant, else "". */
const char *names_constant(const struct names *names, const char *column);

/*
 * The name of a column in words, without its unit: "transfer size" for
 * "transfer_size_bytes". Free it.
 */
char *column_words(const char *column);

/* "Latency", "Bandwidth" or "Ratio": the quantity of a measure. */
const char *measure_words(const char *measure);

/* "ns", "Gbit/s", "1/s", "%" or "": the unit of a column in a picture. */
const char *unit_words(const char *column);

/* Whether the column's name ends in "_bytes". */
bool is_bytes(const char *column);

/*
 * A difference in words: "cache host-warm minus cold"; "minus cache cold" for
 * several conditions; "difference" without a base. Drops these columns from the
 * subtitle; a varying condition stays in the legend. Free it.
 */
char *difference_words(struct names *names);

/*
 * The same for a ratio: "cache host-warm in % of cold"; "% of cache cold"; "%
 * of the base". Free it.
 */
char *ratio_words(struct names *names);

void names_free(struct names *names);

#endif
