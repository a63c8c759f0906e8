# SPDX-License-Identifier: GPL-2.0-or-later
# Runs topics inside the guest: `sh runner.sh TOPIC,TOPIC...`. A line for each
# test goes to stdout, with the last of its commands if it failed, and of the
# programs' trace, all of which is in results/trace. What a test leaves in
# /tmp/results comes out of the guest.
# shellcheck shell=dash

# shellcheck source=tests/guest/helpers.sh
. "$(dirname "$0")/helpers.sh"

# check NAME FUNCTION: a test. It runs in a shell and a directory of its own
# and fails with its first command that fails, as in bats.
check() {
	started=$(date +%s)
	rm -rf /tmp/test /tmp/trace
	mkdir -m 777 /tmp/test
	(
		cd /tmp/test || exit
		set -eux
		"$2"
	) >/tmp/log 2>&1
	case $? in
	0) echo "ok $topic: $1" ;;
	77) echo "ok $topic: $1 # skip $(tail -n 1 /tmp/log)" ;;
	*)
		echo "not ok $topic: $1"
		tail -n 40 /tmp/log | cut -c -300 | sed 's/^/# /'
		show_trace "$topic: $1"
		;;
	esac
	echo "$(($(date +%s) - started)) $topic: $1" >>/tmp/results/seconds
}

# show_trace TEST: what the programs have traced, without libpci; the last is
# still in err if the test did not wait for its end.
show_trace() {
	{
		cat /tmp/trace
		grep '^debug: ' /tmp/test/err
	} 2>/dev/null | cut -c -300 >/tmp/rest
	[ -s /tmp/rest ] || return
	mkdir -p /tmp/results/trace
	cp /tmp/rest "/tmp/results/trace/$(echo "$1" | tr '/ ' '__')"
	grep -v ' libpci: ' /tmp/rest | tail -n 40 | sed 's/^/# /'
}

# For `make coverage`.
export GCOV_PREFIX=/tmp/results/gcov

echo "$1" | tr , '\n' >/tmp/topics
while read -r topic <&3; do
	# shellcheck source=/dev/null
	. "/guest/topics/$topic.sh"
done 3</tmp/topics
