#!/usr/bin/env bash
# Mordred's information content of order 3 and more (IC3 to IC5, and SIC, TIC, BIC, CIC, MIC and ZMIC) of a molecule with
# rings depends on the spelling. A tree from each atom closes a ring at one of two atoms, by their order, and atoms that are
# equal by symmetry count as different ones.
#
#   mordredcommunity 2.0.7, rdkit 2026.9.1, IC0 to IC5
#   expected  two equal lines for each compound
#   seen      2.0588 and 2.7255 bits for IC4 of chlorocyclopropane; pentane, without a ring, has two equal lines
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore
python3 -m pip install --quiet --no-deps --no-compile --target "$dir" rdkit==2026.9.1 numpy==2.4.6 pillow==13.0.0 \
	mordredcommunity==2.0.7 networkx==3.6.1 packaging==26.4 six==1.17.0
seen=$(PYTHONPATH=$dir python3 - 2>/dev/null <<'PY'
from mordred import Calculator, InformationContent
from rdkit import Chem

content = Calculator(InformationContent.InformationContent(order) for order in range(6))
for pair in ("C1CC1Cl", "C1(Cl)CC1"), ("C1CC(=O)N(C1=O)Cl", "N1(C(CCC1=O)=O)Cl"), ("CCCCC", "C(CC)CC"):
    mols = [Chem.MolFromSmiles(s) for s in pair]
    assert len({Chem.MolToSmiles(m) for m in mols}) == 1
    for smiles, mol in zip(pair, mols):
        print(smiles, *("%.4f" % value for value in content(mol)))
PY
)
want=$(cat <<'TEXT'
C1CC1Cl 1.3516 1.6577 2.0588 2.0588 2.0588 2.0588
C1(Cl)CC1 1.3516 1.6577 2.0588 2.2810 2.7255 2.7255
C1CC(=O)N(C1=O)Cl 2.0850 2.4183 2.4183 2.5850 2.7516 2.7516
N1(C(CCC1=O)=O)Cl 2.0850 2.4183 2.4183 2.7516 3.2516 3.2516
CCCCC 0.8740 1.1596 2.0275 2.3516 2.3516 2.3516
C(CC)CC 0.8740 1.1596 2.0275 2.3516 2.3516 2.3516
TEXT
)
echo "$seen"
[[ $seen == "$want" ]] || { echo "Mordred's figures are not those of when this was found" >&2; exit 1; }
