"""What past assays teach of molecules that they did not measure, by the program.

usage: teach.py PACIA FILE [OPTIONS OF PREDICT…]      FILE is MoleculeNet's toxcast.csv.gz

Three molecules of ten are hidden, by a hash of their largest fragment. pacia remember --teach learns 557 assays on the others. The 60
assays of history.py are ranked: queries are hidden molecules, at most 600, and the 16 molecules of the support set are hidden ones, or
ones that past assays measured. It needs NumPy and RDKit. --swap swaps the labels of the support set.
"""
import concurrent.futures
import csv
import random
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

import numpy as np
from rdkit import Chem

from history import area, drawn, precision, toxcast, written


def hidden(smiles):
    """Whether a molecule is hidden."""
    fragment = max((Chem.MolToSmiles(m) for m in Chem.GetMolFrags(Chem.MolFromSmiles(smiles), asMols=True)), key=lambda s: (len(s), s))
    return zlib.crc32(fragment.encode()) % 10 < 3


def assays(file, hide):
    """Yields the name, SMILES, labels, queries and both support sets of each assay with 40 hidden molecules and 6 of each class."""
    for c, smiles, y, _, _, _ in toxcast(file, "all"):
        h = np.array([hide[s] for s in smiles])
        if h.sum() < 40 or min(y[h].sum(), (1 - y[h]).sum()) < 6:
            continue
        actives = max(3, min(15, round(16 * y[h].mean())))
        sets = {}
        for where, which in (("hidden", h), ("measured", ~h)):
            places = np.where(which)[0]
            support, _ = drawn(y[places], f"{c} {where}", actives)
            sets[where] = places[support]
        queries = [i for i in np.where(h)[0] if i not in set(sets["hidden"])]
        random.Random(c).shuffle(queries)
        yield c, smiles, y, queries[:600], sets


def ranked(pacia, options, model, smiles, y, queries, support, swap):
    """ROC-AUC and ΔAUPRC."""
    with tempfile.TemporaryDirectory() as own:
        own = Path(own)
        (own / "s.csv").write_text("smiles,label\n" + "".join(f"{smiles[i]},{y[i] ^ swap}\n" for i in support))
        (own / "l.csv").write_text("smiles,row\n" + "".join(f"{smiles[i]},{i}\n" for i in queries))
        subprocess.run([pacia, "predict", "--support", own / "s.csv", "--candidates", own / "l.csv", "--out", own / "o.csv", "--refine", "0",
                        *model, *options], check=True, capture_output=True)
        rows = {int(r["row"]): -int(r["rank"]) for r in csv.DictReader(open(own / "o.csv"))}
    read = [i for i in queries if i in rows]
    labels, scores = y[read], np.array([rows[i] for i in read], float)
    return area(labels, scores), precision(labels, scores) - labels.mean()


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    pacia, file, options = sys.argv[1], sys.argv[2], sys.argv[3:]
    swap = "--swap" in options
    options = [o for o in options if o != "--swap"]
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        table = next(toxcast(file, "all"))[5]
        hide = {s: hidden(s) for s in table[3]}
        shown = np.array([not hide[s] for s in table[3]])
        past = written(folder, table[0], table[1][shown], table[2][shown], [s for s, k in zip(table[3], shown) if k], *table[4:])
        told = subprocess.run([pacia, "remember", "--history", past, "--teach", "--out", folder / "taught"], check=True, capture_output=True, text=True).stderr
        print(told.replace("\r", "\n").split("judged", 1)[-1].strip())
        models = {"shipped": [], "past assays": ["--history", past], "taught": ["--checkpoint", folder / "taught"]}
        if not options:
            models |= {m: ["--method", m] for m in ("similarity", "forest", "gp")}
        all_of = list(assays(file, hide))
        for where in ("hidden", "measured"):
            found = {}
            for name, model in models.items():
                with concurrent.futures.ThreadPoolExecutor(2) as pool:
                    found[name] = np.array(list(pool.map(lambda a: ranked(pacia, options, model, *a[1:4], a[4][where], swap), all_of)))
                mean, gain = found[name].mean(axis=0), found[name] - found["shipped"]
                error = gain.std(axis=0, ddof=1) / len(gain) ** 0.5
                print(f"support {where}, {name}: {len(gain)} assays, ROC-AUC {mean[0]:.4f} ({gain.mean(axis=0)[0]:+.4f} ± {error[0]:.4f}), "
                      f"ΔAUPRC {mean[1]:.4f} ({gain.mean(axis=0)[1]:+.4f} ± {error[1]:.4f})", flush=True)


if __name__ == "__main__":
    main()
