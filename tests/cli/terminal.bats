# SPDX-License-Identifier: GPL-2.0-or-later
# What a person sees who types at a terminal, which is a real one: script(1).
# shellcheck shell=bash disable=SC2034,SC2154

load helpers

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	unset NO_COLOR
}

# on_terminal COLUMNS COMMAND: the shell's command with all three standard
# streams on a terminal of so many columns and 24 lines.
on_terminal() {
	try script -qec "stty cols $1 rows 24 -onlcr; $2" /dev/null </dev/null
	BATS_RUN_COMMAND=$2
}

@test "a filter that would wait for somebody to type shows its usage" {
	local command usage

	while IFS='|' read -r command usage; do
		on_terminal 80 "$command"
		[ "$status" = 2 ] && [ "${#lines[@]}" = 3 ] &&
			[ "${lines[0]}" = "Usage: $usage" ] &&
			[ "${lines[1]}" = "${command%% *}: no input: name a \
FILE or pipe a stream in ('-' reads the terminal)" ] &&
			[ "${lines[2]}" = "Try '${command%% *} --help'." ] ||
			show "$usage"
	done <<-'END'
	pcb-stats|pcb-stats [options] [FILE...]
	pcb-diff|pcb-diff [options] [FILE...]
	pcb-ddio|pcb-ddio [options] [FILE...]
	pcb-plot cdf|pcb-plot KIND [options] [FILE...]
	pcb-import csv|pcb-import FORMAT [options] [FILE...]
	pcb-model --join|pcb-model --join [options] [FILE...]
	END
}

@test "a filter told to read the terminal ends with the first Ctrl-C" {
	local pid

	needs_own_handlers
	mkfifo keys
	env --default-signal=INT script -qec 'echo $$ >pid; exec pcb-stats -' \
		/dev/null <keys >/dev/null 3>&- &
	exec 4>keys
	wait_for_bytes pid 2
	pid=$(<pid)
	# Until it reads: a program has been started, and its handlers are set.
	until [ "$(cat "/proc/$pid/comm")" = pcb-stats ] &&
		[[ $(cat "/proc/$pid/syscall") == '0 0x0 '* ]]; do
		sleep 0.01
	done
	printf '\003' >&4
	status=0
	wait $! || status=$?
	exec 4>&-
	[ "$status" = 130 ]
}
