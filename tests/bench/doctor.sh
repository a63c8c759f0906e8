#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Time of pcb-doctor for n, 2n and 4n functions, half of them ports, each pair in
# a domain of its own: lines of name, value and unit. Four times as many must
# take about four times as long.
set -eu

n=${BENCH_FUNCTIONS:-10000}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# machine N: the functions, as lspci -vv prints them.
machine() {
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
	}'
}

for times in 1 2 4; do
	machine $((times * n)) >"$dir/dump"
	for option in "" "--against $dir/dump"; do
		begin=$(date +%s%N)
		# shellcheck disable=SC2086
		pcb-doctor --dump "$dir/dump" $option >/dev/null
		echo "doctor_${option:+against_}$((times * n))" \
			"$((($(date +%s%N) - begin) / 1000000)) ms"
	done
done
