#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later

load helpers

tests pcb-model nic

# prints WANTED OPTION...: the rows, from options and files alone.
prints() {
	gives '' "$@" --accounting pcie-bench
}

# bad ROWS MESSAGE: a file of these steps, each row ending in \n.
bad() {
	printf "$steps$1" >bad.csv
	try pcb-model nic -M bad.csv
	is 2 "" "pcb-model: bad.csv$2" "$1"
}

# column_of NAME OPTION...: the column NAME of the rows.
column_of() {
	pcb-model nic -P --accounting pcie-bench "${@:2}" |
		column "$1" | xargs
}

# wrong_nic MESSAGE OPTION...: a usage error.
wrong_nic() {
	try pcb-model nic "${@:2}" </dev/null
	stderr=${stderr/ nic --help/ --help}
	is 2 "" "pcb-model: $1
Try 'pcb-model --help'."
}

gen3=gen3x8/mps256/mrrs512/rcb64
steps='direction,who,access,bytes,every,comment\n'
header=kind,bench,interaction,direction,link,accounting,completer
frames=$header,frame_bytes,tx_bytes,rx_bytes,bandwidth_gbit_s,frames_per_s
frames+=,limited_by,ethernet,ethernet_gbit_s,ethernet_frames_per_s
frames+=,tx_needed_gbit_s,rx_needed_gbit_s
blocks=$header,size_bytes,tx_bytes,rx_bytes,bandwidth_gbit_s,blocks_per_s
blocks+=,limited_by

@test "frames, next to an Ethernet" {
	# Steps by hand: manual page, How packets are counted.
	try pcb-model nic -M simple --frame 64 -P --accounting pcie-bench
	[ "$status" = 0 ]
	[ "$stderr" = "" ]
	[ "${lines[0]}" = "$frames" ]
	[ "${lines[1]%,11.5*}" = "model,nic,simple,both,$gen3,pcie-bench,combine,64,300,256" ]
	[ "${#lines[@]}" = 2 ]
	# 64 bytes, 8 of preamble and a gap of 12; 60 of the 64 cross the link.
	[ "$(column_of ethernet_frames_per_s -M simple --frame 64 --rate 100G)" \
		= 148809523.80952382 ]
	[ "$(column_of ethernet_gbit_s -M ideal --frame 64,1518 --rate 84G)" = \
		'60 82.68920676202862' ]
	# 84 bytes for each frame of 64, on the link and on the Ethernet.
	printf "${steps}rx,device,write,frame,1,\n" >mine.csv
	prints "$frames\nmodel,nic,mine,rx,$gen3,pcie-bench,combine,64,84,0\
,41.34626116195169,86138044.08739935,tx_bytes,40G,28.57142857142857\
,59523809.52380952,40,0" -M mine.csv --frame 64
}

@test "Figure 1, as corrected" {
	digits() {
		pcb-model nic -P -M "$1" --frame 64,512,1500 \
			--accounting pcie-bench |
			column bandwidth_gbit_s |
			awk '{ printf "%s%.3f", s, $1; s = " " }'
	}
	[ "$(digits simple)" = '11.577 38.090 45.481' ]
	[ "$(digits niantic-kernel)" = '15.719 42.435 47.451' ]
	[ "$(digits niantic-dpdk)" = '18.070 44.272 48.210' ]
}

@test "both directions share what the link has for one" {
	for name in simple niantic-kernel niantic-dpdk virtio-net; do
		for side in tx_bytes rx_bytes; do
			both=$(column_of $side -M $name --frame 512)
			apart=$(for d in rx tx; do
				column_of $side -M $name --frame 512 \
					--direction $d
			done | paste -sd ' ' -)
			awk -v b="$both" -v a="$apart" 'BEGIN {
				split(a, x, " ")
				d = b - x[1] - x[2]
				exit !(d < 1e-9 && d > -1e-9)
			}' || {
				echo "$name $side: $both is not the sum of $apart"
				return 1
			}
		done
	done
	# An ideal device equals a bench that reads and writes.
	[ "$(column_of bandwidth_gbit_s -M ideal --frame 516)" = \
		"$(pcb-model bw_rdwr -s 512 -P --accounting pcie-bench |
			column bandwidth_gbit_s)" ]
}

@test "a processor writes 64 bytes at a time; virtio-net by hand" {
	# A queue in the device: 128 bytes are two packets, for any MPS.
	printf "${steps}tx,host,write,128,1,\ntx,device,read,frame,1,\n" >push.csv
	for mps in 128 256; do
		[ "$(column_of rx_bytes -M push.csv --frame 68 --mps $mps)" = \
			260 ]
	done

	# virtio-net.
	# 64 bytes of data. Received: 24 / 4 for descriptors, 24 + 76, 88 / 4
	# back, 24 / 32 for a structure, 28 / 32 for an interrupt. The host
	# writes 28 / 32, and sends 84 / 4 and 24 / 32.
	[ "$(column_of tx_bytes -M virtio-net --frame 68 --direction rx)" = \
		129.625 ]
	[ "$(column_of rx_bytes -M virtio-net --frame 68 --direction rx)" = \
		22.625 ]
}

@test "mlx5, Corundum and XDMA by hand" {
	# 64 bytes of data. Received: 24 / 4 for WQEs, 24 + 64, a CQE of 88, of
	# which compression leaves 88 / 8 + 88 / 64. The host sends 84 / 4.
	[ "$(column_of tx_bytes -M mlx5 -M mlx5-compressed \
		-M mlx5-blueflame --frame 68 --direction rx)" = \
		'182 106.375 200' ]
	[ "$(column_of rx_bytes -M mlx5 -M mlx5-compressed \
		-M mlx5-blueflame --frame 68 --direction rx)" = '21 21 36' ]
	# Sent: 24 for a WQE, 24 for the frame, 88 / 32 for a CQE. The host
	# sends 32 / 32 and twice 84; by BlueFlame 88 in place of one.
	[ "$(column_of tx_bytes -M mlx5 -M mlx5-blueflame --frame 68 \
		--direction tx)" = '50.75 112' ]
	[ "$(column_of rx_bytes -M mlx5 -M mlx5-blueflame --frame 68 \
		--direction tx)" = '169 172' ]

	# Corundum.
	# 64 bytes of data. Sent: two requests of 24, a completion of 56, 56 / 32
	# for an event, 28 / 32 for an interrupt; the host sends a doorbell of
	# 28, 36 and 84, and twice 28 / 32. Received: 24, 88, 56 and the same;
	# the host sends 28 / 8, 36 and twice 28 / 32.
	[ "$(column_of tx_bytes -M corundum --frame 68 --direction tx)" = \
		106.625 ]
	[ "$(column_of rx_bytes -M corundum --frame 68 --direction tx)" = \
		149.75 ]
	[ "$(column_of tx_bytes -M corundum --frame 68 --direction rx)" = \
		170.625 ]
	[ "$(column_of rx_bytes -M corundum --frame 68 --direction rx)" = 41.25 ]

	# XDMA.
	# 64 bytes of data. Both directions: a request of 24 and 52 for the
	# descriptor, an interrupt of 28, 7 register writes of 28, and 5 register
	# reads: requests of 24, completions of 24.
	[ "$(column_of tx_bytes -M xdma -s 64 --direction tx)" = \
		$((24 + 24 + 28 + 5 * 24)) ]
	[ "$(column_of rx_bytes -M xdma -s 64 --direction tx)" = \
		$((52 + 84 + 7 * 28 + 5 * 24)) ]
	[ "$(column_of tx_bytes -M xdma -s 64 --direction rx)" = \
		$((24 + 88 + 28 + 5 * 24)) ]
	[ "$(column_of rx_bytes -M xdma -s 64 --direction rx)" = \
		$((52 + 7 * 28 + 5 * 24)) ]
}

@test "blocks; sizes of frames; tags, gaps and rates" {
	# 4096 bytes in 16 packets: 16 x 24 + 4096, 24 to read a command, 40 and
	# 28 to report; two doorbells and 64 + 20 of a command are received.
	prints "$blocks
model,nic,nvme-read,rx,$gen3,pcie-bench,combine,4096,4572,140,51.85826771808743\
,1582588.7365138987,tx_bytes" -M nvme-read
	# 8 x 24 to request the data, which arrive in 16 x 20 + 4096.
	prints "$blocks
model,nic,nvme-write,tx,$gen3,pcie-bench,combine,4096,284,4556,52.040386305332696\
,1588146.5547281706,rx_bytes" -M nvme-write --direction tx
	[ "$(column_of tx_bytes -M nvme-read -M nvme-write -s 512,4K)" = \
		'652 4572 116 284' ]

	# Sizes of frames.
	[ "$(column_of frame_bytes -M simple | wc -w)" = 92 ]
	[ "$(column_of frame_bytes -M ideal --frame 64,64K)" = '64 65536' ]
	[ "$(column_of frame_bytes -M ideal --vlan --frame 60)" = 60 ]
	[ "$(column_of frame_bytes -M ideal --vlan --frame 64K)" = 65536 ]

	# Tags, gaps and rates.
	# 68 + 8 + 12 = 88 bytes; 60 + 4 with the tag need no padding.
	[ "$(column_of ethernet_frames_per_s -M ideal --vlan --frame 64,60 \
		--rate 88G)" = '125000000 130952380.95238096' ]
	[ "$(column_of ethernet_frames_per_s -M ideal --ifg 8 --frame 64 \
		--rate 1G)" = 1562500 ]
	[ "$(column_of ethernet -M ideal --ifg 8 --vlan --frame 64 \
		--rate 2500M)" = 2.5G/vlan/ifg8 ]
	[ "$(column_of ethernet -M ideal --ifg 12 --frame 64 --rate 800G)" = 800G ]
}

@test "the link is that of the options; bounds are those of the device" {
	# CplD of at most 128: 40 descriptors take 5 of them, not 3.
	[ "$(column_of rx_bytes -M niantic-dpdk --frame 64 --direction tx)" = \
		98.375 ]
	[ "$(column_of rx_bytes -M niantic-dpdk --frame 64 --direction tx \
		--mps 128)" = 99.375 ]
	# 32-bit addresses save 4 bytes per request, for either requester.
	[ "$(column_of tx_bytes -M simple --frame 64 --addr 32)" = 272 ]
	[ "$(column_of rx_bytes -M simple --frame 64 --addr 32)" = 240 ]
	try pcb-model nic -M simple --link pci32/33
	is 2 "" "pcb-model: pci32/33: only PCI Express is modelled"

	# Bounds are those of the device.
	# Three reads by the device for a packet each way.
	[ "$(column_of frames_per_s -M simple --frame 64 --inflight 3 \
		--rtt 1us)" = 1000000 ]
	[ "$(column_of limited_by -M simple --frame 64 --inflight 3 --rtt 1us)" \
		= inflight ]
	# Four writes by the device, of 60, 16 and twice 4 bytes.
	[ "$(column_of frames_per_s -M simple --frame 64 --pd 14 --loop 1us)" = \
		2000000 ]
	[ "$(column_of frames_per_s -M simple --frame 64 --ph 8 --loop 1us)" = \
		2000000 ]
	wrong_nic "--inflight and --rtt go together" -M simple --rtt 1us
}

@test "the interactions that come along" {
	try pcb-model nic -M help
	[ "$status" = 0 ]
	[ "$stderr" = "" ]
	[ "${lines[1]}" = \
		'ideal           Nothing but the frames: what the link leaves for them' ]
	[ "${#lines[@]}" = "$(find "$TOP"/share/pcb-tools/nic -name '*.csv' | wc -l)" ]
	names=$(awk '{ print $1 }' <<<"$output")
	for name in $names; do
		try pcb-model nic -M "$name"
		[ "$status" = 0 ] && [ "$stderr" = "" ] || show "rows of $name"
	done
}

@test "installed, they are found from where the program is" {
	[ "$(command -v pcb-model)" = "$TOP/bin/pcb-model" ] ||
		skip "these are not the programs of make"
	make -C "$TOP" -s install DESTDIR="$PWD/root" PREFIX=/usr >/dev/null
	[ -e root/usr/share/pcb-tools/nic/simple.csv ]
	echo '# Made for a test' >root/usr/share/pcb-tools/nic/other.csv
	try root/usr/bin/pcb-model nic -M help
	[[ "$status $output" == *'other           Made for a test'* ]]
	echo device,cause >root/usr/share/pcb-tools/nic/other.csv
	try root/usr/bin/pcb-model nic -M help
	[ "$status" = 2 ]
	[[ "$stderr" = *'/nic/other.csv: the first line does not say what it is' ]]
	rm root/usr/share/pcb-tools/nic/other.csv
	make -C "$TOP" -s uninstall DESTDIR="$PWD/root" PREFIX=/usr >/dev/null
	[ ! -e root/usr/share/pcb-tools ]
}

@test "wrong options are refused, with a pointer to the help" {
	wrong_nic "choose a driver model with -M (-M help lists them)"
	wrong_nic "-M 'nosuch': no such driver model (-M help lists them)" -M nosuch
	wrong_nic "-M 'nian': no such driver model (did you mean niantic-dpdk or \
niantic-kernel?) (-M help lists them)" -M nian
	wrong_nic "--direction 'up': not one of: rx tx both" --direction up
	wrong_nic "--direction 'tx': 'nvme-read' has only rx" \
		-M nvme-read --direction tx
	wrong_nic "--direction 'both': 'nvme-write' has only tx" \
		-M nvme-write --direction both
	wrong_nic "-M 'nvme-read': it moves blocks, and 'simple' does not" \
		-M simple -M nvme-read
	wrong_nic "-s: 'simple' moves frames: use --frame" -M simple -s 64
	for option in '--frame 64' '--rate 10G' '--vlan' '--ifg 8'; do
		# shellcheck disable=SC2086
		wrong_nic "'nvme-read' moves blocks: --frame, --rate, --vlan and \
--ifg do not apply" -M nvme-read $option
	done
	wrong_nic "-s: a block has at most 16M" -M nvme-read -s 17M
	wrong_nic "--frame: an Ethernet frame has at least 64 bytes" \
		-M simple --frame 64,63
	wrong_nic "--frame: an Ethernet frame has at least 64 bytes" \
		-M simple --vlan --frame 59
	wrong_nic "--frame: a frame has at most 64K" -M simple --frame 65537
	wrong_nic "--rate '40q': not a rate such as 100G or 100Gbit/s" --rate 40q
	for rate in 999999999 801G; do
		wrong_nic "--rate '$rate': an Ethernet rate is 1G to 800G" \
			-M simple --rate $rate
	done
	wrong_nic "--ifg '0': a gap has 1 to 255 bytes" --ifg 0
	wrong_nic "--ifg '256': a gap has 1 to 255 bytes" --ifg 256
	wrong_nic "'x4': one link at a time" -M simple x16 x4
	wrong_nic "--offset is for bw_rd, bw_wr, bw_rdwr and lat, not for nic" -M simple --offset 64
	try pcb-model bw_rd -M simple
	is 2 "" "pcb-model: -M is for nic, not for bw_rd
Try 'pcb-model bw_rd --help'."
}

@test "bad interactions are refused, and the place is named" {
	try pcb-model nic -M ./none
	is 2 "" "pcb-model: ./none: No such file or directory"
	bad '' ': a header, but no rows
pcb-model: bad.csv: no steps'
	bad 'both,device,write,frame,1,\n' ":2: direction: 'both': not rx or tx"
	bad 'rx,driver,write,frame,1,\n' ":2: who: 'driver': not host or device"
	bad 'rx,device,dma,frame,1,\n' ":2: access: 'dma': not write or read"
	bad 'rx,device,write,-4,1,\n' ":2: bytes: '-4': not a whole number such as 42"
	bad 'rx,device,write,,1,\n' ":2: bytes: '': empty"
	bad 'rx,device,write,0,1,\n' ":2: bytes: '0': must be at least 1"
	for bytes in frames Frame frame-4; do
		bad "rx,device,write,$bytes,1,\n" ":2: bytes: '$bytes': not a \
number, frame or frame+n, block or block+n"
	done
	bad 'rx,device,write,frame+,1,\n' ":2: bytes: 'frame+': empty"
	bad 'rx,device,write,16777217,1,\n' \
		":2: bytes: '16777217': must be at most 16777216"
	bad 'rx,device,write,99999999999999999999,1,\n' \
		":2: bytes: '99999999999999999999': out of range"
	bad 'rx,device,write,frame,0,\n' ":2: every: '0': must be at least 1"
	bad 'rx,device,write,frame,1.5,\n' ":2: every: '1.5': not a whole number such as 42"
	bad 'rx,device,write,frame,1048577,\n' \
		":2: every: '1048577': must be at most 1048576"
	bad 'rx,device,write,frame,1048573,\nrx,device,read,4,2,\n' \
		":3: every: '2': the steps repeat after 2097146 packets, \
more than 1048576"
	bad 'rx,device,write,frame,1,\nrx,device,write,block,1,\n' \
		":3: bytes: 'block': earlier rows have frame"
	bad 'rx,device,write,frame\n' ':2: 4 fields where the header has 6'
	bad 'rx,device,write,4,1,\n' ": no step moves a 'frame' or a 'block'"
	bad 'rx,device,write,frame,1,\ntx,device,read,16,1,\n' \
		': no step of tx moves a frame or block'
	bad 'tx,device,read,frame,1,\nrx,device,write,16,1,\n' \
		': no step of rx moves a frame or block'
	steps='' bad '' ': 0 bytes: nothing to read'
	steps='direction,who,access,bytes\nrx,device,write,frame\n' bad '' \
		": no column 'every': there are direction, who, access, bytes"
	steps="# pcb-csv: 1\n$steps" bad 'rx,device,write,frame,1,\n' \
		': the stream was cut short after 1 rows
pcb-model: bad.csv: not a whole number'
	for ((i = 0; i < 1025; i++)); do
		echo rx,device,write,frame,1,
	done >rows
	bad "$(cat rows)\n" ':1026: direction: more than 1024 steps'
}

@test "an interaction of the largest numbers has its rates" {
	printf "${steps}rx,device,read,frame+16777216,1048576,\n" >large.csv
	for ((i = 0; i < 1023; i++)); do
		echo rx,host,write,16777216,1,
	done >>large.csv
	try pcb-model nic -M large.csv --frame 64K --mps 128 -P
	[ "$status" = 0 ]
	[ "$stderr" = "" ]
	# 1023 x 262144 packets of 64 + 24 bytes, and the completions of a
	# read, 131584 x 20 + 16842748, over 1048576 packets.
	[[ "${lines[1]}" == *,65536,*,23599251474.57226,*,rx_bytes,* ]]
}
