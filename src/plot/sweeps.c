#include "plot/sweeps.h"

#include "common/names.h"

#include <stdlib.h>
#include <string.h>

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
         const struct sweep_kind *kind, const char *measure)
{
	struct sweep *sweep = find_sweep(s, key);
	double x = row_size(t, (size_t)table_find(t, kind->column));

	spots_take(&sweep->spots, t, x, measure);
	if (!strcmp(unit_of(measure), "gbit_s") && row_has(t, kind->expected))
		curve_add(&sweep->expected, x,
		          row_value(t, (size_t)table_find(t, kind->expected)));
}

static void
finish(struct sweeps *s, const struct table *t)
{
	struct look *look = looks_of(t, &s->keys);

	for (size_t i = 0; i < s->n; i++) {
		spots_finish(&s->sweep[i].spots);
		curve_sort(&s->sweep[i].expected);
		s->sweep[i].look = look[i];
	}
	free(look);
}

void
sweeps_read(struct sweeps *s, struct table *t, const struct sweep_kind *kind)
{
	struct identity id = {.except = kind->column};
	struct key key = {0};
	uintmax_t skipped = 0;

	while (table_next(t)) {
		const char *measure =
		    row_measure(t, kind->measures, &s->measure);

		identity_key(&id, t, &key);
		if (!measure || !row_has(t, kind->column))
			skipped++;
		else if (row_weight(t))
			take_row(s, t, &key, kind, measure);
	}
	need_column(t, kind->column);
	need_measure(t, kind->measures);
	warn_skipped(skipped, kind->needed);
	finish(s, t);
	free(id.col);
	free(key.bytes);
}

void
sweeps_free(struct sweeps *s)
{
	for (size_t i = 0; i < s->n; i++) {
		spots_free(&s->sweep[i].spots);
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
