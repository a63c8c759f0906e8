#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The numbers of README.md and doc/*.md are those that the commands give.
# The texts have Markdown's backquotes; bats sets $stderr.
# shellcheck disable=SC2016,SC2154

load helpers
load pages

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

# sizes_joined: reads of the first picture by size, next to the model.
sizes_joined() {
	pcb-collect bw_rd -q -d sim:e5-2630v4 -s 64:2048:+64 --cache host-warm \
		-n 20K "$@" | pcb-stats -g bench,link,size_bytes |
		pcb-model --join
}

# at_size SIZE COLUMN <JOINED: the value of the row.
at_size() {
	awk -F, -v size="$1" -v name="$2" '
	/^#/ { next }
	!at { for (i = 1; i <= NF; i++) c[$i] = i; at = c[name]; next }
	$c["size_bytes"] == size { print $at }'
}

# from_320 <JOINED: least and most percent of the bound, of 320 bytes and more.
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

@test "README.md" {
	local ratio

	page README.md
	says "11.8 GB/s instead of $(fmt %.2f \
		"$(model raw_gbit_s link --link gen3x16) / 8")"
	sizes_joined >joined
	ratio=$(from_320 <joined)
	says "From 320 bytes up, the device reaches at least \
$(fmt %d "${ratio% *}") % of the link's limit"
	for size in 128 192 256; do
		at_size $size model_ratio_pct <joined
	done | sort -g >ratios
	says "Reads of 128 to 256 bytes lose about $(fmt '%.0f' \
		"100 - $(head -n 1 ratios)" | sed 's/.$/0/') %"
	[ "$(fmt %.0f "$(tail -n 1 ratios)")" -le 84 ]
	[[ $(column link <joined | head -n 1) == */rcb64/* ]]
	says "splits completions at 64 bytes"
	says "Reads of 64 bytes lose $(fmt %.0f \
		"100 - $(at_size 64 model_ratio_pct <joined)") %"
	says "at most $(pcb-collect bw_rd -n 1 -d sim:e5-2630v4 |
		grep -oE 'inflight=[0-9]+' | cut -d= -f2) outstanding reads"
	pcb-model link --gen 1 --lanes 1 >/dev/null
	pcb-model link --gen 7 --flit on >/dev/null
	run -2 pcb-model link --gen 8
	says "PCIe 1 to 7"
	names "gnuplot 5.2"
	elsewhere cli/pages.bats "reach 95 to 97 %"
	nothing_else
}

@test "README.md: the published results of that server" {
	[ -n "${PCB_TEST_DATA:-}" ] || skip "PCB_TEST_DATA is not set"
	local ratio

	page README.md
	ratio=$(pcb-import pciebench "$PCB_TEST_DATA"/pciebench/*E5-2630v4-dell-t430-s0-s0-s0/bw_dma_sz_sweep.csv |
		pcb-model --join | from_320)
	echo "$ratio"
	says "published results of this server reach $(fmt %.0f "${ratio% *}") to \
$(fmt %.0f "${ratio#* }") %"
}

# tutorial: what the commands of tutorial and packet-loss say, into `said`, and
# their pictures in `doc`.
tutorial() {
	command -v gnuplot >/dev/null || skip "gnuplot is not installed"
	mkdir doc
	"$TOP/tools/tutorial" doc >said 2>&1
}

# kib_full KIB OPTION...: Gbit/s of reads in a window of so many.
kib_full() {
	pcb-collect bw_rd -q -d sim:e5-2630v4-iommu -w "$1K" "${@:2}" \
		--cache host-warm -n 20K | column bandwidth_gbit_s
}

@test "doc/tutorial.md" {
	local small

	page doc/tutorial.md
	names "sizes up to 2 KiB" "pages of 4 KiB" "Reads of 128 to 256 bytes lose a fifth"
	sizes_joined >joined
	says "From 320 bytes up, the device reaches $(fmt %d \
		"$(from_320 <joined | cut -d' ' -f1)") % and more of that"
	[ "$(fmt %.0f "$(at_size 192 model_ratio_pct <joined)")" -le 82 ]
	sizes_joined -O inflight=32 >tags.csv
	says "Reads of 64 bytes reach $(fmt '%.0f of %.0f' \
		"$(at_size 64 median_gbit_s <joined)" \
		"$(at_size 64 model_gbit_s <joined)") Gbit/s, because this \
device has at most 24 outstanding reads; with \`-O inflight=32\` they reach \
$(fmt %.0f "$(at_size 64 median_gbit_s <tags.csv)")."
	elsewhere cli/model_join.bats "exceed it by up to 7.8 %"
	small=$(kib_full 4)
	says "Nothing up to 256 KiB"
	[ "$(fmt %d "$(kib_full 256) / $small * 100")" -ge 99 ]
	# A third and two thirds less.
	[[ $(fmt %.1f "$(kib_full 512) / $small") == 0.[67] ]]
	[[ $(fmt %.1f "$(kib_full 16384) / $small") == 0.[34] ]]
	[ "$(fmt %d "$(kib_full 464) / $small * 100")" -ge 98 ]
	[ "$(fmt %d "$(kib_full 480) / $small * 100")" -le 80 ]
	[ "$(fmt %d "$(kib_full 464 -O iotlb=112) / $small * 100")" -le 80 ]
	says "464 KiB still have the full bandwidth (\`-w 464K\`), 480 KiB do not"
	says "the IOTLB has $((464 / 4)) entries"
	says "below 464 KiB"
	tutorial
	says "pcb-diff says $(grep -E '^ *560\.0 ns .* yes +5$' said |
		awk '{ printf "%d %s", $5, $6 }'), and"
	nothing_else
}

# line REGEX COLUMN: of the only such line that the commands said.
line() {
	[ "$(grep -cE "$1" said)" = 1 ] && grep -E "$1" said |
		awk -v i="$2" '{ print $i }'
}

@test "doc/packet-loss.md" {
	local wait

	page doc/packet-loss.md
	names "on netdev in 2022" "at 750 Mbit/s" "units of 16 ns" \
		"What does a wait of 131 us mean for 1 Gbit/s" \
		"Simulate one with 24 reads of 512 bytes" \
		"2 % of the reads wait for 100 to 197 us" \
		"[freebsd-src 2318]" "[bazzite 4565]"
	says "0x2xxx, which is $(fmt '%.0f to %.0f' "$((0x2000)) * 16 / 1e3" \
		"$((0x2fff)) * 16 / 1e3") us"
	tutorial
	says "$(line '^1518 .* 131\.0 us' 8) frames of 1518 bytes, but \
$(line '^64 .* 131\.0 us' 8) frames of 64 bytes"
	says "Up to 50 us the link is the limit: $(fmt %.2f \
		"$(line ^50us 7)") Gbit/s. At 100 us $(fmt %.2f \
		"$(line ^100us 7) / 1e3") Gbit/s are left, less than the \
Ethernet, and at 131 us $(fmt %.2f "$(line ^131us 7) / 1e3") Gbit/s. 24 reads \
of 512 bytes in 131 us are $(fmt %.0f "24 * 512 * 8 / 131") Mbit/s."
	says "The medians do not differ (\`$(line '^ +3\.048 us' 13)\`), but \
the 99th percentiles differ by $(fmt %d "$(line '^ +3\.320 us' 5)") us \
(\`$(line '^ +3\.320 us' 13)\`)."
	wait=$(pcb-collect lat_rd -q -d sim -s 512 -n 20K -O link=gen1x1 \
		-O rc=500ns -O stall1=100us -O stall1-spread=97us \
		-O stall1-odds=20000 | pcb-stats -P | column max_ns)
	says "ends at $(fmt '%.0f' "$wait / 1e4" | sed 's/$/0/') us"
	says "At 1 Gbit/s, $(fmt %d "200e-6 * 1e9 / 8" |
		sed 's/...$/,&/') bytes arrive in this time"
	says "One read in $((100 / 2)) is slow, so $((100 - 2)) % of all"
	says "$(fmt %.1f "$(line ' 31\.47 us ' 6)") us are the median here: at \
1 Gbit/s, $(fmt %.0f "31.5e3 / 8 / 10")0 bytes"
	nothing_else
}

# both ARGUMENT...: Gbit/s of the model with a decimal, and GB/s with three digits.
both() {
	local rate

	rate=$(model bandwidth_gbit_s "$@")
	fmt "%.1f Gbit/s or %.3g GB/s" "$rate" "$rate / 8"
}

@test "doc/answers.md" {
	local x16=(bw_rd --link gen3x16) store=(bw_wr --link gen3x16) line

	page doc/answers.md
	names "(11.8 GB/s), [XRT 6883] (11.91 GB/s) and [bam 54] (12 GB/s)" \
		"[shoc 79]" "too few outstanding reads give 12 GB/s" \
		"every size from 64 bytes up" "Why 25 of 32 GB/s" "[bam 54]" \
		'between the 32 and 25?"' "Why 9.2 GB/s" \
		"[gdrcopy 221]: 9.22 GB/s by CPU stores, where a NIC reaches 11.75 GB/s" \
		"[pcie-lat 6]" "[opae-sdk 1537] about stores of 64 bytes" \
		"a store of 4 bytes" "Is gen3 x2 enough for 10 Gbit/s Ethernet" \
		'[corundum 256]: "simply the slower PCIe 3.0 x2' "Intel 82599" \
		"(an I210 at 750 Mbit/s), in [freebsd-src 2318]" "[bazzite 4565]"
	says "Why 12 of $(fmt %.2f \
		"$(model raw_gbit_s link --link gen3x16) / 8") GB/s on"
	pcb-model why 12GB/s gen3x16 -P >causes.csv
	[ "$(column cause <causes.csv | head -n 1)" = completions ]
	line=$(pcb-model why 12GB/s gen3x16 -P -f jsonl |
		sed -n '1s/.*"bandwidth_gbit_s":\([0-9.]*\).*/\1/p')
	says "in pieces of 64 bytes leaves $(fmt '%.1f Gbit/s, which is %.2f' \
		"$line" "$line / 8") GB/s"
	[ "$(fmt %.3f "$line")" = "$(fmt %.3f \
		"$(model bandwidth_gbit_s "${x16[@]}" --completer rcb -s 4K)")" ]
	says "gives $(both "${x16[@]}" -s 4K) if it sends completions of 256 bytes"
	pcb-model why 25GB/s gen4x16 -P >causes.csv
	[ "$(column cause <causes.csv | head -n 1)" = completions ]
	x16=(bw_rd --link gen4x16 -s 4K)
	says "split completions leave $(both "${x16[@]}" --completer rcb), and \
completions of 256 bytes $(both "${x16[@]}")."
	says "32 outstanding reads of 512 bytes that take 900 ns each give \
$(both "${x16[@]}" --inflight 32 --rtt 900ns):"
	says "Writes of 32 bytes leave $(both "${store[@]}" -s 32), writes of 64 \
bytes $(both "${store[@]}" -s 64)."
	says "9.22 GB/s lies $(fmt %.0f "(9.22 * 8 / $(model bandwidth_gbit_s \
		"${store[@]}" -s 32) - 1) * 100") % above what writes of 32 bytes"
	says "up to 256 bytes, which leave $(both "${store[@]}" -s 256)."
	pcb-model nic -M niantic-dpdk --link gen3x2 --rate 10G \
		--frame 128,256,1518 -P >rows
	paste -d' ' <(column bandwidth_gbit_s <rows) \
		<(column ethernet_gbit_s <rows) >pairs
	says "For frames of 1518 bytes the link carries $(sed -n 3p pairs |
		awk '{ printf "%.1f Gbit/s in both directions at once, and the \
Ethernet needs %.1f:", $1, $2 }')"
	says "For 256 bytes it is $(sed -n 2p pairs |
		awk '{ printf "%.1f of %.1f", $1, $2 }'), and for 128 bytes \
$(sed -n 1p pairs | awk '{ printf "%.1f of %.1f", $1, $2 }'):"
	says "10 Gbit/s for 100 us are $(fmt %d "10 * 100e3 / 8" |
		sed 's/...$/,&/') bytes"
	nothing_else
}
