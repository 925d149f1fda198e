"""Models as roofline predicts them: their graph, and on each operator its time and what limits it.

ROOFLINE_HW names the hardware; without it, what the model was compiled for.
"""
from __future__ import annotations

import json
import os
from typing import Any

import roofline
from model_explorer import Adapter, AdapterMetadata  # type: ignore[import]
from model_explorer.types import GraphCollection  # type: ignore[import]


class RooflineAdapter(Adapter):
    metadata = AdapterMetadata(
        id="roofline",
        name="roofline",
        description="Each operator's time on an accelerator and what limits it; ROOFLINE_HW names the device.",
        source_repo="",
        fileExts=["onnx", "tflite", "xmodel", "pte"],
    )

    def __init__(self) -> None:
        super().__init__()

    def convert(self, model_path: str, settings: dict[str, Any]) -> dict[str, Any]:
        hw = settings.get("hw") or os.environ.get("ROOFLINE_HW") or None
        try:
            graph = roofline.read_graph(model_path, asks_text=False)
            shown = roofline.predict(graph, hw, names_operators=True)
            graphs = json.loads(shown.render("model-explorer-graph", graph=graph))
        except roofline.UsageError as failure:
            raise ValueError(f"{failure}; set ROOFLINE_HW before model-explorer is started") from failure
        return {"graphCollections": [GraphCollection(label=graphs["label"], graphs=graphs["graphs"])]}
