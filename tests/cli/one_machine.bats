# SPDX-License-Identifier: GPL-2.0-or-later
# Files of one machine: what they show of it, and results, put together.
# shellcheck shell=bash
load helpers
tests pcb-doctor

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

# result TO FROM: nvbandwidth's output for so many GPUs, GB/s each.
result() {
	local name values way

	printf 'nvbandwidth Version: v0.8\n\n'
	for way in "host_to_device ->|$1" "device_to_host <-|$2"; do
		name=${way%% *}_memcpy_ce
		values=${way#*|}
		way=${way%%|*}
		printf 'Running %s.\nmemcpy CE CPU(row) %s GPU(column) %s\n' \
			"$name" "${way#* }" "bandwidth (GB/s)"
		awk -v v="$values" 'BEGIN {
			n = split(v, x, " ")
			for (i = 0; i < n; i++)
				printf "%10d", i
			printf "\n 0"
			for (i = 1; i <= n; i++)
				printf "%10.2f", x[i]
			print "\n"
		}'
	done
}

# As published of eight H100.
good_to='56.54 56.53 56.53 56.56 56.29 56.47 56.51 56.50'
good_from='57.40 57.40 57.38 57.39 57.36 57.11 57.38 57.38'

# but VALUES N VALUE...: the values, with other ones from the N-th, from 0.
but() {
	local -a value

	read -ra value <<<"$1"
	for ((i = 3; i <= $#; i++)); do
		value[$2 + i - 3]=${!i}
	done
	echo "${value[*]}"
}

# server [GPU LANES]...: what lspci -vv shows of 8 GPUs in pairs below 4
# switches on 2 nodes, each link asleep; some with fewer lanes.
server() {
	local -A lanes
	local i bus at node

	while [ $# -gt 0 ]; do
		lanes[$1]=$2
		shift 2
	done
	for i in 0 1 2 3; do
		bus=$((32 * i))
		node=$((i / 2))
		port "$bus" 1 0 root $((bus + 1)) $((bus + 4)) 5 16 16 $node
		port $((bus + 1)) 0 0 upstream $((bus + 2)) $((bus + 4)) 5 16 16 $node
		for at in 0 1; do
			gpu=$((2 * i + at))
			port $((bus + 2)) $at 0 downstream $((bus + 3 + at)) \
				$((bus + 3 + at)) 1 16 "${lanes[$gpu]:-16}" $node
			endpoint $((bus + 3 + at)) 1 "${lanes[$gpu]:-16}" $node
		done
	done
}

speeds=("" 2.5 5 8 16 32)

# link GEN LANES-NOW: registers of a link of gen5x16.
link() {
	printf '\t\tDevCap:\tMaxPayload 512 bytes, PhantFunc 0\n'
	printf '\t\tDevCtl:\tCorrErr+\n\t\t\tMaxPayload 256 bytes, MaxReadReq 512 bytes\n'
	printf '\t\tLnkCap:\tPort #0, Speed 32GT/s, Width x16, ASPM not supported\n'
	printf '\t\tLnkCtl:\tASPM Disabled; RCB 64 bytes, Disabled- CommClk+\n'
	printf '\t\tLnkSta:\tSpeed %sGT/s, Width x%s\n' "${speeds[$1]}" "$2"
	printf '\t\t\tTrErr- Train- SlotClk+ DLActive+ BWMgmt+ ABWMgmt+\n'
	printf '\t\tLnkCap2: Supported Link Speeds: 2.5-32GT/s\n'
}

# port BUS DEV FN TYPE FIRST LAST GEN LANES-MOST LANES NODE
port() {
	local -A types=([root]="Root Port (Slot+)" [upstream]="Upstream Port" \
		[downstream]="Downstream Port (Slot+)")

	printf '%02x:%02x.%x PCI bridge [0604]: Broadcom PEX890xx [1000:c030]\n' \
		"$1" "$2" "$3"
	printf '\tControl: I/O+ Mem+ BusMaster+\n\tNUMA node: %s\n' "${10}"
	printf '\tBus: primary=%02x, secondary=%02x, subordinate=%02x\n' \
		"$1" "$5" "$6"
	printf '\tCapabilities: [40] Express (v2) %s, MSI 00\n' "${types[$4]}"
	link "$7" "$9"
	echo
}

# endpoint BUS GEN LANES NODE
endpoint() {
	printf '%02x:00.0 3D controller [0302]: NVIDIA GH100 [10de:2330]\n' "$1"
	printf '\tControl: I/O- Mem+ BusMaster+\n\tNUMA node: %s\n' "$4"
	printf '\tCapabilities: [60] Express (v2) Endpoint, MSI 00\n'
	link "$2" "$3"
	echo
}

# judged ARGUMENT...: name, verdict and cause of the devices that are not
# normal, worst first.
judged() {
	try pcb-doctor --devices -P "$@"
	paste -d ' ' <(column name <<<"$output") \
		<(column verdict <<<"$output") <(column cause <<<"$output") |
		grep -v ' normal \| no bound ' | sed 's/ *$//'
}

@test "the device that is low comes first, with the cause that fits" {
	server >lspci
	result "$good_to" "$good_from" >good
	result "$(but "$good_to" 3 27.4)" "$(but "$good_from" 3 27.6)" >x8
	result "$(but "$good_to" 3 13.1)" "$(but "$good_from" 3 13.3)" >gen3
	result "$(but "$good_to" 2 27.4 27.3)" "$(but "$good_from" 2 27.6 27.5)" \
		>uplink
	result "$good_to" "$(but "$good_from" 3 27.6)" >one_way
	result "$(but "$good_to" 0 27.1 27.2 27 27.1)" \
		"$(but "$good_from" 0 27.4 27.4 27.3 27.4)" >node
	result "12.1 12.2 12 12.1 12.2 12.1 12 12.1" \
		"14.4 14.4 14.3 14.4 14.4 14.4 14.4 14.3" >pageable

	[ "$(judged lspci good)" = "" ] || show healthy
	[ "$(judged lspci uplink)" = $'gpu2 low uplink\ngpu3 low uplink' ] ||
		show uplink
	[ "$(judged lspci node | cut -d ' ' -f 1,3 | xargs)" = \
		"gpu0 node gpu1 node gpu2 node gpu3 node" ] || show node
	[ "$(judged lspci pageable | cut -d ' ' -f 3 | sort | uniq -c |
		xargs)" = "8 pageable" ] || show pageable
	# What was measured comes before what may cost something.
	try pcb-doctor -P lspci pageable
	[ "$(column finding <<<"$output" | uniq | head -n 2 | xargs)" = \
		"bandwidth shared_uplink" ] || show order
	# Its link moves data at a full rate in one direction.
	[[ "$(judged lspci one_way)" = "gpu3 low "* ]] || show "one way"
	[ "$(judged lspci one_way)" != "gpu3 low link" ] || show "no link"
	# Lanes do not sleep.
	server 3 8 >narrow
	[ "$(judged narrow x8)" = "gpu3 low link" ] || show "x8"
	try pcb-doctor -P narrow x8
	[ "$status" = 1 ]
	[ "$(column finding <<<"$output" | grep -c 'bandwidth\|link_width')" = 1 ]
	[ "$(judged lspci gen3)" = "gpu3 low link" ] || show "gen3"
}

@test "a result alone names the device, and judges no link" {
	result "$good_to" "$good_from" >good
	result "$(but "$good_to" 3 27.4)" "$(but "$good_from" 3 27.6)" >x8

	[ "$(judged good)" = "" ]
	try pcb-doctor --devices -P good
	[ "$status" = 3 ]
	[ "$(column verdict <<<"$output" | sort -u)" = "no bound" ]
	[ "$(judged x8)" = "gpu3 low link" ]
	# On standard input, and as samples and rows of ours.
	[ "$(judged - <x8)" = "gpu3 low link" ]
	pcb-import x8 >rows
	[ "$(judged rows)" = "gpu3 low link" ]
	pcb-stats rows >stats
	[ "$(judged stats)" = "gpu3 low link" ]
	# What was simulated is said to be.
	sed 's/,imported,/,simulated,/' rows >simulated
	try pcb-doctor -f table simulated
	[[ "$output" = *"27.4 GB/s (simulated) to it"* ]] || show simulated
	gzip -k x8
	[ "$(judged x8.gz)" = "gpu3 low link" ]
	# In a long report, too.
	{
		server
		yes "[    1.0] usb 1-1: new high-speed device" | head -n 30000
		cat x8
	} >report
	[ "$(judged report)" = "gpu3 low link" ]
	pcb-collect lat_rd -d sim -n 2 >latency
	try pcb-doctor latency
	[ "$status" = 2 ]
	[[ "$stderr" = *"pcb-stats latency"* ]]
}

@test "files of two machines are refused, by their names" {
	server >one
	server | sed 's/10de:2330/10de:2684/' >other
	server | sed -n '/^0[0-4]/,/^$/p' | sed 's/^0\([0-4]\)/c\1/
		s/=0/=c/g' >away

	try pcb-doctor one other
	[ "$status" = 2 ]
	[[ "$stderr" = *"of two machines: "*10de:2684* ]]
	try pcb-doctor one away
	[ "$status" = 2 ]
	[[ "$stderr" = *"two machines"* ]]
	# A part of a machine is of it.
	sed -n '/^0[0-4]/,/^$/p' one >part
	try pcb-doctor -P one part
	[ "$status" = 0 ] || show "one machine"
	# What shows nothing is not used, and said to be.
	echo hello >words
	try pcb-doctor -P one words
	[ "$status" = 0 ]
	[[ "$stderr" = *"words: not used"* ]]
	try pcb-doctor words
	[ "$status" = 2 ]
	# A result with a fault names it, in its own file.
	result "24 25" "26 27" | sed 's/27.00/x1/' >wrong
	try pcb-doctor -P one wrong
	[[ "$stderr" = *"wrong:"[0-9]*"'x1'"* ]] || show wrong
}

# What is told of a link now, of its lanes and of a number must not depend on
# whom one asks.
@test "files of two machines of one chipset are refused" {
	for i in 1 2 3 4 5 6; do
		echo "00:1f.$i SMBus: Intel Corporation A"
	done >chipset
	(cat chipset; echo "01:00.0 VGA compatible controller: A") >one
	(cat chipset; echo "01:00.0 Ethernet controller: B") >two
	try pcb-doctor -P one two
	[ "$status" = 2 ]
	[[ "$stderr" = *"two machines: 0000:01:00.0"* ]]
	# Another card of its class may be another name of it.
	sed 's/: A/: Vendor of A/' one >later
	try pcb-doctor -P one later
	[ "$status" = 3 ]
	# All GPUs are VGA controllers by nvidia-smi.
	sed 's/VGA compatible/3D/' one >same
	(cat chipset; echo "01:00.0 Processing accelerators: A") >other
	try pcb-doctor -P same other
	[ "$status" = 3 ]
}

@test "pcb-doctor and pcb-model judge a number alike" {
	local dump number bench verdict low

	server >whole
	server 3 8 >narrow
	server | sed 's/2.5GT/16GT/' >gen4
	server | sed 's/Root Port (Slot+)/Root Port (Slot-)/
		s/Downstream Port (Slot+)/Downstream Port (Slot-)/' |
		awk '/^24:/ { n = 2 } /^22:01.0/ { n = 2 }
			n && /LnkSta:/ { sub(/x16/, "x8"); n = 0 } { print }' >board
	for dump in whole narrow gen4 board; do
		for number in 6 27.4 40 52 56.5; do
			bench=bw_rd
			[ "$number" != 27.4 ] || bench=bw_wr
			printf '# pcb-csv: 1\n%s\n%s\n# end: rows=1 complete=yes\n' \
				kind,bench,device,interface,bandwidth_gbit_s \
				"imported,$bench,gpu3,ce,$(awk "BEGIN { print 8 * $number }")" >row
			try pcb-model why "${number}GB/s" -P -f csv \
				--bench $bench -d 24:00.0 --dump $dump
			verdict=$(column verdict <<<"$output" | head -n 1)
			[ "$(judged $dump row | grep gpu3 | cut -d ' ' -f 2)" = \
				"${verdict#normal}" ] ||
				show "$dump $number: why says $verdict"
		done
	done
	# What is below its like is so to both.
	for number in 27.4 47.5 54; do
		result "$(but "$good_to" 3 $number)" \
			"$(but "$good_from" 3 $number)" >slow
		pcb-import slow >rows
		low=$(judged whole slow | grep ' low ' | cut -d ' ' -f 1)
		try pcb-model flows --join rows --dump whole
		[ "$(grep -o 'gpu3 is .* below' <<<"$stderr" | cut -d ' ' -f 1)" = \
			"$low" ] || show "$number: '$low'"
	done
}

@test "of a dump that is cut off, what it lacks is unknown" {
	local at

	server >whole
	at=$(grep -b '^24:00.0' whole | cut -d: -f1)
	for end in 60 200 330; do
		head -c $((at + end)) whole >half.txt
		for ask in "half.txt" "half.txt 24:00.0"; do
			# shellcheck disable=SC2086
			try pcb-doctor -P $ask
			[ "$status" = 3 ] || show "$end $ask"
		done
		try pcb-doctor -P half.txt 03:00.0
		[ "$status" = 0 ] || show "$end, what is there"
	done
	# A line may be the last one, or a paste lack the end of its last line.
	at=$(grep -n '^24:00.0' whole | cut -d: -f1)
	head -n $((at + 5)) whole >half.txt
	try pcb-doctor -P half.txt
	[[ "$status:$stderr" = 3:*"cut off within 0000:24:00.0"* ]] || show line
	printf %s "$(<whole)" >bare.txt
	for file in whole bare.txt; do
		try pcb-doctor -P $file
		[ "$status" = 0 ] || show $file
	done
}

@test "a number above its link says that the link is another one" {
	server 3 8 | sed 's/32GT\/s, Width x16/32GT\/s, Width x8/' >lspci
	result "$good_to" "$good_from" >wide
	[[ "$(judged lspci wide | head -n 1)" = *impossible* ]] || show it
}

@test "a link that is awake and slow is the cause, and no rest" {
	server | awk '/^24:/ { on = 1 }
		on && /LnkSta:/ { sub(/2.5GT/, "16GT"); on = 0 }
		/^22:01.0/ { port = 1 }
		port && /LnkSta:/ { sub(/2.5GT/, "16GT"); port = 0 }
		{ print }' >awake
	result "$(but "$good_to" 3 26.1)" "$(but "$good_from" 3 26.2)" >slow
	try pcb-doctor -P awake slow
	[ "$status" = 1 ]
	[[ "$output" = *"at 16 GT/s"*"26.1 GB/s"* ]] || show "gen4"
	[[ "$output" != *gen5x8* ]] || show "not x8"
	# All GPUs but one are at rest.
	try pcb-doctor -P --devices awake slow
	[ "$(column link <<<"$output" | sort | uniq -c | xargs)" = \
		"7 gen1x16 1 gen4x16" ]
}

@test "numbers that cannot be of this machine now are said to be" {
	server 3 8 >narrow
	result "$good_to" "$good_from" >good
	result "$(but "$good_to" 3 28.0)" "$(but "$good_from" 3 28.5)" >slow
	try pcb-doctor -P narrow good
	[[ "$(column what <<<"$output")" = *"more than x8 carries"* ]]
	[[ "$(judged narrow good | head -n 1)" = "gpu3 impossible"* ]]
	# Of two results, the slow one is not hidden, in any order.
	server >lspci
	for files in "good slow" "slow good"; do
		# shellcheck disable=SC2086
		try pcb-doctor -P lspci $files
		# The registers show x16: numbers alone prove nothing.
		[[ $status = 0 && $output = *bandwidth,0000:24:00.0,likely* ]] ||
			show "$files"
		[[ "$stderr" = *"gpu3: files differ: 28 and 56.56 GB/s to it"* ]]
	done
	try pcb-doctor -P slow
	[[ $status = 3 && $output = *bandwidth,,likely* && $output != *DEVICE* ]] ||
		show "numbers alone"
	# 0 is no bandwidth.
	result "0 0 0 0 0 0 0 0" "0 0 0 0 0 0 0 0" >failed
	try pcb-doctor -P lspci failed
	[ "$status" = 3 ]
	[[ "$stderr" = *"16 of 16 results are 0"* ]]
}

@test "the result of a drive is that of the only drive" {
	{
		printf '00:01.0 PCI bridge [0604]: Vendor Device [1022:14ab]\n'
		printf '\tBus: primary=00, secondary=01, subordinate=01\n'
		printf '\tCapabilities: [40] Express (v2) Root Port (Slot+)\n'
		link 5 16 | sed 's/x16/x4/; s/Width x16/Width x4/'
		printf '\n01:00.0 Non-Volatile memory controller [0108]: V D [144d:a80a]\n'
		printf '\tCapabilities: [60] Express (v2) Endpoint, MSI 00\n'
		link 5 16 | sed 's/x16/x4/'
	} >drive
	printf '%s\n' kind,bench,device,size_bytes,bandwidth_gbit_s \
		imported,bw_wr,/dev/nvme0n1,131072,8 >fio
	printf '# pcb-csv: 1\n%s\n# end: rows=1 complete=yes\n' "$(<fio)" >rows
	[ "$(judged drive rows | cut -d ' ' -f 1,2)" = "nvme0 low" ] || show low
	# Of two, nobody knows which.
	{
		cat drive
		sed 's/^00:01/00:02/; s/^01/02/; s/=01/=02/g' drive
	} >two
	try pcb-doctor -P two rows
	[ "$status" = 3 ]
	[[ "$stderr" = *"nvme0n1"* ]]
	# Without a dump, no link of it is known, nor its like.
	[ "$(judged rows)" = "" ]
	try pcb-doctor --devices -P rows
	[ "$(column could_link <<<"$output")" = ">=gen2x4" ]
}

# named MODEL...: what a result says of its GPUs.
named() {
	local i=0 model

	for model; do
		echo "Device $((i++)): $model"
	done
	cat two
}

@test "a result of other GPUs, or in another order, is refused" {
	server | awk '/^03:/ { sub(/NVIDIA GH100 .10de:2330./,
		"NVIDIA Corporation AD102 [GeForce RTX 4090] [10de:2684]") }
		/^04:/ { sub(/NVIDIA GH100 .10de:2330./,
		"NVIDIA Corporation GA102 [GeForce RTX 3090] [10de:2204]") }
		/^2/ { exit } { print }' >lspci
	result "24 25" "26 26" >two
	named "NVIDIA GeForce RTX 4090" "NVIDIA GeForce RTX 3090" >right
	named "NVIDIA GeForce RTX 3090" "NVIDIA GeForce RTX 4090" >turned
	named "NVIDIA H100 80GB HBM3" "NVIDIA H100 80GB HBM3 (00000000:04:00)" \
		>other
	try pcb-doctor -P --devices lspci right
	[[ "$status" -lt 2 && "${lines[1]}" = *,gpu[01],* ]] || show right
	for file in turned other; do
		try pcb-doctor -P lspci $file
		[[ "$status:$stderr" = 2:*"$file "*gpu0* ]] || show $file
		[ "$output" = "" ]
	done
	try pcb-doctor -P right other
	[[ "$status:$stderr" = 2:*"right and other"* ]]
	# nvidia-smi has the numbers of the device.
	printf 'GPU 00000000:03:00.0\n    PCI\n        Device Id : 0x%s10DE\n' \
		2684 >smi
	printf 'GPU 00000000:03:00.0\n    PCI\n        Device Id : 0x%s10DE\n' \
		2204 >other_smi
	try pcb-doctor -P lspci smi
	[ "$status" -lt 2 ]
	try pcb-doctor -P lspci other_smi
	[[ "$status:$stderr" = 2:*"lspci"*"other_smi"* ||
		"$status:$stderr" = 2:*"other_smi"*"lspci"* ]]
}

@test "what a shell substitutes for a file is a file" {
	server >lspci
	result "$(but "$good_to" 3 27.4)" "$(but "$good_from" 3 27.6)" >x8
	[ "$(judged <(cat lspci) <(cat x8))" = "gpu3 low link" ] || show x8
	[ "$(judged <(cat x8))" = "gpu3 low link" ]
}

@test "P2P that is slower than memory does not work" {
	{
		printf '[P2P (Peer-to-Peer) GPU Bandwidth Latency Test]\n'
		printf 'Unidirectional P2P=Disabled Bandwidth Matrix (GB/s)\n'
		printf '   D\\D     0      1\n     0 900.00  22.10\n     1  22.20 901.00\n'
		printf 'Unidirectional P2P=Enabled Bandwidth (P2P Writes) Matrix (GB/s)\n'
		printf '   D\\D     0      1\n     0 900.00  10.10\n     1  10.20 901.00\n'
	} >p2p
	try pcb-doctor -P p2p
	[ "$(column finding <<<"$output" | sort -u)" = bandwidth ]
	[[ "$(column what <<<"$output")" = *"P2P does not work here"* ]]
	sed 's/10\.[12]0/26.30/' p2p >works
	[ "$(judged works)" = "" ]
	# What cannot be is no fault: in the same file, or in another one.
	for way in "0 1" "1 0"; do
		echo "Device=${way% *} CANNOT Access Peer Device=${way#* }"
	done >cannot
	cat cannot p2p >both
	for files in "p2p cannot" "cannot p2p" both; do
		# shellcheck disable=SC2086
		try pcb-doctor -P $files
		[ "$(column finding <<<"$output")" = peer_access ] || show "$files"
		# shellcheck disable=SC2086
		try pcb-doctor --devices -P $files
		[ "$(column peer_gbit_s <<<"$output" | xargs)" = "" ]
	done
	sed 's/NOT//' cannot >can
	try pcb-doctor -P p2p can
	[ "$(column finding <<<"$output" | sort -u)" = bandwidth ]
}

@test "eight GPUs fit on a screen, at 80 columns on two lines each" {
	local size

	server >lspci
	result "$(but "$good_to" 3 27.4)" "$(but "$good_from" 3 27.6)" >x8
	for size in 100x40 80x40 60x40; do
		try script -qec "stty cols ${size%x*} rows ${size#*x} -onlcr
			NO_COLOR=1 pcb-doctor lspci x8" /dev/null </dev/null
		[ "$(wc -L <<<"$output")" -le "${size%x*}" ] || show "$size"
		[ "${#lines[@]}" -le 40 ] || show "40 lines"
		[[ "${lines[1]}${lines[2]}" = *gpu3* ]] || show "gpu3 first"
	done
}

@test "reports of people, with what is known of them" {
	local r=${PCB_TEST_DATA:-}/machines/reports

	[ -d "$r" ] || skip "needs PCB_TEST_DATA"
	# Healthy.
	for name in stelline-asus stelline-puget; do
		try pcb-doctor -P --devices "$r/$name"/*
		! column verdict <<<"$output" | grep -q 'low\|impossible' ||
			show "$name is healthy"
	done
	try pcb-doctor -P "$r"/nccl-814-4090/*
	[[ "$output" = *"P2P does not work here"* ]] || show nccl-814
	try pcb-doctor -P "$r"/nccl-1127-3090/*
	[[ "$output" = *,peer_access,* ]] || show nccl-1127
	try pcb-doctor -P "$r"/resources-512-amd-switch/*
	[[ "$output" = *"gen4x8, it supports gen5x16"* ]] || show resources-512
	try pcb-doctor -P "$r"/club3090-895-chipset/topo.txt
	[ "$status" -ge 2 ]
	[[ "$stderr" = *lspci* ]]
}
