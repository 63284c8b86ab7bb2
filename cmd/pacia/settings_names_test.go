package main

import "testing"

// TestFaultsNameWhatTheCommandTakes checks that errors of training name settings: it has no flags
// about files.
func TestFaultsNameWhatTheCommandTakes(t *testing.T) {
	exampleFolder(t)
	put(t, "assay.csv", "smiles,IC50 (nM)\nCCO,12\nCCN,700\nCCC,30\n")
	const fault = `pacia: assay.csv: row 2, column IC50 (nM): label "12" is a measurement, and 3 of 3 cells are like it; define what is active with `
	wantFault(t, fault+"data.active_below or data.active_above and data.unit, or choose another column with data.label, or leave this one out with data.ignore",
		"train", "--set", "data.path=assay.csv")
	wantFault(t, "pacia: gone.pth: cannot be read: no such file or directory; check model.pretrained",
		"train", "--set", "model.pretrained=gone.pth", "--set", "threads=1")
	wantFault(t, "pacia: pacia train: unknown flag: --value-unit; write --set data.value_unit=VALUE", "train", "--value-unit", "nM")
	wantFault(t, fault+"--active-below or --active-above and --unit, or choose another column with --label",
		"predict", "--support", "assay.csv", "--candidates", "assay.csv", "--out", "ranked.csv")
}
