#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later

load helpers

tests "$TOP/experiments/pick"

setup() {
	cd "$BATS_TEST_TMPDIR" || exit
	command -v gnuplot >/dev/null || skip "gnuplot is not installed"
	# Variables of an outer make are for another tree.
	unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES
	programs=$(dirname "$(command -v pcb-collect)")
}

# study ARGUMENT...: make in experiments/, results in `out`; ^C ends it, even if
# it is ignored, as by nohup.
study() {
	env --default-signal=INT make -s -C "$TOP/experiments" \
		OUT="$PWD/out" BIN="$programs" "$@" >>log 2>&1
}

# drawn NAME...: these plots are complete.
drawn() {
	local name

	for name; do
		tail -n 3 "out/$name.svg" | grep -q '</svg>' && continue
		printf 'not drawn: %s\n%s\n' "$name" "$(tail -n 20 log)"
		return 1
	done
}

# rows FILE: the number of its rows.
rows() {
	grep -vc '^#' "out/$1" | awk '{ print $1 - 1 }'
}

# instead BODY: replaces pcb-collect by BODY, which may run "$real"; `measured`
# lists what it measures.
instead() {
	mkdir bin
	ln -s "$programs"/pcb-* bin
	rm bin/pcb-collect
	printf '#!/bin/bash\nreal=%q/pcb-collect\ncd %q\n%s\n' "$programs" \
		"$PWD" "echo \"\$1\" >>measured
$1
exec \"\$real\" \"\$@\"" >bin/pcb-collect
	chmod +x bin/pcb-collect
	programs=$PWD/bin
}

@test "every figure is drawn, and a report with all of them" {
	study all N=300
	drawn fig1 fig4a fig4b fig4c fig5 fig6a fig6b fig7a fig7b fig8 fig9 \
		miller-table4 ddio-table7
	[ "$(rows fig4a.stats.csv)" = 45 ]
	[ "$(rows fig5-wrrd.stats.csv)" = 15 ]
	[ "$(rows fig7b-wr.stats.csv)" = 26 ]
	[ "$(rows fig8.stats.csv)" = 52 ]
	[ "$(grep -c '<figure ' out/report.html)" = 13 ]
	[ "$(grep -c '^<script>$' out/report.html)" = 1 ]
	# A heading in words; what it found is in the summary, before all plots.
	grep -q '<h2 id="fig5">Figure 5: latency by size (simulated)</h2>' \
		out/report.html
	sed -n '/<h2 id="summary">/,/^<\/ul>$/p' out/report.html >summary
	grep -q 'href="#fig4a".*</a>: .* % of .*pcie-bench' summary
	# As in the figure, in per cent, with sizes in words.
	grep -q 'href="#fig8".*</a>: .* %.*iB' summary
	grep -q 'href="#fig6a".*</a>: median [0-9.]* ns .*, p99.9 ' summary
	run ! grep -q '[0-9] bytes' summary
	grep -q '88\.262' out/report.html
	# Nothing is fetched from elsewhere.
	run ! grep -E '(src|href)="[^d#]' out/report.html
	grep -q 'pcb-collect bw_rd .*-d sim:e5-2637v3' out/report.html
	grep -q '<tr><th>kind<td>simulated' out/report.html
	# Each plot has the conditions of the paper's caption.
	for name in fig4a fig4b fig4c fig5 fig6a fig6b fig8 fig9; do
		grep -q '<text>.*cache host-warm' out/$name.svg
	done
	grep -q '<text>.*window 8 KiB' out/fig5.svg
	grep -q '>Figure 8: bandwidth of reads' out/fig8.svg
}

@test "the suite is drawn" {
	study suite N=200
	drawn lat_{rd,wrrd}-{sizes,offsets,windows,details} \
		bw_{rd,wr,rdwr}-{sizes,offsets,windows}
	[ "$(rows lat_rd-offsets.stats.csv)" = 105 ]
}

@test "what was published is in the same pictures" {
	needs_data
	study all N=300
	cp out/fig8.svg without.svg
	study all N=300 PUBLISHED="$PCB_TEST_DATA/pciebench"
	run ! cmp -s out/fig8.svg without.svg
	drawn fig4a fig4b fig4c fig5 fig6a fig6b fig7a fig7b fig8 fig9
	for name in fig4a fig4b fig4c fig5 fig6a fig6b fig7a fig7b fig8 fig9; do
		grep -q '>published' out/$name.svg
	done
	[ "$(rows fig4c.published.csv)" = 40 ]
	[ "$(rows fig9.published.csv)" = 52 ]
	# 31 % of the bandwidth at 512K, as in the paper.
	column ratio_pct <out/fig9.published.csv | awk '
	NR == 4 { exit !($1 > 68 && $1 < 70) }'
}

@test "-k: a figure that is refused costs no other, nor the report" {
	instead '[[ "$*" != *remote* ]] || exit 3'
	run ! study -k all N=100
	[ ! -e out/fig8.svg ]
	drawn fig7b fig9 miller-table4
	[ "$(grep -c '<figure ' out/report.html)" = 12 ]
}

@test "an interrupted run goes on where it stopped" {
	instead '[ "$1" != bw_wr ] || [ -e on ] || kill -INT $$'
	run ! study fig4 N=300
	[ "$(xargs <measured)" = "bw_rd bw_wr" ]
	[ ! -e out/fig4b.samples.csv ]
	touch on
	study fig4 N=300
	[ "$(xargs <measured)" = "bw_rd bw_wr bw_wr bw_rdwr" ]
	drawn fig4a fig4b fig4c
	study fig4 N=300
	[ "$(wc -l <measured)" = 4 ]
}

@test "nothing is measured side by side, whatever -j and however many make" {
	instead 'mkdir busy || touch together
sleep 0.05
"$real" "$@"
rmdir busy
exit'
	study -j8 fig4 fig5 fig7 N=100 &
	study -j8 fig4 fig5 fig7 N=100 OUT="$PWD/other"
	wait $!
	[ "$(wc -l <measured)" = 18 ]
	[ ! -e together ]
}

@test "a figure that does not exist" {
	try make -s -C "$TOP/experiments" figure1 OUT="$PWD/out"
	[ "$status" = 2 ]
	[[ "$stderr" == *"'figure1': no such target: 'pcb-experiments help' lists \
them"* ]] || show "no such target"
	[ ! -e out ]
}

@test "a file or directory that is no result is no target, and never up to date" {
	local goal

	mkdir -p out fig1
	touch lspci.txt own.txt out/fig1.stats.csv
	for goal in lspci.txt out/../lspci.txt out; do
		try "$programs/pcb-experiments" "$goal"
		[[ $status = 2 && $stderr = *"'$goal'"*target* ]] || show "$goal"
	done
	try "$programs/pcb-experiments" OUT=out out/new.svg
	[[ $status = 2 && $stderr = *"'out/new.svg'"* ]] || show "no experiment"
	printf 'own.txt:\n\techo again\n' >mine.mk
	runs "$programs/pcb-experiments" OUT=out own.txt
	[ "$output" = "" ]
	runs "$programs/pcb-experiments" -n OUT=out fig1 ./out/fig1.stats.csv
}

@test "an option that is misspelt gets a line" {
	try "$programs/pcb-experiments" fig1 --hepl
	is 2 "" "pcb-experiments: no option --hepl; -j, -k and -n are for make"
	runs "$programs/pcb-experiments" -j2 -n help
}

@test "a setting that is misspelt is refused, with the nearest" {
	local given meant

	while read -r given meant; do
		try "$programs/pcb-experiments" fig1 "$given"
		[[ "$status" = 2 && "$stderr" = *" ${given%%=*}: "*"$meant"* &&
			! -e results ]] || show "$given"
	done <<-END
		DEVCE=gpu DEVICE
		device=gpu DEVICE
		RUN=5 RUNS
		PUBLISH=x PUBLISHED
		unknown=5
	END
	# One of an own makefile, and all that the figures read.
	echo 'mine: ; @echo $(MINE)' >mine.mk
	[ "$("$programs/pcb-experiments" mine MINE=5 N=1 LINK=gen3x8)" = 5 ]
	# A tree of the source may be moved.
	[[ $(readlink "$programs/pcb-experiments") != /* ]]
}

@test "nobody else can keep a measurement waiting" {
	[ "$EUID" = 0 ] || skip "root only"
	setpriv --reuid 65534 --regid 65534 --clear-groups \
		flock /sys sleep 100 3>&- &
	holder=$!
	instead exit
	timeout 30 make -s -C "$TOP/experiments" OUT="$PWD/out" \
		BIN="$programs" "$PWD/out/fig4a.samples.csv"
	kill $holder
	[ "$(xargs <measured)" = bw_rd ]
	[ "$(stat -c '%U %a' /run/pcb-experiments)" = "root 700" ]
}

@test "a lock that belongs to somebody else is refused" {
	[ "$EUID" = 0 ] || skip "root only"
	mkdir -m 777 run run/pcb-experiments-65534
	chmod 711 "$BATS_TEST_TMPDIR" "$BATS_RUN_TMPDIR"
	# That user may not be able to read the tree.
	install -m 755 "$TOP/experiments/lock" .
	try env XDG_RUNTIME_DIR="$PWD/run" setpriv --reuid 65534 --regid 65534 \
		--clear-groups bash "$PWD/lock" echo measured
	is 2 "" "$PWD/run/pcb-experiments-65534 belongs to another user: remove it"
}

@test "two makes of the same results: each file is whole" {
	instead '"$real" "$@" >$$
half=$(($(stat -c %s $$) / 2))
head -c $half $$
sleep 0.5
tail -c +$((half + 1)) $$
exit'
	study fig4 N=100 &
	wait_for_bytes out/settings 1
	study fig4 N=100
	wait $!
	for file in out/*.samples.csv; do
		[ "$(grep -c '# end: .*complete=yes' "$file")" = 1 ]
		[ "$(head -n 1 "$file")" = "# pcb-csv: 1" ]
		tail -n 1 "$file" | grep -q "^# end: rows=$(rows "${file#out/}") "
	done
}

@test "half a picture, on a disk that is full, is none" {
	unshare -rm mount -t tmpfs none . 2>/dev/null ||
		skip "no file system of one's own here"
	study "$PWD/out/fig1.stats.csv"
	# Room for the statistics, two small files and half the picture.
	room=$(($(stat -c %s out/fig1.stats.csv) / 1024 + 4 + 8 + 8))
	export OUT=$PWD/out BIN=$programs
	run ! unshare -rm bash -c 'cp out/fig1.stats.csv . &&
		mount -t tmpfs -o size="$1"k none out && mv fig1.stats.csv out &&
		make -s -C "$TOP/experiments" -e fig1 >log 2>&1 ||
		{ find out -name "*.svg*" >left; false; }' bash "$room"
	[[ "$(cat left)" = out/fig1.svg.*.part ]]
	grep -q "No space left" log
}

@test "settings that a full disk has cut off are written again" {
	mkdir out
	: >out/settings
	study fig1
	[ "$(cat out/settings)" = "DEVICE=sim N=40K RUNS=1 OPTIONS=" ]
}

@test "results of other settings are not mixed" {
	study fig4 N=100
	run ! study fig5 N=200
	grep -q "^$PWD/out: collected with DEVICE=sim N=100 " log
	[ ! -e out/fig5.svg ]
	run ! study fig1 N=100 LINK=gen4x16/mps256/mrrs512/rcb64
	[ ! -e out/fig1.svg ]
	# A report says how they were measured, and asks for no settings.
	study report
	grep -q '<tr><th>collected<td>DEVICE=sim N=100 ' out/report.html
	run ! study report OUT="$PWD/other"
	[ ! -e other ]
}

@test "a name with blanks is refused before anything is made or removed" {
	mkdir a
	run ! study OUT="$PWD/a b" clean
	grep -q "OUT='$PWD/a b': make takes names without blanks" log
	[ -d a ]
}

@test "a figure that takes more samples by itself has no other settings" {
	instead exit
	run ! study "$PWD/out/fig6a-1.samples.csv"
	study "$PWD/out/fig4a.samples.csv"
	[ "$(cat out/settings)" = "DEVICE=sim N=40K RUNS=1 OPTIONS=" ]
}

@test "a name of a profile is the device of all figures" {
	study fig7 N=100 DEVICE=sim:gen5x16
	grep -q '^# command: .*-d sim:gen5x16' out/fig7a-rd.samples.csv
	run ! study fig4 N=100 DEVICE=sim:nowhere OUT="$PWD/other"
	[ ! -e other/fig4a.samples.csv ]
}

@test "a directory of published results that is not there is named" {
	run ! study fig4 PUBLISHED=/nowhere/pcie-bench
	grep -q "PUBLISHED=/nowhere/pcie-bench: no such directory" log
	[ ! -e out/fig4.svg ]
}

@test "experiments run from a copy" {
	mkdir copy
	cp -r "$TOP"/experiments/{Makefile,*.mk,lock,pick,report,miller,ddio} copy
	make -s -C copy miller-table4 BIN="$programs"
	[ -s copy/results/sim/miller-table4.svg ]
}

@test "a report does not depend on the locale" {
	mkdir bin
	study fig4 N=100
	watched_awk bin
	PATH=$PWD/bin:$PATH study report N=100
	[ ! -e commas ] || show "no awk but in C: $(head -n 3 commas)"
}

@test "a link that has no model does not end a report" {
	mkdir out
	echo 'DEVICE=sim N=1' >out/settings
	printf 'kind,device,link,host,latency_ns\nmeasured,d,nvlink5,"a""b<i>",1\nmeasured,d,gen3x8/mps256/mrrs512/rcb64,c,2\nmeasured,d,pcix64/133,c,3\n' \
		>out/a.samples.csv
	pcb-plot cdf out/a.samples.csv -o out/a.svg
	PATH=$programs:$PATH "$TOP/experiments/report" out >page
	grep -q 'nvlink5: there is no model of this link: ' page
	grep -q 'pcix64/133: ' page
	grep -q 'gen3x8/mps256/mrrs512/rcb64: what the specification leaves' page
	# The quote does not cut off the name of the host.
	grep -qF '<td>a"b&lt;i&gt;<br>c' page
	grep -q '<h2 id="a">' page
	[ "$(tail -n 1 page)" = '</html>' ]
	# No empty sections.
	run ! grep -q 'The simulation' page
}

@test "the name of a picture is text in a report" {
	local name='<img src=x onerror=alert(1)> & "quoted'

	mkdir files
	cd files
	pcb-collect lat_rd -d sim -n 10 >a.samples.csv
	pcb-stats a.samples.csv >"$name.stats.csv"
	echo '<svg/>' >"$name.svg"
	echo 'DEVICE=sim N=' >settings
	"$TOP/experiments/report" . >page
	run ! grep -F '<img src=x' page
	run ! grep -F '& "quoted' page
	[ "$(grep -cF '&lt;img src=x onerror=alert(1)&gt; &amp; &quot;quoted' \
		page)" -ge 4 ]
}

@test "the tutorials draw the pictures that they show" {
	mkdir doc
	"$TOP/tools/tutorial" doc >said 2>&1
	[ "$(grep -o '[a-z]*\.svg)' "$TOP/README.md")" = "sizes.svg)" ]
	[ "$(grep -o '(.*\.svg)' "$TOP/doc/tutorial.md")" = "(sizes.svg)
(windows.svg)
(reads.svg)" ]
	[ "$(grep -o '(.*\.svg)' "$TOP/doc/packet-loss.md")" = "(waits.svg)" ]
	[ "$(cd "$TOP/doc" && ls -- *.svg)" = "$(ls doc)" ]
}

@test "pick takes rows and columns, and refuses what it does not know" {
	printf '# a: b\nx,y,z\n1,2,3\n4,5,6\n7,2,9\n# end: rows=3 complete=yes\n' \
		>stream
	given "$(cat stream)\n" -c z,x y=2,8
	is 0 "# a: b
z,x
3,1
9,7
# end: rows=2 complete=yes" ""
	given "$(cat stream)\n" w=2
	is 2 "# a: b" "pick: no column w"
	given 'x\n"1,2"\n'
	is 2 "x" "pick: line 2: quotes"
	given 'x\n1\n' x=2
	is 2 "x" "pick: no row with x=2"
}
