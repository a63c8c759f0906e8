#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The numbers of README.md, doc/*.md and manual pages are results of commands.

load helpers
load pages

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

# sizes_joined: reads of the first picture by size, joined with the model.
sizes_joined() {
	pcb-collect bw_rd -q -d sim:e5-2630v4 -s 64:2048:+64 --cache host-warm \
		-n 20K "$@" | pcb-stats -g bench,link,size_bytes |
		pcb-model --join
}

# at_size SIZE COLUMN <JOINED: the value in this size's row.
at_size() {
	awk -F, -v size="$1" -v name="$2" '
	/^#/ { next }
	!at { for (i = 1; i <= NF; i++) c[$i] = i; at = c[name]; next }
	$c["size_bytes"] == size { print $at }'
}

# from_320 <JOINED: minimum and maximum percentage of the bound from 320 bytes.
from_320() {
	awk -F, '
	/^#/ { next }
	!r { for (i = 1; i <= NF; i++) c[$i] = i; r = c["model_ratio_pct"]; next }
	$c["bench"] == "bw_rd" && $c["size_bytes"] >= 320 {
		if (!least || $r < least) least = $r
		if ($r > most) most = $r
	}
	END { print least, most }'
}

# readme FROM: the indented lines that follow this line of the README.
readme() {
	awk -v from="$1" '
	on && /^[^ ]/ { exit }
	on && /^    / { print substr($0, 5) }
	index($0, from) { on = 1 }' "$TOP/README.md"
}

@test "README.md" {
	local ratio line tags

	page README.md
	says "11.8 GB/s instead of $(fmt %.2f \
		"$(model raw_gbit_s link --link gen3x16) / 8")"
	run -3 --separate-stderr pcb-model why 11.8GB/s gen3x16 -f table
	[ "$(readme "*My gen3 x16 card" | sed 1d)" = "$output" ]
	zcat "$TOP/experiments/h100/lat-state.csv.gz" |
		pcb-stats -p 99.9 -g kind,cache -f table >h100
	readme "*How long does" | sed 1d | while read -r line; do
		grep -qF "$line" h100
	done
	sizes_joined >joined
	ratio=$(from_320 <joined)
	says "From 320 bytes up, the device reaches at least \
$(fmt %d "${ratio% *}") % of the link's limit"
	for size in 128 192 256; do
		at_size $size model_ratio_pct <joined
	done | sort -g >ratios
	says "Reads of 128 to 256 bytes lose $(fmt %.0f \
		"100 - $(tail -n 1 ratios)") to $(fmt %.0f \
		"100 - $(head -n 1 ratios)") %"
	[ "$(pcb-collect bw_rd -n 1 -d sim:e5-2630v4 |
		grep -oE 'combine=[0-9]+')" = combine=257 ]
	says "answers reads of up to 256 bytes in pieces of 64 bytes"
	for tags in 28 128; do
		sizes_joined -s 64 -O inflight=$tags >tags$tags.csv
	done
	says "Reads of 64 bytes lose $(fmt %.0f \
		"100 - $(at_size 64 model_ratio_pct <joined)") %: with 28 \
outstanding reads instead of the device's $(pcb-collect bw_rd -n 1 \
		-d sim:e5-2630v4 | grep -oE 'inflight=[0-9]+' |
		cut -d= -f2) (\`-O inflight=28\`) it is $(fmt %.0f \
		"100 - $(at_size 64 model_ratio_pct <tags28.csv)") %, and \
more of them change nothing"
	[ "$(at_size 64 model_ratio_pct <tags128.csv | cut -c 1-3)" = \
		"$(at_size 64 model_ratio_pct <tags28.csv | cut -c 1-3)" ]
	pcb-model link --gen 1 --lanes 1 >/dev/null
	pcb-model link --gen 7 --flit on >/dev/null
	run -2 pcb-model link --gen 8
	says "PCIe 1 to 7"
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
	says "Status 0: no row is worse by more than 3 %. Status 1: one is, or a row \
or lanes are missing. Status 3: these runs cannot tell"
}

@test "README.md: the published results of that server" {
	[ -n "${PCB_TEST_DATA:-}" ] || skip "PCB_TEST_DATA is not set"
	local ratio

	page README.md
	pcb-import pciebench "$PCB_TEST_DATA"/pciebench/*E5-2630v4-dell-t430-s0-s0-s0/bw_dma_sz_sweep.csv |
		pcb-model --join >joined
	ratio=$(from_320 <joined)
	says "the $(awk -F, '/^#/ { next } $4 == "bw_rd" && $8 >= 320 { n++ }
			END { print n }' joined) bandwidths of such sizes that \
pcie-bench published for this server reach $(fmt %.0f "${ratio% *}") to \
$(fmt %.0f "${ratio#* }") %"
	for size in 128 192 256; do
		grep ',bw_rd,\|,size_bytes,' joined | at_size $size model_ratio_pct
	done | sort -g >ratios
	says "(published: $(fmt %.0f "100 - $(tail -n 1 ratios)") to \
$(fmt %.0f "100 - $(head -n 1 ratios)") %)"
}

# tutorial: writes the output of the commands of tutorial and packet-loss to
# `said`, and their pictures to `doc`.
tutorial() {
	command -v gnuplot >/dev/null || skip "gnuplot is not installed"
	mkdir doc
	"$TOP/tools/tutorial" doc >said 2>&1
}

# kib_full KIB OPTION...: Gbit/s of reads in a window of this size.
kib_full() {
	pcb-collect bw_rd -q -d sim:e5-2630v4-iommu -w "$1K" "${@:2}" \
		--cache host-warm -n 20K | column bandwidth_gbit_s
}

@test "doc/tutorial.md" {
	local small

	page doc/tutorial.md
	sizes_joined >joined
	says "From 320 bytes up, the device reaches at least $(fmt %d \
		"$(from_320 <joined | cut -d' ' -f1)") %"
	[ "$(fmt %.0f "$(at_size 192 model_ratio_pct <joined)")" -le 82 ]
	sizes_joined -s 64 -O inflight=28 >tags.csv
	says "Reads of 64 bytes reach $(fmt '%.0f of %.0f' \
		"$(at_size 64 median_gbit_s <joined)" \
		"$(at_size 64 model_gbit_s <joined)") Gbit/s with the 24 \
outstanding reads of this device; with \`-O inflight=28\` they reach \
$(fmt %.0f "$(at_size 64 median_gbit_s <tags.csv)"), and with 128 no more."
	small=$(kib_full 4)
	says "nothing up to 256 KiB"
	[ "$(fmt %d "$(kib_full 256) / $small * 100")" -ge 99 ]
	# By a third and by two thirds less.
	[[ $(fmt %.1f "$(kib_full 512) / $small") == 0.[67] ]]
	[[ $(fmt %.1f "$(kib_full 16384) / $small") == 0.[34] ]]
	[ "$(fmt %d "$(kib_full 464) / $small * 100")" -ge 98 ]
	[ "$(fmt %d "$(kib_full 480) / $small * 100")" -le 80 ]
	[ "$(fmt %d "$(kib_full 464 -O iotlb=112) / $small * 100")" -le 80 ]
	says "a window of 464 KiB still has the full bandwidth, one of 480 KiB does not"
	says "the IOTLB has $((464 / 4)) entries"
	says "below 464 KiB"
	tutorial
	says "A miss takes $(grep -E '^ *560\.0 ns .* yes +5$' said |
		awk '{ printf "%d %s", $5, $6 }')"
}

# line REGEX COLUMN: a field of the only matching line of `said`.
line() {
	[ "$(grep -cE "$1" said)" = 1 ] && grep -E "$1" said |
		awk -v i="$2" '{ print $i }'
}

@test "doc/packet-loss.md" {
	local wait

	page doc/packet-loss.md
	says "0x2xxx, which is $(fmt '%.0f to %.0f' "$((0x2000)) * 16 / 1e3" \
		"$((0x2fff)) * 16 / 1e3") us"
	tutorial
	says "$(line '^1518 .* 131\.0 us' 8) frames of 1518 bytes, but \
$(line '^64 .* 131\.0 us' 8) frames of 64 bytes"
	says "Up to 50 us the link is the limit: $(fmt %.2f \
		"$(line ^50us 3) / 1e3") Gbit/s. At 100 us the NIC reaches $(fmt %.2f \
		"$(line ^100us 3) / 1e3") Gbit/s"
	says "at 131 us $(fmt %.2f "$(line ^131us 3) / 1e3") Gbit/s"
	says "24 reads of 512 bytes in 131 us are $(fmt %.0f \
		"24 * 512 * 8 / 131") Mbit/s"
	says "The medians do not differ (\`$(line '^ +3\.048 us' 13)\`), but \
the 99th percentiles differ by $(fmt %d "$(line '^ +3\.320 us' 5)") us \
(\`$(line '^ +3\.320 us' 13)\`)."
	wait=$(pcb-collect lat_rd -q -d sim -s 512 -n 20K -O link=gen1x1 \
		-O rc=500ns -O stall1=100us -O stall1-spread=97us \
		-O stall1-odds=20000 | pcb-stats -P | column max_ns)
	says "ends at $(fmt '%.0f' "$wait / 1e4" | sed 's/$/0/') us"
	says "At 1 Gbit/s, $(fmt %d "200e-6 * 1e9 / 8" |
		sed 's/...$/,&/') bytes arrive in this time"
	says "one read in $((100 / 2)) is slow, so $((100 - 2)) % of the samples"
	says "median is $(fmt %.1f "$(line ' 31\.47 us ' 6)") us, in which \
$(fmt %.0f "31.5e3 / 8 / 10")0 bytes arrive at 1 Gbit/s"
}

# both ARGUMENT...: the model's Gbit/s to a decimal, and GB/s to three digits.
both() {
	local rate

	rate=$(model bandwidth_gbit_s "$@")
	fmt "%.1f Gbit/s or %.3g GB/s" "$rate" "$rate / 8"
}

@test "doc/predictions.md" {
	diff "$TOP/doc/predictions.md" <("$TOP/tools/predictions")
}

# gb ARGUMENT...: the model's GB/s to a decimal.
gb() {
	fmt %.1f "$(model bandwidth_gbit_s "$@") / 8"
}

# commands PAGE SECTION: its indented lines.
commands() {
	awk -v section="$2" '/^## / { on = index($0, section) }
		on && sub(/^    /, "")' "$1"
}

@test "doc/answers.md" {
	local x16=(bw_rd --link gen3x16) store=(bw_wr --link gen3x16)

	page doc/answers.md
	says "Why 12 of $(fmt %.2f \
		"$(model raw_gbit_s link --link gen3x16) / 8") GB/s on"
	run -3 --separate-stderr pcb-model why 12GB/s gen3x16 -f table
	[[ $output == "borderline: 12 GB/s is 82 %"*"nine in ten reach 84 %"*"here 12.2"* ]]
	says "12 GB/s are borderline: 82 % of what the link carries, where nine in \
ten public results for copies by a GPU reach 84 %, which is 12.2 GB/s."
	says "in pieces of 64 bytes would leave $(both "${x16[@]}" -s 4K \
		--completer rcb); nearly all"
	says "Those of 256 bytes leave $(both "${x16[@]}" -s 4K):"
	x16=(bw_rd --link gen4x16 -s 4K)
	says "completions of 256 bytes leave $(both "${x16[@]}"), and those of 64 \
bytes $(both "${x16[@]}" --completer rcb)."
	says "32 outstanding reads of 512 bytes, each for 900 ns, give \
$(both "${x16[@]}" --inflight 32 --rtt 900ns):"
	says "Writes of 32 bytes leave $(both "${store[@]}" -s 32), writes of 64 \
bytes $(both "${store[@]}" -s 64)."
	says "9.22 GB/s is $(fmt %.0f "(9.22 * 8 / $(model bandwidth_gbit_s \
		"${store[@]}" -s 32) - 1) * 100") % more than writes of 32 bytes allow"
	says "up to 256 bytes, which leave $(both "${store[@]}" -s 256)."
	store=(bw_wr --link gen5x16)
	says "Packets of 64 bytes take $(model tx_bytes "${store[@]}" -s 64) on \
the wire and leave $(gb "${store[@]}" -s 64) GB/s; 45.2 is $(fmt %.1f \
		"45.2 / $(model bandwidth_gbit_s "${store[@]}" -s 64) * 800") % of it."
	says "128 bytes leave $(gb "${store[@]}" -s 128) GB/s, those of 256 \
$(gb "${store[@]}" -s 256)."
	says "that get more than $(gb "${store[@]}" -s 32) GB/s"
	store=(bw_wr --link gen4x16)
	says "packets of 64 bytes leave $(gb "${store[@]}" -s 64) GB/s and those \
of 128 $(gb "${store[@]}" -s 128):"
	says "26.4 GiB/s or $(fmt %.1f '26.41 * 1.073741824') GB/s"
	says "64 bytes with a header of 16 are $(fmt %.2f '80 / 64') times, all 88 \
bytes on the wire $(fmt %.3f '88 / 64'), and 128 with a header $(fmt %.3f \
		'144 / 128')."
	commands "$TOP/doc/answers.md" 'into a GPU?' >run
	bash -eu run >rows
	[[ $(<rows) == *"total,,365.65"* ]]
	store=(bw_wr --link gen3x16 -s 4K --host-lines 92)
	says "92 x 64 bytes in 300 ns are $(gb bw_wr --link gen4x16 -s 4K \
		--host-lines 92 --host-latency 300ns) GB/s, more than the \
$(gb "${store[@]}" --host-latency 300ns) of gen3 x16"
	says "In 540 ns they are $(gb "${store[@]}" --host-latency 540ns) GB/s"
	[ "$(model limited_by "${store[@]}" --host-latency 300ns)" = tx_bytes ]
	[ "$(model limited_by "${store[@]}" --host-latency 540ns)" = host_lines ]
	pcb-model nic -M corundum --link gen3x2 --rate 10G \
		--frame 128,256,1518 -P >rows
	paste -d' ' <(column bandwidth_gbit_s <rows) \
		<(column ethernet_gbit_s <rows) >pairs
	says "With frames of 1518 bytes, the link carries $(sed -n 3p pairs |
		awk '{ printf "%.1f Gbit/s in both directions at once, and the \
Ethernet needs %.1f:", $1, $2 }')"
	says "With 256 bytes, it carries $(sed -n 2p pairs |
		awk '{ printf "%.1f of the %.1f", $1, $2 }') that the Ethernet \
needs, and with 128 bytes $(sed -n 1p pairs |
		awk '{ printf "%.1f of %.1f", $1, $2 }'): the link is too slow."
	says "(\`-M niantic-dpdk\`) frames of 256 bytes fit, too"
	pcb-model nic -M niantic-dpdk --link gen3x2 --rate 10G --frame 256 -P >rows
	[ "$(column bandwidth_gbit_s <rows | cut -d. -f1)" -gt \
		"$(column ethernet_gbit_s <rows | cut -d. -f1)" ]
	says "at 10 Gbit/s, $(fmt %d "10 * 100e3 / 8" |
		sed 's/...$/,&/') bytes in 100 us"
}

# nic NAME FRAME [OPTION...]: Gbit/s of Figure 1, rounded as on the page.
nic() {
	fmt %.2f "$(model bandwidth_gbit_s nic -M "$1" --frame "$2" \
		--accounting pcie-bench "${@:3}")"
}

# keeps_up NAME: ranges of frame sizes, in steps of 16 bytes, with which a
# driver keeps up with 40 Gbit/s Ethernet.
keeps_up() {
	pcb-model nic -P -M "$1" --frame 64:1504:+16 --rate 40G \
		--accounting pcie-bench >rows
	paste -d' ' <(column frame_bytes <rows) <(column bandwidth_gbit_s <rows) \
		<(column ethernet_gbit_s <rows) |
		awk '{ keeps = $2 >= $3 }
		keeps && !was { printf "%s%s", s, $1; s = " " }
		!keeps && was { printf " to %s", last }
		{ was = keeps; last = $1 }'
}

# results_model: numbers of the section about the model.
results_model() {
	local rate size narrow wide

	rate=$(model bandwidth_gbit_s link --accounting pcie-bench)
	says "gives $(fmt %.4f "$rate") Gbit/s for a gen 3 x8 link; the paper \
prints $(fmt %.2f "$rate")."
	for size in 32 64; do
		fmt '%.2f\n' "$(model transactions_per_s bw_rdwr --addr $size \
			--accounting pcie-bench) / 1e6"
	done >rates
	{ read -r narrow && read -r wide; } <rates
	says "The paper's 69.5 million transactions of 64 bytes per second and \
direction have 32-bit addresses (\`pcb-model bw_rdwr --addr 32 --accounting \
pcie-bench\`: $narrow). Its headers, and the default, have 64-bit addresses, \
which give $wide."
	for size in 64 512 1500; do
		says "| $size | $(nic simple $size) | \
$(nic niantic-kernel $size) | $(nic niantic-dpdk $size) "
	done
	keeps_up niantic-dpdk >dpdk
	says "reach 40 Gbit/s Ethernet from frames of $(keeps_up simple), \
$(keeps_up niantic-kernel) and $(sed 's/.* //' dpdk) bytes, in steps of 16 \
(DPDK also from $(sed 's/ [0-9]*$//' dpdk))."
	says "as in the text: $(nic ideal 64) Gbit/s of 64-byte frames."
	says "reads alone in this column, $(fmt %.2f "$(model bandwidth_gbit_s \
		bw_rd -s 60 --accounting pcie-bench)")."
	says "29.09 Gbit/s at 64 bytes. The published table includes it and has \
30.48"
	[ "$(fmt '%.2f %.2f' "40 * 64 / (64 + 24)" "40 * 64 / (60 + 24)")" = \
		"29.09 30.48" ]
}

# left_out SYSTEM WHAT COLUMN FORMAT: a value of tests/data/sim/left-out.txt,
# which sim_published.bats compares with the data.
left_out() {
	awk -v who="$1" -v what="$2" -v column="$3" -v format="$4" '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$1 == who && $2 == what { printf format, $at[column] + 1e-9 }' \
		"$TOP/tests/data/sim/left-out.txt"
}

# results_simulated: numbers of comparisons with the simulation.
results_simulated() {
	local a=e5-2637v3/local b=e5-2620v2/local on=-iommu/local rc

	says "points ($(left_out $b bandwidth sibling %.1f) against \
$(left_out $b bandwidth predicted_common %.1f) and $(left_out e5-2630/local \
		bandwidth predicted_common %.1f) %, $(left_out $a bandwidth \
		sibling %.1f) against $(left_out $a bandwidth predicted_common \
%.2f) and $(left_out e5-2620v3/local bandwidth predicted_common %.1f) %)"
	rc=$(cat "$TOP"/share/pcb-tools/sim/{haswell-ep,e5-2637v3}.csv |
		sed -n 's/^rc,\([0-9]*\),ps,.*/\1/p' | paste -sd-)
	says "differ by $(fmt %.0f "-($rc) / 1e3") ns for unknown reasons: \
$(left_out $a median predicted %.1f) %, and the sibling's results \
$(left_out $a median sibling %.1f) %."
	says "predicts the other ($(left_out e5-2630$on bandwidth predicted %.0f) \
and $(left_out e5-2620v2$on bandwidth predicted %.0f) %). Their latencies are \
predicted to $(left_out e5-2630$on median predicted %.1f) and \
$(left_out e5-2620v2$on median predicted %.1f) %."
	says "repetitions differ by $(left_out e3-1226v3/local bandwidth repeats \
		%.0f) %."
}

# fitted OPTION...: results of the fit to the published links: T_proc, T_serdes,
# numbers of links, and of links off by more than 5 % and than 10 %.
fitted() {
	pcb-diff -P --links "$TOP/experiments/miller/links.csv" --fit "$@" \
		2>/dev/null | awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
	$c["proc_ns"] != "" {
		n++
		off = ($c["residual_ns"] / $c["latency_ns"]) ^ 2
		five += off > .0025; ten += off > .01
		proc = $c["proc_ns"]; serdes = $c["serdes_ns"]
	}
	END { printf "%.0f %.0f %d %d %d\n", proc, serdes, n, five, ten }'
}

# results_others: the rows of other devices beside the model.
results_others() {
	local rows=0 what which ns options model ratio

	while IFS='|' read -r _ what which ns options model ratio _; do
		options=${options//\`/}
		# shellcheck disable=SC2086 # options
		pcb-model lat -P --bench lat_rd --cache thrashed $options >row
		what=$(column "${which// /}_ns" <row)
		[ "$(fmt '%.0f %.2f' "$what" "$ns / $what")" = \
			"$(xargs <<<"$model $ratio")" ] ||
			show "$options: $what"
		rows=$((rows + 1))
	done < <(grep -- '`-d sim:' "$TOP/doc/results.md")
	[ $rows = 7 ]
}

# results_links: numbers of Miller et al.
results_links() {
	local table=$TOP/experiments/miller/minima.csv proc serdes n five ten

	pcb-diff -P --links "$TOP/experiments/miller/links.csv" "$table" >rows
	says "clocks of all $(($(wc -l <rows) - 1)) rows are as printed"
	says "133 MHz PCI-X takes $(grep ,Tx_h_di, rows | awk -F, '
		{ print $11 " ns and " $12 }') %"
	[ "$(fmt %.1f "53 / 84 * 100")" = 63.1 ]
	says "the paper prints 53 ns and, from that, 63.1 %."
	says "Clocks of the 66 MHz bus are $(grep pcix64/66 rows |
		cut -d, -f13 | paste -sd, | sed 's/,/, /; s/,\([^,]*\)$/ and \1/')"
	says "where it prints 11, 20 and 15, which does not follow from rounding \
21.2."
	read -r proc serdes n five ten < <(fitted "$table")
	says "T_proc is $proc ns, T_serdes $serdes ns, and $ten of $n links are \
off by more than 10 %."
	read -r proc serdes n five ten < <(grep -v -e I_c -e Te_e_c "$table" |
		fitted)
	[ "$five" = 0 ]
	says "all $n are within 5 % of T_proc $proc ns and T_serdes $serdes ns:"
}

# count QUEUES EVENT: a count of the published tables.
count() {
	sed -n "s/^published,$1[^,]*,[^,]*,UNC_CHA_TOR_INSERTS.IO_$2,//p" \
		"$TOP/experiments/ddio/iperf.csv" | head -n 1
}

# ddio QUEUES METRIC: the metric that pcb-ddio computes from them.
ddio() {
	pcb-ddio -P -t 1s "$TOP/experiments/ddio/iperf.csv" |
		sed -n "s/^published,$1[^,]*,,,io_percent_of_inbound_$2_that_miss_l3,\([0-9.]*\).*/\1/p"
}

# results_ddio: numbers of Intel's tables.
results_ddio() {
	local queues

	says "40,130 MB/s are $(fmt %.2f "40130 * 8 / 1e3") Gbit/s"
	pcb-ddio -P -t 1s "$TOP/experiments/ddio/iperf.csv" | grep -q ',321\.04'
	says "| reads that miss | 88 % | $(fmt %.2f "$(ddio 8096 reads)") % \
| 74 % | $(fmt %.2f "$(ddio 2048 reads)") % |"
	says "| full writes that miss | 85 % | \
$(fmt %.2f "$(ddio 8096 full_writes)") % | 50 % | \
$(fmt %.2f "$(ddio 2048 full_writes)") % |"
	for queues in 8096 2048; do
		fmt '%.0f\n' "(($(count $queues HIT_PCIRDCUR) + \
$(count $queues MISS_PCIRDCUR)) / $(count $queues PCIRDCUR) - 1) * 100"
	done | sort -n >over
	says "Hits and misses of reads are $(paste -sd' ' over |
		sed 's/ / to /') % above the total"
	says "cost 16 %; from 701 to 605 Gbit/s it is $(fmt %.0f \
		"(1 - 605 / 701) * 100") %."
}

@test "doc/results.md" {
	page doc/results.md
	results_model
	says "16 cycles at 1.2 GHz, $(fmt %.2f "16 / 1.2") ns; the paper's \
$(fmt %.1f "16 * 1.2") ns are 16 x 1.2, a slip"
	results_simulated
	results_others
	results_links
	results_ddio
}

@test "pcb-model(1): examples and claims" {
	local link=gen3x8/mps256/mrrs512/rcb64 paper="--accounting pcie-bench"
	local raw left rate

	manual pcb-model.1
	raw=$(model raw_gbit_s link)
	# shellcheck disable=SC2086
	left=$(model bandwidth_gbit_s link $paper)
	says "With the defaults, Ack and FC are \
$(model ack_limit_bytes link --accounting pcie-bench), and \
$(fmt '%.3f of %.3f' "$left" "$raw") Gbit/s are left."
	[ "$(fmt %.6f "$left")" = "$(fmt %.6f \
		"$raw * (1 - 8 / 203 - 8 / 203 - 4 / 1538)")" ]
	rate=$(model bandwidth_gbit_s link)
	[ "$(fmt %.6f "$rate")" = "$(fmt %.6f "$raw * (1 - 1 / 375)")" ]
	says "24 and receives 20 + 64 = 84 bytes and 2 x 24 x 8/1624 of DLLPs, \
and $(fmt %.3f "$rate") x 64 / $(fmt %.3f "84 + 2 * 24 * 8 / 1624") = \
$(fmt %.3f "$(model bandwidth_gbit_s bw_rd)") Gbit/s; with pcie-bench \
$(fmt %.3f "$left") x 64 / 84 = $(fmt %.3f \
		"$(model bandwidth_gbit_s bw_rd --accounting pcie-bench)")."
	says "A read and a write send 24 + 24 + 64 = 112, for $(fmt %.3f \
		"$(model bandwidth_gbit_s bw_rdwr)") and $(fmt %.3f \
		"$(model bandwidth_gbit_s bw_rdwr --accounting pcie-bench)") \
Gbit/s."
	says "(2 x 24): 300 bytes, and with --accounting pcie-bench \
$(fmt %.3f "$left") x 60 / 300 = $(fmt %.3f "$(model bandwidth_gbit_s nic \
		-M simple --frame 64 --accounting pcie-bench)") Gbit/s."
	says "8, 12 and 4: 44 bytes and $(model serialization_ns serial \
		--link gen1x1/mps128/mrrs128/rcb64 | sed 's/\..*//') ns in \
generation 1 on one lane"
	says "7 at 33 MHz are $(fmt %.0f "7 * 30") ns"
	[ "$link" = "$(model link link)" ]
	says "The default is $link, the link of pcie-bench."
}

@test "pcb-stats(1): how few samples have limits" {
	local n

	manual pcb-stats.1
	for n in 5 6 71 72; do
		seq "$n" | sed '1i latency_ns' |
			pcb-stats -P --ci -p 95 >stats.csv
		echo "$n $(column median_lo_ns <stats.csv | wc -w)" \
			"$(column p95_hi_ns <stats.csv | wc -w)"
	done >limits
	diff - limits <<-'END'
	5 0 0
	6 1 0
	71 1 0
	72 1 1
	END
	says "at 95 %, the median needs 6 and the upper limit of the 95th \
percentile 72."
}

# sign_test RUNS LEFT_OUT: probability, in percent, that limits without LEFT_OUT
# values at each end contain the median.
sign_test() {
	awk -v n="$1" -v k="$2" 'BEGIN {
		c = 1
		for (i = 0; i < k; i++) { sum += c; c *= (n - i) / (i + 1) }
		printf "%.2f", 100 * (1 - 2 * sum / 2 ^ n)
	}'
}

@test "pcb-diff(1): what its limits contain" {
	local n

	manual pcb-diff.1
	# Runs 1 to n of a link: the limits are the differences not left out.
	for n in 5 10 20; do
		{
			echo run,device,parent,min_ns
			seq "$n" | sed 's/.*/&,root,,100\n&,d,root,10&/'
		} | sed 's/,d,root,10\(.*\)/,d,root,\1/' |
			awk -F, -v OFS=, 'NR > 1 && $2 == "d" { $4 += 100 } 1' |
			pcb-diff -P | awk -F, -v n="$n" '
			NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
			{ print n, $c["latency_lo_ns"], $c["latency_hi_ns"] }'
	done >limits
	diff - limits <<-'END'
	5 1 5
	10 2 9
	20 6 15
	END
	says "at least 95 %: $(sign_test 10 2) % with 10 runs, \
$(sign_test 20 6) % with 20."
	says "The exception is 5 runs: $(sign_test 5 1) %"
}

@test "pcb-ddio(1): the paper's numbers" {
	manual pcb-ddio.1
	says "40,130 MB/s is $(fmt %.2f "40130 * 8 / 1e3") Gbit/s"
	says "605 Gbit/s instead of 701 with DDIO and small rings, which is \
$(fmt %.0f "(1 - 605 / 701) * 100") % less (its text says 16)"
	says "With 2048 the paper reports 16 % more throughput, and \
$(fmt %.0f "$(ddio 2048 full_writes)") % instead of \
$(fmt %.0f "$(ddio 8096 full_writes)") % misses"
	page doc/results.md
	results_ddio
	manual pcb-ddio.1
	says "Table 7 of the paper has differences of $(paste -sd' ' over |
		sed 's/ / and /') %."
}

# variable NAME: its value in the studies.
variable() {
	sed -n "s/^$1 = //p" "$TOP"/experiments/*.mk
}

@test "pcb-fleet(7), pcb-experiments(1): sizes, and the paper's model" {
	manual pcb-fleet.7
	says "5 runs of 2 million simulated DMA reads take $(pcb-collect lat_rd \
		-q -d sim -r 5 -n 2M -l host=h | grep -v '^# \(date\|command\)' |
		pcb-stats --histogram | wc -c | awk '{ printf "%.0f", $1 / 1e3 }') KB"
	says "TOLERANCE Percent; default $(variable TOLERANCE)."
	manual pcb-experiments.1
	says "simulated $(sed -n 's/^N = $(if $(simulated),\(.*\))/\1/p' \
		"$TOP/experiments/pcb.mk"), and"
	says "RUNS Repetitions; default $(variable RUNS)."
}

@test "pcb-experiments(1): by how much the paper's model is exceeded" {
	[ -n "${PCB_TEST_DATA:-}" ] || skip "PCB_TEST_DATA is not set"
	manual pcb-experiments.1
	pcb-import pciebench "$PCB_TEST_DATA"/pciebench/*2637v3*/bw_dma_sz_sweep.csv |
		pcb-model --join --accounting pcie-bench |
		column model_ratio_pct | sort -g >ratios
	says "its $(wc -l <ratios) results exceed by up to $(fmt %.0f \
		"$(tail -n 1 ratios) - 100") %"
}

# within PARAMETER [VALUE]: the range that the simulation accepts.
within() {
	pcb-model lat -P -d sim -O "$1=${2:-999G}" 2>&1 |
		sed -n 's/.*: not within //p'
}

@test "pcb-sim(7): ranges of parameters" {
	manual pcb-sim.7 PARAMETERS
	[ "$(within inflight) $(within workers)" = "1 to 65536 1 to 65536" ]
	[ "$(within rc 1h) $(within stall1 1h)" = "0ns to 1ms 0ns to 1s" ]
	[[ $(within tick 1h) == "1ps to "* ]]
	[ "$(within walk-alone 1T)" = "0 to 512G" ]
	[ "$(within align 128) $(within stall3-odds)" = "1 to 64 0 to 1M" ]
	says "Times are at most 1ms, those of stalls 1s."
	says "at least 1ps."
	says "at once, $(within chunk)."
	says "A power of two from $(within cut-write 8K)."
	says "inflight, workers $(within inflight)."
	says "A power of two up to 64; bytes, $(within dllp)."
	says "Header credits, $(within credits); data credits of 16 bytes, \
$(within data-credits)."
	says "Bytes, $(within combine); completions, $(within split)."
	says "Size of the cache, $(within llc | sed 's/ to / bytes to /'); its \
ways, $(within ways); ways that writes may fill, from 0."
	says "bytes of an entry, a power of two from $(within page 2G); entries, \
$(within iotlb); ways, 1 to $(within iotlb-ways | sed 's/.* //'), a divisor \
of the entries, or 0 for all."
	says "cached $(within walk-cached); walks $(within walks); alone a \
power of two up to 512G, or 0."
	says "Parts per million, $(within drift);"
	says "Odds 0 to 1M; also with 2 and 3."
	run -2 pcb-model lat -d sim -O link=gen6x8/mps256/mrrs512/rcb64
	for lanes in 12 32; do
		run -2 pcb-model lat -d sim -O "link=gen6x$lanes/flit"
	done
	says "Generation 6 and later need \`/flit', which excludes 12 and 32 lanes."
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

# Bounds of the score, of which doc/results.md has the table.
@test "the score of public questions, rows and pairs" {
	[ -n "${PCB_TEST_DATA:-}" ] || skip "PCB_TEST_DATA is not set"
	"$TOP/tools/why-score" "$PCB_TEST_DATA" >score
	cat score
	awk '
	/^questions/ { if ($3 < 90 || $12 < 60 || $14 < 80) exit 1; n++ }
	/^rows, healthy/ { if ($4 < 80 || $10 > 8) exit 1; n++ }
	/^rows, degraded/ { if ($4 < 80) exit 1; n++ }
	/^pairs/ { if ($16 < 75) exit 1; n++ }
	END { exit n != 4 }' score
}
