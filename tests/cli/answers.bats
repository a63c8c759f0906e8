#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# doc/answers.md: runs its commands and compares its numbers.

load helpers

@test "the numbers of doc/answers.md are those of its commands" {
	local page commands command value

	page=$(tr '\n' ' ' <"$TOP/doc/answers.md")
	mapfile -t commands < <(sed -n 's/^    \(pcb-model .*\)/\1/p' \
		"$TOP/doc/answers.md")
	[ "${#commands[@]}" = 9 ]
	for command in "${commands[@]}"; do
		[[ "$command" != *" why "* ]] || continue
		# shellcheck disable=SC2086
		$command -P >rows
		for value in $(column bandwidth_gbit_s <rows |
			xargs printf '%.1f '); do
			[[ "$page" == *"$value"* ]] && continue
			echo "$command: $value is not on the page"
			return 1
		done
	done
}

@test "the first causes of doc/answers.md are those of pcb-model why" {
	local number cause

	while read -r number link options cause; do
		# shellcheck disable=SC2086
		pcb-model why "$number" "$link" ${options//_/ } -P >rows
		[ "$(column cause <rows | head -n 1)" = "$cause" ]
	done <<-'EOF'
		12GB/s gen3x16 -f_csv completions
		25GB/s gen4x16 -f_csv completions
	EOF
}
