#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Pictures against a size: lat, bw, window and nic.
# shellcheck disable=SC2094

load helpers
load plot

@test "nic: what is needed" {
	refuses 'size_bytes,bandwidth_gbit_s\n64,1\n' \
		"standard input: no column 'frame_bytes': there are size_bytes, bandwidth_gbit_s" \
		nic
	refuses 'frame_bytes,latency_ns\n64,1\n' \
		"standard input: no column 'median_gbit_s', which pcb-stats writes: \
there are frame_bytes, latency_ns" \
		nic
	refuses 'frame_bytes,bandwidth_gbit_s,ethernet_gbit_s\n64,1,y\n' \
		"standard input:2: ethernet_gbit_s: 'y': not a number" nic
}

@test "nic: a line for each device and each Ethernet" {
	header=kind,bench,interaction,frame_bytes,bandwidth_gbit_s
	header+=,ethernet,ethernet_gbit_s
	scripts "$header\n\
model,nic,a,512,30,40G,38\nmodel,nic,a,64,10,40G,28\n\
model,nic,b,64,20,40G,28\nmodel,nic,b,1024,45,40G,39\n\
measured,nic,b,64,15,,\n\
model,nic,a,64,10,25G,18\nmodel,nic,a,512,30,25G,24\n" nic -P
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
	shows 'Throughput' 'throughput (Gbit/s)' 'frame size (bytes)' \
		'model, a' 'model, b' 'measured, b' 'Ethernet 40G' 'Ethernet 25G'
}

@test "curves that coincide are named" {
	local rows='kind,bench,host,size_bytes,median_gbit_s\n' host

	for host in a b c; do
		rows+="measured,bw_rd,$host,64,10\nmeasured,bw_rd,$host,128,20.01\n"
	done
	rows+='measured,bw_rd,d,64,10\nmeasured,bw_rd,d,128,19\n'
	printf %b "$rows" >input
	draws bw input
	shows 'host a coincides with host b, and 1 more'
	grep -v ,b, input | grep -v ,c, >apart
	try pcb-plot bw apart
	[[ $output != *coincides* ]]
}

@test "nic: lines are solid while there are colours" {
	{
		echo kind,interaction,frame_bytes,bandwidth_gbit_s
		for i in 1 2 3 4 5 6 7 8 9; do
			echo "model,d$i,64,$i"
			echo "model,d$i,512,$((2 * i))"
		done
	} >input
	dashes=$(pcb-plot nic -P input | sed -n 's/.*dashtype \([0-9]\).*/\1/p')
	[ "$(xargs <<<"$dashes")" = '1 1 1 1 1 1 1 1 2' ]
	draws nic input
	shows 'd1' 'd7' 'Throughput (model)'
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
	shows 'Read bandwidth (simulated)' 'transfer size (bytes)' 2048
	[[ $drawn == *'A** cache cold'* && $drawn == *'$ model'* ]]
	[ "$points" = "6 6 6" ]
	grep -q "^set logscale x 2$" script
	grep -q "^set yrange \[0:" script
	# Two links, two models; each with its sweep.
	sed 's/gen3x8,host-warm/gen4x8,host-warm/' input >links
	draws bw links
	# The link is not named, as the cache tells its curves apart.
	shows 'model, cache cold' 'model, cache host-warm'
	[ "$points" = "6 6 6 6" ]
	# One link, and a model that depends on something else.
	awk -F, -v OFS=, '/host-warm/ { $7 = $7 - 1 } { print }' input >other
	draws bw other
	shows 'model, cache host-warm'
}

@test "bw: the limit of the link and pcie-bench's line have names of their own" {
	local high how

	pcb-collect bw_rd -d sim -s 64:2048 -n 500 --cache cold,host-warm |
		pcb-stats >statistics
	for how in traffic pcie-bench; do
		pcb-model --join --accounting $how statistics >$how
	done
	draws bw traffic
	shows 'limit of the link'
	[[ $drawn != *' model'$'\n'* && $drawn != *pcie-bench* ]]
	# Nothing crosses it.
	column median_gbit_s <traffic >median
	high=$(column model_gbit_s <traffic | paste -d ' ' - median |
		awk '$2 > $1' | wc -l)
	[ "$(wc -l <median)" -gt 10 ]
	[ "$high" = 0 ]
	draws bw pcie-bench
	shows pcie-bench
	[[ $drawn != *'limit of the link'* ]]
	# Both in one picture are two lines, although they agree.
	cat >input <<-'EOF'
	size_bytes,median_gbit_s,model_accounting,model_gbit_s
	64,9,traffic,10
	64,9,pcie-bench,10
	128,9,traffic,11
	128,9,pcie-bench,11
	EOF
	[ "$(pcb-plot bw input | grep -c 'with lines ')" = 2 ]
	draws bw input
	shows 'limit of the link' pcie-bench
}

@test "bw: from pcb-stats, from pcb-collect, from anything" {
	pcb-collect -d sim bw_rdwr -n 1000 -s 64:512 >samples
	draws bw samples
	shows 'Read and write bandwidth (simulated)' 'bandwidth each way (Gbit/s)'
	[ "$points" = 4 ]
	pcb-stats samples >stats
	draws bw stats
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

	scripts "$header\n128,12,15,20\n64,10,11,14\n" lat -P
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
	draws lat input
	[ "$points" = 2 ]
}

@test "bands are drawn as long as they can be told apart" {
	awk 'BEGIN {
		print "a,size_bytes,min_ns,median_ns,p95_ns"
		for (i = 1; i <= 7; i++)
			print i ",64," 10 * i "," 10 * i + 2 "," 10 * i + 3
	}' >input
	head -n 7 input >six
	draws lat six
	[ "$points" = "2 2 2 2 2 2 1 1 1 1 1 1" ]
	draws lat input
	[ "$points" = "1 1 1 1 1 1 1" ]
	[[ "$(<script)" != *median* ]]
}

@test "lat: percentiles; bw: what limits; share; load" {
	printf 'size_bytes,median_ns,p99_ns,p99_9_ns\n64,5,8,9\n128,6,7,11\n' >input
	draws lat input
	shows p99 p99.9
	[ "$points" = "2 2 2" ]
	[[ $(<script) == *$'\n64 9\n128 11\n'* ]]
	# Percentiles differ in dashes and points.
	[ "$(sed -n 's/.*dashtype \([2-9]\).*pointtype \([0-9]*\).*/\1 \2/p' script |
		sort -u | wc -l)" = 2 ]
	pcb-collect -q bw_rd -d sim -s 64:512 -n 500 | pcb-stats |
		pcb-model --join --inflight 8 --rtt 500ns >reads
	draws bw reads
	[[ $drawn == *'limited by outstanding reads, from 512 bytes on by the link'* ]]
	draws share reads
	shows 'limit of the link and outstanding reads'
	[[ $drawn == *'up to 443 % of the limit: --inflight or --rtt is too low;'* ]]
	# Bandwidth may fall as the load rises: in the order of rows.
	printf 'inject_delay,mean_ns,bandwidth_gbit_s\n9,120,5\n2,190,44\n0,250,43\n' \
		>input
	draws load input
	shows 'bandwidth (Gbit/s)' 'mean latency (ns)'
	[[ $(<script) == *$'\n5 120\n44 190\n43 250\n'* ]]
	# A row without a value interrupts the line.
	printf 'size_bytes,median_ns\n64,5\n128,\n256,7\n' >input
	[[ $(pcb-plot lat input 2>said) == *$'\n64 5\n\n256 7\n'*  ]]
	# So does the band: two areas.
	printf 'size_bytes,median_ns,p5_ns,p95_ns\n%s' '' >input
	printf '%s\n' 64,5,4,6 128,6,5,7 256,,, 512,7,6,8 1024,8,7,9 >>input
	[[ $(pcb-plot lat input 2>said) == *$'\n64 4\n128 5\n128 7\n64 6\n\n512 6\n1024 7\n1024 9\n512 8\n'* ]]
	# A column without a value draws nothing.
	printf 'inject_delay,median_ns,bandwidth_gbit_s\n1,,5\n2,,6\n' >input
	draws load input
	shows 'no data' 'gaps: 2 rows without a value'
	# A size of 0 does not make the axis linear.
	printf 'size_bytes,bandwidth_gbit_s\n0,0\n64,1\n128,2\n1024,3\n' >input
	draws bw input
	shows 'left out: 1 row of size 0'
	grep -q '^set logscale x 2$' script
	# Imported means.
	printf 'size_bytes,mean_ns\n64,5\n128,6\n' >input
	draws lat input
	shows 'mean latency (ns)'
	# Ten ticks of the clock.
	printf '# pcb-csv: 1\n# clock_tick_ns: 4\nsize_bytes,median_ns\n64,704\n128,708\n' >input
	[[ $(pcb-plot lat input) == *'set yrange [684.8:727.2]'* ]]
}
