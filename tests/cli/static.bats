#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The tarball of `make static`, which needs the network once: in a root directory
# with nothing else, its programs write what those of this build write.

load helpers

@test "the static programs run in an empty root directory" {
	local packed=("$TOP"/build/static/pcb-tools-*.tar.gz) program

	[ -e "${packed[0]}" ] || skip "make static has not been run"
	unshare -rm mount --rbind /proc /proc 2>/dev/null || skip "needs unshare"
	mkdir -p root/proc root/tmp
	tar -C root --strip-components=1 -xzf "${packed[-1]}"
	ls root/share/man/man1/pcb-doctor.1 root/share/pcb-tools/nic/mlx5.csv \
		root/share/bash-completion/completions/pcb-doctor root/SOURCES
	cp "$TOP/tests/data/lspci/guest.txt" root/dump
	cp "$TOP/tests/data/import/others/copybw.txt" root/copybw
	printf '%s\n' kind,latency_ns measured,600 measured,604 >root/rows
	pcb-stats root/rows | tee root/old >root/new
	# Nothing is there, not even /proc.
	for program in root/bin/*; do
		unshare -r chroot root "${program#root}" --version
	done
	unshare -r chroot root /bin/pcb-model bw_rd gen4x16 -P >found
	pcb-model bw_rd gen4x16 -P | diff - found
	while read -r program; do
		# shellcheck disable=SC2086
		unshare -rm sh -c 'mount --rbind /proc root/proc && exec chroot root /bin/"$@"' - \
			$program >found
		# shellcheck disable=SC2086
		(cd root && $program) | diff - found
	done <<-'END'
	pcb-doctor -P -f csv --dump dump
	pcb-model nic -P -M niantic-dpdk
	pcb-import gdrcopy -P copybw
	pcb-import csv -P rows
	pcb-stats -P -f jsonl rows
	pcb-diff -P old new
	END
}
