#!/usr/bin/env python3
"""Fits the constants of boards.def to the times of published.def, and writes docs/accuracy.md.

fit_boards.py            fits, and says which constants of boards.def are others (exit code 1)
fit_boards.py --write    leaves out each family in turn (minutes), then writes boards.def and docs/accuracy.md
fit_boards.py --check    holds docs/accuracy.md to it: two families, or all with ROOFLINE_THOROUGH=1

Needs numpy and scipy (Debian: python3-scipy). Partial pooling in logarithms: weak priors, groups of devices of a
maker, devices; what is said of it: docs/hardware/boards.md."""
import collections
import os
import re
import sys

try:
    import numpy as np
    from scipy.optimize import least_squares
except ImportError:
    print("SKIPPED: needs python3-scipy")
    sys.exit(0)

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BOARDS = os.path.join(ROOT, "model/predict/boards.def")
PUBLISHED = os.path.join(ROOT, "model/predict/published.def")
PAGE = os.path.join(ROOT, "docs/accuracy.md")
README = os.path.join(ROOT, "README.md")
README_LINE = re.compile(r"(?<=\[accuracy\]\(docs/accuracy\.md\): )[^\n]*")

# Constants but E, as boards.def orders them: means and deviations of the weak prior, deviations of a device from its group.
NAMES = ["dw", "k0", "n0", "k1", "mm", "f", "w", "oth", "silu", "o", "c"]
MEAN = np.log([2, 6, 6, 1, 1.5, 60, 40, 1, 1, 2, 80])
WEAK = np.array([1.3, 0.8, 0.8, 0.4, 0.7, 1, 1.2, 0.7, 1, 1.5, 1.5])
DEVICE = np.array([0.3, 0.3, 0.3, 0.2, 0.3, 0.35, 0.4, 0.3, 0.4, 0.5, 0.6])
SIGMA = 0.2  # of a time, in its logarithm
ONE_CONTEXT = 1.08  # a Hailo whose batch of 8 is no faster an image runs the network in one context
CACHED = 8388608  # weights that an Edge TPU keeps
LEAST_POINTS, LEAST_LEFT = 4, 3
STEPS = dict(max_nfev=30, loss="soft_l1", f_scale=1.5, diff_step=1e-3)

Graph = collections.namedtuple("Graph", "name family sums")


# --- the tables --------------------------------------------------------------------------------------------------------


def arguments(text):
    """Those of a macro's call, texts without their quotes."""
    return [a.strip('"') for a in re.findall(r'\s*("[^"]*"|[^\s,][^,]*)', text)]


def read_published():
    """(hw, stack, software, type, batch, threads) -> graph -> its times in ms; graphs by id."""
    with open(PUBLISHED, encoding="utf-8") as f:
        text = f.read()
    graphs, networks, times = {}, {}, collections.defaultdict(lambda: collections.defaultdict(list))
    for inside, sums in re.findall(r"^PUBLISHED_GRAPH\(([^()]*), SUMS\(([^()]*)\)\)", text, re.M):
        name, shown, family = arguments(inside)[:3]
        graphs[name] = Graph(shown, family, np.array([float(x) for x in sums.split(",")]))
    for inside in re.findall(r"^PUBLISHED_NETWORK\((.*)\)", text, re.M):
        a = arguments(inside)
        networks[a[0]] = a[4]
    columns = {name: [(graph or networks[network], [float(x) for x in ms.split(",")])
                      for network, graph, ms in re.findall(r"[TN]\((?:([A-Z]\w*)|\"[^\"]*\", \d+, \d+,\s+(\w+)),\s+([^()]*)\)", rows)]
               for name, rows in re.findall(r"^PUBLISHED_TIMES\((\w+), .*\n((?:  .*\n)+)", text, re.M)}
    for name, rows in columns.items():
        if len({len(ms) for _, ms in rows}) != 1:
            raise SystemExit(f"{PUBLISHED}: rows of {name} have different numbers of columns; 0 is for no time")
    for inside in re.findall(r"^PUBLISHED_SET\((.*)\)", text, re.M):
        hw, _, stack, software, kind, batch, threads, name, column = arguments(inside)
        for graph, ms in columns[name]:
            if graph != "NO_GRAPH" and ms[int(column)]:
                times[hw, stack, software, kind, int(batch), int(threads)][graph].append(ms[int(column)])
    return graphs, {key: {g: float(np.mean(v)) for g, v in of.items()} for key, of in times.items()}


def group_of(hw, stack, kind, dtype, batch, threads):
    int8 = " int8" if dtype == "int8" else ""
    if stack == "qnn":
        return stack + " " + dtype
    if stack == "hailort":
        return stack + (" one" if kind == "ONE_CONTEXT" else " b%d" % batch)
    if stack == "pulsar2":
        return stack + " b%d" % batch
    if stack == "ncnn":
        return ("cpu" if threads else "gpu") + int8
    if stack == "tflite" and hw != "imx93-npu":
        return stack + int8
    if stack == "tflite":
        return "ethos-u"
    return "nvidia" if stack in ("tensorrt", "torch2trt") else stack


class Set:
    """A line of boards.def with its times."""

    def __init__(self, fields, graphs, times):
        self.fields = fields
        self.hw, self.stack, self.software, self.dtype = fields[:4]
        self.batch, self.threads, self.kind, self.verdict = int(fields[4]), int(fields[5]), fields[6], fields[9]
        self.group = group_of(self.hw, self.stack, self.kind, self.dtype, self.batch, self.threads)
        software = "Dataflow Compiler 3.33" if self.stack == "hailort" else self.software
        own = times[self.hw, self.stack, software, self.dtype, self.batch, self.threads]
        if self.stack == "hailort":
            one, eight = (times[self.hw, self.stack, software, self.dtype, b, self.threads] for b in (1, 8))
            own = {g: t for g, t in own.items()
                   if g in one and (one[g] / eight.get(g, np.nan) < ONE_CONTEXT) == (self.kind == "ONE_CONTEXT")}
        self.of([(graphs[g], 1e3 * ms) for g, ms in own.items()])

    def of(self, rows):
        self.rows = rows
        self.y = np.array([us for _, us in rows])
        s = np.array([g.sums for g, _ in rows]).reshape(len(rows), 15).T
        self.k, self.one, self.dw, self.mm, self.a, self.ao, self.s, weights, self.r = s[0:4], s[4:8], *s[8:15]
        share = {"CACHED": np.maximum(0, weights - CACHED) / np.maximum(1, weights), "ONE_CONTEXT": 0 * weights,
                 "CONTEXTS": 1 / self.batch}.get(self.kind, 1)
        self.w = weights * share
        return self

    def without(self, family):
        other = object.__new__(Set)
        other.__dict__.update(self.__dict__)
        return other.of([row for row in self.rows if row[0].family != family])

    def units(self, q):
        dw, k0, n0, k1, mm, f, w, oth, silu, _, _ = np.exp(q)
        dense = lambda m: m[0] + k0 * m[1] + n0 * m[2] + k0 * n0 * m[3]
        return (dense(self.k) + k1 * dense(self.one) + dw * self.dw + mm * self.mm
                + f * (self.a + oth * self.ao + silu * self.s) + w * self.w) / 1e6

    def time(self, p):
        return np.exp(p[0]) * self.units(p[1:]) + np.exp(p[-2]) * self.r + np.exp(p[-1])

    def level(self, q):
        """The best E for a shape."""
        ly, u, base = np.log(self.y), self.units(q), np.exp(q[-2]) * self.r + np.exp(q[-1])
        e = np.median(np.log(np.maximum(self.y - base, 0.2 * self.y) / u))
        for _ in range(4):
            t = u * np.exp(e) + base
            g = u * np.exp(e) / t
            e -= np.clip(np.sum(g * (np.log(t) - ly)) / max(1e-6, np.sum(g * g)), -1, 1)
        return e

    def residuals(self, p):
        return (np.log(self.time(p)) - np.log(self.y)) / SIGMA

    def fit(self, q):
        return least_squares(lambda p: np.concatenate([self.residuals(p), (p[1:] - q) / DEVICE]),
                             np.concatenate([[self.level(q)], q]), **STEPS).x


def read_boards(text):
    graphs, times = read_published()
    pattern = r'^BOARD\((.*),\n      CONSTANTS\(([^()]*)\)\)'
    return [(Set(arguments(head), graphs, times), [float(x) for x in constants.split(",")])
            for head, constants in re.findall(pattern, text, re.M)]


# --- the fit -----------------------------------------------------------------------------------------------------------


def fit(sets):
    groups = collections.defaultdict(list)
    for s in sets:
        groups[s.group].append(s)
    mean, shape = MEAN.copy(), {}
    for turn in range(2):
        for name, of in groups.items():
            weight = min(1, np.sqrt(3 / len(of)))  # devices of a maker repeat the same networks
            at = lambda q, of=of, weight=weight: np.concatenate(
                [weight * s.residuals(np.concatenate([[s.level(q)], q])) for s in of] + [(q - mean) / WEAK])
            shape[name] = least_squares(at, shape.get(name, mean), **STEPS).x
        if turn == 0:  # the means move toward those of the groups, once
            w = len(groups) / WEAK**2
            mean = (MEAN + w * np.mean(list(shape.values()), axis=0)) / (1 + w)
    return [s.fit(shape[s.group]) for s in sets]


def left_out(sets, families):
    """Of each set (graph, measured us, expected us, family) where the graph's family was left out."""
    found = [[] for _ in sets]
    for family in families:
        pairs = [(i, s.without(family)) for i, s in enumerate(sets)]
        pairs = [(i, s) for i, s in pairs if len(s.y) >= LEAST_LEFT]
        for (i, _), p in zip(pairs, fit([s for _, s in pairs])):
            for (g, us), t in zip(sets[i].rows, sets[i].time(p)):
                if g.family == family:
                    found[i].append((g, us, t))
    return found


def factors(sets, found):
    """exp(2.2 s): the mean square of clipped logarithms of a set, drawn to that of its group with the weight of 8."""
    pools = collections.defaultdict(list)
    for i, s in enumerate(sets):
        pools[s.group, s.batch].append(i)
    out = [0] * len(sets)
    for of in pools.values():
        squares = {i: [min(abs(np.log(t / us)), 1.2) ** 2 for _, us, t in found[i]] for i in of}
        mean = np.mean([x for v in squares.values() for x in v] or [1])
        for i in of:
            out[i] = np.exp(2.2 * np.sqrt((sum(squares[i]) + 8 * mean) / (len(squares[i]) + 8)))
    return out


# --- the page ----------------------------------------------------------------------------------------------------------

SAID = {"EXPECTED": "expected", "WIDE": "expected, wide", "FACTOR_2": "within a factor of 2", "NOTHING": "nothing"}
WIDENING = {"CACHED": 1.25}  # as board_factor of boards.c
WORST = 10


def percent(errors):
    """Median, nine of ten and the worst of them."""
    return "%.0f / %.0f / %.0f" % tuple(100 * x for x in (np.median(errors), np.quantile(errors, 0.9), np.max(errors)))


def inside(rows):
    return "%.0f" % (100 * np.mean([abs(np.log(t / us)) <= np.log(factor) for us, t, factor in rows]))


def errors_of(rows):
    return np.abs([t / us - 1 for us, t, *_ in rows])


def family_row(family, rows):
    """One row a family: of everything that is said, without sets of which nothing is."""
    of = [(us, t, factor) for s, factor, g, us, t in rows if g.family == family and s.verdict != "NOTHING"]
    return "| %s | %d | %s | %s |" % (family, len(of), percent(errors_of(of)), inside(of))


def readme_line(page):
    """What README says of it, by the first lines of the page."""
    times, devices = re.search(r"^([\d ]+) published times on (\d+) devices", page, re.M).groups()
    half, nine = re.search(r"half are within (\d+) %, nine of ten within (\d+) %", page).groups()
    return ("half of %s published times on %s devices are within %s %%, nine of ten within %s %%, each without its network's family."
            % (times, devices, half, nine))


def explain(row, rows):
    """Whether other devices of the group err alike on this network: of the network, or of the device."""
    s, _, g, us, t = row
    others = [x / y for o, _, h, y, x in rows if h.name == g.name and o.group == s.group and o is not s]
    if not others:
        return "no other device of the group has it"
    typical = float(np.median(others))
    alike = abs(np.log(typical)) > abs(np.log(t / us)) / 2 and (typical < 1) == (t < us)
    return "%s: %.2f times there (median of %d)" % (
        "others of the group err alike, so the law lacks what this network does" if alike
        else "others of the group do not err so, it is this device", typical, len(others))


def results(boards, found):
    """(set, its interval, graph, measured us, expected us)"""
    return [(s, constants[0] * WIDENING.get(s.kind, 1), g, us, t)
            for (s, constants), of in zip(boards, found) for g, us, t in of]


def make_page(boards, rows):
    said = [row for row in rows if row[0].verdict != "NOTHING"]
    of = [(us, t, factor) for _, factor, _, us, t in said]
    e = errors_of(of)
    families = sorted({g.family for _, _, g, _, _ in rows})
    out = ["# Accuracy on boards",
           "Made by `scripts/fit_boards.py --write` of `model/predict/published.def`; do not edit. The law: [boards](hardware/boards.md).",
           "",
           "%s published times on %d devices, each beside what the law says with constants that were fitted **without the family of its"
           % (format(len(said), ",").replace(",", " "), len({row[0].hw for row in said})),
           "network**: half are within %.0f %%, nine of ten within %.0f %%, and %.1f %% inside the stated interval."
           % (100 * np.median(e), 100 * np.quantile(e, 0.9), 100 * np.mean([abs(np.log(t / us)) <= np.log(f) for us, t, f in of])),
           "",
           "No network was measured here. The program besides keeps a time at its bound, and refuses what its page says; these rows are the",
           "law alone. Families err alike, so that networks of a known family do better than this. How good a set is said to be",
           "was judged with ten more families, whose times are not in this table.",
           "",
           "## By family that was left out",
           "| family | times | median / 9 of 10 / worst % | inside % |",
           "|---|--:|--:|--:|"]
    out += [family_row(family, rows) for family in families]
    out += ["", "## The ten worst", "Rows of which nothing is expected are left out. Times are of an image.", "",
            "| network | device, stack, type, batch | measured | expected | why |", "|---|---|--:|--:|---|"]
    worst = sorted(said, key=lambda row: -abs(np.log(row[4] / row[3])))[:WORST]
    out += ["| %s | `%s`, %s, %s, %d | %.3g ms | %.3g ms | %s |"
            % (row[2].name, row[0].hw, row[0].software, row[0].dtype, row[0].batch, row[3] / 1e3, row[4] / 1e3, explain(row, rows))
            for row in worst]
    out += ["", "## By device", "interval: what is said, times and divided by. Sets of so few networks that none is left to fit have no error.", "",
            "| device | stack | type | batch | networks, families | median / 9 of 10 / worst % | inside % | interval | said |",
            "|---|---|---|--:|--:|--:|--:|--:|---|"]
    for s, constants in boards:
        own = [(us, t, factor) for o, factor, _, us, t in rows if o is s]
        out.append("| `%s` | %s | %s | %d | %d, %s | %s | %s | %.2f | %s |"
                   % (s.hw, s.software, s.dtype, s.batch, len(s.y), s.fields[8], percent(errors_of(own)) if own else "-",
                      inside(own) if own else "-", constants[0] * WIDENING.get(s.kind, 1), SAID[s.verdict]))
    return "\n".join(out) + "\n"


# --- the commands ------------------------------------------------------------------------------------------------------

SAME = 2e-3  # constants of two fits: steps end where little is left to gain, and depend on the version of scipy


def check(boards):
    failed = 0
    for (s, constants), p in zip(boards, fit([s for s, _ in boards])):
        for name, was, now in zip(["E"] + NAMES, constants[3:], np.exp(p)):
            if abs(now / was - 1) > SAME:
                print("%s, %s, %s: %s is %.6g in boards.def, and %.6g by the fit" % (s.hw, s.software, s.dtype, name, was, now))
                failed = 1
    print("%d sets, %d times" % (len(boards), sum(len(s.y) for s, _ in boards)))
    return failed


def write(boards, text):
    found = left_out([s for s, _ in boards], sorted({g.family for s, _ in boards for g, _ in s.rows}))
    fitted = iter(zip(fit([s for s, _ in boards]), found))

    def line(m):
        p, of = next(fitted)
        was = [float(x) for x in m[1].split(",")]
        e = 100 * errors_of([(us, t) for _, us, t in of]) if of else [0]
        now = [w if abs(x / w - 1) <= SAME else x for w, x in zip(was[3:], np.exp(p))]
        return "CONSTANTS(%g, %.1f, %.1f, %s)" % (was[0], np.median(e), np.quantile(e, 0.9), ", ".join("%.6g" % x for x in now))

    with open(BOARDS, "w", encoding="utf-8") as f:
        f.write(re.sub(r"CONSTANTS\((\d[^()]*)\)", line, text))
    page = make_page(boards, results(boards, found))
    with open(PAGE, "w", encoding="utf-8") as f:
        f.write(page)
    with open(README, encoding="utf-8") as f:
        readme = f.read()
    with open(README, "w", encoding="utf-8") as f:
        f.write(README_LINE.sub(lambda _: readme_line(page), readme))
    for (s, constants), factor in zip(boards, factors([s for s, _ in boards], found)):
        if abs(factor / constants[0] - 1) > 0.1:
            print("%s, %s, %s: interval %.3f in boards.def, %.3f by these families" % (s.hw, s.software, s.dtype, constants[0], factor))
    return 0


def check_page(boards):
    families = sorted({g.family for s, _ in boards for g, _ in s.rows})
    thorough = os.environ.get("ROOFLINE_THOROUGH") == "1"
    chosen = families if thorough else ["alexnet", "yolov5"]
    rows = results(boards, left_out([s for s, _ in boards], chosen))
    with open(PAGE, encoding="utf-8") as f:
        page = f.read()
    missing = [row for row in (family_row(family, rows) for family in chosen) if row not in page]
    with open(README, encoding="utf-8") as f:
        if README_LINE.search(f.read())[0] != readme_line(page):
            missing.append("what README says: " + readme_line(page))
    if thorough and not missing and make_page(boards, rows) != page:
        missing = ["its tables are others"]
    for row in missing:
        print("docs/accuracy.md lacks: %s" % row)
    print("%d of %d families held" % (len(chosen) - len(missing), len(families)))
    return 1 if missing else 0


def main(arguments_of_program):
    if arguments_of_program not in ([], ["--write"], ["--check"]):
        sys.exit(__doc__)
    with open(BOARDS, encoding="utf-8") as f:
        text = f.read()
    boards = read_boards(text)
    if arguments_of_program == ["--write"]:
        return write(boards, text)
    return check_page(boards) if arguments_of_program else check(boards)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
