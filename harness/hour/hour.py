"""The means of the checks of first_hour.py: runs of pacia, and a report."""

import argparse
import json
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import process

Found = dict[str, Any]
BENCH = Path(process.__file__).resolve().parent


class Failed(Exception):
    """A check failed, for this reason."""


class LeftOut(Exception):
    """A check cannot be made here, for this reason."""


class Hour:
    def __init__(self, a: argparse.Namespace, work: Path) -> None:
        self.pacia, self.out, self.tests, self.bench, self.dry, self.work = a.pacia, a.out, a.tests, a.bench, a.dry_run, work
        self.limit = a.limit
        self.config = a.config or BENCH / "embedded.yaml"
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

    def call(self, command: list[Any], environment: Found | None = None) -> process.Done:
        """Run a command. Raise Failed if it fails, and LeftOut if it takes longer than the limit."""
        done = process.call(command, self.limit, environment)
        self.judge(done)
        return done

    def judge(self, done: process.Done) -> None:
        words, last = " ".join(done.words), "\n".join(done.end(40))
        if done.late:
            raise LeftOut(f"{words}: took longer than {self.limit:.0f} s; --limit gives it more. Its last lines:\n{last}")
        if done.code:
            raise Failed(f"{words} ended with {done.code}:\n{last}")

    def settings(self, device: str = "", **more: Any) -> list[str]:
        chosen = ["--config", str(self.config), "--set", f"device={device or self.device}", "--set", f"data.cache={self.work}/cache"]
        for name, value in more.items():
            chosen += ["--set", f"{name.replace('__', '.')}={value}"]
        return chosen

    def train(self, name: str, steps: int, device: str = "", environment: Found | None = None, **more: Any) -> list[Found]:
        """Train in a new folder, and return the run's lines without times."""
        folder = self.work / name
        shutil.rmtree(folder, ignore_errors=True)
        more = {"train__evaluate_every": 0, "train__checkpoint_every": 0} | more
        self.call([self.pacia, "train", *self.settings(device, train__episodes=steps, **more), "--out", folder], environment)
        return lines(folder)

    def timed(self, *command: Any, environment: Found | None = None) -> tuple[float, str]:
        done = self.call([self.pacia, *command], environment)
        return round(done.seconds, 2), done.stdout

    def doctor(self) -> tuple[int, Found]:
        """pacia doctor's exit status and what it found."""
        done = process.call([self.pacia, "doctor", "--json"], self.limit)
        try:
            return done.code, json.loads(done.stdout)
        except json.JSONDecodeError:
            raise Failed(f"pacia doctor ended with {done.code} and wrote no JSON: {' | '.join(done.end(5))}") from None

    def lost(self) -> bool:
        """Whether the GPU no longer answers, so that later checks are meaningless."""
        if self.dry:
            return False
        try:
            return not self.doctor()[1].get("cuda_devices")
        except (Failed, OSError):
            return True

    def check(self, name: str, f: Callable[["Hour"], Found]) -> str:
        """Make a check, write the report, and return the result: ok, failed or left out."""
        print(f"first hour: {name}", file=sys.stderr, flush=True)
        begun, entry = time.monotonic(), {"check": name}
        try:
            entry |= {"result": "ok", "found": f(self)}
        except LeftOut as e:
            entry |= {"result": "left out", "reason": str(e)}
        except Exception as e:  # any error is the check's result
            entry |= {"result": "failed", "reason": str(e) if isinstance(e, Failed) else f"{type(e).__name__}: {e}"}
        entry["seconds"] = round(time.monotonic() - begun, 1)
        if entry["result"] != "ok":
            print(f"first hour: {name}: {entry['result']}: {entry['reason']}", file=sys.stderr, flush=True)
        self.keep(entry)
        return entry["result"]

    def keep(self, entry: Found) -> None:
        """Add an entry to the report; it replaces an earlier one of the same check."""
        checks = self.report["checks"]
        at = next((i for i, one in enumerate(checks) if one["check"] == entry["check"]), len(checks))
        checks[at:at + 1] = [entry]
        self.write()

    def resume(self) -> None:
        """Continue an existing report of the same device."""
        if not self.out.exists():
            return
        before = json.loads(self.out.read_text())
        if before.get("device") != self.device:
            raise SystemExit(f"first hour: {self.out} is a report of device {before.get('device')}, this is {self.device}: write another --out")
        self.report["checks"] = before["checks"]

    def failures(self) -> list[str]:
        return [one["check"] for one in self.report["checks"] if one["result"] == "failed"]

    def write(self) -> None:
        self.report["seconds"] = round(time.monotonic() - self.begun, 1)
        part = self.out.with_name(self.out.name + ".part")
        part.write_text(json.dumps(self.report, indent=2) + "\n")
        part.replace(self.out)


def lines(folder: Path) -> list[Found]:
    """A run's steps and evaluations without times."""
    found = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
    return [{name: value for name, value in one.items() if name not in ("time", "elapsed", "seconds")} for one in found]


def equal(what: str, a: list[Found], b: list[Found]) -> Found:
    if len(a) != len(b):
        raise Failed(f"{what}: {len(a)} lines and {len(b)}")
    for one, other in zip(a, b):
        if one != other:
            raise Failed(f"{what}: first at {one} and {other}")
    return {"lines": len(a)}
