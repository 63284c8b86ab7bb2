package serve_test

import (
	"encoding/json"
	"math"
	"net/http"
	"strings"
	"testing"
)

// TestAgainst: rows are ranked by selectivity, p·∏(1 − pᵢ) with the probabilities pᵢ in the other assays, and
// saved results keep it. Fields that cannot be combined are refused.
func TestAgainst(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	url := start(t, nil)
	counter := field{"against", "counter.csv", "smiles,active\nCCCl,1\nCCCN,1\nCCCC,0\n"}
	type row struct {
		Probability float64 `json:"probability"`
		Selectivity float64 `json:"selectivity"`
		Against     []struct {
			Name        string  `json:"name"`
			Probability float64 `json:"probability"`
		} `json:"against"`
	}
	read := func(job string) (rows []row) {
		var page struct {
			Rows []row `json:"rows"`
		}
		if err := json.Unmarshal([]byte(body(t, send(t, http.MethodGet, job+"/rows?limit=500"))), &page); err != nil {
			t.Fatal(err)
		}
		return page.Rows
	}
	job := ranked(t, url, counter)
	rows, last := read(job), 1.0
	for i, r := range rows {
		if len(r.Against) != 1 || r.Against[0].Name != "counter" || r.Selectivity > last ||
			math.Abs(r.Selectivity-r.Probability*(1-r.Against[0].Probability)) > 1e-5 {
			t.Fatalf("row %d is %+v after the selectivity %v", i+1, r, last)
		}
		last = r.Selectivity
	}
	if table := body(t, send(t, http.MethodGet, job+"/ranked.csv")); !strings.Contains(table, ",probability_counter,selectivity\n") {
		t.Errorf("the table begins with %.300s", table)
	}
	results := body(t, send(t, http.MethodGet, job+"/results.zip"))
	again := read(ranked(t, url, counter, field{"results", "results.zip", results}))
	if len(again) != len(rows) || again[0].Selectivity != rows[0].Selectivity {
		t.Errorf("saved results have %d rows, want %d", len(again), len(rows))
	}
	r := post(t, url+"/v1/rank", field{"support", "s.csv", labelled}, field{"library", "l.csv", "smiles\nCCO\n"}, counter,
		field{name: "prior", value: "0.1"})
	if r.StatusCode != http.StatusBadRequest {
		t.Errorf("against and prior: %s", r.Status)
	}
}
