package serve_test

import (
	"net/http"
	"os"
	"testing"

	"pacia/examples"
)

// TestResultsOfFormerVersions: results that versions from 0.9.0 on saved are opened, with the table that they had. Those of
// version 1 have no log-odds.
func TestResultsOfFormerVersions(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	read := func(name string) string {
		text, err := os.ReadFile("testdata/former/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	url, support := start(t, nil), field{"support", "support.csv", examples.Support}
	plain := []field{support, {name: "reasons", value: "2"}, {name: "diverse", value: "2"}, {name: "columns", value: "properties"},
		{name: "group", value: "scaffold"}, {name: "refine", value: "3"}}
	for _, former := range []struct {
		results, table string
		fields         []field
	}{
		{"plain.zip", "plain.csv", plain},
		{"version1.zip", "plain.csv", plain},
		{"against.zip", "against.csv", []field{support, {"against", "counter.csv", read("counter.csv")}}},
		{"potency.zip", "potency.csv", []field{{"support", "measured.csv", read("measured.csv")}, {name: "potency", value: "IC50 (nM)"}}},
	} {
		t.Run(former.results, func(t *testing.T) {
			fields := append([]field{{"library", "library.csv", read("library.csv")}, {"results", "results.zip", read(former.results)}}, former.fields...)
			q := request(t.Context(), t, url+"/v1/rank", fields...)
			q.Header.Set("Accept", "text/csv")
			r := do(t, q)
			if got, want := body(t, r), read(former.table); r.StatusCode != http.StatusOK || got != want {
				t.Errorf("%s:\n%s\nwant\n%s", r.Status, got, want)
			}
		})
	}
}
