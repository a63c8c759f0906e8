#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# pcb-stats: options, groups, messages, output.

load helpers

tests pcb-stats

computed=n,min_ns,mean_ns,median_ns,p95_ns,p99_ns,max_ns,stddev_ns

@test "wrong options are refused, with a pointer to the help" {
	wrong "unrecognized option '--no-such'" --no-such
	try "$(command -v pcb-stats)" --no-such
	is 2 "" "pcb-stats: unrecognized option '--no-such'
Try 'pcb-stats --help'."
	wrong "invalid option -- 'x'" -x
	wrong "option requires an argument -- 'c'" -c
	wrong "-f 'xml': not csv, table, md, json, jsonl or openmetrics" -f xml
	wrong "-p '': empty" -p ''
	wrong "-p '95,': empty" -p 95,
	wrong "-p '101': over 100" -p 101
	wrong "-p '-1': not a percentage such as 50, 99.9 or 3%" -p -1
	wrong "-p 'q95': not a percentage such as 50, 99.9 or 3%" -p q95
	wrong "-p '99,99.0': a percentage is repeated" -p 99,99.0
	wrong "--quantile-type '0': not 1 to 9" --quantile-type 0
	wrong "--quantile-type '10': not 1 to 9" --quantile-type 10
	wrong "--quantile-type 'x': not a whole number such as 42" --quantile-type x
	wrong "--threads '0': not 1 to 64" --threads 0
	wrong "--threads '65': not 1 to 64" --threads 65
	wrong "-g 'a,,b': an empty name, or a repeated one" -g a,,b
	wrong "-g 'a,b,a': an empty name, or a repeated one" -g a,b,a
	wrong "--ci '0': not between 0 and 100" --ci=0
	wrong "--ci '100.0': not between 0 and 100" --ci=100.0
	wrong "--ci '': empty" --ci=
	wrong "--outliers '0': not above 0" --outliers 0
	wrong "--outliers '-1': not above 0" --outliers -1
	wrong "--outliers 'x': K is missing: how many times p95, such as 10" \
		--outliers x
	given 'latency_ns\n1\n2\n' -P --ci 90 input
	first=$output
	given 'latency_ns\n1\n2\n' -P --ci=90 input
	is 0 "$first" ""
	wrong "--pool 'a,': an empty name, or a repeated one" \
		--pool a,
	wrong "--pool 'run,kind': kinds are never pooled" --pool run,kind
	wrong "-g and --pool exclude each other" -g a --pool b
	wrong "--histogram has several values for a gauge: not for -f openmetrics" \
		--histogram -f openmetrics
	wrong "-g and --pool exclude each other" --pool b -g ''
	for option in '-p 50' --ci --floor '--outliers 3' --population \
		'--quantile-type 7'; do
		# shellcheck disable=SC2086
		wrong "${option% *} is for statistics, not for --histogram" \
			$option --histogram
	done
}

@test "groups are rows of equal identity, in order of appearance" {
	gives 'b,a,latency_ns,seq\nx,1,10,1\ny,1,20,2\nx,1,30,3\nx,2,40,4\n' \
		"b,a,$computed
x,1,2,10,20,20,29,29.8,30,14.142135623730951
y,1,1,20,20,20,20,20,20,
x,2,1,40,40,40,40,40,40,"
	# The cells of a row stay separate.
	gives 'a,b,latency_ns\nx,yz,1\nxy,z,1\n,x,1\nx,,1\n' \
		'a,b,latency_ns,count\nx,yz,1,1\nxy,z,1,1\n,x,1,1\nx,,1,1' \
		--histogram
	gives 'a,latency_ns\n"x,""y""",1\n' 'a,latency_ns,count\n"x,""y""",1,1' \
		--histogram
}

@test "groups are the same whether their rows stand together or not" {
	awk 'BEGIN {
		srand(3)
		for (i = 0; i < 20000; i++)
			printf "%d,dev%d,%.1f\n", 300 * rand() * rand(),
			    3 * rand(), 500 + 100 * rand()
	}' >rows
	for order in cat 'sort -t, -k1,2' 'sort -t, -k3,3' 'sort -R'; do
		{
			echo run,device,latency_ns
			$order rows
		} | pcb-stats -P --floor | sort >statistics
		[ -e expected ] || cp statistics expected
		cmp statistics expected
	done
	awk -F, '{ n[$1 "," $2]++ } END { for (g in n) print g "," n[g] }' rows |
		sort >counted
	grep -v n,min expected | cut -d, -f1-3 | sort | cmp - counted
}

@test "-g groups by these columns only" {
	local in='a,b,latency_ns\nx,1,10\ny,1,20\nx,2,30\n'

	gives "$in" 'a,latency_ns,count\nx,10,1\nx,30,1\ny,20,1' \
		--histogram -g a
	gives "$in" 'b,latency_ns,count\n1,10,1\n1,20,1\n2,30,1' \
		--histogram --group b
	gives "$in" 'a,b,latency_ns,count\nx,1,10,1\ny,1,20,1\nx,2,30,1' \
		--histogram -g b,a
	gives "$in" 'latency_ns,count\n10,1\n20,1\n30,1' --histogram -g ''
	gives "$in" 'latency_ns,count\n10,1\n20,1\n30,1' --histogram -g ''
	gives 'flags,latency_ns\n1,10\n2,20\n' \
		'flags,latency_ns,count\n1,10,1\n2,20,1' --histogram -g flags
	refuses "$in" "standard input: no column 'c': there are a, b, latency_ns" -g a,c
	refuses "$in" 'latency_ns: the value column cannot be grouped by' \
		-g latency_ns
	refuses 'latency_ns,count\n1,1\n' \
		'count: a weight is not a key column' -g count
}

@test "kinds are never pooled" {
	local in='a,kind,latency_ns\nx,measured,1\nx,virtual,2\ny,measured,3\n'

	gives "$in" \
		'kind,latency_ns,count\nmeasured,1,1\nmeasured,3,1\nvirtual,2,1' \
		--histogram -g ''
	gives "$in" \
		'a,kind,latency_ns,count
x,measured,1,1
x,virtual,2,1
y,measured,3,1' --histogram -g a
	gives 'latency_ns\n1\n# pcb-csv: 1\nkind,latency_ns\nvirtual,2\n# end: rows=1 complete=yes\n' \
		'kind,latency_ns,count\n,1,1\nvirtual,2,1' --histogram -g ''
}

@test "parts pool, whatever their columns and the order of these" {
	printf 'a,b,latency_ns\nx,,1\n,y,2\n' >one
	printf 'latency_ns,a\n3,x\n' >two
	printf 'b,c,latency_ns\ny,,4\ny,z,5\n' >three
	try pcb-stats -P --merge --histogram one two three
	is 0 "a,b,c,latency_ns,count
x,,,1,1
x,,,3,1
,y,,2,1
,y,,4,1
,y,z,5,1" ""
	runs pcb-stats -P -g c one two three
	[ "$output" = "c,$computed
,4,1,2.5,2.5,3.85,3.97,4,1.2909944487358056
z,1,5,5,5,5,5,5," ]
}

@test "the measure is chosen, or named with -c" {
	local two='min_ns,max_ns,n\n1,2,7\n'

	gives 'a_ns,latency_ns,bandwidth_gbit_s\n1,2,3\n' \
		'latency_ns,count\n2,1' --histogram
	gives 'a_ns,bandwidth_gbit_s\n2,3\n' 'bandwidth_gbit_s,count\n3,1' \
		--histogram
	gives 'a,seq,part_pct\n1,2,3\n' 'a,part_pct,count\n1,3,1' --histogram
	gives "$two" 'max_ns,count\n2,1' --histogram -c max_ns
	gives "$two" 'n,count\n7,1' --histogram --column n
	gives 'cycles,a\n1,x\n2,x\n' 'a,cycles,count\nx,1,1\nx,2,1' \
		--histogram -c cycles
	gives 'bandwidth_gbit_s\n1\n' \
		'n,min_gbit_s,mean_gbit_s,median_gbit_s,p95_gbit_s,p99_gbit_s,max_gbit_s,stddev_gbit_s\n1,1,1,1,1,1,1,'
	gives 'cycles\n1\n' 'n,min,mean,median,p95,p99,max,stddev\n1,1,1,1,1,1,1,' \
		-c cycles
	refuses "$two" \
		'standard input: several columns to summarise: choose one with -c: min_ns, max_ns'
	refuses 'a,b\n1,2\n' \
		'standard input: no column with a unit, such as latency_ns: choose one with -c: a, b'
	refuses "$two" "standard input: no column 'x': there are min_ns, max_ns, n" -c x
	# The column may come with a later part, but not beside another one.
	for two in 'kind\nx\n# end: rows=1 complete=yes\nkind,latency_ns\nx,1\n' \
		'{"kind":"x"}\n{"kind":"x","latency_ns":1}\n'; do
		given "$two" -P --histogram
		is 0 $'kind,latency_ns,count\nx,1,1' \
			"pcb-stats: 1 row without latency_ns was skipped"
	done
	refuses 'x_ns\n1\n# end: rows=1 complete=yes\nlatency_ns\n1\n' \
		'standard input: after x_ns another part has latency_ns: choose one with -c'
	refuses 'x_ns\n1\n# end: rows=1 complete=yes\n7\n8\n' \
		'standard input: after x_ns another part has 1: choose one with -c' -c 1
	refuses '{}\n{"latency_ns":1}\n' \
		'standard input:1: an empty object before all others: it names no column'
	refuses 'max,cycles\n1,2\n' "two columns would be called 'max'" \
		-c cycles
}

@test "--pool pools over columns of identity" {
	local in='a,run,latency_ns,flags\nx,1,10,0\ny,1,20,0\nx,2,30,1\n'

	gives "$in" 'a,latency_ns,count\nx,10,1\nx,30,1\ny,20,1' \
		--histogram --pool run
	gives "$in" 'latency_ns,count\n10,1\n20,1\n30,1' \
		--histogram --pool run,a
	refuses "$in" "standard input: no column 'b': there are a, run, latency_ns, flags" \
		--pool b
	refuses "$in" 'latency_ns: the value column cannot be pooled over' \
		--pool latency_ns
	refuses "$in" 'flags: not a key column: nothing to pool over' \
		--pool flags
}

@test "many groups of one sample are worth a warning" {
	groups() {
		awk -v n="$1" -v pairs="$2" 'BEGIN {
			print "a,id,b,latency_ns"
			for (i = 1; i <= n; i++) {
				print i % 7 ",x" i "," i % 500 "," i
				if (i <= pairs)
					print i % 7 ",x" i "," i % 500 "," i
			}
		}' >input
		try pcb-stats -P -p 50 "${@:3}" input
		[ "$status" = 0 ] && [ "${#lines[@]}" = $(($1 + 1)) ]
	}
	groups 1001 500
	[ "$stderr" = "pcb-stats: 501 of 1001 groups have only one sample; 'id' has 1001 values: --pool pools over a column" ]
	groups 1001 501
	[ "$stderr" = "" ]
	groups 1000 0
	[ "$stderr" = "" ]
	groups 1002 501
	[ "$stderr" = "" ]
	# A run has only one bandwidth.
	groups 1001 500
	sed '1s/latency_ns/bandwidth_gbit_s/' input >bandwidths
	try pcb-stats -P -g a,id,b bandwidths
	[ "$status" = 0 ] && [ "$stderr" = "" ]
}

@test "rows without a measure are skipped and counted" {
	given 'latency_ns,a\n1,x\n,x\n,y\n3,x\n' -P --histogram
	is 0 "a,latency_ns,count
x,1,1
x,3,1" "pcb-stats: 2 rows without latency_ns were skipped"
	given 'latency_ns\n1\n# pcb-csv: 1\nb_ns\n2\n# end: rows=1 complete=yes\n' -P --histogram --merge
	[ "$output" = "latency_ns,count
1,1" ]
	[ "$stderr" = "pcb-stats: 1 row without latency_ns was skipped" ]
}

@test "a header alone gives a header" {
	given 'a,latency_ns\n' -P
	is 0 "a,$computed" "pcb-stats: standard input: a header, but no rows"
}

@test "CSV of other programs: units, gaps, no header" {
	given 'group,latency_us\na,1.5\na,NaN\n' -P
	is 0 'group,n,min_ns,mean_ns,median_ns,p95_ns,p99_ns,max_ns,stddev_ns
a,1,1500,1500,1500,1500,1500,1500,' \
		"pcb-stats: 1 row without latency_ns was skipped"
	given 'latency_ms\n-\n\n2\n'
	[ "${lines[-1]}" = "# end: rows=1 complete=yes missing=1" ]
	gives '1;9\n3;9\n' 'n,min,mean,median,p95,p99,max,stddev
2,1,2,2,2.9,2.98,3,1.4142135623730951' -c 1 -g ''
	# Values that equal the number of the column are values.
	gives '5\n1\n1\n3\n' 'n,min,mean,median,p95,p99,max,stddev
4,1,2.5,2,4.7,4.94,5,1.9148542155126762' -c 1
	gives 'x,y_ns\n1,5\n' \
		'x,n,min_ns,mean_ns,median_ns,p95_ns,p99_ns,max_ns,stddev_ns
1,1,5,5,5,5,5,5,' -c 2
	# Names in pcb-csv are not converted.
	refuses '# pcb-csv: 1\nlatency_us\n1\n# end: rows=1 complete=yes\n' \
		"standard input: no column with a unit, \
such as latency_ns: choose one with -c: latency_us"
}

@test "bad input is refused; an error in the last row leaves stdout empty" {
	refuses '' 'no input (did the program before it fail?)'
	refuses 'latency_ns\n1\nx\n' "standard input:3: latency_ns: 'x': not a number"
	refuses 'latency_ns\ninf\n' "standard input:2: latency_ns: 'inf': not a number"
	refuses '# pcb-csv: 1\nlatency_ns\nnan\n' \
		"standard input:3: latency_ns: 'nan': not a number"
	refuses 'latency_ns\n0x10\n' "standard input:2: latency_ns: '0x10': not a number"
	try pcb-stats -c 2 -g '' -P <<<$'a,5\nb,6'
	is 0 $'n,min,mean,median,p95,p99,max,stddev\n1,6,6,6,6,6,6,' \
		"pcb-stats: the first row was taken for names of columns, and 5 is one: does the file lack a header?"
	refuses 'rtt\n64.3 us\n' "standard input:2: rtt: '64.3 us': a number stands \
without its unit, as in 27.1: the name of the column has it, as in latency_us" -c rtt
	refuses 'rtt\n-inf\n' "standard input:2: rtt: '-inf': not a number" -c rtt
	refuses 'latency_ns\n1 \n' "standard input:2: latency_ns: '1 ': not a number"
	refuses '# pcb-csv: 1\nlatency_ns\n 1\n' \
		"standard input:3: latency_ns: ' 1': not a number"
	refuses 'latency_ns\n1e999\n' "standard input:2: latency_ns: '1e999': out of range"
	refuses '' 'none.csv: No such file or directory' none.csv
	refuses '' '.: Is a directory' .

	# An error in the last row leaves stdout empty.
	{
		echo latency_ns
		seq 100000
		echo x
	} >input
	for mode in -P --histogram; do
		try pcb-stats $mode input
		[ "$status" = 2 ]
		[ "$output" = "" ]
		[ "$stderr" = "pcb-stats: input:100002: latency_ns: 'x': not a number" ]
	done
}

@test "a message is one line, whatever a file is called" {
	printf 'latency_ns\nx\n' >$'two\nlines'
	try pcb-stats $'two\nlines'
	is 2 "" "pcb-stats: two?lines:2: latency_ns: 'x': not a number"
}

@test "files are operands, - is stdin" {
	printf 'latency_ns\n1\n' >one
	printf 'latency_ns\n2\n' >two
	runs pcb-stats -P --histogram --merge one - two <<<$'latency_ns\n3'
	[ "$output" = "latency_ns,count
1,1
2,1
3,1" ]
	try pcb-stats -P --histogram one - two <<<$'latency_ns\n3'
	[ "$output" = "file,latency_ns,count
one,1,1
-,3,1
two,2,1" ]
	# Columns of the file's own, and parts of one stream.
	printf 'file,latency_ns\nmine,4\n' >own
	try pcb-stats -P --histogram two own
	[ "$output" = "file,latency_ns,count
two,2,1
mine,4,1" ]
	cat one two >parts
	try pcb-stats -P --histogram parts own two
	[ "$output" = "file,latency_ns,count
parts,1,1
parts,2,1
mine,4,1
two,2,1" ]
	# Columns in another order, JSON, a column that only some files have.
	printf 'latency_ns,a\n5,x\n5,x\n5,y\n' >other
	echo '{"latency_ns": 5, "a": "x"}' >json
	try pcb-stats -P --histogram two other json
	[ "$output" = "file,a,latency_ns,count
two,,2,1
other,x,5,2
other,y,5,1
json,x,5,1" ]
	try pcb-stats -P --histogram -g file two other json
	[ "$output" = "file,latency_ns,count
two,2,1
other,5,3
json,5,1" ]
	try pcb-stats one two one
	[ "$status" = 2 ]
	[[ "$stderr" = 'pcb-stats: one is given twice'* ]]
	printf 'x,y\n1,10\n' >wide
	try pcb-stats -P --histogram -g '' -c 2 wide two
	[ "${lines[1]}" = 10,1 ]
	try pcb-stats one none
	[ "$status" = 2 ]
	[ "$output" = "" ]
}

@test "a preamble of many keys is whole" {
	{
		echo '# pcb-csv: 1'
		seq -f '# k%.0f: v' 10000
		printf 'a,x_ns\n1,2\n# end: rows=1 complete=yes\n'
	} >many
	cat many many | pcb-stats >out
	[ "$(grep -c '^# k[0-9]*: v$' out)" = 10000 ]
}

@test "the preamble is passed on and extended" {
	given '# pcb-csv: 1\n# host: rack7\n# command: pcb-collect lat_rd\nlatency_ns\n1\n# end: rows=1 complete=yes drift=0\n' \
		-p 50 -g ''
	is 0 "# pcb-csv: 1
# host: rack7
# command: pcb-collect lat_rd | pcb-stats -p 50 -g ''
n,min_ns,mean_ns,median_ns,max_ns,stddev_ns
1,1,1,1,1,
# end: rows=1 complete=yes drift=0" ""
	given '# pcb-csv: 1\nlatency_ns\n1\n' --histogram
	[ "$status" = 0 ]
	[ "${lines[-1]}" = "# end: rows=1 complete=no" ]
	[ "$stderr" = "pcb-stats: standard input: the stream was cut short after 1 rows" ]
	given 'latency_ns\n1\n' --no-preamble --histogram
	[ "$output" = "latency_ns,count
1,1" ]
}

@test "a table and JSON lines have the same rows" {
	local in='a,b,latency_ns\nx,1,1\nx,2,3.5\n'

	gives "$in" 'a=x

b  n    median
1  1  1.000 ns
2  1  3.500 ns' -f table -p 50
	gives "$in" '{"a":"x","b":"1","n":1,"min_ns":1,"mean_ns":1,"median_ns":1,"max_ns":1,"stddev_ns":null}
{"a":"x","b":"2","n":1,"min_ns":3.5,"mean_ns":3.5,"median_ns":3.5,"max_ns":3.5,"stddev_ns":null}' \
		--format jsonl -p 50
	gives 'latency_ns\n1.23456\n2\n' ' latency  count
1.235 ns      1
2.000 ns      1' -f table --histogram
}

@test "the first SIGINT lets it finish, the second kills" {
	outlives_one_sigint 'latency_ns\n1\n' '2\n' \
		'latency_ns,count\n1,1\n2,1' -P --histogram
}

@test "columns are many, and each is known by its name" {
	local names cells whole='\n# end: rows=1 complete=yes\n'

	names=$(seq -s, -f 'c%.0f' 20000)
	cells=${names//c/}
	gives "# pcb-csv: 1\n$names,latency_ns\n$cells,7$whole# pcb-csv: 1
latency_ns,c20000,c1\n9,5,6$whole" \
		'c1,c20000,latency_ns,count\n1,20000,7,1\n6,5,9,1' \
		--histogram --merge -g c1,c20000
	refuses "$names,latency_ns,c1\n$cells,7,8\n" \
		"standard input:1: two columns are called 'c1'"
	refuses "$names,latency_ns,c20000\n$cells,7,8\n" \
		"standard input:1: two columns are called 'c20000'"
}

@test "metrics: measures as gauges, what identifies a row as labels" {
	printf 'kind,bench,size_bytes,label,latency_ns\n%s\n%s\n%s\n' \
		'measured,lat_rd,64,"a ""b"" \c",10' \
		'measured,lat_rd,64,"a ""b"" \c",20' \
		'measured,lat_rd,128,,0.125' >input
	runs pcb-stats -P -f openmetrics input
	[ "$(head -n 4 <<<"$output")" = '# HELP pcb_samples The column n of pcb-csv(5).
# TYPE pcb_samples gauge
pcb_samples{kind="measured",bench="lat_rd",size_bytes="64",label="a \"b\" \\c"} 2
pcb_samples{kind="measured",bench="lat_rd",size_bytes="128"} 1' ]
	[[ $output == *'
pcb_median_seconds{kind="measured",bench="lat_rd",size_bytes="128"} 1.25e-10'* ]]
	# One sample has no standard deviation.
	[[ $output != *'stddev_seconds{kind="measured",bench="lat_rd",size_bytes="128"}'* ]]
	[ "$(tail -n 1 <<<"$output")" = "# EOF" ]
	hash promtool 2>/dev/null || skip "the rest needs promtool"
	promtool check metrics <<<"$output"
	pcb-collect bw_rd -q -d sim -n 10 | pcb-stats -f openmetrics >gauges
	promtool check metrics <gauges
	# Names of others, bytes of none, statistics without a unit.
	printf 'a b-c,9z,x_ns\nq\377,2,1\n' | pcb-stats -f openmetrics >gauges
	promtool check metrics <gauges
	printf 'host,cycles\na,704\na,720\n' |
		pcb-stats -P -c cycles -f openmetrics >gauges
	grep -x 'pcb_mean{host="a"} 712' gauges
	# 8 Gbit/s are a billion bytes per second.
	printf '%s\n' bench,bandwidth_gbit_s,loss_pct bw_rd,8,50 |
		pcb-stats -P -f openmetrics >gauges
	grep -x 'pcb_median_bytes_per_second{bench="bw_rd"} 1000000000' gauges
}

# A file is cut into ranges; a pipe is not.
@test "any number of threads gives the same, from files and pipes" {
	local n

	{
		printf '# pcb-csv: 1\nhost,note,latency_ns\n'
		seq 120000 | awk '{
			note = $1 % 7 ? "n" $1 % 5 : "\"x,\n" $1 % 3 "\""
			printf "h%d,%s,%.1f\n", $1 / 1000, note, $1 * 7919 % 5000
		}'
		printf '\n# end: rows=120000 complete=yes\nhost,latency_us\n'
		seq 100000 | awk '{ printf "h%d,%d\n", $1 % 3, $1 % 999 }'
		printf 'h1,NaN\n'
	} >input
	pcb-stats -P < <(cat input) >one 2>messages
	[ "$(wc -l <one)" -gt 900 ]
	mkfifo fifo
	for n in 1 2 3 16; do
		pcb-stats -P --threads $n input >many
		cmp one many
		pcb-stats -P --threads $n <input >many
		cmp one many
		cat input >fifo &
		pcb-stats -P --threads $n fifo >many
		cmp one many
	done
	# From where standard input stands; what is wrong, in its line.
	{ read -r _ && pcb-stats -P; } <input >many
	cmp one many
	printf 'h1,bad\n' >>input
	for n in 1 2 16; do
		try pcb-stats --threads $n input
		is 2 "" "pcb-stats: input:$(wc -l <input): latency_ns: 'bad': not a number"
	done
	# A sentence is no row.
	{ echo 'Latency (us)' && seq 200000 && echo 'end of it'; } >input
	for n in 1 2 16; do
		try pcb-stats --threads $n input
		is 2 "" "pcb-stats: input:200002: no header of columns"
	done
}

@test "statistics are shown again in each format" {
	local format

	pcb-collect lat_rd -d sim -s 64,256 -n 100 >samples
	pcb-stats samples >kept
	pcb-stats -P samples >wanted
	pcb-stats -P kept | cmp wanted
	pcb-stats -P <kept | cmp wanted
	pcb-stats -P --threads 2 kept | cmp wanted
	for format in table json md; do
		pcb-stats -P -f $format samples >wanted.$format
		pcb-stats -P -f $format kept | cmp wanted.$format
	done
	# Rows of all parts, with the columns of all.
	pcb-collect bw_rd -d sim -n 100 | pcb-stats >rates
	runs pcb-stats -P kept rates
	[ "$(column n <<<"$output" | wc -l)" = 3 ] || show '3 rows'
	for format in '-p 90' '-g size_bytes' --histogram --ci \
		'-f openmetrics' samples; do
		# shellcheck disable=SC2086
		try pcb-stats kept $format
		[ "$status" = 2 ] || show 'samples are needed'
	done
	runs pcb-stats -P -c median_ns kept
}
