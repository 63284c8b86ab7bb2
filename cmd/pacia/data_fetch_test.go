package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFetchFromMirror downloads a table over HTTP and reads it.
func TestFetchFromMirror(t *testing.T) {
	t.Chdir(t.TempDir())
	mirror := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/sets/tox21.csv.gz" {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		_, _ = fmt.Fprint(w, "NR-AR,mol_id,smiles\n1,TOX1,CCO\n0,TOX2,CCN\n")
	}))
	defer mirror.Close()
	address := mirror.URL + "/sets"

	r := pacia("data", "fetch", "tox21", "--mirror", address)
	if r.code != exitTrouble || !strings.Contains(r.err, "its MD5 is ") || strings.Count(r.err, "\n") != 1 {
		t.Errorf("another checksum: exit code %d, %q", r.code, r.err)
	}
	out := ok(t, "data", "fetch", "tox21", "--mirror", address, "--unchecked")
	want := "tox21.csv.gz  0.0 kB (42 bytes)  sha256 … not as published\nready: moleculenet/tox21.csv.gz\n"
	if got := mask(out, `[0-9a-f]{64} `); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if out := ok(t, "data", "inspect", "--cache", "cache", filepath.Join("moleculenet", "tox21.csv.gz")); !strings.Contains(out, "2 molecules") {
		t.Errorf("inspect prints\n%s", out)
	}
	if _, err := os.Stat(filepath.Join("moleculenet", "source", "tox21.csv.gz")); err != nil {
		t.Error(err)
	}
	r = pacia("data", "fetch", "fsmol", "--mirror", address)
	if wantErr := "pacia: " + address + "/fsmol.tar: the server answers 404 Not Found; get the file elsewhere and put it at fsmol/source/fsmol.tar\n"; r.code != exitTrouble || r.err != wantErr {
		t.Errorf("exit code %d\n got %s\nwant %s", r.code, r.err, wantErr)
	}
	wantFault(t, "pacia: pacia data fetch needs the name of a data set; write one of fsmol, moleculenet, tox21, sider, muv, toxcast",
		"data", "fetch", "tox")
}
