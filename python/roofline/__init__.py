"""roofline: what a compiled network ought to take on described hardware, and why a measured one takes longer.

Objects of libroofline, without a copy of its logic: docs/python.md is the manual, the public headers say what
every member means.
"""
from . import structs
from ._call import version
from ._view import Items, View
from ._compare import Budget, Checks, Compared, Comparison, ModelDiff, check, compare, read_budget, model_diff
from ._history import History, HistoryTrends
from ._measured import Measured, import_profile, importers, read_measured
from ._models import Graph, Hardware, hardware, read_graph
from ._predictions import (
    Answer,
    Calibration,
    Cause,
    Finding,
    LayerPrediction,
    Pair,
    Prediction,
    Predictions,
    Remark,
    predict,
    predict_all,
    read_calibration,
    read_prediction,
    read_predictions,
)
from ._questions import Advice, Configurations, Curve, Realtime, advise, configurations, curve, read_curve, schedule
from ._reconcile import Match, Reconciled, Reconciliation, reconcile
from ._sweep import SweepPlan, read_sweep
from .errors import (
    DataError,
    DeviceError,
    Error,
    InputOutputError,
    InternalError,
    LimitError,
    NoInputError,
    NoMemoryError,
    UnsupportedError,
    UsageError,
)

__version__ = version()
__all__ = [
    "Advice",
    "Answer",
    "Budget",
    "Calibration",
    "Cause",
    "Checks",
    "Compared",
    "Comparison",
    "Configurations",
    "Curve",
    "DataError",
    "DeviceError",
    "Error",
    "Finding",
    "Graph",
    "Hardware",
    "History",
    "HistoryTrends",
    "InputOutputError",
    "InternalError",
    "Items",
    "LayerPrediction",
    "LimitError",
    "Match",
    "Measured",
    "NoInputError",
    "NoMemoryError",
    "Pair",
    "Realtime",
    "Prediction",
    "Predictions",
    "Reconciled",
    "Reconciliation",
    "Remark",
    "ModelDiff",
    "SweepPlan",
    "UnsupportedError",
    "UsageError",
    "View",
    "advise",
    "check",
    "compare",
    "configurations",
    "curve",
    "hardware",
    "import_profile",
    "importers",
    "predict",
    "predict_all",
    "read_budget",
    "read_calibration",
    "read_curve",
    "read_graph",
    "read_measured",
    "read_prediction",
    "read_predictions",
    "read_sweep",
    "reconcile",
    "schedule",
    "model_diff",
    "structs",
]
