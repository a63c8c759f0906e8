#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Pictures of samples: cdf, pct, box and scatter.

load helpers
load plot

@test "cdf: the corners of the steps" {
	scripts 'latency_ns\n10\n12.5\n10\n40\n' cdf -P
	[[ "$output" == *'
$curve1 << EOD
10 0
10 50
12.5 75
40 100
EOD
plot '* ]]
	# A histogram gives the same script.
	samples=$output
	given 'latency_ns,count\n12.5,1\n40,1\n7,0\n10,2\n' cdf -P
	[ "$output" = "$samples" ]
	draws cdf input
	[ "$points" = 4 ]
}

@test "cdf: dashed steps are lines through their corners" {
	scripts 'a,latency_ns\nx,10\nx,20\ny,10\ny,20\n' cdf -P
	[[ "$output" == *'
$curve1 << EOD
10 0
10 50
20 100
EOD
$curve2 << EOD
10 0
10 0
10 50
20 50
20 100
EOD
'*'$curve1 '*' with steps '*'$curve2 '*' with lines linetype 2 '* ]]
	pcb-plot cdf -P -T dumb input >script
	[ "$(grep -c ' with steps ' script)" = 2 ]
}

@test "cdf: millions of samples, a small script" {
	awk 'BEGIN {
		print "latency_ns,count"
		for (i = 0; i < 100000; i++)
			printf "%.3f,%d\n", 500 + i * i / 3e6, 1 + i % 200
	}' >input
	draws cdf input
	pcb-plot cdf input >script
	[ "$(wc -c <script)" -lt 50000 ]
	[ "$points" -gt 300 ]
	# The ends are unchanged.
	grep -qx '500 0' script
	grep -qx '3833.267 100' script
}

@test "cdf: the axis follows the values" {
	axis() {
		given "latency_ns\n$1\n" cdf -P
		[[ "$output" == *"set xlabel '$2'"* ]] || return
		[[ "$output" == *"set logscale x"* ]] && log=yes || log=no
		[ "$log" = "$3" ]
	}
	axis '600\n600\n2000' 'latency (ns)' no
	axis '600\n600\n12001' 'latency (ns)' yes
	axis '0\n600\n12001' 'latency (us)' no
	axis '30000\n90000' 'latency (us)' no
	axis '3e7' 'latency (ms)' no
	axis -5 'latency (ns)' no
}

@test "a few samples far away do not squeeze the rest" {
	# The axis has both, and a line where the logarithm starts.
	scripts 'latency_ns,count\n500,5000\n600,5000\n9000000,1\n' cdf -P
	[[ "$output" == *"set xlabel 'latency (ns), logarithmic from 610 ns on'"* ]]
	[[ "$output" == *"set nonlinear x via x <= 610 ? 0.7 * "* ]]
	[[ "$output" == *"set arrow from first 610, graph 0 "* ]]
	[[ "$output" == *"'10 us' 10000, '1 ms' 1000000"* ]]
	[[ "$output" == *$'\n9000000 100\n'* ]]
	draws cdf input
	shows 500 600 '10 us'
	# A sixth is not few.
	given 'latency_ns,count\n500,5000\n600,5000\n9000,2000\n' cdf -P
	[[ "$output" == *"set xlabel 'latency (ns)'"* ]]
}

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
}

@test "of many curves those out of line have a name, the rest are counted" {
	local kind

	awk 'BEGIN {
		print "host,latency_ns"
		for (i = 1; i <= 100; i++)
			for (k = 0; k < 50; k++)
				print "node" i "," 500 + i % 7 + k % 5 + (i == 41 ? 300 : 0) - (i == 9 ? 60 : 0)
	}' >input
	for kind in cdf pct; do
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

@test "scatter: in order, by number, against a column" {
	scripts 'a,latency_ns\nx,7\nx,9\ny,5\nx,8\n' scatter -P
	[[ "$output" == *"set xlabel 'sample'"*'
1 7
2 9
3 8
EOD
$curve2 << EOD
1 5
EOD'* ]]
	given 'seq,latency_ns\n30,7\n10,9\n' scatter -P
	[[ "$output" == *$'\n30 7\n10 9\n'* ]]
	given 'size_bytes,a,latency_ns,count\n64,1.5,7,3\n128,2,9,0\n256,4,8,\n' \
		scatter -P --x size_bytes
	[[ "$output" == *"set xlabel 'size (bytes)'"*"set logscale x 2"* ]]
	[[ "$output" == *"title"*$'\n64 7\nEOD'*$'\n256 8\nEOD'* ]]
	given "$(cat input)\n" scatter -P --x a
	[[ "$output" == *"set xlabel 'a'"*$'\n1.5 7\n'* ]]
	given 'rate_per_s,b_pct,bandwidth_gbit_s\n1,2,3\n' scatter -P --x b_pct
	[[ "$output" == *"set xlabel 'b (%)'"*"'bandwidth (Gbit/s)'"* ]]
	draws scatter --x rate_per_s input
	shows 'rate (1/s)'
	# A number whose unit is in another column.
	for column in value median_value; do
		given "$column,latency_ns\n1,2\n" scatter -P --x $column
		[[ "$output" == *"set xlabel '${column%_value}'"* ]]
	done
	# Statistics have many samples, too, but each row is one point.
	scripts 'median_ns,count\n7,3\n9,3\n' scatter -P
	[[ "$output" == *$'\n1 7\n2 9\nEOD'* ]]
	refuses 'latency_ns,count\n1,1\n2,3\n' \
		'standard input:3: count: a histogram has no order; --x names another column' \
		scatter
	refuses 'latency_ns\n1\n' "standard input: no column 'z': there are latency_ns" \
		scatter --x z
	refuses 'a,latency_ns\nx,1\n' "standard input:2: a: 'x': not a number" scatter --x a
	wrong '--x is for scatter and load, not for cdf' cdf --x a
}

@test "scatter: points outside the axes" {
	scripts 'a,latency_ns\nx,2\nx,3\ny,4\ny,900000000\n' scatter -P \
		--yrange 1:5
	[[ "$output" == *$'\n1 2\n2 3\nEOD\n'*$'\n1 4\n'* ]]
}

@test "scatter: points of the legend are large, in full colour" {
	scripts 'a,latency_ns\nx,7\ny,9\n' scatter -P
	[ "$(grep -c "^    NaN with points linecolor rgb '#0072B2' pointtype 7 pointsize 1 title 'a x'" \
		<<<"$output")" = 1 ]
	[ "$(grep -c "pointsize 0.4 notitle" <<<"$output")" = 2 ]
	draws scatter input
	shows 'a x' 'a y'
}

@test "scatter: few samples are all drawn, many as fewer points" {
	awk 'BEGIN {
		print "latency_ns"
		for (i = 0; i < 15000; i++)
			print 500 + i * 7919 % 1000
	}' >input
	draws scatter input
	[ "$points" = 15000 ]
	[[ "$(<script)" != *samples* ]]
	awk 'NR == 1 { print; next } { for (i = 0; i < 21; i++) print }' input \
		>both
	draws scatter both
	[ "$points" -gt 5000 ]
	[ "$points" -le 15000 ]
	[[ "$(<script)" == *"$points of 315000 samples: one in each place"* ]]
	[ "$(wc -c <script)" -lt 300000 ]
	[[ $drawn == *" of 315000 samples: one in each place"* ]]
	# Two of its lines are broken between words.
	pcb-plot scatter --geometry 400x300 both >script
	grep -q "^set label '.* of 315000 samples: .* ' at screen" script
}

@test "scatter: no curve hides another" {
	pcb-collect -d sim lat_rd -n 2000 -l a=x >samples
	pcb-collect -d sim lat_rd -n 2000 -l a=y >>samples
	draws scatter samples
	shows 'Read latency (simulated)' 'a x' 'a y'
	read -r x y <<<"$points"
	[ $((x + y)) -lt 4000 ]
	[ "$x" -gt 300 ]
	[ "$y" -gt 300 ]
}
