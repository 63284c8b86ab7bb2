"""A program that measures one unit for each line of input."""

import json
import os
import subprocess
import sys
from typing import Any

# Settings that make the PyTorch side as fast as possible beside the other one. Threads that
# wait for work release the processor after about 10 µs instead of milliseconds, like
# pacia's. The C library keeps freed memory: by default every
# large tensor is new memory that the system clears first, which costs a tenth to a
# sixth of a step, and more of an evaluation.
EAGER = {
    "GOMP_SPINCOUNT": "2000",
    "MALLOC_MMAP_MAX_": "0",
    "MALLOC_TRIM_THRESHOLD_": str(1 << 40),
}


class Served:
    """The program, and the line that it printed when it was ready."""

    def __init__(self, command: list[str], environment: dict[str, str] | None = None) -> None:
        """Start the program. Variables of this process take precedence over environment."""
        self.command = command
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        env={**(environment or {}), **os.environ})
        self.ready = self.answer()

    def ask(self, unit: str) -> dict[str, Any]:
        self.process.stdin.write(unit + "\n")
        self.process.stdin.flush()
        return self.answer()

    def answer(self) -> dict[str, Any]:
        line = self.process.stdout.readline()
        if not line:
            program = " ".join(self.command[:2])
            sys.exit(f"compare: {program} ended with exit code {self.process.wait()}; its reason is above")
        return json.loads(line)

    def close(self) -> None:
        self.process.stdin.close()
        self.process.wait()
