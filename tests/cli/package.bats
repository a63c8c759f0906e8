#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The installed files, and the targets of make.

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_TMPDIR" || exit
}

@test "news and packages have the version of config.mk, and its date" {
	local version day

	cd "$TOP" || return
	version=$(sed -n 's/^VERSION *= *//p' config.mk)
	[[ "$(sed -n '/^## /{s/^## //p;q}' NEWS.md)" =~ ^"$version, "[-0-9]{10}$ ]]
	day=${BASH_REMATCH[0]#*, }
	[[ "$(head -n 1 debian/changelog)" = "pcb-tools ($version) unstable;"* ]]
	[[ "$(sed -n '/^ -- /{p;q}' debian/changelog)" = *", $(LC_ALL=C \
		date -u -d "$day" +'%d %b %Y') "* ]]
	[ "$(sed -n 's/^Version: *//p' rpm/pcb-tools.spec)" = "$version" ]
	grep -q "^\* $(LC_ALL=C date -u -d "$day" +'%a %b %d %Y') .* $version-1\$" \
		rpm/pcb-tools.spec
	[ "$(sed -n 's/^version: //p; s/^date-released: //p' CITATION.cff |
		paste -sd ' ')" = "$version $day" ]
}

@test "make help lists every target that has a text" {
	make -s -C "$TOP" help | awk '{ print $1 }' >listed
	sed -n 's/^\([^ :]*\):.* ## .*/\1/p' "$TOP/Makefile" | diff - listed
}

@test "make prints a short line for each step" {
	[ "$(command -v pcb-collect)" = "$TOP/bin/pcb-collect" ] ||
		skip "these are not the programs of make"
	output=$(make --no-print-directory -C "$TOP" V=0 BUILD="$PWD/build" \
		"$PWD/build/common/base/utf8.o")
	[ "$output" = "CC src/common/base/utf8.c" ]
}

@test "unit tests of a tree with a blank in its path" {
	mkdir "a b"
	ln -s "$TOP"/* "a b"
	rm -f "a b/build"
	make -C "a b" -n check-unit-common/stream/table | tail -n 2 |
		grep -F " \"$PWD/a b/build/unit/common/stream/table\""
}

@test "installed and uninstalled: programs, pages, tables, completion" {
	[ "$(command -v pcb-collect)" = "$TOP/bin/pcb-collect" ] ||
		skip "these are not the programs of make"
	make -s -C "$TOP" install DESTDIR="$BATS_TEST_TMPDIR/a b" PREFIX=/usr
	# pcb-plot embeds its templates.
	cd "$BATS_TEST_TMPDIR/a b/usr"
	(cd "$TOP" && find share/pcb-tools man experiments -type f \
		! -path 'experiments/results/*' ! -path 'experiments/gpu/*' ! -name '*.gp' |
		sed -E 's|^man/(.*)\.([1-9])|share/man/man\2/\1.\2|
			s|^experiments|share/pcb-tools/&|'
	for page in "$TOP"/man/pcb-*.1; do
		program=$(basename "$page" .1)
		[ "$program" != pcb-experiments ] || continue # a script
		echo "bin/$program"
		echo "share/bash-completion/completions/$program"
		echo "share/fish/vendor_completions.d/$program.fish"
	done
	echo bin/pcb-experiments
	(cd "$TOP" && printf 'share/doc/pcb-tools/%s\n' README.md NEWS.md \
		doc/* examples/*/*)
	echo share/fish/vendor_completions.d/pcb-tools.fish
	echo share/zsh/site-functions/_pcb-tools
	echo share/bash-completion/completions/pcb-tools) | sort >../wanted
	find . ! -type d | sed 's|^\./||' | sort | diff ../wanted -
	make -s -C "$TOP" uninstall DESTDIR="$BATS_TEST_TMPDIR/a b" PREFIX=/usr
	[ "$(find . ! -type d)" = "" ]
}

# has WHAT PATTERN: readelf's output for the program has a matching line.
has() {
	grep -q -E "$2" elf || {
		echo "$binary: no $1"
		return 1
	}
}

@test "installed programs are hardened" {
	[ "$(command -v pcb-collect)" = "$TOP/bin/pcb-collect" ] ||
		skip "these are not the programs of make"
	[ "${FLAGS_GIVEN:-}" = "" ] || skip "the flags are not those of config.mk"
	command -v readelf >/dev/null || skip "readelf is not installed"
	make -s -C "$TOP" install DESTDIR="$PWD/root" PREFIX=/usr
	for page in "$TOP"/man/pcb-*.1; do
		[ "${page##*/}" != pcb-experiments.1 ] || continue # a script
		binary=root/usr/bin/$(basename "$page" .1)
		readelf -W -h -l -d --dyn-syms "$binary" >elf
		has PIE 'Type: +DYN'
		has 'stack that is not executable' 'GNU_STACK .* RW +0x'
		has RELRO 'GNU_RELRO'
		has 'early binding' 'FLAGS.*NOW'
		has 'stack protector' ' UND __stack_chk_fail'
		has 'checked functions' ' UND __[a-z]+_chk@'
	done
}

# flags_of VARIABLE=VALUE...: make's commands that compile and link a program.
flags_of() {
	make -C "$TOP" -n -B V=1 BUILD=build/none BIN=build/none/bin "$@" \
		build/none/bin/pcb-stats >commands
	grep -e ' src/stats/main.c$' commands >compiled
	grep -A 1 -e ' -o build/none/bin/pcb-stats' commands >linked
}

@test "flags of a packager take the place of ours" {
	flags_of
	grep -e '-O2 .*-fstack-protector-strong' compiled
	grep -e '-pie -Wl,-z,relro,-z,now' linked
	flags_of CFLAGS='-Os -flto' CPPFLAGS=-DNDEBUG LDFLAGS=-Wl,-O1
	grep -e '-DNDEBUG -Os -flto ' compiled
	grep -e '-Os -flto .*-Wl,-O1 ' linked
	run -1 grep -E -e '-fstack|FORTIFY|-O2|-pie|relro' compiled linked
	flags_of HARDEN=
	grep -e ' -O2 -g ' compiled
	run -1 grep -E -e '-fstack|FORTIFY' compiled linked
}

@test "installed experiments write to the current directory" {
	[ "$(command -v pcb-collect)" = "$TOP/bin/pcb-collect" ] ||
		skip "these are not the programs of make"
	command -v gnuplot >/dev/null || skip "gnuplot is not installed"
	make -s -C "$TOP" install DESTDIR="$PWD/root" PREFIX=/usr
	find root | sort >before
	root/usr/bin/pcb-experiments miller-table4
	[ -s results/sim/miller-table4.svg ]
	find root | sort | diff before -
	run -2 make -C root/usr/share/pcb-tools/experiments miller-table4
	[[ "$output" == *"run pcb-experiments in another directory"* ]]
}

@test "apropos finds the pages by latency and by bandwidth" {
	local makewhatis=/usr/sbin/makewhatis

	[ -x $makewhatis ] || skip "mandoc has no makewhatis here"
	mkdir -p man/man1 man/man5 man/man7
	for page in "$TOP"/man/*; do
		cp "$page" "man/man${page##*.}"
	done
	$makewhatis "$PWD/man"
	for word in latency bandwidth; do
		mapropos -M "$PWD/man" "$word" >found
		for page in pcb-collect pcb-stats pcb-diff pcb-plot pcb-tools; do
			grep -q "^$page" found
		done
	done
}
