#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# pcb-host: a host for other simulators.
# Formats of printf are arguments here, and bats sets $stderr.
# shellcheck disable=SC2059,SC2154

load helpers

tests pcb-host

setup() {
	cd "$BATS_TEST_TMPDIR" || exit
}

quiet=(-O jitter=0ns -O drift=0 -O refresh=0ns)

# answers LINES WANTED OPTION...: printf formats.
answers() {
	local wanted

	printf -v wanted -- "$2"
	given "$1" "${quiet[@]}" "${@:3}"
	is 0 "$wanted" "" "$1"
}

# 300 ns in the root complex and 70 in memory; 24, 84 and 40 bytes of a link of
# 7.877 GB/s are 3.048, 10.664 and 5.078 ns.
@test "a read and a write, as the model adds them up" {
	answers '0 0 64 read\n' '383712 383712'
	answers '0 0 64 read\n' '370000 370000' --at root
	answers '1us 0x1000 64 read\n' '1370000 1370000' --at root
	answers '1000,4096,64,write\n' '1000 61000' --at root
	# The line is cached then; a read waits for the write.
	answers '0 0 64 write\n0 0 64 read\n' '0 60000\n360000 360000' --at root
	answers '# no answer\n\n\t 0 , 0 64 read' '370000 370000' --at root
}

@test "requests are cut at the device, and answered in order" {
	try pcb-host "${quiet[@]}" <<<'0 0 4K read'
	[ "$status" = 0 ]
	# The first line of eight requests; all of 4 KiB and 16 headers.
	[[ "$output" = "383712 "* ]]
	last=${output#* }
	[ $((last - 373048)) -gt $((4416 * 1000 / 8)) ]
	[ $((last - 373048)) -lt $((4800 * 1000 / 7)) ]
	refuses '0 4090 64 read\n' "standard input:1: a request must not \
cross a page of 4096 bytes" --at root
}

@test "states of the caches, and idle" {
	answers 'prepare host-warm 64K local\n0 0 64 read\n' '315000 315000' \
		--at root
	answers 'prepare device-warm 64K local\n0 0 64 read\n' \
		'300000 300000' --at root
	answers 'prepare host-warm 64K remote\n0 0 64 read\n' \
		'430000 430000' --at root
	answers 'prepare device-warm 64K local\nflush\n0 0 64 read\n' \
		'370000 370000' --at root
	answers '5 0 64 read\nidle\n0 0 64 read\n' \
		'370005 370005\n370000 370000' --at root
}

@test "the generator can be kept and put back" {
	try pcb-host --seed 7 <<<$'random\n0 0 64 read\nrandom 7\n'\
$'idle\n0 0 64 read\nidle\n0 0 64 read'
	[ "$status" = 0 ]
	[ "${lines[0]}" = 7 ]
	[ "${lines[1]}" = "${lines[3]}" ]
	[ "${lines[3]}" != "${lines[4]}" ]
}

@test "each line has its answer before the next one is sent" {
	coproc host { pcb-host "${quiet[@]}" --at root; }
	for ((i = 0; i < 3; i++)); do
		echo "${i}us 0 64 read" >&"${host[1]}"
		read -r -t 20 -u "${host[0]}" first _
		[ "$first" = $((370000 + i * 1000000)) ]
	done
	pid=$host_PID
	eval "exec ${host[1]}>&-"
	wait "$pid"
}

@test "wrong lines are refused with their place" {
	local line

	while IFS='|' read -r line why; do
		refuses "# first\n$line\n" "standard input:2: $why"
	done <<-'EOF'
	0 0 64|not TIME ADDRESS SIZE KIND, prepare, flush, idle or random
	0 0 64 read 1|not TIME ADDRESS SIZE KIND, prepare, flush, idle or random
	stop|not TIME ADDRESS SIZE KIND, prepare, flush, idle or random
	0 0 64 copy|a transaction is a read or a write
	-1 0 64 read|not a time with its unit, such as 100ns, 1.5us, 10s or 5min
	0 0 0 read|a transaction has 1 to 4096 bytes
	0 0 4097 read|a transaction has 1 to 4096 bytes
	0 0x10000000000 64 read|the host has addresses below 2^40
	4611686018427387904 0 64 read|times are below 2^62 ps
	prepare hot 64K local|a state is cold, thrashed, host-warm or device-warm
	prepare cold 64K 1|a node is local or remote
	EOF
	given '2 0 64 read\n1 0 64 read\n' "${quiet[@]}" --at root
	is 2 "370002 370002" "pcb-host: standard input:2: its time is before \
that of the last transaction"
	wrong "--at 'nic': not device or root" --at nic
	try pcb-host -d sim:nfp <<<'0 0 64 read'
	is 3 "" "pcb-host: sim:nfp: no such profile (-d sim:help lists them)"
}

@test "the library: a program of a page" {
	[ "$(command -v pcb-host)" = "$TOP/bin/pcb-host" ] ||
		skip "these are not the programs of make"
	cat >sim.c <<-'END'
	#include "pcb_host.h"

	#include <stdio.h>

	int
	main(void)
	{
		const char *const options[] = {"jitter=0ns", "drift=0",
		                               "refresh=0ns", NULL};
		struct pcb_host_setup setup = {.options = options};
		struct pcb_host_transaction t = {.size = 64};
		struct pcb_host *host = pcb_host_open(&setup);

		if (!pcb_host_check(host, &t))
			printf("%ju\n", pcb_host_take(host, &t).last);
		pcb_host_close(host);
		return 0;
	}
	END
	"${CC:-cc}" -I"$TOP/src/host" -o sim sim.c -L"$TOP/build" -lpcb-host \
		-lcsv -ljansson -lm
	try ./sim
	is 0 383712 ""
}
