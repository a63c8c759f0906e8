/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The interface of a backend, which knows one way to make transactions happen.
 * It is a folder with one struct backend, listed in cli/backends.c;
 * ARCHITECTURE.md shows how to add one.
 */
#ifndef PCB_COLLECT_CORE_BACKEND_H
#define PCB_COLLECT_CORE_BACKEND_H

#include "collect/core/finding.h"
#include "collect/core/point.h"
#include "collect/core/session.h"

/* How the collector treats a backend: bits of its flags. */
enum {
	/* There is no device: a warning says so if the user named none. */
	BACKEND_VIRTUAL = 1,
	/* Samples are recorded: no sweep, no seed, and all are the default. */
	BACKEND_REPLAY = 2,
	/* A transaction takes long: the warm-up is one. */
	BACKEND_SLOW = 4,
	/* Totals leave out how the engine starts: they need no warm-up. */
	BACKEND_STEADY_TOTALS = 8,
	/* Its devices are PCI functions: the request has their full BDFs. */
	BACKEND_BDF = 16,
	/* The CPU that runs the program does not matter: there is no --cpu. */
	BACKEND_ANY_CPU = 32,
	/*
	 * A CPU accesses memory of a device: rows have the columns of
	 * BENCH_WINDOW, and there are sweeps of size and window, of lat_mmio,
	 * too.
	 */
	BACKEND_WINDOWS = 64,
};

/* What a backend takes where the user gives nothing; 0: as the bench says. */
struct backend_defaults {
	uint64_t count;
	/* Of bandwidth benches, and of all with BACKEND_WINDOWS. */
	uint64_t size, window;
};

/*
 * Functions that return bool say false after fail(). probe, check, end, close
 * and find may be NULL.
 */
struct backend {
	const char *name;
	const char *help;
	unsigned benches; /* BENCH_BIT of those it knows */
	unsigned flags;
	struct backend_defaults defaults;

	/* Kind of files in share/ that BACKEND:help lists, or NULL. */
	const char *profiles;

	/* Tables that end with a NULL name; or NULL. */
	const struct backend_option *options;
	const struct bench_option *bench_options;
	const struct option_column *columns;

	/*
	 * Lists what is there. Changes nothing, needs no rights. Of the
	 * request only -O counts, which may be of other backends, too.
	 */
	void (*probe)(const struct request *request, struct findings *list);

	/* Takes the device; whatever it changes, close puts back. */
	bool (*open)(struct session *s);

	/*
	 * Whether a point can be measured at all: asked of every point of a
	 * sweep before the first is. NULL: all can.
	 */
	bool (*check)(struct session *s, const struct point *point);

	/* Gets ready for one point: makes s->series with their identities. */
	bool (*prepare)(struct session *s, const struct point *point);

	/*
	 * Takes up to `want` further samples of every series, into raw from
	 * its start, and sets n (0 to want; all n zero: there are no more).
	 * With a totals bench: one sample over `want` transactions. Allocates
	 * nothing, prints nothing. On failure the samples counted so far
	 * stand.
	 */
	bool (*run)(struct session *s, uint64_t want);

	/* Adds to the end line what is known only after the last run. */
	void (*end)(struct session *s, struct preamble *end);

	/* Also after a failed open, and on the way out of a signal. */
	void (*close)(struct session *s);

	/*
	 * For --find, without open and close: makes one series, whose identity
	 * says where the function request->device is counted, and gives the
	 * counts a second without and with traffic of it. False after fail(),
	 * with STATUS_NO if the counts do not tell, or if interrupted.
	 */
	bool (*find)(struct session *s, double *quiet, double *busy);
};

/* Appends what the backend finds; findings_free the list. */
void backend_probe(const struct backend *backend, const struct request *request,
                   struct findings *list);

/* All of them, ended by NULL; the order is that of automatic choice. */
extern const struct backend *const backends[];

#endif
