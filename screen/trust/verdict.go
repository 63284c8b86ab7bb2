package trust

// A Verdict says how a model ranks a library beside a search by similarity to the same
// support molecules.
//
// With D the difference of their ROC-AUC on the library, it takes for granted that
// D ~ N(κ·known, τ²), where known is the share of the library that the model learnt
// from, and that the difference d on support molecules left out is D with the standard
// error σ ([paired]). Then D is expected to be
//
//	D̂ = w·d + (1 − w)·κ·known,  w = τ²/(τ² + σ²)
//
// and the model is called better from margin on, not better from −margin on, and else as
// good as the search. With twenty molecules σ is about 0.14 and w 0.16: where the model
// knows nothing of the library, only a difference of 0.3 or more is more than noise.
type Verdict int

// Verdicts.
const (
	AsGood Verdict = iota
	Better
	NotBetter
)

// The constants were chosen on FS-Mol's validation assays, support sets of 16 and 32
// (docs/trust.md). A fit of D on known gives 0.2 there; whole targets gain less from
// what is known of their molecules (docs/model.md), so κ is 0.15.
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

// verdict returns what D̂ stands for.
func verdict(expected float64) Verdict {
	switch {
	case expected >= margin:
		return Better
	case expected <= -margin:
		return NotBetter
	}
	return AsGood
}

// String is such as "better than similarity search here".
func (v Verdict) String() string {
	switch v {
	case Better:
		return "better than similarity search here"
	case NotBetter:
		return "not better than similarity search here"
	}
	return "as good as similarity search here"
}
