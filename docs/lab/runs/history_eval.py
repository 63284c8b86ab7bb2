"""What past assays add to the shipped model on public test assays: pacia eval with --history and without, paired over the assays.

usage: history_eval.py PACIA tox21 FOLDER OUT [OPTIONS OF EVAL…]    FOLDER has MoleculeNet's tox21.csv.gz and toxcast.csv.gz
       history_eval.py PACIA muv FOLDER OUT [OPTIONS OF EVAL…]
       history_eval.py PACIA fsmol FOLDER TARGETS OUT [OPTIONS…]    FS-Mol as CSV files, and its datasets/targets/test_proteins.csv

tox21, muv: all assays, ten draws of 10 molecules of each class. Their past is ToxCast, for Tox21 also without its read-outs of Tox21's
experiments (TOX21_…). fsmol: the 157 test assays, ten draws of 16 molecules. Their past is the other test assays: all of them, those of
another protein family, or those of another super-family and another first number of the EC, which leaves kinases none that transfers.
What OUT has is not run again. It needs nothing but Python.
"""
import csv
import gzip
import json
import shutil
import statistics
import subprocess
import sys
from collections import defaultdict
from pathlib import Path


def labels(path):
    """Labels of a task's CSV file by its SMILES."""
    with opened(path) as file:
        return {r[0]: r[1] for r in list(csv.reader(file))[1:]}


def evaluated(pacia, out, name, *options):
    """The report of pacia eval, and the rows of its predictions as they are read."""
    report, rows = out / f"{name}.json", out / f"{name}.csv.gz"
    if not report.exists():
        print(f"{name} …", file=sys.stderr, flush=True)
        done = subprocess.run([pacia, "eval", *options, "--predictions", rows, "--json"], check=True, stdout=subprocess.PIPE)
        report.write_bytes(done.stdout)
    return json.loads(report.read_text()), rows


def opened(path):
    return gzip.open(path, "rt", newline="") if str(path).endswith(".gz") else open(path, newline="")


def area(rows):
    """ROC-AUC of pairs of a score and a label; None if a class is missing."""
    rows = sorted(rows)
    actives, below, tied, i = 0, 0.0, 0, 0
    while i < len(rows):
        j = i
        while j < len(rows) and rows[j][0] == rows[i][0]:
            j += 1
        hits = sum(label for _, label in rows[i:j])
        actives, below, i = actives + hits, below + hits * (i + j + 1) / 2, j
    inactives = len(rows) - actives
    return (below - actives * (actives + 1) / 2) / (actives * inactives) if actives and inactives else None


def precision(rows):
    """Average precision of pairs of a score and a label less the share of actives; None without actives."""
    hits, total = 0, 0.0
    for place, (_, label) in enumerate(sorted(rows, key=lambda r: -r[0]), 1):
        hits += label
        total += label * hits / place
    return total / hits - hits / len(rows) if hits else None


def measured(path):
    """Assays with the rows of their molecules that past assays measured."""
    with opened(path) as file:
        return {(r["task"], r["row"]) for r in csv.DictReader(file) if int(r["past"])}


def figures(path, among=None):
    """By assay, of all queries or of those among some: ROC-AUC and ΔAUPRC of the model, ROC-AUC of the share of hits in past assays, and
    the share of queries that past assays measured. They are means over the draws."""
    draws, all = {}, defaultdict(list)

    def close():
        for (task, _, _), rows in draws.items():
            scores, hits = [(s, y) for s, y, *_ in rows], [(h, y) for _, y, h, *_ in rows]
            if area(scores) is not None:
                all[task].append((area(scores), precision(scores), area(hits), statistics.mean(past for *_, past in rows)))
        draws.clear()

    with opened(path) as file:
        for r in csv.DictReader(file):
            if among is not None and (r["task"], r["row"]) not in among:
                continue
            key = r["task"], r["draw"], r["support"]
            if key not in draws:
                close()
                draws[key] = []
            n = int(r.get("past") or 0)
            hits = int(r.get("past_active") or 0) / (n + 1)
            draws[key].append((float(r["probability"]), int(r["label"]), hits, n > 0))
    close()
    return {task: tuple(map(statistics.mean, zip(*draws))) for task, draws in all.items()}


def mean(values, digits=3, sign=""):
    """A mean ± its standard error."""
    error = f" ± {statistics.stdev(values) / len(values) ** 0.5:.{digits}f}" if len(values) > 1 else ""
    return f"{statistics.mean(values):{sign}.{digits}f}{error}"


def row(name, base, of, tasks):
    """A row of a table: the figures of assays, and their differences to those without past assays."""
    if not tasks:
        return
    column = lambda k: [of[t][k] for t in tasks]
    less = lambda k: [of[t][k] - base[t][k] for t in tasks]
    cells = [name, len(tasks), f"{100 * statistics.mean(column(3)):.0f} %", mean(column(0)), mean(less(0), sign="+"), mean(column(1)),
             mean(less(1), sign="+"), f"{statistics.mean(column(2)):.3f}"]
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)


HEAD = """| past assays | assays | of their molecules measured there | ROC-AUC | gain | ΔAUPRC | gain | ROC-AUC of the share of hits |
|---|---|---|---|---|---|---|---|"""


def swapped(report):
    """Figures with swapped labels of the support sets, of the draws for which they are measured."""
    a, b = report["adaptivity"]["swapped"], report["adaptivity"]["own"]
    return f"labels swapped: ROC-AUC {a['auc']:.3f}, ΔAUPRC {a['delta_auprc']:+.3f} (with its own labels {b['auc']:.3f})"


def panel(pacia, which, folder, out, *options):
    """Tox21 or MUV with ToxCast as its past."""
    out.mkdir(parents=True, exist_ok=True)
    apart = out / "toxcast-without-tox21.csv"
    if not apart.exists():
        with opened(folder / "toxcast.csv.gz") as file:
            rows = list(csv.reader(file))
        keep = [i for i, name in enumerate(rows[0]) if not name.startswith("TOX21_")]
        with open(apart, "w", newline="") as file:
            csv.writer(file).writerows([r[i] for i in keep] for r in rows)
    common = ["--set", f"data.path={folder / which}.csv.gz", "--set", "data.split=all", "--set", "data.molecules=parents",
              "--set", "data.repeats=merge", "--set", "train.evaluation_draws=10", "--set", "train.adaptivity_draws=2",
              "--set", "episode.shots=10", "--set", "episode.support=0", "--set", "episode.test_support=0", "--seed", "0", *options]
    whole = ["--history", folder / "toxcast.csv.gz"]
    runs = [("0", "none", []), ("1", "ToxCast without TOX21_…", ["--history", apart]),
            ("2", "the same, --specific", ["--history", apart, "--specific"]), ("3", "ToxCast", whole)]
    print(HEAD)
    base, without, notes = {}, None, []
    for number, name, more in runs if which == "tox21" else (runs[0], runs[3]):
        report, rows = evaluated(pacia, out, f"{which}-{number}", *common, *more)
        found = figures(rows)
        without = without or rows
        base = base or found
        row(name, base, found, sorted(found))
        share = statistics.mean(f[3] for f in found.values())
        if 0.05 < share < 0.9:
            among = measured(rows)
            of = figures(rows, among)
            row("of the measured molecules alone", figures(without, among), of, sorted(of))
        notes.append(f"{name}: {swapped(report)}")
        if past := report.get("history"):
            itself, near = (sum(bool(t[k]) for t in past["tasks"]) for k in ("itself", "near"))
            share = sum(t["measured"] for t in past["tasks"]) / sum(t["molecules"] for t in past["tasks"])
            notes.append(f"  {share:.1%} of the molecules are measured there; {itself} assays were their own past, {near} have near copies")
    print("\n" + "\n".join(notes))


def fsmol(pacia, folder, targets, out, *options):
    """FS-Mol's test assays with the other ones as their past."""
    out.mkdir(parents=True, exist_ok=True)
    about = {r["chembl_id"]: r for r in csv.DictReader(opened(targets))}
    if not (out / "assays").exists():  # alone, as the training assays take minutes to read
        shutil.copytree(folder / "test", out / "assays" / "test")
    tables = {path.stem: labels(path) for path in sorted((folder / "test").glob("*.csv"))}
    trained = {s for path in (folder / "train").glob("*.csv") for s in labels(path)}
    known = {t: statistics.mean(s in trained for s in tables[t]) for t in tables}
    tests = sorted(tables)
    family = lambda t: about[t]["protein_family"]
    apart = {
        "of another family": (family, lambda t, o: family(t) != family(o)),
        "of another super-family and EC class": (
            lambda t: about[t]["protein_super_family"] + about[t]["EC_super_class"],
            lambda t, o: all(about[t][k] != about[o][k] for k in ("protein_super_family", "EC_super_class"))),
        "all others": (lambda t: t[:0], lambda t, o: True),
    }
    common = ["--set", f"data.path={out / 'assays'}", "--set", "data.molecules=drawn", "--set", "data.repeats=keep",
              "--set", "train.adaptivity=never", "--sizes", "16", *options]

    def tested(name, split, past):
        more = [*common, "--results", out / name]
        if split:
            other = next(t for t in tests if t not in split)
            more += ["--set", f"data.split={other}/{','.join(split)}"]
        return evaluated(pacia, out, name, *more, *(["--history", past] if past else []))

    base = figures(tested("none", [], None)[1])
    groups = {"new": lambda k: k < 0.1, "some": lambda k: 0.1 <= k < 0.9, "known": lambda k: k >= 0.9, "all": lambda k: True}
    for n, (name, (of, may)) in enumerate(apart.items()):
        found, itself, near = {}, 0, 0
        for m, group in enumerate(sorted({of(t) for t in tests})):
            inside = [t for t in tests if of(t) == group]
            others = [t for t in tests if may(inside[0], t)]
            past = out / f"past-{n}-{m}.csv"
            if not past.exists():
                molecules = sorted({s for t in others for s in tables[t]})
                with open(past, "w", newline="") as file:
                    w = csv.writer(file)
                    w.writerow(["smiles", *others])
                    w.writerows([s, *(tables[t].get(s, "") for t in others)] for s in molecules)
            report, rows = tested(f"fsmol-{n}-{m}", inside if group else [], past)
            found |= figures(rows)
            itself += sum(bool(t["itself"]) for t in report["history"]["tasks"])
            near += sum(bool(t["near"]) for t in report["history"]["tasks"])
        print(f"\n{name}: {itself} assays had themselves or an equal one left out, {near} have near copies, which count\n\n{HEAD}")
        for title, fits in groups.items():
            row(title, base, found, [t for t in sorted(found) if fits(known[t])])
        row("more than half measured", base, found, [t for t in sorted(found) if found[t][3] > 0.5])


def main():
    if len(sys.argv) < 5 or sys.argv[2] not in ("tox21", "muv", "fsmol"):
        sys.exit(__doc__)
    pacia, which = sys.argv[1:3]
    if which == "fsmol":
        fsmol(pacia, *map(Path, sys.argv[3:6]), *sys.argv[6:])
    else:
        panel(pacia, which, *map(Path, sys.argv[3:5]), *sys.argv[5:])


if __name__ == "__main__":
    main()
