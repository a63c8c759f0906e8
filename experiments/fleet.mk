# SPDX-License-Identifier: GPL-2.0-or-later
# The same on many hosts: each collects and keeps histograms, the answers are
# concatenated, and hosts that differ from the rest are named. See pcb-fleet(7).

# One host per line, by its name for ssh or Slurm; # starts a comment.
HOSTS = hosts
# How to reach them: parallel or slurm.
ENGINE = parallel
BENCHES = lat_rd bw_rd
# Largest deviation of a host from the median of all, in per cent.
TOLERANCE = 5
# Prefix of pcb-collect on a host, such as sudo -n.
AS =
SSH = ssh -o BatchMode=yes -o ConnectTimeout=10 -o ServerAliveInterval=15
# Concurrent hosts, with parallel.
JOBS = 64
# Minutes allowed per host.
LIMIT = 60

FLEET = $(OUT)/fleet
export AS SSH JOBS LIMIT

# What to ask. The columns that describe a host's configuration are compared on
# their own, and numbers are compared even if they differ.
comma = ,
dma = $(filter lat_rd lat_wrrd bw_%,$(1))
ask = $(1) $(if $(filter bw_%,$(1)),-s 64$(comma)512) $(how)
made = link$(if $(call dma,$(1)),$(comma)node$(comma)iommu$(comma)page_bytes)
key = bench$(if $(call dma,$(1)),,$(comma)device)
# No host has this name.
median = fleet median
unit = $(if $(filter bw_%,$(1)),gbit_s,ns)

fleet fleet-answers: NEEDED = pcb-stats
fleet-answers: RUNS = 5
fleet-answers: | settings
	@mkdir -p $(FLEET)
	@printf '%s\n' 'list list -f csv' \
	    $(foreach b,$(BENCHES),'$(b) $(call ask,$(b))') >$(FLEET)/plan
	@BIN='$(abspath $(BIN))' $(HERE)fleet $(ENGINE) $(FLEET) '$(HOSTS)'

# $(call merge,NAME,COMMAND)
merge = $(call write,$(HERE)fleet merge $(FLEET) $(1) $(2))

# Its own table, without metadata.
$(FLEET)/list.csv: fleet-answers
	$(call merge,list,cat | \
	    awk '/^#/ || $$0 == header { next } !header { header = $$0 } 1')

$(FLEET)/%.samples.csv: fleet-answers
	$(call merge,$*,cat)

$(FLEET)/%.made.csv: fleet-answers
	$(call merge,$*,pcb-stats --merge --pool run)

$(FLEET)/%.stats.csv: fleet-answers
	$(call merge,$*,pcb-stats --merge --pool $(call made,$*))

$(FLEET)/%.diff.csv: $(FLEET)/%.stats.csv
	$(call write,pcb-stats -c median_$(call unit,$*) --pool host $< | \
	    pcb-import csv -l host='$(median)' | \
	    pcb-diff --by host='$(median)' $< -)

# The outliers in all of that.
facts = $(HERE)odd facts $(FLEET)/hosts $(1) $(2) $(FLEET)/$(3) &&
of_bench = $(call facts,$(1),$(call key,$(1)),$(1).made.csv) \
	$(HERE)odd shifts $(TOLERANCE) $(FLEET)/$(1).diff.csv &&

$(FLEET)/odd.csv: $(FLEET)/list.csv \
	$(foreach b,$(BENCHES),$(addprefix $(FLEET)/$(b).,\
	samples.csv made.csv diff.csv))
	$(call write,{ $(call facts,list,backend$(comma)device,list.csv) \
	    $(foreach b,$(BENCHES),$(call of_bench,$(b))) :; } | \
	    awk 'NR == 1 { header = $$0; print } $$0 != header' | \
	    (read -r header; echo "$$header"; sort -s -t $(comma) -k 1V$(comma)1))

# A point for each host, if gnuplot is installed.
$(FLEET)/%.svg: $(FLEET)/%.stats.csv
	$(call write,pcb-plot fleet --tolerance $(TOLERANCE) $< | gnuplot | cat)

pictures = $(if $(shell command -v gnuplot),$(BENCHES:%=$(FLEET)/%.svg))

fleet: $(FLEET)/odd.csv $(pictures) ## the machines of HOSTS that are out of line
	@$(HERE)odd names $<

.PHONY: fleet fleet-answers
.PRECIOUS: $(foreach x,samples made stats diff,$(FLEET)/%.$(x).csv)
