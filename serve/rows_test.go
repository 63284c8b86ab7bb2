package serve_test

import (
	"cmp"
	"encoding/csv"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"pacia/examples"
)

// exampleRows is the number of molecules in the example's library.
var exampleRows = strings.Count(examples.Library, "\n") - 1

// few is the first fewRows molecules of the example's library.
var few = strings.Join(strings.SplitAfter(examples.Library, "\n")[:1+fewRows], "")

const fewRows = 80

// TestRows: rows are sorted, filtered and paged, and downloads have the same rows.
func TestRows(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	url := start(t, nil)
	job := ranked(t, url, field{name: "diverse", value: "5"})
	all := decode(t, send(t, http.MethodGet, job+"/rows?limit=500"))
	if all.Of != fewRows || all.All != fewRows || len(all.Rows) != fewRows || all.Rows[fewRows-1].Rank != fewRows {
		t.Fatalf("%d rows of %d", len(all.Rows), all.Of)
	}
	page := decode(t, send(t, http.MethodGet, job+"/rows?limit=10&offset="+strconv.Itoa(fewRows-7)))
	if len(page.Rows) != 7 || page.Rows[0].Rank != fewRows-6 {
		t.Errorf("the last page has %d rows", len(page.Rows))
	}
	by := decode(t, send(t, http.MethodGet, job+"/rows?limit=500&sort=active&order=desc")).Rows
	if !slices.IsSortedFunc(by, func(a, b rankedRow) int {
		return cmp.Compare(b.Active.Tanimoto, a.Active.Tanimoto)
	}) {
		t.Error("rows are not sorted by the nearest active")
	}
	by = decode(t, send(t, http.MethodGet, job+"/rows?limit=500&sort=domain&order=desc")).Rows
	if !slices.IsSortedFunc(by, func(a, b rankedRow) int { return cmp.Or(cmp.Compare(b.Domain, a.Domain), cmp.Compare(a.Rank, b.Rank)) }) {
		t.Error("rows of one domain are not in the order of their ranks")
	}
	for query, keep := range map[string]func(i int) bool{
		"domain=inside":      func(i int) bool { return all.Rows[i].Domain == "inside" },
		"q=C(cL)":            func(i int) bool { return strings.Contains(strings.ToLower(all.Rows[i].SMILES), "c(cl)") },
		"picks=only":         func(i int) bool { return all.Rows[i].Pick > 0 },
		"min_similarity=0.5": nil,
	} {
		want := 0
		for i := range all.Rows {
			if keep == nil || keep(i) {
				want++
			}
		}
		got := decode(t, send(t, http.MethodGet, job+"/rows?"+query))
		if keep != nil && got.Of != want || got.Of == 0 || keep == nil && got.Of >= want {
			t.Errorf("%s: %d rows, want %d", query, got.Of, want)
		}
		rows, err := csv.NewReader(send(t, http.MethodGet, job+"/ranked.csv?"+query).Body).ReadAll()
		if err != nil || len(rows) != got.Of+1 {
			t.Errorf("%s: %d rows in the file (%v)", query, len(rows)-1, err)
		}
	}
	if got := decode(t, send(t, http.MethodGet, job+"/rows?max_similarity=0")); got.Of >= fewRows {
		t.Errorf("%d rows have a similarity of 0 at most", got.Of)
	}
	for _, query := range []string{"order=sideways", "support=maybe", "picks=yes", "domain=near", "sort=nothing", "top=few"} {
		if r := send(t, http.MethodGet, job+"/rows?"+query); r.StatusCode != http.StatusBadRequest {
			t.Errorf("%s: %s", query, r.Status)
		}
	}
	sheet, err := excelize.OpenReader(send(t, http.MethodGet, job+"/ranked.xlsx?top=20").Body)
	if err != nil {
		t.Fatal(err)
	}
	defer sheet.Close()
	cells, err := sheet.GetRows("Ranked")
	if err != nil || len(cells) != 21 || cells[1][0] != all.Rows[0].SMILES || cells[1][1] != "1" {
		t.Errorf("the workbook's rows are %q (%v)", cells[:2], err)
	}
	sd := post(t, url+"/v1/read", field{"library", "ranked.sdf", body(t, send(t, http.MethodGet, job+"/ranked.sdf"))})
	if text := body(t, sd); !strings.Contains(text, "columns rank, probability") || !strings.Contains(text, `"rank_before"`) {
		t.Errorf("the SD file, read again: %s", text)
	}
	if r := send(t, http.MethodDelete, job); r.StatusCode != http.StatusNoContent {
		t.Errorf("deleted: %s", r.Status)
	}
	if r := send(t, http.MethodGet, job+"/rows"); r.StatusCode != http.StatusNotFound {
		t.Errorf("after that: %s", r.Status)
	}
}

// TestRefine: refine is the number of first molecules that are scored with vectors, 0 stands for all. It is refused
// for a model without vectors.
func TestRefine(t *testing.T) {
	table := func(url, refine string) string {
		q := request(t.Context(), t, url+"/v1/rank", field{"support", "s.csv", labelled},
			field{"library", "l.csv", "smiles\nCCCO\nCCCN\nc1ccccc1O\n"}, field{name: "refine", value: refine})
		q.Header.Set("Accept", "text/csv")
		return body(t, do(t, q))
	}
	url := start(t, nil)
	if all := table(url, "0"); all != table(url, "") || all == table(url, "1") {
		t.Errorf("refine=0 gives\n%s\nwithout refine\n%s\nrefine=1\n%s", all, table(url, ""), table(url, "1"))
	}
	if text := table(startWith(t, bare, nil), "1"); !strings.Contains(text, "refine has no effect") {
		t.Errorf("a model without vectors: %s", text)
	}
}

// TestSortByColumn: numbers with decimal commas are sorted by value. "column:" names a column of the library that has
// the name of another order.
func TestSortByColumn(t *testing.T) {
	url := startWith(t, bare, nil)
	a := decode(t, post(t, url+"/v1/rank", field{"support", "s.csv", labelled}, field{name: "wait", value: "false"},
		field{"library", "l.csv", "smiles;active;price\nCCCO;3;12,50\nCCCN;1;2,5\nCCCC;2;100\nCCCS;4;nan\n"}))
	job := done(t, url+"/v1/jobs/"+a.ID)
	for query, want := range map[string]string{
		"sort=column:active": "CCCN CCCC CCCO CCCS", "sort=price": "CCCN CCCO CCCC CCCS", "sort=price&order=desc": "CCCC CCCO CCCN CCCS",
	} {
		var got []string
		for _, row := range decode(t, send(t, http.MethodGet, job+"/rows?"+query)).Rows {
			got = append(got, row.SMILES)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", query, got, want)
		}
	}
}
