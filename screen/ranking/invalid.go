package ranking

import (
	"encoding/csv"
	"errors"
	"io"
	"math"
	"os"
	"strconv"

	"pacia/data/table"
	"pacia/internal/atomicfile"
	"pacia/internal/badinput"
)

// Invalid holds, on disk, the molecules that could not be read.
type Invalid struct {
	First *badinput.Error // about the first such molecule; nil if there is none or another process read it

	file  *os.File
	csv   *csv.Writer
	n     int
	head  int64 // length of the header in bytes
	table *Table
}

// NewInvalid returns an empty Invalid for rows of t. Its file is in the folder of the path out.
func NewInvalid(out string, t *Table) (*Invalid, error) {
	f, err := atomicfile.Nameless(out)
	if err != nil {
		return nil, err
	}
	v := &Invalid{file: f, csv: csv.NewWriter(f), table: t}
	header := []string{"row", "smiles", "reason"}
	if t.Names >= 0 {
		header = append(header, "name")
	}
	if t.Several() {
		header = append(header, "file")
	}
	if err := v.csv.Write(header); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	v.csv.Flush()
	if v.head, err = f.Seek(0, io.SeekCurrent); err != nil || v.csv.Error() != nil {
		return nil, errors.Join(err, v.csv.Error(), f.Close())
	}
	return v, nil
}

// Add appends the molecule of a row and the reason.
func (v *Invalid) Add(row Row, reason error) error {
	v.n++
	record := []string{strconv.Itoa(row.Line), row.Fields[v.table.SMILES], reason.Error()}
	if v.table.Names >= 0 {
		record = append(record, v.table.NameOf(row.Fields))
	}
	if v.table.Several() {
		record = append(record, row.File)
	}
	return v.csv.Write(table.PlainAll(record))
}

// Len returns the number of molecules.
func (v *Invalid) Len() int { return v.n }

// Close releases the space on disk.
func (v *Invalid) Close() error { return v.file.Close() }

// Flush writes all added molecules to disk, as CopyTo requires.
func (v *Invalid) Flush() error {
	v.csv.Flush()
	return v.csv.Error()
}

// CopyTo writes the table with the columns row, smiles and reason, and the compound's name and the file
// if the library has names and several files. After Flush several goroutines may call it.
func (v *Invalid) CopyTo(w io.Writer) error { return v.copyFrom(0, w) }

func (v *Invalid) copyFrom(start int64, w io.Writer) error {
	if v.csv.Error() != nil {
		return v.csv.Error()
	}
	_, err := io.Copy(w, io.NewSectionReader(v.file, start, math.MaxInt64-start))
	return err
}
