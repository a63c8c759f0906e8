/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The samples of each group of rows. */
#ifndef PCB_COMMON_STAT_GROUPS_H
#define PCB_COMMON_STAT_GROUPS_H

#include "common/stat/histogram.h"
#include "common/stream/key_set.h"

/* Zero-initialise; release with groups_free. */
struct groups {
	struct key_set keys;
	struct histogram *histogram; /* one per key */
	size_t room;
};

/* The histogram of the group with this key; a new group's is empty. */
struct histogram *groups_find(struct groups *g, const struct key *key);

/* The indices of the groups with these keys; see key_set_intern_all. */
void groups_find_all(struct groups *g, const struct key key[], size_t n,
                     size_t number[]);

void groups_free(struct groups *g);

#endif
