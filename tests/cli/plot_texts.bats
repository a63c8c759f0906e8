#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Legibility of pictures: marks, names, and texts beside each other. bats sets
# $stderr.
# shellcheck disable=SC2154

load helpers
load plot

# Simulated, published and made-up inputs for all kinds.
inputs() {
	pcb-collect -q -d sim lat_rd -n 500 -r 5 -s 64:512 \
		--cache cold,host-warm >samples
	pcb-stats -p 5,95 samples >sizes
	pcb-diff --by cache sizes >found 2>/dev/null
	grep -e '^#' -e '^host' -e ',64,.*cold' samples | sed '/^# end/d' >one
	pcb-collect -q -d sim lat_rd -n 500 -w 4K:1M --cache cold,host-warm |
		pcb-stats -p 5,95 >windows
	pcb-collect -q -d sim bw_rd -n 500 -s 64:2048 --cache cold,host-warm |
		pcb-stats | pcb-model --join >bandwidths
	pcb-collect -q -d sim lat_rd -n 500 -s 64:1024 -w 4K:1M:x4 >map
	(cd "$TOP/experiments" &&
		pcb-diff --links miller/links.csv miller/minima.csv) >links
	pcb-ddio -t 1s "$TOP/experiments/ddio/iperf.csv" >metrics
	pcb-model nic -M simple >cards
	pcb-collect -q -d sim lat_rd -n 3000 --cache cold,host-warm >two
	awk 'BEGIN {
		print "host,size_bytes,median_ns"
		for (i = 1; i <= 300; i++)
			for (s = 64; s <= 512; s *= 2)
				print "node" i "," s "," 500 + s / 8 + i % 9 + (i == 7) * s
	}' >hosts
}

@test "no two texts of a picture overlap" {
	local kind file size n=0

	command -v gnuplot >/dev/null || skip "gnuplot is not installed"
	inputs
	while read -r kind file; do
		for size in 800x500 400x300 300x220; do
			# Rows in a low picture are thinned.
			# shellcheck disable=SC2086
			pcb-plot $kind --geometry $size $file >script 2>said || {
				# Panels have a minimum height.
				grep -q 'these panels take a height of' said ||
					show "$kind: $(cat said)"
				continue
			}
			gnuplot script >"$kind.svg"
			overlaps "$kind.svg" >over
			[ ! -s over ] || show "$kind $size: $(cat over)"
			n=$((n + 1))
		done
		# shellcheck disable=SC2086
		pcb-plot $kind $file 2>/dev/null | gnuplot >"$kind.svg"
		overlaps "$kind.svg" >over
		[ ! -s over ] || show "$kind: $(cat over)"
	done <<-'EOF'
	cdf samples
	ccdf samples
	pct samples
	hist two
	box samples
	violin samples
	compare two
	scatter two
	lat sizes
	bw bandwidths
	window windows
	heat map
	heat --x seq two
	diff found
	tree links
	nic cards
	fleet hosts
	ddio metrics
	EOF
	# In 50 pictures; compare and ddio have several panels.
	[ "$n" = 50 ]
	# The test detects the fault.
	sed 's/translate([0-9.]*,/translate(300,/' cdf.svg >wrong.svg
	overlaps wrong.svg | grep -q ' | '
}

@test "as many names as curves, and as many marks as points" {
	local names

	command -v gnuplot >/dev/null || skip "gnuplot is not installed"
	inputs
	pcb-plot lat sizes | gnuplot >lat.svg
	names=$(grep -c '<text>cache .* (5 runs)</text>' lat.svg)
	[ "$names" = 2 ]
	# Two states, five runs, four sizes; and a mark beside each name.
	[ "$(grep -c "xlink:href='#gpPt" lat.svg)" -ge 40 ]
	pcb-plot bw bandwidths -P >script
	[ "$(grep -c "^ .* title '" script)" = 3 ]
}
