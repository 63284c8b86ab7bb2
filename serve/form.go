package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
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
	assays  []string  // the assay in each file of against, as ranking.Reading has it; as in the support set where missing
	against []*upload // labelled molecules of unwanted assays
	before  *upload   // the support set of the previous round; may be nil
	results *upload   // saved results of the same files and fields; nil: the library is ranked
	release func()    // of the memory for uploads; may be nil
	given   []string  // name=value of the fields that a ranking depends on, as they were sent

	reading   table.Options // of all files
	named     string        // column of the molecules in the support set, if it differs from the library's
	labelling label.Settings
	potency   string  // column of measurements to learn as numbers
	largest   bool    // only the largest fragment of a molecule counts
	drawn     bool    // molecules are read as they are drawn
	repeats   string  // treatment of repeated labelled molecules: merge or keep
	prior     float64 // expected share of actives in the library; 0: the share in the support set
	diverse   int     // number of diverse molecules to pick
	group     string  // column to group rows by
	reasons   int     // number of first molecules to explain
	batch     int     // number of molecules to pick for the next measurements
	refine    int     // number of first molecules to score with vectors; 0: all
	explore   float64 // weight of the uncertainty when these are picked
	after     bool    // support holds later results
	wanted    ranking.Wanted
	top       int  // maximum number of rows in an answer; negative: the field was not sent
	wait      bool // the answer is the result, not a job
}

// mostExplore is far above useful weights: 3 already explores.
const mostExplore = 1000

// defaultTop is the number of rows of an answer in JSON by default: enough for a person to read.
const defaultTop = 100

func newForm() *form {
	return &form{top: -1, wait: true, refine: screen.Usual, labelling: label.Settings{One: true}}
}

func (f *form) close() {
	if f.release != nil {
		f.release()
		f.release = nil
	}
	for _, s := range slices.Concat([]*upload{f.support, f.before, f.results}, f.library, f.against) {
		if s != nil {
			s.close()
		}
	}
}

// set parses the value of a field into f. Empty values count as missing.
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
	case name == "refine":
		f.refine, err = number(name, value, 0, math.MaxInt32)
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
	case name == "rows":
		f.labelling.Rows += value + "\n"
		_, err = label.ParseCondition(value)
		return refused(err)
	case name == "against_assay":
		f.assays = append(f.assays, value)
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
var repeated = []string{"match", "exclude", "where", "rows", "against_assay"}

const known = "support, library, against, against_assay, rows, label, active_below, active_above, " +
	"unit, value_unit, decimal, sign_column, unit_column, type_column, type, active_words, inactive_words, " +
	"potency, repeats, smiles, support_smiles, delimiter, encoding, sheet, header, as_drawn, largest_fragment, " +
	"match, exclude, where, columns, prior, diverse, group, reasons, refine, batch, explore, before, results, top or wait"

// text returns the place for the value of a text field; nil for fields of other types.
func (f *form) text(name string) *string {
	l := &f.labelling
	return map[string]*string{
		"smiles": &f.reading.SMILES, "support_smiles": &f.named, "delimiter": &f.reading.Delimiter, "encoding": &f.reading.Encoding, "sheet": &f.reading.Sheet,
		"label": &l.Columns, "active_below": &l.Below, "active_above": &l.Above, "unit": &l.Units, "value_unit": &l.ValueUnit, "decimal": &l.Decimal,
		"sign_column": &l.Signs, "unit_column": &l.UnitColumn, "type_column": &l.Types, "type": &l.Type,
		"active_words": &l.Active, "inactive_words": &l.Inactive, "repeats": &f.repeats, "group": &f.group, "potency": &f.potency,
	}[name]
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
	switch {
	case f.support == nil:
		return problem{Status: http.StatusBadRequest, What: "there is no support set", Fix: "send labelled molecules as support"}
	case len(f.library) == 0:
		return problem{Status: http.StatusBadRequest, What: "there is no library", Fix: "send the molecules to rank as library"}
	}
	if f.batch > 0 && f.diverse > 0 {
		return problem{Status: http.StatusBadRequest, What: "diverse and batch both pick molecules", Fix: "leave one of them out"}
	}
	if err := cmp.Or(ranking.CheckRepeats(f.repeats), f.checkAgainst(), f.checkBeside()); err != nil {
		return err
	}
	if err := f.wanted.Check(ctx); err != nil {
		return refused(err)
	}
	return f.reading.Check()
}

// checkBeside refuses fields that would have no effect without others. Those of saved results were taken before.
func (f *form) checkBeside() error {
	l, batch := &f.labelling, "batch"
	measured, makers := l.Below+l.Above != "" || l.Numbers, "active_below, active_above or potency"
	for _, one := range []struct {
		name   string
		given  bool
		has    bool
		needed string
	}{
		{"explore", f.explore > 0, f.batch > 0, batch}, {"before", f.before != nil, f.batch > 0, batch},
		{"value_unit", l.ValueUnit != "", measured, makers}, {"decimal", l.Decimal != "", measured || len(f.wanted.Where) > 0, makers + ", or where"},
		{"sign_column", l.Signs != "", measured, makers}, {"unit_column", l.UnitColumn != "", measured, makers},
		{"type_column", l.Types != "", measured, makers}, {"type", l.Type != "", measured, makers},
	} {
		if one.given && !one.has && f.results == nil {
			return problem{Status: http.StatusBadRequest, What: one.name + " has no effect without " + one.needed,
				Fix: "also send " + one.needed + ", or leave it out"}
		}
	}
	return nil
}

func (f *form) options() ranking.Options {
	o := ranking.Options{Options: f.reading, Standard: standard.Options{Largest: f.largest, Drawn: f.drawn},
		Repeats: f.repeats, Most: maxSupport, Results: f.after, Decimal: f.labelling.Decimal}
	o.Elsewhere = true // the named column may be missing in one of the files
	return o
}

// open opens uploads as one table without the rows that wanted excludes; ranked reports whether its rows are
// to be ranked.
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
