package ranking_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pacia/screen/ranking"
)

// TestPartsAreTheLibrary: the parts together have each row of the library once, with its line. Parts begin at
// multiples of a chunk, and their sizes differ by at most one chunk.
func TestPartsAreTheLibrary(t *testing.T) {
	dir := t.TempDir()
	var paths []string
	for i, rows := range []int{13, 0, 1, 40, 7} {
		path := filepath.Join(dir, fmt.Sprintf("%d.csv", i))
		text := "smiles,name\n" + strings.Repeat("CCO,\"a\nb\"\n\nCCN,c\n", rows/2) + strings.Repeat("CCC,d\n", rows%2)
		if i == 3 { // UTF-16: a reader cannot begin in the middle
			text = "\xff\xfe" + strings.Join(strings.Split(text, ""), "\x00") + "\x00"
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	ctx := context.Background()
	rows := func(only *ranking.Part) (all []string) {
		table, err := ranking.Open(ctx, paths, ranking.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer table.Close()
		if only != nil {
			if err := table.Only(*only); err != nil {
				t.Fatal(err)
			}
		}
		for {
			row, err := table.Next()
			if errors.Is(err, io.EOF) {
				return all
			}
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, fmt.Sprintf("%s %d %q", filepath.Base(row.File), row.Line, row.Fields))
		}
	}
	want := rows(nil)
	const chunk = 4
	survey, err := ranking.NewSurvey(ctx, paths, ranking.Options{}, chunk)
	if err != nil || survey.Rows != int64(len(want)) || len(want) != 61 {
		t.Fatalf("%d rows, %d are read: %v", survey.Rows, len(want), err)
	}
	for _, n := range []int{1, 2, 3, 7, 15, 16, 100} {
		parts := survey.Cut(n)
		if len(parts) != min(n, 16) { // chunks of 61 rows
			t.Errorf("%d parts, want %d", len(parts), n)
		}
		var got []string
		for _, p := range parts {
			read := rows(&p)
			if p.First != int64(len(got)) || p.First%chunk != 0 || p.Rows != int64(len(read)) || len(read) == 0 {
				t.Errorf("of %d parts, one begins after row %d, where %d were read, and has %d of %d rows", n, p.First, len(got), len(read), p.Rows)
			}
			if most := (61/chunk/len(parts) + 2) * chunk; len(read) > most {
				t.Errorf("of %d parts, one has %d rows, want %d at most", n, len(read), most)
			}
			got = append(got, read...)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d parts have\n%q\nwant\n%q", n, got, want)
		}
	}
	if err := os.WriteFile(paths[4], []byte("smiles,name\nCCO,a\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	table, err := ranking.Open(ctx, paths, ranking.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	parts := survey.Cut(1)
	if err := table.Only(parts[0]); err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, err = table.Next()
	}
	if !strings.Contains(err.Error(), "has changed since the library was cut") {
		t.Errorf("a file with fewer rows: %v", err)
	}
}
