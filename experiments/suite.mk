# SPDX-License-Identifier: GPL-2.0-or-later
# Measures everything on DEVICE, as the suite of pcie-bench does: latency and
# bandwidth by size, by offset, by window and in detail.
suite-bench = $(firstword $(subst -, ,$(basename $(notdir $@))))
STATES = thrashed,host-warm
OFFSETS = 0:4:+1,6,8,12,16,20,25,32,41,48,63

$(OUT)/%-sizes.samples.csv: BENCH = $(suite-bench) -s $(SIZES) -w 8K \
	--cache $(STATES)
$(OUT)/%-offsets.samples.csv: BENCH = $(suite-bench) \
	-s 64,128,256,407,416,1024,2048 --offset $(OFFSETS) -w 8K \
	--cache host-warm --pattern sequential
$(OUT)/lat%-windows.samples.csv: BENCH = $(suite-bench) -s 64 -w $(WINDOWS) \
	--cache $(STATES),device-warm
$(OUT)/bw%-windows.samples.csv: BENCH = $(suite-bench) -s 64:512 \
	-w $(WINDOWS) --cache $(STATES)
$(OUT)/%-details.samples.csv: BENCH = $(suite-bench) -s 64,2048 -w 8K,64M \
	--cache $(STATES)

$(OUT)/lat%.stats.csv: STATS = --pool run,system $(LIMITS)
$(OUT)/bw%.stats.csv: STATS = --pool run,system -p 50
$(OUT)/bw%-sizes.stats.csv: TAIL = | pcb-model --join
$(OUT)/%-details.stats.csv: STATS = --histogram \
	-g device,bench,size_bytes,window_bytes,cache

$(OUT)/lat%-sizes.svg: PLOT = lat
$(OUT)/bw%-sizes.svg: PLOT = bw
$(OUT)/%-offsets.svg: PLOT = heat
$(OUT)/%-windows.svg: PLOT = window
$(OUT)/%-details.svg: PLOT = cdf

BY = sizes offsets windows details
SUITE = $(foreach b,lat_rd lat_wrrd,$(BY:%=$(OUT)/$(b)-%.svg)) \
	$(foreach b,bw_rd bw_wr bw_rdwr,$(BY:%=$(OUT)/$(b)-%.svg))
SUITE := $(filter-out $(OUT)/bw%-details.svg,$(SUITE))
$(SUITE): %.svg: %.stats.csv
$(SUITE): TITLE =
