"""The cycles of totals.csv, reckoned from what the documents say and not from the program.

usage: reckon_totals.py GOLDEN     the folder of the golden cases

Networks are those of the papers: MobileNet (arXiv 1704.04861), MobileNetV2 (1801.04381), ResNet-50 (1512.03385, the stride in the
first convolution of a block). Parallelism and formulas are those of docs/hardware/dpuczdx8g.md and peak.md, clocks and
bandwidths those of the data sheets that hwdb/data names. Which bytes each layer moves is taken from the golden tables
predict-NETWORK-csv. Exit 0 or 1.
"""
import csv
import pathlib
import sys

# PP, ICP, OCP, rows of the ALU and of the element-wise engine: "Engines and their parallelism", PG338
SIZES = {"B512": (4, 8, 8, 2), "B800": (4, 10, 10, 2), "B1024": (8, 8, 8, 4), "B1152": (4, 12, 12, 2),
         "B1600": (8, 10, 10, 4), "B2304": (8, 12, 12, 4), "B3136": (8, 14, 14, 4), "B4096": (8, 16, 16, 4)}
PORTS = 2 * 16  # bytes a cycle: two data ports of 128 bits
# Clock of the array and bytes a second of the external memory; the sizes are those of a core on the KV260.
KV260 = (300e6, 19.2e9)  # DS987: DDR4, 64 bit, 2400 Mb/s a pin
BOARDS = {"kv260": KV260, "kr260": KV260, "zcu102": (281e6, 17.064e9), "zcu104": (300e6, 17.064e9), "ultra96v2": (287e6, 4.264e9)}
# Of a peak: operations a second, images in a pass, clock, bytes a second (None: not public). PG389, UG1354, PG367 with UG1393,
# vaitrace; the U50 has two cores, each with this peak.
PEAKS = {"dpucvdx8g-c32b6": (61.44e12, 6, 333e6, 88.1e9), "dpucvdx8h-8pe": (80e12, 8, 350e6, 102.4e9),
         "dpucahx8h-u50": (12288 * 300e6, 3, 300e6, 460e9), "v70": (179.2e12, 14, 300e6, None)}


def up(a, b):
    return -(-a // b)


# ---- networks: the layers of a compiled file, each a list of (kind, OH, OW, IC, OC, KH, KW) ----

def mobilenetv1():
    size, channels = 112, 32
    layers = [[("conv", 112, 112, 3, 32, 3, 3)]]
    for stride, out in [(1, 64), (2, 128), (1, 128), (2, 256), (1, 256), (2, 512)] + 5 * [(1, 512)] + [(2, 1024), (1, 1024)]:
        size //= stride
        layers[-1].append(("depthwise", size, size, channels, channels, 3, 3))
        layers.append([("conv", size, size, channels, out, 1, 1)])
        channels = out
    layers[-1].append(("pool", 1, 1, channels, channels, size, size))
    return layers + [[("conv", 1, 1, channels, 1001, 1, 1)]]


def mobilenetv2():
    size, channels = 112, 32
    layers = [[("conv", 112, 112, 3, 32, 3, 3)]]
    for t, out, n, s in [(1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1)]:
        for i in range(n):
            wide, stride = t * channels, s if i == 0 else 1
            if t > 1:
                layers.append([("conv", size, size, channels, wide, 1, 1)])
            size //= stride
            layers[-1].append(("depthwise", size, size, wide, wide, 3, 3))
            layers.append([("conv", size, size, wide, out, 1, 1)])
            if stride == 1 and channels == out:
                layers[-1].append(("eltwise", size, size, out, out, 1, 1))
            channels = out
    layers.append([("conv", size, size, channels, 1280, 1, 1), ("pool", 1, 1, 1280, 1280, size, size)])
    return layers + [[("conv", 1, 1, 1280, 1001, 1, 1)]]


def resnet50():
    size, channels = 56, 64
    layers = [[("conv", 112, 112, 3, 64, 7, 7), ("pool", 56, 56, 64, 64, 3, 3)]]
    for wide, n in [(64, 3), (128, 4), (256, 6), (512, 3)]:
        for i in range(n):
            size = size // 2 if i == 0 and wide > 64 else size
            if i == 0:
                layers.append([("conv", size, size, channels, 4 * wide, 1, 1)])
            layers.append([("conv", size, size, channels, wide, 1, 1)])
            layers.append([("conv", size, size, wide, wide, 3, 3)])
            layers.append([("conv", size, size, wide, 4 * wide, 1, 1), ("eltwise", size, size, 4 * wide, 4 * wide, 1, 1)])
            channels = 4 * wide
    return layers + [[("pool", 1, 1, channels, channels, size, size)], [("conv", 1, 1, channels, 1000, 1, 1)]]


NETWORKS = {"mobilenetv1": mobilenetv1(), "mobilenetv2": mobilenetv2(), "resnet50": resnet50()}


# ---- docs/hardware/dpuczdx8g.md: "Ideal cycles" ----

ENGINES = ("conv", "alu", "eltwise", "load", "save", "memory")
ON = {"conv": "conv", "depthwise": "alu", "pool": "alu", "eltwise": "eltwise"}


def op_cycles(kind, oh, ow, ic, oc, kh, kw, size):
    pp, icp, ocp, rows = SIZES[size]
    if kind != "conv":
        return up(oh, rows) * ow * up(oc, icp) * kh * kw
    is_augmented = kh > 1 and ic == 3 and kw * ic <= 2 * icp  # the first layer, where a row of the window fits the lanes
    window = kh * up(kw * ic, icp) if is_augmented else kh * kw * up(ic, icp)
    return up(oh, pp) * ow * up(oc, ocp) * window


def computing(layer, size):
    out = dict.fromkeys(ENGINES[:3], 0)
    for kind, *shape in layer:
        out[ON[kind]] += op_cycles(kind, *shape, size)
    return out


def macs(layer):
    """Of each operator."""
    return [oh * ow * oc * kh * kw * (ic if kind == "conv" else 1)
            for kind, oh, ow, ic, oc, kh, kw in layer if kind in ("conv", "depthwise")]


# ---- rows of the table ----

failures = []


def want(row, what, least, most=None):
    found = int(row[what])
    most = least if most is None else most
    if not least <= found <= most:
        failures.append(f"{row['model']} {row['compiled_for']} on {row['hardware']}: {what} is {found}, reckoned "
                        + (f"{least}" if least == most else f"{least} to {most}"))


def total_bytes(row):
    return sum(int(row[k]) for k in ("weights_bytes", "input_bytes", "output_bytes", "instruction_bytes"))


def moved(row, cycles_a_byte):
    """load, save, memory of a row with bytes; exact where it is a layer."""
    return {"load": (int(row["weights_bytes"]) + int(row["input_bytes"])) / PORTS, "save": int(row["output_bytes"]) / PORTS,
            "memory": total_bytes(row) * cycles_a_byte}


def up_float(x):
    return -int(-(x - 1e-6) // 1)


def check_dpu(row, layers, by_layer):
    clock, bandwidth = BOARDS.get(row["hardware"], KV260)
    compute = [computing(layer, row["compiled_for"]) for layer in layers]
    for e in ENGINES[:3]:
        want(row, f"{e}_cycles", sum(c[e] for c in compute))
    for e, cycles in moved(row, clock / bandwidth).items():  # each layer is rounded up
        want(row, f"{e}_cycles", up_float(cycles), int(cycles) + len(layers))
    floor = max(int(row[f"{e}_cycles"]) for e in ENGINES)
    want(row, "floor_cycles", floor)
    if int(row[f"{row['floor_bound']}_cycles"]) != floor:
        failures.append(f"{row['model']} on {row['hardware']}: {row['floor_bound']} is not the floor")
    if row["compiled_for"] == "B4096":
        ideals = [max([*c.values(), *(up_float(m) for m in moved(b, clock / bandwidth).values())])
                  for c, b in zip(compute, by_layer)]
        want(row, "ideal_cycles", sum(ideals))
    else:  # the bytes of its layers stand nowhere
        least = sum(max(c.values()) for c in compute)
        want(row, "ideal_cycles", max(least, floor), least + sum(int(row[f"{e}_cycles"]) for e in ("load", "save", "memory")))


def check_peak(row, layers, by_layer):
    ops_per_s, images, clock, bandwidth = PEAKS[row["hardware"]]
    rate = ops_per_s / 2 / images / clock
    compute = [sum(up_float(m / rate) for m in macs(layer)) for layer in layers]
    memory = [up_float(total_bytes(b) * clock / bandwidth) if bandwidth else 0 for b in by_layer]
    want(row, "conv_cycles", sum(compute))
    if bandwidth:
        want(row, "memory_cycles", sum(memory))
    elif row["memory_cycles"]:
        failures.append(f"{row['hardware']}: memory_cycles is {row['memory_cycles']}, and its bandwidth is not public")
    want(row, "ideal_cycles", sum(map(max, compute, memory)))
    want(row, "floor_cycles", max(sum(compute), sum(memory)))


def main():
    golden = pathlib.Path(sys.argv[1])
    n = 0
    with open(golden / "totals.csv", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            layers = NETWORKS[row["model"]]
            with open(golden / f"predict-{row['model']}-csv" / "stdout", encoding="utf-8") as table:
                by_layer = [r for r in csv.DictReader(table) if r["device"] == "DPU"]
            want(row, "macs", sum(sum(macs(layer)) for layer in layers))
            (check_peak if row["hardware"] in PEAKS else check_dpu)(row, layers, by_layer)
            n += 1
    print("\n".join(failures) or f"{n} rows are as reckoned")
    return bool(failures) or not n


sys.exit(main())
