"""Tests that damaged and foreign files of models, and labels that are not 0 or 1, are refused by a ValueError."""

import hashlib
import json
import tempfile
import unittest
from pathlib import Path

import pacia
from pacia import files

MODEL = Path(__file__).parent.parent.parent / "weights" / "fsmol.safetensors"


def sealed(header, data=b""):
    """Returns a file with this header, as text with the digit "0" 64 times in place of the checksum, which is filled in."""
    text = header.encode()
    content = len(text).to_bytes(8, "little") + text + data
    return content.replace(b"0" * 64, hashlib.sha256(content).hexdigest().encode(), 1)


def header(**entries):
    return json.dumps({"__metadata__": {"checksum": "0" * 64}, **entries})


class Files(unittest.TestCase):
    def read(self, content):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "model")
            path.write_bytes(content)
            return files.read(path)

    def test_whole(self):
        entry = {"dtype": "F32", "shape": [1, 2], "data_offsets": [0, 8]}
        tensors, _ = self.read(sealed(header(x=entry), bytes(8)))
        self.assertEqual(list(tensors["x"].shape), [1, 2])

    def test_refused(self):
        whole = MODEL.read_bytes()
        at = whole.index(b'"checksum"')
        cases = {
            "key of the checksum": whole[:at + 1] + b"x" + whole[at + 2:], "data": whole[:-1] + bytes([whole[-1] ^ 1]),
            "cut": whole[:len(whole) // 2], "empty": b"", "a list": sealed("[" + "0" * 64 + "]"), "deep": sealed("[" * 100_000),
            "no checksum": sealed("{}"), "I64": sealed(header(x={"dtype": "I64", "shape": [1], "data_offsets": [0, 8]}), bytes(8)),
            "an entry that is a list": sealed(header(x=[1])), "no places": sealed(header(x={"dtype": "F32", "shape": [1]})),
            "places of text": sealed(header(x={"dtype": "F32", "shape": [1], "data_offsets": ["a", "b"]})),
            "another shape": sealed(header(x={"dtype": "F32", "shape": [10**30], "data_offsets": [0, 4]}), bytes(4)),
        }
        for name, content in cases.items():
            with self.subTest(name), self.assertRaises(ValueError):
                self.read(content)

    def test_labels(self):
        model = pacia.Model(MODEL)
        model.adapt(["CCO", "CCN"], ["1", 0.0])
        for label in 0.9, 1.7, "yes", -1:
            with self.subTest(label), self.assertRaises(ValueError):
                model.adapt(["CCO", "CCN", "CCC"], [0, 1, label])


if __name__ == "__main__":
    unittest.main()
