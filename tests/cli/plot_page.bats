#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Pictures as pages: values under the pointer, curves that can be hidden.

load helpers
load plot

two='a,size_bytes,median_ns\nx,64,500\nx,128,600\nx,256,700\ny,64,900\ny,128,950\ny,256,990\n'

# page ARGUMENT...: makes page.html from `input`.
page() {
	command -v gnuplot >/dev/null || skip "gnuplot is not installed"
	pcb-plot "$@" input -o page.html 2>said
}

@test "a page is one file without references" {
	printf "$two" >input
	page lat
	[ "$(head -n 1 page.html)" = '<!DOCTYPE html>' ]
	[ "$(tail -n 1 page.html)" = '</html>' ]
	# XML namespaces do not count.
	run ! grep -Eq '(src|href)=["'"'"']?(http|//|\.|/)' page.html
	run ! grep -q 'url(' page.html
	[ "$(grep -c '^<i data-at=' page.html)" = 6 ]
	grep -q '^<b data-look="1">a x</b>$' page.html
	grep -q '^<figure class="pcb-figure" aria-label="Latency: 500 ns to 990 ns">' \
		page.html
	# What was found is there below a given title, too.
	pcb-plot lat --title Mine -T html input >script
	grep -q 'aria-label="Mine: 500 ns to 990 ns">' script
	grep -q "^sub\[1\] = '500 ns to 990 ns" script
	# The script makes the same page.
	pcb-plot lat -T html input | gnuplot | cmp - page.html
}

@test "values under the pointer, curves to switch, 400 pixels" {
	needs_browser
	printf "$two" >input
	page lat
	try in_browser page.html "
		const use = [...svg.querySelectorAll('use[transform]')].map(u =>
			u.getAttribute('transform').match(/[\\d.]+/g).map(Number));
		const at = use.filter(u => point(u[0], u[1]).includes('a x'));
		out.push(point(...at[0]).replace(/\\n/g, '|'));
		out.push('away:' + point(400, 5));
		const shown = () => [...svg.querySelectorAll('text')]
			.filter(t => t.style.display != 'none' && /^a [xy]/.test(t.textContent))
			.map(t => t.textContent).join();
		out.push(shown());
		buttons[0].click();
		out.push(buttons[0].getAttribute('aria-pressed'), shown(),
			use.some(u => point(u[0], u[1]).includes('a x')));
		buttons[0].click();
		out.push(shown());
		out.push(document.body.scrollWidth <= innerWidth);"
	[ "$output" = 'a x|500 ns at 64 B
away:
a x,a y
false
a y
false
a x,a y
true' ] || show "$output"
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
		# The script, and the probe.
		[ "$output" = $'2\ntrue\nfalse' ] || show "$text"
		n=$((n + 1))
	done
	[ "$n" = 10 ]
	[ ! -e harm ]
}

# hovers KIND: what the pointer says at the places of `input`, as sorted lines;
# and each place that is not drawn where the numbers at the axes say.
hovers() {
	page "$1"
	in_browser page.html '
		const seen = new Set(), data = document.querySelector(".pcb-data");
		const numbers = t => (t.match(/-?\d+(\.\d+)?/g) ?? []).map(Number);
		// What is drawn: corners and points.
		const drawn = [...svg.querySelectorAll("[id^=gnuplot_plot_] path, " +
			"[id^=gnuplot_plot_] polygon, [id^=gnuplot_plot_] use[transform]")].flatMap(e => {
			const all = numbers(["d", "points", "transform"]
				.map(n => e.getAttribute(n) ?? "").join(" "));
			return Array.from({ length: all.length / 2 | 0 },
				(_, i) => [all[2 * i], all[2 * i + 1]]);
		});
		const boxes = data.dataset.boxes.split(";").filter(b => b)
			.map(b => numbers(b.replaceAll(" ", ", ")));
		let checked = 0;
		for (const e of data.querySelectorAll("i")) {
			const [panel, , x, y, to] = e.dataset.at.split(" ").map(Number);
			const b = boxes[panel], high = svg.viewBox.baseVal.height;
			const part = (v, low, top, log) => log > 0 ?
				Math.log(v / low) / Math.log(top / low) : (v - low) / (top - low);
			const px = b[0] + part(x, b[4], b[5], b[8]) * (b[1] - b[0]);
			const py = high - b[2] - part(y, b[6], b[7], b[9]) * (b[3] - b[2]);
			const end = to === undefined ? px :
				b[0] + part(to, b[4], b[5], b[8]) * (b[1] - b[0]);
			seen.add(point((px + end) / 2, py).replace(/\n/g, "|"));
			checked++;
			// Of a cell it is the middle.
			if (to === undefined && !/heat|matrix/.test("'"$1"'") &&
			    !drawn.some(([u, v]) => Math.hypot(u - px, v - py) < 1.5) &&
			    !e.textContent.includes("median of all"))
				seen.add("misplaced: " + e.textContent);
		}
		if (!checked) seen.add("nothing");
		out.push(...[...seen].filter(t => t).sort());'
}

@test "each kind: the pointer says the numbers of the data, all of them" {
	needs_browser
	local kind input wanted

	while IFS='~' read -r kind input wanted; do
		printf '%b\n' "$input" >input
		[ "$(hovers "$kind" | paste -s -d ^)" = "$wanted" ] ||
			show "$kind: $(hovers "$kind" | paste -s -d ^)"
	done <<-'EOF'
	cdf~a,latency_ns\nx,5\nx,6\ny,8~a x|100 % at or below 6 ns^a x|50 % at or below 5 ns^a y|100 % at or below 8 ns
	pct~a,latency_ns\nx,5\nx,7~100 % at or below 7 ns^50 % at or below 5 ns
	scatter~a,latency_ns\nx,5\ny,9~a x|5 ns at sample 1^a y|9 ns at sample 1
	lat~a,size_bytes,median_ns\nx,64,5\nx,128,6\ny,64,9\ny,128,8~a x|5 ns at 64 B^a x|6 ns at 128 B^a y|8 ns at 128 B^a y|9 ns at 64 B
	bw~size_bytes,median_gbit_s,model_gbit_s\n64,5,10\n128,8,10~measured|5 Gbit/s at 64 B; 50 % of the limit^measured|8 Gbit/s at 128 B; 80 % of the limit
	nic~frame_bytes,median_gbit_s\n64,5\n1518,6~measured|5 Gbit/s at 64 B^measured|6 Gbit/s at 1518 B
	load~inject_delay,mean_ns,bandwidth_gbit_s\n0,900,40\n9,200,5~measured|200 ns at 5 Gbit/s^measured|900 ns at 40 Gbit/s
	heat~size_bytes,a,median_ns\n64,x,5\n128,y,6~a x, size 64 B|5 ns^a y, size 128 B|6 ns
	matrix~from,to,bandwidth_gbit_s,model_gbit_s,model_ratio_pct\na,b,40,50,80\nb,a,41,50,82~a to b|40 Gbit/s of 50, 80 %^b to a|41 Gbit/s of 50, 82 %
	change~a,base,cache,base_ns,other_ns,diff_ns,differs\nx,cold,warm,9,5,-4,yes\ny,cold,warm,8,7,-1,no~a x|9 ns to 5 ns: -4 ns^a y|8 ns to 7 ns: -1 ns
	tree~device,parent,link,bw_wr_gbit_s,path_gbit_s,limiting_link\nr,,,,,\ns,r,gen3x8,50,,\ng,s,gen3x16,100,50,s~g gen3x16|100 Gbit/s^s gen3x8|50 Gbit/s, 50 % lost of 100
	fleet~host,median_ns\na,5\nb,5\nc,9~a: 5 ns, +0 %^b: 5 ns, +0 %^c: 9 ns, +80 %^median of all hosts: 5 ns
	reference~kind,initiator,direction,bench,link,model_ratio_pct,name\npublished,gpu,read,,gen3x8,80,card\nmeasured,gpu,,bw_rd,gen3x16,70,mine~read by gpu, gen3|card, gen3x8: 80 % of the bound^read by gpu, gen3|yours: mine, gen3x16: 70 % of the bound
	ddio~metric,socket,value\na_gbit_s,0,5\na_gbit_s,1,6\nb_per_s,0,7~a, socket 0|bandwidth (Gbit/s): 5^a, socket 1|bandwidth (Gbit/s): 6^b, socket 0|requests (1/s): 7
	link~device,parent,end,what,time_ns,old_value,new_value\nb,a,lower,gen,0,,4\nb,a,lower,lanes,0,,16\nb,a,lower,gen,2e9,4,1\na,,upper,cor.BadTLP,25e8,1,3\nb,a,lower,gen,4e9,1,1~b at a|cor.BadTLP at a, 2 counted, 2.5 s^b at a|gen1x16, 2 s to 4 s^b at a|gen4x16, 0 ns to 2 s
	EOF
}
