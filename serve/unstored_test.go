package serve_test

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"
)

// TestNoRoom: where temporary files cannot be written, the server says that it is its fault, without a path of its machine.
func TestNoRoom(t *testing.T) {
	url := startWith(t, bare, nil)
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "absent"))
	for what, library := range map[string]string{"a large upload": large(), "a small one": "smiles\nCCO\n"} {
		r := post(t, url+"/v1/rank", field{"support", "s.csv", labelled}, field{"library", "l.csv", library})
		if text := body(t, r); r.StatusCode != http.StatusInsufficientStorage || strings.Contains(text, "absent") {
			t.Errorf("%s: %s, %s", what, r.Status, text)
		}
	}
	t.Setenv("TMPDIR", t.TempDir())
	if r := post(t, url+"/v1/rank", field{"support", "s.csv", labelled}, field{"library", "l.csv", large()}); r.StatusCode != http.StatusOK {
		t.Errorf("afterwards: %s, %s", r.Status, body(t, r))
	}
}
