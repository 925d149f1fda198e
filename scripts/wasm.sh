#!/usr/bin/env bash
# The program as WebAssembly: the module, the npm package around it, and the page that is one file.
#
#   scripts/wasm.sh           builds what has changed: build/wasm/npm, build/wasm/roofline-cli-VERSION.tgz, build/wasm/page/roofline.html
#   scripts/wasm.sh --test    also holds it against the native program of build/release: golden cases, the functions out of the
#                             packed package, the page in a browser, and ../shared's own check where that is there
#
# The libraries are built of Debian's source packages, in the versions of cmake/wasm_sources.tsv, whose hashes are checked. They stay
# in build/wasm/libraries while that table and this script's part about them stay as they are. Wants Debian 12's clang, lld, wasi-libc, llvm, binaryen,
# tcl and node 20; ends with 77 where it cannot run.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
to=build/wasm table=cmake/wasm_sources.tsv libraries=$PWD/build/wasm/libraries most_bytes=3355443 most_compressed=1258291 # 3.2 and 1.2 MiB

cannot() { echo "skipped: wasm $*"; exit 77; }
for program in clang:clang wasm-ld:lld llvm-ar:llvm wasm-opt:binaryen node:nodejs npm:npm brotli:brotli tclsh:tcl dpkg-source:dpkg-dev; do
  command -v "${program%:*}" >/dev/null || cannot "wants ${program#*:}; scripts/install-deps.sh --all installs it"
done
[ "$(node -p 'parseInt(process.versions.node)')" -ge 20 ] || cannot "wants node 20 or newer"
[ -e /usr/include/wasm32-wasi/stdio.h ] || cannot "wants wasi-libc; scripts/install-deps.sh --all installs it"
resources=$(clang -print-resource-dir)
[ -e "$resources/lib/wasi/libclang_rt.builtins-wasm32.a" ] ||
  cannot "wants clang's builtins for wasm32 (libclang-rt-*-dev-wasm32); scripts/install-deps.sh --all installs them"

mkdir -p "$to"
log=$to/build.log
: >"$log"
fail() { echo "$1; see $log:" >&2; tail -n 20 "$log" >&2; exit 1; }

# ---- the libraries ----

made_of() {
  { sed -n '/^# ---- the libraries/,/^# ---- building/p' scripts/wasm.sh; cat "$table" cmake/wasm_sqlite.c cmake/wasm_argp.h cmake/wasm_gnuplot.h; } | sha256sum
}
rows() { sed '/^#/d; /^package\t/d' "$table"; }

# Lists of sources of their own, so that those of the machine stay as they are.
fetch() { # FOLDER
  local lists=$1/lists apt
  mkdir -p "$lists/partial"
  # shellcheck disable=SC2016 # apt-get expands them
  apt-get indextargets --format 'deb-src $(SITE) $(RELEASE) $(COMPONENT)' \
    'Created-By: Packages' 'Component: main' 'Origin: Debian' 2>>"$log" | sort -u >"$1/sources.list"
  [ -s "$1/sources.list" ] || return 1
  apt=(-o "Dir::Etc::sourcelist=$1/sources.list" -o Dir::Etc::sourceparts=- -o "Dir::State::lists=$lists" -o APT::Sandbox::User=root)
  apt-get -qq "${apt[@]}" update >>"$log" 2>&1 </dev/null || return 1
  while IFS=$'\t' read -r package version hash _; do
    (cd "$1" && apt-get -qq "${apt[@]}" source --download-only "$package=$version") >>"$log" 2>&1 </dev/null || return 1
    echo "$hash  $1/${package}_${version#*:}.dsc" | sha256sum --check --quiet >>"$log" 2>&1 || return 1
    dpkg-source --no-check -x "$1/${package}_${version#*:}.dsc" "$1/$package" >>"$log" 2>&1 || return 1
  done < <(rows)
}

target=(clang --target=wasm32-wasi -nostdlibinc -isystem /usr/include/wasm32-wasi)
flags=(-Oz -ffp-contract=off -w)
compile() { # NAME SOURCE... -- FLAG...: an archive
  local name=$1 source sources=() objects=$work/objects/$1
  shift
  while [ "$1" != -- ]; do sources+=("$1"); shift; done
  shift
  rm -rf "$objects"
  mkdir -p "$objects"
  for source in "${sources[@]}"; do
    "${target[@]}" "${flags[@]}" "$@" -c "$source" -o "$objects/$(basename "$source" .c).o" >>"$log" 2>&1 || fail "$source does not compile"
  done
  rm -f "$libraries/lib/lib$name.a"
  llvm-ar rcs "$libraries/lib/lib$name.a" "$objects"/*.o
}

# Without what no export of Nsight Systems and no history has: neither is changed by hand. Tables as others define them are still read:
# views, triggers, virtual tables and computed columns are known, so that a file with them is refused as natively.
small_sqlite=(-DSQLITE_OS_OTHER=1 -DSQLITE_THREADSAFE=0 -DSQLITE_MAX_MMAP_SIZE=0 -DSQLITE_TEMP_STORE=3 -DSQLITE_DEFAULT_MEMSTATUS=0
  -DSQLITE_UNTESTABLE)
for part in ALTERTABLE ANALYZE AUTHORIZATION COMPILEOPTION_DIAGS COMPLETE CTE DATETIME_FUNCS DECLTYPE DEPRECATED DESERIALIZE EXPLAIN \
  FOREIGN_KEY GET_TABLE INCRBLOB INTEGRITY_CHECK JSON LOAD_EXTENSION LOCALTIME LOOKASIDE REINDEX RETURNING SHARED_CACHE TCL_VARIABLE \
  TRACE UTF16 WAL WINDOWFUNC XFER_OPT; do
  small_sqlite+=("-DSQLITE_OMIT_$part")
done

gsl_parts=(gsl err sys block vector matrix permutation blas cblas linalg fit multifit multifit_nlinear statistics sort cdf specfunc utils
  min poly complex randist rng)

build_libraries() {
  local s=$work/sources include=$libraries/include
  rm -rf "$libraries"
  mkdir -p "$libraries/lib" "$include/gsl" "$include/cjson"
  # config.sub of the source is older than the name of this target
  cp "$s/gnulib/build-aux/config.sub" "$s/gnulib/build-aux/config.guess" "$s/gsl/"
  (cd "$s/gsl" && CC="${target[*]}" CFLAGS="${flags[*]}" LDFLAGS=--sysroot=/usr AR=llvm-ar RANLIB=llvm-ranlib \
    ./configure --host=wasm32-wasi --disable-shared --disable-dependency-tracking &&
    for part in "${gsl_parts[@]}"; do make -j"$(nproc)" -C "$part" || exit 1; done) >>"$log" 2>&1 ||
    fail "GSL does not build"
  rm -f "$libraries/lib/libgsl.a"
  find "$s/gsl" -path '*/.libs' -prune -o -name '*.o' -print | grep -vE '/(test|siman|wavelet)[^/]*\.o$|/test' | sort |
    xargs llvm-ar rcs "$libraries/lib/libgsl.a"
  cp -L "$s/gsl"/gsl/*.h "$include/gsl/"
  (cd "$s/sqlite3" && rm -rf made && mkdir made && cd made && ../configure --disable-readline --disable-tcl && make sqlite3.c OPTS="${small_sqlite[*]}") >>"$log" 2>&1 ||
    fail "sqlite3.c cannot be made"
  cp "$s/sqlite3/made/sqlite3.h" "$include/"
  compile sqlite3 "$s/sqlite3/made/sqlite3.c" "$s/sqlite3/src/test_demovfs.c" cmake/wasm_sqlite.c -- -I"$include" "${small_sqlite[@]}"
  local z=$s/zlib
  cp "$z/zlib.h" "$z/zconf.h" "$include/"
  compile z "$z"/{adler32,crc32,inffast,inflate,inftrees,zutil}.c -- -I"$z"
  cp "$s/cjson/cJSON.h" "$include/cjson/"
  compile cjson "$s/cjson/cJSON.c" --
  cp "$s/libcsv/csv.h" "$include/"
  compile csv "$s/libcsv/libcsv.c" -- -I"$s/libcsv"
  mkdir -p "$work/empty"
  : >"$work/empty/config.h"
  cp "$s/libmd/include/sha2.h" "$include/"
  compile md "$s/libmd/src"/{sha2,sha256hl}.c -- -I"$work/empty" -I"$s/libmd/include" -I"$s/libmd/src"
  cp "$s/xxhash"/xxh*.h "$include/"
  build_argp "$s/gnulib/lib" "$include"
  build_gnuplot "$s/gnuplot"
  made_of >"$libraries/made-of"
}

build_argp() { # GNULIB INCLUDE
  local lib=$1 made=$work/argp name
  rm -rf "$made"
  mkdir -p "$made"
  cp "$lib"/argp*.[ch] "$lib"/getopt*.[ch] "$lib"/{gettext.h,filename.h,basename-lgpl.[ch],idx.h} "$made/"
  cp cmake/wasm_argp.h "$made/config.h"
  # The header of getopt is a template, whose marks a configure would fill in.
  for name in getopt getopt-cdefs; do
    sed -e 's/@PRAGMA_SYSTEM_HEADER@//; s/@PRAGMA_COLUMNS@//; s/@HAVE_GETOPT_H@/0/; s/@INCLUDE_NEXT@/include/; s/@NEXT_GETOPT_H@/"nothing.h"/' \
      -e 's/@GUARD_PREFIX@/GL/; s/@HAVE_SYS_CDEFS_H@/0/' -e '/@.*@/d' "$lib/$name.in.h" >"$made/$name.h"
  done
  # Its messages begin as those of glibc, by which golden cases know them.
  sed -i 's/N_("give this help list")/N_("Give this help list")/; s/N_("give a short usage message")/N_("Give a short usage message")/' "$made/argp-parse.c"
  sed -i "s/Try '%s --help' or '%s --usage'/Try \`%s --help' or \`%s --usage'/" "$made/argp-help.c"
  cat cmake/wasm_argp.h "$made/argp.h" >"$2/argp.h"
  compile argp "$made"/argp-{ba,eexst,fmtstream,fs-xinl,help,parse,pin,pv,pvh,xinl}.c "$made"/{getopt,getopt1,basename-lgpl}.c -- -I"$made" -DHAVE_CONFIG_H -D__GETOPT_PREFIX=rpl_ -include stdbool.h -include stdalign.h \
    -include "$PWD/core/platform/wasi/lacks.h"
}

# A module of its own, as gnuplot is a program of its own: its licence is not that of the product.
build_gnuplot() { # SOURCE
  local made=$work/gnuplot name
  rm -rf "$made"
  mkdir -p "$made"
  cp cmake/wasm_gnuplot.h "$made/config.h"
  : >"$made/setjmp.h" # cmake/wasm_gnuplot.h has what stands for it
  for name in alloc axis breaders boundary color command contour datablock datafile dynarray encoding eval external fit gadgets getcolor \
    graph3d graphics help hidden3d history internal interpol jitter libcerf matrix misc mouse multiplot parse plot plot2d plot3d pm3d \
    readline save scanner set show specfun standard stats stdfn tables tabulate term time unset util util3d variable version voxelgrid vplot; do
    "${target[@]}" "${flags[@]}" -I"$made" -I"$1/src" -I"$1/term" -DHAVE_CONFIG_H -D_WASI_EMULATED_SIGNAL -D_WASI_EMULATED_PROCESS_CLOCKS \
      -D_WASI_EMULATED_GETPID -include config.h -c "$1/src/$name.c" -o "$made/$name.o" >>"$log" 2>&1 || fail "gnuplot's $name.c does not compile"
  done
  clang --target=wasm32-wasi --sysroot=/usr "$made"/*.o -Wl,--stack-first -Wl,-z,stack-size=1048576 -Wl,--strip-debug -lwasi-emulated-signal \
    -lwasi-emulated-process-clocks -lwasi-emulated-getpid -o "$made/gnuplot.wasm" >>"$log" 2>&1 || fail "gnuplot does not link"
  wasm-opt -Oz --low-memory-unused --strip-debug --strip-producers "$made/gnuplot.wasm" -o "$libraries/gnuplot.wasm" >>"$log" 2>&1 || fail "wasm-opt fails"
}

# ---- notices ----

put_notices() {
  echo "roofline as WebAssembly: GPL-3.0-or-later (LICENSE). It has in it, of Debian's source packages; gnuplot lies beside it:"
  while IFS=$'\t' read -r package version _ licence what; do
    printf '\n==== %s %s: %s. %s\n\n' "$package" "$version" "$licence" "$what"
    cat "$work/sources/$package/debian/copyright" 2>/dev/null || cat "/usr/share/doc/$package/copyright"
  done < <(rows)
}

# ---- building ----

work=$to/work
if ! [ -e "$libraries/made-of" ] ||
  [ "$(made_of)" != "$(cat "$libraries/made-of")" ]; then
  if ! [ -e "$work/sources/whole" ] || ! cmp -s "$table" "$work/sources/whole"; then
    rm -rf "$work"
    mkdir -p "$work/sources"
    fetch "$PWD/$work/sources" || cannot "has not all sources of $table ($log says which): Debian may have newer ones"
    cp "$table" "$work/sources/whole"
  fi
  begun=$SECONDS
  work=$PWD/$work build_libraries
  put_notices >"$libraries/NOTICES.txt"
  echo "libraries: built ($((SECONDS - begun)) s)"
fi

{ cmake --preset wasm && cmake --build --preset wasm --parallel "$(nproc)" --target roofline; } >>"$log" 2>&1 || fail "the module does not build"
module=$to/roofline.wasm
if ! [ "$module" -nt $to/module/roofline.wasm ]; then
  # The stack lies below the data, so that no address of a variable is below 1024, as --low-memory-unused assumes.
  wasm-opt -Oz --low-memory-unused --strip-debug --strip-producers $to/module/roofline.wasm -o "$module" >>"$log" 2>&1 || fail "wasm-opt fails"
fi
bytes=$(stat -c %s "$module") compressed=$(brotli --stdout --quality=11 "$module" | wc -c)
echo "$module: $bytes bytes, $compressed compressed; $libraries/gnuplot.wasm: $(stat -c %s "$libraries/gnuplot.wasm") bytes"
[ "$bytes" -le $most_bytes ] || fail "the module has $bytes bytes, and $most_bytes are the most"
[ "$compressed" -le $most_compressed ] || fail "the module has $compressed bytes compressed, and $most_compressed are the most"

version=$(sed -n 's/^project(roofline VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
node npm/make.mjs "$module" "$libraries/gnuplot.wasm" "$version" "$libraries/NOTICES.txt" "$to" || fail "the package cannot be made"
[ ! -d build/release ] || ln -sfn ../wasm/npm build/release/npm # where ../shared's check looks for it
tarball=$to/$(cd "$to" && npm pack --silent ./npm)
echo "$tarball: $(stat -c %s "$tarball") bytes"
[ "${1:-}" = --test ] || exit 0

# ---- held against the native program ----

native=$PWD/build/release/roofline generated=$PWD/build/release/tests/generated
[ -x "$native" ] && [ -d "$generated" ] || fail "build/release has no program with its tests: scripts/test.sh comes first"
status=0

# Each case as ctest runs it, with the module in the program's place. tests/wasm/differs.tsv says which are other, and why.
printf '#!/bin/sh\nexec node %q "$@"\n' "$PWD/$to/npm/bin/roofline.mjs" >"$to/roofline"
chmod +x "$to/roofline"
rm -rf "$to/golden"
mkdir -p "$to/golden"
shared=
[ ! -d ../shared/data ] || shared=$(cd ../shared && pwd)
golden_case() { # NAME
  local own=()
  [ ! -e "tests/golden/$1/env" ] || mapfile -t own <"tests/golden/$1/env"
  env "${own[@]}" cmake -DCASE="$PWD/tests/golden/$1" -DWORK="$PWD/$to/golden/$1" -DPROGRAM="$PWD/$to/roofline" -DEXAMPLES="$PWD/examples" \
    -DGENERATED="$generated" -DSHARED="$shared" -P cmake/golden.cmake >"$to/golden/$1.log" 2>&1 || echo "$1"
}
export -f golden_case
export to generated shared LC_ALL=C.UTF-8 COLUMNS=120 NO_COLOR=1 XDG_CONFIG_HOME=$PWD/$to/no-config
unset ROOFLINE_HW_PATH
begun=$SECONDS
find tests/golden -mindepth 2 -maxdepth 2 -name cmd -printf '%h\n' | sed 's,.*/,,' | sort >"$to/golden/every"
[ -n "${ROOFLINE_THOROUGH:-}" ] && every=1 || every=5
awk "NR % $every == 0" "$to/golden/every" >"$to/golden/all"
xargs -P "$(nproc)" -I{} bash -c 'golden_case {}' <"$to/golden/all" | sort >"$to/golden/other"
sed '/^#/d; s/\t.*//' tests/wasm/differs.tsv | sort | comm -12 - "$to/golden/all" >"$to/golden/known"
[ $every = 1 ] || echo "golden cases: every fifth of $(wc -l <"$to/golden/every"); ROOFLINE_THOROUGH=1 runs all"
echo "golden cases: $(wc -l <"$to/golden/all"), $(wc -l <"$to/golden/other") other, of which tests/wasm/differs.tsv explains $(comm -12 \
  "$to/golden/other" "$to/golden/known" | wc -l) ($((SECONDS - begun)) s)"
for name in $(comm -23 "$to/golden/other" "$to/golden/known"); do
  status=1
  echo "not as the native program: $name"
  sed 's/^/  /' "$to/golden/$name.log" | head -n 20
done
for name in $(comm -13 "$to/golden/other" "$to/golden/known"); do
  status=1
  echo "as the native program, though tests/wasm/differs.tsv says that it is other: $name"
done

# The package as somebody gets it.
begun=$SECONDS
tests/wasm/package.sh "$native" || status=1
echo "package: $((SECONDS - begun)) s"
begun=$SECONDS

# The page as somebody opens it.
ROOFLINE_PAGE=$PWD/$to/page/roofline.html ROOFLINE_EXE=$native ROOFLINE_EXAMPLES=$PWD/examples /usr/bin/python3 -B tests/wasm/page.py || {
  [ $? = 77 ] || status=1
}
echo "page: $((SECONDS - begun)) s"
/usr/bin/python3 -B tests/wasm/first.py "$(ls build/tarball/roofline-*.whl 2>/dev/null | tail -n 1)"

if [ -n "$shared" ] && [ -e "$shared/checks/check_page.py" ]; then
  /usr/bin/python3 -B "$shared/checks/check_page.py" "$native" "$shared/page/cases.tsv" --data "$shared/data" --mutants 60 --big || status=1
else
  echo "SKIPPED: needs the optional folder ../shared"
fi
exit "$status"
