#!/usr/bin/env bash
# excelize chooses a number format's section by its sign alone. Conditions in brackets are not read, zero is shown by the
# section for positive numbers although there is one for zero, and an exponent of one place (E+0) is left out. SheetJS's
# formatter does all three, as ECMA-376 (18.8.31) has it.
#
#   excelize 2.10.1 with nfp 0.0.2-0.20250530014748-2ddeb826f9a9, ssf 0.11.2 (the second half)
#   expected  50.0                seen  <LOD                50 by [<10]"<LOD";0.0
#   expected  n/a                 seen  0.0                 0 by 0.0;-0.0;"n/a"
#   expected  1.2E-4              seen  0.00012             0.00012 by 0.0E+0
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/shown-by-excelize"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
cat >cases <<'CASES'
50	[<10]"<LOD";0.0
5	[<10]"<LOD";0.0
0	0.0;-0.0;"n/a"
0.00012	0.0E+0
CASES
seen=$( (shown_by_excelize <cases && shown_by_ssf <cases) | awk -F '\t' '{ print $1 " by " $2 ": " $3 }')
want=$(cat <<'TEXT'
50 by [<10]"<LOD";0.0: <LOD
5 by [<10]"<LOD";0.0: <LOD
0 by 0.0;-0.0;"n/a": 0.0
0.00012 by 0.0E+0: 0.00012
50 by [<10]"<LOD";0.0: 50.0
5 by [<10]"<LOD";0.0: <LOD
0 by 0.0;-0.0;"n/a": n/a
0.00012 by 0.0E+0: 1.2E-4
TEXT
)
echo "$seen"
[[ $seen == "$want" ]] || { echo "excelize shows other texts than when this was found" >&2; exit 1; }
