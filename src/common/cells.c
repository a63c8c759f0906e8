/* What stands in the cells of the current row. */
#include "common/table.h"

#include "common/units.h"

double
table_number(const struct table *t, size_t col)
{
	double value;
	const char *why = parse_number(t->field[col], &value);

	if (why)
		table_die(t, col, "'%s': %s", t->field[col], why);
	return value;
}

uint64_t
table_weight(const struct table *t, size_t col)
{
	uint64_t weight;
	const char *why;

	if (!*t->field[col])
		return 1;
	why = parse_integer(t->field[col], &weight);
	if (why)
		table_die(t, col, "'%s': %s", t->field[col], why);
	return weight;
}
