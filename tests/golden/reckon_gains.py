"""The gains of causes in the golden documents, reckoned by the formulas of docs/causes.md and not by the program.

usage: reckon_gains.py GOLDEN     the folder of the golden cases

What was measured is read from the inputs of the cases, cycles and ideals of layers from the documents (totals are reckoned by
reckon_totals.py). Of a gain that is the replay of code with an engine at twice its speed it is said only that it is no more than
half of the engine's time, and that profile and prediction of a model say the same. Every cause of every document has a rule or
is named in NOT_RECKONED. Exit 0 or 1.
"""
import json
import pathlib
import statistics
import sys

# By a comparison with other layers, or by the words of a replay that no table has.
NOT_RECKONED = {("slow_kind", "peers"), ("instructions", "replay"), ("memory", "replay")}


def near(a, b):
    return abs(a - b) <= 2e-9 * max(abs(a), abs(b))


# ---- predictions: "The gain is that of twice the speed ... by the ideal times of the layers" ----

def twice_as_fast(prediction, engine):
    """Seconds: the sum over layers of what the largest engine falls by."""
    cycles = 0
    for layer in prediction["layers"]:
        own = {k: v or 0 for k, v in (layer["cycles"] or {}).items() if k not in ("ideal", "vendor")}
        if engine in own:
            halved = {**own, engine: own[engine] / 2}
            cycles += layer.get("repeat", 1) * (max(own.values()) - max(halved.values()))
    return cycles / prediction["hardware"]["clock_hz"]


def twice_as_fast_expected(prediction, engine):
    """Of what is expected of each layer that the engine binds, the part that its ideal falls by."""
    seconds = 0
    for layer in prediction["layers"]:
        own = {k: v or 0 for k, v in (layer["cycles"] or {}).items() if k not in ("ideal", "vendor")}
        if layer["bound"] == engine and layer["predicted_s"] and layer["cycles"]["ideal"]:
            others = max([v for k, v in own.items() if k != engine] or [0])
            ideal = layer["cycles"]["ideal"]
            seconds += layer.get("repeat", 1) * layer["predicted_s"] * (1 - min(ideal, max(others, ideal / 2)) / ideal)
    return seconds


def half_of_engine(prediction, engine):
    cycles = sum((layer["cycles"] or {}).get(engine) or 0 for layer in prediction["layers"])
    return cycles / 2 / prediction["hardware"]["clock_hz"]


# ---- profiles ----

def run_of(measured, mode):
    return next((r for r in measured["runs"] if r["mode"] == mode), None)


def phases(measured, ends):
    run = run_of(measured, "bypass")
    return sum(s for name, s in run["phases"].items() if name in ends) if run and "phases" in run else None


def least_squares(points):
    x, y = (statistics.mean(values) for values in zip(*points))
    slope = sum((a - x) * (b - y) for a, b in points) / sum((a - x) ** 2 for a, b in points)
    return y - slope * x


def around_epochs(measured, layers):
    """What the microcontroller does before and after the accelerator works, in the cycles of its own clock."""
    run, on_accelerator = run_of(measured, "per_layer"), {l["name"] for l in layers if l["ideal_s"] is not None}
    rows = [row["phase_cycles"] for row in run["layers"] if row["name"] in on_accelerator and "phase_cycles" in row]
    return sum(p[end]["mcu"] for p in rows for end in ("pre", "post") if end in p) / run["clocks_hz"]["mcu"]


def host_of(measured, all_measured):
    """By phases; else the constant of the host fit."""
    by_phase = phases(measured, ("host_s", "quantise_s", "dequantise_s"))
    if by_phase is not None:
        return by_phase
    points = []
    for m in all_measured:
        run = run_of(m, "per_layer")
        listed = run.get("sum_of_layers_s")
        points.append((run["boundaries"], run["total"]["mean_s"] - listed))
    return least_squares(points)


def first_level(samples):
    """Of a trend: the line of Theil and Sen at the first sample (include/roofline/statistics.h)."""
    n = len(samples)
    slope = statistics.median((samples[j] - samples[i]) / (j - i) for i in range(n) for j in range(i + 1, n))
    return statistics.median(s - slope * i for i, s in enumerate(samples))


def gap_of(layer):
    parts = [layer.get(k) or 0 for k in ("overhead_s", "host_s")]
    return layer["measured_s"] - sum(parts) - layer["ideal_s"]


def reckon(cause, document, experiment, measured, all_measured):
    """Seconds, or None where there is no rule."""
    kind, sure = cause["kind"], cause["sure"]
    if experiment is None or kind in ("compute", "memory"):
        prediction = document if experiment is None else None
        rule = {"bound": twice_as_fast, "guess": twice_as_fast_expected if kind in ("compute", "memory") else None}.get(sure)
        return rule(prediction, cause["subject"]) if prediction and rule else None
    named = [layer for layer in experiment["layers"] if layer["name"] in cause["layers"]]
    total = run_of(measured, "bypass")["total"] if measured and run_of(measured, "bypass") else None
    return {"gap": lambda: sum(map(gap_of, named)),
            "fallback": lambda: sum(layer["measured_s"] for layer in named),
            "host": lambda: host_of(measured, all_measured),
            "launches": lambda: around_epochs(measured, experiment["layers"]),
            "transfers": lambda: phases(measured, ("write_s", "read_s")),
            "throttling": lambda: statistics.mean(total["samples_s"]) - first_level(total["samples_s"]),
            "two_speeds": lambda: statistics.mean(total["samples_s"]) - fast_median(total["samples_s"]),
            "unprofiled": lambda: unlisted_gap(experiment) if run_of(measured, "per_layer")
                else total["mean_s"] - experiment["total"]["best_s"],
            }.get(kind, lambda: None)()


def fast_median(samples):
    """The median below the middle of the widest gap between neighbours in order."""
    ordered = sorted(samples)
    split = max(range(1, len(ordered)), key=lambda i: ordered[i] - ordered[i - 1])
    return statistics.median(ordered[:split])


def unlisted_gap(experiment):
    """What the layers that the profile does not list have above their ideal, each by its own code where there is some."""
    return sum(gap_of(layer) for layer in experiment["layers"] if layer["match"] == "unlisted")


# ---- all documents ----

def documents(golden):
    """(case, document, experiments as they were measured)"""
    for stdout in sorted(golden.glob("*-json/stdout")):
        case, document = stdout.parent, json.loads(stdout.read_text(encoding="utf-8"))
        if document.get("schema", "").startswith(("roofline.prediction/", "roofline.reconciliation/")):
            words = (case / "cmd").read_text(encoding="utf-8").split()
            inputs = [w.replace("@CASE@", str(case)).replace("@EXAMPLES@", str(golden.parent.parent / "examples"))
                      for w in words[1:] if w.endswith(".json")]
            experiments = []
            for file in inputs if document["schema"].startswith("roofline.reconciliation/") else []:
                experiments += json.loads(pathlib.Path(file).read_text(encoding="utf-8")).get("experiments", [])
            yield case.name, document, experiments


def main():
    failures, reckoned, left = [], 0, 0
    every = list(documents(pathlib.Path(sys.argv[1])))
    predicted = {}  # of a model: gains of its limits, in any document
    for _, document, _ in every:
        for cause in document.get("causes") or [] if "model" in document else []:
            key = (document["model"]["graph_hash"], cause["kind"], cause["subject"])
            predicted.setdefault(key, []).append(cause["gain_s"])
    for case, document, measured in every:
        experiments = document.get("experiments") or [None]
        for i, experiment in enumerate(experiments):
            for cause in (experiment or document).get("causes") or []:
                name = f"{case}: {cause['kind']} {cause['subject'] or ''}"
                gain, key = cause["gain_s"], (cause["kind"], cause["sure"])
                want = reckon(cause, document, experiment, measured[i] if i < len(measured) else None, measured)
                same = predicted.get((experiment["graph_hash"], cause["kind"], cause["subject"])) if experiment else None
                if same:
                    want = min(same, key=lambda s, gain=gain: abs(s - gain))
                if want is not None:
                    reckoned += 1
                    if gain is None or not near(gain, want):
                        failures.append(f"{name}: gain_s is {gain}, reckoned {want:.12g}")
                elif gain is None and cause["sure"] == "guess":
                    continue
                elif key == ("compute", "replay") and experiment is None:
                    reckoned += 1
                    if not 0 < gain <= half_of_engine(document, cause["subject"]) * (1 + 1e-9):
                        failures.append(f"{name}: gain_s is {gain}, more than half of what the engine takes")
                elif key in NOT_RECKONED or (experiment and cause["kind"] in ("compute", "memory")):
                    left += 1  # of a profile: those of its prediction
                else:
                    failures.append(f"{name}: no rule for {key}")
    print("\n".join(failures) or f"{reckoned} gains are as reckoned, {left} are not reckoned")
    return bool(failures) or not reckoned


sys.exit(main())
