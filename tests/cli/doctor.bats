#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# pcb-doctor: for each finding a dump that has it, and one that does not.

load helpers

tests pcb-doctor

setup() {
	cd "$BATS_TEST_TMPDIR" || exit
	device=root/sys/bus/pci/devices/0000:01:00.0
}

# cells NAME,...: these columns of the CSV on stdin.
cells() {
	awk -v names="$1" '
		/^#/ { next }
		{
			cells = 0
			quoted = ""
			n = split($0, part, ",")
			for (i = 1; i <= n; i++) {
				quoted = quoted (quoted == "" ? "" : ",") part[i]
				if (gsub(/"/, "\"", quoted) % 2)
					continue
				cell[++cells] = quoted
				quoted = ""
			}
		}
		!nwanted {
			nwanted = split(names, wanted, ",")
			for (i = 1; i <= cells; i++)
				at[cell[i]] = i
			next
		}
		{
			for (i = 1; i <= nwanted; i++)
				printf "%s%s", cell[at[wanted[i]]],
					i < nwanted ? " " : "\n"
		}'
}

# findings: of the last run, "check sure" of each; by design with the reason.
findings() {
	local found

	found=$(cells finding,certainty,reason <<<"$output")
	found=${found//by design /by_design:}
	found=${found// $'\n'/$'\n'}
	echo "${found% }"
}
# finds WANTED...: the findings for the functions on stdin, from their bytes and
# from lspci's text.
finds() {
	local wanted want_status=0

	printf -v wanted '%s\n' "$@"
	wanted=${wanted%$'\n'}
	[[ $wanted != *certain* ]] || want_status=1
	tree
	try pcb-doctor -P --dump dump
	if [ "$status" != $want_status ] || [ "$(findings)" != "$wanted" ] ||
		[ "$stderr" ]; then
		findings
		show "(status $want_status) $wanted"
	fi
	hash lspci 2>/dev/null || return 0
	bytes=${output//--dump dump/--dump listing}
	lspci -F dump -vvv >listing 2>/dev/null
	try pcb-doctor -P --dump listing
	[ "$output" = "$bytes" ] || show "$bytes"
}

# above WORDS: a root port with a slot, gen 3 x8, that reports changes of its link; below
# WORDS: a gen 3 x8 NIC on it with an MPS of 256 bytes.
above="0000:00:01.0 root at42=0x142 first=1 last=1 gen=3 lanes=8 mps=1 at44=1 at4c=0x103 at4e=0x20 at70=3"
below="0000:01:00.0 endpoint gen=3 lanes=8 mps=1 at44=0x8001 at4c=0x83 at48=0x2030 at70=3"

# link WORDS WORDS: port and device with these changes.
link() {
	printf '%s\n' "$above $1" "$below $2"
}

@test "what is wrong" {
	wrong "unrecognized option '--no-such'" --no-such
	wrong "-f 'xml': not csv, table, md, json, jsonl or openmetrics" -f xml
	try pcb-doctor nvme77
	is 3 "" "pcb-doctor: nvme77: no such device ('pcb-collect list'"
	wrong "--dump describes another machine: not with --root" --dump x --root y
	echo nothing >file
	try pcb-doctor file
	[[ "$status $stderr" = "2 pcb-doctor: file: no PCI function in it: "* ]]
	try pcb-doctor --watch 1s nvme77
	is 3 "" "pcb-doctor: nvme77: no such device (a command stands behind --)"
	wrong "--watch is for this machine, not for a dump" --watch 1s --dump x
	try timeout 9 pcb-doctor --watch 1h --against missing
	is 2 "" "pcb-doctor: missing: No such file or directory"
	wrong "--watch '1us': links are read every 100 ms: at" --watch 1us
	try pcb-doctor --dump missing
	is 2 "" "pcb-doctor: missing: No such file or directory"
	echo nothing >file
	try pcb-doctor --dump file
	[[ "$status $stderr" = "2 pcb-doctor: file: no PCI function in it: "* ]]
	try pcb-doctor --root "$PWD"
	is 3 "" "pcb-doctor: $PWD/sys/bus/pci: no PCI on this machine"
	link | tree
	try pcb-doctor --dump dump 02:00.0
	is 2 "" "pcb-doctor: 02:00.0: no such device in the dump"
}

@test "a sound link has no finding" {
	link | finds
	link "lanes=16" "lanes=16 at4c=0x103" | finds
}

@test "a link narrower than both ends can" {
	link "lanes=4" "lanes=4" | finds "link_width certain"
	# If the ends disagree, the link may be made up.
	link "lanes=8" "lanes=4" | finds "link_width likely"
	# Hardware has narrowed it autonomously, at full rate: not to save power.
	link "lanes=4 at52=0x8043" "lanes=4" | finds "link_width certain"
	link "lanes=4 gen=1 at52=0x8041" "lanes=4 gen=1" |
		finds "link_width likely" "link_speed by_design:idle"
	link "lanes=4 gen=3" "lanes=4 at34=0x80 at80=0x4001 at84=3" |
		finds "link_width likely" "power by_design:idle"
	# So has one of eight GPUs at rest.
	link "gen=1 lanes=4" "gen=1 lanes=4 at0a=0x0300" |
		finds "link_width likely" "link_speed by_design:idle"
	# Without a slot the board decides; GPUs are often wired narrower.
	link "lanes=4 at42=0x42" "lanes=4" | finds "link_width by_design:board"
	link "lanes=4" "lanes=4 at0a=0x0300" | finds "link_width likely"
	# An I210 is a Gigabit NIC: it loses nothing.
	link "lanes=1" "lanes=1 at02=0x1533" | finds "link_width by_design:device"
	# Not if registers contradict each other: a rate above the maximum.
	link "gen=4 lanes=4 at4c=0x44" "gen=4 lanes=4 at4c=0x83" | finds
	# The port's maximum is no fault of the link.
	link "lanes=4 at4c=0x43" "lanes=4" | finds "link_slot by_design:slot"
	# Registers that contradict each other: a link faster than its device.
	link "lanes=4 at4c=0x43" "lanes=4 at4c=0x82" | finds
	# Nothing is plugged in.
	link "lanes=0" "lanes=0" | tree
	try pcb-doctor -P --dump dump
	[ "$status$(findings)" = 3 ]
}

@test "a link slower than both ends can" {
	link "gen=1" "gen=1" | finds "link_speed certain"
	# Somebody has lowered the target; no slot; no report of changes.
	finds "link_speed likely" < <(link "gen=1 at70=1" "gen=1")
	[[ $output == *"of this slot"* ]] || show "a slot"
	finds "link_speed likely" < <(link "gen=1 at70=1 at42=0x42" "gen=1")
	[[ $output != *"slot"* ]] || show "no slot"
	link "gen=1 at42=0x42" "gen=1" | finds "link_speed likely"
	link "gen=1 at4e=0" "gen=1" | finds "link_speed likely"
	link "gen=1 at50=0x800" "gen=1" | finds "link_speed likely"
	# A GPU's driver slows an idle link, whatever the target is.
	for gpu in at0a=0x0300 at0a=0x0302 at0a=0x1200; do
		link "gen=1" "gen=1 $gpu" | finds "link_speed by_design:idle"
		link "gen=1 at70=1" "gen=1 $gpu" |
			finds "link_speed by_design:idle"
	done
	link "gen=1 at52=0x8081" "gen=1" | finds "link_speed by_design:idle"
	link "gen=1 at4c=0x101" "gen=1" | finds "link_slot by_design:slot"
	# What an idle GPU hides: its port is slower, too.
	link "gen=1 at4c=0x102" "gen=1 at0a=0x0300" |
		finds "link_slot by_design:slot" "link_speed by_design:idle"
}

@test "switches: on a GPU's card, in a chipset, of USB4" {
	card() {
		cat <<-EOF
		0000:00:01.0 root at42=0x142 first=1 last=3 gen=3 lanes=4 mps=1 at44=1 at4c=$1
		0000:01:00.0 upstream $2 first=2 last=3 gen=3 lanes=4 mps=1 at44=1 at4c=0x83
		0000:02:00.0 downstream $3 first=3 last=3 gen=3 lanes=8 mps=1 at44=1 at4c=0x83
		${below/01:00.0/03:00.0} at0a=0x0300
		EOF
	}
	# The link to the slot is judged, not those on the card.
	finds "link_slot by_design:slot" < <(card 0x43)
	[ "$(cells device <<<"$output")" = 0000:01:00.0 ]
	[[ $output == *"on the card of GPU 03:00.0"* ]]
	card 0x83 | finds "link_width likely"
	# With slots, the switch is on the board.
	card 0x43 "" at42=0x162 | finds "link_uplink by_design:uplink"
	# AMD's chipset is wired as the board decides.
	card 0x83 at00=0x1022 at42=0x162 |
		finds "link_width by_design:board" "link_uplink by_design:uplink"
	# 2.5 GT/s x4 is what a tunnel says.
	finds "link_uplink by_design:tunnel" <<-EOF
	0000:00:01.0 root at42=0x142 first=1 last=3 gen=1 lanes=4 mps=1 at44=1 at4c=0x41
	0000:01:00.0 upstream first=2 last=3 gen=1 lanes=4 mps=1 at44=1 at4c=0x41
	0000:02:00.0 downstream at42=0x162 first=3 last=3 gen=3 lanes=8 mps=1 at44=1 at4c=0x83
	${below/01:00.0/03:00.0} at0a=0x0300
	EOF
}

@test "functions that are no devices of their own" {
	# Placeholders and others without bulk data; inside a CPU of AMD.
	for class in 0x0880 0x1300 0x1080 0x0700; do
		link "mps=0" "at48=0x2010 at0a=$class" | finds
	done
	link "mps=0 at00=0x1022 at42=0x42" "at48=0x2010 at00=0x1022" | finds
	# Costs are those of the link awake.
	for speed in 1 3; do
		link "mps=0 gen=$speed" "gen=$speed at48=0x2010 at0a=0x0300" | tree
		pcb-doctor -P --dump dump | cells finding,now_gbit_s,could_gbit_s |
			grep '^mps ' >cost.$speed
	done
	diff cost.1 cost.3
	# Functions of a device share its link.
	{
		link "mps=0" "at48=0x2010"
		echo "${below/01:00.0/01:00.1} at48=0x2010"
	} | finds "mps likely"
	# Only one end was pasted.
	echo "$below lanes=4" | tree
	try pcb-doctor -P --dump dump
	[ "$status$(findings)" = "3link_unseen by_design:unseen" ]
	# A hypervisor shows no port.
	printf '%s\n' "$below lanes=4" "0000:00:02.0 conventional at00=0x1b36" | tree
	try pcb-doctor -P --dump dump
	[ "$status$(findings)" = 3 ]
}

@test "a finding of a GPU is verified by the backend of its vendor" {
	link "lanes=4" "lanes=4 at00=0x10de at0a=0x0300" | tree
	try pcb-doctor -P --dump dump
	[ "$(cells verify <<<"$output")" = \
		"pcb-collect bw_rd -d gpu:01:00.0 -s 512 | pcb-stats" ]
	link "lanes=4" "lanes=4 at00=0x1002 at0a=0x0300" | tree
	try pcb-doctor -P --dump dump
	[ "$(cells verify <<<"$output")" = \
		"pcb-collect bw_rd -d vulkan:01:00.0 -s 512 | pcb-stats" ]
}

@test "cost of a link: the model of the path, as it is and as it could be" {
	link "lanes=4" "lanes=4" | tree
	try pcb-doctor -P --dump dump
	now=$(pcb-model bw_rd -P -s 512 --accounting traffic --dump dump \
		--device 01:00.0 | cells bandwidth_gbit_s)
	link | tree
	could=$(pcb-model bw_rd -P -s 512 --accounting traffic --dump dump \
		--device 01:00.0 | cells bandwidth_gbit_s)
	[ "$(cells now_gbit_s,could_gbit_s <<<"$output")" = "$now $could" ]
	[ "$(cells cost <<<"$output")" = \
		"$(awk "BEGIN { printf \"%.1f of %.1f\", $could - $now, $could }") Gbit/s of reads of 512 bytes" ]
}

@test "a link above a switch that carries less" {
	finds "link_uplink by_design:uplink" <<-EOF
	0000:00:01.0 root first=1 last=3 gen=3 lanes=4 mps=1 at44=1 at4c=0x43
	0000:01:00.0 upstream first=2 last=3 gen=3 lanes=4 mps=1 at44=1 at4c=0x43
	0000:02:00.0 downstream first=3 last=3 gen=3 lanes=8 mps=1 at44=1 at4c=0x83
	${below/01:00.0/03:00.0}
	EOF
}

@test "payload: below what the path can, and beyond what its port takes" {
	link "mps=0" "at48=0x2010" | finds "mps likely"
	link "mps=0 at44=0" "at48=0x2010" | finds
	link "mps=0 at44=0" "at48=0x2030" | finds "mps_mismatch certain"
	link "mps=1" "at48=0x2010" | finds "mps likely"
	# MRRS keeps completions small: pci=pcie_bus_perf.
	link "mps=1 at44=0" "at48=0x0010 at44=0x8000" |
		finds "mrrs by_design:payload"
}

@test "requests: size" {
	# 32 reads of 128 bytes per microsecond are below the rate of x8.
	link "" "at48=0x0030" | finds "mrrs likely"
	# 256 are not, and 24 bytes per request matter little.
	link "" "at48=0x0130" | finds
	link "" "at48=0x1030" | finds
}

@test "ASPM: slower than the device tolerates" {
	# L1 takes 16 us to leave, 2 us are tolerated; any time is; off.
	slow="aspm=2 at4c=0x0883 at4e=0x22"
	link "$slow" "$slow at44=0x8201" | finds "aspm_latency certain"
	pcb-doctor -f jsonl --dump dump |
		grep -qF 'echo 0 >/sys/bus/pci/devices/0000:01:00.0/link/l1_aspm'
	# Nothing follows from a cut word.
	if [ -e listing ]; then
		sed '/DevCap:/s/, L1 .*/, L1 unlim/' listing >torn
		try pcb-doctor -P --dump torn
		[ "$status$(findings)" = 0 ] || show "nothing"
	fi
	link "$slow" "$slow at44=0x8e01" | finds "aspm by_design:power"
	link "$slow" "$slow at44=0x8e01 at0a=0x0106" | finds
	link "$slow aspm=0" "$slow at44=0x8201" | finds
	link "$slow" "$slow aspm=0 at44=0x8201" | finds
}

@test "L1.2 of a NIC, and tolerance that its port does not hear of" {
	on="aspm=2 at4c=0x0883 at100=0x1e at102=1 at104=0x1f at108=4 at10c=0x29"
	link "$on" "$on at44=0x8e01" |
		finds "aspm by_design:power" "aspm_l1_2 by_design:power"
	try pcb-doctor -P --dump dump
	[[ $output == *"50 us for the first packet after idle"* ]]
	link "$on at108=0" "$on at44=0x8e01" | finds "aspm by_design:power"
	# 31 x 100 us are too long for any device.
	link "$on" "$on at10c=0xfa at44=0x8e01" |
		finds "aspm_l1_2 likely" "aspm by_design:power"
	link "at64=0x800" "at68=0x400" | finds "ltr likely"
	link "" "at68=0x400" | finds "ltr certain"
	# In a made-up link the ends disagree.
	link "gen=1" "at68=0x400" | finds
	link "at68=0x400" "at68=0x400" | finds
}

# peers ACS CLASS: a switch whose ports redirect, with two devices of a class.
peers() {
	local port="downstream at42=0x162 gen=3 lanes=8 mps=1 at44=1 at4c=0x83 at100=0xd at102=1 at106=$1"

	cat <<-EOF
	0000:00:01.0 root first=1 last=4 gen=3 lanes=8 mps=1 at44=1 at4c=0x83
	0000:01:00.0 upstream first=2 last=4 gen=3 lanes=8 mps=1 at44=1 at4c=0x83
	0000:02:00.0 $port first=3 last=3
	0000:02:01.0 $port first=4 last=4
	${below/01:00.0/03:00.0} at0a=$2
	${below/01:00.0/04:00.0} at0a=$2
	EOF
}

@test "ACS: peers sent through the root complex" {
	finds "shared_uplink likely" "acs likely" "peer_path by_design:slots" \
		< <(peers 0x0c 0x0302)
	[ "$(cells finding,device <<<"$output" | grep acs)" = "acs 0000:02:00.0" ]
	finds "shared_uplink likely" < <(peers 0x00 0x0302)
	# The fix is for all ports, the cost that of the GPU.
	finds "acs likely" "shared_uplink by_design:uplink" < <(
		peers 0x0c 0x0302 | sed '/03:00/s/0x0302/0x0108/')
	[[ $output == *"'pci=disable_acs_redir=0000:02:00.0;0000:02:01.0'"* &&
		$output == *"vulkan:04:00.0"* ]] ||
		show "both ports, the GPU"
	# Root ports between two GPUs of a kind, but not for a virtual machine.
	gpus 2 x | sed 's/ReqRedir-/ReqRedir+/' >dump
	try pcb-doctor -P --dump dump
	[ "$(cells finding,device <<<"$output" | grep acs)" = "acs 0000:00:01.0" ]
	[[ $output == *"=0000:00:01.0;0000:00:02.0'"* ]] || show "both root ports"
	{
		cat dump
		echo "Kernel driver in use: vfio-pci"
	} >given
	try pcb-doctor -P --dump given
	[[ $output != *"acs,"* ]] || show "a GPU that is given away"
	# NVIDIA's driver lets no GeForce cards talk.
	while IFS='|' read -r name want; do
		gpus 2 x | sed "s/ReqRedir-/ReqRedir+/
			s|3D controller: NVIDIA Corporation GH100|$name|" >dump
		try pcb-doctor -P -a --dump dump
		[[ $(findings) == *"acs $want"* ]] || show "$name"
	done <<-'END'
	3D controller: NVIDIA Corporation AD102 [GeForce RTX 4090]|by_design:device
	VGA compatible controller [0300]: NVIDIA Corporation Device [10de:fffe]|by_design:device
	VGA compatible controller: NVIDIA Corporation AD102GL [RTX 5880 Ada Generation]|likely
	VGA compatible controller: Advanced Micro Devices, Inc. [AMD/ATI] Navi 31|likely
	END
	# That of the board is of another kind.
	gpus 3 's/NVIDIA.*GH100/ASPEED A/' 1 | sed 's/ReqRedir-/ReqRedir+/' >dump
	try pcb-doctor -P --dump dump
	[ "$(cells finding,device <<<"$output" | grep acs)" = "acs 0000:00:02.0" ]
	gpus 1 x | sed 's/ReqRedir-/ReqRedir+/' >dump
	try pcb-doctor -P --dump dump
	[[ $output != *"acs,"* ]] || show "one GPU"
	# A request that got no answer is no error of the link.
	peers 0x0c 0x0200 | grep -v 04:00 | sed '/03:00/s/$/ at100=1 at102=1 at104=0x4000/' | tree
	try pcb-doctor -P --dump dump
	[[ $(findings) == *"acs likely"* && $(findings) == *"errors likely"* &&
		$output != *reseat* ]] || show "a request without answer"
	# Lines that grep left do not say whose ports.
	printf 'ACSCtl: SrcValid+ ReqRedir+\nACSCtl: SrcValid+ ReqRedir-\n' >dump
	try pcb-doctor -P --dump dump
	[ "$status $(findings)" = "3 acs by_design:unseen" ]
	# A single device has no peer.
	finds < <(peers 0x0c 0x0302 | grep -v 04:00.0)
	# Sound cards use no peer-to-peer traffic.
	peers 0x0c 0x0403 | finds
}

# By hand: 7.877 x 8 x 374/375 x 256/280 Gbit/s for one, half for each of two.
@test "what devices share, or reach only through the CPU" {
	finds "shared_uplink likely" < <(peers 0x00 0x0302)
	[ "$(cells device,now_gbit_s,could_gbit_s <<<"$output" |
		sed 's/\(\.[0-9][0-9]\)[0-9]*/\1/g')" = "0000:01:00.0 28.73 57.46" ]
	[[ $output == *"gpu0 (03:00.0), gpu1 (04:00.0) share the gen3x8 link"* ]]
	# The command of the fix works as it is printed.
	for port in '' '0000:00:02.0 root first=5 last=5 at4c=0x83'; do
		{
			peers 0x00 0x0302
			[ -z "$port" ] || echo "$port"
		} | tree
		mv dump "a dump"
		try pcb-doctor -P "a dump"
		fix=$(cells fix <<<"$output" | grep -o "pcb-model .*' shows")
		[[ $fix = *"--dump 'a dump' "* &&
			($fix = *"--move gpu0=00:02.0'"* || ! $port) ]] || show "file, port"
		try bash -c "${fix%\' shows} -P"
		[ "$status $(grep -c ,host, <<<"$output")" = "0 2" ] || show "$fix"
	done
	# Devices without number, as FPGAs, use the link, too.
	{
		peers 0x00 0x0302 | sed 's/last=4 gen/last=5 gen/
			s/^0000:02:01.0\(.*\)first=4 last=4/&\n0000:02:02.0\1first=5 last=5/'
		echo "${below/01:00.0/05:00.0} at0a=0xff00"
	} | tree
	try pcb-doctor -P --dump dump
	[[ $output == *"gpu1 (04:00.0) share the gen3x8 link"*05:00.0* ]]
	# A chipset is built like this.
	finds "shared_uplink by_design:uplink" < <(peers 0x00 0x0200)
	# Wide enough for both, and a device alone.
	finds "link_width likely" "link_width likely" < <(peers 0x00 0x0302 |
		sed '/0000:0[34]/s/lanes=8/lanes=4/')
	try pcb-doctor -P --dump dump 03:00.0
	[[ $output != *peer_path* ]]
	tree <<-'EOF'
	0000:00:01.0 root first=1 last=1 gen=3 lanes=8 mps=1 at44=1 at4c=0x83
	0000:00:02.0 root first=2 last=2 gen=3 lanes=8 mps=1 at44=1 at4c=0x83
	0000:01:00.0 endpoint gen=3 lanes=8 mps=1 mrrs=2 at44=1 at4c=0x83 at0a=0x0302
	0000:02:00.0 endpoint gen=3 lanes=8 mps=1 mrrs=2 at44=1 at4c=0x83 at0a=0x0200
	EOF
	rm -rf root
	mv tree root
	echo 0 >root/sys/bus/pci/devices/0000:01:00.0/numa_node
	echo 1 >root/sys/bus/pci/devices/0000:02:00.0/numa_node
	try pcb-doctor -P --root root
	[[ $(findings) == "remote_node likely"* && $output == *"gpu0 (node 0)"*"nic0 (node 1)"* ]] || show remote_node
	echo 0 >root/sys/bus/pci/devices/0000:02:00.0/numa_node
	try pcb-doctor -P --root root
	[[ $output != *remote_node* ]] || show "no remote_node"
}

@test "errors that registers have kept" {
	aer="at100=1 at102=1"
	link "" "$aer at110=0x40" | finds "errors likely"
	link "" "$aer at104=0 at106=4" | finds "errors likely"
	link "" "$aer at110=1" | finds "errors by_design:training"
	# Both ends of a link: one finding. ASPM trains all the time.
	finds "errors likely" < <(link "$aer at110=0x40" "$aer at110=0x80")
	[[ $output == *"BadDLLP, BadTLP (at 00:01.0)"* ]]
	finds "errors likely" < <(link "aspm=1" "aspm=1 $aer at110=1")
	[[ $output == *"boot with pcie_aspm=off; if they come back, power off"* ]]
	# A refused request is no error of the link.
	link "" "$aer at106=0x10 at110=0x2000" | finds
}

@test "a BAR of a GPU that could show more" {
	bar="at0a=0x0300 at100=0x15 at102=1 at104=0xf000 at106=1"
	finds "rebar likely" < <(link "" "$bar at108=0x821")
	[[ $output == *"Above 4G"* ]] || show "off"
	# An address above 4 GiB shows that it is on.
	finds "rebar likely" < <(link "" "$bar at108=0x821 at18=0xc at1c=1")
	[[ $output == *"Resizable BAR on"* && $output != *"Above 4G"* ]] || show "on"
	link "" "$bar at108=0xc21" | finds
	# Of two entries, the memory is the one that can be largest.
	link "" "$bar at104=0x30 at106=0 at108=0x40 at10c=0xf000 at10e=1 at110=0x801" |
		finds "rebar likely"
	link "" "$bar at104=0xf0 at106=0 at108=0x40 at10c=0xf000 at10e=1 at110=0xc01" | finds
	gpu='02:00.0 VGA compatible controller: A
Capabilities: [40] Express (v2) Legacy Endpoint, MSI 00
LnkSta: Speed 8GT/s, Width x8
'
	while IFS='|' read -r bars want; do
		printf '%s%b' "$gpu" "$bars" >dump
		try pcb-doctor -P --dump dump
		[ "$(findings)" = "$want" ] || show "$bars"
	done <<-'END'
	BAR 0: current size: 16MB, supported: 16MB\nBAR 1: current size: 256MB, supported: 256MB 8GB|rebar likely
	BAR 0: current size: 8GB, supported: 256MB 8GB\nBAR 2: current size: 2MB, supported: 2MB 256MB|
	Capabilities: [140 v1] Virtual Resizable BAR\nBAR 2: current size: 256MB, supported: 256MB 8GB|
	END
	# Lines that grep left.
	printf 'BAR 1: current size: 256MB, supported: 256MB 8GB\n' >dump
	try pcb-doctor -P --dump dump
	[ "$(findings)" = "rebar likely" ]
}

# gpus N [GPU]: N GPUs at rest, each below a root port without slot, with words for
# sed to change the port and the block of that GPU.
gpus() {
	local i

	for ((i = 1; i <= $1; i++)); do
		printf '%s\n' "00:0$i.0 PCI bridge: A B" \
			"Bus: primary=00, secondary=0$i, subordinate=0$i" \
			"Capabilities: [40] Express (v2) Root Port (Slot-), MSI 00" \
			"DevCap: MaxPayload 256 bytes" \
			"DevCtl: MaxPayload 256 bytes, MaxReadReq 512 bytes" \
			"LnkCap: Port #0, Speed 16GT/s, Width x16" \
			"LnkSta: Speed 2.5GT/s, Width x16" \
			"ACSCtl: SrcValid+ ReqRedir- CmpltRedir-" \
			"0$i:00.0 3D controller: NVIDIA Corporation GH100 (rev a1)" \
			"Capabilities: [60] Express (v2) Endpoint, MSI 00" \
			"DevCap: MaxPayload 256 bytes" \
			"DevCtl: ExtTag+ MaxPayload 256 bytes, MaxReadReq 512 bytes" \
			"LnkCap: Port #0, Speed 16GT/s, Width x16" \
			"LnkSta: Speed 2.5GT/s, Width x16" \
			"BAR 1: current size: 64GB, supported: 64GB" |
			if [ "$i" = "${3:-}" ]; then sed "$2"; else cat; fi
	done
}

@test "devices that differ from their like" {
	while IFS='|' read -r n change want; do
		gpus "$n" "$change" 2 >dump
		try pcb-doctor -P --dump dump
		got=$(cells finding,certainty,device <<<"$output" |
			sed '/peer_path/d; /by design/d')
		[ "$got" = "$want" ] || show "$n|$change|$want"
	done <<-'END'
	4|s/x/x/|
	4|/LnkSta/s/x16/x8/|link_width likely 0000:02:00.0
	2|/LnkSta/s/x16/x8/|link_width likely 0000:02:00.0
	1|/LnkSta/s/x16/x8/|
	4|/LnkCap/s/x16/x8/;/LnkSta/s/x16/x8/|
	4|/^02/,$s/x16/x8/|unlike likely 0000:02:00.0
	4|/^02/,$s/16GT/8GT/|unlike likely 0000:02:00.0
	4|s/BAR 1: current size: 64/BAR 1: current size: 32/|rebar likely 0000:02:00.0
	4|s/64GB/32GB/g|unlike likely 0000:02:00.0
	4|/^02/,$s/MaxPayload 256/MaxPayload 128/|unlike likely 0000:02:00.0
	4|s/ReqRedir-/ReqRedir+/|unlike likely 0000:02:00.0
	2|s/ReqRedir-/ReqRedir+/|
	END
	# All alike are a board, also half of them.
	gpus 4 x | sed '/LnkSta/s/x16/x8/' >dump
	try pcb-doctor -P --dump dump
	[[ $output != *likely* && $output == *link_width*"by design"* ]] ||
		show "all alike"
	# Without their ports: beside three times as many.
	for n in 3 4; do
		gpus $n '/LnkSta/s/x16/x8/' 2 | sed '/^00/,/ACSCtl/d' >dump
		try pcb-doctor -P --dump dump
		[ "$(grep -c 02:00.0,likely <<<"$output")" = $((n - 3)) ] || show "$n"
	done
}

# Words of a port, and of the NIC below, and the finding.
@test "a device that lost its address, bus or interrupts" {
	port=$(sed '/^$/,$d' "$TOP/tests/data/lspci/port.txt")
	nic=$(sed '1,/^$/d' "$TOP/tests/data/lspci/port.txt")
	on="Control: I/O- Mem+ BusMaster+"
	driver="Kernel driver in use:"
	while IFS='|' read -r above below want; do
		printf '%s\n%b\n\n%s\n%b\n' "$port" "$above" "$nic" "$below" >dump
		try pcb-doctor -P -a --dump dump
		[ "$(findings)" = "$want" ] || show "$above|$below|$want"
	done <<-END
	$on|$on\n$driver nic|
	Control: I/O+ Mem+ BusMaster-|$on\n$driver nic|bridge likely
	Control: I/O+ Mem+ BusMaster-|$on|
	|$on\nRegion 2: Memory at <unassigned> (64-bit, prefetchable) [size=16K]|bar_address likely
	|$on\nRegion 2: Memory at <unassigned> (64-bit, prefetchable)\n[size=16K]|bar_address likely
	|$on\nRegion 2: Memory at <unassigned> (64-bit, prefetchable)\n[virtual] Expansion ROM at 90000000 [size=2K]|
	|$on\nRegion 0: Memory at 90000000 (32-bit, non-prefetchable) [virtual]\n$driver nic|bar_address likely
	|$on\nRegion 0: Memory at 90000000 (32-bit, non-prefetchable) [virtual]|
	|$on\nRegion 0: [virtual] Memory at 7000000000 (64-bit, prefetchable)\n$driver nic|
	|$on\nRegion 0: Memory at 20014000000 (64-bit, prefetchable)\nRegion 1: Memory at <unassigned> (32-bit)|
	|Control: I/O- Mem- BusMaster-\nRegion 0: Memory at 90000000 (32-bit) [virtual]|
	|$on\nRegion 0: Memory at 90000000 (32-bit) [enhanced] [virtual]|
	|$on\nExpansion ROM at <unassigned> [disabled]|
	|$on\nCapabilities: [50] MSI: Enable- Count=1/1\nCapabilities: [70] MSI-X: Enable- Count=64 Masked-\n$driver ixgbe|interrupts likely
	|$on\nCapabilities: [50] MSI: Enable- Count=1/1\nCapabilities: [70] MSI-X: Enable+ Count=64 Masked-\n$driver ixgbe|
	|$on\nCapabilities: [50] MSI: Enable- Count=1/1\nCapabilities: [70] MSI-X: Enable- Count=64 Masked-\n$driver vfio-pci|
	|$on DisINTx+\nCapabilities: [70] MSI-X: Enable- Count=64 Masked-\n$driver nvme|
	END
	# The kernel gives a device without class no addresses.
	printf '%s\n' "$port" "" "${nic/Ethernet controller/Non-VGA unclassified device}" \
		"$on" "Region 0: Memory at <unassigned> (64-bit) [size=16K]" >dump
	try pcb-doctor -P --dump dump
	[[ $(findings) = "bar_address likely" && $output != *firmware* ]] ||
		show "no class"
	# A switch that a reset has taken the buses from.
	printf '%s\n' "01:00.0 PCI bridge: A" "Bus: primary=00, secondary=00" \
		"Capabilities: [68] Express (v2) Upstream Port, MSI 00" >dump
	try pcb-doctor -P --dump dump
	[ "$(findings)" = "bridge likely" ] || show "no bus"
	# What is dead below it has its row.
	printf '%s\n' "03:00.0 NVMe" "	!!! Unknown header type 7f" >>dump
	try pcb-doctor -P --dump dump
	[[ $(findings) = "bridge likely" && $output = *" 03:00.0"* ]] || show below
	# Not what is dead behind another device.
	printf '%s\n' "04:00.0 Ethernet controller: A" "05:00.0 NVMe" \
		"	!!! Unknown header type 7f" >>dump
	try pcb-doctor -P --dump dump
	[[ $(findings) == *"all_ones likely"* ]] || show "another device"
	# A port that sleeps forwards nothing.
	printf '%s\n' "$port" "Status: D3 NoSoftRst+" \
		"01:00.0 NVMe" "	!!! Unknown header type 7f" >dump
	try pcb-doctor -P --dump dump
	[ "$(findings)" = "all_ones by_design:idle" ] || show "a port in D3"
	# Of a slot that can tell.
	{
		echo "${port/Width x8/Width x0}"
		echo "SltCap: AttnBtn- PwrCtrl- HotPlug+"
		echo "SltSta: Status: AttnBtn- PresDet+"
	} | sed '/LnkCap/a LLActRep+
/LnkSta/a DLActive-' >dump
	try pcb-doctor -P --dump dump
	[ "$(findings)" = "link_down by_design:slots" ] || show "no link"
	# A rate that lspci does not know, and lanes with errors.
	sed 's/8GT/unknown/; s/unknown\/s/unknown/; /LnkSta/s/x8/x4/' \
		"$TOP/tests/data/lspci/port.txt" >dump
	echo "LaneErrStat: LaneErr at lane: 4 7" >>dump
	try pcb-doctor -P --dump dump
	[[ "$(findings)" = "link_width certain" && $output = *": 4 7"* ]] ||
		show "an unknown rate"
}

@test "counters of the kernel: more than the specified bit error rate gives" {
	link | tree
	mv tree root
	mkdir root/proc
	echo "100000.00 1" >root/proc/uptime
	printf 'RxErr 0\nBadTLP 500000\nTimeout 3\nTOTAL_ERR_COR 500003\n' \
		>"$device"/aer_dev_correctable
	try pcb-doctor -P --root root
	[ "$status" = 1 ]
	[ "$(findings)" = "errors certain" ]
	[[ $output == *"BadTLP 500000, Timeout 3: more than the specified"* ]]
	# 1e-12 of the bits of 63 Gbit/s in 100,000 s are 6301.
	echo 'BadTLP 6000' >"$device"/aer_dev_correctable
	try pcb-doctor -P --root root
	[ "$(findings)" = "errors likely" ]
	# Of 63 that would be good, in 1000 s; fewer than 100 may be chance.
	echo "1000.00 1" >root/proc/uptime
	while read -r wanted kind count; do
		echo "$kind $count" >"$device"/aer_dev_correctable
		try pcb-doctor -P --root root
		[ "$(findings)" = "errors $wanted" ] || show "$kind $count: $wanted"
	done <<-END
	likely BadTLP 99
	certain BadTLP 100
	by_design:training RxErr 99
	certain RxErr 100
	END
	echo 'BadTLP 0' >"$device"/aer_dev_correctable
	try pcb-doctor -P --root root
	[ "$status$(findings)" = 0 ]
	echo 'CmpltTO 1' >"$device"/aer_dev_nonfatal
	try pcb-doctor -P --root root
	[ "$(findings)" = "errors likely" ]
	# Another function has counts of its own, or the same of their link.
	cp -r "$device" "${device%0}1"
	try pcb-doctor -P --root root
	[ "$(findings)" = "errors likely" ]
	echo 'BadTLP 5000' >"${device%0}1"/aer_dev_correctable
	try pcb-doctor -P --root root
	[ "$(cells finding,device,certainty <<<"$output")" = "errors 0000:01:00.1 certain
errors 0000:01:00.0 likely" ] || show "function 1"
	# Errors that were not reported to the kernel are in registers only.
	rm -r root
	link "" "at100=1 at102=1 at110=0x80" | tree
	mv tree root
	printf 'RxErr 7\nBadDLLP 0\n' >"$device"/aer_dev_correctable
	try pcb-doctor -P --root root
	[ "$(findings)" = "errors likely" ]
	[[ $output == *"since boot: RxErr 7; errors in its registers: BadDLLP,"* ]]
}

# machine: a sound machine in the directory root, with the link on stdin.
machine() {
	tree
	mv tree root
	mkdir -p root/proc "$device"/iommu_group
	echo identity >"$device"/iommu_group/type
	echo "flags : fpu vme" >root/proc/cpuinfo
}

# on_machine WANTED...: the findings there.
on_machine() {
	try pcb-doctor -P --root root
	[ "$(findings)" = "$(printf '%s\n' "$@")" ] || show "$*"
}

# watched_tree CLASS: both ends can 16 GT/s x16, and are at 2.5 GT/s.
watched_tree() {
	rm -rf tree
	fake_tree tree at4c=0x104 at70=4 <<-EOT
	0000:00:01.0 root first=1 last=3 at52=0x104
	0000:01:00.0 upstream first=2 last=3 at52=0x104
	0000:02:00.0 downstream first=3 last=3 at42=0x162 at52=0x101 at100=0x1d at102=1
	0000:03:00.0 endpoint at52=0x101 aspm=2 at0a=$1 at100=1 at102=1
	EOT
	nest tree pci0000:00 0000:0{0:01,1:00,2:00,3:00}.0
	echo 'BadTLP 7' >"$path/aer_dev_correctable"
	mkdir -p tree/sys/class/thermal/cooling_device0
	echo PCIe_Port_Link_Speed_0000:02:00.0 \
		>tree/sys/class/thermal/cooling_device0/type
	echo 0 >tree/sys/class/thermal/cooling_device0/cur_state
}

@test "--watch: idle or broken, what fell, and errors that grow" {
	local class before steps words wanted text path bdf

	port=tree/sys/devices/pci0000:00/0000:00:01.0/0000:01:00.0/0000:02:00.0
	path=$port/0000:03:00.0
	cat >steps <<-'EOF'
	poke() {
		printf "\\$2\\$3" |
			dd of=$port$4/config bs=1 seek=$1 conv=notrunc status=none
	}
	link() {
		poke 82 $1 $2
		poke 82 $1 $2 /0000:03:00.0
		sleep 0.2
	}
	seen() {
		echo $1 GT/s PCIe >$path/current_link_speed
		echo $2 >$path/current_link_width
		sleep 0.2
	}
	aspm() { poke 80 $1 000 /0000:03:00.0; sleep 0.2; }
	path=$port/0000:03:00.0 devices=tree/sys/bus/pci/devices
	add() {
		cp -r $path $port/0000:03:0$1
		ln -s ../../../../../$port/0000:03:0$1 $devices
	}
	errors() { echo "BadTLP $1" >$path/aer_dev_correctable; }
	wake() {
		echo D0 | tee $port/power_state >$port/0000:03:00.0/power_state
		link $1 $2
	}
	EOF
	export port
	while IFS='|' read -r class steps words wanted text; do
		watched_tree "$class"
		# shellcheck disable=SC2086
		try pcb-doctor $words --root tree -P --watch 9s -- \
			bash -c ". ./steps; sleep 0.2; $steps"
		[[ "$(findings | grep link | xargs)" = "$wanted" &&
			$output = *"$text"* && $output != *e+0* ]] ||
			show "$steps"
	done <<-'EOF'
	0x0302|link 004 001||link_woke by_design:idle|rose from gen1x16 to gen4x16 while watched
	0x0200|link 000 000||link_fell certain|fell from gen1x16 to no link while watched, 1 time after
	0x0200|link 004 001; link 001 001; sleep 0.2; echo D3hot >$port/power_state|03:00.0|link_speed likely link_fell likely|fell from gen4x16 to gen1x16
	0x0200|for i in 1 2 3; do link 004 001; link 202 000; done|03:00.0|link_width certain link_speed likely link_fell likely|fell from gen4x16 to gen2x8 while watched, 3 times, first after 
	0x0200|link 004 001; poke 112 001 000; link 001 001||link_speed likely link_fell likely|: the target speed was lowered to gen1",,,,setpci -s 02:00.0 CAP_EXP+30.w=4:f
	0x0200|link 004 001; echo 3 >tree/sys/class/thermal/cooling_device0/cur_state; poke 112 001 000; link 001 001||link_speed likely link_fell likely|gen1, as the kernel's thermal control does (cooling 3)",,,,"cool the
	0x0302|poke 266 000 003; poke 264 005 000; sleep 0.3||link_dpc likely link_speed by_design:idle|a fatal error of 03:00.0"
	0x0302|poke 272 100 000 /0000:03:00.0; sleep 0.3||link_speed by_design:idle|BadTLP 7; while watched: cor_status 1,,
	0x0302|errors 107; sleep 0.2; aspm 000; errors 907; sleep 0.2||link_speed by_design:idle|, 100 of 900 with ASPM: more than
	0x0302|aspm 000; errors 5000; sleep 0.2; aspm 002||link_speed by_design:idle|, 0 of 4993 with ASPM: more than
	0x0302|link 004 001|03:00.0|link_woke by_design:idle|BadTLP 7; while watched: none
	0x0302|link 003 001|03:00.0|link_speed likely link_woke by_design:idle|8 GT/s, both ends support 16 GT/s, under load, too
	0x0302|link 204 000||link_width likely link_woke by_design:idle|rose from gen1x16 to gen4x8 while
	0x0302|rm -r {$port,$devices}/0000:03:00.0; sleep 0.3||link_gone likely|stopped answering while watched,,,,"journalctl
	0x0302|:||link_speed by_design:idle|
	0x0302|exit 5|03:00.0|link_speed by_design:idle|
	0x0302|:|03:00.0|link_speed likely|
	0x0302|link 004 001; link 001 001||link_fell by_design:idle link_woke by_design:idle|fell from gen4x16 to gen1x16
	0x0200|link 004 001; link 001 001||link_fell by_design:idle link_woke by_design:idle|
	0x0200|poke 66 142 000; link 004 001; link 204 000||link_width likely link_fell likely|of reads of 512 bytes,"power off
	0x0302|link 004 001; add 0.1; link 204 000||link_width likely link_fell likely|gen4x8
	0x0302|link 004 001; link 204 000; link 004 001||link_fell likely|fell from gen4x16 to gen4x8
	0x0302|link 004 001; errors 900; sleep 0.2||link_woke by_design:idle|errors,0000:03:00.0,certain,,"errors since boot: BadTLP 900; while watched: cor.BadTLP 893, 
	0x0302|errors 900; sleep 0.2; rm -r {$port,$devices}/0000:03:00.0; sleep 0.2||link_gone likely|errors,0000:03:00.0,certain,,"while watched: cor.BadTLP 893, 
	0x0302|errors 3; sleep 0.4||link_speed by_design:idle|while watched: cor.BadTLP 3, 
	0x0302|echo "SDES 3" >$path/aer_dev_fatal; sleep 0.2; rm $path/aer*; sleep 0.2||link_speed by_design:idle|likely,,while watched: fatal.SDES 3,,,lost requests or data,"boot with pcie_aspm=off; if
	0x0302|echo "UnsupReq 3" >$port/aer_dev_nonfatal; sleep 0.2||link_speed by_design:idle|while watched: nonfatal.UnsupReq 3 (at 02:00.0),,,
	0x0302|poke 262 004 000 /0000:03:00.0; sleep 0.2; poke 262 000 000 /0000:03:00.0; sleep 0.2||link_speed by_design:idle|while watched: uncor_status 1,
	EOF
	try pcb-doctor 03:00.0 --root tree -P --watch 300ms -- sleep 9
	[[ "$(findings)" = *"link_speed likely"* ]]
	# What sleeps is not read; what the load wakes is.
	for bdf in 03 02; do
		echo D0 | tee "$port"/{,0000:03:00.0/}power_state >out
		echo D3cold >"tree/sys/bus/pci/devices/0000:$bdf:00.0/power_state"
		try pcb-doctor --root tree --watch 300ms
		[[ $output = *"unseen: $((10#$bdf == 2 ? 2 : 1)) functions"* ]] ||
			show "asleep: $bdf"
	done
	# What cannot be read is not dead.
	mv "$path/config" there
	try pcb-doctor --root tree
	[[ $output = *"unseen: 1 functions"*"rows=0 "* ]] || show "unreadable"
	mv there "$path/config"
	try pcb-doctor 03:00.0 --root tree -P --watch 9s -- \
		sh -c '. ./steps; wake 001 001; link 003 001'
	[[ "$(findings)" = *"link_speed likely"*link_woke* &&
		$output = *"rose from gen1x16 to gen3x16"* ]] || show "woken"
	# What was so before.
	while IFS='|' read -r before steps wanted text; do
		watched_tree 0x0200
		bash -c ". ./steps; $before"
		try pcb-doctor --root tree -P --watch 9s -- \
			bash -c ". ./steps; sleep 0.2; $steps"
		[[ "$(findings | grep link | xargs)" = "$wanted" &&
			$output = *"$text"* ]] || show "$before: $steps"
	done <<-'EOF'
	poke 266 000 003; poke 264 005 000|:|link_speed likely link_dpc likely|down, seen after 0.0 s: a fatal error of 03:00.0"
	add 0.1; add 1.0; poke 0 377 377 /0000:03:01.0; poke 2 377 377 /0000:03:01.0|rm -r {$port,$devices}/0000:03:0{0.1,1.0}; sleep 0.2|link_gone likely link_speed likely|link_gone,0000:03:00.1,likely
	echo RxErr 1 >$path/aer_dev_correctable|printf 'RxErr 1\nNonFatalErr 999\n' >$path/aer_dev_correctable; sleep 0.2|link_speed likely|errors,0000:03:00.0,likely,,errors since boot: RxErr 1; while watched: cor.NonFatalErr 999,,,each corrected error repeats packets,"journalctl
	truncate -s 64 $port/config $path/config; seen 8.0 16|seen 16.0 16; seen 8.0 4; errors 1000; sleep 0.2|link_fell likely|while watched: cor.BadTLP 993,
	truncate -s 64 $port/config $path/config; seen 8.0 16|seen 16.0 16|link_woke by_design:idle|rose from gen3x16 to gen4x16
	EOF
	# After ^C, what was seen is judged; a crash says so.
	watched_tree 0x0200
	steps='link 000 000; kill -$1 $2 $PPID; exec sleep 1'
	try env --default-signal=INT pcb-doctor --root tree --watch 9s -- \
		bash -c ". ./steps; $steps" "" INT '$(ps -o ppid= $PPID)'
	[[ "$(findings)" = *"link_fell certain"* && $stderr = *"the watched links: the \
collection was stopped before"* ]] || show "^C"
	[[ $stderr != *pcb-collect* ]] || show "speaks as pcb-doctor"
	try pcb-doctor --root tree --watch 9s -- ./no-such-command
	[[ $stderr = *"pcb-doctor: command './no-such-command'"* && $stderr != *pcb-collect* ]] ||
		show "speaks as pcb-doctor"
	try pcb-doctor --root tree --watch 9s -- bash -c ". ./steps; $steps" "" KILL
	[ "$status" = 2 ]
	[[ $output$stderr = *"pcb-collect died: Killed"* ]]
	# A signal to it ends the command, too, at once.
	mkfifo held
	pcb-doctor --root tree --watch 60s -- sh -c 'echo >begun; exec sleep 50' \
		>held 2>&1 &
	exec {held}<held
	wait_for_bytes begun 1
	kill $!
	timeout 5 cat <&$held
}

@test "the machine: IOMMU" {
	link | machine
	on_machine
	echo DMA >"$device"/iommu_group/type
	on_machine "iommu likely"
	echo DMA-FQ >"$device"/iommu_group/type
	on_machine "iommu by_design:isolation"
	echo identity >"$device"/iommu_group/type
	on_machine
}

@test "in a virtual machine no link is certain" {
	machine < <(link "lanes=4" "lanes=4")
	on_machine "link_width certain"
	[ "$status" = 1 ]
	echo "flags : fpu hypervisor" >root/proc/cpuinfo
	on_machine "link_width likely" "hypervisor by_design:virtual"
	[ "$status" = 0 ]
}

@test "a driver whose device may not work" {
	above+=" at04=6"
	machine < <(link "" "at04=6 at100=1 at102=1 at114=0x10c1")
	on_machine
	rm -r root
	machine < <(link "" "at04=6 at100=1 at102=1 at114=0x11c1")
	on_machine "errors_masked by_design:unseen"
	rm -r root
	# A 64-bit BAR with an address, one without, and one that is lost.
	machine < <(link "" "at04=6 at10=4 at12=0x9000 at18=0 at1c=4 at20=7")
	mkdir -p root/drivers/nic
	ln -s ../../../../../drivers/nic "$device"/driver
	printf '%s\n' "0x90000000 0x9000ffff 0x0000000000140204" "0x0 0x0 0x0" \
		"0x91000000 0x9100ffff 0x0000000000040200" >"$device/resource"
	on_machine "bar_address likely"
	[[ $output == *"BAR 2 has"* ]]
	printf '%s\n' "0x0 0xffff 0x0000000020140204" >"$device/resource"
	on_machine "bar_address likely"
	printf '%s\n' "0x90000000 0x9000ffff 0x140204" "0x0 0x0 0x0" \
		"0x0 0x0 0x0" "0x700000000 0x70000ffff 0x140204" >"$device/resource"
	on_machine
	rm -r root
	machine < <(link "" "at04=6")
	mkdir -p root/drivers/nic
	ln -s ../../../../../drivers/nic "$device"/driver
	on_machine
	rm -r root
	machine < <(link "" "at04=2")
	ln -s ../../../../../drivers/nic "$device"/driver
	on_machine "command likely"
	[[ $output == *"bus mastering is off"* ]]
	# UHCI uses I/O ports; a UART no DMA; a virtual function has no link.
	for words in "at04=5 at0a=0x0c03" "at04=1 at0a=0x0700" \
		"at04=4 at52=0"; do
		rm -r root
		machine < <(link "" "$words")
		ln -s ../../../../../drivers/nic "$device"/driver
		on_machine
	done
	rm -r root
	machine < <(link "" "at04=0")
	ln -s ../../../../../drivers/vfio-pci "$device"/driver
	on_machine
}

@test "what cannot be seen is said" {
	machine < <(link "size=64" "size=64"; echo 0000:00:00.0 conventional)
	try pcb-doctor -P --root root
	[ "$status $(findings)" = "3 " ]
	[[ $stderr == "pcb-doctor: 2 functions not examined: "* ]]
	rm -r root
	machine < <(link "" "at00=0xffff at02=0xffff at08=0xffff at0a=0xffff")
	on_machine "all_ones likely"
	echo D0 >"$device"/power_state
	on_machine "all_ones certain"
	echo D3cold >"$device"/power_state
	on_machine "all_ones by_design:idle"
	link "lanes=4" "lanes=4" | tree
	lspci -F dump -v >listing
	try pcb-doctor -P --dump listing
	[[ $status = 3 && $stderr = *"sudo lspci -vvv"* ]] || show "without -vv"
}

# Edits of a machine whose port 1, a switch and its ports have links; what is asked
# for; the status of pcb-doctor and of its plugin.
@test "green is only what was examined" {
	while IFS='|' read -r edit asked plain nagios; do
		rm -rf root
		peers 0 0x0200 | sed "$edit" | machine
		# shellcheck disable=SC2086
		try pcb-doctor --root root $asked
		[ "$status" = "$plain" ] || show "$plain: $edit ($asked)"
		[[ $status != 3 || $stderr ]] || show "a reason"
		# shellcheck disable=SC2086
		try pcb-doctor --plugin=nagios --root root $asked
		[ "$status" = "$nagios" ] || show "$nagios: $edit ($asked)"
	done <<-'END'
	||0|0
	|03:00.0|0|0
	/:03:00/s/$/ size=64/||3|3
	/:03:00/s/$/ size=64/|03:00.0|3|3
	/:03:00/s/$/ size=64/|03:00.0 04:00.0|3|3
	/:03:00/s/$/ size=64/|04:00.0|0|0
	/:02:00/s/$/ size=64/|03:00.0|3|3
	/:02:00/s/$/ size=64/|02:01.0|0|0
	s/$/ size=64/||3|3
	s/$/ size=64/|03:00.0|3|3
	/:03:00/s/$/ size=64/;s/at48=0x2030/at48=0x2010/||3|1
	/:0[12]:/d||3|3
	s/^.*:0[0-4]:\(0.\).*/0000:00:\1.0 conventional/;1q||3|3
	s/at48=0x2030/at48=0x2050/|03:00.0|1|2
	/:03:00/s/at48=0x2030/at48=0x2050/;/:04:00/s/$/ size=64/||1|2
	/:03:00/s/$/ at00=0 at02=0 at08=0 at0a=0/|03:00.0|3|3
	END
	# Links, but neither ACS nor errors: a line says so.
	rm -rf root
	machine < <(link "size=256" "size=256")
	try pcb-doctor -P --root root 01:00.0
	[[ $status = 0 && $stderr == *"ACS"* ]] || show "not examined"
}

@test "a device that goes away leaves the others" {
	peers 0 0x0200 | machine
	devices=root/sys/bus/pci/devices
	for broken in 'rm $path/vendor' 'rm $path/vendor; mkfifo $path/vendor' \
		'rm $path/config; mkfifo $path/config' 'echo x >$path/device' \
		'rm -r $path; ln -s 0000:04:00.0 $path' 'mv $path $devices/other'; do
		rm -rf root
		peers 0 0x0200 | machine
		path=$devices/0000:04:00.0
		eval "$broken"
		try timeout 9 pcb-doctor -P --root root
		[[ $status = 3 && $stderr ]] || show "$broken: 3"
		try timeout 9 pcb-doctor -P --root root 03:00.0
		[ "$status" = 0 ] || show "$broken: 0"
		try timeout 9 pcb-doctor -P --root root 04:00.0
		[ "$status" = 3 ] || show "$broken: 3 by name"
		try timeout 9 pcb-collect list --root root
		[[ $status = 0 && $output == *0000:03:00.0* ]] || show "$broken: list"
	done
	rm -r root/sys/bus/pci/devices/other
	try pcb-doctor -P --root root
	is 0 "$output" ""
}

# denied FILE: what lspci -vv prints of these functions for an ordinary user.
denied() {
	awk '
		/^[0-9a-f]+: [0-9a-f][0-9a-f] / { next }
		/^[0-9a-f]/ { said = 0 }
		/^\t\t/ && said { next }
		/^\tCapabilities:/ {
			if (!said++)
				print "\tCapabilities: <access denied>"
			next
		}
		{ print }' "$1"
}

@test "lspci -vv by an ordinary user is not enough" {
	local file files=("$TOP"/tests/data/lspci/port.txt)

	[ ! -d "${PCB_TEST_DATA:-}/lspci" ] ||
		files+=("$PCB_TEST_DATA"/lspci/mail-linux-*-lspci*.txt)
	for file in "${files[@]}"; do
		grep -q "^$(printf '\t')Capabilities: \[" "$file" || continue
		denied "$file" >pasted
		try pcb-doctor -P --dump pasted
		[[ $status = 3 && $stderr = *"sudo lspci -vvv"* ]] || show "$file"
		try pcb-doctor --plugin=nagios --dump pasted
		[[ $status = 3 || $output = *all_ones* ]] || show "$file"
	done
}

# grepped ADDRESS NAME LANES [FIRST LAST]: what grep leaves of a function that
# supports x16, with a line 'Bus:' of a bridge.
grepped() {
	printf '%s %s\n' "$1" "$2"
	[ $# -lt 5 ] || printf '\tBus: primary=00, secondary=%s, subordinate=%s\n' "$4" "$5"
	printf '\t\tLnkCap:\tPort #0, Speed 8GT/s, Width x16\n'
	printf '\t\tLnkSta:\tSpeed 8GT/s, Width x%s\n' "$3"
}

@test "lines of grep show a link if they show what is above" {
	local bridge='PCI bridge: A' nic='Ethernet controller: B'

	# A switch with a narrow link above, and a bridge to PCI.
	{
		grepped 00:01.0 "$bridge" 8 01 04
		printf '00:1c.0 %s\n\tBus: primary=00, secondary=05, subordinate=05\n' "$bridge"
		grepped 01:00.0 "$bridge" 8 02 04
		grepped 02:00.0 "$bridge" 4 03 03
		grepped 02:01.0 "$bridge" 16 04 04
		grepped 03:00.0 "$nic" 4
		grepped 04:00.0 "$nic" 16
		echo "05:00.0 $nic"
	} >pasted
	try pcb-doctor -P -f jsonl --dump pasted
	[ "$(grep -o '"link_width","device":"[0-9:.]*","certainty":"likely"' \
		<<<"$output" | cut -d'"' -f6 | sort | xargs)" = \
		"0000:01:00.0 0000:03:00.0" ]
	[[ "$stderr" = *"not examined of these links: MPS"* ]]
	# A domain with one root port needs no line 'Bus:'.
	for domain in 0000:00 0003:00 0004:40; do
		bus=${domain#*:}
		{
			grepped "$domain:00.0" "$bridge" 8
			grepped "${domain%:*}:${bus:0:1}1:00.0" "$nic" 8
		} >pasted
		try pcb-doctor -P --dump pasted
		[[ "$output" = *"link_width,${domain%:*}:${bus:0:1}1:00.0,likely"* ]] ||
			show "a link in $domain"
	done
	# One with more may have another port above it.
	for other in "0003:00:01.0 $bridge" "0003:02:00.0 $nic" \
		"0003:01:01.0 $bridge"; do
		{
			grepped 0003:00:00.0 "$bridge" 8
			grepped 0003:01:00.0 "$nic" 8
			echo "$other"
		} >pasted
		try pcb-doctor -P --dump pasted
		[[ "$output" != *link_width* ]] || show "no port beside $other"
	done
}

# What people paste of a link: the words of the row, or of the warning without.
@test "one end of a link, or lines that grep has left" {
	cap='LnkCap: Port #0, Speed 16GT/s, Width x16, ASPM L1'
	port='00:1c.0 PCI bridge: A
Bus: primary=00, secondary=03, subordinate=03, sec-latency=0
Capabilities: [40] Express (v2) Root Port (Slot+), MSI 00
DevCtl: MaxPayload 128 bytes'
	while IFS='|' read -r text want; do
		printf '%b\n' "$text" >pasted
		# Also on the first screen.
		try pcb-doctor -P -f table --dump pasted
		[[ $status = 3 && $output$stderr == *"$want"* ]] || show "$want"
	done <<-END
	$cap\nLnkSta: Speed 16GT/s (ok), Width x4 (downgraded)|its link is gen4x4, it supports gen4x16; the port above, or its line 'Bus:', is not in the dump
	$cap\nLnkSta: Speed 2.5GT/s (downgraded), Width x16|(an idle GPU looks like this)
	LnkSta: Speed 8GT/s, Width x4 (downgraded)|its link is gen3x4, it supports more
	LnkSta: Speed 8GT/s, Width x4\nLnkSta: Speed 8GT/s, Width x2 (downgraded)|?2  link_unseen
	# lspci -vvs 03:00.0\n$cap\nLnkSta: Speed 8GT/s, Width x4|paste all that 'sudo lspci -vvv' prints
	${port//$'\n'/\\n}\nLnkSta: Speed 8GT/s, Width x1\n03:00.0 Ethernet controller: A\nCapabilities: [40] Express (v2) Endpoint, MSI 00\nDevCtl: MaxPayload 128 bytes, MaxReadReq 512 bytes\nLnkSta: Speed 8GT/s, Width x1 (downgraded)|its link is gen3x1, it supports more; what an end supports (LnkCap) is not in the dump
	31:00.0\n$cap\nLnkSta: Speed 16GT/s, Width x8|0000:31:00.0  link_unseen
	== card 31:00.0 ==\n$cap\nLnkSta: Speed 16GT/s, Width x8|0000:31:00.0  link_unseen
	Card (31:00.0):\n$cap\nLnkSta: Speed 16GT/s, Width x8|0000:31:00.0  link_unseen
	$cap\nLnkSta: Speed 16GT/s, Width x16\nCESta: RxErr- BadTLP+|setpci -s BDF ECAP_AER
	$cap\nLnkSta: Speed 16GT/s, Width x16\nCESta: RxErr- BadTLP+|reseat the card
	03:00.0 Ethernet controller: A\n$cap\nLnkSta: Speed 16GT/s, Width x16|a link is seen at one end only: paste all that
	${port//$'\n'/\\n}\n$cap\nLnkSta: Speed 8GT/s, Width x1\nTrErr- DLActive+|paste all that 'sudo lspci -vvv' prints
	${port//$'\n'/\\n}\n03:00.0 Ethernet controller: A\n$cap\nLnkSta: Speed 8GT/s, Width x1|paste all that 'sudo lspci -vvv' prints
	$cap\nLnkSta: Speed 2.5GT/s, Width x16\nLnkCtl2: Target Link Speed: 2.5GT/s\nLnkSta: Speed 2.5GT/s (downgraded), Width x16|likely  ?1  link_speed
	03:00.0 Ethernet controller: A\nCapabilities: [40] Express (v2) Endpoint, MSI 00\nDevCtl: MaxPayload 128 bytes, MaxReadReq 512 bytes\n$cap\nLnkCtl: ASPM L1 Enabled; RCB 64 bytes\nLnkSta: Speed 16GT/s, Width x16|by design: unseen  0000:03:00.0  aspm
	END
	# An address in a sentence names no function.
	printf '%s\n' "The port of 31:00.0" "$cap" "LnkSta: Speed 16GT/s, Width x8" \
		"03:00.0 Ethernet controller: A" "behind 04:00.0:" "$cap" \
		"LnkSta: Speed 16GT/s, Width x8" >pasted
	try pcb-doctor -P --dump pasted
	[ "$(column device <<<"$output" | sort | xargs)" = "0000:03:00.0 ?1" ]
	# A port without a card.
	printf '%s\n' "$cap" "LnkSta: Speed 2.5GT/s, Width x1" \
		"SltSta: Status: AttnBtn- PresDet-" >pasted
	try pcb-doctor -P -a --dump pasted
	[[ $output != *link_unseen* ]] || show "an empty slot"
	# Its own target limits no device.
	printf '%s\n' "03:00.0 NVMe" "Capabilities: [40] Express (v2) Endpoint, MSI 00" \
		"$cap" "LnkSta: Speed 2.5GT/s (downgraded), Width x16" \
		"LnkCtl2: Target Link Speed: 2.5GT/s" >pasted
	try pcb-doctor -P -a --dump pasted
	[[ $output != *likely* ]] || show "the target of a device"
	# Idle is 2.5 GT/s.
	printf '%s\n' "${cap/16GT/32GT}" "LnkSta: Speed 16GT/s (downgraded), Width x16" >pasted
	try pcb-doctor -P -a --dump pasted
	[[ $output == *"gen4x16, it supports gen5x16; the"*"in the dump\","* ]] || show idle
	# Without DevCtl, a link can be judged, but not its cost.
	printf '%s\n' "${port%$'\n'*}" "$cap" "LnkSta: Speed 16GT/s, Width x8" \
		"03:00.0 Ethernet controller: A" \
		"Capabilities: [40] Express (v2) Endpoint, MSI 00" "$cap" \
		"LnkSta: Speed 16GT/s, Width x8 (downgraded)" >pasted
	try pcb-doctor -P -a --dump pasted
	[[ $output == *link_width,0000:03:00.0,certain,*"x16\",,,,"* ]] || show cut
	# A bridge among others may be the port of any.
	printf '%s\n' "${port%%$'\n'*}" "$cap" "LnkSta: Speed 8GT/s, Width x1" \
		"03:00.0 NVMe" "LnkCap: Speed 8GT/s, Width x1" \
		"LnkSta: Speed 8GT/s, Width x1" >pasted
	try pcb-doctor -P -a --dump pasted
	[[ $output != *link_unseen* ]] || show "no row"
	# What tunnels and hypervisors say of a link is not the link.
	printf '%s\n' "03:00.0 USB controller: Intel Thunderbolt A" \
		"LnkCap: Speed 8GT/s, Width x4" "LnkSta: Speed 2.5GT/s, Width x4" >pasted
	try pcb-doctor -P -a --dump pasted
	[[ $output != *link_unseen* ]] || show "no row of a tunnel"
	printf '%s\n' "00:01.0 SCSI storage controller: Red Hat, Inc. Virtio A" \
		"03:00.0 Ethernet controller: A" "LnkCap: Speed 8GT/s, Width x4" \
		"LnkSta: Speed 2.5GT/s, Width x4" >pasted
	try pcb-doctor -P -a --dump pasted
	[[ $output != *link_unseen* ]] ||
		show "no row of a virtual machine"
}

@test "dumps: a pipe, gzip, several states" {
	cp "$TOP/tests/data/lspci/port.txt" wide
	sed "s/\(LnkSta:.*\)x8/\1x4/" wide >narrow
	pcb-doctor -P -a --dump wide >wanted
	pcb-doctor -P -a < <(cat wide) | diff wanted -
	gzip -c wide | pcb-doctor -P -a | diff wanted -
	gzip -c wide >packed
	pcb-doctor -P -a --dump packed | diff wanted -
	head -c -9 packed >torn
	run --separate-stderr pcb-doctor -P --dump torn
	[[ "$stderr" = *'torn: cut off: the packed data has no end'* ]]
	cat wide narrow >both
	pcb-doctor -P -a --dump narrow >other || [ "$?" = 1 ]
	pcb-doctor -P -a --dump both 2>said >last || [ "$?" = 1 ]
	cmp last other
	grep -q 'it shows 2 states of these functions; this is the last' said
	pcb-doctor -P -a --dump both --state 1 | diff wanted -
	for wrong in '--dump both --state 3' '--state 1' '--state 0 --dump both'; do
		# shellcheck disable=SC2086
		try pcb-doctor $wrong
		[ "$status" = 2 ]
	done
}

# What stands around a listing is no part of it; see also the unit test of
# pci/listing.
@test "dumps: diffs, logs, and what only an earlier state shows" {
	port=$(sed '/^$/,$d' "$TOP/tests/data/lspci/port.txt")
	nic=$(sed '1,/^$/d' "$TOP/tests/data/lspci/port.txt")
	# A diff: the later state counts; a hunk ends the function before it.
	printf '%s\n' "${port/%x8/x4}" "" "$nic" >dump
	sed -i '$s/.*/-&\n+&/' dump
	sed -i '$s/x8/x4/' dump
	printf '%s\n' "@@ -376,7 +375,7 @@" "		DevCap2: LTR-" >>dump
	try pcb-doctor -P --dump dump 01:00.0
	[ "$(findings)" = "link_width certain" ] || show "the later state"
	# A word of a journal and of a log are no header and no bytes.
	printf '%s\n' "$port" "" "$nic" \
		"kernel: NVRM: The GPU 0000:01:00.0 (PCI ID: 10de:2c02)" \
		"[    0.446224] ACPI: EC: EC started" >dump
	try pcb-doctor -P --dump dump
	[ "$status$(findings)" = 0 ] || show "no row"
	# The second state shows one of them, and that it is dead.
	printf '%s\n' "$port" "" "$nic" "" "${nic%%$'\n'*}" \
		"	!!! Unknown header type 7f" >dump
	try pcb-doctor -P --dump dump
	[ "$(cells finding,device <<<"$output")" = "all_ones 0000:01:00.0" ] ||
		show "a dead NIC below a port"
	try pcb-doctor -P --dump dump --state 1
	[ "$(findings)" = "" ] || show "the first state"
	# Dead bridges lead to no bus: what follows has one row with them.
	for at in 02:00.0 03:00.0; do
		printf '%s PCI bridge: A B\n\t!!! Unknown header type 7f\n' "$at"
	done >dump
	try pcb-doctor -P --dump dump
	[ "$(cells finding,device <<<"$output")" = "all_ones 0000:02:00.0" ] ||
		show "one row"
}

@test "functions that are named, and the way to them" {
	{
		link "lanes=4" "lanes=4"
		link "lanes=4" "lanes=4" |
			sed 's/00:01\.0/00:02.0/; s/01:00\.0/02:00.0/; s/=1 last=1/=2 last=2/'
	} | tree
	try pcb-doctor -P --dump dump
	[ "$(cells device <<<"$output")" = $'0000:01:00.0\n0000:02:00.0' ]
	try pcb-doctor -P --dump dump 02:00.0
	[ "$(cells device <<<"$output")" = 0000:02:00.0 ]
	# A second function shares the link of the first.
	{
		link "lanes=4" "lanes=4"
		echo "${below/01:00.0/01:00.1} lanes=4"
	} | finds "link_width certain"
}

@test "what is dead comes first, and a fix is that of its device" {
	port=$(sed '/^$/,$d' "$TOP/tests/data/lspci/port.txt")
	nic=$(sed '1,/^$/d' "$TOP/tests/data/lspci/port.txt")
	off="Control: I/O- Mem- BusMaster-"
	driver="Kernel driver in use: nic"
	# Two functions of a device that is off are one fact; the narrow link of
	# a GPU is the smaller one.
	{
		gpus 2 '/LnkSta/s/x16/x8/' 2
		echo
		printf '%s\n' "${port//01/0a}" "" "${nic/01:/0a:}" "$off" "$driver" ""
		nic=${nic/01:/0a:}
		printf '%s\n' "${nic/0.0/0.1}" "$off" "$driver"
	} >dump
	try pcb-doctor -P --dump dump
	[ "$(cells finding,device <<<"$output" | head -n 2)" = "command 0000:0a:00.0
link_width 0000:02:00.0" ] || show "dead first"
	# Errors at a port without slot have another fix: a paragraph of its own.
	{
		for bus in 01 02; do
			text=$port
			[ $bus = 01 ] || text=${text/Slot+/Slot-}
			printf '%s\n' "${text//01/$bus}" "" "${nic/0a:/$bus:}" \
				"CESta: RxErr- BadTLP+ BadDLLP-" ""
		done
	} >dump
	try pcb-doctor -P -f table --dump dump
	[ "$(grep -c "^likely.*errors" <<<"$output")" = 2 ] || show "two fixes"
	# Functions that are only named are no matter of root.
	printf '%s\n' "03:00.0 Ethernet controller: A" "" "$port" "" \
		"${nic/0a:/01:}" >dump
	try pcb-doctor -P --dump dump
	[[ $stderr == *"1 function not examined"* && $stderr != *sudo* ]] ||
		show "named"
	denied dump >pasted
	try pcb-doctor -P --dump pasted
	[[ $stderr == *sudo* ]] || show "denied"
}

@test "-a: findings that differ by the device alone are one paragraph" {
	local gpus=$TOP/examples/eight-gpus/lspci.txt

	try pcb-doctor -a -f table "$gpus"
	[ "$(grep -c '^by design: idle .* link_speed$' <<<"$output")" = 1 ] ||
		show "one paragraph"
	[ "$(sed -n '/^  also/,/^$/p' <<<"$output" | grep -o '00\.0' | wc -l)" = 7 ] ||
		show "seven others"
	# Another speed is another paragraph.
	sed '/^e[01]:0/,/^$/s/Speed 32GT/Speed 16GT/' "$gpus" >mixed
	try pcb-doctor -a -f table mixed
	[ "$(grep -c '^by design: idle .* link_speed$' <<<"$output")" = 2 ] ||
		show "two paragraphs"
	# A row for each remains.
	try pcb-doctor -P -a "$gpus"
	[ "$(grep -c ,link_speed, <<<"$output")" = 8 ] || show rows
}

@test "--fail-on and --bytes" {
	gpus 2 '/LnkSta/s/x16/x8/' 2 >dump
	for wanted in "0 certain" "1 likely"; do
		try pcb-doctor --dump dump --fail-on "${wanted#* }"
		[ "$status" = "${wanted% *}" ] || show "$wanted"
	done
	wrong "--fail-on 'x'" --dump dump --fail-on x
	gpus 1 x >sound
	try pcb-doctor --dump sound --fail-on likely
	[ "$status" = 0 ] || show "nothing likely"
	try pcb-doctor --dump dump -f table --bytes
	now=$(awk '/costs/ { print $2 }' <<<"$output")
	[[ $output == *" GB/s of "* && $output != *Gbit/s* ]] || show bytes
	try pcb-doctor --dump dump -f table
	awk -v now="$now" '/costs/ { exit ($2 / 8 - now) ^ 2 > .01 }' <<<"$output"
	# Rows are in Gbit/s, as their names say.
	try pcb-doctor -P --dump dump --bytes
	rows=$output
	try pcb-doctor -P --dump dump
	[ "$output" = "$rows" ]
}

@test "formats: rows, text, JSON lines, metrics" {
	{
		link "lanes=4" "lanes=4 at48=0x2020"
		peers 0 0 | sed 's/0000:00:01/0000:00:03/; s/0000:0\([1-4]\):/0000:1\1:/
			s/first=\([0-9]\) last=\([0-9]\)/first=0x1\1 last=0x1\2/'
	} | tree
	try pcb-doctor -f table --dump dump
	[[ $output == "device  address "*$'\n'"nic0 "*"
certain  0000:01:00.0  link_width
  the link to 0000:00:01.0 has trained x4, both ends support x8
  costs   29.1 of 58.3 Gbit/s of reads of 512 bytes
  fix     firmware setup: bifurcation"*"1 certain, 0 likely, 0 by design; 8 functions examined, 4 with a link" ]] || show text
	try pcb-doctor -f json --dump dump
	[[ ${lines[0]} == '{"meta":{"pcb-csv":"1",'*'"rows":[' ]]
	[[ ${lines[1]} == '{"kind":"model","finding":"link_width"'* ]]
	try pcb-doctor -f openmetrics --dump dump
	[ "$status" = 1 ]
	[[ $output == *$'\npcb_doctor_unseen_functions 0\n# EOF' ]]
	[[ $output == *'pcb_doctor_finding{finding="link_width",device="0000:01:00.0",certainty="certain"} 1'* ]]
	hash promtool 2>/dev/null || skip "the rest needs promtool"
	promtool check metrics <<<"$output"
}

# plugs ENGINE STATUS WANTED: the line and status for the functions on stdin.
plugs() {
	tree
	try pcb-doctor --plugin="$1" --dump dump
	[[ "$status" = "$2" && ${#lines[@]} = 1 && "$output" = "PCIE $3"* ]] ||
		show "(status $2) PCIE $3"
}

@test "plugins: one line, and the status of the engine" {
	local engine

	plugs nagios 0 "OK - nothing found; 0 certain, 0 likely | " < <(link "" "")
	plugs npd 0 OK < <(link "" "")
	# Asleep is no alarm.
	plugs nagios 0 OK < <(link "gen=1 at52=0x8081" "gen=1")
	plugs nagios 2 "CRITICAL - link_width 0000:01:00.0: " \
		< <(link "lanes=4" "lanes=4")
	[[ $output = *'| certain=1 likely=0 examined=2 unseen=0' ]]
	plugs npd 1 CRITICAL < <(link "lanes=4" "lanes=4")
	plugs nagios 1 "WARNING - link_width " < <(link "" "lanes=4")
	plugs npd 0 WARNING < <(link "" "lanes=4")
	# Half of a link says nothing of the other half.
	try pcb-doctor --plugin=nagios --dump - <<-END
	03:00.0 Ethernet controller: A
	LnkCap: Speed 8GT/s, Width x8
	LnkSta: Speed 8GT/s, Width x4
	END
	[[ $status = 3 && $output == "PCIE UNKNOWN - link_unseen 0000:03:00.0: "* ]]
	printf '%s\n' "03:00.0 NIC: A" "LnkCap: Speed 8GT/s, Width x8" \
		"LnkSta: Speed 8GT/s, Width x8" "04:00.0 NIC: B" >one
	try pcb-doctor --plugin=nagios --dump one
	[[ $status = 3 && $output == "PCIE UNKNOWN - no link can be read at both"* ]]
	plugs npd 2 "UNKNOWN - no link to check; " \
		< <(echo "0000:00:00.0 bridge class=0x060000 express=no")
	# What cannot be read, or is wrong, is unknown.
	for engine in "nagios 3" "npd 2"; do
		try pcb-doctor --plugin="${engine% *}" --dump missing
		[ "$status" = "${engine#* }" ]
		[ "$output" = "PCIE UNKNOWN - missing: No such file or directory" ]
		try pcb-doctor --plugin="${engine% *}" --no-such
		[ "$status" = "${engine#* }" ]
	done
	try pcb-doctor --plugin=x
	[ "$status" = 3 ]
	[ "$output" = "PCIE UNKNOWN - --plugin 'x': not nagios or npd" ]
	status=0
	pcb-doctor --plugin=nagios --dump dump >/dev/full 2>err || status=$?
	[ "$status" = 3 ]
}

@test "published listings: nothing certain" {
	[ -d "${PCB_TEST_DATA:-}/pciebench" ] || skip "needs PCB_TEST_DATA"
	for file in "$PCB_TEST_DATA"/pciebench/*/sys-lspci.txt; do
		try pcb-doctor -P --dump "$file"
		[ "$status" = 0 ] || show "$file"
		[ "$stderr" = "" ] || show "$file"
		findings
	done | grep . | sort | uniq -c | sed 's/^ *//' >found
	diff found - <<-'END'
	1 errors by_design:training
	4 link_slot by_design:slot
	END
}

@test "dumps of QEMU's machines: nothing; a flat one has no link" {
	for file in "0 guest" "3 flat"; do
		try pcb-doctor -P --dump "$TOP/tests/data/lspci/${file#* }.txt"
		[ "$status$(findings)" = "${file% *}" ] || show nothing
	done
}

@test "output that is lost is an error" {
	link | tree
	: >input
	needs_room --dump dump
	needs_room -f table --dump dump
	needs_room -f openmetrics --dump dump
}

@test "a collection says what is certainly wrong on the path of its device" {
	link "mps=0 at44=0" "at48=0x2030" | tree
	runs pcb-collect lat_cfg -q -n 1 --root tree -d 01:00.0
	# A hypervisor may have made up the link.
	grep -q ' hypervisor' /proc/cpuinfo ||
		[[ $output == *$'\n# doctor: mps_mismatch 0000:01:00.0: its MPS is 256 '* ]] ||
		show "# doctor:"
	# Likely findings are left out, and those on another path.
	{
		link "" "at48=0x2020"
		link "mps=0 at44=0" "at48=0x2030" |
			sed 's/00:01\.0/00:02.0/; s/01:00\.0/02:00.0/; s/=1 last=1/=2 last=2/'
	} | tree
	try pcb-collect lat_cfg -q -n 1 --root tree -d 01:00.0
	[[ $status == 0 && $output != *"# doctor:"* ]] || show "no doctor"
}
