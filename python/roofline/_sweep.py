"""Every model of a plan on each of its devices, at each of its clocks, bandwidths, batches and threads."""
from __future__ import annotations

import os
import tempfile
from typing import Any

from . import structs
from ._call import call, path_bytes, receive
from ._roofline import ffi, lib
from ._shown import Path, Tabular
from ._view import options, stands_for


@stands_for
class SweepPlan(Tabular, structs.SweepPlan):
    """What to compute. table() has a row a point."""

    _row = structs.Pair
    _text_columns = (  # of predictions and of profiles
        *("host", "host_rows", "basis", "time_kind", "plan", "check"),
        *("measured", "calibration", "device", "mode", "attributed_of", "parts"),
    )

    def write(self, path: Path, **given: Any) -> "structs.ResultsProgress":
        """Computes what is missing of the points, and writes it: a run that was stopped is gone on with.
        Options are those of roof_results_options: is_json_lines, shard, n_shards, jobs."""
        keep: list = []
        done = ffi.new("roof_results_progress *")
        how = options("roof_results_options", {"path": path, **given}, keep)
        call(lib.roof_results_write, self._address(), how, done)
        return structs.ResultsProgress(done)

    def _csv(self) -> str:
        with tempfile.TemporaryDirectory() as folder:
            self.write(path := os.path.join(folder, "points.csv"))
            with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
                return file.read()


def read_sweep(path: Path) -> SweepPlan:
    """Reads a plan, and the models and devices that it names."""
    free = lib.roof_sweep_plan_free
    return SweepPlan(receive("roof_sweep_plan *", free, lib.roof_sweep_plan_read, path_bytes(path)))
