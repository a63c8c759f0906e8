/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Public results of pcb-model reference as points, and one's own as crosses. */
#include "common/base/util.h"
#include "common/stream/columns.h"
#include "plot/kind/kind.h"

#include <math.h>

static const char *const measures[] = {"model_ratio_pct", NULL};

/* Part of a row's height over which points spread. */
#define SPREAD 0.6

/* A row of the picture: what moved data, and where to. */
struct references {
	struct key_set rows;
	struct curve public, own;
};

/* "read", "write" or "both", also of a bench; "" if unknown. */
static const char *
direction_of(const struct table *t)
{
	static const char *const benches[][2] = {
	    {"bw_rd", "read"}, {"bw_wr", "write"}, {"bw_rdwr", "both"}};
	const char *bench = optional_text(t, "bench");

	for (size_t i = 0; i < ARRAY_LEN(benches); i++) {
		if (!strcmp(bench, benches[i][0]))
			return benches[i][1];
	}
	return optional_text(t, "direction");
}

/* What the pointer says: whose result, its bandwidth, link and source. */
static char *
words_of(const struct table *t, double ratio)
{
	static const char *const columns[] = {"name", "device", "link",
	                                      "source"};
	char *words = NULL;

	for (size_t i = 0; i < ARRAY_LEN(columns); i++) {
		const char *text = optional_text(t, columns[i]);

		if (*text)
			xappend(&words, ", ", "%s", text);
	}
	xappend(&words, ": ", "%.3g %% of the bound", ratio);
	return words;
}

static void
draw(struct picture *p, struct table *t)
{
	struct row_reader r = {.measures = measures,
	                       .lacking = "a ratio to the bound"};
	struct curve bound = {0};
	struct references f = {0};
	double low = INFINITY, high = 100;

	while (row_reader_next(&r, t)) {
		double ratio = row_value(t, r.col), place;
		const char *link = optional_text(t, "link");
		const char *initiator = optional_text(t, "initiator");
		bool public = !strcmp(optional_text(t, "kind"), "published");
		struct curve *to = public ? &f.public : &f.own;
		char *name = xasprintf("%s%s%s, %.*s", direction_of(t),
		                       *initiator ? " by " : "", initiator,
		                       (int)strcspn(link, "x/"), link);
		size_t row = key_set_intern_text(&f.rows, name);

		place = fmod(0.5 + (double)to->n * 0.618034, 1) - 0.5;
		curve_add(to, ratio, (double)row + 1 + SPREAD * place * public);
		curve_say(to, words_of(t, ratio));
		low = fmin(low, ratio);
		high = fmax(high, ratio);
		free(name);
	}
	for (size_t i = 0; i < f.rows.n; i++) {
		add_row(p, xstrdup(key_find(&f.rows.key[i], 0)));
		add_across(&bound, i, 100, WHOLE_ROW);
		curve_say(&bound, xstrdup("the bound of the link"));
	}
	if (!p->title)
		p->title = xstrdup("Public results");
	p->subtitle = xstrdup("");
	axis_beside(p, "% of the bound of the link", "", fmin(low, 100), high,
	            INFINITY);
	picture_take_if(p, STYLE_LINE, "bound", COLOUR_NONE, &bound);
	picture_take_if(p, STYLE_MARK, "a public result", 0, &f.public);
	picture_take_if(p, STYLE_CROSS, "yours", 4, &f.own);
	row_reader_free(&r);
	key_set_free(&f.rows);
}

const struct kind kind_reference = {
    .name = "reference",
    .help = "public results, from pcb-model reference -a, and yours",
    .draw = draw,
};
