#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# pcb-collect lat_cfg: functions of a tree, and of this machine.

load helpers

# A run that is not refused must be short.
tests pcb-collect -n 1

setup_file() {
	example_tree "$BATS_FILE_TMPDIR/tree"
}

# on_machine COMMANDS: the preamble of a machine whose /sys these commands fill,
# besides its PCI functions.
on_machine() {
	rm -rf machine
	cp -r "$BATS_FILE_TMPDIR/tree" machine
	(
		cd machine/sys || exit
		mkdir -p kernel module devices/system/cpu/cpuidle
		eval "$1"
	)
	collects lat_cfg -n 1 -d 03:00.0 --root machine
}

# on_tree TREE ARGUMENT...: lat_cfg there, without preamble.
on_tree() {
	collect lat_cfg -P --root "$1" "${@:2}"
}

# reads_tree TREE ARGUMENT...: the same, and it must succeed.
reads_tree() {
	collects lat_cfg -P --root "$1" "${@:2}"
}

# Device, link and parent of each row.
places() {
	cut -d, -f5-7 <<<"$output" | uniq
}

# left_out WHY: skips only the function that is gone, with a warning.
left_out() {
	reads_tree tree -d pci -n 5
	[ "$(column device <<<"$output" | uniq | grep -c :)" = 11 ] || return
	[[ "$output" != *0000:03:00.0* ]] || return
	[ "$(grep -c 'left out' <<<"$stderr")" = 1 ] || return
	grep -x "pcb-collect: 0000:03:00.0: left out: register 0x08 $1" \
		<<<"$stderr"
}

header=host,run,kind,bench,device,link,parent,access,register,latency_ns
cut_short='no answer'
gone='register 0x08 reads all ones: the device is gone or does not answer'

@test "every function has its link and parent, in whole rounds" {
	collects lat_cfg -P --root "$BATS_FILE_TMPDIR/tree" -d pci -n 3
	quiet
	[[ "$stderr" = *"tree/sys/bus/pci is not sysfs: rows are marked 'virtual'"* ]]
	[ "${lines[0]}" = "$header" ]
	[ "$(places)" = "device,link,parent
0000:00:00.0,,
0000:00:01.0,,
0000:00:1f.0,,
0000:01:00.0,gen4x16/mps256/mrrs512/rcb64,0000:00:01.0
0000:02:00.0,,0000:01:00.0
0000:02:01.0,,0000:01:00.0
0000:03:00.0,gen3x8/mps256/mrrs512/rcb64/ecrc,0000:02:00.0
0000:04:10.0,,0000:02:00.0
0000:05:00.0,gen1x1/mps128/mrrs512/rcb64,0000:02:01.0
0000:06:03.0,,0000:05:00.0
0001:00:01.0,,
0001:01:00.0,gen5x4/mps512/mrrs4096/rcb128,0001:00:01.0" ] || show places
	# Three rows each, and their common values.
	[ "${#lines[@]}" = 37 ]
	[ "$(cut -d, -f5 <<<"$output" | uniq -c | awk '{ print $1 }' |
		xargs)" = "1 3 3 3 3 3 3 3 3 3 3 3 3" ]
	[ "$(tail -n +2 <<<"$output" | cut -d, -f1-4,8-9 | uniq)" = \
		"$(uname -n),1,virtual,lat_cfg,sysfs,0x08" ]
	# The counter of an emulated CPU may stand still.
	[ "${EMULATED:-}" ] ||
		[ "$(grep -cE ',[1-9][0-9]*(\.[0-9]{1,3})?$' <<<"$output")" = 36 ]
}

@test "one function is named short or full, and --path is the way to it" {
	tree=$BATS_FILE_TMPDIR/tree
	for device in 05:00.0 0000:05:00.0 pci:05:00.0; do
		reads_tree "$tree" -d $device -n 1
		[ "$(places | tail -n +2)" = \
			0000:05:00.0,gen1x1/mps128/mrrs512/rcb64,0000:02:01.0 ]
	done
	# Named twice, it is measured once.
	on_tree "$tree" -d 05:00.0,0000:05:00.0 -n 1
	[ "${#lines[@]}" = 2 ]
	on_tree "$tree" -d pci:0001:01:00.0 -n 1
	[ "$(places | tail -n +2)" = \
		0001:01:00.0,gen5x4/mps512/mrrs4096/rcb128,0001:00:01.0 ]
	path() {
		reads_tree "$tree" --path -d "pci:$1" -n 1
		[ "$(column device <<<"$output" | xargs)" = "$2" ] || show "$2"
	}
	path 06:03.0 \
		"0000:00:01.0 0000:01:00.0 0000:02:01.0 0000:05:00.0 0000:06:03.0"
	path 04:10.0 "0000:00:01.0 0000:01:00.0 0000:02:00.0 0000:04:10.0"
	path 0001:01:00.0 "0001:00:01.0 0001:01:00.0"
	path 00:1f.0 0000:00:1f.0
}

@test "ASPM of every hop is in the preamble" {
	collect lat_cfg --root "$BATS_FILE_TMPDIR/tree" -d pci:03:00.0 \
		--path -n 1
	[ "$(sed -n 's/^# aspm: //p' <<<"$output")" = \
		"0000:00:01.0=L1 0000:01:00.0=L1 0000:02:00.0=off 0000:03:00.0=off" ]
}

@test "IOMMU groups of several types, of none, and not to be seen" {
	local last

	for last in DMA DMA-FQ; do
		on_machine 'mkdir -p kernel/iommu_groups/{0,1,2}
			echo DMA | tee kernel/iommu_groups/{0,1,2}/type
			echo DMA-FQ >kernel/iommu_groups/1/type
			echo '$last' >kernel/iommu_groups/2/type'
		[[ $output =~ $'\n# iommu: '(DMA DMA-FQ|DMA-FQ DMA)$'\n' ]]
	done
	on_machine 'mkdir kernel/iommu_groups'
	[[ $output = *$'\n# iommu: off\n'* ]]
	on_machine 'touch kernel/iommu_groups'
	[[ $output != *'# iommu:'* ]]
	# No warning: this is no sysfs.
	on_machine ''
	[[ $output != *'# iommu:'* ]]
}

@test "the limit of idle states is that of the driver in use" {
	local driver='>devices/system/cpu/cpuidle/current_driver'
	local modules='mkdir -p module/{intel_idle,processor}/parameters
		echo 9 >module/intel_idle/parameters/max_cstate
		echo 1 >module/processor/parameters/max_cstate'

	on_machine "$modules; echo intel_idle $driver"
	[[ $output = *$'\n# max_cstate: 9\n'* ]]
	on_machine "$modules; echo acpi_idle $driver"
	[[ $output = *$'\n# max_cstate: 1\n'* ]]
	on_machine "$modules; echo none $driver"
	[[ $output != *'# max_cstate'* ]]
	on_machine "$modules"
	[[ $output != *'# max_cstate'* ]]
}

@test "an ordinary user sees no links, and measures all the same" {
	example_tree short size=64
	reads_tree short -d pci -n 2
	[ "${#lines[@]}" = 25 ]
	[ "$(column link <<<"$output" | sort -u)" = "" ]
	[ "$(column parent <<<"$output" | uniq | xargs)" = \
		"0000:00:01.0 0000:01:00.0 0000:02:00.0 0000:02:01.0 0000:05:00.0 0001:00:01.0" ]
	collect lat_cfg --root short -d pci -n 2
	[[ "$output" != *"# aspm"* ]]
}

@test "a link may be of flits, and an odd one is none" {
	fake_tree odd <<-'EOF'
	0000:00:00.0 endpoint gen=6 lanes=8 flit=1
	0000:00:01.0 endpoint gen=3 lanes=5
	0000:00:02.0 endpoint gen=3 lanes=8 mps=7
	EOF
	on_tree odd -d pci -n 1
	[ "$(column link <<<"$output")" = gen6x8/mps128/mrrs512/rcb64/flit ]
}

@test "-O register chooses one, where there is it" {
	tree=$BATS_FILE_TMPDIR/tree
	for register in 0 0x0 0x00; do
		reads_tree "$tree" -d pci:03:00.0 -n 1 -O register=$register
		[ "$(column register <<<"$output")" = 0x00 ]
	done
	# Above 0x100, for functions that have it.
	reads_tree "$tree" -d pci -n 1 -O register=0x118 -O access=sysfs
	[ "${#lines[@]}" = 13 ]
	own_tree
	truncate -s 256 tree/sys/bus/pci/devices/0000:0[056]*/config
	reads_tree tree -d pci -n 1 -O register=0x118
	[ "$(column device <<<"$output" | xargs)" = "0000:01:00.0 \
0000:02:00.0 0000:02:01.0 0000:03:00.0 0000:04:10.0 0001:00:01.0 0001:01:00.0" ]
	[ "$(head -n 1 <<<"$stderr")" = "pcb-collect: left out, because register \
0x118 cannot be read by sysfs there: 5 of 12 functions" ]
	example_tree short size=64
	fails 3 "0000:06:03.0 has no register 0x118: its config space has 256 \
bytes" lat_cfg --root tree -O register=0x118 -d pci:06:03.0
	fails 3 "no function here has a register 0xffc that can be read by \
sysfs" lat_cfg --root short -O register=0xffc -d pci
}

@test "registers that there are not are refused" {
	bad() {
		fails 2 "-O register=$1: $2" lat_cfg -O register="$1"
	}
	bad BAR0+0x8 "lat_cfg reads config space, lat_mmio registers behind BARs"
	bad 9 "a register is at a multiple of 4"
	bad 0x1000 "config space ends at 0x1000"
	bad 0x "not a number such as 28 or 0x1c"
	bad -4 "not a whole number such as 42"
	bad '' empty
	bad BAR6+0 "a BAR is BAR0 to BAR5, as in BAR0+0x8"
	bad BAR00 "a BAR is BAR0 to BAR5, as in BAR0+0x8"
	bad BAR0+2 "a register is at a multiple of 4"
	bad BAR0+ empty
	fails 2 "-O access=rfc1149: lat_cfg is read by sysfs, ecam, vfio" \
		lat_cfg -O access=rfc1149
}

@test "a register of a user's changes, and that is counted" {
	own_tree
	changes() {
		rm -f out
		timeout -s KILL 20 pcb-collect lat_cfg --root tree \
			-d pci:03:00.0 -n 1000G -O register="$1" >out 2>err 3>&- &
		wait_for_bytes out 10000
		printf %b "$2" | dd of=tree/sys/bus/pci/devices/0000:03:00.0/config bs=1 \
			seek=$(($1)) conv=notrunc status=none
	}
	changes 0x40 '\0001'
	sleep 0.3
	kill -INT $!
	wait $! || status=$?
	grep -q '^# end: .* changed_values=1$' out
	[ "$(tail -n 1 err)" = "pcb-collect: 0000:03:00.0: register 0x40 \
changed, so reads of it may have several latencies" ]
	# A constant that changes means another device.
	changes 0x08 '\0002'
	status=0
	wait $! || status=$?
	[ "$status" = 2 ]
	[ "$(tail -n 1 err)" = "pcb-collect: 0000:03:00.0: register 0x08 was \
0x02000001 and is 0x02000002 by sysfs: another device has answered" ]
}

@test "a device that is gone from the start: an error if it is named" {
	own_tree
	printf '\377\377\377\377' | dd of=tree/sys/bus/pci/devices/0000:03:00.0/config \
		bs=1 seek=8 conv=notrunc status=none
	left_out 'reads all ones'
	on_tree tree -d pci:03:00.0 -n 5
	[ "$status" = 2 ]
	[ "$output" = "$header" ]
	[ "$(tail -n 1 <<<"$stderr")" = "pcb-collect: 0000:03:00.0: $gone" ]
	# One byte that differs is enough.
	printf '\376' | dd of=tree/sys/bus/pci/devices/0000:03:00.0/config \
		bs=1 seek=10 conv=notrunc status=none
	reads_tree tree -d pci -n 5
	[[ "$output" = *0000:03:00.0* ]]
	: >tree/sys/bus/pci/devices/0000:03:00.0/config
	left_out 'cannot be read'
	on_tree tree -d pci:03:00.0 -n 5
	[ "$status" = 2 ]
	[ "$(tail -n 1 <<<"$stderr")" = \
		"pcb-collect: 0000:03:00.0: reading register 0x08: no answer" ]
}

@test "more functions than files may be open, but for asking" {
	(ulimit -Sn 12 && on_tree "$BATS_FILE_TMPDIR/tree" -d pci -n 1 &&
		[ "$status" = 0 ])
}

@test "a virtual function has no IDs, and the rest" {
	own_tree
	printf '\377\377\377\377' | dd of=tree/sys/bus/pci/devices/0000:04:10.0/config \
		bs=1 conv=notrunc status=none
	reads_tree tree -d pci -n 5 -O register=0x00
	[ "$(column device <<<"$output" | uniq | grep -c :)" = 11 ]
	[[ "$stderr" = *"left out, because register 0x00 cannot be read by sysfs \
there: 1 of 12 functions"* ]]
	fails 3 "0000:04:10.0: a virtual function has no IDs of its own:" \
		lat_cfg --root tree -d pci:04:10.0 -O register=0x00
	reads_tree tree -d pci:04:10.0 -n 5
}

# goes_away COMMAND...: a run during which COMMAND takes the device away.
goes_away() {
	rm -f out
	timeout -s KILL 20 pcb-collect lat_cfg --root tree -d pci -n 1000G \
		--wide >out 2>err 3>&- &
	wait_for_bytes out 10000 && "$@"
	status=0
	wait $! || status=$?
	output=$(tail -n 1 out) stderr=$(tail -n 1 err)
}

@test "a device that goes in mid-run: what there is stays" {
	own_tree
	config=tree/sys/bus/pci/devices/0000:06:03.0/config
	check() {
		rows=$(grep -c ',lat_cfg,' out)
		[ "$status" = 2 ] || show 2
		[[ "$output" = "# end: rows=$rows complete=no "* ]] || show no
		[[ "$stderr" = "pcb-collect: 0000:06:03.0: "*"$1" ]] || show "$1"
		# Targets differ by at most the last round.
		column device <out | sort | uniq -c | awk '
		{ least = !least || $1 < least ? $1 : least; most = $1 > most ? $1 : most }
		END { exit NR != 12 || most - least > 1 }'
	}
	goes_away dd if=<(printf '\377\377\377\377') of=$config bs=4 seek=2 \
		conv=notrunc status=none
	check "$gone"
	rm -r tree
	own_tree
	goes_away truncate -s 0 $config
	check "$cut_short"
}

@test "what is absent is 3, and said" {
	own_tree
	rm tree/sys/bus/pci/devices/0000:06:03.0/config
	mkdir -p empty/sys/bus/pci/devices
	echo >file
	fails 3 "tree/sys/bus/pci/devices/0000:06:03.0/config: No such file or directory" \
		lat_cfg --root tree -d pci
	fails 3 "0000:77:00.0: no such device ('pcb-collect list' shows \
all)" lat_cfg --root tree -d pci:77:00.0
	fails 3 "none/sys/bus/pci/devices: No such file or directory" \
		lat_cfg --root none -d pci
	fails 3 "file/sys/bus/pci/devices: Not a directory" \
		lat_cfg --root file -d pci
	fails 3 "empty/sys/bus/pci: no PCI device here" lat_cfg --root empty -d pci
	fails 3 "0000:77:1f.7: no such device ('pcb-collect list' shows \
all)" lat_cfg -d 77:1f.7
	fails 3 "0000:77:1f.7: no such device ('pcb-collect list' shows \
all)" lat_rd -d 77:1f.7
	# The other functions of the tree are there.
	reads_tree tree -d pci:05:00.0 --path -n 1
}

@test "a directory that is no function is left out, and said" {
	own_tree
	mkdir tree/sys/bus/pci/devices/hub
	reads_tree tree -d pci:05:00.0 -n 1
	[[ "$stderr" = *"tree/sys/bus/pci/devices/hub: "* ]]
	# Once, however many backends look there.
	try pcb-collect list -P --root tree
	[ "$(grep -c "devices/hub: " <<<"$stderr")" = 1 ]
}

need_pci() {
	compgen -G "/sys/bus/pci/devices/*" >functions ||
		skip "no PCI function in /sys/bus/pci/devices"
	function=$(basename "$(tail -n 1 functions)")
}

# attempts COMMAND...: up to three, each with more reads, because the machine
# may be busy.
attempts() {
	"$@" 2000 || "$@" 8000 || "$@" 32000
}

@test "this machine: as many rows of every function" {
	need_pci
	collects lat_cfg -n 4 -r 2 --wide
	quiet
	[ "$(grep -v '^#' <<<"$output" | head -n 1)" = $header ]
	[ "$(column device <<<"$output" | sort | uniq -c |
		awk '{ print $1, $2 }')" = \
		"$(xargs -n 1 basename <functions | sort | sed 's/^/8 /')" ]
	[ "$(column run <<<"$output" | uniq | xargs)" = "1 2" ]
	kind=measured
	if [ "$(uname -m)${EMULATED:-}" = x86_64 ]; then
		grep -q '^flags.* hypervisor' /proc/cpuinfo && kind=virtual
	else
		grep -q '^# hypervisor: none' <<<"$output" || kind=virtual
	fi
	[ "$(column kind <<<"$output" | sort -u)" = $kind ]
	[[ $kind = measured || "$stderr" = *"this machine is virtual"* ]]
	[[ "${lines[-1]}" = "# end: rows=$((8 * $(wc -l <functions))) \
complete=yes clock_drift_ppm="*" interrupts="*" involuntary_switches="* ]]
	for key in kernel cpu hypervisor iommu seed warmup clock \
		clock_tick_ns clock_overhead_ns; do
		[ "$(grep -c "^# $key: ." <<<"$output")" = 1 ] || show $key
	done
	run ! grep ' $' <<<"$output"
}

# sorted N: N sorted latencies of one function.
sorted() {
	pcb-collect lat_cfg -P -n "$1" -d "$function" 2>err |
		column latency_ns | sort -n
}

# plain_loop N: the median of N reads in another language, in ns.
plain_loop() {
	python3 - "/sys/bus/pci/devices/$function/config" "$1" <<-'EOF'
	import os, sys, time
	fd = os.open(sys.argv[1], os.O_RDONLY)
	times = []
	for i in range(int(sys.argv[2])):
	    begin = time.perf_counter_ns()
	    os.pread(fd, 4, 8)
	    times.append(time.perf_counter_ns() - begin)
	print(sorted(times)[len(times) // 2])
	EOF
}

medians_agree() {
	sorted "$1" >ours
	awk -v a="$(sed -n "$(($1 / 2))p" ours)" -v b="$(plain_loop "$1")" '
	BEGIN {
		print "medians: " a, b
		exit !(a > 0 && a < 2 * b && b < 2 * a)
	}'
}

@test "this machine: the median is near that of a plain loop" {
	need_pci
	command -v python3 >/dev/null || skip "no python3"
	attempts medians_agree
}

@test "devices of several nodes are read by one CPU, which is said" {
	local far="one CPU reads devices on several nodes: those that"
	far+=" are not on node 0, such as 0000:05:00.0 on node 1"

	own_tree
	echo -1 >tree/sys/bus/pci/devices/0000:00:00.0/numa_node
	echo 0 >tree/sys/bus/pci/devices/0000:01:00.0/numa_node
	on_tree tree -d pci -n 1
	[[ "$stderr" != *"$far"* ]]
	echo 1 >tree/sys/bus/pci/devices/0000:05:00.0/numa_node
	on_tree tree -d pci -n 1
	[[ "$stderr" = *"$far"* ]]
	on_tree tree -d pci -n 1 --cpu 0
	[[ "$stderr" != *"$far"* ]]
	on_tree tree -d pci:05:00.0 -n 1
	[[ "$stderr" != *"$far"* ]]
}
