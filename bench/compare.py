#!/usr/bin/env python3
"""compare.py [FLAGS] -- PACIA'S FLAGS: pacia beside eager PyTorch, in turn, on one machine.

Both are programs that wait for a line and measure one unit. This program lets them
take turns, so that other load of the machine slows all of them alike, and
compares the units that ran next to each other.
"""

import argparse
import json
import statistics
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

import table
import work
from served import EAGER, Served

EAGER_PROGRAM = Path(__file__).parent / "eager.py"
STYLES = ("tasks", "together")
WARM_UP = 3  # steps that are not counted
STEPS = 8  # different steps, which are repeated

Units = dict[str, list[dict[str, Any]]]  # the measurements of each side, in the order of the units


def main() -> None:
    a = arguments()
    every = 1 if a.full else a.every
    with tempfile.TemporaryDirectory(prefix="pacia-bench-") as folder:
        episodes = Path(folder) / "episodes.npz"
        with started(a, every, episodes) as sides:
            result = compare(sides, a, sizes(episodes)) | {"every": every}
    table.write(result)
    if a.json:
        a.json.write_text(json.dumps(result, indent=2) + "\n")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pacia", default="bin/pacia", help="the program")
    parser.add_argument("--device", default="cpu", help="of eager PyTorch; pacia's is among its settings")
    parser.add_argument("--tf32", action="store_true", help="for eager PyTorch; pacia's is among its settings")
    parser.add_argument("--bf16", action="store_true", help="also measure both with factors rounded to bf16")
    parser.add_argument("--masks", action="store_true", help="also measure pacia with dropout masks by environment")
    parser.add_argument("--steps", type=int, default=15, help="measured training steps of each side")
    parser.add_argument("--evaluations", type=int, default=3, help="measured evaluations of each side")
    parser.add_argument("--every", type=int, default=8, help="evaluate on one query of this many")
    parser.add_argument("--full", action="store_true", help="evaluate on all queries")
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    parser.add_argument("settings", nargs="*", help="settings of pacia, such as --config FILE or --set threads=1")
    a = parser.parse_args()
    if min(a.steps, a.evaluations, a.every) < 1:
        parser.error("--steps, --evaluations and --every take 1 or more")
    return a


@contextmanager
def started(a: argparse.Namespace, every: int, episodes: Path) -> Iterator[dict[str, Served]]:
    """The programs; pacia writes the episodes, from which the others read them."""
    sides: dict[str, Served] = {}

    def pacia(to: Path, *more: str) -> Served:
        return Served([a.pacia, "bench", *a.settings, *more, "--steps", str(STEPS), "--every", str(every), "--serve", str(to)])

    def eager(style: str, *more: str) -> Served:
        threads = sides["pacia"].ready["threads"]
        return Served([sys.executable, str(EAGER_PROGRAM), "--style", style, "--episodes", str(episodes),
                       "--threads", str(threads), "--device", a.device, *["--tf32"] * a.tf32, *more], EAGER)

    try:
        sides["pacia"] = pacia(episodes)
        for style in STYLES:
            sides[style] = eager(style)
        if a.bf16:
            sides["together bf16"] = eager("together", "--bf16")
            sides["pacia bf16"] = pacia(episodes.with_suffix(".bf16.npz"), "--set", "precision=bf16")
        if a.masks:
            sides["pacia masks"] = pacia(episodes.with_suffix(".masks.npz"), "--set", "model.dropout_mask=surrounding")
        yield sides
    finally:
        for side in sides.values():
            side.close()


def sizes(episodes: Path) -> work.Sizes:
    """The sizes of the steps in the file, on average."""
    with np.load(episodes) as file:
        tasks, support, shots = file["step0.sizes"].tolist()
        steps = {name: file[name] for name in file.files if name.startswith("step")}
    atoms = [len(array) for name, array in steps.items() if name.endswith(".atoms")]
    queries = [len(array) for name, array in steps.items() if name.endswith(".query_label")]
    return work.Sizes(round(statistics.mean(atoms)), tasks, support, round(statistics.mean(queries)), shots)


def compare(sides: dict[str, Served], a: argparse.Namespace, s: work.Sizes) -> dict[str, Any]:
    ready = sides["pacia"].ready
    tests = [f"evaluate {i}" for i in range(len(ready["tests"]))]
    peaks = [sides["together"].ask("peak")]
    steps = in_turn(sides, [f"step {i % STEPS}" for i in range(WARM_UP + a.steps)])
    peaks.append(sides["together"].ask("peak"))
    in_turn(sides, tests[:1])
    parts = in_turn(sides, tests * a.evaluations)
    peaks.append(sides["together"].ask("peak"))
    evaluations = {name: [total(units[i:i + len(tests)]) for i in range(0, len(units), len(tests))]
                   for name, units in parts.items()}
    return {
        **{name: ready[name] for name in ("dataset", "preset", "parameters", "threads", "device")},
        "torch": sides["together"].ready["torch"], "products": sides["together"].ready["products"],
        "tasks": s.tasks, "shots": s.shots, "molecules": s.molecules, "atoms": s.atoms, "pairs": s.pairs,
        "queries": evaluations["pacia"][0]["queries"],
        "peak": max(peaks, key=lambda peak: peak["gflops"]),
        "memory": {style: sides[style].ask("memory")["bytes"] for style in STYLES},
        "gflop": {"plain": work.plain(s) / 1e9, "shared": work.shared(s) / 1e9},
        "step": summary({name: units[WARM_UP:] for name, units in steps.items()}),
        "evaluation": summary(evaluations),
    }


def in_turn(sides: dict[str, Served], units: list[str]) -> Units:
    """Measure every unit on every side, one side at a time, in alternating order."""
    found: Units = {name: [] for name in sides}
    for i, unit in enumerate(units):
        for name in list(sides) if i % 2 else reversed(sides):
            found[name].append(sides[name].ask(unit))
    return found


def total(units: list[dict[str, Any]]) -> dict[str, Any]:
    return {name: sum(unit[name] for unit in units) for name in ("seconds", "processor_seconds", "queries")}


def summary(units: Units) -> dict[str, Any]:
    """Each side's medians, and the median of its ratios to the pacia that ran next to it."""
    pacia = [unit["seconds"] for unit in units["pacia"]]
    found = {}
    for name, each in units.items():
        seconds = [unit["seconds"] for unit in each]
        found[name] = {
            "seconds": seconds,
            "median": statistics.median(seconds),
            "processor": statistics.median(unit["processor_seconds"] for unit in each),
            "ratio": statistics.median(s / p for s, p in zip(seconds, pacia)),
        }
    return found


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("compare: interrupted")
