package trust

import (
	"context"
	"errors"
	"fmt"

	"pacia/data"
	"pacia/data/molecule"
	"pacia/evaluate"
	"pacia/internal/ui"
	"pacia/metrics"
	"pacia/model"
	"pacia/model/shared/counts"
)

// A Panel states how far a ranking can be trusted. New measures the figures of the support set. Those of the
// library are complete after all molecules were added.
type Panel struct {
	Library

	Support    int     // number of support molecules
	Folds      int     // number of folds in which they were left out; 0: they were not measured
	Unmeasured string  // the reason for which they were not
	OneByOne   bool    // each fold is one molecule of each class
	Model      float64 // ROC-AUC of the model on molecules left out
	Swapped    float64 // ROC-AUC of the model with the other labels swapped
	Similarity float64 // ROC-AUC of a similarity search
	PastCheck  *PastCheck
	difference float64
	parts      []evaluate.Adapter // the model with each [model.PastPart]; nil if it recalls no past assays
	sigma      float64            // standard error of the difference
	chance     float64            // standard deviation of a ROC-AUC by chance

	supportInPast int // number of support molecules in past assays
}

// Support is a support set of N molecules, as parsed for the models.
type Support struct {
	Molecules molecule.List
	Rows      []int32         // [N], of Molecules
	Drawn     []string        // [N], SMILES
	Labels    []uint8         // [N]
	Values    []data.Measured // [N]; nil: labels are learnt
	Past      *Past           // nil: without past assays
}

// New measures an ensemble of models on a support set. It must be called from within ops.Pinned. Errors are the end of ctx,
// molecules that cannot be parsed and models that fail to report their training molecules. After any other failure,
// Unmeasured has the reason.
func New(ctx context.Context, members []*model.Model, of Support) (*Panel, error) {
	v, ok := vectors(of.Molecules, of.Rows)
	if !ok { // the models do not read fingerprints
		prints, printed, errs := molecule.FingerprintsOnly().ParseSMILES(ctx, of.Drawn, 0)
		if err := errors.Join(errs...); err != nil {
			return nil, err
		}
		v, _ = vectors(prints, printed)
	}
	knows, err := evaluate.KnownTo(members)
	if err != nil {
		return nil, err
	}
	p := newPanel(v, of.Labels, knows)
	p.past, p.supportInPast = of.Past, of.Past.measured(v)
	p.parts = partsOf(members)
	most := oneByOne(members[0])
	for _, m := range members[1:] {
		most = min(most, oneByOne(m))
	}
	if err := p.measure(ctx, evaluate.Together(members), of.Molecules, of.Rows, v, supportLabels{of.Labels, of.Values}, most/len(members)); err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		p.Folds, p.Unmeasured = 0, err.Error()
	}
	return p, nil
}

// newPanel returns an unmeasured Panel for a support set with fingerprints v and labels [N].
func newPanel(v []counts.Vector, labels []uint8, knows func(bit, count []uint16) bool) *Panel {
	return &Panel{Library: Library{labels: labels, index: counts.NewIndex(v), knows: knows}, Support: len(v), chance: chance(labels)}
}

// largest is the size of the largest support set that is measured: for more molecules, comparing all pairs and
// adapting the model again takes seconds.
const largest = 1000

// The reasons for which a support set cannot be measured.
var (
	errOne   = errors.New("a class has one molecule alone")
	errBoth  = errors.New("every molecule has both labels")
	errEmpty = errors.New("a class would be empty")
)

// measure fills in the figures of the support set: rows of a store, with fingerprints v
// and labels [N]. It uses leave-one-out for no more than most molecules, and folds for larger
// support sets.
func (p *Panel) measure(ctx context.Context, adapt evaluate.Adapter, s molecule.List, rows []int32, v []counts.Vector, own supportLabels, most int) error {
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
	first := firstTwins(v)
	if err := remains(labels, by, first); err != nil {
		return err
	}
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
	p.PastCheck, err = p.checkPast(func(part evaluate.Adapter) ([]float64, error) { return held(ctx, part, s, rows, own, by, first) })
	return err
}

// Verdict returns the verdict on the model in comparison with a similarity search. If
// the support set could not be measured, it is AsGood.
func (p *Panel) Verdict() Verdict {
	if p.Folds == 0 {
		return AsGood
	}
	return verdict(expected(p.difference, p.sigma, p.known()))
}

// Lines returns the panel as text: pairs of a heading and a line.
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
	if p.PastCheck != nil {
		lines = append(lines, [2]string{"", p.PastCheck.String()})
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
	return append(append(lines, p.pastLines()...), [2]string{"verdict", p.sentence()})
}

// sentence returns the verdict as a sentence, with its qualification.
func (p *Panel) sentence() string {
	if !p.shows() {
		return p.unclear()
	}
	text := p.Verdict().String()
	if p.betterByKnowledge() {
		text += ", as the model knows many of the library's molecules"
	}
	return text + p.PastCheck.source(p.Model)
}

// betterByKnowledge reports whether the verdict is Better only because the model has learnt from molecules of
// the library.
func (p *Panel) betterByKnowledge() bool {
	return p.Verdict() == Better && verdict(expected(p.difference, p.sigma, 0)) != Better
}

// aboveChance reports whether the model's ROC-AUC in the check is significantly above chance.
func (p *Panel) aboveChance() bool { return p.Model >= 0.5+sure*p.chance }

// shows reports whether the check supports the verdict.
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

// unclear returns the sentence for a verdict that the check does not support, with any evidence in its favour.
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

// sure is the number of standard deviations above ½ from which a ROC-AUC is significant: one in twenty
// random rankings reaches it.
const sure = 1.64
