"""The episodes that both sides of the comparison run.

`pacia bench --serve FILE` writes them: an .npz with the training steps
(step0.atoms, …) and the test tasks (test0.atoms, …), a data.Batch each, which
holds the molecules of the first task's support set, of its queries, of the
second task's support set, and so on.

Legend: A atoms, E directed bonds, n molecules, N support molecules of a task, Q
queries.
"""

from dataclasses import dataclass, fields, is_dataclass, replace
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np
import torch
from torch import Tensor


@dataclass
class Molecules:
    """Molecules as one graph; the bonds are sorted by their target atoms."""

    atoms: Tensor  # [A, 2] atomic number, chirality
    first_bond: Tensor  # [A+1] the bonds into atom v: first_bond[v] to first_bond[v+1]
    source: Tensor  # [E] the source atom of each bond
    bond: Tensor  # [E, 2] type, direction
    first_atom: Tensor  # [n+1] the atoms of molecule m: first_atom[m] to first_atom[m+1]

    def __len__(self) -> int:
        return len(self.first_atom) - 1

    @property
    def sizes(self) -> Tensor:
        """The number of atoms of each molecule [n]."""
        return self.first_atom.diff()

    @property
    def target(self) -> Tensor:
        """The target atom of each bond [E]."""
        return torch.repeat_interleave(torch.arange(len(self.atoms)), self.first_bond.diff())

    def part(self, begin: int, end: int) -> "Molecules":
        """The molecules from begin to end (exclusive) as a separate graph."""
        a, b = self.first_atom[begin], self.first_atom[end]
        i, j = self.first_bond[a], self.first_bond[b]
        return Molecules(self.atoms[a:b], self.first_bond[a:b + 1] - i, self.source[i:j] - a, self.bond[i:j],
                         self.first_atom[begin:end + 1] - a)

    def batches(self, size: int) -> list["Molecules"]:
        return [self.part(i, min(i + size, len(self))) for i in range(0, len(self), size)]


@dataclass
class Task:
    """An episode of one task."""

    shots: int  # K, the neighbours that a row of the relation graph keeps
    support: Molecules
    support_labels: Tensor  # [N]
    query: Molecules
    query_labels: Tensor  # [Q]


Graph = TypeVar("Graph")


@dataclass
class Test(Generic[Graph]):
    """A test task in a style's own form: its queries in batches."""

    shots: int
    support: Graph
    support_labels: Tensor  # [N]
    queries: list[Graph]


@dataclass
class Episodes:
    steps: list[list[Task]]
    tests: list[Task]


def read(path: Path) -> Episodes:
    with np.load(path) as file:
        arrays = {name: torch.from_numpy(file[name].astype(np.int64)) for name in file.files}

    def batches(kind: str) -> list[list[Task]]:
        found: dict[str, dict[str, Tensor]] = {}
        for name, array in arrays.items():
            batch, field = name.split(".")
            found.setdefault(batch, {})[field] = array
        return [tasks(found[f"{kind}{i}"]) for i in range(sum(batch.startswith(kind) for batch in found))]

    return Episodes(batches("step"), [test for batch in batches("test") for test in batch])


def tasks(batch: dict[str, Tensor]) -> list[Task]:
    """The tasks of one data.Batch, by the names of its fields."""
    every = Molecules(batch["atoms"], batch["row_ptr"], batch["col"], batch["bond"], batch["mol_ptr"])
    count, support, shots = batch["sizes"].tolist()
    queries = torch.bincount(batch["query_task"], minlength=count).tolist()
    found, molecule, query = [], 0, 0
    for t in range(count):
        labels = batch["support_label"][t * support:(t + 1) * support]
        border, end = molecule + support, molecule + support + queries[t]
        found.append(Task(shots, every.part(molecule, border), labels, every.part(border, end),
                          batch["query_label"][query:query + queries[t]]))
        molecule, query = end, query + queries[t]
    return found


def moved(x: Any, device: torch.device) -> Any:
    """x with its tensors on the device, for a tensor, a list or a dataclass; other values are unchanged."""
    if isinstance(x, Tensor):
        return x.to(device)
    if isinstance(x, list):
        return [moved(each, device) for each in x]
    if is_dataclass(x):
        return replace(x, **{f.name: moved(getattr(x, f.name), device) for f in fields(x)})
    return x
