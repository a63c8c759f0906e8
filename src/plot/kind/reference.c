/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Public results of pcb-model reference as points, and one's own as crosses. */
#include "common/base/util.h"
#include "common/stream/columns.h"
#include "plot/kind/kind.h"
#include "plot/picture/drawing.h"

#include <math.h>

static const char *const measures[] = {"model_ratio_pct", NULL};

/* Part of a row's height over which points spread. */
#define SPREAD 0.6

/* A row of the picture: what moved data, and where to. */
struct references {
	struct key_set rows;
	struct reference {
		double ratio, row;
		bool public;
	} * of;
	size_t n;
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

/* The published, or the others, as an index of $rows. */
static void
put_points(struct picture *p, const struct references *f, bool public)
{
	for (size_t i = 0; i < f->n; i++) {
		if (f->of[i].public == public)
			POINT(p, f->of[i].ratio, f->of[i].row);
	}
}

static void
/* NOLINTNEXTLINE(readability-function-size): to be cut into parts */
draw(struct picture *p, struct table *t)
{
	struct row_reader r = {.measures = measures,
	                       .lacking = "a ratio to the bound"};
	struct references f = {0};
	double low = 100, high = 100, *at, best = NAN;
	struct end key[] = {
	    {.name = xstrdup(p->text ? "A a public result" : "a public result"),
	     .look = p->text ? 0 : 1,
	     .mark = MARK_POINT},
	    {.name = xstrdup(p->text ? "X yours" : "yours"),
	     .look = p->text ? 0 : 5,
	     .mark = MARK_POINT}};
	struct scale x;
	char **name;
	size_t mine = 0;

	while (row_reader_next(&r, t)) {
		double ratio = row_value(t, r.col), place;
		const char *link = optional_text(t, "link");
		const char *initiator = optional_text(t, "initiator");
		bool public = !strcmp(optional_text(t, "kind"), "published");
		char *words = words_of(t, ratio);
		char *row = xasprintf("%s%s%s, %.*s", direction_of(t),
		                      *initiator ? " by " : "", initiator,
		                      (int)strcspn(link, "x/"), link);

		place =
		    public ? fmod(0.5 + (double)f.n * 0.618034, 1) - 0.5 : 0;
		place = SPREAD * place + 1 +
		        (double)key_set_intern_text(&f.rows, row);
		array_push(f.of, f.n,
		           ((struct reference){ratio, place, public}));
		add_tip(p, AT(ratio, place), row, "%s%s",
		        public ? "" : "yours: ", words);
		mine += !public;
		best = public ? best : fmax(best, ratio);
		low = fmin(low, ratio);
		high = fmax(high, ratio);
		free(words);
		free(row);
	}
	name = xcalloc(f.rows.n + 1, sizeof *name);
	at = xcalloc(f.rows.n + 1, sizeof *at);
	for (size_t i = 0; i < f.rows.n; i++) {
		name[i] = xstrdup(key_find(&f.rows.key[i], 0));
		at[i] = (double)i + 1;
	}
	if (!p->title)
		p->title =
		    !f.n ? xstrdup("Public results")
		    : isnan(best)
		        ? xasprintf("Bandwidth in %zu public results", f.n)
		        : xasprintf("Bandwidth: yours reaches %.3g %% of "
		                    "the bound, beside %zu public results",
		                    best, f.n - mine);
	p->subtitle = xstrdup("");
	block_begin(p, "rows");
	put_points(p, &f, true);
	block_next(p);
	put_points(p, &f, false);
	block_end(p);
	put_key(p, key, mine ? 2 : 1);
	if (!mine)
		free(key[1].name);
	x = choose_scale(p, false, "", low, high, INFINITY);
	put_scale(p, false, &x, "% of the bound of the link");
	put_rows(p, name, at, f.rows.n, (double)f.rows.n, 4);
	p->empty = !f.n;
	free(at);
	free(f.of);
	row_reader_free(&r);
	key_set_free(&f.rows);
}

const struct kind kind_reference = {
    .name = "reference",
    .help = "public results, from pcb-model reference -a, and yours",
    .draw = draw,
    .template = "reference",
};
