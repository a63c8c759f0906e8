#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# tools/gpu-check with fake programs that print prepared output.

load helpers

# fake_programs: gpu-check in its own tree, with programs that do nothing;
# pcb-collect, from stdin, records its arguments.
fake_programs() {
	[ -e "$TOP/tools/gpu-check" ] || skip "no tools beside the programs"
	mkdir -p tree/tools tree/bin
	cp "$TOP/tools/gpu-check" tree/tools
	cat - >tree/bin/pcb-collect
	printf '#!/bin/sh\nprintf "kind,device,median_ns\\nmeasured,0000:01:00.0,1000\\n"\n' >tree/bin/pcb-stats
	printf '#!/bin/sh\n' >tree/bin/pcb-plot
	printf '#!/bin/sh\nexit 1\n' >tree/bin/pcb-model
	chmod +x tree/bin/*
}

@test "gpu-check: goes on where node or state cannot be had" {
	fake_programs <<-'EOF'
	#!/bin/sh
	echo "$*" >>calls
	case "$*" in
	*cold*"--node 0 -q") why="--cache cold: cannot be verified" ;;
	*--node* | --version | lat_mmio*) ;;
	*) why="give --node a number" ;;
	esac
	[ ! "${why-}" ] || { echo "pcb-collect: $why" >&2; exit 3; }
	printf 'kind,device,link\nmeasured,0000:01:00.0,\n'
	EOF
	run timeout 60 tree/tools/gpu-check -q out
	[ "$(grep -n 'lat_rd .*--cache host-warm --node 0 -q$' calls |
		head -n 1 | cut -d: -f1)" = 5 ] || show "$(cat calls)"
	# From then on there, and never in the other state; others have no node.
	[ "$(sed 1,4d calls | grep -c cold)" = 0 ] || show cold
	[ "$(sed 1,4d calls | grep -e '-d gpu ' | grep -vcE -- '--node 0( --wide)? -q$')" = 0 ]
	[ "$(grep lat_mmio calls | grep -c -- --node)" = 0 ]
	grep -q "rows are 'measured'" out/summary.txt
}

@test "gpu-check: loads that the GPU answers, and one that never ends" {
	fake_programs <<-'EOF'
	#!/bin/sh
	echo "$*" >>calls
	case "$*" in
	*" -d gpu "*load=mmio* | *" -d gpu "*engine=* | --version | lat_mmio*) ;;
	*)
		echo "pcb-collect: 01:00.0: the GPU answers them itself" >&2
		exit 2
		;;
	esac
	printf '# gpu: one, 4 SMs, driver 13.0\nkind,device,link\n'
	printf 'measured,0000:01:00.0,\n# end: clock_retries=7\n'
	EOF
	cat >tree/bin/timeout <<-'EOF'
	#!/bin/sh
	[ "$1 $2 $3" = "-k 10 60" ] || [ "$1 $2 $3" = "-k 10 120" ] || exit 1
	shift 3
	case "$*" in
	*wrrd=fence*) exit 137 ;;
	esac
	exec "$@"
	EOF
	chmod +x tree/bin/timeout
	run tree/tools/gpu-check -q out
	[ "$status" = 1 ]
	grep -q '^ok    first: .*--cache cold -O load=mmio -q$' out/summary.txt
	grep -q '^# end: .*clock_retries=7' out/summary.txt
	grep -q '^WRONG wrrd-fence: .*: not done after 120 s$' out/summary.txt
	grep -q '^ok    wrrd-sector: ' out/summary.txt
	[ "$(grep -e engine= calls | grep -c load=)" = 0 ]
	# 32 warps of 4 SMs.
	[ "$(grep -o 'workers=[0-9]*' calls | tail -n 1)" = workers=64 ]
}

@test "gpu-check: bandwidth is none of the link if it is above it" {
	fake_programs <<-'EOF'
	#!/bin/sh
	gbit=400
	case "$*" in
	bw_wr*-s\ 32:8192*) gbit=470 ;;
	esac
	case "$*" in
	lat* | --version) echo latency_ns ;;
	*)
		printf 'kind,bench,device,link,size_bytes,bandwidth_gbit_s\n'
		printf 'measured,%s,0000:01:00.0,gen5x16/mps256/mrrs512/rcb64,4096,%s\n' \
			"$1" $gbit
		;;
	esac
	EOF
	for program in pcb-stats pcb-model; do
		printf '#!/bin/sh\nexec %s "$@"\n' "$(command -v $program)" \
			>tree/bin/$program
	done
	watched_awk tree/bin
	run tree/tools/gpu-check -q out
	[ ! -e commas ]
	[ "$status" = 1 ]
	[ "$(grep -c ': more than the link can carry' out/summary.txt)" = 1 ]
	grep -q '^WRONG bw_wr-sm: more than the link can carry$' out/summary.txt
}

@test "gpu-check: a software driver, which runs one worker at a time" {
	fake_programs <<-'EOF'
	#!/bin/sh
	echo "$*" >>calls
	case "$*" in
	*"-d vulkan "*)
		echo "pcb-collect: vulkan:0: its driver computes on the CPU:" \
			"rows are marked 'virtual'" >&2 ;;
	lat_mmio*) exit 2 ;;
	esac
	printf 'kind,device,link\nvirtual,vulkan:0,\n'
	EOF
	sed -i 's/measured,0000:01:00.0/virtual,vulkan:0/' tree/bin/pcb-stats
	run tree/tools/gpu-check -q -d vulkan out
	[ "$status" = 0 ] || show "$(cat out/summary.txt)"
	grep -q '^note  a software driver: ' out/summary.txt
	[ "$(grep -c workers= calls)" = 1 ]
	# The same rows from a driver that claims a GPU.
	sed -i 's/computes on the CPU/is a GPU/' tree/bin/pcb-collect
	run tree/tools/gpu-check -q -d vulkan out
	[ "$status" = 1 ]
	grep -q "^WRONG rows are not 'measured'" out/summary.txt
}

@test "gpu-check: reads that come back too soon" {
	fake_programs <<-'EOF'
	#!/bin/sh
	printf 'kind,device,link\nmeasured,0000:01:00.0,\n'
	EOF
	cat >tree/bin/pcb-stats <<-'EOF'
	#!/bin/sh
	case "$*" in
	*out/volatile.csv) ns=$(cat reads) ;;
	*) ns=800 ;;
	esac
	printf 'kind,device,median_ns\nmeasured,0000:01:00.0,%s\n' "$ns"
	EOF
	for ns in 800 299 5001; do
		echo $ns >reads
		run tree/tools/gpu-check -q out
		case $ns in
		800) wanted="ok    a read of host memory: 800 ns" ;;
		*) wanted="WRONG a read of host memory: $ns ns, not 300 to 5000" ;;
		esac
		grep -qx "$wanted" out/summary.txt
		[[ $ns = 800 || $status = 1 ]]
		grep ^note out/summary.txt >notes || true
		[ "$(wc -l <notes)" = $((ns == 5001)) ]
	done
	[ "$(cat notes)" = "note  wrrd-plain takes 800 ns, a read alone 5001 ns: \
the GPU answers it from the write" ]
}

@test "gpu-check: the order of the machine code" {
	fake_programs <<-'EOF'
	#!/bin/sh
	printf 'kind,device,link\nmeasured,0000:01:00.0,\n'
	EOF
	mkdir -p tree/tests/data/ptx
	cd tree/tests/data/ptx || false
	order="LDG.E.STRONG.SYS" clock="CS2R R6, SR_CLOCKLO"
	code() {
		printf '%s\n' "${@:2}" >"lat_$1.ptx"
	}
	code good "$order" "$clock" "$order" "$order" "LOP3.LUT R1" "$clock"
	code late "$order" "$clock" "$order" "LOP3.LUT R1" "$order" "$clock"
	code before "$order" "$order" "$clock" "$clock"
	cd - || false
	printf '#!/bin/sh\ncp "$4" "$3"\n' >tree/bin/ptxas
	printf '#!/bin/sh\ncat "$2"\n' >tree/bin/cuobjdump
	chmod +x tree/bin/*
	run tree/tools/gpu-check -q out
	[ "$(sed -n 's/ *order in the machine code: / /p' out/summary.txt |
		sort | xargs)" = \
		"WRONG lat_before.ptx WRONG lat_late.ptx ok lat_good.ptx" ]
}

@test "gpu-check: a kit has all that is needed, or says that it has not" {
	fake_programs <<-'EOF'
	#!/bin/sh
	printf 'kind,device,link\nmeasured,0000:01:00.0,\n'
	EOF
	mkdir -p tree/share/pcb-tools
	echo >tree/share/pcb-tools/table.csv
	# Libraries of a real program.
	cp "$(command -v cat)" tree/bin/pcb-diff
	run tree/tools/gpu-check pack tree/gpu-kit
	[ "$status" = 0 ]
	[ -e tree/gpu-kit/share/pcb-tools/table.csv ]
	mv tree/bin tree/elsewhere
	tree/tools/gpu-check -q out
	printf '#!/bin/sh\nexit 1\n' >tree/gpu-kit/bin/pcb-collect
	run tree/tools/gpu-check -q out
	[ "$status" = 2 ]
	[ "${lines[0]}" = "gpu-kit: its programs do not run here:" ]
}
