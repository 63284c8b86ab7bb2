// Package cuda is the GPU's side: the sources of the kernels, their compilation
// at run time, and what starts them.
//
//  1. kernels/ holds the kernels, a file for each operation of package ops, in
//     the part of C++ that NVRTC supports.
//  2. [Open] compiles them for a device with the installed NVRTC, for an
//     architecture that both support. It keeps the code on disk and loads it with
//     NVIDIA's driver. Both libraries are opened when they are needed, so that the
//     program starts without them.
//  3. Package ops launches kernels through launch.h, on libtorch's current stream.
//  4. [UseOwnStream] and [Graph] are for a training step that is recorded once and
//     then replayed. They, and libtorch's stream, work in builds with the tag cuda.
//     In other builds they return an error.
//  5. [Describe] reports which of these parts a machine has.
//  6. For tests without a GPU, kernels.hh compiles the same files as C++, and
//     emulator.hh runs them block by block.
package cuda
