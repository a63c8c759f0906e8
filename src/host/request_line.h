/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines that pcb-host reads. */
#ifndef PCB_HOST_REQUEST_LINE_H
#define PCB_HOST_REQUEST_LINE_H

#include "host/pcb_host.h"

enum request {
	REQUEST_NONE, /* an empty line or a comment */
	REQUEST_TRANSACTION,
	REQUEST_PREPARE,
	REQUEST_FLUSH,
	REQUEST_IDLE,
	REQUEST_RANDOM,
};

/* A parsed line; members that its kind does not use are 0. */
struct request_line {
	enum request request;
	struct pcb_host_transaction transaction;
	/* For REQUEST_PREPARE. */
	enum pcb_host_cache cache;
	uint64_t window;
	bool remote;
	/* For REQUEST_RANDOM. */
	bool has_state;
	uint64_t state;
};

/*
 * Parses a line without its end, and modifies it. NULL, or why it is refused (a
 * constant).
 */
const char *request_line_parse(struct request_line *r, char *line);

/* Executes the request and answers on stdout; NULL, or why it fails. */
const char *request_line_serve(struct pcb_host *host,
                               const struct request_line *r);

#endif
