package descent

import "pacia/ops"

// Product is ∇²L(φ)·v of a loss L, by its gradients on both sides of φ, which is at, this distance
// from it. backward leaves the gradients of L at the parameters moved. These should be in double
// precision: in single precision the sides would have to be so far apart that ReLUs between them
// decide what their difference is.
func Product(moved, at, v ops.List, distance float64, backward func(), s *ops.Scope) ops.List {
	out := Keep(s)(ops.ListLike(moved, true))
	norm := ops.Try(v.Norm()).In(s)
	if norm == 0 {
		return out
	}
	rho := distance / norm
	for _, side := range []float64{1, -1} {
		s.Check(moved.Copy(at))
		s.Check(moved.Add(1, v, side*rho))
		s.Check(ops.ForgetGradients(moved))
		backward()
		s.Check(out.AddGradients(1, moved, side/(2*rho)))
	}
	return out
}
