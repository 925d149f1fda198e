"""The steps of action.yml and of the GitLab template, as the shells of both run them, in a folder and an environment made
for it.
   templates.py PROGRAM ROOT WORK"""
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import xml.etree.ElementTree

try:
    import yaml
except ImportError:
    print("SKIPPED: needs python3-yaml")
    sys.exit(77)

BROKEN = '{"schema": "roofline.budget/1", "types": {"conv+eltwise": {"efficiency_ratio": 0.5}}}'
KEPT = '{"schema": "roofline.budget/1", "total": {"mean_s": 1}}'


class Runner:
    """What a job begins with: a folder with files of the user's, and a PATH without roofline."""

    def __init__(self, tarball, root, work):
        shutil.rmtree(work, ignore_errors=True)
        self.work = work
        self.temp = os.path.join(work, "temp")
        self.job = os.path.join(work, "job")
        for folder in (self.temp, self.job):
            os.makedirs(folder)
        example = os.path.join(root, "examples", "zcu104-resnet50")
        profile = os.path.join(example, "measured.json")
        shutil.copy(os.path.join(example, "resnet50ds-b4096.xmodel"), self.job)
        for name in ("measured.json", "with space.json", "$(touch run).json"):
            shutil.copy(profile, os.path.join(self.job, name))
        self.write("broken.json", BROKEN)
        self.write("kept.json", KEPT)
        self.tarball = tarball
        with open(tarball, "rb") as tar:
            self.sha256 = hashlib.sha256(tar.read()).hexdigest()

    def write(self, name, text):
        with open(os.path.join(self.job, name), "w", encoding="utf-8") as out:
            out.write(text)

    def read(self, name):
        try:
            with open(os.path.join(self.job, name), encoding="utf-8") as file:
                return file.read()
        except FileNotFoundError:
            return ""

    def shell(self, script, variables, command):
        environment = {"PATH": variables.pop("PATH", "/usr/bin:/bin"), "LC_ALL": "C.UTF-8", "HOME": self.work,
                       "ROOFLINE_HW_PATH": "", **variables}
        path = os.path.join(self.temp, "step.sh")
        with open(path, "w", encoding="utf-8") as out:
            out.write(script)
        return subprocess.run([*command, path], cwd=self.job, env=environment, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)


def run_action(runner, action, given):
    """The exit code of the first step that fails, and what was said; expressions are those that the file has."""
    inputs = {name: given.get(name, about.get("default", "")) for name, about in action["inputs"].items()}
    assert not set(given) - set(inputs), given
    state = {"GITHUB_OUTPUT": os.path.join(runner.temp, "output"), "GITHUB_PATH": os.path.join(runner.temp, "path"),
             "GITHUB_STEP_SUMMARY": os.path.join(runner.job, "summary.md"), "RUNNER_TEMP": runner.temp}
    for file in list(state.values())[:3]:
        open(file, "w", encoding="utf-8").close()
    said, failed, used = "", 0, []

    def lines(name):
        with open(state[name], encoding="utf-8") as file:
            return file.read().splitlines()

    def value(match):
        expression = match[1].strip()
        if expression.startswith("inputs."):
            return inputs[expression[len("inputs."):]]
        found = re.fullmatch(r"steps\.check\.outputs\.(\w+)", expression)
        return dict(line.split("=", 1) for line in lines("GITHUB_OUTPUT")).get(found[1], "")

    for step in action["runs"]["steps"]:
        condition = step.get("if", "")
        always = "always()" in condition
        wants = re.findall(r"inputs\.(\w+) != ''", condition)
        if (failed and not always) or not all(inputs[name] for name in wants):
            continue
        if "uses" in step:
            used.append(step["uses"])
            continue
        assert step["shell"] == "bash" and "${{" not in step["run"], step["name"]
        variables = {name: re.sub(r"\$\{\{(.*?)\}\}", value, text) for name, text in step.get("env", {}).items()}
        path = ":".join([*reversed(lines("GITHUB_PATH")), "/usr/bin", "/bin"])
        done = runner.shell(step["run"], {**variables, **state, "PATH": path},
                            ["bash", "--noprofile", "--norc", "-eo", "pipefail"])
        said += done.stdout
        failed = failed or done.returncode
    return failed, said, used


def run_gitlab(runner, template, given):
    job = template[".roofline"]
    variables = {**job["variables"], **given}
    assert set(variables) == set(job["variables"]), given
    done = runner.shell("set -e\n" + "\n".join(job["script"]), {**variables, "TMPDIR": runner.temp}, ["sh"])
    return done.returncode, done.stdout, job["artifacts"]["paths"]


# name, files, budget, other inputs, exit code, a word of what is said
CASES = [
    ("a budget that is kept", "measured.json", "kept.json", {}, 0, "index.html"),
    ("a budget that is broken", "measured.json", "broken.json", {}, 1, "index.html"),
    ("a name with a space", "with space.json", "kept.json", {"page": ""}, 0, ""),
    ("a name that a shell would run", "$(touch run).json", "kept.json", {"page": ""}, 0, ""),
    ("two files", "measured.json\nwith space.json\n", "kept.json", {"page": ""}, 0, ""),
    ("a file that is not there", "none.json", "kept.json", {"page": ""}, 66, "none.json"),
    ("a budget that is not there", "measured.json", "none.json", {"page": ""}, 66, "none.json"),
    ("a file that begins like an option", "--help", "kept.json", {"page": ""}, 66, "--help"),
    ("hardware that is not known", "measured.json", "kept.json", {"page": "", "hw": "nothing;touch run"}, 66, "nothing"),
    ("an address", "measured.json", "kept.json", {"page": "", "tarball": "file://TARBALL", "sha256": "SHA256"}, 0, ""),
    ("an address without its sum", "measured.json", "kept.json", {"page": "", "tarball": "file://TARBALL"}, 64, "sha256"),
    ("another sum", "measured.json", "kept.json", {"page": "", "sha256": "0" * 64}, None, "FAILED"),
    ("a tarball that is not there", "measured.json", "kept.json", {"page": "", "tarball": "none.tar.gz"}, None,
     "none.tar.gz"),
]


def check(runner, name, kind, got, want, said):
    exit_code, output, kept = got
    assert (exit_code == want if want is not None else exit_code != 0), (name, exit_code, output)
    assert said.lower() in output.lower(), (name, output)
    assert not os.path.exists(os.path.join(runner.job, "run")), name + ": a name was run"
    if want in (0, 1):
        xml.etree.ElementTree.parse(os.path.join(runner.job, "roofline-checks.xml"))
        assert ("<html" in runner.read("roofline-page/index.html")) == ("index.html" in said), name
    if kind == "GitHub":
        assert kept == ["actions/upload-artifact@v4"], name
        assert (want in (0, 1)) == bool(re.match(r"\*\*(FAIL|OK|PASS|All)", runner.read("summary.md"))), \
            (name, runner.read("summary.md"))


def main(program, root, work):
    with open(os.path.join(root, "action.yml"), encoding="utf-8") as file:
        action = yaml.safe_load(file)
    with open(os.path.join(root, "ci", "roofline.gitlab-ci.yml"), encoding="utf-8") as file:
        template = yaml.safe_load(file)
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    tarball = os.path.join(work, "roofline.tar.gz")
    with tarfile.open(tarball, "w:gz", compresslevel=1) as tar:
        tar.add(program, "roofline-0.0.0-linux-any/bin/roofline")
    for name, files, budget, others, want, said in CASES:
        for kind in ("GitHub", "GitLab"):
            runner = Runner(tarball, root, os.path.join(work, "runner"))
            others_here = {key: value.replace("SHA256", runner.sha256).replace("TARBALL", runner.tarball)
                           for key, value in others.items()}
            given = {"files": files, "budget": budget, "tarball": runner.tarball, **others_here}
            if kind == "GitHub":
                got = run_action(runner, action, given)
            else:
                got = run_gitlab(runner, template, {"ROOFLINE_" + key.upper(): value for key, value in given.items()})
            check(runner, name + " on " + kind, kind, got, want, said)
    print("%d cases on GitHub and GitLab" % len(CASES))
    return 0


sys.exit(main(*sys.argv[1:]))
