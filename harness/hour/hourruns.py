"""The checks of first_hour.py that are runs of pacia."""

import json
import os
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import process
from hour import Failed, Found, Hour, LeftOut, equal, lines

# The relative difference of losses that is allowed between GPU and CPU within the first steps: the order
# of sums in float32 changes them by 1e-7, which Adam's first steps amplify most.
SLACK = 0.02
COMPARED = 20  # steps
# Bytes of a GPU's memory that a replica holds, evaluations included (docs/gpu.md, Tox21 10-shot).
REPLICA = 3.5e9


def start(h: Hour) -> Found:
    """doctor, and the start with kernels loaded when needed and all at once."""
    code, doctor = h.doctor()
    found: Found = {"doctor": doctor}
    if code and not h.dry:
        raise Failed(f"doctor finds something wrong: {json.dumps(doctor)}")
    h.timed("train", *h.settings(train__episodes=1, train__evaluate_every=0), "--out", h.work / "warm")  # compiles the kernels
    for loading in ("LAZY", "EAGER"):
        seconds, _ = h.timed("train", *h.settings(train__episodes=1, train__evaluate_every=0), "--out", h.work / loading,
                             environment={"CUDA_MODULE_LOADING": loading})
        found[f"start_{loading.lower()}_seconds"] = seconds
    return found


def stepper(h: Hour) -> Found:
    """Only steps. It fails if they run without a graph, because then a capture was refused."""
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
    """The distribution of a step's time, by Nsight Systems."""
    nsys = h.tool("nsys")
    done = h.call([nsys, "profile", "--stats=true", "--force-overwrite=true", "--output", h.work / "trace", h.pacia, "bench", *h.settings(),
                   "--steps", 50, "--json"])
    return {"stats": done.stdout.splitlines()[-200:]}


def level(h: Hour) -> Found:
    """Threads and memory over many evaluations: they do not grow in the second half."""
    folder = h.work / "level"
    shutil.rmtree(folder, ignore_errors=True)
    rounds = h.size(100, 3)
    command = [h.pacia, "train", *h.settings(train__episodes=rounds, train__evaluate_every=1, train__checkpoint_every=0), "--out", folder]
    samples: list[Found] = []
    ended = threading.Event()

    def begun(pid: int) -> None:
        threading.Thread(target=watch, args=(pid, samples, ended, h.dry), daemon=True).start()

    done = process.call(command, h.limit, begun=begun)
    ended.set()
    h.judge(done)
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
    while not done.wait(0.5):
        try:
            status = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines() if ":" in line)
            sample: Found = {"threads": int(status["Threads"]), "resident_bytes": int(status["VmRSS"].split()[0]) << 10}
        except (OSError, KeyError, ValueError):
            continue
        if not dry and shutil.which("nvidia-smi"):
            sample["gpu_bytes"] = process.gpu_bytes()
        samples.append(sample)


def replicas(h: Hour) -> Found:
    """As many concurrent runs as fit into the GPU's memory: the first equals the same run by itself."""
    steps, found = h.size(100, 3), {}
    # On the CPU each replica has one thread, which determines the order of sums.
    more = {"train__evaluate_every": h.size(50, 3)} | ({"threads": 1} if h.dry else {})
    alone = h.train("alone", steps, seed=0, **more)
    for n in (2,) if h.dry else (2, 4, 10, 33):
        if not h.dry and n * REPLICA > (memory := h.doctor()[1]["gpus"][0]["memory_bytes"]):
            found[f"{n}"] = f"left out: needs {n * REPLICA / 1e9:.0f} GB, the GPU has {memory / 1e9:.0f}"
            continue
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
    """Another process leaves 3 GB, and then 0.5 GB: a run halves its batches, or reports a remedy."""
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
            done = process.call(command, h.limit)
        finally:
            other.communicate("")
        text = done.stderr.strip()
        found[f"{left / 1e9} GB left"] = {"exit": done.code, "stderr": text.splitlines()[-5:]}
        if done.late or done.code and "out of memory" not in text:
            h.judge(done)
    return found


def benchmarks(h: Hour) -> Found:
    h.gpu_only()
    if h.bench is None:
        raise LeftOut("no --bench")
    h.call([h.bench, "run", h.work / "bench.json"])
    return json.loads((h.work / "bench.json").read_text())
