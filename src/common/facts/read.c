/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gives lines to the reader of their source; what all readers say together. */
#include "common/facts/facts.h"

/* For a line without facts: what a text is that shows no link. */
static void
recognise(struct facts *facts, const char *line)
{
	static const struct {
		const char *words, *kind;
	} kinds[] = {
	    {"hca_id:", "ibv_devinfo: no link of PCI Express"},
	    {"ROCm System Management", "rocm-smi: no link now"},
	    {"NVIDIA-SMI has failed", "nvidia-smi found no driver: no link"},
	    {"NVIDIA-SMI ", "the table of nvidia-smi: no link; "
	                    "'nvidia-smi -q' has it"},
	    {"RocmBandwidthTest", "rocm_bandwidth_test: no link"},
	    {"P2P=Disabled", "p2pBandwidthLatencyTest: no link; pcb-import "
	                     "reads its numbers"},
	    {"BOOT_IMAGE=", "a command line of the kernel: no link"},
	    {"HostBridge", "lstopo's text: no link; 'lstopo --of xml' shows "
	                   "where functions are"},
	    {"Driver Installed: ", "system_profiler of macOS: no address"},
	    {"SMBIOS ", "dmidecode: slots, no link"},
	    {"System Slot Information", "dmidecode: slots, no link"},
	    {"SVendor: ", "lspci -vmm: names only"},
	    {"SysFS BusID: ", "hwinfo: names only"},
	    {"VMkernel Name: ", "esxcli: names only"},
	    {"rxpci", "nvidia-smi dmon: throughput, no link; 'nvidia-smi -q' "
	              "has it"},
	    {"NCCL INFO + PCI[", "NCCL's log: classes of paths, no link; "
	                         "NCCL_TOPO_DUMP_FILE has the tree"},
	    {"|CPU Affinity", "xpu-smi topology: classes of paths, no link"},
	    {"PHB#", "skiboot's log: no link as it is now"},
	    {"\"link_type\": ", "JSON of amd-smi: 'amd-smi topology' without "
	                        "--json can be read"},
	    {"\"(Topology) ", "JSON of rocm-smi: 'rocm-smi --showtopo' "
	                      "without --json can be read"},
	};

	for (size_t i = 0; i < ARRAY_LEN(kinds) && !facts->kind; i++) {
		if (strstr(line, kinds[i].words))
			facts->kind = kinds[i].kind;
	}
}

bool
facts_take(struct facts *facts, const char *line, size_t column)
{
	if (facts_take_xml(facts, line) || facts_take_sysfs(facts, line) ||
	    facts_take_log(facts, line) || facts_take_amd(facts, line) ||
	    facts_take_smi(facts, line) || facts_take_brief(facts, line) ||
	    facts_take_tree(facts, line, column) ||
	    facts_take_matrix(facts, line))
		return true;
	recognise(facts, line);
	return false;
}

void
facts_sort(struct facts *facts)
{
	size_t n = facts->n;

	facts_place_amd(facts);
	facts_order(facts);
	facts_end_log(facts);
	if (facts->n > n)
		facts_order(facts);
}

size_t
facts_lacking(const struct facts *facts, const char **what)
{
	const struct fact_smi *smi = &facts->smi;
	size_t gpus =
	    smi->attached > smi->shown ? smi->attached - smi->shown : 0;

	*what = "nvidia-smi -q of fewer GPUs than are attached";
	if (gpus || smi->lacks)
		return gpus > smi->lacks ? gpus : smi->lacks;
	*what = facts_open_xml(facts);
	return *what != NULL;
}
