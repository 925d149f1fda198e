#!/usr/bin/env bash
# Says which tests of a run were skipped, as a whole or in part, and what they lack: scripts/skipped.sh RESULTS [LIST]
#
# RESULTS is what `ctest --output-junit` wrote. A test says what it lacks in a line "SKIPPED: needs WHAT" (what stands in
# parentheses at the end tells where). The largest groups are shown, in four lines at most.
# The last line is "N passed, N failed, N skipped".
# LIST names what may be skipped: lines "TEST: WHAT", both patterns of the shell. With it, every other skip is named, and the
# exit code is 1.
set -euo pipefail
results=${1:?want the results of ctest}
list=${2:-}

count() { sed -n "/[[:space:]]$1=\"[0-9]*\"/{s/.*[[:space:]]$1=\"\([0-9]*\)\".*/\1/p;q}" "$results"; } # of the suite, which is first
total=$(count tests) failed=$(count failures) skipped=$(count skipped)
trap 'echo "$((total - failed - skipped)) passed, $failed failed, $skipped skipped"' EXIT

# One line a test and what it lacks: NAME, "skipped" or "part", WHAT, with tabs between.
lacking=$(sed 's/&quot;/"/g; s/&apos;/'"'"'/g; s/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g' "$results" | awk -F'"' '
  function flush() { if (name != "" && state == "skipped" && !said) print name "\tskipped\tsomething that it does not name" }
  /^[[:space:]]*<testcase / { flush(); name = $2; said = 0; state = /status="(notrun|disabled)"/ ? "skipped" : "part" }
  match($0, /SKIPPED: /) {
    what = substr($0, RSTART + RLENGTH)
    sub(/^needs /, "", what)
    sub(/ \(.*\)$/, "", what)
    sub(/<\/system-out>$/, "", what)
    if (!seen[name, what]++) print name "\t" state "\t" what
    said = 1
  }
  /^[[:space:]]*<\/testcase>/ { flush(); name = "" }')
[ -n "$lacking" ] || exit 0

awk -F'\t' '
  { n[$3]++; if ($2 == "part") part[$3]++; if (n[$3] <= 3) names[$3] = names[$3] (n[$3] > 1 ? ", " : "") $1 }
  END { for (what in n) printf "%d\t%d\t%s\t%s%s\n", n[what], part[what], what, names[what], (n[what] > 3 ? ", ..." : "") }
' <<<"$lacking" | sort -t$'\t' -k1,1nr -k3 | awk -F'\t' '
  { line[NR] = sprintf("%4d skipped%s for want of %s: %s", $1, $2 ? ($2 == $1 ? " in part" : ", " $2 " of them in part,") : "", $3, $4)
    count[NR] = $1; what[NR] = $3 }
  END {
    shown = NR > 4 ? 3 : NR
    for (i = 1; i <= shown; i++) print line[i]
    for (; i <= NR; i++) { rest += count[i]; others = others (others == "" ? "" : "; ") what[i] }
    if (rest) printf "%4d skipped for want of other things: %s\n", rest, others
  }'
[ -n "$list" ] || exit 0

may_skip() { # NAME WHAT
  local test what
  while IFS= read -r line; do
    test=${line%%: *} what=${line#*: }
    # shellcheck disable=SC2053 # patterns
    [[ $line == '#'* || -z $line || $1 != $test || $2 != $what ]] || return 0
  done <"$list"
  return 1
}
status=0
while IFS=$'\t' read -r name _ what; do
  may_skip "$name" "$what" || {
    echo "$name may not be skipped here for want of $what: $list does not name it" >&2
    status=1
  }
done <<<"$lacking"
exit "$status"
