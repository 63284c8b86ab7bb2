package serve_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"pacia/screen/why"
)

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
		"smiles=CCO&atoms=1,-0.5,0": {http.StatusOK, "#2F7FD070"},
		"smiles=CCO&common=110":     {http.StatusOK, "#8A63C8A0"},
		"smiles=CCO&common=11":      {http.StatusUnprocessableEntity, "2 colours for 3 atoms"},
		"smiles=CCO&atoms=1,x":      {http.StatusBadRequest, "a number for each atom"},
		"smiles=CCO&common=1x0":     {http.StatusBadRequest, "0 or 1 for each atom"},
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
