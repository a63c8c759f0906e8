#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Checks for every kind of picture. Formats of printf and texts that look like
# commands are arguments here, and bats sets $stderr and runs each test in a
# subshell.
# shellcheck disable=SC1003,SC2016,SC2030,SC2031,SC2059,SC2154

load helpers
load plot

# A measure that all kinds accept, and the columns of all kinds.
all_kinds=(cdf ccdf pct hist box compare scatter lat bw window heat diff
	tree nic fleet ddio)
of_all='size_bytes,frame_bytes,window_bytes,latency_ns,median_gbit_s,diff_ns,parent_ns,'
of_all+='device,parent,metric,value'

# rows_of_all NAME...: rows for all kinds, with a value of column `a` in each;
# two sizes, and all differences follow from `a`.
rows_of_all() {
	local name

	echo "a,$of_all"
	for name; do
		name=\"${name//\"/\"\"}\"
		for size in 64 128; do
			echo "$name,$size,$size,$size,$((size * 9)),1,-3,500,$name,up,$name,1"
		done
	done
}

@test "every kind is tested" {
	[ "$(pcb-plot --help | sed '1,/^Kinds:/d; /^$/,$d' | wc -l)" = \
		${#all_kinds[@]} ]
}

# write ARGUMENT...: a script, after those before.
write() {
	scripts+=("script${#scripts[@]}")
	pcb-plot "$@" >"${scripts[-1]}" 2>>unexpected
}

# write_all ARGUMENT...: one for each terminal.
write_all() {
	local terminal

	for terminal in pdf png svg dumb; do
		write "$@" -T $terminal
	done
}

# drawn_without_a_word: all are drawn; pcb-plot and gnuplot print nothing and do
# no harm.
drawn_without_a_word() {
	local script wrong

	command -v gnuplot >/dev/null || skip "gnuplot is not installed"
	gnuplot_draws "${scripts[@]}" 2>>unexpected || echo failed >>unexpected
	for script in "${scripts[@]}"; do
		[ -s "$script.drawn" ] || echo "$script: no picture" >>unexpected
	done
	grep -l '<svg' -- "${scripts[@]/%/.drawn}" | xargs -r grep -L '</svg>' \
		>>unexpected || :
	if command -v xmllint >/dev/null; then
		grep -l '<svg' -- "${scripts[@]/%/.drawn}" |
			xargs -r xmllint --noout 2>>unexpected || :
	fi
	if [ -s unexpected ] || [ -e harm ]; then
		wrong=$(grep -om1 'script[0-9]*' unexpected) || :
		cat unexpected "${wrong:-${scripts[-1]}}"
		return 1
	fi
	rm -- "${scripts[@]/%/.drawn}"
	scripts=()
}

@test "odd input is drawn" {
	for values in 5 0 -5 '5\n5\n5' '1e300' '-1e300\n1e300' '1e-300\n1e300' \
		'1000000000.001\n1000000000.002' '30\n1000000000000000\n30' \
		'-1e-308\n1e-308' '0\n0\n0'; do
		for kind in cdf ccdf pct hist box scatter; do
			printf "latency_ns\n$values\n" >input
			write_all $kind input
		done
		printf "a,latency_ns\n1,${values//\\n/\\n2,}\n2,5\n" >input
		write_all compare input
		sed '1s/a/host/' input >hosts
		write_all fleet hosts
		printf "diff_ns\n$values\n" >input
		write_all diff input
		printf "parent_ns,latency_ns,device,parent\n${values//\\n/,1,b,a\\n},1,c,a\n" \
			>input
		write_all tree input
		printf "a,median_ns\n1,${values//\\n/\\n2,}\n" >input
		write_all heat input
		for metric in a_gbit_s b_per_s io_percent_of_c d_ns; do
			printf "value,metric\n${values//\\n/,$metric\\n},e\n" >input
			write_all ddio input
			printf "value,time_ns\n${values//\\n/,1\\n},1e9\n" |
				sed "1s/\$/,metric/; 1!s/\$/,$metric/" >input
			write_all ddio input
		done
		drawn_without_a_word
	done
	for rows in 64,5 0,0 '64,0\n128,0' '64,5\n64,7' '64,1e300\n128,1' \
		'0,1\n1,2\n64,3' '64,-1\n128,2' '64,1\n18446744073709551615,2' \
		'64,1e-308\n128,2e-308' '1536,3'; do
		printf "size_bytes,median_gbit_s\n$rows\n" >input
		write_all bw input
		sed '1s/gbit_s/ns/' input >latency
		write_all lat latency
		sed '1s/size/window/' latency >windows
		write_all window windows
		write_all heat windows
		write_all scatter --x size_bytes latency
		sed '1s/median_ns/latency_ns/' latency >samples
		write_all lat samples
	done
	drawn_without_a_word
}

@test "an empty group is none" {
	for kind in cdf ccdf pct hist box scatter lat window heat; do
		scripts 'a,size_bytes,window_bytes,latency_ns,count\nx,64,64,1,0\ny,64,64,2,1\n' \
			$kind -P
		[[ "$output" != *"'a x'"* ]]
		draws $kind input
	done
}

@test "two hundred curves" {
	awk 'BEGIN {
		print "a,size_bytes,latency_ns,median_gbit_s,model_gbit_s"
		for (i = 1; i <= 200; i++)
			for (k = 64; k < 1024; k *= 2)
				print i "," k "," 500 + i + k "," k / i "," k
	}' >input
	cut -d, -f1,3 input >samples
	draws cdf samples
	[[ $drawn == *'a 1 '*'193 others, medians within '*'a 200'* ]]
	draws bw input
	points bw input
	# The model is common to all; the last name has the number of others.
	[ "$(wc -w <<<"$points")" = 202 ]
	cut -d, -f1-3 input >sizes
	sed '1s/^a,/host,/' sizes >hosts
	sed '1s/latency_ns/diff_ns/' sizes >found
	awk -F, -v OFS=, 'NR == 1 { print "device,parent,parent_ns,latency_ns" }
		NR > 1 { print "d" NR, "d" int(NR / 2), 5, $3 }' sizes >tree
	awk -F, -v OFS=, 'NR == 1 { print "part,time_ns,value,metric" }
		NR > 1 { print $1, $2, $3, "a_gbit_s"; print $1, $2, $3, "b" }' \
		sizes >intervals
	cut -d, -f1,3,4 intervals | sed '2~5!{1!d}' >parts
	awk -F, -v OFS=, '{ print $1, $2, $2, $3 }' sizes |
		sed '1s/size_bytes/window_bytes/' | cut -d, -f1,2,4 >window
	while read -r kind file; do
		write_all "$kind" "$file"
		sizes=(300x220 300x5000 5000x220)
		[ "$kind" != ddio ] || sizes=(300x5000)
		for size in "${sizes[@]}"; do
			write "$kind" --geometry "$size" "$file"
		done
		[ "$kind" = ddio ] ||
			write "$kind" -T dumb --geometry 40x12 "$file"
	done <<-EOF
	cdf samples
	ccdf samples
	pct samples
	hist samples
	box samples
	fleet hosts
	scatter samples
	bw input
	lat sizes
	window window
	heat sizes
	diff found
	tree tree
	ddio intervals
	ddio parts
	EOF
	drawn_without_a_word
	# All have a row, and a name if there is room.
	draws box samples
	[[ $drawn == *' a 1 '*' a 200 '* ]]
}

@test "a header alone gives an empty picture" {
	for kind in "${all_kinds[@]}"; do
		given "kind,host,$of_all\n" "$kind" -T dumb
		[ "$status" = 0 ]
		[ "$stderr" = "pcb-plot: standard input: a header, but no rows" ]
		[[ $kind != lat || "$output" == *"'latency (ns)'"* ]]
		command -v gnuplot >/dev/null || continue
		try gnuplot <<<"$output"
		[[ "$output" == *"no data"* ]]
		# No axis has numbers; fleet counts 0 hosts.
		[[ $kind = fleet || "$output" != *[0-9]* ]]
		[ "$stderr" = "" ]
	done
}

# Texts that would do harm or be garbled if gnuplot interpreted them.
nasty=("it's" "''" '"quoted"' 'back\slash\' '`touch harm`' '$(touch harm)'
	'@a @title' 'a_b^c{d}' EOD $'EOD\nplot x' '#not' 'µé漢'
	'<b>&amp;</b>' '%d %s %' '$curve1 << EOD' "'; system('touch harm'); '"
	$'\t\e[31m' $'\xff\xc3' $'\uffff' '}{' '\\n' ']]>' $'\u202eright' '|touch harm' '!touch harm'
	'<touch harm' $'\u2028plot x' $'\u0085plot x' '&#0;' '<script>x</script>'
	'" onload="x' '~harm' '&' $'\n\nreset')

# write_kind KIND ARGUMENT...: a script of that kind for the rows in `input`,
# after those before.
write_kind() {
	case $1 in
	bw | nic) wanted=median_gbit_s ;;
	diff) wanted=diff_ns ;;
	ddio) wanted=value ;;
	*) wanted=latency_ns ;;
	esac
	[ "$1" != heat ] ||
		sed -i '1s/window_bytes/c_ns/; 1s/frame_bytes/f_ns/; 1s/device/d_ns/; 1s/metric/m_ns/' \
			input
	[ "$1" != fleet ] || sed -i '1s/device/host/' input
	sed -E "1s/(latency_ns|median_gbit_s|diff_ns)/\1x/g
		1s/${wanted}x/$wanted/; 1s/([a-z]_)(ns|gbit_s)x/other_\1\2/g" \
		input >rows
	write "$@" rows
}

@test "no text from outside is executed or lost" {
	# In the C locale gnuplot warns of UTF-8 in a script.
	export LC_ALL=C.UTF-8
	for kind in "${all_kinds[@]}"; do
		# Each text as a constant, and as the title.
		for text in "${nasty[@]}"; do
			rows_of_all "$text" >input
			write_kind "$kind" -T svg --title "$text"
		done
		# All texts as names, and in the name of a column.
		names=("${nasty[@]}")
		[ "$kind" != compare ] || names=("it's @a")
		rows_of_all "${names[@]}" | sed '1s/^a,/b`@,/' >input
		write_kind "$kind" -T svg
		write_kind "$kind" -T dumb
		write_kind "$kind" -T html
		drawn_without_a_word
	done
	[ ! -e harm ]
	printf 'a,latency_ns\n"it'"'"'s `x` @y a_b^{c} %%d \\ EOD",1\nz,2\n' \
		>input
	draws cdf input
	shows "a it's \`x\` @y a_b^{c} %d \\ EOD"
	printf 'a,latency_ns\n"EOD\nEOD",1\nz,2\n' >input
	draws cdf input
	shows 'a EOD?EOD'
}

@test "wide characters keep lines of text in their places" {
	local line

	export LC_ALL=C.UTF-8
	printf 'a,latency_ns\n漢字カナ,500\n漢字カナ,510\nplain,520\nplain,530\n' \
		>input
	draws box input
	# A character without width follows each wide one: the axis is in the
	# same column as in the other row.
	line=$(grep -F '漢' <<<"$drawn")
	line=${line%%|*}
	[ "$(grep -o $'[漢字カナ]\xe2\x80\x8b' <<<"$line" | wc -l)" = 4 ]
	[ ${#line} = "$(grep -F 'a plain' <<<"$drawn" | sed 's/|.*//' | tr -d '\n' | wc -m)" ]
	# Names are cut by columns.
	printf 'a,latency_ns\n%s,5\n%s,6\n' "$(printf '漢%.0s' {1..80})" b >input
	pcb-plot cdf -P input >script
	line=$(sed -n "s/.* title '\(a 漢.*\)'.*/\1/p" script)
	[[ $line == *漢...漢* ]]
	[ ${#line} -lt 50 ]
}
