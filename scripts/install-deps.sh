#!/usr/bin/env bash
# Installs what is missing to build and test roofline; does nothing when all is there.
#
#   scripts/install-deps.sh            what the program needs: compiler, CMake, libraries, gnuplot; Graphviz, which
#                                      places the boxes of a network's graph; oneDNN, with which this machine's own
#                                      processor is measured
#   scripts/install-deps.sh --tests    also cmocka
#   scripts/install-deps.sh --python   also what scripts/python.sh needs, which builds the Python package: optional, as below
#   scripts/install-deps.sh --all      also what test.sh --all and .ci/run use: clang with its tools, python3, Debian's
#                                      own readers of .xmodel and ONNX files, flatc, which reads .tflite files, valgrind, which
#                                      counts instructions, ccache, a browser and what drives it, gnuplot with a font to draw
#                                      with, what tells where the texts of a PDF stand, the libraries of the runners of
#                                      devices (docs/devices.md), Slurm and GNU parallel for sweeps, zsh and fish, whose
#                                      completion is tested, what builds and tests Debian packages (scripts/package.sh),
#                                      mmdebstrap, which makes bare machines (scripts/fresh.sh), and a compiler for arm64
#                                      with what emulates it (scripts/arm64.sh). Those
#                                      are optional: a failure is said, not fatal.
#
# Debian and Ubuntu, as root or with sudo. Elsewhere it lists what to install.
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive

program() { command -v "$1" >/dev/null 2>&1; }
library() { program pkg-config && pkg-config --exists "$1"; }
header() { program cc && echo "#include <$1>" | cc -E - >/dev/null 2>&1; }
file_of() { # a header that only its own compiler flags would find
  local folder
  for folder in /usr/include /usr/local/include /usr/include/xrt /opt/xilinx/xrt/include; do
    [ ! -e "$folder/$1" ] || return 0
  done
  return 1
}
clang_runtime() { # what -fsanitize links; a package of its own
  program clang && [ -e "$(clang -print-runtime-dir)/libclang_rt.fuzzer-$(uname -m).a" ]
}
browser() { # the names that tests/browser/browser.py looks for
  [ -n "${ROOFLINE_BROWSER:-}" ] || program chromium || program chromium-browser || program google-chrome
}
module() { # of the python3 that tests take, which is Debian's
  local python=/usr/bin/python3
  [ -x "$python" ] || python=python3
  "$python" -c "import $1" 2>/dev/null
}
onnx_tests() { [ -d /usr/share/libonnx-testdata/data ]; } # of its backends, with which shapes are held
python_headers() { module sysconfig && [ -e "$(/usr/bin/python3 -c 'import sysconfig; print(sysconfig.get_path("include"))')/Python.h" ]; }
fonts() { [ -n "$(find /usr/share/fonts /usr/local/share/fonts -name '*.[ot]tf' -print -quit 2>/dev/null)" ]; }

# Where to look for it, and the Debian package that has it. Checked by use, not by package name: what was installed in
# another way counts as well.
required=(
  "program cc|build-essential" "program make|build-essential" "program cmake|cmake" "program pkg-config|pkg-config"
  "library libmd|libmd-dev" "library libcjson|libcjson-dev"
  "library libxxhash|libxxhash-dev" "library gsl|libgsl-dev" "header csv.h|libcsv-dev" "library zlib|zlib1g-dev" "library sqlite3|libsqlite3-dev"
  "program gnuplot|gnuplot-nox" "program dot|graphviz" "file_of oneapi/dnnl/dnnl.h|libdnnl-dev"
)
[ $# -eq 0 ] || required+=("library cmocka|libcmocka-dev")
python=( # build.env, since any folder called build can be imported as build
  "program python3|python3" "python_headers|python3-dev" "module cffi|python3-cffi" "module setuptools|python3-setuptools"
  "module wheel|python3-wheel" "module build.env|python3-build" "module ensurepip|python3-venv"
)
optional=(
  "${python[@]}" "module pandas|python3-pandas" "program ccache|ccache"
  "program clang|clang" "program clang-tidy|clang-tidy" "program clang-format|clang-format"
  "program xir|libxir-utils" "program flatc|flatbuffers-compiler" "program valgrind|valgrind"
  "fonts|fonts-dejavu-core" "browser|chromium" "program pdftotext|poppler-utils"
  "program mkdocs|mkdocs" "program zsh|zsh" "program fish|fish" "program chromedriver|chromium-driver" "module selenium|python3-selenium" "module onnx|python3-onnx" "onnx_tests|libonnx-testdata" "module scipy|python3-scipy" "module yaml|python3-yaml" "program mmdebstrap|mmdebstrap"
  "program parallel|parallel" "program sbatch|slurm-wlm" "program munge|munge"
  "file_of xir/graph/graph.hpp|libxir-dev" "file_of vart/runner_ext.hpp|libvart-dev" "file_of xrt/xrt_kernel.h|libxrt-dev"
  "program dh|debhelper" "program dh_python3|dh-python" "program lintian|lintian" "program autopkgtest|autopkgtest" "program ninja|ninja-build"
  # WebAssembly (scripts/wasm.sh); the compiler's own part of it is named after its version, as below.
  "file_of wasm32-wasi/stdio.h|wasi-libc" "program wasm-ld|lld" "program llvm-ar|llvm" "program wasm-opt|binaryen" "program brotli|brotli"
  "program tclsh|tcl" "program node|nodejs" "program npm|npm" "program dpkg-source|dpkg-dev"
  "program aarch64-linux-gnu-gcc|gcc-aarch64-linux-gnu" "program qemu-aarch64-static|qemu-user-static"
  # Debian's libxir-dev and libxrt-dev include these, and do not depend on them.
  "file_of UniLog/UniLog.hpp|libunilog-dev" "file_of uuid/uuid.h|uuid-dev"
)
cd "$(dirname "${BASH_SOURCE[0]}")/.."

missing() { # the packages of a list that are not there
  local entry
  for entry in "$@"; do
    ${entry%|*} || echo "${entry#*|}"
  done | sort -u
}

updated=no
as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  else
    sudo env DEBIAN_FRONTEND=noninteractive "$@"
  fi
}
apt_install() {
  if [ "$updated" = no ]; then
    as_root apt-get -qq update </dev/null
    updated=yes
  fi
  # On a machine that is made for one run nothing has to outlast a loss of power, and dpkg waits for no disk.
  as_root apt-get -qq -y --no-install-recommends -o DPkg::Lock::Timeout=300 ${CI:+-o DPkg::Options::=--force-unsafe-io} \
    install "$@" </dev/null
}
can_install() { program apt-get && { [ "$(id -u)" = 0 ] || program sudo; }; }

mapfile -t packages < <(missing "${required[@]}")
if [ "${#packages[@]}" -gt 0 ]; then
  if ! can_install; then
    {
      echo "These are needed and not there (names as in Debian): ${packages[*]}"
      echo "apt-get with root or sudo would install them here; on another system use its own package manager."
    } >&2
    exit 69
  fi
  echo "installing: ${packages[*]}"
  apt_install "${packages[@]}"
fi

# At once, which takes half the time of one by one; one by one where one of them is not available, which must not stop the others.
install_optional() { # PACKAGE...
  [ $# -gt 0 ] || return 0
  echo "installing (optional): $*"
  if ! can_install; then
    echo "not installed here: $*; what needs them is skipped" >&2
  elif ! apt_install "$@" && [ $# -gt 1 ]; then
    local package
    for package in "$@"; do
      apt_install "$package" || echo "not available here: $package; what needs it is skipped" >&2
    done
  fi
}
[ "${1:-}" != --python ] || optional=("${python[@]}")
if [ "${1:-}" = --all ] || [ "${1:-}" = --python ]; then
  mapfile -t packages < <(missing "${optional[@]}")
  install_optional "${packages[@]}"
  if [ "${1:-}" = --all ] && program clang && ! clang_runtime; then # a package of its own, named after clang's version
    version=$(clang -dumpversion)
    install_optional "libclang-rt-${version%%.*}-dev"
  fi
  if [ "${1:-}" = --all ] && program clang && ! [ -e "$(clang -print-resource-dir)/lib/wasi/libclang_rt.builtins-wasm32.a" ]; then
    version=$(clang -dumpversion)
    install_optional "libclang-rt-${version%%.*}-dev-wasm32"
  fi
fi
