/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Splits comma-separated lists, and finds words in lists. */
#include "common/base/list.h"

#include <string.h>

char **
list_split(const char *list)
{
	size_t size = strlen(list) + 1;
	size_t n = 1;
	char **item;
	char *rest;

	for (const char *at = list; *at; at++)
		n += *at == ',';
	item = xmalloc((n + 1) * sizeof *item + size);
	rest = memcpy(item + n + 1, list, size);
	for (size_t i = 0; i <= n; i++)
		item[i] = strsep(&rest, ",");
	return item;
}

size_t
find_word(const char *text, const char *const word[], size_t n)
{
	size_t i;

	for (i = 0; i < n && strcmp(word[i], text) != 0; i++)
		;
	return i;
}
