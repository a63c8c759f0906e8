#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# pcb-model why: causes of a number, for questions asked in public, simulated
# results with one cause, and published pairs.

load helpers
load pages

tests pcb-model why

# causes ARGUMENT...: the matching causes, likeliest first.
causes() {
	pcb-model why -P "$@" | awk -F, '$4 == "fits" || $3 == "unexplained" {
		printf "%s%s", n++ ? " " : "", $3 }'
}

# bound ARGUMENT...: the bandwidth of the model.
bound() {
	pcb-model -P --accounting traffic "$@" | awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ print $at["bandwidth_gbit_s"] }'
}

@test "what is no number and no link" {
	wrong "why takes a number and a link, such as 11.8GB/s gen3x16"
	wrong "'11.8': the unit must be GB/s, Gbit/s, MB/s or GiB/s" \
		11.8 gen3x16
	wrong "'x': not a rate such as 11.8GB/s or 94Gbit/s" x gen3x16
	wrong "'0GB/s': must be greater than 0" 0GB/s gen3x16
	wrong "--bench 'lat_rd': not bw_rd, bw_wr or bw_rdwr" \
		1GB/s gen3x16 --bench lat_rd
	wrong "-s: one size at a time" 1GB/s gen3x16 -s 64,128
	wrong "--link and 'gen3x16' each name a link: give one" \
		1GB/s gen3x16 --link gen3x8
	wrong "--before '1': the unit must be GB/s, Gbit/s, MB/s or GiB/s" \
		1GB/s gen3x16 --before 1
	try pcb-model bw_rd --before 1GB/s
	is 2 "" "pcb-model: --before is for why, not for bw_rd
Try 'pcb-model --help'."
}

@test "units of the number" {
	for number in 11.8GB/s 94.4Gbit/s 94.4Gb/s 94.4Gbps 11800MB/s \
		94400Mbit/s 10.98960638GiB/s; do
		[ "$(causes $number gen3x16 | cut -d' ' -f1)" = completions ]
	done
	[ "$(causes 11.8GBps gen3x16 | cut -d' ' -f1)" = completions ]
}

@test "threads of users: 12 of 15.75 GB/s, 25 of 32, CPU stores, a NIC" {
	# vetter/shoc#79, Xilinx/XRT#6883, ZaidQureshi/bam#54
	for number in 11.8 11.91 12; do
		[ "$(causes ${number}GB/s gen3x16 | cut -d' ' -f1)" = completions ]
	done
	[ "$(causes 25GB/s gen4x16 | cut -d' ' -f1)" = completions ]
	# NVIDIA/gdrcopy#221
	[ "$(causes 9.22GB/s gen3x16 --bench bw_wr)" = size ]
	try pcb-model why -P 9.22GB/s gen3x16 --bench bw_wr
	[[ $output == *"writes of 32 bytes, such as a CPU's stores\",71.8"* ]]
	# corundum/corundum#256: the link limits small frames, not large ones.
	nic="gen3x2 -M niantic-dpdk --rate 10G --accounting pcie-bench"
	# shellcheck disable=SC2086
	[ "$(causes 9.8Gbit/s $nic --frame 1518)" = ethernet ]
	# shellcheck disable=SC2086
	[ "$(causes 7.2Gbit/s $nic --frame 128)" = packets ]
}

@test "more than the link carries is unexplained" {
	# procrastineto/GPU-PCIe-Test#3
	try pcb-model why -P 457GB/s gen5x16
	[ "$status" = 1 ]
	[[ $output == *,unexplained,*"more than the link carries"* ]]
	[[ $output != *"not ruled out"* ]]
	try pcb-model why -P 10.5GB/s gen3x16 --tolerance 0.1 -s 512
	[ "$status" = 1 ]
	[[ $output == *,unexplained,*"no cause, and"*"not ruled out"* ]]
}

@test "numbers of causes are the model's" {
	try pcb-model why -P 11.8GB/s gen3x16 --tolerance 40 -s 512
	for want in "completions:--completer rcb" "mps:--mps 128" \
		"link_width:--lanes 8"; do
		# shellcheck disable=SC2086
		number=$(bound bw_rd --link gen3x16 -s 512 ${want#*:})
		[[ $output == *,"${want%%:*}",*",$number,"* ]] || show "$number"
	done
	try pcb-model why -P 32Gbit/s gen4x16 --inflight 32 --rtt 4us -s 512
	number=$(bound bw_rd --link gen4x16 -s 512 --inflight 32 --rtt 4us)
	[[ $output == *,inflight,*",$number,"* ]] || show "$number"
}

@test "reads in flight: those that the number and a round trip give" {
	# 16 x 512 bytes in 1 us are 65.5 Gbit/s.
	[ "$(causes 65Gbit/s gen4x16 -s 512 --rtt 1us |
		cut -d' ' -f1)" = inflight ]
	try pcb-model why -P 65Gbit/s gen4x16 -s 512 --rtt 1us
	[[ $output == *"16 outstanding read requests, each for 1000 ns"* ]]
	# Without it, the round trip that each number needs.
	try pcb-model why -P 65.536Gbit/s gen4x16 -s 512 --inflight 16
	[[ $output == *"not ruled out,"*"16 outstanding read requests, each for 1000 ns"* ]]
}

@test "text for people" {
	try pcb-model why -f table 11.8GB/s gen3x16
	[[ $output == "1. completions  11.97 GB/s, 95.7 Gbit/s, +1.4 %
   gen3x16, completions split at 64 bytes
   to separate: pcb-collect bw_rd -s 64:4K: "* ]] || show text
}

# score: for lines "WANTED CAUSES...", their number, how often the wanted cause
# is first, and how often among the first three.
score() {
	awk '{ n++; first += $1 == $2; three += $1 == $2 || $1 == $3 || $1 == $4 }
		END { print n, first, three }'
}

# The rule for both: a result counts if it is 3 % or more below the one before.
# differs BEFORE AFTER
differs() {
	awk "BEGIN { exit !($2 < 0.97 * $1) }"
}

# simulated OPTION...: Gbit/s of reads by the simulated device.
simulated() {
	pcb-collect bw_rd -q -d sim --cache host-warm -n 5000 "$@" |
		pcb-stats -P -f csv | awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ print $at["median_gbit_s"] }'
}

# with_cause CAUSE SIZE BEFORE OPTION...: a line for score, if it has an effect.
with_cause() {
	local now

	now=$(simulated -s "$2" "${@:4}")
	differs "$3" "$now" || return 0
	echo "$1 $(causes "${now}Gbit/s" gen3x8 -s "$2" --before "$3Gbit/s")"
}

@test "simulated results with one cause set" {
	rest=mps256/mrrs512/rcb64
	for size in 64 128 256 512 1024 2048; do
		before=$(simulated -s $size)
		with_cause link_width $size "$before" -O link=gen3x4/$rest
		with_cause link_width $size "$before" -O link=gen3x2/$rest
		with_cause link_speed $size "$before" -O link=gen2x8/$rest
		with_cause mps $size "$before" -O link=gen3x8/mps128/mrrs512/rcb64
		with_cause completions $size "$before" -O combine=4096
		with_cause inflight $size "$before" -O inflight=16
		with_cause inflight $size "$before" -O inflight=8
		with_cause iommu $size "$before" -O iommu=on -w 64M
		with_cause node $size "$before" --node remote
	done >lines
	cat lines
	score <lines
	read -r n first three < <(score <lines)
	manual pcb-model.1
	says "For $n results of the simulated device with one known cause, this \
cause was first in $first and among the first three in $three."
	grep -q 'A result counts if it is 3 % below that without the cause' <<<"$text"
}

# published DIRECTORY FILE CACHE: Gbit/s in a window of 256K or 64M.
published() {
	awk -F, -v cache="$3" -v window="$4" '
		$3 == cache && $6 == window { print $12 }' \
		"$PCB_TEST_DATA/pciebench/nfp6000-1.2GHz_$1/bw_dma_win_sweep_$2.csv"
}

# pair CAUSE BENCH SIZE BEFORE NOW: a line for score, if it has an effect.
pair() {
	differs "$4" "$5" || return 0
	echo "$1 $(causes "$5Gbit/s" gen3x8 --bench "bw_$2" -s "$3" \
		--before "$4Gbit/s")"
}

@test "published pairs: IOMMU, node, cache" {
	[ -d "${PCB_TEST_DATA:-}/pciebench" ] || skip "needs PCB_TEST_DATA"
	bdw="bdw-Xeon-E5-2630v4-dell-t430-s0-s0-s0"
	ivb="ib-Xeon-E5-2620v2_dell-t620-s0-s0-s0"
	snb="snb-Xeon-E5-2630_dell-t620"
	large=67108864 small=262144
	for size in 64 128 256 512; do
		for bench in rd wr; do
			file=${bench}_rnd_$size
			for two in $bdw,$bdw-iommu-nosp $ivb,$ivb-iommu-nosp \
				$snb,$snb-iommu; do
				pair iommu $bench $size \
					"$(published "${two%,*}" $file HWarm $large)" \
					"$(published "${two#*,}" $file HWarm $large)"
			done
			pair node $bench $size \
				"$(published $bdw $file HWarm $small)" \
				"$(published ${bdw%0-s0}1-s1 $file HWarm $small)"
			for one in $bdw $ivb $snb hsw-Xeon-E5-2637v3_supermicro; do
				pair cache $bench $size \
					"$(published "$one" $file HWarm $small)" \
					"$(published "$one" $file Cold $small)"
			done
		done
	done >lines
	cat lines
	read -r n first three < <(score <lines)
	manual pcb-model.1
	says "For $n published pairs that differ in IOMMU, node or cache, it was \
first in $first and among the first three in $three;"
}
