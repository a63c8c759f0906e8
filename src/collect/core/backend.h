/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The interface of a backend, which runs transactions in one way. A backend is
 * a folder with one struct backend, listed in cli/devices.c; ARCHITECTURE.md
 * shows how to add one.
 */
#ifndef PCB_COLLECT_CORE_BACKEND_H
#define PCB_COLLECT_CORE_BACKEND_H

#include "collect/core/point.h"
#include "collect/core/session.h"

/* Bits of a backend's flags. */
enum {
	/* No device is measured: warns of that unless the user named it. */
	BACKEND_VIRTUAL = 1,
	/* A transaction takes long: the default warm-up is one. */
	BACKEND_SLOW = 2,
	/* Totals exclude the engine's start, so they need no warm-up. */
	BACKEND_STEADY_TOTALS = 4,
	/* Devices are PCI functions: the request has their full BDFs. */
	BACKEND_BDF = 8,
	/* Any CPU may run the program: there is no --cpu. */
	BACKEND_ANY_CPU = 16,
	/*
	 * A CPU accesses memory of a device: rows have the columns of
	 * BENCH_WINDOW, and size and window can be swept, also for lat_mmio.
	 */
	BACKEND_WINDOWS = 32,
	/* Transfers are whole blocks, also those of latencies. */
	BACKEND_BLOCKS = 64,
	/* A run accesses the device before it takes a sample: no --idle. */
	BACKEND_WAKES = 128,
};

/* Defaults of a backend; 0: the default of the bench. */
struct backend_defaults {
	uint64_t count;
	/* For bandwidth; for all with BACKEND_WINDOWS or _BLOCKS. */
	uint64_t size, window;
};

/*
 * Functions that return bool return false after fail(). check, end and close
 * may be NULL.
 */
struct backend {
	const char *name;
	const char *help;
	size_t
	    state_size; /* of the session's state: zeroed, freed after close */
	unsigned benches; /* BENCH_BIT of each it supports */
	unsigned flags;
	struct backend_defaults defaults;

	/* Kind of the files in share/ that BACKEND:help lists, or NULL. */
	const char *profiles;

	/* Tables that end with a NULL name; or NULL. */
	const struct backend_option *options;
	const struct bench_option *bench_options;
	const struct option_column *columns;

	/*
	 * Lists the devices. Changes nothing and needs no privileges. Of the
	 * request only -O counts, which may hold options of other backends.
	 */
	void (*probe)(const struct request *request, struct findings *list);

	/* Takes the device. close undoes whatever open changes. */
	bool (*open)(struct session *s);

	/*
	 * Whether a point can be measured; called for every point of a sweep
	 * before the first one is measured. NULL: all can.
	 */
	bool (*check)(struct session *s, const struct point *point);

	/* Prepares one point: makes s->series and sets their identities. */
	bool (*prepare)(struct session *s, const struct point *point);

	/*
	 * Stores up to `want` samples of every series at the start of raw and
	 * sets n (0 to want; if all n are 0, there are no more). For a totals
	 * bench: one sample over `want` transactions. Allocates and prints
	 * nothing. On failure the samples counted so far are valid.
	 */
	bool (*run)(struct session *s, uint64_t want);

	/* Adds to the end line what is known only after the last run. */
	void (*end)(struct session *s, struct preamble *end);

	/* Also called after a failed open and after a signal. */
	void (*close)(struct session *s);
};

/* All backends, ended by NULL, in the order of automatic choice. */
extern const struct backend *const backends[];

#endif
