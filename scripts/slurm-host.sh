# slurm-host.sh: sourced by check-slurm and check-slurm-shards. It starts a real Slurm
# with one node, this machine, in a new folder $work, and stops it when the script
# ends. It needs root and Debian's slurm-wlm; without them, it prints a message and
# ends the script without a failure.
name=$(basename "$0")

fail() {
	echo "$name: $1" >&2
	exit 1
}

for program in slurmctld slurmd munged sbatch; do
	if ! PATH=$PATH:/usr/sbin command -v "$program" >/dev/null; then
		echo "$name: skipped: there is no $program (apt-get install slurm-wlm)"
		exit 0
	fi
done
if ((EUID != 0)); then
	echo "$name: skipped: it starts Slurm's daemons, for which it must be root"
	exit 0
fi
[[ -x $pacia ]] || fail "there is no $pacia; make build makes it"
export PATH=$PATH:/usr/sbin

work=$(mktemp -d)
pids=()
stop() {
	scancel --user=root 2>/dev/null || true
	for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
	# A task that is being killed may still write its last output.
	for pid in "${pids[@]}"; do wait "$pid" 2>/dev/null || true; done
	rm -rf --one-file-system "$work"
}
trap stop EXIT
mkdir "$work"/{munge,state,spool,plain}
chmod 755 "$work"
chmod 711 "$work/munge" # clients that request a credential must reach the socket

# All files of this Slurm are in $work, and its ports differ from those of another Slurm.
head -c 1024 /dev/urandom >"$work/munge/key"
chmod 400 "$work/munge/key"
munged --foreground --force --key-file "$work/munge/key" --socket "$work/munge/socket" \
	--pid-file "$work/munge/pid" --seed-file "$work/munge/seed" 2>"$work/munge/log" &
pids+=($!)
host=$(hostname -s)
export SLURM_CONF=$work/slurm.conf
cat >"$SLURM_CONF" <<CONF
ClusterName=check
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=46817
SlurmdPort=46818
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge/socket
CredType=cred/munge
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=1,sched_interval=1
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
JobAcctGatherType=jobacct_gather/none
KillWait=30
ReturnToService=2
PlugStackConfig=$work/plain/none
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=check Nodes=$host Default=YES State=UP
CONF
printf 'CgroupAutomount=no\n' >"$work/cgroup.conf"

# Waits until a command succeeds, or fails with the name of the condition.
until_true() {
	local what=$1 seconds=$2
	shift 2
	for ((i = 0; i < seconds * 5; i++)); do
		if "$@" >/dev/null 2>&1; then return; fi
		sleep 0.2
	done
	tail -n 5 "$work"/*.log "$work/munge/log" >&2 || true
	fail "$what not within $seconds s"
}
until_true "munged answers" 20 test -S "$work/munge/socket"
slurmctld -D -c >"$work/slurmctld.log" 2>&1 &
pids+=($!)
start_node() {
	slurmd -D -c >>"$work/slurmd.log" 2>&1 &
	node=$!
	pids+=("$node")
}
start_node
idle() { [[ $(sinfo --noheader --format %T) == idle ]]; }
until_true "the node is idle" 60 idle
