#!/usr/bin/env python3
"""What is kept of training runs, and of the shipped model's test on FS-Mol.

    records.py list                     the runs in runs.tar.xz
    records.py show RUN [FILE]          a file of a run: settings.yaml, evaluations.jsonl, losses.csv, summary.json
    records.py means PATTERN…           ROC-AUC (%) of all runs that a PATTERN matches: mean ± standard deviation (n − 1)
    records.py fsmol                    ΔAUPRC of fsmol-16.csv.gz by group of assays: mean ± standard error
    records.py add FOLDER RUN           put what is kept of a run's folder into runs.tar.xz

The paper's first table is `records.py means 'fast-tox21-?' 'fast-sider-?' 'fast-toxcast-?' 'fast-muv-?'`.
"""

import collections
import csv
import fnmatch
import gzip
import io
import json
import math
import re
import statistics
import sys
import tarfile
from pathlib import Path

HERE = Path(__file__).parent
ARCHIVE = HERE / "runs.tar.xz"
# Of one draw of support sets: with its labels, with labels swapped, with another task's, and without a model.
CONTROLS = ("own", "swapped", "foreign", "static")
SELECTIONS = ("auc_best_on_test", "auc_validation_selected", "auc_last")


def files():
    """Returns the archive's files by name, RUN/FILE."""
    with tarfile.open(ARCHIVE) as archive:
        return {m.name: archive.extractfile(m).read() for m in archive if m.isfile()}


def means(patterns):
    kept = files()
    print("runs".ljust(26), "n", *(name.removeprefix("auc_").rjust(20) for name in SELECTIONS + CONTROLS[1:]))
    for pattern in patterns:
        runs = [json.loads(kept[name]) for name in sorted(kept) if fnmatch.fnmatchcase(name, f"{pattern}/summary.json")]
        if not runs:
            sys.exit(f"no finished run is called {pattern}; records.py list names them")
        columns = [[run[name] for run in runs] for name in SELECTIONS]
        columns += [[run["adaptivity"][c]["auc"] for run in runs if run.get("adaptivity", {}).get(c)] for c in CONTROLS[1:]]
        print(pattern.ljust(26), len(runs), *(spread([100 * v for v in values]).rjust(20) for values in columns))


def spread(values):
    if len(values) < 2:
        return "".join(f"{v:.2f}" for v in values) or "–"
    return f"{statistics.mean(values):.2f} ± {statistics.stdev(values):.2f}"


def fsmol():
    """Prints README's table: each assay counts once, with the mean of its ten draws."""
    groups = collections.defaultdict(lambda: collections.defaultdict(list))
    with gzip.open(HERE / "fsmol-16.csv.gz", "rt") as f:
        for row in csv.DictReader(f):
            for group in row["group"], "all":
                groups[row["method"]][group].append(float(row["delta_auprc"]))
    for method, by in groups.items():
        cells = (f"{g} ({len(v)}) {statistics.mean(v):.4f} ± {statistics.stdev(v) / math.sqrt(len(v)):.4f}"
                 for g, v in ((g, by[g]) for g in ("new", "some", "known", "all")))
        print(method.ljust(18), *cells, sep="   ")


def evaluation(line):
    """Returns the figures of a line of metrics.jsonl; adaptivity's controls are ROC-AUC."""
    kept = {k: line[k] for k in ("episode", "step", "auc_test", "auc_validation", "elapsed") if k in line}
    kept["test"] = {t["task"]: round(t["auc"], 4) for t in line.get("test", [])}
    controls = line.get("adaptivity", {})
    kept |= {name: controls[name]["auc"] for name in CONTROLS if controls.get(name)}
    return {k: round(v, 4) if isinstance(v, float) else v for k, v in kept.items()} | {"depths": controls.get("depths", [])}


def excerpt(run):
    """Returns what is kept of a run's folder: settings without folders of the machine, a line for each evaluation,
    and the mean training loss of a hundred equal parts."""
    lines = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines() if line.endswith("}")]
    losses = [line["loss"] for line in lines if "loss" in line]
    size = max(1, len(losses) // 100)
    parts = range(0, len(losses) - size + 1, size)
    kept = {
        "settings.yaml": re.sub(r"(: )/\S*/(?=\S)", r"\1", (run / "config.yaml").read_text()),
        "evaluations.jsonl": "".join(json.dumps(evaluation(line)) + "\n" for line in lines if "auc_test" in line),
        "losses.csv": "step,mean_loss\n" + "".join(f"{at + size},{sum(losses[at:at + size]) / size:.4f}\n" for at in parts),
    }
    if (run / "summary.json").exists():
        kept["summary.json"] = (run / "summary.json").read_text()
    return kept


def write(kept):
    """Writes the archive: the same files give the same bytes."""
    with tarfile.open(ARCHIVE, "w:xz", format=tarfile.USTAR_FORMAT) as archive:
        for name in sorted(kept):
            member = tarfile.TarInfo(name)
            member.size = len(kept[name])
            archive.addfile(member, io.BytesIO(kept[name]))


def main(command, *args):
    if command == "list":
        print(*sorted({name.partition("/")[0] for name in files()}), sep="\n")
    elif command == "show" and args:
        print(files()["/".join((args + ("summary.json",))[:2])].decode(), end="")
    elif command == "means" and args:
        means(args)
    elif command == "fsmol":
        fsmol()
    elif command == "add" and len(args) == 2:
        write(files() | {f"{args[1]}/{name}": text.encode() for name, text in excerpt(Path(args[0])).items()})
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(*sys.argv[1:] or [""])
