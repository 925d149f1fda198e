#!/usr/bin/env python3
"""The study of examples/kv260 in Python: three networks on a KV260, what they ought to take and why they take
longer.

    kv260_study.py FOLDER [CHARTS]     FOLDER has the models and measured.json; charts go to CHARTS, if it is
    named
"""
import sys
from pathlib import Path

import roofline


# %% What each network ought to take: nothing is run for that.
def predict_all(folder):
    predictions = [roofline.predict(path, "kv260") for path in sorted(folder.glob("*.xmodel"))]
    print(f"{'network':20} {'MACs':>14} {'at best':>9} {'expected':>9}  binds")
    for p in predictions:
        binds = p.engines[p.total.deployed.bound]
        print(
            f"{p.model.name:20} {p.total.macs:14,} {1e3 * p.best_s:6.2f} ms "
            f"{1e3 * p.total.predicted_s:6.2f} ms  {binds}"
        )
    return predictions


# %% What was measured, beside it.
def reconcile_all(folder):
    study = roofline.reconcile(folder / "measured.json")
    print("\n" + "\n".join(study.verdict) + "\n")
    print(f"{'network':12} {'measured':>9} {'ideal':>9} {'efficiency':>10}")
    for e in study.experiments:
        print(
            f"{e.model:12} {1e3 * e.total.bypass_s:6.2f} ms {1e3 * e.total.ideal_s:6.2f} ms "
            f"{e.total.efficiency_ratio:10.0%}"
        )
    return study


# %% What costs most, and what each layer leaves on the table.
def explain(study):
    for e in study.experiments:
        cause = e.causes[0]
        print(f"\n{e.model}: {cause.meaning} ({cause.why.sentence}); {cause.advice}")
    rows = [row for row in study.layers_table() if row["gap_s"] and row["bound"]]
    print("\nlargest gaps")
    for row in sorted(rows, key=lambda row: -row["gap_s"])[:5]:
        print(f"  {1e6 * row['gap_s']:6.1f} us  {row['bound']:5} {row['model']}: {row['matched_rows']}")


# %% The constants of this board, and what they make of the next network.
def calibrate(study, predictions):
    board = study.calibrate()
    print("\nconstants of the board")
    for parameter in board.parameters:
        print(f"  {parameter.name:24} {parameter.value:.4g}")
    for p in predictions:
        again = roofline.predict(p.source, "kv260", calibration=board)
        print(f"  {again.model.name}: {1e3 * again.total.predicted_s:.2f} ms")


# %% The roofline of each network.
def draw(predictions, charts):
    for p in predictions:
        try:
            p.draw(charts / f"{p.model.name}.svg")
        except roofline.DeviceError as failure:  # its script and data are there
            print(f"not drawn: {failure}", file=sys.stderr)


def main(folder, charts=None):
    predictions = predict_all(Path(folder))
    study = reconcile_all(Path(folder))
    explain(study)
    calibrate(study, predictions)
    if charts:
        draw(predictions, Path(charts))


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 3:
        sys.exit("usage: kv260_study.py FOLDER [CHARTS]")
    main(*sys.argv[1:])
