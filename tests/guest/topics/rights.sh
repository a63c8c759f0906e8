# SPDX-License-Identifier: GPL-2.0-or-later
# kernel: iomem=relaxed pcie_aspm.policy=powersave
#
# Least rights of each measurement: every line of the table of pcb-tools(7),
# "Capabilities", by an ordinary user with these and no others, who is refused
# without them.
# qemu: -netdev user,id=net1,restrict=on -device vmxnet3,bus=pcie.0,addr=0xa,netdev=net1 -blockdev driver=null-co,node-name=disk2,size=67108864,read-zeroes=on -device virtio-blk-pci,bus=pcie.0,addr=0xb,drive=disk2
# shellcheck shell=dash disable=SC2154

nvme=0000:01:00.0
edu=0000:00:03.0
shared=0000:00:09.0

# with CAPABILITIES COMMAND...: runs it as an ordinary user with only these,
# such as "sys_nice" or "net_admin,net_raw".
with() {
	capabilities=-all,+$(echo "$1" | sed 's/,/,+/g')
	shift
	run user --inh-caps "$capabilities" --ambient-caps "$capabilities" \
		--bounding-set "$capabilities" "$@"
}

# without COMMAND...: the same user without capabilities is refused.
without() {
	run user "$@"
	gives 3
	tail -n 1 err
}

nothing_needed() {
	for command in 'lat_rd -d sim -n 2' 'lat_cfg -n 2' list; do
		# shellcheck disable=SC2086
		run user pcb-collect $command
		gives 0
	done
}
check "simulation, list, lat_cfg: nothing" nothing_needed

config_space() {
	without pcb-collect lat_cfg -n 2 -d $nvme -O register=0x100
	with sys_admin pcb-collect lat_cfg -n 2 -d $nvme -O register=0x100
	gives 0
	run user pcb-collect list -P
	gives 0
	grep ",$nvme,.*,gen[0-9]*x[0-9]*," out
	with sys_admin pcb-collect list -P
	gives 0
	grep ",$nvme,.*,gen[0-9x]*/mps" out
	with sys_admin pcb-doctor
	gives 0
	! grep 'functions not examined' err
}
check "config space from 0x40 on, settings of links, pcb-doctor: CAP_SYS_ADMIN" config_space

# allowed MODE FILE...: changes modes until `refused_again`.
allowed() {
	mode=$1
	shift
	for opened in "$@"; do
		echo "$(stat -c %a "$opened") $opened" >>modes
		chmod "$mode" "$opened"
	done
}

refused_again() {
	while read -r mode opened; do
		chmod "$mode" "$opened"
	done <modes
	rm modes
}

registers() {
	without pcb-collect lat_mmio -n 2 -d $edu
	allowed a+r "$devices/$edu/resource0"
	run user pcb-collect lat_mmio -n 2 -d $edu
	refused_again
	gives 0
	with dac_override pcb-collect lat_mmio -n 2 -d $edu
	gives 0
}
check "lat_mmio: a file resourceN to read" registers

memory() {
	setpci -s $shared COMMAND=2:2
	for access in resource resource_wc; do
		without pcb-collect lat_mmio_wr -d mmio:$shared -n 20 \
			-O access=$access
		allowed a+rw "$devices/$shared/resource2"
		[ $access = resource ] ||
			allowed a+rw "$devices/$shared/resource2_wc"
		for bench in lat_mmio_wr bw_mmio_wr; do
			run user pcb-collect $bench -d mmio:$shared -n 20 \
				-O access=$access
			[ "$status" = 0 ] || break
		done
		refused_again
		gives 0
	done
}
check "mmio: files resourceN to read and write" memory

vfio_group() {
	echo "/dev/vfio/$(basename "$(readlink "$devices/$1/iommu_group")")"
}

by_vfio() {
	give $edu
	without pcb-collect lat_mmio -n 2 -d $edu -O access=vfio
	allowed a+rw "$(vfio_group $edu)"
	run user pcb-collect lat_mmio -n 2 -d $edu -O access=vfio
	gives 0
	run user pcb-collect lat_rd -n 1 -d $edu
	refused_again
	take_back $edu
	gives 0
}
check "access=vfio, edu: the group's file" by_vfio

locked_memory() {
	give $nvme
	allowed a+rw "$(vfio_group $nvme)"
	ulimit -l 64
	without pcb-collect bw_wr -n 10 -d nvme:$nvme
	grep 'ulimit -l' err
	with ipc_lock pcb-collect bw_wr -n 10 -d nvme:$nvme
	refused_again
	take_back $nvme
	gives 0
}
check "nvme: the group's file, CAP_IPC_LOCK" locked_memory

unbind='dac_override,sys_ptrace,ipc_lock'

taken() {
	without pcb-collect bw_wr -n 10 -d nvme:$nvme -O unbind=yes
	with $unbind pcb-collect bw_wr -n 10 -d nvme:$nvme -O unbind=yes
	gives 0
	unchanged $nvme nvme
	# Files of hidden processes could be the disk.
	disk_of $nvme
	with dac_override,ipc_lock pcb-collect bw_wr -n 10 -d nvme:$nvme \
		-O unbind=yes
	gives 3
	tail -n 1 err | grep 'may be open in a process: without CAP_SYS_PTRACE'
	unchanged $nvme nvme
}
check "-O unbind=yes: CAP_DAC_OVERRIDE, CAP_SYS_PTRACE, CAP_IPC_LOCK" taken

other_disk() {
	[ -e /sys/block/vda ] || skip "no virtio-blk"
	virtio=$(basename "$(readlink -f /sys/block/vda/device/..)")
	run pcb-collect lat_mmio_wr -d mmio:"$virtio" -n 2 -O unbind=yes \
		-O overwrite=BAR4+0,4K
	gives 3 "pcb-collect: $virtio: the disk vda is behind it, and only "\
'NVMe disks come back as they were: end its use, and bind the device to '\
'vfio-pci yourself'
	[ "$(bound_to "$virtio")" = virtio-pci ]
}
check "-O unbind=yes: no disk but NVMe is taken, by nobody" other_disk

ecam() {
	without pcb-collect lat_cfg -n 2 -d $nvme -O access=ecam
	allowed a+r /dev/mem /sys/firmware/acpi/tables/MCFG
	for one in sys_rawio sys_admin; do
		with $one pcb-collect lat_cfg -n 2 -d $nvme -O access=ecam
		gives 3
	done
	with sys_rawio,sys_admin pcb-collect lat_cfg -n 2 -d $nvme \
		-O access=ecam
	refused_again
	gives 0
}
check "access=ecam: /dev/mem, MCFG, CAP_SYS_RAWIO, CAP_SYS_ADMIN" ecam

queues() {
	/usr/bin/ip link del v0 2>/dev/null || :
	/usr/bin/ip link add v0 type veth peer name v1 ||
		skip "the kernel has no veth"
	/usr/bin/ip link set v0 up
	/usr/bin/ip link set v1 up
	run user launch send v0
	gives 1
	for one in net_admin net_raw; do
		with $one launch send v0
		gives 1
	done
	with net_admin,net_raw launch send v0
	[ "$status" != 3 ] || skip "$(cat err)"
	gives 0
	grep -x 'too late: early 0 left 0 missed 5' out
}
check "rtd: CAP_NET_ADMIN and CAP_NET_RAW" queues

# hold WHAT WHO...: measures with --hold WHAT, as user WHO.
hold() {
	what=$1
	shift
	"$@" pcb-collect lat_cfg -n 2 -d $nvme --hold "$what"
}

holds() {
	echo auto >"$devices/$nvme/power/control"
	for what in power aspm; do
		hold $what without
	done
	allowed a+w "$devices/$nvme/power/control"
	# There is a directory of this user.
	rm -r /run/pcb-tools
	hold power without
	mkdir /run/pcb-tools
	allowed a+rwx /run/pcb-tools
	hold power run user
	gives 0
	[ "$(cat "$devices/$nvme/power/control")" = auto ]
	allowed a+w "$devices"/*/link/*
	hold aspm without
	hold aspm with sys_admin
	gives 0
	refused_again
	echo on >"$devices/$nvme/power/control"
}
check "--hold: CAP_SYS_ADMIN, or files to write" holds

# The kernel follows a link in /tmp only for its owner.
links() {
	old=$(cat /proc/sys/fs/protected_symlinks)
	echo 1 >/proc/sys/fs/protected_symlinks
	mkdir -m 1777 shared
	chmod a+rx .
	echo secret >victim
	user ln -s "$PWD/victim" shared/of_another
	ln -s "$PWD/victim" shared/own
	run pcb-collect lat_rd -d sim -n 2 -P -o shared/of_another
	gives 2 "pcb-collect: shared/of_another: Permission denied"
	[ "$(cat victim)" = secret ]
	run pcb-collect lat_rd -d sim -n 2 -P -o shared/own
	gives 0
	[ "$(column latency_ns <victim | wc -l)" = 2 ]
	[ -L shared/own ]
	echo "$old" >/proc/sys/fs/protected_symlinks
}
check "-o: no link of another in a directory for all" links
