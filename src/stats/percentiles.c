/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parses the list of -p. */
#include "stats/percentiles.h"

#include "common/base/util.h"
#include "common/cli/option_table.h"

#include <stdio.h>
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

static const char *
add_percentage(void *to, const char *text)
{
	struct percentiles *p = to;

	p->part = xreallocarray(p->part, p->n + 1, sizeof *p->part);
	return parse_percentage(text + (*text == 'p'), &p->part[p->n++]);
}

/* Why "0.99" alone is refused, often written for p99; else NULL. */
static const char *
is_ambiguous(const char *list, struct fraction largest)
{
	static char why[100];
	double percent = 100 * (double)largest.num / (double)largest.den;

	if (percent <= 0 || percent >= 1 || strpbrk(list, "p%"))
		return NULL;
	snprintf(why, sizeof why,
	         "write p%.15g, or p%.15g for less than one percent",
	         100 * percent, percent);
	return why;
}

const char *
parse_percentiles(const char *list, struct percentiles *p)
{
	const char *why;
	size_t n;

	p->n = 0;
	why = option_each_word(list, p, add_percentage);
	if (why)
		return why;
	n = p->n;
	qsort(p->part, n, sizeof *p->part, by_size);
	why = is_ambiguous(list, p->part[n - 1]);
	if (why)
		return why;
	for (size_t i = 0; i < n; i++) {
		if (i && !by_size(&p->part[i - 1], &p->part[i]))
			return "a percentage is repeated";
	}
	p->n = 0;
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
