#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Pictures of samples: cdf, ccdf, pct, hist, box and scatter.

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
	scripts 'latency_ns,count\n500,5000\n600,5000\n9000000,1\n' hist -P
	[[ "$output" == *"set xlabel 'latency (ns), cut off behind p99.9: "* ]]
	[[ "$output" == *"the maximum is 9 ms'"* ]]
	# The axis of a cdf has both, and a line where the logarithm starts.
	scripts "$(cat input)\n" cdf -P
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

@test "ccdf: what is above, on a log scale" {
	scripts 'latency_ns,count\n10,90\n12.5,9\n5000,1\n' ccdf -P
	[[ "$output" == *'
$curve1 << EOD
10 100
10 10
12.5 1
5000 1
EOD
plot '* ]]
	# The axis is not cut off, and neither is linear.
	[[ "$output" == *"set xlabel 'latency (ns)'"*"set logscale x 10"* ]]
	[[ "$output" == *"set logscale y 10"* ]]
	draws ccdf input
	[ "$points" = 4 ]
}

@test "ccdf: equal samples are a line" {
	scripts 'nic,latency_ns\na,5\na,5\nb,7\nb,9\n' ccdf -P
	[[ "$output" == *'set yrange [33.333'* ]]
	[[ "$output" == *'
$curve1 << EOD
5 100
5 33.333'*'
EOD
$curve2 << EOD
7 100
7 100
7 50
9 50
9 50
EOD
'* ]]
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

@test "hist: the parts add up" {
	# Ticks of 4 ns, and equally wide bins around the values.
	scripts 'latency_ns,count\n500,2\n504,5\n508,2\n520,1\n' hist -P
	[[ "$output" == *"set ylabel 'samples per 4 ns (%)'"* ]]
	[[ "$output" == *'
498 20
502 50
506 20
510 0
514 0
518 10
522 0
'* ]]
	draws hist input
	# A logarithmic axis, and every sample in a bin.
	awk 'BEGIN {
		print "latency_ns"
		for (i = 0; i < 5000; i++)
			print 500 + i % 97 + (i % 10 ? 0 : 40000 * (i % 7))
	}' >input
	draws hist input
	[[ $(<svg.drawn) == *'samples per step of 9.5 % (%)'* ]]
	pcb-plot hist -P input | sed -n '/^.curve2 <</,/^EOD/p' |
		awk 'NF == 2 { sum += $2 } END { exit !(sum > 99.99999 && sum < 100.00001) }'
}

@test "hist: as many ticks in each bin" {
	local step

	# Each tick equally often; 50 ns would hold 12 of 4 ns, or 13.
	for step in '4 36' '2 50' '0.333333 50' '2.5 50' '3.2 35.2'; do
		awk -v tick="${step% *}" 'BEGIN {
			print "latency_ns,count"
			for (i = 0; i * tick < 2300; i++)
				printf "%.3f,5\n", 500 + i * tick
		}' >input
		pcb-plot hist -P input >script
		[[ "$(<script)" == *"samples per ${step#* } ns (%)"* ]]
		sed -n '/^.curve2 <</,/^EOD/p' script |
			awk 'NF == 2 && $1 > 560 && $1 < 2700 { print $2 }' |
			sort -u | awk 'NR == 1 { low = $1 } { high = $1 }
				END { exit !(high / low < 1.01) }'
	done
	# Few values that are on no ticks have round bins.
	awk 'BEGIN {
		print "latency_ns"
		for (i = 0; i < 24; i++)
			printf "%.3f\n", 500 + .9 * i ^ 2.5
	}' >input
	given "$(cat input)\n" hist -P
	[[ "$output" == *"samples per 50 ns (%)"* ]]
}

@test "hist: no peaks of ticks in logarithmic steps" {
	# Equally many in each step; the lowest tick contains four.
	awk 'BEGIN {
		print "latency_ns,count"
		for (i = 3; i < 7000; i++)
			printf "%.3f,%d\n", i * 40 / 3, 1e7 / i
	}' >input
	pcb-plot hist -P input >script
	[[ "$(<script)" == *"samples per step of "* ]]
	sed -n '/^.curve2 <</,/^EOD/p' script |
		awk 'NF == 2 && $1 > 40 && $1 < 60000 { print $2 }' |
		sort -g | awk 'NR == 1 { low = $1 } { high = $1 }
			END { exit !(NR > 20 && high / low < 1.05) }'
	# Few and distant values are no ticks.
	given 'latency_ns\n100\n200\n5000\n' hist -P
	[ "$(grep -c '^[0-9.]* 33.3' <<<"$output")" -ge 3 ]
}

@test "hist: no bar is cut off by the frame; hist: no number is infinite" {
	# Bins are a third of a tick, from 559 1/3 to 572 2/3.
	scripts 'latency_ns,count\n560,3\n564,9\n568,4\n572,1\n' hist -P
	[[ "$output" == *$'\nset xrange [559.33'*:572.66* ]]
	[[ "$output" == *$'\nset yrange [0:57.17'* ]]

	# Hist: no number is infinite.
	local values

	for values in '5\n5\n5\n1e300' '1e-300\n1e300' '5\n1e300\n1e300'; do
		scripts "latency_ns\n$values\n" hist -P
		run ! grep -qi '\<inf' <<<"$output"
		scripts "latency_ns\n$values\n" hist -P --log x
		run ! grep -qi '\<inf' <<<"$output"
	done
}

@test "hist: fine values in round bins" {
	awk 'BEGIN {
		print "latency_ns"
		for (i = 0; i < 3000; i++)
			printf "%.3f\n", 500 + i * i / 9e4
	}' >input
	given "$(cat input)\n" hist -P
	[[ "$output" == *"set ylabel 'samples per 2 ns (%)'"* ]]
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
	wrong '--x is for scatter, not for cdf' cdf --x a
}

@test "scatter: samples of several files follow each other" {
	scripts 'seq,latency_ns\n0,7\n2,9\n1,8\n0,5\n1,6\n' scatter -P
	[[ "$output" == *$'\n0 7\n2 9\n1 8\n3 5\n4 6\nEOD'* ]]
	[[ "$output" == *"'seq starts anew 1 times: these samples follow those before'"* ]]
	# Each curve has its own order.
	given 'run,seq,latency_ns\n1,0,7\n1,1,9\n2,0,5\n2,1,6\n' scatter -P
	[[ "$output" == *$'\n0 7\n1 9\nEOD\n'*$'\n0 5\n1 6\nEOD\n'* ]]
	[[ "$output" != *anew* ]]
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
	[[ "$(<script)" == *"$points of 315000 samples: chosen by chance"* ]]
	[ "$(wc -c <script)" -lt 300000 ]
	[[ $drawn == *" of 315000 samples: chosen by chance"* ]]
	# Two of its lines are broken between words.
	pcb-plot scatter --geometry 400x300 both >script
	grep -q "^set label '.* of 315000 samples: .* ' at screen" script
}

@test "scatter: density and colour are those of the samples" {
	awk 'BEGIN {
		print "a,seq,latency_ns"
		for (i = 0; i < 100000; i++) {
			print "x," i "," 500 + i * 7919 % 100
			print "y," i "," 500 + i * 7907 % 100
		}
		print "x,5,9000"
	}' >input
	draws scatter input
	read -r x y <<<"$points"
	[ $((x + y)) -le 15000 ]
	[ "$x" -lt $((y * 12 / 10)) ]
	[ "$y" -lt $((x * 12 / 10)) ]
	# The isolated one is there.
	grep -qx '5 9000' script
	# Both have equally many in each tenth of the time: no stretches of one.
	awk '/^\$curve/ { c++; next } /^EOD/ { next }
		/^[0-9]+ [0-9]+$/ { n[c, int($1 / 10000)]++ }
		END {
			for (i = 0; i < 10; i++)
				if (n[1, i] > 1.5 * n[2, i] ||
				    n[2, i] > 1.5 * n[1, i])
					exit 1
		}' script
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

@test "box: five numbers and the minimum" {
	{
		echo a,latency_ns
		printf 'x,%d\n' {0..100}
		printf 'y,%d\n' {200..240}
	} >input
	scripts "$(cat input)\n" box -P
	[[ "$output" == *"label 'a x' at screen 0, first 1 "* ]]
	[[ "$output" == *"label 'a y' at screen 0, first 2 "* ]]
	# Minima, p5 to p95, quartiles, medians.
	[[ "$output" == *'
0 1
200 2
EOD'*'
5 1
95 1

202 2
238 2

EOD'*'
25 0.7
75 0.7
75 1.3
25 1.3

'*'
50 0.7
50 1.3

220 1.7
220 2.3
'* ]]
	draws box input
	# Points of a curve with the gaps between them.
	[ "$points" = "2 5 9 5" ]
}

# rows_of FILE: names of a box plot's rows, from top to bottom.
rows_of() {
	pcb-plot box -P "$1" |
		sed -n "s/^set label '\(.*\)' at screen 0, first.*/\1/p" | xargs -d '\n'
}

@test "box: what is compared is side by side, in two colours" {
	{
		echo run,size_bytes,cache,latency_ns
		for run in 1 2; do
			for cache in cold warm; do
				printf "$run,%d,$cache,5\n$run,%d,$cache,6\n" \
					64 64 128 128 256 256
			done
		done
	} >input
	[ "$(rows_of input)" = 'run 1, size 64 B, cache cold run 2, size 64 B, cache cold'\
' run 1, size 64 B, cache warm run 2, size 64 B, cache warm'\
' run 1, size 128 B, cache cold run 2, size 128 B, cache cold'\
' run 1, size 128 B, cache warm run 2, size 128 B, cache warm'\
' run 1, size 256 B, cache cold run 2, size 256 B, cache cold'\
' run 1, size 256 B, cache warm run 2, size 256 B, cache warm' ]
	pcb-plot box -P input >script
	grep -q "#4D9CC9.* title 'quartiles, cache cold'" script
	grep -q "#EEBC4D.* title 'quartiles, cache warm'" script
	# If only one column varies, nothing is compared.
	printf 'a,latency_ns\ny,5\nx,6\ny,7\n' >input
	[ "$(rows_of input)" = 'a y a x' ]
	pcb-plot box -P input | grep -q "title 'quartiles'"
	# Nor are more than six values.
	{
		echo a,b,latency_ns
		printf '%s,5\n' {1..7},x{1..7}
	} >input
	pcb-plot box -P input | grep -q "title 'quartiles'"
}
