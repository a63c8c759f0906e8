#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Other simulators with pcb-host as their host, and a service of systemd. bats
# sets $stderr.
# shellcheck disable=SC2154

load helpers

setup() {
	cd "$BATS_TEST_TMPDIR" || exit
	examples=$TOP/examples/host
}

@test "examples: the class for cocotb, without it" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	try python3 "$examples/pcb_host.py"
	is 0 "a read at 0 ps: 370000
a read at 1000000 ps: 1370000
a write, and a read behind it: 60000 360000" ""
}

# What the class uses of cocotb: a clock, and a trigger that advances it.
stand_in() {
	mkdir cocotb
	echo 'now = 0' >cocotb/__init__.py
	cat >cocotb/utils.py <<-'END'
	import cocotb
	def get_sim_time(unit):
	    return {"ps": cocotb.now}[unit]
	END
	cat >cocotb/triggers.py <<-'END'
	import cocotb
	class Timer:
	    def __init__(self, time, unit):
	        self.ps = {"ps": time}[unit]
	    def __await__(self):
	        cocotb.now += self.ps
	        yield
	END
}

@test "examples: a coroutine of cocotb waits as long as the host" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	stand_in
	PYTHONPATH=$PWD:$examples try python3 -c '
import asyncio, cocotb, pcb_host
async def read(address, length, fill): return bytes([fill]) * length
host = pcb_host.PcbHost("sim", "-O", "jitter=0ns", "-O", "refresh=0ns",
                        "-O", "drift=0", at="root")
cocotb.now = 5000
print(asyncio.run(host.delayed(read)(0x1000, 2, fill=7)), cocotb.now)
raise SystemExit(host.close())'
	is 0 "b'\\x07\\x07' 375000" ""
}

@test "examples: Icarus Verilog through two pipes" {
	command -v iverilog >/dev/null || skip "iverilog is not installed"
	mkfifo to from
	pcb-host --at root -O jitter=0ns -O drift=0 -O refresh=0ns \
		<to >from 3>&- &
	iverilog -o tb "$examples/host_tb.v"
	try timeout 60 vvp -n tb
	[ "$status" = 0 ]
	[ "${lines[0]}" = "a read of 64 bytes: 370.000 ns" ]
	[ "${lines[1]}" = "and the next one: 370.000 ns" ]
	wait
}

@test "examples: a network, with the library" {
	[ "$(command -v pcb-host)" = "$TOP/bin/pcb-host" ] ||
		skip "these are not the programs of make"
	"${CC:-cc}" -Wall -Wextra -Werror -I"$TOP/src/host" -o network \
		"$examples/network.c" -L"$TOP/build" -lpcb-host -lcsv -ljansson -lm
	try ./network sim:default
	[ "$status" = 0 ]
	[[ "$output" =~ ^([0-9]+)\ of\ 2000\ frames\ dropped\;\ a\ descriptor\ took\ ([0-9]+)\ ns ]]
	dropped=${BASH_REMATCH[1]}
	# A read of 384 ns, which may wait for a write or a refresh.
	[ "${BASH_REMATCH[2]}" -ge 384 ]
	[ "${BASH_REMATCH[2]}" -le 600 ]
	[ "$dropped" -lt 100 ]
	# 24 frames arrive in 710 ns: a slower host loses many more.
	try ./network sim:default rc=700ns
	[ "${output%% *}" -gt $((5 * dropped + 100)) ]
}

# unit INSTANCE: the service, with the programs of this tree.
unit() {
	mkdir -p units
	sed "s|/usr/bin/|$(dirname "$(command -v pcb-collect)")/|" \
		"$TOP/examples/systemd/pcb-nvme@.service" \
		>"units/pcb-nvme@$1.service"
}

@test "examples: systemd understands the service" {
	command -v systemd-analyze >/dev/null || skip "systemd is not installed"
	unit a
	try systemd-analyze verify --man=no units/pcb-nvme@a.service
	# systemd-analyze reports unknown directives, but with status 0.
	is 0 "" ""
}

@test "examples: the service is in a sandbox" {
	systemd-analyze security --help | grep -q -e --offline ||
		skip "there is no systemd that judges files"
	unit a
	systemd-analyze security --offline=yes --threshold=25 --no-pager \
		units/pcb-nvme@a.service >found || { cat found && false; }
}
