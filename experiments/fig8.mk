# SPDX-License-Identifier: GPL-2.0-or-later
# pcie-bench, Figure 8: bandwidth of reads from remote memory, as a part of that
# from local memory.
$(OUT)/fig8%: SYSTEM = e5-2630v4
$(OUT)/fig8%: BENCH = bw_rd -s 64:512 -w $(WINDOWS) --cache host-warm \
	--node local,remote

$(OUT)/fig8%: STATS = -g run,system,bench,node,size_bytes,window_bytes,cache \
	-p 50
$(OUT)/fig8%: TAIL = | pcb-diff --by node
$(OUT)/fig8%: THEIRS = $(foreach s,64 128 256 512,$(foreach n,0 1,$\
	$(BDW)-s$(n)-s$(n)/bw_dma_win_sweep_rd_rnd_$(s).csv))
$(OUT)/fig8%: WHERE = cache=host-warm

$(OUT)/fig8.svg: PLOT = window
$(OUT)/fig8.svg: TITLE = Figure 8: bandwidth of reads from the other node
$(OUT)/fig8.svg: $(call data,fig8)

fig8: $(OUT)/fig8.svg ## pcie-bench: memory of another node
FIGURES += fig8

.PHONY: fig8
