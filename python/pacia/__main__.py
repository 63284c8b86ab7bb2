"""Ranks a library on the command line."""

import csv
import sys

from . import Model


def main(model, support, library):
    """Writes the columns smiles and probability for the molecules of the CSV library, in their order.

    The support CSV has the columns smiles and label, the library CSV the column smiles.
    """
    def rows(path):
        with open(path, newline="", encoding="utf-8-sig") as f:
            return list(csv.DictReader(f))
    labelled, candidates = rows(support), rows(library)
    for path, table, columns in (support, labelled, ("smiles", "label")), (library, candidates, ("smiles",)):
        for column in columns:
            if not table or column not in table[0]:
                raise ValueError(f"{path}: no column {column}, or no rows")
    print("pacia: molecules are read as drawn, as with pacia predict --as-drawn", file=sys.stderr)
    model = Model(model)
    task = model.adapt([r["smiles"] for r in labelled], [r["label"] for r in labelled])
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["smiles", "probability"])
    out.writerows(zip((r["smiles"] for r in candidates), task.predict([r["smiles"] for r in candidates])))


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit("usage: python3 -m pacia MODEL SUPPORT.csv LIBRARY.csv > scores.csv")
    try:
        main(*sys.argv[1:])
    except (OSError, ValueError) as e:
        sys.exit(f"pacia: {e}")
