package serve_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	declared "pacia/screen/request"
)

// TestFieldsOfRequests: each field of a ranking can be sent in a form and in JSON, and has an input on the page, unless its
// declaration states why not. A value of another type is refused by what the field holds.
func TestFieldsOfRequests(t *testing.T) {
	url := start(t, nil)
	html := body(t, send(t, http.MethodGet, url+"/"))
	scripts := ""
	names, _ := filepath.Glob("page/*.js")
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		scripts += string(text)
	}
	for _, f := range declared.Fields() {
		sent, _ := f.Sent()
		value := map[reflect.Kind]string{reflect.Int: "1", reflect.Float64: "1", reflect.Bool: "true"}[f.Type.Kind()]
		if f.Files() == 0 {
			text := body(t, post(t, url+"/v1/rank", field{name: f.Name, value: value}))
			if strings.Contains(text, "no field is called") == sent {
				t.Errorf("%s in a form: %s", f.Name, text)
			}
		}
		if !sent {
			continue
		}
		for _, wrong := range []string{`{"a": 1}`, map[bool]string{true: `[["C"]]`, false: `["C"]`}[f.List()]} {
			q, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url+"/v1/rank",
				strings.NewReader(fmt.Sprintf(`{%q: %s}`, f.Name, wrong)))
			if err != nil {
				t.Fatal(err)
			}
			q.Header.Set("Content-Type", "application/json")
			if text := body(t, do(t, q)); f.Files() == 0 && !strings.Contains(text, "write "+f.Kind()) {
				t.Errorf("%s as %s in JSON: %s", f.Name, wrong, text)
			}
		}
		_, reason := f.Page()
		named := regexp.MustCompile(`name="` + f.Name + `"|value="` + f.Name + `"`)
		if reason == "" && !named.MatchString(html) && !strings.Contains(scripts, `"`+f.Name+`"`) {
			t.Errorf("the page has no input for %s, nor does its declaration state why", f.Name)
		}
	}
}
