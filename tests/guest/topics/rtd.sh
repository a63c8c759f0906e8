# SPDX-License-Identifier: GPL-2.0-or-later
# pcb-collect rtd without an I210: its kernel calls run on a veth, where the
# kernel delays packets instead of the NIC, and on a NIC whose driver dumps
# registers. It shares the guest of rights.sh, and so its requirements.
# kernel: iomem=relaxed pcie_aspm.policy=powersave
# shellcheck shell=dash disable=SC2154
# qemu: -netdev user,id=net1,restrict=on -device vmxnet3,bus=pcie.0,addr=0xa,netdev=net1 -blockdev driver=null-co,node-name=disk2,size=67108864,read-zeroes=on -device virtio-blk-pci,bus=pcie.0,addr=0xb,drive=disk2

# interface [QUEUES]: creates a veth pair that is up; its name is v0.
interface() {
	/usr/bin/ip link del v0 2>/dev/null || :
	/usr/bin/ip link add v0 numtxqueues "${1:-1}" type veth peer name v1 ||
		skip "the kernel has no veth"
	/usr/bin/ip link set v0 up
	/usr/bin/ip link set v1 up
}

# nic DRIVER: the interface with this driver.
nic() {
	for net in /sys/class/net/*; do
		case $(readlink "$net/device/driver" || :) in
		*/"$1") echo "${net##*/}" ;;
		esac
	done
}

# state FILE: saves what could change on v0.
state() {
	/usr/bin/tc qdisc show dev v0 >"$1"
	cat /sys/class/net/v0/flags >>"$1"
}

as_before() {
	state after
	diff before after
	! pidof pcb-guardian
}

absent() {
	net=$(nic vmxnet3)
	[ "$net" ] || skip "no interface with the driver vmxnet3"
	run pcb-collect rtd
	gives 3 "pcb-collect: 'pcb-collect list' shows what each can, and why \
not more"
	run pcb-collect rtd -d "i210:$net"
	gives 3 "pcb-collect: $net: 15ad:07b0 is no Intel I210"
	[ ! -s out ]
	run pcb-collect rtd -d i210:lo
	gives 3 "pcb-collect: lo: no Intel I210: virtual, or not on PCI"
	run pcb-collect list -P
	grep "^guest,i210,$net,,,vmxnet3,,,15ad:07b0 is no Intel I210," out
}
check "without an I210: which interfaces there are, and why none serves" \
	absent

registers() {
	net=$(nic vmxnet3)
	[ "$net" ] || skip "no interface with the driver vmxnet3"
	run launch register "$net"
	gives 0
	run user launch register "$net"
	gives 1 "launch: ETHTOOL_GREGS: Operation not permitted"
}
check "registers by the driver, shorter than an I210's; not for users" \
	registers

launches() {
	interface
	state before
	run launch send v0
	[ "$status" != 3 ] || skip "$(cat err)"
	gives 0
	cat out
	grep '^qdisc etf 100: root ' out
	grep -x 'later: early 0 left [1-5] missed [0-4]' out
	grep -x 'too late: early 0 left 0 missed 5' out
	as_before
}
check "packets leave on time, and those too late come back" launches

queues() {
	for n in 2 4; do
		interface $n
		state before
		run launch send v0
		[ "$status" != 3 ] || skip "$(cat err)"
		gives 0
		cat out
		grep '^qdisc mqprio 100: root ' out
		grep '^qdisc etf [0-9a-f]*: parent 100:1 ' out
		grep -x 'later: early 0 left [1-5] missed [0-4]' out
		grep -x 'too late: early 0 left 0 missed 5' out
		as_before
	done
}
check "they have a queue of their own, of two and of four" queues

holds_or_has_ended() {
	grep -q held out || ! kill -0 $!
}

put_back() {
	interface
	state before
	for signal in TERM INT KILL; do
		rm -f out
		start launch hold v0
		await 10 holds_or_has_ended
		grep -q held out || skip "$(cat err)"
		/usr/bin/tc qdisc show dev v0 | grep '^qdisc etf '
		kill -$signal $!
		finish
		await 10 guardian_is_done
		as_before
	done
}
check "the default queueing discipline returns, even after kill -9" put_back

refused() {
	interface 4
	for qdisc in mq fq_codel 'pfifo limit 77' 'fq maxrate 3mbit'; do
		# shellcheck disable=SC2086
		/usr/bin/tc qdisc add dev v0 root handle 7: $qdisc
		state before
		run launch send v0
		gives 1 "launch: taking the queues: Device or resource busy"
		as_before
		/usr/bin/tc qdisc del dev v0 root
	done
}
check "those that somebody has configured are not touched" refused
