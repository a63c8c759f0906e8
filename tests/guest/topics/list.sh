# SPDX-License-Identifier: GPL-2.0-or-later
# kernel: iomem=relaxed
#
# pcb-collect list: compared with the kernel's tree and lspci.
# shellcheck shell=dash disable=SC2154

every_function() {
	run pcb-collect list -P
	gives 0
	[ ! -s err ]
	grep ,pci, out | cut -d, -f3 >listed
	functions | diff - listed
	[ "$(wc -l <listed)" = 27 ]
}
check "every function of the kernel, in order" every_function

# listed COLUMN: its value for each PCI function, after the BDF.
listed() {
	pcb-collect list -P | grep -e '^host,' -e ,pci, >rows
	column device <rows >functions
	column "$1" <rows | paste -d , functions -
}

# told BY: the output of that command for each function, after the BDF.
told() {
	for bdf in $(functions); do
		echo "$bdf,$("$@" "$bdf")"
	done 2>/dev/null
}

parents() {
	listed parent >ours
	told parent_of | diff - ours
	# Below two switches, both kinds of bridge, and the second root.
	cat >some <<-END
	0000:01:00.0,0000:00:04.0
	0000:07:00.0,0000:06:00.0
	0000:09:01.0,0000:08:00.0
	0000:0b:02.0,0000:0a:01.0
	0000:80:01.0,
	0000:82:00.0,0000:80:01.0
	END
	grep -xFf some ours | diff some -
}
check "parents, through switches and bridges, on both roots" parents

driver_of() {
	[ ! -e "$devices/$1/driver" ] ||
		basename "$(readlink "$devices/$1/driver")"
}

drivers() {
	listed driver >ours
	told driver_of | diff - ours
	grep -q ',nvme$' ours
	grep -q ',pcieport$' ours
	grep -q '^0000:04:00.0,$' ours
}
check "drivers, and functions without one" drivers

node_of() {
	sed 's/^-1$//' "$devices/$1/numa_node"
}

nodes() {
	listed node >ours
	told node_of | diff - ours
	[ "$(grep -c ',1$' ours)" = 4 ]
	[ "$(grep -c ',$' ours)" = 23 ]
}
check "NUMA nodes of the second root" nodes

listed_links() {
	listed link >ours
	links | diff - ours
	# A port has no link of its own: lspci shows one as x32 at 16 GT/s, with
	# only a conventional device below, and one of a switch as "Unknown".
	grep -x '0000:80:01.0,' ours
	grep -x '0000:82:00.0,' ours
	grep -x '0000:03:01.0,' ours
	grep -x '0000:0b:02.0,' ours
	grep -x '0000:08:00.0,gen1x1/mps128/mrrs128/rcb64' ours
}
check "links as lspci decodes them; ports and parallel buses none" \
	listed_links

same_for_users() {
	user pcb-collect list -P >ours
	# Only root may read a drive.
	[ "$(grep -c ',disk,.*Permission denied' ours)" = 2 ]
	pcb-collect list -P | awk -F, -v OFS=, '
		$2 == "disk" { next }
		$2 != "sim" { sub("/mps.*", "", $5) } 1' >theirs
	grep -v ,disk, ours | diff theirs -
	grep ,gen1x1, ours
}
check "an ordinary user: the same, links by speed and width" same_for_users
