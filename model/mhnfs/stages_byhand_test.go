package mhnfs

import (
	"math"
	"slices"

	"pacia/harness/opstest"
)

// even returns the layer norm of a row.
func even(x []float64) []float64 {
	mean, square := 0.0, 0.0
	for _, v := range x {
		mean += v / float64(len(x))
	}
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = v - mean
		square += y[i] * y[i] / float64(len(x))
	}
	return opstest.Times(1/math.Sqrt(square+1e-5), y)
}

// layer applies a linear layer of the lab's leaves.
func layer(l *opstest.Lab, name string, x []float64) []float64 {
	return opstest.Affine(l.Values[name+".W"], l.Values[name+".b"], x)
}

// evened applies layer norm with scale and offset, then a linear layer.
func evened(l *opstest.Lab, name string, x []float64) []float64 {
	y := even(x)
	for i := range y {
		y[i] = y[i]*l.Values[name+".scale"][i] + l.Values[name+".offset"][i]
	}
	return layer(l, name, y)
}

// attended returns Σ softmax(β q·k) v of each head, concatenated.
func attended(q []float64, k, v opstest.Matrix, beta float64) (joined []float64) {
	for h := 0; h < len(q); h += mhnfsHead {
		total, out := 0.0, make([]float64, mhnfsHead)
		for i := range k {
			w := math.Exp(beta * opstest.Dot(q[h:h+mhnfsHead], k[i][h:h+mhnfsHead]))
			total, out = total+w, opstest.Sum(out, opstest.Times(w, v[i][h:h+mhnfsHead]))
		}
		joined = append(joined, opstest.Times(1/total, out)...)
	}
	return joined
}

// byHand computes each row separately.
func (c mhnfsCase) byHand(l *opstest.Lab) (out []float64) {
	support, x := opstest.Rows(l.Values["support"], c.d), opstest.Rows(l.Values["x"], c.d)
	rows := slices.Concat(support, x)
	if c.heads > 0 {
		var k, v opstest.Matrix
		for _, m := range opstest.Rows(l.Values["context"], c.d) {
			k, v = append(k, evened(l, "key", even(m))), append(v, evened(l, "value", even(m)))
		}
		for i, row := range rows {
			row = even(row)
			rows[i] = opstest.Sum(row, layer(l, "retrieved", attended(evened(l, "query", row), k, v, 0.7)))
		}
	}
	if c.attending > 0 {
		rows = c.attend(l, rows)
	}
	from, to := len(support), len(rows)
	if c.support {
		from, to = 0, len(support)
	}
	for _, row := range rows[from:to] {
		out = append(out, row[:c.d]...)
	}
	return out
}

func (c mhnfsCase) attend(l *opstest.Lab, rows opstest.Matrix) (out opstest.Matrix) {
	wide := c.attending * mhnfsHead
	var z, q, k, v opstest.Matrix
	for i, row := range rows {
		mark := 0.0
		if i < len(c.labels) {
			mark = 2*float64(c.labels[i]) - 1
		}
		row = append(slices.Clone(even(row)), mark, mark)
		all := evened(l, "in", row)
		z, q, k, v = append(z, row), append(q, all[:wide]), append(k, all[wide:2*wide]), append(v, all[2*wide:])
	}
	for i := range rows {
		task := i / c.n
		if i >= len(c.labels) {
			task = int(c.task[i-len(c.labels)])
		}
		ks, vs := slices.Clone(k[task*c.n:(task+1)*c.n]), slices.Clone(v[task*c.n:(task+1)*c.n])
		if i >= len(c.labels) {
			ks, vs = append(ks, k[i]), append(vs, v[i])
		}
		y := opstest.Sum(z[i], layer(l, "out", attended(q[i], ks, vs, 1/math.Sqrt(mhnfsHead))))
		hidden := evened(l, "first", y)
		for j := range hidden {
			hidden[j] = max(0, hidden[j])
		}
		out = append(out, opstest.Sum(z[i], y, layer(l, "second", hidden)))
	}
	return out
}
