# SPDX-License-Identifier: GPL-2.0-or-later
# Intel's DDIO analysis, Tables 7 and 8: which part of a NIC's reads and writes
# misses the cache, with long queues, with short ones, and without writes that
# allocate; and its bandwidth. pcb-ddio computes it from the published counts.
# There are only a few hundred partial writes, and their counts disagree.
DDIO = pcb-ddio -t 1s $(HERE)ddio/iperf.csv
SHOWN = metric=io_percent_of_inbound_reads_that_miss_l3,$\
	io_percent_of_inbound_full_writes_that_miss_l3,$\
	io_inbound_read_bandwidth_gbit_s,io_inbound_write_bandwidth_gbit_s

$(OUT)/ddio-table7-all.stats.csv: | settings
	$(call write,$(DDIO))

$(OUT)/ddio-table7.stats.csv: | settings
	$(call write,$(DDIO) | $(HERE)pick $(SHOWN))

$(OUT)/ddio-table7.svg: PLOT = ddio
$(OUT)/ddio-table7.svg: TITLE = Tables 7 and 8: bandwidth, and what misses the cache
$(OUT)/ddio-table7.svg: $(OUT)/ddio-table7.stats.csv

ddio-table7: $(OUT)/ddio-table7.svg $(OUT)/ddio-table7-all.stats.csv ## Intel: what misses the cache
FIGURES += ddio-table7

.PHONY: ddio-table7
