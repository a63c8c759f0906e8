/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The header of a result: names of columns, each of them once. */
#ifndef PCB_COMMON_STREAM_HEADER_H
#define PCB_COMMON_STREAM_HEADER_H

#include "common/stream/key_set.h"
#include "common/stream/writer.h"

/* The header of a result, name by name. Zero-initialise. */
struct header {
	char **name;
	size_t n;
	struct key_set names;
};

/* Takes ownership of the name; dies if it is there already. */
void header_add(struct header *h, char *name);

/* out_begin with these names, which are released. */
void header_write(struct header *h, struct out *o);

#endif
