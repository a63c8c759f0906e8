#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Fleets by the engines that pcb-fleet(7) names: a real Slurm, whose eight nodes
# are this machine, and GNU parallel over a real sshd on loopback. n3 has half the
# lanes, n6 dies while it measures.

load helpers

setup() {
	cd "$(mktemp -d "$BATS_TEST_TMPDIR/XXXXXX")" || exit
	unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES
	PATH=$PATH:/usr/sbin
	mkdir answers bin
	strange_hosts
}

teardown() {
	local process

	[ ! -e sshd.pid ] || kill "$(cat sshd.pid)" || :
	[ -n "${SLURM_CONF:-}" ] || return 0
	# The daemons, and what they have started.
	for process in /proc/[0-9]*; do
		! grep -zqxF "SLURM_CONF=$SLURM_CONF" "$process/environ" \
			2>/dev/null || kill -9 "${process#/proc/}" || :
	done
}

# strange_hosts: the programs of all hosts. `measured` lists who measured; n6 dies
# while `deadly` exists.
strange_hosts() {
	cat >bin/pcb-collect <<-END
	#!/bin/bash
	host=\$(grep -o 'host=n[0-9]' <<<"\$*")
	host=\${host#*=}
	echo "\$host" >>$PWD/measured
	options=(--seed "\${host#n}")
	[ \$host != n3 ] || options+=(-O link=gen3x4/mps256/mrrs512/rcb64)
	[ \$host != n6 ] || [ ! -e $PWD/deadly ] || $PWD/die
	exec $(command -v pcb-collect) "\$@" "\${options[@]}"
	END
	link x8 >dump
	link x4 >dump.n3
	cat >bin/pcb-doctor <<-END
	#!/bin/bash
	dump=$PWD/dump.\$SLURMD_NODENAME
	[ -e \$dump ] || dump=$PWD/dump
	exec $(command -v pcb-doctor) "\$@" --dump \$dump
	END
	chmod +x bin/*
	PATH=$PWD/bin:$PATH
}

# link WIDTH: a dump of a port and its NIC.
link() {
	cat <<-END
	00:01.0 PCI bridge: Intel Corporation Root Port (prog-if 00 [Normal decode])
		Bus: primary=00, secondary=01, subordinate=01, sec-latency=0
		Capabilities: [40] Express (v2) Root Port (Slot+), MSI 00
			LnkCap:	Port #1, Speed 8GT/s, Width x8, ASPM not supported
			LnkSta:	Speed 8GT/s, Width $1
	01:00.0 Ethernet controller: Intel Corporation 82599ES (rev 01)
		Capabilities: [40] Express (v2) Endpoint, MSI 00
			LnkCap:	Port #0, Speed 8GT/s, Width x8, ASPM not supported
			LnkSta:	Speed 8GT/s, Width $1
	END
}

# dies PARENT: n6 dies, with the parent of its programs: a script ./die.
dies() {
	cat >die <<-END
	#!/bin/bash
	process=\$PPID
	[ ! -e $PWD/slurmd-n6.pid ] || kill -9 "\$(cat $PWD/slurmd-n6.pid)"
	until [[ \$(cat /proc/\$process/comm) = $1* ]]; do
		process=\$(awk '/^PPid/ { print \$2 }' /proc/\$process/status)
	done
	kill -9 "\$process"
	kill -9 0
	END
	chmod +x die
	touch deadly
}

# fleet LINE...: what pcb-experiments fleet says.
fleet() {
	local wanted

	printf -v wanted '%s\n' "$@"
	try make -s -C "$TOP/experiments" fleet ANSWERS="$PWD/answers" \
		OUT="$PWD/out" BIN="$(dirname "$(command -v pcb-stats)")"
	output=$(grep -v "^$PWD" <<<"$output") || :
	is 0 "${wanted%$'\n'}" ""
}

# start_node NAME
start_node() {
	mkdir -p "spool-$1"
	slurmd -N "$1" -f "$SLURM_CONF" 3>&-
}

# wait_for_idle: waits until all nodes are idle, at most 20 seconds.
wait_for_idle() {
	local tries=0

	until [ "$(sinfo -h -N -t idle -o %N 2>/dev/null | wc -l)" = 8 ]; do
		((++tries < 100)) || { tail -n 5 slurm*.log && return 1; }
		sleep 0.2
	done
}

# start_slurm: a Slurm of this user on this machine only, with the nodes n1 to n8.
start_slurm() {
	local here port=$((20000 + RANDOM % 20000)) i

	here=$(hostname -s)
	export SLURM_CONF=$PWD/slurm.conf
	cat <<-END >"$SLURM_CONF"
	ClusterName=fleet
	SlurmctldHost=$here(127.0.0.1)
	SlurmctldPort=$port
	AuthType=auth/munge
	AuthInfo=socket=$PWD/munge
	CryptoType=crypto/munge
	SlurmUser=$(id -un)
	SlurmdUser=$(id -un)
	StateSaveLocation=$PWD/state
	SlurmdSpoolDir=$PWD/spool-%n
	SlurmctldPidFile=$PWD/slurmctld.pid
	SlurmdPidFile=$PWD/slurmd-%n.pid
	SlurmctldLogFile=$PWD/slurmctld.log
	SlurmdLogFile=$PWD/slurmd-%n.log
	ProctrackType=proctrack/linuxproc
	TaskPlugin=task/none
	SelectType=select/linear
	JobAcctGatherType=jobacct_gather/none
	AccountingStorageType=accounting_storage/none
	MpiDefault=none
	SlurmdTimeout=5
	MessageTimeout=10
	KillWait=1
	SchedulerParameters=sched_interval=1,bf_interval=1
	ReturnToService=2
	NodeName=n[1-8] NodeHostname=$here NodeAddr=127.0.0.1 \\
	Port=[$((port + 1))-$((port + 8))] CPUs=1 State=UNKNOWN
	PartitionName=all Nodes=ALL Default=YES State=UP
	END
	mkdir state
	(umask 077 && head -c 1024 /dev/urandom >munge.key)
	munged --force --socket="$PWD/munge" --key-file="$PWD/munge.key" \
		--pid-file="$PWD/munged.pid" --log-file="$PWD/munged.log" \
		--seed-file="$PWD/munge.seed" 3>&-
	slurmctld -f "$SLURM_CONF" 3>&-
	for ((i = 1; i <= 8; i++)); do
		start_node n$i
	done
	wait_for_idle
}

# has_run JOB: waits until the job has ended, at most 30 seconds.
has_run() {
	local tries=0

	while [ "$(squeue -h -j "$1" -t PD,R)" != "" ]; do
		((++tries < 150)) || return 1
		sleep 0.2
	done
}

@test "Slurm: the slow node is named, a dead one has no answer, and may return" {
	local job tries=0 submit=(sbatch --parsable --output=job.out --nodes=8
		"$TOP/examples/fleet/fleet.sbatch" "$PWD/answers" lat_rd -d sim
		-n 1K -s 2K -r 5)

	needs_program munged slurmctld slurmd sbatch srun
	start_slurm
	cp dump answers/good.txt
	dies slurmstepd
	job=$("${submit[@]}")
	until [ "$(find answers -name '*.csv' | wc -l)" = 7 ] &&
		grep -qx n6 measured; do
		((++tries < 100)) || return 1
		sleep 0.2
	done
	# What Slurm finds out itself after SlurmdTimeout.
	scontrol update nodename=n6 state=down reason=dead
	has_run "$job"
	[ "$(sort measured | xargs)" = "n1 n2 n3 n4 n5 n6 n7 n8" ]
	fleet "lat_rd: 1 of 7 hosts are more than 5 % off the median: n3" \
		"lat_rd: no answer from n6"
	# What the node has lost is beside its answer.
	[ "$(grep '^n[0-9]: ' job.out)" = "n3: see n3.doctor.txt" ]
	grep -q lost_link answers/n3.doctor.txt

	# Only the node without an answer is asked.
	rm deadly measured
	start_node n6
	# The first node waits a minute for the dead one.
	scontrol update nodename=n1 state=down reason=waits
	scontrol update nodename=n1 state=resume
	wait_for_idle
	has_run "$("${submit[@]}")"
	[ "$(cat measured)" = n6 ]
	fleet "lat_rd: 1 of 8 hosts are more than 5 % off the median: n3"
}

# start_sshd: for this user only, with keys and settings of this directory and
# none of the system.
start_sshd() {
	local port=$((20000 + RANDOM % 20000)) alone=()

	ssh-keygen -q -t ed25519 -N '' -f host_key
	ssh-keygen -q -t ed25519 -N '' -f key
	cat <<-END >sshd_config
	ListenAddress 127.0.0.1:$port
	HostKey $PWD/host_key
	AuthorizedKeysFile $PWD/key.pub
	PidFile $PWD/sshd.pid
	SetEnv PATH=$PATH
	StrictModes no
	UsePAM no
	MaxStartups 100
	END
	cat <<-END >ssh_config
	Host n*
	HostName 127.0.0.1
	Port $port
	User $(id -un)
	IdentityFile $PWD/key
	IdentitiesOnly yes
	BatchMode yes
	UserKnownHostsFile $PWD/known_hosts
	StrictHostKeyChecking accept-new
	LogLevel ERROR
	END
	printf '#!/bin/sh\nexec %s -F %s "$@"\n' "$(command -v ssh)" \
		"$PWD/ssh_config" >bin/ssh
	chmod +x bin/ssh
	# As root it needs a directory that its service creates.
	[ "$(id -u)" != 0 ] || [ -d /run/sshd ] ||
		alone=(unshare -m sh -c 'mount -t tmpfs run /run && mkdir /run/sshd &&
			exec "$@"' sh)
	"${alone[@]}" "$(command -v sshd)" -f "$PWD/sshd_config" \
		-E "$PWD/sshd.log" 3>&- ||
		skip "no sshd here: $(tail -n 1 sshd.log)"
	wait_for_bytes sshd.pid 1
	ssh n1 true </dev/null ||
		skip "no ssh to this user: $(tail -n 1 sshd.log)"
}

@test "GNU parallel over ssh: the page's line does the same" {
	needs_program parallel sshd
	start_sshd
	dies sshd
	sed -n '/^parallel /,/^\.Ed/{ /^\./!p; }' "$TOP/man/pcb-fleet.7" |
		sed 's/\\e$/\\/; s/-d gpu/-d sim -n 1K -s 2K/' >line
	[ "$(wc -l <line)" -gt 1 ]
	printf 'n%s\n' 1 2 3 4 5 6 >answers/hosts
	sed -i '1i Host n2\nPort 1' ssh_config
	run ! bash ./line
	fleet "lat_rd: 1 of 4 hosts are more than 5 % off the median: n3" \
		"lat_rd: no answer from n2 n6"

	# Only those that have failed are asked again.
	rm deadly measured
	sed -i '1,2d' ssh_config
	bash ./line
	[ "$(sort measured | xargs)" = "n2 n6" ]
	fleet "lat_rd: 1 of 6 hosts are more than 5 % off the median: n3"
	[ "$(ls answers)" = "$(printf '%s\n' hosts n{1..6}.lat_rd.csv)" ]
}
