#!/usr/bin/env bash
# NVRTC of CUDA 11.7 compiles C++03 unless told otherwise, though it knows C++17: auto, nullptr, static_assert and lambdas are
# errors, which do not name the standard. NVRTC of CUDA 13.0 compiles C++17. No GPU is needed for this.
#
#   nvidia-cuda-nvrtc-cu11 11.7.99, nvrtcCompileProgram without options
#   expected  0 (C++14 or C++17 by default)    seen  6, and 0 with --std=c++17; __cplusplus is 199711
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore
python3 -m pip install --quiet --no-deps --no-compile --target "$dir" nvidia-cuda-nvrtc-cu11==11.7.99
seen=$(
	python3 - "$dir/nvidia/cuda_nvrtc/lib/libnvrtc.so.11.2" <<'PY'
import ctypes
import sys

nvrtc = ctypes.CDLL(sys.argv[1])


def compile(source, *options):
    program, size = ctypes.c_void_p(), ctypes.c_size_t()
    nvrtc.nvrtcCreateProgram(ctypes.byref(program), source.encode(), b"kernel.cu", 0, None, None)
    result = nvrtc.nvrtcCompileProgram(program, len(options), (ctypes.c_char_p * len(options))(*map(str.encode, options)))
    nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size))
    log = ctypes.create_string_buffer(size.value)
    nvrtc.nvrtcGetProgramLog(program, log)
    return f"{result} {log.value.decode()}".split("\n")[0].strip()


sources = "__global__ void k(int *x) { auto y = *x; *x = y; }", "__device__ int *p = nullptr;"
for source in *sources, "#if __cplusplus != 199711L\n#error\n#endif":
    print(compile(source))
    print(compile(source, "--std=c++17"))
PY
)
want=$(cat <<'TEXT'
6 kernel.cu(1): error: explicit type is missing ("int" assumed)
0
6 kernel.cu(1): error: identifier "nullptr" is undefined
0
0
6 kernel.cu(2): catastrophic error: #error directive:
TEXT
)
echo "$seen"
[[ $seen == "$want" ]] || { echo "NVRTC compiles another C++ than when this was found" >&2; exit 1; }
