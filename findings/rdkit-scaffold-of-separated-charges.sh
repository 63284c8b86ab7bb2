#!/usr/bin/env bash
# RDKit's Murcko scaffold cuts the oxygen off a sulfoxide or N-oxide that is drawn with charges, and leaves the charge: the
# scaffold is a protonated cation. Drawn with S=O, the same sulfoxide keeps its oxygen. So one compound has two scaffolds,
# and standardised files, in which RDKit's Normalizer and ChEMBL's pipeline write [S+][O-], have the cation.
#
#   rdkit 2026.9.1 (and 2022.09.3 in C++, MurckoDecompose)
#   expected  O=S1CCCCC1 twice, c1ccncc1    seen  O=S1CCCCC1 and C1CC[SH+]CC1, c1cc[nH+]cc1
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m pip install --quiet --disable-pip-version-check --target "$dir" rdkit==2026.9.1
seen=$(PYTHONPATH=$dir python3 - <<'PY'
from rdkit import Chem
from rdkit.Chem.Scaffolds import MurckoScaffold

for smiles in "O=S1CCCCC1", "[O-][S+]1CCCCC1", "Cc1cc[n+]([O-])cc1":
    print(smiles, Chem.MolToSmiles(MurckoScaffold.GetScaffoldForMol(Chem.MolFromSmiles(smiles))))
PY
)
echo "$seen"
[[ $seen == $'O=S1CCCCC1 O=S1CCCCC1\n[O-][S+]1CCCCC1 C1CC[SH+]CC1\nCc1cc[n+]([O-])cc1 c1cc[nH+]cc1' ]] ||
	{ echo "RDKit makes other scaffolds than when this was found" >&2; exit 1; }
