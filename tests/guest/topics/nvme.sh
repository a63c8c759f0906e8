# SPDX-License-Identifier: GPL-2.0-or-later
# Commands to NVMe controllers by the user-space driver.
# shellcheck shell=dash disable=SC2154

bdf=0000:01:00.0

# given_back BDF: it is bound to the kernel's driver, which has found its disks.
given_back() {
	unchanged "$1" nvme
	ls "$devices/$1/nvme"
}

# faults: DMA faults since the guest booted, of any device.
faults() {
	dmesg | grep -ic 'dmar.*fault' || :
}

log_pages() {
	before=$(faults)
	run pcb-collect lat_nvme -d nvme:$bdf -O unbind=yes -n 50 -s 4:512 \
		--offset 0,4,60 --cache cold,host-warm
	cp out err /tmp/results/
	gives 0
	given_back $bdf
	[ "$(column kind <out | sort -u)" = virtual ]
	[ "$(column interface <out | sort -u)" = admin ]
	[ "$(key driver <out)" = \
		"$(parent_of $bdf)=pcieport $bdf=vfio-pci" ]
	[ "$(column latency_ns <out | wc -l)" = 2400 ]
	[ "$(faults)" = "$before" ]
}
check "lat_nvme by Get Log Page" log_pages

reads() {
	run pcb-collect lat_nvme -d nvme:$bdf -O unbind=yes -O command=read \
		-n 50 -s 512,4K,64K,128K -w 1M --offset 0,4,4092
	gives 0
	[ "$(column latency_ns <out | wc -l)" = 600 ]
	run pcb-collect bw_wr -d nvme:$bdf -O unbind=yes -s 4K:128K -n 500 \
		-O depth=8 -O pairs=2
	cp out bw_wr
	gives 0
	[ "$(column transferred_bytes <out | tail -n 1)" = $((500 * 131072)) ]
	[ "$(column queue_depth <out | sort -u)" = 8 ]
	pcb-stats bw_wr | pcb-model --join >joined
	cp joined /tmp/results/
	column model_ratio_pct <joined | grep -c '[0-9]' | grep -x 6
	# Two blocks are left after the last whole command.
	run pcb-collect bw_wr -d nvme:$bdf -O unbind=yes -n 100 \
		-O blocks=2097142:2097151
	gives 0
	given_back $bdf
}
check "Read: latency and bandwidth, next to the model" reads

# no STATUS MESSAGE ARGUMENT...: pcb-collect writes no row.
no() {
	wanted=$1 message=$2
	shift 2
	run pcb-collect "$@" -d nvme:$bdf -O unbind=yes -n 1
	gives "$wanted" "pcb-collect: $message"
	[ ! -s out ]
}

refusals() {
	for row in '516 0' '6 0' '4 2'; do
		no 2 "a transfer of ${row% *} bytes at offset ${row#* }: Get \
Log Page takes up to 512 bytes, size and offset multiples of 4" lat_nvme \
			-s "${row% *}" --offset "${row#* }"
	done
	for row in '1000 0' '512 2'; do
		no 2 "a transfer of ${row% *} bytes at offset ${row#* }: sizes \
are multiples of a block, 512 bytes, and offsets of 4" lat_nvme \
			-O command=read -s "${row% *}" --offset "${row#* }"
	done
	no 2 'a transfer of 1048576 bytes: this controller supports at most '\
'524288' bw_wr -s 1M
	no 2 'a window of 1048576 bytes holds 8 transfers of 131072 bytes, '\
'fewer than the 9 that are outstanding: use a larger -w or fewer by '\
'-O depth' bw_wr -s 128K -w 1M -O pairs=3 -O depth=3
	no 2 '-O blocks=0:6: 4096 bytes are more than that' bw_wr \
		-O blocks=0:6
	no 2 'a buffer of 4294967296 bytes: nvme supports at most 2147483648' \
		bw_wr -b 4G
	no 3 "$bdf: namespace 2: it has no blocks: it is not there, or not \
attached" bw_wr -O namespace=2
	no 3 "$bdf: -O namespace=257: it has 1 to 256" bw_wr -O namespace=257
	given_back $bdf
	run pcb-collect lat_nvme -d nvme:07:00.0 -O unbind=yes
	gives 3 'pcb-collect: 0000:07:00.0: Device 1234:11e8, not an NVMe '\
'controller'
	[ "$(bound_to 0000:07:00.0)" = none ]
}
check "what a controller cannot do, and a device that is none" refusals

# refuses_write TEXT OPTION...: a bw_rd that must not start.
refuses_write() {
	text=$1
	shift
	run pcb-collect bw_rd -d nvme:$bdf -O unbind=yes "$@"
	[ "$status" != 0 ]
	tail -n 1 err | grep -F -e "$text"
	[ ! -s out ]
	[ "$(bound_to $bdf)" = nvme ]
}

writes() {
	refuses_write '-O write=yes -O blocks=FIRST:LAST' -n 1
	refuses_write 'name the blocks that may be overwritten' -O write=yes
	refuses_write 'not within 1 to' -O write=yes -O blocks=0:7 -O depth=0
	refuses_write 'the first block is after the last' -O write=yes \
		-O blocks=7:6
	# The first block that does not exist, too.
	for last in 2097152 99999999 18446744073709551615; do
		run pcb-collect bw_rd -d nvme:$bdf -O unbind=yes -O write=yes \
			-O blocks=0:$last
		gives 3 "pcb-collect: -O blocks=0:$last: namespace 1 has the \
blocks 0:2097151"
		given_back $bdf
	done
	run pcb-collect bw_rd -d nvme:$bdf -O unbind=yes -O write=yes \
		-O blocks=8:1031 -n 200
	gives 0
	[ "$(column bench <out)" = bw_rd ]
	[ "$(column size_bytes <out)" = 4096 ]
	given_back $bdf
}
check "Write: only of blocks that are named" writes

in_use() {
	disk=$(disk_of $bdf)
	run pcb-collect lat_nvme -d nvme:$bdf
	gives 3 "pcb-collect: $bdf: bound to nvme, not to vfio-pci: -O unbind=yes \
unbinds it during the measurement, or do it yourself: 'echo \
vfio-pci > $devices/$bdf/driver_override; echo $bdf > \
$devices/$bdf/driver/unbind; echo $bdf > /sys/bus/pci/drivers_probe'"
	# A disk, the file that takes commands for it, its controller.
	for file in /dev/$disk /dev/ng${disk#nvme} /dev/${disk%n1}; do
		exec 5<"$file"
		run pcb-collect lat_nvme -d nvme:$bdf -O unbind=yes
		exec 5<&-
		gives 3
		tail -n 1 err | grep "^pcb-collect: $bdf: $file is open in \
the process [0-9]*: end that first\$"
		[ "$(bound_to $bdf)" = nvme ]
	done
	run pcb-collect lat_nvme -d nvme:$bdf -O unbind=yes -n 1
	gives 0
	given_back $bdf
}
check "a disk in use is not taken" in_use

# unseen WHY OPTIONS COMMAND: COMMAND hides the process that has the disk open.
unseen() {
	why=$1
	exec 5<"/dev/$(disk_of $bdf)"
	# Options are words.
	# shellcheck disable=SC2086
	run unshare $2 sh -c "$3; exec pcb-collect lat_nvme -d nvme:$bdf \
-O unbind=yes -n 1 5<&-"
	exec 5<&-
	gives 3 "pcb-collect: $bdf: it may be open in a process: $why nobody \
sees the files of all: run pcb-collect as root, outside of containers"
	[ "$(bound_to $bdf)" = nvme ]
}

contained() {
	unseen "in a PID namespace of its own, such as a container's," \
		'-m -p -f' 'mount -t proc proc /proc'
	unseen 'without /proc' -m 'mount -t tmpfs tmpfs /proc'
}
check "whoever does not see all processes takes no disk" contained

# vfio-pci leaves it on.
sleepers() {
	power=$devices/$bdf/power/control
	for may in auto on; do
		echo $may >"$power"
		run pcb-collect lat_nvme -d nvme:$bdf -O unbind=yes -n 1
		gives 0
		given_back $bdf
		[ "$(cat "$power")" = $may ]
		start pcb-collect bw_wr -d nvme:$bdf -O unbind=yes -n 1000G
		driving
		kill -KILL $!
		finish
		await 10 guardian_is_done
		given_back $bdf
		[ "$(cat "$power")" = $may ]
	done
}
check "whether it may sleep is put back" sleepers

stopped() {
	start pcb-collect bw_wr -d nvme:$bdf -O unbind=yes -n 1000G
	driving
	kill -INT $!
	finish
	gives 130
	[ "$(bound_to $bdf)" = nvme ]
	[ "$(column transfers <out)" -gt 0 ]
	tail -n 1 out | grep complete=no
	run pcb-collect bw_wr -d nvme:$bdf -O unbind=yes -n 1000G --time 200ms
	gives 0
	given_back $bdf
}
check "SIGINT, --time: what was done so far" stopped

# An unhandled interrupt would block others on its line.
no_interrupts() {
	start pcb-collect bw_wr -d nvme:$bdf -O unbind=yes -n 1000G
	driving
	command=$(setpci -s $bdf COMMAND)
	kill -INT $!
	finish
	gives 130
	[ $((0x$command & 0x404)) = $((0x404)) ]
	given_back $bdf
}
check "bus mastering without interrupts" no_interrupts

mastering_off() {
	give $bdf
	start timeout -s KILL 60 pcb-collect bw_wr -d nvme:$bdf -n 1000G
	driving
	setpci -s $bdf COMMAND=0:4
	finish
	take_back $bdf
	given_back $bdf
	gives 2
	tail -n 1 err
}
check "bus mastering off in mid-run is an error" mastering_off

memory_off() {
	for bench in bw_wr lat_nvme; do
		give $bdf
		start timeout -s KILL 60 pcb-collect $bench -d nvme:$bdf \
			-n 1000G
		driving
		setpci -s $bdf COMMAND=0:2
		finish
		take_back $bdf
		given_back $bdf
		gives 2
		tail -n 1 err | grep -e 'all ones: it was removed' \
			-e 'the controller has stopped'
	done
}
check "registers that go away in mid-run are an error" memory_off

removed() {
	for bench in bw_wr lat_nvme; do
		give $bdf
		start timeout -s KILL 60 pcb-collect $bench -d nvme:$bdf \
			-n 1000G
		driving
		echo 1 >"$devices/$bdf/remove"
		finish
		echo 1 >/sys/bus/pci/rescan
		gives 2 "pcb-collect: $bdf: the kernel takes the device away: \
it was removed, or unbound"
		given_back $bdf
	done
}
check "a device that is removed in mid-run" removed

users() {
	give $bdf
	way=$(way_to $bdf)
	case $way in
	group) set -- "/dev/vfio/$(basename \
		"$(readlink "$devices/$bdf/iommu_group")")" ;;
	*) set -- /dev/iommu "/dev/vfio/devices/$(device_of $bdf)" ;;
	esac
	chown 65534 "$@"
	ulimit -l 1024
	run user pcb-collect lat_nvme -d $bdf -n 10
	cp err few
	[ "$(key vfio <out)" = "$bdf=$way" ]
	run user pcb-collect bw_wr -d $bdf -n 10
	chown 0 "$@"
	take_back $bdf
	given_back $bdf
	tail -n 1 err | grep "ulimit -l"
	gives 3
	! grep 'cannot\|refused' few
}
check "an ordinary user who owns what it takes" users

placed() {
	for n in 0 1; do
		echo 16 >/sys/devices/system/node/node$n/hugepages/hugepages-2048kB/nr_hugepages
	done
	run pcb-collect bw_wr -d nvme:$bdf -O unbind=yes -n 64 -s 64K \
		--node 0,1 -O pages=2M
	for n in 0 1; do
		echo 0 >/sys/devices/system/node/node$n/hugepages/hugepages-2048kB/nr_hugepages
	done
	gives 0
	[ "$(column page_bytes <out | sort -u)" = 2097152 ]
	[ "$(column node <out | tr '\n' ' ')" = '0 1 ' ]
	run pcb-collect bw_wr -d nvme:0000:81:00.0 -O unbind=yes -n 64 \
		--node local,remote
	gives 0
	[ "$(column node <out | tr '\n' ' ')" = '1 0 ' ]
}
check "near and far node, huge pages" placed

two() {
	start pcb-collect bw_wr -d nvme:$bdf -O unbind=yes -n 1000G
	first=$!
	driving
	pcb-collect bw_wr -d nvme:$bdf -n 1 >other 2>why && return 1
	tail -n 1 why | grep 'another program has it'
	second=0
	pcb-collect bw_wr -d nvme:0000:81:00.0 -O unbind=yes -n 100 >second \
		2>said || second=$?
	kill -INT "$first"
	finish
	gives 130
	# Its disk has taken the name of the other, and says so.
	[ $second = 2 ]
	tail -n 1 said | grep '81:00.0/nvme/.*has not come back under this name'
	tail -n 1 err | grep '01:00.0/nvme/.*has not come back under this name'
	[ "$(column device <second | sort -u)" = 0000:81:00.0 ]
	given_back $bdf
}
check "two at once: not of one device, but of two" two

# queue: the settings of the disk.
queue() {
	disk=$(disk_of $bdf)
	for file in "/sys/block/$disk/queue"/* "/sys/block/$disk/queue/iosched"/*
	do
		[ ! -f "$file" ] || [ ! -w "$file" ] ||
			! value=$(cat "$file" 2>/dev/null) ||
			echo "${file##*/} $value"
	done
}

settings_stay() {
	disk=$(disk_of $bdf)
	queue=/sys/block/$disk/queue
	for row in 'scheduler mq-deadline' 'read_ahead_kb 64' \
		'nr_requests 200' 'io_timeout 12348' 'nomerges 2' \
		'rq_affinity 2'; do
		echo "${row#* }" >"$queue/${row% *}"
	done
	echo 7 >"$queue/iosched/fifo_batch"
	queue >before
	grep -F '[mq-deadline]' before
	run pcb-collect lat_nvme -d nvme:$bdf -O unbind=yes -n 1
	gives 0
	queue | diff before -
	start pcb-collect lat_nvme -d nvme:$bdf -O unbind=yes -n 1000G
	driving
	kill -KILL $!
	finish
	await 10 guardian_is_done
	queue | diff before -
	echo none >"/sys/block/$disk/queue/scheduler"
}
check "what is set of a disk stays set" settings_stay

# stalled: waits until the started command waits for its reader.
stalled() {
	grep -q pipe_write "/proc/$!/wchan"
}

reader_sleeps() {
	mkfifo pipe
	for signal in INT:130 TERM:143 HUP:129; do
		# shellcheck disable=SC2217 # it keeps the pipe open
		sleep 1000 <pipe &
		reader=$!
		/usr/bin/env --default-signal pcb-collect lat_nvme \
			-d nvme:$bdf -O unbind=yes -n 1000G >pipe 2>err &
		await 20 stalled
		[ "$(bound_to $bdf)" = vfio-pci ]
		kill "-${signal%:*}" $!
		finish
		is_as_before $bdf nvme
		kill $reader
		gives "${signal#*:}"
	done
}
check "a device is given back while the reader sleeps" reader_sleeps
