# SPDX-License-Identifier: GPL-2.0-or-later
# kernel: iomem=relaxed
#
# Devices that are removed, or change drivers, during a measurement. Each test
# restores what it changed.
# shellcheck shell=dash disable=SC2154

# meanwhile FUNCTION ARGUMENT...: measures, and calls FUNCTION once there are
# rows.
meanwhile() {
	function=$1
	shift
	start timeout -s KILL 20 pcb-collect lat_cfg -P "$@"
	under_way
	"$function"
	finish
}

# as_many_of_each: numbers of rows per device differ by at most the last round.
as_many_of_each() {
	[ "$(grep -v '^#' out | awk -F, '{ print NF }' | sort -u)" = 10 ]
	column device <out | sort | uniq -c | awk '
	{ least = !least || $1 < least ? $1 : least; most = $1 > most ? $1 : most }
	END { print least, most; exit NR != 6 || most - least > 1 }'
}

list() {
	pcb-collect list -P
}

take_out() {
	echo 1 >"$devices/0000:07:00.0/remove"
}

removed() {
	list >before
	meanwhile take_out -d 07:00.0 --path -n 1000G
	gives 2 \
		'pcb-collect: 0000:07:00.0: reading register 0x08: No such device'
	as_many_of_each
	run pcb-collect lat_cfg -d 07:00.0
	gives 3 "pcb-collect: 0000:07:00.0: no such device ('pcb-collect list' \
shows all)"
	list | diff before - | grep '^-[^-]' >gone
	[ "$(cut -d, -f3 gone | sort -u)" = 0000:07:00.0 ]
	echo 1 >/sys/bus/pci/rescan
	list | diff before -
}
check "a device that is removed: what there is stays" removed

# A whole switch, with the device below it.
take_switch() {
	echo 1 >"$devices/0000:02:00.0/remove"
}

removed_above() {
	list >before
	meanwhile take_switch -d 07:00.0 --path -n 1000G
	gives 2
	tail -n 1 err | grep 'reading register 0x08: No such device$'
	as_many_of_each
	list | diff before - | grep '^-[^-]' | grep -c ,pci, | grep -x 7
	echo 1 >/sys/bus/pci/rescan
	list | diff before -
}
check "a switch above it that is removed" removed_above

# The bridge above forwards nothing any more, as if the link were down.
cut_off() {
	setpci -s 06:00.0 SECONDARY_BUS=fe
}

silent() {
	bus=$(setpci -s 06:00.0 SECONDARY_BUS)
	meanwhile cut_off -d 07:00.0 --path -n 1000G
	setpci -s 06:00.0 SECONDARY_BUS="$bus"
	gives 2 'pcb-collect: 0000:07:00.0: register 0x08 reads all ones: the '\
'device is gone or does not answer'
	as_many_of_each
	run pcb-collect lat_cfg -d 07:00.0 -n 2
	gives 0
}
check "a device that does not answer any more" silent

unbind() {
	echo 0000:01:00.0 >/sys/bus/pci/drivers/nvme/unbind
}

unbound() {
	list >before
	meanwhile unbind -d 01:00.0 --time 3s -n 1000G
	gives 0
	[ "$(list | grep ,pci,0000:01:00.0, | cut -d, -f6)" = '' ]
	run pcb-collect lat_cfg -d 01:00.0 -n 2
	gives 0
	echo 0000:01:00.0 >/sys/bus/pci/drivers/nvme/bind
	list | diff before -
}
check "a device that loses its driver is measured on" unbound
