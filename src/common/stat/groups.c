/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A histogram for each key. */
#include "common/stat/groups.h"

#include <stdlib.h>

struct histogram *
groups_find(struct groups *g, const struct key *key)
{
	size_t number = key_set_intern(&g->keys, key);

	g->histogram = key_set_grow(&g->keys, g->histogram, &g->room,
	                            sizeof *g->histogram);
	return &g->histogram[number];
}

void
groups_find_all(struct groups *g, const struct key key[], size_t n,
                size_t number[])
{
	key_set_intern_all(&g->keys, key, n, number);
	g->histogram = key_set_grow(&g->keys, g->histogram, &g->room,
	                            sizeof *g->histogram);
	for (size_t i = 0; i < n; i++)
		__builtin_prefetch(&g->histogram[number[i]], 1);
}

void
groups_free(struct groups *g)
{
	for (size_t i = 0; i < g->keys.n; i++)
		histogram_free(&g->histogram[i]);
	free(g->histogram);
	key_set_free(&g->keys);
	*g = (struct groups){0};
}
