"""The Go tests that run the kernels, on a GPU or, without one, on the emulator.

A folder of tests has the test program of package P at P/NAME.test, beside the files that its tests
read; scripts/gpu-tests makes such a folder.
"""

from pathlib import Path
from typing import Any

from process import Done, call

# The tests of each package that concern the device, and a smaller choice for a dry run.
# ops and the owners of others run each operation. model/pacia runs the published parity and every encoder, readout
# and ablation, model/methods every method, model the stepper and the tuners, and train
# whole runs, their resumption and replicas.
PATTERNS = {
    "ops": (".", "Kernels"),
    **dict.fromkeys(("gnn/gnnfilm", "gnn/minimol", "gnn/pna", "model/gsmeta", "model/mhnfs", "model/pintuning"),
                    ("Operations|ByHand", "Operations")),
    "model": ("Kernels|Stepper", "Stepper"),
    "model/pacia": ("Parity|Kernels", "Parity|Kernels"),
    "model/methods": ("Kernels|OfAGPU", "Kernels|OfAGPU"),
    "train": ("OnKernels", "OnKernels"),
}


def libraries(pacia: Path) -> dict[str, str]:
    """The environment with which programs find pacia-rdkit and, of a packed pacia, its libraries."""
    answer = call([pacia, "--libraries"], limit=60)
    folder = pacia.resolve().parent
    if answer.code:
        return {"PACIA_RDKIT": str(folder / "pacia-rdkit")}
    return {"PACIA_RDKIT": str(folder / "bin/pacia-rdkit"), "LD_LIBRARY_PATH": answer.stdout.strip()}


def run(folder: Path, package: str, pattern: str, limit: float, environment: dict[str, str], prefix: tuple[Any, ...] = ()) -> Done:
    """Run those tests of a package whose names match pattern."""
    program = program_of(folder, package)
    # Tests of what was linked in cannot run on a program without symbols.
    return call([*prefix, program, "-test.v", f"-test.run={pattern}", "-test.skip=OpenMP"], limit, environment, cwd=program.parent)


def program_of(folder: Path, package: str) -> Path:
    return (folder / package / f"{Path(package).name}.test").resolve()


def counted(done: Done) -> dict[str, Any]:
    """The numbers of tests and subtests that passed or were skipped, and the names of those that failed."""
    results = [line.strip() for line in done.stdout.splitlines() if line.strip().startswith("--- ")]
    return {"passed": sum(line.startswith("--- PASS") for line in results),
            "skipped": sum(line.startswith("--- SKIP") for line in results),
            "failed": [line for line in results if line.startswith("--- FAIL")]}
