"""Compares both styles, stage by stage, with what the published code computes."""

import math
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

import fixture
import work
from episodes import Task
from net import Pacia, Relation, unit
from tasks import Tasks
from together import Together

# Relative to a stage's largest entry, and to a gradient's norm.
TOLERANCE = 1e-6
# The gradient of a bias that does not affect the loss consists of rounding errors.
FLOOR = 1e-14


class Convolutions(Together):
    """Together with its products as convolutions, the faster form where oneDNN is faster."""

    convolution = True


FORMS = {"tasks": Tasks, "together": Together, "together, convolutions": Convolutions}


def record(model: Pacia) -> dict[str, list[Any]]:
    """Record the inputs and outputs of a model's parts from now on, in the order of the calls."""
    seen: dict[str, list[Any]] = {}
    film = [m for pair in zip(model.film_weight, model.film_bias) for m in pair]
    parts = {"projection": [model.projection], "depth": [model.depth], "classifier": [model.classifier],
             "relation": model.relation, "film": film}
    for name, modules in parts.items():
        seen[name] = []
        for module in modules:
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
    """P(active) of the queries, each at its selected layer."""
    logits = torch.tensor(want["layer_logits"])
    return logits[torch.arange(len(logits)), want["selected_layer"]].softmax(-1)[:, 1]


def differences(model: Pacia, task: Task, want: dict[str, Any]) -> list[tuple[str, float]]:
    """The largest difference of every stage and of every gradient, relative to the expected values."""
    seen = record(model)
    loss = model.loss(model.prepare([task]))
    loss.backward()
    found = stages(seen, len(task.query)) | {"expected_loss": loss.detach()}
    if not model.training:
        found["probabilities"] = model.scores(model.prepare_test(task))
    each = []
    for name, got in found.items():
        wanted = probabilities(want) if name == "probabilities" else torch.tensor(want[name])
        each.append((name, difference(got, wanted)))
    ours = dict(model.named_parameters())
    for published, norm in want["gradient_norms"].items():
        if norm is not None:
            name = fixture.our_name(published)
            each.append((f"gradient of {name}", difference(ours[name].grad.norm(), torch.tensor(norm))))
    return each


def difference(got: Tensor, want: Tensor) -> float:
    """The largest difference of two tensors minus FLOOR, relative to the largest expected entry."""
    largest = float((got - want).abs().max())
    return math.inf if math.isnan(largest) else max(0.0, largest - FLOOR) / float(want.abs().max())


def apart(published: dict[str, Any], task: Task) -> float:
    """The largest difference between the styles in a step of two tasks, in loss, gradients and running averages."""
    other = Task(task.shots, task.support, task.support_labels.flip(0), task.query.part(1, 3), task.query_labels[1:])
    found: list[dict[str, Tensor]] = []
    for style in (Tasks, Together):
        model = fixture.loaded(style, published)
        loss = model.loss(model.prepare([task, other]))
        loss.backward()
        gradients = {name: p.grad for name, p in model.named_parameters()}
        found.append(gradients | dict(model.named_buffers()) | {"loss": loss})
    a, b = found
    return max(difference(b[name], a[name]) for name in a)


def counted(model: Pacia, task: Task) -> int:
    """The floating-point work of a step's products, counted from the inputs of its layers."""
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
    """Compare both styles with the fixture, and the formula of work.py with the layers. Print the differences, and return whether all agree."""
    torch.set_default_dtype(torch.float64)
    published = fixture.read(path)
    task = fixture.task(published)
    agree = True
    for name, style in FORMS.items():
        for mode in ("eval", "train"):
            model = fixture.loaded(style, published).train(mode == "train")
            each = differences(model, task, published[mode])
            where, worst = max(each, key=lambda pair: pair[1])
            good = worst <= TOLERANCE
            verdict = f"{len(each)} stages and gradients agree" if good else "DIFFERS"
            print(f"{name:22} {mode:6} {verdict}: at most {worst:.0e} apart ({where}), {TOLERANCE:.0e} allowed")
            agree = agree and good
    worst = apart(published, task)
    agree = agree and worst <= TOLERANCE
    print(f"{'two tasks':22} at most {worst:.0e} between the styles, {TOLERANCE:.0e} allowed")
    atoms = len(task.support.atoms) + len(task.query.atoms)
    sizes = work.Sizes(atoms, 1, len(task.support), len(task.query), task.shots)
    done, computed = counted(Together(), task), work.plain(sizes)
    print(f"{'products':22} {done / 1e6:.1f} MFLOP counted, {computed / 1e6:.1f} by the formula of work.py")
    return agree and done == computed
