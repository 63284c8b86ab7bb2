#!/usr/bin/env python3
"""wheel.py BUNDLE.tar.gz VERSION FOLDER: makes a wheel of a bundle, for pip.

The wheel holds the bundle's programs and libraries, the package pacia of python/, and the command pacia. Its tag names
the oldest glibc that has all symbols which they ask for. Only Python's own library is used.
"""

import base64
import hashlib
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KEPT = ("bin", "lib", "licences", "pacia", "LICENSE")  # parts of the bundle in the wheel; documents and examples are left out
METADATA = """Metadata-Version: 2.1
Name: pacia
Version: {version}
Summary: Ranks a compound library from a few active and inactive molecules
License: MIT
Requires-Python: >=3.8
{requires}"""


def oldest_glibc(folder):
    """Returns the highest version of glibc whose symbols the programs and libraries in folder need."""
    found = {(2, 17)}
    for file in folder.rglob("*"):
        if file.is_file() and not file.is_symlink() and file.open("rb").read(4) == b"\x7fELF":
            symbols = subprocess.run(["objdump", "-T", file], capture_output=True, text=True, check=True).stdout
            found |= {(int(a), int(b)) for a, b in re.findall(r"GLIBC_(\d+)\.(\d+)", symbols)}
    return max(found)


def contents(bundle):
    """Yields the names of the wheel's files, and their paths."""
    for name in ("__init__.py", "__main__.py"):
        yield f"pacia/{name}", ROOT / "python/package" / name
    for file in sorted((ROOT / "python/pacia").glob("*.py")):
        yield f"pacia/reader/{file.name}", file
    for name in ("state_dict.pth", "standard.txt", "LICENSE.MiniMol"):
        yield f"pacia/reader/minimol/{name}", ROOT / "gnn/minimol" / name
    for kept in KEPT:
        for file in sorted([bundle / kept, *(bundle / kept).rglob("*")]):
            if file.is_file() and not file.is_symlink():
                yield f"pacia/program/{file.relative_to(bundle)}", file


def requires(bundle):
    """Returns the wheel's requirements: the torch that its launcher needs, if it has a launcher."""
    launcher = bundle / "pacia"
    if launcher.is_symlink():
        return ""
    return "Requires-Dist: torch==" + re.search(r"^wanted=(\S+)", launcher.read_text(), re.M)[1] + "\n"


def write(path, files, texts):
    """Writes the wheel: files by their paths, texts by their names, and RECORD."""
    record = []

    def add(name, content, mode):
        entry = zipfile.ZipInfo(name)  # with the date 1980, so that equal contents give equal wheels
        entry.external_attr = (0o100000 | mode) << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        out.writestr(entry, content)
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record.append(f"{name},sha256={digest},{len(content)}")

    with zipfile.ZipFile(path, "w", compresslevel=9) as out:
        for name, file in files:
            add(name, file.read_bytes(), file.stat().st_mode & 0o777)
        for name, text in texts.items():
            add(name, text.encode(), 0o644)
        folder = next(iter(texts)).split("/")[0]
        record.append(f"{folder}/RECORD,,\n")
        add(f"{folder}/RECORD", "\n".join(record).encode(), 0o644)


def main(archive, version, folder):
    with tempfile.TemporaryDirectory() as work:
        with tarfile.open(archive) as t:
            t.extractall(work)
        (bundle,) = Path(work).iterdir()
        major, minor = oldest_glibc(bundle)
        tag = f"py3-none-manylinux_{major}_{minor}_x86_64"
        needs = requires(bundle)
        info = f"pacia-{version}.dist-info"
        wheel = Path(folder, f"pacia-{version}-{tag}.whl")
        write(wheel, contents(bundle), {
            f"{info}/METADATA": METADATA.format(version=version, requires=needs),
            f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: pacia\nRoot-Is-Purelib: false\nTag: {tag}\n",
            f"{info}/entry_points.txt": "[console_scripts]\npacia = pacia.__main__:main\n",
        })
    torch = "its own libtorch" if not needs else needs.split()[1]
    print(f"{wheel}: {wheel.stat().st_size / 1e6:.0f} MB, with {torch}, for Linux on x86-64 with glibc {major}.{minor} or later")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit("usage: wheel.py BUNDLE.tar.gz VERSION FOLDER")
    main(*sys.argv[1:])
