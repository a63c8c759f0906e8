#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# How the CPU time of readers grows with the number of names in a file, and with
# the size of a machine: a table of seconds for n, 2n and 4n, the least of three
# runs. A star marks a doubling that costs more than 2.6 times as much; then the
# status is 1. BENCH_NAMES sets n for names, and all others by their proportion.
set -eu -o pipefail

n=${BENCH_NAMES:-25000}
least=0.15 # seconds: shorter runs tell nothing
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# machine N BELOW: N devices, so many of them below each switch.
machine() {
	awk -v n="$1" -v below="$2" 'BEGIN {
		print "node r - -"
		for (i = 0; i < n; i++) {
			if (i % below == 0) print "node s" i " r gen4x16"
			print "node g" i " s" i - i % below " gen4x16"
		}
	}'
}

# functions N: as lspci -vv prints them, half of them ports, each pair in a
# domain of its own; and a log of an error of each pair.
functions() {
	awk -v n="$1" 'BEGIN {
		link = "\t\tDevCtl:\tCorrErr-\n" \
			"\t\t\tMaxPayload 256 bytes, MaxReadReq 512 bytes\n" \
			"\t\tLnkCap:\tPort #1, Speed 8GT/s, Width x8\n" \
			"\t\tLnkSta:\tSpeed 8GT/s, Width x8"
		for (i = 0; i < n / 2; i++) {
			printf "%04x:00:00.0 PCI bridge: Port\n", i
			print "\tBus: primary=00, secondary=01, subordinate=01"
			print "\tCapabilities: [40] Express (v2) Root Port (Slot+)"
			print link
			printf "%04x:01:00.0 Ethernet controller: NIC\n", i
			print "\tCapabilities: [40] Express (v2) Endpoint, MSI 00"
			print link
		}
		for (i = 0; i < n / 2; i++)
			printf "[%d.5] nic %04x:01:00.0: PCIe Bus Error: %s\n", i, i,
				"severity=Corrected, type=Data Link Layer"
	}'
}

# file SHAPE N: three rows, or N parts of one row, with N names; or a machine.
file() {
	case $1 in
	functions) functions $(($2 * 2 / 5)) && return ;;
	slow) functions "$2" | sed '/LnkSta:/s/8GT/2.5GT/' && return ;;
	switches) machine $(($2 / 10)) 8 && return ;;
	switch) machine $(($2 / 50)) $(($2 / 50)) && return ;;
	# So many devices have N / 6 pairs.
	pairs) machine "$(awk "BEGIN { print int(sqrt($2 / 6)) }")" 8 && return ;;
	esac
	awk -v shape="$1" -v n="$2" '
	function names(before, after,  i) {
		for (i = 0; i < n; i++)
			printf "%sk%d%s%s", before, i, after, ","
	}
	function row(r) {
		printf "bw_rd,gen3x8,%d,%d,", 64, r
	}
	BEGIN {
		first = "bench,link,size_bytes,run,"
		last = "bandwidth_gbit_s"
		if (shape == "keys" || shape == "values") {
			printf "%s", first
			names("", shape == "values" ? "_ns" : "")
			print last
			for (r = 0; r < 3; r++) {
				row(r)
				for (i = 0; i < n; i++)
					printf "%d,", i % 7
				print 10 + r
			}
		} else if (shape == "constants") {
			printf "# pcb-csv: 2\n# constant: "
			names("", "=5")
			print "bench=bw_rd,link=gen3x8,size_bytes=64,run"
			print "run," last
			for (r = 0; r < 3; r++)
				print r "," 10 + r
			print "# end: rows=3 complete=yes"
		} else if (shape == "metadata" || shape == "words") {
			print "# pcb-csv: 1"
			for (i = 0; i < n && shape == "metadata"; i++)
				print "# k" i ": " i
			print first last
			for (r = 0; r < 3; r++) {
				row(r)
				print 10 + r
			}
			printf "# end: rows=3 complete=yes"
			for (i = 0; i < n && shape == "words"; i++)
				printf " k%d=%d", i, i
			print ""
		} else if (shape == "json") {
			for (r = 0; r < 3; r++) {
				printf "{\"bench\":\"bw_rd\",\"link\":\"gen3x8\","
				printf "\"size_bytes\":64,\"run\":%d,", r
				names("\"", "\":5")
				print "\"" last "\":" 10 + r "}"
			}
		} else if (shape == "apart" || shape == "sides") {
			print first last
			for (i = 0; i < n; i++) {
				print "bw_rd,l" i "," i ",1,10"
				if (shape == "sides")
					print "bw_rd,l" i ",n,1,11"
				else
					print "bw_wr,m" i "," i ",1,11"
			}
		} else if (shape == "secrets") {
			for (i = 0; i < n; i++)
				print "Serial number: A" i "B"
			for (i = 0; i < n; i++)
				printf "{\"serial\":\"C%d\"},", i + 1000
			print ""
		} else if (shape == "devices") {
			print "bench,device,parent,link,run,min_ns"
			for (i = 0; i < n; i++)
				print "lat_cfg,d" i ",d0,gen3x8,1," i
		} else if (shape == "parts") {
			for (i = 0; i < n; i++) {
				print "# pcb-csv: 1\nbench,k" i "," last
				print "bw_rd,1," i "\n# end: rows=1 complete=yes"
			}
		} else {
			for (i = 0; i < n; i++)
				print "{\"bench\":\"bw_rd\",\"k" i "\":1,\"" \
					last "\":" i "}"
		}
	}'
}

# seconds COMMAND...: of CPU time, the least of three runs, which end with the
# status `wanted`.
seconds() {
	local TIMEFORMAT='%U %S'

	for _ in 1 2 3; do
		{ time timeout 120 "$@" >/dev/null 2>"$dir/messages"; } 2>&1 ||
			[ $? = "$wanted" ] || {
			cat "$dir/messages" >&2
			return 1
		}
	done | awk '{ s = $1 + $2 } NR == 1 || s < least { least = s }
		END { print least }'
}

# reader SHAPE COMMAND...
reader() {
	local shape=$1 times=() k

	for k in 1 2 4; do
		file "$shape" $((k * n)) >"$dir/input"
		times+=("$(seconds "${@:2}" "$dir/input")")
	done
	awk -v name="${*:2:2}, $shape" -v least=$least -v times="${times[*]}" 'BEGIN {
		split(times, t, " ")
		for (i = 2; i <= 3; i++)
			bad[i] = t[i] > least && t[i] > 2.6 * t[i - 1]
		printf "%-34s %8.2f %8.2f%s %8.2f%s\n", name, t[1],
			t[2], bad[2] ? "*" : "", t[3], bad[3] ? "*" : ""
		exit bad[2] || bad[3]
	}' || grew=1
}

grew=0 wanted=0
printf '%-34s %8s %8s %8s\n' "CPU seconds, names" "$n" $((2 * n)) $((4 * n))
for shape in keys values constants metadata words json; do
	reader $shape pcb-stats -c bandwidth_gbit_s
	reader $shape pcb-diff --by run --stat bandwidth_gbit_s
	reader $shape pcb-plot bw
	reader $shape pcb-model --join
	[ $shape = json ] || reader $shape pcb-import csv --map bandwidth_gbit_s=
done
for shape in parts json-parts; do
	reader $shape pcb-stats -c bandwidth_gbit_s -g bench
done
for shape in keys values; do
	reader $shape pcb-model --join -f table
done
reader sides pcb-diff --by link --stat bandwidth_gbit_s
reader devices pcb-diff --links "$dir/input"
wanted=2 reader apart pcb-diff --by bench --stat bandwidth_gbit_s
reader functions pcb-doctor --dump
reader functions pcb-doctor --against "$dir/input" --dump
wanted=1 reader slow pcb-doctor --dump
reader secrets pcb-doctor --redact
reader slow pcb-model tree -P --dump
reader switches pcb-model tree -P --topology
reader switch pcb-model tree -P --topology
reader pairs pcb-model flows -P --all-pairs --topology
exit $grew
