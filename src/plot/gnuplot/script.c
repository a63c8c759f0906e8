/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the gnuplot script of a picture. */
#include "plot/gnuplot/script.h"

#include "common/base/utf8.h"
#include "common/base/util.h"
#include "plot/gnuplot/curves.h"
#include "plot/gnuplot/page.h"
#include "plot/gnuplot/quote.h"

#include <ctype.h>
#include <math.h>

/*
 * Most lines of the subtitle, also as a part of the picture's lines; most lines
 * of the note.
 */
#define SUBTITLE_LINES 3
#define SUBTITLE_PART  8
#define NOTE_LINES     2
#define TITLE_LINES    2

/* A picture with fewer lines has neither. */
#define LINES_OF_SMALL 15

/* The name of a vertical axis may exceed the axis by this many lines. */
#define LINES_BESIDE_AXIS 4

/* Lines between the names of two tics. */
#define LINES_OF_TIC 1.1

/* On a vertical axis with fewer lines, gnuplot's tics overlap. */
#define LINES_OF_AXIS 10

/* The same for columns of a horizontal axis; a tic has room for 6 digits. */
#define COLUMNS_OF_AXIS 60
#define COLUMNS_OF_TIC  10

static void
write_cut(const char *before, const char *text, size_t width)
{
	char *plain = plain_text(text, width);

	write_string(stdout, before, plain);
	free(plain);
}

/* What comes before ------------------------------------------------------- */

static void
write_preamble(const struct script *s)
{
	if (!s->preamble)
		return;
	for (size_t i = 0; i < s->preamble->n; i++) {
		const struct preamble_entry *e = &s->preamble->entry[i];
		fputs("# ", stdout);
		write_comment(stdout, e->key);
		fputs(": ", stdout);
		write_comment(stdout, e->value);
		putchar('\n');
	}
	if (!s->complete)
		puts("# complete: no");
}

static bool
is_ascii(const char *text)
{
	while (*text && (unsigned char)*text < 0x80)
		text++;
	return !*text;
}

/* Only if needed: in the C locale gnuplot warns of any encoding. */
static void
write_encoding(const struct picture *p)
{
	bool ascii = is_ascii(p->title) && is_ascii(p->subtitle);

	for (; p; p = p->below) {
		for (size_t i = 0; i < p->n; i++)
			ascii = ascii && (!p->curve[i].name ||
			                  is_ascii(p->curve[i].name));
		for (size_t i = 0; i < p->nrows; i++)
			ascii = ascii && is_ascii(p->row[i]);
	}
	if (!ascii)
		puts("set encoding utf8");
}

static void
write_terminal(const struct script *s, const struct picture *p)
{
	const struct terminal *t = s->terminal;

	puts("reset");
	write_encoding(p);
	printf("set terminal %s noenhanced ", t->driver);
	if (t->per_inch)
		printf("size %.2fin,%.2fin", (double)p->width / t->per_inch,
		       (double)p->height / t->per_inch);
	else
		printf("size %.0f,%.0f", round(p->width * t->scale),
		       round(p->height * t->scale));
	/* What a browser shows as a title, instead of "Gnuplot". */
	if (!strcmp(t->driver, "svg") && !t->page && *p->title) {
		fputs(" name '", stdout);
		for (const char *c = p->title; *c; c++)
			putchar(isalnum((unsigned char)*c) ? *c : '_');
		putchar('\'');
	}
	if (t->font) {
		char *font = xasprintf("%s,%u", t->font, t->font_size);

		write_string(stdout, " font ", font);
		free(font);
	}
	if (t->scale != 1)
		printf(" fontscale %g linewidth %g pointscale %g", t->scale,
		       t->scale, t->scale);
	printf("%s%s\n", *t->options ? " " : "", t->options);
}

/* Title and constants ------------------------------------------------------ */

/* The part of a plain text for one line: up to a comma or semicolon, else a
 * blank. */
static size_t
line_length(const char *text, size_t width)
{
	size_t comma = 0;
	size_t blank = 0;
	size_t i = 0;

	for (; text[i]; i += utf8_length(text + i)) {
		size_t columns = utf8_columns(text + i);

		if (columns > width)
			return comma ? comma : blank ? blank : i;
		width -= columns;
		if (text[i] == ' ')
			blank = i + 1;
		if (strchr(",;", text[i]) && text[i + 1] == ' ')
			comma = i + 2;
	}
	return i;
}

/* Splits a text into at most `most` lines of at most `width` characters. */
static size_t
split(const char *text, size_t width, char *line[], size_t most)
{
	char *plain = plain_text(text, 0);
	const char *rest = plain;
	size_t n = 0;

	while (*rest && n < most) {
		bool ends = n + 1 == most && plain_width(rest) > width;
		size_t length = line_length(rest, ends ? width - 3 : width);

		line[n++] =
		    xasprintf("%.*s%s", (int)length, rest, ends ? "..." : "");
		rest += length;
	}
	free(plain);
	return n;
}

/* Writes title and subtitle; returns their number of lines. */
static size_t
write_titles(const struct picture *p, const struct terminal *t)
{
	size_t width = p->width / t->em_w - 8;
	char *line[SUBTITLE_LINES + NOTE_LINES];
	bool small = !t->text && p->height / t->em_h < LINES_OF_SMALL;
	size_t most = small ? 0 : p->height / t->em_h / SUBTITLE_PART;
	size_t n = split(p->subtitle, width, line,
	                 most < SUBTITLE_LINES ? most : SUBTITLE_LINES);
	size_t above;
	bool titled = *p->title;

	if (p->note)
		n += split(p->note, width, line + n, small ? 1 : NOTE_LINES);
	above = n + (!titled ? 1 : t->text ? 2 : 3);
	if (titled) {
		char *part[TITLE_LINES];
		size_t lines = split(p->title, t->text ? width : width * 3 / 4,
		                     part, TITLE_LINES);

		for (size_t i = 0; i < lines; i++) {
			write_string(stdout, i ? ".\"\\n\"." : "set title ",
			             part[i]);
			free(part[i]);
		}
		above += lines - 1;
		/* From the middle of the axes to that of the picture. */
		printf(" offset %g,%zu font ',%u'\n",
		       title_offset(p, t) * (t->text ? 1 : 0.75),
		       t->text ? n + 1 : n,
		       t->untitled || t->text ? t->font_size
		                              : t->font_size * 4 / 3);
	} else {
		puts("unset title");
	}
	printf("set tmargin %zu\n", above);
	for (size_t i = 0; i < n; i++) {
		write_string(stdout, "set label ", line[i]);
		printf(" at screen 0.5, graph 1 center offset 0,%zu\n",
		       n - i + (titled && t->text ? 1 : 0));
		free(line[i]);
	}
	return above;
}

/* Axes -------------------------------------------------------------------- */

/* gnuplot reads the name of a tic as a format. */
static void
write_tic(const char *before, const char *label)
{
	char *format = xcalloc(2, strlen(label) + 1), *to = format;

	for (; *label; label++) {
		if (*label == '%')
			*to++ = '%';
		*to++ = *label;
	}
	write_string(stdout, before, format);
	free(format);
}

/* Linear up to the body, then logarithmic, as axis_position does. */
static void
write_body(const char *name, const struct axis *a)
{
	double decades = log(a->max / a->body);
	double width = a->body - a->min;

	printf("set nonlinear %s via %s <= %.17g ? "
	       "%g * (%s - %.17g) / %.17g : %g + %g * log(%s / %.17g) / %.17g "
	       "inverse %s <= %g ? %.17g + %s / %g * %.17g : "
	       "%.17g * exp((%s - %g) / %g * %.17g)\n",
	       name, name, a->body, BODY_PART, name, a->min, width, BODY_PART,
	       1 - BODY_PART, name, a->body, decades, name, BODY_PART, a->min,
	       name, BODY_PART, width, a->body, name, BODY_PART, 1 - BODY_PART,
	       decades);
	printf("set arrow from first %.17g, graph 0 to first %.17g, graph 1 "
	       "nohead dashtype 3 linecolor rgb '#909090' back\n",
	       a->body, a->body);
}

/* Writes the tics; every n-th named one keeps its name. */
static void
write_tics(const struct axis *a, size_t every)
{
	size_t named = 0;

	for (size_t i = 0; i < a->ntics; i++) {
		const char *label = a->tic[i].label;
		bool shown = *label && named++ % every == 0;

		write_tic(i ? ", " : " (", shown ? label : "");
		write_number(" ", a->tic[i].at);
		if (!shown)
			fputs(" 1", stdout);
	}
	puts(a->ntics ? ")" : "");
}

/*
 * Writes an axis, whose name may have `room` characters and the names of its
 * tics `tics`.
 */
static void
write_axis(const char *name, const struct axis *a, size_t room, size_t tics)
{
	size_t named = 0;

	for (size_t i = 0; i < a->ntics; i++)
		named += *a->tic[i].label != '\0';
	if (room && a->label) {
		printf("set %slabel", name);
		write_cut(" ", a->label, room);
		putchar('\n');
	}
	printf("set %srange", name);
	write_number(" [", a->min);
	write_number(":", a->max);
	puts("]");
	if (a->log)
		printf("set logscale %s %u\n", name, a->log);
	if (a->body > 0)
		write_body(name, a);
	if (!a->ntics)
		printf("set format %s '%%.12g'\n", name);
	printf("set %stics nomirror out", name);
	if (a->step > 0 && a->last > 0)
		write_number(" ", a->step * ceil(a->min / a->step));
	if (a->step > 0)
		write_number(a->last > 0 ? "," : " ", a->step);
	if (a->step > 0 && a->last > 0)
		write_number(",", a->last);
	write_tics(a, tics && named > tics ? (named + tics - 1) / tics : 1);
}

/* Writes texts beside rows, for every n-th row. */
static void
write_remarks(const struct picture *p, const struct terminal *t, size_t every)
{
	for (size_t i = 0; i < p->nremarks; i++) {
		const struct remark *r = &p->remark[i];

		if (r->row % every)
			continue;
		write_string(stdout, "set label ", r->text);
		write_number(" at ", r->at / p->x.unit);
		printf(", %zu %s front%s\n", r->row + 1,
		       r->centred ? "center"
		       : t->text  ? "left offset 2,0"
		                  : "left offset 1.5,0",
		       r->white && !t->text ? " textcolor rgb '#ffffff'" : "");
	}
}

/* Writes the rows of a panel as vertical axis; some names if not all fit. */
static void
write_rows(const struct picture *p, const struct picture *panel,
           const struct terminal *t, const struct lines *lines)
{
	size_t width = names_width(p, t);
	size_t every = (size_t)ceil(1 / fmin(lines->each, 1));
	size_t next = 0;
	char *name;

	/* In a text terminal with a line for each row, none is on the axis. */
	printf("set yrange [%zu.%d:0.%d]\nunset ytics\n",
	       panel->nrows ? panel->nrows : 1, t->text ? 6 : 5,
	       t->text ? 6 : 5);
	for (size_t i = 0; i < panel->nrows; i++) {
		if (i < next || !*panel->row[i])
			continue;
		name =
		    plain_name(panel->row[i], panel->row, panel->nrows, width);
		write_string(stdout, "set label ", name);
		free(name);
		printf(" at screen 0, first %zu left offset 1,0\n", i + 1);
		next = i + every;
	}
	printf("set lmargin at screen %.3f\n",
	       (double)(rows_margin(p, t) * t->em_w) / p->width);
	write_remarks(panel, t, every);
}

/* Viridis from light to dark, which also orders values without colour. */
static void
write_shades(const struct shades *s, double lines)
{
	puts("set palette defined (0 '#fde725', 1 '#90d743', 2 '#35b779', "
	     "3 '#21918c', 4 '#31688e', 5 '#443983', 6 '#440154')");
	printf("%s logscale cb\n", s->log ? "set" : "unset");
	write_number("set cbrange [", s->low);
	write_number(":", s->high);
	puts("]");
	if (s->log)
		puts("set cbtics autofreq");
	else
		printf("set cbtics %g\n",
		       round_up((s->high - s->low) / fmax(lines / 2, 1)));
	write_string(stdout, "set cblabel ", s->label);
	putchar('\n');
}

static void
write_axes(const struct picture *p, const struct picture *panel,
           const struct terminal *t, const struct lines *all)
{
	double lines = panel_lines(panel, all);
	size_t columns = p->width / t->em_w;
	struct axis x = panel->x, y = panel->y;

	/* On a narrow picture, gnuplot's own tics overlap. */
	if (!x.ntics && x.step <= 0 && columns < COLUMNS_OF_AXIS)
		axis_few_tics(&x, (unsigned)columns / COLUMNS_OF_TIC);
	write_axis("x", &x, columns, SIZE_MAX);
	if (y.label) {
		double room = (lines + LINES_BESIDE_AXIS) * t->em_h / t->em_w;

		if (!t->text && !y.ntics && lines < LINES_OF_AXIS)
			axis_few_tics(&y, lines > 4 ? (unsigned)lines / 2 : 2);
		write_axis("y", &y, t->text ? 0 : (size_t)fmax(room, 12),
		           (size_t)fmax(lines / LINES_OF_TIC, 1));
	} else {
		write_rows(p, panel, t, all);
	}
	if (panel->shades.label && !t->text)
		write_shades(&panel->shades, lines);
	/* Text terminals cannot rotate text: the name is above the axis. */
	if (y.label && t->text) {
		write_cut("set label ", y.label, p->width / t->em_w - 8);
		puts(" at screen 0, graph 1 offset 1,1");
	}
	puts("set border 3");
	if (!t->text)
		puts("set grid linetype 1 linecolor rgb '#dcdcdc' linewidth 1");
}

/*
 * A single panel has the legend below its axes. Several have it in a panel of
 * its own, where it has room even if the others are low.
 */
static void
write_panels(const struct picture *p, size_t above, const struct legend *l,
             const struct terminal *t)
{
	const struct legend none = {0}, *own = p->below ? &none : l;
	struct lines lines = lines_of(p, (double)above, l, t);
	size_t number = 0;

	if (p->below)
		puts("set multiplot");
	for (const struct picture *panel = p; panel; panel = panel->below) {
		write_axes(p, panel, t, &lines);
		if (!panel->n)
			puts("set label 'no data' at graph 0.5, graph 0.5 "
			     "center\nunset tics\nunset grid");
		write_legend(own, t);
		if (p->below)
			write_margins(p, panel, lines, t);
		write_line_ends(p, t);
		write_curves(p, panel, t, own);
		if (t->page)
			write_page_plot(number++);
		if (p->below)
			puts("unset label\nunset title\nunset xlabel\n"
			     "unset arrow\nunset logscale");
		if (p->below && panel->x.body > 0)
			puts("unset nonlinear x");
	}
	if (p->below && l->entries) {
		puts("unset border\nunset tics\nunset grid\nunset ylabel");
		write_legend(l, t);
		puts("set tmargin at screen 1\nset bmargin at screen 0\n"
		     "set lmargin at screen 0\nset rmargin at screen 1");
		write_names(p, t, l);
	}
	if (p->below)
		puts("unset multiplot");
}

void
write_script(const struct script *s, const struct picture *p)
{
	struct legend l = legend_of(p, s->terminal);

	stream_begins();
	strings_in_cells(s->terminal->text);
	write_preamble(s);
	write_terminal(s, p);
	if (s->terminal->page)
		write_page_begin(p);
	write_panels(p, write_titles(p, s->terminal), &l, s->terminal);
	if (s->terminal->page)
		write_page_end(p);
}
