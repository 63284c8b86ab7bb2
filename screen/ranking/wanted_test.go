package ranking

import (
	"slices"
	"strings"
	"testing"

	"pacia/data/label"
	"pacia/data/rdkit"
)

const priced = "smiles,id,price\nCCO,a,10\nCCN,b,200\nc1ccccc1O,c,\nc1ccccc1CC(=O)Cl,d,99\nnonsense,e,1\n"

// wantedOf returns the table, the rows that are kept, and the number of rows left out.
func wantedOf(t *testing.T, w Wanted, files ...string) (table *Table, rows []Row, leftOut int) {
	t.Helper()
	o := plain
	o.Ranked, o.Wanted = true, w
	var sources []Source
	for i, text := range files {
		sources = append(sources, Source{Name: string(rune('a'+i)) + ".csv", Text: strings.NewReader(text)})
	}
	table, err := New(sources, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = table.Close() })
	err = Stream(t.Context(), table, 2, 2, lengths, func(c *Chunk[[]int]) error {
		rows, leftOut = append(rows, c.Rows...), leftOut+c.LeftOut
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return table, rows, leftOut
}

func TestWantedLeavesOut(t *testing.T) {
	for _, c := range []struct {
		name string
		w    Wanted
		want string
	}{
		{"nothing is asked for", Wanted{}, "a b c d e"},
		{"match", Wanted{Structure: rdkit.Structure{Match: []string{"c"}}}, "c d e"},
		{"exclude", Wanted{Structure: rdkit.Structure{Match: []string{"c"}, Exclude: []string{"Cl"}}}, "c e"},
		{"price", Wanted{Where: []string{"price <= 99"}}, "a d e"},
		{"several", Wanted{Where: []string{"price>9", "price!=99"}}, "a b"},
		{"text", Wanted{Where: []string{"id != b"}}, "a c d e"},
		{"quoted text", Wanted{Where: []string{`id != "b"`, "id != 'c'"}}, "a d e"},
		{"not a number", Wanted{Where: []string{"id != nan", "price != inf"}}, "a b c d e"},
		{"made column", Wanted{Structure: rdkit.Structure{Properties: true}, Where: []string{"rings = 1"}}, "c d e"},
	} {
		_, rows, leftOut := wantedOf(t, c.w, priced)
		var ids []string
		for _, r := range rows {
			ids = append(ids, r.Fields[1])
		}
		if got := strings.Join(ids, " "); got != c.want || len(rows)+leftOut != 5 {
			t.Errorf("%s: %s and %d left out, want %s", c.name, got, leftOut, c.want)
		}
	}
}

// TestConditionsCountWhatIsNotANumber: a cell with a decimal comma is a number, and other cells that are not
// numbers are counted.
func TestConditionsCountWhatIsNotANumber(t *testing.T) {
	o := plain
	o.Wanted.Where = []string{"price <= 100"}
	table, err := New([]Source{{Name: "a.csv", Text: strings.NewReader(
		"smiles;id;price\nCCO;a;99,50\nCCN;b;1.200,00\nCCC;c;12 EUR\nCCF;d;\nCCCl;e;50\nCCBr;f;on request\nCCI;g;>99\n" +
			"CCCF;h;nan\nCCCBr;i;-inf\n")}}, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = table.Close() })
	var ids string
	var odd SkippedRows
	err = Stream(t.Context(), table, 2, 2, lengths, func(c *Chunk[[]int]) error {
		for _, r := range c.Rows {
			ids += r.Fields[1]
		}
		odd.Join(c.Skipped)
		return nil
	})
	if want := `, 1 of them as a cell is empty, 4 of them as a cell is not a number, such as "on request"`; err != nil || ids != "ace" || odd.String() != want {
		t.Errorf("%s are kept%s (%v), want ace%s", ids, odd, err, want)
	}
}

// TestConditionsOnQuantities: a condition with a unit compares cells in units of its kind, and one without a unit compares
// the numbers of all cells. A bound fulfils what all its numbers fulfil.
func TestConditionsOnQuantities(t *testing.T) {
	for cell, conditions := range map[string]struct{ hold, fail string }{
		"95%":     {"p >= 90%; p = 95%; p != 90; p >= 90; p = 95", "p < 90%; p != 95%"},
		"95":      {"p >= 90; p = 95; p != 90; p != 95%", "p >= 90%; p = 95%"},
		"80 %":    {"p < 90%; p != 90; p != 95%; p < 90", "p >= 90%; p >= 90"},
		">95 %":   {"p >= 90; p >= 95%; p > 95; p != 90", "p >= 99; p <= 99; p = 95; p < 90"},
		"<0.5":    {"p <= 1; p < 0.5; p != 2", "p >= 0.1; p > 0; p = 0.5; p <= 0.1"},
		"$85":     {"p <= 100; p <= 100 USD; p <= $100", "p <= 80; p <= 100 EUR; p <= 100 mg"},
		"85 USD":  {"p <= 100; p <= $100", "p <= 80; p >= 85 EUR"},
		"1,200":   {"p > 1000", "p <= 100"},
		"$1,200":  {"p > 1000; p = 1200", "p <= 100"},
		"5 mg":    {"p >= 5; p >= 5 mg; p >= 5000 ug; p < 1 g", "p >= 5 g; p >= 10"},
		"2 g":     {"p >= 5 mg; p = 2", "p < 1 g"},
		"Enamine": {"p = enamine; p = ENAMINE; p != chembridge; p != 7", "p != enamine; p = Enamin; p > 7"},
	} {
		for want, texts := range map[bool]string{true: conditions.hold, false: conditions.fail} {
			for text := range strings.SplitSeq(texts, "; ") {
				c, err := label.ParseCondition(text)
				if got := c.Holds([]string{cell}); err != nil || got != want {
					t.Errorf("%s with the cell %s: %v, want %v (%v)", text, cell, got, want, err)
				}
			}
		}
	}
}

// TestPointsBetweenSemicolons: a point before three digits is not read without a sign that shows its meaning where
// semicolons separate cells, because commas may be before decimals there.
func TestPointsBetweenSemicolons(t *testing.T) {
	for _, tt := range []struct{ cells, decimal, kept, err string }{
		{"1.200 7", "", "", `"1.200" may be 1.2 or 1200 in a file with semicolons; write --decimal . or --decimal ,`},
		{"1.200 7", ".", "ab", ""},
		{"1.200 7", ",", "b", ""},
		{"1.200 7.5", "", "ab", ""},
		{"0.200 7", "", "ab", ""},
	} {
		o := plain
		o.Wanted.Where, o.Decimal = []string{"price <= 100"}, tt.decimal
		cells := strings.Fields(tt.cells)
		table, err := New([]Source{{Name: "a.csv", Text: strings.NewReader("smiles;id;price\nCCO;a;" + cells[0] + "\nCCN;b;" + cells[1] + "\n")}}, o)
		if err != nil {
			t.Fatal(err)
		}
		var kept string
		var all Decimals
		err = Stream(t.Context(), table, 2, 2, lengths, func(c *Chunk[[]int]) error {
			for _, r := range c.Rows {
				kept += r.Fields[1]
			}
			all.Join(c.Decimals)
			return nil
		})
		if err == nil {
			err = table.CheckSettled(all)
		}
		_ = table.Close()
		if tt.err == "" && (err != nil || kept != tt.kept) || tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)) {
			t.Errorf("%s with --decimal %q: %s are kept (%v), want %s%s", tt.cells, tt.decimal, kept, err, tt.kept, tt.err)
		}
	}
}

func TestWantedColumns(t *testing.T) {
	var w Wanted
	if err := w.Describe("properties, alerts,scaffold"); err != nil {
		t.Fatal(err)
	}
	for _, files := range [][]string{{priced}, {priced, "smiles,logp\nc1ccccc1,own\n"}} {
		table, rows, _ := wantedOf(t, w, files...)
		of := func(r Row, column string) string { return r.Fields[slices.Index(table.Header, column)] }
		if got := of(rows[3], "scaffold"); got != "c1ccccc1" {
			t.Errorf("scaffold %q", got)
		}
		if got := of(rows[0], "molecular_weight"); got != "46.07" {
			t.Errorf("weight %q", got)
		}
		if of(rows[0], "nih") != "" || of(rows[3], "nih") == "" {
			t.Errorf("alerts %q and %q", of(rows[0], "nih"), of(rows[3], "nih"))
		}
		if rows[4].Reason == nil {
			t.Error("a molecule that cannot be read has no reason")
		}
		if len(files) == 2 && (of(rows[5], "logp") != "own" || of(rows[5], "logp_2") != "1.69") {
			t.Errorf("columns %v: %q; a file's column with the name of a computed one must stay", table.Header, rows[5].Fields)
		}
	}
}

func TestWantedRefuses(t *testing.T) {
	for _, w := range []Wanted{
		{Structure: rdkit.Structure{Match: []string{"C("}}}, {Where: []string{"price"}},
		{Where: []string{"<3"}}, {Where: []string{"price < cheap"}}, {Where: []string{"price == 7"}}, {Where: []string{"price =< 7"}},
		{Where: []string{"price => 7"}}, {Where: []string{"id !== b"}}, {Where: []string{"price <= inf"}}, {Where: []string{"price > NaN"}},
	} {
		if err := w.Check(t.Context()); err == nil {
			t.Errorf("%+v is accepted", w)
		}
	}
	spaced := Wanted{Structure: rdkit.Structure{Match: []string{" C1=CC=CC=C1\n"}, Exclude: []string{"N(=O)=O |c:1,2|"}}}
	if err := spaced.Check(t.Context()); err != nil || spaced.Match[0] != "C1=CC=CC=C1" || spaced.Exclude[0] != "N(=O)=O" {
		t.Errorf("patterns with space and an extension are %q and %q (%v)", spaced.Match, spaced.Exclude, err)
	}
	if err := new(Wanted).Describe("properties,colour"); err == nil {
		t.Error("an unknown group of columns is accepted")
	}
	o := plain
	o.Wanted.Where = []string{"cost < 3"}
	if _, err := Open(t.Context(), []string{file(t, "c.csv", priced)}, o); err == nil || !strings.Contains(err.Error(), "price") {
		t.Errorf("a condition on a missing column: %v", err)
	}
	const record = "m\n\n\n  1  0  0  0  0  0  0  0  0  0999 V2000\n    0.0000    0.0000    0.0000 C   0  0\nM  END\n$$$$\n"
	_, err := Open(t.Context(), []string{file(t, "c.sdf", record)}, o)
	if err == nil || !strings.Contains(err.Error(), "a field that the first records of the candidates lack") {
		t.Errorf("a condition on a field of an SD file: %v", err)
	}
}

// TestWantedColumnsOfSeveralFiles: files share their common columns, also if other columns are computed.
func TestWantedColumnsOfSeveralFiles(t *testing.T) {
	var w Wanted
	if err := w.Describe("properties"); err != nil {
		t.Fatal(err)
	}
	table, rows, _ := wantedOf(t, w, priced, "smiles,id,price\nCCCO,f,7\n")
	if got, want := strings.Join(table.Header[:4], " "), "smiles id price file"; got != want {
		t.Errorf("the first columns are %s, want %s", got, want)
	}
	if got, want := strings.Join(rows[len(rows)-1].Fields[:4], " "), "CCCO f 7 b.csv"; got != want {
		t.Errorf("the last row begins with %s, want %s", got, want)
	}
}

// TestConditionsRefuseMixedDecimals: in a column with 12,50, a cell 1.200 may mean 1200 or 1.2, and the column
// is refused.
func TestConditionsRefuseMixedDecimals(t *testing.T) {
	for name, c := range map[string]struct {
		rows, condition, want string
	}{
		"comma first":     {"CCO;12,50\nCCN;9\nCCC;7\nCCF;1.200\n", "price <= 100", `"1.200"`},
		"point first":     {"CCO;1.200\nCCN;9\nCCC;7\nCCF;12,50\n", "price <= 100", `"12,50"`},
		"points alone":    {"CCO;1.200\nCCN;12.5\n", "price <= 100", ""},
		"commas alone":    {"CCO;1.200,00\nCCN;12,5\n", "price <= 100", ""},
		"comma and 1,000": {"CCO;12,50\nCCN;1,000\n", "price <= 100", `"1,000"`},
		"compared texts":  {"CCO;1.200\nCCN;12,5\n", "price != -", ""},
	} {
		o := plain
		o.Wanted.Where = []string{c.condition}
		table, err := New([]Source{{Name: "a.csv", Text: strings.NewReader("smiles;price\n" + c.rows)}}, o)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = table.Close() })
		wanted := func(how string, err error) {
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s, %s: %v, want %q", name, how, err, c.want)
			}
		}
		filter, err := table.Where([]string{c.condition})
		if err != nil {
			t.Fatal(err)
		}
		for row := range strings.Lines(c.rows) {
			filter.Holds(strings.Split(strings.TrimSpace(row), ";"))
		}
		wanted("a filter", filter.Check())
		wanted("a table", Stream(t.Context(), table, 1, 2, lengths, func(*Chunk[[]int]) error { return nil }))
	}
}
