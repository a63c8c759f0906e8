#!/usr/bin/env bats
# pcb-collect: PCI functions, options, the rows of a sweep.
# bats sets $stderr.
# shellcheck disable=SC2154

load helpers

# What is not refused after all takes no time.
tests pcb-collect -n 1

setup_file() {
	example_tree "$BATS_FILE_TMPDIR/tree"
}

setup() {
	cd "$BATS_TEST_TMPDIR" || exit
}

# on_tree TREE ARGUMENT...: lat_cfg there, without preamble.
on_tree() {
	collect lat_cfg -P -O sysfs="$1" "${@:2}"
}

# Device, link and parent of each row.
places() {
	cut -d, -f5-7 <<<"$output" | uniq
}

header=host,run,kind,bench,device,link,parent,access,register,latency_ns
cut_short='no answer'
gone='register 0x08 reads all ones: the device is gone or does not answer'

# A tree -----------------------------------------------------------------

@test "every function: links, parents, whole rounds" {
	collect lat_cfg -P -O sysfs="$BATS_FILE_TMPDIR/tree" -d pci -n 3
	[ "$status" = 0 ]
	quiet
	[[ "$stderr" = *"tree is no sysfs: rows are marked 'virtual'"* ]]
	[ "${lines[0]}" = "$header" ]
	[ "$(places)" = "device,link,parent
0000:00:00.0,,
0000:00:01.0,,
0000:00:1f.0,,
0000:01:00.0,gen4x16/mps256/mrrs512/rcb64,0000:00:01.0
0000:02:00.0,,0000:01:00.0
0000:02:01.0,,0000:01:00.0
0000:03:00.0,gen3x8/mps256/mrrs512/rcb64/ecrc,0000:02:00.0
0000:04:10.0,,0000:02:00.0
0000:05:00.0,gen1x1/mps128/mrrs512/rcb64,0000:02:01.0
0000:06:03.0,,0000:05:00.0
0001:00:01.0,,
0001:01:00.0,gen5x4/mps512/mrrs4096/rcb128,0001:00:01.0" ] || show places
	# Three rows of each, and what is the same in all of them.
	[ "${#lines[@]}" = 37 ]
	[ "$(cut -d, -f5 <<<"$output" | uniq -c | awk '{ print $1 }' |
		xargs)" = "1 3 3 3 3 3 3 3 3 3 3 3 3" ]
	[ "$(tail -n +2 <<<"$output" | cut -d, -f1-4,8-9 | uniq)" = \
		"$(uname -n),1,virtual,lat_cfg,sysfs,0x08" ]
	# The counter of an emulated CPU may stand still.
	[ "${EMULATED:-}" ] ||
		[ "$(grep -cE ',[1-9][0-9]*(\.[0-9]{1,3})?$' <<<"$output")" = 36 ]
}

@test "one function, short or full, and the way down to it" {
	tree=$BATS_FILE_TMPDIR/tree
	for device in 05:00.0 0000:05:00.0 pci:05:00.0; do
		on_tree "$tree" -d $device -n 1
		[ "$status" = 0 ]
		[ "$(places | tail -n +2)" = \
			0000:05:00.0,gen1x1/mps128/mrrs512/rcb64,0000:02:01.0 ]
	done
	on_tree "$tree" -d pci:0001:01:00.0 -n 1
	[ "$(places | tail -n +2)" = \
		0001:01:00.0,gen5x4/mps512/mrrs4096/rcb128,0001:00:01.0 ]
	path() {
		on_tree "$tree" --path -d "pci:$1" -n 1
		[ "$status" = 0 ]
		[ "$(column device <<<"$output" | xargs)" = "$2" ] || show "$2"
	}
	path 06:03.0 \
		"0000:00:01.0 0000:01:00.0 0000:02:01.0 0000:05:00.0 0000:06:03.0"
	path 04:10.0 "0000:00:01.0 0000:01:00.0 0000:02:00.0 0000:04:10.0"
	path 0001:01:00.0 "0001:00:01.0 0001:01:00.0"
	path 00:1f.0 0000:00:1f.0
}

@test "ASPM of every hop is in the preamble" {
	collect lat_cfg -O sysfs="$BATS_FILE_TMPDIR/tree" -d pci:03:00.0 \
		--path -n 1
	[ "$(sed -n 's/^# aspm: //p' <<<"$output")" = \
		"0000:00:01.0=L1 0000:01:00.0=L1 0000:02:00.0=off 0000:03:00.0=off" ]
}

@test "an ordinary user sees no links, and measures all the same" {
	example_tree short size=64
	on_tree short -d pci -n 2
	[ "$status" = 0 ]
	[ "${#lines[@]}" = 25 ]
	[ "$(column link <<<"$output" | sort -u)" = "" ]
	[ "$(column parent <<<"$output" | uniq | xargs)" = \
		"0000:00:01.0 0000:01:00.0 0000:02:00.0 0000:02:01.0 0000:05:00.0 0001:00:01.0" ]
	collect lat_cfg -O sysfs=short -d pci -n 2
	[[ "$output" != *"# aspm"* ]]
}

@test "flits and oddities of the link" {
	fake_tree odd <<-'EOF'
	0000:00:00.0 endpoint gen=6 lanes=8 flit=1
	0000:00:01.0 endpoint gen=3 lanes=5
	0000:00:02.0 endpoint gen=3 lanes=8 mps=7
	EOF
	on_tree odd -d pci -n 1
	[ "$(column link <<<"$output")" = gen6x8/mps128/mrrs512/rcb64/flit ]
}

@test "another register" {
	tree=$BATS_FILE_TMPDIR/tree
	for register in 0 0x0 0x00; do
		on_tree "$tree" -d pci:03:00.0 -n 1 -O register=$register
		[ "$status" = 0 ]
		[ "$(column register <<<"$output")" = 0x00 ]
	done
	# Beyond 0x100, of those that have it.
	on_tree "$tree" -d pci -n 1 -O register=0x118 -O access=sysfs
	[ "$status" = 0 ]
	[ "${#lines[@]}" = 13 ]
	own_tree
	truncate -s 256 tree/devices/0000:0[056]*/config
	on_tree tree -d pci -n 1 -O register=0x118
	[ "$status" = 0 ]
	[ "$(column device <<<"$output" | xargs)" = "0000:01:00.0 \
0000:02:00.0 0000:02:01.0 0000:03:00.0 0000:04:10.0 0001:00:01.0 0001:01:00.0" ]
	[ "$(head -n 1 <<<"$stderr")" = "pcb-collect: left out, for register \
0x118 cannot be read by sysfs there: 5 of 12 functions" ]
	example_tree short size=64
	fails 3 "0000:06:03.0 has no register 0x118: its config space has 256 \
bytes" lat_cfg -O sysfs=tree -O register=0x118 -d pci:06:03.0
	fails 3 "no function here has a register 0xffc that can be read by \
sysfs" lat_cfg -O sysfs=short -O register=0xffc -d pci
}

@test "registers that there are not" {
	bad() {
		fails 2 "-O register=$1: $2" lat_cfg -O register="$1"
	}
	bad BAR0+0x8 "lat_cfg reads config space, lat_mmio what BARs map"
	bad 9 "a register is at a multiple of 4"
	bad 0x1000 "config space ends at 0x1000"
	bad 0x "not a number"
	bad -4 "not a number"
	bad '' empty
	bad BAR6+0 "a BAR is BAR0 to BAR5, as in BAR0+0x8"
	bad BAR00 "a BAR is BAR0 to BAR5, as in BAR0+0x8"
	bad BAR0+2 "a register is at a multiple of 4"
	bad BAR0+ empty
	fails 2 "-O access=rfc1149: lat_cfg is read by sysfs, ecam, vfio, conf1" \
		lat_cfg -O access=rfc1149
}

@test "a register of a user's changes, and that is counted" {
	own_tree
	changes() {
		rm -f out
		timeout -s KILL 20 pcb-collect lat_cfg -O sysfs=tree \
			-d pci:03:00.0 -n 1000G -O register="$1" >out 2>err 3>&- &
		wait_for_bytes out 10000
		printf %b "$2" | dd of=tree/devices/0000:03:00.0/config bs=1 \
			seek=$(($1)) conv=notrunc status=none
	}
	changes 0x40 '\0001'
	sleep 0.3
	kill -INT $!
	wait $! || status=$?
	grep -q '^# end: .* changed_values=1$' out
	[ "$(tail -n 1 err)" = "pcb-collect: 0000:03:00.0: register 0x40 \
changed, so its latency may be that of several things" ]
	# What cannot change is another device.
	changes 0x08 '\0002'
	status=0
	wait $! || status=$?
	[ "$status" = 2 ]
	[ "$(tail -n 1 err)" = "pcb-collect: 0000:03:00.0: register 0x08 was \
0x02000001 and is 0x02000002 by sysfs: another device has answered" ]
}

@test "a device that is gone from the start" {
	own_tree
	printf '\377\377\377\377' | dd of=tree/devices/0000:03:00.0/config \
		bs=1 seek=8 conv=notrunc status=none
	on_tree tree -d pci -n 5
	[ "$status" = 2 ]
	[ "$output" = "$header" ]
	[ "$(tail -n 1 <<<"$stderr")" = "pcb-collect: 0000:03:00.0: $gone" ]
	# One byte that is not is enough.
	printf '\376' | dd of=tree/devices/0000:03:00.0/config \
		bs=1 seek=10 conv=notrunc status=none
	on_tree tree -d pci -n 5
	[ "$status" = 0 ]
	: >tree/devices/0000:03:00.0/config
	on_tree tree -d pci -n 5
	[ "$status" = 2 ]
	[ "$(tail -n 1 <<<"$stderr")" = \
		"pcb-collect: 0000:03:00.0: reading register 0x08: no answer" ]
}

# goes_away COMMAND...: a run during which COMMAND takes the device away.
goes_away() {
	rm -f out
	timeout -s KILL 20 pcb-collect lat_cfg -O sysfs=tree -d pci -n 1000G \
		>out 2>err 3>&- &
	wait_for_bytes out 10000 && "$@"
	status=0
	wait $! || status=$?
	output=$(tail -n 1 out) stderr=$(tail -n 1 err)
}

@test "a device that goes in mid-run: what there is stays" {
	own_tree
	config=tree/devices/0000:06:03.0/config
	check() {
		rows=$(grep -c ',lat_cfg,' out)
		[ "$status" = 2 ] || show 2
		[[ "$output" = "# end: rows=$rows complete=no "* ]] || show no
		[[ "$stderr" = "pcb-collect: 0000:06:03.0: "*"$1" ]] || show "$1"
		# Targets differ by the last, half round.
		column device <out | sort | uniq -c | awk '
		{ least = !least || $1 < least ? $1 : least; most = $1 > most ? $1 : most }
		END { exit NR != 12 || most - least > 1 }'
	}
	goes_away dd if=<(printf '\377\377\377\377') of=$config bs=4 seek=2 \
		conv=notrunc status=none
	check "$gone"
	rm -r tree
	own_tree
	goes_away truncate -s 0 $config
	check "$cut_short"
}

@test "what is absent is 3, and said" {
	own_tree
	rm tree/devices/0000:06:03.0/config
	mkdir -p empty/devices
	echo >file
	fails 3 "tree/devices/0000:06:03.0/config: No such file or directory" \
		lat_cfg -O sysfs=tree -d pci
	fails 3 "0000:77:00.0: no such device ('pcb-collect list' shows \
those there are)" lat_cfg -O sysfs=tree -d pci:77:00.0
	fails 3 "none/devices: No such file or directory" \
		lat_cfg -O sysfs=none -d pci
	fails 3 "file/devices: Not a directory" \
		lat_cfg -O sysfs=file -d pci
	fails 3 "empty: no PCI device here" lat_cfg -O sysfs=empty -d pci
	fails 3 "0000:77:1f.7: no such device ('pcb-collect list' shows \
those there are)" lat_cfg -d 77:1f.7
	fails 3 "0000:77:1f.7: no such device ('pcb-collect list' shows \
those there are)" lat_rd -d 77:1f.7
	fails 3 "none: no such file" lat_rd -d replay:none
	# The others of the tree are there.
	on_tree tree -d pci:05:00.0 --path -n 1
	[ "$status" = 0 ]
}

@test "a tree that libpci cannot read" {
	own_tree
	mkdir tree/devices/hub
	fails 2 "tree: sysfs_scan: Couldn't parse entry name hub" \
		lat_cfg -O sysfs=tree -d pci
}

# This machine -----------------------------------------------------------

need_pci() {
	compgen -G "/sys/bus/pci/devices/*" >functions ||
		skip "no PCI function in /sys/bus/pci/devices"
	function=$(basename "$(tail -n 1 functions)")
}

# attempts COMMAND...: up to three, each with more reads than the one before:
# the machine may be doing other things.
attempts() {
	"$@" 2000 || "$@" 8000 || "$@" 32000
}

@test "this machine: as many rows of every function" {
	need_pci
	collect lat_cfg -n 4 -r 2
	[ "$status" = 0 ]
	quiet
	[ "$(grep -v '^#' <<<"$output" | head -n 1)" = $header ]
	[ "$(column device <<<"$output" | sort | uniq -c |
		awk '{ print $1, $2 }')" = \
		"$(xargs -n 1 basename <functions | sort | sed 's/^/8 /')" ]
	[ "$(column run <<<"$output" | uniq | xargs)" = "1 2" ]
	kind=measured
	if [ "$(uname -m)${EMULATED:-}" = x86_64 ]; then
		grep -q '^flags.* hypervisor' /proc/cpuinfo && kind=virtual
	else
		grep -q '^# hypervisor: none' <<<"$output" || kind=virtual
	fi
	[ "$(column kind <<<"$output" | sort -u)" = $kind ]
	[[ $kind = measured || "$stderr" = *"this machine is virtual"* ]]
	[[ "${lines[-1]}" = "# end: rows=$((8 * $(wc -l <functions))) \
complete=yes clock_drift_ppm="*" interrupts="*" involuntary_switches="* ]]
	for key in kernel cpu hypervisor iommu seed warmup clock \
		clock_tick_ns clock_overhead_ns; do
		[ "$(grep -c "^# $key: ." <<<"$output")" = 1 ] || show $key
	done
	run ! grep ' $' <<<"$output"
}

@test "this machine: the device is named as lspci does" {
	need_pci
	for device in "$function" "${function#0000:}" "pci:$function"; do
		collect lat_cfg -P -n 2 -d "$device"
		[ "$status" = 0 ]
		[ "$(column device <<<"$output" | xargs)" = "$function $function" ]
	done
}

# sorted N: so many latencies of one function.
sorted() {
	pcb-collect lat_cfg -P -n "$1" -d "$function" 2>err |
		column latency_ns | sort -n
}

# Runs in turns, so that what the machine does besides meets both halves. At
# rest they agree within a tick and 1 %; a test has to bear others at work.
minima_agree() {
	pcb-collect lat_cfg -P -r 20 -n "$(($2 / 10))" -d "$function" 2>err |
		awk -F, -v tick="$1" '
	NR > 1 {
		half = $2 % 2
		if (!(half in least) || $10 < least[half])
			least[half] = $10
	}
	END {
		a = least[0]
		b = least[1]
		d = a > b ? a - b : b - a
		print "minima: " a, b
		exit !(a > 0 && d <= tick + 0.1 * (a < b ? a : b))
	}'
}

@test "this machine: minima of runs agree" {
	need_pci
	tick=$(pcb-collect lat_cfg -n 1 2>err |
		sed -n 's/^# clock_tick_ns: //p')
	attempts minima_agree "$tick"
}

# plain_loop N: so many reads in another language, their median in ns.
plain_loop() {
	python3 - "/sys/bus/pci/devices/$function/config" "$1" <<-'EOF'
	import os, sys, time
	fd = os.open(sys.argv[1], os.O_RDONLY)
	times = []
	for i in range(int(sys.argv[2])):
	    begin = time.perf_counter_ns()
	    os.pread(fd, 4, 8)
	    times.append(time.perf_counter_ns() - begin)
	print(sorted(times)[len(times) // 2])
	EOF
}

medians_agree() {
	sorted "$1" >ours
	awk -v a="$(sed -n "$(($1 / 2))p" ours)" -v b="$(plain_loop "$1")" '
	BEGIN {
		print "medians: " a, b
		exit !(a > 0 && a < 2 * b && b < 2 * a)
	}'
}

@test "this machine: the median is near that of a plain loop" {
	need_pci
	command -v python3 >/dev/null || skip "no python3"
	attempts medians_agree
}

@test "this machine: an ordinary user can measure" {
	need_pci
	[ "$(id -u)" = 0 ] || skip "this is an ordinary user already"
	command -v setpriv >/dev/null || skip "no setpriv"
	# The descriptor, because the directory may be closed to nobody.
	run --separate-stderr setpriv --reuid 65534 --regid 65534 \
		--clear-groups /proc/self/fd/9 lat_cfg -n 3 \
		9<"$(command -v pcb-collect)"
	[ "$status" = 0 ] || show 0
	[ "$(column device <<<"$output" | sort | uniq -c |
		awk '{ print $1, $2 }')" = \
		"$(xargs -n 1 basename <functions | sort | sed 's/^/3 /')" ]
	[ "$(column link <<<"$output" | sort -u)" = "" ]
}

@test "list: the functions of this machine, and the simulated device" {
	columns=host,backend,device,parent,link,driver,node,benches,why_not,name
	collect list -P
	[ "$status" = 0 ]
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
	collect list -f table
	[ "$status" = 0 ]
	[[ "$output" = *sim:default* && "$output" != *"# "* ]]
}

@test "list: labels are columns, or stand in place of those there are" {
	collect list -P -l host=rack7 -l bios=2.1 -O sysfs="$PWD/none"
	[ "$status" = 0 ]
	[ "${lines[0]}" = "host,backend,device,parent,link,driver,node,benches,\
why_not,name,bios" ] || show "a column bios"
	[ "$(column host <<<"$output" | sort -u)" = rack7 ]
	[ "$(grep -v ',2\.1$' <<<"$output")" = "${lines[0]}" ]
	collect list -d sim
	is 2 "" "pcb-collect: a list takes only -f, -l, -P and -O
Try 'pcb-collect --help'."
}

@test "list: a tree" {
	collect list -P -O sysfs="$BATS_FILE_TMPDIR/tree"
	[ "$status" = 0 ]
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

# Options ----------------------------------------------------------------

@test "help and version go to stdout" {
	for option in -h --help; do
		helps 'BENCH [OPTION]...' lat_rd -n 3 $option
	done
	for bench in lat_rd lat_wrrd bw_rd bw_wr bw_rdwr lat_cfg lat_mmio \
		ddio; do
		[[ "$output" = *"
  $bench "* ]]
	done
	tells_version
}

@test "options of a backend are listed, and measure nothing" {
	for word in help help=x; do
		collect lat_rd -O $word
		[ "$status" = 0 ]
		[ "${lines[0]}" = "Options of sim (a simulated device):" ]
		[[ "$output" = *"  -O rc=300ns"* ]]
		[ "$stderr" = "" ]
	done
	collect lat_cfg -d pci -O help
	[ "$status" = 0 ]
	[[ "$output" = *"  -O sysfs=/sys/bus/pci"* ]]
	collect lat_rd -d replay -O help
	[ "$output" = "Options of replay (samples out of a file, as if \
measured now):
  none" ]
}

@test "wrong command lines" {
	wrong "name a bench, or 'list'"
	wrong "name a bench, or 'list'" -n 3
	wrong "lat_xx: no such bench" lat_xx
	wrong ": no such bench" ''
	wrong "bw_rd: one bench at a time" lat_rd bw_rd
	wrong "list: one bench at a time" lat_rd list
	wrong "unrecognized option '--no-such'" lat_rd --no-such
	wrong "invalid option -- 'x'" lat_rd -x
	wrong "option requires an argument -- 'n'" lat_rd -n
	wrong "-f: samples are always csv" lat_rd -f csv
	wrong "-f 'xml': not csv, table or jsonl" list -f xml
}

@test "wrong numbers" {
	wrong "-n 0: 1 or more" lat_rd -n 0
	wrong "-n -1: not a number" lat_rd -n -1
	wrong "-n 1.5: unknown suffix" lat_rd -n 1.5
	wrong "-n 1k: unknown suffix" lat_rd -n 1k
	wrong "-n 99999999999999999999: out of range" \
		lat_rd -n 99999999999999999999
	wrong "-r 0: 1 or more" lat_rd -r 0
	wrong "-r : empty" lat_rd -r ''
	wrong "-b 1T: unknown suffix" lat_rd -b 1T
	wrong "--time 5: a unit is missing" lat_rd --time 5
	wrong "--time 0ms: more than nothing" lat_rd --time 0ms
	wrong "--time 1.s: digits are missing after the point" \
		lat_rd --time 1.s
	wrong "--warmup many: not a number" lat_rd --warmup many
	wrong "--seed 0x1: unknown suffix" lat_rd --seed 0x1
	wrong "--cpu -1: not a number" lat_rd --cpu -1
	wrong "--cpu 4294967296: out of range" lat_rd --cpu 4294967296
}

@test "wrong lists" {
	wrong "-s 64k: unknown suffix" lat_rd -s 64k
	wrong "-s 64,: empty" lat_rd -s 64,
	wrong "-s 64:: empty" lat_rd -s 64:
	wrong "-s 64:32: the range ends before it begins" lat_rd -s 64:32
	wrong "-s 0:64: a doubling range cannot start at 0" lat_rd -s 0:64
	wrong "-s 1:9:+0: a step of 0 never ends" lat_rd -s 1:9:+0
	wrong "-s 1:9:x1: a factor is 2 or more" lat_rd -s 1:9:x1
	wrong "-s 1:9:3: a step is +SIZE or xFACTOR" lat_rd -s 1:9:3
	wrong "-s 1:1M:+1: too many values" lat_rd -s 1:1M:+1
	wrong "-w x: not a number" lat_rd -w x
	wrong "--offset -4: not a number" lat_rd --offset -4
	wrong "--pattern linear: a pattern is random or sequential" \
		lat_rd --pattern linear
	wrong "--cache hot: a state is cold, thrashed, host-warm or \
device-warm" lat_rd --cache hot
	wrong "--cache cold,: a state is cold, thrashed, host-warm or \
device-warm" lat_rd --cache cold,
	wrong "--node far: a node is local, remote or a number" \
		lat_rd --node far
	wrong "--node 1024: a node is local, remote or a number" \
		lat_rd --node 1024
	wrong "--pattern random,random: a pattern is there twice" \
		lat_rd --pattern random,random
	wrong "--cache cold,thrashed,cold: a state is there twice" \
		lat_rd --cache cold,thrashed,cold
}

@test "wrong labels" {
	wrong "-l rack: NAME=VALUE" lat_rd -l rack
	wrong "-l Rack=7: a name is lower-case letters, digits and _" \
		lat_rd -l Rack=7
	wrong "-l 7rack=1: a name is lower-case letters, digits and _" \
		lat_rd -l 7rack=1
	wrong "-l a-b=1: a name is lower-case letters, digits and _" \
		lat_rd -l a-b=1
	wrong "-l =7: a name is lower-case letters, digits and _" \
		lat_rd -l =7
	for name in latency_ns my_ns n count flags x_gbit_s y_pct z_per_s; do
		wrong "-l $name=1: '$name' is the name of a measure" \
			lat_rd -l $name=1
	done
	for kind in '' real 'measured virtual' Measured; do
		wrong "-l kind=$kind: a kind is measured, virtual, simulated \
or published" lat_rd -l "kind=$kind"
	done
}

@test "wrong devices" {
	wrong "-d eth0: neither a device such as 03:00.0 nor a backend" \
		lat_rd -d eth0
	wrong "-d 03:00.8: neither a device such as 03:00.0 nor a backend" \
		lat_cfg -d 03:00.8
	wrong "-d pci: pci cannot measure lat_rd, only lat_cfg lat_mmio" \
		lat_rd -d pci
	wrong "-d sim: sim cannot measure lat_cfg, only lat_rd lat_wrrd \
bw_rd bw_wr bw_rdwr" lat_cfg -d sim
	wrong "--path: of which device? -d BDF says it" lat_cfg --path
	fails 2 "--path: of which device? -d BDF says it" \
		lat_cfg --path -d pci
	wrong "-O speed: sim has no such option (-O help lists them)" \
		lat_rd -d sim -O speed=1
	wrong "-O rc: a value is missing (-O rc=VALUE)" lat_rd -d sim -O rc
	fails 2 "03:00.8: not a device (such as 03:00.0)" \
		lat_cfg -d pci:03:00.8
	fails 2 "replay wants a file: -d replay:FILE" lat_rd -d replay
}

@test "options without a meaning" {
	wrong "--path: lat_rd has no path" lat_rd --path -d sim
	for option in size window offset buffer; do
		wrong "--$option: lat_cfg transfers no data" \
			lat_cfg --$option 64
	done
	wrong "--pattern: lat_cfg transfers no data" lat_cfg --pattern random
	wrong "--cache: lat_cfg transfers no data" lat_cfg --cache cold
	wrong "--node: lat_cfg transfers no data" lat_cfg --node local
	wrong "--size: rtd transfers no data" rtd -s 64
	wrong "--path: rtd has no path" rtd --path -d i210:eth0
	wrong "--count: a list measures nothing" list
	fails 2 "-l kind=measured: the samples are 'simulated'" \
		lat_rd -d sim -l kind=measured
}

@test "points that cannot be" {
	fails 2 "a transfer of 0 bytes" lat_rd -d sim -s 0
	fails 2 "a window of 32 bytes does not hold 64 bytes at offset 0, \
rounded up to whole lines" lat_rd -d sim -w 32
	fails 2 "a window of 64 bytes does not hold 64 bytes at offset 1, \
rounded up to whole lines" lat_rd -d sim -w 64 --offset 1
	fails 2 "a window of 8192 bytes in a buffer of 4096" \
		bw_rd -d sim -b 4K
	# Also where points before it could be.
	fails 2 "a window of 8192 bytes does not hold 16384 bytes at \
offset 0, rounded up to whole lines" lat_rd -d sim -s 64:16K
}

# Rows -------------------------------------------------------------------

@test "sizes change fastest, nodes slowest, runs around all of them" {
	collect lat_rd -P -d sim -n 1 -r 2 -s 64,128 --offset 0,4 -w 4K,8K \
		--pattern sequential,random --cache host-warm,cold \
		--node remote,0
	[ "$status" = 0 ]
	[ "${#lines[@]}" = 129 ]
	for run in 1 2; do
		for node in 1 0; do
			for cache in host-warm cold; do
				for pattern in sequential random; do
					printf "$run,%s,%s,%s,$pattern,$cache,$node\n" \
						64 0 4096 128 0 4096 \
						64 4 4096 128 4 4096 \
						64 0 8192 128 0 8192 \
						64 4 8192 128 4 8192
				done
			done
		done
	done >wanted
	tail -n +2 <<<"$output" | cut -d, -f2,8-13 | diff wanted -
}

@test "ranges" {
	sizes() {
		collect bw_rd -P -d sim -n 1 -s "$1"
		[ "$(column size_bytes <<<"$output" | xargs)" = "$2" ] ||
			show "$2"
	}
	sizes 64:512 "64 128 256 512"
	sizes 64:500 "64 128 256"
	sizes 64:200:+64 "64 128 192"
	sizes 3:100:x3,1K "3 9 27 81 1024"
	sizes 8,4,8 "8 4 8"
}

@test "the later option counts" {
	collect lat_rd -P -d sim -s 64:4096 -s 8 -n 3 -n 2 --seed 3 --seed 1
	[ "$(column size_bytes <<<"$output" | xargs)" = "8 8" ]
	first=$output
	collect lat_rd -P -d sim -s 8 -n 2
	[ "$output" = "$first" ]
}

@test "labels: a new column, another value, the last one counts" {
	collect lat_rd -P -d sim -n 1 -l bios=1 -l host=rack7 -l run=x \
		-l device=x -l note='a "b", c' -l bios=2.1
	[ "$status" = 0 ]
	[ "${lines[0]}" = "host,run,kind,bench,device,link,interface,\
size_bytes,offset_bytes,window_bytes,pattern,cache,node,iommu,page_bytes,\
bios,note,latency_ns" ]
	[[ "${lines[1]}" = rack7,x,simulated,lat_rd,x,* ]]
	[[ "${lines[1]}" = *,4096,'2.1,"a ""b"", c"',* ]]
	# A column of other benches is a new one here.
	collect lat_rd -P -d sim -n 1 -l parent=00:01.0
	[[ "${lines[0]}" = *,page_bytes,parent,latency_ns ]]
	# A first field with # is no comment.
	collect lat_rd -P -d sim -n 1 -l host='#1'
	[[ "${lines[1]}" = '"#1",1,'* ]]
}

@test "without preamble the same rows, and no line with #" {
	for bench in lat_rd bw_rdwr; do
		collect $bench -d sim -n 1000 -s 64,128
		with=$(grep -v '^#' <<<"$output")
		[ "${lines[0]}" = "# pcb-csv: 1" ]
		[[ "$output" = *"
# command: pcb-collect $bench -d sim -n 1000 -s 64,128
"* ]]
		collect $bench -P -d sim -n 1000 -s 64,128
		[ "$output" = "$with" ]
	done
}

@test "seed and warm-up decide where a simulation goes on" {
	collect lat_rd -P -d sim -n 1000 --warmup 0
	long=$output
	[ "${#lines[@]}" = 1001 ]
	for warmup in 1 300 900; do
		collect lat_rd -P -d sim -n 100 --warmup $warmup
		[ "$(tail -n +2 <<<"$output")" = \
			"$(sed -n "$((warmup + 2)),$((warmup + 101))p" <<<"$long")" ]
	done
	collect lat_rd -P -d sim -n 100
	default=$output
	collect lat_rd -P -d sim -n 100 --seed 1 --warmup 100
	[ "$output" = "$default" ]
	collect lat_rd -P -d sim -n 100 --seed 2
	[ "$output" != "$default" ]
	collect lat_rd -d sim -n 1 --seed 18446744073709551615 --warmup 7
	[ "$(grep -E '^# (seed|warmup)' <<<"$output")" = \
		"# seed: 18446744073709551615
# warmup: 7" ]
}

@test "a time limit ends each point, not the sweep" {
	SECONDS=0
	timeout -s KILL 20 pcb-collect lat_rd -d sim -n 1000G --time 30ms \
		-s 64,128 -r 2 >out 2>err
	[ "$SECONDS" -lt 10 ]
	[ ! -s err ]
	[ "$(cut -d, -f2,8 <out | grep '^[12],' | uniq | xargs)" = \
		"1,64 1,128 2,64 2,128" ]
	[ "$(tail -n 1 out)" = \
		"# end: rows=$(grep -c ,lat_rd, out) complete=yes" ]
	# And a count that is reached sooner ends it, too.
	collect lat_rd -P -d sim -n 5 --time 1h
	[ "${#lines[@]}" = 6 ]
	# Of a total, it is what was done by then.
	collect bw_rd -d sim -n 1G --time 30ms
	[ "$(column transfers <<<"$output")" -gt 0 ]
	[ "${lines[-1]}" = "# end: rows=1 complete=yes" ]
}

@test "both measures of a delay are replayed" {
	printf '%s\n' kind,device,launch_distance_ns,latency_ns \
		measured,eth1,5000000.5,31360 measured,eth1,7000000,16 >delays
	collect rtd -P -d replay:delays -l host=h
	[ "$status" = 0 ]
	quiet
	[ "$output" = "host,run,kind,bench,device,link,cache\
,launch_distance_ns,latency_ns
h,1,measured,rtd,eth1,,,5000000.5,31360
h,1,measured,rtd,eth1,,,7000000,16" ]
	printf '%s\n' kind,latency_ns measured,16 >half
	fails 2 "half: no column 'launch_distance_ns'" rtd -d replay:half
}

@test "a whole file is replayed, in the bench it was of" {
	pcb-collect lat_rd -d sim -n 1000 -s 64,128 -r 2 -l host=h >one
	collect lat_rd -P -d replay:one
	[ "$status" = 0 ]
	[ "${lines[0]}" = "$(grep -m 1 ^host one)" ]
	# Each point in its order, in turns.
	[ "$(sort -s -t, -k2,2 -k8,8 <<<"$output")" = \
		"$(grep -v '^#' one | sort -s -t, -k2,2 -k8,8)" ] || show one
	collect lat_rd -P -d replay:one -n 10
	[ "${#lines[@]}" = 41 ]
	fails 3 "one holds no rows of lat_wrrd" lat_wrrd -d replay:one
	wrong "-r: replay gives the runs it has" lat_rd -d replay:one -r 2
	wrong "--warmup: replay drops no samples" \
		lat_rd -d replay:one --warmup 3
	wrong "--size: replay gives the samples it has" \
		lat_rd -d replay:one -s 64
}

@test "that the numbers are simulated is said, and -q does not hide it" {
	for option in '' -q; do
		# shellcheck disable=SC2086
		collect lat_rd -n 1 $option
		[ "$status" = 0 ]
		[ "$stderr" = "pcb-collect: no device found here that can \
measure lat_rd: the numbers are simulated" ]
	done
	collect lat_rd -n 1 -d sim
	[ "$stderr" = "" ]
}

# A NIC that measures itself --------------------------------------------

@test "rtd: no NIC is taken that is not named" {
	collect rtd
	[ "$status" = 3 ]
	[ "$output" = "" ]
	[[ "$stderr" = "pcb-collect: no device here can measure rtd"* ]]
	# Whatever is here and is no I210 is named, with the reason.
	pcb-collect list -P >rows
	while IFS=, read -r device why; do
		[ "$why" = "" ] || [[ "$stderr" = *"$device ($why"* ]]
	done < <(awk -F, '$2 == "i210" { print $3 "," $9 }' rows)
}

@test "rtd: an interface that is not there or cannot" {
	collect rtd -d i210:no-such
	[ "$status" = 3 ]
	[ "$output" = "" ]
	[[ "$stderr" = "pcb-collect: no-such: no such interface; there is: "* ]]
	[[ "$stderr" = *"lo (no PCI device)"* ]]
	fails 3 "lo: no PCI device" rtd -d i210:lo
	collect rtd -d i210
	[ "$status" = 2 ]
	[[ "$stderr" = "pcb-collect: i210 wants an interface: -d i210:IFNAME; "* ]]
	wrong "-d i210:lo: i210 cannot measure lat_rd, only rtd" \
		lat_rd -d i210:lo
	fails 2 "-O distance=5: a unit is missing" \
		rtd -d i210:lo -O distance=5
	fails 2 "-O distance=5ms:1s: not within 1ns to 100ms" \
		rtd -d i210:lo -O distance=5ms:1s
	fails 2 "-O trash-cache=1: yes or no" rtd -d i210:lo -O trash-cache=1
}
