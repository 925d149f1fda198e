#!/usr/bin/env bash
# Runs a command for each line of its input, as many at once as there are processors, for some minutes:
#   ... | scripts/in_time.sh MINUTES LEFT COMMAND [ARGUMENT...]
# The line is the last argument of the command. Lines that were not begun in time are left in the file LEFT, and said. The exit code
# is 1 where a command failed.
set -euo pipefail
export minutes=$1 left=$2 until
shift 2
until=$(($(date +%s) + minutes * 60))
mkdir -p "$(dirname "$left")"
: >"$left"
status=0
# shellcheck disable=SC2016 # expands in the inner shell
tr '\n' '\0' | xargs -0 -r -n 1 -P "$(nproc)" bash -c '
  [ "$(date +%s)" -lt "$until" ] || { printf "%s\n" "${@: -1}" >>"$left"; exit 0; }
  "$@"' in_time "$@" || status=1
if [ -s "$left" ]; then
  echo "not reached in $minutes minutes, first of all the next time: $(wc -l <"$left"), in $left"
fi
exit "$status"
