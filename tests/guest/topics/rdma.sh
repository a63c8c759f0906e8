# SPDX-License-Identifier: GPL-2.0-or-later
# RDMA by the kernel's soft-RoCE, rxe, on an interface without a peer, and the
# real libibverbs. Rows are 'virtual'.
# image: linux-image-amd64
# shellcheck shell=dash disable=SC2154

leave() {
	rdma link delete rxe0 2>/dev/null || :
	ip address flush dev dummy0 2>/dev/null || :
}

# begin: makes the device rxe0, or skips the test.
begin() {
	command -v rdma >/dev/null || skip "no rdma (iproute2)"
	[ -e /sys/module/rdma_rxe ] ||
		skip "this kernel has no rdma_rxe (linux-image-amd64)"
	ls /usr/lib/*/libibverbs/librxe-rdmav*.so >/dev/null 2>&1 ||
		skip "no librxe (ibverbs-providers)"
	trap leave EXIT
	ip link set lo up
	ip link set dummy0 up
	ip address add 10.0.0.1/24 dev dummy0
	rdma link add rxe0 type rxe netdev dummy0
	await 20 is_active
}

is_active() {
	rdma link show rxe0/1 | grep -q 'state ACTIVE'
}

# queues: pcb-collect's queue pairs, one per line.
queues() {
	rdma resource show qp | grep pcb-collect || :
}

has_queue() {
	[ "$(queues)" ]
}

has_none() {
	[ ! "$(queues)" ]
}

# port: everything of the port and its interface that a run might change.
port() {
	rdma link show rxe0/1
	ip address show dummy0
	grep -r . /sys/class/infiniband/rxe0/ports/1/gids
}

each_size() {
	begin
	port >before 2>/dev/null
	run pcb-collect lat_rdma -d rdma:rxe0 -n 20 \
		-s 1,3,64,1000,4096,65536,1M -w 2M --offset 0,5
	gives 0
	[ "$(column kind <out | sort -u)" = virtual ]
	[ "$(column device <out | sort -u)" = rxe0 ]
	[ "$(column interface <out | sort -u)" = rdma/loopback ]
	[ "$(column link <out | sort -u)" = '' ]
	[ "$(column latency_ns <out | grep -c '^[1-9]')" = 280 ]
	[ "$(column size_bytes <out | sort -n | uniq -c | sort -u | wc -l)" = 7 ]
	key rdma <out | grep '^rxe0 port 1, RoCE v2, GID [0-9]*, MTU 1024, '
	port >after 2>/dev/null
	cmp before after
}
check "rounds of all sizes, and the port is as before" each_size

bandwidth() {
	begin
	for depth in 1 16; do
		for qps in 1 4; do
			run pcb-collect bw_rdwr -d rxe0 -n 500 -s 64,4K -w 1M \
				-O depth=$depth -O qps=$qps
			gives 0 "pcb-collect: rxe0 sends to itself: at most \
$((depth * qps * 4096)) bytes are outstanding at a time"
			[ "$(column queue_depth <out | sort -u)" = $depth ]
			[ "$(column queue_pairs <out | sort -u)" = $qps ]
			[ "$(column transfers <out | sort -u)" = 500 ]
			[ "$(column transferred_bytes <out | paste -sd ' ')" \
				= '32000 2048000' ]
		done
	done
}
check "bandwidth by several queue pairs, several at a time" bandwidth

names() {
	begin
	for name in rdma:rxe0 rdma:dummy0 rxe0; do
		run pcb-collect lat_rdma -d $name -n 1
		gives 0
		[ "$(column device <out)" = rxe0 ]
	done
	run pcb-collect list
	grep ',rdma,rxe0,.*,bw_rdwr lat_rdma,' out
	run pcb-collect lat_rdma -n 1
	gives 3
	run pcb-collect lat_rdma -d rdma:rxe1 -n 1
	gives 3
	run pcb-collect lat_rdma -d rdma:rxe0 -O port=2 -n 1
	gives 3 'pcb-collect: -O port=2: rxe0 has 1'
	run pcb-collect lat_rdma -d rdma:rxe0 -O gid=200 -n 1
	gives 3 'pcb-collect: -O gid=200: port 1 of rxe0 has no such GID'
}
check "names of the device, its port and its GIDs" names

inlined() {
	begin
	run pcb-collect lat_rdma -d rdma:rxe0 -n 100 -s 4,64 -O inline=yes
	gives 0
	[ "$(column interface <out | sort -u)" = rdma/loopback/inline ]
	run pcb-collect lat_rdma -d rdma:rxe0 -n 100 -s 64K -w 64K \
		-O inline=yes
	gives 3 "pcb-collect: -O inline=yes: rxe0 does not take 65536 bytes \
in a work request"
}
check "data within the work request" inlined

signals() {
	begin
	for signal in INT:130 TERM:143; do
		start pcb-collect lat_rdma -d rdma:rxe0 -n 1000G
		under_way
		has_queue
		kill "-${signal%:*}" $!
		finish
		gives "${signal#*:}"
		tail -n 1 out | grep '^# end: rows=[0-9]* complete=no '
		has_none
	done
	start pcb-collect bw_rdwr -d rdma:rxe0 -n 1000G -O depth=16
	await 20 has_queue
	kill -KILL $!
	finish
	gives 137
	await 20 has_none
	run pcb-collect bw_rdwr -d rdma:rxe0 -n 100 -O depth=16
	gives 0
}
check "SIGINT, SIGTERM and SIGKILL leave no queue pair" signals

# Without its address, the port has no path to itself.
unplugged() {
	begin
	start pcb-collect lat_rdma -d rdma:rxe0 -n 1000G
	under_way
	ip address flush dev dummy0
	ip link set dummy0 down
	finish
	gives 2
	tail -n 1 err | grep '^pcb-collect: rxe0: a transfer failed: '
	run pcb-collect lat_rdma -d rdma:rxe0 -n 1
	gives 3
	tail -n 1 err | grep '^pcb-collect: rxe0: port 1 is not active, but '
}
check "an interface that goes down meanwhile" unplugged

is_gone() {
	[ ! -e /sys/class/infiniband/rxe0 ]
}

# The kernel removes the device after its last user has closed it.
removed() {
	begin
	start pcb-collect bw_rdwr -d rdma:rxe0 -n 1000G -O depth=16
	await 20 has_queue
	(rdma link delete rxe0 &)
	await 20 pidof rdma
	kill -INT $!
	finish
	gives 130
	await 20 is_gone
	run pcb-collect bw_rdwr -d rdma:rxe0 -n 1
	gives 3
	tail -n 1 err | grep '^pcb-collect: rxe0: no such RDMA device '
}
check "a device that is removed meanwhile" removed

limited() {
	begin
	chmod 666 /dev/infiniband/uverbs0
	ulimit -l 32
	run user pcb-collect bw_rdwr -d rdma:rxe0 -n 1 -w 1M
	gives 3 "pcb-collect: rxe0: 1048576 bytes cannot be registered (Cannot \
allocate memory): raise the limit of locked memory: ulimit -l unlimited"
	run user --inh-caps +ipc_lock --ambient-caps +ipc_lock \
		pcb-collect bw_rdwr -d rdma:rxe0 -n 1 -w 1M
	gives 0
	ulimit -l unlimited
	run user pcb-collect bw_rdwr -d rdma:rxe0 -n 1 -w 1M
	gives 0
	chmod 600 /dev/infiniband/uverbs0
	run user pcb-collect bw_rdwr -d rdma:rxe0 -n 1
	gives 3 "pcb-collect: rxe0: /dev/infiniband/uverbs0: Permission \
denied: sudo chmod a+rw /dev/infiniband/uverbs0"
}
check "a user with too little locked memory, or without rights" limited

# The window and the target take two huge pages of a node.
places() {
	begin
	for node in 0 1; do
		nodes=/sys/devices/system/node/node$node
		echo 4 >$nodes/hugepages/hugepages-2048kB/nr_hugepages
		run pcb-collect bw_rdwr -d rdma:rxe0 -n 100 --node $node \
			-O pages=2M
		echo 0 >$nodes/hugepages/hugepages-2048kB/nr_hugepages
		gives 0
		[ "$(column page_bytes <out)" = 2097152 ]
		[ "$(column node <out)" = $node ]
	done
	run pcb-collect lat_rdma -d rdma:rxe0 -n 10 -s 64 -w 8K,64K \
		--cache cold,host-warm --pattern random,sequential
	gives 0
	[ "$(column cache <out | sort | uniq -c | paste -sd ' ')" = \
		'     40 cold      40 host-warm' ]
}
check "huge pages, nodes, states of caches and patterns" places

listens() {
	netstat -ltn | grep -q ':18515 '
}

# peer PROGRAM ARGUMENT...: runs both ends of perftest's PROGRAM on rxe0.
peer() {
	"$@" -d rxe0 -x "$gid" -F >server 2>&1 </dev/null &
	await 20 listens
	"$@" -d rxe0 -x "$gid" -F 127.0.0.1
	wait
}

# The results are not comparable: perftest halves the round trip to another
# process, which sees the data in memory.
perftest() {
	begin
	command -v ib_write_bw >/dev/null ||
		skip "no perftest"
	run pcb-collect lat_rdma -d rdma:rxe0 -n 2000
	gives 0
	gid=$(key rdma <out | sed 's/.*GID \([0-9]*\),.*/\1/')
	pcb-stats <out >/tmp/results/lat_rdma.csv
	peer ib_write_lat -s 64 -n 2000 >/tmp/results/ib_write_lat
	grep '^ *64 *2000 ' /tmp/results/ib_write_lat
	for size in 64 4096; do
		pcb-collect bw_rdwr -d rdma:rxe0 -n 2000 -s $size -w 1M \
			-O depth=128 -P >>/tmp/results/bw_rdwr.csv
		peer ib_write_bw -s $size -n 2000 --report_gbits \
			>>/tmp/results/ib_write_bw
		grep "^ *$size *2000 " /tmp/results/ib_write_bw
	done
}
check "perftest on the same device" perftest
