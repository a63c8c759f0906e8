/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An open device: what the collector and a backend share while it is. */
#ifndef PCB_COLLECT_CORE_SESSION_H
#define PCB_COLLECT_CORE_SESSION_H

#include "collect/core/request.h"
#include "collect/core/series.h"
#include "common/stream/preamble.h"

#include <signal.h>

/* Why an operation failed, for the user, and the status to end with. */
struct failure {
	int status; /* STATUS_NO, STATUS_TROUBLE or STATUS_ABSENT */
	char *text; /* one line, without program name and newline */
};

/* The backend owns `state`, and nothing else of it. */
struct session {
	const struct request *request;
	/* Whose columns rows have: the bench's, or another that open sets. */
	enum bench_group group;
	struct preamble *preamble; /* open adds what it knows */
	struct series *series;     /* made by prepare, with series_make */
	size_t nseries;
	bool incomplete; /* set by a backend that could not give everything */
	/* Non-zero: stop as soon as possible, with whole samples only. */
	const volatile sig_atomic_t *interrupted;
	/* Shows how much of a long operation is done, 0 to 1; or NULL. */
	void (*show_progress)(struct session *s, double done);
	struct failure failure;
	void *state;
};

/* Replaces the session's series by n empty ones; 0 frees them. */
void series_make(struct session *s, size_t n);

/* Stores the reason and returns false, so that a caller can return it. */
bool fail(struct session *s, int status, const char *fmt, ...)
    PRINTF_LIKE(3, 4);

#endif
