# SPDX-License-Identifier: GPL-2.0-or-later
# Functions that the user has bound to vfio-pci.
# shellcheck shell=dash disable=SC2154

bdf=0000:07:00.0
other=0000:82:00.0
ethernet=0000:04:00.0

by_vfio() {
	configs before
	give $bdf
	run pcb-collect lat_cfg -n 20 -d $bdf -O access=vfio
	gives 0
	[ "$(column access <out | sort -u)" = vfio ]
	[ "$(key driver <out | tr ' ' '\n' | tail -n 1)" = $bdf=vfio-pci ]
	# Of all functions, only this one.
	run pcb-collect lat_cfg -n 20 -O access=vfio -O register=0x40
	gives 0
	column device <out | sort | uniq -c | grep -x "  *20 $bdf"
	run pcb-collect lat_mmio -n 20 -d $bdf -O access=vfio --wide
	gives 0
	[ "$(cut -d, -f8,9 out | tail -n 2 | head -n 1)" = vfio,BAR0+0x0 ]
	run pcb-collect lat_mmio -n 20 -d $bdf -O access=vfio \
		--cross-traffic $bdf:0x08
	gives 0
	run pcb-collect lat_cfg -d $bdf -O access=vfio -O register=0x10
	gives 2 "pcb-collect: $bdf: register 0x10: VFIO answers from a copy, \
not the device"
	run pcb-collect lat_mmio -d $bdf -O access=vfio -O register=BAR3+0
	gives 3
	take_back $bdf
	configs after
	diff -r before after
}
check "config space and BARs by VFIO" by_vfio

one_at_a_time() {
	give $bdf
	start timeout -s KILL 20 pcb-collect lat_cfg -d $bdf -O access=vfio \
		-n 1000G
	under_way
	number=$(basename "$(readlink "$devices/$bdf/iommu_group")")
	pcb-collect lat_cfg -d $bdf -O access=vfio >other 2>why && return 1
	case $(way_to $bdf) in
	group) at="group $number: open" ;;
	*) at="device $(device_of $bdf): bind" ;;
	esac
	[ "$(tail -n 1 why)" = "pcb-collect: $bdf: VFIO $at: Device or \
resource busy (another program has it)" ]
	kill -INT "$(pidof pcb-collect)"
	finish
	run user pcb-collect lat_cfg -d $bdf -O access=vfio
	said="pcb-collect: $bdf: VFIO group $number: open: Permission denied \
$(owners $bdf)"
	take_back $bdf
	gives 3 "$said"
}
check "a group that somebody else has" one_at_a_time

two() {
	give $bdf
	give $other
	way=$(way_to $bdf)
	run pcb-collect lat_cfg -O access=vfio -n 10
	cp out both
	gives 0
	run pcb-collect lat_cfg -O access=vfio -n 10 -d $bdf \
		--cross-traffic $bdf:0x08
	take_back $bdf
	take_back $other
	gives 0
	[ "$(key vfio <both)" = "$bdf=$way $other=$way" ]
	column device <both | sort | uniq -c | awk '
	$1 != 10 { bad = 1 } END { exit bad || NR != 2 }'
	[ "$(key vfio <out)" = "$bdf=$way" ]
}
check "two functions, and one opened twice" two

ports() {
	give $ethernet
	run pcb-collect lat_mmio -d $ethernet -O access=vfio \
		-O register=BAR2+0
	take_back $ethernet
	gives 3 "pcb-collect: $ethernet: register BAR2+0x0: VFIO does not map \
it (I/O ports, or less than a page)"
}
check "a BAR that VFIO does not map" ports

# VFIO keeps the address of MSI, both words, and the start of AER of its
# capabilities.
copies() {
	give $ethernet
	msi=$(lspci -s $ethernet -v | sed -n 's/.*\[\(..\)\] MSI: .*/0x\1/p')
	for at in $((msi + 4)) $((msi + 8)) 256; do
		at=$(printf '0x%02x' "$at")
		run pcb-collect lat_cfg -n 2 -d $ethernet -O access=vfio \
			-O register="$at"
		[ "$status" = 2 ] || break
		[ "$(cat err)" = "pcb-collect: $ethernet: register $at: VFIO \
answers from a copy, not the device" ] || break
		at=
	done
	for next in $msi $((msi + 12)) 0x104; do
		run pcb-collect lat_cfg -n 2 -d $ethernet -O access=vfio \
			-O register="$next"
		[ "$status" = 0 ] || at=$next
	done
	take_back $ethernet
	[ ! "$at" ]
}
check "what VFIO keeps of capabilities is no register" copies
