# SPDX-License-Identifier: GPL-2.0-or-later
# Runs topics inside the guest: `sh runner.sh TOPIC,TOPIC...`. Prints a line for
# each test to stdout and, for a failure, the end of its trace and of the
# programs' traces. Files in /tmp/results leave the guest, including the whole
# traces of failed tests' programs.
# shellcheck shell=dash

# shellcheck source=tests/guest/helpers.sh
. "$(dirname "$0")/helpers.sh"

# check NAME FUNCTION: runs a test in its own shell and directory. It fails with
# its first command that fails, as in bats.
check() {
	started=$(date +%s)
	rm -rf /tmp/test
	mkdir -m 777 /tmp/test
	rm -f /tmp/trace
	touch /tmp/trace
	chmod 666 /tmp/trace
	(
		cd /tmp/test || exit
		export PCB_DEBUG=all PCB_DEBUG_FILE=/tmp/trace
		set -eux
		"$2"
	) >/tmp/log 2>&1
	case $? in
	0) echo "ok $topic: $1" ;;
	77) echo "ok $topic: $1 # skip $(tail -n 1 /tmp/log)" ;;
	*)
		echo "not ok $topic: $1"
		tail -n 40 /tmp/log | cut -c -300 | sed 's/^/# /'
		grep -v '^debug: pci:' /tmp/trace | tail -n 20 | sed 's/^/# /'
		cp /tmp/trace "/tmp/results/$topic.$2.trace"
		;;
	esac
	echo "$(($(date +%s) - started)) $topic: $1" >>/tmp/results/seconds
}

# For `make coverage`.
export GCOV_PREFIX=/tmp/results/gcov

echo "$1" | tr , '\n' >/tmp/topics
while read -r topic <&3; do
	# shellcheck source=/dev/null
	. "/guest/topics/$topic.sh"
done 3</tmp/topics
