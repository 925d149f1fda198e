"""A browser without a window, for pages that roofline writes: Selenium drives Chromium.

Where one of them is missing, main() skips the test visibly. Nothing waits for ever: opening a page has a deadline, and so
has the test as a whole, which ends before ctest would end it, so that no process of the browser is left behind. The
browser has a fresh profile and does not reach the network. Lengths are CSS pixels.
"""
import base64
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import unittest

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
except ImportError:
    webdriver = None

SKIPPED = 77  # what ctest takes for skipped
LIFE_S = 1100  # of a test; CMakeLists.txt gives it a little more
LOAD_S = 200
IN_GROUP = "ROOFLINE_BROWSER_GROUP"
OWN_FOLDERS = ("HOME", "TMPDIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR")
NAMES = ("chromium", "chromium-browser", "google-chrome")
# No sandbox: it needs a helper that is root's or name spaces that containers do not have, root cannot have it, and what
# is opened is what a test wrote. No name has an address. Without scrollbars the viewport is as wide as was asked for.
ARGUMENTS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-breakpad",
    "--disable-component-update", "--host-resolver-rules=MAP * ~NOTFOUND", "--hide-scrollbars",
    "--force-color-profile=srgb",
)
FETCHES = ("Network.requestWillBeSent", "Network.webSocketCreated", "Network.webTransportCreated")
# After two frames what observers of sizes and of the scheme do is done as well; a page that nobody sees may get none.
TWO_FRAMES = ("new Promise(done => { setTimeout(done, 300);"
              " requestAnimationFrame(() => requestAnimationFrame(() => done())); })")


def is_snap(path):
    """Ubuntu has a script in the program's place. A snap has a /tmp of its own and cannot open what a test wrote."""
    with open(path, "rb") as program:
        return b"/snap/bin/" in program.read(4096) or os.path.realpath(path).endswith("/snap")


def find_browser():
    names = [os.environ.get("ROOFLINE_BROWSER")] if os.environ.get("ROOFLINE_BROWSER") else NAMES
    return next((path for path in map(shutil.which, names) if path and not is_snap(path)), None)


def missing():
    """What is not there, or None."""
    if webdriver is None:
        return "no library: this python3 has no selenium (Debian's package python3-selenium)"
    if not find_browser():
        given = os.environ.get("ROOFLINE_BROWSER")
        return f"ROOFLINE_BROWSER is no program: {given}" if given else f"no browser: none of {', '.join(NAMES)} is on PATH"
    if not shutil.which("chromedriver"):
        return "no chromedriver is on PATH (Debian's package chromium-driver)"
    try:
        socket.getaddrinfo("localhost", None)  # where chromedriver looks for the browser
    except OSError:
        return "the name localhost is not known; /etc/hosts should have it"
    return None


class PageError(Exception):
    """What a page threw."""


class Browser:
    """One page of one browser. What the page says on its console and what it fetches is collected until it is asked for."""

    def __init__(self, load_s=LOAD_S):
        options = webdriver.ChromeOptions()
        options.binary_location = find_browser()
        for argument in (*ARGUMENTS, f"--user-data-dir={tempfile.mkdtemp()}"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self._driver = webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)
        self.url = "about:blank"  # the browser's own first page fetches things
        self._driver.get(self.url)
        self._driver.set_page_load_timeout(load_s)

    def close(self):
        self._driver.quit()

    def call(self, method, **parameters):
        """A method of the DevTools protocol."""
        return self._driver.execute_cdp_cmd(method, parameters)

    def open(self, path, width=1280, height=800, dark=False, script=True):
        """Opens a file and waits until it and all that it asks for is loaded."""
        self.url = pathlib.Path(path).resolve().as_uri()
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setScriptExecutionDisabled", value=not script)
        self.set_dark(dark)
        self._driver.get(self.url)
        if script:  # else promises do not come true
            self.evaluate(TWO_FRAMES)

    def set_dark(self, dark):
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])

    def evaluate(self, expression):
        """The value of a JavaScript expression, or of what it promises. Works on a page without script, too."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            thrown = answer["exceptionDetails"]
            raise PageError(thrown.get("exception", {}).get("description", thrown["text"]))
        return answer["result"].get("value")

    def console(self):
        """Errors on the console, failed assertions, exceptions, and what the browser itself complains of."""
        return [entry["message"] for entry in self._driver.get_log("browser") if entry["level"] == "SEVERE"]

    def fetched(self):
        """URLs of requests, but for the opened file and data: URLs."""
        events = [json.loads(entry["message"])["message"] for entry in self._driver.get_log("performance")]
        urls = [e["params"].get("request", e["params"])["url"] for e in events if e["method"] in FETCHES]
        return [url for url in urls if url.split("#")[0] != self.url and not url.startswith("data:")]

    def forget(self):
        """Drops what was collected."""
        self.console()
        self.fetched()

    def save_picture(self, path):
        """The whole page, also what is below the viewport, as PNG."""
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        answer = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip={**size, "scale": 1})
        pathlib.Path(path).write_bytes(base64.b64decode(answer["data"]))


def give_up(number, _):
    sys.exit(f"the tests are ended by {signal.Signals(number).name}")


def run_in_group():
    """The tests in a process group and a folder of their own, of which nothing is left when they end or their time is over."""
    for number in (signal.SIGALRM, signal.SIGTERM):
        signal.signal(number, give_up)
    signal.alarm(LIFE_S)
    with tempfile.TemporaryDirectory(prefix="roofline-browser-", ignore_cleanup_errors=True) as folder:
        own = {**dict.fromkeys(OWN_FOLDERS, folder), "DBUS_SESSION_BUS_ADDRESS": "disabled:", IN_GROUP: "1"}
        tests = subprocess.Popen([sys.executable, "-B", *sys.argv], start_new_session=True, env={**os.environ, **own})
        try:  # only looked at: as long as nobody waited for it, no other group can get its number
            os.waitid(os.P_PID, tests.pid, os.WEXITED | os.WNOWAIT)
        finally:
            os.killpg(tests.pid, signal.SIGKILL)
            tests.wait()
    return tests.returncode


def sample_of(things, part):
    """Every part-th, others by ROOFLINE_TURN; all of them where ROOFLINE_THOROUGH is set, as in scripts/test.sh --all."""
    if "ROOFLINE_THOROUGH" in os.environ:
        return things
    some = things[(1 + int(os.environ.get("ROOFLINE_TURN", 0))) % part::part]
    print(f"a sample: {len(some)} of {len(things)}; ROOFLINE_THOROUGH=1 does all")
    return some


def main():
    """Runs the tests of the calling file, or says what they lack."""
    reason = missing()
    if reason:
        print("SKIPPED:", reason)
        sys.exit(SKIPPED)
    if IN_GROUP in os.environ:
        unittest.main()
    sys.exit(run_in_group())
