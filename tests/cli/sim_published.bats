#!/usr/bin/env bats
# The simulated device next to what it takes the place of.

load helpers

@test "as near to what was published as it was found to be" {
	[ -n "${PCB_TEST_DATA:-}" ] || skip "PCB_TEST_DATA is not set"
	cd "$BATS_TEST_TMPDIR"
	"$TOP/tools/sim-compare" "$PCB_TEST_DATA/pciebench" >compare.txt
	diff -u "$TOP/tests/data/sim/compare.txt" compare.txt
}
