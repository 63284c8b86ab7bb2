#!/usr/bin/env bash
# RDKit's molecule hashes Regioisomer and MurckoScaffold have two values for a chiral molecule, by the order of its SMILES.
# Bonds are cut, and the mark of a centre beside the cut stays as it was, though it counts neighbours in their order. One
# of the values is what the enantiomer has in the same order (the last line). HetAtomTautomer, which cuts nothing, has one.
#
#   rdkit 2026.9.1
#   expected  the same hash twice in each line
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore
python3 -m pip install --quiet --no-deps --no-compile --target "$dir" rdkit==2026.9.1 numpy==2.4.6 pillow==13.0.0
seen=$(PYTHONPATH=$dir python3 - <<'PY'
from rdkit import Chem
from rdkit.Chem.rdMolHash import HashFunction, MolHash

butylbenzene = "c1ccc(cc1)[C@H](C)CC", "C[C@@H](c1ccccc1)CC"
indoline = "[C@]12(CCN([C@@H]1N(c1c2cccc1)C)C)C", "c1cc2N(C)[C@H]3N(CC[C@]3(c2cc1)C)C"
for kind, spellings in (
    (HashFunction.Regioisomer, butylbenzene),
    (HashFunction.MurckoScaffold, indoline),
    (HashFunction.HetAtomTautomer, butylbenzene),
):
    mols = [Chem.MolFromSmiles(s) for s in spellings]
    assert len({Chem.MolToSmiles(m) for m in mols}) == 1
    print(kind, *(MolHash(m, kind) for m in mols))
print("enantiomer", MolHash(Chem.MolFromSmiles("c1ccc(cc1)[C@@H](C)CC"), HashFunction.Regioisomer))
PY
)
want=$(cat <<'TEXT'
Regioisomer *[C@H](C)CC.c1ccccc1 *[C@@H](C)CC.c1ccccc1
MurckoScaffold c1ccc2c(c1)N[C@H]1NCC[C@@H]21 c1ccc2c(c1)N[C@H]1NCC[C@H]21
HetAtomTautomer CC[C@@H](C)[C]1[CH][CH][CH][CH][CH]1_0_0 CC[C@@H](C)[C]1[CH][CH][CH][CH][CH]1_0_0
enantiomer *[C@@H](C)CC.c1ccccc1
TEXT
)
echo "$seen"
[[ $seen == "$want" ]] || { echo "RDKit's hashes are not those of when this was found" >&2; exit 1; }
