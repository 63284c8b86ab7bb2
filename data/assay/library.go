package assay

import (
	"context"
	"errors"
	"io"
	"strings"

	"pacia/data/label"
	"pacia/data/table"
)

// looked is the number of rows in which [HasLabels] looks.
const looked = 2000

// HasLabels reports whether a table seems to have labels: a column with a usual name of labels, or one that has them in
// at least half of its filled cells.
func HasLabels(ctx context.Context, path string, stdin io.Reader, o table.Options) (bool, error) {
	r, err := table.Open(ctx, path, stdin, o)
	if err != nil {
		return false, err
	}
	defer r.Close()
	if labelNamed(r.Header) {
		return true, nil
	}
	var columns [][]label.Cell
	for range looked {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return false, err
		}
		for len(columns) < len(row.Fields) {
			columns = append(columns, nil)
		}
		for i, cell := range row.Fields {
			if cell = strings.TrimSpace(cell); cell != "" && i != r.SMILES {
				columns[i] = append(columns[i], label.Cell{Text: cell})
			}
		}
	}
	for _, cells := range columns {
		if _, labels, _ := label.CountCells(cells); labels > 0 && 2*labels >= len(cells) {
			return true, nil
		}
	}
	return false, nil
}
