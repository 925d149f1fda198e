#!/usr/bin/env python3
"""Every file that a tool wrote, on every road that takes one: an answer or a reason, never a crash, silence or a number that is none.

    roads.py PROGRAM TOOLS ROADS

TOOLS: the folder of own-made examples, one folder an importer. ROADS: how many of the roads below; under sanitizers the first
ones. What the answers say is tested elsewhere.
"""
import itertools, os, re, subprocess, sys
from concurrent.futures import ThreadPoolExecutor

program, tools, most = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), int(sys.argv[3])
ANSWERED, USAGE, DATA = (0, 1, 2), 64, (65, 66, 69)
ROADS = (["reconcile", "FILE", "--details"], ["check", "FILE", "--mean", "3ms"], ["reconcile", "FILE", "--brief"], ["reconcile", "FILE", "--format", "json"],
         ["reconcile", "FILE", "--format", "csv"], ["reconcile", "FILE", "--format", "markdown", "--findings"],
         ["reconcile", "FILE", "--top", "3", "--hw", "kv260"], ["explain", "FILE"],
         ["compare", "FILE", "FILE"], ["import", "FILE", "--format", "json"])
NO_NUMBER = re.compile(r"(?<![\w/.-])-?(nan|inf)(?![\w/.-])|\(null\)")


def walk(case):
    """What is wrong with a file on a road; None."""
    file, road = case
    words = [file if word == "FILE" else word for word in road]
    done = subprocess.run([program, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, timeout=300)
    said, reason = done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")
    name = " ".join([road[0], os.path.relpath(file, tools), *road[2:]])
    if done.returncode not in (*ANSWERED, USAGE, *DATA):
        return f"{name}: ended with {done.returncode}: {reason[-300:]}"
    if done.returncode in ANSWERED and not said.strip():
        return f"{name}: ended with {done.returncode}, and says nothing"
    if done.returncode not in ANSWERED and not reason.strip():
        return f"{name}: ended with {done.returncode}, and gives no reason"
    if NO_NUMBER.search(said):
        return f"{name}: says '{NO_NUMBER.search(said).group()}'"
    if said.startswith("PASS: 0 of"):
        return f"{name}: passes, and held nothing"
    return None


roads = ROADS[:most]
files = sorted(os.path.join(folder, name) for folder, _, names in os.walk(tools) for name in names
               if not name.startswith("expected."))
with ThreadPoolExecutor(2) as pool:
    wrong = [found for found in pool.map(walk, itertools.product(files, roads)) if found]
print("\n".join(wrong))
print(f"{len(files)} files on {len(roads)} roads, {len(wrong)} wrong")
sys.exit(1 if wrong or len(files) < 100 else 0)
