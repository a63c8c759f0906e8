# SPDX-License-Identifier: GPL-2.0-or-later
# A kernel without an IOMMU: no program can get a device. The other word is for
# mmio_nopat.sh, which shares the guest.
# kernel: nopat intel_iommu=off
# shellcheck shell=dash disable=SC2154

refused() {
	short='behind no IOMMU, which VFIO needs'
	why="$short: boot with intel_iommu=on or amd_iommu=on, and with the \
IOMMU on in the firmware's setup"
	run pcb-collect lat_nvme -d nvme:01:00.0 -O unbind=yes
	gives 3 "pcb-collect: 0000:01:00.0: $why"
	run pcb-collect lat_rd -d 0000:00:03.0
	gives 3 "pcb-collect: 0000:00:03.0: $why"
	[ "$(basename "$(readlink "$devices/0000:01:00.0/driver")")" = nvme ]
	pcb-collect list -P | grep "nvme,0000:01:00.0,.*,\"$short\","
}
check "no IOMMU, no DMA" refused
