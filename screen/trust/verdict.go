package trust

// A Verdict compares the ranking of a library by a model with that by a similarity search for the same
// support molecules.
//
// Let D be the difference of their ROC-AUC on the library. Its prior is
// D ~ N(κ·known, τ²), where known is the share of the library that the model learnt
// from. The difference d on support molecules left out measures D with the standard
// error σ ([paired]). The posterior mean of D is
//
//	D̂ = w·d + (1 − w)·κ·known,  w = τ²/(τ² + σ²)
//
// The model is better if D̂ ≥ margin, not better if D̂ ≤ −margin, and otherwise as
// good as the search. With twenty molecules σ is about 0.14 and w 0.16. If the model
// has learnt from no molecule of the library, only a d of 0.3 or more changes the verdict.
type Verdict int

// Verdicts.
const (
	AsGood Verdict = iota
	Better
	NotBetter
)

// The constants were chosen on FS-Mol's validation assays with support sets of 16 and 32
// (docs/trust.md). A fit of D on known gives 0.2 there. Assays of new targets gain less from
// known molecules (docs/model.md), so κ is 0.15.
const (
	kappa  = 0.15
	tau    = 0.06
	margin = 0.05
)

// expected returns D̂.
func expected(d, sigma, known float64) float64 {
	w := tau * tau / (tau*tau + sigma*sigma)
	return w*d + (1-w)*kappa*known
}

// verdict returns the verdict for a value of D̂.
func verdict(expected float64) Verdict {
	switch {
	case expected >= margin:
		return Better
	case expected <= -margin:
		return NotBetter
	}
	return AsGood
}

// String returns the verdict as a phrase, such as "better than similarity search here".
func (v Verdict) String() string {
	switch v {
	case Better:
		return "better than similarity search here"
	case NotBetter:
		return "not better than similarity search here"
	}
	return "as good as similarity search here"
}
