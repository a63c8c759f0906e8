# SPDX-License-Identifier: GPL-2.0-or-later
# alone
# plain
#
# Unbinds devices while each call fails once: the program restores them, or
# reports that it cannot.
# shellcheck shell=dash disable=SC2154

bdf=0000:01:00.0
edu=0000:00:03.0

# with_fault CALL:N:ERROR COMMAND...: whether that call was made. A trace would
# add calls of its own.
with_fault() {
	rm -f mark
	status=0
	fault=$1
	shift
	PCB_DEBUG='' FAULT=$fault FAULT_MARK=$PWD/mark LD_PRELOAD=/usr/bin/faults.so \
		timeout -s KILL 30 "$@" >out 2>err </dev/null || status=$?
	[ -e mark ]
}

# honest: whether it ended in an allowed way.
honest() {
	case $status in
	0) grep -q '^# end:.*complete=yes' out ;;
	2 | 3)
		grep -q '^pcb-collect: ' err && {
			! grep -q '^# end:.*complete=yes' out ||
				grep -q ': stdout: ' err
		}
		;;
	*) return 1 ;;
	esac
}

# given_back: whether the device is as before. Restores it if the program has
# reported that it could not.
given_back() {
	binding "$device" >now
	diff before now && return
	grep -q "$devices/$device: cannot restore" err || return
	grep -q ' (null)$' now ||
		echo >"$devices/$device/driver_override"
	[ ! -e "$devices/$device/driver" ] ||
		echo "$device" >"$devices/$device/driver/unbind"
	echo "$device" >/sys/bus/pci/drivers_probe
	binding "$device" | diff before -
}

# each CALL:ERROR COMMAND...: the N-th call fails, for all N. Calls that are too
# frequent for a guest are in tests/cli/faults.bats.
each() {
	{ set +x; } 2>/dev/null
	call=${1%:*} error=${1#*:} n=1
	shift
	while with_fault "$call:$n:$error" "$@"; do
		if ! honest || ! given_back; then
			echo "status $status with $call:$n:$error"
			tail -n 3 err out
			return 1
		fi
		n=$((n + 1))
	done
	reached=$((reached + n - 1))
	echo "$call: $n"
}

# survives DEVICE COMMAND...: each of its calls fails once.
survives() {
	device=$1 reached=0
	shift
	binding "$device" >before
	run "$@"
	gives 0
	for one in write:EIO process:EAGAIN ioctl:EIO mmap:ENOMEM madvise:EFAULT \
		mbind:EPERM move_pages:EPERM sched:EPERM; do
		each "$one" "$@" || return
	done
	echo "reached $reached"
	[ $reached -gt 20 ]
}

taken() {
	survives $bdf pcb-collect bw_wr -d nvme:$bdf -O unbind=yes -n 4 -s 64K
}
check "an NVMe controller is given back, whichever call fails" taken

other_taken() {
	survives $edu pcb-collect lat_rd -d edu:$edu -O unbind=yes -n 1 \
		--warmup 0
}
check "a device without a driver is left without one" other_taken
