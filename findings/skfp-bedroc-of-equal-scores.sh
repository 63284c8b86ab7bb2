#!/usr/bin/env bash
# The early-recognition metrics of scikit-fingerprints depend on the order of the rows where scores are equal, though they are called like
# those of scikit-learn, with labels and scores. A model that has one score for all molecules is perfect if the file has actives first.
#
#   scikit-fingerprints 2.1.0, rdkit 2026.3.5; ten actives of a hundred molecules, all of one score, actives first and last
#   expected  the mean over the orders of equal rows, as roc_auc_score of scikit-learn has it: an enrichment of 1
#   seen      BEDROC 1 and an enrichment of 10 with the actives first, 0 and 0 with the actives last; roc_auc_score 0.5 both times
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore
python3 -m pip install -qqq --no-compile --target "$dir" rdkit==2026.3.5 numpy==2.4.6 scikit-learn==1.9.1 scikit-fingerprints==2.1.0
seen=$(PYTHONPATH=$dir python3 - 2>/dev/null <<'PY'
import numpy as np
from skfp.metrics import bedroc_score, enrichment_factor
from sklearn.metrics import roc_auc_score

labels, scores = np.repeat([1, 0], [10, 90]), np.full(100, 0.5)
for order, y in (("actives first", labels), ("actives last", labels[::-1])):
    print(f"{order}: BEDROC {bedroc_score(y, scores):.2f}, enrichment at 10 % {enrichment_factor(y, scores, fraction=0.1):.0f},",
          f"ROC-AUC {roc_auc_score(y, scores):.2f}")
PY
)
want=$(cat <<'TEXT'
actives first: BEDROC 1.00, enrichment at 10 % 10, ROC-AUC 0.50
actives last: BEDROC 0.00, enrichment at 10 % 0, ROC-AUC 0.50
TEXT
)
echo "$seen"
[[ $seen == "$want" ]] || { echo "scikit-fingerprints counts equal scores otherwise than when this was found" >&2; exit 1; }
