#!/usr/bin/env python3
"""first_hour.py --pacia PROGRAM --out REPORT: the first hour of pacia on a GPU.

The checks of bench/README.md, in its order: quick and informative ones
come first, slow ones with NVIDIA's tools last. REPORT, one JSON
object, is rewritten after each check. A failed check does not end the hour, unless
the GPU no longer answers. A check whose tool is missing, or that takes longer
than the limit, is left out, with the reason. The exit status is 1 if a check failed.

--tests FOLDER   programs of tests, as scripts/gpu-tests makes them
--config FILE    settings in place of the embedded data set with the model at its full size
--bench SCRIPT   bench/gpu.sh of a packed folder, which is run towards the end
--only NAME      make only this check; may be repeated
--from NAME      begin with this check
--limit SECONDS  time limit of one command (600)
--list           print the names of the checks
--dry-run        the same on the CPU, in a few steps and without checks that need a GPU

With --only or --from, results of other checks in REPORT are kept, so that the hour can be
made in parts.
"""

import argparse
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent.parent / "bench"))

import hourruns as runs
import hourtests as tests
from hour import Found, Hour, LeftOut


def by_hand(_: Hour) -> Found:
    raise LeftOut("make docker, then the container as root and with --user $(id -u): both find the GPU and a folder for kernels")


CHECKS: dict[str, Callable[[Hour], Found]] = {
    "doctor and start": runs.start,
    "stepper alone": runs.stepper,
    "the same twice": runs.twice,
    "eager launches and the CPU": runs.against,
    **{f"tests of {package}": tests.of(package) for package in tests.PACKAGES},
    "replicas": runs.replicas,
    "memory held by others": runs.crowded,
    "memory and threads": runs.level,
    "an illegal access": tests.illegal_access,
    "benchmarks": runs.benchmarks,
    **{tool: tests.sanitized(tool, "ops", "/kernels") for tool in ("memcheck", "initcheck", "synccheck", "racecheck")},
    "memcheck of methods": tests.sanitized("memcheck", "model/methods", "KernelsAreLoops"),
    "launches by nsys": runs.traced,
    "Docker as two users": by_hand,
}


def chosen(only: list[str], first: str | None) -> list[str]:
    """The names of the checks to make, in order."""
    names = list(CHECKS)
    for name in [*only, *([first] if first else [])]:
        if name not in CHECKS:
            sys.exit(f"first hour: there is no check {name!r}; --list prints their names")
    if only:
        return [name for name in names if name in only]
    return names[names.index(first):] if first else names


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pacia", type=Path)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--tests", type=Path)
    parser.add_argument("--config", type=Path)
    parser.add_argument("--bench", type=Path)
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--from", dest="first")
    parser.add_argument("--limit", type=float, default=600.0)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--dry-run", action="store_true")
    a = parser.parse_args()
    if a.list:
        print("\n".join(CHECKS))
        return
    if not a.pacia or not a.out:
        parser.error("--pacia and --out are needed")
    names = chosen(a.only, a.first)
    with tempfile.TemporaryDirectory(prefix="pacia-first-hour-") as work:
        h = Hour(a, Path(work))
        if a.only or a.first:
            h.resume()
        for name in names:
            if h.check(name, CHECKS[name]) == "failed" and h.lost():
                h.report["ended"] = f"at {name}: the GPU no longer answers"
                break
        else:
            h.report["ended"] = "all checks were made" if names == list(CHECKS) else f"after {names[-1]}"
        h.write()
    if failures := h.failures():
        sys.exit(f"first hour: failed: {', '.join(failures)}; {a.out} has what was found")
    if h.report["ended"].endswith("answers"):
        sys.exit(f"first hour: {h.report['ended']}")
    print(f"first hour: {a.out}, {h.report['seconds']:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
