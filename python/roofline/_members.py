"""What the members of libroofline's structures are in Python, by their types and a few conventions of its
headers.

A `char *` is a text, a pointer with a count beside it (`layers`, `n_layers`) a list, another pointer to a
structure an object. COUNTS has the counts that are called otherwise. It needs types alone, and no library:
setup.py makes the stubs with it.
"""
from __future__ import annotations

import keyword
import re
from typing import Any, NamedTuple

import _cffi_backend  # what every ffi is made of

# MEMBER: what counts it. A dot goes into a member, ^ to the nearest structure of that type which the member
# is a part of.
COUNTS = {
    "roof_busy.names": "n",
    "roof_busy.moves": "n",
    "roof_busy.types": "^roof_reconciled.n_types",
    "roof_checks.items": "n",
    "roof_code.bytes": "length_bytes",
    "roof_configurations.all": "n",
    "roof_cost.cycles": "^roof_prediction.n_engines",
    "roof_findings.items": "n",
    "roof_pareto_front.configurations": "n",
    "roof_pareto.are_together": "n_models",
    "roof_pareto.together_per_s": "n_configurations",
    "roof_history_run.samples_s": "n_kept",
    "roof_history_runs.items": "n",
    "roof_history_trends.items": "n",
    "roof_load_point.threads_on_core": "n_cores",
    "roof_memory.row_names": "n_rows",
    "roof_memory_pool.bytes_by_row": "n_rows",
    "roof_overhead_fit.experiments": "fit.n",
    "roof_overhead_fit.points_x": "fit.n",
    "roof_overhead_fit.points_y": "fit.n",
    "roof_realtime.core_utilisation_ratios": "cores",
    "roof_realtime_change.core_of": "^roof_realtime.n_rows",
    "roof_realtime_task.services": "n_services",
    "roof_predictions.pairs": "n",
    "roof_run.thread_means_s": "threads",
    "roof_run.blocks_s": "n_blocks",
    "roof_diff_side.rows": "n",
    "roof_model_diff.items": "n",
    "roof_sweep_plan.bandwidths_bytes_per_s": "n_bandwidths",
    "roof_sweep_plan.clocks_hz": "n_clocks",
    "roof_times.samples_s": "count",
    "roof_work.cycles": "^roof_program.n_engines",
}

# Not for Python: where a function writes to or is called, lists that end with NULL, and one that has an entry
# for each experiment.
HIDDEN = {
    "roof_advice_options.rules",
    "roof_command_options.command",
    "roof_command_options.settings",
    "roof_draw_watch.context",
    "roof_draw_watch.tell",
    "roof_pareto.are_estimates",
    "roof_pareto.rates",
    "roof_hw_broken.context",
    "roof_hw_broken.tell",
    "roof_measure_options.context",
    "roof_measure_options.progress",
    "roof_results_options.context",
    "roof_results_options.tell",
    "roof_probe_options.context",
    "roof_probe_options.progress",
    "roof_reconcile_options.languages",
    "roof_sink.context",
    "roof_sink.write",
    "roof_sweep_plan.hw",
    "roof_sweep_use.context",
    "roof_sweep_use.row",
    "roof_sweep_use.rows",
}


class Member(NamedTuple):
    name: str
    kind: str  # text, chars, bool, int, float, enum, struct, object, list, array, opaque, hidden
    ctype: Any
    counted_by: Any = None  # of a list: a text as in COUNTS
    of: Any = None  # of a list or an array: what an element is


def class_name(name: str) -> str:
    """roof_layer_prediction is LayerPrediction."""
    return "".join(
        part[:1].upper() + part[1:] for part in re.sub(r"^(enum |struct )?roof_", "", name).split("_")
    )


def attribute(name: str) -> str:
    """The name of a member in Python, where a few are words of the language: import_."""
    return f"{name}_" if keyword.iskeyword(name) else name


def is_declared(ctype) -> bool:
    """Whether a structure has members that the headers tell of; what is private has none, and no size. Its
    `fields` are not asked for: cffi 2.0 ends the process there."""
    try:
        return ctype.kind == "struct" and _cffi_backend.sizeof(ctype) >= 0
    except ValueError:
        return False


def _plain(ctype) -> str:
    """The kind of a value that stands alone, without a count."""
    if ctype.kind == "primitive":
        return {"_Bool": "bool", "double": "float", "float": "float"}.get(ctype.cname, "int")
    if ctype.kind in ("enum", "struct"):
        return ctype.kind
    if ctype.kind == "array":
        return "chars" if ctype.item.cname == "char" else "array"
    if ctype.kind == "pointer" and ctype.item.cname == "char":
        return "text"
    if ctype.kind == "pointer" and ctype.item.kind == "struct":
        return "object" if is_declared(ctype.item) else "opaque"
    return "hidden"


def _element(name: str, ctype) -> Member:
    kind = _plain(ctype)
    return Member(name, kind, ctype, None, _element(name, ctype.item) if kind == "array" else None)


def member(struct: str, name: str, ctype, names) -> Member:
    full = f"{struct}.{name}"
    if full in HIDDEN:
        return Member(name, "hidden", ctype)
    count = COUNTS.get(full) or (f"n_{name}" if f"n_{name}" in names else None)
    if count and ctype.kind in ("pointer", "array") and not (_plain(ctype) == "text"):
        return Member(name, "list", ctype, count, _element(name, ctype.item))
    return _element(name, ctype)


def members(struct: str, ctype) -> list[Member]:
    names = [name for name, _ in ctype.fields]
    return [member(struct, name, field.type, names) for name, field in ctype.fields]


def structures(ffi) -> dict[str, Any]:
    """The structures of the headers by name; those without a name of their own, by their place:
    roof_prediction.model."""
    found: dict[str, Any] = {}

    def add(name, ctype):
        found[name] = ctype
        for field, of in ctype.fields:
            if of.type.kind == "struct" and "$" in of.type.cname:
                add(f"{name}.{field}", of.type)

    for name in ffi.list_types()[0]:
        ctype = ffi.typeof(name)
        if name.startswith("roof_") and is_declared(ctype):
            add(name, ctype)
    return found


def enumerations(ffi) -> dict[str, Any]:
    names = [name for name in ffi.list_types()[0] if name.startswith("roof_")]
    return {name: ffi.typeof(name) for name in names if ffi.typeof(name).kind == "enum"}


def class_of(struct: str) -> str:
    """The name of its class; of roof_prediction.model it is PredictionModel."""
    return "".join(class_name(part if i == 0 else "roof_" + part) for i, part in enumerate(struct.split(".")))


def enum_members(ctype) -> dict[str, int]:
    """The values of an enumeration by the rest of their names: ROOF_BASIS_FORMULA is FORMULA. What counts
    them is none."""
    pairs = sorted((value, name) for value, name in ctype.elements.items())
    names = [name for _, name in pairs]

    def prefix(of):
        same = len(of[0])
        for name in of[1:]:
            while not name.startswith(of[0][:same]):
                same -= 1
        return of[0][:same].rfind("_") + 1

    if len(names) > 2 and (names[-1].endswith("_COUNT") or prefix(names[:-1]) > prefix(names)):
        names.pop()
    length = prefix(names) if len(names) > 1 else names[0].rfind("_") + 1
    values = {name: value for value, name in pairs}
    return {name[length:]: values[name] for name in names}


# --- stubs ----------------------------------------------------------------------------------------------


def _annotation(of: Member, names: dict[Any, str]) -> str:
    if of.kind in ("text", "int", "float"):
        return {"text": "Optional[str]", "int": "Optional[int]", "float": "Optional[float]"}[of.kind]
    if of.kind in ("chars", "bool"):
        return "str" if of.kind == "chars" else "bool"
    if of.kind == "enum":
        return class_name(of.ctype.cname)
    if of.kind == "struct":
        return names[of.ctype]
    if of.kind == "object":
        return f"Optional[{names[of.ctype.item]}]"
    if of.kind == "list":
        return f"Sequence[{_annotation(of.of, names)}]"
    return f"tuple[{_annotation(of.of, names)}, ...]"


def is_shown(of: Member) -> bool:
    return of.kind not in ("hidden", "opaque") and (of.of is None or is_shown(of.of))


def stands_in(sources: list[str]) -> set[str]:
    """The classes that take the place of those of structures, by the sources of the package."""
    return {name for text in sources for name in re.findall(r"^@stands_for\nclass (\w+)\(", text, re.M)}


def stub(ffi, sources: list[str]) -> str:
    """structs.pyi."""
    structs, others = structures(ffi), stands_in(sources)
    names = {ctype: class_of(name) for name, ctype in structs.items()}
    names = {ctype: f"roofline.{name}" if name in others else name for ctype, name in names.items()}
    lines = [
        "# Made from the public headers of libroofline by setup.py.",
        "from collections.abc import Sequence",
        "from enum import IntEnum",
        "from typing import Optional",
        "",
        "import roofline",
        "",
        "from ._view import View",
        "",
    ]
    for name, ctype in enumerations(ffi).items():
        lines += ["", f"class {class_name(name)}(IntEnum):"]
        lines += [f"    {word} = {value}" for word, value in enum_members(ctype).items()]
    for name, ctype in structs.items():
        lines += ["", f"class {class_of(name)}(View):"]
        shown = [of for of in members(name, ctype) if is_shown(of)]
        for of in shown:
            lines += ["    @property", f"    def {attribute(of.name)}(self) -> {_annotation(of, names)}: ..."]
        lines += [] if shown else ["    ..."]
    return "\n".join(lines) + "\n"
