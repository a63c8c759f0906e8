# SPDX-License-Identifier: GPL-2.0-or-later
# How samples become statistics and pictures. An experiment says what it
# measures (BENCH), how that is summarised (STATS) and drawn (PLOT):
#
#     $(OUT)/X.samples.csv -> $(OUT)/X.stats.csv -> $(OUT)/X.svg
#
# A file appears when it is whole, so an interrupted run goes on with the
# first that is missing.

# The device, as of pcb-collect -d. With `sim`, each figure of a paper is of
# the simulated system that the paper measured.
DEVICE = sim
# Results of that device; a name of one's own keeps others beside them.
OUT = results/$(subst /,-,$(subst :,-,$(DEVICE)))
ifneq ($(words $(OUT)),1)
$(error OUT='$(OUT)': make takes names without blanks only)
endif
# A directory that holds the data published with pcie-bench.
PUBLISHED =
# Samples of each point; empty for as many as pcb-collect takes by itself.
N = $(if $(simulated),40K)
# How often everything is measured.
RUNS = 1
# More options of pcb-collect, such as -O NAME=VALUE.
OPTIONS =
# Where the programs are, if not in PATH.
BIN = $(HERE)../bin

SHELL = bash
.SHELLFLAGS = -eu -o pipefail -c
export PATH := $(abspath $(BIN)):$(PATH)

# Nothing else runs while something is measured, whatever -j.
.NOTPARALLEL:
# Nothing of what lies between is removed.
.PRECIOUS: $(OUT)/%.samples.csv $(OUT)/%.stats.csv $(OUT)/%.published.csv

simulated = $(filter sim sim:%,$(DEVICE))
# SYSTEM is the one that a figure is of, and how a profile is called.
SYSTEM = default
device = $(if $(filter sim,$(DEVICE)),sim:$(SYSTEM),$(DEVICE))
system = $(if $(filter sim,$(DEVICE)),$(SYSTEM),$(DEVICE))
# Small transfers without a DMA engine, where the device can do that.
command = $(if $(simulated),-O interface=command)

# $(call write,COMMANDS): their output becomes the target, at once. Another make
# may be at the same file, or what is left of one that was killed.
write = @echo '$@'; { $(1); } >$@.$$$$.part && mv $@.$$$$.part $@

# Latencies are kept as histograms, which lose nothing but the order. The lock
# is for another make of this user on this machine, which waits for it.
how = -q -d $(device) -l system=$(system) $(if $(N),-n $(N)) -r $(RUNS) \
	$(OPTIONS)
keep = $(if $(filter lat_%,$(BENCH)),| pcb-stats --histogram)

$(OUT)/%.samples.csv: | settings
	$(call write,$(HERE)fleet lock pcb-collect $(BENCH) $(how) $(keep) $(CHECK))

# TAIL is what comes behind in the pipe.
STATS = --pool run $(LIMITS)
LIMITS = -p 5,95,99.9
TAIL =

$(OUT)/%.stats.csv: $(OUT)/%.samples.csv
	$(call write,pcb-stats $(STATS) $< $(TAIL))

draw = pcb-plot $(PLOT) $(if $(TITLE),--title '$(TITLE)') $(filter %.csv,$^)

# gnuplot does not see that a disk is full, cat does. The report takes the page,
# and the picture where there is no page.
page = $(@:svg=html)
$(OUT)/%.svg: $(OUT)/drawn-with
	@{ $(draw) -T html | gnuplot | cat; } >$(page).part 2>/dev/null && \
	    mv $(page).part $(page) || rm -f $(page).part
	$(call write,$(draw) | gnuplot | cat)

# $(call data,NAME...): statistics to draw, of the device and published.
data = $(foreach x,$(1),$(OUT)/$(x).stats.csv \
	$(if $(PUBLISHED),$(OUT)/$(x).published.csv))

# THEIRS are files below PUBLISHED; WHERE says which rows of them, and which
# columns of rows that are statistics (SUMMARY is empty then).
$(OUT)/%.published.csv: $(OUT)/drawn-with
	$(call write,pcb-import pciebench -l system=$(SYSTEM) \
	    $(THEIRS:%=$(PUBLISHED)/$(CARD)_%) | $(HERE)pick $(WHERE) $(SUMMARY) \
	    $(TAIL))

SUMMARY = | pcb-stats $(STATS)
LATENCIES = n,min_ns,mean_ns,median_ns,p95_ns,p99_9_ns,max_ns
CARD = nfp6000-1.2GHz
HSW = hsw-Xeon-E5-2637v3_supermicro
E3 = hsw-Xeon-E3-1226v3_fujitsu-tx1310
SNB = snb-Xeon-E5-2630_dell-t620
BDW = bdw-Xeon-E5-2630v4-dell-t430-s0

# Results measured in different ways are not mixed. What single experiments
# change in these variables does not count.
asked := DEVICE=$(DEVICE) N=$(N) RUNS=$(RUNS) OPTIONS=$(OPTIONS)$\
	$(if $(LINK), LINK=$(LINK))

NEEDED = pcb-collect gnuplot flock

# Results never go into an installation.
ifneq ($(filter %/share/pcb-tools/experiments,$(CURDIR)),)
$(error this is the installation: run pcb-experiments in another directory)
endif
ifneq ($(PUBLISHED),$(wildcard $(PUBLISHED)))
$(error PUBLISHED=$(PUBLISHED): no such directory)
endif

settings:
	@for program in $(NEEDED); do \
	    command -v $$program >/dev/null || { \
	    echo "$$program is neither in BIN=$(BIN) nor in PATH" >&2; \
	    exit 2; }; done
	@mkdir -p $(OUT)
	@[ -s $(OUT)/settings ] || echo '$(asked)' >$(OUT)/settings
	@had=$$(cat $(OUT)/settings); [ "$$had" = '$(asked)' ] || { \
	    echo "$(OUT): collected with $$had"; \
	    echo "Use these settings, another OUT=, or delete it."; \
	    exit 2; } >&2

# Pictures are drawn anew when what was published comes or goes.
$(OUT)/drawn-with: FORCE | settings
	@echo '$(PUBLISHED)' | cmp -s - $@ || echo '$(PUBLISHED)' >$@

FORCE:

.PHONY: settings FORCE
