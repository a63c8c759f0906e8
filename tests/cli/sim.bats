#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The simulated device, on the command line.

load helpers

tests pcb-collect -d sim

# simulates OPTION...: rows without preamble, nothing on stderr.
simulates() {
	try "${program[@]}" -P "$@"
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

# The result on other machines: another one is a change of the simulation.
@test "every architecture gives the same bytes" {
	while read -r bench sum; do
		simulates "$bench" -n 2000 -r 2 -s 64,1024 -l host=h \
			--cache cold,host-warm --node local,remote
		[ "$(cksum <<<"$output")" = "$sum" ] ||
			show "of $bench: $sum; got $(cksum <<<"$output")"
	done <<-'EOF'
	lat_rd 1242115759 3472500
	lat_wrrd 3455575923 3552127
	bw_rd 3502663715 2421
	bw_wr 3018479926 2419
	bw_rdwr 1333517286 2459
	EOF
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
	grep '^# sim: interface=engine .* rc=1us .* link=gen3x8/mps256/' stream
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

# total OPTION: sums the latencies of large reads with that, in $total.
total() {
	total=$(pcb-collect lat_rd -d sim -n 2000 -s 4096 -O "$1" |
		awk -F, '/^[^#]/ { sum += $NF } END { printf "%d", sum }')
}

@test "reads wait for one another, and for memory that is refreshed" {
	total inflight=32
	usual=$total
	total inflight=1
	[ "$total" -gt $((2 * usual)) ]
	[ "$total" -lt $((4 * usual)) ]
	total refresh-every=0ns
	[ "$total" -lt "$usual" ]
	never=$total
	total refresh=0ns
	[ "$total" = "$never" ]
}

@test "wrong options are refused by name" {
	refuses '' "-O inflight=0: not within 1 to 65536" bw_rd -O inflight=0
	refuses '' "-O interface=command: for latency only" bw_rd \
		-O interface=command
	refuses '' "a command transfers at most 128 bytes, not 256" lat_rd \
		-O interface=command -s 256
	refuses '' "--node 2: the simulated machine has nodes 0 and 1" lat_rd \
		--node 2
	try pcb-collect lat_rd -d sim:nfp
	is 3 "" "pcb-collect: sim:nfp: no such profile (did you mean nfp6000?) \
(-d sim:help lists them)"
}

profile='name,value,unit,source\n'

@test "profiles: those that come with it, and files" {
	tests pcb-collect
	try pcb-collect -d sim:help
	[ "$(grep -c '^e5-2637v3 ' <<<"$output")" = 1 ]
	for file in "$TOP"/share/pcb-tools/sim/*.csv; do
		name=${file##*/}
		simulates lat_rd -n 10 -d "sim:${name%.csv}"
		[[ "${lines[1]}" = *",lat_rd,sim:${name%.csv},gen"* ]]
		# The first line is a description.
		[[ "$(head -n 1 "$file")" = "# "* ]]
	done
	printf 'name,value,unit,source\nrc,500,ns,x\nllc,8,MiB,x\nways,16,,x\n' \
		>mine.csv
	pcb-collect -d sim:./mine.csv lat_rd -n 1 -O rc=1us --wide >stream
	grep '^# sim: .* rc=1us .* llc=8M ways=16 ' stream
	grep ',simulated,lat_rd,sim:mine,gen3x8' stream
	pcb-collect -d sim:mine.csv lat_rd -n 1 >stream
	grep '^# sim: .* rc=500ns ' stream
}

@test "profiles are composed, the last one counts" {
	# The base of the profile, and a system that nobody measured.
	pcb-collect lat_rd -n 1 -d sim:e5-2620v3 >stream
	pcb-collect lat_rd -n 1 -d sim:nfp6000+haswell-ep --wide >composed
	for name in rc combine issue align; do
		value=$(grep -o " $name=[^ ]*" stream)
		grep -qF -- "$value" composed || show "$name"
	done
	grep ',sim:nfp6000+haswell-ep,' composed
	pcb-collect lat_rd -n 1 -d sim:nfp6000+ivy-bridge-ep -O iommu=on \
		-O link=gen3x8/mps256/mrrs512/rcb64/a32 -O llc=20M >stream
	grep '^# sim: .* llc=20M .* iommu=on .* walk=305ns ' stream
	printf '%s\n' name,value,unit,source base,haswell-ep,,x rc,1,us,x \
		>mine.csv
	printf '%s\n' name,value,unit,source base,./mine.csv,,x line,3,ns,x \
		>other.csv
	pcb-collect lat_rd -n 1 -d sim:nfp6000+./other.csv --wide >stream
	grep '^# sim: .* rc=1us line=3ns ' stream
	grep ',sim:nfp6000+other,' stream
	try pcb-collect lat_rd -d sim:nfp6000+none
	is 3 "" "pcb-collect: sim:nfp6000+none: no such profile (-d sim:help \
lists them)"
	tests pcb-collect
	refuses "${profile}base,none,,x\n" \
		"./input:2: value: base: 'none': " lat_rd -d sim:./input
	refuses "${profile}base,./input,,x\n" \
		"./input:2: value: base: './input': " lat_rd -d sim:./input
	# It must come first, or it would undo earlier rows.
	refuses "${profile}rc,1,us,x\nbase,haswell-ep,,x\n" \
		"./input:3: name: 'base': no such parameter" lat_rd -d sim:./input
}

@test "what is wrong in a profile is named with its place" {
	tests pcb-collect
	local at=./input:2

	for row in "rc,400,,x|$at: unit: rc: '': the unit of a time is ps, ns, us or ms" \
		"rc,400,MiB,x|$at: unit: rc: 'MiB': the unit of a time is ps, ns, us or ms" \
		"llc,15,M,x|$at: unit: llc: 'M': the unit of a size is B, KiB, MiB or GiB" \
		"ways,20,ns,x|$at: unit: ways: 'ns': this has no unit" \
		"ways,0,,x|$at: value: ways: '0': not within 1 to 64" \
		"page,3,KiB,x|$at: value: page: '3': not a power of two" \
		"rc,-1,ns,x|$at: value: rc: '-1': not a time with its unit, \
such as 100ns, 1.5us, 10s, 5min or 1h" \
		"speed,1,,x|$at: name: 'speed': no such parameter" \
		"link,gen9,,x|$at: value: link: 'gen9': the generation is 1 to 7" \
		"rc,1,ns,x\nrc,1,ns,x|./input:3: name: 'rc' a second time"; do
		refuses "$profile${row%%|*}\n" "${row#*|}" lat_rd -d sim:./input
	done
	refuses 'name,value,unit\nrc,1,ns\n' \
		"./input: not a profile: there is no column 'source'" lat_rd \
		-d sim:./input
	refuses "${profile}ways,4,,x\n" \
		"-O ddio-ways=5: more than the cache has ways" lat_rd \
		-d sim:./input -O ddio-ways=5
	refuses '' './none.csv: No such file or directory' lat_rd \
		-d sim:./none.csv
}

@test "what fills a wide slot does so in both directions at once" {
	for profile in gen4x16 gen5x16; do
		for bench in bw_rd bw_wr bw_rdwr; do
			pcb-collect $bench -q -d sim:$profile -s 4K -w 1M \
				-n 20K --cache device-warm | pcb-stats |
				pcb-model --join \
					--check 12 >out || show "$(cat out)"
		done
	done
}

@test "a program that is installed finds its profiles" {
	[ "$(command -v pcb-collect)" = "$TOP/bin/pcb-collect" ] ||
		skip "these are not the programs of make"
	make -s -C "$TOP" install DESTDIR="$PWD/root" PREFIX=/opt >/dev/null
	root/opt/bin/pcb-collect lat_rd -P -n 1 -d sim:e5-2630 | grep sim:e5-2630
	mv root moved
	moved/opt/bin/pcb-collect lat_rd -P -n 1 -d sim:e5-2630 | grep sim:e5-2630
}

@test "a signal leaves whole rows and says that they are not all" {
	# It takes seconds to start in an emulator.
	try timeout --preserve-status -s TERM \
		"$([ "${EMULATED:-}" ] && echo 5 || echo 0.3)" \
		pcb-collect -d sim bw_rd -n 1000G --wide
	[ "$status" = 143 ]
	[ "${lines[-1]}" = "# end: rows=1 complete=no" ]
	[[ "${lines[-2]}" =~ ,bw_rd,.*,[0-9]+,[0-9]+,[0-9.]+,[0-9.]+$ ]]
}
