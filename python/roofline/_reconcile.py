"""Profiles beside predictions."""
from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from typing import Any, Optional, Union

from . import structs
from ._call import call, path_bytes, receive
from ._measured import Measured, read_measured
from ._models import Graph
from ._predictions import Calibration, Prediction, calibration_of, predict_options
from ._roofline import ffi, lib
from ._shown import Layered, Path, Rendered, known, sentences_of
from ._view import options, stands_for
from .errors import UsageError


@stands_for
class Match(structs.Match):
    """One row of a profile, and the layers that it stands for."""

    def _experiment(self):
        return self._above("roof_reconciled")._address()

    @property
    def efficiency_ratio(self) -> Optional[float]:
        return known(lib.roof_match_efficiency(self._address()))

    @property
    def share_ratio(self) -> Optional[float]:
        """Of the sum of layers."""
        return known(lib.roof_match_share(self._experiment(), self._address()))

    @property
    def ops(self) -> Optional[float]:
        """Operations of its layers in one inference."""
        return known(lib.roof_match_ops(self._experiment(), self._address()))

    @property
    def is_repeated(self) -> bool:
        """It is shown, and in no sum."""
        return bool(lib.roof_match_is_repeated(self._address()))


@stands_for
class Reconciled(structs.Reconciled):
    """One model on one device."""

    @property
    def layered_s(self) -> Optional[float]:
        """One inference of the per-layer run."""
        return known(lib.roof_layered_seconds(self._address()))


@stands_for
class Reconciliation(Rendered, Layered, structs.Reconciliation):
    """Profiles beside their predictions."""

    _row = Match
    _text_columns = ("model", "matched_rows", "notes", "bound", "verdict", "match")
    source: Optional[str] = None
    measured: Measured
    predictions: list[Optional[Prediction]]
    _document = lib.ROOF_DOCUMENT_RECONCILIATION
    _borrowed: Any

    @property
    def verdict(self) -> list[str]:
        """How fast, what costs most, what to do first."""
        return self.sentences(structs.SentenceKind.VERDICT)

    def sentences(self, kind: "structs.SentenceKind") -> list[str]:
        """Those of a kind (roofline/words.h), up to the first about which there is nothing to say."""
        return list(sentences_of(lib.roof_sentence, self._address(), int(kind)))

    def calibrate(self) -> Calibration:
        """Fits engine efficiencies and constant costs to these profiles, for predict(calibration=...)."""
        return Calibration(
            receive("roof_calibration *", lib.roof_calibration_free, lib.roof_calibrate, self._address())
        )

    def report(self, folder: Path) -> None:
        """Writes a page with charts and tables into a folder."""
        keep: list = []
        call(
            lib.roof_report_write,
            options("roof_report_input", {"reconciliation": self}, keep),
            path_bytes(folder),
        )


def _prediction_of(experiment, model: Optional[Path], hw: Optional[Path], made) -> Optional[Prediction]:
    """What an experiment is held against; its own belongs to the document."""
    if (
        model is None
        and experiment.resolved_path
        and experiment.prediction is None
        and not os.path.exists(experiment.resolved_path)
    ):
        warnings.warn(
            f"{experiment.place}: the model '{experiment.resolved_path}' is not there; model=... names it",
            stacklevel=3,
        )
        return None
    out, is_borrowed = ffi.new("roof_prediction **"), ffi.new("bool *")
    call(
        lib.roof_experiment_predict,
        experiment._address(),
        ffi.NULL if model is None else path_bytes(model),
        ffi.NULL if hw is None else path_bytes(hw),
        made,
        out,
        is_borrowed,
    )
    if not out[0]:
        return None
    return (
        Prediction(out[0], experiment)
        if is_borrowed[0]
        else Prediction(ffi.gc(out[0], lib.roof_prediction_free))
    )


def _language_of(experiment, model: Optional[Path], prediction: Optional[Prediction]) -> Optional[Graph]:
    """By which times over a context are distinguished."""
    found = receive(
        "roof_graph *",
        lib.roof_graph_free,
        lib.roof_experiment_language,
        experiment._address(),
        ffi.NULL if model is None else path_bytes(model),
        prediction._address() if prediction else ffi.NULL,
    )
    return Graph(found) if found else None


def reconcile(
    measured: Union[Measured, Path],
    model: Optional[Path] = None,
    hw: Optional[Path] = None,
    *,
    predictions: Optional[Sequence[Optional[Prediction]]] = None,
    map: Optional[str] = None,
    calibration: Union[Calibration, Path, None] = None,
    **given: Any,
) -> Reconciliation:
    """Lays a measured document beside predictions.

    model, hw: of what was measured; without them, what the document names. predictions: one for each
    experiment, in place of those that are made here. map: lines "row,layer" that override how rows and layers
    find each other. calibration: what profiles of this board told before. Other options are those of predict.
    """
    document = measured if isinstance(measured, Measured) else read_measured(measured)
    keep: list = []
    document._join_power()
    if hw is not None:
        for unread in document.unread:
            unread._c.is_of_hardware = False  # what it ran on is said anew
    if predictions is None:
        made = predict_options({"no_steps": True, **given}, keep)
        predictions = []
        for experiment in document.experiments:  # no comprehension: warnings are of who called
            predictions.append(_prediction_of(experiment, model, hw, made))
    elif len(predictions) != len(document.experiments):
        raise UsageError(
            f"{len(predictions)} predictions, want one, or None, for each of "
            f"{len(document.experiments)} experiments"
        )
    asked = options("roof_reconcile_options", {"map": map, "calibration": calibration_of(calibration)}, keep)
    graphs = [  # live as long as the call
        _language_of(experiment, model, prediction)
        for experiment, prediction in zip(document.experiments, predictions)
    ]
    languages = [lib.roof_language_of(one._address()) if one else ffi.NULL for one in graphs]
    keep.append(borrowed := ffi.new("const roof_language_model *[]", languages or 1))
    asked.languages = borrowed
    return reconcile_with(document, list(predictions), asked, keep)


def reconcile_with(document: Measured, predictions: list, asked: Any, keep: list) -> Reconciliation:
    """asked: roof_reconcile_options, or NULL; keep: what it borrows for the life of the reconciliation."""
    beside = ffi.new(
        "const roof_prediction *[]", [one._address() if one else ffi.NULL for one in predictions] or 1
    )
    made = Reconciliation(
        receive(
            "roof_reconciliation *",
            lib.roof_reconciliation_free,
            lib.roof_reconcile,
            document._address(),
            beside,
            asked,
        )
    )
    made.measured, made.predictions, made.source = document, predictions, document.source
    made._borrowed = keep  # the calibration, for as long as the reconciliation
    return made
