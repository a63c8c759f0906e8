/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names what a text is that shows no link. */
#include "common/base/util.h"
#include "common/facts/facts.h"

void
facts_recognise(struct facts *facts, const char *line)
{
	static const struct {
		const char *words, *kind;
	} kinds[] = {
	    {"hca_id:", "ibv_devinfo: no link of PCI Express"},
	    {"ROCm System Management", "rocm-smi: no link now"},
	    {"RocmBandwidthTest", "rocm_bandwidth_test: no link"},
	    {"P2P=Disabled", "p2pBandwidthLatencyTest: no link; pcb-import "
	                     "reads its numbers"},
	    {"BOOT_IMAGE=", "a command line of the kernel: no link"},
	};

	for (size_t i = 0; i < ARRAY_LEN(kinds) && !facts->kind; i++) {
		if (strstr(line, kinds[i].words))
			facts->kind = kinds[i].kind;
	}
}
