"""Writes the state dicts for the tests, with PyTorch 2.0: python3 make.py"""

import collections

import torch

six = torch.arange(6, dtype=torch.float32).view(2, 3)
state = collections.OrderedDict(
    [
        ("float", six - 2.5),
        ("transposed", six.t()),
        ("shared", six[1, 1:]),
        ("parameter", torch.nn.Parameter(six[:1] * 0.5)),
        ("double", torch.tensor([1e-3, -2.0], dtype=torch.float64)),
        ("half", torch.tensor([1.5, -0.25, 65504.0, 2.0**-24, float("inf")], dtype=torch.float16)),
        ("bfloat16", torch.tensor([3.0, -0.0078125], dtype=torch.bfloat16)),
        ("long", torch.tensor(-7)),
        ("int", torch.tensor([70000, -1], dtype=torch.int32)),
        ("short", torch.tensor([-300], dtype=torch.int16)),
        ("char", torch.tensor([-5], dtype=torch.int8)),
        ("byte", torch.tensor([200], dtype=torch.uint8)),
        ("bool", torch.tensor([True, False])),
        ("empty", torch.zeros(0, 4)),
    ]
)
state._metadata = collections.OrderedDict([("", {"version": 1})])
torch.save(state, "zip.pth")
torch.save(state, "legacy.pth", _use_new_zipfile_serialization=False)
torch.save(dict(state), "protocol4.pth", pickle_protocol=4)
