package serve

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"pacia/data/rdkit"
)

// TestOnDark: every colour of a drawing has a contrast of at least 4.5 to 1 with the page's dark background,
// as WCAG requires of text. Elements with different colours still have different ones.
func TestOnDark(t *testing.T) {
	svg, err := rdkit.Draw(t.Context(), "Fc1ccc(Cl)c(Br)c1S(=O)(=O)NCP(I)C", 300, 200)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, c := range colour.FindAllString(string(onDark(svg)), -1) {
		seen[c] = true
		if r := contrast(t, c, "#191F21"); r < 4.5 {
			t.Errorf("%s on dark: a contrast of %.1f", c, r)
		}
	}
	if was := map[string]bool{}; len(seen) < 8 {
		for _, c := range colour.FindAllString(string(svg), -1) {
			was[c] = true
		}
		t.Errorf("%d colours of %d", len(seen), len(was))
	}
	if got := string(onDark([]byte("<path style='stroke:#000000'/>"))); !strings.Contains(got, "#D8D8D8") {
		t.Errorf("black has become %s", got)
	}
}

// contrast returns the contrast ratio of two colours as WCAG 2 defines it.
func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	light := func(c string) float64 {
		var sum float64
		for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
			v, err := strconv.ParseUint(c[1+2*i:3+2*i], 16, 8)
			if err != nil {
				t.Fatal(err)
			}
			x := float64(v) / 255
			if x <= 0.03928 {
				x /= 12.92
			} else {
				x = math.Pow((x+0.055)/1.055, 2.4)
			}
			sum += weight * x
		}
		return sum + 0.05
	}
	return max(light(a)/light(b), light(b)/light(a))
}
