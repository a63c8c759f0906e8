#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# pcb-collect on a drive in service: a file of this machine's disk, if that is a
# PCI function; and made trees of what can be below it. The guest's topic disk
# has NVMe drives.

load helpers

tests pcb-collect

setup_file() {
	cd "$BATS_FILE_TMPDIR" || exit
	# Another's bytes, which no file system compresses.
	head -c 34M /dev/urandom >file
	sync file
}

setup() {
	cd "$BATS_FILE_TMPDIR" || exit
	[ -z "${EMULATED:-}" ] || skip "$EMULATED has no io_uring"
	number=$(stat -c %Hd:%Ld file)
}

# here: skips unless the file is on a disk that can be measured.
here() {
	local sys=/sys/dev/block/$number

	[[ $(readlink -f "$sys") = */virtio*/block/* ||
		$(readlink -f "$sys") = */nvme/* ]] ||
		skip "no NVMe or virtio disk is below $PWD"
}

# counts ARGUMENT...: a measurement of which the kernel merges nothing and counts
# each read once. It is repeated while other programs use the disk.
counts() {
	for _ in {1..20}; do
		collects "$@"
		[[ ! $output =~ requests_per_read=(0.9[5-9]|1.0[0-5]) ]] || return 0
		[[ $output != *others_pct=0.000* ]] || return 1
	done
	skip "other programs use the disk all the time"
}

@test "disk: bandwidth and latency of a file, by each way to wait" {
	here
	counts bw_wr -d disk:file -s 4K,128K -n 500 -r 2
	[ "$(grep -c '^[12],' <<<"$output")" = 4 ]
	[ "$(column transferred_bytes <<<"$output" | sort -nu | xargs)" = \
		"$((500 * 4096)) $((500 * 131072))" ]
	[[ $output =~ others_pct=[0-9] ]]
	for way in io_uring io_uring-spin preadv2; do
		collects lat_nvme -d disk:file -O interface=$way -n 200
		[ "$(grep -c '^[0-9.]*$' <<<"$output")" = 200 ]
		[[ $output = *",interface=$way,size_bytes=4096,"* ]]
	done
	counts bw_wr -d disk:file --pattern sequential -n 2K
	collects bw_wr -d disk:file --cache cold,device-warm -w 1M -n 1K
	[ "$(column cache <<<"$output" | xargs)" = "cold device-warm" ]
	[ "$(column transfers <<<"$output" | sort -u)" = 1000 ]
	collects bw_wr -d disk:file -O depth=1 -O interface=preadv2 -n 200
	[[ $output = *,queue_depth=1$'\n'* ]]
}

@test "disk: an ordinary user who may only read a file measures it" {
	here
	[ "$(id -u)" = 0 ] || skip "every run here is one"
	chmod 755 "$BATS_RUN_TMPDIR" . && chmod 644 file
	try setpriv --reuid 65534 --regid 65534 --clear-groups \
		"$(command -v pcb-collect)" bw_wr -d "disk:$PWD/file" -n 100
	[ "$status" = 0 ] || skip "the directories above are private"
	chmod 600 file
	try setpriv --reuid 65534 --regid 65534 --clear-groups \
		"$(command -v pcb-collect)" bw_wr -d "disk:$PWD/file" -n 100
	chmod 644 file
	[ "$status" = 3 ]
}

@test "disk: a hole, reserved space and a short file are refused" {
	here
	rm -f hole ahead half
	truncate -s 34M hole
	fallocate -l 34M ahead 2>/dev/null || skip "no fallocate here"
	# The longest part that was written counts.
	cp file half
	fallocate -p -o 1M -l 1M half
	sync half
	for name in hole ahead; do
		fails 3 "$name: 0 bytes " lat_nvme -d disk:$name
	done
	fails 3 "half: 33554432 bytes " lat_nvme -d disk:half -w 17M
	collects lat_nvme -d disk:half -w 15M -n 10
}

# A made tree: two controllers, and the block devices that a test adds.
# shellcheck disable=SC2120
machine() {
	rm -rf tree
	fake_tree tree <<-'END'
	0000:00:01.0 root first=1 last=1 gen=4 lanes=4
	0000:00:02.0 root first=2 last=2 gen=4 lanes=4
	0000:00:17.0 conventional at0a=0x0106
	0000:01:00.0 endpoint gen=4 lanes=4 at0a=0x0108
	0000:02:00.0 endpoint gen=4 lanes=4 at0a=0x0108
	END
	mkdir -p tree/sys/{class/block,block,dev/block}
	pci=$PWD/tree/sys/bus/pci/devices
	virtual=$PWD/tree/sys/devices/virtual
}

# block DIR NAME: a disk in DIR, which belongs to the device DIR.
block() {
	mkdir -p "$1/$2/slaves"
	ln -s "$1/$2" "tree/sys/class/block/$2"
	ln -s "$1/$2" "tree/sys/block/$2"
	[ "$1" = "$virtual/block" ] || ln -s "$1" "$1/$2/device"
}

# drive N BDF: the disk nvmeNn1 and its partition.
drive() {
	local dir=$pci/$2/nvme/nvme$1

	block "$dir" "nvme${1}n1"
	mkdir "$dir/nvme${1}n1/nvme${1}n1p1"
	echo 1 >"$dir/nvme${1}n1/nvme${1}n1p1/partition"
	ln -s "$dir/nvme${1}n1/nvme${1}n1p1" tree/sys/class/block/
	mkdir "$dir/nvme${1}n1/queue"
	echo "${iostats:-0}" >"$dir/nvme${1}n1/queue/iostats"
	echo "0 0 0 0 0 0 0" >"$dir/nvme${1}n1/stat"
}

# mapped NAME UUID BELOW...: a device of the mapper.
mapped() {
	block "$virtual/block" "$1"
	mkdir "$virtual/block/$1/dm"
	echo "$2" >"$virtual/block/$1/dm/uuid"
	for below in "${@:3}"; do
		ln -s "../../$below" "$virtual/block/$1/slaves/$below"
	done
}

# below NAME: the file is on that block device.
below() {
	ln -sfn "$(readlink -f "tree/sys/class/block/$1")" \
		"tree/sys/dev/block/$number"
	try pcb-collect --root tree lat_nvme -d disk:file -n 5
}

# on BDF: it was measured there.
on() {
	[ "$status" = 0 ] || show "status 0"
	[[ $output = *",device=$1,"* ]] || show "$1"
}

# refused TEXT: it was not, and the message has the text.
refused() {
	[[ $status$output = 3 && $stderr = *"$1"* ]] || show "$1"
}

@test "disk: the drive below partition, volume and subsystem" {
	machine
	drive 0 0000:01:00.0
	below nvme0n1p1
	on 0000:01:00.0
	mapped dm-0 LVM-a nvme0n1p1
	below dm-0
	on 0000:01:00.0
	[[ $output = *"# disk: dm-0 (LVM) -> nvme0n1p1; "* ]]
	mapped dm-1 CRYPT-LUKS2-b nvme0n1p1
	mapped dm-2 LVM-c dm-1
	below dm-2
	refused "dm-2 (LVM) -> dm-1 (CRYPT) -> nvme0n1p1"
	refused disk:/dev/nvme0n1
	drive 1 0000:02:00.0
	mapped dm-3 LVM-d nvme0n1p1 nvme1n1p1
	below dm-3
	refused "on several disks"
	mkdir -p tree/sys/fs/btrfs/1/devices/nvme0n1p1
	below nvme0n1p1
	on 0000:01:00.0
	mkdir tree/sys/fs/btrfs/1/devices/nvme1n1p1
	below nvme0n1p1
	refused btrfs
	block "$virtual/block" md0
	mkdir "$virtual/block/md0/md"
	echo raid1 >"$virtual/block/md0/md/level"
	ln -s ../../nvme0n1 "$virtual/block/md0/slaves/nvme0n1"
	below md0
	refused "md0 (raid1) -> nvme0n1"
}

@test "disk: a subsystem of one controller, of two, and other disks" {
	machine
	subsystem=$virtual/nvme-subsystem/nvme-subsys0
	block "$subsystem" nvme0n1
	for n in 0 1; do
		mkdir -p "$pci/0000:0$((n + 1)):00.0/nvme/nvme$n"
		echo pcie >"$pci/0000:0$((n + 1)):00.0/nvme/nvme$n/transport"
	done
	ln -s "$pci/0000:02:00.0/nvme/nvme1" "$subsystem"
	below nvme0n1
	on 0000:02:00.0
	ln -s "$pci/0000:01:00.0/nvme/nvme0" "$subsystem"
	below nvme0n1
	refused "2 controllers"
	block "$pci/0000:00:17.0/ata1/host0/0:0:0:0" sda
	below sda
	refused 0000:00:17.0
	block "$virtual/block" loop0
	mkdir "$virtual/block/loop0/loop"
	echo /images/a >"$virtual/block/loop0/loop/backing_file"
	below loop0
	refused disk:/images/a
	block "$virtual/nvme-fabrics/ctl/nvme2" nvme2n1
	below nvme2n1
	refused nvme2n1
}

@test "disk: reads that the kernel's counts do not show are refused" {
	machine
	iostats=1 drive 0 0000:01:00.0
	below nvme0n1
	[ "$status" = 2 ]
	[[ $stderr = *"has read 0 of these"* ]]
	[ "$(grep -c '^[0-9]' <<<"$output")" = 0 ]
}

@test "disk: list offers a drive that the kernel drives" {
	machine
	drive 0 0000:01:00.0
	mkdir -p tree/sys/bus/pci/drivers/nvme tree/dev
	ln -s ../../drivers/nvme "$pci/0000:01:00.0/driver"
	collects list -P --root tree
	[ "$(grep ,disk, <<<"$output" | cut -d, -f3,8)" = "0000:01:00.0," ]
	cp file tree/dev/nvme0n1
	collects list -P --root tree
	[ "$(grep ,disk, <<<"$output" | cut -d, -f3,8,9)" = \
		"0000:01:00.0,bw_wr lat_nvme," ]
	ln -s "$(readlink -f tree/sys/class/block/nvme0n1)" \
		"tree/sys/dev/block/$number"
	for name in 01:00.0 disk:01:00.0; do
		collects lat_nvme --root tree -d $name -n 5
		[[ $output = *,device=0000:01:00.0,* ]]
	done
}

# interrupt NUMBER NAME CPU: of the first controller.
interrupt() {
	mkdir -p "tree/proc/irq/$1/$2" "$pci/0000:01:00.0/msi_irqs"
	echo "$3" >"tree/proc/irq/$1/effective_affinity_list"
	echo msix >"$pci/0000:01:00.0/msi_irqs/$1"
}

@test "disk: the CPU that gets the interrupts of the queues measures" {
	cpus=$(taskset -cp $$ | sed 's/.* //; s/[-,]/ /g')
	first=${cpus%% *} last=${cpus##* }
	for cpu in $first $last $last $first $first $first; do
		machine
		drive 0 0000:01:00.0
		interrupt 4 nvme0q0 1000
		interrupt 5 nvme0q1 "$cpu"
		below nvme0n1
		on 0000:01:00.0
		[[ $output = *"# cpu_pinned: $cpu"* ]] || show "CPU $cpu"
	done
	# None that may be used: any other.
	interrupt 5 nvme0q1 1000
	below nvme0n1
	on 0000:01:00.0
}

@test "disk: what no drive reads is refused" {
	machine
	drive 0 0000:01:00.0
	below nvme0n1
	on 0000:01:00.0
	for command in 'bw_wr -s 100' 'bw_wr -s 4K --offset 64' \
		'lat_nvme -O depth=2' 'bw_wr -O interface=preadv2' \
		'bw_wr -O interface=mmap' 'bw_wr -O depth=0' \
		'bw_wr -s 64K -w 1M'; do
		read -ra words <<<"$command"
		try pcb-collect --root tree "${words[@]}" -d disk:file
		[ "$status$output" = 2 ] || show "$command"
	done
	try pcb-collect --root tree lat_nvme -d disk:file -O \
		interface=io_uring-poll
	[ "$status$output" = 3 ]
	try pcb-collect --root tree bw_wr -d disk:/proc/version
	[ "$status$output" = 3 ]
	try pcb-collect --root tree bw_wr -d disk:.
	[ "$status$output" = 3 ]
	try pcb-collect --root tree bw_wr -d disk:nothing
	[ "$status$output" = 3 ]
	try pcb-collect --root tree bw_wr -d disk
	[ "$status$output" = 2 ]
}
