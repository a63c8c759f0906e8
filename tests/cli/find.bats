#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# pcb-collect ddio --find: the part that counts a device. Parts are software
# events of a CPU: 0 is its page faults, 1 its migrations, and 2 are emulation
# faults, which never occur. bats sets $output, $lines and $stderr; scripts are
# for other shells.
# shellcheck disable=SC2016,SC2154

load helpers

setup_file() {
	example_tree "$BATS_FILE_TMPDIR/tree"
}

setup() {
	cd "$BATS_TEST_TMPDIR" || exit
	own_tree
	tests pcb-collect
	cpu x86,ven0000fam0006mod008F
	our_cpu=$(taskset -pc $$ | sed 's/.*: //; s/[-,].*//')
	mkdir -p "tree/sys/devices/system/cpu/cpu$our_cpu/topology"
	echo 1 >"tree/sys/devices/system/cpu/cpu$our_cpu/topology/physical_package_id"
	find=(pcb-collect ddio --root tree -O events=./faults.csv
		--find 03:00.0)
}

# faults [PMU]: parts of units that count a CPU's faults, in these groups.
faults() {
	pmu "${1:-faults}_0" 1 "$our_cpu" event=config:0 which=config:1-7
	cat >faults.csv <<-EOF
	# Faults
	group,event,pmu,terms,part,parts,why_not
	inbound,faults,${1:-faults},event=0,which,3,
	outbound,answers,${1:-faults},event=0,which,3,
	EOF
	try "${find[@]}" -n 1 -i 1ms -- true
	[ "$status" != 3 ] || skip "no counting allowed here: $stderr"
}

# Many page faults.
many='i=0; while [ $i -lt 300 ]; do (:); i=$((i + 1)); done'

# idle_ticks: the time for which this CPU has been idle.
idle_ticks() {
	awk -v cpu="cpu$our_cpu" '$1 == cpu { print $5 }' /proc/stat
}

# alone: nearly nothing but this test, which counts faults, runs on this CPU.
alone() {
	local before

	before=$(idle_ticks)
	sleep 0.3
	(($(idle_ticks) - before >= 25)) || skip "CPU $our_cpu has other work"
}

# seek STATUS ARGUMENT...: with that traffic, until it ends with the status.
# Everything runs on that CPU, since moving there would be a migration.
seek() {
	local attempt

	alone
	for attempt in 1 2 3 4 5; do
		try taskset -c "$our_cpu" "${find[@]}" \
			"${@:2}" -- sh -c "$many"
		[ "$status" != "$1" ] || return 0
	done
	alone
	show "status $1, in $attempt attempts"
}

@test "the part that a command moves is found, and is a row of a map" {
	faults
	seek 0 -n 4
	[ "$stderr" = "$no_sysfs" ]
	[[ "$output" = *"
# groups: inbound
# traffic: command
"*"
# rounds: 4
"* ]]
	[ "${lines[-1]}" = "# end: rows=1 complete=yes" ]
	[[ "${lines[-2]}" = *",virtual,0000:03:00.0,1,faults_0,0,"* ]]
	[ "${lines[-3]}" = "host,kind,device,socket,unit,part,\
quiet_counts_per_s,busy_counts_per_s" ]
	awk -F, '{ exit !($7 < $8) }' <<<"${lines[-2]}"
	# Maps can be concatenated.
	{
		echo "${output/0000:03:00.0,1,faults_0,0/0000:04:10.0,1,faults_0,2}"
		echo "$output"
	} >map.csv
	for device in 03:00.0=0 04:10.0=2; do
		try pcb-collect ddio --root tree -i 1ms \
			-O events=./faults.csv -O groups=inbound \
			-d "pmu:${device%=*}" -O map=map.csv
		[ "$status" = 0 ]
		[ "$(grep -v '^#' <<<"$output" | column part)" = "${device#*=}" ]
	done
}

@test "with jsonl it is an object" {
	faults
	seek 0 -n 4 -f jsonl -P
	[[ "$output" = '{"host":"'*'"device":"0000:03:00.0","socket":1,'* ]]
}

@test "where nothing moves there is no row" {
	faults
	try "${find[@]}" -n 2 -i 10ms -O parts=2 -- true
	is 1 "" "$no_sysfs
pcb-collect: 0000:03:00.0: no part counts more in all intervals with traffic"
}

# device_below BUS: the place of 03:00.0 in sysfs.
device_below() {
	mkdir -p "tree/sys/devices/pci$1"
	mv tree/sys/bus/pci/devices/0000:03:00.0 "tree/sys/devices/pci$1"
	ln -s "../../../devices/pci$1/0000:03:00.0" tree/sys/bus/pci/devices/
}

@test "what the kernel says of the unit is compared" {
	faults uncore_iio
	device_below 0000:01
	echo 0000:01 >tree/sys/bus/event_source/devices/uncore_iio_0/die0
	try "${find[@]}" -n 2 -i 10ms -O parts=2 -- true
	is 1 "" "$no_sysfs
pcb-collect: 0000:03:00.0: no part counts more in all intervals with traffic; \
the kernel says that it is in iio0 of socket 1"
	seek 0 -n 4
	echo 0000:02 >tree/sys/bus/event_source/devices/uncore_iio_0/die0
	pmu uncore_iio_1 1 "$our_cpu" event=config:0 which=config:3-7
	echo 0000:01 >tree/sys/bus/event_source/devices/uncore_iio_1/die0
	sed -i 's/which,3/which,1/' faults.csv
	for _ in 1 2 3 4 5; do
		seek 1 -n 4
		[[ "$stderr" != *"but the kernel says"* ]] || break
	done
	[[ "$stderr" = *"not clear: part 0 of iio0 in socket 1 ("*" a second \
more), but the kernel says that it is in iio1 of socket 1" ]] || show "iio1"
}

@test "two that move alike are not clear" {
	faults
	pmu faults_1 1 "$our_cpu" event=config:0 which=config:1-7
	for _ in 1 2 3 4 5; do
		seek 1 -n 4
		[[ "$stderr" != *"not clear"* ]] || break
	done
	[ "$output" = "" ]
	[[ "$stderr" = *"
pcb-collect: 0000:03:00.0: not clear: part 0 of faults_"?" in socket 1 ("*\
" a second more), part 0 of faults_"?" in socket 1 ("*" a second more)" ]] ||
		show "not clear"
}

# memory DEVICE: BAR 0 of an NVMe controller, version 1.4.
memory() {
	local dir=tree/sys/bus/pci/devices/0000:$1

	truncate -s 16384 "$dir/resource0"
	printf '\1\2\10\1' |
		dd of="$dir/config" bs=1 seek=8 conv=notrunc status=none
	printf '\6' | dd of="$dir/config" bs=1 seek=4 conv=notrunc status=none
	printf '%b' "$2" |
		dd of="$dir/resource0" bs=1 seek=8 conv=notrunc status=none
	sed -i "1s/.*/0xfe000000 0xfe003fff 0x0000000000040200/" "$dir/resource"
}

@test "without a command a register of the device is read" {
	faults
	# Not counted either.
	echo config,spaces,,,,,none here >>faults.csv
	try "${find[@]}" -n 2 -i 10ms -O parts=2
	is 3 "" "pcb-collect: 0000:03:00.0: no register of it is known to \
be free of side effects, so the CPU cannot make traffic that is counted here: \
name a command that uses the device, as in --find 0000:03:00.0 -- COMMAND"
	memory 03:00.0 '\0\4\1\0'
	try "${find[@]}" -n 2 -i 10ms -O parts=2
	is 1 "" "$no_sysfs
pcb-collect: 0000:03:00.0: no part counts more in all intervals with traffic"
	memory 03:00.0 '\377\377\377\377'
	try "${find[@]}" -n 2 -i 10ms -O parts=2
	is 2 "" "$no_sysfs
pcb-collect: 0000:03:00.0: it does not answer, or sleeps"
	mkdir tree/sys/bus/pci/devices/0000:03:00.0/power
	while read -r control state; do
		echo "$control" >tree/sys/bus/pci/devices/0000:03:00.0/power/control
		echo "$state" >tree/sys/bus/pci/devices/0000:03:00.0/power_state
		try "${find[@]}" -n 2 -i 10ms -O parts=2
		is 3 "" "pcb-collect: 0000:03:00.0: it sleeps, or may fall \
asleep, and its memory then does not answer: 'echo on > \
tree/sys/bus/pci/devices/0000:03:00.0/power/control' keeps it awake"
	done <<-'EOF'
	auto D0
	on D3hot
	EOF
}

@test "or its configuration space, where such reads are counted" {
	faults
	sed -i 's/outbound,answers/config,reads/' faults.csv
	try "${find[@]}" -n 2 -i 10ms -O parts=2
	is 1 "" "$no_sysfs
pcb-collect: 0000:03:00.0: no part counts more in all intervals with traffic"
	printf '\377\377\377\377' | dd conv=notrunc status=none \
		of=tree/sys/bus/pci/devices/0000:03:00.0/config
	try "${find[@]}" -n 2 -i 10ms -O parts=2
	is 2 "" "$no_sysfs
pcb-collect: 0000:03:00.0: it does not answer, or sleeps"
}

@test "commands that fail, are not there, or take too long" {
	faults
	try "${find[@]}" -O parts=2 -- false
	is 2 "" "$no_sysfs
pcb-collect: false: ended with status 1: it may have made no traffic"
	try "${find[@]}" -O parts=2 -- ./nothing
	is 2 "" "$no_sysfs
pcb-collect: ./nothing: No such file or directory"
	try timeout 20 "${find[@]}" -O parts=2 -n 1 -i 20ms \
		-- sleep 60
	[ "$status" = 1 ] || show "1"
}

@test "a signal ends command and search" {
	faults
	"${find[@]}" -O parts=2 -- sh -c 'echo $$ >pid; exec sleep 60' \
		>found 2>/dev/null 3>&- &
	wait_for_bytes pid 2
	kill -TERM $!
	wait $! || status=$?
	[ "$status" = 143 ]
	[ ! -s found ]
	[ ! -e "/proc/$(cat pid)" ]
}

@test "without the right to count it is said what to set" {
	faults
	[ "$(id -u)" = 0 ] || skip "needs root, to drop its rights"
	[ "$(cat /proc/sys/kernel/perf_event_paranoid)" -gt 0 ] ||
		skip "perf_event_paranoid allows it to everybody"
	try setpriv --bounding-set=-all --inh-caps=-all \
		"${find[@]}" -- true
	[ "$status" = 3 ]
	[ "$output" = "" ]
	[[ "$stderr" = *"pcb-collect: opening faults of faults_0 on CPU \
$our_cpu: Permission denied: counting for a whole CPU takes CAP_PERFMON, or "* ]]
}

@test "what is not there cannot be found" {
	fails 3 "0000:66:00.0: no such device in tree/sys/bus/pci" ddio \
		--root tree --find 66:00.0
	fails 3 "no PMU called uncore_cha, uncore_iio, uncore_irp, uncore_imc \
in tree/sys/bus/event_source/devices: the driver is not loaded (intel_uncore, \
amd_uncore, hisi_pcie_pmu, dwc_pcie_pmu, nvidia_cspmu) or too old, or this is \
a virtual machine" ddio --root tree --find 03:00.0
	faults
	sed -i 's/which,3,$/,,/' faults.csv
	try "${find[@]}" -- true
	is 3 "" "$no_sysfs
pcb-collect: no event that is counted here distinguishes parts"
	try "${find[@]}" -O groups=none -- true
	is 3 "" "pcb-collect: -O groups: 'none': not one of inbound,outbound"
}

@test "wrong command lines" {
	wrong "--find 'eth0': not a device (such as 03:00.0)" ddio --find eth0
	wrong "--find is for ddio, not for lat_cfg" lat_cfg \
		--find 03:00.0
	wrong "-d is not for ddio --find" ddio --find 03:00.0 -d pmu
	wrong "-l is not for ddio --find" ddio --find 03:00.0 -l a=b
	wrong "-r is not for ddio --find" ddio --find 03:00.0 -r 2
	wrong "--time is not for ddio --find" ddio --find 03:00.0 --time 1s
	wrong "--find is for ddio, not for list" list --find 03:00.0
	fails 2 "-O map cannot be combined with --find, which finds it" ddio --find 03:00.0 \
		--root tree -O map=map.csv
}
