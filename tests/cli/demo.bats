#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# tools/demo, as run by `make demo`.

load helpers

@test "the demo says what its numbers are, and its next commands work" {
	local command line

	command -v gnuplot >/dev/null || skip "gnuplot is not installed"
	cd "$BATS_TEST_TMPDIR" || return
	runs "$TOP/tools/demo"
	[ -s demo/lat_rd.svg ]
	[ -s demo/bw.svg ]
	[[ "$output" == *"The rows are 'simulated'"* ]]
	# The README shows this table.
	sed -n '/^simulated device, whose/,/^Then/s/^    //p' "$TOP/README.md" >table
	[ "$(wc -l <table)" = 3 ]
	while read -r line; do
		[[ "$output" == *"$line"* ]] || show "$line"
	done <table
	if grep -q ',virtual,' demo/lat_cfg.csv; then
		[[ "$output" == *"The rows are 'virtual'"* ]]
	fi
	sed -n 's/^  \(pcb-.*[^ ]\)   *[a-z].*/\1/p' <<<"$output" >commands
	[ "$(wc -l <commands)" = 5 ]
	while read -r command; do
		try bash -c "$command" </dev/null
		[ "$status" != 2 ] && [ "${#lines[@]}" -gt 2 ] ||
			show "$command"
	done <commands
}
