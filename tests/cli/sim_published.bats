#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The simulated device compared with the published devices.

load helpers
load pages

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	sim=$TOP/tests/data/sim
}

needs_data() {
	[ -n "${PCB_TEST_DATA:-}" ] || skip "PCB_TEST_DATA is not set"
	data=$PCB_TEST_DATA/pciebench
}

@test "as near to what was published as it was found to be" {
	needs_data
	"$TOP/tools/sim-compare" "$data" >compare.txt
	diff -u "$sim/compare.txt" compare.txt
}

@test "as near to what it was not fitted to" {
	needs_data
	"$TOP/tools/sim-compare" -l "$data" >left-out.txt
	diff -u "$sim/left-out.txt" left-out.txt
}

@test "systems are those named, whatever else lies beside them" {
	needs_data
	local ib=nfp6000-1.2GHz_ib-Xeon-E5-2620v2_dell-t620-s0-s0-s0-iommu-nosp

	mkdir all
	ln -s "$data/$ib" "all/$ib"
	ln -s "$data"/*snb*t620 all/nfp6000-1.2GHz_x-s0-s0-s0-iommu-nosp
	"$TOP/tools/sim-compare" all >said
	[ "$(grep -c '^not there: ' said)" = 9 ]
	grep -x 'not used: nfp6000-1.2GHz_x-s0-s0-s0-iommu-nosp' said
	grep '^e5-2620v2-iommu/local ' "$sim/compare.txt" >wanted
	grep '^e' said | diff wanted -
	mkdir none
	run -2 "$TOP/tools/sim-compare" none
	[[ "$output" = *'nothing to compare in none' ]]
}

@test "numbers are compared as in C, whatever the locale" {
	mkdir -p bin all/nfp6000-1.2GHz_snb-Xeon-E5-2630_dell-t620
	cat >bin/awk <<-'END'
		#!/bin/sh
		locale | grep LC_NUMERIC >>awk.txt
	END
	chmod +x bin/awk
	LC_ALL=de_DE.UTF-8 PATH=$PWD/bin:$PATH \
		"$TOP/tools/sim-compare" all e5-2630
	[ "$(sort -u awk.txt)" = 'LC_NUMERIC="C"' ]
}

@test "profiles name the files that their values are from" {
	needs_data
	cut -d, -f4- "$TOP"/share/pcb-tools/sim/*.csv |
		grep -Eo '(lat|bw)_(cmd|dma)[a-z0-9_]*' | sort -u >named
	(cd "$data" && find . -name '*.csv') | sed 's,.*/,,; s/\.csv$//' |
		sort -u >files
	[ -s named ]
	# Two files of writes: bw_dma_off_wr, lat_dma_off_wrrd.
	[ -z "$(comm -23 named files)" ] || show "$(comm -23 named files)"
}

# range WHAT CONDITION: minimum and maximum of the predictions that meet an awk
# condition, without the E3; $5 is fitted, $6 predicted.
range() {
	awk "/^e5/ && $2 { print $1 }" "$sim/left-out.txt" | sort -g |
		sed -n '1p;$p' | awk '{ printf "%s%.1f", s, $1; s = " to " }'
}

@test "doc/results.md and pcb-sim(7) say what the comparisons say" {
	local page=$TOP/doc/results.md line
	local median='$2 == "median"' bandwidth='$2 == "bandwidth"'
	local haswell='$1 ~ /v3/' off='$1 !~ /iommu/' on='$1 ~ /iommu/'

	sed -n '/^    system  *what/,/^$/p' "$page" | sed '$d; s/^    //' |
		diff "$sim/left-out.txt" -
	sed -n '/theirs *ours$/,/^$/p' "$page" | sed '$d; s/^    //' >lines
	grep 'in a million' "$page" | sed 's/^    //' >>lines
	[ "$(wc -l <lines)" = 31 ]
	while IFS= read -r line; do
		grep -qxF -- "$line" "$sim/compare.txt" || show "$line"
	done <lines
	page doc/results.md
	says "bandwidth of these E5 systems is predicted to $(range '$6' \
		"$bandwidth && $off") %"
	says "Latency is predicted to $(range '$6' \
		"$median && $off && !($haswell)") % except"
	manual pcb-sim.7 ACCURACY
	says "fitted, medians of latency are off by $(range '$5' \
		"$median") %, bandwidth by $(range '$5' "$bandwidth") %"
	says "left out, latency by $(range '$6' "$median") %, bandwidth \
without IOMMU by $(range '$6' "$bandwidth && $off") %, with it by \
$(range '$6' "$bandwidth && $on") %"
	says "the E3-1226 v3 by $(awk '/^e3.* median/ { print int($5) }' \
		"$sim/left-out.txt") % and more"
	manual_differences
}

# worst BENCH: largest error of the simulation over sizes, in percent, and its
# size.
worst() {
	awk -v bench="$1" '/^e5/ && $3 == "size" && $4 == bench {
		off = $10 + 0
		if (off ^ 2 > most ^ 2) { most = off; at = $11 }
	} END { sub("/.*", "", at); printf "%.0f %s", most, at }' \
		"$sim/compare.txt"
}

# relation NAME: the published relation of two points.
relation() {
	grep -F " $1 " "$sim/compare.txt" | head -n 1 |
		awk '{ printf "%.0f", $(NF - 2) }'
}

# manual_differences: numbers of pcb-sim(7) computed from other lines.
manual_differences() {
	says "Memory of the other socket takes $(relation \
		'node 1, host-warm, lat_rd 64 B, 8K') ns more if a CPU wrote it \
and $(relation 'node 1, thrashed, lat_rd 64 B') ns otherwise, as published"
	says "differ by $(awk -F, '/^rc,/ { x = $2 - x }
		END { printf "%.0f", x / 1e3 }' \
		"$TOP"/share/pcb-tools/sim/{haswell-ep,e5-2637v3}.csv) ns"
	[ "$(worst bw_rd)" = "14 1024" ]
	says "from 513 bytes in a way that is not known: at 768 and 1024 bytes \
the simulation is up to 14 % faster"
	[ "$(worst bw_rdwr)" = "14 511" ]
	says "bw_rdwr of 511 bytes is up to 14 % too fast"
	grep 'in a million' "$sim/compare.txt" | awk '
	/simulated/ { odds = $2; mode = $(NF - 1); next }
	!least || $2 < least { least = $2 }
	$2 > most { most = $2 }
	END { printf "the mode at %.2f ms and its odds agree (%d00 in a million; \
published sections have %d0 to %d0)", mode, odds / 100 + .5, least / 10 + .5, \
		most / 10 + .5 }' >line
	says "$(cat line)"
}

# points SYSTEM PATTERN: published and simulated values of matching points.
points() {
	"$TOP/tools/sim-compare" -a "$data" "$1" >"$1.all"
	grep -E "^$1/.*$2" "$1.all" | awk '{ print $12, $13 }'
}

@test "pcb-sim(7): points that are known to differ" {
	needs_data
	local from='{ printf "%s%.0f", s, $1; s = " to " }'

	manual pcb-sim.7 ACCURACY
	points e5-2630-iommu 'rnd_64 bw_rd .* 64 524288 bandwidth' >rows
	says "reads 64 bytes at $(cut -d' ' -f1 rows | sort -g | sed -n '1p;$p' |
		awk "$from") Gbit/s in windows of 512 KiB, here at \
$(cut -d' ' -f2 rows | sort -g | sed -n '1p;$p' | awk "$from")"
	awk '$4 == "lat_rd" && $6 ~ /warm/ && $11 == "median" &&
		$12 / $13 > 1.3 { print $10 }' e5-2630-iommu.all | sort -un |
		diff - <(printf '%s\n' 262144 524288)
	says "single windows of 256 and 512 KiB of its latencies miss"
	points e5-2630v4 'rnd_64 lat_rd .* thrashed random 0 64 8192 median' >rows
	says "Reads of 64 bytes in 8 KiB take $(sed -n '$p' rows |
		awk '{ printf "%.0f ns, simulated %.0f", $1, $2 }');"
	points e5-2630v4 'rnd_64 bw_rd .* thrashed random 0 64 4096 band' >rows
	says "bandwidth in 4 KiB is $(sed -n '$p' rows |
		awk '{ printf "%.0f Gbit/s, simulated %.0f", $1, $2 }')."
	points e5-2637v3 'off_rd bw_rd .* 0 1024 8192 bandwidth' >rows
	says "two rows of one file differ by $(sort -g rows | sed -n '1p;$p' |
		awk '{ x[NR] = $1 } END { printf "%.0f", (x[2] / x[1] - 1) * 100 }') % \
at 1024 bytes"
}

@test "doc/results.md: after a long pause the E3-1226 v3 stalls" {
	needs_data
	page doc/results.md
	sed -n '/^    cd DIR/,/^$/p' "$TOP/doc/results.md" | sed "s,DIR,$data,; s/^    //" >script
	[ "$(sh -e script | sort)" = "pause from 257 ns: 108 of 108
pause up to 215 ns: 0 of 124" ]
	cd "$data"/*E3*
	cat lat_cmd_details.csv lat_cmd_sweep_*.csv | awk -F, '
	$2 != "Rand" { next }
	{ pause = ($8 - $9) / 1.2; above = ($10 - $11) / 1.2 }
	pause > 215 && (!least || above < least) { least = above }
	pause > 215 { small += $6 < 8388608 }
	pause > 215 && (!long || pause < long) { long = pause }
	pause <= 215 && above > most { most = above }
	END { printf "%d %.0f %d %d\n", least, most + .49, long, small }' \
		>"$BATS_TEST_TMPDIR/said"
	diff - "$BATS_TEST_TMPDIR/said" <<<"653 94 257 40"
	says "at least 653 ns above the minimum at all 108 points with a \
pause from 257 ns, and at most 94 ns at all 124 with a pause up to 215 ns. 40 of \
the 108 are in windows of at most 4 MiB"
	awk -F, '$2 == "Seq" && $6 == 8388608 {
		n[$7]++; slow[$7] += ($10 - $11) / 1.2 > 480
	} END { print slow[8], n[8], slow[64], n[64] }' lat_cmd_off_rd.csv |
		diff - <(echo 19 20 0 20)
	says "reads of 8 bytes in 8 MiB stall at 19 of 20 offsets and \
states, reads of 64 bytes at none of 20"
}

@test "the split has a profile for each system, and one to predict it by" {
	grep -v '^#' "$sim/split.csv" | sed 1d >rows
	[ "$(wc -l <rows)" = 10 ]
	while IFS=, read -r _ _ _ profile node from _; do
		pcb-collect lat_rd -P -n 1 -d "sim:$profile" --node "$node" >own
		pcb-collect lat_rd -P -n 1 -d "sim:$from" >other
		[ "$profile" != "$from" ]
	done <rows
}
