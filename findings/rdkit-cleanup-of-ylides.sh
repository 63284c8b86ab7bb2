#!/usr/bin/env bash
# RDKit's Cleanup moves a hydrogen of carbon. An acylated ylide or diazo compound that is drawn with charges becomes another
# compound, whose methyl group is the carbanion: the reionizer gives the charge to what its list takes for the stronger acid.
# MolVS does the same. Drawn with a double bond, the compound stays.
#
#   rdkit 2026.9.1, molvs 0.1.1
#   expected  the compound, in either drawing
#   seen      CC(=O)[CH-][P+]… becomes [CH2-]C(=O)C[P+]…, CC(=O)[CH-][N+]#N becomes [CH2-]C(=O)C[N+]#N
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore
python3 -m pip install --quiet --no-deps --no-compile --target "$dir" rdkit==2026.9.1 numpy==2.4.6 pillow==13.0.0 molvs==0.1.1 six==1.17.0
seen=$(PYTHONPATH=$dir python3 - 2>/dev/null <<'PY'
import molvs
from rdkit import Chem, rdBase
from rdkit.Chem.MolStandardize.rdMolStandardize import Cleanup

rdBase.DisableLog("rdApp.*")
for smiles in "CC(=O)[CH-][P+](C)(C)C", "CC(=O)C=P(C)(C)C", "CC(=O)[CH-][N+]#N", "CC(=O)C=[N+]=[N-]":
    mol = Chem.MolFromSmiles(smiles)
    print(smiles, Chem.MolToSmiles(Cleanup(mol)), Chem.MolToSmiles(molvs.Standardizer().standardize(mol)))
PY
)
want=$(cat <<'TEXT'
CC(=O)[CH-][P+](C)(C)C [CH2-]C(=O)C[P+](C)(C)C [CH2-]C(=O)C[P+](C)(C)C
CC(=O)C=P(C)(C)C CC(=O)C=P(C)(C)C CC(=O)C=P(C)(C)C
CC(=O)[CH-][N+]#N [CH2-]C(=O)C[N+]#N [CH2-]C(=O)C[N+]#N
CC(=O)C=[N+]=[N-] CC(=O)C=[N+]=[N-] CC(=O)C=[N+]=[N-]
TEXT
)
echo "$seen"
[[ $seen == "$want" ]] || { echo "RDKit or MolVS clean up otherwise than when this was found" >&2; exit 1; }
