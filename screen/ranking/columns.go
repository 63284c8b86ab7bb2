package ranking

import (
	"fmt"
	"math"
	"strconv"

	"pacia/data/label"
	"pacia/screen/trust"
)

// A Column is a column of the ranked table. All that outputs need of it is written here: the table in CSV, workbooks, SD
// files, rows in JSON and as they are stored, the page, the report and docs/ranking.md are made from the list.
type Column struct {
	Name  string // in the header
	About string // in docs/ranking.md; columns with one text share a line

	Has    func(*Layout) bool // whether a ranking has it; nil: every one
	Stored bool               // it is only stored, and in no output
	Rare   bool               // its number is stored by rankings alone that have it

	Number func(*Score) any                           // address of its number: a *float32, *int32, *bool or *Mark; nil: it has none
	Format func(to []byte, v float32) []byte          // of a *float32 in a cell
	Cell   func(to []byte, v *View, r *Ranked) []byte // appends its cell; nil: the number
	Part   bool                                       // it has no member in JSON: another column's member has its number
	Member string                                     // its name in JSON; empty: Name
	Value  func(v *View, r *Ranked) any               // its value in JSON, nil if a row has none; nil: the number

	Title string                // on the page
	Place int                   // in the table of the page, smaller ones before larger ones; 0: it is not there
	Sort  string                // name by which rows are sorted; empty: they are not
	Key   func(*Ranked) float64 // by which they are sorted; nil: the number
	Down  bool                  // the largest come first
	Text  string                // explains it on the page; goes on from its title
	Chip  func(*Ranked) string  // on a card of the report, or "" if a row has none; nil: a plain number is there
}

// A Layout tells which columns a ranking has, and what they need beside the scores.
type Layout struct {
	Nearest   *Support     // whose molecules are the nearest of rows; nil: they are not known
	Scale     *label.Scale // of predicted values; nil: labels were learnt
	Models    int          // whose mean probability ranks
	Uncertain bool         // scores have uncertainties
	Refined   bool         // some rows were scored again
	Past      bool         // rows have the numbers of past assays of their molecules
	Picked    map[int]int  // place among the picks, from 1, by the number of a row; nil: none were picked
	Against   []string     // names of the unwanted assays
	Extra     []Column     // further columns, which come last
}

func (l *Layout) near() bool        { return l.Nearest != nil }
func (l *Layout) measured() bool    { return l.Scale != nil }
func (l *Layout) logarithmic() bool { return l.Scale != nil && l.Scale.Log }
func (l *Layout) united() bool      { return l.logarithmic() && l.Scale.Unit != "" }
func (l *Layout) together() bool    { return l.Models > 1 }
func (l *Layout) uncertain() bool   { return l.Uncertain }
func (l *Layout) refined() bool     { return l.Refined }
func (l *Layout) past() bool        { return l.Past }
func (l *Layout) picked() bool      { return l.Picked != nil }

const (
	aboutNearest  = "the most similar active and inactive support molecule: its name or, without one, its SMILES"
	aboutTanimoto = "their Tanimoto coefficients, 0 to 1: Σ min / Σ max of counts of Morgan fingerprints (radius 2, 2,048 bits)"
	aboutPotency  = "with `--potency`: the predicted pIC50, or other value, and an interval of 80 %; an open end is empty"
	aboutMeasured = "the same in the unit of the column"
)

// columns are those of all rankings, in the order of the table.
var columns = []Column{
	{Name: "rank", About: "1 is the most probable, by log-odds", Title: "Rank", Place: 10, Sort: "rank",
		Cell:  func(to []byte, _ *View, r *Ranked) []byte { return strconv.AppendInt(to, int64(r.Rank), 10) },
		Value: func(_ *View, r *Ranked) any { return r.Rank }, Key: func(r *Ranked) float64 { return float64(r.Rank) }},
	{Name: "probability", About: "of being active, where actives are as common as in the support set, or as `--prior` states",
		Number: func(s *Score) any { return &s.Probability },
		Cell: func(to []byte, v *View, r *Ranked) []byte {
			return strconv.AppendFloat(to, v.shown(r.Wanted()), 'g', 6, 32)
		},
		Value: func(v *View, r *Ranked) any { return v.shown(r.Wanted()) }, Title: "Probability", Place: 20,
		Text: "is how likely a molecule is active in this assay, by the model. Of 100 molecules with 30 %, about 30 should be active. " +
			"It depends on the share of actives: write the one that you expect of the library under Options."},
	{Name: "log_odds", Stored: true, Number: func(s *Score) any { return &s.LogOdds }},
	{Name: "depth", About: "layers of the relation graph that were used", Number: func(s *Score) any { return &s.Depth }},
	{Name: "in_support", About: "`active`, `inactive` or `both` if the molecule is in the support set, by any SMILES; otherwise empty",
		Number: func(s *Score) any { return &s.Mark },
		Cell:   func(to []byte, _ *View, r *Ranked) []byte { return append(to, r.Mark.String()...) },
		Value: func(_ *View, r *Ranked) any {
			if r.Mark == 0 {
				return nil
			}
			return r.Mark.String()
		}},
	{Name: "nearest_active", About: aboutNearest, Has: (*Layout).near, Number: func(s *Score) any { return &s.Near.Active },
		Cell:  func(to []byte, v *View, r *Ranked) []byte { return append(to, v.Nearest.Called(r.Near.Active)...) },
		Value: func(v *View, r *Ranked) any { return v.neighbor(r.Near.Active, r.Near.ToActive) },
		Title: "Nearest active", Place: 60, Sort: "active", Down: true, Key: func(r *Ranked) float64 { return float64(r.Near.ToActive) }},
	{Name: "nearest_active_tanimoto", About: aboutTanimoto, Has: (*Layout).near, Part: true,
		Number: func(s *Score) any { return &s.Near.ToActive }, Format: fixed},
	{Name: "nearest_inactive", About: aboutNearest, Has: (*Layout).near, Number: func(s *Score) any { return &s.Near.Inactive },
		Cell:  func(to []byte, v *View, r *Ranked) []byte { return append(to, v.Nearest.Called(r.Near.Inactive)...) },
		Value: func(v *View, r *Ranked) any { return v.neighbor(r.Near.Inactive, r.Near.ToInactive) },
		Title: "Nearest inactive", Place: 70, Sort: "inactive", Down: true, Key: func(r *Ranked) float64 { return float64(r.Near.ToInactive) }},
	{Name: "nearest_inactive_tanimoto", About: aboutTanimoto, Has: (*Layout).near, Part: true,
		Number: func(s *Score) any { return &s.Near.ToInactive }, Format: fixed},
	{Name: "domain", Has: (*Layout).near, Number: func(s *Score) any { return &s.Near.Known },
		About: "`inside` where the model knows the molecule or a support molecule is similar (Tanimoto 0.35 or more), " +
			"else [`outside`](trust.md#inside-and-outside)",
		Cell:  func(to []byte, _ *View, r *Ranked) []byte { return append(to, Domain(r.Near)...) },
		Value: func(_ *View, r *Ranked) any { return Domain(r.Near) },
		Title: "Domain", Place: 80, Sort: "domain", Key: func(r *Ranked) float64 {
			if r.Near.Inside() {
				return 0
			}
			return 1
		},
		Text: "is inside if the model knows the molecule from training, or if it resembles a measured molecule. Outside, expect more errors."},
	{Name: "potency", About: aboutPotency, Has: (*Layout).measured, Number: func(s *Score) any { return &s.Potency.Value }, Format: digits,
		Value: func(v *View, r *Ranked) any { return intervalOf(Learnt(r.Potency)) }, Title: "Potency", Place: 40,
		Text: "is the predicted measurement, by which molecules are ranked, with an interval that holds four of five. Of concentrations " +
			"it is the negative logarithm in mol/l, such as a pIC50; more has it in the unit of the measurements."},
	{Name: "potency_low", About: aboutPotency, Has: (*Layout).measured, Part: true,
		Number: func(s *Score) any { return &s.Potency.Low }, Format: digits},
	{Name: "potency_high", About: aboutPotency, Has: (*Layout).measured, Part: true,
		Number: func(s *Score) any { return &s.Potency.High }, Format: digits},
	{Name: "predicted", About: aboutMeasured, Has: (*Layout).logarithmic, Cell: predicted(0),
		Value: func(v *View, r *Ranked) any { return intervalOf(Measured(r.Potency, v.Scale)) }},
	{Name: "predicted_low", About: aboutMeasured, Has: (*Layout).logarithmic, Cell: predicted(1)},
	{Name: "predicted_high", About: aboutMeasured, Has: (*Layout).logarithmic, Cell: predicted(2)},
	{Name: "predicted_unit", About: aboutMeasured, Has: (*Layout).united,
		Cell: func(to []byte, v *View, _ *Ranked) []byte { return append(to, v.Scale.Unit...) }},
	{Name: "uncertainty", About: "0 to 1: [molecules of low uncertainty are ranked better](trust.md#uncertainty)", Has: (*Layout).uncertain,
		Number: func(s *Score) any { return &s.Uncertainty }, Format: fixed, Title: "Uncertainty", Place: 50, Sort: "uncertainty",
		Text: "is how much the measured molecules leave open about a molecule: near 0 they decide, near 1 they hardly matter. " +
			"A probability of 50 % with a high uncertainty means unknown."},
	{Name: "spread", About: "standard deviation of the probability over several models", Has: (*Layout).together,
		Number: func(s *Score) any { return &s.Spread }, Format: significant, Title: "Spread", Place: 55, Sort: "spread",
		Text: "is the standard deviation of the probability over several models."},
	{Name: "past", Has: (*Layout).past, Rare: true, Number: func(s *Score) any { return &s.Near.Past },
		About: "with `--history`: in how many past assays the molecule was measured",
		Title: "Active before", Place: 58, Sort: "past", Down: true, Key: func(r *Ranked) float64 { return float64(r.Near.Past) },
		Text: "is in how many past assays a molecule was active, of those in which it was measured.",
		Chip: func(r *Ranked) string {
			if r.Near.Past == 0 {
				return ""
			}
			return fmt.Sprintf("%d of %d", r.Near.PastActive, r.Near.Past)
		}},
	{Name: "past_active", Has: (*Layout).past, Rare: true, Number: func(s *Score) any { return &s.Near.PastActive },
		About: "in how many of these it was active"},
	{Name: "refined", About: "`yes` where the row was scored with vectors of MiniMol, else `no`; only if not all rows were",
		Has: (*Layout).refined, Number: func(s *Score) any { return &s.Refined }},
	{Name: "pick", About: "the place among the molecules that `--diverse` picked, from 1; empty for others", Has: (*Layout).picked,
		Cell: func(to []byte, v *View, r *Ranked) []byte {
			if place := v.Picked[r.Number]; place > 0 {
				to = strconv.AppendInt(to, int64(place), 10)
			}
			return to
		},
		Value: func(v *View, r *Ranked) any {
			if place := v.Picked[r.Number]; place > 0 {
				return place
			}
			return nil
		}},
}

// Forms of numbers in cells: three decimals, three digits, and four without zeros at the end.
func fixed(to []byte, v float32) []byte       { return strconv.AppendFloat(to, float64(v), 'f', 3, 32) }
func significant(to []byte, v float32) []byte { return strconv.AppendFloat(to, float64(v), 'g', 3, 32) }
func digits(to []byte, v float32) []byte      { return appendNumber(to, float64(v), 4) }

// OnCard reports whether the cards of the report have the column.
func (c *Column) OnCard() bool { return c.Chip != nil || c.PlainNumber() }

// ChipOf returns what the card of a row has of a column that is [Column.OnCard], or "".
func (c *Column) ChipOf(r *Ranked) string {
	if c.Chip != nil {
		return c.Chip(r)
	}
	return strconv.FormatFloat(c.Order(r), 'f', 2, 64)
}

// PlainNumber reports whether the column is one number alone, which the page and the report show as it is.
func (c *Column) PlainNumber() bool { return c.Format != nil && c.Value == nil && !c.Part }

// Domain returns the cell of the column domain: inside or outside.
func Domain(n trust.Near) string {
	if n.Inside() {
		return "inside"
	}
	return "outside"
}

// Sound reports whether the numbers of a stored score are possible in a ranking with this number of support molecules.
func (l *Layout) Sound(s *Score, support int) bool {
	inside := func(i int32) bool { return i >= 0 && int(i) < support }
	share := func(all ...float32) bool {
		for _, p := range all {
			if !(p >= 0 && p <= 1) {
				return false
			}
		}
		return true
	}
	for _, i := range l.numbering() {
		v, is := columns[i].Number(s).(*float32)
		if is && columns[i].PlainNumber() && (math.IsNaN(float64(*v)) || math.IsInf(float64(*v), 0)) {
			return false
		}
	}
	return share(s.Probability) && share(s.Each...) && !math.IsNaN(float64(s.LogOdds)) && s.Depth >= 0 && s.Near.PastActive >= 0 && s.Near.PastActive <= s.Near.Past &&
		(!l.near() || inside(s.Near.Active) && inside(s.Near.Inactive) && share(s.Near.ToActive, s.Near.ToInactive)) &&
		!math.IsNaN(float64(s.Potency.Value)) && !math.IsInf(float64(s.Potency.Value), 0) && s.Potency.Low <= s.Potency.High
}
