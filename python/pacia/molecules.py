"""Molecules: packages data/rdkit and data. Legend: n molecules of a batch, A atoms."""

import torch
from rdkit import Chem, rdBase
from rdkit.Chem import rdFingerprintGenerator

BITS = 2048  # counts of a fingerprint
LONGEST, LARGEST = 3000, 1000  # characters of a SMILES, and atoms of a molecule
BONDS = {Chem.BondType.SINGLE: 0, Chem.BondType.DOUBLE: 1, Chem.BondType.TRIPLE: 2, Chem.BondType.AROMATIC: 3}
DIRECTIONS = {Chem.BondDir.ENDUPRIGHT: 1, Chem.BondDir.ENDDOWNRIGHT: 2}
CHIRALITIES = {Chem.ChiralType.CHI_TETRAHEDRAL_CW: 1, Chem.ChiralType.CHI_TETRAHEDRAL_CCW: 2}
MORGAN = rdFingerprintGenerator.GetMorganGenerator(radius=2, fpSize=BITS)


class Molecules:
    """A batch of molecules of RDKit: graphs, and counts of Morgan fingerprints [n, 2048]."""

    def __init__(self, mols):
        atoms, ends, bonds, of, counts, self.mols, self.n = [], [], [], [], [], mols, len(mols)
        for i, mol in enumerate(mols):
            first = len(atoms)
            for a in mol.GetAtoms():
                number = a.GetAtomicNum()
                atoms.append((number - 1 if 1 <= number <= 118 else 118, CHIRALITIES.get(a.GetChiralTag(), 0)))
                of.append(i)
            for b in mol.GetBonds():
                u, v = first + b.GetBeginAtomIdx(), first + b.GetEndAtomIdx()
                ends += [(u, v), (v, u)]
                bonds += [(BONDS[b.GetBondType()], DIRECTIONS.get(b.GetBondDir(), 0))] * 2
            for bit, count in MORGAN.GetCountFingerprint(mol).GetNonzeroElements().items():
                counts.append((i, bit, min(count, 65535)))
        at = torch.tensor(counts, dtype=torch.long).reshape(-1, 3)
        self.counts = torch.zeros(len(mols), BITS, dtype=torch.float64)
        self.counts[at[:, 0], at[:, 1]] = at[:, 2].to(torch.float64)
        self.atoms = torch.tensor(atoms).reshape(-1, 2)
        self.ends, self.bonds = (torch.tensor(x, dtype=torch.long).reshape(-1, 2) for x in (ends, bonds))
        self.of = torch.tensor(of)  # [A] the molecule of each atom


def parse(smiles):
    """Returns RDKit's molecule, or None if pacia would refuse it (package rdkit, check.go)."""
    text = smiles.strip(" ").partition(" ")[0]  # a name may follow
    if not text.isascii() or len(smiles.encode()) > LONGEST or any(c < " " or c == "\x7f" for c in smiles):
        return None
    with rdBase.BlockLogs():
        mol = Chem.MolFromSmiles(smiles)
    if mol is None or not 0 < mol.GetNumAtoms() <= LARGEST or any(b.GetBondType() not in BONDS for b in mol.GetBonds()):
        return None
    return mol
