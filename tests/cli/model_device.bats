#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# pcb-model --device and --dump: links of the machine.

load helpers

tests pcb-model pcb-doctor

setup() {
	cd "$BATS_TEST_TMPDIR" || exit
	guest=$TOP/tests/data/lspci/guest.txt
	flat=$TOP/tests/data/lspci/flat.txt
}

# cells NAME,... ARGUMENT...: these fields of the row of pcb-model.
cells() {
	try pcb-model -P "${@:2}"
	[ "$status" = 0 ] || show "$1"
	output=$(awk -F, -v names="$1" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ n = split(names, name, ",")
		for (i = 1; i <= n; i++)
			printf "%s%s", $at[name[i]], i < n ? "," : "\n" }' \
		<<<"$output")
}

# Gen 4 x16 to a switch, gen 3 x4 below it, and gen 5 x8 on another one.
two_switches() {
	tree <<-'EOF'
	0000:00:01.0 root first=1 last=6 gen=4 lanes=16 mps=2 rcb=1 ecrc=0
	0000:01:00.0 upstream first=2 last=6 gen=4 lanes=16 mps=2
	0000:02:00.0 downstream first=3 last=6 gen=3 lanes=4 mps=2
	0000:03:00.0 upstream first=4 last=6 gen=3 lanes=4 mps=2
	0000:04:00.0 downstream first=5 last=5 gen=5 lanes=8 mps=2
	0000:05:00.0 endpoint gen=5 lanes=8 mps=1 mrrs=5 ecrc=0 tag8=1 tag10=1
	0000:04:01.0 downstream first=6 last=6 gen=1 lanes=1 mps=2
	0000:06:00.0 endpoint gen=1 lanes=1 mps=1 mrrs=0 ecrc=1
	EOF
}

about=link,device,limiting_link,completion_mps_bytes,tags

@test "the slowest link on the path limits, and the row says which" {
	two_switches
	cells $about link --dump dump --device 05:00.0
	is 0 gen3x4/mps256/mrrs4096/rcb128,0000:05:00.0,0000:03:00.0,512,768 \
		"pcb-model: 0000:05:00.0: the link above 0000:03:00.0 is \
the slowest: gen3x4/mps512/mrrs512/rcb64"
	cells $about bw_rd --dump dump --device 06:00.0
	is 0 gen1x1/mps256/mrrs128/rcb128/ecrc,0000:06:00.0,0000:06:00.0,512,32 \
		""
	cells $about bw_rd --dump dump --device 01:00.0
	is 0 gen4x16/mps512/mrrs512/rcb128,0000:01:00.0,0000:01:00.0,512,32 ""
	# The same without a device: no such columns.
	[[ "$(pcb-model -P link)" != *device* ]]
}

# Each switch delays twice by 110 ns: there and back.
@test "lat: the link of a path, and its switches" {
	local way=(lat --bench lat_rd --dump dump)

	two_switches
	cells switches_ns,link "${way[@]}" --switch 110ns --switch 60ns \
		--device 05:00.0
	is 0 340,gen3x4/mps256/mrrs4096/rcb128 "$stderr"
}

@test "writes are as the device is set, completions as the root port" {
	two_switches
	# MPS 256 and no ECRC: two packets of 24 + 256.
	cells mwr_tlps,tx_bytes bw_wr -s 512 --dump dump --device 05:00.0
	[ "$output" = 2,560 ] || show 2,560
	# MPS 512, so one completion.
	cells cpld_tlps,rx_bytes bw_rd -s 512 --dump dump --device 05:00.0
	[ "$output" = 1,532 ] || show 1,532
	# ECRC at the device only; 4 requests of 128 bytes, 4 completions.
	cells tx_bytes,rx_bytes bw_rd -s 512 --dump dump --device 06:00.0
	[ "$output" = "$((4 * 28)),$((4 * 20 + 512))" ] || show ecrc
	# An option applies to both ends.
	cells cpld_tlps,completion_mps_bytes bw_rd -s 512 --dump dump \
		--device 05:00.0 --mps 128
	[ "$output" = 4,128 ] || show 4,128
	# RCB 128: from 448 up to 512, then 64 bytes.
	cells cpld_tlps bw_rd -s 128 --offset 448 --dump dump \
		--device 05:00.0 --completer rcb
	[ "$output" = 2 ] || show 2
	cells cpld_tlps bw_rd -s 256 --offset 448 --dump dump \
		--device 05:00.0 --completer rcb
	[ "$output" = 3 ] || show 3
}

@test "nic: what the host starts is as the root port is set" {
	two_switches
	printf '%s\n' direction,who,access,bytes,every tx,host,write,512,1 \
		tx,host,read,4,1 tx,device,read,frame,1 >nic.csv
	# 60 bytes of a frame; ECRC at the device, not at the root port:
	# completion and request of 24 + 4 each; 8 x (24 + 64), since a CPU
	# writes 64 bytes at a time, 24, 20 + 60.
	cells tx_bytes,rx_bytes nic -M ./nic.csv --frame 64 --dump dump \
		--device 06:00.0
	[ "$output" = "$((24 + 4 + 28)),$((8 * 88 + 24 + 80))" ] || show nic
	# A device that would answer with at most 128 bytes, asked for 64.
	tree <<-'EOF'
	0000:00:01.0 root first=1 last=1 gen=3 lanes=8 mps=1 ecrc=1
	0000:01:00.0 endpoint gen=3 lanes=8 mps=0 ecrc=0
	EOF
	printf '%s\n' direction,who,access,bytes,every tx,host,read,256,1 \
		tx,device,read,frame,1 >nic.csv
	cells tx_bytes,rx_bytes nic -M ./nic.csv --frame 64 --dump dump \
		--device 01:00.0
	[ "$output" = "$((4 * 84 + 24)),$((4 * 28 + 24 + 60))" ] || show mps
	# An option applies to both ends.
	cells tx_bytes,rx_bytes nic -M ./nic.csv --frame 64 --dump dump \
		--device 01:00.0 --ecrc --mps 256
	[ "$output" = "$((4 * 88 + 28)),$((4 * 28 + 24 + 60))" ] || show option
}

@test "flit mode goes with the link that limits" {
	tree <<-'EOF'
	0000:00:01.0 root first=1 last=3 gen=6 lanes=8 flit=1
	0000:01:00.0 upstream first=2 last=3 gen=6 lanes=8 flit=1
	0000:02:00.0 downstream first=3 last=3 gen=5 lanes=8
	0000:03:00.0 endpoint gen=5 lanes=8 tag10=1 tag14=0
	0000:00:02.0 root first=4 last=4 gen=6 lanes=16 flit=1
	0000:04:00.0 endpoint gen=6 lanes=16 flit=1 tag14=1 ecrc=0
	0000:00:03.0 root first=5 last=5 gen=6 lanes=16 flit=1
	0000:05:00.0 endpoint gen=6 lanes=16 flit=1 size=256
	0000:00:04.0 root first=6 last=8 gen=6 lanes=1 flit=1
	0000:06:00.0 upstream first=7 last=8 gen=6 lanes=1 flit=1
	0000:07:00.0 downstream first=8 last=8 gen=5 lanes=16
	0000:08:00.0 endpoint gen=5 lanes=16
	EOF
	cells link,limiting_link link --dump dump --device 08:00.0
	[ "$output" = gen6x1/mps128/mrrs512/rcb64/flit,0000:06:00.0 ]
	cells $about link --dump dump --device 03:00.0
	[ "$output" = gen5x8/mps128/mrrs512/rcb64,0000:03:00.0,0000:03:00.0,128,768 ]
	cells $about link --dump dump --device 04:00.0
	[ "$output" = gen6x16/mps128/mrrs512/rcb64/flit,0000:04:00.0,0000:04:00.0,128,15360 ]
	# Unreadable tags are not guessed.
	cells $about link --dump dump --device 05:00.0
	[ "$output" = gen6x16/mps128/mrrs512/rcb64/flit,0000:05:00.0,0000:05:00.0,128, ]
}

@test "what cannot be seen is said" {
	local above="the links above it are not visible and may be slower"

	tree <<-'EOF'
	0000:00:01.0 root first=1 last=3
	0000:01:00.0 upstream first=2 last=3 gen=0 lanes=0
	0000:02:00.0 downstream first=3 last=3
	0000:03:00.0 endpoint
	0000:00:04.0 endpoint gen=2 lanes=2
	EOF
	cells $about link --dump dump --device 03:00.0
	is 0 gen3x8/mps128/mrrs512/rcb64,0000:03:00.0,0000:03:00.0,128,32 \
		"pcb-model: 0000:01:00.0: $above"
	cells limiting_link link --dump dump --device 00:04.0
	is 0 0000:00:04.0 "pcb-model: 0000:00:04.0: no root port is visible above \
it: completions have the settings of the device"
}

@test "more in flight than there are tags for" {
	two_switches
	cells limited_by bw_rd --dump dump --device 06:00.0 --inflight 32 \
		--rtt 1us
	is 0 rx_bytes ""
	cells limited_by bw_rd --dump dump --device 06:00.0 --inflight 33 \
		--rtt 1us
	is 0 rx_bytes "pcb-model: 0000:06:00.0: --inflight 33 is more than its \
tags allow: 32"
}

@test "serial: each link on the path, from the root down" {
	two_switches
	cells device,serialization_ns serial --dump dump --device 06:00.0
	# 48 bytes, at 252.06, 31.51 and 2 Gbit/s: 20 of the root port, which
	# adds no ECRC, and 28 of the device, which does.
	is 0 "0000:01:00.0,1.5234375
0000:03:00.0,12.1875
0000:06:00.0,192" ""
	cells request_bytes,completion_bytes serial --dump dump --device 06:00.0
	[ "${output%%$'\n'*}" = 20,28 ] || show 20,28
	cells request_bytes,completion_bytes serial --dump dump \
		--device 06:00.0 --ecrc
	[ "${output%%$'\n'*}" = 24,28 ] || show 24,28
}

@test "a guest's tree: what has a path, and why others have none" {
	local conventional="no PCI Express capability: it is on a conventional \
bus, or emulated"
	local port="it is a port whose link is below it: name the device there"

	cells $about link --dump "$guest" --device 07:00.0
	is 0 gen1x1/mps128/mrrs128/rcb64,0000:07:00.0,0000:07:00.0,128,32 ""
	cells link,device link --dump "$guest" --device 04:00.0
	is 0 gen1x1/mps128/mrrs128/rcb64/ecrc,0000:04:00.0 ""
	cells device serial --dump "$guest" --device 07:00.0
	is 0 "0000:02:00.0
0000:05:00.0
0000:07:00.0" ""
	while read -r bdf why; do
		try pcb-model link --dump "$guest" \
			--device "$bdf"
		is 2 "" "pcb-model: $guest: $bdf: $why"
	done <<-EOF
	00:00.0 $conventional
	00:04.0 $port
	03:01.0 $port
	00:09.0 it is integrated in the root complex: its connection is not visible
	09:01.0 $conventional
	0b:02.0 $conventional
	EOF
	try pcb-model link --dump "$flat" --device 00:03.0
	is 2 "" "pcb-model: $flat: 00:03.0: $conventional"
}

# ours DUMP: what pcb-model decodes for each function alone.
ours() {
	local bdf fields

	rm -rf alone
	mkdir alone
	awk '/^[0-9a-f:]+[.][0-7] / { file = "alone/" $1 }
		/^$/ { file = "" }
		file { print >file }' "$1"
	for bdf in alone/*; do
		pcb-model -P link --dump "$bdf" >row 2>/dev/null || continue
		{ read -r _ && IFS=, read -ra fields; } <row
		echo "${bdf#*/} ${fields[1]} ${fields[-1]}"
	done
}

# theirs DUMP: the same from lspci's text; 10-bit tags come first.
theirs() {
	lspci -vv -F "$1" 2>/dev/null | sed 's/ (overdriven)//g' | awk '
	/^[0-9a-f:]+[.][0-7] / {
		show()
		bdf = $1
		port = control = tags = speed = width = ecrc = register = ""
	}
	/Express \(v.\) / { port = $0 }
	/DevCtl:/ { control = 1 }
	/ExtTag[+]/ && control { tags = 256 }
	/MaxPayload .*MaxReadReq/ { mps = $2; mrrs = $5; control = 0 }
	/LnkCtl:/ { rcb = /RCB 128/ ? 128 : 64 }
	/LnkSta:/ {
		speed = $3; sub(/GT.*/, "", speed)
		width = $5; sub(/x/, "", width); sub(/,.*/, "", width) }
	/^\t\t[A-Z][A-Za-z0-9]*:/ { register = $1 }
	/10BitTagReq[+]/ && register == "DevCtl2:" { tags = 768 }
	/ECRCGenEn[+]/ { ecrc = "/ecrc" }
	END { show() }
	function show() {
		gen["2.5"] = 1; gen[5] = 2; gen[8] = 3; gen[16] = 4
		gen[32] = 5; gen[64] = 6
		if (port ~ /Endpoint|Upstream|Bridge/ && port !~ /Integrated/ &&
		    gen[speed] && width)
			printf "%s gen%dx%d/mps%d/mrrs%d/rcb%d%s %d\n", bdf,
				gen[speed], width, mps, mrrs, rcb, ecrc,
				tags ? tags : 32
	}'
}

@test "decoding agrees with lspci" {
	command -v lspci >/dev/null || skip "lspci is not installed"
	local compared=0 file

	two_switches
	mv dump two
	tree <<-'EOF'
	0000:00:01.0 endpoint gen=1 lanes=1 mps=0 mrrs=0
	0000:00:02.0 endpoint gen=2 lanes=2 mps=1 mrrs=1 tag8=1
	0000:00:03.0 endpoint gen=3 lanes=4 mps=2 mrrs=2 rcb=1
	0000:00:04.0 endpoint gen=4 lanes=12 mps=3 mrrs=3 tag10=1
	0000:00:05.0 endpoint gen=5 lanes=16 mps=4 mrrs=4 ecrc=1
	0000:00:06.0 endpoint gen=5 lanes=32 mps=5 mrrs=5 ecrc=0 tag8=1
	0000:00:07.0 pci-bridge gen=1 lanes=1 ecrc=1 first=1 last=1
	EOF
	for file in "$guest" "$flat" two dump; do
		ours "$file" | sed 's/^0000://' | sort >decoded
		theirs "$file" | sed 's/^0000://' | sort >shown
		diff decoded shown || { echo "$file" && return 1; }
		compared=$((compared + $(wc -l <decoded)))
	done
	echo "$compared links"
	[ "$compared" -ge 15 ]
}

# cut DUMP BYTES: the dump of one function, cut to this size.
cut_dump() {
	awk -v bytes="$2" '
		/^[0-9a-f]+: / {
			if (bytes <= 0) next
			line = $1
			for (i = 2; i <= NF && bytes-- > 0; i++)
				line = line " " $i
			print line
			next }
		{ print }' "$1"
}

@test "a dump that is cut off anywhere: the link, or why not, never another" {
	local bytes whole='gen4x4/mps256/mrrs1024/rcb128/ecrc 768'
	local without='gen4x4/mps256/mrrs1024/rcb128 768'
	local seen=0

	tree <<<"0000:03:00.0 endpoint gen=4 lanes=4 mps=1 mrrs=3 rcb=1 tag10=1 ecrc=1"
	for bytes in 16 52 64 65 72 80 83 84 96 104 114 115 116 200 256 257 \
		259 260 264 280 281 282 300 4096; do
		cut_dump dump $bytes >short
		try pcb-model link --dump short
		if ((bytes < 116)); then
			[ "$status" = 2 ] || show "$bytes bytes"
			[[ "$stderr" = *"0000:03:00.0: "*"capability"* ]]
			[ "$output" = "" ]
			continue
		fi
		[ "$status" = 0 ] || show "$bytes bytes"
		if ((bytes < 282)); then
			[ "$(ours short)" = "0000:03:00.0 $without" ] ||
				show "$bytes bytes"
		else
			[ "$(ours short)" = "0000:03:00.0 $whole" ] ||
				show "$bytes bytes"
			((++seen))
		fi
	done
	[ "$seen" = 3 ]
	# A missing line reads as ones.
	sed '/^70: /d' dump >hole
	try pcb-model link --dump hole
	is 2 "" "pcb-model: hole: 0000:03:00.0: cannot read its PCI Express capability: run as root (a dump needs all that lspci -vvv prints)"
	sed '/^110: /d' dump >hole
	[ "$(ours hole)" = "0000:03:00.0 $without" ] || show hole
}

# patch OFFSET BYTE: in the config space of a one-function dump.
patch() {
	awk -v row="$(printf %02x $(($1 / 16 * 16))):" -v at=$(($1 % 16 + 2)) \
		-v byte="$2" '$1 == row { $at = byte } { print }' dump >patched
	mv patched dump
}

@test "lists of capabilities that loop or lead nowhere" {
	local function="0000:03:00.0 endpoint gen=4 lanes=4 mps=1 mrrs=3 ecrc=1"

	# A list that leads back to itself, behind the capability that counts.
	tree <<<"$function"
	patch 0x41 40
	[ "$(ours dump)" = "0000:03:00.0 gen4x4/mps256/mrrs1024/rcb64/ecrc 32" ]
	# One that does so before it.
	patch 0x34 80
	patch 0x80 05
	patch 0x81 80
	try pcb-model link --dump dump
	is 2 "" "pcb-model: dump: 0000:03:00.0: no PCI Express capability:"
	# At the very end of config space, and at an odd address.
	tree <<<"$function"
	patch 0x34 f0
	patch 0xf0 10
	patch 0xf2 02
	try pcb-model link --dump dump
	is 2 "" "pcb-model: dump: 0000:03:00.0: its registers show no"
	tree <<<"$function"
	patch 0x34 43
	[ "$(ours dump)" = "0000:03:00.0 gen4x4/mps256/mrrs1024/rcb64/ecrc 32" ]
	# Extended ones: to itself, to the end, and AER half outside.
	patch 0x102 01
	patch 0x103 10
	[ "$(ours dump)" = "0000:03:00.0 gen4x4/mps256/mrrs1024/rcb64/ecrc 32" ]
	patch 0x103 ff
	[ "$(ours dump)" = "0000:03:00.0 gen4x4/mps256/mrrs1024/rcb64/ecrc 32" ]
	patch 0x100 0b
	patch 0x102 c1
	patch 0xff0 00
	patch 0xffc 01
	patch 0xffe 01
	[ "$(ours dump)" = "0000:03:00.0 gen4x4/mps256/mrrs1024/rcb64 32" ]
}

@test "a dump has the link, whatever else it has" {
	tree size=256 <<-'EOF'
	0000:03:00.0 endpoint gen=4 lanes=8 mps=1 mrrs=2
	EOF
	cp dump one
	tree size=256 <<-'EOF'
	0000:03:00.0 endpoint gen=4 lanes=8 mps=1 mrrs=2
	0000:04:00.1 endpoint gen=5 lanes=16 mps=2 mrrs=5 rcb=1
	EOF
	cp dump two
	shown() {
		try pcb-model -P link "${@:2}"
		[ "$status" = 0 ] && [[ "$stderr" = *"no root port is visible above it"* ]] &&
			[[ "${lines[1]}" = "model,$1,traffic,"* ]] && return
		echo "$output $stderr"
		return 1
	}
	shown gen4x8/mps256/mrrs512/rcb64 --dump one
	shown gen4x8/mps256/mrrs512/rcb64 --dump - <one
	shown gen4x8/mps512/mrrs512/rcb64 --dump one --mps 512
	shown gen4x8/mps256/mrrs512/rcb64 --dump two --device 03:00.0
	shown gen5x16/mps512/mrrs4096/rcb128 --dump two --device 4:0.1
	sed 's/^0000://' one >nodomain
	shown gen4x8/mps256/mrrs512/rcb64 --dump nodomain
	sed 's/$/\r/' one >dos
	shown gen4x8/mps256/mrrs512/rcb64 --dump dos
}

@test "a dump that does not hold a link is refused" {
	bad() {
		try pcb-model link --dump "${@:2}"
		is 2 "" "pcb-model: $1"
	}
	local unseen="cannot read its PCI Express capability: run as root (a dump needs all that lspci -vvv prints)"
	local none="no PCI Express capability: it is on a conventional bus, or \
emulated"
	local untrained="its registers show no trained link; for a virtual \
function, name the physical one"

	made() {
		tree size=256 <<<"0000:$1"
		cat dump
	}
	made '03:00.0 endpoint gen=4' >good
	bad "none: No such file or directory" none
	: >empty
	try pcb-model bw_rd --dump empty
	[[ "$status $stderr" = "2 pcb-model: empty: no PCI function in it: "* ]]
	sed 's/^40: 10/40: 1x/' good >odd
	bad "odd: 0000:03:00.0: $none" odd
	head -c 200 good >torn
	local end="cut off within 0000:03:00.0: what follows is unknown"
	bad "torn: $end"$'\npcb-model: '"torn: 0000:03:00.0: $unseen" torn
	sed 's/^40:/ffffff40:/' good >far
	bad "far: 0000:03:00.0: $none" far
	bad "/: Is a directory" /
	# An ordinary user sees 64 bytes; 80 end within the capability.
	head -n 5 good >short
	bad "short: 0000:03:00.0: $unseen" short
	head -n 6 good >within
	bad "within: $end"$'\npcb-model: '"within: 0000:03:00.0: $unseen" within
	made '03:00.0 conventional' >conventional
	bad "conventional: 0000:03:00.0: $none" conventional
	made '03:00.0 pcie-bridge' >from
	bad "from: 0000:03:00.0: the bus above it is conventional PCI" from
	# Trained down: speed and width 0.
	made '03:00.0 endpoint gen=0 lanes=0' >down
	bad "down: 0000:03:00.0: $untrained" down
	{ cat good; made '04:00.0 endpoint gen=4'; } >two
	cat good good >twice
	try pcb-model link --dump twice
	[ "$status" = 0 ]
	bad "two: 2 functions: choose one with --device" two
	bad "two: 05:00.0: no such device" two --device 05:00.0
	bad "two: 05: no such device" two --device 05
	bad "two: eth0: no such device" two --device eth0
}

@test "a device that is not there" {
	try pcb-model link --device ffff:fe:1f.7
	is 3 "" "pcb-model: ffff:fe:1f.7: no such device"
	try pcb-model link --device nowhere0
	is 3 "" "pcb-model: nowhere0: no such device"
}

# state CASE: functions of a device 0000:01:00.0 in that state: generation 4
# x16 at both ends, but for `now`, the words of a link that runs otherwise.
state() {
	local now="gen=1 lanes=16" cap=at4c=0x104 gpu=ata=0x302 port=yes

	case $1 in
	narrow) now="gen=1 lanes=8" ;;
	awake) now="gen=4 lanes=16" ;;
	slow) now="gen=3 lanes=16" ;;
	target) cap+=" at70=3" ;;
	nic) gpu=ata=0x200 ;;
	hardware) now+=" at52=0x8101" gpu=ata=0x200 ;;
	d3) gpu="ata=0x200 at34=0x80 at80=0x4001 at84=3" ;;
	paste) port= ;;
	esac
	[ ! "$port" ] || echo "0000:00:01.0 root first=1 last=1 mps=1 $now $cap at42=0x142"
	echo "0000:01:00.0 endpoint mps=1 $now ${cap% *} $gpu"
	[ "$1" != audio ] || echo "0000:01:00.1 endpoint mps=1 $now $cap ata=0x403"
}

# carries LINK BENCH COLUMN: whether this column of the last run is what the
# model says of the link.
carries() {
	awk -v a="$(column "$3" <<<"$output" | head -n 1)" \
		-v b="$(pcb-model "$2" -P -s 4K --link "$1/mps256" |
			column bandwidth_gbit_s)" \
		'BEGIN { exit !(a > 0.999 * b && a < 1.001 * b) }'
}

# What each program takes for the link of a device: one link has one state. Its
# rate says nothing while it sleeps; its lanes do.
@test "one link has one state, whichever program is asked" {
	local case want speed width name found

	echo bench,device,size_bytes,bandwidth_gbit_s >rows
	echo bw_rd,0000:01:00.0,4096,100 >>rows
	while IFS='|' read -r case want speed width; do
		state "$case" | tree
		try pcb-model bw_rd -P -s 4K --dump dump --device 01:00.0
		carries "$want" bw_rd bandwidth_gbit_s ||
			show "$case bw_rd: $want"
		try pcb-model --join -P --dump dump rows
		carries "$want" bw_rd model_gbit_s ||
			show "$case --join: $want"
		try pcb-model flows -P --dump dump '01:00.0>host'
		carries "$want" bw_wr bandwidth_gbit_s ||
			show "$case flows: $want"
		try pcb-model tree -P --dump dump -d 01:00.0
		[[ "$(column link <<<"$output" | tail -n 1)" = "$want" ]] ||
			show "$case tree: $want"
		# It asks what could be.
		try pcb-model why -f table 1GB/s --dump dump -d 01:00.0
		[[ "$output" = *" of what gen4x16 carries"* ]] || show "$case why"
		try pcb-doctor -P --dump dump
		for name in "link_speed $speed" "link_width $width"; do
			found=$(grep -o "${name% *},0000:01:00.0,[a-z]*" <<<"$output" || :)
			[ "${found##*,}" = "${name#* }" ] || show "$case doctor: $name"
		done
		[[ $case = nic || $case = slow || $case = target ]] && continue
		[[ $case = hardware || $case = d3 ]] && continue
		try pcb-model floor -P --dump dump -d 01:00.0
		[[ "$output" = *",$want/mps256/"* ]] || show "$case floor: $want"
	done <<-'EOF'
	awake|gen4x16||
	gpu|gen4x16|by|
	audio|gen4x16|by|
	paste|gen4x16||
	narrow|gen4x8|by|likely
	slow|gen3x16|likely|
	target|gen3x16|by|
	nic|gen1x16|likely|
	hardware|gen4x16|by|
	d3|gen4x16|by|
	EOF
}

# Two devices of which one sleeps; the rows name them as programs do.
@test "--join --dump takes the link of each row's device" {
	tree <<-'EOF'
	0000:00:01.0 root first=1 last=1 gen=1 lanes=16 mps=1 at4c=0x104
	0000:01:00.0 endpoint gen=1 lanes=16 mps=1 at4c=0x104 ata=0x302
	0000:00:02.0 root first=2 last=2 gen=3 lanes=8 mps=1
	0000:02:00.0 endpoint gen=3 lanes=8 mps=1 ata=0x302
	EOF
	printf '%s\n' bench,device,size_bytes,link,bandwidth_gbit_s \
		bw_wr,gpu0,4096,,100 bw_wr,02:00.0,4096,,50 bw_wr,gpu7,4096,,50 \
		bw_wr,gpu7,4096,gen2x1,3 bw_wr,GPU1,4096,gen2x1,3 >rows
	try pcb-model --join -P --dump dump rows
	[[ $status = 0 && $stderr = *"without a model: 1,"* ]] || show "one row"
	column model_gbit_s <<<"$output" >each
	for want in gen4x16 gen3x8 - gen2x1 gen3x8; do
		output="model_gbit_s
$(head -n 1 each)"
		sed -i 1d each
		[[ $want = - ]] || carries $want bw_wr model_gbit_s || show $want
	done
}

@test "a link that has too few lanes is not normal" {
	for case in narrow awake; do
		state $case | tree
		try pcb-model why -P -f csv 13.5GB/s --dump dump -d 01:00.0
		[ "$(column verdict <<<"$output" | head -n 1)" = low ]
		[[ $case != narrow || $output = *",link,confirmed,"* ]] || show narrow
		[[ $case = narrow || $output != *",link,confirmed,"* ]] || show awake
		for ask in "bw_rd --device 01:00.0" "flows gpu0>host"; do
			# shellcheck disable=SC2086
			try pcb-model $ask --dump dump
			[[ $case:$stderr = narrow:*x8*x16* || $case = awake &&
				$stderr != *x16* ]] || show "$case: $ask"
		done
	done
	# Without a slot, the board decides.
	state narrow | sed 's/ at42=0x142/ at42=0x42/' | tree
	try pcb-model bw_rd --dump dump --device 01:00.0
	[[ $stderr != *x16* ]] || show "no word"
	try pcb-model why -P -f csv 13.5GB/s --dump dump -d 01:00.0
	[ "$(column verdict <<<"$output" | head -n 1)" = normal ]
}
