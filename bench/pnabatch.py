"""Batches for pna.py, of tasks in FS-Mol's format or of random molecules, with parameters of the full size."""

import gzip
import json
import random
import sys
from pathlib import Path
from typing import Any

# The sizes that FS-Mol's scripts use.
CONFIG = {"hidden_dim": 128, "num_heads": 4, "per_head_dim": 64, "intermediate_dim": 1024, "num_layers": 10}
READOUT = {"num_heads": 12, "head_dim": 64, "output_dim": 512}


def taken(folder: Path, molecules: int, seed: int) -> dict[str, Any]:
    """A batch of the molecules of tasks, in the fixture's format; the last task is cut."""
    files = sorted(folder.glob("*.jsonl.gz"))
    random.Random(seed).shuffle(files)
    features, adjacency, owner, tasks, count = [], [[], [], []], [], [0], 0
    for path in files:
        with gzip.open(path, "rt") as file:
            for line in file:
                if count == molecules:
                    break
                graph, first = json.loads(line)["graph"], len(owner)
                features += graph["node_features"]
                for to, bonds in zip(adjacency, graph["adjacency_lists"]):
                    to += [[first + a, first + b] for a, b in bonds]
                owner += [count] * len(graph["node_features"])
                count += 1
        tasks.append(len(owner))
        if count == molecules:
            return batch(features, adjacency, owner) | {"tasks": tasks}
    sys.exit(f"pna: {folder} has {count} molecules in files *.jsonl.gz, not {molecules}")


def draw(molecules: int) -> dict[str, Any]:
    """A batch of random molecules, in the fixture's format."""
    r = random.Random(1)
    features, adjacency, owner = [], [[], [], []], []
    for m in range(molecules):
        n, first = min(60, max(8, round(r.gauss(26, 7)))), len(owner)
        open_to = [0] * n
        def join(a: int, b: int) -> None:
            open_to[a] += 1
            open_to[b] += 1
            adjacency[r.choices((0, 1, 2), (72, 27, 1))[0]].append([first + a, first + b])
        for v in range(1, n):
            join(v, r.choice([u for u in range(max(0, v - 3), v) if open_to[u] < 4] or [v - 1]))
        for ring in range(round(n / 9)):
            a = r.randrange(n - 5)
            join(a, a + 5)
        for v in range(n):
            x = [0.0] * 32
            for place in (r.choices((1, 2, 3, 5), (74, 11, 12, 3))[0], 15 + min(6, open_to[v]), 24, 29):
                x[place] = 1.0
            x[31] = float(r.random() < 0.6)
            features.append(x)
        owner += [m] * n
    return batch(features, adjacency, owner)


def batch(features: list, adjacency: list, owner: list) -> dict[str, Any]:
    """Molecules in the fixture's format, with rules for parameters of the full size."""
    return {"config": CONFIG, "readout": READOUT, "parameters": rules(), "node_features": features,
            "adjacency_lists": adjacency, "node_to_graph": owner}


def rules() -> list[dict[str, Any]]:
    d, H, p, f = (CONFIG[k] for k in ("hidden_dim", "num_heads", "per_head_dim", "intermediate_dim"))
    L, q, out = CONFIG["num_layers"], READOUT["num_heads"] * READOUT["head_dim"], READOUT["output_dim"]
    shapes: dict[str, list[int]] = {"init_node_proj.weight": [d, 32]}
    def linear(name: str, i: int, o: int, bias: bool = True) -> None:
        shapes[name + ".weight"] = [o, i]
        if bias:
            shapes[name + ".bias"] = [o]
    for l in range(L):
        block = f"gnn.gnn_blocks.{l}."
        shapes[block + "alpha"] = [1]
        for k in range(H):
            for t in range(3):
                linear(f"{block}mp_layers.{k}.message_fns.{t}._layers.0", 2 * d // H, 3 * p)
        linear(block + "msg_out_projection", H * 12 * p, d)
        shapes |= {block + "boom_norm_layer.weight": [d], block + "boom_norm_layer.bias": [d]}
        linear(block + "boom_layer.linear1", d, f)
        linear(block + "boom_layer.linear2", f, d)
    s = (L + 1) * d
    for pooler in ("mean", "sum"):
        name = f"readout._weighted_{pooler}_pooler."
        for mlp, o in (("_scoring_module", READOUT["num_heads"]), ("_transformation_mlp", q)):
            linear(f"{name}{mlp}._layers.0", s, q)
            linear(f"{name}{mlp}._layers.2", q, o)
        linear(name + "_combination_layer", q, out, False)
    linear("readout._max_pooler._combination_layer", s, out, False)
    linear("readout._combination_layer", 3 * out, out, False)
    def rule(name: str) -> str:
        if name.endswith("alpha") or name.endswith("bias"):
            return "0.1u"
        return "1+0.1u" if "norm" in name else "u*sqrt(2/fan_in)"
    return [{"k": k, "name": name, "shape": shape, "rule": rule(name)} for k, (name, shape) in enumerate(shapes.items())]
