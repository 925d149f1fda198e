#!/usr/bin/env bash
# Installs what is missing, builds, runs the tests.
#
#   scripts/test.sh [--all] [--preset NAME] [--may-skip FILE] [CTEST-OPTION...]
#
# --all      all tests in full (ROOFLINE_THOROUGH=1), which takes some minutes: without it the longest ones do a sample. Also
#            installs large optional packages (Debian's reader of .xmodel files, python3, clang, chromium, gnuplot), so that
#            the tests which need them run instead of being skipped
# --preset   release (default), dev (sanitizers), clang, coverage
# --may-skip what may be skipped (scripts/skipped.sh); any other skip is a failure
# Before the last line stands what tests were skipped for. The last line is "N passed, N failed, N skipped".
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

all=
preset=release
may_skip=
while [ $# -gt 0 ]; do
  case $1 in
    --all)
      all=--all
      export ROOFLINE_THOROUGH=1
      ;;
    --preset)
      preset=${2:?--preset wants a name}
      shift
      ;;
    --may-skip)
      may_skip=${2:?--may-skip wants a file}
      shift
      ;;
    -h | --help)
      sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}"
      exit 0
      ;;
    *) break ;;
  esac
  shift
done

scripts/install-deps.sh "${all:---tests}"
echo "building into build/$preset ..."
scripts/build.sh "$preset"

results=build/$preset/ctest.xml
rm -f "$results"
status=0
# One more than there are processors: some tests wait most of their time. The output of a test that passes is kept, since it may
# say that a part was skipped.
ctest --preset "$preset" --no-tests=error --parallel "$(($(nproc) + 1))" --output-junit "$PWD/$results" \
  --test-output-size-passed 1000000 "$@" || status=$?
[ -f "$results" ] || exit 1

[ -n "${ROOFLINE_THOROUGH:-}" ] || echo "the longest tests did a sample; scripts/test.sh --all runs them in full"
[ -n "$all" ] || ! grep -q 'skipped="[1-9]' "$results" || echo "scripts/test.sh --all installs the optional packages that some tests need:"
scripts/skipped.sh "$results" ${may_skip:+"$may_skip"} || status=1
exit "$status"
