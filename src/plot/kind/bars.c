/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes bars for their template. */
#include "plot/kind/bars.h"

#include "common/base/number.h"
#include "common/base/utf8.h"
#include "plot/data/captions.h"

void
bars_panel(struct bars *b, const char *label, const char *unit,
           struct range range)
{
	PUSH(b->panel, b->np,
	     (struct bars_panel){.label = label,
	                         .unit = unit,
	                         .range = range,
	                         .most = INFINITY});
}

double
bars_row(struct bars *b, char *name)
{
	double row = ++b->panel[b->np - 1].rows;

	PUSH(b->name, b->nnames,
	     (struct say){.panel = (double)b->np, .row = row, .text = name});
	return row;
}

void
bars_bar(struct bars *b, double row, size_t key, double from, double to,
         double half, char *tip)
{
	struct bars_panel *panel = &b->panel[b->np - 1];
	size_t behind = (size_t)(panel->rows - round(row)) + 1;

	panel->bars++;
	b->name[b->nnames - behind].besides = true;
	PUSH(b->bar, b->n, (struct bar){b->np, key, row, from, to, half, tip});
}

void
bars_say(struct bars *b, double row, double x, char *text, enum tone tone)
{
	PUSH(b->say, b->nsays,
	     (struct say){(double)b->np, row, x, text, tone, false});
}

void
bars_key(struct bars *b, const char *name, unsigned hue, char sign)
{
	bars_point(b, name, hue, sign, BAR, 0);
}

void
bars_point(struct bars *b, const char *name, unsigned hue, char sign, int shape,
           double size)
{
	PUSH(b->key, b->nkeys,
	     (struct bars_key){name ? words("%s", name) : NULL, hue,
	                       words("%c", sign), shape, size});
}

unsigned
paler(unsigned rgb, double white)
{
	unsigned mixed = 0;

	for (unsigned shift = 0; shift < 24; shift += 8) {
		double part = (double)(rgb >> shift & 0xff);

		mixed |= (unsigned)lround(part + white * (255 - part)) << shift;
	}
	return mixed;
}

unsigned
series_hue(size_t i)
{
	static const unsigned hue[] = {0x0072B2, 0xE69F00, 0x009E73, 0x56B4E9,
	                               0xD55E00, 0xCC79A7, 0x555555, 0x8A8A8A};

	return hue[i % ARRAY_LEN(hue)];
}

/* Longer than the next one by more than this factor. */
#define OUTLIER 50

double
usual_end(double end[], size_t n)
{
	sort_numbers(end, n);
	for (size_t i = n; i > 2 && i >= n - n / 10; i--) {
		if (end[i - 2] > 0 && end[i - 1] > OUTLIER * end[i - 2])
			return 2 * end[i - 2];
	}
	return n ? end[n - 1] : 0;
}

void
note_cut(struct picture *p, const char *column, double end, size_t cut,
         const char *what)
{
	if (cut)
		add_words(&p->note, "; ", "cut off at %s: %zu %s%s",
		          quantity_words(column, end), cut, what,
		          cut == 1 ? "" : "s");
}

/* Lines for a key. */
#define KEY_LINES 2

/*
 * Writes the keys; those with a name and bars are below the panels. Returns the
 * lines for them.
 */
static double
put_keys(struct picture *p, const struct bars *b)
{
	bool *used = keep(b->nkeys, sizeof *used);
	struct end *end = NULL;
	size_t n = 0;

	for (const struct bar *r = b->bar; r < b->bar + b->n; r++) {
		size_t i = r->key;

		while (i && !b->key[i].name)
			i--;
		used[i] = true;
	}
	for (size_t i = 0; i < b->nkeys; i++) {
		const struct bars_key *k = &b->key[i];

		/* A text has no intervals. */
		if (used[i] && k->name &&
		    (k->shape >= BAR || !p->terminal->text))
			PUSH(
			    end, n,
			    (struct end){
			        .name = joined(p->terminal->text ? k->sign : "",
			                       " ", k->name),
			        .hue = k->hue,
			        .look = k->shape < BAR ? BOUND : k->shape,
			        .mark = k->shape < BAR   ? MARK_LINE
			                : k->shape > BAR ? MARK_SHAPE
			                                 : MARK_BOX});
	}
	put_key(p, end, n);
	PUT(p, "sign", b->key, b->nkeys, sign);
	PUT(p, "hue", b->key, b->nkeys, hue);
	PUT(p, "mark", b->key, b->nkeys, shape);
	PUT(p, "marksize", b->key, b->nkeys, size);
	return n > 1 ? KEY_LINES : 0;
}

/* Texts beside values have at most this part of a row. */
#define SAYS_PART 0.67

/* The axis of a panel, with room for each text behind its place. */
static struct scale
panel_scale(const struct picture *p, const struct bars *b, size_t panel,
            double room)
{
	const struct bars_panel *of = &b->panel[panel];
	struct range r = of->range;
	struct scale s;

	for (struct say *say = b->say; say < b->say + b->nsays; say++) {
		double part = (double)max_plain_width(0, say->text) + 3;

		if (say->panel != (double)panel + 1)
			continue;
		say->x = fmin(say->x, of->range.high);
		part = 1 / (1 - fmin(part / room, SAYS_PART));
		widen(&r, of->log ? r.low * pow(say->x / of->range.low, part)
		                  : r.low + (say->x - r.low) * part);
	}
	s = choose_scale(p, false, of->unit, r, of->log ? 0 : INFINITY);
	if (of->scale > 0)
		s.unit = of->scale;
	s.low = r.low == 0 ? 0 : s.low;
	if (s.high <= s.low)
		s.high = s.low + 1;
	return s;
}

static void
put_panels(struct picture *p, struct bars *b)
{
	for (size_t i = 0; i < b->np; i++) {
		struct bars_panel *of = &b->panel[i];
		struct scale *s = &of->axis;

		of->label = scale_label(s, of->label);
		of->most = fmin(of->most, s->high) / s->unit;
		of->logs = s->log;
		s->low /= s->unit;
		s->high /= s->unit;
	}
	put_number(p, "np", (double)b->np);
	PUT(p, "xlow", b->panel, b->np, axis.low);
	PUT(p, "xhigh", b->panel, b->np, axis.high);
	PUT(p, "xmost", b->panel, b->np, most);
	PUT(p, "xlogs", b->panel, b->np, logs);
	put_number(p, "lined", b->lined);
	put_number(p, "vline", b->line);
	put_number(p, "band", b->band);
	PUT(p, "high", b->panel, b->np, rows);
	PUT(p, "nbar", b->panel, b->np, bars);
	PUT(p, "xname", b->panel, b->np, label);
}

static void
put_texts(struct picture *p, struct bars *b)
{
	for (size_t i = 0; i < b->nsays; i++)
		b->say[i].x /= b->panel[(size_t)b->say[i].panel - 1].axis.unit;
	PUT(p, "rowname", b->name, b->nnames, text);
	put_number(p, "nsays", (double)b->nsays);
	PUT(p, "says", b->say, b->nsays, text);
	PUT(p, "sayspanel", b->say, b->nsays, panel);
	PUT(p, "saysrow", b->say, b->nsays, row);
	PUT(p, "saysx", b->say, b->nsays, x);
	PUT(p, "saystone", b->say, b->nsays, tone);
}

/* Names of rows with bars have this part of the width; or more, if bars and
 * the texts beside them still have so many columns.
 */
#define NAMES_PART 0.54
#define BARS_LEAST 18

/* Cuts the names of rows; returns the columns of those that have bars. */
static double
cut_row_names(struct bars *b, double wide)
{
	char **cut = keep(b->nnames, sizeof *cut);
	size_t beside = 0;
	double most;

	for (size_t i = 0; i < b->nsays; i++)
		beside = max_plain_width(beside, b->say[i].text);
	most = fmax(NAMES_PART * wide, wide - (double)beside - BARS_LEAST);
	for (size_t i = 0; i < b->nnames; i++)
		cut[i] = b->name[i].besides ? b->name[i].text : NULL;
	beside = cut_names(cut, b->nnames, sizeof *cut, (size_t)most);
	for (size_t i = 0; i < b->nnames; i++)
		b->name[i].text =
		    cut[i] ? cut[i]
		           : plain_text(b->name[i].text, (size_t)wide - 3);
	return (double)beside;
}

static void
put_tips(struct picture *p, const struct bars *b)
{
	for (const struct bar *r = b->bar; r < b->bar + b->n; r++) {
		const struct say *name = b->name + (size_t)round(r->row) - 1;

		if (!r->tip)
			continue;
		for (p->panel = 0; p->panel + 1 < r->panel; p->panel++)
			name += (size_t)b->panel[p->panel].rows;
		while (!*name->text && name->row > 1)
			name--;
		p->x_unit = b->panel[p->panel].axis.unit;
		add_tip(p,
		        r->from == r->to ? AT(r->from, r->row)
		                         : SPAN(r->from, r->to, r->row),
		        name->text + strspn(name->text, " "), "%s", r->tip);
	}
}

/* Without what follows a comma, as far as it does not fit. */
static char *
cut_text(const char *text, size_t width)
{
	char *cut = words("%s", text), *end;

	while (max_plain_width(0, cut) > width && (end = strrchr(cut, ',')))
		*end = '\0';
	return plain_text(cut, width);
}

void
put_bars(struct picture *p, struct bars *b)
{
	double wide = text_columns(p), rows = 0, around;
	double names = cut_row_names(b, wide);

	for (size_t i = 0; i < b->np; i++) {
		b->panel[i].axis = panel_scale(p, b, i, wide - names - 6);
		rows += b->panel[i].rows;
	}
	for (struct say *say = b->say; say < b->say + b->nsays; say++) {
		const struct scale *s = &b->panel[(size_t)say->panel - 1].axis;
		double left = 1 - scale_position(s, say->x);

		say->text = cut_text(
		    say->text, (size_t)fmax(left * (wide - names - 5), 3));
	}
	around = put_keys(p, b);
	around += 6 + (p->terminal->text ? 4 : 3.6) * (double)b->np;
	grow_to(p, rows * (p->terminal->text ? 1 : 1.5) + around + 1,
	        rows * (p->terminal->text ? 1 : 0.3) + around -
	            (p->terminal->text ? 5 : 4));
	put_panels(p, b);
	put_number(p, "roww", names);
	put_texts(p, b);
	block_begin(p, "bars");
	for (size_t panel = 1; panel <= b->np; panel++) {
		const struct bars_panel *of = &b->panel[panel - 1];
		double unit = of->axis.unit, end = of->range.high;

		block_next(p);
		for (const struct bar *r = b->bar; r < b->bar + b->n; r++) {
			if (r->panel == panel)
				POINT(p, fmin(r->from, end) / unit,
				      fmin(r->to, end) / unit, r->row, r->half,
				      (double)r->key + 1);
		}
	}
	block_end(p);
	put_tips(p, b);
	p->empty = rows <= 0;
}
