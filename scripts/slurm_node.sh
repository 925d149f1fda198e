#!/usr/bin/env bash
# Slurm on this machine alone, in a folder: for tests of job arrays, and to try a script before a cluster gets it.
#
#   scripts/slurm_node.sh start FOLDER     starts it, waits until it takes jobs, and prints what to export
#   scripts/slurm_node.sh node FOLDER      its node was gone: Slurm takes notice, which would take it minutes, and has it back
#   scripts/slurm_node.sh stop FOLDER      ends what start started
#
# Needs root, and slurm-wlm and munge of Debian (scripts/install-deps.sh --all). No systemd, no other file of the system is
# touched but the key of munge, which its package makes. Ports are those that are free when it starts.
set -euo pipefail
unavailable() { echo "$*" >&2; exit 69; }

[ $# = 2 ] || { sed -n '2,10s/^# \{0,1\}//p' "$0" >&2; exit 64; }
mkdir -p -- "$2"
folder=$(cd -- "$2" && pwd)
case $folder in
*[!A-Za-z0-9._/+-]*) unavailable "slurm.conf cannot hold '$folder', since it reads blanks, # and %: want another folder" ;;
esac

stop() { # the daemons of this folder, by the numbers that they left there
  local name pid
  for name in slurmd slurmctld munged; do
    pid=$(cat "$folder/$name.pid" 2>/dev/null) || continue
    kill "$pid" 2>/dev/null || true
    for _ in $(seq 100); do
      kill -0 "$pid" 2>/dev/null || break
      sleep 0.05
    done
    kill -9 "$pid" 2>/dev/null || true
  done
}

free_ports() { # two of them; nobody holds them until the daemons do
  python3 - <<'PY'
import socket
sockets = [socket.socket() for _ in range(2)]
for s in sockets:
    s.bind(("127.0.0.1", 0))
print(*(s.getsockname()[1] for s in sockets))
PY
}

start() {
  local program host ports
  [ "$(id -u)" = 0 ] || unavailable "needs root"
  for program in slurmctld slurmd sbatch munged python3 setpriv; do
    PATH=$PATH:/usr/sbin command -v "$program" >/dev/null || unavailable "needs $program (slurm-wlm, munge)"
  done
  export PATH=$PATH:/usr/sbin
  host=$(hostname -s)
  read -r -a ports < <(free_ports)
  # munged wants folders of its own user; others have to get through to its socket
  chmod 755 "$folder"
  mkdir -p "$folder/munge" "$folder/state" "$folder/spool"
  dd if=/dev/urandom of="$folder/munge/key" bs=128 count=1 status=none
  chmod 600 "$folder/munge/key"
  chown -R munge "$folder/munge"
  chmod 711 "$folder/munge"
  setpriv --reuid=munge --clear-groups munged --force --key-file="$folder/munge/key" --socket="$folder/munge/socket" \
    --pid-file="$folder/munge/pid" --log-file="$folder/munge/log" --seed-file="$folder/munge/seed"
  for _ in $(seq 200); do
    [ -S "$folder/munge/socket" ] && [ -s "$folder/munge/pid" ] && break
    sleep 0.05
  done
  cp "$folder/munge/pid" "$folder/munged.pid"
  cat >"$folder/slurm.conf" <<CONF
ClusterName=node
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=${ports[0]}
SlurmdPort=${ports[1]}
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket
CredType=cred/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1,batch_sched_delay=0
MinJobAge=300
ReturnToService=2
MailProg=/bin/true
SwitchType=switch/none
MpiDefault=none
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
CONF
  export SLURM_CONF=$folder/slurm.conf
  slurmctld
  slurmd -N "$host"
  for _ in $(seq 400); do
    if sinfo --noheader --format=%t 2>/dev/null | grep -qE '^(idle|mix|alloc)$'; then
      printf 'export SLURM_CONF=%q\n' "$SLURM_CONF"
      return
    fi
    sleep 0.05
  done
  tail -n 5 "$folder"/*.log "$folder/munge/log" >&2 || true
  stop
  unavailable "Slurm does not come up here"
}

node() {
  export PATH=$PATH:/usr/sbin SLURM_CONF=$folder/slurm.conf
  scontrol update "nodename=$(hostname -s)" state=down reason=gone
  slurmd -N "$(hostname -s)"
  scontrol update "nodename=$(hostname -s)" state=resume 2>/dev/null || true # it may be back by itself
  for _ in $(seq 20); do # what is queued again would wait two minutes; it is not there at once
    squeue --noheader --states=PENDING --format='%i %r' | while read -r job reason; do
      [ "$reason" = Dependency ] || scontrol update "jobid=$job" starttime=now 2>/dev/null || true # it may run by now
    done
    sleep 0.1
  done
}

case $1 in
start) start ;;
node) node ;;
stop) stop ;;
*) echo "want start, node or stop, not '$1'" >&2; exit 64 ;;
esac
