#!/usr/bin/env bash
# Copies a library and all that it needs, but for the C library's own: scripts/bundle.sh LIBRARY TO FOLDER...
# Needed ones are looked for in the folders, in their order.
set -euo pipefail
library=${1:?want a library} to=${2:?want a folder}
shift 2
take() { # FILE AS
  local name found
  cp -L "$1" "$to/$2"
  for name in $(objdump -p "$to/$2" | awk '$1 == "NEEDED" {print $2}'); do
    case $name in libc.so.* | libm.so.* | libpthread.so.* | libdl.so.* | librt.so.* | ld-linux*) continue ;; esac
    [ ! -e "$to/$name" ] || continue
    found=$(find "${folders[@]}" -maxdepth 1 -name "$name" 2>/dev/null | head -n 1)
    [ -n "$found" ] || { echo "$2 needs $name, which is not found" >&2; exit 66; }
    take "$found" "$name"
  done
}
folders=("$@")
mkdir -p "$to"
take "$library" "$(objdump -p "$library" | awk '$1 == "SONAME" {print $2}')"
# A library with a runpath of its own is not looked for by the rpath of who loads it: the tag is made one that no loader reads.
python3 - "$to"/*.so* <<'END'
import struct
import sys

DYNAMIC, RUNPATH, NOBODYS = 6, 29, 0x6FFFFEF0
for path in sys.argv[1:]:
    with open(path, "r+b") as file:
        data = bytearray(file.read())
        (start,) = struct.unpack_from("<Q", data, 40)
        size, n = struct.unpack_from("<HH", data, 58)
        for section in range(start, start + n * size, size):
            if struct.unpack_from("<I", data, section + 4)[0] == DYNAMIC:
                at, length = struct.unpack_from("<QQ", data, section + 24)
                for entry in range(at, at + length, 16):
                    if struct.unpack_from("<q", data, entry)[0] == RUNPATH:
                        struct.pack_into("<q", data, entry, NOBODYS)
        file.seek(0)
        file.write(data)
END
