#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# pcb-import: options, and the formats csv, ndl and nettlp.

load helpers

tests pcb-import

setup() {
	cd "$BATS_TEST_TMPDIR" || exit
	made=$TOP/tests/data/import
}

identity=host,run,kind,bench,device,link,interface,size_bytes,offset_bytes
identity+=,device_offset_bytes,window_bytes,pattern,cache,node,iommu,page_bytes

@test "wrong options are refused, with a pointer to the help" {
	try pcb-import </dev/null
	[ "$status" = 2 ]
	[[ "$stderr" = "pcb-import: choose a format, or give a FILE:
  pciebench "*"
  csv "* ]]
	wrong "'cvs': no such format (did you mean csv?)" cvs
	wrong "'xls': no such file, and no format" xls
	try pcb-import "$made/others/fio-3.txt" \
		"$made/others/nvbandwidth-0.8.txt"
	[[ $status = 2 && $stderr = *nvbandwidth*fio*"one format per call"* ]] ||
		show 'both formats'
	wrong "-f 'x': not csv, table, md, json or jsonl" csv -f x
	wrong "-l 'x': not NAME=VALUE" csv -l x
	wrong "-l 'n=1': 'n' is a value column" csv -l n=1
	wrong "-l 'kind=x': a kind is measured, virtual," csv -l kind=x
	wrong '--details is for pciebench, not for csv' csv --details x
	wrong '--details is for one FILE at a time' pciebench --details x y z
	wrong '--map is for csv, not for nettlp' nettlp --map a=b
	wrong '--scale is for csv, not for pciebench' pciebench --scale a=1
	wrong "--map 'a': not NAME=VALUE" csv --map a
	wrong "--map '=b': not NAME=VALUE" csv --map =b
	wrong "--map 'c=d,a=e': a name is repeated" csv --map a=b --map c=d,a=e
	wrong "--map 'a=B': a name is lower-case letters," csv --map a=B
	wrong "--scale 'a=x': not a number" csv --scale a=x
	wrong "--scale 'a=': empty" csv --scale a=
	try pcb-import --nonsense
	[ "$status" = 2 ]
	[ "$output" = "" ]
}

@test "ndl: microseconds become nanoseconds, digit for digit" {
	local header=host,run,kind,bench,device,link,report
	header+=,launch_distance_ns,latency_ns

	try pcb-import ndl -P "$made/ndl"
	is 0 "$header
,1,published,rtd,,,made-up,5000001,31360
,1,published,rtd,,,made-up,49999750,912
,1,published,rtd,,,made-up,12000000,104000" ""
	runs pcb-import ndl "$made/ndl/datapoints.csv"
	grep -x '# measured_by: ndl 1.3.12' <<<"$output"
	grep -x '# clock_tick_ns: 16' <<<"$output"
	grep -x '# source: datapoints.csv' <<<"$output"
	# A shell completes a directory with a slash.
	pcb-import ndl "$made/ndl/" | grep -x '# source: ndl'
	gives 'x,LDist,RTD\n7,2,1\n8,0,0\n' "${header/report/report,rack}
,1,published,rtd,r7:eth0,,,7,2000,1000
,1,published,rtd,r7:eth0,,,7,0,0" \
		ndl -l device=r7:eth0 -l rack=7
	given 'LDist,RTD\n2,1\n' ndl
	[[ "$status" = 0 && "$output" != *measured_by* ]]
}

@test "ndl: what is no result of it is refused" {
	refuses 'RTD,LDist\n1,-2\n' "standard input:2: LDist: '-2': less than 0" ndl
	refuses 'RTD,LDist\n,2\n' "standard input:2: RTD: '': empty" ndl
	refuses 'RTD,LDist\n1,1e29\n' "standard input:2: LDist: '1e29': out of range" ndl
	refuses 'RTD,Other\n1,2\n' "standard input: no column 'LDist': there are RTD, Other" ndl
	mkdir wult
	printf 'toolname: wult\n' >wult/info.yml
	printf 'RTD,LDist\n1,2\n' >wult/datapoints.csv
	refuses '' 'wult/info.yml: results of wult, not of ndl' ndl wult
	rm wult/*
	refuses '' 'wult/datapoints.csv: No such file or directory' ndl wult
}

# info TOOL|VERSION|REPORT YAML: what ndl's info.yml tells, "-" for nothing.
info() {
	mkdir -p given
	printf 'RTD,LDist\n1,2\n' >given/datapoints.csv
	printf "$2" >given/info.yml
	try pcb-import ndl given
	[ "$status" = 0 ] || show "$stderr"
	local version report

	version=$(sed -n 's/^# measured_by: ndl //p' <<<"$output")
	report=$(tail -n 2 <<<"$output" | head -n 1 | cut -d, -f7)
	[ "${version:--}|${report:--}" = "$1" ] ||
		show "$2: ${version:--}|${report:--}"
}

@test "ndl: info.yml has plain and quoted values" {
	info '1.3|a b' "format_version: '1.2'\nreportid: a b\ntoolname: ndl\n\
toolver: \"1.3\"\n"
	info '-|-' "toolname:  ndl \r\nreportid: ''\ntoolver:\n"
	info '-|-' 'toolname: wult\ntoolname: ndl'
	info '-|x' "x:\n  toolname: wult\ntoolver: '\nreportid: 'x\"\n"
}

@test "ndl: statistics are those of its report" {
	local stats

	# Of all reports together there is no such thing: reports are kept
	# apart. R: x <- c(31360, 912, 104000); quantile(x, .99); sd(x)
	stats=$(pcb-import ndl "$made/ndl" |
		pcb-stats -P -p 50,99,99.9,99.99,99.999)
	[ "$(column n <<<"$stats")" = 3 ]
	[ "$(column median_ns <<<"$stats")" = 31360 ]
	[ "$(column p99_ns <<<"$stats")" = 102547.2 ]
	[ "$(column p99_9_ns <<<"$stats")" = 103854.72 ]
	[ "$(column max_ns <<<"$stats")" = 104000 ]
	cp -r "$made/ndl" other
	sed -i 's/made-up/other/' other/info.yml
	[ "$(pcb-import ndl "$made/ndl" other | pcb-stats -P | wc -l)" = 3 ]
}

@test "nettlp: the name of a file says what is in it" {
	local lat=$made/pciebench_lat_read_ptr-fix_len-64.txt
	local bw=$made/pciebench_bw_read_ptr-random_len-256.txt

	try pcb-import nettlp -P "$lat" "$bw"
	is 0 "$identity,seq,latency_ns,bandwidth_gbit_s
,1,published,lat_rd,,,,64,,,,fixed,,,,,0,21000,
,1,published,lat_rd,,,,64,,,,fixed,,,,,1,18600,
,1,published,lat_rd,,,,64,,,,fixed,,,,,2,18600,
,1,published,bw_rd,,,,256,,,,random,,,,,0,,2.954751
,1,published,bw_rd,,,,256,,,,random,,,,,1,,2.9567" ""
	gives 'RAN,0,8,1.5\nRAN,1,8,0\n' "$identity,seq,bandwidth_gbit_s
,1,published,bw_rd,,,,8,,,,random,,,,,0,1.5
,1,published,bw_rd,,,,8,,,,random,,,,,1,0" nettlp -l bench=bw_rd
	refuses 'FIX,0,8,1\n' 'standard input: latency or bandwidth?' nettlp
	refuses 'FIX,0,8,x\n' "standard input:1: value: 'x': not a number" \
		nettlp -l bench=lat_rd
	refuses 'FIX,0,8,1\nFIX,1,8,-1\n' "standard input:2: value: '-1': less than 0" \
		nettlp -l bench=lat_rd
	refuses 'FIX,0,8\n' 'standard input:1: 3 fields, not pattern, index,' \
		nettlp -l bench=lat_rd
	refuses '\n\n' 'standard input: no result of nettlp' nettlp -l bench=lat_rd
	refuses 'FIX,0.5,8,1\n' "standard input:1: index: '0.5': not a whole" \
		nettlp -l bench=lat_rd
	refuses 'ABC,0,8,1\n' "standard input:1: pattern: 'ABC': not FIX or RAN" \
		nettlp -l bench=lat_rd
}

@test "csv: units in names are scaled, separators are found out" {
	gives 'Latency (us);group\n64.367;a\nNaN;b\n1e-3;"c;d"\n' \
		'kind,latency_ns,group\nimported,64367,a\nimported,,b
imported,1,c;d' csv
	gives 'rtt_ms\tt_s\tnet_gb_s\n.25\t-\t-\n-007.5\t0\t1\n' \
		'kind,rtt_ns,t_ns,net_gb_s\nimported,250000,,-
imported,-7500000,0,1' csv
	gives 'tlps_s,llc_misses_s\n5,6\n' \
		'kind,tlps_s,llc_misses_s\nimported,5,6' csv
}

@test "csv: columns are renamed, scaled, left out" {
	gives 'RTD,LDist,a\n31.472,43318.157,x\n.5,1,\n' \
		'kind,latency_ns,a\nimported,31472,x\nimported,500,' \
		csv --map RTD=latency_ns,LDist= --scale latency_ns=1000
	gives 'a=b,MB/s\n1,12.5\n' 'kind,host,x,bandwidth_gbit_s\nmeasured,h,1,0.1' \
		csv --map a=b=x --map MB/s=bandwidth_gbit_s \
		--scale bandwidth_gbit_s=0.008 -l kind=measured -l host=h
	gives 'kind,a_ns\nsimulated,1\n,2\n' \
		'kind,a_ns\nsimulated,1\nimported,2' csv
	gives 'a,b\n1,2\n' 'kind,b,a\nimported,1,2' csv --map a=b,b=a
	gives 'a_ns\n1\n# pcb-csv: 1\nb_ns,a_ns\n2,3\n# end: rows=1 complete=yes\n' \
		'kind,a_ns,b_ns\nimported,1,\nimported,3,2' csv
	gives 'kind,a_ns\nevent,1\n' 'kind,what,a_ns\nimported,event,1' \
		csv --map kind=what
	gives 'a_ns,b_ns\n,\n1,\n' 'kind,a_ns,b_ns\nimported,,\nimported,2,' \
		csv --scale a_ns=2
}

@test "csv: rows that begin as the row before" {
	gives 'a,b,c\n"x,1",1,\n"x,1",2,\n"x,1",2,\n"x,1",2,3\ny,2,3\n"#",2,3\n' \
		'kind,a,b,c\nimported,"x,1",1,\nimported,"x,1",2,\nimported,"x,1",2,
imported,"x,1",2,3\nimported,y,2,3\nimported,#,2,3' csv
	# A label overrides cells that vary, and cells that do not.
	gives 'a,b,c\n1,1,1\n1,2,1\n2,2,1\n' \
		'kind,b,a,c\nimported,9,1,1\nimported,9,1,1\nimported,9,2,1' \
		csv -l b=9
	# Later columns are empty in earlier rows.
	gives 'a\n1\n1\n# pcb-csv: 1\nb,a\n2,1\n2,1\n3,1\n# end: rows=3 complete=yes\n' \
		'kind,a,b\nimported,1,\nimported,1,\nimported,1,2\nimported,1,2
imported,1,3' csv
	given 'a_ns,b_ns\n1,1\n1,2\n' csv -f jsonl
	grep -q '"a_ns":1,"b_ns":2}' <<<"$output"
}

@test "csv: what cannot be taken as it is, is refused" {
	refuses 'A\n1\n' "standard input: a column cannot be called 'A'" csv
	refuses 'a,B\n1,2\n' "standard input: two columns would be called 'a'" csv --map B=a
	refuses 'a\n1\n' "standard input: no column 'b': there are a" csv --map b=c
	refuses 'a\n1\n' "standard input: no column 'b': there are a" csv --scale b=2
	refuses 'a\n1\n' "standard input: no column to scale" csv --map a=c --scale b=2
	refuses 'Kind\nevent\n' "standard input:2: kind: 'event': not" csv \
		--map Kind=kind
	refuses 'T\n1\nx\n' "standard input:3: T: 'x': not a number" csv --map T=t_ns
	refuses 'T\ninf\n' "standard input:2: T: 'inf': not a number" csv --map T=t_ns
	refuses 'a\nx\n' "standard input:2: a: 'x': not a number" csv --scale a=2
	refuses 'a\n1234567890123456789012345678901234567891\n' \
		"standard input:2: a: '1234567890123456789012345678901234567891': too many digits to be exact" \
		csv --scale a=2
}

@test "the preamble says where the rows come from" {
	printf 'a_ns\n1\n' >x.csv
	runs pcb-import csv x.csv - <<<$'# pcb-csv: 1\n# host: h\n# command: y\na_ns\n2\n# end: rows=1 complete=yes'
	[ "${lines[0]}" = "# pcb-csv: 1" ]
	[ "$(grep -c '^# parts: 2$' <<<"$output")" = 1 ]
	[ "$(grep '^# command:' <<<"$output")" = \
		"# command: pcb-import csv x.csv -" ]
	[ "$(grep '^# source:' <<<"$output")" = "# source: x.csv -" ]
	[[ "$(grep '^# tool:' <<<"$output")" = "# tool: pcb-import "* ]]
	[ "${lines[-1]}" = "# end: rows=2 complete=yes" ]
	given '# pcb-csv: 1\n# host: h\n# command: y\na_ns\n2\n' csv
	[ "$(grep '^# host:' <<<"$output")" = "# host: h" ]
	[ "$(grep '^# command:' <<<"$output")" = \
		"# command: y | pcb-import csv" ]
	[ "${lines[-1]}" = "# end: rows=1 complete=no" ]
	given '# pcb-csv: 1\na_ns\n2\n# end: rows=1 complete=yes lost=3\n' csv
	[ "${lines[-1]}" = "# end: rows=1 complete=yes lost=3" ]
}

@test "the published samples of NetTLP, every number of them" {
	needs_data
	local files=0

	for file in "$data"/nettlp/*.txt; do
		pcb-import nettlp -P "$file" | sed 1d |
			awk -F, '{ printf "%d,%d,%.9f\n", $17, $8, $18 }' >ours
		awk -F, '{ printf "%d,%d,%.9f\n", $2, $3, $4 }' "$file" |
			cmp - ours
		files=$((files + 1))
	done
	[ "$files" -ge 11 ]
}

@test "ndl's own result, every number of it" {
	needs_data
	local ours theirs

	pcb-import ndl "$data/ndl" >rows
	theirs=$(sed 1d "$data/ndl/datapoints.csv" |
		awk -F, '{ printf "%.0f,%.0f\n", $2 * 1000, $1 * 1000 }')
	ours=$(paste -d , <(column launch_distance_ns <rows) \
		<(column latency_ns <rows))
	[ "$(wc -l <<<"$ours")" = 10 ]
	[ "$ours" = "$theirs" ]
	# The register counts in units of 16 ns.
	column latency_ns <rows | awk '$1 % 16 { exit 1 }'
}

@test "csv: rows beyond the memory for them go through a file in TMPDIR" {
	local format

	mkdir temporary
	awk 'BEGIN {
		print "a_ns,text"
		for (i = 0; i < 400000; i++)
			print i ",row" (i % 1000 ? i : " \"" i "\",")
	}' | sed 's/,row \(.*\)$/,"row \1"/; s/"\([0-9]*\)",/""\1"",/' >some
	printf 'kind,text,b_ns\nvirtual,"x,\ny",7\n' >added
	{
		echo kind,a_ns,text,b_ns
		sed '1d; s/^/imported,/; s/$/,/' some
		printf 'virtual,,"x,\ny",7\n'
	} >wanted
	TMPDIR=$PWD/temporary pcb-import csv -P some added >got
	cmp got wanted
	[ -z "$(ls temporary)" ]
	for format in jsonl md; do
		pcb-import csv -P -f $format some added >got
		pcb-import csv -P -f $format wanted | cmp - got
	done
	# One column later, all in memory: the same rows.
	head -n 1002 some >few
	pcb-import csv -P few added | cmp - <({
		head -n 1002 wanted
		tail -n 2 wanted
	})
	TMPDIR=$PWD/none try pcb-import csv -P some
	is 2 "" "pcb-import: a temporary file in $PWD/none, as TMPDIR says:"
}
