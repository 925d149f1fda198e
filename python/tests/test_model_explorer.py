"""The adapter for Model Explorer gives the graph that the program writes."""
import json
import os
import subprocess
import sys
import types
import unittest
from dataclasses import asdict, dataclass

from support import MODEL, ROOT, run

ONNX = str(ROOT / "examples" / "models" / "resnet50.onnx")


@dataclass
class GraphCollection:
    label: str
    graphs: list


def stand_in():
    """For Model Explorer: what an adapter imports of it."""
    package, kinds = types.ModuleType("model_explorer"), types.ModuleType("model_explorer.types")
    package.Adapter, package.AdapterMetadata = object, types.SimpleNamespace
    kinds.GraphCollection = GraphCollection
    return {"model_explorer": package, "model_explorer.types": kinds}


class ModelExplorer(unittest.TestCase):
    def setUp(self):
        try:
            import model_explorer  # noqa: F401  the real one, where it is installed
        except ImportError:
            sys.modules.update(stand_in())
        from roofline.model_explorer.main import RooflineAdapter

        self.adapter = RooflineAdapter()
        self.addCleanup(os.environ.pop, "ROOFLINE_HW", None)

    def graphs(self, path, settings):
        return [asdict(one) for one in self.adapter.convert(path, settings)["graphCollections"]]

    def test_the_graph_is_that_of_the_program(self):
        os.environ["ROOFLINE_HW"] = "kv260"
        want = json.loads(run("predict", ONNX, "--hw", "kv260", "--format", "model-explorer-graph"))
        self.assertEqual(self.graphs(ONNX, {}), [want])
        self.assertEqual(self.graphs(ONNX, {"hw": "kv260"}), [want])

    def test_a_compiled_model_needs_no_name(self):
        self.assertEqual(self.graphs(MODEL, {})[0]["graphs"][0]["nodes"][0].keys() >= {"id", "label"}, True)

    def test_what_is_missing_is_said(self):
        with self.assertRaisesRegex(ValueError, "ROOFLINE_HW"):
            self.adapter.convert(ONNX, {})

    def test_its_files_are_what_can_be_read(self):
        known = subprocess.run([os.environ["ROOFLINE_EXE"], "formats"], text=True, stdout=subprocess.PIPE).stdout
        for extension in self.adapter.metadata.fileExts:
            self.assertIn(extension, known)


if __name__ == "__main__":
    unittest.main()
