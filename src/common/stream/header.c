/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The header of a result. */
#include "common/stream/header.h"

#include "common/base/list.h"

#include "common/base/util.h"

#include <stdlib.h>

void
header_add(struct header *h, char *name)
{
	if (key_set_intern_text(&h->names, name) < h->n)
		die("two columns would be called '%s'", name);
	array_push(h->name, h->n, name);
}

void
header_write(struct header *h, struct out *o)
{
	out_begin(o, (const char *const *)h->name, h->n);
	for (size_t i = 0; i < h->n; i++)
		free(h->name[i]);
	free(h->name);
	key_set_free(&h->names);
	*h = (struct header){0};
}
