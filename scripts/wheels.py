#!/usr/bin/env python3
"""wheels.py REQUIREMENTS INTO: unpack pinned wheels side by side in the folder INTO.

REQUIREMENTS, wheels-VARIANT-SET.txt, is a pip requirements file with a version and
a sha256 for every wheel. pip fetches the wheels into INTO/../wheels and checks the
sums, with its usual settings, such as PIP_INDEX_URL or PIP_NO_INDEX with PIP_FIND_LINKS.
Only headers, shared libraries and licences are unpacked, because these packages are not
imported. The set python, for PyTorch itself, adds the files for importing. A marker,
which is written last, holds the requirements that INTO satisfies. With this marker,
a second call returns at once. Without it, such as after an interruption,
everything is unpacked again.
"""

import fcntl
import fnmatch
import hashlib
import os
import re
import shutil
import subprocess
import sys
import time
import zipfile
from pathlib import Path

# "*" also matches "/". The CUDA half of torch, 0.8 GB, belongs only to the CUDA set,
# and Python's modules only to the set python. libnvfuser_codegen (TorchScript's fuser)
# belongs to none.
KEEP = (
    "torch/include/*",
    "torch/lib/libc10.so",
    "torch/lib/libtorch.so",
    "torch/lib/libtorch_cpu.so",
    "torch/lib/libgomp*",
    "nvidia/*/include/*.h*",
    "nvidia/*/include/*.inl",
    "nvidia/*/lib/*.so*",
    "*.dist-info/LICENSE*",
    "*.dist-info/License*",
    "*.dist-info/NOTICE*",
    "*.dist-info/licenses/*",
)
KEEP_CUDA = (
    "torch/lib/libc10_cuda.so",
    "torch/lib/libtorch_cuda*.so",
    "torch/lib/libtorch_nvshmem.so",
    "torch/lib/libcaffe2_nvrtc.so",
)
KEEP_PYTHON = (
    "torch/*.py",
    "torch/_C.*.so",
    "torch/lib/libtorch_python.so",
    "torch/lib/libtorch_global_deps.so",
    "torch/lib/libshm.so",
    "torch/bin/torch_shm_manager",
    "numpy*/*",
    "rdkit*/*",
    "sympy/*.py",
    "mpmath/*.py",
    "typing_extensions.py",
    "*.dist-info/LICENSE*",
)
SETS = {"cpu": KEEP, "cuda": KEEP + KEEP_CUDA, "nvrtc": KEEP, "python": KEEP_PYTHON}
# A second NVRTC, built with another compiler.
LEAVE = ("nvidia/*/lib/*.alt.so*",)

# The tags of the wheels, for any Python that runs pip.
PIP_TAGS = (
    "--python-version=3.11",
    "--implementation=cp",
    "--abi=cp311",
    "--abi=none",
    *(f"--platform=manylinux{glibc}_x86_64" for glibc in (1, 2010, 2014)),
    *(f"--platform=manylinux_2_{glibc}_x86_64" for glibc in range(5, 29)),
)

# Seconds before pip is tried again.
PAUSES = (5, 30, 90)


def log(line):
    print("setup:", line, flush=True)


def sha256(path):
    digest = hashlib.sha256()
    with open(path, "rb") as f:
        while block := f.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def fetched(command):
    """Run pip, and repeat it after a pause if it failed: a connection may have broken."""
    pauses = [] if "PIP_NO_INDEX" in os.environ else list(PAUSES)
    while subprocess.run(command, stdin=subprocess.DEVNULL).returncode != 0:
        if not pauses:
            return False
        pause = pauses.pop(0)
        log(f"pip failed, trying again in {pause} s")
        time.sleep(pause)
    return True


def download(requirements, folder):
    """Fetch and check the wheels that are not in folder yet, with pip; return all of them."""
    pinned = [(line, m[1]) for line in requirements.read_text().splitlines()
              if (m := re.search(r"--hash=sha256:([0-9a-f]{64})$", line))]
    names = {line.partition("==")[0].replace("-", "_") for line, _ in pinned}
    here = {sha256(wheel): wheel for wheel in folder.glob("*.whl") if wheel.name.partition("-")[0] in names}
    missing = [line for line, digest in pinned if digest not in here]
    if missing:
        # pip downloads to a separate folder, so that a truncated wheel never gets into this one.
        fresh = folder / "tmp"
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(parents=True)
        (fresh / "missing.txt").write_text("\n".join(missing) + "\n")
        log(f"fetching {len(missing)} wheels of {requirements.name}")
        # pip's cache is off: the wheels, 0.6 GB and more, are already kept here.
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps",
                   "--no-cache-dir", "--disable-pip-version-check", "--only-binary=:all:",
                   "--require-hashes", f"--requirement={fresh}/missing.txt", f"--dest={fresh}", *PIP_TAGS]
        if not fetched(command):
            shutil.rmtree(fresh)
            sys.exit(f"setup: pip could not fetch the wheels of {requirements.name}; its reason is above, nothing was unpacked")
        for wheel in list(fresh.glob("*.whl")):
            kept = wheel.replace(folder / wheel.name)
            here[sha256(kept)] = kept
        shutil.rmtree(fresh)
    return [here[digest] for _, digest in pinned]


def matches(name, patterns):
    return any(fnmatch.fnmatchcase(name, p) for p in patterns)


def unpack(wheels, into, keep):
    """Unpack the files that keep matches beside INTO, then move them in, file by file."""
    fresh = into.with_name(into.name + ".tmp")
    shutil.rmtree(fresh, ignore_errors=True)
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as z:
            z.extractall(fresh, [n for n in z.namelist() if matches(n, keep) and not matches(n, LEAVE)])
    os.sync()
    for source in sorted(p for p in fresh.rglob("*") if p.is_file()):
        target = into / source.relative_to(fresh)
        target.parent.mkdir(parents=True, exist_ok=True)
        os.replace(source, target)
    shutil.rmtree(fresh)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    requirements, into = Path(sys.argv[1]), Path(sys.argv[2])
    wanted = requirements.read_text()
    marker = into / f".{requirements.stem}"

    def ready():
        return marker.is_file() and marker.read_text() == wanted

    if ready():
        return
    into.parent.mkdir(parents=True, exist_ok=True)
    with open(into.parent / "lock", "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            log("waiting for another set-up in this checkout")
            fcntl.flock(lock, fcntl.LOCK_EX)
        if ready():
            return
        began = time.monotonic()
        wheels = download(requirements, into.parent / "wheels")
        fetched = time.monotonic()
        log(f"fetched and checked in {fetched - began:.0f} s, unpacking")
        unpack(wheels, into, SETS[requirements.stem.rpartition("-")[2]])
        part = marker.with_suffix(".part")
        part.write_text(wanted)
        os.sync()
        os.replace(part, marker)
        log(f"unpacked in {time.monotonic() - fetched:.0f} s")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("setup: interrupted; the next call continues")
    except (OSError, zipfile.BadZipFile) as e:
        sys.exit(f"setup: {e}; run it again once that is mended")
