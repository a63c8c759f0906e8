# SPDX-License-Identifier: GPL-2.0-or-later
# Shared by the tests in the guest. A test may also use all of busybox, lspci
# and setpci.
# shellcheck shell=dash

devices=/sys/bus/pci/devices

# skip REASON: ends a test that is not possible here.
skip() {
	set +x
	echo "$1"
	exit 77
}

# run COMMAND...: sets $status and writes the files out and err. Traces of
# functions would go to err, too.
run() {
	{ set +x; } 2>/dev/null
	status=0
	"$@" >out 2>err </dev/null || status=$?
	set -x
}

# start COMMAND...: the same in the background, with the signals of a terminal:
# background jobs of a script ignore some. `finish` waits for it.
start() {
	rm -f out
	/usr/bin/env --default-signal "$@" >out 2>err </dev/null &
}

finish() {
	status=0
	wait $! || status=$?
}

# user COMMAND...: as an ordinary user, who may write gcov's files of root: else
# gcov's complaints are among the messages.
user() {
	[ ! -d "$GCOV_PREFIX" ] || chmod -R a+rwX "$GCOV_PREFIX"
	/usr/bin/setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
}

# gives STATUS [MESSAGE]: checks status and last line on stderr of the last run.
gives() {
	[ "$status" = "$1" ] || cat err
	[ "$status" = "$1" ]
	[ $# = 1 ] || [ "$(tail -n 1 err)" = "$2" ]
}

# column NAME <STREAM: the fields of a column, one per line, also if it is
# constant.
column() {
	awk -F, -v name="$1" '
	sub(/^# constant: /, "") {
		for (i = 1; i <= NF; i++)
			if (index($i, name "=") == 1) {
				constant = substr($i, length(name) + 2)
				known = 1
			}
		next
	}
	/^#/ { next }
	!header {
		for (i = 1; i <= NF; i++) if ($i == name) at = i
		header = 1
		next
	}
	{ print known ? constant : $at }'
}

# key NAME <STREAM: the value of a key in the preamble.
key() {
	sed -n "s/^# $1: //p"
}

# functions: all functions that the kernel knows, sorted, one per line.
functions() {
	ls "$devices"
}

# parent_of BDF: the bridge above, by the kernel's tree; "" on a root bus.
parent_of() {
	set -- "$(readlink -f "$devices/$1")"
	set -- "${1%/*}"
	case ${1##*/} in
	pci*) ;;
	*) echo "${1##*/}" ;;
	esac
}

# find_function VENDOR:DEVICE [N]: the BDF of the Nth such function.
find_function() {
	lspci -Dn -d "$1" | sed -n "${2:-1}s/ .*//p"
}

# configs DIRECTORY: saves the config space of every function, as root sees it.
configs() {
	mkdir "$1"
	for bdf in $(functions); do
		cp "$devices/$bdf/config" "$1/$bdf"
	done
}

# bound_to BDF: its driver, or "none".
bound_to() {
	basename "$(readlink "$devices/$1/driver" || echo none)"
}

# disk_of BDF: the disk of an NVMe controller, once its driver has found it.
disk_of() {
	for _ in $(seq 100); do
		for disk in "$devices/$1"/nvme/nvme*/nvme*n1; do
			[ ! -e "$disk" ] || break 2
		done
		sleep 0.1
	done
	basename "$disk"
}

# binding BDF: its driver and driver_override.
binding() {
	echo "$(bound_to "$1") $(cat "$devices/$1/driver_override")"
}

# await SECONDS CONDITION...: waits until it is true, at most that long.
await() {
	{ set +x; } 2>/dev/null
	tries=$(($1 * 10))
	shift
	until "$@"; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || return
		sleep 0.1
	done
	set -x
}

# The guardian acts a moment after its process has ended.
guardian_is_done() {
	! pidof pcb-guardian >/dev/null
}

is_as_before() {
	[ "$(binding "$1")" = "$2 (null)" ]
}

# unchanged BDF DRIVER: waits until the guardian has restored the driver.
unchanged() {
	await 10 is_as_before "$@"
}

# give BDF: binds it to vfio-pci.
give() {
	echo vfio-pci >"$devices/$1/driver_override"
	[ "$(bound_to "$1")" = none ] || echo "$1" >"$devices/$1/driver/unbind"
	echo "$1" >/sys/bus/pci/drivers_probe
}

# take_back BDF: from vfio-pci to the kernel's driver, if there is one.
take_back() {
	echo >"$devices/$1/driver_override"
	echo "$1" >/sys/bus/pci/drivers/vfio-pci/unbind
	echo "$1" >/sys/bus/pci/drivers_probe
}

# device_of BDF: the name of its VFIO device, such as vfio0; "" if the kernel
# has groups only.
device_of() {
	ls "$devices/$1/vfio-dev" 2>/dev/null || :
}

# way_to BDF: the interface through which root opens a function of vfio-pci.
way_to() {
	if [ "$(device_of "$1")" ] && [ -e /dev/iommu ]; then
		echo iommufd
	else
		echo group
	fi
}

# owners BDF: who may open it, in the words of a message.
owners() {
	echo "(root, or whoever owns the group$(device_of "$1" |
		sed 's|.*|, or both /dev/iommu and /dev/vfio/devices/&|'))"
}

has_rows() {
	[ "$(stat -c %s out 2>/dev/null || echo 0)" -ge 20000 ]
}

# under_way: waits until the started command has written some rows.
under_way() {
	await 20 has_rows
}

has_device() {
	for fd in /proc/[0-9]*/fd/*; do readlink "$fd"; done |
		grep -q -e vfio-device -e vfio/devices/
}

# driving: waits until the started command drives a device through VFIO.
driving() {
	await 20 has_device
	sleep 1
}

# links: what lspci decodes, "BDF,LINK" in the format of the column `link`;
# nothing behind the comma if no link leads up.
links() {
	lspci -Dvv 2>/dev/null | awk '
	function number(text) { sub(/[^0-9]*/, "", text); return text + 0 }
	function finish() {
		if (up)
			printf "gen%dx%d/mps%d/mrrs%d/rcb%d", gen[rate ""],
				lanes, mps, mrrs, rcb
		if (NR)
			print ""
		up = 0
	}
	BEGIN { gen["2.5"] = 1; gen[5] = 2; gen[8] = 3; gen[16] = 4 }
	/^[0-9a-f]/ { if (NR > 1) finish(); printf "%s,", $1 }
	/Express .*(Endpoint|Upstream|PCI\/PCI-X)/ { up = !/Root Complex/ }
	/MaxPayload .* MaxReadReq / { mps = number($2); mrrs = number($5) }
	/LnkCtl:/ { rcb = /RCB 128/ ? 128 : 64 }
	/LnkSta:/ { rate = number($3); lanes = number($5) }
	END { finish() }'
}
