#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# pcb-model: DMAs in flight.

load helpers

tests pcb-model

# Neugebauer et al., section 2: at 40 Gbit/s a frame of 128 bytes takes about
# 30 ns, and with a latency of about 900 ns some 30 DMAs are in flight.
@test "inflight: DMAs for a time" {
	local in=kind,frame_bytes,rate_gbit_s,packet_ns,rtt_ns,inflight

	gives '' "$in
model,128,40,29.6,900,31" inflight --rate 40G --frame 128 --rtt 900ns
	# 30 x 29.6 ns are 888.
	gives '' "$in
model,64,40,16.8,888,53
model,128,40,29.6,888,30
model,1518,40,307.6,888,3" inflight --rate 40G --frame 64,128,1518 --rtt 0.888us
	gives '' "$in
model,128,40,29.6,888.001,31" inflight --rate 40G --frame 128 --rtt 888.001ns
	# 280 x 8.96 ns are 2508.8, which binary numbers cannot represent.
	gives '' "$in
model,428,400,8.96,2508.8,280" inflight --rate 400G --frame 428 --rtt 2508.8ns
	gives '' "$in
model,428,400,8.96,2508.801,281" \
		inflight --rate 400G --frame 428 --rtt 2508.801ns
}

@test "inflight: DMAs for results, at the median and at p99" {
	local in=bench,size_bytes,median_ns,p99_ns
	local behind=frame_bytes,rate_gbit_s,packet_ns,median_inflight,p99_inflight

	gives "$in\nlat_rd,128,888,5693.33\nlat_wrrd,128,900,901\n" "$in,$behind
lat_rd,128,888,5693.33,64,40,16.8,53,339
lat_rd,128,888,5693.33,128,40,29.6,30,193
lat_wrrd,128,900,901,,,,," inflight --rate 40G --frame 64,128
	printf "$in\nlat_rd,128,888,\n" >input
	try pcb-model inflight -P --rate 40G --frame 128 input
	is 0 "$in,$behind
lat_rd,128,888,,128,40,29.6,30," "pcb-model: rows of lat_rd \
without p99_ns, whose p99_inflight is empty: 1"
	pcb-collect lat_rd -d sim -n 1000 | pcb-stats |
		pcb-model inflight --rate 100G --frame 64 >out
	[[ "$(column median_inflight <out)" =~ ^[0-9]+$ ]]
	[[ "$(column p99_inflight <out)" =~ ^[0-9]+$ ]]
	[[ "$(tail -n 1 out)" = "# end: rows=1 complete=yes"* ]]
}

@test "inflight refuses what it cannot answer" {
	local need="inflight needs --rate and --frame"
	local asks='inflight --rate 40G --frame 128'

	wrong "$need" inflight
	wrong "$need" inflight --rate 40G --rtt 1us
	wrong "$need" inflight --frame 128 --rtt 1us
	for rate in 0 40 999999999 801G; do
		wrong "--rate '$rate': an Ethernet rate is 1G to 800G" \
			inflight --rate $rate --frame 64 --rtt 1us
	done
	wrong "--rate '40Gb': not a rate such as 100G or 100Gbit/s" inflight --rate 40Gb --frame 64
	wrong "--frame: an Ethernet frame has at least 64 bytes" \
		inflight --rate 40G --frame 64,63
	wrong "--frame: a frame has at most 64K" inflight --rate 40G --frame 65K
	wrong "--rtt and file each give the time: choose one" \
		inflight --rate 40G --frame 64 --rtt 1us file
	wrong "--gen is not for inflight" inflight --gen 4
	wrong "--accounting is not for inflight" \
		inflight --accounting traffic
	wrong "--rate is for nic, inflight and why, not for link" link --rate 40G
	# shellcheck disable=SC2086
	{
		refuses 'a\n1\n' "standard input: no row of the bench lat_rd" $asks
		refuses 'bench,latency_ns\nlat_rd,5\n' "standard input:2: bench: 'lat_rd' \
needs median_ns, as pcb-stats writes it" $asks
		refuses 'bench,median_ns\nlat_rd,-5\n' "standard input:2: median_ns: \
'-5': a latency is not negative" $asks
		refuses 'bench,median_ns\nlat_rd,x\n' \
			"standard input:2: median_ns: 'x': not a number" $asks
	}
}
