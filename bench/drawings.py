"""Known molecules and ROC-AUC of pacia predict in two drawings of the same molecules:

    python bench/drawings.py PACIA TABLE [TASKS [DRAWS]]

TABLE has a column smiles and columns of labels 1 and 0 (or of values in nM, active below 1,000). The second drawing is
RDKit's canonical tautomer of the normalised molecule, which FS-Mol's files have. Needs RDKit of pip. Each draw takes 10
active and 10 inactive molecules of a task as support set, and ranks up to 600 others.
"""

import csv
import gzip
import random
import re
import statistics
import subprocess
import sys
import tempfile

from rdkit import Chem, RDLogger
from rdkit.Chem.MolStandardize import rdMolStandardize

RDLogger.DisableLog("rdApp.*")
tautomers, normalizer = rdMolStandardize.TautomerEnumerator(), rdMolStandardize.Normalizer()
tautomers.SetMaxTautomers(64)
tautomers.SetMaxTransforms(128)
LARGEST = 60  # atoms; peptides take minutes


def redrawn(smiles):
    mol = Chem.MolFromSmiles(smiles)
    if mol is None or mol.GetNumAtoms() > LARGEST:
        return smiles
    return Chem.MolToSmiles(tautomers.Canonicalize(normalizer.normalize(mol)))


def read(path):
    with gzip.open(path, "rt") as f:
        rows = list(csv.DictReader(f))
    names = [c for c in rows[0] if c.lower() not in ("smiles", "name", "id", "drug", "compound", "mol_id")]
    column = next(c for c in rows[0] if c.lower() == "smiles")
    labels = lambda name: {i: float(r[name]) for i, r in enumerate(rows) if r[name] not in ("", "nan")}
    return [r[column] for r in rows], {n: labels(n) for n in names}


def auc(scores, labels):
    order = sorted(range(len(scores)), key=lambda i: scores[i])
    rank, i = [0.0] * len(scores), 0
    while i < len(order):
        j = i
        while j < len(order) and scores[order[j]] == scores[order[i]]:
            j += 1
        for k in order[i:j]:
            rank[k] = (i + j + 1) / 2
        i = j
    n = sum(labels)
    return (sum(r for r, y in zip(rank, labels) if y) - n * (n + 1) / 2) / n / (len(labels) - n)


def rank(pacia, support, library):
    with tempfile.TemporaryDirectory() as d:
        for name, header, rows in (("s", ["smiles", "active"], support), ("l", ["smiles", "number"], library)):
            with open(f"{d}/{name}.csv", "w") as f:
                csv.writer(f).writerows([header] + rows)
        out = subprocess.run([pacia, "predict", "--support", f"{d}/s.csv", "--candidates", f"{d}/l.csv", "--out", f"{d}/o.csv"],
                             capture_output=True, text=True, check=True)
        known = re.search(r"([\d,]+) of [\d,]+ molecules known", out.stdout + out.stderr)
        with open(f"{d}/o.csv") as f:
            scores = {int(r["number"]): float(r["probability"]) for r in csv.DictReader(f)}
    return scores, int(known.group(1).replace(",", ""))


def main(pacia, path, tasks=12, draws=1):
    smiles, labels = read(path)
    other = {}
    seen = {"as drawn": [], "redrawn": []}
    known = {"as drawn": [], "redrawn": []}
    sizes = []
    for name in [n for n in labels if len(labels[n]) > 40][:int(tasks)]:
        values = labels[name]
        if not set(values.values()) <= {0.0, 1.0}:
            values = {i: float(v < 1000) for i, v in values.items()}
        ones, zeros = [i for i in values if values[i]], [i for i in values if not values[i]]
        for draw in range(int(draws)):
            r = random.Random(f"{name} {draw}")
            shots = min(10, len(ones) // 2, len(zeros) // 2)
            if shots < 5:
                continue
            support = r.sample(ones, shots) + r.sample(zeros, shots)
            rest = [i for i in values if i not in support]
            rest = r.sample(rest, min(len(rest), 600))
            sizes.append(len(rest))
            for drawing in seen:
                def text(i):
                    if drawing == "as drawn":
                        return smiles[i]
                    return other.setdefault(i, redrawn(smiles[i]))
                scores, n = rank(pacia, [[text(i), int(values[i])] for i in support], [[text(i), i] for i in rest])
                ranked = [i for i in rest if i in scores]
                seen[drawing].append(auc([scores[i] for i in ranked], [values[i] for i in ranked]))
                known[drawing].append(n)
    for drawing, of in seen.items():
        print(f"{drawing}: ROC-AUC {statistics.mean(of):.4f} of {len(of)} draws, "
              f"known {statistics.mean(known[drawing]):.0f} of {statistics.mean(sizes):.0f} molecules")


if __name__ == "__main__":
    main(*sys.argv[1:])
