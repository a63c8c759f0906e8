# SPDX-License-Identifier: GPL-2.0-or-later
# Output on a real terminal, by script(1).
# shellcheck shell=bash disable=SC2034

# NO_COLOR is set for one test alone.
# shellcheck disable=SC2001
load helpers
load plot

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	unset NO_COLOR
}

# on_terminal COLUMNS[xLINES] COMMAND: a shell command with all three standard
# streams on a terminal of this size, by default 24 lines.
on_terminal() {
	local rows=24

	[ "$1" = "${1#*x}" ] || rows=${1#*x}
	try script -qec "stty cols ${1%x*} rows $rows -onlcr; $2" /dev/null \
		</dev/null
	BATS_RUN_COMMAND=$2
}

@test "a filter that would wait for somebody to type shows its usage" {
	local command usage

	while IFS='|' read -r command usage; do
		on_terminal 80 "$command"
		[ "$status" = 2 ] && [ "${#lines[@]}" = 3 ] &&
			[ "${lines[0]}" = "Usage: $usage" ] &&
			[ "${lines[1]}" = "${command%% *}: no input: name a \
FILE or use a pipe ('-' reads the terminal)" ] &&
			[ "${lines[2]}" = "Try '${command%% *} --help'." ] ||
			show "$usage"
	done <<-'END'
	pcb-stats|pcb-stats [options] [FILE...]
	pcb-diff|pcb-diff [options] [FILE...]
	pcb-ddio|pcb-ddio [options] [FILE...]
	pcb-plot cdf|pcb-plot KIND [options] [FILE...]
	pcb-import csv|pcb-import [FORMAT] [options] [FILE...]
	pcb-model --join|pcb-model --join [options] [LINK] [FILE...]
	END
}

@test "a filter told to read the terminal ends with the first Ctrl-C" {
	local pid

	needs_own_handlers
	mkfifo keys
	env --default-signal=INT script -qec 'echo $$ >pid; exec pcb-stats -' \
		/dev/null <keys >/dev/null 3>&- &
	exec 4>keys
	wait_for_bytes pid 2
	pid=$(<pid)
	# Until it reads: the program has started and set its handlers.
	until [ "$(cat "/proc/$pid/comm")" = pcb-stats ] &&
		[[ $(cat "/proc/$pid/syscall") == '0 0x0 '* ]]; do
		sleep 0.01
	done
	printf '\003' >&4
	status=0
	wait $! || status=$?
	exec 4>&-
	[ "$status" = 130 ]
}

@test "samples are a table on a terminal, and rows for a reader" {
	export NO_COLOR=1
	on_terminal 200 'pcb-collect lat_rd -d sim -n 100 -l host=h'
	[ "$status" = 0 ]
	[ "$output" = "$(pcb-collect lat_rd -d sim -n 100 -l host=h |
		pcb-stats -f table)" ] || show "a table"
	on_terminal 200 'pcb-collect lat_rd -d sim -n 100 -l host=h -f csv --wide'
	[ "$(grep -v '^#' <<<"$output")" = \
		"$(pcb-collect lat_rd -d sim -n 100 -l host=h -P)" ]
	# A pipe or file is unchanged; -f table is a table there, too.
	[ "$(pcb-collect lat_rd -d sim -n 100 -l host=h -f table)" = \
		"$(pcb-collect lat_rd -d sim -n 100 -l host=h |
			pcb-stats -f table)" ]
	# One message about a missing device, and its status.
	on_terminal 200 'pcb-collect lat_cfg -d ff:1f.7'
	[ "$status" = 3 ]
	[ "$(grep -v -c 'this machine is virtual' <<<"$output")" = 1 ]
}

@test "the table of samples is made by the pcb-stats beside the program" {
	mkdir alone
	cp "$(command -v pcb-collect)" alone
	on_terminal 200 "PATH=/usr/bin:/bin alone/pcb-collect lat_rd -d sim -n 9"
	[ "$status" = 3 ]
	[ "$output" = "pcb-collect: pcb-stats, which makes the table, cannot \
be run (No such file or directory): -f csv writes the rows" ] || show "that"
	printf '#!/bin/sh\ncat >/dev/null; echo mine\n' >alone/pcb-stats
	chmod +x alone/pcb-stats
	on_terminal 200 "alone/pcb-collect lat_rd -d sim -n 9"
	[ "$status $output" = "0 mine" ]
	# Its failure ends both.
	printf '#!/bin/sh\ncat >/dev/null; exit 2\n' >alone/pcb-stats
	on_terminal 200 "alone/pcb-collect lat_rd -d sim -n 9"
	[ "$status" = 2 ]
}

@test "Ctrl-C at a terminal: the table of what was taken, and the file" {
	local pid

	needs_own_handlers
	export NO_COLOR=1
	mkfifo keys
	example_tree tree
	env --default-signal=INT script -qec 'stty cols 200; echo $$ >pid
		exec pcb-collect lat_cfg -d pci --root=tree -n 1000G \
		-l host=h -o rows' /dev/null <keys >out 3>&- &
	exec 4>keys
	wait_for_bytes rows.part 50000
	[ ! -e rows ]
	printf '\003' >&4
	status=0
	wait $! || status=$?
	exec 4>&-
	[ "$status" = 130 ]
	[ ! -e rows.part ]
	[[ "$(tail -n 1 rows)" == "# end: rows="*" complete=no"* ]]
	try pcb-stats -f table rows
	[ "$(tr -d '\r' <out | tail -n "${#lines[@]}" | tail -n 3)" = \
		"$(tail -n 3 <<<"$output")" ] || show "$(cat out)"
}

@test "pcb-plot draws on a terminal, as large as that" {
	command -v gnuplot >/dev/null || skip "gnuplot is not installed"
	pcb-collect lat_rd -d sim -n 100 >rows
	on_terminal 70 'pcb-plot cdf rows'
	[ "$status" = 0 ]
	[[ $output == *'latency (ns)'* ]] || show "a picture"
	# In colour, unless NO_COLOR is set.
	[[ $output == *$'\e[38;5;'* ]]
	on_terminal 70 'NO_COLOR=1 pcb-plot cdf rows'
	[[ $output == *'latency (ns)'* && $output != *$'\e[38'* ]]
	[ "$(wc -L <<<"$output")" -le 70 ]
	[ "$(wc -l <<<"$output")" -gt 18 ]
	[ "$(wc -l <<<"$output")" -le 24 ]
	on_terminal 70 'pcb-plot cdf -T svg rows'
	[[ $output == *'set terminal svg'* ]]
}

# Kinds, inputs, and the fewest characters that draw the data.
kinds_on_terminals='cdf two 75
pct two 100
scatter two 150
lat sizes 80
bw bandwidths 60
share bandwidths 80
window windows 80
load loaded 50
inflight flights 50
heat map 50
matrix cells 35
change found 55
tree machine 75
tree links 120
nic cards 80
fleet hosts 6
reference public 100
ddio metrics 150
link watched 130'

# marks SCREEN SCRIPT: how many characters data and their numbers add.
marks() {
	# All points are far outside the axes.
	awk '/^EOD$/ { block = 0 }
		block && NF { gsub(/[^ ]+/, "-1e9") }
		/^\$.* << EOD$/ { block = 1 }
		{ sub(/ ansi256$/, ""); print }' "$2" >bare.gp
	gnuplot -d bare.gp >bare 2>/dev/null </dev/null
	awk 'NR == FNR { bare[FNR] = $0; next }
		{
			for (i = 1; i <= length; i++) {
				sign = substr($0, i, 1)
				n += sign != " " && sign != substr(bare[FNR], i, 1)
			}
		}
		END { print n + 0 }' bare "$1"
}

@test "every kind draws its data on a terminal, with colours and without" {
	command -v gnuplot >/dev/null || skip "gnuplot is not installed"
	local size set kind file least n screens

	inputs
	mkdir bin
	printf '#!/bin/sh\ntee kept | %s "$@"\n' "$(command -v gnuplot)" \
		>bin/gnuplot
	chmod +x bin/gnuplot
	PATH=$PWD/bin:$PATH
	echo "$kinds_on_terminals" >kinds
	[ "$(cut -d ' ' -f 1 <<<"$kinds_on_terminals" | sort -u | wc -l)" = \
		"$(pcb-plot --help | sed '1,/^Kinds:/d; /^$/,$d' | wc -l)" ]
	for size in 80x24 120x40; do
		for set in TERM=xterm NO_COLOR=1 TERM=dumb; do
			on_terminal $size "while read -r kind file least; do
				$set pcb-plot \$kind \$file 2>/dev/null
				mv kept \$kind-\$file.gp
				printf '\n@@\n'
			done <kinds"
			[ "$status" = 0 ]
			if [ $set = TERM=xterm ]; then
				[[ $output == *$'\e[38;5;'* ]]
			else
				[[ $output != *$'\e'* ]]
			fi
			rm -f screen*
			sed 's/\x1b\[[0-9;]*m//g' <<<"$output" | csplit -sz \
				-f screen --suppress-matched - '/^@@/' '{*}'
			screens=(screen*)
			while read -r kind file least; do
				n=$(marks "${screens[0]}" "$kind-$file.gp")
				screens=("${screens[@]:1}")
				[ "$n" -ge "$least" ] ||
					show "$size $set $kind: $least marks, not $n"
			done <<<"$kinds_on_terminals"
		done
	done
}

@test "a redirect, -o and a pipe into gnuplot give one picture" {
	command -v gnuplot >/dev/null || skip "gnuplot is not installed"
	local end

	unset SOURCE_DATE_EPOCH
	pcb-collect lat_rd -d sim -n 100 >rows
	# A user's start file must not matter.
	export HOME=$PWD
	printf '%s\n' 'set encoding iso_8859_1' 'set output "elsewhere"' \
		'set terminal none' >.gnuplot
	for end in svg html png pdf txt; do
		pcb-plot cdf rows -o "file.$end"
		pcb-plot cdf rows >"redirected.$end"
		pcb-plot cdf rows -T "${end/txt/dumb}" >"typed.$end"
		pcb-plot cdf rows -T "${end/txt/dumb}" |
			gnuplot -d >"piped.$end"
		for file in {redirected,typed,piped}."$end"; do
			# PDF has the time of day.
			cmp <(sed '/CreationDate/d' "file.$end") \
				<(sed '/CreationDate/d' "$file")
		done
	done
	[ ! -e elsewhere ]
	file=$(<file.svg)
	[[ $file == *'</svg>'* && $file != *iso* ]]
	pcb-plot cdf rows -o file.PNG
	pcb-plot cdf rows >redirected.PNG
	pcb-stats -P rows -o file.JSON
	pcb-stats -P rows >redirected.JSON
	cmp file.png file.PNG
	cmp file.png redirected.PNG
	cmp <(pcb-stats rows -P -f json) file.JSON
	cmp <(pcb-stats -P rows -f json) redirected.JSON
	# Others get the script; one that cannot be drawn leaves no part.
	pcb-plot cdf rows >script.gp
	pcb-plot cdf rows >script
	cmp script script.gp
	grep -q '^set terminal svg ' script
	status=0
	pcb-plot cdf -T png rows >x.svg 2>said || status=$?
	[ "$status" = 2 ]
	status=0
	pcb-plot cdf rows >x.JPG 2>said || status=$?
	[[ $status = 2 && ! -s x.JPG ]]
	mkdir bin
	printf '#!/bin/sh\ncat >/dev/null\necho part\nexit 1\n' >bin/gnuplot
	chmod +x bin/gnuplot
	status=0
	PATH=$PWD/bin:$PATH pcb-plot cdf rows >part.svg 2>said || status=$?
	[ "$status" = 2 ]
	[ ! -s part.svg ]
}

@test "no name from outside commands the terminal" {
	local evil=$'a\e[31mE\e]0;t\a\xe2\x80\xae\xe2\x80\x8bz' command

	export NO_COLOR=1
	printf 'node %s\n' "r - -" "s$evil r gen3x8" "g$evil s$evil gen4x16" \
		"h$evil s$evil gen4x16" >topology
	printf 'from,to,bandwidth_gbit_s\n%s,%s,9\n' "g$evil" "h$evil" >cells
	echo "g$evil>h$evil" >pair
	printf '%s,latency_ns\n%s,5\n%s,6\n' "$evil" "$evil" b >rows
	while read -r command; do
		on_terminal 80 "$command"
		# Each prints the names, and none of what is in them.
		[[ $output == *a?'[31mE'* ]] || show "$command: the name"
		[[ $output != *[$'\e\a']* && $output != *$'\xe2\x80'* ]] ||
			show "$command"
	done <<-'END'
	pcb-model tree --topology topology
	pcb-model tree --topology topology --bytes
	pcb-model flows --topology topology "$(cat pair)"
	pcb-model flows --join --topology topology cells
	pcb-stats rows
	pcb-stats rows | pcb-import csv
	pcb-plot cdf rows
	pcb-model tree --topology topology -f csv | pcb-plot tree
	pcb-model flows --topology topology "no$(cat pair)"
	pcb-stats -g "no$(cat pair)" rows
	END
}

@test "a table is as wide as the terminal, and nothing of it is lost" {
	local columns word

	pcb-collect lat_rd -d sim --cache cold,host-warm -n 2K -r 5 \
		-l note='a long text of many words that no table has room for' \
		-l host=h >rows
	for columns in 40 60 80 200; do
		on_terminal "$columns" "pcb-collect list"
		[ "$(wc -L <<<"$output")" -le "$columns" ] || show "$columns"
		[[ $output == *sim:default* ]]
		on_terminal "$columns" "pcb-stats rows | pcb-diff --by cache -f \
table; pcb-stats -g host,note,cache,run rows"
		[ "$(sed 's/\x1b\[[0-9]*m//g' <<<"$output" | wc -L)" -le \
			"$columns" ] || show "$columns"
		for word in ratio differs yes median p99 cold; do
			[[ $output == *$word* ]] || show "$word"
		done
	done
	# Each block has the keys, so that no row is without its name.
	pcb-collect lat_rd -q -d sim --cache cold,host-warm -n 99 -r 5 \
		-s 64,256 >rows.two
	on_terminal 60 "pcb-stats --ci -g cache,size_bytes rows.two"
	[ "$(grep -c '^size_bytes  cache' <<<"$output")" -ge 2 ] || show blocks
	[ "$(grep -c '^256 *host-warm' <<<"$output")" = \
		"$(grep -c '^size_bytes  cache' <<<"$output")" ] || show keys
	# A long name of what was done is wrapped; the devices stay in the row.
	on_terminal 80 "pcb-import '$TOP/tests/data/import/others/nvbandwidth-0.8.txt'"
	[[ $output == *$'\ndevice_to_device_memcpy_  '*'  0000:af:00.0  '*'  0000:3b:00.0  176.0 Gbit/s'$'\nread_ce\n'* ]] || show wrapped
	# One wide text takes the room that others leave.
	printf 'from,limited_by,bandwidth_gbit_s\na,y%050d,1\nb,z%050d,2\n' \
		1 2 >wide
	on_terminal 80 "pcb-import csv wide"
	[ "$(grep -c ' Gbit/s  [yz]0*[12]$' <<<"$output")" = 2 ] || show wide
	on_terminal 80 "pcb-import '$TOP/tests/data/import/others/nvbandwidth-0.8.txt'"
	# Each block has every row, also those without a latency.
	[ "$(grep -c '^bw_rd .*0000:3b' <<<"$output")" = 2 ] || show rows
	[ "$(sed -n '/ mean$/,$p' <<<"$output" | grep -c ' ns$')" = 2 ] || show mean
	# What is equal in all rows and the deviation go first.
	on_terminal 100 "pcb-stats -g run,cache,size_bytes rows.two"
	[[ $output == *"  n  "*stddev* ]] || show stddev
	on_terminal 80 "pcb-stats -g run,cache,size_bytes rows.two"
	[[ $output != *stddev* && $output == *"n=99"*max* &&
		"$(grep -c median <<<"$output")" = 1 ]] || show "no stddev"
	# The reader of a pipe has no width.
	[ "$(pcb-stats -g note,cache,run -f table rows | wc -l)" = 13 ]
	# A column whose letters are as wide as nothing: marks on others.
	printf '\xd6\x91,latency_ns\n\xd6\x91,2\n,3\n' >marks
	runs timeout 10 pcb-stats -f table -g $'\xd6\x91' marks
	[[ "$output" = *"2.000 ns"*"3.000 ns"* ]]
}

@test "list: a line for each device, and each reason once" {
	example_tree tree
	on_terminal 80 "pcb-collect list --root tree"
	[[ ${lines[0]} =~ ^device\ +name\ +measures$ ]] || show "three columns"
	[ "$(grep -c '^0000:03:00.0 ' <<<"$output")" = 1 ]
	[ "$(grep -c '^sim:default .* lat_rd lat_wrrd bw_rd bw_wr bw_rdwr$' \
		<<<"$output")" = 1 ]
	[[ $output =~ $'\n'0000:03:00.0\ .*\ lat_cfg.*\ \[([0-9])\] ]]
	[ "$(grep -c "^\[${BASH_REMATCH[1]}\] " <<<"$output")" = 1 ]
}

# The command, which is longer than the line, is a line by itself.
@test "a command to type is never broken, however long" {
	printf '03:00.0 Ethernet controller: Intel Corporation I210\n' >names
	for columns in 60 80 120; do
		on_terminal "$columns" "pcb-doctor --dump names"
		[[ "$output" =~ (^|$'\n')\ *\'(grep -rs .*l1_aspm)\'($'\n'|$) ]]
		[[ "${BASH_REMATCH[2]}" != *$'\n'* ]] || show "$columns"
		# It runs.
		sh -c "${BASH_REMATCH[2]/\/sys\/devices/$PWD}" || [ $? = 1 ]
	done
}

@test "messages have whole words and whole commands on a terminal" {
	local columns

	for columns in 40 60 80; do
		on_terminal "$columns" "pcb-collect lat_rd -d gpu7"
		[ "$(wc -L <<<"$output")" -le "$columns" ] || show "$columns"
		[[ $output == *"'pcb-collect list'"* ]] || show "a command"
		[[ "$(tr -s ' \n' ' ' <<<"$output")" == \
			*"such device ('pcb-collect list' shows the devices "* ]]
	done
	# Elsewhere a message is a line.
	try pcb-collect lat_rd -d gpu7
	[[ $stderr = *"such device ('pcb-collect list' shows the devices "* ]]
	COLUMNS=20 try pcb-collect lat_rd -d gpu7
	[ "$(wc -l <<<"$stderr")" = 1 ]
}

@test "a table of results names its devices" {
	local names='0000:01:00.0=Acme Corp. Widget, Mark II; 0000:03:00.0=X 9'

	{
		printf '# pcb-csv: 1\n# device_names: %s\ndevice,latency_ns\n' \
			"$names"
		printf '%s,1\n%s,3\n' 0000:01:00.0 0000:01:00.0 \
			0000:03:00.0 0000:03:00.0 0000:04:00.0 0000:04:00.0
		echo '# end: rows=6 complete=yes'
	} >rows
	# After the device if there is room, else after the results.
	on_terminal 200 'pcb-stats rows 2>/dev/null'
	[[ ${lines[0]} =~ ^device\ +name\ +n\ .*stddev$ ]] || show "name first"
	[[ ${lines[1]} == '0000:01:00.0  Acme Corp. Widget, Mark II  2 '* ]]
	[[ ${lines[2]} =~ ^0000:03:00.0\ \ X\ 9\ +2\  ]]
	[[ ${lines[3]} =~ ^0000:04:00.0\ +2\  ]]
	on_terminal 80 'pcb-stats rows 2>/dev/null'
	[[ ${lines[0]} = n=2 && ${lines[1]} =~ ^device\ +min\ .*max$ ]] ||
		show "results first"
	[[ "${lines[5]}" =~ ^device\ +name$ ]] || show "names behind"
	[[ "${lines[7]}" =~ ^0000:03:00.0\ \ X\ 9$ ]]
	on_terminal 36 'pcb-stats rows 2>/dev/null'
	[[ $output == *$'\n0000:01:00.0  Acme Corp. Widget,\n'* ]] || show "cut"
	# The only device is above the table. Rows are unchanged.
	[[ "$(head -n 5 rows | pcb-stats -f table 2>said)" == \
		*'name=Acme Corp. Widget, Mark II'* ]]
	[[ "$(pcb-stats -f md rows)" == *'| X 9 |'* ]]
	[ "$(pcb-stats -P rows | head -n 1)" = \
		"$(grep -v '^#' rows | pcb-stats -P | head -n 1)" ]
	[[ "$(pcb-stats -g '' -f table rows)" != *name* ]]
}

@test "pcb-collect records what a function is called" {
	local name

	example_tree tree
	# Each machine has its own database.
	name=$(pcb-collect list --root tree -d 03:00.0 -f md |
		sed -n 's/^\* name: //p')
	[ "$name" ]
	pcb-collect lat_cfg --root tree -d 03:00.0 -n 2 >rows
	grep "^# device_names: .*0000:02:00.0=.*; 0000:03:00.0=$name$" rows
}

@test "colour marks what needs the eye, on a terminal only" {
	local text

	text='size_bytes,kind,latency_ns\n64,measured,1\n64,simulated,2\n'
	pcb-collect lat_rd -d sim --cache cold,host-warm -n 2K -r 5 >rows
	pcb-stats rows >stats
	# Better and worse are told apart.
	on_terminal 200 "pcb-diff --by cache stats"
	[[ $output == *$'\033[32myes\033[m'* ]] || show "green"
	on_terminal 200 "pcb-diff --by cache=host-warm stats"
	[[ $output == *$'\033[31myes\033[m'* ]] || show "red"
	on_terminal 200 "pcb-diff --by cache stats"
	[[ $output == *$'kind'*$'\033[33msimulated\033[m'* ]]
	on_terminal 200 "NO_COLOR=1 pcb-diff --by cache stats"
	[[ $output == *yes* && $output != *$'\033'* ]] || show "no colour"
	on_terminal 200 "pcb-diff --by cache -f table stats | cat"
	[[ $output == *yes* && $output != *$'\033'* ]] || show "no colour"
	# Measured values have no colour.
	on_terminal 200 "printf '$text' | pcb-stats"
	[[ $output == *"measured "* && $output != *$'\033[33mmeasured'* ]]
	[[ $output == *$'\033[33msimulated'* ]]
}

@test "a value has no digits that its interval, error or clock does not show" {
	local tick want

	while read -r tick want; do
		printf '# pcb-csv: 1\n# clock_tick_ns: %s\n' "$tick" >in
		printf 'latency_ns\n120.25\n121.25\n140.5\n# end: rows=3 complete=yes\n' >>in
		output=$(pcb-stats -f table -p 50 in | tail -1 | tr -s ' ')
		[ "$output" = "3 $want" ] || show "$tick: $want"
	done <<-'END'
	0.05 120.2 ns 127 ns 121.2 ns 140.5 ns 11 ns
	4 120 ns 127 ns 121 ns 140 ns 11 ns
	END
	printf 'median_ns,median_lo_ns,median_hi_ns,p99_ns\n120.25,117.5,122.5,9.25\n' >in
	output=$(pcb-import csv -f table in | tail -1 | tr -s ' ')
	[ "$output" = "120 ns 118 ns 122 ns 9.250 ns" ] || show "an interval"
}

@test "--bytes gives GB/s in tables, and csv is as it was" {
	[[ "$(pcb-model bw_rd --accounting pcie-bench -f table)" == *'44.10 Gbit/s '* ]]
	[[ "$(pcb-model bw_rd --accounting pcie-bench -f table --bytes)" == *'5.513 GB/s '* ]]
	[[ "$(pcb-collect bw_rd -d sim -f table --bytes)" == *" GB/s"* ]]
	[ "$(pcb-model bw_rd --bytes -P)" = "$(pcb-model bw_rd -P)" ]
}

@test "PCB_UNITS=bytes is --bytes of all programs" {
	local command

	pcb-collect bw_rd -q -d sim -n 99 -r 5 -s 64,128 >samples
	pcb-stats samples -o stats
	printf 'node %s\n' "r - -" "s r gen3x8" "g s gen4x16" "h s gen4x16" >two
	tree <<-'EOF'
	0000:00:01.0 root first=1 last=1 gen=3 lanes=4 mps=1 at4c=0x103
	0000:01:00.0 endpoint gen=3 lanes=4 mps=1 at4c=0x83 at48=0x2030
	EOF
	while read -r command; do
		# shellcheck disable=SC2086
		try $command
		[[ $output = *bit/s* && $output != *B/s* ]] || show "bits"
		# shellcheck disable=SC2086
		PCB_UNITS=bytes try $command
		[[ $output = *B/s* && $output != *bit[/_]s* ]] || show "bytes"
		# shellcheck disable=SC2086
		[ "$output" = "$($command --bytes 2>/dev/null)" ] || show --bytes
	done <<-'END'
	pcb-collect bw_rd -q -d sim -n 99 --seed 1 -f table
	pcb-stats samples -f table
	pcb-diff --by size_bytes stats -f table
	pcb-model bw_rd -f table
	pcb-model bw_rd --explain
	pcb-model --join stats -f table
	pcb-model tree --topology two -f table
	pcb-model flows --topology two g>h -f table
	pcb-doctor --dump dump -f table
	pcb-import csv stats -f table
	END
	# Heads have the unit of their values.
	printf 'p10_gbit_s,p10_pct\n8,50\n16,60\n' >two.csv
	for command in "pcb-model reference gen4x16 -f table" \
		"pcb-import csv two.csv -f table --bytes"; do
		# shellcheck disable=SC2086
		try $command
		[[ $output = *p10_gb_s*p10_pct* || $output = *p10_pct*p10_gb_s* ]] ||
			show heads
		[[ $output = *GB/s* && $output != *bit* ]] || show values
	done
	# Rows stay as they are.
	[ "$(PCB_UNITS=bytes pcb-stats -P samples)" = "$(pcb-stats -P samples)" ]
	PCB_UNITS=GB try pcb-stats -P samples
	[ "$status" = 2 ] || show "no such unit"
}

@test "progress names the point that is measured, and is gone at the end" {
	local wanted

	on_terminal 80 "pcb-collect lat_rd -d sim -s 64,128 -r 2 -n 2M -f csv \
-o /dev/null"
	[ "$status" = 0 ]
	for wanted in 'size_bytes=64 run=1 of 2' 'size_bytes=128 run=2 of 2'; do
		[[ $output == *" s left, $wanted"* ]] || show "$wanted"
	done
	[[ $output == *$'\r\033[K' ]]
	# The line is there meanwhile; the start of a long run predicts nothing.
	on_terminal 80 "timeout -s KILL 2 pcb-collect lat_rd -d sim -n 200G -f csv \
-o /dev/null"
	[[ $output == *': 0 %'* && $output != *' left'* ]] || show "no time"
	on_terminal 80 "pcb-collect lat_rd -d sim -n 400K -q -f csv -o /dev/null"
	[ "$output" = "" ]
}
