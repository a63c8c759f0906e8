# SPDX-License-Identifier: GPL-2.0-or-later
# pcie-bench, Figure 4: bandwidth of reads (a), writes (b) and both alternately
# (c) by size, with that expected of the link and the needs of 40G Ethernet.
$(OUT)/fig4%: SYSTEM = e5-2637v3
$(OUT)/fig4a%: WHAT = bw_rd
$(OUT)/fig4b%: WHAT = bw_wr
$(OUT)/fig4c%: WHAT = bw_rdwr
$(OUT)/fig4%: BENCH = $(WHAT) -s $(SIZES) -w 8K --cache host-warm
# At the ends of packets, and between them.
SIZES = 16,32,63:65:+1,127:129:+1,192,255:257:+1,320,384,448,511:513:+1,$\
	576:704:+64,767:769:+1,832:960:+64,1023:1025:+1,1152,1279:1281:+1,$\
	1408,1535:1537:+1,1664,1791:1793:+1,1920,2047,2048

$(OUT)/fig4%: STATS = -g system,bench,link,size_bytes,pattern,cache -p 50
$(OUT)/fig4%: TAIL = | pcb-model --join --accounting pcie-bench
$(OUT)/fig4%: THEIRS = $(HSW)/bw_dma_sz_sweep.csv
$(OUT)/fig4%: WHERE = bench=$(WHAT) cache=host-warm

$(OUT)/fig4%: PLOT = bw
$(OUT)/fig4a.svg $(OUT)/fig4b.svg $(OUT)/fig4c.svg: $(OUT)/fig4-ethernet.csv
$(OUT)/fig4a.svg: TITLE = Figure 4a: bandwidth of reads
$(OUT)/fig4a.svg: $(call data,fig4a)
$(OUT)/fig4b.svg: TITLE = Figure 4b: bandwidth of writes
$(OUT)/fig4b.svg: $(call data,fig4b)
$(OUT)/fig4c.svg: TITLE = Figure 4c: bandwidth of reads and writes
$(OUT)/fig4c.svg: $(call data,fig4c)

# Full 40G Ethernet, each transfer a packet: 24 bytes besides its data.
FIG4_ETHERNET = awk 'BEGIN { print "kind,bench,size_bytes,median_gbit_s"; \
    for (s = 64; s <= 1518; s += 16) \
        printf "model,Ethernet 40G,%d,%.4f\n", s, 40 * s / (s + 24) }'
$(OUT)/fig4-ethernet.csv: $(OUT)/drawn-with
	$(call write,$(FIG4_ETHERNET))

fig4: $(addprefix $(OUT)/,fig4a.svg fig4b.svg fig4c.svg) ## pcie-bench: bandwidth by size
FIGURES += fig4

.PHONY: fig4
