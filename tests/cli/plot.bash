# SPDX-License-Identifier: GPL-2.0-or-later
# Shared by the tests of pictures; load it after helpers.
# shellcheck shell=bash disable=SC2034

tests pcb-plot

# gnuplot_draws SCRIPT...: draws all with one gnuplot, whose start takes longer
# than drawing; the picture of X, or X.gp, is X.drawn.
gnuplot_draws() {
	local script each=()

	for script; do
		each+=(-e 'reset session'
			-e "set output '${script%.gp}.drawn'" "$script")
	done
	gnuplot "${each[@]}"
}

# draws ARGUMENT...: draws a picture and a text with one gnuplot, which must
# print nothing; what pcb-plot prints is in `warned`. Leaves the script in `script`, the text in $drawn and the
# picture in svg.drawn.
draws() {
	command -v gnuplot >/dev/null || skip "gnuplot is not installed"
	pcb-plot "$@" -P >svg.gp 2>warned
	pcb-plot "$@" -P -T dumb >dumb.gp 2>>warned
	cp svg.gp script
	gnuplot_draws {svg,dumb}.gp 2>said || echo failed >>said
	if [ -s said ]; then
		printf '%s: %s\n' "$*" "$(cat said)"
		return 1
	fi
	drawn=$(cat dumb.drawn)
	grep -q '</svg>' svg.drawn
}

# block NAME [SCRIPT]: a data block; an empty line is "|", between series "||".
block() {
	sed -n "/^\$$1 << EOD/,/^EOD/{//!p}" "${2:-script}" | awk '
		NF { printf "%s%s", n ? (blank > 1 ? " || " : blank ? " | " : "; ") : "", $0
			blank = 0; n++; next }
		{ blank++ }
		END { print "" }'
}

# texts ARRAY [SCRIPT]: the texts of an array, one on each line.
texts() {
	sed -n "s/^$1\[[0-9]*\] = '\(.*\)'\$/\1/p" "${2:-script}"
}

# value NAME [SCRIPT]: the value of a variable.
value() {
	sed -n "s/^$1 = //p" "${2:-script}"
}

# needs_browser: sets $browser, or skips the test.
needs_browser() {
	for browser in chromium chromium-browser google-chrome; do
		! command -v "$browser" >/dev/null || return 0
	done
	skip "no chromium is installed"
}

# browse ARGUMENT...: the headless browser.
browse() {
	timeout 120 "$browser" --headless --no-sandbox --disable-gpu \
		--user-data-dir="$PWD/profile" "$@" 2>browser.log
}

# print_page PAGE: prints it to page.pdf.
print_page() {
	browse --no-pdf-header-footer --print-to-pdf="$PWD/page.pdf" \
		"file://$PWD/$1"
}

# in_browser PAGE SCRIPT: the text that a headless browser gets by running
# SCRIPT in the page, 400 pixels wide.
in_browser() {
	{
		cat "$1"
		# A literal \n is one of the script.
		# shellcheck disable=SC2028
		echo "<script>onload = () => { const out = [];
		const svg = document.querySelector('svg');
		const buttons = [...document.querySelectorAll('button')];
		function point(x, y) {
			const at = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM());
			svg.dispatchEvent(new PointerEvent('pointermove',
				{ clientX: at.x, clientY: at.y, bubbles: true }));
			return document.querySelector('.pcb-value').textContent;
		}
		try {
		$2
		} catch (error) { out.push(error); }
		const pre = document.createElement('pre');
		pre.id = 'probe';
		pre.textContent = out.join('\n');
		document.body.append(pre);
		}</script>"
	} >probe.html
	browse --window-size=400,800 --dump-dom "file://$PWD/probe.html" |
		sed -n '/id="probe"/,/<\/pre>/p' |
		sed 's/.*id="probe">//; s/<\/pre>.*//'
}

# overlaps SVG...: pairs of overlapping texts, estimated with the mean width of
# a character.
overlaps() {
	awk '
	function compare(i, k) {
		for (i = 1; i <= n; i++)
			for (k = i + 1; k <= n; k++)
				if (left[i] < right[k] && left[k] < right[i] &&
				    high[i] < low[k] && high[k] < low[i])
					print file ": " what[i] " | " what[k]
		n = 0
	}
	FNR == 1 { compare(); file = FILENAME }
	/<g transform="translate\(/ {
		place = $0
		sub(/.*<g transform="translate\(/, "", place)
		x = y = place
		sub(/,.*/, "", x)
		sub(/^[^,]*,/, "", y)
		x += 0
		y += 0
		size = $0
		sub(/.*font-size="/, "", size)
		size += 0
		turned = /rotate\(/
		anchor = /text-anchor="end"/ ? 1 : /text-anchor="middle"/ ? .5 : 0
	}
	/<text>/ {
		text = $0
		sub(/.*<text>(<tspan[^>]*>)?/, "", text)
		sub(/<.*/, "", text)
		gsub(/&[a-z]*;/, "x", text)
		if (text ~ /^ *$/)
			next
		n++
		wide = length(text) * size * .5
		what[n] = text
		left[n] = turned ? x - size * .7 : x - anchor * wide
		right[n] = turned ? x : left[n] + wide
		high[n] = turned ? y - (1 - anchor) * wide : y - size * .7
		low[n] = turned ? high[n] + wide : y + size * .2
	}
	END { compare() }' "$@"
}

# inputs: simulated, published and made-up inputs for all kinds.
inputs() {
	pcb-collect -q -d sim lat_rd -n 500 -r 5 -s 64:512 \
		--cache cold,host-warm >samples
	pcb-stats -p 5,95 samples >sizes
	pcb-diff --by cache sizes >found 2>/dev/null
	grep -e '^#' -e '^host' -e ',64,.*cold' samples | sed '/^# end/d' >one
	pcb-collect -q -d sim lat_rd -n 500 -w 4K:1M --cache cold,host-warm |
		pcb-stats -p 5,95 >windows
	pcb-collect -q -d sim bw_rd -n 500 -s 64:2048 --cache cold,host-warm |
		pcb-stats | pcb-model --join >bandwidths
	pcb-collect -q -d sim lat_rd -n 500 -s 64:1024 -w 4K:1M:x4 >map
	(cd "$TOP/experiments" &&
		pcb-diff --links miller/links.csv miller/minima.csv) >links
	pcb-ddio -t 1s "$TOP/experiments/ddio/iperf.csv" >metrics
	pcb-model nic -M simple >cards
	pcb-model reference -a >public
	printf 'node %s\n' 'r0 - -' 's0 r0 gen5x16' 'g0 s0 gen5x16' 'g1 s0 gen5x16' \
		'r1 - -' 'g2 r1 gen5x8' 'g3 r1 gen5x16' >topology
	echo link r0 r1 xgmi >>topology
	pcb-model tree --topology topology -f csv >machine
	awk 'BEGIN {
		print "kind,from,to,bandwidth_gbit_s"
		for (i = 0; i < 4; i++)
			for (k = 0; k < 4; k++)
				print "measured,g" i ",g" k "," \
				    (i == k ? 4000 : int(i / 2) == int(k / 2) ? 400 + i : 210 + k)
	}' | pcb-model flows --join --topology topology >cells 2>joined
	awk 'BEGIN {
		print "kind,test,from,to,bandwidth_gbit_s"
		for (t = 0; t < 4; t++)
			for (i = 0; i < 16; i++)
				print "measured,t" t ",g" int(i / 4) ",g" i % 4 "," 200 + i
	}' >tests
	awk 'BEGIN {
		print "part,time_ns,value,metric"
		for (p = 0; p < 10; p++)
			for (t = 1; t < 9; t++)
				print p "," t "e9," p * 9 + t ",a_gbit_s\n" p "," t "e9," p + t ",b_per_s"
	}' >intervals
	printf '%s\n' inject_delay,mean_ns,bandwidth_gbit_s 0,250,440 2,190,443 \
		700,120,45 >loaded
	printf '%s\n' interface,size_bytes,median_gbit_s w1,125,1 w16,125,16 \
		w256,125,30 >flights
	pcb-collect -q -d sim lat_rd -n 3000 --cache cold,host-warm >two
	awk 'BEGIN {
		print "device,parent,end,what,time_ns,old_value,new_value"
		for (i = 1; i <= 8; i++) {
			of = ",lower"
			print i ":00.0,0:" i of ",lanes,0,,16\n" i ":00.0,0:" i of ",d_state,0,,0"
			print "0:" i ",,upper,gen,0,,4"
			for (t = 0; t < 1e9; t += 1e9 / (i % 3 * 40 + 3)) {
				print i ":00.0,0:" i of ",gen," t "," (t ? n : "") "," 4 - i * ++k % 4
				n = 4 - i * k % 4
				print i ":00.0,0:" i of ",cor.BadTLP," t ",0,3"
			}
			if (i > 6)
				print i ":00.0,0:" i of ",d_state,1e9,0,3"
			print i ":00.0,0:" i of ",d_state,2e9,3,0"
		}
	}' >watched
	awk 'BEGIN {
		print "host,size_bytes,median_ns"
		for (i = 1; i <= 300; i++)
			for (s = 64; s <= 512; s *= 2)
				print "node" i "," s "," 500 + s / 8 + i % 9 + (i == 7) * s
	}' >hosts
}

# kinds: lines of a kind, perhaps with an option, and one of these inputs.
kinds() {
	cat <<-'EOF'
	cdf samples
	pct samples
	scatter two
	lat sizes
	bw bandwidths
	window windows
	heat map
	tree links
	tree machine
	matrix cells
	matrix tests
	reference public
	share bandwidths
	load loaded
	inflight flights
	change found
	nic cards
	fleet hosts
	ddio metrics
	ddio intervals
	link watched
	EOF
}

# shows TEXT...: the picture contains each text, in both of its forms.
shows() {
	local text

	for text; do
		[[ $drawn == *"$text"* ]] && grep -qF -- "$text" svg.drawn &&
			continue
		printf 'not shown: %s\n%s\n' "$text" "$drawn"
		grep '<text>' svg.drawn
		return 1
	done
}

# published FILE: imports this result of pcie-bench into `published`.
published() {
	[ "${PCB_TEST_DATA:-}" ] || skip "PCB_TEST_DATA is not set"
	pcb-import pciebench "$PCB_TEST_DATA/pciebench/$1" >published
}

# scripts INPUT ARGUMENT...: a run that writes a script, and nothing on stderr.
scripts() {
	given "$@"
	[ "$status" = 0 ] && [ "$stderr" = "" ] && return
	show 'a script'
}
