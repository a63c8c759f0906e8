#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The simulated device compared with the published devices.

load helpers

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	sim=$TOP/tests/data/sim
}

# rows_of SYSTEM FILE
rows_of() {
	grep "^$1/" "$2"
}

# own: the columns that need no other system.
own() {
	awk '{ print $1, $2, $3, $4, $5, $6, $7 }'
}

@test "as near to what was published, and to what it was not fitted to" {
	needs_data
	local system

	# The others have checksums, below; `make sim-validate` compares all.
	for system in e5-2630v4 e5-2620v2-iommu; do
		"$TOP/tools/sim-compare" -l -s compare.txt "$data/pciebench" \
			$system >left-out.txt
		rows_of $system "$sim/compare.txt" | diff - <(rows_of $system compare.txt)
		rows_of $system "$sim/left-out.txt" | own | diff - \
			<(rows_of $system left-out.txt | own)
	done
}

@test "systems are those named, whatever else lies beside them" {
	needs_data
	local ib=nfp6000-1.2GHz_ib-Xeon-E5-2620v2_dell-t620-s0-s0-s0-iommu-nosp

	mkdir -p all/$ib
	ln -s "$data/pciebench/$ib/bw_dma_off_wr.csv" all/$ib
	ln -s "$data"/pciebench/*snb*t620 all/nfp6000-1.2GHz_x-s0-s0-s0-iommu-nosp
	"$TOP/tools/sim-compare" all >said
	[ "$(grep -c '^not there: ' said)" = 9 ]
	grep -x 'not used: nfp6000-1.2GHz_x-s0-s0-s0-iommu-nosp' said
	grep '^e5-2620v2-iommu/local .* offset *bw_wr ' "$sim/compare.txt" >wanted
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
	(cd "$data/pciebench" && find . -name '*.csv') | sed 's,.*/,,; s/\.csv$//' |
		sort -u >files
	[ -s named ]
	# Two files of writes: bw_dma_off_wr, lat_dma_off_wrrd.
	[ -z "$(comm -23 named files)" ] || show "$(comm -23 named files)"
}

@test "doc/results.md has the rows of the comparisons" {
	local page=$TOP/doc/results.md line

	sed -n '/^    system  *what/,/^$/p' "$page" | sed '$d; s/^    //' |
		diff "$sim/left-out.txt" -
	sed -n '/theirs *ours$/,/^$/p' "$page" | sed '$d; s/^    //' >lines
	[ "$(wc -l <lines)" = 10 ]
	while IFS= read -r line; do
		grep -qxF -- "$line" "$sim/compare.txt" || show "$line"
	done <lines
}

# Another sum is a change of the profile, or of the simulation: then tools/sim-compare
# writes compare.txt and left-out.txt anew, too.
@test "the split has a profile for each system, and one to predict it by" {
	grep -v '^#' "$sim/split.csv" | sed 1d >rows
	[ "$(wc -l <rows)" = 10 ]
	while IFS=, read -r _ _ _ profile node from _; do
		pcb-collect lat_rd -P -n 1 -d "sim:$from" >other
		[ "$profile" != "$from" ]
		for bench in lat_rd lat_wrrd bw_rd bw_wr bw_rdwr; do
			pcb-collect $bench -q -P -n 2K -d "sim:$profile" \
				--node "$node" -s 8,64,1024 -w 8K,16M \
				--cache thrashed,host-warm -l host=h
		done | cksum | sed "s,^,$profile/$node ,"
	done <rows >sums
	diff "$sim/sums.txt" sums
}
