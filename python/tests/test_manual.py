"""The examples of docs/python.md give what it shows, and the study of examples/kv260 can be made."""
import doctest
import os
import re
import shutil
import subprocess
import sys
import unittest

from support import KV260, ROOT, InFolder

GOLDEN = ROOT / "tests" / "golden"
# What stands for the reader's own files.
STAND_INS = {
    "model.xmodel": KV260 / "mobilenetv2-b4096.xmodel",
    "config.json": ROOT / "examples" / "npu2" / "llama-3.2-1b.json",
    "vart_trace.csv": GOLDEN / "import-vart-trace" / "vart_trace.csv",
    "resnet50.onnx": ROOT / "examples" / "models" / "resnet50.onnx",
    "int8.xmodel": ROOT / "examples" / "models" / "mobilenetv2-int8.xmodel",
    "budget.json": GOLDEN / "check-kept" / "budget.json",
    "old.json": GOLDEN / "compare-samples" / "old.json",
    "new.json": GOLDEN / "compare-samples" / "new.json",
}
PLAN = """{"schema": "roofline.sweep/1", "models": ["model.xmodel"], "devices": ["kv260", "zcu104"],
 "clocks": ["200MHz", "300MHz"]}"""


class Manual(InFolder):
    def test_the_examples_of_the_manual(self):
        for path in KV260.iterdir():  # measured.json and its models
            if path.is_file():
                shutil.copy(path, self.folder)
        for name, path in STAND_INS.items():
            shutil.copy(path, self.folder / name)
        (self.folder / "plan.json").write_text(PLAN)
        blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / "docs" / "python.md").read_text(), re.M | re.S)
        self.assertGreater(len(blocks), 4)
        test = doctest.DocTestParser().get_doctest("".join(blocks), {}, "docs/python.md", "docs/python.md", 0)
        said = []
        here = os.getcwd()
        os.chdir(self.folder)
        try:
            result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=said.append)
        finally:
            os.chdir(here)
        self.assertGreater(result.attempted, 25)
        self.assertEqual(result.failed, 0, "".join(said))


class Study(InFolder):
    def test_the_study_of_kv260(self):
        script = ROOT / "python" / "examples" / "kv260_study.py"
        done = subprocess.run([sys.executable, script, KV260, self.folder], text=True, capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        for line in (
            "MobileNetV1    5.34 ms",
            "CPU time: 39 % of MobileNetV1",
            "largest gaps",
            "fetch_cycles_per_word",
        ):
            self.assertIn(line, done.stdout)
        names = {path.name for path in self.folder.iterdir()}
        self.assertLessEqual({"mobilenetv1-b4096.gp", "mobilenetv1-b4096.dat"}, names)
        if "not drawn" in done.stderr:
            print("SKIPPED: needs gnuplot (test_the_study_of_kv260)")
        else:
            self.assertIn("<svg", (self.folder / "resnet50-b4096.svg").read_text())


if __name__ == "__main__":
    unittest.main()
