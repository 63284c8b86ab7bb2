#!/usr/bin/env bash
# A molfile's atom line may state an isotope as a difference from the element's mass. RDKit and Open Babel begin with different
# masses for 32 of the first 92 elements, so that one atom is read as two isotopes. RDKit counts from the commonest isotope
# (bromine 79, selenium 80, tin 120), Open Babel from the rounded weight (80, 79, 119). M  ISO states the mass itself.
#
#   rdkit 2026.9.1, openbabel-wheel 3.1.1.23; printed: isotope by RDKit and by Open Babel for a difference of +1
#   expected  one isotope from both
#   seen      80Br and 81Br, 81Se and 80Se; for C, N, F, S, Cl and I the same
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore
python3 -m pip install --quiet --no-deps --no-compile --target "$dir" rdkit==2026.9.1 numpy==2.4.6 pillow==13.0.0 openbabel-wheel==3.1.1.23
seen=$(PYTHONPATH=$dir python3 - 2>/dev/null <<'PY'
from openbabel import pybel
from rdkit import Chem


def isotopes(symbol, difference=1, more=""):
    block = f"""

by hand
  1  0  0  0  0  0  0  0  0  0999 V2000
    0.0000    0.0000    0.0000 {symbol:3}{difference:2}  0  0  0  0  0  0  0  0  0  0  0
{more}M  END
"""
    atom = pybel.readstring("mol", block).atoms[0].OBAtom
    return Chem.MolFromMolBlock(block).GetAtomWithIdx(0).GetIsotope(), atom.GetIsotope()


for symbol in "C", "N", "F", "S", "Cl", "I", "Br", "Se", "Sn":
    print(symbol, *isotopes(symbol))
symbols = [Chem.GetPeriodicTable().GetElementSymbol(number) for number in range(1, 93)]
print(sum(len(set(isotopes(symbol))) == 2 for symbol in symbols), "elements differ")
print("by M  ISO", *isotopes("Br", 0, "M  ISO  1   1  76\n"))
PY
)
want=$(cat <<'TEXT'
C 13 13
N 15 15
F 20 20
S 33 33
Cl 36 36
I 128 128
Br 80 81
Se 81 80
Sn 121 120
32 elements differ
by M  ISO 76 76
TEXT
)
echo "$seen"
[[ $seen == "$want" ]] || { echo "RDKit or Open Babel read other isotopes than when this was found" >&2; exit 1; }
