/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes a script: terminal, title, data, common.gp, a template, a page. */
#include "common/base/embed.h"
#include "common/base/utf8.h"
#include "plot/picture/drawing.h"

#include <ctype.h>

#define TEMPLATE(name)                                                         \
	EMBED(template_##name, "share/pcb-tools/plot/" #name ".gp");

/* Those of kinds. */
#define TEMPLATES(with)                                                        \
	with(cells) with(sweep) with(cdf) with(bars) with(panels) with(scatter)

TEMPLATES(TEMPLATE)
TEMPLATE(common)
TEMPLATE(none)

#define NAMED(name) {#name, template_##name},

static const struct {
	const char *name, *text;
} templates[] = {TEMPLATES(NAMED)};

EMBED(template_css, "plot/picture/page.css");
EMBED(template_js, "plot/picture/page.js");

static const char *
template_text(const char *name)
{
	size_t i = 0;

	while (strcmp(templates[i].name, name) != 0)
		i++;
	return templates[i].text;
}

/* Most lines of title, constants and note. */
#define TITLE_LINES    2
#define SUBTITLE_LINES 3
#define NOTE_LINES     2

/* Constants have this part of the lines; smaller pictures have none. */
#define SUBTITLE_PART     8
#define LINES_OF_SUBTITLE 18

/* The part of a plain text for one line: up to a comma or semicolon, else a
 * blank. */
static size_t
line_length(const char *text, size_t width)
{
	size_t comma = 0, blank = 0, i = 0;

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
		    words("%.*s%s", (int)length, rest, ends ? "..." : "");
		rest += length;
	}
	return n;
}

static void
put_titles(struct picture *p)
{
	size_t width = (size_t)text_columns(p) - 4, n = 0;
	const char *note = p->note ? p->note : "";
	char *line[SUBTITLE_LINES + NOTE_LINES], *title[TITLE_LINES];
	size_t most = text_lines(p) < LINES_OF_SUBTITLE
	                  ? 0
	                  : (size_t)(text_lines(p) / SUBTITLE_PART);

	if (*p->title && !p->terminal->untitled)
		n = split(p->title, p->terminal->text ? width : width * 3 / 4,
		          title, TITLE_LINES);
	put_number(p, "ntitles", (double)n);
	PUT_LIST(p, "titles", title, n);
	most = most < SUBTITLE_LINES ? most : SUBTITLE_LINES;
	n = split(p->terminal->untitled ? p->title : p->subtitle, width, line,
	          p->terminal->untitled ? 1 : most);
	if (p->finding)
		note = joined(p->finding, "; ", note);
	if (text_lines(p) >= LINES_OF_NOTE)
		n += split(note, width, line + n, NOTE_LINES);
	put_number(p, "nsub", (double)n);
	PUT_LIST(p, "sub", line, n);
}

static void
write_preamble(const struct preamble *preamble, bool complete)
{
	for (size_t i = 0; i < preamble->n; i++) {
		const struct preamble_entry *e = &preamble->entry[i];

		fputs("# ", stdout);
		write_comment(stdout, e->key);
		fputs(": ", stdout);
		write_comment(stdout, e->value);
		putchar('\n');
	}
	if (!complete)
		puts("# complete: no");
}

static void
write_terminal(const struct picture *p)
{
	const struct terminal *t = p->terminal;

	printf("set terminal %s noenhanced ", t->driver);
	if (t->per_inch)
		printf("size %.2fin,%.2fin", (double)p->width / t->per_inch,
		       (double)p->height / t->per_inch);
	else
		printf("size %u,%u", p->width, p->height);
	/* What a browser shows as a title, instead of "Gnuplot". */
	if (!strcmp(t->driver, "svg") && !t->page && *p->title) {
		fputs(" name '", stdout);
		for (const char *c = p->title; *c; c++)
			putchar(isalnum((unsigned char)*c) ? *c : '_');
		putchar('\'');
	}
	if (t->font)
		printf(" font '%s,%u'", t->font, t->font_size);
	printf(" %s\n", p->colour ? "ansi256" : t->options);
}

/* Page --------------------------------------------------------------------- */

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
	char *rest = words("%s", text), *line;

	print_line(before);
	while ((line = strsep(&rest, "\n")) && rest) {
		if (strncmp(line, "/*", 2) != 0)
			print_line(line);
	}
	print_line(behind);
}

/* Escaped for HTML, for an element or a quoted attribute. */
static char *
escaped(const char *text)
{
	struct composed c;
	FILE *to = compose_begin(&c);
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
	return keep_text(compose_end(&c, to));
}

/* Prints a text between two parts of a tag. */
static void
print_text(const char *before, const char *text, const char *behind)
{
	print_line(words("%s%s%s", before, escaped(text), behind));
}

static void
write_page_begin(const struct picture *p)
{
	const char *title = *p->title ? p->title : "picture";
	const char *finding = p->finding ? p->finding : "";

	puts("set print '-'");
	print_line("<!DOCTYPE html>");
	print_line("<html lang=\"en\">");
	print_line("<meta charset=\"utf-8\">");
	print_line("<meta name=\"viewport\" content=\"width=device-width\">");
	print_file("<style>", template_css, "</style>");
	print_text("<title>", title, "</title>");
	print_text("<figure class=\"pcb-figure\" aria-label=\"",
	           joined(title, ": ", finding), "\"><div class=\"pcb-view\">");
}

static void
print_tips(const struct picture *p)
{
	puts("print '<div class=\"pcb-data\" hidden data-boxes=\"'.boxes."
	     "'\" data-colours=\"'.colours.'\" data-inks=\"'.inks.'\">'");
	for (size_t i = 0; i < p->nseries; i++) {
		if (p->series[i].name)
			print_text(
			    words("<b data-look=\"%g\">", p->series[i].look),
			    p->series[i].name, "</b>");
	}
	for (size_t i = 0; i < p->ntips; i++) {
		struct place t = p->tip[i].at;
		const char *name = p->tip[i].name ? p->tip[i].name : "";

		print_text(words("<i data-at=\"%zu %g %.6g %.6g%s\"><u>%s</u>",
		                 t.panel, t.look, t.x, t.y,
		                 isnan(t.to) ? "" : words(" %.6g", t.to),
		                 escaped(name)),
		           p->tip[i].text, "</i>");
	}
	print_line("</div>");
}

static void
write_page_end(const struct picture *p)
{
	puts("set terminal unknown");
	print_line("</div><div class=\"pcb-value\"></div>"
	           "<div class=\"pcb-curves\"></div>");
	print_tips(p);
	print_line("</figure>");
	print_file("<script>", template_js, "</script>");
	print_line("</html>");
}

static bool
is_ascii(const char *text)
{
	while (*text && (unsigned char)*text < 0x80)
		text++;
	return !*text;
}

void
write_drawing(struct picture *p, const struct preamble *preamble, bool complete)
{
	const struct terminal *t = p->terminal;
	char *data;

	put_titles(p);
	data = compose_end(&p->composed, p->vars);
	stream_begins();
	if (preamble)
		write_preamble(preamble, complete);
	puts("reset");
	/* Only if needed: in the C locale gnuplot warns of any encoding. */
	if (!is_ascii(data))
		puts("set encoding utf8");
	write_terminal(p);
	if (t->page)
		write_page_begin(p);
	printf("text = %d; page = %d; small = %d; colour = %d\n"
	       "columns = %.10g + 0.; lines = %.10g + 0.; fontsize = %u\n"
	       "sizes = 0; nkeys = 0; keyrows = 0; xlog = 0; ylog = 0\n",
	       t->text, t->page, t->untitled, p->colour, text_columns(p),
	       text_lines(p), t->font_size);
	fputs(data, stdout);
	fputs(template_common, stdout);
	fputs(p->empty ? template_none : template_text(p->template), stdout);
	if (t->page)
		write_page_end(p);
	free(data);
	p->vars = NULL;
}
