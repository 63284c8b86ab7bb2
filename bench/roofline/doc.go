// Package roofline is a model of what a training step costs on a GPU, to hold
// measurements against: what every kernel and every matrix product has to compute and to
// move, and how long that takes at the least.
//
//  1. [Sizes] are those of a step and of the model's layers.
//  2. [Step] lists the work, a [Line] for each kernel and product: how often it is
//     launched, its floating-point operations, and the bytes that it must read and write
//     once, as if caches held what is read again.
//  3. [GPU] has a device's speeds, as its maker gives them. A line takes at least as
//     long as the slower of its operations and its bytes, and a launch.
//
// It is the step of the kernels of package cuda, for PACIA with the GIN encoder. A figure
// is a bound from below and no prediction: no product reaches its maker's figure, and
// small ones are far from it.
package roofline
