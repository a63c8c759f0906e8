#include "plot/sweeps.h"

#include "common/names.h"
#include "plot/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char measured_column[] = "median_gbit_s";
static const char other_column[] = "bandwidth_gbit_s";

static bool
has(const struct table *t, const char *name)
{
	ptrdiff_t col = table_find(t, name);

	return col >= 0 && *t->field[col];
}

static double
number(const struct table *t, const char *name)
{
	return row_value(t, (size_t)table_find(t, name));
}

static struct sweep *
find_sweep(struct sweeps *s, const struct key *key)
{
	size_t i = keys_number(&s->keys, key);

	if (i == s->n) {
		s->sweep = xreallocarray(s->sweep, ++s->n, sizeof *s->sweep);
		s->sweep[s->n - 1] = (struct sweep){0};
	}
	return &s->sweep[i];
}

static void
take_row(struct sweeps *s, const struct table *t, const struct key *key,
         const struct sweep_columns *columns, const char *column)
{
	struct sweep *sweep = find_sweep(s, key);
	double size = row_size(t, (size_t)table_find(t, columns->size));

	curve_add(&sweep->measured, size, number(t, column));
	if (has(t, columns->expected))
		curve_add(&sweep->expected, size, number(t, columns->expected));
}

void
sweeps_read(struct sweeps *s, struct table *t,
            const struct sweep_columns *columns)
{
	struct identity id = {.except = columns->size};
	struct key key = {0};
	uintmax_t skipped = 0;

	while (table_next(t)) {
		const char *column =
		    has(t, measured_column) ? measured_column : other_column;

		if (!has(t, columns->size) || !has(t, column)) {
			skipped++;
			continue;
		}
		identity_key(&id, t, &key);
		take_row(s, t, &key, columns, column);
	}
	need_column(t, columns->size);
	if (table_find(t, measured_column) < 0)
		need_column(t, other_column);
	warn_skipped(skipped, "a size or a bandwidth");
	for (size_t i = 0; i < s->n; i++) {
		curve_sort(&s->sweep[i].measured);
		curve_sort(&s->sweep[i].expected);
	}
	free(id.col);
	free(key.bytes);
}

void
sweeps_free(struct sweeps *s)
{
	for (size_t i = 0; i < s->n; i++) {
		free(s->sweep[i].measured.point);
		free(s->sweep[i].expected.point);
	}
	free(s->sweep);
	keys_free(&s->keys);
	*s = (struct sweeps){0};
}

bool
is_computed(const struct names *names, const struct key *key)
{
	ptrdiff_t kind = table_find(names->t, "kind");

	return kind >= 0 && !strcmp(key_find(key, (size_t)kind), "model");
}

void
sweeps_axes(struct picture *p, const char *size, const char *bandwidth)
{
	struct curve all = {0};
	double high = 0;

	for (size_t i = 0; i < p->n; i++) {
		for (size_t k = 0; k < p->curve[i].n; k++) {
			curve_add(&all, p->curve[i].point[k].x, 0);
			high = fmax(high, p->curve[i].point[k].y);
		}
	}
	curve_thin(&all);
	axis_bytes(&p->x, size, all.point, all.n, p->room);
	axis_from_zero(&p->y, bandwidth, high);
	free(all.point);
}
