/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes variables and data blocks for a template. */
#include "plot/picture/drawing.h"

#include "common/base/number.h"

#include <limits.h>

/* For INFINITY. */
#define VALUE_MAX 1e300

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
	/* gnuplot 5.2 has integers of 32 bits. */
	if (fabs(value) > INT_MAX && !strpbrk(text, ".e"))
		fputc('.', to);
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
put_array(struct picture *p, const char *name, const void *first, size_t n,
          size_t size, bool text)
{
	fprintf(vars(p), "array %s[%zu]\n", name, n ? n : 1);
	if (!n)
		fprintf(p->vars, "%s[1] = %s\n", name, text ? "''" : "1");
	for (size_t i = 0; i < n; i++) {
		const void *at = (const char *)first + i * size;
		const char *item = text ? *(char *const *)at : NULL;

		fprintf(p->vars, "%s[%zu] = ", name, i + 1);
		if (text)
			write_string(p->vars, "", item ? item : "");
		else
			write_value(p->vars, *(const double *)at);
		fputc('\n', p->vars);
	}
}

/* Blocks ------------------------------------------------------------------- */

/* Columns of a series without points. */
#define EMPTY "NaN NaN NaN NaN NaN NaN NaN NaN\n"

void
block_begin(struct picture *p, const char *name)
{
	fprintf(vars(p), "$%s << EOD\n", name);
	p->points = 0;
	p->begun = false;
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
put_point(struct picture *p, double x, double y)
{
	POINT(p, x / p->x_unit, y / p->y_unit);
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
	if (p->begun)
		fprintf(p->vars, "%s\n\n", p->points ? "" : EMPTY);
	p->points = 0;
	p->begun = true;
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

	if (!p->terminal->page)
		return;
	va_start(ap, fmt);
	text = keep_text(xvasprintf(fmt, ap));
	va_end(ap);
	at.panel = p->panel;
	at.x /= p->x_unit;
	at.to /= p->x_unit;
	at.y /= p->y_unit;
	PUSH(p->tip, p->ntips, (struct tip){at, name, text});
}

void
put_series(struct picture *p, const struct curve c[], size_t n)
{
	put_number(p, "n", (double)n);
	PUT(p, "look", c, n, look);
	PUT(p, "dash", c, n, dash);
	p->series = c;
	p->nseries = n;
}

static int
by_height(const void *a, const void *b)
{
	const struct end *x = a, *y = b;

	return (x->y > y->y) - (x->y < y->y);
}

void
sort_ends(struct end end[], size_t n)
{
	if (n)
		qsort(end, n, sizeof *end, by_height);
}

/* Columns of a mark beside a name, and of a gap to the next; of a text. */
#define MARK_COLUMNS 8
#define SIGN_COLUMNS 4

/* A name in a font takes this part of as many wide characters. */
#define NAME_PART 0.88

/* A key has at most this part of the lines; in a picture that may grow, so many
 * names.
 */
#define KEY_PART 4
#define KEY_MOST 10

void
put_key(struct picture *p, struct end end[], size_t n)
{
	double part = p->terminal->text ? 1 : NAME_PART;
	double around = p->terminal->text ? SIGN_COLUMNS : MARK_COLUMNS, wide;
	double rows, most = fmax(floor(text_lines(p) / KEY_PART), 1);

	n = n > 1 ? n : 0;
	wide = (text_columns(p) - around) / part;
	wide = (double)CUT(end, n, name, (size_t)wide);
	put_number(p, "nkeys", (double)n);
	wide = ceil(wide * part) + around;
	rows = ceil(fmin((double)n, KEY_MOST) /
	            fmax(floor(text_columns(p) / wide), 1));
	if (!p->fixed && !p->terminal->text && rows > most) {
		grow_to(p, text_lines(p) + rows - most, 0);
		most = rows;
	}
	put_number(p, "keyw", wide);
	put_number(p, "keylines", most);
	PUT(p, "keyname", end, n, name);
	PUT(p, "keylook", end, n, look);
	PUT(p, "keydash", end, n, dash);
	PUT(p, "keyhue", end, n, hue);
	PUT(p, "keymark", end, n, mark);
}

/* Lines of other texts. */
#define OTHER_LINES 9

/*
 * The curves that have a name and a value; points may be hidden by others.
 * Returns their number.
 */
static size_t
list_ends(const struct picture *p, const struct curve c[], size_t n,
          unsigned mark, struct end **end)
{
	size_t nends = 0;

	for (size_t i = 0; i < n; i++) {
		struct end e = {
		    .name = c[i].name,
		    .look = c[i].look,
		    .dash = c[i].dash,
		    .mark = c[i].look == BOUND || c[i].bare ? MARK_LINE : mark};
		size_t k = c[i].n;

		while (k && isnan(c[i].point[k - 1].y))
			k--;
		if (k) {
			e.x = c[i].point[k - 1].x / p->x_unit;
			e.y = c[i].point[k - 1].y / p->y_unit;
		}
		if (e.name && (k || mark == MARK_POINT))
			PUSH(*end, nends, e);
	}
	return nends;
}

void
write_ends(struct picture *p, const struct end end[], size_t n, size_t widest)
{
	put_number(p, "endw", (double)widest);
	PUT(p, "endname", end, n, name);
	PUT(p, "endx", end, n, x);
	PUT(p, "endy", end, n, y);
	PUT(p, "endlook", end, n, look);
	PUT(p, "endmark", end, n, mark);
}

void
put_ends(struct picture *p, const struct curve c[], size_t ncurves,
         unsigned mark)
{
	struct end *end = NULL;
	size_t n = list_ends(p, c, ncurves, mark, &end);
	size_t wide = CUT(end, n, name, 0);
	bool at_ends = n > 1 && mark != MARK_POINT &&
	               (double)wide + 2 <= text_columns(p) * ENDS_PART &&
	               (double)n * 1.15 < text_lines(p) - OTHER_LINES;

	if (at_ends)
		sort_ends(end, n);
	put_number(p, "nend", at_ends ? (double)n : 0);
	write_ends(p, end, n, wide);
	put_key(p, end, at_ends ? 0 : n);
}

double
text_columns(const struct picture *p)
{
	return (double)p->width / p->terminal->em_w;
}

double
text_lines(const struct picture *p)
{
	return (double)p->height / p->terminal->em_h;
}

double
time_unit(double ns, double least, const char **name)
{
	static const char *const unit[] = {"ns", "us", "ms", "s"};
	double size = 1;
	size_t i = 0;

	for (; i + 1 < ARRAY_LEN(unit) && fabs(ns) >= least * 1000 * size; i++)
		size *= 1000;
	*name = unit[i];
	return size;
}

/* A clock with coarse ticks must not make a difference of one a cliff. */
#define TICKS_LEAST 10

/* The least part of a value that an axis shows. */
#define LEAST_STEP 1e-12

struct scale
choose_scale(const struct picture *p, bool of_y, const char *unit,
             struct range r, double linear_to)
{
	const struct axis_wish *wish = of_y ? &p->y : &p->x;
	struct scale s = {.unit = 1, .unit_name = unit};
	bool time = !strcmp(unit, "ns"), any = r.low <= r.high;
	double low = any ? r.low : 0, high = any ? r.high : 0;
	double margin;

	if (wish->range) {
		low = wish->low;
		high = wish->high;
		if (any && (r.low > high || r.high < low))
			warn("--%crange: all values are outside of it",
			     of_y ? 'y' : 'x');
	} else if (time && high - low < TICKS_LEAST * p->tick) {
		low = fmax(0, (low + high - TICKS_LEAST * p->tick) / 2);
		high = low + TICKS_LEAST * p->tick;
	}
	if (wish->log && !(low > 0))
		die("--log %c: the axis has values of 0 or less; --%crange "
		    "LOW:HIGH leaves them out",
		    of_y ? 'y' : 'x', of_y ? 'y' : 'x');
	s.log = wish->log || (low > 0 && high > linear_to) ? 10 : 0;
	if (time)
		s.unit = time_unit(s.log ? sqrt(low) * sqrt(high)
		                         : fmax(fabs(low), high),
		                   10, &s.unit_name);
	margin = s.log ? pow(high / low, 0.03) : 0.03 * (high - low);
	/* gnuplot needs a step that is not lost in the values. */
	if (high - low <= LEAST_STEP * fmax(fabs(low), fabs(high)))
		margin = s.log ? 2 : high != 0 ? 0.1 * fabs(high) : 1;
	if (wish->range)
		margin = s.log ? 1 : 0;
	s.low = s.log ? low / margin : low - margin;
	s.high = s.log ? high * margin : high + margin;
	return s;
}

struct scale
scale_from_zero(const struct picture *p, bool of_y, const char *unit,
                struct range r)
{
	const struct axis_wish *wish = of_y ? &p->y : &p->x;
	struct scale s = choose_scale(p, of_y, unit, r, INFINITY);

	if (wish->range || wish->log || r.low < 0)
		return s;
	s.low = 0;
	s.high = r.high > 0 ? 1.08 * r.high : 1;
	return s;
}

/* Whether the middle size is nearer to a doubling than to equal steps; a single
 * one is. */
static bool
doubles(const struct plot_point size[], size_t n)
{
	double low = size[0].x, high = size[n - 1].x;
	double middle = (size[(n - 1) / 2].x + size[n / 2].x) / 2;

	if (low <= 0 || (n > 1 && high < 2 * low))
		return false;
	return n <= 2 || 2 * middle < sqrt(low) * sqrt(high) + (low + high) / 2;
}

struct scale
scale_of_sizes(const struct picture *p, const struct curve *first, size_t n,
               size_t size)
{
	struct curve all = {0};
	struct range r = {0, 0};
	struct scale s;
	bool log = false;

	for (size_t i = 0; i < n; i++)
		curve_append(&all,
		             (const void *)((const char *)first + i * size));
	curve_merge(&all, NULL, NULL);
	if (all.n) {
		r = range_of(&all, 1, false);
		log = !p->x.range && doubles(all.point, all.n);
	}
	s = choose_scale(p, false, "bytes", r, log ? 0 : INFINITY);
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

char *
scale_label(const struct scale *s, const char *name)
{
	return *s->unit_name ? words("%s (%s)", name, s->unit_name)
	                     : words("%s", name);
}

void
put_scale(struct picture *p, bool of_y, const struct scale *s, const char *name)
{
	put_number(p, of_y ? "ylo" : "xlo", s->low / s->unit);
	put_number(p, of_y ? "yhi" : "xhi", s->high / s->unit);
	put_number(p, of_y ? "ylog" : "xlog", s->log);
	put_text(p, of_y ? "ylabel" : "xlabel", scale_label(s, name));
	*(of_y ? &p->y_unit : &p->x_unit) = s->unit;
}

void
put_curves(struct picture *p, const char *name, const struct curve *first,
           size_t n, size_t size)
{
	block_begin(p, name);
	for (size_t i = 0; i < n; i++) {
		const struct curve *c =
		    (const void *)((const char *)first + i * size);

		block_next(p);
		for (size_t k = 0; k < c->n; k++) {
			if (isnan(c->point[k].y))
				block_gap(p);
			else
				put_point(p, c->point[k].x, c->point[k].y);
		}
	}
	block_end(p);
}

void
grow_to(struct picture *p, double lines, double least)
{
	if (p->fixed && text_lines(p) < least)
		die_usage("--geometry: this picture takes a height of %.0f",
		          ceil(least) * p->terminal->em_h);
	if (!p->fixed && text_lines(p) < lines)
		p->height = (unsigned)fmin(ceil(lines) * p->terminal->em_h,
		                           p->terminal->most);
}
