#!/usr/bin/env bash
# Measures pacia on a machine with one GPU and without Go, RDKit or a network.
# The machine needs a Python with the torch that pacia was built for (LIBTORCH):
#
#     bench/gpu.sh pack FILE.tar.xz     here: pack everything into FILE, at most 64 MiB
#     python3 -m tarfile -e FILE.tar.xz DIR      there: unpack it
#     DIR/bench/gpu.sh run OUT.json     there: measure for at most ten minutes
#     … run --dry-run OUT.json          a few steps on the CPU, to try the same
#     DIR/bench/gpu.sh hour OUT.json    there: the checks of "The first hour on a GPU", about an hour
#     … hour [FLAGS] OUT.json           some of them, with first_hour.py's flags: --list, --only NAME,
#                                       --from NAME, --limit SECONDS, --dry-run
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
	local file=$1 variant=${LIBTORCH:-cu117} to version store size
	[[ $file == *.tar.xz ]] || fail "write pack FILE.tar.xz, not $file"
	to=$(mktemp -d)
	# shellcheck disable=SC2064 # the folder of this call
	trap "rm -rf '$to'" EXIT
	version=$(git -C "$root" describe --always --dirty --tags 2>/dev/null || echo unknown)
	make --no-print-directory -C "$root" bundle "LIBTORCH=$variant" "RELEASE=$version"
	mkdir -p "$to"/{bench,harness/hour,cache}
	tar -C "$to" -xzf "$root/bin/pacia-$version-$variant.tar.gz"
	cp "$bench"/{*.py,gpu.sh,embedded.yaml} "$to/bench"
	cp "$root"/harness/hour/*.py "$to/harness/hour"
	PACIA_CUDA=1 STRIP=1 "$root/scripts/gpu-tests" "$to"
	store=(embedded)
	if [[ -n ${DATA:-} ]]; then
		cp "$DATA" "$to/tox21.csv.gz"
		store+=("$to/tox21.csv.gz")
	fi
	# The graphs are parsed here, once, by the program itself.
	"$root/bin/pacia-gpu" data prepare --cache "$to/cache" "${store[@]}"
	chmod -R u+rwX,go+rX "$to"
	# Six programs contain the same libraries: with a window of 256 MiB, each program after
	# the first adds only its own code.
	tar -C "$to" --owner=0 --group=0 --sort=name -cf - . | xz --threads=1 --lzma2=preset=6,dict=256MiB >"$file.part"
	size=$(stat -c %s "$file.part")
	((size <= most)) || fail "$file.part has $size bytes, more than $most"
	mv "$file.part" "$file"
	echo "gpu: $file has $((size / 1000)) kB, $(du -sk --apparent-size "$to" | cut -f 1) kB unpacked"
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
	(($# >= 1)) || fail "write gpu.sh hour [--list | --only NAME | --from NAME | --limit SECONDS | --dry-run]… OUT.json"
	local out=${*: -1} flags=("${@:1:$#-1}")
	[[ $out != --list ]] || exec "${PYTHON:-python3}" "$root/harness/hour/first_hour.py" --list
	[[ $out != -* ]] || fail "write the file of the report last: gpu.sh hour … OUT.json"
	exec "${PYTHON:-python3}" "$root/harness/hour/first_hour.py" --pacia "$(echo "$root"/pacia-*/pacia)" --tests "$root" \
		--bench "$bench/gpu.sh" --out "$out" "${flags[@]}"
}

case ${1:-} in
pack) (($# == 2)) || fail "write gpu.sh pack FILE.tar.xz"; pack "$2" ;;
run) shift; run "$@" ;;
hour) shift; hour "$@" ;;
*) fail "write gpu.sh pack FILE.tar.xz, or gpu.sh run or hour [FLAGS] OUT.json" ;;
esac
