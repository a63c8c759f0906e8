#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# pcb-model --explain: text with the numbers of the rows.

load helpers

tests pcb-model

# says LINE...: the last run printed each of these lines, with single blanks.
says() {
	local line

	[ "$status" = 0 ] || show "$1"
	[ "$stderr" = "" ] || show "$1"
	for line; do
		grep -qxF "$line" < <(tr -s ' ' <<<"$output" |
			sed 's/^ //; s/ $//') || show "$line"
	done
}

explained() {
	try pcb-model "$@" --explain
}

@test "--explain: an unaligned read, packet by packet" {
	explained bw_rd -s 1024 --offset 4 --mps 256 --accounting pcie-bench
	says "gen3x8/mps256/mrrs512/rcb64: 57.885 Gbit/s for packets" \
		"bw_rd of 1024 bytes at offset 4" \
		"MRd 0x4 512 24 + 0 = 24 sent" \
		"CplD 0x4 252 20 + 252 = 272 received" \
		"CplD 0x100 256 20 + 256 = 276 received" \
		"CplD 0x200 4 20 + 4 = 24 received" \
		"MRd 0x204 512 24 + 0 = 24 sent" \
		"CplD 0x204 252 20 + 252 = 272 received" \
		"CplD 0x300 256 20 + 256 = 276 received" \
		"CplD 0x400 4 20 + 4 = 24 received" \
		"sent 48 bytes, received 1144"
	[ "$(grep -c CplD <<<"$output")" = 6 ]
	# 57.88476562673236 x 1024 / 1144, and 8 x 1024 by that.
	says "limited by rx_bytes: one in 158.107 ns, 51.813 Gbit/s of data"
}

@test "--explain: from the same numbers as the rows" {
	local options row found

	for options in 'bw_rd -s 1500 --offset 7' 'bw_wr -s 1G --ecrc' \
		'bw_rdwr -s 64 --accounting pcie-bench --gen 5 --lanes 16' \
		'bw_rd -s 4K --gen 6 --inflight 32 --rtt 1us' \
		'bw_wr -s 70 -w 8K --addr 32 --ph 8 --pd 32 --loop 500ns'; do
		# shellcheck disable=SC2086
		row=$(pcb-model $options -P)
		# shellcheck disable=SC2086
		explained $options
		found=$(awk -v ns="$(column transaction_ns <<<"$row")" \
			-v rate="$(column bandwidth_gbit_s <<<"$row")" \
			-v by="$(column limited_by <<<"$row")" 'BEGIN {
			printf "limited by %s: one in %.3f ns, %.3f Gbit/s of data",
				by, ns, rate }')
		says "$found"
	done
}

@test "--explain: flit mode, the accounting traffic, bounds" {
	explained bw_wr --gen 6 -s 6 --offset 1 --accounting pcie-bench
	says "MWr 0x1 6 20 + 6 = 26 sent"
	explained bw_rd --inflight 1 --rtt 900ns
	says "with Ack and UpdateFC 24.414 and 84.236" \
		"limited by inflight: one in 900.000 ns, 0.569 Gbit/s of data"
}

@test "--explain: a long transfer, a sweep" {
	explained bw_wr -s 1G
	says "... and more of the same" \
		"sent 1174405120 bytes, received 0"
	[ "$(grep -c MWr <<<"$output")" -lt 30 ]
	explained bw_wr -s 64,128 --offset 0,64
	[ "$(grep -c '^bw_wr of' <<<"$output")" = 4 ]
}

@test "--explain goes with the model's own rows" {
	wrong "--explain writes text, which has no" bw_rd --explain -f csv
	wrong "--explain is for bw_rd, bw_wr and bw_rdwr, not for --join" --join --explain
	wrong "--explain is for bw_rd, bw_wr and bw_rdwr, not for serial" serial --explain
}
