#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# pcb-doctor on a machine of eight GPUs, and what it has lost since a manifest.

load helpers

tests pcb-doctor

# gpus [ADDED]: two root buses, each with four slots of gen 4 x16 and a GPU with
# a second function; ADDED is the number of buses of a new card before the rest.
gpus() {
	local added=${1:-0} slot root bus

	((!added)) || cat <<-EOF
	0000:10:00.1 root at42=0x142 first=0x11 last=0x12 mps=1 at44=1 at4c=0x83
	0000:11:00.0 endpoint mps=1 at44=1 at4c=0x83
	EOF
	for slot in {1..8}; do
		printf -v root %02x $((slot < 5 ? 0x10 : 0x80 + added))
		printf -v bus %02x $((slot + added + (slot < 5 ? 0x10 : 0x80)))
		cat <<-EOF
		0000:$root:0$slot.0 root size=256 at42=0x142 first=0x$bus last=0x$bus gen=4 lanes=16 mps=1 at44=1 at4c=0x104 at4e=0x20 at56=$((slot << 3)) at70=4
		0000:$bus:00.0 endpoint size=256 gen=4 lanes=16 mps=1 at44=0x8001 at4c=0x104 at48=0x2930 at70=4 at00=0x10de at02=0x2330 at0a=0x0302
		0000:$bus:00.1 endpoint size=256 gen=4 lanes=16 mps=1 at44=0x8001 at4c=0x104 at48=0x2930 at00=0x10de at02=0x22ba at0a=0x0403
		EOF
	done
}

# An edit of the functions of slot 3; then, without and with the manifest, the
# status of pcb-doctor, for Nagios and for node-problem-detector, and a text.
@test "eight GPUs: each state in each form" {
	gpus | tree
	mv dump good
	while IFS='|' read -r edit alone text lost text_lost; do
		gpus | sed "$edit" | tree
		while read -r plain nagios npd options; do
			[ "$options" = "" ] || text=$text_lost
			# shellcheck disable=SC2086
			{
				try pcb-doctor -a -f table --dump dump $options
				[[ $status = "$plain" && $output$stderr == *"$text"* ]] ||
					show "$edit: (status $plain) $text"
				try pcb-doctor --plugin=nagios --dump dump $options
				[ "$status" = "$nagios" ] || show "$edit: $nagios"
				try pcb-doctor --plugin=npd --dump dump $options
				[ "$status" = "$npd" ] || show "$edit: $npd"
			}
		done <<<"$alone"$'\n'"$lost --against good"
	done <<-'END'
	|0 0 0|0 certain, 0 likely|0 0 0|0 certain, 0 likely, 0 by design
	s/gen=4/gen=1/|0 0 0|0 certain, 0 likely|0 0 0|0 certain, 0 likely, 8 by
	/1[03]:0[03]/s/lanes=16/lanes=8/|0 1 0|likely  0000:13:00.0  link_width|1 2 1|certain  0000:13:00.0  lost_link
	/1[03]:0[03]/s/gen=4/gen=3/|0 1 0|likely  0000:13:00.0  link_speed|0 1 0|its link is gen3x16, the manifest has gen4x16
	/:13:00/s/$/ at00=0xffff at02=0xffff at08=0xffff at0a=0xffff/|0 1 0|likely  0000:13:00.0  all_ones|1 2 1|certain  0000:13:00.0  lost_device
	/:13:00/d|0 0 0|0 certain, 0 likely|1 2 1|nothing in slot 3, the manifest has 0000:13:00.0, 
	s/$/ size=64/|3 3 2|functions not examined|3 3 2|functions not examined
	END
}

# What is lost, by finding, device and certainty: edits of then and now, and the
# number of buses of a card that has come since.
@test "a manifest: places, links and settings" {
	while IFS='|' read -r was now added wanted text; do
		gpus | sed "$was" | tree
		mv dump good
		gpus "$added" | sed "$now" | tree
		try pcb-doctor -P --dump dump --against good
		[[ $(tail -n +2 <<<"$output" | cut -d, -f2-4 | paste -sd' ') = "$wanted" &&
			$output == *"$text"* ]] || show "$was > $now: $wanted $text"
	done <<-'END'
	||2||
	|/:8a:00/s/lanes=16/lanes=8/|2|lost_link,0000:8a:00.0,certain|gen4x8, the manifest has gen4x16
	/^0000:8[0-4]/d|/^0000:8[0-4]/d;/:12:00/d|0|lost_device,0000:10:02.0,certain|slot 2
	|/^0000:1/d|0|lost_device,,certain lost_device,,certain lost_device,,certain lost_device,,certain|
	s/gen=4/gen=1/||0||
	s/gen=4/gen=1/|s/gen=4/gen=1/;/1[03]:0[03]/s/lanes=16/lanes=8/|0|lost_link,0000:13:00.0,likely|gen4x8
	s/gen=4/gen=1/|/1[03]:0[03]/s/gen=4/gen=3/|0|lost_link,0000:13:00.0,likely|its link is gen3x16, the manifest has gen4x16
	s/gen=4/gen=1/|s/gen=4/gen=1/;/10:03/s/at70=4/at70=3/|0|lost_link,0000:13:00.0,likely|its link is gen3x16, the manifest has gen4x16
	|/1[03]:0[03]/s/gen=4 lanes=16/gen=1 lanes=8/|0|lost_link,0000:13:00.0,likely|gen4x8
	|/1[03]:0[03]/s/gen=4/gen=1/;/10:03/s/at4c=0x104/at4c=0x103/|0|lost_link,0000:13:00.0,certain|both ends support only gen3x16, the manifest has gen4x16",116.
	|/:13:00.0/s/$/ at00=0xffff at02=0xffff at08=0xffff at0a=0xffff/|0|lost_device,0000:13:00.0,certain|all ones
	|/:13:00.0/s/at02=0x2330/at02=0x2331/|0|lost_device,0000:13:00.0,likely|in slot 3, the manifest has
	|/:13:00.0/s/at48=0x2930/at48=0x1900/|0|lost_setting,0000:13:00.0,likely|MPS 128, the manifest has 256; MRRS 256, the manifest has 512; relaxed ordering off, the manifest has on
	/:13:00.0/s/at48=0x2930/at48=0x1910/||0||
	|/:13:00.0/s/gen=4/gen=4 aspm=2/|0|lost_setting,0000:13:00.0,likely|ASPM L1 on, the manifest has off
	END
}

# switch CONTROL: two GPUs below a switch, whose ports have this ACS Control.
switch() {
	local port="downstream at42=0x162 mps=1 at44=1 at4c=0x83 at100=0xd at102=1 at106=$1"

	cat <<-EOF
	0000:00:01.0 root first=1 last=4 mps=1 at44=1 at4c=0x83
	0000:01:00.0 upstream first=2 last=4 mps=1 at44=1 at4c=0x83
	0000:02:00.0 $port first=3 last=3
	0000:02:01.0 $port first=4 last=4
	0000:03:00.0 endpoint mps=1 at44=0x8001 at4c=0x83 at0a=0x0302
	0000:04:00.0 endpoint mps=1 at44=0x8001 at4c=0x83 at0a=0x0302
	EOF
}

@test "a manifest: ACS, and devices below a switch that is gone" {
	switch 0 | tree
	mv dump good
	switch 0xc | tree
	try pcb-doctor -P --dump dump --against good
	[ "$(grep -c ',likely,,"redirection by ACS on, the manifest has off",' <<<"$output")" = 2 ] ||
		show "two ports"
	# One device is left, elsewhere.
	printf '%s at4c=0x83\n' "0000:00:02.0 root first=5 last=5" \
		"0000:05:00.0 endpoint" >left
	switch 0 | cat - left | tree
	mv dump good
	switch 0 | head -n 1 | cat - left | tree
	try pcb-doctor -P --dump dump --against good
	[ "$(tail -n +2 <<<"$output" | cut -d, -f2-4 | sort | uniq -c | xargs)" = \
		"2 lost_device,0000:00:01.0,certain" ] || show "two devices"
}

@test "a manifest: of this machine, of several, and what is none" {
	local node

	gpus | fake_tree root
	pcb-doctor --root root --save good
	try pcb-doctor -P --root root --against good
	is 0 "$(pcb-doctor -P --root root | head -n 1)" ""
	diff <(print_tree root | grep -v hand) <(grep -v 'Class\|#' good)
	[[ $(lspci -F good) = "$(grep -v '#' good | lspci -F /dev/stdin)" ]]
	sed '$d' good >part
	try pcb-doctor --root root --plugin=nagios --against part
	[[ $status = 3 && $output = "PCIE UNKNOWN - part: cut off: its last line"* ]] || show cut
	gpus | sed 's/$/ at00=1/' | tree
	try pcb-doctor --root root --against dump
	[[ $status = 3 && $stderr = *"of another machine?" ]] || show other
	# The odd one out: what it lacks of each other one.
	for node in node1:16 node2:8 node3:16; do
		gpus | sed "/1[03]:0[03]/s/lanes=16/lanes=${node#*:}/" | tree
		mv dump "${node%:*}"
	done
	for node in node?; do
		for good in node?; do
			pcb-doctor -P --dump "$node" --against "$good" |
				sed "1d; s/^/$node,/"
		done
	done >found
	sort found | uniq -c | cut -d, -f1-4 >odd
	[[ $(<odd) = *"2 node2,model,lost_link,0000:13:00.0" ]]
	rm good
	# What the manifest lacks is not compared.
	gpus | sed '/:1[34]:00/s/size=256/size=64/' | fake_tree partly
	try pcb-doctor --root partly --save part
	[[ $status = 3 && -s part ]] || show "saved in part"
	try pcb-doctor --root root --against part
	[ "$status" = 3 ] || show "compared in part"
	try pcb-doctor --root root --plugin=nagios --against part
	[ "$status" = 3 ] || show "compared in part"
	fake_tree small size=64 < <(gpus)
	try pcb-doctor --root small --save good
	[[ $status = 3 && ! -e good && $stderr = *"no link can be read"* ]] || show 3
	pcb-doctor --root root --plugin=nagios --against missing >said || [ $? = 3 ]
	[[ $(<said) = "PCIE UNKNOWN - missing: No such file"* ]]
	echo nothing >none
	try pcb-doctor --root root --against none
	[[ $status = 2 && $stderr = "pcb-doctor: none: no "* ]] ||
		show "none has no link"
	# Standard input is no dump then, be it a pipe or not.
	try pcb-doctor --save saved </dev/null
	wanted=$status:$stderr
	try pcb-doctor --save saved < <(cat "$TOP/README.md")
	[ "$status:$stderr" = "$wanted" ]
	run -2 pcb-doctor --save x --dump y
}

@test "a manifest: a link of which nothing but its state is known" {
	cat >good <<-'EOF'
	00:01.0 PCI bridge: Intel Corporation Root Port
		Bus: primary=00, secondary=01, subordinate=01, sec-latency=0
		Capabilities: [40] Express (v2) Root Port (Slot+), MSI 00
			LnkCap:	Port #1, Speed 8GT/s, Width x8, ASPM not supported
			LnkSta:	Speed 8GT/s, Width x8
	01:00.0 Ethernet controller: Intel Corporation X710
		Capabilities: [60] Express (v2) Endpoint, MSI 00
			LnkCap:	Port #0, Speed 8GT/s, Width x8, ASPM not supported
			LnkSta:	Speed 8GT/s, Width x8
	EOF
	while IFS='|' read -r edit wanted; do
		sed "/LnkSta/$edit" good >now
		try pcb-doctor -P --dump now --against good
		[[ $status = 1 && $(tail -n +2 <<<"$output" | cut -d, -f2-4,6) = \
			"lost_link,0000:01:00.0,certain,\"$wanted" ]] || show "$wanted"
	done <<-'END'
	s/x8/x4/|its link is gen3x4
	s/8GT/5GT/|its link is gen2x8
	END
	runs pcb-doctor -P --dump good --against good
	[ "${#lines[@]}" = 1 ]
}

@test "a manifest: what is behind a cut is unknown, not lost" {
	local at end

	sed 's/x8/x16/' "$TOP/examples/eight-gpus/lspci.txt" >good
	at=$(grep -b '^81:00.0' good | cut -d: -f1)
	for end in 4 20 150 480 830; do
		head -c $((at + end)) good >part
		try pcb-doctor -P --dump part --against good
		[[ $status = 3 && ${#lines[@]} = 1 && $stderr = *"cut off"* ]] ||
			show "dump, $end"
		try pcb-doctor --plugin=nagios --dump part --against good
		[ "$status" = 3 ] || show "plugin, $end"
		try pcb-doctor -P --dump good --against part
		[[ $status = 3 && ${#lines[@]} = 1 && $stderr = *"cut off"* ]] ||
			show "manifest, $end"
		# A finding about what is there stays.
		sed '/^01:00/,/LnkSta/s/LnkSta:.*/LnkSta: Speed 32GT\/s, Width x4/' \
			part >narrow
		try pcb-doctor -P --dump narrow --against good
		[[ ${#lines[@]} = 2 && ${lines[1]} = model,lost_link,0000:01:00.0,* ]] ||
			show "a finding, $end"
	done
	# The end of the last line may have been lost alone.
	printf %s "$(<good)" >bare
	try pcb-doctor -P --dump bare --against good
	[[ $status = 0 && ${#lines[@]} = 1 ]] || show bare
}

@test "a manifest: of a link that sleeps, lanes count at its rate awake" {
	sed 's/x8/x16/' "$TOP/examples/eight-gpus/lspci.txt" >good
	runs pcb-doctor -P "$TOP/examples/eight-gpus/lspci.txt"
	wanted=$(grep link_width <<<"$output" | grep -o '[0-9.]*,[0-9.]*,[0-9.]* of')
	runs pcb-doctor -P --against good "$TOP/examples/eight-gpus/lspci.txt"
	[[ $wanted && $output = *lost_link,*"$wanted"* ]] || show cost
}

@test "a manifest: nothing is lost that another machine has" {
	cat >other <<-'EOF'
	00:02.0 PCI bridge [0604]: Intel Corporation Root Port [8086:1901]
		Bus: primary=00, secondary=01, subordinate=01, sec-latency=0
		Capabilities: [40] Express (v2) Root Port (Slot+), MSI 00
			LnkCap:	Port #1, Speed 8GT/s, Width x8, ASPM not supported
			LnkSta:	Speed 8GT/s, Width x8
	01:00.0 Ethernet controller [0200]: Intel Corporation X710 [8086:1572]
		Capabilities: [60] Express (v2) Endpoint, MSI 00
			LnkCap:	Port #0, Speed 8GT/s, Width x8, ASPM not supported
			LnkSta:	Speed 8GT/s, Width x8
	EOF
	for good in other "$TOP/examples/eight-gpus/lspci.txt"; do
		now=$([ "$good" = other ] && echo "$TOP/examples/eight-gpus/lspci.txt" || echo other)
		try pcb-doctor -P --against "$good" "$now"
		[[ $status = 3 && -z $output && $stderr = *"of another machine?" ]] || show "$good"
	done
}

# A cube of time would take hours, a square minutes.
@test "a manifest: 20,000 functions, each domain a root bus of its own" {
	awk 'BEGIN {
		for (i = 0; i < 10000; i++) {
			end = "\t\tDevCtl:\tCorrErr-\n" \
				"\t\t\tMaxPayload 256 bytes, MaxReadReq 512 bytes\n" \
				"\t\tLnkCap:\tPort #1, Speed 8GT/s, Width x8\n" \
				"\t\tLnkSta:\tSpeed 8GT/s, Width x8"
			printf "%04x:00:00.0 PCI bridge: Port\n", i
			print "\tBus: primary=00, secondary=01, subordinate=01"
			print "\tCapabilities: [40] Express (v2) Root Port (Slot+)"
			print end
			printf "%04x:01:00.0 Ethernet controller: NIC\n", i
			print "\tCapabilities: [40] Express (v2) Endpoint, MSI 00"
			print end
		}
	}' >good
	sed '/^1234:01:00.0/,/LnkSta/s/LnkSta:.*/LnkSta: Speed 8GT\/s, Width x4/' \
		good >now
	try timeout 60 pcb-doctor -P --dump now --against good
	[[ $status = 1 && ${#lines[@]} = 2 &&
		${lines[1]} = model,lost_link,1234:01:00.0,certain,* ]] || show one
}
