package serve_test

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"pacia/harness/bounded"
	"pacia/serve"
)

// wide returns a library with this number of rows and further columns.
func wide(rows, columns int) string {
	head := "smiles"
	for i := range columns {
		head += ",column " + strconv.Itoa(i)
	}
	return head + "\n" + strings.Repeat("CCCO"+strings.Repeat(",", columns)+"\n", rows)
}

// TestMemory: a request that needs more than the memory of the server is refused with what to do, and others go on.
func TestMemory(t *testing.T) {
	url := startWith(t, bare, func(o *serve.Options) { o.Memory = 64 << 20 })
	support := field{"support", "s.csv", labelled}
	ask := func(library string) *http.Response {
		return post(t, url+"/v1/rank", support, field{"library", "l.csv", library})
	}
	small := func(when string) {
		t.Helper()
		if r := ask("smiles\nCCCCO\nCCCN\n"); r.StatusCode != http.StatusOK {
			t.Errorf("%s: %s, %.300s", when, r.Status, body(t, r))
		}
	}
	small("before")
	for what, r := range map[string]*http.Response{
		"many columns": ask(wide(600, 1500)),
		"JSON":         do(t, jsonRequest(t, url+"/v1/rank", `{"support": "`+strings.Repeat(" ", 9<<20)+`"}`)),
	} {
		text := body(t, r)
		if r.StatusCode != http.StatusRequestEntityTooLarge || !strings.Contains(text, "of memory") || !strings.Contains(text, "another --memory") {
			t.Errorf("%s: %s, %.300s", what, r.Status, text)
		}
		small("after " + what)
	}
	for range 20 { // memory that requests leave reserved would run out
		small("again")
	}
}

func jsonRequest(t *testing.T, url, text string) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	return r
}

// TestManySmallRows: rows in JSON take memory in proportion to their text.
func TestManySmallRows(t *testing.T) {
	url := startWith(t, bare, nil)
	for _, row := range []string{"{}", "null", `""`, `{"a":1}`, "[]", "1"} {
		list := "[" + strings.Repeat(row+",", 100_000) + row + "]"
		if !json.Valid([]byte(list)) {
			t.Fatal(row)
		}
		bounded.Do(t, func() {
			r := do(t, jsonRequest(t, url+"/v1/read", `{"library": `+list+`}`))
			if r.StatusCode >= http.StatusInternalServerError {
				t.Errorf("%s: %s, %.200s", row, r.Status, body(t, r))
			}
		})
	}
}
