/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A buffer in host memory for DMA: node, pages, order of accesses, and state of
 * the caches.
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
	const char *backend; /* its name in messages */
	int home;            /* NUMA node of the device, or -1 */
	uint64_t size_max;   /* bytes that the device can address */
	/* Map the memory for the device; map returns false after fail(). */
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

/*
 * The offset of the next transfer in the buffer, in bytes. Before the first of
 * a pass (order_is_new) call dma_buffer_set_cache, outside of timed code.
 */
static inline uint64_t
dma_buffer_next(struct dma_buffer *b)
{
	return order_next(&b->order) * b->unit + b->point.offset;
}

/* Sets the caches for the window to the point's state. */
void dma_buffer_set_cache(struct dma_buffer *b);

void dma_buffer_close(struct dma_buffer *b);

#endif
