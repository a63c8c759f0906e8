# SPDX-License-Identifier: GPL-2.0-or-later
# Miller et al., Table 4: the latency of links, as differences of latencies at
# their ends. If DEVICE is a PCI function, the same for its path, and Figure 2,
# the distributions.
MILLER = $(if $(simulated),,miller-path miller-fig2)

$(OUT)/miller-table4.stats.csv: | settings
	$(call write,pcb-diff --links $(HERE)miller/links.csv \
	    $(HERE)miller/minima.csv)

$(OUT)/miller-path%: BENCH = lat_cfg --path
$(OUT)/miller-path%: RUNS = 10
$(OUT)/miller-path%: STATS = --floor
$(OUT)/miller-path%: TAIL = | pcb-diff

$(OUT)/miller%: PLOT = tree
$(OUT)/miller-table4.svg: TITLE = Links as Miller et al. found them
$(OUT)/miller-table4.svg: $(OUT)/miller-table4.stats.csv
$(OUT)/miller-path.svg: TITLE = Links on the way to $(DEVICE)
$(OUT)/miller-path.svg: $(OUT)/miller-path.stats.csv

# Figure 2: the distribution at each bridge, and at the device.
$(OUT)/miller-fig2.svg: PLOT = cdf
$(OUT)/miller-fig2.svg: TITLE = Configuration reads on the way to $(DEVICE)
$(OUT)/miller-fig2.svg: $(OUT)/miller-path.samples.csv

miller-table4: $(addprefix $(OUT)/,$(addsuffix .svg,miller-table4 $(MILLER))) ## Miller et al.: latency of links
FIGURES += miller-table4

.PHONY: miller-table4
