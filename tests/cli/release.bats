#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What users install: the tarball and the packages, built from the commit, each
# installed into a root directory of its own and run there. Compiled without
# optimisation, to save time.

load helpers

setup() {
	cd "$BATS_TEST_TMPDIR" || exit
	[ -e "$TOP/.git" ] || skip "this is no checkout of git"
	[ "$(command -v pcb-collect)" = "$TOP/bin/pcb-collect" ] ||
		skip "these are not the programs of make"
	built=$BATS_FILE_TMPDIR/build/release
	version=$(sed -n 's/^VERSION *= *//p' "$TOP/config.mk")
}

needs() {
	needs_program "$@"
	unshare -rm true 2>/dev/null || skip "needs unshare"
}

# builds TARGET [NAME=VALUE]...
builds() {
	make -C "$TOP" "$1" BUILD="$BATS_FILE_TMPDIR/build" "${@:2}" >log 2>&1 ||
		{ tail -n 20 log && false; }
}

# new_root: the directory `root`, in which programs of this machine find their
# files as before.
new_root() {
	local dir

	mkdir -p root/{host,tmp,usr/bin,usr/lib}
	ln -s host/{dev,etc,proc,sbin,sys} usr/{bin,lib} root
	for dir in usr/bin usr/lib; do
		find -H /$dir -mindepth 1 -maxdepth 1 ! -name 'pcb-*' \
			-printf '../../host%p\0' | xargs -0 ln -s -t root/$dir
	done
	[ ! -e /lib64 ] || ln -s host/lib64 root
}

# in_root COMMAND...: as root of the directory `root`, which has a package's
# files and, only for reading, all of this machine.
in_root() {
	unshare -rm sh -ec 'mount --rbind / root/host
		mount -o remount,bind,ro root/host
		exec chroot root env -C /tmp AUTOPKGTEST_TMP=/tmp PATH=/usr/bin \
			"$@"' - "$@"
}

# works: what is installed in `root`.
works() {
	local program

	for program in "$TOP"/bin/pcb-*; do
		program=${program##*/}
		[ "$program" != pcb-experiments ] || continue # a script
		[ "$(in_root "/usr/bin/$program" --version)" = "$program $version" ]
	done
	[ "$(cd root/usr/bin && echo pcb-*)" = "$(cd "$TOP/bin" && echo pcb-*)" ]
	[ "$(find root/usr/share/man -name 'pcb-*' | sed 's|.*/||; s/\.gz$//' |
		sort)" = "$(cd "$TOP/man" && printf '%s\n' *)" ]
	in_root sh "/host$TOP/debian/tests/pipe" >log 2>&1 ||
		{ tail -n 20 log && false; }
}

# removed: nothing is left of it.
removed() {
	[ "$(find root/usr ! -type d ! -type l)" = "" ]
}

@test "the package of Debian, without findings of lintian" {
	needs dpkg-buildpackage dh lintian
	DEB_BUILD_OPTIONS='noopt noautodbgsym parallel=2' builds deb
	run lintian --allow-root --display-info --fail-on warning,info \
		--suppress-tags hardening-no-fortify-functions "$built"/*.changes
	[[ "$status$output" = 0 ]] || { echo "$output" && false; }
	new_root
	mkdir -p root/var/lib/dpkg/{info,updates}
	touch root/var/lib/dpkg/status
	package=("$built"/pcb-tools_"$version"_*.deb)
	PATH=$PATH:/usr/sbin:/sbin unshare -r dpkg --root="$PWD/root" \
		--force-depends -i "${package[0]}" >log 2>&1 || { cat log && false; }
	works
	PATH=$PATH:/usr/sbin:/sbin unshare -r dpkg --root="$PWD/root" \
		-P pcb-tools >log 2>&1 || { cat log && false; }
	removed
}

@test "the tarball passes its tests without git" {
	tree=$built/pcb-tools-$version
	[ -e "$tree/bin/pcb-stats" ] || skip "needs the package of Debian"
	mkdir bin
	printf '#!/bin/sh\nexit 1\n' >bin/git
	chmod +x bin/git
	[ ! -e "$tree/.git" ]
	# What the package was built with stays.
	env -i PATH="$PWD/bin:/usr/local/bin:/usr/bin:/bin" make -C "$tree" \
		check-unit-common/stream/table check-cli-output \
		>log 2>&1 || { tail -n 20 log && false; }
	run -1 grep -E '^(CC|LD) (src|bin)/' log
}

@test "the package for rpm" {
	needs rpmbuild rpm
	builds rpm RPMFLAGS="--define 'build_cflags -O0' --define 'build_ldflags -pie'"
	new_root
	package=("$built"/pcb-tools-"$version"-1*.rpm)
	unshare -r rpm --root "$PWD/root" --nodeps -i "${package[0]}"
	works
	unshare -r rpm --root "$PWD/root" --nodeps -e pcb-tools
	removed
}
