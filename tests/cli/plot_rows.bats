#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Pictures of rows or panels: change, heat, tree, fleet and ddio.

load helpers
load plot

@test "change: before, after, interval and difference" {
	local header=size_bytes,base,cache,base_ns,other_ns,diff_ns,diff_lo_ns
	local rows="$header,diff_hi_ns,ratio_pct,differs,runs\\n"

	rows+='64,a,b,500,570,70,60,75,114,yes,5\n'
	rows+='128,a,b,500,498,-2,-9,8,99.6,no,5\n'
	rows+='256,a,b,500,510,10,,,102,unclear,1\n'
	scripts "$rows" change -P
	# Each has its difference, right of all marks.
	[[ "$output" == *"label '+70 ns' at 575, 1 "*"label '-2 ns' at 508, 2 "* ]]
	# Intervals, the bases, what differs, what is not shown to.
	[[ "$output" == *$'\n560 1\n575 1\n\n560 0.85\n560 1.15\n\n'*$'\n491 2\n508 2\n'*$'
500 1\n500 2\n500 3\nEOD'*$'\n570 1\nEOD'*$'\n498 2\n510 3\nEOD'* ]]
	draws change input
	shows 'size 64 B' 'size 256 B' a other 'other: not shown to differ' \
		'confidence interval' '+70 ns' 'cache b' 'latency (ns)'
	[ "$points" = "8 17 3 1 2" ]
	# The point is where the difference is, which may have another sign than
	# that of the medians; a condition of one run is not shown to differ.
	scripts 'a,cache,by,base,base_ns,other_ns,diff_ns,differs,runs\nx,warm,cache,cold,500,510,-20,unclear,1\n' \
		change -P
	[[ $output == *$'\n480 1\nEOD'* && $output == *"label '-20 ns' at 500, 1 "* ]]
	[[ $output == *"'cache warm (one run: no interval)'"* ]]
	refuses 'size_bytes,base_ns\n64,1\n' \
		"standard input: no column 'other_ns': there are size_bytes, base_ns" \
		change
	refuses 'base_ns,base_gbit_s,other_ns,other_gbit_s\n1,,1,\n,1,,1\n' \
		"standard input:3: other_gbit_s: a plot shows one unit, and other_ns came first" \
		change
	# One result does not flatten the others.
	scripts 'nic,base_ns,other_ns\na,500,510\nb,500,490\nc,500,500000\n' \
		change -P
	[[ "$output" == *$'\nset logscale x 10\n'* ]]
}

@test "heat: a cell for each pair, shades and their scale" {
	given 'size_bytes,cache,median_ns\n128,cold,700\n64,cold,612\n64,warm,\n128,warm,849\n' \
		heat -P
	[ "$status" = 0 ]
	[ "$stderr" = "pcb-plot: 1 row without a measure was skipped" ]
	[[ "$output" == *"label 'cache cold' at screen 0, first 1 "* ]]
	[[ "$output" == *"set xtics nomirror out ('64' 1, '128' 2)"* ]]
	[[ "$output" == *"label '612' at 1, 1 center front"* ]]
	[[ "$output" == *"label '849' at 2, 2 center front textcolor"* ]]
	[[ "$output" == *$'\nset cbrange [612:849]\nset cbtics 50\n'"set cblabel 'ns'"* ]]
	[[ "$output" == *$'\n1 1 700\n'* || "$output" == *$'\n2 1 700\n'* ]]
	sed -i '/warm,$/d' input
	draws heat input
	[ "$points" = 3 ]
	# Samples: the median of a cell; one column: one row.
	given 'size_bytes,latency_ns,count\n64,5,2\n64,9,1\n128,7,1\n' heat -P
	[[ "$output" == *"label '5' at 1, 1 "*"label '7' at 2, 1 "* ]]
	# Far apart, equal shades are equal factors; of one value the lightest.
	given 'size_bytes,cache,median_ns\n1,a,1\n2,a,50\n1,b,10\n2,b,20\n' heat -P
	[[ "$output" == *"set logscale cb"$'\n'"set cbrange [1:50]"* ]]
	given 'size_bytes,cache,median_ns\n1,a,5\n2,a,5\n1,b,5\n2,b,5\n' heat -P
	[[ "$output" == *"set cbrange [5:5.5]"* && "$output" != *"front textcolor"* ]]
	# gnuplot reads names of tics as formats.
	scripts 'a,b,median_ns\nx,50%%,7\nx,%%s%%d,8\ny,50%%,9\n' heat -P
	draws heat input
	shows 50% %s%d
	# Numbers have the digits that fit.
	awk 'BEGIN {
		print "a_bytes,b,median_ns"
		for (i = 1; i <= 14; i++)
			print i ",x," 36 + i / 97 "\n" i ",y,5"
	}' >input
	pcb-plot heat input | grep -q "label '36.1' at"
	refuses 'a,b,c,median_ns\nx,1,x,1\ny,2,y,2\n' \
		'a map has two axes, and 3 columns vary: a, b, c; pcb-stats -g leaves columns out' \
		heat
	refuses 'a\n1\n' "standard input: no column 'median_ns', which pcb-stats writes: \
there are a" heat
}

@test "matrix: ordered by the tree, the diagonal apart, islands framed" {
	printf 'node %s\n' 'r0 - -' 's0 r0 gen5x16' 'r1 - -' 's1 r1 gen5x16' \
		'g0 s0 gen5x16' 'g1 s1 gen5x16' 'g2 s0 gen5x16' >topology
	echo link r0 r1 xgmi >>topology
	awk 'BEGIN {
		print "from,to,bandwidth_gbit_s"
		for (i = 0; i < 3; i++)
			for (k = 0; k < 3; k++)
				print "g" i ",g" k "," (i == k ? 4000 : 300 + 10 * i + k)
	}' | pcb-model flows --join --topology topology >matrix 2>said
	draws matrix matrix
	# All have one bound, which needs no panel.
	shows 'from g0' 'to: bandwidth' 'to: share of the bound' \
		'bound: 459.68 Gbit/s; framed: below one switch' 302
	[[ $drawn != *'to: bound'* ]]
	awk -F, -v OFS=, '/^from/ { for (i = 1; i <= NF; i++) if ($i == "model_gbit_s") at = i }
		/^g0/ && $at { $at /= 2 } { print }' matrix >bounds
	draws matrix bounds
	shows 'to: bandwidth' 'to: bound'
	draws matrix matrix
	# g0 and g2 share a switch; the diagonal has no bound and no shade.
	[[ $(<script) == *"('g0' 1, 'g2' 2, 'g1' 3)"* ]]
	[[ $(<script) == *$'\n2 1 302\n'* && $(<script) == *$'\n1 2 320\n'* ]]
	[[ $(<script) == *$'\n0.5 0.5\n2.5 0.5\n2.5 2.5\n0.5 2.5\n0.5 0.5\n'* ]]
	[[ $(<script) == *'set cbrange [301:'* && $(<script) != *':4000]'* ]]
	# Totals of pcb-model flows are no cells; two tests have panels each.
	pcb-model flows --topology topology --all-pairs >rates 2>said
	pcb-plot matrix rates | grep -q "('g0' 1, 'g1' 2, 'g2' 3)"
	run ! grep -q total <(pcb-plot matrix -P rates)
	printf 'bench,from,to,bandwidth_gbit_s\nx,a,b,1\ny,a,b,2\n' >input
	draws matrix input
	shows 'to: bandwidth, x' 'to: bandwidth, y'
}

@test "matrix: ends, order, latencies of any program" {
	# Rows of another unit are left out; gpu2 is before gpu10.
	printf '%s\n' cpu_node,node,mean_ns,bandwidth_gbit_s 0,1,140, 1,0,130, \
		0,0,80, 1,0,,500 >input
	pcb-plot matrix input >script 2>said
	[[ $(<script) == *$'\n2 1 140\n1 2 130\n'* &&
		$(<script) != *' 500'$'\n'* ]]
	[[ $(<script) == *"'to: mean latency'"* ]]
	[[ $(<said) == *'1 row without a bandwidth or a latency was skipped' ]]
	printf 'source,destination,bandwidth_gbit_s\ngpu10,gpu2,7\ngpu2,gpu1,9\n' >input
	draws matrix input
	[[ $(<script) == *"('gpu1' 1, 'gpu2' 2, 'gpu10' 3)"* ]]
	# What all names begin with is left out if they do not fit.
	awk 'BEGIN {
		print "device,peer,bandwidth_gbit_s"
		for (i = 0; i < 32; i++)
			print "gpu" i ",gpu" (i + 1) % 32 "," i + 1
	}' >input
	[[ $(pcb-plot matrix input) == *"('0' 1, '1' 2, "* ]]
	refuses 'size_bytes,bandwidth_gbit_s\n64,1\n' \
		"standard input: no column 'from': there are size_bytes, bandwidth_gbit_s" \
		matrix
	refuses 'device,peer,bandwidth_gbit_s\na,,1\n' \
		'standard input: no row has both ends, such as device and peer' matrix
}

@test "reference: public results, the bound, and yours" {
	pcb-model reference -a --for gpu gen4x16 >public
	printf 'kind,initiator,bench,link,model_ratio_pct\nmeasured,gpu-copy,bw_rd,gen4x16,77\n' \
		>mine
	draws reference --merge public mine
	shows 'read by gpu-copy, gen4' 'a public result' bound yours \
		'% of the bound of the link'
	[[ $(<script) == *$'\n77 '* ]]
	# Every public result has a point.
	n=$(grep -c ^published public)
	[ "${points##* }" = 1 ]
	[ "$(cut -d ' ' -f 2 <<<"$points")" = "$n" ]
}

@test "tree: what a machine's links lose" {
	printf 'node %s\n' 'r - -' 's r gen4x8' 'g0 s gen4x16' 'g1 s gen4x8' >topology
	pcb-model tree --topology topology -f csv >machine
	draws tree machine
	# 230 and 115 Gbit/s share 115.
	shows '114.9 Gbit/s, 66.7 % lost of 344.8' '229.8 Gbit/s' \
		'less than a single device below it' 'carries all that is below it'
}

# A root, a switch below it, and a root whose device has no link.
tree='host,kind,bench,device,link,parent,parent_ns,device_ns,latency_ns,'
tree+='latency_lo_ns,latency_hi_ns\n'
tree+='a,virtual,lat_cfg,03:00.0,gen3x4/mps256,02:00.0,1200,2100,900,880,950\n'
tree+='a,virtual,lat_cfg,02:00.0,gen3x8/mps256,00:01.0,800,1200,400,,\n'
tree+='a,virtual,lat_cfg,05:01.0,,00:1c.0,700,2500,1800,,\n'

@test "tree: each device below its bridge, behind the way there" {
	scripts "$tree" tree -P
	names=$(sed -n "s/^set label '\(.*\)' at screen 0, first .*/\1/p" \
		<<<"$output")
	[ "$names" = '00:01.0
   02:00.0 gen3x8
      03:00.0 gen3x4
00:1c.0
   05:01.0' ]
	[[ "$output" == *"label '+900 ns' at 2150, 3 "* ]]
	[[ "$output" == *"label '800 ns' at 800, 1 "* ]]
	# The path ends where the link begins.
	[[ "$output" == *'
0 2.7
1200 2.7
1200 3.3
0 3.3
'*'
1200 2.7
2100 2.7
2100 3.3
1200 3.3
'*'
2080 3
2150 3
'* ]]
	draws tree input
	shows 'Configuration read latency along the path (virtual)' '   02:00.0 gen3x8' \
		'the way there' 'this link and its device' '+1800 ns'
	[ "$points" = "24 14 2" ]
	# Two hosts, two trees.
	sed '1!s/^a,/b,/' input >both
	tail -n +2 <(printf "$tree") >>both
	pcb-plot tree both >script
	grep -qF "label 'host b: 00:01.0'" script
	grep -qF "label 'host a: 00:1c.0'" script
	# A parallel bus with its clock; devsel does not separate trees.
	given 'device,parent,link,devsel,parent_ns,latency_ns\nb,a,gen1x8/mps128,,1,2\nc,b,pcix64/133,slow,3,4\n' \
		tree -P
	[[ "$output" == *"label '   b gen1x8'"*"label '      c pcix64/133'"* ]]
	refuses 'device,parent,latency_ns\na,b,1\n' \
		"standard input: no column 'parent_ns': there are device, parent, latency_ns" \
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
		'pale: has flags' 'confidence interval'
	# A bridge, a pale one, an endpoint on top, a pale one; and the wire.
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
	# No flags in the picture if there are none.
	cut -d, -f1-7 links | sed '/^#/d' >input
	pcb-plot tree input >script
	[[ "$(<script)" == *"'this link and its device'"* ]]
	[[ "$(<script)" != *pale* ]]
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
	[ "$points" = "11 1598 2" ] || show "$points"
	# Hosts within the tolerance have no name.
	pcb-plot fleet --tolerance 100 input >script
	run ! grep -q 'node[0-9]' script
	# Some are named, the rest is counted; rows of a host are one point.
	scripts 'host,run,median_ns\na,1,1\nb,1,1\nc,1,1\nd,1,1\ne,1,1\nf,1,9\ng,1,8\nh,1,7\ni,1,6\nj,1,1\nk,1,1\n' \
		fleet -P
	[[ "$output" == *"'f +800 %' at 800, 2 "*"'g +700 %' at 700, 3 "*"'h +600 %, 1 more' at 600, 4 "* ]]
	# A low one has its name there, too, without the domain of all.
	scripts 'host,median_gbit_s\na.x.org,10\nb.x.org,10\nc.y.x.org,5\n' \
		fleet -P
	[[ "$output" == *"'c.y -50 %' at -50, 2 "* ]]
	wrong "--tolerance 'x': not a percentage such as 5" fleet --tolerance x
	wrong '--tolerance is for fleet, not for lat' lat --tolerance 3
	refuses 'nic,median_ns\na,1\n' \
		"standard input: no column 'host': there are nic, median_ns" fleet
}

# Three conditions; the third lacks the metrics of the second panel.
table7="$TOP/experiments/ddio/iperf.csv"

@test "ddio: a panel for each unit, a bar for each condition" {
	# Counts of different times may give any percentage.
	pcb-ddio -t 1s "$table7" |
		sed 's/l3,,inconsistent/l3,1610,ungrouped/' >metrics
	draws ddio metrics
	shows 'I/O and cache (published)' 'bandwidth (Gbit/s)' 'misses (%)' \
		'inbound read bandwidth, part 0' 'inbound full writes that miss l3' \
		'queues 8096 entries' 'queues 2048 entries' \
		'queues 2048 non-allocating' \
		375.3 '88.26 inconsistent' 49.93 '1610 ungrouped'
	[[ $drawn == *'pale: has flags, over 100 %: cut off'* ]]
	# Four corners and a gap per bar: two for each condition; then one, and
	# two paler ones for the two conditions with flags.
	[ "$points" = "9 9 9 | 4 9 4 9 | 100 100 100" ] || show "$points"
	# Values above 100 % end there.
	grep -qx '100 7.7' script
	run ! grep -q '^1610 ' script
	# One condition needs no legend.
	grep -e '^kind' -e ',2048 entries,' metrics >one
	draws ddio one
	[[ $drawn == *'queues 2048 entries'* ]]
	[[ "$(<script)" != *$'\nset key'* ]]
}

@test "ddio: intervals are lines in time, flags are rings" {
	local names=run,kind,bench,socket,unit,part,metric,time_ns,value,flags

	scripts "$names\n\
1,virtual,ddio,0,iio1,0,io_inbound_read_bandwidth_gbit_s,2e9,7,scaled\n\
1,virtual,ddio,0,iio1,0,io_inbound_read_bandwidth_gbit_s,1e9,5,\n\
1,virtual,ddio,0,iio1,4,io_inbound_read_bandwidth_gbit_s,1e9,0,\n\
1,virtual,ddio,0,iio1,4,io_inbound_read_bandwidth_gbit_s,2e9,0,\n\
1,virtual,ddio,0,,,io_percent_of_inbound_reads_that_miss_l3,1e9,30,\n\
1,virtual,ddio,0,,,io_percent_of_inbound_reads_that_miss_l3,2e9,130,\n" \
		ddio -P
	[[ "$output" == *'
0 5
1000000000 5
1000000000 7
2000000000 7
EOD
$curve2 << EOD
2000000000 7
EOD
plot '*' pointtype 6 '*'
0 30
1000000000 30
1000000000 130
2000000000 130
EOD
'* ]]
	draws ddio input
	shows 'I/O and cache (virtual)' 'bandwidth (Gbit/s)' 'misses (%)' \
		'time (ms)' 'inbound read bandwidth, unit iio1, part 0' \
		'inbound reads that miss l3' 'with flags'
	[[ $drawn == *'over 100 %: cut off, left out: 1 that is 0'* ]]
	[ "$points" = "4 1 | 4 100 | 100 100 100" ] || show "$points"
	# The name of a single line is above it.
	grep -e '^run' -e '^1.*,0,io_in' input | sed '/,0,$/d' >single
	draws ddio single
	shows 'inbound read bandwidth'
	# Each of several runs is a line; statistics over time are bars.
	sed 's/^1,/2,/; 1d' input >run2
	cat input run2 >both
	draws ddio both
	[ "$points" = "4 4 2 | 4 4 100 | 100 100 100 100 100" ] ||
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
	# A rate of 0 is dropped if others are not 0; a share of 0 is a result.
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
	refuses 'metric,value\nx,a\n' "standard input:2: value: 'a': not a number" ddio
	refuses 'metric,latency_ns\nx,1\n' \
		"standard input: no column 'value': there are metric, latency_ns" ddio
	refuses 'event,value\nx,1\n' \
		"standard input: no column 'metric', which pcb-ddio writes: \
there are event, value" ddio
}

@test "ddio: what perf counts here" {
	perf stat -x, -I 20 -a -e \
		'{software/config=0,name=unc_m_cas_count.rd/,software/config=1,name=unc_m_cas_count.wr/}' \
		-o counts sleep 0.1 2>/dev/null || skip "no perf here"
	pcb-ddio -x, counts >metrics
	draws ddio metrics
	shows 'I/O and cache' 'memory bandwidth total' 'time (ms)'
	[ "$(wc -w <<<"$points")" = 3 ]
}

@test "link: ports with news of their own, and the time of one run" {
	local columns=run,device,parent,end,what,time_ns,old_value,new_value

	# A device; empty slots, one with errors; later a port alone.
	printf '%s\n' $columns 1,p,,upper,gen,0,,4 1,d,p,lower,gen,0,,3 \
		1,d,p,lower,lanes,0,,8 1,{q,r},,upper,lanes,0,,0 \
		1,q,,upper,fatal.DLP,200,1,501 2,d,p,lower,gen,0,,2 \
		'# end: rows=7 complete=yes watched_ns=2000' >input
	draws link input
	grep -o "run [12]: .* at s\|label .* at [0-9]*, [0-9] left" script |
		diff - <(
			printf '%s at s\n' "run 1: d at p'" "run 1: q'" "run 2: d at p'"
			printf 'label %s at 1000, %d left\n' "'0 errors, gen3x8'" 1 \
				"'500 errors'" 2 "'0 errors'" 3)
	printf '%s\n' $columns 1,p,,upper,gen,0,,4 1,p,,upper,lanes,0,,8 \
		'# end: rows=2 complete=yes watched_ns=9' >input
	draws link input
	shows '0 errors, gen4x8'
}

@test "link: what is gone is drawn, also if it comes back" {
	printf '%s\n' device,parent,end,what,time_ns,old_value,new_value \
		b,a,lower,gen,0,,4 b,a,lower,lanes,0,,16 \
		b,a,lower,present,2e9,1,0 b,a,lower,present,5e9,0,1 \
		c,e,lower,gen,0,,3 c,e,lower,lanes,0,,8 \
		c,e,lower,present,6e9,1,0 c,e,lower,gen,8e9,3,3 >input
	draws link input
	shows gone '0 errors, gone, gen3x8'
	[ "$(sed -n '/curve3 << EOD/,/EOD$/p' script | grep -c '[0-9]')" = 5 ]
	grep -A 6 'curve3 << EOD' script | diff - <(printf '%s\n' \
		'$curve3 << EOD' '2000000000 1' '5000000000 1' '' \
		'6000000000 2' '8000000000 2' '')
}

@test "in a text, each row has a line, which is not the axis" {
	command -v gnuplot >/dev/null || skip "gnuplot is not installed"
	local n height note rows script drawn=()

	# Links with as many errors as their number.
	for n in 1 2 7 20 40; do
		for note in '' ,"$(printf 'word%.0s ' {1..30})"; do
			awk -v n=$n -v note="$note" 'BEGIN {
				print "device,parent,end,what,time_ns,old_value,new_value" (note ? ",note" : "")
				for (i = 1; i <= n; i++) {
					print "d" i ",p" i ",lower,gen,0,,4" note
					print "d" i ",p" i ",lower,lanes,0,,8" note
					print "d" i ",p" i ",lower,cor.X,9e8,0," i note
					print "d" i ",p" i ",lower,gen,1e9,4,4" note
				}
			}' >"links-$n${note:+-note}"
		done
	done
	for rows in links-*; do
		pcb-plot link -T dumb "$rows" >"$rows.0.gp"
		drawn+=("$rows.0")
		for height in {12..60..3}; do
			pcb-plot link -T dumb --geometry "80x$height" "$rows" \
				>"$rows.$height.gp" 2>said &&
				drawn+=("$rows.$height") ||
				grep -q 'takes a height of' said
		done
	done
	[ ${#drawn[@]} -gt 60 ]
	gnuplot_draws "${drawn[@]/%/.gp}"
	for script in "${drawn[@]}"; do
		n=${script#links-}
		n=${n%%[-.]*}
		# Name, strip, errors.
		[ "$(grep -cE '^ d([0-9]+) at p\1 *[|+] *[*#]{9,}.* \1 errors?, gen4x8' \
			"$script.drawn")" = "$n" ] || { cat "$script.drawn"; return 1; }
	done
	# Panels: each bar is before its number.
	for n in 1 2 3 5 8; do
		awk -v n=$n 'BEGIN {
			print "metric,part,value"
			for (i = 1; i <= n; i++)
				print "a_gbit_s," i "," i + 100 "\nb_per_s," i "," i + 200
		}' >metrics
		pcb-plot ddio -T dumb metrics | gnuplot >drawn
		[ "$(grep -cE '[|+] ?\*{9,} [12]0[1-8] ' drawn)" = $((2 * n)) ] ||
			{ cat drawn; return 1; }
		# The name of an axis has a line of its own.
		[ "$(grep -cE '^ *(bandwidth|requests) \([^()]*\) *$' drawn)" = 2 ]
	done
}
