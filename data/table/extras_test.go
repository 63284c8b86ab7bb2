package table_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// rawBook returns a workbook with the given cells below the header: molecules in column A, and XML of column B.
// computing is the workbook's element calcPr; end follows the rows.
func rawBook(t *testing.T, computing, end string, cells ...string) *bytes.Buffer {
	t.Helper()
	const (
		office  = `http://schemas.openxmlformats.org/officeDocument/2006/relationships`
		pack    = `http://schemas.openxmlformats.org/package/2006/`
		content = `application/vnd.openxmlformats-`
		ns      = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="` + office + `"`
		related = `<Relationships xmlns="` + pack + `relationships"><Relationship Id="rId1" Type="` + office
	)
	text := func(at, s string) string { return fmt.Sprintf(`<c r="%s" t="inlineStr"><is><t>%s</t></is></c>`, at, s) }
	rows := `<row r="1">` + text("A1", "smiles") + text("B1", "value") + text("C1", "remark") + `</row>`
	for i, c := range cells {
		n := i + 2
		smiles := ""
		if !strings.Contains(c, `r="A`) {
			smiles = text(fmt.Sprint("A", n), strings.Repeat("C", n)+"O")
		}
		rows += fmt.Sprintf(`<row r="%d">%s%s%s</row>`, n, smiles, strings.ReplaceAll(c, "$", fmt.Sprint(n)), text(fmt.Sprint("C", n), "x"))
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, part := range [][2]string{
		{"[Content_Types].xml", `<Types xmlns="` + pack + `content-types">` +
			`<Default Extension="rels" ContentType="` + content + `package.relationships+xml"/>` +
			`<Default Extension="xml" ContentType="application/xml"/>` +
			`<Override PartName="/xl/workbook.xml" ContentType="` + content + `officedocument.spreadsheetml.sheet.main+xml"/></Types>`},
		{"_rels/.rels", related + `/officeDocument" Target="xl/workbook.xml"/></Relationships>`},
		{"xl/workbook.xml", `<workbook ` + ns + `><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets>` + computing + `</workbook>`},
		{"xl/_rels/workbook.xml.rels", related + `/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`},
		{"xl/worksheets/sheet1.xml", `<worksheet ` + ns + `><sheetData>` + rows + `</sheetData>` + end + `</worksheet>`},
	} {
		to, err := z.Create(part[0])
		if err == nil {
			_, err = to.Write([]byte(part[1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return &b
}

// onLoad is what xlsxwriter, rust_xlsxwriter and openpyxl write, so that Excel computes all formulas.
const onLoad = `<calcPr calcId="124519" fullCalcOnLoad="1"/>`

// TestFormulasOfWriters: a formula has a value only if a program has computed it, for each way to write it.
func TestFormulasOfWriters(t *testing.T) {
	const none = "formula without a stored value"
	for _, tt := range []struct{ name, computing, cell, want string }{
		{"xlsxwriter", onLoad, `<c r="B$"><f>9-LOG10(C2)</f><v>0</v></c>`, none},
		{"xlsxwriter with a value", onLoad, `<c r="B$"><f>9-LOG10(C2)</f><v>7.5</v></c>`, "7.5"},
		{"xlsxwriter with a text", onLoad, `<c r="B$" t="str"><f>D2</f><v>n.d.</v></c>`, "n.d."},
		{"xlsxwriter, a boolean", onLoad, `<c r="B$" t="b"><f>1&gt;2</f><v>0</v></c>`, "0"},
		{"xlsxwriter, the text =", onLoad, `<c r="B$"><f></f><v>0</v></c>`, "="},
		{"a number", onLoad, `<c r="B$"><v>0</v></c>`, "0"},
		{"openpyxl", onLoad, `<c r="B$"><f>0.5/1</f><v/></c>`, none},
		{"openpyxl, another form", onLoad, `<c r="B$"><f>0.5/1</f><v></v></c>`, none},
		{"ExcelJS", "", `<c r="B$"><f>0.5/1</f></c>`, none},
		{"SXSSF", "", `<c r="B$"><f>0.5/1</f><v>0.0</v></c>`, none},
		{"rust_xlsxwriter, shared", onLoad, `<c r="B$"><f t="shared" si="0"/><v>0</v></c>`, none},
		{"Excel, shared", "", `<c r="B$"><f t="shared" si="0"/><v>3</v></c>`, "3"},
		{"Excel, an empty text", "", `<c r="B$" t="str"><f>""</f><v></v></c>`, ""},
		{"Excel, zero", "", `<c r="B$"><f>1-1</f><v>0</v></c>`, "0"},
		{"true in place of 1", `<calcPr fullCalcOnLoad="true"/>`, `<c r="B$"><f>1+1</f><v>0</v></c>`, none},
	} {
		values, notes := readBook(t, rawBook(t, tt.computing, "", `<c r="B$"><v>5</v></c>`, tt.cell))
		if want := []string{"5", tt.want}; !slices.Equal(values, want) {
			t.Errorf("%s: values %q, want %q", tt.name, values, want)
		}
		if got := strings.Contains(notes, "formulas have no stored value"); got != (tt.want == none) {
			t.Errorf("%s: notes %q", tt.name, notes)
		}
	}
}

// TestFormulasOfZeros: where all formulas of a column have the value 0, and nothing tells that they are not computed, a
// warning shows them, as after a conversion by LibreOffice.
func TestFormulasOfZeros(t *testing.T) {
	const zero, one = `<c r="B$"><f>C2-1</f><v>0</v></c>`, `<c r="B$"><f>C2-1</f><v>1</v></c>`
	for _, tt := range []struct {
		cells []string
		warns bool
	}{{[]string{zero, zero}, true}, {[]string{zero, one, zero}, false}, {[]string{zero}, false}} {
		_, notes := readBook(t, rawBook(t, "", "", tt.cells...))
		if got := strings.Contains(notes, "all formulas of column B have the value 0"); got != tt.warns {
			t.Errorf("%d cells: notes %q", len(tt.cells), notes)
		}
	}
}

// TestMergedCells: a merged cell belongs to all its rows that have other cells.
func TestMergedCells(t *testing.T) {
	value := `<c r="B$"><v>5</v></c>`
	for _, tt := range []struct {
		ranges string
		want   []string
	}{
		{`<mergeCell ref="B2:B3"/>`, []string{"5", "5", "", "6"}},
		{`<mergeCell ref="B2:B4"/>`, []string{"5", "5", "5", "6"}},
		{`<mergeCell ref="B2:B9"/>`, []string{"5", "5", "5", "6"}},
		{`<mergeCell ref="B3:B4"/>`, []string{"5", "", "", "6"}},
		{`<mergeCell ref="A2:B3"/>`, []string{"5", "", "", "6"}},
		{`<mergeCell ref="B2:XFD3"/>`, []string{"5", "5", "", "6"}},
		{`<mergeCell ref="B3:B2"/><mergeCell ref="?"/><mergeCell/>`, []string{"5", "", "", "6"}},
	} {
		values, _ := readBook(t, rawBook(t, "", `<mergeCells>`+tt.ranges+`</mergeCells>`, value, "", "", `<c r="B$"><v>6</v></c>`))
		if !slices.Equal(values, tt.want) {
			t.Errorf("%s: values %q, want %q", tt.ranges, values, tt.want)
		}
	}
}
