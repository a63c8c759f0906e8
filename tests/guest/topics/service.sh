# SPDX-License-Identifier: GPL-2.0-or-later
# alone
# plain
#
# The service of examples/systemd, run by systemd as the guest's first process.
# shellcheck shell=dash disable=SC2154

bdf=0000:01:00.0
unit=pcb-nvme@$bdf
units=/etc/systemd/system

# boot: systemd, with this service and the targets that every service needs.
boot() {
	mkdir -p $units /var/lib /var/tmp
	cp /guest/examples/* $units/
	for target in sysinit basic shutdown default; do
		echo '[Unit]' >$units/$target.target
		echo 'DefaultDependencies=no' >>$units/$target.target
	done
	mount -t cgroup2 cgroup2 /sys/fs/cgroup
	mount -t tmpfs tmpfs /run
	echo /usr/bin/env container=guest /usr/bin/systemd --system >/first
	await 120 test -S /run/systemd/private
}

manage() {
	/usr/bin/systemctl "$@"
}

# drop_in LINE...: adds lines to the service.
drop_in() {
	mkdir -p $units/pcb-nvme@.service.d
	printf '%s\n' '[Service]' "$@" >$units/pcb-nvme@.service.d/test.conf
	manage daemon-reload
}

need_systemd() {
	[ -x /usr/bin/systemctl ] || skip "systemd is not installed"
	pidof systemd || boot
}

measures() {
	need_systemd
	manage start $unit || {
		manage status $unit
		return 1
	}
	cp /var/lib/pcb-tools/$bdf.csv out
	tail -n 1 out | grep -x '# end: rows=10000 complete=yes.*'
	[ "$(key driver <out)" = "$(parent_of $bdf)=pcieport $bdf=vfio-pci" ]
	unchanged $bdf nvme
	[ ! "$(ls /run/pcb-tools)" ]
}
check "a service measures a disk and gives it back" measures

is_ended() {
	manage is-active $unit | grep -x -e inactive -e failed
}

killed() {
	need_systemd
	drop_in ExecStart= "ExecStart=/usr/bin/pcb-collect lat_nvme \
-d nvme:$bdf -O unbind=yes -n 1000G -o /dev/null"
	for signal in TERM KILL; do
		manage start --no-block $unit
		await 120 has_device
		manage kill --signal $signal --kill-who all $unit
		await 120 is_ended
		unchanged $bdf nvme
		[ ! "$(ls /run/pcb-tools)" ]
	done
}
check "all of a service is killed: the disk is given back" killed

# refused WHAT COMMAND: fails within the service.
refused() {
	drop_in ExecStart= "ExecStart=-/bin/sh -c '$1 && \
touch /var/lib/pcb-tools/done; touch /var/lib/pcb-tools/ran'"
	rm -f /var/lib/pcb-tools/*
	manage start $unit
	[ -e /var/lib/pcb-tools/ran ]
	[ ! -e /var/lib/pcb-tools/done ]
}

sandboxed() {
	need_systemd
	refused 'touch /usr/file'
	refused 'cat /dev/mem'
	refused 'mount -t tmpfs tmpfs /mnt'
	refused 'ip link add v0 type veth'
	refused 'chown 1 /var/lib/pcb-tools/ran'
	! refused 'true'
}
check "a service may do no more than it needs" sandboxed
