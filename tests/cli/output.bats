# SPDX-License-Identifier: GPL-2.0-or-later
# -o FILE: written completely or not at all.
# shellcheck shell=bash

load helpers

# on_full_disk COMMAND: with a disk of 64 KiB, in the directory `disk`.
on_full_disk() {
	mkdir disk
	try unshare -rm bash -c "mount -t tmpfs -o size=64k none disk &&
		cd disk && { $1; }; status=\$?; cp -r . ../after; exit \$status"
}

# only FILE: nothing else is left with a name that begins so.
only() {
	[ "$(echo "$1"*)" = "$1" ] || { ls -la; false; }
}

# powerless COMMAND...: runs it without the powers of root.
powerless() {
	if [ "$(id -u)" = 0 ]; then
		set -- setpriv --inh-caps=-all --bounding-set=-all "$@"
	fi
	"$@"
}

@test "-o holds what is otherwise written to stdout" {
	local command words

	pcb-collect lat_rd -d sim -n 100 -r 5 -l host=h --cache cold,host-warm >rows
	pcb-stats -P rows >stats
	echo old >file
	while IFS= read -r command; do
		read -r -a words <<<"$command"
		"${words[@]}" -P >wanted
		try "${words[@]}" -P -o file
		is 0 "" ""
		cmp wanted file
		only file
	done <<-END
	pcb-stats rows
	pcb-diff --by cache stats
	pcb-model bw_rd
	pcb-model link -f table
	pcb-import csv rows
	END
	pcb-model bw_rd --explain >wanted
	pcb-model bw_rd --explain -o file
	cmp wanted file
	pcb-collect lat_rd -d sim -n 10 -P -l host=h >wanted
	try pcb-collect lat_rd -d sim -n 10 -P -l host=h -o file
	is 0 "" ""
	cmp wanted file
	for words in '-o x.md' '-f md -o x'; do
		# shellcheck disable=SC2086
		try pcb-collect lat_rd -d sim -n 10 $words
		[ "$status" = 2 ]
		[[ $stderr = *'the file gets the samples, as CSV'* ]]
		[ ! -e x ]
		[ ! -e x.md ]
	done
	pcb-collect list -P >wanted
	pcb-collect list -P -o file
	cmp wanted file
}

@test "a program that fails leaves the file as it was" {
	echo old >file
	printf 'latency_ns\n1\nx\n' >bad
	try pcb-stats -o file bad
	[ "$status" = 2 ]
	try pcb-collect lat_cfg -d ff:1f.7 -o file
	[ "$status" = 3 ]
	only file
	[ "$(<file)" = old ]
	try pcb-stats -o 'no such/file' bad
	is 2 "" "pcb-stats: no such/file.part: No such file or directory"
	ln -s link link
	try pcb-stats -o link bad
	is 2 "" "pcb-stats: link: Too many levels of symbolic links"
}

@test "so does one that is killed" {
	local signal

	needs_own_handlers
	echo old >file
	mkfifo pipe
	ulimit -Sc 0
	for signal in TERM HUP INT QUIT ALRM XCPU USR1 USR2; do
		env --default-signal pcb-stats -o file pipe 3>&- &
		exec 4>pipe
		wait_for_handler pcb-stats $! 1
		[ -e file.part ]
		# The first Ctrl-C is for the first program of a pipe.
		if [ "$signal" = INT ]; then
			kill -INT $!
			sleep 0.1
		fi
		kill -"$signal" $!
		status=0
		wait $! || status=$?
		exec 4>&-
		[ "$status" -gt 128 ]
		only file
		[ "$(<file)" = old ] || show "$signal"
	done
	# A message that nobody reads.
	try bash -c '{ sleep 0.1; echo bad; } |
		env --default-signal=PIPE pcb-stats -o file 2>&1 | true
		exit "${PIPESTATUS[1]}"'
	[ "$status" = 141 ]
	only file
	# Samples stay.
	env --default-signal pcb-collect lat_rd -d sim -n 1000G -o file 3>&- &
	wait_for_bytes file.part 100000
	kill -QUIT $!
	wait $! || status=$?
	[ $status = 131 ]
	only file
	[ "$(grep -c lat_rd file)" -gt 1 ]
}

@test "gnuplot ends with pcb-plot, and gets the usual signals" {
	local child

	pcb-collect lat_rd -d sim -n 100 >rows
	echo old >x.svg
	printf '%s\n' '#!/bin/sh' 'grep SigIgn /proc/self/status >ignored' \
		'exec sleep 20' >gnuplot
	chmod +x gnuplot
	PATH=$PWD:$PATH env --default-signal pcb-plot lat -o x.svg rows 3>&- &
	until child=$(child_of $! sleep) && [ "$child" ]; do sleep 0.01; done
	# The C library ignores some signals from 32 on.
	[[ "$(<ignored)" = *[08]0000000 ]]
	kill $!
	wait $! || status=$?
	[ "$status $(<x.svg)" = "143 old" ]
	# Process 1 may not have taken its status yet.
	for _ in {1..500}; do
		grep -qs '^State:.[^Z]' "/proc/$child/status" || return 0
		sleep 0.01
	done
	false
}

@test "two programs do not write one file, a dead one's part is replaced" {
	printf 'latency_ns\n1\n' >input
	echo rows >file.part
	exec 4>>file.part
	flock 4
	try pcb-stats -P -o file input
	is 2 "" "pcb-stats: file.part exists: "
	[[ $(<file.part) = rows && ! -e file ]]
	exec 4>&-
	try pcb-stats -P -o file input
	is 0 "" "pcb-stats: file.part of a killed program is replaced"
	only file
	[ "$(<file)" = "$(pcb-stats -P input)" ]
	# That of a living one is not.
	mkfifo pipe
	pcb-stats -o file pipe 3>&- &
	exec 4>pipe
	until [ -e file.part ]; do sleep 0.01; done
	try pcb-stats -P -o file input
	[[ $status = 2 && $stderr = *"another program writes it"* ]] || show 2
	cat input >&4
	exec 4>&-
	wait $!
	# That of a file that may not be written, for an ordinary user, too.
	echo rows >file.part
	chmod 444 file.part
	try powerless pcb-stats -P -o file input
	is 0 "" "pcb-stats: $PWD/file.part of a killed program is replaced"
	# Nor is what another user left there written to.
	echo precious >other
	for how in "ln -s other" "mkfifo -m 444" "mkdir"; do
		$how file.part
		try powerless pcb-stats -P -o file input
		[[ $status = 2 && $stderr = *"another program writes it"* ]] ||
			show "$how"
		rm -r file.part
	done
	ln other file.part
	runs pcb-stats -P -o file input
	[ "$(<other)" = precious ]
	# Many at once: each that ends well has written a whole file.
	for _ in {1..20}; do
		echo left >file.part
		for _ in 1 2 3; do
			pcb-stats -P -o file input 2>>said || echo failed >>said &
		done
		wait
		only file
		[ "$(<file)" = "$(pcb-stats -P input)" ] || { cat said; false; }
	done
}

@test "a part that another program has replaced is left alone" {
	local how ending

	printf 'latency_ns\n1\n' >input
	mkfifo pipe
	mkdir dir
	for how in "cp input" "ln input" "cp -r dir" rm; do
		for ending in good bad kill; do
			echo good >file
			pcb-stats -o file pipe 2>said 3>&- &
			exec 4>pipe
			until [ -e file.part ]; do sleep 0.01; done
			mv file.part first
			if [ "$how" = rm ]; then rm first; else $how file.part; fi
			case $ending in
			good) cat input >&4 ;;
			bad) echo bad >&4 ;;
			kill) kill $! ;;
			esac
			exec 4>&-
			status=0
			wait $! || status=$?
			[ "$status $(<file)" != "0 good" ] || show "$how $ending"
			[ "$(<file)" = good ] || show "$how $ending"
			[ "$how" = rm ] || [ -e file.part ] || show "$how $ending"
			[ $ending != good ] || [[ "$(<said)" = "pcb-stats: \
$PWD/file.part was moved, removed or replaced: $PWD/file is as it was" ]] || { cat said; show "$how"; }
			[ "$(<input)" = $'latency_ns\n1' ]
			rm -rf file.part first
		done
	done
}

@test "output that cannot be put in place stays under another name" {
	local command name

	printf 'latency_ns\n1\n' >input
	mkfifo pipe
	for command in 'pcb-stats -o file' \
		'pcb-collect lat_rd -d sim -n 1000G --time 300ms -o file'; do
		$command <pipe 2>said 3>&- &
		exec 4>pipe
		until [ -e file.part ]; do sleep 0.01; done
		mkdir file
		cat input >&4
		exec 4>&-
		status=0
		wait $! || status=$?
		[ "$status" = 2 ] || show 2
		name=$(sed -n 's/.*: file: Is a directory: the output is in //p' said)
		[ "$(echo file*)" = "file $name" ]
		grep -q "^# command: ${command% -o*}" "$name"
		rm -r file*
	done
}

@test "a file that is replaced keeps its mode, and for root its owner" {
	local owner

	printf 'latency_ns\n1\n' >input
	for mode in 600 1640 444 666; do
		echo old >file
		[ "$(id -u)" != 0 ] || chown $((mode > 600 ? 65534 : 0)):65533 file
		chmod "$mode" file
		owner=$(stat -c %u:%g:%a file)
		runs pcb-stats -P -o file input
		[ "$(stat -c %u:%g:%a file)" = "$owner" ] || show "$owner"
		[ "$(<file)" = "$(pcb-stats -P input)" ]
		rm file
	done
	unshare -rm true 2>/dev/null && [ "$(id -u)" = 0 ] ||
		skip "without other users"
	# An owner that cannot stay.
	echo old >file
	chown 65534 file
	try unshare -r pcb-stats -P -o file input
	is 2 "" "pcb-stats: $PWD/file: only root can keep its owner and"
	only file
	[ "$(<file)" = old ]
}

# acl FILE [TYPE ENTRY...]: prints the access list, or sets one: TAG.MODE.ID
acl() {
	python3 - "$@" <<-'END'
	import os, struct, sys
	file, name, *rest = *sys.argv[1:], "access"
	name = "system.posix_acl_" + name
	rest = [[int(n) for n in entry.split(".")] for entry in rest[:-1]]
	if rest:
	    os.setxattr(file, name, struct.pack("<I", 2) +
	                b"".join(struct.pack("<HHI", *e) for e in rest))
	else:
	    print(os.getxattr(file, name).hex())
	END
}

@test "a file that is replaced keeps its access list, and gets no other" {
	local none=4294967295 before

	command -v python3 >/dev/null || skip "no python3"
	printf 'latency_ns\n1\n' >input
	echo old >file
	# user::rw- user:65533:rw- group::--- mask::rw- other::---
	acl file access 1.6.$none 2.6.65533 4.0.$none 16.6.$none 32.0.$none ||
		skip "a file system without access lists"
	before=$(acl file)
	runs pcb-stats -P -o file input
	[ "$(stat -c %a file) $(acl file)" = "660 $before" ]
	# A new file gets that of the directory, an old one does not.
	mkdir dir
	acl dir default 1.7.$none 2.7.65534 4.5.$none 16.7.$none 32.5.$none
	cp -p input dir/old
	for file in new old; do
		runs pcb-stats -P -o dir/$file input
	done
	[[ "$(ls -l dir/new)" = -rw-*+* && "$(ls -l dir/old)" != *+* ]]
}

@test "links and devices are written to, not replaced" {
	printf 'latency_ns\n1\n' >input
	echo old >file
	ln -s file link
	pcb-stats -P -o link input
	[ -L link ]
	[ "$(<file)" = "$(pcb-stats -P input)" ]
	ln -s none dangling
	try pcb-stats -o dangling input
	is 2 "" "pcb-stats: dangling: a link to a file that does not exist;"
	[ -L dangling ]
	# Nor is one taken for a file that has gone.
	exec 4>gone
	mv file 'gone (deleted)'
	rm gone
	try pcb-stats -P -o /dev/fd/4 input
	exec 4>&-
	is 2 "" "pcb-stats: /dev/fd/4: it changes"
	mv 'gone (deleted)' file
	pcb-stats -o /dev/null input
	[ -c /dev/null ]
	[ "$(pcb-stats -P -o /dev/stdout input | cat)" = "$(<file)" ]
	try pcb-stats -P -o /dev/full input
	is 2 "" "pcb-stats: /dev/full: No space left on device"
}

@test "a full disk: filters leave nothing, samples are kept" {
	unshare -rm true 2>/dev/null || skip "no namespaces for this user"
	pcb-collect lat_rd -d sim -n 10K -l host=h >rows
	on_full_disk 'pcb-stats --histogram -g "" -o file ../rows'
	[ "$status" = 0 ]
	rm -r disk after
	on_full_disk 'pcb-import csv -o file ../rows'
	[ "$status" = 2 ]
	[ "$(ls after)" = "" ]
	rm -r disk after
	on_full_disk 'pcb-collect lat_rd -d sim -n 10K --wide -o file'
	[ "$status" = 2 ]
	[ "$(ls after)" = file ]
	runs pcb-stats after/file
	[[ $stderr == "pcb-stats: after/file: the stream was cut short after "* ]]
}

@test "a full disk: a picture stays" {
	unshare -rm true 2>/dev/null || skip "no namespaces for this user"
	command -v gnuplot >/dev/null || skip "gnuplot is not installed"
	pcb-collect lat_rd -d sim -n 3000 -l host=h >rows
	for type in svg html pdf txt; do
		on_full_disk "echo good >x.$type; cat /dev/zero >fill 2>/dev/null;
			pcb-plot scatter -o x.$type ../rows"
		is 2 "" "pcb-plot: $PWD/disk/x.$type: No space left on device"
		[ "$(cd after && echo x* && cat x*)" = "x.$type"$'\ngood' ]
		rm -r disk after
	done
	try pcb-plot scatter -T svg -o /dev/full rows
	is 2 "" "pcb-plot: /dev/full: No space left on device"
}
