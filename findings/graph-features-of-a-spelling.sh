#!/usr/bin/env bash
# The atom features that OGB's GIN and GCN, PyTorch Geometric and Chemprop read have RDKit's mark of a centre, clockwise or not
# in the order of the input. It does not tell R from S: one enantiomer has either value by its spelling, and shares
# it with the other enantiomer. The graphs are the same otherwise, and no neighbours' order is kept in them.
#
#   ogb 1.3.6 (atom_to_feature_vector, second feature), rdkit 2026.9.1
#   expected  one value for each enantiomer
#   seen      1 and 2 for L-alanine, 1 and 2 for D-alanine
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore
python3 -m pip install --quiet --no-deps --no-compile --target "$dir" rdkit==2026.9.1 numpy==2.4.6 pillow==13.0.0 ogb==1.3.6
seen=$(PYTHONPATH=$dir python3 - <<'PY'
from ogb.utils.features import atom_to_feature_vector
from rdkit import Chem

for name, spellings in ("L", ("C[C@H](N)C(=O)O", "N[C@@H](C)C(=O)O", "OC(=O)[C@H](C)N")), ("D", ("C[C@@H](N)C(=O)O", "N[C@H](C)C(=O)O")):
    mols = [Chem.MolFromSmiles(s) for s in spellings]
    assert len({Chem.MolToSmiles(m) for m in mols}) == 1
    for smiles, mol in zip(spellings, mols):
        graph = sorted(map(tuple, (atom_to_feature_vector(atom) for atom in mol.GetAtoms())))
        print(name, *(f[1] for f in graph if f[1]), smiles)
PY
)
want=$(cat <<'TEXT'
L 2 C[C@H](N)C(=O)O
L 1 N[C@@H](C)C(=O)O
L 2 OC(=O)[C@H](C)N
D 1 C[C@@H](N)C(=O)O
D 2 N[C@H](C)C(=O)O
TEXT
)
echo "$seen"
[[ $seen == "$want" ]] || { echo "OGB's features are not those of when this was found" >&2; exit 1; }
