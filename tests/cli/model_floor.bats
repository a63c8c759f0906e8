#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# pcb-model floor: what it takes from public results, and what it must not.

load helpers

tests pcb-model floor

# results KEY FROM TO [GROUP]: results of independent sources, FROM to TO
# percent of gen4x16, whose reads are bounded by 29.1391143 GB/s.
results() {
	for ((pct = $2; pct <= $3; pct++)); do
		awk "BEGIN { printf \"$1,,%.6f,test $pct,$4\\n\", \
			$pct * 0.291391143 }"
	done
}

# floor_of OPTION...: results and floor in Gbit/s, or the message.
floor_of() {
	try pcb-model floor -P --reference ./results.csv --bench bw_rd "$@"
	if [ "$status" = 0 ]; then
		awk -F, 'NR > 1 { printf "%d %.2f\n", $5, $9 }' <<<"$output"
	else
		echo "$status $(grep -o 'only [0-9]* healthy\|what moves.*' \
			<<<"$stderr")"
	fi
}

@test "what it needs, and words that it does not know" {
	wrong "floor needs a link such as gen4x16, or -d DEVICE"
	wrong "floor needs a link such as gen4x16, or -d DEVICE" --gen 4
	wrong "--tool 'iperf': not one of: nvbandwidth" gen4x16 --tool iperf
	wrong "--line 'slurm': not one of: reframe nhc" gen4x16 --line slurm
	wrong "--line nhc writes check_gpu_bw, which is for copies by a GPU" \
		gen4x4 --for nvme --line nhc
	wrong "--tool and --for each say what moves the data: give one" \
		gen4x16 --tool nvbandwidth --for nvme
	wrong "--line writes a line for another" gen4x16 --line nhc -f json
}

# All links, from the file of results alone. The bounds are those of bw_rd and
# bw_wr, quantiles as R's type 7.
@test "the floors are those of another program" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	python3 - "$TOP/share/pcb-tools/reference/bandwidth.csv" >wanted <<-'END'
		import csv, subprocess, sys
		def bound(bench, link, cache={}):
		    if (bench, link) not in cache:
		        out = subprocess.run(['pcb-model', bench, link, '-s', '4096',
		            '-P', '-f', 'csv'], capture_output=True, text=True).stdout
		        cache[bench, link] = float(
		            next(csv.DictReader(out.splitlines()))['bandwidth_gbit_s'])
		    return cache[bench, link]
		lines = [l for l in open(sys.argv[1]) if l[0] != '#']
		rows = [r for r in csv.DictReader(lines) if not r['size_bytes']]
		for r in rows:
		    link = r['link'].split('/')[0][3:].split('x')
		    r['gen'], r['lanes'] = int(link[0]), int(link[1])
		for who in ['gpu-copy', 'gpu-core', 'nvme']:
		    for bench, way in [('bw_rd', 'read'), ('bw_wr', 'write')]:
		        for gen in range(1, 6):
		            for lanes in [4, 16]:
		                groups = {}
		                for r in rows:
		                    if (r['initiator'], r['direction'], r['gen']) == \
		                            (who, way, gen) and r['lanes'] >= lanes:
		                        part = 8 * float(r['bandwidth_gb_s']) / \
		                            bound(bench, r['link'])
		                        groups.setdefault(r['group'] or r['source'],
		                                          []).append(part)
		                low = sorted(min(g) for g in groups.values())
		                n, floor = len(low), ''
		                if n >= 10:
		                    at = .1 * (n - 1)
		                    i = int(at)
		                    p10 = low[i] + (at - i) * (low[i + 1] - low[i])
		                    floor = ' %.6f' % (min(.9 * p10, low[0]) *
		                                       bound(bench, f'gen{gen}x{lanes}'))
		                print(who, bench, f'gen{gen}x{lanes}', f'{n}{floor}')
	END
	while read -r who bench link _; do
		engine=()
		[[ $who != gpu* ]] || engine=(--engine "${who#gpu-}")
		try pcb-model floor -P "$link" --bench "$bench" \
			--for "${who%-*}" "${engine[@]}"
		if [ "$status" = 0 ]; then
			n=$(awk -F, 'NR > 1 { printf "%d %.6f", $5, $9 }' <<<"$output")
		else
			n=$(grep -o 'only [0-9]*' <<<"$stderr" | cut -c 6-)
			[ "$status" = 3 ] && [ "$output" = "" ] || show "status 3"
		fi
		echo "$who $bench $link $n"
	done <wanted >got
	diff wanted got
	[ "$(grep -c '\.' got)" -ge 5 ]
}

@test "what counts, and what does not" {
	echo initiator,direction,link,size_bytes,bandwidth_gb_s,source,group >header
	# p10 of 81 to 90 % is 81.9 %: 0.9 of it.
	results gpu-copy,read,gen4x16 81 90 | cat header - >results.csv
	[ "$(floor_of gen4x16)" = "10 171.83" ]
	# On fewer lanes, too: half; not on more, and not on another generation.
	[ "$(floor_of gen4x8 --for gpu)" = "10 85.90" ]
	[ "$(floor_of gen5x16)" = "3 only 0 healthy" ]
	[ "$(floor_of gen3x16)" = "3 only 0 healthy" ]
	sed s/gen4x16/gen4x8/ results.csv >narrow && mv narrow results.csv
	[ "$(floor_of gen4x16)" = "3 only 0 healthy" ]
	# Never above the lowest one: 70 %.
	{
		cat header
		results gpu-copy,read,gen4x16 70 70
		results gpu-copy,read,gen4x16 82 90
	} >results.csv
	[ "$(floor_of gen4x16)" = "10 163.18" ]
	# Other directions, engines, sizes and memories say nothing of this.
	{
		cat header
		results gpu-copy,read,gen4x16 81 89
		results gpu-copy,write,gen4x16 70 90
		results gpu-core,read,gen4x16 70 90
		results gpu-copy,read,gen4x16 90 95 | sed s/,,/,2048,/
	} >results.csv
	[ "$(floor_of gen4x16)" = "3 only 9 healthy" ]
	[ "$(floor_of gen4x16 --engine core)" = "21 151.06" ]
	[ "$(floor_of gen4x16 --tool fio)" = "3 only 0 healthy" ]
	[ "$(floor_of gen4x16 --engine core --memory pageable)" = \
		"3 only 0 healthy" ]
	# Rows of one source, or of one group, are one result: the lowest.
	{
		cat header
		results gpu-copy,read,gen4x16 81 89
		results gpu-copy,read,gen4x16 81 95 | sed 's/test.*,/one machine,/'
	} >results.csv
	[ "$(floor_of gen4x16)" = "10 169.94" ]
	{
		cat header
		results gpu-copy,read,gen4x16 81 88
		results gpu-copy,read,gen4x16 89 99 group
	} >results.csv
	[ "$(floor_of gen4x16)" = "3 only 9 healthy" ]
	# A larger MPS raises no floor; a smaller one lowers it.
	results gpu-copy,read,gen4x16 81 90 | cat header - >results.csv
	[ "$(floor_of gen4x16/mps512)" = "10 171.83" ]
	[ "$(floor_of gen4x16/mps128)" = "10 160.21" ]
}

@test "a device that sleeps has the floor of the link that it wakes to" {
	results gpu-copy,read,gen4x16 81 90 | cat <(echo \
		initiator,direction,link,size_bytes,bandwidth_gb_s,source,group) - >results.csv
	# A function, the bus behind it, its kind, and how its link has trained.
	port() {
		sed 's/@/\t/g; s/^\t*//; /secondary=-/d' <<-END
			$1 $2 (rev a1)
			@Bus: primary=${1%%:*}, secondary=$3, subordinate=03
			@Capabilities: [40] Express (v2) $4, MSI 00
			@@DevCtl:@CorrErr- NonFatalErr- FatalErr- UnsupReq-
			@@@MaxPayload 256 bytes, MaxReadReq 512 bytes
			@@LnkCap:@Port #0, Speed 16GT/s, Width x16, ASPM not supported
			@@LnkSta:@Speed $5GT/s, Width x$6

		END
	}
	gpu="VGA compatible controller: NVIDIA Corporation Device 2204"
	dump() {
		port 00:01.0 "PCI bridge: A" 01 "Root Port (Slot+)" "$@"
		port 01:00.0 "$gpu" - Endpoint "$@"
	}
	dump 2.5 8 >machine
	[ "$(floor_of --dump machine -d 01:00.0)" = "10 85.90" ]
	try pcb-model floor --reference ./results.csv --dump machine -d 01:00.0
	[[ "$stderr" = *gen1*gen4*x8*x16* ]] || show "asleep, and narrow"
	dump 16 8 >machine
	[ "$(floor_of --dump machine -d 01:00.0)" = "10 85.90" ]
	# Behind a switch on four lanes, which do not sleep.
	{
		port 00:01.0 "PCI bridge: A" 01 "Root Port (Slot+)" 16 4
		port 01:00.0 "PCI bridge: B" 02 "Upstream Port" 16 4
		port 02:00.0 "PCI bridge: C" 03 "Downstream Port (Slot+)" 2.5 16
		port 03:00.0 "$gpu" - Endpoint 2.5 16
	} >machine
	[ "$(floor_of --dump machine -d 03:00.0)" = "10 42.93" ]
}

@test "lines for ReFrame and NHC" {
	echo initiator,direction,link,size_bytes,bandwidth_gb_s,source,group >header
	{
		cat header
		results gpu-copy,read,gen4x16 81 90
		results gpu-copy,write,gen4x16 71 80
	} >results.csv
	command=(pcb-model floor gen4x16 --reference ./results.csv --line)
	# 0.9 * 0.819 * 29.139 and 0.9 * 0.719 * 29.139 GB/s; check_gpu_bw compares
	# both directions with one number.
	try "${command[@]}" nhc
	is 0 "# h2d: 10 healthy results, bound 29.14 GB/s
 * || check_gpu_bw 18.85" ""
	try "${command[@]}" reframe
	is 0 "# h2d: 10 healthy results, bound 29.14 GB/s
reference = {'*': {'h2d': (21.47, 0, None, 'GB/s')}}" ""
	command -v python3 >/dev/null || skip "the rest needs python3"
	python3 -c "$output
assert reference['*']['h2d'][0] <= .9 * .819 * 29.1391144"
	try pcb-model floor gen4x16 --reference ./results.csv --line nhc \
		--bench bw_rd
	[ "${output##* }" = 21.47 ] || show 21.47
	# Without one direction, no line of both.
	results gpu-copy,read,gen4x16 81 90 | cat header - >results.csv
	try pcb-model floor gen4x16 --reference ./results.csv --line nhc
	[ "$status$output" = 3 ] || show "status 3"
}
