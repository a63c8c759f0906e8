# SPDX-License-Identifier: GPL-2.0-or-later
# kernel: iomem=relaxed
#
# Access methods, on a kernel that allows all of them.
# shellcheck shell=dash disable=SC2154

# same_everywhere REGISTER FUNCTION...: every access method gives as many rows
# of each, and so reads the device that libpci sees: pcb-collect compares IDs
# and class on every read.
same_everywhere() {
	register=$1
	shift
	for access in sysfs ecam; do
		run pcb-collect lat_cfg -n 20 -O access=$access \
			-O register="$register"
		gives 0
		[ "$(column access <out | sort -u)" = $access ]
		column device <out | uniq -c >rows
		printf '     20 %s\n' "$@" | diff - rows
	done
}

ways_agree() {
	configs before
	# shellcheck disable=SC2046
	same_everywhere 0x00 $(functions)
	# shellcheck disable=SC2046
	same_everywhere 0x08 $(functions)
	configs after
	diff -r before after
}
check "sysfs and ecam show the same devices" ways_agree

# Functions with extended config space, by the kernel.
extended() {
	for bdf in $(functions); do
		[ "$(stat -c %s "$devices/$bdf/config")" = 256 ] || echo "$bdf"
	done
}

beyond_256() {
	for access in sysfs ecam; do
		run pcb-collect lat_cfg -P -n 3 -O access=$access \
			-O register=0x100
		gives 0
		column device <out | uniq >got
		extended | diff - got
		run pcb-collect lat_cfg -O access=$access -O register=0x100 \
			-d 00:09.0
		gives 3 "pcb-collect: 0000:00:09.0 has no register 0x100: its \
config space has 256 bytes"
	done
}
check "registers from 0x100 on, where there are any" beyond_256

says_how() {
	says() {
		run pcb-collect lat_cfg -n 2 -d 01:00.0 -O register="$1"
		[ "$(key kernel_access <out)" = "$2" ]
	}
	says 0x08 conf1
	says 0x100 ecam
	# Only values that all targets share.
	run pcb-collect lat_cfg -n 2 -d 01:00.0 -O access=ecam
	[ "$(key kernel_access <out)" = '' ]
}
check "how the kernel reads config space" says_how

no_file() {
	mv /dev/mem /dev/hidden
	run pcb-collect lat_cfg -d 01:00.0 -O access=ecam
	mv /dev/hidden /dev/mem
	gives 3 'pcb-collect: 0000:01:00.0: /dev/mem: No such file or '\
'directory (the kernel is built without it)'
	chmod a+r /sys/firmware/acpi/tables/MCFG
	run user pcb-collect lat_cfg -d 01:00.0 -O access=ecam
	chmod go-r /sys/firmware/acpi/tables/MCFG
	gives 3 'pcb-collect: 0000:01:00.0: /dev/mem: Permission denied (root '\
'only)'
}
check "/dev/mem that is not there, or not for users" no_file

known_registers() {
	configs before
	run pcb-collect lat_mmio -n 20 --wide
	gives 0
	# edu, ivshmem, AHCI, NVMe, e1000e.
	column device <out | uniq | xargs >got
	echo '0000:00:03.0 0000:00:09.0 0000:00:1f.2 0000:01:00.0' \
		'0000:04:00.0 0000:07:00.0 0000:09:01.0 0000:81:00.0' \
		'0000:82:00.0' | diff - got
	[ "$(grep ,0000:01:00.0, out | cut -d, -f8,9 | uniq)" = \
		resource,BAR0+0x8 ]
	[ "$(grep ,0000:00:1f.2, out | cut -d, -f8,9 | uniq)" = \
		resource,BAR5+0x10 ]
	! grep changed_values out || false
	configs after
	diff -r before after
}
check "lat_mmio: registers known to be harmless" known_registers

named_register() {
	# The register of edu that inverts what is written to it.
	run pcb-collect lat_mmio -n 20 -d 07:00.0 -O register=BAR0+0x4
	gives 0
	[ "$(column register <out | sort -u)" = BAR0+0x4 ]
	run pcb-collect lat_mmio -d 07:00.0 -O register=BAR0+0x100000
	gives 3 'pcb-collect: 0000:07:00.0 has no register BAR0+0x100000: '\
'that BAR has 1048576 bytes'
	run pcb-collect lat_mmio -d 00:1f.2 -O register=BAR4+0
	gives 3 'pcb-collect: 0000:00:1f.2: BAR4 has I/O ports, not memory'
	run pcb-collect lat_mmio -d 07:00.0 -O register=BAR1+0
	gives 3 'pcb-collect: 0000:07:00.0 has no BAR1'
	run pcb-collect lat_mmio -d 07:00.0 --path
	gives 3 'pcb-collect: 0000:00:05.0: no register of it is known to be '\
'free of side effects: name one that its data sheet lets you read, by '\
'-O register=BARn+OFFSET'
}
check "lat_mmio: a register that is named" named_register

traffic() {
	run pcb-collect lat_cfg -d 07:00.0 --path -n 20 \
		--cross-traffic 01:00.0:BAR0+0x8
	gives 0
	[ "$(column cross_traffic <out | sort -u)" = 0000:01:00.0:BAR0+0x8 ]
	run pcb-collect lat_cfg -d 07:00.0 --cross-traffic 07:00.0:BAR1+0
	gives 3 'pcb-collect: 0000:07:00.0 has no BAR1'
}
check "cross traffic" traffic

# Removed while it is mapped: the kernel answers all ones, or unmaps it.
take_out() {
	echo 1 >"$devices/0000:07:00.0/remove"
}

removed() {
	for bench in 'lat_mmio -O access=resource' 'lat_cfg -O access=ecam'; do
		# shellcheck disable=SC2086
		start timeout -s KILL 20 pcb-collect $bench -d 07:00.0 \
			-n 1000G --time 3s
		under_way
		take_out
		finish
		echo 1 >/sys/bus/pci/rescan
		[ "$status" = 2 ] || [ "$status" = 0 ]
		tail -n 1 out | grep '^# end: rows='
	done
}
check "a device that is removed while it is mapped" removed
