#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# How time grows with a machine: CPU seconds for n, 2 n and 4 n devices, and
# the last by the first: 4 if it grows with the devices, 16 with the pairs.
set -eu -o pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# machine DEVICES BELOW: so many of them below each switch.
machine() {
	awk -v n="$1" -v below="$2" 'BEGIN {
		print "node r - -"
		for (i = 0; i < n; i++) {
			if (i % below == 0) print "node s" i " r gen4x16"
			print "node g" i " s" i - i % below " gen4x16"
		}
	}'
}

# grows NAME DEVICES BELOW COMMAND...
grows() {
	local factor all=()

	for factor in 1 2 4; do
		machine $((factor * $2)) "$3" >"$dir/machine"
		"$BENCH/usage" "${@:4}" --topology "$dir/machine" \
			2>"$dir/usage" >/dev/null
		all+=("$(tail -n 1 "$dir/usage" | cut -d' ' -f3)")
	done
	echo "$1 $2 ${all[*]}" | awk '{
		printf "%s %s devices: %s, %s, %s s, %.1f times\n", $1, $2, $3, $4,
			$5, $5 / ($3 > 0 ? $3 : 0.001) }'
}

grows tree_switches 2500 8 pcb-model tree -P
grows tree_one_switch 500 4000 pcb-model tree -P
grows flows_all_pairs 64 8 pcb-model flows -P --all-pairs
