"""Writes drawings.csv.gz: 300 drugs in eight drawings each. Needs RDKit of pip, and the column smiles of a table:

    python drawings.py sider.csv.gz

A drawing is another order of atoms, a Kekulé structure, hydrogens as atoms, atom numbers, isotopes, a salt, hypervalent
groups, or another tautomer by RDKit's rules in which no hydrogen of carbon has moved (RDKit's hash HetAtomTautomer).
"""

import csv
import gzip
import random
import sys

from rdkit import Chem, RDLogger
from rdkit.Chem import rdMolHash
from rdkit.Chem.MolStandardize import rdMolStandardize

RDLogger.DisableLog("rdApp.*")
enumerator = rdMolStandardize.TautomerEnumerator()
enumerator.SetMaxTautomers(100)
hypervalent = [("[N+](=O)[O-]", "N(=O)=O"), ("[S+]([O-])", "S(=O)"), ("S(=O)(=O)", "[S+2]([O-])([O-])"), ("[n+]([O-])", "n(=O)")]


def identity(mol):
    plain = Chem.Mol(mol)
    Chem.RemoveStereochemistry(plain)
    return rdMolHash.MolHash(plain, rdMolHash.HashFunction.HetAtomTautomer)


def shuffled(mol, r, **how):
    order = list(range(mol.GetNumAtoms()))
    r.shuffle(order)
    return Chem.MolToSmiles(Chem.RenumberAtoms(mol, order), canonical=False, **how)


def drawings(mol, r):
    key = identity(mol)
    tautomers = [t for t in enumerator.Enumerate(mol) if identity(t) == key]
    yield from (shuffled(t, r) for t in r.sample(tautomers, min(3, len(tautomers))))
    text = Chem.MolToSmiles(mol)
    for a, b in hypervalent:
        other = text.replace(a, b)
        if other != text and Chem.MolFromSmiles(other):
            yield other
    kekule = Chem.Mol(mol)
    Chem.Kekulize(kekule, clearAromaticFlags=True)
    yield shuffled(kekule, r, kekuleSmiles=True)
    yield shuffled(Chem.AddHs(mol), r)
    numbered = Chem.Mol(mol)
    for atom in numbered.GetAtoms():
        atom.SetAtomMapNum(atom.GetIdx() + 1)
    yield shuffled(numbered, r)
    labelled = Chem.Mol(mol)
    atom = r.choice([a for a in labelled.GetAtoms() if a.GetAtomicNum() == 6])
    atom.SetIsotope(13)
    yield shuffled(labelled, r)
    yield shuffled(mol, r) + ".Cl"
    while True:
        yield shuffled(mol, r)


def main(path):
    r = random.Random(20261128)
    with gzip.open(path, "rt") as f:
        all_ = sorted({row["smiles"] for row in csv.DictReader(f)})
    r.shuffle(all_)
    with gzip.GzipFile("drawings.csv.gz", "wb", mtime=0) as out:
        out.write(b"molecule,smiles\n")
        n = 0
        for smiles in all_:
            mol = Chem.MolFromSmiles(smiles)
            if mol is None or "." in smiles or not 5 < mol.GetNumAtoms() < 45 or Chem.GetFormalCharge(mol) or "+" in smiles and "[N+]" not in smiles:
                continue
            if not any(a.GetAtomicNum() == 6 for a in mol.GetAtoms()):
                continue
            made = drawings(mol, r)
            for _ in range(8):
                out.write(f"{n},{next(made)}\n".encode())
            n += 1
            if n == 300:
                break


if __name__ == "__main__":
    main(sys.argv[1])
