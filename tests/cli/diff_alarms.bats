#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Error rates of pcb-diff, compared with its manual.

load helpers

@test "the manual's false alarms and power are those of the program" {
	"$TOP/tools/diff-alarms" >measured
	[ "$(wc -l <measured)" = 48 ]
	sed -n '/^differs: no  /,/^\.Ed/p' "$TOP/man/pcb-diff.1" | sed '$d' |
		diff measured -
}
