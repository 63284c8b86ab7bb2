// Package cuda is the GPU's side: the sources of the kernels, their compilation
// at run time, and what starts them.
//
//  1. kernels/ holds the kernels, a file for each operation of package ops, in
//     the part of C++ that NVRTC knows.
//  2. [Open] compiles them for a device with the NVRTC that is there, for the
//     architecture that it and the device share, keeps the code on disk, and
//     loads it with NVIDIA's driver. Both libraries are looked for when they are
//     needed: the program starts without them.
//  3. Package ops starts kernels through launch.h, on libtorch's current stream.
//  4. [UseOwnStream] and [Graph] are for a training step that is recorded
//     once and then started as a whole. They, and libtorch's stream, are there in
//     builds with the tag cuda; in others they return an error.
//  5. [Describe] says what of all this a machine has.
//  6. For tests without a GPU, kernels.hh compiles the same files as C++, and
//     emulator.hh runs them block by block.
package cuda
