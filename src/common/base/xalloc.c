/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Allocation and formatting that die when memory is out. */
#include "common/base/xalloc.h"

#include "common/base/message.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *
checked(void *memory)
{
	if (!memory)
		die("out of memory");
	return memory;
}

void *
xmalloc(size_t size)
{
	return checked(malloc(size ? size : 1));
}

void *
xcalloc(size_t n, size_t size)
{
	return checked(calloc(n ? n : 1, size));
}

void *
xreallocarray(void *old, size_t n, size_t size)
{
	return checked(reallocarray(old, n ? n : 1, size));
}

char *
xstrdup(const char *text)
{
	return checked(strdup(text));
}

char *
xvasprintf(const char *fmt, va_list ap)
{
	char *text;

	return checked(vasprintf(&text, fmt, ap) < 0 ? NULL : text);
}

char *
xasprintf(const char *fmt, ...)
{
	char *text;
	va_list ap;

	va_start(ap, fmt);
	text = xvasprintf(fmt, ap);
	va_end(ap);
	return text;
}

void
xappend(char **list, const char *between, const char *fmt, ...)
{
	bool first = !*list || !**list;
	char *before = *list, *item;
	va_list ap;

	va_start(ap, fmt);
	item = xvasprintf(fmt, ap);
	va_end(ap);
	*list = xasprintf("%s%s%s", first ? "" : before, first ? "" : between,
	                  item);
	free(before);
	free(item);
}
