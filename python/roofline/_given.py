"""Models that are no files: bytes, objects of onnx, modules of torch. The library reads files, so for a call they
become one, which nobody else can read."""
from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from collections.abc import Iterator
from typing import Any, Optional

MOST_PROTO = "the model with its weights is too large for one message; save it with its weights beside it, and give its path"


def is_path(model: Any) -> bool:
    return isinstance(model, (str, os.PathLike))


def _is_module(model: Any) -> bool:
    """Whether it is a module of torch; who has one has imported torch."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(model, torch.nn.Module)


def _export(module: Any, example_inputs: Any, path: str) -> None:
    """Without weights: their shapes are all that a prediction needs."""
    torch = sys.modules["torch"]
    if example_inputs is None:
        raise TypeError(
            f"{type(module).__name__} is a module of torch: give example_inputs, such as "
            "example_inputs=torch.zeros(1, 3, 224, 224)"
        )
    inputs = tuple(example_inputs) if isinstance(example_inputs, (list, tuple)) else (example_inputs,)
    torch.onnx.export(module, inputs, path, export_params=False)


def _bytes_of(model: Any) -> bytes:
    if isinstance(model, (bytes, bytearray, memoryview)):
        return bytes(model)
    if not hasattr(model, "SerializeToString"):
        raise TypeError(
            f"a model is a path, bytes, a Graph, an onnx.ModelProto or a torch.nn.Module, not {type(model).__name__}"
        )
    try:
        return model.SerializeToString()
    except ValueError as failure:  # protobuf's limit of 2 GB
        raise ValueError(MOST_PROTO) from failure


def name_of(model: Any) -> str:
    """Of a module its class, of a graph what it says."""
    if _is_module(model):
        return type(model).__name__ + ".onnx"
    graph = getattr(getattr(model, "graph", None), "name", "")
    return f"{graph}.onnx" if isinstance(graph, str) and graph.isidentifier() else "model"


@contextlib.contextmanager
def as_file(model: Any, example_inputs: Any = None, name: Optional[str] = None) -> Iterator[str]:
    """The path of a file with the model, while the block runs. name: of that file."""
    shown = name or name_of(model)
    if os.path.basename(shown) != shown or shown in ("", ".", ".."):
        raise ValueError(f"name: {shown!r} is no name of a file")
    with tempfile.TemporaryDirectory(prefix="roofline-") as folder:
        path = os.path.join(folder, shown)
        if _is_module(model):
            _export(model, example_inputs, path)
        else:
            data = _bytes_of(model)
            with open(path, "wb") as file:
                file.write(data)
        yield path
