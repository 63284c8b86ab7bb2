#!/usr/bin/env python3
"""memory.py [STEPS [MOST]]: the memory of a training run on the embedded data set, as JSON.

It fails if the resident memory grows by more than MOST per cent (1) from a quarter of the STEPS (2000) to the end. Run it where
nothing else computes: bin/pacia is the program, of a checkout in which it was built.
"""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def resident(pid: int) -> int:
    """The resident memory of a process in kB."""
    status = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines() if ":" in line)
    return int(status["VmRSS"].split()[0])


def main() -> None:
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    most = float(sys.argv[2]) if len(sys.argv) > 2 else 1.0
    found: dict[int, int] = {}
    with tempfile.TemporaryDirectory() as folder:
        lines = Path(folder, "run", "metrics.jsonl")
        command = [str(ROOT / "bin/pacia"), "train", "--quiet", "--set", f"train.episodes={steps}", "--out", str(lines.parent)]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as run:
            while run.poll() is None and steps not in found:
                done = sum('"loss"' in line for line in lines.read_text().splitlines()) if lines.exists() else 0
                if done >= steps // 4:
                    found.setdefault(steps // 4 if done < steps else steps, resident(run.pid))
                time.sleep(0.05)
        if run.returncode:
            sys.exit("memory: the run failed")
    if len(found) < 2:
        sys.exit(f"memory: the run was too short to be measured: {found}")
    first, last = found[steps // 4], found[steps]
    grown = 100 * (last - first) / first
    print(json.dumps({"steps": steps, "kilobytes_at_a_quarter": first, "kilobytes_at_the_end": last, "growth_per_cent": round(grown, 2)}))
    if grown > most:
        sys.exit(f"memory: it grew by {grown:.2f} %, more than {most:g}")


if __name__ == "__main__":
    main()
