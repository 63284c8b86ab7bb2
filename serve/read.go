package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	"pacia/data/label"
	"pacia/data/table"
	"pacia/evaluate"
	"pacia/internal/each"
	"pacia/internal/ui"
	"pacia/screen"
	"pacia/screen/ranking"
)

// previewed is the number of molecules in a preview, shownCells the number of cells shown of a column.
const previewed, shownCells = 60, 3

// A preview is the interpretation of a file, before anything is computed.
type preview struct {
	Files     []string      `json:"files"`
	Rows      int           `json:"rows"`
	Findings  []string      `json:"said"` // how the file was interpreted
	Columns   []column      `json:"columns"`
	SMILES    string        `json:"smiles"`          // column of the molecules
	Names     string        `json:"names,omitempty"` // column of the compounds' names
	Support   *supportFacts `json:"support,omitempty"`
	Past      *int          `json:"past,omitempty"` // number of past assays
	Molecules []seen        `json:"molecules"`
	Problem   *problem      `json:"problem,omitempty"` // of a support set whose labels cannot be read
}

type column struct {
	Name     string   `json:"name"`
	Examples []string `json:"examples"`
	Values   bool     `json:"values,omitempty"` // most of its first cells are measurements, not labels
}

// seen is a molecule of a preview.
type seen struct {
	Row    int    `json:"row"`
	Name   string `json:"name,omitempty"`
	SMILES string `json:"smiles,omitempty"`
	Label  string `json:"label,omitempty"` // active or inactive
	Reason string `json:"reason,omitempty"`
}

// read answers with the interpretation of the files sent as support or library.
func (s *Server) read(w http.ResponseWriter, r *http.Request) error {
	if err := s.arrive(w, r); err != nil {
		return err
	}
	defer s.uploads.free()
	f, err := s.body(w, r, 0)
	if err != nil {
		return err
	}
	defer f.close()
	if err := s.readers.enter(r); err != nil {
		return err
	}
	defer s.readers.free()
	p, err := s.preview(r, f)
	if err != nil {
		return err
	}
	return reply(w, http.StatusOK, p)
}

// arrive takes a place for an upload outside a job, or refuses the request if none is free.
func (s *Server) arrive(w http.ResponseWriter, r *http.Request) error {
	select {
	case s.uploads <- struct{}{}:
		return nil
	default:
		s.unread(w, r)
		return problem{Status: http.StatusServiceUnavailable, What: "the server is busy with other files", Fix: "try again in a few seconds"}
	}
}

func (s *Server) preview(r *http.Request, f *form) (*preview, error) {
	fields := each.If([]string{"support", "library", "history"}, func(field string) bool { return f.file(field) != nil })
	if len(fields) != 1 {
		return nil, problem{Status: http.StatusBadRequest, What: "a preview needs one support set, or the files of a library or of past assays",
			Fix: "send them as support, library or history"}
	}
	files := f.files[fields[0]]
	if err := f.Reading.Check(); err != nil {
		return nil, err
	}
	if f.file("support") != nil && f.SupportSMILES != "" {
		f.Reading.SMILES = f.SupportSMILES
	}
	p, err := s.previewFiles(r, f, files)
	if err == nil && fields[0] == "history" {
		err = s.lookAtPast(r.Context(), f, p)
	}
	if err != nil || f.file("support") == nil {
		return p, err
	}
	if err := s.lookAtLabels(r.Context(), f, p); err != nil {
		wrong := problemOf(err)
		wrong.Message = wrong.Error()
		p.Problem = &wrong
	}
	return p, nil
}

// previewFiles reads files to their end and returns a preview with the first molecules.
func (s *Server) previewFiles(r *http.Request, f *form, files []*upload) (*preview, error) {
	t, err := f.open(files, f.file("library") != nil)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	p := &preview{Findings: []string{}}
	for _, file := range files {
		p.Files = append(p.Files, file.name)
	}
	var first []ranking.Row
	for {
		row, err := t.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			err = r.Context().Err()
		}
		if err != nil {
			return nil, err
		}
		if p.Rows++; p.Rows > s.options.MaxRows {
			return nil, s.tooMany()
		}
		if len(first) < previewed {
			first = append(first, row)
		}
	}
	for _, file := range t.Notes() {
		p.Findings = append(p.Findings, inFields(screen.Lines(file.File, file.Notes))...)
	}
	p.SMILES = t.Header[t.SMILES]
	if t.Names >= 0 {
		p.Names = t.Header[t.Names]
	}
	for i, name := range t.Header {
		c := columnOf(name, i, first)
		c.Values = c.Values && i != t.SMILES && i != t.Names && !table.NameLike(name)
		p.Columns = append(p.Columns, c)
	}
	p.Molecules = s.molecules(r.Context(), t, first)
	return p, nil
}

// columnOf describes column i by its cells in rows.
func columnOf(name string, i int, rows []ranking.Row) column {
	c := column{Name: name, Examples: []string{}}
	var cells []label.Cell
	for _, row := range rows {
		if i >= len(row.Fields) || row.Fields[i] == "" {
			continue
		}
		cells = append(cells, label.Cell{Text: row.Fields[i]})
		if len(c.Examples) < shownCells {
			c.Examples = append(c.Examples, ui.Cut(row.Fields[i], 40))
		}
	}
	_, _, values := label.CountCells(cells)
	c.Values = 3*values > 2*len(cells)
	return c
}

func (s *Server) tooMany() problem {
	return problem{Status: http.StatusRequestEntityTooLarge, What: fmt.Sprintf("there are more than %s rows", ui.Grouped(s.options.MaxRows)),
		Fix: "send a part of them, or start the server with another --max-rows; pacia predict takes any number"}
}

func (s *Server) molecules(ctx context.Context, t *ranking.Table, rows []ranking.Row) []seen {
	all, smiles := make([]seen, len(rows)), make([]string, len(rows))
	for i := range rows {
		t.Prepare(ctx, &rows[i])
		smiles[i] = rows[i].SMILES
	}
	reasons := evaluate.Unreadable(ctx, s.options.Model.Config(), smiles, 1)
	for i, row := range rows {
		all[i] = seen{Row: row.Line, Name: t.NameOf(row.Fields), SMILES: row.SMILES}
		if row.Reason != nil {
			reasons[i] = row.Reason
		}
		if reasons[i] != nil {
			all[i].Reason = firstWords(reasons[i])
		}
	}
	return all
}

// lookAtLabels replaces the molecules of a preview by the labelled ones.
func (s *Server) lookAtLabels(ctx context.Context, f *form, p *preview) error {
	labels, err := f.Labels.Parse()
	if err != nil {
		return err
	}
	set, err := s.support(ctx, f, labels)
	if err != nil {
		return err
	}
	reasons := evaluate.Unreadable(ctx, s.options.Model.Config(), set.SMILES, 1)
	if err := set.Drop(reasons, false); err != nil {
		return err
	}
	of := supportOf(set)
	p.Support, p.Findings = &of, append([]string{}, inFields(screen.Findings(set, true))...)
	p.Molecules = []seen{}
	for i, smiles := range set.SMILES[:min(len(set.SMILES), previewed)] {
		label := "inactive"
		if set.Labels[i] == 1 {
			label = "active"
		}
		p.Molecules = append(p.Molecules, seen{Row: set.Lines[i], Name: set.Names[i], SMILES: smiles, Label: label})
	}
	return nil
}
