#!/usr/bin/env python3
"""Work grows as networks do: with twice as many sources of an operator, or readers of a tensor, no function takes much more than
twice the instructions, in any command.

    growth.py PROGRAM WORK

Instructions are counted by valgrind, of each function, as time depends on what else a machine does. A function that is a small
part of all does not count. ROOFLINE_THOROUGH=1 takes all networks and commands, else a sample.
"""
import os, re, shutil, struct, subprocess, sys

is_thorough = "ROOFLINE_THOROUGH" in os.environ
FEW = 400  # sources; and twice as many
MOST = 2.8  # times the instructions of a function with twice the sources: 4 is quadratic, and sorting is 2.2
LEAST_SHARE = 100  # the part of all that counts: 1 %

program, work = os.path.abspath(sys.argv[1]), sys.argv[2]
valgrind, annotate = shutil.which("valgrind"), shutil.which("callgrind_annotate")
if not valgrind or not annotate:
    print("SKIPPED: needs valgrind")
    sys.exit(0)

# --- networks ----------------------------------------------------------------------------------------------------------
# Operators: (type, inputs, output), with tensors by name. "x" is the input, "w" a weight.

SIDE, CHANNELS = 4, 8


def networks(n):
    """Name -> operators, outputs."""
    branches = [f"t{i}" for i in range(n)]
    behind = [f"t{i - 1}" if i else "x" for i in range(n)]
    relu = [("Relu", ["x"], name) for name in branches]
    conv = [("Conv", ["x", "w"], name) for name in branches]
    return {
        "sum": (relu + [("Sum", branches, "y")], ["y"]),
        "concat": (relu + [("Concat", branches, "y")], ["y"]),
        "sum of products": (conv + [("Sum", branches, "y")], ["y"]),
        "concat of products": (conv + [("Concat", branches, "y")], ["y"]),
        "readers": (relu, branches),
        "products that read one tensor": (conv, branches),
        "one tensor many times": ([("Relu", ["x"], "t"), ("Sum", ["t"] * n, "y")], ["y"]),
        "residuals": ([("Add", [before, "x"], name) for before, name in zip(behind, branches)], branches[-1:]),
        "products in a row": ([("Conv", [before, "w"], name) for before, name in zip(behind, branches)], branches[-1:]),
    }


def dims_of(ops, channels_last):
    """Of what is made, by name, and of the input: the same, but for what is put behind one another."""
    def dims(channels):
        return [1, SIDE, SIDE, channels] if channels_last else [1, channels, SIDE, SIDE]
    made = {output: dims(CHANNELS * len(inputs) if kind == "Concat" else CHANNELS) for kind, inputs, output in ops}
    return made, dims(CHANNELS)


# --- ONNX --------------------------------------------------------------------------------------------------------------


def varint(n):
    out = b""
    while n > 127:
        out, n = out + bytes([n & 127 | 128]), n >> 7
    return out + bytes([n])


def field(number, value):
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    value = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(value)) + value


def onnx_value(name, dims):
    shape = b"".join(field(1, field(1, d)) for d in dims)
    return field(1, name) + field(2, field(1, field(1, 1) + field(2, shape)))


def write_onnx(path, ops, outputs):
    made, x = dims_of(ops, False)
    attributes = {"Concat": field(5, field(1, "axis") + field(3, 1) + field(20, 2)),
                  "Conv": field(5, field(1, "kernel_shape") + field(8, 1) + field(8, 1) + field(20, 7))}
    graph = b"".join(
        field(1, b"".join(field(1, name) for name in inputs) + field(2, output) + field(3, f"{kind}/{output}") +
              field(4, kind) + attributes.get(kind, b"")) for kind, inputs, output in ops)
    weight = b"".join(field(1, d) for d in (CHANNELS, CHANNELS, 1, 1)) + field(2, 1) + field(8, "w")
    graph += field(2, "wide") + field(5, weight + field(9, bytes(4 * CHANNELS * CHANNELS)))
    graph += field(11, onnx_value("x", x)) + b"".join(field(12, onnx_value(name, made[name])) for name in outputs)
    with open(path, "wb") as file:
        file.write(field(1, 8) + field(7, graph) + field(8, field(2, 13)))


# --- TFLite ------------------------------------------------------------------------------------------------------------


class Flatbuffer:
    """Written from the leaves: what is referred to lies behind what refers to it. A place is counted from the end."""

    def __init__(self):
        self.pieces, self.length = [], 0

    def put(self, data):
        data += bytes(-len(data) % 4)
        self.pieces.append(data)
        self.length += len(data)
        return self.length

    def numbers(self, items, size=4):
        return self.put(struct.pack("<I", len(items)) + b"".join(item.to_bytes(size, "little", signed=True) for item in items))

    def references(self, places):
        first = self.length + 4 * len(places)
        return self.put(struct.pack("<I", len(places)) +
                        b"".join(struct.pack("<I", first - 4 * i - place) for i, place in enumerate(places)))

    def text(self, value):
        return self.put(struct.pack("<I", len(value)) + value.encode() + b"\0")

    def table(self, places=None, **numbers):
        """places: {field: place}; numbers: f3=1 is field 3. All fields have four bytes."""
        fields = {**{int(name[1:]): number for name, number in numbers.items()}, **(places or {})}
        order, end = sorted(fields), self.length + 4 * len(fields)
        values = b"".join(struct.pack("<I", end - 4 * i - fields[f]) if places and f in places else struct.pack("<i", fields[f])
                          for i, f in enumerate(order))
        offsets = [4 + 4 * order.index(f) if f in fields else 0 for f in range(max(fields) + 1)]
        vtable = struct.pack(f"<HH{len(offsets)}H", 4 + 2 * len(offsets), 4 + len(values), *offsets)
        vtable += bytes(-len(vtable) % 4)  # it lies before its table
        table = self.put(struct.pack("<i", len(vtable)) + values)
        self.put(vtable)
        return table

    def file(self, root):
        return struct.pack("<I", self.length + 8 - root) + b"TFL3" + b"".join(reversed(self.pieces))


def write_tflite(path, ops, outputs):
    made, x = dims_of(ops, True)
    builtins = {"Add": 0, "Concat": 2, "Conv": 3, "Relu": 19, "Sum": 106}  # of schema.fbs; 106 is ADD_N
    int8, concatenation_options, conv_options = 9, 10, 1
    kinds = sorted({kind for kind, _, _ in ops})
    tensors = {"x": x, "w": [CHANNELS, 1, 1, CHANNELS], **made}
    number = {name: i for i, name in enumerate(tensors)}
    b = Flatbuffer()
    buffers = b.references([b.table(f1=0), b.table({0: b.numbers([0] * CHANNELS * CHANNELS, 1)})])
    listed = [b.table({0: b.numbers(dims), 3: b.text(name)}, f1=int8, f2=int(name == "w")) for name, dims in tensors.items()]
    operators = []
    for kind, inputs, output in ops:
        fields = {1: b.numbers([number[name] for name in inputs]), 2: b.numbers([number[output]])}
        options = 0
        if kind == "Concat":
            options, fields[4] = concatenation_options, b.table(f0=3)
        if kind == "Conv":
            options, fields[4] = conv_options, b.table(f0=1, f1=1, f2=1)
        operators.append(b.table(fields, f0=kinds.index(kind), f3=options))
    codes = b.references([b.table(f0=builtins[kind], f2=1, f3=builtins[kind]) for kind in kinds])
    graph = b.table({0: b.references(listed), 1: b.numbers([number["x"]]), 2: b.numbers([number[name] for name in outputs]),
                     3: b.references(operators)})
    model = b.table({1: codes, 2: b.references([graph]), 4: buffers}, f0=3)
    with open(path, "wb") as file:
        file.write(b.file(model))


# --- counting ----------------------------------------------------------------------------------------------------------


def count(words):
    """Instructions of each function."""
    shutil.rmtree("review", ignore_errors=True)
    done = subprocess.run([valgrind, "--quiet", "--tool=callgrind", "--callgrind-out-file=counts", program, *words],
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env={**os.environ, "PATH": "/nonexistent"})
    if done.returncode not in (0, 69):  # 69: pictures are not drawn
        sys.exit(f"roofline {' '.join(words)}: ended with {done.returncode}: {done.stderr.decode()}")
    said = subprocess.run([annotate, "--threshold=100", "--show-percs=no", "counts"], stdout=subprocess.PIPE, text=True,
                          check=True).stdout
    counts = {}
    for number, function in re.findall(r"^ *([\d,]+)  \S*:(\S+)", said, re.MULTILINE):
        counts[function] = counts.get(function, 0) + int(number.replace(",", ""))
    return counts


def look(words, files):
    """How many functions take too many instructions of the larger network."""
    few, many = (count([word.replace("NETWORK", file) for word in words]) for file in files)
    total, failures = sum(many.values()), 0
    print(f"{total} instructions: roofline {' '.join(words)}")
    for name in sorted(many, key=many.get, reverse=True):
        if many[name] > MOST * few.get(name, 1) and LEAST_SHARE * many[name] > total:
            failures += 1
            print(f"  {name} takes {many[name]} of them, and {few.get(name, 0)} with half as many")
    return failures


shutil.rmtree(work, ignore_errors=True)
os.makedirs(work)
os.chdir(work)
failures, runs = 0, 0
for name in networks(FEW):
    for write, ending, board in ((write_onnx, "onnx", "kv260"), (write_tflite, "tflite", "stm32n6")):
        sample = ("sum", "products in a row") if ending == "onnx" else ("concat",)
        if not is_thorough and name not in sample:
            continue
        files = [f"{n}.{ending}" for n in (FEW, 2 * FEW)]
        for n, file in zip((FEW, 2 * FEW), files):
            write(file, *networks(n)[name])
        on = ["NETWORK", "--hw", board]
        commands = [["predict", *on, "--format", "csv"], ["report", *on, "-o", "review"]]
        if "products" in name:  # others have nothing to edit
            commands.append(["advise", *on])
        if name == "sum" and ending == "onnx" or name == "concat" and ending == "tflite":  # what asks the graph alone
            commands.append(["inspect", "NETWORK", "--memory"])
            commands.append(["compare", "NETWORK", files[0], "--hw", board])
            if ending == "onnx":
                commands.append(["predict", *on, "--annotate", "annotated.onnx"])
                commands.append(["predict", *on, "--format", "model-explorer"])
        print(f"{ending}: {name}")
        for words in commands:
            failures += look(words, files)
            runs += 1
print(f"{runs} commands, {failures} failures" + ("" if is_thorough else "; a sample: ROOFLINE_THOROUGH=1 does all"))
sys.exit(1 if failures or not runs else 0)
