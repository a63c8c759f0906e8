/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Public results of pcb-model reference as points, and one's own as crosses. */
#include "plot/kind/bars.h"
#include "plot/kind/kind.h"

/* Part of a row's height over which points spread. */
#define SPREAD 0.6

enum { PUBLIC, YOURS };

static struct {
	struct key_set rows; /* what moved data, and over which link */
	size_t n[2], above;  /* results; above the bound */
	double best, most;   /* of yours; of all */
} f;

/* "read", "write to peer" and others, also of a bench; "" if unknown. */
static const char *
direction_of(const struct table *t)
{
	static const char *const directions[][2] = {
	    {"bw_rd", "read"},
	    {"bw_wr", "write"},
	    {"bw_rdwr", "both"},
	    {"peer_read", "read from peer"},
	    {"peer_write", "write to peer"},
	    {"peer_both", "both with peer"}};
	const char *direction = optional_text(t, "direction");
	const char *of = *direction ? direction : optional_text(t, "bench");

	for (size_t i = 0; i < ARRAY_LEN(directions); i++) {
		if (!strcmp(of, directions[i][0]))
			return directions[i][1];
	}
	return direction;
}

/* What the pointer says: whose result, its bandwidth, link and source. */
static char *
words_of(const struct table *t, double ratio)
{
	static const char *const columns[] = {"name", "device", "link",
	                                      "source"};
	char *text = NULL;

	for (size_t i = 0; i < ARRAY_LEN(columns); i++) {
		if (row_has(t, columns[i]))
			add_words(&text, ", ", "%s",
			          optional_text(t, columns[i]));
	}
	add_words(&text, ": ", "%.3g %% of the bound", ratio);
	return text;
}

static void
take_row(struct bars *b, const struct table *t, double ratio)
{
	const char *link = optional_text(t, "link");
	const char *initiator = optional_text(t, "initiator");
	bool public = !strcmp(optional_text(t, "kind"), "published");
	char *name =
	    words("%s%s%s, %.*s", direction_of(t), *initiator ? " by " : "",
	          initiator, (int)strcspn(link, "x/"), link);
	size_t row = key_set_intern_text(&f.rows, name);
	double place = fmod(0.5 + (double)b->n * 0.618034, 1) - 0.5;

	if (row == b->nnames)
		bars_row(b, name);
	f.above += ratio > 100;
	f.n[public ? PUBLIC : YOURS]++;
	f.best = public ? f.best : fmax(f.best, ratio);
	f.most = fmax(f.most, ratio);
	bars_bar(b, (double)row + 1 + (public ? SPREAD * place : 0),
	         public ? PUBLIC : YOURS, ratio, ratio, 0,
	         words("%s%s", public ? "" : "yours: ", words_of(t, ratio)));
	widen(&b->panel->range, ratio);
}

static char *
title_of(void)
{
	size_t n = f.n[PUBLIC];

	if (!f.n[YOURS])
		return n ? words("Bandwidth in %zu public results", n)
		         : words("Public results");
	return words("Bandwidth: yours reaches %s %% of the bound%s",
	             number_words(f.best, 3),
	             n ? words(", beside %zu public results", n) : "");
}

/* Cuts off points that are far above the others. */
static void
limit_axis(struct picture *p, struct bars *b)
{
	struct range *range = &b->panel->range;
	double *ratio = keep(b->n, sizeof *ratio);
	size_t cut = 0;

	for (size_t i = 0; i < b->n; i++)
		ratio[i] = b->bar[i].from;
	range->high = fmax(usual_end(ratio, b->n), 100);
	for (size_t i = 0; i < b->n; i++)
		cut += ratio[i] > range->high;
	note_cut(p, "model_ratio_pct", range->high, cut, "point");
}

void
draw_reference(struct picture *p, struct table *t)
{
	struct row_reader r = {.measures = MEASURES("model_ratio_pct"),
	                       .lacking = "a ratio to the bound"};
	struct bars b = {.lined = true, .line = 100};

	bars_panel(&b, "% of the bound of the link", "",
	           (struct range){100, 100});
	while (row_reader_next(&r, t))
		take_row(&b, t, row_value(t, r.col));
	if (!p->title)
		p->title = title_of();
	p->subtitle = words("%s", "");
	if (f.above)
		p->note = words("above the bound: %zu, up to %s %%", f.above,
		                number_words(f.most, 4));
	limit_axis(p, &b);
	bars_point(&b, "a public result", series_hue(0), 'A', DOT, 0.7);
	bars_point(&b, "yours", series_hue(4), 'X', CROSS, 1.4);
	put_bars(p, &b);
}
