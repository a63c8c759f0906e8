#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# pcb-model: options, links, bandwidths.

load helpers

tests pcb-model

# computes WANTED OPTION...: the rows, from options alone.
computes() {
	gives '' "$@"
}

gen3=gen3x8/mps256/mrrs512/rcb64
header=kind,bench,link,accounting,completer,size_bytes,offset_bytes
header+=,window_bytes,mrd_tlps,mwr_tlps,cpld_tlps,tx_bytes,rx_bytes
header+=,efficiency_pct,transactions_per_s,transaction_ns,bandwidth_gbit_s
header+=,limited_by
link_header=kind,link,accounting,encoding,ack_limit_bytes,fc_limit_bytes
link_header+=,skp_pct,raw_gbit_s,bandwidth_gbit_s
# short [ARGUMENT...]: the computed columns, without those that follow from the
# bandwidth.
short() {
	pcb-model -P "$@" | cut -d, -f2-3,4-13,17-18
}

@test "wrong options are refused, with a pointer to the help" {
	wrong "unrecognized option '--no-such'" link --no-such
	try pcb-model
	[ "$status" = 2 ]
	[[ "$stderr" = "pcb-model: choose a command, or --join:
  bw_rd "*"
  serial "* ]]
	lists "'lat_rdwr': no such command" bw_rd lat_rdwr
	wrong "'sereal': no such command (did you mean serial?)" sereal
	wrong "'bw_wr': not a link such as gen4x16, x16" bw_rd bw_wr
	wrong "'x4': one link at a time" bw_rd x16 x4
	wrong "--link and 'x4' each name a link: give one" bw_rd x4 --link x8
	wrong "-s '0x40': not a size such as 64, 4K, 1.5M or 64KiB" bw_rd -s 0x40
	wrong "-s: a transfer has at least 1 byte" bw_rd -s 0
	wrong "-s: a transfer has at least 1 byte" bw_rd -s 64,0
	wrong "-s: a transfer has at most 1024G" bw_rd -s 1025G
	wrong "--offset: an offset is at most 1024G" bw_rd --offset 1025G
	wrong "--offset '-1': not a size such as 64, 4K, 1.5M or 64KiB" bw_rd --offset -1
	wrong "-s is not for link" link -s 64
	wrong "--offset is for bw_rd, bw_wr, bw_rdwr and lat, not for --join" --join --offset 64
	wrong "--check is for flows and --join, not for bw_rd" bw_rd --check 5
	wrong "--check '101': over 100" --join --check 101
	wrong "-f 'xml': not csv, table, md, json or jsonl" link -f xml
	wrong "--completer 'both': not one of: combine aligned rcb" \
		bw_rd --completer both
	wrong "--addr '48': not one of: 32 64" link --addr 48
	wrong "--flit 'yes': not one of: on off" link --flit yes
	wrong "--lanes '8x': not a whole number such as 42" link --lanes 8x
	wrong "--gen '4x': not a generation such as 4, gen4 or 4x16" link --gen 4x
	wrong "--gen '99999999999': out of range" link --gen 99999999999
}

@test "impossible links are refused" {
	wrong "mps is a power of two from 128 to 4096" link --mps 384
	wrong "the generation is 1 to 7" --join --gen 0
	wrong "--link 'gen3x3/mps256/mrrs512/rcb64': \
the lanes are 1, 2, 4, 8, 12, 16 or 32" link --link gen3x3/mps256/mrrs512/rcb64
	wrong "--link '': empty" link --link ''
	wrong "--link and --device each name a link: give one" \
		link --link $gen3 --device 03:00.0
	wrong "--link and --dump each name a link: give one" \
		link --link $gen3 --dump file
}

@test "what has no model is refused, not guessed" {
	unmodelled() {
		try pcb-model link "${@:2}"
		is 2 "" "pcb-model: $1"
	}
	unmodelled "gen6x8/mps256/mrrs512/rcb64: generation 6 and later have only flit mode" --gen 6 --flit off
	unmodelled "gen6x12/mps256/mrrs512/rcb64/flit: flit mode has no links of 12 or 32 lanes" --gen 6 --lanes 12
	unmodelled "pci32/33: only PCI Express is modelled" --link pci32/33
}

@test "link: what a link is, and what is left of it" {
	computes "$link_header
model,$gen3,pcie-bench,128b/130b,203,203,0.26007802340702213,63.01538461538462,57.88476562673236" \
		link --accounting pcie-bench
	computes "$link_header
model,gen1x1/mps128/mrrs512/rcb64,pcie-bench,8b/10b,237,237,0.26007802340702213,2,1.8597773424854462" \
		link --gen 1 --lanes 1 --mps 128 \
		--accounting pcie-bench
	try pcb-model link -f table --accounting pcie-bench
	is 0 "kind=model  link=gen3x8/mps256/mrrs512/rcb64  accounting=pcie-bench
encoding=128b/130b  ack_limit_bytes=203  fc_limit_bytes=203

   bandwidth       skp           raw
57.88 Gbit/s  0.2601 %  63.02 Gbit/s" ""
}

@test "bandwidths have a row for each size and offset" {
	computes "$header
model,bw_rd,$gen3,pcie-bench,combine,64,0,,1,0,1,24,84,69.98716082101197,\
86138044.08739935,11.609272193194418,44.10267857274847,rx_bytes" \
		bw_rd --accounting pcie-bench
	computes "$header
model,bw_wr,$gen3,pcie-bench,combine,64,0,,0,1,0,88,0,66.80592623823868,\
82222678.447063,12.162094678584628,42.09801136489626,tx_bytes
model,bw_wr,$gen3,pcie-bench,combine,64,4090,,0,2,0,112,0,52.49037061575898,\
64603533.065549515,15.479029590925888,33.07700892956135,tx_bytes
model,bw_wr,$gen3,pcie-bench,combine,512,0,,0,2,0,560,0,83.98459298521436,\
12920706.613109902,77.39514795462945,52.92321428729816,tx_bytes
model,bw_wr,$gen3,pcie-bench,combine,512,4090,,0,3,0,584,0,80.533171355685,\
12389718.670105385,80.7120828669707,50.74828767275166,tx_bytes" \
		-s 64,512 bw_wr --offset 0,4090 --accounting pcie-bench
	computes "$header
model,bw_rdwr,$gen3,pcie-bench,rcb,512,0,,1,2,8,584,672,69.98716082101197,\
10767255.510924919,92.87417754555534,44.10267857274847,rx_bytes" \
		bw_rdwr -s 512 --completer rcb --accounting pcie-bench
	# A copy of 1 GiB takes no longer.
	run short bw_wr -s 1G --accounting pcie-bench
	[ "${lines[1]}" = "bw_wr,$gen3,pcie-bench,combine,1073741824,0,,0,4194304,0,\
1174405120,0,52.92321428729816,tx_bytes" ]
}

@test "windows are swept, and hold a transfer" {
	run short bw_rd -s 64 -w 64,128,1G
	[ "$(cut -d, -f7 <<<"$output" | tail -n 3 | xargs)" = \
		"64 128 1073741824" ]
	wrong "-w: a window holds at least one transfer with its offset, \
rounded up to whole cache lines" bw_rd -s 64,128 -w 64
	wrong "-w: a window is at most 1024G" bw_rd -w 1025G
	wrong "-w is for bw_rd, bw_wr, bw_rdwr and lat, not for link" link -w 8K
}

@test "flit mode has no framing, no limits, a share for SKP" {
	computes "$link_header
model,gen6x16/mps256/mrrs512/rcb64/flit,pcie-bench,1b/1b,,,0,1024,944" \
		link --gen 6 --lanes 16 --skp 0 --accounting pcie-bench
	computes "$link_header
model,gen7x16/mps256/mrrs512/rcb64/flit,pcie-bench,1b/1b,,,0.3,2048,1882.336" \
		link --gen 7 --lanes 16 --accounting pcie-bench
	computes "$link_header
model,$gen3/flit,pcie-bench,128b/130b,,,0,63.01538461538462,58.0923076923077" \
		link --flit on --skp 0 --accounting pcie-bench
	run short bw_wr -s 64 --gen 6 --lanes 16 --skp 0
	[ "${lines[1]}" = "bw_wr,gen6x16/mps256/mrrs512/rcb64/flit,traffic,\
combine,64,0,,0,1,0,80,0,755.2,tx_bytes" ]
	# A completion that starts within a DW has a DW more of header.
	run short bw_rd -s 64 --offset 1 --gen 6 --skp 0 \
		--accounting pcie-bench
	[ "${lines[1]}" = "bw_rd,gen6x8/mps256/mrrs512/rcb64/flit,pcie-bench,\
combine,64,1,,1,0,1,20,80,377.6,rx_bytes" ]
	wrong "--skp '51': over 50" link --skp 51
}

@test "by default what is sent is taken off, which is a bound" {
	computes "$link_header
model,$gen3,traffic,128b/130b,203,203,0.26666666666666666,\
63.01538461538462,62.84734358974359" link
	# If only writes are sent, only SKP is subtracted.
	run short bw_wr -s 64
	[ "${lines[1]}" = "bw_wr,$gen3,traffic,combine,64,0,,0,1,0,88,0,\
45.707158974358975,tx_bytes" ]
	# 65 bytes are 17 DWs.
	run short bw_wr -s 65
	[[ "${lines[1]}" = *,65,0,,0,1,0,92,0,* ]]
	wrong "--accounting 'both': not one of: traffic pcie-bench" link --accounting both
}

@test "the smallest of the bounds limits, and is named" {
	bounded() {
		run short "${@:2}" --accounting pcie-bench
		[ "$(cut -d, -f13- <<<"${lines[1]}")" = "$1" ] && return
		show "$1"
	}
	local fast='--gen 5 --lanes 16'

	# 400 x 16 bytes in half a microsecond.
	# shellcheck disable=SC2086
	bounded 102.4,credits bw_wr -s 256 --ph 32 --pd 400 --loop 500ns $fast
	# 92 lines of 64 bytes in 300 ns, whatever the packets; half of them
	# if each write is half a line, and 9 in place of 8 at an odd place.
	local host='--host-lines 92 --host-latency 300ns'
	# shellcheck disable=SC2086
	{
		bounded 157.01333333333332,host_lines bw_wr -s 64 $host $fast
		bounded 157.01333333333332,host_lines bw_wr -s 4K $host $fast
		bounded 157.01333333333332,host_lines bw_rd -s 4K --mrrs 128 \
			$host $fast
		bounded 78.50666666666666,host_lines bw_wr -s 32 $host $fast
		bounded 139.56740740740742,host_lines bw_wr -s 512 --offset 32 \
			$host $fast
	}
	bounded 42.09801136489626,tx_bytes bw_wr --host-lines 83 \
		--host-latency 1us
	wrong "--host-lines and --host-latency go together" bw_rd --host-lines 92
	wrong "--host-lines and --host-latency go together" \
		bw_wr --host-latency 300ns
	wrong "--host-lines is for bw_rd, bw_wr and flows, not for bw_rdwr" \
		bw_rdwr --host-lines 92
	bounded 42.09801136489626,tx_bytes bw_wr --ph 1K --pd 4K --loop 500ns
	bounded 44.10267857274847,rx_bytes bw_rd --inflight 768 --rtt 1us
	wrong "--inflight and --rtt go together" bw_rd --inflight 32
	wrong "--inflight and --rtt go together" --join --rtt 1us
	wrong "--loop goes together with --ph or --pd" bw_wr --loop 1us
	wrong "--loop goes together with --ph or --pd" bw_wr --ph 1 --pd 1
	wrong "--inflight '0': must be greater than 0" bw_rd --inflight 0
	wrong "--rtt '0ns': must be greater than 0" bw_rd --rtt 0ns
	wrong "--rtt '5': not a time with its unit, such as 100ns, 1.5us, 10s, 5min or 1h" bw_rd --rtt 5
	wrong "--inflight is for bw_rd, bw_rdwr, nic," bw_wr --inflight 32
	wrong "--ph is for bw_wr, bw_rdwr, nic and --join, not for bw_rd" bw_rd --ph 32
	wrong "--pd is for bw_wr, bw_rdwr, nic and --join, not for link" link --pd 32
}

@test "options make the link" {
	made() {
		runs pcb-model -P link "${@:2}"
		[[ "${lines[1]}" = "model,$1,traffic,"* ]] && return
		echo "$output"
		return 1
	}
	made gen5x16/mps512/mrrs4096/rcb128/a32/ecrc --link \
		gen5x16/mps512/mrrs4096/rcb128/a32/ecrc
	made gen4x2/mps1024/mrrs4096/rcb128/a32/ecrc --gen 4 --lanes 2 \
		--mps 1K --mrrs 4K --rcb 128 --addr 32 --ecrc
	# In any order, single options override --link.
	made gen4x16/mps512/mrrs512/rcb64 --mps 512 \
		--link gen4x16/mps128/mrrs512/rcb64/a32 --addr 64
	made gen3x8/mps256/mrrs512/rcb64 --flit off
	# Flit mode is on from generation 6, and stays on.
	made gen6x8/mps256/mrrs512/rcb64/flit --gen 6
	made gen4x8/mps256/mrrs512/rcb64/flit --gen 4 \
		--link gen5x8/mps256/mrrs512/rcb64/flit
	made gen5x8/mps256/mrrs512/rcb64/flit --gen 5 \
		--link gen6x8/mps256/mrrs512/rcb64/flit
	made gen5x8/mps256/mrrs512/rcb64 --gen 5 --flit off \
		--link gen6x8/mps256/mrrs512/rcb64/flit
}

@test "the figures are those published of the paper's link" {
	needs_data
	local compared=0 file
	for file in "$PCB_TEST_DATA"/pciebench/*/bw_calc.dat; do
		for bench in bw_wr bw_rd bw_rdwr; do
			pcb-model -P "$bench" -s 1:2048:+1 -f jsonl \
				--accounting pcie-bench |
				sed 's/.*"size_bytes":\([0-9]*\).*gbit_s":\([0-9.]*\).*/\1 \2/' |
				awk '{ printf "%d %.2f %.1f\n", $1, $2,
					$2 * 1e9 / 8 / $1 }' >$bench
		done
		paste -d ' ' bw_wr bw_rd bw_rdwr |
			cut -d ' ' -f 1-3,5-6,8-9 >ours
		grep -v '"' "$file" | cut -d ' ' -f 1-7 | cmp - ours
		compared=$((compared + $(wc -l <ours)))
	done
	echo "$compared sizes"
	[ "$compared" -ge 2048 ]
}

# GB/s, in percent of the bound of writes. By hand: gen5 has 2 GT/s x 16 lanes x
# 128/130 / 8 x 374/375 x 64/88 = 45.71 GB/s for 64 bytes, gen6 x4 has 32 x
# 236/256 x 0.997 x 256/272 = 27.68 for 256.
@test "published numbers are what the pages say of the bounds" {
	local gb_s percent options

	while read -r gb_s percent options; do
		# shellcheck disable=SC2086
		run pcb-model bw_wr -P $options
		column bandwidth_gbit_s <<<"$output" >rate
		[ "$(awk -v gb_s="$gb_s" '{ printf "%.1f", 800 * gb_s / $1 }' \
			rate)" = "$percent" ] || show "$gb_s of $options: $percent %"
	done <<-'EOF'
	45.2 98.9 --link gen5x16 -s 64
	45.2 85.4 --link gen5x16 -s 128
	21.3 93.2 --link gen4x16 -s 64
	20 87.5 --link gen4x16 -s 64
	25 109.4 --link gen4x16 -s 64
	28.36 107.2 --link gen4x16 -s 128
	28.36 98.7 --link gen4x16 -s 4K
	52.3 98.8 --link gen5x16 -s 128
	52.3 98.8 --link gen5x16 --mps 128 -s 4K
	19.63 100.0 --link gen4x16 -s 4K --host-lines 92 --host-latency 300ns
	10.9 100.0 --link gen3x16 -s 4K --host-lines 92 --host-latency 540ns
	27.14 103.8 --link gen6x4 --mps 128 -s 4K
	27.14 98.0 --link gen6x4 -s 4K
	28 101.2 --link gen6x4 -s 4K
	28 98.2 --link gen6x4 --mps 512 -s 4K
	30.25 103.3 --link gen6x4 --mps 4096 -s 4K
	EOF
}

@test "lists of drivers and hosts fit the terminal" {
	needs_program script
	for list in "nic -M help" "lat -d sim:help"; do
		SHELL=/bin/sh script -qec "stty cols 60; pcb-model $list" typescript \
			</dev/null | tr -d '\r' >shown
		[ "$(wc -L <shown)" -le 60 ] || show "$list"
		# Words between begin below the text.
		grep -q '^                [^ ]' shown || show "$list"
	done
}
