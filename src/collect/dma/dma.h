/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What backends of DMA engines share: a function by VFIO, a buffer that it
 * reaches, the order and state in which that is accessed.
 */
#ifndef PCB_COLLECT_DMA_DMA_H
#define PCB_COLLECT_DMA_DMA_H

#include "collect/core/access_order.h"
#include "collect/host/cpu.h"
#include "collect/host/numa_buffer.h"
#include "collect/host/restore.h"
#include "collect/vfio/vfio.h"

/* To begin a backend's table of options with. */
#define DMA_TAKE                                                               \
	{                                                                      \
		"take", "no", "yes: take the device from its driver meanwhile" \
	}
#define DMA_PAGES                                                              \
	{                                                                      \
		"pages", "4K", "pages of the buffer: 4K, 2M, 1G"               \
	}

/* Zero-initialise, set what is above the line. */
struct dma {
	const char *backend;
	const struct backend_option *options;
	const char *what; /* what it drives, such as "an NVMe controller" */
	bool (*suits)(const struct pci_function *f);
	uint64_t iova, room; /* where the device sees the buffer */
	/* ---- */
	struct pci_tree *tree;
	const struct pci_function *function;
	const char *kind;
	struct changes changes;
	struct vfio_iommu *iommu;
	int fd, release; /* 0: none yet; the kernel wants it back: readable */
	struct memory buffer;
	uint64_t page, most; /* most: the largest window of the sweep */
	struct order order;
	struct point point;
	uint64_t unit;
	struct host host;
};

/*
 * The finding of each function that suits, for the backend's probe: with
 * the benches `known`, or why not. Set backend, options and suits.
 */
void dma_probe(const struct dma *d, unsigned known, struct findings *list);

/*
 * Takes the function that the request names and lets it start transactions;
 * describes the machine. dma_close follows in any case.
 */
bool dma_open(struct session *s, struct dma *d);

/* Whether the window holds such transfers, for the backend's check. */
bool dma_check(struct session *s, struct dma *d, const struct point *point);

/* Buffer, order and s->series, one, for the backend's prepare. */
bool dma_prepare(struct session *s, struct dma *d, const struct point *point,
                 const char *interface);

/*
 * Where the next transfer begins, in bytes of the buffer. Before the first of
 * a pass (order_is_new) comes dma_set_cache, outside of what is timed.
 */
static inline uint64_t
dma_next(struct dma *d)
{
	return order_next(&d->order) * d->unit + d->point.offset;
}

void dma_set_cache(struct dma *d);

/* False after fail() if the kernel is about to take the device away. */
bool dma_is_ours(struct session *s, const struct dma *d);

/* For the backend's end. */
void dma_end(const struct dma *d, struct preamble *end);

/* The engine must be at rest; mappings of BARs must be gone. */
void dma_close(struct dma *d);

#endif
