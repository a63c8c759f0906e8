/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Host memory that a device is let to: on one node, in pages of one size. */
#ifndef PCB_COLLECT_HOST_NUMA_BUFFER_H
#define PCB_COLLECT_HOST_NUMA_BUFFER_H

#include "collect/core/backend.h"

/* The kernel's own pages, which are larger with some kernels of arm64. */
#define SMALL_PAGE UINT64_C(4096)
#define HUGE_PAGE  (SMALL_PAGE << 9)

/* Zero-initialise; release with memory_free. */
struct memory {
	unsigned char *at;
	uint64_t size; /* in whole pages */
	uint64_t page; /* bytes, as they are */
	int node;      /* -1: on any, see memory_is_anywhere */
};

/* A size of pages from "4K", "2M" or "1G"; NULL or why it is none. */
const char *memory_parse_page(const char *text, uint64_t *page);

/* Whether pages of this size are larger than the kernel's own. */
bool memory_is_huge(uint64_t page);

/*
 * Private memory, untouched, in whole pages of a size; huge ones must have been
 * reserved. NULL with errno; release with munmap.
 */
void *memory_map(uint64_t size, uint64_t page);

/* Whether one node has all memory, or the machine does not know of nodes. */
bool memory_one_node(void);

/*
 * Whether several have some, of which this process may choose none, as in a
 * container without CAP_SYS_NICE: rows leave the node empty then.
 */
bool memory_is_anywhere(void);

/*
 * Warns where memory that is local to a device on node `home` (-1: unknown) is
 * anywhere, or on another node, for want of memory on that.
 */
void memory_warn_local(const char *device, int home);

/*
 * The number of the node that a point names, seen from a device on node
 * `home`; if that is unknown (-1), the one that we run on is local. Where that
 * has no memory, the nearest is local; remote is the farthest with CPUs, if one
 * has some. -1 for local memory that is anywhere. False after fail() if there
 * is no such node, or it cannot be chosen.
 */
bool memory_node(struct session *s, int wanted, int home, int *node);

/*
 * Allocates `size` bytes, rounded up to pages, touches them and looks whether
 * they are on that node; huge pages must have been reserved. False after
 * fail(), with nothing allocated.
 */
bool memory_make(struct session *s, struct memory *m, uint64_t size,
                 uint64_t page, int node);

/*
 * The same in pages of 2M that the kernel makes of small ones: whether it has
 * must be looked up.
 */
bool memory_make_transparent(struct session *s, struct memory *m, uint64_t size,
                             int node);

/* Node and page, as columns. */
void memory_identify(struct series *series, const struct memory *m);

void memory_free(struct memory *m);

#endif
