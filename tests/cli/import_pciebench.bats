#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# pcb-import pciebench: its files, and the published ones.

load helpers

tests pcb-import

setup() {
	cd "$BATS_TEST_TMPDIR" || exit
	made=$TOP/tests/data/import
	system=$made/nfp6000-1.2GHz_snb-Made-up-s0-s1-s1-iommu-nosp
}

# gives_link WANTED MESSAGE CHANGES [OPTION...]: the link of results with the
# made-up listing, after sed has made these changes to it.
gives_link() {
	local dir=nfp6000-1.2GHz_h link

	sed -e "$3" "$made/sys-lspci.txt" >$dir/sys-lspci.txt
	try pcb-import pciebench -P "${@:4}" $dir/bw.csv
	link=$(cut -d , -f 6 <<<"${lines[1]}")
	[ "$status" = 0 ] && [ "$link" = "$1" ] && [ "$stderr" = "$2" ] &&
		return
	echo "changes: $3"
	echo "wanted: $1 $2"
	echo "got (status $status): $link $stderr"
	return 1
}

identity=host,run,kind,bench,device,link,interface,size_bytes,offset_bytes
identity+=,device_offset_bytes,window_bytes,pattern,cache,node,iommu,page_bytes

latency='Test,PAT,Cache,HO,DO,WinSZ,SZ,TAvg,Avg,Med,Min,Max,95%%,99.9%%,'
latency+='TAvg(ns),Avg(ns),Med(ns),Min(ns),Max(ns),95%%(ns),99.9%%(ns),'
latency+='#outliers,#samples\n'
bandwidth='Test,PAT,Cache,HO,DO,WinSZ,SZ,Time(cyc),Time,Bytes,Trans,'
bandwidth+='BW (GB/s),Trans/s\n'

# summary N [BINS]: a summary whose samples are of 12, 24 and 36 cycles.
summary() {
	printf %s "${latency}LAT_DMA_RD,Rand,Cold,0,0,8192,64,60,${2:-24,24,12,36,36,36},50,${3:-20,20,10,30,30,30},0,$1\n"
}

@test "pciebench: a summary has a row for each of its tests" {
	local common=snb-Made-up,1,published

	try pcb-import pciebench -P "$system/lat_details.csv"
	is 0 "$identity,n,min_ns,mean_ns,median_ns,p95_ns,p99_9_ns,max_ns
$common,lat_rd,nfp6000,,engine,64,0,0,1572864,random,thrashed,1,on-nosp,,1000,586.6666666666666,611.4133333333333,600,626.6666666666666,630.1999999999165,4160
$common,lat_rd,nfp6000,,engine,64,0,0,1572864,random,host-warm,1,on-nosp,,1000,520,534.64,533.3333333333334,546.6666666666666,546.6666666666666,546.6666666666666
$common,lat_wrrd,nfp6000,,command,8,4,0,4096,sequential,device-thrashed,1,on-nosp,,7,493.3333333333333,504.76190476190476,506.6666666666667,516,519.92,520
$common,lat_wrrd,nfp6000,,command,8,0,4,4096,sequential,device-warm,1,on-nosp,,7,493.3333333333333,493.3333333333333,493.3333333333333,493.3333333333333,493.3333333333333,493.3333333333333" ""
	try pcb-import pciebench "$system/lat_details.csv"
	grep -x '# clock_tick_ns: 13.333333333333334' <<<"$output"
}

@test "pciebench: bandwidths are of whole bytes and ns" {
	local common=snb-Made-up,1,published

	try pcb-import pciebench -P "$system/bw_sz_sweep.csv"
	is 0 "$identity,transfers,transferred_bytes,elapsed_ns,bandwidth_gbit_s
$common,bw_rd,nfp6000,,engine,64,0,0,8192,random,host-warm,1,on-nosp,,500,32000,13333.333333333334,19.2
$common,bw_wr,nfp6000,,engine,256,1,0,8192,sequential,thrashed,1,on-nosp,,1000,256000,53333.333333333336,38.4
$common,bw_rdwr,nfp6000,,engine,63,0,63,8192,random,host-warm,1,on-nosp,,250,15750,5833.333333333333,21.6" ""
}

# Compares the statistics of CDF $1 with its summary: most must be equal, mean
# and p99.9 to 1e-6 cycles. Prints how many rows agree.
compare_cdf() {
	pcb-import pciebench -P "$1" | pcb-stats -P -p 95,99.9 |
		cut -d , -f 1-23 >from_cdf
	pcb-import pciebench -P "${1%_cdf.csv}.csv" >published
	paste -d , from_cdf published | awk -F, '
	function near(a, b, d) {
		d = a > b ? a - b : b - a
		return d <= 1e-6 / 1.2
	}
	{
		for (i = 1; i <= 23; i++) {
			if (NR > 1 && (i == 19 || i == 22) &&
			    near($i, $(23 + i)))
				continue
			if ($i != $(23 + i)) {
				print "row " NR ": " $i " is not " $(23 + i)
				exit 1
			}
		}
	}
	END { print NR - 1 }'
}

@test "pciebench: a CDF gives the histogram back" {
	[ "$(compare_cdf "$system/lat_details_cdf.csv")" = 4 ]
	runs pcb-import pciebench -P \
		"$system/lat_details_cdf.csv"
	[ "$stderr" = "" ]
	[ "${lines[0]}" = "$identity,latency_ns,count" ]
	[ "$(tail -n +2 <<<"$output" | cut -d , -f 17,18)" = \
"586.6666666666666,3
600,500
613.3333333333334,400
626.6666666666666,96
4160,1
520,1
533.3333333333334,900
546.6666666666666,99
493.3333333333333,2
506.6666666666667,4
520,1
493.3333333333333,7" ]
	# On stdin the summary must be named; no directory has the system.
	runs pcb-import pciebench -P -l host=h - \
		--details "$system/lat_details.csv" <"$system/lat_details_cdf.csv"
	[ "$stderr" = "" ]
	[ "${#lines[@]}" = 13 ]
	[ "${lines[1]}" = "h,1,published,lat_rd,,,engine,64,0,0,1572864,random,thrashed,,,,586.6666666666666,3" ]
}

@test "pciebench: a CDF that gives no exact histogram is refused" {
	cdf() {
		local bins=$1 rows=$2
		shift 2
		printf "$rows" >x.csv
		refuses "cycles,ns,cdf\n$bins" "$@" pciebench --details x.csv
	}
	local good='12,10,0\n12,10,.25\n24,20,.75\n36,30,1\n'

	printf "$(summary 4)" >x.csv
	gives "cycles,ns,cdf\n$good" "$identity,latency_ns,count
,1,published,lat_rd,,,engine,64,0,0,8192,random,thrashed,,,,10,1
,1,published,lat_rd,,,engine,64,0,0,8192,random,thrashed,,,,20,2
,1,published,lat_rd,,,engine,64,0,0,8192,random,thrashed,,,,30,1" \
		pciebench --details x.csv
	cdf "$good" "$(summary 3)" \
		"standard input:3: cdf: '.25': times the number of samples is not a whole number"
	cdf '12,10,0\n12,10,.25\n24,20,.25\n' "$(summary 4)" \
		"standard input:4: cdf: '.25': not above the one before"
	cdf '12,10,0\n12,10,.25\n12,10,1\n' "$(summary 4)" \
		"standard input:4: cycles: '12': not above the one before"
	cdf '12,10,0\n12,10,.5\n36,30,1.5\n' "$(summary 4)" \
		"standard input:4: cdf: '1.5': not from 0 to 1"
	cdf '12,10,0\n12,10,-.5\n' "$(summary 4)" "standard input:3: cdf: '-.5': not from 0 to 1"
	cdf '12,10,.25\n24,20,1\n' "$(summary 4)" \
		"standard input:2: cdf: '.25': a section begins with 0"
	cdf '12,10,0\n24,20,1\n' "$(summary 4)" \
		'standard input:3: a section begins with its first bin twice'
	cdf '12,10,0\n' "$(summary 4)" \
		'standard input:3: a section begins with its first bin twice'
	cdf '12,10,0\n12,10,.5\n' "$(summary 4)" \
		'standard input:4: the section before ends below 1'
	cdf '24,20,0\n24,20,.5\n36,30,1\n' "$(summary 4)" \
		'standard input:5: the section before has Min 24, but x.csv:2 says 12'
	cdf '12,10,0\n12,10,.5\n24,20,1\n' "$(summary 4)" \
		'standard input:5: the section before has Max 24, but x.csv:2 says 36'
	cdf "$good$good" "$(summary 4)" 'x.csv: fewer rows than standard input has sections'
	cdf "$good" "$(summary 4)$(summary 4 | sed 's/.*samples.n//')" \
		'x.csv: more rows than standard input has sections'
	cdf "$good" 'cycles,ns,cdf\n1,1,1\n' 'x.csv: not a summary of latencies'
	cdf '13,10,0\n13,10,1\n' "$(summary 4)" \
		"standard input:3: ns: '10': not the time of these cycles at 1.2 GHz"

	printf "cycles,ns,cdf\n$good" >a_cdf.csv
	refuses '' 'a_cdf.csv: its summary a.csv: No' pciebench a_cdf.csv
	refuses "cycles,ns,cdf\n$good" 'standard input: a CDF does not name its conditions: name its summary with --details' \
		pciebench
	cp a_cdf.csv a_cdf.old.csv
	refuses '' 'a_cdf.old.csv: a CDF does not name its conditions: name its summary with --details' \
		pciebench a_cdf.old.csv
}

@test "pciebench: bad rows are refused" {
	local row=LAT_CMD_RD,Rand,Cold,0,0,8192,64,60
	local good=24,24,12,36,36,36,50,20,20,10,30,30,30,0,4

	gives "$latency$row,$good\n" "$identity,n,min_ns,mean_ns,median_ns,p95_ns,p99_9_ns,max_ns
,1,published,lat_rd,,,command,64,0,0,8192,random,thrashed,,,,4,10,20,20,30,30,30" \
		pciebench
	refuses "$latency${row/CMD/XYZ},$good" "standard input:2: Test: 'LAT_XYZ_RD': unknown" \
		pciebench
	refuses "$latency${row/Rand/x},$good" "standard input:2: PAT: 'x': unknown" pciebench
	refuses "$latency${row/Cold/x},$good" "standard input:2: Cache: 'x': unknown" \
		pciebench
	refuses "$latency${row/8192/8192.5},$good" \
		"standard input:2: WinSZ: '8192.5': not a whole" pciebench
	refuses "$latency${row/64/-64},$good" \
		"standard input:2: SZ: '-64': not a whole number from 0 to 2^53" pciebench
	refuses "$latency$row,${good/20,20/20,21}" \
		"standard input:2: Med(ns): '21': not the time of" pciebench
	refuses "$latency$row,${good/24,24/24,-24}" \
		"standard input:2: Med: '-24': less than 0" pciebench
	refuses "$latency$row,${good/24,24/x,24}" "standard input:2: Avg: 'x': not a number" \
		pciebench
	refuses "$latency$row,24" 'standard input:2: 9 fields where the header has 23' \
		pciebench
	row=BW_DMA_RD,Rand,Cold,0,0,8192,64
	refuses "$bandwidth$row,1200,1000,6400,100,6.4,1" \
		"standard input:2: BW (GB/s): '6.4': not Gbit/s, 8 * Bytes / Time" pciebench
	refuses "$bandwidth$row,0,0,6400,100,6.4,1" \
		"standard input:2: Time(cyc): '0': the time is 0" pciebench
	refuses 'Test,Avg,#samples\nLAT_CMD_RD,1,1\n' "standard input: no column 'HO': there are Test, Avg, #samples" \
		pciebench
	refuses 'a,b\n1,2\n' "standard input: no header of pcie-bench's latency, bandwidth or CDF files" \
		pciebench
	refuses '#  cycles   ns\n#test=x\n  752  627\n  768  640\n' \
		'standard input: columns of text, as in the .dat' pciebench
	refuses '' 'no input (did the program before it fail?)' pciebench
	refuses '' 'none.csv: No such file or directory' pciebench none.csv
}

@test "pciebench: files of one kind and of several are one table" {
	mkdir -p c-1.2GHz_h
	printf "$(summary 4)" >c-1.2GHz_h/a.csv
	printf "${bandwidth}BW_DMA_RD,Rand,Cold,0,0,8192,64,1200,1000,6400,100,51.2,1\n" \
		>b.csv
	try pcb-import pciebench -P c-1.2GHz_h/a.csv b.csv
	is 0 "$identity,n,min_ns,mean_ns,median_ns,p95_ns,p99_9_ns,max_ns,transfers,transferred_bytes,elapsed_ns,bandwidth_gbit_s
h,1,published,lat_rd,c,,engine,64,0,0,8192,random,thrashed,,off,,4,10,20,20,30,30,30,,,,
,1,published,bw_rd,,,engine,64,0,0,8192,random,thrashed,,,,,,,,,,,100,6400,1000,51.2" ""
	# Finds the system from inside its directory, too.
	[ "$(cd c-1.2GHz_h && pcb-import pciebench -P a.csv | tail -n 1)" = \
		"${lines[1]%,,,,}" ]
	# An error in the last file leaves stdout empty.
	printf '\nx' >>b.csv
	try pcb-import pciebench c-1.2GHz_h/a.csv b.csv
	[ "$status" = 2 ]
	[ "$output" = "" ]
	# A header alone gives a header.
	given "$bandwidth" pciebench -P
	is 0 "$identity,transfers,transferred_bytes,elapsed_ns,bandwidth_gbit_s" "pcb-import: standard input: a header, but no rows"
}

@test "pciebench: labels win, and new ones are columns" {
	runs pcb-import pciebench -P "$system/bw_sz_sweep.csv" \
		-l link=gen3x8/mps256/mrrs512/rcb64 -l bios=2.1 -l host=x -l host=y
	[ "$stderr" = "" ]
	[ "${lines[0]}" = "$identity,bios,transfers,transferred_bytes,elapsed_ns,bandwidth_gbit_s" ]
	[ "${lines[1]}" = "y,1,published,bw_rd,nfp6000,gen3x8/mps256/mrrs512/rcb64,engine,64,0,0,8192,random,host-warm,1,on-nosp,,2.1,500,32000,13333.333333333334,19.2" ]
}

@test "pciebench: the link from a listing of lspci" {
	local rest=mps128/mrrs1024/rcb128 card='/^01/,/^$/' changes
	local aer='\t\tAERCap:\tGenCap+ CGenEn+ ChkCap+'
	local file=$PWD/nfp6000-1.2GHz_h/sys-lspci.txt
	local warning="pcb-import: $file: functions of the card's vendor have "
	warning+='different links: the column link is left empty'

	mkdir nfp6000-1.2GHz_h other-1.2GHz_h
	cp "$system/bw_sz_sweep.csv" nfp6000-1.2GHz_h/bw.csv
	gives_link gen2x4/$rest '' ''
	gives_link gen2x4/$rest '' 's/^01/0000:01/'
	# Lines may end after a value, also with CR as on Windows.
	gives_link gen2x4/$rest '' "$card s/\(MaxReadReq.*\|Width x4\).*/\1\r/"
	gives_link gen2x4/$rest/ecrc-up '' "$card s/GenEn-/GenEn+/"
	gives_link gen2x4/$rest/ecrc-up '' "$card s/ECRCGenEn-/CGenEn+/"
	# Completions are the root port's, through any number of bridges.
	changes="$card s/GenEn-/GenEn+/; s/^.*Speed 16.*/&\n$aer/"
	gives_link gen2x4/$rest/ecrc '' "$changes"
	gives_link gen2x4/$rest/ecrc '' "$changes; s/^0[0-2]:/0001:&/"
	gives_link gen2x4/$rest/ecrc-up '' "$changes; s/^01/0001:01/"
	changes+='; s/^01/05/; s/secondary=01, subordinate=01/secondary=04, subordinate=04/'
	gives_link gen2x4/$rest/ecrc-up '' "$changes"
	aer='04:00.0 PCI bridge\n\tBus: primary=04, secondary=05, subordinate=05\n'
	changes=${changes/subordinate=04/subordinate=05}
	gives_link gen2x4/$rest/ecrc '' "$changes; s/^05/${aer}05/"
	gives_link gen1x4/$rest '' "$card s/5GT/2.5GT/"
	gives_link gen5x4/$rest '' "$card s/5GT/32GT/"
	gives_link gen6x4/$rest/flit '' "$card s/5GT/64GT/"
	# No card, or an incomplete link.
	for changes in '/LnkSta:/d' "$card s/MaxPay/Pay/" "$card s/MaxRead/R/" \
		"$card s/RCB 128/RCB 32/" "$card s/x4 /x0 /" \
		"$card s/x4 /x4294967300 /" "$card s/5GT/unknown/" \
		"$card s/5GT/9GT/" 's/: Netronome/: Vendor/' d; do
		gives_link '' '' "$changes"
	done
	# Two cards, equal and different; with -l they are not examined.
	sed -n '/^01/,/^$/p' "$made/sys-lspci.txt" >again
	gives_link gen2x4/$rest '' '$ r again'
	changes='s/^02.*/02:00.0 Ethernet controller: Netronome Systems, Inc./'
	gives_link '' "$warning" "$changes"
	gives_link gen1x1/$rest '' "$changes" -l link=gen1x1/$rest
	# Of two different cards, the one with the card's number counts.
	gives_link gen2x4/$rest '' "s/Made-up card/Device 6000/; $changes"
	gives_link gen5x2/mps256/mrrs512/rcb64/ecrc-up '' \
		"${changes%/} Device 6000/"
	# 32-bit addresses only if the whole buffer has them.
	echo 0xffc00000 >nfp6000-1.2GHz_h/sys-dma-addrs.txt
	gives_link gen2x4/$rest/a32 '' ''
	echo 0x100000000 >>nfp6000-1.2GHz_h/sys-dma-addrs.txt
	gives_link gen2x4/$rest '' ''
	rm nfp6000-1.2GHz_h/sys-dma-addrs.txt
	# A card of an unknown vendor, and no listing at all.
	cp nfp6000-1.2GHz_h/* other-1.2GHz_h
	rm "$file"
	runs pcb-import pciebench -P other-1.2GHz_h/bw.csv \
		nfp6000-1.2GHz_h/bw.csv
	[ "$stderr" = "" ]
	[ "$(cut -d , -f 6 <<<"$output" | sort -u)" = $'\nlink' ]
	mkdir "$file"
	try pcb-import pciebench -P nfp6000-1.2GHz_h/bw.csv
	is 2 "" "pcb-import: $file: Is a directory"
}

@test "the links of the published systems" {
	needs_data
	local name file

	for file in "$data"/pciebench/nfp*/bw_dma_sz_sweep.csv; do
		name=${file%/*}
		echo "${name##*GHz_} $(pcb-import pciebench -P "$file" |
			cut -d , -f 6 | sed 1d | sort -u)"
	done | LC_ALL=C sort >links
	diff - links <<-'END'
	bdw-Xeon-E5-2630v4-dell-t430-s0-s0-s0 gen3x8/mps256/mrrs4096/rcb64/ecrc
	bdw-Xeon-E5-2630v4-dell-t430-s0-s0-s0-iommu-nosp gen3x8/mps256/mrrs4096/rcb64/a32/ecrc
	bdw-Xeon-E5-2630v4-dell-t430-s0-s1-s1 gen3x8/mps256/mrrs4096/rcb64/ecrc
	hsw-Xeon-E3-1226v3_fujitsu-tx1310 gen3x8/mps128/mrrs512/rcb64
	hsw-Xeon-E5-2620v3_dell-t630 gen3x8/mps256/mrrs512/rcb64/ecrc-up
	hsw-Xeon-E5-2637v3_supermicro gen3x8/mps256/mrrs512/rcb64
	ib-Xeon-E5-2620v2_dell-t620-s0-s0-s0 gen3x8/mps256/mrrs512/rcb64
	ib-Xeon-E5-2620v2_dell-t620-s0-s0-s0-iommu-nosp gen3x8/mps256/mrrs512/rcb64/a32
	snb-Xeon-E5-2630_dell-t620 gen3x8/mps256/mrrs512/rcb64
	snb-Xeon-E5-2630_dell-t620-iommu gen3x8/mps256/mrrs512/rcb64/a32
	END
}

@test "published CDFs give the published statistics" {
	needs_data
	local sections=0 rows

	for cdf in "$data"/pciebench/nfp*/*_cdf.csv; do
		rows=$(compare_cdf "$cdf") || { echo "$cdf: $rows"; return 1; }
		sections=$((sections + rows))
	done
	[ "$sections" = 224 ]
}

@test "--outliers counts what the published summaries count" {
	needs_data
	local cdf rows=0

	for cdf in "$data"/pciebench/nfp*/*_cdf.csv; do
		pcb-import pciebench -P "$cdf" |
			pcb-stats -P -p 95 --outliers 3 |
			sed 1d | awk -F, '{ print $(NF - 1) }' >ours
		sed 1d "${cdf%_cdf.csv}.csv" | awk -F, '{ print $(NF - 1) }' |
			diff ours - || show "$cdf"
		rows=$((rows + $(wc -l <ours)))
	done
	[ "$rows" = 224 ]
}

@test "every published row keeps the identities" {
	needs_data
	local rows=0

	for file in "$data"/pciebench/nfp*/*.csv; do
		[[ $file != *_cdf.csv ]] || continue
		pcb-import pciebench -P "$file" >rows
		# Without "Trans/s" a bandwidth row has 12 columns, else 23.
		paste -d , rows "$file" | tail -n +2 | awk -F, -v file="$file" '
		function near(a, b) {
			d = a > b ? a - b : b - a
			if (d > 4e-16 * b) {
				print file ":" NR + 1 ": " a " is not " b
				exit bad = 1
			}
		}
		function ordered(a, b) {
			if (a + 0 > b + 0) {
				print file ":" NR + 1 ": " a " is over " b
				exit bad = 1
			}
		}
		$3 != "published" || $2 != 1 || $8 $9 $10 == "" { exit bad = 1 }
		$4 ~ /^bw/ {
			near($17, $(20 + 11)); near($18, $(20 + 10))
			near($18, $17 * $8)
			near($19, $(20 + 8) / 1.2); near($19, $(20 + 9))
			near($20, 8 * $18 / $19); near($20, $(20 + 12))
			next
		}
		{
			near($17, $(23 + 23))
			split("18 19 20 21 22 23", ours, " ")
			split("11 9 10 13 14 12", theirs, " ")
			for (i = 1; i <= 6; i++) {
				near($ours[i], $(23 + theirs[i]) / 1.2)
				near($ours[i], $(23 + 7 + theirs[i]))
			}
			ordered($18, $20); ordered($20, $21)
			ordered($21, $22); ordered($22, $23)
			ordered($18, $19); ordered($19, $23)
		}
		END { exit bad }'
		rows=$((rows + $(tail -n +2 rows | wc -l)))
	done
	[ "$rows" = "$(cat "$data"/pciebench/nfp*/*.csv |
		grep -c '^[LB][AW]')" ]
	[ "$rows" -gt 3000 ]
}
