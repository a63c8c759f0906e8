#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# pcb-collect: options, and the rows of a sweep.

load helpers

# A run that is not refused must be short.
tests pcb-collect -n 1

@test "options of a backend are listed, and measure nothing" {
	for word in help help=x; do
		collects lat_rd -O $word
		grep -q '^Options of sim (a simulated device):$' <<<"$output"
		! grep -q '^Options of pci ' <<<"$output" || false
		[[ "$output" = *"  -O rc=300ns"* ]]
		[ "$stderr" = "" ]
	done
	collects lat_cfg -d pci -O help
	[[ "$output" = *"  -O access=auto"* ]]
}

@test "wrong command lines are refused" {
	collect
	[ "$status" = 2 ]
	[ "${stderr%%$'\n'*}" = "pcb-collect: choose a bench, or 'list':" ]
	[ "$(grep -c '^  [a-z_]*  *[a-z]' <<<"$stderr")" = 18 ]
	lists "'help-me': no such bench" lat_rd help-me
	wrong "'lat_cgf': no such bench (did you mean lat_cfg?)" lat_cgf
	try pcb-collect lat_cgf -r 3 --help
	[[ "$status$output" = 2 && "$stderr" = "pcb-collect: 'lat_cgf': no such "* ]]
	wrong "-n is given twice, as '1' and as '3'" lat_rd -n 3
	wrong "unrecognized option '--winow'
pcb-collect: did you mean --window?" lat_rd --winow 4K
	lists "'pcie': no such bench" list pcie
	lists "'': no such bench" lat_rd ''
	wrong "'bw_rd': one bench at a time" lat_rd bw_rd
	wrong "'list': one bench at a time" lat_rd list
	wrong "unrecognized option '--no-such'" lat_rd --no-such
	wrong "invalid option -- 'x'" lat_rd -x
	wrong "option requires an argument -- 'n'" lat_rd -n
	wrong "-f 'xml': not csv, table, md, json or jsonl" list -f xml
}

@test "wrong numbers are refused" {
	wrong "-n '0': must be at least 1" lat_rd -n 0
	wrong "-n '99999999999999999999': out of range" \
		lat_rd -n 99999999999999999999
	wrong "-r '0': must be at least 1" lat_rd -r 0
	wrong "-b '1Q': not a size such as 64, 4K, 1.5M or 64KiB" lat_rd -b 1Q
	wrong "--time '5': not a time with its unit, such as 100ns, 1.5us, 10s, 5min or 1h" lat_rd --time 5
	wrong "--time '0ms': must be greater than 0" lat_rd --time 0ms
	wrong "--warmup 'many': not a count such as 1000, 1e6, 10K or 1.5M" lat_rd --warmup many
	wrong "--seed '0x1': not a whole number such as 42" lat_rd --seed 0x1
	wrong "--cpu '-1': not a whole number such as 42" lat_rd --cpu -1
	wrong "--cpu '4294967296': out of range" lat_rd --cpu 4294967296
}

@test "wrong lists are refused" {
	wrong "-s '64q': not a size such as 64, 4K, 1.5M or 64KiB" lat_rd -s 64q
	wrong "-w 'x': not a size such as 64, 4K, 1.5M or 64KiB" lat_rd -w x
	wrong "--offset '-4': not a size such as 64, 4K, 1.5M or 64KiB" lat_rd --offset -4
	wrong "--pattern 'linear': a pattern is" lat_rd --pattern linear
	wrong "--cache 'hot': a state is cold, thrashed," lat_rd --cache hot
	wrong "--cache 'cold,': a state is cold," lat_rd --cache cold,
	wrong "--node 'far': a node is local, remote or a" lat_rd --node far
	wrong "--node '1024': a node is local, remote or" lat_rd --node 1024
	wrong "--pattern 'random,random': a pattern is repeated" \
		lat_rd --pattern random,random
	wrong "--cache 'cold,thrashed,cold': a state is repeated" \
		lat_rd --cache cold,thrashed,cold
}

@test "wrong labels are refused" {
	wrong "-l 'rack': not NAME=VALUE" lat_rd -l rack
	wrong "-l 'Rack=7': a name is lower-case letters," lat_rd -l Rack=7
	wrong "-l '7rack=1': a name is lower-case letters," lat_rd -l 7rack=1
	wrong "-l 'a-b=1': a name is lower-case letters," lat_rd -l a-b=1
	wrong "-l '=7': a name is lower-case letters, digits" lat_rd -l =7
	for name in latency_ns my_ns n count flags x_gbit_s y_pct z_per_s; do
		wrong "-l '$name=1': '$name' is a value" lat_rd -l $name=1
	done
	for kind in '' real 'measured virtual' Measured; do
		wrong "-l 'kind=$kind': a kind is measured, virtual, simulated, \
published or imported" lat_rd -l "kind=$kind"
	done
}

@test "wrong devices are refused" {
	neither="neither a device such as 03:00.0, eth0 or 8086:1533 nor a \
backend"
	neither+=" ('pcb-collect list' shows both)"
	wrong "-d 'hardware': $neither" lat_rd -d hardware
	wrong "-d 'smi': ${neither/backend /backend (did you mean sim?) }" \
		lat_rd -d smi
	wrong "--cpu: sim does not bind itself to a CPU" lat_rd -d sim --cpu 0
	wrong "-d '03:00.8': $neither" lat_cfg -d 03:00.8
	wrong "-d 'pci': pci cannot measure lat_rd, only" lat_rd -d pci
	wrong "-d 'sim': sim cannot measure lat_cfg, only" lat_cfg -d sim
	fails 2 "--path needs a device: -d BDF" lat_cfg --path
	fails 2 "--path needs a device: -d BDF" lat_cfg --path -d pci
	wrong "-O 'speed': sim has no such option" lat_rd -d sim -O speed=1
	wrong "-O 'rc': a value is missing (-O rc=VALUE)" lat_rd -d sim -O rc
	wrong "-d '03:00.8': $neither" lat_cfg -d pci:03:00.8
}

@test "options without a meaning are refused" {
	dma="is for lat_rd, lat_wrrd, bw_rd, bw_wr, bw_rdwr, lat_nvme and \
lat_rdma"
	pio="is for lat_cfg and lat_mmio"
	wrong "--path $pio, not for lat_rd" lat_rd --path -d sim
	for option in --offset -b; do
		wrong "$option $dma, not for lat_cfg" lat_cfg $option 64
	done
	for option in -s -w; do
		wrong "$option is not for lat_cfg" lat_cfg $option 64
	done
	wrong "--pattern $dma, not for lat_cfg" lat_cfg --pattern random
	wrong "--cache $dma, not for lat_cfg" lat_cfg --cache cold
	wrong "--node $dma, not for lat_cfg" lat_cfg --node local
	wrong "-s is not for rtd" rtd --size 64
	wrong "--path $pio, not for rtd" rtd --path -d i210:eth0
	wrong "-n is not for list" list
	fails 2 "-l kind=measured: the samples are 'simulated'" \
		lat_rd -d sim -l kind=measured
}

@test "points that cannot be are refused" {
	fails 2 "a transfer of 0 bytes" lat_rd -d sim -s 0
	fails 2 "a window of 32 bytes does not hold 64" lat_rd -d sim -w 32
	fails 2 "a window of 64 bytes does not hold 64 bytes at offset 1, \
rounded up to whole lines: give a larger -w" lat_rd -d sim -w 64 --offset 1
	fails 2 "a window of 8192 bytes is larger than" bw_rd -d sim -b 4K
	# Also if earlier points are possible.
	fails 2 "a window of 8192 bytes does not hold 16384 bytes at \
offset 0, rounded up to whole lines: give a larger -w" lat_rd -d sim -s 64:16K -w 8K
}

@test "sizes change fastest, nodes slowest, runs around all of them" {
	collects lat_rd -P -d sim -n 1 -r 2 -s 64,128 --offset 0,4 -w 4K,8K \
		--pattern sequential,random --cache host-warm,cold \
		--node remote,0
	[ "${#lines[@]}" = 129 ]
	for run in 1 2; do
		for node in 1 0; do
			for cache in host-warm cold; do
				for pattern in sequential random; do
					printf "$run,%s,%s,%s,$pattern,$cache,$node\n" \
						64 0 4096 128 0 4096 \
						64 4 4096 128 4 4096 \
						64 0 8192 128 0 8192 \
						64 4 8192 128 4 8192
				done
			done
		done
	done >wanted
	tail -n +2 <<<"$output" | cut -d, -f2,8-13 | diff wanted -
}

@test "each size of a range is a row" {
	collect bw_rd -P -d sim -n 1 -s 64:200:+64,3:9:x3,8,4,8
	[ "$(column size_bytes <<<"$output" | xargs)" = \
		"64 128 192 200 3 9 8 4 8" ]
}

@test "lists that are given twice add up" {
	collect lat_rd -P -d sim -s 64 -s 8,16 -n 1 --cache cold --cache thrashed
	[ "$(column size_bytes <<<"$output" | xargs)" = "64 8 16 64 8 16" ]
	first=$output
	collect lat_rd -P -d sim -s 64,8,16 -n 1 --cache cold,thrashed
	[ "$output" = "$first" ]
}

@test "labels: a new column, another value, the last one counts" {
	collects lat_rd -P -d sim -n 1 -l bios=1 -l host=rack7 -l run=x \
		-l device=x -l note='a="b", c' -l bios=2.1
	[ "${lines[0]}" = "host,run,kind,bench,device,link,interface,\
size_bytes,offset_bytes,window_bytes,pattern,cache,node,iommu,page_bytes,\
bios,note,latency_ns" ]
	[[ "${lines[1]}" = rack7,x,simulated,lat_rd,x,* ]]
	[[ "${lines[1]}" = *,4096,'2.1,"a=""b"", c"',* ]]
	# A column of other benches is added here.
	collect lat_rd -P -d sim -n 1 -l parent=00:01.0
	[[ "${lines[0]}" = *,page_bytes,parent,latency_ns ]]
	# A first field with # is no comment.
	collect lat_rd -P -d sim -n 1 -l host='#1'
	[[ "${lines[1]}" = '"#1",1,'* ]]
}

@test "without preamble the same rows, and no line with #" {
	for bench in lat_rd bw_rdwr; do
		collect $bench -d sim -n 1000 -s 64,128 --wide
		with=$(grep -v '^#' <<<"$output")
		[ "${lines[0]}" = "# pcb-csv: 1" ]
		[[ "$output" = *"
# command: pcb-collect $bench -d sim -n 1000 -s 64,128 --wide
"* ]]
		collect $bench -P -d sim -n 1000 -s 64,128
		[ "$output" = "$with" ]
	done
}

@test "seed and warm-up decide where a simulation goes on" {
	collect lat_rd -P -d sim -n 1000 --warmup 0
	long=$output
	[ "${#lines[@]}" = 1001 ]
	for warmup in 1 300 900; do
		collect lat_rd -P -d sim -n 100 --warmup $warmup
		[ "$(tail -n +2 <<<"$output")" = \
			"$(sed -n "$((warmup + 2)),$((warmup + 101))p" <<<"$long")" ]
	done
	collect lat_rd -P -d sim -n 100
	default=$output
	collect lat_rd -P -d sim -n 100 --seed 1 --warmup 100
	[ "$output" = "$default" ]
	collect lat_rd -P -d sim -n 100 --seed 2
	[ "$output" != "$default" ]
	collect lat_rd -d sim -n 1 --seed 18446744073709551615 --warmup 7
	[ "$(grep -E '^# (seed|warmup)' <<<"$output")" = \
		"# seed: 18446744073709551615
# warmup: 7" ]
}

@test "a time limit ends each point, not the sweep" {
	SECONDS=0
	timeout -s KILL 20 pcb-collect lat_rd -d sim -n 1000G --time 30ms \
		-s 64,128 -r 2 --wide >out 2>err
	[ "$SECONDS" -lt 10 ]
	[ ! -s err ]
	[ "$(cut -d, -f2,8 <out | grep '^[12],' | uniq | xargs)" = \
		"1,64 1,128 2,64 2,128" ]
	[ "$(tail -n 1 out)" = \
		"# end: rows=$(grep -c ,lat_rd, out) complete=yes" ]
	# A count that is reached sooner ends it, too; also if the parent
	# ignores the signal of the time limit.
	timeout -s KILL 20 sh -c 'trap "" ALRM
		exec pcb-collect bw_rd -d sim -n 1000G --time 30ms' >out
	tail -n 1 out | grep complete=yes
	# Or blocks it.
	timeout -s KILL 20 env --block-signal=ALRM pcb-collect bw_rd -d sim \
		-n 1000G --time 30ms >out
	tail -n 1 out | grep complete=yes
	collect lat_rd -P -d sim -n 5 --time 1h
	[ "${#lines[@]}" = 6 ]
	# A total covers what was done until then.
	collect bw_rd -d sim -n 1G --time 30ms
	[ "$(column transfers <<<"$output")" -gt 0 ]
	[ "${lines[-1]}" = "# end: rows=1 complete=yes" ]
}

@test "a time limit below what timers know is not none" {
	timeout -s KILL 20 pcb-collect lat_rd -d sim -n 1000G --time 1ns >out \
		2>err
	[[ "$(tail -n 1 out)" = "# end: rows="*" complete=yes"* ]]
}

@test "that the numbers are simulated is said, and -q does not hide it" {
	for option in '' -q; do
		# shellcheck disable=SC2086
		collects lat_rd -n 1 $option
		[ "$stderr" = "pcb-collect: no device found here that can \
measure lat_rd: the numbers are simulated" ]
	done
	collect lat_rd -n 1 -d sim
	[ "$stderr" = "" ]
}

@test "rtd: no NIC is taken that is not named" {
	collect rtd
	[ "$status" = 3 ]
	[ "$output" = "" ]
	[[ "$stderr" = "pcb-collect: no device here can measure rtd"* ]]
}

@test "a device that is there, and for other benches" {
	bdf=$(pcb-collect list -P | awk -F, '$2 == "pci" { print $3; exit }')
	[ "$bdf" ] || skip "no PCI device here"
	fails 3 "$bdf: no backend can measure rtd " rtd -d "$bdf"
}

@test "rtd: an interface that is not there or cannot" {
	collect rtd -d i210:no-such
	[ "$status" = 3 ]
	[ "$output" = "" ]
	[[ "$stderr" = "pcb-collect: no-such: no such interface; there is: "* ]]
	[[ "$stderr" = *"lo (no Intel I210: virtual, or not on PCI)"* ]]
	fails 3 "lo: no Intel I210: virtual, or not on PCI" rtd -d i210:lo
	collect rtd -d i210
	[ "$status" = 2 ]
	[[ "$stderr" = "pcb-collect: i210 needs an interface: -d i210:IFNAME; "* ]]
	wrong "-d 'i210:lo': i210 cannot measure lat_rd," lat_rd -d i210:lo
	fails 2 "-O distance=5: not a time with its unit, such as 100ns, 1.5us, 10s, 5min or 1h" \
		rtd -d i210:lo -O distance=5
	fails 2 "-O distance=5ms:1s: not within 1ns to 100ms" \
		rtd -d i210:lo -O distance=5ms:1s
	fails 2 "-O trash-cache=1: not yes or no" rtd -d i210:lo -O trash-cache=1
}

# runs_of FILE: the median of each run, ascending.
runs_of() {
	local run

	for run in $(seq 1 "$(tail -n 1 "$1" | cut -d, -f2)"); do
		awk -F, -v run="$run" '$2 == run { print $NF }' "$1" | sort -n |
			awk '{ x[NR] = $1 }
				END { print (x[int((NR + 1) / 2)] + x[int(NR / 2) + 1]) / 2 }'
	done | sort -n
}

@test "runs are repeated until they agree" {
	collects lat_rd -P -d sim -O tick=1ns -O drift=20000 -n 101 --until 1% \
		--wide
	printf '%s\n' "${lines[@]:1}" >rows
	# Ranks that bound the median of 6 to 16 runs, by the binomial.
	runs_of rows | awk '
		{ x[NR] = $1 }
		END {
			rank = NR < 9 ? 1 : NR < 12 ? 2 : NR < 15 ? 3 : 4
			middle = (x[int((NR + 1) / 2)] + x[int(NR / 2) + 1]) / 2
			exit !(NR >= 6 && NR <= 16 && x[rank] >= middle * 0.99 &&
				x[NR + 1 - rank] <= middle * 1.01)
		}'
	# Too few: all is written, but the question is not answered.
	run -3 --separate-stderr pcb-collect lat_rd -d sim -n 100 -r 8 -f csv \
		--until 0.001%
	[[ "${lines[-1]}" = "# end: rows=800 complete=yes"* ]]
	[[ "$stderr" = *": 8 runs: "* ]]
	run -3 --separate-stderr pcb-collect bw_rd -d sim -s 64,256 -n 100 -r 6 \
		-f csv --until 0.001% -O drift=20000
	[[ "${lines[-1]}" = "# end: rows=12 complete=yes"* ]]
	wrong "-r 3: --until needs at least 6 runs" lat_rd --until 1 -r 3
	wrong "--until '0%': must be above 0" lat_rd --until 0%
	wrong "--until is not for link" link --until 1
}
