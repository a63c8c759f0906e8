#!/usr/bin/env bats
# Formats of printf and texts that look like commands are arguments here, and
# bats sets $stderr.
# shellcheck disable=SC1003,SC2016,SC2059,SC2154

load helpers

tests pcb-plot

setup() {
	cd "$BATS_TEST_TMPDIR" || exit
}

# draws ARGUMENT...: with every terminal, by a gnuplot that says nothing. The
# text is left in `drawn`, the SVG in drawn.svg.
draws() {
	local terminal

	command -v gnuplot >/dev/null || skip "gnuplot is not installed"
	for terminal in pdf png svg dumb; do
		pcb-plot "$@" -T $terminal >script 2>said
		gnuplot script >"drawn.$terminal" 2>>said || echo failed >>said
		if [ -s said ]; then
			printf '%s: %s\n' "$*" "$(cat said)"
			return 1
		fi
	done
	drawn=$(cat drawn.dumb)
	grep -q '</svg>' drawn.svg
}

# points FILE ARGUMENT...: how many points of each curve gnuplot draws.
points() {
	command -v gnuplot >/dev/null || skip "gnuplot is not installed"
	pcb-plot "$@" -P | sed "s/^plot/set table 'table'\n&/" >script
	gnuplot script >/dev/null
	points=$(sed -n 's/^# Curve .*, \([0-9]*\) points.*/\1/p' table | xargs)
}

# shows TEXT...: each of them is in the picture, in both of its forms.
shows() {
	local text

	for text; do
		[[ $drawn == *"$text"* ]] && grep -qF -- ">$text<" drawn.svg &&
			continue
		printf 'not shown: %s\n%s\n' "$text" "$drawn"
		grep '<text>' drawn.svg
		return 1
	done
}

# published FILE: that result of pcie-bench, imported into `published`.
published() {
	[ "${PCB_TEST_DATA:-}" ] || skip "PCB_TEST_DATA is not set"
	pcb-import pciebench "$PCB_TEST_DATA/pciebench/$1" >published
}

@test "help and version go to stdout" {
	for option in -h --help; do
		helps 'KIND [options] [FILE...]' "$option"
		[[ "$output" == *"  cdf "*"  bw "*"  nic "* ]]
	done
	tells_version
}

@test "wrong options are refused, with a pointer to the help" {
	wrong "a kind of picture is missing, such as 'cdf'"
	wrong "'pie': no such kind of picture" pie
	wrong "unrecognized option '--no-such'" cdf --no-such
	wrong "-T 'gif': not svg, png, pdf or dumb" cdf -T gif
	wrong "-o '': a file name is missing" cdf -o ''
	wrong '-o: a control character in the file name' cdf -o $'a\nb'
	for size in '' 800 800x 800x0 x500 800X500 800x500x2 -1x5; do
		wrong "--size '$size': it is WxH" cdf --size "$size"
	done
	wrong '--size: svg takes 300x200 to 10000x10000' cdf --size 300x199
	wrong '--size: svg takes 300x200 to 10000x10000' cdf \
		--size 99999999999x500
	wrong '--size: dumb takes 40x12 to 1000x1000' cdf --size 800x1001 \
		-T dumb
}

@test "bad input is refused" {
	refuses '' '-: empty: not even a header row' cdf
	refuses 'a,b_ns\n1,2\n' "-: no column 'latency_ns': there are a, b_ns" \
		cdf
	refuses 'median_gbit_s\n1\n' \
		"-: no column 'size_bytes': there are median_gbit_s" bw
	refuses 'size_bytes,latency_ns\n64,1\n' \
		"-: no column 'median_gbit_s': there are size_bytes, latency_ns" \
		bw
	refuses 'size_bytes,min_ns\n64,1\n' \
		"-: no column 'median_ns': there are size_bytes, min_ns" lat
	refuses 'window_bytes,median_ns,median_gbit_s\n64,1,\n64,,2\n' \
		"-:3: median_gbit_s: one picture shows one unit, and median_ns came first" \
		window
	refuses 'size_bytes,latency_ns,count\n64,1,x\n' \
		"-:2: count: 'x': not a number" lat
	refuses 'latency_ns\n1\nx\n' "-:3: latency_ns: 'x': not a number" cdf
	refuses 'latency_ns\n1e301\n' \
		"-:2: latency_ns: '1e301': too large to draw" cdf
	refuses 'latency_ns,count\n1,-1\n' "-:2: count: '-1': not a number" cdf
	refuses 'size_bytes,median_gbit_s\n6.4,1\n' \
		"-:2: size_bytes: '6.4': unknown suffix" bw
	refuses 'size_bytes,median_gbit_s\n64,x\n' \
		"-:2: median_gbit_s: 'x': not a number" bw
	refuses 'size_bytes,median_gbit_s,model_gbit_s\n64,1,y\n' \
		"-:2: model_gbit_s: 'y': not a number" bw
}

@test "nic: what is needed" {
	refuses 'size_bytes,bandwidth_gbit_s\n64,1\n' \
		"-: no column 'frame_bytes': there are size_bytes, bandwidth_gbit_s" \
		nic
	refuses 'frame_bytes,latency_ns\n64,1\n' \
		"-: no column 'median_gbit_s': there are frame_bytes, latency_ns" \
		nic
	refuses 'frame_bytes,bandwidth_gbit_s,ethernet_gbit_s\n64,1,y\n' \
		"-:2: ethernet_gbit_s: 'y': not a number" nic
}

@test "nic: a line for each device and each Ethernet" {
	header=kind,bench,interaction,frame_bytes,bandwidth_gbit_s
	header+=,ethernet,ethernet_gbit_s
	given "$header\n\
model,nic,a,512,30,40G,38\nmodel,nic,a,64,10,40G,28\n\
model,nic,b,64,20,40G,28\nmodel,nic,b,1024,45,40G,39\n\
measured,nic,b,64,15,,\n\
model,nic,a,64,10,25G,18\nmodel,nic,a,512,30,25G,24\n" nic -P
	[ "$status" = 0 ]
	[ "$stderr" = "" ]
	[[ "$output" == *'
$curve1 << EOD
64 10
64 10
512 30
512 30
EOD
$curve2 << EOD
64 20
1024 45
EOD
$curve3 << EOD
64 15
EOD
$curve4 << EOD
64 28
512 38
1024 39
EOD
$curve5 << EOD
64 18
512 24
EOD
plot '* ]]
	[[ "$output" == *"curve1 "*" with lines "*"curve3 "*" with linespoints "*"curve5 "*" with lines "* ]]
	draws nic input
	shows 'Throughput of nic' 'throughput (Gbit/s)' 'frame size (bytes)' \
		'model, a' 'model, b' 'measured, b' 'Ethernet 40G' 'Ethernet 25G'
}

@test "nic: lines are solid while there are colours" {
	{
		echo kind,interaction,frame_bytes,bandwidth_gbit_s
		for i in 1 2 3 4 5 6 7 8; do
			echo "model,d$i,64,$i"
			echo "model,d$i,512,$((2 * i))"
		done
	} >input
	dashes=$(pcb-plot nic -P input | sed -n 's/.*dashtype \([0-9]\).*/\1/p')
	[ "$(xargs <<<"$dashes")" = '1 1 1 1 1 1 1 2' ]
	draws nic input
	shows 'd1' 'd8' 'Throughput (model)'
}

@test "nic: rows as pcb-model writes them" {
	pcb-model nic -M simple -M niantic-kernel >input
	draws nic input
	shows 'Throughput of nic (model)' 'throughput each way (Gbit/s)' \
		simple niantic-kernel 'Ethernet 40G'
	[[ "$drawn" == *'direction both, gen3x8/mps256/mrrs512/rcb64, '* ]]
	[[ "$drawn" != *'ethernet 40G'* ]]
	points nic input
	[ "$points" = '92 92 92' ]
}

@test "cdf: the corners of the steps" {
	given 'latency_ns\n10\n12.5\n10\n40\n' cdf -P
	[ "$status" = 0 ]
	[ "$stderr" = "" ]
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
	points cdf input
	[ "$points" = 4 ]
}

@test "cdf: a curve for each group" {
	pcb-collect -d sim lat_rd -n 1000 -s 64,512 --cache cold,host-warm \
		>samples
	draws cdf samples
	shows 'Latency of lat_rd (simulated)' 'latency (ns)'
	for name in 'size 64 B, cache cold' 'size 512 B, cache host-warm'; do
		[[ $drawn == *"$name"* ]]
		grep -qF ">$name<" drawn.svg
	done
	[[ $drawn == *"window 8 KiB, random, "* ]]
	points cdf samples
	[ "$(wc -w <<<"$points")" = 4 ]
	# From the histogram: the same picture.
	pcb-plot cdf -P samples >script1
	pcb-stats --histogram samples | pcb-plot cdf -P | cmp - script1
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
	points cdf input
	[ "$points" -gt 300 ]
	# The ends are as they were.
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

@test "cdf: a few samples far away do not squeeze the rest" {
	given 'latency_ns,count\n500,5000\n600,5000\n9000,1\n' cdf -P
	[[ "$output" == *"set xlabel 'latency (ns), cut off behind p99.9: "* ]]
	[[ "$output" == *"the maximum is 9000'"* ]]
	[[ "$output" == *$'\n9000 100\n'* ]]
	# One in a thousand or more is not few.
	given 'latency_ns,count\n500,5000\n600,5000\n9000,100\n' cdf -P
	[[ "$output" == *"set xlabel 'latency (ns)'"* ]]
}

@test "ccdf: what is above, on a log scale" {
	given 'latency_ns,count\n10,90\n12.5,9\n5000,1\n' ccdf -P
	[ "$status" = 0 ]
	[ "$stderr" = "" ]
	[[ "$output" == *'
$curve1 << EOD
10 100
10 10
12.5 1
5000 1
EOD
plot '* ]]
	# The axis is not cut off, and neither of them is linear.
	[[ "$output" == *"set xlabel 'latency (ns)'"*"set logscale x 10"* ]]
	[[ "$output" == *"set logscale y 10"* ]]
	draws ccdf input
	points ccdf input
	[ "$points" = 4 ]
}

@test "ccdf: the published distributions" {
	published nfp6000-1.2GHz_hsw-Xeon-E5-2637v3_supermicro/lat_dma_details_cdf.csv
	draws ccdf published
	shows 'Latency (published)' 'samples above (%)' 0.001
	points ccdf published
	[ "$(wc -w <<<"$points")" = 16 ]
	# 19 of 16777216 reads of 64 bytes, thrashed, took longer than 1 us.
	grep -qx '1000 0.00011324882507324219' script
	[ "$(wc -c <script)" -lt 50000 ]
}

@test "hist: the parts add up" {
	# Ticks of 4 ns, and bins as wide, around the values.
	given 'latency_ns,count\n500,2\n504,5\n508,2\n520,1\n' hist -P
	[ "$status" = 0 ]
	[ "$stderr" = "" ]
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
	# A logarithmic axis, and every sample in one of the bins.
	awk 'BEGIN {
		print "latency_ns"
		for (i = 0; i < 5000; i++)
			print 500 + i % 97 + (i % 10 ? 0 : 40000 * (i % 7))
	}' >input
	draws hist input
	[[ $(<drawn.svg) == *'samples in steps of 9.5 % (%)'* ]]
	pcb-plot hist -P input | sed -n '/^.curve2 <</,/^EOD/p' |
		awk 'NF == 2 { sum += $2 } END { exit !(sum > 99.99999 && sum < 100.00001) }'
}

@test "hist: fine values in round bins, simulated and published" {
	awk 'BEGIN {
		print "latency_ns"
		for (i = 0; i < 3000; i++)
			printf "%.3f\n", 500 + i * i / 9e4
	}' >input
	given "$(cat input)\n" hist -P
	[[ "$output" == *"set ylabel 'samples per 2 ns (%)'"* ]]
	pcb-collect -d sim lat_rd -n 5000 --cache cold,host-warm >samples
	draws hist samples
	shows 'Latency of lat_rd (simulated)' 'cache cold' 'cache host-warm'
	pcb-plot hist -P samples >script1
	pcb-stats --histogram samples | pcb-plot hist -P | cmp - script1
	published nfp6000-1.2GHz_hsw-Xeon-E5-2637v3_supermicro/lat_dma_details_cdf.csv
	{
		grep '^host,' published
		grep ',engine,64,0,0,8192,random,host-warm,' published
	} >warm
	draws hist warm
	# The counter's ticks, and the highest of them: 8311559 of 2^24.
	shows 'samples per 13.33 ns (%)'
	points hist warm
	[ "$(wc -w <<<"$points")" = 4 ]
	[[ "$(<script)" == *" 49.54"* ]]
}

@test "scatter: in order, by number, against a column" {
	given 'a,latency_ns\nx,7\nx,9\ny,5\nx,8\n' scatter -P
	[ "$status" = 0 ]
	[ "$stderr" = "" ]
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
	# A number whose unit another column has.
	for column in value median_value; do
		given "$column,latency_ns\n1,2\n" scatter -P --x $column
		[[ "$output" == *"set xlabel '${column%_value}'"* ]]
	done
	refuses 'latency_ns,count\n1,1\n2,3\n' \
		'-:3: count: a histogram has no order; --x names another column' \
		scatter
	refuses 'latency_ns\n1\n' "-: no column 'z': there are latency_ns" \
		scatter --x z
	refuses 'a,latency_ns\nx,1\n' "-:2: a: 'x': not a number" scatter --x a
	wrong '--x: the axis of cdf is given' cdf --x a
}

@test "scatter: few samples are all drawn, many as fewer points" {
	awk 'BEGIN {
		print "latency_ns"
		for (i = 0; i < 15000; i++)
			print 500 + i * 7919 % 1000
	}' >input
	points scatter input
	[ "$points" = 15000 ]
	[[ "$(<script)" != *samples* ]]
	awk 'NR == 1 { print; next } { for (i = 0; i < 21; i++) print }' input \
		>both
	draws scatter both
	points scatter both
	[ "$points" -gt 5000 ]
	[ "$points" -le 15000 ]
	[[ "$(<script)" == *"315000 samples as $points points: of those within "* ]]
	[ "$(wc -c <script)" -lt 300000 ]
	[[ $drawn == *"315000 samples as "*" points: of those within 1 dot"* ]]
}

@test "scatter: no curve hides another, simulated and published" {
	pcb-collect -d sim lat_rd -n 2000 -l a=x >samples
	pcb-collect -d sim lat_rd -n 2000 -l a=y >>samples
	draws scatter samples
	shows 'Latency of lat_rd (simulated)' 'a x' 'a y'
	points scatter samples
	read -r x y <<<"$points"
	[ $((x + y)) -lt 4000 ]
	[ "$x" -gt 300 ]
	[ "$y" -gt 300 ]
	[ "${PCB_TEST_DATA:-}" ] || skip "PCB_TEST_DATA is not set"
	pcb-import nettlp "$PCB_TEST_DATA"/nettlp/pciebench_lat_read_ptr-fix_len-{8,1024}.txt \
		>published
	draws scatter published
	shows 'size 8 B' 'size 1024 B'
	pcb-plot scatter --x size_bytes published | gnuplot 2>said >/dev/null
	[ ! -s said ]
}

@test "box: five numbers and the minimum" {
	{
		echo a,latency_ns
		printf 'x,%d\n' {0..100}
		printf 'y,%d\n' {200..240}
	} >input
	given "$(cat input)\n" box -P
	[ "$status" = 0 ]
	[ "$stderr" = "" ]
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
	points box input
	# Those of a curve with the gaps between them.
	[ "$points" = "2 5 9 5" ]
}

@test "box: simulated and published" {
	pcb-collect -d sim lat_rd -n 1000 -s 64:2048 --cache cold,host-warm \
		>samples
	draws box samples
	shows 'Latency of lat_rd (simulated)' 'size 64 B, cache cold' \
		'size 2048 B, cache host-warm' quartiles 'p5 to p95' minimum
	pcb-plot box -P samples >script1
	pcb-stats --histogram samples | pcb-plot box -P | cmp - script1
	# A single group has a name, too.
	pcb-collect -d sim lat_rd -n 10 | pcb-plot box -P >script
	[[ "$(<script)" == *"label 'lat_rd' at screen 0"* ]]
	published nfp6000-1.2GHz_hsw-Xeon-E5-2637v3_supermicro/lat_dma_details_cdf.csv
	draws box published
	shows 'Latency (published)' \
		'lat_rd, size 64 B, window 8 KiB, cache thrashed'
	grep -qx '600 2.3' script # the median of the second, host-warm
}

@test "diff: bars, pale ones, and limits" {
	local header=size_bytes,base,cache,base_ns,other_ns,diff_ns,diff_lo_ns
	local differences="$header,diff_hi_ns,ratio_pct,differs,runs\\n"

	differences+='64,a,b,500,570,70,60,75,114,yes,5\n'
	differences+='128,a,b,500,498,-2,-9,8,99.6,no,5\n'
	differences+='256,a,b,500,510,10,,,102,unclear,1\n'
	given "$differences" diff -P
	[ "$status" = 0 ]
	[ "$stderr" = "" ]
	[[ "$output" == *"set xlabel 'difference (ns)'"* ]]
	[[ "$output" == *'
0 0.7
70 0.7
70 1.3
0 1.3

EOD'*'
0 1.7
-2 1.7
-2 2.3
0 2.3

0 2.7
10 2.7
'*'
60 1
75 1

-9 2
8 2

EOD'* ]]
	[[ "$output" == *"title 'differs'"*"title 'not shown to differ'"* ]]
	draws diff input
	shows 'size 64 B' 'size 256 B' limits 'base a, cache b'
	points diff input
	[ "$points" = "4 9 5" ]
	refuses 'size_bytes,base_ns\n64,1\n' \
		"-: no column 'diff_ns': there are size_bytes, base_ns" diff
	refuses 'diff_ns,diff_gbit_s\n1,\n,1\n' \
		"-:3: diff_gbit_s: one picture shows one unit, and diff_ns came first" \
		diff
}

@test "diff: what pcb-diff writes, simulated and published" {
	pcb-collect -d sim lat_rd -n 500 -r 5 -s 64:512 --cache cold,host-warm |
		pcb-stats | pcb-diff --by cache >found
	draws diff found
	shows 'Difference of lat_rd (simulated)' 'size 512 B' differs limits
	pcb-collect -d sim bw_rd -n 500 -s 64:512 --cache cold,host-warm |
		pcb-stats | pcb-diff --by cache >found
	draws diff found
	shows 'difference (Gbit/s)'
	published nfp6000-1.2GHz_snb-Xeon-E5-2630_dell-t620/bw_dma_win_sweep_rd_rnd_64.csv
	pcb-diff --by cache --statistic bandwidth_gbit_s published >found
	draws diff found
	shows 'Difference of bw_rd (published)' 'not shown to differ'
	pcb-plot diff found >script
	[ "$(grep -c ' at screen 0, first ' script)" = 39 ]
}

@test "heat: a cell for each pair, shades in round steps" {
	given 'size_bytes,cache,median_ns\n128,cold,700\n64,cold,612\n64,warm,\n128,warm,849\n' \
		heat -P
	[ "$status" = 0 ]
	[ "$stderr" = "pcb-plot: 1 row without a measure was skipped" ]
	[[ "$output" == *"label 'cache cold' at screen 0, first 1 "* ]]
	[[ "$output" == *"set xtics nomirror out ('64' 1, '128' 2)"* ]]
	[[ "$output" == *"label '612' at 1, 1 center front"* ]]
	[[ "$output" == *"label '849' at 2, 2 center front textcolor"* ]]
	[[ "$output" == *"title '600 to 650 ns'"*"title '700 to 750 ns'"* ]]
	[[ "$output" == *"title '800 to 850 ns'"* ]]
	sed -i '/warm,$/d' input
	draws heat input
	points heat input
	[ "$points" = "4 4 4" ]
	# Samples: the median of a cell; one column: one row.
	given 'size_bytes,latency_ns,count\n64,5,2\n64,9,1\n128,7,1\n' heat -P
	[[ "$output" == *"label '5' at 1, 1 "*"label '7' at 2, 1 "* ]]
	refuses 'a,b,c,median_ns\nx,1,x,1\ny,2,y,2\n' \
		'a map has two axes, and 3 columns vary: a, b, c' heat
	refuses 'a\n1\n' "-: no column 'median_ns': there are a" heat
}

@test "heat: simulated and published" {
	pcb-collect -d sim lat_rd -n 500 -s 64:2048 -w 4K:64M:x4 >samples
	draws heat samples
	shows 'Latency of lat_rd (simulated)' 'window (bytes)' 64M 'size 64 B'
	grep -c ' center front' script | grep -qx 48
	pcb-collect -d sim bw_rd -n 500 -s 64:2048 -w 4K:64M:x4 >samples
	draws heat samples
	shows 'Bandwidth of bw_rd (simulated)'
	published nfp6000-1.2GHz_snb-Xeon-E5-2630_dell-t620/lat_cmd_sweep_wrrd_rnd_64.csv
	draws heat published
	shows 'Latency of lat_wrrd (published)' 'cache host-warm' 1.5M \
		'545 to 550 ns'
	points heat published
	# 31 and 25 cells, of 4 corners and a gap.
	[ "$points" = "154 124" ]
}

# A root, a switch below it, and a root whose device has no link.
tree='host,kind,bench,device,link,parent,parent_ns,device_ns,latency_ns,'
tree+='latency_lo_ns,latency_hi_ns\n'
tree+='a,virtual,lat_cfg,03:00.0,gen3x4/mps256,02:00.0,1200,2100,900,880,950\n'
tree+='a,virtual,lat_cfg,02:00.0,gen3x8/mps256,00:01.0,800,1200,400,,\n'
tree+='a,virtual,lat_cfg,05:01.0,,00:1c.0,700,2500,1800,,\n'

@test "tree: each device below its bridge, behind the way there" {
	given "$tree" tree -P
	[ "$status" = 0 ]
	[ "$stderr" = "" ]
	names=$(sed -n "s/^set label '\(.*\)' at screen 0, first .*/\1/p" \
		<<<"$output")
	[ "$names" = '00:01.0
   02:00.0 gen3x8
      03:00.0 gen3x4
00:1c.0
   05:01.0' ]
	[[ "$output" == *"label '+900 ns' at 2150, 3 "* ]]
	[[ "$output" == *"label '800 ns' at 800, 1 "* ]]
	[[ "$output" == *'
1200 2.7
2100 2.7
2100 3.3
1200 3.3
'*'
2080 3
2150 3
'* ]]
	draws tree input
	shows 'Latency along the path of lat_cfg (virtual)' '   02:00.0 gen3x8' \
		'the way there' 'this link and its device' '+1800 ns'
	points tree input
	[ "$points" = "24 14 2" ]
	# Two hosts, two trees.
	sed '1!s/^a,/b,/' input >both
	tail -n +2 <(printf "$tree") >>both
	pcb-plot tree both >script
	grep -qF "label 'host b: 00:01.0'" script
	grep -qF "label 'host a: 00:1c.0'" script
	# A parallel bus with its clock; how a target claims is no other tree.
	given 'device,parent,link,devsel,parent_ns,latency_ns\nb,a,gen1x8/mps128,,1,2\nc,b,pcix64/133,slow,3,4\n' \
		tree -P
	[[ "$output" == *"label '   b gen1x8'"*"label '      c pcix64/133'"* ]]
	refuses 'device,parent,latency_ns\na,b,1\n' \
		"-: no column 'parent_ns': there are device, parent, latency_ns" \
		tree
}

@test "tree: what is on the wire, end points, flags" {
	local run

	{
		echo '# clock_tick_ns: 5'
		echo device,parent,link,bench,run,min_ns,p1_ns,mode_ns
		for run in 1 2 3 4 5; do
			sed "s/RUN/$run/g" <<-'EOF'
			00:01.0,,,lat_mmio,RUN,800,810,820
			01:00.0,00:01.0,gen3x8/mps256/mrrs512/rcb64,lat_mmio,RUN,70RUN,960,990
			02:00.0,00:01.0,gen1x1/mps128/mrrs128/rcb64,lat_mmio,RUN,80RUN,812,822
			03:00.0,02:00.0,gen1x4/mps128/mrrs128/rcb64,lat_mmio,RUN,120RUN,1212,1222
			EOF
		done
	} | pcb-diff >links
	draws tree links
	shows '-97 ns, negative floor' '+3 ns, short' '+400 ns, 11 % wire' \
		'this link' 'this link and its completer' 'of it on the wire' \
		'pale: has flags' limits
	# A bridge, pale, on top of what is an end point, and pale; and the wire.
	points tree links
	[ "$points" = "19 100 4 4 4 14 8" ] || show "$points"
	given "$(cat links)\n" tree -P
	[[ "$output" == *'
803 2.7
847 2.7
847 3.3
'* || "$output" == *'
803 3.7
847 3.7
'* ]]
	# No flags in sight if there are none.
	cut -d, -f1-7 links | sed '/^#/d' >input
	pcb-plot tree input >script
	[[ "$(<script)" == *"'this link and its device'"* ]]
	[[ "$(<script)" != *pale* ]]
}

@test "tree: the links of Miller et al." {
	(cd "$TOP/experiments" &&
		pcb-diff --links miller/links.csv miller/minima.csv) >links
	draws tree links
	shows 'Latency along the path (published)' '+252 ns, 8.73 % wire' \
		'+84 ns, 62.5 % wire' '+153 ns' 'this link and its completer'
	# A bridge with one link of its own, 17 end points, 14 known wires.
	points tree links
	[ "$points" = "119 4 84 69" ] || show "$points"
}

@test "tree: what pcb-diff writes; devices in a circle" {
	pcb-collect -n 1 -d sim lat_rd >/dev/null
	printf 'device,parent,min_ns\n00:01.0,,812\n01:00.0,00:01.0,960\n02:00.0,01:00.0,990\n' |
		pcb-diff >links
	draws tree links
	shows '00:01.0' '   01:00.0' '      02:00.0' '+148 ns' '+30 ns' \
		'this link' 'this link and its completer'
	printf 'device,parent,parent_ns,latency_ns\nb,a,1,1\na,b,1,1\nc,c,1,1\n' \
		>links
	draws tree links
	pcb-plot tree links >script
	[ "$(grep -c ' at screen 0, first ' script)" = 3 ]
}

# Three conditions; the third lacks what the second panel shows.
table7="$TOP/experiments/ddio/iperf.csv"

# panel_points FILE: how many points of each curve of ddio gnuplot draws, with
# a '|' between panels.
panel_points() {
	command -v gnuplot >/dev/null || skip "gnuplot is not installed"
	pcb-plot ddio -P "$1" |
		awk '/^plot/ { print "set table \047table" ++n "\047" } { print }' \
			>script
	rm -f table?
	gnuplot script >/dev/null
	points=
	for table in table?; do
		points+="${points:+| }$(sed -n \
			's/^# Curve .*, \([0-9]*\) points.*/\1/p' "$table" |
			xargs) "
	done
}

@test "ddio: a panel for each unit, a bar for each condition" {
	pcb-ddio -d 1s "$table7" >metrics
	draws ddio metrics
	shows 'I/O and cache (published)' 'bandwidth (Gbit/s)' 'misses (%)' \
		'inbound read bandwidth, part 0' 'inbound full writes that miss l3' \
		'queues 8096' 'queues 2048' 'queues non-allocating' \
		375.3 '88.26 inconsistent' 49.93 '1610 inconsistent'
	[[ $drawn == *'pale: has flags, over 100 %: cut off'* ]]
	# Four corners and a gap for each bar: two for each condition; then one,
	# and two paler ones, of the two conditions that have them.
	panel_points metrics
	[ "${points% }" = "9 9 9 | 4 9 4 9 | 100 100 100" ] || show "$points"
	# What is over 100 % ends there.
	grep -qx '100 7.7' script
	run ! grep -q '^1610 ' script
	# One condition needs no legend.
	grep -e '^kind' -e ',2048,' metrics >one
	draws ddio one
	[[ $drawn == *'queues 2048'* ]]
	[[ "$(<script)" != *$'\nset key'* ]]
}

@test "ddio: intervals are lines in time, flags are rings" {
	local names=run,kind,bench,socket,unit,part,metric,time_ns,value,flags

	given "$names\n\
1,virtual,ddio,0,iio1,0,io_inbound_read_bandwidth_gbit_s,2e9,7,scaled\n\
1,virtual,ddio,0,iio1,0,io_inbound_read_bandwidth_gbit_s,1e9,5,\n\
1,virtual,ddio,0,iio1,4,io_inbound_read_bandwidth_gbit_s,1e9,0,\n\
1,virtual,ddio,0,iio1,4,io_inbound_read_bandwidth_gbit_s,2e9,0,\n\
1,virtual,ddio,0,,,io_percent_of_inbound_reads_that_miss_l3,1e9,30,\n\
1,virtual,ddio,0,,,io_percent_of_inbound_reads_that_miss_l3,2e9,130,\n" \
		ddio -P
	[ "$status" = 0 ]
	[ "$stderr" = "" ]
	[[ "$output" == *'
1000000000 5
2000000000 7
EOD
$curve2 << EOD
2000000000 7
EOD
plot '*' pointtype 6 '*'
1000000000 30
2000000000 130
EOD
'* ]]
	draws ddio input
	shows 'I/O and cache of ddio (virtual)' 'bandwidth (Gbit/s)' 'misses (%)' \
		'time (ms)' 'inbound read bandwidth, unit iio1, part 0' \
		'inbound reads that miss l3' 'with flags'
	[[ $drawn == *'over 100 %: cut off, left out: 1 that is 0'* ]]
	panel_points input
	[ "${points% }" = "2 1 | 2 100 | 100 100 100" ] || show "$points"
	# Of several runs each is a line; statistics over time are bars.
	sed 's/^1,/2,/; 1d' input >run2
	cat input run2 >both
	panel_points both
	[ "${points% }" = "2 2 2 | 2 2 100 | 100 100 100 100 100" ] ||
		show "$points"
	pcb-stats input >statistics
	draws ddio statistics
	shows 6 80
}

@test "ddio: units, medians, millions, idle parts" {
	given 'metric,value\nx_gbit_s,1\nx_gbit_s,9\nx_gbit_s,2\ny,5\nz_per_s,2e7\nu_ns,8\n' \
		ddio -P
	[ "$status" = 0 ]
	[[ "$output" == *"label '2' at 2, 1 "*"label '20' at 20, 1 "* ]]
	[[ "$output" == *"label '8' at 8, 1 "*"label '5' at 5, 1 "* ]]
	draws ddio input
	shows 'requests (million/s)' 'latency (ns)' average
	# A rate of 0 is left out where others are not; a share of 0 is a result.
	given 'metric,part,value\nx_gbit_s,0,0\nx_gbit_s,1,3\nio_percent_of_y,,0\n' \
		ddio -P
	[[ "$output" == *"'left out: 1 that is 0'"* ]]
	[[ "$output" != *"'x, part 0'"* ]]
	[[ "$output" == *"'x, part 1'"*"'y'"* ]]
	given 'metric,part,value\nx_gbit_s,0,0\nx_gbit_s,1,0\n' ddio -P
	[[ "$output" == *"'x, part 0'"*"'x, part 1'"* ]]
	[[ "$output" != *'left out'* ]]
	given 'metric,value\nx,\n,1\nx,3\n' ddio -P
	[ "$stderr" = "pcb-plot: 2 rows without a metric or its value were skipped" ]
	refuses 'metric,value\nx,a\n' "-:2: value: 'a': not a number" ddio
	refuses 'metric,latency_ns\nx,1\n' \
		"-: no column 'value': there are metric, latency_ns" ddio
	refuses 'event,value\nx,1\n' \
		"-: no column 'metric': there are event, value" ddio
}

@test "ddio: what perf counts here" {
	perf stat -x, -I 20 -a -e \
		'{software/config=0,name=unc_m_cas_count.rd/,software/config=1,name=unc_m_cas_count.wr/}' \
		-o counts sleep 0.1 2>/dev/null || skip "no perf here"
	pcb-ddio -x, counts >metrics
	draws ddio metrics
	shows 'I/O and cache of ddio' 'memory bandwidth total' 'time (ms)'
	points ddio metrics
	[ "$(wc -w <<<"$points")" = 3 ]
}

@test "bw: measured and model" {
	awk -v OFS=, 'BEGIN {
		print "kind,bench,link,cache,size_bytes,median_gbit_s",
			"model_gbit_s"
		for (size = 64; size <= 2048; size *= 2)
			for (warm = 0; warm < 2; warm++)
				print "simulated,bw_rd", "gen3x8",
					warm ? "host-warm" : "cold", size,
					40 * size / (size + 200) + warm,
					50 * size / (size + 50)
	}' >input
	draws bw input
	shows 'Bandwidth of bw_rd (simulated)' 'transfer size (bytes)' 2048
	[[ $drawn == *'A** cache cold'* && $drawn == *'$ model'* ]]
	points bw input
	[ "$points" = "6 6 6" ]
	grep -q "^set logscale x 2$" script
	grep -q "^set yrange \[0:" script
	# Two links, two models; each with the sweep it belongs to.
	sed 's/gen3x8,host-warm/gen4x8,host-warm/' input >links
	draws bw links
	shows 'model, gen3x8, cache cold' 'model, gen4x8, cache host-warm'
	points bw links
	[ "$points" = "6 6 6 6" ]
	# One link, and a model that depends on something else.
	awk -F, -v OFS=, '/host-warm/ { $7 = $7 - 1 } { print }' input >other
	draws bw other
	shows 'model, cache host-warm'
}

@test "bw: what Ethernet needs" {
	given 'size_bytes,bandwidth_gbit_s\n32,9\n64,10\n1514,60\n' \
		bw -P --ethernet 40G,2500M
	[ "$status" = 0 ]
	[ "$stderr" = "" ]
	# 40 x 60 / 84, where packets begin, and 40 x 1514 / 1538.
	[[ "$output" == *'
$curve2 << EOD
60 28.57142857142857
'*'
1514 39.37581274382315
EOD
$curve3 << EOD
60 1.7857142857142856
'* ]]
	draws bw --ethernet 40G,2500M input
	shows 'Ethernet 40G' 'Ethernet 2.5G' 'bandwidth (Gbit/s)'
	# The axis is that of the rows: sizes 64 bytes apart.
	given 'size_bytes,bandwidth_gbit_s\n64,9\n128,10\n192,11\n256,12\n' \
		bw -P --ethernet 40G
	[[ "$output" != *'set logscale'* ]]
	# It is the line that pcb-model nic has for that frame.
	pcb-model nic -M ideal --frame 1518 | column ethernet_gbit_s >line
	[ "$(<line)" = 39.37581274382315 ]
	given 'size_bytes,bandwidth_gbit_s\n8,1\n16,1\n' bw -P --ethernet 40G
	[ "$status" = 0 ]
	[ "$stderr" = "pcb-plot: none of these sizes is a packet of Ethernet: \
they have 60 to 65532 bytes" ]
	[[ "$output" != *Ethernet* ]]
	printf 'size_bytes,bandwidth_gbit_s\n0,1\n18446744073709551615,1\n' >input
	draws bw --ethernet 800G input
	printf 'size_bytes,bandwidth_gbit_s\n64,1\n' >input
	draws bw --ethernet 1G input
	wrong "--ethernet '40G,': empty" bw --ethernet 40G,
	wrong "--ethernet '999M': an Ethernet has 1G to 800G" bw --ethernet 999M
	wrong "--ethernet '801G': an Ethernet has 1G to 800G" bw --ethernet 801G
	wrong '--ethernet: not of window' window --ethernet 40G
}

@test "bw: from pcb-stats, from pcb-collect, from anything" {
	pcb-collect -d sim bw_rdwr -n 1000 -s 64:512 >samples
	draws bw samples
	shows 'Bandwidth of bw_rdwr (simulated)' 'bandwidth each way (Gbit/s)'
	points bw samples
	[ "$points" = 4 ]
	pcb-stats samples >stats
	points bw stats
	[ "$points" = 4 ]
	printf 'size_bytes,bandwidth_gbit_s,median_gbit_s\n64,1,\n192,2,\n128,,4\n256,2,1\n' \
		>input
	given "$(cat input)\n" bw -P
	[[ "$output" == *'
64 1
128 4
192 2
256 1
EOD'* ]]
	[[ "$output" != *logscale* ]]
}

@test "lat: median, band and minimum" {
	local header=size_bytes,min_ns,median_ns,p95_ns

	given "$header\n128,12,15,20\n64,10,11,14\n" lat -P
	[ "$status" = 0 ]
	[ "$stderr" = "" ]
	[[ "$output" == *"'median; band from minimum to p95'"*'
$curve1 << EOD
64 10
128 12
128 20
64 14
EOD
$curve2 << EOD
64 11
128 15
EOD
plot '* ]]
	given "$header,p5_ns\n64,10,12,14,11\n128,20,22,24,21\n" lat -P
	[[ "$output" == *"'median; band from p5 to p95; dots: minimum'"*'
64 11
128 21
128 24
64 14
EOD
$curve2 << EOD
64 10
128 20
EOD
$curve3 << EOD
64 12
128 22
EOD
'* ]]
	given "$header,p5_ns\n64,10,12,14,11\n128,20,22,24,\n" lat -P
	[[ "$output" == *"'median; band from p5, or the minimum, to p95'"* ]]
	# A median alone.
	given 'size_bytes,median_ns\n64,1\n128,2\n' lat -P
	[[ "$output" != *median* ]]
	points lat input
	[ "$points" = 2 ]
}

@test "lat: samples and statistics give the same curves" {
	pcb-collect -d sim lat_rd -n 1001 -s 64:2048 --cache cold,host-warm \
		>samples
	pcb-plot lat -P samples >script1
	pcb-stats --histogram samples | pcb-plot lat -P | cmp - script1
	pcb-stats -p 5,95 samples | pcb-plot lat -P | cmp - script1
	draws lat samples
	shows 'Latency of lat_rd (simulated)' 'latency (ns)' 'cache cold' \
		'median; band from p5 to p95; dots: minimum' 2048
	points lat samples
	[ "$points" = "12 12 6 6 6 6" ]
}

@test "lat: the published latencies" {
	published nfp6000-1.2GHz_hsw-Xeon-E5-2637v3_supermicro/lat_dma_sizes.csv
	draws lat published
	shows 'Latency (published)' lat_wrrd 'median; band from minimum to p95'
	points lat published
	[ "$points" = "30 30 15 15" ]
	# Reads of 64 bytes: minimum, median and p95 are 41, 45 and 46 ticks.
	for ns in 546.6666666666666 600 613.3333333333334; do
		grep -qx "64 $ns" script
	done
}

@test "window: latency, bandwidth, what pcb-diff says of them" {
	pcb-collect -d sim lat_rd -n 1000 -w 4K:16M:x4 --cache cold,host-warm \
		>samples
	draws window samples
	shows 'Latency of lat_rd (simulated)' 'window (bytes)' 4K 16M
	points window samples
	[ "$points" = "14 14 7 7 7 7" ]
	pcb-collect -d sim bw_rd -n 1000 -w 4K:16M:x4 --cache cold,host-warm |
		pcb-stats | pcb-model --join >stats
	draws window stats
	shows 'Bandwidth of bw_rd (simulated)' model
	points window stats
	[ "$points" = "7 7 7" ]
	pcb-diff --by cache stats >found
	draws window found
	shows 'Ratio of bw_rd (simulated)' '% of the base'
	points window found
	[ "$points" = 7 ]
}

@test "window: the published windows" {
	local snb=nfp6000-1.2GHz_snb-Xeon-E5-2630_dell-t620

	published $snb/lat_cmd_sweep_wrrd_rnd_64.csv
	draws window published
	shows 'cache thrashed' 'cache device-warm' 64M
	points window published
	[ "$points" = "28 28 28 28 14 14 14 14" ]
	published $snb/bw_dma_win_sweep_rd_rnd_64.csv
	draws window published
	shows 'Bandwidth of bw_rd (published)' 'cache device-thrashed'
	points window published
	[ "$points" = "13 13 13 13" ]
}

@test "bands are drawn as long as they can be told apart" {
	awk 'BEGIN {
		print "a,size_bytes,min_ns,median_ns,p95_ns"
		for (i = 1; i <= 7; i++)
			print i ",64,1,2,3"
	}' >input
	head -n 7 input >six
	points lat six
	[ "$points" = "2 2 2 2 2 2 1 1 1 1 1 1" ]
	points lat input
	[ "$points" = "1 1 1 1 1 1 1" ]
	[[ "$(<script)" != *median* ]]
}

@test "the kind is in the picture unless it was measured" {
	local header=kind,a,latency_ns

	given "$header\nvirtual,x,1\nvirtual,y,2\n" cdf -P
	[[ "$output" == *"set title 'Latency (virtual)'"*"title 'a x'"* ]]
	given "$header\nmeasured,x,1\nmeasured,y,2\n" cdf -P
	[[ "$output" == *"set title 'Latency' "* ]]
	given "$header\nmeasured,x,1\nvirtual,x,2\n" cdf -P
	[[ "$output" == *"set title 'Latency' "*"title 'measured'"* ]]
	[[ "$output" == *"title 'virtual'"* ]]
	given "$header\npublished,x,1\n" cdf -P --title Mine
	[[ "$output" == *"set title 'Mine (published)'"* ]]
	given 'kind,size_bytes,bandwidth_gbit_s\nmodel,64,1\nmodel,128,2\n' bw -P
	[[ "$output" == *"set title 'Bandwidth (model)'"*" with lines "* ]]
	given 'kind,size_bytes,bandwidth_gbit_s,model_gbit_s\nsimulated,64,1,2\nmeasured,64,2,2\n' \
		bw -P
	[[ "$output" == *"title 'simulated'"*"title 'measured'"*"title 'model'"* ]]
}

@test "results of the same thing have one colour, whatever their kind" {
	local rows='kind,host,cache,window_bytes,median_ns\n'

	rows+='simulated,a,cold,1,5\nsimulated,a,warm,1,4\n'
	rows+='published,b,cold,1,6\npublished,b,warm,1,3\n'
	given "$rows" window -P
	looks() {
		sed -n "s/.* with linespoints linetype [0-9]* linecolor rgb \
'#\(......\)' dashtype \([0-9]\) .* pointtype \([0-9]*\) .*/\1 \2 \3/p"
	}
	[ "$(looks <<<"$output")" = "0072B2 1 7
E69F00 1 5
0072B2 2 6
E69F00 2 4" ]
	draws window input
	points window input
	[ "$points" = "1 1 1 1" ]
	# With nothing else to tell apart, the kinds have a colour each.
	given "$(grep -v warm input)\n" window -P
	[ "$(looks <<<"$output")" = "0072B2 1 7
E69F00 1 5" ]
	# The host does not follow from the kind here: it is another thing.
	given "$(cat input)\nsimulated,c,cold,1,9\n" window -P
	[ "$(looks <<<"$output" | cut -d ' ' -f 1 | xargs)" = \
		"0072B2 E69F00 009E73" ]
}

@test "a long legend takes a quarter of the height" {
	{
		echo kind,cache,window_bytes,median_ns
		for i in {1..12}; do
			echo "measured,a_cache_with_a_very_long_name_$i,1,$i"
		done
	} >input
	[[ "$(pcb-plot window input)" == *"svg noenhanced size 800,8"[12]* ]]
	draws window input
}

@test "a link that follows from the device is not in the legend" {
	local rows='00:01.0,gen3x8,1\n00:02.0,gen3x4,2\n'

	given "device,link,latency_ns\n$rows" cdf -P
	[[ "$output" == *"title '00:01.0', "*"title '00:02.0'"* ]]
	given "device,link,latency_ns\n${rows}00:02.0,gen4x4,2\n" cdf -P
	[[ "$output" == *"title '00:01.0, gen3x8', "* ]]
}

# What a measure of everything may be called, and the columns of all kinds.
all_kinds=(cdf ccdf hist box scatter lat bw window heat diff tree nic ddio)
of_all='size_bytes,frame_bytes,window_bytes,latency_ns,median_gbit_s,diff_ns,parent_ns,'
of_all+='device,parent,metric,value'

# rows_of_all NAME...: rows for all kinds, a value of column `a` in each; two
# sizes, and all that differs follows from `a`.
rows_of_all() {
	local name

	echo "a,$of_all"
	for name; do
		name=\"${name//\"/\"\"}\"
		for size in 64 128; do
			echo "$name,$size,$size,$size,$((size * 9)),1,-3,500,$name,up,$name,1"
		done
	done
}

@test "every kind is tested" {
	[ "$(pcb-plot --help | sed '1,/^Kinds:/d; /^$/,$d' | wc -l)" = \
		${#all_kinds[@]} ]
}

@test "odd input is drawn" {
	for values in 5 0 -5 '5\n5\n5' '1e300' '-1e300\n1e300' '1e-300\n1e300' \
		'1000000000.001\n1000000000.002' '30\n1000000000000000\n30' \
		'-1e-308\n1e-308' '0\n0\n0'; do
		for kind in cdf ccdf hist box scatter; do
			printf "latency_ns\n$values\n" >input
			draws $kind input
		done
		printf "diff_ns\n$values\n" >input
		draws diff input
		printf "parent_ns,latency_ns,device,parent\n${values//\\n/,1,b,a\\n},1,c,a\n" \
			>input
		draws tree input
		printf "a,median_ns\n1,${values//\\n/\\n2,}\n" >input
		draws heat input
		for metric in a_gbit_s b_per_s io_percent_of_c d_ns; do
			printf "value,metric\n${values//\\n/,$metric\\n},e\n" >input
			draws ddio input
			printf "value,time_ns\n${values//\\n/,1\\n},1e9\n" |
				sed "1s/\$/,metric/; 1!s/\$/,$metric/" >input
			draws ddio input
		done
	done
	for rows in 64,5 0,0 '64,0\n128,0' '64,5\n64,7' '64,1e300\n128,1' \
		'0,1\n1,2\n64,3' '64,-1\n128,2' '64,1\n18446744073709551615,2' \
		'64,1e-308\n128,2e-308' '1536,3'; do
		printf "size_bytes,median_gbit_s\n$rows\n" >input
		draws bw input
		sed '1s/gbit_s/ns/' input >latency
		draws lat latency
		sed '1s/size/window/' latency >windows
		draws window windows
		draws heat windows
		draws scatter --x size_bytes latency
		sed '1s/median_ns/latency_ns/' latency >samples
		draws lat samples
	done
}

@test "an empty group is none" {
	for kind in cdf ccdf hist box scatter lat window heat; do
		given 'a,size_bytes,window_bytes,latency_ns,count\nx,64,64,1,0\ny,64,64,2,1\n' \
			$kind -P
		[ "$status" = 0 ]
		[ "$stderr" = "" ]
		[[ "$output" != *"'a x'"* ]]
		draws $kind input
	done
}

@test "two hundred curves" {
	awk 'BEGIN {
		print "a,size_bytes,latency_ns,median_gbit_s,model_gbit_s"
		for (i = 1; i <= 200; i++)
			for (k = 64; k < 1024; k *= 2)
				print i "," k "," 500 + i + k "," k / i "," k
	}' >input
	cut -d, -f1,3 input >samples
	draws cdf samples
	[[ $drawn == *'a 1 '*' more'* ]]
	draws bw input
	points bw input
	# The model is the same for all; the last says how many more.
	[ "$(wc -w <<<"$points")" = 202 ]
	cut -d, -f1-3 input >sizes
	sed '1s/latency_ns/diff_ns/' sizes >found
	awk -F, -v OFS=, 'NR == 1 { print "device,parent,parent_ns,latency_ns" }
		NR > 1 { print "d" NR, "d" int(NR / 2), 5, $3 }' sizes >tree
	awk -F, -v OFS=, 'NR == 1 { print "part,time_ns,value,metric" }
		NR > 1 { print $1, $2, $3, "a_gbit_s"; print $1, $2, $3, "b" }' \
		sizes >intervals
	cut -d, -f1,3,4 intervals | sed '2~5!{1!d}' >parts
	awk -F, -v OFS=, '{ print $1, $2, $2, $3 }' sizes |
		sed '1s/size_bytes/window_bytes/' | cut -d, -f1,2,4 >window
	while read -r kind file; do
		draws "$kind" "$file"
		for size in 300x200 300x5000 5000x200; do
			pcb-plot "$kind" --size $size "$file" |
				gnuplot >/dev/null 2>said
			[ ! -s said ] || { echo "$kind" && return 1; }
		done
		pcb-plot "$kind" -T dumb --size 40x12 "$file" |
			gnuplot >/dev/null 2>said
		[ ! -s said ] || { echo "$kind" && return 1; }
	done <<-EOF
	cdf samples
	ccdf samples
	hist samples
	box samples
	scatter samples
	bw input
	lat sizes
	window window
	heat sizes
	diff found
	tree tree
	ddio intervals
	ddio parts
	EOF
	# All of them have a row, and a name as far as there is room.
	draws box samples
	[[ $drawn == *' a 1 '*' a 200 '* ]]
}

@test "a header alone gives an empty picture" {
	for kind in "${all_kinds[@]}"; do
		given "kind,$of_all\n" "$kind" -T dumb
		[ "$status" = 0 ]
		[ "$stderr" = "pcb-plot: -: a header, but no rows" ]
		[[ $kind != lat || "$output" == *"'latency (ns)'"* ]]
		command -v gnuplot >/dev/null || continue
		run --separate-stderr gnuplot <<<"$output"
		[[ "$output" == *"no data"* ]]
		[ "$stderr" = "" ]
	done
}

@test "rows without a value are skipped and counted" {
	given 'latency_ns,a\n1,x\n,x\n,y\n3,x\n' cdf -P
	[ "$status" = 0 ]
	[ "$stderr" = "pcb-plot: 2 rows without latency_ns were skipped" ]
	[[ "$output" == *'$curve1'* && "$output" != *'$curve2'* ]]
	given 'size_bytes,median_gbit_s\n,1\n64,2\n' bw -P
	[ "$stderr" = "pcb-plot: 1 row without a size or a bandwidth was skipped" ]
}

# Texts that would do harm, or come out wrong, if gnuplot read them as its own.
nasty=("it's" "''" '"quoted"' 'back\slash\' '`touch harm`' '$(touch harm)'
	'@a @title' 'a_b^c{d}' EOD $'EOD\nplot x' '#not' 'µé漢'
	'<b>&amp;</b>' '%d %s %' '$curve1 << EOD' "'; system('touch harm'); '"
	$'\t\e[31m' $'\xff\xc3' $'\uffff' '}{' '\\n')

# harmless KIND ARGUMENT...: the rows of that kind in `input` are drawn, and
# gnuplot says nothing and does nothing else.
harmless() {
	case $1 in
	bw | nic) wanted=median_gbit_s ;;
	diff) wanted=diff_ns ;;
	ddio) wanted=value ;;
	*) wanted=latency_ns ;;
	esac
	[ "$1" != heat ] ||
		sed -i '1s/window_bytes/c_ns/; 1s/frame_bytes/f_ns/; 1s/device/d_ns/; 1s/metric/m_ns/' \
			input
	sed -E "1s/(latency_ns|median_gbit_s|diff_ns)/\1x/g
		1s/${wanted}x/$wanted/; 1s/([a-z]_)(ns|gbit_s)x/other_\1\2/g" \
		input >rows
	pcb-plot "$@" rows >script
	gnuplot script >drawing 2>said
	[ ! -s said ] && [ -s drawing ] && [ ! -e harm ] && return
	cat said script
	return 1
}

@test "no text from outside is executed or lost" {
	# Of UTF-8 in a script, gnuplot complains in the C locale.
	export LC_ALL=C.UTF-8
	for kind in "${all_kinds[@]}"; do
		# Each as all that is constant, and the title.
		for text in "${nasty[@]}"; do
			rows_of_all "$text" >input
			harmless "$kind" -T svg --title "$text"
		done
		# All of them as names, and in the name of a column.
		rows_of_all "${nasty[@]}" | sed '1s/^a,/b`@,/' >input
		harmless "$kind" -T svg
		harmless "$kind" -T dumb
	done
	[ ! -e harm ]
	printf 'a,latency_ns\n"it'"'"'s `x` @y a_b^{c} %%d \\ EOD",1\nz,2\n' \
		>input
	draws cdf input
	shows "a it's \`x\` @y a_b^{c} %d \\ EOD"
	printf 'a,latency_ns\n"EOD\nEOD",1\nz,2\n' >input
	draws cdf input
	shows 'a EOD?EOD'
}

@test "the preamble becomes comments, and harmless" {
	given '# pcb-csv: 1\n# host: rack7\n# a: `touch harm` @b \\\n# c`: }{"\n# command: pcb-collect lat_rd\nlatency_ns\n1\n# end: rows=1 complete=no\n' \
		cdf --title "a'b"
	[ "$status" = 0 ]
	[ "${lines[0]}" = '# host: rack7' ]
	[ "${lines[1]}" = '# a: ?touch harm? ?b ?' ]
	[ "${lines[2]}" = '# c?: }{"' ]
	[ "${lines[3]}" = "# command: pcb-collect lat_rd | pcb-plot cdf --title 'a'?''b'" ]
	[ "${lines[4]}" = '# complete: no' ]
	[[ "${lines[5]}" != '#'* ]]
	[ "$stderr" = "pcb-plot: -: the collection was stopped before its end" ]
	if command -v gnuplot >/dev/null; then
		run --separate-stderr gnuplot <<<"$output"
		[ "$stderr" = "" ]
	fi
	[ ! -e harm ]
	given '# pcb-csv: 1\n# host: rack7\nlatency_ns\n1\n# end: rows=1 complete=yes\n' \
		cdf --no-preamble
	[[ "$output" != *'#'*'reset'* ]]
}

@test "-o, --size and --title" {
	given 'latency_ns\n1\n2\n' cdf -P -o out.svg --size 400x300 --title 'A b'
	[[ "$output" == *" size 400,300 "*"set output 'out.svg'
set title 'A b' "* ]]
	given 'latency_ns\n1\n2\n' cdf -P -T pdf --size 960x480
	[[ "$output" == *" size 10.00in,5.00in "* ]]
	given 'latency_ns\n1\n2\n' cdf -P -o -
	[[ "$output" != *"set output"* ]]
	command -v gnuplot >/dev/null || skip "gnuplot is not installed"
	mkdir out
	cd out
	for name in "it's" '|touch harm' '~x' '`touch harm`' 'a\' '@b' 'c"d'; do
		printf 'latency_ns\n1\n2\n' | pcb-plot cdf -o "$name" | gnuplot
		grep -q '</svg>' "$name"
		rm "$name"
	done
	[ -z "$(ls)" ]
}

@test "text fits a terminal of 80 columns" {
	pcb-collect -d sim lat_rd -n 1000 -s 64,512 --cache cold,host-warm \
		-l driver=a_very_long_name_of_a_driver_indeed_it_is_quite_long |
		pcb-plot cdf -T dumb >script
	command -v gnuplot >/dev/null || skip "gnuplot is not installed"
	gnuplot script | tr -d '\f' >drawn
	[ "$(wc -l <drawn)" -le 24 ]
	[ "$(awk 'length > most { most = length } END { print most }' drawn)" \
		-lt 80 ]
}

@test "files are operands, - is stdin" {
	printf 'a,latency_ns\nx,1\n' >one
	printf 'a,latency_ns\ny,1\n' >two
	run --separate-stderr pcb-plot cdf -P one - two <<<$'a,latency_ns\nz,1'
	[ "$status" = 0 ]
	[[ "$output" == *"'a x'"*"'a z'"*"'a y'"* ]]
	run --separate-stderr pcb-plot cdf one none
	[ "$status" = 2 ]
	[ "$output" = "" ]
	[ "$stderr" = "pcb-plot: none: No such file or directory" ]
}

@test "output that is lost is an error" {
	for options in cdf --help; do
		run --separate-stderr bash -c \
			'pcb-plot "$1" <<<$'"'latency_ns\n1'"' >/dev/full' - \
			$options
		[ "$status" = 2 ]
		[ "$stderr" = "pcb-plot: stdout: No space left on device" ]
	done
}

@test "a reader that goes away ends it quietly" {
	awk 'BEGIN {
		print "a,latency_ns"
		for (i = 0; i < 20000; i++)
			print i ",1"
	}' >input
	run --separate-stderr bash -c '
		pcb-plot cdf input | head -n 1
		exit "${PIPESTATUS[0]}"'
	[ "$status" = 141 ]
	[ "$stderr" = "" ]
}
