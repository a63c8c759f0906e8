/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Host memory for DMA: on one node, in pages of one size. */
#ifndef PCB_COLLECT_HOST_NUMA_BUFFER_H
#define PCB_COLLECT_HOST_NUMA_BUFFER_H

#include "collect/core/backend.h"

/* Default page sizes; some kernels of arm64 have larger pages. */
#define SMALL_PAGE UINT64_C(4096)
#define HUGE_PAGE  (SMALL_PAGE << 9)

/* Zero-initialise; release with memory_free. */
struct memory {
	unsigned char *at;
	uint64_t size; /* whole pages */
	uint64_t page; /* actual size, bytes */
	int node;      /* -1: on any, see memory_is_anywhere */
};

/* Parses a page size "4K", "2M" or "1G"; NULL, or why it is none. */
const char *memory_parse_page(const char *text, uint64_t *page);

/* Whether pages of this size are larger than the kernel's default. */
bool memory_is_huge(uint64_t page);

/*
 * Private memory in whole pages of a size, not touched yet; huge pages must
 * have been reserved. NULL with errno; release with munmap.
 */
void *memory_map(uint64_t size, uint64_t page);

/* Whether one node has all memory, or the kernel reports no nodes. */
bool memory_one_node(void);

/*
 * Whether several nodes have memory but this process may choose none of them,
 * as in a container without CAP_SYS_NICE. Rows then leave the node empty.
 */
bool memory_is_anywhere(void);

/*
 * Warns if memory local to a device on node `home` (-1: unknown) cannot be
 * placed, or is on another node because that one has no memory.
 */
void memory_warn_local(const char *device, int home);

/*
 * Stores the node that a point names, as seen from a device on node `home`; -1
 * there means that the current CPU's node is local. If the local node has no
 * memory, the nearest one with memory counts as local; remote is the farthest,
 * with CPUs if possible. *node is -1 for local memory that cannot be placed.
 * False after fail() if the node does not exist or cannot be chosen.
 */
bool memory_node(struct session *s, int wanted, int home, int *node);

/*
 * Allocates `size` bytes, rounded up to pages, touches them and checks that
 * they are on the node; huge pages must have been reserved. False after fail(),
 * with nothing allocated.
 */
bool memory_make(struct session *s, struct memory *m, uint64_t size,
                 uint64_t page, int node);

/*
 * The same in transparent huge pages of 2M; the caller must check whether the
 * kernel has made them.
 */
bool memory_make_transparent(struct session *s, struct memory *m, uint64_t size,
                             int node);

/* Sets the columns for node and page. */
void memory_identify(struct series *series, const struct memory *m);

void memory_free(struct memory *m);

#endif
