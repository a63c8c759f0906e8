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
	printf 'nic,diff_ns\na,30\nb,-20\n' >input
	page diff
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
	[[ "$output" == *'differs|nic a|30 ns'*'differs|nic b|-20 ns'* ]]
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
					.split('\\n').slice(1).join('|'));"
	[ "$output" = 'cache warm|window 4 KiB|5 ns
cache warm|window 8 KiB|6 ns
cache cold|window 4 KiB|7 ns
cache cold|window 8 KiB|8 ns' ] || show "$output"
	printf 'a,latency_ns,count\nx,500,50\nx,510,50\ny,505,50\ny,515,50\n' >input
	page compare
	[ "$(grep -c '^<div class="pcb-panel"' page.html)" = 3 ]
	try in_browser page.html "
		out.push(document.querySelectorAll('g[id^=gnuplot_plot_]').length,
			document.querySelectorAll('.pcb-curve').length);"
	[ "$output" = $'6\n6' ]
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
