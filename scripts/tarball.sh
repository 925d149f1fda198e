#!/usr/bin/env bash
# Packs the program for any Linux of this machine's processor whose C library is that of Debian 11 (glibc 2.31, of 2020) or newer:
# scripts/tarball.sh [FOLDER]
#
# It is compiled here, against headers and libraries of a bare Debian 11 that mmdebstrap makes. GSL, SQLite, libcsv, libmd and zlib
# are linked in; of cJSON, which Debian has as a shared library alone, that library lies beside the program. Then the tar file is
# unpacked into a bare Debian 11, where the program has to print what it prints here of all models in examples. The newest version of
# the C library that the program asks for is printed, and must not be newer than that.
# The Python package is packed the same way, as a wheel with the library inside; it is not, with a line that says so, where what builds
# wheels is not installed.
# The tar file is left in FOLDER, build/tarball if none is given; the same commit gives the same bytes. Wants root, mmdebstrap, and
# 1 GB in $TMPDIR; ends with 77 where it cannot run.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
to=${1:-build/tarball} suite=bullseye most=2.31 base=build/fresh/older.tar

cannot() { echo "skipped: the tar file of the program $*"; exit 77; }
[ "$(id -u)" = 0 ] || cannot "wants root"
unshare --mount --pid --fork true 2>/dev/null || cannot "wants name spaces, which are not allowed here"
said=$(scripts/bare.sh "$base" $suite) || cannot "has no older C library: $said"

folder=$(mktemp -d "${TMPDIR:-/tmp}/roofline-tarball-XXXXXX")
trap 'rm -rf --one-file-system "$folder"' EXIT
mkdir -p "$to" "$folder/older" "$folder/bare"
log=$to/build.log
fail() { echo "$1; see $log:" >&2; tail -n 20 "$log" >&2; exit 1; }
tar -C "$folder/older" -xf "$base"
cp -r "$folder/older/." "$folder/bare"
cp /etc/resolv.conf "$folder/older/etc/" 2>/dev/null || true
cp /etc/apt/apt.conf.d/* "$folder/older/etc/apt/apt.conf.d/" 2>/dev/null || true
# A suite that is no longer made may lack an update that its lists name: then the release's own version is as good.
chroot "$folder/older" sh -c "export DEBIAN_FRONTEND=noninteractive
  packages='libc6-dev libgsl-dev libmd-dev libsqlite3-dev libxxhash-dev libcsv-dev zlib1g-dev'
  apt-get -qq update
  install='apt-get -qq -y --no-install-recommends install'
  \$install \$packages libcjson-dev || \$install \$packages libcjson-dev/$suite libcjson1/$suite" </dev/null >"$log" 2>&1 ||
  cannot "lacks the libraries of $suite: $(tail -n 1 "$log")"

# What a link of the root points at lies in the root.
find "$folder/older/lib" "$folder/older/lib64" "$folder/older/usr/lib" -xdev -type l -lname '/*' -printf '%p\t%l\n' 2>/dev/null |
  while IFS=$'\t' read -r link target; do ln -snf "$folder/older$target" "$link"; done

triplet=$(cc -print-multiarch)
libraries=$folder/older/usr/lib/$triplet
link="-static-libgcc -B$libraries -L$libraries -L$folder/older/lib/$triplet"
{
  # -B: else the compiler takes crt1.o and libraries from beside itself, whatever the root is.
  # Threads and dlopen are in libraries of their own before glibc 2.34.
  # shellcheck disable=SC2016 # $ORIGIN is for the loader
  cmake -S . -B "$folder/build" -DCMAKE_TOOLCHAIN_FILE="$PWD/cmake/sysroot.cmake" -DROOFLINE_SYSROOT="$folder/older" \
    -DROOFLINE_LTO=program -DROOFLINE_TESTS=OFF -DCMAKE_INSTALL_RPATH='$ORIGIN/../lib' -DCMAKE_C_STANDARD_LIBRARIES="-lpthread -ldl" \
    -DCMAKE_EXE_LINKER_FLAGS="$link" -DCMAKE_SHARED_LINKER_FLAGS="$link" &&
    cmake --build "$folder/build" --parallel "$(nproc)" --target roofline completions roofline_shared
} >>"$log" 2>&1 || fail "the build failed"

version=$("$folder/build/roofline" --version)
name=roofline-${version#* }-linux-$(uname -m)
cmake --install "$folder/build" --prefix "$folder/$name" --component program --strip >>"$log" 2>&1 || fail "installing failed"
mkdir -p "$folder/$name/lib"
cp -L "$libraries/libcjson.so.1" "$folder/$name/lib/"
cp "$folder/older/usr/share/doc/libcjson1/copyright" "$folder/$name/share/doc/roofline/libcjson-copyright"

needs=$(objdump -T "$folder/$name/bin/roofline" "$folder/$name/lib/libcjson.so.1" | grep -o 'GLIBC_[0-9.]*' | sort -uV | tail -n 1)
[ -n "$needs" ] || fail "objdump finds no version of the C library"
[ "$(printf '%s\n' "${needs#GLIBC_}" $most | sort -V | tail -n 1)" = $most ] || fail "it needs $needs, and $most is the most"
tar -C "$folder" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$(git -c safe.directory='*' log -1 --format=%ct)" \
  -cf - "$name" | gzip -9n >"$to/$name.tar.gz"

tar -C "$folder/bare" -xzf "$to/$name.tar.gz"
cp -r examples/models "$folder/"
cp -r examples/models "$folder/bare/"
commands=("--version" "hw list --format json")
for model in examples/models/*; do
  commands+=("predict models/${model##*/} --hw kv260 --details --format json" "predict models/${model##*/} --hw zcu104 --findings")
done
for command in "${commands[@]}"; do
  # shellcheck disable=SC2086 # words
  (cd "$folder" && build/roofline $command) >"$folder/here" 2>&1
  # shellcheck disable=SC2016 # expands in the inner shell; the loader finds a library beside the program by /proc
  unshare --mount --pid --fork --kill-child bash -c 'mount -t proc proc "$1/proc" && exec chroot "$1" sh -c "cd / && $2"' _ \
    "$folder/bare" "/$name/bin/roofline $command" >"$folder/there" 2>&1 </dev/null || true
  cmp "$folder/here" "$folder/there" >>"$log" 2>&1 || { cat "$folder/there" >>"$log"; fail "in $suite it prints something else: $command"; }
done
wheel() {
  local python=/usr/bin/python3 headers needs elsewhere copyright bundle=$folder/bundle
  [ -x "$python" ] || python=python3
  for module in cffi setuptools wheel build.env; do
    "$python" -c "import $module" 2>/dev/null || { echo "no wheel: needs python3-${module%.*}"; return; }
  done
  headers=$("$python" -c 'import sysconfig; print(sysconfig.get_path("include"))')
  [ -e "$headers/Python.h" ] || { echo "no wheel: needs python3-dev"; return; }
  # Debian's configuration of Python is in two files, one of them of the processor, in a folder that holds headers of this C library as well.
  mkdir -p "$folder/headers/$triplet"
  cp -r "/usr/include/$triplet/${headers##*/}" "$folder/headers/$triplet/" 2>/dev/null || true
  scripts/bundle.sh "$folder/build/libroofline.so" "$bundle" "$libraries" "$folder/older/lib/$triplet" >>"$log" 2>&1 || fail "no bundle"
  strip --strip-unneeded "$bundle"/*
  for copyright in "$folder/older/usr/share/doc"/{libgsl,libgslcblas,libsqlite3-,libcsv,zlib1g,libcjson}*/copyright; do
    case $copyright in *-dev/*) ;; *) cp "$copyright" "$bundle/$(basename "$(dirname "$copyright")")-copyright" ;; esac
  done
  cp -R python "$folder/python"
  CC="cc --sysroot=$folder/older" CFLAGS="-I$folder/headers" PIP_NO_INDEX=1 ROOFLINE_PREFIX=$folder/build ROOFLINE_BUNDLE=$bundle \
    LDFLAGS="$link" \
    ROOFLINE_PLATFORM="manylinux_${most/./_}_$(uname -m)" SOURCE_DATE_EPOCH=$(git -c safe.directory='*' log -1 --format=%ct) \
    "$python" -m build --no-isolation --wheel --outdir "$folder/wheel" "$folder/python" >>"$log" 2>&1 || fail "the wheel cannot be built"
  mkdir "$folder/wheel/in" && "$python" -m zipfile -e "$folder"/wheel/*.whl "$folder/wheel/in"
  needs=$(objdump -T "$folder"/wheel/in/roofline/*.so* | grep -o 'GLIBC_[0-9.]*' | sort -uV | tail -n 1)
  [ "$(printf '%s\n' "${needs#GLIBC_}" $most | sort -V | tail -n 1)" = $most ] || fail "the wheel needs $needs, and $most is the most"
  elsewhere=$(ldd "$folder"/wheel/in/roofline/_roofline*.so | grep -vE "$folder/wheel/in|lib(c|m|pthread|dl)\.so|ld-linux|linux-vdso" || true)
  [ -z "$elsewhere" ] || fail "the wheel also needs:$elsewhere"
  cp "$folder"/wheel/*.whl "$to/"
  echo "$to/$(basename "$folder"/wheel/*.whl): $(stat -c %s "$folder"/wheel/*.whl) bytes; needs glibc ${needs#GLIBC_} or newer"
}
echo "$to/$name.tar.gz: $(stat -c %s "$to/$name.tar.gz") bytes; runs with glibc ${needs#GLIBC_} or newer, and did in a bare Debian $suite"
wheel
