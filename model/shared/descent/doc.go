// Package descent is plain gradient descent, for methods with inner steps. It has no moments,
// so that a step depends on the parameters and their gradients alone.
package descent
