/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parses a JSON object of one line, RFC 8259, in its place. */
#include "common/stream/json_line.h"

#include "common/base/util.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char no_object[] =
    "not a JSON object on one line, as jq -c writes it";

static char *
skip_blanks(char *p)
{
	return p + strspn(p, " \t\r");
}

/* Texts ---------------------------------------------------------------------
 */

/* Four hexadecimal digits; false where there are none. */
static bool
take_hex(const char *text, unsigned *code)
{
	char digits[5] = "";

	for (size_t i = 0; i < 4; i++) {
		if (!isxdigit((unsigned char)text[i]))
			return false;
		digits[i] = text[i];
	}
	*code = (unsigned)strtoul(digits, NULL, 16);
	return true;
}

static char *
put_utf8(char *to, unsigned code)
{
	static const unsigned char lead[] = {0, 0xc0, 0xe0, 0xf0};
	unsigned more = code < 0x80      ? 0
	                : code < 0x800   ? 1
	                : code < 0x10000 ? 2
	                                 : 3;

	*to++ = (char)(lead[more] | code >> 6 * more);
	while (more--)
		*to++ = (char)(0x80 | (code >> 6 * more & 0x3f));
	return to;
}

/* "u00e9", behind a backslash; of two surrogates both. No NUL is a text. */
static char *
take_code(char **from, char *to)
{
	unsigned code, low;
	char *p = *from;

	if (!take_hex(p + 1, &code) || !code)
		return NULL;
	p += 5;
	if (code >> 10 == 0x36 && p[0] == '\\' && p[1] == 'u' &&
	    take_hex(p + 2, &low) && low >> 10 == 0x37) {
		code = 0x10000 + ((code & 0x3ff) << 10 | (low & 0x3ff));
		p += 6;
	} else if (code >> 11 == 0x1b) {
		code = 0xfffd;
	}
	*from = p;
	return put_utf8(to, code);
}

static char *
take_escape(char **from, char *to)
{
	static const char escapes[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
	char *p = *from;
	const char *known;

	if (*p == 'u')
		return take_code(from, to);
	known = *p ? strchr(escapes, *p) : NULL;
	if (!known)
		return NULL;
	*from = p + 1;
	*to++ = meant[known - escapes];
	return to;
}

/*
 * Moves a string to `to`, which may lie in it; *from, at its quote, is left
 * behind it. Returns the end, or NULL where it is none.
 */
static char *
take_string(char **from, char *to)
{
	char *p = *from + 1;

	while (*p != '"') {
		if ((unsigned char)*p < 0x20)
			return NULL;
		if (*p != '\\') {
			*to++ = *p++;
			continue;
		}
		p++;
		to = take_escape(&p, to);
		if (!to)
			return NULL;
	}
	*from = p + 1;
	return to;
}

/* A string, a number, true, false or null, as take_string. */
static char *
take_scalar(char **from, char *to)
{
	char *p = *from;
	size_t n = strcspn(p, " \t\r\n,]}");

	if (*p == '"')
		return take_string(from, to);
	*from = p + n;
	if (n == 4 && !memcmp(p, "null", 4))
		return to;
	if (!n || (strspn(p, "0123456789+-.eE") != n &&
	           (n != 4 || memcmp(p, "true", 4) != 0) &&
	           (n != 5 || memcmp(p, "false", 5) != 0)))
		return NULL;
	memmove(to, p, n);
	return to + n;
}

/* ["a","b"] as "a b", as take_string. */
static char *
take_list(char **from, char *to)
{
	char *p = skip_blanks(*from + 1);
	bool more = *p != ']';

	while (more) {
		to = take_scalar(&p, to);
		if (!to)
			return NULL;
		p = skip_blanks(p);
		more = *p == ',';
		if (!more && *p != ']')
			return NULL;
		if (more) {
			*to++ = ' ';
			p = skip_blanks(p + 1);
		}
	}
	*from = p + 1;
	return to;
}

/* Objects ------------------------------------------------------------------ */

/* The name of a member, and its colon; NULL where there is none. */
static char *
take_name(char **from)
{
	char *name = *from, *end;

	if (*name != '"')
		return NULL;
	end = take_string(from, name);
	*from = skip_blanks(*from);
	if (!end || **from != ':')
		return NULL;
	*end = '\0';
	*from = skip_blanks(*from + 1);
	return name;
}

static void
add_member(struct json_line *j, char *name, char *value)
{
	if (j->n == j->max) {
		j->max = 2 * j->max + 16;
		j->name = xreallocarray(j->name, j->max, sizeof *j->name);
		j->value = xreallocarray(j->value, j->max, sizeof *j->value);
	}
	j->name[j->n] = name;
	j->value[j->n++] = value;
}

/* The members behind a brace, and the brace that ends them. */
static const char *
take_members(struct json_line *j, char **from)
{
	char *p = skip_blanks(*from);

	for (bool more = *p != '}'; more;) {
		char *name = take_name(&p), *value = p, *end;

		if (!name)
			return no_object;
		if (*p == '{')
			return "an object in a row: only texts, numbers and "
			       "lists of these are cells";
		end = *p == '[' ? take_list(&p, p) : take_scalar(&p, p);
		p = skip_blanks(p);
		more = *p == ',';
		if (!end || (!more && *p != '}'))
			return no_object;
		add_member(j, name, value);
		/* It may be where the comma or the brace was. */
		*end = '\0';
		p = more ? skip_blanks(p + 1) : p;
	}
	*from = p + 1;
	return NULL;
}

/* Behind "{"NAME":{" with blanks anywhere; NULL where that is not. */
static char *
behind_name(char *p, const char *name)
{
	size_t n = strlen(name);

	p = skip_blanks(p + 1);
	if (*p != '"' || strncmp(p + 1, name, n) != 0 || p[n + 1] != '"')
		return NULL;
	p = skip_blanks(p + n + 2);
	if (*p != ':')
		return NULL;
	p = skip_blanks(p + 1);
	return *p == '{' ? p + 1 : NULL;
}

/* Where the members of the object at *p begin, of whatever kind it is. */
static char *
take_kind(struct json_line *j, char *p)
{
	static const char *const names[] = {
	    [JSON_PREAMBLE] = "preamble", [JSON_END] = "end"};

	for (size_t i = JSON_PREAMBLE; i < ARRAY_LEN(names); i++) {
		char *members = behind_name(p, names[i]);

		j->kind = (enum json_kind)i;
		if (members)
			return members;
	}
	j->kind = JSON_ROW;
	return p + 1;
}

/* Whether a row has the names of the last one; keeps them. */
static void
compare_names(struct json_line *j)
{
	size_t same = 0;

	while (same < j->n && same < j->nrow_names &&
	       !strcmp(j->name[same], j->row_name[same]))
		same++;
	j->renamed = same < j->n || same < j->nrow_names;
	if (!j->renamed)
		return;
	while (j->nrow_names)
		free(j->row_name[--j->nrow_names]);
	j->row_name = xreallocarray(j->row_name, j->n + 1, sizeof *j->row_name);
	for (; j->nrow_names < j->n; j->nrow_names++)
		j->row_name[j->nrow_names] = xstrdup(j->name[j->nrow_names]);
}

const char *
json_line_parse(struct json_line *j, char *line)
{
	char *p = skip_blanks(line);
	const char *why;

	if (*p != '{')
		return no_object;
	j->n = 0;
	p = take_kind(j, p);
	why = take_members(j, &p);
	if (why)
		return why;
	p = skip_blanks(p);
	if (j->kind == JSON_ROW)
		compare_names(j);
	else if (*p != '}')
		return no_object;
	else
		p = skip_blanks(p + 1);
	return *p && *p != '\n' ? no_object : NULL;
}

void
json_line_free(struct json_line *j)
{
	while (j->nrow_names)
		free(j->row_name[--j->nrow_names]);
	free(j->row_name);
	free(j->name);
	free(j->value);
}
