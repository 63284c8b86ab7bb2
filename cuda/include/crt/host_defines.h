// CUDA's headers include a crt/host_defines.h that is not part of their package, but of the
// package of the compiler nvcc. For C++ compilers, it defines these words as empty or as an
// alignment. If the original is installed, it is found first, beside the header that includes
// it.
#ifndef PACIA_CRT_HOST_DEFINES_H
#define PACIA_CRT_HOST_DEFINES_H

#define CUDARTAPI
#define CUDARTAPI_CDECL
#define __host__
#define __device__
#define __global__
#define __device_builtin__
#define __device_builtin_texture_type__
#define __device_builtin_surface_type__
#define __cudart_builtin__
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)

#endif
