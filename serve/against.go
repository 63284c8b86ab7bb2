package serve

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"pacia/data/label"
	"pacia/internal/badinput"
	"pacia/screen"
	"pacia/screen/ranking"
)

// againstNames returns the names of the unwanted assays.
func (f *form) againstNames() ([]string, error) {
	var files []string
	for i, file := range f.files["against"] {
		_, column, err := f.againstSettings(i)
		if err != nil {
			return nil, refused(err)
		}
		files = append(files, screen.AssayName(file.name, column))
	}
	names, err := screen.AgainstNames(files)
	return names, refused(err)
}

// againstSettings returns the settings by which a file of an unwanted assay is read, and the column of its own.
func (f *form) againstSettings(i int) (s label.Settings, column string, err error) {
	text, support := "", f.file("support")
	if i < len(f.Assays) {
		text = f.Assays[i]
	}
	return f.Assay(text, support != nil && support.name == f.files["against"][i].name)
}

// readAgainst reads the file of an unwanted assay, which must not be that of the support set.
func (s *Server) readAgainst(ctx context.Context, f *form, i int, support *ranking.Support) (*ranking.Support, error) {
	settings, _, err := f.againstSettings(i)
	if err != nil {
		return nil, err
	}
	labels, err := settings.Parse()
	if err != nil {
		return nil, err
	}
	read, err := s.supportIn(ctx, f, f.files["against"][i], labels)
	if fault := (*badinput.Error)(nil); errors.As(err, &fault) && strings.Contains(fault.Fix, "--rows ") {
		own := *fault
		own.Fix = strings.Replace(fault.Fix, "--rows ", "behind a semicolon in against_assay ", 1)
		return nil, &own
	}
	if err == nil && support.SameAssay(read) {
		err = &badinput.Error{File: read.File, Column: read.Column, What: "is the assay of the support set itself",
			Fix: "send the column and the threshold of another assay as against_assay, such as " + badinput.Quote("hERG IC50 (uM) < 10 uM")}
	}
	return read, err
}

// checkAgainst checks the names of the unwanted assays.
func (f *form) checkAgainst() error {
	if len(f.Assays) > len(f.files["against"]) {
		return problem{Status: http.StatusBadRequest, What: "there are more against_assay than files of against", Fix: "send one for each file"}
	}
	if len(f.files["against"]) == 0 {
		return nil
	}
	_, err := f.againstNames()
	return err
}
