/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Host memory for DMA: on one node, in pages of one size; states of the CPU
 * caches; and the buffer of a sweep.
 */
#ifndef PCB_COLLECT_HOST_MEMORY_H
#define PCB_COLLECT_HOST_MEMORY_H

#include "collect/core/backend.h"
#include "collect/core/point.h"

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

/*
 * Brings memory into the caches with a store to each line; the bytes stored are
 * arbitrary.
 */
void cache_warm(void *from, uint64_t size);

/* Memory whose use evicts everything else from the caches. Zero-initialise. */
struct thrash {
	void *at;
	uint64_t size;
};

/*
 * Maps more than twice a last-level cache of `llc` bytes. False after fail(),
 * also if `llc` is 0 (unknown). Release with thrash_free.
 */
bool thrash_make(struct session *s, struct thrash *thrash, uint64_t llc);
void thrash_free(struct thrash *thrash);

/* Writes the whole area; does nothing if none was made. */
void cache_thrash(const struct thrash *thrash);

/* A row of a backend's table of options. */
#define DMA_BUFFER_OPTION_PAGES                                                \
	{                                                                      \
		"pages", "4K", "pages of the buffer: 4K, 2M, 1G"               \
	}

/* Zero-initialise, call dma_buffer_open; release with dma_buffer_close. */
struct dma_buffer {
	/* The backend sets these before dma_buffer_prepare. */
	const char *backend; /* its name in messages */
	int home;            /* NUMA node of the device, or -1 */
	uint64_t size_max;   /* bytes that the device can address */
	/* Map the memory, or NULL; map returns false after fail(). */
	bool (*map)(struct session *s, void *device, const struct memory *m);
	void (*unmap)(void *device, const struct memory *m);
	void *device; /* argument of both */

	/* Read-only. */
	struct memory memory;
	struct point point;
	uint64_t unit; /* bytes, see point_unit */
	struct order order;

	/* Private. */
	uint64_t page;       /* bytes, as requested */
	uint64_t window_max; /* largest of the sweep */
};

/* Reads -O pages by this table, and the seed. False after fail(). */
bool dma_buffer_open(struct session *s, struct dma_buffer *b,
                     const struct backend_option *options);

/*
 * Warns if the device's node is unknown, or if memory on it is not available.
 */
void dma_buffer_warn_node(const struct dma_buffer *b, const char *device);

/*
 * For the backend's check: false after fail() if no buffer holds the window on
 * the point's node, or the CPU cannot set the state of its caches.
 */
bool dma_buffer_check(struct session *s, struct dma_buffer *b,
                      const struct point *point);

/*
 * False after fail() if a pass has fewer transfers than `most`, the number
 * under way at a time.
 */
bool dma_buffer_check_depth(struct session *s, const struct point *point,
                            uint64_t most);

/*
 * For the backend's prepare: begins a point, in the memory of the point before
 * (large enough for all checked points) unless the node changes. False after
 * fail().
 */
bool dma_buffer_prepare(struct session *s, struct dma_buffer *b,
                        const struct point *point);

/* Sets the columns of the point and of the memory. */
void dma_buffer_identify(struct series *series, const struct dma_buffer *b);

/* The byte of the buffer where a transfer of this unit begins. */
static inline uint64_t
dma_buffer_at(const struct dma_buffer *b, uint64_t unit)
{
	return unit * b->unit + b->point.offset;
}

/* Sets the caches for the window to the point's state. */
void dma_buffer_set_cache(struct dma_buffer *b);

void dma_buffer_close(struct dma_buffer *b);

#endif
