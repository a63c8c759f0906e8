# SPDX-License-Identifier: GPL-2.0-or-later
# Verifies that each number of a page is in a text that a test computes, or is a
# name. For files that load helpers.
# shellcheck shell=bash

# page FILE: sets `text` to the page without indented lines (commands and their
# output) and targets of links. Each check removes what it has found.
page() {
	text=$(grep -v '^    ' "$TOP/$1" | sed 's/](\([^()]\|([^()]*)\)*)/]/g' |
		tr -s '\n ' ' ')
}

# manual PAGE [SECTION]: the same for a formatted manual page, or one of its
# sections.
manual() {
	text=$(mandoc -Tascii -O width=500 "$TOP/man/$1" | sed 's/.\x08//g' |
		awk -v section="${2:-}" '
		/^[A-Z]/ { on = section == "" || $0 == section; next } on' |
		tr -s '\n ' ' ')
}

# says TEXT: the page has TEXT, whose numbers commands of the test computed.
says() {
	[[ $text == *"$1"* ]] || {
		echo "the page does not say: $1"
		return 1
	}
	text=${text/"$1"/ ... }
}

# names TEXT...: numbers of the page that are no results: names, sizes in
# commands, counts of items, or quotations.
names() {
	local name

	for name in "$@"; do
		says "$name"
	done
}

# elsewhere FILE TEXT...: results that the test in FILE verifies.
elsewhere() {
	[ -e "$TOP/tests/$1" ] && names "${@:2}"
}

# nothing_else: no other number is on the page, except in code and in single
# words such as E5-2630 or 03:00.0.
nothing_else() {
	local left

	left=$(sed -E 's/`[^`]*`//g; s/(Figure|Table) [0-9]+//g; s/[^ ]*[0-9a-f]{2}:[0-9a-f]{2}\.[^ ]*//g' \
		<<<" $text" | grep -oE '.{0,40} [^A-Za-z ]*[0-9].{0,30}') || :
	[ -z "$left" ] || {
		echo "numbers that no command gives:"
		echo "$left"
		return 1
	}
}

# model COLUMN ARGUMENT...: a value of the first row that pcb-model writes.
model() {
	pcb-model -P "${@:2}" | column "$1" | head -n 1
}

# fmt FORMAT EXPRESSION...: the values of awk's expressions.
fmt() {
	local format=$1 IFS=,

	shift
	LC_ALL=C awk "BEGIN { printf \"$format\", $* }"
}
