/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The header of a result: unique column names. */
#ifndef PCB_COMMON_STREAM_HEADER_H
#define PCB_COMMON_STREAM_HEADER_H

#include "common/stream/key_set.h"
#include "common/stream/writer.h"

/* Column names in order. Zero-initialise. */
struct header {
	char **name;
	size_t n;
	struct key_set names;
};

/* Takes ownership of the name; dies if it exists already. */
void header_add(struct header *h, char *name);

/* Calls out_begin with these names and frees them. */
void header_write(struct header *h, struct out *o);

#endif
