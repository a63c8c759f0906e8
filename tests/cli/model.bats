#!/usr/bin/env bats
# Formats of printf are arguments here, and bats sets $stderr.
# shellcheck disable=SC2059,SC2154

load helpers

tests pcb-model

setup() {
	cd "$BATS_TEST_TMPDIR" || exit
}

# computes WANTED OPTION...: the rows, from options alone.
computes() {
	gives '' "$@"
}

# joins INPUT WANTED [OPTION...]
joins() {
	gives "$1" "$2" --join "${@:3}"
}

# cannot_join INPUT MESSAGE [OPTION...]
cannot_join() {
	refuses "$1" "$2" --join "${@:3}"
}

# function_dump BDF CAPABILITY LNKSTA DEVCTL LNKCTL: an endpoint as lspci -xxx
# prints it; the last three are 16-bit numbers, CAPABILITY is 10 for PCI
# Express.
function_dump() {
	local -a byte
	local i

	for ((i = 0; i < 256; i++)); do
		byte[i]=00
	done
	byte[6]=10 byte[52]=40
	byte[64]=$2 byte[66]=02
	printf -v 'byte[72]' %02x $(($4 & 255))
	printf -v 'byte[73]' %02x $(($4 >> 8))
	printf -v 'byte[80]' %02x $(($5 & 255))
	printf -v 'byte[82]' %02x $(($3 & 255))
	printf -v 'byte[83]' %02x $(($3 >> 8))
	echo "$1 Ethernet controller: made by hand"
	for ((i = 0; i < 256; i += 16)); do
		printf '%02x: %s\n' "$i" "${byte[*]:i:16}"
	done
	echo
}

gen3=gen3x8/mps256/mrrs512/rcb64
header=kind,bench,link,accounting,completer,size_bytes,offset_bytes
header+=,window_bytes,mrd_tlps,mwr_tlps,cpld_tlps,tx_bytes,rx_bytes
header+=,efficiency_pct,transactions_per_s,transaction_ns,bandwidth_gbit_s
header+=,limited_by
link_header=kind,link,accounting,encoding,ack_limit_bytes,fc_limit_bytes
link_header+=,skp_pct,raw_gbit_s,bandwidth_gbit_s
added=model_accounting,model_gbit_s,model_ratio_pct,limited_by

# short [ARGUMENT...]: what was computed, without what follows from the
# bandwidth.
short() {
	pcb-model -P "$@" | cut -d, -f2-3,4-13,17-18
}

@test "help and version go to stdout" {
	helps 'bw_rd|bw_wr|bw_rdwr|link|serial [options]' -h
	helps 'bw_rd|bw_wr|bw_rdwr|link|serial [options]' --help
	tells_version
}

@test "wrong options are refused, with a pointer to the help" {
	wrong "unrecognized option '--no-such'" link --no-such
	wrong "say what to compute, or give --join"
	wrong "lat_rd: no such thing to compute" lat_rd
	wrong "bw_wr: one thing at a time" bw_rd bw_wr
	wrong "--size '0x40': unknown suffix" bw_rd -s 0x40
	wrong "-s: a transfer has at least 1 byte" bw_rd -s 0
	wrong "-s: a transfer has at least 1 byte" bw_rd -s 64,0
	wrong "-s: a transfer has at most 1024G" bw_rd -s 1025G
	wrong "--offset: an offset is at most 1024G" bw_rd --offset 1025G
	wrong "--offset '-1': not a number" bw_rd --offset -1
	wrong "--size does not go with link" link -s 64
	wrong "--offset does not go with --join" --join --offset 64
	wrong "--check does not go with bw_rd" bw_rd --check 5
	wrong "--check '101': over 100" --join --check 101
	wrong "-f 'xml': not csv, table or jsonl" link -f xml
	wrong "--completer 'both': not combine, aligned or rcb" \
		bw_rd --completer both
	wrong "--addr '48': addresses have 32 or 64 bits" link --addr 48
	wrong "--flit 'yes': not on or off" link --flit yes
	wrong "--lanes 'x8': not a number" link --lanes x8
	wrong "--gen '99999999999': out of range" link --gen 99999999999
}

@test "impossible links are refused" {
	wrong "mps is a power of two from 128 to 4096" link --mps 384
	wrong "mps is a power of two from 128 to 4096" link --mps 8K
	wrong "mrrs is a power of two from 128 to 4096" link --mrrs 0
	wrong "rcb is 64 or 128" link --rcb 32
	wrong "the lanes are 1, 2, 4, 8, 12, 16 or 32" link --lanes 3
	wrong "the generation is 1 to 7" link --gen 9
	wrong "the generation is 1 to 7" --join --gen 0
	wrong "--link 'gen3x3/mps256/mrrs512/rcb64': \
the lanes are 1, 2, 4, 8, 12, 16 or 32" link --link gen3x3/mps256/mrrs512/rcb64
	wrong "--link '': empty" link --link ''
	wrong "--link and --device each name a link: give one" \
		link --link $gen3 --device 03:00.0
	wrong "--link and --dump each name a link: give one" \
		link --link $gen3 --dump file
}

@test "what has no model is refused, not guessed" {
	unmodelled() {
		run --separate-stderr pcb-model link "${@:2}"
		is 2 "" "pcb-model: $1"
	}
	unmodelled "gen6x8/mps256/mrrs512/rcb64: generation 6 and later know \
flit mode only" --gen 6 --flit off
	unmodelled "gen6x12/mps256/mrrs512/rcb64/flit: links that know flit \
mode have no 12 or 32 lanes" --gen 6 --lanes 12
	unmodelled "pci32/33: only PCI Express is modelled" --link pci32/33
}

@test "the link itself" {
	computes "$link_header
model,$gen3,spec,128b/130b,203,203,0.26007802340702213,63.01538461538462,57.88476562673236" link
	computes "$link_header
model,gen1x1/mps128/mrrs512/rcb64,spec,8b/10b,237,237,0.26007802340702213,2,1.8597773424854462" \
		link --gen 1 --lanes 1 --mps 128
	run --separate-stderr pcb-model link -f table
	is 0 "kind             model
link             $gen3
accounting       spec
encoding         128b/130b
ack_limit_bytes  203
fc_limit_bytes   203

skp_pct  raw_gbit_s  bandwidth_gbit_s
  0.260      63.015            57.885" ""
}

@test "bandwidths, sizes and offsets" {
	computes "$header
model,bw_rd,$gen3,spec,combine,64,0,,1,0,1,24,84,69.98716082101197,\
86138044.08739935,11.609272193194418,44.10267857274847,rx_bytes" bw_rd
	computes "$header
model,bw_wr,$gen3,spec,combine,64,0,,0,1,0,88,0,66.80592623823868,\
82222678.447063,12.162094678584628,42.09801136489626,tx_bytes
model,bw_wr,$gen3,spec,combine,64,4090,,0,2,0,112,0,52.49037061575898,\
64603533.065549515,15.479029590925888,33.07700892956135,tx_bytes
model,bw_wr,$gen3,spec,combine,512,0,,0,2,0,560,0,83.98459298521436,\
12920706.613109902,77.39514795462945,52.92321428729816,tx_bytes
model,bw_wr,$gen3,spec,combine,512,4090,,0,3,0,584,0,80.533171355685,\
12389718.670105385,80.7120828669707,50.74828767275166,tx_bytes" \
		-s 64,512 bw_wr --offset 0,4090
	computes "$header
model,bw_rdwr,$gen3,spec,rcb,512,0,,1,2,8,584,672,69.98716082101197,\
10767255.510924919,92.87417754555534,44.10267857274847,rx_bytes" \
		bw_rdwr -s 512 --completer rcb
	# A copy of 1 GiB is as quickly done.
	run short bw_wr -s 1G
	[ "${lines[1]}" = "bw_wr,$gen3,spec,combine,1073741824,0,,0,4194304,0,\
1174405120,0,52.92321428729816,tx_bytes" ]
}

@test "windows: the average over their units" {
	# 18 units of 448 bytes; the one at 4032 is 3 packets and not 2.
	run short bw_wr -s 416 --offset 0,41 -w 8K
	[ "${lines[1]}" = "bw_wr,$gen3,spec,combine,416,0,8192,0,\
2.0555555555555554,0,465.3333333333333,0,51.74798531673494,tx_bytes" ]
	[ "${lines[2]}" = "bw_wr,$gen3,spec,combine,416,41,8192,0,2,0,464,0,\
51.89668642396695,tx_bytes" ]
	run short bw_rd -s 64 -w 64,128,1G
	[ "$(cut -d, -f7 <<<"$output" | tail -n 3 | xargs)" = \
		"64 128 1073741824" ]
	wrong "-w: a window holds at least one transfer with its offset, \
rounded up to whole cache lines" bw_rd -s 64,128 -w 64
	wrong "-w: a window is at most 1024G" bw_rd -w 1025G
	wrong "--window does not go with link" link -w 8K
}

@test "flit mode: no framing, no limits, a share for SKP" {
	computes "$link_header
model,gen6x16/mps256/mrrs512/rcb64/flit,spec,1b/1b,,,0,1024,944" \
		link --gen 6 --lanes 16 --skp 0
	computes "$link_header
model,gen7x16/mps256/mrrs512/rcb64/flit,spec,1b/1b,,,0.3,2048,1882.336" \
		link --gen 7 --lanes 16
	computes "$link_header
model,$gen3/flit,spec,128b/130b,,,0,63.01538461538462,58.0923076923077" \
		link --flit on --skp 0
	run short bw_wr -s 64 --gen 6 --lanes 16 --skp 0 --accounting traffic
	[ "${lines[1]}" = "bw_wr,gen6x16/mps256/mrrs512/rcb64/flit,traffic,\
combine,64,0,,0,1,0,80,0,755.2,tx_bytes" ]
	# A completion that begins within a word has a word more of header.
	run short bw_rd -s 64 --offset 1 --gen 6 --skp 0
	[ "${lines[1]}" = "bw_rd,gen6x8/mps256/mrrs512/rcb64/flit,spec,\
combine,64,1,,1,0,1,20,80,377.6,rx_bytes" ]
	wrong "--skp '51': over 50" link --skp 51
}

@test "the accounting of traffic" {
	computes "$link_header
model,$gen3,traffic,128b/130b,203,203,0.26666666666666666,\
63.01538461538462,62.84734358974359" link --accounting traffic
	# Nothing but SKP is lost where only writes are sent.
	run short bw_wr -s 64 --accounting traffic
	[ "${lines[1]}" = "bw_wr,$gen3,traffic,combine,64,0,,0,1,0,88,0,\
45.707158974358975,tx_bytes" ]
	# 65 bytes are 17 words.
	run short bw_wr -s 65 --accounting traffic
	[[ "${lines[1]}" = *,65,0,,0,1,0,92,0,* ]]
	wrong "--accounting 'both': not spec or traffic" \
		link --accounting both
}

@test "bounds, and which of them limits" {
	bounded() {
		run short "${@:2}"
		[ "$(cut -d, -f13- <<<"${lines[1]}")" = "$1" ] && return
		show "$1"
	}
	local fast='--gen 5 --lanes 16'

	# 32 x 512 bytes in a microsecond.
	# shellcheck disable=SC2086
	{
		bounded 131.072,inflight bw_rd -s 512 --inflight 32 \
			--rtt 1us $fast
		bounded 32.768,inflight bw_rdwr -s 64 --inflight 32 --rtt 500ns \
			--ph 1K --loop 1us $fast
		# 32 x 256 bytes, and 400 x 16, in half a microsecond.
		bounded 131.072,credits bw_wr -s 256 --ph 32 --loop 500ns $fast
		bounded 102.4,credits bw_wr -s 256 --ph 32 --pd 400 \
			--loop 500ns $fast
	}
	bounded 42.09801136489626,tx_bytes bw_wr --ph 1K --pd 4K --loop 500ns
	bounded 44.10267857274847,rx_bytes bw_rd --inflight 768 --rtt 1us
	wrong "--inflight and --rtt go together" bw_rd --inflight 32
	wrong "--inflight and --rtt go together" --join --rtt 1us
	wrong "--loop goes together with --ph or --pd" bw_wr --loop 1us
	wrong "--loop goes together with --ph or --pd" bw_wr --ph 1 --pd 1
	wrong "--inflight '0': nothing would ever move" bw_rd --inflight 0
	wrong "--rtt '0ns': nothing would ever move" bw_rd --rtt 0ns
	wrong "--rtt '5': a unit is missing" bw_rd --rtt 5
	wrong "--inflight does not go with bw_wr" bw_wr --inflight 32
	wrong "--ph does not go with bw_rd" bw_rd --ph 32
	wrong "--pd does not go with link" link --pd 32
}

@test "options make the link" {
	made() {
		run --separate-stderr pcb-model -P link "${@:2}"
		[ "$status" = 0 ]
		[[ "${lines[1]}" = "model,$1,spec,"* ]] && return
		echo "$output"
		return 1
	}
	made gen5x16/mps512/mrrs4096/rcb128/a32/ecrc --link \
		gen5x16/mps512/mrrs4096/rcb128/a32/ecrc
	made gen4x2/mps1024/mrrs4096/rcb128/a32/ecrc --gen 4 --lanes 2 \
		--mps 1K --mrrs 4K --rcb 128 --addr 32 --ecrc
	# Whatever their order, single options change what --link says.
	made gen4x16/mps512/mrrs512/rcb64 --mps 512 \
		--link gen4x16/mps128/mrrs512/rcb64/a32 --addr 64
	made gen3x8/mps256/mrrs512/rcb64 --flit off
}

@test "the published figures of the paper's link" {
	[ -n "${PCB_TEST_DATA:-}" ] || skip "PCB_TEST_DATA is not set"
	local compared=0 file
	for file in "$PCB_TEST_DATA"/pciebench/*/bw_calc.dat; do
		for bench in bw_wr bw_rd bw_rdwr; do
			pcb-model -P "$bench" -s 1:2048:+1 -f jsonl |
				sed 's/.*"size_bytes":\([0-9]*\).*gbit_s":\([0-9.]*\).*/\1 \2/' |
				awk '{ printf "%d %.2f %.1f\n", $1, $2,
					$2 * 1e9 / 8 / $1 }' >$bench
		done
		paste -d ' ' bw_wr bw_rd bw_rdwr |
			cut -d ' ' -f 1-3,5-6,8-9 >ours
		grep -v '"' "$file" | cut -d ' ' -f 1-7 | cmp - ours
		compared=$((compared + $(wc -l <ours)))
	done
	echo "$compared sizes"
	[ "$compared" -ge 2048 ]
}

# Neugebauer et al., section 2: at 40 Gbit/s a frame of 128 bytes takes about
# 30 ns, and with a latency of about 900 ns some 30 DMAs are in flight.
@test "inflight: DMAs for a time" {
	local in=kind,frame_bytes,rate_gbit_s,packet_ns,rtt_ns,inflight

	computes "$in
model,128,40,29.6,900,31" inflight --rate 40G --frame 128 --rtt 900ns
	# 30 x 29.6 ns are 888.
	computes "$in
model,64,40,16.8,888,53
model,128,40,29.6,888,30
model,1518,40,307.6,888,3" inflight --rate 40G --frame 64,128,1518 --rtt 0.888us
	computes "$in
model,128,40,29.6,888.001,31" inflight --rate 40G --frame 128 --rtt 888.001ns
}

@test "inflight: DMAs for results, at the median and at p99" {
	local in=bench,size_bytes,median_ns,p99_ns
	local behind=frame_bytes,rate_gbit_s,packet_ns,median_inflight,p99_inflight

	gives "$in\nlat_rd,128,888,5693.33\nlat_wrrd,128,900,901\n" "$in,$behind
lat_rd,128,888,5693.33,64,40,16.8,53,339
lat_rd,128,888,5693.33,128,40,29.6,30,193
lat_wrrd,128,900,901,,,,," inflight --rate 40G --frame 64,128
	printf "$in\nlat_rd,128,888,\n" >input
	run --separate-stderr pcb-model inflight -P --rate 40G --frame 128 input
	is 0 "$in,$behind
lat_rd,128,888,,128,40,29.6,30," "pcb-model: rows of lat_rd without p99_ns: 1"
	pcb-collect lat_rd -d sim -n 1000 | pcb-stats |
		pcb-model inflight --rate 100G --frame 64 >out
	[[ "$(column median_inflight <out)" =~ ^[0-9]+$ ]]
	[[ "$(column p99_inflight <out)" =~ ^[0-9]+$ ]]
	[[ "$(tail -n 1 out)" = "# end: rows=1 complete=yes"* ]]
}

@test "inflight refuses what it cannot answer" {
	local need="inflight needs --rate and --frame"
	local asks='inflight --rate 40G --frame 128'

	wrong "$need" inflight
	wrong "$need" inflight --rate 40G --rtt 1us
	wrong "$need" inflight --frame 128 --rtt 1us
	wrong "--rate '0': no rate" inflight --rate 0 --frame 64
	wrong "--rate '40Gb': unknown suffix" inflight --rate 40Gb --frame 64
	wrong "--frame: an Ethernet frame has at least 64 bytes" \
		inflight --rate 40G --frame 64,63
	wrong "--frame: a frame has at most 64K" inflight --rate 40G --frame 65K
	wrong "--rtt and file each give the time: choose one" \
		inflight --rate 40G --frame 64 --rtt 1us file
	wrong "--gen does not go with inflight" inflight --gen 4
	wrong "--accounting does not go with inflight" \
		inflight --accounting traffic
	wrong "--rate does not go with link" link --rate 40G
	# shellcheck disable=SC2086
	{
		refuses 'a\n1\n' "-: no row of the bench lat_rd" $asks
		refuses 'bench,latency_ns\nlat_rd,5\n' "-:2: bench: 'lat_rd' \
needs median_ns, as pcb-stats writes it" $asks
		refuses 'bench,median_ns\nlat_rd,-5\n' "-:2: median_ns: \
'-5': a latency is not negative" $asks
		refuses 'bench,median_ns\nlat_rd,x\n' \
			"-:2: median_ns: 'x': not a number" $asks
	}
}

@test "--join puts the model next to what was measured" {
	joins "kind,bench,link,size_bytes,median_gbit_s
measured,bw_rd,$gen3,64,22.051339286374233
measured,bw_wr,$gen3,64,42.09801136489626\n" \
		"kind,bench,link,size_bytes,median_gbit_s,$added
measured,bw_rd,$gen3,64,22.051339286374233,spec,44.10267857274847,50,rx_bytes
measured,bw_wr,$gen3,64,42.09801136489626,spec,42.09801136489626,100,tx_bytes"
}

@test "--join: offsets, and the completer" {
	local in=bench,link,size_bytes,offset_bytes,bandwidth_gbit_s

	joins "$in\nbw_wr,$gen3,64,4090,1\nbw_wr,$gen3,64,,1\n" "$in,$added
bw_wr,$gen3,64,4090,1,spec,33.07700892956135,3.0232479669777126,tx_bytes
bw_wr,$gen3,64,,1,spec,42.09801136489626,2.3754091169110603,tx_bytes"
	joins "$in\nbw_rd,$gen3,512,0,40\n" "$in,$added
bw_rd,$gen3,512,0,40,spec,44.10267857274847,90.69743900933138,rx_bytes" \
		--completer rcb
}

@test "--join: the median, else the bandwidth" {
	local in=bench,link,size_bytes,bandwidth_gbit_s,median_gbit_s

	joins "$in\nbw_wr,$gen3,64,1,42.09801136489626\nbw_wr,$gen3,64,42.09801136489626,\n" \
		"$in,$added
bw_wr,$gen3,64,1,42.09801136489626,spec,42.09801136489626,100,tx_bytes
bw_wr,$gen3,64,42.09801136489626,,spec,42.09801136489626,100,tx_bytes"
}

@test "--join: rows without a model are kept" {
	joins "bench,size_bytes,median_ns\nlat_rd,64,700\n,,\n" \
		"bench,size_bytes,median_ns,$added
lat_rd,64,700,,,,\n,,,,,,"
	printf 'bench,link,size_bytes,bandwidth_gbit_s
bw_rd,pci32/33,64,1\nbw_rd,gen6x8/mps256/mrrs512/rcb64,64,1\n' >input
	run --separate-stderr pcb-model -P --join input
	is 0 "bench,link,size_bytes,bandwidth_gbit_s,$added
bw_rd,pci32/33,64,1,,,,
bw_rd,gen6x8/mps256/mrrs512/rcb64,64,1,,,," \
		"pcb-model: rows without a model: 2, the last because \
generation 6 and later know flit mode only"
	printf 'bench,link,size_bytes,bandwidth_gbit_s\nbw_wr,%s,64,\n' \
		$gen3 >input
	run --separate-stderr pcb-model -P --join input
	is 0 "bench,link,size_bytes,bandwidth_gbit_s,$added
bw_wr,$gen3,64,,spec,42.09801136489626,,tx_bytes" \
		"pcb-model: rows without a bandwidth to compare: 1"
}

@test "--join: options override the rows' links" {
	local in=bench,link,size_bytes,bandwidth_gbit_s
	local slower

	slower=$(pcb-model -P bw_wr -s 512 --mps 128 | tail -n 1 |
		cut -d, -f17)
	joins "$in\nbw_wr,$gen3,512,$slower\n" "$in,$added
bw_wr,$gen3,512,$slower,spec,$slower,100,tx_bytes" --mps 128
	# The whole link, or the two parts without which there is none.
	joins "$in\nbw_wr,,64,42.09801136489626\n" "$in,$added
bw_wr,,64,42.09801136489626,spec,42.09801136489626,100,tx_bytes" --link $gen3
	joins "$in\nbw_wr,,64,42.09801136489626\n" "$in,$added
bw_wr,,64,42.09801136489626,spec,42.09801136489626,100,tx_bytes" --gen 3 --lanes 8
	joins "$in\nbw_wr,pci32/33,64,42.09801136489626\n" "$in,$added
bw_wr,pci32/33,64,42.09801136489626,spec,42.09801136489626,100,tx_bytes" \
		--link $gen3
	joins "bench,size_bytes,bandwidth_gbit_s\nbw_wr,64,42.09801136489626\n" \
		"bench,size_bytes,bandwidth_gbit_s,$added
bw_wr,64,42.09801136489626,spec,42.09801136489626,100,tx_bytes" --link $gen3
}

@test "--join refuses what it cannot understand" {
	local in=bench,link,size_bytes,bandwidth_gbit_s

	cannot_join 'a\n1\n' "-: no column 'bench', which says what was measured"
	cannot_join 'bench,size_bytes,bandwidth_gbit_s\nlat_rd,64,1\nbw_rd,64,1\n' \
		"-:3: bench: 'bw_rd' needs a link: the row has none, and no \
option names one"
	cannot_join "$in\nbw_rd,,64,1\n" "-:2: bench: 'bw_rd' needs a link: the \
row has none, and no option names one" --gen 3
	cannot_join "$in\nbw_rd,gen3x3/mps256/mrrs512/rcb64,64,1\n" \
		"-:2: link: 'gen3x3/mps256/mrrs512/rcb64': the lanes are 1, \
2, 4, 8, 12, 16 or 32"
	cannot_join "bench,link,bandwidth_gbit_s\nbw_rd,$gen3,1\n" \
		"-:2: bench: 'bw_rd' needs size_bytes, which is empty or not \
there"
	cannot_join "$in\nbw_rd,$gen3,,1\n" "-:2: bench: 'bw_rd' needs \
size_bytes, which is empty or not there"
	cannot_join "$in\nbw_rd,$gen3,0,1\n" \
		"-:2: size_bytes: '0': a transfer has at least 1 byte"
	cannot_join "$in\nbw_rd,$gen3,64K,1\n" \
		"-:2: size_bytes: '64K': unknown suffix"
	cannot_join "$in,offset_bytes\nbw_rd,$gen3,64,1,x\n" \
		"-:2: offset_bytes: 'x': not a number"
	cannot_join "$in,offset_bytes\nbw_rd,$gen3,64,1,1099511627777\n" \
		"-:2: offset_bytes: '1099511627777': an offset is at most 1024G"
	cannot_join "$in\nbw_rd,$gen3,64,fast\n" \
		"-:2: bandwidth_gbit_s: 'fast': not a number"
	cannot_join "$in\nbw_rd,$gen3,64,-1\n" \
		"-:2: bandwidth_gbit_s: '-1': a bandwidth is not negative"
	cannot_join "bench,link,size_bytes,median_ns\nbw_rd,$gen3,64,1\n" \
		"-:2: bench: 'bw_rd' needs median_gbit_s or bandwidth_gbit_s"
	cannot_join "$in\nbw_rd,$gen3,64,1\nbw_rd,$gen3\n" \
		"-:3: 2 fields where the header has 4"
	cannot_join '' '-: empty: not even a header row'
}

@test "--join writes one part with the columns of all" {
	printf 'bench,link,size_bytes,bandwidth_gbit_s\nbw_wr,%s,64,1\n' \
		$gen3 >one
	printf 'host,bench,median_ns\nb,lat_rd,2\n' >two
	run --separate-stderr pcb-model -P --join one two
	is 0 "bench,link,size_bytes,bandwidth_gbit_s,host,median_ns,$added
bw_wr,$gen3,64,1,,,spec,42.09801136489626,2.3754091169110603,tx_bytes
lat_rd,,,,b,2,,,," ""
}

@test "--join with itself is 100 %, and can be repeated" {
	local options='-s 1:4096:x3 --offset 0,1,100,4000'

	for bench in bw_rd bw_wr bw_rdwr; do
		# shellcheck disable=SC2086
		{
			pcb-model "$bench" $options
			pcb-model "$bench" $options -w 10000
			pcb-model "$bench" $options --accounting traffic \
				--completer rcb --gen 2
			pcb-model "$bench" $options --gen 6
		} >"of_$bench"
	done
	pcb-model --join of_* >once
	pcb-model --join once | sed '/^#/d' >twice
	sed '/^#/d' once | cmp - twice
	column model_ratio_pct <twice >ratios
	[ "$(sort -u ratios)" = 100 ]
	[ "$(wc -l <ratios)" = $((3 * 4 * 8 * 4)) ]
	column accounting <twice >counted
	column model_accounting <twice | cmp - counted
}

@test "--join: how rows were counted, and what of it options change" {
	local in=bench,link,size_bytes,accounting,completer,bandwidth_gbit_s
	local rows="bw_rd,$gen3,512,traffic,rcb,1\n"

	pcb-model bw_rd -s 512 --accounting traffic --completer rcb >model
	joins "$in\n$rows" "$in,$added
bw_rd,$gen3,512,traffic,rcb,1,traffic,47.866847691285535,2.08912858947688,rx_bytes"
	cannot_join "$in\nbw_rd,$gen3,512,both,rcb,1\n" \
		"-:2: accounting: 'both': not spec or traffic"
	cannot_join "$in\nbw_rd,$gen3,512,spec,all,1\n" \
		"-:2: completer: 'all': not combine, aligned or rcb"
}

@test "--join: windows, and places that are always the same" {
	local in=bench,link,size_bytes,window_bytes,pattern,bandwidth_gbit_s

	joins "$in\nbw_wr,$gen3,416,8192,random,1\nbw_wr,$gen3,416,8192,fixed,1\n" \
		"$in,$added
bw_wr,$gen3,416,8192,random,1,spec,51.74798531673494,1.9324423818227507,tx_bytes
bw_wr,$gen3,416,8192,fixed,1,spec,51.89668642396695,1.9269052976341465,tx_bytes"
	cannot_join "$in\nbw_wr,$gen3,416,256,random,1\n" "-:2: window_bytes: \
'256': a window holds at least one transfer with its offset, rounded up to \
whole cache lines"
}

# What was measured may exceed spec, which takes off too much, but not what
# the traffic leaves. The card's link is known from its host; on one of the
# systems the host has an MPS of 128.
@test "no published bandwidth exceeds what its traffic leaves" {
	[ -n "${PCB_TEST_DATA:-}" ] || skip "PCB_TEST_DATA is not set"
	local file mps how

	for file in "$PCB_TEST_DATA"/pciebench/*/bw_dma_*.csv; do
		mps=256
		[[ $file != *E3-1226v3* ]] || mps=128
		for how in spec traffic; do
			pcb-import pciebench "$file" |
				pcb-model --join --gen 3 --lanes 8 --mps $mps \
					--accounting $how |
				column model_ratio_pct >>"$how.ratios"
		done
	done
	[ "$(wc -l <traffic.ratios)" -ge 2442 ]
	awk '$1 > 100 { exit 1 }' traffic.ratios
	[ "$(sort -g spec.ratios | tail -n 1 | cut -c 1-5)" = 106.4 ]
}

@test "--join: bounds" {
	local in=bench,link,size_bytes,bandwidth_gbit_s

	joins "$in\nbw_rd,$gen3,512,16.384\nbw_wr,$gen3,512,1\n" "$in,$added
bw_rd,$gen3,512,16.384,spec,16.384,100,inflight
bw_wr,$gen3,512,1,spec,52.92321428729816,1.8895299793610705,tx_bytes" \
		--inflight 4 --rtt 1us
}

@test "the preamble is passed on and extended" {
	pcb-model bw_wr >one
	run --separate-stderr pcb-model --join one
	is 0 "# pcb-csv: 1
# tool: pcb-model $(pcb-model --version | cut -d' ' -f2)
# command: pcb-model bw_wr | pcb-model --join one
${header%,limited_by},$added
model,bw_wr,$gen3,spec,combine,64,0,,0,1,0,88,0,66.80592623823868,\
82222678.447063,12.162094678584628,42.09801136489626,spec,\
42.09801136489626,100,tx_bytes
# end: rows=1 complete=yes" ""
	sed '$d' one >short
	run --separate-stderr pcb-model --join short
	[ "$status" = 0 ]
	[ "${lines[-1]}" = "# end: rows=1 complete=no" ]
	[ "$stderr" = "pcb-model: short: the stream was cut short after 1 rows" ]
}

@test "--check answers after everything is written" {
	printf 'bench,link,size_bytes,bandwidth_gbit_s
bw_wr,%s,64,40\nbw_wr,%s,64,30\n' $gen3 $gen3 >input
	for percent in 28.8 100; do
		run --separate-stderr pcb-model -P --join --check $percent input
		[ "$status" = 0 ]
		[ "${#lines[@]}" = 3 ]
		[ "$stderr" = "" ]
	done
	run --separate-stderr pcb-model -P --join --check 28 input
	[ "$status" = 1 ]
	[ "${#lines[@]}" = 3 ]
	[ "$stderr" = "pcb-model: 1 row falls short of the model by more \
than --check allows" ]
	run --separate-stderr pcb-model -P --join --check 0 input
	[ "$status" = 1 ]
	[ "$stderr" = "pcb-model: 2 rows fall short of the model by more \
than --check allows" ]
	pcb-model bw_rd -s 64:2048 | pcb-model --join --check 0 >/dev/null
	# No answer where there is no question.
	cannot_join 'bench,size_bytes,bandwidth_gbit_s\nlat_rd,64,1\n' \
		"--check: no row that the model could be compared with" \
		--check 5
}

@test "a header only" {
	printf 'bench,link,size_bytes,bandwidth_gbit_s\n' >input
	run --separate-stderr pcb-model -P --join input
	is 0 "bench,link,size_bytes,bandwidth_gbit_s,$added" \
		"pcb-model: input: a header, but no rows"
}

@test "a simulated sweep next to the model" {
	pcb-collect bw_rd -s 64:2048 -n 10K -d sim | pcb-stats >stats
	run --separate-stderr pcb-model -P --join stats
	[ "$status" = 0 ]
	[ "$stderr" = "" ]
	[ "${#lines[@]}" = 7 ]
	[[ "${lines[0]}" = *",$added" ]]
	for line in "${lines[@]:1}"; do
		[[ "$line" =~ ,[0-9.]+,[0-9.]+,rx_bytes$ ]]
	done
}

@test "the link of a dump" {
	# 0x84: gen 4 x8; MPS 256 is 1 << 5, MRRS 512 is 2 << 12.
	function_dump 03:00.0 10 0x84 $((1 << 5 | 2 << 12)) 0 >one
	# Gen 5 x16, MPS 512, MRRS 4096, RCB 128.
	function_dump 0000:04:00.1 10 0x105 $((2 << 5 | 5 << 12)) 8 >other
	cat one other >two
	shown() {
		run --separate-stderr pcb-model -P link "${@:2}"
		[ "$status" = 0 ] && [[ "$stderr" = *"no root port above it "* ]] &&
			[[ "${lines[1]}" = "model,$1,spec,"* ]] && return
		echo "$output $stderr"
		return 1
	}
	shown gen4x8/mps256/mrrs512/rcb64 --dump one
	shown gen4x8/mps256/mrrs512/rcb64 --dump - <one
	shown gen4x8/mps512/mrrs512/rcb64 --dump one --mps 512
	shown gen4x8/mps256/mrrs512/rcb64 --dump two --device 03:00.0
	shown gen5x16/mps512/mrrs4096/rcb128 --dump two --device 4:0.1
	sed 's/$/\r/' one >dos
	shown gen4x8/mps256/mrrs512/rcb64 --dump dos
}

@test "a dump that does not hold a link" {
	bad() {
		run --separate-stderr pcb-model link --dump "${@:2}"
		is 2 "" "pcb-model: $1"
	}
	local unseen="its PCI Express capability is not to be seen: only root \
may read it (for a dump, lspci -xxx or -xxxx)"
	local none="no PCI Express capability: it is on a conventional bus, or \
emulated"
	local untrained="its registers show no trained link; for a virtual \
function, name the physical one"

	function_dump 03:00.0 10 0x84 0 0 >good
	bad "none: No such file or directory" none
	: >empty
	bad "empty: no function in it: not what lspci -xxx prints" empty
	bad "/dev/zero:1: line too long or cut off" /dev/zero
	sed 's/^40: 10/40: 1x/' good >odd
	bad "odd: dump: Malformed line" odd
	head -c 200 good >torn
	bad "torn:5: line too long or cut off" torn
	sed 's/^40:/ffffff40:/' good >far
	bad "far:6: an offset beyond config space, which ends at fff" far
	bad "/: Is a directory" /
	# 64 bytes are what an ordinary user sees; 80 end within the capability.
	head -n 5 good >short
	bad "short: 0000:03:00.0: $unseen" short
	head -n 6 good >within
	bad "within: 0000:03:00.0: $unseen" within
	function_dump 03:00.0 05 0x84 0 0 >conventional
	bad "conventional: 0000:03:00.0: $none" conventional
	# Trained down: speed and width 0.
	function_dump 03:00.0 10 0 0 0 >down
	bad "down: 0000:03:00.0: $untrained" down
	{ cat good; function_dump 04:00.0 10 0x84 0 0; } >two
	cat good good >twice
	bad "twice: 0000:03:00.0 is in it twice" twice
	bad "two: 2 functions: choose one with --device" two
	bad "two: 0000:05:00.0: not in it" two --device 05:00.0
	wrong "--device '05': not of the form 03:00.0" \
		link --dump two --device 05
}

@test "a device that is not there" {
	run --separate-stderr pcb-model link --device ffff:fe:1f.7
	is 3 "" "pcb-model: ffff:fe:1f.7: no such function on this machine"
	wrong "--device 'eth0': not of the form 03:00.0" link --device eth0
}

@test "output that is lost is an error" {
	for what in link bw_rd --help '--join input'; do
		echo bench >input
		# shellcheck disable=SC2016,SC2086
		run --separate-stderr bash -c \
			'pcb-model "$@" >/dev/full 2>err; status=$?
			tail -n 1 err >&2; exit $status' - $what
		is 2 "" "pcb-model: stdout: No space left on device"
	done
}
