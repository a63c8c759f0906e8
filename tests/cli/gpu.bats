#!/usr/bin/env bats
# pcb-collect on a GPU: the host's side, against a library that takes the
# place of NVIDIA's driver. What it answers is made up; its rows are 'virtual'.
# bats sets $stderr.
# shellcheck disable=SC2154

load helpers

tests pcb-collect

unknown="0000:ff:1f.7: the kernel shows no such GPU, whatever libcuda.so.1 \
says: rows are marked 'virtual'"

setup() {
	cd "$BATS_TEST_TMPDIR" || exit
	: "${PCB_FAKE:=$TOP/build/fake}"
	# Beside programs that are installed there is none.
	[ -e "$PCB_FAKE/libcuda.so.1" ] ||
		skip "$PCB_FAKE/libcuda.so.1 is not built"
	export FAKE_CUDA_LOG=log
}

# gpu ARGUMENT...: pcb-collect with the other driver. The machine may be slow,
# but nothing here waits. On a busy one others empty and fill the caches, too,
# so that it takes another try to have them as wanted.
gpu() {
	for _ in 1 2 3 4 5; do
		true >log
		LD_LIBRARY_PATH=$PCB_FAKE try timeout 60 pcb-collect "$@"
		[[ "$stderr" = *"of a sample of lines"* ]] || break
	done
}

# proven: whether this machine lets itself be measured: under an emulator or
# on a busy host, loads may take equally long from a cache and from memory.
proven() {
	[[ "$stderr" != *"cannot be proven"* ]] ||
		skip "the caches of this machine cannot be seen"
	[[ ${EMULATED:-} = "" || "$stderr" != *"of a sample of lines"* ]] ||
		skip "$EMULATED has no caches"
}

# all_freed: nothing is left of what was had from the driver.
all_freed() {
	local calls

	mapfile -t calls <log
	[ "${calls[*]: -1}" = "left: contexts 0 modules 0 memory 0 \
registered 0 streams 0 events 0" ] || show "${calls[*]: -1}"
}

# works STDOUT-ROWS: done, everything freed, and only the known warning.
works() {
	proven
	[ "$status" = 0 ] || show 0
	[ "$stderr" = "pcb-collect: $unknown" ] || show "$unknown"
	all_freed
	[ "$(grep -vc '^#' <<<"$output")" = "$(($1 + 1))" ] || show "$1 rows"
}

# fails STATUS MESSAGE: with that as the last message, and everything freed.
fails() {
	[ "$status" = "$1" ] || show "$1"
	[ "${stderr##*$'\n'}" = "pcb-collect: $2" ] || show "$2"
	[ ! -s log ] || all_freed
}

@test "gpu: a machine without the driver" {
	try pcb-collect lat_rd -d gpu -n 1
	if [ "$status" = 0 ]; then
		skip "there is a driver here"
	fi
	[ "$status" = 3 ]
	[ "$output" = "" ]
	[[ "$stderr" = "pcb-collect: "* ]]
	fake_tree tree <<<"0000:01:00.0 endpoint"
	ln -s /nowhere/nvidia tree/devices/0000:01:00.0/driver
	pcb-collect list -P -O sysfs=tree |
		grep ',gpu,0000:01:00.0,.*,nvidia,,,libcuda.so.1: cannot open'
	# A library of that name that is no driver.
	cp "$PCB_FAKE/faults.so" libcuda.so.1
	LD_LIBRARY_PATH=. try pcb-collect lat_rd -d gpu
	is 3 "" "pcb-collect: libcuda.so.1 has no cuInit: the driver is too old"
}

@test "gpu: rows of each bench, and never 'measured'" {
	for bench in lat_rd lat_wrrd; do
		gpu $bench -d gpu -n 300 -P
		works 300
		[ "$(cut -d, -f2-15 <<<"${lines[1]}")" = \
			"1,virtual,$bench,0000:ff:1f.7,,sm,64,0,8192,random,cold,0,,4096" ] ||
			[ "$(column iommu <<<"$output" | sort -u)" = off ] ||
			show "$bench"
	done
	# 1500 and more cycles of 2/3 ns.
	gpu lat_rd -d gpu -n 3 -P --warmup 0
	[ "$(column latency_ns <<<"$output" | xargs)" = \
		"1002.667 1003.333 1004" ] || show times
	# 10 bytes a nanosecond.
	for bench in bw_rd bw_wr bw_rdwr; do
		gpu $bench -d gpu -n 40K -P
		works 1
		[[ "$(column bandwidth_gbit_s <<<"$output")" = 80* ]] || show 80
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

@test "gpu: sizes, offsets, windows, patterns and states of a sweep" {
	gpu lat_rd -d gpu -n 5 -P -s 1,64,8K --offset 0,4 -w 32K,64K \
		--pattern random,sequential --cache cold,host-warm,device-warm
	works $((5 * 3 * 2 * 2 * 2 * 3))
	[ "$(column size_bytes <<<"$output" | sort -nu | xargs)" = "1 64 8192" ]
	[ "$(column cache <<<"$output" | sort -u | xargs)" = \
		"cold device-warm host-warm" ]
	gpu bw_rd -d gpu -n 2K -P -O engine=ce -s 64,128
	works 2
	# Of a larger one what was written last is looked at.
	gpu lat_rd -d gpu -n 5 -P -w 512K --cache host-warm
	works 5
}

@test "gpu: what is left over is too little to be measured" {
	# A queue of copies has 16K, a launch 4M.
	gpu bw_rdwr -d gpu -n 16390 -w 4M -P -O engine=ce
	works 1
	gpu bw_rd -d gpu -n 4194314 -w 257M -b 257M -P --warmup 0
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
		# One queue, all but its first and last eighth.
		[ "$(column transfers <<<"$output")" = 1534 ] || show 1534
	done
}

@test "gpu: in a cold window each unit is touched once a pass" {
	export FAKE_CUDA_UNITS=units
	for pattern in random sequential; do
		rm -f units
		gpu lat_rd -d gpu -n 640 -w 4K --warmup 0 --pattern $pattern
		works 640
		# The check of the way to memory reads 4 bytes; the first ones of
		# a launch lie behind the window.
		awk '$1 == 64 && $2 < 64 { print $2 }' units >touched
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
	# As often as it comes, where nothing changes by it.
	rm units
	gpu lat_rd -d gpu -n 640 -w 4K --warmup 0 --cache host-warm
	proven
	awk '$1 == 64 && $2 < 64 { print $2 }' units | sort -n | uniq -c |
		awk '$1 != 10 { other = 1 } END { exit !other }'
}

@test "gpu: the preamble says what was looked at" {
	gpu lat_rd -d gpu -n 2 --cache cold,host-warm
	proven
	[ "$status" = 0 ]
	for line in 'gpu: fake GPU of the tests, compute capability 9.0, 4 SMs, driver 13.0' \
		'granule_bytes: 32' \
		'clock: clock64 of SM 3, rate from globaltimer' \
		'clock_tick_ns: 0.667' 'clock_overhead_ns: 22' \
		'globaltimer_step_ns: 32' 'repeated_read_ns: 10[0-9][0-9]' \
		'cache_check: load [0-9]+ ns from a cache, [0-9]+ ns from memory; cold [0-9]+% cached; host-warm [0-9]+% cached'; do
		grep -Eq "^# $line\$" <<<"$output" || show "$line"
	done
	[[ "${lines[-1]}" = "# end: rows=4 complete=yes clock_drift_ppm="*\
" clock_retries=0" ]] || show end
	# What the kernel counts of the link.
	fake_tree tree <<<"0000:ff:1f.7 endpoint"
	errors=tree/devices/0000:ff:1f.7/aer_dev_correctable
	printf 'RxErr 3\nTimeout 4\nTOTAL_ERR_COR 7\n' >$errors
	gpu lat_rd -d gpu -n 2 -O sysfs=tree
	[[ "${lines[-1]}" = *" clock_retries=0 aer_correctable=0" ]] || show aer
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
		# One is of the check of the way to memory.
		fills=$(($(grep -c '^pcb_fill$' log) - 1))
	}
	fills 64M
	once=$fills
	fills 128M
	[ "$fills" = $((2 * once)) ] || show $((2 * once))
}

@test "gpu: what is not as it should be ends it" {
	for word in deaf blind cached; do
		case $word in
		deaf) text="the CPU does not see what the GPU wrote to host memory" ;;
		blind) text="the GPU does not see what the CPU wrote to host memory" ;;
		cached) text="reads of one line take 267 ns, and reads of others \
1028 ns: the GPU answers them itself" ;;
		esac
		FAKE_CUDA_IS=$word gpu lat_rd -d gpu -n 5
		fails 2 "0000:ff:1f.7: $text"
		[ "$output" = "" ]
	done
	while IFS='|' read -r word bench text; do
		# shellcheck disable=SC2086
		FAKE_CUDA_IS=$word gpu $bench -d gpu --warmup 0
		proven
		fails 2 "$text"
		[ "$(grep -c virtual <<<"$output")" = 0 ]
	done <<-'EOF'
	nameless|lat_rd|cuDeviceGetPCIBusId: 'GPU0' is no BDF
	frozen|lat_rd|0000:ff:1f.7: its clocks do not run forward
	restless|lat_rd|0000:ff:1f.7: its clock does not settle (1550 MHz, 1500 MHz): other programs may be using it
	apart|bw_rd -n 2K -O workers=2|1000 transfers of each of 2 workers are too few to see them all at work: raise -n or lower -O workers
	instant|bw_wr -n 2K -O engine=ce|2000 copies are too few to see them under way: raise -n
	EOF
	FAKE_CUDA_IS=drifting gpu lat_rd -d gpu -n 5 --warmup 0
	proven
	fails 2 "0000:ff:1f.7: its clock changes all the time (1550 MHz, \
1500 MHz): other programs may be using it"
	[ "$(grep -c virtual <<<"$output")" = 0 ]
}

@test "gpu: the way to memory is looked at by reads of the same kind" {
	export FAKE_CUDA_IS=keeping
	gpu lat_rd -d gpu -n 5
	fails 2 "0000:ff:1f.7: reads of one line take 267 ns, and reads of \
others 1028 ns: the GPU answers them itself"
	gpu lat_rd -d gpu -n 5 -O load=mmio
	works 5
	gpu lat_rd -d gpu -n 5 -O engine=bulk
	works 5
	# The copy engine has no cache of loads.
	gpu bw_rd -d gpu -n 2K -O engine=ce
	works 1
	[[ "$output" = *$'\n# repeated_read_ns: 267\n'* ]] || show 267
}

@test "gpu: a state of the caches that is not there" {
	[ "${EMULATED:-}" = "" ] || skip "$EMULATED has no caches"
	# On a busy host others may empty the caches that this one fills.
	for _ in 1 2 3 4 5; do
		FAKE_CUDA_IS=warming gpu bw_rd -d gpu -n 40K
		[ "$status" != 3 ] || break
	done
	proven
	[ "$status" = 3 ] || show 3
	[[ "$stderr" = *"
pcb-collect: --cache cold: the window of 8192 bytes cannot be brought into \
that state here: of a sample of lines, 100% are in a cache" ]] || show cached
	FAKE_CUDA_IS=tired gpu lat_rd -d gpu -n 5 --cache device-warm
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
copies are there from 9.0"
	FAKE_CUDA_IS=ancient gpu lat_rd -d gpu -n 1 -O load=mmio
	fails 3 "-O load=mmio: 0000:ff:1f.7 has compute capability 6.0; such \
loads are there from 7.0"
	FAKE_CUDA_IS=outdated gpu lat_rd -d gpu -n 1 -O engine=bulk
	fails 3 "-O engine=bulk: the driver is of CUDA 11.8; bulk copies are \
there from 12.0"
	FAKE_CUDA_IS=outdated gpu lat_rd -d gpu -n 1 -O load=mmio
	fails 3 "-O load=mmio: the driver is of CUDA 11.8; such loads are there \
from 12.2"
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
	words="no such word (-O help lists them)"
	refused "-O engine=dma: $words" lat_rd -O engine=dma
	refused "-O wrrd=x: $words" lat_wrrd -O wrrd=x
	refused "-O wrrd=fence: of lat_wrrd only" lat_rd -O wrrd=fence
	refused "-O load=x: $words" lat_rd -O load=x
	refused "-O lane=0: not auto or within 1 to 16" lat_rd -O lane=0
	refused "64 bytes at offset 0: a lane takes 1, 2, 4, 8 or 16 bytes" \
		lat_rd -O lane=3
	refused "-O workers=99999: not auto or within 1 to 16384" bw_rd \
		-O workers=99999
	refused "-O workers=4: of bandwidth benches with sm or bulk only" \
		lat_rd -O workers=4
	refused "-O pages=8K: pages are 4K, 2M or 1G" lat_rd -O pages=8K
	refused "-O engine=ce: lane and load are of engine=sm" \
		bw_rd -O engine=ce -O lane=4
	refused "64 bytes at offset 0: the copy engine measures bandwidth only" \
		lat_rd -O engine=ce
	refused "64 bytes at offset 8: a bulk copy has 16 bytes or a multiple, \
and begins at one" lat_rd -O engine=bulk --offset 8
	refused "64 bytes at offset 1: size and offset must be multiples of \
what a lane takes" lat_rd -O lane=4 --offset 1
	refused "16384 bytes at offset 0: too large: a warp holds 8K, less if \
size or offset are no multiple of 4" lat_rd -s 16K -w 64K
	refused "a window of 8192 bytes is larger than the buffer (-b) of 4096" \
		lat_rd -b 4K
	refused "a window of 64 bytes does not hold 64 bytes at offset 4, \
rounded up to whole lines" lat_rd -w 64 --offset 4
	refused "a window of 137438953472 bytes: its 2147483648 units are too \
many" lat_rd -w 128G -b 128G
	refused "--cpu 5000: no CPU that this process may use" lat_rd --cpu 5000
	refused "-n 1000: bandwidth takes 1024 transfers at least" bw_rd -n 1000
	refused "-O workers=4000: each needs 16 transfers at least, and there \
are 2000 in all" bw_rd -n 2000 -O workers=4000
	gpu lat_rd -d gpu:x
	fails 2 "gpu:x: not a device (such as 03:00.0)"
}

@test "gpu: an error of every call is named, and what there was is freed" {
	calls() {
		gpu "$@"
		proven
		[ "$status" = 0 ] || show 0
		grep -e '^cu' -e '^pcb' log | sort | uniq -c >calls.all
	}
	# Each call once the first time that it is made, and the last time.
	check() {
		calls "$@"
		while read -r times call; do
			for n in $(printf '%s\n' 1 "$times" | uniq); do
				case $call in
				*Release* | *Unload | *Free* | *Destroy* | *Unregister) continue ;;
				# The last one may be unknown to the driver.
				*GetAttribute) [ "$n" = 1 ] || n=$((times - 1)) ;;
				esac
				FAKE_CUDA_FAIL=$call:$n gpu "$@"
				name=${call%_v2}
				# A program fails behind its launch.
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
	FAKE_CUDA_IS=mute FAKE_CUDA_FAIL=cuModuleLoadDataEx gpu lat_rd -d gpu -n 1
	fails 2 "cuModuleLoadDataEx: unknown error (218, no explanation)"
}

@test "gpu: a signal in the middle leaves nothing behind" {
	fake_tree tree <<<"0000:ff:1f.7 endpoint"
	errors=tree/devices/0000:ff:1f.7/aer_dev_correctable
	echo TOTAL_ERR_COR 7 >$errors
	LD_LIBRARY_PATH=$PCB_FAKE timeout -s KILL 20 pcb-collect lat_rd -d gpu \
		-n 1000G -O sysfs=tree >out 2>err 3>&- &
	if ! wait_for_bytes out 10000; then
		grep "cannot be proven" err &&
			skip "the caches of this machine cannot be seen"
		false
	fi
	# A count that has gone is none, nor below zero.
	rm $errors
	kill -TERM $!
	status=0
	wait $! || status=$?
	[ "$status" = 143 ] || show 143
	[[ "$(tail -n 1 out)" = "# end: rows=$(grep -c ,lat_rd, out) complete=no "* ]]
	[[ "$(tail -n 1 out)" != *aer_correctable* ]] || show aer
	all_freed
}

@test "gpu: its options are listed" {
	try pcb-collect lat_rd -d gpu -O help
	[ "$status" = 0 ]
	for option in engine=sm wrrd=plain load=volatile lane=auto workers=auto \
		pages=4K sysfs=/sys/bus/pci; do
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
	ln -s /nowhere/nvidia tree/devices/0000:01:00.0/driver
	gpu list -P -O sysfs=tree
	[ "$(grep ,gpu, <<<"$output" | cut -d, -f2-8)" = \
		"gpu,0000:01:00.0,0000:00:01.0,gen4x16/mps128/mrrs512/rcb64,\
nvidia,,lat_rd lat_wrrd bw_rd bw_wr bw_rdwr" ] || show list
	# A tree that is no sysfs proves nothing.
	mv tree/devices/0000:01:00.0 tree/devices/0000:ff:1f.7
	mkdir tree/devices/0000:ff:1f.7/iommu_group
	echo DMA-FQ >tree/devices/0000:ff:1f.7/iommu_group/type
	gpu lat_rd -d gpu -P -n 1 -O sysfs=tree
	works 1
	[ "$(cut -d, -f3,5,6 <<<"${lines[1]}")" = \
		virtual,0000:ff:1f.7,gen4x16/mps128/mrrs512/rcb64 ] || show link
	[ "$(column iommu <<<"$output")" = DMA-FQ ]
}

@test "gpu: a way to memory that is none of PCI Express" {
	fake_tree tree <<<"0000:ff:1f.7 endpoint gen=4 lanes=16"
	FAKE_CUDA_IS=coherent gpu lat_rd -d gpu -P -n 1 -O sysfs=tree
	proven
	[ "$status" = 0 ]
	[ "${stderr##*$'\n'}" = "pcb-collect: 0000:ff:1f.7: it reads host \
memory by a coherent link, such as NVLink-C2C: what is measured is not PCI \
Express" ] || show coherent
	[ "$(column link <<<"$output")" = "" ] || show "no link"
}
