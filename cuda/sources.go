package cuda

import (
	"embed"
	"fmt"
	"io/fs"
	"regexp"
	"strings"

	"pacia/internal/each"
)

// embedded has the kernels, and the headers with which package ops compiles them for
// the emulator. Package ops is recompiled when one of them changes, because they are
// part of this package.
//
//go:embed kernels kernels.inc *.h *.hh
var embedded embed.FS

// sources are the files that are compiled for a GPU.
var sources fs.FS = embedded

var (
	includeLine = regexp.MustCompile(`(?m)^#include "(.+)"$`)
	kernelHead  = regexp.MustCompile(`(?m)^KERNEL (\w+)\(`)
)

// program returns the kernels as one text for NVRTC, for the number type "float" or
// "double". Package ops compiles the same files as C++, in the same order; see
// kernels.hh.
func program(files fs.FS, number string) (string, error) {
	list, err := fs.ReadFile(files, "kernels.inc")
	if err != nil {
		return "", err
	}
	var text strings.Builder
	add := func(name string) error {
		file, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(&text, "#line 1 %q\n%s\n", name, file)
		return err
	}
	for _, header := range []string{"kernels/arguments.cuh", "kernels/shared.cuh"} {
		if err := add(header); err != nil {
			return "", err
		}
	}
	fmt.Fprintf(&text, "typedef %s real;\n", number)
	for _, include := range includeLine.FindAllStringSubmatch(string(list), -1) {
		if err := add(include[1]); err != nil {
			return "", fmt.Errorf("kernels.inc: %w", err)
		}
	}
	return text.String(), nil
}

func kernelNames(program string) []string {
	return each.Of(kernelHead.FindAllStringSubmatch(program, -1), func(head []string) string { return head[1] })
}

func realType(doubles bool) string {
	if doubles {
		return "double"
	}
	return "float"
}
