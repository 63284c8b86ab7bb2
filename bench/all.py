#!/usr/bin/env python3
"""all.py [FLAGS] -- PACIA'S FLAGS: every measurement of speed, in one table.

Each row is measured by a separate program. A program and its peer run in turn, so that
other load of the machine slows both alike. A row without its data or program states what is
missing. The table is Markdown, for docs/performance.md.
"""

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from served import Served

HERE = Path(__file__).parent


@dataclass
class Row:
    what: str
    ours: str
    peer: str = ""
    ratio: str = ""
    command: str = ""


class NotThere(Exception):
    """The data or program that a row lacks."""


def main() -> None:
    a = arguments()
    begun, rows = time.monotonic(), []
    print(f"On {machine()}, {time.strftime('%Y-%m-%d')}.\n\n| what | pacia | peer | ratio | command |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory(prefix="pacia-bench-") as folder:
        for name, part in (("beside", beside), ("teach", teach), ("pna", pna), ("small", small), ("opening", opening),
                           ("library", library)):
            try:
                for row in part(a, Path(folder)):
                    rows.append(row)
                    print("|", " | ".join(asdict(row).values()), "|", flush=True)
            except NotThere as reason:
                print(f"| {name} | not measured: {reason} | | | |", flush=True)
    print(f"\n{time.monotonic() - begun:.0f} s.")
    if a.json:
        a.json.write_text(json.dumps({"machine": machine(), "rows": [asdict(row) for row in rows]}, indent=2) + "\n")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pacia", default="bin/pacia", help="the program")
    parser.add_argument("--gnn", help="the test program of package gnn, for PNA")
    parser.add_argument("--csv", type=Path, help="a file of MoleculeNet, which is opened and ranked")
    parser.add_argument("--library", type=Path, help="a file of molecules to rank, instead of that one")
    parser.add_argument("--fsmol", type=Path, help="FS-Mol's folder, for a step of the shipped model's network")
    parser.add_argument("--bf16", action="store_true", help="also measure factors rounded to bf16")
    parser.add_argument("--masks", action="store_true", help="also measure dropout masks by environment")
    parser.add_argument("--full", action="store_true", help="evaluate on all queries")
    parser.add_argument("--steps", type=int, default=8, help="measured training steps of each side")
    parser.add_argument("--json", type=Path, help="also write the rows to this file")
    parser.add_argument("settings", nargs="*", help="settings of pacia, such as --config FILE or --set threads=1")
    return parser.parse_args()


def machine() -> str:
    """The processor and its features that affect the measurements."""
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        return f"{os.cpu_count()} cores, {platform.machine()}"
    name = next((line.split(":")[1].strip() for line in text.splitlines() if line.startswith("model name")), platform.machine())
    units = [unit for flag, unit in (("avx2", "AVX2"), ("avx512f", "AVX-512"), ("avx512_bf16", "AVX512_BF16"), ("amx_bf16", "AMX")) if f" {flag} " in text]
    return f"{os.cpu_count()} cores of {name} ({', '.join(units)})"


# The sides of compare.py that are pacia's, their settings, and the sides to compare with.
FORMS = (("pacia", "", ("tasks", "together")),
         ("pacia bf16", ", `precision: bf16`", ("tasks", "together", "together bf16")),
         ("pacia masks", ", `model.dropout_mask: surrounding`", ("tasks", "together")))


def beside(a: argparse.Namespace, folder: Path) -> Iterator[Row]:
    """Steps and evaluations of `reference` beside eager PyTorch."""
    to = folder / "compare.json"
    run([sys.executable, HERE / "compare.py", "--pacia", a.pacia, "--steps", a.steps, "--evaluations", "2",
         "--json", to, *["--bf16"] * a.bf16, *["--masks"] * a.masks, *["--full"] * a.full,
         "--", *a.settings])
    found = json.loads(to.read_text())
    for kind, what in (("step", f"a training step, `{found['preset']}`, {found['tasks']} tasks of {found['shots']} shots"),
                       ("evaluation", f"ranking {found['queries']:,} queries")):
        sides = found[kind]
        for own, setting, others in FORMS:
            if kind == "evaluation" and own == "pacia masks":
                continue  # it has no dropout
            for other in others if own in sides else ():
                pairs = [p / o for p, o in zip(sides[other]["seconds"], sides[own]["seconds"])]
                yield Row(what + setting, f"{sides[own]['median']:.2f} s",
                          f"eager PyTorch, {other}: {sides[other]['median']:.2f} s", f"{statistics.median(pairs):.1f}", "bench/compare.py")


def teach(a: argparse.Namespace, folder: Path) -> Iterator[Row]:
    """A step of the shipped model's network."""
    if not a.fsmol:
        raise NotThere("FSMOL=FOLDER names FS-Mol's")
    to = folder / "teach.json"
    run([sys.executable, HERE / "teach.py", "--pacia", a.pacia, "--data", a.fsmol, "--steps", "40", "--json", to])
    found = json.loads(to.read_text())
    for other in ("float32", "bfloat16"):
        yield Row("a step of the shipped model's network, 1,024 labels", f"{found['pacia']['seconds']:.3f} s",
                  f"eager PyTorch, {other}: {found[other]['seconds']:.3f} s", f"{found[other]['ratio']:.2f}",
                  "bench/teach.py --steps 40")


def pna(a: argparse.Namespace, folder: Path) -> Iterator[Row]:
    """FS-Mol's encoder, forward and backward."""
    if not a.gnn:
        raise NotThere("--gnn names no test program of package gnn")
    molecules = {"made at random": ("bench/pna.py", ["--rounds", "3"])}
    if a.fsmol and any((a.fsmol / "train").glob("*.jsonl.gz")):
        molecules["of FS-Mol's tasks"] = ("bench/pna.py --tasks FOLDER --draws 5",
                                          ["--tasks", a.fsmol / "train", "--draws", "5", "--rounds", "1"])
    to = folder / "pna.json"
    for which, (command, flags) in molecules.items():
        run([sys.executable, HERE / "pna.py", "--pacia", a.gnn, "--json", to, *flags, *["--bf16"] * a.bf16])
        for precision, found in json.loads(to.read_text()).items():
            m = found["seconds"]
            yield Row(f"PNA, forward and backward of 128 molecules {which}" + (", `precision: bf16`" if precision == "bf16" else ""),
                      f"{m['ours']:.2f} s", f"eager PyTorch's fastest form, float32: {m['theirs']:.2f} s", f"{m['ratio']:.2f}",
                      command)


def small(a: argparse.Namespace, folder: Path) -> Iterator[Row]:
    """The fixed cost of a step, of any size."""
    ours = Served([a.pacia, "bench", *a.settings, "--set", "train.tasks_per_step=1", "--set", "episode.shots=1", "--steps", "4",
                   "--every", "100", "--serve", "/dev/null"])
    seconds = [ours.ask(f"step {i % 4}")["seconds"] for i in range(34)][4:]
    ours.close()
    yield Row("a step of one task with one shot", f"{statistics.median(seconds):.3f} s",
              command="pacia bench --set train.tasks_per_step=1 --set episode.shots=1 --serve FILE")


def opening(a: argparse.Namespace, folder: Path) -> Iterator[Row]:
    """A data set from its file, and from the store."""
    if not a.csv:
        raise NotThere("DATA=FILE names a file of MoleculeNet")
    command = [a.pacia, "data", "prepare", a.csv, "--cache", folder / "store"]
    for what in ("the first time", "from the store"):
        yield Row(f"opening {a.csv.name}, {what}", f"{timed(lambda: run(command)):.2f} s", command="pacia data prepare FILE")


def library(a: argparse.Namespace, folder: Path) -> Iterator[Row]:
    """The shipped model, from SMILES to a ranked file."""
    candidates = a.library or a.csv
    if not candidates:
        raise NotThere("LIBRARY=FILE names a file of molecules")
    support, ranked = HERE.parent / "examples" / "assay" / "support.csv", folder / "ranked.csv"
    seconds = timed(lambda: run([a.pacia, "predict", "--support", support, "--candidates", candidates, "--out", ranked]))
    with ranked.open() as file:
        molecules = sum(1 for _ in file) - 1
    yield Row(f"the shipped model ranks {candidates.name}, {molecules:,} molecules, its start included", f"{seconds:.1f} s",
              ratio=f"{molecules / seconds:,.0f}/s", command="pacia predict")


def timed(work: Callable[[], Any]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def run(command: list[Any]) -> str:
    """The program's standard output. If it fails, its output is printed and the measurement ends."""
    done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"bench: {' '.join(map(str, command[:3]))} ended with exit code {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("bench: interrupted")
