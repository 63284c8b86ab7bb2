#!/usr/bin/env bash
# RDKit's MHFP leaves stereochemistry out by default (isomeric=False), and yet two spellings of a chiral molecule have other
# fingerprints. Surroundings of single atoms lose their marks, the SMILES of rings keep them, and an atom's mark in the ring
# without its other neighbour is @ or @@ by the order in the input.
#
#   rdkit 2026.9.1, MHFPEncoder and its defaults
#   expected  a distance of 0, and nothing else
#   seen      0.053 for (S)-nicotine, by [C@H]1CCCN1 and [C@@H]1CCCN1
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore
python3 -m pip install --quiet --no-deps --no-compile --target "$dir" rdkit==2026.9.1 numpy==2.4.6 pillow==13.0.0
seen=$(PYTHONPATH=$dir python3 - <<'PY'
from rdkit import Chem
from rdkit.Chem.rdMHFPFingerprint import MHFPEncoder

encoder = MHFPEncoder()
nicotine = [Chem.MolFromSmiles(s) for s in ("c1(cccnc1)[C@@H]1CCCN1C", "C1[C@@H](c2cccnc2)N(CC1)C")]
assert len({Chem.MolToSmiles(m) for m in nicotine}) == 1
print("%.3f" % encoder.Distance(*map(encoder.EncodeMol, nicotine)))
one, other = (set(encoder.CreateShinglingFromMol(m)) for m in nicotine)
print(*one - other, *other - one)
PY
)
want=$(cat <<'TEXT'
0.053
[C@H]1CCCN1 [C@@H]1CCCN1
TEXT
)
echo "$seen"
[[ $seen == "$want" ]] || { echo "RDKit's MHFP is not that of when this was found" >&2; exit 1; }
