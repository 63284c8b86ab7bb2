package serve_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

// TestGroup: rows have their groups, and groups=first selects one row of each.
func TestGroup(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	url := startWith(t, bare, nil)
	job := ranked(t, url, field{name: "group", value: "scaffold"})
	type page struct {
		Of   int `json:"of"`
		Rows []struct {
			Rank  int `json:"rank"`
			Group *struct{ Number, Size, Best int }
		} `json:"rows"`
	}
	read := func(query string) (p page) {
		if err := json.Unmarshal([]byte(body(t, send(t, http.MethodGet, job+"/rows?limit=500"+query))), &p); err != nil {
			t.Fatal(err)
		}
		return p
	}
	sizes, alone := map[int]int{}, 0
	for _, r := range read("").Rows {
		if r.Group == nil {
			alone++
			continue
		}
		sizes[r.Group.Number]++
	}
	first := read("&groups=first")
	if len(first.Rows) != len(sizes)+alone || len(sizes) < 2 || len(sizes) > fewRows*2/3 {
		t.Errorf("%d rows represent %d groups", len(first.Rows), len(sizes))
	}
	tiny := func(more ...field) string {
		a := decode(t, post(t, url+"/v1/rank", append(more, field{"support", "s.csv", labelled}, field{name: "wait", value: "false"},
			field{"library", "l.csv", "smiles,Scaffold\nCCO,\nc1ccccc1O,\n"})...))
		return done(t, url+"/v1/jobs/"+a.ID)
	}
	if text := body(t, send(t, http.MethodGet, tiny(field{name: "group", value: "scaffold"}))); !strings.Contains(text, `"grouped":"scaffold_2"`) {
		t.Errorf("beside a column Scaffold of the library: %s", text)
	}
	if r := send(t, http.MethodGet, tiny()+"/rows?groups=first"); r.StatusCode != http.StatusBadRequest {
		t.Errorf("groups=first without groups: %s", r.Status)
	}
	// The molecule cannot be read, which a ranking would report.
	a := decode(t, post(t, url+"/v1/rank", field{name: "group", value: "typo"},
		field{"support", "s.csv", labelled}, field{"library", "l.csv", "smiles\nC(C\n"}))
	if a.Error == nil || !strings.Contains(a.Error.Message, "no column to group by") {
		t.Errorf("grouped by no column: %+v", a.Error)
	}
	for _, r := range first.Rows {
		if r.Group != nil && (r.Group.Best != r.Rank || r.Group.Size != sizes[r.Group.Number]) {
			t.Errorf("row %d represents %+v, which has %d rows", r.Rank, r.Group, sizes[r.Group.Number])
		}
	}
}
