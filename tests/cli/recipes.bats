#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Runs the recipes of pcb-recipes(7) whose programs are installed; validates -f
# jsonl with its JSON Schema.

load helpers

setup() {
	cd "$BATS_TEST_TMPDIR" || exit
	page=$TOP/man/pcb-recipes.7
	schema=$TOP/share/pcb-tools/schema/row.json
}

# recipe HEADING: the commands of this section of the page.
recipe() {
	sed -n "/^\.S[hs] $1\$/,/^\.S[hs] /p" "$page" |
		sed -n '/^\.Bd/,/^\.Ed/{ /^\./!p; }' | sed 's/\\e/\\/g' |
		sed "s|/usr/local/share/pcb-tools/schema/row.json|$schema|"
}

needs_module() {
	needs_program python3
	python3 -c "import $1" 2>/dev/null ||
		skip "Python's $1 is not installed"
}

make_files() {
	recipe DESCRIPTION >commands
	[ "$(wc -l <commands)" = 2 ]
	bash -e ./commands
}

# follow HEADING: runs its commands; sets output, whose numbers are in $numbers.
follow() {
	make_files
	recipe "$1" >commands
	[ -s commands ]
	try bash -e ./commands
	[ "$status" = 0 ] || show "status 0"
	numbers=$(grep -oE '[0-9]+(\.[0-9]+)?' <<<"$output" | paste -sd ' ')
}

# of_both_runs: statistics by pcb-stats of the samples of both runs.
of_both_runs() {
	pcb-import csv -l run=1 samples.csv | pcb-stats -P >both.csv
	median=$(column median_ns <both.csv | paste -sd ' ')
	p99=$(column p99_ns <both.csv | paste -sd ' ')
}

# has_statistics: the output contains our medians and percentiles. Programs
# round, and some choose a sample instead of interpolating: within 1 %.
has_statistics() {
	of_both_runs
	local wanted

	for wanted in 64 128 $median $p99; do
		tr ' ' '\n' <<<"$numbers" | awk -v wanted="$wanted" '
			$1 >= 0.99 * wanted && $1 <= 1.01 * wanted { found = 1 }
			END { exit !found }' || show "$wanted"
	done
}

@test "DuckDB" {
	needs_program duckdb
	follow DuckDB
	has_statistics
}

@test "pandas" {
	needs_module pandas
	follow pandas
	has_statistics
}

@test "Polars" {
	needs_module polars
	follow Polars
	has_statistics
}

@test "R" {
	needs_program Rscript
	follow R
	has_statistics
}

@test "jq" {
	needs_program jq
	follow jq
	[ "$output" = "$(pcb-stats -P samples.csv | three_columns)" ]
}

# The same columns without another program.
three_columns() {
	cat >rows
	paste <(column size_bytes <rows) <(column median_ns <rows) \
		<(column p99_ns <rows)
}

@test "Miller" {
	needs_program mlr
	follow Miller
	has_statistics
}

@test "UCX takes our bandwidth" {
	needs_program ucx_info
	needs_program jq
	follow UCX
	# 233.11 Gbit/s
	[ "$output" = "UCX_IB_PCI_BW=mlx5_0:27789.00MBps" ]
}

@test "hwloc takes attributes of devices and memory" {
	needs_program hwloc-annotate
	needs_program jq
	make_files
	lstopo --filter all:all all.xml 2>/dev/null || skip "lstopo fails here"
	DEVICE=$(sed -n 's/.*pci_busid="\([^"]*\)".*/\1/p' all.xml | head -n 1)
	[ "$DEVICE" ] || skip "no PCI device here"
	# Only node 0 is on every machine.
	printf 'Measuring idle latencies (in ns)...\nNuma node 0\n 0 78.5\n' \
		>mlc.txt
	export DEVICE
	follow hwloc
	[[ "$output" = *'NUMANode L#0 = 79 from NUMANode L#0'* ]]
	grep 'pcb_lat_rd_ns' topo.xml | grep -q \
		"$(jq -s '.[0].median_ns' stats.jsonl)"
}

@test "a repository of results in git" {
	needs_program git
	export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.org
	export GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.org
	follow 'A repository'
	[ "$(git -C results log --oneline | wc -l)" = 2 ]
	[ "$(column n <before.csv | paste -sd ' ')" = "1000 1000 1000" ]
	[[ "$output" = *lat_rd* ]]
}

@test "Otava finds no change in runs that are alike" {
	needs_program otava
	follow 'Apache Otava'
	[ "$(wc -l <months.csv)" = 29 ]
}

@test "github-action-benchmark takes medians" {
	needs_program jq
	follow github-action-benchmark
	# What the action requires: an array of name, unit and value.
	jq -e 'length == 4 and all(.[]; (.value | type == "number") and
		([.name, .unit, .range, .extra] | all(type == "string"))) and
		(map(.name) | unique | length == 4)' benchmark.json
	[ "$(jq -r '.[] | .value' benchmark.json)" = \
		"$(pcb-stats -P samples.csv | column median_ns)" ]
}

@test "JSON Schema: the recipe accepts statistics" {
	needs_module jsonschema
	follow 'JSON Schema'
	sed -i 's/"median_ns":[0-9.]*/"median_ns":"fast"/' stats.jsonl
	try bash -e ./commands
	[ "$status" != 0 ]
}

# invalid FILE...: their lines, at least one in each, that are not valid; after
# --known also those with a column that the schema does not name, and why.
invalid() {
	python3 -c '
import json, sys, jsonschema
s = json.load(open(sys.argv[1]))
names = sys.argv[2:]
strict = names[0] == "--known"
if strict:
    s["additionalProperties"] = False
    names.pop(0)
check = jsonschema.validators.validator_for(s)
check.check_schema(s)
for name in names:
    lines = open(name).read().splitlines() or ["no line in " + name]
    for line in lines:
        rows = json.loads(line) if line[:1] in "[{" else line
        for e in list(check(s).iter_errors(rows))[:1]:
            print(e.message[:80] if strict else "", line, sep="")' "$schema" "$@"
}

# topology: two switches with two GPUs each.
topology() {
	printf 'node %s\n' 'r - -' 's0 r gen4x16' 's1 r gen4x16' \
		'g0 s0 gen4x16' 'g1 s0 gen4x16' 'g2 s1 gen4x16' 'g3 s1 gen4x16'
}

# write NAME COMMAND...: rows of the command in NAME.rows, whatever its status.
write() {
	"${@:2}" -f jsonl >"$1.rows" 2>said || [ -s "$1.rows" ] || {
		cat said
		return 1
	}
}

@test "JSON Schema: the columns that programs write, and their types" {
	needs_module jsonschema
	local name others=$TOP/tests/data/import/others

	example_tree tree
	topology >machine
	pcb-collect lat_rd -q -d sim -n 50 -s 64,128 -r 5 >samples
	pcb-collect bw_rd -q -d sim -n 50 -s 64,128 -r 2 >bandwidth
	pcb-stats samples -o stats
	cp stats stats.two
	sed s/,queues,/,store,/ "$TOP/experiments/ddio/iperf.csv" >counts
	printf 'run,device,parent,min_ns\n1,a,,10\n1,b,a,15\n' >ends

	write list pcb-collect list --root tree
	write config pcb-collect lat_cfg -q --root tree -n 2 --rate 1K
	for name in lat_rd lat_wrrd bw_rd bw_wr bw_rdwr; do
		write $name pcb-collect $name -q -d sim -n 5
	done
	write histogram pcb-stats --histogram samples
	write stats pcb-stats --ci --floor --outliers 2 -p 0,50,99.9 samples
	write bandwidth pcb-stats bandwidth
	write diff pcb-diff --by size_bytes stats
	write checked pcb-diff --check 5 stats stats.two
	write pairs pcb-diff --samples --by size_bytes samples
	write links pcb-diff ends
	write metrics pcb-ddio -t 1s counts
	write bw pcb-model bw_rd --gen 4 --lanes 8
	write inflight pcb-model inflight --rate 100G --frame 64 --rtt 1us
	write floor pcb-model floor gen4x16
	write why pcb-model why 12GB/s gen4x16
	write why_latency pcb-model why 2us gen4x16
	write lat pcb-model lat -d sim:nfp6000
	write loaded pcb-model lat -d sim:nfp6000 --outstanding 1,8
	for name in link serial reference 'reference -a' 'nic -M niantic-dpdk'; do
		# shellcheck disable=SC2086
		write "$name" pcb-model $name
	done
	write join pcb-model --join bandwidth
	write rest pcb-model --join -d sim stats
	write tree pcb-model tree --topology machine
	write flows pcb-model flows --topology machine 'g0>g2' 'g1>g3'
	write measured pcb-model flows --topology machine --join - <<-'EOT'
	from,to,bandwidth_gbit_s
	g0,g2,100
	EOT
	write findings pcb-doctor --root tree
	write devices pcb-doctor --root tree --devices
	for name in "$others"/*.*; do
		[[ $name = *.rows || $name = *xdma-qdma* ]] ||
			write "${name##*/}" pcb-import "$name"
	done
	runs invalid --known ./*.rows
	is 0 "" ""
}

@test "JSON Schema: what is no row of ours" {
	needs_module jsonschema

	printf '%s\n' '[]' '{}' '{"kind":"guessed"}' '{"latency_ns":"5"}' \
		'{"run":0}' '{"run":1.5}' '{"size_bytes":-1}' '{"n":-1}' \
		'{"device":3}' '{"benches":["a"]}' '{"x":{}}' '{"x":true}' \
		'{"preamble":{}}' '{"end":{"rows":1}}' >wrong
	echo '{"kind":null,"n":0,"x":"a","latency_ns":null}' >right
	runs invalid right wrong
	is 0 "$(cat wrong)" ""
}
