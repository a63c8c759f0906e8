#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# pcb-diff: options, messages, output.

load helpers
load diff

@test "wrong options are refused, with a pointer to the help" {
	wrong "unrecognized option '--no-such'" --no-such
	wrong "invalid option -- 'x'" -x
	wrong "option '--by' requires an argument" --by
	wrong "-f 'xml': not csv, table, md, json or jsonl" -f xml
	wrong "--by '': COLUMN is empty" --by ''
	wrong "--by '=cold': COLUMN is empty" --by =cold
	wrong "--by 'cache=': BASE is empty" --by cache=
	wrong "--by 'min_ns': a value column, not a condition" --by min_ns
	wrong "--by 'kind': rows of different kinds are not compared" --by kind
	wrong "--by 'b=2': a second BASE" --by a=1 --by b=2
	wrong "--check 'x': not a number" --by a --check x
	wrong "--check '5%%': not a number" --by a --check 5%%
	wrong "--check '%': empty" --by a --check %
	wrong "--check '-1': below 0" --by a --check -1
}

@test "what cannot be compared is refused" {
	refuses 'a,median_ns\nx,1\n' \
		'standard input: all rows have a=x: nothing to compare' --by a
	says 2 'a,median_ns\n,1\n' '' \
		'1 row without a was skipped\nstandard input: no row has a value in a' --by a
	refuses 'a,median_ns\nx,1\ny,2\n' 'standard input: no row has a=z' --by a=z
	refuses 'a,b,c,median_ns\nx,1,1,1\ny,2,2,2\nx,2,3,1\n' \
		'standard input: nothing to compare: rows that differ in a also differ in c; drop it with --ignore c' \
		--by a
	refuses 'a,b,c,median_ns\nx,1,1,1\ny,2,2,2\nx,2,1,1\nx,1,2,1\n' \
		'standard input: no rows differ only in a' --by a
	refuses 'a,run,median_ns\nx,1,1\ny,1,1\nx,1,2\n' \
		'standard input:4: median_ns: a second row with the same keys: add a label (pcb-collect -l) or pool the samples (pcb-stats)' \
		--by a
	refuses 'device,link,parent,min_ns\nx,pci32/33,y,1\nx,pci32/66,y,1\n' \
		'standard input:3: min_ns: a second row with the same keys: add a label (pcb-collect -l) or pool the samples (pcb-stats)'
	printf 'file,median_ns\nx,1\n' >column
	# With one input, --by file is a column; with two, that does not count.
	says 0 'file,median_ns\nx,2\ny,1\n' "file,by,base,$conditions
y,file,x,2,1,-1,,,50,unclear,1" "1 of 1 $unclear" --by file
	says 0 'file,a,median_ns\nx,p,2\ny,q,1\n' "a,by,base,$conditions
q,a,p,2,1,-1,,,50,unclear,1" "1 of 1 $unclear" --by a
	try pcb-diff -P --by file column - <<<$'file,median_ns\nx,2'
	is 0 "file,by,base,$conditions
-,file,column,1,2,1,,,200,unclear,1" "pcb-diff: 1 of 1 $unclear"
}

@test "missing columns are named" {
	local what='nothing names what to compare: give two files, older first, or a column (--by COLUMN); links need the columns device and parent'

	refuses 'device,min_ns\na,1\n' \
		"standard input: $what"
	refuses 'parent,min_ns\na,1\n' "standard input: $what"
	refuses 'device,parent,median_ns\na,,1\n' \
		"standard input: no column 'min_ns', which pcb-stats writes: \
there are device, parent, median_ns"
	refuses 'device,parent,min_gbit_s\na,,1\n' \
		"standard input: no column 'min_ns', which pcb-stats writes: \
there are device, parent, min_gbit_s"
	refuses 'a,min_ns\nx,1\n' "standard input: no column 'b': there are a, min_ns" --by b
	refuses 'a,min_ns\nx,1\n' \
		"standard input: no column 'median_*', which pcb-stats writes: \
there are a, min_ns" --by a
	refuses 'a,min_ns\nx,1\n' \
		"standard input: no column 'p99_ns': there are a, min_ns" --by a \
		--statistic p99_ns
	refuses 'a,median_ns,median_gbit_s\nx,1,\n' \
		'standard input: both median_ns and median_gbit_s exist: choose one with --statistic' \
		--by a
	# As imported from fio: the bandwidth has no statistic.
	refuses 'a,bandwidth_gbit_s,median_ns\nx,,1\nx,8,1\n' \
		'standard input: both median_ns and bandwidth_gbit_s exist: choose one with --statistic' \
		--by a
	says 0 'a,bandwidth_gbit_s,median_ns\nx,8,1\ny,4,1\n' "a,by,base,${conditions//_ns/_gbit_s}
y,a,x,8,4,-4,,,50,unclear,1" "1 of 1 $unclear" --by a --statistic bandwidth_gbit_s
}

@test "rows without the statistic or the condition are counted" {
	says 0 'device,parent,min_ns\na,,1\nb,a,\nc,a,3\nd,a,\n' \
		"device,parent,$links\nc,a,1,3,2,,,,,,completer,1" \
		'2 rows without min_ns were skipped'
	says 0 'parent,min_ns,device\n,1,a\na,3,c\n' \
		"parent,device,$links\na,c,1,3,2,,,,,,completer,1" ''
	says 0 'a,median_ns\nx,1\n,2\ny,2\n' \
		"a,by,base,$conditions\ny,a,x,1,2,1,,,200,unclear,1" \
		"1 row without a was skipped\n1 of 1 $unclear" --by a
	# Two measures in one stream.
	printf 'a,median_gbit_s\nx,1\ny,1\n' >bandwidth
	printf 'a,median_ns\nx,3\ny,6\n' >latency
	try pcb-diff -P --by a --statistic median_ns \
		bandwidth latency
	[ "${lines[1]}" = "y,a,x,3,6,3,,,200,unclear,1" ]
	[ "${stderr%%$'\n'*}" = "pcb-diff: 2 rows without median_ns were skipped" ]
}

@test "a header alone gives a header" {
	says 0 'device,parent,min_ns\n' "device,parent,$links" \
		'standard input: a header, but no rows'
	says 0 'a,median_ns\n' "a,by,base,$conditions" \
		'standard input: a header, but no rows' --by a
	# An unclear difference does not pass.
	says 1 'a,median_ns\n' "a,by,base,$conditions,check" \
		'standard input: a header, but no rows
--check fails because there is nothing to compare' --by a --check 5
	says 2 'device,parent\n' '' "standard input: a header, but no rows
standard input: no column 'min_ns', which pcb-stats writes: there are device, parent"
}

@test "a file without rows is named among others; bad input is refused" {
	printf 'a,median_ns\n' >none
	printf 'a,median_ns\nx,1\n' >base
	printf 'a,median_ns\nx,2\n' >other
	try pcb-diff -P --by file base none other
	is 0 "a,file,by,base,$conditions
x,other,file,base,1,2,1,,,200,unclear,1" "pcb-diff: none: a header, but no rows
pcb-diff: 1 of 1 $unclear"
	try pcb-diff -P --by a none none
	is 0 "a,by,base,$conditions" "pcb-diff: none: a header, but no rows
pcb-diff: none: a header, but no rows"

	# Bad input is refused.
	refuses '' 'no input (did the program before it fail?)'
	refuses 'device,parent,min_ns\na,,x\n' "standard input:2: min_ns: 'x': not a number"
	refuses 'a,median_ns\nx,inf\n' "standard input:2: median_ns: 'inf': not a number" \
		--by a
	refuses 'a,median_ns\nx,1\nx\n' 'standard input:3: 1 fields where the header has 2' \
		--by a
	try pcb-diff none.csv
	is 2 "" "pcb-diff: none.csv: No such file or directory"
}

@test "an error in the last row leaves stdout empty" {
	{
		tree 1000
		echo x
	} >input
	for options in '' '--by device'; do
		# shellcheck disable=SC2086
		try pcb-diff $options --statistic min input
		[ "$status" = 2 ]
		[ "$output" = "" ]
		[ "$stderr" = "pcb-diff: input:4002: 1 fields where the header has 9" ]
	done
}

@test "the preamble is passed on and extended" {
	given '# pcb-csv: 1\n# host: rack7\n# command: pcb-stats\na,median_ns\nx,1\ny,1\n# end: rows=2 complete=yes drift=0\n' \
		--by a=y
	[ "$status" = 0 ]
	[ "$output" = "# pcb-csv: 1
# host: rack7
# command: pcb-stats | pcb-diff --by a=y
a,by,base,$conditions
x,a,y,1,1,0,,,100,unclear,1
# end: rows=1 complete=yes drift=0" ]
	given '# pcb-csv: 1\ndevice,parent,min_ns\na,,1\nb,a,2\n'
	[ "$status" = 0 ]
	[ "${lines[-1]}" = "# end: rows=1 complete=no" ]
	[ "$stderr" = "pcb-diff: standard input: the stream was cut short after 2 rows" ]
}

@test "a table and JSON lines have the same rows" {
	local in='k,device,parent,min_ns\nx,a,,1\nx,b,a,2.5\nx,c,a,3.23456\n'

	gives "$in" 'k=x  parent=a

device  parent_time  device_time   latency      flags  runs
b          1.000 ns     2.500 ns  1.500 ns  completer     1
c          1.000 ns     3.235 ns  2.235 ns  completer     1' -f table
	gives "$in" '{"k":"x","device":"b","parent":"a","parent_ns":1,"device_ns":2.5,"latency_ns":1.5,"latency_lo_ns":null,"latency_hi_ns":null,"serialization_ns":null,"efficiency_pct":null,"clocks":null,"flags":"completer","runs":1}
{"k":"x","device":"c","parent":"a","parent_ns":1,"device_ns":3.23456,"latency_ns":2.23456,"latency_lo_ns":null,"latency_hi_ns":null,"serialization_ns":null,"efficiency_pct":null,"clocks":null,"flags":"completer","runs":1}' \
		--format jsonl
}

@test "a table shows first what changed" {
	for run in 1 2 3 4 5; do
		for size in 1 2 3 4; do
			echo "old,$size,$run,$((100 * size + run))"
			echo "new,$size,$run,$((100 * size + run + (size == 3) * 50))"
		done
	done | sed '1i when,size_bytes,run,median_ns' >input
	try pcb-diff -P -f table --by when input
	[ "$(awk '/^[1-4]/ { print $1, $2 }' <<<"$output")" = "3 yes
1 no
2 no
4 no" ] || show "3 first"
	[[ $output == *"differs"*" old "*" new "*" diff "* ]] || show heads
	try pcb-diff -P -f table --by when --check 60 input
	[ "$(awk '/^[1-4]/ { print $1, $3 }' <<<"$output")" = "3 within
1 within
2 within
4 within" ] || show "changed, but within"
	# Rows for programs keep the order of the input.
	try pcb-diff -P --by when input
	[ "$(column size_bytes <<<"$output" | paste -sd ' ')" = "1 2 3 4" ] ||
		show "csv"
}

@test "a row of a table has one unit" {
	local row

	for run in 1 2 3 4 5 6; do
		echo "old,a,$run,39.32$run"
		echo "new,a,$run,39.285$run"
		echo "old,b,$run,0.5$run"
		echo "new,b,$run,60.1$run"
	done | sed '1i when,device,run,bandwidth_gbit_s' >input
	pcb-diff -P -f table --by when --statistic bandwidth_gbit_s input >out
	while read -r row; do
		[ "$(grep -o '[kMGT]bit/s' <<<"$row" | sort -u | wc -l)" -le 1 ] ||
			show "$row"
	done <out
	# Times, too, even if the sides have little in common.
	for run in 1 2 3 4 5 6; do
		echo "old,a,$run,900.5"
		echo "new,a,$run,901$run"
		echo "old,b,$run,9$run"
		echo "new,b,$run,99000000$run"
	done | sed '1i when,device,run,median_ns' >input
	pcb-diff -P -f table --by when input >out
	[ "$(grep '^[ab] ' out | grep -o '[0-9] [num]*s\b' | wc -l)" -ge 10 ]
	while read -r row; do
		[ "$(grep -o ' [num]*s\( \|$\)' <<<"$row" | tr -d ' ' |
			sort -u | wc -l)" -le 1 ] || show "$row"
	done < <(grep '^a ' out)
}
