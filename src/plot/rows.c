#include "plot/rows.h"

#include "common/names.h"
#include "common/units.h"

#include <math.h>
#include <string.h>

/* A range of such values, with its margins, is still one for gnuplot. */
#define VALUE_MAX 1e300

static void
look_at_new_columns(struct identity *id, const struct table *t)
{
	id->col = xreallocarray(id->col, t->ncols, sizeof *id->col);
	for (; id->known < t->ncols; id->known++) {
		const char *name = t->name[id->known];

		if (is_identity(name) &&
		    (!id->except || strcmp(name, id->except) != 0))
			id->col[id->n++] = id->known;
	}
}

bool
identity_key(struct identity *id, const struct table *t, struct key *key)
{
	if (id->known < t->ncols)
		look_at_new_columns(id, t);
	else if (!id->n || t->steady > id->col[id->n - 1])
		return false;
	key->length = 0;
	for (size_t i = 0; i < id->n; i++)
		key_append(key, id->col[i], t->field[id->col[i]]);
	return true;
}

double
row_value(const struct table *t, size_t col)
{
	double value = table_number(t, col);

	if (fabs(value) > VALUE_MAX)
		table_die(t, col, "'%s': too large to draw", t->field[col]);
	return value;
}

double
row_size(const struct table *t, size_t col)
{
	uint64_t size;
	const char *why = parse_integer(t->field[col], &size);

	if (why)
		table_die(t, col, "'%s': %s", t->field[col], why);
	return (double)size;
}

uint64_t
row_weight(const struct table *t)
{
	ptrdiff_t col = table_find(t, "count");

	return col < 0 ? 1 : table_weight(t, (size_t)col);
}

void
row_sample(const struct table *t, size_t col, uint64_t weight, struct dist *d)
{
	if (!dist_add(d, row_value(t, col), weight))
		table_die(t, col, "more samples than can be counted");
}

bool
row_has(const struct table *t, const char *name)
{
	ptrdiff_t col = table_find(t, name);

	return col >= 0 && *t->field[col];
}

const char *
row_measure(const struct table *t, const char *const list[], const char **seen)
{
	while (*list && !row_has(t, *list))
		list++;
	if (!*list)
		return NULL;
	if (!*seen)
		*seen = *list;
	if (strcmp(unit_of(*list), unit_of(*seen)) != 0)
		table_die(t, (size_t)table_find(t, *list),
		          "one picture shows one unit, and %s came first",
		          *seen);
	return *list;
}

void
need_measure(const struct table *t, const char *const list[])
{
	for (const char *const *name = list; *name; name++) {
		if (table_find(t, *name) >= 0)
			return;
	}
	need_column(t, list[0]);
}
