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
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
cat >main.go <<'GO'
package main

import (
	"fmt"

	"github.com/xuri/excelize/v2"
)

func main() {
	f := excelize.NewFile()
	for i, c := range []struct {
		format string
		value  float64
	}{
		{`[<10]"<LOD";0.0`, 50},
		{`[<10]"<LOD";0.0`, 5},
		{`0.0;-0.0;"n/a"`, 0},
		{`0.0E+0`, 0.00012},
	} {
		style, err := f.NewStyle(&excelize.Style{CustomNumFmt: &c.format})
		if err != nil {
			panic(err)
		}
		cell := fmt.Sprintf("A%d", i+1)
		if err := f.SetCellValue("Sheet1", cell, c.value); err != nil {
			panic(err)
		}
		if err := f.SetCellStyle("Sheet1", cell, cell, style); err != nil {
			panic(err)
		}
		shown, err := f.GetCellValue("Sheet1", cell)
		if err != nil {
			panic(err)
		}
		fmt.Printf("%v by %s: %s\n", c.value, c.format, shown)
	}
}
GO
cat >peer.js <<'JS'
const SSF = require("ssf");
for (const [format, value] of [
	['[<10]"<LOD";0.0', 50],
	['[<10]"<LOD";0.0', 5],
	['0.0;-0.0;"n/a"', 0],
	['0.0E+0', 0.00012],
]) console.log(`${value} by ${format}: ${SSF.format(format, value)}`);
JS
export GOFLAGS=-mod=mod
go mod init finding >/dev/null 2>&1
go get github.com/xuri/excelize/v2@v2.10.1 github.com/xuri/nfp@v0.0.2-0.20250530014748-2ddeb826f9a9 >/dev/null 2>&1
npm install --silent --no-audit --no-fund ssf@0.11.2 >/dev/null
seen=$(go run . && node peer.js)
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
