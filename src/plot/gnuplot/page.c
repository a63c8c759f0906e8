/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the page around an SVG: data, style, script. */
#include "plot/gnuplot/page.h"

#include "common/base/util.h"
#include "plot/gnuplot/curves.h"
#include "plot/gnuplot/quote.h"

/* The files page.css and page.js of this folder. */
extern const char page_css[], page_js[];

/* Embeds the file `name` of this folder as the text `symbol`. */
#define EMBED(symbol, name)                                                    \
	__asm__(".pushsection .rodata\n"                                       \
	        ".globl " symbol "\n"                                          \
	        ".hidden " symbol "\n" symbol ":\n"                            \
	        ".incbin \"plot/gnuplot/" name "\"\n"                          \
	        ".byte 0\n"                                                    \
	        ".popsection")

EMBED("page_css", "page.css");
EMBED("page_js", "page.js");

static void
print_line(const char *line)
{
	write_string(stdout, "print ", line);
	putchar('\n');
}

/* Prints a file between two lines, without its comments at the left margin. */
static void
print_file(const char *before, const char *text, const char *behind)
{
	char *copy = xstrdup(text), *rest = copy, *line;

	print_line(before);
	while ((line = strsep(&rest, "\n")) && rest) {
		if (strncmp(line, "/*", 2) != 0)
			print_line(line);
	}
	print_line(behind);
	free(copy);
}

/* Writes a text escaped for HTML, for an element or a quoted attribute. */
static void
put_escaped(FILE *to, const char *text)
{
	char *plain = plain_text(text, 0);

	for (const char *p = plain; *p; p++) {
		const char *entity = *p == '&'   ? "&amp;"
		                     : *p == '<' ? "&lt;"
		                     : *p == '>' ? "&gt;"
		                     : *p == '"' ? "&quot;"
		                                 : NULL;

		if (entity)
			fputs(entity, to);
		else
			fputc(*p, to);
	}
	free(plain);
}

/* Attributes are composed into a text that gnuplot prints. */
static void
put_attribute(FILE *to, const char *name, const char *text)
{
	fprintf(to, " data-%s=\"", name);
	put_escaped(to, text);
	fputc('"', to);
}

static void
put_axis(FILE *to, const char *name, const struct axis *a)
{
	put_attribute(to, name, a->label ? a->label : "");
	fprintf(to, " data-%s-axis=\"%.17g %.17g %.17g %u %.17g %g\"", name,
	        a->unit, a->min, a->max, a->log, a->body, BODY_PART);
}

/* Names of rows or columns, separated by "&#10;". */
static void
put_names(FILE *to, const char *what, char *const name[], size_t n)
{
	if (!n)
		return;
	fprintf(to, " data-%s=\"", what);
	for (size_t i = 0; i < n; i++) {
		if (i)
			fputs("&#10;", to);
		put_escaped(to, name[i]);
	}
	fputc('"', to);
}

/* Prints the composed text, and `behind`, a part of the command. */
static void
print_composed(struct composed *c, FILE *to, const char *behind)
{
	char *words = compose_end(c, to);

	write_string(stdout, "print ", words);
	puts(behind);
	free(words);
}

static void
print_panel(const struct picture *p, const struct picture *panel, size_t number)
{
	struct composed words;
	FILE *to = compose_begin(&words);
	/* Behind gnuplot's position of the panel, in pixels. */
	char *behind = xasprintf(".box%zu.'\">'", number);

	fputs("<div class=\"pcb-panel\" hidden", to);
	put_axis(to, "x", &panel->x);
	put_axis(to, "y", &panel->y);
	put_names(to, "rows", panel->row, panel->nrows);
	put_names(to, "columns", panel->x.cell, panel->x.ncells);
	fputs(" data-box=\"", to);
	print_composed(&words, to, behind);
	free(behind);
	for (size_t i = 0; i < panel->n; i++) {
		const struct curve *c = &panel->curve[i];

		to = compose_begin(&words);
		fputs("<script type=\"text/plain\" class=\"pcb-curve\"", to);
		put_attribute(to, "colour", curve_colour(c));
		put_attribute(to, "name", c->name ? c->name : "");
		if (c->whole)
			put_attribute(to, "whole", c->whole);
		put_names(to, "says", c->says, c->nsays);
		/* The edge of an area, or a line across all rows. */
		if (!c->nsays && (c->style == STYLE_BAND ||
		                  c->style == STYLE_FLOOR || panel->nrows))
			put_attribute(to, "silent", "yes");
		fputc('>', to);
		print_composed(&words, to, "");
		fputs("print ", stdout);
		write_block_name(p, panel, i);
		putchar('\n');
		print_line("</script>");
	}
	print_line("</div>");
}

/* Prints the title between two other texts. */
static void
print_title(const char *before, const struct picture *p, const char *behind)
{
	struct composed words;
	FILE *to = compose_begin(&words);

	fputs(before, to);
	put_escaped(to, *p->title ? p->title : "picture");
	fputs(behind, to);
	print_composed(&words, to, "");
}

void
write_page_begin(const struct picture *p)
{
	puts("set print '-'");
	print_line("<!DOCTYPE html>");
	print_line("<html lang=\"en\">");
	print_line("<meta charset=\"utf-8\">");
	print_line("<meta name=\"viewport\" content=\"width=device-width\">");
	print_file("<style>", page_css, "</style>");
	print_title("<title>", p, "</title>");
	print_title("<figure class=\"pcb-figure\" aria-label=\"", p,
	            "\"><div class=\"pcb-view\">");
}

void
write_page_plot(size_t panel)
{
	printf("box%zu = sprintf('%%g %%g %%g %%g', GPVAL_TERM_XMIN, "
	       "GPVAL_TERM_XMAX, GPVAL_TERM_YMIN, GPVAL_TERM_YMAX)\n",
	       panel);
}

void
write_page_end(const struct picture *p)
{
	size_t number = 0;

	puts("set terminal unknown");
	print_line("</div><div class=\"pcb-value\"></div>"
	           "<div class=\"pcb-curves\"></div>");
	for (const struct picture *panel = p; panel; panel = panel->below)
		print_panel(p, panel, number++);
	print_line("</figure>");
	print_file("<script>", page_js, "</script>");
	print_line("</html>");
}
