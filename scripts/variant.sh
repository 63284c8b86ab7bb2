# The two libtorchs that the set-up supports. The other scripts source this file.
#
# LIBTORCH=cu117    libtorch 2.0.1 for CUDA 11.7, the default: GPUs up to RTX 40 and A100
# LIBTORCH=cu130    libtorch 2.11.0 for CUDA 13.0: GPUs from RTX 20 on, H100 and B200 too
# shellcheck shell=bash

# Prints the folder in .deps/ of the variant $1.
pacia_site() {
	case $1 in
	cu117) echo torch-2.0.1 ;;
	cu130) echo torch-2.11.0 ;;
	*)
		echo "setup: LIBTORCH=$1 is unknown; write cu117 (CUDA 11.7, the default) or cu130 (CUDA 13.0)" >&2
		return 1
		;;
	esac
}
