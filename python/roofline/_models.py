"""Models, and the hardware that they run on."""
from __future__ import annotations

import os
from typing import Any, Optional, Union

from . import structs
from ._call import call, path_bytes, receive
from ._given import as_file, is_path
from ._roofline import ffi, lib
from ._shown import Path, Rendered, until_none
from ._view import options, stands_for, text_of


@stands_for
class Graph(Rendered, structs.Graph):
    """The operators and tensors of a model's file."""

    _document = lib.ROOF_DOCUMENT_GRAPH

    def _keep_path(self, name: str) -> None:
        """The file was there for a moment: its name is all that is of use."""
        self._shown_path = ffi.new("char[]", path_bytes(name))
        self._c.path = self._shown_path


def read_graph(model: Any, *, example_inputs: Any = None, name: Optional[str] = None, **workload: Any) -> Graph:
    """Reads a model: a path, its bytes, an onnx.ModelProto, or a torch.nn.Module with example_inputs, which is
    exported without its weights. name: what stands for a path where there is none.

    What its file leaves open is in workload: phase, prompt_tokens, context_tokens,
    weight_type, cache_type of a language model; shapes of an ONNX file's open inputs, such as
    "images=1x3x640x640"; product, such as "2048x1024x512:bf16", of control code."""
    if not is_path(model):
        with as_file(model, example_inputs, name) as path:
            made = read_graph(path, **workload)
        made._keep_path(os.path.basename(path))
        return made
    keep: list = []
    asked = dict(workload)
    if isinstance(asked.get("product"), str):
        product = ffi.new("roof_product *")
        keep.append(text := ffi.new("char[]", path_bytes(asked.pop("product"))))
        keep.append(product)
        call(lib.roof_product_parse, text, product)
    else:
        product = ffi.NULL
    made = options("roof_workload", {"asks_text": bool(workload.keys() - {"product", "shapes"}), **asked}, keep)
    if product:
        made.product = product
    return Graph(receive("roof_graph *", lib.roof_graph_free, lib.roof_graph_read_as, path_bytes(model), made))


class Hardware:
    """A description of hardware: an id or an alias of the database, a JSON file, or a line such as
    "mac=2048/cycle,clock=300MHz,ddr=19.2GB/s"."""

    def __init__(self, spec: Path):
        self._c = receive("roof_hw *", lib.roof_hw_free, lib.roof_hw_load, path_bytes(spec))

    @classmethod
    def _of(cls, c) -> "Hardware":
        made = cls.__new__(cls)
        made._c = c
        return made

    def _address(self):
        return self._c

    @property
    def id(self) -> str:
        return text_of(lib.roof_hw_id(self._c)) or ""

    @property
    def name(self) -> str:
        return text_of(lib.roof_hw_name(self._c)) or ""

    @property
    def board(self) -> str:
        return text_of(lib.roof_hw_board(self._c)) or ""

    @property
    def family(self) -> str:
        return text_of(lib.roof_hw_family(self._c)) or ""

    @property
    def summary(self) -> str:
        return text_of(lib.roof_hw_summary(self._c)) or ""

    @property
    def notes(self) -> list[str]:
        """What a reader of results has to know of it."""
        return list(until_none(lambda i: text_of(lib.roof_hw_note(self._c, i))))

    @property
    def values(self) -> "dict[str, structs.Quantity]":
        """All values by their keys, each with unit, kind and source."""
        found = until_none(lambda i: lib.roof_hw_at(self._c, i) or None)
        return {of.key or "": of for of in (structs.Quantity(c, self) for c in found)}

    def __getitem__(self, key: str) -> "structs.Quantity":
        found = lib.roof_hw_get(self._c, path_bytes(key))
        if not found:
            raise KeyError(key)
        return structs.Quantity(found, self)

    def changed(self, key: str, value: float, unit: str, source: str = "a what-if") -> "Hardware":
        """A copy in which one value is another one."""
        copy = _copied(self._c)
        call(lib.roof_hw_set, copy, path_bytes(key), value, path_bytes(unit), path_bytes(source))
        return self._of(copy)

    def __repr__(self) -> str:
        return f"<Hardware {self.id!r}>"


def _copied(hw):
    return receive("roof_hw *", lib.roof_hw_free, lib.roof_hw_copy, hw)


def hardware() -> "list[structs.HwListing]":
    """The entries of the database, in order of id."""
    return [structs.HwListing(c) for c in until_none(lambda i: lib.roof_hw_builtin(i) or None)]


def loaded_hardware(hw: Union[Path, Hardware, None]) -> Optional[Hardware]:
    return hw if hw is None or isinstance(hw, Hardware) else Hardware(hw)
