package serve_test

import (
	"strings"
	"testing"
)

// TestRowsOfAssays: requests choose the rows of the support set, and the column, threshold and rows of unwanted assays.
func TestRowsOfAssays(t *testing.T) {
	url := start(t, nil)
	const long = "smiles,Target,IC50 (nM)\nCCO,Abl,20\nCCO,hERG,700\nCCCO,Abl,300\nCCCO,hERG,30000\n" +
		"CCN,Abl,9000\nCCN,hERG,12000\nCCCN,Abl,4000\nCCCN,hERG,30000\n"
	support, library := field{"support", "s.csv", long}, field{"library", "l.csv", "smiles\nCCCCO\nCCCCN\n"}
	below, unit := field{name: "active_below", value: "1"}, field{name: "unit", value: "uM"}
	rows, counter := field{name: "rows", value: "Target = Abl"}, field{"against", "s.csv", long}
	own := field{name: "against_assay", value: "IC50 (nM) < 10 uM; Target = hERG"}
	for name, tt := range map[string]struct {
		status int
		want   string
		fields []field
	}{
		"both targets": {422, `write rows "Target = Abl", or another value`, []field{support, library, below, unit}},
		"one target":   {200, `"inactive":2,"active":2`, []field{support, library, below, unit, rows}},
		"the same assay": {422, "is the assay of the support set itself", []field{support, library, below, unit, rows, counter,
			{name: "against_assay", value: "< 2 uM; Target = Abl"}}},
		"another assay of several": {422, `write behind a semicolon in against_assay "Target = hERG"`,
			[]field{support, library, below, unit, rows, counter, {name: "against_assay", value: "IC50 (nM) < 10 uM"}}},
		"another target":      {200, `"selectivity"`, []field{support, library, below, unit, rows, counter, own}},
		"an assay of no file": {400, "there are more against_assay than files of against", []field{support, library, below, unit, rows, own}},
		"no condition":        {400, `the condition "Target" cannot be read`, []field{support, library, below, unit, {name: "rows", value: "Target"}}},
	} {
		r := post(t, url+"/v1/rank", tt.fields...)
		if text := strings.ReplaceAll(body(t, r), `\"`, `"`); r.StatusCode != tt.status || !strings.Contains(text, tt.want) {
			t.Errorf("%s: %s, %.600s; want %d with %q", name, r.Status, text, tt.status, tt.want)
		}
	}
}
