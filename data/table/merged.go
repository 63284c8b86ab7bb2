package table

import (
	"slices"
	"strings"

	"github.com/xuri/excelize/v2"
)

// merged is a range of cells that show one value, which the first of them stores. Columns count from 0.
type merged struct {
	left, top, right, bottom int
	text, unit               string
}

// merge adds a range, such as A2:A4.
func (x *extras) merge(ref string) {
	from, to, _ := strings.Cut(ref, ":")
	left, top, err := excelize.CellNameToCoordinates(from)
	right, bottom, errTo := excelize.CellNameToCoordinates(to)
	if err == nil && errTo == nil && left <= right && top <= bottom {
		x.merged = append(x.merged, merged{left: left - 1, top: top, right: right - 1, bottom: bottom})
	}
}

// spread writes the values of merged cells to all their cells of the row that was read last. It leaves out rows without
// values of their own, and ranges of several columns with that of the molecules, which are titles.
func (w *workbook) spread(molecules int, cells, units []string) ([]string, []string) {
	for len(w.merged) > 0 && w.merged[0].top <= w.line {
		m := w.merged[0]
		w.merged = w.merged[1:]
		title := m.left < m.right && m.left <= molecules && molecules <= m.right
		if m.top < w.line || title || m.left >= len(cells) || cells[m.left] == "" || len(w.open) >= w.width {
			continue
		}
		m.text = cells[m.left]
		if m.left < len(units) {
			m.unit = units[m.left]
		}
		w.open = append(w.open, m)
	}
	w.open = slices.DeleteFunc(w.open, func(m merged) bool { return m.bottom < w.line })
	if len(w.open) == 0 || blank(cells) {
		return cells, units
	}
	cells = append(cells, make([]string, max(0, w.width-len(cells)))...)
	for _, m := range w.open {
		for i := m.left; i <= min(m.right, w.width-1); i++ {
			if cells[i] != "" {
				continue
			}
			if cells[i] = m.text; m.unit != "" {
				units = append(units, make([]string, max(0, w.width-len(units)))...)
				units[i] = m.unit
			}
		}
	}
	return cells, units
}
