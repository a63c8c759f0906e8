# SPDX-License-Identifier: GPL-2.0-or-later
# kernel: iomem=relaxed
#
# Memory of devices, written and read by the CPU: an NVMe controller's buffer,
# memory shared with the host, and a device that drops writes.
# shellcheck shell=dash disable=SC2154

nvme=0000:01:00.0
shared=0000:00:09.0
testdev=$(find_function 1b36:0005)
benches="lat_mmio lat_mmio_wr lat_mmio_flush bw_mmio_rd bw_mmio_wr"

# memory_on BDF: enables its memory.
memory_on() {
	setpci -s "$1" COMMAND=2:2
}

# fill BDF BAR: 64 KiB with data that no run writes, also in the file `before`.
fill() {
	seq 100000 | head -c 65536 >before
	memory write "$devices/$1/resource$2" <before
}

# is_filled BDF BAR: whether it is as `fill` left it.
is_filled() {
	memory read "$devices/$1/resource$2" 65536 >after
	cmp before after
}

# detach BDF, attach BDF: from the kernel's NVMe driver, and back.
detach() {
	disk_of "$1" >/dev/null
	echo "$1" >/sys/bus/pci/drivers/nvme/unbind
	memory_on "$1"
}

attach() {
	echo "$1" >/sys/bus/pci/drivers/nvme/bind
}

each_bench() {
	memory_on $shared
	fill $shared 2
	for bench in $benches; do
		for access in resource resource_wc; do
			run pcb-collect "$bench" -d mmio:$shared -n 200 \
				-s 4:64 -O access=$access
			gives 0
			[ "$(column kind <out | sort -u)" = virtual ]
			[ "$(column access <out | sort -u)" = $access ]
			[ "$(column register <out | sort -u)" = BAR2+0x0 ]
			[ "$(column size_bytes <out | uniq | paste -sd ' ')" \
				= '4 8 16 32 64' ]
			[ "$(key memory <out)" = \
				'BAR2+0x0,65536 (ivshmem-plain)' ]
			is_filled $shared 2
		done
	done
}
check "each bench, uncached and write-combined" each_bench

controller_buffer() {
	run pcb-collect lat_mmio_wr -d $nvme -n 2
	gives 3 "pcb-collect: $nvme: its driver may use its memory: -O \
unbind=yes unbinds the device during the measurement"
	detach $nvme
	fill $nvme 2
	for bench in $benches; do
		run pcb-collect "$bench" -d mmio:$nvme -n 200 -s 8,64
		[ "$status" = 0 ] || break
		[ "$(key memory <out)" = 'BAR2+0x0,65536 (CMB)' ] || break
		is_filled $nvme 2 || break
		bench=
	done
	run pcb-collect lat_mmio_wr -d mmio:$nvme -n 200 \
		-O overwrite=BAR2+0x1000,4K -O store=avx
	is_filled $nvme 2
	attach $nvme
	[ ! "$bench" ]
	gives 0
	[ "$(column register <out | sort -u)" = BAR2+0x1000 ]
}
check "a controller memory buffer" controller_buffer

by_vfio() {
	detach $nvme
	fill $nvme 2
	attach $nvme
	disk_of $nvme
	for bench in $benches; do
		run pcb-collect "$bench" -d mmio:$nvme -n 200 \
			-O unbind=yes
		gives 0
		[ "$(column access <out | sort -u)" = vfio ]
		[ "$(key memory <out)" = 'BAR2+0x0,65536 (CMB)' ]
		unchanged $nvme nvme
	done
	detach $nvme
	is_filled $nvme 2
	run pcb-collect lat_mmio_wr -d mmio:$nvme -n 2 -O unbind=yes \
		-O access=resource_wc
	attach $nvme
	gives 3 "pcb-collect: $nvme: -O access=resource_wc: VFIO has the \
device, and maps its memory uncached only: -O access=vfio"
}
check "a controller is taken by VFIO, and given back" by_vfio

killed_with_vfio() {
	detach $nvme
	fill $nvme 2
	attach $nvme
	disk_of $nvme
	start pcb-collect lat_mmio_wr -d $nvme -n 1000G -O unbind=yes
	driving
	kill -KILL $!
	finish
	gives 137
	unchanged $nvme nvme
	await 20 guardian_is_done
	detach $nvme
	is_filled $nvme 2
	attach $nvme
}
check "contents and driver come back after SIGKILL" killed_with_vfio

removed() {
	for bench in lat_mmio_wr lat_mmio; do
		memory_on $shared
		start pcb-collect $bench -d mmio:$shared -n 1000G
		under_way
		echo 1 >"$devices/$shared/remove"
		finish
		echo 1 >/sys/bus/pci/rescan
		gives 2 "pcb-collect: $shared: the device is gone, or does \
not answer any more"
		await 20 guardian_is_done
	done
	memory_on $shared
	fill $shared 2
	start pcb-collect lat_mmio_wr -d mmio:$shared -n 1000G
	under_way
	setpci -s $shared COMMAND=0:2
	finish
	memory_on $shared
	[ "$status" = 2 ]
}
check "a device that is removed, or switched off, meanwhile" removed

# QEMU 7.2 drops these writes, later versions keep them.
not_kept() {
	memory_on "$testdev"
	run pcb-collect lat_mmio_wr -d "mmio:$testdev" -n 2
	gives 3
	grep 'its memory is unknown: name the range' err
	run pcb-collect lat_mmio -d "mmio:$testdev" -n 2 \
		-O overwrite=BAR2+0,4K
	gives 0
	run pcb-collect lat_mmio_wr -d "mmio:$testdev" -n 2 \
		-O overwrite=BAR2+0,4K
	[ "$status" != 0 ] || skip "this QEMU keeps what is written"
	gives 3
	grep 'BAR2+0x0 does not hold what was written: it is not memory' err
}
check "memory that does not keep what is written" not_kept

refused() {
	run pcb-collect lat_mmio_wr -d mmio:0000:04:00.0 -O overwrite=BAR0+0,4K
	gives 3
	[ "$(bound_to 0000:04:00.0)" = none ] || {
		grep 'which may use its memory: -O unbind=yes' err
		return
	}
	grep 'BAR0 is not prefetchable' err
}
check "a device that is in use, or has registers only" refused
