#!/usr/bin/env python3
"""The onnx package reads a copy that roof_annotate wrote: it is a valid model, and the model but for entries of roofline's own.

    annotated.py FOLDER     FOLDER/model.onnx, FOLDER/annotated.onnx, as make_annotated writes them
"""
import sys

try:
    import onnx
except ImportError:
    print("SKIPPED: needs python3-onnx")
    sys.exit(0)

FIELD = 9  # metadata_props of NodeProto, which onnx knows from 1.16 on


def entries_of(node):
    """Metadata of a node, also where onnx does not know the field yet."""
    if hasattr(node, "metadata_props"):
        return [(entry.key, entry.value) for entry in node.metadata_props]
    found = []
    unknown = node.UnknownFields()
    for i in range(len(unknown)):
        assert unknown[i].field_number == FIELD, unknown[i].field_number
        entry = onnx.StringStringEntryProto.FromString(unknown[i].data)
        found.append((entry.key, entry.value))
    return found


def without_metadata(model):
    """Bytes of each node, then of all the rest."""
    nodes = []
    for node in model.graph.node:
        if hasattr(node, "metadata_props"):
            node.ClearField("metadata_props")
        node.DiscardUnknownFields()
        nodes.append(node.SerializeToString(deterministic=True))
    del model.graph.node[:]
    model.ClearField("metadata_props")
    return nodes, model.SerializeToString(deterministic=True)


def main(folder):
    model, copy = onnx.load(f"{folder}/model.onnx"), onnx.load(f"{folder}/annotated.onnx")
    onnx.checker.check_model(copy, full_check=True)  # of a path it would write inferred shapes into the file
    conv = [("author", "somebody"), ("roofline.ideal_us", "80.3"), ("roofline.bound", "array"), ("roofline.macs", "13824"),
            ("roofline.bytes", "3712"), ("roofline.runs_on", "NPU"), ("roofline.layer", "conv")]
    want = [conv, [("roofline.layer", "conv"), ("roofline.fused_into", "conv")], []]
    got = [entries_of(node) for node in copy.graph.node]
    assert got == want, got
    of_model = [(entry.key, entry.value) for entry in copy.metadata_props]
    assert of_model[0] == ("author", "somebody") and ("roofline.macs", "13824") in of_model, of_model
    assert len(dict(of_model)) == len(of_model), of_model
    assert copy.ir_version == model.ir_version
    assert without_metadata(copy) == without_metadata(model)
    print(f"onnx {onnx.__version__} reads {sum(map(len, got))} entries of {len(got)} nodes")


main(sys.argv[1])
