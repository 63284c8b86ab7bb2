package serve_test

import (
	"encoding/json"
	"slices"
	"testing"
)

// TestColumnsOfMeasurements: a preview marks the columns that hold measurements. Molecules, names
// and labels are not among them.
func TestColumnsOfMeasurements(t *testing.T) {
	url := start(t, nil)
	for _, c := range []struct {
		text string
		want []string
	}{
		{"id,smiles,IC50 (nM),note\n1,CCO,12,a\n2,CCN,> 1000,b\n3,CCC,1.2e3,c\n", []string{"IC50 (nM)"}},
		{"smiles,active\nCCO,1\nCCN,0\nCCC,0\n", nil},
		{"smiles;pKi;mw\nCCO;6,1;46\nCCN;7,0;45\nCCC;;44\n", []string{"pKi", "mw"}},
		{"smiles,IC50\nCCO,12 uM\nCCN,n.d.\nCCC,not active\n", nil},
	} {
		var p struct {
			Columns []struct {
				Name   string
				Values bool
			}
		}
		if err := json.Unmarshal([]byte(body(t, post(t, url+"/v1/read", field{"support", "s.csv", c.text}))), &p); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, column := range p.Columns {
			if column.Values {
				got = append(got, column.Name)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: columns of measurements %q, want %q", c.text, got, c.want)
		}
	}
}
