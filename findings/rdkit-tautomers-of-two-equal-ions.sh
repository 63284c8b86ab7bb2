#!/usr/bin/env bash
# RDKit's canonical tautomer of a salt with two equal ions has two different ions. Both together have more moves than the
# enumerator's limit (1000). Canonicalize does not report that it stopped there, and takes the best form of those it came
# to. One ion alone takes 41 forms. Nor is the result canonical: its canonical tautomer is another one.
#
#   rdkit 2026.9.1
#   expected  two equal ions, and the same again from the result
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore
python3 -m pip install --quiet --no-deps --no-compile --target "$dir" rdkit==2026.9.1 numpy==2.4.6 pillow==13.0.0
seen=$(PYTHONPATH=$dir python3 - <<'PY'
from rdkit import Chem, rdBase
from rdkit.Chem.MolStandardize.rdMolStandardize import TautomerEnumerator

rdBase.DisableLog("rdApp.*")
enumerator = TautomerEnumerator()
ion = "O=C(CO)C(O)C(O)C(O)C(=O)[O-]"  # 5-ketogluconate
for smiles in ion, f"{ion}.{ion}":
    for _ in range(2):
        mol = Chem.MolFromSmiles(smiles)
        forms = enumerator.Enumerate(mol)
        smiles = Chem.MolToSmiles(enumerator.Canonicalize(mol))
        print(forms.status, len(forms.tautomers), smiles)
PY
)
want=$(cat <<'TEXT'
Completed 41 O=C([O-])C(=O)C(O)C(O)C(O)CO
Completed 41 O=C([O-])C(=O)C(O)C(O)C(O)CO
MaxTransformsReached 580 O=C([O-])C(=O)C(O)C(O)C(O)CO.O=C([O-])C(O)C(O)C(O)C(=O)CO
MaxTransformsReached 574 O=C([O-])C(=O)C(O)C(O)C(O)CO.O=C([O-])C(O)C(O)C(=O)C(O)CO
TEXT
)
echo "$seen"
[[ $seen == "$want" ]] || { echo "RDKit's tautomers are not those of when this was found" >&2; exit 1; }
