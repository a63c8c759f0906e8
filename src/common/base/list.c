/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists with commas between their items. */
#include "common/base/list.h"

#include <string.h>

char **
list_split(const char *list)
{
	size_t n = 1;
	char **item;
	char *rest;

	for (const char *at = list; *at; at++)
		n += *at == ',';
	item = xmalloc((n + 1) * sizeof *item + strlen(list) + 1);
	rest = strcpy((char *)(item + n + 1), list);
	for (size_t i = 0; i <= n; i++)
		item[i] = strsep(&rest, ",");
	return item;
}
