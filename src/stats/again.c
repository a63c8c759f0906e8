/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes rows that are statistics already as they are. */
#include "stats/stats.h"

bool
has_statistics(const struct table *t)
{
	bool has = false;

	for (size_t i = 0; i < t->ncols; i++)
		has |= !strncmp(t->name[i], "median_", strlen("median_"));
	return has && table_find(t, "latency_ns") < 0 &&
	       table_find(t, "bandwidth_gbit_s") < 0;
}

void
write_again(struct out *o, struct table *t, bool first)
{
	struct kept rows = {0};

	keep_begin(&rows);
	for (bool more = first; more; more = table_next(t))
		keep_row(&rows, t);
	if (!has_statistics(t))
		die("%s: samples behind statistics: summarise them apart",
		    t->file);
	keep_write(o, t, &rows);
}
