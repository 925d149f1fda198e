#!/usr/bin/env bash
# Lists the C files that differ from where this work began: the merge base with the upstream branch, or the commit
# before this one. With --all, or when there is nothing to compare with, every C file.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

everything() { find core hwdb model measure reports cli runners include tests examples -name '*.[ch]' 2>/dev/null | sort; }

base=
if [ "${1:-}" != --all ] && git rev-parse -q --verify HEAD >/dev/null 2>&1; then
  for upstream in origin/HEAD origin/main; do
    base=$(git merge-base HEAD "$upstream" 2>/dev/null) && break
  done
  if [ -z "$base" ] || [ "$base" = "$(git rev-parse HEAD)" ]; then
    base=$(git rev-parse -q --verify HEAD~1 2>/dev/null) || base=
  fi
fi
if [ -z "$base" ]; then
  everything
else
  { # committed, not yet committed, and new files
    git diff --name-only --diff-filter=d "$base"
    git ls-files --others --exclude-standard
  } | grep -E '\.[ch]$' | sort -u || true
fi
