"""The work of mutate.sh, which says what it does. Nothing is written outside of --work."""
import argparse
import datetime
import json
import os
import pathlib
import random
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

LABELS = ("unit", "golden", "property", "reference")
LONGEST_S = 60  # of tests for one mutant, as long as they take unchanged; what outlives them lives
MOST_FILES = 24
FEW = 20  # tested mutants from which on a share of them says something
SOURCES = re.compile(r"^(core|hwdb|model|measure|reports|cli)/.*\.c$")
DANGEROUS = re.compile(r"\b(kill|unlink|unlinkat|rmdir|rename|renameat|remove|rmtree)\s*\(")

# ---- mutants ------------------------------------------------------------------------------------------------------

TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|^[ \t]*#(?:\\\n|[^\n])*', re.S | re.M)
# clang-format puts blanks around binary operators and none behind those of a pointer, a sign or an address.
SWAPS = {" < ": (" <= ", " >= "), " > ": (" >= ", " <= "), " <= ": (" < ", " > "), " >= ": (" > ", " < "),
         " == ": (" != ",), " != ": (" == ",), " && ": (" || ",), " || ": (" && ",), " + ": (" - ",),
         " - ": (" + ",), " * ": (" / ",), " / ": (" * ",), " += ": (" -= ",), " -= ": (" += ",),
         " & ": (" | ",), " | ": (" & ",), " << ": (" >> ",), " >> ": (" << ",)}
OPERATOR = re.compile("|".join(re.escape(o) for o in sorted(SWAPS, key=len, reverse=True)))
NUMBER = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)(?![\w.])")
WORD = re.compile(r"\b(true|false)\b")
NOT = re.compile(r"(?<![\w)\]=])!(?=[\w(*])")
IF = re.compile(r"\bif \(")
STATEMENT = re.compile(r"^[ \t]+((?:[A-Za-z_][\w.\->\[\]]*|\*\w+) (?:[-+*/|&^]|<<|>>)?= [^;{}\n]*;|[A-Za-z_]\w*\([^;{}\n]*\);"
                       r"|[\w.\->\[\]]+(?:\+\+|--);)$", re.M)


def blank(text):
    """Comments, texts and directives as blanks of the same length, so that places stay."""
    return TOKEN.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)


def changes_of(text):
    """(from, to, new text): each a change of one thing."""
    code = blank(text)
    for m in OPERATOR.finditer(code):
        for new in SWAPS[m.group()]:
            yield m.start(), m.end(), new
    for m in NUMBER.finditer(code):
        old = m.group(1)
        yield m.start(), m.end(), "2" if old == "1.0" else str(int(old) + 1) if old.isdigit() else f"({old} * 1.5 + 1)"
        if old == "1":
            yield m.start(), m.end(), "0"
    for m in WORD.finditer(code):
        yield m.start(), m.end(), "false" if m.group() == "true" else "true"
    for m in NOT.finditer(code):
        yield m.start(), m.end(), ""
    for m in IF.finditer(code):
        end, depth = m.end(), 1
        while depth:
            depth += {"(": 1, ")": -1}.get(code[end], 0)
            end += 1
        yield m.end(), end - 1, f"!({text[m.end():end - 1]})"
    for m in STATEMENT.finditer(code):
        before = code[: m.start()].rstrip()
        if before.endswith((";", "{", "}", ")", ":")) or before.endswith("else"):
            yield m.start(1), m.end(1), ";"


def one_line(text, begin, end, new):
    """The line of a change, as it was and as it is."""
    first = text.rfind("\n", 0, begin) + 1
    last = text.find("\n", end)
    return text[first:last].strip(), (text[first:begin] + new + text[end:last]).strip()


class Mutant:
    def __init__(self, file, text, change):
        self.file, self.change = file, change
        self.line = text.count("\n", 0, change[0]) + 1
        self.old, self.new = one_line(text, *change)

    def __str__(self):
        return f"{self.file}:{self.line}\n  - {self.old}\n  + {self.new}"


# ---- the build ----------------------------------------------------------------------------------------------------

class Build:
    """What a build folder knows: how each file is compiled, how each program is linked, and the tests."""

    def __init__(self, root, folder, work):
        self.root, self.folder, self.work = root, folder, work
        self.compile = {}
        for entry in json.loads((folder / "compile_commands.json").read_text()):
            path = os.path.relpath(entry["file"], root)
            command = shlex.split(entry["command"])
            output = command[command.index("-o") + 1]
            # a file that several targets compile: the one that is in none of the folders of tests
            if SOURCES.match(path) and len(output) < len(self.compile.get(path, 4 * (1000 * "x",))[3]):
                self.compile[path] = (command, entry["directory"], entry["file"], output)
        self.links = {}
        for link in folder.rglob("CMakeFiles/*.dir/link.txt"):
            directory = link.parent.parent.parent
            command = shlex.split(link.read_text().splitlines()[0])
            if "-o" in command and ("libroof_whole.a" in link.read_text()):
                output = directory / command[command.index("-o") + 1]
                self.links[str(output.resolve())] = (command, directory)

    def compile_to(self, path, source, target, *more):
        command, directory, original, output = self.compile[path]
        command = [str(source) if c == original else str(target) if c == output else c for c in command]
        return subprocess.run(command + ["-w", *more], cwd=directory, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL).returncode == 0

    def link_to(self, program, target, objects, *more):
        """objects: path of a source -> its object, in the place of the build's own."""
        command, directory = self.links[program]
        own = {self.compile[path][3]: str(o) for path, o in objects.items()}
        of_library = [str(o) for path, o in objects.items() if not path.startswith("cli/")]
        out = []
        for i, c in enumerate(command):
            if c.endswith("libroof_whole.a"):  # objects before an archive stand for its own
                out += of_library
            out.append(str(target) if i and command[i - 1] == "-o" else own.get(c, c))
        done = subprocess.run(out + list(more), cwd=directory, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if done.returncode:
            sys.exit(f"mutate: {program} cannot be linked: {done.stderr[:2000]}")


# ---- tests --------------------------------------------------------------------------------------------------------

class Test:
    def __init__(self, entry, build):
        self.name, self.command, self.build = entry["name"], entry["command"], build
        properties = {p["name"]: p["value"] for p in entry.get("properties", [])}
        self.labels = properties.get("LABELS", [])
        self.environment = dict(e.split("=", 1) for e in properties.get("ENVIRONMENT", []))
        for change in properties.get("ENVIRONMENT_MODIFICATION", []):
            name, value = change.split("=", 1)
            if value.startswith("set:"):
                self.environment[name] = value[len("set:"):]
        self.skip = properties.get("SKIP_REGULAR_EXPRESSION", [])
        program = str(pathlib.Path(self.command[0]).resolve())
        self.programs = [program] if program in build.links else []
        main = str(build.folder / "roofline")
        if main in build.links and (not self.programs or b"ROOFLINE_EXE" in pathlib.Path(program).read_bytes()):
            self.programs.append(main)
        self.seconds = 0.0

    def place(self, text, folder):
        """Programs and working folders are those of `folder`, sources those of the copy."""
        build, root = str(self.build.folder), str(self.build.root)
        for program in self.programs:
            text = re.sub(re.escape(program) + r"(?![\w/])", str(folder / pathlib.Path(program).name), text)
        text = text.replace(f"{build}/tests/golden", str(folder / "golden"))
        text = text.replace(f"{build}/tests/generated", str(self.build.work / "generated"))
        inside = os.path.relpath(build, root).split("/")[0]
        return re.sub(re.escape(root) + rf"(?!/{re.escape(inside)}/)(?=[/\s]|$)", str(self.build.work / "tree"), text)

    def run(self, folder, most_s, more=None):
        """None: passed; "skipped"; else why it failed."""
        def limit():
            os.setsid()
            resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
            resource.setrlimit(resource.RLIMIT_FSIZE, (5 << 30, 5 << 30))  # a test makes a sparse file of 4 GiB
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        environment = {k: v for k, v in os.environ.items() if k not in ("ROOF_UPDATE_GOLDEN", "ROOFLINE_HW_PATH")}
        environment.update({k: self.place(v, folder) for k, v in self.environment.items()}, TMPDIR=str(folder / "tmp"))
        environment.update(more or {})
        for sub in ("run", "tmp", "golden"):
            (folder / sub).mkdir(parents=True, exist_ok=True)
        begin = time.monotonic()
        child = subprocess.Popen([self.place(c, folder) for c in self.command], cwd=folder / "run", env=environment,
                                 stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, preexec_fn=limit)
        try:
            said = child.communicate(timeout=most_s)[0].decode(errors="replace")
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            child.communicate()
            return "too long"
        self.last_s = time.monotonic() - begin
        if child.returncode == 77 or any(re.search(s, said, re.M) for s in self.skip):
            return "skipped"
        return None if child.returncode == 0 else "failed"


def tests_of(build):
    listed = subprocess.run(["ctest", "--show-only=json-v1"], cwd=build.folder, capture_output=True, text=True, check=True)
    tests = [Test(t, build) for t in json.loads(listed.stdout)["tests"] if t.get("command")]
    return [t for t in tests if set(t.labels) & set(LABELS) and t.programs and t.name != "make_xmodels"]


# ---- which test reaches which line --------------------------------------------------------------------------------

def map_lines(build, tests, files, workers):
    """(file, line) -> tests, line 0 being code of any line; and the tests that pass as they are. Each runs once with the files
    compiled for gcov. Lines that gcov counts, but that no test reaches, have none."""
    folder = build.work / "map"
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "objects").mkdir(parents=True)
    objects = {}
    for path in files:
        objects[path] = folder / "objects" / (path.replace("/", "+")[:-2] + ".o")
    compiled = workers.map(lambda p: build.compile_to(p, build.work / "tree" / p, objects[p], "--coverage", "-fno-inline"), objects)
    for path, can in zip(objects, list(compiled)):
        if not can:
            sys.exit(f"mutate: {path} cannot be compiled for gcov")
    programs = sorted({p for t in tests for p in t.programs})
    list(workers.map(lambda p: build.link_to(p, folder / pathlib.Path(p).name, objects, "--coverage"), programs))
    reached, passing, broken = {}, [], []

    def look(test):
        counts = folder / "counts" / test.name
        counts.mkdir(parents=True)
        result = test.run(folder, 300, {"GCOV_PREFIX": str(counts), "GCOV_PREFIX_STRIP": "99"})
        test.seconds = getattr(test, "last_s", 300)
        lines, counted = set(), set()
        met = [o for o in objects.values() if (counts / o.with_suffix(".gcda").name).exists()]
        for o in met:
            os.symlink(o.with_suffix(".gcno"), counts / o.with_suffix(".gcno").name)
        if met:
            said = subprocess.run(["gcov", "--json-format", "--stdout", *(o.with_suffix(".gcda").name for o in met)], cwd=counts,
                                  capture_output=True, text=True).stdout
            for one in said.splitlines():
                for f in json.loads(one)["files"]:
                    path = os.path.relpath(f["file"], build.work / "tree")
                    if path in objects:
                        lines |= {(path, l["line_number"]) for l in f["lines"] if l["count"]}
                        counted |= {(path, l["line_number"]) for l in f["lines"]}
        shutil.rmtree(counts)
        return test, result, lines, counted

    for test, result, lines, counted in workers.map(look, tests):
        if result is None:
            passing.append(test)
            for line in lines | {(path, 0) for path, _ in lines}:
                reached.setdefault(line, []).append(test)
            for line in counted - lines:
                reached.setdefault(line, [])
        elif result != "skipped":
            broken.append(test.name)
    return reached, passing, broken


# ---- judging ------------------------------------------------------------------------------------------------------

def reaching(reached, text, mutant):
    """Tests that reach its line; of a statement in several lines gcov counts the first one or the last one. Of a table, whose lines
    it does not count, all that reach the file."""
    lines = text.split("\n")
    first = last = mutant.line
    while first > 1 and not re.search(r"[;{}:]\s*(/\*.*\*/)?\s*$", lines[first - 2]) and lines[first - 2].strip():
        first -= 1
    while last < len(lines) and not re.search(r"[;{}]\s*(/\*.*\*/)?\s*$", lines[last - 1]):
        last += 1
    is_code = any((mutant.file, line) in reached for line in range(first, last + 1))
    found = {t.name: t for line in (range(first, last + 1) if is_code else [0]) for t in reached.get((mutant.file, line), [])}
    return sorted(found.values(), key=lambda t: t.seconds)


def judge(build, mutant, text, original, tests, folder):
    """"not built", "same", "lives", or who killed it."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    begin, end, new = mutant.change
    source = folder / pathlib.Path(mutant.file).name
    source.write_text(text[:begin] + new + text[end:])
    o = folder / "mutant.o"
    if not build.compile_to(mutant.file, source, o):
        return "not built"
    if o.read_bytes() == original:
        return "same"
    linked, spent_s = set(), 0.0
    for test in tests:
        if spent_s > LONGEST_S:
            break
        spent_s += test.seconds
        for program in set(test.programs) - linked:
            build.link_to(program, folder / pathlib.Path(program).name, {mutant.file: o})
            linked.add(program)
        if test.run(folder, 5 + 10 * test.seconds) in ("failed", "too long"):
            return test.name
    return "lives"


def copy_tree(root, work):
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=root, capture_output=True).stdout
    files = [os.fsdecode(f) for f in listed.split(b"\0") if f]
    if not files:  # no repository
        files = [os.path.relpath(f, root) for f in root.rglob("*") if f.is_file() and work not in f.parents]
    for file in files:
        if (root / file).exists():
            (work / "tree" / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / file, work / "tree" / file, follow_symlinks=False)


def wanted_lines(root, files):
    """file -> set of lines, None for all."""
    if files:
        return {os.path.relpath(os.path.abspath(f), root): None for f in files}
    said = subprocess.run(["scripts/changed.sh", "--lines"], cwd=root, capture_output=True, text=True, check=True).stdout
    out = {}
    for one in said.split():
        file, first, last = re.match(r"(.*):(\d+)-(\d+)$", one).groups()
        out.setdefault(file, set()).update(range(int(first), int(last) + 1))
    return out


def main():
    p = argparse.ArgumentParser(prog="mutate.sh")
    p.add_argument("--root", type=pathlib.Path, required=True)
    p.add_argument("--build", type=pathlib.Path, required=True)
    p.add_argument("--work", type=pathlib.Path, required=True)
    p.add_argument("--seed", type=int, default=datetime.date.today().toordinal())
    p.add_argument("--minutes", type=float, default=10)
    p.add_argument("--most", type=float, default=30)
    p.add_argument("files", nargs="*")
    a = p.parse_args()
    shutil.rmtree(a.work, ignore_errors=True)
    copy_tree(a.root, a.work)
    build = Build(a.root.resolve(), a.build.resolve(), a.work.resolve())
    if (build.folder / "tests" / "generated").is_dir():
        shutil.copytree(build.folder / "tests" / "generated", build.work / "generated")

    texts, mutants = {}, []
    for file, lines in sorted(wanted_lines(build.root, a.files).items()):
        if file not in build.compile:
            if a.files:
                sys.exit(f"mutate: {file} is no C file of the program")
            continue
        text = (build.work / "tree" / file).read_text()
        if DANGEROUS.search(blank(text)):
            print(f"left out, since it ends processes or removes files: {file}")
            continue
        found = [m for m in (Mutant(file, text, c) for c in changes_of(text)) if lines is None or m.line in lines]
        if found:
            texts[file] = text
            mutants += found
    print(f"seed {a.seed}: {len(mutants)} mutants of {len(texts)} files", flush=True)
    if not mutants:
        return 0
    random.Random(a.seed).shuffle(mutants)
    some = list(dict.fromkeys(m.file for m in mutants))[:MOST_FILES]
    if len(some) < len(texts):
        print(f"of these {MOST_FILES} files alone, which the seed tells: more would take the time to find what reaches them")
        texts = {file: texts[file] for file in some}
        mutants = [m for m in mutants if m.file in texts]

    with ThreadPoolExecutor(os.cpu_count()) as workers:
        begin = time.monotonic()
        reached, passing, broken = map_lines(build, tests_of(build), texts, workers)
        print(f"{len(passing)} tests tell which lines they reach ({time.monotonic() - begin:.0f} s)"
              + (f"; not used, since they fail here unchanged: {' '.join(broken)}" if broken else ""), flush=True)
        if not passing:
            sys.exit("mutate: no test passes as it is")
        until = time.monotonic() + 60 * a.minutes  # of trying: what finds the tests takes as long as the machine is slow
        originals = {}
        for file in texts:
            o = build.work / "original.o"
            name = build.work / pathlib.Path(file).name
            shutil.copy(build.work / "tree" / file, name)  # beside the mutants, so that only the change differs
            if not build.compile_to(file, name, o):
                sys.exit(f"mutate: {file} cannot be compiled")
            originals[file] = o.read_bytes()
        free = [build.work / f"worker{i}" for i in range(os.cpu_count())]

        def one(mutant):
            if time.monotonic() > until:
                return mutant, "not reached"
            folder = free.pop()
            try:
                tests = reaching(reached, texts[mutant.file], mutant)
                return mutant, judge(build, mutant, texts[mutant.file], originals[mutant.file], tests, folder)
            finally:
                free.append(folder)

        results = list(workers.map(one, mutants))
    count = {k: sum(r == k for _, r in results) for k in ("not built", "same", "not reached", "lives")}
    n = len(results) - count["not built"] - count["same"] - count["not reached"]
    for mutant, result in sorted(results, key=lambda r: (r[0].file, r[0].line)):
        if result == "lives":
            none = "" if reaching(reached, texts[mutant.file], mutant) else "  (no test reaches the line)"
            print(f"lives: {mutant}{none}")
    print(f"{n} mutants tested: {n - count['lives']} died, {count['lives']} live; {count['not built']} do not compile, "
          f"{count['same']} are the same program, {count['not reached']} not tried in {a.minutes:g} minutes (seed {a.seed})")
    if not n and count["not reached"]:
        sys.exit("mutate: no mutant was tested; is there time for more (--minutes)?")
    if n >= FEW and 100 * count["lives"] > a.most * n:
        sys.exit(f"mutate: {count['lives']} of {n} live, want {a.most:g} % at most: which test would see the change?")
    return 0


sys.exit(main())
