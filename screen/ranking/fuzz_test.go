package ranking

import (
	"bytes"
	"context"
	"testing"

	"pacia/data/label"
	"pacia/data/table"
	"pacia/harness/bounded"
	"pacia/internal/badinput"
)

// FuzzReadSupport: any file of labelled molecules is either read or refused by a badinput.Error.
func FuzzReadSupport(f *testing.F) {
	for _, text := range []string{
		"smiles,label\nCCO,1\nCCN,0\n", "smiles,active\nCCO,yes\nCCN,no\nCC,\n", "smiles;IC50 (uM)\nCCO;<0,5\nCCN;12\n", "smiles,label\nCCO,1\nCCO,0\n",
		"CCO 1\nCCN 0\n", "smiles,label\n\"C\nC\",1\n", "smiles\nC\n",
	} {
		f.Add([]byte(text))
	}
	measured, err := label.Settings{Below: "1", Units: "uM"}.Parse()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		bounded.Do(t, func() {
			for _, l := range []label.Tasks{{}, measured} {
				s, err := ReadSupport(context.Background(), "-", Options{Stdin: bytes.NewReader(text), Options: table.Options{SMILES: "smiles"}}, l)
				if err != nil {
					if !badinput.Is(err) {
						t.Errorf("%v, want a fault", err)
					}
					continue
				}
				if len(s.SMILES) != len(s.Labels) || len(s.SMILES) != len(s.Lines) {
					t.Errorf("%d molecules, %d labels, %d lines", len(s.SMILES), len(s.Labels), len(s.Lines))
				}
			}
		})
	})
}
