#!/usr/bin/env bash
# Measures pacia on a machine with one GPU that has neither Go nor RDKit nor a network,
# but a Python with the torch that pacia was built for (LIBTORCH):
#
#     bench/gpu.sh pack DIR             here: put all that it takes into DIR, at most 64 MiB
#     DIR/bench/gpu.sh run OUT.json     there: measure for at most ten minutes
#     … run --dry-run OUT.json          a few steps on the CPU, to try the same
#     DIR/bench/gpu.sh hour OUT.json    there: the checks of "The first hour on a GPU", about an hour
#
# DATA=FILE    with pack: tox21.csv.gz of MoleculeNet; without it the embedded data
#              set is measured
# PYTHON       with run: the Python that has torch
set -euo pipefail

bench=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
root=$(dirname "$bench")
most=$((64 << 20))

fail() {
	echo "gpu: $1" >&2
	exit 1
}

pack() {
	local to=$1 variant=${LIBTORCH:-cu117} version bundle size store
	[[ ! -e $to ]] || [[ -d $to && -z $(ls -A "$to") ]] || fail "$to is not empty: write another folder"
	version=$(git -C "$root" describe --always --dirty --tags 2>/dev/null || echo unknown)
	make --no-print-directory -C "$root" bundle "LIBTORCH=$variant" "VERSION=$version"
	bundle=pacia-$version-$variant
	mkdir -p "$to"/{bench,testdata,cache}
	tar -C "$to" -xzf "$root/bin/$bundle.tar.gz"
	cp "$bench"/{*.py,gpu.sh,embedded.yaml} "$to/bench"
	cp "$root/internal/golden/testdata/pacia_reference.json.gz" "$to/testdata"
	pack_tests "$to"
	store=(embedded)
	if [[ -n ${DATA:-} ]]; then
		cp "$DATA" "$to/tox21.csv.gz"
		store+=("$to/tox21.csv.gz")
	fi
	# The graphs are parsed here, once, by the program itself.
	"$root/bin/pacia-gpu" data prepare --cache "$to/cache" "${store[@]}"
	chmod -R u+rwX,go+rX "$to"
	size=$(du -sb "$to" | cut -f 1)
	((size <= most)) || fail "$to has $size bytes, more than $most"
	echo "gpu: $to has $((size / 1000)) kB"
}

# The tests of the kernels, which run them on the GPU there.
pack_tests() {
	local package
	for package in ops model train; do
		mkdir -p "$1/$package"
		# shellcheck disable=SC2016 # the inner shell has the flags
		PACIA_CUDA=1 "$root/scripts/env.sh" bash -c \
			'cd "$0" && go test -c -tags cuda -ldflags "-s -w $PACIA_LDFLAGS" -o "$1" "./$2"' \
			"$root" "$1/$package/$package.test" "$package"
	done
}

run() {
	local dry=()
	if [[ ${1:-} == --dry-run ]]; then
		dry=(--dry-run)
		shift
	fi
	(($# == 1)) || fail "write gpu.sh run [--dry-run] OUT.json"
	"${PYTHON:-python3}" -c 'import torch' 2>/dev/null || fail "${PYTHON:-python3} has no torch: write PYTHON=…"
	exec "${PYTHON:-python3}" "$bench/gpu.py" --root "$root" --out "$1" "${dry[@]}"
}

hour() {
	local dry=()
	if [[ ${1:-} == --dry-run ]]; then
		dry=(--dry-run)
		shift
	fi
	(($# == 1)) || fail "write gpu.sh hour [--dry-run] OUT.json"
	exec "${PYTHON:-python3}" "$bench/first_hour.py" --pacia "$(echo "$root"/pacia-*/pacia)" --tests "$root" \
		--bench "$bench/gpu.sh" --out "$1" "${dry[@]}"
}

case ${1:-} in
pack) (($# == 2)) || fail "write gpu.sh pack DIR"; pack "$2" ;;
run) shift; run "$@" ;;
hour) shift; hour "$@" ;;
*) fail "write gpu.sh pack DIR, or gpu.sh run or hour [--dry-run] OUT.json" ;;
esac
