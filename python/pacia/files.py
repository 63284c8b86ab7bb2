"""Reads files of package safetensors, and the settings that package runconfig writes."""

import hashlib
import json

import numpy as np
import torch


def read(path):
    """Returns the tensors of a safetensors file, as float64, and its metadata."""
    with open(path, "rb") as f:
        content = f.read()
    size = int.from_bytes(content[:8], "little")
    if len(content) < 8 or size > len(content) - 8:
        raise ValueError(f"{path}: not a safetensors file, or cut short")
    header = json.loads(content[8:8 + size])
    about = header.pop("__metadata__", {})
    digits = about.get("checksum", "").encode()
    if len(digits) == 64:  # of the file with zeros in place of the checksum
        if hashlib.sha256(content.replace(digits, b"0" * 64, 1)).hexdigest().encode() != digits:
            raise ValueError(f"{path}: the file is damaged; its checksum does not fit")
    tensors = {}
    for name, t in header.items():
        kind = {"F32": "<f4", "F16": "<f2"}[t["dtype"]]
        first, end = (8 + size + at for at in t["data_offsets"])
        values = np.frombuffer(content[first:end], kind).astype(np.float64)
        tensors[name] = torch.from_numpy(values.reshape(t["shape"]))
    return tensors, about


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
