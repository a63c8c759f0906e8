# SPDX-License-Identifier: GPL-2.0-or-later
# A Slurm on this machine only, for tests: nodes, controller and munge run as
# this user, with settings and keys of the current directory.
# shellcheck shell=bash

# slurm_path: the directory of Debian's daemons.
slurm_path() {
	PATH=$PATH:/usr/sbin "$@"
}

# start_node NAME
start_node() {
	mkdir -p "spool-$1"
	slurm_path slurmd -N "$1" -f "$SLURM_CONF" 3>&-
}

# wait_for_idle N: waits until N nodes are idle, at most 20 seconds.
wait_for_idle() {
	local tries=0

	until [ "$(sinfo -h -N -t idle -o %N 2>/dev/null | wc -l)" = "$1" ]; do
		((++tries < 200)) || return 1
		sleep 0.1
	done
}

# start_slurm PREFIX N: starts nodes PREFIX1 to PREFIXN; skips without Slurm.
start_slurm() {
	local here port=$((20000 + RANDOM % 20000)) i

	for program in munged slurmctld slurmd; do
		slurm_path command -v $program >/dev/null ||
			skip "$program is not installed"
	done
	export SLURM_CONF=$PWD/slurm.conf
	here=$(hostname -s)
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
	NodeName=$1[1-$2] NodeHostname=$here NodeAddr=127.0.0.1 \\
	Port=[$((port + 1))-$((port + $2))] CPUs=1 State=UNKNOWN
	PartitionName=all Nodes=ALL Default=YES State=UP
	END
	mkdir state
	(umask 077 && head -c 1024 /dev/urandom >munge.key)
	slurm_path munged --force --socket="$PWD/munge" --key-file="$PWD/munge.key" \
		--pid-file="$PWD/munged.pid" --log-file="$PWD/munged.log" \
		--seed-file="$PWD/munge.seed" 3>&-
	slurm_path slurmctld -f "$SLURM_CONF" 3>&-
	for ((i = 1; i <= $2; i++)); do
		start_node "$1$i"
	done
	wait_for_idle "$2" || {
		tail -n 5 slurm*.log
		return 1
	}
}

# stop_slurm: stops what start_slurm has started, and its jobs.
stop_slurm() {
	local process

	[ -n "${SLURM_CONF:-}" ] || return 0
	for process in /proc/[0-9]*; do
		! grep -zqxF "SLURM_CONF=$SLURM_CONF" "$process/environ" \
			2>/dev/null || kill -9 "${process#/proc/}" || :
	done
}
