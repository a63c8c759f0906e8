/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes variables and data blocks for a template. */
#include "plot/picture/drawing.h"

#include "common/base/number.h"
#include "common/base/utf8.h"
#include "common/base/util.h"
#include "plot/picture/quote.h"

#include <math.h>
#include <stdarg.h>

/* gnuplot can still draw a range of such values with its margins. */
#define VALUE_MAX 1e307

static FILE *
vars(struct picture *p)
{
	if (!p->vars)
		p->vars = compose_begin(&p->composed);
	return p->vars;
}

static void
write_value(FILE *to, double value)
{
	char text[NUMBER_MAX];

	if (isnan(value)) {
		fputs("NaN", to);
		return;
	}
	value = fmax(-VALUE_MAX, fmin(value, VALUE_MAX));
	*print_double(text, value) = '\0';
	fputs(text, to);
}

void
put_number(struct picture *p, const char *name, double value)
{
	fprintf(vars(p), "%s = ", name);
	write_value(p->vars, value);
	fputc('\n', p->vars);
}

void
put_text(struct picture *p, const char *name, const char *text)
{
	fprintf(vars(p), "%s = ", name);
	write_string(p->vars, "", text);
	fputc('\n', p->vars);
}

void
put_field(struct picture *p, const char *name, const double *first, size_t n,
          size_t size)
{
	fprintf(vars(p), "array %s[%zu]\n", name, n ? n : 1);
	if (!n)
		fprintf(p->vars, "%s[1] = 1\n", name);
	for (size_t i = 0; i < n; i++) {
		const char *at = (const char *)first + i * size;
		double value;

		memcpy(&value, at, sizeof value);
		fprintf(p->vars, "%s[%zu] = ", name, i + 1);
		write_value(p->vars, value);
		fputc('\n', p->vars);
	}
}

void
put_numbers(struct picture *p, const char *name, const double *value, size_t n)
{
	put_field(p, name, value, n, sizeof *value);
}

void
put_texts(struct picture *p, const char *name, char *const *text, size_t n)
{
	fprintf(vars(p), "array %s[%zu]\n", name, n ? n : 1);
	if (!n)
		fprintf(p->vars, "%s[1] = ''\n", name);
	for (size_t i = 0; i < n; i++) {
		fprintf(p->vars, "%s[%zu] = ", name, i + 1);
		write_string(p->vars, "", text[i] ? text[i] : "");
		fputc('\n', p->vars);
	}
}

void
put_tics(struct picture *p, const char *name, char *const *text, size_t n)
{
	char **format = xcalloc(n + 1, sizeof *format);

	for (size_t i = 0; i < n; i++) {
		char *to = format[i] = xcalloc(2, strlen(text[i]) + 1);

		for (const char *from = text[i]; *from; from++) {
			if (*from == '%')
				*to++ = '%';
			*to++ = *from;
		}
	}
	put_texts(p, name, format, n);
	for (size_t i = 0; i < n; i++)
		free(format[i]);
	free(format);
}

/* Blocks ------------------------------------------------------------------- */

/* Columns of a series without points. */
#define EMPTY "NaN NaN NaN NaN NaN NaN NaN NaN\n"

void
block_begin(struct picture *p, const char *name)
{
	fprintf(vars(p), "$%s << EOD\n", name);
	p->points = 0;
}

void
block_point(struct picture *p, const double *value, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (i)
			fputc(' ', p->vars);
		write_value(p->vars, value[i]);
	}
	fputc('\n', p->vars);
	p->points++;
}

void
block_gap(struct picture *p)
{
	if (p->points)
		fputc('\n', p->vars);
}

void
block_next(struct picture *p)
{
	fprintf(p->vars, "%s\n\n", p->points ? "" : EMPTY);
	p->points = 0;
}

void
block_end(struct picture *p)
{
	fprintf(p->vars, "%sEOD\n", p->points ? "" : EMPTY);
}

/* Tips, looks, ends -------------------------------------------------------- */

void
add_tip(struct picture *p, struct place at, const char *name, const char *fmt,
        ...)
{
	va_list ap;
	char *text;

	if (!p->page)
		return;
	va_start(ap, fmt);
	text = xvasprintf(fmt, ap);
	va_end(ap);
	array_push(p->tip, p->ntips,
	           ((struct tip){at, name ? xstrdup(name) : NULL, text}));
}

/* Colours; the look of others. */
#define COLOURS 8
#define PALE    9

double
look_of(const struct curve *c)
{
	return c->thin ? PALE : (double)(c->colour % COLOURS) + 1;
}

void
put_series(struct picture *p, const struct curve c[], size_t n)
{
	char **name = xcalloc(n + 1, sizeof *name);

	p->look = xcalloc(n + 1, sizeof *p->look);
	for (size_t i = 0; i < n; i++) {
		p->look[i] = look_of(&c[i]);
		name[i] = c[i].name ? xstrdup(c[i].name) : NULL;
	}
	put_number(p, "n", (double)n);
	put_numbers(p, "look", p->look, n);
	put_texts(p, "name", name, n);
	p->names = name;
	p->nnames = n;
}

size_t
widest_of(char *const *text, size_t n)
{
	size_t widest = 0;

	for (size_t i = 0; i < n; i++) {
		if (text[i])
			widest = max_plain_width(widest, text[i]);
	}
	return widest;
}

static int
by_height(const void *a, const void *b)
{
	const struct end *x = a, *y = b;

	return (x->y > y->y) - (x->y < y->y);
}

/* The texts of ends; cut to a width, unless that is 0. Free both levels. */
static char **
end_names(const struct end end[], size_t n, size_t width)
{
	char **all = xcalloc(n + 1, sizeof *all);
	char **cut = xcalloc(n + 1, sizeof *cut);

	for (size_t i = 0; i < n; i++)
		all[i] = end[i].name;
	for (size_t i = 0; i < n; i++)
		cut[i] = plain_name(all[i], all, n, width);
	free(all);
	return cut;
}

static void
free_names(char **name, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(name[i]);
	free(name);
}

/* Columns of a mark beside a name, and of a gap to the next. */
#define MARK_COLUMNS 6
#define GAP_COLUMNS  2

/* A key has at most this part of the lines, and this many names. */
#define KEY_PART  4
#define KEYS_MOST 10

static void
write_key(struct picture *p, struct end end[], size_t n)
{
	size_t width = (size_t)text_columns(p) - MARK_COLUMNS - GAP_COLUMNS;
	char **name = end_names(end, n, width);
	double wide = (double)widest_of(name, n) + MARK_COLUMNS + GAP_COLUMNS;
	double columns = floor(text_columns(p) / wide);
	size_t most = (size_t)(fmax(columns, 1) *
	                       fmax(floor(text_lines(p) / KEY_PART), 1));
	size_t shown = n;

	most = most > KEYS_MOST ? KEYS_MOST : most;
	if (n > most) {
		shown = most;
		free(name[shown - 1]);
		name[shown - 1] = xasprintf("and %zu more", n - shown + 1);
		end[shown - 1].look = end[shown - 1].hue = 0;
	}
	columns = fmax(fmin(columns, (double)shown), 1);
	for (size_t i = 0; i < shown; i++) {
		end[i].x = fmod((double)i, columns) * wide + 1;
		end[i].y = floor((double)i / columns);
		end[i].dash = end[i].dash > 0 ? end[i].dash : 1;
	}
	put_number(p, "nkeys", (double)shown);
	put_number(p, "keyrows", shown ? ceil((double)shown / columns) : 0);
	put_texts(p, "keyname", name, shown);
	PUT(p, "keyx", end, shown, x);
	PUT(p, "keyrow", end, shown, y);
	PUT(p, "keylook", end, shown, look);
	PUT(p, "keydash", end, shown, dash);
	PUT(p, "keyhue", end, shown, hue);
	for (size_t i = 0; i < shown; i++)
		end[i].x = end[i].mark;
	PUT(p, "keymark", end, shown, x);
	free_names(name, n);
}

void
put_key(struct picture *p, struct end end[], size_t n)
{
	write_key(p, end, n > 1 ? n : 0);
	for (size_t i = 0; i < n; i++)
		free(end[i].name);
}

/* The largest part of the width for names at ends, and lines of other texts. */
#define ENDS_PART   0.4
#define OTHER_LINES 9

void
put_ends(struct picture *p, struct end end[], size_t n)
{
	char **name = end_names(end, n, 0);
	double wide = (double)widest_of(name, n);
	bool at_ends = n > 1 && wide + 2 <= text_columns(p) * ENDS_PART &&
	               (double)n * 1.15 < text_lines(p) - OTHER_LINES;

	free_names(name, n);
	if (at_ends)
		qsort(end, n, sizeof *end, by_height);
	name = end_names(end, n, 0);
	put_number(p, "nend", at_ends ? (double)n : 0);
	put_number(p, "endw", wide);
	put_texts(p, "endname", name, n);
	PUT(p, "endx", end, n, x);
	PUT(p, "endy", end, n, y);
	PUT(p, "endlook", end, n, look);
	free_names(name, n);
	write_key(p, end, at_ends || n < 2 ? 0 : n);
	for (size_t i = 0; i < n; i++)
		free(end[i].name);
}

double
text_columns(const struct picture *p)
{
	return (double)p->width / p->em_w;
}

double
text_lines(const struct picture *p)
{
	return (double)p->height / p->em_h;
}

double
time_unit(double ns, const char **name)
{
	static const struct {
		const char *name;
		double ns;
	} unit[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
	size_t i = 0;

	while (i + 1 < ARRAY_LEN(unit) && fabs(ns) >= 10 * unit[i + 1].ns)
		i++;
	*name = unit[i].name;
	return unit[i].ns;
}

/* A clock with coarse ticks must not make a difference of one a cliff. */
#define TICKS_LEAST 10

/* Margins of a logarithmic axis stay numbers up to this. */
#define RANGE_MAX 1e302

/* The least part of a value that an axis shows. */
#define LEAST_STEP 1e-12

struct scale
choose_scale(const struct picture *p, bool of_y, const char *unit, double low,
             double high, double linear_to)
{
	const struct axis_wish *wish = of_y ? &p->y : &p->x;
	struct scale s = {.unit = 1, .unit_name = unit};
	bool time = !strcmp(unit, "ns");
	double margin;

	if (!(low <= high))
		low = high = 0;
	high = fmin(high, RANGE_MAX);
	if (wish->range) {
		low = wish->low;
		high = wish->high;
	} else if (time && high - low < TICKS_LEAST * p->tick) {
		low = fmax(0, (low + high - TICKS_LEAST * p->tick) / 2);
		high = low + TICKS_LEAST * p->tick;
	}
	if (wish->log && !(low > 0))
		die("--log: the axis has values of 0 or less");
	s.log = wish->log || (low > 0 && high > linear_to) ? 10 : 0;
	if (time)
		s.unit = time_unit(s.log ? sqrt(low) * sqrt(high)
		                         : fmax(fabs(low), high),
		                   &s.unit_name);
	margin = s.log ? pow(high / low, 0.03) : 0.03 * (high - low);
	/* gnuplot needs a step that is not lost in the values. */
	if (high - low <= LEAST_STEP * fmax(fabs(low), fabs(high)) ||
	    high - low < 1 / RANGE_MAX)
		margin = s.log ? 2 : high != 0 ? 0.1 * fabs(high) : 1;
	if (high - low < 1 / RANGE_MAX && fabs(high) < 1 / RANGE_MAX)
		margin = s.log ? 2 : 1;
	if (wish->range)
		margin = s.log ? 1 : 0;
	s.low = s.log ? fmax(low / margin, 1 / RANGE_MAX) : low - margin;
	s.high = fmin(s.log ? high * margin : high + margin, 10 * RANGE_MAX);
	return s;
}

struct scale
scale_from_zero(const struct picture *p, bool of_y, const char *unit,
                double low, double high)
{
	const struct axis_wish *wish = of_y ? &p->y : &p->x;
	struct scale s = choose_scale(p, of_y, unit, low, high, INFINITY);

	if (wish->range || wish->log || low < 0)
		return s;
	s.low = 0;
	s.high = high > 0 ? 1.08 * high : 1;
	return s;
}

/* Whether the middle size is nearer to a doubling than to equal steps. */
static bool
doubles(const double size[], size_t n)
{
	double low = size[0], high = size[n - 1];
	double middle = (size[(n - 1) / 2] + size[n / 2]) / 2;

	if (low <= 0 || high < 2 * low)
		return false;
	return n == 2 || 2 * middle < sqrt(low) * sqrt(high) + (low + high) / 2;
}

struct scale
scale_of_sizes(const struct picture *p, const double size[], size_t n)
{
	double low = n ? size[0] : 0, high = n ? size[n - 1] : 0;
	bool log = n && !p->x.range && doubles(size, n);
	struct scale s =
	    choose_scale(p, false, "bytes", low, high, log ? 0 : INFINITY);

	if (s.log)
		s.log = 2;
	return s;
}

double
scale_position(const struct scale *s, double value)
{
	return s->log ? log(value / s->low) / log(s->high / s->low)
	              : (value - s->low) / (s->high - s->low);
}

void
put_scale(struct picture *p, bool of_y, const struct scale *s, const char *name)
{
	char *label = *s->unit_name ? xasprintf("%s (%s)", name, s->unit_name)
	                            : xstrdup(name);

	put_number(p, of_y ? "ylo" : "xlo", s->low / s->unit);
	put_number(p, of_y ? "yhi" : "xhi", s->high / s->unit);
	put_number(p, of_y ? "ylog" : "xlog", s->log);
	put_text(p, of_y ? "ylabel" : "xlabel", label);
	free(label);
}

/* Lines of titles, constants and a note. */
#define LINES_ABOVE 6

/* Lines of a row that is drawn, not written. */
#define DRAWN_ROW 1.5

void
put_rows(struct picture *p, char *name[], const double at[], size_t n,
         double rows, double below)
{
	size_t most = (size_t)(text_columns(p) / 2);

	for (size_t i = 0; i < n; i++) {
		char *cut = plain_name(name[i], name, n, most);

		free(name[i]);
		name[i] = cut;
	}
	grow_to(p, rows * (p->text ? 1 : DRAWN_ROW) + LINES_ABOVE + below,
	        rows * (p->text ? 1 : 0.25) + 2 + below);
	put_number(p, "ny", rows);
	put_number(p, "roww", (double)widest_of(name, n));
	put_texts(p, "rowname", name, n);
	put_numbers(p, "rowat", at, n);
	for (size_t i = 0; i < n; i++)
		free(name[i]);
	free(name);
}

void
grow_to(struct picture *p, double lines, double least)
{
	if (p->fixed && text_lines(p) < least)
		die_usage("--geometry: this picture takes a height of %.0f",
		          ceil(least) * p->em_h);
	if (!p->fixed && text_lines(p) < lines)
		p->height = (unsigned)fmin(ceil(lines) * p->em_h, p->most);
}
