package serve_test

import (
	"encoding/json"
	"math"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"pacia/internal/each"
	"pacia/screen/why"
)

// anilides are labelled molecules with one core, and a library of two others.
const anilides = "smiles,name,active\nCC(=O)Nc1ccc(OC)cc1,M1,0\nCC(=O)Nc1cccc(C)c1,M2,0\n" +
	"CC(=O)Nc1ccc(Cl)cc1,M3,1\nCC(=O)Nc1ccc(Br)cc1,M4,1\n"

const moreAnilides = "smiles,name\nCC(=O)Nc1ccc(F)cc1,L1\nCC(=O)Nc1ccc(O)cc1,L2\n"

// TestContrasts: a molecule is shown beside an inactive and an active one of its series, the changes add up to the
// difference of the log-odds, and all shares to the log-odds of the probability, also with a share of actives.
func TestContrasts(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	url := start(t, nil)
	asked := decode(t, post(t, url+"/v1/rank", field{"support", "s.csv", anilides}, field{"library", "l.csv", moreAnilides},
		field{name: "reasons", value: "2"}, field{name: "prior", value: "0.02"}, field{name: "wait", value: "false"}))
	job := done(t, url+"/v1/jobs/"+asked.ID)
	var page struct {
		Rows []struct {
			Name        string       `json:"name"`
			Probability float64      `json:"probability"`
			Reasons     *why.Reasons `json:"reasons"`
		} `json:"rows"`
	}
	if err := json.Unmarshal([]byte(body(t, send(t, http.MethodGet, job+"/rows"))), &page); err != nil || len(page.Rows) != 2 {
		t.Fatalf("%v, %d rows", err, len(page.Rows))
	}
	want := map[string]string{"L1": "M1 [*:1]F for [*:1]OC; M3 [*:1]F for [*:1]Cl", "L2": "M1 [*:1][H] for [*:1]C; M3 [*:1]O for [*:1]Cl"}
	for _, row := range page.Rows {
		var got []string
		sum := row.Reasons.Others + row.Reasons.AnyAssay + row.Reasons.Prior
		for _, n := range row.Reasons.Neighbors {
			sum += n.Share
		}
		shown := math.Log(row.Probability) - math.Log1p(-row.Probability)
		if math.Abs(sum-shown) > 1e-4 || math.Abs(row.Reasons.LogOdds-sum) > 1e-6 || row.Reasons.Prior >= 0 {
			t.Errorf("%s: shares add up to %v, the log-odds of the probability are %v, stated are %v", row.Name, sum, shown, row.Reasons.LogOdds)
		}
		for _, c := range row.Reasons.Contrasts {
			sum := 0.0
			changes := each.Of(c.Changes, func(one why.Change) string { sum += one.Share; return one.Here + " for " + one.There })
			got = append(got, c.Name+" "+strings.Join(changes, ", "))
			if math.Abs(sum-(row.Reasons.LogOdds-c.LogOdds)) > 1e-6 {
				t.Errorf("%s beside %s: changes add up to %v, the log-odds are %v and %v", row.Name, c.Name, sum, row.Reasons.LogOdds, c.LogOdds)
			}
		}
		if text := strings.Join(got, "; "); text != want[row.Name] {
			t.Errorf("%s is shown beside %s, want %s", row.Name, text, want[row.Name])
		}
	}
}

// TestContrastsOnThePage: the page names the changes of a row, with drawings of both molecules.
func TestContrastsOnThePage(t *testing.T) {
	b := browse(t, start(t, nil))
	b.do(chromedp.SetUploadFiles(".support input[type=file]", []string{file(t, "s.csv", anilides)}),
		chromedp.SetUploadFiles(".library input[type=file]", []string{file(t, "l.csv", moreAnilides)}))
	b.until(`!document.querySelector(".primary").disabled`)
	b.do(chromedp.Click(".primary"))
	b.until(`document.querySelectorAll(".ranked tbody tr:not(.more)").length === 2`)
	b.eval(`document.querySelectorAll("td.last button").forEach(x => x.click())`)
	b.until(`[...document.querySelectorAll(".reasons img")].length >= 10`)
	b.eval(`document.querySelectorAll(".reasons img").forEach(i => i.loading = "eager")`)
	b.until(`[...document.querySelectorAll(".reasons img")].every(i => i.complete && i.naturalWidth > 0)`)
	text := b.text(".ranked tbody")
	for _, part := range []string{"[*:1]F in place of [*:1]OC", "beside M3 (active, log-odds"} {
		if !strings.Contains(text, part) {
			t.Errorf("the page shows %s, want %s", text, part)
		}
	}
	b.do(chromedp.EmulateViewport(1360, 1500), chromedp.Evaluate(`document.querySelector(".reasons").scrollIntoView()`, nil))
	b.picture("contrasts")
	b.well()
}

// TestReasons: the requested number of rows have reasons, in all file formats, and their drawings have colours.
func TestReasons(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	url := start(t, nil)
	job := ranked(t, url, field{name: "reasons", value: "3"})
	var page struct {
		Rows []struct {
			SMILES  string       `json:"smiles"`
			Reasons *why.Reasons `json:"reasons"`
		} `json:"rows"`
	}
	if err := json.Unmarshal([]byte(body(t, send(t, http.MethodGet, job+"/rows?limit=4"))), &page); err != nil {
		t.Fatal(err)
	}
	for i, r := range page.Rows {
		if (r.Reasons != nil) != (i < 3) {
			t.Errorf("row %d has reasons: %v", i+1, r.Reasons != nil)
		}
	}
	if sd := body(t, send(t, http.MethodGet, job+"/ranked.sdf?top=4")); strings.Count(sd, "<atom.dprop.log_odds>") != 3 {
		t.Errorf("the SD file has shares of atoms in %d records, want 3", strings.Count(sd, "<atom.dprop.log_odds>"))
	}
	if table := body(t, send(t, http.MethodGet, job+"/ranked.csv")); !strings.Contains(table, ",known_targets\n") {
		t.Errorf("the table begins with %.300s", table)
	}
	for query, want := range map[string]struct {
		status int
		part   string
	}{
		"smiles=CCO&atoms=1,-0.5,0":           {http.StatusOK, "#2F7FD070"},
		"smiles=CCO&common=110":               {http.StatusOK, "#8A63C8A0"},
		"smiles=CCO&common=11":                {http.StatusUnprocessableEntity, "2 colours for 3 atoms"},
		"smiles=CCO&atoms=1,x":                {http.StatusBadRequest, "a number for each atom"},
		"smiles=CCO&atoms=1,-0.5,":            {http.StatusOK, "#80808038"},
		"smiles=CCO&notes=0,2,0":              {http.StatusOK, "<path class='note'"},
		"smiles=CCO&notes=0,2":                {http.StatusUnprocessableEntity, "2 numbers for 3 atoms"},
		"smiles=CCCO&like=CCCN&onto=0,1,2,-1": {http.StatusOK, "</svg>"},
		"smiles=CCCO&like=CCCN&onto=0,1,7,-1": {http.StatusUnprocessableEntity, "atom 7 is not in CCCN"},
		"smiles=CCCO&like=CCCN&onto=0,1,1,-1": {http.StatusUnprocessableEntity, "the place of two atoms"},
		"smiles=CCCO&like=C(C&onto=0,1,2,-1":  {http.StatusUnprocessableEntity, "cannot be drawn"},
		"smiles=CCCO&like=CCCN":               {http.StatusBadRequest, "both like and onto"},
		"smiles=CCCO&like=CCCN&onto=0,1,x,-1": {http.StatusBadRequest, "onto"},
		"smiles=CCO&common=1x0":               {http.StatusBadRequest, "0 or 1 for each atom"},
	} {
		r := send(t, http.MethodGet, url+"/v1/draw?"+query)
		if text := body(t, r); r.StatusCode != want.status || !strings.Contains(text, want.part) {
			t.Errorf("%s: %s, %.300s; want %d and %q", query, r.Status, text, want.status, want.part)
		}
	}
	r := post(t, url+"/v1/rank", field{"support", "s.csv", labelled}, field{"library", "l.csv", "smiles\nCCO\n"},
		field{name: "reasons", value: "1001"})
	if r.StatusCode != http.StatusBadRequest {
		t.Errorf("1,001 reasons: %s", r.Status)
	}
}
