#!/usr/bin/env bash
# safetensors.numpy writes an array that is not laid out row by row (a transpose, an array in Fortran's order, a slice of columns)
# as its memory lies, with the shape it has: read back, numbers are in other places. Neither save nor load reports it.
# Release 0.7.0 copied such arrays, and safetensors.torch refuses such tensors. np.ascontiguousarray beforehand helps.
#
#   safetensors 0.8.0 and 0.7.0, numpy 2.4.6
#   expected  [[0, 3], [1, 4], [2, 5]] (0.7.0) or an error    seen  [[0, 1], [2, 3], [4, 5]] of the transpose of [[0, 1, 2], [3, 4, 5]]
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore
python3 -m pip install --quiet --no-deps --no-compile --target "$dir/numpy" numpy==2.4.6
for version in 0.7.0 0.8.0; do
	python3 -m pip install --quiet --no-deps --no-compile --target "$dir/$version" "safetensors==$version"
done
cat >"$dir/round.py" <<'PY'
import numpy as np
import safetensors
from safetensors.numpy import load, save

rows = np.arange(6, dtype=np.float32).reshape(2, 3)
for name, array in ("transpose", rows.T), ("Fortran", np.asfortranarray(rows)), ("columns", rows[:, 1:]), ("rows", rows[1:]):
    back = load(save({"weight": array}))["weight"]
    print(safetensors.__version__, name, np.array_equal(array, back), back.astype(int).tolist())
PY
seen=$(for version in 0.7.0 0.8.0; do PYTHONPATH=$dir/$version:$dir/numpy python3 "$dir/round.py"; done)
want=$(cat <<'TEXT'
0.7.0 transpose True [[0, 3], [1, 4], [2, 5]]
0.7.0 Fortran True [[0, 1, 2], [3, 4, 5]]
0.7.0 columns True [[1, 2], [4, 5]]
0.7.0 rows True [[3, 4, 5]]
0.8.0 transpose False [[0, 1], [2, 3], [4, 5]]
0.8.0 Fortran False [[0, 3, 1], [4, 2, 5]]
0.8.0 columns False [[1, 2], [3, 4]]
0.8.0 rows True [[3, 4, 5]]
TEXT
)
echo "$seen"
[[ $seen == "$want" ]] || { echo "safetensors writes arrays otherwise than when this was found" >&2; exit 1; }
