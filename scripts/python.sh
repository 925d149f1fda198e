#!/usr/bin/env bash
# The Python package: builds its wheel, installs it into a new virtual environment without a package index,
# and runs its tests. Then the same with the library inside, in an environment that has nothing else.
#
#   scripts/python.sh [BUILD-FOLDER [WORK-FOLDER]]     without them build/release, and python/ in it
#
# libroofline and the program are those of the build folder. Leaves with 77, and a line that says what is
# missing, where Debian's packages for it are not installed; scripts/install-deps.sh --python installs them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source=$PWD
build=$(realpath "${1:-build/release}")
work=${2:-$build/python}
python=/usr/bin/python3 # Debian's modules are for Debian's python3
[ -x "$python" ] || python=python3

missing() { echo "SKIPPED: needs $1"; exit 77; }
command -v "$python" >/dev/null || missing python3
for module in cffi:python3-cffi setuptools:python3-setuptools wheel:python3-wheel build.env:python3-build \
  ensurepip:python3-venv; do
  "$python" -c "import ${module%:*}" 2>/dev/null || missing "${module#*:}"
done
headers=$("$python" -c 'import sysconfig; print(sysconfig.get_path("include"))')
[ -e "$headers/Python.h" ] || missing python3-dev
[ -e "$build/libroofline.so" ] ||
  { echo "$build has no libroofline.so: scripts/build.sh makes it" >&2; exit 66; }

rm -rf "$work"
mkdir -p "$work"
cp -R python "$work/source" # building leaves files in the folder of the sources
export PYTHONDONTWRITEBYTECODE=1 PIP_NO_INDEX=1 PIP_DISABLE_PIP_VERSION_CHECK=1
make_wheel() { # FOLDER
  ROOFLINE_PREFIX=$build "$python" -m build --no-isolation --wheel --outdir "$1" "$work/source" >"$work/build.log" 2>&1 ||
    { tail -n 40 "$work/build.log" >&2; exit 1; }
}
make_wheel "$work"
"$python" -m venv --system-site-packages "$work/venv"
"$work/venv/bin/python" -m pip install --quiet --no-index --no-deps "$work"/roofline-*.whl

mkdir "$work/modules"
triplet=$("$python" -c 'import sysconfig; print(sysconfig.get_config_var("MULTIARCH"))')
scripts/bundle.sh "$build/libroofline.so" "$work/bundle" "/usr/local/lib" "/usr/lib/$triplet" "/lib/$triplet"
rm -rf "$work/source" && cp -R python "$work/source"
ROOFLINE_BUNDLE=$work/bundle make_wheel "$work/bundled"
"$python" -m venv "$work/bare"
"$work/bare/bin/python" -m pip install --quiet --no-index --no-deps "$work"/bundled/roofline-*.whl
cp "$("$python" -c 'import _cffi_backend; print(_cffi_backend.__file__)')" "$work/modules" # all that cffi runs with
model=examples/models/resnet50.onnx
said=$(PYTHONPATH=$work/modules LC_ALL=C.UTF-8 "$work/bare/bin/python" -c \
  "import roofline; print(roofline.predict('$model', 'kv260').render('json'))")
[ "$said" = "$("${ROOFLINE_EXE:-$build/roofline}" predict "$model" --hw kv260 --format json 2>/dev/null)" ] ||
  { echo "the wheel with the library inside says something else of $model" >&2; exit 1; }
elsewhere=$(ldd "$work"/bare/lib/python*/site-packages/roofline/_roofline*.so | grep -vE "$work/bare|lib(c|m|pthread|dl)\.so|ld-linux|linux-vdso" || true)
[ -z "$elsewhere" ] || { echo "the wheel with the library inside also needs:$elsewhere" >&2; exit 1; }

# What is freed is overwritten, so that a pointer to it shows.
export PYTHONMALLOC=debug MALLOC_PERTURB_=165
cd "$work" # where no folder is called roofline
ROOFLINE_SOURCE_DIR=$source ROOFLINE_EXE=${ROOFLINE_EXE:-$build/roofline} \
  "$work/venv/bin/python" -W error::ResourceWarning -m unittest discover -s "$source/python/tests" \
  -t "$source/python/tests"
