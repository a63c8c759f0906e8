#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The commands of README.md and doc/*.md run, and the tables of the pages are
# what these commands print.

load helpers
load pages

# readme FROM: the indented lines that follow this line of the README.
readme() {
	awk -v from="$1" '
	on && /^[^ ]/ { exit }
	on && /^    / { print substr($0, 5) }
	index($0, from) { on = 1 }' "$TOP/README.md"
}

@test "README.md" {
	local line files=$TOP/examples/eight-gpus

	try script -qec "stty cols 80 rows 40 -onlcr; pcb-doctor \
		$files/lspci.txt $files/nvbandwidth.txt" /dev/null </dev/null
	readme "*Which of my eight" | sed 1d >page
	[ -s page ]
	[ "$(grep . <<<"$output" | head -n "$(wc -l <page)")" = "$(<page)" ]

	run -3 --separate-stderr pcb-model why 11.8GB/s gen3x16 -f table
	[ "$(readme "*My gen3 x16 card" | sed 1d)" = "$output" ]
	zcat "$TOP/experiments/h100/lat-state.csv.gz" |
		pcb-stats -p 99.9 -g kind,cache -f table >h100
	readme "*How long does" | sed 1d | while read -r line; do
		grep -qF "$line" h100
	done
	for seed in 1 2; do
		pcb-collect lat_rd -d sim -r 5 -n 1K --seed $seed | pcb-stats >"run$seed"
	done
	run -0 pcb-diff --check 3% run1 run2
	sed 's/,5\([0-9][0-9]\)\([.,]\)/,6\1\2/g' run2 >today.csv
	mv run1 lastweek.csv
	run -1 --separate-stderr pcb-diff --check 3% lastweek.csv today.csv
	[ "$stderr" = "$(readme "*Is this host slower" | sed 1d)" ]
	pcb-collect lat_rd -d sim -r 2 -n 1K | pcb-stats >few
	run -3 pcb-diff --check 3% lastweek.csv few
}

@test "doc/answers.md: its commands run" {
	local command

	while read -r command; do
		# The hardware of the rest may be there, or in use.
		run bash -o pipefail -c "$command"
		# 1: a low number; 3: borderline.
		[[ $status = 0 || $command = *" why "* && $status = [13] ]] ||
			fail "$command: $output"
	done < <(sed -n 's/^    //p' "$TOP/doc/answers.md" |
		grep -v ^pcb-collect)
}

@test "doc/predictions.md" {
	diff "$TOP/doc/predictions.md" <("$TOP/tools/predictions")
}

# fail MESSAGE
fail() {
	echo "$1"
	return 1
}

# nic NAME FRAME: Gbit/s of Figure 1.
nic() {
	fmt %.2f "$(model bandwidth_gbit_s nic -M "$1" --frame "$2" \
		--accounting pcie-bench)"
}

# has TEXT: doc/results.md has this row, or begins one so.
has() {
	grep -qF -- "$1" "$TOP/doc/results.md" || fail "no row $1"
}

@test "doc/results.md: tables that the model prints" {
	local size rows=0 what ns options model ratio is

	for size in 64 512 1500; do
		has "| $size | $(nic simple $size) | $(nic niantic-kernel $size) \
| $(nic niantic-dpdk $size) | "
	done
	while IFS='|' read -r _ _ what ns options model ratio _; do
		# shellcheck disable=SC2086 # options
		pcb-model lat -P --bench lat_rd --cache thrashed \
			${options//\`/} >row
		is=$(column "${what// /}_ns" <row)
		[ "$(fmt '%.0f %.2f' "$is" "$ns / $is")" = \
			"$(xargs <<<"$model $ratio")" ] || fail "$options: $is"
		rows=$((rows + 1))
	done < <(grep -- '`-d sim:' "$TOP/doc/results.md")
	[ $rows = 7 ]
}

# fitted [FILE]: both times of the fit to the published links, and the numbers
# of links off by more than 5 % and 10 %, as in the page.
fitted() {
	pcb-diff -P --links "$TOP/experiments/miller/links.csv" --fit "$@" \
		2>/dev/null | awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
	$c["proc_ns"] != "" {
		off = ($c["residual_ns"] / $c["latency_ns"]) ^ 2
		five += off > .0025; ten += off > .01
		proc = $c["proc_ns"]; serdes = $c["serdes_ns"]
	}
	END { printf "| %.0f ns | %.0f ns | %d, %d |", proc, serdes, five, ten }'
}

# ddio QUEUES METRIC: the metric that pcb-ddio computes from Intel's counts.
ddio() {
	sed -n "s/^published,$1[^,]*,,,io_percent_of_inbound_$2_that_miss_l3,\([0-9.]*\).*/\1/p" \
		metrics
}

@test "doc/results.md: tables of links and of DDIO" {
	local minima=$TOP/experiments/miller/minima.csv

	has "| all 9 of PCI Express $(fitted "$minima")"
	has "as in the paper $(grep -v -e I_c -e Te_e_c "$minima" | fitted)"
	pcb-ddio -P -t 1s "$TOP/experiments/ddio/iperf.csv" >metrics
	has "| reads that miss | 88 % | $(fmt %.2f "$(ddio 8096 reads)") % \
| 74 % | $(fmt %.2f "$(ddio 2048 reads)") % |"
	has "| full writes that miss | 85 % | \
$(fmt %.2f "$(ddio 8096 full_writes)") % | 50 % | \
$(fmt %.2f "$(ddio 2048 full_writes)") % |"
}

# within PARAMETER [VALUE]: the range that the simulation accepts.
within() {
	pcb-model lat -P -d sim -O "$1=${2:-999G}" 2>&1 |
		sed -n 's/.*: not within //p'
}

@test "the simulation refuses what it cannot do" {
	[ "$(within inflight) $(within workers)" = "1 to 65536 1 to 65536" ]
	[ "$(within rc 1h) $(within stall1 1h)" = "0ns to 1ms 0ns to 1s" ]
	[[ $(within tick 1h) == "1ps to "* ]]
	[ "$(within walk-alone 1T)" = "0 to 512G" ]
	[ "$(within align 128) $(within stall3-odds)" = "1 to 64 0 to 1M" ]
	run -2 pcb-model lat -d sim -O link=gen6x8/mps256/mrrs512/rcb64
	for lanes in 12 32; do
		run -2 pcb-model lat -d sim -O "link=gen6x$lanes/flit"
	done
}

@test "doc/tutorial.md: combined completions are the fifth that is lost" {
	local how

	for how in combine=257 combine=64; do
		pcb-collect bw_rd -d sim:e5-2630v4 -s 128,192,256 -n 20K -q -P \
			--cache host-warm -O $how | awk -F, 'NR > 1 {
				least = least && least < $NF ? least : $NF
				most = most > $NF ? most : $NF
			} END { printf "%.0f to %.0f ", least, most }'
	done >both
	[ "$(<both)" = "42 to 47 49 to 55 " ]
	tr '\n' ' ' <"$TOP/doc/tutorial.md" |
		grep -q 'reach 49 to 55 Gbit/s instead of 42 to 47'
}

@test "doc/hopper.md: the tables are those of the results" {
	[ -e "$TOP/experiments/gpu/tables" ] || skip "no experiments here"
	cd "$BATS_TEST_TMPDIR"
	"$TOP/experiments/gpu/tables" | grep '^|' >tables
	[ "$(wc -l <tables)" -gt 60 ]
	grep '^|' "$TOP/doc/hopper.md" >page
	run grep -vxFf page tables
	[ -z "$output" ]
	for gpu in h100 h200; do
		zcat "$TOP/experiments/$gpu/peer-places.csv.gz" |
			"$TOP/experiments/gpu/halves" >$gpu
		grep -q '66 and 66 SMs' $gpu
	done
}

# The score, of which doc/results.md has the table.
@test "the score of public questions and rows" {
	needs_data
	"$TOP/tools/why-score" "$PCB_TEST_DATA" >score
	cat score
	sed -n 's/^    //p' "$TOP/doc/results.md" >page
	run grep -vxFf page score
	[ -z "$output" ]
	awk '
	/^  all these/ { if ($5 < 48 || $7 < 72) exit 1; n++ }
	/^with the opening post/ { if ($7 < 70 || $9 < 80) exit 1; n++ }
	/^rows, healthy/ { if ($5 + 0 < 0.8 * $3) exit 1; n++ }
	/^rows, degraded/ { if ($9 < 0.9 * $3) exit 1; n++ }
	END { exit n != 4 }' score
}
