#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# pcb-collect on a GPU through Vulkan. The device is Mesa's software driver,
# lavapipe; tests/fake/libvulkan.c changes its answers. Rows are 'virtual'.

load helpers

tests pcb-collect

setup() {
	cd "$BATS_TEST_TMPDIR" || exit
	: "${PCB_FAKE:=$TOP/build/fake}"
	real=$(ldconfig -p | awk '/libvulkan.so.1 /{ print $NF; exit }')
	[ "$real" ] || skip "no libvulkan.so.1 (libvulkan1)"
	ls /usr/share/vulkan/icd.d/lvp_icd*.json >/dev/null 2>&1 ||
		skip "no lavapipe (mesa-vulkan-drivers)"
	[ -z "${EMULATED:-}" ] || skip "drivers are not run in $EMULATED"
	# A real GPU here would be measured instead.
	[ -e "$BATS_FILE_TMPDIR/device" ] ||
		lavapipe >"$BATS_FILE_TMPDIR/device" || true
	device=$(<"$BATS_FILE_TMPDIR/device")
	[ "$device" ] || skip "lavapipe does not show itself"
}

# lavapipe: the index of the software driver among the devices.
lavapipe() {
	local n

	for n in 0 1 2 3 4; do
		pcb-collect lat_rd -d vulkan:$n -n 1 --warmup 0 -q \
			--cache host-warm 2>/dev/null | grep -q '^# gpu: llvmpipe' &&
			echo "vulkan:$n" && return
	done
	return 1
}

# vulkan ARGUMENT...: pcb-collect; again if other programs disturb a clock or a
# cache.
vulkan() {
	for _ in 1 2 3 4 5; do
		try timeout 100 pcb-collect "$@"
		[[ "$stderr" = *"of a sample of lines"* ||
			"$stderr" = *"other programs may"* ||
			"$stderr" = *"too few to time"* ]] || break
	done
	[[ "$stderr" != *"cannot be verified"* &&
		"$stderr" != *"of a sample of lines"* ]] ||
		skip "the caches of this machine cannot be seen"
}

# fake WORDS ARGUMENT...: the same with a library that follows WORDS.
fake() {
	local words=$1

	shift
	[ -e "$PCB_FAKE/vulkan/libvulkan.so.1" ] ||
		skip "$PCB_FAKE/vulkan/libvulkan.so.1 is not built"
	FAKE_VULKAN=$words FAKE_VULKAN_REAL=$real \
		LD_LIBRARY_PATH=$PCB_FAKE/vulkan vulkan "$@"
}

# works ROWS: success, with this many rows.
works() {
	[ "$status" = 0 ] || show 0
	[ "$(grep -vc '^#' <<<"$output")" = "$(($1 + 1))" ] || show "$1 rows"
}

# fails STATUS TEXT: with that in the last message.
fails() {
	[ "$status" = "$1" ] || show "$1"
	[[ "${stderr##*$'\n'}" = *"$2"* ]] || show "$2"
}

@test "vulkan: rows of each bench, and never 'measured'" {
	for bench in lat_rd lat_wrrd; do
		vulkan $bench -d "$device" -n 300 --cache host-warm --wide
		works 300
		[ "$(cut -d, -f2-12 <<<"${lines[-2]}")" = \
			"1,virtual,$bench,$device,,sm,64,0,8192,random,host-warm" ] ||
			show "$bench"
		[ "$(column latency_ns <<<"$output" | awk '$1 <= 0' | wc -l)" = 0 ] ||
			show "latencies above 0"
		for key in gpu clock clock_tick_ns clock_overhead_ns \
			timestamp_step_ns chain_check repeated_read_ns cache_check; do
			grep -q "^# $key: " <<<"$output" || show "$key"
		done
		grep -q '^# end: .*clock_drift_ppm=' <<<"$output" || show drift
	done
	for bench in bw_rd bw_wr bw_rdwr; do
		vulkan $bench -d "$device" -n 100K -P --cache device-warm
		works 1
		awk "BEGIN { exit !($(column bandwidth_gbit_s <<<"$output") > 0.01) }" ||
			show "$bench"
	done
	for bench in bw_wr bw_rdwr; do
		vulkan $bench -d "$device" -n 20K -P -O engine=ce -s 100 --offset 3
		works 1
		[ "$(column interface <<<"$output")" = ce ] || show ce
		awk "BEGIN { exit !($(column bandwidth_gbit_s <<<"$output") > 0.01) }" ||
			show "$bench by the copy queue"
	done
	vulkan lat_rd -d "$device" -n 1 -l kind=measured
	fails 2 "-l kind=measured: the samples are 'virtual'"
}

@test "vulkan: sizes, offsets, windows and states of a sweep" {
	vulkan lat_rd -d "$device" -n 5 -P -s 4,256 --offset 0,4 -w 32K,64K \
		--cache host-warm,device-warm --pattern sequential
	works 80
	[ "$(cut -d, -f8-12 <<<"$output" | tail -n +2 | sort -u | wc -l)" = 16 ] ||
		show "16 points"
	vulkan lat_wrrd -d "$device" -n 5 -P -O wrrd=fence -O lane=8 \
		--cache host-warm
	works 5
	[ "$(column interface <<<"$output" | sort -u)" = sm/fence/lane8 ] || show
	vulkan lat_rd -d "$device" -n 100K -P -O clock=device --cache host-warm
	works 100000
	[ "$(column interface <<<"$output" | uniq)" = sm/device-clock ] || show
}

@test "vulkan: the default state of a CPU that reads its window again" {
	# Never again by chance: no helper that tries it several times.
	for _ in 1 2 3 4; do
		try pcb-collect bw_rd -d "$device" -n 200K -P
		works 1
		[ "$(column cache <<<"$output")" = host-warm ] || show host-warm
		try pcb-collect bw_rd -d "$device" -n 200K --cache cold
		[ "$status" = 2 ] || show 2
	done
	try pcb-collect bw_rd -d "$device" -n 1024 -w 1M -P
	works 1
	[ "$(column cache <<<"$output")" = cold ] || show cold
}

@test "vulkan: what cannot be is refused" {
	vulkan lat_rd -d "$device" -s 3
	fails 2 "multiples of 4 bytes"
	vulkan lat_rd -d "$device" -O clock=sun
	fails 2 "not auto, subgroup or device"
	vulkan bw_rd -d "$device" -O clock=subgroup
	fails 2 "only for latency benches"
	vulkan lat_rd -d "$device" -O engine=ce
	fails 2 "the copy queue measures bandwidth only"
	vulkan bw_rd -d "$device" -O engine=bulk
	fails 2 "not sm or ce"
	vulkan lat_rd -d vulkan:sun
	fails 2 "vulkan:sun: not a device (such as 03:00.0, or 0)"
	vulkan lat_rd -d vulkan:99
	fails 3 "vulkan:99: no such device"
}

@test "vulkan: an extension that is missing is named, and who has it" {
	for name in VK_KHR_shader_clock VK_EXT_external_memory_host \
		VK_EXT_calibrated_timestamps; do
		fake "without=$name" lat_rd -d vulkan -n 5
		fails 3 "has no $name; Mesa's"
	done
	for name in shaderInt64 bufferDeviceAddress shaderClock; do
		fake "lacks=$name" lat_rd -d vulkan -n 5
		[ "$name" != shaderClock ] || name="clock that programs can read"
		fails 3 "has no $name"
		[ -z "$output" ] || show "no rows"
	done
}

@test "vulkan: a device that is lost, and two of them" {
	# While it is opened, calibrated, verified; and later.
	for n in 1 30 200 700; do
		fake "lost=$n" lat_rd -d "$device" -n 100M --cache host-warm
		fails 2 "vkQueueSubmit: VK_ERROR_DEVICE_LOST (-4)"
	done
	fake two lat_rd -d vulkan:1 -n 5 -P --cache host-warm
	works 5
	[ "$(column device <<<"$output" | sort -u)" = vulkan:1 ] || show vulkan:1
	fake two lat_rd -d vulkan:2 -n 5
	fails 3 "vulkan:2: no such device; libvulkan.so.1 lists 2"
}

@test "vulkan: any call that the driver refuses ends the run, by name" {
	for call in EnumeratePhysicalDevices EnumerateDeviceExtensionProperties \
		CreateDevice CreateBuffer AllocateMemory BindBufferMemory MapMemory \
		CreateShaderModule CreatePipelineLayout CreateComputePipelines \
		CreateCommandPool AllocateCommandBuffers BeginCommandBuffer \
		EndCommandBuffer CreateQueryPool GetQueryPoolResults CreateFence \
		ResetFences WaitForFences QueueSubmit \
		GetMemoryHostPointerPropertiesEXT GetCalibratedTimestampsEXT; do
		fake "refuses=vk$call" lat_rd -d "$device" -n 5 --cache host-warm
		fails 2 "vk$call: VK_ERROR_OUT_OF_DEVICE_MEMORY (-2)"
		[ -z "$output" ] || show "no rows"
	done
	fake refuses=vkCreateInstance lat_rd -d "$device" -n 5
	fails 3 "libvulkan.so.1 finds no driver: install one"
}

@test "vulkan: a GPU whose chains do not add up gives no rows" {
	fake "integrated early" lat_rd -d vulkan -n 5 --cache host-warm
	fails 3 " ns, 8 dependent loads take 0 ns: "
	[ -z "$output" ] || show "no rows"
	# A software driver's rows are 'virtual', and record it.
	fake early lat_rd -d vulkan -n 5 --cache host-warm
	works 5
	grep -q '^# chain_check: 1 load [0-9]* ns, 8 dependent loads 0 ns$' \
		<<<"$output" || show chain_check
	# It claims to be a GPU, which needs a queue for copies.
	fake integrated bw_wr -d vulkan -n 20K -O engine=ce
	fails 3 "has no queue that only copies, with timestamps"
}

# render_node BDF: a tree with a display function that has one.
render_node() {
	fake_tree tree <<<"$1 endpoint at0a=0x0300"
	mkdir -p "tree/sys/bus/pci/devices/$1/drm/renderD128"
}

@test "vulkan: the first command finds a GPU, and is safe" {
	render_node 0000:03:00.0
	fake "pci=0000:03:00.0 integrated" list -P --root tree
	[[ "$(grep ,0000:03:00.0, <<<"$output")" = *vulkan*lat_rd* ]] ||
		show "vulkan, and its benches"
	for trouble in crash hang; do
		fake "$trouble" lat_rd -n 5 -P --root tree --debug access
		works 5
		[ "$(column kind <<<"$output" | sort -u)" = simulated ] ||
			show simulated
		[[ "$stderr" = *"vulkan: 0000:03:00.0: cannot: libvulkan.so.1 "* ]] ||
			show "$trouble"
	done
	# A device that claims to be a GPU is chosen; the first row may already
	# reveal that a CPU computes its chains.
	fake "pci=0000:03:00.0 integrated" lat_rd -n 5 -P --root tree \
		--cache host-warm
	[[ "$stderr" = *"0000:03:00.0: "* && "$output" != *,simulated,* ]] ||
		show "0000:03:00.0, and not the simulator"
	# Without a display function nothing is loaded.
	fake_tree empty <<<"0000:03:00.0 endpoint"
	mkdir -p empty/sys/bus/pci/devices/0000:03:00.0/drm/renderD128
	fake hang lat_rd -n 5 -P --root empty --debug access
	works 5
	[[ "$stderr" != *"vulkan: "* ]] || show "no vulkan"
}

@test "vulkan: for root no library of another user's home is run" {
	local name at

	[ "$(id -u)" = 0 ] || skip "not root"
	for name in HOME XDG_DATA_HOME XDG_CONFIG_HOME XDG_DATA_DIRS; do
		at=$PWD/$name
		[ $name != HOME ] || at+=/.local/share
		mkdir -p "$at/vulkan/implicit_layer.d"
		cp "$PCB_FAKE/faults.so" "$PWD/layer.so"
		cat >"$at/vulkan/implicit_layer.d/layer.json" <<-END
		{ "file_format_version": "1.0.0", "layer": {
		  "name": "VK_LAYER_other", "type": "GLOBAL",
		  "library_path": "$PWD/layer.so", "api_version": "1.3.0",
		  "implementation_version": "1", "description": "of another",
		  "disable_environment": { "NO_OTHER": "1" } } }
		END
		LD_DEBUG=files LD_DEBUG_OUTPUT=trace env "$name=$PWD/$name" \
			pcb-collect lat_rd -d "$device" -n 1 --warmup 0 -q \
			--cache host-warm >rows || true
		grep -q libvulkan_lvp trace.*
		! grep layer.so trace.* || show "$name"
	done
}

@test "vulkan: a GPU without a BDF is not 'measured', and a warning says so" {
	fake integrated lat_rd -d "$device" -n 5 -P --cache host-warm
	[[ "$stderr" = *"$device: the kernel shows no such GPU"*"'virtual'"* ]] ||
		show "a warning"
	[[ "$output" != *,measured,* ]] || show virtual
}

@test "vulkan: a software driver is never chosen" {
	vulkan lat_rd -n 5 -P --debug access
	works 5
	[ "$(column kind <<<"$output" | sort -u)" != virtual ] || show
}
