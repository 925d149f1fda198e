"""What the package is built of is what the headers declare, and a library that is not found is said so."""
import os
import shutil
import subprocess
import sys

from support import ROOT, InFolder

STUB = "import libroofline, sys; sys.path.insert(0, 'roofline'); import _members\n"
STUB += "print(_members.stub(libroofline.declared(), []))"


def ask(prefix, code="import libroofline"):
    environment = {**os.environ, "ROOFLINE_PREFIX": str(prefix)}
    return subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT / "python", env=environment, text=True, capture_output=True
    )


class Building(InFolder):
    def prefix(self, change):
        """An installation whose headers are those of the tree, but for a change of prediction.h."""
        shutil.copytree(ROOT / "include", self.folder / "include")
        header = self.folder / "include" / "roofline" / "prediction.h"
        header.write_text(change(header.read_text()))
        (self.folder / "roofline.pc").write_text(
            f"includedir={self.folder}/include\nlibdir={self.folder}\nName: roofline\nDescription: -\n"
            "Version: 9.8.7\nCflags: -I${includedir}\nLibs: -L${libdir} -lroofline\n"
        )
        return self.folder

    def test_what_a_header_adds_is_there(self):
        added = "typedef struct roof_alternative {\n    const double *extras; uint32_t n_extras;"
        prefix = self.prefix(lambda text: text.replace("typedef struct roof_alternative {", added))
        done = ask(prefix, STUB)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("def extras(self) -> Sequence[Optional[float]]: ...", done.stdout)
        self.assertEqual(ask(prefix, "import libroofline; print(libroofline.version())").stdout, "9.8.7\n")

    def test_what_is_not_found_is_said(self):
        for prefix, said in (
            ("no/such/folder", "which is no folder from"),
            (self.folder, "libroofline is not found: install it, or let ROOFLINE_PREFIX"),
            (self.without_headers(), "has no roofline/prediction.h"),
        ):
            done = ask(prefix)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn(said, done.stderr)

    def without_headers(self):
        folder = self.folder / "headless"
        folder.mkdir()
        (folder / "roofline.pc").write_text(
            f"includedir={folder}\nName: roofline\nDescription: -\nVersion: 1\nLibs: -lroofline\n"
        )
        return folder
