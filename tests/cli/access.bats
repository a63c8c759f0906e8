#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# pcb-collect: registers of BARs, and access methods.

load helpers

tests pcb-collect -n 2

setup_file() {
	example_tree "$BATS_FILE_TMPDIR/tree"
}

# bar BDF NUMBER SIZE: zeroed memory behind a BAR.
bar() {
	local dir=tree/sys/bus/pci/devices/0000:$1

	truncate -s "$3" "$dir/resource$2"
	poke "$dir/config" 4 '\6'
	sed -i "$(($2 + 1))s/.*/0xfe000000 0xfe003fff 0x0000000000040200/" \
		"$dir/resource"
}

# An NVMe controller at 03:00.0, version 1.4.
nvme_tree() {
	own_tree
	poke tree/sys/bus/pci/devices/0000:03:00.0/config 8 '\1\2\10\1'
	bar 03:00.0 0 16384
	poke tree/sys/bus/pci/devices/0000:03:00.0/resource0 8 '\0\4\1\0'
}

@test "a register known to be harmless" {
	nvme_tree
	for device in 03:00.0 pci:03:00.0 pci; do
		collects lat_mmio -P --root tree -d $device -n 3
		quiet
		[ "$(tail -n +2 <<<"$output" | cut -d, -f3-9 | uniq -c |
			sed 's/^ *//')" = "3 virtual,lat_mmio,0000:03:00.0,\
gen3x8/mps256/mrrs512/rcb64/ecrc,0000:02:00.0,resource,BAR0+0x8" ]
	done
	# The first measurable one is chosen.
	collect lat_mmio -P --root tree -n 1
	[ "$(column device <<<"$output")" = 0000:03:00.0 ]
}

@test "an SD host with registers of its vendor's is not read" {
	own_tree
	bar 03:00.0 0 4096
	poke tree/sys/bus/pci/devices/0000:03:00.0/config 8 '\1\1\5\10'
	collects lat_mmio -P --root tree -d 03:00.0 -n 1
	[ "$(column register <<<"$output")" = BAR0+0x40 ]
	poke tree/sys/bus/pci/devices/0000:03:00.0/config 9 '\2'
	fails 3 "0000:03:00.0: no register of it is known to be free of side \
effects: name one that its data sheet lets you read, by -O \
register=BARn+OFFSET" lat_mmio --root tree \
		-d pci:03:00.0
}

@test "a register is known of a class, of a vendor and of a device" {
	nvme_tree
	while read -r ids class benches; do
		poke tree/sys/bus/pci/devices/0000:03:00.0/config 0 "$ids"
		poke tree/sys/bus/pci/devices/0000:03:00.0/config 8 "$class"
		collect list -P --root tree
		[ "$(grep ,pci,0000:03:00.0 <<<"$output" | cut -d, -f8)" = \
			"$benches" ] || show "$ids $class: $benches"
	done <<-'EOF'
	\263\25\23\20 \0\0\0\2 lat_cfg lat_mmio
	\263\25\24\20 \0\0\0\2 lat_cfg
	\206\200\23\20 \0\0\0\2 lat_cfg
	\263\25\23\20 \0\0\0\1 lat_cfg
	\336\20\1\0 \0\0\0\3 lat_cfg lat_mmio
	\2\20\1\0 \0\0\0\3 lat_cfg
	EOF
}

@test "list: where a register of a BAR is known" {
	nvme_tree
	bar 04:10.0 2 4096
	listed() {
		collect list -P --root tree "${@:2}"
		[ "$(grep ',pci,0000:0[34]:' <<<"$output" | cut -d, -f3,8,9)" = "$1" ] ||
			show "$1"
	}
	listed "0000:03:00.0,lat_cfg lat_mmio,
0000:04:10.0,lat_cfg,lat_mmio: name a register of BAR2 that its data sheet \
lets you read: a read may have side effects (-O register=BARn+OFFSET)"
	listed "0000:03:00.0,lat_cfg lat_mmio,
0000:04:10.0,lat_cfg lat_mmio," -O register=BAR2+0
	fails 3 "0000:04:10.0: lat_mmio: name a register of BAR2 that its \
data sheet lets you read: a read may have side effects (-O \
register=BARn+OFFSET)" lat_mmio --root tree -d 04:10.0
	fails 3 "0000:04:10.0: no register of it is known to be free of side \
effects: name one that its data sheet lets you read, by -O \
register=BARn+OFFSET" lat_mmio --root tree \
		-d pci:04:10.0
}

@test "a register of no BAR is refused, however the device is named" {
	nvme_tree
	bar 04:10.0 2 4096
	for device in '' '-d 04:10.0' '-d pci:04:10.0'; do
		# shellcheck disable=SC2086
		fails 2 "-O register=0x8: lat_mmio reads registers behind BARs, such as \
BAR0+0x8" lat_mmio --root tree $device -O register=0x8
		# shellcheck disable=SC2086
		fails 2 "-O register=BAR6+0: a BAR is BAR0 to BAR5, as in \
BAR0+0x8" lat_mmio --root tree $device -O register=BAR6+0
	done
}

@test "every row of the table is understood" {
	# safe_regs.c reads the whole table, and dies if a row is invalid.
	collects list -P
	[ "$(grep -vc '^#' "$TOP/share/pcb-tools/registers/mmio.csv")" -gt 10 ]
}

@test "a device of another kind is refused, by name" {
	own_tree
	while IFS='|' read -r bench backend what; do
		try pcb-collect "$bench" --root tree -d "$backend:03:00.0" -n 2
		[ "$status" = 3 ] || show 3
		[[ "$stderr" = "pcb-collect: 0000:03:00.0: "*", not $what" ]] ||
			show "$what"
	done <<-'END'
	lat_nvme|nvme|an NVMe controller
	lat_rd|edu|QEMU's edu
	END
}

@test "config space that cannot be read does not say that memory is off" {
	nvme_tree
	collects lat_mmio -P --root tree -d 03:00.0 -n 1 -O register=BAR0+0
	: >tree/sys/bus/pci/devices/0000:03:00.0/config
	collects lat_mmio -P --root tree -d 03:00.0 -n 1 -O register=BAR0+0
	[ "$(column register <<<"$output")" = BAR0+0x0 ]
}

@test "a register that is named" {
	nvme_tree
	poke tree/sys/bus/pci/devices/0000:03:00.0/resource0 0x2ffc '\1'
	for register in BAR0+0x2ffc bar0+12284; do
		collects lat_mmio -P --root tree -d 03:00.0 \
			-O register=$register -O access=resource
		[ "$(column register <<<"$output" | sort -u)" = BAR0+0x2ffc ]
	done
	register() {
		fails "$1" "$2" lat_mmio --root tree -O register="$3" \
			-d pci:03:00.0
	}
	register 3 "0000:03:00.0 has no register BAR0+0x4000: that BAR \
has 16384 bytes" BAR0+0x4000
	register 3 "0000:03:00.0 has no BAR1" BAR1+0
	mv tree/sys/bus/pci/devices/0000:03:00.0/resource0 aside
	register 3 "0000:03:00.0: BAR0: this kernel has no file that maps it \
(tree/sys/bus/pci/devices/0000:03:00.0/resource0)" BAR0+0x8
	mv aside tree/sys/bus/pci/devices/0000:03:00.0/resource0
	fails 2 "-O register needs a device: -d BDF" \
		lat_mmio --root tree -O register=BAR0+0 -d pci
	fails 2 "-O access=ecam: lat_mmio is read by resource, vfio" \
		lat_mmio --root tree -O access=ecam -d pci
}

@test "a BAR that begins within a page" {
	nvme_tree
	sed -i '1s/.*/0xfe000c00 0xfe000fff 0x0000000000040200/' \
		tree/sys/bus/pci/devices/0000:03:00.0/resource
	# The kernel's file has the whole page: this is of another device.
	poke tree/sys/bus/pci/devices/0000:03:00.0/resource0 8 '\377\377\377\377'
	poke tree/sys/bus/pci/devices/0000:03:00.0/resource0 0xc08 '\0\4\1\0'
	collects lat_mmio -P --root tree -d 03:00.0 -n 3
	quiet
}

@test "a register of all ones is none" {
	nvme_tree
	poke tree/sys/bus/pci/devices/0000:03:00.0/resource0 8 '\377\377\377\377'
	collect lat_mmio -P --root tree -d 03:00.0
	[ "$status" = 2 ]
	[ "$(tail -n 1 <<<"$stderr")" = "pcb-collect: 0000:03:00.0: register \
BAR0+0x8 reads all ones: the device is gone or does not answer, or sleeps \
(--hold power wakes it)" ]
	# Unless it is named, others are measured.
	poke tree/sys/bus/pci/devices/0000:05:00.0/config 8 '\1\2\10\1'
	bar 05:00.0 0 16384
	collects lat_mmio -P --root tree -d pci
	[ "$(column device <<<"$output" | sort -u)" = 0000:05:00.0 ]
	[[ "$stderr" = "pcb-collect: 0000:03:00.0: left out: register \
BAR0+0x8 reads all ones, "* ]]
}

@test "memory of a device that sleeps is not read" {
	local slept=tree/sys/bus/pci/devices/0000:03:00.0/power
	local why="0000:03:00.0: it sleeps, so that its memory does not answer \
(--hold power wakes it)"

	nvme_tree
	mkdir $slept
	for state in suspended suspending; do
		echo $state >$slept/runtime_status
		fails 3 "$why" lat_mmio --root tree -d 03:00.0
		fails 3 "$why" lat_cfg --root tree -d pci:00:1f.0 \
			--cross-traffic 03:00.0:BAR0+0x8
		# It answers in config space.
		collects lat_cfg -P --root tree -d 03:00.0
	done
	# Unless it is named, others are measured.
	poke tree/sys/bus/pci/devices/0000:05:00.0/config 8 '\1\2\10\1'
	bar 05:00.0 0 16384
	collects lat_mmio -P --root tree -d pci
	[ "$(column device <<<"$output" | sort -u)" = 0000:05:00.0 ]
	[[ "$stderr" = "pcb-collect: 0000:03:00.0: left out: it sleeps \
(-d 0000:03:00.0 --hold power wakes it)"* ]]
	echo active >$slept/runtime_status
	collects lat_mmio -P --root tree -d 03:00.0
}

@test "memory of a device that is not in D0, without runtime management" {
	nvme_tree
	mkdir tree/sys/bus/pci/devices/0000:03:00.0/power
	echo active >tree/sys/bus/pci/devices/0000:03:00.0/power/runtime_status
	for state in D1 D2 D3hot D3cold; do
		echo $state >tree/sys/bus/pci/devices/0000:03:00.0/power_state
		fails 3 "0000:03:00.0: it sleeps, so that its memory does not \
answer (--hold power wakes it)" lat_mmio --root tree -d 03:00.0
	done
	for state in D0 unknown; do
		echo $state >tree/sys/bus/pci/devices/0000:03:00.0/power_state
		collects lat_mmio -P --root tree -d 03:00.0
	done
}

@test "memory of a device that may fall asleep is read where it is held" {
	local control=tree/sys/bus/pci/devices/0000:03:00.0/power/control

	nvme_tree
	mkdir tree/sys/bus/pci/devices/0000:03:00.0/power
	echo active >tree/sys/bus/pci/devices/0000:03:00.0/power/runtime_status
	echo auto >$control
	fails 3 "0000:03:00.0: it may fall asleep, and its memory then does \
not answer (--hold power keeps it awake)" lat_mmio --root tree -d 03:00.0
	collect lat_mmio --root tree -d pci
	[ "$status" = 3 ]
	[ "$(head -n 1 <<<"$stderr")" = "pcb-collect: 0000:03:00.0: left out: \
it may fall asleep (--hold power keeps it awake)" ]
	for device in 03:00.0 pci; do
		collects lat_mmio -P --root tree -d $device --hold power
		[ "$(column device <<<"$output" | sort -u)" = 0000:03:00.0 ]
		[ "$(cat $control)" = auto ]
	done
	# It is not read before that: its present value excludes nothing.
	poke tree/sys/bus/pci/devices/0000:03:00.0/resource0 8 '\377\377\377\377'
	collect lat_mmio -P --root tree -d pci --hold power
	[ "$status" = 2 ]
	[[ "$stderr" != *"left out"* ]]
	collects lat_cfg -P --root tree -d 03:00.0
}

@test "memory of a virtual function is on" {
	nvme_tree
	poke tree/sys/bus/pci/devices/0000:03:00.0/config 0 '\377\377\377\377\0'
	collects lat_mmio -P --root tree -d 03:00.0 -n 3
	quiet
	collect lat_mmio -P --root tree -d pci -n 3
	[ "$(column device <<<"$output" | sort -u)" = 0000:03:00.0 ]
}

@test "what a virtual machine may have is not read unless it is named" {
	nvme_tree
	ln -s ../../drivers/vfio-pci tree/sys/bus/pci/devices/0000:03:00.0/driver
	fails 3 "no function here has a register that is known to be free of \
side effects: name one that a data sheet lets you read, by -d BDF -O \
register=BARn+OFFSET" \
		lat_mmio --root tree -d pci
	collects lat_mmio -P --root tree -d 03:00.0 -n 3
}

@test "a device whose memory is off" {
	nvme_tree
	poke tree/sys/bus/pci/devices/0000:03:00.0/config 4 '\0'
	fails 3 "0000:03:00.0: BAR0: the device's memory is off until a \
driver, or root by 1 in tree/sys/bus/pci/devices/0000:03:00.0/enable, turns it on" \
		lat_mmio --root tree -d 03:00.0
	fails 3 "no function here has a register that is known to be free of \
side effects: name one that a data sheet lets you read, by -d BDF -O \
register=BARn+OFFSET" \
		lat_mmio --root tree -d pci
}

@test "a mapping that goes away in mid-run" {
	nvme_tree
	timeout -s KILL 20 pcb-collect lat_mmio --root tree -d 03:00.0 \
		-n 1000G --wide >out 2>err 3>&- &
	wait_for_bytes out 10000
	truncate -s 0 tree/sys/bus/pci/devices/0000:03:00.0/resource0
	status=0
	wait $! || status=$?
	[ "$status" = 2 ]
	[ "$(tail -n 1 err)" = "pcb-collect: 0000:03:00.0: register \
BAR0+0x8 is no longer mapped: the device was removed, or a driver took it" ]
	[[ "$(tail -n 1 out)" = \
		"# end: rows=$(grep -c ,lat_mmio, out) complete=no "* ]]
}

@test "VFIO only where the user has bound it, and what comes from a device" {
	own_tree
	fails 3 "0000:03:00.0: bound to no driver, not to vfio-pci: bind it \
yourself, as with 'driverctl \
set-override 0000:03:00.0 vfio-pci'" lat_cfg --root tree -O access=vfio \
		-d pci:03:00.0
	ln -s ../../drivers/vfio-pci tree/sys/bus/pci/devices/0000:03:00.0/driver
	fails 3 "0000:03:00.0: behind no IOMMU: VFIO needs one (boot \
with intel_iommu=on, or amd_iommu=on)" lat_cfg --root tree -O access=vfio \
		-d pci:03:00.0
	# A reset would hit them, whoever uses them.
	echo 2 >tree/sys/bus/pci/devices/0000:03:00.0/sriov_numvfs
	fails 3 "0000:03:00.0: its 2 virtual functions would be lost: 'echo 0 \
> tree/sys/bus/pci/devices/0000:03:00.0/sriov_numvfs'" lat_cfg --root tree \
		-O access=vfio -d pci:03:00.0
	echo 0 >tree/sys/bus/pci/devices/0000:03:00.0/sriov_numvfs
	for register in 0x00 0x04 0x10 0x24 0x30; do
		fails 2 "0000:03:00.0: register $register: VFIO answers from \
a copy, not the device" lat_cfg --root tree -O access=vfio \
			-d pci:03:00.0 -O register=$register
	done
}

# Traffic ----------------------------------------------------------------

@test "cross traffic: who and what is a column, and has no rows" {
	nvme_tree
	crossed() {
		collects lat_cfg -P --root tree -d pci:03:00.0 --path -n 2 \
			--cross-traffic "$1"
		quiet
		[ "${#lines[@]}" = 9 ]
		[ "$(column cross_traffic <<<"$output" | sort -u)" = "$2" ]
	}
	crossed 00:1f.0 0000:00:1f.0
	crossed 0000:00:1f.0:16 0000:00:1f.0:0x10
	crossed 0001:01:00.0:0x100 0001:01:00.0:0x100
	crossed 03:00.0:bar0+8 0000:03:00.0:BAR0+0x8
	collect lat_mmio -P --root tree -d 03:00.0 -n 2 --cross-traffic 03:00.0
	[ "$(column cross_traffic <<<"$output" | sort -u)" = 0000:03:00.0 ]
	# The register of the cross traffic must answer, too.
	printf '\377\377\377\377' | dd of=tree/sys/bus/pci/devices/0000:00:1f.0/config \
		bs=1 seek=8 conv=notrunc status=none
	collect lat_cfg -P --root tree -d pci:03:00.0 -n 2 \
		--cross-traffic 00:1f.0
	[ "$status" = 2 ]
	[[ "$stderr" = *"pcb-collect: 0000:00:1f.0: register 0x08 reads all \
ones: "* ]]
}

@test "cross traffic that cannot be" {
	nvme_tree
	for text in '' 03:00 03:00.8 :0x08 0000:0000:03:00.0; do
		wrong "--cross-traffic '$text': not a device (such as 03:00.0)" \
			lat_cfg --cross-traffic "$text"
	done
	wrong "--cross-traffic '03:00.0:': empty" lat_cfg \
		--cross-traffic 03:00.0:
	wrong "--cross-traffic '03:00.0:9': a register is at a multiple of 4" \
		lat_cfg --cross-traffic 03:00.0:9
	wrong "--cross-traffic is for lat_cfg and lat_mmio, not for lat_rd" \
		lat_rd --cross-traffic 03:00.0
	fails 3 "0000:77:00.0: no such device ('pcb-collect list' shows \
all)" lat_cfg --root tree -d pci --cross-traffic 77:00.0
	fails 3 "--cross-traffic 0000:00:1f.0: name a register, as in \
0000:00:1f.0:BAR0+0x8" lat_mmio --root tree -d 03:00.0 \
		--cross-traffic 00:1f.0
}

@test "rate: a latency counts from when its read was due" {
	collects lat_cfg --root "$BATS_FILE_TMPDIR/tree" -d 03:00.0 -n 2K --wide
	alone=$(column latency_ns <<<"$output" | sort -g | sed -n 1000p)
	collects lat_cfg --root "$BATS_FILE_TMPDIR/tree" -d 03:00.0 -n 2K \
		--rate 10M --wide
	[ "$(column rate <<<"$output" | sort -u)" = 10000000 ]
	# More than a file can be read: each waits for all before it.
	[[ "${lines[-1]}" =~ \ late_pct=(9[0-9.]+|100)$ ]]
	[[ "$stderr" = *'reads began after they were due'* ]]
	column latency_ns <<<"$output" |
		awk -v alone="$alone" 'END { exit !($1 > 100 * alone) }'
	# In time: twenty reads take nineteen intervals or more.
	started=$(date +%s%N)
	collects lat_cfg --root "$BATS_FILE_TMPDIR/tree" -d 03:00.0 -n 20 \
		--rate 200 -l rate=slow --wide
	[ "$(column rate <<<"$output" | sort -u)" = slow ]
	[ $(($(date +%s%N) - started)) -ge 95000000 ]
	# What a read of no byte takes is no access to the device.
	[[ "$output" =~ '# pread_overhead_ns: '([0-9.]+) ]]
	for n in 0 20M x; do
		try pcb-collect lat_cfg --rate $n
		[ "$status" = 2 ] || show "$n refused"
	done
}

# own_copy: the program, with its own table of registers.
own_copy() {
	mkdir -p own/bin own/share/pcb-tools/registers
	cp "$(command -v pcb-collect)" own/bin
	table=own/bin/../share/pcb-tools/registers/mmio.csv
}

@test "a table of registers that others may write is not used" {
	[ "${EMULATED:-}" = "" ] || skip "it runs by a script"
	nvme_tree
	own_copy
	echo 'class,vendor,device,register' >$table
	runs() {
		try own/bin/pcb-collect lat_mmio --root tree -d pci:03:00.0 -n 1
		[[ "$stderr" = *"$1"* ]] || show "$1"
	}
	untrusted() {
		runs "pcb-collect: $PWD/own/bin/..$1: not used, because other users \
can write to it"
	}
	runs "pcb-collect: 0000:03:00.0: no register"
	for directory in "" /share /share/pcb-tools /share/pcb-tools/registers \
		/share/pcb-tools/registers/mmio.csv; do
		chmod o+w "own$directory"
		untrusted "$directory"
		chmod o-w "own$directory"
	done
	[ "$(id -u)" = 0 ] || skip "not root"
	chown 65534 own/share
	untrusted /share
	chmod 775 own
	chown 0:65534 own own/share
	untrusted ""
	chmod 755 own
	runs "pcb-collect: 0000:03:00.0: no register"
}

@test "a table of known registers that is damaged" {
	[ "${EMULATED:-}" = "" ] || skip "it runs by a script"
	nvme_tree
	own_copy
	while IFS='|' read -r rows message; do
		printf "$rows" >$table
		try own/bin/pcb-collect lat_mmio \
			--root tree -d pci:03:00.0 -n 1
		is 2 "" "pcb-collect: $PWD/$table:$message"
	done <<-'EOF'
	class,vendor,device\n0108,,\n| no column 'register': there are class, vendor, device
	class,vendor,register\n0108,,BAR0\n| no column 'device': there are class, vendor, register
	class,vendor,device,register\n0108,,,0x8\n|2: register: '0x8': not a register of a BAR
	class,vendor,device,register\n0108,,,BAR0+1\n|2: register: 'BAR0+1': a register is at a multiple of 4
	class,vendor,device,register\n0108,80861,,BAR0\n|2: vendor: '80861': not 4 hexadecimal digits
	class,vendor,device,register\n0108,0X86,,BAR0\n|2: vendor: '0X86': not 4 hexadecimal digits
	EOF
	# Without a table, no register is safe.
	rm $table
	try own/bin/pcb-collect lat_mmio --root tree \
		-d pci:03:00.0 -n 1
	[ "$status $output" = "3 " ]
}
