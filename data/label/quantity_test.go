package label

import "testing"

func TestQuantities(t *testing.T) {
	for cell, want := range map[string]string{ // sign, number and unit; empty: not a quantity
		"85": "= 85 ", "-5": "= -5 ", "5 mg": "= 5 mg", "1e3 mg": "= 1e3 mg", "3 in stock": "= 3 in stock", "10 mM in DMSO": "= 10 mM in DMSO", "85 EUR (excl. 19 % VAT)": "= 85 EUR",
		"$85": "= 85 USD", "85 USD": "= 85 USD", "US$ 85.50": "= 85.50 USD", "EUR 1.200,00": "= 1.200,00 EUR", "1,200 €": "= 1,200 EUR",
		"CHF 85.–": "= 85 CHF", "85,- €": "= 85 EUR", "$85/g": "= 85 $/g", ">95 %": "> 95 %", "≥ 95%": "> 95 %", "gt 95 %": "> 95 %",
		"": "", "on request": "", "10-15 mg": "", "5 to 10": "", "2024-05-01": "", "Z15": "", "1/2": "", "nan": "", "$": "", "12 EUR 5": "",
	} {
		q, ok := QuantityOf(cell)
		if got := string(q.Sign) + " " + q.Number + " " + q.Unit; ok != (want != "") || ok && got != want {
			t.Errorf("%q is %q, %t, want %q", cell, got, ok, want)
		}
	}
}

func TestUnitsOfQuantities(t *testing.T) {
	for _, c := range []struct {
		a, b   string
		factor float64 // 0: they cannot be compared
	}{
		{"1 g", "1 mg", 1000}, {"1 µg", "1 ug", 1}, {"1 ml", "1 mg", 0}, {"1 mM", "1 uM", 1000}, {"95 %", "95", 0},
		{"5 €", "5 EUR", 1}, {"5 €", "5 USD", 0}, {"3 vials", "4 Vials", 1}, {"5", "6", 1},
	} {
		a, _ := QuantityOf(c.a)
		b, _ := QuantityOf(c.b)
		if f, ok := a.In(b); ok != (c.factor != 0) || ok && (f < c.factor*0.999 || f > c.factor*1.001) {
			t.Errorf("%s in the unit of %s: %v, %t, want %v", c.a, c.b, f, ok, c.factor)
		}
	}
}
