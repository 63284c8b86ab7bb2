"""What past assays add, by the program: each assay of a panel is ranked from 16 labelled molecules, with other assays as its past.

usage: history.py PACIA toxcast FILE [all|family|vendor|none] [OPTIONS OF PREDICT…]    MoleculeNet's toxcast.csv.gz
       history.py PACIA davis FILE [all|none] [OPTIONS OF PREDICT…]                     a table of Kd in nM, a column for each kinase

toxcast: 60 assays by the same draw, of at most 1,500 molecules; the past is all other assays, those of another family (the first
two words of a name), or of another laboratory (the first word). davis: 40 kinases of each of three halves; the past is the other
half. --swap swaps the labels of the support set. It needs NumPy and RDKit, which leaves out what it cannot read.
"""
import concurrent.futures
import csv
import gzip
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from rdkit import Chem, RDLogger

RDLogger.DisableLog("rdApp.*")


def area(y, s):
    """ROC-AUC of scores [n] for labels [n]."""
    _, inverse, count = np.unique(s, return_inverse=True, return_counts=True)
    rank = (np.cumsum(count) - (count - 1) / 2)[inverse]
    p = y.sum()
    return (rank[y == 1].sum() - p * (p + 1) / 2) / (p * (len(y) - p))


def precision(y, s):
    """Average precision of scores [n] for labels [n]."""
    y = y[np.argsort(-s, kind="stable")]
    return (np.cumsum(y) / np.arange(1, len(y) + 1))[y == 1].mean()


def panel(file):
    """Columns, values [n, columns] and SMILES [n] of a table."""
    rows = [r for r in csv.DictReader(gzip.open(file, "rt")) if Chem.MolFromSmiles(r["smiles"]) is not None]
    columns = [c for c in rows[0] if c not in ("smiles", "name")]
    return columns, np.array([[float(r[c]) if r[c] else np.nan for c in columns] for r in rows]), [r["smiles"] for r in rows]


def drawn(y, key, actives):
    """Support set and queries of labels y: 16 molecules, as many of them active as given."""
    of = random.Random(key)
    p, n = [i for i in range(len(y)) if y[i]], [i for i in range(len(y)) if not y[i]]
    of.shuffle(p)
    of.shuffle(n)
    return p[:actives] + n[: 16 - actives], p[actives:] + n[16 - actives :]


def toxcast(file, past):
    """Yields the name, molecules, labels, support set, queries and past columns of each assay."""
    columns, v, smiles = panel(file)
    names = list(columns)
    random.Random("panel").shuffle(names)
    tested = []
    for c in names:
        y = v[:, columns.index(c)]
        y = y[np.isfinite(y)] > 0
        if len(y) >= 60 and (0.1 < y.mean() < 0.6 or y.sum() >= 30):
            tested.append(c)
    tested = tested[:60]
    words = {"all": 0, "none": 0, "family": 2, "vendor": 1}[past]
    family = lambda c: c.split("_")[:words]
    for c in tested:
        molecules = np.where(np.isfinite(v[:, columns.index(c)]))[0]
        if len(molecules) > 1500:
            molecules = molecules[np.random.RandomState(0).permutation(len(molecules))[:1500]]
        y = (v[molecules, columns.index(c)] > 0).astype(int)
        support, queries = drawn(y, f"{c}0", max(3, min(15, max(1, round(16 * y.mean())))))
        others = [columns.index(h) for h in columns if h not in tested and (not words or family(h) != family(c))]
        yield c, [smiles[i] for i in molecules], y, support, queries, (columns, v > 0, np.isfinite(v), smiles, others, "{}", "{:d}")


def davis(file, _):
    """Yields kinases as toxcast does. Active is what binds better than the median, or at all where fewer do."""
    columns, v, smiles = panel(file)
    for half in range(3):
        order = list(range(len(columns)))
        random.Random(f"halving {half}").shuffle(order)
        tested, others = order[: len(order) // 2], order[len(order) // 2 :]
        for j in [j for j in tested if (v[:, j] < 10000).sum() >= 12][:40]:
            y = (v[:, j] < np.median(v[:, j])).astype(int)
            if y.sum() < 12:
                y = (v[:, j] < 10000).astype(int)
            support, queries = drawn(y, f"{half} {j}", min(12, max(3, round(16 * y.mean()))))
            yield f"{half} {columns[j]}", smiles, y, support, queries, (range(len(columns)), v, v < 1e9, smiles, others, "Kd_{} (nM)", "{:g}")


def written(folder, columns, v, has, smiles, others, name, value):
    """The file of past assays, written once for each set of them."""
    file = folder / f"past-{hash(tuple(others)) & 0xFFFFFFFF:08x}.csv"
    if not file.exists():
        with open(file, "w", newline="") as out:
            w = csv.writer(out)
            w.writerow(["smiles"] + [name.format(columns[j]) for j in others])
            for s, row, there in zip(smiles, v, has):
                cell = lambda j: value.format(row[j]) if name == "{}" or row[j] < 10000 else ">10000"
                if any(there[j] for j in others):
                    w.writerow([s] + [cell(j) if there[j] else "" for j in others])
    return file


def ranked(pacia, folder, past, options, assay):
    """ROC-AUC and ΔAUPRC of an assay, and the ROC-AUC of how often molecules were active in past assays."""
    _, smiles, y, support, queries, table = assay
    swap = "--swap" in options
    with tempfile.TemporaryDirectory() as own:
        own = Path(own)
        (own / "s.csv").write_text("smiles,label\n" + "".join(f"{smiles[i]},{y[i] ^ swap}\n" for i in support))
        (own / "l.csv").write_text("smiles,row\n" + "".join(f"{smiles[i]},{i}\n" for i in queries))
        history = [] if past == "none" else ["--history", written(folder, *table)]
        subprocess.run([pacia, "predict", "--support", own / "s.csv", "--candidates", own / "l.csv", "--out", own / "o.csv", "--refine", "0",
                        *history, *(o for o in options if o != "--swap")], check=True, capture_output=True)
        rows = {int(r["row"]): r for r in csv.DictReader(open(own / "o.csv"))}
    read = [rows[i] for i in queries if i in rows]
    labels, scores = np.array([y[int(r["row"])] for r in read]), np.array([-int(r["rank"]) for r in read], float)
    hits = np.array([int(r.get("past_active") or 0) / (int(r.get("past") or 0) + 1) for r in read])
    return area(labels, scores), precision(labels, scores) - labels.mean(), area(labels, hits)


def main():
    if len(sys.argv) < 4 or sys.argv[2] not in ("toxcast", "davis"):
        sys.exit(__doc__)
    pacia, which, file = sys.argv[1:4]
    past, options = (sys.argv[4], sys.argv[5:]) if len(sys.argv) > 4 else ("all", [])
    with tempfile.TemporaryDirectory() as folder:
        assays = list({"toxcast": toxcast, "davis": davis}[which](file, past))
        for a in assays:
            if past != "none":
                written(Path(folder), *a[5])
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            found = np.array(list(pool.map(lambda a: ranked(pacia, Path(folder), past, options, a), assays)))
    error = found.std(axis=0, ddof=1) / len(found) ** 0.5
    for name, mean, wide in zip(("ROC-AUC", "ΔAUPRC", "ROC-AUC of the share of hits"), found.mean(axis=0), error):
        print(f"{which} {past} {' '.join(options)}: {len(found)} assays, {name} {mean:.4f} ± {wide:.4f}")


if __name__ == "__main__":
    main()
