#!/usr/bin/env bats
# Formats of printf are arguments here, and bats sets $stderr.
# shellcheck disable=SC2059,SC2154

load helpers

tests pcb-diff

setup() {
	cd "$BATS_TEST_TMPDIR" || exit
}

# says STATUS INPUT WANTED MESSAGES [OPTION...]: without preamble. WANTED and
# MESSAGES take \n; each message is preceded by "pcb-diff: ".
says() {
	local wanted messages

	printf -v wanted -- "$3"
	printf -v messages -- "${4:+pcb-diff: $4}"
	given "$2" "${@:5}" -P
	is "$1" "$wanted" "${messages//$'\n'/$'\n'pcb-diff: }" "$2"
}

links=parent_ns,device_ns,latency_ns,latency_lo_ns,latency_hi_ns,serialization_ns,efficiency_pct,clocks,flags,runs
conditions=base_ns,other_ns,diff_ns,diff_lo_ns,diff_hi_ns,ratio_pct,differs,runs
unclear='differences are unclear: they take 5 runs of both (pcb-collect -r)'

# tree RUNS: a root port, a switch below it with a port, a device below that;
# every run adds 1 ns to all, and odd ones 2 ns to the device.
tree() {
	awk -v runs="$1" 'BEGIN {
		print "host,run,kind,device,link,parent,n,min_ns,median_ns"
		for (i = 1; i <= runs; i++) {
			row(i, "00:01.0", "", 100 + i)
			row(i, "01:00.0", "00:01.0", 250 + i)
			row(i, "02:00.0", "01:00.0", 300 + i)
			row(i, "03:00.0", "02:00.0", 450 + i + 2 * (i % 2))
		}
	}
	function row(run, device, parent, min) {
		printf "a,%d,measured,%s,,%s,9,%g,%g\n",
			run, device, parent, min, 2 * min
	}'
}

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

@test "help and version go to stdout" {
	helps '[options] [FILE...]' -h
	helps '[options] [FILE...]' --help
	tells_version
}

@test "wrong options are refused, with a pointer to the help" {
	wrong "unrecognized option '--no-such'" --no-such
	wrong "invalid option -- 'c'" -c
	wrong "option '--by' requires an argument" --by
	wrong "-f 'xml': not csv, table or jsonl" -f xml
	wrong "--by '': COLUMN is empty" --by ''
	wrong "--by '=cold': COLUMN is empty" --by =cold
	wrong "--by 'cache=': BASE is empty" --by cache=
	wrong "--by 'min_ns': a measure, not a condition" --by min_ns
	wrong "--by file: compares two files or more" --by file
	wrong "--by file: compares two files or more" --by file one
	wrong "--check 'x': not a number" --by a --check x
	wrong "--check '5%%': not a number" --by a --check 5%%
	wrong "--check '-1': below 0" --by a --check -1
	wrong "--check is for --by: links have no BASE" --check 5
	wrong "--paired is for --by: ends of a link always are" --paired
}

@test "links of a tree, one run" {
	tree 1 >input
	run --separate-stderr pcb-diff -P input
	[ "$status" = 0 ]
	[ "$stderr" = "" ]
	[ "$output" = "host,kind,device,link,parent,$links
a,measured,01:00.0,,00:01.0,101,251,150,,,,,,,1
a,measured,02:00.0,,01:00.0,251,301,50,,,,,,,1
a,measured,03:00.0,,02:00.0,301,453,152,,,,,,completer,1" ]
	run --separate-stderr pcb-diff -P --statistic median input
	[ "${lines[1]}" = "a,measured,01:00.0,,00:01.0,202,502,300,,,,,,,1" ]
	run --separate-stderr pcb-diff -P --statistic median_ns input
	[ "${lines[1]}" = "a,measured,01:00.0,,00:01.0,202,502,300,,,,,,,1" ]
}

@test "links pair the runs, and have limits from 5 runs on" {
	# Only the last link differs from run to run.
	last() {
		tree "$1" >input
		run --separate-stderr pcb-diff -P input
		[ "$status" = 0 ]
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
	run --separate-stderr pcb-diff -P input
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
-: no device was measured together with its parent: no links'
}

@test "a parent that was not measured is named, once" {
	says 0 'register,device,parent,min_ns
0,b,a,1\n4,b,a,1\n0,c,b,5\n0,d,e,1\n0,f,,1\n' \
		"register,device,parent,$links\n0,c,b,1,5,4,,,,,,completer,1" \
		'b: its parent a was not measured with it: no link
d: its parent e was not measured with it: no link'
	says 0 'device,parent,min_ns\na,,1\nb,,2\n' "device,parent,$links" \
		'-: no device was measured together with its parent: no links'
}

@test "links are between rows that agree in the rest" {
	gives 'host,register,device,link,parent,min_ns
x,8,a,,,100\nx,8,b,pci32/33,a,400\ny,8,b,,a,330\ny,8,a,,,300\n' \
		"host,register,device,link,parent,$links
x,8,b,pci32/33,a,100,400,300,,,210,70,10,completer,1\ny,8,b,,a,300,330,30,,,,,,completer,1"
	says 0 'kind,device,parent,min_ns\nmeasured,a,,1\nvirtual,b,a,2\n' \
		"kind,device,parent,$links" \
		'b: its parent a was not measured with it: no link
-: no device was measured together with its parent: no links'
}

@test "what the link lets expect: serialization, efficiency, clocks" {
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
	# Of 64-bit addresses a configuration read has none.
	wire gen1x1/$sizes/a32 1760 176,10,,completer
	wire gen1x1/$sizes/ecrc 2080 208,10,,completer
	wire gen2x1/$sizes 880 88,10,,completer
	wire pci32/33 420 210,50,14,completer
	wire pci32/66 210 105,50,14,completer
	wire pcix64/100 140 70,50,14,completer
	wire pcix64/133 105 52.5,50,14,completer
	# Less than that no link can take.
	wire pcix64/133 42 52.5,125,5.6,'completer short'
	wire gen1x8/$sizes 0 '22,,,completer indistinct short'
	wire gen1x8/$sizes -5 '22,,,completer negative'
	wire pcix64/133 -15 '52.5,,-2,completer negative'
	refuses 'device,link,parent,min_ns\na,,,1\nb,gen3x8,a,2\n' \
		"-:3: link: 'gen3x8': not of the form gen3x8/mps256/mrrs512/rcb64"
	# Configuration reads of PCI-X are longer, and by how much is not known.
	gives 'bench,device,link,parent,min_ns
lat_cfg,a,,,0\nlat_cfg,b,pcix64/66,a,150\nlat_cfg,c,pci32/66,b,360
lat_mmio,a,,,0\nlat_mmio,b,pcix64/66,a,210\n' \
		"bench,device,link,parent,$links
lat_cfg,b,pcix64/66,a,0,150,150,,,,,10,,1
lat_cfg,c,pci32/66,b,150,360,210,,,105,50,14,completer,1
lat_mmio,b,pcix64/66,a,0,210,210,,,105,50,14,completer,1"
}

@test "a latency that may be 0 is flagged" {
	# flags TICK LATENCY...: of so many runs.
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
		run --separate-stderr pcb-diff "${@:4}" input
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
	# Whichever is asked for; and other statistics are no floors.
	floor 212 204 112,100,212,112,,,100,100,,,,'completer floor' \
		--statistic p1
	run -0 pcb-diff -P --statistic median <<<"$(printf -- "$in" 300 400)"
	[ "${lines[1]}" = "b,a,9,9,0,,,,,,completer indistinct,1" ]
	# Below the tick nothing is told apart.
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
	# Only what is there.
	gives 'device,parent,min_ns,p1_ns\na,,1,\nb,a,3,9\n' \
		"device,parent,${links/_hi_ns/_hi_ns,latency_p1_ns}
b,a,1,3,2,,,,,,,completer,1"
}

@test "links and parents from a file" {
	local in='device,min_ns\na,100\nb,276\nc,400\nd,500\n'

	printf 'device,parent,link,note\nb,a,pci32/33,"x,y"\nc,b,,\nz,a,,\n' >told
	gives "$in" "device,parent,link,$links
b,a,pci32/33,100,276,176,,,210,119.31818181818181,5.866666666666666,short,1
c,b,,276,400,124,,,,,,completer,1" --links told
	# What it tells goes before what the input says; the rest stays.
	gives 'parent,device,min_ns,link\n,a,100,\na,b,200,pci32/66\nq,c,410,pci32/66\n' \
		"parent,device,link,$links
a,b,pci32/33,100,200,100,,,210,210,3.3333333333333335,short,1
b,c,pci32/66,200,410,210,,,105,50,14,completer,1" --links told
	# Without parents it only tells of links, and the other way round.
	printf 'device,link\nb,pci32/33\n' >told
	gives 'device,parent,min_ns\na,,100\nb,a,520\n' \
		"device,parent,link,$links
b,a,pci32/33,100,520,420,,,210,50,14,completer,1" --links told
	printf 'parent,device\na,b\n' >told
	gives "$in" "device,parent,$links\nb,a,100,276,176,,,,,,completer,1" \
		--links told
	printf 'device,parent\n' >told
	says 0 "$in" "device,$links" "told: a header, but no rows
-: no device was measured together with its parent: no links" --links told
	# From standard input.
	printf -- "$in" >rows
	run --separate-stderr pcb-diff -P --links - rows <<<$'device,parent\nb,a'
	[ "${lines[1]}" = "b,a,100,276,176,,,,,,completer,1" ]
}

@test "a bad file of links is refused" {
	# bad FILE MESSAGE
	bad() {
		printf -- "$1" >told
		refuses 'device,min_ns\na,1\n' "$2" --links told
	}
	bad 'device,link\na,gen3x8\n' \
		"told:2: link: 'gen3x8': not of the form gen3x8/mps256/mrrs512/rcb64"
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
	bad '' 'told: empty: not even a header row'
	rm told
	refuses 'device,min_ns\na,1\n' 'told: No such file or directory' \
		--links told
	wrong '--links is for links, not for --by' --by x --links told
	wrong '--tree is for links, not for --by' --by x --tree
	wrong '--fit is for links, not for --by' --by x --fit
	wrong '--tree and --fit: one at a time' --tree --fit
	wrong '--tree is a drawing: there is no -f of it' --tree -f csv
}

# Miller, Watts, Moore (ANCS 2009), Table 4, typed in: experiments/miller.
@test "the published latencies of links" {
	cd "$TOP/experiments/miller"
	run --separate-stderr pcb-diff --links links.csv minima.csv
	[ "$status" = 0 ]
	[ "$stderr" = "" ]
	# Time on PCB 53 ns is 52.5, and 62.5 % are of that; the paper has 63.1.
	grep -qx 'published,Tx_h_di,Bb_c,pcix64/133,slow,315,399,84,,,52.5,62.5,11.2,,completer,1' \
		<<<"$output"
	# T_split = 2 T_imm - 2 T_cycle, at both clocks.
	grep -qx 'published,Tx_h_ds,.*,315,468,153,,,,,20.4,153,completer,1' <<<"$output"
	grep -qx 'published,Tx_l_ds,.*,315,633,318,,,,,21.2,318,completer,1' <<<"$output"
	[ "$(column split_ns <<<"$output" | grep -c .)" = 2 ]
	# The one device that is a bridge with something below it.
	grep -q '^published,Bb_c,.*,252,,,22,8.73015873015873,,,,1$' <<<"$output"
}

@test "every number of the published table" {
	local table="$PCB_TEST_DATA/miller/table4.csv" end

	[ "$PCB_TEST_DATA" ] || skip "PCB_TEST_DATA is not set"
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
		# The paper takes this one from 53 ns, which are 52.5.
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

@test "the tree" {
	# draws INPUT WANTED [MESSAGES] [OPTION...]
	draws() {
		local wanted

		printf -v wanted -- "$2"
		given "$1" --tree "${@:4}"
		is 0 "${wanted%$'\n'}" "${3:+pcb-diff: $3}" "$1"
	}
	draws 'host,run,device,link,parent,min_ns
x,1,a,,,100\nx,1,b,gen3x8/mps256/mrrs512/rcb64,a,250
x,1,c,pcix64/133,b,1000.25\nx,1,d,,c,2000\nx,1,e,,b,240
x,1,a1,,,9\ny,1,q\033\303\251,,z,12\nx,2,a,,,200\n' "host  x

latency of the link -- device        min_ns  link        flags
a                                     150.0
\`-- 150.0 ns -- b                     250.0  gen3x8
   |-- 750.2 ns -- c                 1000.2  pcix64/133
   |  \`-- 999.8 ns -- d              2000.0              completer
   \`-- -10.0 ns -- e                  240.0              completer negative
a1                                      9.0

host  y

latency of the link -- device        min_ns  link        flags
z                              not measured
\`--        ? -- q?\303\251                    12.0
" "$(printf 'q?\303\251'): its parent z was not measured with it: no link"
	# Nothing but devices, or but links.
	draws 'device,parent,median_ns\na,,5\nb,,6\n' \
		"latency of the link -- device  median_ns  flags
a                                    5.0
b                                    6.0
" '-: no device was measured together with its parent: no links' --statistic median
	given 'device,parent,min_ns\na,,1\n' --tree -P
	[ "$status" = 0 ]
	# Branches end where the last below has been drawn.
	given 'device,parent,min_ns\n1,,1\n2,1,2\n3,2,3\n4,1,4\n5,4,5\n6,4,6\n7,6,7\n' \
		--tree
	[ "$(cut -c1-30 <<<"$output")" = 'latency of the link -- device 
1                             
|-- 1.0 ns -- 2               
|  `-- 1.0 ns -- 3            
`-- 3.0 ns -- 4               
   |-- 1.0 ns -- 5            
   `-- 2.0 ns -- 6            
      `-- 1.0 ns -- 7         ' ]
	run -1 grep -E ' $' <<<"$output"
	refuses 'device,parent,min_ns\na,b,1\nb,a,2\nc,,3\n' \
		"-: device 'a' is above itself" --tree
	refuses 'device,parent,min_ns\na,a,1\n' \
		"-: device 'a' is above itself" --tree
}

fitted=latency_ns,fit_ns,residual_ns,proc_ns,serdes_ns,flags,runs

@test "a fit over widths" {
	# 2 (100 + 400 / lanes), and 24 ns more where it is x2.
	local in='device,link,parent,min_ns\na,,,0
b,gen3x1/mps256/mrrs512/rcb64,a,1000\nc,gen3x2/mps128/mrrs512/rcb64,a,%d
d,gen3x4/mps256/mrrs512/rcb64,a,400\ne,gen3x8/mps256/mrrs512/rcb64,a,300
f,gen4x8/mps256/mrrs512/rcb64,a,10\ng,pci32/33,a,10\nh,,a,10\n'

	printf -- "$in" 600 >input
	run --separate-stderr pcb-diff --fit -P input
	[ "$status" = 0 ]
	[ "${lines[0]}" = "device,link,parent,$fitted" ]
	[ "${#lines[@]}" = 6 ]
	awk -F, 'function near(x, y) { return x - y < 1e-9 && y - x < 1e-9 }
	NR == 1 || /^f/ { next }
	!near($5, $4) || !near($6, 0) || !near($7, 100) || !near($8, 400) ||
		$9 != "completer" { exit 1 }' <<<"$output"
	[ "${lines[5]}" = "f,gen4x8/mps256/mrrs512/rcb64,a,10,,,,,completer,1" ]
	[ "$stderr" = "pcb-diff: 2 of 7 links are not known to be PCI Express and were left out
pcb-diff: 1 of 2 sets of links have one width: no fit, which takes two" ]
	# A link that is off.
	run --separate-stderr pcb-diff --fit -P <<<"$(printf -- "$in" 900)"
	[ "$(grep -c 'completer residual,' <<<"$output")" = 3 ]
	[[ "$stderr" = *"pcb-diff: 3 of 5 links are off their fit by more than 10 %" ]]
}

@test "a fit that tells little says so" {
	local gen1=/mps128/mrrs128/rcb64

	# Two widths are met whatever they are; less on one lane cannot be.
	says 0 "host,device,link,parent,min_ns\nx,a,,,0\ny,a,,,0
x,b,gen1x1$gen1,a,600\nx,c,gen1x2$gen1,a,400
y,b,gen1x1$gen1,a,400\ny,c,gen1x2$gen1,a,600\n" \
		"host,device,link,parent,$fitted
x,b,gen1x1$gen1,a,600,600,0,100,200,completer untested,1
x,c,gen1x2$gen1,a,400,400,0,100,200,completer untested,1
y,b,gen1x1$gen1,a,400,400,0,400,-200,completer untested impossible,1
y,c,gen1x2$gen1,a,600,600,0,400,-200,completer untested impossible,1" \
		'2 of 2 sets of links have two widths: they fit, whether the model is right or not
1 of 2 fits have a time below 0: the model does not hold, or that time is too short to be seen' --fit
	says 0 'device,parent,min_ns\na,,1\n' "device,parent,$fitted" \
		'-: no device was measured together with its parent: no links' --fit
}

# What least squares make of the nine PCI Express rows, in fractions:
# T_proc = -1167/61 ns, T_serdes = 62328/61; without the two that the paper
# excepts -4614/269 and 298056/269.
@test "the fit to the published latencies" {
	fit() {
		pcb-diff --fit --links "$TOP/experiments/miller/links.csv" \
			"$1" 2>err >out
		awk -F, -v proc="$2" -v serdes="$3" '
		function near(x, y) { return x - y < 1e-9 && y - x < 1e-9 }
		/^published/ && !(near($9, proc) && near($10, serdes) &&
			near($7 + $8, $6)) { exit 1 }' out
	}
	table=$TOP/experiments/miller/minima.csv
	fit "$table" "$(awk 'BEGIN { printf "%.12f", -1167 / 61 }')" \
		"$(awk 'BEGIN { printf "%.12f", 62328 / 61 }')"
	[ "$(cat err)" = "pcb-diff: 9 of 18 links are not known to be PCI Express and were left out
pcb-diff: 1 of 1 fits have a time below 0: the model does not hold, or that time is too short to be seen
pcb-diff: 6 of 9 links are off their fit by more than 10 %" ]
	grep -v -e I_c -e Te_e_c "$table" >some
	fit some "$(awk 'BEGIN { printf "%.12f", -4614 / 269 }')" \
		"$(awk 'BEGIN { printf "%.12f", 298056 / 269 }')"
	[ "$(column device <out | wc -l)" = 7 ]
}

@test "one row for each other condition" {
	local in='size,cache,median_ns\n64,cold,100\n64,warm,80\n64,hot,50\n8,warm,40\n8,cold,50\n'

	says 0 "$in" "size,cache,base,$conditions
64,warm,cold,100,80,-20,,,80,unclear,1
64,hot,cold,100,50,-50,,,50,unclear,1
8,warm,cold,50,40,-10,,,80,unclear,1" \
		"1 of 2 groups have no row with cache=hot
3 of 3 $unclear" --by cache
	says 0 "$in" "size,cache,base,$conditions
64,cold,warm,80,100,20,,,125,unclear,1
64,hot,warm,80,50,-30,,,62.5,unclear,1
8,cold,warm,40,50,10,,,125,unclear,1" \
		"1 of 2 groups have no row with cache=hot
3 of 3 $unclear" --by cache=warm
	says 0 "$in" "size,cache,base,$conditions
64,cold,hot,50,100,50,,,200,unclear,1
64,warm,hot,50,80,30,,,160,unclear,1" \
		"1 of 2 groups have no row with cache=hot
2 of 2 $unclear" --by cache=hot
	says 0 'a,median_ns\nx,0\ny,5\n' \
		"a,base,$conditions\ny,x,0,5,5,,,,unclear,1" "1 of 1 $unclear" \
		--by a
}

# Runs that drift by far more than the conditions differ.
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
	run --separate-stderr pcb-diff -P --by cache drift
	[[ "${lines[1]}" = *,no,6 ]]
	run --separate-stderr pcb-diff -P --by cache --paired drift
	[ "$stderr" = "" ]
	[ "$output" = "cache,base,$conditions
warm,cold,575,569.5,-6,-7,-5,${lines[1]#*-7,-5,}" ]
	[[ "${lines[1]}" = *,yes,6 ]]
	# Rows in any order; runs that only one side has are left out.
	{
		echo run,cache,median_ns
		echo 9,warm,5
		sed 1d drift | sort -t, -k3n
	} | pcb-diff -P --by cache=cold --paired >mixed
	[ "$(tail -n 1 mixed | cut -d, -f5-7,9-)" = "-6,-7,-5,yes,6" ]
	sed 's/^\(.*\),warm/1\1,warm/' drift >strangers
	run --separate-stderr pcb-diff -P --by cache --paired strangers
	[[ "${lines[1]}" = warm,cold,575,569.5,,,,*,unclear,0 ]]
	[ "$stderr" = "pcb-diff: 1 of 1 differences are unclear: they take 5 runs that both have (pcb-collect -r)" ]
}

@test "runs decide whether conditions differ" {
	sides cache cold warm 4 600 -70 >few
	run --separate-stderr pcb-diff -P --by cache few
	[ "$output" = "cache,base,$conditions
warm,cold,602.5,532.5,-70,,,${lines[1]#*-70,,,}" ]
	[[ "${lines[1]}" = *,unclear,4 ]]
	[ "$stderr" = "pcb-diff: 1 of 1 $unclear" ]
	sides cache cold warm 5 600 -70 >enough
	run --separate-stderr pcb-diff -P --by cache enough
	[ "$stderr" = "" ]
	[[ "${lines[1]}" = warm,cold,603,533,-70,-73,-67,*,yes,5 ]]
	sides cache cold warm 10 600 2 >same
	run --separate-stderr pcb-diff -P --by cache same
	[[ "${lines[1]}" = warm,cold,605.5,607.5,2,-1,5,*,no,10 ]]
	# Fewer on one side: the smaller number is shown.
	sed -i '/^[5-9],warm/d' same
	run --separate-stderr pcb-diff -P --by cache same
	[[ "${lines[1]}" = *,no,5 ]]
	# Runs are independent: which is called which does not matter.
	sed 's/^\(.*\),warm/1\1,warm/' enough | pcb-diff -P --by cache >renamed
	pcb-diff -P --by cache enough | cmp - renamed
}

@test "bandwidth, other statistics, other columns" {
	says 0 'run,host,n,median_gbit_s,p99_gbit_s\n1,a,3,50,8\n1,b,3,40,4\n' \
		"host,base,${conditions//_ns/_gbit_s}
b,a,50,40,-10,,,80,unclear,1" "1 of 1 $unclear" --by host
	says 0 'run,host,n,median_gbit_s,p99_gbit_s\n1,a,3,50,8\n1,b,3,40,4\n' \
		"host,base,${conditions//_ns/_gbit_s}
b,a,8,4,-4,,,50,unclear,1" "1 of 1 $unclear" --by host --statistic p99
	# Runs against each other.
	says 0 'run,host,median_ns\n1,a,3\n2,a,4\n' \
		"run,host,base,$conditions\n2,a,1,3,4,1,,,133.33333333333334,unclear,1" \
		"1 of 1 $unclear" --by run
	# A link is a condition, too, and a parent no hindrance.
	says 0 'link,parent,median_ns\ngen3x8,a,2\ngen4x8,a,1\n' \
		"link,parent,base,$conditions\ngen4x8,a,gen3x8,2,1,-1,,,50,unclear,1" \
		"1 of 1 $unclear" --by link
}

@test "operands against the first" {
	printf 'a,median_ns\nx,10\ny,20\n' >old
	printf 'median_ns,a\n11,x\n30,y\n' >new
	printf 'a,median_ns\nx,9\n' >newer
	run --separate-stderr pcb-diff -P --by file old new
	[ "$status" = 0 ]
	[ "$output" = "a,file,base,$conditions
x,new,old,10,11,1,,,110,unclear,1
y,new,old,20,30,10,,,150,unclear,1" ]
	run --separate-stderr pcb-diff -P --by file new old
	[ "${lines[1]}" = "x,old,new,11,10,-1,,,90.9090909090909,unclear,1" ]
	run --separate-stderr pcb-diff -P --by file=new old new
	[ "${lines[1]}" = "x,old,new,11,10,-1,,,90.9090909090909,unclear,1" ]
	cp newer third
	run --separate-stderr pcb-diff -P --by file old - new newer <third
	[ "$status" = 0 ]
	[ "${lines[1]}" = "x,-,old,10,9,-1,,,90,unclear,1" ]
	[ "${lines[3]}" = "x,newer,old,10,9,-1,,,90,unclear,1" ]
	[ "${stderr_lines[0]}" = "pcb-diff: 1 of 2 groups have no row with file=-" ]
	# The base is the first operand, even if it has nothing.
	echo a,median_ns >none
	run --separate-stderr pcb-diff -P --by file none old new
	[ "$status" = 2 ]
	[ "$stderr" = "pcb-diff: new: no row has file=none" ]
	run --separate-stderr pcb-diff -P --by file old old
	[ "$status" = 2 ]
}

@test "--check" {
	# check STATUS PCT INPUT [OPTION...]
	check() {
		given "$3" -P --by a --check "$2" "${@:4}"
		[ "$status" = "$1" ] && [ "${#lines[@]}" -gt 1 ] && return
		echo "status $status: $output"
		return 1
	}
	local one='a,median_ns\nx,100\ny,110\n'

	check 1 9 "$one"
	[ "${stderr_lines[1]}" = "pcb-diff: 1 of 1 rows are worse than a=x by more than 9 %" ]
	check 0 10 "$one"
	check 0 10.5 "$one"
	check 0 0 'a,median_ns\nx,100\ny,90\n'
	check 0 0 'a,median_ns\nx,100\ny,100\n'
	check 1 200 'a,median_ns\nx,0\ny,1\n'
	check 0 0 'a,median_ns\nx,0\ny,0\n'
	check 1 9 'a,median_gbit_s\nx,100\ny,90\n'
	check 0 10 'a,median_gbit_s\nx,100\ny,90\n'
	check 0 0 'a,median_gbit_s\nx,100\ny,110\n'
	check 1 5 'b,a,median_ns\n1,x,100\n1,y,90\n2,x,100\n2,y,120\n'
	# With enough runs, what does not differ is no worse.
	sides a x y 10 10 2 >same
	run pcb-diff --by a --check 1 same
	[ "$status" = 0 ]
	sides a x y 10 10 9 >worse
	run pcb-diff --by a --check 1 worse
	[ "$status" = 1 ]
	run pcb-diff --by a=y --check 1 worse
	[ "$status" = 0 ]
	refuses 'a,median_per_s\nx,1\ny,2\n' \
		'median_per_s: --check does not know what is worse' \
		--by a --check 1
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
		run --separate-stderr pcb-diff -P --by a one two
		[ "$stderr" = "" ]
		[[ "${lines[1]}" = *,"$1",10 ]] && return
		echo "${lines[1]}"
		return 1
	}
	rows x 100 | part 40 10 >one
	rows y 139 | part 40 10 >two
	verdict no
	run pcb-diff --by a --check 1 one two
	[ "$status" = 0 ]
	rows y 140 | part 40 10 >two
	verdict yes
	# The coarser clock decides; ticks that differ are not lost.
	rows y 139 | part 0.38 10 >two
	verdict no
	# Nor are they in statistics of all parts.
	cat one two | sed 's/median_ns/latency_ns/' | pcb-stats >merged
	run -0 grep tick merged
	[ "$output" = "# clock_tick_ns: 40" ]
	run -0 pcb-diff -P --by a merged
	[[ "${lines[1]}" = *,no,10 ]]
	rows x 100 | part '' 10 >one
	verdict yes
	rows x 100 | part nonsense 10 >one
	verdict yes
	# A tick is a time, and says nothing of bandwidth.
	rows x 100 | part 40 10 | sed 's/median_ns/median_gbit_s/' >one
	rows y 139 | part 40 10 | sed 's/median_ns/median_gbit_s/' >two
	verdict yes
}

@test "of many conditions that lack rows, some are named" {
	local k in='size,a,median_ns\n8,x,1\n64,x,2\n'

	for k in {1..8}; do in+="8,y$k,$k\n"; done
	given "$in" --by a -P
	[ "$(grep -c 'no row with a=y' <<<"$stderr")" = 8 ] || show "8 lines"
	[[ $stderr != *"so it is"* ]]
	given "$in$(printf '8,z%d,1\\n' {1..50})" --by a -P
	[ "$(grep -c 'no row with a=' <<<"$stderr")" = 8 ] || show "8 lines"
	[[ $stderr == *"pcb-diff: so it is with 50 more of a"* ]] || show 50
	[ "${#lines[@]}" = 59 ]
}

@test "kinds are compared only by name" {
	local in='kind,a,median_ns\nmeasured,x,1\nmeasured,y,2\nvirtual,y,3\n'

	says 0 "$in" "kind,a,base,$conditions\nmeasured,y,x,1,2,1,,,200,unclear,1" \
		"1 of 2 groups have no row with a=x\n1 of 1 $unclear" --by a
	refuses 'kind,a,median_ns\nmeasured,x,1\nvirtual,y,3\n' \
		'-: no rows agree in all but a: they differ in kind, too' --by a
	says 0 'kind,a,median_ns\nmeasured,x,1\nvirtual,x,3\n' \
		"kind,a,base,$conditions\nvirtual,x,measured,1,3,2,,,300,unclear,1" \
		"1 of 1 $unclear" --by kind
}

@test "what cannot be compared is refused" {
	refuses 'a,median_ns\nx,1\n' \
		'-: all rows have a=x: nothing to compare' --by a
	says 2 'a,median_ns\n,1\n' '' \
		'1 row without a was skipped\n-: no row has a value in a' --by a
	refuses 'a,median_ns\nx,1\ny,2\n' '-: no row has a=z' --by a=z
	refuses 'a,b,c,median_ns\nx,1,1,1\ny,2,2,2\nx,2,3,1\n' \
		'-: no rows agree in all but a: they differ in c, too' --by a
	refuses 'a,b,c,median_ns\nx,1,1,1\ny,2,2,2\nx,2,1,1\nx,1,2,1\n' \
		'-: no rows agree in all but a' --by a
	refuses 'a,run,median_ns\nx,1,1\ny,1,1\nx,1,2\n' \
		'-:4: median_ns: a second row of the same identity: a label must tell them apart (pcb-collect -l), or their samples be pooled (pcb-stats)' \
		--by a
	refuses 'device,link,parent,min_ns\nx,pci32/33,y,1\nx,pci32/66,y,1\n' \
		'-:3: min_ns: a second row of the same identity: a label must tell them apart (pcb-collect -l), or their samples be pooled (pcb-stats)'
	printf 'file,median_ns\nx,1\n' >column
	refuses 'file,median_ns\nx,2\n' "two columns would be called 'file'" \
		--by file column -
}

@test "missing columns are named" {
	refuses 'device,min_ns\na,1\n' \
		"-: no column 'parent': there are device, min_ns"
	refuses 'parent,min_ns\na,1\n' \
		"-: no column 'device': there are parent, min_ns"
	refuses 'device,parent,median_ns\na,,1\n' \
		"-: no column 'min_ns': there are device, parent, median_ns"
	refuses 'device,parent,min_gbit_s\na,,1\n' \
		"-: no column 'min_ns': there are device, parent, min_gbit_s"
	refuses 'a,min_ns\nx,1\n' "-: no column 'b': there are a, min_ns" --by b
	refuses 'a,min_ns\nx,1\n' \
		"-: no column 'median_*': there are a, min_ns" --by a
	refuses 'a,min_ns\nx,1\n' \
		"-: no column 'p99_ns': there are a, min_ns" --by a \
		--statistic p99_ns
	refuses 'a,median_ns,median_gbit_s\nx,1,\n' \
		'-: both median_ns and median_gbit_s are there: choose one with --statistic' \
		--by a
}

@test "rows without the statistic or the condition are counted" {
	says 0 'device,parent,min_ns\na,,1\nb,a,\nc,a,3\nd,a,\n' \
		"device,parent,$links\nc,a,1,3,2,,,,,,completer,1" \
		'2 rows without min_ns were skipped'
	says 0 'a,median_ns\nx,1\n,2\ny,2\n' \
		"a,base,$conditions\ny,x,1,2,1,,,200,unclear,1" \
		"1 row without a was skipped\n1 of 1 $unclear" --by a
	# Two measures in one stream.
	printf 'a,median_gbit_s\nx,1\ny,1\n' >bandwidth
	printf 'a,median_ns\nx,3\ny,6\n' >latency
	run --separate-stderr pcb-diff -P --by a --statistic median_ns \
		bandwidth latency
	[ "${lines[1]}" = "y,x,3,6,3,,,200,unclear,1" ]
	[ "${stderr_lines[0]}" = "pcb-diff: 2 rows without median_ns were skipped" ]
}

@test "parts may have other columns in another order" {
	printf 'b,a,median_ns,n\n1,x,10,5\n' >one
	printf 'c,median_ns,a,b\n,30,y,1\nz,40,x,1\nz,50,y,1\n' >two
	run --separate-stderr pcb-diff -P --by a one two
	[ "$output" = "b,a,c,base,$conditions
1,y,,x,10,30,20,,,300,unclear,1
1,y,z,x,40,50,10,,,125,unclear,1" ]
	printf 'c,a,b,median_ns\n,x,1,10\n' >two
	run --separate-stderr pcb-diff -P --by a one two
	[ "$status" = 2 ]
	[[ "$stderr" = "pcb-diff: two:2: median_ns: a second row "* ]]
}

@test "a header alone gives a header" {
	says 0 'device,parent,min_ns\n' "device,parent,$links" \
		'-: a header, but no rows'
	says 0 'a,median_ns\n' "a,base,$conditions" \
		'-: a header, but no rows' --by a --check 5
	says 2 'device,parent\n' '' "-: a header, but no rows
-: no column 'min_ns': there are device, parent"
}

@test "bad input is refused" {
	refuses '' '-: empty: not even a header row'
	refuses 'device,parent,min_ns\na,,x\n' "-:2: min_ns: 'x': not a number"
	refuses 'a,median_ns\nx,inf\n' "-:2: median_ns: 'inf': not a number" \
		--by a
	refuses 'a,median_ns\nx,1\nx\n' '-:3: 1 fields where the header has 2' \
		--by a
	run --separate-stderr pcb-diff none.csv
	[ "$status" = 2 ]
	[ "$output" = "" ]
	[ "$stderr" = "pcb-diff: none.csv: No such file or directory" ]
}

@test "an error in the last row leaves stdout empty" {
	{
		tree 1000
		echo x
	} >input
	for options in '' '--by device'; do
		# shellcheck disable=SC2086
		run --separate-stderr pcb-diff $options --statistic min input
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
a,base,$conditions
x,y,1,1,0,,,100,unclear,1
# end: rows=1 complete=yes drift=0" ]
	given '# pcb-csv: 1\ndevice,parent,min_ns\na,,1\nb,a,2\n'
	[ "$status" = 0 ]
	[ "${lines[-1]}" = "# end: rows=1 complete=no" ]
	[ "$stderr" = "pcb-diff: -: the stream was cut short after 2 rows" ]
}

@test "formats" {
	local in='k,device,parent,min_ns\nx,a,,1\nx,b,a,2.5\nx,c,a,3.23456\n'

	gives "$in" 'k       x
parent  a

device  parent_ns  device_ns  latency_ns      flags  runs
b           1.000      2.500       1.500  completer     1
c           1.000      3.235       2.235  completer     1' -f table
	gives "$in" '{"k":"x","device":"b","parent":"a","parent_ns":1,"device_ns":2.5,"latency_ns":1.5,"latency_lo_ns":null,"latency_hi_ns":null,"serialization_ns":null,"efficiency_pct":null,"clocks":null,"flags":"completer","runs":1}
{"k":"x","device":"c","parent":"a","parent_ns":1,"device_ns":3.23456,"latency_ns":2.23456,"latency_lo_ns":null,"latency_hi_ns":null,"serialization_ns":null,"efficiency_pct":null,"clocks":null,"flags":"completer","runs":1}' \
		--format jsonl
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

@test "the simulated cache, through the whole pipe" {
	collect() {
		pcb-collect lat_rd -d sim -r 10 -n 2K "$@" 2>/dev/null | pcb-stats
	}
	collect --cache cold,host-warm | pcb-diff -P --by cache >out
	awk -F, 'END {
		exit !(NR == 2 && $18 < -50 && $18 > -64 && $21 > 88 &&
			$21 < 92 && $22 == "yes" && $23 == 10)
	}' out || { cat out; return 1; }
	# The same twice, with another seed, is no difference.
	collect -s 64,512 --seed 1 >old
	collect -s 64,512 --seed 2 >new
	run --separate-stderr pcb-diff -P --by file --check 3 old new
	[ "$status" = 0 ]
	[ "$stderr" = "" ]
	[ "${#lines[@]}" = 3 ]
	collect --cache host-warm -l cache=cold >new
	collect >old
	run pcb-diff -P --by file=new --check 3 old new
	[ "$status" = 1 ]
	# Two machines in one stream, told apart by name.
	for host in a b; do
		collect -l "host=$host"
	done >hosts
	run --separate-stderr pcb-diff -P --by host=b hosts
	[ "$status" = 0 ]
	[[ "${lines[1]}" = a,simulated,*,b,* ]]
	[[ "${lines[1]}" = *,0,0,0,100,no,10 ]]
}

@test "output that is lost is an error" {
	for options in '' '-f table' '-f jsonl' --help '--by x' --tree --fit; do
		# shellcheck disable=SC2016,SC2086
		run --separate-stderr bash -c \
			'pcb-diff --statistic min "$@" <<<$'"'x,device,parent,min_ns\n1,a,,1\n1,b,a,2\n2,b,a,3'"' >/dev/full 2>err; s=$?; tail -n 1 err >&2; exit $s' \
			- $options
		[ "$status" = 2 ]
		[ "$stderr" = "pcb-diff: stdout: No space left on device" ]
	done
}

@test "the first SIGINT lets it finish, the second kills" {
	needs_own_handlers
	mkfifo pipe
	for signals in 1 2; do
		status=0
		env --default-signal=INT pcb-diff -P pipe >out 2>err 3>&- &
		exec 4>pipe
		printf 'device,parent,min_ns\na,,1\n' >&4
		wait_for_handler pcb-diff $! 1
		kill -INT $!
		wait_for_handler pcb-diff $! 0
		if [ "$signals" = 2 ]; then
			kill -INT $!
		else
			printf 'b,a,3\n' >&4
		fi
		exec 4>&-
		wait $! || status=$?
		if [ "$signals" = 2 ]; then
			[ "$status" = 130 ]
			[ ! -s out ]
		else
			[ "$status" = 0 ]
			[ "$(tail -n 1 out)" = b,a,1,3,2,,,,,,completer,1 ]
		fi
	done
}
