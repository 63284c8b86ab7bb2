#!/usr/bin/env python3
"""pna.py --pacia GNN.TEST: pacia's PNA beside an eager PyTorch PNA, forward and backward, in turn.

GNN.TEST is `go test -c -o GNN.TEST ./gnn/pna`. Both sides run the same molecules, with the
sizes of FS-Mol's benchmark, and both losses are compared. --tasks FOLDER takes whole
tasks in FS-Mol's format (*.jsonl.gz, such as those of train/), drawn at random like those of
a training step. Otherwise molecules are random: trees with rings, with the size and bonds of
drugs and the features of FS-Mol's atoms. Unlike a series of real molecules, they have hardly
any atoms with equal environments. Neither side has dropout.

--check FIXTURE compares the eager implementation with what the benchmark's own code
gives instead, every form of it.
"""

import argparse
import gzip
import json
import math
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

import fixture
from pnabatch import draw, taken
from pnanet import Block, Graph, Linear, Pna
from served import EAGER, Served

FORMS = [(together, convolution) for together in (False, True) for convolution in (False, True)]
CHOICES = 2  # steps with each form, to find the fastest
TOLERANCE = 1e-6  # relative to a state's largest entry; for a gradient's norm, 1e-3

# The published names and ours; "" marks unused parameters.
NAMES = [(re.compile(published), ours) for published, ours in (
    (r"init_node_proj\.", "features."),
    (r"gnn\.gnn_blocks\.(\d+)\.alpha", r"blocks.\1.alpha"),
    (r"gnn\.gnn_blocks\.(\d+)\.mp_norm_layer\.", ""),
    (r"gnn\.gnn_blocks\.(\d+)\.mp_layers\.\d+\.message_fns\.\d+\._layers\.0\.", r"blocks.\1.messages."),
    (r"gnn\.gnn_blocks\.(\d+)\.msg_out_projection\.", r"blocks.\1.towers."),
    (r"gnn\.gnn_blocks\.(\d+)\.boom_norm_layer\.", r"blocks.\1.norm."),
    (r"gnn\.gnn_blocks\.(\d+)\.boom_layer\.linear1\.", r"blocks.\1.boom.0."),
    (r"gnn\.gnn_blocks\.(\d+)\.boom_layer\.linear2\.", r"blocks.\1.boom.2."),
    (r"readout\._weighted_(mean|sum)_pooler\._scoring_module\._layers\.", r"readout.\1.scores."),
    (r"readout\._weighted_(mean|sum)_pooler\._transformation_mlp\._layers\.", r"readout.\1.values."),
    (r"readout\._weighted_(mean|sum)_pooler\._combination_layer\.", r"readout.\1.combination."),
    (r"readout\._max_pooler\._combination_layer\.", "readout.max."),
    (r"readout\._combination_layer\.", "readout.combination."),
)]


def part(name: str, parameters: dict[str, Tensor]) -> Tensor | None:
    """Our parameter, or its gradient, for a published name; None for unused ones."""
    for pattern, ours in NAMES:
        if match := pattern.match(name):
            if not ours:
                return None
            whole = parameters[match.expand(ours) + name[match.end():]]
            place = re.search(r"mp_layers\.(\d+)\.message_fns\.(\d+)", name)
            return whole[int(place[1]), int(place[2])] if place else whole
    sys.exit(f"pna: parameter {name} of the fixture has no counterpart")


def values(p: dict[str, Any]) -> Tensor:
    if p["rule"] == "0.5+0.1u":
        return 0.5 + fixture.values(p["k"], p["shape"], "0.1u")
    return fixture.values(p["k"], p["shape"], p["rule"])


def loaded(published: dict[str, Any]) -> tuple[Pna, Graph]:
    model = Pna(published["config"], published["readout"])
    with torch.no_grad():
        parameters = dict(model.named_parameters())
        for p in published["parameters"]:
            if (ours := part(p["name"], parameters)) is not None:
                ours.copy_(values(p))
    bonds = []
    for each in published["adjacency_lists"]:
        a, b = torch.tensor(each, dtype=torch.long).reshape(-1, 2).unbind(1)
        bonds.append((torch.cat([a, b]), torch.cat([b, a])))
    molecule = torch.tensor(published["node_to_graph"])
    features = torch.tensor(published["node_features"], dtype=torch.get_default_dtype())
    return model, Graph(features, bonds, molecule, int(molecule[-1]) + 1)


def loss_of(embeddings: Tensor) -> Tensor:
    return (embeddings.flatten() * torch.linspace(-1, 1, embeddings.numel())).sum()


def check(path: Path) -> bool:
    torch.set_default_dtype(torch.float64)
    published, agree = fixture.read(path), True
    for Block.together, Linear.convolution in FORMS:
        model, graph = loaded(published)
        states, embeddings = model.states(graph), model(graph)
        loss_of(embeddings).backward()
        pairs = [*zip(states, published["node_states_per_layer"]), (embeddings, published["molecule_embedding"])]
        worst = max(float((got - torch.tensor(want)).abs().max()) for got, want in pairs)
        gradients, off = {name: p.grad for name, p in model.named_parameters()}, 0.0
        for name, want in published["gradient_norms"].items():
            got = part(name, gradients)
            if (got is None) != (want is None):
                sys.exit(f"pna: {name} has a gradient on one side only")
            if want is not None:
                off = max(off, abs(float(got.norm()) - want) / (want + 1e-9))
        good = worst <= TOLERANCE and off <= 1e-3
        print(f"towers {'together' if Block.together else 'apart':8} {'convolutions' if Linear.convolution else 'mm':12} "
              f"{'agrees' if good else 'DIFFERS'}: states {worst:.0e} apart, gradients' norms {off:.0e}")
        agree = agree and good
    return agree


def step(model: Pna, graph: Graph) -> dict[str, float]:
    """Elapsed seconds, CPU seconds and loss of a forward and a backward pass."""
    model.zero_grad(set_to_none=True)
    begun, used = time.perf_counter(), time.process_time()
    loss = loss_of(model(graph))
    loss.backward()
    return {"seconds": time.perf_counter() - begun, "processor": time.process_time() - used, "loss": float(loss)}


def serve(path: Path, threads: int) -> None:
    """Answer every line with the measurement of a step in the fastest form."""
    torch.set_num_threads(threads)
    model, graph = loaded(fixture.read(path))
    best = [math.inf] * len(FORMS)
    for i in list(range(len(FORMS))) * (CHOICES + 1):
        Block.together, Linear.convolution = FORMS[i]
        best[i] = min(best[i], step(model, graph)["processor"])
    Block.together, Linear.convolution = FORMS[best.index(min(best))]
    respond({"forms": dict(zip(("apart, mm", "apart, convolutions", "together, mm", "together, convolutions"), best))})
    for _ in sys.stdin:
        respond(step(model, graph))


def respond(answer: dict[str, Any]) -> None:
    print(json.dumps(answer), flush=True)


def compare(a: argparse.Namespace) -> None:
    found = {p: {"seconds": [], "processor": []} for p in ("float32", *["bf16"] * a.bf16)}
    for seed in range(a.seed, a.seed + (a.draws if a.tasks else 1)):
        take_turns(a, taken(a.tasks, a.molecules, seed) if a.tasks else draw(a.molecules), found)
    medians = {p: {k: {"theirs": statistics.median(t for t, _ in pairs), "ours": statistics.median(o for _, o in pairs),
                       "ratio": statistics.median(t / o for t, o in pairs)} for k, pairs in kinds.items()}
               for p, kinds in found.items()}
    for p, kinds in medians.items():
        for k, m in kinds.items():
            print(f"medians, {p:7}, {k:9}: eager {m['theirs']:.3f}, pacia {m['ours']:.3f}, ratio {m['ratio']:.2f}")
    if a.json:
        a.json.write_text(json.dumps(medians, indent=2) + "\n")


def take_turns(a: argparse.Namespace, molecules: dict[str, Any], found: dict[str, dict[str, list]]) -> None:
    """Measure all rounds on a batch, and add the pairs to the results."""
    with tempfile.TemporaryDirectory(prefix="pacia-bench-") as folder:
        path = Path(folder) / "batch.json.gz"
        with gzip.open(path, "wt", compresslevel=1) as file:
            json.dump(molecules, file)
        print(f"{a.molecules} molecules of {len(molecules.get('tasks', [0, 0])) - 1} tasks, {len(molecules['node_to_graph'])} atoms, "
              f"{sum(map(len, molecules['adjacency_lists']))} bonds, {a.threads} threads")
        eager = Served([sys.executable, __file__, "--serve", str(path), "--threads", str(a.threads)], EAGER)
        print("eager forms, seconds:", {k: round(v, 2) for k, v in eager.ready["forms"].items()})
        for i in range(a.rounds):
            each = [eager.ask("step") for _ in range(a.steps)]
            theirs = {k: statistics.median(e[k] for e in each) for k in each[0]}
            for precision, pairs in found.items():
                ours = pacia(a, path, precision)
                for k in pairs:
                    pairs[k].append((theirs[k], ours[k]))
                    print(f"round {i}, {precision:7}, {k:9}: eager {theirs[k]:.3f}, pacia {ours[k]:.3f}, ratio {theirs[k] / ours[k]:.2f}")
                print(f"round {i}, losses   : {theirs['loss']:.6g} and {ours['loss']:.6g}", flush=True)
        eager.close()


def pacia(a: argparse.Namespace, path: Path, precision: str) -> dict[str, float]:
    """A step of the Go benchmark, in the form that step returns."""
    done = subprocess.run([a.pacia, "-test.run", "^$", "-test.bench", f"PNA/{precision}$", "-test.benchtime", f"{a.steps}x"],
                          env=os.environ | {"PACIA_PNA_FIXTURE": str(path), "PACIA_PNA_THREADS": str(a.threads)},
                          capture_output=True, text=True)
    found = {k: re.search(rf"(\S+) {unit}\b", done.stdout)
             for k, unit in (("loss", "loss"), ("seconds", r"s/step"), ("processor", "processor-s/step"))}
    if not all(found.values()):
        sys.exit(f"pna: {a.pacia} measured nothing: {done.stdout}{done.stderr}")
    return {k: float(match[1]) for k, match in found.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pacia", help="the test program of package gnn")
    parser.add_argument("--molecules", type=int, default=128)
    parser.add_argument("--tasks", type=Path, metavar="FOLDER", help="tasks in FS-Mol's format, from which molecules are drawn")
    parser.add_argument("--seed", type=int, default=1, help="seed of the draw of tasks")
    parser.add_argument("--draws", type=int, default=1, help="batches of tasks, each with the next seed")
    parser.add_argument("--rounds", type=int, default=5, help="on each batch")
    parser.add_argument("--steps", type=int, default=3, help="steps of each side in a round")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--bf16", action="store_true", help="also measure pacia with factors rounded to bf16")
    parser.add_argument("--json", type=Path, help="also write the medians to this file")
    parser.add_argument("--check", type=Path, metavar="FIXTURE")
    parser.add_argument("--serve", type=Path, help=argparse.SUPPRESS)
    a = parser.parse_args()
    if a.check:
        sys.exit(0 if check(a.check) else 1)
    if a.serve:
        return serve(a.serve, a.threads)
    if not a.pacia:
        parser.error("--pacia is missing")
    compare(a)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("pna: interrupted")
