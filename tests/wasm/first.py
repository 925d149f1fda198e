"""How long from the artefact alone to a first answer: the page, npx, the wheel, three times each; and how busy the machine was.

first.py prints, and judges nothing: a time is of a machine, and of what else ran there. What is not there is left out with a line.
"""
import glob
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "browser"))
import browser  # noqa: E402

MODEL = ROOT / "examples/models/resnet50.onnx"
TIMES = 3


def busy():
    return f"{os.getloadavg()[0]:.1f} programs on {len(os.sched_getaffinity(0))} processors"


def tell(what, seconds, most):
    print(f"{what}: {', '.join(f'{s:.2f}' for s in seconds)} s, {most} s wanted; load: {busy()}", flush=True)


def page():
    """From the navigation to the answer, the file given as soon as the page takes one."""
    path = ROOT / "build/wasm/page/roofline.html"
    if not path.exists() or browser.missing():
        return print(f"page: left out, {browser.missing() or 'scripts/wasm.sh has not made it'}")
    seconds, ready = [], []
    for _ in range(TIMES):
        one = browser.Browser()
        begin = time.monotonic()
        one.call("Page.navigate", url=f"{path.as_uri()}#hw=kv260")
        wait(one, "document.body?.dataset.ready === 'yes'")
        ready.append(time.monotonic() - begin)
        root = one.call("DOM.getDocument")["root"]["nodeId"]
        node = one.call("DOM.querySelector", nodeId=root, selector="#files")["nodeId"]
        one.call("DOM.setFileInputFiles", nodeId=node, files=[str(MODEL)])
        wait(one, "document.querySelector('#verdict')?.innerText.includes('resnet50')")
        seconds.append(time.monotonic() - begin)
        one.close()
    tell("page, opened from the disk and given a model", seconds, 1)
    tell("page, until it takes files", ready, 1)


def wait(one, condition):
    end = time.monotonic() + 60
    while not one.evaluate(f"!!({condition})"):
        if time.monotonic() > end:
            sys.exit(f"page: never came: {condition}")
        time.sleep(0.005)


def npx():
    packed = sorted(glob.glob(str(ROOT / "build/wasm/roofline-cli-*.tgz")))
    if not packed or not shutil.which("npx"):
        return print("npx: left out, scripts/wasm.sh has not packed it, or there is no npx")
    seconds = []
    for _ in range(TIMES):
        with tempfile.TemporaryDirectory() as empty:
            given = {"PATH": os.environ["PATH"], "HOME": empty, "npm_config_cache": f"{empty}/cache", "npm_config_update_notifier": "false"}
            begin = time.monotonic()
            done = subprocess.run(["npx", "--yes", "--offline", f"--package={packed[-1]}", "roofline", "predict", str(MODEL), "--hw", "kv260"],
                                  cwd=empty, env=given, capture_output=True, text=True)
            seconds.append(time.monotonic() - begin)
            if done.returncode or "resnet50" not in done.stdout:
                sys.exit(f"npx: no answer: {done.stderr}")
    tell("npx from the tarball, with an empty cache", seconds, 2)


def wheel(path):
    if not path or not os.path.exists(path):
        return print("wheel: left out; scripts/tarball.sh makes one, and `first.py WHEEL` takes it")
    ask = f"import roofline; print(roofline.predict({str(MODEL)!r}, 'kv260').verdict[0])"
    seconds = []
    for _ in range(TIMES):
        with tempfile.TemporaryDirectory() as folder:
            begin = time.monotonic()
            subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", folder], check=True)
            subprocess.run([f"{folder}/bin/pip", "install", "--quiet", "--no-index", "--no-deps", path], check=True)
            done = subprocess.run([f"{folder}/bin/python", "-c", ask], capture_output=True, text=True, cwd=folder)
            seconds.append(time.monotonic() - begin)
            if "resnet50" not in done.stdout:
                sys.exit(f"wheel: no answer: {done.stderr}")
    tell("wheel into a new environment, which has cffi", seconds, 10)


if __name__ == "__main__":
    page()
    npx()
    wheel(sys.argv[1] if len(sys.argv) > 1 else None)
