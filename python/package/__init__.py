"""pacia in Python: ranks a library from a few labelled molecules.

    import pacia
    p = pacia.rank({"CCO": 0, "c1ccccc1O": 1, …}, ["CCN", "Oc1ccccc1C"])   # P(active) of each

rank runs the program in this package, so it needs neither PyTorch nor RDKit. Model opens a checkpoint in PyTorch, to
inspect it: pacia.Model("best.ckpt") needs `pip install torch rdkit numpy`.
"""

import csv
import math
import subprocess
import tempfile
from pathlib import Path

from .__main__ import command

__all__ = ["Model", "rank"]


def __getattr__(name):
    if name == "Model":
        from .reader import Model
        return Model
    raise AttributeError(f"module pacia has no attribute {name}")


def rank(support, library, *options):
    """Returns a list with P(active) of each SMILES of library, or NaN if it cannot be read.

    support: labels by SMILES, 1 active and 0 inactive. Both must occur.
    library: SMILES.
    options: further flags of `pacia predict`, such as "--checkpoint", "best.ckpt".
    Raises ValueError with the program's message if the program refuses its input, or cannot read any SMILES of
    library.
    """
    library = list(library)
    if not library:
        return []
    with tempfile.TemporaryDirectory() as folder:
        labelled, candidates, ranked = (Path(folder, name) for name in ("support.csv", "library.csv", "ranked.csv"))
        _write(labelled, ("smiles", "label"), support.items())
        _write(candidates, ("smiles", "number"), ((smiles, i) for i, smiles in enumerate(library)))
        files = ("--support", labelled, "--candidates", candidates, "--out", ranked, "--header", "1")
        done = subprocess.run([*command(), "predict", "--quiet", *files, *options], capture_output=True, text=True)
        if done.returncode:
            raise ValueError(done.stderr.strip())
        probabilities = [math.nan] * len(library)
        with open(ranked, newline="", encoding="utf-8") as f:
            for row in csv.DictReader(f):
                probabilities[int(row["number"])] = float(row["probability"])
    return probabilities


def _write(path, header, rows):
    with open(path, "w", newline="", encoding="utf-8") as f:
        out = csv.writer(f)
        out.writerow(header)
        out.writerows(rows)
