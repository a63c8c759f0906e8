#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# DMA through VFIO: refusals without a device. Tests with devices are in
# tests/guest/topics.

bats_require_minimum_version 1.5.0

load helpers

tests pcb-collect

@test "a device is named, never chosen" {
	fails 2 "-d 'edu': name the device, as in edu:03:00.0" lat_rd -d edu
	tests pcb-collect
	wrong "-d 'x': neither a device such as 03:00.0," lat_rd -d edu:x
	fails 2 "-d 'nvme': name the device, as in nvme:03:00.0" lat_nvme -d nvme
	collect lat_nvme
	[ "$status" = 3 ]
}

@test "a device that is not there, or no such device" {
	collect lat_rd -d edu:77:00.0
	[ "$status" = 3 ]
	collect lat_nvme -d nvme:77:00.0 -O unbind=yes
	[ "$status" = 3 ]
	collect lat_nvme -d 77:00.0
	[ "$status" = 3 ]
}

@test "options of all such devices" {
	nodes=$(seq -s, 0 64)
	wrong "--node '$nodes': too many nodes" lat_rd -d edu:77:00.0 \
		--node "$nodes"
	fails 2 "-O unbind=maybe: not yes or no" lat_rd -d edu:77:00.0 -O unbind=maybe
	fails 2 "-O pages=3K: pages are 4K, 2M or 1G" \
		lat_rd -d edu:77:00.0 -O pages=3K
	fails 2 "-O pages=: pages are 4K, 2M or 1G" \
		lat_nvme -d nvme:77:00.0 -O pages=
}

@test "nothing is written without a range that may be lost" {
	fails 3 "bw_rd makes the controller write to" bw_rd -d nvme:77:00.0
	fails 2 "-O write=yes: name the blocks that may be overwritten: -O \
blocks=FIRST:LAST" bw_rd -d nvme:77:00.0 -O write=yes
}

@test "benches they do not have" {
	wrong "-d 'edu:77:00.0': edu cannot measure" bw_rd -d edu:77:00.0
	wrong "-d 'nvme:77:00.0': nvme cannot measure" lat_rd -d nvme:77:00.0
}
