#!/usr/bin/env python3
"""Makes docs/schema/*.json and the tables of members in docs/formats/*.md of docs/members/*.txt.

usage: formats.py                      writes
       formats.py --check              compares only, and prints what differs (ROOF_UPDATE_GOLDEN: writes)
       formats.py --written FILE...    prints members that are described, and that none of these documents has,
                                       except for those of tests/schema/unwritten.txt (ROOF_UPDATE_GOLDEN: writes)
       formats.py --columns            prints columns of expected CSV that no document describes

A description is a line a member:

    NAME[?]  KIND [UNIT]  MEANING       ?: it may be absent

with two spaces or more between its columns; members of an object stand below it, two spaces further in. A
unit stands there where the name does not carry it (UNITS). Links are those of a page in docs/formats.
`csv NAME  KIND  MEANING` at the left is a column that CSV alone has; letters in capitals stand for any name.
CSV has members by their names, or by those of their objects (OBJECT_MEMBER), and an answer as NAME_kind,
NAME_low_UNIT, NAME_high_UNIT and NAME_left_out. `records  PATH` says which objects are its records; members
of these that are marked with ! behind their names are caveats, which CSV has to have. `kind NAME  KIND  MEANING` names a kind that several members have, and `any of  A | B` says that
an object has one of these members at least. The first line is `roofline.NAME/VERSION  KIND  MEANING`.

KIND: text, flag, count (whole, 0 or more), whole, amount (0 or more), number, any, null, object, closed (an
object without other members), words(a, b, "c d"), const(x), /pattern/, [KIND] (a list; [KIND]*1..3), {KIND}
(an object of any names; {NAMES: KIND}), a kind that was named, a range behind it (1..256) or (>0), and A|B.
"""
import glob
import json
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SUFFIX = " Fields may be added without a new version. A value that is not known is null, never 0."
TYPES = {"text": "string", "flag": "boolean", "count": "integer", "whole": "integer", "amount": "number",
         "number": "number", "object": "object", "closed": "object", "null": "null"}
PEOPLE = {"flag": "true, false", "amount": "number >= 0", "whole": "whole number", "closed": "object"}


UNITS = [("_bytes_per_s", "bytes/s"), ("_ops_per_s", "operations/s"), ("_per_s", "1/s"), ("_per_j", "1/J"), ("_s", "s"),
         ("_bytes", "bytes"), ("_hz", "Hz"), ("_cycles", "cycles"), ("_j", "J"), ("_w", "W")]


class Kind:
    """One alternative: what, with its constraints; of lists and maps what they hold."""

    def __init__(self, what, **more):
        self.what, self.limits, self.words, self.item, self.names = what, {}, None, None, None
        self.__dict__.update(more)


class Member:
    def __init__(self, name, kinds, unit, meaning, is_optional):
        self.name, self.kinds, self.unit, self.meaning = name, kinds, unit, meaning
        self.is_optional, self.members, self.needs, self.is_caveat = is_optional, [], [], False


def number(text):
    return int(text) if re.fullmatch(r"-?\d+", text) else float(text)


class Reader:
    """KIND, by descent; `at` is where it is in the text."""

    def __init__(self, text):
        self.text, self.at = text, 0

    def take(self, pattern):
        found = re.compile(pattern).match(self.text, self.at)
        if found:
            self.at = found.end()
        return found

    def kinds(self):
        all_kinds = [self.kind()]
        while self.take(r"\|"):
            all_kinds.append(self.kind())
        return all_kinds

    def kind(self):
        if found := self.take(r"/((?:[^/\\]|\\.)*)/"):
            kind = Kind("text", limits={"pattern": found[1]})
        elif self.take(r"\["):
            kind = Kind("list", item=self.kinds())
            self.expect(r"\]")
            if found := self.take(r"\*(\d*)\.\.(\d*)"):
                kind.limits = {key: int(n) for key, n in zip(("minItems", "maxItems"), found.groups()) if n}
        elif self.take(r"\{"):
            kind = Kind("map", item=self.kinds())
            if self.take(r": "):
                kind.names, kind.item = kind.item, self.kinds()
            self.expect(r"\}")
        elif found := self.take(r"words\(([^)]*)\)"):
            kind = Kind("words", words=[w.strip().strip('"') for w in found[1].split(",")])
        elif found := self.take(r"const\(([^)]*)\)"):
            kind = Kind("const", words=[found[1]])
        else:
            kind = Kind(self.expect(r"[a-z_0-9]+")[0])
        if found := self.take(r"\(>([-\d.e]+)\)"):
            kind.limits["exclusiveMinimum"] = number(found[1])
        elif found := self.take(r"\(([-\d.e]*?)\.\.([-\d.e]*)\)"):
            keys = ("minLength", "maxLength") if kind.what == "text" else ("minimum", "maximum")
            kind.limits.update({key: number(n) for key, n in zip(keys, found.groups()) if n})
        return kind

    def expect(self, pattern):
        found = self.take(pattern)
        if not found:
            raise ValueError(f"want {pattern} at '{self.text[self.at:]}' of '{self.text}'")
        return found


def holder(kind):
    """The kind that a list or a map holds in the end."""
    while kind.what in ("list", "map"):
        kind = kind.item[0]
    return kind


def holds_object(kind):
    """The members below a list or a map are those of what it holds; else a map's own, beside any others."""
    return holder(kind).what in ("object", "closed")


class Description:
    """A document; `shared` has kinds of several of them."""

    def __init__(self, path, shared):
        self.shared = shared
        with open(path, encoding="utf-8") as file:
            lines = [line.rstrip("\n") for line in file]
        self.id, kind, self.meaning = re.split(r"  +", lines[0], maxsplit=2)
        self.name, self.version = re.fullmatch(r"roofline\.(\w+)/(\d+)", self.id).groups()
        self.root = Member("", [Kind(kind)], "", self.meaning, False)
        self.kinds, self.columns, self.records, self.in_csv = {}, [], None, []
        self.root.members.append(Member("schema", [Kind("const", words=[self.id])], "", "", False))
        parents = [self.root]
        for n, line in enumerate(lines[1:], 2):
            if line.strip() and not line.startswith("#"):
                try:
                    self.take(line, parents)
                except (ValueError, IndexError) as fault:
                    sys.exit(f"{path}:{n}: {fault}")

    def take(self, line, parents):
        depth, text = (len(line) - len(line.lstrip())) // 2, line.strip()
        is_kind, is_column = [bool(re.match(word + r" \S", text)) for word in ("kind", "csv")]
        name, kind, *meaning = re.split(r"  +", text.partition(" ")[2] if is_kind or is_column else text, maxsplit=2)
        if name == "any of":
            parents[depth].needs = kind.split(" | ")
            return
        if name == "records":
            self.records = kind
            return
        is_caveat, name = name.endswith("!"), name.rstrip("!")
        unit = re.search(r" \[([^\]]*)\]$", kind)
        reader = Reader(kind[:unit.start()] if unit else kind)
        carried = next((u for end, u in UNITS if name.rstrip("?").endswith(end)), "") if not is_kind else ""
        member = Member(name.rstrip("?"), reader.kinds(), unit[1] if unit else carried, "".join(meaning),
                        name.endswith("?"))
        member.is_caveat = is_caveat
        reader.expect("$")
        if unit and unit[1] == carried:
            raise ValueError(f"{name} carries its unit")
        if is_column:
            self.columns.append(member)
        elif is_kind:
            self.kinds[member.name] = member
        else:
            parents[depth].members.append(member)
        parents[depth + 1:] = [member]

    # ---- the schema ----

    def one(self, kind, member):
        """The schema of one alternative."""
        if kind.what == "words":
            return {"enum": [None if w == "null" else w for w in kind.words]}
        if kind.what == "const":
            return {"const": kind.words[0]}
        if kind.what == "any":
            return {}
        if kind.what == "list":
            return {"type": "array", **kind.limits, "items": self.schema(kind.item, member)}
        if kind.what == "map":
            names = {"propertyNames": self.schema(kind.names, None)} if kind.names else {}
            if member and member.members and not holds_object(kind):
                names = self.object(kind, member)
            return {"type": "object", **names, "additionalProperties": self.schema(kind.item, None)
                    if names else self.schema(kind.item, member)}
        if kind.what in ("object", "closed"):
            return self.object(kind, member)
        if kind.what not in TYPES:
            if kind.what not in self.kinds and not (self.shared and kind.what in self.shared.kinds):
                sys.exit(f"{self.id}: no kind {kind.what}")
            self.kinds.setdefault(kind.what, self.kinds.get(kind.what) or self.shared.kinds[kind.what])
            return {"$ref": f"#/$defs/{kind.what}"}
        least = {"minimum": 0} if kind.what in ("count", "amount") else {}
        return {"type": TYPES[kind.what], **least, **kind.limits}

    def object(self, kind, member):
        node = {"type": "object"}
        required = [m.name for m in member.members if not m.is_optional]
        if required:
            node["required"] = required
        if kind.what == "closed":
            node["additionalProperties"] = False
        if member.needs:
            node["anyOf"] = [{"required": [name]} for name in member.needs]
        if member.members:
            node["properties"] = {m.name: self.described(m) for m in member.members}
        return node

    def schema(self, kinds, member):
        nodes = [self.one(kind, member) for kind in kinds]
        if len(nodes) == 1:
            return nodes[0]
        if all("type" in node for node in nodes) and sum(len(node) > 1 for node in nodes) <= 1:
            whole = {"type": [node["type"] for node in nodes]}
            for node in nodes:
                whole.update({key: value for key, value in node.items() if key != "type"})
            return whole
        is_or_null = len(nodes) == 2 and {"type": "null"} in nodes
        return {"oneOf" if is_or_null else "anyOf": nodes}

    def described(self, member):
        node = self.schema(member.kinds, member)
        says = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", member.meaning).replace("`", "")
        if member.unit:
            says = f"{says.rstrip('.')} [{member.unit}]." if says else f"[{member.unit}]"
        return {**node, "description": says} if says else node

    def json(self):
        node = {"$schema": "https://json-schema.org/draft/2020-12/schema",
                "$id": f"https://roofline.invalid/schema/{self.name}-{self.version}.schema.json",
                "title": self.id, "description": self.meaning + SUFFIX, **self.schema(self.root.kinds, self.root)}
        done = {}
        while todo := [name for name in self.kinds if name not in done]:
            done.update({name: self.described(self.kinds[name]) for name in todo})
        if done:
            node["$defs"] = done
        return written(node, "") + "\n"

    # ---- tables ----

    def people(self, kinds, link):
        """KIND in words; link: where the table of a kind is, None where its members stand below."""
        words = []
        for kind in kinds:
            low, high = [kind.limits.get(key) for key in ("minimum", "maximum")]
            if kind.what == "words":
                text = ", ".join("null" if w == "null" else f"`{w}`" if w else "empty" for w in kind.words)
            elif kind.what == "const":
                text = f'`"{kind.words[0]}"`'
            elif kind.what in ("list", "map"):
                text = ("list of " if kind.what == "list" else "by name: ") + self.people(kind.item, link)
            elif kind.what in self.kinds and not self.kinds[kind.what].members:
                text = self.people(self.kinds[kind.what].kinds, link)
            elif kind.what in self.kinds or kind.what == "object" and link("object"):
                text = f"[{kind.what}]({link(kind.what)})"
            else:
                text = PEOPLE.get(kind.what, kind.what)
            if low is not None and high is not None:
                text = f"{PEOPLE.get(kind.what, 'number')}, {low:g} to {high:g}"
            elif low:
                text = f"{PEOPLE.get(kind.what, 'number')}, from {low:g}"
            words.append(text)
        return " or ".join(words)

    def rows(self, members, prefix, base, links):
        for m in members:
            leaf, name = m.kinds[0], prefix + m.name
            inner = name
            while leaf.what in ("list", "map"):
                inner += "[]" if leaf.what == "list" else ".NAME"
                leaf = leaf.item[0]
            at = links.get((self.name, base + inner)) if m.members else None
            kind = self.people(m.kinds, lambda what, at=at: at or links.get((self.name, what)) or links.get(("shared", what)))
            mark = "" if m.is_optional or m in self.columns else " *"
            yield f"`{name}`{mark}{' C' if m in self.in_csv else ''}", kind, m.unit, m.meaning
            if m.members and not at:
                yield from self.rows(m.members, inner + ".", base, links)

    def find(self, path):
        """The member at layers[].bytes, or in the kind of that name."""
        first, *names = [name.removesuffix("[]") for name in path.split(".")] if path else [None]
        member = self.kinds.get(first, self.root)
        for name in names if member != self.root or not first else [first, *names]:
            member = next(m for m in member.members if m.name == name)
        return member

    def table(self, path, links):
        lines = ["| member | kind | unit | meaning |", "| --- | --- | --- | --- |"]
        members = self.columns if path == "csv" else self.find(path).members
        for cells in self.rows(members, "", path + "." if path else "", links):
            cells = [re.sub(r"(?<!\\)\|", r"\\|", cell) for cell in cells]
            lines.append("| " + " | ".join(cells).replace("|  |", "| |").replace("|  |", "| |") + " |")
        return "\n".join(lines) + "\n"


def written(node, indent, is_table=False):
    """JSON with a line a member."""
    flat = json.dumps(node, ensure_ascii=False)
    if not is_table and '"properties"' not in flat and '"$defs"' not in flat:
        return flat
    inner = indent + "  "
    if isinstance(node, list):
        return "[\n" + ",\n".join(inner + written(item, inner) for item in node) + f"\n{indent}]"
    items = [f"{inner}{json.dumps(key)}: {written(value, inner, key in ('properties', '$defs') and not is_table)}"
             for key, value in node.items()]
    return "{\n" + ",\n".join(items) + f"\n{indent}}}"


MARK = re.compile(r"<!-- members of ([a-z_]+)(?:: ([^ ]+))? -->\n.*?<!-- end of members -->\n", re.S)


def slug(heading):
    """The anchor that GitHub and MkDocs give a heading."""
    return re.sub(r"[^\w -]", "", heading.lower()).strip().replace(" ", "-")


def links_of(pages, descriptions):
    """Where the table of each path is: below which heading of which page."""
    links = {}
    for file, text in pages.items():
        for found in MARK.finditer(text):
            headings = re.findall(r"^#+ (.*)$", text[:found.start()], re.M)
            links[(found[1], found[2] or "")] = (file, slug(headings[-1]))
    for name, d in descriptions.items():
        if (name, "rest") in links:
            for kind, m in d.kinds.items():
                if m.members and (name, kind) not in links and ("shared", kind) not in links:
                    links[(name, kind)] = (links[(name, "rest")][0], kind)
    return links


def page(file, text, descriptions, links):
    """The page with its tables made anew. `rest` stands for the kinds that no other mark names."""
    near = {key: (f"#{at}" if here == file else os.path.relpath(here, os.path.dirname(file)) + f"#{at}")
            for key, (here, at) in links.items()}
    marked = {(name, path) for name, path in MARK.findall(text)}

    def table(found):
        name, path = found[1], found[2] or ""
        d = descriptions[name]
        if path == "rest":
            rest = [(kind, m) for kind, m in d.kinds.items()
                    if (name, kind) in links and (name, kind) not in marked]
            made = "\n".join(f"### {kind}\n{m.meaning + chr(10) if m.meaning else ''}\n{d.table(kind, near)}"
                             for kind, m in rest)
        else:
            made = d.table(path, near)
        mark = f"<!-- members of {name}{': ' + path if path else ''} -->\n"
        return f"{mark}{made}<!-- end of members -->\n"
    return MARK.sub(table, text)


def note_written(d, members, node, seen):
    """Notes each member of the object in seen; both ways, since a kind may hold itself."""
    for m in members:
        if not isinstance(node, dict) or m.name not in node:
            continue
        seen.add((d.name, id(m)))
        todo = [(node[m.name], m, m.kinds)]
        while todo:
            value, of, kinds = todo.pop()
            for kind in kinds:
                if kind.what in d.kinds:
                    todo.append((value, d.kinds[kind.what], d.kinds[kind.what].kinds))
                elif kind.what == "list" and isinstance(value, list):
                    todo += [(item, of, kind.item) for item in value]
                elif kind.what == "map" and isinstance(value, dict) and (not of.members or holds_object(kind)):
                    todo += [(item, of, kind.item) for item in value.values()]
                elif isinstance(value, dict):
                    note_written(d, of.members, value, seen)


def never_written(descriptions, files):
    seen = set()
    for file in files:
        with open(file, encoding="utf-8", errors="replace") as text:
            try:
                document = json.loads(text.read())
            except ValueError:
                continue
        found = re.fullmatch(r"roofline\.(\w+)/\d+", str(document.get("schema"))) if isinstance(document, dict) else None
        if found and found[1] in descriptions:
            d = descriptions[found[1]]
            note_written(d, d.root.members, document, seen)

    def unseen(d, member, path):
        for m in member.members:
            if (d.name, id(m)) in seen:
                yield from unseen(d, m, f"{path}{m.name}.")
            else:
                yield f"{d.name} {path}{m.name}"
    missing = [line for d in descriptions.values() if d.name != "shared"
               for of, path in [(d.root, ""), *((kind, f"{name}.") for name, kind in d.kinds.items())]
               for line in unseen(d, of, path)]
    path = os.path.join(ROOT, "tests", "schema", "unwritten.txt")
    if "ROOF_UPDATE_GOLDEN" in os.environ:
        with open(path, "w", encoding="utf-8") as file:
            file.write("".join(f"{line}\n" for line in missing))
    with open(path, encoding="utf-8") as file:
        known = file.read().splitlines()
    for line in missing:
        if line not in known:
            print(f"no document has {line}, which docs/members describes")
    for line in known:
        if line not in missing:
            print(f"a document has {line} now: take it out of {path}")
    return missing != known


def records_of(d):
    """The members of a record of CSV, also those of objects in it: (member, names that CSV may have for it)."""
    def inside(members, prefix):
        for m in members:
            names = [m.name, f"{prefix}_{m.name}"] if prefix else [m.name]
            names += [f"{m.name}_kind"] if m.kinds[0].what == "answer" else []
            yield m, names
            kind = d.kinds.get(m.kinds[0].what)
            if not prefix and m.kinds[0].what not in ("answer", "list", "map"):
                yield from inside(m.members or (kind.members if kind else []), m.name)
    member = d.find(d.records) if d.records else None
    kind = member and d.kinds.get(holder(member.kinds[0]).what)
    return list(inside(member.members or kind.members, "")) if member else []


def column_names(d):
    """The columns that CSV of a document may have: names, and patterns of those with capitals."""
    names = {c.name for c in d.columns}

    def add(members, prefix):
        for m in members:
            leaf = m.kinds[0]
            names.update([m.name, f"{prefix}_{m.name}"])
            if leaf.what == "answer":
                unit = next((end for end, u in UNITS if u == m.unit and end in ("_s", "_per_s")), "")
                names.update(f"{m.name}_{end}" for end in ("kind", "low" + unit, "high" + unit, "left_out"))
            elif leaf.what in d.kinds and prefix != m.name:
                add(d.kinds[leaf.what].members, m.name)
            add(m.members, m.name)
    add(d.root.members, "")
    for name, kind in d.kinds.items():
        add(kind.members, name)
    return names, [pattern_of(c) for c in d.columns if pattern_of(c) != c.name]


def pattern_of(column):
    return re.sub(r"[A-Z]+", "[A-Za-z0-9_]+", column.name)


def expected_csv(descriptions):
    """(file, header, document, columns that it does not describe) of each CSV that tests expect."""
    places = ("tests/golden/*/outfile.csv", "tests/golden/*csv*/stdout", "tests/curves/*.csv", "examples/*/review/report.csv")
    known = {name: column_names(d) for name, d in descriptions.items() if name != "shared"}
    for file in sorted(file for place in places for file in glob.glob(os.path.join(ROOT, place))):
        with open(file, encoding="utf-8", errors="replace") as text:
            head = text.readline().rstrip("\r\n").split(",")
        is_of_sweep = "/sweep-" in file  # docs/sweep.md has their columns
        if is_of_sweep or len(head) < 3 or not all(re.fullmatch(r"[A-Za-z0-9_]+", name) for name in head):
            continue
        missing = {name: [c for c in head if c not in names and not any(re.fullmatch(p, c) for p in patterns)]
                   for name, (names, patterns) in known.items()}
        best = min(missing, key=lambda name: len(missing[name]))
        yield os.path.relpath(file, ROOT), head, descriptions[best], missing[best]


def unknown_columns(descriptions):
    used, heads, faults = set(), {}, []
    for file, head, d, missing in expected_csv(descriptions):
        heads.setdefault(d.name, []).append((file, head))
        used |= {(d.name, c.name) for c in d.columns for h in head if re.fullmatch(pattern_of(c), h)}
        if missing:
            faults.append(f"{file}: docs/members/{d.name}.txt does not describe {', '.join(missing)}")
    for name, d in descriptions.items():
        caveats = [(m.name, names) for m, names in records_of(d) if m.is_caveat]
        for file, head in heads.get(name, []):
            lacks = [of for of, names in caveats if not set(names) & set(head)]
            if 0 < len(lacks) < len(caveats):
                faults.append(f"{file}: lacks what is a caveat in {name}: {', '.join(lacks)}")
        if caveats and name not in heads:
            faults.append(f"docs/members/{name}.txt: no CSV has its records")
        faults += [f"docs/members/{name}.txt: no CSV has the column {c.name}" for c in d.columns
                   if (name, c.name) not in used]
    print(*faults, sep="\n")
    return faults


def main():
    is_check = "--check" in sys.argv and "ROOF_UPDATE_GOLDEN" not in os.environ
    folder, faults = os.path.join(ROOT, "docs"), 0
    members = os.path.join(folder, "members")
    shared = Description(os.path.join(members, "shared.txt"), None)
    files = sorted(file for file in os.listdir(members) if file != "shared.txt")
    read = [Description(os.path.join(members, file), shared) for file in files]
    wanted = {f"schema/{d.name}-{d.version}.schema.json": d.json() for d in read}
    descriptions = {d.name: d for d in [shared, *read]}
    if sys.argv[1:2] == ["--columns"]:
        return 1 if unknown_columns(descriptions) else 0
    if sys.argv[1:2] == ["--written"]:
        return 1 if never_written(descriptions, sys.argv[2:]) else 0
    for _, head, d, _ in expected_csv(descriptions):
        d.in_csv += [m for m, names in records_of(d) if set(names) & set(head)]
    pages = {}
    for file in ["formats.md", *(f"formats/{name}" for name in sorted(os.listdir(f"{folder}/formats")))]:
        with open(os.path.join(folder, file), encoding="utf-8") as now:
            pages[file] = now.read()
    links = links_of(pages, descriptions)
    wanted.update({file: page(file, text, descriptions, links) for file, text in pages.items()})
    for name, text in wanted.items():
        path, now = os.path.join(folder, name), ""
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                now = file.read()
        if now == text:
            continue
        faults += 1
        if is_check:
            print(f"docs/{name} is not what docs/members says; scripts/formats.py writes it")
        else:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
    return 1 if is_check and faults else 0


if __name__ == "__main__":
    sys.exit(main())
