#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# pcb-collect: settings that a measurement changes and restores, whatever
# happens. Trees of files behave like the kernel's.

load helpers

tests pcb-collect -n 1

setup_file() {
	example_tree "$BATS_FILE_TMPDIR/tree"
}

# The kernel does not manage ASPM of 03:00.0 and its port, but that of the links
# above; nobody manages the last one. 02:01.0 is not on the path.
setup() {
	cd "$BATS_TEST_TMPDIR" || exit
	own_tree
	mkdir -p tree/run/pcb-tools
	cd tree/sys/bus/pci/devices || exit
	set_aspm 3 03:00.0 02:00.0
	set_aspm 2 01:00.0 00:01.0
	set_aspm 1 02:01.0
	mkdir 0000:01:00.0/link
	echo 0 >0000:01:00.0/link/l0s_aspm
	echo 1 >0000:01:00.0/link/l1_aspm
	echo 1 >0000:01:00.0/link/l1_2_aspm
	for bdf in *; do
		mkdir "$bdf/power"
		echo auto >"$bdf/power/control"
	done
	echo on >0000:03:00.0/power/control
	cd "$BATS_TEST_TMPDIR" || exit
	cp -r tree before
}

no_record="the record of changes in /run/pcb-tools, without which nothing is changed"

# set_aspm BITS BDF...: Link Control, which fake_function puts at 0x50.
set_aspm() {
	local bdf

	for bdf in "${@:2}"; do
		printf "\\0$1" | dd of="0000:$bdf/config" bs=1 seek=80 \
			conv=notrunc status=none
	done
}

# aspm BDF: the current bits.
aspm() {
	od -An -tu1 -j80 -N1 "tree/sys/bus/pci/devices/0000:$1/config" | xargs
}

# as_before: everything in the tree is as before, at most 5 seconds later.
as_before() {
	local tries=0

	until diff -r before tree >difference; do
		((++tries < 500)) || { cat difference && return 1; }
		sleep 0.01
	done
}

# under_way ARGUMENT...: a running measurement, in $!.
under_way() {
	rm -f out
	timeout -s KILL 20 env --default-signal=INT,TERM \
		--ignore-signal="${ignored:-}" pcb-collect lat_cfg \
		--root tree -d pci:03:00.0 -n 1000G "$@" >out 2>"${said:-err}" 3>&- &
	wait_for_bytes out 10000
	process=$(child_of $! pcb-collect)
	[ "$process" ]
}

ends() {
	status=0
	wait $! 2>/dev/null || status=$?
	[ "$status" = "$1" ]
}

# interrupt: ends the running measurement by Ctrl-C.
interrupt() {
	kill -INT "$process"
	ends 130
}

# ASPM -------------------------------------------------------------------

# all_off: as in mid-run.
all_off() {
	[ "$(aspm 03:00.0) $(aspm 02:00.0)" = "0 0" ]
	[ "$(cat tree/sys/bus/pci/devices/0000:01:00.0/link/*)" = "0
0
0" ]
	# Left to the kernel.
	[ "$(aspm 01:00.0) $(aspm 00:01.0)" = "2 2" ]
	# Of another path.
	[ "$(aspm 02:01.0)" = 1 ]
}

@test "ASPM is off while it is measured, and only then" {
	under_way --path --hold aspm
	all_off
	interrupt
	# After its end nothing is left to do.
	diff -r before tree
	[ "$(sed -n 's/^# held: //p' out)" = \
		"aspm 0000:03:00.0 0000:02:00.0 0000:01:00.0" ]
	[ "$(sed -n 's/^# aspm: //p' out)" = "0000:00:01.0=L1 \
0000:01:00.0=L1 0000:02:00.0=off 0000:03:00.0=off" ]
}

@test "ASPM is as before after an ordinary end, and an early one" {
	collects lat_cfg --root tree -d pci:03:00.0 -n 10 --hold aspm
	quiet
	diff -r before tree
	# A CPU that does not exist: detected before anything is changed.
	fails 2 "--cpu 1000: no CPU that this process may use" lat_cfg \
		--root tree -d pci:03:00.0 --hold aspm --cpu 1000
	diff -r before tree
}

@test "ASPM is as before after a crash" {
	for signal in KILL SEGV ABRT; do
		under_way --path --hold aspm
		all_off
		kill -$signal "$process"
		# A sanitizer has its own status for a crash.
		status=0
		wait $! 2>/dev/null || status=$?
		[ "$status" != 0 ]
		as_before
	done
}

@test "ASPM is as before after a device that failed" {
	under_way --hold aspm
	printf '\377\377\377\377' | dd of=tree/sys/bus/pci/devices/0000:03:00.0/config \
		bs=4 seek=2 conv=notrunc status=none
	ends 2
	printf '\1\0\0\2' | dd of=tree/sys/bus/pci/devices/0000:03:00.0/config \
		bs=1 seek=8 conv=notrunc status=none
	diff -r before tree
}

@test "without the process that guards them, changes are undone as well" {
	# If children are not waited for, nobody reports that it was killed.
	for ignored in "" CHLD; do
		under_way --hold aspm
		guardian=$(child_of "$process" pcb-guardian)
		[ "$guardian" ]
		kill -KILL "$guardian"
		interrupt
		diff -r before tree
	done
}

@test "a guardian without descriptors tries again" {
	command -v prlimit >/dev/null || skip "no prlimit"
	under_way --hold aspm,power
	guardian=$(child_of "$process" pcb-guardian)
	prlimit --pid "$guardian" --nofile=3:1024
	kill -KILL "$process"
	ends 137
	until grep -q 'Too many open files' err; do sleep 0.05; done
	run ! diff -r before tree
	prlimit --pid "$guardian" --nofile=1024:1024
	as_before
}

@test "a guardian that is stopped goes on" {
	under_way --hold aspm
	guardian=$(child_of "$process" pcb-guardian)
	kill -STOP "$guardian"
	kill -TERM "$process"
	# Also if it is stopped again and again.
	for _ in {1..5000}; do kill -STOP "$guardian" 2>/dev/null || break; done
	ends 143
	diff -r before tree
}

@test "who reads its output does not wait for the guardian" {
	mkfifo pipe
	timeout 20 cat <pipe >rows 3>&- &
	reader=$!
	timeout -s KILL 20 pcb-collect lat_cfg --root tree -d pci:03:00.0 \
		-n 1000G --hold aspm >pipe 2>err 3>&- &
	wait_for_bytes rows 10000
	process=$(child_of $! pcb-collect)
	guardian=$(child_of "$process" pcb-guardian)
	kill -STOP "$guardian"
	kill -KILL "$process"
	status=0
	wait $reader || status=$?
	kill -CONT "$guardian"
	[ "$status" = 0 ]
	as_before
}

@test "nothing waits for who does not read its messages" {
	mkfifo pipe trace
	exec 5<>pipe
	while read -r signal status; do
		said=pipe under_way --hold aspm,power --debug restore
		! dd if=/dev/zero of=pipe oflag=nonblock bs=64 status=none \
			2>/dev/null || show "a full pipe"
		kill -"$signal" "$process"
		ends "$status"
		as_before
		dd if=pipe iflag=nonblock bs=64K of=/dev/null || :
	done <<-'END'
	TERM 143
	KILL 137
	END
	PCB_DEBUG_FILE=trace under_way --hold power --debug restore
	kill -TERM "$process"
	ends 143
	diff -r before tree
}

# Our files would take their descriptors and be closed or written to. Which
# ones, and who is first, is chance.
@test "without standard streams nothing is left changed" {
	for closed in '<&-' '<&- >&-' '<&- >&- 2>&-'; do
		for _ in 1 2 3 4 5; do
			run bash -c "exec pcb-collect lat_cfg --root tree \
				-d pci:03:00.0 -n 10 --hold aspm \
				--hold power $closed"
			diff -r before tree
		done
	done
}

@test "what is not held to the end is said, as it was before or not" {
	under_way --hold aspm,power
	(cd tree/sys/bus/pci/devices && set_aspm 3 03:00.0)
	echo auto >tree/sys/bus/pci/devices/0000:03:00.0/power/control
	interrupt
	[ "$(grep 'to the end' err)" = "pcb-collect: \
tree/sys/bus/pci/devices/0000:03:00.0/config: not held to the end: another program changed \
it
pcb-collect: tree/sys/bus/pci/devices/0000:03:00.0/power/control: not held to the end: \
another program changed it" ]
	echo on >tree/sys/bus/pci/devices/0000:03:00.0/power/control
	diff -r before tree
	# Nor of a device that is gone.
	under_way --hold power
	rm -r tree/sys/bus/pci/devices/0000:03:00.0/power
	interrupt
	[[ "$(cat err)" != *'to the end'* ]]
}

# --hold -----------------------------------------------------------------

@test "runtime power management that the kernel does not have" {
	own_tree
	rm -r tree/sys/bus/pci/devices/*/power
	fails 3 "--hold power: no device on the path has a file power/control" \
		lat_cfg --root tree -d pci:03:00.0 --hold power
}

@test "runtime power management, of the way to the device" {
	under_way --hold power
	for bdf in 00:01.0 01:00.0 02:00.0 03:00.0; do
		[ "$(head -n 1 "tree/sys/bus/pci/devices/0000:$bdf/power/control")" = on ]
	done
	[ "$(cat tree/sys/bus/pci/devices/0000:02:01.0/power/control)" = auto ]
	kill -KILL "$process"
	as_before
	[ "$(sed -n 's/^# held: //p' out)" = \
		"power 0000:00:01.0 0000:01:00.0 0000:02:00.0" ]
	[ "$(sed -n 's/^# runtime_pm: //p' out)" = "0000:00:01.0=on \
0000:01:00.0=on 0000:02:00.0=on 0000:03:00.0=on" ]
}

@test "a CPU that it is taken from is said" {
	[ "$(nproc)" -gt 1 ] || skip "one CPU only"
	cpus=$(taskset -pc $$)
	under_way
	cpu=$(sed -n 's/^# cpu_pinned: //p' out)
	[ "$cpu" ] || skip "it cannot be pinned here"
	taskset -pc "${cpus##*: }" "$process"
	interrupt
	grep -q "^pcb-collect: the program was moved away from CPU $cpu " err
	[[ "$(tail -n 1 out)" != *interrupts=* ]]
}

# naps: how often it has yielded the CPU itself.
naps() {
	sed -n 's/^voluntary_ctxt_switches:	//p' "/proc/$process/status"
}

@test "a real-time thread rests, so that the kernel does not stop it" {
	local before

	chrt -f 1 true || skip "real-time priority is not allowed here"
	chrt --fifo -p 1 "$BASHPID"
	under_way
	chrt -o -p 0 "$BASHPID"
	before=$(naps)
	sleep 2
	[ $(($(naps) - before)) -ge 4 ]
	interrupt
}

@test "what cannot be read is not changed" {
	while read -r file arguments; do
		rm "tree/sys/bus/pci/devices/0000:$file"
		mkdir "tree/sys/bus/pci/devices/0000:$file"
		cp -r tree other
		# shellcheck disable=SC2086
		fails 3 "$arguments: tree/sys/bus/pci/devices/0000:$file: Is a directory" \
			lat_cfg --root tree -d pci:03:00.0 --path $arguments
		diff -r other tree
		rm -r tree other
		cp -r before tree
	done <<-'EOF'
	02:00.0/power/control --hold power
	01:00.0/link/l1_aspm --hold aspm
	EOF
}

@test "a link that leads out of the root is not written through" {
	echo auto >victim
	ln -sf "$PWD/victim" tree/sys/bus/pci/devices/0000:01:00.0/power/control
	fails 3 "--hold: tree/sys/bus/pci/devices/0000:01:00.0/power/control: \
Invalid cross-device link" lat_cfg --root tree -d pci:03:00.0 --hold power
	[ "$(cat victim)" = auto ]
}

@test "what an ordinary user may not do is refused" {
	[ "$(id -u)" = 0 ] || skip "this is an ordinary user already"
	command -v setpriv >/dev/null || skip "no setpriv"
	chmod 755 . tree
	as_user() {
		try setpriv --reuid 65534 --regid 65534 \
			--clear-groups /proc/self/fd/9 lat_cfg -n 3 \
			--root /proc/self/fd/8 -d pci:03:00.0 "$@" \
			9<"$(command -v pcb-collect)" 8<tree
		[ "$status" = 3 ]
		[ "$output" = "" ]
		stderr=$(tail -n 1 <<<"$stderr")
	}
	as_user --hold power
	[[ "$stderr" = *"--hold: $no_record: Permission denied (root only)" ]]
	as_user --hold aspm
	[[ "$stderr" = *": Permission denied (root only)" ]]
	diff -r before tree
	# The part that ordinary users can read does not contain the link.
	truncate -s 64 tree/sys/bus/pci/devices/*/config
	rm tree/sys/bus/pci/devices/*/link/*
	as_user --hold aspm
	[[ "$stderr" = *": --hold aspm: only root can see and set it" ]]
}

@test "wrong words" {
	wrong "--hold 'power,sleep': not aspm or" lat_cfg --hold power,sleep
	wrong "--hold '': not aspm or power" lat_cfg --hold ''
	pio="is for lat_cfg and lat_mmio"
	wrong "--hold $pio, not for lat_rd" lat_rd --hold aspm
}

# Both killed ------------------------------------------------------------

# both_killed ARGUMENT...: the program and its guardian, in mid-run.
both_killed() {
	under_way "$@"
	kill -KILL "$(child_of "$process" pcb-guardian)" "$process"
	ends 137
}

@test "what both have left is found, said, and put back by restore" {
	rmdir tree/run/pcb-tools
	both_killed --path --hold aspm,power
	all_off
	records=(tree/run/pcb-tools/*)
	[ ${#records[@]} = 1 ]
	record=${records[0]}
	# A part of it is not followed, wherever it was cut.
	cp "$record" whole
	for lines in 0 3 7; do
		{ head -n $lines whole && sed -n "$((lines + 1))p" whole |
			head -c 40; } >"$record"
		collect restore --root tree
		is 2 "" "pcb-collect: $record: not a whole record of"
	done
	cp whole "$record"
	[ "$(stat -c %a "$record" tree/run/pcb-tools | xargs)" = "600 700" ]
	collects lat_cfg --root tree -d pci:03:00.0 -n 1 --hold power
	grep -xF "pcb-collect: $record: an earlier run left these settings changed: 'pcb-collect \
restore' restores them" <<<"$stderr"
	all_off
	collects restore --root tree
	[ "$(wc -l <<<"$output")" = 7 ]
	diff -r before tree
	# Nothing is left to do.
	collect restore --root tree
	is 0 "" ""
}

@test "paths of a record are printed as messages are" {
	printf 'text\t/gone\33]0;x\7\tauto\ton\nend\n' >tree/run/pcb-tools/1-0
	collect restore --root tree
	is 0 "tree/gone?]0;x?" ""
}

@test "who holds the directory of records makes no other wait" {
	exec 5<tree/run/pcb-tools
	flock 5
	try timeout -s KILL 20 pcb-collect lat_cfg --root tree -d pci:03:00.0 -n 1
	[ "$status" = 0 ] || show "a row"
	exec 5<&-
}

@test "a record of somebody else, or of no change, is not followed" {
	printf 'text\t/../victim\tauto\ton\nend\n' >tree/run/pcb-tools/1-0
	echo on >victim
	collect restore --root tree
	[ "$status" = 2 ]
	[ "$(<victim)" = on ]
	echo nonsense >tree/run/pcb-tools/1-0
	collect restore --root tree
	is 2 "" "pcb-collect: tree/run/pcb-tools/1-0: not a whole record of"
	printf 'text\t/sys/bus/pci/devices/0000:02:01.0/power/control\ton\tauto\nend\n' \
		>tree/run/pcb-tools/1-0
	chmod 666 tree/run/pcb-tools/1-0
	collect restore --root tree
	is 0 "" ""
	chmod 600 tree/run/pcb-tools/1-0
	if [ "$(id -u)" = 0 ]; then
		chown 65534 tree/run/pcb-tools/1-0
		collect restore --root tree
		is 0 "" ""
		chown 0 tree/run/pcb-tools/1-0
	fi
	mv tree/run/pcb-tools/1-0 mine
	ln -s "$PWD/mine" tree/run/pcb-tools/1-0
	collect restore --root tree
	is 0 "" ""
	rm tree/run/pcb-tools/1-0
	mkfifo tree/run/pcb-tools/1-0
	try timeout -s KILL 20 pcb-collect restore --root tree
	is 0 "" ""
	rm tree/run/pcb-tools/1-0
	diff -r before tree
}

@test "a FIFO among the files blocks nothing" {
	control=tree/sys/bus/pci/devices/0000:01:00.0/power/control
	rm $control
	mkfifo $control
	try timeout -s KILL 20 pcb-collect lat_cfg --root tree -d pci:03:00.0 \
		--path -n 1 --hold power
	[ "$status" = 3 ]
	[[ "$stderr" = *"/power/control: Invalid argument" ]]
	control=tree/sys/bus/pci/devices/0000:01:00.0/config
	rm $control
	mkfifo $control
	try timeout -s KILL 20 pcb-collect lat_cfg --root tree -d pci:03:00.0 -n 1
	[ "$status" -le 3 ]
}

@test "records are not where a link leads out of the root" {
	mkdir -p elsewhere/pcb-tools
	rmdir tree/run/pcb-tools
	printf 'text\t/sys/bus/pci/devices/0000:02:01.0/power/control\ton\tauto\nend\n' \
		>elsewhere/pcb-tools/1-0
	cp -r elsewhere was
	ln -s "$PWD/elsewhere/pcb-tools" tree/run/pcb-tools
	collect restore --root tree
	[ "$status" = 2 ]
	[ "$output" = "" ]
	rm -r tree/run
	ln -s "$PWD/elsewhere" tree/run
	collect restore --root tree
	is 2 "" "pcb-collect: tree/run/pcb-tools: Invalid cross-device link"
	rm elsewhere/pcb-tools/1-0 was/pcb-tools/1-0
	rmdir elsewhere/pcb-tools was/pcb-tools
	collect lat_cfg --root tree -d pci:03:00.0 -n 1 --hold power
	[ "$status" = 3 ]
	[[ "$stderr" = *"--hold: $no_record: Invalid cross-device link" ]]
	diff -r was elsewhere
	diff -r before/sys tree/sys
}

@test "two runs that change the same: the second is refused" {
	under_way --hold power
	collect lat_cfg --root tree -d pci:03:00.0 -n 1 --hold power
	[ "$status" = 3 ]
	[[ "$stderr" = *"/power/control: process $process changed it, or watches \
it: wait until it ends"* ]]
	# A running one is not restored either.
	collects restore --root tree
	[[ "$stderr" = *": its run has not ended: left unchanged" ]]
	interrupt
	diff -r before tree
	# So is one that would change what the first one only watches.
	for bdf in 00:01.0 01:00.0; do
		echo on >"tree/sys/bus/pci/devices/0000:$bdf/power/control"
	done
	cp -r tree watched
	under_way --hold power
	collects lat_cfg --root tree -d pci:05:00.0 -n 1 --hold power
	echo auto >tree/sys/bus/pci/devices/0000:01:00.0/power/control
	collect lat_cfg --root tree -d pci:05:00.0 -n 1 --hold power
	[ "$status" = 3 ]
	[[ "$stderr" = *"0000:01:00.0/power/control: process $process changed it, \
or watches it: wait until it ends"* ]]
	echo on >tree/sys/bus/pci/devices/0000:01:00.0/power/control
	interrupt
	diff -r watched tree
}
