# SPDX-License-Identifier: GPL-2.0-or-later
# How samples become statistics and pictures. An experiment sets what to measure
# (BENCH), how to summarise it (STATS) and how to draw it (PLOT):
#
#     $(OUT)/X.samples.csv -> $(OUT)/X.stats.csv -> $(OUT)/X.svg
#
# A file appears only when it is complete, so an interrupted run continues with
# the first missing file.

# The device, as for pcb-collect -d. With `sim`, each figure of a paper uses the
# simulated system that the paper measured.
DEVICE = sim
# Results of that device; another name keeps other results beside them.
OUT = results/$(subst /,-,$(subst :,-,$(DEVICE)))
ifneq ($(words $(OUT)),1)
$(error OUT='$(OUT)': make takes names without blanks only)
endif
# A directory with the data published for pcie-bench.
PUBLISHED =
# Samples per point; empty: the default of pcb-collect.
N = $(if $(simulated),40K)
# Number of runs.
RUNS = 1
# More options of pcb-collect, such as -O NAME=VALUE.
OPTIONS =
# Directory of the programs, if not in PATH.
BIN = $(HERE)../bin

SHELL = bash
.SHELLFLAGS = -eu -o pipefail -c
export PATH := $(abspath $(BIN)):$(PATH)

# One measurement at a time, even with -j.
.NOTPARALLEL:
# Keep intermediate files.
.PRECIOUS: $(OUT)/%.samples.csv $(OUT)/%.stats.csv $(OUT)/%.published.csv

simulated = $(filter sim sim:%,$(DEVICE))
# SYSTEM is the system of a figure and the name of its profile.
SYSTEM = default
device = $(if $(filter sim,$(DEVICE)),sim:$(SYSTEM),$(DEVICE))
system = $(if $(filter sim,$(DEVICE)),$(SYSTEM),$(DEVICE))
# Small transfers use no DMA engine if the device can.
command = $(if $(simulated),-O interface=command)

# $(call write,COMMANDS): replaces the target by their output atomically.
# Another make may write the same file, and a killed one may have left parts.
write = @echo '$@'; { $(1); } >$@.$$$$.part && mv $@.$$$$.part $@

# Latencies are kept as histograms, which lose only the order. The lock makes
# another make of this user on this machine wait.
how = -q --wide -d $(device) -l system=$(system) $(if $(N),-n $(N)) -r $(RUNS) \
	$(OPTIONS)
keep = $(if $(filter lat_%,$(BENCH)),| pcb-stats --histogram)

$(OUT)/%.samples.csv: | settings
	$(call write,$(HERE)lock pcb-collect $(call need,BENCH) $(how) $(keep) $(CHECK))

need = $(or $($(1)),$(error '$@': no experiment makes it: 'pcb-experiments help' \
	lists them))

# TAIL is the end of the pipe.
STATS = --pool run $(LIMITS)
LIMITS = -p 5,95,99.9
TAIL =

$(OUT)/%.stats.csv: $(OUT)/%.samples.csv
	$(call write,pcb-stats $(STATS) $< $(TAIL))

draw = pcb-plot $(call need,PLOT) --merge $(if $(TITLE),--title '$(TITLE)') $(filter %.csv,$^)

# gnuplot does not notice a full disk, cat does. The report uses the page, or
# the picture if there is no page.
page = $(@:svg=html)
$(OUT)/%.svg: $(OUT)/drawn-with
	@{ $(draw) -T html | gnuplot | cat; } >$(page).part 2>/dev/null && \
	    mv $(page).part $(page) || rm -f $(page).part
	$(call write,$(draw) | gnuplot | cat)

# $(call data,NAME...): statistics to plot, of the device and published.
data = $(foreach x,$(1),$(OUT)/$(x).stats.csv \
	$(if $(PUBLISHED),$(OUT)/$(x).published.csv))

# THEIRS are files below PUBLISHED; WHERE selects their rows, and columns of
# rows that are statistics (SUMMARY is empty then).
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

# Results measured in different ways are not mixed. Changes of these variables
# by single experiments do not count.
asked := DEVICE=$(DEVICE) N=$(N) RUNS=$(RUNS) OPTIONS=$(OPTIONS)$\
	$(if $(LINK), LINK=$(LINK))

NEEDED = pcb-collect gnuplot flock

# Never write results into an installation.
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
	    echo "$(OUT): collected with $$had, not with $(asked)"; \
	    echo "Type the former to go on, OUT=$(OUT)-2 to begin anew beside \
	them, or delete $(OUT); 'pcb-experiments report' needs no settings."; \
	    exit 2; } >&2

# Draw the plots again when published data appear or disappear.
$(OUT)/drawn-with: FORCE | settings
	@echo '$(PUBLISHED)' | cmp -s - $@ || echo '$(PUBLISHED)' >$@

FORCE:

.PHONY: settings FORCE
