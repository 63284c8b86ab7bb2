"""Compares both styles with what the published code computes.

The fixture holds one episode in float64: the molecules' graphs, a rule for every
parameter, and for evaluation and training mode (dropout 0) every stage from the
embeddings to the gradients, rounded to nine decimals.
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
from torch import Tensor, nn

import work
from episodes import Molecules, Task
from net import Pacia, Relation, unit
from tasks import Tasks
from together import Together

# Of a stage's largest entry, and of a gradient's norm.
TOLERANCE = 1e-6
# A bias to which the loss is blind has a gradient of rounding errors.
FLOOR = 1e-14

# The published names, and ours; "" is held by the published model and used by nothing.
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


def our_name(published: str) -> str:
    for pattern, ours in NAMES:
        if match := pattern.match(published):
            name = match.expand(ours) + published[match.end():] if ours else ""
            # The published layers are numbered from the first MLP on to the last one.
            return re.sub(r"(film.*last\.layers\.)([345])", lambda m: m[1] + str(int(m[2]) - 3), name)
    sys.exit(f"check: parameter {published} of the fixture has no counterpart")


def values(number: int, shape: list[int], rule: str) -> Tensor:
    """The parameter with a number: a rule applied to splitmix64(number · 2³² + element)."""
    with np.errstate(over="ignore"):
        x = np.uint64(number << 32) + np.arange(math.prod(shape), dtype=np.uint64) + np.uint64(0x9E3779B97F4A7C15)
        x = (x ^ x >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ x >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
        x ^= x >> np.uint64(31)
    u = 2 * (x >> np.uint64(11)).astype(np.float64) / 2**53 - 1
    fan_in = math.prod(shape[1:])
    of_rule = {"0.1u": 0.1 * u, "0.5u": 0.5 * u, "1+0.1u": 1 + 0.1 * u, "u*sqrt(2/fan_in)": u * math.sqrt(2 / fan_in)}
    return torch.from_numpy(of_rule[rule]).view(shape)


def set_parameters(model: Pacia, fixture: dict[str, Any]) -> None:
    ours = dict(model.named_parameters())
    for p in fixture["parameters"]:
        if name := our_name(p["name"]):
            parameter = ours.pop(name)
            parameter.data.copy_(values(p["k"], p["shape"], p["rule"]).view_as(parameter))
    if ours:
        sys.exit(f"check: the fixture has no parameter {', '.join(ours)}")


def molecules(graph: dict[str, Any]) -> Molecules:
    source, target = torch.tensor(graph["edge_index"])
    target, order = target.sort(stable=True)
    atoms, owner = torch.tensor(graph["x"]), torch.tensor(graph["batch"])
    return Molecules(
        atoms, torch.searchsorted(target, torch.arange(len(atoms) + 1)), source[order],
        torch.tensor(graph["edge_attr"])[order], torch.searchsorted(owner, torch.arange(int(owner[-1]) + 2)))


def record(model: Pacia) -> dict[str, list[Any]]:
    """What the parts of a model take in and give out from now on, in the order of the calls."""
    seen: dict[str, list[Any]] = {}
    film = [m for pair in zip(model.film_weight, model.film_bias) for m in pair]
    parts = {"projection": [model.projection], "depth": [model.depth], "classifier": [model.classifier],
             "relation": model.relation, "film": film}
    for name, modules in parts.items():
        for module in modules:
            seen[name] = []
            module.register_forward_hook(lambda _, given, out, name=name: seen[name].append((given, out)))
    return seen


def stages(seen: dict[str, list[Any]], queries: int) -> dict[str, Tensor]:
    """The recorded stages under the fixture's names."""
    support = sum(len(given[0]) for given, _ in seen["projection"]) - queries
    embedding = torch.cat([given[0] for given, _ in seen["projection"]])
    nodes = torch.cat([out for _, out in seen["projection"]])

    def by_query(name: str) -> Tensor:
        outputs = [out for _, out in seen[name]]
        return outputs[0] if len(outputs) == 1 else torch.stack(outputs, 1)

    return {
        "support_embedding": embedding[:support], "query_embedding": embedding[support:],
        "film_unit": torch.stack([unit(out).flatten() for _, out in seen["film"]]),
        "projected": torch.cat([nodes[:support].expand(queries, -1, -1), nodes[support:].unsqueeze(1)], 1),
        "nodes_per_layer": torch.stack([out[0] for _, out in seen["relation"]]),
        "adjacency_per_layer": torch.stack([out[1] for _, out in seen["relation"]]).unsqueeze(2),
        "depth_scores": by_query("depth"), "layer_logits": by_query("classifier"),
    }


def probabilities(want: dict[str, Any]) -> Tensor:
    """P(active) of the queries, at the layer that each chose."""
    logits = torch.tensor(want["layer_logits"])
    return logits[torch.arange(len(logits)), want["selected_layer"]].softmax(-1)[:, 1]


def differences(model: Pacia, task: Task, want: dict[str, Any]) -> list[tuple[str, float]]:
    """Every stage's largest difference, and every gradient's, relative to what is wanted."""
    seen = record(model)
    loss = model.loss(model.prepare([task]))
    loss.backward()
    found = stages(seen, len(task.query)) | {"expected_loss": loss.detach()}
    if not model.training:
        found["probabilities"] = model.scores(model.prepare_test(task))
    each = []
    for name, got in found.items():
        wanted = probabilities(want) if name == "probabilities" else torch.tensor(want[name])
        each.append((name, float((got - wanted).abs().max() / wanted.abs().max())))
    ours = dict(model.named_parameters())
    for name, norm in want["gradient_norms"].items():
        if norm is not None:
            difference = abs(float(ours[our_name(name)].grad.norm()) - norm)
            each.append((f"gradient of {our_name(name)}", max(0.0, difference - FLOOR) / norm))
    return each


def apart(fixture: dict[str, Any], task: Task) -> float:
    """How far the styles are apart in a training step of two tasks that differ in labels and queries.

    The largest difference of the loss, a gradient or a running average, relative to
    the largest entry of each.
    """
    other = Task(task.shots, task.support, task.support_labels.flip(0), task.query.part(1, 3), task.query_labels[1:])
    found: list[dict[str, Tensor]] = []
    for style in (Tasks, Together):
        model = style()
        model.dropout = 0.0
        set_parameters(model, fixture)
        loss = model.loss(model.prepare([task, other]))
        loss.backward()
        found.append({name: p.grad for name, p in model.named_parameters()} | dict(model.named_buffers()) | {"loss": loss})
    a, b = found
    return max(float((a[name] - b[name]).abs().max() / (a[name].abs().max() + FLOOR / TOLERANCE)) for name in a)


def counted(model: Pacia, task: Task) -> int:
    """The floating-point work of a step's products, by what its layers are given."""
    work_done = 0

    def linear(layer: nn.Linear, _: Any, out: Tensor) -> None:
        nonlocal work_done
        work_done += 2 * out.numel() * layer.in_features

    def aggregation(_: Relation, given: tuple[Any, ...], __: Any) -> None:
        nonlocal work_done
        nodes = given[0]
        work_done += 2 * nodes.numel() * nodes.shape[1]

    for module in model.modules():
        if isinstance(module, nn.Linear):
            module.register_forward_hook(linear)
        elif isinstance(module, Relation):
            module.register_forward_hook(aggregation)
    model.loss(model.prepare([task]))
    return work.FORWARD_AND_BACKWARD * work_done


def run(path: Path) -> bool:
    """Compare both styles with the fixture, and the formula of work.py with the layers. Say what agrees."""
    with gzip.open(path) as file:
        fixture = json.load(file)
    torch.set_default_dtype(torch.float64)
    labels = torch.tensor(fixture["support_labels"])
    task = Task(int(labels.bincount().min()), molecules(fixture["support_graph"]), labels,
                molecules(fixture["query_graph"]), torch.tensor(fixture["query_labels"]))
    agree = True
    for style in (Tasks, Together):
        for mode in ("eval", "train"):
            model = style()
            model.dropout = 0.0
            set_parameters(model, fixture)
            model.train(mode == "train")
            each = differences(model, task, fixture[mode])
            name, worst = max(each, key=lambda pair: pair[1])
            good = worst <= TOLERANCE
            verdict = f"{len(each)} stages and gradients agree" if good else "DIFFERS"
            print(f"{style.__name__.lower():9} {mode:6} {verdict}: at most {worst:.0e} apart ({name}), "
                  f"{TOLERANCE:.0e} allowed")
            agree = agree and good
    worst = apart(fixture, task)
    agree = agree and worst <= TOLERANCE
    print(f"two tasks        at most {worst:.0e} between the styles, {TOLERANCE:.0e} allowed")
    sizes = work.Sizes(len(task.support.atoms) + len(task.query.atoms), 1, len(labels), len(task.query), task.shots)
    done, said = counted(Together(), task), work.plain(sizes)
    print(f"products         {done / 1e6:.1f} MFLOP counted, {said / 1e6:.1f} by the formula of work.py")
    return agree and done == said
