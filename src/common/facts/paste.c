/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/facts/paste.h"

#include "common/base/util.h"

#include <ctype.h>

static bool
starts(const char *line, const char *words)
{
	return !strncmp(line, words, strlen(words));
}

unsigned
hex_byte(const char *text)
{
	char digits[3] = {text[0]};

	if (*text)
		digits[1] = text[1];
	return strspn(digits, "0123456789abcdefABCDEF") == 2
	           ? (unsigned)strtoul(digits, NULL, 16)
	           : NO_BYTE;
}

bool
are_ids(const char *text)
{
	static const char digits[] = "0123456789abcdefABCDEF";

	return strspn(text, digits) == 4 && text[4] == ':' &&
	       strspn(text + 5, digits) == 4;
}

/*
 * Reads a line; a long one in pieces of whole words. A pair of zero bytes ends
 * a line (files in an archive); a single one is dropped (UTF-16).
 */
static bool
next_line(struct paste *p, size_t n)
{
	char *line = p->line;
	int c, last = EOF;

	while ((c = getc_unlocked(p->from)) != EOF && c != '\n') {
		if ((!c && !last && n) || (c == ' ' && n > PASTE_LINE - 512))
			break;
		if (c && n < PASTE_LINE - 1)
			line[n++] = (char)c;
		last = c;
	}
	line[n] = '\0';
	if (c != EOF || n)
		p->whole = c != EOF;
	return c != EOF || n;
}

static bool
is_mail(const char *line)
{
	const char *lead = line + strspn(line, " \t>");
	size_t n = strlen(line);

	return strchr(line, '=') &&
	       (strstr(line, "=3D") || strstr(line, ":=09") ||
	        starts(lead, "=09") || starts(lead, "=20=20") ||
	        starts(lead, "=C2=A0") ||
	        (n > 3 && starts(line + n - 3, "=20")));
}

/*
 * The character that mail, pages and strings of programs write in other words,
 * 0 for none; moves *at to the last of them.
 */
static unsigned
decode(const char **at)
{
	static const char *const entities[] = {"&gt;", "&lt;", "&amp;"};
	unsigned code = (unsigned char)**at;
	size_t n = 0;

	if (starts(*at, "&#")) {
		bool hex = (*at)[2] == 'x' || (*at)[2] == 'X';
		char *end;
		unsigned long c = strtoul(*at + 2 + hex, &end, hex ? 16 : 10);

		if (*end == ';') {
			*at = end;
			return c < 0x80 ? (unsigned)c : ' ';
		}
	}

	/* Others are kinds of spaces. */
	while (code == '&' && n < 8 && isalnum((unsigned char)(*at)[n + 1]))
		n++;
	for (size_t i = 0; i < ARRAY_LEN(entities); i++) {
		if (starts(*at, entities[i])) {
			*at += strlen(entities[i]) - 1;
			return (unsigned char)"><&"[i];
		}
	}
	if (n && (*at)[n + 1] == ';') {
		*at += n + 1;
		return ' ';
	}
	if (code == '=' && hex_byte(*at + 1) != NO_BYTE) {
		*at += 2;
		return hex_byte(*at - 1);
	}
	/* Colours of a terminal: "[01;31m". */
	if (code == 0x1b) {
		n = strspn(*at + 1, "[(0123456789;");
		*at += n + ((*at)[n + 1] != '\0');
		return 0;
	}
	if (code != '\\')
		return code;
	n = strspn(*at, "\\");
	*at += n - ((*at)[n] == '\0');
	if (starts(*at, "u00") && hex_byte(*at + 3) != NO_BYTE) {
		*at += 4;
		return hex_byte(*at - 1);
	}
	return **at == 'n'            ? '\n'
	       : strchr("\\tr", **at) ? ' '
	                              : (unsigned char)**at;
}

/*
 * Removes what mail, pages and libpci add; one space for each white space, but
 * for the ends of lines that a string holds. Returns the columns removed at the
 * start.
 */
static size_t
clean(char *line)
{
	char *noise = strstr(line, "pcilib: "), *to = line;
	size_t columns = 0;
	bool mail;

	if (noise)
		*noise = '\0';
	mail = is_mail(line);
	for (const char *at = line; *at; at++) {
		unsigned c = (unsigned char)*at;

		if (isalnum((int)c)) {
			*to++ = (char)c;
			continue;
		}
		if (c == '&' || c == '\\' || c == 0x1b || (c == '=' && mail))
			c = decode(&at);
		if (c == '\r')
			c = '\n';
		if (starts(at, "\xe2\x80\xa6")) /* an ellipsis */
			c = '.';
		/* Of cat -A. */
		if ((c == '^' && at[1] == 'I') || (c == '$' && !at[1])) {
			at += c == '^';
			c = ' ';
		}
		if (c >= 0x80 || (c && c <= ' ' && c != '\n'))
			c = ' ';
		/* Quotation marks of mail, at the start only. */
		if (to == line || to[-1] == '\n'
		        ? !strchr(" >|", (int)c)
		        : c && (c != ' ' || to[-1] != ' '))
			*to++ = (char)c;
		/* Bytes within a character of UTF-8 take no column. */
		columns += to == line && c && (*at & 0xc0) != 0x80;
	}
	if (to > line && to[-1] == ' ')
		to--;
	*to = '\0';
	return columns;
}

struct paste *
paste_begin(FILE *from)
{
	struct paste *p = xmalloc(sizeof *p);

	p->from = from;
	p->rest = NULL;
	p->begins = p->any = p->whole = false;
	return p;
}

/* Reads a line into p->line; false at the end of the text. */
static bool
read_whole_line(struct paste *p)
{
	char *line = p->line;
	size_t n = 0;

	while (next_line(p, n)) {
		n = strlen(line);
		if (n && line[n - 1] == '\r')
			line[--n] = '\0';
		/* Mail: a long line goes on behind "=". */
		if (n > 60 && n < 1000 && line[n - 1] == '=' &&
		    line[n - 2] != '=') {
			n--;
			continue;
		}
		if (!p->any &&
		    (starts(line, "\xfd\067zXZ") || starts(line, "BZh91AY")))
			warn("packed by %s first",
			     *line == 'B' ? "bzip2: bunzip2" : "xz: unxz");
		p->any = true;
		p->length = n;
		return true;
	}
	return false;
}

char *
paste_next(struct paste *p)
{
	char *part = p->rest;

	p->begins = !part;
	p->column = NO_COLUMN;
	if (!part) {
		if (!read_whole_line(p))
			return NULL;
		p->column = clean(p->line);
		part = p->line;
	}
	p->rest = strchr(part, '\n');
	if (p->rest)
		*p->rest++ = '\0';
	return part;
}

void
paste_end(struct paste *p)
{
	free(p);
}
