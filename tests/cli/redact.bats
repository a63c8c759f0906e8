#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# pcb-doctor --redact: texts without what tells whose machine they are of.

load helpers

setup() {
	cd "$BATS_TEST_TMPDIR" || exit
}

# redacts FROM TO: the line on its own.
redacts() {
	try pcb-doctor --redact - <<<"$1"
	[ "$status $output" = "0 $2" ] || show "$2"
}

@test "each kind is replaced, and what is like it is not" {
	redacts '[140 v1] Device Serial Number 00-0d-5d-ff-ff-7f-2b-8d' \
		'[140 v1] Device Serial Number serial1'
	redacts '	[SN] Serial number: MT2116X09299 A' \
		'	[SN] Serial number: serial1'
	redacts '  Serial Number        : 0324718012345' \
		'  Serial Number        : serial1'
	redacts '<serial>0324718012345</serial>' '<serial>serial1</serial>'
	redacts '  Mobo: ASUS model: X670 serial: 22A1B33' \
		'  Mobo: ASUS model: X670 serial: serial1'
	redacts '  Serial Number        : N/A' '  Serial Number        : N/A'
	redacts 'GPU UUID : GPU-8d8c9d2e-7b1a-4b5e-9a0c-001122334455' \
		'GPU UUID : GPU-uuid1'
	redacts '-- Boot 0123456789abcdef0123456789abcdef --' '-- Boot uuid1 --'
	redacts 'a 00:0d:5d:7f:2b:8d, 00-0D-5D-7F-2B-8E b' 'a mac1, mac2 b'
	redacts 'node_guid: 0c42:a103:0065:1234' 'node_guid: mac1'
	redacts 'at 10.1.2.3/24, 10.1.2.3:80 and fe80::20d:5dff:fe7f:2b8d%eth0.' \
		'at ip1/24, ip1:80 and ip2%eth0.'
	redacts 'n12:42:43 [0] NCCL INFO Using eth0:10.1.2.3<0>' \
		'host1:42:43 [0] NCCL INFO Using eth0:ip1<0>'
	redacts 'eth0:fe80::20d:5dff:fe7f:2b8d%eth0<0>' 'eth0:ip1%eth0<0>'
	redacts 'ip=192.168.1.7::192.168.1.1:255.255.255.0:secret:eth0:off' \
		'ip=ip1::ip2:255.255.255.0:host1:eth0:off'
	redacts 'Node GUID: 0x946dae03001234ab' 'Node GUID: mac1'
	redacts 'GPU PDI   : 0x5af2ee1175917620' 'GPU PDI   : serial1'
	redacts 'WWN 0x5002538e0100a3a1' 'WWN serial1'
	redacts 'WWN Device Id: 5 002538 e0100a3a1' 'WWN Device Id: serial1'
	redacts 'nvme0: SN S6PXNX0T1234, SN850X' 'nvme0: SN serial1, SN850X'
	redacts 'MAC 3cec.ef12.3456' 'MAC mac1'
	redacts 'secret:~$ sudo lspci' 'host1:~$ sudo lspci'
	redacts 'secret:/sys/bus# ls' 'host1:/sys/bus# ls'
	redacts 'node021 login: ' 'host1 login: '
	redacts 'Host: node018.cluster.local' 'Host: host1'
	redacts 'System:    Host: carols-box Kernel: 6.1' \
		'System:    Host: host1 Kernel: 6.1'
	for same in '0000:3b:00.0 at 12:34:56 is 10de:2684:1043:88e6' \
		'Driver Version: 31.0.15.23, VBIOS version 94.2.71.40' \
		'127.0.0.1 0.0.0.0 ::1 1.2.3.4.5 std::dead' \
		'Serial: 8250/16550 driver, SerialNumber=3' \
		'GPU Fabric GUID : 0x0000000000000000' \
		'Last login: Mon Nov 2' '00:00.0 Host bridge: Intel' \
		'version 1234.5678.9012' 'see https://example.com/x' \
		'pci 0000:00:1c.0: bridge window [mem 0x0-0xf]'; do
		redacts "$same" "$same"
	done
	redacts 'Nov 12 10:11:12 box.example.com kernel: box, boxes' \
		'Nov 12 10:11:12 host1 kernel: host1, boxes'
	redacts '2024-11-12T10:11:12+01:00 box systemd[1]: x' \
		'2024-11-12T10:11:12+01:00 host1 systemd[1]: x'
	redacts 'ann@box:~$ ls' 'ann@host1:~$ ls'
	redacts 'Linux box 6.1.0-9-amd64 #1 SMP x86_64' \
		'Linux host1 6.1.0-9-amd64 #1 SMP x86_64'
	redacts '{"a":"x\nNov  2 10:11:12 box kernel: y\n00:0d:5d:7f:2b:8d"}' \
		'{"a":"x\nNov  2 10:11:12 host1 kernel: y\nmac1"}'
}

@test "several files, our rows, bytes of config space" {
	local word

	# The name stands before what says that it is one.
	printf '%s\n' 'on box7 I type' 'ann@box7:~# dmesg' >mail
	pcb-collect lat_rd -d sim -n 2 -r 2 -l host=box7 | sed 's/box7,run/run/
		s/^# constant: .*/# host: box7/; s/^run,/host,run,/
		s/^\([12]\),/box7,\1,/' | gzip >rows.gz
	tree <<-'END'
	0000:01:00.0 endpoint at100=0x0003 at102=1 at104=0xf1e2 at106=0xd3c4 at108=0xb5a6
	END
	try pcb-doctor --redact mail rows.gz dump -o out.txt
	[ "$status" = 0 ]
	[[ $stderr = *'host names 1'* ]] || show counts
	[ "$(grep -c host1 out.txt)" -ge 8 ]
	for word in box7 'host[2-9]' 'e2 f1' 'c4 d3' 'a6 b5'; do
		run ! grep -e "$word" out.txt
	done
	grep -q '^100: 03 00 01 00 00 00 00 00 00 00' out.txt
	# Nothing to read, and nothing to write.
	try pcb-doctor --redact missing
	[ "$status" = 2 ]
	try pcb-doctor --redact mail -o /dev/full
	[ "$status" = 2 ]
	# Neither its own input, nor what is no text, nor another format.
	cp mail kept
	for word in mail ./mail; do
		try pcb-doctor --redact kept mail -o $word
		[ "$status" = 2 ]
		cmp mail kept
	done
	try pcb-doctor --redact /bin/ls
	[ "$status $output" = "2 " ]
	try pcb-doctor --redact mail -f json
	[ "$status $output" = "2 " ]
}

@test "nothing is left in a line of 200 KiB without blanks" {
	awk 'BEGIN {
		for (i = 0; i < 4000; i++)
			printf "{\"serial\":\"A1B%dC\",\"mac\":\"52:54:00:Ab:34:56\"},", i + 1000
		print ""
	}' >long
	pcb-doctor --redact long >out 2>said
	! grep -oE 'A1B[0-9]|52:54' out || show "left"
	[[ $(tail -c 40 out) = *'{"serial":"serial4000","mac":"mac1"},' ]]
}

# same FILE...: the findings about the redacted file are those about the file.
same() {
	local file n=0 every=1

	# Sanitizers take five times as long.
	! grep -q __asan_init "$(command -v pcb-doctor)" || every=5
	mkdir given redacted
	for file; do
		((n++ % every == 0)) || continue
		cp "$file" given/x
		pcb-doctor --redact "$file" >redacted/x 2>said
		! cmp -s given/x redacted/x || continue
		for dir in given redacted; do
			(cd $dir && { pcb-doctor -P x || echo "$?"; } >../$dir.out 2>&1)
		done
		cmp given.out redacted.out || {
			echo "$file"
			return 1
		}
	done
}

@test "the findings are the same: listings of lspci" {
	needs_data
	same "$PCB_TEST_DATA"/lspci/*
}

@test "the findings are the same: logs, nvidia-smi, topologies" {
	needs_data
	mapfile -t files < <(find "$PCB_TEST_DATA/machines" -type f ! -name index.csv \
		! -path '*/sysfs/*')
	[ "${#files[@]}" -gt 20 ]
	same "${files[@]}"
}
