/* What pcb-diff --by says: a bar for each difference, with its limits. */
#include "common/names.h"
#include "plot/describe.h"
#include "plot/kind.h"
#include "plot/named.h"
#include "plot/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const measures[] = {"diff_ns", "diff_gbit_s", "diff_per_s",
                                       "diff_pct", NULL};

struct difference {
	double value;
	double low, high; /* NAN: there are none */
	bool shown;       /* differs: yes */
};

struct differences {
	struct keys keys; /* rows that say the same of the same are one key */
	size_t *key;
	struct difference *row;
	size_t n;
	const char *measure; /* that of the first row, or NULL */
	uintmax_t skipped;
};

/* Reading ----------------------------------------------------------------- */

/* The column `diff_lo_ns` or `diff_hi_ns`, or whatever the unit is. */
static double
limit(const struct table *t, const char *which, const char *measure)
{
	char *name = xasprintf("diff_%s_%s", which, unit_of(measure));
	double value = NAN;

	if (row_has(t, name))
		value = row_value(t, (size_t)table_find(t, name));
	free(name);
	return value;
}

static void
take_row(struct differences *d, const struct table *t, const struct key *key)
{
	const char *measure = row_measure(t, measures, &d->measure);
	ptrdiff_t differs = table_find(t, "differs");

	if (!measure) {
		d->skipped++;
		return;
	}
	d->key = xreallocarray(d->key, d->n + 1, sizeof *d->key);
	d->key[d->n] = keys_number(&d->keys, key);
	d->row = xreallocarray(d->row, d->n + 1, sizeof *d->row);
	d->row[d->n++] = (struct difference){
	    .value = row_value(t, (size_t)table_find(t, measure)),
	    .low = limit(t, "lo", measure),
	    .high = limit(t, "hi", measure),
	    .shown = differs < 0 || !strcmp(t->field[differs], "yes"),
	};
}

static void
read_differences(struct differences *d, struct table *t)
{
	struct identity id = {0};
	struct key key = {0};

	while (table_next(t)) {
		identity_key(&id, t, &key);
		take_row(d, t, &key);
	}
	need_measure(t, measures);
	warn_skipped(d->skipped, "a difference");
	free(id.col);
	free(key.bytes);
}

static void
free_differences(struct differences *d)
{
	free(d->key);
	free(d->row);
	keys_free(&d->keys);
}

/* Picture ----------------------------------------------------------------- */

static void
add_rows(struct picture *p, const struct differences *d,
         const struct names *names)
{
	struct curve shown = {0};
	struct curve unclear = {0};
	struct curve limits = {0};

	for (size_t i = 0; i < d->n; i++) {
		const struct difference *r = &d->row[i];
		size_t row =
		    add_row(p, names_row(names, &d->keys.key[d->key[i]]));

		add_bar(r->shown ? &shown : &unclear, row, 0, r->value);
		if (!isnan(r->low) && !isnan(r->high))
			add_line(&limits, row, r->low, r->high);
	}
	picture_take_if(p, STYLE_BAR, "differs", &shown);
	picture_take_if(p, STYLE_PALE, "not shown to differ", &unclear);
	picture_take_if(p, STYLE_LINE, "limits", &limits);
}

static void
choose_axis(struct picture *p, const struct differences *d)
{
	const char *unit = unit_of(d->measure ? d->measure : measures[0]);
	double low = 0;
	double high = 0;

	for (size_t i = 0; i < d->n; i++) {
		const struct difference *r = &d->row[i];

		low = fmin(low, fmin(r->value, r->low));
		high = fmax(high, fmax(r->value, r->high));
	}
	if (!strcmp(unit, "ns"))
		axis_time(&p->x, "difference", low, high, high, room_beside(p));
	else
		axis_plain(&p->x,
		           !strcmp(unit, "gbit_s")  ? "difference (Gbit/s)"
		           : !strcmp(unit, "per_s") ? "difference (1/s)"
		                                    : "difference (%)",
		           low, high);
	axis_few_tics(&p->x, room_beside(p));
}

static void
draw(struct picture *p, struct table *t)
{
	struct differences d = {0};
	struct names names;

	read_differences(&d, t);
	names = names_of(t, &d.keys);
	names_describe(&names, p, "Difference");
	add_rows(p, &d, &names);
	choose_axis(p, &d);
	names_free(&names);
	free_differences(&d);
}

const struct kind kind_diff = {
    .name = "diff",
    .help = "differences between conditions, of pcb-diff --by",
    .draw = draw,
};
