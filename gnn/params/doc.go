// Package params holds the parameters of a model: ordered, named, counted by
// part, and initialised from one seed.
//
// The initial values of a parameter depend on the seed and on its name alone,
// not on parameters made before it. So two models that share a part have equal
// initial values of that part.
package params
