/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names what a text is that shows no link. */
#include "common/base/util.h"
#include "common/facts/facts.h"

/* A row or column head of a matrix: "GPU0 X PIX", "GPU0 GPU1 NIC0". */
static bool
is_matrix(const char *line)
{
	return !strncmp(line, "GPU0 ", 5) &&
	       (strstr(line, " X ") || strstr(line, "GPU1 "));
}

/* A line of lspci -t: "-[0000:00]-+-00.0". */
static bool
is_tree(const char *line)
{
	const char *at = strstr(line, "-[");

	return at && at - line < 4 && strspn(at + 2, "0123456789abcdef") >= 4 &&
	       strchr(at, ':') && strstr(at, "]-");
}

void
facts_recognise(struct facts *facts, const char *line)
{
	static const struct {
		const char *words, *kind;
	} kinds[] = {
	    {"<topology", "XML of lstopo: no link now"},
	    {"<system version", "a topology of NCCL: not what links could be"},
	    {"hca_id:", "ibv_devinfo: no link of PCI Express"},
	    {"ROCm System Management", "rocm-smi: no link now"},
	    {"MAX_PCIE_WIDTH", "amd-smi: no link now"},
	    {"RocmBandwidthTest", "rocm_bandwidth_test: no link"},
	    {"P2P=Disabled", "p2pBandwidthLatencyTest: no link; pcb-import "
	                     "reads its numbers"},
	    {"BOOT_IMAGE=", "a command line of the kernel: no link"},
	};

	if (facts->kind)
		return;
	if (is_matrix(line))
		facts->kind = "nvidia-smi topo: classes of paths, no link";
	else if (is_tree(line))
		facts->kind = "lspci -t: no link";
	for (size_t i = 0; i < ARRAY_LEN(kinds) && !facts->kind; i++) {
		if (strstr(line, kinds[i].words))
			facts->kind = kinds[i].kind;
	}
}
