package pretrain

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pacia/data/rdkit"
)

// TestMotifTrees: kinds are ordered by frequency, then by name, and a molecule has the motifs
// found by RDKit.
func TestMotifTrees(t *testing.T) {
	smiles := []string{"CCOc1ccccc1", "CC(=O)Oc1ccccc1C(=O)O", "c1ccccc1", "CCOc1ccccc1CC"}
	store, _ := storeOf(t, smiles)
	m := takeApart(t.Context(), smiles, store, 1)
	names, counts := []string{"O", "c1ccccc1", "C", "CC"}, []int{6, 4, 3, 3}
	if !slices.Equal(m.Names[:4], names) || !slices.Equal(m.Counts[:4], counts) {
		t.Errorf("kinds %v, %v; want at first %v, %v", m.Names, m.Counts, names, counts)
	}
	for rare, n := range map[int]int{1: len(m.Names), 3: 4, 4: 2, 6: 1, 7: 0} {
		if got := m.common(rare); got != n {
			t.Errorf("%d kinds are met %d times, want %d of %v", got, rare, n, m.Counts)
		}
	}
	rdkit.AllMotifs(t.Context(), smiles, func(i int, want rdkit.Motifs, err error) {
		if err != nil {
			t.Fatal(err)
		}
		got := m.tree(int32(i))
		var names []string
		for _, k := range got.kinds {
			names = append(names, m.Names[k])
		}
		if !slices.Equal(names, want.Names) || !slices.Equal(got.edges, want.Edges) || !slices.EqualFunc(got.atoms, want.Atoms, slices.Equal) {
			t.Errorf("%s: %v %+v, want %+v", smiles[i], names, got, want)
		}
	})
	again := takeApart(t.Context(), smiles, store, 3)
	if again.hash() != m.hash() {
		t.Error("another number of threads gives other motifs")
	}
}

// TestMotifsAreKept: molecules are split once. A file that is damaged, or of other molecules, is
// not used.
func TestMotifsAreKept(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	cache := t.TempDir()
	path := filepath.Join(t.TempDir(), "some.smi")
	put(t, path, []byte(strings.Join(append(chains(30), some...), "\n")))
	open := func() *Library {
		t.Helper()
		l, err := Open(t.Context(), Source{Path: path, Motifs: true, Cache: cache, Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	kept := func() string {
		t.Helper()
		files, err := filepath.Glob(filepath.Join(cache, "*.motifs"))
		if err != nil || len(files) != 1 {
			t.Fatalf("the cache holds %v (%v)", files, err)
		}
		return files[0]
	}
	first := open()
	file := kept()
	other := *first.motifs
	other.Names = append([]string{"of the file"}, other.Names[1:]...)
	if err := other.write(file); err != nil {
		t.Fatal(err)
	}
	second := open()
	if second.motifs.Names[0] != "of the file" || second.Hash == first.Hash {
		t.Error("the file is not read")
	}
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	content[len(content)/2] ^= 1
	for _, damaged := range [][]byte{content, content[:10], nil} {
		put(t, file, damaged)
		if l := open(); l.motifs.hash() != first.motifs.hash() || l.Hash != first.Hash {
			t.Error("a damaged file is read")
		}
		if readMotifs(t.Context(), kept(), first.Store) == nil {
			t.Error("a damaged file stays")
		}
	}
	few, _ := storeOf(t, some)
	if readMotifs(t.Context(), file, few) != nil {
		t.Error("a file of more molecules is read")
	}
	plain, err := Open(t.Context(), Source{Path: path, Threads: 1})
	if err != nil || plain.motifs != nil || plain.Hash == first.Hash {
		t.Errorf("without motifs: %v", err)
	}
}
