#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# pcb-collect on a faked RDMA device: tests/fake/libibverbs.c refuses arguments
# that a device would misunderstand, and computes its clock. The guest's topic
# rdma uses the kernel's software device.

load helpers

tests pcb-collect

setup_file() {
	cd "$BATS_FILE_TMPDIR" || exit
	rdma_tree tree
}

setup() {
	cd "$BATS_FILE_TMPDIR" || exit
	: "${PCB_FAKE:=$TOP/build/fake}"
	[ -e "$PCB_FAKE/verbs/libibverbs.so.1" ] ||
		skip "$PCB_FAKE/verbs/libibverbs.so.1 is not built"
	[ -z "${EMULATED:-}" ] || skip "drivers are not run in $EMULATED"
	export FAKE_VERBS_LOG=$BATS_TEST_TMPDIR/left
	clocked='dm=65536 khz=78125'
}

# rdma WORDS ARGUMENT...: pcb-collect with WORDS in FAKE_VERBS.
rdma() {
	rm -f "$FAKE_VERBS_LOG"
	FAKE_VERBS=$1 LD_LIBRARY_PATH=$PCB_FAKE/verbs try timeout 60 \
		pcb-collect --root tree --cache host-warm "${@:2}"
}

# all_freed: all of the library's objects were freed.
all_freed() {
	[ ! -e "$FAKE_VERBS_LOG" ] || [ "$(head -n 1 "$FAKE_VERBS_LOG")" = "left: \
contexts 0 domains 0 regions 0 queues 0 pairs 0 memory 0" ] ||
		show "$(<"$FAKE_VERBS_LOG")"
}

# works ROWS: succeeded with this number of rows, all freed.
works() {
	[ "$status" = 0 ] || show 0
	[ "$(grep -vc '^#' <<<"$output")" = "$(($1 + 1))" ] || show "$1 rows"
	all_freed
}

# fails STATUS TEXT: failed with TEXT as the last message, all freed.
fails() {
	[ "$status" = "$1" ] || show "$1"
	[ "${stderr##*$'\n'}" = "pcb-collect: $2" ] || show "$2"
	all_freed
}

# moved READS WRITES: so many of host memory, besides the proof, which has 128 of
# each.
moved() {
	grep -qx "host: reads $(($1 + 128)) writes $(($2 + 128)) inline 0" \
		"$FAKE_VERBS_LOG" || show "$1 reads, $2 writes
$(<"$FAKE_VERBS_LOG")"
}

@test "rdma: what each bench has the device read and write" {
	for bench in lat_rdma bw_rdwr; do
		rdma "$clocked" $bench -d rdma:mlx5_0 -n 300 --warmup 7
		moved 307 307
	done
	for bench in lat_rd bw_rd; do
		rdma "$clocked" $bench -d rdma:mlx5_0 -n 300 --warmup 7
		moved 307 0
	done
	rdma "$clocked" bw_wr -d rdma:mlx5_0 -n 300 --warmup 7
	moved 0 307
	rdma "$clocked" lat_wrrd -d rdma:mlx5_0 -n 300 --warmup 7
	moved 307 307
}

@test "rdma: rows of each bench, virtual since the tree is no sysfs" {
	rdma "$clocked" lat_rdma -d rdma:mlx5_0 -n 30 --wide
	works 30
	[ "$(cut -d, -f2-12 <<<"${lines[-2]}")" = "1,virtual,lat_rdma,\
0000:03:00.0,gen3x8/mps256/mrrs512/rcb64/ecrc,rdma/loopback,64,0,8192,random,\
host-warm" ] || show columns
	grep -qx '# rdma: mlx5_0 port 1, RoCE v2, GID 3, MTU 1024, firmware 1.2.3' \
		<<<"$output" || show preamble
	grep -qx '# relaxed_ordering: 0000:03:00.0=off' <<<"$output" ||
		show relaxed_ordering
	[[ "${lines[-1]}" = "# end: rows=30 "*" clock_drift_ppm="* ]] || show end
	[[ "$stderr" = *"mlx5_0 sends to itself: at most 64 bytes are outstanding \
at a time"* ]] || show announced
	for bench in bw_rdwr bw_rd bw_wr; do
		rdma "$clocked" $bench -d 03:00.0 -n 1000 -P -s 64,1K
		[ $bench = bw_rdwr ] || rdma "$clocked" $bench \
			-d rdma:03:00.0 -n 1000 -P -s 64,1K
		works 2
		[ "$(column transfers <<<"$output" | uniq)" = 1000 ] || show
		[ "$(column transferred_bytes <<<"$output" | paste -sd ' ')" = \
			"64000 1024000" ] || show bytes
	done
	[ "$(column interface <<<"$output" | uniq)" = rdma/dm ] || show dm
	for bench in lat_rd lat_wrrd; do
		rdma "$clocked" $bench -d rdma:eth0 -n 10 -P
		works 10
		[ "$(column interface <<<"$output" | uniq)" = \
			rdma/dm/timestamps ] || show stamped
	done
}

# The device takes 1000 ns to read the host, 600 to write it. Its clock ticks
# every 12.8 ns, so a difference is one of two multiples of that.
@test "rdma: a latency is the difference of two timestamps" {
	rdma "$clocked" lat_rd -d rdma:mlx5_0 -n 1000
	works 1000
	[ "$(column latency_ns <<<"$output" | sort -n | uniq | paste -sd ' ')" = \
		"998.4 1011.2" ] || show "a read"
	awk "BEGIN { exit !($(column latency_ns <<<"$output" | awk '
		{ sum += $1 } END { print sum / NR }') - 1000 < 3) }" ||
		show "mean"
	grep -qx '# clock: completion timestamps of mlx5_0, 78125 kHz, 64 bits' \
		<<<"$output" || show clock
	grep -qx '# clock_tick_ns: 12.8' <<<"$output" || show tick
	rdma 'dm=65536 khz=1000000' lat_wrrd -d rdma:mlx5_0 -n 100 -P
	works 100
	[ "$(column latency_ns <<<"$output" | uniq)" = 1600 ] ||
		show "a write and a read"
}

@test "rdma: a clock that wraps, of few bits, of another rate" {
	for words in 'start=fffffffffffffff0' 'bits=48 start=fffffffffff0' \
		'bits=32' 'bits=20' 'bits=11'; do
		rdma "dm=65536 khz=1000000 $words" lat_rd -d rdma:mlx5_0 \
			-n 300 -P
		works 300
		[ "$(column latency_ns <<<"$output" | uniq)" = 1000 ] ||
			show "1000 with $words"
	done
	rdma 'dm=65536 khz=500000 true_khz=500000' lat_rd -d rdma:mlx5_0 -n 10
	works 10
	for true in 450000 550000; do
		rdma "dm=65536 khz=500000 true_khz=$true" lat_rd \
			-d rdma:mlx5_0 -n 10
		[[ "$stderr" = *"mlx5_0: its clock does not run at the \
500000 kHz that its driver says: "* ]] || show "$true"
		[ "$status" = 2 ] || show 2
		all_freed
	done
}

@test "rdma: without timestamps the CPU times, and rows say so" {
	rdma dm=65536 lat_rd -d rdma:mlx5_0 -n 10 -P
	works 10
	[ "$(column interface <<<"$output" | uniq)" = rdma/dm/cpu ] || show cpu
	rdma 'dm=65536 khz=1000 bits=0' lat_wrrd -d rdma:mlx5_0 -n 10 -P
	works 10
	[ "$(column interface <<<"$output" | uniq)" = rdma/dm/cpu ] || show cpu
}

@test "rdma: sizes, offsets, windows, depths of a sweep" {
	for bench in lat_rd lat_wrrd bw_wr lat_rdma; do
		rdma "$clocked" $bench -d rdma:mlx5_0 -n 5 -P -s 1,64,4K,65472 \
			--offset 0,3 -w 128K,256K --pattern sequential
		[ "$status" = 0 ] || show 0
		all_freed
		[ "$(cut -d, -f8-11 <<<"$output" | tail -n +2 | sort -u |
			wc -l)" = 16 ] || show "16 points"
	done
	for bench in bw_rd bw_wr bw_rdwr; do
		rdma "$clocked" $bench -d rdma:mlx5_0 -n 3K -P -O depth=32 \
			-O qps=4 -w 64K
		works 1
		[ "$(column queue_depth <<<"$output")" = 32 ] || show depth
		[ "$(column queue_pairs <<<"$output")" = 4 ] || show qps
		[ "$(column transfers <<<"$output")" = 3000 ] || show 3000
		grep -qx 'made: pairs 4' "$FAKE_VERBS_LOG" || show "4 pairs"
	done
	[[ "$stderr" = *"at most 8192 bytes are outstanding"* ]] || show 8192
	# A driver that does not say how many reads it takes.
	rdma "$clocked reads=0" bw_rd -d rdma:mlx5_0 -n 100 -P -O depth=2
	works 1
}

@test "rdma: data within the work request" {
	rdma '' lat_rdma -d rdma:mlx5_0 -n 5 -P -s 4,220 -O inline=yes
	works 10
	[ "$(column interface <<<"$output" | uniq)" = rdma/loopback/inline ] ||
		show
	grep -q ' inline [1-9]' "$FAKE_VERBS_LOG" || show inline
	rdma '' lat_rdma -d rdma:mlx5_0 -n 5 -s 4,221 -O inline=yes
	fails 3 "-O inline=yes: mlx5_0 does not take 221 bytes in a work request"
}

@test "rdma: ports, their addresses and states" {
	rdma ports=2 lat_rdma -d rdma:mlx5_0 -n 5
	works 5
	grep -q '^# rdma: mlx5_0 port 2, ' <<<"$output" || show port
	rdma ports=2 lat_rdma -d rdma:mlx5_0 -n 5 -O port=1
	fails 3 "mlx5_0: port 1 is not active, but DOWN: plug in a cable, or \
set up its interface (ip link set ... up)"
	rdma state=2 lat_rdma -d rdma:mlx5_0 -n 5
	fails 3 "mlx5_0: port 1 is not active, but INIT: plug in a cable, or \
set up its interface (ip link set ... up)"
	rdma link=ib lat_rdma -d rdma:mlx5_0 -n 5
	works 5
	grep -q '^# rdma: mlx5_0 port 1, InfiniBand, ' <<<"$output" || show ib
	for index in 0 3; do
		rdma link=ib lat_rdma -d rdma:mlx5_0 -n 5 -O gid=$index
		fails 2 "-O gid=$index: port 1 of mlx5_0 is not Ethernet"
	done
	for index in 0 5; do
		rdma '' lat_rdma -d rdma:mlx5_0 -n 5 -O gid=$index
		fails 3 "-O gid=$index: port 1 of mlx5_0 has no such GID"
	done
	rdma '' lat_rdma -d rdma:mlx5_0 -n 5 -O port=2
	fails 3 "-O port=2: mlx5_0 has 1"
}

@test "rdma: what cannot be is refused" {
	rdma '' lat_rd -d rdma:mlx5_0
	fails 3 "mlx5_0 has no device memory, which lat_rd needs: measure \
bw_rdwr, or lat_rdma"
	rdma "$clocked" lat_rd -d rdma:mlx5_0 -s 65473 -w 128K
	fails 2 "a transfer of 65473 bytes: mlx5_0 takes 65472 at most"
	rdma '' bw_rdwr -d rdma:mlx5_0 -O depth=129
	fails 2 "a window of 8192 bytes holds 128 transfers of 64 bytes, fewer \
than the 129 that are outstanding: use a larger -w or fewer by -O depth"
	rdma '' lat_rdma -d rdma:mlx5_0 -O depth=2
	[[ "$status $stderr" = "2 pcb-collect: -O 'depth': not for lat_rdma"* ]] ||
		show "not for lat_rdma"
	rdma '' bw_rdwr -d rdma:mlx5_0 -O inline=yes
	fails 2 "-O inline=yes: only for lat_rdma"
	rdma '' lat_rdma -d rdma:mlx5_0 -O inline=2
	fails 2 "-O inline=2: not yes or no"
	rdma '' bw_rdwr -d rdma:mlx5_0 -O qps=65
	fails 2 "-O qps=65: not auto or within 1 to 64"
	rdma '' lat_rdma -d rdma:mlx5_0 -O pages=5K
	[ "$status" = 2 ] || show 2
	rdma '' lat_rdma -d rdma
	fails 2 "-d 'rdma': name the device, as in rdma:mlx5_0"
	rdma '' lat_rdma -d rdma:mlx5_1
	fails 3 "mlx5_1: no such RDMA device ('pcb-collect list' shows those \
there are; a card needs its driver and 'modprobe ib_uverbs')"
	rdma none lat_rdma -d rdma:mlx5_0
	fails 3 "mlx5_0: libibverbs.so.1 has no provider of it: apt install \
ibverbs-providers"
	rdma enomem lat_rdma -d rdma:mlx5_0
	fails 3 "mlx5_0: 8192 bytes cannot be registered (Cannot allocate \
memory): raise the limit of locked memory: ulimit -l unlimited"
}

@test "rdma: a device in software is virtual and has no link" {
	for vendor in 0 ffffff 626d74; do
		rdma vendor=$vendor lat_rdma -d rdma:mlx5_0 -n 1 -P
		works 1
		[ "$(column device <<<"$output")" = mlx5_0 ] || show device
		[ "$(column link <<<"$output")" = "" ] || show link
		[ "$(column kind <<<"$output")" = virtual ] || show kind
		[[ "$stderr" != *"is no sysfs"* ]] || show "software itself"
	done
}

# A software device's interface: its counter is a file of the tree.
@test "rdma: a loop that leaves by the wire is an error" {
	local counter=tree/sys/class/net/eth7/statistics/tx_bytes

	cp -r tree "$BATS_TEST_TMPDIR"
	cd "$BATS_TEST_TMPDIR"
	mkdir -p ${counter%/*}
	echo eth7 >tree/sys/class/infiniband/mlx5_0/parent
	echo 1000 >$counter
	for bench in bw_rdwr lat_rdma; do
		rdma '' $bench -d rdma:eth7 -n 20K
		[ "$status" = 0 ] || show 0
		grep -qx '# wire: checked' <<<"$output" || show checked
		grep -q '^# end: .* wire_bytes=0 loop_bytes=1[0-9]*' \
			<<<"$output" || show "no bytes on the wire"
	done
	export FAKE_VERBS_WIRE=$counter
	echo 0 >$counter
	rdma wire bw_rdwr -d rdma:eth7 -n 20K --warmup 0
	[ "$status" = 2 ] || show 2
	[[ "${stderr##*$'\n'}" = "pcb-collect: mlx5_0 has sent "*" bytes by its \
wire and "*" to itself: it does not loop within, or other programs send (-O \
wire=ignore)" ]] || show wire
	! grep -q ',bw_rdwr,' <<<"$output" || show "no rows"
	all_freed
	echo 0 >$counter
	rdma wire lat_rdma -d rdma:eth7 -n 2000 -s 1K
	[[ "$stderr" = *"bytes by its wire and"* ]] || show wire
	[[ "$output" = *" complete=no "* ]] || show "complete=no"
	echo 0 >$counter
	rdma wire bw_rdwr -d rdma:eth7 -n 20K -O wire=ignore
	[ "$status" = 0 ] || show 0
	grep -qx '# wire: ignored' <<<"$output" || show ignored
	rm tree/sys/class/infiniband/mlx5_0/parent
	rdma '' lat_rdma -d rdma:mlx5_0 -n 10
	! grep -q '^# wire' <<<"$output" || show "another machine's counter"
}

@test "rdma: data that do not arrive, or beyond their place" {
	for bench in lat_rdma lat_rd bw_wr; do
		rdma "$clocked wrong" $bench -d rdma:mlx5_0 -n 1
		[[ "$stderr" = *"mlx5_0: byte "*" of the window does not hold \
what was written to it" ]] || show "a wrong byte"
		[ "$status" = 2 ] || show 2
		rdma "$clocked beyond" $bench -d rdma:mlx5_0 -n 1 -s 60
		[[ "$stderr" = *"mlx5_0: byte 60 of the window was \
overwritten, though no transfer goes there" ]] || show "one more"
		all_freed
	done
}

@test "rdma: completions with errors, and none" {
	for bench in lat_rdma bw_rdwr lat_rd; do
		for n in 1 140 300; do
			rdma "$clocked status=$n:12" $bench -d rdma:mlx5_0 \
				-n 1000
			fails 2 "mlx5_0: a transfer failed: transport retry \
counter exceeded (12, vendor error 0x81)"
		done
	done
	for n in 1 20 700; do
		rdma "$clocked refused=$n" bw_rdwr -d rdma:mlx5_0 -n 1000 --warmup 0
		[ "$status" = 2 ] || show "2 with refused=$n"
		[[ "$stderr" = *post_send* ]] || show post_send
		all_freed
	done
	rdma "$clocked hang=400" lat_rdma -d rdma:mlx5_0 -n 1000
	fails 2 "mlx5_0: a transfer has not ended after 10 s: the device was \
removed, or hangs"
	[ "$(grep -c ',lat_rdma,' <<<"$output")" -le 200 ] || show rows
}

@test "rdma: every call that fails is named, and all is freed" {
	local call bench

	for call in get_device_list open_device query_device query_port \
		query_gid alloc_pd reg_mr create_cq create_qp modify_qp \
		post_send poll_cq; do
		rdma "fail=$call" bw_rdwr -d rdma:mlx5_0 -n 10
		[[ "$status" = [23] ]] || show "2 or 3 with $call"
		[[ "$stderr" = *"$call"* || $call = get_device_list ||
			$call = query_gid ]] || show "$call"
		all_freed
	done
	for call in alloc_dm reg_dm_mr create_cq_ex start_poll; do
		rdma "$clocked fail=$call" lat_rd -d rdma:mlx5_0 -n 10
		[[ "$status" = [23] ]] || show "2 or 3 with $call"
		all_freed
	done
}

@test "rdma: no library, no rights" {
	LD_LIBRARY_PATH=$BATS_TEST_TMPDIR
	ldconfig -p | grep -q libibverbs.so.1 || {
		try pcb-collect lat_rdma --root tree -d rdma:mlx5_0
		[[ "$stderr" = *"no libibverbs here ("*"): apt install \
libibverbs1 ibverbs-providers" ]] || show "no library"
	}
	cp -r tree other
	rm other/dev/infiniband/uverbs0
	FAKE_VERBS='' LD_LIBRARY_PATH=$PCB_FAKE/verbs try pcb-collect lat_rdma \
		--root other -d rdma:mlx5_0
	fails 3 "mlx5_0: other/dev/infiniband/uverbs0: No such file or \
directory: sudo chmod a+rw other/dev/infiniband/uverbs0"
}

@test "rdma: a list shows the device, and nothing chooses it" {
	FAKE_VERBS='' LD_LIBRARY_PATH=$PCB_FAKE/verbs try pcb-collect \
		--root tree list
	grep -q ',rdma,0000:03:00.0,.*,bw_rdwr lat_rdma,' <<<"$output" ||
		show list
	rdma '' lat_rdma
	[ "$status" = 3 ] || show 3
	[[ "$stderr" = *"say -d rdma:0000:03:00.0"* ]] || show hint
	rdma '' lat_rd -d 03:00.0
	fails 3 "0000:03:00.0: lat_rd and others need device memory: -d \
rdma:mlx5_0 finds out whether it has some"
}
