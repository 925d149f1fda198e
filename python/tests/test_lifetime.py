"""What is received is freed with its object, what is a part of another object keeps that, and threads work
side by side."""
import gc
import os
import threading
import unittest
import weakref
from concurrent.futures import ThreadPoolExecutor

import roofline
from support import KV260, MODEL, PROFILE, ROOT

CONFIG = ROOT / "examples" / "npu2" / "llama-3.2-1b.json"
GRAPH = ROOT / "examples" / "models" / "mobilenetv2-int8.xmodel"
BUDGET = ROOT / "tests" / "golden" / "check-kept" / "budget.json"
OLD = ROOT / "tests" / "golden" / "compare-samples" / "old.json"


def resident_bytes() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def grown_bytes(call, times: int) -> int:
    gc.collect()
    before = resident_bytes()
    for _ in range(times):
        call()
    gc.collect()
    return resident_bytes() - before


def everything() -> None:
    """One object of each kind, and an error."""
    made = roofline.reconcile(OLD)
    roofline.compare(made, roofline.read_measured(OLD, OLD)).render("json")
    roofline.predict(MODEL, no_steps=True, explores="nothing").layers_table()
    roofline.read_graph(MODEL)
    try:
        roofline.predict(OLD)
    except roofline.Error:
        pass


def questions() -> None:
    roofline.predict_all([MODEL, OLD], ["kv260"], explores="nothing").table()
    roofline.schedule([(MODEL, "30Hz")]).table()
    roofline.check(OLD, BUDGET).table()
    roofline.curve(CONFIG, "npu2", [1024], [1024]).table()
    roofline.model_diff(GRAPH, MODEL).table()


class Lifetime(unittest.TestCase):
    def test_memory_does_not_grow(self):
        for call, times in (
            (everything, 500),
            (lambda: roofline.predict(MODEL).render("json"), 50),
            (questions, 50),
        ):
            # What leaks grows each time. The heaps of the threads of predict_all grow and fall by some 20 MB, in no order.
            grown = min(grown_bytes(call, times) for _ in range(4))
            self.assertLess(grown, 4 << 20)  # a prediction has half a megabyte

    def test_a_part_keeps_the_whole(self):
        match = roofline.reconcile(PROFILE).experiments[0].matches[0]
        layers = roofline.predict(MODEL).layers
        row = next(
            run.layers[0]
            for run in roofline.compare(roofline.read_measured(PROFILE), roofline.read_measured(PROFILE)).runs
            if run.layers
        )
        value = roofline.Hardware("kv260")["clock"]
        gc.collect()
        junk = [
            roofline.predict(MODEL) for _ in range(20)
        ]  # takes the memory that a dangling pointer would be at
        self.assertEqual(
            (match.name, match.share_ratio is None), ("subgraph_MobilenetV1/MobilenetV1/Conv2d_0", False)
        )
        self.assertEqual(layers[0].name, "subgraph_MobilenetV2/Conv")
        self.assertTrue(row.name)
        self.assertEqual((value.value, value.unit), (300e6, "Hz"))
        del junk

    def test_a_document_lives_as_long_as_what_was_made_of_it(self):
        measured = roofline.read_measured(PROFILE)
        lives = weakref.ref(measured)
        made = roofline.reconcile(measured)
        del measured
        gc.collect()
        self.assertIsNotNone(lives())
        self.assertEqual(made.experiments[0].bypass.mode.name, "BYPASS")
        del made
        gc.collect()
        self.assertIsNone(lives())

    def test_threads_give_what_one_gives(self):
        models = [str(path) for path in sorted(KV260.glob("*.xmodel"))]
        alone = {path: roofline.predict(path, "kv260").render("json") for path in models}
        with ThreadPoolExecutor(8) as pool:
            for path, text in zip(
                models * 16,
                pool.map(lambda path: roofline.predict(path, "kv260").render("json"), models * 16),
            ):
                self.assertEqual(text, alone[path])

    def test_one_document_is_read_by_several_threads(self):
        measured = roofline.read_measured(PROFILE)
        alone = roofline.reconcile(measured).render("json")
        with ThreadPoolExecutor(4) as pool:
            for text in pool.map(lambda _: roofline.reconcile(measured).render("json"), range(16)):
                self.assertEqual(text, alone)

    def test_an_error_belongs_to_its_thread(self):
        messages = []

        def fail(name):
            for _ in range(100):
                try:
                    roofline.Hardware(name)
                except roofline.NoInputError as failure:
                    messages.append((name, str(failure)))

        threads = [threading.Thread(target=fail, args=(f"no-board-{i}",)) for i in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(messages), 800)
        for name, message in messages:
            self.assertIn(name, message)


if __name__ == "__main__":
    unittest.main()
