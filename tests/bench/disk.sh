#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# pcb-collect next to fio on a file of this machine's drive: the same blocks, CPU
# and number of reads, in paired rounds. Lines of a name, the median ratio to fio,
# the limits of a 96 % interval of it, and those of fio to itself: where fio
# differs from itself by more than a few percent, so may pcb-collect.
set -eu

rounds=${BENCH_ROUNDS:-12}
file=$BENCH/disk.file

command -v fio >/dev/null || {
	echo "disk: skipped: fio is not installed (tools/deps bench)"
	exit 0
}
trap 'rm -f "$file"' EXIT
head -c 34M /dev/urandom >"$file"
sync "$file"
pcb-collect lat_nvme -q -d "disk:$file" -n 100 >"$file.trial" 2>"$file.said" || {
	echo "disk: skipped: $(tail -n 1 "$file.said")"
	exit 0
}
cpu=$(sed -n 's/^# cpu_pinned: //p' "$file.trial")
rm "$file.trial" "$file.said"

# ours BENCH SIZE DEPTH WINDOW COUNT: p50 and p90 in ns, or bytes per second.
ours() {
	if [ "$3" = 1 ]; then
		pcb-collect "$1" -q -d "disk:$file" -s "$2K" -w "$4K" -n "$5" \
			--cache host-warm --cpu "$cpu" 2>/dev/null |
			pcb-stats -P -p 90 -g bench 2>/dev/null |
			awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
			NR == 2 { print $at["median_ns"], $at["p90_ns"] }'
	else
		pcb-collect "$1" -q -d "disk:$file" -s "$2K" -w "$4K" -n "$5" \
			-O depth="$3" --cache host-warm --cpu "$cpu" \
			2>/dev/null | awk -F, '/^[0-9]/ { print $NF * 1e9 / 8 }'
	fi
}

# theirs BENCH SIZE DEPTH WINDOW COUNT: the same of fio. Blocks are twice their
# size apart, as ours.
theirs() {
	fio --name=x --filename="$file" --direct=1 --rw=randread \
		--norandommap=1 --randrepeat=0 --bs="$2k" \
		--blockalign=$((2 * $2))k --size=$((2 * $4))k \
		--io_size=$(($5 * $2))k --iodepth="$3" --ioengine=io_uring \
		--thread --readonly --allow_file_create=0 \
		--cpus_allowed="$cpu" --clat_percentiles=0 \
		--lat_percentiles=1 --percentile_list=50:90 \
		--output-format=json 2>/dev/null |
		awk -v latency="$([ "$3" = 1 ] && echo 1)" '
		{ gsub(/[",]/, "") }
		$1 == "bw_bytes" && !bw { bw = $3 }
		$1 == "50.000000" && !p50 { p50 = $3 }
		$1 == "90.000000" && !p90 { p90 = $3 }
		END { print latency ? p50 " " p90 : bw }'
}

# compare NAME BENCH SIZE DEPTH WINDOW COUNT
compare() {
	name=$1
	shift
	for round in $(seq "$rounds"); do
		if [ $((round % 2)) = 1 ]; then
			a=$(theirs "$@") us=$(ours "$@") b=$(theirs "$@")
		else
			us=$(ours "$@") a=$(theirs "$@") b=$(theirs "$@")
		fi
		echo "$us $a $b"
	done | awk -v name="$name" '
	function sorted(v, n,  i, k, t) {
		for (i = 2; i <= n; i++)
			for (k = i; k > 1 && v[k - 1] > v[k]; k--) {
				t = v[k]; v[k] = v[k - 1]; v[k - 1] = t
			}
	}
	function show(what, v, w,  cut) {
		sorted(v, NR)
		sorted(w, NR)
		# Of 12 values, the third from both ends: 96 % for the median.
		cut = int(NR / 4)
		printf "disk_%s%s %.3f %.3f %.3f fio_itself %.3f %.3f\n", name,
			what, (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2,
			v[cut], v[NR + 1 - cut], w[cut], w[NR + 1 - cut]
	}
	NF == 6 {
		p50[NR] = $1 / $3; p90[NR] = $2 / $4
		f50[NR] = $5 / $3; f90[NR] = $6 / $4
	}
	NF == 3 { bw[NR] = $1 / $2; fbw[NR] = $3 / $2 }
	END {
		if (NF == 6) { show("_p50", p50, f50); show("_p90", p90, f90) }
		else show("", bw, fbw)
	}'
}

compare 4K lat_nvme 4 1 32 5000
compare 128K_depth8 bw_wr 128 8 16384 2000
