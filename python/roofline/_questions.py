"""Networks at a rate, edits of a network, the sizes that a board can be built with, and language models over
their context."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Optional, Union

from . import structs
from ._call import call, path_bytes, receive
from ._models import Graph, Hardware, loaded_hardware, read_graph
from ._predictions import Prediction, predict, predict_options
from ._roofline import ffi, lib
from ._shown import Drawn, Path, Rendered, Tabular, split
from ._view import options, stands_for
from .errors import UsageError

# --- networks at a rate -----------------------------------------------------------------------------------


@stands_for
class Realtime(Rendered, Tabular, structs.Realtime):
    """Networks on one device, each requested at a rate: who is late, and what would have to change."""

    _row = structs.RealtimeRow
    _text_columns = ("name", "service_kind", "delayed_most_by")
    _document = lib.ROOF_DOCUMENT_REALTIME


def schedule(
    networks: Iterable[tuple[Union[Prediction, Path, Graph], str]],
    hw: Union[Path, Hardware, None] = None,
    *,
    policy: str = "fixed",
    cores: int = 0,
    **given: Any,
) -> Realtime:
    """Says what becomes of networks that each are requested at a rate: ("a.xmodel", "30Hz"), or with a
    deadline "30Hz/20ms". cores: without it, those of the hardware. Other options are those of predict."""
    keep: list = []
    tasks, names, asked = [], Counter[str](), {"explores": "nothing", "no_steps": True, **given}
    for network, rate in networks:
        of = network if isinstance(network, Prediction) else predict(network, hw, **asked)
        keep.append(of)
        name = of.model.name or ""
        names[name] += 1
        tasks.append((of, rate, f"{name} ({names[name]})" if names[name] > 1 else name))
    ids = {of.hardware.id for of, _, _ in tasks}
    if len(ids) != 1:
        raise UsageError(f"networks on {len(ids)} boards ({', '.join(map(str, ids))}); want them on one")
    board = tasks[0][0].hardware
    made = options(
        "roof_realtime_set",
        {
            "tasks": [{"name": name} for _, _, name in tasks],
            "policy": policy,
            "cores": cores or board.cores,
            "board_cores": board.cores,
            "hardware": board.name,
            "clock_hz": board.clock_hz,
        },
        keep,
    )
    filled = ffi.cast("roof_realtime_task *", made.tasks)
    for task, (of, rate, _) in zip((filled + i for i in range(len(tasks))), tasks):
        call(lib.roof_realtime_rate_parse, path_bytes(rate), task)
        busy = range(1, lib.ROOF_REALTIME_MOST_CORES + 1)
        keep.append(services := ffi.new("roof_answer[]", [lib.roof_realtime_service(of._address(), n) for n in busy]))
        task.services, task.n_services, task.core = services, len(services), lib.ROOF_NONE
    return Realtime(receive("roof_realtime *", lib.roof_realtime_free, lib.roof_realtime_analyse, made))


# --- edits of a network -----------------------------------------------------------------------------------


@stands_for
class Advice(Rendered, Tabular, structs.Advice):
    """The edits of a network that save most, each predicted anew."""

    _row = structs.Advised
    _text_columns = ("rule", "accuracy", "says", "evidence", "interval_why")
    _document = lib.ROOF_DOCUMENT_ADVICE


def advise(network: Union[Path, Graph], hw: Union[Path, Hardware], *, metric: str = "time") -> Advice:
    """Edits a network that nobody compiled, and predicts each edit: what gains most of the time, or of the
    memory."""
    graph = network if isinstance(network, Graph) else read_graph(network)
    board = loaded_hardware(hw)
    keep: list = []
    asked = options("roof_advice_options", {"metric": metric}, keep)
    return Advice(
        receive(
            "roof_advice *",
            lib.roof_advice_free,
            lib.roof_advice_find,
            graph._address(),
            board._address(),  # type: ignore[union-attr]
            asked,
        )
    )


# --- sizes of a board -------------------------------------------------------------------------------------


@stands_for
class Configurations(Rendered, Drawn, Tabular, structs.Configurations):
    """What each size of array, and each number of them, takes of a board and makes of a network."""

    _row = structs.Configuration
    _text_columns = ("dsp_usage", "binding", "bound")
    _document = lib.ROOF_DOCUMENT_CONFIGURATIONS
    _drawer = lib.roof_draw_configurations


def configurations(
    model: Union[Path, Graph],
    hw: Union[Path, Hardware],
    fps: Optional[float] = None,
    threads: int = 0,
    host: Optional[str] = None,
    **given: Any,
) -> Configurations:
    """Says which configurations of a board are enough for so many frames per second. Other options are those
    of predict."""
    keep: list = []
    asked = options("roof_configurations_request", {"fps": fps, "threads": threads, "host": host}, keep)
    asked.predict = predict_options(given, keep)
    if fps is None:
        asked.fps = float("nan")
    graph = model if isinstance(model, Graph) else read_graph(model, asks_text=False)
    board = loaded_hardware(hw)
    return Configurations(
        receive(
            "roof_configurations *",
            lib.roof_configurations_free,
            lib.roof_configurations_find,
            graph._address(),
            board._address(),  # type: ignore[union-attr]
            asked,
        )
    )


# --- language models over their context -------------------------------------------------------------------


@stands_for
class Curve(Rendered, Drawn, Tabular, structs.Curve):
    """What a step and a prompt of a language model take, at each length, and whether it fits."""

    _row = structs.CurvePoint
    _text_columns = ("phase", "binds", "fits", "attention", "not_known")
    _document = lib.ROOF_DOCUMENT_CURVE
    _drawer = lib.roof_draw_curve


def curve(
    model: Union[Path, Graph],
    hw: Union[Path, Hardware],
    contexts: Iterable[int] = (),
    prompts: Iterable[int] = (),
    *,
    at: Optional[Mapping[int, float]] = None,
    draft: Union[Path, Graph, None] = None,
    **given: Any,
) -> Curve:
    """The times of a language model over its context.

    contexts, prompts: lengths of steps and of prompts, in tokens. at: one's own measurements of steps,
    seconds by their context. draft: a model that proposes tokens. Other options are those of
    roof_curve_options: batch, stack, memory_bytes, session_prompt, session_answer, power_w, accept, ahead,
    ...; and, where models are paths, those of read_graph: weight_type, cache_type.
    """
    asked, workload = split(given, "roof_curve_options", "roof_workload")

    def read(of: Union[Path, Graph, None]) -> Optional[Graph]:
        is_read = of is None or isinstance(of, Graph)
        return of if is_read else read_graph(of, asks_text=True, **workload)  # type: ignore

    keep: list = []
    asked |= {"contexts": sorted(set(contexts)), "prompts": sorted(set(prompts)), "draft": read(draft)}
    if at is not None:
        asked["anchors"] = [{"phase": "decode", "tokens": n, "seconds": s} for n, s in at.items()]
    graph, board = read(model), loaded_hardware(hw)
    return Curve(
        receive(
            "roof_curve *",
            lib.roof_curve_free,
            lib.roof_curve_predict,
            graph._address(),  # type: ignore[union-attr]
            board._address(),  # type: ignore[union-attr]
            options("roof_curve_options", asked, keep),
        )
    )


def read_curve(path: Path) -> Curve:
    """Reads a curve that was written as JSON."""
    return Curve(receive("roof_curve *", lib.roof_curve_free, lib.roof_curve_read, path_bytes(path)))
