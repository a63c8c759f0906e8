# SPDX-License-Identifier: GPL-2.0-or-later
# Values of the model and of expressions. For files that load helpers.
# shellcheck shell=bash

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
