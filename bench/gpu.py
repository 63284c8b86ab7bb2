#!/usr/bin/env python3
"""gpu.py --root FOLDER --out FILE [--dry-run]: measurements of a folder packed by bench/gpu.sh, on one GPU.

Writes one JSON object, anew after each part. A part has a time limit; one that
fails or is late leaves its reason under "error" and the others go on. --dry-run
does the same on the CPU, with the embedded data set and a few steps.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import devicetests
import process
from devicetests import PATTERNS

TOTAL = 570.0  # seconds for everything, out of ten minutes
TRAINING = 270.0  # seconds of these that are kept for the 25,000 steps
SAMPLE = 0.5  # seconds between two samples of the GPU's memory

Found = dict[str, Any]


class Failed(Exception):
    """The reason for which a part has no result."""


class Bench:
    """The packed folder, the work folder, and the results so far."""

    def __init__(self, root: Path, out: Path, work: Path, dry: bool) -> None:
        self.root, self.out, self.work, self.dry = root, out, work, dry
        self.begun = time.monotonic()
        self.device = "cpu" if dry else "cuda"
        self.patience = 6.0 if dry else 1.0  # the limits are for a GPU; a dry run measures nothing
        self.precisions = ("float32",) if dry else ("tf32", "float32")
        self.pacia = next(root.glob("pacia-*/pacia"))
        self.result: Found = {"device": self.device, "dry_run": dry, "seconds": 0.0}
        shutil.copytree(root / "cache", work / "cache")
        # A fresh cache: kernels are compiled again, and nothing remains on the machine.
        self.environment = {**os.environ, "XDG_CACHE_HOME": str(work / "kernels")}

    def settings(self, precision: str) -> list[str]:
        """pacia's flags: the data set, the model at its full size, and the device."""
        data = self.root / "tox21.csv.gz"
        chosen = ["--config", str(self.root / "bench/embedded.yaml")]
        if not self.dry and data.exists():
            chosen = ["--preset", "tox21-10shot", "--set", f"data.path={data}", "--set", "model.preset=reference"]
        for setting in (f"device={self.device}", f"precision={precision}", f"data.cache={self.work}/cache"):
            chosen += ["--set", setting]
        return chosen

    def run(self, command: list[Any], limit: float) -> Found:
        """Run a command and return its time and output by name; raise Failed if the command fails."""
        with Memory() as memory:
            done = process.call(command, limit, self.environment)
        if done.code and not done.late:
            raise Failed(f"{done.name()} ended with {done.code}: {' | '.join(done.stderr.strip().splitlines()[-3:])}")
        return {"seconds": done.seconds, "gpu_memory_bytes": memory.largest, "stdout": done.stdout, "late": done.late}

    def json_of(self, command: list[Any], limit: float) -> Found:
        """The JSON that a command prints, with the GPU's memory."""
        found = self.run(command, limit)
        if found["late"]:
            raise Failed(f"took longer than {limit:.0f} s")
        return json.loads(found["stdout"]) | {"gpu_memory_bytes": found["gpu_memory_bytes"]}

    def left(self, kept: float) -> float:
        """Seconds until TOTAL, minus those kept for later parts."""
        return self.patience * (TOTAL - kept) - (time.monotonic() - self.begun)

    def part(self, name: str, measure: Callable[[float], Found], limit: float, kept: float) -> None:
        """Measure a part within a time limit, and write all results so far."""
        print(f"gpu: {name}", file=sys.stderr, flush=True)
        limit = min(self.patience * limit, self.left(kept))
        begun = time.monotonic()
        try:
            if limit <= 0:
                raise Failed("no time was left")
            found = measure(limit)
        except Exception as e:  # any error is the part's result
            found = {"error": f"{type(e).__name__}: {e}" if not isinstance(e, Failed) else str(e)}
            print(f"gpu: {name}: {found['error']}", file=sys.stderr, flush=True)
        found["part_seconds"] = round(time.monotonic() - begun, 1)
        self.result[name] = found
        self.result["seconds"] = round(time.monotonic() - self.begun, 1)
        part = self.out.with_name(self.out.name + ".part")
        part.write_text(json.dumps(self.result, indent=2) + "\n")
        part.replace(self.out)


class Memory:
    """The peak memory use of the GPU in this context, by nvidia-smi; None without nvidia-smi."""

    def __init__(self) -> None:
        self.largest: int | None = None
        self.done = threading.Event()
        self.thread = threading.Thread(target=self.look, daemon=True)

    def __enter__(self) -> "Memory":
        if shutil.which("nvidia-smi"):
            self.thread.start()
        return self

    def __exit__(self, *_: Any) -> None:
        self.done.set()

    def look(self) -> None:
        while not self.done.wait(SAMPLE):
            if (used := process.gpu_bytes()) is not None:
                self.largest = max(self.largest or 0, used)


def machine(b: Bench, limit: float) -> Found:
    """The devices of pacia and torch, and the faults that pacia doctor lists."""
    code = ("import json, torch; d = torch.cuda.get_device_properties(0) if torch.cuda.is_available() else None; "
            "print(json.dumps({'torch': torch.__version__, 'gpu': d and d.name, 'processors': d and d.multi_processor_count}))")
    found = b.json_of([sys.executable, "-c", code], limit)
    doctor = subprocess.run([b.pacia, "doctor", "--json"], capture_output=True, text=True, env=b.environment, timeout=limit)
    return found | {"doctor": json.loads(doctor.stdout)}


def tests(*suites: tuple[str, str]) -> Callable[[Bench, float], Found]:
    """Tests of packages: those of the kernels run on this device, or, without a GPU, on the emulator."""
    def measure(b: Bench, limit: float) -> Found:
        environment = {**b.environment, **devicetests.libraries(b.pacia)} | ({} if b.dry else {"PACIA_TEST_DEVICE": b.device})
        found: Found = {"ok": True, "passed": 0, "failed": [], "output": []}
        end = time.monotonic() + limit
        for package, pattern in suites:
            done = devicetests.run(b.root, package, pattern, max(0.0, end - time.monotonic()), environment)
            counts = devicetests.counted(done)
            found["passed"] += counts["passed"]
            found["failed"] += counts["failed"]
            if done.late:
                raise Failed(f"{package} took longer than was left of {limit:.0f} s; it had passed {counts['passed']} tests, and failed {counts['failed']}")
            if not counts["passed"]:
                raise Failed(f"no test of {package} passed: {' | '.join(done.end(3))}")
            if done.code:
                found |= {"ok": False, "output": found["output"] + done.end(60)}
        return found
    return measure


def peak(b: Bench, limit: float) -> Found:
    return b.json_of([sys.executable, b.root / "bench/peak.py", "--device", b.device], limit)


def alone(b: Bench, limit: float) -> Found:
    """The figures of pacia bench: steps are submitted without waiting, as in training."""
    steps = 2 if b.dry else 200
    found = b.json_of([b.pacia, "bench", *b.settings(b.precisions[0]), "--steps", steps, "--json"], limit)
    if not b.dry and not found.get("launches_per_step"):
        raise Failed(f"steps are launched kernel by kernel: no CUDA graph could be captured; measured without: {json.dumps(found)}")
    return found


def beside(precision: str) -> Callable[[Bench, float], Found]:
    """pacia and eager PyTorch in turn, one unit at a time, each to its end."""
    def measure(b: Bench, limit: float) -> Found:
        to = b.work / f"compare-{precision}.json"
        sizes = ["--steps", 1, "--evaluations", 1, "--every", 2000] if b.dry else ["--steps", 30, "--evaluations", 2, "--full"]
        flags = ["--tf32"] * (precision == "tf32")
        found = b.run([sys.executable, b.root / "bench/compare.py", "--pacia", b.pacia, "--device", b.device, *flags, *sizes,
                       "--json", to, "--", *b.settings(precision)], limit)
        if found["late"]:
            raise Failed(f"took longer than {limit:.0f} s")
        return summary(json.loads(to.read_text())) | {"gpu_memory_bytes": found["gpu_memory_bytes"]}
    return measure


def summary(compared: Found) -> Found:
    """The figures of compare.py, with the speed of each side's steps as a share of the fastest product's."""
    fastest = compared["peak"]["gflops"]
    for side, step in compared["step"].items():
        work = compared["gflop"]["shared" if side == "pacia" else "plain"]
        step["share_of_peak"] = work / step["median"] / fastest
        del step["seconds"]
    for evaluation in compared["evaluation"].values():
        del evaluation["seconds"]
    return compared


def training(b: Bench, limit: float) -> Found:
    """A run of the model's full size: 25,000 steps, or as many as the time allows."""
    folder = b.work / "run"
    steps, every = (3, 3) if b.dry else (25_000, 500)
    found = b.run([b.pacia, "train", *b.settings(b.precisions[0]), "--set", f"train.episodes={steps}",
                   "--set", f"train.evaluate_every={every}", "--set", "train.checkpoint_every=0", "--out", folder], limit)
    found.pop("stdout")
    if found.pop("late"):
        lines = (folder / "metrics.jsonl").read_text().splitlines()
        raise Failed(f"after {limit:.0f} s it had come to: {lines[-1] if lines else 'nothing'}")
    run = json.loads((folder / "summary.json").read_text())
    return found | {name: run[name] for name in ("episodes", "auc_last", "auc_validation_selected", "auc_best_on_test", "seed")} | {
        "evaluations": steps // every, "training_seconds": run["seconds"]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--dry-run", action="store_true")
    a = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pacia-gpu-") as work:
        b = Bench(a.root.resolve(), a.out.resolve(), Path(work), a.dry_run)
        parts = [("machine", machine, 60.0), ("parity", tests(("model/pacia", PATTERNS["model/pacia"][0])), 120.0),
                 ("methods", tests(*((p, PATTERNS[p][0]) for p in ("model", "model/methods"))), 120.0),
                 ("operations", tests(("ops", "/kernels")), 60.0), ("peak", peak, 40.0), ("alone", alone, 90.0)]
        parts += [(f"beside_{p}", beside(p), 120.0) for p in b.precisions[:1]]
        for name, measure, limit in parts:
            b.part(name, lambda seconds, measure=measure: measure(b, seconds), limit, kept=TRAINING)
        b.part("training", lambda seconds: training(b, seconds), TOTAL, kept=process.LEAVE)
        for p in b.precisions[1:]:
            b.part(f"beside_{p}", lambda seconds, p=p: beside(p)(b, seconds), TOTAL, kept=process.LEAVE)
    print(f"gpu: {a.out}, {b.result['seconds']:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("gpu: interrupted; what was measured is in the file")
