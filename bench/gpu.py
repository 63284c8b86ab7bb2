#!/usr/bin/env python3
"""gpu.py --root FOLDER --out FILE [--dry-run]: what bench/gpu.sh packed, measured on one GPU.

Writes one JSON object, anew after each part. A part has a time limit; one that
fails or is late leaves its reason under "error" and the others go on. --dry-run
does the same on the CPU, with the embedded data set and a few steps.
"""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

TOTAL = 570.0  # seconds, of the ten minutes
TRAINING = 270.0  # of these, kept for the 25,000 steps
LEAVE = 20.0  # to save and end after SIGTERM
SAMPLE = 0.5  # seconds between two looks at the GPU's memory

Found = dict[str, Any]


class Failed(Exception):
    """Why a part has no result."""


class Bench:
    """The folder that was packed, the work folder, and what was measured so far."""

    def __init__(self, root: Path, out: Path, work: Path, dry: bool) -> None:
        self.root, self.out, self.work, self.dry = root, out, work, dry
        self.begun = time.monotonic()
        self.device = "cpu" if dry else "cuda"
        self.precisions = ("float32",) if dry else ("tf32", "float32")
        self.pacia = next(root.glob("pacia-*/pacia"))
        self.result: Found = {"device": self.device, "dry_run": dry, "seconds": 0.0}
        shutil.copytree(root / "cache", work / "cache")
        # Kernels are compiled anew, and nothing is left behind.
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
        """Run a command and return the time it took and what it wrote, by name; fail where it does."""
        name = Path(command[1] if command[0] == sys.executable else command[0]).name
        with open(self.work / "stdout", "w") as out, open(self.work / "stderr", "w") as err:
            begun = time.monotonic()
            process = subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                       env=self.environment, start_new_session=True)
            memory = Memory()
            late = ended_late(process, limit)
            found = {"seconds": time.monotonic() - begun, "gpu_memory_bytes": memory.most()}
        found["stdout"], found["late"] = (self.work / "stdout").read_text(), late
        if process.returncode and not late:
            lines = (self.work / "stderr").read_text().strip().splitlines()[-3:]
            raise Failed(f"{name} ended with {process.returncode}: {' | '.join(lines)}")
        return found

    def json_of(self, command: list[Any], limit: float) -> Found:
        """What a command answers with, as JSON, and the GPU's memory."""
        found = self.run(command, limit)
        if found["late"]:
            raise Failed(f"took longer than {limit:.0f} s")
        return json.loads(found["stdout"]) | {"gpu_memory_bytes": found["gpu_memory_bytes"]}

    def left(self, kept: float) -> float:
        """Seconds until TOTAL, less those kept for later parts."""
        return TOTAL - kept - (time.monotonic() - self.begun)

    def part(self, name: str, measure: Callable[[float], Found], limit: float, kept: float) -> None:
        """Measure a part within a limit, and write all that was found."""
        print(f"gpu: {name}", file=sys.stderr, flush=True)
        limit = min(limit, self.left(kept))
        begun = time.monotonic()
        try:
            if limit <= 0:
                raise Failed("no time was left")
            found = measure(limit)
        except Exception as e:  # whatever it is, it is the part's result
            found = {"error": f"{type(e).__name__}: {e}" if not isinstance(e, Failed) else str(e)}
            print(f"gpu: {name}: {found['error']}", file=sys.stderr, flush=True)
        found["part_seconds"] = round(time.monotonic() - begun, 1)
        self.result[name] = found
        self.result["seconds"] = round(time.monotonic() - self.begun, 1)
        part = self.out.with_name(self.out.name + ".part")
        part.write_text(json.dumps(self.result, indent=2) + "\n")
        part.replace(self.out)


class Memory:
    """The most memory that the GPU had in use since the start, by nvidia-smi."""

    def __init__(self) -> None:
        self.largest: int | None = None
        self.done = threading.Event()
        self.thread = threading.Thread(target=self.look, daemon=True)
        if shutil.which("nvidia-smi"):
            self.thread.start()

    def look(self) -> None:
        command = ["nvidia-smi", "--id=0", "--query-gpu=memory.used", "--format=csv,noheader,nounits"]
        while not self.done.wait(SAMPLE):
            answer = subprocess.run(command, capture_output=True, text=True)
            if answer.returncode == 0 and answer.stdout.strip().isdigit():
                self.largest = max(self.largest or 0, int(answer.stdout) << 20)

    def most(self) -> int | None:
        self.done.set()
        return self.largest


def ended_late(process: subprocess.Popen, limit: float) -> bool:
    """Wait for a process; ask it to end after limit, which it may use to save, and say whether that was needed."""
    try:
        process.wait(limit)
        return False
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGTERM)
    try:
        process.wait(LEAVE)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    return True


def machine(b: Bench, limit: float) -> Found:
    """What pacia and torch run on. pacia ends with 1 where something is wrong with it; then it is listed."""
    code = ("import json, torch; d = torch.cuda.get_device_properties(0) if torch.cuda.is_available() else None; "
            "print(json.dumps({'torch': torch.__version__, 'gpu': d and d.name, 'processors': d and d.multi_processor_count}))")
    found = b.json_of([sys.executable, "-c", code], limit)
    doctor = subprocess.run([b.pacia, "doctor", "--json"], capture_output=True, text=True, env=b.environment, timeout=limit)
    return found | {"doctor": json.loads(doctor.stdout)}


def tests(package: str, pattern: str) -> Callable[[Bench, float], Found]:
    """Tests of a package: those of the kernels run on this device, or, without a GPU, on the emulator."""
    def measure(b: Bench, limit: float) -> Found:
        libraries = subprocess.run([b.pacia, "--libraries"], capture_output=True, text=True, check=True).stdout.strip()
        environment = {**b.environment, "LD_LIBRARY_PATH": libraries}
        if not b.dry:
            environment["PACIA_TEST_DEVICE"] = b.device
        # What the linker put into the program cannot be asked of one without symbols.
        command = [f"./{package}.test", "-test.v", f"-test.run={pattern}", "-test.skip=OpenMP"]
        answer = subprocess.run(command, cwd=b.root / package, env=environment, capture_output=True, text=True, timeout=limit)
        lines = [line.strip() for line in answer.stdout.splitlines()]
        kernels = [line for line in lines if line.startswith("--- ") and "kernels" in line.lower()]
        failed = [line for line in lines if line.startswith("--- FAIL")]
        if not kernels:
            raise Failed(f"no test of kernels ran: {' | '.join((answer.stdout + answer.stderr).splitlines()[-3:])}")
        return {"ok": answer.returncode == 0, "kernels_passed": sum(line.startswith("--- PASS") for line in kernels),
                "failed": failed, "output": [] if not failed else lines[-60:]}
    return measure


def peak(b: Bench, limit: float) -> Found:
    return b.json_of([sys.executable, b.root / "bench/peak.py", "--device", b.device], limit)


def alone(b: Bench, limit: float) -> Found:
    """pacia's own figures of a run: steps one after the other without waiting, as in training."""
    steps = 2 if b.dry else 200
    found = b.json_of([b.pacia, "bench", *b.settings(b.precisions[0]), "--steps", steps, "--json"], limit)
    if not b.dry and not found.get("launches_per_step"):
        raise Failed(f"steps are launched kernel by kernel: no CUDA graph could be captured; measured without: {json.dumps(found)}")
    return found


def beside(precision: str) -> Callable[[Bench, float], Found]:
    """pacia in turn with eager PyTorch, one unit at a time, waited for."""
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
    """compare.py's figures, and what share of the fastest product's speed each side's steps have."""
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
        parts = [("machine", machine, 60.0), ("parity", tests("model", "Parity|Kernels|Stepper"), 90.0),
                 ("operations", tests("ops", "/kernels"), 60.0), ("peak", peak, 40.0), ("alone", alone, 90.0)]
        parts += [(f"beside_{p}", beside(p), 120.0) for p in b.precisions[:1]]
        for name, measure, limit in parts:
            b.part(name, lambda seconds, measure=measure: measure(b, seconds), limit, kept=TRAINING)
        b.part("training", lambda seconds: training(b, seconds), TOTAL, kept=LEAVE)
        for p in b.precisions[1:]:
            b.part(f"beside_{p}", lambda seconds, p=p: beside(p)(b, seconds), TOTAL, kept=LEAVE)
    print(f"gpu: {a.out}, {b.result['seconds']:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("gpu: interrupted; what was measured is in the file")
