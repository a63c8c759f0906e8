# SPDX-License-Identifier: GPL-2.0-or-later
# pcie-bench, Figure 7: the effect of the cache on a device: latency of 8 bytes
# (a) and bandwidth of 64 bytes (b) by window.
WINDOWS = 4K,16K,256K,512K,1M,1536K,2M,3M,4M,8M,16M,32M,64M

$(OUT)/fig7%: SYSTEM = e5-2630
$(OUT)/fig7a-rd%: WHAT = lat_rd
$(OUT)/fig7a-wrrd%: WHAT = lat_wrrd
$(OUT)/fig7b-rd%: WHAT = bw_rd
$(OUT)/fig7b-wr%: WHAT = bw_wr
$(OUT)/fig7a%: BENCH = $(WHAT) -s 8 $(FIG7_STATES) $(command)
$(OUT)/fig7b%: BENCH = $(WHAT) -s 64 $(FIG7_STATES)
FIG7_STATES = -w $(WINDOWS) --cache thrashed,host-warm

$(OUT)/fig7%: STATS = -g system,bench,size_bytes,cache,window_bytes $(LIMITS)
$(OUT)/fig7b%: LIMITS = -p 50
$(OUT)/fig7a-rd%: THEIRS = $(SNB)/lat_cmd_sweep_rd_rnd_08.csv
$(OUT)/fig7a-wrrd%: THEIRS = $(SNB)/lat_cmd_sweep_wrrd_rnd_08.csv
$(OUT)/fig7b-rd%: THEIRS = $(SNB)/bw_dma_win_sweep_rd_rnd_64.csv
$(OUT)/fig7b-wr%: THEIRS = $(SNB)/bw_dma_win_sweep_wr_rnd_64.csv
$(OUT)/fig7a%: WHERE = -c \
	kind,system,bench,size_bytes,cache,window_bytes,$(LATENCIES) \
	cache=thrashed,host-warm
$(OUT)/fig7b%: WHERE = cache=thrashed,host-warm
$(OUT)/fig7a%: SUMMARY =

$(OUT)/fig7%: PLOT = window
$(OUT)/fig7a.svg: TITLE = Figure 7a: the cache, by latency
$(OUT)/fig7a.svg: $(call data,fig7a-rd fig7a-wrrd)
$(OUT)/fig7b.svg: TITLE = Figure 7b: the cache, by bandwidth
$(OUT)/fig7b.svg: $(call data,fig7b-rd fig7b-wr)

fig7: $(addprefix $(OUT)/,fig7a.svg fig7b.svg) ## pcie-bench: what the cache does
FIGURES += fig7

.PHONY: fig7
