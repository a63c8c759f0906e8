/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes bars for their template. */
#include "plot/kind/bars.h"

#include "common/base/utf8.h"
#include "common/base/util.h"
#include "plot/picture/quote.h"

#include <math.h>

size_t
bars_row(struct bars *b, char *name)
{
	size_t row = ++b->panel[b->np - 1].rows;

	array_push(b->name, b->nnames,
	           ((struct say){b->np - 1, row, 0, name, false}));
	return row;
}

void
bars_bar(struct bars *b, size_t row, size_t key, double from, double to,
         double half)
{
	b->panel[b->np - 1].bars++;
	array_push(b->bar, b->n,
	           ((struct bar){b->np - 1, row, key, from, to, half}));
}

void
bars_say(struct bars *b, size_t row, double x, char *text, bool alert)
{
	array_push(b->say, b->nsays,
	           ((struct say){b->np - 1, row, x, text, alert}));
}

size_t
bars_key(struct bars *b, char *name, unsigned hue, char sign)
{
	array_push(b->key, b->nkeys, ((struct bars_key){name, hue, sign}));
	return b->nkeys - 1;
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

/* The parts of texts, of rows or beside values, as arrays. */
static void
put_says(struct picture *p, const char *prefix, const struct say *say, size_t n,
         const struct scale *scale)
{
	static const char *const part[] = {"panel", "row", "x", "red"};
	double *number = xcalloc(n + 1, sizeof *number);
	char **text = xcalloc(n + 1, sizeof *text), *name;

	for (size_t k = 0; k < ARRAY_LEN(part); k++) {
		for (size_t i = 0; i < n; i++)
			number[i] =
			    k == 0   ? (double)say[i].panel + 1
			    : k == 1 ? (double)say[i].row
			    : k == 2
			        ? say[i].x /
			              (scale ? scale[say[i].panel].unit : 1)
			        : say[i].alert;
		name = xasprintf("%s%s", prefix, part[k]);
		put_numbers(p, name, number, n);
		free(name);
	}
	for (size_t i = 0; i < n; i++)
		text[i] = say[i].text;
	name = xasprintf("n%s", prefix);
	put_number(p, name, (double)n);
	put_texts(p, prefix, text, n);
	free(name);
	free(number);
	free(text);
}

/* Cuts names of rows; returns the width of the widest. */
static size_t
cut_names(const struct picture *p, struct bars *b)
{
	size_t most = (size_t)(text_columns(p) * 0.54), widest = 0;
	char **all = xcalloc(b->nnames + 1, sizeof *all);

	for (size_t i = 0; i < b->nnames; i++)
		all[i] = b->name[i].text;
	for (size_t i = 0; i < b->nnames; i++) {
		b->name[i].text = plain_name(all[i], all, b->nnames, most);
		widest = max_plain_width(widest, b->name[i].text);
	}
	for (size_t i = 0; i < b->nnames; i++)
		free(all[i]);
	free(all);
	return widest;
}

/* Writes the keys; those with a name are below the panels. */
static void
put_keys(struct picture *p, const struct bars *b)
{
	struct end *end = xcalloc(b->nkeys + 1, sizeof *end);
	char **sign = xcalloc(b->nkeys + 1, sizeof *sign);
	double *hue = xcalloc(b->nkeys + 1, sizeof *hue);
	size_t n = 0;

	for (size_t i = 0; i < b->nkeys; i++) {
		const struct bars_key *k = &b->key[i];

		sign[i] = xasprintf("%c", k->sign);
		hue[i] = k->hue;
		if (k->name)
			end[n++] = (struct end){
			    .name = p->text
			                ? xasprintf("%c %s", k->sign, k->name)
			                : xstrdup(k->name),
			    .hue = k->hue,
			    .mark = MARK_BOX};
	}
	put_key(p, end, n);
	put_texts(p, "sign", sign, b->nkeys);
	put_numbers(p, "hue", hue, b->nkeys);
	for (size_t i = 0; i < b->nkeys; i++)
		free(sign[i]);
	free(end);
	free(sign);
	free(hue);
}

/* Texts beside values have at most this part of a row. */
#define SAYS_PART 0.6

/* The axis of a panel, with room for the texts behind its bars. */
static struct scale
panel_scale(const struct picture *p, const struct bars *b, size_t panel,
            double room)
{
	const struct bars_panel *of = &b->panel[panel];
	struct scale s;
	size_t widest = 0;
	double part;

	for (size_t i = 0; i < b->nsays; i++) {
		if (b->say[i].panel == panel)
			widest = max_plain_width(widest, b->say[i].text);
	}
	part = widest ? fmin(((double)widest + 3) / room, SAYS_PART) : 0.02;
	s = choose_scale(p, false, of->unit, of->low,
	                 of->low + (of->high - of->low) / (1 - part), INFINITY);
	if (of->scale > 0)
		s.unit = of->scale;
	s.low = of->low < 0 ? s.low : of->low;
	if (s.high <= s.low)
		s.high = s.low + 1;
	return s;
}

static void
put_panels(struct picture *p, const struct bars *b, const struct scale *scale)
{
	static const char *const part[] = {"xlow", "xhigh", "xmost", "high",
	                                   "nbar"};
	double *number = xcalloc(b->np + 1, sizeof *number);
	char **label = xcalloc(b->np + 1, sizeof *label);

	put_number(p, "np", (double)b->np);
	for (size_t k = 0; k < ARRAY_LEN(part); k++) {
		for (size_t i = 0; i < b->np; i++) {
			const struct scale *s = &scale[i];

			number[i] =
			    k == 0   ? s->low / s->unit
			    : k == 1 ? s->high / s->unit
			    : k == 2 ? fmin(b->panel[i].most, s->high) / s->unit
			    : k == 3 ? (double)b->panel[i].rows
			             : (double)b->panel[i].bars;
		}
		put_numbers(p, part[k], number, b->np);
	}
	for (size_t i = 0; i < b->np; i++)
		label[i] = *scale[i].unit_name
		               ? xasprintf("%s (%s)", b->panel[i].label,
		                           scale[i].unit_name)
		               : xstrdup(b->panel[i].label);
	put_texts(p, "xname", label, b->np);
	for (size_t i = 0; i < b->np; i++)
		free(label[i]);
	free(label);
	free(number);
}

/* Lines for a key. */
#define KEY_LINES 2

void
put_bars(struct picture *p, struct bars *b)
{
	double names = (double)cut_names(p, b), rows = 0, around;
	struct scale *scale = xcalloc(b->np + 1, sizeof *scale);

	for (size_t i = 0; i < b->nsays; i++) {
		char *cut = plain_text(
		    b->say[i].text,
		    (size_t)(SAYS_PART * (text_columns(p) - names - 9)));

		free(b->say[i].text);
		b->say[i].text = cut;
	}
	for (size_t i = 0; i < b->np; i++) {
		scale[i] = panel_scale(p, b, i, text_columns(p) - names - 6);
		rows += (double)b->panel[i].rows;
	}
	put_keys(p, b);
	around = 6 + KEY_LINES + (p->text ? 3 : 3.6) * (double)b->np;
	grow_to(p, rows * (p->text ? 1 : 1.5) + around + 1,
	        rows * (p->text ? 1 : 0.3) + around - 4);
	put_panels(p, b, scale);
	put_number(p, "roww", names);
	put_says(p, "rowname", b->name, b->nnames, NULL);
	put_says(p, "says", b->say, b->nsays, scale);
	block_begin(p, "bars");
	for (size_t panel = 0; panel < b->np; panel++) {
		if (panel)
			block_next(p);
		for (size_t i = 0; i < b->n; i++) {
			const struct bar *r = &b->bar[i];
			double unit = scale[r->panel].unit;

			if (r->panel == panel)
				POINT(p, r->from / unit, r->to / unit,
				      (double)r->row, r->half,
				      (double)r->key + 1);
		}
	}
	block_end(p);
	for (size_t i = 0; i < p->ntips; i++) {
		struct place *at = &p->tip[i].at;

		at->x /= scale[at->panel].unit;
		at->to /= scale[at->panel].unit;
	}
	p->empty = rows <= 0;
	for (size_t i = 0; i < b->nnames; i++)
		free(b->name[i].text);
	for (size_t i = 0; i < b->nsays; i++)
		free(b->say[i].text);
	for (size_t i = 0; i < b->nkeys; i++)
		free(b->key[i].name);
	free(b->name);
	free(b->say);
	free(b->key);
	free(b->bar);
	free(b->panel);
	free(scale);
}
