#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# pcb-model --join: the model beside measured rows.

load helpers

tests pcb-model

# joins INPUT WANTED [OPTION...]: with the paper's accounting.
joins() {
	gives "$1" "$2" --join --accounting pcie-bench "${@:3}"
}

# cannot_join INPUT MESSAGE [OPTION...]
cannot_join() {
	refuses "$1" "$2" --join "${@:3}"
}

gen3=gen3x8/mps256/mrrs512/rcb64
header=kind,bench,link,accounting,completer,size_bytes,offset_bytes
header+=,window_bytes,mrd_tlps,mwr_tlps,cpld_tlps,tx_bytes,rx_bytes
header+=,efficiency_pct,transactions_per_s,transaction_ns,bandwidth_gbit_s
header+=,limited_by
added=model_accounting,model_gbit_s,model_ratio_pct,limited_by

@test "--join puts the model next to what was measured" {
	joins "kind,bench,link,size_bytes,median_gbit_s
measured,bw_rd,$gen3,64,22.051339286374233
measured,bw_wr,$gen3,64,42.09801136489626\n" \
		"kind,bench,link,size_bytes,median_gbit_s,$added
measured,bw_rd,$gen3,64,22.051339286374233,pcie-bench,44.10267857274847,50,rx_bytes
measured,bw_wr,$gen3,64,42.09801136489626,pcie-bench,42.09801136489626,100,tx_bytes"
}

@test "--join: offsets, and the completer" {
	local in=bench,link,size_bytes,offset_bytes,bandwidth_gbit_s

	joins "$in\nbw_wr,$gen3,64,4090,1\nbw_wr,$gen3,64,,1\n" "$in,$added
bw_wr,$gen3,64,4090,1,pcie-bench,33.07700892956135,3.0232479669777126,tx_bytes
bw_wr,$gen3,64,,1,pcie-bench,42.09801136489626,2.3754091169110603,tx_bytes"
	joins "$in\nbw_rd,$gen3,512,0,40\n" "$in,$added
bw_rd,$gen3,512,0,40,pcie-bench,44.10267857274847,90.69743900933138,rx_bytes" \
		--completer rcb
}

@test "--join: the median, else the bandwidth" {
	local in=bench,link,size_bytes,bandwidth_gbit_s,median_gbit_s

	joins "$in\nbw_wr,$gen3,64,1,42.09801136489626\nbw_wr,$gen3,64,42.09801136489626,\n" \
		"$in,$added
bw_wr,$gen3,64,1,42.09801136489626,pcie-bench,42.09801136489626,100,tx_bytes
bw_wr,$gen3,64,42.09801136489626,,pcie-bench,42.09801136489626,100,tx_bytes"
}

@test "--join: rows without a model are kept" {
	joins "bench,link,size_bytes,median_gbit_s\nbw_wr,$gen3,64,42.09801136489626\n,,,\n" \
		"bench,link,size_bytes,median_gbit_s,$added
bw_wr,$gen3,64,42.09801136489626,pcie-bench,42.09801136489626,100,tx_bytes
,,,,,,,"
	given "bench,size_bytes,median_ns\nlat_rd,64,700\n,,\n" --join -P
	is 0 "bench,size_bytes,median_ns,$added
lat_rd,64,700,,,,
,,,,,," "pcb-model: the model adds nothing: no row has a bandwidth of a bench that it \
computes: bw_rd, bw_wr, bw_rdwr (pcb-import -l bench=bw_wr names it if \
the device writes to memory, as a drive does that is read, or bw_rd if it reads \
there); for latencies, add -d sim:NAME of a simulated host"
	printf 'bench,link,size_bytes,bandwidth_gbit_s
bw_rd,pci32/33,64,1\nbw_rd,gen6x8/mps256/mrrs512/rcb64,64,1\n' >input
	try pcb-model -P --join --accounting pcie-bench input
	is 0 "bench,link,size_bytes,bandwidth_gbit_s,$added
bw_rd,pci32/33,64,1,,,,
bw_rd,gen6x8/mps256/mrrs512/rcb64,64,1,,,," \
		"pcb-model: rows without a model: 2, the last because \
generation 6 and later have only flit mode"
	printf 'bench,link,size_bytes,bandwidth_gbit_s\nbw_wr,%s,64,\n' \
		$gen3 >input
	try pcb-model -P --join --accounting pcie-bench input
	is 0 "bench,link,size_bytes,bandwidth_gbit_s,$added
bw_wr,$gen3,64,,pcie-bench,42.09801136489626,,tx_bytes" \
		"pcb-model: rows without a value to compare: 1"
}

@test "--join: options override the rows' links" {
	local in=bench,link,size_bytes,bandwidth_gbit_s
	local slower

	slower=$(pcb-model -P bw_wr -s 512 --mps 128 --accounting pcie-bench | tail -n 1 |
		cut -d, -f17)
	joins "$in\nbw_wr,$gen3,512,$slower\n" "$in,$added
bw_wr,$gen3,512,$slower,pcie-bench,$slower,100,tx_bytes" --mps 128
	# The whole link, or the two required parts.
	joins "$in\nbw_wr,,64,42.09801136489626\n" "$in,$added
bw_wr,,64,42.09801136489626,pcie-bench,42.09801136489626,100,tx_bytes" --link $gen3
	joins "$in\nbw_wr,,64,42.09801136489626\n" "$in,$added
bw_wr,,64,42.09801136489626,pcie-bench,42.09801136489626,100,tx_bytes" --gen 3 --lanes 8
	joins "$in\nbw_wr,pci32/33,64,42.09801136489626\n" "$in,$added
bw_wr,pci32/33,64,42.09801136489626,pcie-bench,42.09801136489626,100,tx_bytes" \
		--link $gen3
	joins "bench,size_bytes,bandwidth_gbit_s\nbw_wr,64,42.09801136489626\n" \
		"bench,size_bytes,bandwidth_gbit_s,$added
bw_wr,64,42.09801136489626,pcie-bench,42.09801136489626,100,tx_bytes" --link $gen3
}

@test "--join refuses what it cannot understand" {
	local in=bench,link,size_bytes,bandwidth_gbit_s

	cannot_join 'a\n1\n' "standard input: no column 'bench', which says what was measured"
	cannot_join 'bench,size_bytes,bandwidth_gbit_s\nlat_rd,64,1\nbw_rd,64,1\n' \
		"standard input:3: bench: 'bw_rd' needs a link: the row has none; --link \
names one, or --gen and --lanes"
	cannot_join "$in\nbw_rd,,64,1\n" "standard input:2: bench: 'bw_rd' needs a link: the \
row has none; --link names one, or --gen and --lanes" --gen 3
	cannot_join "$in\nbw_rd,gen3x3/mps256/mrrs512/rcb64,64,1\n" \
		"standard input:2: link: 'gen3x3/mps256/mrrs512/rcb64': the lanes are 1, \
2, 4, 8, 12, 16 or 32"
	cannot_join "bench,link,bandwidth_gbit_s\nbw_rd,$gen3,1\n" \
		"standard input:2: bench: 'bw_rd' needs size_bytes, which is empty or \
missing"
	cannot_join "$in\nbw_rd,$gen3,,1\n" "standard input:2: bench: 'bw_rd' needs \
size_bytes, which is empty or missing"
	cannot_join "$in\nbw_rd,$gen3,0,1\n" \
		"standard input:2: size_bytes: '0': a transfer has at least 1 byte"
	cannot_join "$in\nbw_rd,$gen3,64K,1\n" \
		"standard input:2: size_bytes: '64K': not a whole number such as 42"
	cannot_join "$in,offset_bytes\nbw_rd,$gen3,64,1,x\n" \
		"standard input:2: offset_bytes: 'x': not a whole number such as 42"
	cannot_join "$in,offset_bytes\nbw_rd,$gen3,64,1,1099511627777\n" \
		"standard input:2: offset_bytes: '1099511627777': an offset is at most 1024G"
	cannot_join "$in\nbw_rd,$gen3,64,fast\n" \
		"standard input:2: bandwidth_gbit_s: 'fast': not a number"
	cannot_join "$in\nbw_rd,$gen3,64,-1\n" \
		"standard input:2: bandwidth_gbit_s: '-1': a bandwidth is not negative"
	cannot_join "bench,link,size_bytes,median_ns\nbw_rd,$gen3,64,1\n" \
		"standard input:2: bench: 'bw_rd' needs median_gbit_s or bandwidth_gbit_s"
	cannot_join "$in\nbw_rd,$gen3,64,1\nbw_rd,$gen3\n" \
		"standard input:3: 2 fields where the header has 4"
	cannot_join '' 'no input (did the program before it fail?)'
}

@test "--join writes one part with the columns of all" {
	printf 'bench,link,size_bytes,bandwidth_gbit_s\nbw_wr,%s,64,1\n' \
		$gen3 >one
	printf 'host,bench,median_ns\nb,lat_rd,2\n' >two
	try pcb-model -P --join --accounting pcie-bench one two
	is 0 "bench,link,size_bytes,bandwidth_gbit_s,host,median_ns,$added
bw_wr,$gen3,64,1,,,pcie-bench,42.09801136489626,2.3754091169110603,tx_bytes
lat_rd,,,,b,2,,,," ""
}

@test "--join with itself is 100 %, and can be repeated" {
	local options='-s 1:4096:x3 --offset 0,1,100,4000'

	for bench in bw_rd bw_wr bw_rdwr; do
		# shellcheck disable=SC2086
		{
			pcb-model "$bench" $options
			pcb-model "$bench" $options -w 10000
			pcb-model "$bench" $options --accounting pcie-bench \
				--completer rcb --gen 2
			pcb-model "$bench" $options --gen 6
		} >"of_$bench"
	done
	pcb-model --join of_* >once
	pcb-model --join once | sed '/^#/d' >twice
	sed '/^#/d' once | cmp - twice
	column model_ratio_pct <twice >ratios
	[ "$(sort -u ratios)" = 100 ]
	[ "$(wc -l <ratios)" = $((3 * 4 * 9 * 4)) ]
	column accounting <twice >counted
	column model_accounting <twice | cmp - counted
}

@test "--join: how rows were counted, and what of it options change" {
	local in=bench,link,size_bytes,accounting,completer,bandwidth_gbit_s
	local row="bw_rd,$gen3,512"

	gives "$in\n$row,traffic,rcb,1\n$row,pcie-bench,rcb,1\n$row,,rcb,1\n" \
		"$in,$added
$row,traffic,rcb,1,traffic,47.866847691285535,2.08912858947688,rx_bytes
$row,pcie-bench,rcb,1,pcie-bench,44.10267857274847,2.2674359752332847,rx_bytes
$row,,rcb,1,traffic,47.866847691285535,2.08912858947688,rx_bytes" --join
	joins "$in\n$row,traffic,rcb,1\n" "$in,$added
$row,traffic,rcb,1,pcie-bench,44.10267857274847,2.2674359752332847,rx_bytes"
	cannot_join "$in\n$row,both,rcb,1\n" \
		"standard input:2: accounting: 'both': not such as traffic"
	cannot_join "$in\n$row,traffic,all,1\n" \
		"standard input:2: completer: 'all': not such as combine"
}

@test "--join: windows, and places that are always the same" {
	local in=bench,link,size_bytes,window_bytes,pattern,bandwidth_gbit_s

	joins "$in\nbw_wr,$gen3,416,8192,random,1\nbw_wr,$gen3,416,8192,fixed,1\n" \
		"$in,$added
bw_wr,$gen3,416,8192,random,1,pcie-bench,51.74798531673494,1.9324423818227507,tx_bytes
bw_wr,$gen3,416,8192,fixed,1,pcie-bench,51.89668642396695,1.9269052976341465,tx_bytes"
	cannot_join "$in\nbw_wr,$gen3,416,256,random,1\n" "standard input:2: window_bytes: \
'256': a window holds at least one transfer with its offset, rounded up to \
whole cache lines"
}

# Measured bandwidth may exceed the paper's accounting, which subtracts too
# much, but not the traffic accounting. pcb-import finds the links.
@test "no published bandwidth exceeds what its traffic leaves" {
	needs_data
	local how most

	pcb-import pciebench "$PCB_TEST_DATA"/pciebench/nfp*/bw_dma_*.csv >all
	for how in traffic pcie-bench; do
		pcb-model --join --accounting $how all |
			column model_ratio_pct | sort -g >"$how"
		most=$(tail -n 1 $how | xargs printf %.4g)
		echo "$how: $(wc -l <$how) rows, at most $most %"
	done >said
	diff - said <<-'END'
	traffic: 12920 rows, at most 98.04 %
	pcie-bench: 12920 rows, at most 107.9 %
	END
	# --check would report it, too.
	pcb-model --join --check 100:0 all >/dev/null
}

@test "--join: bounds limit reads and not writes" {
	local in=bench,link,size_bytes,bandwidth_gbit_s

	joins "$in\nbw_rd,$gen3,512,16.384\nbw_wr,$gen3,512,1\n" "$in,$added
bw_rd,$gen3,512,16.384,pcie-bench,16.384,100,inflight
bw_wr,$gen3,512,1,pcie-bench,52.92321428729816,1.8895299793610705,tx_bytes" \
		--inflight 4 --rtt 1us
}

@test "the preamble is passed on and extended" {
	pcb-model bw_wr --accounting pcie-bench >one
	try pcb-model --join one
	is 0 "# pcb-csv: 1
# tool: pcb-model $(pcb-model --version | cut -d' ' -f2)
# command: pcb-model bw_wr --accounting pcie-bench | pcb-model --join one
${header%,limited_by},$added
model,bw_wr,$gen3,pcie-bench,combine,64,0,,0,1,0,88,0,66.80592623823868,\
82222678.447063,12.162094678584628,42.09801136489626,pcie-bench,\
42.09801136489626,100,tx_bytes
# end: rows=1 complete=yes" ""
	sed '$d' one >short
	runs pcb-model --join short
	[ "${lines[-1]}" = "# end: rows=1 complete=no" ]
	[ "$stderr" = "pcb-model: short: the stream was cut short after 1 rows" ]
}

@test "--join takes the link where all others take it" {
	printf 'kind,bench,device,bandwidth_gbit_s\nimported,bw_wr,a,40\n' >rows
	printf 'imported,bw_rd,b,2700\n' >>rows
	pcb-model -P --join --gen 4 --lanes 16 --mps 512 rows >wanted 2>/dev/null
	pcb-model -P --join gen4x16/mps512 rows 2>/dev/null | cmp wanted
	pcb-model -P --join gen4x16/mps512 <rows 2>/dev/null | cmp wanted
	try pcb-model --join gen4x16 --link gen3x8 rows
	[ "$status$output" = 2 ]
	# A file of this name is a file; the row above the bound is named.
	cp rows gen5x16
	try pcb-model -P --join gen4x16 --check 100:5 gen5x16
	[[ "$status" = 1 && "$stderr" = *"bw_rd of b at "* ]]
	pcb-model why 6GB/s gen4x4 --for nvme -P | grep -q -- "--bench bw_wr"
}

@test "--check answers after everything is written" {
	printf 'bench,link,size_bytes,bandwidth_gbit_s
bw_wr,%s,64,40\nbw_wr,%s,64,30\n' $gen3 $gen3 >input
	for percent in 28.8 100; do
		runs pcb-model -P --join --accounting pcie-bench --check $percent input
		[ "${#lines[@]}" = 3 ]
		[ "$stderr" = "" ]
	done
	try pcb-model -P --join --accounting pcie-bench --check 28 input
	[ "$status" = 1 ]
	[ "${#lines[@]}" = 3 ]
	[ "$stderr" = "pcb-model: 1 row falls below the model by more \
than --check allows" ]
	try pcb-model -P --join --accounting pcie-bench --check 0 input
	[ "$status" = 1 ]
	[ "$stderr" = "pcb-model: 2 rows fall below the model by more \
than --check allows" ]
	pcb-model bw_rd -s 64:2048 | pcb-model --join --accounting pcie-bench --check 0 >/dev/null
	# 64 byte writes have a bound of 45.7; 42.1 is no bound.
	printf 'bench,link,size_bytes,bandwidth_gbit_s\nbw_wr,%s,64,46.5\n' \
		$gen3 >fast
	for limits in 0 0:1.8 100:2; do
		try pcb-model -P --join --check $limits fast
		is 0 "$output" ""
	done
	try pcb-model -P --join --check 10:1.7 fast
	[ "$status" = 1 ]
	[ "${#lines[@]}" = 2 ]
	[[ "$stderr" = "pcb-model: 1 row is above the bound by more than \
--check allows, such as bw_wr at 102 %: "* ]]
	pcb-model --join --accounting pcie-bench --check 10:1 fast >/dev/null
	wrong "--check '10:x': not a percentage such as 50, 99.9 or 3%" --join --check 10:x
	wrong "--check '10:101': over 100" --join --check 10:101
	# No answer without a bench of the model.
	cannot_join 'bench,size_bytes,bandwidth_gbit_s\nlat_rd,64,1\n' \
		"--check: no row can be compared with the model" \
		--check 5
}

@test "--join of a header gives a header" {
	printf 'bench,link,size_bytes,bandwidth_gbit_s\n' >input
	try pcb-model -P --join --accounting pcie-bench input
	is 0 "bench,link,size_bytes,bandwidth_gbit_s,$added" \
		"pcb-model: input: a header, but no rows"
}

@test "a simulated sweep next to the model" {
	pcb-collect bw_rd -s 64:2048 -n 10K -d sim | pcb-stats >stats
	runs pcb-model -P --join stats
	[ "$stderr" = "" ]
	[ "${#lines[@]}" = 7 ]
	[[ "${lines[0]}" = *",$added" ]]
	for line in "${lines[@]:1}"; do
		[[ "$line" =~ ,[0-9.]+,[0-9.]+,rx_bytes$ ]]
	done
}

@test "--join: what the CPU sends goes the other way" {
	local in=bench,link,access,store,size_bytes,window_bytes,bandwidth_gbit_s
	local link=gen3x16/mps256/mrrs512/rcb64 size

	for size in 8 32 64; do
		pcb-model bw_wr --link $link -s $size -P |
			column bandwidth_gbit_s
	done >written
	printf '%s\n' $in "bw_mmio_wr,$link,resource,mov,64,4096,1" \
		"bw_mmio_wr,$link,resource,avx,64,4096,1" \
		"bw_mmio_wr,$link,resource,avx512,64,4096,1" \
		"bw_mmio_wr,$link,resource_wc,movnt,8,4096,1" \
		"bw_mmio_wr,$link,vfio,movdir64b,4096,4096,1" >input
	runs pcb-model -P --join input
	[ "$(column limited_by <<<"$output" | sort -u)" = rx_bytes ]
	[ "$(column model_gbit_s <<<"$output")" = \
		"$(sed -n '1p;2p;3p;3p;3p' written)" ] || show "$(cat written)"
	# CPU reads: requests go down, data come up.
	printf '%s\n' $in "bw_mmio_rd,$link,resource,mov,8,4096,1" \
		"bw_mmio_rd,$link,resource,avx512,64,4096,1" >input
	try pcb-model -P --join input
	[ "$(column limited_by <<<"$output" | paste -sd ' ')" = \
		"tx_bytes tx_bytes" ] || show "tx_bytes"
	try pcb-model why 9GB/s gen3x16 --bench bw_mmio_wr
	[ "$status" = 2 ]
}

@test "--plugin: the verdict in one line" {
	printf 'bench,link,size_bytes,bandwidth_gbit_s\n' >rows
	printf 'bw_wr,gen3x8/mps256/mrrs512/rcb64,256,%s\n' 50 30 >>rows
	try pcb-model --join --check 20 --plugin=nagios rows
	[[ "$status" = 2 && "$output" = "PCIE CRITICAL - bw_wr at 5"?" %: 1 row \
falls below the model by more than --check allows | rows=2 below=1 above=0" ]] ||
		show CRITICAL
	# The device that is worst, before all notes.
	sed '1s/$/,device/; 2s/$/,gpu0/; 3s/$/,gpu3/; $a bw_wr,,256,9,gpu1\
bw_wr,,256,,gpu2' rows >devices
	try pcb-model --join gen3x8 --check 20 --plugin=nagios devices
	[[ $status = 2 && ${output:0:80} = *gpu1* && $output = *'; '* ]] || show gpu1
	try pcb-model --join --check 60 --plugin=npd rows
	[[ "$status" = 0 && "$output" = "PCIE OK - "* ]] || show OK
	# What was cut short passes no check.
	(cat rows && echo '# end: rows=2 complete=no') | sed '1i # pcb-csv: 1' >short
	try pcb-model --join --check 60 --plugin=npd short
	[[ "$status" = 1 && "$output" = *"the input is incomplete"* ]] || show cut
	head -n 1 rows >none
	try pcb-model --join --check 60 --plugin=npd none
	[[ "$status" = 2 && "$output" = "PCIE UNKNOWN - "* ]] || show UNKNOWN
}
