# SPDX-License-Identifier: GPL-2.0-or-later
# Verifies that a page has texts whose numbers a test computes. For files that
# load helpers.
# shellcheck shell=bash

# page FILE: sets `text` to the page without indented lines (commands and their
# output) and targets of links.
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
