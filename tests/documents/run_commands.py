#!/usr/bin/env python3
"""Runs the commands of a document, compares the output that it shows with the real one, and follows its links.

    run_commands.py DOCUMENT              runs one document (ROOFLINE_EXE is the program, ROOFLINE_SOURCE_DIR the tree)
    run_commands.py --help-texts          runs the examples of `roofline help COMMAND`
    run_commands.py --lists DOCUMENT...   checks that the two lists below have no entry that nothing uses

In a ```console block a line `$ COMMAND` is run, and the lines behind it are its output, standard error included. A line that is
only `...` stands for any number of lines. In a ```sh block, and in the examples of the man page, every line is a command, and its
output is not compared. Each command has to end with 0; one that is meant to fail says so: `roofline check ... || echo "exit code $?"`.
A block ```json FILE is written into FILE first.
All commands of a document run one after the other in one scratch folder, with a copy of examples/ where they use it.

ROOF_UPDATE_GOLDEN=1 writes the real lines into the document. Elisions stay where they are.
"""
import difflib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(os.environ["ROOFLINE_SOURCE_DIR"])
WIDTH = "100"  # of what documents show

UNAVAILABLE = 69  # gnuplot is not there, or a runner

# Commands that are not run: how they begin, and why.
NOT_RUN = {
    "scripts/": "builds, installs or tests the project itself",
    "cmake -": "builds or installs the project itself; the test `install` does so",
    "build/": "a program of the build folder",
    "sudo ": "installs; scripts/fresh.sh does so",
    "./predict": "needs the installed library; scripts/fresh.sh does so",
    "ROOFLINE_PREFIX=": "builds the Python package; the test `python` does so",
    "python3 -m venv": "installs it; the test `python` does so",
    "my-venv/": "likewise",
    "xargs -d": "uninstalls; scripts/fresh.sh does so",
    "roofline measure model.xmodel --on vart": "needs a DPU",
    "roofline measure kernel.xclbin": "needs an FPGA card",
    "roofline measure model.xmodel --on command -- ssh": "needs a board",
    "roofline measure model.xmodel --on command --hw kv260": "needs a board",
    "roofline measure st_ai_ws": "needs a board, and ST's tools",
    "roofline hw probe -o": "takes a minute; the test `run_cpu` does so",
}

# Commands that time this machine for seconds: run with ROOFLINE_THOROUGH alone, and where outputs are written anew.
TAKES_LONG = ("roofline hw probe --most", "roofline measure model.xmodel -o", "roofline measure model.xmodel --hw",
              "roofline measure model.xmodel --option processors", "roofline measure model.xmodel --threads",
              "roofline measure examples/models/mobilenetv2-b4096.xmodel --hw")
IN_FULL = "ROOFLINE_THOROUGH" in os.environ or os.environ.get("ROOF_UPDATE_GOLDEN") == "1"

# Names of the reader's own files, and what stands for them: a file or a folder, and what has to lie beside it. @GENERATED@ is the
# folder of what golden cases are given (ROOFLINE_GENERATED).
KV260 = [f"examples/kv260/{name}" for name in ("mobilenetv1-b4096.xmodel", "mobilenetv2-b4096.xmodel", "resnet50-b4096.xmodel")]
STAND_INS = {
    "model.xmodel": ["examples/kv260/mobilenetv2-b4096.xmodel"],
    "runners": ["runners"],
    "other.xmodel": ["examples/models/mobilenetv1-b4096.xmodel"],
    "resnet50.xmodel": ["examples/models/resnet50-b4096.xmodel"],
    "resnet50.onnx": ["examples/models/resnet50.onnx"],
    "mobilenetv2.onnx": ["examples/models/mobilenetv2.onnx"],
    "net.onnx": ["@GENERATED@/padded.onnx"],
    "mobilenetv2_int.xmodel": ["examples/models/mobilenetv2-int8.xmodel"],
    "mobilenetv2.xmodel": ["examples/models/mobilenetv2-b4096.xmodel"],
    "a.xmodel": ["examples/models/mobilenetv1-b4096.xmodel"],
    "b.xmodel": ["examples/models/mobilenetv2-b4096.xmodel"],
    "predictions.json": ["tests/golden/predict-several-json/stdout"],
    "pruned.xmodel": ["examples/models/mobilenetv1-b4096.xmodel"],
    "config.json": ["examples/npu2/llama-3.2-1b.json"],
    "model.gguf": ["tests/golden/predict-gguf/further.gguf"],
    "st_ai_ws/neural_art__network": ["examples/stm32n6"],
    "model.onnx": ["examples/torch-gpu/segmenter.onnx"],
    "trt.json": ["examples/torch-gpu/measured.json", "examples/torch-gpu/segmenter.onnx"],
    "measured.json": ["examples/kv260/measured.json", *KV260],
    "epochs.json": ["examples/stm32n6/measured.json", "examples/stm32n6/network_c_info.json"],
    "old.json": ["tests/golden/compare-samples/old.json"],
    "new.json": ["tests/golden/compare-samples/new.json"],
    "bypass.json": ["tests/documents/bypass.json"],
    "layers.json": ["tests/documents/layers.json"],
    "prediction.json": ["tests/golden/predict-mobilenetv1-json/stdout"],
    "budget.json": ["tests/golden/check-kept/budget.json"],
    "plan.json": ["tests/documents/plan.json", "examples/models/mobilenetv1-b4096.xmodel", "examples/models/mobilenetv2-b4096.xmodel"],
    "board.json": ["tests/golden/predict-calibration/calibration.json"],
    "my-board.json": ["tests/golden/hw-check-good/good.json"],
    "this-machine.json": ["tests/golden/hw-check-good/good.json"],
    "runs.db": ["@GENERATED@/history.db"],
    "vart_trace.csv": ["tests/golden/import-vart-trace/vart_trace.csv"],
    "vaitrace_4711": ["tests/golden/import-vart-raw/vaitrace_4711"],
    "ina226.csv": ["tests/golden/import-power/ina226.csv"],
    "layers.csv": ["tests/golden/import-csv/layers.csv"],
    "traces": ["tests/golden/import-folder/traces"],
    "profile.log": ["examples/npu2/llama32_1b_profile.log"],
    "npu_profiler.log": ["examples/stm32n6/npu_profiler.log"],
    "c_info.json": ["examples/stm32n6/network_c_info.json"],
}


class Command:
    """A command, its line in the document, and the lines of output that stand below it (None: not compared)."""

    def __init__(self, text, line, shown):
        self.text, self.line, self.shown = text, line, shown


def commands_of_markdown(lines):
    """The blocks of a document, each a list of commands."""
    blocks, language, fence = [], None, re.compile(r"^```(\w*)")
    for number, line in enumerate(lines, 1):
        edge = fence.match(line)
        if edge and language is None:
            language = edge[1] or "none"
            blocks.append([])
        elif edge:
            language = None
        elif language == "console" and line.startswith("$ "):
            blocks[-1].append(Command(line[2:], number, []))
        elif language == "console":
            blocks[-1][-1].shown.append(line)
        elif language == "sh" and line.split("#")[0].strip():
            blocks[-1].append(Command(line, number, None))
        elif language and re.match(r"(\$ |(\S*/)?roofline )", line):
            sys.exit(f"line {number}: a command in a block of '{language}', which nobody runs: begin it with ```sh or ```console")
    for block in blocks:  # a blank line ahead of the next command is no output
        for command in block:
            while command.shown and not command.shown[-1]:
                command.shown.pop()
    return blocks


def commands_of_man_page(lines):
    blocks, is_literal = [[]], False
    for number, line in enumerate(lines, 1):
        is_literal = line.startswith(".Bd -literal") or is_literal and line != ".Ed"
        if line.startswith(".Dl ") or is_literal and not line.startswith("."):
            blocks[-1].append(Command(line.removeprefix(".Dl "), number, None))
    return blocks


def is_elision(line):
    return line.strip() == "..."


def parts_of(shown):
    """The runs of lines between elisions; the first and the last may be empty."""
    parts = [[]]
    for line in shown:
        if is_elision(line):
            parts.append([])
        else:
            parts[-1].append(line)
    return parts


def is_shown(shown, real):
    """Whether the lines are those of the output, where an elision stands for any number of them."""
    first, *rest = parts_of(shown)
    if not rest:
        return first == real
    if real[: len(first)] != first:
        return False
    at, last = len(first), rest.pop()
    for part in rest:
        while real[at : at + len(part)] != part:
            if at >= len(real):
                return False
            at += 1
        at += len(part)
    return len(real) - at >= len(last) and real[len(real) - len(last) :] == last


def likeness(a, b):
    return 1.0 if a == b else difflib.SequenceMatcher(None, a, b, autojunk=False).ratio()


def places_in(shown, real):
    """The line of the output that each line of a document has become, or None: the alignment with the most likeness.

    Lines that an elision covers cost nothing, those that are new inside of a run of lines a little."""
    kept = [line for line in shown if not is_elision(line)]
    is_free = [False] * (len(kept) + 1)  # before line i an elision stands
    i = 0
    for line in shown:
        is_free[i] |= is_elision(line)
        i += not is_elision(line)
    new_line = 0.15
    best = [[(0.0, None)] * (len(real) + 1) for _ in range(len(kept) + 1)]
    for i in range(len(kept) + 1):
        for j in range(len(real) + 1):
            ways = [(0.0, None)] if i == j == 0 else []
            if j:
                ways.append((best[i][j - 1][0] - (0 if is_free[i] else new_line), "new"))
            if i:
                ways.append((best[i - 1][j][0] - new_line, "gone"))
            if i and j:
                ways.append((best[i - 1][j - 1][0] + likeness(kept[i - 1], real[j - 1]) - 0.4, "same"))
            best[i][j] = max(ways, key=lambda way: way[0])
    places, i, j = [None] * len(kept), len(kept), len(real)
    while i or j:
        way = best[i][j][1]
        if way == "same":
            places[i - 1] = j - 1
        i, j = i - (way != "new"), j - (way != "gone")
    return places


def refreshed(shown, real):
    """The real lines, with elisions where they stood."""
    elision = next((line for line in shown if is_elision(line)), None)
    if elision is None:
        return real
    places, parts, spans, at = places_in(shown, real), parts_of(shown), [], 0
    for part in parts:
        found = [place for place in places[at : at + len(part)] if place is not None]
        at += len(part)
        spans.append((found[0], found[-1] + 1) if found else None)
        if part and not found:
            print("nothing in the output is like this any more, so it is taken out: " + " | ".join(part))
    if parts[0]:
        spans[0] = (0, spans[0][1] if spans[0] else len(parts[0]))
    if parts[-1]:
        spans[-1] = (spans[-1][0] if spans[-1] else len(real) - len(parts[-1]), len(real))
    lines, end = [], 0
    for begin, stop in [span for span in spans if span]:
        lines += [elision] * (begin > end) + real[max(begin, end) : stop]
        end = max(end, stop)
    return lines + [elision] * (end < len(real))


def reason_not_run(text):
    if text.startswith(TAKES_LONG) and not IN_FULL:
        return "takes seconds; ROOFLINE_THOROUGH=1 runs it"
    return next((why for start, why in NOT_RUN.items() if text.startswith(start)), None)


def uses(text, name):
    return re.search(r"(?<![\w/.-])" + re.escape(name) + r"(?![\w.-])", text)


def fill(folder, text):
    """What it uses: the examples, what the document itself has as a file, and stand-ins for names of the reader's own files."""
    if uses(text, "examples"):
        shutil.copytree(ROOT / "examples", folder / "examples", ignore=shutil.ignore_patterns("review", "build"))
    for name, content in re.findall(r"^```json (\S+)\n(.*?)^```$", text, re.M | re.S):
        (folder / name).write_text(content)
    for name, sources in STAND_INS.items():
        for source in sources if uses(text, name) else []:
            to = folder / (name if source == sources[0] else Path(source).name)
            to.parent.mkdir(parents=True, exist_ok=True)
            source = ROOT / source.replace("@GENERATED@", os.environ["ROOFLINE_GENERATED"])
            (shutil.copytree if source.is_dir() else shutil.copy)(source, to)


def run(command, folder, environment):
    """Whether it worked, and the lines of its output; None in place of these where it cannot run here."""
    done = subprocess.run(["bash", "-c", command.text], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    output = done.stdout.decode()
    if done.returncode == UNAVAILABLE:
        print(f"{output}SKIPPED: needs a runner or gnuplot (line {command.line}: {command.text})")
        return True, None
    if done.returncode:
        print(f"line {command.line}: {command.text}\n{output}ended with {done.returncode}")
    return done.returncode == 0, output.splitlines()


def run_block(block, folder, environment):
    """The edits (first line, number of lines, new lines) that would make the block true; None for a command that fails."""
    for command in block:
        if command.text.startswith("cd "):
            folder = folder / command.text.removeprefix("cd ").strip()
        elif reason_not_run(command.text):
            print(f"line {command.line}: not run ({reason_not_run(command.text)}): {command.text}")
        else:
            worked, real = run(command, folder, environment)
            if not worked:
                yield None
            elif real is not None and command.shown is not None and not is_shown(command.shown, real):
                print(f"line {command.line}: {command.text}")
                now = refreshed(command.shown, real)
                sys.stdout.writelines(line + "\n" for line in difflib.unified_diff(command.shown, now, "shown", "real", "", "", lineterm=""))
                yield command.line, len(command.shown), now


def blocks_of(document):
    lines = document.read_text().splitlines()
    return (commands_of_man_page if document.suffix == ".1" else commands_of_markdown)(lines)


def help_of(command, environment):
    """The examples of a command, and of those below it."""
    text = subprocess.run(["roofline", "help", *command], env=environment, stdout=subprocess.PIPE, check=True).stdout.decode()
    lines = text.splitlines()
    below = re.search(r"\nCommands:\n(.*?)\n\n", text, re.S)
    names = [line.split()[0] for line in below[1].splitlines() if re.match(r"  \w", line)] if below else []
    own = [Command(line.strip(), number, None) for number, line in enumerate(lines, 1) if line.startswith("  roofline ")]
    return [own] + [block for name in names for block in help_of([*command, name], environment)]


def environment_of_documents():
    folder = Path(os.environ["ROOFLINE_EXE"]).parent
    # One thread: other tests run at the same time, and a measurement among them takes long to become steady.
    return dict(os.environ, PATH=f"{folder}:{os.environ['PATH']}", COLUMNS=WIDTH, OMP_NUM_THREADS="1")


def run_all(blocks, text, environment):
    with tempfile.TemporaryDirectory() as name:
        fill(Path(name), text)
        return [edit for block in blocks for edit in run_block(block, Path(name), environment)]


def anchors_of(document):
    """The names of its headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", document.read_text(), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def broken_links(document, text):
    """Links to files that are not there, and to headings that are not in them."""
    for link in re.findall(r"\]\(([^)\s:]+)\)", re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)):
        name, _, anchor = link.partition("#")
        target = document.parent / name if name else document
        if not target.exists() or anchor and anchor not in anchors_of(target):
            yield link


def unknown_figures(text):
    """Rows of a table of left-out errors that docs/benchmarks.md does not have: no figure of accuracy is typed."""
    head, known = "| what | points | left out in turn | median error |", set()
    for line in (ROOT / "docs" / "benchmarks.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) > 7:
            known.add((cells[1], cells[3], cells[4], cells[5]))
    for line in text.partition(head)[2].partition("\n\n")[0].splitlines()[2:]:
        if tuple(cell.strip() for cell in line.split("|")[1:-1]) not in known:
            yield f"no row of docs/benchmarks.md: {line}"


def check(document):
    blocks, text = blocks_of(document), document.read_text()
    broken = [*broken_links(document, text), *unknown_figures(text)]
    if broken:
        sys.exit(f"{document.name}: links that lead nowhere, or figures that were typed: {', '.join(broken)}")
    edits = run_all(blocks, text, environment_of_documents())
    print(f"{document.name}: {sum(map(len, blocks))} commands, {len(edits)} not as shown")
    if os.environ.get("ROOF_UPDATE_GOLDEN") == "1" and None not in edits:
        lines = text.splitlines()
        for at, count, now in reversed(edits):
            lines[at : at + count] = now
        document.write_text("\n".join(lines) + "\n")
    elif edits:
        sys.exit("If the change is meant: ROOF_UPDATE_GOLDEN=1 ctest -L documents")


def check_help_texts():
    """Each in a folder of its own, since they write the same files."""
    environment = environment_of_documents()
    blocks = help_of([], environment)
    if any([run_all([block], texts_of([block]), environment) for block in blocks]):
        sys.exit("an example of a help text does not work")
    print(f"{sum(map(len, blocks))} commands in {len(blocks)} help texts")


def texts_of(blocks):
    return "\n".join(command.text for block in blocks for command in block)


def check_lists(documents):
    blocks = [block for document in documents for block in blocks_of(document)] + help_of([], environment_of_documents())
    text = texts_of(blocks)
    unused = [start for start in (*NOT_RUN, *TAKES_LONG) if not any(line.startswith(start) for line in text.splitlines())]
    unused += [name for name in STAND_INS if not uses(text, name)]
    if unused:
        sys.exit("nothing uses " + ", ".join(unused) + ": take it out of run_commands.py")
    print(f"{len(documents)} documents, {len(text.splitlines())} commands with those of the help texts")


if __name__ == "__main__":
    if sys.argv[1] == "--lists":
        check_lists([Path(name) for name in sys.argv[2:]])
    elif sys.argv[1] == "--help-texts":
        check_help_texts()
    else:
        check(Path(sys.argv[1]))
