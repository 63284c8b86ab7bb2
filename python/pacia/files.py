"""Reads files of package safetensors, and the settings that package runconfig writes."""

import hashlib
import json

import numpy as np
import torch


KINDS = {"F32": "<f4", "F16": "<f2"}  # types of tensors that pacia writes


def read(path):
    """Returns the tensors of a safetensors file, as float64, and its metadata.

    Raises ValueError if the file is not one that pacia wrote, or is damaged: the metadata hold the SHA-256 of the file
    with zeros in place of the checksum.
    """
    with open(path, "rb") as f:
        content = f.read()
    size = int.from_bytes(content[:8], "little")
    if len(content) < 8 or size > len(content) - 8:
        raise ValueError(f"{path}: not a safetensors file, or cut short")
    start, header = 8 + size, content[8:8 + size]
    try:
        entries = json.loads(header)
        about = entries.pop("__metadata__")
        digits = about["checksum"].encode()
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        digits = b""
    if len(digits) != 64 or digits not in header:
        raise ValueError(f"{path}: it has no checksum: it is damaged, or not a model that pacia wrote")
    whole = content[:8] + header.replace(digits, b"0" * 64, 1) + content[start:]
    if hashlib.sha256(whole).hexdigest().encode() != digits:
        raise ValueError(f"{path}: the file is damaged; its checksum does not fit")
    data = content[start:]
    return {name: tensor(f"{path}: tensor {name}", t, data) for name, t in entries.items()}, about


def tensor(name, entry, data):
    """Returns the tensor that an entry of the header describes, as float64."""
    try:
        first, end = entry["data_offsets"]
        values = np.frombuffer(memoryview(data)[first:end], KINDS[entry["dtype"]]).astype(np.float64)
        return torch.from_numpy(values.reshape(entry["shape"]))
    except (ValueError, KeyError, TypeError, OverflowError) as e:
        raise ValueError(f"{name} is not one of {' or '.join(KINDS)} with a shape and its place in the file: {e!r}") from e


def settings(text):
    """Returns the settings in a model's YAML by their full names, such as model.relation.layers."""
    found, path = {}, []
    for line in text.splitlines():
        key, colon, value = line.strip().partition(":")
        if not colon:
            continue
        indent = len(line) - len(line.lstrip())
        path = [p for p in path if p[0] < indent] + [(indent, key)]
        found[".".join(name for _, name in path)] = value.strip().strip("\"'")
    return found
