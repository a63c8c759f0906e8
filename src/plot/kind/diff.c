/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What pcb-diff --by says: a bar for each difference, with its limits. */
#include "common/base/list.h"
#include "plot/data/captions.h"
#include "plot/data/row_reader.h"
#include "plot/kind/kind.h"
#include "plot/picture/category_axis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const measures[] = {"diff_ns", "diff_gbit_s", "diff_per_s",
                                       "diff_pct", NULL};

struct difference {
	size_t key; /* its number */
	double value;
	double low, high; /* NAN: there are none */
	bool shown;       /* differs: yes */
};

struct differences {
	struct key_set keys; /* one for all rows with the same key columns */
	struct difference *row;
	size_t n;
	const char *measure; /* as in row_reader.h */
};

/* Reading ----------------------------------------------------------------- */

/* The column `diff_lo_ns` or `diff_hi_ns`, or whatever the unit is. */
static double
limit(const struct table *t, const char *which, const char *measure)
{
	char *name = xasprintf("diff_%s_%s", which, unit_of(measure));
	double value = row_number(t, name);

	free(name);
	return value;
}

static void
take_row(struct differences *d, const struct table *t,
         const struct row_reader *r)
{
	ptrdiff_t differs = table_find(t, "differs");

	array_push(
	    d->row, d->n,
	    (struct difference){
	        .key = key_set_intern(&d->keys, &r->key),
	        .value = row_value(t, r->col),
	        .low = limit(t, "lo", r->measure),
	        .high = limit(t, "hi", r->measure),
	        .shown = differs < 0 || !strcmp(t->field[differs], "yes"),
	    });
}

static void
read_differences(struct differences *d, struct table *t)
{
	struct row_reader r = {.measures = measures, .lacking = "a difference"};

	while (row_reader_next(&r, t))
		take_row(d, t, &r);
	d->measure = r.measure;
	row_reader_free(&r);
}

static void
free_differences(struct differences *d)
{
	free(d->row);
	key_set_free(&d->keys);
}

/* Picture ----------------------------------------------------------------- */

static void
add_rows(struct picture *p, const struct differences *d,
         const struct names *names)
{
	struct curve shown = {0};
	struct curve unclear = {0};
	struct curve limits = {0};
	const char *bench = names_constant(names, "bench");

	for (size_t i = 0; i < d->n; i++) {
		const struct difference *r = &d->row[i];
		size_t row =
		    add_row(p, names_key(names, &d->keys, r->key, bench));

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
	char *label;
	double low = 0;
	double high = 0;

	for (size_t i = 0; i < d->n; i++) {
		const struct difference *r = &d->row[i];

		low = fmin(low, fmin(r->value, r->low));
		high = fmax(high, fmax(r->value, r->high));
	}
	if (!strcmp(unit_of(d->measure), "ns")) {
		axis_time(&p->x, "difference", low, high, INFINITY,
		          room_beside(p));
	} else {
		label = xasprintf("difference (%s)", unit_words(d->measure));
		axis_plain(&p->x, label, low, high, room_beside(p));
		free(label);
	}
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
