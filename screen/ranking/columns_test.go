package ranking

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pacia/model"
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
	support := &Support{SMILES: []string{"CCO", "CCN", "CCC"}, Names: []string{"", "amine, \"ethyl\"", " x"}}
	s.Nearest = support
	for i, n := range []trust.Near{{Active: 1, Inactive: 0, ToActive: 0.25, ToInactive: 1}, {Active: 2, Inactive: 0, ToActive: 0.5}} {
		score := Score{Score: model.Score{Probability: 0.5, Depth: 1}, Mark: InSupportActive, Near: n}
		if err := s.AddScore(Row{Fields: []string{"C", "a,b"}[:2-i]}, score); err != nil {
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

// TestColumnsAreDocumented: docs/ranking.md has the table of all columns.
func TestColumnsAreDocumented(t *testing.T) {
	var b strings.Builder
	var lines [][2]string // names and text
	for _, c := range columns {
		if c.Stored {
			continue
		}
		at := slices.IndexFunc(lines, func(line [2]string) bool { return line[1] == c.About })
		if at < 0 {
			lines = append(lines, [2]string{"`" + c.Name + "`", c.About})
		} else {
			lines[at][0] += ", `" + c.Name + "`"
		}
	}
	for _, line := range lines {
		fmt.Fprintf(&b, "| %s | %s |\n", line[0], line[1])
	}
	text, err := os.ReadFile("../../docs/ranking.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), b.String()) {
		t.Errorf("docs/ranking.md lacks the table of columns:\n%s", b.String())
	}
}
