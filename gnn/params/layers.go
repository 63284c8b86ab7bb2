package params

import (
	"math"

	"github.com/sugarme/gotch/ts"

	"pacia/ops"
)

// Glorot returns the bound of a uniform draw of Glorot and Bengio (2010).
func Glorot(in, out int) float64 { return math.Sqrt(6 / float64(in+out)) }

// GlorotLinear makes W [out, in], initialised as Glorot and Bengio (2010), and b [out], as
// PyTorch initialises it.
func (s *Set) GlorotLinear(name string, in, out int) ops.Linear {
	return ops.Linear{
		W: s.Uniform(name+".weight", Glorot(in, out), int64(out), int64(in)),
		B: s.Uniform(name+".bias", 1/math.Sqrt(float64(in)), int64(out)),
	}
}

// LayerNorm makes γ = 1 and β = 0 [d].
func (s *Set) LayerNorm(name string, d int) ops.LayerNorm {
	return ops.LayerNorm{Gamma: s.Constant(name+".weight", 1, int64(d)), Beta: s.Constant(name+".bias", 0, int64(d))}
}

// Dense makes a layer after a ReLU: W [out, in], initialised as He et al. (2015), and b = 0 [out].
func (s *Set) Dense(name string, in, out int) ops.Dense {
	return ops.Dense{
		W: s.Uniform(name+".weight", math.Sqrt(6/float64(in)), int64(out), int64(in)),
		B: s.Constant(name+".bias", 0, int64(out)),
	}
}

// entries is the approximate number of counts of a fingerprint that are not 0.
const entries = 50

// Counts makes W [F, d] for the counts of fingerprints. Its values are scaled for sums over
// about fifty small counts.
func (s *Set) Counts(name string, counts, width int) *ts.Tensor {
	return s.Uniform(name, math.Sqrt(3./entries), int64(counts), int64(width))
}
