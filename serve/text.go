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
	if json.Unmarshal(value, &file) == nil {
		return file, nil
	}
	var smiles []string
	if json.Unmarshal(value, &smiles) == nil {
		return tableText([]string{"smiles"}, len(smiles), func(row, _ int) string { return smiles[row] })
	}
	d := json.NewDecoder(bytes.NewReader(value))
	d.UseNumber()
	var rows []map[string]any
	if d.Decode(&rows) != nil {
		return "", errors.New("it is neither a text nor a list of molecules")
	}
	seen := map[string]bool{}
	var header []string
	for _, row := range rows {
		for name := range row {
			if !seen[name] {
				seen[name], header = true, append(header, name)
			}
		}
	}
	slices.Sort(header)
	if len(header) > mostKeys || len(rows)*len(header) > len(value)+sparse {
		return "", fmt.Errorf("%d rows have %d different names", len(rows), len(header))
	}
	return tableText(header, len(rows), func(row, column int) string {
		switch v := rows[row][header[column]].(type) {
		case nil:
			return ""
		case map[string]any, []any:
			b, _ := json.Marshal(v) // cannot fail: v was decoded from JSON
			return string(b)
		default:
			return fmt.Sprint(v)
		}
	})
}

func tableText(header []string, rows int, cell func(row, column int) string) (string, error) {
	var b strings.Builder
	w := csv.NewWriter(&b)
	_ = w.Write(header) // Error reports
	record := make([]string, len(header))
	for i := range rows {
		for k := range header {
			record[k] = cell(i, k)
		}
		_ = w.Write(record)
	}
	w.Flush()
	return b.String(), w.Error()
}
