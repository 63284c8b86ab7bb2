"""The Go tests that run the kernels, on a GPU or, without one, on the emulator.

A folder of tests has the program of package P at P/NAME.test, beside what its tests
read; scripts/gpu-tests makes one.
"""

from pathlib import Path
from typing import Any

from process import Done, call

# By package: which tests have to do with the device, and fewer of them for a dry run.
# ops runs each operation, model/pacia the published parity, every encoder, readout
# and ablation, model/methods every method, model the stepper and the tuners, train
# whole runs, their resumption and replicas.
PATTERNS = {
    "ops": (".", "Kernels"),
    "model": ("Kernels|Stepper", "Stepper"),
    "model/pacia": ("Parity|Kernels", "Parity|Kernels"),
    "model/methods": ("Kernels|OfAGPU", "Kernels|OfAGPU"),
    "train": ("OnKernels", "OnKernels"),
}


def libraries(pacia: Path) -> dict[str, str]:
    """Where a packed pacia finds its libraries, for programs that were built with it; nothing for one that was not packed."""
    answer = call([pacia, "--libraries"], limit=60)
    return {} if answer.code else {"LD_LIBRARY_PATH": answer.stdout.strip()}


def run(folder: Path, package: str, pattern: str, limit: float, environment: dict[str, str], prefix: tuple[Any, ...] = ()) -> Done:
    """Run those tests of a package whose names match pattern."""
    program = program_of(folder, package)
    # What the linker put into the program cannot be asked of one without symbols.
    return call([*prefix, program, "-test.v", f"-test.run={pattern}", "-test.skip=OpenMP"], limit, environment, cwd=program.parent)


def program_of(folder: Path, package: str) -> Path:
    return (folder / package / f"{Path(package).name}.test").resolve()


def counted(done: Done) -> dict[str, Any]:
    """How many tests passed, were skipped and failed, their parts among them, and the names of the last."""
    results = [line.strip() for line in done.stdout.splitlines() if line.strip().startswith("--- ")]
    return {"passed": sum(line.startswith("--- PASS") for line in results),
            "skipped": sum(line.startswith("--- SKIP") for line in results),
            "failed": [line for line in results if line.startswith("--- FAIL")]}
