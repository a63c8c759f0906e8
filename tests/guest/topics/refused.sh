# SPDX-License-Identifier: GPL-2.0-or-later
# Access methods that an ordinary kernel or user lacks.
# shellcheck shell=dash disable=SC2154

strict_kernel() {
	run pcb-collect lat_cfg -d 01:00.0 -O access=ecam
	gives 3 'pcb-collect: 0000:01:00.0: /dev/mem: Operation not permitted '\
'(the kernel keeps device memory to itself: boot with iomem=relaxed)'
	[ ! -s out ]
	run pcb-collect lat_mmio -d 01:00.0
	gives 3 'pcb-collect: 0000:01:00.0: BAR0: the kernel keeps it for the '\
'driver nvme: boot with iomem=relaxed, or unbind the driver'
	# Without a driver it is free.
	echo 0000:01:00.0 >/sys/bus/pci/drivers/nvme/unbind
	run pcb-collect lat_mmio -d 01:00.0 -n 2
	echo 0000:01:00.0 >/sys/bus/pci/drivers/nvme/bind
	gives 0
	run pcb-collect lat_mmio -d 07:00.0 -n 2
	gives 0
}
check "a kernel that keeps device memory to itself" strict_kernel

taken() {
	echo 0000:01:00.0 >/sys/bus/pci/drivers/nvme/unbind
	echo 1 >"$devices/0000:01:00.0/enable"
	start timeout -s KILL 20 pcb-collect lat_mmio -d 01:00.0 -n 1000G
	under_way
	echo 0000:01:00.0 >/sys/bus/pci/drivers/nvme/bind
	finish
	gives 2 'pcb-collect: 0000:01:00.0: register BAR0+0x8 is no longer '\
'mapped: the device was removed, or a driver took it'
	tail -n 1 out | grep '^# end: rows=[0-9]* complete=no'
	echo 0000:01:00.0 >/sys/bus/pci/drivers/nvme/unbind
	echo 0 >"$devices/0000:01:00.0/enable"
	echo 0000:01:00.0 >/sys/bus/pci/drivers/nvme/bind
}
check "a driver that takes a device in mid-run" taken
