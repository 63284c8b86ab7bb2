package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"pacia/data/label"
	"pacia/data/standard"
	"pacia/data/table"
	"pacia/internal/badinput"
	"pacia/internal/each"
	"pacia/screen"
	"pacia/screen/ranking"
	"pacia/screen/why"
)

// A form is the content of a request: files, and fields named like the flags of pacia predict.
type form struct {
	support *upload
	library []*upload
	against []*upload // labelled molecules of assays that are not wanted
	before  *upload   // the support set of the round before; nil: there is none
	results *upload   // of an earlier ranking of the same files and fields; nil: they are ranked
	given   []string  // the fields that decide what a ranking is, as they were sent

	reading   table.Options // of all files
	named     string        // column of the molecules in the support set, where it is another one
	labelling label.Settings
	largest   bool    // fragments alone
	drawn     bool    // molecules are read as they are drawn
	repeats   string  // of labelled molecules: merge or keep
	prior     float64 // the share of actives expected in the library; 0: that of the support set
	diverse   int     // molecules that are picked
	group     string  // column to group rows by
	reasons   int     // of the first molecules are stated
	batch     int     // molecules to measure next that are picked
	explore   float64 // what the uncertainty is multiplied with for these
	wanted    ranking.Wanted
	top       int  // rows that an answer has at most; negative: it was not asked for
	wait      bool // the answer is the result, and not a job
}

// mostExplore is far above what explores: 3.
const mostExplore = 1000

// defaultTop is the number of rows of an answer in JSON by default: enough for a person to read.
const defaultTop = 100

func newForm() *form {
	return &form{top: -1, wait: true, labelling: label.Settings{One: true}}
}

func (f *form) close() {
	for _, s := range slices.Concat([]*upload{f.support, f.before, f.results}, f.library, f.against) {
		if s != nil {
			s.close()
		}
	}
}

// set takes a field. Empty values count as missing.
func (f *form) set(name, value string) error {
	if value = strings.TrimSpace(value); value == "" {
		return nil
	}
	if name != "wait" && name != "top" {
		f.given = append(f.given, name+"="+value)
	}
	var err error
	switch to := f.text(name); {
	case to != nil:
		*to = value
	case name == "header":
		f.reading.Header, err = table.ParseHeader(value)
		return refused(err)
	case name == "largest_fragment":
		f.largest, err = strconv.ParseBool(value)
	case name == "as_drawn":
		f.drawn, err = strconv.ParseBool(value)
	case name == "potency":
		f.labelling.Columns, f.labelling.Numbers = value, true
	case name == "wait":
		f.wait, err = strconv.ParseBool(value)
	case name == "prior":
		f.prior, err = screen.ParseShare(name, value)
		return refused(err)
	case name == "diverse":
		f.diverse, err = number(name, value, 0, screen.MostPicks)
		return err
	case name == "reasons":
		f.reasons, err = number(name, value, 0, why.Most)
		return err
	case name == "batch":
		f.batch, err = number(name, value, 0, screen.MostPicks)
		return err
	case name == "explore":
		if f.explore, err = strconv.ParseFloat(value, 64); err == nil && !(f.explore >= 0 && f.explore <= mostExplore) {
			return outside(name, value, 0, mostExplore)
		}
	case name == "match":
		f.wanted.Match = append(f.wanted.Match, value)
	case name == "exclude":
		f.wanted.Exclude = append(f.wanted.Exclude, value)
	case name == "where":
		f.wanted.Where = append(f.wanted.Where, value)
	case name == "columns":
		return refused(f.wanted.Describe(value))
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

// repeated are the fields that may be sent several times, or as a list in JSON.
var repeated = []string{"match", "exclude", "where"}

const known = "support, library, against, label, active_below, active_above, unit, value_unit, decimal, sign_column, unit_column, type_column, type, active_words, inactive_words, " +
	"potency, repeats, smiles, support_smiles, delimiter, encoding, sheet, header, as_drawn, largest_fragment, " +
	"match, exclude, where, columns, prior, diverse, group, reasons, batch, explore, before, results, top or wait"

// text is where the value of a field that is a text belongs; nil: it is not one.
func (f *form) text(name string) *string {
	l := &f.labelling
	return map[string]*string{
		"smiles": &f.reading.SMILES, "support_smiles": &f.named, "delimiter": &f.reading.Delimiter, "encoding": &f.reading.Encoding, "sheet": &f.reading.Sheet,
		"label": &l.Columns, "active_below": &l.Below, "active_above": &l.Above, "unit": &l.Units, "value_unit": &l.ValueUnit, "decimal": &l.Decimal,
		"sign_column": &l.Signs, "unit_column": &l.UnitColumn, "type_column": &l.Types, "type": &l.Type,
		"active_words": &l.Active, "inactive_words": &l.Inactive, "repeats": &f.repeats, "group": &f.group,
	}[name]
}

// refused is the answer to a field's value that cannot be read.
func refused(err error) error {
	if f := (*badinput.Error)(nil); errors.As(err, &f) {
		return problem{Status: http.StatusBadRequest, What: f.What, Fix: f.Fix}
	}
	return err
}

func wrongField(name, value, fix string) error {
	return problem{Status: http.StatusBadRequest, What: fmt.Sprintf("%s cannot be %s", name, quote(value)), Fix: fix}
}

func (f *form) check(ctx context.Context) error {
	switch {
	case f.support == nil:
		return problem{Status: http.StatusBadRequest, What: "there is no support set", Fix: "send labelled molecules as support"}
	case len(f.library) == 0:
		return problem{Status: http.StatusBadRequest, What: "there is no library", Fix: "send the molecules to rank as library"}
	}
	if f.batch > 0 && f.diverse > 0 {
		return problem{Status: http.StatusBadRequest, What: "diverse and batch both pick molecules", Fix: "leave one of them out"}
	}
	if err := cmp.Or(ranking.CheckRepeats(f.repeats), f.checkAgainst()); err != nil {
		return err
	}
	if err := f.wanted.Check(ctx); err != nil {
		return refused(err)
	}
	return f.reading.Check()
}

func (f *form) options() ranking.Options {
	o := ranking.Options{Options: f.reading, Standard: standard.Options{Largest: f.largest, Drawn: f.drawn}, Repeats: f.repeats, Most: maxSupport}
	o.Elsewhere = true // where one file has the column that was named, the other need not
	return o
}

// open opens uploads as one table, whose rows are ranked or not, without those that are not wanted.
func (f *form) open(files []*upload, ranked bool, wanted ranking.Wanted) (*ranking.Table, error) {
	sources := each.Of(files, func(s *upload) ranking.Source { return ranking.Source{Name: s.name, Text: s.reader()} })
	o := f.options()
	o.Ranked, o.Numbers, o.Wanted = ranked, f.labelling.Numbers, wanted
	names, err := f.againstNames()
	if err != nil {
		return nil, err
	}
	o.Extra = ranking.AgainstColumns(names)
	if f.reasons > 0 {
		o.Extra = append(o.Extra, why.Columns...)
	}
	screen.Grouped(f.group, &o)
	return ranking.New(sources, o)
}
