# SPDX-License-Identifier: GPL-2.0-or-later
# pcb-collect link on a real kernel, and errors that QEMU's monitor injects, as
# in aer.sh.
# qemu: -chardev socket,id=monitor,path=monitor,server=on,wait=off -mon monitor -chardev socket,id=line,path=monitor -device isa-serial,chardev=line,irq=5
# shellcheck shell=dash disable=SC2154

# watch OPTION...: until `finish`; rows come in /tmp as they are seen.
watch() {
	start pcb-collect link -P -i 20ms "$@"
	await 10 grep -q ,present, out
	sleep 0.5
}

# changes WHAT: "DEVICE WHAT OLD NEW" of each row with an old value.
changes() {
	awk -F, -v what="$1" 'NR > 1 && $10 != "" && $8 ~ what {
		print $5, $8, $10, $11
	}' out
}

monitor() {
	printf '\n%s\n' "$1" >/dev/ttyS3
}

# injected ERROR...: injects errors, of a device of QEMU, while it watches.
injected() {
	nic=$(find_function 8086:10d3)
	stty -F /dev/ttyS3 raw -echo
	# Other topics have left errors, and what sleeps is not read.
	setpci -s "$nic" ECAP_AER+10.l=ffffffff
	echo on >"$devices/$nic/power/control"
	watch -d "$nic"
	for error; do
		monitor "pcie_aer_inject_error $error"
		sleep 1
	done
	kill -INT $!
	finish
}

unreported() {
	injected "nic0 BAD_TLP" "nic0 BAD_DLLP" "nic0 REP_TIMER"
	changes ^cor_status >seen
	diff - seen <<-END
	$nic cor_status 0 64
	$nic cor_status 64 192
	$nic cor_status 192 4288
	END
	[ "$(changes '[.]')" = '' ]
}
check "errors that the kernel does not hear of are seen in their order" unreported

# QEMU reports to the kernel what is not correctable, and only errors of ports.
counted() {
	injected "down0 COMP_TIME" "p5 ECRC" "down0 COMP_TIME" "up0 UNX_COMP"
	changes '[.]' >seen
	diff - seen <<-'END'
	0000:03:00.0 nonfatal.CmpltTO 0 1
	0000:00:05.0 nonfatal.ECRC 0 1
	0000:03:00.0 nonfatal.CmpltTO 1 2
	0000:02:00.0 nonfatal.UnxCmplt 0 1
	END
	grep -v ' 0$' "$devices"/*/aer_dev_nonfatal |
		sed 's|.*devices/||' >seen
	diff - seen <<-'END'
	0000:00:05.0/aer_dev_nonfatal:ECRC 1
	0000:00:05.0/aer_dev_nonfatal:TOTAL_ERR_NONFATAL 1
	0000:02:00.0/aer_dev_nonfatal:UnxCmplt 1
	0000:02:00.0/aer_dev_nonfatal:TOTAL_ERR_NONFATAL 1
	0000:03:00.0/aer_dev_nonfatal:CmpltTO 2
	0000:03:00.0/aer_dev_nonfatal:TOTAL_ERR_NONFATAL 2
	END
}
check "the counts of the kernel are the errors that were injected" counted

asleep() {
	nvme=0000:01:00.0
	echo "$nvme" >"$devices/$nvme/driver/unbind"
	echo auto >"$devices/$nvme/power/control"
	await 10 grep -q suspended "$devices/$nvme/power/runtime_status" ||
		skip "this device does not fall asleep"
	state=$(cat "$devices/$nvme/power_state")
	run pcb-doctor --watch 1s
	[ "$(key unseen <out)" = "1 functions" ]
	run timeout -s INT 2 pcb-collect link -i 10ms
	[ "$(cat "$devices/$nvme/power_state")" = "$state" ]
	[ "$(cat "$devices/$nvme/power/runtime_status")" = suspended ]
	[ "$(grep -c "^.*,$nvme,.*,gen,\|^$nvme,.*,gen," out)" = 0 ]
	key not_seen <out | grep "it sleeps ($nvme)"
	echo on >"$devices/$nvme/power/control"
	echo "$nvme" >/sys/bus/pci/drivers/nvme/bind
}
check "a device that sleeps is not woken" asleep

# QEMU trains in no time: a retraining leaves no trace.
retrained() {
	configs before
	watch -d 01:00.0
	setpci -s 00:04.0 CAP_EXP+10.w=20:20
	sleep 0.5
	kill -INT $!
	finish
	[ "$(changes .)" = '' ]
	configs after
	diff -r before after
}
check "a retraining by another program: no register differs" retrained

removed() {
	watch -d 07:00.0
	echo 1 >"$devices/0000:07:00.0/remove"
	sleep 1
	echo 1 >/sys/bus/pci/rescan
	sleep 1
	kill -INT $!
	finish
	changes present >seen
	diff - seen <<-'END'
	0000:07:00.0 present 1 0
	0000:07:00.0 present 0 1
	END
}
check "a device that is removed and comes back" removed

unplugged() {
	nic=$(find_function 8086:10d3)
	stty -F /dev/ttyS3 raw -echo
	watch -d "$nic"
	monitor "device_del nic0"
	await 10 test ! -e "$devices/$nic" || skip "the guest does not unplug it"
	sleep 0.5
	kill -INT $!
	finish
	[ "$(changes present)" = "$nic present 1 0" ]
}

as_user() {
	run user pcb-collect link -n 1 -d 01:00.0 -P
	gives 0
	[ "$(grep -c ',gen,0,,\|,lanes,0,,' out)" = 4 ]
}
check "an ordinary user sees speed and width" as_user
check "a device that is unplugged" unplugged
