#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What each kind draws: its data, names and words.
# shellcheck disable=SC2086

load helpers
load plot

@test "no two texts of a picture overlap, simulated or published" {
	local kind file size scripts=() card=nfp6000-1.2GHz_hsw-Xeon-E5-2637v3_supermicro

	command -v gnuplot >/dev/null || skip "gnuplot is not installed"
	inputs
	while read -r kind file; do
		for size in '' 800x500 740x500 400x300 300x220; do
			pcb-plot "$kind" ${size:+--geometry $size} "$file" \
				>"$kind$file$size" 2>said && scripts+=("$kind$file$size") &&
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
	sed 's/translate([0-9.]*,/translate(300,/' cdfsamples.drawn >wrong.svg
	overlaps wrong.svg | grep -q ' | '
}

# data NAME: a block, the numbers of an array, or a number.
data() {
	if grep -q "^array $1\[" script; then
		sed -n "s/^$1\[[0-9]*\] = //p" script | xargs
	elif grep -q "^\$$1 <<" script; then
		block "$1"
	else
		value "$1"
	fi
}

# kinds_say: for each line of stdin, KIND|INPUT|DATA=VALUES^...|TEXT^...: draws
# the input; the script has these data, and picture and text show the texts.
kinds_say() {
	local kind input data words item list

	while IFS='~' read -r kind input data words; do
		printf '%b\n' "$input" >input
		draws $kind input
		IFS=^ read -ra list <<<"$data"
		for item in "${list[@]}"; do
			[ "$(data "${item%%=*}")" = "${item#*=}" ] ||
				show "$kind ${item%%=*}: $(data "${item%%=*}")"
		done
		IFS=^ read -ra list <<<"$words"
		[ ${#list[@]} = 0 ] || shows "${list[@]}"
	done
}

@test "each kind has the data of its input, and says what it shows" {
	kinds_say <<-'EOF'
	cdf~a,latency_ns\nx,5\nx,6\nx,7\ny,8~~x: 6 ns^y: 8 ns^median 6 ns to 8 ns, at most 8 ns (a y)
	cdf~latency_ns,count\n100,50\n100.01,40\n200,10~rows=100 0; 100 0; 100 50; 100.01 50; 100.01 90; 200 90; 200 100; 203 100~at most 200 ns
	cdf~latency_ns,count\n1,999\n9,1~~p99.9 1.008 ns
	scatter~a,latency_ns\nx,5\nx,6\ny,5000\ny,5001~ylog=10^rows=1 5; 2 6 || 1 5000; 2 5001~
	pct~latency_ns\n1\n2\n3\n4~rows=1 1; 1.3333333333333333 1; 1.3333333333333333 2; 2 2; 2 3; 4 3; 4 4; 4 4~90
	scatter~a,latency_ns\nx,5\nx,6\ny,7~rows=1 5; 2 6 || 1 7~a x^a y^sample
	scatter --x size_bytes~size_bytes,latency_ns\n64,5\n128,6~rows=64 5; 128 6~size (bytes)
	lat~size_bytes,min_ns,median_ns,p95_ns\n128,12,15,20\n64,10,11,14~rows=64 11; 128 15^bands=64 10 14; 128 12 20~median^11 ns to 15 ns
	lat~size_bytes,min_ns,p5_ns,median_ns,p95_ns\n64,10,11,12,14\n128,20,21,22,24~bands=64 11 14; 128 21 24^floors=64 10; 128 20~median
	lat~size_bytes,median_ns,p5_ns,p95_ns\n64,5,4,6\n128,6,5,7\n256,,,\n512,7,6,8~rows=64 5; 128 6 | 512 7^bands=64 4 6; 128 5 7 | 512 6 8~gaps: 1 row without a value
	lat~size_bytes,median_ns,p99_ns,p99_9_ns\n64,5,8,9\n128,6,7,11~more=64 8; 128 7 || 64 9; 128 11~p99^p99.9
	lat --x idle_us~idle_us,idle_by,min_ns,median_ns,p95_ns\n1000,spin,490,550,600\n0,spin,480,500,560\n100000,spin,500,60500,70000~rows=1 500; 1000 550; 100000 60500~after 100 ms 60 us more^silence before, from 1 us (us)
	lat --x idle_us~idle_us,median_ns\n0,500\n10,510\n1000,900~~after 10 us 10 ns more, after 1 ms 400 ns
	lat~size_bytes,mean_ns\n64,5~xlo=32^xhi=128~
	lat~size_bytes,mean_ns\n64,5\n128,6~rows=64 5; 128 6~mean latency (ns)
	lat~# pcb-csv: 1\n# clock_tick_ns: 4\nsize_bytes,median_ns\n64,704\n128,708~~700
	bw~kind,bench,size_bytes,median_gbit_s,model_gbit_s,model_accounting,limited_by\nmeasured,bw_rd,64,20,40,traffic,rx_bytes\nmeasured,bw_rd,128,39,40,traffic,rx_bytes~rows=64 20; 128 39^bounds=64 40; 128 40~Read bandwidth: 97.5 % of the limit of the link^limit of the link
	bw~kind,bench,size_bytes,median_gbit_s,model_gbit_s,model_accounting,limited_by\nmeasured,bw_rd,64,50,100,traffic,rx_bytes\nmeasured,bw_rd,128,97.26,100,traffic,rx_bytes\nmeasured,bw_rd,256,99.9,100,traffic,rx_bytes\nmeasured,bw_rd,512,98,100,traffic,rx_bytes~~at least 97.2 % of the limit of the link, from 128 B on
	bw~size_bytes,median_gbit_s,model_gbit_s,model_accounting,limited_by\n64,90,40,traffic,inflight\n128,95,50,traffic,rx_bytes~~up to 225 % of the limit: --inflight or --rtt is too low^limit of the link and outstanding reads
	lat~run,size_bytes,median_ns\n1,64,5\n2,64,7~bands=64 5 7~Latency: 6 ns
	bw~size_bytes,bandwidth_gbit_s\n0,0\n64,1\n128,2\n1024,3~rows=64 1; 128 2; 1024 3~left out: 1 row of size 0^up to 3 Gbit/s
	bw~size_bytes,bandwidth_gbit_s,median_gbit_s\n64,1,\n192,2,\n128,,4\n256,2,1~rows=64 1; 128 4; 192 2; 256 1~bandwidth (Gbit/s)
	bw --log y~size_bytes,median_gbit_s\n64,22\n128,54~~30^45
	bw~bench,size_bytes,median_gbit_s\nbw_rdwr,64,1\nbw_rdwr,128,2~~bandwidth each way (Gbit/s)
	bw~file,bench,size_bytes,median_gbit_s\na,bw_rd,64,1\na,bw_rd,128,2\nb,bw_wr,64,3\nb,bw_wr,128,4~~reads^writes
	bw~bench,size_bytes,median_gbit_s,model_gbit_s,model_accounting,limited_by\nbw_rd,64,50,100,traffic,rx_bytes\nbw_rd,128,98.26,100,traffic,rx_bytes\nbw_rd,256,99.9,100,traffic,rx_bytes\nbw_wr,128,80,100,traffic,rx_bytes\nbw_wr,256,97,100,traffic,rx_bytes\nbw_wr,512,98,100,traffic,rx_bytes~~Bandwidth: at least 97 % of the limit of the link, from 256 B on
	bw~bench,size_bytes,median_gbit_s,model_gbit_s,model_accounting,limited_by\nbw_rd,128,98,100,traffic,rx_bytes\nbw_rd,256,99,100,traffic,rx_bytes\nbw_wr,128,80,100,traffic,rx_bytes\nbw_wr,256,81,100,traffic,rx_bytes~~at least 98 % of the limit of the link, reads, from 128 B on
	bw~size_bytes,median_gbit_s,model_gbit_s,model_accounting\n64,90,80,pcie-bench\n128,70,80,pcie-bench~nsub=1~112 % of the model of pcie-bench
	bw~kind,cache,size_bytes,median_gbit_s\nmodel,,64,4\nmodel,,128,5\nsimulated,cold,64,5\nsimulated,cold,128,6~endname=model simulated~cache cold
	bw~size_bytes,median_gbit_s\n64,10\n128,18000\n256,30\n512,100~cut=1^yhi=108~above the axis: 1 point^18000^up to 18000 Gbit/s, at 128 B
	bw~run,size_bytes,median_gbit_s\n1,64,10\n2,64,9\n3,64,10\n1,128,20\n2,128,19\n3,128,20000\n1,256,30\n2,256,50\n3,256,40~yhi=54~above the axis: 1 point
	bw~size_bytes,median_gbit_s\n64,1\n4096,50\n65536,400~cut=0^yhi=432~
	share~nic,size_bytes,model_ratio_pct\na,64,50\na,128,90\na,256,91\nb,64,88.5\nb,256,89~~at least 89 % of the limit of the link,^from 128 B on
	window~window_bytes,by,base,node,ratio_pct\n4096,node,0,1,80\n8192,node,0,1,90~bounds=4096 100; 8192 100~node 1 in % of node 0^80 % to 90 %, at 8 KiB
	window~window_bytes,median_ns,p95_ns\n4096,500,510\n8192,505,510\n16384,570,600\n32768,640,660~~Latency: from 16 KiB on 70 ns more, at 32 KiB 140 ns
	share~size_bytes,model_ratio_pct,limited_by\n64,50,credits\n128,60,credits~bounds=64 100; 128 100~% of the limit of credits
	inflight~interface,size_bytes,median_gbit_s,model_gbit_s\nsm/workers1,125,1,40\nsm/workers16,125,16,40\nsm/workers256,125,30,40~rows=1 1; 16 16; 256 30^bounds=1 1; 40 40; 256 40~40 outstanding fill the link; 75 % reached^n * 125 B / 1 us, limit of the link
	inflight~interface,size_bytes,median_gbit_s\nw1,125,1\nw16,125,16\nw256,125,30~bounds=1 1; 256 256~up to 30 Gbit/s, from 30 outstanding on
	inflight --x queue_depth~queue_depth,size_bytes,bandwidth_gbit_s\n1,1000,8\n4,1000,30\n,1000,5~rows=1 8; 4 30^bounds=1 8; 4 32~up to 30 Gbit/s, at 4^n * 1000 B / 1 us
	inflight --x queue_depth~nic,queue_depth,size_bytes,bandwidth_gbit_s\na,1,1000,8\na,4,1000,30\nb,1,1000,8\nb,4,1000,20~bounds=1 8; 4 32~n * 1000 B / 1 us^nic a^nic b
	load~inject_delay,mean_ns,bandwidth_gbit_s\n9,120,5\n2,190,44\n0,250,43~rows=5 120; 44 190; 43 250~bandwidth (Gbit/s)^mean latency (ns)
	load~inject_delay,median_ns,bandwidth_gbit_s\n1,,5\n2,,6~~no data^gaps: 2 rows without a value
	nic~kind,bench,interaction,frame_bytes,bandwidth_gbit_s,ethernet,ethernet_gbit_s\nmodel,nic,a,512,30,40G,38\nmodel,nic,a,64,10,40G,28\nmodel,nic,b,64,20,40G,28\nmodel,nic,b,512,45,40G,38\nmodel,nic,a,64,10,25G,18\nmodel,nic,a,512,30,25G,24~rows=64 10; 512 30 || 64 20; 512 45^bounds=64 28; 512 38 || 64 18; 512 24~Throughput^a^b^Ethernet 40G^Ethernet 25G
	nic~kind,bench,frame_bytes,bandwidth_gbit_s,ethernet,ethernet_gbit_s\nmodel,nic,64,10,40G,28\nmodel,nic,256,36,40G,36\nmodel,nic,512,45,40G,38~~PCIe allows up to 45 Gbit/s, at 512 B^Ethernet 40G from 256 B on
	nic~kind,bench,frame_bytes,bandwidth_gbit_s,ethernet,ethernet_gbit_s\nmodel,nic,64,30,40G,28\nmodel,nic,512,37,40G,38~~less than Ethernet 40G at 512 B
	heat~size_bytes,cache,median_ns\n128,cold,700\n64,cold,612\n64,warm,600\n128,warm,849~rows=2 1 700 1 0 1; 1 1 612 0 0 2; 1 2 600 0 0 3; 2 2 849 1 0 4~cache cold^849^600 ns (cache warm, size 64 B) to 849 ns (cache warm,^size 128 B)
	heat~bench,interface,median_ns\nlat_rd,sm/w16,3\nlat_rd,sm/w4,5~rows=2 1 3 0 0 1; 1 1 5 1 0 2~3 ns (reads, interface sm/w16) to 5 ns (reads,^interface sm/w4)
	heat~a,median_ns\n10,1\n0.5,2\n0.25,3\nx,4~rows=3 1 1 0 0 1; 2 1 2 0 0 2; 1 1 3 1 0 3; 4 1 4 1 0 4~
	heat~size_bytes,cache,node,median_ns\n64,cold,0,3\n64,warm,0,2\n128,cold,1,7\n128,warm,1,3~rows=1 1 3 0 0 1; 2 2 7 1 0 3 || 1 1 2 0 0 2; 2 2 3 0 0 4~size (bytes), cache cold^2 ns (cache warm, node 0, size 64 B) to 7 ns (cache cold,^node 1,^size 128 B)
	matrix~cpu_node,node,mean_ns,bandwidth_gbit_s\n0,1,140,\n1,0,130,\n0,0,80,~rows=2 1 140 1 0 1; 1 2 130 0 0 2; 1 1 80 0 1 3~from 0^Mean latency: 130 ns (1 to 0) to 140 ns (0 to 1)
	matrix~from,to,peer_access,bandwidth_gbit_s\na,a,,900\na,b,no,40\nb,a,no,60~rows=1 1 900 0 1 1; 2 1 40 0 0 2; 1 2 60 1 0 3~40 Gbit/s (a to b) to 60 Gbit/s (b to a)
	matrix~source,destination,bandwidth_gbit_s\ngpu10,gpu2,7\ngpu2,gpu1,9~~from gpu10
	matrix~from,to,bandwidth_gbit_s,model_gbit_s,model_ratio_pct,crosses\na,a,900,,,\na,b,40,50,80,\na,c,20,50,40,socket\nb,a,41,50,82,\nb,c,21,50,42,socket\nc,a,22,50,44,socket\nc,b,23,50,46,socket~frames=0.5 0.5; 2.5 0.5; 2.5 2.5; 0.5 2.5; 0.5 0.5~at least 40 % of the bound (a to c)^bound: 50 Gbit/s
	change~size_bytes,base,cache,base_ns,other_ns,diff_ns,diff_lo_ns,diff_hi_ns,ratio_pct,differs,runs\n64,a,b,500,570,70,60,75,114,yes,5\n128,a,b,500,498,-2,-9,8,99.6,no,5\n256,a,b,500,510,10,,,102,unclear,1~bars=500 570 1 0 4; 560 575 1 0 7; 500 500 1 0 2; 500 500 1 0 1; 570 570 1 0 3; 498 500 2 0 6; 491 508 2 0 7; 500 500 2 0 2; 500 500 2 0 1; 498 498 2 0 5; 500 510 3 0 6; 500 500 3 0 2; 500 500 3 0 1; 510 510 3 0 5^saystone=0 2 2~size 64 B^other: not shown to differ^+70 ns^1 of 3 differ, at most +70 ns
	change~a,cache,by,base,base_ns,other_ns,diff_ns,differs,runs\nx,warm,cache,cold,500,510,-20,unclear,1~bars=480 500 1 0 6; 500 500 1 0 2; 500 500 1 0 1; 480 480 1 0 5~cache warm (one run: no interval)^-20 ns^no difference is shown
	tree~device,parent,link,bw_wr_gbit_s,path_gbit_s,limiting_link,name\nr,,,,,,\ns,r,gen3x8,50,,,\ng,s,gen3x16,100,50,s,a card~bars=0 50 2 0.3 3; 0 100 3 0.3 1~50 Gbit/s, 50 % lost of 100^g gen3x16, a card^s loses 50 % of what is below it
	tree~device,parent,link,best_link,bw_wr_gbit_s\nr,,,,\na,r,gen3x4,gen3x16,25\nb,r,gen1x8,gen3x8,15\nc,r,gen1x4,gen2x8,7~saystone=1 1 1~25 Gbit/s, x4 of x16^gen1 of gen3^gen1x4 of gen2x8^3 links run below what both ends support
	tree~device,parent,link,best_link,bw_wr_gbit_s\nr,,,,\na,r,gen3x4,,25\nb,r,gen1x4,gen1x8,7~saystone=0 1~b runs at x4 of x8
	tree~device,parent,link,bw_wr_gbit_s\nr,,,\na,r,gen3x4,30\nb,r,gen3x4,20\nc,r,gen3x4,30000~bars=0 30 2 0.3 1; 0 20 3 0.3 1; 0 60 4 0.3 1~cut off at 60 Gbit/s: 1 bar^30000 Gbit/s
	tree~device,parent,link,bw_wr_gbit_s\nr,,,\na,r,gen3x4,30\nb,r,gen1x1,2\nc,r,gen5x16,500~bars=0 30 2 0.3 1; 0 2 3 0.3 1; 0 500 4 0.3 1~
	tree~device,parent,parent_ns,latency_ns,latency_lo_ns,latency_hi_ns,serialization_ns,flags\nb,a,5,3,,,1,completer\nc,a,5,4,,,,negative~bars=0 5 1 0.3 1; 0 5 2 0.3 1; 5 8 2 0.3 4; 5 6 2 0.3 6; 0 5 3 0.3 1; 5 9 3 0.3 3~+3 ns, 33.3 % wire^+4 ns, negative^this link and its completer
	tree~device,parent,parent_ns,latency_ns\n0000:1a:00.0,r,5,3\n0000:10:00.0,r,5,20000\n0000:0f:00.0,r,5,4~rowname=r    0000:0f:00.0    0000:10:00.0    0000:1a:00.0~at most +20 us, 0000:10:00.0^+4 ns
	matrix~from,to,bandwidth_gbit_s\n1a:00.0,0f:00.0,5\n10:00.0,0f:00.0,6~xname=0f:00.0 10:00.0 1a:00.0~
	fleet~host,median_gbit_s\na.x.org,10\nb.x.org,10\nc.y.x.org,5~bars=-50 -50 2 0 2; 0 0 0.96562306 0 1; 0 0 1.02124612 0 1~c.y is -50 % off the median of 3 hosts^c.y -50 %
	reference~kind,initiator,direction,bench,link,model_ratio_pct,name\npublished,gpu,peer_read,,gen3x8,120,card\nmeasured,gpu,,bw_rd,gen3x16,70,mine~~read from peer by gpu, gen3^read by gpu, gen3^above the bound: 1, up to 120 %^yours^yours reaches 70 % of the bound
	reference~kind,initiator,direction,bench,link,model_ratio_pct\npublished,gpu,read,,gen3x8,90\npublished,gpu,read,,gen3x8,80\nmeasured,gpu,,bw_rd,gen3x16,77000~bars=90 90 1 0 1; 80 80 0.7708204 0 1; 180 180 1 0 2~yours reaches 77000 % of the bound^up to 77000 %; cut off at 180 %: 1 point
	reference~kind,initiator,bench,link,model_ratio_pct\nmeasured,gpu,bw_rd,gen3x16,77~~Bandwidth: yours reaches 77 % of the bound
	ddio~metric,socket,value,flags\na_gbit_s,0,5,\na_gbit_s,1,6,odd\nb_per_s,0,7,~bars=0 5 1 0.3 1; 0 6 2 0.3 2 || 0 7 1 0.3 1~a, socket 1 up to 6 Gbit/s; b, socket 0 7/s^6 odd
	ddio~metric,socket,value\na_gbit_s,0,0.05\na_gbit_s,1,0.07\na_gbit_s,2,90~bars=0 0.05 1 0.3 1; 0 0.07 2 0.3 1; 0 90 3 0.3 1~
	ddio~metric,time_ns,value\na_gbit_s,3e9,5\na_gbit_s,4e9,6\na_gbit_s,6e9,7\na_gbit_s,7e9,8\na_gbit_s,7.3e9,9~rows=2000 5 0; 3000 5 0; 3000 6 0; 4000 6 0 | 5000 7 0; 6000 7 0; 6000 8 0; 7000 8 0; 7000 9 0; 7300 9 0~
	ddio~metric,time_ns,value,flags\na_gbit_s,1e9,5,\na_gbit_s,2e9,6,odd\nb_per_s,1e9,7,\nb_per_s,2e9,8,~rows=0 5 0; 1000 5 0; 1000 6 0; 2000 6 1 || 0 7 0; 1000 7 0; 1000 8 0; 2000 8 0~time (ms)^requests (1/s)^ringed: has flags
	link~device,parent,end,what,time_ns,old_value,new_value\nb,a,lower,gen,0,,4\nb,a,lower,lanes,0,,16\nb,a,lower,gen,1e9,4,1\na,,upper,cor.BadTLP,2e9,1,3\nb,a,lower,present,3e9,1,0\nb,a,lower,lanes,4e9,16,8~~b at a^2 errors, gone, gen4x16, gen1x16^1 of 1 with errors, 1 gone, in 4 s^gen 4^gone
	EOF
}

@test "bandwidths are in GB/s for those who ask" {
	local kind file n=0

	inputs
	while read -r kind file; do
		pcb-plot "$kind" -P -T html --bytes "$file" >script
		PCB_UNITS=bytes pcb-plot "$kind" -P -T html "$file" | cmp - script
		! grep -i 'gbit/s' script || show "$kind"
		if pcb-plot "$kind" -P -T html "$file" | grep -q 'Gbit/s'; then
			grep -q 'GB/s' script || show "$kind"
			n=$((n + 1))
		fi
	done < <(kinds)
	[ "$n" -ge 6 ]
	export PCB_UNITS=bytes
	kinds_say <<-'EOF'
	bw~size_bytes,median_gbit_s,model_gbit_s\n64,8,16\n128,12,16~rows=64 1; 128 1.5^bounds=64 2; 128 2~75 % of the limit^bandwidth (GB/s)
	inflight~interface,size_bytes,median_gbit_s,model_gbit_s\nsm/workers1,125,1,40\nsm/workers16,125,16,40\nsm/workers256,125,30,40~bounds=1 0.125; 40 5; 256 5~40 outstanding fill the link; 75 % reached^n * 125 B / 1 us, limit of the link
	ddio~metric,value\na_gbit_s,16~bars=0 2 1 0.3 1~a 2 GB/s^bandwidth (GB/s)
	EOF
}

@test "what the terminals show" {
	local kind file
	# Rows of a text have a line each, none of which is the axis.
	awk 'BEGIN { print "a,base_ns,other_ns,diff_ns"
		for (i = 1; i <= 20; i++) print "r" i ",5," 5 + i "," i }' >input
	pcb-plot change -T dumb input | gnuplot >drawn
	for i in {1..20}; do
		[ "$(grep -cE "^ a r$i .*\+$i ns" drawn)" = 1 ] || show "r$i"
	done
	try pcb-plot change -T dumb --geometry 79x20 input
	[ "$status" = 2 ]
	# Each panel has the name of its axis.
	awk 'BEGIN { print "part,metric,value"
		for (i = 1; i <= 9; i++) print i ",a_gbit_s,5\n" i ",b_per_s,7" }' >input
	pcb-plot ddio -T dumb input | gnuplot >drawn
	grep -q ' bandwidth (Gbit/s)' drawn
	# No lines are left for a key that is not there.
	tail -n 6 drawn | grep -q 'requests (1/s)'
	# Four panels of a matrix fit a terminal; no name is over another.
	awk 'BEGIN { print "bench,from,to,bandwidth_gbit_s"
		for (t = 0; t < 4; t++) for (i = 0; i < 4; i++) for (k = 0; k < 4; k++)
			print "test" t ",gpu" i ",gpu" k ",23" i k "." t }' >input
	for size in 80x24 120x40; do
		pcb-plot matrix -T dumb --geometry $size input | gnuplot >drawn
		[ "$(grep -cE '^ from gpu[0-3]( +23[0-9.]+){4} *$' drawn)" = 16 ] ||
			show "$(<drawn)"
		[ "$(grep -cE '^ +to: test[0-3] *$' drawn)" = 4 ]
		grep -qE '^( +gpu[0-3]){4} *$' drawn
	done
	# Without room for numbers, cells are tenths of the scale.
	awk 'BEGIN { print "from,to,bandwidth_gbit_s"
		for (i = 0; i < 30; i++) for (k = 0; k < 30; k++)
			print "g" i ",g" k "," 100 + k * 10 }' >many
	pcb-plot matrix -T dumb many | gnuplot >drawn
	grep -q '^0 to 9: from 100 Gbit/s to 390 Gbit/s' drawn
	[ "$(grep -E '^ +from g29 ' drawn | tr -d ' ')" = fromg2900011122233344455566677788899 ] ||
		show "$(<drawn)"
	# Neither do long names leave no room for cells.
	sed 's/gpu/a_device_with_a_name_that_takes_the_whole_line_of_a_terminal_/g' \
		input >long
	pcb-plot matrix -T dumb --geometry 79x30 long | gnuplot >drawn
	[ "$(grep -o '23[0-9][0-9]' drawn | wc -l)" = 64 ] || show "$(<drawn)"
	# What is beside a free place is whole: a name without a bar, a text
	# behind a short one.
	printf '%s\n' device,parent,link,best_link,bw_wr_gbit_s,name \
		'root,,,,,a root port with a name that takes more than half a line' \
		'a,root,gen3x16,,100,another name that is no bit shorter than that one' \
		b,root,gen3x4,gen3x16,5,short >input
	pcb-plot tree -T dumb --geometry 80x24 input | gnuplot >drawn
	grep -q '^ root, a root port with a name that takes more than half a line ' drawn
	grep -qE '^ +b gen3x4, short .* 5 Gbit/s, x4 of x16 *$' drawn || show "$(<drawn)"
	grep -qE '^ +a gen3x16.*\.\.\..* 100 Gbit/s *$' drawn
	# Of a text without room, the end goes.
	printf '%s\n' device,parent,parent_ns,latency_ns,serialization_ns \
		00:02.0,00:01.0,1,700000,1234 >input
	pcb-plot tree -T dumb --geometry 40x20 input | gnuplot >drawn
	grep -qE '^ +00:02.0 .*  [+]700 us *$' drawn || show "$(<drawn)"
	# A strip of a link consists of what it shows.
	printf '%s\n' device,parent,end,what,time_ns,old_value,new_value \
		b,a,lower,gen,0,,3 b,a,lower,lanes,0,,16 b,a,lower,asleep,5e9,0,1 \
		b,a,lower,present,8e9,1,0 b,a,lower,gen,9e9,3,3 >input
	pcb-plot link -T dumb input | gnuplot >drawn
	grep -qE '^ b at a \+3{10,}z{5,}\.{2,}' drawn
	# It has no holes, and all end together.
	awk 'BEGIN { print "device,parent,end,what,time_ns,old_value,new_value"
		for (i = 1; i < 9; i++) {
			print "b" i ",a" i ",lower,lanes,0,,16\nb" i ",a" i ",lower,gen,0,,4"
			for (t = 7; t < 60; t += 7)
				print "b" i ",a" i ",lower,gen," t + i "e9,," 1 + t % 2 * 3
		} }' >input
	pcb-plot link -T dumb input | gnuplot >drawn
	[ "$(sed -nE 's/^ b[1-8] at a[1-8] [+|]([14]+) +gen.*/\1/p' drawn |
		awk '{ print length }' | uniq -c | xargs)" = '8 44' ] || show "$(<drawn)"
	# Curves in a terminal with colours are lines.
	pcb-collect -q -d sim lat_rd -n 3000 --cache cold,host-warm >two
	sed 's/\(set terminal dumb.*\)/\1 ansi256/; s/colour = 0/colour = 1/' \
		<(pcb-plot cdf -T dumb two) | gnuplot | sed 's/\x1b\[[0-9;]*m//g' >drawn
	[ "$(grep -o '[*#$%-]' drawn | wc -l)" -gt 100 ]
	# A terminal has each colour, and shows it on black and on white.
	inputs
	while read -r kind file; do
		sed 's/\(set terminal dumb.*\)/\1 ansi256/; s/colour = 0/colour = 1/' \
			<(pcb-plot "$kind" -T dumb "$file" 2>said) | gnuplot >drawn
		grep -o '38;5;[0-9]*' drawn | sort -u | awk -F ';' \
			'$3 > 255 || $3 ~ /^(16|188|195|231|232)$/ { print; exit 1 }' || show "$kind"
		# Text has the terminal's own, which may be white.
		! head -n 1 drawn | grep '38;5;' || show "$kind"
	done < <(kinds)
	# Without colours, the legend shows the character of each curve, also of
	# those that have one name for all.
	seq 0 99 | awk 'BEGIN { print "c,latency_ns" } { print $1 % 10 "," $1 % 10 * 9 + $1 }' |
		pcb-plot cdf -T dumb | gnuplot >drawn
	grep -q '[*] c 0:' drawn
	grep -q '[+] 3 others' drawn
	[ "$(grep -c '[|].*[.+].*[.+]' drawn)" -gt 3 ] || show "$(<drawn)"
	pcb-plot cdf -T dumb two | gnuplot >drawn
	for name in cold host-warm; do
		sign=$(sed -n "s/.* \(.\) cache $name: .*/\1/p" drawn)
		[ "$(grep -oF "$sign" drawn | wc -l)" -gt 20 ] || show "$name"
	done
}

@test "samples: thinning, tails, large input" {
	awk 'BEGIN { srand(1); print "latency_ns"
		for (i = 0; i < 100000; i++) print 500 + int(rand() * 1000)
		print 900000 }' >input
	draws cdf input
	shows 'to the right of the axis: up to 0.1 %, at most 900 us'
	[ "$(block rows | wc -c)" -lt 60000 ]
	draws scatter input
	shows 'samples: one in each place' '1 of 100001 over 5 times that'
	# A ring around it.
	[ "$(grep -c "xlink:href='#gpPt5' transform" svg.drawn)" = 1 ]
	draws pct input
	shows 99.99
	# Neither do long chains take more than a moment.
	awk 'BEGIN { print "device,parent,bw_wr_gbit_s"
		for (i = 0; i < 12000; i++) print "d" i ",d" i - 1 "," 9 }' >input
	timeout 20 pcb-plot tree input >script
	[ "$(texts rowname | wc -l)" = 12000 ]
	# The title is about all samples, also those that are not drawn.
	awk 'BEGIN { print "a,latency_ns"
		for (i = 0; i < 3000; i++) print i % 3 "," (i % 3 ? 100 : 90000) + i % 7 }' >input
	pcb-plot scatter input >script
	grep -q "'Latency: median 105 ns; 1000 of 3000 over 5 times that'" script ||
		show "$(texts titles)"
	# Every sample of a few is drawn.
	printf 'latency_ns\n%s' '' >input
	seq 50 >>input
	pcb-plot scatter input >script
	[ "$(block rows | tr ';' '\n' | wc -l)" = 50 ]
}

@test "published results: their numbers" {
	published nfp6000-1.2GHz_hsw-Xeon-E5-2637v3_supermicro/lat_dma_sizes.csv
	draws lat published
	shows 'Latency: ' '(published)' 'writes and reads' median
	[[ $(block bands) == *'; 64 546.6666666666666 613.3333333333334'* ]]
	(cd "$TOP/experiments" &&
		pcb-diff --links miller/links.csv miller/minima.csv) >links
	draws tree links
	shows '+252 ns, 8.73 % wire' '+153 ns' 'this link and its completer'
}

@test "a text speaks of no band, frame or pale bar, and has shares" {
	local shown

	inputs
	printf '%s\n' metric,value,flags a_gbit_s,5,odd >flags
	while read -r shown; do
		# shellcheck disable=SC2086
		draws ${shown%%: *}
		grep -q "${shown#*: }" svg.drawn || show "$shown"
		[[ $drawn != *"${shown#*: }"* ]] || show "not $shown"
	done <<-'EOF'
	lat sizes: band from p5
	ddio flags: pale
	matrix cells: framed
	EOF
	shows '87.2 %' 'share of the bound'
	# Of 16 devices, the shares have no room, nor the number of one to itself.
	awk 'BEGIN {
		print "from,to,bandwidth_gbit_s,model_gbit_s,model_ratio_pct"
		for (i = 0; i < 256; i++)
			print int(i / 16) "," i % 16 "," (i % 17 ? "400,440,90.9" : "4000,,")
	}' >many
	draws matrix many
	[ "$(grep -c '<text>400</text>' svg.drawn)" -ge 240 ]
	run ! grep -q 'share of the bound' svg.drawn
}

@test "what is refused" {
	refuses 'nic,median_ns\na,1\n' \
		"standard input: no column 'host': there are nic, median_ns" fleet
	wrong "--tolerance 'x': not a percentage such as 50, 99.9 or 3%" fleet --tolerance x
	wrong '--tolerance is for fleet, not for lat' lat --tolerance 3
	wrong '--x window_bytes: for lat size_bytes or idle_us' lat --x window_bytes
	refuses 'a,b,c,d,median_ns\nx,1,x,1,1\ny,2,y,2,2\n' \
		'a map has two axes and panels, and 4 columns vary: a, b, c, d; pcb-stats -g leaves columns out' \
		heat
	refuses 'size_bytes,bandwidth_gbit_s\n64,1\n' \
		"standard input: no column 'model_ratio_pct', which pcb-model --join writes: there are size_bytes, bandwidth_gbit_s" \
		share
	refuses 'size_bytes,bandwidth_gbit_s\n64,1\n' \
		"standard input: no column 'from': there are size_bytes, bandwidth_gbit_s" \
		matrix
	refuses 'device,peer,bandwidth_gbit_s\na,,1\n' \
		'standard input: no row has both ends, such as device and peer' matrix
	refuses 'frame_bytes,bandwidth_gbit_s,ethernet_gbit_s\n64,1,y\n' \
		"standard input:2: ethernet_gbit_s: 'y': not a number" nic
	refuses 'base_ns,base_gbit_s,other_ns,other_gbit_s\n1,,1,\n,1,,1\n' \
		"standard input:3: other_gbit_s: a plot shows one unit, and other_ns came first" \
		change
	refuses 'latency_ns,count\n1,2\n2,3\n' \
		'standard input:2: count: a histogram has no order; --x names another column' \
		scatter
}
