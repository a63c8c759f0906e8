#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Completion in bash.
# shellcheck disable=SC2154

load helpers

setup() {
	# shellcheck source=/dev/null
	source "$TOP/share/bash-completion/completions/pcb-tools"
}

# completes WORDS WANTED...: what there is for the last of the words.
completes() {
	read -ra COMP_WORDS <<<"$1"
	[[ $1 != *' ' ]] || COMP_WORDS+=('')
	COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
	_pcb "${COMP_WORDS[0]}"
	[ "${COMPREPLY[*]}" = "${*:2}" ] || {
		echo "$1: ${COMPREPLY[*]}; wanted ${*:2}"
		return 1
	}
}

@test "options, values, what is measured" {
	completes 'pcb-ddio -' -t --duration -x --perf -f --format --bytes -o \
		--output -P \
		--no-preamble -h --help --version --debug
	completes 'pcb-stats --pop' --population
	completes 'pcb-stats --po' --pool --population
	completes 'pcb-stats -f ' csv table md jsonl openmetrics
	completes 'pcb-stats --format = t' table
	completes 'pcb-stats --format =' csv table md jsonl openmetrics
	completes 'pcb-stats '
	completes 'pcb-stats x -p '
	completes 'pcb-collect l' lat_rd lat_wrrd lat_cfg lat_mmio \
		lat_mmio_wr lat_mmio_flush lat_nvme list
	completes 'pcb-collect lat_rd --cache h' host-warm
	completes 'pcb-collect lat_rd '
	completes 'pcb-model --flit ' on off
	completes 'pcb-model -M '
	completes 'pcb-model --dir' --direction
	completes 'pcb-model --direction ' rx tx both
	completes 'pcb-model in' inflight
	completes 'pcb-import n' nettlp ndl nvbandwidth
	completes 'pcb-plot -T d' dumb
	completes 'pcb-plot h' hist heat
}
