/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libpcb-host: the host of pcb-sim(7) for other simulators. It computes when
 * the completions of a DMA read arrive, and when a write is visible in memory.
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

/* All zero: the default host, with times at the device. */
struct pcb_host_setup {
	const char *profile; /* "e5-2630v4", several joined by "+", or a file */
	const char *const *options; /* "rc=300ns" and so on, NULL-terminated */
	uint64_t seed;              /* of the random numbers */
	/*
	 * Times are those at the root complex: the caller simulates the link.
	 * Else they are those at the device's end of the link.
	 */
	bool at_root;
};

/*
 * Creates a host with cold caches. Ends the process with a message if a profile
 * does not exist or an option is wrong. Close it with pcb_host_close; the texts
 * must outlive it.
 */
struct pcb_host *pcb_host_open(const struct pcb_host_setup *setup);
void pcb_host_close(struct pcb_host *host);

enum pcb_host_cache {
	PCB_HOST_COLD,
	PCB_HOST_THRASHED,
	PCB_HOST_WARM,        /* CPUs have written the window */
	PCB_HOST_DEVICE_WARM, /* devices have written it */
};

/*
 * Starts a run: sets the caches to a state for the addresses from 0 to
 * `window`, in memory of the other socket if `remote`; draws the drift of the
 * run; makes the host idle.
 */
void pcb_host_prepare(struct pcb_host *host, enum pcb_host_cache cache,
                      uint64_t window, bool remote);

/* Flushes all cache lines. */
void pcb_host_flush(struct pcb_host *host);

/* Ends all transactions; the clock may restart at 0. */
void pcb_host_idle(struct pcb_host *host);

struct pcb_host_transaction {
	uint64_t time;    /* not before the previous one's */
	uint64_t address; /* below 2^40 */
	uint64_t size;    /* 1 to 4096 bytes; at the root within a page */
	bool write;
};

/* Times of a transaction. */
struct pcb_host_answer {
	/*
	 * A read: when the first line of its data arrives, and when all have
	 * (at the root: when they leave it). A write: when its last packet
	 * leaves the device (at the root: its time), and when reads see it.
	 */
	uint64_t first, last;
};

/* NULL, or why the host refuses the transaction (a constant). */
const char *pcb_host_check(const struct pcb_host *host,
                           const struct pcb_host_transaction *t);

/*
 * Runs a transaction that has passed pcb_host_check. Completions arrive in the
 * order of requests; the caller limits the number in flight.
 */
struct pcb_host_answer pcb_host_take(struct pcb_host *host,
                                     const struct pcb_host_transaction *t);

/* The state of the random number generator, to save and restore. */
uint64_t pcb_host_random(const struct pcb_host *host);
void pcb_host_set_random(struct pcb_host *host, uint64_t state);

#ifdef __cplusplus
}
#endif

#endif
