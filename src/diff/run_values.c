/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the rows that have the statistic. */
#include "diff/run_values.h"

#include "common/stream/columns.h"

void
run_values_add(struct run_values *v, double x)
{
	if (v->n == v->max) {
		v->max = v->max ? 2 * v->max : 8;
		v->x = xreallocarray(v->x, v->max, sizeof *v->x);
	}
	v->x[v->n++] = x;
}

bool
next_value(struct table *t, struct diff_columns *c, double *value)
{
	while (table_next(t)) {
		if (c->known < t->ncols)
			diff_columns_update(c, t);
		if (c->value >= 0 && *t->field[c->value]) {
			*value = table_number(t, (size_t)c->value);
			return true;
		}
		trace_skipped(t, "the statistic");
		c->skipped++;
	}
	diff_columns_update(c, t);
	diff_columns_check(c, t);
	warn_skipped(c->skipped, t->name[c->value]);
	return false;
}

_Noreturn void
die_repeated(const struct table *t, const struct diff_columns *c)
{
	table_die(t, (size_t)c->value,
	          "a second row with the same keys: add a label (pcb-collect "
	          "-l) or pool the samples (pcb-stats)");
}
