#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The manual pages: examples run, and options match the programs.

load helpers

setup() {
	mkdir "$BATS_TEST_TMPDIR/work"
	cd "$BATS_TEST_TMPDIR/work" || exit
}

# examples PAGE: one line each, its section before a tab. An example starts with
# "$ " anywhere in the rendered page; \ at its end continues it.
examples() {
	mandoc -Tascii -O width=500 "$TOP/man/$1" | sed 's/.\x08//g' | awk '
		/^[^ ]/ { section = $0 }
		more || sub(/^ +\$ /, "") {
			line = line $0
			more = sub(/\\$/, "", line)
			if (more)
				next
			print section "\t" line
			line = ""
		}'
}

# Runs a command; sets `first` to the status of the first part of its pipe.
run_example() {
	rm -f ../first
	try bash -c "set -o pipefail
		$1
		"'status=("$?" "${PIPESTATUS[0]}")
		echo "${status[1]}" >../first
		exit "${status[0]}"' </dev/null
	first=$(cat ../first 2>/dev/null || :)
}

# succeeds SECTION COMMAND: an example on hardware may lack its device here, but
# its options must be valid. Any other has rows.
succeeds() {
	run_example "$2"
	case $status,$first,$1 in
	0,* | *,3,*HARDWARE)
		[[ $stderr != *"Try '"* ]] &&
			[[ $1 == *HARDWARE || $stderr != *', but no rows'* ]] &&
			return
		;;
	esac
	printf '%s: %s\nstatus %s: %s\n' "$1" "$2" "$status" "$stderr"
	return 1
}

# shown PAGE COMMAND: the output that the page has below the command.
shown() {
	mandoc -Tascii -O width=500 "$TOP/man/$1" | sed 's/.\x08//g' |
		COMMAND=$2 awk '
		more || sub(/^ +\$ /, "") {
			line = line $0
			more = sub(/\\$/, "", line)
			if (more)
				next
			on = line == ENVIRON["COMMAND"]
			line = ""
			next
		}
		/^ *$/ { next }
		!/^           / { on = 0 }
		on'
}

# words: drops blank lines, and makes blanks single.
words() {
	sed 's/  */ /g; s/^ //; s/ $//; /^$/d'
}

# gives_shown PAGE COMMAND: the last run's output equals the page's, if any.
gives_shown() {
	local wanted

	wanted=$(shown "$1" "$2" | words)
	[ -z "$wanted" ] || [ "$(words <<<"$output")" = "$wanted" ] || show "$wanted"
}

# needs_pci COMMAND: whether it reads PCI devices, or a file of an example
# skipped for that reason. Appends to the array `unwritten`.
needs_pci() {
	local file

	for file in lat_cfg "${unwritten[@]}"; do
		[[ $1 == *"$file"* ]] || continue
		[[ $1 == *'> '* ]] && unwritten+=("${1##*> }")
		return 0
	done
	return 1
}

# page_runs PAGE: in one directory, so that examples may build on one another.
page_runs() {
	local lines line section command no_pci='' unwritten=()

	run_example 'pcb-collect lat_cfg -n 1'
	[ "$first" != 3 ] || no_pci=1
	mapfile -t lines < <(examples "$1")
	[ "${#lines[@]}" -gt 0 ] || { echo "$1 has no examples" && return 1; }
	for line in "${lines[@]}"; do
		section=${line%%$'\t'*} command=${line#*$'\t'}
		if [ "$no_pci" ] && [[ $section != *HARDWARE ]] &&
			needs_pci "$command"; then
			echo "# no PCI device here, not run: $command" >&3
		else
			succeeds "$section" "$command"
			[[ $section == *HARDWARE ]] ||
				gives_shown "$1" "$command"
		fi
	done
}

@test "help is no stream, also without an answer" {
	output=$(pcb-stats help xyzzy 2>/dev/null | cat)
	[ -z "$output" ] || show 'nothing'
}

@test "the examples of the pages run" {
	local page

	for page in "$TOP"/man/*.[157]; do
		page=${page##*/}
		# These have tests of their own, the last one in recipes.bats.
		[[ $page != pcb-@(experiments.1|fleet.7|recipes.7) ]] || continue
		mkdir "$page"
		cd "$page" || return
		echo "$page"
		page_runs "$page"
		cd ..
	done
}

@test "the examples of pcb-import(1) with published results run" {
	local example examples

	needs_data
	command -v gnuplot >/dev/null || skip "gnuplot is not installed"
	cd "$PCB_TEST_DATA/pciebench" || exit
	mapfile -t examples < <(mandoc -Tascii -O width=500 "$TOP/man/pcb-import.1" |
		sed 's/.\x08//g' | sed -n 's/^ *\(pcb-import pciebench nfp\)/\1/p')
	[ "${#examples[@]}" = 3 ]
	for example in "${examples[@]}"; do
		run -0 bash -c "set -o pipefail; $example"
	done
}

@test "the examples of pcb-experiments(1) run" {
	command -v gnuplot >/dev/null || skip "gnuplot is not installed"
	unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES
	cp -r "$TOP/experiments" .
	rm -rf experiments/results
	mkdir tools
	cp "$TOP/tools/pcb-experiments" tools
	ln -s "$(dirname "$(command -v pcb-collect)")" bin
	PATH=$PWD/tools:$PATH
	page_runs pcb-experiments.1
	[ -s results/quick/report.html ]
	[ -s results/iotlb128/fig9.svg ]
	[ ! -e experiments/results ]
}

@test "the examples of pcb-fleet(7) run" {
	unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES
	cp -r "$TOP/experiments" .
	rm -rf experiments/results
	mkdir bin tools
	ln -s "$(dirname "$(command -v pcb-collect)")"/pcb-* bin
	cp "$TOP/tools/pcb-experiments" tools
	PATH=$PWD/tools:$PATH
	page_runs pcb-fleet.7
	grep -q '^n8,.*yes' results/sim/fleet/lat_rd.diff.csv
}

# table_options PROGRAM: its options.
table_options() {
	"$1" --completion-data - | sort -u
}

# page_options PROGRAM: the options with an entry in its page.
page_options() {
	grep '^\.It Fl ' "$TOP/man/$1.1" |
		grep -oE 'Fl (Fl )?[[:alnum:]][[:alnum:]-]*' |
		sed 's/^Fl Fl /--/; s/^Fl /-/' | sort -u
}

@test "every program has a page with just its options" {
	bin=$(command -v pcb-collect)
	for program in "${bin%/*}"/pcb-*; do
		name=${program##*/}
		diff -u --label "$name" --label "$name.1" \
			<(table_options "$program") <(page_options "$name")
	done
}

# has_entries PAGE <WORDS: whether the page has an entry for each word.
has_entries() {
	sed -n 's/^\.\(It Cm\|Ss\) //p' "$TOP/man/$1" | tr -s ' ,' '\n' | sort -u >entries
	sort -u | tee words | comm -23 - entries >missing
	[ -s words ]
	[ ! -s missing ] || { echo "$1 lacks $(xargs <missing)" && return 1; }
}

# finding_names: the names that the source gives to doctor_add.
finding_names() {
	cat "$TOP"/src/common/doctor/*.c "$TOP"/src/doctor/*.c | tr -d '\n' |
		grep -oE 'doctor_add\([^"?]*"[a-z0-9_]+"' | sed 's/.*"\(.*\)"/\1/'
}

# causes: those of pcb-model why.
causes() {
	sed '/^#/d; s/,.*//' "$TOP/share/pcb-tools/reference/causes.csv" | sed 1d
}

@test "each bench, format, command, plot, finding and cause has an entry" {
	local program

	for program in pcb-collect pcb-import pcb-model pcb-plot; do
		$program --completion-data '' | has_entries $program.1
	done
	causes | has_entries pcb-model.1
	[ -d "$TOP/src/doctor" ] || skip "the source is not here"
	finding_names | has_entries pcb-doctor.1
}

# columns: the names that the source gives to cells, and those of some rows.
columns() {
	cat "$TOP"/src/*/*.c "$TOP"/src/*/*/*.c |
		grep -oE '\b(TEXT|VALUE|COUNTED|MEASURE)\("[a-z0-9_]+"' |
		sed 's/.*"\(.*\)"/\1/'
	pcb-collect lat_rd -d sim -n 100 -r 2 >samples
	{
		grep -m 1 -v '^#' samples
		pcb-stats -P -p 5,99.9 --ci --floor --outliers 10 samples
		pcb-collect bw_rd -d sim -n 10 | pcb-stats | pcb-model --join -P
	} | grep '^[a-z_0-9,]*$' | tr ',' '\n'
}

@test "help explains each of these words, and each column" {
	local program word stem

	[ -d "$TOP/src/doctor" ] || skip "the source is not here"
	{
		for program in pcb-collect pcb-import pcb-model pcb-plot; do
			$program --completion-data '' | sed "s/^/$program /"
		done
		finding_names | sed 's/^/pcb-doctor /'
		causes | sed 's/^/pcb-model /; p; s/pcb-model/pcb-doctor/'
		columns | sed 's/^/pcb-stats /; p; s/pcb-stats/pcb-doctor/'
	} | sort -u >words
	[ "$(wc -l <words)" -gt 300 ]
	while read -r program word; do
		"$program" help "$word" >text || {
			echo "$program help $word"
			return 1
		}
		# An entry is for all percentiles and units.
		stem=$word
		[[ ! $word =~ ^(.*)_(ns|gbit_s|pct|per_s)$ ]] || stem=${BASH_REMATCH[1]}
		[[ $stem != p[0-9]* ]] || stem='p[0-9]+'
		grep -qE "(^| )${stem}[a-z_]*(,.*)?, of pcb-|^$word: " text || {
			echo "$program help $word:" && cat text
			return 1
		}
	done <words
	pcb-doctor --help mps | cmp - <(pcb-doctor help mps)
	run -2 --separate-stderr pcb-doctor help link_widht
	[[ $stderr == *link_width* ]]
}

@test "every page of ours that is referred to exists" {
	grep -ohE '^\.Xr pcb-[a-z0-9-]+ [157]' "$TOP"/man/* | sort -u >names
	while read -r _ name section; do
		[ -e "$TOP/man/$name.$section" ] || {
			echo "$name($section) is referred to"
			return 1
		}
	done <names
	[ -s names ]
}

@test "help and version are on stdout, and a help fits on a terminal" {
	local bin program

	bin=$(command -v pcb-collect)
	for program in "${bin%/*}"/pcb-*; do
		[[ $program != */pcb-experiments ]] || continue
		runs "$program" --help
		[[ $stderr = "" && $output = "Usage: ${program##*/} "* ]] || show usage
		! grep -E '.{80}' <<<"$output" || return
		"$program" -h | cmp - <("$program" --help)
		# The version may be git's for the commit.
		runs "$program" --version
		[[ $stderr = "" && $output =~ ^${program##*/}\ [0-9a-f][0-9a-z.-]+$ ]] ||
			show version
	done
	pcb-model --help | awk 'END { exit NR > 40 }'
	pcb-model why --help >text
	run -1 grep -E '.{80}|nic:|tree|sim:' text
	grep -q '^Usage: pcb-model why NUMBER' text
	grep -q '^Example: pcb-model why ' text
}

# help_defaults PROGRAM: options with a number as default in the help, and it.
help_defaults() {
	{
		"$1" --help
		[ "$1" != pcb-model ] ||
			pcb-model --completion-data '' | sed 's/$/ --help/' |
			xargs -L 1 pcb-model
	} | awk '
	/^ *(-[A-Za-z], )?--[a-z]/ {
		flush_option()
		sub(/^ *(-[A-Za-z], )?/, "")
		text = $0
		next
	}
	/^ / { text = text " " $0; next }
	{ flush_option() }
	END { flush_option() }
	function flush_option(    option) {
		option = text
		sub(/[ =].*/, "", option)
		if (option ~ /^--/ &&
		    match(text, / (\(|default )[0-9][0-9A-Za-z.,:+]*/)) {
			text = substr(text, RSTART, RLENGTH)
			gsub(/^ (\(|default )|[,:]$/, "", text)
			print option, text
		}
		text = ""
	}'
}

# page_entry PROGRAM OPTION: the option's entry in the manual page.
page_entry() {
	mandoc -Tascii -O width=500 "$TOP/man/$1.1" | sed 's/.\x08//g' |
		awk -v option="$2" '
		/^ +(-[A-Za-z], )?--[a-z]/ {
			on = match($0, option "([ ,=]|$)")
		}
		/^[A-Z]/ || /^   [A-Z]/ { on = 0 }
		on { printf "%s ", $0 }'
}

@test "defaults are the same in help and page" {
	local bin program option default entry compared=0

	bin=$(command -v pcb-collect)
	for program in "${bin%/*}"/pcb-*; do
		[[ $program != */pcb-experiments ]] || continue
		program=${program##*/}
		help_defaults "$program" >defaults
		while read -r option default; do
			# The page has the whole link instead; see pages.bats.
			[[ $program$option != pcb-model--@(gen|lanes|mps|mrrs|rcb) ]] ||
				continue
			entry=$(page_entry "$program" "$option")
			[[ $entry == *efault* &&
				$entry =~ [^0-9]"$default"([^0-9A-Za-z]|$) ]] || {
				echo "$program.1: $option has the default" \
					"$default: $entry"
				return 1
			}
			compared=$((compared + 1))
		done <defaults
	done
	echo "$compared"
	[ "$compared" -ge 12 ]
}
