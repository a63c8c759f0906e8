/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A backend knows one way to make transactions happen. It is one file with
 * one struct backend, listed in backends.c; ARCHITECTURE.md shows how to add
 * one.
 */
#ifndef PCB_COLLECT_CORE_BACKEND_H
#define PCB_COLLECT_CORE_BACKEND_H

#include "collect/core/bench.h"
#include "common/base/util.h"
#include "common/stream/preamble.h"

#include <signal.h>

enum pattern { PATTERN_RANDOM, PATTERN_SEQUENTIAL };
enum cache {
	CACHE_COLD,
	CACHE_THRASHED,
	CACHE_HOST_WARM,
	CACHE_DEVICE_WARM,
	NCACHES
};

/* The words of pcb-csv(5) for them. */
extern const char *const pattern_names[];
extern const char *const cache_names[];

enum { NODE_LOCAL = -1, NODE_REMOTE = -2 };

/* One point of a sweep. Sizes in bytes. */
struct point {
	uint64_t size, offset, window;
	enum pattern pattern;
	enum cache cache;
	int node; /* a number, or NODE_LOCAL, NODE_REMOTE */
};

/*
 * Samples of one identity. The backend fills id[] with series_set (the
 * caller supplies host, run, bench and labels where it is empty), and in run
 * it stores samples of bench->width integers each from raw on and counts them
 * in n; the caller has allocated and touched the memory.
 */
struct series {
	char *id[NIDENTITY];
	uint64_t *raw;
	size_t n;
};

struct session;

/* Replaces the session's series by n empty ones; 0 frees them. */
void series_make(struct session *s, size_t n);

/* Sets one identity text, replacing what was there. */
void series_set(struct series *series, enum identity column, const char *fmt,
                ...) PRINTF_LIKE(3, 4);

/* Why an operation failed, for the user, and the status to end with. */
struct failure {
	int status; /* STATUS_TROUBLE or STATUS_ABSENT */
	char *text; /* one line, without program name and newline */
};

/* A NAME=VALUE of -O, checked by the backend's open. */
struct setting {
	char *name;
	const char *value;
};

/* What --hold may name. */
enum hold_id { HOLD_IDLE, HOLD_GOVERNOR, HOLD_POWER, HOLD_PRIORITY, NHOLDS };
extern const char *const hold_names[NHOLDS];

/* What the user asked for; constant while a backend is open. */
struct request {
	const struct bench *bench;
	const char *which; /* after BACKEND:, or NULL */
	bool path;         /* --path: the bridges above it too */
	struct setting *setting;
	size_t nsettings;
	uint64_t count; /* transactions per point and run; 0: not given */
	uint64_t runs;
	uint64_t seed;
	uint64_t buffer;  /* bytes; 0: the backend's default */
	bool cache_given; /* --cache: else a point's state is the default */
	int cpu;          /* to pin to, or -1 */
	unsigned hold;    /* bits of enum hold_id */
	bool aspm_off;
	const char *cross;    /* what else is read between, or NULL */
	uint64_t load;        /* CPUs that read besides */
	uint64_t interval;    /* ps between counts; 0: not given */
	char *const *command; /* to count during, ended by NULL; or NULL */
	const char *find;     /* --find: a BDF whose place is looked for */
};

/* An open device. The backend owns `state`, and nothing else of it. */
struct session {
	const struct request *request;
	struct preamble *preamble; /* open adds what it knows */
	struct series *series;     /* made by prepare, with series_make */
	size_t nseries;
	bool incomplete; /* set by a backend that could not give everything */
	/* Non-zero: stop as soon as possible, with whole samples only. */
	const volatile sig_atomic_t *interrupted;
	struct failure failure;
	void *state;
};

/* Stores the reason and returns false, so that a caller can return it. */
bool fail(struct session *s, int status, const char *fmt, ...)
    PRINTF_LIKE(3, 4);

struct backend_option {
	const char *name;
	const char *value; /* the default, as text */
	const char *help;
};

/* An option that tells rows of these benches apart, by a column of its own. */
struct option_column {
	const char *option, *column;
	unsigned benches;
};

/*
 * What the user gave for the option `name` of this table, or its default.
 * Names are known to be right: the caller of open has checked them.
 */
const char *option_value(const struct request *request,
                         const struct backend_option *options,
                         const char *name);

/* The same; NULL where it is empty. */
const char *option_or_null(const struct request *request,
                           const struct backend_option *options,
                           const char *name);

/* A device a backend has found, for `pcb-collect list`. */
struct finding {
	const char *backend;
	char *device; /* as the device column names it; "" if none is there */
	char *parent, *link, *driver, *node, *name;
	uint16_t vendor_id, device_id; /* in place of a name; 0 if not PCI */
	unsigned benches;              /* BENCH_BIT of those that can run now */
	bool automatic; /* may be chosen when the user names no device */
	char *why_not;  /* what is missing for the others; "" if nothing */
	char *remedy; /* what would help, for who asks for it; "" if unknown */
};

struct findings {
	struct finding *item;
	size_t n;
};

/* Appends a finding with empty texts; fill it in with finding_text. */
struct finding *findings_add(struct findings *list, const char *backend);
void finding_text(char **field, const char *fmt, ...) PRINTF_LIKE(2, 3);
void findings_free(struct findings *list);

/*
 * Functions that return bool say false after fail(). probe, check, end and
 * close may be NULL.
 */
struct backend {
	const char *name;
	const char *help;
	unsigned benches; /* BENCH_BIT of those it knows */
	const struct backend_option
	    *options;                        /* ended by a NULL name, or NULL */
	const struct option_column *columns; /* likewise */
	bool simulates; /* there is no device: said if nobody has named it */
	bool recorded;  /* samples exist already: by default all, no warm-up */
	bool steady;    /* totals leave out how they begin: no warm-up */
	uint64_t
	    few; /* instead of the bench's count, if one takes long; or 0 */
	/* Defaults of bandwidth benches; 0: the usual. */
	uint64_t size, window;

	/*
	 * Lists what is there. Changes nothing, needs no rights. Of the
	 * request only the settings count, which may be those of others, too.
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
};

/* Appends what the backend finds; findings_free the list. */
void backend_probe(const struct backend *backend, const struct request *request,
                   struct findings *list);

/* All of them, ended by NULL; the order is that of automatic choice. */
extern const struct backend *const backends[];

#endif
