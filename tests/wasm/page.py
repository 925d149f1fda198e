"""The page that is one file, in a browser: tasks by keyboard alone, the same answers as the native program, and no request that
anybody sees. ROOFLINE_PAGE is the page, ROOFLINE_EXE the native program, ROOFLINE_EXAMPLES the folder of examples."""
import base64
import http.server
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "browser"))
from browser import Browser, main  # noqa: E402
from large import write_onnx, write_safetensors, write_xmodel  # noqa: E402

PAGE, NATIVE, EXAMPLES = (os.environ.get(name, "") for name in ("ROOFLINE_PAGE", "ROOFLINE_EXE", "ROOFLINE_EXAMPLES"))
PICTURES = os.environ.get("ROOFLINE_SCREENSHOTS")
STEPS = pathlib.Path(__file__).with_name("steps.md")
STEPS_HEAD = """# A run of the page, as it is seen

By keyboard alone. `page.py` makes it, and fails where something else is seen; `ROOF_UPDATE_GOLDEN=1` writes it anew.

"""
KEYS = {"Enter": ("Enter", 13, "\r"), "Tab": ("Tab", 9, ""), "ArrowDown": ("ArrowDown", 40, ""), "ArrowRight": ("ArrowRight", 39, ""),
        "Backspace": ("Backspace", 8, ""), "Space": (" ", 32, " ")}


def native(*words, folder="models"):
    done = subprocess.run([NATIVE, *words], cwd=os.path.join(EXAMPLES, folder), capture_output=True, text=True)
    return done.stdout


class Seen(http.server.BaseHTTPRequestHandler):
    requests = []

    def do_GET(self):
        Seen.requests.append(self.path)
        self.send_response(204)
        self.end_headers()

    do_POST = do_GET

    def log_message(self, *_):
        pass


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()

    # --- what a person does ---

    def open(self, link="", **how):
        self.browser.forget()
        self.browser.open(PAGE, **how)
        self.wait("document.body.dataset.ready === 'yes'")
        self.browser.evaluate("localStorage.clear()")
        if link:
            self.browser.call("Page.navigate", url="about:blank")
            self.wait("location.href === 'about:blank'")
            self.browser.call("Page.navigate", url=self.browser.url + link)
            self.wait("document.body?.dataset.ready === 'yes'")

    def wait(self, condition, most_s=60):
        end = time.monotonic() + most_s
        while not self.browser.evaluate(f"!!({condition})"):
            self.assertLess(time.monotonic(), end, f"never came: {condition}; failure: {self.text('#failure')}; version: {self.text('#version')}")
            time.sleep(0.02)

    def settle(self):
        self.wait("!document.querySelector('#answer').hidden && !document.querySelector('#answer').classList.contains('waits')")

    def press(self, key, n=1):
        name, code, text = KEYS[key]
        for _ in range(n):
            for kind in ("keyDown", "keyUp"):
                self.browser.call("Input.dispatchKeyEvent", type=kind, key=name, windowsVirtualKeyCode=code,
                                  **({"text": text} if text and kind == "keyDown" else {}))

    def type(self, text):
        for letter in text:
            self.browser.call("Input.dispatchKeyEvent", type="keyDown", key=letter, text=letter)
            self.browser.call("Input.dispatchKeyEvent", type="keyUp", key=letter)

    def tab_to(self, selector):
        """By the Tab key alone, as who has no mouse."""
        for _ in range(80):
            if self.browser.evaluate(f"document.activeElement?.matches({json.dumps(selector)})"):
                return
            self.press("Tab")
        self.fail(f"the Tab key does not reach {selector}")

    def text(self, selector):
        return self.browser.evaluate(f"document.querySelector({json.dumps(selector)})?.innerText ?? ''")

    def document(self):
        return self.browser.evaluate("state.last")

    def open_example(self, n=1):
        self.tab_to(f"#examples button:nth-of-type({n})")
        self.press("Enter")
        self.settle()

    def give(self, *paths):
        """Files through the input that the button opens."""
        root = self.browser.call("DOM.getDocument")["root"]["nodeId"]
        node = self.browser.call("DOM.querySelector", nodeId=root, selector="#files")["nodeId"]
        self.browser.call("DOM.setFileInputFiles", nodeId=node, files=[str(p) for p in paths])
        self.settle()

    # --- ten tasks by keyboard ---

    def step(self, did, *selectors):
        """What is done, and the first line of what is seen in each place."""
        seen = [self.text(s).strip().split("\n")[0] for s in selectors]
        self.steps.append(f"{len(self.steps) + 1}. {did}: " + "; ".join(f"`{' '.join(one.split())}`" for one in seen if one))

    def test_tasks_by_keyboard(self):
        self.steps = []
        self.open()
        self.step("Open the page", "#drop strong", "#version")
        # 1: open an example, 2: read how fast it is
        self.open_example()
        self.assertIn("resnet50", self.text("#verdict"))
        self.assertEqual([p["hardware"] for p in self.document()["pairs"]], ["kv260", "zcu104", "npu2"])
        self.step("Press the first example", "#chosen li", "#verdict p", "#compared tbody tr")
        # 3: leave two boards away
        self.tab_to("#board")
        self.press("Backspace", 2)
        self.wait("state.last?.layers")
        self.settle()
        want = json.loads(native("predict", "resnet50.onnx", "--hw", "kv260", "--format", "json"))
        self.assertEqual(self.document(), want)
        self.assertIn(want["verdict"][0], self.text("#verdict"))
        self.step("Take two boards away by Backspace", "#verdict p", "#verdict p:nth-of-type(2)")
        # 4: search a board, and compare with it
        self.type("zcu102")
        self.wait("document.querySelector('#board').getAttribute('aria-activedescendant')")
        self.press("Enter")
        self.wait("state.last?.pairs?.length === 2")
        self.settle()
        self.step("Type zcu102 into the boards, press Enter", "#verdict p", "#compared tbody tr:nth-of-type(2)")
        # 5: another data type, answered while it is typed
        self.tab_to("#batch")
        self.type("2")
        self.wait("state.last?.pairs?.[0]?.prediction.options.batch === 2")
        self.settle()
        self.step("Type 2 into the batch", "#compared tbody tr")
        # 6: the other views
        self.tab_to("#tab-layers")
        self.press("ArrowRight")
        self.wait("document.querySelector('#view svg circle')")
        self.step("Turn to the roofline", "#tabs [aria-selected=true]", "#view figcaption")
        self.press("ArrowRight")
        self.wait("document.querySelector('#view pre')?.innerText.includes('resnet50')")
        self.step("Turn to the next view", "#tabs [aria-selected=true]", "#view pre")
        # 7: findings
        self.press("ArrowRight")
        self.wait("document.querySelector('#view pre')?.innerText.startsWith('findings')")
        self.step("Turn to the next view", "#tabs [aria-selected=true]", "#view pre")
        # 8: the report, whose script runs
        self.press("ArrowRight")
        self.wait("document.querySelector('#view iframe')")
        self.step("Turn to the next view", "#tabs [aria-selected=true]", "#view .buttons button")
        self.assertTrue(self.text("#view .buttons small").endswith("one file."), "a picture is missing: " + self.text("#view .buttons small"))
        time.sleep(1)  # what the policy refuses is told on the console, which is looked at below
        if PICTURES:
            self.browser.save_picture(os.path.join(PICTURES, "page-report.png"))
        self.press("ArrowRight")
        self.wait("document.querySelector('#view table')")
        # 9: the command to copy says the choices
        self.assertEqual(self.text("#command"), "roofline predict resnet50.onnx --hw kv260,zcu102 --batch 2")
        self.tab_to("#copy")
        self.press("Enter")
        self.wait("document.querySelector('#said').innerText")
        self.step("Press Copy the command", "#command")
        # 10: close the file
        self.browser.evaluate("document.querySelector('h1').tabIndex = -1, document.querySelector('h1').focus()")
        self.tab_to("#chosen .remove")
        self.press("Enter")
        self.wait("document.querySelector('#answer').hidden")
        self.step("Close the file", "#drop strong")
        self.assertEqual(self.browser.console(), [])
        got = STEPS_HEAD + "\n".join(self.steps) + "\n"
        if os.environ.get("ROOF_UPDATE_GOLDEN"):
            STEPS.write_text(got)
        self.assertEqual(got, STEPS.read_text())

    def test_answers_are_those_of_the_native_program(self):
        cases = [("models/mobilenetv2-b4096.xmodel",), ("ethosu/classifier_vela.tflite",), ("stm32n6/network_c_info.json",),
                 ("models/mobilenetv1.tflite", "kv260"), ("npu2/llama-3.2-1b.json", "npu2")]
        for path, *hw in cases:
            with self.subTest(path=path):
                self.open(f"#hw={hw[0]}" if hw else "")
                self.give(os.path.join(EXAMPLES, path))
                folder, name = path.split("/")
                words = ["predict", name, *(["--hw", hw[0]] if hw else []), "--format", "json"]
                self.assertEqual(self.document(), json.loads(native(*words, folder=folder)))

    def test_profile_with_its_models(self):
        self.open()
        folder = os.path.join(EXAMPLES, "kv260")
        self.give(*(os.path.join(folder, n) for n in ("measured.json", "mobilenetv1-b4096.xmodel", "mobilenetv2-b4096.xmodel", "resnet50-b4096.xmodel")))
        self.assertRegex(self.document()["schema"], "reconciliation")

    def test_damaged_file_says_why(self):
        self.open("#hw=kv260")
        bad = pathlib.Path(os.environ.get("TMPDIR", "/tmp")) / "bad.onnx"
        bad.write_bytes(pathlib.Path(EXAMPLES, "models/resnet50.onnx").read_bytes()[:500])
        self.give(bad)
        want = subprocess.run([NATIVE, "predict", bad.name, "--hw", "kv260", "--format", "json"], cwd=bad.parent, capture_output=True, text=True)
        self.assertEqual(self.text("#failure"), want.stderr.strip())

    def test_large_files_are_not_read(self):
        """Each within the memory and the messages of a small one; the whole would take many seconds."""
        folder = pathlib.Path(os.environ.get("TMPDIR", "/tmp"))
        compiled = pathlib.Path(EXAMPLES, "models/mobilenetv2-b4096.xmodel").read_bytes()
        files = (("large.onnx", "kv260", write_onnx), ("large.safetensors", "npu2", write_safetensors),
                 ("large.xmodel", "", lambda path, n: write_xmodel(path, compiled, n)))
        for name, board, write in files:
            with self.subTest(name):
                large = folder / name
                write(large, 1_900_000_000)
                self.open(f"#hw={board}" if board else "")
                begin = time.monotonic()
                self.give(large)
                took = time.monotonic() - begin
                document = self.document()
                large.unlink()
                self.assertIsNotNone(document, self.text("#failure"))
                self.assertLess(took, 10)

    def test_link_holds_the_choices(self):
        self.open("#example=resnet50&hw=zcu104&batch=4&view=roofline")
        self.settle()
        self.assertEqual(self.document()["options"]["batch"], 4)
        self.assertEqual(self.document()["hardware"]["id"], "zcu104")
        self.assertTrue(self.browser.evaluate("location.hash.includes('hw=zcu104') && location.hash.includes('batch=4')"))

    def test_missing_files_are_named(self):
        folder = pathlib.Path(EXAMPLES)
        self.open()
        self.give(folder / "npu2/record_timer_ts.json")
        self.assertRegex(self.text("#missing"), "^Missing: dpu_timestamp_info.json, it names the layers. Drop it here.$")
        self.give(folder / "npu2/dpu_timestamp_info.json")
        self.wait("state.last?.schema?.startsWith('roofline.reconciliation')")
        self.settle()
        self.assertEqual(self.text("#missing"), "")
        self.open()
        self.give(folder / "kv260/measured.json", folder / "kv260/resnet50-b4096.xmodel")
        self.assertEqual(re.findall("Missing: (\\S+),", self.text("#missing")), ["mobilenetv1-b4096.xmodel", "mobilenetv2-b4096.xmodel"])
        with tempfile.TemporaryDirectory() as made:
            for name, text in (("net.onnx.data", "0123"), ("net.c", '#include "net_ecblobs.h"\n')):
                pathlib.Path(made, name).write_text(text)
            self.open("#hw=kv260")
            self.give(pathlib.Path(made, "net.onnx.data"))
            self.assertIn("Missing: net.onnx,", self.text("#missing"))
            self.give(pathlib.Path(made, "net.c"))
            self.wait("document.querySelector('#missing').innerText.includes('Missing: net_ecblobs.h,')")

    def test_link_holds_the_structure_if_asked(self):
        large = pathlib.Path(os.environ.get("TMPDIR", "/tmp")) / "large.onnx"
        write_onnx(large, 50_000_000)
        self.open("#hw=kv260")
        self.give(large)
        want = self.document()
        self.assertNotIn("structure", self.browser.evaluate("location.hash"))
        self.tab_to("#structure")
        self.press("Enter")
        self.wait("document.querySelector('#agree')")
        self.assertIn("no weights", self.text("#asks"))
        self.press("Enter")
        self.wait("location.hash.includes('structure=')")
        link = self.browser.evaluate("location.hash")
        self.assertLess(len(link), 1000)
        self.open(link)
        self.settle()
        got = self.document()
        self.assertEqual(got, want)
        self.open(link.replace("structure=", "structure=AAAA"))
        self.assertIn("cannot be read", self.text("#linked"))
        self.assertEqual(self.browser.console(), [])

    def test_embedding(self):
        with tempfile.NamedTemporaryFile("w", suffix=".html") as host:
            host.write(f"<!doctype html><iframe src='{pathlib.Path(PAGE).resolve().as_uri()}' width=900 height=600></iframe>")
            host.flush()
            self.browser.open(host.name)
            network = base64.b64encode(pathlib.Path(EXAMPLES, "models/resnet50.onnx").read_bytes()).decode()
            got = self.browser.evaluate(f"""new Promise(done => {{
                const frame = document.querySelector('iframe').contentWindow
                const ping = setInterval(() => frame.postMessage({{roofline: 'ping'}}, '*'), 50)
                const bytes = Uint8Array.from(atob('{network}'), c => c.charCodeAt(0))
                let asked = false
                addEventListener('message', ({{data}}) => {{
                    clearInterval(ping)
                    if (data.roofline === 'pong' && !asked)
                        frame.postMessage({{roofline: 'open', files: [{{name: 'resnet50.onnx', bytes}}], boards: ['zcu104']}}, '*'), asked = true
                    if (data.roofline === 'answer') done(data)
                }}) }})""")
        self.assertEqual(got["json"], json.loads(native("predict", "resnet50.onnx", "--hw", "zcu104", "--format", "json")))

    def test_nothing_leaves(self):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Seen)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        place = f"http://127.0.0.1:{server.server_address[1]}"
        self.open()
        self.open_example()
        outcomes = self.browser.evaluate(f"""(async () => {{
            const tries = {{
              fetch: () => fetch('{place}/fetch'),
              image: () => new Promise((done, fails) => Object.assign(new Image(), {{ onload: done, onerror: fails, src: '{place}/image' }})),
              script: () => new Promise((done, fails) => document.head.append(Object.assign(document.createElement('script'), {{ onload: done, onerror: fails, src: '{place}/s.js' }}))),
              socket: () => new Promise((done, fails) => {{ try {{ Object.assign(new WebSocket('{place.replace("http", "ws")}'), {{ onopen: done, onerror: fails }}) }} catch (e) {{ fails(e) }} }}),
              worker: () => new Promise((done, fails) => {{
                const w = new Worker(URL.createObjectURL(new Blob(["fetch('{place}/worker').then(() => postMessage(1), () => postMessage(0))"])))
                w.onmessage = e => e.data ? done() : fails() }}),
            }}
            navigator.sendBeacon('{place}/beacon', 'x')
            const out = {{}}
            for (const [name, one] of Object.entries(tries)) out[name] = await one().then(() => 'went out', () => 'refused')
            return out }})()""")
        time.sleep(0.5)
        server.shutdown()
        server.server_close()
        self.assertEqual(set(outcomes.values()), {"refused"}, outcomes)
        self.assertEqual(Seen.requests, [])

    def test_pictures(self):
        """As a person sees it; kept where ROOFLINE_SCREENSHOTS says. No page is wider than its window."""
        for width in (1400, 800, 400):
            for dark in (False, True):
                self.open("#example=resnet50&hw=kv260,zcu104,npu2", width=width, dark=dark)
                self.settle()
                self.wait("document.querySelector('#view table')")
                self.assertLessEqual(self.browser.evaluate("document.documentElement.scrollWidth"), width)
                if PICTURES:
                    pathlib.Path(PICTURES).mkdir(parents=True, exist_ok=True)
                    self.browser.save_picture(os.path.join(PICTURES, f"page-{width}-{'dark' if dark else 'light'}.png"))
        self.open()
        if PICTURES:
            self.browser.save_picture(os.path.join(PICTURES, "page-empty.png"))


if __name__ == "__main__":
    main()
