"""Pages with the graph of large networks: how long the report takes, with dot and without, how large the page is, and when a
browser first paints it and when the script is done, by Chromium's own trace. Prints a Markdown table; asserts nothing.

usage: graph_page.py ROOFLINE MAKE_ONNX [RUNS]
"""
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "browser"))
from browser import ARGUMENTS, find_browser

NETWORKS = [("chain", 1000), ("branches", 1000), ("chain", 10000), ("branches", 10000)]
FIRST = "firstContentfulPaint"


def report_s(roofline, model, folder, path=None):
    begun = time.perf_counter()
    subprocess.run([roofline, "report", model, "--hw", "kv260", "-o", folder], check=False, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, env={**os.environ, **({"PATH": path} if path else {})})
    return time.perf_counter() - begun


def without_dot(folder):
    """A PATH that has gnuplot and no dot."""
    for name in ("gnuplot",):
        os.symlink(shutil.which(name), f"{folder}/{name}")
    return folder


def paints_ms(page):
    """From the start of the navigation: the first paint with content, and the end of the load event."""
    options = webdriver.ChromeOptions()
    options.binary_location = find_browser()
    with tempfile.TemporaryDirectory() as profile:
        for argument in (*ARGUMENTS, f"--user-data-dir={profile}"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"performance": "ALL"})
        options.add_experimental_option("perfLoggingPrefs", {"traceCategories": "loading,blink.user_timing"})
        driver = webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)
        try:
            driver.get(page.as_uri())
            time.sleep(1)
            events = [json.loads(entry["message"])["message"] for entry in driver.get_log("performance")]
        finally:
            driver.quit()
    traced = [e["params"] for e in events if e["method"] == "Tracing.dataCollected"]
    at = {}
    for event in traced:
        if event["name"] == "navigationStart" and event["args"].get("data", {}).get("documentLoaderURL") == page.as_uri():
            at["start"] = event["ts"]
        elif "start" in at and event["name"] in (FIRST, "loadEventEnd"):
            at.setdefault(event["name"], event["ts"])
    return tuple((at[name] - at["start"]) / 1000 if name in at and "start" in at else float("nan") for name in (FIRST, "loadEventEnd"))


def main():
    roofline, make_onnx, runs = sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 3
    print("| network | nodes | report s | without dot s | page MB | first paint ms | loaded ms |\n| --- | --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        bare = pathlib.Path(folder) / "bin"
        bare.mkdir()
        path = without_dot(str(bare))
        for kind, n in NETWORKS:
            model, out = f"{folder}/{kind}{n}.onnx", f"{folder}/{kind}{n}"
            subprocess.run([make_onnx, kind, str(n), model], check=True)
            plain = min(report_s(roofline, model, out + "-plain", path) for _ in range(runs))
            placed = min(report_s(roofline, model, out) for _ in range(runs))
            page = pathlib.Path(out) / "index.html"
            paints = [statistics.median(values) for values in zip(*(paints_ms(page) for _ in range(runs)))]
            print(f"| {kind} | {n} | {placed:.2f} | {plain:.2f} | {page.stat().st_size / 1e6:.1f} | {paints[0]:.0f} | {paints[1]:.0f} |", flush=True)


main()
