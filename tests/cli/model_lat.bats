#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# pcb-model: latencies on a simulated host.

load helpers

tests pcb-model

# By the simulation's rules with round numbers: 24 and 84 bytes at 7.877 GB/s
# are 3.048 and 10.664 ns, storing a line takes 15 ns, noise is 10 ns.
@test "lat: the parts of a read" {
	try pcb-model -P lat --bench lat_rd
	is 0 "kind,bench,device,link,interface,size_bytes,offset_bytes,\
window_bytes,pattern,cache,node,iommu,page_bytes,median_ns,mean_ns,\
root_complex_ns,cache_ns,node_ns,iommu_ns,link_ns,switches_ns,device_ns,\
noise_ns,stalls_ns
model,lat_rd,sim:default,gen3x8/mps256/mrrs512/rcb64,engine,64,0,8192,random,\
cold,0,off,4096,558.712,566.6005641025641,300,70,0,0,13.712,0,165,10,0" ""
	# A hit, 60 ns and 2 x 110 ns on the path, twice the lanes.
	try pcb-model -P lat --bench lat_rd --cache host-warm --node remote \
		-O iommu=on -w 16M --switch 110ns --switch 60ns \
		-d sim:default --lanes 16
	[ "$(column cache_ns <<<"$output")" = 70 ]
	[ "$(column node_ns <<<"$output")" = 60 ]
	[ "$(column iommu_ns <<<"$output")" = 280 ]
	[ "$(column switches_ns <<<"$output")" = 340 ]
	[ "$(column link_ns <<<"$output")" = 6.857 ]
}

@test "lat: hits are in the mean as often as they are met" {
	# 64 of 128 pages are in the IOTLB; refreshes and stalls are off.
	try pcb-model -P lat --bench lat_rd --cache device-warm -w 512K \
		-O iommu=on -O refresh=0ns -O stall1-odds=0
	[ "$(column iommu_ns <<<"$output")" = 0 ]
	[ "$(column mean_ns <<<"$output")" = 628.712 ]
	try pcb-model -P lat --bench lat_rd --cache device-warm -w 1M \
		-O iommu=on -O refresh=0ns -O stall1-odds=0
	[ "$(column iommu_ns <<<"$output")" = 280 ]
	[ "$(column mean_ns <<<"$output")" = 698.712 ]
	# 400 in 1000 do not stall, 100 more stall for 1 to 1.5 of 1 to 3 us.
	try pcb-model -P lat --bench lat_rd -O stall1=1us -O stall1-odds=400K \
		-O stall2=2us -O stall2-odds=200K
	[ "$(column stalls_ns <<<"$output" | xargs printf %.0f)" = 1500 ]
}

# agrees PROFILE BENCH [OPTION]...: medians agree within a clock tick if windows are far
# smaller or larger than the caches.
agrees() {
	local tick assumed=()

	# Refused where the profile lacks it; the profile's own value stays.
	pcb-model lat -d "sim:$1" --node remote >/dev/null 2>&1 ||
		assumed=(-O remote=60ns -O remote-write=120ns)
	pcb-collect "$2" -q -d "sim:$1" "${assumed[@]}" "${@:3}" -n 4000 -s 8,64,257,1024 \
		-w 8K,1G -b 1G --cache cold,thrashed,host-warm,device-warm \
		--node local,remote -O drift=0 >samples
	tick=$(sed -n 's/^# clock_tick_ns: //p' samples)
	pcb-stats -P samples -f csv | pcb-model --join -P -d "sim:$1" \
		"${assumed[@]}" "${@:3}" >joined
	[ "$(wc -l <joined)" = 65 ]
	column model_diff_ns <joined | awk -v tick="$tick" '
		{ n++ } $1 > tick || $1 < -tick { print; bad++ }
		END { exit bad > 0 || n != 64 }' ||
		show "$1 $2 within $tick: $(cat joined)"
}

# says STATUS MESSAGE COMMAND...: it ends with this status and says this.
says() {
	try "${@:3}"
	[[ "$status" = "$1" && "$stderr" = *"$2"* ]] || show "status $1, $2"
}

@test "lat: what a profile lacks, and what is cut, is refused" {
	says 3 'not measured with an IOMMU: assume one with -O iotlb=' \
		pcb-model lat -d sim:nfp6000 -O iommu=on
	says 3 'not measured with an IOMMU' \
		pcb-collect lat_rd -d sim:nfp6000 -O iommu=on
	says 3 'another node was not measured' \
		pcb-collect bw_wr -d sim:e5-2620v2 --node remote
	# What the message says helps; the default is an assumption as a whole.
	pcb-collect lat_rd -q -n 1 -d sim:nfp6000 -O iommu=on -O iotlb=116 \
		-O walk=285ns >/dev/null
	pcb-model lat -d sim -O iommu=on --node remote >/dev/null
	says 2 'at most 96 outstanding transfers (-O workers=97)' \
		pcb-model lat -d sim --outstanding 96,97
	pcb-model lat -d sim --outstanding 97 -O workers=97 >/dev/null
}

@test "lat: the IOMMU of Haswell is that of Broadwell, and said to be" {
	local at="-s 64 -w 16M --cache host-warm -P" miss

	says 0 'not measured with an IOMMU; assumed: that of Broadwell-EP' \
		pcb-collect lat_rd -q -n 1 -d sim:e5-2637v3 -O iommu=on
	for profile in haswell-ep broadwell-ep; do
		# shellcheck disable=SC2086
		pcb-model lat --bench lat_rd -d sim:$profile -O iommu=on $at \
			2>$profile.err | column iommu_ns >$profile
	done
	diff haswell-ep broadwell-ep
	miss=$(tail -n 1 haswell-ep)
	[ "${miss%.*}" -gt 100 ]
	[[ "$(<haswell-ep.err)" = *'not measured with an IOMMU'* ]]
	[ ! -s broadwell-ep.err ]
	# What the user gives is no assumption, nor is an IOMMU that is off.
	for given in "-O iommu=on -O walk=300ns" "-O iommu=off"; do
		# shellcheck disable=SC2086
		pcb-model lat -d sim:e5-2637v3 $given >/dev/null 2>err
		[ ! -s err ]
	done
}

@test "lat: within a tick of the simulation of all profiles" {
	local file name

	for file in "$TOP"/share/pcb-tools/sim/*.csv; do
		name=${file##*/} name=${name%.csv}
		# Profiles of a family have no link.
		[ "${name%-ep}" = "$name" ] || continue
		agrees "$name" lat_rd
		agrees "$name" lat_wrrd
	done
	agrees e5-2630v4 lat_rd -O warm-node=0
	agrees e5-2630v4 lat_rd -O warm-node=1
}

# The simulated engine starts its transfers in turn, so a slow one delays
# others; the model considers only the busiest station.
@test "lat: under load no bandwidth is off by more than the page says" {
	local n name

	for name in default e5-2637v3 e5-2630v4-iommu gen4x16 gen5x16; do
		pcb-model lat -P -d sim:$name -s 64,512,2048 -w 8K,4M \
			--cache host-warm,thrashed \
			--outstanding 1,8,24,64,96 |
			awk -F, 'NR > 1 { print $14, $6, $8, $10, $16 }' |
			sort >model
		for n in 1 8 24 64 96; do
			pcb-collect bw_rd -P -q -d sim:$name -n 4000 \
				--warmup 0 -s 64,512,2048 -w 8K,4M -l host=h \
				--cache host-warm,thrashed -O drift=0 \
				-O workers=$n |
				awk -F, -v n=$n 'NR > 1 {
				print n, $8, $10, $12, $19 }'
		done | sort >simulated
		[ "$(wc -l <model)" = 60 ]
		paste -d ' ' model simulated | awk -v name=$name '
			BEGIN { least = name ~ /iommu/ ? -.15 : -.06 }
			{ off = $5 / $10 - 1 }
			$1 " " $2 " " $3 " " $4 != $6 " " $7 " " $8 " " $9 ||
			off < least || off > .30 { print; bad++ }
			END { exit bad > 0 }' >bad || show "$name $(cat bad)"
	done
}

@test "lat: with a load the busy part is named" {
	try pcb-model -P lat --outstanding 1,64,96 -O inflight=24
	[ "$(column limited_by <<<"$output" | xargs)" = \
		"outstanding inflight inflight" ]
	try pcb-model -P lat --outstanding 96 -s 2048 -O inflight=768
	[ "$(column limited_by <<<"$output")" = rx_bytes ]
	try pcb-model -P lat --outstanding 96 -O inflight=768 -O read-chunk=1us
	[ "$(column limited_by <<<"$output")" = engine ]
	try pcb-model -P lat --outstanding 96 -O inflight=768 -O line=1us
	[ "$(column limited_by <<<"$output")" = root_complex ]
	try pcb-model -P lat --outstanding 96 -O inflight=768 -O iommu=on \
		-w 16M -O walks=1
	[ "$(column limited_by <<<"$output")" = walks ]
}

@test "--join: latencies beside the model, and what is left over" {
	local in=bench,size_bytes,cache,median_ns
	local added=model_accounting,model_gbit_s,model_ratio_pct,limited_by

	given "$in\nlat_rd,64,cold,700\nlat_rd,64,device-warm,\nlat_cfg,4,,1\n" \
		--join -d sim:default -P
	is 0 "$in,$added,model_median_ns,model_diff_ns
lat_rd,64,cold,700,,,,,558.712,141.288
lat_rd,64,device-warm,,,,,,488.712,
lat_cfg,4,,1,,,,,," "pcb-model: rows without a value to compare: 1"
	# Without a host no latencies are added.
	given "$in\nlat_rd,64,cold,700\n" --join -P
	is 0 "$in,$added
lat_rd,64,cold,700,,,," "pcb-model: the model adds nothing: no row has a bandwidth of a bench that it \
computes: bw_rd, bw_wr, bw_rdwr (pcb-import -l bench=bw_wr names it if \
the device writes to memory, as a drive does that is read, or bw_rd if it reads \
there); for latencies, add -d sim:NAME of a simulated host"
	refuses 'bench,median_ns\nlat_rd,700\n' \
		"standard input:2: bench: 'lat_rd' needs size_bytes" --join -d sim
	refuses 'bench,size_bytes\nlat_rd,64\n' \
		"standard input:2: bench: 'lat_rd' needs" --join -d sim
	refuses "$in\nlat_rd,64,cold,-1\n" \
		"standard input:2: median_ns: '-1': a latency is not negative" --join -d sim
	given "$in\nlat_rd,64,device-thrashed,700\n" --join -d sim -P
	is 0 "$in,$added,model_median_ns,model_diff_ns
lat_rd,64,device-thrashed,700,,,,,," "pcb-model: rows without a model: 1, \
the last because the model does not have this state of the cache"
}

@test "--join: an IOMMU without superpages, as pcb-import names it" {
	local in=bench,size_bytes,window_bytes,iommu,page_bytes,median_ns

	given "$in\nlat_rd,64,67108864,on-nosp,,900\nlat_rd,64,67108864,on,4096,900
lat_rd,64,67108864,off,,900\n" --join -d sim:default -P
	[ "$status" = 0 ] || show "three rows with a model"
	mapfile -t median < <(column model_median_ns <<<"$output")
	[ "${median[0]}" = "${median[1]}" ]
	[ "${median[0]}" != "${median[2]}" ]
}

@test "lat: wrong options are refused by name" {
	wrong "-d 'sim:default': only lat and --join" bw_rd -d sim
	wrong "-O 'rc': not NAME=VALUE, such as rc=300ns" lat -O rc
	wrong "-O rcc: no such parameter (did you mean rc?)" lat -O rcc=1ns
	refuses '' "-O rc=1: not a time with its unit, such as" lat -O rc=1
	refuses '' "-O ddio-ways=21: more than the cache" lat -O ddio-ways=21
	try pcb-model lat -d sim:nfp
	is 3 "" "pcb-model: sim:nfp: no such profile (-d sim:help lists them)"
	wrong "--cache 'hot': not one of: cold thrashed" lat --cache hot
	wrong "--node '2': not one of: local remote" lat --node 2
	wrong "--pattern 'x': not one of: random sequential" lat --pattern x
	wrong "--bench 'bw_rd': not lat_rd or lat_wrrd" lat --bench bw_rd
	wrong "--outstanding applies to lat_rd" lat --bench lat_wrrd --outstanding 2
	wrong "--outstanding: not within 1 to 65536" lat --outstanding 0
	wrong "-w: a window holds at least one transfer with its" lat -w 32
	refuses '' "256 bytes at offset 0 in a window of 8192: a command moves \
at most 128 bytes" lat -s 256 -O interface=command
}
