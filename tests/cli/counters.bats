#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# pcb-collect ddio: counters. Sysfs trees replace machines; if a count is
# needed, a PMU of the tree is the kernel's clock of a CPU.

load helpers

tests pcb-collect

# clocks: two clocks of CPU 0 in one group, and an event that it lacks.
clocks() {
	cpu x86,ven0000fam0006mod008F
	pmu clock_0 1 0 event=config:0-7 half=config1:0-7
	cat >clocks.csv <<-'EOF'
	# Clocks of the kernel
	group,event,pmu,terms,part,parts,why_not
	time,cpu_clock,clock,event=0,,,
	time,task_clock,clock,event=1,,,
	time,sundial,,,,,no sun
	time,hourglass,sand,event=0,,,
	parts,UNC_IIO_DATA_REQ_OF_CPU.MEM_READ,clock,event=0,half,2,
	EOF
	counts=(pcb-collect ddio --root tree -O events=./clocks.csv)
	try "${counts[@]}" -i 1ms
	[ "$status" != 3 ] || skip "no counting allowed here: $stderr"
}

@test "without a PMU it is said which were looked for, by CPU" {
	mkdir -p tree/sys/bus/event_source/devices
	help="the driver is not loaded (intel_uncore, amd_uncore, \
hisi_pcie_pmu, dwc_pcie_pmu, nvidia_cspmu) or too old, or this is a virtual machine"
	while read -r model pmus; do
		cpu "$model"
		fails 3 "no device here can measure ddio
pcb-collect: pmu: no PMU called $pmus in tree/sys/bus/event_source/devices: $help" \
			ddio --root tree
		fails 3 "no PMU called $pmus in \
tree/sys/bus/event_source/devices: $help" ddio -d pmu --root tree
	done <<-'EOF'
	x86,ven0000fam0006mod0055 uncore_cha, uncore_iio, uncore_irp, uncore_imc
	x86,ven0002fam0019mod0011 amd_df
	x86,ven0002fam001Amod0002 amd_df
	x86,ven0002fam001Amod0011 amd_df
	aarch64 hisi_pcie*, dwc_rootport_*, nvidia_pcie_pmu
	EOF
}

@test "models of Intel have the events of their generation" {
	pmu uncore_imc_0 99 0 event=config:0-7
	while read -r model partial numa config msi; do
		cpu "x86,ven0000fam0006mod00$model"
		fails 3 "-O groups: 'none': not one of read,write,\
${partial#-}clock,${numa#-}inbound,outbound,${config#-}latency,${msi}irp,memory" \
			ddio -d pmu --root tree -O groups=none
	done <<-'EOF'
	55 - - config,
	6A partial, - config,completions,
	6C partial, - config,completions,
	8F partial, numa_read,numa_write, completions, msi,
	CF partial, numa_read,numa_write, completions, msi,
	AD partial, numa_read,numa_write, -
	AE partial, numa_read,numa_write, -
	AF partial, numa_read,numa_write, -
	B6 partial, numa_read,numa_write, -
	DD partial, numa_read,numa_write, -
	EOF
}

@test "a kernel that is older than the CPU knows its units by type only" {
	cpu x86,ven0000fam0006mod00AD
	pmu uncore_type_0_0 99 0
	fails 3 "no PMU called uncore_cha, uncore_iio, uncore_irp, \
uncore_imc in tree/sys/bus/event_source/devices: the kernel is too old to know \
this CPU's (uncore_type_*)" ddio -d pmu --root tree
}

@test "of other CPUs no events are known" {
	for model in x86,ven0000fam0006mod00A7 x86,ven0002fam0019mod0061 \
		x86,ven0002fam001Amod0044; do
		cpu $model
		fails 3 "no device here can measure ddio
pcb-collect: pmu: no events are known for this CPU (cpu:type:$model): \
-O events names a table" ddio --root tree
	done
	collect ddio --root nothing
	[ "${stderr##*(}" = "unknown): -O events names a table" ] || show unknown
	collect ddio --root tree -O events=nothing
	[ "$status" = 3 ]
	[[ "$stderr" = *"nothing: no such table of events"* ]]
}

@test "a kernel without this type of PMU" {
	cpu x86,ven0000fam0006mod008F
	pmu uncore_imc_0 4294967 0 event=config:0-7 umask=config:8-15
	collect ddio --root tree -P
	[ "$status" = 3 ]
	[ "$output" = "" ]
	[[ "$stderr" = *"pcb-collect: opening UNC_M_CAS_COUNT.RD of imc0 on CPU 0: "* ]] ||
		show "opening"
}

@test "without the right to count it is said what to set" {
	clocks
	[ "$(id -u)" = 0 ] || skip "needs root, to drop its rights"
	[ "$(cat /proc/sys/kernel/perf_event_paranoid)" -gt 0 ] ||
		skip "perf_event_paranoid allows it to everybody"
	mkdir -p tree/proc/sys/kernel
	echo 2 >tree/proc/sys/kernel/perf_event_paranoid
	try setpriv --bounding-set=-all --inh-caps=-all \
		"${counts[@]}" -P
	is 3 "" "$no_sysfs
pcb-collect: opening cpu_clock of clock_0 on CPU 0: Permission denied: \
counting for a whole CPU takes CAP_PERFMON, or kernel.perf_event_paranoid=0 \
or less (it is 2): sysctl \
kernel.perf_event_paranoid=0"
}

@test "counts of a real clock" {
	clocks
	runs "${counts[@]}" -i 20ms -n 3 -l note=x --wide
	[ "$stderr" = "$no_sysfs" ]
	[[ "$output" = *"
# not_counted: sundial (no sun); hourglass (no PMU called sand here)
"* ]]
	[[ "$output" != *"# seed"* && "$output" != *"# warmup"* ]]
	[ "${lines[-1]}" = "# end: rows=12 complete=yes" ]
	grep -v '^#' <<<"$output" >rows
	[ "$(head -n 1 rows)" = "host,run,kind,bench,socket,unit,part,event,\
note,time_ns,value,enabled_ns,running_ns" ]
	# A clock counts nanoseconds: nearly the time that it was enabled.
	awk -F, 'NR > 1 {
		rows++
		if ($3 != "virtual" || $4 != "ddio" || $5 != 1 ||
		    $6 != "clock_0" || $9 != "x")
			wrong = wrong " identity"
		if ($12 <= 0 || $13 != $12)
			wrong = wrong " times"
		enabled[$7 $8] += $12
		if ($11 < 0.9 * $12 || $11 > 1.1 * $12)
			wrong = wrong " value"
		times[$8] = times[$8] " " $12
		if ($8 == "cpu_clock" && $10 <= last)
			wrong = wrong " order"
		if ($8 == "cpu_clock")
			last = $10
		parts[$7]++
	}
	END {
		# A short interval follows a late reading: the sum counts.
		for (i in enabled)
			if (enabled[i] < 45e6)
				wrong = wrong " interval"
		# The members of a group were counted together.
		if (rows != 12 || times["cpu_clock"] != times["task_clock"])
			wrong = wrong " group"
		if (parts[""] != 6 || parts["0"] != 3 || parts["1"] != 3)
			wrong = wrong " parts"
		print wrong
	}' rows >wrong
	[ "$(cat wrong)" = "" ] || show "not wrong in$(cat wrong)"
}

@test "groups and parts are those asked for" {
	clocks
	try "${counts[@]}" -i 1ms -P -O groups=parts -O parts=1
	[ "$(column part <<<"$output")" = 1 ]
	try "${counts[@]}" -i 1ms -P -O groups=time
	[ "$(column event <<<"$output" | xargs)" = "cpu_clock task_clock" ]
	try "${counts[@]}" -O groups=time,none
	is 3 "" "pcb-collect: -O groups: 'none': not one of time,parts"
	try "${counts[@]}" -O groups=parts -O parts=7
	is 3 "" "pcb-collect: nothing to count: no event of these groups and \
parts is counted on this machine"
}

@test "while a command runs, with its output on stderr" {
	clocks
	runs "${counts[@]}" -O groups=time -r 2 -- \
		sh -c 'sleep 0.03; echo spoken; exit 5'
	[ "$stderr" = "$no_sysfs
spoken
spoken" ]
	[ "${lines[-1]}" = "# end: rows=4 complete=yes command_status=5" ]
	[ "$(column run <<<"$output" | xargs)" = "1 1 2 2" ]
	column enabled_ns <<<"$output" | awk '{ if ($1 < 30e6) exit 1 }'
}

# Not since boot, as clocks count.
@test "times are since the count began" {
	local up

	clocks
	read -r up _ </proc/uptime
	runs "${counts[@]}" -O groups=time -i 20ms -n 2
	column time_ns <<<"$output" |
		awk -v up="$up" '{ if ($1 < 20e6 || $1 > up * 1e9) exit 1 }'
}

@test "without an interval a command of a second and more is one" {
	clocks
	try "${counts[@]}" -O groups=time -- sleep 1.1
	[ "${lines[-1]}" = "# end: rows=2 complete=yes command_status=0" ]
	column enabled_ns <<<"$output" | awk '{ if ($1 < 1.1e9) exit 1 }'
}

@test "a command and intervals" {
	clocks
	# The command lasts until the rows of three intervals are written.
	"${counts[@]}" -O groups=time -i 10ms -P -- timeout 60 sh -c \
		'until [ "$(grep -c ,cpu_clock, rows)" -ge 3 ]; do sleep 0.01; done' \
		>rows
	[ "$(column event <rows | grep -c cpu_clock)" -ge 3 ]
}

@test "a command that is not there, or outlives the count" {
	clocks
	try "${counts[@]}" -P -- ./nothing
	[ "$status" = 2 ]
	[[ "$stderr" = *"pcb-collect: ./nothing: No such file or directory" ]]
	runs "${counts[@]}" -O groups=time -i 10ms -n 1 -- \
		sleep 60
	[ "${lines[-1]}" = "# end: rows=2 complete=yes" ]
	runs "${counts[@]}" -O groups=time --time 300ms -- \
		sleep 60
	[ "${lines[-1]}" = "# end: rows=2 complete=yes" ]
}

@test "a command that outlives a run has ended before the next" {
	clocks
	runs "${counts[@]}" -O groups=time -i 300ms -n 1 -r 2 -- \
		sh -c 'echo $$ >>pids; exec sleep 60'
	while read -r pid; do
		[ ! -e "/proc/$pid" ]
	done <pids
}

@test "a command that ends while the reader pauses takes no samples along" {
	clocks
	# The pipe is full before the first sample.
	{
		timeout 0.3 cat /dev/zero || :
		code=0
		"${counts[@]}" -i 10ms -- sh -c 'sleep 0.3; >ended' 2>err ||
			code=$?
		echo "$code" >code
	} 3>&- | {
		until [ -e ended ]; do sleep 0.01; done
		sleep 0.3
		tr -d '\0' >counted
	}
	[ "$(cat code)" = 0 ]
	[[ "$(tail -n 1 counted)" = "# end: "*" complete=yes command_status=0" ]]
}

@test "a signal ends command and count, and what was counted is there" {
	clocks
	"${counts[@]}" -O groups=time -- sh -c 'echo $$ >pid; exec sleep 60' \
		>counted 2>/dev/null 3>&- &
	wait_for_bytes pid 2
	kill -TERM $!
	wait $! || status=$?
	[ "$status" = 143 ]
	[ "$(tail -n 1 counted)" = "# end: rows=2 complete=no" ]
	[ ! -e "/proc/$(cat pid)" ]
}

@test "from counters to metrics" {
	clocks
	"${counts[@]}" -i 20ms 2>/dev/null | pcb-ddio -P 2>messages >metrics
	[ "$(column metric <metrics | sort -u)" = \
		io_inbound_read_bandwidth_gbit_s ]
	[ "$(column unit <metrics | sort -u)" = clock_0 ]
	[ "$(column part <metrics | xargs)" = "0 1" ]
	# 4 bytes per nanosecond.
	column value <metrics | awk '{ if ($1 < 31 || $1 > 33) exit 1 }'
	[[ "$(cat messages)" = "pcb-ddio: 2 rows of events that no metric uses"* ]]
}

@test "a bad table is refused" {
	cpu x86,ven0000fam0006mod008F
	header=group,event,pmu,terms,part,parts,why_not
	while IFS='|' read -r row message; do
		printf '%s\n' $header "$row" >bad.csv
		fails 2 "bad.csv:2: $message" \
			ddio -d pmu --root tree -O events=bad.csv
	done <<-'EOF'
	,a,b,event=1,,,|group: empty
	g,,b,event=1,,,|event: empty
	g,a,,,,,|pmu: either pmu and terms, or why_not
	g,a,b,,,,|pmu: either pmu and terms, or why_not
	g,a,b,event=1,,,no|pmu: either pmu and terms, or why_not
	g,a,b,event=1,x,,|parts: part and parts belong together
	g,a,b,event=1,,4,|parts: part and parts belong together
	g,a,b,event=1,x,0,|parts: '0': not a number from 1 to 32
	g,a,b,event=1,x,33,|parts: '33': not a number from 1 to 32
	EOF
	printf 'a\n1\n' >bad.csv
	fails 2 "bad.csv: no column 'group': there are a" \
		ddio -d pmu --root tree -O events=bad.csv
}

@test "a map tells the part of a device" {
	clocks
	printf '%s\n' device,socket,unit,part 65:00.0,1,clock_0,1 >map.csv
	runs "${counts[@]}" -i 1ms -d pmu:65:00.0 \
		-O map=map.csv
	[[ "$output" = *"
# place: 0000:65:00.0 socket=1 unit=clock_0 part=1
"* ]]
	[ "$(grep -v '^#' <<<"$output" | column part | xargs)" = 1 ]
	[ "$(grep -v '^#' <<<"$output" | column event | sort | xargs)" = \
		"UNC_IIO_DATA_REQ_OF_CPU.MEM_READ cpu_clock task_clock" ]
	printf '%s\n' device,socket,unit,part 65:00.0,1,clock_0, >map.csv
	try "${counts[@]}" -i 1ms -d pmu:65:00.0 \
		-O map=map.csv
	[[ "$output" = *"
# place: 0000:65:00.0 socket=1 unit=clock_0
"* ]]
	[ "$(grep -v '^#' <<<"$output" | column part | sort | xargs)" = "0 1" ]
	collect ddio -d pmu:66:00.0 --root tree -O events=./clocks.csv \
		-O map=map.csv
	is 3 "" "pcb-collect: map.csv: no row of 0000:66:00.0"
	fails 3 "0000:66:00.0: no such device in tree/sys/bus/pci" \
		ddio -d pmu:66:00.0 --root tree -O events=./clocks.csv
	fails 2 "-O map needs a device: -d pmu:BDF" \
		ddio -d pmu --root tree -O map=map.csv
	while IFS='|' read -r row message; do
		printf '%s\n' device,socket,unit,part "$row" 65:00.0,1,x, >map.csv
		collect ddio -d pmu:65:00.0 --root tree \
			-O events=./clocks.csv -O map=map.csv
		is 2 "" "pcb-collect: map.csv:$message"
	done <<-'EOF'
	eth0,0,iio0,|2: device: 'eth0': not a device such as 03:00.0
	65:00.0,0,iio0,x|2: part: 'x': not the number of a part
	65:00.0,0,iio0,4294967295|2: part: '4294967295': not the number of a part
	65:00.0,0,iio0,0|3: device: a second row of this device
	EOF
}

@test "list says whether counters are there; wrong command lines" {
	mkdir -p tree/sys/bus/event_source/devices
	cpu x86,ven0000fam0006mod008F
	collect list -P --root tree
	[[ "$output" = *',pmu,,,,,,,"pmu: no PMU called uncore_cha, '* ]]
	pmu uncore_imc_0 99 0
	collect list -P --root tree
	[[ "$output" = *',pmu,pmu,,,,,ddio,,counters of'* ]]

	# Wrong command lines.
	for command in 'ddio sleep' 'lat_rd -- sleep'; do
		# shellcheck disable=SC2086
		wrong "-d 'sleep': neither a device such as 03:00.0, eth0 or 8086:1533 \
nor a backend ('pcb-collect list' shows both)" $command
	done
	wrong "-i '5': not a time with its unit, such as 100ns, 1.5us, 10s, 5min or 1h" ddio -i 5
	wrong "-i '0s': must be greater than 0" ddio --interval 0s
	wrong "-i is for ddio and link, not for lat_rd" lat_rd -i 1s
	wrong "--warmup is not for ddio" ddio --warmup 0
	wrong "-s is not for ddio" ddio -s 64
	wrong "--path is for lat_cfg and lat_mmio, not for ddio" ddio --path
	wrong "--root '': empty" ddio -d pmu --root ''
}

# Two of three units are no clocks.
@test "events that only some units count are said once" {
	clocks
	pmu some_0 1 0 event=config:0-7
	pmu some_1 5 0 event=config:0-7
	pmu some_2 5 0 event=config:0-7
	printf 'time,%s,some,event=0,,,\n' one two >>clocks.csv
	runs "${counts[@]}" -i 1ms
	[ "$stderr" = "$no_sysfs
pcb-collect: one: the kernel refuses it on some_1 and others
pcb-collect: two: the kernel refuses it on some_1 and others" ]
	[[ "$output" = *"; one (refused by the kernel on some units); \
two (refused by the kernel on some units)
"* ]]
	[ "$(column unit <<<"$output" | grep -c some_0)" = 2 ]
}

# The kernel has no breakpoint without a type.
@test "an event that the kernel refuses is left out, and said" {
	clocks
	pmu breakpoint_0 5 0 event=config:0-7
	echo time,refused,breakpoint,event=0,,, >>clocks.csv
	runs "${counts[@]}" -i 1ms -n 2
	[ "$stderr" = "$no_sysfs
pcb-collect: refused: the kernel refuses it on breakpoint_0" ]
	[[ "$output" = *"
# not_counted: sundial (no sun); hourglass (no PMU called sand here); refused (refused by the kernel)
"* ]]
	[ "$(column event <<<"$output" | grep -c refused)" = 0 ]
	[ "$(column event <<<"$output" | grep -c _clock)" = 4 ]
	sed -i '/,clock,/d' clocks.csv
	try "${counts[@]}" -i 1ms -n 2
	[ "$status" = 3 ]
	[ "$output" = "" ]
	[ "$(tail -n 1 <<<"$stderr")" = \
		"pcb-collect: the kernel refuses all events of the table" ]
}
