# SPDX-License-Identifier: GPL-2.0-or-later
# Real DMA: the edu device through VFIO. A transfer takes 100 ms.
# shellcheck shell=dash disable=SC2154

bdf=0000:00:03.0

not_taken() {
	run pcb-collect lat_rd -d edu:$bdf
	gives 3 "pcb-collect: $bdf: bound to no driver, not to vfio-pci: \
-O unbind=yes unbinds it during the measurement, or do it yourself: \
'echo vfio-pci > $devices/$bdf/driver_override; \
echo $bdf > /sys/bus/pci/drivers_probe'"
	[ ! -s out ]
	tail -n 1 err >why
	run pcb-collect lat_rd -d $bdf
	gives 3 "$(cat why)"
	unchanged $bdf none
	# The suggested commands work.
	sh -c "$(sed "s/.*yourself: '//; s/'\$//" why)"
	way=$(way_to $bdf)
	run pcb-collect lat_rd -d $bdf -n 1
	take_back $bdf
	gives 0
	[ "$(key vfio <out)" = "$bdf=$way" ]
}
check "edu is not taken without being asked for" not_taken

lat_rd() {
	run pcb-collect lat_rd -d edu:$bdf -O unbind=yes -n 3 -s 4,4092 \
		--offset 0,3 --cache cold,host-warm
	cp out err /tmp/results/
	gives 0
	unchanged $bdf none
	[ "$(column kind <out | sort -u)" = virtual ]
	[ "$(column iommu <out | sort -u)" = vfio ]
	[ "$(column interface <out | sort -u)" = engine ]
	[ "$(column latency_ns <out | wc -l)" = 24 ]
	# The device's timer, which the host does not affect.
	column latency_ns <out | awk '
	$1 < 90e6 || $1 > 2e9 { print; bad = 1 } END { exit bad }'
	! dmesg | grep -i 'dmar.*fault'
}
check "lat_rd of edu" lat_rd

# By a program that knows nothing of this project.
example() {
	echo vfio-pci >"$devices/$bdf/driver_override"
	echo $bdf >/sys/bus/pci/drivers_probe
	run engine $bdf 3
	take_back $bdf
	gives 0
	unchanged $bdf none
	pcb-import csv -l kind=virtual -l bench=lat_rd -l device=$bdf \
		-l link=gen3x8 -l size_bytes=64 <out | pcb-stats >stats
	[ "$(column n <stats)" = 3 ]
	column min_ns <stats | awk '{ exit !($1 > 90e6 && $1 < 2e9) }'
	run engine 0000:01:00.0 1
	gives 3
}
check "the engine of examples" example

# no STATUS MESSAGE OPTION...: a lat_rd that takes no device and writes no row.
no() {
	wanted=$1 message=$2
	shift 2
	run pcb-collect lat_rd -O unbind=yes -n 1 "$@"
	gives "$wanted" "pcb-collect: $message"
	[ ! -s out ]
}

refusals() {
	no 2 'edu transfers at most 4092 bytes, not 4096' -d edu:$bdf -s 4K
	no 2 'a window of 64 bytes does not hold 64 bytes at offset 4, rounded '\
'up to whole lines: give a larger -w' -d edu:$bdf -s 64 -w 64 --offset 4
	no 2 'a buffer of 268435456 bytes: edu supports at most 266338304' \
		-d edu:$bdf -b 256M
	no 2 '--cache device-warm: edu supports cold and host-warm' \
		-d edu:$bdf --cache device-warm
	no 2 '--cpu 7: no CPU that this process may use' -d edu:$bdf --cpu 7
	unchanged $bdf none
	no 3 "0000:01:00.0: Device 1b36:0010, not QEMU's edu" -d edu:01:00.0
	[ "$(bound_to 0000:01:00.0)" = nvme ]
}
check "what edu cannot do, and a device that is no edu" refusals

mastering_off() {
	give $bdf
	start pcb-collect lat_rd -d $bdf -n 40 -s 64,128
	driving
	setpci -s $bdf COMMAND=0:4
	finish
	take_back $bdf
	gives 2
	tail -n 1 err | grep 'does not reach host memory'
}
check "bus mastering off is found out" mastering_off

removed() {
	give $bdf
	start timeout -s KILL 60 pcb-collect lat_rd -d $bdf -n 1000
	driving
	echo 1 >"$devices/$bdf/remove"
	finish
	echo 1 >/sys/bus/pci/rescan
	gives 2 "pcb-collect: $bdf: the kernel takes the device away: it was \
removed, or unbound"
	column latency_ns <out | grep -q .
	tail -n 1 out | grep complete=no
	[ -e "$devices/$bdf" ]
}
check "a device that is removed" removed
