#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Each call of the system and of the C library that a program makes fails once:
# the first open, the second, and so on until there are no more. The run must
# then give the same result as without the fault, or end with 2 or 3 and a
# reason; it must never crash, hang, or call an incomplete result complete.

load helpers

errors=(malloc:ENOMEM open:EMFILE socket:EMFILE read:EIO write:ENOSPC close:EIO stat:EACCES
	fcntl:EPERM ioctl:EIO mmap:ENOMEM mlockall:EPERM madvise:EINVAL
	mbind:EPERM move_pages:EPERM sched:EPERM process:EAGAIN dlopen:ENOENT
	perf_event_open:EMFILE syscall:ENOSYS)

setup_file() {
	cd "$BATS_FILE_TMPDIR" || exit
	pcb-collect lat_rd -d sim -n 30 -s 64,128 -r 2 >samples
	pcb-stats -g run,size_bytes samples >runs
	pcb-stats samples >statistics
	printf 'device,parent\nb,a\n' >links
	printf 'register,device,parent,bench,min_ns\n%s\n%s\n' \
		0,a,,lat_mmio,10 0,b,a,lat_mmio,30 >minima
	cat >clocks <<-'END'
	group,event,pmu,terms,part,parts,why_not
	time,cpu_clock,clock,event=0,,,
	time,task_clock,clock,event=1,,,
	END
	clock_tree
	nvme_tree
	cp -r tree awake
	mkdir awake/dev
	: >awake/dev/cpu_dma_latency
	echo on >awake/sys/bus/pci/devices/0000:03:00.0/power/control
}

# clock_tree: the kernel's clocks of CPU 0 as a PMU.
clock_tree() {
	local pmu=clocks.tree/sys/bus/event_source/devices/clock_0
	local cpu=clocks.tree/sys/devices/system/cpu

	mkdir -p $pmu/format $cpu/cpu0/topology
	echo 1 >$pmu/type
	echo 0 >$pmu/cpumask
	echo config:0-7 >$pmu/format/event
	echo cpu:type:x86,ven0000fam0006mod008F:feature: >$cpu/modalias
	echo 0 >$cpu/cpu0/topology/physical_package_id
}

# nvme_tree: an NVMe controller at 03:00.0 with a readable version, and with
# power management of the device and its link as saved in `before`.
nvme_tree() {
	local device=tree/sys/bus/pci/devices/0000:03:00.0

	example_tree tree
	mkdir $device/power
	echo auto >$device/power/control
	printf '\3' | dd of=$device/config bs=1 seek=80 conv=notrunc
	printf '\1\2\10\1' | dd of=$device/config bs=1 seek=8 conv=notrunc
	printf '\6' | dd of=$device/config bs=1 seek=4 conv=notrunc
	truncate -s 16384 $device/resource0
	printf '\0\4\1\0' | dd of=$device/resource0 bs=1 seek=8 conv=notrunc
	sed -i '1s/.*/0xfe000000 0xfe003fff 0x0000000000040200/' \
		$device/resource
	cp -r tree before
} 2>/dev/null

setup() {
	cd "$BATS_FILE_TMPDIR" || exit
	: "${PCB_FAKE:=$TOP/build/fake}"
	[ "${EMULATED:-}" = "" ] || skip "$EMULATED is what would be preloaded"
	[ -e "$PCB_FAKE/faults.so" ] || skip "$PCB_FAKE/faults.so is not built"
	# In LD_PRELOAD a blank ends a name.
	ln -sf "$PCB_FAKE/faults.so" "$BATS_FILE_TMPDIR/faults.so"
	! grep -q __asan_init "$(command -v pcb-stats)" ||
		skip "the sanitizer wants to come first"
	data=$TOP/tests/data
	mkdir -p left
	true >nothing
}

# Thousands of runs: the checks of each start no other process, as $(<FILE) does.

# Writes what must stay the same to `same`: everything; the rows and their end;
# their number.
whole() {
	IFS= read -r -d '' same <out || :
}

rows() {
	local line

	same=
	while read -r line; do
		[[ $line = '# '* && $line != '# end:'* ]] || same+=$line$'\n'
	done <out
}

number() {
	local line n=0 end=

	while read -r line; do
		[[ $line = '#'* ]] || ((n += 1))
		[[ $line != '# end: '* ]] || end=$line
	done <out
	[[ $end =~ ^(# end: rows=[0-9]* complete=[a-z]*) ]] || true
	same="$n ${BASH_REMATCH[1]}"
}

# with_fault CALL:N:ERROR COMMAND...: whether that call was made: the mark is
# emptied then.
with_fault() {
	echo waiting >mark
	FAULT=$1 FAULT_MARK=$PWD/mark LD_PRELOAD=$BATS_FILE_TMPDIR/faults.so \
		TMPDIR=$PWD/left "${@:2}" <nothing >out 2>err
	status=$?
	[ ! -s mark ]
}

# is_honest SAME: whether a run with a fault has ended in an allowed way.
is_honest() {
	local said says='(^|
)pcb-[a-z]+: '

	IFS= read -r -d '' said <err || :
	case $status in
	"$normal") "$1" && [ "$same" = "$wanted" ] && return ;;
	2 | 3) [[ $said =~ $says ]] && ! claims && return ;;
	esac
	return 1
}

# claims: whether it calls itself complete, unless all was written before stdout
# could not be closed, or a setting not put back.
claims() {
	local written complete='
# end:.*complete=yes'

	IFS= read -r -d '' written <out || :
	[[ $'\n'$written =~ $complete && $said != *': stdout: '* &&
		$said != *': cannot restore '* ]]
}

# is_undone COMMAND...: whether it has left nothing behind, and changed nothing
# but what it reports as not restored.
is_undone() {
	local left=(left/*) file

	[ ! -e "${left[0]}" ] || return
	[[ $* = *"root tree"* ]] || return 0
	while read -r _ file _; do
		cp "${file/tree/before}" "$file" && grep -q -F -e \
			"$file: cannot restore" -e "$file: another program" err ||
			return
	done < <(diff -rq tree/sys before/sys)
}

# each SAME CALL ERROR COMMAND...: the N-th call fails, for all N up to 20, and
# for ever fewer above.
each() {
	local n=1

	while with_fault "$2:$n:$3" "${@:4}"; do
		if ! is_honest "$1" || ! is_undone "${@:4}"; then
			printf 'status %s with FAULT=%s: %s\n' "$status" \
				"$2:$n:$3" "${*:4}"
			tail -n 3 err out
			ls left
			return 1
		fi
		((n += n < 20 ? 1 : n / 3))
	done
	reached=$((reached + n - 1))
}

# survives SAME COMMAND...: each of its calls fails once. SAME is one of the
# functions above. bats traces every command, which takes ten times as long.
survives() (
	set +eT
	trap - DEBUG ERR
	reached=0
	"${@:2}" <nothing >out 2>err
	normal=$?
	"$1"
	wanted=$same
	[ "$wanted" ] || exit
	for error in "${errors[@]}"; do
		each "$1" "${error%:*}" "${error#*:}" "${@:2}" || exit
	done
	[ $reached -gt 10 ]
)

@test "faults: samples are simulated" {
	survives rows pcb-collect lat_rd -d sim -n 20 -s 64,128
	survives rows pcb-collect bw_wr -d sim -n 5 -f jsonl
}

@test "faults: statistics of samples" {
	survives whole pcb-stats samples
	survives whole pcb-stats -f table samples
}

@test "faults: the model" {
	survives whole pcb-model bw_rd -s 64,128
	survives whole pcb-model --join statistics
	survives whole pcb-model nic -M niantic-dpdk --frame 64
	survives whole pcb-model why 11.8GB/s gen3x16
	survives whole pcb-model bw_rd --dump "$data/lspci/guest.txt" \
		--device 05:00.0
}

@test "faults: differences, and status 1 for those that are worse" {
	survives whole pcb-diff --by size_bytes --check 1 runs
	survives whole pcb-diff --links links minima
}

@test "faults: results of other programs" {
	survives whole pcb-import pciebench "$data"/import/nfp*/lat_details.csv
	survives whole pcb-import mlc "$data/import/others/mlc-3.5.txt"
	survives whole pcb-import fio "$data/import/others/fio-3.33.json"
	survives whole pcb-doctor --dump "$TOP/tests/fuzz/corpus/common/doctor/doctor/bytes.txt"
	survives whole pcb-ddio -t 1s "$TOP/experiments/ddio/iperf.csv"
}

@test "faults: pictures" {
	survives whole pcb-plot cdf samples
	survives whole pcb-plot lat statistics
}

# A list needs devices; names are optional.
devices() {
	local line

	same=
	while IFS= read -r line; do
		case $line in
		'# end:'*) same+=$line$'\n' ;;
		'#'*) ;;
		*) [[ $line =~ ^([^,]*,){8} ]] && same+=${BASH_REMATCH[0]}$'\n' ;;
		esac
	done <out
}

@test "faults: what can be measured here" {
	errors=(malloc:ENOMEM open:EMFILE socket:EMFILE read:EIO write:ENOSPC)
	survives devices pcb-collect list
	# If a sandbox forbids sockets, everything else is listed.
	with_fault socket:1:EAFNOSUPPORT pcb-collect list ||
		skip "no network interfaces here"
	[ "$status" = 0 ]
	grep '^[^,]*,i210,,.*network interfaces cannot be listed: Address' out
}

@test "faults: a register that the CPU reads, with settings held" {
	# Without openat2 nothing below --root is put back; that is said behind
	# the end line.
	unset 'errors[-1]'
	survives number pcb-collect lat_mmio -d 03:00.0 --root tree -n 20 \
		--hold aspm,power
}

# shared_memory: QEMU's ivshmem-plain at 03:00.0, with 64 KiB of memory.
shared_memory() {
	local device=memory/sys/bus/pci/devices/0000:03:00.0

	rm -rf memory
	cp -r awake memory
	printf '\364\32\20\21' | dd of=$device/config bs=1 conv=notrunc
	seq 100000 | head -c 65536 >$device/resource2
	sed -i '3s/.*/0xfd000000 0xfd00ffff 0x000000000014220c/' \
		$device/resource
	cp $device/resource2 contents
} 2>/dev/null

@test "faults: memory of a device, whose contents come back" {
	shared_memory
	survives number pcb-collect lat_mmio_wr -d mmio:03:00.0 --root memory \
		-n 20
	cmp contents memory/sys/bus/pci/devices/0000:03:00.0/resource2
}

@test "what is asked of the CPU is no wish" {
	while IFS='|' read -r call error options message; do
		for n in {1..7}; do
			# shellcheck disable=SC2086
			with_fault "$call:$n:$error" pcb-collect lat_mmio \
				-d 03:00.0 --root awake -n 20 $options || :
			[ "$status" = 0 ] || break
		done
		[ "$(tail -n 1 err)" = "pcb-collect: $message" ]
		[ ! -s out ]
	done <<-'EOF'
	sched|EPERM|--cpu 0|--cpu 0: Operation not permitted
	EOF
}

@test "faults: counters" {
	counts=(pcb-collect ddio --root clocks.tree -O events=./clocks)
	"${counts[@]}" -n 1 -i 1ms >/dev/null ||
		skip "no counting allowed here"
	survives number "${counts[@]}" -n 3 -i 1ms
}

# on_rdma ARGUMENT...: pcb-collect with the library that fakes an RDMA device.
on_rdma() {
	LD_LIBRARY_PATH=$PCB_FAKE/verbs FAKE_VERBS='dm=65536 khz=78125' \
		pcb-collect "$@" -d rdma:mlx5_0 --root rdma --cache host-warm
}

@test "faults: an RDMA device" {
	rdma_tree rdma
	survives number on_rdma lat_rd -n 20
	survives number on_rdma bw_rdwr -n 200 -O depth=4
}

# on_disk ARGUMENT...: pcb-collect on a file that only a made tree has on a drive.
on_disk() {
	pcb-collect "$@" -d disk:./large --root drive -w 1M
}

@test "faults: a drive in service" {
	local pci=drive/sys/bus/pci/devices/0000:03:00.0/nvme/nvme0/nvme0n1

	cp -r before drive
	mkdir -p $pci drive/sys/class/block drive/sys/dev/block
	ln -s "$PWD/$pci" drive/sys/class/block/
	ln -s "$PWD/${pci%/*}" $pci/device
	head -c 3M /dev/urandom >large
	ln -s "$PWD/$pci" "drive/sys/dev/block/$(stat -c %Hd:%Ld large)"
	ln -s class/block drive/sys/block
	on_disk bw_wr -n 20 >/dev/null || skip "no direct reads here"
	survives number on_disk bw_wr -n 20 -O depth=4
	survives number on_disk lat_nvme -n 20
	# Without io_uring, one read at a time is possible.
	for n in {1..5}; do
		with_fault "syscall:$n:EPERM" on_disk lat_nvme -n 20
		! grep '^# constant: .*,interface=preadv2,' out || break
	done
	[ "$status" = 0 ]
	[ "$n" -lt 5 ]
	with_fault "syscall:$n:EPERM" on_disk bw_wr -n 20 || :
	[ "$status" = 3 ]
}

@test "faults: a GPU" {
	export LD_LIBRARY_PATH=$PCB_FAKE FAKE_CUDA_IS=brisk
	survives number pcb-collect lat_rd -d gpu -n 20
}

@test "a call that a signal interrupts is made again" {
	survives_signal() (
		set +eT
		trap - DEBUG ERR
		"${@:1}" <nothing >out 2>err
		wanted=$(<out)
		for n in 1 2 3; do
			with_fault "read:$n:EINTR" "$@" && [ "$status" = 0 ] &&
				[ "$(<out)" = "$wanted" ] && continue
			[ "$n" -gt 1 ] && [ -s mark ] || exit 1
		done
	)
	survives_signal pcb-stats samples
	survives_signal pcb-plot cdf samples
}
