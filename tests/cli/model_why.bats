#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# pcb-model why and reference: verdicts by public results, causes of questions
# asked in public, and what no answer may say.

load helpers
load pages

tests pcb-model why

# answer ARGUMENT...: verdict, and causes, likeliest first.
answer() {
	pcb-model why -P -f jsonl "$@" | sed -n \
		'1s/.*"verdict":"\([a-z ]*\)".*/\1/p
		2,$s/.*"cause":"\([a-z_]*\)".*/\1/p' | paste -sd' '
}

# chance CAUSE ARGUMENT...: its probability in percent, rounded down.
chance() {
	pcb-model why -P -f jsonl "${@:2}" |
		sed -n "s/.*\"cause\":\"$1\".*\"probability_pct\":\([0-9]*\).*/\1/p"
}

# bound ARGUMENT...: the bandwidth of the model.
bound() {
	pcb-model -P "$@" | column bandwidth_gbit_s
}

@test "what is no number and no link" {
	wrong "why takes a number and a link, such as 11.8GB/s gen3x16, or a"
	wrong "why takes a number and a link, such as 11.8GB/s" 11.8GB/s
	wrong "'11.8': the unit must be GB/s, Gbit/s, MB/s or" 11.8 gen3x16
	wrong "'11gb/s': the unit must be GB/s, Gbit/s" 11gb/s gen3x16
	wrong "'x': not a rate such as 11.8GB/s or 94Gbit/s" x gen3x16
	wrong "'0GB/s': must be greater than 0" 0GB/s gen3x16
	wrong "'12,5GB/s': decimals need a point, as in 12.5GB/s" \
		12,5GB/s gen3x16
	wrong "'12,5GB/s': decimals need a point" 12,5 GB/s gen3x16
	wrong "--bench 'lat_rd': not bw_rd, bw_wr or bw_rdwr" \
		1GB/s gen3x16 --bench lat_rd
	wrong "-s: one size at a time" 1GB/s gen3x16 -s 64,128
	wrong "--link and 'gen3x16' each name a" 1GB/s gen3x16 --link gen3x8
	wrong "--before '1': the unit must be GB/s," 1GB/s gen3x16 --before 1
	wrong "--for 'tpu': not one of: gpu nvme nic" 1GB/s gen3x16 --for tpu
	# The hint names the page that has the words.
	try pcb-model why --for tpu 1GB/s gen3x16
	[[ "$stderr" = *$'\n'"Try 'pcb-model why --help'." ]] || show hint
	wrong "--engine is for --for gpu" 1GB/s gen3x16 --for nic --engine core
	wrong "-d '04:00.0': a second device" 1GB/s -d 03:00.0 --device 04:00.0
	try pcb-model bw_rd --before 1GB/s
	is 2 "" "pcb-model: --before is for why, not for bw_rd
Try 'pcb-model bw_rd --help'."
}

@test "units of the number" {
	for number in 12.8GB/s 102.4Gbit/s 102.4Gb/s 102.4Gbps 12800MB/s \
		102400Mbit/s 11.9209289GiB/s 12.8GBps 12800MB/sec \
		102.4Gbits/sec "12800 MB/s" "102.4 Gbits/sec" 12800000kB/s \
		102.4gbps 102400mbit/s "12800000 KB/s"; do
		# shellcheck disable=SC2086
		try pcb-model why -P -f table $number gen3x16
		[[ $output == "normal: 12.8 GB/s is 88 % "* ]] || show "$number"
		[[ $number == *" "* ]] || try pcb-model why -P -f table gen3 x16 "$number"
		[[ $output == "normal: 12.8 GB/s is 88 % "* ]] || show "$number last"
	done
}

@test "operations each second, and other words" {
	said() {
		pcb-model why -P -f csv "$@" | sed -n 's/Assumed:.*//; s/.*"\([0-9.]* GB.s is .* carries\)/\1/p'
	}
	# 600,000 reads of 4 KiB are 2.4576 GB/s; frames cross without their CRC.
	while IFS='|' read -r first second arguments; do
		# shellcheck disable=SC2086
		[ "$(said $first $arguments)" = "$(said $second $arguments)" ] ||
			{ said $first $arguments && said $second $arguments && show "$second"; }
	done <<-'END'
		2.4576GB/s|600kIOPS|gen3x4 --for nvme -s 4K
		2.4576GB/s|600k IOPS|gen3x4 --for nvme -s 4K
		2.4576GB/s|0.6 MIOPS|gen3x4 --for nvme -s 4K
		2.4576GB/s --for nvme --bench bw_rd|600000 IOPS|gen3x4 -s 4K
		2.4576GB/s --for nvme --bench bw_rd|600k IOPS|gen4x16 -s 4K
		180Gbit/s --for nic|15Mpps|gen4x16 -s 1500
		7.68Gbit/s|15Mpps|gen3x8 --for nic -s 64
		7.2Gbit/s -s 60|15Mpps --frame 64|gen3x8 --for nic
		1GB/s --before 3.2768GB/s|1GB/s --before 800kIOPS|gen3x4 --for nvme -s 4K
		7GB/s gen4x16|7GB/s 16x gen4|
		7GB/s gen4x16|7GB/s gen4 16x|
		1GB/s --for nvme|1GB/s --for ssd|gen3x4
	END
	[ "$(chance size 1GB/s gen3x4 --for nvme -s 4K --also 800kIOPS:queue)" = \
		"$(chance size 1GB/s gen3x4 --for nvme -s 4K --also 3.2768GB/s:queue)" ]
	for arguments in "600kIOPS gen3x4" "600kIOP gen3x4 -s 4K" "IOPS gen3x4 -s 4K" \
		"1GB/s gen3x4 --before 800kIOPS" "0IOPS gen3x4 -s 4K"; do
		# shellcheck disable=SC2086
		try pcb-model why $arguments
		[ "$status" = 2 ] || show "$arguments"
	done
}

# The reference of the tests: ten results that reach 82, 84 ... 100 % of the
# bound of gen3x16, 116.55621186320364 Gbit/s; of ten sources, or fewer.
ten() {
	echo initiator,direction,link,bandwidth_gb_s,source
	for pct in 82 84 86 88 90 92 94 96 98 100; do
		awk "BEGIN { printf \"gpu-copy,read,gen3x16,%.6f,test%d\\n\", \
			$pct * 0.1456952648290, $pct % ${1-99} }"
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
		yes 15.3GB/s gen3x16 --for nvme
		no 15.0GB/s gen3x16 --for nvme
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
	# Three sources are a list and no verdict, however many results they have.
	ten 6 >three.csv
	[ "$(cut -d, -f5 three.csv | sort -u | wc -l)" = 4 ]
	try pcb-model why -P -f table --reference ./three.csv 10GB/s gen3x16
	[[ $output == "no reference: "*": 82 % on gen3, 84 % "* ]] || show sources
}

@test "results of a vendor, or of which vendors they are" {
	{
		ten | sed '1s/$/,vendor/; 2,$s/$/,AMD/'
		for pct in 60 61 62 63 64; do
			awk "BEGIN { printf \"gpu-copy,read,gen3x16,%.6f,s%d,NVIDIA\n\", \
				$pct * 0.1456952648290, $pct }"
		done
	} >both.csv
	while read -r verdict words vendor; do
		try pcb-model why -P -f csv --reference ./both.csv 9.2GB/s gen3x16 \
			${vendor:+--vendor "$vendor"}
		[[ $output == *",$verdict,"*"memory${words//_/ }"* ]] || show "$vendor"
	done <<-'END'
		normal _(all_of_NVIDIA)_on NVIDIA
		normal _(all_of_nvidia)_on nvidia
		low _(all_of_AMD)_on AMD
		normal _(none_of_Intel)_on Intel
		normal _on
	END
	try pcb-model why -f table --reference ./both.csv 1GB/s gen3x16 --vendor Intel
	[[ $output == "by results of other vendors, low: "* ]] || show others
	# Four sources decide; a device has an ID.
	sed -i '/,s63,/d; /,s64,/d' both.csv
	below_switch - >dump
	try pcb-model why -P -f csv --reference ./both.csv 12GB/s --gen 3 \
		--dump dump -d 03:00.0
	[[ $output == *" (few of NVIDIA) on gen3"* ]] || show few
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
# the reference that is installed.
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
		low_link 421.17MB/s gen3x1 --for nvme --bench bw_wr
		low_device 5.5GB/s gen3x16 --for fpga --bench bw_wr
		impossible 457GB/s gen5x16
		normal 196Gbit/s gen4x16 --for nic
		normal 12.3GB/s gen3x16 --for nic
		normal 9.8Gbit/s gen3x8 --rate 10G
		low 9.8Gbit/s gen3x8 --for nic
		low 60Gbit/s gen3x16 --rate 100G
		normal 3.85GB/s gen4x2 --for nic
		normal 3.8GB/s gen4x2/mps1024 --for nic
		impossible 3.85GB/s gen4x2/mrrs512 --for nic
		no_reference_pageable 10GB/s gen4x16 --memory pageable
	END
	try pcb-model why -P -f csv 94Gbit/s gen4x8 --rate 100G
	[[ $output == *" 100G Ethernet is full: 11.07 to 12.47 GB/s. "* ]] ||
		show full
	[[ $(pcb-model why -P -f csv 3.85GB/s gen4x2 --for nic) == *"--mrrs 4096."* ]]
	[[ $(answer 9.8Gbit/s gen3x2 --rate 10G --frame 1518) == *" ethernet "* ]]
}

# Which cause is first with what was seen, and at least how probable.
@test "evidence decides" {
	while read -r cause least arguments; do
		# shellcheck disable=SC2086
		set -- $arguments
		[[ $(answer "$@") == *" $cause "* || $(answer "$@") == *" $cause" ]]
		[ "$(chance "$cause" "$@")" -ge "$least" ] ||
			{ answer "$@" && chance "$cause" "$@" && echo "$cause" && false; }
	done <<-'END'
		pageable 60 6GB/s gen4x16 --seen memory=pageable
		pageable 60 6GB/s gen4x16 --memory pageable
		pageable 90 6GB/s gen4x16 --seen memory=pageable --also 24.7GB/s:memory
		link 60 6GB/s gen4x16 --seen link_now=below
		node 60 7GB/s gen3x16 --memory remote --also 12GB/s:node
		node 60 14GB/s gen4x16 --seen node=remote,node_ab=better
		staged 60 11GB/s gen4x16 --memory peer --seen p2p=off
		staged 60 27GB/s gen5x16 --memory peer --bench bw_wr --seen p2p=off
		acs 50 27GB/s gen5x16 --memory peer --bench bw_wr --seen acs=redirect,p2p=on
		iommu 60 9.8Gbit/s gen3x8 -s 64 --before 28Gbit/s --seen iommu_ab=better
		node 80 28GB/s gen4x16 --bench bw_rdwr --sum --also 50GB/s:node
		errors 50 12GB/s gen4x16 --seen errors=rising,link_now=as_stated
		pageable 60 5GB/s gen4x16 --before 25GB/s --seen differs=program
		network 40 3Gbit/s gen3x8 --rate 10G --seen net=errors
	END
	# Half a link costs a device that did not fill it less than half.
	half="gen3x4 --for nvme --before"
	# shellcheck disable=SC2086
	[ "$((2 * $(chance link 1GB/s $half 2GB/s)))" -lt \
		"$(chance link 1.7GB/s $half 3.4GB/s)" ]
	[[ $(answer 0.44GB/s gen3x16) == "low link idle "* ]] || show "one lane"
	[ "$(chance tunnel 2.5GB/s gen3x16 --for nic)" -lt \
		"$(chance tunnel 2.5GB/s gen3x8 --for nic)" ]
	# The same with host memory separates a NIC's link from the way to a GPU.
	peer="13GB/s gen5x16 --for nic --memory peer"
	# shellcheck disable=SC2086
	[ "$(chance link $peer --also 49GB/s:host)" -lt "$(chance link $peer)" ]
	# shellcheck disable=SC2086
	[ "$(chance acs $peer --also 13GB/s:host)" -lt "$(chance acs $peer)" ]
	# Of impossible numbers, those of the same kind of device count more.
	[[ $(answer 71.01GB/s gen3x8 --for fpga --without \
		Xilinx/dma_ip_drivers#376) == "impossible clock "* ]] || show fpga
	[[ "$(answer 9GB/s gen3x16 --memory remote)" == "low node "* ]]
	# Pinned memory is no pageable one; the same in both numbers explains nothing.
	[ "$(chance pageable 6GB/s gen4x16 --seen memory=pinned)" -lt 3 ]
	[ "$(chance pageable 6GB/s gen4x16 --before 24GB/s \
		--seen memory=pageable:both)" -lt 5 ]
	[ "$(chance pageable 6GB/s gen4x16 --before 24GB/s \
		--seen memory=pageable)" -gt 40 ]
	# The same again without the difference is less than BETTER.
	[ "$(chance pageable 6GB/s gen4x16 --also 6.3GB/s:memory)" -lt 3 ]
	try pcb-model why -P -f csv 6GB/s gen4x16 --seen memory=pageable
	[[ $output == *",pageable,confirmed,"*"memory=pageable (--seen)"* ]] ||
		show source
	for word in "--seen memory" "--seen memory=x" "--also 7:memory" \
		"--also 7GB/s" "--also 7GB/s:colour" "--sum"; do
		# shellcheck disable=SC2086
		try pcb-model why 6GB/s gen4x16 $word
		[ "$status" = 2 ] || show "$word"
	done
	try pcb-model why 6GB/s gen4x16 --memory peer --seen help
	[[ $status = 0 && $output == *$'\n'"p2p         off "* ]] || show help
	[[ $output != *$'\n'"pinned"* && $output != *$'\n'"bounce"* ]] ||
		show "help of a peer"
	runs pcb-model why --seen help
	[[ $output = *$'\n'"p2p         off "* &&
		$output = *$'\n'"load        alone "* ]] || show "all without a number"
	[ "$(wc -L <<<"$output")" -le 80 ] || show width
	try pcb-model why 6GB/s gen4x16 --seen load=bar
	[[ $status = 2 && $stderr = *alone*many* ]] || show "values of load"
	try pcb-model why 0.005GB/s gen4x16 -f table
	[[ $output = *" 0.017 % of "* && $output != *$'\n'"         "$'\n'* ]] ||
		show "three digits, no blank line"
}

@test "each direction, or the sum" {
	both="--for gpu --bench bw_rdwr"
	while read -r want arguments; do
		# shellcheck disable=SC2086
		[[ "$(answer $arguments $both) " == "${want//_/ } "* ]] ||
			{ answer $arguments $both && echo "$want: $arguments" && false; }
	done <<-'END'
		unclear 28GB/s gen4x16
		unclear 25GB/s gen4x16
		low 28GB/s gen4x16 --sum
		normal 25GB/s gen4x16 --seen sum=each
		impossible_directions 48.2GB/s gen4x16
		normal_directions 48.2GB/s gen4x16 --sum
		low 7GB/s gen4x16
	END
	# Between peers one bound in all commands.
	flows=$(pcb-model flows -P --topology "$TOP/tests/data/why/pair.txt" \
		'gpu0>gpu1' 'gpu1>gpu0' | column bandwidth_gbit_s | sed -n 1p)
	# shellcheck disable=SC2086
	ours=$(pcb-model why -P -f jsonl 50GB/s gen5x16 $both --memory peer |
		sed -n '1s/.*"bound_gbit_s":\([0-9.]*\).*/\1/p')
	[ "$(fmt %.6g "$flows")" = "$(fmt %.6g "$ours")" ]
}

@test "loads by a CPU wait, stores do not" {
	# gdrcopy publishes 0.55 to 0.79 GB/s for a GPU on gen3x16.
	for number in 0.03 0.3 0.67 0.788; do
		got=" $(answer ${number}GB/s gen3x16 --for cpu --bench bw_rd) "
		[[ $got == *"reference inflight "* && $got != *" size "* ]] ||
			show "$got"
	done
	[[ " $(answer 4GB/s gen3x16 --for cpu --bench bw_wr) " == *" size "* ]]
}

@test "few sources of tiny numbers make nothing sure" {
	# Two sources of such numbers are of uncached buffers.
	[ "$(chance hostbuf 2MB/s gen4x16)" -lt 80 ]
	[ "$(chance hostbuf 2MB/s gen4x16)" -gt 20 ]
}

@test "nobody said whether a CPU loads or stores" {
	# 8 bytes for each round trip of a load, or of a store.
	[[ "$(answer 8MB/s gen3x8 --for cpu)" == "low inflight "* ]]
	[[ "$(answer 80MB/s gen3x8 --for cpu -s 8)" == "low size "* ]]
	[[ "$(answer 4MB/s gen2x4 --for cpu -s 8)" == "no reference inflight "* ]]
	# 32 bytes for each: it may be both, and neither is sure.
	[ "$(chance size 50MB/s gen3x8 --for cpu)" -lt 60 ]
	[ "$(chance inflight 50MB/s gen3x8 --for cpu)" -gt 20 ]
	# Host memory that is mapped uncached is no device.
	[[ "$(answer 67MB/s gen3x8 --for cpu --seen mapping=uncached)" == \
		"low hostbuf "* ]]
	[[ "$(answer 4MB/s gen3x8 --for cpu -s 8 --seen mapping=uncached)" == \
		"low inflight "* ]]
}

@test "a slower link, and the rest on it" {
	try pcb-model why -P -f table 190.5MB/s gen2x1 --before 375MB/s \
		--seen link_now=gen1x1
	[[ $output == *"the link is gen1x1, not gen2x1"*"explains all of it"* ]] ||
		show all
	try pcb-model why -P -f table 100MB/s gen2x1 --seen link_now=gen1x1
	[[ $output == *"is 43 % of 0.2309 GB/s; the rest is:"* ]] || show rest
	[ "$(sed '1,/the rest/d' <<<"$output" | grep -c "%  link")" = 0 ]
}

@test "options: reads in flight, a device" {
	[ "$(answer 20GB/s gen4x16 --engine ce)" = \
		"$(answer 20GB/s gen4x16 --engine copy)" ]
	[ "$(answer 20GB/s gen4x16 --engine sm)" = \
		"$(answer 20GB/s gen4x16 --engine core)" ]
	# Packets of 128 bytes carry what doc/hopper.md measured, whatever MPS is.
	core="52.6GB/s gen5x16/mps256 --engine core --bench bw_wr"
	# shellcheck disable=SC2086
	[ "$(chance cores $core)" -gt 25 ]
	# shellcheck disable=SC2086
	[[ "$(answer $core --vendor AMD) " != *" cores "* ]]
	try pcb-model why -P -f csv 50GB/s gen5x16 --engine core --bench bw_wr
	[[ $output == *",cores,open,"*",$(bound bw_wr --link gen5x16/mps128 -s 4096),"* ]] ||
		show packets
	[[ $(answer 27GB/s gen5x16 --memory peer --bench bw_wr) == *staged* ]]
	# 16 x 512 bytes in 1 us are 65.5 Gbit/s.
	try pcb-model why -P 65Gbit/s gen4x16 --for fpga -s 512 --rtt 1us
	[[ $output == *"16 outstanding reads, each for 1000 ns"* ]]
	try pcb-model why -P 65.536Gbit/s gen4x16 --for fpga -s 512 --inflight 16
	[[ $output == *"16 outstanding reads, each for 1000 ns"* ]]
	[ "$(chance inflight 65Gbit/s gen4x16 --for fpga -s 512 --inflight 16 \
		--rtt 1us)" -gt 20 ]
	# A device's registers say its link, MPS, class and relaxed ordering.
	dump=$TOP/tests/data/lspci/guest.txt
	try pcb-model why -P -f csv 100MB/s --dump "$dump" -d 05:00.0
	[[ $output != *",link,open,"* && $output != *DEVICE* &&
		$output != *",mps,"* ]] || show device
}

# What no answer may say, of numbers, links and options drawn at random.
@test "a sweep: sums of 1, no cause below the number, no normal above the bound" {
	local n=400

	awk -v n="$n" 'BEGIN {
		srand(78)
		split("gpu nvme nic fpga cpu", who, " ")
		split("bw_rd bw_wr bw_rdwr", bench, " ")
		split("pinned pinned peer remote", memory, " ")
		split("memory=pinned node=remote p2p=off link_now=below sum=each", seen, " ")
		for (i = 0; i < n; i++) {
			gen = 1 + int(6 * rand())
			lanes = 2 ^ int(5 * rand())
			raw = 2 ^ (gen - 1) * lanes * (gen < 3 ? 2 : 4 / 2)
			number = raw * exp(-6 + 7.5 * rand())
			if (rand() < 0.3)
				number = raw * (0.75 + 0.3 * rand())
			printf "%.6gGbit/s gen%dx%d%s --for %s --bench %s", number, gen, lanes, \
				rand() < 0.3 ? "/mps" 2 ^ (7 + int(3 * rand())) : "", \
				who[1 + int(5 * rand())], bench[1 + int(3 * rand())]
			printf " --memory %s", memory[1 + int(4 * rand())]
			if (rand() < 0.3)
				printf " --before %.6gGbit/s", number * (1 + 3 * rand())
			if (rand() < 0.4)
				printf " --seen %s", seen[1 + int(5 * rand())]
			if (rand() < 0.2)
				printf " -s %d", 2 ^ int(5 + 10 * rand())
			print ""
		}
	}' >asked
	while read -r arguments; do
		# shellcheck disable=SC2086
		pcb-model why -P -f csv $arguments | awk -v q="$arguments" '
			NR == 1 { for (i = split($0, name, ","); i; i--) at[name[i]] = i }
			NR > 1 { print q "|" NR "|" $0 }'
	done <asked >rows
	awk -F'|' -v n="$n" '
	function wrong(why) { print why ": " $0; bad = 1 }
	# The fields behind the text, which may be quoted.
	{
		split($1, q, " ")
		number = q[1] + 0
		row = $0
		sub(/^[^|]*[|][0-9]*[|]/, "", row)
		gsub(/"[^"]*"/, "text", row)
		split(row, f, ",")
	}
	$2 == 2 {
		if (n1 && (sum < 99.999 || sum > 100.001)) wrong("sum " sum)
		sum = 0
		n1++
		verdict = f[4]
		half = 1
	}
	$2 > 2 {
		sum += f[6]
		if (f[6] < 0 || f[6] > 100.001) wrong("probability")
		if (f[8] != "" && f[8] < 0.994 * number && f[3] != "directions") wrong("below")
		if (f[3] == "ethernet" && $1 !~ /nic/) wrong("no NIC")
		if (f[3] == "idle" && $1 !~ /gpu/) wrong("no GPU")
		if (f[3] == "completions" && $1 ~ /bw_wr /) wrong("no reads")
		if (f[3] == "staged" && $1 !~ /peer/) wrong("no peer")
	}
	END { exit bad || n1 != n }' rows
	# Verdicts against the bound of the other commands.
	while read -r number link _ who _ bench _ memory rest; do
		[[ $memory$rest == pinned ]] && [ "$who" != cpu ] || continue
		case $who in
		gpu) mps=256 ;;
		nvme) mps=512 ;;
		*) mps=4096 ;;
		esac
		[[ $link == */mps* ]] || link=$link/mps$mps
		most=$(bound "$bench" --link "$link/mrrs4096" -s 4096)
		verdict=$(answer "$number" "${link%/mps"$mps"}" --for "$who" \
			--bench "$bench" | head -c 6)
		[[ $verdict != normal ]] ||
			awk "BEGIN { exit !(${number%Gbit/s} <= 1.005 * $most) }" ||
			{ echo "$number $link $who $bench: $most" && false; }
	done <asked
	try pcb-model why -P 13GB/s gen3x16 --bench bw_wr
	[[ $output == *",mps,open,"*",$(bound bw_wr --link gen3x16/mps128 -s 4096),"* ]]
}

@test "a latency: public ones, a verdict of four sources, or none" {
	while read -r want code arguments; do
		# shellcheck disable=SC2086
		try pcb-model why -P -f jsonl $arguments
		[[ $status == "$code" && $output == *"\"verdict\":\"${want//_/ }\""* ]] ||
			show "$want $arguments"
	done <<-'END'
		normal 0 1.2us gen4x16 --for gpu --memory peer
		borderline 3 1.45us gen4x16 --for gpu --memory peer
		high 1 11us gen4x16 --for gpu --memory peer
		no_reference 3 1.3us gen4x16 --for gpu
		no_reference 3 600ns gen3x8 --for nic
		no_reference 3 1us gen3x8 --for nvme
	END
	# What is not normal ends with what to measure: commands that exist.
	while read -r bench arguments; do
		# shellcheck disable=SC2086
		try pcb-model why -f table $arguments
		[[ $output == *$'\n'Next:*"$bench"* ]] || show "$arguments"
		[[ $bench != lat_* ]] || pcb-collect --help "$bench" >/dev/null ||
			show "$bench"
		[ "$(wc -L <<<"$output")" -le 80 ] || show "$arguments"
	done <<-'END'
		lat_rd 1.3us gen4x16 --for gpu
		lat_nvme 1us gen3x8 --for nvme
		lat_mmio 9us gen3x8 --for cpu
		topo 11us gen4x16 --for gpu --memory peer
	END
	try pcb-model why -f table 1.2 us gen4x16 --for gpu --memory peer
	[[ $output != *Next:* ]] || show normal
	# Only what has such latencies is offered instead.
	try pcb-model why -f table 1.2us gen4x16 --for nic --memory peer
	[[ $status = 3 && $output == *"--for gpu."* && $output != *fpga* ]]
	# The p90 is that of the rows without a cause; the nearest row comes first.
	p90=$(awk -F, '!/^#/ && /^gpu,peer/ && !/,(node|staged),/ {
		n = NF; print $(n - 3) }' "$TOP/share/pcb-tools/reference/latency.csv" |
		awk '{ print "x," $1 }' | sed '1i kind,latency_ns' |
		pcb-stats -P -p 90 -g kind -f csv | column p90_ns)
	try pcb-model why -P -f jsonl 11us gen4x16 --for gpu --memory peer
	[[ $output == *"\"p90_ns\":$(fmt %.4g "$p90")"* ]] || show p90
	[[ $output == *\"latency_ns\":11000*\"latency_ns\":10700*staged* ]] ||
		show nearest
}

@test "text for people: fourteen lines of eighty columns" {
	for arguments in "11.8GB/s gen3x16" "6.3GB/s gen4x16" "49GB/s gen3x16" \
		"5.5GB/s gen3x16 --before 11.5GB/s" "6GB/s gen5x8 --memory peer" \
		"1GB/s gen4x4" "3GB/s gen4x16 --for fpga" "5GB/s gen4x16 --for nic" \
		"28GB/s gen4x16 --bench bw_rdwr" "20GB/s gen4x16 --bench bw_rdwr" \
		"30GB/s gen5x16 --bench bw_rdwr --memory peer --seen topo=sys" \
		"6GB/s gen4x16 --seen memory=pageable"; do
		# shellcheck disable=SC2086
		try pcb-model why -f table $arguments
		[ "$(wc -l <<<"$output")" -le 14 ] || show "$arguments"
		[ "$(wc -L <<<"$output")" -le 80 ] || show "$arguments"
		[[ $output == *" %  "* ]] || show "$arguments"
	done
	# Below 60 % no cause is called first, and the next observation is named.
	try pcb-model why -f table 6GB/s gen4x16
	[[ $output == *"The number alone does not tell. "*"--seen "* ]] || show unsure
	try pcb-model why -f table 6GB/s gen4x16 --seen memory=pageable
	[[ $output != *"does not tell"* ]] || show sure
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
	[[ $output == *"Assumed: --gen 4 (now gen1), --bench bw_rd"* ]] ||
		show assumed
}

# facts COMMAND...: the observations that a device's causes name.
facts() {
	pcb-model why -P -f csv "$@" 2>/dev/null |
		grep -o '[a-z0-9_]*=[a-z0-9_]* ([^)]*)' | sort -u | paste -sd,
}

# below_switch ACS: two GPUs below a switch, whose ports redirect (+) or not (-).
below_switch() {
	local at

	port() {
		printf '%s %s: Test\n\tBus: primary=%s, secondary=%s, subordinate=%s, sec-latency=0\n' \
			"$1" "$2" "$3" "$4" "$5"
	}
	pcie() {
		printf '\tCapabilities: [40] Express (v2) %s, MSI 00\n' "$1"
		printf '\t\tDevCtl:\tCorrErr+ NonFatalErr+ FatalErr+ UnsupReq+\n'
		printf '\t\t\tRlxdOrd- ExtTag+ PhantFunc- AuxPwr- NoSnoop+\n'
		printf '\t\t\tMaxPayload 256 bytes, MaxReadReq 512 bytes\n'
		printf '\t\tLnkCap:\tPort #0, Speed 16GT/s, Width x16, ASPM not supported\n'
		printf '\t\tLnkCtl:\tASPM Disabled; RCB 64 bytes, Disabled- CommClk+\n'
		printf '\t\tLnkSta:\tSpeed 16GT/s, Width x16\n'
	}
	port 00:01.0 "PCI bridge" 00 01 04
	pcie "Root Port (Slot+)"
	port 01:00.0 "PCI bridge" 01 02 04
	pcie "Upstream Port"
	for at in 0 1; do
		port "02:0$at.0" "PCI bridge" 02 "0$((3 + at))" "0$((3 + at))"
		pcie "Downstream Port (Slot-)"
		printf '\tCapabilities: [100 v1] Access Control Services\n'
		printf '\t\tACSCtl:\tSrcValid+ TransBlk- ReqRedir%s CmpltRedir%s UpstreamFwd+ EgressCtrl- DirectTrans-\n' \
			"$1" "$1"
	done
	for at in 3 4; do
		printf '0%s:00.0 VGA compatible controller: NVIDIA Corporation Device 2204\n' "$at"
		pcie Endpoint
	done
}

@test "a dump says what separates causes, without being asked" {
	from="(the dump)"
	below_switch - >off
	below_switch + >on
	sed '/^0[124]:/,/LnkSta/d; s/subordinate=04/subordinate=03/' off >one
	host="link_now=as_stated $from,ordering=ro_off $from"
	[[ "$(facts 9GB/s --dump off -d 03:00.0)" == *"path=shared $from"* ]]
	[[ "$(facts 9GB/s --dump one -d 03:00.0)" == *"path=direct $from"* ]]
	[[ "$(facts 9GB/s --dump one -d 03:00.0)" == "$host"* ]]
	[[ "$(facts 9GB/s --dump one -d 03:00.0)" == *"tree=no_tunnel $from"* ]]
	peer="--memory peer --bench bw_wr"
	# shellcheck disable=SC2086
	[[ "$(facts 9GB/s $peer --dump off -d 03:00.0)" == "acs=off $from,"* ]]
	# shellcheck disable=SC2086
	[[ "$(facts 9GB/s $peer --dump on -d 03:00.0)" == "acs=redirect $from,"* ]]
	# shellcheck disable=SC2086
	[ "$(chance acs 9GB/s $peer --dump on -d 03:00.0)" -gt 50 ]
	# shellcheck disable=SC2086
	[ "$(chance acs 9GB/s $peer --dump off -d 03:00.0)" -lt 3 ]
	# In a guest the ways may be invented.
	printf '00:02.0 Class 0780: Red Hat, Inc. Virtio\n' | cat off - >guest
	# shellcheck disable=SC2086
	[[ "$(facts 9GB/s $peer --dump guest -d 03:00.0)" != *acs=* ]]
}

@test "nvidia-smi and the kernel's log tell of links" {
	gpu() {
		printf 'GPU 00000000:%s:00.0\n    Performance State : %s\n' "$1" "$2"
		printf '    PCIe Generation\n        Max     : 4\n        Current : %s\n' "$3"
		printf '    Link Width\n        Max     : 16x\n        Current : %s\n' "$4"
		printf '    Replays Since Reset : %s\n' "$5"
	}
	{
		gpu 41 P8 1 16x 0
		gpu 61 P0 3 8x 4242
	} >smi
	cat >log <<-'END'
		[    0.000000] Linux version 6.1.0
		[    0.400000] iommu: Default domain type: Translated
		[    0.500000] pci 0000:00:1c.4: [8086:a114] type 01 class 0x060400 PCIe Root Port
		[    0.600000] pci 0000:03:00.0: [144d:a808] type 00 class 0x010802 PCIe Endpoint
		[    0.600001] pci 0000:03:00.0: 15.752 Gb/s available PCIe bandwidth, limited by 8.0 GT/s PCIe x2 link at 0000:00:1c.4 (capable of 31.504 Gb/s with 8.0 GT/s PCIe x4 link)
		[    0.700000] pci 0000:04:00.0: [8086:1533] type 00 class 0x020000 PCIe Endpoint
	END
	cat smi log >both
	try pcb-model tree -P -f csv --dump both
	[ "$(cut -d, -f2-6 <<<"$output" | tail -n 3)" = "0000:03:00.0,nvme0,pci?,gen3x2,
0000:41:00.0,gpu0,pci?,gen4x16,gen1x16
0000:61:00.0,gpu1,pci?,gen3x8," ] || show tree
	printf 'bench,device,size_bytes,median_gbit_s\nbw_wr,gpu1,4096,50\n' >rows
	try pcb-model --join -P -f csv --dump smi rows
	[[ $output == *",57.46"* ]] || show join
	[[ $(answer 26GB/s -d gpu0 --dump smi) == normal* ]]
	# What both ends support counts.
	[[ $(answer 6.7GB/s -d gpu1 --dump smi) == "low link "* ]]
	[[ $(answer 1.6GB/s -d nvme0 --dump log) == "low link "* ]]
	[[ $(answer 1.6GB/s gen3x2 -d nvme0 --dump log) == normal* ]]
	[ "$(facts 0.4GB/s gen3x2 -d nvme0 --dump log)" = \
		"iommu=translates (the kernel's log)" ]
	[ "$(facts 3GB/s gen3x8 -d gpu1 --dump smi)" = \
		"errors=counted (the dump),link_now=as_stated (nvidia-smi)" ]
	# A link that is lower than stated, and one of which nobody knows.
	[[ "$(facts 6.7GB/s gen4x16 -d gpu1 --dump smi)" == \
		*"link_now=below (nvidia-smi)"* ]]
	[ "$(chance link 6.7GB/s gen4x16 -d gpu1 --dump smi)" -gt 90 ]
	try pcb-model why -f table 1.6GB/s gen3x4 -d nvme0 --dump log
	[[ $output == *"gen3x2, not gen3x4, confirmed by"*"explains all of it"* ]] ||
		show boot
	[[ "$(facts 20GB/s gen4x16 -d gpu0 --dump smi)" != *link_now* ]]
	[[ "$(facts 2GB/s gen5x16 -d gpu0 --dump smi)" == *link_now=below* ]]
	# Matrices of GPUs, whose rows say the same of all others.
	printf '\tGPU0\tGPU1\tNIC0\nGPU0\t X \tPHB\tPIX\nGPU1\tPHB\t X \tNODE\n' |
		cat - smi >topo
	printf ' GPU0 GPU1\n GPU0 X CNS\n GPU1 CNS X\n' | cat - topo >p2p
	{
		printf ' GPU0 GPU1 GPU2\n GPU0 X SYS SYS\n GPU1 SYS X SYS\n'
		cat smi
		gpu 81 P0 4 16x 0
	} >three
	peer="3GB/s gen3x8 --memory peer --bench bw_wr -d gpu1"
	# shellcheck disable=SC2086
	[[ "$(facts $peer --dump topo)" == *"topo=host_bridge (nvidia-smi topo)" ]]
	# shellcheck disable=SC2086
	[[ "$(facts $peer --dump p2p)" == *"p2p=off (nvidia-smi topo)"* ]]
	# shellcheck disable=SC2086
	[ "$(chance staged $peer --dump p2p)" -gt 60 ]
	# shellcheck disable=SC2086
	[[ "$(facts $peer --dump three)" != *topo=* ]]
	# Nobody knows MPS, nor the link of gpu0 while it moves data.
	[[ "$(facts 3GB/s -d gpu0 --dump smi)" != *link_now* ]]
	[[ $(answer 22.8GB/s -d gpu0 --dump smi) == *" mps"* ]]
	# What a tunnel says is no link.
	sed 's/8.0 GT.s PCIe x2/2.5 GT\/s PCIe x4/; s/15.752/8.000/' log >tunnel
	try pcb-model why 1GB/s -d nvme0 --dump tunnel
	[ "$status" = 0 ] || [ "$status" = 1 ] || show "no tunnel"
	echo "[    0.800000] thunderbolt 0000:05:00.0: total paths: 12" >>tunnel
	try pcb-model why 1GB/s -d nvme0 --dump tunnel
	[ "$status" = 2 ] || show tunnel
}

# simulated OPTION...: Gbit/s of reads of 64 bytes by the simulated device.
simulated() {
	pcb-collect bw_rd -q -d sim --cache host-warm -n 5000 -s 64 "$@" |
		pcb-stats -P -f csv | column median_gbit_s
}

@test "simulated results with one cause set" {
	before=$(simulated)
	while read -r cause seen options; do
		# shellcheck disable=SC2086
		now=$(simulated $options)
		[[ "$(answer "${now}Gbit/s" gen3x8 -s 64 --for nic --before \
			"${before}Gbit/s" --seen "$seen")" == *" $cause "* &&
			$(chance "$cause" "${now}Gbit/s" gen3x8 -s 64 --for nic --before \
				"${before}Gbit/s" --seen "$seen") -gt 40 ]] ||
			{ echo "$cause: $now of $before" && false; }
	done <<-'END'
		link link_now=below -O link=gen3x2/mps256/mrrs512/rcb64
		iommu iommu_ab=better -O iommu=on -w 64M
		node node_ab=better --node remote
	END
}

@test "help knows each cause and observation, and commands of the data exist" {
	data=$TOP/share/pcb-tools/reference
	for file in causes evidence; do
		awk -F, '/^#/ || !n++ { next } { print $1 }' "$data/$file.csv" |
			sort -u >words
		[ "$(wc -l <words)" -gt 30 ]
		while read -r word; do
			try pcb-model help "$word"
			[[ $status = 0 && $output == *"$word"*pcb-model\(1\)* ]] ||
				show "$word"
		done <words
	done
	grep -oh 'pcb-collect [a-z][a-z_]*' "$data"/*.csv | sort -u >words
	while read -r _ bench; do
		pcb-collect help "$bench" >/dev/null || show "$bench"
	done <words
}

# share CAUSE ARGUMENT...: its probability, in percent.
share() {
	local cause=$1

	shift
	pcb-model why -P -f jsonl "$@" 2>/dev/null | sed -n \
		"s/.*\"cause\":\"$cause\".*\"probability_pct\":\([0-9.]*\).*/\1/p"
}

more() {
	awk -v a="$1" -v b="$2" 'BEGIN { exit !(a > 1.2 * b) }' ||
		show "$1 is not much more than $2"
}

@test "the size of -s is an observation; a drive may be behind USB" {
	number="90MB/s gen2x8 --for fpga"
	# shellcheck disable=SC2086
	more "$(share size $number -s 4K)" "$(share size $number)"
	# shellcheck disable=SC2086
	more "$(share size $number)" "$(share size $number -s 1M)"
	# shellcheck disable=SC2086
	try pcb-model why -P $number -s 4K
	[[ $output == *,size,*"likely by transfer=small (-s)"* ]]
	# Messages of a NIC are of other sizes.
	try pcb-model why -P 1GB/s gen3x8 --for nic -s 4K
	[[ $output != *transfer=* ]]
	for rate in 0.43 1 2; do
		more "$(share tunnel "${rate}GB/s" gen4x4 --for nvme)" \
			"$(share tunnel "$(awk "BEGIN { print 0.7 * $rate }")GB/s" \
				gen4x4 --for nvme)"
	done
}

# Each number is the nominal rate of this link, rounded or not.
@test "nominal rates of lower links" {
	while read -r link arguments; do
		# shellcheck disable=SC2086
		[[ $(pcb-model why -P -f csv $arguments) == \
			*"the link is $link, not"* ]] || show "$link $arguments"
		# shellcheck disable=SC2086
		[ "$(chance link $arguments)" -ge 5 ] || show "$arguments"
	done <<-'END'
		gen3x8 8GB/s gen3x16
		gen3x8 7.88GB/s gen3x16
		gen4x4 8GB/s gen4x16
		gen3x2 2GB/s gen3x8
		gen1x1 2.000Gb/s gen3x4 --for nvme
	END
	# Half of the last digit: 1.00 is no 0.985 of gen3x1 or gen1x4.
	more "$(share link 1GB/s gen3x16)" "$(share link 1.03GB/s gen3x16)"
	# A lower link leaves no less than a number that is not rounded.
	[[ $(pcb-model why -P -f csv 1.03GB/s gen3x16 | grep ',link,') != \
		*"is gen1x4,"* ]]
}

@test "a far too small number is no sign of other causes" {
	for number in "1MB/s gen3x16 --bench bw_wr" "0.1MB/s gen4x16" \
		"1MB/s gen3x4 --for nvme"; do
		# shellcheck disable=SC2086
		[ "$(chance other $number)" -lt 60 ] || show "$number"
	done
	# A box on USB may be slower than USB is.
	more "$(share tunnel 268MB/s gen3x4 --for nvme --seen tree=tunnel)" \
		"$(share tunnel 268MB/s gen3x4 --for nvme)"
}

@test "queues, ASPM, risers and uncached memory" {
	nic="6.5Gbit/s gen2x8 --for nic --rate 10G"
	# shellcheck disable=SC2086
	more "$(share stack $nic --seen queue=one)" "$(share stack $nic)"
	# shellcheck disable=SC2086
	more "$(share stack $nic)" "$(share stack $nic --seen queue=many)"
	# shellcheck disable=SC2086
	more "$(share aspm $nic --seen aspm=on)" "$(share aspm $nic)"
	# shellcheck disable=SC2086
	[ "$(chance aspm $nic --also 9.4Gbit/s:aspm)" -ge 50 ]
	# shellcheck disable=SC2086
	[ "$(chance aspm $nic --seen aspm=off)" -lt 1 ]
	more "$(share errors 6GB/s gen4x16 --seen riser=yes)" \
		"$(share errors 6GB/s gen4x16)"
	[ "$(chance hostbuf 2GB/s gen4x16 --bench bw_wr \
		--seen mapping=uncached)" -ge 40 ]
	# A link sleeps if both ends may; a dump without LnkCtl does not tell.
	below_switch - >off
	sed 's/ASPM Disabled/ASPM L1 Enabled/' off >on
	sed '/^03:/,$s/ASPM L1 Enabled/ASPM Disabled/' on >above
	sed /LnkCtl:/d on >unseen
	while read -r dump want; do
		[[ ",$(facts 9GB/s --for nic --dump "$dump" -d 03:00.0)," == \
			*",$want"* ]] || show "$dump"
	done <<-'END'
		on aspm=on (the dump),
		off aspm=off (the dump),
		above aspm=off (the dump),
	END
	[[ "$(facts 9GB/s --for nic --dump unseen -d 03:00.0)" != *aspm=* ]]
}

@test "links as the kernel and others write them" {
	want=$(pcb-model why -P -f csv 1GB/s gen3x4) || [ $? = 3 ]
	for link in "8.0 GT/s PCIe x4 link" "PCI-E 3.0 x4" "PCIe 3.0 (x4)" \
		"x4 (8GT/s)" "Speed 8GT/s, Width x4"; do
		# shellcheck disable=SC2086
		[ "$(pcb-model why -P -f csv 1GB/s $link)" = "$want" ] ||
			show "$link"
		[ "$(pcb-model why -P -f csv 1GB/s --link "$link")" = "$want" ] ||
			show "--link $link"
	done
}
