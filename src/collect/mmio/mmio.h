/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory of devices: what may be overwritten, how it is mapped and timed. */
#ifndef PCB_COLLECT_MMIO_MMIO_H
#define PCB_COLLECT_MMIO_MMIO_H

#include "collect/core/point.h"
#include "collect/host/guardian.h"
#include "collect/host/restore.h"
#include "collect/host/store.h"
#include "collect/pci/bar.h"
#include "collect/vfio/vfio.h"

/* Access ------------------------------------------------------------------- */

/* A range of a device's memory; offset and size in bytes. */
struct mmio_range {
	int bar; /* 0 to 5 */
	uint64_t offset, size;
};

/*
 * Parses "BAR2+0x1000,4K": offset and size are multiples of 64. Returns NULL,
 * or why the text is refused (a constant), and leaves *range alone.
 */
const char *mmio_range_parse(const char *text, struct mmio_range *range);

/* Whether `inner` lies completely in `outer`. */
bool mmio_range_holds(const struct mmio_range *outer,
                      const struct mmio_range *inner);

/* Values of -O access and of the column `access`. */
enum mmio_way { WAY_RESOURCE, WAY_RESOURCE_WC, WAY_VFIO, NWAYS };
extern const char *const mmio_way_names[NWAYS];

/*
 * A function and how its memory is accessed. Zero-initialise, set tree and
 * function; release with mmio_access_close, after its mappings.
 */
struct mmio_access {
	struct pci_tree *tree;
	const struct pci_function *function;
	enum mmio_way way;
	struct bar bars[BARS];
	struct changes changes; /* of the driver, with -O unbind=yes */
	struct vfio_iommu *iommu;
	int fd;    /* of VFIO; 0 or -1: none */
	int watch; /* of VFIO: readable when the kernel wants the device back */
	int lock;  /* on the BAR that is written; 0 or -1: none */
};

/*
 * Opens the function by the access method `way`. "auto" is VFIO if vfio-pci has
 * the function or may take it (`taking`), otherwise the kernel's file. `wanted`
 * is as for target_find: a function that cannot have it is not taken. False
 * after fail().
 */
bool mmio_access_open(struct session *s, struct mmio_access *a, const char *way,
                      bool taking, const struct mmio_range *wanted);

/*
 * Maps a range, which must lie in its BAR, a->way or, if that is not VFIO, in
 * another; read-only unless `writable`. Returns its first byte, or NULL after
 * fail(); release with mmio_unmap.
 */
volatile void *mmio_access_map(struct session *s, const struct mmio_access *a,
                               enum mmio_way way,
                               const struct mmio_range *range, bool writable);

/*
 * Prevents other runs from writing to a BAR meanwhile. False after fail() if
 * another run has it.
 */
bool mmio_access_lock(struct session *s, struct mmio_access *a, int bar);

/* False after fail() if the device is gone, or the kernel wants it back. */
bool mmio_access_check(struct session *s, const struct mmio_access *a);

void mmio_access_close(struct mmio_access *a);

/* Whether functions of this kind may have such memory. */
bool target_may_be(const struct pci_function *f);

/* Memory that the device's kind or registers identify. */
struct target {
	const char *what; /* "CMB"; NULL: none */
	struct mmio_range range;
};

/*
 * Finds the range to overwrite, on an open device. `wanted` is the range that
 * the user named; with size 0, uses the start of memory that it recognises.
 * False after fail().
 */
bool target_find(struct session *s, const struct mmio_access *a,
                 const struct mmio_range *wanted, struct target *target);

/* Window ------------------------------------------------------------------- */

/* Transfers of one size to or from mapped memory. */
struct timing {
	enum bench_id bench;
	store_copy *copy;
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
