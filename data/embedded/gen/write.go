package main

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"fmt"
)

// table writes the set as gzip-compressed CSV: the SMILES, then a column a
// task with 0, 1 or nothing. The gzip header has neither name nor time.
func table(list []molecule, cols []column) ([]byte, error) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	w := csv.NewWriter(z)
	record := []string{"smiles"}
	for _, c := range cols {
		record = append(record, c.title())
	}
	if err := w.Write(record); err != nil {
		return nil, err
	}
	for row, m := range list {
		record[0] = m.smiles
		for i, c := range cols {
			record[i+1] = [...]string{"", "0", "1"}[c.labels[row]+1]
		}
		if err := w.Write(record); err != nil {
			return nil, err
		}
	}
	w.Flush()
	if err := w.Error(); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func describeTasks(list []molecule, cols []column) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, `# Tasks of the embedded data set

%d molecules, %d training and %d held-out tasks; made by `+"`go run ./data/embedded/gen`"+` with RDKit %s.
"Have it" is the fraction of all molecules with the feature. A task measures as many with as without, of each size.
Of a task named no_… the active molecules are those without.

| task | split | feature | definition | have it | measured |
|---|---|---|---|---|---|
`, len(list), 2*len(trainingFeatures), len(testFeatures), rdkitVersion)
	for _, c := range cols {
		split := "train"
		if c.number >= len(trainingFeatures) {
			split = "test"
		}
		measured := 0
		for _, l := range c.labels {
			measured += class(l >= 0)
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %.2f | %d |\n",
			c.title(), split, c.about, c.define(), share(list, c.number), measured)
	}
	return b.Bytes()
}

func share(list []molecule, number int) float64 {
	n := 0
	for _, m := range list {
		n += class(m.has[number])
	}
	return float64(n) / float64(len(list))
}
