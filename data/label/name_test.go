package label

import (
	"strings"
	"testing"

	"pacia/internal/badinput"
)

// TestNames: the unit in a column's name, in any position, and the side on which actives usually are.
func TestNames(t *testing.T) {
	for _, tt := range []struct {
		name, units string // joined by commas
		log         bool
		usual       side
	}{
		{"IC50 (nM)", "nM", false, below}, {"IC50 [µM]", "µM", false, below}, {"IC50_nM", "nM", false, below}, {"IC50, uM", "uM", false, below},
		{"IC50 (uM, n=3)", "uM", false, below}, {"IC50 uM mean", "uM", false, below}, {"IC50 (nM) human", "nM", false, below}, {"IC50 (nM)*", "nM", false, below},
		{"Ki (nM) at 10 uM ATP", "nM", false, below}, {"IC50-nM", "nM", false, below}, {"Ki (nM), 10 uM", "nM", false, below}, {"IC50/nM", "nM", false, below},
		{"IC50 (nM) (n=3)", "nM", false, below}, {"Protease assay: IC50 (uM) [Target: X, Readout: FI]", "uM", false, below},
		{"IC50 (umol/L)", "umol/L", false, below}, {"EC50 nmol L-1", "nmolL-1", false, below}, {"MIC (ug/mL) E. coli", "ug/mL", false, below}, {"IC50 (micromolar)", "micromolar", false, below},
		{"IC50 (M)", "M", false, below}, {"M series IC50", "", false, below}, {"IC50_UM", "UM", false, below}, {"IC50 (MM)", "", false, below}, {"IC50 (mM)", "mM", false, below},
		{"% inhibition at 10 uM", "%", false, above}, {"Inhibition (%)", "%", false, above}, {"Inhibition_10uM_%", "%", false, above}, {"%inh", "%", false, above}, {"viability %", "%", false, below},
		{"IC50 (uM), 10% FBS", "uM", false, below}, {"pIC50", "", true, above}, {"pChEMBL Value", "", true, above}, {"-log IC50 (M)", "M", true, above}, {"-log10(Ki)", "", true, above}, {"ln IC50 (nM)", "nM", true, below}, {"Ki ln", "", true, below}, {"-ln Kd", "", true, above}, {"CLN3 IC50", "", false, below},
		{"log IC50", "", true, below}, {"logIC50 (uM)", "uM", true, below}, {"pKi (human)", "", true, above}, {"Selectivity IC50 ratio", "", false, either}, {"IC50 nM or uM", "nM,uM", false, below},
		// A number before a bracket belongs to the measurement, and two words may be one endpoint.
		{"IC_50 (nM)", "nM", false, below}, {"EC 50 [nM]", "nM", false, below}, {"IC_50_nM", "nM", false, below},
		{"pIC 50", "", true, above}, {"IC.50..nM.", "nM", false, below},
		{"IC50..M.", "M", false, below}, {"MCF 7 (nM)", "nM", false, either}, {"IC50_1 (nM)", "nM", false, below},
		{"IC50 Replicate 1 (nM)", "nM", false, below},
		{"IC50 2024 (nM)", "nM", false, below}, {"IC50, 72 (nM)", "nM", false, below},
		{"IC50_1 (nM, mean)", "nM", false, below}, {"IC50 (n=3, nM)", "nM", false, below},
		{"IC50 (nM±SEM)", "nM", false, below}, {"IC50 (nM+/-SD)", "nM", false, below}, {"IC50 (n M)", "nM", false, below},
		{"Ki (10 uM ATP)", "", false, below}, {"M1 IC50", "", false, below},
		// Logarithms of any endpoint.
		{"LogAC50 (M)", "M", true, below}, {"Fit_LogAC50", "", true, below}, {"logCC50", "", true, below},
		{"Log GI50 [M]", "M", true, below}, {"LOG_XC50", "", true, below},
		{"logEC10", "", true, below}, {"lg(IC50)", "", true, below}, {"log10 LC50 (mol/L)", "mol/L", true, below},
		{"-logAC50", "", true, above}, {"NLOGGI50", "", true, above},
		{"pAC50", "", true, above}, {"pXC50 (human)", "", true, above}, {"pGI50", "", true, above}, {"pCC50", "", true, above},
		{"pEC90", "", true, above}, {"logD (pH 7.4)", "", false, either},
		{"EC10 (uM)", "uM", false, below}, {"SC50, uM", "uM", false, below},
		// Letters of other keyboards and programs.
		{"IC50（μM）", "μM", false, below}, {"ＩＣ５０（ｎＭ）", "nM", false, below}, {"IC50【nM】", "nM", false, below},
		{"IC50 (u\u200bM)", "uM", false, below}, {"IC50\ufeff (nM)", "nM", false, below},
		{"IC50 (mcM)", "mcM", false, below}, {"IC50, micro M", "microM", false, below}, {"IC50 (micro M, n=3)", "microM", false, below},
		{"Ki nano molar", "nanomolar", false, below},
		{"IC50 (&micro;M)", "µM", false, below}, {"IC50 (&#956;M)", "μM", false, below},
		{"IC50&nbsp;(&mu;mol/L)", "μmol/L", false, below}, {"IC₅₀ (nM)", "nM", false, below}, {"pIC₅₀", "", true, above},
		{"IC50 (мкМ)", "мкМ", false, below}, {"IC50 (нМ)", "нМ", false, below}, {"IC50 (μΜ)", "μΜ", false, below},
		{"IC50 (micromoles/L)", "micromoles/L", false, below},
		{"IC50 〔µM〕", "µM", false, below}, {"IC50 (𝜇M)", "μM", false, below},
		{"active", "", false, either}, {"value", "", false, either}, {"logP", "", false, either}, {"absorbance 450 nm", "", false, either},
	} {
		got := parseName(tt.name)
		var units []string
		for _, u := range got.units {
			units = append(units, u.name)
		}
		if strings.Join(units, ",") != tt.units || got.log != tt.log || got.usual != tt.usual {
			t.Errorf("%s: units %v, logarithms %v, side %d; want %s, %v, %d", tt.name, units, got.log, got.usual, tt.units, tt.log, tt.usual)
		}
	}
}

// TestUnitsOfNames: the unit in a column's name is used, or the column is refused.
func TestUnitsOfNames(t *testing.T) {
	for _, tt := range []struct {
		header, unit, valueUnit, want string
	}{
		{"IC50 (nM) mean", "uM", "", "aaaii"}, {"IC50 (uM) mean", "uM", "", "aiiii"}, {"IC50 (uM)", "uM", "nM", "aaaii"},
		{"IC50", "uM", "", "aiiii"}, {"IC50 (MM)", "uM", "", `the unit MM of "IC50 (MM)" is not known; write the unit of its values as --value-unit, and that of the threshold as --unit`},
		{"IC50nM", "uM", "", "aaaii"}, {"IC50 (10^-6 M)", "uM", "", `the unit 10^-6 M of "IC50 (10^-6 M)" is not known; write the unit of its values as --value-unit, and that of the threshold as --unit`},
		{"IC50 (×10⁻⁹ M)", "uM", "", `the unit ×10⁻⁹ M of "IC50 (×10⁻⁹ M)" is not known; write the unit of its values as --value-unit, and that of the threshold as --unit`},
		{"IC50 [æM]", "nM", "", `the unit æM of "IC50 [æM]" is not known; write the unit of its values as --value-unit, and that of the threshold as --unit`}, // µ of code page 850
		{"IC50 (\ufffdM)", "nM", "", "the unit \ufffdM of \"IC50 (\ufffdM)\" is not known; write the unit of its values as --value-unit, and that of the threshold as --unit"},
		{"IC50 (ÂµM)", "nM", "", "iiiii"}, {"IC50 (Î¼M)", "uM", "", "aiiii"}, {"IC50 · nM", "uM", "", "aaaii"}, {"MIC (mcg/mL)", "mg/l", "", "aiiii"},
		{"IC50 (10^-9M)", "uM", "", `the unit 10^-9M of "IC50 (10^-9M)" is not known; write the unit of its values as --value-unit, and that of the threshold as --unit`},
		{"IC50 (nmol)", "uM", "", `the unit nmol of "IC50 (nmol)" is not known; write the unit of its values as --value-unit, and that of the threshold as --unit`},
		{"IC50 (ng)", "uM", "", `the unit ng of "IC50 (ng)" is not known; write the unit of its values as --value-unit, and that of the threshold as --unit`},
		{"IC50_1 nM", "uM", "", `1 nM in the name "IC50_1 nM" may be a condition, or nM the unit of the values; write the unit of its values as --value-unit, and that of the threshold as --unit`},
		{"IC50_1 nM", "uM", "nM", "aaaii"}, {"IC50 at 10 nM ATP", "uM", "", "aiiii"}, {"IC50 @ 10 nM ATP", "uM", "", "aiiii"},
		{"IC50 (nmol)", "uM", "nM", "aaaii"},
		{"IC50 nM or uM", "uM", "", `the name "IC50 nM or uM" holds several units; write the unit of its values as --value-unit, and that of the threshold as --unit`},
		{"pIC50", "uM", "", `the values of "pIC50" are logarithms, and the threshold has the unit uM; write the threshold as a logarithm, without --unit`},
		{"Ki (%)", "uM", "", `the unit % cannot be compared with the threshold's, uM; write --unit, that of the threshold, or choose another column with --label`},
	} {
		rule, err := NewRule("1", "", tt.unit, 0)
		if err != nil {
			t.Fatal(err)
		}
		r, err := reading(t, Column{Name: tt.header, Rule: rule, Choices: Choices{ValueUnit: tt.valueUnit}}, "0.5|50|200|5000|20000")
		got := ""
		if err != nil {
			got = err.(*badinput.Error).What + "; " + err.(*badinput.Error).Fix //nolint:errorlint // of this package
		} else {
			for _, v := range r.Verdicts {
				got += string("iamuxo"[v])
			}
		}
		if got != tt.want {
			t.Errorf("%s, below 1 %s:\n got %s\nwant %s", tt.header, tt.unit, got, tt.want)
		}
	}
}
