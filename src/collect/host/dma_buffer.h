/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A buffer in host memory that a device transfers to and from: its node and
 * pages, the order of accesses, and the state of the caches.
 */
#ifndef PCB_COLLECT_HOST_DMA_BUFFER_H
#define PCB_COLLECT_HOST_DMA_BUFFER_H

#include "collect/core/access_order.h"
#include "collect/core/point.h"
#include "collect/host/numa_buffer.h"

/* A row of a backend's table of options. */
#define DMA_BUFFER_OPTION_PAGES                                                \
	{                                                                      \
		"pages", "4K", "pages of the buffer: 4K, 2M, 1G"               \
	}

/* Zero-initialise, call dma_buffer_open; release with dma_buffer_close. */
struct dma_buffer {
	/* The backend sets these before dma_buffer_prepare. */
	const char *backend; /* its name, for messages */
	int home;            /* NUMA node of the device, or -1 */
	uint64_t size_max;   /* bytes that the device reaches */
	/* Lets the device reach the memory; false after fail(). */
	bool (*map)(struct session *s, void *device, const struct memory *m);
	void (*unmap)(void *device, const struct memory *m);
	void *device; /* the argument of both */

	/* For reading. */
	struct memory memory;
	struct point point;
	uint64_t unit; /* bytes, see point_unit */
	struct order order;

	/* Private. */
	uint64_t page;       /* bytes, as asked for */
	uint64_t window_max; /* of the sweep */
};

/* Reads -O pages of this table, and the seed. False after fail(). */
bool dma_buffer_open(struct session *s, struct dma_buffer *b,
                     const struct backend_option *options);

/*
 * Warns where the node of a device is not known, or where memory on it cannot
 * be had.
 */
void dma_buffer_warn_node(const struct dma_buffer *b, const char *device);

/*
 * For the backend's check: whether a buffer can hold the window and is on the
 * node, and whether the CPU can set the state of its caches.
 */
bool dma_buffer_check(struct session *s, struct dma_buffer *b,
                      const struct point *point);

/*
 * Whether a pass has so many transfers that `most` can be under way, each of
 * the window once; else fails.
 */
bool dma_buffer_check_depth(struct session *s, const struct point *point,
                            uint64_t most);

/*
 * For the backend's prepare: begins a point. The memory is that of the point
 * before, large enough for all that were checked, unless the node changes.
 */
bool dma_buffer_prepare(struct session *s, struct dma_buffer *b,
                        const struct point *point);

/* Sets the columns of the point and of the memory. */
void dma_buffer_identify(struct series *series, const struct dma_buffer *b);

/*
 * Where the next transfer begins, in bytes of the buffer. Before the first of
 * a pass (order_is_new) call dma_buffer_set_cache, outside of what is timed.
 */
static inline uint64_t
dma_buffer_next(struct dma_buffer *b)
{
	return order_next(&b->order) * b->unit + b->point.offset;
}

/* Brings the window into the state of caches of the point. */
void dma_buffer_set_cache(struct dma_buffer *b);

void dma_buffer_close(struct dma_buffer *b);

#endif
