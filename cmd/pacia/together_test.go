package main

import (
	"errors"
	"os"
	"strings"
	"testing"
)

// TestTogether: of several files all are replaced or none, and links stay.
func TestTogether(t *testing.T) {
	inFolder(t, "table", "old")
	put(t, "target", "old")
	linkAt(t, "target", "list")
	full := errors.New("no space left")
	write := func(text string, failing string) error {
		var fills []fill
		for _, name := range []string{"table", "page", "list"} {
			fills = append(fills, fill{name, func(f *os.File) error {
				if name == failing {
					return full
				}
				_, err := f.WriteString(text)
				return err
			}})
		}
		return together(fills, func() error {
			if text, err := os.ReadFile("table"); err != nil || strings.HasPrefix(string(text), "new") {
				t.Errorf("before all are ready, the table is %q (%v)", text, err)
			}
			return removeBehind("list")
		})
	}
	for _, failing := range []string{"table", "page", "list"} {
		if err := write("new", failing); !errors.Is(err, full) {
			t.Error(err)
		}
		leftAs(t, "list", "table", "target")
		for _, name := range []string{"table", "list"} {
			if text, err := os.ReadFile(name); err != nil || string(text) != "old" {
				t.Errorf("%s fails: %s is %q (%v)", failing, name, text, err)
			}
		}
	}
	if err := write("new", ""); err != nil {
		t.Fatal(err)
	}
	leftAs(t, "list", "page", "table", "target")
	for _, name := range []string{"table", "page", "target"} {
		if text, err := os.ReadFile(name); err != nil || string(text) != "new" {
			t.Errorf("%s is %q (%v)", name, text, err)
		}
	}
}

// TestNoListBesideAnotherTable: the list of a library without a readable molecule is not written beside an earlier table.
func TestNoListBesideAnotherTable(t *testing.T) {
	exampleFolder(t)
	put(t, "s.csv", "smiles,hit\nCCO,+\nCCN,-\n")
	put(t, "odd.csv", "smiles\nC(C\nC(\n")
	args := []string{"predict", "--method", "similarity", "--support", "s.csv", "--out", "r.csv", "--candidates"}
	refused(t, "odd.csv: ", append(args, "odd.csv")...)
	if n := len(readCSV(t, "r.invalid.csv")); n != 3 {
		t.Errorf("%d rows, want the header and 2", n)
	}
	ok(t, append(args, "library.csv")...)
	refused(t, "odd.csv: ", append(args, "odd.csv")...)
	if n := len(readCSV(t, "r.invalid.csv")); n != 1 {
		t.Errorf("%d rows beside the table of another library, want its own list", n)
	}
}
