# SPDX-License-Identifier: GPL-2.0-or-later
# Data that NVMe controllers read and write, byte by byte, and their latency.
# qemu: -drive if=none,id=disk2,file.driver=null-co,file.size=64M,file.read-zeroes=on,format=raw,snapshot=on -device nvme,serial=2,drive=disk2,bus=pcie.0,addr=10 -blockdev driver=null-co,node-name=disk3,size=67108864,read-zeroes=on,latency-ns=5000000 -device nvme,serial=3,drive=disk3,bus=pcie.0,addr=11 -blockdev driver=null-co,node-name=disk4,size=67108864,read-zeroes=on,latency-ns=25000000 -device nvme,serial=4,drive=disk4,bus=pcie.0,addr=12 -blockdev driver=null-co,node-name=disk5,size=67108864 -device nvme,serial=5,drive=disk5,bus=pcie.0,addr=13.0,multifunction=on -blockdev driver=null-co,node-name=disk6,size=67108864 -device nvme,serial=6,drive=disk6,bus=pcie.0,addr=13.1 -blockdev driver=null-co,node-name=disk7,size=67108864,read-zeroes=on -device pcie-root-port,id=p14,bus=pcie.0,addr=14,chassis=20,slot=20 -device nvme,serial=7,drive=disk7,bus=p14 -blockdev driver=blkdebug,node-name=disk8,image.driver=null-co,image.size=67108864,image.read-zeroes=on,inject-error.0.event=none,inject-error.0.sector=8192 -device nvme-subsys,id=paths -device nvme,id=odd,serial=8,subsys=paths,mdts=0,max_ioqpairs=2,bus=pcie.0,addr=15 -device nvme-ns,bus=odd,drive=disk8,nsid=1
# shellcheck shell=dash disable=SC2154

keeps=0000:00:10.0
short=0000:00:11.0
long=0000:00:12.0
port=0000:00:14.0
odd=0000:00:15.0

every_byte() {
	run nvme_data $keeps
	cp out /tmp/results/data
	cat out
	gives 0
	grep -x 'blocks: right' out
	grep -x 'log pages: right' out
	grep -x "unmapped: $keeps: the device does not reach host memory (byte 0 \
of a transfer was not written): see dmesg for faults of the IOMMU" out
	grep -x 'after a fault: goes on' out
	grep '^reserved: VFIO [a-z]* [a-z0-9]*: mapping 4096 bytes at '\
'0xfee00000: Invalid argument' out
	dmesg | grep -i 'dmar.*fault'
}
check "every byte, at many sizes and offsets; unmapped memory" every_byte

# refused WHY: because it is in use.
refused() {
	run pcb-collect lat_nvme -d nvme:$keeps -O unbind=yes
	gives 3 "pcb-collect: $keeps: $1"
	[ "$(bound_to $keeps)" = nvme ]
}

in_use() {
	disk=/dev/$(disk_of $keeps)
	mkswap "$disk"
	swapon "$disk"
	refused "$disk is mounted, swap or part of another device: 'lsblk \
$disk' shows"
	swapoff "$disk"
	mke2fs "$disk"
	mkdir disk
	mount -t ext4 "$disk" disk
	refused "$disk is mounted, swap or part of another device: 'lsblk \
$disk' shows"
	umount disk
	run pcb-collect lat_nvme -d nvme:$keeps -O unbind=yes -n 1
	gives 0
}
check "a disk that is mounted, or swap, is not taken" in_use

held_out_of_sight() {
	disk=/dev/$(disk_of $keeps)
	for kind in thread orphan; do
		rm -f held
		holder $kind "$disk" >held &
		holder=$!
		await 10 test -s held
		run pcb-collect lat_nvme -d nvme:$keeps -O unbind=yes -n 1
		kill $holder
		wait $holder || :
		gives 3 "pcb-collect: $keeps: $disk is open in the process \
$holder: end that first"
		[ "$(bound_to $keeps)" = nvme ]
	done
}
check "a disk is not taken from a thread" held_out_of_sight

# used_as FILE: the kernel has it open, without a process or lock.
used_as() {
	refused "$disk is used by the kernel, see $1: end that first"
}

loop() {
	[ -e /dev/loop0 ] || skip "this kernel has no loop devices"
	disk=/dev/$(disk_of $keeps)
	losetup /dev/loop0 "$disk"
	used_as /sys/block/loop0
	losetup -d /dev/loop0
	# By a path that nobody else has, as from a container.
	number=$((0x$(stat -c %t "$disk"))):$((0x$(stat -c %T "$disk")))
	mkdir elsewhere
	unshare -m sh -c "mount -t tmpfs tmpfs elsewhere &&
		mknod elsewhere/disk b ${number%:*} ${number#*:} &&
		losetup /dev/loop0 elsewhere/disk"
	used_as /sys/block/loop0
	losetup -d /dev/loop0
}
check "a disk behind a loop device is not taken" loop

exported() {
	mount -t configfs configfs /sys/kernel/config
	[ -e /sys/kernel/config/nvmet ] || skip "this kernel exports no disks"
	disk=/dev/$(disk_of $keeps)
	space=/sys/kernel/config/nvmet/subsystems/test/namespaces/1
	mkdir "${space%/namespaces/1}" "$space"
	echo "$disk" >"$space/device_path"
	echo 1 >"$space/enable"
	used_as "$space/device_path"
	echo 0 >"$space/enable"
	rmdir "$space" "${space%/namespaces/1}"
	# A whole controller, not only a disk of it.
	mkdir "${space%/namespaces/1}"
	through=${space%/namespaces/1}/passthru
	if [ -e "$through" ]; then
		disk=${disk%n1}
		echo "$disk" >"$through/device_path"
		used_as "$through/device_path"
	fi
	rmdir "${through%/passthru}"
}
check "a disk that others have by a network is not taken" exported

# Containers give disks other names, or names that are not visible here.
other_names() {
	disk=/dev/$(disk_of $keeps)
	mknod other b $((0x$(stat -c %t "$disk"))) $((0x$(stat -c %T "$disk")))
	exec 5<other
	run pcb-collect lat_nvme -d nvme:$keeps -O unbind=yes
	exec 5<&-
	gives 3
	tail -n 1 err | grep "^pcb-collect: $keeps: $disk is open in the process "
	[ "$(bound_to $keeps)" = nvme ]
	mv "$disk" /dev/aside
	run pcb-collect lat_nvme -d nvme:$keeps -O unbind=yes
	mv /dev/aside "$disk"
	gives 3 "pcb-collect: $keeps: $disk cannot be opened, so it may be in \
use: No such file or directory"
	[ "$(bound_to $keeps)" = nvme ]
	run pcb-collect lat_nvme -d nvme:$keeps -O unbind=yes -n 1
	gives 0
}
check "a disk is known by its number; one that is not seen is not taken" \
	other_names

# The kernel has one disk for all paths, and only this path below the
# controller.
multipath() {
	path=$(disk_of $odd)
	case $path in
	*c*) ;;
	*) skip "this kernel has no multipath of NVMe" ;;
	esac
	disk=/dev/$(echo "$path" | sed 's/c[0-9]*//')
	exec 5<"$disk"
	run pcb-collect lat_nvme -d nvme:$odd -O unbind=yes
	exec 5<&-
	gives 3
	tail -n 1 err | grep "^pcb-collect: $odd: $disk is open in the process "
	[ "$(bound_to $odd)" = nvme ]
}
check "a disk with several paths that is in use is not taken" multipath

# no STATUS MESSAGE ARGUMENT...: of pcb-collect.
no() {
	wanted=$1 message=$2
	shift 2
	run pcb-collect "$@" -d nvme:$odd -O unbind=yes -n 10
	gives "$wanted" "pcb-collect: $message"
}

# Block 8192 is unreadable; it is in the first command, or in the second.
refusals() {
	why="$odd: a command: status type 2, code 0x81: the medium could not be \
read"
	for blocks in 8192:8199 8184:8199; do
		no 2 "$why" bw_wr -O blocks=$blocks
		no 2 "$why" lat_nvme -O command=read -s 4K -O blocks=$blocks
	done
	no 2 'a transfer of 2097152 bytes: this controller supports at most '\
'2093056' bw_wr -s 2M
	no 3 "$odd: -O pairs=3: it has 2" bw_wr -O pairs=3
}
check "a medium that cannot be read; what a controller has not" refusals

# Functions of a device without ACS share a group.
neighbours() {
	first=0000:00:13.0 second=0000:00:13.1
	run pcb-collect lat_nvme -d nvme:$first -O unbind=yes
	gives 3 "pcb-collect: $first: $second is in its IOMMU group and bound \
to nvme, and VFIO gives whole groups only: 'echo vfio-pci > \
$devices/$second/driver_override; echo $second > \
$devices/$second/driver/unbind; echo $second > /sys/bus/pci/drivers_probe'"
	tail -n 1 err >why
	# VFIO itself refuses, when only registers are read.
	give $first
	run pcb-collect lat_cfg -d $first -O access=vfio
	gives 3
	tail -n 1 err |
		grep -e '(a driver or another program has a function of its gr' \
			-e 'must be bound to vfio-pci or to nothing$'
	sh -c "$(sed "s/.*only: '//; s/'\$//" why)"
	run pcb-collect lat_nvme -d nvme:$first -n 1
	gives 0
	# Both at once.
	run pcb-collect lat_cfg -O access=vfio -n 10
	take_back $first
	take_back $second
	gives 0
	[ "$(column device <out | sort -u | tr '\n' ' ')" = "$first $second " ]
}
check "a group with others: refused, and the commands help" neighbours

# fastest BDF: the fastest read, in ns; QEMU's other work only adds to it.
fastest() {
	pcb-collect lat_nvme -d "nvme:$1" -O unbind=yes -O command=read -s 512 \
		-n 60 --warmup 5 | pcb-stats >stats || return
	column min_ns <stats
}

injected() {
	fastest $short >shorter
	fastest $long >longer
	paste shorter longer | awk '{
		print $2 - $1
		exit !($2 - $1 > 18e6 && $2 - $1 < 22e6)
	}'
}
check "two latencies of disks, told apart within 10 %" injected

says_it_is_gone() {
	grep -v '^debug: ' err | tail -n 1 | grep -e 'all ones: it was removed' \
		-e 'the controller has stopped' -e 'takes the device away'
}

# The port's power goes off, and QEMU removes the device even if it is in use.
# The kernel then waits a minute for its reset; the test does not, since it is
# the last one.
pulled_out() {
	bdf=$(basename "$devices/$port"/0000:*:00.0)
	start pcb-collect bw_wr -d "nvme:$bdf" -O unbind=yes -n 1000G
	driving
	setpci -s $port CAP_EXP+18.w=0700:0700
	await 10 says_it_is_gone
}
check "a device that is pulled out in mid-run" pulled_out
