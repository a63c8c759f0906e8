#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# pcb-model serial: latency of links.

load helpers

tests pcb-model serial

header=kind,link,devsel,clocks,request_bytes,completion_bytes
header+=,serialization_ns
rest=mps256/mrrs512/rcb64

@test "serial: every generation, width and bus" {
	runs pcb-model serial -P
	[ "$stderr" = "" ]
	# 5 buses with 3 devsel times; 5 x 7 widths, in flit mode 2 x 5.
	[ "${#lines[@]}" = $((1 + 15 + 35 + 10)) ]
	for row in "$header" \
		"model,pci32/33,slow,7,,,210" \
		"model,pci32/33,medium,6,,,180" \
		"model,pcix64/66,slow,7,,,105" \
		"model,pcix64/133,slow,7,,,52.5" \
		"model,gen1x1/$rest/a32,,,20,24,176" \
		"model,gen1x4/$rest/a32,,,20,24,44" \
		"model,gen1x8/$rest/a32,,,20,24,22" \
		"model,gen6x16/$rest/a32/flit,,,256,256,4"; do
		grep -qx "$row" <<<"$output" || show "$row"
	done
}

@test "serial: parts narrow the table, a link is one row" {
	gives '' "$header
model,gen2x8/$rest,,,24,24,12" --gen 2 --lanes 8 --addr 64
	try pcb-model serial -P --gen 3
	[ "${#lines[@]}" = 8 ]
	try pcb-model serial -P --lanes 2
	[ "${#lines[@]}" = 8 ]
	gives '' "$header
model,gen1x1/$rest/a32/ecrc,,,24,28,208" --link gen1x1/$rest --ecrc
	gives '' "$header
model,pci32/66,fast,5,,,75
model,pci32/66,medium,6,,,90
model,pci32/66,slow,7,,,105" --link pci32/66
	# Generations 6 and 7 have flit mode only, without x12 and x32.
	try pcb-model serial -P --lanes 12
	[ "${#lines[@]}" = 6 ]
	try pcb-model serial -P --flit off
	[ "${#lines[@]}" = $((1 + 15 + 35)) ]
	try pcb-model serial -P --link gen7x8/$rest
	is 2 "" "pcb-model: gen7x8/$rest: generation 6 and later have only flit mode"
	try pcb-model serial -P --gen 6 --lanes 12
	is 2 "" "pcb-model: gen6x12/$rest/flit: flit mode has no links of 12 or 32 lanes"
	wrong "the generation is 1 to 7" --gen 8
	wrong "the lanes are 1, 2, 4, 8, 12, 16 or 32" --lanes 3
	wrong "'pci': not a link such as gen4x16, x16 or" pci
	wrong "-s is not for serial" -s 64
}

@test "serial: on a terminal a row has all widths" {
	needs_program script
	SHELL=/bin/sh script -qec "stty cols 80; pcb-model serial" typescript \
		</dev/null >shown
	tr -d '\r' <shown | sed 's/\x1b\[[0-9;]*m//g' >plain
	[ "$(wc -L <plain)" -le 80 ]
	[ "$(wc -l <plain)" -le 40 ]
	grep -q '^gen1 *176.0 ns *88.00 ns *44.00 ns *22.00 ns' plain
	grep -q '^pci32/33 *150.0 ns *180.0 ns *210.0 ns' plain
	for head in x1_ns x32_ns fast_ns slow_ns; do
		pcb-model help "$head" >text || show "$head"
	done
	try pcb-model serial -f table --lanes 4
	[ "${#lines[@]}" = 9 ]
	[[ $output == *$'\n'"gen6  16.00 ns"* ]]
	try pcb-model serial -f table --flit off
	[[ $output == *gen5* && $output != *gen6* ]]
}
