package serve

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"pacia/data/table"
	"pacia/screen"
	"pacia/screen/ranking"
)

// A form is what a request says: files, and the fields that the flags of pacia predict are
// called by.
type form struct {
	support *spool
	library []*spool

	reading   table.Options // of all files
	labelling screen.Labelling
	largest   bool    // fragments alone
	prior     float64 // the share of actives expected in the library; 0: that of the support set
	diverse   int     // molecules that are picked
	top       int     // rows that an answer has at most
	wait      bool    // the answer is the result, and not a job
}

// defaultTop is how many rows an answer has where nobody asks for more: what is read by people.
const defaultTop = 100

func newForm() *form { return &form{top: defaultTop, wait: true} }

func (f *form) close() {
	for _, s := range append([]*spool{f.support}, f.library...) {
		if s != nil {
			s.close()
		}
	}
}

// set takes a field. Empty values say nothing.
func (f *form) set(name, value string) error {
	if value = strings.TrimSpace(value); value == "" {
		return nil
	}
	texts := map[string]*string{
		"smiles": &f.reading.SMILES, "delimiter": &f.reading.Delimiter, "encoding": &f.reading.Encoding, "sheet": &f.reading.Sheet,
		"label": &f.labelling.Column, "active_below": &f.labelling.Below, "active_above": &f.labelling.Above,
		"unit": &f.labelling.Unit, "decimal": &f.labelling.Decimal,
	}
	var err error
	switch {
	case texts[name] != nil:
		*texts[name] = value
	case name == "largest_fragment":
		f.largest, err = strconv.ParseBool(value)
	case name == "wait":
		f.wait, err = strconv.ParseBool(value)
	case name == "prior":
		if f.prior, err = strconv.ParseFloat(value, 64); err == nil && !(f.prior > 0 && f.prior < 1) {
			return wrongField(name, value, "write a number between 0 and 1, such as 0.02")
		}
	case name == "diverse":
		f.diverse, err = number(name, value, 0, screen.MostPicks)
		return err
	case name == "top":
		if f.top, err = strconv.Atoi(value); err == nil && f.top < 0 {
			return wrongField(name, value, "write 0 or more")
		}
	default:
		return problem{Status: http.StatusBadRequest, What: "no field is called " + quote(name), Fix: "write " + known}
	}
	if err != nil {
		return wrongField(name, value, "write a number, or true or false where that is asked for")
	}
	return nil
}

const known = "support, library, label, active_below, active_above, unit, decimal, smiles, delimiter, encoding, sheet, largest_fragment, prior, diverse, top or wait"

func wrongField(name, value, fix string) error {
	return problem{Status: http.StatusBadRequest, What: fmt.Sprintf("%s cannot be %s", name, quote(value)), Fix: fix}
}

// check reports what lacks.
func (f *form) check() error {
	switch {
	case f.support == nil:
		return problem{Status: http.StatusBadRequest, What: "there is no support set", Fix: "send labelled molecules as support"}
	case len(f.library) == 0:
		return problem{Status: http.StatusBadRequest, What: "there is no library", Fix: "send the molecules to rank as library"}
	}
	return f.reading.Check()
}

// options are those by which tables are read.
func (f *form) options() ranking.Options {
	return ranking.Options{Options: f.reading, Largest: f.largest}
}

// open opens spools as one table.
func (f *form) open(files []*spool, ranked bool) (*ranking.Table, error) {
	var sources []ranking.Source
	for _, s := range files {
		sources = append(sources, ranking.Source{Name: s.name, Text: s.reader()})
	}
	o := f.options()
	o.Ranked = ranked
	return ranking.New(sources, o)
}
