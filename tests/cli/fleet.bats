#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Fleets whose hosts are all this machine: reached by a real sshd on loopback,
# or by a Slurm with nodes here. A fake pcb-collect makes them differ: n3 has
# half the lanes, n5 an IOMMU, n6 dies.

load helpers
load slurm

setup() {
	cd "$(mktemp -d "$BATS_TEST_TMPDIR/XXXXXX")" || exit
	unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES
	real=$(dirname "$(command -v pcb-collect)")
	mkdir bin
	ln -s "$real"/pcb-* bin
	rm bin/pcb-collect
	strange_hosts >bin/pcb-collect
	chmod +x bin/pcb-collect
	printf 'n%s\n' 1 2 3 4 5 6 7 8 >hosts
}

teardown() {
	stop_slurm
	[ ! -e sshd.pid ] || kill "$(cat sshd.pid)"
}

# The program of each host. `measured` lists what was measured; n6 dies of a
# bandwidth bench while `deadly` exists.
strange_hosts() {
	printf '#!/bin/bash\nreal=%q\ncd %q\n' "$real" "$PWD"
	cat <<-'END'
	host=$(grep -o 'host=n[0-9]' <<<"$*")
	host=${host#*=}
	echo "$host $1" >>measured
	options=(--seed "${host#n}" -O "jitter=1${host#n}ns")
	case $host in
	n3) options+=(-O link=gen3x4/mps256/mrrs512/rcb64) ;;
	n5) options+=(-O iommu=on) ;;
	n6) [ "$1" != bw_rd ] || [ ! -e deadly ] || ./die ;;
	n8) [ "$1" != bw_wr ] || exec sleep 60 ;;
	esac
	[ "$1" != list ] || options=()
	exec "$real/pcb-collect" "$@" "${options[@]}"
	END
}

# dies: n6 dies, with the parent of its programs: a function for ./die.
dies() {
	cat <<-'END' >die
	#!/bin/bash
	process=$PPID
	[ ! -e slurmd-n6.pid ] || kill -9 "$(cat slurmd-n6.pid)"
	until [[ $(cat /proc/$process/comm) =~ ^(sshd|slurmstepd) ]]; do
		process=$(awk '/^PPid/ { print $2 }' /proc/$process/status)
	done
	kill -9 "$process"
	kill -9 0
	END
	chmod +x die
	touch deadly
}

# make_fleet ARGUMENT...: sets status, output and stderr.
make_fleet() {
	try timeout 180 make -s -C "$TOP/experiments" fleet N=1K \
		HOSTS="$PWD/hosts" OUT="$PWD/out" BIN="$PWD/bin" "$@"
	# A warning of a slow machine: how long the start took, and the remedy.
	stderr=$(grep -v '^parallel: Warning: ' <<<"$stderr") || :
}

fleet() {
	make_fleet "$@"
	[ "$status" = 0 ] || show "status 0"
}

# refused MESSAGE ARGUMENT...: and nothing is written.
refused() {
	make_fleet "${@:2}"
	[[ "$status $stderr" == "2 fleet: $1"* ]] || show "(status 2)
fleet: $1"
	[ ! -e out/fleet/odd.csv ]
}

needs_parallel() {
	[[ $(parallel --version 2>/dev/null) == "GNU parallel"* ]] ||
		skip "GNU parallel is not installed"
}

# The strange hosts and their faults, beside those without an answer.
named='n3,lat_rd,link,gen3x4/mps256/mrrs512/rcb64
n3,bw_rd,link,gen3x4/mps256/mrrs512/rcb64
n3,bw_rd size_bytes=64,median_gbit_s
n3,bw_rd size_bytes=512,median_gbit_s
n5,lat_rd,iommu,on
n5,bw_rd,iommu,on'

# names ROW...: reports those rows, and these.
names() {
	local wanted

	wanted=$(printf '%s\n' "$named" "$@" | grep . | sort)
	[ "$(sed 1d out/fleet/odd.csv | cut -d, -f1-4 |
		sed 's/\(_gbit_s\),.*/\1/' | sort)" = "$wanted" ] ||
		show "odd:
$wanted
not
$(cat out/fleet/odd.csv)"
	# The plot names hosts off the median.
	command -v gnuplot >/dev/null || return 0
	grep -q '<text>n3 [-+]' out/fleet/bw_rd.svg || show 'n3 in a picture'
}

# start_sshd: for this user only, with keys and settings of this directory and
# none of the system.
start_sshd() {
	local sshd ssh_port=$((20000 + RANDOM % 20000)) alone=()

	sshd=$(PATH=$PATH:/usr/sbin command -v sshd) ||
		skip "sshd is not installed"
	ssh-keygen -q -t ed25519 -N '' -f host_key
	ssh-keygen -q -t ed25519 -N '' -f key
	cat <<-END >sshd_config
	ListenAddress 127.0.0.1:$ssh_port
	HostKey $PWD/host_key
	AuthorizedKeysFile $PWD/key.pub
	PidFile $PWD/sshd.pid
	StrictModes no
	UsePAM no
	MaxStartups 100
	END
	cat <<-END >ssh_config
	Host n*
	HostName 127.0.0.1
	Port $ssh_port
	User $(id -un)
	IdentityFile $PWD/key
	IdentitiesOnly yes
	UserKnownHostsFile $PWD/known_hosts
	StrictHostKeyChecking accept-new
	LogLevel ERROR
	END
	# As root it needs a directory that its service creates.
	[ "$(id -u)" != 0 ] || [ -d /run/sshd ] ||
		alone=(unshare -m sh -c 'mount -t tmpfs run /run && mkdir /run/sshd &&
			exec "$@"' sh)
	"${alone[@]}" "$sshd" -f "$PWD/sshd_config" -E "$PWD/sshd.log" 3>&- ||
		skip "no sshd here: $(tail -n 1 sshd.log)"
	wait_for_bytes sshd.pid 1
	ssh -F ssh_config -o BatchMode=yes n1 true </dev/null ||
		skip "no ssh to this user: $(tail -n 1 sshd.log)"
	ssh="ssh -F $PWD/ssh_config -o BatchMode=yes"
}

@test "by ssh: strange hosts are named, the dead cost their own rows only" {
	needs_parallel
	start_sshd
	dies
	sed -i '1i Host n7\nPort 1' ssh_config
	fleet SSH="$ssh"
	[[ $stderr == *"fleet: n6: missing: bw_rd
"* ]] || show "n6 misses bw_rd"
	[[ $stderr == *"fleet: n7: missing: list lat_rd bw_rd
    ssh: connect to host 127.0.0.1 port 1: Connection refused"* ]] ||
		show "n7 refused"
	names n6,bw_rd,answer,missing n7,{list,lat_rd,bw_rd},answer,missing
	[ "$(pcb-stats -g host out/fleet/lat_rd.samples.csv | column n | xargs)" = \
		"5000 5000 5000 5000 5000 5000 5000" ]
	[ "$(column host <out/fleet/list.csv | sort -u | xargs)" = \
		"n1 n2 n3 n4 n5 n6 n8" ]

	# Only missing answers are collected.
	rm deadly measured
	sed -i '1,2d' ssh_config
	fleet SSH="$ssh"
	[ "$stderr" = "" ] || show "not a word"
	[ "$(sort measured | xargs)" = "n6 bw_rd n7 bw_rd n7 lat_rd n7 list" ]
	names
	rm measured
	fleet SSH="$ssh"
	[ ! -e measured ]
}

@test "by Slurm: strange hosts are named, the dead cost their own rows only" {
	# Its daemons wait for each other by the clock.
	# shellcheck disable=SC2034
	BATS_TEST_RETRIES=1
	start_slurm n 8
	dies
	echo n9 >>hosts
	fleet ENGINE=slurm
	[[ $stderr == *"fleet: n6: missing: bw_rd"* ]] || show "n6 misses bw_rd"
	[[ $stderr == *"fleet: n9: missing: list lat_rd bw_rd
    "*"Invalid node name"* ]] || show "n9 is no node"
	names n6,bw_rd,answer,missing n9,{list,lat_rd,bw_rd},answer,missing
	[ "$(squeue -h -t PD,R)" = "" ]

	# A node that is down for Slurm is not waited for.
	rm deadly measured
	sed -i '$d' hosts
	fleet ENGINE=slurm
	[[ $stderr == *"fleet: n6: missing: bw_rd
    Slurm: "*n6* ]] || show "n6 is down"
	[ ! -e measured ]
	start_node n6
	fleet ENGINE=slurm
	[ "$stderr" = "" ] || show "not a word"
	[ "$(cat measured)" = "n6 bw_rd" ]
	names

	# An interrupt leaves no tasks behind. n8 takes long for this one.
	setsid make -s -C "$TOP/experiments" fleet N=1K HOSTS="$PWD/hosts" \
		OUT="$PWD/out" BIN="$PWD/bin" ENGINE=slurm BENCHES=bw_wr \
		>said 2>&1 3>&- &
	for ((tries = 0; tries < 300; tries++)); do
		! grep -qx 'n8 bw_wr' measured || break
		sleep 0.1
	done
	[ "$(squeue -h -t PD,R -o %N)" != "" ]
	kill -TERM -- -$!
	wait $! || :
	for ((tries = 0; tries < 300; tries++)); do
		[ "$(squeue -h -t PD,R)" != "" ] || break
		sleep 0.1
	done
	[ "$(squeue -h -t PD,R)" = "" ]
}

# fake_slurm PROGRAM: a Slurm that records its calls; PROGRAM interrupts its
# process group, twice, before it answers.
fake_slurm() {
	local name

	for name in sbatch scontrol squeue scancel; do
		printf '#!/bin/bash\n' >bin/$name
		chmod +x bin/$name
	done
	echo 'echo 7' >>bin/sbatch
	echo 'echo MaxArraySize = 1001' >>bin/scontrol
	echo 'echo R' >>bin/squeue
	echo 'echo "$@" >>cancelled' >>bin/scancel
	sed -i '1a kill -TERM 0; kill -TERM 0' "bin/$1"
}

@test "jobs are cancelled whenever the interrupt comes" {
	mkdir plans
	echo 'list list' >plans/plan
	for program in sbatch squeue; do
		rm -f cancelled
		fake_slurm $program
		PATH=$PWD/bin:$PATH BIN='' LIMIT=1 try \
			setsid -w "$TOP/experiments/fleet" slurm plans hosts
		[ "$status" = 2 ]
		[[ $stderr == *"fleet: interrupted: its jobs are cancelled" ]]
		[ "$(cat cancelled)" = 7 ]
	done
}

# Replaces ssh for tests without a network.
local_ssh() {
	printf '#!/bin/bash\nshift\nexec "$@"\n' >ssh
	chmod +x ssh
	ssh=$PWD/ssh
}

@test "hosts that are alike are in line" {
	needs_parallel
	local_ssh
	printf '# rack 7\n root@n1\nn2 # above\n\nn4\nn7\nn8\n' >hosts
	fleet SSH="$ssh"
	[ "$(tail -n 1 <<<"$output")" = "no host is out of line" ]
	[ "$(cat out/fleet/odd.csv)" = \
		host,about,column,value,usual,hosts,ratio_pct ]
	[ "$(column host <out/fleet/lat_rd.diff.csv | xargs)" = \
		"n1 n2 n4 n7 n8" ]
	[ "$(column base <out/fleet/lat_rd.diff.csv | sort -u)" = \
		"fleet median" ]
}

@test "a file of hosts may come from any editor" {
	needs_parallel
	local_ssh
	printf 'n1\r\n\r\nn2' >hosts
	fleet SSH="$ssh" BENCHES=
	[ "$(column host <out/fleet/list.csv | sort -u | xargs)" = "n1 n2" ]
}

@test "the median of the fleet is that of its hosts, run by run" {
	needs_parallel
	local_ssh
	fleet SSH="$ssh" BENCHES=lat_rd RUNS=3
	for run in 1 2 3; do
		pcb-stats -P -g host,run out/fleet/lat_rd.samples.csv |
			awk -F, -v run=$run '$2 == run { print $7 }' | sort -n |
			awk '{ m[NR] = $1 } END { print (m[4] + m[5]) / 2 }'
	done | sort -n | sed -n 2p >median
	[ "$(column base_ns <out/fleet/lat_rd.diff.csv | sort -u)" = \
		"$(cat median)" ]
}

@test "a part that is not whole is no answer" {
	needs_parallel
	printf '#!/bin/bash\nhost=$1\nshift\n"$@" | if [ $host = n2 ]
then sed "\\$d"; else cat; fi
[ $host != n4 ] || { printf "caf\\303\\251 \\033[2J\\302\\2332J\\r\\n" >&2; exit 1; }\n' >ssh
	chmod +x ssh
	fleet SSH="$PWD/ssh" BENCHES=
	# A host cannot send commands to the terminal.
	[[ $stderr == "fleet: n2: missing: list
    what came of list is no whole stream
fleet: n4: missing: list
    café ?[2J?2J" ]] || show "n2 is not whole"
	[ "$(find out -name '*.part')" = "" ]
}

@test "bad lists of hosts, and no host at all, are refused" {
	needs_parallel
	for bad in 'a b' '-oProxyCommand=x' '-Fconfig@n1' 'n1;x' '../x'; do
		printf 'n1\n%s\n' "$bad" >hosts
		refused "$PWD/hosts: '$bad' is no name of a host"
	done
	printf 'n1\nroot@n1\n' >hosts
	refused "$PWD/hosts: n1 is there twice"
	echo '# n1' >hosts
	refused "$PWD/hosts: no hosts"
	rm hosts
	refused "HOSTS=$PWD/hosts: cannot read this file"
	printf 'n1\n' >hosts
	refused "no engine pigeon: parallel or slurm" ENGINE=pigeon
	refused "n1: missing: list lat_rd bw_rd
fleet: no host has answered" SSH=false
}

# gives_odd ROWS ARGUMENT...: of experiments/odd.
gives_odd() {
	try "$TOP/experiments/odd" "${@:2}"
	is 0 "host,about,column,value,usual,hosts,ratio_pct${1:+
$1}" ""
}

@test "facts that most hosts do not share are odd, part by part" {
	printf 'a\nb\nc\nd\n' >hosts
	printf '# pcb-csv: 1\nhost,device,link,n,median_ns
a,x,wide,1,3\na,y,,1,3\nb,x,wide,1,4\nb,y,,1,4\n# end: rows=2 complete=yes
# pcb-csv: 1\nhost,link,device,n,median_ns\nc,"half, ""so""",x,1,5\n' >three
	gives_odd 'd,lat,answer,missing,there,3,
c,x,link,"half, ""so""",wide,2,
c,y,row,missing,there,2,' facts hosts lat device three
	printf '%s\n' "$output" >odd.csv
	try "$TOP/experiments/odd" names odd.csv
	is 0 'd
    lat: no answer
c
    x: link is half, "so", usually wide
    y: no row' ""
	# Two against two are no majority, and a set is one value.
	printf 'host,device,size_bytes,link\na,x,8,p\na,x,64,p\nb,x,8,p
c,x,8,q\nc,x,64,q\nd,x,8,q\nd,x,64,q\n' >sets
	gives_odd 'b,x,size_bytes,8,8 64,3,' facts hosts lat device sets
}

@test "shifts beyond the tolerance are odd, up and down, if they are sure" {
	printf 'host,bench,size_bytes,base,base_ns,other_ns,diff_ns,diff_lo_ns,'\
'diff_hi_ns,ratio_pct,differs,runs
a,lat,8,m,100,106,6,,,106,yes,5\nb,lat,8,m,100,94,-6,,,94,unclear,5
c,lat,64,m,100,150,50,,,150,no,5\nd,lat,64,m,100,105,5,,,105,yes,5\n' >shifts
	gives_odd 'a,lat size_bytes=8,median_ns,106,100,,106
b,lat size_bytes=8,median_ns,94,100,,94' shifts 5 shifts
	gives_odd '' shifts 6 shifts
	"$TOP/experiments/odd" shifts 5 shifts >odd.csv
	try "$TOP/experiments/odd" names odd.csv
	is 0 "a
    lat size_bytes=8: median_ns is 106, usually 100 (106 %)
b
    lat size_bytes=8: median_ns is 94, usually 100 (94 %)" ""
	printf 'host,about,column,value,usual,hosts,ratio_pct
a,lat,iommu,\033[2J\302\2332Jcaf\303\251,off,2,\n' >odd.csv
	try "$TOP/experiments/odd" names odd.csv
	is 0 "a
    lat: iommu is ?[2J?2Jcafé, usually off" ""
	try "$TOP/experiments/odd" shifts 5
	[ "$status" = 2 ] && [[ $stderr == "usage: odd "* ]]
}
