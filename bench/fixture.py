"""The fixture: one episode as the published code computes it, in float64.

It holds the molecules' graphs, a rule for every parameter, and for evaluation and
training mode (dropout 0) every stage from the embeddings to the gradients, rounded
to nine decimals.
"""

import gzip
import json
import math
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from episodes import Molecules, Task
from net import Pacia

# The published names and ours; "" marks parameters that the published model has but does not use.
NAMES = [(re.compile(published), ours) for published, ours in (
    (r"encoder\.gnn\.p$|relation\.mod[wb]0\.|relation\.lc\..*", ""),
    (r"encoder\.gnn\.x_embedding1\.", "atom."),
    (r"encoder\.gnn\.x_embedding2\.", "chirality."),
    (r"encoder\.gnn\.gnns\.(\d+)\.mlp\.", r"gin.\1.mlp."),
    (r"encoder\.gnn\.gnns\.(\d+)\.edge_embedding1\.", r"gin.\1.bond."),
    (r"encoder\.gnn\.gnns\.(\d+)\.edge_embedding2\.", r"gin.\1.direction."),
    (r"encoder\.gnn\.batch_norms\.(\d+)\.", r"gin.\1.norm."),
    (r"encoder\.gnn\.modw(\d+)\.layer_list\.fc([012])\.", r"film_weight.\1.molecule.layers.\2."),
    (r"encoder\.gnn\.modb(\d+)\.layer_list\.fc([012])\.", r"film_bias.\1.molecule.layers.\2."),
    (r"encoder\.gnn\.modw(\d+)\.layer_list\.fc([345])\.", r"film_weight.\1.last.layers.\2."),
    (r"encoder\.gnn\.modb(\d+)\.layer_list\.fc([345])\.", r"film_bias.\1.last.layers.\2."),
    (r"projection\.mlp_proj\.network\.fc(\d)\.", r"projection.layers.\1."),
    (r"relation\.ctrl0\.setenc\.layer_list\.fc([012])\.", r"depth.molecule.layers.\1."),
    (r"relation\.ctrl0\.setenc\.layer_list\.fc3\.", "depth.means."),
    (r"relation\.ctrl0\.layer_list\.fc(\d)\.", r"depth.last.layers.\1."),
    (r"relation\.adc0\.layer_list_w\.fc(\d)\.", r"classifier.weight.layers.\1."),
    (r"relation\.adc0\.layer_list_b\.fc(\d)\.", r"classifier.bias.layers.\1."),
    (r"relation\.edge_layer(\d+)\.sim_network\.conv0\.", r"relation.\1.similarity.0."),
    (r"relation\.edge_layer(\d+)\.sim_network\.conv1\.", r"relation.\1.similarity.2."),
    (r"relation\.edge_layer(\d+)\.sim_network\.conv_out\.", r"relation.\1.similarity.4."),
    (r"relation\.node_layer(\d+)\.network\.conv0\.", r"relation.\1.node."),
)]


def read(path: Path) -> dict[str, Any]:
    with gzip.open(path) as file:
        return json.load(file)


def task(fixture: dict[str, Any]) -> Task:
    """The episode of the fixture."""
    labels = torch.tensor(fixture["support_labels"])
    return Task(int(labels.bincount().min()), molecules(fixture["support_graph"]), labels,
                molecules(fixture["query_graph"]), torch.tensor(fixture["query_labels"]))


def molecules(graph: dict[str, Any]) -> Molecules:
    source, target = torch.tensor(graph["edge_index"])
    target, order = target.sort(stable=True)
    atoms, owner = torch.tensor(graph["x"]), torch.tensor(graph["batch"])
    return Molecules(
        atoms, torch.searchsorted(target, torch.arange(len(atoms) + 1)), source[order],
        torch.tensor(graph["edge_attr"])[order], torch.searchsorted(owner, torch.arange(int(owner[-1]) + 2)))


def loaded(style: type[Pacia], fixture: dict[str, Any]) -> Pacia:
    """A model with the fixture's parameters, without dropout."""
    model = style()
    model.dropout = 0.0
    ours = dict(model.named_parameters())
    for p in fixture["parameters"]:
        if name := our_name(p["name"]):
            parameter = ours.pop(name)
            parameter.data.copy_(values(p["k"], p["shape"], p["rule"]).view_as(parameter))
    if ours:
        sys.exit(f"fixture: the fixture has no parameter {', '.join(ours)}")
    return model


def our_name(published: str) -> str:
    for pattern, ours in NAMES:
        if match := pattern.match(published):
            name = match.expand(ours) + published[match.end():] if ours else ""
            # The published layers are numbered consecutively over all MLPs.
            return re.sub(r"(film.*last\.layers\.)([345])", lambda m: m[1] + str(int(m[2]) - 3), name)
    sys.exit(f"fixture: parameter {published} of the fixture has no counterpart")


def values(number: int, shape: list[int], rule: str) -> Tensor:
    """The values of a parameter, by its number: a rule applied to splitmix64(number · 2³² + element)."""
    with np.errstate(over="ignore"):
        x = np.uint64(number << 32) + np.arange(math.prod(shape), dtype=np.uint64) + np.uint64(0x9E3779B97F4A7C15)
        x = (x ^ x >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ x >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
        x ^= x >> np.uint64(31)
    u = 2 * (x >> np.uint64(11)).astype(np.float64) / 2**53 - 1
    fan_in = math.prod(shape[1:])
    of_rule = {"0.1u": 0.1 * u, "0.5u": 0.5 * u, "1+0.1u": 1 + 0.1 * u, "u*sqrt(2/fan_in)": u * math.sqrt(2 / fan_in)}
    return torch.from_numpy(of_rule[rule]).view(shape)
