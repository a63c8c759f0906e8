# SPDX-License-Identifier: GPL-2.0-or-later
# NVMe drives in service, read through the kernel, which has a queue to poll for
# each. The one in the middle keeps what is written to it.
# shellcheck shell=dash disable=SC2154
# kernel: nvme.poll_queues=1
# qemu: -drive if=none,id=disk2,driver=null-co,size=268435456,read-zeroes=on,snapshot=on -device pcie-root-port,id=p10,bus=pcie.0,addr=0xa,chassis=10,slot=10,x-speed=16,x-width=4 -device nvme,bus=p10,serial=2,drive=disk2

bdf=0000:01:00.0

# kept: the disk of that controller.
kept() {
	disk_of "$(find_function 1b36:0010 2)"
}

# written DISK: sectors written since the guest booted.
written() {
	awk '{ print $7 }' "/sys/block/$1/stat"
}

# ending KEY: its value in the end line of the last run.
ending() {
	sed -n "s/^# end:.* $1=\([^ ]*\).*/\1/p" out
}

# once: the kernel made one request of each read.
once() {
	ending requests_per_read | grep -E '^(0\.9[5-9]|1\.0[0-5])'
}

block_device() {
	disk=$(disk_of $bdf)
	for name in "$disk" "disk:/dev/$disk" disk:01:00.0; do
		run pcb-collect lat_nvme -d "$name" -n 50
		gives 0
		[ "$(column latency_ns <out | wc -l)" = 50 ]
		[ "$(column device <out | sort -u)" = $bdf ]
		[ "$(column interface <out | sort -u)" = io_uring ]
		[ "$(column kind <out | sort -u)" = virtual ]
		once
	done
	run pcb-collect bw_wr -d "disk:/dev/$disk" -s 4K,64K -n 500
	gives 0
	once
	pcb-stats out | pcb-model --join >joined
	column model_ratio_pct <joined | grep -c '[0-9]' | grep -x 2
	# Neighbours are not merged; larger reads than the driver's are refused.
	run pcb-collect bw_wr -d "disk:/dev/$disk" --pattern sequential -n 2000
	gives 0
	once
	run pcb-collect bw_wr -d "disk:/dev/$disk" -s 1M -w 64M -n 10
	[ "$status" = 2 ]
	for way in io_uring-spin io_uring-poll preadv2; do
		run pcb-collect lat_nvme -d "$disk" -n 50 -O interface=$way
		gives 0
		[ "$(column interface <out | sort -u)" = $way ]
	done
	unchanged $bdf nvme
	[ "$(written "$disk")" = 0 ]
}
check "latency and bandwidth of a drive in service" block_device

# mounted DEVICE: makes a file system with a file of random bytes in /mnt.
mounted() {
	command -v mkfs.ext4 >/dev/null || skip "mkfs.ext4 is not installed"
	mkfs.ext4 -q -F "$1"
	mkdir -p /mnt
	mount "$1" /mnt
	dd if=/dev/urandom of=/mnt/file bs=1M count=34 2>/dev/null
	chmod 644 /mnt/file
	sync
}

rights() {
	disk=$(kept)
	mounted "/dev/$disk"
	run user pcb-collect bw_wr -d disk:/mnt/file -n 100
	gives 0
	run user pcb-collect lat_nvme -d "disk:/dev/$disk" -n 10
	[ "$status" = 3 ]
	run user pcb-collect list -P
	grep ",disk,$(find_function 1b36:0010 2)," out | grep -v lat_nvme
	chmod 644 "/dev/$disk"
	run user pcb-collect lat_nvme -d "$disk" -n 10
	gives 0
	chmod 600 "/dev/$disk" /mnt/file
	run user pcb-collect lat_nvme -d disk:/mnt/file -n 10
	[ "$status" = 3 ]
	umount /mnt
}
check "an ordinary user" rights

# A drive that is mounted keeps what is on it, and its file system.
in_use() {
	disk=$(kept)
	mounted "/dev/$disk"
	md5sum </mnt/file >sum
	umount /mnt
	mount "/dev/$disk" /mnt
	before=$(written "$disk")
	run pcb-collect bw_wr -d "disk:/dev/$disk" -n 500
	gives 0
	run pcb-collect lat_nvme -d disk:/mnt/file -n 100
	gives 0
	umount /mnt
	# Unmounting writes the superblock, and nothing else was written.
	[ $(($(written "$disk") - before)) -lt 100 ]
	mount "/dev/$disk" /mnt
	md5sum </mnt/file | cmp - sum
	umount /mnt
}
check "a disk in use stays as it is" in_use

extents() {
	mounted "/dev/$(kept)"
	truncate -s 34M /mnt/hole
	fallocate -l 34M /mnt/ahead
	for name in hole ahead; do
		run pcb-collect lat_nvme -d disk:/mnt/$name -n 10
		gives 3
	done
	run pcb-collect lat_nvme -d disk:/proc/version -n 10
	[ "$status" = 3 ]
	run pcb-collect lat_nvme -d disk:/tmp -n 10
	[ "$status" = 3 ]
	umount /mnt
}
check "holes, reserved space, and no disk at all" extents

# maps NAME UUID DEVICE SECTORS: a linear device of the mapper.
maps() {
	dmsetup --noudevsync --noudevrules create "$1" --uuid "$2" \
		--table "0 $4 linear $3 2048"
	dmsetup mknodes
}

layers() {
	command -v dmsetup >/dev/null || skip "dmsetup is not installed"
	disk=$(kept)
	maps volume LVM-a "/dev/$disk" 400000
	run pcb-collect lat_nvme -d disk:/dev/mapper/volume -n 20
	gives 0
	key disk <out | grep "(LVM) -> $disk;"
	maps secret CRYPT-LUKS2-b /dev/mapper/volume 390000
	run pcb-collect lat_nvme -d disk:/dev/mapper/secret -n 20
	[ "$status" = 3 ]
	tail -n 1 err | grep "disk:/dev/$disk"
	# Below a layer that is in use, the drive itself can be read.
	run pcb-collect lat_nvme -d "disk:/dev/$disk" -n 20
	gives 0
	dmsetup --noudevsync remove secret
	dmsetup --noudevsync remove volume
	mounted "/dev/$disk"
	losetup /dev/loop0 /mnt/file
	run pcb-collect lat_nvme -d disk:/dev/loop0 -n 20
	[ "$status" = 3 ]
	tail -n 1 err | grep disk:/mnt/file
	losetup -d /dev/loop0
	umount /mnt
}
check "volumes, encryption and loop devices" layers

others() {
	disk=$(disk_of $bdf)
	dd if="/dev/$disk" of=/dev/null bs=64K iflag=direct 2>/dev/null &
	run pcb-collect lat_nvme -d "$disk" -n 300
	kill $!
	gives 0
	ending others_pct >others
	awk '{ exit !($1 > 10) }' others
	grep "% of its traffic" err
	run pcb-collect lat_nvme -d "$disk" -n 300
	gives 0
	ending others_pct >others
	awk '{ exit !($1 < 10) }' others
}
check "traffic of others" others

silence() {
	disk=$(disk_of $bdf)
	for device in "lat_nvme -d $disk" "lat_cfg -d 01:00.0" \
		"lat_nvme -d nvme:01:00.0 -O unbind=yes"; do
		# shellcheck disable=SC2086
		run pcb-collect $device --idle 0s,10ms -n 10
		gives 0
		case $device in
		*$disk)
			[ "$(ending broken_silences)" = 0 ]
			# QEMU has no states, and says so.
			[ "$(key apst <out)" = none ]
			;;
		esac
		[ "$(column idle_us <out | sort | uniq -c | xargs)" = \
			"10 0 10 10000" ]
	done
	unchanged $bdf nvme
	disk=$(disk_of $bdf)
	for _ in $(seq 40); do
		dd if="/dev/$disk" of=/dev/null bs=4K count=1 iflag=direct
		sleep 0.1
	done 2>/dev/null &
	run pcb-collect lat_nvme -d "$disk" --idle 300ms -n 5
	kill $!
	gives 0
	[ "$(ending broken_silences)" -ge 4 ]
}
check "silence before each sample" silence
