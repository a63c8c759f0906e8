/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A drive in service, read through the kernel without its page cache: the drive
 * below a file, reads of it, and what the kernel counted meanwhile. Every file
 * is opened read-only.
 */
#ifndef PCB_COLLECT_DISK_DISK_H
#define PCB_COLLECT_DISK_DISK_H

#include "collect/core/session.h"

#include <linux/io_uring.h>
#include <sys/uio.h>

#define DISK_DEPTH_MAX 1024

/* The drive below a file or a block device. Zero-initialise. */
struct disk_place {
	char *disk; /* nvme0n1 */
	char *path; /* "dm-1 (LVM) -> nvme0n1p2", for messages */
	char *bdf;  /* of the function that the disk belongs to */
	char *stat; /* the file of its counters */
};

/*
 * Finds it below `sys`, /sys or a copy of it. False after fail(), with a
 * remedy, if the file is not on one disk that is a PCI function, or if a layer
 * between takes time of its own. Free the place in any case.
 */
bool disk_find(struct session *s, const char *sys, const char *file,
               struct disk_place *place);

void disk_place_free(struct disk_place *place);

/*
 * Stores where the longest part of an open file begins that a read takes from
 * the disk as it is: no hole, and neither reserved, compressed nor
 * encrypted. False after fail() if it has fewer than `least` bytes.
 */
bool disk_extent(struct session *s, int fd, const char *file, uint64_t least,
                 uint64_t *at);

/* What the kernel has counted of a disk since the machine started. */
struct disk_count {
	uint64_t reads, merged; /* requests, and reads that joined another */
	uint64_t bytes;         /* read */
	uint64_t written;       /* bytes */
};

/* From an open file of struct disk_place's stat; zeros if it is unreadable. */
struct disk_count disk_count(int fd);

/* The same since then. */
struct disk_count disk_since(const struct disk_count *before, int fd);

/*
 * Whether the drive did these reads of `size` bytes, of which up to `depth` at
 * a time may be counted late: false after fail() if others answered, or if
 * requests were merged or split. Bytes beyond these are of others' reads, which
 * may have made a request of each sector.
 */
bool disk_judge(struct session *s, const struct disk_count *n, uint64_t reads,
                uint64_t size, uint64_t depth);

/* The CPUs that get interrupts of the function's queues; free the array. */
struct cpulist disk_cpus(const char *bdf);

/* Bytes of Identify Controller, and of the table of the feature APST. */
#define DISK_IDENTIFY_BYTES 4096
#define DISK_APST_BYTES     256

/*
 * After what silence the drive enters which states, and how long it then takes
 * to wake: "after 100 ms 5000 us; after 2100 ms 25000 us"; NULL if it never
 * does. Free it.
 */
char *disk_power_text(const unsigned char identify[DISK_IDENTIFY_BYTES],
                      const unsigned char table[DISK_APST_BYTES]);

/*
 * The same from the controller, such as /dev/nvme0; also "off", or "none" if it
 * cannot. NULL if it may not be asked. Two commands of the admin queue.
 */
char *disk_power(const char *controller);

/* Reads ------------------------------------------------------------------- */

/* Ways to wait for a read; their names are values of -O interface. */
enum disk_way {
	WAY_IO_URING, /* the CPU sleeps until the drive interrupts it */
	WAY_SPIN,     /* it looks for the completion in memory */
	WAY_POLL, /* the kernel looks at the drive, which interrupts no CPU */
	WAY_PREADV2, /* one read at a time */
	NWAYS
};
extern const char *const disk_ways[NWAYS];

/*
 * A ring of io_uring(7), or preadv2(2) in its place. Zero-initialise; release
 * with ring_close.
 */
struct ring {
	int fd, file; /* 0: not open */
	enum disk_way way;
	unsigned ready; /* reads put and not submitted */
	int error;      /* of a wait, or 0 */

	unsigned char *sq, *cq; /* mapped; NULL: not */
	size_t sq_size, cq_size, sqe_size;
	struct io_uring_sqe *sqe;
	const struct io_uring_cqe *cqe;
	unsigned *sq_tail, *sq_array, *cq_head, *cq_tail, sq_mask, cq_mask;
	unsigned tail;

	struct iovec one; /* for preadv2 */
	uint64_t at;
	int result;
};

/*
 * For up to `depth` reads of the open file at a time. Changes the way to
 * preadv2 if the kernel forbids io_uring, one read is enough, and `given` is
 * false. False after fail().
 */
bool ring_open(struct session *s, struct ring *r, int file, unsigned depth,
               bool given);

/* Prepares a read; `slot` comes back with its end. */
void ring_put(struct ring *r, uint32_t slot, void *to, uint32_t size,
              uint64_t at);

/* Submits all reads put; sleeps until the first has ended if the way does. */
bool ring_submit(struct session *s, struct ring *r);

/* Whether a read has ended, or r->error is set. May sleep for it. */
bool ring_is_done(struct ring *r);

/* Takes a read that has ended: its bytes, or an errno as a negative number. */
int ring_take(struct ring *r, uint32_t *slot);

void ring_close(struct ring *r);

#endif
