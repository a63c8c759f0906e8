/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/stat/groups.h"

#include <stdlib.h>

struct dist *
groups_find(struct groups *g, const struct key *key)
{
	size_t number = key_set_intern(&g->keys, key);

	g->dist = key_set_grow(&g->keys, g->dist, &g->room, sizeof *g->dist);
	return &g->dist[number];
}

void
groups_find_all(struct groups *g, const struct key key[], size_t n,
                size_t number[])
{
	key_set_intern_all(&g->keys, key, n, number);
	g->dist = key_set_grow(&g->keys, g->dist, &g->room, sizeof *g->dist);
	for (size_t i = 0; i < n; i++)
		__builtin_prefetch(&g->dist[number[i]], 1);
}

void
groups_free(struct groups *g)
{
	for (size_t i = 0; i < g->keys.n; i++)
		dist_free(&g->dist[i]);
	free(g->dist);
	key_set_free(&g->keys);
	*g = (struct groups){0};
}
