"""Reports in a browser: what every page has to be like, for measured and predicted models, and names that attack the page."""
import os
import pathlib
import subprocess
import tempfile
import unittest

from browser import Browser, main
from checks import check_page

PROGRAM = os.environ.get("ROOFLINE_EXE", "roofline")
ROOT = os.environ.get("ROOFLINE_SOURCE_DIR", ".")
PICTURES = os.environ.get("ROOFLINE_SCREENSHOTS")  # a folder, for whoever wants to see what was checked
HOSTILE = ["tests/support/hostile_prediction.json"]
# A name, what stands behind "report", and how much there is at least to look at.
REPORTS = [
    ("kv260", ["examples/kv260/measured.json"], {"charts": 6, "filtering": 3, "sorting": 50}),
    ("zcu104", ["examples/zcu104-resnet50/measured.json"], {"charts": 2, "filtering": 1, "sorting": 30}),
    ("stm32n6", ["examples/stm32n6/measured.json"], {"charts": 2, "filtering": 2, "sorting": 40}),
    ("predicted", ["examples/models/mobilenetv2-b4096.xmodel"], {"charts": 2, "filtering": 1, "sorting": 20}),
    ("devices", ["examples/models/mobilenetv1-b4096.xmodel", "examples/models/resnet50-b4096.xmodel", "--hw=kv260",
                 "--hw=zcu102"], {"charts": 8, "filtering": 4, "sorting": 60}),
    ("hostile", HOSTILE, {"filtering": 1, "sorting": 10}),
]
VIEWS = {"wide": {}, "narrow": {"width": 400}, "dark": {"dark": True}}


def write_report(arguments, folder):
    """Runs the program in the source's root, so that the names of files are short."""
    subprocess.run([PROGRAM, "report", "-o", folder, *arguments], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    return folder + "/index.html"


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = Browser()
        cls.addClassCleanup(cls.browser.close)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name + "/review"

    def keep_pictures(self, name, page):
        for view, options in VIEWS.items() if PICTURES else ():
            path = pathlib.Path(PICTURES) / f"{name}-{view}.png"
            path.parent.mkdir(parents=True, exist_ok=True)
            self.browser.open(page, height=900, **options)
            self.browser.save_picture(path)
            self.assertGreater(path.stat().st_size, 20000, path)

    def test_reports_pass_all_checks(self):
        for name, arguments, least in REPORTS:
            with self.subTest(name):
                page = write_report(arguments, f"{self.folder}-{name}")
                result = check_page(self.browser, page)
                self.keep_pictures(name, page)
                self.assertFalse(result.problems, "\n".join(result.problems))
                for check, number in least.items():
                    self.assertGreaterEqual(result.looked[check], number, check)

    def test_names_of_layers_run_nothing(self):
        self.browser.open(write_report(HOSTILE, self.folder))
        self.assertTrue(self.browser.evaluate(
            "window.attacked === undefined && document.scripts.length === 1 && document.images.length === 0"))
        self.assertEqual(self.browser.evaluate("document.querySelector('tbody td.name').textContent"),
                         "<script>window.attacked=1</script>")


if __name__ == "__main__":
    main()
