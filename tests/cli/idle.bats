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

# says SILENCE RISE: what pcb-stats says of the rows in `rows`.
says() {
	pcb-stats -f table >shown 2>said <rows
	grep -c "after $1 us of silence the median is $2 us higher" said
}

@test "idle: pcb-stats names the silence after which it is slower" {
	{
		echo idle_us,latency_ns
		# p90 of no silence is 900 ns.
		seq -f 0,%.0f 100 100 1000
		seq -f 100,%.0f 800 5 845
		seq -f 10000,%.0f 50000 50004
		seq -f 1000,%.0f 5550 5 5560
	} >rows
	[ "$(says 1000 5)" = 1 ]
	[ "$(grep -c silence said)" = 1 ]
	# Only what is otherwise equal is compared.
	sed 's/^/b,/; 1s/b/a/' rows | sed '2,11s/b/c/' >other
	mv other rows
	[ "$(says '.*' '.*')" = 0 ]
	echo latency_ns >rows
	seq 100 >>rows
	[ "$(says '.*' '.*')" = 0 ]
}

@test "idle: what a link may take to wake is recorded" {
	fake_tree tree <<-'END'
	0000:00:01.0 root first=1 last=1 aspm=2 at4c=0x0883 at4e=0x0001
	0000:01:00.0 endpoint aspm=2 at4c=0x0883 at4e=0x0003
	0000:00:02.0 root first=2 last=2 at4e=0x0003
	0000:02:00.0 endpoint aspm=2 at4e=0x0003
	END
	collects lat_cfg --root tree -d 01:00.0 -n 1
	[[ $output = *$'\n# wake_us: 0000:01:00.0=L1:64\n'* ]] || show "64 us"
	collects lat_cfg --root tree -d 02:00.0 -n 1
	[[ $output != *wake_us* ]]
}
