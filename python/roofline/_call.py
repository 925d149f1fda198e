"""Calls of libroofline: a status becomes an exception, what is received is freed with its object, pieces of a
document are written."""
from __future__ import annotations

import os
import threading
from typing import Any, BinaryIO, Optional

from ._roofline import ffi, lib
from .errors import error_of


def path_bytes(path) -> bytes:
    """A path as the library takes it."""
    text = os.fsencode(path)
    if b"\0" in text:
        raise ValueError("a path holds a NUL byte")
    return text


def call(function, *arguments) -> None:
    err = ffi.new("roof_error *")
    status = function(*arguments, err)
    if status != lib.ROOF_OK:
        raise error_of(status, err)


def receive(pointer: str, free, function, *arguments) -> Any:
    """What a function hands out behind its arguments, freed when nothing holds it any more; None: nothing."""
    out = ffi.new(pointer + " *")
    call(function, *arguments, out)
    return ffi.gc(out[0], free) if out[0] else None


class _Writer:
    """Takes the pieces of a document. An exception of the file's waits until the library has returned."""

    def __init__(self, file: BinaryIO):
        self.file = file
        self.failure: Optional[BaseException] = None

    def write(self, piece: bytes) -> bool:
        try:
            self.file.write(piece)
        except BaseException as failure:  # also what a signal raises: no exception goes through C
            self.failure = failure
        return self.failure is None


@ffi.def_extern(onerror=None)
def roofline_python_write(context, data, length, err):
    return lib.ROOF_OK if ffi.from_handle(context).write(ffi.buffer(data, length)[:]) else lib.ROOF_E_IO


def stream(function, *arguments, file: BinaryIO) -> None:
    """function(arguments, sink): what it writes goes to file."""
    writer = _Writer(file)
    handle = ffi.new_handle(writer)
    sink = ffi.new("roof_sink *", {"write": lib.roofline_python_write, "context": handle})
    try:
        call(function, *arguments, sink[0])
    finally:
        if writer.failure is not None:
            raise writer.failure


def replace_file(path, write) -> None:
    """write(file) makes the file anew, whole or not at all."""
    part = f"{os.fspath(path)}.{os.getpid()}-{threading.get_ident()}.part"
    try:
        with open(part, "xb") as file:
            write(file)
        os.replace(part, path)
    except BaseException:
        if os.path.exists(part):
            os.unlink(part)
        raise


def version() -> str:
    """Of the library that is loaded, which may be newer than what this was built with."""
    return ffi.string(lib.roof_version()).decode()
