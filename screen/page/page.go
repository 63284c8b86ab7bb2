package page

import (
	"context"
	_ "embed" // the page's template
	"fmt"
	"html/template"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"pacia/internal/ui"
	"pacia/screen/why"
)

// MaxRows is the maximum number of rows, and of picks, that are shown.
const MaxRows = 100

// A Page is the content of the page of a ranked library. Texts may come from users and may contain anything.
type Page struct {
	Made     time.Time // zero: not shown
	Model    string    // description of the model
	Assay    string    // name of the support set, such as its file
	Panel    [][2]string
	Verdict  string      // better, as good or not better
	Sentence string      // the verdict as a sentence
	Read     []string    // findings about the files
	Settings [][2]string // names and values
	Support  []Molecule
	Against  []string   // unwanted assays; if there are any, probabilities are selectivities
	Terms    []Fact     // columns among the facts of rows, with their explanations
	Potency  bool       // measurements were learnt: rows have a predicted one among their facts
	Ranked   int        // number of ranked molecules
	Unread   int        // number of unreadable molecules
	Scores   *Histogram // of all probabilities; nil: not shown
	Rows     []Row      // the first ones; at most Most are shown
	Picks    []Row      // in the order in which they were picked; at most Most are shown
	Pool     int        // number of first ranks from which they were picked
	Hits     string     // the sentence about a known outcome
}

// A Molecule is a molecule with its name, which may be empty.
type Molecule struct {
	Name, SMILES string
	Active       bool // of the support set
}

// A Row is a molecule at its rank.
type Row struct {
	Molecule
	Rank        int
	Probability float64
	InSupport   string  // label in the support set: active, inactive or both; empty if it is not in the set
	Outside     bool    // outside the domain of the model
	Nearest     int     // index of the most similar active support molecule; -1: not known
	Tanimoto    float64 // coefficient with it
	Pick        int     // place among the picks, from 1; 0: not picked
	Facts       []Fact  // further columns of the table

	Why *why.Reasons // may be nil
}

// A Fact is a column of the table with its value.
type Fact struct{ Name, Value string }

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"grouped": ui.Grouped,
	"short":   func(text string) string { return cut(text, 60) },
	"middle":  func(text string) string { return cut(text, 120) },
	"long":    func(text string) string { return cut(text, 600) },
	"percent": Percent,
	"listed":  func(names []string) string { return strings.Join(names, ", ") },
	"signed":  func(v float64) string { return fmt.Sprintf("%+.2f", v) },
	"two":     func(v float64) string { return strconv.FormatFloat(v, 'f', 2, 64) },
	"first":   func(lines []string) []string { return lines[:min(len(lines), mostLines)] },
	"rest":    func(lines []string) int { return max(0, len(lines)-mostLines) },
	"sentence": func(text string) string {
		if text == "" {
			return ""
		}
		return strings.ToUpper(text[:1]) + text[1:]
	},
	"day": func(t time.Time) string { return t.Format("2 January 2006") },
}).Parse(pageText))

// mostLines is the maximum number of findings that are shown.
const mostLines = 40

// Percent formats a probability in per cent.
func Percent(p float64) string {
	switch v := 100 * p; {
	case v >= 99.95 && p < 1:
		return "> 99.9 %"
	case v >= 99.5 && p < 1:
		return fmt.Sprintf("%.1f %%", v)
	case v < 0.0005:
		return fmt.Sprintf("%.0f %%", v)
	case v >= 9.95:
		return fmt.Sprintf("%.0f %%", v)
	case v >= 0.995:
		return fmt.Sprintf("%.1f %%", v)
	default:
		return fmt.Sprintf("%.2g %%", v)
	}
}

// cut shortens a text to n characters.
func cut(text string, n int) string {
	letters := []rune(text)
	if len(letters) <= n {
		return text
	}
	return string(letters[:n-1]) + "…"
}

// Write writes the page as HTML.
func (p *Page) Write(ctx context.Context, w io.Writer) error {
	shown := *p
	shown.Rows, shown.Picks = p.Rows[:min(len(p.Rows), MaxRows)], p.Picks[:min(len(p.Picks), MaxRows)]
	plane, err := planeOf(ctx, &shown)
	if err != nil {
		return err
	}
	var scores *bars
	if p.Scores != nil {
		scores = p.Scores.bars(&shown)
	}
	drawn := draw(&shown)
	return page.Execute(w, map[string]any{
		"Page": &shown, "Symbols": drawn.symbols, "Cards": drawn.cards(&shown, shown.Rows), "PickCards": drawn.cards(&shown, shown.Picks),
		"Why":   slices.ContainsFunc(shown.Rows, func(r Row) bool { return r.Why != nil }),
		"Plane": plane, "Bars": scores, "Counts": shown.counts(), "Most": MaxRows,
	})
}

// counts returns the numbers of inactive and of active support molecules.
func (p *Page) counts() (counts [2]int) {
	for _, m := range p.Support {
		if m.Active {
			counts[1]++
		} else {
			counts[0]++
		}
	}
	return counts
}
