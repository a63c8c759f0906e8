/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts that are put together by writing to a stream. */
#ifndef PCB_COMMON_BASE_TEXTBUF_H
#define PCB_COMMON_BASE_TEXTBUF_H

#include <stdio.h>

/* Where what is written goes: for compose_begin and compose_end only. */
struct composed {
	char *text;
	size_t length;
};

/*
 * A stream to write a text to. *c stays where it is until compose_end, which
 * closes the stream; its result is the text, to be freed. Both die if memory is
 * exhausted: a stream of open_memstream would drop text silently.
 */
FILE *compose_begin(struct composed *c);
char *compose_end(struct composed *c, FILE *to);

#endif
