# SPDX-License-Identifier: GPL-2.0-or-later
# kernel: nopat intel_iommu=off
#
# A kernel that maps nothing write-combined, in the guest of no_iommu.sh.
# shellcheck shell=dash disable=SC2154

no_combining() {
	setpci -s 00:09.0 COMMAND=2:2
	run pcb-collect lat_mmio_wr -d mmio:00:09.0 -n 2
	gives 0
	[ "$(column access <out | sort -u)" = resource ]
	run pcb-collect lat_mmio_wr -d mmio:00:09.0 -O access=resource_wc
	gives 3 'pcb-collect: 0000:00:09.0: BAR2: there is no resource2_wc: '\
'this kernel maps nothing write-combined (nopat?): -O access=resource is '\
'uncached'
}
check "write-combining without PAT" no_combining
