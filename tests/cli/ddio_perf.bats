#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# pcb-ddio: counts printed by perf stat.
# shellcheck disable=SC2086

load helpers

tests pcb-ddio

# perf_gives LINES WANTED ARGUMENT...: without key columns, blanks as printed.
perf_gives() {
	printf -- "$1" >input
	try pcb-ddio -P "${@:3}" input
	is 0 "$2" ""
}

@test "perf stat -x of a whole machine" {
	printf '%s\n' "# started on Sat Nov 21 10:00:00 2026" "" \
		"30,,unc_cha_tor_inserts.io_miss_itom,1000,100.00,," \
		"40,,unc_cha_tor_inserts.io_itom,1000,100.00,," >input
	try pcb-ddio -P -x, input
	is 0 "run,kind,bench,socket,unit,part,metric,value,flags
1,measured,ddio,,,,io_percent_of_inbound_full_writes_that_miss_l3,75," ""
}

@test "perf stat -I: rates come from the times of the intervals" {
	perf_gives '     1.000000000;10032541573;;unc_iio_data_req_of_cpu.mem_read.part0;7000;100.00;;
     3.000000000;10032541573;;unc_iio_data_req_of_cpu.mem_read.part0;7000;100.00;;
' 'run,kind,bench,socket,unit,part,metric,time_ns,value,flags
1,measured,ddio,,,0,io_inbound_read_bandwidth_gbit_s,1000000000,321.041330336,
1,measured,ddio,,,0,io_inbound_read_bandwidth_gbit_s,3000000000,160.520665168,' \
		-x ';'
}

@test "perf stat --per-socket: so many units ran so long together" {
	perf_gives 'S0;2;1000;;unc_m_cas_count.rd;2000;100.00;;
S1;2;500;;unc_m_cas_count.rd;1000;50.00;;
' 'run,kind,bench,socket,unit,part,metric,value,flags
1,measured,ddio,0,,,memory_bandwidth_read_gbit_s,512,
1,measured,ddio,1,,,memory_bandwidth_read_gbit_s,256,scaled' --perf=';'
}

@test "perf stat -A, units of their own, tabs, names with commas" {
	perf_gives 'CPU0\t10\tMiB\tuncore_imc_0/cas_count_read/\t1000\t100.00\t\t
CPU0\t30\tMiB\tuncore_imc_1/cas_count_read/\t1000\t100.00\t\t
CPU32\t4\tBytes\tunc_iio_data_req_of_cpu.cmpd.part7 [uncore_iio_3]\t1000\t100.00\t\t
' 'run,kind,bench,socket,unit,part,metric,value,flags
1,measured,ddio,CPU0,,,memory_bandwidth_read_gbit_s,335544.32,
1,measured,ddio,CPU32,iio3,7,io_outbound_read_bandwidth_gbit_s,0.032,' -x '\t'
	perf_gives 'CPU0,5,,uncore_imc_0/cas_count_read,x=1/,1000,100.00,,
' 'run,kind,bench,socket,unit,part,metric,value,flags
1,measured,ddio,CPU0,,,memory_bandwidth_read_gbit_s,2.56,' -x ,
}

@test "perf stat: not counted, not supported, metrics of perf's own" {
	printf '%s\n' "<not counted>,,unc_m_cas_count.rd,0,0.00,," \
		"5,,unc_i_faf_inserts,1,0.00,," \
		"<not supported>,,unc_cha_tor_inserts.io_itom,0,100.00,," \
		"5,,unc_m_cas_count.wr ,10,100.00,," ",,,,,,1.5,GHz" \
		"7,,cycles,10,100.00,," >input
	try pcb-ddio -P -x, -t 10ns input
	is 0 "run,kind,bench,socket,unit,part,metric,value,flags
1,measured,ddio,,,,memory_bandwidth_write_gbit_s,256," \
		"pcb-ddio: 1 row of events that no metric uses, such as \
cycles, was skipped
pcb-ddio: counts left out, which this machine does not support: 1
pcb-ddio: metrics left out: a counter never ran: 3"
	try pcb-ddio -x, -t 10ns input
	[ "${lines[2]}" = "# command: pcb-ddio -x, -t 10ns input" ]
}

@test "perf stat -r: how much the runs vary is left out" {
	perf_gives 'S0;1;5;;unc_m_cas_count.rd;0.09%%;10;100.00;;
' 'run,kind,bench,socket,unit,part,metric,value,flags
1,measured,ddio,0,,,memory_bandwidth_read_gbit_s,256,' -x ';'
}

@test "what perf prints here is understood" {
	# Two clocks under other names: one event per nanosecond.
	events='{software/config=0,name=unc_m_cas_count.rd/,'
	events+='software/config=1,name=unc_m_cas_count.wr/}'
	perf stat -a -e "$events" true 2>/dev/null || skip "no perf here"
	for options in -I20 -A --per-socket --per-die --per-node "-A -I20" \
		"--per-socket -I20" "--per-socket -r2"; do
		for separator in ';' ','; do
			perf stat -x "$separator" -a $options -e "$events" \
				-o perf.out sleep 0.05
			try pcb-ddio -P -x "$separator" perf.out
			[ "$status" = 0 ] && [ "$stderr" = "" ] || show 0
			column value <<<"$output" | grep -q .
		done
	done
	perf stat -x, -a -A -e "$events" -o perf.out sleep 0.05
	pcb-ddio -P -x, perf.out >metrics
	awk -F, '/bandwidth_read/ && ($8 < 500 || $8 > 524) { exit 1 }' metrics
	[ "$(column flags <metrics | sort -u)" = "" ]
}

@test "each file of perf is a run" {
	printf 'S0,1,5,,unc_m_cas_count.rd,10,100.00,,\n' >a
	try pcb-ddio -P -x, a a
	[ "$(column run <<<"$output" | tr '\n' ' ')" = "1 2 " ]
}

@test "an event in two groups of perf counts once" {
	local header=run,kind,bench,socket,unit,part,metric
	local said='pcb-ddio: 1 count left out: their events were already counted, in another group'
	local row=unc_cha_tor_inserts.io

	printf '%s\n' "S0,8,30,,${row}_miss_itom,80,100.00,," \
		"S0,8,40,,${row}_itom,80,100.00,," \
		"S0,8,10,,${row}_hit_itom,80,100.00,," \
		"S0,8,44,,${row}_itom,80,100.00,," \
		"S1,8,80,,${row}_itom,80,100.00,," \
		"S1,8,20,,${row}_miss_itom,80,100.00,," >input
	row=measured,ddio,0,,,io_percent_of_inbound_full_writes_that_miss_l3
	try pcb-ddio -P -x, input
	is 0 "$header,value,flags
1,$row,75,
1,${row/0/1},25," "$said"
	# Each interval has its own.
	sed 's/^/0.000000010,/' input >twice
	sed 's/^/0.000000020,/' input >>twice
	try pcb-ddio -P -x, twice
	[ "$(column value <<<"$output" | tr '\n' ' ')" = "75 25 75 25 " ]
	# With -A, units with one name are summed; those with their own are not.
	row=unc_m_cas_count.rd
	printf '%s\n' "CPU0,8,,$row,8,100.00" "CPU0,8,,$row,8,100.00" \
		"CPU1,8,,$row [uncore_imc_0],8,100.00" \
		"CPU1,8,,$row [uncore_imc_1],8,100.00" \
		"CPU1,8,,$row [uncore_imc_1],8,100.00" >input
	try pcb-ddio -P -x, input
	[ "$(column value <<<"$output" | tr '\n' ' ')" = "1024 1024 " ]
	[ "$stderr" = "$said" ]
}

@test "runs that perf has appended to a file are runs" {
	local header=run,kind,bench,socket,unit,part,metric
	local row=measured,ddio,0,,,memory_bandwidth_read_gbit_s

	perf_gives '# started on Sat Nov 21 10:00:00 2026

S0,1,5,,unc_m_cas_count.rd,10,100.00,,
S1,1,5,,unc_cha_clockticks,10,100.00,,
# started on Sat Nov 21 10:01:00 2026

S0,1,10,,unc_m_cas_count.rd,10,100.00,,
' "$header,value,flags
1,$row,256,
2,$row,512," -x,
	# With -I also if nothing separates them.
	perf_gives '0.000000010,S0,1,5,,unc_m_cas_count.rd,10,100.00,,
0.000000030,S0,1,5,,unc_m_cas_count.rd,20,100.00,,
0.000000010,S0,1,10,,unc_m_cas_count.rd,10,100.00,,
0.000000030,S0,1,10,,unc_m_cas_count.rd,20,100.00,,
' "$header,time_ns,value,flags
1,$row,10,256,
1,$row,30,128,
2,$row,10,512,
2,$row,30,256," -x,
}

@test "what has no counts gets a warning" {
	# A time of perf has nine decimals, so this is a metric.
	given '1.0,600,,unc_m_cas_count.rd,7,100.00\n' -P -x,
	[ "$status" = 0 ]
	[ "${#lines[@]}" = 1 ]
	[ "$stderr" = "pcb-ddio: the input has no counts of events" ]
}

@test "what perf does not print is refused" {
	refuses 'x\n' "standard input:1: not what perf stat prints with -x ','" -x,
	refuses '1;;unc_m_cas_count.rd;5;100.00\n' \
		"standard input:1: not what perf stat prints with -x ','" -x,
	refuses 'x,,unc_m_cas_count.rd,5,100.00\n' \
		"standard input:1: value: 'x': not a number" -x,
	refuses '-1,,unc_m_cas_count.rd,5,100.00\n' \
		"standard input:1: value: '-1': less than 0" -x,
	refuses ' Performance counter stats for x:\n 1 UNC_M_CAS_COUNT.RD 2\n' \
		"standard input:2: '2': more than a count" -x,
	refuses '1.000000000\n' "standard input:1: not what perf stat prints with -x ','" -x,
	refuses '1,,\n' "standard input:1: not what perf stat prints with -x ','" -x,
	refuses '1,Joules,unc_m_cas_count.rd,5,100.00\n' \
		"standard input:1: unit: 'Joules': unknown unit of UNC_M_CAS_COUNT.RD" -x,
	for units in x 0; do
		refuses "S0,$units,1,,unc_m_cas_count.rd,5,100.00\n" \
			"standard input:1: S0: the number of summed units is missing" -x,
	done
	refuses '1,,unc_m_cas_count.rd,5,x\n' \
		"standard input:1: percentage: 'x': not a number" -x,
}

@test "the layout for people gives what -x gives, and other lines are skipped" {
	local head="make: *** [all] Error 2

 Performance counter stats for 'system wide':
" foot='
       2.000000000 seconds time elapsed
       0.001 seconds user'

	given "$head
         7,000      UNC_IIO_DATA_REQ_OF_CPU.MEM_WRITE.PART1 # 2 Bytes X (49.85%%)
     <not counted>  UNC_IIO_DATA_REQ_OF_CPU.MEM_READ.PART1  (0.00%%)
$foot\n" -P -x,
	[ "$status" = 0 ]
	[ "${lines[1]}" = "1,measured,ddio,,,1,io_inbound_write_bandwidth_gbit_s,0.000112,scaled" ]
	[[ "$stderr" = *"lines skipped, because they are not of perf stat: 1"* ]]
	given "#           time socket cpus  counts unit events
     1.000000000 S0   1   1,000.00 MiB uncore_imc/cas_count_read/
     2.000000000 S0   1   2,000.00 MiB uncore_imc/cas_count_read/\n" -P -x,
	[ "${lines[1]}" = "1,measured,ddio,0,,,memory_bandwidth_read_gbit_s,1000000000,8.388608," ]
	[ "${lines[2]}" = "1,measured,ddio,0,,,memory_bandwidth_read_gbit_s,2000000000,16.777216," ]
}
