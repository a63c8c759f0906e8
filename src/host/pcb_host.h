/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libpcb-host: the host of pcb-sim(7) for other simulators. It says when the
 * completions of a DMA read arrive, and when a write is visible in memory.
 * Times are picoseconds of the caller's clock. Link with
 *
 *     -lpcb-host -lcsv -ljansson -lm
 */
#ifndef PCB_HOST_H
#define PCB_HOST_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct pcb_host;

/* Zero-initialised it is the default host, asked at the device. */
struct pcb_host_setup {
	const char *profile; /* "e5-2630v4", several with "+" between, a file */
	const char *const *options; /* "rc=300ns" and others, NULL at the end */
	uint64_t seed;              /* of what is left to chance */
	/*
	 * Whether times are those at the root complex: the caller simulates
	 * the link. Else they are those at the device, at its end of the link.
	 */
	bool at_root;
};

/*
 * A host whose caches are cold. Ends the process with a message where there is
 * no such profile, or where an option is wrong. To be closed with
 * pcb_host_close; the texts must outlive it.
 */
struct pcb_host *pcb_host_open(const struct pcb_host_setup *setup);
void pcb_host_close(struct pcb_host *host);

enum pcb_host_cache {
	PCB_HOST_COLD,
	PCB_HOST_THRASHED,
	PCB_HOST_WARM,        /* CPUs have written the window */
	PCB_HOST_DEVICE_WARM, /* devices have */
};

/*
 * Starts a run: brings the caches into a state for the bytes from address 0 to
 * `window`, which are in memory of the other socket if `remote`, draws the
 * drift of this run, and makes the host idle.
 */
void pcb_host_prepare(struct pcb_host *host, enum pcb_host_cache cache,
                      uint64_t window, bool remote);

/* Flushes all lines of the caches. */
void pcb_host_flush(struct pcb_host *host);

/* Nothing is under way any more; the clock may start again at 0. */
void pcb_host_idle(struct pcb_host *host);

struct pcb_host_transaction {
	uint64_t time;    /* not before that of the one before */
	uint64_t address; /* below 2^40 */
	uint64_t size;    /* 1 to 4096 bytes; at the root, within one page */
	bool write;
};

/* When a transaction is done. */
struct pcb_host_answer {
	/*
	 * Of a read: when the first line of its data has arrived, and when all
	 * have; at the root, when they leave it. Of a write: when its last
	 * packet has left the device (at the root: its time), and when it is
	 * visible to reads.
	 */
	uint64_t first, last;
};

/* NULL, or why the host cannot take the transaction (a constant). */
const char *pcb_host_check(const struct pcb_host *host,
                           const struct pcb_host_transaction *t);

/*
 * Takes a transaction that has been checked. Completions arrive in the order
 * of the requests; how many requests are in flight is the caller's affair.
 */
struct pcb_host_answer pcb_host_take(struct pcb_host *host,
                                     const struct pcb_host_transaction *t);

/* The state of the generator of random numbers, to be kept and put back. */
uint64_t pcb_host_random(const struct pcb_host *host);
void pcb_host_set_random(struct pcb_host *host, uint64_t state);

#ifdef __cplusplus
}
#endif

#endif
