/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of benches in which a device transfers data. */
#ifndef PCB_COLLECT_CLI_DMA_OPTIONS_H
#define PCB_COLLECT_CLI_DMA_OPTIONS_H

#include "collect/run/collection.h"

/* The sweep where nothing else is said. */
void dma_defaults(struct collection *c);

/*
 * Takes the value of the long option `name`: size, offset, window, buffer,
 * pattern, cache or node. Dies as a usage error of a wrong one.
 */
void dma_option(struct collection *c, const char *name, const char *text);

#endif
