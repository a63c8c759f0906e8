# SPDX-License-Identifier: GPL-2.0-or-later
# pcb-collect lat_cfg on real functions, and its results in filters.
# shellcheck shell=dash disable=SC2154

# The path to the edu device below two switches.
way='0000:00:05.0 0000:02:00.0 0000:03:01.0 0000:05:00.0 0000:06:00.0'
way="$way 0000:07:00.0"

# known_notices: whether the last run has only the warnings of any guest.
known_notices() {
	! grep -v -e 'this machine is virtual (TCG' -e "rate of this CPU's tsc" err
}

every_function() {
	run pcb-collect lat_cfg -n 20
	gives 0
	known_notices
	column device <out | uniq -c >rows
	functions | sed 's/^/     20 /' | diff - rows
	column kind <out | sort -u | grep -x virtual
	column latency_ns <out | awk '$1 <= 0 { exit 1 }'
	pcb-collect list | grep ,pci, | cut -d, -f5 >links
	column link <out | awk 'NR % 20 == 1' | diff links -
}
check "every function, as many rows of each, with its link" every_function

ordinary_user() {
	run user pcb-collect lat_cfg -n 20
	gives 0
	known_notices
	column device <out | uniq -c >rows
	functions | sed 's/^/     20 /' | diff - rows
	pcb-collect list | grep ,pci, | cut -d, -f5 | sed 's,/mps.*,,' >links
	column link <out | awk 'NR % 20 == 1' | diff links -
	[ "$(key aspm <out)" = '' ]
	[ "$(key not_set <out)" = '' ]
}
check "an ordinary user: the same, links by speed and width" ordinary_user

tells_of_the_machine() {
	run pcb-collect lat_cfg -d 07:00.0 --path -n 5
	gives 0
	[ "$(key hypervisor <out)" = TCGTCGTCGTCG ]
	[ "$(key iommu <out)" = DMA-FQ ]
	[ "$(key kernel <out)" = "$(uname -srm)" ]
	# For every hop that can save power; the last one is a conventional
	# device.
	[ "$(key aspm <out)" = \
		"$(echo "${way% *}" | sed 's/ /=off /g; s/$/=off/')" ]
	[ "$(tail -n 1 out | cut -d ' ' -f 1-4)" = '# end: rows=30 complete=yes' ]
}
check "kernel, hypervisor, IOMMU and ASPM are in the preamble" \
	tells_of_the_machine

nearest_cpu() {
	for device in 80:00.0 81:00.0 82:00.0; do
		taskset 1 pcb-collect lat_cfg -n 2 -d $device >out
		[ "$(key cpu_pinned <out)" = 0 ]
		pcb-collect lat_cfg -n 2 -d $device >out
		[ "$(key cpu_pinned <out)" = 1 ]
		pcb-collect lat_cfg -n 2 -d $device --cpu 0 >out
		[ "$(key cpu_pinned <out)" = 0 ]
	done
	run taskset 1 pcb-collect lat_cfg -n 2 -d 82:00.0 --cpu 7
	gives 2 'pcb-collect: --cpu 7: no CPU that this process may use'
}
check "the CPU is one of the device's node, of those allowed" nearest_cpu
