#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# pcb-model: --join, the model next to what was measured.
# Formats of printf are arguments here, and bats sets $stderr.
# shellcheck disable=SC2059,SC2154

load helpers

tests pcb-model

setup() {
	cd "$BATS_TEST_TMPDIR" || exit
}

# joins INPUT WANTED [OPTION...]
joins() {
	gives "$1" "$2" --join "${@:3}"
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
measured,bw_rd,$gen3,64,22.051339286374233,spec,44.10267857274847,50,rx_bytes
measured,bw_wr,$gen3,64,42.09801136489626,spec,42.09801136489626,100,tx_bytes"
}

@test "--join: offsets, and the completer" {
	local in=bench,link,size_bytes,offset_bytes,bandwidth_gbit_s

	joins "$in\nbw_wr,$gen3,64,4090,1\nbw_wr,$gen3,64,,1\n" "$in,$added
bw_wr,$gen3,64,4090,1,spec,33.07700892956135,3.0232479669777126,tx_bytes
bw_wr,$gen3,64,,1,spec,42.09801136489626,2.3754091169110603,tx_bytes"
	joins "$in\nbw_rd,$gen3,512,0,40\n" "$in,$added
bw_rd,$gen3,512,0,40,spec,44.10267857274847,90.69743900933138,rx_bytes" \
		--completer rcb
}

@test "--join: the median, else the bandwidth" {
	local in=bench,link,size_bytes,bandwidth_gbit_s,median_gbit_s

	joins "$in\nbw_wr,$gen3,64,1,42.09801136489626\nbw_wr,$gen3,64,42.09801136489626,\n" \
		"$in,$added
bw_wr,$gen3,64,1,42.09801136489626,spec,42.09801136489626,100,tx_bytes
bw_wr,$gen3,64,42.09801136489626,,spec,42.09801136489626,100,tx_bytes"
}

@test "--join: rows without a model are kept" {
	joins "bench,size_bytes,median_ns\nlat_rd,64,700\n,,\n" \
		"bench,size_bytes,median_ns,$added
lat_rd,64,700,,,,\n,,,,,,"
	printf 'bench,link,size_bytes,bandwidth_gbit_s
bw_rd,pci32/33,64,1\nbw_rd,gen6x8/mps256/mrrs512/rcb64,64,1\n' >input
	try pcb-model -P --join input
	is 0 "bench,link,size_bytes,bandwidth_gbit_s,$added
bw_rd,pci32/33,64,1,,,,
bw_rd,gen6x8/mps256/mrrs512/rcb64,64,1,,,," \
		"pcb-model: rows without a model: 2, the last because \
generation 6 and later know flit mode only"
	printf 'bench,link,size_bytes,bandwidth_gbit_s\nbw_wr,%s,64,\n' \
		$gen3 >input
	try pcb-model -P --join input
	is 0 "bench,link,size_bytes,bandwidth_gbit_s,$added
bw_wr,$gen3,64,,spec,42.09801136489626,,tx_bytes" \
		"pcb-model: rows without a bandwidth to compare: 1"
}

@test "--join: options override the rows' links" {
	local in=bench,link,size_bytes,bandwidth_gbit_s
	local slower

	slower=$(pcb-model -P bw_wr -s 512 --mps 128 | tail -n 1 |
		cut -d, -f17)
	joins "$in\nbw_wr,$gen3,512,$slower\n" "$in,$added
bw_wr,$gen3,512,$slower,spec,$slower,100,tx_bytes" --mps 128
	# The whole link, or the two parts without which there is none.
	joins "$in\nbw_wr,,64,42.09801136489626\n" "$in,$added
bw_wr,,64,42.09801136489626,spec,42.09801136489626,100,tx_bytes" --link $gen3
	joins "$in\nbw_wr,,64,42.09801136489626\n" "$in,$added
bw_wr,,64,42.09801136489626,spec,42.09801136489626,100,tx_bytes" --gen 3 --lanes 8
	joins "$in\nbw_wr,pci32/33,64,42.09801136489626\n" "$in,$added
bw_wr,pci32/33,64,42.09801136489626,spec,42.09801136489626,100,tx_bytes" \
		--link $gen3
	joins "bench,size_bytes,bandwidth_gbit_s\nbw_wr,64,42.09801136489626\n" \
		"bench,size_bytes,bandwidth_gbit_s,$added
bw_wr,64,42.09801136489626,spec,42.09801136489626,100,tx_bytes" --link $gen3
}

@test "--join refuses what it cannot understand" {
	local in=bench,link,size_bytes,bandwidth_gbit_s

	cannot_join 'a\n1\n' "-: no column 'bench', which says what was measured"
	cannot_join 'bench,size_bytes,bandwidth_gbit_s\nlat_rd,64,1\nbw_rd,64,1\n' \
		"-:3: bench: 'bw_rd' needs a link: the row has none; --link \
names one, or --gen and --lanes"
	cannot_join "$in\nbw_rd,,64,1\n" "-:2: bench: 'bw_rd' needs a link: the \
row has none; --link names one, or --gen and --lanes" --gen 3
	cannot_join "$in\nbw_rd,gen3x3/mps256/mrrs512/rcb64,64,1\n" \
		"-:2: link: 'gen3x3/mps256/mrrs512/rcb64': the lanes are 1, \
2, 4, 8, 12, 16 or 32"
	cannot_join "bench,link,bandwidth_gbit_s\nbw_rd,$gen3,1\n" \
		"-:2: bench: 'bw_rd' needs size_bytes, which is empty or not \
there"
	cannot_join "$in\nbw_rd,$gen3,,1\n" "-:2: bench: 'bw_rd' needs \
size_bytes, which is empty or not there"
	cannot_join "$in\nbw_rd,$gen3,0,1\n" \
		"-:2: size_bytes: '0': a transfer has at least 1 byte"
	cannot_join "$in\nbw_rd,$gen3,64K,1\n" \
		"-:2: size_bytes: '64K': not a whole number such as 42"
	cannot_join "$in,offset_bytes\nbw_rd,$gen3,64,1,x\n" \
		"-:2: offset_bytes: 'x': not a whole number such as 42"
	cannot_join "$in,offset_bytes\nbw_rd,$gen3,64,1,1099511627777\n" \
		"-:2: offset_bytes: '1099511627777': an offset is at most 1024G"
	cannot_join "$in\nbw_rd,$gen3,64,fast\n" \
		"-:2: bandwidth_gbit_s: 'fast': not a number"
	cannot_join "$in\nbw_rd,$gen3,64,-1\n" \
		"-:2: bandwidth_gbit_s: '-1': a bandwidth is not negative"
	cannot_join "bench,link,size_bytes,median_ns\nbw_rd,$gen3,64,1\n" \
		"-:2: bench: 'bw_rd' needs median_gbit_s or bandwidth_gbit_s"
	cannot_join "$in\nbw_rd,$gen3,64,1\nbw_rd,$gen3\n" \
		"-:3: 2 fields where the header has 4"
	cannot_join '' '-: empty: not even a header row'
}

@test "--join writes one part with the columns of all" {
	printf 'bench,link,size_bytes,bandwidth_gbit_s\nbw_wr,%s,64,1\n' \
		$gen3 >one
	printf 'host,bench,median_ns\nb,lat_rd,2\n' >two
	try pcb-model -P --join one two
	is 0 "bench,link,size_bytes,bandwidth_gbit_s,host,median_ns,$added
bw_wr,$gen3,64,1,,,spec,42.09801136489626,2.3754091169110603,tx_bytes
lat_rd,,,,b,2,,,," ""
}

@test "--join with itself is 100 %, and can be repeated" {
	local options='-s 1:4096:x3 --offset 0,1,100,4000'

	for bench in bw_rd bw_wr bw_rdwr; do
		# shellcheck disable=SC2086
		{
			pcb-model "$bench" $options
			pcb-model "$bench" $options -w 10000
			pcb-model "$bench" $options --accounting traffic \
				--completer rcb --gen 2
			pcb-model "$bench" $options --gen 6
		} >"of_$bench"
	done
	pcb-model --join of_* >once
	pcb-model --join once | sed '/^#/d' >twice
	sed '/^#/d' once | cmp - twice
	column model_ratio_pct <twice >ratios
	[ "$(sort -u ratios)" = 100 ]
	[ "$(wc -l <ratios)" = $((3 * 4 * 8 * 4)) ]
	column accounting <twice >counted
	column model_accounting <twice | cmp - counted
}

@test "--join: how rows were counted, and what of it options change" {
	local in=bench,link,size_bytes,accounting,completer,bandwidth_gbit_s
	local rows="bw_rd,$gen3,512,traffic,rcb,1\n"

	pcb-model bw_rd -s 512 --accounting traffic --completer rcb >model
	joins "$in\n$rows" "$in,$added
bw_rd,$gen3,512,traffic,rcb,1,traffic,47.866847691285535,2.08912858947688,rx_bytes"
	cannot_join "$in\nbw_rd,$gen3,512,both,rcb,1\n" \
		"-:2: accounting: 'both': not spec or traffic"
	cannot_join "$in\nbw_rd,$gen3,512,spec,all,1\n" \
		"-:2: completer: 'all': not combine, aligned or rcb"
}

@test "--join: windows, and places that are always the same" {
	local in=bench,link,size_bytes,window_bytes,pattern,bandwidth_gbit_s

	joins "$in\nbw_wr,$gen3,416,8192,random,1\nbw_wr,$gen3,416,8192,fixed,1\n" \
		"$in,$added
bw_wr,$gen3,416,8192,random,1,spec,51.74798531673494,1.9324423818227507,tx_bytes
bw_wr,$gen3,416,8192,fixed,1,spec,51.89668642396695,1.9269052976341465,tx_bytes"
	cannot_join "$in\nbw_wr,$gen3,416,256,random,1\n" "-:2: window_bytes: \
'256': a window holds at least one transfer with its offset, rounded up to \
whole cache lines"
}

# What was measured may exceed spec, which takes off too much, but not what
# the traffic leaves. The card's link is known from its host; on one of the
# systems the host has an MPS of 128.
@test "no published bandwidth exceeds what its traffic leaves" {
	[ -n "${PCB_TEST_DATA:-}" ] || skip "PCB_TEST_DATA is not set"
	local file mps how

	for file in "$PCB_TEST_DATA"/pciebench/*/bw_dma_*.csv; do
		mps=256
		[[ $file != *E3-1226v3* ]] || mps=128
		for how in spec traffic; do
			pcb-import pciebench "$file" |
				pcb-model --join --gen 3 --lanes 8 --mps $mps \
					--accounting $how |
				column model_ratio_pct >>"$how.ratios"
		done
	done
	[ "$(wc -l <traffic.ratios)" -ge 2442 ]
	[ "$(sort -g traffic.ratios | tail -n 1 | cut -c 1-5)" = 97.51 ]
	[ "$(sort -g spec.ratios | tail -n 1 | cut -c 1-5)" = 106.4 ]
}

@test "--join: bounds limit reads and not writes" {
	local in=bench,link,size_bytes,bandwidth_gbit_s

	joins "$in\nbw_rd,$gen3,512,16.384\nbw_wr,$gen3,512,1\n" "$in,$added
bw_rd,$gen3,512,16.384,spec,16.384,100,inflight
bw_wr,$gen3,512,1,spec,52.92321428729816,1.8895299793610705,tx_bytes" \
		--inflight 4 --rtt 1us
}

@test "the preamble is passed on and extended" {
	pcb-model bw_wr >one
	try pcb-model --join one
	is 0 "# pcb-csv: 1
# tool: pcb-model $(pcb-model --version | cut -d' ' -f2)
# command: pcb-model bw_wr | pcb-model --join one
${header%,limited_by},$added
model,bw_wr,$gen3,spec,combine,64,0,,0,1,0,88,0,66.80592623823868,\
82222678.447063,12.162094678584628,42.09801136489626,spec,\
42.09801136489626,100,tx_bytes
# end: rows=1 complete=yes" ""
	sed '$d' one >short
	try pcb-model --join short
	[ "$status" = 0 ]
	[ "${lines[-1]}" = "# end: rows=1 complete=no" ]
	[ "$stderr" = "pcb-model: short: the stream was cut short after 1 rows" ]
}

@test "--check answers after everything is written" {
	printf 'bench,link,size_bytes,bandwidth_gbit_s
bw_wr,%s,64,40\nbw_wr,%s,64,30\n' $gen3 $gen3 >input
	for percent in 28.8 100; do
		try pcb-model -P --join --check $percent input
		[ "$status" = 0 ]
		[ "${#lines[@]}" = 3 ]
		[ "$stderr" = "" ]
	done
	try pcb-model -P --join --check 28 input
	[ "$status" = 1 ]
	[ "${#lines[@]}" = 3 ]
	[ "$stderr" = "pcb-model: 1 row falls short of the model by more \
than --check allows" ]
	try pcb-model -P --join --check 0 input
	[ "$status" = 1 ]
	[ "$stderr" = "pcb-model: 2 rows fall short of the model by more \
than --check allows" ]
	pcb-model bw_rd -s 64:2048 | pcb-model --join --check 0 >/dev/null
	# No answer where there is no question.
	cannot_join 'bench,size_bytes,bandwidth_gbit_s\nlat_rd,64,1\n' \
		"--check: no row that the model could be compared with" \
		--check 5
}

@test "--join of a header gives a header" {
	printf 'bench,link,size_bytes,bandwidth_gbit_s\n' >input
	try pcb-model -P --join input
	is 0 "bench,link,size_bytes,bandwidth_gbit_s,$added" \
		"pcb-model: input: a header, but no rows"
}

@test "a simulated sweep next to the model" {
	pcb-collect bw_rd -s 64:2048 -n 10K -d sim | pcb-stats >stats
	try pcb-model -P --join stats
	[ "$status" = 0 ]
	[ "$stderr" = "" ]
	[ "${#lines[@]}" = 7 ]
	[[ "${lines[0]}" = *",$added" ]]
	for line in "${lines[@]:1}"; do
		[[ "$line" =~ ,[0-9.]+,[0-9.]+,rx_bytes$ ]]
	done
}
