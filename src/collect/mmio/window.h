/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The mapped memory of the transfers: its contents before, the data that verify
 * it, the timed loops, and the TLPs of a transfer.
 */
#ifndef PCB_COLLECT_MMIO_WINDOW_H
#define PCB_COLLECT_MMIO_WINDOW_H

#include "collect/core/point.h"
#include "collect/host/guardian.h"
#include "collect/host/store.h"
#include "collect/mmio/access.h"

/* Transfers of one size to or from mapped memory. */
struct timing {
	enum bench_id bench;
	store_write *write;
	store_read *read;
	volatile unsigned char *device;
	unsigned char *host; /* source of writes, or destination of reads */
	uint64_t size;       /* bytes of a transfer */
	uint64_t stride;     /* bytes between transfers */
	uint64_t units;      /* transfers in the window */
};

/* Whether the bench writes to the device. */
bool timing_writes(enum bench_id bench);

/* Ticks for one transfer of a latency bench, in this unit of the window. */
uint64_t timing_one(const struct timing *t, uint64_t unit);

/*
 * Goes through the window, unit by unit and again from the start, until n
 * transfers are done or *stop is set. Returns the ticks until the last transfer
 * has left the CPU, and sets *done to the number of transfers.
 */
uint64_t timing_many(const struct timing *t, uint64_t n,
                     const volatile sig_atomic_t *stop, uint64_t *done);

/*
 * The least ticks of a sample without its access, over many tries. For
 * bandwidth benches: the least ticks of one access of 8 bytes in the same loop,
 * to cached memory.
 */
double timing_overhead(enum bench_id bench);

/* Zero-initialise; release with window_free. */
struct window {
	const struct mmio_access *access;
	struct mmio_range range;
	struct timing timing;
	unsigned char *seen; /* data read back; as large as the range */
	uint64_t fills;      /* number of fills of timing.host */
};

/* Allocates the data for the whole range. False after fail(). */
bool window_allocate(struct session *s, struct window *w);

/* Sets the timing to a point; `width` is an index of store_width. */
void window_set(struct window *w, const struct store *store,
                const struct point *point, size_t width);

/* Fills timing.host with new data, which are never all ones. */
void window_fill(struct window *w);

/*
 * Reads the first units back and compares. False after fail() with this status
 * if they differ.
 */
bool window_verify(struct session *s, struct window *w, uint64_t units,
                   int status);

/*
 * Checks that the device answers and, for a bench that writes, that the window
 * holds what is written. False after fail().
 */
bool window_prove(struct session *s, struct window *w);

void window_free(struct window *w);

/*
 * Contents of a device's memory, saved before it is overwritten.
 * Zero-initialise; release with contents_put_back.
 */
struct contents {
	const char *bdf;
	volatile uint64_t *at; /* mapped and writable */
	uint64_t *before;      /* NULL: nothing saved */
	uint64_t size;         /* bytes, a multiple of 8 */
	struct guardian guardian;
};

/*
 * Saves the contents and starts a guardian that restores them when this process
 * ends, however it ends. False after fail().
 */
bool contents_keep(struct session *s, struct contents *c);

/* Restores them; warns if the memory does not keep them. */
void contents_put_back(struct contents *c);

/* A transfer of `size` bytes with accesses of `width` bytes. */
struct mmio_transfer {
	uint64_t size;
	unsigned width;
	bool combined; /* through write-combining buffers */
	bool direct;   /* with MOVDIR64B: 64 bytes are never split */
};

struct tlp_range {
	uint64_t least, most;
};

/*
 * The number of requests on the link, MRd or MWr. A CPU may split an access of
 * more than 8 bytes into accesses of 8 (Intel SDM vol. 3, "Guaranteed Atomic
 * Operations"), and may evict a write-combining buffer whole, as 64 bytes, or
 * in parts ("Buffering of Write Combining Memory Locations"). The link splits
 * no request: the smallest MPS is 128 bytes.
 */
struct tlp_range mmio_tlps(const struct mmio_transfer *t);

#endif
