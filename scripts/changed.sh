#!/usr/bin/env bash
# Lists the C files that differ from where this work began: the merge base with the upstream branch, or the commit
# before this one. With --all, or when there is nothing to compare with, every C file. With --lines their changed lines, as
# FILE:FIRST-LAST. With --like REGEX, files whose path matches it instead of C files.
# With --queue LEFT: as a check takes them that may run out of time. First those in the file LEFT, which its last run did not reach;
# then those of this work, in another order after each commit.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

like='\.[ch]$'
if [ "${1:-}" = --like ]; then
  like=${2:?--like wants a regular expression}
  shift 2
fi
queue=
if [ "${1:-}" = --queue ]; then
  queue=${2:?--queue wants a file}
  shift 2
fi
everything() { find . \( -path './build*' -o -path ./.git \) -prune -o -type f -printf '%P\n' | grep -E "$like" | sort; }

base=
if [ "${1:-}" != --all ] && git rev-parse -q --verify HEAD >/dev/null 2>&1; then
  for upstream in origin/HEAD origin/main; do
    base=$(git merge-base HEAD "$upstream" 2>/dev/null) && break
  done
  if [ -z "$base" ] || [ "$base" = "$(git rev-parse HEAD)" ]; then
    base=$(git rev-parse -q --verify HEAD~1 2>/dev/null) || base=
  fi
fi
whole() { while read -r file; do echo "$file:1-$(wc -l <"$file")"; done; }
changed() { # committed, not yet committed, and new files
  {
    git diff --name-only --diff-filter=d "$base"
    git ls-files --others --exclude-standard
  } | grep -E "$like" | sort -u || true
}
mixed() { shuf --random-source=<(yes "$(git rev-parse -q --verify HEAD)"); }
if [ -n "$queue" ]; then
  {
    [ ! -f "$queue" ] || cut -f 1 "$queue"
    if [ -z "$base" ]; then
      everything | mixed
    else
      changed | mixed
    fi
  } | while read -r file; do [ ! -f "$file" ] || echo "$file"; done | awk '!seen[$0]++'
elif [ "${1:-}" = --lines ] && [ -n "$base" ]; then
  git diff -U0 --diff-filter=d "$base" -- '*.c' '*.h' | awk '
    /^\+\+\+ b\// { file = substr($2, 3) }
    /^@@ / { split(substr($3, 2), at, ","); n = at[2] == "" ? 1 : at[2]; if (n) print file ":" at[1] "-" at[1] + n - 1 }'
  git ls-files --others --exclude-standard -- '*.c' '*.h' | whole
elif [ "${1:-}" = --lines ]; then
  everything | whole
elif [ -z "$base" ]; then
  everything
else
  changed
fi
