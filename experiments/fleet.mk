# SPDX-License-Identifier: GPL-2.0-or-later
# What many hosts have measured alike: their histograms merged, compared with
# the median of all, and drawn. See pcb-fleet(7).

# A directory of files HOST.BENCH.csv, which pcb-stats --histogram has written. A
# file `hosts` in it names those that were asked.
ANSWERS = answers
# Largest deviation of a host from the median of all, in per cent.
TOLERANCE = 5

FLEET = $(OUT)/fleet
answers = $(wildcard $(ANSWERS)/*.csv)
benches = $(patsubst .%,%,$(sort $(suffix $(basename $(answers)))))

# Hosts are compared even if the columns that describe their configuration
# differ.
comma = ,
dma = $(filter lat_rd lat_wrrd bw_%,$(1))
made = link$(if $(call dma,$(1)),$(comma)node$(comma)iommu$(comma)page_bytes)
unit = $(if $(filter bw_%,$(1)),gbit_s,ns)
# No host has this name.
median = fleet median

# A hundred at a time, because histograms are kept in memory.
$(FLEET)/%.stats.csv: $(answers)
	@mkdir -p $(FLEET)
	$(call write,printf '%s\0' $(ANSWERS)/*.$*.csv | xargs -0 -n 100 \
	    pcb-stats --merge --pool $(call made,$*))

$(FLEET)/%.diff.csv: $(FLEET)/%.stats.csv
	$(call write,pcb-stats -c median_$(call unit,$*) --pool host $< | \
	    pcb-import csv -l host='$(median)' | \
	    pcb-diff --by host='$(median)' $< -)

# A point for each host, if gnuplot is installed.
$(FLEET)/%.svg: $(FLEET)/%.stats.csv
	$(call write,pcb-plot fleet --tolerance $(TOLERANCE) $< | gnuplot | cat)

pictures = $(if $(shell command -v gnuplot),$(benches:%=$(FLEET)/%.svg))

# Columns behind the names are numbers and words, without commas.
fleet: $(benches:%=$(FLEET)/%.diff.csv) $(pictures) ## hosts beside their median
	@[ '$(benches)' ] || { echo "ANSWERS=$(ANSWERS): no file such as \
	HOST.lat_rd.csv" >&2; exit 2; }
	@for bench in $(benches); do \
	    awk -F, -v bench=$$bench -v most=$(TOLERANCE) '/^#/ { next } \
	    $$1 == "host" { for (i = 1; i <= NF; i++) at[$$i] = NF - i; next } \
	    { all += !hosts[$$1]++; ratio = $$(NF - at["ratio_pct"]) - 100 } \
	    $$(NF - at["differs"]) != "no" && (ratio > most || ratio < -most) && \
	    !seen[$$1]++ { odd = odd " " $$1; n++ } \
	    END { printf "%s: %d of %d hosts are more than %g %% off the median%s\n", \
	    bench, n, all, most, (n ? ":" odd : "") }' \
	    $(FLEET)/$$bench.diff.csv; done
	@for bench in $(benches); do \
	    { [ ! -e $(ANSWERS)/hosts ] || cat $(ANSWERS)/hosts; \
	    ls $(ANSWERS) | sed -n 's/\.[^.]*\.csv$$//p'; } | sort -uV | \
	    while read -r host; do \
	        [ -e $(ANSWERS)/$$host.$$bench.csv ] || echo "$$host"; \
	    done | xargs -r echo "$$bench: no answer from"; done

.PHONY: fleet
.PRECIOUS: $(FLEET)/%.stats.csv $(FLEET)/%.diff.csv
