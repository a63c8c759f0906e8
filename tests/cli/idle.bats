#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# pcb-collect --idle: silence before each sample. The simulation knows when its
# link sleeps, and how long it takes to wake.

load helpers

tests pcb-collect

# wakes WAKE ARGUMENT...: the medians of silences from 1 ms are WAKE ns above
# those of shorter ones, to three ticks of the clock.
wakes() {
	collects lat_rd --cache host-warm -n 500 "${@:2}"
	pcb-stats -P -g idle_us <<<"$output" >medians
	awk -F, -v wake="$1" '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	{
		rise = $at["median_ns"] - ($at["idle_us"] < 1000 ? 0 : wake)
		awake = awake ? awake : rise
		bad = bad || (rise - awake) ^ 2 > 12 ^ 2
		n++
	}
	END { exit bad || n < 2 }' medians || show "$(<medians)"
}

@test "idle: the first transfer after the link sleeps takes its time to wake" {
	silences=(--idle "0s,100ns,999us,1ms,1s")
	wakes 55000 -d sim -O sleep-after=1ms -O wake=55us "${silences[@]}"
	[ "$(column idle_us <medians | xargs)" = "0 0.1 999 1000 1000000" ]
	wakes 0 -d sim -O wake=55us "${silences[@]}"
	wakes 64000 -d sim:gen4x16+l1 --idle 0s,99us,1ms --idle-by spin
	collects lat_rd -d sim -n 500 --idle 1ms --idle-by sleep,spin
	[ "$(column idle_by <<<"$output" | sort | uniq -c | xargs)" = \
		"500 sleep 500 spin" ]
	collects lat_rd -d sim -n 500
	[[ $output != *idle_* ]]
}

@test "idle: each sample of a real device has its silence" {
	example_tree tree
	for by in sleep spin; do
		begin=$(date +%s%N)
		collects lat_cfg --root tree -d 03:00.0 -n 20 --idle 20ms \
			--idle-by $by
		took=$((($(date +%s%N) - begin) / 1000000))
		[ "$(grep -c '^[0-9.]*$' <<<"$output")" = 20 ]
		[[ $output = *,idle_us=20000,idle_by=$by* ]]
		[ "$took" -ge 400 ] || show "400 ms, not $took"
	done
	# The count has a default, and a silence that is too long an end.
	collects lat_cfg --root tree -d 03:00.0 --idle 0s
	[ "$(grep -c '^[0-9.]*$' <<<"$output")" = 1000 ]
	begin=$(date +%s)
	collects lat_cfg --root tree -d 03:00.0 --idle 10m --time 100ms
	[ $(($(date +%s) - begin)) -le 10 ]
	[ "$(grep -c '^[0-9.]*$' <<<"$output")" = 0 ]
}

@test "idle: what has no silence is refused" {
	example_tree tree
	for command in 'bw_rd -d sim --idle 1ms' 'lat_rd -d gpu --idle 1ms' \
		'lat_rd -d vulkan --idle 1ms' 'lat_rd -d sim --idle-by spin' \
		'lat_rd -d sim --idle 2h' 'lat_rd -d sim --idle 1' \
		'lat_cfg --root tree --idle 1ms' \
		'lat_cfg --root tree -d 03:00.0 --idle 1ms --rate 1K' \
		'lat_rd -d sim --idle 1ms --idle-by nap'; do
		read -ra words <<<"$command"
		try pcb-collect "${words[@]}"
		[ "$status$(grep -c '^[0-9]' <<<"$output")" = 20 ] ||
			show "$command"
	done
}
