// Package means is the head of methods that classify a query by the class means of the
// vectors of its task's support ([pacia/ops.Distances]).
package means
