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
	struct row {
		char **cell;
		size_t n;
	} *row = NULL;
	const char **name;
	size_t n = 0;

	for (bool more = first; more; more = table_next(t)) {
		struct row new = {xcalloc(t->ncols, sizeof *new.cell),
		                  t->ncols};

		for (size_t i = 0; i < t->ncols; i++)
			new.cell[i] = xstrdup(t->field[i]);
		array_push(row, n, new);
	}
	if (!has_statistics(t))
		die("%s: samples behind statistics: summarise them apart",
		    t->file);
	name = xcalloc(t->ncols, sizeof *name);
	for (size_t i = 0; i < t->ncols; i++)
		name[i] = t->name[i];
	out_begin(o, name, t->ncols);
	for (size_t k = 0; k < n; k++) {
		for (size_t i = 0; i < t->ncols; i++)
			out_text(o, i < row[k].n ? row[k].cell[i] : "");
		for (size_t i = 0; i < row[k].n; i++)
			free(row[k].cell[i]);
		free(row[k].cell);
	}
	free(row);
	free(name);
}
