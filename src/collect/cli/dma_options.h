/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options of benches in which a device transfers data. */
#ifndef PCB_COLLECT_CLI_DMA_OPTIONS_H
#define PCB_COLLECT_CLI_DMA_OPTIONS_H

#include "collect/run/sweep.h"

/* The default sweep. */
void dma_defaults(struct sweep *sweep);

/*
 * Functions `set` of options; they replace the list of patterns, cache states
 * or nodes in a struct sweep. Return NULL, or why the text is wrong.
 */
const char *dma_set_patterns(void *to, const char *text);
const char *dma_set_caches(void *to, const char *text);
const char *dma_set_nodes(void *to, const char *text);

#endif
