#!/usr/bin/env python3
"""scaffolds.py FILE.csv OUT.csv TRAINING_TASKS: test tasks of molecules that no training task has.

A fifth of the molecules, whole Murcko scaffolds drawn at random (none larger than a twentieth of the file), lose their labels
in the first TRAINING_TASKS tasks; all others lose theirs in the rest. It needs pandas and RDKit.
"""

import random
import sys

import pandas as pd
from rdkit import Chem, RDLogger
from rdkit.Chem.Scaffolds import MurckoScaffold


def scaffold(smiles, row):
    """Returns a molecule's scaffold; a molecule without rings is one of its own."""
    mol = Chem.MolFromSmiles(smiles)
    return (MurckoScaffold.MurckoScaffoldSmiles(mol=mol) if mol else "") or f"acyclic{row}"


def main(file, out, training):
    table = pd.read_csv(file)
    tasks = [c for c in table.columns if c not in ("smiles", "mol_id")]
    groups = {}
    for row, smiles in enumerate(table.smiles):
        groups.setdefault(scaffold(smiles, row), []).append(row)
    order, new = sorted(groups), set()
    random.Random(0).shuffle(order)
    for name in order:
        if len(groups[name]) <= len(table) * 0.05 and len(new) < len(table) / 5:
            new |= set(groups[name])
    is_new = table.index.isin(new)
    table.loc[is_new, tasks[:int(training)]] = None
    table.loc[~is_new, tasks[int(training):]] = None
    table.to_csv(out, index=False)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit("usage: scaffolds.py FILE.csv OUT.csv TRAINING_TASKS")
    RDLogger.DisableLog("rdApp.*")
    main(*sys.argv[1:])
