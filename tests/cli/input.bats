#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Input of every program: a file, "-", a pipe and a here-document are alike.

load helpers

export nvbandwidth="$TOP/tests/data/import/others/nvbandwidth-0.8.txt"

# gpus: what lspci -vvv prints of two GPUs below ports of their own.
gpus() {
	local i

	for i in 1 2; do
		cat <<-EOF
		00:0$i.0 PCI bridge: Intel Corporation Root Port
			Bus: primary=00, secondary=0$i, subordinate=0$i, sec-latency=0
			Capabilities: [40] Express (v2) Root Port (Slot+), MSI 00
				DevCap:	MaxPayload 256 bytes, PhantFunc 0
				DevCtl:	CorrErr- NonFatalErr- FatalErr- UnsupReq-
					MaxPayload 256 bytes, MaxReadReq 512 bytes
				LnkCap:	Port #$i, Speed 16GT/s, Width x16, ASPM not supported
				LnkCtl:	ASPM Disabled; RCB 64 bytes, Disabled- CommClk+
				LnkSta:	Speed 16GT/s, Width x8 (downgraded)

		0$i:00.0 3D controller: NVIDIA Corporation GA100 (rev a1)
			Capabilities: [60] Express (v2) Endpoint, MSI 00
				DevCap:	MaxPayload 256 bytes, PhantFunc 0
				DevCtl:	CorrErr- NonFatalErr- FatalErr- UnsupReq-
					MaxPayload 256 bytes, MaxReadReq 512 bytes
				LnkCap:	Port #0, Speed 16GT/s, Width x16, ASPM not supported
				LnkCtl:	ASPM Disabled; RCB 64 bytes, Disabled- CommClk+
				LnkSta:	Speed 16GT/s, Width x8 (downgraded)

		EOF
	done
}

# bare: rows and status of a command, without the lines that name the file.
bare() {
	"$@" 2>/dev/null | grep -v '^#'
	echo "${PIPESTATUS[0]}"
}

# alike WANTED COMMAND...: reads the file `input` in each way as it does in the
# way that gave WANTED: its name or "-" in place of the word FILE, or without it.
alike() {
	local wanted=$1 word way got
	local -a dash=() none=() name=()

	shift
	for word; do
		dash+=("${word/#FILE/-}")
		name+=("${word/#FILE/input}")
		[ "$word" = FILE ] || none+=("$word")
	done
	for way in name file dash pipe here; do
		case $way in
		name) got=$(bare "${name[@]}") ;;
		file) got=$(bare "${none[@]}" <input) ;;
		dash) got=$(bare "${dash[@]}" <input) ;;
		pipe) got=$(bare "${none[@]}" < <(cat input)) ;;
		here) got=$(bare "${none[@]}" <<<"$(cat input)") ;;
		esac
		[ "$got" = "$wanted" ] || {
			printf '%s by %s:\n%.1000s\nwanted:\n%.1000s\n' \
				"$*" "$way" "$got" "$wanted"
			return 1
		}
	done
}

@test "a dump is read alike in each way" {
	local command wanted

	gpus >input
	for command in 'pcb-doctor' 'pcb-doctor gpu0' \
		'pcb-model tree' 'pcb-model tree -d gpu0' \
		'pcb-model flows gpu0>gpu1' 'pcb-model flows --each host' \
		'pcb-model why 11GB/s -d gpu0' 'pcb-model link --device gpu0' \
		'pcb-model floor -d gpu0' 'pcb-model bw_rd --device gpu0'; do
		# shellcheck disable=SC2086
		wanted=$(bare $command --dump input)
		[ "$(wc -l <<<"$wanted")" -gt 2 ]
		# shellcheck disable=SC2086
		alike "$wanted" $command FILE
	done
	# One function needs no name.
	gpus | sed -n '/^01/,/^$/p' >input
	for command in 'pcb-model why 3GB/s' 'pcb-model floor'; do
		# shellcheck disable=SC2086
		alike "$(bare $command --dump input)" $command FILE
	done
}

@test "results are read alike in each way" {
	local command

	pcb-collect bw_rd -d sim -s 64,256 -n 20 >samples
	pcb-stats samples >statistics
	echo 'node,uncore_iio_0/x/,1' >counts
	for command in 'pcb-stats samples' 'pcb-plot pct samples' \
		'pcb-plot sweep statistics' 'pcb-model --join statistics' \
		'pcb-diff --by size_bytes statistics' 'pcb-ddio counts' \
		"pcb-import $nvbandwidth" "pcb-import nvbandwidth $nvbandwidth"; do
		cp "${command##* }" input
		# shellcheck disable=SC2086
		alike "$(bare ${command% *} input)" ${command% *} FILE
	done
}

@test "nothing is given: a terminal, devices" {
	local input

	gpus >dump
	mkdir -p root/sys/bus/pci/devices root/proc
	for input in '</dev/null' '<&-'; do
		eval "try pcb-doctor -P $input"
		[[ $status != 2 && $output != "" ]] || show 'this machine'
		eval "try pcb-model tree $input"
		[ "$status" -lt 2 ] || [ "$status" = 3 ] || show 'this machine'
	done
	try script -qec 'pcb-doctor -P' /dev/null
	[[ $status != 2 && $output != "" ]] || show 'this machine'
	# These name this machine.
	try pcb-doctor --root root <dump
	[ "$status" -le 3 ] && [[ $output != *0000:0* ]] || show 'this machine'
}

@test "what is empty, or no dump, is no machine" {
	local command way

	: >empty
	printf '%s\n' 03:00.0 04:00.0 >list
	for command in pcb-doctor 'pcb-doctor --plugin=nagios' \
		'pcb-doctor 00:00.0' 'pcb-model tree' \
		'pcb-model flows host>00:00.0' 'pcb-model why 1GB/s -d 00:00.0'; do
		for way in '<empty' '<list' '< <(:)' '<<<text'; do
			eval "try ${command//>/\\>} $way"
			case $command in
			*nagios) [ "$status" = 3 ] || show "$command $way" ;;
			*) [ "$status" = 2 ] || show "$command $way" ;;
			esac
			[[ $output != *00:00.0* ]] || show 'no device'
		done
	done
	# A loop over a list of devices.
	# shellcheck disable=SC2016
	try bash -c \
		'while read -r d; do pcb-doctor "$d" || exit; done <list'
	[ "$status" = 2 ]
	[[ $stderr = *'</dev/null'* ]]
}

@test "a silent pipe: says what it waits for" {
	mkfifo silent
	sleep 60 >silent &
	try timeout 5 pcb-doctor <silent
	kill "$!"
	[ "$status" = 124 ]
	[[ $stderr = *'standard input'*'</dev/null'* ]] || show 'a hint'
}

@test "gpu0 is a name of all programs" {
	local command wanted

	fake_tree tree <<-'EOT'
	0000:00:01.0 root first=1 last=1
	0000:00:02.0 root first=2 last=2
	0000:01:00.0 endpoint at0a=0x0302
	0000:02:00.0 endpoint at0a=0x0302 lanes=4
	EOT
	nest tree pci0000:00 0000:00:01.0 0000:01:00.0
	nest tree pci0000:00 0000:00:02.0 0000:02:00.0
	for command in pcb-doctor 'pcb-collect link -n 1 -P -d' \
		'pcb-model link --device' 'pcb-model tree -d' \
		'pcb-model bw_wr --device' 'pcb-model why 1GB/s -d'; do
		# shellcheck disable=SC2086
		wanted=$(bare $command 0000:02:00.0 --root tree)
		[ "$(wc -l <<<"$wanted")" -gt 2 ]
		[ "${wanted##*$'\n'}" -le 1 ]
		# shellcheck disable=SC2086
		diff <(bare $command gpu1 --root tree) - <<<"$wanted"
	done
	try pcb-doctor gpu2 --root tree
	[ "$status" = 3 ] || show 'no such device'
}

@test "a machine's file as an operand is read as by --dump" {
	cat >nccl.xml <<-'EOF'
	<system version="1">
	  <cpu numaid="0" affinity="0000,000000ff" arch="x86_64" vendor="GenuineIntel">
	    <pci busid="0000:10:00.0" class="0x030200" link_speed="16.0 GT/s PCIe" link_width="16">
	      <gpu dev="0" sm="80" rank="0" gdr="1"/>
	    </pci>
	  </cpu>
	</system>
	EOF
	printf '%s\n' '-[0000:00]-+-00.0  Intel Corporation Host bridge' \
		'           \-01.0-[01]----00.0  NVIDIA Corporation GA100' >t.txt
	for file in nccl.xml t.txt; do
		runs pcb-model tree "$file"
		[ "${#lines[@]}" -gt 3 ] || show 'links'
		diff <(bare pcb-model tree "$file") \
			<(bare pcb-model tree --dump "$file")
	done
}

@test "a file of another program: the command that reads it" {
	local command wanted

	gpus >d.txt
	{
		echo 'Machine 7, before the repair:'
		sed 's/^/> /' d.txt
	} >mail.txt
	cp "$nvbandwidth" nvb.txt
	pcb-collect lat_rd -d sim -n 20 >s.csv
	printf '%s\n' 'nvbandwidth Version: v0.8' 'Built from Git version: v0.8' \
		>head.txt
	while IFS='|' read -r command wanted; do
		# shellcheck disable=SC2086
		try $command
		[ "$status" = 2 ] || show 'status 2'
		[[ $stderr = *"$wanted"* ]] || show "$wanted"
	done <<-'EOF'
	pcb-import d.txt|pcb-doctor --dump d.txt
	pcb-import mail.txt|pcb-doctor --dump mail.txt
	pcb-import s.csv|pcb-stats s.csv
	pcb-stats d.txt|pcb-doctor --dump d.txt
	pcb-stats nvb.txt|pcb-import nvb.txt
	pcb-plot cdf nvb.txt|pcb-import nvb.txt
	pcb-diff nvb.txt|pcb-import nvb.txt
	pcb-doctor s.csv|pcb-stats s.csv
	pcb-doctor --dump d.txt --save g|--against d.txt
	pcb-model why nvb.txt|pcb-doctor nvb.txt
	pcb-model why 11GB/s d.txt|choose one with --device
	pcb-model --join nvb.txt|pcb-import nvb.txt
	pcb-model flows --dump d.txt --join head.txt|pcb-import head.txt
	pcb-model inflight --rate 40G --frame 64 head.txt|pcb-import head.txt
	pcb-stats head.txt|pcb-import head.txt
	pcb-model tree nvb.txt|pcb-import nvb.txt
	pcb-model tree s.csv|pcb-stats s.csv
	pcb-doctor --check 5|--plugin
	pcb-doctor --quiet|--plugin
	pcb-doctor --threshold 5|--fail-on
	pcb-doctor -s 03:00.0|pcb-doctor 03:00.0
	pcb-doctor --slot 03:00.0|pcb-doctor 03:00.0
	pcb-doctor --input d.txt|--dump
	pcb-diff --fail-on 3% s.csv|--check
	pcb-stats --check 3% s.csv|pcb-diff
	pcb-stats --watch 1s|pcb-doctor has --watch
	pcb-doctor --dry-run|pcb-collect has --dry-run
	pcb-doctor help shared_uplnk|shared_uplink
	EOF
	# Help of a word, not of all.
	runs pcb-stats --help group
	[ "${#lines[@]}" -lt 4 ] || show 'one option'
	# What has a floor is a command that works.
	try pcb-model floor gen4x16 --for nvme
	[ "$status" = 3 ] || show 3
	grep -o 'gen[0-9]*x[0-9]* --for [^,]*' <<<"$stderr" >offered
	[ -s offered ] || show 'a link with a floor'
	while read -r command; do
		# shellcheck disable=SC2086
		runs pcb-model floor $command
	done <offered
}

@test "the default window holds the sizes of a sweep" {
	runs pcb-collect bw_rd -d sim -s 64:64K -n 2000 -P
	[ "$(column window_bytes <<<"$output" | uniq)" = 65536 ] || show 64K
	runs pcb-collect bw_rd -d sim -s 8K --offset 4 -n 2000 -P
	[ "$(column window_bytes <<<"$output" | uniq)" = 8256 ] || show 8256
	runs pcb-collect bw_rd -d sim -s 64 -n 2000 -P
	[ "$(column window_bytes <<<"$output" | uniq)" = 8192 ] || show 8K
	try pcb-collect bw_rd -d sim -s 64K -w 8K
	[ "$status" = 2 ] || show 'what was asked for'
}
