"""Reports in a browser: what every page has to be like, for measured and predicted models, and names that attack the page."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

from browser import Browser, main, sample_of
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
    ("memory", ["examples/stm32n6/network_c_info.json", "--hw=stm32n6"], {"charts": 3, "filtering": 1, "sorting": 20}),
    ("hostile", HOSTILE, {"filtering": 1, "sorting": 10}),
]
# Charts that answer: the marks of a roofline are links to rows. What a script asks of a page, and what it must be.
ROOFLINE = "document.querySelector('figure[id^=figure-roofline]')"
HELPERS = f"""
const figure = {ROOFLINE}, spots = [...figure.querySelectorAll('.wide .spots a')], tip = document.querySelector('.tip');
const rowOf = link => document.querySelector(link.getAttribute('href'));
const press = (on, key) => on.dispatchEvent(new KeyboardEvent('keydown', {{key, bubbles: true, cancelable: true}}));
const click = on => on.dispatchEvent(new MouseEvent('click', {{bubbles: true, cancelable: true}}));
const button = words => [...figure.querySelectorAll('.chart-tools button')].find(b => b.textContent === words);
const isOnScreen = e => e.getBoundingClientRect().top >= 0 && e.getBoundingClientRect().bottom <= innerHeight;
"""
ANSWERS = {
    "a click on a mark goes to its row": """
        const row = rowOf(spots[3]);
        click(spots[3]);
        return row.classList.contains('marked') && isOnScreen(row) && document.activeElement === row""",
    "a click on a row marks its discs, a second one goes there": """
        const row = rowOf(spots[2]);
        click(row.cells[1]);
        const marked = spots.filter(s => s.classList.contains('marked')).map(rowOf).every(r => r === row);
        click(row.cells[1]);
        return marked && rowOf(document.activeElement) === row""",
    "Enter on a row goes to its disc, and arrow keys to the next row": """
        const row = rowOf(spots[2]);
        click(spots[2]);
        press(row, 'ArrowDown');
        const next = document.activeElement;
        press(next, 'Enter');
        return next.rowIndex === row.rowIndex + 1 && rowOf(document.activeElement) === next""",
    "one mark of a chart is a stop of the Tab key, and arrow keys go on": """
        const stops = spots.filter(s => s.tabIndex === 0), before = spots[0].lastElementChild.getBoundingClientRect();
        spots[0].focus();
        press(spots[0], 'ArrowRight');
        const now = document.activeElement;
        return stops.length === 1 && now.tabIndex === 0 && now.lastElementChild.getBoundingClientRect().x > before.x""",
    "a mark with the focus tells what it is": """
        spots[0].focus();
        const told = !tip.hidden && /ops/.test(tip.textContent) && /OP\\/s/.test(tip.textContent);
        press(spots[0], 'Escape');
        return told && tip.hidden && spots[0].getAttribute('aria-label').length > 20""",
    "what is switched off is faint, and comes back": """
        const lines = figure.querySelectorAll('.wide svg [id$=plot_6a] path').length, gone = () => figure.querySelectorAll('.wide .gone').length;
        const dim = () => figure.querySelectorAll('.wide .dim').length, bound = button('side engine');
        click(button('ceilings'));
        click(bound);
        const off = dim() === spots.filter(s => s.matches('.off.b-side')).length && dim() > 0 && gone() >= lines && lines > 0;
        click(button('ceilings'));
        click(bound);
        return off && bound.getAttribute('aria-pressed') === 'true' && dim() === 0 && gone() === 0""",
    "the chart grows around the marked disc, by key and button, and shrinks again": """
        const box = () => [...figure.querySelectorAll('.wide svg')].map(svg => svg.getAttribute('viewBox')), whole = box();
        spots[3].focus();
        press(spots[3], '+');
        press(spots[3], '+');
        const [x, y, w, h] = box()[0].split(' ').map(Number), disc = spots[3].lastElementChild;
        const at = [disc.getAttribute('cx') - x, disc.getAttribute('cy') - y];
        const inside = at[0] >= 0 && at[1] >= 0 && at[0] <= w && at[1] <= h && box()[0] === box()[1];
        click(button('whole'));
        return inside && Math.abs(w * 4 - whole[0].split(' ')[2]) < 0.01 && box().join() === box().map(b => whole[0]).join()""",
}
# The graph of a network: boxes that open, colours, search, and links both ways.
GRAPH = "graphOf(document.querySelectorAll('.graph-view')[0])"
GRAPH_HELPERS = f"const g = {GRAPH};" + """
const boxes = () => [...g.svg.querySelectorAll('.box')], box = key => g.items.get(key);
const press = (key, more) => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true, ...more}));
const click = on => on.dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true}));
const button = words => [...g.view.querySelectorAll('button')].find(b => b.textContent === words);
const block = boxes().find(b => b.matches('.block')).dataset.key, inner = () => boxes().filter(b => b !== box(block) && box(block).contains(b));
const rowOf = key => document.getElementById(g.table + '-' + g.rows[Number(key.slice(1))].table);
const type = text => { g.query.value = text; g.query.dispatchEvent(new Event('input')); };
"""
GRAPH_ANSWERS = {
    "few boxes are shown at first, and each row is drawn once when all are open": """
        const few = boxes().length;
        click(button('open all'));
        const keys = boxes().map(b => b.dataset.key).filter(k => k[0] === 'r');
        return few < 20 && keys.length === g.rows.length && new Set(keys).size === keys.length &&
          g.rows.length === document.querySelectorAll('#layers-1 tbody tr').length""",
    "a click opens a block, and another one folds it": """
        const before = boxes().length;
        click(box(block));
        const opened = inner().length > 1 && box(block).getAttribute('aria-expanded') === 'true';
        click(box(block));
        return opened && boxes().length === before && box(block).getAttribute('aria-expanded') === 'false'""",
    "the boxes of an open block lie in it, and not on one another": """
        click(button('open all'));
        const rects = boxes().map(b => [b, b.firstElementChild.nextElementSibling.getBoundingClientRect(), b.querySelector('.paper').getBoundingClientRect()]);
        return rects.every(([a, , p]) => rects.every(([b, , q]) => a === b ||
          (a.contains(b) ? q.left >= p.left && q.right <= p.right && q.top >= p.top && q.bottom <= p.bottom + 1
            : b.contains(a) || p.right <= q.left + 1 || q.right <= p.left + 1 || p.bottom <= q.top + 1 || q.bottom <= p.top + 1)))""",
    "Enter opens, arrow keys go on, Escape folds the box around": """
        box(block).focus();
        press('Enter');
        press('ArrowDown');
        const within = inner().includes(document.activeElement);
        press('Escape');
        return within && document.activeElement === box(block) && inner().length === 0""",
    "one box is a stop of the Tab key, and the one with the focus is in sight": """
        click(button('open all'));
        box('r0').focus();
        for (let i = 0; i < 25; i++)
          press('ArrowDown');
        const b = document.activeElement.getBoundingClientRect(), p = g.pane.getBoundingClientRect();
        return boxes().filter(e => e.tabIndex === 0).length === 1 && document.activeElement.tabIndex === 0 && b.top < p.bottom && b.bottom > p.top &&
          document.activeElement !== box('r0')""",
    "a row's box marks its row and its discs, and leads to the table": """
        revealItem(g, 'r5');
        click(box('r5'));
        const spots = spotsOf(rowOf('r5'));
        const marked = rowOf('r5').classList.contains('marked') && spots.length > 0 && spots.every(s => s.classList.contains('marked'));
        const told = g.facts.textContent.includes(g.rows[5].shape);
        click(button('in the table'));
        return marked && told && document.activeElement === rowOf('r5')""",
    "a row of the table leads to its box, which is opened to": """
        click(rowOf('r7').cells[1]);
        const link = rowOf('r7').querySelector('a.to-node');
        location.hash = link.getAttribute('href');
        followNode();
        return box('r7') && box('r7').classList.contains('marked') && document.activeElement === box('r7')""",
    "the key g leads from a mark of the roofline to its box": """
        const spot = spotsOf(rowOf('r9')).find(isSeen);
        spot.focus();
        press('g');
        return document.activeElement === box('r9')""",
    "a cause leads to the box of its layer": """
        const link = document.querySelector('.causes a.to-node'), row = nodeOf({id: 'layers-' + link.getAttribute('href').slice(6)});
        location.hash = link.getAttribute('href');
        followNode();
        return document.activeElement === box(row.key) && getComputedStyle(link).display !== 'none'""",
    "search opens what is around a hit, and goes on": """
        type('conv');
        const first = g.hits[0], many = g.hits.length, opened = box(first).classList.contains('found');
        g.query.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter'}));
        const second = g.count.textContent === '2 of ' + many && box(g.hits[1]).classList.contains('found');
        click(button('\u2191'));
        const back = g.count.textContent === '1 of ' + many;
        type('no such thing');
        return many > 3 && opened && second && back && g.count.textContent === 'none'""",
    "a colour is said in words as well": """
        return [...g.view.querySelectorAll('fieldset input')].every(radio => {
          radio.click();
          return g.key.textContent.length > 5 && boxes().every(b => b.querySelector('.value').textContent.length > 3) && g.svg.querySelector('.fill');
        })""",
    "keys and buttons zoom, and 0 shows all of it": """
        click(button('open all'));
        box('r0').focus();
        const width = () => g.svg.getBoundingClientRect().width, before = width();
        press('+');
        const larger = width() > before;
        press('0');
        return larger && g.svg.getBoundingClientRect().height <= g.pane.clientHeight + 1 && width() <= g.pane.clientWidth + 1""",
    "edges say which way their bytes go": """
        const ways = new Set([...g.svg.querySelectorAll('.edge')].map(e => e.classList[1]));
        return ways.size > 0 && [...g.svg.querySelectorAll('.edge title')].every(t => /B (through external|on chip|it is not)/.test(t.textContent)) &&
          [...ways].every(w => g.key.querySelector('.' + w))""",
}
LINKS = "[...document.querySelectorAll('.spots a[href]')]"
VIEWS = {"wide": {}, "narrow": {"width": 400}, "dark": {"dark": True}}


def write_report(arguments, folder):
    """Runs the program in the source's root, so that the names of files are short."""
    subprocess.run([PROGRAM, "report", "-o", folder, *arguments], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    return folder + "/index.html"


# Two networks in line: the older one is on the left, and boxes of one row have one height.
PAIR_HELPERS = """
const g = graphOf(document.querySelectorAll('.graph-view')[1]), sides = [...g.svg.children], inSide = (i, key) => sides[i].querySelector(`[data-key="${key}"]`);
const click = on => on.dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true}));
const button = words => [...g.view.querySelectorAll('button')].find(b => b.textContent === words);
const at = e => e.getBoundingClientRect(), type = text => { g.query.value = text; g.query.dispatchEvent(new Event('input')); };
"""
PAIR_ANSWERS = {
    "both files are named, and each has its rows": """
        click(button('open all'));
        const there = [...g.svg.children].map(side => side.querySelectorAll('.row').length);
        return g.svg.textContent.includes('mobilenetv2-int8.xmodel') && there[0] === g.was.filter(r => r.isThere).length &&
          there[1] === g.rows.filter(r => r.isThere).length && there[1] > 30""",
    "what belongs together is in line": """
        click(button('open all'));
        const [left, right] = [...g.svg.children];
        return [...left.querySelectorAll('.box')].every(a => { const b = right.querySelector(`[data-key="${a.dataset.key}"]`);
          return !b || (Math.abs(at(a).top - at(b).top) < 0.1 && at(a).left < at(b).left); })""",
    "a click on either side opens both": """
        const key = sides[0].querySelector('.block').dataset.key, count = () => [...g.svg.children].map(s => s.querySelectorAll('.box').length);
        const before = count();
        click(inSide(0, key));
        const opened = count();
        return opened[0] > before[0] && opened[1] > before[1]""",
    "a row of code opens into the operators of the network": """
        const key = 'r' + g.rows.findIndex((row, r) => row.level !== null && g.was[r].isThere);
        revealItem(g, key);
        toggle(g, key);
        const [left, right] = [...g.svg.children].map(side => side.querySelectorAll(`[data-key="${key}"] .op`).length);
        return left > 1 && right > 0""",
    "search finds names of the older network, and what is marked is so on both sides": """
        const r = g.was.findIndex((row, i) => row.isThere && g.rows[i].isThere), name = g.was[r].name;
        type(name);
        return g.hits.includes('r' + r) && g.svg.querySelectorAll('.found').length === 2""",
    "the facts tell what was before, and why it differs": """
        const r = g.rows.findIndex((row, i) => row.why && g.was[i].isThere);
        revealItem(g, 'r' + r);
        choose(g, 'r' + r);
        return g.facts.textContent.includes('before' + g.was[r].name) && g.facts.textContent.includes(g.rows[r].why)""",
    "links of the table lead to the graph of the network alone": """
        return nodeOf(document.querySelector('#layers-1 tbody tr')).g.view === document.querySelectorAll('.graph-view')[0]""",
}


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
        for name, arguments, least in sample_of(REPORTS, 4):
            with self.subTest(name):
                page = write_report(arguments, f"{self.folder}-{name}")
                result = check_page(self.browser, page)
                self.keep_pictures(name, page)
                self.assertFalse(result.problems, "\n".join(result.problems))
                for check, number in least.items():
                    self.assertGreaterEqual(result.looked[check], number, check)

    def test_charts_answer(self):
        page = write_report(["examples/models/mobilenetv2-b4096.xmodel"], self.folder)
        for name, code in ANSWERS.items():
            with self.subTest(name):
                self.browser.open(page)
                self.assertIs(self.browser.evaluate(f"(() => {{ {HELPERS} {code} }})()"), True)

    def test_the_graph_answers(self):
        page = write_report(["examples/models/mobilenetv2-b4096.xmodel"], self.folder)
        for name, code in GRAPH_ANSWERS.items():
            with self.subTest(name):
                self.browser.open(page)
                self.assertIs(self.browser.evaluate(f"(() => {{ {GRAPH_HELPERS} return Boolean((() => {{ {code} }})()); }})()"), True)
        self.assertEqual(self.browser.console(), [])

    def test_the_graph_by_keyboard_alone(self):
        self.browser.open(write_report(["examples/models/mobilenetv2-b4096.xmodel"], self.folder))
        self.browser.evaluate(f"[...{GRAPH}.tools.querySelectorAll('button')].pop().focus()")
        boxes = f"{GRAPH}.svg.querySelectorAll('.box').length"
        before = self.browser.evaluate(boxes)
        self.press("Tab", 9)
        self.assertTrue(self.browser.evaluate(f"document.activeElement === {GRAPH}.pane"))
        self.press("Tab", 9)
        self.assertTrue(self.browser.evaluate("document.activeElement.matches('.box')"))
        for _ in range(8):  # to the first block
            if self.browser.evaluate("document.activeElement.matches('.block')"):
                break
            self.press("ArrowDown", 40)
        self.press("Enter", 13)
        self.assertGreater(self.browser.evaluate(boxes), before)
        outline = "getComputedStyle(document.activeElement.querySelector('.paper')).strokeWidth"
        self.assertEqual(self.browser.evaluate(outline), "3.5px")

    def test_two_networks_stand_in_line(self):
        page = write_report(["examples/models/mobilenetv2-b4096.xmodel", "--source=examples/models/mobilenetv2-int8.xmodel"], self.folder)
        result = check_page(self.browser, page)
        self.keep_pictures("source", page)
        self.assertFalse(result.problems, "\n".join(result.problems))
        for name, code in PAIR_ANSWERS.items():
            with self.subTest(name):
                self.browser.open(page)
                self.assertIs(self.browser.evaluate(f"(() => {{ {PAIR_HELPERS} return Boolean((() => {{ {code} }})()); }})()"), True)
        self.assertEqual(self.browser.console(), [])

    def test_a_dashed_box_stands_where_one_network_has_nothing(self):
        self.browser.open(write_report(["examples/models/mobilenetv2.onnx", "--source=examples/models/mobilenetv1.tflite", "--hw=kv260"],
                                       self.folder))
        missing, ghosts = self.browser.evaluate(f"""(() => {{ {PAIR_HELPERS} click(button('open all'));
            return [[g.was, g.rows].map(rows => rows.filter(r => !r.isThere).length), sides.map(s => [...g.svg.children][sides.indexOf(s)]
              .querySelectorAll('.ghost').length)]; }})()""")
        self.assertGreater(missing[0], 0)
        self.assertGreaterEqual(ghosts[0], 1)
        self.assertLessEqual(ghosts[0], missing[0])  # one for a block of which it has nothing

    def press(self, key, code):
        for kind in ("keyDown", "keyUp"):
            text = {"text": "\r"} if key == "Enter" and kind == "keyDown" else {}
            self.browser.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code, **text)

    def test_the_graph_stays_on_paper_and_without_script(self):
        page = write_report(["examples/models/mobilenetv2-b4096.xmodel"], self.folder)
        shown = "[...document.querySelectorAll('.graph-paper svg.graph, .graph-pane')].map(e => e.getClientRects().length > 0).join()"
        self.browser.open(page, script=False)
        self.assertEqual(self.browser.evaluate(shown), "true")
        self.assertEqual(self.browser.evaluate("[...document.querySelectorAll('.graph-paper a')].filter(a => !document.querySelector("
                                               "a.getAttribute('href'))).length"), 0)
        self.assertEqual(self.browser.evaluate("[...document.querySelectorAll('.to-node')].filter(a => a.getClientRects().length).length"), 0)
        self.browser.open(page, width=400)
        self.browser.evaluate(f"{GRAPH}.view.scrollIntoView()")
        self.assertEqual(self.browser.evaluate(shown), "false,true")
        self.assertLessEqual(self.browser.evaluate(f"{GRAPH}.pane.getBoundingClientRect().right"), 400)
        self.assertGreaterEqual(self.browser.evaluate(f"{GRAPH}.zoom"), 0.6)  # letters of 7 px and more
        self.browser.call("Emulation.setEmulatedMedia", media="print")
        self.addCleanup(self.browser.call, "Emulation.setEmulatedMedia", media="")
        self.assertEqual(self.browser.evaluate(shown), "true,false")

    def test_boxes_of_the_graph_wait_for_a_reader_and_its_picture_stands_there(self):
        page = write_report(["examples/models/mobilenetv2-b4096.xmodel"], self.folder)
        made = "graphs.size > 0 && document.querySelectorAll('.graph-view.live').length === 1"
        picture = "document.querySelector('.graph-paper svg.graph').getClientRects().length > 0"
        for need, code, then in (
                ("a reader who comes near", "document.getElementById('graph-1').scrollIntoView()", "graphs.size === 1"),
                ("a link to a box", "location.hash = document.querySelector('.causes a.to-node').getAttribute('href')",
                 "document.activeElement.matches('.graph-pane .box')"),
                ("the key g on a mark", "const spot = [...document.querySelectorAll('.wide .spots a')][3]; spot.focus({preventScroll: true}); "
                 "spot.dispatchEvent(new KeyboardEvent('keydown', {key: 'g', bubbles: true}))", "document.activeElement.matches('.graph-pane .box')"),
                ("the focus in its picture", "document.querySelector('.graph-paper a').focus({preventScroll: true})",
                 "document.activeElement.matches('.graph-pane .box')")):
            with self.subTest(need):
                self.browser.open(page)
                self.assertEqual([self.browser.evaluate(made), self.browser.evaluate(picture)], [False, True])
                self.browser.evaluate(f"(() => {{ {code} }})()")
                self.browser.evaluate("new Promise(done => setTimeout(done, 200))")
                self.assertEqual([self.browser.evaluate(made), self.browser.evaluate(picture)], [True, False])
                self.assertTrue(self.browser.evaluate(then))
        self.browser.open(page)
        self.browser.call("Emulation.setEmulatedMedia", media="print")
        self.addCleanup(self.browser.call, "Emulation.setEmulatedMedia", media="")
        self.assertEqual([self.browser.evaluate(made), self.browser.evaluate(picture)], [False, True])
        self.assertEqual(self.browser.console(), [])

    def test_a_document_without_its_model_says_why_there_is_no_graph(self):
        self.browser.open(write_report(HOSTILE, self.folder))
        self.assertIn("The graph is not drawn: a document holds rows, but no edges", self.browser.evaluate("document.body.textContent"))
        self.assertEqual(self.browser.evaluate("document.querySelectorAll('.graph-view').length"), 0)

    def test_the_tab_key_reaches_a_mark_from_the_last_cause(self):
        self.browser.open(write_report(["examples/models/mobilenetv2-b4096.xmodel"], self.folder))
        self.browser.evaluate("[...document.querySelectorAll('.causes summary')].pop().focus()")
        for kind in ("keyDown", "keyUp"):
            self.browser.call("Input.dispatchKeyEvent", type=kind, key="Tab", code="Tab", windowsVirtualKeyCode=9)
        self.assertTrue(self.browser.evaluate("document.activeElement.matches('.spots a') && !document.querySelector('.tip').hidden"))
        self.browser.evaluate("scrollBy(0, 40); new Promise(done => setTimeout(done, 100))")
        self.assertFalse(self.browser.evaluate("document.querySelector('.tip').hidden"))

    def test_a_baseline_stands_beside(self):
        measured = "examples/zcu104-resnet50/measured.json"
        old = json.loads((pathlib.Path(ROOT) / measured).read_text())
        layers = next(run for run in old["experiments"][0]["runs"] if run["mode"] == "per_layer")["layers"]
        layers[8]["mean_s"] *= 1.25
        layers[8].pop("max_s")
        before = pathlib.Path(self.folder).parent / "old.json"
        before.write_text(json.dumps(old))
        model = str(next((pathlib.Path(ROOT) / measured).resolve().parent.glob("*.xmodel")))
        page = write_report([measured, f"--baseline={before}", f"--model={model}"], self.folder)
        result = check_page(self.browser, page)
        self.assertFalse(result.problems, "\n".join(result.problems))
        self.browser.open(page)
        changes = self.browser.evaluate("[...document.querySelectorAll('#changes-1-2 tbody tr')].map(r => r.cells[4].textContent)"
                                        ".filter(t => t !== '1.000')")
        self.assertEqual(changes, ["0.800"])
        self.assertIn("square: baseline; an arrow leads from it", self.browser.evaluate(f"{ROOFLINE}.textContent"))

    def test_a_baseline_marks_boxes_that_changed(self):
        model, old = "examples/models/mobilenetv2-b4096.xmodel", pathlib.Path(self.folder).parent / "old.json"
        subprocess.run([PROGRAM, "predict", model, "-o", str(old)], cwd=ROOT, check=True, stderr=subprocess.DEVNULL)
        document = json.loads(old.read_text())
        for key in ("ideal_s", "predicted_s"):
            document["layers"][6][key] *= 1.5
        document["layers"][9]["name"] = "gone"
        old.write_text(json.dumps(document))
        page = write_report([model, f"--baseline={old}"], self.folder)
        result = check_page(self.browser, page)
        self.assertFalse(result.problems, "\n".join(result.problems))
        self.browser.open(page)
        self.assertEqual(self.browser.evaluate(f"{GRAPH}.rows.map((r, i) => r.change > 1 ? i + ':' + r.change : '').filter(Boolean).join()"), "6:2,9:3")
        self.browser.evaluate(f"openAll({GRAPH}, true); {GRAPH}.view.querySelector('input[value=change]').click()")
        self.assertEqual(self.browser.evaluate(f"[...{GRAPH}.svg.querySelectorAll('.row > .changed')].map(e => e.parentNode.dataset.key).join()"), "r6,r9")
        self.assertIn(", was ", self.browser.evaluate(f"{GRAPH}.items.get('r6').textContent"))
        self.assertIn("Only in the baseline: gone.", self.browser.evaluate("document.body.textContent"))

    def test_the_first_screen_has_verdict_key_figures_and_roofline(self):
        for name, arguments, _ in sample_of(REPORTS[1:4], 3):
            with self.subTest(name):
                self.browser.open(write_report(arguments, f"{self.folder}-{name}"))
                for what in ("h1", ".keys dl", "figure[id^=figure-roofline] .wide"):
                    self.assertLessEqual(self.browser.evaluate(
                        f"document.querySelector('{what}').getBoundingClientRect().bottom"), 800, what)

    def test_causes_are_on_the_first_screen_with_links_to_rows(self):
        for name, arguments, _ in sample_of(REPORTS[1:4], 3):
            for script in (True, False):
                with self.subTest(name, script=script):
                    self.browser.open(write_report(arguments, f"{self.folder}-{name}"), script=script)
                    self.assertLess(self.browser.evaluate(
                        "document.querySelector('.causes li').getBoundingClientRect().bottom"), 500)
                    links = self.browser.evaluate(
                        "[...document.querySelectorAll('.causes a:not(.to-node)')].map(a => [a.textContent, document.querySelector("
                        "a.getAttribute('href') + ' td.name code').textContent])")
                    self.assertGreater(len(links), 1)
                    for layer, row in links:
                        self.assertTrue(row.endswith(layer), (layer, row))
                    self.assertEqual(self.browser.evaluate("[...document.querySelectorAll('.causes [open]')].length"), 1)
                    # a bar is as long as its part of the time: "1.111 ms, 9.1 % of 12.19 ms"
                    self.assertTrue(self.browser.evaluate(
                        "[...document.querySelectorAll('.causes li > details > summary')].every(s => Math.abs(s.querySelector('.part')"
                        ".getAttribute('width') - s.textContent.match(/, ([\\d.]+) %/)[1]) < 0.06)"))

    def test_without_script_marks_are_links_to_their_rows(self):
        for name, arguments, _ in sample_of(REPORTS[:4], 2):
            with self.subTest(name):
                self.browser.open(write_report(arguments, f"{self.folder}-{name}"), script=False)
                self.assertGreater(self.browser.evaluate(f"{LINKS}.length"), 3)
                self.assertEqual(self.browser.evaluate(
                    f"{LINKS}.filter(a => !document.querySelector(a.getAttribute('href'))).length"), 0)
                self.assertEqual(self.browser.evaluate(f"{LINKS}.filter(a => !a.querySelector('title').textContent).length"), 0)

    def test_memory_leads_to_layers_and_back(self):
        page = write_report(["examples/stm32n6/network_c_info.json", "--hw=stm32n6"], self.folder)
        for options in VIEWS.values():
            self.browser.open(page, **options)
            links = self.browser.evaluate(
                "[...document.querySelectorAll('[id^=memory-] td a')].map(a => [a.textContent, document.querySelector("
                "a.getAttribute('href') + ' td.name code').textContent])")
            self.assertGreater(len(links), 5)
            for row, layer in links:
                self.assertEqual(row, layer)
            self.assertEqual(self.browser.evaluate(
                "[...document.querySelectorAll('a.mark')].map(a => [a.closest('tr').id, a.textContent, "
                "document.querySelector(a.getAttribute('href')).textContent])"), [["layers-1-1", "peak of npuRAM5", "Memory"]])
            self.assertTrue(self.browser.evaluate("[...document.querySelectorAll('figure[id^=figure-memory_rows] .wide, "
                                                  "figure[id^=figure-memory_rows] .narrow')].some(e => e.checkVisibility())"))

    def test_rows_of_a_long_table_are_read_when_they_are_needed(self):
        long = pathlib.Path(self.folder).parent / "long.json"
        subprocess.run([PROGRAM, "predict", "examples/models/mobilenetv2-b4096.xmodel", "-o", str(long)], cwd=ROOT, check=True,
                       stderr=subprocess.DEVNULL)
        document, rows = json.loads(long.read_text()), 1500
        document["layers"] = [{**document["layers"][i % 30], "name": f"layer_{i}", "index": i} for i in range(rows)]
        long.write_text(json.dumps(document))
        page, there = write_report([str(long)], self.folder), "document.querySelectorAll('#layers-1 tbody tr').length"
        self.browser.open(page, script=False)
        self.assertEqual(self.browser.evaluate("[...document.querySelectorAll('tr[id^=layers-1-]')].filter(e => e.checkVisibility()).length"), rows)
        for need, shown in (
                ("location.hash = 'layers-1-1400'; followHash()", "document.activeElement.id === 'layers-1-1400'"),
                ("document.querySelector('#layers-1 thead button').click()", "true"),
                ("const box = document.querySelector('input.filter'); box.value = 'layer_1399'; box.dispatchEvent(new Event('input')); "
                 "new Promise(done => setTimeout(done, 100))", "document.querySelector('.filter-count').textContent === '1 of 1500 rows'"),
                ("window.dispatchEvent(new Event('beforeprint'))", "true")):
            with self.subTest(need):
                self.browser.open(page)
                self.assertEqual(self.browser.evaluate(there), 200)
                self.browser.evaluate(f"(() => {{ {need} }})()")
                self.browser.evaluate("new Promise(done => setTimeout(done, 200))")
                self.assertEqual(self.browser.evaluate(there), rows)
                self.assertTrue(self.browser.evaluate(shown))
        self.assertEqual(self.browser.console(), [])

    def test_contents_are_folded_on_a_small_screen_alone(self):
        page = write_report(["examples/models/mobilenetv2-b4096.xmodel"], self.folder)
        for width, shown in ((1280, True), (400, False)):
            self.browser.open(page, width)
            self.assertIs(self.browser.evaluate("document.querySelector('nav li').checkVisibility()"), shown)
            self.assertLess(self.browser.evaluate("document.querySelector('nav').offsetHeight"), 60)
            self.browser.evaluate("scrollTo(0, 1500)")
            self.assertEqual(self.browser.evaluate("document.querySelector('nav').getBoundingClientRect().top"), 0)

    def test_names_of_layers_run_nothing(self):
        self.browser.open(write_report(HOSTILE, self.folder))
        self.assertTrue(self.browser.evaluate(
            "window.attacked === undefined && document.scripts.length === 1 && document.images.length === 0"))
        self.assertEqual(self.browser.evaluate("document.querySelector('tbody td.name').textContent"),
                         "<script>window.attacked=1</script>")


if __name__ == "__main__":
    main()
