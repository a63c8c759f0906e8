#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# pcb-collect ddio --find: the unit that counts a device, as the kernel's files
# say.

load helpers

setup_file() {
	example_tree "$BATS_FILE_TMPDIR/tree"
}

# 03:00.0 is below bus 01, which at first no unit counts.
setup() {
	cd "$BATS_TEST_TMPDIR" || exit
	own_tree
	tests pcb-collect
	mkdir -p tree/sys/devices/pci0000:01
	mv tree/sys/bus/pci/devices/0000:03:00.0 tree/sys/devices/pci0000:01
	ln -s ../../../devices/pci0000:01/0000:03:00.0 tree/sys/bus/pci/devices
	for cpu in 0 4; do
		mkdir -p "tree/sys/devices/system/cpu/cpu$cpu/topology"
		echo $((cpu / 4)) >"tree/sys/devices/system/cpu/cpu$cpu/topology/physical_package_id"
	done
	units=tree/sys/bus/event_source/devices
	for unit in 0 1; do
		pmu "uncore_iio_$unit" $((40 + unit)) 0,4
		echo 0000:0$((4 * unit)) >"$units/uncore_iio_$unit/die0"
		echo 0000:8$((4 * unit)) >"$units/uncore_iio_$unit/die1"
	done
	find=(pcb-collect ddio --root tree --find 03:00.0)
}

@test "the unit that the kernel names is a row of a map" {
	echo 0000:01 >"$units/uncore_iio_1/die1"
	runs "${find[@]}"
	[ "$stderr" = "$no_sysfs" ]
	[[ "$output" = "# pcb-csv: "*"
# command: pcb-collect "*"
# kernel: "* ]] || show preamble
	[ "${lines[-1]}" = "# end: rows=1 complete=yes" ]
	[ "${lines[-2]}" = "$(uname -n),virtual,0000:03:00.0,1,iio1," ]
	[ "${lines[-3]}" = host,kind,device,socket,unit,part ]
	echo "$output" >map.csv
	cpu x86,ven0000fam0006mod008F
	# Of the two units this one is asked.
	try pcb-collect ddio --root tree -d pmu:03:00.0 -O map=map.csv
	is 3 "" "pcb-collect: uncore_iio_1: event: no such field or event"
	try "${find[@]}" -f jsonl -P -o found
	is 0 "" "$no_sysfs"
	[[ "$(<found)" = '{"host":"'*'","kind":"virtual",'\
'"device":"0000:03:00.0","socket":"1","unit":"iio1"'* ]] || show found
}

@test "a kernel that does not tell" {
	unknown="pcb-collect: 0000:03:00.0: the kernel does not say which unit \
counts bus 0000:01 (no file die* of uncore_iio_* names it)"
	try "${find[@]}"
	is 3 "" "$unknown"
	rm -r "$units"
	try "${find[@]}"
	is 3 "" "$unknown"
	fails 3 "0000:66:00.0: no such device in tree/sys/bus/pci" ddio \
		--root tree --find 66:00.0
}

@test "wrong command lines" {
	wrong "--find 'eth0': not a device (such as 03:00.0)" ddio --find eth0
	wrong "--find is for ddio, not for lat_cfg" lat_cfg --find 03:00.0
	wrong "--find is for ddio, not for list" list --find 03:00.0
	wrong "-i is for ddio and link, not for ddio --find" ddio --find 03:00.0 -i 1s
	wrong "'true': --find runs no command" ddio --find 03:00.0 -- true
	for option in -d,pmu -l,a=b -r,2 -n,2 -O,map=m --time,1s; do
		wrong "${option%,*} is not for ddio --find" ddio \
			--find 03:00.0 "${option%,*}" "${option#*,}"
	done
}
