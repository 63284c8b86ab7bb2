package table

import "testing"

// TestUnitsOfFormats: the unit that a number format shows is found, unless it depends on the number.
func TestUnitsOfFormats(t *testing.T) {
	for format, want := range map[string]string{
		`0.0" nM"`: "nM", `0.0\ "µM"`: "µM", `0.00E+00" mM"`: "mM", `#,##0" nM"`: "nM", `[Red]0" nM";[Blue]-0" nM";;@`: "nM", `0_d" ug/ml"`: "ug/ml",
		`0.0" nM/h"`: "", `0" %"`: "", `0.0" kcal/mol"`: "", `[<1000]0" nM";0.0," µM"`: "", `0.0,"µM"`: "", `[<1]0.0" nM";0" uM"`: "", "0.0": "", `"IC50 "0" nM"`: "",
	} {
		if got := unitOf(format); got != want {
			t.Errorf("%s: %q, want %q", format, got, want)
		}
	}
}
