package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"pacia/data/label"
	"pacia/internal/badinput"
	"pacia/internal/each"
	"pacia/screen/ranking"
)

// A scoreAnswer is the answer of pacia score: lists with an element for each line.
type scoreAnswer struct {
	payload, metadata []scoreList // those of the ranked table, in its order
}

// A scoreList is a column of a ranked table by lines of the standard input.
type scoreList struct {
	name  string
	cells []string // empty for a line without a molecule
	text  bool
}

// unranked returns a ranked table without rows, for lines that are not molecules.
func (p *prediction) unranked() ([]byte, error) {
	names, err := p.names()
	l := ranking.Layout{Against: names}
	if p.Potency != "" {
		l.Scale = &label.Scale{}
	}
	return []byte(strings.Join(append([]string{lineColumn}, l.Names()...), ",") + "\n"), err
}

// answerOf makes lists of n elements of the columns of a ranked table.
func answerOf(ranked []byte, n int) (a scoreAnswer, err error) {
	rows, err := csv.NewReader(bytes.NewReader(ranked)).ReadAll()
	if err != nil || len(rows) == 0 {
		return a, &badinput.Error{What: "--server: the answer is not a ranked table", Err: err, Fix: "write the address of pacia serve"}
	}
	line, selective := slices.Index(rows[0], lineColumn), slices.Contains(rows[0], "selectivity")
	if line < 0 || !slices.Contains(rows[0], "probability") {
		return a, badinput.Newf("--server: the answer lacks the columns %s and probability", lineColumn)
	}
	for i, column := range rows[0] {
		l := scoreList{name: column, cells: make([]string, n), text: column == "domain"}
		for _, row := range rows[1:] {
			at, err := strconv.Atoi(row[line])
			if err != nil || at < 0 || at >= n {
				return a, fmt.Errorf("--server: the answer has the line %q", row[line])
			}
			l.cells[at] = row[i]
		}
		switch {
		case column == "selectivity" || column == "probability" && !selective:
			l.name = "predictions"
			a.payload = slices.Insert(a.payload, 0, l)
		case strings.HasPrefix(column, "probability"), strings.HasPrefix(column, "potency"):
			a.payload = append(a.payload, l)
		default:
			if known := ranking.ColumnNamed(column); known != nil && (l.text || known.PlainNumber()) {
				a.metadata = append(a.metadata, l)
			}
		}
	}
	return a, nil
}

// write writes the lists in the form that REINVENT 4 reads. Python's reader accepts NaN, which is not valid JSON.
func (a scoreAnswer) write(w io.Writer) error {
	lists := func(all []scoreList) string {
		return "{" + strings.Join(each.Of(all, scoreList.String), ", ") + "}"
	}
	text := `{"version": 1, "payload": ` + lists(a.payload)
	if len(a.metadata) > 0 {
		text += `, "metadata": ` + lists(a.metadata)
	}
	_, err := io.WriteString(w, text+"}\n")
	return err
}

// String returns the list with its name, as in JSON.
func (l scoreList) String() string {
	return strconv.Quote(l.name) + ": [" + strings.Join(each.Of(l.cells, l.element), ", ") + "]"
}

func (l scoreList) element(cell string) string {
	if l.text {
		if cell == "" {
			return "null"
		}
		quoted, _ := json.Marshal(cell) // a string is always valid
		return string(quoted)
	}
	v, err := strconv.ParseFloat(cell, 64)
	if err != nil {
		v = math.NaN()
	}
	return strconv.FormatFloat(v, 'f', 6, 64)
}
