#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# pcb-model why and reference: verdicts by public results, causes of questions
# asked in public, and what no answer may say.

load helpers
load pages

tests pcb-model why

# answer ARGUMENT...: verdict, and causes that fit, likeliest first.
answer() {
	pcb-model why -P -f jsonl "$@" | sed -n \
		'1s/.*"verdict":"\([a-z ]*\)".*/\1/p
		2,$s/.*"cause":"\([a-z]*\)","verdict":"fits".*/\1/p' | paste -sd' '
}

# bound ARGUMENT...: the bandwidth of the model.
bound() {
	pcb-model -P "$@" | column bandwidth_gbit_s
}

@test "what is no number and no link" {
	wrong "why takes a number and a link, such as 11.8GB/s gen3x16, or a \
number and -d DEVICE"
	wrong "why takes a number and a link, such as 11.8GB/s gen3x16, or a \
number and -d DEVICE" 11.8GB/s
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
	wrong "--for 'tpu': not one of: gpu nvme nic fpga cpu" \
		1GB/s gen3x16 --for tpu
	wrong "--engine is for --for gpu" 1GB/s gen3x16 --for nic --engine core
	wrong "-d and --device each name a device: give one" \
		1GB/s -d 03:00.0 --device 03:00.0
	try pcb-model bw_rd --before 1GB/s
	is 2 "" "pcb-model: --before is for why, not for bw_rd
Try 'pcb-model --help'."
}

@test "units of the number" {
	for number in 12.8GB/s 102.4Gbit/s 102.4Gb/s 102.4Gbps 12800MB/s \
		102400Mbit/s 11.9209289GiB/s 12.8GBps; do
		try pcb-model why -P -f table $number gen3x16
		[[ $output == "normal: 12.8 GB/s is 88 % "* ]] || show "$number"
	done
}

# The reference of the tests: ten results that reach 82, 84 ... 100 % of the
# bound of gen3x16, 116.55621186320364 Gbit/s.
ten() {
	echo initiator,direction,link,bandwidth_gb_s,source
	for pct in 82 84 86 88 90 92 94 96 98 100; do
		awk "BEGIN { printf \"gpu-copy,read,gen3x16,%.6f,test\\n\", \
			$pct * 0.1456952648290 }"
	done
}

@test "verdicts: the tenth of the reference, 0.9 of it, the bound, MPS" {
	ten >ten.csv
	# p10 is 0.838 of 14.5695: 12.209; 0.9 of it 10.988. GPUs have at most
	# MPS 256; others MPS 4096, with MRRS 4096 15.63.
	while read -r want code arguments; do
		# shellcheck disable=SC2086
		try pcb-model why -P -f table --reference ./ten.csv $arguments
		[[ $status == "$code" && $output == "$want: "* ]] ||
			show "$want $arguments"
	done <<-'END'
		normal 0 12.23GB/s gen3x16
		borderline 3 12.19GB/s gen3x16
		borderline 3 11.00GB/s gen3x16
		low 1 10.97GB/s gen3x16
		normal 0 14.6GB/s gen3x16
		impossible 1 14.8GB/s gen3x16
		impossible 1 14.8GB/s gen3x16/mps256
		normal 0 15.3GB/s gen3x16/mps4096
		impossible 1 15.3GB/s gen3x16/mps4096/mrrs512
		impossible 1 15.7GB/s gen3x16
		impossible 1 31.4GB/s gen4x16
		normal 0 24.5GB/s gen4x16
		normal 0 48.9GB/s gen5x16
		low 1 12.3GB/s gen3x16 --before 14GB/s
	END
	# Digits tell how far a number may be rounded.
	while read -r want arguments; do
		# shellcheck disable=SC2086
		try pcb-model why -P -f table $arguments
		[[ $want:$output == yes:"impossible: "* ||
			$want = no && $output != "impossible: "* ]] ||
			show "$want $arguments"
	done <<-'END'
		no 15.3GB/s gen3x16 --for nvme
		no 15.6GB/s gen3x16 --for nic
		yes 15.3GB/s gen3x16 --for nic --mps 256
		no 14.8GB/s gen3x16 --mps 512
		yes 15.7GB/s gen3x16 --for nic
		yes 31.4GB/s gen4x16 --for nic
		yes 15.7GB/s gen3x16 --for fpga
	END
	for none in "100GB/s gen6x16" "12GB/s gen3x16 --bench bw_wr" \
		"12GB/s gen3x16 --engine core" "1GB/s gen3x16 -s 64"; do
		# shellcheck disable=SC2086
		[[ $(answer --reference ./ten.csv $none) == "no reference"* ]]
	done
	try pcb-model why -f table --reference ./ten.csv 14.5GB/s gen3x16
	[[ $output == *"This is better than most."* ]]
	try pcb-model why -f table --reference ./ten.csv 48.9GB/s gen5x16
	[[ $output == *"on gen3 (too few on gen5)"* ]] || show borrowed
	head -n 5 ten.csv >four.csv
	[[ $(answer --reference ./four.csv 10GB/s gen3x16) == "no reference"* ]]
}

@test "a reference that is wrong" {
	while IFS='|' read -r row message; do
		printf 'initiator,direction,link,bandwidth_gb_s,source\n%s\n' "$row" \
			>bad.csv
		try pcb-model reference --reference ./bad.csv
		[ "$status" = 2 ]
		[[ $stderr == *"$message"* ]] || show "$message"
	done <<-'END'
		tpu,read,gen3x16,12,x|'tpu': not such as gpu-copy
		nvme,down,gen3x16,12,x|'down': not such as read
		nvme,read,gen9x16,12,x|gen
		nvme,read,gen3x16,0,x|not a bandwidth in GB/s
		nvme,read,gen3x16,12,|who published it must be known
	END
	try pcb-model reference --reference ./none.csv
	[ "$status" = 2 ]
}

@test "reference: quantiles are those of the rows" {
	ten >ten.csv
	try pcb-model reference -P --reference ./ten.csv gen3x16
	[ "$(column results <<<"$output")" = 10 ]
	for want in p10:83.8 median:91 p90:98.2; do
		[ "$(column "${want%:*}_pct" <<<"$output" |
			awk '{ printf "%.4g", $1 }')" = "${want#*:}" ] || show "$want"
	done
	try pcb-model reference -a -P
	[ "$(column source <<<"$output" | grep -c .)" = "$(wc -l <<<"$output" |
		awk '{ print $1 - 1 }')" ]
	[ "$(column initiator <<<"$output" | sort -u | paste -sd' ')" = \
		"cpu fpga gpu-copy gpu-core nic nvme" ]
	try pcb-model reference -P --for nic gen3x16
	[ "$(column initiator <<<"$output" | sort -u)" = nic ]
}

# Verdict and first cause of questions asked in public (tests/data/why), with
# the reference that is installed: the cases of each cause and a few more.
@test "threads of users" {
	while read -r want arguments; do
		# shellcheck disable=SC2086
		[[ "$(answer $arguments) " == "${want//_/ } "* ]] ||
			{ answer $arguments && echo "$want: $arguments" && false; }
	done <<-'END'
		borderline 12GB/s gen3x16
		normal 12.3GB/s gen3x16
		normal 26.34GB/s gen4x16
		normal 57.15GB/s gen5x16 --bench bw_wr
		low_link 3.6GB/s gen4x16
		low_link 6.3GB/s gen4x16
		low_link 421.17MB/s gen3x1 --for nvme --bench bw_wr
		low_device 5.5GB/s gen3x16 --for fpga --bench bw_wr
		impossible 457GB/s gen5x16
		impossible_link 49GB/s gen3x16
		normal 196Gbit/s gen4x16 --for nic
		normal 12.3GB/s gen3x16 --for nic
		normal 9.8Gbit/s gen3x8 --rate 10G
		low 9.8Gbit/s gen3x8 --for nic
		low 60Gbit/s gen3x16 --rate 100G
		normal 3.85GB/s gen4x2
		normal 3.8GB/s gen4x2/mps1024
		impossible 3.85GB/s gen4x2/mrrs512
		no_reference_pageable 10GB/s gen4x16 --memory pageable
	END
	try pcb-model why -P -f csv 94Gbit/s gen4x8 --rate 100G
	[[ $output == *" 100G Ethernet is full: 11.07 to 12.47 GB/s. "* ]] ||
		show full
	[[ $(pcb-model why -P -f csv 3.85GB/s gen4x2) == *"--mrrs 4096."* ]]
	[[ $(answer 9.8Gbit/s gen3x2 --rate 10G --frame 1518) == *" ethernet "* ]]
}

@test "options: memory, reads in flight, a device" {
	[[ $(answer 19.6GB/s gen4x16 --memory pageable) == "no reference pageable "* ]]
	[[ $(answer 19.6GB/s gen4x16 --memory pinned) != *pageable* ]]
	[[ $(answer 7GB/s gen3x16 --memory remote) == "low node "* ]]
	[[ $(answer 27GB/s gen5x16 --memory peer --bench bw_wr) == *staged* ]]
	# 16 x 512 bytes in 1 us are 65.5 Gbit/s.
	try pcb-model why -P 65Gbit/s gen4x16 --for fpga -s 512 --rtt 1us
	[[ $output == *"16 outstanding reads, each for 1000 ns"* ]]
	try pcb-model why -P 65.536Gbit/s gen4x16 --for fpga -s 512 --inflight 16
	[[ $output == *"16 outstanding reads, each for 1000 ns"* ]]
	# A device's registers say its link, MPS, class and relaxed ordering.
	dump=$TOP/tests/data/lspci/guest.txt
	try pcb-model why -P -f table 100MB/s --dump "$dump" -d 05:00.0 -a
	[[ $output != *" link: "* && $output != *" mps: "* && $output != *DEVICE* ]] ||
		show device
	[[ $output != *"--for"* ]]
}

# No cause predicts less than the number, or is of another initiator; numbers of
# the model are those of pcb-model.
@test "a sweep: nothing is explained by less" {
	local initiator link raw part bench number

	for link in gen1x1 gen3x16 gen4x4 gen5x16/mps512; do
		raw=$(pcb-model link -P --link $link | column raw_gbit_s)
		for part in 0.003 0.24 0.81 1.02; do
			number=$(fmt %.6g "$raw * $part")
			for initiator in gpu nvme nic fpga cpu; do
				for bench in bw_rd bw_wr; do
					pcb-model why -P -f jsonl "${number}Gbit/s" $link \
						--for $initiator --bench $bench |
						sed "1d; s|^|$number $initiator $bench $link |"
				done
			done
		done
	done >rows
	[ "$(wc -l <rows)" -gt 320 ]
	awk '
	function wrong(why) { print why ": " $0; bad = 1 }
	match($0, /"most_gbit_s":[0-9.e+]+/) {
		most = substr($0, RSTART + 14, RLENGTH - 14)
		if (most + 0 < 0.99 * $1) wrong("less")
	}
	/"ethernet"/ && $2 != "nic" { wrong("no NIC") }
	/"(pageable|idle)"/ && $2 != "gpu" { wrong("no GPU") }
	/"completions"/ && $3 != "bw_rd" { wrong("no reads") }
	END { exit bad }' rows
	try pcb-model why -P 13GB/s gen3x16 --bench bw_wr
	[[ $output == *",mps,"*",$(bound bw_wr --link gen3x16/mps128 -s 4096),"* ]]
}

@test "text for people: twelve lines, and all of them" {
	for arguments in "11.8GB/s gen3x16" "6.3GB/s gen4x16" "49GB/s gen3x16" \
		"5.5GB/s gen3x16 --before 11.5GB/s" "6GB/s gen5x8 --memory peer" \
		"1GB/s gen4x4" "3GB/s gen4x16 --for fpga" "5GB/s gen4x16 --for nic"; do
		# shellcheck disable=SC2086
		try pcb-model why -f table $arguments
		[ "$(wc -l <<<"$output")" -le 12 ] || show "$arguments"
		[ "$(wc -L <<<"$output")" -le 80 ] || show "$arguments"
		[[ $output == *"-a shows all "*" causes." ]] || show "$arguments"
	done
	try pcb-model why -f table 12.8GB/s gen3x16
	[ "$(wc -l <<<"$output")" -le 5 ]
	try script -qec "stty cols 80; pcb-model why 12.8GB/s gen3x16" /dev/null \
		</dev/null
	[[ $output == "normal: 12.8 GB/s "* ]] || show "a terminal"
}

@test "a device whose link sleeps" {
	# A GPU of generation 4 at rest, below a root port of generation 5.
	sed 's/@/\t/g' >dump <<-'END'
		00:01.0 PCI bridge: Intel Corporation Device a70d (rev 01)
		@Bus: primary=00, secondary=01, subordinate=01, sec-latency=0
		@Capabilities: [40] Express (v2) Root Port (Slot+), MSI 00
		@@DevCtl:@CorrErr+ NonFatalErr+ FatalErr+ UnsupReq+
		@@@RlxdOrd- ExtTag- PhantFunc- AuxPwr- NoSnoop-
		@@@MaxPayload 256 bytes, MaxReadReq 512 bytes
		@@LnkCap:@Port #1, Speed 32GT/s, Width x16, ASPM L1, Exit Latency L1 <16us
		@@LnkCtl:@ASPM Disabled; RCB 64 bytes, Disabled- CommClk+
		@@LnkSta:@Speed 2.5GT/s (downgraded), Width x16 (ok)

		01:00.0 VGA compatible controller: NVIDIA Corporation Device 2204 (rev a1)
		@Capabilities: [40] Express (v2) Endpoint, MSI 00
		@@DevCtl:@CorrErr+ NonFatalErr+ FatalErr+ UnsupReq+
		@@@RlxdOrd+ ExtTag+ PhantFunc- AuxPwr- NoSnoop+
		@@@MaxPayload 256 bytes, MaxReadReq 512 bytes
		@@LnkCap:@Port #0, Speed 16GT/s, Width x16, ASPM L1, Exit Latency L1 <4us
		@@LnkCtl:@ASPM Disabled; RCB 64 bytes, Disabled- CommClk+
		@@LnkSta:@Speed 2.5GT/s (downgraded), Width x16 (ok)
	END
	try pcb-model why -f table 26.3GB/s --dump dump -d 01:00.0
	[[ $output == "normal: 26.3 GB/s is "*" gen4x16 "* ]] || show normal
	[[ $output == *"Assumed: --gen 4 (LnkCap; now gen1), --bench bw_rd"* ]] ||
		show assumed
}

# simulated OPTION...: Gbit/s of reads of 64 bytes by the simulated device.
simulated() {
	pcb-collect bw_rd -q -d sim --cache host-warm -n 5000 -s 64 "$@" |
		pcb-stats -P -f csv | column median_gbit_s
}

@test "simulated results with one cause set" {
	before=$(simulated)
	while read -r cause options; do
		# shellcheck disable=SC2086
		now=$(simulated $options)
		[[ " $(answer "${now}Gbit/s" gen3x8 -s 64 --for nic --before \
			"${before}Gbit/s" | cut -d' ' -f2-5) " == *" $cause "* ]] ||
			{ echo "$cause: $now of $before" && false; }
	done <<-'END'
		link -O link=gen3x2/mps256/mrrs512/rcb64
		iommu -O iommu=on -w 64M
		node --node remote
	END
}
