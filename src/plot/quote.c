#include "plot/quote.h"

#include "common/text.h"
#include "common/util.h"

#include <stdlib.h>
#include <string.h>

/* The first `width` characters, less three, and "...". */
static void
cut(char *text, size_t width)
{
	char *at = text;

	while (width-- > 3)
		at += utf8_length(at);
	memcpy(at, "...", 4);
}

char *
plain_text(const char *text, size_t width)
{
	char *plain = NULL;
	size_t size;
	FILE *to = open_memstream(&plain, &size);

	if (!to)
		die("out of memory");
	print_plain(to, text);
	if (fclose(to))
		die("out of memory");
	if (width >= 3 && plain_width(plain) > width)
		cut(plain, width);
	return plain;
}

void
write_string(FILE *to, const char *text)
{
	char *plain = plain_text(text, 0);

	fputc('\'', to);
	for (const char *p = plain; *p; p++) {
		if (*p == '\'')
			fputc('\'', to);
		fputc(*p, to);
	}
	fputc('\'', to);
	free(plain);
}

void
write_comment(FILE *to, const char *text)
{
	char *plain = plain_text(text, 0);

	for (const char *p = plain; *p; p++)
		fputc(strchr("`@\\", *p) ? '?' : *p, to);
	free(plain);
}
