/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Builds texts by writing to a stream. */
#ifndef PCB_COMMON_BASE_TEXTBUF_H
#define PCB_COMMON_BASE_TEXTBUF_H

#include <stdio.h>

/* The text so far: for compose_begin and compose_end only. */
struct composed {
	char *text;
	size_t length;
};

/*
 * compose_begin opens a stream to write a text to. *c must not move until
 * compose_end, which closes the stream and returns the text; free it. Both die
 * when memory is out, where open_memstream would drop text silently.
 */
FILE *compose_begin(struct composed *c);
char *compose_end(struct composed *c, FILE *to);

#endif
