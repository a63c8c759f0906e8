# SPDX-License-Identifier: GPL-2.0-or-later
# One page of all pictures so far, whatever settings they were made with.
$(OUT)/report.html: FORCE
	@[ -s $(OUT)/settings ] || { \
	    echo "$(OUT): no results to report: make a figure first" >&2; exit 2; }
	$(call write,$(HERE)report $(OUT))

report: $(OUT)/report.html ## one HTML page: system, link, pictures, commands

.PHONY: report
