#include "plot/rows.h"

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

void
warn_skipped(uintmax_t skipped, const char *name)
{
	if (skipped)
		warn("%ju row%s without %s %s skipped", skipped,
		     skipped == 1 ? "" : "s", name,
		     skipped == 1 ? "was" : "were");
}
