/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parses and names percentages. */
#include "stats/percentiles.h"

#include "common/base/util.h"

#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

static int
by_size(const void *a, const void *b)
{
	const struct fraction *x = a;
	const struct fraction *y = b;
	wide left = (wide)x->num * y->den;
	wide right = (wide)y->num * x->den;

	return (left > right) - (left < right);
}

const char *
parse_percentiles(const char *list, struct percentiles *p)
{
	char *copy = xstrdup(list);
	char *rest = copy;
	const char *why = NULL;
	char *item;
	size_t n = 0;

	p->n = 0;
	while (!why && (item = strsep(&rest, ","))) {
		p->part = xreallocarray(p->part, n + 1, sizeof *p->part);
		why = parse_percentage(item, &p->part[n++]);
	}
	free(copy);
	if (why)
		return why;
	qsort(p->part, n, sizeof *p->part, by_size);
	for (size_t i = 0; i < n; i++) {
		if (i && !by_size(&p->part[i - 1], &p->part[i]))
			return "a percentage is there twice";
	}
	for (size_t i = 0; i < n; i++) {
		if (2 * p->part[i].num != p->part[i].den)
			p->part[p->n++] = p->part[i];
	}
	return NULL;
}

char *
percentile_name(struct fraction part)
{
	uint64_t unit = part.den / 100;
	int decimals = 0;

	for (uint64_t u = unit; u > 1; u /= 10)
		decimals++;
	if (!decimals)
		return xasprintf("p%ju", (uintmax_t)part.num);
	return xasprintf("p%ju_%0*ju", (uintmax_t)(part.num / unit), decimals,
	                 (uintmax_t)(part.num % unit));
}
