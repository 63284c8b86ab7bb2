// Package descent is plain gradient descent, by which methods with inner steps adapt: no
// moments, so that a step depends on the parameters and their gradients alone.
package descent
