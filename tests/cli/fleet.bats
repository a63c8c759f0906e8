#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Histograms of fleets: merged, compared with the median of all, and drawn. Host
# n3 has half the lanes, n5 an IOMMU.

load helpers

setup() {
	cd "$(mktemp -d "$BATS_TEST_TMPDIR/XXXXXX")" || exit
	unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES
	mkdir answers
}

# answer BENCH NUMBER...: the histograms of these hosts.
answer() {
	local n options

	for n in "${@:2}"; do
		options=(--seed "$n" -O "jitter=1${n}ns")
		[ "$n" != 3 ] || options+=(-O link=gen3x4/mps256/mrrs512/rcb64)
		[ "$n" != 5 ] || options+=(-O iommu=on)
		pcb-collect "$1" -q -d sim -n 1K -r 5 -s 64,512 "${options[@]}" \
			-l host="n$n.example" | pcb-stats --histogram \
			>"answers/n$n.example.$1.csv"
	done
}

fleet() {
	try make -s -C "$TOP/experiments" fleet ANSWERS="$PWD/answers" \
		OUT="$PWD/out" BIN="$(dirname "$(command -v pcb-stats)")" "$@"
	output=$(grep -v "^$PWD" <<<"$output") || :
}

@test "strange hosts are named, and drawn" {
	answer bw_rd 1 2 3 4 5 6 7 8
	answer lat_rd 1 2 3 4 5 6 7 8
	fleet
	is 0 "bw_rd: 1 of 8 hosts are more than 5 % off the median: n3.example
lat_rd: 0 of 8 hosts are more than 5 % off the median" ""
	# Only links and IOMMUs differ, and the histograms are all there.
	[ "$(column n <out/fleet/lat_rd.stats.csv | sort -u)" = 1000 ]
	[ "$(wc -l < <(column n <out/fleet/lat_rd.stats.csv))" = $((8 * 5 * 2)) ]
	! command -v gnuplot >/dev/null ||
		grep -q '<text>n3 [-+]' out/fleet/bw_rd.svg
	# A host that comes later.
	sed s/n3/n9/ answers/n3.example.bw_rd.csv >answers/n9.example.bw_rd.csv
	fleet TOLERANCE=3
	[ "${output%%$'\n'*}" = "bw_rd: 2 of 9 hosts are more than 3 % off the median: \
n3.example n9.example" ] || show both
}

@test "hosts without an answer are named, bench by bench" {
	answer bw_rd 1 2 4
	answer lat_rd 1 2
	printf 'n%s.example\n' 10 2 9 >answers/hosts
	fleet
	is 0 "bw_rd: 0 of 3 hosts are more than 5 % off the median
lat_rd: 0 of 2 hosts are more than 5 % off the median
bw_rd: no answer from n9.example n10.example
lat_rd: no answer from n4.example n9.example n10.example" ""
}

@test "the median of the fleet is that of its hosts, run by run" {
	answer lat_rd 1 2 3 4
	fleet
	for run in 1 2 3 4 5; do
		cat answers/*.csv | pcb-stats -P -g host,run,size_bytes |
			awk -F, -v run=$run '$2 == run && $4 == 64 { print $8 }' |
			sort -n | awk '{ m[NR] = $1 }
				END { print (m[2] + m[3]) / 2 }'
	done | sort -n | sed -n 3p >median
	[ "$(grep ,64,0, out/fleet/lat_rd.diff.csv | cut -d, -f13 | sort -u)" = \
		"$(cat median)" ]
}

@test "no answers, and one that was cut off" {
	fleet
	[ "$status" = 2 ]
	[[ "$stderr" = "ANSWERS=$PWD/answers: no file such as HOST.lat_rd.csv"* ]] ||
		show "no file"
	[ ! -e out/fleet ]
	answer lat_rd 1 2
	sed -i '$d' answers/n2.example.lat_rd.csv
	fleet
	[[ "$stderr" = *"the stream was cut short"* ]] || show "cut short"
}
