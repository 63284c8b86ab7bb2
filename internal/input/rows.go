package input

import (
	"context"
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strings"

	"pacia/internal/badinput"
)

// byteOrderMark begins files in UTF-8 that Excel writes.
const byteOrderMark = "\ufeff"

// Rows calls use for each row of a table with a header, with the number of its line and the cells of
// the given columns, in their order. The file has at most limit bytes and may be gzipped. In tables separated by tabs,
// quotation marks are part of the cells. The slice of cells is reused for the next row.
func Rows(ctx context.Context, path string, comma rune, limit int64, columns []string, use func(line int, cells []string) error) error {
	f, err := Open(ctx, path, Stream, limit)
	if err != nil {
		return err
	}
	defer f.Close()
	plain, err := f.Plain()
	if err != nil {
		return err
	}
	if mark, _ := plain.Peek(len(byteOrderMark)); string(mark) == byteOrderMark {
		_, _ = plain.Discard(len(byteOrderMark)) // it is in the buffer
	}
	table := csv.NewReader(plain)
	table.Comma, table.LazyQuotes, table.ReuseRecord = comma, comma == '\t', true
	header, err := table.Read()
	if err != nil {
		return Unreadable(path, err)
	}
	places := make([]int, len(columns))
	for i, name := range columns {
		if places[i] = slices.Index(header, name); places[i] < 0 {
			return &badinput.Error{File: path, Row: 1, What: "there is no column " + name, Fix: "write the columns " + strings.Join(columns, ", ")}
		}
	}
	cells := make([]string, len(columns))
	for {
		row, err := table.Read()
		if errors.Is(err, io.EOF) {
			return ctx.Err()
		}
		if err != nil {
			return Unreadable(path, err)
		}
		for i, at := range places {
			cells[i] = row[at]
		}
		line, _ := table.FieldPos(0)
		if err := use(line, cells); err != nil {
			return err
		}
	}
}
