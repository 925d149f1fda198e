"""Where the tree and the program are, and what several tests use."""
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

# The program and the library see the same, whatever the tests were started from.
os.environ.update(LC_ALL="C.UTF-8", NO_COLOR="1", COLUMNS="120", XDG_CONFIG_HOME=os.devnull)
os.environ.pop("ROOFLINE_HW_PATH", None)

ROOT = Path(os.environ["ROOFLINE_SOURCE_DIR"])
PROGRAM = os.environ["ROOFLINE_EXE"]
KV260 = ROOT / "examples" / "kv260"
MODEL = str(KV260 / "mobilenetv2-b4096.xmodel")
PROFILE = str(KV260 / "measured.json")


def run(*arguments, **options) -> bytes:
    """What the program prints."""
    return subprocess.run(
        [PROGRAM, *map(str, arguments)],
        check=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        **options,
    ).stdout


class InFolder(unittest.TestCase):
    """Works in a scratch folder."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
