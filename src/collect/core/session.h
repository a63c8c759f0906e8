/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An open device: what the collector and its backend share. */
#ifndef PCB_COLLECT_CORE_SESSION_H
#define PCB_COLLECT_CORE_SESSION_H

#include "collect/core/request.h"
#include "collect/core/series.h"
#include "common/stream/preamble.h"

#include <signal.h>

/* Why an operation failed, for the user, and the exit status. */
struct failure {
	int status; /* STATUS_TROUBLE or STATUS_ABSENT */
	char *text; /* one line, without program name and newline */
};

/* The backend owns only `state`. */
struct session {
	const struct request *request;
	/* Rows have its columns; the bench's, unless open sets another. */
	enum bench_group group;
	struct preamble *preamble; /* open adds lines to it */
	struct series *series;     /* prepare makes them with series_make */
	size_t nseries;
	bool incomplete; /* the backend could not deliver everything */
	/* Non-zero: stop as soon as possible, after a whole sample. */
	const volatile sig_atomic_t *interrupted;
	struct failure failure;
	void *state;
};

/* Replaces the session's series by n empty ones; 0 frees them. */
void series_make(struct session *s, size_t n);

/* Stores the reason and returns false, for the caller to return. */
bool fail(struct session *s, int status, const char *fmt, ...)
    PRINTF_LIKE(3, 4);

/* Fails because of an option of this table: "-O NAME=VALUE: WHY". */
bool option_refuse(struct session *s, const struct backend_option *options,
                   const char *name, const char *why);

/* Reads an option that is an integer from `least` to `most`; or fails. */
bool option_integer(struct session *s, const struct backend_option *options,
                    const char *name, uint64_t least, uint64_t most,
                    uint64_t *value);

/* Reads an option that is one of two words: whether the first; or fails. */
bool option_either(struct session *s, const struct backend_option *options,
                   const char *name, const char *first, const char *second,
                   bool *is_first);

#endif
