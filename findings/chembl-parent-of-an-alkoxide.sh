#!/usr/bin/env bash
# The parent that ChEMBL's pipeline finds in sodium methoxide, ethoxide or isopropoxide is the sodium ion. Solvents go first,
# and these alcohols are solvents. The metal remains, is on the list of salts, and stays because it is all there is.
# tert-Butanol and phenol are not on the list of solvents, and are found.
#
#   chembl-structure-pipeline 1.2.4, rdkit 2026.9.1, standardize_mol and get_parent_mol; printed with the flag of exclusion
#   expected  the alcohol, or the whole salt as for sodium acetate
#   seen      the metal ion alone, not excluded
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore
python3 -m pip install --quiet --no-deps --no-compile --target "$dir" rdkit==2026.9.1 numpy==2.4.6 pillow==13.0.0 chembl-structure-pipeline==1.2.4
seen=$(PYTHONPATH=$dir python3 - 2>/dev/null <<'PY'
from chembl_structure_pipeline import get_parent_mol, standardize_mol
from rdkit import Chem, rdBase

rdBase.DisableLog("rdApp.*")
alkoxides = "C[O-].[Na+]", "CC[O-].[Na+]", "CC(C)[O-].[K+]", "CC(C)(C)[O-].[K+]"
for smiles in *alkoxides, "[O-]c1ccccc1.[Na+]", "CC(=O)[O-].[Na+]":
    parent, excluded = get_parent_mol(standardize_mol(Chem.MolFromSmiles(smiles)))
    print(smiles, Chem.MolToSmiles(parent), excluded)
PY
)
want=$(cat <<'TEXT'
C[O-].[Na+] [Na+] False
CC[O-].[Na+] [Na+] False
CC(C)[O-].[K+] [K+] False
CC(C)(C)[O-].[K+] CC(C)(C)O False
[O-]c1ccccc1.[Na+] Oc1ccccc1 False
CC(=O)[O-].[Na+] CC(=O)[O-].[Na+] False
TEXT
)
echo "$seen"
[[ $seen == "$want" ]] || { echo "ChEMBL's pipeline finds other parents than when this was found" >&2; exit 1; }
