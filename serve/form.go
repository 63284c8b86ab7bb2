package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"pacia/data/label"
	"pacia/data/rdkit"
	"pacia/internal/badinput"
	"pacia/internal/each"
	"pacia/screen"
	"pacia/screen/ranking"
	"pacia/screen/request"
)

// A form is the content of a request: files, and the fields of a ranking.
type form struct {
	request.Request
	files      map[string][]*upload // by the names of fields
	release    func()               // of the memory for uploads; may be nil
	nameValues []string             // name=value of the fields that a ranking depends on, as they were sent
	after      bool                 // support holds later results
}

// defaultTop is the number of rows of an answer in JSON by default: enough for a person to read.
const defaultTop = 100

func newForm() *form {
	f := &form{Request: request.New(), files: map[string][]*upload{}}
	f.Top, f.Wait = -1, true // -1: the field was not sent
	return f
}

func (f *form) close() {
	if f.release != nil {
		f.release()
		f.release = nil
	}
	for _, all := range f.files {
		for _, file := range all {
			file.close()
		}
	}
}

// file returns the only file of a field, or nil.
func (f *form) file(field string) *upload {
	if all := f.files[field]; len(all) > 0 {
		return all[0]
	}
	return nil
}

// set parses the value of a field into f. Empty values count as missing.
func (f *form) set(name, value string) error {
	field, known := request.Find(name)
	if sent, _ := field.Sent(); !known || !sent {
		return problem{Status: http.StatusBadRequest, What: "no field is called " + quote(name), Fix: "write " + request.Or(fieldNames())}
	}
	if value = strings.TrimSpace(value); value == "" {
		return nil
	}
	if !field.Same() {
		f.nameValues = append(f.nameValues, name+"="+value)
	}
	return refused(field.Set(&f.Request, value))
}

// fieldNames returns the names of all fields of a form.
func fieldNames() (all []string) {
	for _, field := range request.Fields() {
		if sent, _ := field.Sent(); sent {
			all = append(all, field.Name)
		}
	}
	return all
}

// refused turns bad input in the value of a field into a problem with status 400. Other errors stay as they are.
func refused(err error) error {
	if f := (*badinput.Error)(nil); errors.As(err, &f) {
		p := problemOf(f)
		p.Status = http.StatusBadRequest
		return p
	}
	return err
}

func wrongField(name, value, fix string) error {
	return problem{Status: http.StatusBadRequest, What: fmt.Sprintf("%s cannot be %s", name, quote(value)), Fix: fix}
}

func (f *form) check(ctx context.Context) error {
	if err := f.checkFields(ctx); err != nil {
		return refused(err)
	}
	switch {
	case f.file("support") == nil:
		return problem{Status: http.StatusBadRequest, What: "there is no support set", Fix: "send labelled molecules as support"}
	case len(f.files["library"]) == 0:
		return problem{Status: http.StatusBadRequest, What: "there is no library", Fix: "send the molecules to rank as library"}
	}
	_, err := f.pastReadings()
	return cmp.Or(err, f.checkAgainst(), f.Reading.Check())
}

// checkFields checks the fields of a ranking. Those of saved results were taken before.
func (f *form) checkFields(ctx context.Context) error {
	return f.Request.Check(ctx, func(name string) bool {
		field, _ := request.Find(name)
		sent := slices.ContainsFunc(f.nameValues, func(text string) bool { return strings.HasPrefix(text, name+"=") })
		return f.file("results") == nil && (len(f.files[name]) > 0 || sent && !field.Field(&f.Request).IsZero())
	})
}

// complete reads the fields that decide how files are read.
func (f *form) complete() error {
	f.Labels.Rows = strings.Join(f.Rows, "\n")
	for _, text := range f.Rows {
		if _, err := label.ParseCondition(text); err != nil {
			return refused(err)
		}
	}
	return refused(f.LearnNumbers())
}

// open opens uploads as one table of all rows; ranked reports whether its rows are to be ranked.
func (f *form) open(files []*upload, ranked bool) (*ranking.Table, error) {
	names, err := f.againstNames()
	if err != nil {
		return nil, err
	}
	o := screen.TableOptions(&f.Request, names, f.Ranking())
	o.Ranked, o.Wanted = ranked, ranking.Wanted{Structure: rdkit.Structure{Scaffold: o.Wanted.Scaffold && f.Group != ""}}
	return openUploads(files, o)
}

// openUploads opens uploads as one table.
func openUploads(files []*upload, o ranking.Options) (*ranking.Table, error) {
	return ranking.New(each.Of(files, func(s *upload) ranking.Source { return ranking.Source{Name: s.name, Text: s.reader()} }), o)
}
