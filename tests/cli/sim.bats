#!/usr/bin/env bats
# The simulated device, on the command line.
# bats sets $stderr.
# shellcheck disable=SC2154

load helpers

tests pcb-collect -d sim

setup() {
	cd "$BATS_TEST_TMPDIR" || exit
}

# simulates OPTION...: rows without preamble, not a word on stderr.
simulates() {
	run --separate-stderr "${program[@]}" -P "$@"
	is 0 "$output" ""
}

@test "a seed gives the same samples, however many are taken" {
	for bench in lat_rd lat_wrrd; do
		simulates "$bench" -n 1000
		pcb-collect -P -d sim "$bench" -n 300K >longer
		[ "$(head -n 1001 longer)" = "$output" ]
		first=$output
		simulates "$bench" -n 1000 --seed 7
		[ "$output" != "$first" ]
	done
	for bench in bw_rd bw_wr bw_rdwr; do
		simulates "$bench" -n 1000
		first=$output
		simulates "$bench" -n 1000
		[ "$output" = "$first" ]
		simulates "$bench" -n 1000 --seed 7
		[ "$output" != "$first" ]
	done
}

@test "runs are replicates: none repeats another" {
	simulates bw_rd -n 1000 -r 3
	[ "${#lines[@]}" = 4 ]
	[ "$(cut -d, -f2 <<<"$output" | tail -n 3 | xargs)" = "1 2 3" ]
	[ "$(cut -d, -f18 <<<"$output" | sort -u | wc -l)" = 4 ]
}

@test "rows say what was simulated" {
	simulates lat_rd -n 1 -s 128 --offset 4 -w 4K --pattern sequential \
		--cache host-warm --node remote -O link=gen4x16/mps512/mrrs512/rcb64 \
		-l host=h
	[ "${lines[0]}" = "host,run,kind,bench,device,link,interface,size_bytes,\
offset_bytes,window_bytes,pattern,cache,node,iommu,page_bytes,latency_ns" ]
	[[ "${lines[1]}" = "h,1,simulated,lat_rd,sim:default,\
gen4x16/mps512/mrrs512/rcb64,engine,128,4,4096,sequential,host-warm,1,off,\
4096,"* ]]
	pcb-collect -d sim bw_wr -n 1 -O rc=1us >stream
	grep '^# sim: rc=1us miss=70ns .* link=gen3x8/mps256/' stream
}

@test "bandwidth is that of the bytes and the time in its row" {
	for bench in bw_rd bw_wr bw_rdwr; do
		simulates "$bench" -n 10K -s 64:4096
		[ "${#lines[@]}" = 8 ]
		awk -F, 'NR > 1 {
			bad += $16 != 10000 || $17 != $16 * $8
			bad += (8 * $17 / $18 / $19 - 1) ^ 2 > 1e-20
			bad += $19 > 63.02
		} END { exit bad > 0 }' <<<"$output"
	done
}

@test "wrong options are refused by name" {
	refuses '' "-O inflight=0: not within 1 to 65536" bw_rd -O inflight=0
	refuses '' "-O rc=400: a unit is missing" bw_rd -O rc=400
	refuses '' "-O tick=0ns: not within 1ps to 1ms" lat_rd -O tick=0ns
	refuses '' "-O link=pci32/33: only PCI Express is simulated" lat_rd \
		-O link=pci32/33
	refuses '' "node 2: the simulated machine has nodes 0 and 1" lat_rd \
		--node 2
	refuses '' "a window of 8192 bytes does not hold 8192 bytes at offset \
1, rounded up to whole lines" lat_rd -s 8K --offset 1
	refuses '' "a window of 134217728 bytes in a buffer of 67108864" \
		lat_rd -w 128M
	given '' lat_rd -d sim:nfp
	is 3 "" "pcb-collect: sim:nfp: no such profile; there is sim:default"
}

@test "a signal leaves whole rows and says that they are not all" {
	run --separate-stderr timeout --preserve-status -s TERM 0.3 \
		pcb-collect -d sim bw_rd -n 1000G
	[ "$status" = 143 ]
	[ "${lines[-1]}" = "# end: rows=1 complete=no" ]
	[[ "${lines[-2]}" =~ ,bw_rd,.*,[0-9]+,[0-9]+,[0-9.]+,[0-9.]+$ ]]
}
