# SPDX-License-Identifier: GPL-2.0-or-later
# pcie-bench, Figure 5: latency by size, of reads and of writes followed by a
# read of the same bytes.
$(OUT)/fig5%: SYSTEM = e5-2637v3
$(OUT)/fig5-rd%: WHAT = lat_rd
$(OUT)/fig5-wrrd%: WHAT = lat_wrrd
$(OUT)/fig5%: BENCH = $(WHAT) -w 8K --cache host-warm --pattern sequential \
	-s 4,8,16,24,32,48,64,128,256,512,768,1024,1280,1520,2048

$(OUT)/fig5%: STATS = -g system,bench,size_bytes,$(FIG5_WHERE) $(LIMITS)
$(OUT)/fig5%: THEIRS = $(HSW)/lat_dma_sizes.csv
$(OUT)/fig5%: WHERE = -c \
	kind,system,bench,size_bytes,$(FIG5_WHERE),$(LATENCIES) bench=$(WHAT)
FIG5_WHERE = window_bytes,pattern,cache
$(OUT)/fig5%: SUMMARY =

$(OUT)/fig5.svg: PLOT = lat
$(OUT)/fig5.svg: TITLE = Figure 5: latency by size
$(OUT)/fig5.svg: $(call data,fig5-rd fig5-wrrd)

fig5: $(OUT)/fig5.svg ## pcie-bench: latency by size
FIGURES += fig5

.PHONY: fig5
