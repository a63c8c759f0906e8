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
	# What GitHub's schema requires: triggers, jobs with a runner, steps that
	# either use an action or run a command; an action's steps have a shell.
	python3 -c "
import sys, yaml
flow, action = (yaml.load(open(f), yaml.BaseLoader) for f in sys.argv[1:])
assert set(flow) == {'name', 'on', 'permissions', 'jobs'}, flow
assert action['name'] and action['description']
assert action['runs']['using'] == 'composite'
job, = flow['jobs'].values()
assert job['runs-on'] and set(job) == {'runs-on', 'env', 'steps'}
for step in job['steps']:
    assert ('uses' in step) != ('run' in step), step
    assert set(step) <= {'name', 'if', 'uses', 'run', 'with'}, step
    print(step.get('run', ''))
    if not step.get('uses', '').endswith('/pcb-tools'):
        continue
    given = {k: v['default'] for k, v in action['inputs'].items()}
    assert set(step['with']) <= set(given), step
    given.update(step['with'])
    for part in action['runs']['steps']:
        assert part['shell'] == 'bash' and set(part) <= {
            'name', 'if', 'shell', 'env', 'run'}, part
        when = part.get('if', 'True').replace('||', 'or').replace('inputs.', '')
        if eval(when, dict(given)):
            for name, value in part.get('env', {}).items():
                print('export %s=%s' % (name, given[value[11:-3]]))
            print('(%s)' % part['run'])" \
		"$workflow" "$TOP/action.yml" >commands
	sick 8
	mkdir .github
	export DEVICE=sim GITHUB_STEP_SUMMARY=$PWD/summary
	# Not in PATH for long: `sick` looks for the real pcb-doctor.
	job=(env PATH="$PWD/bin:$PATH" bash -e -o pipefail ./commands)
	pcb-collect bw_rd -q -d sim -s 4K -n 1K -r 5 --seed 2 |
		pcb-stats -o .github/pcie.csv
	cp dump .github/pcie.txt
	"${job[@]}"
	grep -q '| within |' summary
	jq -e '[.[] | (.name | type == "string") and .unit == "Gbit/s" and
		(.value | . > 40 and . < 63)] == [true]' benchmark.json
	# Half of the lanes, a device that is lost, or half as fast: the job fails.
	sick 4
	run ! "${job[@]}"
	grep -q lost_link summary
	sick 8
	sed -i '/^01:/,$d' dump
	run ! "${job[@]}"
	grep -q 'lost_device' summary
	sick 8
	sed -i 's/-s 4K/-O link=gen3x4\/mps256\/mrrs512\/rcb64 -s 4K/' commands
	run ! "${job[@]}"
}

@test "examples: GitHub's action builds the programs that a runner lacks" {
	python3 -c 'import yaml' 2>/dev/null || skip "Python's yaml is missing"
	python3 -c "
import sys, yaml
print(yaml.safe_load(open(sys.argv[1]))['runs']['steps'][0]['run'])" \
		"$TOP/action.yml" >step
	mkdir runner tree
	printf 'deps:\n\ttouch deps\nall:\n\tmkdir bin\n' >tree/Makefile
	ln -s "$(command -v make)" "$(command -v touch)" "$(command -v mkdir)" runner
	export GITHUB_ACTION_PATH=$PWD/tree GITHUB_PATH=$PWD/path
	env -u MAKEFLAGS PATH="$PWD/runner" "$BASH" -e -o pipefail ./step
	[ "$(cat path)" = "$PWD/tree/bin" ]
	ls -d tree/bin tree/deps
	rm -r path tree
	ln -s "$(type -P true)" runner/pcb-doctor
	env PATH="$PWD/runner" "$BASH" -e -o pipefail ./step
	[ ! -e path ]
}

# series INSTANCE [FACTOR] <METRICS: input series of promtool, an hour between
# values, which are FACTOR times as large after 160 hours.
series() {
	sed '/^#/d; s/^\([a-z0-9_]*\) /\1{} /; s/{\(.*\)} /{\1,instance="'"$1"'"} /
		s/{,/{/' | awk -v factor="${2:-1}" '{
		value = $NF
		sub(/ [^ ]*$/, "")
		printf "  - series: \047%s\047\n    values: %.9g+0x160 %.9g+0x20\n", $0,
			value, value * factor }'
}

# expects QUERY [SAMPLE]...: promtool's tests; a sample is LABELS=VALUE.
expects() {
	local sample

	printf "  - expr: '%s'\n    eval_time: 170h\n    exp_samples:\n" "$1"
	for sample in "${@:2}"; do
		printf "    - labels: '%s'\n      value: %s\n" "${sample% *}" \
			"${sample##* }"
	done
}

@test "examples: alerts and dashboard take what the programs write" {
	local examples=$TOP/examples/prometheus query

	needs_program promtool
	command -v jq >/dev/null || skip "needs jq"
	sick 8
	bin/pcb-doctor -f openmetrics >well.prom
	sick 4
	bin/pcb-doctor -f openmetrics >faulty.prom || [ $? = 1 ]
	pcb-collect bw_rd -q -d sim -n 1K -r 3 | pcb-stats -f openmetrics >rates.prom
	pcb-collect lat_rd -q -d sim -n 1K -r 3 | pcb-stats -f openmetrics >times.prom

	# No query names what no program writes.
	cat ./*.prom | grep -o '^pcb_[a-z0-9_]*' | sort -u >written
	grep -ho 'pcb_[a-z0-9_]*[a-z0-9]' "$examples"/* | sort -u >named
	[ "$(wc -l <named)" -gt 6 ]
	[ "$(comm -23 named written)" = "" ]
	jq -r '.panels[].targets[].expr' "$examples/dashboard.json" >queries

	{
		printf 'rule_files: ["%s"]\nevaluation_interval: 1h\ntests:\n' \
			"$examples/alerts.yml"
		printf -- '- interval: 1h\n  input_series:\n'
		series well <well.prom
		series faulty <faulty.prom
		sed 's/"certain"/"likely"/' faulty.prom | series likely
		sed 's/functions 0/functions 3/' well.prom | series unseen
		series slow 0.8 <rates.prom
		series late 1.3 <times.prom
		series steady < <(cat rates.prom times.prom)
		echo 'node_textfile_mtime_seconds{file="/x/pcb-doctor.prom"} 0' |
			series silent
		printf "  - series: '%s'\n    values: 0+3600x180\n" \
			'node_textfile_mtime_seconds{file="/x/pcb-doctor.prom",instance="well"}'
		echo '  promql_expr_test:'
		expects 'max by (alertname, instance) (ALERTS{alertstate="firing"})' \
			'{alertname="PcieFault", instance="faulty"} 1' \
			'{alertname="PcieSuspicion", instance="likely"} 1' \
			'{alertname="PcieUnseen", instance="unseen"} 1' \
			'{alertname="PcieSlower", instance="slow"} 1' \
			'{alertname="PcieSlower", instance="late"} 1' \
			'{alertname="PcieNotExamined", instance="silent"} 1'
		while read -r query; do
			expects "count(${query//\$instance/.*}) > bool 0" '{} 1'
		done <queries
	} >tests.yml
	try promtool test rules tests.yml
	[ "$status" = 0 ] || show 'the alerts and queries'
}
