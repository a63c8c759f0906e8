# SPDX-License-Identifier: GPL-2.0-or-later
# kernel: pcie_aspm.policy=powersave
#
# Ways out of a measurement that changes settings: those in the table of
# pcb-tools(7), "What it can do to a machine", that no other topic tests. QEMU's
# monitor is on a serial line with its own IRQ: two lines that share one lose
# interrupts, and then bytes.
# qemu: -chardev socket,id=monitor,path=monitor,server=on,wait=off -mon monitor -chardev socket,id=line,path=monitor -device isa-serial,chardev=line,irq=5 -blockdev driver=null-co,node-name=disk2,size=67108864,read-zeroes=on -device pcie-root-port,id=p16,bus=pcie.0,addr=0x16,chassis=20,slot=20 -device nvme,id=disk,serial=9,drive=disk2,bus=p16 -object memory-backend-ram,id=shared2,size=1M,share=on -device pcie-root-port,id=p17,bus=pcie.0,addr=0x17,chassis=21,slot=21 -device ivshmem-plain,memdev=shared2,bus=p17 -object memory-backend-ram,id=shared3,size=1M,share=on -device pcie-root-port,id=p18,bus=pcie.0,addr=0x18,chassis=22,slot=22 -device ivshmem-plain,id=memory,memdev=shared3,bus=p18
# shellcheck shell=dash disable=SC2154

# child_of PORT: the function below the port.
child_of() {
	basename "$devices/$1"/0000:*:00.0
}

line=/dev/ttyS3
port=0000:00:16.0
nvme=$(child_of $port)
shared=$(child_of 0000:00:17.0)

# monitor COMMAND: sends it to QEMU, whose answers are ignored.
monitor() {
	echo "$1" >$line
}

stty -F $line raw -echo
cat $line >/dev/null 2>&1 &

# set_up: settings before a run, all different from the kernel's defaults.
set_up() {
	disk=$(disk_of "$nvme")
	for row in 'scheduler mq-deadline' 'io_timeout 12348' 'nomerges 2'; do
		echo "${row#* }" >"/sys/block/$disk/queue/${row% *}"
	done
	for bdf in $port "$nvme"; do
		echo auto >"$devices/$bdf/power/control"
	done
	setpci -s "$shared" COMMAND=2:2
	seq 100000 | head -c 65536 | memory write "$devices/$shared/resource2"
	/usr/bin/ip link del v0 2>/dev/null || :
	/usr/bin/ip link add v0 type veth peer name v1
	/usr/bin/ip link set v0 up
}

# state: everything that a run may change, except the memory under test.
state() {
	{ set +x; } 2>/dev/null
	binding "$nvme"
	for bdf in $port "$nvme"; do
		cat "$devices/$bdf/power/control"
	done
	for file in scheduler io_timeout nomerges; do
		cat "$devices/$nvme"/nvme/nvme*/nvme*n1/queue/$file || :
	done 2>/dev/null
	grep . "$devices/$nvme"/link/* || :
	od -An -td4 /dev/cpu_dma_latency
	/usr/bin/tc qdisc show dev v0 || :
	set -x
}

contents() {
	memory read "$devices/$shared/resource2" 65536
}

is_overwritten() {
	! contents | cmp -s - written
}

# in_effect THING: whether the run has changed it, and is measuring.
in_effect() {
	case $1 in
	device) has_device ;;
	held) has_rows ;;
	memory) is_overwritten ;;
	queues) grep -q held out ;;
	esac
}

# begin THING [COMMAND...]: starts a run that changes it, by COMMAND.
begin() {
	thing=$1
	shift
	state >before
	contents >written
	case $thing in
	device)
		set -- "$@" pcb-collect lat_nvme -d "nvme:$nvme" -O unbind=yes \
			-b 128M -n 1000G --cpu 1
		;;
	held)
		set -- "$@" pcb-collect lat_cfg -d "$nvme" --path -n 1000G \
			--hold aspm,power --cpu 1
		;;
	memory)
		set -- "$@" pcb-collect lat_mmio_wr -d "mmio:$shared" \
			-n 1000G --cpu 1
		;;
	queues)
		set -- "$@" launch hold v0
		;;
	esac
	start "$@"
	await 100 in_effect "$thing"
	state >during
	[ "$thing" = memory ] || ! cmp before during
}

# is_kept: the run's changes are still in effect.
is_kept() {
	state >now
	diff during now
}

# at_rest: all changes have been undone.
at_rest() {
	await 100 guardian_is_done
	[ ! "$(ls /run/pcb-tools)" ]
}

# over: everything is as before, and the disk works.
over() {
	at_rest
	state >now
	diff before now
	contents | cmp written -
	head -c 4096 "/dev/$(disk_of "$nvme")" >/dev/null
}

# terminated: ends the run by SIGTERM, systemd's first signal.
terminated() {
	kill -TERM $!
	finish
	gives 143
}

# each FUNCTION [COMMAND...]: applies FUNCTION to a run of each thing.
each() {
	function=$1
	shift
	set_up
	for thing in device held memory queues; do
		begin $thing "$@"
		"$function"
		over
	done
}

both_killed() {
	set_up
	for thing in device held; do
		begin $thing
		# shellcheck disable=SC2046
		kill -KILL $(pidof pcb-guardian) $!
		finish
		gives 137
		state >now
		! cmp before now || false
		run pcb-collect restore
		gives 0
		over
	done
}
check "KILL of program and guardian: restore puts back" both_killed

stop() {
	kill -STOP "$(pidof pcb-guardian)"
	terminated
}

stopped() {
	each stop
}
check "TERM of the program, the guardian stopped" stopped

group=/sys/fs/cgroup/pcb

# in_group: prefix of a command that runs in the group.
in_group="sh -c 'echo 0 >$group/cgroup.procs; exec \"\$@\"' sh"

limit_memory() {
	grep -q ' /sys/fs/cgroup cgroup2 ' /proc/mounts ||
		mount -t cgroup2 cgroup2 /sys/fs/cgroup
	grep -w memory /sys/fs/cgroup/cgroup.controllers ||
		skip "this kernel does not limit memory"
	echo +memory >/sys/fs/cgroup/cgroup.subtree_control
	mkdir -p $group
	echo max >$group/memory.max
	killed_before=$(killed_by_memory)
}

killed_by_memory() {
	sed -n 's/^oom_kill //p' $group/memory.events
}

is_killed() {
	[ "$(killed_by_memory)" -gt "$killed_before" ]
}

# out_of_memory [LIMIT]: lets the kernel kill the program.
out_of_memory() {
	killed_before=$(killed_by_memory)
	echo "${1:-0}" >$group/memory.max
	await 100 is_killed
	finish
	gives 137
}

# The guardian lacks memory, too, until the limit is raised.
lack() {
	out_of_memory
	echo max >$group/memory.max
}

lacking() {
	limit_memory
	for all in 0 1; do
		echo $all >$group/memory.oom.group
		eval "each lack $in_group"
	done
}
check "the kernel kills the program, or its group, for want of memory" lacking

# The limit is enough for the guardian, but not for the program.
limited() {
	limit_memory
	set_up
	eval "begin device $in_group sh -c 'exec \"\$@\" >/dev/null' sh"
	out_of_memory 64M
	over
}
check "a limit of memory that stays" limited

cpu=/sys/devices/system/cpu/cpu1/online

switch_off() {
	echo 0 >$cpu
	terminated
	echo 1 >$cpu
	[ "$thing" = queues ] || grep 'moved away from CPU 1' err
}

cpu_off() {
	each switch_off
}
check "the CPU goes offline" cpu_off

is_gone() {
	[ ! -e "$devices/$1" ]
}

# is_unplugged ID BDF: repeats the request, as the kernel may miss it.
is_unplugged() {
	! is_gone "$2" || return 0
	monitor "device_del $1"
	false
}

# unplugged ID BDF: removes the device; the run ends by itself.
unplugged() {
	await 100 is_unplugged "$@"
	finish
	gives 2
	at_rest
}

# is_plugged_in BDF DEVICE: repeats the request, as QEMU may not be ready, and
# the kernel may miss its answer while it still removes the device of before.
is_plugged_in() {
	is_gone "$1" || return 0
	monitor "device_add $2"
	echo 1 >/sys/bus/pci/rescan
	false
}

plugged_in() {
	await 100 is_plugged_in "$@"
}

unplug() {
	set_up
	for thing in device held; do
		begin $thing
		unplugged disk "$nvme"
		plugged_in "$nvme" nvme,id=disk,serial=9,drive=disk2,bus=p16
		await 100 is_as_before "$nvme" nvme
		[ "$(cat "$devices/$port/power/control")" = auto ]
	done
	begin queues
	/usr/bin/ip link del v0
	terminated
	at_rest
	# QEMU cannot plug this device in again.
	shared=$(child_of 0000:00:18.0)
	setpci -s "$shared" COMMAND=2:2
	begin memory
	unplugged memory "$shared"
}
check "the device is unplugged" unplug

# The clock's alarm wakes the machine.
sleep_once() {
	echo 0 >$alarm
	echo +2 >$alarm
	echo mem >/sys/power/state
	is_kept
	terminated
}

alarm=/sys/class/rtc/rtc0/wakealarm

suspended() {
	grep deep /sys/power/mem_sleep || skip "this kernel does not suspend"
	[ -e $alarm ] || skip "this machine has no alarm"
	echo deep >/sys/power/mem_sleep
	slept=$(cat /sys/power/suspend_stats/success)
	each sleep_once
	[ "$(cat /sys/power/suspend_stats/success)" = $((slept + 4)) ]
}
check "the machine is suspended" suspended
