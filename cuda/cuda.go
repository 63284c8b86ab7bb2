package cuda

// #include "launch.h"
import "C"

import "embed"

// sources are the kernels, and the headers with which package ops compiles
// them for the emulator: it is compiled anew when one of them changes, because
// they are part of this package.
//
//go:embed kernels kernels.inc *.h *.hh
var sources embed.FS
