#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Time that grows with the input, not with its square.

load helpers

@test "twice the names cost each reader about twice the time" {
	try env BENCH_NAMES=6000 "$TOP/tests/bench/growth.sh"
	[ "$status" = 0 ] || show "$output $stderr"
	[ "${#lines[@]}" -ge 30 ]
}
