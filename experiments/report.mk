# SPDX-License-Identifier: GPL-2.0-or-later
# One page of all pictures so far.
$(OUT)/report.html: FORCE | settings
	$(call write,$(HERE)report $(OUT))

report: $(OUT)/report.html ## one HTML page: system, link, pictures, commands

.PHONY: report
