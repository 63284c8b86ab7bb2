package inner

import "pacia/ops"

// product returns ∇²L(φ)·v of a loss L at φ = at, from its gradients on both sides of φ at the given
// distance. It sets the parameters moved to each side, and backward computes the gradients of L there.
// moved should be in double precision. In single precision the distance would have to be so large that
// ReLUs change sides.
func product(moved, at, v ops.List, distance float64, backward func(), s *ops.Scope) ops.List {
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
