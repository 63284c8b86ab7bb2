#!/usr/bin/env python3
"""profile.py FILE.csv TRAINING_TASKS [SHOTS]: what labels of training tasks alone say of the test tasks of Table 1.

FILE is MoleculeNet's, the first TRAINING_TASKS columns after smiles are the training tasks (9 of Tox21, 21 of SIDER).
Support sets have SHOTS molecules of each class (10), and 20 of them are drawn of each task.
Neither score has a model, or looks at a structure:

 1. static: a molecule's share of active labels in the training tasks. No support set.
 2. profile: a molecule's labels in the training tasks, standardised, times the mean of the support set's active
    molecules less the mean of its inactive ones. The same with the labels of the support set swapped.

It needs NumPy, pandas and scikit-learn.
"""

import sys

import numpy as np
import pandas as pd
from sklearn.metrics import roc_auc_score


def profiles(labels):
    """Returns standardised labels [n, T], 0 where there is none, and the static score [n]."""
    measured, share = ~np.isnan(labels), np.nanmean(labels, 0)
    profile = np.where(measured, labels - share, 0) / np.sqrt(share * (1 - share))
    counts = measured.sum(1)
    static = np.where(counts > 0, np.nansum(labels, 1) / np.maximum(counts, 1), np.nan)
    return profile, np.where(np.isnan(static), np.nanmean(static), static)


def task(y, profile, static, shots, seeds):
    """Returns the mean ROC-AUC of static, profile, and profile with swapped labels, for one test task y [n]."""
    found, rows = [], np.flatnonzero(~np.isnan(y))
    for seed in seeds:
        draw = np.random.default_rng(seed)
        support = np.concatenate([draw.choice(rows[y[rows] == c], shots, False) for c in (0, 1)])
        queries = np.setdiff1d(rows, support)
        score = profile[queries] @ (profile[support].T @ np.repeat([-1.0, 1.0], shots))
        found.append([roc_auc_score(y[queries], s) for s in (static[queries], score, -score)])
    return np.mean(found, 0)


def main(file, training, shots=10):
    table = pd.read_csv(file)
    tasks = [c for c in table.columns if c not in ("smiles", "mol_id")]
    labels = table[tasks].to_numpy(float)
    profile, static = profiles(labels[:, :int(training)])
    test = range(int(training), len(tasks))
    figures = np.array([task(labels[:, t], profile, static, int(shots), [[t, k] for k in range(20)]) for t in test])
    for t, row in zip(test, figures):
        print(f"{tasks[t]:55s} static {row[0]:.4f}  profile {row[1]:.4f}  swapped {row[2]:.4f}")
    print("{:55s} static {:.4f}  profile {:.4f}  swapped {:.4f}".format("mean", *figures.mean(0)))


if __name__ == "__main__":
    if not 3 <= len(sys.argv) <= 4:
        sys.exit("usage: profile.py FILE.csv TRAINING_TASKS [SHOTS]")
    main(*sys.argv[1:])
