"""Tests that pacia.Model gives the program's probabilities, which a test of cmd/pacia computes for agreement.csv.

    PYTHONPATH=python python3 -m unittest discover python/tests
"""

import csv
import unittest
from pathlib import Path

import pacia
from pacia.molecules import Molecules, parse

HERE = Path(__file__).parent
MODEL = HERE.parent.parent / "weights" / "fsmol.safetensors"
TOLERANCE = 1e-5


class Agreement(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with open(HERE / "agreement.csv", newline="") as f:
            rows = list(csv.DictReader(f))
        cls.support = [row for row in rows if row["label"]]
        cls.queries = [row for row in rows if not row["label"]]
        cls.model = pacia.Model(MODEL, minimol=False)

    def check(self, model, column):
        task = model.adapt([row["smiles"] for row in self.support], [row["label"] for row in self.support])
        for row, p in zip(self.queries, task.predict([row["smiles"] for row in self.queries])):
            with self.subTest(**row):
                self.assertLessEqual(abs(p - float(row[column])), TOLERANCE)

    def test_probabilities(self):
        self.check(self.model, "probability")

    def test_vectors(self):
        self.check(pacia.Model(MODEL), "with_vectors")

    def test_known(self):
        for rows in self.support, self.queries:
            known = self.model.memory.of(Molecules([parse(row["smiles"]) for row in rows]).counts)[2].tolist()
            self.assertEqual(["yes" if k else "no" for k in known], [row["known"] for row in rows])
            self.assertGreaterEqual(sum(known), 10)
            self.assertLess(sum(known), len(known))


if __name__ == "__main__":
    unittest.main()
