package table_test

import (
	"archive/zip"
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"pacia/data/table"
)

// TestALargePart: a workbook whose texts would take gigabytes in memory is refused before they are read.
func TestALargePart(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	noise := make([]byte, 2<<20) // otherwise it holds too many times its size
	_, _ = rand.NewChaCha8([32]byte{}).Read(noise)
	texts := []byte(strings.Repeat("<si/>", 1<<20))
	var book bytes.Buffer
	z := zip.NewWriter(&book)
	for name, part := range map[string][]byte{"xl/media/image1.png": noise, "xl/sharedStrings.xml": texts} {
		w, err := z.Create(name)
		for n := 0; err == nil && n < 1+len(part)/len(texts)*60; n++ {
			_, err = w.Write(part)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	_, err := table.New("t.xlsx", &book, table.Options{})
	if err == nil || !strings.Contains(err.Error(), `refused: the part "xl/sharedStrings.xml" has more than 256 MB`) {
		t.Errorf("%v", err)
	}
}
