#!/usr/bin/env bash
# Runs the tests in a build that counts lines, and says which were reached: a summary, and HTML when gcovr is installed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
scripts/install-deps.sh --tests
scripts/build.sh coverage
find build/coverage -name '*.gcda' -delete
ctest --preset coverage --parallel "$(nproc)" --quiet || echo "some tests failed: scripts/test.sh --preset coverage" >&2

if command -v gcovr >/dev/null 2>&1; then
  gcovr --root . --exclude tests --exclude build --html-details build/coverage/lines.html --print-summary build/coverage
  echo "build/coverage/lines.html has every line"
else # gcov comes with gcc; its summary is one block of text per file
  find build/coverage/CMakeFiles -name '*.gcno' -print0 | xargs -0 gcov -n -r -s "$PWD" 2>/dev/null |
    awk -F"[':% ]+" '
      /^File/ { file = $2 }
      /^Lines executed/ && file ~ /\.c$/ { n = $NF; printf "%6.1f %% of %5d  %s\n", $3, n, file; all += n; hit += n * $3 / 100; file = "" }
      END { if (all) printf "%6.1f %% of %5d  total\n", 100 * hit / all, all }' | sort -k5
fi
