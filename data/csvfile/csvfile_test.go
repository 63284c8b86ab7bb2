package csvfile_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"pacia/data/csvfile"
	"pacia/internal/badinput"
)

func packed(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := io.WriteString(z, text); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestReaderReadsWhatSpreadsheetsWrite(t *testing.T) {
	const text = "id,Smiles\r\n1,CC\r\n2,\"C\nN\"\r\n\r\n3,O\r\n"
	want := [][]string{{"1", "CC"}, {"2", "C\nN"}, {"3", "O"}}
	for name, content := range map[string]string{
		"plain": text, "marked": "\ufeff" + text, "packed": packed(t, text), "marked and packed": packed(t, "\ufeff"+text),
		"no last line end": text[:len(text)-2],
	} {
		r, err := csvfile.NewReader("a.csv", strings.NewReader(content))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		rows, lines, err := all(r)
		if err != nil || !slices.Equal(r.Header, []string{"id", "Smiles"}) || !slices.EqualFunc(rows, want, slices.Equal) {
			t.Errorf("%s: header %q, rows %q (%v), want id and Smiles, %q", name, r.Header, rows, err, want)
		}
		if !slices.Equal(lines, []int{2, 3, 6}) {
			t.Errorf("%s: rows begin in lines %v, want [2 3 6]", name, lines)
		}
	}
}

// all reads to the end; the lines are those of the first fields.
func all(r *csvfile.Reader) (rows [][]string, lines []int, err error) {
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			return rows, lines, nil
		}
		if err != nil {
			return rows, lines, err
		}
		rows, lines = append(rows, slices.Clone(row)), append(lines, r.Line(0))
	}
}

func TestFaults(t *testing.T) {
	t.Chdir(t.TempDir())
	whole := packed(t, "smiles\n"+strings.Repeat("CC\nCN\nNOC\n", 1000))
	flipped := []byte(whole)
	for i := range 8 {
		flipped[len(whole)/2+i] ^= 0xff
	}
	for _, tt := range []struct{ text, want string }{
		{"", "the file is empty; write a header and one molecule a row"},
		{packed(t, ""), "the file is empty; write a header and one molecule a row"},
		{"smiles,id\nCC,1\nCN\n", "row 3: 1 cells where the header has 2; write a comma for each empty cell, and quote cells that hold a comma"},
		{"smiles\nC\"C\n", `row 2: malformed CSV: bare " in non-quoted-field; quote the whole cell and write "" for each " in it`},
		{whole[:len(whole)-9], "damaged gzip file: unexpected EOF; fetch it again"},
		{whole[:len(whole)-8] + "12345678", "damaged gzip file: gzip: invalid checksum; fetch it again"},
		{string(flipped), "damaged gzip file: "},
		{packed(t, "smiles\n"+strings.Repeat("C\n", 10_000_000)), "refused: it holds more lines than it has bytes; unpack it, if it is what it should be"},
		{"smiles\nC\n\"" + strings.Repeat("C\n", 3<<20), "row 3: longer than 4 MiB; shorten it, or close a quotation mark before it"},
		{"\x1f\x8bnot gzip at all", "damaged gzip file: gzip: invalid header; fetch it again"},
	} {
		if err := os.WriteFile("a.csv", []byte(tt.text), 0o600); err != nil {
			t.Fatal(err)
		}
		wantFault(t, "a.csv", "a.csv: "+tt.want)
	}
	wantFault(t, "none.csv", "none.csv: cannot be read: no such file or directory; check the file")
	wantFault(t, ".", ".: cannot be read: is a directory; check the file")
}

// wantFault reads a whole file, which must fail with a line that begins so.
func wantFault(t *testing.T, path, want string) {
	t.Helper()
	r, err := csvfile.Open(t.Context(), path)
	if err == nil {
		_, _, err = all(r)
		err = errors.Join(err, r.Close())
	}
	if err == nil || !strings.HasPrefix(err.Error(), want) || !badinput.Is(err) {
		t.Errorf("got  %v\nwant %s, as a fault", err, want)
	}
}
