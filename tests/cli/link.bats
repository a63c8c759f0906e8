#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# pcb-collect link, in a tree whose files change while it watches.

load helpers

# A port, and a device below it whose errors the kernel counts.
setup() {
	cd "$BATS_TEST_TMPDIR" || exit
	tests pcb-collect
	fake_tree tree <<-'EOT'
	0000:00:01.0 root first=1 last=1 at52=0x2083
	0000:00:02.0 conventional
	0000:01:00.0 endpoint aspm=2 ecrc=0 at102=0x1501 at150=0x1e at152=1 at158=5
	EOT
	port=tree/sys/devices/pci0000:00/0000:00:01.0
	device=$port/0000:01:00.0
	nest tree pci0000:00 0000:00:01.0 0000:01:00.0
	mkdir "$device/power" "$port/power"
	echo active | tee "$port/power/runtime_status" \
		>"$device/power/runtime_status"
	echo D0 | tee "$port/power_state" >"$device/power_state"
	counts 0 0
	# A reader never sees half a file.
	cat >steps <<-'EOT'
	replace() { cat >new && mv new "$1"; sleep 0.1; }
	counts() {
		printf 'RxErr 0\nBadTLP %s\nTimeout %s\nTOTAL_ERR_COR 9\n' $1 $2 |
			replace "$device/aer_dev_correctable"
	}
	poke() {
		printf "$3" | dd of=$1/config bs=1 seek=$2 conv=notrunc status=none
		sleep 0.1
	}
	link() { poke $device 82 "$1"; }
	power() { echo $1 | replace "$2/power_state"; }
	EOT
	export device port
}

counts() {
	printf 'RxErr 0\nBadTLP %s\nTimeout %s\nTOTAL_ERR_COR 9\n' "$1" "$2" \
		>"$device/aer_dev_correctable"
}

# watch STEPS [OPTION...]: watches while the steps change the tree.
watch() {
	collects link --root tree -i "${every:-5ms}" "${form:--P}" "${@:2}" \
		-- sh -e -c ". ./steps; $1"
}

# changes: what the last run found, without what it saw first.
changes() {
	awk -F, '$10 ~ /^[0-9]/ {
		sub(/0000:/, "", $5)
		print $5, $7, $8, $10, $11
	}' <<<"$output"
}

@test "what changes is a row: errors, speed, sleep, removal, in this order" {
	# The end line is of all runs, here of two.
	form=--wide watch 'echo >>runs; counts $(wc -l <runs) 0' -r 2
	[[ "${lines[-1]}" = *" 0000:01:00.0=2,2 changes=2 errors=2 "* ]]
	counts 0 0

	watch 'counts 1 0; link \\201; counts 1 3
		power D3hot $device; link \\203; power D0 $device
		rm -r $device' -d 01:00.0
	[ "$(changes)" = "01:00.0 lower cor.BadTLP 0 1
01:00.0 lower gen 3 1
01:00.0 lower cor.Timeout 0 3
01:00.0 lower asleep 0 1
01:00.0 lower d_state 0 3
01:00.0 lower asleep 1 0
01:00.0 lower d_state 3 0
01:00.0 lower gen 1 3
01:00.0 lower present 1 0" ]
	[[ "${lines[0]}" = *,device,parent,end,what,time_ns,old_value,new_value ]]
	[[ "$output" = *"0000:01:00.0,0000:00:01.0,lower,aspm,0,,2"* ]]
	[[ "$output" = *"lower,l1_substates,0,,5"* ]]
	[[ "$output" = *"0000:00:01.0,,upper,active,0,,1"* ]]
}

@test "below a port that sleeps nothing is read; nor as a user what is root's" {
	watch 'power D3hot $port; link \\201; power D0 $port; link \\202' \
		-d all
	[ "$(changes)" = "00:01.0 upper asleep 0 1
00:01.0 upper d_state 0 3
01:00.0 lower asleep 0 1
00:01.0 upper asleep 1 0
00:01.0 upper d_state 3 0
01:00.0 lower asleep 1 0
01:00.0 lower gen 3 1
01:00.0 lower gen 1 2" ]

	echo suspended >"$port/power/runtime_status"
	collects link --root tree -n 1
	[[ "$output" = *"
# not_seen: it sleeps (0000:00:01.0); no AER counts (0000:00:01.0); it sleeps \
(0000:01:00.0)
"* ]]
	[ "$(column what <<<"$output" | sort | uniq -c | xargs)" = \
		"2 asleep 2 d_state 2 present" ]

	echo active >"$port/power/runtime_status"
	truncate -s 256 "$device/config"
	collects link --root tree -n 1
	[[ "$output" = *"# not_seen: no AER counts (0000:00:01.0); \
extended config space: AER, DPC, L1SS (0000:01:00.0)"$'\n'* ]]
	truncate -s 64 "$device/config"
	mkdir "$device/link"
	echo 1 >"$device/link/l1_aspm"
	while IFS=, read -r speed width gen lanes; do
		echo "$speed" >"$device/current_link_speed"
		echo "$width" >"$device/current_link_width"
		collects link --root tree -n 1
		[[ "$output" = *"only root with CAP_SYS_ADMIN can (0000:01:00.0)"* ]]
		grep -A 2 ^0000:01:00.0,.*,gen, <<<"$output" | diff - <(
			for what in gen,0,,$gen lanes,0,,$lanes aspm,0,,2; do
				echo "0000:01:00.0,0000:00:01.0,lower,$what"
			done)
	done <<-'EOF'
	32.0 GT/s PCIe,4,5,4
	16.0 GT/s PCIe,4,4,4
	8 GT/s,8,3,8
	5 GT/s,1,2,1
	Unknown,0,0,0
	Unknown,63,0,0
	EOF
	# Nor is what nobody may read gone.
	rm "$device/config"
	collects link --root tree -n 1
	[[ "$output" = *$'\n'0000:01:00.0,0000:00:01.0,lower,present,0,,1$'\n'* ]]
}

# The kernel names some errors only once they were counted.
@test "a count is found by its name, and from 0 after a removal" {
	cat >>steps <<-'EOF'
	file() { printf "$2TOTAL_ERR 0\n" | replace "$device/aer_dev_$1"; }
	gone() { mv $device gone; sleep 0.1; }
	back() { mv gone $device; sleep 0.1; }
	EOF
	form=--wide watch 'file correctable "RxErr 0\nBit[9] 3\nBadTLP 0\nTimeout 0\n"
		printf "Timeout 7" | replace $device/aer_dev_correctable
		file correctable "Timeout 100\nRxErr 0\nBit[9] 3\n"
		gone; (device=gone; counts 0 150); back
		file fatal "DLP 4\n"; file fatal "DLP 1\n"' -d 01:00.0
	[ "$(changes)" = "01:00.0 lower cor.Bit[9] 0 3
01:00.0 lower cor.Timeout 0 100
01:00.0 lower present 1 0
01:00.0 lower present 0 1
01:00.0 lower cor.Timeout 0 150
01:00.0 lower fatal.DLP 0 4
01:00.0 lower fatal.DLP 4 1" ] || show changes
	# A count that the kernel has reset begins at 0.
	[[ "${lines[-1]}" = *" errors=258 "* ]] || show "${lines[-1]}"
}

# In another place of config space, and in another file than the open one.
@test "what comes back is read anew, what is dead stays so while it sleeps" {
	cat >>steps <<-'EOF'
	bytes() { dd bs=1 conv=notrunc status=none "$@"; }
	away() { cp -r $1 new; mv $1 old; sleep 0.1; }
	back() { mv new $1; sleep 0.1; }
	EOF
	watch 'away $device
		bytes if=old/config of=new/config skip=64 seek=96 count=60
		bytes if=/dev/zero of=new/config seek=64 count=32
		printf "\140" | bytes of=new/config seek=52
		back $device
		printf "\201" | bytes of=$device/config seek=114
		sleep 0.1; cp $device/config good
		tr "\0-\376" "\377" <good | bytes of=$device/config; sleep 0.1
		power D3cold $device
		bytes if=good of=$device/config; power D0 $device' -d 01:00.0
	[ "$(changes)" = "01:00.0 lower present 1 0
01:00.0 lower present 0 1
01:00.0 lower gen 3 1
01:00.0 lower present 1 0
01:00.0 lower asleep 0 1
01:00.0 lower d_state 0 4
01:00.0 lower present 0 1
01:00.0 lower asleep 1 0
01:00.0 lower d_state 4 0" ] || show changes

	# Another device within an interval, which has two rows then.
	rm -r old
	form=--wide every=1min watch 'away $device
		bytes if=old/config of=new/config skip=96 seek=64 count=60
		printf "\100" | bytes of=new/config seek=52
		printf "\202" | bytes of=new/config seek=82
		back $device' -d 01:00.0
	[ "$(changes)" = "01:00.0 lower present 1 0
01:00.0 lower present 0 1
01:00.0 lower gen 1 2" ] || show changes
	[[ "$output" = *" 0000:01:00.0=3,0 changes=3 "* ]]
	# One that sleeps, and whose files go before it does.
	echo D3cold >"$device/power_state"
	watch 'rm -r $device/power $device/power_state; sleep 0.1
		mv $device gone' -d 01:00.0
	[ "$(changes)" = "01:00.0 lower present 1 0" ] || show changes

	# The link of one end.
	rm -r old
	mv gone "$device"
	watch 'away $port; back $port
		printf "\202" | bytes of=$port/config seek=82; sleep 0.1' -d 00:01.0
	[ "$(changes)" = "00:01.0 upper present 1 0
00:01.0 upper present 0 1
00:01.0 upper gen 3 2" ] || show changes
}

# Below 00:0e.0, no bridge, is a domain of its own; e2:03.0 is on no link.
@test "links below Intel VMD are watched, too" {
	local vmd=pci0000:00/0000:00:0e.0 name

	fake_tree tree <<-'EOT'
	0000:00:0e.0 conventional
	10000:e0:06.0 root first=0xe1 last=0xe1
	10000:e1:00.0 endpoint gen=4
	10000:e2:03.0 conventional
	EOT
	nest tree pci0000:00 0000:00:0e.0
	nest tree $vmd/pci10000:e0 10000:e0:06.0 10000:e1:00.0 10000:e2:03.0
	for name in 10000:e1:00.0 10000:e2:03.0 all; do
		collects link --root tree -n 1 -d "$name"
		grep '10000:.*,gen,' <<<"$output" | diff - <(
			echo 10000:e0:06.0,,upper,gen,0,,3
			echo 10000:e1:00.0,10000:e0:06.0,lower,gen,0,,4)
		[[ "$output" != *@(0e|03).0,* ]]
	done
	# By vendor and device ID.
	echo 0xa1b2 >tree/sys/bus/pci/devices/10000:e1:00.0/device
	collects link --root tree -n 1 -d 8086:A1B2
	[ "$(column device <<<"$output" | uniq | xargs)" = \
		"10000:e0:06.0 10000:e1:00.0" ]
	fails 3 "-d 8086:a1b3: no such device, or no link leads there" \
		link --root tree -n 1 -d 8086:a1b3
	fails 3 "none/sys/bus/pci/devices: No such file or" link --root none
	mkdir -p none/sys/bus/pci/devices
	for name in '' '-d all'; do
		# shellcheck disable=SC2086
		fails 3 "all: this machine shows no link of PCI Express" \
			link --root none $name
	done
	try pcb-collect link --root tree -- ''
	[[ "$status" = 2 && "$stderr" = *"pcb-collect: command '': No such file or directory" ]]
	# Whoever reads no more need not wait for a change.
	timeout 20 pcb-collect link --root tree | head -n 1 >first
	[ "${PIPESTATUS[0]}" = 141 ]
}

# A port that stops its link for a fatal error (2) of 01:00.0 (256), then for
# software (3 and 1); that two cooling devices stand for, one of them a fan.
@test "containment by a port (DPC), and its cooling state" {
	mkdir -p tree/sys/class/thermal/cooling_device{0,1}
	printf '\035\0\1\0\0\0\0\0\004\0\377\377' |
		dd of="$port/config" bs=1 seek=256 conv=notrunc status=none
	cat >>steps <<-'EOF'
	dpc() { poke $port 264 "$1"; }
	cool() { echo $2 | replace "tree/sys/class/thermal/$1"; }
	EOF
	(
		# shellcheck disable=SC1091
		. ./steps
		cool cooling_device0/type Fan
		cool cooling_device0/cur_state 9
		cool cooling_device1/type PCIe_Port_Link_Speed_0000:00:01.0
		cool cooling_device1/cur_state 0
		cool cooling_device1/max_state 3
	)
	watch 'dpc "\005\0\0\001"; dpc "\004\0\377\377"
		cool cooling_device1/cur_state 2; dpc "\047\0\0\001"
		cd tree/sys/class/thermal; mv cooling_device1 cooling_device7
		mv cooling_device0 cooling_device1; sleep 0.1
		echo 1 >cooling_device7/cur_state; sleep 0.1' -d 01:00.0
	[ "$(changes)" = "00:01.0 upper dpc_trigger 0 1
00:01.0 upper dpc_trigger 1 0
00:01.0 upper cooling 0 2
00:01.0 upper dpc_trigger 0 1
00:01.0 upper dpc_reason 2 3
00:01.0 upper dpc_reason_ext 0 1
00:01.0 upper cooling 2 1" ] || show changes
	[[ "$output" = *upper,dpc_trigger,0,,0$'\n'* &&
		"$output" = *upper,cooling,0,,0$'\n'*upper,cooling_max,0,,3* ]]
	grep -A 2 'dpc_trigger,.*,0,1' <<<"$output" | cut -d , -f 8,10- |
		head -n 4 | xargs | grep 'dpc_reason,,2 dpc_reason_ext,,0'
	[[ "$output" = *dpc_source,+([0-9]),,256* ]]
	# The lower end has none of it.
	[[ "$output" != *lower,dpc* && "$output" != *lower,cooling* ]]
}

# on_terminal COLUMNS LINES WORDS...: starts it there with these words; typed
# is what arrives on fd 4. seen: all it wrote; table: the last one.
on_terminal() {
	local status=0

	mkfifo keys
	env --default-signal=INT script -qec "stty cols $1 rows $2 -onlcr
		${*:3}" /dev/null <keys >seen 3>&- &
	exec 4>keys
	[ ! "$keys" ] || { wait_for_bytes steps.done 1 && printf %b "$keys" >&4; }
	wait $! || status=$?
	exec 4>&-
	rm keys
	seen=$(<seen)
	table=${seen##*$'\e['[0-9]A}
	table=${table//$'\r\e[K'/}
	[ "$status" = "${wanted:-0}" ]
}

@test "on a terminal a table is drawn again in its place" {
	local keys='' wanted='' seen table

	needs_own_handlers
	cat >change <<-'EOF'
	. ./steps
	sleep 1.2
	counts 1 0
	link '\201'
	power D3hot $device
	echo >steps.done
	sleep 0.3
	EOF
	# The command writes elsewhere.
	on_terminal 80 24 "pcb-collect link --root tree -i 5ms -- sh change 2>err"
	[[ "$table" = "device       link    state  errors last change
0000:00:01.0 gen3x8  D0          - 
0000:01:00.0 -       D3          1 "?" s ago: d_state 0 > 3
2 of 2 ends, 2 s: 4 changes, 1 errors (virtual"*")"*$'\e[J' ]] || show table
	[[ "$seen" = *"gen3x8  D0          0 "*$'\e[4A'*$'\e[4A'* ]]
	[[ "$seen" != *,gen,* ]]
	# What fits, first what changed.
	echo D0 >"$device/power_state"
	counts 0 0
	on_terminal 38 4 "pcb-collect link --root tree -- sh change 2>err"
	[[ "$table" = "device       link    state  errors las
0000:01:00.0 -       D3          1 "?" s
1 of 2 ends, 2 s: 3 changes, 1 errors "* ]] || show narrow
	on_terminal 80 3 "pcb-collect link --root tree -- sh -c 'exit 4'"
	[[ "$seen" = *"1 of 2 ends"*"pcb-collect: sh: ended with status 4"* ]]
	# It would be drawn over what the command writes to the terminal.
	on_terminal 80 24 "pcb-collect link --root tree -- sh -c 'echo hello'"
	[[ "$seen" = *"hello"*"0 errors"* && "$seen" != *$'\e['[0-9]A* ]]
	# Not over what came meanwhile, or in a window of another size.
	cat >moved <<-'EOF'
	sleep 0.2
	stty rows 30 </dev/tty
	sleep 1
	kill -CONT $PPID
	EOF
	on_terminal 80 24 "pcb-collect link --root tree -- sh moved 2>err"
	[[ "$seen" = *"last change"*"last change"*"last change"* &&
		"$seen" != *$'\e['[0-9]A* ]]
	# Ctrl-C leaves the last one.
	rm steps.done
	sh change &
	keys='\003' wanted=130
	on_terminal 80 24 "exec pcb-collect link --root tree --time 20s"
	[[ "$table" = device*"2 of 2 ends, "*"errors ("*")"*$'\e[J' ]]

	keys='' wanted=0
	echo D0 >"$device/power_state"
	truncate -s 64 "$device/config"
	echo '8.0 GT/s' >"$device/current_link_speed"
	on_terminal 80 24 "pcb-collect link --root tree -n 1"
	[[ "$table" = *"0000:01:00.0 gen3    D"* ]]
	on_terminal 80 24 "TERM=dumb pcb-collect link --root tree -n 1"
	[[ "$seen" = *,gen,*"# end: "* && "$seen" != *$'\e['* ]]
	try pcb-collect link --root tree -f table
	[ "$status" = 2 ]
}

# Each poll waits for the next 1,000 errors, of one second: it reads two FIFOs,
# of which a writer can open none again before the other one was read.
# LINK_SECONDS=86400: a day, in some minutes.
@test "memory does not grow with events, and the end line adds them up" {
	local seconds=${LINK_SECONDS:-300} rows

	! grep -q __asan_init "$(command -v pcb-collect)" ||
		skip "the sanitizer keeps freed memory"
	cat >flood <<-'EOF'
	printf -v lines 'E%d @\n' {1..500}
	for kind in nonfatal fatal; do
		mkfifo $kind
		echo "${lines//@/0}" >$device/aer_dev_$kind
		echo "${lines//@/$1}" >$kind.end
	done
	[ "$2" ] || exit 0
	mv nonfatal $device/aer_dev_nonfatal
	for ((n = 1; n <= $1; n++)); do
		exec 3>$device/aer_dev_nonfatal
		[ $n != 1 ] || mv fatal $device/aer_dev_fatal
		[ $n != $1 ] || mv nonfatal.end $device/aer_dev_nonfatal
		echo "${lines//@/$n}" >&3
		exec 3>&-
		exec 3>$device/aer_dev_fatal
		[ $n != $1 ] || mv fatal.end $device/aer_dev_fatal
		echo "${lines//@/$n}" >&3
		exec 3>&-
		[ $n != $(($1 / 10)) ] || grep VmHWM /proc/$PPID/status >early
	done
	grep VmHWM /proc/$PPID/status >late
	EOF
	bash flood "$seconds" ''
	rm nonfatal fatal
	pcb-collect link --root tree -i 1us -- bash flood "$seconds" now |
		tail -n 1 >end
	# In kB; an event has more than a byte.
	[ "$(($(tr -dc 0-9 <late) - $(tr -dc 0-9 <early)))" -lt 100 ]
	rows=$((1000 * seconds))
	[[ "$(<end)" = *" 0000:01:00.0=$rows,$rows changes=$rows \
errors=$rows polls="*" command_status=0" ]] || show "$(<end)"
	[ "$seconds" = 300 ] || echo "# $(<late): $(<end)" >&3
}
