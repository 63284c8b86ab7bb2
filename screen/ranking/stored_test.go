package ranking_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"pacia/screen/ranking"
)

// TestStoredRowsAreThoseOfOneSpill: rows in three parts, many with equal probabilities, are ranked as in one
// Spill. The first five rows of each part suffice for the first five of all. A single changed bit is detected.
func TestStoredRowsAreThoseOfOneSpill(t *testing.T) {
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
		for damage, spoil := range map[string]func([]byte) []byte{
			"":                            nil,
			"a bit changed":               func(b []byte) []byte { b[len(b)-5] ^= 1; return b }, // within the last row
			"it is cut in a row's text":   func(b []byte) []byte { return b[:len(b)-30] },
			"it is cut in a row's header": func(b []byte) []byte { return b[:10] },
		} {
			all := spill()
			for i, p := range parts {
				var kept bytes.Buffer
				k, err := p.Store(&kept, ranking.RowLimit{Rows: top}, i > 0)
				if err != nil || int64(kept.Len()) != k.Bytes || k.Ranked != 100 {
					t.Fatalf("part %d: %+v of %d bytes, %v", i, k, kept.Len(), err)
				}
				text := kept.Bytes()
				if spoil != nil && i == 1 {
					text = spoil(text)
				}
				if err := all.Append(bytes.NewReader(text), k); err != nil {
					t.Fatal(err)
				}
			}
			if all.Len() != 300 || all.Scores != one.Scores || all.Scores.Rows != 300 {
				t.Errorf("%d rows; %d are counted; want 300", all.Len(), all.Scores.Rows)
			}
			got, err := written(all, top)
			switch {
			case damage != "" && (err == nil || !strings.Contains(err.Error(), "damaged")):
				t.Errorf("top %d: %s, which is not detected: %v", top, damage, err)
			case damage == "" && (err != nil || got != want):
				t.Errorf("top %d: (%v)\n%s\nwant\n%s", top, err, got, want)
			}
		}
	}
	// The first 50 are in the support set.
	for most, want := range map[ranking.RowLimit]int{{Rows: 30}: 30, {Rows: 30, New: 10}: 60, {New: 40}: 90} {
		s := spill()
		for i := range 100 {
			mark := ranking.Mark(0)
			if i < 50 {
				mark = ranking.InSupportActive
			}
			if err := s.Add([]string{"molecule"}, 1-float32(i)/100, 1, mark); err != nil {
				t.Fatal(err)
			}
		}
		var kept bytes.Buffer
		if _, err := s.Store(&kept, most, true); err != nil {
			t.Fatal(err)
		}
		if got := bytes.Count(kept.Bytes(), []byte("molecule")); got != want {
			t.Errorf("%+v: %d rows are kept, want %d", most, got, want)
		}
	}
	if q := one.Scores.Quantile(0.5); q < 0.4 || q > 0.41 {
		t.Errorf("half of the probabilities 0, 0.1 … 0.9 are at most %v, want 0.4", q)
	}
}
