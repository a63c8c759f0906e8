#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What any user has: files of /sys, of which root's registers say more.

load helpers

# Without capabilities, as another user.
user() {
	[ "$(id -u)" != 0 ] || set -- setpriv --reuid 65534 --regid 65534 \
		--clear-groups "$@"
	"$@"
}

# sys PATH CLASS WIDTH MAX: a function with 8.0 GT/s in tree/sys; its bytes of
# config space only root may read.
sys() {
	local dir=tree/sys/devices/pci0000:00/$1

	mkdir -p "$dir" tree/sys/bus/pci/devices
	ln -s "../../../devices/pci0000:00/$1" \
		"tree/sys/bus/pci/devices/${1##*/}"
	echo 0x8086 >"$dir/vendor"
	echo 0x1234 >"$dir/device"
	echo "$2" >"$dir/class"
	echo "0" >"$dir/numa_node"
	[ "$3" ] || return 0
	echo "8.0 GT/s PCIe" | tee "$dir/current_link_speed" \
		>"$dir/max_link_speed"
	echo "$3" >"$dir/current_link_width"
	echo "$4" >"$dir/max_link_width"
}

# A NIC with half of its lanes, and an NVMe drive, behind one uplink; a bridge
# without a link.
machine() {
	local port=0000:00:01.0 switch=0000:00:01.0/0000:01:00.0

	sys $port 0x060400 8 16
	sys $switch 0x060400 8 16
	sys $switch/0000:02:00.0 0x060400 4 8
	sys $switch/0000:02:00.0/0000:03:00.0 0x020000 4 8
	sys $switch/0000:02:01.0 0x060400 4 4
	sys $switch/0000:02:01.0/0000:04:00.0 0x010802 4 4
	sys 0000:00:1f.0 0x060100 ''
	chmod -R a+rX tree .
}

# What a user may paste of it.
paste_of() {
	(cd "$1" && grep -rs . sys/devices --include=vendor --include=device \
		--include=class --include=numa_node --include='*_link_*' \
		--include='aer_dev_*' --include=l1_aspm)
}

# cells NAME... <STREAM: columns of a row on a line.
cells() {
	local name all

	all=$(cat)
	for name in "$@"; do
		column "$name" <<<"$all" >".$name"
	done
	paste -d' ' "${@/#/.}"
}

@test "facts: a user sees the links that /sys shows, or a paste of it" {
	machine
	paste_of tree >pasted
	# As mail and terminals pass it on.
	sed 's/^/> /; s/$/\r/' pasted | gzip >quoted
	sed 's/\(.*\):\([^:]*\)$/\x1b[35m\1\x1b[m\x1b[36m:\x1b[m\2/' pasted >coloured
	(printf 'Hello,\n\n```\n'; cat pasted; printf '```\nBye\0\n') >mail
	for from in "--root tree" "--dump pasted" "--dump quoted" \
		"--dump coloured" "--dump mail"; do
		# shellcheck disable=SC2086
		runs user pcb-model tree -P $from
		[ "$(cells device link <<<"$output")" = "\
node0 
pci0000:00 
0000:00:01.0 
0000:01:00.0 gen3x8
0000:02:00.0 
0000:02:01.0 
0000:03:00.0 gen3x4
0000:04:00.0 gen3x4" ] || show "the tree of $from"
		[[ "$stderr" = *"only root may read MPS"* ]]
		# shellcheck disable=SC2086
		runs user pcb-model flows --each host -P $from
		[ "$(column limited_by <<<"$output" | head -1)" = \
			"nic0>02:00.0" ]
		# shellcheck disable=SC2086
		try user pcb-doctor -P $from </dev/null
		[ "$status" = 0 ]
		[ "$(cells finding device certainty <<<"$output")" = "\
link_width 0000:01:00.0 likely
link_width 0000:03:00.0 likely" ] || show "two narrow links"
		[[ "$stderr" = *"not examined"*MPS*ACS* ]]
	done
	runs user pcb-collect list -P --root tree
	[ "$(grep ,pci, <<<"${output#*$'\n'}" | cut -d, -f5 | xargs)" = \
		"gen3x8 gen3x4 gen3x4" ]
}

@test "facts: of a link without its port, a paste says so" {
	for name in {current,max}_link_{speed,width}; do
		printf '==> /sys/bus/pci/devices/0000:01:00.0/%s <==\n' "$name"
		case $name in
		current*speed) echo "16.0 GT/s PCIe" ;;
		current*) echo 8 ;;
		*speed) echo "32.0 GT/s PCIe" ;;
		*) echo 16 ;;
		esac
		echo
	done >pasted
	try pcb-doctor -P <pasted
	[ "$status" = 3 ]
	[ "$(column finding <<<"$output")" = link_unseen ]
	[[ "$output" = *"gen4x8, it supports gen5x16"* ]]
}

@test "facts: a user can save links and find what is lost" {
	machine
	mkdir -m 777 out
	runs user pcb-doctor --root tree --save out/then
	runs user pcb-doctor -P --root tree --against out/then
	[ "${#lines[@]}" = 1 ]
	echo 2 | tee tree/sys/bus/pci/devices/0000:0{2:01,4:00}.0/current_link_width
	try user pcb-doctor -P --root tree --against out/then
	[ "$status" = 1 ]
	[ "$(column finding <<<"$output") $(column device <<<"$output")" = \
		"lost_link 0000:04:00.0" ]
	# A paste is a manifest, too.
	paste_of tree >pasted
	try user pcb-doctor -P --dump pasted --against out/then
	[ "$status" = 1 ]
}

@test "facts: errors that a paste counts" {
	machine
	printf 'RxErr 3\nBadTLP 7\nTOTAL_ERR_COR 10\n' \
		>tree/sys/bus/pci/devices/0000:04:00.0/aer_dev_correctable
	printf 'DLP 0\nTOTAL_ERR_FATAL 0\n' \
		>tree/sys/bus/pci/devices/0000:03:00.0/aer_dev_fatal
	paste_of tree >pasted
	for from in "--root tree" "--dump pasted"; do
		# shellcheck disable=SC2086
		try pcb-doctor -P $from </dev/null
		[ "$(grep -c ,errors, <<<"$output")" = 1 ]
		[[ "$output" = *"RxErr 3, BadTLP 7"* ]]
	done
}

# As the kernel makes them of registers.
link_files() {
	local rates=("Unknown" "2.5 GT/s PCIe" "5.0 GT/s PCIe" "8.0 GT/s PCIe"
		"16.0 GT/s PCIe" "32.0 GT/s PCIe" "64.0 GT/s PCIe")
	local port status

	[ "$(od -An -tx1 -j 0x40 -N 1 "$1/config")" = " 10" ] || return 0
	port=$(od -An -tu1 -j 0x42 -N 1 "$1/config")
	status=$(od -An -tu2 -j 0x52 -N 2 "$1/config")
	[ $((port >> 4)) != 9 ] || status=0
	echo "${rates[status & 15]}" | tee "$1/current_link_speed" \
		>"$1/max_link_speed"
	echo $((status >> 4 & 63)) | tee "$1/current_link_width" \
		>"$1/max_link_width"
}

@test "facts: registers and files show the same links" {
	local f

	example_tree tree
	pcb-model tree -P --root tree | cells device link |
		sed 's,/mps.*,,' >by_registers
	for f in tree/sys/bus/pci/devices/*; do
		link_files "$f"
	done
	pcb-model tree -P --root tree | cells device link |
		sed 's,/mps.*,,' >by_both
	truncate -s 64 tree/sys/bus/pci/devices/*/config
	pcb-model tree -P --root tree | cells device link >by_files
	cmp by_registers by_both
	cmp by_registers by_files
	[ "$(grep -c gen by_files)" = 4 ]
}

# A log from its first line on: a NIC at whose port the path is slower, a drive
# about which the kernel is silent, and a tunnel.
boot_log() {
	cat <<-'EOF'
	[    0.000000] Linux version 6.12.0 (me@here) #1 SMP
	[    1.1] pci 0000:02:00.0: [8086:1533] type 00 class 0x020000 PCIe Endpoint
	[    1.200000] pci 0000:02:00.0: 31.504 Gb/s available PCIe bandwidth, limited by 8.0 GT/s PCIe x4 link at 0000:00:1c.4 (capable of 63.008 Gb/s with 8.0 GT/s PCIe x8 link)
	[    1.300000] pci 0000:03:00.0: [144d:a808] type 00 class 0x010802 PCIe Endpoint
	[    1.400000] pci 0000:00:1f.0: enabling Extended Tags
	[    1.500000] thunderbolt 0000:05:00.0: total paths: 21
	[    1.600000] pci 0000:06:00.0: 8.000 Gb/s available PCIe bandwidth, limited by 2.5 GT/s PCIe x4 link at 0000:00:07.0 (capable of 31.504 Gb/s with 8.0 GT/s PCIe x4 link)
	[   30.200000] nvme 0000:03:00.0: PCIe Bus Error: severity=Uncorrectable (Fatal), type=Data Link Layer, (Receiver ID)
	EOF
}

@test "facts: the kernel's log says what limits a path at boot" {
	boot_log >log
	gzip <log >packed
	boot_log | sed 's/^/> /; s/, limited/,\n> limited/; s/$/\r/' >mail
	(printf '```\n'; boot_log | sed 's/Linux/\x00Linux/'; echo '```') >nul
	boot_log | sed 's/ available/\navailable/; s/ at 0/ at\n0/' >wrapped
	boot_log | sed 's/bandwidth, /bandwidth,=20\n/' >encoded
	boot_log | sed 's/\] /] [3953] /' >threads
	boot_log | sed 's/^/Wed Aug 12 17:30:58 2026 kern.info kernel: /
		3s/info/debug/' >logread
	for file in log packed mail nul wrapped encoded threads logread; do
		try pcb-doctor -P --dump $file
		[ "$status" = 3 ]
		[ "$(cells finding device certainty reason <<<"$output" | sort)" = "\
errors 0000:03:00.0 likely 
link_boot 0000:02:00.0 by design boot
link_boot 0000:06:00.0 by design tunnel" ] || show "two limits of $file"
		[[ "$output" = *"gen3x4 link at 0000:00:1c.4"*gen3x8* ]]
	done
	pcb-doctor --dump log | grep -x "# examined: 3 functions"
	# Silence alone: all that is known is good.
	boot_log | sed '/limited/d; /Error/d' >log
	runs pcb-doctor -P --dump log
	[ "${#lines[@]}" = 1 ]
	# What a tunnel carries is not known.
	boot_log | grep -e Linux -e thunderbolt -e 06:00 >tunnel
	try pcb-doctor -P tunnel
	[ "$status$(column reason <<<"$output")" = 3tunnel ]
	# Without its beginning it says nothing.
	try pcb-doctor -P < <(sed 1d log)
	[ "$status" = 2 ]
}

@test "facts: what the log says of boot stands beside the link now" {
	machine
	paste_of tree >both
	sed 's/0000:02:00.0/0000:04:00.0/' < <(boot_log) |
		grep -e Linux -e limited | head -2 >>both
	try pcb-doctor -P --dump both
	[ "$(grep -c ,link_boot, <<<"$output")" = 0 ] # the same
	sed -i 's/31.504 Gb.*PCIe x4/7.876 Gb\/s available PCIe bandwidth, limited by 8.0 GT\/s PCIe x1/' both
	try pcb-doctor -P --dump both
	[ "$(grep -c ,link_boot,0000:04:00.0, <<<"$output")" = 1 ]
}

@test "facts: a GPU that fell off the bus by the log is likely broken" {
	cat >log <<-'EOF'
	[ 1843.308145] NVRM: Xid (PCI:0000:41:00): 79, pid='<unknown>', name=<unknown>, GPU has fallen off the bus.
	[ 1843.308150] NVRM: GPU 0000:41:00.0: GPU has fallen off the bus.
	[ 1850.100000] NVRM: Xid (PCI:0000:42:00): 31, pid=1018, Ch 00000004, intr 00000000. MMU Fault
	[ 1851.100000] NVRM: GPU at 0000:43:00.0 has fallen off the bus.
	EOF
	try pcb-doctor -P --dump log
	[ "$(cells finding device certainty <<<"$output")" = "\
errors 0000:41:00.0 likely
errors 0000:43:00.0 likely" ] || show "two GPUs"
	[ "$(grep -c '(1)' <<<"$output")" = 2 ]
	[ "$status" = 3 ]
	# Pasted without its stamp.
	try pcb-doctor -P - < <(sed -n '1s/^.*NVRM/NVRM/p' log)
	[ "$(column device <<<"$output")" = 0000:41:00.0 ]
}

# rates FILE: findings of a file, of which a link may be unknown.
rates() {
	try pcb-doctor -P --dump "$1"
	[ "$status" = 3 ] || show "3 of $1"
	cells finding device certainty <<<"$output" | sort | xargs
}

# logged LINE...: lines of a kernel's log.
logged() {
	printf '[ 1843.100000] %s\n' "$@"
}

@test "facts: a log names errors; only some are of the signal of a link" {
	logged "nvme 0000:01:00.0: PCIe Bus Error: severity=Correctable, type=Data Link Layer, (Receiver ID)" \
		"nvme 0000:01:00.0:    [ 6] BadTLP                 (First)" \
		"nvme 0000:01:00.0:    [12] Timeout" \
		"nvme 0000:02:00.0: AER:    [ 0] RxErr" \
		"nvme 0000:03:00.0:    [14] Completion Timeout     (First)" \
		"pcieport 0000:04:00.0:    [21] ACSViol" \
		"pcieport 0000:05:00.0:    [18] MalfTLP" \
		"pcieport 0000:06:00.0: pciehp: Slot(0): Link Down" \
		"pcieport 0000:07:00.0: pciehp: Slot(1): Link Down" \
		"pcieport 0000:07:00.0: pciehp: Slot(1): Link Up" \
		"pcieport 0000:08:00.0: pciehp: Slot(2): Link Up" \
		"nvme 0000:09:00.0: Unable to change power state from D3cold to D0, device inaccessible" \
		"pcieport 0000:0a:00.0: AER: Corrected error received: 0000:0a:00.0" >log
	try pcb-doctor -P --dump log
	[ "$status" = 3 ]
	[ "$(cells device certainty <<<"$output" | sort)" = "\
0000:01:00.0 likely
0000:02:00.0 by design
0000:03:00.0 likely
0000:04:00.0 likely
0000:05:00.0 likely
0000:06:00.0 likely
0000:07:00.0 by design
0000:09:00.0 likely
0000:0a:00.0 likely" ] || show "ten devices"
	[ "$(grep reseat <<<"$output" | cut -d, -f3 | sort | xargs)" = \
		"0000:01:00.0 0000:06:00.0 0000:09:00.0" ]
	[[ "$output" = *"BadTLP (1); Timeout (1)"* ]]
	[[ "$output" = *pcie_aspm=off* ]] # unknown here, and often the cause
	# A drive by its name, whose address another line has.
	logged "nvme nvme1: pci function 0000:0c:00.0" \
		"nvme nvme0: controller is down; will reset: CSTS=0xffffffff, PCI_STATUS=0x10" \
		"nvme nvme1: controller is down; will reset: CSTS=0xffffffff, PCI_STATUS=0x10" >drive
	try pcb-doctor -P --dump drive
	[ "$(cells finding device certainty <<<"$output")" = \
		"errors 0000:0c:00.0 likely" ]
	# Errors at both ends of a link are one fact, if the port is known.
	local error="PCIe Bus Error: severity=Corrected, type="
	{
		logged "pcieport 0000:00:1d.0: ${error}Data Link Layer, (Transmitter ID)" \
			"pcieport 0000:00:1d.0:    [12] Timeout"
		logged "nvme 0000:03:00.0: ${error}Physical Layer, (Receiver ID)" \
			"nvme 0000:03:00.0:    [ 6] BadTLP" | sed 's/1843/1844/'
	} >ends
	[ "$(rates ends)" = "errors 0000:00:1d.0 likely errors 0000:03:00.0 likely" ]
	for known in "pci 0000:00:1d.0: PCI bridge to [bus 03]" \
		"pcieport 0000:00:1d.0: AER: Corrected error received: 0000:03:00.0" \
		"nvme 0000:03:00.0: AER: can't recover (no error_detected callback)"; do
		logged "$known" | cat ends - >both
		try pcb-doctor -P --dump both
		[ "$(cells finding device certainty <<<"$output")" = \
			"errors 0000:03:00.0 likely" ] || show "one row"
		[[ "$output" = *"BadTLP (1)"*"Timeout (1 at 00:1d.0)"* ]]
	done
	printf -- '-[0000:00]-+-00.0\n           \\-1d.0-[03]----00.0\n' |
		cat ends - >tree
	[ "$(rates tree)" = "errors 0000:03:00.0 likely" ]
	# A root port above a switch is no end of either link.
	{
		cat ends
		logged "pcieport 0000:00:1d.0: AER: Corrected error received: 0000:03:00.0" \
			"pcieport 0000:00:1d.0: AER: Corrected error received: 0000:04:00.0" \
			"nvme 0000:04:00.0:    [ 6] BadTLP"
	} >switch
	[ "$(rates switch | grep -o errors | wc -l)" = 3 ]
	# Beside a part of lspci: what errs may be elsewhere, or gone.
	printf '0e:00.0 Ethernet controller: Intel Corporation I210\n' >part
	try pcb-doctor -P part log
	[ "$status" = 3 ]
	[[ "$output" = *0000:01:00.0* ]]
	# A dock that goes takes its devices.
	logged "thunderbolt 0000:0b:00.0: total paths: 21" >dock
	grep -e 06:00 -e 09:00 log >>dock
	try pcb-doctor -P --dump dock
	[ "$(column certainty <<<"$output" | sort -u)" = "by design" ]
}

# A square of time would take a minute.
@test "facts: 120,000 errors of a device are counted" {
	awk 'BEGIN {
		for (i = 0; i < 120000; i++)
			printf "[%d.000000] nvme 0000:03:00.0: PCIe Bus Error: severity=Corrected, type=%s Layer, (Receiver ID)\n", i, i < 60000 ? "Physical" : "Data Link"
	}' >log
	try timeout 20 pcb-doctor -P --dump log
	[ "$status" = 3 ]
	[[ "$output" = *"Physical Layer (60000)"*"Data Link Layer (60000)"* ]]
}

# smi BUS GEN LANES STATE IDLE: a GPU in the output of nvidia-smi -q.
smi() {
	cat <<-EOF
	GPU 00000000:$1:00.0
	    Product Name                          : NVIDIA GeForce RTX 4090
	    PCI
	        Bus                               : 0x$1
	        GPU Link Info
	            PCIe Generation
	                Max                       : 4
	                Current                   : $2
	                Device Current            : $2
	                Device Max                : 5
	                Host Max                  : 4
	            Link Width
	                Max                       : 16x
	                Current                   : $3x
	        Bridge Chip
	            Type                          : N/A
	        Replays Since Reset               : ${6:-0}
	        Replay Number Rollovers           : ${7:-0}
	    Performance State                     : $4
	    Clocks Event Reasons
	        Idle                              : $5
	    Max Clocks
	        Graphics                          : 3105 MHz
	EOF
}

# At rest, slow under load, narrow, and whole.
gpus() {
	printf '==============NVSMI LOG==============\n\n'
	smi 01 1 16 P8 "Not Active"
	smi 02 2 16 P0 "Not Active"
	smi 03 4 8 P2 "Not Active"
	smi 04 4 16 P0 Active
}

# smi_xml BUS GEN LANES STATE IDLE: the same of nvidia-smi -q -x.
smi_xml() {
	cat <<-EOF
	<gpu id="00000000:$1:00.0">
	    <product_name>NVIDIA GeForce RTX 4090</product_name>
	    <pci>
	        <pci_bus_id>00000000:$1:00.0</pci_bus_id>
	        <pci_gpu_link_info>
	            <pcie_gen>
	                <max_link_gen>4</max_link_gen>
	                <current_link_gen>$2</current_link_gen>
	                <max_device_link_gen>5</max_device_link_gen>
	            </pcie_gen>
	            <link_widths>
	                <max_link_width>16x</max_link_width>
	                <current_link_width>$3x</current_link_width>
	            </link_widths>
	        </pci_gpu_link_info>
	        <replay_counter>0</replay_counter>
	    </pci>
	    <performance_state>$4</performance_state>
	    <clocks_event_reasons>
	        <clocks_event_reason_gpu_idle>$5</clocks_event_reason_gpu_idle>
	    </clocks_event_reasons>
	</gpu>
	EOF
}

@test "facts: nvidia-smi -q shows links of GPUs" {
	gpus >smi
	{
		echo '<nvidia_smi_log>'
		echo '    <attached_gpus>4</attached_gpus>'
		smi_xml 01 1 16 P8 "Not Active"
		smi_xml 02 2 16 P0 "Not Active"
		smi_xml 03 4 8 P2 "Not Active"
		smi_xml 04 4 16 P0 Active
		echo '</nvidia_smi_log>'
	} >xml
	gpus | sed 's/^ */> /; s/$/\r/' >mail
	cat >csv <<-'EOF'
	name, pci.bus_id, pstate, pcie.link.gen.current, pcie.link.gen.max, pcie.link.width.current, pcie.link.width.max, clocks_event_reasons.gpu_idle
	NVIDIA GeForce RTX 4090, 00000000:01:00.0, P8, 1, 4, 16, 16, Not Active
	NVIDIA GeForce RTX 4090, 00000000:02:00.0, P0, 2, 4, 16, 16, Not Active
	NVIDIA GeForce RTX 4090, 00000000:03:00.0, P2, 4, 4, 8, 16, Not Active
	NVIDIA GeForce RTX 4090, 00000000:04:00.0, P0, 4, 4, 16, 16, Active
	EOF
	# One at x8 beside three at x16.
	for file in smi mail csv xml; do
		try pcb-doctor -P --dump $file
		[ "$status" = 3 ]
		[ "$(cells finding device certainty <<<"$output" | sort)" = "\
link_speed 0000:02:00.0 likely
link_unseen 0000:03:00.0 likely" ] || show "two links of $file"
	done
	head -35 xml >part
	try pcb-doctor -P part
	[ "$status" = 3 ]
	[[ "$stderr" = *"3 functions not examined"* ]] || show "two GPUs cut off"
	for counts in "99 0|by design" "99 1|likely" "100 0|likely"; do
		# shellcheck disable=SC2086
		runs pcb-doctor -P --dump <(smi 04 4 16 P0 Active ${counts%|*})
		[ "$(column certainty <<<"$output")" = "${counts#*|}" ]
	done
	runs pcb-doctor --dump <(smi 04 4 16 P0 Active)
	[[ "$output" = *"# examined: 1 functions"* ]]
	runs pcb-doctor -f table --dump <(smi 04 4 16 P0 Active)
	[[ "$output" = *"1 function examined, 1 with a link"* ]]
}

@test "facts: GPUs of nvidia-smi without an address have numbers" {
	local rows="0, NVIDIA RTX A6000, 4, 16, 16
1, NVIDIA RTX A6000, 4, 8, 16
2, NVIDIA RTX A6000, 1, 16, 16
3, NVIDIA RTX A6000, 4, 16, 16"
	local columns=index,name,pcie.link.gen.current,pcie.link.width.current,pcie.link.width.max

	printf '%s\n%s\n' "${columns//,/, }" "$rows" >header
	printf '$ nvidia-smi --query-gpu=%s --format=csv,noheader\n\n%s\n' \
		$columns "$rows" >asked
	for file in header asked; do
		[ "$(rates $file)" = "link_unseen gpu1 likely" ] ||
			show "gpu1 of $file"
	done
	# What the table does not say is not judged.
	sed 's/, 8, 16$/, 16, 16/' header >whole
	[ "$(rates whole)" = "" ]
	# Lines that grep has left of -q; the second GPU may be idle.
	{
		smi 01 4 8 P0 Active | sed -n '/GPU Link/,/Bridge/p'
		smi 02 1 16 P0 Active | sed -n '/GPU Link/,/Bridge/p'
	} >grepped
	[ "$(rates grepped)" = "\
link_speed gpu1 by design link_unseen gpu0 by design" ]
	# A listing gives as many GPUs their addresses, not fewer.
	for bus in 21 41 61 81; do
		echo "$bus:00.0 VGA compatible controller: NVIDIA Corporation GA102GL [RTX A6000]"
	done >lspci
	[ "$(rates <(cat lspci header))" = \
		"link_unseen 0000:41:00.0 likely" ]
	[ "$(rates <(sed 1d lspci; cat header))" = "link_unseen gpu1 likely" ]
}

@test "facts: one end of a link by amd-smi, rocm-smi, inxi and pciconf" {
	cat >amd <<-'EOF'
	GPU: 0
	    BUS:
	        BDF: 0000:01:00.0
	        MAX_PCIE_WIDTH: 16
	        MAX_PCIE_SPEED: 32 GT/s
	GPU: 1
	    BUS:
	        BDF: 0000:41:00.0
	        MAX_PCIE_WIDTH: 16
	        MAX_PCIE_SPEED: 32 GT/s
	GPU: 0
	    PCIE:
	        WIDTH: 16
	        SPEED: 32 GT/s
	GPU: 1
	    FAN:
	        SPEED: 16
	    PCIE:
	        WIDTH: 8
	        SPEED: 32 GT/s
	        REPLAY_COUNT: 500
	EOF
	[ "$(rates amd)" = "\
errors 0000:41:00.0 likely link_unseen 0000:41:00.0 by design" ]
	sed 's/GPU: \(.\)/GPU \1:/; s/E_WIDTH/E_LANES/' amd >early
	[ "$(rates early)" = "$(rates amd)" ]
	# The slots are not known.
	sed 's/WIDTH: 8/WIDTH: 16/; /REPLAY/d' amd >whole
	[ "$(rates whole)" = "" ]
	# One of four of a model has fewer lanes.
	for model in "MARKET_NAME: MI210" "DEVICE_ID: 0x740f"; do
		for i in 0 1 2 3; do
			printf '%s\n' "GPU: $i" ASIC: "$model" BUS: \
				"BDF: 0000:${i}1:00.0" "MAX_PCIE_WIDTH: 16" PCIE: \
				"WIDTH: $((i == 2 ? 4 : 16))" "SPEED: 16 GT/s"
		done >four
		[ "$(rates four)" = "link_unseen 0000:21:00.0 likely" ]
	done
	printf '%s\n' 'GPU[0] : pcie clock level: 1 (8.0GT/s, x4)' \
		'GPU[1] : pcie clock level: 0 (2.5GT/s, x1)' \
		'GPU[0] : PCI Bus: 0000:03:00.0' \
		'GPU[1] : PCI Bus: 0000:04:00.0' >rocm
	[ "$(rates rocm)" = "" ]
	printf '%s\n' '03:00.0 VGA compatible controller: AMD' \
		'	LnkCap: Port #0, Speed 8GT/s, Width x16' \
		'	LnkSta: Speed 8GT/s, Width x16' >lspci
	[ "$(rates <(cat rocm lspci))" = "link_differs 0000:03:00.0 by design" ]
	cat >inxi <<-'EOF'
	  Device-1: NVIDIA GA104 [GeForce RTX 3070] vendor: ASUSTeK driver: nvidia
	    v: 535.129.03 pcie: gen: 1 speed: 2.5 GT/s lanes: 8 link-max: gen: 4
	    speed: 16 GT/s lanes: 16 ports: active: none bus-ID: 08:00.0
	    chip-ID: 10de:2484 class-ID: 0300
	  Device-2: Intel I211 Gigabit Network driver: igb pcie: gen: 1
	    speed: 2.5 GT/s lanes: 1 port: e000 bus-ID: 05:00.0
	    chip-ID: 8086:1539 class-ID: 0200
	  Device-3: Acer Integrated Camera driver: uvcvideo bus-ID: 1-1.6:6
	    chip-ID: 5986:02d2 class-ID: 0e02
	EOF
	try pcb-doctor -P --dump inxi
	[ "$(cells finding device <<<"$output")" = "link_unseen 0000:08:00.0" ]
	[[ "$output" = *gen1x8*gen4x16* ]]
	cat >pciconf <<-'EOF'
	ql0@pci0:18:0:0:	class=0x020000 rev=0x02 vendor=0x1077 device=0x8070
	    cap 10[70] = PCI-Express 2 endpoint max data 256(512) FLR NS
	                 link x2(x8) speed 8.0(8.0) ClockPM disabled
	em0@pci0:3:0:0:	class=0x020000 card=0x1 chip=0x15338086 rev=0x03
	    cap 10[a0] = PCI-Express 2 endpoint max data 128(512) link x1(x1)
	                 speed 2.5(2.5) ASPM disabled(L0s/L1)
	EOF
	try pcb-doctor -P --dump pciconf
	[ "$(cells finding device <<<"$output")" = "link_unseen 0000:12:00.0" ]
	[[ "$output" = *gen3x2*gen3x8* ]]
	printf '%s\n' \
		'/sys/class/drm/card1/device/current_link_speed:8.0 GT/s PCIe' \
		'/sys/class/drm/card1/device/current_link_width:4' \
		'/sys/class/drm/card1/device/max_link_speed:16.0 GT/s PCIe' \
		'/sys/class/drm/card1/device/max_link_width:16' >class
	[ "$(rates class)" = "link_unseen card1 by design" ]
}

@test "facts: what a text lacks at its end is unknown" {
	(printf 'Attached GPUs                   : 2\n'; smi 01 4 16 P0 Active) >gpus
	try pcb-doctor -P gpus
	[ "$status" = 3 ]
	[[ "$stderr" = *"1 function not examined"* ]]
	smi 02 4 16 P0 Active >>gpus
	runs pcb-doctor -P gpus
	# One GPU of both in each of two logs.
	(printf 'Attached GPUs : 2\n'; cat gpus) >twice
	try pcb-doctor -P twice
	[ "$status" = 3 ]
	# Two machines, or the same twice.
	sed 's/Product Name.*/GPU UUID : GPU-1/' gpus >first
	sed 's/Product Name.*/GPU UUID : GPU-2/' gpus >second
	try pcb-doctor -P - < <(cat first second)
	[ "$status" = 2 ]
	[[ "$stderr" = *"two machines"* ]]
	runs pcb-doctor -P - < <(cat first first)
	cat >nccl <<-'EOF'
	<system version="1">
	  <cpu numaid="0">
	    <pci busid="0000:01:00.0" class="0x030200" link_speed="16.0 GT/s PCIe" link_width="16"/>
	  </cpu>
	</system>
	EOF
	(cat nccl first) >both
	runs pcb-doctor -P both
	(sed '$d' nccl; cat first) >both
	try pcb-doctor -P both
	[ "$status" = 3 ]
	[[ "$stderr" = *"</system>"* ]]
	# GPUs that a topology has, and the dump not.
	printf '\tGPU0\tGPU1\tGPU2\nGPU0\t X \tPIX\tPIX\nGPU1\tPIX\t X \tPIX\nGPU2\tPIX\tPIX\t X \n' >topo
	cat gpus topo >both
	try pcb-doctor -P both
	[ "$status" = 3 ]
	[[ "$stderr" = *"3 GPUs"* ]]
}

@test "facts: two machines in one text are not one" {
	local name='VGA compatible controller: NVIDIA Corporation AD102'

	lspci_of() {
		printf '%s\n' "00:01.0 PCI bridge: $1 Corporation Root Port" \
			$'\tBus: primary=00, secondary=01, subordinate=01' \
			$'\tCapabilities: [50] Express (v2) Root Port (Slot+), MSI 00' \
			$'\t\tLnkCap: Port #0, Speed 8GT/s, Width x16' \
			$'\t\tLnkSta: Speed 8GT/s, Width x16' "" "$2" \
			$'\tCapabilities: [60] Express (v2) Endpoint, MSI 00' \
			$'\t\tLnkCap: Port #0, Speed 8GT/s, Width x16' \
			$'\t\tLnkSta: Speed 8GT/s, Width '"$3" ""
	}
	lspci_of Intel "01:00.0 $name" x8 >first
	echo "02:00.0 Serial controller: Exar Corporation" >>first
	lspci_of Other "01:00.0 Ethernet controller: Intel Corporation I210" \
		x4 >second
	cat first second >both
	for file in first second both "both --state 1"; do
		# shellcheck disable=SC2086
		try pcb-doctor -a --dump $file
		grep -v '^# command' <<<"$output" >"found.$file"
		[[ "$file" = both* ]] || continue
		[[ "$file" = "both "* || "$stderr" = *"2 machines"* ]] ||
			show "two machines"
	done
	cmp found.second found.both
	cmp found.first "found.both --state 1"
	# Files of them are refused.
	try pcb-doctor -P first second
	[ "$status" = 2 ]
	# Of two machines with the same chipset, the processor is another one;
	# databases of several times have other names in brackets.
	for model in "Starship Root" "Raphael Root" "Device 14a4" "Device 14d8"; do
		echo "00:00.0 Host bridge: Advanced Micro Devices, Inc. [AMD] $model"
		printf '00:18.%s SMBus: Advanced Micro Devices, Inc. [AMD] FCH [x]\n' \
			1 2 3
	done >models
	try pcb-doctor -P - < <(head -8 models)
	[[ "$stderr" = *"2 machines"* ]] || show "two processors"
	try pcb-doctor -P - < <(tail -8 models)
	[[ "$stderr" = *"2 machines"* ]] || show "two without names"
	try pcb-doctor -P - < <(head -4 models; head -4 models | sed 's/\[x\]/[y]/')
	[[ "$stderr" != *"2 "* ]] || show "one machine"
	try pcb-doctor -P - < <(printf '%s\n' "00:00.0 0600: 8086:461c" \
		"01:00.0 0200: 10ec:8168" "00:00.0 0600: 8086:3e30" \
		"01:00.0 0200: 10ec:8168")
	[[ "$stderr" = *"2 machines"* ]] || show "two by numbers"
	# Two hosts of a server of logs; but a machine gets its name late.
	logged "nvme 0000:01:00.0: AER:    [ 6] BadTLP" |
		sed 's/.*nvme/Oct 07 11:51:23 HOST kernel: nvme/' >line
	try pcb-doctor -P - < <(sed 's/HOST/one/' line; sed 's/HOST/two/' line)
	[ "$status" = 2 ]
	[[ "$stderr" = *"one and two"* ]]
	# The refusal names the file, also behind bytes of a function.
	{
		echo "00:00.0 Host bridge: Intel Corporation A"
		printf '%s0: 86 80 37 12 06 00 80 02 02 00 00 06 00 00 00 00\n' 0 1 2 3
		echo
		sed 's/HOST/one/' line
		sed 's/HOST/two/' line
	} >bytes
	try pcb-doctor -P bytes
	[[ "$stderr" = *"bytes: of two machines"* ]]
	try pcb-doctor -P - < <(sed 's/HOST/localhost/' line; sed 's/HOST/two/' line)
	[ "$status" = 3 ]
	# Boots of two machines, by what they found at an address.
	(boot_log; boot_log | sed 's/8086:1533/10de:2684/; s/144d:a808/10ec:8168/') >boots
	try pcb-doctor -P boots
	[ "$status" = 2 ]
	(boot_log; boot_log) >boots
	try pcb-doctor -P boots
	[ "$status" = 3 ]
}

@test "facts: several kinds in one paste are one machine" {
	machine
	(paste_of tree; echo; boot_log | sed 's/8086:1533\|144d:a808/8086:1234/'
		echo '```'; smi 03 3 8 P0 "Not Active"
		echo '```'; smi 09 4 16 P0 Active) >all
	try pcb-doctor -P --dump all
	# Two sources that differ about the lanes of 03:00.0 are both shown.
	[ "$(cells finding device <<<"$output" | sort)" = "\
errors 0000:03:00.0
link_boot 0000:02:00.0
link_boot 0000:06:00.0
link_differs 0000:03:00.0
link_width 0000:01:00.0
link_width 0000:03:00.0" ] || show "findings of three sources"
	[[ "$output" = *"x8 by nvidia-smi, x4 by /sys"* ]]
}

@test "facts: an operand is a device here, else a file" {
	machine
	paste_of tree >pasted
	runs pcb-doctor -P pasted </dev/null
	[ "$(column finding <<<"$output" | xargs)" = "link_width link_width" ]
	# Of the file, only this device and what is above it.
	runs pcb-doctor -P pasted 04:00.0
	[ "$(column device <<<"$output")" = 0000:01:00.0 ]
	for device in 04:00.0 nvme0 /sys/bus/pci/devices/0000:04:00.0; do
		# A file of that name is not meant, unless --dump says so.
		[ "${device::1}" = / ] || cp pasted $device
		runs pcb-doctor -P --root tree $device </dev/null
		[ "$(column device <<<"$output")" = 0000:01:00.0 ]
	done
	runs pcb-doctor -P --dump nvme0
	[ "$(column finding <<<"$output" | xargs)" = "link_width link_width" ]
	boot_log >log
	try pcb-doctor -P log
	[[ "$status$output" = 3*link_boot* ]]
	try pcb-doctor pasted log
	[ "$status" = 2 ]
	try pcb-doctor no_such
	[ "$status" = 3 ]
	pcb-collect lat_rd -d sim -n 2 >result
	try pcb-doctor result
	[[ "$status $stderr" = "2 "*"pcb-stats result"* ]]
}

@test "facts: a refusal names the file and what any user can print" {
	local name

	boot_log | sed '/limited/d; /Error/d; 1d' >log
	printf '03:00.0 Ethernet controller: Intel Corporation I210\n' >names
	printf '03:00.0 Ethernet controller: Intel Corporation I210\n\tControl: \
I/O- Mem+ BusMaster+\n\tCapabilities: <access denied>\n' >denied
	printf '\x1b[4m\tGPU0\tGPU1\x1b[0m\nGPU0\t X \tPH\n' >topo
	echo '| NVIDIA-SMI 525.60.13    Driver Version: 525.60.13 |' >smi
	printf '    HostBridge\n      PCI 00:11.5 (SATA)\n' >lstopo
	printf '      Driver Installed: Yes\n      Link Width: x4\n' >mac
	printf 'SMBIOS 2.8 present.\n\tBus Address: 0000:00:1c.0\n' >dmidecode
	printf 'Slot:\t00:00.0\nSVendor:\tVMware\n' >mm
	echo '# gpu   pwr   pci rxpci txpci' >dmon
	echo '        "link_type": "XGMI",' >json
	echo 'GPU 0/0 |GPU 0/1|CPU Affinity' >xpu
	echo '[   55.187916966,3] PHB#0000[0:0]: LINK: Went down' >skiboot
	for name in "log a kernel log cut" "names lspci without -vv" \
		"denied lspci -vv without root" "topo nvidia-smi topo" \
		"smi the table of nvidia-smi" "lstopo --of xml" "mac macOS" \
		"dmidecode slots" "mm names only" "dmon nvidia-smi -q" \
		"json amd-smi topology" "xpu xpu-smi" "skiboot skiboot"; do
		try pcb-doctor --dump "${name%% *}"
		[ "$status" -ge 2 ]
		[[ "$stderr" = *"${name#* }"*"grep -rs . /sys/devices"* ]]
	done
}

@test "facts: the tree of a server, as an ordinary user" {
	local name='32intel64-2p8co2t+8ve'

	[ -d "${PCB_TEST_DATA:-}/machines" ] || skip "needs PCB_TEST_DATA"
	tar xjf "$PCB_TEST_DATA/machines/sysfs/$name.tar.bz2"
	chmod -R a+rX "$name" .
	runs user pcb-model tree -P --root "$name"
	# Two switches with five devices each; a NIC on board.
	[ "$(column link <<<"$output" | grep . | sort | uniq -c | xargs)" = \
		"2 gen1x1 12 gen3x16 1 gen3x8" ]
	try user pcb-doctor -P --root "$name" </dev/null
	[ "$status" = 3 ]
	[[ "$stderr" = *"no port above 0000:60:00.0"* ]]
	paste_of "$name" >pasted
	runs user pcb-doctor -P --dump pasted
	[ "$(column finding <<<"$output")" = link_slot ]
}
