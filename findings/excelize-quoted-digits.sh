#!/usr/bin/env bash
# excelize shows a number by a format whose text in quotation marks has digits: they become places for digits. Excel and
# LibreOffice show such text as it is, as ECMA-376 (18.8.31) has it.
#
#   excelize 2.10.1, its parser nfp 0.0.2-0.20250530014748-2ddeb826f9a9
#   expected  >10000 nM      seen  >120000 nM     20000 by ">10000 nM"
#   expected  10 uM: 3.0     seen  103 uM: .0     3 by "10 uM: "0.0
#   expected  CPD-7-12       seen  CPD-7-12       12 by "CPD-7-"0, as the place is the last one
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/shown-by-excelize"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
cat >cases <<'CASES'
20000	">10000 nM"
3	"10 uM: "0.0
12	"CPD-7-"0
CASES
seen=$(shown_by_excelize <cases | cut -f 3)
echo "$seen"
[[ $seen == $'>120000 nM\n103 uM: .0\nCPD-7-12' ]] || { echo "excelize shows other texts than when this was found" >&2; exit 1; }
