package rdkit

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"os"
	"slices"
	"strings"
	"testing"
)

// alerted returns molecules with and without alerts: some of the embedded data set, and some reactive ones.
func alerted(t testing.TB) (smiles []string) {
	t.Helper()
	packed, err := os.ReadFile("../embedded/embedded.csv.gz")
	if err != nil {
		t.Fatal(err)
	}
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(r).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows[1:251] {
		smiles = append(smiles, row[0])
	}
	return append(smiles, "O=C1CSC(=S)N1", "O=C1NC(=S)SC1=Cc1ccccc1", "CC(=O)Cl", "CCCCCCCCCCBr", "O=C1C=CC(=O)C=C1",
		"N#CC(C#N)=Cc1ccc(O)cc1", "C=CC(=O)N", "OO", "[Na+].[Cl-]")
}

// TestAlertsByCatalog: the screening by fingerprints loses no match. Alerts are those of RDKit's
// FilterCatalog.
func TestAlertsByCatalog(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	found := 0
	for _, smiles := range alerted(t) {
		got, _, err := Structure{Alerts: true}.Of(t.Context(), smiles)
		if err != nil {
			t.Fatal(smiles, err)
		}
		want, _, err := Structure{byCatalog: true}.Of(t.Context(), smiles)
		if err != nil {
			t.Fatal(smiles, err)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: alerts %q, want %q", smiles, got, want)
		}
		if strings.Join(want, "") != "" {
			found++
		}
	}
	if found < 50 {
		t.Errorf("%d molecules have alerts: too few for the test", found)
	}
}

// BenchmarkAlerts times both ways.
func BenchmarkAlerts(b *testing.B) {
	all := alerted(b)
	for name, by := range map[string]Structure{"catalog": {byCatalog: true}, "fingerprints": {Alerts: true}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				for _, smiles := range all {
					if _, _, err := by.Of(b.Context(), smiles); err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(all)), "µs/molecule")
		})
	}
}
