#!/usr/bin/env bash
# Splitters of astartes that spread training data over the space of molecules put one molecule of two rows on both sides of the split.
#
#   astartes 1.3.1, scikit-learn 1.9.1; fifty molecules as points, each in two rows
#   expected  a duplicate of a training row adds nothing to the coverage, and a test row at distance 0 is not a test of extrapolation:
#             both rows of a molecule on one side, as with its scaffold and cluster splitters
#   seen      kennard_stone and spxy divide 30 of the 50 molecules, optisim 22; dbscan and kmeans none
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore
python3 -m pip install -qqq --no-compile --target "$dir" astartes==1.3.1 scikit-learn==1.9.1 numpy==2.4.6
seen=$(PYTHONPATH=$dir python3 - 2>/dev/null <<'PY'
import numpy as np
from astartes import train_test_split

points = np.random.default_rng(0).normal(size=(50, 8))
x = np.vstack([points, points])
for sampler in ("kennard_stone", "spxy", "optisim", "dbscan", "kmeans"):
    *_, train, test = train_test_split(x, y=x[:, 0], train_size=0.7, test_size=0.3, sampler=sampler, return_indices=True, random_state=0)
    print(f"{sampler}: {len(set(np.asarray(train) % 50) & set(np.asarray(test) % 50))} of 50 molecules on both sides")
PY
)
want=$(cat <<'TEXT'
kennard_stone: 30 of 50 molecules on both sides
spxy: 30 of 50 molecules on both sides
optisim: 22 of 50 molecules on both sides
dbscan: 0 of 50 molecules on both sides
kmeans: 0 of 50 molecules on both sides
TEXT
)
echo "$seen"
[[ $seen == "$want" ]] || { echo "astartes divides duplicates otherwise than when this was found" >&2; exit 1; }
