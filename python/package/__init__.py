"""pacia in Python: ranks a library from a few labelled molecules.

    import pacia
    p = pacia.rank({"CCO": 0, "c1ccccc1O": 1, …}, ["CCN", "Oc1ccccc1C"])   # P(active) of each

rank runs the program that this package holds, so it needs neither PyTorch nor RDKit. Model opens a checkpoint in
PyTorch, for whoever wants to look inside: pacia.Model("best.ckpt") needs `pip install torch rdkit numpy`.
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
    """Returns P(active) of each SMILES of library, a list of its length; NaN of one that cannot be read.

    support: labels by SMILES, 1 active and 0 inactive. There must be both.
    library: SMILES.
    options: further flags of `pacia predict`, such as "--checkpoint", "best.ckpt".
    Raises ValueError where the program refuses its input, with the program's message: also where it can read no
    SMILES of library.
    """
    library = list(library)
    if not library:
        return []
    with tempfile.TemporaryDirectory() as folder:
        labelled, asked, ranked = (Path(folder, name) for name in ("support.csv", "library.csv", "ranked.csv"))
        _write(labelled, ("smiles", "label"), support.items())
        _write(asked, ("smiles", "number"), ((smiles, i) for i, smiles in enumerate(library)))
        files = ("--support", labelled, "--candidates", asked, "--out", ranked)
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
