# SPDX-License-Identifier: GPL-2.0-or-later
# Shared by the tests of pcb-diff.
# shellcheck shell=bash disable=SC2034

tests pcb-diff

# says STATUS INPUT WANTED MESSAGES [OPTION...]: without preamble. \n in WANTED
# and MESSAGES is a newline; "pcb-diff: " precedes each message.
says() {
	local wanted messages

	printf -v wanted -- "$3"
	printf -v messages -- "${4:+pcb-diff: $4}"
	given "$2" "${@:5}" -P
	is "$1" "$wanted" "${messages//$'\n'/$'\n'pcb-diff: }" "$2"
}

links=parent_ns,device_ns,latency_ns,latency_lo_ns,latency_hi_ns,serialization_ns,efficiency_pct,clocks,flags,runs
conditions=base_ns,other_ns,diff_ns,diff_lo_ns,diff_hi_ns,ratio_pct,differs,runs
unclear='differences are unclear: they need 5 runs of both (pcb-collect -r 5)'

# tree RUNS: a root port, a switch below it with a port, a device below that;
# every run adds 1 ns to all, and odd ones 2 ns to the device.
tree() {
	awk -v runs="$1" 'BEGIN {
		print "host,run,kind,device,link,parent,n,min_ns,median_ns"
		for (i = 1; i <= runs; i++) {
			row(i, "00:01.0", "", 100 + i)
			row(i, "01:00.0", "00:01.0", 250 + i)
			row(i, "02:00.0", "01:00.0", 300 + i)
			row(i, "03:00.0", "02:00.0", 450 + i + 2 * (i % 2))
		}
	}
	function row(run, device, parent, min) {
		printf "a,%d,measured,%s,,%s,9,%g,%g\n",
			run, device, parent, min, 2 * min
	}'
}
