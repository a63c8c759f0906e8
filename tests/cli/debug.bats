#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The trace of --debug and PCB_DEBUG.

load helpers

# traced CATEGORY: the lines of the last trace in that category.
traced() {
	sed -n "s/^debug: $1: //p" <<<"$stderr"
}

@test "an unknown category is a usage error that lists them" {
	bin=$(command -v pcb-collect)
	all='access, device, pci, pmu, restore, rows, vfio or all'
	for program in "${bin%/*}"/pcb-*; do
		[[ $program != */pcb-experiments ]] || continue
		name=${program##*/}
		try "$program" --debug=vfio,vifo
		is 2 "" "$name: --debug 'vifo': not one of $all
Try '$name --help'."
		PCB_DEBUG=rows, try "$program"
		is 2 "" "$name: PCB_DEBUG '': not one of $all
Try '$name --help'."
	done
}

@test "rows that are left out, by file and line" {
	printf '%s\n' latency_ns,device 1,a '"",b' 3,c ',"d
e"' >in.csv
	try pcb-stats -P --debug rows in.csv
	[ "$(traced rows)" = "in.csv:3: skipped: it lacks latency_ns
in.csv:5: skipped: it lacks latency_ns" ]
	with=$output
	try pcb-stats -P in.csv
	[ "$output" = "$with" ]
	[[ $stderr != *debug:* ]]
	PCB_DEBUG=vfio,restore try pcb-stats -P in.csv
	[[ $stderr != *debug:* ]]
	PCB_DEBUG=all try pcb-stats -P in.csv
	[ "$(traced rows | wc -l)" = 2 ]
	for _ in 1 2; do
		PCB_DEBUG=rows PCB_DEBUG_FILE=trace try pcb-stats -P in.csv
		[[ $stderr != *debug:* ]]
	done
	[ "$(grep -c '^debug: rows: in.csv:[35]: ' trace)" = 4 ]
}

@test "each setting that is changed is put back, the last one first" {
	example_tree tree
	for bdf in 01:00.0 02:00.0; do
		mkdir "tree/sys/bus/pci/devices/0000:$bdf/power"
		echo auto >"tree/sys/bus/pci/devices/0000:$bdf/power/control"
	done
	collects lat_cfg --root tree -d pci:03:00.0 -n 1 --hold power \
		--debug=restore
	file=tree/sys/bus/pci/devices/0000:%s/power/control
	[ "$(traced restore | grep control)" = "$(
		printf "$file: set from 'auto' to 'on'\n" 01:00.0 02:00.0
		printf "$file: put back from 'on' to 'auto'\n" 02:00.0 01:00.0
	)" ]
	[ "$(traced restore | grep -c 'guardian [0-9]*: ')" = 2 ]
	[[ $output != *debug:* ]]
}

@test "which access is refused, and why; what libpci says" {
	example_tree tree
	collect lat_cfg --root tree -O access=vfio -d pci:03:00.0 -n 1 \
		--debug=access,pci
	[ "$status" = 3 ]
	[[ $(traced access) == *"0000:03:00.0 0x08: refused by vfio: \
0000:03:00.0: bound to no driver, not to vfio-pci"* ]]
	[[ $(traced pci) == *"libpci: Decided to use linux-sysfs"* ]]
	collect lat_cfg --root tree -d pci:03:00.0 -n 1 --debug=access
	[[ $(traced access) == *"0000:03:00.0 0x08: by sysfs"* ]]
	[ "$(grep -c '^debug: pci: ' <<<"$stderr")" = 0 ]
}
