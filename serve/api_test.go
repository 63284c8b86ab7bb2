package serve_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"io"
	"mime/multipart"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"pacia/examples"
	"pacia/screen/ranking"
)

const labelled = "smiles,active\nCCO,1\nCCCO,1\nCCN,0\n"

// field is a field of a form. One with a file name is sent as a file.
type field struct{ name, file, value string }

// post sends a form.
func post(t testing.TB, url string, fields ...field) *http.Response {
	t.Helper()
	return do(t, request(t.Context(), t, url, fields...))
}

// do sends a request and reads the whole answer, so that its connection can be used again.
func do(t testing.TB, q *http.Request) *http.Response {
	t.Helper()
	r, err := http.DefaultClient.Do(q)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	r.Body = io.NopCloser(bytes.NewReader(text))
	return r
}

func request(ctx context.Context, t testing.TB, url string, fields ...field) *http.Request {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for _, f := range fields {
		part, err := w.CreateFormField(f.name)
		if f.file != "" {
			part, err = w.CreateFormFile(f.name, f.file)
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(part, f.value); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, &b)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", w.FormDataContentType())
	return r
}

func send(t testing.TB, method, url string) *http.Response {
	t.Helper()
	q, err := http.NewRequestWithContext(t.Context(), method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	return do(t, q)
}

// answer holds the fields that the tests read from any answer.
type answer struct {
	ID, State      string
	Ranked, Unread int
	LeftOut        int `json:"left_out"`
	Filters        []ranking.Filtered
	Columns        []string
	Findings       []string `json:"said"`
	Trust          struct{ Sentence string }
	Rows, First    []rankedRow
	Of, All        int
	Error          *struct{ Message string }
	Support        *struct{ Active, Inactive int }
	Problem        *struct{ Message string }
}

// rankedRow is a row of an answer.
type rankedRow struct {
	Rank, Pick   int
	Probability  float64
	SMILES, Name string
	Domain       string
	InSupport    string `json:"in_support"`
	Cells        []string
	Active       *struct{ Tanimoto float64 } `json:"nearest_active"`
}

func decode(t testing.TB, r *http.Response) (a answer) {
	t.Helper()
	text, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	var raw map[string]json.RawMessage
	if json.Unmarshal(text, &raw) == nil && raw["rows"] != nil && raw["rows"][0] != '[' { // in the status of a job, rows is a number
		delete(raw, "rows")
		text, _ = json.Marshal(raw)
	}
	if err := json.Unmarshal(text, &a); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return a
}

// ranked sends the example, with a few molecules of its library, and waits for its job.
func ranked(t testing.TB, url string, more ...field) string {
	t.Helper()
	r := post(t, url+"/v1/rank", append(more, field{"support", "support.csv", examples.Support}, field{"library", "library.csv", few}, field{name: "wait", value: "false"})...)
	a := decode(t, r)
	if r.StatusCode != http.StatusAccepted || r.Header.Get("Location") != "/v1/jobs/"+a.ID {
		t.Fatalf("%s, location %q: %+v", r.Status, r.Header.Get("Location"), a)
	}
	return done(t, url+"/v1/jobs/"+a.ID)
}

// done returns the address of a job once it is done.
func done(t testing.TB, job string) string {
	t.Helper()
	var a answer
	for range 3000 {
		if a = decode(t, send(t, http.MethodGet, job)); a.State == "done" {
			return job
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("the job is not done: %+v", a)
	return ""
}

// TestRankAtOnce: a single request is answered with the ranking, for both kinds of bodies, and the table
// equals that of pacia predict.
func TestRankAtOnce(t *testing.T) {
	url := start(t, nil)
	a := decode(t, post(t, url+"/v1/rank", field{"support", "s.csv", labelled}, field{"library", "l.csv", "id,smiles\na,CCCCO\nb,CCCN\nc,C(C\nd,OCC\n"}, field{name: "top", value: "2"}))
	if a.State != "done" || a.Ranked != 3 || a.Unread != 1 || len(a.First) != 2 || !strings.Contains(a.Trust.Sentence, "similarity search; no support molecules were left out") {
		t.Errorf("the answer is %+v", a)
	}
	if f := a.First; f[0].Rank != 1 || f[0].Probability < f[1].Probability || f[0].Name == "" || f[0].Active == nil || len(f[0].Cells) != 2 {
		t.Errorf("the first rows are %+v", f)
	}
	body := `{"support": [{"smiles": "CCO", "active": true}, {"smiles": "CCCO", "active": 1}, {"smiles": "CCN", "active": 0}],
		"library": ["CCCCO", "CCCN", "C(C", "OCC"], "top": 1, "prior": 0.01, "largest_fragment": true, "label": null}`
	r, err := http.Post(url+"/v1/rank", "application/json", strings.NewReader(body)) //nolint:noctx // a test
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	if b := decode(t, r); b.Ranked != 3 || b.Unread != 1 || len(b.First) != 1 || b.First[0].SMILES != a.First[0].SMILES || !(b.First[0].Probability < 0.2*a.First[0].Probability) {
		t.Errorf("the same as JSON, with a prior of 1 %%: %+v", b)
	}
	q := request(t.Context(), t, url+"/v1/rank", field{"support", "s.csv", labelled}, field{"library", "l.csv", "id,smiles\na,CCCCO\nb,CCN\n"})
	q.Header.Set("Accept", "text/csv")
	rows, err := csv.NewReader(do(t, q).Body).ReadAll()
	if err != nil || len(rows) != 3 || strings.Join(rows[0][:6], " ") != "id smiles rank probability depth in_support" {
		t.Fatalf("the table is %q (%v)", rows, err)
	}
	if row := rows[slices.IndexFunc(rows, func(r []string) bool { return r[0] == "b" })]; row[5] != "inactive" {
		t.Errorf("a molecule of the support set is not marked: %q", row)
	}
	two := field{"library", "l.csv", "smiles\nCCCCO\nCCN\n"}
	q = request(t.Context(), t, url+"/v1/rank", field{"support", "s.csv", labelled}, two, field{name: "top", value: "1"})
	q.Header.Set("Accept", "text/csv")
	if rows, err = csv.NewReader(do(t, q).Body).ReadAll(); err != nil || len(rows) != 2 {
		t.Errorf("the first row is asked for, and the table is %q (%v)", rows, err)
	}
}

func body(t testing.TB, r *http.Response) string {
	t.Helper()
	text, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
