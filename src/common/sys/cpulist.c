/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parses lists of CPUs in the kernel's notation. */
#include "common/sys/cpulist.h"

#include "common/base/list.h"
#include "common/base/number.h"

#include <stdlib.h>
#include <string.h>

/* More CPUs than any kernel supports. */
#define CPUS_MAX 65536

/* "8" or "0-3". */
static bool
add_range(struct cpulist *list, char *range)
{
	char *dash = strchr(range, '-');
	uint64_t first, last;

	if (dash)
		*dash++ = '\0';
	if (parse_integer(range, &first) ||
	    parse_integer(dash ? dash : range, &last) || first > last ||
	    last >= CPUS_MAX)
		return false;
	for (; first <= last; first++)
		array_push(list->cpu, list->n, (unsigned)first);
	return true;
}

bool
cpulist_parse(const char *text, struct cpulist *list)
{
	char **range = list_split(text ? text : "");
	bool ok = true;

	*list = (struct cpulist){0};
	for (size_t i = 0; ok && range[i]; i++)
		ok = add_range(list, range[i]);
	free(range);
	if (ok)
		return true;
	free(list->cpu);
	*list = (struct cpulist){0};
	return false;
}
