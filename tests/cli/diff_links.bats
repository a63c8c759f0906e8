#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# pcb-diff: devices and their parents.

load helpers
load diff

@test "a link costs what its device takes longer than its parent" {
	tree 1 >input
	try pcb-diff -P input
	is 0 "host,kind,device,link,parent,$links
a,measured,01:00.0,,00:01.0,101,251,150,,,,,,,1
a,measured,02:00.0,,01:00.0,251,301,50,,,,,,,1
a,measured,03:00.0,,02:00.0,301,453,152,,,,,,completer,1" ""
	try pcb-diff -P --statistic median input
	[ "${lines[1]}" = "a,measured,01:00.0,,00:01.0,202,502,300,,,,,,,1" ]
	try pcb-diff -P --statistic median_ns input
	[ "${lines[1]}" = "a,measured,01:00.0,,00:01.0,202,502,300,,,,,,,1" ]
}

@test "links pair the runs, and have limits from 5 runs on" {
	# Only the last link varies from run to run.
	last() {
		tree "$1" >input
		runs pcb-diff -P input
		[ "${#lines[@]}" = 4 ]
		[ "${lines[3]}" = "a,measured,03:00.0,,02:00.0,${2%,*},,,,completer,${2##*,}" ] && return
		echo "${lines[3]}"
		return 1
	}
	last 4 302.5,453.5,151,,,4
	last 5 303,454,152,150,152,5
	[ "${lines[1]}" = "a,measured,01:00.0,,00:01.0,103,253,150,150,150,,,,,5" ]
	last 10 305.5,456.5,151,150,152,10
	# The order of rows does not matter.
	tree 5 | { read -r header && echo "$header" && sort -r; } >turned
	pcb-diff -P turned | sort >back
	tree 5 | pcb-diff -P | sort | cmp - back
}

@test "the limits of 10 runs leave out the first and the last" {
	{
		echo run,device,parent,min_ns
		for i in 1 2 3 4 5 6 7 8 9 10; do
			echo "$i,a,,$((i * i))"
			echo "$i,b,a,$((i * i + 10 * i))"
		done
	} >input
	try pcb-diff -P input
	[ "$output" = "device,parent,$links
b,a,30.5,85.5,55,20,90,,,,completer,10" ]
}

@test "only runs with both ends count" {
	local in='run,device,parent,min_ns\n1,a,,10\n2,a,,20\n1,b,a,15\n3,b,a,90\n'

	says 0 "$in" "device,parent,$links\nb,a,10,15,5,,,,,,completer,1" \
		'1 row without the parent in the same run was skipped'
	says 0 'run,device,parent,min_ns\n1,a,,10\n2,b,a,15\n' \
		"device,parent,$links" \
		'b: its parent a was not measured with it: no link
standard input: no device was measured together with its parent: no links; give two files to compare them'
}

@test "a result without rows is no table" {
	for format in table md; do
		try pcb-diff -f $format <<<$'device,parent,min_ns\na,,1\nb,,2'
		[[ $status = 0 && $output = "" && $stderr = *"no links"* ]] ||
			show "$format"
	done
}

@test "a parent that was not measured is named, once" {
	says 0 'register,device,parent,min_ns
0,b,a,1\n4,b,a,1\n0,c,b,5\n0,d,e,1\n0,f,,1\n' \
		"register,device,parent,$links\n0,c,b,1,5,4,,,,,,completer,1" \
		'b: its parent a was not measured with it: no link
d: its parent e was not measured with it: no link'
	says 0 'device,parent,min_ns\na,,1\nb,,2\n' "device,parent,$links" \
		'standard input: no device was measured together with its parent: no links; give two files to compare them'
}

@test "links are between rows that agree in the rest" {
	gives 'host,register,device,link,parent,min_ns
x,8,a,,,100\nx,8,b,pci32/33,a,400\ny,8,b,,a,330\ny,8,a,,,300\n' \
		"host,register,device,link,parent,$links
x,8,b,pci32/33,a,100,400,300,,,210,70,10,completer,1\ny,8,b,,a,300,330,30,,,,,,completer,1"
	says 0 'kind,device,parent,min_ns\nmeasured,a,,1\nvirtual,b,a,2\n' \
		"kind,device,parent,$links" \
		'b: its parent a was not measured with it: no link
standard input: no device was measured together with its parent: no links; give two files to compare them'
}

@test "a link says how long its bits take, as ns, part and clocks" {
	# wire LINK LATENCY WANTED: serialization, efficiency, clocks and flags.
	wire() {
		gives "device,link,parent,min_ns\na,,,100\nb,$1,a,$((100 + $2))\n" \
			"device,link,parent,$links
b,$1,a,100,$((100 + $2)),$2,,,$3,1"
	}
	local sizes=mps256/mrrs512/rcb64

	wire gen1x1/$sizes 1760 176,10,,completer
	wire gen1x4/$sizes 440 44,10,,completer
	wire gen1x8/$sizes 220 22,10,,completer
	# A configuration read has no 64-bit address.
	wire gen1x1/$sizes/a32 1760 176,10,,completer
	wire gen1x1/$sizes/ecrc 2080 208,10,,completer
	wire gen2x1/$sizes 880 88,10,,completer
	wire pci32/33 420 210,50,14,completer
	wire pci32/66 210 105,50,14,completer
	wire pcix64/100 140 70,50,14,completer
	wire pcix64/133 105 52.5,50,14,completer
	# No link can be faster.
	wire pcix64/133 42 52.5,125,5.6,'completer short'
	wire gen1x8/$sizes 0 '22,,,completer indistinct short'
	wire gen1x8/$sizes -5 '22,,,completer negative'
	wire pcix64/133 -15 '52.5,,-2,completer negative'
	refuses 'device,link,parent,min_ns\na,,,1\nb,gen3x8/,a,2\n' \
		"standard input:3: link: 'gen3x8/': not of the form gen3x8/mps256/mrrs512/rcb64"
	# Configuration reads of PCI-X take longer, by an unknown time.
	gives 'bench,device,link,parent,min_ns
lat_cfg,a,,,0\nlat_cfg,b,pcix64/66,a,150\nlat_cfg,c,pci32/66,b,360
lat_mmio,a,,,0\nlat_mmio,b,pcix64/66,a,210\n' \
		"bench,device,link,parent,$links
lat_cfg,b,pcix64/66,a,0,150,150,,,,,10,,1
lat_cfg,c,pci32/66,b,150,360,210,,,105,50,14,completer,1
lat_mmio,b,pcix64/66,a,0,210,210,,,105,50,14,completer,1"
}

@test "a latency that may be 0 is flagged" {
	# flags TICK LATENCY...: the flags for these runs.
	flags() {
		local tick=$1 run=0 latency

		{
			printf '# pcb-csv: 1\n# clock_tick_ns: %s\n' "$tick"
			echo run,device,parent,min_ns
			for latency in "${@:2}"; do
				printf '%d,a,,100\n%d,b,a,%d\n' $((++run)) \
					$run $((100 + latency))
			done
			echo "# end: rows=$((2 * run)) complete=yes"
		} | pcb-diff | column flags
	}

	[ "$(flags 0.4 5)" = "completer" ]
	[ "$(flags 10 9)" = "completer indistinct" ]
	[ "$(flags 10 10)" = "completer" ]
	[ "$(flags 10 -9)" = "completer negative indistinct" ]
	[ "$(flags nonsense 9)" = "completer" ]
	[ "$(flags 0 -1 3 4 5)" = "completer" ]
	[ "$(flags 0 -1 3 4 5 6)" = "completer indistinct" ]
	[ "$(flags 0 0 3 4 5 6)" = "completer indistinct" ]
	[ "$(flags 0 1 3 4 5 6)" = "completer" ]
	[ "$(flags 0 -9 -8 -7 -6 -5)" = "completer negative" ]
}

@test "floors that disagree are flagged" {
	local in='run,device,parent,min_ns,p1_ns,mode_ns,median_ns
1,a,,100,100,104,9\n1,b,a,200,%d,%d,9\n'

	# floor P1 MODE WANTED [OPTION...]: the latencies, and the flags.
	floor() {
		printf -- "$in" "$1" "$2" >input
		try pcb-diff "${@:4}" input
		[ "$(column latency_ns <<<"$output")" = "${3%%,*}" ] &&
			[ "${lines[-2]}" = "b,a,${3#*,},1" ] && return
		show "$3"
	}
	run -0 pcb-diff -P <<<"$(printf -- "$in" 200 204)"
	[ "${lines[0]}" = "device,parent,${links/_hi_ns/_hi_ns,latency_p1_ns,latency_mode_ns}" ]
	floor 200 204 100,100,200,100,,,100,100,,,,completer
	floor 211 204 100,100,200,100,,,111,100,,,,completer
	floor 212 204 100,100,200,100,,,112,100,,,,'completer floor'
	floor 200 215 100,100,200,100,,,100,111,,,,completer
	floor 200 216 100,100,200,100,,,100,112,,,,'completer floor'
	floor 188 204 100,100,200,100,,,88,100,,,,'completer floor'
	# Whichever is compared; other statistics are no floors.
	floor 212 204 112,100,212,112,,,100,100,,,,'completer floor' \
		--statistic p1
	run -0 pcb-diff -P --statistic median <<<"$(printf -- "$in" 300 400)"
	[ "${lines[1]}" = "b,a,9,9,0,,,,,,completer indistinct,1" ]
	# Differences below the tick mean nothing.
	printf '# pcb-csv: 1\n# clock_tick_ns: 20\n%s# end: rows=2 complete=yes\n' \
		"$(printf -- "$in" 212 204)
" >input
	[ "$(pcb-diff input | column flags)" = completer ]
	# With limits, 100 to 124, one is outside of them, too.
	for mode in 200 182 242; do
		{
			echo run,device,parent,min_ns,mode_ns
			for i in 0 1 2 3 4; do
				echo "$i,a,,100,100"
				echo "$i,b,a,$((200 + 6 * i)),$mode"
			done
		} | pcb-diff | column flags
	done >words
	[ "$(cat words)" = $'completer\ncompleter floor\ncompleter floor' ]
	# Only columns of the input.
	gives 'device,parent,min_ns,p1_ns\na,,1,\nb,a,3,9\n' \
		"device,parent,${links/_hi_ns/_hi_ns,latency_p1_ns}
b,a,1,3,2,,,,,,,completer,1"
}

@test "--links: links and parents come from a file" {
	local in='device,min_ns\na,100\nb,276\nc,400\nd,500\n'

	printf 'device,parent,link,note\nb,a,pci32/33,"x,y"\nc,b,,\nz,a,,\n' >told
	gives "$in" "device,parent,link,$links
b,a,pci32/33,100,276,176,,,210,119.31818181818181,5.866666666666666,short,1
c,b,,276,400,124,,,,,,completer,1" --links told
	# The file overrides the input's columns; others stay.
	gives 'parent,device,min_ns,link\n,a,100,\na,b,200,pci32/66\nq,c,410,pci32/66\n' \
		"parent,device,link,$links
a,b,pci32/33,100,200,100,,,210,210,3.3333333333333335,short,1
b,c,pci32/66,200,410,210,,,105,50,14,completer,1" --links told
	# A file without parents describes links only, and vice versa.
	printf 'device,link\nb,pci32/33\n' >told
	gives 'device,parent,min_ns\na,,100\nb,a,520\n' \
		"device,parent,link,$links
b,a,pci32/33,100,520,420,,,210,50,14,completer,1" --links told
	printf 'parent,device\na,b\n' >told
	gives "$in" "device,parent,$links\nb,a,100,276,176,,,,,,completer,1" \
		--links told
	printf 'device,parent\n' >told
	says 0 "$in" "device,parent,$links" "told: a header, but no rows
standard input: no device was measured together with its parent: no links; give two files to compare them" --links told
	# From standard input.
	printf -- "$in" >rows
	try pcb-diff -P --links - rows <<<$'device,parent\nb,a'
	[ "${lines[1]}" = "b,a,100,276,176,,,,,,completer,1" ]
}

@test "--links: a bad file is refused" {
	# bad FILE MESSAGE
	bad() {
		printf -- "$1" >told
		refuses 'device,min_ns\na,1\n' "$2" --links told
	}
	bad 'device,link\na,gen3x8/\n' \
		"told:2: link: 'gen3x8/': not of the form gen3x8/mps256/mrrs512/rcb64"
	bad 'device,parent,devsel\na,,fast\nb,a,slower\n' \
		"told:3: devsel: 'slower': not fast, medium or slow"
	bad 'device,parent,bench\na,,lat_rd\n' \
		"told:2: bench: 'lat_rd': not lat_cfg or lat_mmio"
	bad 'device,parent\na,\nb,a\na,b\n' \
		"told:4: device: 'a': a second row of it"
	bad 'parent,link\na,\n' \
		"told: no column 'device': there are parent, link"
	bad 'device,devsel\na,\n' \
		"told: no column 'parent': there are device, devsel"
	bad 'device,parent\na\n' 'told:2: 1 fields where the header has 2'
	bad '' 'told: 0 bytes: nothing to read'
	rm told
	refuses 'device,min_ns\na,1\n' 'told: No such file or directory' \
		--links told
	wrong '--links is for links, not for --by' --by x --links told
	wrong '--fit is for links, not for --by' --by x --fit
}

# Miller, Watts, Moore (ANCS 2009), Table 4: experiments/miller.
@test "links have the latencies that were published" {
	cd "$TOP/experiments/miller"
	runs pcb-diff --links links.csv minima.csv
	[ "$stderr" = "" ]
	# Time on PCB 53 ns is 52.5, which is 62.5 %; the paper has 63.1.
	grep -qx 'published,Tx_h_di,Bb_c,pcix64/133,slow,315,399,84,,,52.5,62.5,11.2,,completer,1' \
		<<<"$output"
	# T_split = 2 T_imm - 2 T_cycle, at both clocks.
	grep -qx 'published,Tx_h_ds,.*,315,468,153,,,,,20.4,153,completer,1' <<<"$output"
	grep -qx 'published,Tx_l_ds,.*,315,633,318,,,,,21.2,318,completer,1' <<<"$output"
	[ "$(column split_ns <<<"$output" | grep -c .)" = 2 ]
	# The only device that is a bridge with something below it.
	grep -q '^published,Bb_c,.*,252,,,22,8.73015873015873,,,,1$' <<<"$output"
}

@test "a split read saves the cycles that the target takes to claim" {
	local devsel

	printf '%s\n' device,min_ns bus,100 now,184 later,300 >minima
	for devsel in slow medium fast; do
		printf '%s\n' device,parent,link,devsel,split_of \
			"now,bus,pcix64/133,$devsel," \
			"later,bus,pcix64/133,$devsel,now" >links
		pcb-diff --links links minima | column split_ns | grep .
	done >splits
	[ "$(xargs <splits)" = "153 160.5 168" ] || show "$(<splits)"
}

@test "every number of the published table is met" {
	local table="$PCB_TEST_DATA/miller/table4.csv" end

	needs_data
	for end in source target; do
		pcb-import csv --map "$end=device,${end}_ns=latency_ns$(
			sed -n '/^description/{s/,/\n/g;p}' "$table" |
				grep -vx -e "$end" -e "${end}_ns" |
				sed 's/.*/,&=/' | tr -d '\n')" "$table"
	done | pcb-stats | pcb-diff --links "$TOP/experiments/miller/links.csv" \
		>latencies
	paste -d, <(column device <latencies) <(column latency_ns <latencies) \
		<(column serialization_ns <latencies) \
		<(column efficiency_pct <latencies) \
		<(column clocks <latencies) >ours
	[ "$(wc -l <ours)" = 18 ]
	awk -F, '
	function same(what, ours, theirs) {
		if (ours != theirs) {
			print device, what, ours, "published:", theirs
			bad = 1
		}
	}
	function rounded(x, digits) {
		return x == "" ? x : sprintf("%.*f", digits, x + 1e-9)
	}
	FNR == NR {
		latency[$1] = $2; wire[$1] = $3; part[$1] = $4; clocks[$1] = $5
		next
	}
	/^#|^description/ { next }
	{
		device = $6
		n++
		same("latency", latency[device], $8)
		same("time on PCB", rounded(wire[device], 0), $10)
		# The paper computes this one with 53 ns, which are 52.5.
		if (device == "Tx_h_di")
			part[device] *= 53 / 52.5
		same("efficiency", rounded(part[device], 1), $11)
		# At 66 MHz it prints 11, 20 and 15 clocks, as at 133 MHz; in
		# cycles of 15 ns, its 105 ns for 7, they are 11.6, 21.2, 15.6.
		if ($3 == 66)
			same("cycle", clocks[device] * 15, $8)
		else
			same("clocks", rounded(clocks[device], 0), $9)
	}
	END { exit bad || n != 18 }' ours "$table"
}
