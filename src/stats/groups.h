/* The samples, group by group. */
#ifndef PCB_STATS_GROUPS_H
#define PCB_STATS_GROUPS_H

#include "common/dist.h"

/*
 * What a group's rows have in common: for each cell that is not empty the
 * number of its column, as a uint32_t, and its text with the NUL, in
 * ascending order of columns. So a column that a part lacks, or that comes
 * later, is as good as an empty cell.
 */
struct key {
	char *bytes;
	size_t length, size;
};

/* Zero-initialise; columns come in ascending order. Free key.bytes. */
void key_append(struct key *key, size_t col, const char *text);

/*
 * The text of column `col`, or "". *at is 0 for the first column asked for;
 * it moves along, so columns are asked for in ascending order.
 */
const char *key_text(const struct key *key, size_t col, size_t *at);

struct group {
	struct key key;
	struct dist dist;
};

/* In order of first appearance. Zero-initialise; release with groups_free. */
struct groups {
	struct group *group;
	size_t n, max;
	size_t last;  /* the one found last */
	size_t *slot; /* numbers of groups, from 1, hashed by their keys */
	size_t nslots;
};

/* The group with this key; a new one where there is none yet. */
struct group *groups_find(struct groups *g, const struct key *key);

void groups_free(struct groups *g);

#endif
