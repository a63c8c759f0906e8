#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Speed of taking, writing and summarising samples: lines of name, value and
# unit. `make bench` runs this with the programs in PATH and the compiled
# benchmarks in $BENCH. Only numbers of an idle machine are comparable.
set -eu

n=10

# best NAME UNIT AMOUNT COMMAND: AMOUNT per second, best of three.
best() {
	least=
	for _ in 1 2 3; do
		begin=$(date +%s%N)
		sh -c "$4"
		took=$(($(date +%s%N) - begin))
		if [ -z "$least" ] || [ "$took" -lt "$least" ]; then
			least=$took
		fi
	done
	awk -v name="$1" -v unit="$2" -v amount="$3" -v ns="$least" \
		'BEGIN { printf "%s %.1f %s\n", name, amount * 1e9 / ns, unit }'
}

"$BENCH/rows" 2>&1
best collect_to_null Msample/s $n \
	"pcb-collect lat_rd -q -d sim -n ${n}M >/dev/null"
best collect_to_stats Msample/s $n \
	"pcb-collect lat_rd -q -d sim -n ${n}M | pcb-stats >/dev/null"
for kind in lat_rd lat_wrrd bw_rd bw_wr bw_rdwr; do
	best "simulate_$kind" Mtransaction/s $n \
		"pcb-collect $kind -q -d sim:e5-2637v3 -n ${n}M >/dev/null"
done
best simulate_bw_rd_iommu_64M Mtransaction/s $n \
	"pcb-collect bw_rd -q -d sim:e5-2630v4-iommu -w 64M -n ${n}M >/dev/null"
