# SPDX-License-Identifier: GPL-2.0-or-later
# pcb-doctor and errors that QEMU's monitor injects; it is on a serial line of
# the guest. The kernel gets no report of them: they stay in registers. The line
# has its own IRQ: two lines that share one lose interrupts, and then bytes.
# qemu: -chardev socket,id=monitor,path=monitor,server=on,wait=off -mon monitor -chardev socket,id=line,path=monitor -device isa-serial,chardev=line,irq=5
# shellcheck shell=dash disable=SC2154

# errors: the errors of the e1000e that pcb-doctor finds.
errors() {
	run pcb-doctor "$nic"
	gives 0
	grep "^model,errors,$nic," out
}

# inject ERROR: injects it into the e1000e with QEMU's monitor. Until the line
# is set to -echo, it returns the monitor's greeting: an empty line ends that.
inject() {
	printf '\npcie_aer_inject_error nic0 %s\n' "$1" >/dev/ttyS3
}

injected() {
	nic=$(find_function 8086:10d3)
	stty -F /dev/ttyS3 raw -echo
	! errors || false
	inject BAD_TLP
	await 10 errors
	errors | grep "likely,,errors in its registers: BadTLP,"
	inject MALF_TLP
	await 10 eval 'errors | grep "registers: .*BadTLP, MalfTLP"'
}
check "errors that were injected are found" injected
