package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	"pacia/data/assay"
	"pacia/data/label"
	"pacia/internal/ui"
	"pacia/screen/ranking"
)

func (s *Server) support(ctx context.Context, f *form, l label.Tasks) (*ranking.Support, error) {
	return s.supportIn(ctx, f, f.file("support"), l)
}

// supportIn reads a file of labelled molecules with the settings that f has for the support set.
func (s *Server) supportIn(ctx context.Context, f *form, file *upload, l label.Tasks) (*ranking.Support, error) {
	o := f.SupportOptions(true)
	o.MaxLabelled, o.Results = maxSupport, f.after
	set, err := ranking.SupportOf(ctx, file.name, file.reader(), o, l)
	var most *assay.TooMany
	if errors.As(err, &most) {
		return nil, problem{Status: http.StatusRequestEntityTooLarge, File: file.name,
			What: fmt.Sprintf("%s: more than %s labelled molecules", file.name, ui.Grouped(maxSupport)),
			Fix:  "choose some of them; pacia predict takes any number"}
	}
	return set, err
}

// measure reads the files of a field to their end, such as the library.
func (s *Server) measure(ctx context.Context, f *form, field string) (of size, err error) {
	if len(f.files[field]) == 0 {
		return of, nil
	}
	t, err := f.open(f.files[field], field == "library")
	if err != nil {
		return of, err
	}
	defer t.Close()
	for {
		row, err := t.Next()
		if errors.Is(err, io.EOF) {
			of.columns = len(t.Header) + len(f.Wanted.Columns())
			return of, nil
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return of, err
		}
		if of.add(row); of.rows > s.options.MaxRows {
			return of, s.tooMany()
		}
	}
}
