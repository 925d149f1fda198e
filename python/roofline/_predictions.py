"""Predictions, what they rest on, and what they say."""
from __future__ import annotations

import math
import os
import shlex
from collections.abc import Iterable
from typing import Any, BinaryIO, Optional, Union

from . import structs
from ._call import call, path_bytes, receive, replace_file, stream
from ._given import is_path, name_of
from ._models import Graph, Hardware, loaded_hardware, read_graph
from ._roofline import ffi, lib
from ._shown import (
    Drawn,
    Layered,
    Path,
    Rendered,
    Tabular,
    known,
    sentence_of,
    sentences_of,
    split,
)
from ._view import options, stands_for, text_of
from .errors import Error, InputOutputError, NoInputError, NoMemoryError, UsageError


@stands_for
class Remark(structs.Remark):
    @property
    def sentence(self) -> str:
        return sentence_of(lib.roof_remark_sentence, self._address()) or ""


@stands_for
class Finding(structs.Finding):
    """What to know before using a result."""

    @property
    def sentence(self) -> str:
        return sentence_of(lib.roof_finding_sentence, self._address()) or ""

    @property
    def advice(self) -> str:
        return text_of(lib.roof_finding_advice(self._c.kind)) or ""

    @property
    def severity(self) -> "structs.Severity":
        return structs.Severity(lib.roof_finding_severity(self._c.kind))


@stands_for
class Cause(structs.Cause):
    """What costs time."""

    @property
    def meaning(self) -> str:
        return text_of(lib.roof_cause_meaning(self._c.kind)) or ""

    @property
    def advice(self) -> str:
        return text_of(lib.roof_cause_advice(self._c.kind)) or ""


# --- calibrations -----------------------------------------------------------------------------------------


@stands_for
class Calibration(structs.Calibration):
    """What profiles of a board told of it: an ideal time becomes an expected one."""

    def write(self, file: BinaryIO) -> None:
        stream(lib.roof_calibration_write, self._address(), file=file)

    def save(self, path: Path) -> None:
        replace_file(path, self.write)


def read_calibration(path: Path) -> Calibration:
    return Calibration(
        receive("roof_calibration *", lib.roof_calibration_free, lib.roof_calibration_read, path_bytes(path))
    )


def calibration_of(given: Union[Calibration, Path, None]) -> Optional[Calibration]:
    return given if given is None or isinstance(given, Calibration) else read_calibration(given)


# --- predictions ------------------------------------------------------------------------------------------


@stands_for
class LayerPrediction(structs.LayerPrediction):
    @property
    def ideal_cycles(self) -> Optional[float]:
        """Of all its executions in one inference."""
        return known(lib.roof_layer_ideal_cycles(self._address()))

    @property
    def seconds(self) -> Optional[float]:
        """Of all its executions in one inference, expected or else ideal."""
        return known(lib.roof_layer_seconds(self._above("roof_prediction")._address(), self._address()))

    @property
    def share_ratio(self) -> Optional[float]:
        """Its part of the whole time."""
        return known(lib.roof_layer_share_ratio(self._above("roof_prediction")._address(), self._address()))


@stands_for
class Prediction(Rendered, Drawn, Layered, structs.Prediction):
    """What a network ought to cost on described hardware, layer by layer."""

    _row = LayerPrediction
    _text_columns = ("bound", "roof", "bytes_source", "cycles_source", "share_of")
    _drawer = lib.roof_draw_prediction
    source: Optional[str] = None  #: the file that it was made from

    _document = lib.ROOF_DOCUMENT_PREDICTION

    @property
    def time(self) -> "Answer":
        """What a run takes: as expected, else at least the bound."""
        return Pair(ffi.new("roof_pair *", lib.roof_pair_of(self._address())), self).time

    @property
    def best_s(self) -> Optional[float]:
        """At best: no whole-network run is faster."""
        return known(lib.roof_best_s(self._address()))

    @property
    def is_expected(self) -> bool:
        return not lib.roof_answer_is_bound(lib.roof_rows_kind(self._address()))

    @property
    def yield_per_s(self) -> Optional[float]:
        """Inferences, or tokens, a second."""
        return known(lib.roof_yield_per_s(self._address()))

    @property
    def beside_layers_s(self) -> Optional[float]:
        """What is expected of the whole beside its layers."""
        return known(lib.roof_beside_layers_s(self._address()))

    def service_s(self, busy_cores: float = 1) -> Optional[float]:
        """What is expected of an inference on a core while so many cores are busy."""
        return known(lib.roof_service_s(self._address(), busy_cores))

    @property
    def verdict(self) -> list[str]:  # type: ignore[override]
        """How fast, what binds, what to do first."""
        return [text for text in sentences_of(lib.roof_prediction_sentence, self._address()) if text]


def read_prediction(path: Path) -> Prediction:
    """Reads a prediction that was written as JSON."""
    read = Prediction(
        receive("roof_prediction *", lib.roof_prediction_free, lib.roof_prediction_read, path_bytes(path))
    )
    read.source = os.fspath(path)
    return read


def predict_options(values: dict[str, Any], keep: list):
    """roof_predict_options; what_if may be a text, "load=2,alu=1.5", and calibration a path."""
    given = dict(values)
    what_if = given.get("what_if")
    given["calibration"] = calibration_of(given.get("calibration"))
    if isinstance(what_if, str):
        del given["what_if"]
    made = options("roof_predict_options", given, keep)
    if isinstance(what_if, str):
        keep.append(asked := ffi.new("roof_what_if_request *"))
        call(lib.roof_what_if_parse, path_bytes(what_if), asked)
        made.what_if = ffi.addressof(asked, "speedups") if asked.has_speedups else ffi.NULL
        made.changes = ffi.addressof(asked, "changes") if asked.has_changes else ffi.NULL
    return made


def hardware_of(graph: Graph) -> Hardware:
    found = receive("roof_hw *", lib.roof_hw_free, lib.roof_hw_of_model, graph._address())
    if found is None:
        raise UsageError(
            f"{graph.path}: the file does not say which hardware it is for; name it, such as hw='b4096'; "
            "roofline.hardware() lists what is known"
        )
    return Hardware._of(found)


def predict(
    model: Any,
    hw: Union[Path, Hardware, None] = None,
    *,
    example_inputs: Any = None,
    name: Optional[str] = None,
    **given: Any,
) -> Prediction:
    """Predicts the cost of a model, layer by layer.

    model: a path, a Graph, or what read_graph takes: bytes, an onnx.ModelProto, or a torch.nn.Module with
    example_inputs.
    hw: a Hardware, or what it is made of; without it, what the model was compiled for.
    Options are those of roof_predict_options: batch, clock_hz, bandwidth_bytes_per_s, cores, calibration (a
    Calibration or its path), data_type, stack, what_if ("load=2,alu=1.5"), load ({"threads": [1, 2, 4]}),
    ...; and, where model is a path, those of read_graph.
    """
    asked, workload = _split(given)
    graph = _graph_of(model, asked, workload, example_inputs=example_inputs, name=name)
    if is_path(model) and (hw is None or is_path(hw)) and not given:  # as a command line asks for it
        words = shlex.quote(os.fspath(model)) + ("" if hw is None else f" --hw {shlex.quote(os.fspath(hw))}")
        asked["commands"] = {"predict": words, "advise": words if hw else None}
    made = predict_graph(graph, loaded_hardware(hw), asked)
    made.source = os.fspath(model) if is_path(model) else graph.path
    return made


def _split(given: dict[str, Any]) -> list[dict[str, Any]]:
    return split(given, "roof_predict_options", "roof_workload")


def _graph_of(model: Any, asked: dict[str, Any], workload: dict[str, Any], **of_object: Any) -> Graph:
    """data_type is of a language model its weight type; of others it says nothing of the file."""
    if isinstance(model, Graph):
        if workload:
            raise TypeError(f"'{next(iter(workload))}' is of reading a model: give it to read_graph")
        return model
    form = {"weight_type": asked["data_type"]} if "data_type" in asked else {}
    asks = workload.keys() - {"weight_type", "product", "shapes"}
    return read_graph(model, **of_object, **{**form, **({} if asks else {"asks_text": False}), **workload})


def predict_graph(graph: Graph, hw: Optional[Hardware], asked: dict[str, Any]) -> Prediction:
    keep: list = []
    on = hw or hardware_of(graph)
    return Prediction(
        receive(
            "roof_prediction *",
            lib.roof_prediction_free,
            lib.roof_predict,
            graph._address(),
            on._c,
            predict_options(asked, keep),
        )
    )


# --- numbers that say what they are -----------------------------------------------------------------------


@stands_for
class Answer(structs.Answer):
    """A number that says what it is: measured, expected, a bound or not known. Two of them have no order: whether
    one is less may not be known, and compare says so."""

    @classmethod
    def _of(cls, value: Any) -> "Answer":
        return cls(ffi.new("roof_answer *", value))

    @property
    def ends(self) -> tuple[Optional[float], Optional[float]]:
        """The truth lies between them; None: there is no such end."""
        low, high = ffi.new("double *"), ffi.new("double *")
        lib.roof_answer_ends(self._address(), low, high)
        return (low[0] or None, high[0] if math.isfinite(high[0]) else None)

    def within(self, limit: float, *, is_least: bool = False) -> Optional[bool]:
        """Whether it is at most limit, or at least; None: not known."""
        held = lib.roof_answer_within(self._address(), limit, is_least)
        return {lib.ROOF_HELD_KEPT: True, lib.ROOF_HELD_BROKEN: False}.get(held)

    def compare(self, other: "Answer", allowed: Iterable[str] = ()) -> "structs.Outcome":
        """What may be said of it beside another time. allowed: conditions that are asked about, and so may
        differ."""
        texts = [ffi.new("char[]", name.encode()) for name in allowed]
        names = ffi.new("char *[]", [*texts, ffi.NULL])
        outcome = lib.roof_answer_compare(self._address(), other._address(), names)
        return structs.Outcome(ffi.new("roof_outcome *", outcome), (self, other, texts))

    def __float__(self) -> float:
        if not lib.roof_answer_has_point(self._address()):
            raise TypeError(f"{self!r} is no number to reckon with: {text_of(lib.roof_answer_kind_text(self._c.kind))}")
        return self._c.value


# --- several networks on several boards -------------------------------------------------------------------


@stands_for
class Pair(structs.Pair):
    """A network on a board, or why it cannot be predicted."""

    @property
    def time(self) -> "Answer":
        """What a run takes: as expected, else at least the bound."""
        return Answer._of(lib.roof_pair_takes(self._address()))

    @property
    def rate(self) -> "Answer":
        """What all that work make in a second."""
        return Answer._of(lib.roof_pair_makes(self._address()))

    @property
    def host_rows(self) -> tuple[LayerPrediction, ...]:  # type: ignore[override]
        """The first operators of the host, which are layers of the prediction."""
        return tuple(LayerPrediction(row, self.prediction) for row in self._c.host_rows if row)


@stands_for
class Predictions(Rendered, Drawn, Tabular, structs.Predictions):
    """Networks on boards: which is fastest, and which cannot be predicted."""

    _row = Pair
    _text_columns = ("host_rows", "basis", "time_kind")
    _document = lib.ROOF_DOCUMENT_PREDICTIONS
    _drawer = lib.roof_draw_predictions


def predict_all(
    models: Iterable[Union[Path, Graph]], hw: Iterable[Union[Path, Hardware, None]] = (None,), **given: Any
) -> Predictions:
    """Predicts each model on each hardware, with the arguments of predict. A pair that cannot be predicted
    stays, with the reason; a model that is not there is an error."""
    asked, workload = _split(given)
    boards = [(board, loaded_hardware(board)) for board in hw]
    made = Predictions(
        receive("roof_predictions *", lib.roof_predictions_free, lib.roof_predictions_new)
    )
    for model in models:
        unread: Optional[Error] = None
        try:
            graph = _graph_of(model, asked, workload)
        except (NoInputError, NoMemoryError, InputOutputError):
            raise
        except Error as failure:
            unread = failure
        path = os.fspath(model) if is_path(model) else graph.path if not unread else name_of(model)
        for board, loaded in boards:
            prediction, why = ffi.NULL, unread
            try:
                if not unread:
                    prediction = predict_graph(graph, loaded, asked)._c
                    ffi.gc(prediction, None)  # it becomes made's
            except (NoMemoryError, InputOutputError):
                raise
            except Error as failure:
                why = failure
            call(
                lib.roof_predictions_add,
                made._address(),
                path_bytes(path) if path else ffi.NULL,
                ffi.NULL if board is None else path_bytes(board.id if isinstance(board, Hardware) else board),
                prediction,
                path_bytes(str(why)) if why else ffi.NULL,
            )
    return made


def read_predictions(path: Path) -> Predictions:
    """Reads predictions that were written as JSON."""
    return Predictions(
        receive("roof_predictions *", lib.roof_predictions_free, lib.roof_predictions_read, path_bytes(path))
    )
