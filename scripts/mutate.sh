#!/usr/bin/env bash
# Changes one thing at a time in lines of C (mutants), runs the tests that reach the line, and lists the mutants that no test
# sees. What lives shows what nothing protects; a few cannot be told from the original by any test.
#
#   scripts/mutate.sh [--seed N] [--minutes N] [--most PERCENT] [FILE...]
#
# FILE       all its lines; without any, the lines that changed (scripts/changed.sh --lines)
# --seed     which mutants come first, printed; another one each day
# --minutes  how long it tries mutants, after it saw which tests reach their lines; 10. What it did not get to is counted
# --most     the share that may live, 30: with 20 mutants or more that were tested, more fail
#
# It needs python3 and gcc with gcov, builds build/release, and works on a copy of the tree in build/mutate. Files that end
# processes or remove files are left out. Of the tests it takes unit, golden, property and reference, the quickest first: what
# only a test of memory that runs out or a fuzz target sees, lives. It fails when time was up before it could test any.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
case ${1:-} in
  -h | --help)
    sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}"
    exit 0
    ;;
esac
for program in python3 gcov; do
  command -v "$program" >/dev/null || {
    echo "mutate: $program is not there; scripts/install-deps.sh --all installs it" >&2
    exit 69
  }
done
scripts/build.sh release
exec python3 scripts/mutate.py --root "$PWD" --build "$PWD/build/release" --work "$PWD/build/mutate" "$@"
