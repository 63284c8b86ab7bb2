package serve_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"net/http"
	"strings"
	"testing"

	"pacia/serve"
)

// TestRefusals: each refusal is one line with a remedy and the right status. Files are never opened by their
// names in a request.
func TestRefusals(t *testing.T) {
	url := start(t, func(o *serve.Options) { o.MaxUpload, o.MaxRows = 100_000, 1000 })
	support, library := field{"support", "s.csv", labelled}, field{"library", "l.csv", "smiles\nCCO\n"}
	secret := file(t, "secret.csv", "smiles,active\nCCO,1\nCCN,0\n")
	for name, tt := range map[string]struct {
		status int
		want   string
		fields []field
	}{
		"no library":    {400, "there is no library; send the molecules to rank as library", []field{support}},
		"no support":    {400, "there is no support set; send labelled molecules as support", []field{library}},
		"two supports":  {400, "there are two files of support; send one", []field{support, support, library}},
		"unknown field": {400, `no field is called "shots"; write support, library`, []field{{name: "shots", value: "1"}}},
		"a long field":  {413, `"match" is longer than 4,096 bytes; write less, or send the fields as JSON`, []field{{name: "match", value: strings.Repeat("C", 5000)}}},
		"not a share":   {400, `prior "2" is not a share of actives; write a number between 0 and 1`, []field{{name: "prior", value: "2"}}},
		"no boolean":    {400, `wait cannot be "maybe"`, []field{{name: "wait", value: "maybe"}}},
		"one class":     {422, "s.csv: column active: there is no inactive molecule (label 0); a support set needs one or more of each class", []field{{"support", "s.csv", "smiles,active\nCCO,1\n"}, library}},
		"a measurement": {422, "define what is active with active_below or active_above and unit, or choose another column with label", []field{{"support", "s.csv", "smiles,y\nCCO,5 uM\n"}, library}},
		"no molecules":  {422, "no column holds SMILES among name, mw; name it with smiles, or the row of the header with header", []field{support, {"library", "l.csv", "name,mw\na,1\n"}}},
		"too many rows": {413, "there are more than 1,000 rows; send a part of them, or start the server with another --max-rows", []field{support, {"library", "l.smi", strings.Repeat("CCO\n", 1001)}}},
		"too large":     {413, "the files are larger than 100.0 kB together", []field{support, {"library", "l.smi", strings.Repeat("C", 100_001)}}},
		"a bomb":        {422, "", []field{support, {"library", "l.gz", bomb(t)}}},
		"an old binary": {422, "", []field{support, {"library", "l.xls", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + strings.Repeat("\x00", 600)}}},
		"a path":        {422, "", []field{{name: "support", value: secret}, library}},
		"two columns": {400, "potency names another column than label; leave out label",
			[]field{{name: "potency", value: "a"}, {name: "label", value: "b"}}},
		"explore alone": {400, "explore has no effect without batch; also write batch, or leave it out",
			[]field{support, library, {name: "explore", value: "1"}}},
		"before alone": {400, "before has no effect without batch", []field{support, library, {"before", "b.csv", labelled}}},
		"a unit alone": {400, "value_unit has no effect without active_below, active_above or potency",
			[]field{support, library, {name: "value_unit", value: "nM"}}},
		"a path as name": {422, "secret.csv: ", []field{{"support", secret, "nothing"}, library}},
		"a long prior":   {400, "… (3000 bytes)", []field{{name: "prior", value: strings.Repeat("x", 3000)}}},
	} {
		r := post(t, url+"/v1/rank", tt.fields...)
		a := decode(t, r)
		if a.Error == nil || r.StatusCode != tt.status || !strings.Contains(a.Error.Message, tt.want) || strings.Contains(a.Error.Message, "\n") || len(a.Error.Message) > 1500 {
			t.Errorf("%s: %s, %+v, want %d with %q", name, r.Status, a.Error, tt.status, tt.want)
		}
		if a.Error != nil && strings.Contains(a.Error.Message, "--") && !strings.Contains(a.Error.Message, "--max") {
			t.Errorf("%s: a message contains flags: %s", name, a.Error.Message)
		}
	}
	for name, tt := range map[string]struct {
		status             int
		method, path, kind string
		body, want         string
	}{
		"not JSON":         {400, "POST", "/v1/rank", "application/json", "{", ""},
		"two objects":      {400, "POST", "/v1/rank", "application/json", `{"label": "a"} {"label": "b"}`, ""},
		"a number as file": {400, "POST", "/v1/rank", "application/json", `{"support": 1}`, ""},
		"an object":        {400, "POST", "/v1/rank", "application/json", `{"label": {"a": 1}}`, ""},
		"an array":         {400, "POST", "/v1/rank", "application/json", `["CCO"]`, "it is JSON of the type array, and not an object of fields"},
		"saved results":    {400, "POST", "/v1/rank", "application/json", `{"results": "x"}`, "results are a file, which JSON does not hold; send multipart/form-data"},
		"two columns":      {400, "POST", "/v1/rank", "application/json", `{"support": "smiles,a,b\nC,1,2\n", "potency": "a", "label": "b"}`, "potency names another column than label"},
		"two columns read": {400, "POST", "/v1/read", "application/json", `{"support": "smiles,a,b\nC,1,2\n", "potency": "a", "label": "b"}`, "potency names another column than label"},
		"nulls":            {400, "POST", "/v1/rank", "application/json", `{"support": null, "library": null}`, "there is no support set"},
		"a text":           {415, "POST", "/v1/rank", "text/plain", "CCO", ""},
		"cut":              {400, "POST", "/v1/rank", "multipart/form-data; boundary=x", "--x\r\nContent-Disposition: form-data; name=support\r\n\r\nCC", ""},
		"no job":           {404, "GET", "/v1/jobs/../../etc/passwd", "", "", ""},
		"no such job":      {404, "GET", "/v1/jobs/X/rows", "", "", ""},
		"a sort":           {400, "GET", "/v1/jobs/X/rows?limit=0", "", "", ""},
		"a parameter":      {400, "GET", "/v1/jobs/X/rows?colour=red", "", "", "no parameter is called"},
		"an offset":        {400, "GET", "/v1/jobs/X/rows?offset=-1", "", "", "write a number from 0 to 1000000000"},
		"a drawing":        {422, "GET", "/v1/draw?smiles=C(C", "", "", ""},
		"a large drawing":  {400, "GET", "/v1/draw?smiles=CC&width=100000", "", "", ""},
		"nothing":          {404, "GET", "/v1/nothing", "", "", ""},
		"a file":           {404, "GET", "/page/index.html", "", "", ""},
	} {
		q, err := http.NewRequestWithContext(t.Context(), tt.method, url+tt.path, strings.NewReader(tt.body))
		if err != nil {
			t.Fatal(err)
		}
		q.Header.Set("Content-Type", tt.kind)
		r := do(t, q)
		if text := body(t, r); r.StatusCode != tt.status || !strings.Contains(text, tt.want) {
			t.Errorf("%s: %s, %s, want %d with %q", name, r.Status, text, tt.status, tt.want)
		}
	}
}

// TestOtherOrigins: only the server's own page gets answers; pages of other origins are refused, even if their
// names point to this machine.
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
