/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Results of programs of AMD, for DMA engines in FPGAs. */
#include "import/text.h"

#include "common/base/util.h"

/* What -v prints before a transfer: the address there is hexadecimal. */
struct xdma {
	char device[64], at[17];
};

/*
 * Output of dma_to_device and dma_from_device of AMD's drivers for XDMA and
 * QDMA: bytes per transfer, and 10^6 bytes per second, including system call
 * and driver. "/dev/xdma0_c2h_0 ** Average BW = 4096, 812.5"; QDMA names no
 * direction.
 */
static bool
xdma_take_line(struct text *t)
{
	const char *stars = strstr(t->line, "** Average BW = ");
	const char *address = strstr(t->line, "at address offset ");
	char device[64] = "", size[24], value[32], more;
	struct xdma *x = t->state;
	const char *bench;
	int end = 0;

	/* "Info: Writing to h2c channel 0 at address offset 1024." */
	if (address &&
	    sscanf(address, "at address offset %23[0-9]", size) == 1) {
		text_mode(t, "device_address", size);
		return true;
	}
	/* "dev /dev/xdma0_c2h_0, addr 0x1000, aperture 0x0, size 0x4, ..." */
	sscanf(t->line, "dev %63[^,], addr 0x%16[0-9a-fA-F], %n", x->device,
	       x->at, &end);
	if (end) {
		text_setting(t, "dev", t->line + end);
		return true;
	}
	if (!stars)
		return false;
	if (sscanf(stars, "** Average BW = %23[0-9], %31s %c", size, value,
	           &more) != 2)
		text_die(t, "not a size and a bandwidth: '%s'", stars);
	if (stars > t->line && sscanf(t->line, "%63s", device) != 1)
		return false;
	/* h2c reads host memory, c2h writes to it. */
	bench = strstr(device, "h2c")   ? "bw_rd"
	        : strstr(device, "c2h") ? "bw_wr"
	                                : NULL;
	if (!bench && !labels_value(&t->job->labels, "bench"))
		text_die(t, "to the device or from it? Add -l bench=bw_rd (to "
		            "it) or bw_wr");
	text_row(t, bench ? bench : "", basename(device));
	text_set(t, "interface", "engine");
	if (*device && !strcmp(device, x->device))
		result_u64(&t->job->result, "device_address",
		           strtoull(x->at, NULL, 16));
	*x->device = '\0';
	text_cell(t, "size_bytes", COUNT, size);
	text_cell(t, "bandwidth_gbit_s", "MB/s", value);
	text_end_row(t);
	return true;
}

const struct importer xdma_importer = {
    .name = "xdma",
    .help = "dma_to_device and dma_from_device of AMD's XDMA and QDMA",
    .words = (const char *const[]){"** Average BW", "IOCTL_XDMA_PERF", NULL},
    .needs = "'** Average BW = BYTES, MB/S'",
    .take_line = xdma_take_line,
    .state_size = sizeof(struct xdma),
};

/*
 * Output of dma-perf (dmaperf) of AMD's QDMA driver: "WRITE: total pps =
 * 3987072 BW = 255.172608 MB/sec". It does not show whether both directions ran
 * at once.
 */
static bool
qdma_take_line(struct text *t)
{
	bool write = text_begins(t, "WRITE: total pps");
	char rate[24], value[32], unit[16], more;

	if (text_begins(t, "** Average BW"))
		return xdma_take_line(t);
	if (!write && !text_begins(t, "READ: total pps"))
		return false;
	if (sscanf(t->line, "%*s total pps = %23[0-9] BW = %31s %15s %c", rate,
	           value, unit, &more) != 3)
		text_die(t, "not packets and a bandwidth: '%s'", t->line);
	text_row(t, write ? "qdma_h2c" : "qdma_c2h", "");
	text_cell(t, "bandwidth_gbit_s", unit, value);
	text_set(t, "packets_per_s", rate);
	text_end_row(t);
	return true;
}

const struct importer qdma_importer = {
    .name = "qdma",
    .help = "dma-perf and dma-to-device of AMD's driver for QDMA",
    .words = (const char *const[]){"total pps =", NULL},
    .needs = "'WRITE: total pps = ... BW = ...'",
    .take_line = qdma_take_line,
    .state_size = sizeof(struct xdma),
};
