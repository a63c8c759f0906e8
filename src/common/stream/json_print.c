/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes texts and numbers as JSON. */
#include "common/stream/json_print.h"

#include "common/base/utf8.h"
#include "common/base/util.h"

#include <stdlib.h>
#include <string.h>

/* JSON must be UTF-8: U+FFFD replaces each invalid byte. */
void
print_json_string(FILE *to, const char *text)
{
	size_t n;

	putc('"', to);
	for (; *text; text += n ? n : 1) {
		n = utf8_length(text);
		if (!n)
			fputs("\xef\xbf\xbd", to);
		else if (*text == '"' || *text == '\\')
			fprintf(to, "\\%c", *text);
		else if (n == 1 && (*text < 0x20 || *text == 0x7f))
			fprintf(to, "\\u%04x", (unsigned)*text);
		else
			fwrite(text, 1, n, to);
	}
	putc('"', to);
}

bool
is_json_number(const char *text)
{
	size_t n;

	text += *text == '-';
	n = strspn(text, "0123456789");
	if (!n || (n > 1 && *text == '0'))
		return false;
	text += n;
	if (*text == '.') {
		n = strspn(text + 1, "0123456789");
		if (!n)
			return false;
		text += n + 1;
	}
	if (*text == 'e' || *text == 'E') {
		text += 1 + (text[1] == '-' || text[1] == '+');
		n = strspn(text, "0123456789");
		if (!n)
			return false;
		text += n;
	}
	return !*text;
}

/* "a b" as ["a","b"]. */
static void
print_list(FILE *to, const char *text)
{
	char *copy = xstrdup(text), *rest = *copy ? copy : NULL;
	bool more = false;

	putc('[', to);
	while (rest) {
		if (more)
			putc(',', to);
		print_json_string(to, strsep(&rest, " "));
		more = true;
	}
	putc(']', to);
	free(copy);
}

void
print_json_member(FILE *to, const char *name, const char *text, bool number)
{
	print_json_string(to, name);
	putc(':', to);
	if (!strcmp(name, "benches"))
		print_list(to, text);
	else if (!*text)
		fputs("null", to);
	else if (number && is_json_number(text))
		fputs(text, to);
	else
		print_json_string(to, text);
}
