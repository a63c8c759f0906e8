#!/usr/bin/env bats
# Formats of printf are arguments here, and bats sets $stderr.
# shellcheck disable=SC2059,SC2154

load helpers

tests pcb-import

setup() {
	cd "$BATS_TEST_TMPDIR" || exit
	made=$TOP/tests/data/import
	system=$made/nfp6000-1.2GHz_snb-Made-up-s0-s1-s1-iommu-nosp
}

# gives_link WANTED MESSAGE CHANGES [OPTION...]: the link of results beside the
# made-up listing, after sed has made these changes to it.
gives_link() {
	local dir=nfp6000-1.2GHz_h link

	sed -e "$3" "$made/sys-lspci.txt" >$dir/sys-lspci.txt
	run --separate-stderr pcb-import pciebench -P "${@:4}" $dir/bw.csv
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

# A summary whose samples are of 12, 24 and 36 cycles: summary N [BINS].
summary() {
	printf %s "${latency}LAT_DMA_RD,Rand,Cold,0,0,8192,64,60,${2:-24,24,12,36,36,36},50,${3:-20,20,10,30,30,30},0,$1\n"
}

@test "help and version go to stdout" {
	helps 'FORMAT [options] [FILE...]' -h
	helps 'FORMAT [options] [FILE...]' --help
	helps 'FORMAT [options] [FILE...]' csv -h
	tells_version
}

@test "wrong options are refused, with a pointer to the help" {
	wrong 'name a format'
	wrong 'xls: no such format' xls
	wrong "-f 'x': not csv, table or jsonl" csv -f x
	wrong '-l x: NAME=VALUE' csv -l x
	wrong "-l n=1: 'n' is the name of a measure" csv -l n=1
	wrong '-l kind=x: a kind is measured, virtual, simulated or published' \
		csv -l kind=x
	wrong '--details has no meaning for csv' csv --details x
	wrong '--details is for one FILE at a time' pciebench --details x y z
	wrong '--map has no meaning for nettlp' nettlp --map a=b
	wrong '--scale has no meaning for pciebench' pciebench --scale a=1
	wrong "--map: 'a' is not NAME=VALUE" csv --map a
	wrong "--map: '=b' is not NAME=VALUE" csv --map =b
	wrong "--map: 'a' is there twice" csv --map a=b --map c=d,a=e
	wrong "--map a=B: 'B': a name is lower-case letters, digits and _" \
		csv --map a=B
	wrong "--scale a=x: 'x': not a number" csv --scale a=x
	wrong "--scale a=: '': empty" csv --scale a=
	run --separate-stderr pcb-import --nonsense
	[ "$status" = 2 ]
	[ "$output" = "" ]
}

@test "pciebench: a summary of latencies" {
	local common=snb-Made-up,1,published

	run --separate-stderr pcb-import pciebench -P "$system/lat_details.csv"
	[ "$status" = 0 ]
	[ "$stderr" = "" ]
	[ "$output" = "$identity,n,min_ns,mean_ns,median_ns,p95_ns,p99_9_ns,max_ns
$common,lat_rd,nfp6000,,engine,64,0,0,1572864,random,thrashed,1,on-nosp,,1000,586.6666666666666,611.4133333333333,600,626.6666666666666,630.1999999999165,4160
$common,lat_rd,nfp6000,,engine,64,0,0,1572864,random,host-warm,1,on-nosp,,1000,520,534.64,533.3333333333334,546.6666666666666,546.6666666666666,546.6666666666666
$common,lat_wrrd,nfp6000,,command,8,4,0,4096,sequential,device-thrashed,1,on-nosp,,7,493.3333333333333,504.76190476190476,506.6666666666667,516,519.92,520
$common,lat_wrrd,nfp6000,,command,8,0,4,4096,sequential,device-warm,1,on-nosp,,7,493.3333333333333,493.3333333333333,493.3333333333333,493.3333333333333,493.3333333333333,493.3333333333333" ]
}

@test "pciebench: bandwidths" {
	local common=snb-Made-up,1,published

	run --separate-stderr pcb-import pciebench -P "$system/bw_sz_sweep.csv"
	[ "$status" = 0 ]
	[ "$stderr" = "" ]
	[ "$output" = "$identity,transfers,transferred_bytes,elapsed_ns,bandwidth_gbit_s
$common,bw_rd,nfp6000,,engine,64,0,0,8192,random,host-warm,1,on-nosp,,500,32000,13333.333333333334,19.2
$common,bw_wr,nfp6000,,engine,256,1,0,8192,sequential,thrashed,1,on-nosp,,1000,256000,53333.333333333336,38.4
$common,bw_rdwr,nfp6000,,engine,63,0,63,8192,random,host-warm,1,on-nosp,,250,15750,5833.333333333333,21.6" ]
}

# Compares the statistics of CDF $1 with its summary: what must be equal, and
# mean and p99.9 to 1e-6 cycles. Prints how many rows agree.
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
	run --separate-stderr pcb-import pciebench -P \
		"$system/lat_details_cdf.csv"
	[ "$status" = 0 ]
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
	# From stdin the summary must be named; no directory says the system.
	run --separate-stderr pcb-import pciebench -P -l host=h - \
		--details "$system/lat_details.csv" <"$system/lat_details_cdf.csv"
	[ "$status" = 0 ]
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
		"-:3: cdf: '.25': times the number of samples is no whole number"
	cdf '12,10,0\n12,10,.25\n24,20,.25\n' "$(summary 4)" \
		"-:4: cdf: '.25': no more than before"
	cdf '12,10,0\n12,10,.25\n12,10,1\n' "$(summary 4)" \
		"-:4: cycles: '12': no more than before"
	cdf '12,10,0\n12,10,.5\n36,30,1.5\n' "$(summary 4)" \
		"-:4: cdf: '1.5': not from 0 to 1"
	cdf '12,10,0\n12,10,-.5\n' "$(summary 4)" "-:3: cdf: '-.5': not from 0 to 1"
	cdf '12,10,.25\n24,20,1\n' "$(summary 4)" \
		"-:2: cdf: '.25': a section begins with 0"
	cdf '12,10,0\n24,20,1\n' "$(summary 4)" \
		'-:3: a section begins with its first bin twice'
	cdf '12,10,0\n' "$(summary 4)" \
		'-:3: a section begins with its first bin twice'
	cdf '12,10,0\n12,10,.5\n' "$(summary 4)" \
		'-:4: the section before ends below 1'
	cdf '24,20,0\n24,20,.5\n36,30,1\n' "$(summary 4)" \
		'-:5: the section before has Min 24, but x.csv:2 says 12'
	cdf '12,10,0\n12,10,.5\n24,20,1\n' "$(summary 4)" \
		'-:5: the section before has Max 24, but x.csv:2 says 36'
	cdf "$good$good" "$(summary 4)" 'x.csv: fewer rows than - has sections'
	cdf "$good" "$(summary 4)$(summary 4 | sed 's/.*samples.n//')" \
		'x.csv: more rows than - has sections'
	cdf "$good" 'cycles,ns,cdf\n1,1,1\n' 'x.csv: not a summary of latencies'
	cdf '13,10,0\n13,10,1\n' "$(summary 4)" \
		"-:3: ns: '10': not the time of so many cycles at 1.2 GHz"

	printf "cycles,ns,cdf\n$good" >a_cdf.csv
	refuses '' 'a_cdf.csv: its summary a.csv: No such file or directory' \
		pciebench a_cdf.csv
	refuses "cycles,ns,cdf\n$good" '-: a CDF does not say what it is of: name its summary with --details' \
		pciebench
}

@test "pciebench: bad rows are refused" {
	local row=LAT_CMD_RD,Rand,Cold,0,0,8192,64,60
	local good=24,24,12,36,36,36,50,20,20,10,30,30,30,0,4

	gives "$latency$row,$good" "$identity,n,min_ns,mean_ns,median_ns,p95_ns,p99_9_ns,max_ns
,1,published,lat_rd,,,command,64,0,0,8192,random,thrashed,,,,4,10,20,20,30,30,30" \
		pciebench
	refuses "$latency${row/CMD/XYZ},$good" "-:2: Test: 'LAT_XYZ_RD': unknown" \
		pciebench
	refuses "$latency${row/Rand/x},$good" "-:2: PAT: 'x': unknown" pciebench
	refuses "$latency${row/Cold/x},$good" "-:2: Cache: 'x': unknown" \
		pciebench
	refuses "$latency${row/8192/8192.5},$good" \
		"-:2: WinSZ: '8192.5': not a whole number from 0 to 2^53" \
		pciebench
	refuses "$latency${row/64/-64},$good" \
		"-:2: SZ: '-64': not a whole number from 0 to 2^53" pciebench
	refuses "$latency$row,${good/20,20/20,21}" \
		"-:2: Med(ns): '21': not the time of so many cycles at 1.2 GHz" \
		pciebench
	refuses "$latency$row,${good/24,24/x,24}" "-:2: Avg: 'x': not a number" \
		pciebench
	refuses "$latency$row,24" '-:2: 9 fields where the header has 23' \
		pciebench
	row=BW_DMA_RD,Rand,Cold,0,0,8192,64
	refuses "$bandwidth$row,1200,1000,6400,100,6.4,1" \
		"-:2: BW (GB/s): '6.4': not Gbit/s, 8 * Bytes / Time" pciebench
	refuses "$bandwidth$row,0,0,6400,100,6.4,1" \
		"-:2: Time(cyc): '0': no time at all" pciebench
	refuses 'Test,Avg,#samples\nLAT_CMD_RD,1,1\n' "-: no column 'HO': there are Test, Avg, #samples" \
		pciebench
	refuses 'a,b\n1,2\n' "-: no header of pcie-bench's latency, bandwidth or CDF files" \
		pciebench
	refuses '#  cycles   ns\n#test=x\n  752  627\n  768  640\n' \
		'-: columns of text, as in the .dat and .txt files of pcie-bench: take the .csv of the same name' \
		pciebench
	refuses '' '-: empty: not even a header row' pciebench
	refuses '' 'none.csv: No such file or directory' pciebench none.csv
}

@test "files of one kind and of several" {
	mkdir -p c-1.2GHz_h
	printf "$(summary 4)" >c-1.2GHz_h/a.csv
	printf "${bandwidth}BW_DMA_RD,Rand,Cold,0,0,8192,64,1200,1000,6400,100,51.2,1" \
		>b.csv
	run --separate-stderr pcb-import pciebench -P c-1.2GHz_h/a.csv b.csv
	[ "$status" = 0 ]
	[ "$stderr" = "" ]
	[ "$output" = "$identity,n,min_ns,mean_ns,median_ns,p95_ns,p99_9_ns,max_ns,transfers,transferred_bytes,elapsed_ns,bandwidth_gbit_s
h,1,published,lat_rd,c,,engine,64,0,0,8192,random,thrashed,,off,,4,10,20,20,30,30,30,,,,
,1,published,bw_rd,,,engine,64,0,0,8192,random,thrashed,,,,,,,,,,,100,6400,1000,51.2" ]
	# The system is found from inside its directory, too.
	[ "$(cd c-1.2GHz_h && pcb-import pciebench -P a.csv | tail -n 1)" = \
		"${lines[1]%,,,,}" ]
	# An error in the last of them leaves stdout empty.
	printf '\nx' >>b.csv
	run --separate-stderr pcb-import pciebench c-1.2GHz_h/a.csv b.csv
	[ "$status" = 2 ]
	[ "$output" = "" ]
	# A header alone gives a header.
	given "$bandwidth" pciebench -P
	[ "$status" = 0 ]
	[ "$output" = "$identity,transfers,transferred_bytes,elapsed_ns,bandwidth_gbit_s" ]
	[ "$stderr" = "pcb-import: -: a header, but no rows" ]
}

@test "labels win, and new ones are columns" {
	run --separate-stderr pcb-import pciebench -P "$system/bw_sz_sweep.csv" \
		-l link=gen3x8/mps256/mrrs512/rcb64 -l bios=2.1 -l host=x -l host=y
	[ "$status" = 0 ]
	[ "$stderr" = "" ]
	[ "${lines[0]}" = "$identity,bios,transfers,transferred_bytes,elapsed_ns,bandwidth_gbit_s" ]
	[ "${lines[1]}" = "y,1,published,bw_rd,nfp6000,gen3x8/mps256/mrrs512/rcb64,engine,64,0,0,8192,random,host-warm,1,on-nosp,,2.1,500,32000,13333.333333333334,19.2" ]
}

@test "pciebench: the link from a listing of lspci" {
	local rest=mps128/mrrs1024/rcb128 card='/^01/,/^$/' changes
	local file=$PWD/nfp6000-1.2GHz_h/sys-lspci.txt
	local warning="pcb-import: $file: functions of the card's vendor have "
	warning+='different links: the column link is left empty'

	mkdir nfp6000-1.2GHz_h other-1.2GHz_h
	cp "$system/bw_sz_sweep.csv" nfp6000-1.2GHz_h/bw.csv
	gives_link gen2x4/$rest '' ''
	gives_link gen2x4/$rest '' 's/^01/0000:01/'
	gives_link gen2x4/$rest/ecrc '' "$card s/GenEn-/GenEn+/"
	gives_link gen2x4/$rest/ecrc '' "$card s/ECRCGenEn-/CGenEn+/"
	gives_link gen1x4/$rest '' "$card s/5GT/2.5GT/"
	gives_link gen6x4/$rest/flit '' "$card s/5GT/64GT/"
	# No card, or less than a link.
	for changes in '/LnkSta:/d' "$card s/MaxPay/Pay/" "$card s/MaxRead/R/" \
		"$card s/RCB 128/RCB 32/" "$card s/x4 /x0 /" \
		"$card s/x4 /x4.5 /" "$card s/x4 /x4294967300 /" \
		"$card s/5GT/unknown/" "$card s/5GT/9GT/" \
		"$card s/128 bytes/128 bits/" 's/: Netronome/: Vendor/' d; do
		gives_link '' '' "$changes"
	done
	# Two cards, alike and not; -l is believed without a look at them.
	sed -n '/^01/,/^$/p' "$made/sys-lspci.txt" >again
	gives_link gen2x4/$rest '' '$ r again'
	changes='s/^02.*/02:00.0 x: Netronome Systems, Inc./'
	gives_link '' "$warning" "$changes"
	gives_link gen1x1/$rest '' "$changes" -l link=gen1x1/$rest
	# A card of which no vendor is known, and no listing at all.
	cp nfp6000-1.2GHz_h/* other-1.2GHz_h
	rm "$file"
	run --separate-stderr pcb-import pciebench -P other-1.2GHz_h/bw.csv \
		nfp6000-1.2GHz_h/bw.csv
	[ "$status" = 0 ]
	[ "$stderr" = "" ]
	[ "$(cut -d , -f 6 <<<"$output" | sort -u)" = $'\nlink' ]
	mkdir "$file"
	run --separate-stderr pcb-import pciebench -P nfp6000-1.2GHz_h/bw.csv
	[ "$status" = 0 ]
	[ "$stderr" = "pcb-import: $file: Is a directory" ]
	[ "$(cut -d , -f 6 <<<"${lines[1]}")" = "" ]
}

@test "ndl: microseconds become nanoseconds, digit for digit" {
	local header=host,run,kind,bench,device,link,report
	header+=,launch_distance_ns,latency_ns

	run --separate-stderr pcb-import ndl -P "$made/ndl"
	is 0 "$header
,1,published,rtd,,,made-up,5000001,31360
,1,published,rtd,,,made-up,49999750,912
,1,published,rtd,,,made-up,12000000,104000" ""
	run --separate-stderr pcb-import ndl "$made/ndl/datapoints.csv"
	[ "$status" = 0 ]
	grep -x '# measured_by: ndl 1.3.12' <<<"$output"
	gives 'x,LDist,RTD\n7,2,1\n' "${header/report/report,rack}
,1,published,rtd,r7:eth0,,,7,2000,1000" \
		ndl -l device=r7:eth0 -l rack=7
}

@test "ndl: what is no result of it is refused" {
	refuses 'RTD,LDist\n1,-2\n' "-:2: LDist: '-2': less than 0" ndl
	refuses 'RTD,LDist\n,2\n' "-:2: RTD: '': empty" ndl
	refuses 'RTD,LDist\n1,1e29\n' "-:2: LDist: '1e29': out of range" ndl
	refuses 'RTD,Other\n1,2\n' "-: no column 'LDist': there are RTD, Other" ndl
	mkdir wult
	printf 'toolname: wult\n' >wult/info.yml
	printf 'RTD,LDist\n1,2\n' >wult/datapoints.csv
	refuses '' 'wult/info.yml: results of wult, not of ndl' ndl wult
	rm wult/*
	refuses '' 'wult/datapoints.csv: No such file or directory' ndl wult
}

@test "ndl: the statistics of its report" {
	local stats

	# Of all reports together there is no such thing: reports are kept
	# apart. R: x <- c(31360, 912, 104000); quantile(x, .99); sd(x)
	stats=$(pcb-import ndl "$made/ndl" |
		pcb-stats -P -p 50,99,99.9,99.99,99.999)
	[ "$(column n <<<"$stats")" = 3 ]
	[ "$(column median_ns <<<"$stats")" = 31360 ]
	[ "$(column p99_ns <<<"$stats")" = 102547.2 ]
	[ "$(column p99_9_ns <<<"$stats")" = 103854.72 ]
	[ "$(column max_ns <<<"$stats")" = 104000 ]
	cp -r "$made/ndl" other
	sed -i 's/made-up/other/' other/info.yml
	[ "$(pcb-import ndl "$made/ndl" other | pcb-stats -P | wc -l)" = 3 ]
}

@test "nettlp: latencies and bandwidths" {
	local lat=$made/pciebench_lat_read_ptr-fix_len-64.txt
	local bw=$made/pciebench_bw_read_ptr-random_len-256.txt

	run --separate-stderr pcb-import nettlp -P "$lat" "$bw"
	[ "$status" = 0 ]
	[ "$stderr" = "" ]
	[ "$output" = "$identity,seq,latency_ns,bandwidth_gbit_s
,1,published,lat_rd,,,,64,,,,fixed,,,,,0,21000,
,1,published,lat_rd,,,,64,,,,fixed,,,,,1,18600,
,1,published,lat_rd,,,,64,,,,fixed,,,,,2,18600,
,1,published,bw_rd,,,,256,,,,random,,,,,0,,2.954751
,1,published,bw_rd,,,,256,,,,random,,,,,1,,2.9567" ]
	gives 'RAN,0,8,1.5\n' "$identity,seq,bandwidth_gbit_s
,1,published,bw_rd,,,,8,,,,random,,,,,0,1.5" nettlp -l bench=bw_rd
	refuses 'FIX,0,8,1\n' \
		'-: latency or bandwidth? Say -l bench=lat_rd or bw_rd' nettlp
	refuses 'FIX,0,8,x\n' "-:1: value: 'x': not a number" \
		nettlp -l bench=lat_rd
	refuses 'FIX,0,8,1\nFIX,1,8,-1\n' "-:2: value: '-1': less than 0" \
		nettlp -l bench=lat_rd
	refuses 'FIX,0,8\n' '-:1: 3 fields where the header has 4' \
		nettlp -l bench=lat_rd
	refuses 'FIX,0.5,8,1\n' \
		"-:1: index: '0.5': not a whole number from 0 to 2^53" \
		nettlp -l bench=lat_rd
	refuses 'ABC,0,8,1\n' "-:1: pattern: 'ABC': unknown" \
		nettlp -l bench=lat_rd
}

@test "csv: columns are renamed, scaled, left out" {
	gives 'RTD,LDist,a\n31.472,43318.157,x\n.5,1,\n' \
		'kind,latency_ns,a\npublished,31472,x\npublished,500,' \
		csv --map RTD=latency_ns,LDist= --scale latency_ns=1000
	gives 'a=b,MB/s\n1,12.5\n' 'kind,host,x,bandwidth_gbit_s\nmeasured,h,1,0.1' \
		csv --map a=b=x --map MB/s=bandwidth_gbit_s \
		--scale bandwidth_gbit_s=0.008 -l kind=measured -l host=h
	gives 'kind,a_ns\nsimulated,1\n,2\n' \
		'kind,a_ns\nsimulated,1\npublished,2' csv
	gives 'a,b\n1,2\n' 'kind,b,a\npublished,1,2' csv --map a=b,b=a
	gives 'a_ns\n1\n# pcb-csv: 1\nb_ns,a_ns\n2,3\n# end: rows=1 complete=yes\n' \
		'kind,a_ns,b_ns\npublished,1,\npublished,3,2' csv
	gives 'kind,a_ns\nevent,1\n' 'kind,what,a_ns\npublished,event,1' \
		csv --map kind=what
	gives 'a_ns,b_ns\n,\n1,\n' 'kind,a_ns,b_ns\npublished,,\npublished,2,' \
		csv --scale a_ns=2
}

@test "csv: what cannot be taken as it is, is refused" {
	refuses 'A\n1\n' "-: a column cannot be called 'A' here: rename it with --map 'A=NAME', or leave it out with --map 'A='" \
		csv
	refuses 'a,B\n1,2\n' "-: two columns would be called 'a'" csv --map B=a
	refuses 'a\n1\n' "-: no column 'b': there are a" csv --map b=c
	refuses 'a\n1\n' "-: no column to scale is called 'b'" \
		csv --scale b=2
	refuses 'Kind\nevent\n' \
		"-:2: kind: 'event': not measured, virtual, simulated or published" \
		csv --map Kind=kind
	refuses 'T\n1\nx\n' "-:3: T: 'x': not a number" csv --map T=t_ns
	refuses 'T\nnan\n' "-:2: T: 'nan': not a number" csv --map T=t_ns
	refuses 'a\nx\n' "-:2: a: 'x': not a number" csv --scale a=2
	refuses 'a\n123456789012345678901\n' \
		"-:2: a: '123456789012345678901': too many digits to be exact" \
		csv --scale a=2
}

@test "the preamble says where the rows come from" {
	printf 'a_ns\n1\n' >x.csv
	run --separate-stderr pcb-import csv x.csv - <<<$'# pcb-csv: 1\n# host: h\n# command: y\na_ns\n2\n# end: rows=1 complete=yes'
	[ "$status" = 0 ]
	[ "${lines[0]}" = "# pcb-csv: 1" ]
	[ "$(grep -c '^# parts: 2$' <<<"$output")" = 1 ]
	[ "$(grep '^# command:' <<<"$output")" = \
		"# command: pcb-import csv x.csv -" ]
	[ "$(grep '^# source:' <<<"$output")" = "# source: x.csv -" ]
	[[ "$(grep '^# tool:' <<<"$output")" = "# tool: pcb-import "* ]]
	[ "${lines[-1]}" = "# end: rows=2 complete=yes" ]
	given '# pcb-csv: 1\n# host: h\n# command: y\na_ns\n2\n' csv
	[ "$(grep '^# host:' <<<"$output")" = "# host: h" ]
	[ "$(grep '^# command:' <<<"$output")" = \
		"# command: y | pcb-import csv" ]
	[ "${lines[-1]}" = "# end: rows=1 complete=no" ]
}

@test "formats" {
	gives 'x,a_ns\nq,1\nr,2.5\n' 'kind  published

x  a_ns
q     1
r   2.5' csv -f table
	run --separate-stderr pcb-import pciebench "$system/bw_sz_sweep.csv" \
		-f jsonl
	[ "${lines[2]}" = '{"host":"snb-Made-up","run":1,"kind":"published","bench":"bw_rdwr","device":"nfp6000","link":null,"interface":"engine","size_bytes":63,"offset_bytes":0,"device_offset_bytes":63,"window_bytes":8192,"pattern":"random","cache":"host-warm","node":"1","iommu":"on-nosp","page_bytes":null,"transfers":250,"transferred_bytes":15750,"elapsed_ns":5833.333333333333,"bandwidth_gbit_s":21.6}' ]
}

@test "output that is lost is an error" {
	for options in '' '-f table' '-f jsonl' --help; do
		# shellcheck disable=SC2086
		run --separate-stderr bash -c \
			'pcb-import csv "$@" <<<$'"'a\n1'"' >/dev/full' - $options
		[ "$status" = 2 ]
		[ "$stderr" = "pcb-import: stdout: No space left on device" ]
	done
}

# The published data ---------------------------------------------------------

needs_data() {
	[ -n "${PCB_TEST_DATA:-}" ] || skip "PCB_TEST_DATA is not set"
	data=$PCB_TEST_DATA
}

@test "the published system's picture needs no option" {
	needs_data
	local dir=$data/pciebench/nfp6000-1.2GHz_hsw-Xeon-E5-2637v3_supermicro

	pcb-import pciebench "$dir/bw_dma_sz_sweep.csv" 2>said >rows
	pcb-model --join rows 2>>said >joined
	grep -v '^#' rows | cut -d , -f 6 | sort -u >links
	[ "$(cat links)" = $'gen3x8/mps256/mrrs512/rcb64\nlink' ]
	[ "$(awk -F, '/^#/ { next }
		!at { for (at = 1; $at != "model_gbit_s"; at++); next }
		$4 == "bw_rd" && $8 == 64 { printf "%.3f\n", $at }' joined |
		sort -u)" = 44.103 ]
	pcb-plot bw joined >script 2>>said
	[ ! -s said ]
	command -v gnuplot >/dev/null || skip "gnuplot is not installed"
	pcb-import pciebench "$dir/bw_dma_sz_sweep.csv" 2>said |
		pcb-model --join 2>>said | pcb-plot bw 2>>said |
		gnuplot >picture 2>>said
	[ ! -s said ]
	grep -q '</svg>' picture
}

@test "published CDFs give the published statistics" {
	needs_data
	local sections=0 rows

	for cdf in "$data"/pciebench/nfp*/*_cdf.csv; do
		rows=$(compare_cdf "$cdf") || { echo "$cdf: $rows"; return 1; }
		sections=$((sections + rows))
	done
	[ "$sections" = 80 ]
}

@test "published CDFs give the golden statistics and the outliers" {
	needs_data
	local golden=$data/pciebench/derived/golden_stats_cycles.csv

	for cdf in "$data"/pciebench/nfp*/*_cdf.csv; do
		name=${cdf%/*}
		pcb-import pciebench -P -l system="${name##*/}" "$cdf" \
			>histogram
		pcb-stats -P -p 90,95,99,99.9,99.99 histogram | tail -n +2
		tail -n +2 histogram | awk -F, -v OFS=, '{
			count = $NF; ns = $(NF - 1); NF -= 2
			print "H", $0, ns, count
		}'
	done | awk -F, '
	function key(from) {
		cache = $(from + 12) == "thrashed" ? "Cold" : "HWarm"
		test = toupper($(from + 3))
		sub("_", $(from + 6) == "engine" ? "_DMA_" : "_CMD_", test)
		return $(from + 16) "," test "_" cache "_w" $(from + 10) "_s" \
		    $(from + 7)
	}
	function same(a, b) {
		if (a != b)
			bad = bad "\n" k ": " a " is not " b
	}
	function near(a, b, part, d) {
		d = a > b ? a - b : b - a
		if (d > part * b)
			bad = bad "\n" k ": " a " is not near " b
	}
	FILENAME != "-" {
		if (FNR > 1)
			golden[$1 "," $2] = $0
		next
	}
	$1 == "H" {
		k = key(2)
		ns = $(NF - 1) * 1.2
		if (ns > 3 * p95[k] + 1e-6)
			outliers[k] += $NF
		next
	}
	{
		k = key(1)
		split(golden[k], w)
		same($18, w[3])
		for (i = 0; i < 4; i++)
			same(sprintf("%.9g", $(21 + i) * 1.2), \
			    sprintf("%.9g", w[10 + i]))
		same(sprintf("%.9g", $19 * 1.2), w[8])
		same(sprintf("%.9g", $27 * 1.2), w[9])
		near($25 * 1.2, w[14], 1e-8)
		near($26 * 1.2, w[15], 1e-8)
		near($20 * 1.2, w[6], 1e-12)
		near($28 * 1.2 * sqrt(($18 - 1) / $18), w[7], 1e-12)
		p95[k] = w[12]
		seen++
	}
	END {
		for (k in p95) {
			split(golden[k], w)
			same(outliers[k] + 0, w[22])
		}
		print seen bad
	}' "$golden" - >compared
	[ "$(cat compared)" = 80 ] || { cat compared; return 1; }
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

@test "the published samples of NetTLP give the golden statistics" {
	needs_data
	local files=0

	while IFS=, read -r file wanted; do
		pcb-import nettlp -P "$data/nettlp/$file" |
			pcb-stats -P -p 95,99,99.9 | tail -n 1 |
			awk -F, -v wanted="$wanted" '
			function near(a, b, part) {
				d = a > b ? a - b : b - a
				if (d > part * b)
					bad = bad " " a " is not " b
			}
			{
				split(wanted, w)
				near($17, w[1], 0); near($18, w[4], 0)
				near($19, w[2], 1e-14); near($20, w[3], 1e-15)
				near($21, w[6], 1e-15); near($22, w[7], 1e-15)
				# Of a binary 0.999.
				near($23, w[8], 1e-12); near($24, w[5], 0)
				near($25 * sqrt(($17 - 1) / $17), w[9], 1e-12)
			}
			END { print NR bad }' >compared
		[ "$(cat compared)" = 1 ] || { cat compared; return 1; }
		files=$((files + 1))
	done < <(tail -n +2 "$data/nettlp/../pciebench/derived/golden_stats_nettlp.csv")
	[ "$files" = 11 ]
}

@test "ndl's own result, every number of it" {
	needs_data
	local ours theirs

	pcb-import ndl "$data/ndl" >rows
	theirs=$(sed 1d "$data/ndl/datapoints.csv" |
		awk -F, '{ printf "%.0f,%.0f\n", $2 * 1000, $1 * 1000 }')
	ours=$(paste -d , <(column launch_distance_ns <rows) \
		<(column latency_ns <rows))
	[ "$(wc -l <<<"$ours")" = 10 ]
	[ "$ours" = "$theirs" ]
	# The register counts in units of 16 ns.
	column latency_ns <rows | awk '$1 % 16 { exit 1 }'
}
