#!/usr/bin/env bash
# A sweep by an engine for many machines makes the bytes of one process, also where a worker is killed on its way, a file of points
# is left torn, and, with Slurm, a node disappears. Names of files and folders are never run, whatever they say.
#   engines.sh slurm|parallel PROGRAM SOURCE_FOLDER WORK_FOLDER
set -euo pipefail
engine=$1
program=$2
source=$3
work=$4
skip() { echo "SKIPPED: needs $*"; exit 77; }
fail() { echo "$*" >&2; exit 1; }
lacks() { ! PATH=$PATH:/usr/sbin command -v "$1" >/dev/null; }

if [ "$engine" = parallel ]; then
  if lacks parallel || ! parallel --version 2>/dev/null | grep -q '^GNU parallel'; then skip "GNU parallel"; fi
else
  for needed in slurmctld slurmd sbatch munged setpriv python3; do
    if lacks "$needed"; then skip "Slurm (slurm-wlm, munge)"; fi
  done
  [ "$(id -u)" = 0 ] || skip "root"
fi

apart=$(mktemp -d) # for names that whoever looks through the tree's folders may not stand
trap 'rm -rf "$apart"' EXIT
rm -rf "$work"
mkdir -p "$work/a folder, JobState=COMPLETED"
cd "$work/a folder, JobState=COMPLETED"
clocks=$(for i in $(seq 200 299); do printf '"%sMHz",' "$i"; done)
cat >"it's a plan.json" <<PLAN
{"schema": "roofline.sweep/1",
 "models": ["$source/examples/models/mobilenetv1-b4096.xmodel", "$source/examples/models/resnet50.onnx"],
 "devices": ["kv260", "zcu104", "b1024", "npu2"],
 "clocks": [${clocks%,}]}
PLAN
"$program" sweep "it's a plan.json" --jobs 1 -o one.csv 2>/dev/null

# What every machine runs in place of the program. Once, in part 3: once there are points, it is killed, and what it wrote is
# torn. With the file `node` there, all of the node goes with it.
cat >worker <<WORKER
#!/bin/bash
if [[ \$* != *"--shard 3/"* ]] || ! mkdir once 2>/dev/null; then
  exec '$program' "\$@"
fi
output=\${*: -1}.part
'$program' "\$@" &
until [ -s "\$output" ] || ! kill -0 \$!; do :; done
kill -9 \$!
wait
if [ ! -e "\$output" ]; then # it was faster than this loop
  mv "\${*: -1}" "\$output"
fi
head -c \$((\$(stat -c %s "\$output") * 2 / 3)) "\$output" >torn
cp torn "\$output"
if [ -e node ]; then
  step=\$PPID # of slurmd, which would tell that the job has ended
  until [ "\$(cat /proc/\$step/comm)" = slurmstepd ]; do step=\$(awk '{ print \$4 }' /proc/\$step/stat); done
  kill -9 "\$(cat node)" "\$step"
  touch gone
fi
exit 1
WORKER
chmod +x worker
export ROOFLINE="$PWD/worker"

same() {
  cmp one.csv points.csv || fail "$*: other bytes than of one process"
  [ -e torn ] || fail "$*: no worker was killed"
  rm -rf once torn points.csv*
}

# What a name may hold that a shell, parallel or Slurm would take for its own; the last one has all of it.
names=('{}' '{= system "touch X" =}' '{#} {%} {1}' '%j %A-%a' '$(touch PWNED) `touch PWNED`' ";touch PWNED|touch PWNED&" "it's \"\\"
  '-o' '+x' '() { :; }; touch PWNED' 'JobState=COMPLETED' $'#\n#SBATCH --output=PWNED\ntouch PWNED\n')
names+=("-${names[*]}")

# Each name as that of the folder, the plan, the output, the script, a model and a description of hardware: the points are those that
# one process makes in a folder and of a plan with plain names.
runs_no_name() { # COMMAND..., which gets the script
  local name within text
  for name in "${names[@]}"; do
    rm -rf "$apart/plain" "$apart/named"
    mkdir -p "$apart/plain" "$apart/named"
    cd "$apart/plain"
    within=${name//$'\n'/ } # a plan holds names of one line alone
    cp "$source/examples/models/mobilenetv1-b4096.xmodel" "./$within.xmodel"
    "$program" hw show b4096 -o "./$within.hw.json"
    text=${within//\\/\\\\}
    text=${text//\"/\\\"}
    printf '{"schema": "roofline.sweep/1", "models": ["%s.xmodel"], "devices": ["%s.hw.json", "kv260"], "threads": [1, 2]}' \
      "$text" "$text" >plan.json
    "$program" sweep plan.json --jobs 1 -o one.csv || fail "'$name': no points of it"
    cp -r . "$apart/named/$name"
    cd "$apart/named/$name"
    mv plan.json "./$name.json"
    "$program" sweep --emit "$engine" --shards 2 -o "$name.csv" -- "$name.json" >"./$name.sh"
    ROOFLINE=$program "$@" "./$name.sh" >log 2>&1 || fail "'$name': $(cat log)"
    cmp one.csv "./$name.csv" || fail "'$name': other bytes than with plain names"
    text=$(find "$apart" -name 'PWNED*' -o -name 'X*' -o -name '*.joblog')
    [ -z "$text" ] || fail "'$name': there is $text"
  done
}

if [ "$engine" = parallel ]; then
  "$program" sweep "it's a plan.json" --emit parallel --shards 4 -o points.csv >script
  if bash script --jobs 2 2>log; then fail "a part was killed, and the script ends well"; fi
  [ ! -e points.csv ] || fail "there are points though a part is missing"
  bash script --jobs 2 2>log || fail "$(cat log)"
  [ ! -e points.csv.joblog ] || fail "the list of jobs is still there"
  same "4 parts by parallel, one killed"
  runs_no_name bash
  # Another machine: it has the files, and nothing of the environment.
  cat >"$apart/another" <<'SSH'
#!/bin/sh
until [ "$1" = -- ]; do shift; done
shift
touch "$0.was-asked"
cd / && exec env -i HOME="$HOME" PATH="$PATH" SHELL=/bin/sh /bin/sh -c "$*"
SSH
  chmod +x "$apart/another"
  remotely() { PATH=$apart:$PATH bash "$1" --jobs 2 --sshlogin "another machine"; }
  runs_no_name remotely
  [ -e "$apart/another.was-asked" ] || fail "parallel asked no other machine"
  exit
fi

[[ $("$source/scripts/slurm_node.sh" start "$work/of %h" 2>&1) == "slurm.conf cannot hold "* ]] || fail "slurm.conf holds any name"
"$source/scripts/slurm_node.sh" start "$work/slurm" >environment || skip "a Slurm that starts here"
trap 'rm -rf "$apart"; "$source/scripts/slurm_node.sh" stop "$work/slurm"' EXIT
. ./environment
"$program" sweep "it's a plan.json" --emit slurm --shards 8 -o points.csv >script

# Killed: the part fails, so that nothing is put together. The script once more ends it.
if bash script --output=log-%a >ids 2>log; then fail "a part was killed, and the script ends well"; fi
[ ! -e points.csv ] || fail "there are points though a part is missing"
bash script --output=log-%a >ids 2>log || fail "$(cat log log-*)"
same "8 parts by Slurm, one killed"

# Gone with its node: Slurm queues the part again once the node is back.
cp "$work/slurm/slurmd.pid" node
bash script --output=log-%a >ids 2>log &
until [ -e gone ] || ! kill -0 $! 2>/dev/null; do sleep 0.05; done
[ -e gone ] || fail "the node did not go: $(cat log log-*)"
"$source/scripts/slurm_node.sh" node "$work/slurm"
wait $! || fail "$(cat log log-*; tail "$work/slurm/slurmctld.log")"
same "8 parts by Slurm, on a node that was gone"

names=("${names[@]: -2}")
runs_no_name bash # no --output: sbatch itself puts the folder's name before it, and then reads % and \ in both
