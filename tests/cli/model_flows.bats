#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# pcb-model tree and flows: links of a machine, and who shares them.

load helpers

tests pcb-model

# machine [ACS]: two GPUs, the first one idle, and a drive below a switch; ports
# of GPUs have these bits of ACS. A third GPU is on its own.
machine() {
	local acs="at100=13 at102=1 at106=${1:-0}"

	tree <<-EOF
	0000:00:01.0 root first=1 last=5 gen=4 lanes=8 mps=1
	0000:01:00.0 upstream first=2 last=5 gen=4 lanes=8 mps=1
	0000:02:00.0 downstream first=3 last=3 gen=1 lanes=16 mps=1 at4c=0x104 $acs
	0000:02:01.0 downstream first=4 last=4 gen=4 lanes=16 mps=1 at4c=0x104 $acs
	0000:02:02.0 downstream first=5 last=5 gen=4 lanes=4 mps=1
	0000:03:00.0 endpoint gen=1 lanes=16 mps=1 at4c=0x104 ata=0x300
	0000:04:00.0 endpoint gen=4 lanes=16 mps=1 at4c=0x104 ata=0x302
	0000:04:00.1 endpoint gen=4 lanes=16 mps=1 ata=0x403
	0000:05:00.0 endpoint gen=4 lanes=4 mps=1 ata=0x108
	0000:00:02.0 root first=6 last=6 gen=4 lanes=16 mps=1 at4c=0x104
	0000:06:00.0 endpoint gen=4 lanes=16 mps=1 at4c=0x104 ata=0x300
	EOF
}

# two: two switches with two GPUs each, below one root complex.
two() {
	cat >two <<-'EOF'
	# a comment
	node r - -
	node m r dram
	node s0 r gen4x16
	node s1 r gen4x16
	node g0 s0 gen4x16
	node g1 s0 gen4x16
	node g2 s1 gen4x16
	node g3 s1 gen4x16
	EOF
}

# rates [OPTION...]: from, to, rate in GB/s, limit, crossing, flags.
rates() {
	try timeout 60 pcb-model flows -P "$@"
	output=$(awk -F, 'NR > 1 { printf "%s%s>%s %.2f%s%s%s\n", $2 ? $2 " " : "",
		$3, $4, $5 / 8, $7 ? " " $7 : "", $8 ? " " $8 : "",
		$9 ? " " $9 : "" }' <<<"$output")
}

# By hand: 31.507 x 374/375 x 256/280 = 28.73 GB/s of writes and x 256/276 =
# 29.15 of reads on gen4x16. A second way costs Ack and UpdateFC, 0.6 %.
@test "transfers share the links that they have in common" {
	two
	rates --topology two 'g0>g1' 'g2>m'
	is 0 "g0>g1 28.73 g0>s0
g2>m 28.73 g2>s1 root complex
total> 57.46
total>equal amounts 57.46" ""
	rates --topology two 'g0>g2 g1>g3 host>g1' 'g3<g1'
	is 0 "g0>g2 9.18 s0>r root complex
g1>g3 9.18 s0>r root complex
host>g1 28.60 r>s0 root complex
g1>g3 9.18 s0>r root complex
total> 56.15
total>equal amounts 37.91" ""
}

@test "sets, all pairs, each, and known patterns" {
	local said="pcb-model: all_to_all: published sets of this kind reached \
0.56 to 0.64 of these rates in one switch, 0.86 where uplinks limit"

	two
	printf 'flows,set\ng0>g1,one\n"g0>host, g1>host",two\n' >sets
	rates --topology two --set sets
	is 0 "one g0>g1 28.73 g0>s0
two g0>host 14.37 s0>r root complex
two g1>host 14.37 s0>r root complex
two total> 28.73
two total>equal amounts 28.73" ""
	rates --topology two -d g1,g2 --all-pairs
	is 0 "g1>g2 28.56 g1>s0 root complex
g2>g1 28.56 g2>s1 root complex
total> 57.12
total>equal amounts 57.12" ""
	rates --topology two --each 'm>' -d g1,g2
	is 0 "m>g1 29.14 r>s0 root complex
m>g2 29.14 r>s1 root complex
total> 58.28
total>equal amounts 58.28" ""
	rates --topology two --all-pairs
	[[ $status = 0 && "$stderr" = "$said" && "${lines[1]}" = *all_to_all &&
		$(grep -c all_to_all <<<"$output") = 12 ]] || show "$said"
	echo 'node s2 r gen4x16
node g4 s2 gen4x16' >>two
	rates --topology two 'g0>g2 g1>g4'
	[[ $status = 0 && "$output" = *"g0>g2 14.37 s0>r root complex posted_writes_part
g1>g4 14.37 s0>r root complex posted_writes_part"* &&
		"$stderr" = "pcb-model: posted_writes_part: "* ]] || show "a flag"
	# Not if one reads, or both end at one place.
	rates --topology two 'g0>g2 g4<g1'
	[ "$stderr" = "" ] || show "no flag for reads"
	rates --topology two 'g0>g2 g1>g3'
	[ "$stderr" = "" ] || show "no flag for one destination"
}

@test "a port has room for one device" {
	fake_tree tree <<-'EOF'
	0000:00:01.0 root first=1 last=1 gen=3 lanes=8 mps=1 at44=1 at4c=0x83
	0000:00:02.0 root first=2 last=2 gen=3 lanes=8 mps=1 at44=1 at4c=0x83
	0000:00:03.0 root first=3 last=3 at4c=0x83
	0000:01:00.0 endpoint at42=0x2 gen=3 lanes=8 mps=1 mrrs=2 at44=1 at4c=0x83 at0a=0x0302
	0000:02:00.0 endpoint at42=0x2 gen=3 lanes=8 mps=1 mrrs=2 at44=1 at4c=0x83 at0a=0x0302
	EOF
	try pcb-model flows --root tree --each host --move gpu0=00:02.0
	[ "$status" = 2 ]
	[[ "$stderr" = *"gpu1 is there"* ]]
	runs pcb-model flows --root tree --each host --move gpu0=00:03.0
	# Two that change places.
	runs pcb-model flows --root tree --each host --move gpu0=00:02.0 \
		--move gpu1=00:01.0
}

@test "caps, calibration and moves change what is given" {
	two
	rates --topology two --each host --cap r=40GB/s
	is 0 "g0>host 10.00 r root complex
g1>host 10.00 r root complex
g2>host 10.00 r root complex
g3>host 10.00 r root complex
total> 40.00
total>equal amounts 40.00" ""
	rates --topology two 'g0>g2' 'g2>g0' --cap 's0>s1=10GB/s'
	is 0 "g0>g2 10.00 s0>s1 root complex
g2>g0 28.67 g2>s1 root complex
total> 38.67
total>equal amounts 20.00" ""
	printf 'from,to,bandwidth_gbit_s\ng0,g1,200\n' >one
	rates --topology two 'g0>g1' 'g2>g3' --calibrate one
	is 0 "g0>g1 25.00 g0>s0
g2>g3 25.00 g2>s1
total> 50.00
total>equal amounts 50.00" ""
	# What one transfer reached between sockets limits all, unless links do.
	printf 'node a - -\nnode b - -\nlink a b upi\n' >sockets
	printf 'node g%s %s gen5x16\n' 0 a 1 b 2 b 3 a >>sockets
	printf 'from,to,bandwidth_gbit_s\ng0,g1,320\ng1,g2,440\n' >one
	rates --topology sockets 'g0>g1' 'g3>g2' 'g2>g3' --calibrate one
	[[ "$output" = "g0>g1 20.00 a>b socket
g3>g2 20.00 a>b socket
g2>g3 54.88 g2>b socket
"* ]] || show "40 GB/s from a to b"
	printf 'from,to,bandwidth_gbit_s\ng0,g1,430\ng1,g2,440\n' >one
	rates --topology sockets 'g0>g1' 'g3>g2' --calibrate one
	[[ "$output" = *"g3>g2 55.00 g3>a socket"* ]] || show "no limit"
	rates --topology two 'g0>host' 'g1>host' --move g1=s1
	is 0 "g0>host 28.73 g0>s0 root complex
g1>host 28.73 g1>s1 root complex
total> 57.46
total>equal amounts 57.46" ""
}

# By hand: 64 bytes take 88 on the wire, so gen4x16 carries 31.507 x 374/375 x
# 64/88 = 22.85 GB/s. The link into the root complex has the device's packets.
@test "a root complex passes on writes between devices in smaller packets" {
	two
	rates --topology two --forward 64 'g0>g2'
	[ "$output" = "g0>g2 22.85 r>s1 root complex" ] || show "cut"
	rates --topology two --forward 4K 'g0>g2'
	[ "$output" = "g0>g2 28.73 g0>s0 root complex" ] || show "whole"
	# Below a switch, from and to memory, and reads are as before.
	rates --topology two --forward 64 'g0>g1'
	[ "$output" = "g0>g1 28.73 g0>s0" ] || show "below a switch"
	rates --topology two --forward 64 'g0>m'
	[ "$output" = "g0>m 28.73 g0>s0 root complex" ] || show "to memory"
	rates --topology two --forward 64 'g0<g2'
	[ "$output" = "g2>g0 29.14 g2>s1 root complex" ] || show "reads"
	wrong "--forward 65: not a power of 2" flows --topology two \
		--forward 65 'g0>g2'
	wrong "--forward '8': a power of 2 from 16 to 4096" \
		flows --topology two --forward 8 'g0>g2'
}

# roots ID: two GPUs below root ports with this device ID.
roots() {
	tree <<-EOF
	0000:15:01.0 root first=22 last=22 gen=4 lanes=16 mps=1 at02=$1
	0000:16:00.0 endpoint gen=4 lanes=16 mps=1 ata=0x302
	0000:37:01.0 root first=56 last=56 gen=4 lanes=16 mps=1 at02=$1
	0000:38:00.0 endpoint gen=4 lanes=16 mps=1 ata=0x302
	EOF
}

@test "what a root complex does with writes is known, or said not to be" {
	roots 0x352a
	rates --dump dump 'gpu0>gpu1'
	[[ "$output" = "gpu0>gpu1 22.85 37:01.0>gpu1 root complex" &&
		"$stderr" = *Sapphire*xnvme/aisio*"--forward 4K"* ]] ||
		show "a known one, with its source"
	rates --dump dump --forward 4K 'gpu0>gpu1'
	[[ "$output" = "gpu0>gpu1 28.73 gpu0>15:01.0 root complex" &&
		"$stderr" != *Sapphire* ]] || show "what was asked for"
	rates --dump dump 'gpu0<gpu1' 'gpu0>host'
	[[ "$stderr" != *"root complex"* ]] || show "nothing about reads"
	# lspci -vv does not print the number of what has a name.
	sed 's/^\(0000:..:01.0\) .*/\1 PCI bridge: Intel Corporation Device 352a \
(rev 04)/' dump >named
	rates --dump named 'gpu0>gpu1'
	[[ "$output" = "gpu0>gpu1 22.85 "* ]] || show "by its name"
	roots 0x1234
	rates --dump dump 'gpu0>gpu1'
	[[ "$output" = "gpu0>gpu1 28.73 "* &&
		"$stderr" = *"not known"*"--forward 64"* ]] || show "unknown"
	printf 'from,to,bandwidth_gbit_s\ngpu0,gpu1,170\n' >cells
	roots 0x352a
	try pcb-model flows --join --dump dump cells -P
	[ "$(column model_gbit_s <<<"$output")" = 182.8286358974359 ] ||
		show "the bound of a cell"
}

# By hand: 92 lines of 64 bytes in 300 ns are 19.63 GB/s of writes, or of reads,
# below each root bus, in memory of any node; half if each is half a line.
@test "a host has so many lines under way" {
	local host=(--host-lines 92 --host-latency 300ns)

	roots 0x352a
	rates --dump dump "${host[@]}" 'gpu0>host gpu0<host gpu1<host gpu1>host'
	is 0 "gpu0>host 19.63 host_lines root complex
host>gpu0 19.63 host_lines root complex
host>gpu1 19.63 host_lines root complex
gpu1>host 19.63 host_lines root complex
total> 78.51
total>equal amounts 78.51" "$stderr"
	rates --dump dump "${host[@]}" -s 32 'gpu0>host'
	[ "$output" = "gpu0>host 9.81 host_lines root complex" ] ||
		show "half a line"
	rates --dump dump "${host[@]}" --forward 4K 'gpu0>gpu1'
	[ "$output" = "gpu0>gpu1 28.73 gpu0>15:01.0 root complex" ] ||
		show "no memory, no lines"
	two
	rates --topology two "${host[@]}" 'g0>host' 'g2>host' 'g3>host'
	is 0 "g0>host 6.54 host_lines root complex
g2>host 6.54 host_lines root complex
g3>host 6.54 host_lines root complex
total> 19.63
total>equal amounts 19.63" ""
	tree <<-'EOF'
	0000:00:02.0 rciep gen=0 lanes=0 ata=0x300
	0000:00:03.0 rciep gen=0 lanes=0 ata=0x300
	EOF
	rates --dump dump "${host[@]}" 'gpu0>host' 'gpu1>host'
	[[ "$output" = "gpu0>host 9.81 host_lines root complex
gpu1>host 9.81 host_lines "* ]] || show "integrated ones share them, too"
	wrong "--host-lines and --host-latency go together" flows \
		--topology two --host-lines 92 'g0>m'
}

# A link has the ratio of its own direction, at any step of a way, and only if
# the transfer would show it: g0 by half its bound, behind a narrower port.
@test "calibration: the direction, and which links a transfer shows" {
	printf '%s\n' 'node r - -' 'node s r gen4x16' 'node g0 s gen4x16' \
		'node g2 s gen4x16' 'node t r gen4x16' 'node g1 t gen4x16' >half
	printf '%s\n' from,to,bandwidth_gbit_s g0,host,91.4 g1,host,182.8 >one
	rates --topology half --calibrate one -s 64 'g2>host'
	[[ "$output" = "g2>host 11.42 s>r "* ]] || show "half, of s"
	rates --topology half --calibrate one -s 64 'g1>host'
	[[ "$output" = "g1>host 22.85 "* ]] || show "all of it"
	printf '%s\n' from,to,bandwidth_gbit_s host,g0,116.5 host,g1,233.1 >one
	rates --topology half --calibrate one 'host>g2'
	[[ "$output" = "host>g2 14.56 r>s "* ]] || show "half, down"
	sed -i 's/node g0 s gen4x16/node g0 s gen4x12/' half
	printf '%s\n' from,to,bandwidth_gbit_s g0,host,86 g1,host,229.8 >one
	rates --topology half --calibrate one 'g2>host' 'g0>host'
	[[ "$output" = "g2>host 17.98 s>r "*"g0>host 10.75 g0>s "* ]] ||
		show "the wider link is not slow"
}

# star DEVICES: all below one switch.
star() {
	printf '%s\n' 'node r - -' 'node s r gen4x16'
	seq -f 'node g%.0f s gen4x16' 0 $(($1 - 1))
}

# Not after minutes, as by the cube of the devices, or the square of the pairs.
@test "large machines" {
	star 2500 >many
	try timeout 60 pcb-model tree -P --topology many
	[[ $status = 0 && $(wc -l <<<"$output") = 2503 ]] || show "a tree"
	star 300 >many
	rates --topology many --all-pairs
	[[ $status = 0 && $(wc -l <<<"$output") = 89702 ]] || show "all pairs"
}

@test "all pairs of as many devices as a dump has" {
	local n

	for n in 1 2 3 4 5 6 7; do
		echo "0000:00:0$n.0 root first=$n last=$n gen=4 lanes=16 mps=1"
		echo "0000:0$n:00.0 endpoint gen=4 lanes=16 mps=1 ata=0x300"
	done >functions
	tree <functions
	rates --dump dump --all-pairs
	[[ $status = 0 && $(wc -l <<<"$output") = 44 &&
		$(cut -d' ' -f1 <<<"$output" | sort -u | wc -l) = 44 ]] ||
		show "each to each"
	rates --dump dump -d gpu0,gpu1,gpu2,gpu3,gpu6 --all-pairs
	[[ $status = 0 && "$output" = *"gpu6>gpu3 "* ]] || show "five of them"
}

# joined OPTION...: model_gbit_s, ratio, limit and crossing of each row.
joined() {
	try pcb-model flows --join -P "$@"
	output=$(awk -F, -v OFS=, 'NR > 1 { printf "%.1f,%.0f,%s,%s\n", $(NF - 3),
		$(NF - 2), $(NF - 1), $NF }' <<<"$output")
}

# By hand as above: 229.84 Gbit/s one way, 227.6 each of two.
@test "join: the bound of each cell, classes of paths, what stands out" {
	local a b

	two
	printf 'node n s1 gen4x4\nnode g4 s0 gen4x16\nnode g5 s1 gen4x16\n' >>two
	cat >cells <<-'EOF'
	bench,kind,device,peer,p2p,bandwidth_gbit_s
	p2p_bw,imported,gpu0,gpu1,on,206.9
	p2p_bw_bidir,imported,gpu0,gpu2,on,400
	p2p_bw,imported,gpu0,gpu2,off,114.9
	p2p_bw,imported,gpu0,gpu0,on,9000
	bw_rd,imported,gpu3,,,233.1
	bw_wr,imported,n,,,28
	bw_wr,imported,gpu3,,,
	EOF
	joined --topology two cells
	is 0 "229.8,90,g0>s0,
457.0,88,g0>s0,root complex
229.8,50,g0>s0,root complex
0.0,0,,
233.1,100,r>s1,root complex
57.5,49,n>s1,root complex
0.0,0,," "pcb-model: rows without a model: 1, the last because it is no \
transfer between two places of this machine
pcb-model: below one switch: 1 cell, median 90 % of the bound (90 to 90)
pcb-model: through the root complex: 1 cell, median 88 % of the bound (88 to 88)
pcb-model: to or from memory: 2 cells, median 74 % of the bound (49 to 100)
pcb-model: staged in memory: 1 cell, median 50 % of the bound (50 to 50)"
	# nvbandwidth: the peer reads or writes; each way of two, and the total.
	cat >cells <<-'EOF'
	bench,device,peer,bandwidth_gbit_s
	device_to_device_memcpy_read_ce,g1,g0,200
	device_to_device_memcpy_write_ce,n,g0,50
	device_to_device_memcpy_write_ce,g0,n,500
	device_to_device_bidirectional_memcpy_read_ce_read1,g1,g0,200
	device_to_device_bidirectional_memcpy_read_ce_total,g1,g0,400
	EOF
	joined --topology two cells
	is 0 "233.1,86,g1>s0,
57.5,87,s1>n,root complex
57.5,870,n>s1,root complex
222.8,90,g1>s0,
445.5,90,g1>s0," "pcb-model: 1 cell is above the bound: not over these links \
(NVLink?), or a wrong link
pcb-model: below one switch: 3 cells, median 90 % of the bound (86 to 90)
pcb-model: through the root complex: 1 cell, median 87 % of the bound (87 to 87)"
	# One slow device: all of its cells, and no other device.
	for a in 0 1 2 3 4 5; do
		for b in 0 1 2 3 4 5; do
			echo "g$a,g$b,$((a == 3 || b == 3 ? 190 : 215 + (a + b) % 3))"
		done
	done | awk -F, 'BEGIN { print "from,to,bandwidth_gbit_s" } $1 != $2' >cells
	joined --topology two cells
	[ "$stderr" = "pcb-model: below one switch: 12 cells, median 94 % of the bound \
(83 to 94)
pcb-model: through the root complex: 18 cells, median 94 % of the bound (83 to 94)
pcb-model: g3 is 12 % below the others on its paths: the device, its slot or \
link" ] || show "a slow g3"
	sed -i 's/,2[0-9]*$/,160/; s/,190$/,159/' cells
	joined --topology two cells
	[[ "$stderr" = *"all are slow: a setting"* &&
		"$stderr" != *" below the others"* ]] || show "all slow"
	joined --topology two --check 10 cells
	[ "$status" = 1 ] || show "a failed check"
}

# matrix DEVICES SLOW SWITCHES KIND...: a machine, and cells of it between all
# `peers`, to and from the `host`: 86 to 95 % of the bound, and half of that with
# one of the last SLOW devices.
matrix() {
	printf '%s\n' 'node r - -' >machine
	awk -v n="$1" -v slow="$2" -v switches="$3" -v kinds="${*:4}" '
	function cell(from, to, bench, a, b, bound, part) {
		part = 0.91 + (3 * a + 5 * b) % 5 / 100
		if (bench == "bw_rd") part -= 0.05
		if (a >= n - slow || b >= n - slow && b < 64) part /= 2
		printf "%s,%s,%s,%.2f\n", bench, from, to, part * bound
	}
	BEGIN {
		for (i = 0; i < switches; i++)
			print "node s" i " r gen5x16" >"machine.more"
		for (i = 0; i < n; i++)
			print "node g" i " s" int(i * switches / n) " gen4x16" \
				>"machine.more"
		print "bench,device,peer,bandwidth_gbit_s"
		for (i = 0; i < n && kinds ~ /host/; i++) {
			cell("gpu" i, "", "bw_wr", i, 64, 229.8)
			cell("gpu" i, "", "bw_rd", i, 65, 233.1)
		}
		for (i = 0; i < n && kinds ~ /peers/; i++)
			for (k = 0; k < n; k++)
				if (i != k) cell("gpu" i, "gpu" k, "p2p_bw", i, k, 229.8)
	}' >cells
	cat machine.more >>machine
	rm machine.more
}

# What two devices show together, neither shows alone: that is not said.
@test "join: which devices are slow, of two, four and eight" {
	local devices slow switches kinds want said

	while IFS='|' read -r kinds switches devices slow want; do
		# shellcheck disable=SC2086
		matrix "$devices" "$slow" "$switches" $kinds
		joined --topology machine cells
		# Devices that are 48 to 52 % below others; the start of all else.
		said=$(sed -E 's/^pcb-model: //; /: [0-9]+ cells?, median/d
			s/^(g[0-9]) is (4[89]|5[0-2]) % .*/\1/; s/^(all) are.*/\1/' \
			<<<"$stderr" | paste -sd' ')
		[[ $status = 0 && $said = "$want" ]] ||
			show "$kinds $switches switch, $slow of $devices: $want"
	done <<-'END'
		peers|1|2|0|
		peers|1|2|1|
		peers|1|2|2|
		peers|1|4|0|
		peers|1|4|1|g3
		peers|1|4|2|g2 g3
		peers|1|4|4|all
		peers|1|8|0|
		peers|1|8|1|g7
		peers|1|8|2|g6 g7
		peers|1|8|8|all
		host|1|2|0|
		host|1|2|1|g1
		host|1|2|2|all
		host|1|4|0|
		host|1|4|1|g3
		host|1|4|2|g2 g3
		host|1|4|4|all
		host|1|8|0|
		host|1|8|1|g7
		host|1|8|2|g6 g7
		host|1|8|8|all
		host peers|1|2|0|
		host peers|1|2|1|g1
		host peers|1|2|2|all
		host peers|1|4|1|g3
		host peers|1|4|2|g2 g3
		host peers|1|8|2|g6 g7
		peers|2|4|0|
		peers|2|4|1|g3
		peers|2|4|2|
		peers|2|4|4|all
		peers|2|8|1|g7
		peers|2|8|2|g6 g7
		host peers|2|4|0|
		host peers|2|4|1|g3
		host peers|2|4|2|g2 g3
		host peers|2|8|2|g6 g7
		host peers|2|8|8|all
	END
	# A slow path between good devices is a path.
	matrix 8 0 2 host peers
	awk -F, -v OFS=, '$3 && (substr($2, 4) < 4) != (substr($3, 4) < 4) { $4 /= 2 }
		{ print }' cells >slow
	joined --topology machine slow
	[[ "$stderr" = *"through the root complex is slow as a class"* &&
		"$stderr" != *" below the others"* ]] || show "a path"
}

@test "pcb-diff compares two plans, exactly" {
	two
	pcb-model flows --topology two --each host >before
	pcb-model flows --topology two --each host --move g1=s1 >after
	try pcb-diff --check 5 before after
	[[ $status = 1 && $output = *"model,,g0,host,after,file,before,"*",200,yes,1,within
"*"g2,host,after,file,before,"*"66.66666666666667,yes,1,worse
"* && $stderr != *unclear* ]] || show "g0 twice as fast"
	cp before again
	try pcb-diff before again
	[[ $status = 0 && $output = *,100,no,1* && $output != *unclear* ]] ||
		show "no difference"
}

@test "tree without links; drives where there is no GPU" {
	try pcb-model tree --dump "$TOP/tests/data/lspci/flat.txt"
	is 3 "" "pcb-model: no link is visible: a hypervisor may hide them"
	try pcb-model tree -f table --dump "$TOP/tests/data/lspci/guest.txt"
	is 0 "memory
  pci0000:00
    00:04.0
      nvme0 01:00.0 gen1x1, up 1.7, down 1.7 Gbit/s
    00:05.0
      02:00.0 gen1x1, up 1.7, down 1.7 Gbit/s
        03:00.0
          nic0 04:00.0 gen1x1, up 1.6, down 1.7 Gbit/s; shares the link above \
02:00.0 with nic1; reaches below the root nic1
        03:01.0
          05:00.0 gen1x1, up 1.6, down 1.7 Gbit/s
            06:00.0
              nic1 07:00.0 gen1x1, up 1.7, down 1.7 Gbit/s; to memory 1.6 \
Gbit/s by the link above 05:00.0; shares the link above 02:00.0 with nic0; \
reaches below the root nic0
    00:06.0
      08:00.0 gen1x1, up 1.7, down 1.7 Gbit/s
  pci0000:80
    80:00.0
      nvme1 81:00.0 gen1x1, up 1.7, down 1.7 Gbit/s
    80:01.0
      nic2 82:00.0 gen1x1, up 1.7, down 1.7 Gbit/s" ""
	rates --dump "$TOP/tests/data/lspci/guest.txt" --each host
	[[ "${lines[2]}" = model,,nic0,host,* && "$output" = *"nic1>host 0.10 \
02:00.0>00:05.0 root complex"* ]] || show "nic0 and nic1"
}

@test "wrong transfers and machines are refused" {
	local file line=2 ask

	two
	for ask in "'gpu9': no such device; pcb-model tree lists them|3|gpu9>g0" \
		"'g0>g0': both ends are the same|2|g0>g0" \
		"'host>m': memory starts no transfers|2|host>m" \
		"'host<g0': memory does not read: write it the other way round, \
with >|2|host<g0"; do
		try pcb-model flows --topology two "${ask##*|}"
		file=${ask%|*}
		is "${file##*|}" "" "pcb-model: ${file%|*}"
	done
	wrong "'g0': not a transfer such as 'gpu0>gpu4' (quoted, because of the \
shell)" flows --topology two g0
	wrong "flows needs transfers such as 'gpu0>gpu4', or --all-pairs, --each \
or --set" flows --topology two
	wrong "--cap 'r': not such as gpu3=20GB/s" flows --topology two g0\>g1 --cap r
	wrong "--cap 'q=1GB/s': neither a node nor A>B; pcb-model tree lists \
nodes" flows --topology two g0\>g1 --cap q=1GB/s
	try pcb-model tree --topology two -d gpu0,gpu9
	is 3 "" "pcb-model: 'gpu9': no such device; pcb-model tree lists them"
	echo flows >none
	try pcb-model flows --topology two --set none
	is 3 "" "pcb-model: none: a header, but no rows
pcb-model: no row is like this"
	wrong "--topology and --dump each give a machine: choose one" \
		tree --topology two --dump two
	while IFS='|' read -r file ask; do
		printf 'node r - -\n%s\n' "$file" >bad
		try timeout 60 pcb-model tree --topology bad
		[ "${ask#: }" != "$ask" ] || ask=":$line: $ask"
		is 2 "" "pcb-model: bad$ask"
	done <<-'EOF'
	node g0 r|not 'node NAME PARENT LINK', 'node NAME - -' or 'link NAME NAME LINK'
	node g0 r gen9x16|a link is such as gen4x16, or fabric, if, dram, xgmi, upi
	node g0 q gen4x16|: no line 'node q ...'
	node r - -|this node has a line already
	link r r fabric|a link has two ends
	link r - fabric|not 'node NAME PARENT LINK', 'node NAME - -' or 'link NAME NAME LINK'
	EOF
	# A way up must end, for whatever is asked.
	printf 'node %s gen4x16\n' 'a b' 'b a' 'g0 a' 'g1 b' >bad
	for ask in tree 'flows g0>g1' 'flows g0>g1 --move g0=g1'; do
		# shellcheck disable=SC2086
		try timeout 60 pcb-model $ask --topology bad
		is 2 "" "pcb-model: bad: a is above itself: a node without"
	done
}

@test "tree: bounds, shared links, peers, idle links" {
	machine
	try pcb-model tree --dump dump -f table --bytes
	is 0 "memory
  pci0000:00
    00:01.0
      01:00.0 gen4x8, up 14.4, down 14.6 GB/s
        02:00.0
          gpu0 03:00.0 gen4x16, up 28.7, down 29.1 GB/s (idle at gen1x16); to \
memory 14.4 GB/s by the link above 01:00.0; shares the link above 01:00.0 with \
gpu1 nvme0; reaches below the root gpu1 nvme0
        02:01.0
          gpu1 04:00.0 gen4x16, up 28.7, down 29.1 GB/s; to memory 14.4 GB/s \
by the link above 01:00.0; shares the link above 01:00.0 with gpu0 nvme0; \
reaches below the root gpu0 nvme0
        02:02.0
          nvme0 05:00.0 gen4x4, up 7.2, down 7.3 GB/s; shares the link above \
01:00.0 with gpu0 gpu1; reaches below the root gpu0 gpu1
    00:02.0
      gpu2 06:00.0 gen4x16, up 28.7, down 29.1 GB/s" "pcb-model: gpu0, gpu1 ... \
count in the order of buses, as nvidia-smi does; CUDA's own order may differ"
	try pcb-model tree --dump dump -P -d gpu2
	[ "$output" = "kind,device,name,parent,link,idle_link,best_link,bw_wr_gbit_s,\
bw_rd_gbit_s,path_gbit_s,limiting_link,shared_link,shared_with,peers,acs_peers,node
model,memory,,,,,,,,,,,,,,
model,pci0000:00,,memory,,,,,,,,,,,,
model,0000:00:02.0,,pci0000:00,,,,,,,,,,,,
model,0000:06:00.0,gpu2,0000:00:02.0,gen4x16,,,229.8417136996337,\
233.1124237264073,229.8417136996337,0000:06:00.0,,,,," ] || show "rows of gpu2"
	# The link has less than both ends support.
	tree <<-EOF
	0000:00:02.0 root first=6 last=6 gen=4 lanes=4 mps=1 at4c=0x104
	0000:06:00.0 endpoint gen=4 lanes=4 mps=1 at4c=0x84 ata=0x300
	EOF
	try pcb-model tree --dump dump -P -f csv
	[[ "$output" = *"gpu0,0000:00:02.0,gen4x4,,gen4x8,57."* ]] || show "gen4x8"
	try pcb-model tree --dump dump -f table
	[[ "$output" = *" (both ends support gen4x8)"* ]] || show "gen4x8"
	# ACS sends what enters at these ports up: both ways over the uplink.
	machine 12
	rates --dump dump 'gpu0>gpu1' '05:00.0>gpu0'
	is 0 "gpu0>gpu1 14.22 01:00.0>00:01.0 root complex
05:00.0>gpu0 7.18 nvme0>02:02.0
total> 21.41
total>equal amounts 14.37" "$stderr"
	try pcb-model tree --dump dump -f table
	[[ "$output" = *"gpu1 04:00.0 "*"; ACS sends through the root: gpu0 nvme0"* ]]
}

# listing NODE...: a root port of its own bus for each, with a GPU; "-": unsaid.
listing() {
	local n=0 node

	for node; do
		node=${node/[0-9]/	NUMA node: &}
		printf '%s:00.0 PCI bridge: A
%s
	Bus: primary=%s, secondary=%s, subordinate=%s, sec-latency=0
	Status: Cap+
	Capabilities: [58] Express (v2) Root Port (Slot+), MSI 00
		DevCtl:	MaxPayload 256 bytes
%s:00.0 3D controller: NVIDIA B
	Status: Cap+
	Capabilities: [78] Express (v2) Endpoint, MSI 00
		DevCtl:	MaxPayload 256 bytes, MaxReadReq 512 bytes
		LnkCap:	Port #0, Speed 16GT/s, Width x16, ASPM not supported
		LnkSta:	Speed 16GT/s, Width x16\n' $((n + 10)) "${node#-}" \
			$((n + 10)) $((n + 11)) $((n + 11)) $((n + 11))
		n=$((n + 10))
	done >nodes
}

@test "a listing says which NUMA node a root bus is on" {
	listing 0 0 1
	rates --dump nodes 'gpu0>gpu1' 'gpu0>gpu2'
	[[ "$output" = *" root complex
gpu0>gpu2"*" socket
total"* ]] || show "gpu2 on another socket"
	# Laptops say it of one function: the node of all.
	listing - 0 -
	try pcb-model tree --dump nodes -f table
	[[ "$output" = node0* && "$output" != *memory* ]] || show "one node"
	listing 0 - 1
	rates --dump nodes 'gpu0>gpu1' 'gpu2>gpu1' 'gpu2>gpu0'
	[[ "$output" = *" root complex
gpu2>gpu1"*" root complex
gpu2>gpu0"*" socket
total"* ]] || show "an unknown node"
}
