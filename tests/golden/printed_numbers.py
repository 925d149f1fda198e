#!/usr/bin/env python3
"""No output has a number that is none: no inf, nan or infinity where a number would stand, in any format.

    printed_numbers.py GOLDEN                outputs that are committed: of golden cases, profiles of tools, and reviews
    printed_numbers.py GOLDEN PROGRAM WORK   outputs of the program over the fuzz corpus, and over documents in which a
                                             number is 0, next to nothing, the largest, null or gone

The second one does a sample of formats and numbers; ROOFLINE_THOROUGH=1 does all; ROOFLINE_EVERY=4 each fourth of the
commands, other ones each day. What is quoted or part of a name is text.
"""
import copy, datetime, glob, json, os, re, shutil, subprocess, sys

WORD = re.compile(r"(?<![\w./'-])[-+]?(?:inf|nan|infinity|infinite)(?![\w./'-])", re.IGNORECASE)
GNUPLOT = re.compile(r"[?:] NaN\b")  # a point that is left out, in an expression of gnuplot's
CODE = re.compile(r'<script(?![^>]*json)[^>]*>.*?</script>|<style.*?</style>', re.DOTALL)
READ = (".json", ".csv", ".md", ".dat", ".gp", ".html", ".svg", ".xml", ".txt", ".trace")

golden = sys.argv[1]
root = os.path.join(golden, "..", "..")
failures = []


def look(text, where):
    """The first line of a text that holds such a word."""
    for line in CODE.sub("", text).splitlines():
        if WORD.search(GNUPLOT.sub("", line)) and "inf/s" not in line:
            failures.append(f"{where}: {line.strip()[:160]}")
            return


def look_at_files(paths):
    for path in paths:
        with open(path, encoding="utf-8", errors="replace") as file:
            look(file.read(), os.path.relpath(path, root))


def files_below(folder, is_wanted):
    return [os.path.join(at, name) for at, _, names in os.walk(folder) for name in names if is_wanted(name)]


def committed():
    paths = files_below(golden, lambda name: name in ("stdout", "stderr") or name.startswith("outfile"))
    paths += files_below(os.path.join(root, "tests", "tools"), lambda name: name.startswith("expected"))
    paths += glob.glob(os.path.join(root, "tests", "curves", "*"))
    for review in glob.glob(os.path.join(root, "examples", "*", "review")):
        paths += files_below(review, lambda name: name.endswith(READ))
    look_at_files(paths)
    return len(paths)


# --- the program -----------------------------------------------------------------------------------------------------

runs = 0
every = int(os.environ.get("ROOFLINE_EVERY", "1"))
turn = int(os.environ.get("ROOFLINE_TURN", datetime.date.today().day))


def run(words, what=""):
    """What the program prints, whatever its exit code is, but for one that blames the program itself."""
    global runs
    runs += 1
    if (runs + turn) % every:
        return
    done = subprocess.run([program, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=work)
    where = " ".join(words) + (f" ({what})" if what else "")
    for stream in (done.stdout, done.stderr):
        look(stream.decode("utf-8", "replace"), where)
    if done.returncode < 0 or done.returncode == 70:
        failures.append(f"{where}: ends with {done.returncode}: {done.stderr.decode('utf-8', 'replace')[:160]}")


def run_formats(words, what="", formats=("text", "markdown", "csv", "json")):
    for name in formats if "ROOFLINE_THOROUGH" in os.environ else formats[:1] + formats[-1:]:
        run([*words, "--format", name], what)


def report(words, what=""):
    folder = os.path.join(work, "review")
    shutil.rmtree(folder, ignore_errors=True)
    run(["report", *words, "-o", folder], what)
    look_at_files(files_below(folder, lambda name: name.endswith(READ)))


def corpus(*names):
    return [path for name in names for path in sorted(glob.glob(os.path.join(root, "tests", "corpus", name, "*")))]


def over_corpus():
    compiled = corpus("xmodel", "network_c", "c_info", "vitisai_ep", "pte", "aie_mlir", "generate_report", "curve",
                      "predictions")
    for path in compiled:
        run_formats(["predict", path])
        run(["inspect", path])
    graphs = corpus("onnx", "tflite", "onnx_edit", "hf_config")
    for path in graphs:
        for board in ("kv260", "npu2"):
            run_formats(["predict", path, "--hw", board])
        run(["compare", path, graphs[0], "--hw", "kv260"])
        run(["compare", graphs[0], path, "--hw", "kv260"])
        run(["advise", path, "--hw", "kv260"])
    for path in corpus("measured"):
        run_formats(["reconcile", path, "--details"])
        report([path])
    for path in corpus("import"):
        run(["import", path])
    for path in corpus("hw"):
        run(["hw", "show", path])
        run_formats(["predict", f"{root}/examples/models/mobilenetv1-b4096.xmodel", "--hw", path])
    for path in corpus("calibration"):
        run_formats(["predict", f"{root}/examples/models/mobilenetv1-b4096.xmodel", "--calibration", path])


# --- documents with one number changed -----------------------------------------------------------------------------

GONE = object()
ODD = (0, GONE, 1e-320, 1e308, None) if "ROOFLINE_THOROUGH" in os.environ else (0, GONE)


def places_of(value, place=()):
    """Places of numbers, one for all items of a list."""
    items = value.items() if isinstance(value, dict) else [("*", item) for item in value] if isinstance(value, list) else ()
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        yield place
    for key, item in items:
        yield from places_of(item, place + (key,))


def put(value, place, odd):
    if place[0] == "*":
        for i, item in enumerate(value):
            if len(place) > 1:
                put(item, place[1:], odd)
            elif odd is not GONE:
                value[i] = odd
    elif len(place) > 1:
        if isinstance(value, dict) and place[0] in value:
            put(value[place[0]], place[1:], odd)
    elif isinstance(value, dict) and place[0] in value:
        if odd is GONE:
            del value[place[0]]
        else:
            value[place[0]] = odd


def changed(document, is_wanted=lambda place: True):
    """(file, what was changed) for each number of a document, and for all times at once."""
    path = os.path.join(work, "changed.json")
    places = sorted(set(place for place in places_of(document) if is_wanted(place)), key=str)
    times = [place for place in places if any(str(key).endswith("_s") for key in place)]
    for several in [[place] for place in places] + [times]:
        for odd in ODD:
            other = copy.deepcopy(document)
            for place in several:
                put(other, place, odd)
            with open(path, "w", encoding="utf-8") as file:
                json.dump(other, file)
            shown = "no number" if odd is GONE else json.dumps(odd)
            yield path, f"{'/'.join(several[0]) if len(several) == 1 else 'all times'}: {shown}"


def timed(total, counters=True):
    """A network of two layers, deployed and layer by layer, with phases, counters, energy and a loop."""
    events = [{"name": name, "count": 1000} for name in
              ("instructions", "cycles", "cache-references", "cache-misses", "branches", "branch-misses")]
    return {"schema": "roofline.measured/1", "experiments": [{"model": {"name": "net"}, "runs": [
        {"mode": "bypass", "total": {"samples_s": [total, total * 1.01, total * 0.99]}, "setup_s": 1,
         "batch": 2, "read_bytes": 1000, "write_bytes": 2000, "phases": {"run_s": total / 2, "ipu_s": total / 4},
         "energy": {"power_w": 3, "idle_power_w": 1, "inference_j": total},
         "trend": {"steps": 5, "first_s": total, "middle_s": total, "last_s": total, "min_s": total, "max_s": total},
         **({"events": events} if counters else {})},
        {"mode": "per_layer", "boundaries": 2, "sum_of_layers_s": total * 1.5, "layers": [
            {"name": "a", "mean_s": total, "type": "conv", "cov_ratio": 0.1},
            {"name": "b", "samples_s": [total / 2, total / 2, total / 2], "type": "pool"}]}]}]}


def over_changed_documents():
    base = os.path.join(work, "base.json")
    with open(base, "w", encoding="utf-8") as file:
        json.dump(timed(1e-3), file)
    for path, what in changed(timed(1e-3)):
        run_formats(["reconcile", path, "--details", "--deadline", "1ms"], what)
        run(["compare", base, path], what)
        run(["compare", path, base, "--details"], what)
        run(["check", path, "--budget", os.path.join(root, "tests", "corpus", "budget", "seed-least")], what)
        report([path, "--baseline", base], what)
    for name in ("seed-schedule", "seed-phases", "seed-load"):
        with open(os.path.join(root, "tests", "corpus", "measured", name), encoding="utf-8") as file:
            document = json.load(file)
        for path, what in changed(document):
            run_formats(["reconcile", path, "--details"], f"{name}, {what}")
    for name in ("npu2", "stm32n6"): # as tools write it: a loop, and epochs
        with open(os.path.join(root, "examples", name, "measured.json"), encoding="utf-8") as file:
            document = json.load(file)
        for path, what in changed(document):
            run(["reconcile", path, "--details"], f"{name}, {what}")
    model = os.path.join(root, "examples", "models", "resnet50-b4096.xmodel")
    for names in (("efficiency.conv", "efficiency.memory"), ("fetch_cycles_per_word", "efficiency.load", "efficiency.save")):
        document = {"schema": "roofline.calibration/1", "hardware": {"id": "kv260"}, "parameters": [
            {"name": name, "value": 0.5, "ci95": [0.4, 0.6], "prior": 0.7, "prior_width": 2, "determined": False,
             "share": [0.1, 0.9]} for name in (*names, "per_inference_s")]}
        document["covariance"] = [[0.01] * len(document["parameters"]) for _ in document["parameters"]]
        for path, what in changed(document):
            run_formats(["predict", model, "--calibration", path], what)


def resolved(entry, entries):
    """An entry of the hardware database with the values of those that it extends."""
    values = {}
    for base in entry.get("extends", []):
        below = resolved(entries[base], entries)
        values.update(below["values"])
        entry = {**{key: below[key] for key in ("family", "board") if key in below}, **entry}
    values.update(entry.get("values", {}))
    return {**{key: value for key, value in entry.items() if key not in ("extends", "aliases")}, "values": values}


def over_changed_hardware():
    entries = {}
    for path in glob.glob(os.path.join(root, "hwdb", "data", "*", "*.json")):
        with open(path, encoding="utf-8") as file:
            entry = json.load(file)
            entries[entry["id"]] = entry
    examples = os.path.join(root, "examples")
    for board, model in (("ethos-u55-128", "ethosu/classifier_vela.tflite"), ("stm32n6", "stm32n6/network.c"),
                         ("ethos-u85-256", "models/mobilenetv1.tflite"), ("npu2", "npu2/llama-3.2-1b.json"),
                         ("kv260", "models/resnet50.onnx")):
        entry = {**resolved(entries[board], entries), "id": "changed"}
        for path, what in changed({**entry, "values": {}}): # what is no value stays
            run(["hw", "show", path], what)
        for key in entry["values"]:
            for odd in ODD:
                other = copy.deepcopy(entry)
                if odd is GONE:
                    del other["values"][key]
                else:
                    other["values"][key]["value"] = odd
                path = os.path.join(work, "changed.json")
                with open(path, "w", encoding="utf-8") as file:
                    json.dump(other, file)
                what = f"{board}, {key}: {'gone' if odd is GONE else odd}"
                run(["predict", os.path.join(examples, model), "--hw", path, "--findings"], what)


if len(sys.argv) == 2:
    seen = f"{committed()} files"
else:
    program, work = os.path.abspath(sys.argv[2]), os.path.abspath(sys.argv[3])
    root = os.path.relpath(root, work)
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    os.chdir(work)
    os.environ["PATH"] = "/nonexistent" # neither gnuplot nor dot: data and scripts, which are read, and no pictures
    over_corpus()
    over_changed_documents()
    over_changed_hardware()
    seen = f"{runs // every} runs"
print("\n".join(failures[:40]))
print(f"{seen}, {len(failures)} failures" + ("" if "ROOFLINE_THOROUGH" in os.environ or len(sys.argv) == 2 else
      "; a sample of formats and numbers: ROOFLINE_THOROUGH=1 does all"))
sys.exit(1 if failures or seen.startswith("0 ") else 0)
