# Intel's DDIO analysis, Table 7: how much of a network card's reads and writes
# misses the cache, with long and with short queues. pcb-ddio computes it from
# the published counts.
DDIO = pcb-ddio -d 1s ddio/iperf.csv
MISSES = -c kind,metric,queues,value \
	metric=io_percent_of_inbound_reads_that_miss_l3,$\
	io_percent_of_inbound_full_writes_that_miss_l3

$(OUT)/ddio-table7-all.stats.csv: | settings
	$(call write,$(DDIO))

$(OUT)/ddio-table7.stats.csv: | settings
	$(call write,$(DDIO) | ./pick $(MISSES) | \
	    pcb-import csv --map value=ratio_pct)

$(OUT)/ddio-table7.svg: PLOT = heat --size 800x300
$(OUT)/ddio-table7.svg: TITLE = Table 7: accesses that miss the cache (%)
$(OUT)/ddio-table7.svg: $(OUT)/ddio-table7.stats.csv

ddio-table7: $(OUT)/ddio-table7.svg $(OUT)/ddio-table7-all.stats.csv ## Intel: what misses the cache
FIGURES += ddio-table7

.PHONY: ddio-table7
