#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Pictures as pages: values under the pointer, curves that can be hidden.

load helpers
load plot

two='a,size_bytes,median_ns\nx,64,500\nx,128,600\nx,256,700\ny,64,900\ny,128,950\ny,256,990\n'

# page ARGUMENT...: makes page.html from `input`.
page() {
	command -v gnuplot >/dev/null || skip "gnuplot is not installed"
	pcb-plot "$@" input -o page.html
}

@test "a page is one file without references" {
	printf "$two" >input
	page lat
	[ "$(head -n 1 page.html)" = '<!DOCTYPE html>' ]
	[ "$(tail -n 1 page.html)" = '</html>' ]
	# XML namespaces do not count.
	run ! grep -Eq '(src|href)=["'"'"']?(http|//|\.|/)' page.html
	run ! grep -q 'url(' page.html
	[ "$(grep -c 'class="pcb-curve" ' page.html)" = 2 ]
	grep -q 'data-name="a x"' page.html
	grep -q '^<figure class="pcb-figure" aria-label="Latency">' page.html
	# The script makes the same page.
	pcb-plot lat -T html input | gnuplot | cmp - page.html
	pcb-plot lat -T html -o script.gp input
	gnuplot script.gp >page2.html
	[ "$(grep -c pcb-curve page2.html)" = "$(grep -c pcb-curve page.html)" ]
}

@test "values under the pointer, curves to switch, 400 pixels" {
	needs_browser
	printf "$two" >input
	page lat
	local box left right low high

	box=$(sed -n 's/.* data-box="\([^"]*\)".*/\1/p' page.html)
	read -r left right low high <<<"$box"
	# Points in a corner have the lowest x and the highest y.
	try in_browser page.html "
		for (const x of [$left, $right])
			for (let y = 500 - $high; y < 500 - $low; y += 3) {
				const text = point(x + (x == $left ? 12 : -12), y);
				if (text && !out.includes(text.replace(/\\n/g, '|')))
					out.push(text.replace(/\\n/g, '|'));
			}
		// Sizes are on a logarithmic axis.
		out.push([...Array(80).keys()].some(i => point(
			($left + $right) / 2, 500 - $high + i * ($high - $low) / 80)
			.includes(' at 128 bytes')));
		out.push('away: ' + point(400, 5));
		buttons[0].click();
		out.push(buttons[0].getAttribute('aria-pressed'),
			svg.querySelector('g[id^=gnuplot_plot_1]').style.display,
			svg.querySelector('g[id^=gnuplot_plot_2]').style.display);
		const text = [];
		for (let y = 500 - $high; y < 500 - $low; y += 3)
			text.push(point($left + 12, y));
		out.push(text.some(t => t.includes('a x')));
		buttons[0].click();
		out.push(svg.querySelector('g[id^=gnuplot_plot_1]').style.display);
		buttons.find(b => b.textContent == '+').click();
		out.push(svg.viewBox.baseVal.width);
		buttons.find(b => b.textContent == 'whole').click();
		out.push(svg.viewBox.baseVal.width);
		out.push(document.body.scrollWidth <= innerWidth,
			svg.getBoundingClientRect().width);"
	[ "$output" = 'a y|900 ns at 64 bytes
a x|500 ns at 64 bytes
a y|990 ns at 256 bytes
a x|700 ns at 256 bytes
true
away: 
false
none

false

560
800
true
640' ] || show "$output"
}

@test "rows and panels have values, too" {
	needs_browser
	printf 'nic,base_ns,other_ns\na,30,60\nb,50,20\n' >input
	page change
	try in_browser page.html "
		const box = document.querySelector('.pcb-panel').dataset.box
			.split(' ').map(Number);
		for (let y = svg.viewBox.baseVal.height - box[3];
			y < svg.viewBox.baseVal.height - box[2]; y += 5)
			for (let x = box[0]; x < box[1]; x += 20) {
				const text = point(x, y).replace(/\\n/g, '|');
				if (text && !out.includes(text)) out.push(text);
			}"
	# From top to bottom.
	[[ "$output" == *'nic a|30 ns to 60 ns'*'nic b|50 ns to 20 ns'* ]]
	# Cells have the names of their row and column.
	printf 'cache,window_bytes,median_ns\nwarm,4096,5\ncold,4096,7\nwarm,8192,6\ncold,8192,8\n' \
		>input
	page heat
	try in_browser page.html "
		const box = document.querySelector('.pcb-panel').dataset.box
			.split(' ').map(Number), high = svg.viewBox.baseVal.height;
		for (const y of [.25, .75])
			for (const x of [.25, .75])
				out.push(point(box[0] + x * (box[1] - box[0]),
					high - box[3] + y * (box[3] - box[2]))
					.replace(/\\n/g, '|'));"
	[ "$output" = 'cache warm|window 4 KiB|5 ns
cache warm|window 8 KiB|6 ns
cache cold|window 4 KiB|7 ns
cache cold|window 8 KiB|8 ns' ] || show "$output"
}

@test "no text from outside becomes a part of the page" {
	needs_browser
	local text n=0

	for text in '<script>document.title="harm"</script>' \
		'</script><img src=q onerror="document.title=1">' \
		'</title x' '</title><script>document.title=3</script>' \
		'" onmouseover="document.title=2' '&lt;b&gt;' '<!--' \
		"'; print 'x" '`touch harm`' '@a'; do
		printf 'a,size_bytes,median_ns\n"%s",64,5\n"%s",128,6\n' \
			"${text//\"/\"\"}" other >input
		page lat --title "$text"
		try in_browser page.html "
			out.push(document.querySelectorAll('img, script').length,
				document.title == $(printf '%s' "$text" | sed 's/[\\"]/\\&/g; s/<\//<\\\//g; s/<!--/\\x3c!--/; s/<script/\\x3cscript/; s/.*/"&"/'),
				[...document.querySelectorAll('*')]
					.some(e => e.hasAttribute('onmouseover')));"
		# Two curves, the script, and the probe.
		[ "$output" = $'4\ntrue\nfalse' ] || show "$text"
		n=$((n + 1))
	done
	[ "$n" = 10 ]
	[ ! -e harm ]
}

# hovers KIND INPUT: what the pointer says at each place that the SVG draws, as
# sorted lines; and each number of the data that is not drawn where the numbers
# at the axes say.
hovers() {
	pcb-plot "$1" "$2" -o page.html
	in_browser page.html '
		const seen = new Set();
		const coordinates = e => [...["d", "points", "transform"]
			.map(n => e.getAttribute(n) ?? "").join(" ")
			.matchAll(/(-?[0-9.]+),(-?[0-9.]+)/g)]
			.map(m => [Number(m[1]), Number(m[2])]);
		// A text begins below its tic.
		const tics = [...svg.querySelectorAll("text")].map(t => {
			const [[x, y]] = coordinates(t.parentNode);
			return { at: [x, y - 3.9], value: Number(t.textContent),
				anchor: t.parentNode.getAttribute("text-anchor") };
		}).filter(t => !isNaN(t.value)).sort((a, b) => a.value - b.value);
		function place(list, i, value) {
			const k = Math.max(1, list.findIndex(t => t.value >= value));
			const [a, b] = [list[k - 1], list[k]];
			return a.at[i] + (b.at[i] - a.at[i]) * (value - a.value) /
				(b.value - a.value);
		}
		const groups = [...svg.querySelectorAll("g[id^=gnuplot_plot_]")];
		let checked = 0;
		for (const panel of document.querySelectorAll(".pcb-panel")) {
			const d = panel.dataset;
			const [left, right, low, high] = d.box.split(" ").map(Number);
			const bottom = svg.viewBox.baseVal.height - low;
			const axes = [tics.filter(t => t.anchor == "middle" &&
					Math.abs(t.at[1] - bottom) < 30),
				tics.filter(t => t.anchor == "end" && t.at[0] < left &&
					t.at[1] <= bottom + 1 && t.at[1] >= bottom - high + low - 1)];
			for (const block of panel.querySelectorAll(".pcb-curve")) {
				const all = [...groups.shift()
					.querySelectorAll("path, polygon, use")].map(coordinates).flat();
				const points = block.textContent.split("\n")
					.map(l => l.trim().split(" ").map(Number))
					.filter(p => p.length == 2);
				for (const p of points)
					for (const i of d.columns ? [] : d.rows ? [0] :
							d.x.includes("%") ? [1] : [0, 1]) {
						const unit = d[i ? "yAxis" : "xAxis"].split(" ")[0];
						const wanted = place(axes[i], i, p[i] / unit);
						checked++;
						if (!all.some(at => Math.abs(at[i] - wanted) < 1))
							seen.add("misplaced: " + p);
					}
			}
		}
		if (!checked != !!document.querySelector("[data-columns]"))
			seen.add("checked: " + checked);
		for (const g of svg.querySelectorAll("g[id^=gnuplot_plot_]")) {
			for (const e of g.querySelectorAll("path, polygon, use")) {
				const all = coordinates(e);
				// Of an area its middle: corners may be those of others.
				const mean = i => all.reduce((sum, p) => sum + p[i], 0) /
					all.length;
				for (const p of e.matches("polygon") ? [[mean(0), mean(1)]] :
					g.querySelector("polygon") ? [] : all)
					seen.add(point(...p).replace(/\n/g, "|"));
			}
		}
		out.push(...[...seen].filter(t => t).sort());'
}

@test "each kind: the pointer says the numbers of the data, all of them" {
	needs_browser
	small
	local kind file wanted line

	while read -r kind file; do
		wanted=
		while read -r line && [ "$line" ]; do
			wanted+=${wanted:+$'\n'}$line
		done
		[ "$(hovers "$kind" "$file")" = "$wanted" ] ||
			show "$kind: $(hovers "$kind" "$file")"
	done <<-'EOF'
	cdf samples
	a x|samples at or below (%): 0|latency (ns): 5
	a x|samples at or below (%): 100|latency (ns): 7
	a x|samples at or below (%): 33.3333|latency (ns): 5
	a x|samples at or below (%): 66.6667|latency (ns): 6
	a y|samples at or below (%): 0|latency (ns): 8
	a y|samples at or below (%): 100|latency (ns): 9
	a y|samples at or below (%): 50|latency (ns): 8
	a y|samples at or below (%): 50|latency (ns): 9

	pct samples
	a x|100 % at or below 7 ns
	a x|33.3333 % at or below 5 ns
	a x|66.6667 % at or below 6 ns
	a y|100 % at or below 9 ns
	a y|50 % at or below 8 ns

	scatter samples
	a x|latency (ns): 5|sample: 1
	a x|latency (ns): 6|sample: 2
	a x|latency (ns): 7|sample: 3
	a y|latency (ns): 8|sample: 1
	a y|latency (ns): 9|sample: 2

	lat sizes
	a x|5 ns at 64 bytes
	a x|6 ns at 128 bytes
	a y|8 ns at 128 bytes
	a y|9 ns at 64 bytes

	bw bandwidths
	a x|5 Gbit/s at 64 bytes
	a x|6 Gbit/s at 128 bytes
	a y|7 Gbit/s at 64 bytes
	a y|8 Gbit/s at 128 bytes
	model|bandwidth (Gbit/s): 9|transfer size (bytes): 128
	model|bandwidth (Gbit/s): 9|transfer size (bytes): 64

	window windows
	a x|5 ns at 64 bytes
	a x|6 ns at 128 bytes
	a y|8 ns at 128 bytes
	a y|9 ns at 64 bytes

	share shares
	limit of the link|% of the limit of the link: 100|transfer size (bytes): 128
	limit of the link|% of the limit of the link: 100|transfer size (bytes): 64
	measured|50 % at 64 bytes
	measured|60 % at 128 bytes

	load loaded
	a x|200 ns at 5 Gbit/s
	a x|900 ns at 40 Gbit/s
	a y|100 ns at 6 Gbit/s
	a y|800 ns at 30 Gbit/s

	heat sizes
	a x|size 128 B|6 ns
	a x|size 64 B|5 ns
	a y|size 128 B|8 ns
	a y|size 64 B|9 ns

	matrix matrix
	from a|to a|900 Gbit/s
	from a|to b|40 Gbit/s of 50, 80 %
	from a|to c|20 Gbit/s of 50, 40 %
	from b|to a|41 Gbit/s of 50, 82 %
	from b|to c|21 Gbit/s of 50, 42 %
	from c|to a|22 Gbit/s of 50, 44 %
	from c|to b|23 Gbit/s of 50, 46 %

	change changes
	cold|a x|9 ns to 5 ns: -4 ns
	cold|a y|8 ns to 7 ns: -1 ns
	other: not shown to differ|a y|8 ns to 7 ns: -1 ns
	other|a x|9 ns to 5 ns: -4 ns

	tree tree
	the way there|a|5 ns
	the way there|b|5 ns
	the way there|c|5 ns
	this link and its device|b|+3 ns
	this link and its device|c|+4 ns

	tree machine
	carries all that is below it|g gen3x16|100 Gbit/s
	less than a single device below it|s gen3x8|50 Gbit/s, 50 % lost of 100

	nic frames
	Ethernet|throughput (Gbit/s): 9|frame size (bytes): 128
	Ethernet|throughput (Gbit/s): 9|frame size (bytes): 64
	a x|throughput (Gbit/s): 5|frame size (bytes): 64
	a x|throughput (Gbit/s): 6|frame size (bytes): 128
	a y|throughput (Gbit/s): 7|frame size (bytes): 64
	a y|throughput (Gbit/s): 8|frame size (bytes): 128

	fleet hosts
	a host|size 128 B|a: 7 ns, +0 %
	a host|size 128 B|b: 7 ns, +0 %
	a host|size 64 B|a: 5 ns, +0 %
	a host|size 64 B|b: 5 ns, +0 %
	a host|size 64 B|c: 5 ns, +0 %
	median|size 128 B|7 ns
	median|size 64 B|5 ns
	out of line|size 128 B|c: 9 ns, +28.6 %

	reference public
	a public result|read by gpu, gen3|card, gen3x8: 80 % of the bound
	a public result|read by gpu, gen3|other, gen3x8: 90 % of the bound
	bound|read by gpu, gen3|the bound of the link
	yours|read by gpu, gen3|mine, gen3x16: 70 % of the bound

	ddio metrics
	a, socket 0|bandwidth (Gbit/s): 5
	a, socket 1|bandwidth (Gbit/s): 6
	b, socket 0|requests (1/s): 7

	link watched
	asleep|b at a|asleep, 5 s to 6 s
	errors|b at a|cor.BadTLP at a, cor_status at b, 2 counted, 3.5 s to 3.501 s
	errors|b at a|nonfatal.DLP at c, fatal.DLP at c, 2 counted, 7 s
	gen 1|b at a|gen1x16, 1 s to 2 s
	gen 2|b at a|gen2x16, 2.001 s to 2.015 s
	gen 4|b at a|gen4x16, 0 ns to 1 s
	gen 4|b at a|gen4x16, 2 s to 4 s
	gen 4|b at a|gen4x8, 4 s to 5 s
	gone|b at a|gone, 6 s to 7 s
	EOF
}

# all_kinds: a report, all.html, of all kinds.
all_kinds() {
	local kind file n=10

	command -v gnuplot >/dev/null || skip "gnuplot is not installed"
	inputs
	mkdir out
	echo 'DEVICE=sim N=' >out/settings
	cp two out/two.samples.csv
	while read -r kind file; do
		n=$((n + 1))
		# Some have an option.
		# shellcheck disable=SC2086
		pcb-plot $kind $file -o "out/$n-${kind%% *}.html" 2>said ||
			show "$(cat said)"
		# A placeholder: the report uses the page.
		: >"out/$n-${kind%% *}.svg"
	done < <(kinds)
	"$TOP/experiments/report" out >all.html
}

@test "a report of every kind: values, curves to switch, 400 pixels, paper" {
	needs_browser
	all_kinds
	try in_browser all.html '
		for (const figure of document.querySelectorAll("figure")) {
			const svg = figure.querySelector("svg");
			const list = [...figure.querySelectorAll("button")];
			const curves = list.filter(b => b.className != "pcb-zoom");
			const names = curves.map(b => b.textContent);
			const seen = new Set();
			// The corners of lines and areas, and points: where each
			// curve has a value.
			function places(group) {
				const of = (e, name) => e.getAttribute(name);
				const pairs = text => [...text.matchAll(
					/(-?[0-9.]+),(-?[0-9.]+)/g)].map(m => [m[1], m[2]]);
				const areas = [...group.querySelectorAll("polygon")]
					.map(e => pairs(of(e, "points")));
				const middles = areas.map(a => [0, 1].map(i => a.reduce(
					(sum, p) => sum + Number(p[i]), 0) / a.length));
				return [...group.querySelectorAll("path")]
					.map(e => pairs(of(e, "d"))).flat()
					.concat(areas.flat(), middles,
						[...group.querySelectorAll("use")]
							.map(e => pairs(of(e, "transform"))).flat());
			}
			function values() {
				const ctm = svg.getScreenCTM();
				seen.clear();
				for (const g of svg.querySelectorAll("g[id^=gnuplot_plot_]")) {
					const all = places(g);
					for (let i = 0; i < all.length; i += 1 + (all.length >> 8)) {
						const at = new DOMPoint(...all[i]).matrixTransform(ctm);
						svg.dispatchEvent(new PointerEvent("pointermove",
							{ clientX: at.x, clientY: at.y, bubbles: true }));
						const text = figure.querySelector(".pcb-value").textContent;
						if (text.includes("undefined") || text.includes("NaN"))
							out.push(text);
						if (text)
							seen.add(text.split("\n")[0]);
					}
				}
			}
			let heading = figure;
			while (heading.tagName != "H2")
				heading = heading.previousElementSibling;
			const result = [heading.id];
			values();
			const unseen = names.filter(n => !seen.has(n));
			result.push("unseen:" + unseen);
			const drawn = () => [...svg.querySelectorAll("g[id^=gnuplot_plot_]")]
				.filter(g => g.style.display != "none").length;
			const all = drawn();
			let wrong = 0;
			for (const b of curves) {
				b.click();
				if (drawn() >= all) wrong++;
				b.click();
				if (drawn() != all) wrong++;
			}
			result.push("wrong:" + wrong);
			for (const b of curves) b.click();
			values();
			result.push("off:" + names.filter(n => seen.has(n)));
			for (const b of curves) b.click();
			const width = svg.viewBox.baseVal.width;
			list.find(b => b.textContent == "+").click();
			const near = svg.viewBox.baseVal.width < width;
			list.find(b => b.textContent == "whole").click();
			result.push("zoom:" + (near && svg.viewBox.baseVal.width == width));
			// gnuplot titles would show up beside the value.
			result.push("titles:" + svg.querySelectorAll("title").length);
			result.push("samples:" + (figure.querySelectorAll("button svg > *").length
				>= curves.length));
			out.push(result.join(" "));
		}
		out.push(document.body.scrollWidth <= innerWidth);'
	kinds | awk '{ print 10 + NR "-" $1 " unseen: wrong:0 off: zoom:true titles:0 samples:true" }
		END { print "true" }' >expected
	[ "$output" = "$(<expected)" ] || show "$(diff expected - <<<"$output")"
	command -v pdftotext >/dev/null || skip "pdftotext is not installed"
	print_page all.html
	pdftotext -layout page.pdf text
	[ "$(grep -c 'Read latency (simulated)' text)" -ge 10 ]
	run ! grep -q whole text
}

@test "a printed page has the names of its curves" {
	needs_browser
	command -v pdftotext >/dev/null || skip "pdftotext is not installed"
	printf "$two" >input
	page lat
	print_page page.html
	# pdftotext may drop a narrow blank of a name.
	pdftotext -layout page.pdf text
	grep -Eq 'a ?x' text
	grep -Eq 'a ?y' text
	grep -q 'transfer size (bytes)' text
	# Controls are not printed.
	run ! grep -q whole text
}
