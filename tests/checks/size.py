"""The work of size.cmake: counts the product, and holds it to a table.   size.py ROOT TABLE"""
import collections
import os
import re
import subprocess
import sys
import tarfile

ROOMS = ("core", "hwdb", "model", "measure", "reports", "cli", "include", "runners")
ENDINGS = (".c", ".h", ".def")
SHORT = 12  # lines of a function, with its head and its braces
FEW = 2  # files that include a header
PRELUDE = "core/core.h"  # who includes it includes what it names
KINDS = {
    "lines": "lines of product code",
    "called_once": f"functions of at most {SHORT} lines that are called once",
    "same_name": "static functions with a name that a function of another file has",
    "few_includers": f"private headers with at most {FEW} includers",
}
HEAD = """# The most that each room may have; the test `size` holds it, and CONTRIBUTING.md says how it is changed. Rows are apart, and
# git keeps both of a row that two branches changed (.gitattributes), so that they merge: the next update leaves one.
"""

# Texts and comments are taken out, so that what they name is neither a call nor a definition; so are directives, but for what a
# macro names: of a function in a macro nobody can tell how often it is called.
TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|^[ \t]*#(?:\\\n|/\*.*?\*/|[^\n])*', re.S | re.M)
DEFINE = re.compile(r"[ \t]*#[ \t]*define\b")
INCLUDE = re.compile(r'[ \t]*#[ \t]*include[ \t]*"([^"]+)"')
# clang-format begins a function, and ends it, at the first column; nothing else has a brace there behind a parenthesis.
FUNCTION = re.compile(r"^(?!typedef\b)([A-Za-z_][\w \t*]*?[ *])(\w+)\([^;{}]*\)\n\{.*?^\}", re.S | re.M)
PROTOTYPE = re.compile(r"^static [^;{}()=]*?(\w+)\([^;{}]*\);", re.M)
NAME = re.compile(r"(?<![.\w])(?<!->)([A-Za-z_]\w*)(\()?")  # not a member's


def count(files):
    """files: path -> text. Of each kind: (room, what) -> how many; of lines what is the file, else what is new if it is not there."""
    found = {kind: collections.Counter() for kind in KINDS}
    statics, definers, includers = [], collections.defaultdict(set), collections.Counter()
    for path, text in files.items():
        found["lines"][path] = text.count("\n")
        in_macros, included = set(), set()

        def code(token):
            s = token.group()
            if s.lstrip()[:1] == "#":
                if DEFINE.match(s):
                    in_macros.update(name for name, _ in NAME.findall(s))
                included.update(INCLUDE.findall(s))
            return "\n" * s.count("\n")

        text = TOKEN.sub(code, text)
        includers.update(included)
        uses, calls = collections.Counter(), collections.Counter()
        for name, call in NAME.findall(text):
            uses[name] += 1
            calls[name] += bool(call)
        uses.subtract(PROTOTYPE.findall(text))
        calls.subtract(PROTOTYPE.findall(text))
        for m in FUNCTION.finditer(text):
            name = m.group(2)
            definers[name].add(path)
            if re.search(r"\bstatic\b", m.group(1)):
                statics.append((path, name))
                # itself and one call, and nowhere its address
                if m.group().count("\n") < SHORT and uses[name] == calls[name] == 2 and name not in in_macros:
                    found["called_once"][f"{path}: {name}"] = 1
    for path, name in statics:
        if len(definers[name]) > 1:
            found["same_name"][f"{path}: {name}"] = 1
    for path in INCLUDE.findall(files.get(PRELUDE, "")):
        includers[path] += includers[PRELUDE]
    for path in files:
        if path.endswith(".h") and not path.startswith("include/") and includers[path] <= FEW:
            found["few_includers"][path] = 1
    return found


def by_room(found):
    sums = {room: dict.fromkeys(KINDS, 0) for room in ROOMS}
    for kind, what in found.items():
        for name, n in what.items():
            sums[name.split("/")[0]][kind] += n
    return sums


def tree_of(root):
    files = {}
    for room in ROOMS:
        for folder, _, names in os.walk(os.path.join(root, room)):
            for name in names:
                if name.endswith(ENDINGS):
                    path = os.path.join(folder, name)
                    with open(path, encoding="utf-8") as f:
                        files[os.path.relpath(path, root)] = f.read()
    return dict(sorted(files.items()))


def tree_before(root, table):
    """The commit that last changed the table, which then agreed with the code, and its files; None where git does not know it."""
    git = ["git", "-c", "safe.directory=*", "-C", root]
    try:
        commit = subprocess.run(git + ["log", "-1", "--format=%h", "--", table], capture_output=True, text=True).stdout.strip()
        if not commit:
            return None, {}
        there = subprocess.run(git + ["ls-tree", "--name-only", f"{commit}:./"], capture_output=True, text=True).stdout.split()
        archive = subprocess.Popen(git + ["archive", f"{commit}:./", *sorted(set(ROOMS) & set(there))], stdout=subprocess.PIPE)
        files = {}
        with tarfile.open(fileobj=archive.stdout, mode="r|") as tar:
            for entry in tar:
                if entry.isfile() and entry.name.endswith(ENDINGS):
                    files[entry.name] = tar.extractfile(entry).read().decode()
        archive.wait()
        return commit, files
    except (OSError, tarfile.TarError, UnicodeDecodeError):
        return None, {}


def read_table(table):
    """The limits, and whether it is as this program writes it. Of two rows of a room, which a merge leaves, the higher ones."""
    limits = {room: dict.fromkeys(KINDS, 0) for room in ROOMS}
    with open(table, encoding="utf-8") as f:
        text = f.read()
    for line in text.splitlines():
        words = line.partition("#")[0].split()
        if words:
            if words[0] not in limits or len(words) != 1 + len(KINDS) or not all(w.isdecimal() for w in words[1:]):
                sys.exit(f"{table}: no row of a room: {line}")
            for kind, word in zip(KINDS, words[1:]):
                limits[words[0]][kind] = max(limits[words[0]][kind], int(word))
    return limits, text


def written(sums):
    head = "#room    " + "".join(f"{kind:>15}" for kind in KINDS)
    rows = [f"{room:<9}" + "".join(f"{sums[room][kind]:>15}" for kind in KINDS) for room in ROOMS]
    return HEAD + "\n\n".join([head] + rows) + "\n"


def main():
    root, table = sys.argv[1:3]
    command = "ctest --preset release -R '^size$'"
    files = tree_of(root)
    if not files:
        sys.exit(f"{root} has no product code")
    found = count(files)
    sums = by_room(found)
    update = os.environ.get("ROOF_UPDATE_GOLDEN", "")
    if update == "raise":
        with open(table, "w", encoding="utf-8") as f:
            f.write(written(sums))
    limits, text = read_table(table)
    above = [(room, kind) for room in ROOMS for kind in KINDS if sums[room][kind] > limits[room][kind]]
    if update == "1":
        text = written({r: {k: min(sums[r][k], limits[r][k]) for k in KINDS} for r in ROOMS})
        with open(table, "w", encoding="utf-8") as f:
            f.write(text)
    for kind, says in KINDS.items():
        print(f"{sum(s[kind] for s in sums.values())} {says}")
    if above:
        commit, files = tree_before(root, table)
        before = count(files) if commit else None
        for room, kind in above:
            print(f"{room}: {sums[room][kind]} {KINDS[kind]}, and {limits[room][kind]} is the most" +
                  (f"; more than in {commit}:" if commit else "; git does not know what is new"))
            for name, n in found[kind].items() if commit else ():
                more = n - before[kind][name]
                if name.split("/")[0] == room and more > 0:
                    print(f"  {name}" + (f": {more} more" if kind == "lines" else ""))
        print("Merge before you add: put it where what is alike stands, inline what is called once, give a name of its own.\n"
              "A change that needs more raises the table, and its commit says what it merged instead:\n"
              f"  ROOF_UPDATE_GOLDEN=raise {command}")
    below = [f"{room}: {sums[room][kind]} {KINDS[kind]}, and the table still has {limits[room][kind]}"
             for room in ROOMS for kind in KINDS if sums[room][kind] < limits[room][kind]] if text != written(sums) else []
    if below and update != "1":
        print("\n".join(below) + f"\nThat is less than was: keep it in the same commit:\n  ROOF_UPDATE_GOLDEN=1 {command}")
    elif text != written(sums) and not above:
        print(f"{table} is not as this test writes it, as after a merge:\n  ROOF_UPDATE_GOLDEN=1 {command}")
    return 1 if text != written(sums) else 0


sys.exit(main())
