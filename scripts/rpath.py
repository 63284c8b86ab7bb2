#!/usr/bin/env python3
"""rpath.py FILE PATH: make PATH, such as '$ORIGIN/../lib', the only place besides the
system's where an ELF file (64 bits, little-endian) finds its libraries.

The folders that the linker wrote are overwritten in place, so PATH may not be longer
than they. The entry becomes DT_RPATH, which also holds for the libraries of libraries.
"""

import struct
import sys

DYNAMIC, LOAD = 2, 1
STRTAB, RPATH, RUNPATH = 5, 15, 29


def fail(message):
    sys.exit(f"rpath.py: {message}")


def rewrite(file, path):
    with open(file, "r+b") as f:
        head = f.read(64)
        if head[:6] != b"\x7fELF\x02\x01":
            fail(f"{file} is not a 64-bit ELF file")
        (start,) = struct.unpack_from("<Q", head, 32)
        size, count = struct.unpack_from("<HH", head, 54)
        f.seek(start)
        segments = [struct.unpack("<IIQQQQQQ", f.read(size)) for _ in range(count)]

        def place(address):
            for kind, _, offset, virtual, _, length, _, _ in segments:
                if kind == LOAD and virtual <= address < virtual + length:
                    return offset + address - virtual
            fail(f"{file}: nothing is loaded at address {address:#x}")

        offset, length = next((s[2], s[5]) for s in segments if s[0] == DYNAMIC)
        f.seek(offset)
        entries = list(struct.iter_unpack("<qQ", f.read(length)))
        strings = place(next(value for tag, value in entries if tag == STRTAB))
        found = [(i, value) for i, (tag, value) in enumerate(entries) if tag in (RPATH, RUNPATH)]
        if len(found) != 1:
            fail(f"{file} has {len(found)} entries of folders for libraries, not one")
        index, value = found[0]
        f.seek(strings + value)
        old = f.read(1 << 16).split(b"\0")[0]
        new = path.encode()
        if len(new) > len(old):
            fail(f"{file}: {path} is longer than {old.decode()}")
        f.seek(strings + value)
        f.write(new.ljust(len(old), b"\0"))
        f.seek(offset + 16 * index)
        f.write(struct.pack("<q", RPATH))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        fail(__doc__.splitlines()[0])
    rewrite(*sys.argv[1:])
