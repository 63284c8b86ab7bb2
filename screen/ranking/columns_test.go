package ranking

import (
	"encoding/csv"
	"path/filepath"
	"strings"
	"testing"

	"pacia/screen/trust"
)

// TestNearIsWritten: the nearest molecules are written with their names in the support set, which may contain
// any characters.
func TestNearIsWritten(t *testing.T) {
	s, err := NewSpill(filepath.Join(t.TempDir(), "ranked.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	support := Support{SMILES: []string{"CCO", "CCN", "CCC"}, Names: []string{"", "amine, \"ethyl\"", " x"}}
	s.Named = support.Called
	for i, n := range []trust.Near{{Active: 1, Inactive: 0, ToActive: 0.25, ToInactive: 1}, {Active: 2, Inactive: 0, ToActive: 0.5}} {
		if err := s.AddScore([]string{"C", "a,b"}[:2-i], Score{Probability: 0.5, Depth: 1, Mark: InSupportActive, Near: n}); err != nil {
			t.Fatal(err)
		}
	}
	var out strings.Builder
	if err := s.WriteRanked(&out, []string{"smiles", "note"}, func(p float32) float64 { return float64(p) }, nil); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(out.String())).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{
		"smiles|note|rank|probability|depth|in_support|nearest_active|nearest_active_tanimoto|nearest_inactive|nearest_inactive_tanimoto|domain",
		"C|a,b|1|0.5|1|active|amine, \"ethyl\"|0.250|CCO|1.000|inside",
		"C||2|0.5|1|active| x|0.500|CCO|0.000|inside",
	} {
		if got := strings.Join(rows[i], "|"); got != want {
			t.Errorf("row %d: %s, want %s", i, got, want)
		}
	}
}
