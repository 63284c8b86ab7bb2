"""What the checks of first_hour.py are made with: runs of pacia, and a report."""

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

Found = dict[str, Any]
HERE = Path(__file__).resolve().parent

class Failed(Exception):
    """What was found to be wrong."""


class LeftOut(Exception):
    """Why a check cannot be made here."""


class Hour:
    def __init__(self, a: argparse.Namespace, work: Path) -> None:
        self.pacia, self.out, self.tests, self.bench, self.dry, self.work = a.pacia, a.out, a.tests, a.bench, a.dry_run, work
        self.config = a.config or HERE / "embedded.yaml"
        self.device = "cpu" if self.dry else "cuda"
        self.begun = time.monotonic()
        self.report: Found = {"dry_run": self.dry, "device": self.device, "ended": "not yet", "checks": []}

    def size(self, full: int, dry: int) -> int:
        return dry if self.dry else full

    def gpu_only(self) -> None:
        if self.dry:
            raise LeftOut("needs a GPU")

    def tool(self, name: str) -> str:
        self.gpu_only()
        path = shutil.which(name)
        if path is None:
            raise LeftOut(f"{name} is not on PATH")
        return path

    def call(self, command: list[Any], environment: Found | None = None, limit: float = 1200.0, cwd: Path | None = None) -> "subprocess.CompletedProcess[str]":
        """What a command wrote; fail where it does, with the end of that."""
        words = [str(word) for word in command]
        try:
            done = subprocess.run(words, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=limit, cwd=cwd,
                                  env={**os.environ, **(environment or {})})
        except subprocess.TimeoutExpired:
            raise Failed(f"{' '.join(words)}: took longer than {limit:.0f} s") from None
        if done.returncode:
            raise Failed(f"{' '.join(words)} ended with {done.returncode}:\n" + "\n".join((done.stdout + done.stderr).splitlines()[-40:]))
        return done

    def settings(self, device: str = "", **more: Any) -> list[str]:
        chosen = ["--config", str(self.config), "--set", f"device={device or self.device}", "--set", f"data.cache={self.work}/cache"]
        for name, value in more.items():
            chosen += ["--set", f"{name.replace('__', '.')}={value}"]
        return chosen

    def train(self, name: str, steps: int, device: str = "", environment: Found | None = None, **more: Any) -> list[Found]:
        """A run's lines, without the times; the folder is made anew."""
        folder = self.work / name
        shutil.rmtree(folder, ignore_errors=True)
        more = {"train__evaluate_every": 0, "train__checkpoint_every": 0} | more
        self.call([self.pacia, "train", *self.settings(device, train__episodes=steps, **more), "--out", folder], environment)
        return lines(folder)

    def timed(self, *command: Any, environment: Found | None = None) -> tuple[float, str]:
        begun = time.monotonic()
        done = self.call([self.pacia, *command], environment)
        return round(time.monotonic() - begun, 2), done.stdout

    def check(self, name: str, f: Callable[["Hour"], Found]) -> bool:
        """Make a check and write the report; false where that is the end."""
        print(f"first hour: {name}", file=sys.stderr, flush=True)
        begun, entry = time.monotonic(), {"check": name}
        try:
            entry |= {"result": "ok", "found": f(self)}
        except LeftOut as e:
            entry |= {"result": "left out", "reason": str(e)}
        except Exception as e:  # whatever it is, it is the check's result
            entry |= {"result": "failed", "reason": str(e) if isinstance(e, Failed) else f"{type(e).__name__}: {e}"}
        entry["seconds"] = round(time.monotonic() - begun, 1)
        self.report["checks"].append(entry)
        failed = entry["result"] == "failed"
        if failed:
            self.report["ended"] = f"at {name}"
            print(f"first hour: {name}: {entry['reason']}", file=sys.stderr, flush=True)
        self.write()
        return not failed

    def write(self) -> None:
        self.report["seconds"] = round(time.monotonic() - self.begun, 1)
        part = self.out.with_name(self.out.name + ".part")
        part.write_text(json.dumps(self.report, indent=2) + "\n")
        part.replace(self.out)


def lines(folder: Path) -> list[Found]:
    """A run's steps and evaluations, but for the times."""
    found = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
    return [{name: value for name, value in one.items() if name not in ("time", "elapsed", "seconds")} for one in found]


def equal(what: str, a: list[Found], b: list[Found]) -> Found:
    if len(a) != len(b):
        raise Failed(f"{what}: {len(a)} lines and {len(b)}")
    for one, other in zip(a, b):
        if one != other:
            raise Failed(f"{what}: first at {one} and {other}")
    return {"lines": len(a)}
