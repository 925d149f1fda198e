"""What every page that roofline writes has to be like, whatever is on it: CHECKS, of which checks.js has the most.

A check that finds nothing to look at finds no fault either: callers who know better compare how much it looked at.
"""
import pathlib

WIDE_PX, NARROW_PX = 1280, 400
SCRIPT = (pathlib.Path(__file__).parent / "checks.js").read_text(encoding="utf-8")


def run_function(browser, name):
    verdict = browser.evaluate(f"(() => {{ {SCRIPT}\nreturn {name}(); }})()")
    return verdict["looked"], verdict["problems"]


def run_in_both_schemes(browser, name):
    looked, problems = 0, []
    for scheme in ("light", "dark"):
        browser.set_dark(scheme == "dark")
        n, found = run_function(browser, name)
        looked += n
        problems += [f"{problem} ({scheme})" for problem in found]
    browser.set_dark(False)
    return looked, problems


# A check's name, which is that of its function in checks.js, and how it is run.
AT_EACH_WIDTH = {
    # Every `figure svg` (but for links laid over it, .spots) and `.chart` is visible, more than 50 px wide and high, and has something drawn in it. Of several
    # svg in one figure, which are the same chart for other widths, some may be hidden.
    "charts": run_function,
    # The page is no wider than the viewport; every figure, svg and table is inside it, or in a box with overflow-x auto
    # or scroll that is.
    "overflow": run_function,
    # No two texts of an svg overlap by more than 1 px; turned texts are compared as turned boxes.
    "overlaps": run_function,
    # No text leaves its svg by more than 1 px.
    "leaving": run_function,
}
ONCE = {
    # `table.sortable`: a first click on the header of a column (its button, if it has one) sorts the rows ascending, a
    # second one descending: by number where all cells are numbers, else in some alphabetical order. What counts of a cell
    # is its data-value, else its text. Cells that are not known ("", "?", or a dash) come last in both directions. A
    # header with aria-sort="ascending" may sort descending first. The rows stay the same. What belongs below the rows,
    # such as a sum, is in tfoot.
    "sorting": run_function,
    # `input.filter` with data-table="ID", in the section of that table: an input event hides the rows that do not contain
    # the text; the nearest .filter-count has the number of rows that are shown; without a text all are shown.
    "filtering": run_function,
    # Headings, paragraphs, list items, cells, captions and texts of an svg have a contrast of at least 4.5 to what is
    # behind them, shapes of the svg included, in the light and in the dark scheme.
    "contrast": run_in_both_schemes,
}
WITHOUT_SCRIPT = {
    # All rows of tables are visible; filter inputs, and buttons in headers of sortable tables, are hidden, disabled or
    # inert.
    "scriptless": run_function,
}
COLLECTED = {
    # No error on the console and no exception since the page was opened.
    "console": lambda browser, _: (1, browser.console()),
    # Nothing was fetched but the file itself and data: URLs.
    "fetching": lambda browser, _: (1, browser.fetched()),
}
CHECKS = {**AT_EACH_WIDTH, **ONCE, **WITHOUT_SCRIPT, **COLLECTED}


class Result:
    """Lines "NAME: what is wrong", and how many charts, texts, columns, inputs, ... each check looked at."""

    def __init__(self):
        self.problems = []
        self.looked = dict.fromkeys(CHECKS, 0)

    def run(self, browser, name, note=""):
        looked, problems = CHECKS[name](browser, name)
        self.looked[name] += looked
        self.problems += [f"{name}: {problem}{note}" for problem in problems]


def check_page(browser, path):
    """Opens a file and asks everything. What is collected comes last, and so hears of what the others provoked."""
    result = Result()
    browser.forget()
    for width, script, names in ((NARROW_PX, True, AT_EACH_WIDTH), (WIDE_PX, True, {**AT_EACH_WIDTH, **ONCE}),
                                 (WIDE_PX, False, {**WITHOUT_SCRIPT, **COLLECTED})):
        browser.open(path, width, script=script)
        for name in names:
            result.run(browser, name, f" (at {width} px)" if name in AT_EACH_WIDTH else "")
    return result
