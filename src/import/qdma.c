/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Output of dma-perf (dmaperf) of AMD's QDMA driver. It does not show whether
 * both directions ran at once.
 */
#include "import/text.h"

#include <stdio.h>

/* "WRITE: total pps = 3987072 BW = 255.172608 MB/sec" */
static bool
take_line(struct text *t)
{
	bool write = text_begins(t, "WRITE: total pps");
	char rate[24], value[32], unit[16];

	if ((!write && !text_begins(t, "READ: total pps")) ||
	    sscanf(t->line, "%*s total pps = %23[0-9] BW = %31s %15s", rate,
	           value, unit) != 3)
		return false;
	text_row(t, write ? "qdma_h2c" : "qdma_c2h", "");
	text_measure(t, "bandwidth_gbit_s", value, unit);
	text_set(t, "packets_per_s", rate);
	text_end_row(t);
	return true;
}

static const char *const ignored[] = {
    "Exit Check",    "Stopped Queues", "Deleted Queues", "Added Queue",
    "Started Queue", "dmautils",       "dma-perf",       NULL,
};

const struct importer qdma_importer = {
    .name = "qdma",
    .help = "dma-perf of AMD's driver for QDMA",
    .take_line = take_line,
    .ignored = ignored,
};
