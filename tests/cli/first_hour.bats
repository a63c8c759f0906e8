#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Commands of a new user who has read no manual.

load helpers

setup() {
	cd "$BATS_TEST_TMPDIR" || exit
	printf 'group,latency_us\na,1.5\na,2.5\nb,27.25\n' >mine.csv
	printf 'group;Latency (us)\na;1.5\na;2.5\nb;27.25\n' >excel.csv
	printf '1.5\n2.5\n27.25\n' >plain.txt
	printf 'bandwidth_gbit_s\n40\n' >bw.csv
	printf 'node r - -\nnode m r dram\nnode g0 r gen4x16\n' >topology
	pcb-collect lat_rd -q -P -d sim -s 64,256 -n 50 -r 5 >old.csv
	pcb-collect lat_rd -q -P -d sim -s 64,256 -n 50 -r 5 --seed 2 >new.csv
}

# answers WANTED COMMAND: status 0, and stdout has a matching line.
answers() {
	try bash -c "$2"
	if [ "$status" != 0 ] || ! grep -q -- "$1" <<<"$output"; then
		show "$1"
	fi
}

# leads TO COMMAND: a usage error, whose one message says what to type.
leads() {
	try bash -c "$2"
	if [ "$status" = 0 ] || [ "$output" ] ||
		! grep -qF -- "$1" <<<"$stderr"; then
		show "$1"
	fi
}

@test "what is there, and how is it asked for" {
	leads 'latency of a DMA read' 'pcb-collect'
	leads 'cdf' 'pcb-plot'
	leads 'bw_rd' 'pcb-model'
	leads 'pciebench' 'pcb-import'
	answers '^Usage: pcb-collect' 'pcb-collect help'
	answers '^Usage: pcb-plot' 'pcb-plot help'
	answers '^Options of sim ' 'pcb-collect lat_rd -O help'
	leads 'latency of a DMA read' 'pcb-collect measure'
	leads 'cdf ' 'pcb-plot picture'
	answers '^gen5x16 ' 'pcb-collect -d sim:help'
	answers '^simple ' 'pcb-model -M help'
	answers 'sim:default' 'pcb-collect list'
}

@test "a word is misspelt, or is that of another program" {
	leads 'did you mean lat_cfg?' 'pcb-collect lat_cgf'
	leads 'did you mean cdf?' 'pcb-plot CDF mine.csv'
	leads 'did you mean csv?' 'pcb-import cvs mine.csv'
	leads 'did you mean serial?' 'pcb-model seriel'
	leads 'did you mean --percentiles?' 'pcb-stats --percentils 5'
	answers '"size_bytes":64,.*"latency_ns":[0-9]*}' \
		'pcb-collect lat_rd -d sim -n 3 -f jsonl'
	leads '--geometry' 'pcb-plot cdf --size 640x480 mine.csv'
	leads 'did you mean sim?' 'pcb-collect lat_rd -d simm'
}

@test "words of lspci, ping, fio, hyperfine and others" {
	local word command

	# What each leads to; then the command.
	while IFS="|" read -r word command; do
		leads "$word" "$command"
	done <<-'END'
	--count|pcb-collect lat_rd -d sim -c 1000
	--time|pcb-collect lat_rd -d sim -t 1s
	--time|pcb-collect lat_rd -d sim --runtime=1
	--size|pcb-collect lat_rd -d sim --bs=4k
	bw_rd read|pcb-collect lat_rd -d sim --rw=randread
	-O inflight|pcb-collect lat_rd -d sim --iodepth 32
	-f csv|pcb-collect lat_cfg --live
	--device|pcb-collect lat_rd --gpu 0
	--statistic|pcb-diff -p 99 old.csv new.csv
	--check|pcb-diff --threshold 3 old.csv new.csv
	sort -t|pcb-stats --sort mean old.csv
	--geometry|pcb-plot cdf --width 640 old.csv
	writes to no device|pcb-doctor --fix
	03:00.0|pcb-doctor -d 03:00.0
	no blanks|pcb-collect bw_rd -d sim -s 64,128 256 -n 1
	--format|pcb-stats --output-format=json old.csv
	no .gz|pcb-stats old.csv -o x.csv.gz
	pcb-collect list|pcb-doctor --list
	pcb-plot|pcb-collect lat_rd -d sim -n 3 -o pic.svg
	pcb-plot|pcb-stats old.csv >pic.png
	no word 'lat_rx'|pcb-collect help lat_rx
	give two files|pcb-stats old.csv | pcb-diff --check 3%
	--group|pcb-stats --by run old.csv
	did you mean --join?|pcb-model join old.csv
	is a file|pcb-plot old.csv
	pcb-model floor --help|pcb-model floor </dev/null
	help WORD|pcb-doctor link_width </dev/null
	help WORD|pcb-doctor --explain link_width
	did you mean host?|pcb-model flows 'hsot>g0' --topology topology
	END
	# A matching line; then the command.
	while IFS="|" read -r word command; do
		answers "$word" "$command"
	done <<-'END'
	^[{]"meta"|pcb-stats --json mine.csv
	^[{]"meta"|pcb-stats -f json mine.csv
	^group,n|pcb-stats --csv mine.csv
	^pcb-stats|pcb-stats -V
	sim:default|pcb-collect --list
	^..cdf|pcb-plot --list
	,gen4x8/|pcb-model bw_rd 16GT/s x8
	,gen4x8/|pcb-model bw_rd 'PCIe 4.0 x8'
	,gen4x8/|pcb-model bw_rd Gen4x8
	,gen4x8/|pcb-model bw_rd gen4 x8
	100G|pcb-model nic -M mlx5 gen4x8 --rate 100Gbit/s
	100G|pcb-model nic -M mlx5 gen4x8 --rate 100GbE
	normal|pcb-model why 7 GB/s gen4x4 --for NVMe
	G0|pcb-model flows 'G0->m' --topology topology
	88.26 %|pcb-ddio -t 1s $TOP/experiments/ddio/iperf.csv -f table
	,1500,0,|pcb-collect bw_rd -d sim -s 64..1500 -n 10 -P
	meta|pcb-stats mine.csv -o s.json; head -c 12 s.json
	^<svg|pcb-plot cdf mine.csv >x.svg; cat x.svg
	--cache|pcb-collect help lat_rd
	^..-s, --size|pcb-collect help size
	^ .*--all|pcb-doctor help --all
	^..Devices that|pcb-stats help shared_uplink
	^p95_ns, |pcb-stats help p99.9
	^p95_ns, |pcb-stats help p95 | head -1
	^training, of pcb-doctor|pcb-doctor help training | head -1
	public results|pcb-model help low
	^Usage: pcb-model --join|pcb-model --join --help
	debug:|pcb-collect lat_rd -d sim -n 2 -v 2>&1
	is taken as gen3x8/mps256|pcb-import csv -l link=gen3x8 -l bench=bw_rd -l size_bytes=64 bw.csv | pcb-model --join 2>&1
	END
	pcb-collect lat_rd --help | awk 'END { exit NR > 24 }'
	example_tree tree
	answers '^[^,]*,1,.*,0000:03:00.0,' \
		'pcb-collect lat_cfg 01:00.0 03:00.0 --root tree -n 1 -P'
	answers ',0000:03:00.0,' 'pcb-collect list 03:00.0 --root tree'
	answers ',gen3x8/' 'pcb-model bw_rd 03:00.0 --root tree'
}

@test "the beginning of a word or of a column names what has it" {
	leads 'did you mean lat_rd, lat_wrrd, lat_cfg, lat_mmio or lat_mmio_wr?' \
		'pcb-collect lat'
	leads 'did you mean gen5x16?' 'pcb-collect lat_rd -d sim:gen5x61'
	leads 'did you mean gen5x16?' 'pcb-collect lat_rd -d sim:gen5'
	leads 'did you mean latency_ns?' 'pcb-stats -c latency mine.csv'
	leads 'did you mean group?' 'pcb-stats -g gruop mine.csv'
	printf 'a;latency_us\nx;1,5\n' >comma.csv
	printf 'a,latency_us\nx,27.1us\n' >unit.csv
	leads 'as in latency_us' 'pcb-stats unit.csv'
	leads 'as in latency_us' 'pcb-import csv unit.csv'
	printf 'a,latency_us\nx,"1,027.5"\n' >thousands.csv
	leads 'write 1027.5' 'pcb-plot cdf thousands.csv'
	leads 'write 1027.5, not 1027,5 or 1,027.5' 'pcb-stats comma.csv'
}

@test "a device is named, once or more often" {
	leads '-d sim simulates one' 'pcb-collect lat_rd -d hw --root /nowhere'
	leads "'pcb-collect list' shows" 'pcb-collect lat_cfg -d nvme77'
	example_tree tree
	answers '0000:03:00.0,gen3x8' \
		'pcb-collect lat_cfg --root tree -d 01:00.0,03:00.0 -n 1 -P'
	answers '0000:03:00.0,gen3x8' \
		'pcb-collect lat_cfg --root tree -d 01:00.0 -d 03:00.0 -n 1 -P'
	[ "${#lines[@]}" = 3 ]
	answers ',0000:03:00.0,' 'pcb-collect list --root tree -d 8086:1234'
	answers '^[^,]*,1,simulated,.*,256,' \
		'pcb-collect lat_rd -d sim -s 64 -s 256 -n 1 -P'
	leads 'is given twice' 'pcb-collect lat_rd -d sim -n 1 -n 2'
}

@test "data of one's own" {
	answers '^a,2,1500,2000,' 'pcb-stats mine.csv'
	answers '^a,2,1500,2000,' 'pcb-stats excel.csv'
	answers '^3,1.5,' 'pcb-stats -c 1 plain.txt'
	printf 'group, latency_us\na, 1.5\n a,2\n' >blanks.csv
	answers '^a,2,1500,' 'pcb-stats blanks.csv'
	answers '^imported,a,2000$' 'pcb-import csv blanks.csv'
	answers '^2,1.5,' "printf '1, 1.5\\n2, 2.5\\n' | pcb-stats -c 2 --pool 1"
	answers '^a,2,1500,2000,' 'pcb-stats -c latency_us mine.csv'
	answers '^imported,a,1500$' 'pcb-import csv mine.csv'
	answers '"p99":2490' 'pcb-stats -c 2 -f jsonl mine.csv | sed s/_ns//g'
	answers 'set terminal' 'pcb-plot cdf mine.csv'
	printf 'rtt_ms,n\n1.5,1\n2.5,1\n' >rtt.csv
	answers '^1500 50' 'pcb-plot cdf -c rtt_ms rtt.csv'
	answers 'Rtt' 'pcb-plot pct -c rtt_ms rtt.csv'
	answers '1 1500' 'pcb-plot scatter -c rtt_ms rtt.csv'
	printf 'host,rtt_ms,lat_us\na,1.5,2\nb,2.5,3\n' >two.csv
	answers '^3000 2500$' 'pcb-plot scatter -c rtt_ms --x lat_us two.csv'
	answers ',2000,3000,' 'pcb-diff --by host --statistic lat_us two.csv'
	for program in 'plot cdf -c lat_ms' 'plot scatter --x lat_ms' \
		'stats -c lat_ms' 'import csv --scale lat_ms=2'; do
		leads "no column 'lat_ms': there are rtt_ns (from rtt_ms), n" \
			"pcb-$program rtt.csv"
	done
	leads "no column 'idle_ms'" 'pcb-diff --by group --statistic idle_ms mine.csv'
	leads "no column 'rate'" \
		'printf "mean_ns,bandwidth_gbit_s\\n1,2\\n" | pcb-plot load --x rate'
	leads 'not a time, whose name ends in _ns' 'pcb-plot cdf -c n rtt.csv'
	leads 'these are statistics, and' 'pcb-stats old.csv | pcb-stats -p 90'
	printf '{"group":"a","latency_us":1.5}\n{"group":"b","latency_us":2}\n' \
		>mine.jsonl
	answers '^b,1,2000,2000,' 'pcb-stats mine.jsonl'
	leads 'as jq -c writes it' 'printf "{\n" | pcb-stats'
	leads 'use -f jsonl, CSV, or jq -c' \
		'pcb-model link -f json | pcb-plot link'
	leads '0 bytes: nothing to read' ': >empty; pcb-import fio empty'
	leads 'pcb-import reads what other programs write' \
		'printf "Results\na,b\n" | pcb-stats'
}

@test "results are compared, sizes and times written as people do" {
	answers 'ratio' 'pcb-diff old.csv new.csv'
	answers ',1000,' 'pcb-collect lat_rd -d sim -q -n 1k -P | pcb-stats'
	answers ',gen4x16/mps' 'pcb-model link --link gen4x16'
	answers ',gen4x16/mps' 'pcb-model link --gen 4x16'
	answers ',gen5x4/mps' 'pcb-model link --gen gen5 --lanes x4'
	leads 'such as 4, gen4 or 4x16' 'pcb-model link --gen fast'
	answers ',gen4x16/mps512/' 'pcb-model bw_rd gen4x16 --mps 512'
	answers ',p99_ns' 'pcb-stats -p p99 -p 50 old.csv'
	leads 'write p99, or p0.99 for' 'pcb-stats -p 0.99 old.csv'
	leads 'write p99.9, or p0.999 for' 'pcb-stats -p 0.999 old.csv'
	answers ',p0_1_ns' 'pcb-stats -p p0.1 old.csv'
	answers ',p0_1_ns,p99_ns' 'pcb-stats -p 0.1,99 old.csv'
	answers 'median_lo_ns' 'pcb-stats --ci 99 old.csv'
	answers '^[^,]*,1,simulated' 'pcb-collect lat_rd -d sim --time 20ms -P'
}

@test "two servers, whose devices have other addresses" {
	pcb-collect lat_rd -q -P -d sim -n 50 -r 5 -l host=a \
		-l device=0000:03:00.0 >a.csv
	pcb-collect lat_rd -q -P -d sim -n 50 -r 5 -l host=b \
		-l device=0000:04:00.0 --seed 2 >b.csv
	leads 'drop it with --ignore host,device' 'pcb-diff a.csv b.csv'
	leads 'drop it with --ignore device' 'pcb-diff --by host a.csv b.csv'
	answers ',ratio_pct,' 'pcb-diff --by host,device a.csv b.csv'
	answers ',ratio_pct,' 'pcb-diff --by host --ignore device a.csv b.csv'
	answers ',ratio_pct,' 'pcb-diff --ignore host,device a.csv b.csv'
	runs pcb-diff --ignore host,device --check 3% a.csv b.csv
	[[ "$stderr" = *": passed: 1 row within 3 %, 95 % confidence"* ]]
	leads 'a.csv is given twice' 'pcb-diff a.csv a.csv'
}

@test "what a long sweep would be is known before it begins" {
	local time

	answers '^points    4$' \
		'pcb-collect lat_rd -d sim -s 64:512 -r 5 --dry-run -o rows'
	[[ "$output" == *'runs      5'*'rows      40000000'*'not known'* ]]
	[ ! -e rows ]
	answers '^rows      900$' \
		'pcb-collect lat_rd -d sim -s 64,128,256 -n 100 -r 3 --dry-run'
	answers '^rows      at most 6$' \
		'pcb-collect bw_rd -d sim -s 64,128 --time 1s -r 3 --dry-run'
	# No device is opened, not even one that is not there.
	answers '^duration  at least 1.200 s$' 'pcb-collect lat_nvme -n 100 -r 3 \
		-d disk:missing --idle 1ms,3ms --dry-run'
	example_tree tree
	for time in 10s/10.00 10m/600.0 1h/3600 1d/86400; do
		answers "^duration  at most ${time#*/} s$" "pcb-collect lat_cfg \
			--root tree --hold aspm --time ${time%/*} --dry-run"
	done
	answers '^rows      100000 of each device$' \
		'pcb-collect lat_cfg --root tree -d 01:00.0,03:00.0 --dry-run'
	answers '^points    10$' 'pcb-collect lat_mmio --root tree \
		-d mmio:03:00.0 -s 4:64 -w 64,4K --dry-run'
}
