"""Models that are no files, and results as a notebook shows them."""
import base64
import shutil
import sys
import types
import unittest

import roofline
from support import MODEL, PROFILE, ROOT, InFolder

ONNX = ROOT / "examples" / "models" / "mobilenetv2.onnx"


class Module:
    """Stands for torch.nn.Module."""


class Net(Module):
    pass


def torch_that_exports(path, calls):
    """A module `torch` that writes that file."""

    def export(module, inputs, to, **options):
        calls.append((module, inputs, options))
        shutil.copy(path, to)

    torch = types.ModuleType("torch")
    torch.nn = types.SimpleNamespace(Module=Module)
    torch.onnx = types.SimpleNamespace(export=export)
    return torch


class Message:
    """Stands for onnx.ModelProto."""

    def __init__(self, data, name="mobilenetv2"):
        self.data, self.graph = data, types.SimpleNamespace(name=name)

    def SerializeToString(self):
        if self.data is None:
            raise ValueError("too large")
        return self.data


class Given(InFolder):
    def test_bytes_are_as_their_file(self):
        for path in (MODEL, str(ONNX), str(ROOT / "examples" / "models" / "mobilenetv1.tflite")):
            of_file = roofline.predict(path, "kv260")
            with open(path, "rb") as file:
                of_bytes = roofline.predict(file.read(), "kv260", name="net")
            self.assertEqual(of_bytes.best_s, of_file.best_s)
            self.assertEqual(of_bytes.time.value, of_file.time.value)
            self.assertEqual((of_bytes.source, of_bytes.model.path), ("net", "net"))
            self.assertNotIn("/tmp", of_bytes.render("json"))

    def test_an_object_of_onnx(self):
        message = Message(ONNX.read_bytes())
        p = roofline.predict(message, "kv260")
        self.assertEqual(p.time.value, roofline.predict(ONNX, "kv260").time.value)
        self.assertEqual(p.source, "mobilenetv2.onnx")
        self.assertEqual(roofline.predict(Message(ONNX.read_bytes(), "../../x"), "kv260").source, "model")
        with self.assertRaisesRegex(ValueError, "too large for one message"):
            roofline.predict(Message(None), "kv260")

    def test_the_real_onnx(self):
        try:
            import onnx
        except ImportError:
            self.skipTest("needs python3-onnx")
        model = onnx.load(str(ONNX), load_external_data=False)
        self.assertEqual(roofline.predict(model, "kv260").time.value, roofline.predict(ONNX, "kv260").time.value)

    def test_a_module_of_torch(self):
        calls = []
        sys.modules["torch"] = torch_that_exports(ONNX, calls)
        self.addCleanup(sys.modules.pop, "torch")
        net = Net()
        p = roofline.predict(net, "kv260", example_inputs="x")
        self.assertEqual(p.time.value, roofline.predict(ONNX, "kv260").time.value)
        self.assertEqual(p.source, "Net.onnx")
        self.assertEqual(calls, [(net, ("x",), {"export_params": False})])
        with self.assertRaisesRegex(TypeError, "give example_inputs"):
            roofline.predict(net, "kv260")

    def test_several(self):
        pairs = roofline.predict_all([MODEL, ONNX.read_bytes(), b"nothing"], ["kv260"]).pairs
        self.assertEqual([bool(pair.why) for pair in pairs], [False, False, True])

    def test_what_is_no_model(self):
        for model, said in ((7, "not int"), (None, "not NoneType"), (object(), "not object")):
            with self.assertRaisesRegex(TypeError, said):
                roofline.predict(model, "kv260")
        for name in ("", "..", "a/b", "/etc/passwd"):
            if name:
                with self.assertRaisesRegex(ValueError, "no name of a file"):
                    roofline.predict(ONNX.read_bytes(), "kv260", name=name)
        with self.assertRaises(roofline.DataError):
            roofline.predict(b"nothing", "kv260")


class Notebook(InFolder):
    def test_all_texts_are_escaped(self):
        evil = self.folder / "<script>alert(1)<b>&.onnx"
        shutil.copy(ONNX, evil)
        for shown in (roofline.predict(evil, "kv260"), roofline.predict_all([evil], ["kv260", "coral"]),
                      roofline.read_graph(evil), roofline.reconcile(PROFILE), roofline.advise(evil, "kv260")):
            html = shown._repr_html_()
            self.assertTrue(html.startswith("<div><p>") and html.endswith("</pre></div>"))
            self.assertNotIn("<script", html)
            for tag in ("div", "p", "pre"):
                html = html.replace(f"<{tag}>", "").replace(f"</{tag}>", "")
            self.assertNotRegex(html, "[<>]")

    def test_the_answer_comes_first(self):
        p = roofline.predict(MODEL, "kv260")
        self.assertIn("3.27 ms", p._repr_html_().split("</p>")[0])

    def test_a_chart_is_a_picture(self):
        if not shutil.which("gnuplot"):
            self.skipTest("needs gnuplot")
        p = roofline.predict(MODEL, "kv260")
        p.draw(self.folder / "chart.svg")
        picture = p.chart()
        self.assertEqual(picture.svg, (self.folder / "chart.svg").read_bytes())
        html = picture._repr_html_()
        self.assertRegex(html, '^<img alt="[a-z ]+" style="max-width:100%" src="data:image/svg[+]xml;base64,[A-Za-z0-9+/=]+">$')
        self.assertEqual(base64.b64decode(html.split("base64,")[1][:-2]), picture.svg)


if __name__ == "__main__":
    unittest.main()
