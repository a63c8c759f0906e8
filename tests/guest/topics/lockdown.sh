# SPDX-License-Identifier: GPL-2.0-or-later
# kernel: lockdown=integrity iomem=relaxed
#
# A kernel that is locked down, as by Secure Boot.
# shellcheck shell=dash disable=SC2154

locked_down() {
	mount -t securityfs securityfs /sys/kernel/security || :
	grep -F '[integrity]' /sys/kernel/security/lockdown || skip \
		"this kernel knows no lockdown"
	run pcb-collect lat_cfg -n 2 -d 01:00.0
	gives 0
	[ "$(key lockdown <out)" = integrity ]
	run pcb-collect lat_cfg -d 01:00.0 -O access=ecam
	gives 3 'pcb-collect: 0000:01:00.0: /dev/mem: Operation not permitted '\
'(the kernel is locked down: boot without Secure Boot or lockdown=)'
	run pcb-collect lat_mmio -d 07:00.0
	gives 3 'pcb-collect: 0000:07:00.0: BAR0: the kernel is locked down: '\
'boot without Secure Boot or lockdown='
	setpci -s 00:09.0 COMMAND=2:2
	run pcb-collect lat_mmio_wr -d mmio:00:09.0
	gives 3 'pcb-collect: 0000:00:09.0: BAR2: the kernel is locked down: '\
'boot without Secure Boot or lockdown='
}
check "what lockdown refuses is said" locked_down
