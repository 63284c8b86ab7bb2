#!/usr/bin/env bash
# The flags for building against libtorch:
#
#     scripts/env.sh CMD…       run a command with them
#     . scripts/env.sh          set them in this shell (bash)
#
# LIBTORCH        cu117, the default, or cu130: see variant.sh
# PACIA_CUDA=1    link CUDA for real; the default is a CPU build
# LIBTORCH_DIR    your own libtorch, with include/ and lib/, of either C++ ABI
# PACIA_DEPS      where the set-up keeps its files instead of .deps/
# PACIA_STANDIN_LIBS   a folder of scripts/standin, to link with PACIA_CUDA=1 in place of NVIDIA's libraries
# PACIA_CXXFLAGS  further flags for the C++ compiler, such as -DPACIA_WITHOUT_AVX512
#
# The flags depend only on these six variables and on the path of the checkout. Of the flags, only
# PACIA_LDFLAGS depends on PACIA_CUDA and PACIA_STANDIN_LIBS, so that Go's cache compiles gotch only once
# for each libtorch.
#
# PACIA_RDKIT is also set, to the path of pacia-rdkit, in which tests read molecules; go test builds it before.
#
# PACIA_NVRTC is also set if there is an NVRTC beside libtorch or in .deps/: the
# library files, separated by colons, that of this libtorch first.

pacia_fail() {
	echo "env.sh: $1" >&2
	return 1
}

# Prints the value of _GLIBCXX_USE_CXX11_ABI that the libtorch in $1 was compiled
# with, which the mangled name of a function with a std::string argument shows.
pacia_abi() {
	if grep -q 'torchCheckFailEPKcS2_jRKNSt7__cxx11' "$1/lib/libc10.so"; then
		echo 1
	else
		echo 0
	fi
}

pacia_env() {
	local scripts root deps site torch dir cxx lib cuda
	scripts=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
	root=$(dirname "$scripts")
	deps=$(realpath -m "${PACIA_DEPS:-$root/.deps}")
	# shellcheck source=scripts/variant.sh
	. "$scripts/variant.sh"
	site=$(pacia_site "${LIBTORCH:-cu117}") || return
	torch=${LIBTORCH_DIR:-$deps/$site/torch}
	# cgo splits its flags at blanks.
	[[ $root$deps$torch != *[[:space:]]* ]] ||
		pacia_fail "the paths of the checkout and of libtorch must not hold blanks: $root, $deps, $torch" || return
	[[ -f $torch/include/torch/csrc/api/include/torch/torch.h && -f $torch/lib/libc10.so ]] ||
		pacia_fail "no libtorch in $torch (wanted: include/ and lib/libc10.so); run scripts/setup or correct LIBTORCH_DIR" || return
	torch=$(cd "$torch" && pwd -P)

	cxx="-std=c++17 -O2 -D_GLIBCXX_USE_CXX11_ABI=$(pacia_abi "$torch")"
	# scripts/include comes first: it has our torch/torch.h for newer libtorchs. Warnings in
	# libtorch's own headers are suppressed.
	cxx+=" -I$scripts/include -isystem $torch/include -isystem $torch/include/torch/csrc/api/include"
	# A wheel of libtorch finds NVIDIA's wheels beside itself; these three contain
	# the libraries with which even libtorch_cpu.so is linked, and CUDA's headers.
	local link="" include=""
	for dir in "$torch"/../nvidia/{cuda_runtime,cuda_cupti,cu13}; do
		[[ -d $dir ]] || continue
		dir=$(cd "$dir" && pwd -P)
		[[ ! -d $dir/include ]] || include+=" -I$dir/include"
		link+=" -Wl,-rpath-link,$dir/lib"
	done
	export CGO_CXXFLAGS="$cxx$include${PACIA_CXXFLAGS:+ $PACIA_CXXFLAGS}"
	export CGO_CFLAGS="-O2$include"
	# Stand-ins first, so that the ten CUDA libraries which gotch names are empty
	# archives and a CPU build is the same with and without CUDA on the machine.
	export CGO_LDFLAGS="-Wl,--as-needed -L$deps/stand-ins -L$torch/lib -Wl,-rpath,$torch/lib$link"

	[[ ${CXX:-} == "$scripts/cxx" ]] || export PACIA_CXX=${CXX:-g++}
	export CXX=$scripts/cxx
	# The folder in which scripts/precompile puts libtorch's headers. It is different for each header,
	# compiler and set of flags, because the compiler does not check whether they match. Checkouts
	# that share PACIA_DEPS share it, because their paths are not part of its name.
	export PACIA_PRECOMPILED=$deps/precompiled/$site-$(
		{ cat "$root/ops/include/core/libtorch.hh" && grep CXXFLAGS "$root/ops/core/doc.go" && "$PACIA_CXX" --version && echo "${CGO_CXXFLAGS//$root/}"; } 2>/dev/null |
			sha256sum | cut -c 1-16
	)

	# Without debug information of Go code, linking takes half the time.
	export GOFLAGS=${GOFLAGS--ldflags=-w}

	export PACIA_RDKIT=$root/bin/pacia-rdkit

	local nvrtc=""
	for lib in "$torch"/../nvidia/{cuda_nvrtc,cu13}/lib/libnvrtc.so.* "$deps"/torch-*/nvidia/{cuda_nvrtc,cu13}/lib/libnvrtc.so.*; do
		[[ -f $lib ]] || continue
		lib=$(realpath "$lib")
		[[ :$nvrtc: == *:$lib:* ]] || nvrtc+=${nvrtc:+:}$lib
	done
	[[ -z $nvrtc ]] || export PACIA_NVRTC=$nvrtc

	# For go's -ldflags. CUDA is linked here, at the very end: libtorch finds its
	# CUDA half at run time, if that is loaded, so no symbol may refer to it.
	# These three libraries have the symbols to which code with the build tag cuda refers.
	export PACIA_LDFLAGS=""
	if [[ ${PACIA_CUDA:-} == 1 ]]; then
		for lib in "$torch"/../nvidia/{cuda_runtime,cu13}/lib/libcudart.so.* "$torch"/lib/libcudart*.so*; do
			[[ ! -f $lib ]] || break
		done
		[[ -f $lib && -f $torch/lib/libtorch_cuda.so ]] ||
			pacia_fail "the libtorch in $torch is not for CUDA (wanted: libtorch_cuda.so and libcudart); run scripts/setup or correct LIBTORCH_DIR" || return
		# The loader reports NVIDIA's libraries that libtorch_cuda.so lacks.
		cuda="-Wl,--allow-shlib-undefined -Wl,--no-as-needed"
		if [[ -n ${PACIA_STANDIN_LIBS:-} ]]; then
			# Libraries that the program requests are loaded before those of libtorch.
			cuda+=" -Wl,-rpath,$PACIA_STANDIN_LIBS $(echo "$PACIA_STANDIN_LIBS"/lib[cn]*.so*)"
			cuda+=" $torch/lib/libtorch_cuda.so $torch/lib/libc10_cuda.so $PACIA_STANDIN_LIBS/libpacia-values.so -Wl,--as-needed"
		else
			cuda+=" $torch/lib/libtorch_cuda.so $torch/lib/libc10_cuda.so $(realpath "$lib") -Wl,--as-needed"
			for dir in "$torch"/../nvidia/*/lib; do
				[[ ! -d $dir ]] || cuda+=" -Wl,-rpath,$(cd "$dir" && pwd -P)"
			done
		fi
		# Go does not accept a quote at the beginning. -linkmode=external is the default with cgo.
		export PACIA_LDFLAGS="-linkmode=external '-extldflags=$cuda'"
	fi
}

if [[ ${BASH_SOURCE[0]} == "$0" ]]; then
	set -euo pipefail
	pacia_env
	[[ "${*:1:2}" != "go test" ]] || go -C "${PACIA_RDKIT%/bin/*}" build -buildvcs=false -ldflags -w -o bin/ ./cmd/pacia-rdkit
	exec "$@"
else
	pacia_env
fi
