# SPDX-License-Identifier: GPL-2.0-or-later
# pcie-bench, Figure 6: distributions of latency on two systems, one of which
# has a long tail. (a) is reads of 64 bytes by the DMA engine, published of the
# first only; (b) is 8 bytes by commands.
FIG6 = $(if $(filter sim,$(DEVICE)),1 2,1)

$(OUT)/fig6a-1%: SYSTEM = e5-2637v3
$(OUT)/fig6b-1%: SYSTEM = e5-2637v3
$(OUT)/fig6a-2%: SYSTEM = e3-1226v3
$(OUT)/fig6b-2%: SYSTEM = e3-1226v3
$(OUT)/fig6a%: BENCH = lat_rd -s 64 -w 8K --cache host-warm
$(OUT)/fig6b%: BENCH = lat_rd -s 8 -w 8K --cache host-warm $(command)
# The tail needs many samples.
$(OUT)/fig6%: N = $(if $(simulated),2M)

$(OUT)/fig6%: STATS = --histogram \
	-g system,bench,size_bytes,window_bytes,cache
$(OUT)/fig6a%: THEIRS = $(HSW)/lat_dma_details_cdf.csv
$(OUT)/fig6b-1%: THEIRS = $(HSW)/lat_cmd_details_cdf.csv
$(OUT)/fig6b-2%: THEIRS = $(E3)/lat_cmd_details_cdf.csv
$(OUT)/fig6a%: WHERE = bench=lat_rd size_bytes=64 $(FIG6_WHERE)
$(OUT)/fig6b%: WHERE = bench=lat_rd size_bytes=8 $(FIG6_WHERE)
FIG6_WHERE = window_bytes=8192 cache=host-warm

$(OUT)/fig6%: PLOT = cdf
$(OUT)/fig6a.svg: TITLE = Figure 6a: reads by the DMA engine
$(OUT)/fig6a.svg: $(call data,fig6a-1) \
	$(filter %.stats.csv,$(call data,$(filter fig6a-2,$(FIG6:%=fig6a-%))))
$(OUT)/fig6b.svg: TITLE = Figure 6b: reads by commands
$(OUT)/fig6b.svg: $(call data,$(FIG6:%=fig6b-%))

fig6: $(addprefix $(OUT)/,fig6a.svg fig6b.svg) ## pcie-bench: distributions of latency
FIGURES += fig6

.PHONY: fig6
