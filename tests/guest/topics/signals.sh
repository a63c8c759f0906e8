# SPDX-License-Identifier: GPL-2.0-or-later
# Signals during a measurement of all functions.
# shellcheck shell=dash disable=SC2154

# whole: whether rows are complete, as many as the end line reports, and equally
# many per function, except the last round.
whole() {
	awk -F, '
	/^# end: / { split($0, word, /[ =]/); said = word[4]; next }
	/^#/ { next }
	NF != 10 { print "fields: " $0; exit 1 }
	!header++ { next }
	{ rows++; n[$5]++ }
	END {
		for (device in n) {
			functions++
			if (!least || n[device] < least) least = n[device]
			if (n[device] > most) most = n[device]
		}
		print functions, least, most, rows, said
		exit functions != 27 || most - least > 1 || rows != said
	}' out
}

# signalled NUMBER COMMAND...: a measurement that gets the signal.
signalled() {
	number=$1
	shift
	start "$@" lat_cfg -n 1000G --wide
	under_way
	kill "-$number" $!
	finish
}

stops() {
	signalled "$1" pcb-collect
	gives "$2"
	tail -n 1 out | grep '^# end: rows=[0-9]* complete=no '
	whole
	mv out samples
	run pcb-stats samples
	# It may also say that the run was disturbed.
	[ "$status" = 0 ]
	grep -qx 'pcb-stats: samples: the collection was stopped before its end' err
}

stops_whole() {
	stops INT 130
	stops TERM 143
	stops HUP 129
}
check "SIGINT, SIGTERM, SIGHUP: whole rounds, an end line" stops_whole

killed() {
	signalled KILL pcb-collect
	gives 137
	mv out samples
	! grep '^# end' samples || false
	# The kernel may cut the last write anywhere: only whole rows count.
	head -n "$(wc -l <samples)" samples >rows
	run pcb-stats samples
	[ "$status" = 0 ]
	grep -qx "pcb-stats: samples: the stream was cut short after \
$(grep -c ,lat_cfg, rows) rows" err
	[ "$(grep -v '^#' rows | awk -F, '{ print NF }' | sort -u)" = 10 ]
}
check "SIGKILL: what was written can be read" killed

users_stop() {
	signalled INT /usr/bin/setpriv --reuid 65534 --regid 65534 \
		--clear-groups pcb-collect
	gives 130
	whole
}
check "an ordinary user's SIGINT" users_stop

limited() {
	run pcb-collect lat_cfg -n 1000G --time 200ms -r 2 --wide
	gives 0
	whole
}
check "--time ends every run" limited

# stalled: waits until the started command waits for its reader.
stalled() {
	grep -q pipe_write "/proc/$!/wchan"
}

reader_sleeps() {
	nvme=0000:01:00.0
	mkfifo pipe
	for signal in INT:130 TERM:143 HUP:129; do
		# shellcheck disable=SC2217 # it keeps the pipe open
		sleep 1000 <pipe &
		reader=$!
		/usr/bin/env --default-signal pcb-collect lat_nvme \
			-d nvme:$nvme -O unbind=yes -n 1000G >pipe 2>err &
		await 20 stalled
		[ "$(bound_to $nvme)" = vfio-pci ]
		kill "-${signal%:*}" $!
		finish
		is_as_before $nvme nvme
		kill $reader
		gives "${signal#*:}"
	done
}
check "a device is given back while the reader sleeps" reader_sleeps
