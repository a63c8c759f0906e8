#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The tarball of `make static`: in a root directory with nothing else, its
# programs write what those of this build write. Compiled without optimisation,
# to save time.

load helpers

@test "the static programs run in an empty root directory" {
	local program source=$TOP/build/static/source

	[ "$(command -v pcb-collect)" = "$TOP/bin/pcb-collect" ] ||
		skip "these are not the programs of make"
	[ -e "$source" ] || skip "needs a source once (tools/deps static)"
	unshare -rm mount --rbind /proc /proc 2>/dev/null || skip "needs unshare"
	mkdir -p build/static root/proc root/tmp
	cp -r "$source" build/static
	make -C "$TOP" static BUILD="$PWD/build" CFLAGS=-O0 >log 2>&1 ||
		{ tail -n 20 log && false; }
	(cd build/static && sha256sum -c ./*.sha256)
	tar -C root --strip-components=1 -xzf build/static/pcb-tools-*.tar.gz
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
