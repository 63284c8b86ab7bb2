package screen

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"pacia/data"
	"pacia/data/molecule"
	"pacia/evaluate"
	"pacia/internal/badinput"
	"pacia/model"
	"pacia/screen/ranking"
	"pacia/screen/trust"
)

// Against is an unwanted assay: molecules should not be active in it. The library is ranked by the
// selectivity p₀ Π (1 − p_k), with the probability p₀ of being active in the wanted assay and p_k in
// unwanted assay k. If the assays are independent, it is the probability of being active in the wanted
// one alone.
type Against struct {
	Name    string // part of the column's name
	Support *ranking.Support

	batch   *data.Batch
	parsed  trust.Support
	members []*model.Model // that know past assays; nil: there are none
	scorer  *evaluate.Scorer
}

// MostAgainst is the maximum number of unwanted assays.
const MostAgainst = ranking.MostAssays - 1

// ReadAgainst reads the unwanted assays with the given names, of AgainstNames; read reads the one with a given index. It
// must be called before Parse.
func (r *Ranker) ReadAgainst(names []string, read func(int) (*ranking.Support, error)) error {
	for i, name := range names {
		s, err := read(i)
		if err != nil {
			return err
		}
		r.Against = append(r.Against, &Against{Name: name, Support: s})
	}
	r.Spill.Against = names
	return nil
}

// AgainstNames returns the names of the assays in files: the files' names without folder and extension.
// Repeated names get a number.
func AgainstNames(files []string) ([]string, error) {
	if len(files) > MostAgainst {
		return nil, &badinput.Error{
			What: fmt.Sprintf("%d unwanted assays, more than %d", len(files), MostAgainst), Fix: "leave some out",
		}
	}
	var names []string
	for _, file := range files {
		stem := strings.TrimSuffix(filepath.Base(file), ".gz")
		stem = strings.TrimSuffix(stem, filepath.Ext(stem))
		name := stem
		for n := 2; slices.Contains(names, name); n++ {
			name = fmt.Sprintf("%s_%d", stem, n)
		}
		names = append(names, name)
	}
	return names, nil
}

// AssayName returns a name of an assay for AgainstNames: that of its own column without the part in brackets, or its file.
func AssayName(file, column string) string {
	column, _, _ = strings.Cut(column, "(")
	if column = strings.TrimSpace(column); column == "" {
		return file
	}
	return strings.Join(strings.Fields(strings.NewReplacer("/", " ", `\`, " ", ".", " ", ":", " ").Replace(column)), "_")
}

// adaptAgainst adapts models to the unwanted assays.
func (r *Ranker) adaptAgainst(members []*model.Model) error {
	for _, a := range r.Against {
		if a.members != nil {
			members = a.members
		}
		adapted, err := evaluate.Together(members)(a.batch)
		if err != nil {
			r.dropAgainst()
			return fmt.Errorf("%s: %w", a.Support.File, err)
		}
		a.scorer = evaluate.NewScorer(r.reader, adapted)
	}
	return nil
}

func (r *Ranker) dropAgainst() {
	for _, a := range r.Against {
		if a.scorer != nil {
			a.scorer.Drop()
			a.scorer = nil
		}
	}
}

// scoreAgainst returns the scores of molecules in each unwanted assay.
func (r *Ranker) scoreAgainst(molecules molecule.List, rows []int32) ([]model.Scored, error) {
	var all []model.Scored
	for _, a := range r.Against {
		scored, err := a.scorer.ScoreAll(molecules, rows)
		if err != nil {
			return nil, err
		}
		all = append(all, scored)
	}
	return all, nil
}

// selective replaces the probability in the score of molecule i by the selectivity, and stores the
// probabilities in all assays. Without unwanted assays the score stays as it is.
func selective(s *ranking.Score, against []model.Scored, i int) {
	if len(against) == 0 {
		return
	}
	s.Each = []float32{s.Probability}
	var unwanted []float32 // log-odds
	for _, scored := range against {
		s.Each = append(s.Each, scored[i].Probability)
		s.Probability *= 1 - scored[i].Probability
		unwanted = append(unwanted, scored[i].LogOdds)
	}
	s.LogOdds = evaluate.Selective(s.LogOdds, unwanted)
}
