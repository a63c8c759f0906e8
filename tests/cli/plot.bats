#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Common to all pictures: options, titles, legend, output.

load helpers
load plot

@test "wrong options are refused, with a pointer to the help" {
	try pcb-plot
	[ "$status" = 2 ]
	[[ "$stderr" = "pcb-plot: choose a kind of plot:
  cdf "* ]]
	wrong "'CDF': no such kind of plot (did you mean cdf?)" CDF
	wrong "--size: did you mean --geometry?" cdf --size 800x500
	lists "'pie': no such kind of plot" cdf pie
	wrong "unrecognized option '--no-such'" cdf --no-such
	wrong "-T 'gif': not one of: svg html png pdf paper dumb" cdf -T gif
	wrong "-o '': a file name is missing" cdf -o ''
	wrong "-o 'x.gif': the name ends in none of .svg, .html, .png, .pdf, .txt \
and .gp; -T says what to draw" cdf -o x.gif
	wrong "-o 'x.svg' and -T png contradict each other" cdf -T png -o x.svg
	for size in '' 800 800x 800x0 x500 800X500 800x500x2 -1x5; do
		wrong "--geometry '$size': not WxH" cdf --geometry "$size"
	done
	wrong '--geometry: svg takes 300x220 to 10000x10000' cdf --geometry 300x219
	wrong '--geometry: svg takes 300x220 to 10000x10000' cdf \
		--geometry 99999999999x500
	wrong '--geometry: dumb takes 40x12 to 1000x1000' cdf --geometry 800x1001 \
		-T dumb
}

@test "bad input is refused" {
	refuses '' 'no input (did the program before it fail?)' cdf
	refuses 'a,b_ns\n1,2\n' "standard input: no column 'latency_ns'; -c names another: there are a, b_ns" \
		cdf
	refuses 'median_gbit_s\n1\n' \
		"standard input: no column 'size_bytes': there are median_gbit_s" bw
	refuses 'size_bytes,latency_ns\n64,1\n' \
		'standard input: these are latencies: pcb-plot lat draws them' bw
	refuses 'size_bytes,median_gbit_s\n64,1\n' \
		'standard input: these are bandwidths: pcb-plot bw draws them' lat
	refuses 'a,latency_ns\n64,1\n' \
		"standard input: no column 'other_ns', which pcb-diff writes: \
there are a, latency_ns" change
	refuses 'size_bytes,min_ns\n64,1\n' \
		"standard input: no column 'median_ns', which pcb-stats writes: \
there are size_bytes, min_ns" lat
	refuses 'window_bytes,median_ns,median_gbit_s\n64,1,\n64,,2\n' \
		"standard input:3: median_gbit_s: a plot shows one unit, and median_ns came first" \
		window
	refuses 'cache,median_ns\ncold,1\n' \
		'standard input: this plot needs samples, not statistics: use pcb-stats --histogram' \
		cdf
	refuses 'size_bytes,latency_ns,count\n64,1,x\n' \
		"standard input:2: count: 'x': not a whole number such as 42" lat
	refuses 'latency_ns\n1\nx\n' "standard input:3: latency_ns: 'x': not a number" cdf
	refuses 'latency_ns\n1e101\n' \
		"standard input:2: latency_ns: '1e101': too large to draw" cdf
	refuses 'latency_ns,count\n1,-1\n' \
		"standard input:2: count: '-1': not a whole number such as 42" cdf
	refuses 'size_bytes,median_gbit_s\n6.4,1\n' \
		"standard input:2: size_bytes: '6.4': not a whole number such as 42" bw
	refuses 'size_bytes,median_gbit_s\n64,x\n' \
		"standard input:2: median_gbit_s: 'x': not a number" bw
	refuses 'size_bytes,median_gbit_s,model_gbit_s\n64,1,y\n' \
		"standard input:2: model_gbit_s: 'y': not a number" bw
}

@test "the kind is in the picture unless it was measured" {
	local header=kind,a,latency_ns kind

	scripts "$header\nvirtual,x,1\nvirtual,y,2\n" cdf -P
	[[ $output == *' (virtual)'* && $output == *"'x: 1 ns'"* ]] ||
		[[ $output == *"'a x: 1 ns'"* ]]
	scripts "$header\nmeasured,x,1\nmeasured,y,2\n" cdf -P
	[[ $output != *measured* ]]
	scripts "$header\nmeasured,x,1\nvirtual,x,2\n" cdf -P
	[[ $output == *"'measured: 1 ns'"*"'virtual: 2 ns'"* ]]
	scripts "$header\npublished,x,1\n" cdf -P --title Mine
	[[ $output == *"'Mine (published)'"* ]]
	scripts 'kind,size_bytes,bandwidth_gbit_s,model_gbit_s\nsimulated,64,1,2\nmeasured,64,2,2\n' \
		bw -P
	for kind in simulated measured model; do
		[[ $output == *"'$kind'"* ]]
	done
}

@test "titles are words and the finding; what is not given has a name, too" {
	local bench title kind input

	while IFS=, read -r bench title; do
		scripts "bench,latency_ns\n$bench,1\n" cdf -P
		[[ $output == *"'$title: median 1 ns, p99.9 1 ns'"* ]] || show "$bench"
	done <<-'EOF'
	lat_rd,Read latency
	lat_wrrd,Write and read latency
	lat_mmio,Memory-mapped read latency
	lat_cfg,Configuration read latency
	lat_new,Latency of lat new
	nvbandwidth,Latency of nvbandwidth
	EOF
	while read -r kind input; do
		scripts "$input" "$kind" -P
		[[ $output == *'nic not given'* && $output == *'nic x'* ]] ||
			show "$kind"
	done <<-'EOF'
	cdf nic,latency_ns\n,1\n,2\nx,3\n
	pct nic,latency_ns\n,1\n,2\nx,3\n
	scatter nic,latency_ns\n,1\n,2\nx,3\n
	lat size_bytes,nic,median_ns\n64,,1\n64,x,3\n
	nic frame_bytes,nic,median_gbit_s\n64,,1\n64,x,3\n
	change nic,base_ns,other_ns\n,1,2\nx,3,4\n
	heat window_bytes,nic,median_ns\n64,,1\n64,x,3\n128,,1\n
	ddio nic,metric,value\n,a_ns,1\nx,a_ns,3\n
	EOF
}

@test "results of the same thing have one colour, whatever their kind" {
	local rows='kind,host,cache,window_bytes,median_ns\n'

	rows+='simulated,a,cold,1,5\nsimulated,a,warm,1,4\n'
	rows+='published,b,cold,1,6\npublished,b,warm,1,3\n'
	looks() {
		sed -n "s/^\(look\|dash\)\[[0-9]*\] = //p" <<<"$output" | xargs
	}
	scripts "$rows" window -P
	[ "$(looks)" = "1 2 1 2 1 1 2 2" ]
	# Also if nothing else distinguishes them.
	scripts "$(grep -v warm input)\n" window -P
	[ "$(looks)" = "1 1 1 2" ]
	# The host does not follow from the kind here.
	scripts "$(cat input)\nsimulated,c,cold,1,9\n" window -P
	[ "$(looks)" = "1 2 3 1 1 1" ]
}

@test "runs of one condition are one curve, cell or point: their median" {
	local kind

	printf '%s\n' run,size_bytes,median_gbit_s 1,64,5 2,64,9 3,64,7 \
		1,128,6 2,128,6 3,128,8 >input
	draws bw input
	shows '3 runs' 'median; band from the lowest to the highest run'
	[ "$(block rows)" = '64 7; 128 6' ]
	[ "$(block bands)" = '64 5 9; 128 6 8' ]
	draws heat input
	[ "$(texts cell | xargs)" = '7 6' ]
	sed '1s/size_bytes/host/' input >hosts
	pcb-plot fleet hosts -T html | grep -q '>64: 7 Gbit/s'
	awk -F, -v OFS=, '{ $2 = NR > 1 ? "gpu0,gpu" $2 : "from,to"; print }' \
		input >cells
	draws matrix cells
	[ "$(texts cell | xargs)" = '7 6' ]
	# Samples and their statistics give the same medians.
	printf 'run,latency_ns\n1,5\n1,5\n1,7\n2,9\n' | sed 's/^[0-9]/64,&/
		1s/^/size_bytes,/' >samples
	pcb-plot lat samples >script
	[ "$(block rows)" = '64 7' ]
	pcb-stats samples | pcb-plot lat - >script
	[ "$(block rows)" = '64 7' ]
	for kind in cdf pct scatter; do
		scripts "$(<samples)\n" $kind -P
		[[ $output == *$'\nn = 1\n'* && $output == *'2 runs'* ]]
	done
	# What pcb-diff compared stays apart.
	printf 'run,by,base,base_ns,other_ns\n2,run,1,5,6\n3,run,1,5,7\n' >input
	draws change input
	shows 'run 2' 'run 3'
}

@test "many names: those out of line, one for the others, none alike" {
	local size i

	{
		echo kind,cache,window_bytes,median_ns
		for i in {1..12}; do
			echo "measured,a_cache_with_a_very_long_name_$i,1,$i"
		done
	} >input
	draws window input
	shows '5 others, medians within '
	grep -q '_12<' svg.drawn
	run ! grep -q 'name_9' svg.drawn
	# The pointer says which of the others it is.
	[ "$(pcb-plot window input -T html | grep -o '<u>[^<]*</u>' | sort -u |
		wc -l)" = 12 ]
	# The difference is in the middle, where names are cut.
	{
		echo a,b,c,latency_ns
		for i in {1..6}; do
			printf '%s,%s,%s,%s\n' \
				a_name_that_is_long_enough_to_be_cut_$((i % 2)) \
				"the_same_$i" the_end_$((i % 2)) "$i"
		done
	} >input
	for size in 300x300 400x300 800x500; do
		pcb-plot cdf --geometry $size input >script
		[ "$(texts keyname | wc -l)" -ge 3 ]
		[ -z "$(texts keyname | sort | uniq -d)" ]
	done
}

@test "a link that follows from the device has no name" {
	local rows='00:01.0,gen3x8,1\n00:02.0,gen3x4,2\n'

	scripts "device,link,latency_ns\n$rows" cdf -P
	[[ $output == *"'00:01.0: 1 ns'"*"'00:02.0: 2 ns'"* ]]
	scripts "device,link,latency_ns\n${rows}00:02.0,gen4x4,2\n" cdf -P
	[[ $output == *"'00:01.0, gen3x8: 1 ns'"* ]]
}

@test "rows without a value are skipped and counted" {
	given 'latency_ns,a\n1,x\n,x\n,y\n3,x\n' cdf -P
	[ "$status" = 0 ]
	[ "$stderr" = "pcb-plot: 2 rows without latency_ns were skipped" ]
	[[ $output == *$'\nn = 1\n'* ]]
	given 'size_bytes,median_gbit_s\n,1\n64,2\n' bw -P
	[ "$stderr" = "pcb-plot: 1 row without a size or a bandwidth was skipped" ]
}

@test "the preamble becomes comments, and harmless" {
	given '# pcb-csv: 1\n# host: rack7\n# a: `touch harm` @b \\\n# c`: }{"\n# command: pcb-collect lat_rd\nlatency_ns\n1\n# end: rows=1 complete=no\n' \
		cdf --title "a'b"
	[ "$status" = 0 ]
	[ "${lines[0]}" = '# host: rack7' ]
	[ "${lines[1]}" = '# a: ?touch harm? ?b ?' ]
	[ "${lines[2]}" = '# c?: }{"' ]
	[ "${lines[3]}" = "# command: pcb-collect lat_rd | pcb-plot cdf --title 'a'?''b'" ]
	[ "${lines[4]}" = '# complete: no' ]
	[[ "${lines[5]}" != '#'* ]]
	[ "$stderr" = "pcb-plot: standard input: the collection was stopped before its end" ]
	if command -v gnuplot >/dev/null; then
		try gnuplot <<<"$output"
		[ "$stderr" = "" ]
	fi
	[ ! -e harm ]
	given '# pcb-csv: 1\n# host: rack7\nlatency_ns\n1\n# end: rows=1 complete=yes\n' \
		cdf --no-preamble
	[[ "$output" != *'#'*'reset'* ]]
}

@test "--geometry and --title" {
	given 'latency_ns\n1\n2\n' cdf -P --geometry 400x300 --title 'A b'
	[[ "$output" == *" size 400,300 "*"titles[1] = 'A b'"* ]]
	# A browser shows the title as the name of an SVG.
	[[ "$output" == *" name 'A_b' "* ]]
	given 'latency_ns\n1\n2\n' cdf -P -T pdf --geometry 960x480
	[[ "$output" == *" size 10.00in,5.00in "* ]]
	awk 'BEGIN { print "a,base_ns,other_ns"; for (i = 1; i < 40; i++) print i ",5,6" }' >input
	try pcb-plot change --geometry 300x220 input
	[ "$status" = 2 ]
	[[ $stderr == *'this picture takes a height of '* ]]
}

@test "-T paper" {
	printf 'kind,a,latency_ns\nsimulated,x,1\nsimulated,x,2\n' >input
	# For a caption below; the caption says whether it was measured.
	scripts "$(cat input)\n" cdf -P -T paper
	[[ "$output" == *" size 3.30in,2.21in font 'sans,7' "* ]]
	[[ "$output" == *"sub[1] = 'simulated'"* ]]
	[[ "$output" != *"Latency"* && "$output" != *"'a x"* ]]
	# A key in a column of a paper has all names.
	awk 'BEGIN { print "a,latency_ns"; for (i = 1; i < 9; i++)
		print "a_name_of_some_thirty_characters_" i "," i }' >names
	pcb-plot cdf -T paper names >script
	[ "$(value keylines)" = 8 ]
	pcb-plot cdf -T paper --geometry 317x212 names >script
	[ "$(value keylines)" = 4 ]
	sed -i s/simulated/measured/ input
	scripts "$(cat input)\n" cdf -P --title ''
	[[ "$output" == *$'\nntitles = 0\n'* ]]
	command -v gnuplot >/dev/null || skip "gnuplot is not installed"
	given "$(cat input)\n" cdf -T paper -o x.pdf
	is 0 "" ""
	[ "$(head -c 4 x.pdf)" = %PDF ]
}

@test "-o draws a picture of the type that its name ends in" {
	command -v gnuplot >/dev/null || skip "gnuplot is not installed"
	local name

	mkdir out
	cd out
	for name in "it's "'|touch harm `touch harm` @b c"d\' '~x' $'e\nf' '|x'; do
		given 'latency_ns\n1\n2\n' cdf -o "$name.svg"
		rm input
		is 0 "" ""
		grep -q '</svg>' "$name.svg"
		rm "$name.svg"
	done
	[ -z "$(ls)" ]
	for name in a.png a.pdf a.txt; do
		given 'latency_ns\n1\n2\n' cdf -o "$name"
		is 0 "" ""
	done
	given 'latency_ns\n1\n2\n' cdf -o b -T png
	is 0 "" ""
	[ "$(head -c 4 a.png | tail -c 3)" = PNG ]
	[ "$(head -c 4 b | tail -c 3)" = PNG ]
	[ "$(head -c 4 a.pdf)" = %PDF ]
	grep -q 'latency (ns)' a.txt
}

@test "-o x.gp, and - : the script" {
	given 'latency_ns\n1\n2\n' cdf -P -o x.gp
	is 0 "" ""
	given 'latency_ns\n1\n2\n' cdf -P -o -
	[ "$output" = "$(<x.gp)" ]
	[[ "$output" == reset* ]]
}

@test "without gnuplot -o draws nothing and says what to install" {
	local programs

	echo old >x.svg
	printf 'latency_ns\n1\n2\n' >input
	programs=$(dirname "$(command -v pcb-plot)")
	PATH=$programs try "$programs/pcb-plot" cdf -o x.svg input
	is 3 "" "pcb-plot: gnuplot is not installed: it \
is in the package gnuplot-nox"
	[ "$(cat x.svg x.svg*)" = "old
old" ]
}

@test "a picture that gnuplot fails to draw replaces no file" {
	local all='cat >/dev/null;' does end

	mkdir bin
	echo old >x.svg
	seq 64 20000 | sed 's/.*/&,&/; 1iframe_bytes,bandwidth_gbit_s' >input
	# What gnuplot does, and what pcb-plot says of it.
	while IFS='|' read -r does end; do
		printf '#!/bin/sh\n%s\n' "$does" >bin/gnuplot
		chmod +x bin/gnuplot
		PATH=$PWD/bin:$PATH try pcb-plot nic -o x.svg input
		is 2 "" "pcb-plot: $PWD/x.svg: $end"
		[ "$(cat x.svg x.svg*)" = "old
old" ]
	done <<-END
	$all echo part; exit 4|gnuplot drew only a part (status 4)
	$all echo '</svg>'; kill -9 \$\$|gnuplot drew only a part (status 137)
	$all echo part|gnuplot drew only a part (status 0)
	$all echo '</svg> and much after it'|gnuplot drew only a part (status 0)
	$all :|gnuplot drew only a part (status 0)
	echo '</svg>'|gnuplot ended early
	END
}

@test "a small picture has fewer lines above it" {
	pcb-collect lat_rd -d sim -s 64,128 -n 10 >samples
	pcb-plot lat samples >script
	[ "$(value nsub)" -ge 3 ]
	pcb-plot lat --geometry 400x300 samples >script
	[ "$(texts sub)" = "median; band from p5 to p95; dots: minimum" ]
	pcb-plot lat --geometry 300x240 samples >script
	[ "$(value nsub)" = 0 ]
}

@test "--xrange, --yrange and --log" {
	scripts 'latency_ns\n500\n700\n900000\n' cdf -P --xrange 400:0.9us
	[[ "$output" == *$'\nxlo = 400\nxhi = 900\n'* ]]
	scripts 'latency_ns\n500\n700\n900000\n' cdf -P --log x
	[[ "$output" == *$'\nxlog = 10\n'* ]]
	scripts 'size_bytes,median_gbit_s\n64,1\n96,9\n128,50\n' bw -P --log y \
		--yrange 0.5:100
	[[ "$output" == *$'\nylo = 0.5\nyhi = 100\nylog = 10\n'* ]]
	printf 'latency_ns\n1\n3\n9\n' >input
	for kind in cdf scatter; do
		pcb-plot $kind --xrange 2:5 input >$kind.gp
	done
	! command -v gnuplot >/dev/null ||
		[ -z "$(gnuplot_draws {cdf,scatter}.gp 2>&1)" ]
	for range in '' 5 5: :5 5:5 9:2 a:b 1:2:3; do
		wrong "--xrange '$range': not LOW:HIGH, such as 500:900 or 0.5us:2ms" \
			cdf --xrange "$range"
	done
	wrong "--log 'z': not one of: x y xy" cdf --log z
	wrong '--log is not for fleet' fleet --log x
	refuses 'size_bytes,latency_ns\n64,-1\n128,5\n' \
		'--log: the axis has values of 0 or less' lat --log y
	refuses 'latency_ns\n1\n2\n' '--log y: pct has such an axis' cdf \
		--log y
}

@test "text fits a terminal of 80 columns" {
	pcb-collect -d sim lat_rd -n 1000 -s 64,512 --cache cold,host-warm \
		-l driver=a_very_long_name_of_a_driver_indeed_it_is_quite_long |
		pcb-plot cdf -T dumb >script
	command -v gnuplot >/dev/null || skip "gnuplot is not installed"
	gnuplot script | tr -d '\f' >drawn
	[ "$(wc -l <drawn)" -le 24 ]
	[ "$(awk 'length > most { most = length } END { print most }' drawn)" \
		-lt 80 ]
}

@test "files are operands, - is stdin; output that is lost is an error" {
	printf 'a,latency_ns\nx,1\n' >one
	printf 'a,latency_ns\ny,1\n' >two
	# A file is named only if no other column tells its curves apart.
	runs pcb-plot cdf -P one - two <<<$'a,latency_ns\nz,1'
	[[ "$output" == *"'a x: 1 ns'"*"'a z: 1 ns'"*"'a y: 1 ns'"* ]]
	try pcb-plot cdf -P --merge one - two <<<$'a,latency_ns\nz,1'
	[[ "$output" == *"'a x: 1 ns'"*"'a z: 1 ns'"*"'a y: 1 ns'"* ]]
	try pcb-plot cdf one none
	[ "$status" = 2 ]
	[ "$output" = "" ]
	[ "$stderr" = "pcb-plot: none: No such file or directory" ]

	# Output that is lost is an error.
	for options in cdf --help; do
		try bash -c \
			'pcb-plot "$1" <<<$'"'latency_ns\n1'"' >/dev/full' - \
			$options
		[ "$status" = 2 ]
		[ "$stderr" = "pcb-plot: stdout: No space left on device" ]
	done
}
