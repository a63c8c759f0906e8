#include "common/groups.h"

#include "common/util.h"

#include <stdlib.h>

struct dist *
groups_find(struct groups *g, const struct key *key)
{
	size_t known = g->keys.n;
	size_t number = keys_number(&g->keys, key);

	if (g->ndists < g->keys.n) {
		g->ndists = g->keys.max;
		g->dist = xreallocarray(g->dist, g->ndists, sizeof *g->dist);
	}
	if (number == known)
		g->dist[number] = (struct dist){0};
	return &g->dist[number];
}

void
groups_free(struct groups *g)
{
	for (size_t i = 0; i < g->keys.n; i++)
		dist_free(&g->dist[i]);
	free(g->dist);
	keys_free(&g->keys);
	*g = (struct groups){0};
}
