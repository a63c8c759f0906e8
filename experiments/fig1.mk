# SPDX-License-Identifier: GPL-2.0-or-later
# pcie-bench, Figure 1: what the link leaves for packets, and the throughput of
# NICs. Everything is computed.
LINK =
CARDS = ideal simple niantic-kernel niantic-dpdk

$(OUT)/fig1.stats.csv: | settings
	$(call write,pcb-model nic --accounting pcie-bench $(CARDS:%=-M %) $(if $(LINK),--link $(LINK)))

$(OUT)/fig1.svg: PLOT = nic
$(OUT)/fig1.svg: TITLE = Figure 1: frames over PCI Express
$(OUT)/fig1.svg: $(OUT)/fig1.stats.csv

fig1: $(OUT)/fig1.svg ## pcie-bench: the model, and network cards
FIGURES += fig1

.PHONY: fig1
