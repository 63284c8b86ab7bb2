package serve_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"pacia/screen/ranking"
)

// TestStructures: molecules are left out by structure and by conditions. The others can be sorted and filtered
// by properties that RDKit computes.
func TestStructures(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	base := startWith(t, bare, nil)
	library := field{"library", "l.csv", "smiles,price\nCCCCO,5\nCCCN,7\nOCCc1ccccc1,9\nOCCc1ccccc1CC(=O)Cl,50\n"}
	a := decode(t, post(t, base+"/v1/rank", field{"support", "s.csv", labelled}, library, field{name: "match", value: "CC"},
		field{name: "match", value: "O"},
		field{name: "exclude", value: "Cl"}, field{name: "where", value: "molecular_weight < 500"},
		field{name: "columns", value: "properties,scaffold"}))
	if a.Ranked != 2 || a.LeftOut != 2 || len(a.Columns) != 10 {
		t.Errorf("the answer is %+v", a)
	}
	if want := (ranking.Filtered{Filter: "exclude", Text: "Cl", LeftOut: 1}); len(a.Filters) != 4 || a.Filters[2] != want {
		t.Errorf("the filters are %+v, want the third as %+v", a.Filters, want)
	}
	for _, row := range a.First {
		phenyl := strings.Contains(row.SMILES, "c1")
		if row.Cells[7] != map[bool]string{true: "1", false: "0"}[phenyl] || (row.Cells[9] == "c1ccccc1") != phenyl {
			t.Errorf("a row is %+v", row)
		}
	}
	for _, f := range []field{
		{name: "match", value: "C("}, {name: "where", value: "price"},
		{name: "columns", value: "colour"}, {name: "where", value: "cost < 2"},
	} {
		if r := post(t, base+"/v1/rank", field{"support", "s.csv", labelled}, library, f); r.StatusCode < 400 || r.StatusCode >= 500 {
			t.Errorf("%s %s is answered by %s", f.name, f.value, r.Status)
		}
	}
	prices := field{"library", "l.csv", "smiles;price\nCCCCO;12,50\nCCCN;1.200\n"}
	mixed := decode(t, post(t, base+"/v1/rank", field{"support", "s.csv", labelled}, prices, field{name: "wait", value: "false"}))
	if r := send(t, http.MethodGet, done(t, base+"/v1/jobs/"+mixed.ID)+"/rows?where=price+%3C+100"); r.StatusCode != http.StatusBadRequest ||
		!strings.Contains(body(t, r), `column price: \"1.200\" may be a thousand or decimals`) {
		t.Errorf("a condition on a column with 12,50 and 1.200: %s", r.Status)
	}
	asJSON := `{"support": [{"smiles": "CCO", "active": 1}, {"smiles": "CCN", "active": 0}], "library": ["CCCCO", "CCCN"], "match": ["CC", "O"]}`
	r, err := http.Post(base+"/v1/rank", "application/json", strings.NewReader(asJSON)) //nolint:noctx // a test
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	if b := decode(t, r); b.Ranked != 1 {
		t.Errorf("a list in JSON: %+v", b)
	}
	job := ranked(t, base, field{name: "columns", value: "properties"})
	where := url.Values{"where": {"logp <= 3", "rings >= 2"}, "sort": {"logp"}}
	if r := send(t, http.MethodGet, job+"/rows?"+where.Encode()); r.StatusCode != http.StatusOK || !strings.Contains(body(t, r), `"rank"`) {
		t.Errorf("rows by conditions: %s", r.Status)
	}
	if r := send(t, http.MethodGet, job+"/rows?where=cost+%3C+3"); r.StatusCode != http.StatusBadRequest {
		t.Errorf("a condition on no column: %s", r.Status)
	}
}

// TestStructuresOnThePage: properties chosen by the keyboard under Options become columns, by which a
// narrow window sorts and filters.
func TestStructuresOnThePage(t *testing.T) {
	b := browse(t, startWith(t, bare, nil))
	b.do(chromedp.EmulateViewport(390, 844),
		emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}))
	b.do(chromedp.Click(".example"))
	b.until(`!document.querySelector(".primary").disabled`)
	b.do(chromedp.Focus(".options summary"), chromedp.KeyEvent("\r"), chromedp.SendKeys("[name=match]", "c1ccccc1\t"),
		chromedp.SendKeys("[name=exclude]", "[Cl]\t"))
	b.do(chromedp.Focus("[name=columns][value=properties]"), chromedp.KeyEvent(" "),
		chromedp.Focus("[name=columns][value=alerts]"), chromedp.KeyEvent(" "))
	b.picture("structures-options")
	b.until(`!document.querySelector(".primary").disabled`)
	b.do(chromedp.Focus("[name=match]"), chromedp.KeyEvent("\r"))
	b.until(`document.querySelector("tbody .rank")`)
	if text := b.text(".count"); !strings.Contains(text, "left out by structure") {
		t.Errorf("the page shows %q", text)
	}
	b.do(chromedp.Focus("[name=sort]"), chromedp.SendKeys("[name=sort]", "logp"))
	b.until(`document.querySelector("[name=sort]").value === "logp" && document.querySelectorAll("tbody .rank")[1].innerText !== "2"`)
	b.do(chromedp.SendKeys("[name=where]", "logp <= 3 and rings > 1\r"))
	b.until(`/^\d+ of \d+ molecules/.test(document.querySelector(".count").innerText)`)
	b.do(chromedp.Focus("tbody .last button"), chromedp.KeyEvent("\r"))
	b.until(`document.querySelector("tr.more dl")?.innerText.includes("molecular_weight")`)
	b.eval(`document.querySelector(".tools").scrollIntoView()`)
	b.picture("structures-narrow")
	b.until(`document.documentElement.scrollWidth <= innerWidth`)
	b.do(chromedp.SendKeys("[name=where]", " and cost < 1\r"))
	b.until(`document.querySelector(".ranked .problem").innerText.includes("the candidates lack")`)
	b.eval(`window.confirm = (text) => { window.asked = text; return false; }`)
	b.do(chromedp.Click(".example"))
	b.until(`window.asked?.includes("replaces") && document.querySelector("[name=match]").value === "c1ccccc1"`)
	b.well()
}
