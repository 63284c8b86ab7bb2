#!/usr/bin/env bash
# NVRTC compiles by a second library, libnvrtc-builtins, which lies beside it in NVIDIA's wheel. That of CUDA 11.7, loaded by its
# full path, finds it there. That of CUDA 13.0 does not: every program fails, unless the second library is already loaded,
# or in a folder that the loader searches. No GPU is needed for this.
#
#   nvidia-cuda-nvrtc-cu11 11.7.99, nvidia-cuda-nvrtc 13.0.88 (110 MB)
#   expected  both compile
#   seen      13.0 ends with error 7, failed to open libnvrtc-builtins.so.13.0, and compiles once that is loaded
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore
python3 -m pip install --quiet --no-deps --no-compile --target "$dir" nvidia-cuda-nvrtc-cu11==11.7.99 nvidia-cuda-nvrtc==13.0.88
cat >"$dir/compile.py" <<'PY'
import ctypes
import sys

for path in sys.argv[1:]:
    nvrtc = ctypes.CDLL(path)
program, size = ctypes.c_void_p(), ctypes.c_size_t()
nvrtc.nvrtcCreateProgram(ctypes.byref(program), b"__global__ void k() {}", None, 0, None, None)
result = nvrtc.nvrtcCompileProgram(program, 0, None)
nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size))
log = ctypes.create_string_buffer(size.value)
nvrtc.nvrtcGetProgramLog(program, log)
print(f"{result} {log.value.decode()}".split("\n")[0].strip())
PY
old=$dir/nvidia/cuda_nvrtc/lib new=$dir/nvidia/cu13/lib
unset LD_LIBRARY_PATH
seen=$(
	python3 "$dir/compile.py" "$old/libnvrtc.so.11.2"
	python3 "$dir/compile.py" "$new/libnvrtc.so.13"
	python3 "$dir/compile.py" "$new/libnvrtc-builtins.so.13.0" "$new/libnvrtc.so.13"
)
want=$(cat <<'TEXT'
0
7 nvrtc: error: failed to open libnvrtc-builtins.so.13.0.
0
TEXT
)
echo "$seen"
[[ $seen == "$want" ]] || { echo "NVRTC looks for its second library otherwise than when this was found" >&2; exit 1; }
