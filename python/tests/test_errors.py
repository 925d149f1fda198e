"""What fails is an exception of its status, with the library's message; a hostile file is refused."""
import unittest

import roofline
from roofline import errors
from support import KV260, MODEL, PROFILE, ROOT, InFolder


class Errors(InFolder):
    def test_every_status_has_a_class(self):
        for status in roofline.structs.Status:
            if status.name != "OK":
                self.assertIn(status.name, errors._CLASSES)

    def test_the_message_is_that_of_the_library(self):
        path = self.folder / "empty.xmodel"
        path.touch()
        with self.assertRaises(roofline.DataError) as caught:
            roofline.predict(path)
        self.assertIn("empty.xmodel: file is empty", str(caught.exception))
        self.assertEqual((caught.exception.where, caught.exception.what), (str(path), "file is empty"))
        self.assertEqual((caught.exception.status, caught.exception.line), ("E_DATA", None))

    def test_what_is_missing(self):
        for call in (
            lambda: roofline.predict(self.folder / "none.xmodel"),
            lambda: roofline.Hardware("no-such-board"),
            lambda: roofline.read_measured(self.folder / "none.json"),
        ):
            with self.assertRaises(roofline.NoInputError):
                call()
        with self.assertRaisesRegex(roofline.UsageError, "name it, such as hw="):
            roofline.predict(ROOT / "examples" / "torch-gpu" / "segmenter.onnx")

    def test_usage_errors_are_value_errors(self):
        with self.assertRaises(ValueError):
            roofline.predict(MODEL).render("no-such-format")
        with self.assertRaisesRegex(TypeError, "want a Measured"):
            roofline.compare(PROFILE, 5)
        with self.assertRaisesRegex(roofline.UsageError, "1 predictions, want one"):
            roofline.reconcile(PROFILE, predictions=[None])
        with self.assertRaisesRegex(ValueError, "NUL"):
            roofline.predict("a\0b")
        with self.assertRaises(roofline.UsageError):
            roofline.read_measured()

    def test_hostile_files(self):
        whole = {
            kind: path.read_bytes()
            for kind, path in (
                ("xmodel", KV260 / "mobilenetv2-b4096.xmodel"),
                ("json", KV260 / "measured.json"),
            )
        }
        readers = {
            "xmodel": (roofline.read_graph, roofline.predict),
            "json": (
                roofline.read_measured,
                roofline.read_prediction,
                roofline.import_profile,
                roofline.read_calibration,
            ),
        }
        read = 0
        for kind, data in whole.items():
            path = self.folder / f"hostile.{kind}"
            cuts = [data[: len(data) * i // 40] for i in range(40)]
            flips = [
                data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :]
                for at in range(0, len(data), max(1, len(data) // 40))
            ]
            for piece in [
                *cuts,
                *flips,
                b"[" * 100000,
                b'{"schema":"roofline.measured/1","experiments":[{"runs":[{}]}]}',
            ]:
                path.write_bytes(piece)
                for reader in readers[kind]:
                    try:
                        reader(path).to_dict()
                        read += 1
                    except roofline.Error as failure:
                        self.assertTrue(str(failure))
        self.assertGreater(read, 0)  # some flips are in texts

    def test_a_model_that_is_not_there_is_warned_of(self):
        path = self.folder / "measured.json"
        path.write_text(
            '{"schema":"roofline.measured/1","experiments":[{"model":{"name":"net","path":"gone.xmodel"},"runs":['
            '{"mode":"bypass","total":{"mean_s":0.003,"count":5}}]}]}'
        )
        with self.assertWarnsRegex(UserWarning, "gone.xmodel' is not there; model=") as caught:
            made = roofline.reconcile(path)
        self.assertEqual(caught.filename, __file__)
        self.assertIsNone(made.experiments[0].prediction)

    def test_a_chart_with_another_ending(self):
        with self.assertRaises(roofline.UsageError):
            roofline.predict(MODEL).draw(self.folder / "chart.bmp")


if __name__ == "__main__":
    unittest.main()
