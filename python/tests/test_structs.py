"""Every member of every public structure is a typed attribute."""
import ast
import re
import tempfile
import unittest
import unittest.mock
from pathlib import Path

import roofline
from roofline import _members, _shown, _view, structs
from roofline._roofline import ffi, lib
from support import MODEL, PROFILE, ROOT

HEADERS = sorted((ROOT / "include" / "roofline").glob("*.h"))
# What is incomplete in the public headers, or opaque: a handle of its own, or private.
OPAQUE = {
    "struct roof_history",
    "struct roof_hw",
    "struct roof_arena",
    "struct roof_graph_storage",
    "struct roof_measured_storage",
    "struct roof_owned_prediction",
    "struct roof_power_trace",
    "struct schedule_code",
    "struct code_replayer",
    "struct command_group",
    "struct epoch_work",
}


class Structures(unittest.TestCase):
    def test_every_structure_of_the_headers_has_a_class(self):
        text = "".join(header.read_text() for header in HEADERS)
        names = set(re.findall(r"^typedef struct (roof_\w+) \{", text, re.M))
        self.assertGreater(len(names), 150)
        self.assertEqual(names - {name.split(".")[0] for name in _view.STRUCTS}, set())
        for name in names:
            self.assertTrue(hasattr(structs, _members.class_name(name)), name)

    def test_a_structure_without_members_is_not_asked_for_them(self):
        asked = self.fail

        class Opaque:  # cffi 2.0 ends the process where the fields of one are asked for
            kind = "struct"

            @property
            def fields(self):
                asked("its fields were asked for")

        with unittest.mock.patch.object(_members._cffi_backend, "sizeof", side_effect=ValueError):
            self.assertFalse(_members.is_declared(Opaque()))

    def test_every_pointer_is_a_text_a_list_an_object_or_private(self):
        for struct, ctype in _view.STRUCTS.items():
            for of in _members.members(struct, ctype):
                place = f"{struct}.{of.name}: {of.ctype.cname}"
                if of.ctype.kind != "pointer" or of.kind in ("text", "list"):
                    continue
                if of.kind == "opaque":
                    self.assertIn(of.ctype.item.cname, OPAQUE, place)
                elif of.kind == "hidden":
                    self.assertIn(
                        f"{struct}.{of.name}", _members.HIDDEN, f"{place}: what counts it is unknown"
                    )
                elif (
                    of.name.endswith("s") and of.name != "bypass"
                ):  # a list whose count is called otherwise would be taken for one object
                    self.assertTrue(
                        of.ctype.item.cname.endswith("s"), f"{place}: what counts it is unknown"
                    )

    def test_what_counts_a_list_is_there(self):
        for struct, ctype in _view.STRUCTS.items():
            for of in _members.members(struct, ctype):
                if not of.counted_by:
                    continue
                found, path = ctype, of.counted_by
                if path.startswith("^"):
                    above, path = path[1:].split(".")
                    found = _view.STRUCTS[above]
                for name in path.split("."):
                    found = dict(found.fields)[name].type
                self.assertEqual(found.kind, "primitive", f"{struct}.{of.name}")

    def test_a_list_is_counted_as_documents_count_it(self):
        """Each list that a table of a document's members describes: its struct, its member, what counts it."""
        item = re.compile(r'(?:CODEC|GRID)_ITEMS\(\s*"\w+",\s*(roof_\w+),\s*(\w+),\s*(\w+)\s*,')
        rooms = [ROOT / room for room in ("model", "measure", "reports", "cli")]
        text = "".join(path.read_text() for room in rooms for path in sorted(room.rglob("*.c")))
        described = {(struct, name): count for struct, name, count in item.findall(text)}
        self.assertGreater(len(described), 50)
        for (struct, name), count in described.items():
            member = {of.name: of for of in _members.members(struct, _view.STRUCTS[struct])}[name]
            self.assertEqual(member.counted_by, count, f"{struct}.{name}")

    def test_tables_of_exceptions_name_members_that_are_there(self):
        for full in [*_members.COUNTS, *_members.HIDDEN]:
            struct, name = full.split(".")
            self.assertIn(name, dict(_view.STRUCTS[struct].fields), full)

    def test_all_members_of_results_can_be_read(self):
        prediction = roofline.predict(
            MODEL, "zcu102", load={"threads": [1, 2]}, what_if="alu=2", explores="all"
        )
        made = roofline.reconcile(PROFILE)
        language = roofline.predict(ROOT / "examples" / "npu2" / "llama-3.2-1b.json", "npu2", phase="decode")
        epochs = roofline.reconcile(ROOT / "examples" / "stm32n6" / "measured.json")
        compared = roofline.compare(made, made)
        for view, least in (
            (prediction, 100),
            (made, 1000),
            (language, 100),
            (epochs, 500),
            (compared, 100),
            (roofline.read_graph(MODEL), 1000),
            (made.calibrate(), 50),
            (roofline.predict_all([MODEL], ["kv260", "npu2"]), 100),
            (roofline.curve(ROOT / "examples" / "npu2" / "llama-3.2-1b.json", "npu2", [1024, 2048]), 50),
            (roofline.schedule([(prediction, "30Hz"), (prediction, "900Hz")]), 40),
            (roofline.configurations(MODEL, "kv260", fps=30), 50),
            (roofline.read_sweep(ROOT / "tests" / "golden" / "sweep-csv" / "plan.json"), 20),
        ):
            plain = view.to_dict()
            self.assertGreater(count_values(plain), least)
        deployed = roofline.predict(MODEL).to_dict()["layers"][0]["deployed"]
        self.assertEqual(
            deployed["cycles"], [9408, 56448, 0, 7094, 12544, 9954]
        )  # as the golden CSV has them

    def test_enumerations_have_the_values_of_the_headers(self):
        self.assertEqual(structs.Status.E_DATA, lib.ROOF_E_DATA)
        self.assertEqual([word.name for word in structs.Severity], ["WRONG", "HIDDEN", "NOTE"])
        self.assertEqual(structs.Verdict(lib.ROOF_VERDICT_GAP).name, "GAP")
        for name, of in _view.ENUMS.items():
            for word, value in of.__members__.items():
                self.assertIn(int(value), ffi.typeof(name).elements, f"{name}.{word}")

    def test_unknown_is_none(self):
        match = ffi.new(
            "roof_match *", {"ideal_s": float("nan"), "measured_s": 2.0, "bound": lib.ROOF_NONE, "layer": 3}
        )
        view = structs.Match(match)
        self.assertEqual(
            (view.ideal_s, view.measured_s, view.bound, view.layer, view.name), (None, 2.0, None, 3, None)
        )
        layer = structs.LayerPrediction(
            ffi.new("roof_layer_prediction *", {"macs": lib.ROOF_UNKNOWN, "ops_count": 0})
        )
        self.assertEqual((layer.macs, layer.ops_count), (None, 0))
        self.assertEqual(
            list(structs.Times(ffi.new("roof_times *", {"count": 3})).samples_s), []
        )  # counted, and not kept

    def test_lists_are_sequences(self):
        layers = roofline.predict(MODEL).layers
        self.assertEqual([layers[-1], *layers[:2]], [layers[len(layers) - 1], layers[0], layers[1]])
        self.assertEqual(len(list(layers)), len(layers))
        with self.assertRaises(IndexError):
            layers[len(layers)]
        with self.assertRaises(IndexError):
            layers[-len(layers) - 1]
        self.assertIn(layers[3], layers)

    def test_members_cannot_be_changed(self):
        with self.assertRaises(AttributeError):
            roofline.predict(MODEL).layers[0].macs = 1

    def test_stubs_have_every_attribute(self):
        folder = Path(roofline.__file__).parent
        self.assertTrue((folder / "py.typed").exists())
        classes = {
            of.name: of
            for of in ast.parse((folder / "structs.pyi").read_text()).body
            if isinstance(of, ast.ClassDef)
        }
        for name, of in _view.STRUCT_CLASSES.items():
            stated = {line.name for line in classes[name].body if isinstance(line, ast.FunctionDef)}
            self.assertEqual(stated, set(of._members), name)
        for name in structs.__all__:
            self.assertIn(name, classes)
        layers = next(of for of in classes["Prediction"].body if getattr(of, "name", "") == "layers")
        self.assertEqual(
            ast.unparse(layers.returns), "Sequence[roofline.LayerPrediction]"
        )  # with what it adds

    def test_options_are_those_of_the_headers(self):
        with self.assertRaisesRegex(TypeError, "no option 'clok_hz'; there are .*clock_hz"):
            roofline.predict(MODEL, clok_hz=1)
        with self.assertRaisesRegex(OverflowError, "batch"):
            roofline.predict(MODEL, batch=-1)
        for bad in (-1.0, float("nan")):
            with self.assertRaisesRegex(roofline.UsageError, "clock_hz"):
                roofline.predict(MODEL, clock_hz=bad)
        with self.assertRaisesRegex(roofline.UsageError, "prefill, decode"):
            roofline.read_graph(MODEL, phase="neither")


class Hardware(unittest.TestCase):
    def test_the_database(self):
        entries = {entry.id: entry for entry in roofline.hardware()}
        self.assertEqual(entries["kv260"].family, "dpuczdx8g")
        self.assertGreater(len(entries), 20)

    def test_values_have_unit_kind_and_source(self):
        board = roofline.Hardware("KV260")
        clock = board["clock"]
        self.assertEqual(
            (board.id, clock.value, clock.unit, bool(clock.source)), ("kv260", 300e6, "Hz", True)
        )
        self.assertEqual(board.values["clock"], clock)
        self.assertIsInstance(clock.kind, structs.ValueKind)
        with self.assertRaises(KeyError):
            board["no.such.key"]

    def test_a_change_is_of_a_copy(self):
        board = roofline.Hardware("kv260")
        slow = board.changed("clock", 150e6, "Hz")
        self.assertEqual((board["clock"].value, slow["clock"].value), (300e6, 150e6))
        self.assertEqual(slow["clock"].kind, structs.ValueKind.ASSUMED)
        ideal = [roofline.predict(MODEL, hw).total.deployed.ideal_s for hw in (board, slow)]
        self.assertGreater(ideal[1], 1.5 * ideal[0])
        with self.assertRaises(roofline.Error):
            board.changed("clock", 150e6, "no-such-unit")


class Tables(unittest.TestCase):
    def test_columns_are_those_of_the_csv(self):
        prediction = roofline.predict(MODEL)
        table = prediction.layers_table()
        self.assertEqual(list(table[0]), prediction.render("csv").splitlines()[0].split(","))
        self.assertEqual(len(table), len(prediction.layers))
        for row, layer in zip(table, prediction.layers):
            self.assertEqual((row["index"], row["name"], row["macs"]), (layer.index, layer.name, layer.macs))
            self.assertEqual(row["ideal_s"] is None, layer.deployed.bound is None)

    def test_an_empty_cell_is_none_and_a_name_is_a_text(self):
        rows = [{"name": "1", "a": "2", "b": "", "c": "x"}, {"name": "2", "a": "", "b": "", "c": "3"}]
        self.assertEqual(
            _shown.typed(rows, frozenset({"name"})),
            [{"name": "1", "a": 2, "b": None, "c": "x"}, {"name": "2", "a": None, "b": None, "c": "3"}],
        )

    def test_reconciliations_and_comparisons_have_tables(self):
        made = roofline.reconcile(PROFILE)
        self.assertEqual(len(made.layers_table()), sum(len(of.matches) for of in made.experiments))
        self.assertEqual(roofline.compare(made, made).layers_table()[0]["ratio"], 1)

    def test_a_column_of_texts_stays_one_whatever_its_texts_are(self):
        made = roofline.reconcile(PROFILE)
        models = ROOT / "examples" / "models"
        prediction = roofline.predict(MODEL, "kv260")
        with tempfile.TemporaryDirectory() as folder:
            history = roofline.History(Path(folder) / "runs.db", write=True)
            history.add(PROFILE, commit="0123456")
            tables = [
                prediction,
                made,
                roofline.compare(made, made),
                roofline.predict_all([MODEL, models / "resnet50.onnx"], ["kv260", "npu2"]),
                roofline.curve(ROOT / "examples" / "npu2" / "llama-3.2-1b.json", "npu2", [1024], [1024]),
                roofline.schedule([(prediction, "30Hz"), (prediction, "900Hz")], cores=1),
                roofline.configurations(MODEL, "kv260", fps=30),
                roofline.model_diff(models / "mobilenetv2-int8.xmodel", models / "mobilenetv2-b4096.xmodel"),
                roofline.check(PROFILE, ROOT / "tests" / "golden" / "check-kept" / "budget.json"),
                roofline.read_sweep(ROOT / "tests" / "golden" / "sweep-csv" / "plan.json"),
                roofline.read_sweep(ROOT / "tests" / "golden" / "sweep-profiles" / "plan.json"),
                history.trends(),
            ]
            for of in tables:
                known = _shown._texts_of(of._row, *of._text_columns)
                rows = of.table()
                self.assertTrue(rows, of)
                found = {name for row in rows for name, cell in row.items() if isinstance(cell, str)}
                self.assertEqual(found - known, set(), of)

    def test_pandas(self):
        try:
            import pandas
        except ImportError:
            print("SKIPPED: needs python3-pandas (test_pandas)")
            self.skipTest("needs python3-pandas")
        frame = roofline.predict(MODEL).to_pandas()
        self.assertIsInstance(frame, pandas.DataFrame)
        self.assertEqual(frame["macs"].sum(), roofline.predict(MODEL).total.macs)

    def test_without_pandas_a_sentence_says_so(self):
        import sys
        from unittest import mock

        with mock.patch.dict(sys.modules, {"pandas": None}), self.assertRaisesRegex(
            ImportError, "python3-pandas.*table"
        ):
            roofline.predict(MODEL).to_pandas()


def count_values(plain) -> int:
    if isinstance(plain, dict):
        return sum(map(count_values, plain.values()))
    if isinstance(plain, list):
        return sum(map(count_values, plain))
    return 1


if __name__ == "__main__":
    unittest.main()
