package serve_test

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"pacia/examples"
	"pacia/serve"
)

const labelled = "smiles,active\nCCO,1\nCCCO,1\nCCN,0\n"

// field is one of a form; a file where it has a name.
type field struct{ name, file, value string }

// post sends a form.
func post(t testing.TB, url string, fields ...field) *http.Response {
	t.Helper()
	return do(t, request(t, t.Context(), url, fields...))
}

// do sends a request and reads all of the answer, so that its connection is free.
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

func request(t testing.TB, ctx context.Context, url string, fields ...field) *http.Request {
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

// answer is what the tests look at of any answer.
type answer struct {
	ID, State      string
	Ranked, Unread int
	Said           []string
	Trust          struct{ Sentence string }
	Rows, First    []told
	Of, All        int
	Error          *struct{ Message string }
	Support        *struct{ Active, Inactive int }
	Problem        *struct{ Message string }
}

// told is a row.
type told struct {
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
	if json.Unmarshal(text, &raw) == nil && raw["rows"] != nil && raw["rows"][0] != '[' { // of a job that is how many
		delete(raw, "rows")
		text, _ = json.Marshal(raw)
	}
	if err := json.Unmarshal(text, &a); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return a
}

// ranked sends the example and waits for its job.
func ranked(t testing.TB, url string, more ...field) string {
	t.Helper()
	r := post(t, url+"/v1/rank", append(more, field{"support", "support.csv", examples.Support}, field{"library", "library.csv", examples.Library}, field{name: "wait", value: "false"})...)
	a := decode(t, r)
	if r.StatusCode != http.StatusAccepted || r.Header.Get("Location") != "/v1/jobs/"+a.ID {
		t.Fatalf("%s, location %q: %+v", r.Status, r.Header.Get("Location"), a)
	}
	job := url + "/v1/jobs/" + a.ID
	for range 3000 {
		if a = decode(t, send(t, http.MethodGet, job)); a.State == "done" {
			return job
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("the job is not done: %+v", a)
	return ""
}

// TestRankAtOnce: one request, one answer, in both forms of bodies; and the table is the one
// that pacia predict writes.
func TestRankAtOnce(t *testing.T) {
	url := start(t, nil)
	a := decode(t, post(t, url+"/v1/rank", field{"support", "s.csv", labelled}, field{"library", "l.csv", "id,smiles\na,CCCCO\nb,CCCN\nc,C(C\nd,OCC\n"}, field{name: "top", value: "2"}))
	if a.State != "done" || a.Ranked != 3 || a.Unread != 1 || len(a.First) != 2 || !strings.Contains(a.Trust.Sentence, "similarity search here") {
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
	q := request(t, t.Context(), url+"/v1/rank", field{"support", "s.csv", labelled}, field{"library", "l.csv", "id,smiles\na,CCCCO\nb,CCN\n"})
	q.Header.Set("Accept", "text/csv")
	rows, err := csv.NewReader(do(t, q).Body).ReadAll()
	if err != nil || len(rows) != 3 || strings.Join(rows[0][:6], " ") != "id smiles rank probability depth in_support" {
		t.Fatalf("the table is %q (%v)", rows, err)
	}
	if row := rows[slices.IndexFunc(rows, func(r []string) bool { return r[0] == "b" })]; row[5] != "inactive" {
		t.Errorf("a molecule of the support set is not marked: %q", row)
	}
}

// TestRows: sorted, filtered, paged; and downloaded as they are shown.
func TestRows(t *testing.T) {
	url := start(t, nil)
	job := ranked(t, url, field{name: "diverse", value: "5"})
	all := decode(t, send(t, http.MethodGet, job+"/rows?limit=500"))
	if all.Of != 137 || all.All != 137 || len(all.Rows) != 137 || all.Rows[136].Rank != 137 {
		t.Fatalf("%d rows of %d", len(all.Rows), all.Of)
	}
	page := decode(t, send(t, http.MethodGet, job+"/rows?limit=10&offset=130"))
	if len(page.Rows) != 7 || page.Rows[0].Rank != 131 {
		t.Errorf("the last page has %d rows", len(page.Rows))
	}
	by := decode(t, send(t, http.MethodGet, job+"/rows?limit=500&sort=active&order=desc")).Rows
	if !slices.IsSortedFunc(by, func(a, b told) int {
		return cmp.Compare(b.Active.Tanimoto, a.Active.Tanimoto)
	}) {
		t.Error("rows are not sorted by the nearest active")
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
	if text := body(t, sd); !strings.Contains(text, "ranked table gets a column of this name") {
		t.Errorf("the SD file, read again: %s", text)
	}
	if r := send(t, http.MethodDelete, job); r.StatusCode != http.StatusNoContent {
		t.Errorf("deleted: %s", r.Status)
	}
	if r := send(t, http.MethodGet, job+"/rows"); r.StatusCode != http.StatusNotFound {
		t.Errorf("after that: %s", r.Status)
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

// TestRefusals: each is one line that says what to do, with the status that fits; what a
// request names is never opened.
func TestRefusals(t *testing.T) {
	url := start(t, func(o *serve.Options) { o.MaxUpload, o.MaxRows = 100_000, 1000 })
	support, library := field{"support", "s.csv", labelled}, field{"library", "l.csv", "smiles\nCCO\n"}
	secret := file(t, "secret.csv", "smiles,active\nCCO,1\nCCN,0\n")
	for name, tt := range map[string]struct {
		status int
		want   string
		fields []field
	}{
		"no library":     {400, "there is no library; send the molecules to rank as library", []field{support}},
		"no support":     {400, "there is no support set; send labelled molecules as support", []field{library}},
		"two supports":   {400, "there are two support sets; send one file", []field{support, support, library}},
		"unknown field":  {400, `no field is called "shots"; write support, library`, []field{{name: "shots", value: "1"}}},
		"not a share":    {400, `prior cannot be "2"; write a number between 0 and 1`, []field{{name: "prior", value: "2"}}},
		"no boolean":     {400, `wait cannot be "maybe"`, []field{{name: "wait", value: "maybe"}}},
		"one class":      {422, "s.csv: column active: there is no inactive molecule (label 0); a support set needs one or more of each class", []field{{"support", "s.csv", "smiles,active\nCCO,1\n"}, library}},
		"a measurement":  {422, "say what is active with active_below or active_above and unit, or choose another column with label", []field{{"support", "s.csv", "smiles,y\nCCO,5 uM\n"}, library}},
		"no molecules":   {422, "no column \"\" among name, mw; name the column of the SMILES with smiles", []field{support, {"library", "l.csv", "name,mw\na,1\n"}}},
		"too many rows":  {413, "there are more than 1,000 rows; send a part of them, or start the server with another --max-rows", []field{support, {"library", "l.smi", strings.Repeat("CCO\n", 1001)}}},
		"too large":      {413, "the files are larger than 100.0 kB together", []field{support, {"library", "l.smi", strings.Repeat("C", 100_001)}}},
		"a bomb":         {422, "", []field{support, {"library", "l.gz", bomb(t)}}},
		"an old binary":  {422, "", []field{support, {"library", "l.xls", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + strings.Repeat("\x00", 600)}}},
		"a path":         {422, "", []field{{name: "support", value: secret}, library}},
		"a path as name": {422, "secret.csv: ", []field{{"support", secret, "nothing"}, library}},
		"a long prior":   {400, "… (3000 bytes)", []field{{name: "prior", value: strings.Repeat("x", 3000)}}},
	} {
		r := post(t, url+"/v1/rank", tt.fields...)
		a := decode(t, r)
		if a.Error == nil || r.StatusCode != tt.status || !strings.Contains(a.Error.Message, tt.want) || strings.Contains(a.Error.Message, "\n") || len(a.Error.Message) > 1500 {
			t.Errorf("%s: %s, %+v, want %d with %q", name, r.Status, a.Error, tt.status, tt.want)
		}
		if a.Error != nil && strings.Contains(a.Error.Message, "--") && !strings.Contains(a.Error.Message, "--max") {
			t.Errorf("%s: a message speaks of flags: %s", name, a.Error.Message)
		}
	}
	for name, tt := range map[string]struct {
		status             int
		method, path, kind string
		body               string
	}{
		"not JSON":         {400, "POST", "/v1/rank", "application/json", "{"},
		"a number as file": {400, "POST", "/v1/rank", "application/json", `{"support": 1}`},
		"an object":        {400, "POST", "/v1/rank", "application/json", `{"label": {"a": 1}}`},
		"a text":           {415, "POST", "/v1/rank", "text/plain", "CCO"},
		"cut":              {400, "POST", "/v1/rank", "multipart/form-data; boundary=x", "--x\r\nContent-Disposition: form-data; name=support; filename=a\r\n\r\nCC"},
		"no job":           {404, "GET", "/v1/jobs/../../etc/passwd", "", ""},
		"no such job":      {404, "GET", "/v1/jobs/X/rows", "", ""},
		"a sort":           {400, "GET", "/v1/jobs/X/rows?limit=0", "", ""},
		"a drawing":        {422, "GET", "/v1/draw?smiles=C(C", "", ""},
		"a large drawing":  {400, "GET", "/v1/draw?smiles=CC&width=100000", "", ""},
		"nothing":          {404, "GET", "/v1/nothing", "", ""},
		"a file":           {404, "GET", "/page/index.html", "", ""},
	} {
		q, err := http.NewRequestWithContext(t.Context(), tt.method, url+tt.path, strings.NewReader(tt.body))
		if err != nil {
			t.Fatal(err)
		}
		q.Header.Set("Content-Type", tt.kind)
		r := do(t, q)
		if r.StatusCode != tt.status {
			t.Errorf("%s: %s, want %d", name, r.Status, tt.status)
		}
	}
}

// TestOtherOrigins: no page but the server's own gets an answer, by whatever name it calls.
func TestOtherOrigins(t *testing.T) {
	url := start(t, func(o *serve.Options) { o.Hosts = []string{"lab"} })
	host := strings.TrimPrefix(url, "http://")
	port := host[strings.LastIndex(host, ":"):]
	for _, tt := range []struct {
		method, path, host string
		header             http.Header
		status             int
	}{
		{"GET", "/", host, nil, 200},
		{"GET", "/", "localhost" + port, nil, 200},
		{"GET", "/", "[::1]" + port, nil, 200},
		{"GET", "/", "LAB", nil, 200},
		{"GET", "/v1", "localhost:9000", nil, 200}, // through a tunnel
		{"GET", "/", "evil.example", nil, 421},
		{"GET", "/", "localhost.evil.example", nil, 421},
		{"GET", "/", "10.0.0.1", nil, 421}, // it listens on loopback alone
		{"POST", "/v1/rank", "evil.example" + port, nil, 421},
		{"GET", "/v1", host, http.Header{"Origin": {"http://" + host}}, 200},
		{"GET", "/v1", host, http.Header{"Origin": {"http://evil.example"}}, 403},
		{"GET", "/v1", host, http.Header{"Origin": {"null"}}, 403},
		{"GET", "/v1", host, http.Header{"Origin": {"http://localhost:1"}}, 403}, // another server on this machine
		{"POST", "/v1/rank", host, http.Header{"Origin": {"http://evil.example"}}, 403},
		{"DELETE", "/v1/jobs/x", host, http.Header{"Sec-Fetch-Site": {"same-site"}}, 403},
		{"GET", "/v1/draw?smiles=C", host, http.Header{"Sec-Fetch-Site": {"cross-site"}}, 403},
		{"GET", "/", host, http.Header{"Sec-Fetch-Site": {"cross-site"}, "Sec-Fetch-Mode": {"navigate"}}, 200}, // a link
		{"GET", "/", host, http.Header{"Sec-Fetch-Site": {"cross-site"}, "Sec-Fetch-Mode": {"no-cors"}}, 403},
	} {
		q, err := http.NewRequestWithContext(t.Context(), tt.method, url+tt.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		q.Host = tt.host
		for name, v := range tt.header {
			q.Header[name] = v
		}
		r := do(t, q)
		if r.StatusCode != tt.status {
			t.Errorf("%s %s as %s with %v: %s, want %d", tt.method, tt.path, tt.host, tt.header, r.Status, tt.status)
		}
		if r.Header.Get("Access-Control-Allow-Origin") != "" || !strings.Contains(r.Header.Get("Content-Security-Policy"), "default-src 'none'") {
			t.Errorf("%s %s: headers %v", tt.method, tt.path, r.Header)
		}
	}
}

// bomb is a gzip file that grows a thousand times.
func bomb(t testing.TB) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write(bytes.Repeat([]byte("C"), 50_000_000))
	if err := errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
