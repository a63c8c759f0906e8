#include "plot/script.h"

#include "common/text.h"
#include "common/units.h"
#include "plot/legend.h"
#include "plot/quote.h"

#include <stdlib.h>
#include <string.h>

/* Lines that what is constant takes at most. */
#define SUBTITLE_LINES 3

static void
write_cut(const char *text, size_t width)
{
	char *plain = plain_text(text, width);

	write_string(stdout, plain);
	free(plain);
}

static void
write_number(double value)
{
	char text[32];

	*print_double(text, value) = '\0';
	fputs(text, stdout);
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

/*
 * Only where it is needed: in the C locale gnuplot complains of any encoding
 * that is set.
 */
static void
write_encoding(const struct picture *p)
{
	bool ascii = is_ascii(p->title) && is_ascii(p->subtitle);

	for (size_t i = 0; i < p->n; i++)
		ascii = ascii && is_ascii(p->curve[i].name);
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
		printf("size %u,%u", p->width, p->height);
	printf("%s%s\n", *t->options ? " " : "", t->options);
	if (!s->output)
		return;
	fputs("set output ", stdout);
	write_string(stdout, s->output);
	putchar('\n');
}

/* Title and constants ------------------------------------------------------ */

/* How much of a plain text goes on one line: up to a comma, if there is one. */
static size_t
line_length(const char *text, size_t width)
{
	size_t best = 0;
	size_t i = 0;

	for (; text[i]; i += utf8_length(text + i)) {
		if (!width--)
			return best ? best : i;
		if (text[i] == ',' && text[i + 1] == ' ')
			best = i + 2;
	}
	return i;
}

/* Cuts a text into lines of at most `width`; returns how many. */
static size_t
split(const char *text, size_t width, char *line[SUBTITLE_LINES])
{
	char *plain = plain_text(text, 0);
	const char *rest = plain;
	size_t n = 0;

	while (*rest && n < SUBTITLE_LINES) {
		bool ends =
		    n + 1 == SUBTITLE_LINES && plain_width(rest) > width;
		size_t length = line_length(rest, ends ? width - 3 : width);

		line[n++] =
		    xasprintf("%.*s%s", (int)length, rest, ends ? "..." : "");
		rest += length;
	}
	free(plain);
	return n;
}

/* What is constant: the first of `n` lines stands `height` above the axes. */
static void
write_subtitle(char *line[SUBTITLE_LINES], size_t n, double height)
{
	for (size_t i = 0; i < n; i++) {
		fputs("set label ", stdout);
		write_string(stdout, line[i]);
		printf(" at graph 0.5, graph 1 center offset 0,%g\n",
		       height - (double)i);
		free(line[i]);
	}
}

static void
write_titles(const struct picture *p, const struct terminal *t)
{
	size_t width = p->width / t->em_w - 8;
	char *line[SUBTITLE_LINES];
	size_t n = split(p->subtitle, width, line);

	/* Text is not turned: the vertical axis has its name on top. */
	if (t->text) {
		fputs("set label ", stdout);
		write_cut(p->y.label, width);
		puts(" at screen 0, graph 1 offset 1,1");
	}
	fputs("set title ", stdout);
	write_cut(p->title, t->text ? width : width * 3 / 4);
	printf(" offset 0,%zu font ',%u'\n", t->text ? n + 1 : n,
	       t->title_font);
	printf("set tmargin %zu\n", n + (t->text ? 2 : 3));
	write_subtitle(line, n, (double)n + (t->text ? 1 : -0.3));
}

/* Axes ----------------------------------------------------------------------
 */

static void
write_axis(const char *name, const struct axis *a, bool labelled)
{
	if (labelled) {
		printf("set %slabel ", name);
		write_string(stdout, a->label);
		putchar('\n');
	}
	printf("set %srange [", name);
	write_number(a->min);
	putchar(':');
	write_number(a->max);
	puts("]");
	if (a->log)
		printf("set logscale %s %u\n", name, a->log);
	if (!a->ntics)
		printf("set format %s '%%.12g'\n", name);
	printf("set %stics nomirror out", name);
	for (size_t i = 0; i < a->ntics; i++) {
		fputs(i ? ", " : " (", stdout);
		write_string(stdout, a->tic[i].label);
		putchar(' ');
		write_number(a->tic[i].at);
	}
	puts(a->ntics ? ")" : "");
}

/* Curves --------------------------------------------------------------------
 */

static void
write_data(const struct picture *p)
{
	for (size_t i = 0; i < p->n; i++) {
		const struct curve *c = &p->curve[i];

		printf("$curve%zu << EOD\n", i + 1);
		for (size_t k = 0; k < c->n; k++) {
			write_number(c->point[k].x);
			putchar(' ');
			write_number(c->point[k].y);
			putchar('\n');
		}
		puts("EOD");
	}
}

/*
 * Okabe and Ito's colours for all kinds of sight, less yellow, which is
 * nothing on white. Dashes and points tell curves apart without colour.
 */
static const char *const colours[] = {"#0072B2", "#E69F00", "#009E73",
                                      "#CC79A7", "#D55E00", "#56B4E9",
                                      "#000000"};
static const unsigned points[] = {7, 5, 9, 13, 11, 6, 4, 8, 12, 10};

#define DASHES 5

/*
 * Lines are solid, so that their steps can be seen, as long as there are
 * colours; the others, which lie close to one another, are not.
 */
static size_t
dash_of(const struct curve *c, size_t i, size_t models)
{
	switch (c->style) {
	case STYLE_POINTS:
		return 0;
	case STYLE_LINES:
		return i / ARRAY_LEN(colours);
	case STYLE_MODEL:
		return models + 1;
	default:
		return i;
	}
}

/* Curve `i` of the picture, with `models` models before it. */
static void
write_style(const struct curve *c, size_t i, size_t models)
{
	static const char *const with[] = {
	    [STYLE_STEPS] = "steps",
	    [STYLE_POINTS] = "linespoints",
	    [STYLE_LINES] = "lines",
	    [STYLE_MODEL] = "lines",
	};
	const char *colour = c->colour == COLOUR_NONE
	                         ? "#000000"
	                         : colours[c->colour % ARRAY_LEN(colours)];
	size_t dash = dash_of(c, i, models);

	printf("with %s linetype %zu linecolor rgb '%s' dashtype %zu "
	       "linewidth 2",
	       with[c->style], i + 1, colour, dash % DASHES + 1);
}

static void
write_point(const struct terminal *t, size_t i)
{
	/* A terminal of characters has letters for them. */
	if (t->text)
		printf(" pointtype %zu", i + 1);
	else
		printf(" pointtype %u pointsize 0.8",
		       points[i % ARRAY_LEN(points)]);
}

/* Its name in the legend, or nothing. */
static void
write_name(const struct terminal *t, const struct legend *l, size_t i,
           const char *name)
{
	char *plain = plain_text(name, l->width);
	char *text = xasprintf("%s%s", t->text ? " " : "", plain);

	fputs(i < l->entries ? " title " : " notitle", stdout);
	if (i < l->entries)
		write_string(stdout, text);
	free(text);
	free(plain);
}

static void
write_curves(const struct picture *p, const struct terminal *t,
             const struct legend *l)
{
	size_t models = 0;

	fputs("plot", stdout);
	for (size_t i = 0; i < p->n; i++) {
		enum style style = p->curve[i].style;

		printf("%s \\\n    $curve%zu using ($1/%g):2 ", i ? "," : "",
		       i + 1, p->x.unit);
		write_style(&p->curve[i], i, models);
		if (style == STYLE_POINTS)
			write_point(t, i);
		write_name(t, l, i, p->curve[i].name);
		models += style == STYLE_MODEL;
	}
	/* A line at -1 is never seen. */
	if (!p->n)
		fputs(" -1 notitle", stdout);
	if (l->left_out)
		printf(", \\\n    -1 with dots linecolor rgb '#ffffff' "
		       "title '%sand %zu more'",
		       t->text ? " " : "", l->left_out);
	putchar('\n');
}

void
write_script(const struct script *s, const struct picture *p)
{
	struct legend l = legend_of(p, s->terminal);

	write_preamble(s);
	write_terminal(s, p);
	write_titles(p, s->terminal);
	write_axis("x", &p->x, true);
	write_axis("y", &p->y, !s->terminal->text);
	puts("set border 3");
	if (!s->terminal->text)
		puts("set grid linetype 1 linecolor rgb '#dcdcdc' linewidth 1");
	if (!p->n)
		puts("set label 'no data' at graph 0.5, graph 0.5 center");
	write_legend(&l, s->terminal);
	write_data(p);
	write_curves(p, s->terminal, &l);
	if (s->output)
		puts("unset output");
}
