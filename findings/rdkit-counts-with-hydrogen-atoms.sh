#!/usr/bin/env bash
# RDKit counts other rotatable bonds and acceptors, and finds other alerts, once hydrogens are atoms of the graph (AddHs), as
# for a conformer. Their patterns count an atom's neighbours in the graph, and so hydrogens too. Donors, logP and QED stay.
# RDKit's MACCS keys are other ones as well.
#
#   rdkit 2026.9.1, printed: rotatable bonds, acceptors, alerts (BRENK), donors, logP, QED
#   expected  two equal lines for each compound
#   seen      ethanol has 0 and 1 rotatable bonds, ibuprofen 1 and 2 acceptors, octane 1 and 0 alerts
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore
python3 -m pip install --quiet --no-deps --no-compile --target "$dir" rdkit==2026.9.1 numpy==2.4.6 pillow==13.0.0
seen=$(PYTHONPATH=$dir python3 - <<'PY'
from rdkit import Chem
from rdkit.Chem import Crippen, QED
from rdkit.Chem.FilterCatalog import FilterCatalog, FilterCatalogParams
from rdkit.Chem.rdMolDescriptors import CalcNumHBA, CalcNumHBD, CalcNumRotatableBonds, GetMACCSKeysFingerprint

brenk = FilterCatalog(FilterCatalogParams(FilterCatalogParams.FilterCatalogs.BRENK))
for smiles in "CCO", "CC(C)Cc1ccc(cc1)C(C)C(=O)O", "CCCCCCCC":
    mol = Chem.MolFromSmiles(smiles)
    both = mol, Chem.AddHs(mol)
    assert GetMACCSKeysFingerprint(both[0]) != GetMACCSKeysFingerprint(both[1])
    for m in both:
        counts = CalcNumRotatableBonds(m), CalcNumHBA(m), len(brenk.GetMatches(m)), CalcNumHBD(m)
        print(smiles, *counts, "%.3f %.3f" % (Crippen.MolLogP(m), QED.qed(m)))
PY
)
want=$(cat <<'TEXT'
CCO 0 1 0 1 -0.001 0.407
CCO 1 1 0 1 -0.001 0.407
CC(C)Cc1ccc(cc1)C(C)C(=O)O 4 1 0 1 3.073 0.822
CC(C)Cc1ccc(cc1)C(C)C(=O)O 4 2 0 1 3.073 0.822
CCCCCCCC 5 0 1 0 3.367 0.481
CCCCCCCC 5 0 0 0 3.367 0.481
TEXT
)
echo "$seen"
[[ $seen == "$want" ]] || { echo "RDKit counts otherwise than when this was found" >&2; exit 1; }
