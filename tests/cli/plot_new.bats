#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Pictures of tails, comparisons and fleets. bats sets $stderr.
# shellcheck disable=SC2154

load helpers
load plot

@test "pct: latency at each percentile, in nines" {
	scripts 'latency_ns,count\n10,9000\n20,900\n30,99\n40,1\n' pct -P
	[[ "$output" == *"set xtics nomirror out ('0' 1, '50' 2, '90' 10, '99' 100, \
'99.9' 1000, '99.99' 10000)"* ]]
	[[ "$output" == *'
1 10
10 10
10 20
100 20
100 30
10000 30
10000 40
10000 40
'* ]]
	draws pct input
	shows 'samples at or below (%)' 99.9 '10000 samples'
	# Samples and their histogram give one picture; runs are one curve each.
	pcb-collect -d sim lat_rd -n 500 -r 3 --cache cold,host-warm >samples
	pcb-plot pct -P samples >script1
	pcb-stats --histogram samples | pcb-plot pct -P | cmp - script1
	[ "$(grep -c '(3 runs)' script1)" = 2 ]
	draws pct samples
	[ "$(wc -w <<<"$points")" = 6 ]
}

@test "compare: the difference, its band, and the quantiles" {
	awk 'BEGIN {
		print "a,latency_ns,count"
		for (i = 0; i < 100; i++)
			print "x," 500 + i ",100\ny," 520 + i ",100"
	}' >input
	draws compare input
	# Shifted by a fifth of all; 2 sqrt(ln(80) / 20000) is 2.96 %.
	[[ $drawn == *'furthest apart by 20 % at '*'the band is 2.96 % wide'* ]]
	shows 'difference (%)' 'a y minus a x' 'equal quantiles'
	[[ $(<script) == *'they differ'* ]]
	# Equal samples do not differ.
	awk -F, 'NR == 1 || $1 == "x" { print; sub(/^x/, "y"); if (NR > 1) print }' \
		input >same
	pcb-plot compare same >script
	[[ $(<script) == *'furthest apart by 0 % at '*': not shown to differ'* ]]
	# Runs are pooled; other numbers than two are refused.
	pcb-collect -d sim lat_rd -n 500 -r 3 --cache cold,host-warm >samples
	draws compare samples
	shows 'cache cold' 'cache host-warm' 'cache host-warm minus cache cold'
	# Quantiles are right of the other panels if there is room, else below.
	pcb-plot compare samples >script
	[ "$(grep -c '^set lmargin at screen 0.72$' script)" = 1 ]
	[ "$(grep -c '^set rmargin at screen 0.61$' script)" = 2 ]
	grep -q "^set xlabel 'up to p99.5: cache cold (ns)'" script
	grep -q "^set ylabel 'cache host-warm (ns)'" script
	pcb-plot compare --geometry 500x700 samples >script
	run ! grep -q '[lr]margin at screen 0.[67]' script
	refuses 'a,latency_ns\nx,1\ny,2\nz,3\n' 'compare takes two distributions, and there are 3; pcb-stats --histogram -g leaves columns out' compare
	refuses 'a,latency_ns\nx,1\n' 'compare takes two distributions, and there is 1; pcb-stats --histogram -g leaves columns out' compare
}

@test "fleet: a point for each host, the name of those out of line" {
	awk 'BEGIN {
		print "host,kind,bench,size_bytes,median_ns"
		for (i = 1; i <= 800; i++) {
			print "node" i ",measured,lat_rd,64," 500 + i % 7 + (i == 417 ? 300 : 0)
			print "node" i ",measured,lat_rd,512," 600 + i % 7 - (i == 9 ? 90 : 0)
		}
	}' >input
	draws fleet input
	shows 'size 64 B' 'size 512 B' 'node417 +59.8 %' 'node9 -15.1 %' \
		'off the median of all hosts (%)'
	[[ $drawn == *'800 hosts; 1598 of 1600 points within 5 % of their median'* ]]
	[ "$(grep -c 'node[0-9]' script)" = 2 ]
	# Lines at the medians; hosts; the two.
	[ "$points" = "5 1598 2" ] || show "$points"
	# Hosts within the tolerance have no name.
	pcb-plot fleet --tolerance 100 input >script
	run ! grep -q 'node[0-9]' script
	# Some are named, the rest is counted; rows of a host are one point.
	scripts 'host,run,median_ns\na,1,1\nb,1,1\nc,1,1\nd,1,1\ne,1,1\nf,1,9\ng,1,8\nh,1,7\ni,1,6\nj,1,1\nk,1,1\n' \
		fleet -P
	[[ "$output" == *"'f +800 %, g +700 %, h +600 %, 1 more'"* ]]
	wrong "--tolerance 'x': not a percentage such as 5" fleet --tolerance x
	wrong '--tolerance is for fleet, not for box' box --tolerance 3
	refuses 'nic,median_ns\na,1\n' \
		"standard input: no column 'host': there are nic, median_ns" fleet
}

@test "of many curves those out of line have a name, the rest are counted" {
	local kind

	awk 'BEGIN {
		print "host,latency_ns"
		for (i = 1; i <= 100; i++)
			for (k = 0; k < 50; k++)
				print "node" i "," 500 + i % 7 + k % 5 + (i == 41 ? 300 : 0) - (i == 9 ? 60 : 0)
	}' >input
	for kind in cdf ccdf pct hist; do
		pcb-plot $kind input >script
		grep -q "title '93 others, medians within 0.[0-9]* %'" script
		grep -q "title 'host node41'" script
		grep -q "title 'host node9'" script
		[ "$(grep -c "^ .* title '" script)" = 8 ]
	done
	# Eight are all named.
	awk -F, 'NR == 1 || substr($1, 5) + 0 <= 8' input >eight
	pcb-plot cdf eight >script
	[ "$(grep -c "^ .* title 'host" script)" = 8 ]
	# There is no per cent of 0.
	printf 'a,latency_ns\n%s' "$(printf '%s,0\n' {1..9})" >zeros
	draws cdf zeros
	shows '2 others, medians within 0 %'
}
