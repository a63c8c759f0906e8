#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# pcb-import: text and JSON of other programs. Each file in
# tests/data/import/others has the format of one of them, with made-up figures;
# FILE.rows beside it is the expected result.

load helpers

tests pcb-import

setup() {
	cd "$BATS_TEST_TMPDIR" || exit
	others=$TOP/tests/data/import/others
}

# formats: a line "FORMAT FILE" for each file with rows, but ucx-cut.txt, whose
# test stopped before its end.
formats() {
	cut -d ' ' -f 1,2 "$others/formats"
}

# lacks INPUT FORMAT: refused, for it has no result of this format.
lacks() {
	given "$1" "$2"
	[[ "$status$output" = 2 &&
		"$stderr" = "pcb-import: standard input: no result of $2: "* ]] ||
		show "$1"
}

# joined FORMAT FILE [OPTION...]: benches of rows to which pcb-model --join adds
# a bandwidth.
joined() {
	pcb-import "$1" "$others/$2" "${@:3}" |
		pcb-model --join --gen 5 --lanes 16 -P 2>/dev/null >rows
	paste -d , <(column bench <rows) <(column model_gbit_s <rows) |
		sed -n 's/,..*//p' | sort -u | paste -sd ' '
}

@test "each file gives its rows, and no message but what was skipped" {
	local format file

	while read -r format file; do
		try pcb-import "$format" -P "$others/$file"
		# Said of each file that has more than tables, or no sizes.
		stderr=${stderr%pcb-import: "$format does not print"*}
		stderr=${stderr%$'\n'}
		[[ "$stderr" = "" || "$stderr" = "pcb-import: skipped "*" \
line"*" around the tables of $format (-v shows them)" ]] || show "$stderr"
		is 0 "$(cat "$others/$file.rows")" "$stderr"
	done < <(formats)
	[ "$(formats | wc -l)" = "$(find "$others" -name '*.rows' \
		! -name 'ucx-cut.*' | wc -l)" ]
}

@test "nvbandwidth: text and JSON" {
	[ "$(joined nvbandwidth nvbandwidth-0.8.txt)" = "bw_rd bw_wr" ]
	[ "$(joined nvbandwidth nvbandwidth-0.8.txt -l size_bytes=536870912)" = \
		"bw_rd bw_wr" ]
	refuses 'Running a_test.\nhosts (row) and GPUs(column) (GB/h)\n' \
		"standard input:2: unit 'GB/h': unknown" nvbandwidth
	refuses 'Running a_test.\nCPU(row) -> GPU(column) (GB/s)\n 0 1\n 0 1\n' \
		'standard input:4: 2 values under 3 titles' \
		nvbandwidth
	refuses 'Running a_test.\nCPU(row) -> GPU(column) (GB/s)\n 0\n 0 x\n' \
		"standard input:4: 'x': not a number" nvbandwidth
	lacks 'nvbandwidth Version: v0.8\n' nvbandwidth
	refuses '{\n"nvbandwidth":\n' \
		"standard input:3: unexpected token near end of file" nvbandwidth
	lacks '{"a": 1}' nvbandwidth
	refuses '{"nvbandwidth": {"testcases": 1}}' \
		"standard input:1: nvbandwidth: 'testcases' is" nvbandwidth
}

@test "samples of CUDA: bandwidthTest, p2pBandwidthLatencyTest" {
	[ "$(joined bandwidthtest bandwidthtest-7.txt)" = bw_wr ]
	[ "$(joined p2ptest p2ptest.txt)" = "" ]
	refuses ' Host to Device Bandwidth, 2 Device(s)\n PINNED Memory Transfers\n Transfer Size (Bytes) Bandwidth(GB/s)\n 1 2\n' \
		'standard input:4: the sum of several GPUs: run with --device=NUMBER' \
		bandwidthtest
	refuses ' Device 999: x\n Host to Device Bandwidth, 1 Device(s)\n Transfer Size (Bytes) Bandwidth(GB/s)\n 1 2\n' \
		"standard input:4: '999': not the number of a GPU" bandwidthtest
	# No copy of a GPU beside the CPU crosses a link, nor one in its memory.
	given ' Device 0: NVIDIA GH200 480GB\n Host to Device Bandwidth, 1 Device(s)\n Transfer Size (Bytes) Bandwidth(GB/s)\n 1 2\n Device to Device Bandwidth, 1 Device(s)\n Transfer Size (Bytes) Bandwidth(GB/s)\n 1 2\n' \
		bandwidthtest -P
	[ "$(column bench <<<"$output" | xargs)" = "cuda_h2d cuda_d2d" ]
	given 'Device:AMD Radeon Graphics Mem=16.0GB\n test atts units median mean stddev min max\n H2D_Bandwidth_pinned 1kB GB/sec 1 1 0 1 1\n' \
		hip-bus-bandwidth -P
	[ "$(column bench <<<"$output")" = hip_h2d_bandwidth_pinned ]
	# Nor of an APU; but no such GPU is beside a CPU of Intel.
	local devices='Device: 0, %s\nDevice: 1, AMD Radeon Graphics, GPU-XX, 19:0.0\n'
	local matrix='Unidirectional copy peak bandwidth GB/s\nD/D 0 1\n0 N/A 13.75\n'
	given "${devices/\%s/AMD Ryzen}$matrix" rocm-bandwidth-test -P
	[ "$(column bench <<<"$output")" = rocm_copy ]
	given "${devices/\%s/Intel(R) Xeon(R)}$matrix" rocm-bandwidth-test -P
	[ "$(column bench <<<"$output")" = bw_rd ]
	sed 's/NVIDIA A/NVIDIA GH200 480GB/' "$others/nvbandwidth-0.8.json" >fused
	[ "$(pcb-import -P nvbandwidth fused | column bench | sort -u)" = \
		host_to_device_memcpy_ce ]
	# CUDA 4 names the memory in the title.
	given ' Host to Device Bandwidth, 1 Device(s), Paged memory\n Transfer Size (Bytes) Bandwidth(MB/s)\n 1 2\n Device to Host Bandwidth, 1 Device(s), Pinned memory\n Transfer Size (Bytes) Bandwidth(MB/s)\n 1 2\n' \
		bandwidthtest -P
	[ "$(column bench <<<"$output" | xargs)" = "cuda_h2d_pageable bw_wr" ]
	refuses 'Result = FAIL\n' \
		"standard input:1: bandwidthTest says that its result is wrong" \
		bandwidthtest
	lacks '   D\\D 0\n' p2ptest
}

@test "gdrcopy: stores of a CPU are never joined" {
	[ "$(joined gdrcopy copybw.txt)" = "" ]
	given 'GPU id:0 name:V100 PCI domain: 53 bus: 3 device: 0\ntesting size: 64\nwrite BW: 10MB/s\n' \
		gdrcopy -P
	[ "$(column device <<<"$output")" = 0035:03:00.0 ]
	refuses 'write BW: 10MB/s\n' \
		"standard input:1: no line of its test is before it:" gdrcopy
	refuses 'gdr_copy_to_mapping 1.5 1\n' \
		"standard input:1: '1.5': not a whole number from 0" gdrcopy
}

@test "AMD: TransferBench and rocm_bandwidth_test" {
	[ "$(joined transferbench transferbench-1.62.txt)" = "bw_rd bw_wr" ]
	[ "$(joined rocm-bandwidth-test rocm-2.6.txt -l size_bytes=1048576)" = \
		"bw_rd bw_wr" ]
	refuses 'Test#,Transfer#,NumBytes\n' \
		"standard input:1: no column 'Src'" transferbench
	refuses 'Transfer 0 | 4 GB/s | 1 ms | 8 bytes\n' \
		"standard input:1: not a transfer: 'Transfer 0 | 4 GB/s | 1 ms | 8 bytes'" \
		transferbench
	# A copy by the engine of another GPU passes the link between them, too.
	gives 'Test#,NumBytes,Src,Exe,Dst,BW(GB/s)\n1,64,C0,G0,G0G1,2\n2,64,C0,G0,G0,2\n3,64,C0,G1,G0,2\n4,64,G0,G1,C0,2\n' \
		'host,run,kind,bench,device,link,interface,source,destination,size_bytes,bandwidth_gbit_s,test
,1,imported,transferbench,gpu0,,sm,C0,G0G1,64,16,1
,1,imported,bw_rd,gpu0,,sm,C0,G0,64,16,2
,1,imported,transferbench,gpu1,,sm,C0,G0,64,16,3
,1,imported,transferbench,gpu1,,sm,G0,C0,64,16,4' transferbench
}

@test "perftest: messages between machines are never joined" {
	[ "$(joined perftest ib_send_bw-4.txt)" = "" ]
	refuses 'Send BW Test\n #bytes     #laps\n' \
		"standard input:2: columns from '#laps' on: unknown" perftest
	refuses 'Send BW Test\n #bytes #iterations\n 1\n' \
		'standard input:3: 1 values under 2 titles' perftest
	refuses '{\ntest_info: {\n' \
		"standard input:3: string or '}' expected near end" perftest
	sed 's/96.47/50.00/' "$others/ib_send_bw.json" >odd.json
	try pcb-import perftest odd.json
	is 2 "" "pcb-import: odd.json:1: BW_average: neither MsgRate times"
}

@test "perftest: each test has its bench" {
	local title wanted

	while IFS=: read -r title wanted; do
		given "$title\n #bytes #iterations\n 1 2\n" perftest -P
		[ "$(column bench <<<"$output")" = "$wanted" ]
	done <<-END
		Send Latency Test:ib_send_lat
		Send BW Test:ib_send_bw
		Send Bidirectional BW Test:ib_send_bw_bidir
		RDMA_Write Latency Test:ib_write_lat
		RDMA_Write BW Test:ib_write_bw
		RDMA_Write_IMM BW Test:ib_write_imm_bw
		RDMA_Read Latency Test:ib_read_lat
		RDMA_Read Bidirectional BW Test:ib_read_bw_bidir
		Atomic FETCH_AND_ADD Latency Test:ib_atomic_lat
		Atomic CMP_AND_SWAP BW Test:ib_atomic_bw
	END
}

@test "mlc: matrices, loaded latency, caches" {
	[ "$(joined mlc mlc-3.11.txt)" = "" ]
	lacks '       0  78.5\n' mlc
	# One that somebody has marked is left out, and named.
	given 'Measuring Loaded Latencies\nDelay (ns) MB/sec\n0 1 2\n"8 1 2" <--- low\n15 1 2\n' mlc
	[[ "$status" = 0 && "$stderr" = *"standard input:4 looks like a row"* &&
		"$(column inject_delay <<<"$output" | xargs)" = "0 15" ]] || show 4
	refuses 'Measuring Loaded Latencies\n=====\n 00000 1\n' \
		"standard input:3: 2 values under 3 titles" mlc
}

@test "fio: histograms give the same percentiles here and there" {
	pcb-import fio "$others/fio-3.33.json" | pcb-stats -P >stats
	[ "$(column n <stats | paste -sd ' ')" = "5 5 1" ]
	refuses '{"jobs": [{"read": {"clat_ns": {"N": 1}}}]}' \
		'standard input:1: no result of fio 3' fio
	# An error does not pass in silence.
	for edit in 's/err= 0/err= 5 (file:io_u.c:1787)/ fio-3.txt' \
		's/"jobname"/"error": 5, &/ fio-3.16.json'; do
		try pcb-import fio <(sed "${edit% *}" "$others/${edit##* }")
		[[ "$stderr" = *' ended with error 5: its results are of a part'* ]]
		[[ "${lines[-1]}" = *' complete=no' ]]
	done
}

@test "fio: each latency and job once, under its own name" {
	{
		cat "$others/fio-3.txt"
		printf '  fsync/fdatasync/sync_file_range:\n'
		printf '    sync (usec): min=161, max=345, avg=192.48, stdev=20.09\n'
		printf '    sync percentiles (usec):\n'
		printf '     | 99.00th=[  310], 99.50th=[  330], 99.90th=[  345]\n'
	} >synced
	pcb-import fio -P synced | cmp - "$others/fio-3.txt.rows"
	sed 's/max=10.5k/max=10.5M/' "$others/fio-3.txt" >slow
	[ "$(pcb-import fio -P slow | column max_ns | sed -n 1p)" = 10500000000 ]
	# Text and terse lines of one run (--output-format=normal,terse).
	{
		cat "$others/fio-two.txt"
		tail -n 1 "$others/fio-terse.txt"
	} >both
	pcb-import fio -P both | cmp - "$others/fio-two.txt.rows"
	sed 's/"jobs"/"client_stats"/; s/"jobname"/"hostname": "a", &/' \
		"$others/fio-3.16.json" >clients
	[ "$(pcb-import fio -P clients | column host | sort -u)" = a ]
	sed 's/"jobname"/"job_start": 17, &/' "$others/fio-3.16.json" >report
	cat report report <(sed 's/17/18/' report) | pcb-import fio -P >rows
	[ "$(paste -d : <(column run <rows) <(column test <rows) |
		paste -sd ' ')" = "1: 1:report=2 2:" ] || show JSON
	sed 's/=/=3D/g' "$others/fio-3.txt" >mail
	refuses '' "mail:1: a mail in quoted-printable" fio mail
	sed '$s/=120;/=;/' "$others/fio-terse.txt" >odd
	refuses '' "odd:4: " fio odd
	# --status-interval: the reports of a process are no clones of it.
	sed -n '/groupid/,/clat/p; /clat/q' "$others/fio-two.txt" >job
	{
		cat job <(sed 's/pid=5/pid=6/' job)
		echo 'Run status group 0 (all jobs):'
	} >report
	cat report report <(sed 's/pid=5/pid=8/' job) |
		pcb-import fio -P >rows 2>err
	[ "$(paste -d : <(column run <rows) <(column clone <rows) \
		<(column test <rows) | uniq | paste -sd ' ')" = \
		"1:: 1:2: 1::report=2 1:2:report=2 2::" ] || show reports
}

@test "a sentence is no row, though it has as many words" {
	given 'Running a_test.\nCPU(row) -> GPU(column) (GB/s)\n 0 1 2\n 0 1 2 3\nWe got 24.1 24.3\n 1 4 5 6\n' \
		nvbandwidth -P
	[[ "$status" = 0 && "$(column bandwidth_gbit_s <<<"$output" | xargs)" = \
		"8 16 24 32 40 48" ]] || show sentence
}

@test "a table whose title is lost is refused: it has not the title above it" {
	local format file title message

	while IFS='|' read -r format file title message; do
		sed "/$title/d" "$others/$file" >lost
		try pcb-import "$format" lost
		[[ "$status $output" = "2 " &&
			"$stderr" = "pcb-import: lost:"*": $message" ]] ||
			show "$title"
	done <<-'END'
		bandwidthtest|bandwidthtest-11.txt|Device to Host Bandwidth|no line before it names the copy
		mlc|mlc-3.11.txt|homed in reader|no line before it names the matrix
		p2ptest|p2ptest.txt|Bidirectional|no line before it names the matrix
		p2ptest|p2ptest.txt|Latency Matrix|no line before it names the matrix
		rocm-bandwidth-test|rocm-2.6.txt|Bidirectional|no line before it names the matrix
		transferbench|transferbench-p2p.txt|Bidirectional|no line before it names the matrix
		rocm-bandwidth-test|rocm-2.6.txt|Device: 0|no line 'Device: 0' says whether it is a GPU
	END
	for title in Local Remote; do
		sed "/$title results/d" "$others/ib_send_bw-both.txt" |
			pcb-import perftest -P >rows 2>err
		[ "$(column run <rows | sort -u)" = 1 ] || show "$title"
	done
	sed '/Measuring Loaded/d' "$others/mlc-3.11.txt" |
		pcb-import mlc -P >rows 2>err
	! grep -q 125.5 rows || show "loaded latencies in a matrix"
	grep -q "looks like a row: '00000" err
}

@test "an output that was cut off keeps the lines that it has" {
	local file=$others/nvbandwidth-0.8.txt bytes torn=0

	pcb-import nvbandwidth "$file" -P 2>/dev/null |
		column bandwidth_gbit_s >whole
	for ((bytes = $(wc -c <"$file") - 1; bytes > 400; bytes -= 31)); do
		head -c "$bytes" "$file" >part
		try pcb-import nvbandwidth part -P
		[ "$status" = 0 ] || show "$bytes bytes"
		[[ "$stderr" != *'left out'* ]] || torn=$((torn + 1))
		[[ "$stderr" = *'last line has no end'* ]] ||
			cmp <(column bandwidth_gbit_s <<<"$output") \
				<(head -n $((${#lines[@]} - 1)) whole) ||
			show "$bytes bytes"
	done
	[ "$torn" -gt 2 ]
	# Formats that are tried say nothing on stdout.
	[ "$(pcb-import "$file" -P 2>/dev/null | cat)" = \
		"$(pcb-import nvbandwidth "$file" -P 2>/dev/null)" ]
	# The next program is told what is not complete.
	local nv='Running a_test.\nCPU(row) -> GPU(column) (GB/s)\n 0 1\n'
	local format text end message
	while IFS='|' read -r format text end message; do
		given "$text" "$format"
		[[ "$status ${lines[-1]}" = "0 "*" complete=$end" &&
			"$stderr" = *"$message"* ]] || show "$text: $message"
	done <<-END
		nvbandwidth|$nv 0 5 55.4\n|yes|
		nvbandwidth|$nv 0 5 5|no|the last number is wrong
		nvbandwidth|$nv 0 5 5\n\nnot of a table 5|yes|
		nvbandwidth|$nv 0 5 5\n 0 6|no|is left out
		nvbandwidth|$nv 0 5 5\n\n${nv/a_/b_}|no|no result of the test b_test
		nvbandwidth|${nv/a_/b_}ERROR: x\n\n$nv 0 5 5\n|no|no result of the test b_test
		nvbandwidth|Running b_test.\nWaived: \n$nv 0 5 5\n|yes|
	END
	try pcb-import "$file" -o there
	[[ "$status" = 0 && "$(tail -n 1 there)" = *complete=yes ]]
	# With its end, such a line is wrong.
	{ head -c 502 "$file" && echo; } >ended
	refuses '' 'ended:21: 1 values under 3 titles' nvbandwidth ended
}

@test "fio: what it measures here" {
	local count median

	command -v fio >/dev/null || skip "fio is not installed"
	fio --name=ours --rw=randread --bs=4k --size=256k --filename=file \
		--output-format=json+ --output=ours.json >/dev/null ||
		skip "fio does not run here"
	pcb-import fio ours.json | pcb-stats -P >stats
	count=$(column n <stats)
	[ "$count" = 64 ]
	# Its percentiles are bins; ours interpolate between two of them.
	median=$(sed -n '/"clat_ns"/,/"bins"/s/.*"50.000000" : \([0-9]*\),/\1/p' \
		ours.json | head -n 1)
	column median_ns <stats | awk -v wanted="$median" '
		{ exit !($1 > wanted * 0.9 && $1 < wanted * 1.1) }'
}

@test "FPGAs, counters, tables of one kind" {
	[ "$(joined xdma xdma.txt)" = "bw_rd bw_wr" ]
	try pcb-import xdma "$others/xdma-qdma.txt"
	is 2 "" "pcb-import: $others/xdma-qdma.txt:1: to the device or from"
	gives '** Average BW = 64, 0.5\n' \
		'host,run,kind,bench,device,link,interface,size_bytes,bandwidth_gbit_s\n,1,imported,bw_wr,,,engine,64,0.004' \
		xdma -l bench=bw_wr
	[ "$(joined qdma qdma.txt)" = "" ]
	refuses 'WRITE: total pps = 1 BW = 2\n' \
		"standard input:1: not packets and a bandwidth: 'WRITE:" qdma

	# The second number is the size of the file.
	head -n 1 "$others/gdsio.txt" >one
	sed 's,/4096,/94096,' one >two
	[ "$(pcb-import -P gdsio one two one | column run | xargs)" = "1 1 2" ]
	# Of a table that somebody cut to one place.
	given '# size count type redop time algbw busbw #wrong\n 8 2 float sum 1 2 3 0\n' \
		nccl-tests -P
	[ "$(column place <<<"$output")" = out-of-place ]
	# Without titles; a word too few is refused where it is not "redop".
	given '65536 16384 float sum 392.5 0.17 0.32 7e-07 421.0 0.16 0.30 7e-07\n' \
		nccl-tests -P
	[ "$(column mean_ns <<<"$output" | xargs)" = "392500 421000" ]
	sed 's/524288   float/float/' "$others/nccl-old.txt" >short
	refuses '' 'short:11: 10 values under 12 titles' nccl-tests short
	# A list of ranks that was cut off does not tell how many GPUs there are.
	sed 's/nGpus 2/nGpus 8/' "$others/nccl-old.txt" >short
	runs pcb-import -P nccl-tests short
	[[ "$output" != *,gpus* ]]

	# Its second test stopped before its end.
	try pcb-import ucx-perftest "$others/ucx-cut.txt"
	[ "$(grep -v '^#' <<<"$output")" = "$(cat "$others/ucx-cut.txt.rows")" ]
	[[ "$stderr" = *"'Final:'"* && "${lines[-1]}" = *" complete=no" ]]
	# The settings of the next two are lost.
	sed -n '/Stage/,/Final/p' "$others/ucx-cut.txt" >two
	cat "$others/ucx-cut.txt" two | pcb-import ucx-perftest -P >rows 2>&1
	[ "$(column median_ns <rows | xargs)" = "300 200 300 200" ]

	# Counters: perf iostat, pcm-iio.
	refuses '# time port Inbound Read(MB) Inbound Write(MB) Outbound Read(MB) Outbound Write(MB)\n 2 0000:00 1 1 1 1\n 1 0000:00 1 1 1 1\n' \
		"standard input:3: '1': earlier than the line above" perf-iostat
	refuses 'Socket,Name,IB write\nSocket0,a\n' \
		'standard input:2: 2 fields where the header has 3' pcm-iio
	refuses 'Socket,Name,IB write\nSocket0,a,20 M\n' \
		"standard input:2: '20 M': not a number" pcm-iio
	gives 'Socket,Name,IB write,"L1, hits"\nSocket0,"a ""b"", c", 1e9 ,2\n' \
		'host,run,kind,bench,device,link,seq,direction,bandwidth_gbit_s,event,events_per_s
,1,imported,pcm_iio,"Socket0/a ""b"", c",,1,inbound-write,8,,
,1,imported,pcm_iio,"Socket0/a ""b"", c",,1,,,"L1, hits",2' pcm-iio
}

@test "pcb-stats, pcb-diff and pcb-plot take the rows" {
	local i

	for i in 1 2 3 4 5; do
		pcb-import transferbench -l run=$i "$others/transferbench.csv"
	done | pcb-stats >before.csv
	sed 's/25.5/20.4/' "$others/transferbench.csv" >slower
	for i in 1 2 3 4 5; do
		pcb-import transferbench -l run=$i slower
	done | pcb-stats >after.csv
	pcb-diff -P before.csv after.csv >differences
	[ "$(column bench <differences | paste -sd ' ')" = "bw_rd bw_wr" ]
	[ "$(column differs <differences | paste -sd ' ')" = "yes no" ]
	# Access is said of a pair of GPUs, and is no side of a map.
	for file in p2ptest.txt rocm-apu.txt; do
		pcb-import -P "$others/$file" 2>/dev/null |
			grep -e ^host -e bidir -e rocm_copy | pcb-plot heat >script
		[ -s script ]
	done
	pcb-import fio "$others/fio-3.33.json" | pcb-plot cdf >script
	grep -q fio_read script
	pcb-import transferbench "$others/transferbench.csv" |
		pcb-model --join --gen 5 --lanes 16 | pcb-plot bw >script
	[ -s script ]
}

@test "a number above any link is imported, noted and found by --check" {
	tests pcb-import
	given 'Running host_to_device_memcpy_ce.\nCPU(row) -> GPU(column) (GB/s)\n 0 1\n 0 55.4 671.2\n' \
		nvbandwidth
	[[ "$status" = 0 && "$stderr" = *"standard input:4: 671 GB/s "* ]]
	tests pcb-model
	try pcb-model -P --join gen5x16 --check 20:5 <<<"$output"
	[[ "$status" = 1 && "$stderr" = *"bw_rd of gpu1 at "* ]]
}

@test "pcb-stats loses no row of an import" {
	local format file

	tests pcb-stats
	while read -r format file; do
		[ "$format" != pcm-iio ] || continue
		pcb-import "$format" "$others/$file" >rows 2>/dev/null
		try pcb-stats -P rows
		[[ "$stderr" != *skipped* ]] || show "$file"
	done < <(formats)
	# Bandwidths, then latencies, each with statistics of its own.
	pcb-import p2ptest "$others/p2ptest.txt" 2>/dev/null >rows
	pcb-stats -P rows >stats
	[ "$(column median_gbit_s <stats | grep -c .)" = 8 ]
	[ "$(column median_ns <stats | grep -c .)" = 8 ]
	[ "$(column n <stats | sort -u)" = 1 ]
	[ "$(column max_ns <stats | tail -n 1)" = 2250 ]
	# One that is named is alone.
	try pcb-stats -P -c bandwidth_gbit_s rows
	[[ "$stderr" = *"8 rows without bandwidth_gbit_s were skipped" ]]
	try pcb-stats -P --histogram rows
	[[ "$stderr" = *"8 rows without bandwidth_gbit_s were skipped" ]]
}

@test "several files of a format become one part" {
	runs pcb-import mlc -P "$others/mlc-3.5.txt" "$others/mlc-3.11.txt"
	[ "$(wc -l <<<"$output")" = 24 ]
	printf 'Using buffer size of 2000.000MB\n' >nothing
	for file in "$others/copybw.txt" nothing; do
		try pcb-import mlc "$others/mlc-3.5.txt" "$file"
		[[ "$status$output" = 2 &&
			"$stderr" = "pcb-import: $file: no result of mlc: "* ]]
	done
	printf 'a\0b\n' >nul
	try pcb-import mlc nul
	is 2 "" "pcb-import: nul:1: a NUL byte: this is not a text file"
}

@test "a test that comes again is another run" {
	local format file

	while read -r format file; do
		[[ "$format" != perf-iostat && "$format" != pcm-iio ]] || continue
		pcb-import "$format" -P "$others/$file" >once 2>/dev/null
		[ "$(column run <once | sort -u)" = 1 ] || show "$file"
		pcb-import "$format" -P -l run=2 "$others/$file" 2>/dev/null |
			sort -u once - >wanted
		pcb-import "$format" -P "$others/$file" "$others/$file" \
			2>/dev/null | sort -u | cmp wanted || show "$file twice"
	done < <(formats)
}

@test "two things are never two runs: a changed title, mode or name of a row" {
	local format file edit mark

	while read -r format file edit; do
		sed "$edit" "$others/$file" >edited
		! cmp -s "$others/$file" edited || show "$file: $edit"
		try pcb-import "$format" -P "$others/$file" edited
		[[ "$status" = 0 && "$(column run <<<"$output" | sort -u)" = 1 ]] ||
			show "$file: $edit"
	done <<-'END'
		p2ptest p2ptest.txt s/ Matrix (/ (P2P Reads) Matrix (/
		p2ptest p2ptest.txt s/ Matrix (/ (P2P Swaps) Matrix (/
		p2ptest p2ptest.txt s/P2P=\(Dis\|En\)abled/P2P=Forced/
		nvbandwidth nvbandwidth-0.8.txt s/^Running /&new_/
		nvbandwidth nvbandwidth-0.1.txt /^Running/d; s/^memcpy /&NEW /
		bandwidthtest bandwidthtest-11.txt s/[A-Z]* Memory Transfers/HUGE Memory Transfers/
		bandwidthtest bandwidthtest-csv.txt s/\([HD]2[HD]\)[^,]*/&-WriteCombined/
		bandwidthtest bandwidthtest-csv.txt s/\([HD]2[HD]\)[^,]*/&-Managed/
		rocm-bandwidth-test rocm-2.6.txt s/peak bandwidth GB.s/& without interrupts/; s/\([0-9]:\)0\.0/\11.0/
		transferbench transferbench-1.62.txt s/^Test \([0-9]\)/Test 3\1/
		transferbench transferbench-1.62.txt s/:\([0-9]*\) -> /:1\1 -> /
		transferbench transferbench.csv s/^1,/2,/
		perftest ib_read_lat-5.txt s/qps   : 1/qps   : 4/
		perftest ib_read_lat-5.txt s/relax order: ON/relax order: OFF/
		perftest ib_read_lat-5.txt s/PCIe relax order: ON/Lock-free : ON/
		perftest ib_read_lat-5.txt s/Link type  *: [^ ]*/Link type : Other/
		perftest ib_read_lat-5.txt 1s/^/allocated 4096 bytes of GPU buffer at 0x7f00\n/
		hip-bus-bandwidth hip.txt s/2[HD]_/&New_/; s/ atts  */\tatts        \t/
		perftest ib_write_lat.json s/"Mtu": 1024/"Mtu": 4096/
		gdrcopy copybw-2.5.txt s/offset=0/offset=64/
		fio fio-3.16.json s/fio-3.16/fio-3.41/
		fio fio-3.16.json s/"iodepth"/"rwmixread" : "30", &/
		mlc mlc-3.5.txt s/--latency_matrix/& -r/
		mlc mlc-3.11.txt s/^Measuring .*/& with huge pages/
		fio fio-3.txt s/rw=randrw/rw=rw/
		fio fio-3.txt s/ioengine=libaio/ioengine=io_uring/
		fio fio-3.txt s/fio-3.33/fio-3.41/
		fio fio-3.txt s/groupid=0/groupid=1/
		fio fio-3.txt s/jobs=4/jobs=8/
		xdma xdma.txt s/^/at address offset 4096.\n/
		xdma xdma.txt s/addr 0x0/addr 0x2a0000/; /h2c/d
		nccl-tests nccl.txt s/ -1 /  0 /
		nccl-tests nccl.txt s/^#  *size /# Rank  3 Pid  1 on h device  3 [0x05] A\n&/
		ucx-perftest ucx.txt s/^| API.*/&\n| Send memory:  cuda  |/
		ucx-perftest ucx.txt s/^| API.*/&\n| Window size:  32    |/
		gdsio gdsio.txt s/^/$ gdsio -f x -d 3 -w 4\n/
	END
	# What a journal puts before a line is no part of it.
	for mark in 'Jun 03 10:12:01 host fio[12]: ' '10:12:01 DEBUG| [stdout] '; do
		sed "s/^/$mark/" "$others/fio-two.txt" >journal
		pcb-import fio -P journal 2>/dev/null |
			cmp "$others/fio-two.txt.rows"
	done
	# Two programs, the two directions of a copy, jobs that run at once.
	sed '/(g=/d; /^fio-/d' "$others/fio-two.txt" |
		sed -n '/groupid/,$p' >job
	sed 's/pid=5/pid=6/' job | cat job - >clones
	cat "$others"/cop{ybw,ylat}-2.5.txt >programs
	for file in programs "$others/rocm-apu.txt" clones; do
		pcb-import -P "$file" >rows 2>/dev/null
		[ "$(column run <rows | sort -u)" = 1 ] || show "$file"
	done
}

@test "two settings that have no column are never two runs" {
	local format file first second

	while IFS='|' read -r format file first second; do
		{ echo "$first" && cat "$others/$file"; } >one
		{ echo "$second" && cat "$others/$file"; } >two
		try pcb-import "$format" -P one two
		[[ "$status" = 0 && "$(column run <<<"$output" | sort -u)" = 1 &&
			"$(column test <<<"$output" | grep -c =)" = \
				"$(($(wc -l <"$others/$file.rows") - 1))" ]] ||
			show "$format: $second"
		cat one two | pcb-import "$format" -P >rows 2>/dev/null
		[ "$(column run <rows | sort -u)" = 1 ] || show "$second, below"
		pcb-import "$format" -P one one 2>/dev/null >twice
		[ "$(column run <twice | sort -u | xargs)" = "1 2" ] ||
			show "$format: $first, twice"
	done <<-'END'
		nvbandwidth|nvbandwidth-0.8.txt|$ ./nvbandwidth -b 64|$ ./nvbandwidth -b 512
		nvbandwidth|nvbandwidth-0.1.txt|Driver Version: 550.1|Driver Version: 570.1
		mlc|mlc-3.11.txt|Using buffer size of 100.000MiB|Using buffer size of 2000.000MiB
		bandwidthtest|bandwidthtest-csv.txt|Device 0: GPU A|Device 0: GPU B
		p2ptest|p2ptest.txt|[root@h bin]# ./p2ptest|[root@h bin]# ./p2ptest --sm_copy
		ucx-perftest|ucx-1.9.txt|==== tag_bw ====|==== tag_sync_bw ====
		xdma|xdma.txt|### Before|### After
		mlc|mlc-3.11.txt|//E5-2682|//8269
		rocm-bandwidth-test|rocm-apu.txt|Before:|With the patch:
		transferbench|transferbench-1.62.txt|BLOCK_SIZE = 256 : Threads|BLOCK_SIZE = 512 : Threads
		nccl-tests|nccl.txt|h:1:1 [0] NCCL INFO NCCL_P2P_DISABLE set by environment to 0.|h:1:1 [0] NCCL INFO NCCL_P2P_DISABLE set by environment to 1.
		gdrcopy|copylat-2.5.txt|gpu alloc fn: cuMemAlloc|gpu alloc fn: cuMemCreate
		nccl-tests|nccl.txt|NCCL_P2P_DISABLE=1 ./all_reduce_perf -g 2|NCCL_P2P_DISABLE=0 ./all_reduce_perf -g 2
		nccl-tests|nccl.txt|$ NCCL_ALGO=RING ./all_reduce_perf -g 2|$ NCCL_ALGO=TREE ./all_reduce_perf -g 2
		ucx-perftest|ucx-1.9.txt|$ export UCX_TLS=rc|$ export UCX_TLS=tcp
		p2ptest|p2ptest.txt|These are the results with the old driver:|And those with the new one are here:
		fio|fio-two.txt|Before:|2nd try, with the patch:
		fio|fio-3.txt|# bs = 128k|# bs = 256k
	END
}

@test "the format of a file is found out" {
	local format file i last=

	while read -r format file; do
		[ "$format" != "$last" ] || continue
		last=$format
		try pcb-import -P "$others/$file"
		is 0 "$(cat "$others/$file.rows")" "$stderr"
		[[ "$stderr" = "pcb-import: $others/$file: read as $format"* ]]
	done < <(formats)
	try pcb-import -P - <"$others/ib_send_bw.json"
	is 0 "$(cat "$others/ib_send_bw.json.rows")" \
		"pcb-import: standard input: read as perftest"
	sed '/^ *[0-9]/s/$/ 1/' "$others/ib_send_bw-4.txt" >odd
	try pcb-import odd
	[[ "$status" = 2 && "$stderr" = "pcb-import: odd:6: perftest: "* &&
		"$stderr" != *$'\n'* ]]
	cat "$others"/{bandwidthtest-11,copybw,gdsio}.txt >three
	try pcb-import three
	is 2 "" "pcb-import: three: may be bandwidthtest or gdrcopy or gdsio: \
name the format, as in 'pcb-import bandwidthtest FILE'"
	# Of a large file, the beginning tells, unless two programs are in it.
	cp "$others/gdsio.txt" large
	for ((i = 0; i < 11; i++)); do
		cat large large >next
		mv next large
	done
	runs pcb-import -P large
	[ "${#lines[@]}" -gt 1000 ]
	echo 'IoType: READ XferType: none secs' | cat large - >broken
	try pcb-import broken
	[[ "$status$output" = 2 && "$stderr" = *": read as gdsio"* &&
		"$stderr" = *"broken:$(wc -l <broken): gdsio: "* ]] || show broken
	cat large "$others/copybw.txt" >two
	try pcb-import two
	is 2 "" "pcb-import: two: may be gdrcopy or gdsio: "
	{
		printf '{ "filler": "%0300000d",\n' 1
		tail -n +2 "$others/fio-3.16.json"
	} >large.json
	try pcb-import -P large.json
	is 0 "$(cat "$others/fio-3.16.json.rows")" "$stderr"
	# Streams can be read only once.
	try pcb-import -P <(cat "$others/gdsio.txt") <(cat "$others/gdsio.txt")
	is 0 "$(pcb-import gdsio -P "$others"/gdsio.txt{,})" "$stderr"
	mkfifo pipe
	try timeout 5 pcb-import pipe
	is 2 "" "pcb-import: pipe: "
	# Standard input belongs to somebody else.
	printf 'one\ntwo\n' | {
		pcb-import "$others/copylat.txt" >/dev/null 2>&1
		[ "$(cat | wc -l)" = 2 ]
	}
	try pcb-import ./none
	is 2 "" "pcb-import: ./none: No such file or directory"
	try pcb-import .
	is 2 "" "pcb-import: .: Is a directory (of ndl, it would have datapoints.csv)"
}

@test "a refusal names the program whose words stand there, and no other" {
	local format file long named last=
	local -i sixth

	while read -r format file; do
		[ "$format" != "$last" ] || continue
		last=$format
		long=$(wc -l <"$others/$file")
		for sixth in 1 2 3 4 5; do
			# As somebody pastes it: without its end, or its start.
			head -n $((long * sixth / 6)) "$others/$file" >part
			[ -s part ] || continue
			try pcb-import part
			[ "$status" != 0 ] || continue
			named=$(sed -n 's/.*no result of \([^:]*\):.*/\1/p' \
				<<<"$stderr")
			[[ -z "$named" || "$named" = "$format" ]] ||
				show "$file: $sixth of 6"
		done
	done < <(formats)
	while IFS='|' read -r named text; do
		given "$text\n" -
		[[ "$status$output" = 2 && "$stderr" = *"$named"* &&
			"$stderr" != *$'\n'* ]] || show "$text"
	done <<-'END'
		nccl-tests|# Avg bus bandwidth    : 7.48202
		nvbandwidth|nvbandwidth Version: v0.8
		ucx-perftest|\| # iterations \| typical \| average \|
		fio|fio-2.1.10
		p2ptest|Unidirectional P2P=Enabled Bandwidth
		mlc|Intel(R) Memory Latency Checker - v3.9
		iperf3|[ ID] Interval           Transfer     Bandwidth
		OSU|# OSU MPI-CUDA Bandwidth Test v7.5
		iperf3|{ "end": { "sum_sent": { "bits_per_second": 1e9 } } }
		fabtests|64      10      =10      1.2k        0.02s      0.06    1130.70 usec/xfer
		nvidia-smi dmon|# gpu  rxpci  txpci
		clpeak|    Transfer bandwidth (GBPS)
		dd|10737418240 Bytes (11 GB, 10 GiB) kopiert, 3,21512 s, 3,3 GB/s
		SPDK|Device Information        :       IOPS      MiB/s    Average        min
		is recognised|Device ID     Device Information   
		hdparm|Timing buffered disk reads: 118 MB in  3.00 seconds =  39.33 MB/sec
		dd|1073741824 bytes (1.1 GB, 1.0 GiB) copied, 0.376648 s, 2.9 GB/s
		pcm-pcie|Skt \| PCIeRdCur \| RFO
		xbutil|Host -> PCIe -> FPGA write bandwidth = 9302.8 MB/s
		transferbench|GPU-GFX Scaling benchmark:\n1 14.1 14.0
		input:1 has|Throughput: 2.3 GiB/sec, Avg_Latency: 81215 usecs
		is recognised|1.5 2.5 3.5
	END
}

@test "texts that people posted: values of the last row" {
	local format file wanted

	needs_data
	while read -r format file wanted; do
		pcb-import "$format" -P "$PCB_TEST_DATA/public/$file" \
			2>messages >rows || show "$file: $(cat messages)"
		[ "$(wc -l <rows) $(tail -n 1 rows | tr , ' ' | xargs)" = \
			"$wanted" ] || show "$file: $(wc -l <rows) $(tail -n 1 rows)"
	done <<-'END'
		perftest 02-ib-loopback-8M.txt 3 1 imported ib_write_bw ib0 8388608 20000 201.80239384576 1 RC ON 4096
		perftest 03-ib-loopback-all.txt 25 2 imported ib_write_bw ib0 8388608 2000 194.95695417344 1 RC ON 128 4096
		perftest 21-perftest-indented.txt 9 1 imported ib_write_bw mlx5_1 256 5000 16.32 1 RC 128 4096
		perftest 20-perftest-duration-conflicting-freq.txt 2 1 imported ib_write_bw mlx5_0 65536 560845 98.02 1 RC ON 128 4096
		perftest 22-perftest-fragment.txt 2 1 imported perftest 65536 5000 51.04
		perftest 76-perftest-lat-conflicting.txt 2 1 imported ib_send_lat mlx5_0 2 1000 1240 5190 1270 1270 0 1370 5190 1 RC ON 1 4096
		perftest 82-perftest-216-unquoted.json 2 1 imported ib_write_lat rxe0 128 5000 2370 5390 2420 2420 50 2470 4030 1 RC OFF 1 1024
		perftest 84-perftest-273-postlist.txt 2 1 imported ib_write_bw ib0 8 224958464 0.48 1 RC Unsupported 256 Post List=128 4096
		perftest 87-perftest-use-cuda-4080.txt 2 1 imported ib_write_bw mlx5_0 65536 5000 125.39853275136 gpu 1 RC ON 4096
		nvbandwidth 47-nvbandwidth-0.5-gh200-with-perf.txt 2 1 imported device_to_host_memcpy_ce gpu0 2183.52
		nvbandwidth 47b-nvbandwidth-0.5-gh200.txt 2 1 imported device_to_host_memcpy_ce gpu0 2183.52
		nvbandwidth 49-nvbandwidth-0.10-runs.txt 9 1 imported bw_wr gpu7 ce 441.6
		nvbandwidth 49c-nvbandwidth-issue-fragment.txt 9 1 imported bw_rd gpu7 sm 280.48
		nvbandwidth 48-nvbandwidth-0.8-laptop.txt 5 1 imported all_to_host_memcpy_ce 0000:01:00.0 105.44
		nvbandwidth 49b-nvbandwidth-0.2-h800.txt 9 1 imported bw_rd gpu7 ce 442.72
		nvbandwidth 49d-nvbandwidth-a6000-issue.txt 31 1 imported nvbandwidth gpu4 gpu5 210.8 memcpy CE GPU(row) -> GPU(column) bandwidth
		nvbandwidth 67-nvbandwidth-0.7-dcgm.json 2 1 imported bw_rd gpu0 ce 99.1712
		nvbandwidth 90-nvbandwidth-0.7-multinode-gb200.txt 13 1 imported multinode_device_to_device_memcpy_read_ce worker-1/0008:01:00.0 worker-1/0009:01:00.0 6383.6
		bandwidthtest 04-cuda-h2d-shmoo.txt 82 1 imported bw_rd gpu0 ce 68000000 99.2
		bandwidthtest 04b-cuda-d2h-shmoo.txt 82 1 imported bw_wr gpu0 ce 68000000 104.8
		bandwidthtest 05-cuda-d2d-shmoo.txt 82 1 imported cuda_d2d gpu0 68000000 6102.4
		bandwidthtest 43-bandwidthtest-gtx1070.txt 4 1 imported cuda_d2d gpu0 33554432 1597.3075648512
		bandwidthtest 45-bandwidthtest-k80-indented.txt 4 1 imported cuda_d2d gpu0 33554432 1186.8647194624
		bandwidthtest 74-bandwidthtest-range-2080ti.txt 2 1 imported bw_rd gpu0 ce 100000000 104.8
		mlc 23-mlc-3.7-bwmatrix.txt 5 1 imported mlc_bandwidth 1 1 976.044 --bandwidth_matrix Read-only
		mlc 24-mlc-3.9.txt 14 1 imported mlc_bandwidth 1 1 Read-only 502.5752
		mlc 25-mlc-3.11b-loaded.txt 7 1 imported mlc_loaded_latency 1000 120.73 42.9272 --loaded_latency -t4 Read-only
		mlc 25b-mlc-3.11b-loaded-stars.txt 7 1 imported mlc_loaded_latency 1000 120.73 42.9272 --loaded_latency -t4 Read-only
		mlc 26-mlc-3.9a-cxl-latmatrix.txt 7 1 imported mlc_idle_latency 1 2 391 --latency_matrix -r
		p2ptest 27-p2ptest-old-cuda.txt 17 1 imported p2p_bw_bidir gpu1 gpu1 1087.36 on
		p2ptest 28-p2ptest-genoa.txt 25 1 imported p2p_latency 0000:61:00.0 0000:61:00.0 off cpu 2040
		rocm-bandwidth-test 29-rocm-bw-strix-halo.txt 6 1 imported rocm_copy_bidir 0000:c2:00.0 cpu0 write 667.912
		rocm-bandwidth-test 30-rocm-bw-2018-vega.txt 11 1 imported rocm_copy_bidir 0000:07:00.0 207.49364 cpu0 write
		gdrcopy 33-gdrcopy-copylat-spaces-fragment.txt 8 1 imported gdr_copy_from_mapping gpu0 copylat 4 1758.8 100
		gdrcopy 33b-gdrcopy-copylat-2.5-section.txt 5 1 imported gdr_copy_from_mapping gpu0 copylat 512 100 1189 1164
		xdma 68b-xdma-verbose.txt 3 1 imported bw_rd xdma0_h2c_0 engine 1073807360 1 0.000186528
		pcm-iio 77-pcm-iio-cpu-columns.csv 5 1 imported pcm_iio Socket0/IIO Stack 20 - PCIe2/Part0 (1st x16/x8/x4) 1 outbound-write 0
		transferbench 32-transferbench-p2p-mi300.txt 17 1 imported transferbench gpu1 G1 G1 268435456 17220.08 sm
		transferbench 39-transferbench-1.62-example.txt 5 1 imported transferbench gpu1 sm G1 G0 2097152 370.432 8 3
		transferbench 40-transferbench-rbt-plugin.txt 2 1 imported bw_rd gpu0 ce C0 G0 268435456 439.288 1 1
		transferbench 41-transferbench-old-gpu000.txt 3 1 imported transferbench gpu0 ce G0 G1 67108864 386.792 1 2
		transferbench 93-transferbench-box-null-dst.txt 5 1 imported transferbench gpu0 G0 G1 33554432 390.456 4 1 sm
		bandwidthtest 44-bandwidthtest-p600-gbs.txt 4 1 imported cuda_d2d gpu0 32000000 423.2
		rocm-bandwidth-test 31-rocm-bw-9070.txt 5 1 imported rocm_copy gpu2 gpu2 4320.512
		transferbench 38-transferbench-mi210-boxpipes.txt 2 1 imported bw_rd gpu0 ce D0 G0 1073741824 114.808 1
		transferbench 66b-transferbench-w7900-nowarn.txt 2 1 imported bw_rd gpu0 ce D0 G0 1073741824 226.056 1
		transferbench 92-transferbench-a2a-mi300x.txt 3 1 imported transferbench gpu1 sm F1 F0 67108864 376 8 1
		perf-iostat 34d-perf-iostat-footer.txt 9 1 imported perf_iostat 0000:3a outbound-write 0
		xdma 68-xdma-verbose-with-hexdump.txt 3 1 imported bw_rd xdma0_h2c_0 engine 1073807360 1 0.000186528
		pcm-iio 77b-pcm-iio-custom-events.csv 8 1 imported pcm_iio Socket0/IIO Stack 20 - PCIe2/Part0 (1st x16/x8/x4) 1 VT-d Mem Read 5
		nccl-tests 09-nccl-allreduce.txt 69 1 imported nccl in-place 8589934592 float sum 63959000 1074.4 1880.24 8
		hip-bus-bandwidth 06-rocm-memory-h2d.txt 47 1 imported hip_h2d_timepinned 536870912 21689700 21762200 141100 21658500 22079400
		fio 07-fio-3.16.json 5 1 imported fio_write_total /dev/nvme0n1 rand_read_write 4096 64 441909 1560749.444938 207695.144244 6302845 random libaio 4 1531904 1908736 2072576 2605056
		gdsio 91-gdsio-gpud.txt 2 1 imported gdsio_read GPUD 8 1048576 799606 56.046385455169536 1197370.995
	END
	try pcb-import -P "$PCB_TEST_DATA/public/69-qdma-doc-average.txt"
	[[ "$status" = 2 && "$stderr" = *" Add -l bench="* ]]
	lacks '0000:00 1 2 3 4\n' perf-iostat
	try pcb-import perf-iostat \
		"$PCB_TEST_DATA/public/34b-perf-iostat-squeezed-columns.txt"
	[[ "$status" = 2 && "$stderr" = *":6: 4 values under 5 titles"* ]]
}

@test "texts that nobody had seen: right, or refused with program and line" {
	local file format n cells cell

	needs_data
	while read -r file format n cells; do
		try pcb-import -P "$PCB_TEST_DATA"/public2/"$file"*
		if [ "$format" = refused ]; then
			[[ "$status$output" = 2 && "$stderr" != *$'\n'* ]] ||
				show "$file"
			for cell in $n $cells; do
				[[ "$stderr" = *"$cell"* ]] || show "$file: $cell"
			done
			continue
		fi
		[[ "$status" = 0 && "$stderr" = *": read as $format"* ]] ||
			show "$file"
		[ "${#lines[@]}" = $((n + 1)) ] || show "$file: $n rows"
		for cell in $cells; do
			grep -qE "(^|,)${cell//./\\.}(,|\$)" <<<"$output" ||
				show "$file: $cell"
		done
	done <<-'END'
		i01 rocm-bandwidth-test 10 227.288 227.28 232.104 232.128 385.808 384.816
		i02 nvbandwidth 16 281.52 422.16
		i03 nvbandwidth 11 2700.4 17139.2 2361.84 1280.16 bw_rd,gpu0,,ce,17139.2,1
		i04 nvbandwidth 16 452.32 428.88 459.2
		i06 ucx-perftest 6 ucx_perftest_progress 19.505610752 179.55085615104
		i08 fio 1 52.579794944 25035000
		i09 fio 1 10.896801792 4096 64
		i11 fio 1 2.675965952 53000000
		i12 mlc 9 727.4856 275.6592 1449.788
		i14 xdma 2 0.04108696 0.058089408
		i18 nccl-tests 16 130.56 150.32
		i20 refused :2: nccl-tests: '|
		i21 nccl-tests 6 31250 16800
		i22 nccl-tests 2 1289.12 1237.04
		i23 nccl-tests 4 33554432 157.186928
		i25 transferbench 1 268.16
		i26 gdsio 2 215.716501968125952 gpu1
		i27 gdsio 1 52.987776034930688
		i29 gdsio 2 110.930415321088 53.266184404992
		j01 refused bandwidthtest p2ptest gdsio
		j03 p2ptest 32 210.56 416.88 1120 yes,write
		j04 perftest 4 2690 92.48197050368 2650
		j06 perftest 3 1600 1580 1650
		j07 transferbench 1 bw_rd 4.28
		j10 gdrcopy 8 80.104914944 0.01259734040576
		j11 refused :5: perf-iostat: Outbound
		j13 refused :3: iperf3
		j16 nvbandwidth 2 201.36 202
		k01 transferbench 56 405.856 408.664
		k03 transferbench 7 450.472 487.784 302.856 370.432 11950.312 302.048 466.616
		k04 p2ptest 108 81.12,on,write 99.44,on,read
		l01 perftest 1 18.70047215616
		l02 qdma 2 2.041380864 2.022899712
		l04 fio 1 bw_wr 99.29572676
	END
}
