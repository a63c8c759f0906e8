#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Topologies: of one machine, two GPUs and a NIC below a switch, and a drive.

load helpers

nccl() {
	cat <<-'EOF'
	<system version="1">
	  <cpu numaid="0" affinity="0000ffff" arch="x86_64">
	    <pci busid="0000:01:00.0" class="0x060400" vendor="0x1000" device="0xc010" link_speed="16.0 GT/s PCIe" link_width="8">
	      <pci busid="0000:03:00.0" class="0x030200" vendor="0x10de" device="0x20b0" link_speed="16.0 GT/s PCIe" link_width="16">
	        <gpu dev="0" sm="80" rank="0" gdr="1"/>
	      </pci>
	      <pci busid="0000:04:00.0" class="0x030200" vendor="0x10de" device="0x20b0" link_speed="16.0 GT/s PCIe" link_width="16">
	        <gpu dev="1" sm="80" rank="1" gdr="1"/>
	      </pci>
	      <pci busid="0000:05:00.0" class="0x020000" vendor="0x15b3" device="0x101d" link_speed="8.0 GT/s PCIe" link_width="8">
	        <nic>
	          <net name="mlx5_0" dev="0"/>
	        </nic>
	      </pci>
	    </pci>
	  </cpu>
	</system>
	EOF
}

lspci_t() {
	cat <<-'EOF'
	-+-[0000:00]-+-00.0  Intel Corporation Host Bridge
	 |           +-01.0-[01-05]----00.0-[02-05]--+-00.0-[03]----00.0  NVIDIA Corporation GA100 [A100 SXM4 40GB]
	 |           |                               +-01.0-[04]--+-00.0  NVIDIA Corporation GA100 [A100 SXM4 40GB]
	 |           |                               |            \-00.1  NVIDIA Corporation GA100 High Definition Audio Controller
	 |           |                               \-02.0-[05]----00.0  Mellanox Technologies MT2892 Family [ConnectX-6 Dx]
	 |           +-02.0-[06]--
	 |           \-1f.0  Intel Corporation ISA Bridge
	 \-[0000:80]---01.0-[81]----00.0  Samsung Electronics Co Ltd NVMe SSD Controller PM9A1
	EOF
}

# object TYPE ADDRESS CLASS ID [REST]
object() {
	printf '<object type="%s" name="a > b" pci_busid="%s" pci_type="%s [%s] [0000:0000] a1" pci_link_speed="15.753846"%s>\n' \
		"$1" "$2" "$3" "$4" "${5-}"
}

lstopo_xml() {
	local bridge=' bridge_type="1-1" bridge_pci="0000:[02-05]"'

	cat <<-'EOF'
	<?xml version="1.0" encoding="UTF-8"?>
	<!DOCTYPE topology SYSTEM "hwloc2.dtd">
	<topology version="2.0">
	<object type="Machine" os_index="0" cpuset="0xff">
	<info name="DMIProductName" value="A &amp; B > C"/>
	<object type="Package" os_index="0">
	<object type="NUMANode" os_index="0" cpuset="0x0f"/>
	<object type="Bridge" bridge_type="0-1" depth="0" bridge_pci="0000:[00-06]">
	EOF
	object Bridge 0000:00:01.0 0604 8086:2030 "$bridge"
	object Bridge 0000:01:00.0 0604 1000:c010 "$bridge"
	object Bridge 0000:02:00.0 0604 1000:c010 "$bridge"
	object PCIDev 0000:03:00.0 0302 10de:20b0
	echo '<object type="OSDev" name="cuda0" subtype="CUDA" osdev_type="5"></object>'
	echo '</object></object>'
	object Bridge 0000:02:01.0 0604 1000:c010 "$bridge"
	object PCIDev 0000:04:00.0 0302 10de:20b0
	echo '</object></object>'
	object Bridge 0000:02:02.0 0604 1000:c010 "$bridge"
	object PCIDev 0000:05:00.0 0200 15b3:101d
	echo '</object></object></object></object></object></object>'
	echo '<object type="Package" os_index="1">'
	echo '<object type="NUMANode" os_index="1" cpuset="0xf0"/>'
	echo '<object type="Bridge" bridge_type="0-1" bridge_pci="0000:[80-81]">'
	object Bridge 0000:80:01.0 0604 8086:2030 "$bridge"
	object PCIDev 0000:81:00.0 0108 144d:a80a
	echo '</object></object></object></object></object></topology>'
}

# tree FILE: a line for each row: device, name, parent, link and NUMA node.
tree() {
	local all name

	all=$(pcb-model tree -P --dump "$1" 2>said) || return
	for name in device name parent link node; do
		column "$name" <<<"$all" >".$name"
	done
	paste -d, .device .name .parent .link .node
}

@test "topology: NCCL says what both ends support" {
	nccl >file
	# The least of the path.
	try pcb-doctor --devices -P file
	[ "$(column could_link <<<"$output" | xargs)" = \
		"gen4x8 gen4x8 gen3x8" ] || show could
	[ "$(tree file)" = "\
node0,,,,
pci?0,,node0,,
0000:01:00.0,,pci?0,gen4x8,0
0000:03:00.0,gpu0,0000:01:00.0,gen4x16,0
0000:04:00.0,gpu1,0000:01:00.0,gen4x16,0
0000:05:00.0,nic0,0000:01:00.0,gen3x8,0" ] || show "$(tree file)"
	grep -q "what they run at is unknown: 4" said
	runs pcb-model flows -P --dump file "gpu0>host gpu1>host gpu0>gpu1"
	[ "$(column limited_by <<<"$output" | head -3 | xargs)" = \
		"01:00.0>pci?0 01:00.0>pci?0 gpu0>01:00.0" ] ||
		show "the uplink limits"
	[ "$(column crosses <<<"$output" | sed -n 3p)" = "" ]
	# Both ports of the NIC have one link.
	sed 's/^.*0000:05:00.0/<pci busid="0000:05:00.1" class="0x020000"\/>\n&/' \
		file >two
	tree file >before
	tree two >after
	diff before after
	# Nobody knows what the links run at.
	try pcb-doctor -P file
	[ "$status" = 3 ]
	[[ "$output$stderr" != *link_*x* && "$stderr" = *"4 functions not"* ]]
}

@test "topology: of the same machine, all show the same tree" {
	lspci_t >file
	[ "$(tree file)" = "\
memory,,,,
pci0000:00,,memory,,
0000:00:01.0,,pci0000:00,,
0000:01:00.0,,0000:00:01.0,,
0000:02:00.0,,0000:01:00.0,,
0000:02:01.0,,0000:01:00.0,,
0000:02:02.0,,0000:01:00.0,,
0000:03:00.0,gpu0,0000:02:00.0,,
0000:04:00.0,gpu1,0000:02:01.0,,
0000:05:00.0,nic0,0000:02:02.0,,
pci0000:80,,memory,,
0000:80:01.0,,pci0000:80,,
0000:81:00.0,nvme0,0000:80:01.0,," ] || show "$(tree file)"
	tree file | sed -e '/^memory/d' -e '/^pci/s/memory/node/' \
		-e '/0000:0.:/s/$/0/' -e '/0000:8.:/s/$/1/' >by_lspci
	lstopo_xml >file
	tree file | sed -e '/^node/d' -e 's/node[01]/node/' >by_lstopo
	sed -i 's/\(pci.*node,,\).*/\1/' by_lspci
	diff by_lspci by_lstopo
	# Below a bridge without ports is no link.
	echo '-[0000:00]---03.0-[07-08]----00.0-[08]----03.0  ASPEED' >file
	[ "$(tree file | cut -d, -f1 | xargs)" = \
		"memory pci0000:00 0000:00:03.0 0000:07:00.0" ]
	for name in lspci_t lstopo_xml; do
		$name >file
		try pcb-doctor -P file
		[ "$status" = 3 ]
		[[ "$output" != *link_* ]]
	done
}

@test "topology: form changes nothing" {
	local way

	# The attributes of a tag in the other order.
	reversed() {
		awk '{
			while (match($0, /<([^">]|"[^"]*")*>/)) {
				tag = substr($0, RSTART + 1, RLENGTH - 2)
				$0 = substr($0, RSTART + RLENGTH)
				end = sub(/\/$/, "", tag) ? "/" : ""
				n = 0
				name = tag
				sub(/ .*/, "", name)
				while (match(tag, / [a-z_]+="[^"]*"/)) {
					a[++n] = substr(tag, RSTART, RLENGTH)
					tag = substr(tag, RSTART + RLENGTH)
				}
				printf "<%s", name
				for (; n; n--)
					printf "%s", a[n]
				print end ">"
			}
		}'
	}
	for way in reversed "tr -d '\n'" "sed 's/^ *//'" "sed 's/^/ \t /'" \
		"sed 's/^/> /; s/\$/\r/'" "sed 's/></>\n</g; s/ \([a-z_]*=\)/\n\1/g'" \
		"tr '\"' \"'\"" "sed 's/=\"/ = \"/g; s/\/>/ \/>/'" \
		"sed '3i<!-- <pci busid=\"0000:01:1f.0\"> -- \">\n-->'" \
		"sed 's/>\$/\n  >/'" "gzip" "(echo Hello; cat; echo Bye)"; do
		for name in nccl lstopo_xml; do
			$name >file
			tree file >before
			$name | eval "$way" >file
			tree file >after
			diff before after || show "$name by $way"
		done
	done
	lspci_t >file
	tree file >before
	for way in "sed 's/^/> /; s/\$/\r/'" "sed 's/^/        /'" gzip \
		"sed 's/  [A-Z].*/&\nand more words/'" "sed '1s/^/ /'" \
		"sed 's/ /\xc2\xa0/g'" "sed 's/ /\&nbsp;/g'" \
		"(echo '\$ lspci -tv'; cat; echo Bye)" "sed 's/^  /=20=20/'"; do
		lspci_t | eval "$way" >file
		tree file >after
		diff before after || show "lspci -t by $way"
	done
	# Without its columns, a line has no place.
	lspci_t | sed 's/  */ /g' >file
	[ "$(tree file | grep -c gpu1)" = 0 ]
}

@test "topology: the address joins what several say" {
	local smi="GPU 00000000:%s:00.0
    GPU Link Info
        PCIe Generation
            Max                       : 4
            Current                   : 1
        Link Width
            Max                       : 16x
            Current                   : %s
    Performance State                 : P8
"

	# Ports by lspci, what both ends support by NCCL.
	(nccl; lspci_t) >file
	[ "$(tree file | grep 0000:04:)" = \
		0000:04:00.0,gpu1,0000:02:01.0,gen4x16,0 ]
	(lspci_t; lstopo_xml; nccl) >file
	[ "$(tree file | grep 0000:05:)" = \
		0000:05:00.0,nic0,0000:02:02.0,gen3x8,0 ]
	# Lanes now by nvidia-smi: fewer than both ends have, or as many.
	# shellcheck disable=SC2059
	(printf "$smi" 03 8x; printf "$smi" 04 16x; nccl) >file
	try pcb-doctor -P --dump file
	[ "$(grep -c ,link_ <<<"$output")" = 1 ]
	[[ "$output" = *link_width,0000:03:00.0,likely* ]]
	[ "$(tree file | grep 0000:03:)" = \
		0000:03:00.0,gpu0,0000:01:00.0,gen4x8,0 ]
	# The card has more than the slot.
	sed -i 's/"16"/"8"/' file
	try pcb-doctor -P --dump file
	[ "$(grep -c ,link_ <<<"$output")" = 0 ]
}

@test "topology: registers of lspci find their place" {
	cat >device <<-'EOF'
	81:00.0 Non-Volatile memory controller: Samsung Electronics PM9A1
		Capabilities: [70] Express (v2) Endpoint, MSI 00
			DevCtl:	CorrErr- NonFatalErr- FatalErr- UnsupReq-
				MaxPayload 256 bytes, MaxReadReq 512 bytes
			LnkCap:	Port #0, Speed 16GT/s, Width x4, ASPM L1
			LnkSta:	Speed 16GT/s, Width x4
	EOF
	(cat device; echo; lspci_t) >file
	[ "$(tree file | grep 0000:81:)" = \
		0000:81:00.0,nvme0,0000:80:01.0,gen4x4, ]
	# Its port's link is unknown still.
	try pcb-doctor -P --dump file
	[ "$status" = 3 ]
	[[ "$output" != *",link_"* ]]
}

@test "topology: a cloud's switch that the guest does not see" {
	nccl | sed 's/0000:01:00.0/ffff:ff:01.0/; s/0x1000/0xffff/; s/0xc010/0xffff/' >file
	[ "$(tree file | cut -d, -f1-4)" = "\
node0,,,
pci?0,,node0,
ffff:ff:01.0,,pci?0,gen4x8
0000:03:00.0,gpu0,ffff:ff:01.0,gen4x16
0000:04:00.0,gpu1,ffff:ff:01.0,gen4x16
0000:05:00.0,nic0,ffff:ff:01.0,gen3x8" ] || show "$(tree file)"
	try pcb-doctor -P --dump file
	[[ "$output" != *"gpu0 | gpu1"* ]]
	# Bridges above each other are above none.
	printf '<system version="1"><pci busid="0001:00:00.0"><pci busid="0000:00:00.0"><pci busid="0001:00:00.0"></pci></pci></pci></system>\n' >file
	tree file >/dev/null
}

@test "topology: a refusal for what shows no function" {
	printf '\tGPU0\tGPU1\tCPU Affinity\nGPU0\t X \tPI\n' >short
	printf '<topology version="2.0">\n<object type="Machine">\n</object>\n</topology>\n' >lstopo
	printf '<system version="1">\n<cpu numaid="0"></cpu>\n</system>\n' >nccl
	printf -- '-[0000:00]-+-00.0\n           \\-1f.0\n' >lspci
	for file in "short nvidia-smi topo" "lstopo XML of lstopo" \
		"nccl a topology of NCCL" "lspci lspci -t"; do
		try pcb-doctor "${file%% *}"
		[ "$status" = 2 ]
		[[ "$stderr" = *"${file#* }"* ]] || show "${file#* }"
	done
}

# row WAY...: one of nvidia-smi topo -m.
row() {
	printf '%s\t' "$@"
	printf '0-31\t0\n'
}

@test "topology: nvidia-smi topo alone says where data go" {
	{
		printf '\tGPU0\tGPU1\tGPU2\tGPU3\tNIC0\tCPU Affinity\tNUMA Affinity\n'
		row GPU0 X PIX NODE SYS PHB
		row GPU1 PIX X NODE SYS PXB
		row GPU2 NODE NODE X SYS NODE
		row GPU3 SYS SYS SYS X SYS
		row NIC0 PHB PXB NODE SYS X
	} >topo
	try pcb-doctor -P topo
	[ "$status" = 3 ]
	[ "$(column finding <<<"$output" | xargs)" = "remote_node peer_path" ]
	[ "$(column certainty <<<"$output" | head -1)" = likely ]
	[[ "$output" = *"node of gpu3,"* ]]
	[[ "$output" = *"1 below"*"2 through"*"3 from socket"*"gpu0 gpu1 | gpu2 | gpu3;"* ]]
	[[ "$output" = *"(PIX, PXB) of gpu1, "*"NODE) of gpu0 gpu2"* ]]
	try pcb-doctor -P - < <(cat topo topo)
	[[ "$output" = *"1 below"*"2 through"*"3 from socket"* ]] || show twice
	# Of a row that is cut, the pairs are unknown: no group is apart.
	sed -i 's/^GPU2.*/GPU2 X/' topo
	try pcb-doctor -P topo
	[[ "$output" = *"(of 6)"* && "$output" != *"gpu0 gpu1 |"* ]]
	# A guest shows all as SYS; no GPU is then worse than others.
	sed -i 's/PIX\|PXB\|PHB\|NODE/SYS/g' topo
	try pcb-doctor -P topo
	[ "$(column finding <<<"$output")" = peer_path ]
	[[ "$output" = *virtual* ]]
	printf '\tGPU0\tGPU1\nGPU0\tX\tNS\nGPU1\tNS\tX\n' >p2p
	try pcb-doctor -P p2p
	[ "$status$(column finding <<<"$output")" = 3peer_access ]
}

# rocm_topo TITLE ROW...: a table of rocm-smi, of as many GPUs as rows.
rocm_topo() {
	local gpu=0 row

	printf '======== %s between two GPUs ========\n      ' "$1"
	shift
	for row; do
		printf ' GPU%s         ' $((gpu++))
	done
	echo
	gpu=0
	for row; do
		# shellcheck disable=SC2086
		printf "GPU$((gpu++)) $(printf ' %-12s' $row)\n"
	done
	echo
}

@test "topology: rocm-smi and amd-smi say where data go" {
	local gpu part

	{
		echo '===== ROCm System Management Interface ====='
		rocm_topo Weight '0 15 15 72' '15 0 30 72' '15 30 0 72' \
			'72 72 72 0'
		rocm_topo Hops '0 1 1 3' '1 0 2 3' '1 2 0 3' '3 3 3 0'
		rocm_topo 'Link Type' '0 XGMI XGMI PCIE' '0 0 0 PCIE' \
			'XGMI XGMI 0 PCIE' 'PCIE PCIE PCIE 0'
	} >rocm
	sed -i 's/^GPU1  0  *0  *0/GPU1  XGMI 0 XGMI/' rocm
	for gpu in 0 1 2 3; do
		printf 'GPU[%s]\t\t: (Topology) Numa Node: 0\n' $gpu
		printf 'GPU[%s]\t\t: (Topology) Numa Affinity: %s\n' \
			$gpu $((gpu / 3))
	done >nodes
	cat nodes >>rocm
	cat rocm rocm >twice
	try pcb-doctor -P twice
	[ "$status$(column finding <<<"$output")" = 3peer_path ]
	for part in "3 by XGMI (1 of them over" \
		"3 by PCIe between NUMA nodes" "gpu0 gpu1 gpu2 | gpu3;" \
		"node: gpu0 gpu1 gpu2 | gpu3\""; do
		[[ "$output" = *"$part"* ]] || show "$part"
	done
	[[ "$output" != *"to each other"* ]]
	# A pair that XGMI joins to a third is not said to be broken.
	sed 's/XGMI 0 XGMI/XGMI 0 PCIE/; s/XGMI  *XGMI  *0 /XGMI PCIE 0 /' \
		rocm >pair
	try pcb-doctor -P pair
	[ "$status$(column certainty <<<"$output")" = "3by design" ]
	[[ "$output" = *"1 by PCIe in one NUMA node"*"gpu1 to gpu2;"* ]]
	# Types alone know no nodes, hops alone no switch.
	rocm_topo 'Link Type' '0 PCIE' 'PCIE 0' >types
	try pcb-doctor -P types
	[[ "$output" = *'1 by PCIe"'* ]]
	try pcb-doctor -P nodes
	[[ "$output" = *"GPUs: not told; by NUMA node"* ]]
	rocm_topo Weight '0 15' '15 0' >weights
	try pcb-doctor -P weights
	[[ "$status $stderr" = "2 "*"amd-smi topology"* ]]
	# Two tables side by side, whose cells could be of either.
	printf '%s\n' 'Hops between two GPUs    Link Type' \
		'     GPU0 GPU1    GPU0 GPU1' 'GPU0    0    2    GPU0    0 PCIE' \
		'GPU1    2    0    GPU1 PCIE    0' >beside
	try pcb-doctor -P beside
	[ "$status" = 2 ]
	# What no row says: it has another end at the GPU itself.
	rocm_topo 'Link Type' '1 PCIE' 'PCIE 1' >wrong
	try pcb-doctor -P wrong
	[ "$status" = 2 ]
	# By addresses, as lspci has them.
	for part in ACCESS HOPS 'LINK TYPE' DMA; do
		echo "$part TABLE:"
		echo '             0000:03:00.0 0000:04:00.0'
		case $part in
		ACCESS) echo '0000:03:00.0 ENABLED      DISABLED' \
			$'\n0000:04:00.0 DISABLED     ENABLED' ;;
		HOPS) echo $'0000:03:00.0 0 1\n0000:04:00.0 1 0' ;;
		LINK*) echo '0000:03:00.0 SELF         XGMI' \
			$'\n0000:04:00.0 XGMI         SELF' ;;
		*) echo $'0000:03:00.0 SELF F\n0000:04:00.0 F SELF' ;;
		esac
	done | sed 's/^ 0000:04/0000:04/' >amd
	try pcb-doctor -P amd
	[ "$status$(column finding <<<"$output" | xargs)" = \
		"3peer_access peer_path" ]
	[[ "$output" = *"03:00.0 cannot access 04:00.0"*"1 by XGMI"* ]]
}

@test "topology: no bridge shows NVLink and XGMI" {
	local bus dump gpu link

	# Two GPUs, each below a root port.
	link=$'\t\tDevCtl: CorrErr-\n\t\t\tMaxPayload 256 bytes, MaxReadReq 512 bytes
\t\tLnkCap: Port #0, Speed 8GT/s, Width x16, ASPM L1
\t\tLnkSta: Speed 8GT/s, Width x16\n'
	for bus in 1 2; do
		printf '%s\n' "00:0$bus.0 PCI bridge: Intel Root Port" \
			$'\tBus: primary=00, secondary=0'"$bus, subordinate=0$bus" \
			$'\tCapabilities: [50] Express (v2) Root Port (Slot+), MSI 00' \
			"$link" "0$bus:00.0 3D controller: NVIDIA GA102" \
			$'\tCapabilities: [60] Express (v2) Endpoint, MSI 00' "$link"
	done >gpus
	(cat gpus; printf '\tGPU0\tGPU1\nGPU0\t X \tPHB\nGPU1\tPHB\t X \n') \
		>apart
	sed 's/PHB/NV4/' apart >nvlink
	(cat gpus; rocm_topo 'Link Type' '0 XGMI' 'XGMI 0') >xgmi
	try pcb-doctor -P --dump apart
	[[ "$output" = *"go through the root complex"* ]]
	for dump in nvlink xgmi; do
		try pcb-doctor -P --dump $dump
		[[ "$output" != *"through the root"* ]] || show $dump
		[[ "$output" = *"1 by "* ]] || show $dump
	done
	# A tree without names does not show which are GPUs.
	(lspci_t | sed 's/  [A-Z].*//'
		printf '\tGPU0\tGPU1\nGPU0\t X \tPHB\nGPU1\tPHB\t X \n') >bare
	try pcb-doctor -P --dump bare
	[[ "$output" = *"1 through the root complex"* ]]
	# The address joins AMD's numbers with lspci.
	(sed 's/NVIDIA.*/AMD [Radeon]/' gpus
		for gpu in 0 1; do
			echo "GPU[$gpu] : PCI Bus: 0000:0$((gpu + 1)):00.0"
			echo "GPU[$gpu] : (Topology) Numa Affinity: $gpu"
		done) >node
	[ "$(tree node | grep -c ',[01]$')" = 2 ]
}

# Hostile texts end soon, with few functions.
@test "topology: depth, lengths and numbers have bounds" {
	local head='<system version="1">'

	(echo "$head"; yes '<pci busid="0000:01:00.0">' | head -300000) >deep
	(echo "$head"; printf '<pci busid="%0100000d"/>\n' 0
		yes '<pci busid="' | head -100000; nccl) >quotes
	(echo "$head"; echo '<!--'; yes 'a -' | head -300000; nccl) >comment
	(echo "$head"; yes '<pci' | head -300000) >open
	(yes -- '-[0000:00]-+-00.0-[01]-+-00.0-[02]-+-00.0' | head -100000) >drawn
	(printf -- '-[0000:00]'; yes -- '-+-01.0-[02]' | head -9000 | tr -d '\n'
		echo) >wide
	(yes 'GPU0 ' | head -9000 | tr -d '\n'; echo
		yes 'GPU0 X OK' | head -100000) >matrix
	for file in deep quotes comment open drawn wide matrix; do
		try timeout 20 pcb-doctor -P --dump $file
		[ "$status" = 2 ] || [ "$status" = 3 ] || show "$file ends"
	done
}

@test "topology: files of public machines" {
	local dir=${PCB_TEST_DATA:-}/machines file

	[ -d "$dir" ] || skip "needs PCB_TEST_DATA"
	for file in "$dir"/{nccl-topo,lstopo}/*; do
		try pcb-doctor --dump "$file"
		[ "$status" = 3 ]
		[[ "$output" = *"# examined: 0 functions"* ]]
		[[ "$output" = *"# unseen: $(grep -oE '(pci_)?busid="' "$file" |
			wc -l) functions"* ]] || show "all functions of $file"
		[ "$(grep -c ,link_ <<<"$output")" = 0 ]
	done
	for file in "$dir"/{topo-m,topo-p2p}/*; do
		try pcb-doctor --dump "$file"
		[ "$status" = 3 ]
		[[ "$output" = *"# examined: 0 functions"* ]]
		[[ "$file" != *-m/* || "$output" = *peer_path,* ]]
	done
	for file in "$dir"/lspci-t/*; do
		try pcb-doctor --dump "$file"
		[ "$status" = 3 ]
		# Below each bridge with a bus of its own.
		[ "$(tree "$file" | cut -d, -f1 | sort | uniq -d)" = "" ]
	done
	[ "$(tree "$dir/lspci-t/stelline-asus-tv.txt" | grep gpu | cut -d, -f1-3 |
		xargs)" = "0000:01:00.0,gpu0,0000:00:01.1 \
0000:41:00.0,gpu1,0000:40:01.1 0000:c1:00.0,gpu2,0000:c0:01.1 \
0000:e1:00.0,gpu3,0000:e0:01.1" ]
	[ "$(tree "$dir/lspci-t/stelline-puget-tv.txt" | grep gpu |
		cut -d, -f1 | xargs)" = "0000:c1:00.0 0000:c2:00.0" ]
}
