#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Checks for every kind of picture.
# shellcheck disable=SC2086

load helpers
load plot

# A measure that all kinds accept, and the columns of all kinds.
all_kinds=(cdf pct scatter lat bw window share inflight load heat matrix change tree
	nic fleet reference ddio link)
of_all='size_bytes,frame_bytes,window_bytes,latency_ns,median_gbit_s,diff_ns,parent_ns,'
of_all+='device,parent,metric,value,model_ratio_pct,other_ns,base_ns,bandwidth_gbit_s,'
of_all+='what,end,new_value,interface'

@test "every kind is tested" {
	[ "$(pcb-plot --help | sed '1,/^Kinds:/d; /^$/,$d' | wc -l)" = \
		${#all_kinds[@]} ]
}

# write ARGUMENT...: a script, after those before.
write() {
	scripts+=("script${#scripts[@]}")
	pcb-plot "$@" >"${scripts[-1]}" 2>>unexpected
}

# write_both ARGUMENT...: a picture and a text.
write_both() {
	write "$@"
	write "$@" -T dumb
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

@test "every kind with every terminal" {
	local kind file terminal

	inputs
	while read -r kind file; do
		for terminal in svg png pdf paper dumb; do
			scripts+=("$kind$file-$terminal")
			# Some inputs have rows without a value.
			pcb-plot "$kind" "$file" -T $terminal \
				>"${scripts[-1]}" 2>/dev/null
		done
	done < <(kinds)
	drawn_without_a_word
}

@test "odd input is drawn" {
	local values kind metric rows v

	for values in 5 0 -5 '5\n5\n5' '1e100' '-1e100\n1e100' '1e-100\n1e100' \
		'1000000000.001\n1000000000.002' '30\n1000000000000000\n30' \
		'-1e-308\n1e-308' '0\n0\n0'; do
		v=${values//\\n/ }
		printf '%s\n' latency_ns $v >samples
		for kind in cdf pct scatter; do
			write_both $kind samples
		done
		printf '%s\n' host,latency_ns 1,${values//\\n/ 2,} 2,5 >hosts
		write_both fleet hosts
		printf '%s\n' other_ns,base_ns ${values//\\n/,7 },7 >found
		write_both change found
		printf '%s,%s\n' parent_ns,latency_ns device,parent >links
		printf '%s,1,b,a\n' $v >>links
		sed -i '$s/1,b,a/1,c,a/; 1s/.*/parent_ns,latency_ns,device,parent/' links
		write_both tree links
		printf '%s\n' a,median_ns 1,${values//\\n/ 2,} >map
		write_both heat map
		for metric in a_gbit_s b_per_s io_percent_of_c d_ns; do
			printf '%s\n' value,metric "${v// /,$metric
},e" >metrics
			write_both ddio metrics
			printf '%s\n' value,time_ns,metric "${v// /,1,$metric
},1e9,$metric" >metrics
			write_both ddio metrics
		done
	done
	for rows in 64,5 0,0 '64,0\n128,0' '64,5\n64,7' '64,1e100\n128,1' \
		'0,1\n1,2\n64,3' '64,-1\n128,2' '64,1\n18446744073709551615,2' \
		'64,1e-308\n128,2e-308' '1536,3'; do
		printf "size_bytes,median_gbit_s\n$rows\n" >input
		write_both bw input
		sed '1s/gbit_s/ns/' input >latency
		write_both lat latency
		sed '1s/size/window/' latency >windows
		write_both window windows
		write_both heat windows
		write_both scatter --x size_bytes latency
		sed '1s/median_ns/latency_ns/' latency >samples
		write_both lat samples
	done
	drawn_without_a_word
}

@test "an empty group is none" {
	printf '%s\n' a,size_bytes,window_bytes,latency_ns,count x,64,64,1,0 \
		y,64,64,2,1 >input
	for kind in cdf pct scatter lat window heat; do
		write $kind input
		run ! grep -q "'a x'" "${scripts[-1]}"
	done
	drawn_without_a_word
}

@test "two hundred curves" {
	local kind file size

	awk 'BEGIN {
		print "a,size_bytes,latency_ns,median_gbit_s,model_gbit_s"
		for (i = 1; i <= 200; i++)
			for (k = 64; k < 1024; k *= 2)
				print i "," k "," 500 + i + k "," k / i "," k
	}' >input
	cut -d, -f1,3 input >samples
	draws cdf samples
	[[ $drawn == *'193 others, medians within '* ]]
	draws bw input
	# The model is common to all.
	[[ $drawn == *' model'* ]]
	cut -d, -f1-3 input >sizes
	sed '1s/^a,/host,/' sizes >hosts
	sed '1s/.*/a,base_ns,other_ns/' sizes >found
	awk -F, -v OFS=, 'NR == 1 { print "device,parent,parent_ns,latency_ns" }
		NR > 1 { print "d" NR, "d" int(NR / 2), 5, $3 }' sizes >tree
	awk -F, -v OFS=, 'NR == 1 { print "part,time_ns,value,metric" }
		NR > 1 { print $1, $2, $3, "a_gbit_s"; print $1, $2, $3, "b" }' \
		sizes >intervals
	cut -d, -f1,3,4 intervals | sed '2~5!{1!d}' >parts
	sed '1s/size_bytes/window_bytes/' sizes >window
	while read -r kind file; do
		write_both "$kind" "$file"
		for size in 300x5000 {300,5000}x220\ -P '40x12 -T dumb'; do
			# What could not be read is refused.
			pcb-plot "$kind" --geometry $size "$file" >drawn \
				2>said || grep -q 'takes a height of' said
			[ -s drawn ] || [ "$size" != 300x5000 ] ||
				[ "$kind" = tree ] || show "$kind: $(<said)"
			[ ! -s drawn ] || write "$kind" --geometry $size "$file"
		done
	done <<-EOF
	cdf samples
	pct samples
	fleet hosts
	scatter samples
	bw input
	lat sizes
	window window
	heat sizes
	change found
	tree tree
	ddio intervals
	ddio parts
	EOF
	drawn_without_a_word
	# All have a row, and a name if there is room.
	draws change found
	[[ $drawn == *' a 1 '*' a 200 '* ]]
}

@test "a header alone gives an empty picture" {
	for kind in "${all_kinds[@]}"; do
		given "kind,host,$of_all\n" "$kind" -T dumb
		[ "$status" = 0 ]
		[ "$stderr" = "pcb-plot: standard input: a header, but no rows" ]
		echo "$output" >"$kind.gp"
	done
	command -v gnuplot >/dev/null || skip "gnuplot is not installed"
	gnuplot_draws "${all_kinds[@]/%/.gp}" 2>said
	[ ! -s said ]
	for kind in "${all_kinds[@]}"; do
		grep -q 'no data' "$kind.drawn"
		# No axis has numbers; fleet counts 0 hosts.
		[ "$kind" = fleet ] || run ! grep -q '[0-9]' "$kind.drawn"
	done
}

# Texts that would do harm or be garbled if gnuplot interpreted them.
nasty=("it's" "''" '"quoted"' 'back\slash\' '`touch harm`' '$(touch harm)'
	'@a @title' 'a_b^c{d}' EOD $'EOD\nplot x' '#not' 'µé漢'
	'<b>&amp;</b>' '%d %s %' '$curve1 << EOD' "'; system('touch harm'); '"
	$'\t\e[31m' $'\xff\xc3' $'\uffff' '}{' '\\n' ']]>' $'\u202eright' '|touch harm' '!touch harm'
	'<touch harm' $'\u2028plot x' $'\u0085plot x' '&#0;' '<script>x</script>'
	'" onload="x' '~harm' '&' $'\n\nreset')

# rows_of_all KIND NAME...: makes `rows` for a kind, with a value of column `a`
# in each; two sizes, and all differences follow from `a`. Other measures than
# the kind's have other names.
rows_of_all() {
	local kind=$1 wanted=latency_ns name size

	case $kind in
	bw | nic | inflight) wanted=median_gbit_s ;;
	ddio) wanted=value ;;
	esac
	{
		echo "a,$of_all"
		for name in "${@:2}"; do
			name=\"${name//\"/\"\"}\"
			for size in 64 128; do
				echo "$name,$size,$size,$size,$((size * 9)),1,-3,500,$name,up,$name,1,50,5,4,3,gen,lower,4,workers$size"
			done
		done
	} | sed -E "1s/(latency_ns|median_gbit_s)/\1x/g
		1s/${wanted}x/$wanted/; 1s/([a-z]_)(ns|gbit_s)x/other_\1\2/g" >rows
	[ "$kind" != heat ] ||
		sed -i '1s/window_bytes/c_ns/; 1s/frame_bytes/f_ns/; 1s/device/d_ns/; 1s/metric/m_ns/; 1s/interface/i_ns/' \
			rows
	[ "$kind" != matrix ] || sed -i '1s/,device,parent,/,from,to,/' rows
	[ "$kind" != link ] || sed -i '1s/latency_ns/time_ns/' rows
	[ "$kind" != fleet ] || sed -i '1s/device/host/' rows
}

@test "no text from outside is executed or lost" {
	# In the C locale gnuplot warns of UTF-8 in a script.
	export LC_ALL=C.UTF-8
	# Each text as a constant and as the title, which all kinds write alike.
	for text in "${nasty[@]}"; do
		for kind in cdf ddio; do
			rows_of_all $kind "$text"
			write $kind --title "$text" rows
		done
	done
	# All texts as names, and in the name of a column.
	for kind in "${all_kinds[@]}"; do
		names=("${nasty[@]}")
			rows_of_all "$kind" "${names[@]}"
		sed -i '1s/^a,/b`@,/' rows
		write_both "$kind" rows
		write "$kind" -T html rows
	done
	drawn_without_a_word
	printf 'a,latency_ns\n"it'"'"'s `x` @y a_b^{c} %%d \\ EOD",1\nz,2\n' \
		>input
	draws cdf input
	[[ $drawn == *"a it's \`x\` @y a_b^{c} %d \\ EOD: 1 ns"* ]]
	printf 'a,latency_ns\n"EOD\nEOD",1\nz,2\n' >input
	draws cdf input
	[[ $drawn == *'a EOD?EOD: 1 ns'* ]]
}

@test "wide characters keep lines of text in their places" {
	local line

	export LC_ALL=C.UTF-8
	printf 'a,base_ns,other_ns\n漢字カナ,500,510\nplain,520,530\n' \
		>input
	draws change input
	# A character without width follows each wide one: the axis is in the
	# same column as in the other row.
	line=$(grep -F '漢' <<<"$drawn")
	line=${line%%[|+]*}
	[ "$(grep -o $'[漢字カナ]\xe2\x80\x8b' <<<"$line" | wc -l)" = 4 ]
	[ ${#line} = "$(grep -F 'a plain' <<<"$drawn" | sed 's/[|+].*//' | tr -d '\n' | wc -m)" ]
	# What no font has is '?' where gnuplot would draw a huge sign.
	mkdir bin
	printf '#!/bin/sh\ncat >%s/seen; echo IEND' "$PWD" >bin/gnuplot
	printf '#!/bin/sh\necho :charset=20-7e a0 b5-b7 6f21-6f23' >bin/fc-list
	chmod +x bin/*
	printf 'a,latency_ns\n漢字µ,5\nplain,6\n' >fonts
	PATH=$PWD/bin:$PATH try pcb-plot cdf -o x.png fonts
	[ "$status" = 0 ]
	[[ $stderr = "pcb-plot: no font here has '字'"* && $(<seen) == *"'a 漢?µ: 5 ns'"* ]]
	# Names are cut by columns.
	printf 'a,latency_ns\n%s,5\n%s,6\n' "$(printf '漢%.0s' {1..80})" b >input
	pcb-plot cdf -P input >script
	line=$(sed -n "s/^keyname.* = '\(a 漢.*\)'.*/\1/p" script)
	[[ $line == *漢...漢* ]]
	[ ${#line} -lt 60 ]
}
