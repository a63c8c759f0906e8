# SPDX-License-Identifier: GPL-2.0-or-later
# pcb-model on the links of real functions, compared with lspci.
# shellcheck shell=dash disable=SC2154

# agree STATUS PREFIX ARGUMENT...: with --device, the link of each function in
# the file wanted must be that of lspci, or refused with this status.
agree() {
	refusal=$1 prefix=$2
	shift 2
	while IFS=, read -r bdf link <&4; do
		run pcb-model link -P "$@" --device "$bdf"
		[ "$(column link <out)" = "$link" ]
		if [ "$link" ]; then
			gives 0
		else
			gives "$refusal" "$(tail -n 1 err)"
			grep -qF "pcb-model: $prefix$bdf: " err
		fi
	done 4<wanted
}

every_link() {
	links >wanted
	[ "$(cut -d, -f1 wanted)" = "$(functions)" ]
	agree 3 ''
}
check "--device of every function: the link of lspci, or none" every_link

no_rights() {
	run pcb-model bw_rd -P --device 01:00.0 --mps 256 --mrrs 512 --rcb 64
	gives 0
	mv out by_root
	run user pcb-model bw_rd -P --device 01:00.0
	gives 0
	grep "only root may read MPS" err
	# All but the link and, at the end, tags.
	cut -d, -f4-21 by_root >rest
	cut -d, -f4-21 out | diff rest -
	run user pcb-model bw_rd --device 07:00.0
	gives 3
	[ ! -s out ]
	run user pcb-model link --device 0c:00.0
	gives 3
}
check "an ordinary user is told who may" no_rights
