// Package cuda is the GPU's side: the sources of the kernels, their compilation
// at run time, and what starts them.
//
//  1. kernels/ holds the kernels, a file for each operation of package ops, in
//     the part of C++ that NVRTC knows.
//  2. They are compiled for a device when it is first used, and kept on disk.
//  3. Package ops starts them through launch.h, on libtorch's stream.
//  4. For tests without a GPU, kernels.hh compiles the same files as C++, and
//     emulator.hh runs them block by block.
package cuda
