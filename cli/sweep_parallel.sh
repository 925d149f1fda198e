#!/bin/bash
# A sweep by GNU parallel, and then its parts put together.
#   bash SCRIPT [OPTION OF PARALLEL...]    such as --jobs 4, or --sshlogin a,b where all see this folder
# A part that was stopped goes on where it was: run this script once more.
#@
# parallel takes {} and {= =} for its own wherever they stand, so that its command holds no name: all are in the
# environment, written by the shell that reads them there.
folder=$PWD
roofline_sweep=$(declare -p folder plan out shards format roofline; declare -f part)
export roofline_sweep
seq "$shards" | parallel --halt soon,fail=1 --joblog "$out.joblog" --resume-failed --env roofline_sweep \
  "$@" --quote bash -c 'eval "$roofline_sweep" && cd "$folder" && part "$1" 1' part {}
merge
rm -f "$out.joblog" # it would keep parts of the next plan from being computed
