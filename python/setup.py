"""Builds the extension against libroofline, and writes structs.pyi, so that checkers of types know every
member."""
import os
import shutil
import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

here = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [here, os.path.join(here, "roofline")]  # the package itself needs what is built here
import libroofline
import _members


class BuildPy(build_py):
    def run(self):
        super().run()
        folder = os.path.join(self.build_lib, "roofline")
        self.mkpath(folder)
        sources = [path.read_text(encoding="utf-8") for path in Path(here, "roofline").glob("_*.py")]
        for path in Path(os.environ["ROOFLINE_BUNDLE"]).iterdir() if "ROOFLINE_BUNDLE" in os.environ else ():
            shutil.copy(path, folder)
        with open(os.path.join(folder, "structs.pyi"), "w", encoding="utf-8") as out:
            out.write(_members.stub(libroofline.declared(), sources))


# The extension keeps to the stable interface of CPython: one wheel serves all versions from the first on.
# ROOFLINE_PLATFORM: on which systems, such as manylinux_2_31_x86_64; without it those like this one.
wheel = {"py_limited_api": "cp39"}
if "ROOFLINE_PLATFORM" in os.environ:
    wheel["plat_name"] = os.environ["ROOFLINE_PLATFORM"]
setup(
    options={"bdist_wheel": wheel},
    version=libroofline.version(),
    cffi_modules=["libroofline.py:ffibuilder"],
    cmdclass={"build_py": BuildPy},
)
