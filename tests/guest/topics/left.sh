# SPDX-License-Identifier: GPL-2.0-or-later
# What remains of a disk that does not come back; two runs at a time.
# shellcheck shell=dash disable=SC2154

bdf=0000:01:00.0

has_name() {
	[ -e "/sys/block/$1" ]
}

# What only a ring holds is not seen; the kernel then names the disk anew.
renamed() {
	disk=$(disk_of $bdf)
	lost="pcb-collect: $devices/$bdf/nvme/nvme*/$disk/nsid: the disk has \
not come back under this name: look for its new name in /sys/block"
	echo mq-deadline >"/sys/block/$disk/queue/scheduler"
	holder ring "/dev/$disk" >held &
	holder=$!
	await 10 test -s held
	run pcb-collect lat_nvme -d nvme:$bdf -O unbind=yes -n 1
	gives 2 "$lost"
	grep -F '[mq-deadline]' "$devices/$bdf"/nvme/nvme*/nvme*/queue/scheduler
	[ ! "$(ls /run/pcb-tools)" ]
	kill $holder
	wait $holder || :
	echo $bdf >"$devices/$bdf/driver/unbind"
	echo $bdf >/sys/bus/pci/drivers/nvme/bind
	await 10 has_name "$disk"
}
check "a disk that has another name afterwards is told" renamed

gone() {
	disk="$devices/$bdf/nvme/nvme*/nvme9n9"
	{
		printf 'driver\t%s\tnvme\tvfio-pci\t\n' "$devices/$bdf"
		printf 'lost\t%s/queue/scheduler\tkyber\tkyber\t\nend\n' "$disk"
	} >/run/pcb-tools/1-0
	run pcb-collect restore
	gives 2 "pcb-collect: /run/pcb-tools/1-0.old: nothing else can be \
restored: this is left of the record"
	grep -F "$disk/queue/scheduler: cannot restore 'kyber'" err
	run pcb-collect restore
	gives 0
	run pcb-collect lat_cfg -d $bdf -n 1
	gives 0
	! grep 'earlier run' err || false
	rm /run/pcb-tools/1-0.old
}
check "a record of a disk that is gone for good is put aside" gone

held_and_taken() {
	echo auto >"$devices/$bdf/power/control"
	start pcb-collect lat_cfg -d $bdf -n 1000G --hold power
	under_way
	first=$!
	cp out first
	status=0
	pcb-collect lat_nvme -d nvme:$bdf -O unbind=yes -n 1 >other 2>why ||
		status=$?
	[ "$status" = 3 ]
	grep "$bdf/power/control: process $first changed it" why
	[ "$(bound_to $bdf)" = nvme ]
	kill -INT $first
	finish
	gives 130
	[ "$(cat "$devices/$bdf/power/control")" = auto ]
	echo on >"$devices/$bdf/power/control"
}
check "a device that another run holds is not taken" held_and_taken
