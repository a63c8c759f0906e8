# SPDX-License-Identifier: GPL-2.0-or-later
# qemu: -icount shift=1,sleep=off -smp 1 -rtc base=2026-01-01,clock=vm
# plain
#
# Time advances by 2 ns per instruction, so that results are the same whenever
# and wherever the guest runs. All functions of a level then have one latency,
# which the kernel alone determines; it does more for those on a root bus. How
# much more depends on the kernel, but is the same for all.
# shellcheck shell=dash disable=SC2154

# differences: per link, in ns, with limits. The step from a root bus down has
# no fixed number, but must be the same for all.
differences() {
	pcb-stats -P samples >statistics
	pcb-diff -P statistics | awk -F, -v OFS=, '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	{ row[++n] = $0; below[$at["device"]] }
	END {
		print "device,parent,latency_ns,latency_lo_ns,latency_hi_ns,runs"
		for (k = 1; k <= n; k++) {
			$0 = row[k]
			for (i = 3; i <= 5; i++) {
				name = i == 3 ? "" : i == 4 ? "_lo" : "_hi"
				ns[i] = sprintf("%.3f", $at["latency" name "_ns"])
				if (!($at["parent"] in below)) {
					if (step == "") step = ns[i]
					if (ns[i] == step) ns[i] = "step"
				}
			}
			print $at["device"], $at["parent"], ns[3], ns[4], ns[5],
				$at["runs"]
		}
	}'
}

every_link() {
	run pcb-collect lat_cfg -n 200 -r 6
	gives 0
	mv out samples
	differences >/tmp/results/links.csv
	diff /guest/golden/links.csv /tmp/results/links.csv
}
check "every link, run by run, is what it was" every_link

nothing_varies() {
	run pcb-collect lat_cfg -d 07:00.0 --path -n 500
	gives 0
	# The counter has 1 GHz, and an instruction takes 2 ns; how many
	# instructions form its step depends on the compiler. The rate is as
	# accurate as the kernel measured it.
	key clock_tick_ns <out | awk '{
		step = int($1 + 0.5)
		exit step < 2 || step > 8 || $1 / step < 0.99999 ||
			$1 / step > 1.00001
	}'
	tail -n 1 out | sed 's/.*ppm=\([^ ]*\).*/\1/' |
		awk '{ exit $1 < -10 || $1 > 10 }'
	# One sample in a hundred may include a timer tick.
	pcb-stats -P --floor out >statistics
	awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	{
		print
		least = $at["min_ns"]
		if ($at["p1_ns"] != least || $at["median_ns"] != least ||
		    $at["mode_ns"] != least || $at["p95_ns"] != least) exit 1
	}' statistics
}
check "minimum, mode, median and 95th percentile are one" nothing_varies
