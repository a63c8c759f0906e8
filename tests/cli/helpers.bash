# SPDX-License-Identifier: GPL-2.0-or-later
# Shared by several test files.
# shellcheck shell=bash disable=SC2034

bats_require_minimum_version 1.5.0

# Warnings of pcb-collect about the machine, not the run: every measurement
# under a hypervisor or in a container has them.
known_notices='^pcb-collect: (this machine is virtual|failed: |the rate '
known_notices+='of .* varies|.* is not sysfs: |no device found '
known_notices+='here that can measure .* simulated$)'

# Of files without a setup of their own.
setup() {
	cd "$BATS_TEST_TMPDIR" || exit
}

# needs_program PROGRAM...: skips the test if one of them is missing.
needs_program() {
	local program

	for program; do
		command -v "$program" >/dev/null ||
			skip "$program is not installed"
	done
}

# tests PROGRAM [OPTION...]: the command that the functions below run.
tests() {
	program=("$@")
}

# try COMMAND...: sets status, output, lines and stderr as `run
# --separate-stderr` of bats does, but faster: that starts programs of its own.
try() {
	local flags=$- said=$BATS_TEST_TMPDIR/.said

	set +eET
	("$@") >"$said.out" 2>"$said.err"
	status=$?
	output=$(<"$said.out")
	stderr=$(<"$said.err")
	IFS=$'\n' read -d '' -r -a lines <"$said.out"
	BATS_RUN_COMMAND=$*
	set "-$flags"
}

# runs COMMAND...: as `try`, and it must succeed.
runs() {
	try "$@"
	[ "$status" = 0 ] || show 'status 0'
}

# show WANTED: prints what a failed test got instead.
show() {
	printf 'ran: %s\nwanted: %s\ngot (status %s):\n%.2000s\n' \
		"$BATS_RUN_COMMAND" "$1" "$status" "$output"
	printf 'and on stderr:\n%s\n' "$stderr"
	return 1
}

# is STATUS STDOUT STDERR [INPUT]: checks the last run; prints it, and INPUT if
# given, if it differs. The messages of a failure begin as STDERR does, in as
# many lines.
is() {
	local more=

	[ "$1" -lt 2 ] || more=${stderr:${#3}}
	[[ $status = "$1" && $output = "$2" && $stderr = "$3$more" &&
		$more != *$'\n'* ]] && return
	[ $# -lt 4 ] || printf 'input: %q\n' "$4"
	show "(status $1)
$2
and on stderr:
$3"
}

# given INPUT ARGUMENT...: runs the program with INPUT, a printf format, on
# stdin and in the file `input`.
given() {
	printf -- "$1" >input
	try "${program[@]}" "${@:2}" <input
}

# gives INPUT WANTED ARGUMENT...: rows without preamble, and nothing on stderr.
# WANTED is a printf format, too.
gives() {
	local wanted

	printf -v wanted -- "$2"
	given "$1" "${@:3}" -P
	is 0 "$wanted" "" "$1"
}

# refuses INPUT MESSAGE ARGUMENT...: status 2, one message that begins so,
# nothing on stdout.
refuses() {
	given "$1" "${@:3}"
	is 2 "" "${program[0]}: $2" "$1"
}

# wrong MESSAGE ARGUMENT...: a usage error that begins so and points to the help.
wrong() {
	try "${program[@]}" "${@:2}" </dev/null
	[[ $stderr = *$'\n'"Try '${program[0]}"*" --help'." ]] || show "--help"
	stderr=${stderr%$'\n'*}
	is 2 "" "${program[0]}: $1"
}

# lists MESSAGE WORD ARGUMENT...: a usage error that lists the choices, WORD
# among them.
lists() {
	try "${program[@]}" "${@:3}" </dev/null
	[[ "$status$output" = 2 &&
		"$stderr" = "${program[0]}: $1; there are:"$'\n'* &&
		"$stderr" = *$'\n'"  $2 "*"Try '${program[0]} --help'." ]] ||
		show "$1 and a list with $2"
}

# needs_room ARGUMENT...: reads the file `input`; lost output is an error,
# reported after the usual messages.
needs_room() {
	"${program[@]}" "$@" <input >/dev/null 2>said || :
	echo "${program[0]}: stdout: No space left on device" >>said
	try bash -c '"$@" <input >/dev/full' - \
		"${program[@]}" "$@"
	is 2 "" "$(cat said)"
}

# outlives_one_sigint FIRST REST WANTED ARGUMENT...: while REST is still to come
# through a pipe, a SIGINT changes nothing, and a second one kills without a
# row. All three are printf formats.
outlives_one_sigint() {
	local signals wanted=("" "$3\n" "")

	needs_own_handlers
	mkfifo pipe
	for signals in 1 2; do
		status=0
		env --default-signal=INT "${program[@]}" "${@:4}" pipe >out \
			2>err 3>&- &
		exec 4>pipe
		printf -- "$1" >&4
		wait_for_handler "${program[0]}" $! 1
		kill -INT $!
		wait_for_handler "${program[0]}" $! 0
		if [ "$signals" = 1 ]; then
			printf -- "$2" >&4
		else
			kill -INT $!
		fi
		exec 4>&-
		wait $! || status=$?
		[ "$status" = $((signals == 1 ? 0 : 130)) ] || show "$signals"
		printf -- "${wanted[signals]}" | cmp - out
	done
}

# collect ARGUMENT...: sets status, output, stderr and lines of pcb-collect.
collect() {
	try pcb-collect "$@"
}

# collects ARGUMENT...: the same, and it must succeed.
collects() {
	runs pcb-collect "$@"
}

# but_notices: writes the last run's stderr without known notices to `rest`.
but_notices() {
	local line

	rest=
	while IFS= read -r line; do
		[[ $line =~ $known_notices ]] || rest+=$line$'\n'
	done <<<"$stderr"
	rest=${rest%$'\n'}
}

# fails STATUS MESSAGE ARGUMENT...: one message that begins so, after known
# notices, and nothing on stdout.
fails() {
	local rest

	try "${program[@]}" "${@:3}"
	but_notices
	stderr=$rest
	is "$1" "" "pcb-collect: $2"
}

# quiet: whether stderr has only known notices.
quiet() {
	local rest

	but_notices
	[ "$rest" = "" ] || show "no such message: $rest"
}

# wait_for_handler PROGRAM PROCESS CATCHES: waits until the process is that
# program and catches SIGINT (1) or does not (0), at most 5 seconds.
wait_for_handler() {
	local tries=0 name caught

	until name=$(<"/proc/$2/comm") && [ "$name" = "$1" ] &&
		caught=$(<"/proc/$2/status") &&
		caught=${caught#*SigCgt:[[:space:]]} &&
		[ $((0x${caught%%$'\n'*} >> 1 & 1)) = "$3" ]; do
		((++tries < 500)) || return 1
		sleep 0.01
	done
}

# child_of PROCESS PROGRAM: the ID of its child process that runs PROGRAM.
child_of() {
	local child name

	for child in $(<"/proc/$1/task/$1/children"); do
		read -r name <"/proc/$child/comm" || continue
		[ "$name" != "$2" ] || echo "$child"
	done
}

# nest TREE DIRECTORY BDF...: moves functions below each other, from this one of
# TREE/sys/devices on, as the kernel has them.
nest() {
	local at=$1/sys/devices/$2 bdf

	for bdf in "${@:3}"; do
		mkdir -p "$at"
		mv "$1/sys/bus/pci/devices/$bdf" "$at"
		at+=/$bdf
		ln -s "../../../${at#"$1/sys/"}" "$1/sys/bus/pci/devices"
	done
}

# needs_data: skips without the published data; `data` is their directory.
needs_data() {
	data=${PCB_TEST_DATA:-}
	[ "$data" ] || skip "PCB_TEST_DATA is not set"
}

# poke FILE OFFSET BYTES: BYTES is printf's format.
poke() {
	printf "$3" | dd of="$1" bs=1 seek=$(($2)) conv=notrunc status=none
}

# needs_own_handlers: skips if an emulator catches signals instead of the
# program.
needs_own_handlers() {
	[ "${EMULATED:-}" = "" ] || skip "$EMULATED has handlers of its own"
}

# column NAME <STREAM: the fields of a column, one per line (no quoted ones).
column() {
	awk -F, -v name="$1" '
	/^#/ { next }
	!at { for (i = 1; i <= NF; i++) if ($i == name) at = i; next }
	{ print $at }'
}

# wait_for_bytes FILE N: waits until the file has N bytes, at most 10 seconds.
wait_for_bytes() {
	local tries=0

	until [ "$(stat -c %s "$1" 2>/dev/null || echo 0)" -ge "$2" ]; do
		((++tries < 1000)) || return 1
		sleep 0.01
	done
}

# watched_awk DIRECTORY: an awk that records, in the file `commas`, locales in
# which it may read decimal commas; sets such a locale.
watched_awk() {
	cat >"$1/awk" <<-END
	#!/bin/sh
	[ "\$LC_ALL" = C ] || echo "\$*" >>$PWD/commas
	exec $(command -v awk) "\$@"
	END
	chmod +x "$1/awk"
	export LC_ALL=de_DE.UTF-8
}

# A tree like / ----------------------------------------------------------

# put OFFSET BYTE...: into the current config space.
put() {
	local at=$1 byte

	for byte in "${@:2}"; do
		config[at++]=$((byte))
	done
}

put16() {
	put "$1" "($2) & 255" "($2) >> 8"
}

# The PCI Express capability at 0x40, 7.5.3 of version 5.0, for a port type.
put_express() {
	put16 0x06 0x0010
	put 0x34 0x40
	put 0x40 0x10 0
	put16 0x42 "2 | $1 << 4"
	put16 0x48 "${word[mps]} << 5 | ${word[mrrs]} << 12 | ${word[tag8]} << 8"
	put16 0x50 "${word[aspm]} | ${word[rcb]} << 3"
	put16 0x52 "${word[gen]} | ${word[lanes]} << 4"
	put16 0x68 "${word[tag10]} << 12"
	put16 0x72 "${word[flit]} << 10"
}

# Advanced Error Reporting at 0x100, 7.8.4; 1 lets the device send ECRC.
put_errors() {
	put 0x100 0x01 0x00 0x01 0x00
	put16 0x118 "$1 << 6"
}

# Device 3 at 0x100, or after AER at 0x150; 1 is for 14-bit tags.
put_device3() {
	local at=0x100

	if [ "${word[ecrc]:-}" ]; then
		put 0x102 0x01 0x15
		at=0x150
	fi
	put $at 0x2f 0x00 0x01 0x00
	put16 $((at + 8)) "$1 << 2"
}

put_bridge() {
	put 0x0a 0x04 0x06
	put 0x0e 1
	put 0x19 "${word[first]}" "${word[last]}"
}

# Escapes of printf for 4096 bytes of 0.
printf -v zeroes '\\0000%.0s' {1..4096}

# write_config FILE SIZE
write_config() {
	local i byte at=0 text=

	for i in "${!config[@]}"; do
		printf -v byte '\\0%03o' "${config[i]}"
		text+=${zeroes:0:5 * (i - at)}$byte
		at=$((i + 1))
	done
	text+=${zeroes:5 * at}
	printf %b "${text:0:5 * $2}" >"$1"
}

# fake_function TREE BDF KIND [NAME=NUMBER]...: the files of a function, in its
# directory, of one of the kinds below. Names: first and last bus below a bridge; gen, lanes, mps
# and mrrs (codes: 0 is 128 bytes), rcb (1 is 128 bytes), aspm (bit 0 L0s, bit 1
# L1), flit, tag8 and tag10 (tags of 8 and 10 bits); ecrc and tag14, 0 or 1 with
# a capability for it; size of the config file (an ordinary user sees 64);
# atOFFSET, a 16-bit word.
fake_function() {
	local dir=$1/sys/bus/pci/devices/$2 kind=$3 setting config=()
	local -A word=([gen]=3 [lanes]=8 [mps]=0 [mrrs]=2 [rcb]=0 [aspm]=0
		[flit]=0 [tag8]=0 [tag10]=0 [first]=0 [last]=0)

	for setting in "${@:4}"; do
		word[${setting%%=*}]=${setting#*=}
	done
	put 0x00 0x86 0x80 0x34 0x12
	put 0x08 0x01 0x00 0x00 0x02
	case $kind in
	endpoint) put_express 0 ;;
	root) put_express 4 ;;
	upstream) put_express 5 ;;
	downstream) put_express 6 ;;
	pci-bridge) put_express 7 ;;
	pcie-bridge) put_express 8 ;;
	rciep) put_express 9 ;;
	bridge | conventional) ;;
	*) return 1 ;;
	esac
	case $kind in
	root | upstream | downstream | *bridge) put_bridge ;;
	esac
	[ "${word[ecrc]:-}" = "" ] || put_errors "${word[ecrc]}"
	[ "${word[tag14]:-}" = "" ] || put_device3 "${word[tag14]}"
	for setting in "${!word[@]}"; do
		[[ $setting != at* ]] ||
			put16 "0x${setting#at}" "${word[$setting]}"
	done
	write_config "$dir/config" "${word[size]:-4096}"
	echo 0x8086 >"$dir/vendor"
	echo 0x1234 >"$dir/device"
	printf '0x%02x%02x00\n' "${config[11]}" "${config[10]}" >"$dir/class"
	echo 0 >"$dir/irq"
	printf '0x0 0x0 0x0\n%.0s' 1 2 3 4 5 6 7 >"$dir/resource"
}

# fake_tree TREE [NAME=NUMBER]...: one function per line of stdin; arguments
# apply to all.
fake_tree() (
	# bats traces every command, which takes ten times as long as this.
	set +T
	trap - DEBUG
	mapfile -t functions
	directories=("${functions[@]%% *}")
	mkdir -p "$1/run" "${directories[@]/#/$1/sys/bus/pci/devices/}"
	for function in "${functions[@]}"; do
		read -ra words <<<"$function"
		fake_function "$1" "${words[@]}" "${@:2}" || exit
	done
)

# print_tree TREE: config files in the format of lspci -xxxx.
print_tree() {
	local files=("$1"/sys/bus/pci/devices/*/config)

	{
		stat -c '%s %n' "${files[@]}"
		od -v -An -tx1 "${files[@]}"
	} | awk '
	NR == 1 || /\// {
		size[++n] = $1
		sub(/\/config$/, "", $2)
		sub(/.*\//, "", $2)
		name[n] = $2
		next
	}
	{
		for (i = 1; i <= NF; i++) {
			if (!at)
				print name[++f] " Made by hand"
			if (at % 16 == 0)
				printf "%02x:", at
			printf " %s", $i
			if (++at % 16 == 0 || at == size[f])
				print ""
			if (at == size[f]) {
				at = 0
				print ""
			}
		}
	}'
}

# tree [NAME=NUMBER]...: writes the functions on stdin to the file `dump`.
tree() {
	rm -rf tree
	fake_tree tree "$@"
	print_tree tree >dump
}

# A switch with an endpoint below each of its ports, a conventional bus, an
# integrated endpoint, a function on the next bus number (SR-IOV), and a second
# domain that repeats the bus numbers of the first.
example_tree() {
	fake_tree "$@" <<-'EOF'
	0000:00:00.0 conventional
	0000:00:01.0 root first=1 last=6 gen=4 lanes=16 aspm=2
	0000:00:1f.0 rciep gen=1 lanes=1
	0000:01:00.0 upstream first=2 last=6 gen=4 lanes=16 mps=1 aspm=2
	0000:02:00.0 downstream first=3 last=4
	0000:02:01.0 downstream first=5 last=6
	0000:03:00.0 endpoint gen=3 lanes=8 mps=1 mrrs=2 ecrc=1
	0000:04:10.0 endpoint gen=0 lanes=0
	0000:05:00.0 pci-bridge first=6 last=6 gen=1 lanes=1 ecrc=0
	0000:06:03.0 conventional
	0001:00:01.0 root first=1 last=1
	0001:01:00.0 endpoint gen=5 lanes=4 mps=2 mrrs=5 rcb=1
	EOF
}

# rdma_tree DIRECTORY: the same, with the RDMA device mlx5_0, eth0, at 03:00.0;
# its two ports have one GID each.
rdma_tree() {
	local device=$1/sys/class/infiniband/mlx5_0 port

	example_tree "$1"
	mkdir -p "$device" "$1/dev/infiniband" \
		"$1/sys/bus/pci/devices/0000:03:00.0/net/eth0"
	ln -s ../../../bus/pci/devices/0000:03:00.0 "$device/device"
	: >"$1/dev/infiniband/uverbs0"
	for port in "$device"/ports/{1,2}; do
		mkdir -p "$port/gids" "$port/gid_attrs/types"
		echo 0000:0000:0000:0000:0000:0000:0000:0000 |
			tee "$port"/gids/{0,1,2} >/dev/null
		echo 0000:0000:0000:0000:0000:ffff:0a00:0001 >"$port/gids/3"
		echo 'RoCE v2' >"$port/gid_attrs/types/3"
	done
}

# own_tree: copies the tree of setup_file to the directory of this test.
own_tree() {
	cp -r "$BATS_FILE_TMPDIR/tree" tree
}

# The warning about counts from a tree.
no_sysfs='pcb-collect: tree/sys is not sysfs: rows are marked '"'virtual'"

# pmu NAME TYPE CPUMASK [FIELD=FORMAT]...: a PMU in the directory `tree`.
pmu() {
	local dir=tree/sys/bus/event_source/devices/$1 field

	mkdir -p "$dir/format"
	echo "$2" >"$dir/type"
	echo "$3" >"$dir/cpumask"
	for field in "${@:4}"; do
		echo "${field#*=}" >"$dir/format/${field%%=*}"
	done
}

# cpu MODEL: the CPU of the tree, in the format of the kernel.
cpu() {
	mkdir -p tree/sys/devices/system/cpu/cpu0/topology
	echo "cpu:type:$1:feature:,0000,0001" >tree/sys/devices/system/cpu/modalias
	echo 1 >tree/sys/devices/system/cpu/cpu0/topology/physical_package_id
}
