#!/usr/bin/env bash
# The MinHashed atom-pair fingerprint MAP has two values for one molecule in two spellings, in each of its three packages. A pair of
# atoms is written with the longer of their two environments first. Environments of equal length keep the order of the atoms.
#
#   map4 1.1.3, mapchiral 0.0.7, scikit-fingerprints 2.1.0, rdkit 2026.3.5; printed are the Tanimoto similarities of two spellings
#   expected  1, as the environments are canonical SMILES
#   seen      0.5 of ethanol to itself by two packages, and 0.67 of toluene to itself by the third
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore
python3 -m pip install -qqq --no-compile --target "$dir" rdkit==2026.3.5 numpy==2.4.6 map4==1.1.3 mapchiral==0.0.7 scikit-fingerprints==2.1.0
seen=$(PYTHONPATH=$dir python3 - 2>/dev/null <<'PY'
from map4 import MAP4
from mapchiral import mapchiral
from rdkit import Chem
from skfp.fingerprints import MAPFingerprint

PAIRS = {
    "ethanol": ("CCO", "OCC"), "toluene": ("Cc1ccccc1", "c1ccccc1C"), "aspirin": ("CC(=O)Oc1ccccc1C(=O)O", "OC(=O)c1c(OC(C)=O)cccc1"),
    "nicotine": ("CN1CCC[C@H]1c1cccnc1", "c1cc([C@@H]2CCCN2C)cnc1"),
}


def tanimoto(a, b):
    return round(float((a & b).sum() / (a | b).sum()), 2)


for name, spellings in PAIRS.items():
    molecules = [Chem.MolFromSmiles(s) for s in spellings]
    assert len({Chem.MolToSmiles(m) for m in molecules}) == 1
    bits = [MAP4(dimensions=2048).calculate(m).astype(int) for m in molecules]
    hashes = [mapchiral.encode(m, max_radius=2, n_permutations=2048) for m in molecules]
    print(name, "map4", tanimoto(*bits), "mapchiral", round(float(mapchiral.jaccard_similarity(*hashes)), 2), "scikit-fingerprints",
          tanimoto(*MAPFingerprint().transform(molecules).astype(int)))
PY
)
want=$(cat <<'TEXT'
ethanol map4 0.5 mapchiral 1.0 scikit-fingerprints 0.5
toluene map4 0.96 mapchiral 0.67 scikit-fingerprints 0.92
aspirin map4 0.73 mapchiral 0.83 scikit-fingerprints 0.71
nicotine map4 0.62 mapchiral 0.71 scikit-fingerprints 0.62
TEXT
)
echo "$seen"
[[ $seen == "$want" ]] || { echo "MAP compares spellings otherwise than when this was found" >&2; exit 1; }
