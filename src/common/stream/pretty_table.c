/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Results for people: aligned, scaled, constant columns above the table. */
#include "common/stream/pretty_table.h"

#include "common/base/number.h"
#include "common/base/utf8.h"
#include "common/base/util.h"
#include "common/stream/columns.h"

#include <math.h>

/* Cells and names ---------------------------------------------------------- */

/* Times a step, this is the limit above which four digits round to 1000. */
#define STEP_BELOW 999.95

/* A unit and its multiples, in steps of a thousand. */
struct scale {
	const char *unit;    /* in the column's name */
	double smallest;     /* the first of `words`, in that unit */
	const char *word[5]; /* ended by NULL */
};

static const struct scale scales[] = {
    {"ns", 1, {"ns", "us", "ms", "s"}},
    {"gbit_s", 1e-6, {"kbit/s", "Mbit/s", "Gbit/s", "Tbit/s"}},
    {"per_s", 1, {"/s", "k/s", "M/s", "G/s"}},
    {"pct", 1, {"%"}},
};

static const struct scale bytes_per_second = {
    "gbit_s", 8e-6, {"kB/s", "MB/s", "GB/s", "TB/s"}};

static const struct scale *
scale_of(const char *name)
{
	const char *unit = unit_of(name);

	for (size_t i = 0; i < ARRAY_LEN(scales); i++) {
		if (!strcmp(unit, scales[i].unit))
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
	int decimals = size >= STEP_BELOW ? 0
	               : size >= 99.995   ? 1
	               : size >= 9.9995   ? 2
	                                  : 3;
	bool tiny = size < 0.99995;
	const char *blank = *unit ? " " : "";

	decimals = decimals < known ? decimals : known;
	if (size == 0)
		return xasprintf("0%s%s", blank, unit);
	if ((tiny && known >= 3) || size >= 1e15)
		return xasprintf("%.4g%s%s", value, blank, unit);
	return xasprintf("%.*f%s%s", decimals, value, blank, unit);
}

/* The multiple of the scale's smallest unit in which |value| has most digits.
 */
static size_t
step_of(double value, const struct scale *scale)
{
	size_t i = 0;

	value = fabs(value) / scale->smallest;
	for (; value >= STEP_BELOW && scale->word[i + 1]; i++)
		value /= 1000;
	return i;
}

static char *
scaled(double value, const struct scale *scale, size_t step, double shown)
{
	double unit = scale->smallest * pow(1000, (double)step);

	return four_digits(value / unit, scale->word[step], shown / unit);
}

/* The scale of a column's name; with `bytes`, bandwidths have another. */
static const struct scale *
scale_for(const char *name, bool bytes)
{
	const struct scale *scale = is_identity(name) ? NULL : scale_of(name);

	return bytes && scale && !strcmp(scale->unit, bytes_per_second.unit)
	           ? &bytes_per_second
	           : scale;
}

/*
 * The text of a cell, in the unit that suits `like`, or (0) the value; its
 * smallest difference is `shown`, or (0) unknown.
 */
static char *
cell_text(const char *name, const char *text, bool bytes, double like,
          double shown)
{
	const struct scale *scale = scale_for(name, bytes);
	static const char prefixes[] = "KMGT", ending[] = "_bytes";
	size_t length = strlen(name), n = sizeof ending - 1, i = 0;
	uint64_t size;
	double value;

	if (is_identity(name) && length > n &&
	    !strcmp(name + length - n, ending)) {
		if (parse_integer(text, &size) || !size || size % 1024)
			return xstrdup(text);
		while (prefixes[i + 1] && size % ((uint64_t)1 << 20) == 0) {
			size >>= 10;
			i++;
		}
		return xasprintf("%ju%c", (uintmax_t)(size >> 10), prefixes[i]);
	}
	if (is_identity(name) || !*text || parse_number(text, &value))
		return xstrdup(text);
	if (scale)
		return scaled(value, scale,
		              step_of(like > 0 ? like : value, scale), shown);
	return strchr(text, '.') ? four_digits(value, "", shown)
	                         : xstrdup(text);
}

char *
human_text(const char *name, const char *text, bool bytes)
{
	return cell_text(name, text, bytes, 0, 0);
}

/* The name without the unit that human_text writes into the cells. Free it. */
static char *
human_name(const char *name)
{
	const struct scale *scale = scale_of(name);
	size_t length = strlen(name);

	if (!scale)
		return xstrdup(name);
	return xasprintf("%.*s", (int)(length - strlen(scale->unit) - 1), name);
}

/* The table ---------------------------------------------------------------- */

/* Wider texts may stand below their row. */
#define LEAST_WIDTH 16

/* Blanks before a text below a row. */
#define INDENT 4

/* Columns that constants take at most. */
#define USUAL_WIDTH 80

/* The values of a column have one unit if they differ by less than this. */
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
	char *title;
	char **text; /* one per row */
	enum place place;
	bool right;
	size_t width;
};

/* Columns, by index, that are printed side by side. */
struct block {
	size_t *col;
	size_t n;
};

static size_t
find(const struct pretty_table *t, const char *name)
{
	return find_word(name, (const char *const *)t->name, t->ncols);
}

/* Whether the other side of a comparison is the better one. */
static bool
is_better(const struct pretty_table *t, uintmax_t row)
{
	size_t i = 0;

	while (i < t->ncols && strncmp(t->name[i], "diff_", 5) != 0)
		i++;
	return i < t->ncols && (*t->cell[row * t->ncols + i] == '-') ==
	                           !strcmp(unit_of(t->name[i]), "ns");
}

/* The colour of a cell that a reader must not miss, or NULL. */
static const char *
colour_of(const struct pretty_table *t, size_t col, uintmax_t row)
{
	const char *name = t->name[col], *text = t->cell[row * t->ncols + col];

	if (!strcmp(name, "differs"))
		return strcmp(text, "yes") != 0 ? NULL
		       : is_better(t, row)      ? GREEN
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

/* Prints part of a cell in the cell's colour. */
static void
print_cell(const struct pretty_table *t, size_t col, uintmax_t row,
           const char *text)
{
	const char *colour = t->colour ? colour_of(t, col, row) : NULL;

	if (colour)
		fputs(colour, stdout);
	print_plain(stdout, text);
	if (colour)
		fputs(PLAIN, stdout);
}

/* How columns are shown ---------------------------------------------------- */

static bool
is_constant(const struct pretty_table *t, size_t col)
{
	uintmax_t row = 1;

	while (row < t->rows &&
	       !strcmp(t->cell[row * t->ncols + col], t->cell[col]))
		row++;
	return t->rows && row >= t->rows;
}

/*
 * The name without its unit, longer if another column has that name. If two
 * files are compared, their names for the values "base" and "other".
 */
static char *
title_of(const struct pretty_table *t, size_t col)
{
	char *title = human_name(t->name[col]), *other;
	size_t file = find(t, "file"), base = find(t, "base");
	size_t from = !strcmp(title, "other") ? file : base;

	for (size_t i = 0; i < t->ncols && !is_identity(t->name[col]); i++) {
		other = human_name(t->name[i]);
		if (i != col && !strcmp(title, other)) {
			free(title);
			title = is_identity(t->name[i])
			            ? xasprintf("%s_value", other)
			            : xstrdup(t->name[col]);
		}
		free(other);
	}
	if ((strcmp(title, "other") != 0 && strcmp(title, "base_value") != 0) ||
	    file == t->ncols || base == t->ncols || !is_constant(t, from) ||
	    strlen(t->cell[from]) > LEAST_WIDTH)
		return title;
	free(title);
	return xstrdup(t->cell[from]);
}

/*
 * Whether a percentile is near the minimum or maximum, because the row has few
 * samples: none is beyond it.
 */
static bool
is_weak(const char *name, const char *n)
{
	char percent[32], *point;
	double part, samples;

	if (*name != 'p' || parse_number(n, &samples))
		return false;
	snprintf(percent, sizeof percent, "%s", name + 1);
	point = strchr(percent, '_');
	if (point)
		*point = '.';
	part = strtod(percent, NULL);
	return samples > 1 && part > 0 && part < 100 &&
	       samples * fmin(part, 100 - part) < 100 - 1e-6;
}

/* A number near all of a column, for its unit; 0: there is none. */
static double
typical(const struct pretty_table *t, size_t col)
{
	double least = 0, most = 0, value;

	for (uintmax_t row = 0; row < t->rows; row++) {
		if (parse_number(t->cell[row * t->ncols + col], &value) ||
		    value == 0)
			continue;
		value = fabs(value);
		least = least == 0 || value < least ? value : least;
		most = value > most ? value : most;
	}
	return least * SAME_UNIT > most ? least : 0;
}

/*
 * Whether a column only repeats the median, because no row has more than one
 * sample.
 */
static bool
is_repeated(const struct pretty_table *t, size_t col, size_t n)
{
	const char *name = t->name[col], *unit = unit_of(name);
	char *median = xasprintf("median_%s", unit);
	bool repeated = n < t->ncols && find(t, median) < t->ncols && *unit &&
	                strcmp(name, median) != 0 && is_statistic(name);

	for (uintmax_t row = 0; row < t->rows && repeated; row++)
		repeated = !strcmp(t->cell[row * t->ncols + n], "1");
	free(median);
	return repeated && t->rows;
}

/* The number in the row's column of this name; NAN: none. */
static double
number_in(const struct pretty_table *t, uintmax_t row, char *name)
{
	size_t col = find(t, name);
	double value = NAN;

	if (col < t->ncols &&
	    parse_number(t->cell[row * t->ncols + col], &value))
		value = NAN;
	free(name);
	return value;
}

/*
 * The smallest difference that a value shows, or 0: half of its interval, or
 * the deviation of a mean, but no less than a tick of the clock.
 */
static double
shown_of(const struct pretty_table *t, size_t col, uintmax_t row)
{
	const char *name = t->name[col], *unit = unit_of(name);
	int limit = strstr(name, "_lo_") || strstr(name, "_hi_") ? 3 : 0;
	int n = (int)(unit - name) - limit;
	bool mean = !strncmp(name, "mean_", 5) || !strncmp(name, "stddev_", 7);
	double half = number_in(t, row, xasprintf("%.*shi_%s", n, name, unit)) -
	              number_in(t, row, xasprintf("%.*slo_%s", n, name, unit));

	if (mean)
		return number_in(t, row, xasprintf("stddev_%s", unit)) /
		       sqrt(number_in(t, row, xstrdup("n")));
	/* Times that are computed have no tick. */
	return fmax(half / 2,
	            !strcmp(unit, "ns") && (is_statistic(name) ||
	                                    find(t, "base_ns") < t->ncols)
	                ? t->tick_ns
	                : 0);
}

static enum place
place_of(const struct pretty_table *t, size_t col)
{
	const char *name = t->name[col], *unit = unit_of(name);
	bool constant = is_constant(t, col);

	if (constant && !*t->cell[col])
		return NOWHERE;
	if (is_label(name))
		return constant ? ABOVE : KEY;
	if (is_repeated(t, col, find(t, "n")))
		return NOWHERE;
	if (!strcmp(name, "bandwidth_gbit_s"))
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
look_at(const struct pretty_table *t, size_t col)
{
	const char *name = t->name[col];
	struct shown s = {.title = title_of(t, col),
	                  .text = xcalloc(t->rows, sizeof *s.text),
	                  .place = place_of(t, col),
	                  .right = !is_label(name)};
	size_t n = find(t, "n"), metric = find(t, "metric");
	double like = typical(t, col);
	bool of_metric = metric < t->ncols && !strcmp(name, "value");

	s.width = plain_width(s.title);
	for (uintmax_t row = 0; row < t->rows; row++) {
		const char *text = t->cell[row * t->ncols + col];
		const char *what =
		    of_metric ? t->cell[row * t->ncols + metric] : name;

		s.text[row] =
		    cell_text(*unit_of(what) ? what : name, text, t->bytes,
		              of_metric ? 0 : like, shown_of(t, col, row));
		if (*text && strstr(what, "percent"))
			xappend(&s.text[row], " ", "%%");
		if (t->markdown)
			escape_bars(&s.text[row]);
		if (n < t->ncols && is_weak(name, t->cell[row * t->ncols + n]))
			xappend(&s.text[row], "", "*");
		s.width = max_plain_width(s.width, s.text[row]);
	}
	return s;
}

/* What fits -------------------------------------------------------------- */

static size_t
width_of(const struct shown *shown, const struct block *b)
{
	size_t width = 0;

	for (size_t i = 0; i < b->n; i++)
		width += shown[b->col[i]].width + (i ? GAP : 0);
	return width;
}

/* The columns at these places. */
static struct block
columns_at(const struct pretty_table *t, const struct shown *shown,
           enum place first, enum place last)
{
	struct block b = {.col = xcalloc(t->ncols, sizeof *b.col)};

	for (enum place place = first; place <= last; place++) {
		for (size_t i = 0; i < t->ncols; i++) {
			if (shown[i].place == place)
				b.col[b.n++] = i;
		}
	}
	return b;
}

static bool
is_too_wide(const struct pretty_table *t, const struct shown *shown)
{
	struct block b = columns_at(t, shown, KEY, LAST);
	bool is = t->width && width_of(shown, &b) > t->width;

	free(b.col);
	return is;
}

/*
 * Until all fits, or only results do not: moves names of devices behind the
 * results, then the longest keys below the rows, except the first key.
 */
static void
make_room(const struct pretty_table *t, struct shown *shown)
{
	struct block keys = columns_at(t, shown, KEY, KEY);

	for (size_t i = 0; i < keys.n && is_too_wide(t, shown); i++) {
		if (!strcmp(t->name[keys.col[i]], "name"))
			shown[keys.col[i]].place = LAST;
	}
	for (size_t i = keys.n; i-- > 1 && is_too_wide(t, shown);) {
		struct shown *s = &shown[keys.col[i]];

		if (s->place == KEY && s->width > LEAST_WIDTH)
			s->place = BELOW;
	}
	for (size_t i = 0; t->width && i < t->ncols; i++) {
		if (2 * shown[i].width > t->width)
			shown[i].width =
			    max_plain_width(t->width / 2, shown[i].title);
	}
	free(keys.col);
}

/* Printing ----------------------------------------------------------------- */

/*
 * A copy of the characters of *text that fit into the width, up to a blank or,
 * without one, a slash if possible; moves *text behind them.
 */
static char *
next_piece(const char **text, size_t width)
{
	const char *p = *text, *blank = NULL, *slash = NULL;
	char *piece;

	for (size_t n = 0; *p && n < width; n++) {
		size_t length = utf8_length(p);

		p += length ? length : 1;
		if (*p == ' ')
			blank = p;
		if (p[-1] == '/')
			slash = p;
	}
	if (*p && (blank || slash))
		p = blank ? blank : slash;
	piece = xasprintf("%.*s", (int)(p - *text), *text);
	*text = p + strspn(p, " ");
	return piece;
}

/* Prints one line of a row and moves `rest` on; false if all was empty. */
static bool
print_line(const struct pretty_table *t, const struct shown *shown,
           const struct block *b, const char *rest[], const uintmax_t *row)
{
	size_t owed = 0; /* blanks to print before the next text */
	bool more = false;

	for (size_t i = 0; i < b->n; i++) {
		const struct shown *s = &shown[b->col[i]];
		char *piece = next_piece(&rest[i], s->width);
		size_t blank = t->markdown ? 0 : s->width - plain_width(piece);

		owed += s->right ? blank : 0;
		if (t->markdown) {
			fputs(i ? " | " : "| ", stdout);
			owed = 0;
		}
		if (*piece) {
			printf("%*s", (int)owed, "");
			if (row)
				print_cell(t, b->col[i], *row, piece);
			else
				print_plain(stdout, piece);
			owed = 0;
		}
		owed += GAP + (s->right ? 0 : blank);
		more = more || *rest[i];
		free(piece);
	}
	puts(t->markdown ? " |" : "");
	return more;
}

/* Prints a text of a cell, first into the rest of a line, then indented. */
static void
print_folded(const struct pretty_table *t, size_t col, uintmax_t row,
             const char *text, size_t indent, size_t room)
{
	size_t width = t->width ? t->width : USUAL_WIDTH;

	while (*text) {
		char *piece = next_piece(&text, room);

		print_cell(t, col, row, piece);
		if (*text)
			printf("\n%*s", (int)indent, "");
		room = width > indent ? width - indent : 1;
		free(piece);
	}
}

/* Prints a text that is too long for its row on lines of its own. */
static void
print_below(const struct pretty_table *t, const struct shown *shown, size_t col,
            uintmax_t row)
{
	size_t indent = INDENT + plain_width(shown[col].title) + 2;

	printf("%*s", INDENT, "");
	print_plain(stdout, shown[col].title);
	fputs(": ", stdout);
	print_folded(t, col, row, shown[col].text[row], indent,
	             t->width > indent ? t->width - indent : 1);
	putchar('\n');
}

static void
print_block(const struct pretty_table *t, const struct shown *shown,
            const struct block *b, bool last)
{
	const char **rest = xcalloc(b->n, sizeof *rest);

	for (size_t i = 0; i < b->n; i++)
		rest[i] = shown[b->col[i]].title;
	print_line(t, shown, b, rest, NULL);
	for (size_t i = 0; t->markdown && i < b->n; i++)
		printf("%s%s", i ? "" : "|",
		       shown[b->col[i]].right ? " ---: |" : " --- |");
	fputs(t->markdown && b->n ? "\n" : "", stdout);
	for (uintmax_t row = 0; row < t->rows; row++) {
		for (size_t i = 0; i < b->n; i++)
			rest[i] = shown[b->col[i]].text[row];
		while (print_line(t, shown, b, rest, &row))
			;
		for (size_t i = 0; last && i < t->ncols; i++) {
			if (shown[i].place == BELOW && *shown[i].text[row])
				print_below(t, shown, i, row);
		}
	}
	free(rest);
}

/* Prints the constant columns, as many on a line as fit. */
static void
print_above(const struct pretty_table *t, const struct shown *shown)
{
	const size_t width =
	    t->width && t->width < USUAL_WIDTH ? t->width : USUAL_WIDTH;
	size_t column = 0;
	bool any = false;

	for (size_t i = 0; i < t->ncols; i++) {
		const struct shown *s = &shown[i];
		size_t title = plain_width(s->title) + 1, all;

		if (s->place != ABOVE)
			continue;
		all = title + plain_width(s->text[0]);
		if (any && (t->markdown || column + GAP + all > width)) {
			putchar('\n');
			column = 0;
		}
		any = true;
		printf("%*s", (int)(column ? GAP : 0), "");
		fputs(t->markdown ? "* " : "", stdout);
		print_plain(stdout, s->title);
		fputs(t->markdown ? ": " : "=", stdout);
		column += (column ? GAP : 0) + all;
		print_folded(t, i, 0, s->text[0], INDENT,
		             t->markdown     ? all
		             : width > title ? width - title
		                             : 1);
	}
	fputs(any ? "\n\n" : "", stdout);
}

/* Prints as many columns side by side as fit, then the others below. */
static void
print_blocks(const struct pretty_table *t, const struct shown *shown,
             const struct block *all)
{
	struct block now = columns_at(t, shown, KEY, KEY), more;
	size_t keys = now.n;
	bool repeat = 2 * width_of(shown, &now) <= t->width;

	now.col = xreallocarray(now.col, all->n + 1, sizeof *now.col);
	for (size_t at = 0; at < all->n;) {
		fputs(at ? "\n" : "", stdout);
		now.n = at && repeat ? keys : 0;
		do {
			now.col[now.n++] = all->col[at++];
			now.col[now.n] = at < all->n ? all->col[at] : 0;
			more = (struct block){now.col, now.n + 1};
		} while (at < all->n &&
		         (!t->width || width_of(shown, &more) <= t->width));
		print_block(t, shown, &now, at == all->n);
		memcpy(now.col, all->col, keys * sizeof *now.col);
	}
	free(now.col);
}

void
print_table(const struct pretty_table *t)
{
	struct shown *shown = xcalloc(t->ncols, sizeof *shown);
	struct block all;

	for (size_t i = 0; i < t->ncols; i++)
		shown[i] = look_at(t, i);
	make_room(t, shown);
	all = columns_at(t, shown, KEY, LAST);
	if (t->rows)
		print_above(t, shown);
	print_blocks(t, shown, &all);
	free(all.col);
	for (size_t i = 0; i < t->ncols; i++) {
		for (uintmax_t row = 0; row < t->rows; row++)
			free(shown[i].text[row]);
		free(shown[i].text);
		free(shown[i].title);
	}
	free(shown);
}
