#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Cost of merging the histograms of a fleet: lines of name, value and unit. A
# fleet of 10,000 hosts with 100 functions, 100K samples each, writes a million
# histograms; this uses those of BENCH_HOSTS hosts, and prints the factor.
set -eu -o pipefail

hosts=${BENCH_HOSTS:-20}
functions=100
bins=300
fleet_hosts=10000
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

say() {
	awk -v name="$1" -v value="$2" -v unit="$3" \
		'BEGIN { printf "%s %.4g %s\n", name, value, unit }'
}

# calc EXPRESSION: its value.
calc() {
	awk "BEGIN { print $1 }"
}

# Histograms for a clock of 13.3 ns, in the format of pcb-stats --histogram.
histograms() {
	awk -v hosts="$1" -v functions=$functions -v bins=$bins 'BEGIN {
		srand(1)
		print "host,kind,bench,device,size_bytes,latency_ns,count"
		for (h = 1; h <= hosts; h++)
			for (f = 0; f < functions; f++)
				for (i = 0; i < bins; i++)
					printf "node%05d,measured,lat_cfg,%s,%s,%.1f,%d\n",
						h, sprintf("0000:%02x:00.%d", f / 8, f % 8), 4,
						400 + 13.3 * i, 1 + 667 * rand()
	}'
}

# wide_rows PARTS: rows of a thousand columns, below one header; or, if PARTS is
# not empty, each below its own.
wide_rows() {
	awk -v rows=2000 -v parts="$1" 'BEGIN {
		for (i = 1; i < 1000; i++) {
			header = header "column_" i ","
			row = row ","
		}
		for (i = 0; i < rows; i++) {
			if (!i || parts)
				print header "latency_ns"
			print row i
		}
	}'
}

# least FILE OPTION...: the fastest of three runs; sets seconds and peak (KiB).
least() {
	local s kib

	seconds=
	for _ in 1 2 3; do
		"$BENCH/usage" pcb-stats "${@:2}" "$1" 2>"$dir/usage" >/dev/null
		read -r s kib _ < <(tail -n 1 "$dir/usage")
		if [ -z "$seconds" ] || [ "$(calc "$s < $seconds")" = 1 ]; then
			seconds=$s peak=$kib
		fi
	done
}

# fleet HALF ALL: extrapolates from half of the hosts and all of them to the
# whole fleet.
fleet() {
	calc "$2 + ($2 > $1 ? $2 - $1 : 0) * 2 * ($factor - 1)"
}

# merge NAME OPTION...
merge() {
	local half_seconds half_peak

	least "$dir/half" "${@:2}"
	half_seconds=$seconds half_peak=$peak
	least "$dir/all" "${@:2}"
	say "$1_seconds" "$seconds" s
	say "$1_rate" "$(calc "$rows / $seconds / 1e6")" Mrow/s
	say "$1_peak" "$(calc "$peak / 1024")" MiB
	say "$1_fleet_seconds" "$(fleet "$half_seconds" "$seconds")" \
		"s, if it goes on so"
	say "$1_fleet_peak" "$(calc "$(fleet "$half_peak" "$peak") / 1048576")" \
		"GiB, if it goes on so"
}

factor=$(calc "$fleet_hosts / $hosts")
rows=$((hosts * functions * bins))
histograms "$hosts" >"$dir/all"
head -n $((rows / 2 + 1)) "$dir/all" >"$dir/half"
bytes=$(stat -c %s "$dir/all")

say merge_factor "$factor" "times as many are a fleet"
say merge_histograms $((hosts * functions)) histograms
say merge_bytes "$bytes" bytes
say merge_fleet_bytes "$(calc "$bytes * $factor / 1e9")" GB
merge merge_each --histogram
merge merge_into_one --histogram -g kind
merge merge_statistics_by_host -g host

# The cost of a repeated header, compared with a row.
wide_rows "" >"$dir/one"
wide_rows yes >"$dir/parts"
least "$dir/one" -g ''
one=$seconds
least "$dir/parts" -g ''
say merge_parts_to_one "$(calc "$seconds / $one")" "times one header"
