package shards

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pacia/harness/flip"
	"pacia/internal/atomicfile"
	"pacia/screen"
	"pacia/screen/ranking"
)

// TestDamagedParts: a changed byte in the folder of parts never gives a different ranked table or a different
// list of unreadable molecules.
func TestDamagedParts(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	p := planOf(t, 1, Asked{Program: "0.9.0", Command: []string{"predict", "--shards", "2"}, Shards: 2, Threads: 1, Chunk: 512,
		Inputs: []Input{{Path: "library.csv", Size: 97317}}})
	keep(t, p)
	t.Run("plan", func(t *testing.T) {
		flip.Check(t, filepath.Join(p.dir, planFile), func() (Plan, error) {
			read, err := Open(p.dir)
			if err != nil || read == nil {
				return Plan{}, errors.Join(err, errors.New("no plan"))
			}
			return *read, nil
		})
	})
	for _, kind := range []string{rowsKind, unreadKind, countsKind} {
		t.Run(kind, func(t *testing.T) {
			flip.Check(t, p.file(0, kind), func() (string, error) { return gathered(t, p) })
		})
	}
}

// keep writes the result of a part with 60 rows and 5 unreadable molecules.
func keep(t *testing.T, p *Plan) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "ranked.csv")
	spill, err := ranking.NewSpill(out)
	if err != nil {
		t.Fatal(err)
	}
	defer spill.Close()
	unread, err := ranking.NewInvalid(out, &ranking.Table{Names: -1})
	if err != nil {
		t.Fatal(err)
	}
	defer unread.Close()
	for i := range 60 {
		if err := spill.Add([]string{strings.Repeat("C", 1+i%7), fmt.Sprint("name ", i)}, float32(i*7%10)/10, 1, 0); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 5 {
		if err := unread.Add(ranking.Row{Line: i, Fields: []string{"C("}}, errors.New("a bracket")); err != nil {
			t.Fatal(err)
		}
	}
	var rows, list bytes.Buffer
	kept := screen.Stored{Unread: 5, Header: []string{"smiles", "name"}}
	if kept.Stored, err = spill.Store(&rows, ranking.RowLimit{}, true); err != nil {
		t.Fatal(err)
	}
	if kept.Listed, err = unread.Store(&list); err != nil {
		t.Fatal(err)
	}
	for kind, content := range map[string][]byte{rowsKind: rows.Bytes(), unreadKind: list.Bytes()} {
		if err := os.WriteFile(p.file(0, kind), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := atomicfile.WriteSealed(p.file(0, countsKind), kept); err != nil {
		t.Fatal(err)
	}
}

// gathered returns the table and the list made from the part.
func gathered(t *testing.T, p *Plan) (_ string, err error) {
	t.Helper()
	all, files, err := p.Gather()
	defer func() {
		for _, f := range files {
			_ = f.Close()
		}
	}()
	if err != nil {
		return "", err
	}
	out := filepath.Join(filepath.Dir(p.dir), "ranked.csv")
	spill, err := ranking.NewSpill(out)
	if err != nil {
		return "", err
	}
	defer spill.Close()
	unread, err := ranking.NewInvalid(out, &ranking.Table{Names: -1})
	if err != nil {
		return "", err
	}
	defer unread.Close()
	if err := spill.Append(all[0].Rows, all[0].Stored.Stored); err != nil {
		return "", err
	}
	if err := unread.Append(all[0].Unreadables, all[0].Unread, all[0].Listed); err != nil {
		return "", err
	}
	var b bytes.Buffer
	err = spill.WriteRanked(&b, all[0].Header, func(p float32) float64 { return float64(p) }, nil)
	err = errors.Join(err, unread.Flush(), unread.CopyTo(&b))
	return b.String(), err
}
