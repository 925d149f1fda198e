"""Measured documents: read, or made of the files of other tools."""
from __future__ import annotations

import io
import os
import threading
from collections.abc import Sequence
from typing import Any, BinaryIO, Optional

from . import structs
from ._call import call, path_bytes, receive, replace_file, stream
from ._roofline import ffi, lib
from ._shown import Path, until_none
from ._view import options, stands_for, text_of
from .errors import UsageError


@stands_for
class Measured(structs.Measured):
    """What really happened: experiments (a model on a device), their runs, and the rows of these."""

    source: Optional[str] = None

    def __init__(self, c, parent=None):
        super().__init__(c, parent)
        self._lock, self._is_joined = threading.Lock(), False

    def write(self, file: BinaryIO) -> None:
        """Writes the document, roofline.measured/1, into a file that is open for bytes."""
        stream(lib.roof_measured_write, self._address(), file=file)

    def render(self, format: str = "json") -> str:
        if format != "json":
            raise UsageError(f"a measured document is JSON, and nothing else: {format}")
        out = io.BytesIO()
        self.write(out)
        return out.getvalue().decode("utf-8", "surrogateescape")

    def save(self, path: Path) -> None:
        replace_file(path, self.write)

    def _join_power(self) -> None:
        """Once, as the command line does before it reconciles."""
        with self._lock:
            if not self._is_joined:
                lib.roof_measured_join_power(self._address())
                self._is_joined = True


def _merged(parts: Sequence[Any], paths: Sequence[Path]) -> Measured:
    """The first of them with all others, whose experiments then are its own."""
    first, *others = parts
    for other in others:
        call(lib.roof_measured_merge, first, other)
        ffi.gc(other, None)
    made = Measured(first)
    made.source = os.fspath(paths[0])
    return made


def _some(paths: Sequence[Path], what: str) -> None:
    if not paths:
        raise UsageError(f"which {what}? Name one file or several")


def read_measured(*paths: Path) -> Measured:
    """Reads measured documents; several become one."""
    _some(paths, "measured documents")
    return _merged(
        [
            receive("roof_measured *", lib.roof_measured_free, lib.roof_measured_read, path_bytes(path))
            for path in paths
        ],
        paths,
    )


def import_profile(
    *paths: Path,
    tool: Optional[str] = None,
    power: Optional[Path] = None,
    during: tuple = (None, None),
    idle_power_w: Optional[float] = None,
    inferences: int = 0,
    **given: Any,
) -> Measured:
    """Reads files of other tools, which become one document; importers() lists what is known.

    tool: the importer; without it, it is found by content. power: the log of a power meter beside the files,
    of which `during` is the part from and to, in seconds. inferences: that ran while a tool, or the meter,
    counted. Other options are those of roof_import_options: map, mode, model, hardware, power_scope.
    """
    _some(paths, "files")
    keep: list = []
    how = options(
        "roof_import_options", {"from": tool, "inferences": 0 if power else inferences, **given}, keep
    )
    made = _merged([_imported(path, how) for path in paths], paths)
    call(lib.roof_import_join, made._address(), ffi.new("const char **"))  # what it did is in the notes
    if power is not None:
        _lay_power(
            made,
            _imported(
                power,
                options(
                    "roof_import_options",
                    {"power_scope": given.get("power_scope"), "inferences": inferences},
                    keep,
                ),
            ),
            inferences,
            during,
            idle_power_w,
        )
    return made


def _imported(path: Path, how):
    return receive("roof_measured *", lib.roof_measured_free, lib.roof_import_file, path_bytes(path), how)


def _lay_power(into: Measured, power, inferences: int, during: tuple, idle_power_w: Optional[float]) -> None:
    unknown = float("nan")
    window = [unknown if at is None else at for at in (*during, idle_power_w)]
    how = ffi.new("roof_power_options *", [inferences, *window])
    call(lib.roof_measured_lay_power, into._address(), power, how, ffi.new("const char **"))
    ffi.gc(power, None)


def importers() -> dict[str, str]:
    """The ids of importers, and what each reads."""
    names = until_none(lambda i: text_of(lib.roof_importer_name(i)))
    return {name: text_of(lib.roof_importer_doc(i)) or "" for i, name in enumerate(names)}
