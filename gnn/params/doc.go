// Package params keeps the parameters of a model: ordered, named, counted by
// part, and initialised from one seed.
//
// The first values of a parameter depend on the seed and on its name alone,
// not on what was made before it, so that two models that share a part start
// that part alike.
package params
