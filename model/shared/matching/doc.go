// Package matching is the head of methods that compare a query with each molecule of its
// task's support, after an optional refinement of both: [pacia/model/siamese] and
// [pacia/model/iterref]. [pacia/ops.Match] computes it.
package matching
