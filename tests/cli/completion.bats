#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Completion in bash, zsh and fish.

load helpers

setup() {
	# shellcheck source=/dev/null
	source "$TOP/share/bash-completion/completions/pcb-tools"
}

# completes LINE WANTED...: the completions of the last word of the line.
completes() {
	COMP_LINE=$1
	COMP_POINT=${#1}
	_pcb
	[ "${COMPREPLY[*]}" = "${*:2}" ] || {
		echo "$1: ${COMPREPLY[*]}; wanted ${*:2}"
		return 1
	}
}

@test "options, values, what is measured" {
	completes 'pcb-ddio -' -t --duration -x --perf -f --format --bytes -o \
		--output -P \
		--no-preamble -h --help -V --version --debug -v --verbose
	completes 'pcb-stats --pop' --population
	completes 'pcb-stats --po' --pool --population
	completes 'pcb-stats -f ' csv table md json jsonl openmetrics
	completes 'pcb-stats --format=t' table
	completes 'pcb-stats --format=' csv table md json jsonl openmetrics
	completes 'pcb-stats -P '
	completes 'pcb-stats '
	completes 'pcb-stats x -p '
	completes 'pcb-collect l' lat_rd lat_wrrd lat_cfg lat_mmio \
		lat_mmio_wr lat_mmio_flush link lat_nvme lat_rdma list
	completes 'pcb-collect lat_rd --cache h' host-warm
	completes 'pcb-collect lat_rd '
	completes 'pcb-model --flit ' on off
	completes 'pcb-model -M si' simple
	completes 'pcb-model --dir' --direction
	completes 'pcb-model --direction ' rx tx both
	completes 'pcb-model in' inflight
	completes 'pcb-import n' nettlp ndl nvbandwidth nvbench
	completes 'pcb-plot -T d' dumb
	completes 'pcb-plot h' heat
	completes 'pcb-experiments s' suite
	completes 'pcb-experiments fig1 DEV' DEVICE=
}

@test "devices, profiles, lists" {
	cd "$BATS_TEST_TMPDIR" || return
	completes 'pcb-collect lat_rd -d si' sim sim:default \
		"$(pcb-collect -d sim:help | awk '{ print "sim:" $1 }' | tr '\n' ' ' |
			sed 's/ $//')"
	# bash replaces the part behind the colon.
	completes 'pcb-collect lat_rd -d sim:gen5' gen5x16
	completes 'pcb-collect lat_rd --device=edu:x,sim:gen5' gen5x16
	completes 'pcb-collect lat_rd --cache cold,h' cold,host-warm
	completes 'pcb-collect lat_cfg --hold aspm,po' aspm,power
	completes 'pcb-model nic -M sim' simple
	[ "$(pcb-collect list -P -d pci | cut -d, -f 3 | sed 1d | sort)" = \
		"$(pcb-collect --completion-data lat_cfg -d '' |
			grep '^....:..:' | sort)" ]
}

@test "the same in fish" {
	command -v fish >/dev/null || skip "fish is not installed"
	cd "$BATS_TEST_TMPDIR" || return
	# in_fish LINE WANTED: the first word of each of its completions.
	in_fish() {
		run fish --no-config -c "source '$TOP'/share/fish/*/pcb-tools.fish
			complete -C '$1'"
		[[ " ${lines[*]%%$'\t'*} " == *" $2 "* ]] || show "$2"
	}
	in_fish 'pcb-collect lat_rd -d sim:gen5' sim:gen5x16
	in_fish 'pcb-collect l' 'lat_rd'
	in_fish 'pcb-collect lat_rd --cache=cold,h' --cache=cold,host-warm
	in_fish 'pcb-stats --pop' --population
}

@test "the same in zsh" {
	command -v zsh >/dev/null || skip "zsh is not installed"
	# The completions that zsh would offer, of the words given.
	cd "$BATS_TEST_TMPDIR" || return
	cat >run <<-'END'
	compset() { }
	_files() { print files }
	compadd() {
		while [[ $1 != -- ]]; do shift; done
		shift
		print -l -- "$@"
	}
	words=("$@") CURRENT=$#
	offer() { source $TOP/share/zsh/site-functions/_pcb-tools }
	offer
	END
	run zsh -f run pcb-collect lat_rd -d sim:
	[[ " ${lines[*]} " == *" sim:gen5x16 "* ]] || show sim:gen5x16
	run zsh -f run pcb-collect l
	[[ " ${lines[*]} " == *" lat_rd "* ]] || show lat_rd
	run zsh -f run pcb-stats ''
	[ "$output" = files ]
}
