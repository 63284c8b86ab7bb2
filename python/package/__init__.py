"""pacia in Python: ranks a library from a few labelled molecules.

    import pacia
    p = pacia.rank({"CCO": 0, "c1ccccc1O": 1, …}, ["CCN", "Oc1ccccc1C"])   # P(active) of each
    p.verdict, p.domain, p.potency, p.columns["nearest_active"]            # how far to trust it

rank runs the program in this package, so it needs neither PyTorch nor RDKit. Model opens a checkpoint in PyTorch, to
inspect it: pacia.Model("best.ckpt") needs `pip install torch rdkit numpy`.
"""

import os
import sys

if sys.argv[0] == "-m" and sys.path[:1] == [os.getcwd()]:
    del sys.path[0]  # python3 -m puts the working folder first: nothing is loaded from there

import csv
import json
import math
import re
import subprocess
import tempfile
from pathlib import Path

from .__main__ import command

__all__ = ["Model", "Ranking", "rank"]


def __getattr__(name):
    if name == "Model":
        from .reader import Model
        return Model
    raise AttributeError(f"module pacia has no attribute {name}")


class Ranking(list):
    """P(active) of each SMILES of a library, in its order; NaN of one that cannot be read, or that a filter leaves out.

    verdict: whether the model is shown to be better than similarity search here, as a sentence.
    domain: "inside" or "outside" of each SMILES; None where P is NaN.
    potency: with --potency the predicted pIC50, or other value, of each SMILES, and NaN; otherwise None.
    columns: all columns of the ranked table by their names, with the texts of each SMILES.
    report: what `pacia predict --json` reports.
    """

    def __init__(self, rows, n, report):
        names = [name for name in rows[0] if name not in ("smiles", "number")] if rows else []
        self.columns = {name: [""] * n for name in names}
        for row in rows:
            for name in names:
                self.columns[name][int(row["number"])] = row[name]
        super().__init__(self._numbers("probability") or [math.nan] * n)
        self.domain = [cell or None for cell in self.columns.get("domain", [""] * n)]
        self.potency = self._numbers("potency")
        self.report, self.verdict = report, report.get("trust", {}).get("sentence", "")

    def _numbers(self, column):
        return [float(cell or "nan") for cell in self.columns[column]] if column in self.columns else None


CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")  # characters that no text has; no SMILES with ? can be read

# Flags that rank sets, or that leave no table of all molecules.
RESERVED = ("--support", "--candidates", "--out", "--header", "--json", "--quiet", "--top", "--help", "-h")


def rank(support, library, *options, history=()):
    """Returns a Ranking: a list with P(active) of each SMILES of library, with the verdict, domains and potencies.

    support: labels by SMILES, or pairs of SMILES and label: 1 active and 0 inactive. Both must occur. With the options
        "--potency", "IC50 (nM)" they are measurements; --label, or --potency, names their column.
    library: SMILES.
    history: the name of a file of past assays, or names of several: molecules are also compared by what was measured of them.
    options: further flags of `pacia predict`, such as "--checkpoint", "best.ckpt", except those that rank sets.
    Raises ValueError with the program's message if the program refuses its input, or cannot read any SMILES of
    library.
    """
    if isinstance(library, (str, bytes)):
        raise ValueError("library is one text: write a list of SMILES")
    for option in options:
        if str(option).partition("=")[0] in RESERVED:
            raise ValueError(f"{option} is not an option of rank, which returns all molecules of library: leave it out")
    options = [*options, *(f"--history={os.fspath(file)}" for file in ([history] if isinstance(history, (str, os.PathLike)) else history))]
    library = list(library)
    pairs = [tuple(pair) for pair in (support.items() if hasattr(support, "items") else support)]
    if any(len(pair) != 2 for pair in pairs):
        raise ValueError("support has an element that is not a pair: write (SMILES, label) for each molecule")
    if not library:
        return Ranking([], 0, {})
    with tempfile.TemporaryDirectory() as folder:
        labelled, candidates, ranked = (Path(folder, name) for name in ("support.csv", "library.csv", "ranked.csv"))
        _write(labelled, ("smiles", _column(options)), pairs)
        _write(candidates, ("smiles", "number"), ((CONTROL.sub("?", str(smiles)), i) for i, smiles in enumerate(library)))
        files = ("--support", labelled, "--candidates", candidates, "--out", ranked, "--header", "1")
        done = subprocess.run([*command(), "predict", "--quiet", "--json", *files, *options], capture_output=True, text=True)
        if done.returncode:
            raise ValueError(done.stderr.strip())
        with open(ranked, newline="", encoding="utf-8") as f:
            return Ranking(list(csv.DictReader(f)), len(library), json.loads(done.stdout))


def _column(options):
    """Returns the name of the column of labels, which a flag may have: its name may state the kind of measurement."""
    for flag, value in zip(options, [*options[1:], ""]):
        name, equals, own = str(flag).partition("=")
        if name in ("--potency", "--label"):
            return own if equals else value
    return "label"


def _write(path, header, rows):
    with open(path, "w", newline="", encoding="utf-8", errors="replace") as f:
        out = csv.writer(f)
        out.writerow(header)
        out.writerows(rows)
