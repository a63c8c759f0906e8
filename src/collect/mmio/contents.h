/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Contents of a device's memory, saved before it is overwritten. */
#ifndef PCB_COLLECT_MMIO_CONTENTS_H
#define PCB_COLLECT_MMIO_CONTENTS_H

#include "collect/core/session.h"
#include "collect/host/guardian.h"

/* Zero-initialise; release with contents_put_back. */
struct contents {
	const char *bdf;
	volatile uint64_t *at; /* mapped and writable */
	uint64_t *before;      /* NULL: nothing saved */
	uint64_t size;         /* bytes, a multiple of 8 */
	struct guardian guardian;
};

/*
 * Saves the contents and starts a guardian that restores them when this process
 * ends, however it ends. False after fail().
 */
bool contents_keep(struct session *s, struct contents *c);

/* Restores them; warns if the memory does not keep them. */
void contents_put_back(struct contents *c);

#endif
