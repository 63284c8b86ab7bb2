package serve

import (
	"strings"
	"testing"
)

// TestNumbersOfWorkbooks: cells become numbers in a workbook with the right number of decimals, and values in
// an SD file that look like its syntax become text.
func TestNumbersOfWorkbooks(t *testing.T) {
	for _, tt := range []struct {
		cell     string
		n        float64
		decimals int
		is       bool
	}{
		{"0.5", 0.5, 1, true}, {"0.450", 0.45, 3, true}, {"10", 10, 0, true}, {"-2.10", -2.1, 2, true}, {"0", 0, 0, true},
		{"00123", 0, 0, false}, {"1e5", 0, 0, false}, {"1.", 0, 0, false}, {".5", 0, 0, false}, {"12345678901234567890", 0, 0, false}, {"0.12345678901234567890", 0, 0, false}, {"A1", 0, 0, false}, {"", 0, 0, false},
	} {
		n, decimals, is := numberOf(tt.cell)
		if is != tt.is || is && (n != tt.n || decimals != tt.decimals) {
			t.Errorf("%q: %v with %d decimals (%v), want %v with %d (%v)", tt.cell, n, decimals, is, tt.n, tt.decimals, tt.is)
		}
	}
	if got, want := dataLines("a\n\n> <b>\n$$$$"), "a\n > <b>\n $$$$"; got != want {
		t.Errorf("lines %q, want %q", strings.Split(got, "\n"), want)
	}
}
