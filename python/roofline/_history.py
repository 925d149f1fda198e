"""Runs of months in one file."""
from __future__ import annotations

import hashlib
import os
import time
from typing import Any, Optional

from . import structs
from ._call import call, path_bytes, receive
from ._measured import read_measured
from ._roofline import ffi, lib
from ._shown import Drawn, Path, Rendered, Tabular, split
from ._view import options, stands_for


@stands_for
class HistoryTrends(Rendered, Drawn, Tabular, structs.HistoryTrends):
    """Series of runs, and where their level changes."""

    _row = structs.HistorySeries
    _text_columns = ("model", "model_hash", "device", "stack", "mode", "workload", "metric", "unit", "commit")
    _document = lib.ROOF_DOCUMENT_TRENDS
    _drawer = lib.roof_draw_trends

    @property
    def n_failed(self) -> int:
        """How many are broken or not known, by the factor that was requested."""
        return lib.roof_history_failed(self._address())


class History:
    """A file of runs: added as they come, listed, and watched for changes. `with` closes it.

    The arguments that choose runs are those of roof_history_filter: model, device, stack, mode, workload."""

    def __init__(self, path: Path, write: bool = False):
        """write: makes the file where there is none."""
        use = lib.ROOF_HISTORY_WRITE if write else lib.ROOF_HISTORY_READ
        free = lib.roof_history_close
        self._c = receive("roof_history *", free, lib.roof_history_open, path_bytes(path), use)

    def __enter__(self) -> "History":
        return self

    def __exit__(self, *failure: Any) -> None:
        self.close()

    def close(self) -> None:
        if self._c is not None:
            ffi.release(self._c)
        self._c = None

    def _open(self) -> Any:
        if self._c is None:
            raise ValueError("the history is closed")
        return self._c

    def add(self, path: Path, added_s: Optional[int] = None, **given: Any) -> "structs.HistoryAdded":
        """Adds all runs of a measured document, once. added_s: when it was measured; now. Other options:
        commit, stack."""
        keep: list = []
        with open(path, "rb") as file:
            given["sha256"] = hashlib.sha256(file.read()).hexdigest()
        given |= {"name": os.fspath(path), "added_s": int(time.time()) if added_s is None else added_s}
        measured, out = read_measured(path), ffi.new("roof_history_added *")
        document = options("roof_history_document", given, keep)
        call(lib.roof_history_add, self._open(), measured._address(), document, out)
        return structs.HistoryAdded(out)

    def runs(self, most: int = 0xFFFFFFFF, **which: Any) -> "structs.HistoryRuns":
        """The newest runs."""
        keep: list = []
        return self._runs(lib.roof_history_list, options("roof_history_filter", which, keep), most)

    def run(self, id: int) -> "structs.HistoryRun":
        """One run with all that is kept of it."""
        return self._runs(lib.roof_history_show, id).items[0]

    def _runs(self, function, *arguments) -> "structs.HistoryRuns":
        free = lib.roof_history_runs_free
        return structs.HistoryRuns(receive("roof_history_runs *", free, function, self._open(), *arguments))

    def trends(self, factor: Optional[float] = None, **given: Any) -> HistoryTrends:
        """The series, and where their level changes. factor: the most of the newest runs, as a multiple of
        those before. Other options: metric, row."""
        keep: list = []
        asked, which = split(given, "roof_history_request", "roof_history_filter")
        made = options("roof_history_request", {"factor": factor, "filter": which, **asked}, keep)
        if factor is None:
            made.factor = float("nan")
        free = lib.roof_history_trends_free
        return HistoryTrends(
            receive("roof_history_trends *", free, lib.roof_history_find_trends, self._open(), made)
        )
