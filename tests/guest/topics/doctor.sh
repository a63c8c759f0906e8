# SPDX-License-Identifier: GPL-2.0-or-later
# pcb-doctor on a real kernel's tree: no false finding, wrong settings found,
# and nothing changed.
# shellcheck shell=dash disable=SC2154

# checks: "CHECK DEVICE SURE" for each finding of the last run.
checks() {
	awk -F, '/^#/ { next } n++ { print $2, $3, $4 }' out
}

sound() {
	configs before
	run pcb-doctor
	gives 0
	[ ! -s err ]
	[ "$(key unseen <out)" = "0 functions" ]
	[ "$(key examined <out)" = "$(functions | wc -l) functions" ]
	! grep -q ,certain, out || false
	grep -q '^model,hypervisor,,by design,virtual,' out
	configs after
	diff -r before after
}
check "nothing certain, nothing written" sound

# This is the only setting for packets that QEMU can change.
stopped() {
	bdf=$(find_function 1b36:0010)
	setpci -s "$bdf" COMMAND=0:4
	run pcb-doctor "$bdf"
	setpci -s "$bdf" COMMAND=4:4
	gives 0
	checks | grep -x "command $bdf likely"
	grep -q "may not start transfers" out
	run pcb-doctor "$bdf"
	gives 0
	! checks | grep command
}
check "a driver whose device may not transfer" stopped

# Of each function: what is above it, and generation and lanes of its link.
links_of() {
	awk -F, '/^model/ { sub("/.*", "", $5); print $2, $4, $5 }' "$1"
}

no_rights() {
	run pcb-model tree -P
	gives 0
	links_of out >by_root
	run user pcb-model tree -P
	gives 0
	links_of out | diff by_root -
	grep -q gen by_root
	grep "only root may read MPS" err
	run pcb-doctor -P
	grep ,link_ out | cut -d, -f2,3 | sort >by_root
	run user pcb-doctor -P
	grep ,link_ out | cut -d, -f2,3 | grep -v link_slot | sort >by_user
	grep -v link_slot by_root | diff - by_user
	! grep -q ,certain, out || false
	grep "not examined.*MPS.*only root may read them" err
}
check "an ordinary user sees the same links, and is told the rest" no_rights

one() {
	run pcb-doctor 99:00.0
	gives 3 "pcb-doctor: 99:00.0: no such device ('pcb-collect list' shows the devices here)"
	run pcb-doctor -f table "$(find_function 1b36:0010)"
	gives 0
	grep -q "^0 certain, " out
}
check "one function, one that is not there" one
