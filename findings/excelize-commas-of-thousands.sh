#!/usr/bin/env bash
# excelize takes every comma of a number format for a separator. A comma behind the last place divides by a thousand instead
# (ECMA-376, 18.8.31), as chemists use it to show nM in µM. So the shown number is a thousand times too large, with the
# smaller number's unit beside it. SheetJS's formatter shows the right one.
#
#   excelize 2.10.1 with nfp 0.0.2-0.20250530014748-2ddeb826f9a9, ssf 0.11.2 (the last three lines)
#   expected  20.0 µM             seen  20,000.0 µM         20000 by 0.0," µM"
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
		{`0.0," µM"`, 20000},
		{`0.0,`, 20000},
		{`0.00,,`, 2000000},
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
	['0.0," µM"', 20000],
	['0.0,', 20000],
	['0.00,,', 2000000],
]) console.log(`${value} by ${format}: ${SSF.format(format, value)}`);
JS
export GOFLAGS=-mod=mod
go mod init finding >/dev/null 2>&1
go get github.com/xuri/excelize/v2@v2.10.1 github.com/xuri/nfp@v0.0.2-0.20250530014748-2ddeb826f9a9 >/dev/null 2>&1
npm install --silent --no-audit --no-fund ssf@0.11.2 >/dev/null
seen=$(go run . && node peer.js)
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
