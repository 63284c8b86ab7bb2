#!/usr/bin/env python3
"""first_hour.py --pacia PROGRAM --out REPORT: the first hour of pacia on a GPU.

The checks of docs/gpu.md, "The first hour on a GPU", in its order. The first that
fails ends it, and REPORT, one JSON object that is written anew after each, says what
was found so far. What a machine lacks a tool for is left out, with the reason.

--tests FOLDER   programs of tests: FOLDER/ops/ops.test, model/model.test, train/train.test
--config FILE    settings in place of the embedded data set with the model at its full size
--bench SCRIPT   bench/gpu.sh of a packed folder, to be run in the end
--dry-run        the same on the CPU, in a few steps and without what only a GPU has
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

from hour import Failed, Found, Hour, LeftOut, equal, lines

# The least share of a loss by which the CPU's may differ within the first steps: the order
# of sums in float32 is felt at 1e-7, and Adam's first steps make the most of it.
SLACK = 0.02
COMPARED = 20  # steps


def start(h: Hour) -> Found:
    """doctor, and the start with kernels loaded when needed and all at once."""
    doctor = subprocess.run([str(h.pacia), "doctor", "--json"], capture_output=True, text=True)
    found: Found = {"doctor": json.loads(doctor.stdout)}
    if doctor.returncode and not h.dry:
        raise Failed(f"doctor finds something wrong: {json.dumps(found['doctor'])}")
    h.timed("train", *h.settings(train__episodes=1, train__evaluate_every=0), "--out", h.work / "warm")  # compiles the kernels
    for loading in ("LAZY", "EAGER"):
        seconds, _ = h.timed("train", *h.settings(train__episodes=1, train__evaluate_every=0), "--out", h.work / loading,
                             environment={"CUDA_MODULE_LOADING": loading})
        found[f"start_{loading.lower()}_seconds"] = seconds
    return found


def tests(h: Hour, package: str, pattern: str, *prefix: str, limit: float = 1200.0) -> Found:
    if h.tests is None:
        raise LeftOut("no --tests")
    program = (h.tests / package / f"{package}.test").resolve()
    environment = {} if h.dry else {"PACIA_TEST_DEVICE": h.device}
    launcher = subprocess.run([str(h.pacia), "--libraries"], capture_output=True, text=True)
    if launcher.returncode == 0:
        environment["LD_LIBRARY_PATH"] = launcher.stdout.strip()
    done = h.call([*prefix, program, "-test.v", f"-test.run={pattern}", "-test.skip=OpenMP"], environment, limit, cwd=program.parent)
    passed = sum(line.strip().startswith("--- PASS") for line in done.stdout.splitlines())
    if not passed:
        raise Failed(f"no test of {package} matches {pattern}")
    return {"passed": passed, "skipped": done.stdout.count("--- SKIP")}


def stepper(h: Hour) -> Found:
    """Steps alone. Without a graph something refused to be captured, which is a failure here."""
    _, out = h.timed("bench", *h.settings(), "--steps", h.size(200, 1), "--json")
    found = json.loads(out)
    if not h.dry and not found.get("launches_per_step"):
        raise Failed(f"steps are launched kernel by kernel: no CUDA graph could be captured: {out}")
    return found


def twice(h: Hour) -> Found:
    steps = h.size(200, 4)
    return equal("two runs", h.train("one", steps), h.train("two", steps))


def against(h: Hour) -> Found:
    """The same steps launched kernel by kernel, and on the CPU."""
    steps = h.size(200, 4)
    graphs = h.train("graphs", steps)
    found = equal("graphs and eager launches", graphs, h.train("eager", steps, environment={"PACIA_GRAPHS": "0"}))
    worst = 0.0
    for one, other in zip(graphs[:COMPARED], h.train("cpu", min(steps, COMPARED), device="cpu")):
        if "loss" in one and "loss" in other:
            worst = max(worst, abs(one["loss"] - other["loss"]) / abs(other["loss"]))
    if worst > SLACK:
        raise Failed(f"losses of the first {COMPARED} steps differ from the CPU's by up to {worst:.2%}, more than {SLACK:.0%}")
    return found | {"largest_difference_from_cpu": worst}


def traced(h: Hour) -> Found:
    """Where a step's time goes, by Nsight Systems."""
    nsys = h.tool("nsys")
    done = h.call([nsys, "profile", "--stats=true", "--force-overwrite=true", "--output", h.work / "trace", h.pacia, "bench", *h.settings(),
                   "--steps", 50, "--json"])
    return {"stats": done.stdout.splitlines()[-200:]}


def level(h: Hour) -> Found:
    """Threads and memory over many evaluations: those of the second half do not grow."""
    folder = h.work / "level"
    shutil.rmtree(folder, ignore_errors=True)
    rounds = h.size(100, 3)
    command = [h.pacia, "train", *h.settings(train__episodes=rounds, train__evaluate_every=1, train__checkpoint_every=0), "--out", folder]
    process = subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    samples: list[Found] = []
    done = threading.Event()
    watcher = threading.Thread(target=watch, args=(process.pid, samples, done, h.dry))
    watcher.start()
    _, errors = process.communicate()
    done.set()
    watcher.join()
    if process.returncode:
        raise Failed(f"the run ended with {process.returncode}: {errors[-2000:]}")
    if len(samples) < 4:
        if h.dry:
            return {"samples": len(samples)}
        raise Failed(f"only {len(samples)} samples were taken")
    found: Found = {"samples": len(samples)}
    for name, slack in (("threads", 4), ("resident_bytes", 64 << 20), ("gpu_bytes", 64 << 20)):
        values = [s[name] for s in samples if s.get(name) is not None]
        if len(values) < 4:
            continue
        middle, last = max(values[: len(values) // 2]), max(values[len(values) // 2:])
        found[name] = {"first_half": middle, "second_half": last}
        if last > middle + slack and not h.dry:
            raise Failed(f"{name} grow over {rounds} evaluations: at most {middle} in the first half, {last} in the second")
    return found


def watch(pid: int, samples: list[Found], done: threading.Event, dry: bool) -> None:
    smi = None if dry else shutil.which("nvidia-smi")
    while not done.wait(0.5):
        try:
            status = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines() if ":" in line)
            sample: Found = {"threads": int(status["Threads"]), "resident_bytes": int(status["VmRSS"].split()[0]) << 10}
        except (OSError, KeyError, ValueError):
            continue
        if smi:
            answer = subprocess.run([smi, "--id=0", "--query-gpu=memory.used", "--format=csv,noheader,nounits"], capture_output=True, text=True)
            sample["gpu_bytes"] = int(answer.stdout) << 20 if answer.stdout.strip().isdigit() else None
        samples.append(sample)


def replicas(h: Hour) -> Found:
    """Runs side by side: the first of them is what it is alone."""
    steps, found = h.size(100, 3), {}
    # Of replicas on the CPU each has one thread, which decides the order of sums.
    more = {"train__evaluate_every": h.size(50, 3)} | ({"threads": 1} if h.dry else {})
    alone = h.train("alone", steps, seed=0, **more)
    for n in (2,) if h.dry else (2, 4, 10, 33):
        begun = time.monotonic()
        folder = h.work / f"replicas-{n}"
        h.call([h.pacia, "train", *h.settings(train__episodes=steps, train__checkpoint_every=0, train__replicas=n, seed=0, **more), "--out", folder])
        equal(f"seed 0 of {n} and alone", lines(folder / "seed-0"), alone)
        found[f"{n}_seconds"] = round(time.monotonic() - begun, 1)
        shutil.rmtree(folder)
    return found


FILL = """
import sys, torch
free, _ = torch.cuda.mem_get_info()
held = torch.empty(int(free - float(sys.argv[1])), dtype=torch.uint8, device="cuda")
print("held", flush=True)
sys.stdin.read()
"""


def crowded(h: Hour) -> Found:
    """Another process leaves 3 GB, and then 0.5 GB: a run halves its batches, or says what to do."""
    h.gpu_only()
    python = os.environ.get("PYTHON", sys.executable)
    if subprocess.run([python, "-c", "import torch"], capture_output=True).returncode:
        raise LeftOut(f"{python} has no torch to fill the memory with; write PYTHON=…")
    found: Found = {}
    for left in (3e9, 0.5e9):
        other = subprocess.Popen([python, "-c", FILL, str(left)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        try:
            if other.stdout.readline() != "held\n":
                raise Failed("the memory could not be filled")
            command = [h.pacia, "train", *h.settings(train__episodes=40, train__evaluate_every=20), "--out", h.work / f"left-{left:.0e}"]
            done = subprocess.run([str(word) for word in command], capture_output=True, text=True, stdin=subprocess.DEVNULL)
        finally:
            other.communicate("")
        text = done.stderr.strip()
        found[f"{left / 1e9} GB left"] = {"exit": done.returncode, "said": text.splitlines()[-5:]}
        if done.returncode and "out of memory" not in text:
            raise Failed(f"with {left / 1e9} GB left the run ended with {done.returncode}, and not for want of memory: {text[-2000:]}")
    return found


def benchmarks(h: Hour) -> Found:
    h.gpu_only()
    if h.bench is None:
        raise LeftOut("no --bench")
    h.call([h.bench, "run", h.work / "bench.json"])
    return json.loads((h.work / "bench.json").read_text())


def by_hand(_: Hour) -> Found:
    raise LeftOut("make docker, then the container as root and with --user $(id -u): both find the GPU and a folder for kernels")


CHECKS: list[tuple[str, Callable[[Hour], Found]]] = [
    ("doctor and start", start),
    ("tests of ops", lambda h: tests(h, "ops", "Kernels" if h.dry else ".")),
    ("tests of model", lambda h: tests(h, "model", "Stepper" if h.dry else "Parity|Kernels|Stepper")),
    ("tests of train", lambda h: tests(h, "train", "OnKernels")),
    ("stepper alone", stepper),
    ("memcheck", lambda h: tests(h, "ops", "/kernels", h.tool("compute-sanitizer"), "--tool=memcheck", "--error-exitcode=9")),
    ("racecheck", lambda h: tests(h, "ops", "/kernels", h.tool("compute-sanitizer"), "--tool=racecheck", "--error-exitcode=9")),
    ("the same twice", twice),
    ("eager launches and the CPU", against),
    ("launches by nsys", traced),
    ("memory and threads", level),
    ("replicas", replicas),
    ("memory held by others", crowded),
    ("an illegal access", lambda h: (h.gpu_only(), tests(h, "ops", "IllegalAccess"))[1]),
    ("benchmarks", benchmarks),
    ("Docker as two users", by_hand),
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pacia", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--tests", type=Path)
    parser.add_argument("--config", type=Path)
    parser.add_argument("--bench", type=Path)
    parser.add_argument("--dry-run", action="store_true")
    a = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pacia-first-hour-") as work:
        h = Hour(a, Path(work))
        if not all(h.check(name, f) for name, f in CHECKS):
            sys.exit(f"first hour: {h.report['ended']}; {a.out} has what was found")
    h.report["ended"] = "all checks were made"
    h.write()
    print(f"first hour: {a.out}, {h.report['seconds']:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
