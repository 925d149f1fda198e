"""What is rendered has the bytes of the command line."""
import io
import json
import re
import unittest
from pathlib import Path

import roofline
from support import MODEL, PROFILE, ROOT, InFolder, run

ONNX = str(ROOT / "examples" / "torch-gpu" / "segmenter.onnx")
NPU2 = ROOT / "examples" / "npu2"
CONFIG = str(NPU2 / "llama-3.2-1b.json")
OLD, NEW = (str(ROOT / "tests" / "golden" / "compare-samples" / name) for name in ("old.json", "new.json"))
TRACE = str(ROOT / "tests" / "golden" / "import-vart-trace" / "vart_trace.csv")
LAYERS = str(ROOT / "tests" / "golden" / "import-csv" / "layers.csv")
POWER = str(ROOT / "tests" / "golden" / "import-power" / "ina226.csv")

# model, arguments of the command line, arguments of predict
PREDICTIONS = [
    (MODEL, [], {}),
    (MODEL, ["--hw", "kv260"], {"hw": "kv260"}),
    (
        MODEL,
        ["--hw", "b4096", "--clock", "200MHz", "--bandwidth", "9.6GB/s", "--batch", "2"],
        {"hw": "b4096", "clock_hz": 200e6, "bandwidth_bytes_per_s": 9.6e9, "batch": 2},
    ),
    (MODEL, ["--what-if", "load=2,alu=1.5"], {"what_if": "load=2,alu=1.5"}),
    (
        MODEL,
        ["--hw", "zcu102", "--threads", "1,2,4", "--host", "classify"],
        {"hw": "zcu102", "load": {"threads": [1, 2, 4], "host": "classify"}},
    ),
    (MODEL, ["--operators", "--hash"], {"names_operators": True, "hash": True}),
    (ONNX, ["--hw", "zcu104"], {"hw": roofline.Hardware("zcu104")}),
    (
        CONFIG,
        ["--hw", "npu2", "--phase", "decode", "--context", "4096", "--dtype", "q4_1"],
        {"hw": "npu2", "phase": "decode", "context_tokens": 4096, "data_type": "q4_1"},
    ),
    (CONFIG, ["--hw", "npu2", "--what-if", "precision=int8"], {"hw": "npu2", "what_if": "precision=int8"}),
]


# The next command is the command line's to say: who calls the library may not have one.
NEXT = re.compile(rb'( *"Next: [^"]*",?\n)|(^Next: (?:(?!\.\n).)*\.\n)', re.DOTALL | re.MULTILINE)


class CommandLine(InFolder):
    def same(self, shown: str, *arguments):
        self.assertEqual(
            NEXT.sub(b"", shown.encode("utf-8", "surrogateescape")), NEXT.sub(b"", run(*arguments)), arguments
        )

    def test_predictions(self):
        for model, arguments, given in PREDICTIONS:
            with self.subTest(model=model, arguments=arguments):
                prediction = roofline.predict(model, **given)
                self.same(prediction.render("json"), "predict", model, *arguments, "--format", "json")

    def test_formats_of_a_prediction(self):
        prediction = roofline.predict(MODEL)
        for form in ("text", "csv", "markdown", "trace"):
            with self.subTest(form=form):
                arguments = [] if form == "csv" else ["--findings"] if form in ("text", "markdown") else []
                self.same(
                    prediction.render(form, width=120, all_findings=bool(arguments)),
                    "predict",
                    MODEL,
                    "--format",
                    form,
                    *arguments,
                )

    def test_a_saved_prediction_is_read_and_written_the_same(self):
        path = self.folder / "prediction.json"
        path.write_bytes(run("predict", MODEL, "--hw", "kv260", "--format", "json"))
        self.assertEqual(roofline.read_prediction(path).render("json").encode(), path.read_bytes())

    def test_a_graph(self):
        self.same(roofline.read_graph(MODEL).render("json"), "inspect", MODEL, "--format", "json")

    def test_reconciliations(self):
        made = roofline.reconcile(PROFILE)
        for form in ("json", "csv", "text", "markdown", "trace"):
            with self.subTest(form=form):
                self.same(made.render(form, width=120), "reconcile", PROFILE, "--format", form)
        self.same(
            roofline.reconcile(PROFILE, hw="zcu104").render("json"),
            "reconcile",
            PROFILE,
            "--hw",
            "zcu104",
            "--format",
            "json",
        )

    def test_every_example(self):
        documents = sorted(ROOT.glob("examples/*/measured.json")) + [NPU2 / "published.json"]
        self.assertGreater(len(documents), 6)
        for path in documents:
            with self.subTest(path=path):
                self.same(roofline.reconcile(path).render("json"), "reconcile", path, "--format", "json")

    def test_reconciling_by_a_calibration(self):
        board = self.folder / "board.json"
        run("reconcile", PROFILE, "--calibration-out", board)
        made = roofline.reconcile(PROFILE).calibrate()
        made.save(self.folder / "made.json")
        self.assertEqual((self.folder / "made.json").read_bytes(), board.read_bytes())
        for given in (board, roofline.read_calibration(board)):
            self.same(
                roofline.reconcile(PROFILE, calibration=given).render("json"),
                "reconcile",
                PROFILE,
                "--calibration",
                board,
                "--format",
                "json",
            )
            self.same(
                roofline.predict(MODEL, "kv260", calibration=given).render("json"),
                "predict",
                MODEL,
                "--hw",
                "kv260",
                "--calibration",
                board,
                "--format",
                "json",
            )

    def test_comparisons(self):
        sides = roofline.read_measured(OLD), roofline.read_measured(NEW)
        self.same(roofline.compare(*sides).render("json"), "compare", OLD, NEW, "--format", "json")
        predicted = roofline.predict(MODEL, "kv260"), roofline.predict(MODEL, "zcu104")
        self.assertEqual(
            json.loads(roofline.compare(*predicted, names=("kv260", "zcu104")).render("json"))["schema"],
            "roofline.comparison/1",
        )

    def test_questions(self):
        examples = ROOT / "examples" / "models"
        models = [str(examples / name) for name in ("mobilenetv1-b4096.xmodel", "resnet50.onnx")]
        graph, compiled = (str(examples / f"mobilenetv2-{of}.xmodel") for of in ("int8", "b4096"))
        budget = ROOT / "tests" / "golden" / "check-kept" / "budget.json"
        broken = self.folder / "broken.xmodel"
        broken.write_bytes(Path(MODEL).read_bytes()[:5000])
        for made, *arguments in (
            (
                roofline.predict_all(models, ["kv260", "zcu104"], load={"threads": [1, 2]}),
                *("predict", *models, "--hw", "kv260,zcu104", "--threads", "1,2"),
            ),
            (
                roofline.predict_all([models[0], broken, graph], ["npu2", "kv260"]),
                *("predict", models[0], broken, graph, "--hw", "npu2,kv260"),
            ),
            (
                roofline.curve(
                    CONFIG,
                    "npu2",
                    [8192, 1024],
                    [2048],
                    weight_type="q4_1",
                    at={1024: 15.5e-3},
                    memory_bytes=32 << 30,
                ),
                *("predict", CONFIG, "--hw", "npu2", "--context", "1k,8k", "--seq-len", "2k"),
                *("--dtype", "q4_1", "--at", "1k=15.5ms", "--memory", "32GiB"),
            ),
            (
                roofline.curve(
                    CONFIG,
                    "npu2",
                    [2048, 2303],
                    [2048],
                    draft=CONFIG,
                    accept=0.8,
                    ahead=3,
                    session_prompt=2048,
                    session_answer=256,
                    power_w=25,
                ),
                *("predict", CONFIG, "--hw", "npu2", "--seq-len", "2k", "--answer", "256", "--power", "25W"),
                *("--draft", CONFIG, "--accept", "0.8", "--ahead", "3"),
            ),
            (
                roofline.configurations(models[1], "zcu102", fps=60),
                *("predict", models[1], "--hw", "zcu102", "--configurations", "--fps", "60"),
            ),
            (
                roofline.configurations(models[1], "kv260"),
                *("predict", models[1], "--hw", "kv260", "--configurations"),
            ),
            (
                roofline.schedule([(models[0], "200Hz"), (models[0], "30Hz/20ms")], "zcu102", cores=1),
                *("schedule", f"{models[0]}@200Hz", f"{models[0]}@30Hz/20ms"),
                *("--hw", "zcu102", "--cores", "1"),
            ),
            (
                roofline.schedule([(roofline.predict(MODEL, "kv260"), "50fps")], policy="fifo"),
                *("schedule", f"{MODEL}@50fps", "--hw", "kv260", "--policy", "fifo"),
            ),
            (roofline.model_diff(graph, compiled), "compare", graph, compiled),
            (roofline.advise(graph, "kv260"), "advise", graph, "--hw", "kv260"),
            (roofline.check(PROFILE, budget), "check", PROFILE, "--budget", budget),
            (roofline.compare(OLD, NEW), "compare", OLD, NEW),
        ):
            for form in ("json", "csv", "text"):
                with self.subTest(arguments=arguments, form=form):
                    self.same(made.render(form, width=120), *arguments, "--format", form)

    def test_what_was_written_is_read(self):
        for made, read in (
            (roofline.predict_all([MODEL], ["kv260"]), roofline.read_predictions),
            (roofline.curve(CONFIG, "npu2", [1024]), roofline.read_curve),
        ):
            made.save(self.folder / "made.json")
            self.assertEqual(read(self.folder / "made.json").render("json"), made.render("json"))

    def test_a_check_that_fails(self):
        case = ROOT / "tests" / "golden" / "check-broken"
        checks = roofline.check(case / "new.json", case / "budget.json")
        states = {of.name: of.state.name for of in checks.items}
        self.assertEqual((states["mean"], states["p99"]), ("KEPT", "NOT_KNOWN"))
        self.assertEqual(checks.n_failed, sum(states[name] in ("BROKEN", "NOT_KNOWN") for name in states))
        itself = roofline.check(case / "new.json", case / "budget.json", baseline=case / "new.json")
        self.assertNotEqual(itself.render("json"), checks.render("json"))

    def test_a_sweep(self):
        plan = ROOT / "tests" / "golden" / "sweep-csv" / "plan.json"
        sweep = roofline.read_sweep(plan)
        points = sweep.write(self.folder / "points.csv", jobs=2)
        self.assertEqual((points.done, points.kept), (sweep.n_points, 0))
        self.same((self.folder / "points.csv").read_text(), "sweep", plan)
        self.assertEqual([row["index"] for row in sweep.table()], list(range(sweep.n_points)))

    def test_a_history(self):
        ours, theirs = self.folder / "ours.db", self.folder / "theirs.db"
        with roofline.History(ours, write=True) as history:
            for path, commit in ((OLD, "a1"), (NEW, "b2")):
                run("history", "add", path, "--db", theirs, "--commit", commit, "--date", "2026-01-31")
                history.add(path, added_s=1769817600, commit=commit)
                again = history.add(path, commit=commit)
                self.assertTrue(again.was_there)
            self.assertEqual([of.commit for of in history.runs(mode="bypass").items], ["b2", "a1"])
            self.assertEqual(list(history.runs(model="no such model").items), [])
            self.assertEqual(history.run(1).n_samples, 20)
            self.same(history.trends().render("json"), "history", "trend", "--db", theirs, "--format", "json")
            self.assertEqual(history.trends(factor=1.0, metric="mean_s").items[0].state.name, "NOT_KNOWN")
            with self.assertRaisesRegex(roofline.UsageError, "no-such-metric"):
                history.trends(metric="no-such-metric")
        self.assertEqual(run("history", "list", "--db", ours), run("history", "list", "--db", theirs))
        with self.assertRaisesRegex(ValueError, "closed"):
            history.runs()
        with self.assertRaises(roofline.NoInputError):
            roofline.History(self.folder / "none.db")

    def test_imports(self):
        for path, arguments, given in (
            (TRACE, ["--mode", "per_layer"], {"mode": "per_layer"}),
            (TRACE, ["--hw", "kv260"], {"hardware": "kv260"}),
            (
                LAYERS,
                ["--map", "name=Layer,time=Mean:ms,count=Runs"],
                {"map": "name=Layer,time=Mean:ms,count=Runs"},
            ),
            (TRACE, ["--power", POWER], {"power": POWER}),
        ):
            with self.subTest(arguments=arguments):
                self.same(roofline.import_profile(path, **given).render(), "import", path, *arguments)

    def test_documents_are_merged(self):
        both = [str(ROOT / "tests" / "documents" / name) for name in ("bypass.json", "layers.json")]
        made = roofline.reconcile(roofline.read_measured(*both), MODEL, "kv260")
        self.same(
            made.render("json"), "reconcile", *both, "--model", MODEL, "--hw", "kv260", "--format", "json"
        )

    def test_a_file_is_made_whole_or_not_at_all(self):
        path = self.folder / "out.json"
        prediction = roofline.predict(MODEL)
        prediction.save(path)
        self.assertEqual(path.read_text(), prediction.render("json"))
        with self.assertRaises(roofline.UsageError):
            prediction.save(path, "no-such-format")
        self.assertEqual(path.read_text(), prediction.render("json"))
        self.assertEqual([of.name for of in self.folder.iterdir()], ["out.json"])

    def test_what_a_file_raises_comes_through_the_library(self):
        class Full(io.RawIOBase):
            def write(self, piece):
                raise OSError(28, "No space left on device")

        for made in (roofline.reconcile(PROFILE), roofline.read_measured(PROFILE)):
            with self.assertRaisesRegex(OSError, "No space left"):
                made.write(Full())


if __name__ == "__main__":
    unittest.main()
