#!/bin/bash
# A sweep as a job array of Slurm, and a job that puts its parts together.
#   bash SCRIPT [OPTION OF SBATCH...]    submits both, and waits for the end
# A part that was stopped, with its node or by hand, goes on where it was: Slurm queues it again, or run this script
# once more. All nodes have to see this folder.
#@
case ${1-} in
part)
  part "$SLURM_ARRAY_TASK_ID" "${SLURM_CPUS_PER_TASK:-1}"
  ;;
merge)
  merge
  exit
  ;;
esac
array=$(sbatch --parsable --job-name=roofline-sweep --array="1-$shards" --requeue --open-mode=append \
  "$@" "$0" part)
merged=$(sbatch --parsable --wait --job-name=roofline-merge --dependency="afterok:${array%%;*}" \
  --kill-on-invalid-dep=yes "$@" "$0" merge) || true
if [ "$(squeue --jobs="${merged%%;*}" --states=all --noheader --format=%T)" != COMPLETED ]; then
  echo "$out: a part has failed, or their merge; what is finished is kept: run this script once more" >&2
  exit 1
fi
