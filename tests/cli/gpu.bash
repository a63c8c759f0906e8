# SPDX-License-Identifier: GPL-2.0-or-later
# Helpers for tests of pcb-collect with a fake NVIDIA driver, which runs the
# programs on a virtual GPU.
# shellcheck shell=bash

tests pcb-collect

unknown="0000:ff:1f.7: the kernel shows no such GPU, whatever libcuda.so.1 \
says: rows are marked 'virtual'"

setup() {
	cd "$BATS_TEST_TMPDIR" || exit
	: "${PCB_FAKE:=$TOP/build/fake}"
	# Installed programs have no fake driver beside them.
	[ -e "$PCB_FAKE/libcuda.so.1" ] ||
		skip "$PCB_FAKE/libcuda.so.1 is not built"
	# Clocks are interpreted only where a test is about them.
	export FAKE_CUDA_LOG=log FAKE_CUDA_IS=brisk
}

# gpu ARGUMENT...: pcb-collect with the fake driver, which needs no time. On a
# busy machine other programs empty and fill the caches, so a cache state may
# need another try.
gpu() {
	for _ in 1 2 3 4 5; do
		true >log
		LD_LIBRARY_PATH=$PCB_FAKE try timeout 60 pcb-collect "$@"
		[[ "$stderr" = *"of a sample of lines"* ]] || break
	done
}

# proven: whether cache states can be verified here: under an emulator or on a
# busy host, loads from a cache and from memory may take equally long.
proven() {
	[[ "$stderr" != *"cannot be verified"* ]] ||
		skip "the caches of this machine cannot be seen"
	[[ ${EMULATED:-} = "" || "$stderr" != *"of a sample of lines"* ]] ||
		skip "$EMULATED has no caches"
}

# all_freed: no memory of the driver is left.
all_freed() {
	local calls

	mapfile -t calls <log
	[ "${calls[*]: -1}" = "left: contexts 0 modules 0 memory 0 \
registered 0 streams 0 events 0" ] || show "${calls[*]: -1}"
}

# works STDOUT-ROWS: success, everything freed, and only the known warning.
works() {
	proven
	[ "$status" = 0 ] || show 0
	[ "$stderr" = "pcb-collect: $unknown" ] || show "$unknown"
	all_freed
	[ "$(grep -vc '^#' <<<"$output")" = "$(($1 + 1))" ] || show "$1 rows"
}

# fails STATUS MESSAGE: with that last message, and everything freed.
fails() {
	[ "$status" = "$1" ] || show "$1"
	said=${stderr##*$'\n'}
	# The rate is measured.
	[[ "${said/1999 MHz/2000 MHz}" = "pcb-collect: $2"* ]] || show "$2"
	[ ! -s log ] || all_freed
}

# near WANTED IS: to three thousandths, since the clock's rate is measured, too.
near() {
	awk "BEGIN { exit !($2 > 0.997 * $1 && $2 < 1.003 * $1) }" || show "$1"
}
