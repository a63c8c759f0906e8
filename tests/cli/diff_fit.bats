#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# pcb-diff: links fitted over their widths.

load helpers
load diff

fitted=latency_ns,fit_ns,residual_ns,proc_ns,serdes_ns,flags,runs

@test "--fit: what does not shrink with the width, and what does" {
	# 2 (100 + 400 / lanes), and 24 ns more for x2.
	local in='device,link,parent,min_ns
b,gen3x1/mps256/mrrs512/rcb64,a,1000\na,,,0\nc,gen3x2/mps128/mrrs512/rcb64,a,%d
d,gen3x4/mps256/mrrs512/rcb64,a,400\ne,gen3x8/mps256/mrrs512/rcb64,a,300
f,gen4x8/mps256/mrrs512/rcb64,a,10\ng,pci32/33,a,10\nh,,a,10\n'

	printf -- "$in" 600 >input
	runs pcb-diff --fit -P input
	[ "${lines[0]}" = "device,link,parent,$fitted" ]
	[ "${#lines[@]}" = 6 ]
	awk -F, 'function near(x, y) { return x - y < 1e-9 && y - x < 1e-9 }
	NR == 1 || /^f/ { next }
	!near($5, $4) || !near($6, 0) || !near($7, 100) || !near($8, 400) ||
		$9 != "completer" { exit 1 }' <<<"$output"
	[ "${lines[5]}" = "f,gen4x8/mps256/mrrs512/rcb64,a,10,,,,,completer,1" ]
	[ "$stderr" = "pcb-diff: 2 of 7 links are not known to be PCI Express and were left out
pcb-diff: 1 of 2 sets of links have one width: a fit needs two" ]
	# An outlying link.
	try pcb-diff --fit -P <<<"$(printf -- "$in" 900)"
	[ "$(grep -c 'completer residual,' <<<"$output")" = 3 ]
	[[ "$stderr" = *"pcb-diff: 3 of 5 links are off their fit by more than 10 %" ]]
}

@test "--fit: one that tells little says so" {
	local gen1=/mps128/mrrs128/rcb64

	# Two widths always fit; less time on one lane is impossible.
	says 0 "host,device,link,parent,min_ns\nx,a,,,0\ny,a,,,0
x,b,gen1x1$gen1,a,600\nx,c,gen1x2$gen1,a,400
y,b,gen1x1$gen1,a,400\ny,c,gen1x2$gen1,a,600\n" \
		"host,device,link,parent,$fitted
x,b,gen1x1$gen1,a,600,600,0,100,200,completer untested,1
x,c,gen1x2$gen1,a,400,400,0,100,200,completer untested,1
y,b,gen1x1$gen1,a,400,400,0,400,-200,completer untested impossible,1
y,c,gen1x2$gen1,a,600,600,0,400,-200,completer untested impossible,1" \
		'2 of 2 sets of links have two widths: the fit is exact and does not test the model
1 of 2 fits have a negative time: the model does not hold, or the time is too short to measure' --fit
	says 0 'device,parent,min_ns\na,,1\n' "device,parent,$fitted" \
		'standard input: no device was measured together with its parent: no links; give two files to compare them' --fit
}

# Least squares of the nine PCI Express rows, in fractions: T_proc = -1167/61
# ns, T_serdes = 62328/61; without the two rows that the paper excepts -4614/269
# and 298056/269.
@test "--fit: to the published latencies, in fractions" {
	fit() {
		pcb-diff --fit --links "$TOP/experiments/miller/links.csv" \
			"$1" 2>err >out
		awk -F, -v proc="$2" -v serdes="$3" '
		function near(x, y) { return x - y < 1e-9 && y - x < 1e-9 }
		/^published/ && !(near($9, proc) && near($10, serdes) &&
			near($7 + $8, $6)) { exit 1 }' out
	}
	table=$TOP/experiments/miller/minima.csv
	fit "$table" "$(awk 'BEGIN { printf "%.12f", -1167 / 61 }')" \
		"$(awk 'BEGIN { printf "%.12f", 62328 / 61 }')"
	[ "$(cat err)" = "pcb-diff: 9 of 18 links are not known to be PCI Express and were left out
pcb-diff: 1 of 1 fits have a negative time: the model does not hold, or the time is too short to measure
pcb-diff: 6 of 9 links are off their fit by more than 10 %" ]
	grep -v -e I_c -e Te_e_c "$table" >some
	fit some "$(awk 'BEGIN { printf "%.12f", -4614 / 269 }')" \
		"$(awk 'BEGIN { printf "%.12f", 298056 / 269 }')"
	[ "$(column device <out | wc -l)" = 7 ]
	awk -F, '/^published/ && ($8 / $6) ^ 2 > 0.05 ^ 2 { exit 1 }' out
}
