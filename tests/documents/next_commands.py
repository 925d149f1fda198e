#!/usr/bin/env python3
"""Runs every next command that a golden case prints: `roofline ...` behind "Next:", as a reader would type it.

    next_commands.py GENERATED      the folder of what golden cases are given (ROOFLINE_EXE is the program,
                                    ROOFLINE_SOURCE_DIR the tree)

A command that is no command line of the program ends with 64, which fails, as does a word in capitals in place of a name. Files
that only the case had are not there, and measuring is not done.
"""
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(os.environ["ROOFLINE_SOURCE_DIR"])
USAGE = 64
NOT_RUN = ("hw probe",)  # takes a minute; the test `run_cpu` does so


def commands_of(case):
    """Text and Markdown: lines are wrapped, and Markdown escapes a backquote."""
    for name in ("stdout", "stderr"):
        path = case / name
        if not path.is_file():
            continue
        text = re.sub(r"\s*\n(?!\s*\n)\s*", " ", path.read_text(encoding="utf8", errors="replace").replace("\\`", "`"))
        text = re.sub(r"\\([][_*<>-])", r"\1", text)
        yield from re.findall(r"(?:Next|Then|next): (?:run )?`roofline ([^`]*)`", text)


def main():
    generated = Path(sys.argv[1])
    failures, seen = [], set()
    for case in sorted((ROOT / "tests/golden").iterdir()):
        if not (case / "cmd").is_file():
            continue
        for command in commands_of(case):
            here = "case/" in command or "case " in command
            if command.startswith(NOT_RUN) or (command, here and case) in seen:
                continue
            seen.add((command, here and case))
            words = shlex.split(command)
            if any(re.fullmatch(r"[A-Z]{2,}", word) for word in words):
                failures.append(f"{case.name}: a word stands for a name: roofline {command}")
                continue
            with tempfile.TemporaryDirectory() as folder:
                for name, place in (("examples", ROOT / "examples"), ("generated", generated), ("case", case)):
                    os.symlink(place, Path(folder) / name)
                done = subprocess.run([os.environ["ROOFLINE_EXE"], *words], cwd=folder, stdin=subprocess.DEVNULL,
                                      capture_output=True, text=True, check=False)
            if done.returncode == USAGE or done.returncode < 0:
                failures.append(f"{case.name}: roofline {command}\n  exit code {done.returncode}: {done.stderr.strip()[:300]}")
    print(f"{len(seen)} commands run")
    print("\n".join(failures))
    return 1 if failures or not seen else 0


if __name__ == "__main__":
    sys.exit(main())
