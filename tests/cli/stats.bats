#!/usr/bin/env bats
# Formats of printf are arguments here, and bats sets $stderr.
# shellcheck disable=SC2059,SC2154

load helpers

tests pcb-stats

setup() {
	cd "$BATS_TEST_TMPDIR" || exit
}

computed=n,min_ns,mean_ns,median_ns,p95_ns,p99_ns,max_ns,stddev_ns

@test "help and version go to stdout" {
	helps '[options] [FILE...]' -h
	helps '[options] [FILE...]' --help
	tells_version
}

@test "wrong options are refused, with a pointer to the help" {
	wrong "unrecognized option '--no-such'" --no-such
	wrong "invalid option -- 'x'" -x
	wrong "option requires an argument -- 'c'" -c
	wrong "-f 'xml': not csv, table or jsonl" -f xml
	wrong "-p '': empty" -p ''
	wrong "-p '95,': empty" -p 95,
	wrong "-p '101': over 100" -p 101
	wrong "-p '-1': not a number" -p -1
	wrong "-p 'p95': not a number" -p p95
	wrong "-p '95%': not a percentage" -p 95%
	wrong "-p '99,99.0': a percentage is there twice" -p 99,99.0
	wrong "--quantile-type '0': not 1 to 9" --quantile-type 0
	wrong "--quantile-type '10': not 1 to 9" --quantile-type 10
	wrong "--quantile-type 'x': not a number" --quantile-type x
	wrong "-g 'a,,b': an empty name, or one that is there twice" -g a,,b
	wrong "-g 'a,b,a': an empty name, or one that is there twice" -g a,b,a
	wrong "--ci '0': not between 0 and 100" --ci=0
	wrong "--ci '100.0': not between 0 and 100" --ci=100.0
	wrong "--ci '': empty" --ci=
	wrong "--outliers '0': not above 0" --outliers 0
	wrong "--outliers '-1': not above 0" --outliers -1
	wrong "--outliers 'x': not a number" --outliers x
	wrong "--pool 'a,': an empty name, or one that is there twice" \
		--pool a,
	wrong "--pool 'kind': kinds are never pooled" --pool run,kind
	wrong "either -g or --pool says what to group by" -g a --pool b
	wrong "either -g or --pool says what to group by" --pool b -g ''
	for option in '--percentiles 50' --ci --floor '--outliers 3' \
		--population '--quantile-type 7'; do
		# shellcheck disable=SC2086
		wrong "a histogram has no statistics: ${option% *} has no meaning" \
			$option --histogram
	done
}

@test "the statistics of a group" {
	gives 'latency_ns\n1\n2\n4\n' \
		"$computed\n3,1,2.3333333333333335,2,3.8,3.96,4,1.5275252316519468"
	gives 'latency_ns\n5.5\n' "$computed\n1,5.5,5.5,5.5,5.5,5.5,5.5,"
	gives 'latency_ns\n-0\n0\n' "$computed\n2,0,0,0,0,0,0,0"
	gives 'latency_ns\n1e3\n+1.0E+3\n' \
		"$computed\n2,1000,1000,1000,1000,1000,1000,0"
}

@test "groups are rows of equal identity, in order of appearance" {
	gives 'b,a,latency_ns,seq\nx,1,10,1\ny,1,20,2\nx,1,30,3\nx,2,40,4\n' \
		"b,a,$computed
x,1,2,10,20,20,29,29.8,30,14.142135623730951
y,1,1,20,20,20,20,20,20,
x,2,1,40,40,40,40,40,40,"
	# The cells of a row are not run together.
	gives 'a,b,latency_ns\nx,yz,1\nxy,z,1\n,x,1\nx,,1\n' \
		'a,b,latency_ns,count\nx,yz,1,1\nxy,z,1,1\n,x,1,1\nx,,1,1' \
		--histogram
	gives 'a,latency_ns\n"x,""y""",1\n' 'a,latency_ns,count\n"x,""y""",1,1' \
		--histogram
}

@test "a thousand groups" {
	{
		echo a,latency_ns
		for value in 10 20; do
			seq -f "%g,$value" 1000
		done
	} >input
	seq -f '%g,2,10,15,20' 1000 >wanted
	pcb-stats -P -p 50 input | tail -n +2 | cut -d, -f1-4,6 | cmp - wanted
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
	gives "$in" 'latency_ns,count\n10,1\n20,1\n30,1' --histogram -g a -g ''
	gives 'flags,latency_ns\n1,10\n2,20\n' \
		'flags,latency_ns,count\n1,10,1\n2,20,1' --histogram -g flags
	refuses "$in" "-: no column 'c': there are a, b, latency_ns" -g a,c
	refuses "$in" 'latency_ns: the measure cannot be grouped by' \
		-g latency_ns
	refuses 'latency_ns,count\n1,1\n' \
		'count: a weight cannot be grouped by' -g count
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
	run --separate-stderr pcb-stats -P --histogram one two three
	[ "$status" = 0 ]
	[ "$stderr" = "" ]
	[ "$output" = "a,b,c,latency_ns,count
x,,,1,1
x,,,3,1
,y,,2,1
,y,,4,1
,y,z,5,1" ]
	run --separate-stderr pcb-stats -P -g c one two three
	[ "$status" = 0 ]
	[ "$output" = "c,$computed
,4,1,2.5,2.5,3.85,3.97,4,1.2909944487358056
z,1,5,5,5,5,5,5," ]
}

@test "the order of rows changes no result row" {
	awk 'BEGIN {
		print "a,latency_ns"
		srand(1)
		for (i = 0; i < 5000; i++)
			printf "%d,%.3f\n", 3 * rand(), 1e6 + 100 * rand()
	}' >there
	{
		head -n 1 there
		tail -n +2 there | sort -t, -k2
	} >back
	pcb-stats -P -p 1,99.9 there | sort >one
	pcb-stats -P -p 1,99.9 back | sort >two
	[ "$(wc -l <one)" = 4 ]
	cmp one two
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
		'-: several columns to summarise: choose one with -c: min_ns, max_ns'
	refuses 'a,b\n1,2\n' \
		'-: no column with a unit, such as latency_ns: choose one with -c: a, b'
	refuses "$two" "-: no column 'x': there are min_ns, max_ns, n" -c x
	refuses 'max,cycles\n1,2\n' "two columns would be called 'max'" \
		-c cycles
}

@test "a column count is a weight" {
	gives 'latency_ns,count\n10,3\n20,1\n' \
		"$computed\n4,10,12.5,10,18.5,19.7,20,5"
	gives 'latency_ns,count\n1,4294967296\n2,4294967296\n1,1\n' \
		'latency_ns,count\n1,4294967297\n2,4294967296' --histogram
	gives 'latency_ns,count\n1,2\n# pcb-csv: 1\nlatency_ns\n1\n# end: rows=1 complete=yes\n' \
		'latency_ns,count\n1,3' --histogram
	gives 'a,latency_ns,count\nx,1,0\ny,1,1\n' \
		"a,$computed\ny,1,1,1,1,1,1,1,"
	gives 'count,latency_ns\n2,10\n' \
		"${computed//_ns/}\n1,2,2,2,2,2,2," -c count
	refuses 'latency_ns,count\n1,1.5\n' \
		"-:2: count: '1.5': unknown suffix"
	refuses 'latency_ns,count\n1,-1\n' "-:2: count: '-1': not a number"
	refuses 'latency_ns,count\n1,18446744073709551615\n1,1\n' \
		'-:3: latency_ns: more samples than can be counted'
}

@test "percentiles of -p" {
	header() {
		given 'latency_ns\n1\n' -P "${@:2}"
		[ "${lines[0]}" = "n,min_ns,mean_ns,median_ns,$1max_ns,stddev_ns" ]
	}
	header p99_9_ns, -p 99.9
	header p1_ns,p99_999_ns,p100_ns, -p 100,1,99.999
	header p0_ns,p0_001_ns, --percentiles 0,0.0010
	header '' -p 50
	header p5_ns, -p 99 -p 50.0,5
	gives 'latency_ns\n1\n2\n3\n4\n5\n' \
		'n,min_ns,mean_ns,median_ns,p0_ns,p12_5_ns,p100_ns,max_ns,stddev_ns
5,1,3,3,1,1.5,5,5,1.5811388300841898' -p 0,12.5,100
}

@test "types of quantiles" {
	local type=0 header=n,min_ns,mean_ns,median_ns,p25_ns,max_ns,stddev_ns

	for wanted in 2,1 2.5,1.5 2,1 2,1 2.5,1.5 2.5,1.25 2.5,1.75 \
		2.5,1.4166666666666667 2.5,1.4375; do
		gives 'latency_ns\n1\n2\n3\n4\n' \
			"$header\n4,1,2.5,$wanted,4,1.2909944487358056" \
			-p 25 --quantile-type $((++type))
	done
	[ "$type" = 9 ]
}

@test "limits of quantiles" {
	local header=n,min_ns,mean_ns,median_ns,median_lo_ns,median_hi_ns

	# R: qbinom(c(.025, .975), 80, .5) + c(0, 1), the same with .95; of 80
	# samples none is an upper limit of the 99th percentile.
	seq 80 | sed '1i latency_ns' >input
	run --separate-stderr pcb-stats -P --ci input
	[ "$status" = 0 ]
	[ "$output" = "$header,p95_ns,p95_lo_ns,p95_hi_ns,p99_ns,p99_lo_ns,p99_hi_ns,max_ns,stddev_ns
80,1,40.5,40.5,31,50,76.05,72,80,79.21,77,,80,23.2379000772445" ]
	gives 'cycles\n1\n2\n3\n4\n5\n6\n7\n' \
		'n,min,mean,median,median_lo,median_hi,max,stddev
7,1,4,4,,,7,2.160246899469287' --ci=99 -p 50 -c cycles
	gives 'cycles\n1\n2\n3\n4\n5\n6\n7\n' \
		'n,min,mean,median,median_lo,median_hi,max,stddev
7,1,4,4,2,6,7,2.160246899469287' --ci=80 -p 50 -c cycles
	# Weights count.
	gives 'cycles,count\n1,50\n2,50\n' \
		'n,min,mean,median,median_lo,median_hi,max,stddev
100,1,1.5,1.5,1,2,2,0.502518907629606' --ci -p 50 -c cycles
}

@test "--outliers counts what exceeds a multiple of p95" {
	local header=n,min_ns,mean_ns,median_ns,max_ns,outliers,stddev_ns

	gives 'latency_ns,count\n10,98\n30,1\n31,1\n' \
		"$header\n100,10,10.41,10,31,1,2.885333865456737" \
		-p 50 --outliers 3
	gives 'latency_ns,count\n10,98\n30,1\n31,1\n' \
		"$header\n100,10,10.41,10,31,2,2.885333865456737" \
		-p 50 --outliers 2.99
	gives 'latency_ns\n1\n100\n' \
		"$header\n2,1,50.5,50.5,100,1,70.0035713374682" \
		-p 50 --outliers 1
	# Of two samples, the nearest rank of p95 is the second one.
	gives 'latency_ns\n1\n100\n' \
		"$header\n2,1,50.5,1,100,0,70.0035713374682" \
		-p 50 --outliers 1 --quantile-type 1
}

@test "--population divides by n" {
	local header=n,min_ns,mean_ns,median_ns,max_ns,stddev_ns

	gives 'latency_ns\n2\n4\n' "$header\n2,2,3,3,4,1" -p 50 --population
	gives 'latency_ns\n2\n' "$header\n1,2,2,2,2,0" -p 50 --population
}

@test "--floor: first percentile and mode" {
	local header=n,min_ns,p1_ns,mode_ns,mean_ns,median_ns

	gives 'latency_ns\n3\n5\n4\n5\n4\n' \
		"$header,p2_ns,max_ns,stddev_ns\n5,3,3.04,4,4.2,4,3.08,5,0.8366600265340756" \
		--floor -p 1,2,50
	given 'latency_ns\n1\n' -P --floor --ci -p 1
	[ "${lines[0]}" = n,min_ns,p1_ns,p1_lo_ns,p1_hi_ns,mode_ns,mean_ns,median_ns,median_lo_ns,median_hi_ns,max_ns,stddev_ns ]
}

@test "--pool pools over columns of identity" {
	local in='a,run,latency_ns,flags\nx,1,10,0\ny,1,20,0\nx,2,30,1\n'

	gives "$in" 'a,latency_ns,count\nx,10,1\nx,30,1\ny,20,1' \
		--histogram --pool run
	gives "$in" 'latency_ns,count\n10,1\n20,1\n30,1' \
		--histogram --pool run,a
	refuses "$in" "-: no column 'b': there are a, run, latency_ns, flags" \
		--pool b
	refuses "$in" 'latency_ns: the measure cannot be pooled over' \
		--pool latency_ns
	refuses "$in" 'flags: no column of identity: nothing to pool over' \
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
		run --separate-stderr pcb-stats -P -p 50 "${@:3}" input
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
}

@test "rows without a measure are skipped and counted" {
	given 'latency_ns,a\n1,x\n,x\n,y\n3,x\n' -P --histogram
	[ "$status" = 0 ]
	[ "$output" = "a,latency_ns,count
x,1,1
x,3,1" ]
	[ "$stderr" = "pcb-stats: 2 rows without latency_ns were skipped" ]
	given 'latency_ns\n1\n# pcb-csv: 1\nb_ns\n2\n# end: rows=1 complete=yes\n' -P --histogram
	[ "$output" = "latency_ns,count
1,1" ]
	[ "$stderr" = "pcb-stats: 1 row without latency_ns was skipped" ]
}

@test "a header alone gives a header" {
	given 'a,latency_ns\n' -P
	[ "$status" = 0 ]
	[ "$output" = "a,$computed" ]
	[ "$stderr" = "pcb-stats: -: a header, but no rows" ]
}

@test "bad input is refused" {
	refuses '' '-: empty: not even a header row'
	refuses 'latency_ns\n1\nx\n' "-:3: latency_ns: 'x': not a number"
	refuses 'latency_ns\nnan\n' "-:2: latency_ns: 'nan': not a number"
	refuses 'latency_ns\ninf\n' "-:2: latency_ns: 'inf': not a number"
	refuses 'latency_ns\n0x10\n' "-:2: latency_ns: '0x10': not a number"
	refuses 'latency_ns\n 1\n' "-:2: latency_ns: ' 1': not a number"
	refuses 'latency_ns\n1e999\n' "-:2: latency_ns: '1e999': out of range"
	refuses 'a,latency_ns\nx,1\nx\n' \
		'-:3: 1 fields where the header has 2'
	refuses 'a,a\n1,2\n' "-:1: two columns are called 'a'"
	refuses 'latency_ns\n1\0002\n' '-:2: a NUL byte: this is not a text file'
	refuses 'latency_ns\n"1\n' '-:2: a quote is opened and never closed'
	refuses '# pcb-csv: 1\nlatency_ns\n1\n2' \
		'-:4: the last line is cut off (the rows before it are whole)'
	refuses '# pcb-csv: 2\nlatency_ns\n1\n' \
		"-:1: pcb-csv version '2': only 1 is known here"
	refuses '' 'none.csv: No such file or directory' none.csv
	refuses '' '.: Is a directory' .
}

@test "an error in the last row leaves stdout empty" {
	{
		echo latency_ns
		seq 100000
		echo x
	} >input
	for mode in -P --histogram; do
		run --separate-stderr pcb-stats $mode input
		[ "$status" = 2 ]
		[ "$output" = "" ]
		[ "$stderr" = "pcb-stats: input:100002: latency_ns: 'x': not a number" ]
	done
}

@test "a message is one line, whatever a file is called" {
	printf 'latency_ns\nx\n' >$'two\nlines'
	run --separate-stderr pcb-stats $'two\nlines'
	is 2 "" "pcb-stats: two?lines:2: latency_ns: 'x': not a number"
}

@test "files are operands, - is stdin" {
	printf 'latency_ns\n1\n' >one
	printf 'latency_ns\n2\n' >two
	run --separate-stderr pcb-stats -P --histogram one - two <<<$'latency_ns\n3'
	[ "$status" = 0 ]
	[ "$output" = "latency_ns,count
1,1
2,1
3,1" ]
	run --separate-stderr pcb-stats one none
	[ "$status" = 2 ]
	[ "$output" = "" ]
}

@test "a histogram stands for its samples" {
	awk 'BEGIN {
		print "kind,a,latency_ns"
		srand(7)
		for (i = 0; i < 9000; i++) {
			x = i % 2 ? rand() : 13.3 * int(100 * rand())
			printf "measured,%d,%.17g\n", 3 * rand(), x
		}
	}' >all
	for piece in 0 1 2; do
		awk -v piece=$piece 'NR == 1 || NR % 3 == piece' all |
			pcb-stats --histogram >"piece$piece"
	done
	pcb-stats -P -p 1,99.9 all | sort >wanted
	[ "$(wc -l <wanted)" = 4 ]
	pcb-stats --histogram all | pcb-stats -P -p 1,99.9 | sort | cmp - wanted
	cat piece0 piece1 piece2 | pcb-stats -P -p 1,99.9 | sort | cmp - wanted
	pcb-stats --histogram piece2 piece0 piece1 | pcb-stats -P -p 1,99.9 | sort |
		cmp - wanted
	# Values come ascending, and once.
	pcb-stats -P --histogram all | tail -n +2 >histogram
	sort -t, -k2,2n -k3,3g -s histogram | uniq >sorted
	sort -t, -k2,2n -s histogram | cmp - sorted
}

@test "order and pieces change nothing, whatever the size of numbers" {
	local options='-P -p 0.001,99.999 --ci --floor --outliers 1.5'

	# Values from 1e-3 to 1e12, weights up to 2^45.
	awk 'BEGIN {
		print "a,latency_ns,count"
		srand(11)
		for (i = 0; i < 3000; i++)
			printf "%d,%.3f,%.0f\n", 2 * rand(), \
				10 ^ (15 * rand() - 3), 2 ^ (45 * rand())
	}' >all
	{ head -n 1 all && tail -n +2 all | sort -t, -k3; } >other
	for piece in 0 1 2 3; do
		awk -v piece=$piece 'NR == 1 || NR % 4 == piece' other |
			pcb-stats --histogram >"piece$piece"
	done
	# shellcheck disable=SC2086
	{
		pcb-stats $options all | sort >wanted
		pcb-stats $options other | sort | cmp - wanted
		cat piece? | pcb-stats $options | sort | cmp - wanted
	}
	awk -F, 'NR > 1 { n[$1] += $3 } END { printf "%.0f\n%.0f\n", n[0], n[1] }' \
		all >sums
	head -n 2 wanted | cut -d, -f2 | cmp - sums
	[ "$(head -n 1 sums)" -gt $((1 << 40)) ]
}

@test "the preamble is passed on and extended" {
	given '# pcb-csv: 1\n# host: rack7\n# command: pcb-collect lat_rd\nlatency_ns\n1\n# end: rows=1 complete=yes drift=0\n' \
		-p 50 -g ''
	[ "$status" = 0 ]
	[ "$stderr" = "" ]
	[ "$output" = "# pcb-csv: 1
# host: rack7
# command: pcb-collect lat_rd | pcb-stats -p 50 -g ''
n,min_ns,mean_ns,median_ns,max_ns,stddev_ns
1,1,1,1,1,
# end: rows=1 complete=yes drift=0" ]
	given '# pcb-csv: 1\nlatency_ns\n1\n' --histogram
	[ "$status" = 0 ]
	[ "${lines[-1]}" = "# end: rows=1 complete=no" ]
	[ "$stderr" = "pcb-stats: -: the stream was cut short after 1 rows" ]
	given 'latency_ns\n1\n' --no-preamble --histogram
	[ "$output" = "latency_ns,count
1,1" ]
}

@test "formats" {
	local in='a,b,latency_ns\nx,1,1\nx,2,3.5\n'

	gives "$in" 'a  x

b  n  min_ns  mean_ns  median_ns  max_ns
1  1   1.000    1.000      1.000   1.000
2  1   3.500    3.500      3.500   3.500' -f table -p 50
	gives "$in" '{"a":"x","b":"1","n":1,"min_ns":1,"mean_ns":1,"median_ns":1,"max_ns":1,"stddev_ns":null}
{"a":"x","b":"2","n":1,"min_ns":3.5,"mean_ns":3.5,"median_ns":3.5,"max_ns":3.5,"stddev_ns":null}' \
		--format jsonl -p 50
	# Measured values are not rounded.
	gives 'latency_ns\n1.23456\n2\n' 'latency_ns  count
   1.23456      1
         2      1' -f table --histogram
}

# What the tests below compare numbers with, as functions of awk.
compare='
	function same(a, b) {
		if (a + 0 != b + 0)
			bad = bad " " a " is not " b
	}
	function near(a, b, part, d) {
		d = a > b ? a - b : b - a
		if (d > part * (b < 0 ? -b : b))
			bad = bad " " a " is not near " b
	}
	END { printf "%s", bad; exit NR != 1 || bad != "" }'

# The means and deviations are the certified ones.
@test "statistical reference datasets of NIST" {
	local name mean deviation

	while read -r name mean deviation; do
		pcb-stats -P -c value -p 50 "$TOP/tests/data/nist/$name.csv" |
			tail -n 1 >got
		awk -F, -v mean="$mean" -v deviation="$deviation" "$compare"'{
			near($3, mean, 1e-15)
			near($6, deviation, 1e-13)
		}' got || { echo "$name" && return 1; }
	done <<-END
		Lottery 518.958715596330 291.699727470969
		Lew -177.435000000000 277.332168044316
		Mavro 2.00185600000000 0.000429123454003053
		Michelso 299.852400000000 0.0790105478190518
	END
}

# numacc FIRST ODD EVEN MEAN PART: NumAcc2 to 4 are FIRST and 500 pairs. In
# binary64 the values themselves are off so much that 3 keeps 9.4 digits of
# the deviation, which is 0.1, and 4 keeps 8.2.
numacc() {
	awk -v first="$1" -v odd="$2" -v even="$3" 'BEGIN {
		print "value\n" first
		for (i = 0; i < 500; i++)
			print odd "\n" even
	}' | pcb-stats -P -c value -p 50 | tail -n 1 >got
	awk -F, -v mean="$4" -v part="$5" "$compare"'{
		same($1, 1001)
		near($3, mean, 1e-15)
		near($6, 0.1, part)
	}' got
}

@test "value is summarised without being named, and its times are not" {
	gives 'event,time_ns,value,running_ns\na,1,5,1\na,2,7,1\n' \
		'event,n,min_value,mean_value,median_value,max_value,stddev_value
a,2,5,6,6,7,1.4142135623730951' -p 50
}

@test "statistical reference datasets of NIST, for accuracy" {
	gives 'value\n10000001\n10000003\n10000002\n' \
		'n,min_value,mean_value,median_value,max_value,stddev_value
3,10000001,10000002,10000002,10000003,1' -c value -p 50
	# PiDigits: how often each digit is among its 5000, which are those of
	# pi but for one 3 in place of an 8, or so say the certified values.
	printf 'value,count\n' >digits
	printf '%d,%d\n' 0 466 1 531 2 496 3 461 4 508 5 525 6 513 7 488 8 491 \
		9 521 >>digits
	pcb-stats -P -c value -p 50 digits | tail -n 1 >got
	awk -F, "$compare"'{
		same($1, 5000)
		near($3, 4.53480000000000, 1e-15)
		near($6, 2.86733906028871, 1e-13)
	}' got
	numacc 1.2 1.1 1.3 1.2 1e-13
	numacc 1000000.2 1000000.1 1000000.3 1000000.2 4e-10
	numacc 10000000.2 10000000.1 10000000.3 10000000.2 6.4e-9
}

@test "the published pcie-bench histograms" {
	local data=${PCB_TEST_DATA:-}/pciebench/derived compared=0
	local options='-P -c cycles -p 90,95,99,99.9,99.99'
	local system section wanted file

	[ -n "${PCB_TEST_DATA:-}" ] || skip "PCB_TEST_DATA is not set"
	while IFS=, read -r system section wanted; do
		# The files lack the start of the name: bdw is dw there. Not
		# every section has one.
		file=$data/hist_${system#nfp6000-1.2GHz_?}_$section.csv
		[ -e "$file" ] || continue
		# shellcheck disable=SC2086
		for type in 7 1; do
			pcb-stats $options --population --outliers 3 \
				--quantile-type $type "$file" | tail -n 1
		done | paste -sd, >got
		awk -F, -v wanted="$wanted" "$compare"'{
			split(wanted, w)
			same($1, w[1]); same($2, w[6]); same($10, w[7])
			for (i = 0; i < 4; i++)
				same($(4 + i), w[8 + i])
			# These were computed with a binary 0.999 and 0.9999.
			near($8, w[12], 1e-8)
			near($9, w[13], 1e-8)
			near($3, w[4], 1e-12)
			near($12, w[5], 1e-12)
			for (i = 0; i < 6; i++)
				same($(16 + i), w[14 + i])
			same($11, w[20])
		}' got || { echo "$file" && return 1; }
		compared=$((compared + 1))
	done < <(tail -n +2 "$data/golden_stats_cycles.csv")
	[ "$compared" = 74 ]
}

@test "the published samples of NetTLP" {
	local data=${PCB_TEST_DATA:-} compared=0
	local file wanted

	[ -n "$data" ] || skip "PCB_TEST_DATA is not set"
	while IFS=, read -r file wanted; do
		sed '1i pattern,seq,size_bytes,value' "$data/nettlp/$file" |
			pcb-stats -P -c value -p 95,99,99.9 --population |
			tail -n 1 | cut -d, -f3- >got
		awk -F, -v wanted="$wanted" "$compare"'{
			split(wanted, w)
			same($1, w[1]); same($2, w[4]); same($8, w[5])
			near($3, w[2], 1e-12)
			near($9, w[9], 1e-12)
			near($4, w[3], 1e-15)
			# These were computed with a binary 0.999.
			for (i = 0; i < 3; i++)
				near($(5 + i), w[6 + i], 1e-13)
		}' got || { echo "$file" && return 1; }
		compared=$((compared + 1))
	done < <(tail -n +2 "$data/pciebench/derived/golden_stats_nettlp.csv")
	[ "$compared" = 11 ]
}

@test "output that is lost is an error" {
	for options in '' --histogram '-f table' '-f jsonl' --help; do
		# shellcheck disable=SC2086
		run --separate-stderr bash -c \
			'pcb-stats "$@" <<<$'"'latency_ns\n1'"' >/dev/full' \
			- $options
		[ "$status" = 2 ]
		[ "$stderr" = "pcb-stats: stdout: No space left on device" ]
	done
}

@test "a reader that goes away ends it quietly" {
	# shellcheck disable=SC2016
	run --separate-stderr bash -c '
		{ echo latency_ns; seq 50000; } | pcb-stats --histogram |
			head -n 1
		exit "${PIPESTATUS[1]}"'
	[ "$status" = 141 ]
	[ "$output" = "# pcb-csv: 1" ]
	[ "$stderr" = "" ]
}

@test "the first SIGINT lets it finish, the second kills" {
	needs_own_handlers
	mkfifo pipe
	for signals in 1 2; do
		status=0
		env --default-signal=INT pcb-stats -P --histogram pipe >out \
			3>&- &
		exec 4>pipe
		printf 'latency_ns\n1\n' >&4
		wait_for_handler pcb-stats $! 1
		kill -INT $!
		wait_for_handler pcb-stats $! 0
		if [ "$signals" = 2 ]; then
			kill -INT $!
		else
			printf '2\n' >&4
		fi
		exec 4>&-
		wait $! || status=$?
		if [ "$signals" = 2 ]; then
			[ "$status" = 130 ]
			[ ! -s out ]
		else
			[ "$status" = 0 ]
			printf 'latency_ns,count\n1,1\n2,1\n' | cmp - out
		fi
	done
}

@test "Ctrl-C on a whole pipe: what came so far is summarised" {
	needs_own_handlers
	export -f wait_for_handler
	# shellcheck disable=SC2016
	run --separate-stderr bash -c '
		set -m
		{ printf "latency_ns\n1\n2\n"; : >written; sleep 60; } |
			pcb-stats -P --histogram 2>err 3>&- &
		wait_for_handler pcb-stats $! 1 || exit
		until [ -e written ]; do sleep 0.05; done
		kill -INT %1
		wait $!'
	[ "$status" = 0 ]
	[ "$output" = "latency_ns,count
1,1
2,1" ]
	[ ! -s err ]
}

# Merging ------------------------------------------------------------------

@test "a thousand histograms merged are the samples, in whatever order" {
	# 1000 values each, which overlap, with 1 to 3 samples of each value.
	awk 'BEGIN {
		for (h = 0; h < 1000; h++) {
			file = sprintf("part%03d", h)
			print "latency_ns,count" >file
			for (i = 0; i < 1000; i++)
				print 400 + 7 * h + 13.3 * i "," 1 + (h * 31 + i) % 3 >file
			close(file)
		}
	}'
	awk -F, 'FNR == 1 { if (NR == 1) print $1; next }
		{ for (i = 0; i < $2; i++) print $1 }' part* >samples
	[ "$(wc -l <samples)" -gt 1999000 ]
	merged=(pcb-stats -P --histogram)
	"${merged[@]}" samples >wanted
	"${merged[@]}" part* | cmp wanted
	find . -name 'part*' | sort -r | xargs "${merged[@]}" | cmp wanted
	# Histograms of histograms, of parts that come as they come.
	find . -name 'part*' | shuf --random-source=samples | split -l 100 - some.
	for some in some.??; do
		xargs "${merged[@]}" <"$some" >"$some.csv"
	done
	"${merged[@]}" some.??.csv | cmp wanted
	merged=(pcb-stats -P -f csv -p '0.1,50,99.99' --floor --ci --outliers 1)
	"${merged[@]}" samples >wanted
	"${merged[@]}" some.??.csv | cmp wanted
	[ "$(wc -l <wanted)" = 2 ]
}
