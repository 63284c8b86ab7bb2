#!/usr/bin/env python3
"""excerpt.py RUN FOLDER: what of a run's folder is kept here, in files of a few kB.

settings.yaml is the run's config.yaml without folders of the machine, evaluations.jsonl has a line for each evaluation
(means over tasks, and each test task's figure), losses.csv the mean training loss of a hundred equal parts, and
summary.json, of a finished run, is the run's own.
"""

import json
import re
import sys
from pathlib import Path

CONTROLS = ("own", "swapped", "foreign", "static")


def evaluation(line):
    """Returns the figures of an evaluation; adaptivity's controls are ROC-AUC."""
    kept = {k: line[k] for k in ("episode", "step", "auc_test", "auc_validation", "elapsed") if k in line}
    kept["test"] = {t["task"]: round(t["auc"], 4) for t in line.get("test", [])}
    controls = line.get("adaptivity", {})
    kept |= {name: controls[name]["auc"] for name in CONTROLS if controls.get(name)}
    return {k: round(v, 4) if isinstance(v, float) else v for k, v in kept.items()} | {"depths": controls.get("depths", [])}


def main(run, folder):
    run, folder = Path(run), Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    settings = (run / "config.yaml").read_text()
    (folder / "settings.yaml").write_text(re.sub(r"(: )/\S*/(?=\S)", r"\1", settings))
    lines = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines() if line.endswith("}")]
    with open(folder / "evaluations.jsonl", "w") as out:
        out.writelines(json.dumps(evaluation(line)) + "\n" for line in lines if "auc_test" in line)
    losses = [line["loss"] for line in lines if "loss" in line]
    size = max(1, len(losses) // 100)
    with open(folder / "losses.csv", "w") as out:
        out.write("step,mean_loss\n")
        for at in range(0, len(losses) - size + 1, size):
            out.write(f"{at + size},{sum(losses[at:at + size]) / size:.4f}\n")
    if (run / "summary.json").exists():
        (folder / "summary.json").write_text((run / "summary.json").read_text())


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: excerpt.py RUN FOLDER")
    main(*sys.argv[1:])
