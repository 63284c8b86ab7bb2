#!/usr/bin/env bash
# Whether RDKit's Murcko scaffold keeps the E or Z of a double bond depends on the spelling. The bond states its
# configuration relative to one neighbour at each end. If that neighbour is cut off, the configuration is gone, although the
# other neighbour stays. So one compound has two scaffolds. Of a molecule with hydrogens as atoms, centres are lost as well.
#
#   rdkit 2026.9.1
#   expected  one scaffold for each compound
#   seen      two for a stilbene of pyridine, in two spellings, and two for reboxetine, without and with hydrogens
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore
python3 -m pip install --quiet --no-deps --no-compile --target "$dir" rdkit==2026.9.1 numpy==2.4.6 pillow==13.0.0
seen=$(PYTHONPATH=$dir python3 - <<'PY'
from rdkit import Chem
from rdkit.Chem.Scaffolds.MurckoScaffold import GetScaffoldForMol

stilbene = [Chem.MolFromSmiles(s) for s in (r"C/C(c1ccccn1)=C\c1ccccc1", r"CC(\c1ccccn1)=C/c1ccccc1")]
assert len({Chem.MolToSmiles(m) for m in stilbene}) == 1
reboxetine = Chem.MolFromSmiles("CCOc1ccccc1O[C@H](c1ccccc1)[C@H]1CNCCO1")
for mol in *stilbene, reboxetine, Chem.AddHs(reboxetine):
    print(Chem.MolToSmiles(Chem.RemoveHs(GetScaffoldForMol(mol))))
PY
)
want=$(cat <<'TEXT'
C(=Cc1ccccn1)c1ccccc1
C(=C\c1ccccn1)/c1ccccc1
c1ccc(O[C@H](c2ccccc2)[C@H]2CNCCO2)cc1
c1ccc(OC(c2ccccc2)C2CNCCO2)cc1
TEXT
)
echo "$seen"
[[ $seen == "$want" ]] || { echo "RDKit makes other scaffolds than when this was found" >&2; exit 1; }
