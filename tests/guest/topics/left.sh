# SPDX-License-Identifier: GPL-2.0-or-later
# What remains if program and guardian are killed; two runs at a time.
# shellcheck shell=dash disable=SC2154

bdf=0000:01:00.0

# both_killed: kills program and guardian while the device is taken.
both_killed() {
	echo auto >"$devices/$bdf/power/control"
	start pcb-collect lat_nvme -d nvme:$bdf -O unbind=yes -n 1000G
	driving
	# shellcheck disable=SC2046
	kill -KILL $(pidof pcb-guardian) $!
	finish
	gives 137
	[ "$(bound_to $bdf)" = vfio-pci ]
}

restored() {
	both_killed
	run pcb-collect lat_nvme -d nvme:$bdf -O unbind=yes -n 1
	gives 0
	grep "/run/pcb-tools/.*: a killed run left these settings changed: 'pcb-collect restore' \
restores them" err
	run pcb-collect restore
	gives 0
	unchanged $bdf nvme
	[ "$(cat "$devices/$bdf/power/control")" = auto ]
	[ ! "$(ls /run/pcb-tools)" ]
	run pcb-collect restore
	gives 0
	[ ! -s out ] && [ ! -s err ]
}
check "restore puts back what both have left" restored

held_and_taken() {
	echo auto >"$devices/$bdf/power/control"
	start pcb-collect lat_cfg -d $bdf -n 1000G --hold power
	under_way
	first=$!
	cp out first
	status=0
	pcb-collect lat_nvme -d nvme:$bdf -O unbind=yes -n 1 >other 2>why ||
		status=$?
	[ "$status" = 3 ]
	grep "$bdf/power/control: process $first changed it" why
	[ "$(bound_to $bdf)" = nvme ]
	kill -INT $first
	finish
	gives 130
	[ "$(cat "$devices/$bdf/power/control")" = auto ]
}
check "a device that another run holds is not taken" held_and_taken

stopped() {
	for whom in guardian both; do
		start pcb-collect lat_nvme -d nvme:$bdf -O unbind=yes -n 1000G
		driving
		kill -STOP "$(pidof pcb-guardian)"
		if [ $whom = both ]; then
			kill -STOP $!
			sleep 1
			kill -CONT $!
		fi
		kill -TERM $!
		finish
		gives 143
		is_as_before $bdf nvme
	done
}
check "a device is given back where its guardian was stopped" stopped
