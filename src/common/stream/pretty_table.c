/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Results for people: aligned, scaled, constant columns above the table. */
#include "common/stream/pretty_table.h"

#include "common/base/number.h"
#include "common/base/utf8.h"
#include "common/base/util.h"
#include "common/stream/columns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Four digits; no decimals behind a whole number of four digits or more. */
static char *
four_digits(double value, const char *unit)
{
	double size = fabs(value);
	int decimals = size >= STEP_BELOW ? 0
	               : size >= 99.995   ? 1
	               : size >= 9.9995   ? 2
	                                  : 3;
	bool tiny = size < 0.99995;
	const char *blank = *unit ? " " : "";

	if (size == 0)
		return xasprintf("0%s%s", blank, unit);
	if (tiny || size >= 1e15)
		return xasprintf("%.4g%s%s", value, blank, unit);
	return xasprintf("%.*f%s%s", decimals, value, blank, unit);
}

static char *
scaled(double value, const struct scale *scale)
{
	size_t i = 0;

	value /= scale->smallest;
	while (fabs(value) >= STEP_BELOW && scale->word[i + 1]) {
		value /= 1000;
		i++;
	}
	return four_digits(value, scale->word[i]);
}

char *
human_text(const char *name, const char *text, bool bytes)
{
	const struct scale *scale = scale_of(name);
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
	if (bytes && scale && !strcmp(scale->unit, bytes_per_second.unit))
		scale = &bytes_per_second;
	if (scale)
		return scaled(value, scale);
	return strchr(text, '.') ? four_digits(value, "") : xstrdup(text);
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

/* Smallest width that texts are wrapped to. */
#define LEAST_WIDTH 16

/* Blanks before a text below a row. */
#define INDENT 4

/* Blanks between columns. */
#define GAP 2

#define YELLOW "\033[33m"
#define RED    "\033[31m"
#define PLAIN  "\033[m"

/*
 * BELOW: on lines of its own below each row, because it is too long. LAST:
 * after the results.
 */
enum place { IN_TABLE, LAST, ABOVE, BELOW, NOWHERE };

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

static void
print_padding(size_t n)
{
	printf("%*s", (int)n, "");
}

/* The colour of cells that a reader must not miss, or NULL. */
static const char *
colour_of(const char *name, const char *text)
{
	if (!strcmp(name, "differs") || !strcmp(name, "check"))
		return !strcmp(text, "yes") || !strcmp(text, "worse") ? RED
		       : !strcmp(text, "unclear")                     ? YELLOW
		                                                      : NULL;
	if (!strcmp(name, "flags"))
		return *text ? YELLOW : NULL;
	if (!strcmp(name, "kind"))
		return *text && strcmp(text, "measured") != 0 ? YELLOW : NULL;
	return NULL;
}

static void
print_cell(const struct pretty_table *t, size_t col, const char *whole,
           const char *text)
{
	const char *colour = t->colour ? colour_of(t->name[col], whole) : NULL;

	if (colour)
		fputs(colour, stdout);
	print_plain(stdout, text);
	if (colour)
		fputs(PLAIN, stdout);
}

/* How columns are shown ---------------------------------------------------- */

/* The name without its unit; a longer one if another column has that. */
static char *
title_of(const struct pretty_table *t, size_t col)
{
	char *title = human_name(t->name[col]), *other, *longer = NULL;

	for (size_t i = 0; i < t->ncols && !longer; i++) {
		if (i == col || is_identity(t->name[col]))
			continue;
		other = human_name(t->name[i]);
		if (!strcmp(title, other))
			longer = is_identity(t->name[i])
			             ? xasprintf("%s_value", title)
			             : xstrdup(t->name[col]);
		free(other);
	}
	if (!longer)
		return title;
	free(title);
	return longer;
}

/* A statistic without a unit is a value column, too. */
static bool
is_key(const char *name)
{
	return is_identity(name) && !is_bare_statistic(name);
}

/* Whether the column names the device of a row. */
static bool
is_name_of_row(const struct pretty_table *t, size_t col)
{
	if (strcmp(t->name[col], "name") != 0)
		return false;
	for (size_t i = 0; i < t->ncols; i++) {
		if (!is_key(t->name[i]))
			return true;
	}
	return false;
}

/*
 * Whether a percentile is near the minimum or maximum, because the row has few
 * samples: none is beyond it.
 */
static bool
is_weak(const char *name, const char *n)
{
	char *percent;
	double part, samples;
	bool weak;

	if (*name != 'p' || parse_number(n, &samples))
		return false;
	percent = xasprintf("%.*s", (int)(unit_of(name) - name) - 2, name + 1);
	for (char *c = percent; (c = strchr(c, '_'));)
		*c = '.';
	weak = !parse_number(percent, &part) && samples > 1 && part > 0 &&
	       part < 100 && samples * fmin(part, 100 - part) < 100 - 1e-6;
	free(percent);
	return weak;
}

static struct shown
look_at(const struct pretty_table *t, size_t col)
{
	const char *name = t->name[col], *first = t->rows ? t->cell[col] : "";
	struct shown s = {.title = title_of(t, col),
	                  .text = xcalloc(t->rows, sizeof *s.text),
	                  .right = !is_key(name)};
	size_t n = find_word("n", (const char *const *)t->name, t->ncols);
	bool constant = true;

	s.width = plain_width(s.title);
	for (uintmax_t row = 0; row < t->rows; row++) {
		const char *text = t->cell[row * t->ncols + col];

		s.text[row] = human_text(name, text, t->bytes);
		if (n < t->ncols && is_weak(name, t->cell[row * t->ncols + n]))
			xappend(&s.text[row], "", "*");
		s.width = max_plain_width(s.width, s.text[row]);
		constant = constant && !strcmp(text, first);
	}
	if (t->rows && constant && !*first)
		s.place = NOWHERE;
	else if (t->rows && constant && is_key(name))
		s.place = ABOVE;
	else if (is_key(name) && t->width && 2 * s.width > t->width &&
	         !is_name_of_row(t, col))
		s.place = BELOW;
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

/* The columns in the table; `identity`: only key columns. */
static struct block
columns_in(const struct pretty_table *t, const struct shown *shown,
           bool identity)
{
	struct block b = {.col = xcalloc(t->ncols, sizeof *b.col)};

	for (size_t i = 0; i < t->ncols; i++) {
		if (shown[i].place == IN_TABLE && !(identity && shown[i].right))
			b.col[b.n++] = i;
	}
	for (size_t i = 0; !identity && i < t->ncols; i++) {
		if (shown[i].place == LAST)
			b.col[b.n++] = i;
	}
	return b;
}

static size_t
width_in(const struct pretty_table *t, const struct shown *shown, bool identity)
{
	struct block b = columns_in(t, shown, identity);
	size_t width = width_of(shown, &b);

	free(b.col);
	return width;
}

/* Moves names of devices after the results, unless all fits. */
static void
move_names(const struct pretty_table *t, struct shown *shown)
{
	for (size_t i = 0; i < t->ncols; i++) {
		size_t taken;

		if (width_in(t, shown, false) <= t->width)
			return;
		if (shown[i].place != IN_TABLE || !is_name_of_row(t, i))
			continue;
		shown[i].place = LAST;
		taken = width_in(t, shown, true) + GAP;
		if (taken + LEAST_WIDTH < t->width &&
		    taken + shown[i].width > t->width)
			shown[i].width = t->width - taken;
	}
}

/* Moves long texts below the rows, from the last column on, until all fits. */
static void
sink(const struct pretty_table *t, struct shown *shown)
{
	struct block identity = columns_in(t, shown, true);

	for (size_t i = identity.n; i-- > 1;) {
		struct shown *s = &shown[identity.col[i]];

		if (width_in(t, shown, false) <= t->width)
			break;
		if (s->width > LEAST_WIDTH)
			s->place = BELOW;
	}
	free(identity.col);
}

/* Narrows the widest texts until the table fits. */
static void
narrow(const struct pretty_table *t, struct shown *shown, const struct block *b)
{
	for (size_t all = width_of(shown, b); t->width && all > t->width;
	     all--) {
		struct shown *widest = NULL;

		for (size_t i = 0; i < b->n; i++) {
			struct shown *s = &shown[b->col[i]];
			size_t least = max_plain_width(LEAST_WIDTH, s->title);

			if (s->place != LAST &&
			    (!s->right || !strcmp(s->title, "flags")) &&
			    s->width > least &&
			    (!widest || s->width > widest->width))
				widest = s;
		}
		if (!widest)
			return;
		widest->width--;
	}
}

/*
 * Moves the columns of `rest` that fit side by side into the result, at least
 * one; all but the first block repeat the columns of `identity`.
 */
static struct block
take_block(const struct pretty_table *t, const struct shown *shown,
           const struct block *identity, struct block *rest)
{
	struct block now = {.col = xcalloc(t->ncols, sizeof *now.col)};
	size_t taken = 0;

	if (2 * width_of(shown, identity) <= t->width) {
		for (; now.n < identity->n; now.n++)
			now.col[now.n] = identity->col[now.n];
	}
	while (taken < rest->n) {
		now.col[now.n++] = rest->col[taken];
		if (t->width && taken && width_of(shown, &now) > t->width) {
			now.n--;
			break;
		}
		taken++;
	}
	rest->n -= taken;
	memmove(rest->col, rest->col + taken, rest->n * sizeof *rest->col);
	return now;
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
		size_t blank = s->width - plain_width(piece);

		owed += s->right ? blank : 0;
		if (*piece) {
			print_padding(owed);
			print_cell(t, b->col[i],
			           row ? t->cell[*row * t->ncols + b->col[i]]
			               : "",
			           piece);
			owed = 0;
		}
		owed += GAP + (s->right ? 0 : blank);
		more = more || *rest[i];
		free(piece);
	}
	putchar('\n');
	return more;
}

/* Prints a text that is too long for its row on lines of its own. */
static void
print_below(const struct pretty_table *t, const struct shown *s, uintmax_t row)
{
	size_t title = INDENT + plain_width(s->title) + 2;
	size_t indent = 2 * title < t->width ? title : INDENT;
	const char *rest = s->text[row];

	if (!*rest)
		return;
	print_padding(INDENT);
	print_plain(stdout, s->title);
	fputs(indent == title ? ": " : ":\n", stdout);
	for (bool first = indent == title; *rest; first = false) {
		size_t width = t->width > indent ? t->width - indent : 1;
		char *piece = next_piece(&rest, width);

		print_padding(first ? 0 : indent);
		print_plain(stdout, piece);
		putchar('\n');
		free(piece);
	}
}

static void
print_block(const struct pretty_table *t, const struct shown *shown,
            const struct block *b, bool last)
{
	const char **rest = xcalloc(b->n, sizeof *rest);

	for (size_t i = 0; i < b->n; i++)
		rest[i] = shown[b->col[i]].title;
	print_line(t, shown, b, rest, NULL);
	for (uintmax_t row = 0; row < t->rows; row++) {
		for (size_t i = 0; i < b->n; i++)
			rest[i] = shown[b->col[i]].text[row];
		while (print_line(t, shown, b, rest, &row))
			;
		for (size_t i = 0; last && i < t->ncols; i++) {
			if (shown[i].place == BELOW)
				print_below(t, &shown[i], row);
		}
	}
	free(rest);
}

/* Prints a value from column `from` on, wrapped to the terminal. */
static void
print_value(const struct pretty_table *t, size_t col, const char *text,
            size_t from)
{
	size_t room = t->width > from ? t->width - from : 1;
	const char *rest = text;

	do {
		char *piece = next_piece(&rest, t->width ? room : strlen(rest));

		print_cell(t, col, text, piece);
		free(piece);
		putchar('\n');
		if (*rest)
			print_padding(from);
	} while (*rest);
}

static void
print_above(const struct pretty_table *t, const struct shown *shown)
{
	size_t widest = 0;
	bool any = false;

	for (size_t i = 0; i < t->ncols; i++) {
		if (shown[i].place == ABOVE)
			widest = max_plain_width(widest, shown[i].title);
	}
	for (size_t i = 0; i < t->ncols; i++) {
		size_t blank = widest - plain_width(shown[i].title);

		if (shown[i].place != ABOVE)
			continue;
		fputs(t->markdown ? "* " : "", stdout);
		print_plain(stdout, shown[i].title);
		fputs(t->markdown ? ": " : "", stdout);
		print_padding(t->markdown ? 0 : blank + GAP);
		print_value(t, i, shown[i].text[0], widest + GAP);
		any = true;
	}
	if (any)
		putchar('\n');
}

/* For Markdown a | ends a cell. */
static void
print_markdown_cell(const char *text)
{
	fputs(" ", stdout);
	while (*text) {
		size_t length = strcspn(text, "|");
		char *part = xasprintf("%.*s", (int)length, text);

		print_plain(stdout, part);
		free(part);
		text += length;
		fputs(*text ? "\\|" : "", stdout);
		text += *text == '|';
	}
	fputs(" |", stdout);
}

static void
print_markdown(const struct pretty_table *t, const struct shown *shown,
               const struct block *b)
{
	putchar('|');
	for (size_t i = 0; i < b->n; i++)
		print_markdown_cell(shown[b->col[i]].title);
	fputs("\n|", stdout);
	for (size_t i = 0; i < b->n; i++)
		fputs(shown[b->col[i]].right ? " ---: |" : " --- |", stdout);
	for (uintmax_t row = 0; row < t->rows; row++) {
		fputs("\n|", stdout);
		for (size_t i = 0; i < b->n; i++)
			print_markdown_cell(shown[b->col[i]].text[row]);
	}
	putchar('\n');
}

static void
print_blocks(const struct pretty_table *t, const struct shown *shown,
             struct block *rest)
{
	struct block identity = columns_in(t, shown, true), none = {0};
	bool first = true;

	while (rest->n) {
		struct block now =
		    take_block(t, shown, first ? &none : &identity, rest);

		if (!first)
			putchar('\n');
		print_block(t, shown, &now, !rest->n);
		free(now.col);
		first = false;
	}
	free(identity.col);
}

void
print_table(const struct pretty_table *t)
{
	struct shown *shown = xcalloc(t->ncols, sizeof *shown);
	struct block all;
	size_t first = 0;

	for (size_t i = 0; i < t->ncols; i++)
		shown[i] = look_at(t, i);
	/* Keeps one key column in the table: rows stay distinguishable. */
	while (first < t->ncols && !is_key(t->name[first]))
		first++;
	while (first < t->ncols &&
	       (shown[first].place == ABOVE || shown[first].place == NOWHERE))
		first++;
	if (first < t->ncols && shown[first].place == BELOW)
		shown[first].place = IN_TABLE;
	if (t->width) {
		move_names(t, shown);
		sink(t, shown);
	}
	all = columns_in(t, shown, false);
	if (t->rows)
		print_above(t, shown);
	narrow(t, shown, &all);
	if (t->markdown && all.n)
		print_markdown(t, shown, &all);
	else
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
