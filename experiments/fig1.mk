# SPDX-License-Identifier: GPL-2.0-or-later
# pcie-bench, Figure 1: what the link leaves for packets, and the throughput of
# NICs. Everything is computed.
LINK =
CARDS = ideal simple niantic-kernel niantic-dpdk
# Packets are frames without the 4 bytes of their CRC. The rate drops where one
# more TLP begins: points on both sides make the edge vertical.
FRAMES = 64:1504:+16,1518,132:1412:+128,133:1413:+128

$(OUT)/fig1.stats.csv: | settings
	$(call write,pcb-model nic --accounting pcie-bench $(CARDS:%=-M %) --frame $(FRAMES) $(if $(LINK),--link $(LINK)))

$(OUT)/fig1.svg: PLOT = nic
$(OUT)/fig1.svg: TITLE = Figure 1: frames over PCI Express
$(OUT)/fig1.svg: $(OUT)/fig1.stats.csv

fig1: $(OUT)/fig1.svg ## pcie-bench: the model, and network cards
FIGURES += fig1

.PHONY: fig1
