#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Compares the programs with their peers, case by case: a table of wall-clock
# time, CPU time and memory. In each round every program of a case runs once;
# the table has medians. BENCH_ROWS sets the size, BENCH_ROUNDS the rounds,
# BENCH_CASES the cases. On a busy machine, CPU time is the better measure.
set -eu -o pipefail

rows=${BENCH_ROWS:-10000000}
half=$((rows / 2))
tenth=$((rows / 10))
rounds=${BENCH_ROUNDS:-5}
all="repeated real old distinct groups random sorted wide quoted report histogram pipe files runs"
cases=${BENCH_CASES:-$all cells import model}
here=$(dirname "$0")
export NODE_PATH="${BENCH%/bench}/peers/node_modules" POLARS_MAX_THREADS=2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# has PEER: whether it is installed.
has() {
	case $1 in
	duckdb) node -e 'require("@duckdb/node-api")' ;;
	polars) node -e 'require("nodejs-polars")' ;;
	*) command -v "$1" ;;
	esac >/dev/null 2>&1
}

peers=
for peer in duckdb polars datamash mlr; do
	if has $peer; then
		peers+=" $peer"
	else
		echo "$peer: missing, left out (tools/deps bench installs it)"
	fi
done

wants() {
	[[ " $cases " == *" $1 "* ]]
}

# The programs of a case: names and commands, in order.
names=()
commands=()

program() {
	names+=("$1")
	commands+=("$2")
}

# ours NAME COMMAND: with the programs of this build and of BENCH_OLD.
ours() {
	program "$1" "$2"
	[ -z "${BENCH_OLD:-}" ] ||
		program "  old build" "export PATH=$BENCH_OLD:\$PATH; $2"
}

# peer NAME COMMAND: if it is installed.
peer() {
	[[ " $peers " != *" ${1%%[, ]*} "* ]] || program "$1" "$2"
}

# sql FILE [COLUMNS]: the two peers that read CSV into tables.
sql() {
	peer duckdb "node '$here/peers/duckdb.js' $*"
	peer polars "node '$here/peers/polars.js' $*"
}

# median FIELD FILE
median() {
	sort -n -k "$1,$1" "$2" | awk -v field="$1" '
		{ value[NR] = $field }
		END { print value[int((NR + 1) / 2)] }'
}

# measure CASE: runs its programs in turns, and prints their table rows.
measure() {
	local round i case=$1

	for ((round = 0; round < rounds; round++)); do
		for i in "${!names[@]}"; do
			"$BENCH/usage" bash -c "${commands[i]}" \
				2>"$dir/usage" >/dev/null
			tail -n 1 "$dir/usage" >>"$dir/times.$i"
		done
	done
	for i in "${!names[@]}"; do
		printf '%-34s %-16s %8.2f %8.2f %9.0f\n' "$case" "${names[i]}" \
			"$(median 1 "$dir/times.$i")" \
			"$(median 3 "$dir/times.$i")" \
			"$(($(median 2 "$dir/times.$i") / 1024))"
		case=
	done
	rm "$dir"/times.*
	names=()
	commands=()
}

# stats CASE SHAPE ROWS [COLUMNS]: samples of a shape, summarised by all.
stats() {
	local file=$dir/$2

	if [ "$2" = real ]; then
		pcb-collect lat_rd -q -d sim -n "$3" >"$file"
	elif [ "$2" = old ]; then
		pcb-collect lat_rd -q -d sim --wide -n "$3" >"$file"
	else
		"$BENCH/shape" "$2" "$3" >"$file"
	fi
	ours pcb-stats "pcb-stats $file"
	sql "$file" "${4:-}"
	if [ "$2" = repeated ]; then
		head -n $((tenth + 1)) "$file" >"$dir/short"
		peer "datamash, 1/10" "datamash -t, --header-in min 2 mean 2 \
			median 2 perc:95 2 perc:99 2 max 2 sstdev 2 <$dir/short"
		peer "mlr, 1/10" "mlr --icsv --ocsv stats1 -f latency_ns \
			-a count,min,mean,p50,p95,p99,max,stddev $dir/short"
	fi
	measure "$1"
	rm -f "$file" "$dir/short"
}

# alone CASE COMMAND: without a peer.
alone() {
	ours "${2%% *}" "$2"
	measure "$1"
}

printf '%-34s %-16s %8s %8s %9s\n' case program 'wall s' 'CPU s' 'peak MiB'
! wants repeated || stats "$rows rows, values repeat" repeated "$rows"
! wants real || stats "$rows rows of lat_rd -d sim" real "$rows"
! wants old || stats "$half rows of lat_rd --wide" old "$half"
! wants distinct || stats "$half rows, values differ" distinct "$half"
! wants groups || stats "$half rows in 100000 groups" groups "$half" host,device
! wants random ||
	stats "$half rows in random groups" random_groups "$half" host,device
! wants sorted ||
	stats "$half rows in sorted groups" sorted_groups "$half" host,device
! wants wide || stats "$rows rows, 16 columns change" wide "$rows"
! wants quoted || stats "$rows rows with quotes" quoted "$rows" device
if wants report; then
	"$BENCH/shape" groups 60000 >"$dir/groups"
	alone "60000 groups as a table" "pcb-stats -f table $dir/groups"
	rm "$dir/groups"
fi
if wants histogram; then
	"$BENCH/shape" distinct "$half" >"$dir/distinct"
	alone "--histogram, values differ" "pcb-stats --histogram $dir/distinct"
	rm "$dir/distinct"
fi
if wants pipe; then
	alone "pcb-collect alone, $rows samples" \
		"pcb-collect lat_rd -q -d sim -n $rows"
	ours "... | pcb-stats" \
		"pcb-collect lat_rd -q -d sim -n $rows | pcb-stats"
	measure "the pipe"
fi
if wants files; then
	for ((i = 0; i < 1000; i++)); do
		"$BENCH/shape" repeated 1000 >"$dir/file.$i"
	done
	alone "1000 files of 1000 rows" "pcb-stats -g '' $dir/file.*"
	rm "$dir"/file.*
fi
if wants runs; then
	"$BENCH/shape" runs 20000 >"$dir/runs"
	alone "10000 runs of two conditions" "pcb-diff --by side $dir/runs"
	rm "$dir/runs"
fi
if wants cells; then
	"$BENCH/shape" cells 100000 >"$dir/cells"
	alone "heat of 100000 cells" "pcb-plot heat $dir/cells"
	alone "percentiles of 100000 groups" "pcb-plot pct $dir/cells"
	rm "$dir/cells"
fi
if wants import; then
	"$BENCH/shape" wide "$rows" >"$dir/wide"
	alone "import of $(($(stat -c %s "$dir/wide") / 1000000)) MB" \
		"pcb-import csv --map a_ns= $dir/wide"
	rm "$dir/wide"
	# The head of a test of perftest, and rows of its table.
	{
		echo 'RDMA_Read Latency Test'
		echo '#bytes #iterations t_min[usec] t_typical[usec] t_avg[usec]'
		awk -v n=$tenth 'BEGIN {
			while (n--)
				print 64, 1000, n % 97, n % 89 + 2, n % 83 "." n % 10
		}'
	} >"$dir/text"
	alone "text of $(($(stat -c %s "$dir/text") / 1000000)) MB, format found" \
		"pcb-import $dir/text"
	rm "$dir/text"
fi
if wants model; then
	alone "bw_rd of 65536 sizes" "pcb-model bw_rd -s 1:65536:+1"
fi
