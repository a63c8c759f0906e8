# SPDX-License-Identifier: GPL-2.0-or-later
# kernel: iomem=relaxed pcie_aspm.policy=powersave
# qemu: -netdev user,id=net1,restrict=on -device vmxnet3,bus=pcie.0,addr=0xa,netdev=net1 -blockdev driver=null-co,node-name=disk2,size=67108864,read-zeroes=on -device virtio-blk-pci,bus=pcie.0,addr=0xb,drive=disk2
#
# --hold on a real kernel: what it changes, and restores. It shares the guest of
# rights.sh, and so its requirements.
# shellcheck shell=dash disable=SC2154

# aspm: of all links that the kernel manages.
aspm() {
	for file in "$devices"/*/link/*; do
		[ ! -e "$file" ] || echo "$file $(cat "$file")"
	done
}

# state DIRECTORY: saves config space, links and power management.
state() {
	configs "$1"
	aspm >"$1/aspm"
	grep . "$devices"/*/power/control >"$1/power"
	od -An -td4 /dev/cpu_dma_latency >"$1/latency"
}

as_before() {
	state after
	diff -r before after
	rm -r after
}

# measuring: with everything held on the path to 07:00.0.
measuring() {
	start pcb-collect lat_cfg -d 07:00.0 --path -n 1000G --hold aspm \
		--hold power
	under_way
	aspm >during
	for bdf in 0000:02:00.0 0000:05:00.0; do
		grep -x "$devices/$bdf/link/l0s_aspm 0" during
	done
	# Links of other paths are left alone.
	grep -x "$devices/0000:01:00.0/link/l0s_aspm 1" during
	[ "$(cat "$devices/0000:06:00.0/power/control")" = on ]
}

put_back() {
	aspm | grep -q ' 1$' || skip "this kernel manages no links"
	echo auto >"$devices/0000:06:00.0/power/control"
	state before
	for signal in INT TERM KILL SEGV; do
		measuring
		kill -$signal $!
		finish
		[ "$status" != 0 ]
		await 10 guardian_is_done
		as_before
	done
	echo on >"$devices/0000:06:00.0/power/control"
}
check "ASPM and power are put back after any signal" put_back

gone_meanwhile() {
	aspm | grep -q ' 1$' || skip "this kernel manages no links"
	start pcb-collect lat_cfg -d 07:00.0 --path -n 1000G --hold aspm
	under_way
	echo 1 >"$devices/0000:05:00.0/remove"
	finish
	gives 2
	echo 1 >/sys/bus/pci/rescan
	[ "$(cat "$devices/0000:02:00.0/link/l0s_aspm")" = 1 ]
	! grep 'another program changed it' err
}
check "a device that is removed meanwhile takes its settings along" \
	gone_meanwhile
