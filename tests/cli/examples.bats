#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The examples: services of systemd, and files for programs that watch fleets.

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

@test "examples: systemd understands the timer and what it starts" {
	command -v systemd-analyze >/dev/null || skip "systemd is not installed"
	mkdir units
	cp "$TOP"/examples/systemd/pcb-doctor.timer units
	sed "s|/usr/bin/|$(dirname "$(command -v pcb-doctor)")/|" \
		"$TOP/examples/systemd/pcb-doctor.service" \
		>units/pcb-doctor.service
	try systemd-analyze verify --man=no units/pcb-doctor.service \
		units/pcb-doctor.timer
	is 0 "" ""
}

# sick LANES: a dump of a port of eight lanes and a NIC, trained to LANES, and a
# pcb-doctor that reads it.
sick() {
	mkdir -p bin
	cat >dump <<-END
		00:01.0 PCI bridge: Intel Corporation Root Port (prog-if 00 [Normal decode])
			Bus: primary=00, secondary=01, subordinate=01, sec-latency=0
			Capabilities: [40] Express (v2) Root Port (Slot+), MSI 00
				DevCtl:	CorrErr- NonFatalErr- FatalErr- UnsupReq-
					MaxPayload 256 bytes, MaxReadReq 512 bytes
				LnkCap:	Port #1, Speed 8GT/s, Width x8, ASPM not supported
				LnkSta:	Speed 8GT/s, Width x$1
				SltCap:	AttnBtn- PwrCtrl- MRL- AttnInd- PwrInd- HotPlug- Surprise-
		01:00.0 Ethernet controller: Intel Corporation 82599ES (rev 01)
			Capabilities: [40] Express (v2) Endpoint, MSI 00
				DevCtl:	CorrErr- NonFatalErr- FatalErr- UnsupReq-
					MaxPayload 256 bytes, MaxReadReq 512 bytes
				LnkCap:	Port #0, Speed 8GT/s, Width x8, ASPM not supported
				LnkSta:	Speed 8GT/s, Width x$1
	END
	printf '#!/bin/sh\nexec %s "$@" --dump "%s"\n' \
		"$(command -v pcb-doctor)" "$PWD/dump" >bin/pcb-doctor
	chmod +x bin/pcb-doctor
}

@test "examples: the prolog of Slurm stops jobs on a sick node only" {
	sick 8
	try env PATH="$PWD/bin:$PATH" "$TOP/examples/fleet/slurm-prolog"
	is 0 "" ""
	sick 4
	try env PATH="$PWD/bin:$PATH" "$TOP/examples/fleet/slurm-prolog"
	[[ "$status" = 1 && "$stderr" = "PCIE CRITICAL - link_width "* ]] ||
		show "status 1, CRITICAL"
	rm dump
	try env PATH="$PWD/bin:$PATH" "$TOP/examples/fleet/slurm-prolog"
	is 0 "" ""
}

@test "examples: NPD's file has what its plugins need" {
	command -v jq >/dev/null || skip "needs jq"
	jq -e '.plugin == "custom" and .conditions[0].type == .rules[0].condition
		and (.rules[0] | .type == "permanent" and .reason and .path)
		and .conditions[0].reason != .rules[0].reason' \
		"$TOP/examples/fleet/npd-pcie.json"
	# What NPD runs, with its status.
	sick 4
	try bin/pcb-doctor "$(jq -r '.rules[0].args[]' \
		"$TOP/examples/fleet/npd-pcie.json")"
	[[ "$status" = 1 && ${#output} -lt $(jq .pluginConfig.max_output_length \
		"$TOP/examples/fleet/npd-pcie.json") ]] || show "status 1, short"
}

@test "examples: the floors are those of pcb-model" {
	local file

	for file in nhc.conf reframe_pcie.py; do
		grep -o 'pcb-model floor .*' "$TOP/examples/fleet/$file" >floor
		bash ./floor | sed 's/^#* *//' >wanted
		grep -A1 'healthy results' "$TOP/examples/fleet/$file" |
			sed 's/^[ #]*//' | diff wanted -
	done
}

@test "examples: GitHub's workflow, whose commands run" {
	local workflow=$TOP/examples/fleet/github-workflow.yml

	python3 -c 'import yaml' 2>/dev/null || skip "Python's yaml is missing"
	command -v jq >/dev/null || skip "needs jq"
	# What GitHub's schema requires: triggers, jobs with a runner, steps that
	# either use an action or run a command.
	python3 -c "
import sys, yaml
flow = yaml.load(open(sys.argv[1]), yaml.BaseLoader)
assert set(flow) == {'name', 'on', 'permissions', 'jobs'}, flow
job, = flow['jobs'].values()
assert job['runs-on'] and set(job) == {'runs-on', 'env', 'steps'}
for step in job['steps']:
    assert ('uses' in step) != ('run' in step), step
    assert set(step) <= {'name', 'if', 'uses', 'run', 'with'}, step
    print(step.get('run', ''))" "$workflow" >commands
	sick 8
	mkdir .github
	export DEVICE=sim
	# Not in PATH for long: `sick` looks for the real pcb-doctor.
	job=(env PATH="$PWD/bin:$PATH" bash -e -o pipefail ./commands)
	pcb-collect bw_rd -q -d sim -s 4K -n 1K -r 5 --seed 2 |
		pcb-stats -o .github/pcie.csv
	"${job[@]}"
	jq -e '[.[] | (.name | type == "string") and .unit == "Gbit/s" and
		(.value | . > 40 and . < 63)] == [true]' benchmark.json
	# Half of the lanes, or half as fast: the job fails.
	sick 4
	run ! "${job[@]}"
	sick 8
	sed -i 's/-s 4K/-O link=gen3x4\/mps256\/mrrs512\/rcb64 -s 4K/' commands
	run ! "${job[@]}"
}
