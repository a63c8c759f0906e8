#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# pcb-collect on a GPU that is missing or faulty.

load helpers
load gpu

@test "gpu: a machine without the driver" {
	try pcb-collect lat_rd -d gpu -n 1
	if [ "$status" = 0 ]; then
		skip "there is a driver here"
	fi
	[ "$status" = 3 ]
	[ "$output" = "" ]
	[[ "$stderr" = "pcb-collect: "* ]]
	fake_tree tree <<<"0000:01:00.0 endpoint"
	ln -s /nowhere/nvidia tree/sys/bus/pci/devices/0000:01:00.0/driver
	pcb-collect list -P --root tree |
		grep ',gpu,0000:01:00.0,.*,nvidia,,,libcuda.so.1: cannot open'
	# A library of that name that is no driver.
	cp "$PCB_FAKE/faults.so" libcuda.so.1
	LD_LIBRARY_PATH=. try pcb-collect lat_rd -d gpu
	is 3 "" "pcb-collect: libcuda.so.1 has no cuInit: the driver is too old"
}

@test "gpu: what is not as it should be ends it" {
	for word in deaf blind cached; do
		case $word in
		deaf) text="the CPU does not see what the GPU wrote to host memory" ;;
		blind) text="the GPU does not see what the CPU wrote to host memory" ;;
		cached) text="reads of one line take 291 ns, and reads of others \
1052 ns: the GPU answers them itself" ;;
		esac
		FAKE_CUDA_IS=brisk,$word gpu lat_rd -d gpu -n 5
		fails 2 "0000:ff:1f.7: $text"
		[ "$output" = "" ]
	done
	while IFS='|' read -r word bench text; do
		# shellcheck disable=SC2086
		FAKE_CUDA_IS=$word gpu $bench -d gpu --warmup 0 --wide
		proven
		fails 2 "$text"
		[ "$(grep -c virtual <<<"$output")" = 0 ]
	done <<-'EOF'
	nameless|lat_rd|cuDeviceGetPCIBusId: 'GPU0' is not a BDF
	frozen|lat_rd|0000:ff:1f.7: its clocks do not run forward
	restless|lat_rd|0000:ff:1f.7: its clock does not settle (2000 MHz, 1500 MHz): other programs may be using it
	apart|bw_rd -n 2K -O workers=2|1000 transfers of each of 2 workers are too few to time all workers together: raise -n or lower -O workers
	instant|bw_wr -n 2K -O engine=ce|2000 copies are too few to time: raise -n
	EOF
	FAKE_CUDA_IS=drifting gpu lat_rd -d gpu -n 5 --warmup 0 --wide
	proven
	fails 2 "0000:ff:1f.7: its clock changes all the time (2000 MHz, \
1500 MHz): other programs may be using it"
	[ "$(grep -c virtual <<<"$output")" = 0 ]
}

@test "gpu: a clock that wanders by a few per cent is no end" {
	FAKE_CUDA_IS=wandering gpu lat_rd -d gpu -n 5 --warmup 0
	[ "$status" = 0 ] && [[ "$output" = *"# end: rows=5 "* ]] || show "5 rows"
	[[ "$stderr" = *"0000:ff:1f.7: its clock changed by up to "3.[2-5]" % while it \
timed: latencies may be wrong by half of that"* ]] || show "a warning"
	[[ "${lines[-1]}" = *" clock_retries=8 clock_spread_pct=3."[2-5] ]] || show end
}

@test "gpu: the way to memory is looked at by reads of the same kind" {
	export FAKE_CUDA_IS=brisk,keeping
	gpu lat_rd -d gpu -n 5
	fails 2 "0000:ff:1f.7: reads of one line take 291 ns, and reads of \
others 1052 ns: the GPU answers them itself"
	gpu lat_rd -d gpu -n 5 -O load=mmio
	works 5
	gpu lat_rd -d gpu -n 5 -O engine=bulk
	works 5
	# The copy engine has no cache of loads.
	gpu bw_rd -d gpu -n 2K -O engine=ce
	works 1
	[[ "$output" = *$'\n# repeated_read_ns: 291\n'* ]] || show 291
}

@test "gpu: no launch reads a line twice if the GPU would answer it" {
	export FAKE_CUDA_IS=brisk,caching
	gpu lat_rd -d gpu -n 300 -w 8K -P
	works 300
	[[ "$output" != *"291."* ]] || show "reads by a cache"
	gpu lat_rd -d gpu -n 5
	[[ "$output" = *$'\n# repeated_reads: a cache of the GPU answers them: '* ]] ||
		show repeated_reads
	# Two launches, each with the 8192 lines of the window.
	FAKE_CUDA_READS=reads gpu bw_rd -d gpu -n 16384 -w 512K --warmup 0
	works 1
	for launch in "tail -n 8192" "tail -n 16384"; do
		[ "$($launch reads | head -n 8192 | sort -u | wc -l)" = 8192 ] ||
			show "$launch"
	done
	gpu lat_wrrd -d gpu -n 5
	fails 3 "0000:ff:1f.7: a cache of the GPU answers reads of what it has \
just written: lat_wrrd cannot measure the way to memory"
}

@test "gpu: a state of the caches that is not there" {
	[ "${EMULATED:-}" = "" ] || skip "$EMULATED has no caches"
	# On a busy host other programs may empty the caches.
	for _ in 1 2 3 4 5; do
		FAKE_CUDA_IS=brisk,warming gpu bw_rd -d gpu -n 40K
		[ "$status" != 3 ] || break
	done
	proven
	[ "$status" = 3 ] || show 3
	[[ "$stderr" = *"
pcb-collect: --cache cold: the window of 8192 bytes cannot be brought into \
that state here: of a sample of lines, 100% are in a cache" ]] || show cached
	FAKE_CUDA_IS=brisk,tired gpu lat_rd -d gpu -n 5 --cache device-warm
	proven
	fails 2 "--cache device-warm: what the GPU wrote to byte 0 did not arrive"
	[ "$output" = "" ]
	gpu lat_rd -d gpu -n 5 -P --cache thrashed
	if [ "$status" = 3 ]; then
		proven
		fails 3 "--cache thrashed: the size of the last-level cache is not \
known here"
	else
		works 5
		[ "$(column cache <<<"$output" | uniq)" = thrashed ]
	fi
}

@test "gpu: what is not there is 3" {
	FAKE_CUDA_IS=none gpu lat_rd -d gpu -n 1
	fails 3 "gpu: no such GPU; the driver has none"
	gpu lat_rd -d gpu:3b:00.0 -n 1
	fails 3 "0000:3b:00.0: no such GPU; the driver has 0000:ff:1f.7"
	FAKE_CUDA_FAIL=cuInit gpu lat_rd -d gpu -n 1
	fails 3 "cuInit: CUDA_ERROR_NO_DEVICE (100, no CUDA-capable device is \
detected)"
	FAKE_CUDA_IS=old gpu lat_rd -d gpu -n 1 -O engine=bulk
	fails 3 "-O engine=bulk: 0000:ff:1f.7 has compute capability 7.5; bulk \
copies need 9.0"
	FAKE_CUDA_IS=ancient gpu lat_rd -d gpu -n 1 -O load=mmio
	fails 3 "-O load=mmio: 0000:ff:1f.7 has compute capability 6.0; such \
loads need 7.0"
	FAKE_CUDA_IS=outdated gpu lat_rd -d gpu -n 1 -O engine=bulk
	fails 3 "-O engine=bulk: the driver has CUDA 11.8; bulk copies \
need 12.0"
	FAKE_CUDA_IS=outdated gpu lat_rd -d gpu -n 1 -O load=mmio
	fails 3 "-O load=mmio: the driver has CUDA 11.8; such loads \
need 12.2"
	gpu lat_rd -d gpu -n 1 --node 77
	fails 3 "--node 77: no such node with memory that this process may use"
	gpu lat_rd -d gpu:ff:1f.7 -n 1
	works 1
}

@test "gpu: options and points that make no sense" {
	refused() {
		gpu "${@:2}" -d gpu
		fails 2 "$1"
		[ "$output" = "" ]
	}
	refused "-O engine=dma: not sm, bulk or ce" lat_rd -O engine=dma
	refused "-O wrrd=x: not plain, fence, store or sector" lat_wrrd -O wrrd=x
	refused "-O wrrd=fence: only for lat_wrrd" lat_rd -O wrrd=fence
	refused "-O load=x: not volatile or mmio" lat_rd -O load=x
	refused "-O lane=0: not auto or within 1 to 16" lat_rd -O lane=0
	refused "64 bytes at offset 0: a lane takes 1, 2, 4, 8 or 16 bytes" \
		lat_rd -O lane=3
	refused "-O workers=99999: not auto or within 1 to 16384" bw_rd \
		-O workers=99999
	refused "-O workers=4: only for bandwidth benches with sm or bulk" \
		lat_rd -O workers=4
	refused "-O pages=8K: pages are 4K, 2M or 1G" lat_rd -O pages=8K
	refused "-O engine=ce: lane and load need engine=sm" \
		bw_rd -O engine=ce -O lane=4
	refused "64 bytes at offset 0: the copy engine measures bandwidth only" \
		lat_rd -O engine=ce
	refused "64 bytes at offset 8: a bulk copy has a multiple of 16 bytes, \
and starts at one" lat_rd -O engine=bulk --offset 8
	refused "64 bytes at offset 1: size and offset must be multiples of \
what a lane takes" lat_rd -O lane=4 --offset 1
	refused "16384 bytes at offset 0: too large: a warp holds 8K, less if \
size or offset is not a multiple of 4" lat_rd -s 16K -w 64K
	refused "a window of 8192 bytes is larger than the buffer (-b) of 4096" \
		lat_rd -b 4K
	refused "a window of 64 bytes does not hold 64 bytes at offset 4, \
rounded up to whole lines: give a larger -w" lat_rd -w 64 --offset 4
	refused "a window of 137438953472 bytes: its 2147483648 units are too \
many" lat_rd -w 128G -b 128G
	refused "--cpu 5000: no CPU that this process may use" lat_rd --cpu 5000
	refused "-n 1000: bandwidth needs at least 1024 transfers" bw_rd -n 1000
	refused "-O workers=4000: each needs at least 16 transfers, and there \
are 2000 in all" bw_rd -n 2000 -O workers=4000
	gpu lat_rd -d gpu:x
	[ "$status" = 2 ]
	[[ "$stderr" == *"-d 'x': neither a device such as 03:00.0, eth0 or "* ]]
}

@test "gpu: an error of every call is named, and what there was is freed" {
	calls() {
		gpu "$@"
		proven
		[ "$status" = 0 ] || show 0
		grep -e '^cu' -e '^pcb' log | sort | uniq -c >calls.all
	}
	# Each call fails once the first time it is made, and the last time.
	check() {
		calls "$@"
		while read -r times call; do
			for n in $(printf '%s\n' 1 "$times" | uniq); do
				case $call in
				*Release* | *Unload | *Free* | *Destroy* | *Unregister) continue ;;
				# The driver may not know the last one.
				*GetAttribute) [ "$n" = 1 ] || n=$((times - 1)) ;;
				esac
				FAKE_CUDA_FAIL=$call:$n gpu "$@"
				name=${call%_v2}
				# A program fails after its launch.
				name=${name/#pcb_*/cuLaunchKernel}
				[ "$status" != 0 ] || show "$call:$n"
				[[ "${stderr##*$'\n'}" = "pcb-collect: $name: "* ||
					"${stderr##*$'\n'}" = "pcb-collect: cuMem"*"Async: "* ]] ||
					show "$call:$n"
				all_freed || show "$call:$n"
			done
		done <calls.all
	}
	check lat_wrrd -d gpu -n 20 --cache device-warm
	check bw_rdwr -d gpu -n 2K -O engine=ce
	check bw_wr -d gpu -n 20K -O engine=bulk
	FAKE_CUDA_FAIL=cuModuleLoadDataEx gpu lat_rd -d gpu -n 1
	fails 2 "cuModuleLoadDataEx: unknown error (218, no explanation): \
ptxas: line 3: this is no instruction"
	FAKE_CUDA_IS=brisk,mute FAKE_CUDA_FAIL=cuModuleLoadDataEx gpu lat_rd -d gpu -n 1
	fails 2 "cuModuleLoadDataEx: unknown error (218, no explanation)"
}

@test "gpu: a signal in the middle leaves nothing behind" {
	fake_tree tree <<<"0000:ff:1f.7 endpoint"
	errors=tree/sys/bus/pci/devices/0000:ff:1f.7/aer_dev_correctable
	echo RxErr 7 >$errors
	LD_LIBRARY_PATH=$PCB_FAKE timeout -s KILL 20 pcb-collect lat_rd -d gpu \
		-n 1000G --root tree --wide >out 2>err 3>&- &
	if ! wait_for_bytes out 10000; then
		grep "cannot be verified" err &&
			skip "the caches of this machine cannot be seen"
		false
	fi
	# A vanished count is no count, and none is negative.
	rm $errors
	kill -TERM $!
	status=0
	wait $! || status=$?
	[ "$status" = 143 ] || show 143
	[[ "$(tail -n 1 out)" = "# end: rows=$(grep -c ,lat_rd, out) complete=no "* ]]
	[[ "$(tail -n 1 out)" != *aer_correctable* ]] || show aer
	all_freed
}
