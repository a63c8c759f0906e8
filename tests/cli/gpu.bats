#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# pcb-collect on a virtual GPU: the host's part and the programs. Rows are
# 'virtual'.

load helpers
load gpu

@test "gpu: rows of each bench, and never 'measured'" {
	for bench in lat_rd lat_wrrd; do
		gpu $bench -d gpu -n 300 -P
		works 300
		[ "$(cut -d, -f2-15 <<<"${lines[1]}")" = \
			"1,virtual,$bench,0000:ff:1f.7,,sm,64,0,8192,random,cold,0,,4096" ] ||
			[ "$(column iommu <<<"$output" | sort -u)" = off ] ||
			show "$bench"
	done
	# 1504 cycles of 2/3 ns, one more each time, plus the program's own.
	gpu lat_rd -d gpu -n 3 -P --warmup 0
	for ns in $(column latency_ns <<<"$output"); do
		near 1027 "$ns"
		[ "${last:-}" = "" ] ||
			near 0.667 "$(awk "BEGIN { print $ns - $last }")"
		last=$ns
	done
	# 2 bytes per nanosecond; reading the timer takes some time, too.
	for bench in bw_rd bw_wr bw_rdwr; do
		gpu $bench -d gpu -n 32K -s 512 -w 64K -P
		works 1
		near 16 "$(column bandwidth_gbit_s <<<"$output")"
	done
	[ "$(column kind <<<"$output")" = virtual ]
	gpu lat_rd -d gpu -n 1 -l kind=measured
	fails 2 "-l kind=measured: the samples are 'virtual'"
}

@test "gpu: engines, variants and lanes are told apart" {
	row() {
		gpu "$1" -d gpu -n "$3" -P "${@:4}"
		works "$([[ $1 = lat* ]] && echo "$3" || echo 1)"
		[ "$(column interface <<<"$output" | uniq)" = "$2" ] || show "$2"
	}
	row lat_rd bulk 10 -O engine=bulk
	row bw_rdwr bulk 20K -O engine=bulk
	row bw_rd ce 20K -O engine=ce
	row bw_wr ce 20K -O engine=ce -s 100 --offset 3
	row bw_rdwr ce 20K -O engine=ce
	row lat_wrrd sm/fence 10 -O wrrd=fence
	row lat_wrrd sm/store 10 -O wrrd=store
	row lat_wrrd sm/sector 10 -O wrrd=sector -s 8
	row lat_rd sm/mmio 10 -O load=mmio
	row lat_rd sm/lane2 10 -O lane=2
	row bw_rd sm/workers8 20K -O workers=8
}

@test "gpu: what a transfer waits for is in its time" {
	# Reads of about 1000 ns, writes of 1400, and the program's 22.
	while read -r wrrd ns; do
		gpu lat_wrrd -d gpu -n 100 -P -s 8 -O wrrd="$wrrd"
		works 100
		near "$ns" "$(column latency_ns <<<"$output" | sort -n | sed -n 50p)"
	done <<-'EOF'
	plain 1038
	sector 1038
	store 1423
	fence 2438
	EOF
	# A worker has one read in flight, and then looks up the next one.
	for workers in 1 2 8; do
		gpu bw_rd -d gpu -n $((10000 * workers)) -P -O workers=$workers
		works 1
		near "$(awk "BEGIN { print $workers * 512 / 1379 }")" \
			"$(column bandwidth_gbit_s <<<"$output")"
	done
}

@test "gpu: sizes, offsets, windows, patterns and states of a sweep" {
	gpu lat_rd -d gpu -n 5 -P -s 1,64,8K --offset 0,4 -w 32K,64K \
		--pattern random,sequential --cache cold,host-warm,device-warm
	works $((5 * 3 * 2 * 2 * 2 * 3))
	[ "$(column size_bytes <<<"$output" | sort -nu | xargs)" = "1 64 8192" ]
	[ "$(column cache <<<"$output" | sort -u | xargs)" = \
		"cold device-warm host-warm" ]
	gpu bw_rd -d gpu -n 2K -P -O engine=ce -s 64,128
	works 2
	# In a larger window the last writes are checked.
	gpu lat_rd -d gpu -n 5 -P -w 512K --cache host-warm
	works 5
}

@test "gpu: what is left over is too little to be measured" {
	# A queue of copies has 16K, a launch 4M.
	gpu bw_rdwr -d gpu -n 16390 -w 4M -P -O engine=ce
	works 1
	gpu bw_rd -d gpu -n 4194314 -w 257M -b 257M -P --warmup 0 \
		-O engine=bulk
	works 1
	[ "$(column transfers <<<"$output")" -lt 4194304 ]
}

@test "gpu: bandwidth is of a steady state, without a warm-up" {
	gpu bw_rd -d gpu -n 2K
	works 1
	[[ "$output" = *$'\n# warmup: 0\n'* ]]
	gpu lat_rd -d gpu -n 2
	works 2
	[[ "$output" = *$'\n# warmup: 100\n'* ]]
}

@test "gpu: after a warm-up, bandwidth has the whole of a cold window" {
	for warmup in 0 1024; do
		gpu bw_wr -d gpu -O engine=ce -n 2048 -w 128K --cache cold -P \
			--warmup $warmup
		works 1
		# 15 steps of 96, between the first and the last eighth.
		[ "$(column transfers <<<"$output")" = 1440 ] || show 1440
	done
}

@test "gpu: in a cold window each unit is touched once a pass" {
	export FAKE_CUDA_READS=reads
	for pattern in random sequential; do
		rm -f reads
		gpu lat_rd -d gpu -n 640 -w 4K --warmup 0 --pattern $pattern
		works 640
		# The path check reads 4 bytes; the first units of a launch are
		# behind the window.
		awk '$1 == 64 && $2 < 4096 { print $2 / 64 }' reads >touched
		[ "$(sort -n touched | uniq -c | awk '{ print $1 }' | uniq)" = 10 ] ||
			show "each of 64 units 10 times"
		split -l 64 touched pass.
		for pass in pass.*; do
			[ "$(sort -nu "$pass" | wc -l)" = 64 ]
		done
		cmp -s <(seq 0 63) pass.aa && sorted=yes || sorted=no
		[[ $pattern,$sorted = random,no ||
			$pattern,$sorted = sequential,yes ]]
		rm pass.*
	done
	# As often as it comes, if that changes nothing.
	rm reads
	gpu lat_rd -d gpu -n 640 -w 4K --warmup 0 --cache host-warm
	proven
	awk '$1 == 64 && $2 < 4096 { print $2 / 64 }' reads | sort -n | uniq -c |
		awk '$1 != 10 { other = 1 } END { exit !other }'
}

@test "gpu: the preamble says what was looked at" {
	FAKE_CUDA_IS='' gpu lat_rd -d gpu -n 2 --cache cold,host-warm
	proven
	[ "$status" = 0 ]
	for line in 'gpu: fake GPU of the tests, compute capability 9.0, 4 SMs, driver 13.0' \
		'granule_bytes: 32' \
		'clock: clock64 of SM 3, rate from globaltimer' \
		'clock_tick_ns: 0.667' \
		'globaltimer_step_ns: 1024' 'repeated_read_ns: 10[0-9][0-9]' \
		'cache_check: load [0-9]+ ns from a cache, [0-9]+ ns from memory; cold [0-9]+% cached; host-warm [0-9]+% cached'; do
		grep -Eq "^# $line\$" <<<"$output" || show "$line"
	done
	near 22 "$(sed -n 's/^# clock_overhead_ns: //p' <<<"$output")"
	[[ "${lines[-1]}" = "# end: rows=4 complete=yes clock_drift_ppm="*\
" clock_retries=0" ]] || show end
	# The kernel's counts for the link.
	fake_tree tree <<<"0000:ff:1f.7 endpoint"
	errors=tree/sys/bus/pci/devices/0000:ff:1f.7/aer_dev_correctable
	printf 'RxErr 3\nTimeout 4\nTOTAL_ERR_COR 7\n' >$errors
	gpu lat_rd -d gpu -n 2 --root tree
	[[ "${lines[-1]}" = *" clock_retries=0 aer_correctable=0" ]] || show aer
}

@test "gpu: a clock that wakes up is waited for" {
	FAKE_CUDA_IS=sleepy gpu lat_rd -d gpu -n 100
	works 100
	grep -qx '# clock_tick_ns: 0.667' <<<"$output"
	[[ "${lines[-1]}" = *" clock_retries=0" ]] || show retries
	near 1027 "$(grep -v '^#' <<<"$output" | column latency_ns | sort -n |
		head -n 1)"
}

@test "gpu: writes leave a window device-warm, and rows say so" {
	gpu bw_wr -d gpu -n 40K -P
	works 1
	[ "$(column cache <<<"$output")" = device-warm ]
	# Enough units for all: cold.
	gpu bw_wr -d gpu -n 40K -P -w 4M
	works 1
	[ "$(column cache <<<"$output")" = cold ]
	gpu bw_wr -d gpu -n 40K --cache cold
	fails 2 "--cache cold: 40000 transfers go through a window of 8192 \
bytes more than once, which is device-warm then: take --cache device-warm, a \
larger window or fewer transfers"
	gpu bw_rd -d gpu -n 40K -P --cache cold
	works 1
	[ "$(column cache <<<"$output")" = cold ]
}

@test "gpu: a large window is filled by several launches" {
	fills() {
		gpu lat_rd -d gpu -n 2 -b 128M -w "$1" --cache device-warm
		works 2
		# One is of the path check.
		fills=$(($(grep -c '^pcb_fill$' log) - 1))
	}
	fills 64M
	once=$fills
	fills 128M
	[ "$fills" = $((2 * once)) ] || show $((2 * once))
}

@test "gpu: its options are listed" {
	runs pcb-collect lat_rd -d gpu -O help
	for option in engine=sm wrrd=plain load=volatile lane=auto workers=auto \
		pages=4K; do
		[[ "$output" = *"  -O $option"* ]] || show $option
	done
}

@test "gpu: pages" {
	gpu lat_rd -d gpu -n 2 -P -O pages=2M
	proven
	if [ "$status" = 3 ]; then
		[[ "$stderr" = *"-O pages=2M: "*" of the buffer's "*" bytes \
are in huge pages"* ]] || show pages
		skip "no huge pages here"
	fi
	works 2
	[ "$(column page_bytes <<<"$output" | uniq)" = 2097152 ]
}

@test "gpu: found by its driver, measured only if it is there" {
	fake_tree tree <<-'EOF'
	0000:00:01.0 root first=1 last=1
	0000:01:00.0 endpoint gen=4 lanes=16
	EOF
	ln -s /nowhere/nvidia tree/sys/bus/pci/devices/0000:01:00.0/driver
	gpu list -P --root tree
	[ "$(grep ,gpu, <<<"$output" | cut -d, -f2-8)" = \
		"gpu,0000:01:00.0,0000:00:01.0,gen4x16/mps128/mrrs512/rcb64,\
nvidia,,lat_rd lat_wrrd bw_rd bw_wr bw_rdwr" ] || show list
	# A tree that is no sysfs proves nothing.
	mv tree/sys/bus/pci/devices/0000:01:00.0 tree/sys/bus/pci/devices/0000:ff:1f.7
	mkdir tree/sys/bus/pci/devices/0000:ff:1f.7/iommu_group
	echo DMA-FQ >tree/sys/bus/pci/devices/0000:ff:1f.7/iommu_group/type
	gpu lat_rd -d gpu -P -n 1 --root tree
	works 1
	[ "$(cut -d, -f3,5,6 <<<"${lines[1]}")" = \
		virtual,0000:ff:1f.7,gen4x16/mps128/mrrs512/rcb64 ] || show link
	[ "$(column iommu <<<"$output")" = DMA-FQ ]
}

@test "gpu: a way to memory that is none of PCI Express" {
	fake_tree tree <<<"0000:ff:1f.7 endpoint gen=4 lanes=16"
	FAKE_CUDA_IS=brisk,coherent gpu lat_rd -d gpu -P -n 1 --root tree
	proven
	[ "$status" = 0 ]
	[ "${stderr##*$'\n'}" = "pcb-collect: 0000:ff:1f.7: it reads host \
memory by a coherent link, such as NVLink-C2C: this does not measure PCI \
Express" ] || show coherent
	[ "$(column link <<<"$output")" = "" ] || show "no link"
}
