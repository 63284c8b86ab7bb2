#!/usr/bin/env bash
# excelize shows a number by a format whose text in quotation marks has digits: they become places for digits. Excel and
# LibreOffice show such text as it is, as ECMA-376 (18.8.31) has it.
#
#   excelize 2.10.1, its parser nfp 0.0.2-0.20250530014748-2ddeb826f9a9
#   expected  >10000 nM      seen  >120000 nM     20000 by ">10000 nM"
#   expected  10 uM: 3.0     seen  103 uM: .0     3 by "10 uM: "0.0
#   expected  CPD-7-12       seen  CPD-7-12       12 by "CPD-7-"0, as the place is the last one
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
	}{{`">10000 nM"`, 20000}, {`"10 uM: "0.0`, 3}, {`"CPD-7-"0`, 12}} {
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
		fmt.Println(shown)
	}
}
GO
export GOFLAGS=-mod=mod
go mod init finding >/dev/null 2>&1
go get github.com/xuri/excelize/v2@v2.10.1 github.com/xuri/nfp@v0.0.2-0.20250530014748-2ddeb826f9a9 >/dev/null 2>&1
seen=$(go run .)
echo "$seen"
[[ $seen == $'>120000 nM\n103 uM: .0\nCPD-7-12' ]] || { echo "excelize shows other texts than when this was found" >&2; exit 1; }
