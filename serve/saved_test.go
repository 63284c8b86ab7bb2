package serve_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pacia/examples"
	"pacia/serve"
)

// withResults sends the request of ranked again, with saved results, and waits for the answer.
func withResults(t *testing.T, url string, results []byte, more ...field) *http.Response {
	t.Helper()
	return post(t, url+"/v1/rank", append(more, field{"support", "support.csv", examples.Support}, field{"library", "library.csv", few},
		field{"results", "results.zip", string(results)}, field{name: "top", value: "500"})...)
}

// TestSavedResults: saved results open with the same files and settings, also on another
// server, and can be saved again.
func TestSavedResults(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	url := start(t, nil)
	settings := []field{{name: "diverse", value: "5"}, {name: "reasons", value: "5"},
		{name: "prior", value: "2%"}, {name: "columns", value: "properties"}, {name: "refine", value: "10"}}
	job := ranked(t, url, settings...)
	rows, table := body(t, send(t, http.MethodGet, job+"/rows?limit=500")), body(t, send(t, http.MethodGet, job+"/ranked.csv"))
	if n := strings.Count(rows, `"refined":true`); n < 10 || n+strings.Count(rows, `"refined":false`) != fewRows {
		t.Errorf("%d rows are stated to be scored with vectors: %.300s", n, rows)
	}
	results := []byte(body(t, send(t, http.MethodGet, job+"/results.zip")))
	for range 2 {
		// Results do not count to the limit of an upload, which the files just keep.
		url = start(t, func(o *serve.Options) { o.MaxUpload = int64(len(examples.Support) + len(few) + 2500) })
		if len(results) < 3000 {
			t.Fatalf("the results of %d bytes are within any limit", len(results))
		}
		again := ranked(t, url, append(settings, field{"results", "results.zip", string(results)})...)
		if got := body(t, send(t, http.MethodGet, again+"/rows?limit=500")); got != rows {
			t.Errorf("the rows are\n%.300s\nwant\n%.300s", got, rows)
		}
		if got := body(t, send(t, http.MethodGet, again+"/ranked.csv")); got != table {
			t.Errorf("the table is\n%.300s\nwant\n%.300s", got, table)
		}
		if got := body(t, send(t, http.MethodGet, again)); !strings.Contains(got, `"origin":{"at":"20`) || !strings.Contains(got, `"program":"test"`) {
			t.Errorf("the job is %.300s, without the origin of its saved results", got)
		}
		if report := body(t, send(t, http.MethodGet, again+"/report.html")); !strings.Contains(report, "Picked from the first ") {
			t.Error("the report does not state from how many molecules the picks are")
		}
		results = []byte(body(t, send(t, http.MethodGet, again+"/results.zip")))
	}
}

// TestSavedResultsThatAreNot: truncated or damaged results, and those of other inputs, are refused in one line.
func TestSavedResultsThatAreNot(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	url := startWith(t, bare, nil)
	results := []byte(body(t, send(t, http.MethodGet, ranked(t, url)+"/results.zip")))
	if r := withResults(t, url, results); r.StatusCode != http.StatusOK || len(decode(t, r).First) != fewRows {
		t.Fatalf("whole results: %s", r.Status)
	}
	counted := fmt.Sprintf(`"ranked":%d`, fewRows)
	for name, tt := range map[string]struct {
		results []byte
		more    []field
	}{
		"cut":             {results: results[:len(results)/2]},
		"a text":          {results: []byte("rank,smiles\n1,CCO\n")},
		"another setting": {results, []field{{name: "prior", value: "0.1"}}},
		"a later version": {results: edited(t, results, `"version":4`, `"version":5`)},
		"another format":  {results: edited(t, results, `"format":"pacia ranking"`, `"format":"something"`)},
		"more rows":       {results: edited(t, results, counted, `"ranked":9999`)},
		"too many rows":   {results: edited(t, results, counted, `"ranked":2000000000`)},
		"negative rows":   {results: edited(t, results, counted, `"ranked":-1`)},
		"other bytes":     {results: edited(t, results, `"crc32c":`, `"crc32c":1`)},
		"no trust":        {results: edited(t, results, `"trust":`, `"mistrust":`)},
		"other columns":   {results: edited(t, results, `"header":["`, `"header":["x`)},
		"wrong neighbour": {results: edited(t, results, "\x00\x00\x00\x00", "\xff\xff\xff\x7f")},
	} {
		r := withResults(t, url, tt.results, tt.more...)
		if text := body(t, r); r.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(text, "the saved results cannot be used: ") {
			t.Errorf("%s: %s, %.200s", name, r.Status, text)
		}
	}
}

// TestForgedResults: rows with impossible values are refused, even with a correct checksum.
func TestForgedResults(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	url := startWith(t, bare, nil)
	results := []byte(body(t, send(t, http.MethodGet, ranked(t, url)+"/results.zip")))
	rows := rowsOf(t, results)
	names := numbersOf(t, entryOf(t, results, "ranking.json"))
	at := func(number string) int { return rowHead + 4*slices.Index(names, number) }
	for name, at := range map[string]int{
		"length": 8, "probability": at("probability"), "log-odds": at("log_odds"), "depth": at("depth") + 3, "nearest active": at("nearest_active"),
		"similarity": at("nearest_active_tanimoto"), "uncertainty": at("uncertainty"), "molecule": rowHead + 4*len(names) - 3,
	} {
		forged := bytes.Clone(rows)
		binary.LittleEndian.PutUint32(forged[at:], 0x7fffffff) // NaN as a float32
		r := withResults(t, url, withRows(t, results, rows, forged))
		if text := body(t, r); r.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(text, "they are damaged") {
			t.Errorf("%s: %s, %.200s", name, r.Status, text)
		}
	}
}

// TestForgedReasons: numbers of saved results that become sizes or indices are checked against the files.
func TestForgedReasons(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	url, settings := start(t, nil), []field{{name: "reasons", value: "5"}}
	results := []byte(body(t, send(t, http.MethodGet, ranked(t, url, settings...)+"/results.zip")))
	if r := withResults(t, url, results, settings...); r.StatusCode != http.StatusOK {
		t.Fatalf("whole results: %s, %.300s", r.Status, body(t, r))
	}
	about := string(entryOf(t, results, "ranking.json"))
	for _, forged := range [][2]string{
		{`"atoms":(\d+)`, `"atoms":2000000000000`}, {`"atoms":(\d+)`, `"atoms":-1`}, {`"atoms":\[`, `"atoms":[0,`},
		{`"common":\[`, `"common":[-1,`}, {`"common_there":\[`, `"common_there":[2000000000,`},
		{`"header":\["smiles"`, `"header":["smiles"` + strings.Repeat(`,""`, 10_000)},
		{`"neighbors":\[\{"smiles":"`, `"neighbors":[{"smiles":"C`}, {`"reasons":\{`, `"reasons":{"0":null,`},
		{`"log_odds":-?[0-9.e-]+,"neighbors`, `"log_odds":1e300,"neighbors`},
		{`"shares":\[`, `"shares":[1,`}, {`"onto":\[-?\d+`, `"onto":[99999`}, {`"notes":\[\d+`, `"notes":[-5`}, {`"like":"`, `"like":"%`},
		{`"atoms_there":(null|\[\])`, `"atoms_there":[1000]`}, {`"pool":\d+`, `"pool":-1`},
	} {
		at := regexp.MustCompile(forged[0]).FindStringIndex(about)
		if at == nil {
			t.Logf("the results have no %s", forged[0])
			continue
		}
		archive := edited(t, results, about, about[:at[0]]+forged[1]+about[at[1]:])
		r := withResults(t, url, archive, settings...)
		if text := body(t, r); r.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(text, "the saved results cannot be used: ") {
			t.Errorf("%s: %s, %.200s", forged[1][:min(40, len(forged[1]))], r.Status, text)
		}
	}
}

// rowHead is the length of the number and the length before the numbers of a row.
const rowHead = 12

// numbersOf returns the names of the numbers of a row, which the description of saved results has.
func numbersOf(t testing.TB, about []byte) []string {
	t.Helper()
	var v struct{ Kept struct{ Numbers []string } }
	if err := json.Unmarshal(about, &v); err != nil || len(v.Kept.Numbers) == 0 {
		t.Fatalf("numbers %v (%v)", v.Kept.Numbers, err)
	}
	return v.Kept.Numbers
}

// rowsOf returns the rows of saved results.
func rowsOf(t *testing.T, results []byte) []byte { return entryOf(t, results, "rows") }

// entryOf returns an entry of saved results.
func entryOf(t testing.TB, results []byte, name string) []byte {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(results), int64(len(results)))
	if err != nil {
		t.Fatal(err)
	}
	f, err := z.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	content, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// withRows returns saved results with other rows and their checksum.
func withRows(t *testing.T, results, rows, others []byte) []byte {
	t.Helper()
	sum := func(text []byte) string {
		return fmt.Sprintf(`"crc32c":%d`, crc32.Checksum(text, crc32.MakeTable(crc32.Castagnoli)))
	}
	return edited(t, edited(t, results, string(rows), string(others)), sum(rows), sum(others))
}

// edited returns an archive with old replaced by text in all entries.
func edited(t *testing.T, archive []byte, old, text string) []byte {
	t.Helper()
	from, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	to := zip.NewWriter(&b)
	for _, f := range from.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		w, err := to.Create(f.Name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(bytes.ReplaceAll(content, []byte(old), []byte(text))); err != nil {
			t.Fatal(err)
		}
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
