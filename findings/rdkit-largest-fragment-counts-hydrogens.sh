#!/usr/bin/env bash
# RDKit's largest fragment of a salt is the one with the most atoms, hydrogens included. So the parent of an aromatic acid's
# triethylamine salt is triethylamine, also by MolVS, from which this comes. A parameter for heavy atoms alone works in
# LargestFragmentChooser, but FragmentParent and ChargeParent take the same parameters and pay no attention to it.
#
#   rdkit 2026.9.1, molvs 0.1.1
#   expected  the acid from all, or at least from the last three
#   seen      the acid from LargestFragmentChooser with the parameter, triethylamine from all others
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore
python3 -m pip install --quiet --no-deps --no-compile --target "$dir" rdkit==2026.9.1 numpy==2.4.6 pillow==13.0.0 molvs==0.1.1 six==1.17.0
seen=$(PYTHONPATH=$dir python3 - <<'PY'
import molvs
from rdkit import Chem
from rdkit.Chem.MolStandardize import rdMolStandardize as standardize

heavy = standardize.CleanupParameters()
heavy.largestFragmentChooserCountHeavyAtomsOnly = True
for smiles in "O=C(O)c1ccccc1O.CCN(CC)CC", "O=C(O)COc1ccc(Cl)cc1Cl.CCN(CC)CC":
    salt = Chem.MolFromSmiles(smiles)
    for name, parent in (
        ("MolVS", molvs.Standardizer().fragment_parent(salt)),
        ("FragmentParent", standardize.FragmentParent(salt)),
        ("FragmentParent, heavy", standardize.FragmentParent(salt, heavy)),
        ("ChargeParent, heavy", standardize.ChargeParent(salt, heavy)),
        ("chooser, heavy", standardize.LargestFragmentChooser(heavy).choose(salt)),
    ):
        print(name, Chem.MolToSmiles(parent))
PY
)
want=$(cat <<'TEXT'
MolVS CCN(CC)CC
FragmentParent CCN(CC)CC
FragmentParent, heavy CCN(CC)CC
ChargeParent, heavy CCN(CC)CC
chooser, heavy O=C(O)c1ccccc1O
MolVS CCN(CC)CC
FragmentParent CCN(CC)CC
FragmentParent, heavy CCN(CC)CC
ChargeParent, heavy CCN(CC)CC
chooser, heavy O=C(O)COc1ccc(Cl)cc1Cl
TEXT
)
echo "$seen"
[[ $seen == "$want" ]] || { echo "RDKit or MolVS choose other fragments than when this was found" >&2; exit 1; }
