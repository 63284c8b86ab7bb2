package rdkit

import (
	"archive/tar"
	"compress/gzip"
	"encoding/csv"
	"errors"
	"hash/crc32"
	"io"
	"os"
	"strings"
	"sync"
	"testing"

	"pacia/harness/golden"
)

// TestSharedMolecules compares all ways to make a fingerprint, on the molecules of MoleculeNet and
// FS-Mol. It takes one in eighty by a checksum or, with PACIA_LONG, all 323,856, which takes minutes.
func TestSharedMolecules(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	step := uint32(80)
	if os.Getenv("PACIA_LONG") != "" {
		step = 1
	}
	molecules := make(map[string]bool)
	for _, name := range []string{"moleculenet/tox21.csv.gz", "moleculenet/sider.csv.gz", "moleculenet/toxcast.csv.gz", "moleculenet/muv.csv.gz"} {
		read(t, golden.Shared(t, "data/"+name), func(r io.Reader) { smilesOf(t, r, step, molecules) })
	}
	read(t, golden.Shared(t, "data/fsmol/fsmol-smiles.tar.gz"), func(r io.Reader) {
		for archive := tar.NewReader(r); ; {
			h, err := archive.Next()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasSuffix(h.Name, ".csv") {
				smilesOf(t, archive, step, molecules)
			}
		}
	})
	all := make(chan string)
	var checking sync.WaitGroup
	var mu sync.Mutex
	plain := 0
	for range 2 {
		checking.Go(func() {
			for smiles := range all {
				if compare(t, smiles) {
					mu.Lock()
					plain++
					mu.Unlock()
				}
			}
		})
	}
	for smiles := range molecules {
		all <- smiles
	}
	close(all)
	checking.Wait()
	if taken := len(molecules); plain*100 < taken*97 {
		t.Errorf("%d of %d molecules are read without RDKit; it was 97.7 %%", plain, taken)
	}
}

// read opens a gzipped file.
func read(t *testing.T, path string, use func(io.Reader)) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	use(z)
}

// smilesOf adds one in step of the SMILES in the first column of a CSV file.
func smilesOf(t *testing.T, r io.Reader, step uint32, to map[string]bool) {
	t.Helper()
	rows := csv.NewReader(r)
	rows.ReuseRecord = true
	for first := true; ; first = false {
		row, err := rows.Read()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if first && row[0] != "smiles" {
			t.Fatalf("the first column is %q, want smiles", row[0])
		}
		if !first && crc32.ChecksumIEEE([]byte(row[0]))%step == 0 {
			to[strings.Clone(row[0])] = true
		}
	}
}
