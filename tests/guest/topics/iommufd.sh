# SPDX-License-Identifier: GPL-2.0-or-later
# Functions through iommufd, which newer kernels have (GUEST_KERNEL of
# tests/guest/run), and through their group if it cannot be opened. With such a
# kernel the other VFIO topics use iommufd, too.
# shellcheck shell=dash disable=SC2154

bdf=0000:00:03.0

# leave: returns everything, however a test ends.
leave() {
	[ ! -e /dev/hidden ] || mv /dev/hidden /dev/iommu
	[ "$(bound_to $bdf)" != vfio-pci ] || take_back $bdf
}

# begin: gives the device to VFIO, or ends the test.
begin() {
	trap leave EXIT
	give $bdf
	[ "$(way_to $bdf)" = iommufd ] || skip "this kernel has no iommufd"
	device=/dev/vfio/devices/$(device_of $bdf)
	group=/dev/vfio/$(basename "$(readlink "$devices/$bdf/iommu_group")")
}

# measures WAY COMMAND...: three transfers through this interface.
measures() {
	way=$1
	shift
	run "$@" pcb-collect lat_rd -d $bdf -n 3
	gives 0
	[ "$(key vfio <out)" = "$bdf=$way" ]
	[ "$(column latency_ns <out | wc -l)" = 3 ]
	[ "$(column iommu <out | sort -u)" = vfio ]
}

both() {
	begin
	measures iommufd env
	mv /dev/iommu /dev/hidden
	measures group env
	mv /dev/hidden /dev/iommu
	measures iommufd env
	! dmesg | grep -i 'dmar.*fault'
}
check "by iommufd; by group where there is none" both

users() {
	begin
	refused="pcb-collect: $bdf: VFIO group ${group##*/}: open: Permission \
denied (root, or whoever owns the group, or both /dev/iommu and $device)"
	for file in /dev/iommu "$device"; do
		chown 65534 "$file"
		run user pcb-collect lat_rd -d $bdf -n 1
		gives 3 "$refused"
		chown 0 "$file"
	done
	chown 65534 /dev/iommu "$device"
	measures iommufd user
	chown 0 /dev/iommu
	chown 65534 "$group"
	measures group user
	chown 0 "$group" "$device"
}
check "an ordinary user who owns the files, or the group" users

groupless() {
	begin
	mv "$group" /dev/hidden
	run user pcb-collect lat_rd -d $bdf -n 1
	mv /dev/hidden "$group"
	gives 3 "pcb-collect: $bdf: VFIO group ${group##*/}: open: No such \
file or directory (root, or whoever owns the group, or both /dev/iommu and \
$device)"
}
check "a user, and a kernel without groups" groupless

one_at_a_time() {
	begin
	mv /dev/iommu /dev/hidden
	start pcb-collect lat_rd -d $bdf -n 1000
	driving
	mv /dev/hidden /dev/iommu
	pcb-collect lat_rd -d $bdf -n 1 >other 2>why && return 1
	kill -INT $!
	finish
	grep "VFIO device ${device##*/}: bind: Device or resource busy \
(another program has it)" why
	start pcb-collect lat_rd -d $bdf -n 1000
	driving
	mv /dev/iommu /dev/hidden
	pcb-collect lat_rd -d $bdf -n 1 >other 2>why && return 1
	mv /dev/hidden /dev/iommu
	kill -INT $!
	finish
	grep "VFIO group ${group##*/}: open: Device or resource busy (another \
program has it)" why
}
check "a device that somebody has the other way" one_at_a_time
