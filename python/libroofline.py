"""Where libroofline is, and what its public headers declare, in the form that cffi reads.

Nothing is declared a second time here: the C compiler expands the headers and their .def files, and what is
ours of that is kept.

The library is found by pkg-config. ROOFLINE_PREFIX names another one than the system's: a prefix that it was
installed to, or the folder of a build, such as build/release.
ROOFLINE_BUNDLE names a folder with it and all that it needs (scripts/bundle.sh), which go into the package: then
it needs no other library of the system than the C library.
"""
import os
import re
import subprocess
from pathlib import Path

import cffi

# What the library calls, in Python (roofline/_call.py).
CALLBACKS = """
extern "Python" roof_status roofline_python_write(void *context, const char *bytes, size_t length,
                                                  roof_error *err);
void free(void *memory);
"""


def _pkg_config(*arguments):
    environment = dict(os.environ)
    prefix = os.environ.get("ROOFLINE_PREFIX")
    if prefix and not os.path.isdir(prefix):
        raise SystemExit(
            f"ROOFLINE_PREFIX is '{prefix}', which is no folder from {os.getcwd()}: give its whole path"
        )
    if prefix:  # and nowhere else, where another one may be
        environment.pop("PKG_CONFIG_PATH", None)
        folders = [Path(prefix), *Path(prefix).glob("lib*/pkgconfig"), *Path(prefix).glob("lib/*/pkgconfig")]
        environment["PKG_CONFIG_LIBDIR"] = os.pathsep.join(map(str, folders))
    try:
        done = subprocess.run(
            ["pkg-config", *arguments, "roofline"], env=environment, text=True, capture_output=True
        )
    except FileNotFoundError:
        raise SystemExit(
            "pkg-config is not there, which tells where libroofline is: install it (Debian: pkg-config)"
        ) from None
    if done.returncode:
        raise SystemExit(
            "libroofline is not found: install it, or let ROOFLINE_PREFIX name its prefix or the folder of "
            "a build\n" + done.stderr
        )
    return done.stdout.strip()


def version():
    return _pkg_config("--modversion")


def _flags(arguments, option):
    return [word[2:] for word in _pkg_config(*arguments).split() if word.startswith(option)]


def _include_folder():
    folder = Path(_pkg_config("--variable=includedir")).resolve()
    if not (folder / "roofline" / "prediction.h").is_file():
        raise SystemExit(f"{folder} has no roofline/prediction.h: the headers of libroofline are not there")
    return folder


def _includes(folder):
    return "".join(
        f'#include "roofline/{header.name}"\n' for header in sorted((folder / "roofline").glob("*.h"))
    )


def _constant(line):
    """A #define of a number or a text, as a declaration; others are none that cffi has a use for."""
    found = re.match(r"#define (ROOF_\w+) (.+)$", line)
    if not found:
        return None
    name, value = found[1], found[2].strip()
    if value.startswith('"'):
        return f"static char *const {name};"
    if re.fullmatch(r"[0-9]*\.?[0-9]+(e-?[0-9]+)?", value):
        return f"static const double {name};"
    return f"#define {name} ..." if re.fullmatch(r"U?INT[0-9]+_MAX", value) else None


def declarations():
    folder = _include_folder()
    command = os.environ.get("CC", "cc").split() + [
        "-E",
        "-dD",
        "-I",
        str(folder),
        "-D__attribute__(of)=",
        "-xc",
        "-",
    ]
    text = subprocess.run(
        command, input=_includes(folder), text=True, stdout=subprocess.PIPE, check=True
    ).stdout
    kept, is_ours = [], False
    for line in text.splitlines():
        place = re.match(r'# \d+ "(.*?)"', line)
        if place:
            is_ours = Path(place[1]).parent == folder / "roofline"
        elif is_ours and not line.startswith("#"):
            kept.append(line)
        elif is_ours:
            kept.append(_constant(line) or "")
    return "\n".join(line for line in kept if line.strip()) + CALLBACKS


def declared():
    """The types alone, without a compiler."""
    ffi = cffi.FFI()
    ffi.cdef(declarations())
    return ffi


def _builder():
    folder = _include_folder()
    libraries = _flags(["--libs-only-L"], "-L") or [_pkg_config("--variable=libdir")]
    bundle = os.environ.get("ROOFLINE_BUNDLE")
    # A library that the system's loader would not find is found where it is now.
    elsewhere = libraries if os.environ.get("ROOFLINE_PREFIX") and not bundle else []
    builder = cffi.FFI()
    builder.cdef(declarations())
    builder.set_source(
        "roofline._roofline",
        "#include <stdlib.h>\n" + _includes(folder),
        include_dirs=[str(folder)],
        library_dirs=libraries,
        libraries=_flags(["--libs-only-l"], "-l"),
        runtime_library_dirs=elsewhere,
        # An rpath, not a runpath: also what the library needs lies beside it.
        extra_link_args=["-Wl,--disable-new-dtags", "-Wl,-rpath,$ORIGIN"] if bundle else [],
    )
    return builder


ffibuilder = _builder()
