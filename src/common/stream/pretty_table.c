/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Results for people: aligned, scaled, constant columns above the table. */
#include "common/stream/pretty_table.h"

#include "common/base/intmath.h"
#include "common/base/number.h"
#include "common/base/utf8.h"
#include "common/stream/columns.h"

#include <ctype.h>
#include <math.h>

/* Cells -------------------------------------------------------------------- */

/* Times a step, this is the limit above which four digits round to 1000. */
#define STEP_BELOW 999.95

/* A unit and its multiples, in steps of a thousand. */
static const struct scale {
	const char *unit; /* in the column's name */
	const char *quantity;
	double smallest;     /* the first of `words`, in that unit */
	const char *word[5]; /* ended by NULL */
	bool bytes;          /* only for shows_bytes */
} scales[] = {
    {"ns", "time", 1, {"ns", "us", "ms", "s"}, false},
    {"gbit_s", "bandwidth", 8e-6, {"kB/s", "MB/s", "GB/s", "TB/s"}, true},
    {"gbit_s",
     "bandwidth",
     1e-6,
     {"kbit/s", "Mbit/s", "Gbit/s", "Tbit/s"},
     false},
    {"per_s", "rate", 1, {"/s", "k/s", "M/s", "G/s"}, false},
    {"pct", "share", 1, {"%"}, false},
};

static const struct scale *
scale_of(const char *name)
{
	const char *unit = unit_of(name);

	for (size_t i = 0; i < ARRAY_LEN(scales); i++) {
		if (!strcmp(unit, scales[i].unit) &&
		    scales[i].bytes <= shows_bytes)
			return &scales[i];
	}
	return NULL;
}

/*
 * Four digits, but no decimals that `step` (or 0), the smallest difference that
 * the value shows, does not support; none behind four digits or more.
 */
static char *
four_digits(double value, const char *unit, double step)
{
	double size = fabs(value);
	int known = step > 0 ? (int)fmax(0, -floor(log10(step))) : 3;
	int decimals =
	    3 - (size >= 9.9995) - (size >= 99.995) - (size >= STEP_BELOW);
	bool tiny = size < 0.99995;
	const char *blank = *unit ? " " : "";

	decimals = decimals < known ? decimals : known;
	/* No sign before a number that is shown as 0. */
	if (known < 3 && size < pow(10, -decimals) / 2)
		value = 0;
	if (size == 0)
		return xasprintf("0%s%s", blank, unit);
	if ((tiny && known >= 3) || size >= 1e15)
		return xasprintf("%.4g%s%s", value, blank, unit);
	return xasprintf("%.*f%s%s", decimals, value, blank, unit);
}

/* What the name of a column says about its cells. */
struct style {
	const struct scale *scale; /* NULL: none */
	bool is_key, is_size;
};

static struct style
style_of(const char *name)
{
	return (struct style){scale_of(name), is_identity(name), is_size(name)};
}

/*
 * The text of a cell, see human_text. The unit suits `like`, or (0) the value;
 * decimals end at `shown`, the smallest difference that it shows, unless that
 * is 0. Free it.
 */
static char *
styled(const struct style *style, const char *text, double like, double shown)
{
	const struct scale *scale = style->scale;
	uint64_t size = 0;
	size_t step = 0;
	double value, unit;

	if (style->is_key) {
		if (style->is_size)
			parse_integer(text, &size);
		for (; size && size % 1024 == 0 && step < 4; step++)
			size /= 1024;
		return step ? xasprintf("%ju%c", (uintmax_t)size, " KMGT"[step])
		            : xstrdup(text);
	}
	if (!*text || parse_number(text, &value) ||
	    (!scale && !strchr(text, '.')))
		return xstrdup(text);
	if (!scale)
		return four_digits(value, "", shown);
	/* The multiple of the unit in which |like| has most digits. */
	like = fabs(like > 0 ? like : value) / scale->smallest;
	for (; like >= STEP_BELOW && scale->word[step + 1]; step++)
		like /= 1000;
	unit = scale->smallest * pow(1000, (double)step);
	return four_digits(value / unit, scale->word[step], shown / unit);
}

char *
human_text(const char *name, const char *text)
{
	const struct style style = style_of(name);

	return styled(&style, text, 0, 0);
}

/* The table ---------------------------------------------------------------- */

/* Wider texts may stand below their row. */
#define LEAST_WIDTH 16

/* A first key that is wrapped has at least this width. */
#define KEY_WIDTH 20

/* Blanks before a text below a row. */
#define INDENT 4

/* Columns that constants take at most. */
#define USUAL_WIDTH 80

/* Numbers have one unit if they differ by less than this factor. */
#define SAME_UNIT 1e4

/* Blanks between columns. */
#define GAP 2

#define GREEN  "\033[32m"
#define YELLOW "\033[33m"
#define RED    "\033[31m"
#define PLAIN  "\033[m"

/*
 * In the order of print: ABOVE the table, if it is constant; KEY columns, the
 * ANSWER, other RESULTs, counts (LAST); BELOW: on lines of its own below each
 * row, because it is too long.
 */
enum place { ABOVE, KEY, ANSWER, RESULT, LAST, BELOW, NOWHERE };

/* A column as shown. */
struct shown {
	size_t col;  /* of the result */
	char **text; /* the title, then one per row */
	enum place place;
	bool right;
	size_t width;
	const char *rest; /* of its text in the row that is being printed */
};

/* Numbers that have one unit, without their signs; 0, 0: there are none. */
struct extent {
	double least, most;
};

struct layout {
	const struct out *o;
	struct key_set titles; /* columns without units; and of each title: */
	size_t *values, *keys; /* its columns of either role */

	struct key_set families; /* of columns whose numbers have one unit */
	struct extent **extent;  /* of each family: of all rows, then of each */

	struct shown *shown; /* columns, at last in the order of print */
	struct shown **now;  /* those in the lines that are being printed */
	size_t nnow;
	size_t width;  /* of the terminal; SIZE_MAX: unlimited */
	bool markdown; /* | between columns instead of blanks */
	bool colour;   /* the terminal understands escape sequences */
};

static size_t
find(const struct out *o, const char *name)
{
	return key_set_find_text(&o->columns, name);
}

static const char *
cell(const struct out *o, uintmax_t row, size_t col)
{
	return o->cell[row * o->ncols + col];
}

/* Colours ------------------------------------------------------------------ */

/* Whether the other side of a comparison is the better one. */
static bool
is_better(const struct out *o, uintmax_t row)
{
	size_t i = 0;

	while (i < o->ncols && strncmp(o->name[i], "diff_", 5) != 0)
		i++;
	return i < o->ncols &&
	       (*cell(o, row, i) == '-') == !strcmp(unit_of(o->name[i]), "ns");
}

/* The colour of a cell that a reader must not miss, or NULL. */
static const char *
colour_of(const struct out *o, size_t col, uintmax_t row)
{
	const char *name = o->name[col], *text = cell(o, row, col);

	if (!strcmp(name, "differs"))
		return strcmp(text, "yes") != 0 ? NULL
		       : is_better(o, row)      ? GREEN
		                                : RED;
	if (!strcmp(name, "check"))
		return !strcmp(text, "worse")     ? RED
		       : !strcmp(text, "unclear") ? YELLOW
		       : !strcmp(text, "better")  ? GREEN
		                                  : NULL;
	if (!strcmp(name, "flags") ||
	    (!strcmp(name, "kind") && strcmp(text, "measured") != 0))
		return YELLOW;
	return NULL;
}

/* Prints part of a text in its colour. */
static void
print_part(const struct layout *l, const struct shown *s, uintmax_t row,
           const char *text)
{
	const char *colour =
	    l->colour && row ? colour_of(l->o, s->col, row - 1) : NULL;

	fputs(colour ? colour : "", stdout);
	print_plain(stdout, text);
	fputs(colour ? PLAIN : "", stdout);
}

/* How columns are shown ---------------------------------------------------- */

static bool
is_constant(const struct out *o, size_t col)
{
	uintmax_t row = 1;

	while (row < o->rows && !strcmp(cell(o, row, col), o->cell[col]))
		row++;
	return o->rows && row >= o->rows;
}

/* Of a name without the unit that human_text writes into the cells. */
static size_t
title_length(const char *name)
{
	return scale_of(name) ? (size_t)(unit_of(name) - name) - 1
	                      : strlen(name);
}

/*
 * What the values of a column belong to, if conditions are compared: "cold", or
 * "node=1". NULL: nothing, or several things.
 */
static char *
condition_of(const struct out *o, const char *name)
{
	size_t by = find(o, "by"), of = find(o, "base");
	const char *key;
	char *title;

	if (by == o->ncols || of == o->ncols || !is_constant(o, by) ||
	    !is_constant(o, of))
		return NULL;
	key = o->cell[by];
	if (strncmp(name, "base_", 5) != 0)
		of = strncmp(name, "other_", 6) != 0 ? o->ncols : find(o, key);
	if (of == o->ncols || !is_constant(o, of))
		return NULL;
	title = isdigit((unsigned char)*o->cell[of])
	            ? xasprintf("%s=%s", key, o->cell[of])
	            : xstrdup(o->cell[of]);
	if (strlen(title) <= LEAST_WIDTH)
		return title;
	free(title);
	return NULL;
}

static size_t
intern_title(struct layout *l, const char *name)
{
	char *title = xasprintf("%.*s", (int)title_length(name), name);
	size_t number = key_set_intern_text(&l->titles, title);

	free(title);
	return number;
}

/* Counts the columns of each title. */
static void
count_titles(struct layout *l)
{
	l->values = xcalloc(l->o->ncols, sizeof *l->values);
	l->keys = xcalloc(l->o->ncols, sizeof *l->keys);
	for (size_t i = 0; i < l->o->ncols; i++) {
		const char *name = l->o->name[i];

		(is_identity(name) ? l->keys
		                   : l->values)[intern_title(l, name)]++;
	}
}

/*
 * The name without its unit; with the unit of its cells or its quantity if
 * another column has that name.
 */
static char *
title_of(struct layout *l, size_t col)
{
	const struct out *o = l->o;
	const char *name = o->name[col];
	const struct scale *scale = scale_of(name);
	size_t length = title_length(name);
	char *condition = is_identity(name) ? NULL : condition_of(o, name);
	bool is_key = false;

	if (condition)
		return condition;
	if (!is_identity(name)) {
		size_t title = intern_title(l, name);

		if (l->values[title] > 1)
			return scale && scale->bytes
			           ? xasprintf("%.*s_gb_s", (int)length, name)
			           : xstrdup(name);
		is_key = l->keys[title];
	}
	return xasprintf("%.*s%s%s", (int)length, name, is_key ? "_" : "",
	                 is_key ? scale->quantity : "");
}

/*
 * The samples that a percentile needs, lest it is near the minimum or maximum
 * because no sample is beyond it; 0 for other columns.
 */
static double
samples_needed(const char *name)
{
	char percent[32], *point;
	double part;

	if (*name != 'p')
		return 0;
	snprintf(percent, sizeof percent, "%s", name + 1);
	point = strchr(percent, '_');
	if (point)
		*point = '.';
	part = strtod(percent, NULL);
	return part > 0 && part < 100 ? (100 - 1e-6) / fmin(part, 100 - part)
	                              : 0;
}

/* The number in a row; NAN if there is none, or no such column. */
static double
number_in(const struct out *o, uintmax_t row, size_t col)
{
	double value;

	return col < o->ncols && !parse_number(cell(o, row, col), &value)
	           ? value
	           : NAN;
}

/* The length of a name without its unit, and without "lo_" or "hi_". */
static int
stem_length(const char *name)
{
	int limit = strstr(name, "_lo_") || strstr(name, "_hi_") ? 3 : 0;

	return (int)(unit_of(name) - name) - limit;
}

/* Whether a difference or deviation, which may be near 0. */
static bool
is_spread(const char *name)
{
	return !strncmp(name, "diff_", 5) || !strncmp(name, "stddev_", 7) ||
	       !strncmp(name, "residual_", 9);
}

/*
 * What columns have in common whose cells have one unit in a row: bandwidths, a
 * statistic and its limits, and what is no statistic, such as both sides of a
 * comparison. NULL: the column has no unit. Free it.
 */
static char *
family_of(const char *name)
{
	const struct scale *scale = scale_of(name);
	bool apart;

	if (!scale || is_identity(name))
		return NULL;
	apart = strcmp(scale->unit, "gbit_s") != 0 && is_statistic(name);
	return xasprintf("%s %.*s", scale->unit, apart ? stem_length(name) : 0,
	                 name);
}

static void
extend(struct extent *e, double value)
{
	value = fabs(value);
	if (!(value > 0))
		return;
	e->least = e->least == 0 || value < e->least ? value : e->least;
	e->most = fmax(e->most, value);
}

/* Adds the numbers of a column to its family, whose number it returns. */
static size_t
extend_family(struct layout *l, size_t col, const char *family)
{
	size_t number = key_set_intern_text(&l->families, family);
	struct extent **e = &l->extent[number];

	if (!*e)
		*e = xcalloc(1 + l->o->rows, sizeof **e);
	for (uintmax_t row = 0; row < l->o->rows; row++) {
		double value = number_in(l->o, row, col);

		extend(*e, value);
		extend(*e + 1 + row, value);
	}
	return number;
}

/* Spreads have no say in the unit of their family. */
static void
find_families(struct layout *l)
{
	l->extent = xcalloc(l->o->ncols, sizeof *l->extent);
	for (size_t i = 0; i < l->o->ncols; i++) {
		char *family =
		    is_spread(l->o->name[i]) ? NULL : family_of(l->o->name[i]);

		if (family)
			extend_family(l, i, family);
		free(family);
	}
}

/* The numbers that choose the unit of a column, or NULL. */
static const struct extent *
extent_of(struct layout *l, size_t col)
{
	char *family = family_of(l->o->name[col]);
	size_t found;

	if (!family)
		return NULL;
	found = key_set_find_text(&l->families, family);
	if (found == l->families.n)
		found = extend_family(l, col, l->o->name[col]);
	free(family);
	return l->extent[found];
}

/* A number near all of these; 0: there is none. */
static double
typical(const struct extent *e)
{
	return e->least * SAME_UNIT > e->most ? e->least : 0;
}

/* What shows how precise the values of a column are: columns, or none. */
struct precision {
	size_t low, high;    /* of an interval */
	size_t deviation, n; /* of a mean */
	double tick;         /* of the clock, or 0 */
};

/* The column of this name; takes the name. */
static size_t
find_named(const struct out *o, char *name)
{
	size_t col = find(o, name);

	free(name);
	return col;
}

static struct precision
precision_of(const struct out *o, size_t col)
{
	const char *name = o->name[col], *unit = unit_of(name);
	int n = stem_length(name);
	/* Times that are computed have no tick. */
	bool ticks = !strcmp(unit, "ns") &&
	             (is_statistic(name) || find(o, "base_ns") < o->ncols);
	struct precision p = {o->ncols, o->ncols, o->ncols, find(o, "n"), 0};

	if (!strncmp(name, "mean_", 5) || !strncmp(name, "stddev_", 7)) {
		p.deviation = find_named(o, xasprintf("stddev_%s", unit));
		return p;
	}
	p.low = find_named(o, xasprintf("%.*slo_%s", n, name, unit));
	p.high = find_named(o, xasprintf("%.*shi_%s", n, name, unit));
	p.tick = ticks ? preamble_number(o->preamble, CLOCK_TICK) : 0;
	return p;
}

/*
 * The smallest difference that a value shows, or 0: half of its interval, or
 * the deviation of a mean, but no less than a tick of the clock.
 */
static double
shown_of(const struct out *o, const struct precision *p, uintmax_t row)
{
	if (p->deviation < o->ncols)
		return number_in(o, row, p->deviation) /
		       sqrt(number_in(o, row, p->n));
	return fmax((number_in(o, row, p->high) - number_in(o, row, p->low)) /
	                2,
	            p->tick);
}

static enum place
place_of(const struct out *o, size_t col)
{
	const char *name = o->name[col], *unit = unit_of(name);
	size_t n = find(o, "n");
	char *median = xasprintf("median_%s", unit);
	bool constant = is_constant(o, col);
	bool other = strcmp(name, median) != 0 && find(o, median) < o->ncols;

	free(median);
	if (constant && !*o->cell[col])
		return NOWHERE;
	if (is_label(name))
		return constant ? ABOVE : KEY;
	/* It repeats the median if no row has more than one sample. */
	if (*unit && is_statistic(name) && other && n < o->ncols &&
	    is_constant(o, n) && !strcmp(o->cell[n], "1"))
		return NOWHERE;
	if (list_has("bandwidth_gbit_s,differs,check", name))
		return ANSWER;
	if (*unit || is_statistic(name))
		return RESULT;
	return strstr(name, "_tlps") || strstr(name, "_bytes") ? LAST : RESULT;
}

/* For Markdown a | ends a cell. */
static void
escape_bars(char **text)
{
	char *rest = *text, *part, *escaped = xstrdup("");

	while ((part = strsep(&rest, "|")))
		xappend(&escaped, "", "%s%s", part, rest ? "\\|" : "");
	free(*text);
	*text = escaped;
}

static struct shown
look_at(struct layout *l, size_t col)
{
	const struct out *o = l->o;
	const char *name = o->name[col];
	struct shown s = {.col = col,
	                  .text = xcalloc(1 + o->rows, sizeof *s.text),
	                  .place = place_of(o, col),
	                  .right = !is_label(name)};
	size_t n = find(o, "n"), metric = find(o, "metric");
	const struct extent *like = extent_of(l, col);
	double all = like ? typical(like) : 0;
	double needed = samples_needed(name);
	struct precision precision = precision_of(o, col);
	double samples;
	bool of_metric = metric < o->ncols && !strcmp(name, "value");
	struct style style = style_of(name);
	bool percent = strstr(name, "percent");

	s.text[0] = title_of(l, col);
	/* 1 also where no letter has a width. */
	s.width = max_plain_width(1, s.text[0]);
	for (uintmax_t row = 0; row < o->rows; row++) {
		const char *text = cell(o, row, col);
		char **to = &s.text[1 + row];
		double near = all > 0 || !like ? all : typical(like + 1 + row);

		if (of_metric) {
			const char *what = cell(o, row, metric);

			style = style_of(*unit_of(what) ? what : name);
			percent = strstr(what, "percent");
		}
		*to = styled(&style, text, of_metric ? 0 : near,
		             shown_of(o, &precision, row));
		if (*text && percent)
			xappend(to, " ", "%%");
		if (o->format == FORMAT_MD)
			escape_bars(to);
		samples = needed > 0 ? number_in(o, row, n) : NAN;
		if (samples > 1 && samples < needed)
			xappend(to, "", "*");
		s.width = max_plain_width(s.width, *to);
	}
	return s;
}

/* What fits -------------------------------------------------------------- */

static bool
is_among(const struct shown *s, enum place first, enum place last)
{
	return s->place >= first && s->place <= last;
}

/* The width of the columns at these places. */
static size_t
width_of(const struct layout *l, enum place first, enum place last)
{
	size_t width = 0;

	for (size_t i = 0; i < l->o->ncols; i++) {
		const struct shown *s = &l->shown[i];

		if (is_among(s, first, last))
			width += s->width + (width ? GAP : 0);
	}
	return width;
}

static int
by_place(const void *a, const void *b)
{
	const struct shown *x = a, *y = b;

	return x->place != y->place ? (int)x->place - (int)y->place
	                            : (x->col > y->col) - (x->col < y->col);
}

/* What must leave for all to fit side by side. */
static size_t
excess(const struct layout *l)
{
	size_t width = width_of(l, KEY, LAST);

	return width > l->width ? width - l->width : 0;
}

/* The first key, or NULL. */
static struct shown *
first_key(const struct layout *l)
{
	for (size_t i = 0; i < l->o->ncols; i++) {
		if (l->shown[i].place == KEY)
			return &l->shown[i];
	}
	return NULL;
}

/* What the first key can be narrowed by if it is to stay readable. */
static size_t
slack(const struct shown *key)
{
	return key && key->width > KEY_WIDTH ? key->width - KEY_WIDTH : 0;
}

static int
by_width(const void *a, const void *b)
{
	const struct shown *x = *(struct shown *const *)a;
	const struct shown *y = *(struct shown *const *)b;

	return x->width != y->width
	           ? (x->width < y->width) - (x->width > y->width)
	           : (x->col < y->col) - (x->col > y->col);
}

/*
 * Moves the widest keys but the first below the rows, as far as they are wider
 * than this, until the others take so much less.
 */
static void
move_below(const struct layout *l, size_t wider_than, size_t less)
{
	struct shown **key = xcalloc(l->o->ncols, sizeof *key);
	const struct shown *first = first_key(l);
	size_t n = 0, gone = 0;

	for (size_t i = 0; i < l->o->ncols; i++) {
		struct shown *s = &l->shown[i];

		if (s->place == KEY && s != first && s->width > wider_than)
			key[n++] = s;
	}
	qsort(key, n, sizeof *key, by_width);
	for (size_t i = 0; i < n && gone < less; i++) {
		key[i]->place = BELOW;
		gone += key[i]->width + GAP;
	}
	free(key);
}

/* Moves a column away, which takes from what must leave. */
static void
leave(struct shown *s, enum place to, size_t *over)
{
	if (is_among(s, KEY, LAST))
		*over -= min_u64(*over, s->width + GAP);
	s->place = to;
}

/*
 * Until all fits: moves equal values above the table, leaves out the standard
 * deviation, moves names of devices behind the results, wraps the first key,
 * moves long keys below the rows. If results then need several blocks, other
 * keys go there, too, until each block has room for the keys that are left.
 */
static void
make_room(const struct layout *l)
{
	size_t n = l->o->ncols, widest = 0, over = excess(l), all, keys, most;
	struct shown *first;

	for (size_t i = 0; i < n && over; i++) {
		if (list_has("n,runs,limited_by,crosses,flags",
		             l->o->name[i]) &&
		    l->o->rows > 1 && is_constant(l->o, i))
			leave(&l->shown[i], ABOVE, &over);
	}
	for (size_t i = 0; i < n && over; i++) {
		if (!strncmp(l->o->name[i], "stddev", 6))
			leave(&l->shown[i], NOWHERE, &over);
	}
	for (size_t i = 0; i < n && over; i++) {
		if (l->shown[i].place == KEY && !strcmp(l->o->name[i], "name"))
			l->shown[i].place = LAST;
	}
	first = first_key(l);
	if (over && over <= slack(first))
		first->width -= over;
	move_below(l, LEAST_WIDTH, excess(l));
	all = width_of(l, KEY, LAST);
	for (size_t i = 0; i < n; i++) {
		struct shown *s = &l->shown[i];
		bool among = is_among(s, KEY, LAST);
		size_t others = all - (among ? s->width : 0), room;

		room =
		    max_u64(l->width - min_u64(l->width, others), l->width / 2);
		if (s->width > room)
			s->width = max_plain_width(room, *s->text);
		all = others + (among ? s->width : 0);
		if (s->place > KEY && s->place <= LAST && s->width > widest)
			widest = s->width;
	}
	over = excess(l);
	if (over) {
		most = l->width + slack(first);
		keys = width_of(l, KEY, KEY) + GAP + widest;
		move_below(l, 0, min_u64(over, keys - min_u64(keys, most)));
		keys = width_of(l, KEY, KEY) + GAP + widest;
		if (excess(l) && keys > l->width && keys <= most)
			first->width -= keys - l->width;
	}
	qsort(l->shown, n, sizeof *l->shown, by_place);
}

/* Printing ----------------------------------------------------------------- */

/*
 * A copy of the characters of *text that fit into the width, up to a blank or,
 * without one, a slash or underscore if possible; moves *text behind them.
 */
static char *
next_piece(const char **text, size_t width)
{
	const char *p = *text;
	char *piece;

	for (size_t n = 0; *p && n < width; n++) {
		size_t length = utf8_length(p);

		p += length ? length : 1;
	}
	if (*p) {
		size_t n = (size_t)(p - *text);
		const char *blank = memrchr(*text + 1, ' ', n);
		const char *after = p;

		while (after > *text && !strchr("/_", after[-1]))
			after--;
		p = blank ? blank : after > *text ? after : p;
	}
	piece = xasprintf("%.*s", (int)(p - *text), *text);
	*text = p + strspn(p, " ");
	return piece;
}

/* Prints a line of a row (0: titles), of the columns now. Was it the last? */
static bool
print_line(const struct layout *l, uintmax_t row)
{
	size_t owed = l->markdown; /* blanks to print before the next text */
	bool more = false;

	fputs(l->markdown ? "|" : "", stdout);
	for (size_t i = 0; i < l->nnow; i++) {
		struct shown *s = l->now[i];
		size_t blank;
		char *piece;

		piece = next_piece(&s->rest, s->width);
		blank = l->markdown ? 0 : s->width - plain_width(piece);
		owed += s->right ? blank : 0;
		if (*piece || l->markdown) {
			printf("%*s", (int)owed, "");
			print_part(l, s, row, piece);
			owed = 0;
		}
		owed += l->markdown ? 1 : GAP + (s->right ? 0 : blank);
		fputs(l->markdown ? " |" : "", stdout);
		more = more || *s->rest;
		free(piece);
	}
	putchar('\n');
	return !more;
}

/*
 * Prints the title and text of a column that stands above the table or below a
 * row. Lines that the text needs further on are indented.
 */
static void
print_titled(const struct layout *l, const struct shown *s, uintmax_t row)
{
	bool below = s->place == BELOW;
	const char *text = s->text[row];
	const char *between = below || l->markdown ? ": " : "=";
	size_t at = plain_width(*s->text) + strlen(between);
	size_t width =
	    below || l->markdown ? l->width : min_u64(l->width, USUAL_WIDTH);
	size_t indent = below ? INDENT + at : INDENT;

	print_plain(stdout, *s->text);
	fputs(between, stdout);
	for (at = below ? indent : at; *text; at = indent) {
		char *piece = next_piece(&text, width > at ? width - at : 1);

		print_part(l, s, row, piece);
		if (*text)
			printf("\n%*s", (int)indent, "");
		free(piece);
	}
}

static void
print_block(const struct layout *l, bool first)
{
	for (uintmax_t row = 0; row <= l->o->rows; row++) {
		for (size_t i = 0; i < l->nnow; i++)
			l->now[i]->rest = l->now[i]->text[row];
		while (!print_line(l, row))
			;
		for (size_t i = 0; row && first && i < l->o->ncols; i++) {
			const struct shown *s = &l->shown[i];

			if (s->place == BELOW && *s->text[row]) {
				printf("%*s", INDENT, "");
				print_titled(l, s, row);
				putchar('\n');
			}
		}
		if (row || !l->markdown)
			continue;
		putchar('|');
		for (size_t i = 0; i < l->nnow; i++)
			fputs(l->now[i]->right ? " ---: |" : " --- |", stdout);
		putchar('\n');
	}
}

/* Prints the constant columns, as many on a line as fit. */
static void
print_above(const struct layout *l)
{
	size_t column = 0, n = 0;

	for (; n < l->o->ncols && l->shown[n].place == ABOVE; n++) {
		const struct shown *s = &l->shown[n];
		size_t all =
		    plain_width(s->text[0]) + 1 + plain_width(s->text[1]);

		if (n && (l->markdown || column + GAP + all >
		                             min_u64(l->width, USUAL_WIDTH))) {
			putchar('\n');
			column = 0;
		}
		printf("%*s%s", (int)(column ? GAP : 0), "",
		       l->markdown ? "* " : "");
		print_titled(l, s, 1);
		column += (column ? GAP : 0) + all;
	}
	fputs(n ? "\n\n" : "", stdout);
}

/*
 * Prints as many columns side by side as fit, then the others below, with the
 * keys again.
 */
static void
print_blocks(struct layout *l)
{
	size_t n = l->o->ncols, at = 0, begin;
	size_t keys = width_of(l, KEY, KEY);

	l->now = xcalloc(n, sizeof(struct shown *));
	while (at < n && l->shown[at].place == ABOVE)
		at++;
	for (begin = at; at < n && l->shown[at].place <= LAST;) {
		bool first = at == begin;
		size_t width = first ? 0 : keys;

		l->nnow = 0;
		for (size_t i = begin; i < at && l->shown[i].place == KEY; i++)
			l->now[l->nnow++] = &l->shown[i];
		fputs(first ? "" : "\n", stdout);
		do {
			width += l->shown[at].width + (width ? GAP : 0);
			l->now[l->nnow++] = &l->shown[at++];
		} while (at < n && l->shown[at].place <= LAST &&
		         width + GAP + l->shown[at].width <= l->width);
		print_block(l, first);
	}
	free(l->now);
}

void
print_table(const struct out *o)
{
	size_t width = terminal_size().columns;
	struct layout l = {
	    .o = o,
	    .shown = xcalloc(o->ncols, sizeof *l.shown),
	    .markdown = o->format == FORMAT_MD,
	};

	l.width = width && !l.markdown ? width : SIZE_MAX;
	l.colour = !l.markdown && terminal_has_colours();
	count_titles(&l);
	find_families(&l);
	for (size_t i = 0; i < o->ncols; i++)
		l.shown[i] = look_at(&l, i);
	make_room(&l);
	print_above(&l);
	print_blocks(&l);
	for (size_t i = 0; i < o->ncols; i++) {
		for (uintmax_t row = 0; row <= o->rows; row++)
			free(l.shown[i].text[row]);
		free(l.shown[i].text);
	}
	free(l.shown);
	free(l.values);
	free(l.keys);
	key_set_free(&l.titles);
	for (size_t i = 0; i < l.families.n; i++)
		free(l.extent[i]);
	free(l.extent);
	key_set_free(&l.families);
}
