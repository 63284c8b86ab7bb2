package serve

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// mostKeys limits the number of columns of rows in JSON. The rows of a request may all have different names:
// then the table has at most one cell for each byte of the request, plus sparse cells.
const mostKeys, sparse = 4096, 1 << 20

// text returns the text of a file for molecules in JSON. A string is the text itself. A list of
// strings holds SMILES. A list of objects holds rows, and their keys, such as "smiles", are the columns.
func text(value json.RawMessage) (string, error) {
	var file string
	if value[0] == '"' && json.Unmarshal(value, &file) == nil {
		return file, nil
	}
	header, rows, err := columnsOf(value)
	if err != nil {
		return "", err
	}
	if len(header) > mostKeys || rows*len(header) > len(value)+sparse {
		return "", fmt.Errorf("%d rows have %d different names", rows, len(header))
	}
	var b strings.Builder
	w := csv.NewWriter(&b)
	_ = w.Write(header) // Error reports
	record := make([]string, len(header))
	err = elements(value, func(smiles string, row map[string]any) {
		if row == nil {
			row = map[string]any{smilesColumn: smiles}
		}
		for i, name := range header {
			record[i] = cellText(row[name])
		}
		_ = w.Write(record)
	})
	w.Flush()
	return b.String(), errors.Join(err, w.Error())
}

const smilesColumn = "smiles"

// columnsOf returns the names of the columns of a list of molecules, and the number of its rows.
func columnsOf(value json.RawMessage) (header []string, rows int, err error) {
	seen, smiles, objects := map[string]bool{}, false, false
	err = elements(value, func(text string, row map[string]any) {
		rows++
		smiles, objects = smiles || text != "", objects || row != nil
		for name := range row {
			if !seen[name] {
				seen[name], header = true, append(header, name)
			}
		}
	})
	if err != nil || smiles && objects {
		return nil, rows, errNoMolecules
	}
	if !objects {
		return []string{smilesColumn}, rows, nil
	}
	slices.Sort(header)
	return header, rows, nil
}

var errNoMolecules = errors.New("it is neither a text nor a list of molecules")

// elements calls use with each element of a list, a SMILES or a row; row is nil for a SMILES. It holds one at a time.
func elements(value json.RawMessage, use func(smiles string, row map[string]any)) error {
	d := json.NewDecoder(bytes.NewReader(value))
	d.UseNumber()
	if t, err := d.Token(); err != nil || t != json.Delim('[') {
		return errNoMolecules
	}
	for d.More() {
		var element any
		if err := d.Decode(&element); err != nil {
			return err
		}
		switch v := element.(type) {
		case string:
			use(v, nil)
		case map[string]any:
			use("", v)
		case nil: // no molecule
			use("", nil)
		default:
			return errNoMolecules
		}
	}
	return nil
}

// cellText returns a value of a row as the text of a cell.
func cellText(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case map[string]any, []any:
		b, _ := json.Marshal(v) // cannot fail: v was decoded from JSON
		return string(b)
	default:
		return fmt.Sprint(v)
	}
}
