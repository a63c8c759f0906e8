#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What can be read in a picture: marks, names, and texts beside each other.

load helpers
load plot

@test "no two texts of a picture overlap, simulated or published" {
	local kind file size scripts=() card=nfp6000-1.2GHz_hsw-Xeon-E5-2637v3_supermicro

	command -v gnuplot >/dev/null || skip "gnuplot is not installed"
	inputs
	while read -r kind file; do
		for size in '' 800x500 740x500 400x300 300x220; do
			pcb-plot "$kind" ${size:+--geometry $size} "$file" \
				>"$kind$size" 2>said && scripts+=("$kind$size") &&
				continue
			# What could not be read is refused.
			grep -q 'this picture takes a height of' said ||
				show "$kind: $(cat said)"
		done
	done < <(kinds)
	[ ${#scripts[@]} -ge 60 ]
	if [ "${PCB_TEST_DATA:-}" ]; then
		published $card/lat_dma_details_cdf.csv
		mv published details
		published $card/lat_dma_sizes.csv
		mv published latencies
		published $card/bw_dma_sz_sweep.csv
		pcb-model --join published >limited
		published $card/bw_dma_win_sweep_rd_rnd_64.csv
		pcb-import nettlp \
			"$PCB_TEST_DATA"/nettlp/pciebench_lat_read_ptr-fix_len-{8,1024}.txt \
			>reads
		for kind in {cdf,pct}\ details scatter\ reads \
			'lat latencies' 'bw limited' {window,heat}\ published; do
			for size in 800x500 400x300; do
				scripts+=("published${#scripts[@]}")
				# shellcheck disable=SC2086
				pcb-plot $kind --geometry $size >"${scripts[-1]}"
			done
		done
	fi
	gnuplot_draws "${scripts[@]}"
	overlaps "${scripts[@]/%/.drawn}" >over
	[ ! -s over ] || show "$(cat over)"
	# The test sees what is wrong.
	sed 's/translate([0-9.]*,/translate(300,/' cdf.drawn >wrong.svg
	overlaps wrong.svg | grep -q ' | '
}

# pictures: draws what each line of stdin says: a kind and its input; texts of
# the picture; points of its curves; lines of the script.
pictures() {
	local arguments texts numbers lines line list

	while IFS='|' read -r arguments texts numbers lines; do
		# shellcheck disable=SC2086
		draws $arguments
		IFS=^ read -ra list <<<"$texts"
		shows "${list[@]}"
		[ "$points" = "${numbers:-$points}" ] ||
			show "$arguments: $points"
		IFS=^ read -ra list <<<"$lines"
		for line in "${list[@]}"; do
			grep -qx "$line" script || show "$arguments: $line"
		done
		[ "$(wc -c <script)" -lt 300000 ]
	done
}

@test "simulated results: texts, and points" {
	local kind

	inputs
	pcb-diff --by cache bandwidths >ratios 2>said
	# The column by names what was compared, not the preamble.
	pcb-diff -P --by cache windows >moved 2>said
	grep -e ^host -e '^[^,]*,1,' sizes >first
	pictures <<-'EOF'
	cdf two|Read latency (simulated)^latency (ns)^cache cold^cache host-warm||
	pct samples|Read latency (simulated)||
	lat first|Read latency (simulated)^latency (ns)^cache cold^median; band from p5 to p95; dots: minimum^512|8 8 4 4 4 4|
	window windows|Read latency (simulated)^window (bytes)^4K^1M|18 18 9 9 9 9|
	window moved|Ratio of read latency (simulated)^cache host-warm in % of cache cold^base|9 2|
	bw bandwidths|Read bandwidth (simulated)^limit of the link|6 6 6|
	heat map|Read latency (simulated)^window (bytes)^1M^size 64 B||
	change found|Read latency (simulated)^size 512 B^cache cold^cache host-warm^confidence interval||
	change ratios|Read bandwidth (simulated)^bandwidth (Gbit/s)||
	nic cards|Throughput (model)^throughput each way (Gbit/s)^Ethernet 40G|92 92|
	EOF
	# Histograms and samples give one picture, of all groups.
	for kind in cdf pct lat; do
		pcb-plot $kind -P samples >script1
		pcb-stats --histogram samples | pcb-plot $kind -P | cmp - script1
	done
	pcb-stats -p 5,95 samples | pcb-plot lat -P | cmp - script1
}

# Of pcie-bench, NetTLP and Miller et al.
@test "published results: texts, points, and numbers" {
	local hsw=nfp6000-1.2GHz_hsw-Xeon-E5-2637v3_supermicro
	local snb=nfp6000-1.2GHz_snb-Xeon-E5-2630_dell-t620

	published $hsw/lat_dma_details_cdf.csv
	mv published details
	{
		grep '^host,' details
		grep ',engine,64,0,0,8192,random,host-warm,' details
	} >warm
	published $hsw/lat_dma_sizes.csv
	mv published latencies
	published $snb/lat_cmd_sweep_wrrd_rnd_64.csv
	mv published lat_windows
	published $snb/bw_dma_win_sweep_rd_rnd_64.csv
	mv published bw_windows
	pcb-diff --by cache --statistic bandwidth_gbit_s bw_windows >found
	pcb-import nettlp \
		"$PCB_TEST_DATA"/nettlp/pciebench_lat_read_ptr-fix_len-{8,1024}.txt \
		>reads
	(cd "$TOP/experiments" &&
		pcb-diff --links miller/links.csv miller/minima.csv) >links
	pictures <<-'EOF'
	scatter reads|size 8 B^size 1024 B||
	scatter --x size_bytes reads|size (bytes)||
	lat latencies|Latency (published)^writes and reads^median; band from minimum to p95|30 30 15 15|64 546.6666666666666^64 600^64 613.3333333333334
	window lat_windows|cache thrashed^cache device-warm^64M|14 14 14 14|set label 'median; bands from p5 to p95 overlap, .*
	window bw_windows|Read bandwidth (published)^cache device-thrashed|13 13 13 13|
	heat lat_windows|Write and read latency (published)^cache host-warm^1.5M||
	change found|Read bandwidth (published)||.*title 'other (one run: no interval)'.*^set label .* at screen 0, first 39 .*
	tree links|Latency along the path (published)^+252 ns, 8.73 % wire^+84 ns, 62.5 % wire^+153 ns^this link and its completer|119 4 84 69|
	EOF
}

# marks SVG: numbers of curves, points and areas that are drawn.
marks() {
	awk '
	/<g id="gnuplot_plot_/ { inside = 1; here = 0 }
	inside {
		points += gsub(/<use/, "&")
		areas += gsub(/<polygon/, "&")
		here += gsub(/<(use|polygon|path)/, "&")
		areas_open += /<g stroke=.none. shape-rendering/
	}
	/^\t<\/g>/ {
		if (areas_open) {
			areas_open--
			next
		}
		curves += inside && here
		inside = 0
	}
	END { printf "%d %d %d", curves, points, areas }' "$1"
}

@test "each kind: as many names as curves, as many marks as data" {
	local kind file names curves points areas name scripts=()

	command -v gnuplot >/dev/null || skip "gnuplot is not installed"
	small
	cat >table <<-'EOF'
	cdf|samples|2|0|0|a x,a y
	pct|samples|2|0|0|a x,a y
	scatter|samples|2|5|0|a x,a y
	lat|sizes|2|4|0|a x,a y
	bw|bandwidths|3|4|0|a x,a y,model
	window|windows|2|4|0|a x,a y
	share|shares|2|2|0|measured,limit of the link
	load|loaded|2|4|0|a x,a y
	heat|sizes|1|0|4|
	matrix|matrix|5|0|13|
	change|changes|4|4|0|cold,other,other: not shown to differ
	tree|tree|2|0|5|the way there,this link and its device
	tree|machine|2|0|2|carries all that is below it,less than a single device below it
	nic|frames|3|4|0|a x,a y,Ethernet
	fleet|hosts|3|6|0|median,a host,out of line
	reference|public|3|3|0|bound,a public result,yours
	ddio|metrics|2|0|3|
	EOF
	# A page shows the names, but no samples of a legend.
	while IFS='|' read -r kind file curves points areas names; do
		pcb-plot "$kind" "$file" -T html -o "$kind$file.page.gp" 2>said
		pcb-plot "$kind" "$file" -o "$kind$file.gp" 2>said
		gnuplot "$kind$file.page.gp" >"$kind$file.page"
		scripts+=("$kind$file.gp")
	done <table
	[ ${#scripts[@]} = 17 ]
	gnuplot_draws "${scripts[@]}"
	while IFS='|' read -r kind file curves points areas names; do
		[ "$(marks "$kind$file.page")" = "$curves $points $areas" ] ||
			show "$kind: $(marks "$kind$file.page")"
		sed -n 's/.* data-name="\([^"]\{1,\}\)".*/\1/p' "$kind$file.page" >curves
		[ "$(paste -s -d , curves)" = "$names" ] ||
			show "$kind: $(paste -s -d , curves)"
		while read -r name; do
			[ "$(grep -cF ">$name<" "$kind$file.drawn")" = 1 ] ||
				show "$kind: $name"
		done <curves
	done <table
}

# ends ARGUMENT...: names at ends of lines, from the lowest.
ends() {
	pcb-plot "$@" -P >script
	sed -n "s/^set label '\(.*\)' at [0-9.e+-]*, [0-9.e+-]* left .*/\1/p" \
		script | paste -s -d ' '
}

@test "names are at line ends where there is room, else in a legend" {
	printf 'a,size_bytes,median_ns\nx,64,500\nx,128,600\ny,64,900\ny,128,950\n' \
		>input
	[ "$(ends lat input)" = 'a x a y' ]
	grep -q '^unset key' script
	# At the last point, darker than the line.
	grep -q "^set label 'a x' at 128, 600 left offset 1,0.00 textcolor rgb '#0072B2'" \
		script
	grep -q "^set label 'a y' at 128, 950 left offset 1,0.00 textcolor rgb '#9A6A00'" \
		script
	grep -q '^set rmargin 4$' script
	# Names of close ends move slightly apart.
	sed 's/y,128,950/y,128,610/' input >near
	[ "$(ends lat near)" = 'a x a y' ]
	grep -q "'a x' at 128, 600 left offset 1,-0.2" script
	grep -q "'a y' at 128, 610 left offset 1,0.2" script
	# A legend instead: too many names at one place, ends at different
	# sizes, coinciding ends, long names, text.
	awk 'BEGIN {
		print "a,size_bytes,median_ns"
		for (i = 1; i <= 5; i++)
			print i ",64," i * 100 "\n" i ",128,500"
	}' >crowd
	sed 's/y,128,950/y,96,950/' input >uneven
	sed 's/y,128,950/y,128,601/' input >same
	sed 's/^y/a name of thirty characters and more/' input >long
	for file in crowd uneven same long; do
		[ -z "$(ends lat $file)" ]
		grep -q '^set key' script
	done
	[ -z "$(ends lat -T dumb input)" ]
	# Also a legend if the end is outside the axes.
	[ -z "$(ends lat --xrange 64:100 input)" ]
	[ -z "$(ends cdf -c median_ns input)" ]
}
