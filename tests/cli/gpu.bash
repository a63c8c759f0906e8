# SPDX-License-Identifier: GPL-2.0-or-later
# Helpers for tests of pcb-collect with a library that takes the place of
# NVIDIA's driver: it runs the programs on a virtual GPU.
# bats sets $stderr and $output.
# shellcheck shell=bash disable=SC2154

tests pcb-collect

unknown="0000:ff:1f.7: the kernel shows no such GPU, whatever libcuda.so.1 \
says: rows are marked 'virtual'"

setup() {
	cd "$BATS_TEST_TMPDIR" || exit
	: "${PCB_FAKE:=$TOP/build/fake}"
	# Beside programs that are installed there is none.
	[ -e "$PCB_FAKE/libcuda.so.1" ] ||
		skip "$PCB_FAKE/libcuda.so.1 is not built"
	export FAKE_CUDA_LOG=log
}

# gpu ARGUMENT...: pcb-collect with the other driver. The machine may be slow,
# but nothing here waits. On a busy one others empty and fill the caches, too,
# so that it takes another try to have them as wanted.
gpu() {
	for _ in 1 2 3 4 5; do
		true >log
		LD_LIBRARY_PATH=$PCB_FAKE try timeout 60 pcb-collect "$@"
		[[ "$stderr" = *"of a sample of lines"* ]] || break
	done
}

# proven: whether this machine lets itself be measured: under an emulator or
# on a busy host, loads may take equally long from a cache and from memory.
proven() {
	[[ "$stderr" != *"cannot be verified"* ]] ||
		skip "the caches of this machine cannot be seen"
	[[ ${EMULATED:-} = "" || "$stderr" != *"of a sample of lines"* ]] ||
		skip "$EMULATED has no caches"
}

# all_freed: nothing is left of what was had from the driver.
all_freed() {
	local calls

	mapfile -t calls <log
	[ "${calls[*]: -1}" = "left: contexts 0 modules 0 memory 0 \
registered 0 streams 0 events 0" ] || show "${calls[*]: -1}"
}

# works STDOUT-ROWS: done, everything freed, and only the known warning.
works() {
	proven
	[ "$status" = 0 ] || show 0
	[ "$stderr" = "pcb-collect: $unknown" ] || show "$unknown"
	all_freed
	[ "$(grep -vc '^#' <<<"$output")" = "$(($1 + 1))" ] || show "$1 rows"
}

# fails STATUS MESSAGE: with that as the last message, and everything freed.
fails() {
	[ "$status" = "$1" ] || show "$1"
	[ "${stderr##*$'\n'}" = "pcb-collect: $2" ] || show "$2"
	[ ! -s log ] || all_freed
}

# near WANTED IS: to three thousandths; the rate of the clock is measured, too.
near() {
	awk "BEGIN { exit !($2 > 0.997 * $1 && $2 < 1.003 * $1) }" || show "$1"
}
