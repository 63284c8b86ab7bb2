"""Commands with a time limit, after which all their processes are ended."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LEAVE = 20.0  # seconds to save and end after SIGTERM


def gpu_bytes() -> int | None:
    """The memory in use on the first visible GPU, by nvidia-smi; None where that does not report it."""
    if not shutil.which("nvidia-smi"):
        return None
    first = (os.environ.get("CUDA_VISIBLE_DEVICES") or "0").split(",")[0]
    answer = subprocess.run(["nvidia-smi", f"--id={first}", "--query-gpu=memory.used", "--format=csv,noheader,nounits"],
                            capture_output=True, text=True)
    return int(answer.stdout) << 20 if answer.returncode == 0 and answer.stdout.strip().isdigit() else None


@dataclass
class Done:
    """The exit code, output and duration of a command."""

    words: list[str]
    code: int
    stdout: str
    stderr: str
    seconds: float
    late: bool  # whether it was ended at its time limit

    def name(self) -> str:
        first = self.words[1] if self.words[0] == sys.executable else self.words[0]
        return Path(first).name

    def end(self, lines: int) -> list[str]:
        """The last lines of the output."""
        return (self.stdout + self.stderr).strip().splitlines()[-lines:]


def call(command: list[Any], limit: float, environment: dict[str, str] | None = None, cwd: Path | None = None,
         begun: Callable[[int], None] | None = None) -> Done:
    """Run a command in its own session and end all its processes after limit seconds.

    environment is added to this process's; begun is called with the command's process ID.
    The output is written to files, so that call does not wait for a pipe that a
    remaining process keeps open.
    """
    words = [str(word) for word in command]
    with tempfile.TemporaryFile("w+", errors="replace") as out, tempfile.TemporaryFile("w+", errors="replace") as err:
        start = time.monotonic()
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=out, stderr=err, cwd=cwd,
                                   env={**os.environ, **(environment or {})}, start_new_session=True)
        if begun:
            begun(process.pid)
        late = ended_late(process, limit)
        seconds = time.monotonic() - start
        out.seek(0)
        err.seek(0)
        return Done(words, process.returncode, out.read(), err.read(), seconds, late)


def ended_late(process: "subprocess.Popen[Any]", limit: float) -> bool:
    """Wait for a process; after limit ask it to end, so that it can save. Return whether that was needed."""
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
