/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Quotes texts for gnuplot and cuts them to a width. */
#include "plot/picture/quote.h"

#include "common/base/utf8.h"
#include "common/stream/key_set.h"
#include "plot/picture/picture.h"

/* Whether strings are for a text terminal, with characters in cells. */
static bool in_cells;

void
strings_in_cells(bool cells)
{
	in_cells = cells;
}

/* Whether they are for fonts, and the characters that these have. */
static bool in_fonts;
static struct code_range {
	unsigned long first, last;
} * ranges;
static size_t nranges;

void
strings_in_fonts(bool fonts)
{
	in_fonts = fonts;
}

/* Lines are ":charset=20-7e a0 4e00-9fff", of a font each. */
static void
read_fonts(void)
{
	static char *fc_list[] = {"fc-list", ":", "charset", NULL};
	char word[64], *said, *path = program_try(fc_list, &said);
	FILE *from = path ? fopen(path, "r") : NULL;

	while (from && fscanf(from, "%63s", word) == 1) {
		char *at = strchr(word, '=') ? strchr(word, '=') + 1 : word;
		unsigned long first = strtoul(at, &at, 16), last = first;

		if (*at == '-')
			last = strtoul(at + 1, NULL, 16);
		PUSH(ranges, nranges, (struct code_range){first, last});
	}
	if (from)
		fclose(from);
	free(path);
	free(said);
}

/* Whether a font has the character; true without a list of fonts. */
static bool
has_font(const char *character)
{
	static bool known, warned;
	size_t length = utf8_length(character), i = 0;
	unsigned long code = (unsigned char)*character & (0xff >> (length + 1));

	if (length < 2)
		return true;
	for (size_t k = 1; k < length; k++)
		code = code << 6 | ((unsigned char)character[k] & 0x3f);
	if (!known)
		read_fonts();
	known = true;
	while (i < nranges && (code < ranges[i].first || code > ranges[i].last))
		i++;
	if (i < nranges || !nranges)
		return true;
	if (!warned)
		warn("no font here has '%.*s', which becomes '?'; the package "
		     "fonts-noto-cjk has Chinese, Japanese and Korean",
		     (int)length, character);
	warned = true;
	return false;
}

/* Skips as many characters as fit into this number of columns. */
static char *
skip(char *text, size_t columns)
{
	while (*text && utf8_columns(text) <= columns) {
		columns -= utf8_columns(text);
		text += utf8_length(text);
	}
	return text;
}

/* Cuts out the middle: names with the same start often differ at the end. */
static void
cut(char *text, size_t width)
{
	size_t head = (width - 3) / 2;
	size_t tail = width - 3 - head;
	/* The tail omits a wide character if only half of it would fit. */
	char *rest = skip(text, plain_width(text) - tail);
	char *middle = skip(text, head);

	if (plain_width(rest) > tail)
		rest += utf8_length(rest);
	memset(middle, '.', 3);
	memmove(middle + 3, rest, strlen(rest) + 1);
}

char *
plain_text(const char *text, size_t width)
{
	struct composed composed;
	FILE *to = compose_begin(&composed);
	char *plain;

	print_plain(to, text);
	plain = keep_text(compose_end(&composed, to));
	/* gnuplot writes '>' unchanged, and XML forbids "]]>" in a text. */
	for (char *end = plain; (end = strstr(end, "]]>"));)
		end[2] = '?';
	if (width >= 3 && plain_width(plain) > width)
		cut(plain, width);
	return plain;
}

size_t
cut_names(char **first, size_t n, size_t size, size_t width)
{
	char **all = keep(n, sizeof *all), **shown = keep(n, sizeof *shown);
	size_t widest = 0, number = 0, *alike = keep(n, sizeof *alike);
	struct key_set texts = {0};

	for (size_t i = 0; i < n; i++) {
		all[i] = *(char **)(void *)((char *)first + i * size);
		shown[i] = all[i] ? plain_text(all[i], width) : NULL;
		if (shown[i])
			alike[key_set_intern_text(&texts, shown[i])]++;
	}
	for (size_t i = 0; i < n; i++) {
		char **name = (void *)((char *)first + i * size);

		if (!shown[i])
			continue;
		number++;
		*name = shown[i];
		if (width && plain_width(all[i]) > width &&
		    alike[key_set_find_text(&texts, shown[i])] > 1)
			*name =
			    plain_text(words("%zu: %s", number, all[i]), width);
		widest = max_plain_width(widest, *name);
	}
	key_set_free(&texts);
	return widest;
}

void
write_string(FILE *to, const char *before, const char *text)
{
	char *plain = plain_text(text, 0);

	/*
	 * gnuplot reads '' as a quote, but not at the start, and after "'" it
	 * expands macros in what follows.
	 */
	fprintf(to, "%s'", before);
	for (const char *p = plain; *p; p += utf8_length(p)) {
		if (*p == '\'')
			fputs("'.\"\\047\".'", to);
		else if (in_fonts && !has_font(p))
			fputc('?', to);
		else
			fwrite(p, 1, utf8_length(p), to);
		/* One without width fills a wide one's second column. */
		if (in_cells && utf8_columns(p) > 1)
			fputs("\u200b", to);
	}
	fputc('\'', to);
}

void
write_comment(FILE *to, const char *text)
{
	char *plain = plain_text(text, 0);

	for (const char *p = plain; *p; p++)
		fputc(strchr("`@\\", *p) ? '?' : *p, to);
}
