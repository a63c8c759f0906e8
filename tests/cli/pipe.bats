#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Programs in a pipe: Ctrl-C, readers that leave, truncated streams.

load helpers

# The grouping columns and n of a pcb-stats table on stdin.
n_of() {
	column n
}

stopped='pcb-stats: standard input: the collection was stopped before its end'

# Kills tests that hang after 20 seconds.
export limited='timeout --foreground -s KILL 20'

# interrupted PIPE SCRIPT: what a pipe says if it gets SIGINT after a script,
# which has the id of its process group in $pipe. The shell prints to stderr,
# too, and would forget a job that ends before it is waited for.
interrupted() {
	export -f wait_for_bytes child_of
	try env --default-signal=INT bash -c "set -m -o pipefail
$1 &
pipe=\$(jobs -p %1)
{
$2
kill -INT -- -\$pipe
} &
wait %1 || status=\$?
kill %2 2>/dev/null
exit \${status:-0}" - 3>&-
}

# Ctrl-C and signals -----------------------------------------------------

@test "samples as JSON lines are those of csv" {
	local bench

	cd "$BATS_TEST_TMPDIR" || return
	for bench in 'lat_rd --cache cold,host-warm' bw_rdwr; do
		# shellcheck disable=SC2086
		pcb-collect $bench -d sim -n 100 -s 64,128 -l host=12 \
			-l a='x "y", \z' -l b=7 -P >rows.csv
		# shellcheck disable=SC2086
		pcb-collect $bench -d sim -n 100 -s 64,128 -l host=12 \
			-l a='x "y", \z' -l b=7 -f jsonl >rows.jsonl
		pcb-import csv -P rows.csv >wanted
		pcb-import csv -P rows.jsonl >got
		cmp wanted got
	done
	grep '"host":"12","run":1,.*,"size_bytes":64,.*"b":"7","transfers":100,' \
		rows.jsonl
	pcb-collect lat_rd -d sim -n 7 -P -o file.jsonl
	[ "$(grep -c '"latency_ns":[0-9.]*}$' file.jsonl)" = 7 ]
}

@test "what JSON lines hold, all programs read as from csv" {
	local command

	cd "$BATS_TEST_TMPDIR" || return
	pcb-collect lat_rd -d sim -n 100 -r 2 -s 64,128 -l a='x "y", \z' |
		pcb-stats >rows.csv
	pcb-stats --histogram -f jsonl <(pcb-collect lat_rd -d sim -n 100) \
		>samples.jsonl
	pcb-import csv -f jsonl rows.csv >rows.jsonl
	pcb-import csv -P rows.csv >wanted.csv
	for command in 'pcb-import csv' 'pcb-diff --by size_bytes' \
		'pcb-model --join' 'pcb-plot lat'; do
		$command wanted.csv >wanted
		$command rows.jsonl >got
		sed -i 's/^# command: .*//; s/rows\.jsonl/wanted.csv/' got
		sed -i 's/^# command: .*//' wanted
		diff wanted got
	done
	runs pcb-stats samples.jsonl
	[ "$(column n <<<"$output")" = 100 ]
	# The names of objects may change, and lines be empty.
	printf '%s\n' '{"a":1,"b_ms":2}' '' '{"b_ms":3,"a":null}' >foreign
	try pcb-stats -P - <foreign
	[ "$stderr" = "" ]
	[ "$(cut -d, -f 1-3 <<<"$output")" = "a,n,min_ns
1,1,2000000
,1,3000000" ]
	for text in '[{"a":1}]' '[\n{"a":1}]'; do
		try pcb-stats - < <(printf %b "$text")
		is 2 "" "pcb-stats: standard input:1: a JSON array: jq -c"
	done
}

@test "JSON is one document, of several parts and of a program that fails" {
	cd "$BATS_TEST_TMPDIR" || return
	command -v jq >/dev/null || skip "jq is not installed"
	pcb-collect lat_rd -d sim -n 5 -r 2 >a
	pcb-collect lat_rd -d sim -n 5 --cache host-warm >>a
	pcb-stats -f json a >one.json
	[ "$(jq -s 'length, (.[0] | .rows[].cache, .end.rows, .meta.parts)' \
		one.json | xargs)" = "1 cold cold host-warm 3 2" ]
	jq -S .rows one.json | cmp - <(pcb-stats -f json -P a | jq -S .)
	jq -S .rows one.json | cmp - <(pcb-stats -f jsonl a | jq -sS .)
	pcb-stats -f json a | head -c 1 | grep -q '{'
	# A program that fails has written a document or nothing.
	printf '# pcb-csv: 1\nlatency_ns\n1\nx\n' >wrong
	for command in pcb-stats 'pcb-import csv' 'pcb-model --join'; do
		# shellcheck disable=SC2086
		try $command -f json wrong
		jq -e . <<<"$output" >/dev/null || [ "$output" = "" ]
	done
}

@test "Ctrl-C on a whole pipe: statistics of all that was taken" {
	# tee -i shows when rows flow, and which.
	interrupted '$limited pcb-collect lat_rd -d sim -n 1000G --wide |
		tee -i stream | pcb-stats >stats' 'wait_for_bytes stream 1000000'
	[ "$status" = 130 ]
	[ "$(grep ^pcb <<<"$stderr")" = "$stopped" ] || show "$stopped"
	rows=$(grep -c ,lat_rd, stream)
	[ "$(tail -n 1 stream)" = "# end: rows=$rows complete=no" ]
	[ "$(grep -v '^#' stream | awk -F, '{ print NF }' | uniq)" = 16 ]
	[ "$(n_of <stats)" = "$rows" ]
	[ "$(grep '^# command' stats)" = \
		"# command: pcb-collect lat_rd -d sim -n 1000G --wide | pcb-stats" ]
	[ "$(tail -n 1 stats)" = "# end: rows=1 complete=no" ]
}

@test "Ctrl-C on a pipe of two, and on a histogram behind a sweep" {
	interrupted '$limited pcb-collect bw_rd -d sim -n 300K -s 8:4096 -r 1000G |
		pcb-stats -P --histogram >stats' '
	until collect=$(child_of "$pipe" pcb-collect) && [ "$collect" ]; do
		sleep 0.01
	done
	n=0
	until ((n == 4)); do
		now=$(grep ^wchar: "/proc/$collect/io")
		[ "$now" = "${seen:-}" ] || ((n += 1))
		seen=$now
		sleep 0.02
	done'
	[ "$status" = 130 ]
	[ "$(grep ^pcb <<<"$stderr")" = "$stopped" ] || show "$stopped"
	[ "$(wc -l <stats)" -gt 1 ]
}

@test "a signal is also how pcb-collect ends" {
	ends() {
		status=0
		rm -f out
		ulimit -Sc 0
		env --default-signal=INT,TERM,HUP pcb-collect lat_rd -d sim \
			-n 1000G --wide -f "${3:-csv}" >out 2>err 3>&- &
		wait_for_bytes out 100000
		kill "-$1" $!
		wait $! 2>/dev/null || status=$?
		[ "$status" = "$2" ] || show "$2"
		rows=$(grep -cE ',("bench":")?lat_rd"?,' out)
		[ "$(tail -n 1 out)" = "${4:-# end: rows=}$rows${5:- complete=no}" ]
		[ ! -s err ]
	}
	ends INT 130
	ends INT 130 json '],"end":{"rows":' ',"complete":"no"}}'
	command -v jq >/dev/null && jq -e '.rows | length' out
	ends TERM 143
	ends HUP 129
	ends XCPU 152
	# Killed by the signal, which is no exit status.
	command -v python3 >/dev/null || skip "no python3"
	python3 -c '
import subprocess, time
p = subprocess.Popen("exec pcb-collect lat_rd -d sim -n 1000G >out",
                     shell=True)
time.sleep(0.3)
p.terminate()
raise SystemExit(p.wait() != -15)'
}

@test "an ignored signal stays ignored" {
	try timeout --preserve-status -s TERM 5 env \
		--ignore-signal=INT bash -c 'pcb-collect lat_rd -d sim \
			-n 1000G --time 400ms >out &
		sleep 0.1; kill -INT $!; wait $!'
	[ "$status" = 0 ]
	[[ "$(tail -n 1 out)" = "# end: rows="*" complete=yes" ]]
}

# collector_of PROCESS: the collector below it, once it has handlers and waits.
collector_of() {
	local process='' state waited=0

	until [ "$process" ] || ((++waited > 500)); do
		sleep 0.02
		process=$(child_of "$1" pcb-collect)
	done
	waited=0
	until ((waited == 10)); do
		sleep 0.02
		read -r _ _ state _ <"/proc/$process/stat" || return
		[ "$state" = S ] && ((++waited)) || waited=0
	done
	echo "$process"
}

@test "a signal ends it while its reader sleeps" {
	local reader status signal

	ulimit -Sc 0
	mkfifo pipe
	for signal in INT:130 TERM:143 HUP:129; do
		# shellcheck disable=SC2217 # it keeps the pipe open
		sleep 60 <pipe 3>&- &
		reader=$!
		$limited env --default-signal=INT,TERM,HUP pcb-collect lat_rd \
			-d sim -n 1000G >pipe 2>&1 3>&- &
		kill "-${signal%:*}" "$(collector_of $!)"
		status=0
		wait $! 2>/dev/null || status=$?
		kill $reader
		wait $reader || : # a reader that ends later ends the next one
		[ "$status" = "${signal#*:}" ]
	done
}

@test "what a slow reader has not taken comes after the signal" {
	mkfifo pipe
	{ until [ -e go ]; do sleep 0.02; done; cat >stream; } <pipe 3>&- &
	$limited env --default-signal=TERM pcb-collect lat_rd -d sim \
		-n 1000G --wide >pipe 3>&- &
	process=$(collector_of $!)
	kill -TERM "$process"
	sleep 0.2
	# timeout(1) sends two signals, which count as one.
	kill -TERM "$process"
	sleep 0.1
	: >go
	wait
	rows=$(grep -c ,lat_rd, stream)
	[ "$(tail -n 1 stream)" = "# end: rows=$rows complete=no" ]
	[ "$(grep -v '^#' stream | awk -F, '{ print NF }' | uniq)" = 16 ]
}

@test "the alarm of somebody else is no end of a point" {
	ulimit -Sc 0
	env --default-signal=ALRM pcb-collect lat_rd -d sim -n 1000G >out \
		2>err 3>&- &
	wait_for_bytes out 100000
	kill -ALRM $!
	status=0
	wait $! 2>/dev/null || status=$?
	[ "$status" = 142 ]
	[[ "$(tail -n 1 out)" = *" complete=no" ]]
	# Nor one that the caller has set.
	command -v perl >/dev/null || skip "no perl"
	status=0
	perl -MTime::HiRes=ualarm -e 'ualarm 200000; exec @ARGV' pcb-collect \
		bw_rd -d sim -n 1000G --time 100s >out 2>err || status=$?
	[ "$status" = 142 ]
	[[ "$(tail -n 1 out)" = *" complete=no" ]]
	env --ignore-signal=ALRM perl -MTime::HiRes=ualarm -e 'ualarm 200000;
		exec @ARGV' pcb-collect bw_rd -d sim -n 1000G --time 400ms \
		>out 2>err
	[[ "$(tail -n 1 out)" = *" complete=yes" ]]
}

# Readers that go ----------------------------------------------------------

@test "a reader that goes away ends it quietly" {
	try bash -c '
		pcb-collect lat_rd -n 1000G | head -n 1
		exit "${PIPESTATUS[0]}"'
	[ "$status" = 141 ]
	[ "$output" = "# pcb-csv: 2" ]
	quiet
	try bash -c '
		pcb-collect lat_rd -d sim -n 1000G | pcb-stats --nonsense
		exit "${PIPESTATUS[0]}"'
	[ "$status" = 141 ]
	# Even if SIGPIPE is ignored.
	try bash -c '
		trap "" PIPE
		pcb-collect lat_rd -d sim -n 1000G | head -n 1
		exit "${PIPESTATUS[0]}"'
	[ "$status" = 141 ]
	[ "$stderr" = "" ]
	try bash -c '
		pcb-collect lat_cfg -d pci --root tree | true
		exit "${PIPESTATUS[0]}"'
	[ "$status" = 3 ]
}

@test "output that is lost is an error" {
	lost() {
		try bash -c '"$@" >/dev/full' - "$@"
		[ "$status" = 2 ] || show 2
		[[ "$stderr" = *"${1##*/}: stdout: No space left on device" ]]
		quiet_but_for=$(grep -cv 'stdout: No space' <<<"$stderr" || true)
		[ "$quiet_but_for" = 0 ] || show "one line"
	}
	lost pcb-collect lat_rd -d sim -n 1
	lost pcb-collect lat_rd -d sim -n 1000G
	lost pcb-collect bw_rd -P -d sim -n 1
	lost pcb-collect list
	lost pcb-collect --help
	lost pcb-collect --version
	lost pcb-collect lat_rd -O help -d sim
	printf 'device,parent,min_ns\na,,1\nb,a,3\n' >input
	while read -r -a words; do
		tests "${words[@]}"
		needs_room
	done <<-END
		pcb-stats -c min_ns
		pcb-stats -c min_ns -f table
		pcb-stats -c min_ns -f json
		pcb-stats -c min_ns -f jsonl
		pcb-stats -c min_ns -f openmetrics
		pcb-stats -c min_ns --histogram
		pcb-stats --help
		pcb-diff
		pcb-import csv
		pcb-model link
		pcb-model bw_rd --explain
		pcb-ddio -t 1s $TOP/experiments/ddio/iperf.csv
	END
	# A file size limit must not kill it.
	(ulimit -f 1 && try bash -c \
		'pcb-collect lat_rd -d sim -n 1000 >large' &&
		is 2 "" "pcb-collect: stdout: File too large")
}

@test "a stack of 64 KiB is enough" {
	! grep -q __asan_init "$(command -v pcb-stats)" ||
		skip "the sanitizer takes more"
	[ "${EMULATED:-}" = "" ] || skip "$EMULATED takes more"
	# The environment uses the stack, too.
	try env -i PATH="$PATH" bash -c 'ulimit -s 64
		pcb-collect bw_rd -d sim -n 1000 | pcb-stats -P |
			pcb-model --join | pcb-plot bw >plot &&
		echo "${PIPESTATUS[*]}"'
	is 0 "0 0 0 0" ""
	[ -s plot ]
}

@test "a pipe that another program has left without waiting" {
	# dd leaves its flags to other users of the pipe.
	pcb-collect lat_rd -d sim -n 20K -P >rows
	try bash -c '{ dd oflag=nonblock count=0 status=none
		pcb-collect lat_rd -d sim -n 20K -P
		} | { sleep 0.3; cmp - rows; }'
	is 0 "" ""
	pcb-stats rows >wanted
	try bash -c '{ sleep 0.3; cat rows; } |
		{ dd iflag=nonblock count=0 status=none; pcb-stats -P; }'
	is 0 "$(grep -v "^#" wanted)" ""
}

# Streams that end early ---------------------------------------------------

@test "a collector that is killed leaves a stream cut short" {
	# Slow, so that its rows are written and it is measuring.
	example_tree tree
	status=0
	pcb-collect lat_cfg -d pci --root tree -n 1000G >stream 2>err 3>&- &
	wait_for_bytes stream 50000
	kill -KILL $!
	wait $! 2>/dev/null || status=$?
	[ "$status" = 137 ]
	runs pcb-stats stream
	# A last line without its line feed is no row.
	[ "${stderr%%$'\n'*}" = "pcb-stats: stream: the stream was cut short after \
$(($(wc -l <stream) - $(grep -c '^#' stream) - 1)) rows" ]
	[ "${lines[-1]}" = "# end: rows=12 complete=no" ]
}

@test "wherever a stream is cut, it is said" {
	local wide bytes text whole

	for wide in '' --wide; do
		# shellcheck disable=SC2086
		pcb-collect lat_rd -d sim -n 20 $wide >stream
		rows=$(($(grep -nv '^#' stream | cut -d: -f1 | head -n 1) + 1))
		# Cut in the header: nothing is complete. Cut in the last row:
		# the rows before are, also within the end line.
		head -n "$((rows - 1))" stream | head -c -1 >part
		try pcb-stats part
		is 2 "" "pcb-stats: part: no header row"
		text=$(<stream)
		whole=$(head -n "$((rows + 18))" stream)
		for ((bytes = ${#whole} + 1; bytes <= ${#text}; bytes += 3)); do
			printf %s "${text:0:bytes}" >part
			whole=${text:0:bytes}
			whole=${whole//[!$'\n']/}
			whole=$((${#whole} - rows + 1))
			try pcb-stats part
			[ "$status" = 0 ] && [ "$(n_of <<<"$output")" = "$whole" ] &&
				[ "$stderr" = "pcb-stats: part: the stream was cut \
short after $whole rows" ] && [[ $output != *complete=yes* ]] ||
				show "$whole rows of $bytes bytes"
		done
		try pcb-stats stream
		[ "$stderr" = "" ]
	done
}

# Streams that meet --------------------------------------------------------

@test "two hosts stay two groups, and equal identity pools" {
	pcb-collect lat_rd -d sim -n 100 -l host=a >a
	pcb-collect lat_rd -d sim -n 100 -l host=b --seed 2 >b
	groups() {
		runs pcb-stats --merge "$@"
		[ "$stderr" = "" ]
		paste -d: <(column host <<<"$output") <(n_of <<<"$output") |
			xargs
	}
	[ "$(groups a b)" = "a:100 b:100" ]
	[ "$(cat a b | groups)" = "a:100 b:100" ]
	[ "$(cat a b a | groups)" = "a:200 b:100" ]
	[ "$(cat b a | groups b -)" = "b:200 a:100" ]
	# As in one run: only n differs.
	pcb-collect lat_rd -d sim -n 200 -l host=a --wide >whole
	{ grep '^#' whole | head -n 1; grep -m 1 ^host, whole
		grep ^a, whole | head -n 150; } >first
	{ echo '# pcb-csv: 1'; grep -m 1 ^host, whole
		grep ^a, whole | tail -n 50; grep '^# end' whole; } >second
	[ "$(cat first second | pcb-stats -P 2>err)" = \
		"$(pcb-stats -P whole)" ]
	# Kinds never pool, runs do.
	sed s/simulated/virtual/ a >real
	[ "$(groups a real)" = "a:100 a:100" ]
	pcb-collect lat_rd -d sim -n 100 -r 2 -l host=a >runs
	[ "$(groups runs)" = "a:100 a:100" ]
}

# alike COMMAND: it writes the same rows of the short files and the wide ones.
alike() {
	bash -o pipefail -c "cd short; $1" >got 2>got.err
	bash -o pipefail -c "cd wide; $1" >wanted 2>wanted.err
	[ -s wanted ] || show "rows of $1: $(<wanted.err)"
	diff <(grep -v '^# command' got) <(grep -v '^# command' wanted) ||
		show "the same rows of $1"
	diff got.err wanted.err
}

@test "short streams are the tables of their wide rows" {
	local name command
	local -a how

	cd "$BATS_TEST_TMPDIR" || return
	mkdir short wide
	while read -r name how; do
		read -r -a how <<<"$how"
		pcb-collect "${how[@]}" >short/"$name"
		pcb-collect "${how[@]}" --wide >wide/"$name"
		sed -i '/^# date/d' {short,wide}/"$name"
		[ "$(head -n 1 short/"$name")" = "# pcb-csv: 2" ]
		[ "$(head -n 1 wide/"$name")" = "# pcb-csv: 1" ]
	done <<-END
	a lat_rd -d sim -n 1000 -l host=a
	b lat_rd -d sim -n 1000 -l host=b -l rack=r,"1
	bw bw_rd -d sim -n 1000 -s 64,128 -r 2 -l host=a
	sizes lat_rd -d sim -n 20 -s 64,128 -r 5 -l host=a
	large lat_rd -d sim -n 400K -l host=a
	x lat_rd -d sim -n 20 -r 5 -l host=a -l device=x -l parent= -l bench=lat_cfg
	y lat_rd -d sim -n 20 -r 5 -l host=a -l device=y -l parent=x -l bench=lat_cfg
	told lat_rd -d sim -n 1 -l host=a -l device=y -l parent=x -l bench=lat_cfg
	END
	for command in 'pcb-stats a' 'cat a b bw | pcb-stats -c latency_ns' \
		'pcb-stats a b' 'pcb-stats --merge b a' 'pcb-stats -g host a b' \
		'pcb-stats -g rack,host --merge a b' "pcb-stats -g '' a" \
		'pcb-stats --pool host --merge a b' 'pcb-stats --histogram b' \
		'pcb-stats large' 'taskset -c 0 pcb-stats large' \
		'cat large a large | pcb-stats' 'pcb-stats large sizes' \
		'pcb-model --join bw' 'pcb-stats sizes | pcb-model --join' \
		'pcb-stats sizes bw -c latency_ns | pcb-diff --by size_bytes' \
		'head -n -9 a | pcb-stats' 'pcb-import csv -l x=1 a' \
		'pcb-stats --merge x y | pcb-diff' \
		'pcb-stats --merge x y | pcb-diff --links told' \
		'pcb-plot cdf a b' 'pcb-plot bw bw'; do
		alike "$command"
	done
}

@test "two benches in one table; the preamble changes no result row" {
	{
		pcb-collect lat_rd -d sim -n 10
		pcb-collect lat_wrrd -d sim -n 20
		pcb-collect lat_rd -d sim -n 30 -l bios=2
	} | pcb-stats >stats
	[ "$(column bench <stats | xargs)" = "lat_rd lat_wrrd lat_rd" ]
	[ "$(column bios <stats | xargs)" = 2 ]
	[ "$(n_of <stats | xargs)" = "10 20 30" ]
	grep -q '^# parts: 3' stats

	# The preamble changes no result row.
	for bench in lat_rd lat_wrrd bw_rdwr; do
		for options in '' -P; do
			pcb-collect $bench -d sim -n 1000 -s 64,128 -r 2 \
				-l 'note=#1, "x"' $options |
				pcb-stats -P >"stats$options"
		done
		cmp stats stats-P
		[ "$(wc -l <stats)" = 5 ]
		# Nor does it matter who removes it.
		pcb-collect $bench -d sim -n 1000 -s 64,128 -r 2 \
			-l 'note=#1, "x"' --wide | grep -v '^#' | pcb-stats -P |
			cmp - stats
	done
}

# Progress -----------------------------------------------------------------

# on_terminal COMMAND: with a terminal as stderr, whose text is in "terminal".
on_terminal() {
	command -v script >/dev/null || skip "no script(1)"
	script -qec "$1" /dev/null </dev/null >terminal
}

@test "lines of JSON that were cut off are left out, with a warning" {
	pcb-collect lat_rd -q -d sim -n 99 -f jsonl >whole
	head -c -9 whole >cut.rows
	try pcb-stats cut.rows
	[ "$status" = 0 ] || show "status 0"
	[[ $stderr = "pcb-stats: cut.rows: the last line is cut off, after 98 rows"* &&
		${lines[-1]} = "# end: rows=1 complete=no" ]] || show "98 rows"
	[ "$(column n <<<"$output")" = 98 ] || show "n"
	# What is no row at all is wrong; so is a cut line in the middle.
	head -c 30 whole >bad
	try pcb-stats bad
	[ "$status" = 2 ] || show "no row"
	try pcb-stats <(cat cut.rows whole)
	[ "$status" = 2 ] || show "in the middle"
	# kill -9 may cut a line, within write(2); the whole ones are read.
	pcb-collect lat_rd -q -d sim -n 200K -f jsonl >killed &
	wait_for_bytes killed 1000000
	kill -KILL $! || :
	wait $! || :
	for cut in killed <(head -c -9 killed); do
		cat "$cut" >cut.rows
		try pcb-stats cut.rows
		[ "$status" = 0 ] || show "status 0"
		[ "$(column n <<<"$output")" = "$(grep -c '}$' cut.rows)" ] ||
			show "the whole lines"
	done
}

@test "progress is for a terminal, and -q silences it" {
	command='pcb-collect lat_rd -d sim -n 1000G --time 300ms'
	on_terminal "$command >out"
	grep -q 'pcb-collect: [1-9][0-9]* %' terminal
	# The line is cleared at the end.
	[[ "$(tail -c 4 terminal)" = *$'\e[K' ]]
	on_terminal "$command -q >out"
	[ ! -s terminal ]
	on_terminal "$command >out 2>err"
	[ ! -s terminal ]
	[ ! -s err ]
	on_terminal 'pcb-collect lat_rd -q -n 1 >out'
	grep -q 'the numbers are simulated' terminal
}

@test "one error is one message, wherever in a pipe it is" {
	local command wanted

	echo a,latency_ns >bad
	echo x,y >>bad
	while IFS='|' read -r wanted command; do
		try bash -c "${command//@/|}"
		but_notices
		[ "$status" = 2 ] && [ "$output" = "" ] &&
			[ "$rest" = "$wanted" ] || show "$wanted"
	done <<-'END'
	pcb-collect: 0000:ff:1f.7: no such device ('pcb-collect list' shows all)|pcb-collect lat_cfg -d ff:1f.7 --path -r 10 @ pcb-stats @ pcb-diff
	pcb-stats: no input (did the program before it fail?)|true @ pcb-stats @ pcb-diff @ pcb-plot change
	pcb-stats: bad:2: latency_ns: 'y': not a number|pcb-stats bad @ pcb-diff --by a @ pcb-import csv
	pcb-stats: no such file: No such file or directory|pcb-stats 'no such file' @ pcb-model --join
	pcb-model: no input (did the program before it fail?)|pcb-collect lat_cfg -P -d ff:1f.7 2>/dev/null @ pcb-model --join
	END
}

@test "a program that fails before its header: the rows of others are used" {
	try bash -c '{ pcb-collect lat_rd -d sim -n 3 -l host=h;
		pcb-collect lat_cfg -d ff:1f.7; } | pcb-stats'
	but_notices
	[ "$status" = 0 ]
	[ "$(n_of <<<"$output")" = 3 ]
	[ "${lines[-1]}" = "# end: rows=1 complete=no" ]
	[[ $rest == "pcb-collect: 0000:ff:1f.7: no such device"* ]]
	[ "$(wc -l <<<"$rest")" = 1 ]
}

@test "what is no stream has no line for the next program" {
	local command

	while IFS= read -r command; do
		try bash -c "$command | cat"
		[ "$output" = "" ] && [ "$stderr" != "" ] || show nothing
	done <<-'END'
	pcb-collect list -f jsonl -d nonsense
	pcb-stats -P nonsense
	pcb-diff -f table nonsense
	END
	pcb-stats nonsense >file 2>err || :
	[ ! -s file ]
}

@test "a file of an option that was cut short makes the result incomplete" {
	local end n

	printf 'node %s gen4x16\n' 'g0 r' 'g1 r' | sed '1inode r - -' >topo
	printf 'device,min_ns\na,100\nb,276\n' >rows.csv
	for n in {0..9}; do
		echo "gpu-copy,read,gen4x16,26.$n,test $n"
	done >results
	while IFS='|' read -r header rows command; do
		for end in "complete=yes" "complete=no" ""; do
			[ "$rows" != results ] || rows=$(<results)
			printf '# pcb-csv: 1\n%s\n%s\n' "$header" "$rows" >side.csv
			[ ! "$end" ] || echo "# end: rows=$(wc -l <<<"$rows") $end" \
				>>side.csv
			# shellcheck disable=SC2086
			try $command
			[[ $status = 0 && ${lines[-1]} = *" ${end:-complete=no}" ]] ||
				show "${end:-cut}: $command"
		done
	done <<-'END'
	from,to,bandwidth_gbit_s|g0,g1,200|pcb-model flows --topology topo g0>g1 --calibrate side.csv
	flows,set|g0>g1,one|pcb-model flows --topology topo g0>g1 --set side.csv
	initiator,direction,link,bandwidth_gb_s,source|results|pcb-model floor gen4x16 --reference ./side.csv
	device,parent|b,a|pcb-diff --links side.csv rows.csv
	END
}
