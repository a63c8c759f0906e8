#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# pcb-ddio: metrics from counts.
# shellcheck disable=SC2015,SC2086

load helpers

tests pcb-ddio

I=UNC_CHA_TOR_INSERTS.IO
O=UNC_CHA_TOR_OCCUPANCY.IO
OF=UNC_IIO_DATA_REQ_OF_CPU

# computes HEADER ROWS WANTED ARGUMENT...: the metrics of counts, without key
# columns; blanks separate rows.
computes() {
	printf '%s\n' "$1" >input
	printf '%s\n' $2 >>input
	try pcb-ddio -P "${@:4}" input
	[ "$status" = 0 ] && [ "$stderr" = "" ] || show "status 0"
	[ "$(sed -n '2,$s/.*,\([^,]*,[^,]*,[^,]*\)$/\1/p' <<<"$output")" = "$3" ] ||
		show "$3"
}

timed=event,value,enabled_ns,running_ns

@test "the published tables 7 and 8 come out, the inconsistent ones flagged" {
	try pcb-ddio -P -t 1s "$TOP/experiments/ddio/iperf.csv"
	is 0 "kind,queues,unit,part,metric,value,flags
published,8096 entries,,,io_percent_of_inbound_reads_that_miss_l3,88.26175109369034,inconsistent
published,8096 entries,,,io_percent_of_inbound_full_writes_that_miss_l3,85.15970967594723,
published,8096 entries,,,io_percent_of_inbound_partial_writes_that_miss_l3,87.90322580645162,inconsistent
published,8096 entries,,0,io_inbound_read_bandwidth_gbit_s,321.041330336,
published,8096 entries,,0,io_inbound_write_bandwidth_gbit_s,316.59913776,
published,2048 entries,,,io_percent_of_inbound_reads_that_miss_l3,73.86701839940697,inconsistent
published,2048 entries,,,io_percent_of_inbound_full_writes_that_miss_l3,49.93335539170497,
published,2048 entries,,,io_percent_of_inbound_partial_writes_that_miss_l3,,inconsistent
published,2048 entries,,0,io_inbound_read_bandwidth_gbit_s,375.297404608,
published,2048 entries,,0,io_inbound_write_bandwidth_gbit_s,356.909051232,
published,2048 non-allocating,,0,io_inbound_read_bandwidth_gbit_s,336.507934592,
published,2048 non-allocating,,0,io_inbound_write_bandwidth_gbit_s,290.691353472," ""
}

@test "the table in the tree has the counts of the published data" {
	needs_data
	awk -F, '/^event/ {
		split("8096 entries,2048 entries,2048 non-allocating",
			queues, ",")
		for (i = 1; i < 4; i++)
			if ($(i + 2) != "")
				print queues[i], $2, $(i + 2)
	}' "$PCB_TEST_DATA/ddio/table7-table8.csv" | sort >published
	awk -F, '/^published/ {
		print $2, $4 ($3 == "" ? "" : ".PART" $3), $5
	}' "$TOP/experiments/ddio/iperf.csv" | sort >ours
	[ "$(wc -l <ours)" = 30 ]
	diff ours published
}

@test "without a duration percentages remain, and a warning" {
	try pcb-ddio -P "$TOP/experiments/ddio/iperf.csv"
	[ "$(grep -c percent <<<"$output")" = 6 ]
	[ "$(grep -c gbit_s <<<"$output")" = 0 ]
	[ "$stderr" = "pcb-ddio: metrics left out: no counting time (-t gives it): 6" ]
}

@test "units of a socket are summed, sockets are not" {
	gives 'host,socket,unit,event,value,enabled_ns,running_ns
a,0,imc0,UNC_M_CAS_COUNT.RD,1000,1000,1000
a,0,imc1,UNC_M_CAS_COUNT.RD,500,1000,1000
a,1,imc0,UNC_M_CAS_COUNT.RD,250,1000,1000
' 'host,socket,unit,part,metric,value,flags
a,0,,,memory_bandwidth_read_gbit_s,768,
a,1,,,memory_bandwidth_read_gbit_s,128,' -
}

@test "parts of units are kept apart, wherever the part is named" {
	gives 'unit,part,event,value,enabled_ns,running_ns
iio0,0,UNC_IIO_DATA_REQ_OF_CPU.MEM_READ,100,1000,1000
iio0,,UNC_IIO_DATA_REQ_OF_CPU.MEM_READ.PART103,200,1000,1000
iio1,0,UNC_IIO_DATA_REQ_OF_CPU.MEM_READ,300,1000,1000
df,,local_socket_upstream_read_beats_iom2,400,1000,1000
' 'unit,part,metric,value,flags
iio0,0,io_inbound_read_bandwidth_gbit_s,3.2,
iio0,103,io_inbound_read_bandwidth_gbit_s,6.4,
iio1,0,io_inbound_read_bandwidth_gbit_s,9.6,
df,2,io_inbound_read_bandwidth_gbit_s,204.8,' -
}

@test "DMA to memory of this socket and of another one is all DMA" {
	gives 'unit,event,value,enabled_ns,running_ns
df,local_socket_upstream_read_beats_iom2,400,1000,1000
df,remote_socket_upstream_read_beats_iom2,100,1000,1000
df,remote_socket_upstream_write_beats_iom2,1,1000,1000
df,local_or_remote_socket_upstream_write_data_beats_io_7,2,1000,1000
' 'unit,part,metric,value,flags
df,2,io_inbound_read_bandwidth_gbit_s,256,
df,2,io_inbound_write_bandwidth_gbit_s,0.512,
df,7,io_inbound_write_bandwidth_gbit_s,1.024,' -
}

@test "table 4: requests and bandwidths" {
	T=UNC_IIO_TXN_REQ
	computes "$timed" "${T}_OF_CPU.MEM_READ.PART0,1,1000,1000
		${T}_OF_CPU.MEM_WRITE.PART0,2,1000,1000
		${T}_BY_CPU.MEM_READ.PART0,3,1000,1000
		${T}_BY_CPU.MEM_WRITE.PART0,4,1000,1000
		$OF.MEM_READ.PART0,1,1000,1000
		$OF.MEM_WRITE.PART0,2,1000,1000
		$OF.CMPD.PART0,3,1000,1000
		UNC_IIO_DATA_REQ_BY_CPU.MEM_WRITE.PART0,4,1000,1000" \
		"io_inbound_read_requests_per_s,1000000,
io_inbound_read_bandwidth_gbit_s,0.032,
io_inbound_write_requests_per_s,2000000,
io_inbound_write_bandwidth_gbit_s,0.064,
io_outbound_read_requests_per_s,3000000,
io_outbound_read_bandwidth_gbit_s,0.096,
io_outbound_write_requests_per_s,4000000,
io_outbound_write_bandwidth_gbit_s,0.128,"
}

@test "table 6: memory, subchannels of a channel together" {
	C=UNC_M_CAS_COUNT
	computes "$timed" "$C.RD,10,1000,1000 $C.WR,5,1000,1000" \
		"memory_bandwidth_read_gbit_s,5.12,
memory_bandwidth_write_gbit_s,2.56,
memory_bandwidth_total_gbit_s,7.68,"
	computes "$timed" "${C}_SCH0.RD,10,1000,1000 ${C}_SCH1.RD,5,1000,1000" \
		"memory_bandwidth_read_gbit_s,7.68,"
}

@test "a queue's depth is that of one TOR, its latency in nanoseconds" {
	# The example below table 1: 5 requests in 10 cycles at 2 GHz.
	computes "unit,$timed" "cha0,${O}_PCIRDCUR,50,5,5
		cha0,${I}_PCIRDCUR,5,5,5
		cha0,UNC_CHA_CLOCKTICKS,10,5,5
		cha1,${O}_PCIRDCUR,50,5,5
		cha1,${I}_PCIRDCUR,5,5,5
		cha1,UNC_CHA_CLOCKTICKS,10,5,5" \
		"tor_queue_depth_pcirdcur,5,
tor_latency_pcirdcur_ns,5,"
}

@test "reads wait in the root complex: clocks of the unit, parts of it" {
	P=UNC_IIO_COMP_BUF
	computes "unit,$timed" "iio0,${P}_OCCUPANCY.CMPD.PART0,4000,2000,2000
		iio0,${P}_INSERTS.CMPD.PART0,10,2000,2000
		iio0,UNC_IIO_CLOCKTICKS,1000,2000,2000
		iio1,UNC_IIO_CLOCKTICKS,7,2000,2000" \
		"io_inbound_read_latency_ns,800,"
	# If the running time is unknown, all counters ran for -d.
	printf '%s\n' unit,event,value "iio0,${P}_OCCUPANCY.CMPD.PART0,4000" \
		"iio0,${P}_INSERTS.CMPD.PART0,10" \
		iio0,UNC_IIO_CLOCKTICKS,1000 >input
	try pcb-ddio -P -t 2us input
	is 0 "unit,part,metric,value,flags
iio0,0,io_inbound_read_latency_ns,800," ""
}

@test "a clock that ran all the time goes with any count" {
	P=UNC_IIO_COMP_BUF
	for clock in "1001,2002,2002," 500.5,2002,1001,ungrouped; do
		rows="iio0,${P}_OCCUPANCY.CMPD.PART0,4000,2000,2000
			iio0,${P}_INSERTS.CMPD.PART0,10,2000,2000
			iio0,UNC_IIO_CLOCKTICKS,${clock%,*}"
		flags=${clock##*,}
		computes "unit,$timed" "$rows" \
			"io_inbound_read_latency_ns,800,${flags:+scaled }$flags"
	done
	# A depth needs two counts.
	computes "$timed" "${O}_PCIRDCUR,50,5,5 UNC_CHA_CLOCKTICKS,12,6,6" \
		"tor_queue_depth_pcirdcur,4.166666666666667,ungrouped"
}

@test "a latency needs clocks, and may be 0" {
	local rows="irp0,UNC_I_FAF_INSERTS,5,9,9 irp0,UNC_I_FAF_OCCUPANCY,0,9,9"
	local rate=irp_read_requests_per_s,555555555.5555556,

	computes "unit,$timed" "$rows irp0,UNC_I_CLOCKTICKS,0,9,9" "$rate"
	computes "unit,$timed" "$rows irp0,UNC_I_CLOCKTICKS,1,9,9" "$rate
irp_read_latency_ns,0,"
}

@test "what the IRP counts, by unit" {
	computes unit,event,value,enabled_ns,running_ns "
		irp0,UNC_I_FAF_INSERTS,10,2000,2000
		irp0,UNC_I_FAF_OCCUPANCY,4000,2000,2000
		irp0,UNC_I_CLOCKTICKS,1000,2000,2000
		irp1,UNC_I_CLOCKTICKS,500,2000,2000
		irp1,UNC_I_CACHE_TOTAL_OCCUPANCY.MEM,1500,2000,2000
		irp1,UNC_I_TRANSACTIONS.WR_PREF,6,2000,2000
		irp1,UNC_I_COHERENT_OPS.PCITOM,4,2000,2000
		irp1,UNC_I_COHERENT_OPS.RFO,2,2000,2000
		irp1,UNC_I_MISC1.LOST_FWD,1,2000,2000" \
		"irp_read_requests_per_s,5000000,
irp_read_latency_ns,800,
irp_write_requests_per_s,3000000,
irp_full_write_requests_per_s,2000000,
irp_partial_write_requests_per_s,1000000,
irp_queue_depth,3,
irp_write_latency_ns,1000,
irp_lost_forwards_per_s,500000,"
}

@test "metrics of PerfSpect are the same, by its formulas" {
	local metric scale formula

	# Metrics of Intel's PerfSpect and of Linux, t in seconds.
	cat >formulas <<-'END'
	io_percent_of_inbound_reads_that_miss_l3 100 IO_MISS_PCIRDCUR / IO_PCIRDCUR
	io_percent_of_inbound_full_writes_that_miss_l3 100 IO_MISS_ITOM / IO_ITOM
	io_inbound_read_bandwidth_local_gbit_s 0.008 IO_PCIRDCUR_LOCAL * 64 / 1e6 / t
	io_inbound_read_bandwidth_remote_gbit_s 0.008 IO_PCIRDCUR_REMOTE * 64 / 1e6 / t
	io_inbound_write_bandwidth_local_gbit_s 0.008 (IO_ITOM_LOCAL + IO_ITOMCACHENEAR_LOCAL) * 64 / 1e6 / t
	io_inbound_write_bandwidth_remote_gbit_s 0.008 (IO_ITOM_REMOTE + IO_ITOMCACHENEAR_REMOTE) * 64 / 1e6 / t
	io_msi_per_s 1 UBOX_POSTED / t
	io_inbound_read_bandwidth_gbit_s 0.008 OF_READ * 4 / 1e6 / t
	io_inbound_write_bandwidth_gbit_s 0.008 OF_WRITE * 4 / 1e6 / t
	memory_bandwidth_total_gbit_s 0.008 (RD + WR) * 64 / 1e6 / t
	END
	cat >counts <<-'END'
	cha UNC_CHA_TOR_INSERTS.IO_PCIRDCUR 48123457
	cha UNC_CHA_TOR_INSERTS.IO_MISS_PCIRDCUR 31234567
	cha UNC_CHA_TOR_INSERTS.IO_ITOM 77345671
	cha UNC_CHA_TOR_INSERTS.IO_MISS_ITOM 12345679
	cha UNC_CHA_TOR_INSERTS.IO_PCIRDCUR_LOCAL 41234567
	cha UNC_CHA_TOR_INSERTS.IO_PCIRDCUR_REMOTE 6888890
	cha UNC_CHA_TOR_INSERTS.IO_ITOM_LOCAL 70000001
	cha UNC_CHA_TOR_INSERTS.IO_ITOM_REMOTE 7345670
	cha UNC_CHA_TOR_INSERTS.IO_ITOMCACHENEAR_LOCAL 123457
	cha UNC_CHA_TOR_INSERTS.IO_ITOMCACHENEAR_REMOTE 54321
	iio0 UNC_IIO_NUM_REQ_OF_CPU_BY_TGT.UBOX_POSTED 98765
	iio0 UNC_IIO_DATA_REQ_OF_CPU.MEM_READ 987654321
	iio0 UNC_IIO_DATA_REQ_OF_CPU.MEM_WRITE 876543219
	imc UNC_M_CAS_COUNT.RD 55555557
	imc UNC_M_CAS_COUNT.WR 66666667
	END
	awk '{ print $1 "," $2 "," $3 ",2500000000,2500000000" }
		' counts >rows
	sed -i '1i unit,event,value,enabled_ns,running_ns' rows
	pcb-ddio -P rows >ours
	while read -r metric scale formula; do
		awk -F, -v metric="$metric" -v wanted="$(awk '{
			sub(/^.*TOR_INSERTS[.]/, "", $2)
			sub(/^.*DATA_REQ_OF_CPU[.]MEM_/, "OF_", $2)
			sub(/^.*[.]/, "", $2)
			print $2 "=" $3 ";"
		}' counts | tr -d '\n' | sed "s#.*#BEGIN { t = 2.5; & \
printf \"%.15g\", $scale * ($formula) }#" | awk -f /dev/stdin)" '
			$0 ~ "," metric "," { is = $(NF - 1); n++ }
			END { exit !(n == 1 && (is / wanted - 1) ^ 2 < 1e-24) }
			' ours || show "$metric: $formula"
	done <formulas
}

@test "reads of configuration space, by part" {
	computes unit,part,event,value,enabled_ns,running_ns "
		iio0,2,UNC_IIO_TXN_REQ_BY_CPU.CFG_READ,4,1000,1000" \
		"io_outbound_config_read_requests_per_s,4000000,"
}

@test "what is only counted beside others is known" {
	computes unit,part,event,value,enabled_ns,running_ns "
		iio0,2,UNC_IIO_DATA_REQ_BY_CPU.MEM_READ,7,1000,1000
		iio0,2,UNC_IIO_TXN_REQ_OF_CPU.MEM_READ,4,1000,1000" \
		"io_inbound_read_requests_per_s,4000000,"
}

@test "latency by count, payload by port" {
	gives 'unit,event,value,enabled_ns,running_ns
hisi_pcie0_core0,rx_mrd_latency,900,1000,1000
hisi_pcie0_core0,rx_mrd_cnt,3,1000,1000
dwc_rootport_3018,Rx_PCIe_TLP_Data_Payload,125,1000,1000
' 'unit,part,metric,value,flags
hisi_pcie0_core0,,rx_mrd_latency_per_request,300,
dwc_rootport_3018,,rx_payload_bandwidth_gbit_s,1,' -
}

@test "requests and data of Grace are of memory here and elsewhere" {
	gives 'unit,event,value,enabled_ns,running_ns
nvidia_pcie_pmu_1,rd_bytes_loc,100,1000,1000
nvidia_pcie_pmu_1,rd_bytes_rem,25,1000,1000
nvidia_pcie_pmu_1,rd_req_loc,2,1000,1000
nvidia_pcie_pmu_1,rd_req_rem,1,1000,1000
nvidia_pcie_pmu_1,wr_bytes_loc,240,1000,1000
nvidia_pcie_pmu_1,wr_bytes_rem,10,1000,1000
nvidia_pcie_pmu_1,wr_req_loc,3,1000,1000
nvidia_pcie_pmu_1,wr_req_rem,4,1000,1000
' 'unit,part,metric,value,flags
nvidia_pcie_pmu_1,,io_inbound_read_requests_per_s,3000000,
nvidia_pcie_pmu_1,,io_inbound_read_bandwidth_gbit_s,1,
nvidia_pcie_pmu_1,,io_inbound_write_requests_per_s,7000000,
nvidia_pcie_pmu_1,,io_inbound_write_bandwidth_gbit_s,2,' -
}

@test "counts of multiplexed counters are scaled, and say so" {
	computes "$timed" "UNC_M_CAS_COUNT.RD,100,1000,250" \
		"memory_bandwidth_read_gbit_s,204.8,scaled"
	computes "$timed" "${I}_MISS_ITOM,1,1000,500 ${I}_ITOM,2,1000,500" \
		"io_percent_of_inbound_full_writes_that_miss_l3,50,scaled"
}

@test "a row stands for as many as its weight says" {
	computes event,value,count "${I}_MISS_ITOM,30,2 ${I}_ITOM,40,3
		${I}_ITOM,7,0" "io_percent_of_inbound_full_writes_that_miss_l3,50,"
	# Two units, each for its own time.
	computes "unit,$timed,count" "imc0,UNC_M_CAS_COUNT.RD,100,1000,250,2" \
		"memory_bandwidth_read_gbit_s,409.6,scaled"
	computes event,value,count "UNC_M_CAS_COUNT.RD,25000000," \
		"memory_bandwidth_read_gbit_s,12.8," -t 1s
	printf '%s\n' event,value,count "${I}_ITOM,1,0.5" >input
	try pcb-ddio input
	is 2 "" "pcb-ddio: input:2: count: '0.5': not a whole number such as 42"
}

@test "counts of different times are ungrouped" {
	computes "$timed" "${I}_MISS_ITOM,1,1000,1000 ${I}_ITOM,2,1001,1001" \
		"io_percent_of_inbound_full_writes_that_miss_l3,50,ungrouped"
	computes "$timed" "${I}_MISS_ITOM,1,1000,500 ${I}_ITOM,2,1000,400" \
		"io_percent_of_inbound_full_writes_that_miss_l3,40,scaled ungrouped"
}

@test "HIT and MISS against the total: 2 % is the limit" {
	metric=io_percent_of_inbound_full_writes_that_miss_l3
	for hit in 48 52; do
		computes event,value "${I}_HIT_ITOM,$hit ${I}_MISS_ITOM,50
			${I}_ITOM,100" "$metric,50,"
	done
	for hit in 47 53; do
		computes event,value "${I}_HIT_ITOM,$hit ${I}_MISS_ITOM,50
			${I}_ITOM,100" "$metric,50,inconsistent"
	done
	computes event,value "${I}_MISS_ITOM,102 ${I}_ITOM,100" "$metric,102,"
	computes event,value "${I}_MISS_ITOM,103 ${I}_ITOM,100" \
		"$metric,,inconsistent"
	computes event,value "${I}_MISS_ITOM,0 ${I}_ITOM,0" ""
}

@test "a clock of several units, whose time -t says" {
	# 2000 clocks per microsecond, 200 per request.
	computes unit,event,value "cha0,${I}_ITOM,4 cha1,${I}_ITOM,4
		cha0,${I/INSERTS/OCCUPANCY}_ITOM,800
		cha1,${I/INSERTS/OCCUPANCY}_ITOM,800
		cha0,UNC_CHA_CLOCKTICKS,2000 cha1,UNC_CHA_CLOCKTICKS,2000" \
		"tor_queue_depth_itom,0.4,
tor_latency_itom_ns,100," -t 1us
}

@test "a counter that never ran leaves its metrics out" {
	printf '%s\n' "unit,$timed" "imc0,UNC_M_CAS_COUNT.RD,5,10,10" \
		"imc1,UNC_M_CAS_COUNT.RD,0,10,0" >input
	try pcb-ddio -P input
	is 0 "unit,part,metric,value,flags" \
		"pcb-ddio: metrics left out: a counter never ran: 1"
}

@test "intervals stay apart, and pcb-stats takes them together" {
	printf '%s\n' "kind,event,time_ns,value,enabled_ns,running_ns" \
		"measured,UNC_M_CAS_COUNT.RD,1000,10,1000,1000" \
		"measured,UNC_M_CAS_COUNT.RD,2000,30,1000,1000" >input
	try pcb-ddio -P input
	is 0 "kind,unit,part,metric,time_ns,value,flags
measured,,,memory_bandwidth_read_gbit_s,1000,5.12,
measured,,,memory_bandwidth_read_gbit_s,2000,15.36," ""
	pcb-ddio input | pcb-stats -P >stats
	[ "$(column median_value <stats)" = 10.24 ]
}

@test "pcb-diff compares the metrics of two conditions" {
	pcb-ddio -t 1s "$TOP/experiments/ddio/iperf.csv" |
		pcb-diff --by queues="8096 entries" --statistic value -P >result 2>/dev/null
	[ "$(grep reads_that_miss result)" = "published,2048 entries,,,\
io_percent_of_inbound_reads_that_miss_l3,queues,8096 entries,88.26175109369034,\
73.86701839940697,-14.394732694283363,,,83.6908598391581,unclear,1" ]
}

@test "unknown events are counted; bad counts are refused" {
	given 'event,value\nlatency,1\nUNC_CHA_TOR_INSERTS.IO_NEW,2\n' -P
	is 0 "unit,part,metric,value,flags" "pcb-ddio: 2 rows of events that no metric uses, such as latency, were skipped"
	for event in $OF.CMPD.PART1000 7 t7; do
		given "event,value\n$event,1\n" -P
		is 0 "unit,part,metric,value,flags" "pcb-ddio: 1 row of events that no metric uses, such as $event, was skipped"
	done

	# Bad counts are refused.
	refuses 'event\nx\n' "standard input: no column 'value': there are event"
	refuses 'value\n1\n' "standard input: no column 'event': there are value"
	refuses "event,value\n$OF.CMPD,abc\n" "standard input:2: value: 'abc': not a number"
	refuses "event,value\n$OF.CMPD,-1\n" "standard input:2: value: less than 0"
	refuses "$timed\n$OF.CMPD,1,5,6\n" \
		"standard input:2: running_ns: longer than enabled_ns"
	refuses "$timed\n$OF.CMPD,1,5,\n" \
		"standard input:2: event: enabled_ns and running_ns belong together"
}

# The command line ------------------------------------------------------------

@test "wrong usage, and formats" {
	wrong "-t '5': not a time with its unit, such as 100ns, 1.5us, 10s, 5min or 1h" -t 5
	wrong "-t '0s': must be greater than 0" -t 0s
	wrong "invalid option -- 'd'
pcb-ddio: did you mean --duration TIME?" -d 1s
	wrong "-x '': empty" -x ''

	printf 'event,value\nUNC_M_CAS_COUNT.RD,5\n' >input
	run pcb-ddio -t 10ns -f jsonl --no-preamble input
	[ "$output" = '{"unit":null,"part":null,"metric":"memory_bandwidth_read_gbit_s","value":256,"flags":""}' ] ||
		[ "$output" = '{"unit":null,"part":null,"metric":"memory_bandwidth_read_gbit_s","value":256,"flags":null}' ]
	run pcb-ddio --duration 10ns --format table input
	[[ $output = *memory_bandwidth_read_gbit_s*'256.0 Gbit/s'* ]]
}
