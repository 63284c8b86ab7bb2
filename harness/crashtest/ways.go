package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// mostRows is the largest number of rows of a library: some chunks of a model, and a part of one.
const mostRows = 1300

// way ranks one library in two ways and compares the tables: in another order or length, in
// parts, with another number of threads, or from another kind of file. A molecule must have
// the same probability in both, to the byte.
func (h *harm) way(r *reference, random *rand.Rand) (int, error) {
	if r.name != "shards" {
		return 0, nil
	}
	dir, err := h.from(r)
	if err != nil {
		return 0, err
	}
	rows := strings.Split(strings.TrimSpace(long()), "\n")
	header, rows := rows[0], rows[1:]
	random.Shuffle(len(rows), func(i, k int) { rows[i], rows[k] = rows[k], rows[i] })
	rows = rows[:1+random.IntN(mostRows)]
	if err := containers(dir, header, rows, random); err != nil {
		return 0, err
	}
	model := "--checkpoint run/best.ckpt"
	if random.IntN(2) == 0 {
		// The model that ships refines all molecules: otherwise scores would depend on other molecules.
		model = "--refine 0 --set precision=" + []string{"auto", "float32"}[random.IntN(2)]
	}
	base := words("predict --support support.csv --out base.csv --set threads=1 --candidates rows.csv " + model)
	if err := h.attempt(dir, base).succeeded(); err != nil {
		return 0, err
	}
	want, err := probabilities(filepath.Join(dir, "base.csv"))
	if err != nil {
		return 0, err
	}
	ways := []string{
		"--candidates rows.csv --set threads=2", "--candidates rows.csv --set threads=1 --shards 3", "--candidates rows.tsv --set threads=1",
		"--candidates rows.csv.gz --set threads=1", "--candidates fewer.csv --set threads=1", "--candidates other.csv --set threads=1",
		"--candidates other.csv --candidates rows.tsv --set threads=1",
	}
	which := ways[random.IntN(len(ways))]
	if err := h.attempt(dir, words("predict --support support.csv --out way.csv "+which+" "+model)).succeeded(); err != nil {
		return 1, fmt.Errorf("%s: %w", which, err)
	}
	got, err := probabilities(filepath.Join(dir, "way.csv"))
	if err != nil {
		return 1, err
	}
	h.logf("%d rows, %s, %s: %d molecules", len(rows), model, which, len(got))
	for smiles, values := range got {
		if w := want[smiles]; len(values) != 1 || len(w) != 1 || w[0] != values[0] {
			return 1, fmt.Errorf("%d rows, %s, %s: %s has %v, and with one thread from one CSV %v", len(rows), model, which, smiles, values, w)
		}
	}
	if strings.HasPrefix(which, "--candidates rows") {
		if err := sameTable(dir); err != nil {
			return 1, fmt.Errorf("%d rows, %s, %s: %w", len(rows), model, which, err)
		}
	}
	return 1, os.RemoveAll(dir)
}

// containers writes the library as files of several kinds. The file fewer has its first rows,
// and other has all rows in another order.
func containers(dir, header string, rows []string, random *rand.Rand) error {
	text := func(rows []string) string { return header + "\n" + strings.Join(rows, "\n") + "\n" }
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write([]byte(text(rows))); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	other := slices.Clone(rows)
	random.Shuffle(len(other), func(i, k int) { other[i], other[k] = other[k], other[i] })
	for name, content := range map[string]string{
		"rows.csv": text(rows), "rows.tsv": strings.ReplaceAll(text(rows), ",", "\t"), "rows.csv.gz": packed.String(),
		"fewer.csv": text(rows[:1+random.IntN(len(rows))]), "other.csv": text(other),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// probabilities returns the distinct probabilities of each SMILES.
func probabilities(path string) (map[string][]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, err
	}
	smiles, probability := slices.Index(rows[0], "smiles"), slices.Index(rows[0], "probability")
	if smiles < 0 || probability < 0 {
		return nil, fmt.Errorf("%s has the columns %v", path, rows[0])
	}
	of := map[string][]string{}
	for _, row := range rows[1:] {
		if !slices.Contains(of[row[smiles]], row[probability]) {
			of[row[smiles]] = append(of[row[smiles]], row[probability])
		}
	}
	return of, nil
}

// sameTable compares two tables of one library with the same order of rows.
func sameTable(dir string) error {
	want, err := os.ReadFile(filepath.Join(dir, "base.csv"))
	if err != nil {
		return err
	}
	got, err := os.ReadFile(filepath.Join(dir, "way.csv"))
	if err != nil {
		return err
	}
	if bytes.Equal(want, got) {
		return nil
	}
	at := 0
	for at < min(len(want), len(got)) && want[at] == got[at] {
		at++
	}
	return fmt.Errorf("the tables differ from byte %s on: %s", strconv.Itoa(at), cmp.Or(string(got[at:min(len(got), at+80)]), "the end"))
}
