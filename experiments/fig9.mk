# SPDX-License-Identifier: GPL-2.0-or-later
# pcie-bench, Figure 9: bandwidth of reads with an IOMMU, as a part of that
# without. Boot the machine twice for it: fig9-off, then fig9-on.
$(OUT)/fig9%: SYSTEM = e5-2630v4
$(OUT)/fig9-on%: SYSTEM = e5-2630v4-iommu
$(OUT)/fig9%: BENCH = bw_rd -s 64:512 -w $(WINDOWS) --cache host-warm
$(OUT)/fig9-on%: BENCH += $(if $(simulated),-O iommu=on)
$(OUT)/fig9-off%: CHECK = | $(HERE)pick iommu=off,identity
$(OUT)/fig9-on%: CHECK = | $(HERE)pick iommu=on,DMA,DMA-FQ

$(OUT)/fig9%: STATS = -g run,bench,iommu,size_bytes,window_bytes,cache -p 50
$(OUT)/fig9%: TAIL = | pcb-diff --by iommu
$(OUT)/fig9.published.csv: THEIRS = $(foreach s,64 128 256 512,$\
	$(foreach d,$(BDW)-s0-s0 $(BDW)-s0-s0-iommu-nosp,$\
	$(d)/bw_dma_win_sweep_rd_rnd_$(s).csv))
$(OUT)/fig9.published.csv: WHERE = cache=host-warm

$(OUT)/fig9.stats.csv: $(OUT)/fig9-off.samples.csv $(OUT)/fig9-on.samples.csv
	$(call write,pcb-stats $(STATS) $^ $(TAIL))

$(OUT)/fig9.svg: PLOT = window
$(OUT)/fig9.svg: TITLE = Figure 9: bandwidth of reads through an IOMMU
$(OUT)/fig9.svg: $(call data,fig9)

fig9: $(OUT)/fig9.svg ## pcie-bench: what an IOMMU costs
fig9-off: $(OUT)/fig9-off.samples.csv
fig9-on: $(OUT)/fig9-on.samples.csv
FIGURES += fig9

.PHONY: fig9 fig9-off fig9-on
