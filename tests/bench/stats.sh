#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# pcb-stats beside datamash and mlr: input through a pipe, one CPU for the
# program, the best of three, in lines of name, value and unit. BENCH_ROWS sets
# the number of rows. The peers get a tenth of them; ratios are those of rows a
# second.
set -eu -o pipefail

rows=${BENCH_ROWS:-10000000}
peer_rows=$((rows / 10))
cpu=$(($(nproc --all) - 1))
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# best FILE COMMAND...: sets seconds and peak (KiB).
best() {
	local s kib

	seconds=
	for _ in 1 2 3; do
		# shellcheck disable=SC2002 # a pipe is what is measured
		cat "$1" | taskset -c "$cpu" "$BENCH/usage" "${@:2}" \
			2>"$dir/usage" >/dev/null
		read -r s kib < <(tail -n 1 "$dir/usage")
		if [ -z "$seconds" ] || awk "BEGIN { exit !($s < $seconds) }"; then
			seconds=$s peak=$kib
		fi
	done
}

say() {
	awk -v name="$1" -v value="$2" -v unit="$3" \
		'BEGIN { printf "%s %.4g %s\n", name, value, unit }'
}

div() {
	awk -v a="$1" -v b="$2" 'BEGIN { print a / b }'
}

ours() {
	best "$2" pcb-stats
	say "$1_seconds" "$seconds" s
	say "$1_rate" "$(div "$(stat -c %s "$2")" "${seconds}e9")" GB/s
	say "$1_peak" "$(div "$peak" 1024)" MiB
}

# peer NAME COMMAND...: on the short input.
peer() {
	if ! command -v "$2" >/dev/null; then
		echo "$1: $2 is not installed" >&2
		return
	fi
	best "$dir/short" "${@:2}"
	say "$1_seconds" "$seconds" "s, of $peer_rows rows"
	say "$1_peak" "$(div "$peak" 1024)" MiB
	say "ratio_$1" "$(div "$(div "$seconds" "$peer_rows")" \
		"$(div "$two_columns" "$rows")")" x
}

# Latencies as of a clock of 13.3 ns.
awk -v rows="$rows" 'BEGIN {
	print "seq,latency_ns"
	srand(1)
	for (i = 1; i <= rows; i++)
		printf "%d,%.1f\n", i, 13.3 * int(45 + 100 * rand() * rand())
}' >"$dir/two"
head -n $((peer_rows + 1)) "$dir/two" >"$dir/short"

ours stats_two_columns "$dir/two"
two_columns=$seconds
peer datamash datamash -t, --header-in min 2 mean 2 median 2 perc:95 2 \
	perc:99 2 max 2 sstdev 2
peer mlr mlr --icsv --ocsv stats1 -a count,min,mean,p50,p95,p99,max,stddev \
	-f latency_ns
rm "$dir/two" "$dir/short"

pcb-collect lat_rd -d sim -n "$rows" 2>/dev/null >"$dir/full"
ours stats_full_rows "$dir/full"
rm "$dir/full"

# shellcheck disable=SC2016
"$BENCH/usage" bash -c 'pcb-collect lat_rd -d sim -n "$1" 2>/dev/null |
	pcb-stats' - "$rows" 2>"$dir/usage" >/dev/null
say collect_and_stats "$(cut -d' ' -f1 "$dir/usage")" s
