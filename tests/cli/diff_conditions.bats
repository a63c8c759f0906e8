#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# pcb-diff: rows that differ in one column.

load helpers
load diff

# sides COLUMN A B RUNS BASE STEP: median_ns of A is BASE + run, of B STEP more.
sides() {
	awk -v column="$1" -v a="$2" -v b="$3" -v runs="$4" -v base="$5" \
		-v step="$6" 'BEGIN {
		print "run," column ",median_ns"
		for (i = 1; i <= runs; i++) {
			print i "," a "," base + i
			print i "," b "," base + i + step
		}
	}'
}

@test "each condition but the base gives a row" {
	local in='size,cache,median_ns\n64,cold,100\n64,warm,80\n64,hot,50\n8,warm,40\n8,cold,50\n'

	says 0 "$in" "size,cache,by,base,$conditions
64,warm,cache,cold,100,80,-20,,,80,unclear,1
64,hot,cache,cold,100,50,-50,,,50,unclear,1
8,warm,cache,cold,50,40,-10,,,80,unclear,1" \
		"1 of 2 groups have no row with cache=hot, such as size=8
3 of 3 $unclear" --by cache
	says 0 "$in" "size,cache,by,base,$conditions
64,cold,cache,warm,80,100,20,,,125,unclear,1
64,hot,cache,warm,80,50,-30,,,62.5,unclear,1
8,cold,cache,warm,40,50,10,,,125,unclear,1" \
		"1 of 2 groups have no row with cache=hot, such as size=8
3 of 3 $unclear" --by cache=warm
	says 0 "$in" "size,cache,by,base,$conditions
64,cold,cache,hot,50,100,50,,,200,unclear,1
64,warm,cache,hot,50,80,30,,,160,unclear,1" \
		"1 of 2 groups have no row with cache=hot, such as size=8
2 of 2 $unclear" --by cache=hot
	says 0 'a,median_ns\nx,0\ny,5\n' \
		"a,by,base,$conditions\ny,a,x,0,5,5,,,,unclear,1" "1 of 1 $unclear" \
		--by a
}

# Runs drift by far more than the conditions differ.
drifting() {
	awk 'BEGIN {
		print "run,cache,median_ns"
		for (run = 1; run <= 6; run++) {
			level = 600 + 50 * run * (run % 2 ? 1 : -1)
			printf "%d,cold,%d\n%d,warm,%d\n",
				run, level, run, level - 7 + run % 3
		}
	}'
}

@test "pairs of runs tell what drift hides" {
	drifting >drift
	try pcb-diff -P --by cache drift
	[[ "${lines[1]}" = *,no,6 ]]
	try pcb-diff -P --by cache --paired drift
	[ "$stderr" = "" ]
	[ "$output" = "cache,by,base,$conditions
warm,cache,cold,575,569.5,-6,-7,-5,${lines[1]#*-7,-5,}" ]
	[[ "${lines[1]}" = *,yes,6 ]]
	# Rows in any order; runs of one side only are dropped.
	{
		echo run,cache,median_ns
		echo 9,warm,5
		sed 1d drift | sort -t, -k3n
	} | pcb-diff -P --by cache=cold --paired >mixed
	[ "$(tail -n 1 mixed | cut -d, -f6-8,10-)" = "-6,-7,-5,yes,6" ]
	for side in cold warm; do
		{ cat drift; echo "9,$side,5"; } |
			pcb-diff -P --by cache=cold --paired >mixed
		[ "$(tail -n 1 mixed | cut -d, -f6-8,10-)" = "-6,-7,-5,yes,6" ]
	done
	# Nor do they make one side worse if its last runs are missing.
	awk 'BEGIN {
		print "run,cache,median_ns"
		for (run = 1; run <= 10; run++) {
			print run ",cold," 1000 + 100 * run
			if (run > 4)
				print run ",warm," 1001 + 100 * run
		}
	}' >broken
	try pcb-diff -P --by cache --paired --check 3 broken
	is 0 "cache,by,base,$conditions,check
warm,cache,cold,1750,1751,1,1,1,100.05714285714286,yes,6,within" \
		"pcb-diff: passed: 1 row within 3 %, 95 % confidence; compared: median_ns"
	sed 's/^\(.*\),warm/1\1,warm/' drift >strangers
	try pcb-diff -P --by cache --paired strangers
	[[ "${lines[1]}" = warm,cache,cold,575,569.5,,,,*,unclear,0 ]]
	[ "$stderr" = "pcb-diff: 1 of 1 differences are unclear: they need 6 runs that both have (pcb-collect -r 6)" ]
}

@test "runs decide whether conditions differ" {
	sides cache cold warm 4 600 -70 >few
	try pcb-diff -P --by cache few
	[ "$output" = "cache,by,base,$conditions
warm,cache,cold,602.5,532.5,-70,,,${lines[1]#*-70,,,}" ]
	[[ "${lines[1]}" = *,unclear,4 ]]
	[ "$stderr" = "pcb-diff: 1 of 1 $unclear" ]
	sides cache cold warm 5 600 -70 >enough
	try pcb-diff -P --by cache enough
	[ "$stderr" = "" ]
	[[ "${lines[1]}" = warm,cache,cold,603,533,-70,-72,-68,*,yes,5 ]]
	sides cache cold warm 10 600 2 >same
	try pcb-diff -P --by cache same
	[[ "${lines[1]}" = warm,cache,cold,605.5,607.5,2,-1,5,*,no,10 ]]
	# Fewer runs on one side: the smaller number is shown.
	sed -i '/^[5-9],warm/d' same
	try pcb-diff -P --by cache same
	[[ "${lines[1]}" = *,no,5 ]]
	# Runs are independent: their names do not matter.
	sed 's/^\(.*\),warm/1\1,warm/' enough | pcb-diff -P --by cache >renamed
	pcb-diff -P --by cache enough | cmp - renamed
}

@test "--by takes any measure and any column of identity" {
	says 0 'run,host,n,median_gbit_s,p99_gbit_s\n1,a,3,50,8\n1,b,3,40,4\n' \
		"host,by,base,${conditions//_ns/_gbit_s}
b,host,a,50,40,-10,,,80,unclear,1" "1 of 1 $unclear" --by host
	says 0 'run,host,n,median_gbit_s,p99_gbit_s\n1,a,3,50,8\n1,b,3,40,4\n' \
		"host,by,base,${conditions//_ns/_gbit_s}
b,host,a,8,4,-4,,,50,unclear,1" "1 of 1 $unclear" --by host --statistic p99
	# Runs as conditions.
	says 0 'run,host,median_ns\n1,a,3\n2,a,4\n' \
		"run,host,by,base,$conditions\n2,a,run,1,3,4,1,,,133.33333333333334,unclear,1" \
		"1 of 1 $unclear" --by run
	# A link may be a condition, too; the parent does not prevent that.
	says 0 'link,parent,median_ns\ngen3x8,a,2\ngen4x8,a,1\n' \
		"link,parent,by,base,$conditions\ngen4x8,a,link,gen3x8,2,1,-1,,,50,unclear,1" \
		"1 of 1 $unclear" --by link
}

@test "--by file compares operands with the first" {
	printf 'a,median_ns\nx,10\ny,20\n' >old
	printf 'median_ns,a\n11,x\n30,y\n' >new
	printf 'a,median_ns\nx,9\n' >newer
	runs pcb-diff -P --by file old new
	[ "$output" = "a,file,by,base,$conditions
x,new,file,old,10,11,1,,,110,unclear,1
y,new,file,old,20,30,10,,,150,unclear,1" ]
	try pcb-diff -P --by file new old
	[ "${lines[1]}" = "x,old,file,new,11,10,-1,,,90.9090909090909,unclear,1" ]
	try pcb-diff -P --by file=new old new
	[ "${lines[1]}" = "x,old,file,new,11,10,-1,,,90.9090909090909,unclear,1" ]
	cp newer third
	runs pcb-diff -P --by file old - new newer <third
	[ "${lines[1]}" = "x,-,file,old,10,9,-1,,,90,unclear,1" ]
	[ "${lines[3]}" = "x,newer,file,old,10,9,-1,,,90,unclear,1" ]
	[ "${stderr%%$'\n'*}" = "pcb-diff: 1 of 2 groups have no row with file=-, such as a=y" ]
	# The base is the first operand, even without rows.
	echo a,median_ns >none
	try pcb-diff -P --by file none old new
	[ "$status" = 2 ]
	[ "$stderr" = "pcb-diff: none: a header, but no rows
pcb-diff: new: no row has file=none" ]
	try pcb-diff -P --by file old old
	[ "$status" = 2 ]
}

@test "--check tells by its status what is worse" {
	# check STATUS PCT INPUT [OPTION...]: judged by the ratio of single runs.
	check() {
		given "$3" -P --by a --check "$2" --unclear pass "${@:4}"
		[ "$status" = "$1" ] && [ "${#lines[@]}" -gt 1 ] && return
		echo "status $status: $output"
		return 1
	}
	local one='a,median_ns\nx,100\ny,110\n'

	check 1 9 "$one"
	[ "${stderr##*$'\n'}" = "pcb-diff: 1 of 1 rows are worse than a=x by more than 9 %" ]
	check 0 10 "$one"
	check 0 10.5 "$one"
	check 0 0 'a,median_ns\nx,100\ny,90\n'
	check 0 0 'a,median_ns\nx,100\ny,100\n'
	check 1 200 'a,median_ns\nx,0\ny,1\n'
	check 0 0 'a,median_ns\nx,0\ny,0\n'
	check 1 9 'a,median_gbit_s\nx,100\ny,90\n'
	check 0 10 'a,median_gbit_s\nx,100\ny,90\n'
	check 0 0 'a,median_gbit_s\nx,100\ny,110\n'
	# The latency of a link may be negative: longer is worse there, too.
	check 1 5 'a,latency_ns\nx,-10\ny,30\n' --statistic latency_ns
	check 0 5 'a,latency_ns\nx,-10\ny,-30\n' --statistic latency_ns
	check 1 49 'a,latency_ns\nx,-10\ny,-5\n' --statistic latency_ns
	check 0 50 'a,latency_ns\nx,-10\ny,-5\n' --statistic latency_ns
	check 1 5 'b,a,median_ns\n1,x,100\n1,y,90\n2,x,100\n2,y,120\n'
	# Rows on one side only cannot be judged, unless that is allowed.
	check 1 5 'b,c,a,median_ns\n1,3,x,100\n1,3,y,100\n2,3,y,200\n'
	[[ $stderr == *'1 of 2 groups have no row with a=x, such as b=2'$'\n'* ]]
	[[ $stderr == *'rows are missing (--allow-missing'* ]]
	check 0 5 'b,a,median_ns\n1,x,100\n1,y,100\n2,y,200\n' --allow-missing
	[[ $stderr == *'passed: 1 row within 5 %, but all are unclear; compared: median_ns' ]]
	# The same for a link that has lost lanes, also if it is the only one.
	check 1 5 'device,link,a,median_ns\nd,x8,x,100\nd,x4,y,100\ne,x8,x,1\ne,x8,y,1\n'
	[[ $stderr == *'d: the link was x8 and is x4'* ]]
	check 1 5 'device,link,a,median_ns\nd,x8,x,100\nd,x4,y,100\ne,x8,x,1\ne,x8,y,1\n' \
		--allow-missing
	[[ $stderr == *'d: the link was x8 and is x4'* ]]
	given 'device,link,a,median_ns\nd,x8,x,100\nd,x4,y,100\n' --by a --check 5
	[ "$status" = 1 ]
	[[ $stderr == *'d: the link was x8 and is x4'* ]]
	# Of three, wherever the changed one stands; a base that had both is kept.
	for rows in 'x4,x x8,y x8,z' 'x8,y x4,x x8,z' 'x8,z x8,y x4,x'; do
		# shellcheck disable=SC2086
		given "device,link,a,median_ns\n$(printf 'd,%s,100\\n' $rows)" \
			--by a=z --check 5 --allow-missing --unclear pass
		[[ $status = 1 && $stderr == *'a link has changed'* ]] || show "$rows"
	done
	check 0 5 'device,link,a,median_ns\nd,x8,x,100\nd,x4,x,100\nd,x8,y,100\n' \
		--allow-missing
	# Nobody can tell from single runs; a truncated stream does not pass.
	given "$one" --by a --check 50 -P
	[ "$status" = 3 ]
	[ "${lines[1]}" = "y,a,x,100,110,10,,,110,unclear,1,unclear" ]
	[[ $stderr == *'they need 5 runs of both (pcb-collect -r 5)'* ]]
	check 1 50 "# pcb-csv: 1\n$one# end: rows=2 complete=no\n"
	[[ $stderr == *'the input is incomplete'* ]]
	check 0 50 "# pcb-csv: 1\n$one# end: rows=2 complete=yes\n"
	# An unclear result has no confidence.
	runs pcb-diff --by a --check 50 --unclear pass - <<<"$(printf "$one")"
	[[ $stderr == *'passed: 1 row within 50 %, but all are unclear; compared: median_ns' ]]
	{
		echo b,run,a,median_ns
		printf '%s\n' 2,1,x,10 2,1,y,10
		sides a x y 10 10 2 | sed -n 's/^/1,/; 2,$p'
	} >some
	runs pcb-diff --by a --check 50 --unclear pass some
	[[ $stderr == *'passed: 2 rows within 50 %, 1 of them with 95 % confidence; compared: median_ns' ]]
	# Sides that are not shown to differ may still be worse.
	sides a x y 10 10 2 >same
	run pcb-diff --by a --check 1 same
	[ "$status" = 3 ]
	sides a x y 10 10 9 >worse
	run pcb-diff --by a --check 1% worse
	[ "$status" = 1 ]
	run pcb-diff --by a=y --check 1 worse
	[ "$status" = 0 ]
	refuses 'a,median_per_s\nx,1\ny,2\n' \
		'median_per_s: --check needs ns or gbit_s, to know what is worse' \
		--by a --check 1
}

@test "--check tells within, worse and what it cannot tell apart" {
	# ends STATUS LAST_CELL LAST_MESSAGE [OPTION...] for the rows of `in`.
	ends() {
		try pcb-diff -P --by a --check 3% "${@:4}" in
		[ "$status" = "$1" ] && [[ "${lines[1]}" = *,"$2" ]] &&
			[ "${stderr##*$'\n'}" = "pcb-diff: $3" ] && return
		show "$1, $2, $3"
	}
	local cannot="cannot tell whether 1 of 1 rows are within 3 %"

	# Runs of 98, 99, 100, 101, 102, and the same moved.
	rows() {
		echo a,run,median_ns
		for run in {1..5}; do
			echo "x,$run,$((97 + run))"
			echo "y,$run,$((97 + run + $1))"
		done
	}
	rows 0 >in
	ends 0 within "passed: 1 row within 3 %, 95 % confidence; compared: median_ns"
	rows 2 >in
	ends 3 unclear "$cannot: 41 runs of both would probably decide all rows (pcb-collect -r 41)"
	ends 0 unclear "passed: 1 row within 3 %, but all are unclear; compared: median_ns" --unclear pass
	rows 3 >in
	ends 3 unclear "$cannot: more than 200 runs would be needed, or a finer clock"
	rows 4 >in
	ends 3 unclear "$cannot: 41 runs of both would probably decide all rows (pcb-collect -r 41)"
	ends 1 unclear "1 of 1 rows are worse than a=x by more than 3 %" --unclear pass
	rows 9 >in
	ends 1 worse "1 of 1 rows are worse than a=x by more than 3 %"
	ends 1 worse "1 of 1 rows differ from a=x by more than 3 %" --both-ways
	# Better is no reason to fail, unless both ways count.
	rows -9 >in
	ends 0 within "passed: 1 row within 3 %, 95 % confidence; compared: median_ns"
	ends 1 better "1 of 1 rows differ from a=x by more than 3 %" --both-ways
	rows -4 >in
	ends 3 unclear "$cannot: 41 runs of both would probably decide all rows (pcb-collect -r 41)" --both-ways
	rows 0 >in
	ends 0 within "passed: 1 row within 3 %, 95 % confidence; compared: median_ns" --both-ways
	# An interval that is too low on one side only.
	{
		echo a,run,median_ns
		printf "x,%s\n" 1,100 2,100.1 3,100.2 4,100.3 5,100.4
		printf "y,%s\n" 1,90 2,91 3,100.5 4,100.6 5,100.7
	} >in
	ends 0 within "passed: 1 row within 3 %, 95 % confidence; compared: median_ns"
	ends 3 unclear "$cannot: 106 runs of both would probably decide all rows (pcb-collect -r 106)" --both-ways
	# Lower bandwidth is worse.
	rows -9 | sed 's/median_ns/median_gbit_s/' >in
	ends 1 worse "1 of 1 rows are worse than a=x by more than 3 %"
	rows 9 | sed 's/median_ns/median_gbit_s/' >in
	ends 0 within "passed: 1 row within 3 %, 95 % confidence; compared: median_gbit_s"
	# The advice is for two equal sides: 5 and 45 tell what 9 and 9 do.
	{
		echo a,run,median_ns
		for run in {1..45}; do echo "x,$run,$((98 + run % 5))"; done
		rows 2 | grep ^y
	} >in
	ends 3 unclear "$cannot: 74 runs of both would probably decide all rows (pcb-collect -r 74)"
	# Options of a check without one.
	for option in --both-ways '--unclear pass' --allow-missing; do
		# shellcheck disable=SC2086
		try pcb-diff --by a $option in
		[ "$status" = 2 ]
	done
	# One row that is worse outweighs those that are unclear.
	{ rows 9 | sed 's/^/1,/; 1s/1/b/' && rows 3 | sed '1d; s/^/2,/'; } >in
	try pcb-diff -P --by a --check 3% in
	[ "$status" = 1 ]
	try pcb-diff --by a --check 3% --unclear no in
	[ "$status" = 2 ]
}

# Alone, 7.2 ns more are worse than 3 %. In 50 rows, chance gives that too often:
# Student's t is 4.2 with 8 degrees of freedom, 0.15 % > 5 % / 50.
@test "--check bounds the error of all rows together" {
	# ends STATUS LAST_CELL [OPTION...]: of the first row.
	ends() {
		try pcb-diff -P --by a --check 3% "${@:3}" in
		[[ "$status" = "$1" && "${lines[1]}" = *,"$2" ]] || show "$*"
	}
	# rows N NS: the first of N rows is NS slower.
	rows() {
		echo b,a,run,median_ns
		for ((i = 0; i < $1 * 5; i++)); do
			echo "$((i / 5)),x,$((i % 5)),$((98 + i % 5))"
			[ $((i / 5)) != 0 ] &&
				echo "$((i / 5)),y,$((i % 5)),$((98 + i % 5))" ||
				echo "0,y,$i,$((98 + i + $2 / 10)).$(($2 % 10))"
		done
	}
	rows 1 72 >in
	ends 1 worse
	rows 50 72 >in
	ends 3 unclear
	[[ "$stderr" = *" 1 of 50 rows "*"(pcb-collect -r "* ]]
	rows 50 90 >in
	ends 1 worse
	rows 50 0 >in
	ends 0 within
}

@test "many rows are held against chance" {
	rows() {
		echo b,a,run,median_ns
		for ((i = 0; i < $1 * 5; i++)); do
			echo "$((i / 5)),x,$((i % 5)),$((i % 5))"
			echo "$((i / 5)),y,$((i % 5)),$((i % 5 + (i < 10) * 9))"
		done
	}
	rows 40 >in
	try pcb-diff -P --by a in
	[[ "$stderr" = "pcb-diff: 2 of 40 rows differ; "*" 2 "* ]]
	rows 10 >in
	try pcb-diff -P --by a in
	[ "$stderr" = "" ]
}

# Medians that are 19 % worse and not shown to differ.
@test "--check passes no regression that the runs cannot exclude" {
	{
		echo a,run,median_ns
		printf 'x,%s\n' 1,100 2,140 3,90 4,110 5,105
		printf 'y,%s\n' 1,135 2,100 3,125 4,95 5,130
	} >in
	try pcb-diff -P --by a --check 3% in
	[ "$status" = 3 ]
	[[ "${lines[1]}" = *,no,5,unclear ]]
}

@test "--samples compares two distributions" {
	printf 'latency_ns\n1\n2\n2\n3\n' >one
	printf 'latency_ns,count\n2,1\n3,2\n9,1\n' >two
	try pcb-diff -P --samples one two
	is 0 "file,by,base,base_ns,other_ns,larger_pct,apart_pct,n
two,file,one,2,3,81.25,50,4" ""
	printf 'a,latency_ns\nx,1\ny,2\nx,2\ny,3\n' >in
	try pcb-diff -P --samples --by a - <in
	is 0 "a,by,base,base_ns,other_ns,larger_pct,apart_pct,n
y,a,x,1.5,2.5,87.5,50,2" ""
	pcb-stats --histogram two | pcb-diff -P --samples one - >piped
	try pcb-diff -P --samples one two
	sed 's/^-,/two,/' piped | diff - <(printf '%s\n' "$output")
	# A weight is a number of samples: none is no sample.
	printf 'latency_ns,count\n7,0\n2,1\n3,2\n9,1\n' >two
	try pcb-diff -P --samples one two
	sed 's/^-,/two,/' piped | diff - <(printf '%s\n' "$output")
	refuses 'a,latency_ns,count\nx,1,-5\ny,2,1\n' \
		"standard input:2: count: '-5': not a whole number such as 42" \
		--by a --samples
	refuses 'a,median_ns\nx,1\ny,2\n' \
		'standard input: --samples compares samples, and these are statistics' \
		--by a --samples
	for option in --paired '--check 1'; do
		# shellcheck disable=SC2086
		try pcb-diff --samples $option one two
		is 2 "" "pcb-diff: --samples compares distributions: it has no --check and no --paired
Try 'pcb-diff --help'."
	done
}

@test "what is below the clock's tick is no difference" {
	# part TICK: with a preamble.
	part() {
		echo '# pcb-csv: 1'
		[ -z "$1" ] || echo "# clock_tick_ns: $1"
		cat
		printf '# end: rows=%s complete=yes\n' "$2"
	}
	rows() {
		echo a,run,median_ns
		seq -f "$1,%g,$2" 10
	}
	verdict() {
		try pcb-diff -P --by a one two
		[ "$stderr" = "" ]
		[[ "${lines[1]}" = *,"$1",10 ]] && return
		echo "${lines[1]}"
		return 1
	}
	rows x 100 | part 40 10 >one
	rows y 139 | part 40 10 >two
	verdict no
	run pcb-diff --by a --check 1 one two
	[ "$status" = 3 ]
	rows y 140 | part 40 10 >two
	verdict yes
	# Nor can a check tell less than a tick, whatever the runs.
	try pcb-diff --by a --check 39 one two
	[ "$status" = 3 ]
	[[ "$stderr" = *'or a finer clock' ]]
	run -0 pcb-diff --by a --check 81 one two
	# The coarser clock decides; different ticks are kept.
	rows y 139 | part 0.38 10 >two
	verdict no
	# Also in statistics of all parts.
	cat one two | sed 's/median_ns/latency_ns/' | pcb-stats >merged
	run -0 grep tick merged
	[ "$output" = "# clock_tick_ns: 40" ]
	run -0 pcb-diff -P --by a merged
	[[ "${lines[1]}" = *,no,10 ]]
	rows x 100 | part '' 10 >one
	verdict yes
	rows x 100 | part nonsense 10 >one
	verdict yes
	# A tick is a time, and does not apply to bandwidth.
	rows x 100 | part 40 10 | sed 's/median_ns/median_gbit_s/' >one
	rows y 139 | part 40 10 | sed 's/median_ns/median_gbit_s/' >two
	verdict yes
}

@test "of many conditions that lack rows, some are named" {
	local k in='size,a,median_ns\n8,x,1\n64,x,2\n'

	for k in {1..8}; do in+="8,y$k,$k\n"; done
	given "$in" --by a -P
	[ "$(grep -c 'no row with a=y' <<<"$stderr")" = 8 ] || show "8 lines"
	[[ $stderr != *" more values"* ]]
	given "$in$(printf '8,z%d,1\\n' {1..50})" --by a -P
	[ "$(grep -c 'no row with a=' <<<"$stderr")" = 8 ] || show "8 lines"
	[[ $stderr == *"pcb-diff: 50 more values of a lack rows of some \
groups"* ]] || show 50
	[ "${#lines[@]}" = 59 ]
}

@test "several files are compared by file, samples are summarised first" {
	for i in 1 2; do
		pcb-collect lat_rd -d sim -n 1K -r 5 --seed "$i" >"s$i"
		pcb-stats "s$i" >"t$i"
	done
	pcb-diff --by file -P t1 t2 >wanted
	pcb-diff -P t1 t2 | cmp - wanted
	pcb-diff -P s1 s2 | sed 's/,s2,file,s1,/,t2,file,t1,/' | cmp - wanted
	pcb-diff -P s1 t2 | sed 's/,t2,file,s1,/,t2,file,t1,/' | cmp - wanted
	pcb-stats --histogram s2 >h2
	pcb-diff -P t1 h2 | sed 's/,h2,file,t1,/,t2,file,t1,/' | cmp - wanted
	# Also for a percentile that pcb-stats does not compute by default.
	pcb-diff -P --statistic p99_9 s1 s2 >p
	[[ "$(head -n 1 p)" = *base_ns,other_ns* ]]
	pcb-diff -P --statistic p99_9_ns s1 s2 | cmp - p
	try pcb-diff --by file t1 t1
	is 2 "" "pcb-diff: t1 is given twice
Try 'pcb-diff --help'."
	# Foreign units and separators, as pcb-stats reads them.
	for i in 1 2; do
		printf 'name,run,latency_ns\nx,1,%s2000\nx,2,%s4000\n' $i $i >"n$i"
		sed 's/_ns/_us/; s/000$//; s/,/;/g' "n$i" >"u$i"
	done
	pcb-diff -P n1 n2 | sed 's/n2,file,n1/u2,file,u1/' >wanted
	pcb-diff -P u1 u2 | cmp - wanted
	# Only files can be examined beforehand.
	for options in '--by seed -' 's1 -' '- s2' '--statistic p99_ns s2 -'; do
		# shellcheck disable=SC2086
		try pcb-diff $options <s1
		is 2 "" "pcb-diff: standard input: these are samples: pipe them through pcb-stats first"
	done
	echo latency_ns >bad
	echo x >>bad
	try pcb-diff bad t1
	is 2 "" "pcb-stats: bad:2: latency_ns: 'x': not a number"
	# Lines in the output of pcb-stats are not lines of the file.
	printf 'device,parent,link,latency_ns\na,,pci66/64,1\n' >bad
	try pcb-diff bad
	is 2 "" "pcb-diff: pcb-stats bad:4: link: 'pci66/64': the width is 32 or 64"
}

@test "several columns are one condition, and others do not count" {
	local in='host,device,median_ns\na,1,10\nb,2,20\nb,3,30\n'

	says 0 "$in" "host,device,by,base,$conditions
b,2,\"host,device\",\"a,1\",10,20,10,,,200,unclear,1
b,3,\"host,device\",\"a,1\",10,30,20,,,300,unclear,1" "2 of 2 $unclear" --by host,device
	says 0 "$in" "host,device,by,base,$conditions
a,1,\"host,device\",\"b,3\",30,10,-20,,,33.333333333333336,unclear,1
b,2,\"host,device\",\"b,3\",30,20,-10,,,66.66666666666667,unclear,1" "2 of 2 $unclear" \
		--by host --by device=b,3
	says 0 'host,device,median_ns\na,1,10\nb,2,20\n' "host,by,base,$conditions
b,host,a,10,20,10,,,200,unclear,1" "1 of 1 $unclear" --by host --ignore device
	refuses "$in" 'standard input:4: median_ns: a second row with the same keys: add a label (pcb-collect -l) or pool the samples (pcb-stats)' \
		--by host --ignore device
}

@test "kinds are never compared" {
	local in='kind,a,median_ns\nmeasured,x,1\nmeasured,y,2\nvirtual,y,3\n'

	says 0 "$in" "kind,a,by,base,$conditions\nmeasured,y,a,x,1,2,1,,,200,unclear,1" \
		"1 of 2 groups have no row with a=x, such as kind=virtual\n1 of 1 $unclear" --by a
	refuses 'kind,a,median_ns\nmeasured,x,1\nvirtual,y,3\n' \
		'standard input: rows of different kinds are not compared' --by a
}

@test "parts may have other columns in another order" {
	printf 'b,a,median_ns,n\n1,x,10,5\n' >one
	printf 'c,median_ns,a,b\n,30,y,1\nz,40,x,1\nz,50,y,1\n' >two
	try pcb-diff -P --by a one two
	[ "$output" = "b,a,c,by,base,$conditions
1,y,,a,x,10,30,20,,,300,unclear,1
1,y,z,a,x,40,50,10,,,125,unclear,1" ]
	printf 'c,a,b,median_ns\n,x,1,10\n' >two
	try pcb-diff -P --by a one two
	[ "$status" = 2 ]
	[[ "$stderr" = "pcb-diff: two:2: median_ns: a second row "* ]]
}

@test "the order of rows changes no result row" {
	awk 'BEGIN {
		print "run,a,b,median_ns"
		srand(2)
		for (run = 1; run <= 7; run++)
			for (a = 0; a < 3; a++)
				for (b = 0; b < 20; b++)
					printf "%d,%d,%d,%.3f\n", run, a, b,
						600 + 9 * a * rand() + b
	}' >there
	{
		head -n 1 there
		tail -n +2 there | sort -t, -k4
	} >back
	pcb-diff -P --by a=1 there | sort >one
	pcb-diff -P --by a=1 back | sort >two
	[ "$(wc -l <one)" = 41 ]
	cmp one two
}

@test "the simulated cache differs, and the same twice does not" {
	collect() {
		pcb-collect lat_rd -d sim -r 10 -n 2K "$@" 2>/dev/null | pcb-stats
	}
	collect --cache cold,host-warm | pcb-diff -P --by cache >out
	awk -F, 'END {
		exit !(NR == 2 && $19 < -50 && $19 > -64 && $22 > 88 &&
			$22 < 92 && $23 == "yes" && $24 == 10)
	}' out || { cat out; return 1; }
	# The same with another seed does not differ.
	collect -s 64,512 --seed 1 >old
	collect -s 64,512 --seed 2 >new
	runs pcb-diff -P --check 3 old new
	[ "$stderr" = "pcb-diff: passed: 2 rows within 3 %, 95 % confidence; compared: median_ns; the rows are simulated" ]
	[ "${#lines[@]}" = 3 ]
	collect --cache host-warm -l cache=cold >new
	collect >old
	run pcb-diff -P --by file=new --check 3 old new
	[ "$status" = 1 ]
	# Two machines in one stream, distinguished by name.
	for host in a b; do
		collect -l "host=$host"
	done >hosts
	runs pcb-diff -P --by host=b hosts
	[[ "${lines[1]}" = a,simulated,*,b,* ]]
	[[ "${lines[1]}" = *,0,0,0,100,no,10 ]]
}

@test "plugins: the verdict in one line" {
	printf 'bench,run,a,median_ns\n' >input
	for run in 1 2 3 4 5 6; do
		printf 'lat_rd,%s,x,10%s\nlat_rd,%s,y,20%s\n' \
			$run $run $run $run >>input
	done
	try pcb-diff --by a --check 3 --plugin=nagios input
	[ "$status" = 2 ]
	[ "$output" = "PCIE CRITICAL - y: 1 of 1 rows are worse than a=x by more \
than 3 % | rows=1 worse=1 unclear=0" ] || show "$output"
	# The device that is worst, before all notes.
	printf 'bench,device,link,run,a,median_ns\n' >input2
	for run in 1 2 3 4 5 6; do
		printf 'lat_rd,%s,gen3x%s,%s,%s,%s\n' nic0 8 $run x 10$run \
			nic0 8 $run y 11$run nic7 8 $run x 10$run \
			nic7 8 $run y 30$run nic8 8 $run x 10$run >>input2
	done
	try pcb-diff --by a --check 3 --plugin=nagios input2
	[[ $status = 2 && ${output:0:80} = *nic7* && $output = *"have no row"* ]] ||
		show "nic7"
	try pcb-diff --by a=y --check 3 --plugin=npd input
	[[ "$status" = 0 && "$output" = "PCIE OK - passed: 1 row within 3 %"* ]]
	# Too few runs, and nothing at all, are no alarm.
	head -n 3 input >few
	try pcb-diff --by a --check 3 --plugin=nagios few
	[[ "$status" = 3 && "$output" = "PCIE UNKNOWN - "* ]]
	try pcb-diff --by a --check 3 --plugin=nagios <<<"a,median_ns"
	[[ "$status" = 3 && "$output" = "PCIE UNKNOWN - "*"nothing to compare"* ]]
	try pcb-diff --by a --plugin=nagios input
	[ "$output" = "PCIE UNKNOWN - --plugin needs --check PCT" ]
}

@test "imported rows with a count are samples; how to repeat them" {
	local kind wanted

	for kind in imported measured; do
		printf 'kind,size_bytes,n,bandwidth_gbit_s\n%s,64,5000,50\n' \
			$kind >old
		sed 's/50$/49/' old >new
		try pcb-diff --check 5 old new
		[ "$status" = 3 ] || show "$kind: status 3"
		[ "$(column other_gbit_s <<<"$output")" = 49 ] || show "49"
		wanted=-r
		[ $kind = measured ] || wanted=run=N
		[[ $stderr = *"$wanted"* ]] || show "$wanted"
	done
	# Statistics have no samples to compare.
	pcb-stats old >old.stats
	pcb-stats new >new.stats
	try pcb-diff old.stats new.stats
	[[ $status = 0 && $stderr != *--samples* ]] || show "no --samples"
}
