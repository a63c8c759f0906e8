#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# pcb-collect: device memory, written and read by the CPU. Files replace that
# memory.

load helpers

tests pcb-collect -n 2

setup_file() {
	example_tree "$BATS_FILE_TMPDIR/tree"
}

setup() {
	cd "$BATS_TEST_TMPDIR" || exit
	own_tree
	dir=tree/sys/bus/pci/devices/0000:03:00.0
}

# bar NUMBER SIZE [FLAGS]: 64-bit prefetchable memory behind a BAR of 03:00.0,
# with contents that no test writes.
bar() {
	local start=0xfe000000

	head -c "$2" /dev/zero | tr '\0' '\245' >"$dir/resource$1"
	poke "$dir/config" 4 '\6'
	printf -v line '0x%016x 0x%016x 0x%016x' "$start" \
		$((start + $2 - 1)) "${3:-0x14220c}"
	sed -i "$(($1 + 1))s/.*/$line/" "$dir/resource"
}

# ivshmem: the device, with 64 KiB of memory.
ivshmem() {
	poke "$dir/config" 0 '\364\32\20\21'
	bar 2 65536
}

# nvme: a controller with registers, and BAR4 of 64 KiB.
nvme() {
	poke "$dir/config" 8 '\1\2\10\1'
	bar 0 4096 0x40200
	head -c 4096 /dev/zero >"$dir/resource0"
	bar 4 65536
}

# mmio BENCH ARGUMENT...: on 03:00.0, without preamble; it must succeed.
mmio() {
	collects "$1" -P --root tree -d mmio:03:00.0 "${@:2}"
}

# cells NAME: the distinct fields of a column, in one line.
cells() {
	column "$1" <<<"$output" | sort -u | paste -sd ' '
}

# memory: its line in the preamble.
memory() {
	sed -n 's/^# memory: //p' <<<"$output"
}

# has_store NAME: whether this CPU supports it, by the kernel.
has_store() {
	case $1 in
	mov | movnt) ;;
	avx512) grep -qw avx512f /proc/cpuinfo ;;
	*) grep -qw "$1" /proc/cpuinfo ;;
	esac
}

# needs_x86: for features that other processors lack, or an emulator hides.
needs_x86() {
	[ "$(uname -m)${EMULATED:-}" = x86_64 ] ||
		skip "no x86-64, or an emulated one"
}

# untouched FILE: it has the contents that `bar` wrote.
untouched() {
	[ "$(tr -d '\245' <"$1" | wc -c)" = 0 ]
}

header=host,run,kind,bench,device,link,parent,access,register,store,tlps,\
size_bytes,window_bytes

@test "rows of each bench" {
	ivshmem
	for bench in lat_mmio lat_mmio_wr lat_mmio_flush; do
		mmio $bench -n 3 -s 4
		quiet
		[ "${lines[0]}" = "$header,latency_ns" ]
		[ "$(tail -n +2 <<<"$output" | cut -d, -f3-13 | uniq -c |
			sed 's/^ *//')" = "3 virtual,$bench,0000:03:00.0,\
gen3x8/mps256/mrrs512/rcb64/ecrc,0000:02:00.0,resource,BAR2+0x0,mov,1,4,4096" ]
		untouched "$dir/resource2"
	done
	for bench in bw_mmio_rd bw_mmio_wr; do
		mmio $bench -n 1000 -s 8
		quiet
		[ "${lines[0]}" = "$header,transfers,transferred_bytes,\
elapsed_ns,bandwidth_gbit_s" ]
		[ "${#lines[@]}" = 2 ]
		[[ "${lines[1]}" = *,BAR2+0x0,mov,1,8,4096,1000,8000,* ]]
		untouched "$dir/resource2"
	done
}

@test "sizes and windows are swept, of lat_mmio, too" {
	ivshmem
	mmio lat_mmio -n 1 -s 4:64 -w 64,4K
	[ "$(column size_bytes <<<"$output" | paste -sd ' ')" = \
		"4 8 16 32 64 4 8 16 32 64" ]
	[ "$(cells window_bytes)" = "4096 64" ]
	mmio lat_mmio_wr -n 1 -s 128,4K
	[ "$(cells size_bytes)" = "128 4096" ]
	[ "$(cells tlps)" = "16 512" ]
}

@test "each instruction that this CPU has, and a refusal of the others" {
	needs_x86
	ivshmem
	cp "$dir/resource2" "$dir/resource2_wc"
	for store in mov movnt avx avx512 movdir64b; do
		if ! has_store $store; then
			fails 3 "-O store=$store: this CPU does not have it" \
				lat_mmio_wr --root tree -d mmio:03:00.0 \
				-O store=$store
			continue
		fi
		for access in resource resource_wc; do
			mmio lat_mmio_flush -n 2 -s 64 -O store=$store \
				-O access=$access
			[ "$(cells store)" = $store ]
			echo "$store $access $(cells tlps)"
			untouched "$dir/$access" || untouched "$dir/resource2"
		done
	done >counts
	while read -r store access tlps; do
		case $access,$store in
		resource,avx) [ "$tlps" = 2-8 ] ;;
		*,avx*) [ "$tlps" = 1-8 ] ;;
		*,movdir64b) [ "$tlps" = 1 ] ;;
		resource,*) [ "$tlps" = 8 ] ;;
		*) [ "$tlps" = 1-8 ] ;;
		esac || show "$store $access $tlps"
	done <counts
	[ "$(wc -l <counts)" -ge 4 ]
}

@test "what an instruction cannot do" {
	needs_x86
	ivshmem
	refused() {
		fails 2 "$1" "$2" --root tree -d mmio:03:00.0 "${@:3}"
	}
	refused "-O store=movnt: it does not read 8 bytes" lat_mmio -s 8 \
		-O store=movnt
	! has_store movdir64b ||
		refused "-O store=movdir64b: it does not write 32 bytes" \
			lat_mmio_wr -s 32 -O store=movdir64b
	refused "-O store=sse: not auto, mov, movnt, avx, avx512, movdir64b" \
		lat_mmio_wr -O store=sse
	for size in 1 12 48 96; do
		refused "a transfer of $size bytes: sizes are 4, 8, 16, 32 and \
multiples of 64" lat_mmio_wr -s 4,$size
	done
	refused "a window of 131072 bytes is larger than the memory that may \
be used, 65536: give a smaller -w, or more by -O overwrite" \
		bw_mmio_wr -w 128K
	refused "a window of 64 bytes does not hold 128 bytes, rounded up to \
whole lines: give a larger -w" bw_mmio_wr -w 64 -s 128
}

@test "only the range named is touched, and put back" {
	bar 2 65536
	cp "$dir/resource2" before
	poke "$dir/resource2" 0x1040 'contents of the device'
	cp "$dir/resource2" before
	mmio bw_mmio_wr -n 1000 -O overwrite=BAR2+0x1000,4K
	[ "$(cells register)" = BAR2+0x1000 ]
	cmp before "$dir/resource2"
	# Only the window is overwritten meanwhile.
	start_collect 130 bw_mmio_wr -P --root tree -d mmio:03:00.0 -n 1000G \
		-O overwrite=BAR2+0x1000,4K
	await_change
	cmp -n 4096 before "$dir/resource2"
	cmp -i 8192 before "$dir/resource2"
	kill -INT $!
	finish_collect
	cmp before "$dir/resource2"
}

@test "contents come back after SIGKILL" {
	ivshmem
	cp "$dir/resource2" before
	for bench in lat_mmio_wr lat_mmio_flush bw_mmio_wr; do
		start_collect 137 $bench -P --root tree -d mmio:03:00.0 \
			-n 1000G
		await_change
		kill -KILL $!
		finish_collect
		for _ in $(seq 100); do
			! cmp -s before "$dir/resource2" || break
			sleep 0.1
		done
		cmp before "$dir/resource2"
	done
}

# start_collect STATUS ARGUMENT...: in the background; finish_collect checks
# its status.
start_collect() {
	expected=$1
	shift
	env --default-signal=INT pcb-collect "$@" >out 2>err 3>&- &
}

finish_collect() {
	local status=0

	wait $! || status=$?
	[ $status = "$expected" ] || { cat err; return 1; }
}

# Waits until the memory has been overwritten.
await_change() {
	for _ in $(seq 200); do
		cmp -s before "$dir/resource2" || return 0
		sleep 0.05
	done
	return 1
}

# flags_of_mapping PROCESS: of its mapping of the memory, proc_pid_smaps(5).
flags_of_mapping() {
	awk '/\/resource2/ { here = 1 } here && /^VmFlags/ { print; exit }' \
		/proc/"$1"/smaps
}

@test "what is only read is mapped read-only" {
	needs_x86
	ivshmem
	for bench in lat_mmio bw_mmio_rd bw_mmio_wr; do
		start_collect 130 $bench -P --root tree -d mmio:03:00.0 \
			-n 1000G
		for _ in $(seq 100); do
			flags_of_mapping $! >flags
			[ ! -s flags ] || break
			sleep 0.05
		done
		kill -INT $!
		finish_collect
		# Writable (wr), or may become so (mw).
		case $bench in
		*_wr) grep -w wr flags ;;
		*) [ "$(grep -cw -e wr -e mw flags)" = 0 ] ;;
		esac
		grep -w rd flags
	done
}

@test "a device that may fall asleep" {
	ivshmem
	mkdir "$dir/power"
	echo auto >"$dir/power/control"
	fails 3 "0000:03:00.0: it may fall asleep meanwhile, and its memory \
would not answer: 'echo on > \
tree/sys/bus/pci/devices/0000:03:00.0/power/control'" \
		lat_mmio --root tree -d mmio:03:00.0
	echo on >"$dir/power/control"
	mmio lat_mmio
}

@test "memory that nothing is known of must be named" {
	bar 2 65536
	need="name the range that may be overwritten, as in -O \
overwrite=BAR2+0x1000,4K"
	fails 3 "0000:03:00.0: its memory is unknown: $need: its \
contents are restored" lat_mmio_wr --root tree -d mmio:03:00.0
	fails 3 "0000:03:00.0: $need" lat_mmio_wr --root tree -d 03:00.0
	fails 2 "-O overwrite=BAR2+4,4K: offset and size are multiples of 64" \
		lat_mmio_wr --root tree -d mmio:03:00.0 -O overwrite=BAR2+4,4K
	untouched "$dir/resource2"
}

@test "why a range that was named cannot be overwritten" {
	named() {
		fails 3 "0000:03:00.0$1" lat_mmio_wr --root tree \
			-d mmio:03:00.0 -O "overwrite=${2:-BAR2+0,4K}"
	}
	named " has no BAR2"
	bar 2 65536 0x40200
	named ": BAR2 is not prefetchable: it has registers, where an access \
may have side effects"
	bar 2 65536 0x40101
	named ": BAR2 has I/O ports, not memory"
	bar 2 65536
	named ": BAR2 has 65536 bytes" BAR2+0xf040,4K
	poke "$dir/config" 4 '\4'
	named ": BAR2: the device's memory is off until a driver, or root by 1 \
in tree/sys/bus/pci/devices/0000:03:00.0/enable, turns it on"
	poke "$dir/config" 4 '\6'
	mkdir -p tree/sys/bus/pci/drivers/igb
	ln -s ../../drivers/igb "$dir/driver"
	named ": bound to igb, which may use its memory: -O unbind=yes unbinds \
it during the measurement; or 'echo 0000:03:00.0 > \
tree/sys/bus/pci/devices/0000:03:00.0/driver/unbind'"
	untouched "$dir/resource2"
}

# takeable: 03:00.0 as a function of a driver that vfio-pci could have instead.
takeable() {
	local drivers=tree/sys/bus/pci/drivers

	mkdir -p tree/groups/7/devices/0000:03:00.0 $drivers/{ahci,vfio-pci}
	ln -s ../../../../../groups/7 "$dir/iommu_group"
	ln -s ../../drivers/ahci "$dir/driver"
	ln -s ../.. "$dir/subsystem"
	echo '(null)' >"$dir/driver_override"
	: | tee $drivers/ahci/unbind $drivers/vfio-pci/bind
}

@test "a device with disks, or without such memory, keeps its driver" {
	bar 2 65536
	takeable
	mkdir -p tree/sys/class/block
	refuses_to_take() {
		fails 3 "0000:03:00.0: $1" lat_mmio_wr --root tree -O unbind=yes \
			-d mmio:03:00.0 "${@:2}"
		[ ! -s "$dir/driver/unbind" ]
	}
	refuses_to_take "its memory is unknown: name the range that may be \
overwritten, as in -O overwrite=BAR2+0x1000,4K: its contents are restored"
	refuses_to_take "BAR2 has 65536 bytes" -O overwrite=BAR2+0xf040,4K
	while read -r disk; do
		mkdir -p "$dir/$disk"
		[[ $disk = */block/* ]] ||
			ln -s "$PWD/tree/sys/class/block" "$dir/$disk/subsystem"
		refuses_to_take "the disk ${disk##*/} is behind it, and only \
NVMe disks come back as they were: end its use, and bind the device to \
vfio-pci yourself" -O overwrite=BAR2+0,4K
		rm -r "${dir:?}/${disk%%/*}"
	done <<-'END'
	ata1/host0/target0:0:0/0:0:0:0/block/sda
	usb1/1-1/1-1:1.0/host6/target6:0:0/6:0:0:0/block/sdb
	virtio0/block/vda
	block/rssda
	mtd/mtd0/mtdblock0
	0000:04:00.0/nvme/nvme1/nvme1n1
	END
	# Without them, it is taken.
	collect lat_mmio_wr --root tree -O unbind=yes -d mmio:03:00.0 \
		-O overwrite=BAR2+0,4K
	grep -q 0000:03:00.0 "$dir/driver/unbind"
	# A FIFO in a copy of sysfs blocks nothing.
	rm "$dir"/{driver/unbind,resource2}
	mkfifo "$dir"/{driver/unbind,resource2}
	for unbind in yes no; do
		try timeout -s KILL 20 pcb-collect lat_mmio_wr --root tree \
			-d mmio:03:00.0 -O overwrite=BAR2+0,4K -O unbind=$unbind
		[ "$status" = 3 ] || show "a refusal"
		rm -f "$dir/driver"
	done
	[[ $stderr = *"/resource2"* || $stderr = *BAR2* ]]
}

@test "a link that leads out of the root is not written through" {
	ivshmem
	mv "$dir/resource2" victim
	ln -s "$PWD/victim" "$dir/resource2"
	collect lat_mmio_wr --root tree -d mmio:03:00.0
	[ "$status" = 3 ]
	[[ "$stderr" = *"Invalid cross-device link"* ]]
	untouched victim
}

@test "write-combining, where the kernel has no file for it" {
	ivshmem
	fails 3 "0000:03:00.0: BAR2: there is no resource2_wc: this kernel maps \
nothing write-combined (nopat?): -O access=resource is uncached" \
		lat_mmio_wr --root tree -d mmio:03:00.0 -O access=resource_wc
	bar 2 65536 0x40200
	fails 3 "0000:03:00.0: BAR2: there is no resource2_wc: it is not \
prefetchable: -O access=resource is uncached" \
		lat_mmio_wr --root tree -d mmio:03:00.0 -O access=resource_wc
	mkdir -p tree/sys/bus/pci/drivers/vfio-pci
	ln -s ../../drivers/vfio-pci "$dir/driver"
	fails 3 "0000:03:00.0: -O access=resource: VFIO has the device, and maps \
its memory uncached only: -O access=vfio" \
		lat_mmio_wr --root tree -d mmio:03:00.0 -O access=resource
	fails 3 "0000:03:00.0: behind no IOMMU, which VFIO needs: boot with \
intel_iommu=on or amd_iommu=on, and with the IOMMU on in the firmware's setup" \
		lat_mmio_wr --root tree -d mmio:03:00.0
	rm "$dir/driver"
	fails 2 "-O access=wc: not auto, resource, resource_wc or vfio" \
		lat_mmio_wr --root tree -d mmio:03:00.0 -O access=wc
}

@test "NVMe: a controller memory buffer, and a persistent region" {
	nvme
	fails 3 "0000:03:00.0: the controller shows no memory (CMB or PMR): \
name the range that may be overwritten, as in -O overwrite=BAR2+0x1000,4K: \
its contents are restored" lat_mmio_wr --root tree -d mmio:03:00.0
	# PMRCAP.BIR 4; enabled and ready, but CAP.PMRS says that there is none.
	poke "$dir/resource0" 0xe00 '\200'
	poke "$dir/resource0" 0xe04 '\1'
	run -3 --separate-stderr pcb-collect lat_mmio_wr --root tree \
		-d mmio:03:00.0
	# CAP.PMRS; not enabled.
	poke "$dir/resource0" 7 '\1'
	poke "$dir/resource0" 0xe04 '\0'
	run -3 --separate-stderr pcb-collect lat_mmio_wr --root tree \
		-d mmio:03:00.0
	poke "$dir/resource0" 0xe04 '\1'
	collect lat_mmio_wr --root tree -d mmio:03:00.0 -n 2
	[ "$(memory)" = "BAR4+0x0,65536 (PMR)" ]
	poke "$dir/resource0" 0xe09 '\1'
	run -3 --separate-stderr pcb-collect lat_mmio_wr --root tree \
		-d mmio:03:00.0
	# CMBLOC: BAR4, unit 2 of 4K; CMBSZ: 3 of 4K.
	poke "$dir/resource0" 0x38 '\4\40\0\0'
	poke "$dir/resource0" 0x3c '\0\60\0\0'
	collect lat_mmio_wr --root tree -d mmio:03:00.0 -n 2
	[ "$(memory)" = "BAR4+0x2000,12288 (CMB)" ]
	collect lat_mmio_wr --root tree -d mmio:03:00.0 -n 2 \
		-O overwrite=BAR4+0x3000,4K
	[ "$(memory)" = "BAR4+0x3000,4096 (CMB)" ]
	# Beyond it, but prefetchable: the user decides.
	collect lat_mmio_wr --root tree -d mmio:03:00.0 -n 2 \
		-O overwrite=BAR4+0x8000,4K
	[ "$(memory)" = "BAR4+0x8000,4096 (named)" ]
	# A CMB that claims more than its BAR, 64 of 4K, ends with it.
	poke "$dir/resource0" 0x3c '\0\0\4\0'
	collect lat_mmio_wr --root tree -d mmio:03:00.0 -n 2
	[ "$(memory)" = "BAR4+0x2000,57344 (CMB)" ]
	# One that begins behind its BAR is none: 64K, 1 of 64K.
	poke "$dir/resource0" 0x38 '\4\20\0\0'
	poke "$dir/resource0" 0x3c '\0\21\0\0'
	run -3 --separate-stderr pcb-collect lat_mmio_wr --root tree \
		-d mmio:03:00.0
	[[ "$stderr" = *"shows no memory (CMB or PMR)"* ]]
	untouched "$dir/resource4"
}

@test "two runs do not write to one BAR" {
	ivshmem
	cp "$dir/resource2" before
	start_collect 130 lat_mmio_wr -P --root tree -d mmio:03:00.0 -n 1000G
	await_change
	fails 3 "0000:03:00.0: BAR2: another run writes to it: wait for its \
end" bw_mmio_wr --root tree -d mmio:03:00.0
	# Memory that is only read does not matter.
	mmio lat_mmio
	kill -INT $!
	finish_collect
	cmp before "$dir/resource2"
}

@test "a device that goes away meanwhile" {
	ivshmem
	cp "$dir/resource2" before
	for bench in lat_mmio bw_mmio_wr; do
		cp before "$dir/resource2"
		start_collect 2 $bench -P --root tree -d mmio:03:00.0 -n 1000G \
			--time 3s
		for _ in {1..250}; do
			! grep -q resource2 "/proc/$!/maps" || break
			sleep 0.02
		done
		sleep 0.2
		poke "$dir/config" 0 '\377\377\377\377'
		finish_collect
		[ "$(tail -n 1 err)" = "pcb-collect: 0000:03:00.0: the device \
is gone, or does not answer any more" ]
		poke "$dir/config" 0 '\364\32\20\21'
	done
	cmp before "$dir/resource2"
}

@test "options of the pci backend, and its registers" {
	ivshmem
	wrong "--hold: mmio has no such option" lat_mmio --root tree \
		-d mmio:03:00.0 --hold aspm
	wrong "--size: pci reads registers of 4 bytes; -d mmio:0000:03:00.0 \
reads memory of a device" lat_mmio --root tree -d pci:03:00.0 -s 8
	wrong "--offset is for lat_rd, lat_wrrd, bw_rd, bw_wr, bw_rdwr, \
lat_nvme and lat_rdma, not for lat_mmio_wr" lat_mmio_wr --offset 4
	fails 2 "-d 'mmio': name the device, as in mmio:03:00.0" lat_mmio_wr \
		--root tree -d mmio
}

@test "a list shows memory that is known, and what may be named" {
	ivshmem
	all="lat_mmio lat_mmio_wr lat_mmio_flush bw_mmio_rd bw_mmio_wr"
	try pcb-collect list -P --root tree -d mmio
	[ "$(cut -d, -f2,3,8,9 <<<"$output" | tail -n +2)" = \
		"mmio,0000:03:00.0,$all," ]
	try pcb-collect list -P --root tree -d mmio -O overwrite=BAR2+0,4K
	[ "$(tail -n +2 <<<"$output" | wc -l)" = 12 ]
}

@test "rows go through a pipe" {
	ivshmem
	mmio lat_mmio -n 4 -s 4,8
	printf '%s\n' "$output" >samples
	# The number of TLPs is no condition: two sizes are two rows.
	runs pcb-stats -P samples
	[ "${#lines[@]}" = 3 ]
	[[ "${lines[0]}" != *tlps* ]]
}

@test "one curve over all sizes, and a difference by instruction" {
	needs_x86
	ivshmem
	mmio lat_mmio_wr -n 20 -s 4:64 -O store=mov
	printf '%s\n' "$output" >mov
	mmio lat_mmio_wr -n 20 -s 4:64 -O store=movnt
	printf '%s\n' "$output" >movnt
	cat mov movnt | pcb-stats -P >both
	pcb-plot lat -P both >script
	[ "$(grep -oE "'store mov[a-z]*'" script | sort -u | wc -l)" = 2 ]
	runs pcb-diff -P --by store both
	[ "$(column size_bytes <<<"$output" | paste -sd ' ')" = "4 8 16 32 64" ]
}
