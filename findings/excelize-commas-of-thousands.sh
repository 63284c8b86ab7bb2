#!/usr/bin/env bash
# excelize takes every comma of a number format for a separator. A comma behind the last place divides by a thousand instead
# (ECMA-376, 18.8.31), as chemists use it to show nM in µM. So the shown number is a thousand times too large, with the
# smaller number's unit beside it. SheetJS's formatter shows the right one.
#
#   excelize 2.10.1 with nfp 0.0.2-0.20250530014748-2ddeb826f9a9, ssf 0.11.2 (the last three lines)
#   expected  20.0 µM             seen  20,000.0 µM         20000 by 0.0," µM"
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/shown-by-excelize"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
cat >cases <<'CASES'
20000	0.0," µM"
20000	0.0,
2000000	0.00,,
CASES
seen=$( (shown_by_excelize <cases && shown_by_ssf <cases) | awk -F '\t' '{ print $1 " by " $2 ": " $3 }')
want=$(cat <<'TEXT'
20000 by 0.0," µM": 20,000.0 µM
20000 by 0.0,: 20,000.0
2e+06 by 0.00,,: 2,000,000.00,
20000 by 0.0," µM": 20.0 µM
20000 by 0.0,: 20.0
2000000 by 0.00,,: 2.00
TEXT
)
echo "$seen"
[[ $seen == "$want" ]] || { echo "excelize shows other texts than when this was found" >&2; exit 1; }
