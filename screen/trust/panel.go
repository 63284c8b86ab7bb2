package trust

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"pacia/data"
	"pacia/evaluate"
	"pacia/internal/ui"
	"pacia/metrics"
	"pacia/model"
	"pacia/model/shared/counts"
)

// A Panel says how far to trust a ranking. Its figures of the support set are there from
// the beginning, those of the library when that has been added.
type Panel struct {
	Library

	Support    int     // molecules of the support set
	Folds      int     // in which they were left out; 0: they were not
	Unmeasured string  // why not
	OneByOne   bool    // a fold is one molecule of each class
	Model      float64 // ROC-AUC of the model on molecules left out
	Swapped    float64 // that of the model when the other labels are swapped
	Similarity float64 // that of a search by similarity
	difference float64
	sigma      float64 // standard error of the difference
	chance     float64 // standard deviation of a ROC-AUC by chance
}

// New measures models, which are asked together, on the molecules of a support set with labels
// and, where these are learnt, values; which
// they can parse. It must be called from within ops.Pinned. Nothing but the end of ctx and molecules that cannot be
// parsed is an error: what else goes wrong, Unmeasured says.
func New(ctx context.Context, members []*model.Model, smiles []string, labels []uint8, values []data.Measured) (*Panel, error) {
	store, rows, errs := evaluate.ParseSMILES(ctx, members[0].Config(), smiles, 0)
	prints, printed, more := data.FingerprintsOnly().ParseSMILES(ctx, smiles, 0)
	if err := errors.Join(append(errs, more...)...); err != nil {
		return nil, err
	}
	v, _ := vectors(prints, printed)
	knows, err := knownTo(members)
	if err != nil {
		return nil, err
	}
	p := newPanel(v, labels, knows)
	most := oneByOne(members[0])
	for _, m := range members[1:] {
		most = min(most, oneByOne(m))
	}
	if err := p.measure(ctx, evaluate.Together(members), store, rows, v, supportLabels{labels, values}, most/len(members)); err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		p.Folds, p.Unmeasured = 0, err.Error()
	}
	return p, nil
}

// knownTo tells which molecules one of the models has learnt from; nil where none can tell.
func knownTo(members []*model.Model) (func(bit, count []uint16) bool, error) {
	var all []func(bit, count []uint16) bool
	for _, m := range members {
		knows, err := m.SeenInTraining()
		if err != nil {
			return nil, err
		}
		if knows != nil {
			all = append(all, knows)
		}
	}
	if len(all) == 0 {
		return nil, nil
	}
	return func(bit, count []uint16) bool {
		return slices.ContainsFunc(all, func(knows func(bit, count []uint16) bool) bool { return knows(bit, count) })
	}, nil
}

// newPanel is of a support set with fingerprints v and labels [N], before anything is
// measured.
func newPanel(v []counts.Vector, labels []uint8, knows func(bit, count []uint16) bool) *Panel {
	return &Panel{Library: Library{labels: labels, index: counts.NewIndex(v), knows: knows}, Support: len(v), chance: chance(labels)}
}

// largest is how many support molecules are left out: with more of them, comparing each
// with all others, and adapting once more, takes seconds.
const largest = 1000

var errOne = errors.New("a class has one molecule alone")

// measure fills in the figures of the support set: rows of a store, with fingerprints v
// and labels [N]. Leave-one-out applies to at most that many molecules (most); larger
// support sets are left out in folds.
func (p *Panel) measure(ctx context.Context, adapt evaluate.Adapter, s data.Molecules, rows []int32, v []counts.Vector, own supportLabels, most int) error {
	labels := own.labels
	if len(labels) > largest {
		return fmt.Errorf("there are more than %s", ui.Grouped(largest))
	}
	by := folds(labels, 0)
	if len(labels) > most {
		by = folds(labels, parts)
	}
	if by == nil {
		return errOne
	}
	first := firsts(v)
	scores, err := held(ctx, adapt, s, rows, own, by, first)
	if err != nil {
		return err
	}
	swapped, err := held(ctx, adapt, s, rows, own.opposite(), by, first)
	if err != nil {
		return err
	}
	like := bySimilarity(v, labels, by, first)
	p.Model, p.Swapped, p.Similarity = metrics.ROCAUC(labels, scores), metrics.ROCAUC(labels, swapped), metrics.ROCAUC(labels, like)
	p.difference, p.sigma = paired(labels, scores, like)
	p.Folds, p.OneByOne = len(by), len(by[0]) == 2
	return nil
}

// Verdict returns how the model ranks the library beside a search by similarity. Where
// the support set could not be measured nothing is known against either.
func (p *Panel) Verdict() Verdict {
	if p.Folds == 0 {
		return AsGood
	}
	return verdict(expected(p.difference, p.sigma, p.known()))
}

// Lines are the panel in words: a heading and what is below it.
func (p *Panel) Lines() [][2]string {
	var lines [][2]string
	if p.Folds == 0 {
		lines = append(lines, [2]string{"check", "no support molecules left out: " + p.Unmeasured})
	} else {
		how := "one by one"
		if !p.OneByOne {
			how = fmt.Sprintf("in %d parts", p.Folds)
		}
		lines = append(lines, [2]string{"check", fmt.Sprintf("support molecules left out %s: ROC-AUC %.2f, by similarity %.2f; with labels swapped %.2f",
			how, p.Model, p.Similarity, p.Swapped)})
	}
	if p.molecules > 0 {
		text := fmt.Sprintf("nearest support molecule at Tanimoto %.2f (median), %.2f (10th percentile)", p.quantile(0.5), p.quantile(0.1))
		if p.knows != nil {
			text += fmt.Sprintf("; %s of %s molecules known from training", ui.Grouped(p.fromBefore), ui.Grouped(p.molecules))
		}
		if p.outside > 0 {
			text += fmt.Sprintf("; %s outside the domain", ui.Grouped(p.outside))
		}
		lines = append(lines, [2]string{"library", text})
	}
	return append(lines, [2]string{"verdict", p.sentence()})
}

// sentence is the verdict, with what has to be said against taking it for more.
func (p *Panel) sentence() string {
	if !p.shows() {
		return p.unclear()
	}
	text := p.Verdict().String()
	if p.betterByKnowledge() {
		text += ", as the model knows many of the library's molecules"
	}
	return text
}

// betterByKnowledge reports whether the verdict is better, and would not be if the model knew no
// molecule of the library.
func (p *Panel) betterByKnowledge() bool {
	return p.Verdict() == Better && verdict(expected(p.difference, p.sigma, 0)) != Better
}

// aboveChance reports whether the check is clear of a ranking without meaning.
func (p *Panel) aboveChance() bool { return p.Model >= 0.5+sure*p.chance }

// shows reports whether the check itself shows what the verdict states.
func (p *Panel) shows() bool {
	switch v := p.Verdict(); {
	case p.Folds == 0:
		return false
	case v == Better:
		return p.aboveChance() && p.Model >= p.Similarity && p.Model > p.Swapped
	case v == NotBetter:
		return p.Model <= p.Similarity
	}
	return p.aboveChance()
}

// unclear states what the check does not show, and what is in favour all the same.
func (p *Panel) unclear() string {
	if p.Folds == 0 {
		return "not shown to be better than similarity search; no support molecules were left out"
	}
	text := fmt.Sprintf("not shown to be better than chance; %d support molecules are too few to tell", p.Support)
	if p.aboveChance() {
		text = "not shown to be better than similarity search; the check has no difference in its favour"
	}
	switch {
	case p.Verdict() != Better:
		return text
	case p.betterByKnowledge():
		return text + ", though the model knows many of the library's molecules"
	}
	return text + ", though it ranks them better than similarity search does"
}

// sure of more than chance is a ROC-AUC so many standard deviations above ½: one in twenty
// rankings without meaning is.
const sure = 1.64
