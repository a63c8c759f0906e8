# SPDX-License-Identifier: GPL-2.0-or-later
# kernel: intremap=off
#
# An IOMMU without interrupt remapping, as in old or virtual machines.
# shellcheck shell=dash disable=SC2154

bdf=0000:00:03.0

unsafe() {
	allowed=/sys/module/vfio_iommu_type1/parameters/allow_unsafe_interrupts
	give $bdf
	[ "$(way_to $bdf)" = group ] || skip "this kernel has iommufd"
	number=$(basename "$(readlink "$devices/$bdf/iommu_group")")
	run pcb-collect lat_rd -d $bdf -n 1
	gives 3 "pcb-collect: $bdf: VFIO group $number: container: Operation \
not permitted (the firmware reserves memory for the device, see RMRR in dmesg, \
or interrupts are not safe from the devices of this machine: see \
allow_unsafe_interrupts of vfio_iommu_type1)"
	echo Y >$allowed
	run pcb-collect lat_rd -d $bdf -n 1
	echo N >$allowed
	take_back $bdf
	gives 0
}
check "interrupts that devices could forge" unsafe
