package ranking

import (
	"encoding/csv"
	"errors"
	"io"
	"os"
	"strconv"

	"pacia/durable"
)

// Invalid holds, on disk, the molecules that could not be read.
type Invalid struct {
	file *os.File
	csv  *csv.Writer
	n    int
}

// NewInvalid makes an empty one where out will be written.
func NewInvalid(out string) (*Invalid, error) {
	f, err := durable.Nameless(out)
	if err != nil {
		return nil, err
	}
	v := &Invalid{file: f, csv: csv.NewWriter(f)}
	if err := v.csv.Write([]string{"row", "smiles", "reason"}); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return v, nil
}

// Add appends the molecule of a row and the reason.
func (v *Invalid) Add(line int, smiles string, reason error) error {
	v.n++
	return v.csv.Write([]string{strconv.Itoa(line), smiles, reason.Error()})
}

// Len returns the number of molecules.
func (v *Invalid) Len() int { return v.n }

// Close frees the disk.
func (v *Invalid) Close() error { return v.file.Close() }

// CopyTo writes the table: row, smiles, reason.
func (v *Invalid) CopyTo(w io.Writer) error {
	if v.csv.Flush(); v.csv.Error() != nil {
		return v.csv.Error()
	}
	if _, err := v.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	_, err := io.Copy(w, v.file)
	return err
}
