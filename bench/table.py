"""The comparison as a table."""

from collections.abc import Callable
from typing import Any

LABELS = {"tasks": "eager, tasks", "together": "eager, together", "pacia": "pacia",
          "together bf16": "together, bf16", "pacia bf16": "pacia, bf16", "pacia masks": "pacia, masks"}
EAGER = ("tasks", "together")

Row = tuple[str, ...]  # a title, then a cell for each side


def write(r: dict[str, Any]) -> None:
    """Print the results of compare.compare."""
    plain, own = r["gflop"]["plain"], r["gflop"]["shared"]
    fastest = max(r["peak"]["products"], key=lambda p: p["gflops"])
    print(f"data      {r['dataset']}, {r['preset']} preset, {r['parameters']:,} parameters, float32")
    print(f"a step    {r['tasks']} tasks of {r['shots']} shots, {r['molecules']} molecules, "
          f"{r['atoms']:,} atoms, {r['pairs']:,} pairs a layer")
    print(f"products  {plain:.1f} GFLOP a step with every pair once, {own:.1f} without pairs that change nothing")
    print(f"fastest   {fastest['gflops']:.0f} GFLOP/s ({fastest['form']}, {fastest['size']}), "
          f"{r['threads']} threads, PyTorch {r['torch']}; "
          f"together computes its large products as {r['products']}")
    print()
    rows: list[Row] = [("", *(LABELS[side] for side in LABELS if side in r["step"]))]
    rows += timed("training step, s", r["step"], r["molecules"])
    rows += speeds(r["step"], plain, own, fastest["gflops"])
    rows += timed("evaluation, s", r["evaluation"], r["queries"])
    align(rows)
    part = "all" if r["every"] == 1 else f"one of every {r['every']} queries:"
    steps, evaluations = (len(r[kind]["pacia"]["seconds"]) for kind in ("step", "evaluation"))
    print(f"\nMedians (steps: {steps}, evaluations: {evaluations}), in turn. "
          f"An evaluation ranks {part} {r['queries']:,} molecules.")
    for kind, name in (("step", "a training step"), ("evaluation", "an evaluation")):
        style = min(EAGER, key=lambda s: r[kind][s]["median"])
        ratio = r[kind][style]["ratio"]
        print(f"For {name} the faster eager form, {style}, takes {ratio:.2f} times as long as pacia.")


def timed(title: str, units: dict[str, Any], molecules: int) -> list[Row]:
    """The rows with the times of a unit of this many molecules."""
    return [
        row(title, units, lambda u: f"{u['median']:.3f}"),
        row("  over pacia's, median of the pairs", units, lambda u: f"{u['ratio']:.2f}"),
        row("  processor time, s", units, lambda u: f"{u['processor']:.3f}"),
        row("  molecules/s", units, lambda u: f"{molecules / u['median']:,.0f}"),
    ]


def speeds(steps: dict[str, Any], plain: float, own: float, fastest: float) -> list[Row]:
    """The rows with a step's GFLOP/s, and with their share of the fastest product's."""
    done = own / steps["pacia"]["median"]
    return [
        row("  GFLOP/s, every pair once", steps, lambda u: f"{plain / u['median']:.0f}"),
        row("  of the fastest product", steps, lambda u: f"{plain / u['median'] / fastest:.0%}"),
        row("  GFLOP/s, without needless pairs", steps, lambda u: f"{done:.0f}" if u is steps["pacia"] else ""),
        row("  of the fastest product", steps, lambda u: f"{done / fastest:.0%}" if u is steps["pacia"] else ""),
    ]


def row(title: str, units: dict[str, Any], cell: Callable[[dict[str, Any]], str]) -> Row:
    return (title, *(cell(units[side]) for side in LABELS if side in units))


def align(rows: list[Row]) -> None:
    first, *others = [max(len(cell) for cell in column) for column in zip(*rows)]
    for title, *cells in rows:
        print(title.ljust(first), *(cell.rjust(width) for cell, width in zip(cells, others)), sep="  ")
