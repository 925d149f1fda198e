"""The checks of pages: a good page passes all, and each check was seen to find what it looks for."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from browser import SKIPPED, Browser, main, sample_of
from checks import CHECKS, WITHOUT_SCRIPT, Result, check_page

DOT = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=="

# ---- a good page ----

GOOD_HEAD = """
<meta name=viewport content='width=device-width'>
<style>
:root { color-scheme: light dark; --bar: #1f5fa8; --on-bar: #fff }
@media (prefers-color-scheme: dark) { :root { --bar: #8ab8e8; --on-bar: #101010 } }
svg { max-width: 100%; height: auto }
svg text { fill: CanvasText; font: 12px sans-serif }
.scroll { overflow-x: auto }
.on { fill: var(--on-bar) }
.bar { fill: var(--bar) }
td { white-space: nowrap }
</style>
<link rel=icon href='DOT'>""".replace("DOT", DOT)

# The upright boxes of the turned texts overlap, the texts do not.
GOOD_CHART = """
<figure><svg viewBox='0 0 600 200' width=600 height=200><rect class=bar x=10 y=10 width=300 height=30 />
<text class=on x=20 y=30>in the bar</text><text x=320 y=30>beside it</text>
<text><tspan x=20 y=80>two lines,</tspan><tspan x=20 y=100>one text</tspan></text>
<text transform='translate(200 180) rotate(-45)'>a turned label</text>
<text transform='translate(222 180) rotate(-45)'>another of them</text>
<defs><text x=20 y=30>in the bar</text></defs></svg><figcaption>A chart</figcaption></figure>"""

GOOD_TABLE = """
<section><input class=filter data-table=t hidden><span class=filter-count></span>
<div class=scroll><table class=sortable id=t>
<thead><tr><th><button disabled>layer</button><th><button disabled>time</button><th><button disabled>share</button></thead>
<tbody><tr><td>conv1<td data-value=900>0.9 us<td>12.5<tr><td>conv10<td data-value=''>never<td>?
<tr><td>conv2<td data-value=1e3>1 us<td>3<tr><td>pool<td data-value=-5>less<td></tbody></table></div>
<div class=scroll><table><tr><td><div style='width:2000px'>wide</div></table></div></section>"""

GOOD_SCRIPT = """
<script>
const isUnknown = text => text === '' || text === '?';
for (const table of document.querySelectorAll('table.sortable'))
  table.querySelectorAll('th button').forEach((button, column) => {
    button.disabled = false;
    button.onclick = () => {
      const th = button.parentElement, up = th.ariaSort !== 'ascending', body = table.tBodies[0];
      const value = row => (row.cells[column].dataset.value ?? row.cells[column].textContent).trim();
      const order = (x, y) => {
        const a = value(x), b = value(y);
        if (isUnknown(a) || isUnknown(b))
          return isUnknown(a) - isUnknown(b);
        return (up ? 1 : -1) * (isNaN(a) || isNaN(b) ? a.localeCompare(b) : a - b);
      };
      body.append(...[...body.rows].sort(order));
      for (const other of table.querySelectorAll('th'))
        other.ariaSort = null;
      th.ariaSort = up ? 'ascending' : 'descending';
    };
  });
for (const input of document.querySelectorAll('input.filter')) {
  input.hidden = false;
  input.addEventListener('input', () => {
    const rows = [...document.getElementById(input.dataset.table).tBodies[0].rows];
    for (const row of rows)
      row.hidden = !row.textContent.toLowerCase().includes(input.value.toLowerCase());
    const count = rows.filter(row => !row.hidden).length;
    input.parentElement.querySelector('.filter-count').textContent = `${count} of ${rows.length}`;
  });
}
</script>"""

GOOD_BODY = (f"<h1>Good</h1><p>Text</p>{GOOD_CHART}{GOOD_TABLE}{GOOD_SCRIPT}"
             f"<details><summary>more</summary>{GOOD_CHART}</details>")
GOOD_LOOKED = {"charts": 4, "overflow": 14, "overlaps": 24, "leaving": 24, "sorting": 3, "filtering": 1, "contrast": 2 * 32,
               "scriptless": 9, "console": 1, "fetching": 1}

# ---- pages with a fault each, and pages that only look as if they had one ----


def svg(*shapes):
    return f"<figure><svg width=300 height=100>{''.join(shapes)}</svg></figure>"


def chart(size="width=300 height=100", style=""):
    return f"<svg {size} style='{style}'><rect width=9 height=9 /></svg>"


def text(x, y, words, more=""):
    return f"<text x={x} y={y} {more}>{words}</text>"


def turned(x, y, degrees, words):
    return f"<text transform='translate({x} {y})rotate({degrees})'>{words}</text>"


def table(*rows):
    return f"<table class=sortable id=t><thead><tr><th>n</thead><tbody><tr><td>{'<tr><td>'.join(rows)}</tbody></table>"


def sorting(*rows, code="", append="n % 2 ? rows : rows.reverse()"):
    """A table whose header sorts by number, then does what a row wants; n counts the clicks."""
    return table(*rows) + f"""<script>
let n = 0;
const body = document.querySelector('tbody');
document.querySelector('th').onclick = () => {{
  const rows = [...body.rows].sort((a, b) => a.textContent - b.textContent);
  n++;
  {code};
  body.append(...({append}));
}};
</script>"""


def filtering(hidden):
    """A filter that hides rows as this expression of a row and the text that was typed says."""
    return FILTER + table("conv", "pool") + f"""<script>
document.querySelector('input').oninput = event => {{
  const typed = event.target.value;
  for (const row of document.querySelectorAll('tbody tr'))
    row.hidden = {hidden};
}};
</script>"""


FILTER = "<input class=filter data-table=t><b class=filter-count></b>"
BY_TEXT = "rows.sort((a, b) => a.textContent < b.textContent ? -1 : 1)"
SCHEMES = "<style>:root { color-scheme: light dark }</style>"
WIDE_TABLE = "<table><td><div style=width:900px>x</div></table>"
SHADE = "<rect width=200 height=90 fill=#223 />"
LONG_WORD = "Loremipsumdolorsitametconsecteturadipiscingelitseddoeiusmodtemporincididunt"

# A check, a page, and what the check says of it; None: nothing.
ROWS = [
    ("console", "<script>console.error('bad', {a: 1}, 2)</script>", '"bad" Object 2'),
    ("console", "<script>console.assert(false, 'odd'); console.log('fine')</script>", '"odd"'),
    ("console", "<script>console.log('fine')</script>", None),
    ("console", "<script>throw Error('thrown')</script>", "Uncaught Error: thrown"),
    ("console", "<script>Promise.reject(Error('late'))</script>", "Uncaught Error: late"),
    ("console", "<img src=http://example.invalid/x.png>", "ERR_NAME_NOT_RESOLVED"),
    ("console", "<script>console.warn('only a warning')</script>", None),

    ("fetching", "<img src=http://example.invalid/x.png>", "fetching: http://example.invalid/x.png"),
    ("fetching", "<link rel=stylesheet href=style.css>", "/style.css"),
    ("fetching", "<script>fetch('https://example.invalid/a').catch(() => 0)</script>", "https://example.invalid/a"),
    ("fetching", "<script>new WebSocket('ws://example.invalid/')</script>", "ws://example.invalid/"),
    ("fetching", "<style>@font-face { font-family: f; src: url(http://example.invalid/f) } p { font-family: f }</style><p>x",
     "http://example.invalid/f"),
    ("fetching", f"<img src='{DOT}'>", None),

    ("charts", "<figure style=display:none><svg width=99 height=99><path d='M0 0h9' stroke=red /></svg></figure>",
     "svg is not visible"),
    ("charts", "<div style=opacity:0><div class=chart style='height:99px;background:red'>x</div></div>",
     'div.chart "x" is not visible'),
    ("charts", f"<figure>{chart()}{chart(style='display:none')}</figure>", None),
    ("charts", f"<figure>{chart(style='display:none') * 2}</figure>", "is not visible"),
    ("charts", f"<figure>{chart('width=300 height=40')}</figure>", "is only 300 x 40 px"),
    ("charts", svg("<g></g><defs><rect width=9 height=9 /></defs>"), "svg has nothing drawn in it"),
    ("charts", svg("<rect width=9 height=9 fill=none />"), "svg has nothing drawn in it"),
    ("charts", svg("<rect width=0 height=0 />"), "svg has nothing drawn in it"),
    ("charts", svg("<line x2=9 y2=9 stroke=red />"), None),
    ("charts", "<div class=chart style=height:99px><div style='height:9px;background:red'></div></div>", None),

    ("overflow", f"<figure>{chart()}</figure>", None),
    ("overflow", "<figure id=f><svg width=600 height=99><text y=20>x</text></svg></figure>",
     'svg "x" in #f goes from 48 to 648 px in a viewport of 400'),
    ("overflow", "<figure id=f><svg width=600 height=99></svg></figure>", "svg in #f makes it so"),
    ("overflow", f"<p id=p>{LONG_WORD}</p>", f'p#p "{LONG_WORD[:39]}…" makes it so'),
    ("overflow", "<style>body { overflow-x: hidden }</style>" + WIDE_TABLE, 'table "x" goes from 8 to'),
    ("overflow", f"<div style='overflow-x:auto'>{WIDE_TABLE}</div>", None),
    ("overflow", f"<div style='overflow:hidden'>{WIDE_TABLE}</div>", 'table "x" goes from 8 to'),

    ("overlaps", svg(text(20, 50, "first"), text(30, 55, "second")), 'text "first" and text "second" overlap by'),
    ("overlaps", svg(text(20, 50, "first"), turned(60, 80, -60, "second")), None),
    ("overlaps", svg(text(20, 50, "first and long"), "<g transform='translate(50 80)'>", turned(0, 0, -60, "second"), "</g>"),
     'text "first and long" and text "second" overlap by'),
    # Turned alike and side by side: only turned boxes are apart; a little closer they are not.
    ("overlaps", svg(turned(50, 90, -45, "one label"), turned(80, 90, -45, "one label")), None),
    ("overlaps", svg(turned(50, 90, -45, "one label"), turned(60, 90, -45, "one label")), "overlap by"),
    ("overlaps", svg(text(20, 50, "first"), text(20, 50, " "), text(20, 50, "x", "opacity=0")), None),
    ("overlaps", svg(text(20, 50, "first")) + svg(text(20, 50, "second")), None),
    ("overlaps", svg("<text><tspan x=20 y=20>upper</tspan><tspan x=200 y=80>lower</tspan></text>", text(100, 50, "between")),
     None),

    ("leaving", svg(text(280, 50, "too long")), 'text "too long" leaves the svg by'),
    ("leaving", svg(text(20, 5, "too high")), 'text "too high" leaves the svg by'),
    ("leaving", svg(turned(20, 20, -90, "too high")), "leaves the svg by"),
    ("leaving", svg(text(20, 20, "inside", "transform='translate(0 9)'")), None),

    ("sorting", table("2", "10", "1"), 'column "n" of table#t is not ascending after a click: 2, 10, 1'),
    ("sorting", sorting("2", "10", "1", append="rows"), "is not descending after a click: 1, 2, 10"),
    ("sorting", sorting("2", "10", "1"), None),
    ("sorting", sorting("b2", "b10", "a", code=BY_TEXT), None),
    ("sorting", sorting("2", "10", "1", code=BY_TEXT), "is not ascending after a click: 1, 10, 2"),
    ("sorting", sorting("2", "0", "1").replace("<td>0", "<td data-value=''>0"),
     "is not ascending after a click: ?, 1, 2"),
    ("sorting", sorting("2", "3", "1", code="rows.shift().remove()"), "sorting changed the rows themselves"),
    ("sorting", "<div style='position:fixed;inset:0'></div>" + table("2"), 'column "n" of table#t cannot be clicked'),

    ("filtering", f"<section>{FILTER}{table('conv', 'pool')}</section>", '"conv" leaves 1 rows that do not contain it'),
    ("filtering", filtering("true"), '"conv" hides 1 rows that contain it'),
    ("filtering", filtering("!row.textContent.includes(typed)"), '"conv" leaves 1 rows, b.filter-count says otherwise'),
    ("filtering", filtering("row.hidden || !row.textContent.includes(typed)"), "cleared, it still hides 2 rows"),
    ("filtering", FILTER.replace("=t>", "=u>"), 'names no table: data-table="u"'),
    ("filtering", f"<section>{FILTER}</section>{table('1')}", "is not in the section of its table"),
    ("filtering", "<input class=filter data-table=t>" + table("1"), "has no .filter-count beside it"),

    ("scriptless", "<table><tr hidden><td>conv1</table><script>document.querySelector('tr').hidden = false</script>",
     'tr "conv1" is not visible'),
    ("scriptless", f"<section>{FILTER}</section>", "input.filter looks as if it worked"),
    ("scriptless", "<table class=sortable><th><button>n</button></table>", 'button "n" looks as if it worked'),
    ("scriptless", "<div inert><input class=filter></div><input class=filter disabled>", None),

    ("contrast", SCHEMES + "<p>fine</p><p>", None),
    ("contrast", SCHEMES + "<p style=color:#888>grey</p>", 'p "grey" has a contrast of 3.54: #888888 on #ffffff (light)'),
    ("contrast", SCHEMES + "<p style=color:#555>grey</p>", " on #121212 (dark)"),
    ("contrast", "<p style=color:#555>not dark at all</p>", None),
    ("contrast", SCHEMES + "<style>p { color: #111; transition: color 60s }"
     "@media (prefers-color-scheme: dark) { p { color: #eee } }</style><p>on its way</p>", None),
    ("contrast", "<p style=opacity:.5>faded</p>", 'p "faded" has a contrast of'),
    ("contrast", "<table style=background:#ccc><tr style='background:#0008'><th>n<td style=background:#fff>n</table>",
     'th "n" has a contrast of'),
    ("contrast", "<h1 style='background:linear-gradient(#fff,#222)'>x</h1>", 'h1 "x" has a contrast of'),
    ("contrast", svg(SHADE, text(20, 50, "on a bar")), 'text "on a bar" has a contrast of'),
    ("contrast", svg(text(20, 50, "before a bar"), "<rect x=250 width=50 height=90 fill=#223 />"), None),
    ("contrast", svg(SHADE, text(20, 50, "on a bar", "fill=#fff")), None),
    ("contrast", svg(text(20, 50, "lost", "fill=#fff")), 'text "lost" has a contrast of 1.00'),
    ("contrast", svg(SHADE, text(20, 50, "with a rim", "stroke=#fff stroke-width=3 paint-order=stroke")), None),
]


class Checks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.page = pathlib.Path(folder.name) / "a page.html"
        cls.browser = Browser()
        cls.addClassCleanup(cls.browser.close)

    def write(self, head, body):
        self.page.write_text(f"<!doctype html><html lang=en><meta charset=utf-8><title>x</title>{head}<body>{body}</body>"
                             "</html>\n", encoding="utf-8")

    def test_a_good_page_passes_all(self):
        self.write(GOOD_HEAD, GOOD_BODY)
        result = check_page(self.browser, self.page)
        self.assertEqual(result.problems, [])
        self.assertEqual(result.looked, GOOD_LOOKED)

    def test_each_check_finds_its_fault(self):
        for check, body, want in sample_of(ROWS, 4):
            with self.subTest(check, page=body):
                self.write("", body)
                result = Result()
                self.browser.forget()
                self.browser.open(self.page, width=400 if check == "overflow" else 1280, script=check not in WITHOUT_SCRIPT)
                result.run(self.browser, check)
                said = "\n".join(result.problems)
                self.assertIn(want, said) if want else self.assertEqual("", said)

    def test_each_check_has_a_row_that_fails(self):
        self.assertEqual(set(CHECKS), {check for check, _, want in ROWS if want})


class Ends(unittest.TestCase):
    def test_without_a_browser_it_is_skipped(self):
        for python, settings, want in (([], {"ROOFLINE_BROWSER": "/nonexistent/x"}, "ROOFLINE_BROWSER is no program: /nonexistent/x"),
                                       ([], {"ROOFLINE_BROWSER": "", "PATH": "/nonexistent"}, "no browser: none of chromium, "),
                                       (["-S"], {}, "no library: this python3 has no selenium")):
            with self.subTest(want):
                run = subprocess.run([sys.executable, *python, __file__], env={**os.environ, **settings}, capture_output=True,
                                     text=True, check=False)
                self.assertEqual(run.returncode, SKIPPED, run.stderr)
                self.assertTrue(run.stdout.startswith("SKIPPED: " + want), run.stdout)

    def test_what_blocks_a_page_ends_in_an_error(self):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "page.html"
            for script, want in (("alert('hello')", "hello"), ("for (;;);", "timeout")):
                page.write_text(f"<!doctype html><script>{script}</script>", encoding="utf-8")
                browser = Browser(load_s=1)
                self.addCleanup(browser.close)
                with self.subTest(script), self.assertRaisesRegex(Exception, want):
                    browser.open(page)


if __name__ == "__main__":
    main()
