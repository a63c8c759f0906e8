# SPDX-License-Identifier: GPL-2.0-or-later
# Measurements change no device: compares its state before and after.
# shellcheck shell=dash disable=SC2154

# state DIRECTORY: saves config space, power management and drivers.
state() {
	configs "$1"
	for bdf in $(functions); do
		for file in power/control enable power_state; do
			echo "$bdf $file $(cat "$devices/$bdf/$file" || :)"
		done
		echo "$bdf $(readlink "$devices/$bdf/driver" || :)"
	done >"$1/state" 2>/dev/null
}

# Saves it again and compares.
as_before() {
	state after
	diff -r before after
}

programs_ran() {
	state before
	for who in '' user; do
		run $who pcb-collect lat_cfg -n 200
		gives 0
		run $who pcb-collect lat_cfg -n 200 -d 07:00.0 --path
		gives 0
		run $who pcb-collect list
		gives 0
	done
	run pcb-model link --device 01:00.0
	gives 0
	as_before
}
check "every function is as before" programs_ran

stopped() {
	state before
	for signal in INT KILL; do
		start pcb-collect lat_cfg -n 1000G
		under_way
		kill -$signal $!
		finish
		[ "$status" -gt 128 ]
	done
	as_before
}
check "and before a measurement that was stopped or killed" stopped
