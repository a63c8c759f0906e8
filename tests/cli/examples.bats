#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The example of a service of systemd.

load helpers

# unit INSTANCE: the service, with the programs of this tree.
unit() {
	mkdir -p units
	sed "s|/usr/bin/|$(dirname "$(command -v pcb-collect)")/|" \
		"$TOP/examples/systemd/pcb-nvme@.service" \
		>"units/pcb-nvme@$1.service"
}

@test "examples: systemd understands the service" {
	command -v systemd-analyze >/dev/null || skip "systemd is not installed"
	unit a
	try systemd-analyze verify --man=no units/pcb-nvme@a.service
	# systemd-analyze reports unknown directives, but with status 0.
	is 0 "" ""
}

@test "examples: the service is in a sandbox" {
	systemd-analyze security --help | grep -q -e --offline ||
		skip "there is no systemd that judges files"
	unit a
	systemd-analyze security --offline=yes --threshold=25 --no-pager \
		units/pcb-nvme@a.service >found || { cat found && false; }
}
