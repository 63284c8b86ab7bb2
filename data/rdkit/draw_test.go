package rdkit

import (
	"encoding/xml"
	"slices"
	"strings"
	"sync"
	"testing"
)

// drawn reads a drawing. It returns the number of paths of each bond, and of each atom with letters.
func drawn(t *testing.T, svg []byte) (bonds, letters map[string]int) {
	t.Helper()
	var doc struct {
		Paths []struct {
			Class string `xml:"class,attr"`
			Data  string `xml:"d,attr"`
		} `xml:"path"`
		Others []struct {
			XMLName xml.Name
		} `xml:",any"`
	}
	text := strings.Replace(string(svg), "iso-8859-1", "utf-8", 1) // plain ASCII
	if err := xml.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	if len(doc.Others) > 0 {
		t.Errorf("elements beside paths: %v", doc.Others)
	}
	bonds, letters = map[string]int{}, map[string]int{}
	for _, p := range doc.Paths {
		switch class, _, _ := strings.Cut(p.Class, " "); {
		case strings.HasPrefix(class, "bond-"):
			bonds[class]++
		case strings.HasPrefix(class, "atom-"):
			letters[class]++
		}
	}
	return bonds, letters
}

// TestDraw: every bond is drawn, and the letters of every atom that is not a carbon.
func TestDraw(t *testing.T) {
	for _, tt := range []struct {
		smiles  string
		bonds   int
		letters []string
	}{
		{"CCO", 2, []string{"atom-2"}},
		{"c1ccc2[nH]ccc2c1", 10, []string{"atom-4"}},
		{"C[C@H](N)C(=O)[O-].[Na+]", 5, []string{"atom-2", "atom-4", "atom-5", "atom-6"}},
		{"C", 0, []string{"atom-0"}},
		{"*CC*", 3, []string{"atom-0", "atom-3"}},
	} {
		svg, err := Draw(t.Context(), tt.smiles, 200, 150)
		if err != nil {
			t.Fatal(err)
		}
		bonds, letters := drawn(t, svg)
		if len(bonds) != tt.bonds {
			t.Errorf("%s: %d bonds are drawn, want %d", tt.smiles, len(bonds), tt.bonds)
		}
		got := []string{}
		for atom := range letters {
			got = append(got, atom)
		}
		if slices.Sort(got); !slices.Equal(got, tt.letters) {
			t.Errorf("%s: letters of %v, want %v", tt.smiles, got, tt.letters)
		}
	}
}

// TestDrawLarge: a drawing that is larger than the first buffer is complete.
func TestDrawLarge(t *testing.T) {
	svg, err := Draw(t.Context(), strings.Repeat("CC(=O)N", 60), 400, 300)
	if err != nil {
		t.Fatal(err)
	}
	if bonds, _ := drawn(t, svg); len(bonds) != 239 || len(svg) <= 1<<16 {
		t.Errorf("%d bonds in %d bytes", len(bonds), len(svg))
	}
}

func TestDrawRefuses(t *testing.T) {
	for _, bad := range refused {
		if _, err := Draw(t.Context(), bad.smiles, 100, 100); err == nil || err.Error() != bad.reason {
			t.Errorf("%q: %v, want %s", bad.smiles, err, bad.reason)
		}
	}
	if _, err := Draw(t.Context(), strings.Repeat("C", LargestDrawn+1), 100, 100); err == nil || !strings.Contains(err.Error(), "too large") {
		t.Errorf("a chain of %d: %v, want that it is too large", LargestDrawn+1, err)
	}
	if _, err := Draw(t.Context(), "CCO", 4, 100); err == nil {
		t.Error("a drawing of 4 pixels is made")
	}
}

// TestDrawSideBySide: concurrent drawings equal sequential ones.
func TestDrawSideBySide(t *testing.T) {
	want, err := Draw(t.Context(), "c1ccc2[nH]ccc2c1", 200, 150)
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for range 5 {
				if got, err := Draw(t.Context(), "c1ccc2[nH]ccc2c1", 200, 150); err != nil || string(got) != string(want) {
					t.Errorf("another drawing (%v)", err)
				}
			}
		})
	}
	group.Wait()
}
