/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Output of dma_to_device and dma_from_device of AMD's drivers for XDMA and
 * QDMA: bytes per transfer, and 10^6 bytes per second, including system call
 * and driver.
 */
#include "import/text.h"

#include "common/base/util.h"

#include <stdio.h>
#include <string.h>

/* By direction: h2c reads host memory, c2h writes to it. */
static const char *
bench_of(const char *device)
{
	if (strstr(device, "h2c"))
		return "bw_rd";
	return strstr(device, "c2h") ? "bw_wr" : NULL;
}

/* "/dev/xdma0_c2h_0 ** Average BW = 4096, 812.5"; QDMA names no direction. */
static bool
take_line(struct text *t)
{
	const char *stars = strstr(t->line, "** Average BW = ");
	char device[64] = "", size[24], value[32];
	const char *bench;

	if (!stars ||
	    sscanf(stars, "** Average BW = %23[0-9], %31s", size, value) != 2)
		return false;
	if (stars > t->line && sscanf(t->line, "%63s", device) != 1)
		return false;
	bench = bench_of(device);
	if (!bench && !labels_value(&t->job->labels, "bench"))
		text_die(t, "to the device or from it? Add -l bench=bw_rd (to "
		            "it) or bw_wr");
	text_row(t, bench ? bench : "", basename(device));
	text_set(t, "interface", "engine");
	text_count(t, "size_bytes", size);
	text_measure(t, "bandwidth_gbit_s", value, "MB/s");
	text_end_row(t);
	return true;
}

static const char *const ignored[] = {
    "** Avg time device", "dev ", "device:", "host buffer", "#", NULL,
};

const struct importer xdma_importer = {
    .name = "xdma",
    .help = "dma_to_device and dma_from_device of AMD's XDMA and QDMA",
    .take_line = take_line,
    .ignored = ignored,
};
