/* Which columns tell the curves of a picture apart. */
#ifndef PCB_PLOT_IDENTITY_H
#define PCB_PLOT_IDENTITY_H

#include "common/keys.h"
#include "common/table.h"

/* Zero-initialise, set `except`; free(col). */
struct identity {
	const char *except; /* a column that is an axis instead, or NULL */
	size_t *col;        /* all other columns of identity, ascending */
	size_t n;
	size_t known; /* columns looked at so far */
};

/*
 * Makes `key` that of the table's current row; to be called for every row.
 * False if it is known to be the key of the row before.
 */
bool identity_key(struct identity *id, const struct table *t, struct key *key);

/* Warns about rows that had nothing under `name` and were skipped. */
void warn_skipped(uintmax_t skipped, const char *name);

#endif
