/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Public results of pcb-model reference as points, and one's own as crosses. */
#include "plot/kind/bars.h"
#include "plot/kind/kind.h"

/* Part of a row's height over which points spread. */
#define SPREAD 0.6

enum { PUBLIC, YOURS };

static struct {
	struct key_set rows; /* what moved data, and over which link */
	struct curve of[2];  /* ratio, row */
	size_t above;        /* the bound */
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
take_row(struct picture *p, const struct table *t, double ratio)
{
	const char *link = optional_text(t, "link");
	const char *initiator = optional_text(t, "initiator");
	bool public = !strcmp(optional_text(t, "kind"), "published");
	double n = (double)(f.of[PUBLIC].n + f.of[YOURS].n);
	char *row =
	    words("%s%s%s, %.*s", direction_of(t), *initiator ? " by " : "",
	          initiator, (int)strcspn(link, "x/"), link);
	double place = public ? fmod(0.5 + n * 0.618034, 1) - 0.5 : 0;

	place = SPREAD * place + 1 + (double)key_set_intern_text(&f.rows, row);
	f.above += ratio > 100;
	curve_add(&f.of[public ? PUBLIC : YOURS], ratio, place);
	add_tip(p, AT(ratio, place), row, "%s%s",
	        public ? "" : "yours: ", words_of(t, ratio));
}

static char *
title_of(void)
{
	size_t n = f.of[PUBLIC].n;

	if (!f.of[YOURS].n)
		return n ? words("Bandwidth in %zu public results", n)
		         : words("Public results");
	return words("Bandwidth: yours reaches %.3g %% of the bound, beside "
	             "%zu public results",
	             range_of(&f.of[YOURS], 1, false).high, n);
}

void
draw_reference(struct picture *p, struct table *t)
{
	struct row_reader r = {.measures = MEASURES("model_ratio_pct"),
	                       .lacking = "a ratio to the bound"};
	struct bars b = {.lined = true, .line = 100};
	struct bars_panel panel = {.label = "% of the bound of the link",
	                           .unit = "",
	                           .most = INFINITY};

	while (row_reader_next(&r, t))
		take_row(p, t, row_value(t, r.col));
	panel.range = range_of(f.of, 2, false);
	widen(&panel.range, 100);
	if (!p->title)
		p->title = title_of();
	p->subtitle = words("%s", "");
	if (f.above)
		p->note = words("above the bound: %zu, up to %.4g %%", f.above,
		                panel.range.high);
	PUSH(b.panel, b.np, panel);
	bars_point(&b, f.of[YOURS].n ? "a public result" : NULL, series_hue(0),
	           'A', DOT, 0.7);
	bars_point(&b, f.of[YOURS].n ? "yours" : NULL, series_hue(4), 'X',
	           CROSS, 1.4);
	for (size_t i = 0; i < f.rows.n; i++)
		bars_row(&b, words("%s", key_find(&f.rows.key[i], 0)));
	for (size_t whose = PUBLIC; whose <= YOURS; whose++) {
		for (size_t i = 0; i < f.of[whose].n; i++) {
			struct plot_point at = f.of[whose].point[i];

			bars_bar(&b, at.y, whose, at.x, at.x, 0);
		}
	}
	put_bars(p, &b);
}
