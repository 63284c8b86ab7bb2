"""Opens a model of pacia in Python: a checkpoint, or a file of `pacia export`.

    import pacia
    model = pacia.Model("model.safetensors")
    task = model.adapt(support, labels)     # SMILES, and a label of each, 1 or 0
    p = task.predict(library)               # P(active) of each SMILES; NaN if RDKit cannot read it

It needs PyTorch, NumPy and RDKit, but not pacia's program. On the command line, in the folder that contains this one:

    python3 -m pacia model.safetensors support.csv library.csv > scores.csv

Probabilities agree with `pacia predict --as-drawn --set precision=float32` to 1e-5: molecules are read as drawn, not as
the parents of salts or in other tautomers. A model that compares vectors of MiniMol, such as the one that ships, takes 2 ms and
more for each molecule; `pacia.Model(path, minimol=False)` reads it as `--set model.minimol=false` does. The package supports the methods `kernel` (the model that ships), `proto` and `pacia` with
the encoders `gin`, `fingerprint` and `gin+fingerprint`, and refuses all others by name. It does not train; adapting is
a forward pass of the support set. Each file names the Go package whose arithmetic it follows, here in float64.
"""

import os
import sys

if sys.argv[0] == "-m" and sys.path[:1] == [os.getcwd()]:
    del sys.path[0]  # python3 -m puts the working folder first: nothing is loaded from there

import numpy as np
import torch

from .files import read, settings
from .kernel import Kernel, Memory
from .minimol import MiniMol
from .molecules import Molecules, parse
from .pacia import Pacia
from .proto import Proto

__all__ = ["Model", "Task"]

TOGETHER = 512  # queries in a batch

# Each adapts to a support set and returns logits [Q, 2] of queries.
METHODS = {"kernel": Kernel, "proto": Proto, "pacia": Pacia}


class Model:
    """A trained model: its settings as text, its weights by their names."""

    def __init__(self, path, minimol=True):
        """path: the model's file. minimol: whether molecules are compared by MiniMol's vectors, if the model does so."""
        self.weights, about = read(path)
        self.settings = settings(about.get("config", ""))
        self.method = self.settings.get("model.method")
        if self.method not in METHODS:
            raise ValueError(f"{path}: this reader has no model.method={self.method}; it has {', '.join(METHODS)}")
        self.memory = Memory(self.weights)
        compares = self.settings.get("model.minimol") == "true"
        self.minimol = MiniMol() if compares and minimol else None

    def setting(self, name):
        return self.settings["model." + name]

    def adapt(self, smiles, labels):
        """Returns a Task adapted to a support set: SMILES and labels, 1 active and 0 inactive. Both must occur.

        Labels are numbers, or their texts. Raises ValueError for other values, such as 0.9.
        """
        mols, labels = [parse(s) for s in smiles], [float(l) for l in labels]
        if None in mols:
            raise ValueError(f"RDKit cannot read support molecule {mols.index(None)}: {smiles[mols.index(None)]}")
        if len(mols) != len(labels) or set(labels) != {0, 1}:
            raise ValueError(f"{len(mols)} support molecules with {labels.count(1)} labels 1 and {labels.count(0)} labels 0; "
                             "give each molecule one of them, and both")
        order = sorted(range(len(labels)), key=lambda i: labels[i])
        return Task(self, [mols[i] for i in order], torch.tensor([int(l) for l in sorted(labels)]))


class Task:
    """A model that is adapted to a support set."""

    @torch.no_grad()
    def __init__(self, model, mols, labels):
        self.method = METHODS[model.method](model, Molecules(mols), labels)

    @torch.no_grad()
    def predict(self, smiles):
        """Returns P(active) of each SMILES as a NumPy array [Q]; NaN if RDKit cannot read the SMILES."""
        out, mols = np.full(len(smiles), np.nan), [parse(s) for s in smiles]
        readable = [i for i, mol in enumerate(mols) if mol is not None]
        for at in range(0, len(readable), TOGETHER):
            some = readable[at:at + TOGETHER]
            logits = self.method.logits(Molecules([mols[i] for i in some]))
            out[some] = torch.sigmoid(logits[:, 1] - logits[:, 0]).numpy()
        return out
