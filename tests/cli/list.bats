#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# pcb-collect list: the devices of this machine.

load helpers

# A run that is not refused must be short.
tests pcb-collect -n 1

setup_file() {
	example_tree "$BATS_FILE_TMPDIR/tree"
}

@test "list: the functions of this machine, and the simulated device" {
	columns=host,backend,device,parent,link,driver,node,benches,why_not,name
	collects list -P
	[ "$stderr" = "" ]
	[ "${lines[0]}" = $columns ]
	[[ "$output" = *"
$(uname -n),sim,sim:default,,gen3x8/mps256/mrrs512/rcb64,,0,\
lat_rd lat_wrrd bw_rd bw_wr bw_rdwr,,simulated device"* ]]
	[ "$(grep ,pci, <<<"$output" | cut -d, -f3 | xargs)" = \
		"$(find /sys/bus/pci/devices -mindepth 1 -printf '%f\n' |
			sort | xargs)" ]
	rows=$((${#lines[@]} - 1))
	collect list
	[ "${lines[0]}" = "# pcb-csv: 1" ]
	[ "${lines[-1]}" = "# end: rows=$rows complete=yes" ]
	[ "${#lines[@]}" = $((rows + 5)) ]
	collect list -f jsonl
	[ "${#lines[@]}" = $rows ]
	[ "$(grep -c '^{"host":".*,"backend":".*,"name":".*}$' <<<"$output")" = \
		$rows ]
	collects list -f table
	[[ "$output" = *sim:default* && "$output" != *"# "* ]]
}

@test "list: what cannot be read says why" {
	collects list -P --root "$PWD/none"
	[ "$(grep ,pci, <<<"$output")" = "$(uname -n),pci,,,,,,,\
pci: $PWD/none/sys/bus/pci/devices: No such file or directory," ]
	collect list -P -d sim -l host=rack7
	[ "$(column host <<<"$output")" = rack7 ]
	try pcb-collect list -l bios=2
	[[ "$status" = 2 && "$stderr" = *"-l bios: a list has no such"* ]]
	collect list -P -d sim
	[ "${#lines[@]}" = 2 ] && [[ "${lines[1]}" = *,sim,sim:default,* ]]
}

@test "list: only what -d names, by address, ID or backend" {
	tree=$BATS_FILE_TMPDIR/tree
	collect list -P --root "$tree" -d 03:00.0 -d 01:00.0
	[ "$(column device <<<"$output" | xargs)" = \
		"0000:01:00.0 0000:03:00.0" ]
	collect list -P --root "$tree" -d 8086:1234
	[ "$(column device <<<"$output" | grep -c :)" = 12 ]
	collect list -P --root "$tree" -d 8086:4321
	is 3 "" "pcb-collect: -d 8086:4321: no such device ('pcb-collect"
}

@test "list: a tree" {
	collects list -P --root "$BATS_FILE_TMPDIR/tree"
	[ "$stderr" = "" ]
	[ "$(tail -n +2 <<<"$output" | grep -v ,i210, | cut -d, -f2-8)" = \
		"pci,0000:00:00.0,,,,,lat_cfg
pci,0000:00:01.0,,,,,lat_cfg
pci,0000:00:1f.0,,,,,lat_cfg
pci,0000:01:00.0,0000:00:01.0,gen4x16/mps256/mrrs512/rcb64,,,lat_cfg
pci,0000:02:00.0,0000:01:00.0,,,,lat_cfg
pci,0000:02:01.0,0000:01:00.0,,,,lat_cfg
pci,0000:03:00.0,0000:02:00.0,gen3x8/mps256/mrrs512/rcb64/ecrc,,,lat_cfg
pci,0000:04:10.0,0000:02:00.0,,,,lat_cfg
pci,0000:05:00.0,0000:02:01.0,gen1x1/mps128/mrrs512/rcb64,,,lat_cfg
pci,0000:06:03.0,0000:05:00.0,,,,lat_cfg
pci,0001:00:01.0,,,,,lat_cfg
pci,0001:01:00.0,0001:00:01.0,gen5x4/mps512/mrrs4096/rcb128,,,lat_cfg
pmu,,,,,,
sim,sim:default,,gen3x8/mps256/mrrs512/rcb64,,0,\
lat_rd lat_wrrd bw_rd bw_wr bw_rdwr" ] || show list
}

@test "list: options of all backends, and of none" {
	runs pcb-collect list -O help
	[ "$(grep -c '^Options of ' <<<"$output")" -gt 5 ]
	[[ "$output" = *"Options of nvme ("*"-O unbind=no"* ]]
	tests pcb-collect
	wrong "-O 'bogus': no backend has such an option" list -O bogus=1
	wrong "-O 'unbind': a value is missing (-O unbind=VALUE)" list -O unbind
}

@test "where no device can be listed, the reason is said" {
	[ "$(id -u)" = 0 ] || skip "root only"
	unshare -m true || skip "no mount namespaces here"
	for bench in lat_cfg lat_rd; do
		try unshare -m sh -ec "mount -t tmpfs none /sys/bus
			exec pcb-collect $bench -d 77:1f.7"
		is 3 "" "pcb-collect: 0000:77:1f.7: pci: /sys/bus/pci/devices: \
No such file or directory"
	done
}
