#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What can be read in a picture: marks, names, and texts beside each other.
# bats sets $stderr.
# shellcheck disable=SC2154

load helpers
load plot

@test "no two texts of a picture overlap" {
	local kind file size n=0

	command -v gnuplot >/dev/null || skip "gnuplot is not installed"
	inputs
	while read -r kind file; do
		for size in 800x500 400x300 300x220; do
			# Rows in a low picture are thinned.
			# shellcheck disable=SC2086
			pcb-plot $kind --geometry $size $file >script 2>said || {
				# Panels have a least height.
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
	done < <(kinds)
	# In 50 pictures; compare and ddio have several panels.
	[ "$n" = 50 ]
	# The test sees what is wrong.
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

# ends ARGUMENT...: the names at line ends, from the lowest.
ends() {
	pcb-plot "$@" -P >script
	sed -n "s/^set label '\(.*\)' at [0-9.e+-]*, [0-9.e+-]* left .*/\1/p" \
		script | paste -s -d ' '
}

@test "names are at line ends where there is room, else in a legend" {
	local y

	printf 'a,size_bytes,median_ns\nx,64,500\nx,128,600\ny,64,900\ny,128,950\n' \
		>input
	[ "$(ends lat input)" = 'a x a y' ]
	grep -q '^unset key' script
	# The name is at the last point, darker than the line.
	grep -q "^set label 'a x' at 128, 600 left offset 1,0.00 textcolor rgb '#0072B2'" \
		script
	grep -q "^set label 'a y' at 128, 950 left offset 1,0.00 textcolor rgb '#9A6A00'" \
		script
	grep -q '^set rmargin 4$' script
	# Names of near ends move apart, by a little.
	sed 's/y,128,950/y,128,601/' input >near
	[ "$(ends lat near)" = 'a x a y' ]
	grep -q "'a x' at 128, 600 left offset 1,-0.5" script
	grep -q "'a y' at 128, 601 left offset 1,0.5" script
	# In a legend: too many at one place, ends at different sizes, long
	# names, a page, text.
	awk 'BEGIN {
		print "a,size_bytes,median_ns"
		for (i = 1; i <= 5; i++)
			print i ",64," i * 100 "\n" i ",128,500"
	}' >crowd
	sed 's/y,128,950/y,96,950/' input >uneven
	sed 's/^y/a name of thirty characters and more/' input >long
	for file in crowd uneven long; do
		[ -z "$(ends lat $file)" ]
		grep -q '^set key' script
	done
	for y in '-T dumb' '-T html'; do
		# shellcheck disable=SC2086
		[ -z "$(ends lat $y input)" ]
	done
	# Where the end is not shown there is a legend, too.
	[ -z "$(ends lat --xrange 64:100 input)" ]
	[ -z "$(ends cdf -c median_ns input)" ]
}
