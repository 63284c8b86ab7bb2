package opstest

import (
	"math"

	"pacia/ops"
)

// Normed makes a linear layer that a batch norm follows.
func (l *Lab) Normed(name string, in, out int) ops.NormedLinear {
	w := l.Leaf(name+".w", 0, 1, int64(out), int64(in))
	n := l.Norm(name, out)
	return ops.NormedLinear{W: w, Gamma: n.Gamma, Beta: n.Beta, Mean: n.Mean, Var: n.Var}
}

// Norm makes a batch norm. Its averages are not leaves, because training updates them.
func (l *Lab) Norm(name string, width int) ops.BatchNorm {
	d := int64(width)
	n := ops.BatchNorm{Gamma: l.Leaf(name+".gamma", 1, 0.1, d), Beta: l.Leaf(name+".beta", 0, 0.3, d)}
	mean, variance := make([]float64, width), make([]float64, width)
	for i := range width {
		mean[i], variance[i] = 0.1*float64(i+1), 1+0.5*float64(i)
	}
	n.Mean, n.Var = l.Tensor(mean, false, d), l.Tensor(variance, false, d)
	return n
}

// NormByHand normalises one group in place and updates the running averages like
// torch's BatchNorm1d: momentum 0.1, the variance of the batch for the
// normalisation, and the unbiased one for the average.
func NormByHand(rows Matrix, gamma, beta, mean, variance []float64, relu, training bool) {
	n := float64(len(rows))
	for i := range mean {
		m, v := mean[i], variance[i]
		if training && n > 0 {
			m, v = 0, 0
			for _, row := range rows {
				m += row[i] / n
			}
			for _, row := range rows {
				v += (row[i] - m) * (row[i] - m) / n
			}
			mean[i] = 0.9*mean[i] + 0.1*m
			variance[i] = 0.9*variance[i] + 0.1*v*n/max(1, n-1)
		}
		for _, row := range rows {
			row[i] = (row[i]-m)/math.Sqrt(v+1e-5)*gamma[i] + beta[i]
			if relu {
				row[i] = max(0, row[i])
			}
		}
	}
}
