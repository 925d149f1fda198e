"""Two measurements, or two predictions, side by side; a graph beside its compiled file; limits, and whether
they are kept."""
from __future__ import annotations

import os
from typing import Any, Optional, Union

from . import structs
from ._call import call, path_bytes, receive
from ._measured import Measured, read_measured
from ._models import Graph, Hardware, loaded_hardware, read_graph
from ._predictions import Prediction, hardware_of, predict, read_prediction
from ._reconcile import Reconciliation, reconcile, reconcile_with
from ._roofline import ffi, lib
from ._shown import Layered, Path, Rendered, Tabular
from ._view import options, stands_for, text_of
from .errors import DataError


@stands_for
class Compared(structs.Compared):
    def decide(self, factor: float) -> "structs.Decided":
        """Whether B / A is known to be within a factor."""
        return structs.Decided(lib.roof_compared_decide(self._address(), factor), self)


@stands_for
class Comparison(Rendered, Layered, structs.Comparison):
    """Two measurements, or two predictions, of one network."""

    _row = Compared
    _text_columns = ("model", "mode", "pairing", "test", "unlike", "a_kind", "b_kind", "outcome")
    _document = lib.ROOF_DOCUMENT_COMPARISON
    _borrowed: Any


Subject = Union[Measured, Reconciliation, Prediction]


def _read(path: Path) -> Union[Measured, Prediction]:
    """What a file has: a measured document, a prediction as JSON, or a model."""
    is_document, schema = ffi.new("bool *"), ffi.new("char[80]")
    call(lib.roof_is_document, path_bytes(path), is_document)
    if not is_document[0]:
        return predict(path, explores="nothing")
    call(lib.roof_document_schema, path_bytes(path), schema, len(schema))
    is_prediction = (text_of(schema) or "").startswith("roofline.prediction/")
    return read_prediction(path) if is_prediction else read_measured(path)


def _side(of: Union[Subject, Path], name: Optional[str], fallback: str, keep: list) -> Any:
    subject = _read(of) if isinstance(of, (str, os.PathLike)) else of
    if isinstance(subject, Measured):  # its times alone
        subject = reconcile_with(subject, [None] * len(subject.experiments), ffi.NULL, [])
    if not isinstance(subject, (Prediction, Reconciliation)):
        raise TypeError(
            f"{fallback} is a {type(of).__name__}, want a Measured, a Reconciliation, a Prediction or a path"
        )
    member = "prediction" if isinstance(subject, Prediction) else "measured"
    source = os.fspath(of) if isinstance(of, os.PathLike) else of if isinstance(of, str) else subject.source
    return options("roof_compare_side", {"name": name or source or fallback, member: subject}, keep)


def _compared(a: Any, b: Any, keep: list) -> Comparison:
    made = Comparison(receive("roof_comparison *", lib.roof_comparison_free, lib.roof_compare, a, b))
    made._borrowed = keep
    return made


def compare(
    a: Union[Subject, Path],
    b: Union[Subject, Path],
    names: tuple[Optional[str], Optional[str]] = (None, None),
) -> Comparison:
    """Lays b beside a: what differs, by how much, and whether the noise explains it."""
    keep: list = []
    return _compared(_side(a, names[0], "A", keep), _side(b, names[1], "B", keep), keep)


# --- before and after compiling, or an edit ---------------------------------------------------------------


@stands_for
class ModelDiff(Rendered, Layered, structs.ModelDiff):
    """A network before and after compiling, or before and after an edit, layer by layer."""

    _row = structs.DiffRow
    _text_columns = ("layer", "type", "before_layer", "pairing", "reasons")
    _document = lib.ROOF_DOCUMENT_MODEL_DIFF


def model_diff(
    before: Union[Path, Graph], after: Union[Path, Graph], hw: Union[Path, Hardware, None] = None
) -> ModelDiff:
    """Lays a compiled file beside the graph that nobody compiled, or an edited network beside the one as it
    was. hw: what both are predicted on; without it, what the file was compiled for."""
    first, second = (of if isinstance(of, Graph) else read_graph(of) for of in (before, after))
    board = loaded_hardware(hw) or hardware_of(second)
    keep: list = []
    both = {"before_graph": first, "after_graph": second, "before": first.path, "after": second.path}
    asked = options("roof_model_diff_request", both, keep)
    asked.hw = board._address()
    return ModelDiff(
        receive("roof_model_diff *", lib.roof_model_diff_free, lib.roof_model_diff_find, asked)
    )


# --- limits -----------------------------------------------------------------------------------------------


@stands_for
class Budget(structs.Budget):
    """Limits that a network has to keep."""


def read_budget(path: Path) -> Budget:
    return Budget(receive("roof_budget *", lib.roof_budget_free, lib.roof_budget_read, path_bytes(path)))


@stands_for
class Checks(Rendered, Tabular, structs.Checks):
    """What became of the limits of a budget."""

    _row = structs.Check
    _text_columns = ("state",)
    _document = lib.ROOF_DOCUMENT_CHECKS
    _borrowed: Any

    @property
    def n_failed(self) -> int:
        """How many are broken or not known."""
        return lib.roof_checks_failed(self._address())


def check(
    subject: Union[Subject, Path], budget: Union[Budget, Path], baseline: Union[Subject, Path, None] = None
) -> Checks:
    """Holds a measurement, or a prediction, against a budget. baseline: in place of the one that the budget
    names."""
    limits = budget if isinstance(budget, Budget) else read_budget(budget)
    keep: list = [limits]
    of = _read(subject) if isinstance(subject, (str, os.PathLike)) else subject
    side = _side(reconcile(of) if isinstance(of, Measured) else of, None, "what is checked", keep)
    before = limits.baseline.path if baseline is None else baseline
    comparison = None
    if before is not None:
        other = _side(before, None, "the baseline", keep)
        try:
            comparison = _compared(other, side, keep)
        except DataError:  # of other models: what is held against it is not known
            pass
    made = Checks(
        receive(
            "roof_checks *",
            lib.roof_checks_free,
            lib.roof_budget_check,
            limits._address(),
            side,
            comparison._address() if comparison else ffi.NULL,
        )
    )
    made._borrowed = (keep, comparison)
    return made
