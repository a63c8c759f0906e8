#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# pcb-stats: order, parts and histograms change no number.

load helpers

tests pcb-stats

@test "a histogram stands for its samples" {
	awk 'BEGIN {
		print "kind,a,latency_ns"
		srand(7)
		for (i = 0; i < 9000; i++) {
			x = i % 2 ? rand() : 13.3 * int(100 * rand())
			printf "measured,%d,%.17g\n", 3 * rand(), x
		}
	}' >all
	for piece in 0 1 2; do
		awk -v piece=$piece 'NR == 1 || NR % 3 == piece' all |
			pcb-stats --histogram >"piece$piece"
	done
	pcb-stats -P -p 1,99.9 all | sort >wanted
	[ "$(wc -l <wanted)" = 4 ]
	pcb-stats --histogram all | pcb-stats -P -p 1,99.9 | sort | cmp - wanted
	cat piece0 piece1 piece2 | pcb-stats -P -p 1,99.9 | sort | cmp - wanted
	pcb-stats --merge --histogram piece2 piece0 piece1 | pcb-stats -P -p 1,99.9 | sort |
		cmp - wanted
	# Values are ascending and distinct.
	pcb-stats -P --histogram all | tail -n +2 >histogram
	sort -t, -k2,2n -k3,3g -s histogram | uniq >sorted
	sort -t, -k2,2n -s histogram | cmp - sorted
}

@test "order and pieces change nothing, whatever the size of numbers" {
	local options='-P -p 0.001,99.999 --ci --floor --outliers 1.5'

	# Values from 1e-3 to 1e12, weights up to 2^45.
	awk 'BEGIN {
		print "a,latency_ns,count"
		srand(11)
		for (i = 0; i < 3000; i++)
			printf "%d,%.3f,%.0f\n", 2 * rand(), \
				10 ^ (15 * rand() - 3), 2 ^ (45 * rand())
	}' >all
	{ head -n 1 all && tail -n +2 all | sort -t, -k3; } >other
	for piece in 0 1 2 3; do
		awk -v piece=$piece 'NR == 1 || NR % 4 == piece' other |
			pcb-stats --histogram >"piece$piece"
	done
	# shellcheck disable=SC2086
	{
		pcb-stats $options all | sort >wanted
		pcb-stats $options other | sort | cmp - wanted
		cat piece? | pcb-stats $options | sort | cmp - wanted
	}
	awk -F, 'NR > 1 { n[$1] += $3 } END { printf "%.0f\n%.0f\n", n[0], n[1] }' \
		all >sums
	head -n 2 wanted | cut -d, -f2 | cmp - sums
	[ "$(head -n 1 sums)" -gt $((1 << 40)) ]
}

@test "a thousand histograms merged are the samples, in whatever order" {
	# 1000 overlapping values each, with 1 to 3 samples per value.
	awk 'BEGIN {
		for (h = 0; h < 1000; h++) {
			file = sprintf("part%03d", h)
			print "latency_ns,count" >file
			for (i = 0; i < 1000; i++)
				print 400 + 7 * h + 13.3 * i "," 1 + (h * 31 + i) % 3 >file
			close(file)
		}
	}'
	awk -F, 'FNR == 1 { if (NR == 1) print $1; next }
		{ for (i = 0; i < $2; i++) print $1 }' part* >samples
	[ "$(wc -l <samples)" -gt 1999000 ]
	merged=(pcb-stats -P --merge --histogram)
	"${merged[@]}" samples >wanted
	"${merged[@]}" part* | cmp wanted
	find . -name 'part*' | sort -r | xargs "${merged[@]}" | cmp wanted
	# Histograms of histograms, with parts in any order.
	find . -name 'part*' | shuf --random-source=samples | split -l 100 - some.
	for some in some.??; do
		xargs "${merged[@]}" <"$some" >"$some.csv"
	done
	"${merged[@]}" some.??.csv | cmp wanted
	merged=(pcb-stats -P --merge -f csv -p '0.1,50,99.99' --floor --ci --outliers 1)
	"${merged[@]}" samples >wanted
	"${merged[@]}" some.??.csv | cmp wanted
	[ "$(wc -l <wanted)" = 2 ]
}

@test "fields in another order than the columns are not taken for theirs" {
	gives 'a,b,latency_ns\nx,y,1\n# pcb-csv: 1\nb,a,latency_ns\ny,p,1\ny,p,1\ny,q,1\n# end: rows=3 complete=yes\n' \
		'a,latency_ns,count\nx,1,1\np,1,2\nq,1,1' --histogram --merge -g a
}

@test "parts of a thousand columns are read as one" {
	try pcb-stats -P -f csv -g '' < <(
		awk 'BEGIN {
			for (i = 1; i < 1000; i++) {
				header = header "column_" i ","
				row = row ","
			}
			for (part = 0; part < 200; part++)
				print header "latency_ns\n" row part % 100
		}'
	)
	[ "$status" = 0 ]
	[[ ${lines[1]} == 200,0,49.5,* ]]
}
