# SPDX-License-Identifier: GPL-2.0-or-later
# Numbers of a page: each is in a text that a test computes, or is a name. For
# files that load helpers.
# shellcheck shell=bash

# page FILE: its text, without what is indented (commands and their output) and
# where links go to, in `text`; what is checked is taken out of it.
page() {
	text=$(grep -v '^    ' "$TOP/$1" | sed 's/](\([^()]\|([^()]*)\)*)/]/g' |
		tr -s '\n ' ' ')
}

# manual PAGE [SECTION]: the same of a manual page as people read it, or of one of
# its sections.
manual() {
	text=$(mandoc -Tascii -O width=500 "$TOP/man/$1" | sed 's/.\x08//g' |
		awk -v section="${2:-}" '
		/^[A-Z]/ { on = section == "" || $0 == section; next } on' |
		tr -s '\n ' ' ')
}

# says TEXT: the page has this; its numbers come from commands of the test.
says() {
	[[ $text == *"$1"* ]] || {
		echo "the page does not say: $1"
		return 1
	}
	text=${text/"$1"/ ... }
}

# names TEXT...: what the page has is no result, but a name, a size that a
# command uses, a count of what follows, or somebody's question.
names() {
	local name

	for name in "$@"; do
		says "$name"
	done
}

# elsewhere FILE TEXT...: the test in that file has the result.
elsewhere() {
	[ -e "$TOP/tests/$1" ] && names "${@:2}"
}

# nothing_else: no number is left on the page, but in code and in names of one
# word, such as E5-2630 or 03:00.0.
# shellcheck disable=SC2016 # Markdown's backquotes
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

# model COLUMN ARGUMENT...: of the first row that pcb-model writes.
model() {
	pcb-model -P "${@:2}" | column "$1" | head -n 1
}

# fmt FORMAT EXPRESSION...: awk's values of them.
fmt() {
	local format=$1 IFS=,

	shift
	LC_ALL=C awk "BEGIN { printf \"$format\", $* }"
}
