package ranking_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"pacia/screen/ranking"
)

// TestKeptRowsAreThoseOfOneSpill: rows in three parts, many of them with one probability,
// come out as if one Spill had taken them all; the first five of each part are enough for
// the first five of all; and one bit of them that changed is noticed.
func TestKeptRowsAreThoseOfOneSpill(t *testing.T) {
	out := filepath.Join(t.TempDir(), "ranked.csv")
	spill := func() *ranking.Spill {
		s, err := ranking.NewSpill(out)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		return s
	}
	one, parts := spill(), []*ranking.Spill{spill(), spill(), spill()}
	for i := range 300 {
		fields := []string{strings.Repeat("C", 1+i%7), fmt.Sprintf("a \"%d\",\nb", i)}
		for _, s := range []*ranking.Spill{one, parts[i/100]} {
			if err := s.Add(fields, float32(i*7%10)/10, 1, 0); err != nil {
				t.Fatal(err)
			}
		}
	}
	written := func(s *ranking.Spill, top int) (string, error) {
		s.Top = top
		var b bytes.Buffer
		err := s.WriteRanked(&b, []string{"smiles", "name"}, func(p float32) float64 { return float64(p) }, nil)
		return b.String(), err
	}
	for _, top := range []int{0, 5} {
		want, err := written(one, top)
		if err != nil {
			t.Fatal(err)
		}
		for _, damage := range []bool{false, true} {
			all := spill()
			for i, p := range parts {
				var kept bytes.Buffer
				k, err := p.Keep(&kept, top)
				if err != nil || int64(kept.Len()) != k.Bytes || k.Ranked != 100 {
					t.Fatalf("part %d: %+v of %d bytes, %v", i, k, kept.Len(), err)
				}
				text := kept.Bytes()
				if damage && i == 1 {
					text[len(text)-30] ^= 1 // within the last row
				}
				if err := all.Take(bytes.NewReader(text), k); err != nil {
					t.Fatal(err)
				}
			}
			if all.Len() != 300 || all.Scores != one.Scores || all.Scores.Rows != 300 {
				t.Errorf("%d rows; %d are counted; want 300", all.Len(), all.Scores.Rows)
			}
			got, err := written(all, top)
			switch {
			case damage && (err == nil || !strings.Contains(err.Error(), "damaged")):
				t.Errorf("top %d: a bit that changed is not noticed: %v", top, err)
			case !damage && (err != nil || got != want):
				t.Errorf("top %d: (%v)\n%s\nwant\n%s", top, err, got, want)
			}
		}
	}
	if q := one.Scores.Quantile(0.5); q < 0.4 || q > 0.41 {
		t.Errorf("half of the probabilities 0, 0.1 … 0.9 are at most %v, want 0.4", q)
	}
}
