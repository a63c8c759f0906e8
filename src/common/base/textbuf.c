/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Builds texts by writing to a stream. */
#include "common/base/textbuf.h"

#include "common/base/message.h"
#include "common/base/xalloc.h"

#include <stdlib.h>
#include <string.h>

/* fopencookie(3) wants 0 if nothing could be written. */
static ssize_t
append(void *cookie, const char *from, size_t size)
{
	struct composed *c = cookie;
	char *text = realloc(c->text, c->length + size + 1);

	if (!text)
		return 0;
	memcpy(text + c->length, from, size);
	c->text = text;
	c->length += size;
	text[c->length] = '\0';
	return (ssize_t)size;
}

FILE *
compose_begin(struct composed *c)
{
	static const cookie_io_functions_t functions = {.write = append};
	FILE *to;

	*c = (struct composed){.text = xstrdup("")};
	to = fopencookie(c, "w", functions);
	if (!to)
		die("out of memory");
	return to;
}

char *
compose_end(struct composed *c, FILE *to)
{
	int lost = ferror(to);

	if (fclose(to) || lost)
		die("out of memory");
	return c->text;
}
