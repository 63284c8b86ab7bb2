#!/usr/bin/env python3
"""teach.py --data FSMOL: a step of multi-task teaching beside eager PyTorch, in turn.

pacia's side is `pacia bench --preset model`: two encoders learn from 1,024 labels of FS-Mol's
training assays. The other side is the same network in eager PyTorch, with random molecules
that have as many counts as FS-Mol's; it does not read data. It is
measured with float32 and with bfloat16 products, and the faster one counts.
"""

import argparse
import json
import statistics
import sys
import time
from pathlib import Path

import torch
from torch import nn
from torch.nn import functional as F

from served import EAGER, Served

MOLECULES = 1024
BITS = 2048
COUNTS = 52  # nonzero counts of a molecule, on average
WIDTH = 768
MEMBERS = 2
CLASSIFIERS = 5709  # assays, and targets that several assays share
WARM_UP = 3


class Member(nn.Module):
    """A multilayer perceptron on log counts, and the classifiers of all tasks."""

    def __init__(self) -> None:
        super().__init__()
        self.counts = nn.EmbeddingBag(BITS, WIDTH, mode="sum")
        self.bias = nn.Parameter(torch.zeros(WIDTH))
        self.layers = nn.ModuleList(nn.Linear(WIDTH, WIDTH) for _ in range(2))
        self.classifiers = nn.Embedding(CLASSIFIERS, WIDTH)
        self.offsets = nn.Parameter(torch.zeros(CLASSIFIERS))
        self.factor = nn.Parameter(torch.tensor(40.0))

    def forward(self, bits, starts, values, task):
        h = self.counts(bits, starts, per_sample_weights=F.dropout(values, 0.1)) + self.bias
        for layer in self.layers:
            h = layer(F.dropout(F.relu(h), 0.3))
        x = F.normalize(h.float(), dim=1)
        return self.factor * (x * self.classifiers(task)).sum(1) + self.offsets[task]


def serve(threads: int) -> None:
    """Answer each line, float32 or bfloat16, with the time of a step."""
    torch.set_num_threads(threads)
    torch.manual_seed(0)
    members = nn.ModuleList(Member() for _ in range(MEMBERS))
    optimiser = torch.optim.AdamW(members.parameters(), lr=5e-4, weight_decay=0.01)
    print(json.dumps({"torch": torch.__version__}), flush=True)
    for line in sys.stdin:
        bits = torch.randint(BITS, (MOLECULES * COUNTS,))
        values = torch.log1p(torch.randint(1, 4, bits.shape).float())
        starts = torch.arange(0, len(bits), COUNTS)
        task = torch.randint(CLASSIFIERS, (MOLECULES,))
        label = torch.randint(2, (MOLECULES,)).float()
        begun, processor = time.perf_counter(), time.process_time()
        optimiser.zero_grad(set_to_none=True)
        with torch.autocast("cpu", torch.bfloat16, enabled=line.strip() == "bfloat16"):
            losses = [F.binary_cross_entropy_with_logits(m(bits, starts, values, task), label) for m in members]
        sum(losses).backward()
        optimiser.step()
        print(json.dumps({"seconds": time.perf_counter() - begun, "processor_seconds": time.process_time() - processor}), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pacia", default="bin/pacia", help="the program")
    parser.add_argument("--data", help="FS-Mol's folder")
    parser.add_argument("--steps", type=int, default=15, help="measured steps of each side")
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    parser.add_argument("--serve", type=int, help=argparse.SUPPRESS)
    a = parser.parse_args()
    if a.serve:
        serve(a.serve)
        return
    if not a.data:
        parser.error("--data names FS-Mol's folder")
    ours = Served([a.pacia, "bench", "--preset", "model", "--set", f"data.path={a.data}", "--steps", "8", "--every", "100",
                   "--serve", "/dev/null"])
    theirs = Served([sys.executable, __file__, "--serve", str(ours.ready["threads"])], EAGER)
    units: dict[str, list[dict[str, float]]] = {"pacia": [], "float32": [], "bfloat16": []}
    for i in range(WARM_UP + a.steps):
        units["pacia"].append(ours.ask(f"step {i % 8}"))
        for kind in ("float32", "bfloat16"):
            units[kind].append(theirs.ask(kind))
    ours.close()
    theirs.close()
    print(f"PyTorch {theirs.ready['torch']}, {ours.ready['threads']} threads, median of {a.steps} steps in turn")
    found = {}
    for name, all_units in units.items():
        measured, beside = all_units[WARM_UP:], units["pacia"][WARM_UP:]
        f = found[name] = {key: statistics.median(m[key] for m in measured) for key in ("seconds", "processor_seconds")}
        f["ratio"] = statistics.median(m["seconds"] / p["seconds"] for m, p in zip(measured, beside))
        print(f"{name:9s} {f['seconds']:.3f} s a step, processor {f['processor_seconds']:.3f} s, ratio {f['ratio']:.2f}")
    if a.json:
        a.json.write_text(json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    main()
