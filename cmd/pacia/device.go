package main

import (
	"fmt"
	"strconv"
	"strings"

	"pacia/internal/badinput"
	"pacia/ops"
	"pacia/run/runconfig"
)

// checkDevice returns an error if the device (cpu, cuda, cuda:N) cannot be used, before
// anything is loaded for it. The error names what is missing.
func checkDevice(device string) error {
	if device == runconfig.CPU {
		return nil
	}
	info, err := ops.Info()
	if err != nil {
		return fmt.Errorf("devices of libtorch: %w", err)
	}
	return missing(device, info)
}

func missing(device string, info ops.BuildInfo) error {
	f := &badinput.Error{What: "device " + device}
	switch n := deviceNumber(device); {
	case info.CUDA == "":
		f.What += ": this pacia is linked against libtorch for CPU alone"
		f.Fix = "build it with make build-gpu, or write device=cpu"
	case info.Devices == 0:
		f.What += ": no CUDA device answers"
		f.Fix = "see whether nvidia-smi finds one (the driver may be missing), or write device=cpu"
	case n >= info.Devices:
		f.What += fmt.Sprintf(": there are only %d, counted from 0", info.Devices)
		f.Fix = fmt.Sprintf("write cuda:0 to cuda:%d", info.Devices-1)
	default:
		return nil
	}
	return f
}

// deviceNumber returns N of cuda:N, and 0 for cuda.
func deviceNumber(device string) int {
	_, number, _ := strings.Cut(device, ":")
	n, _ := strconv.Atoi(number) // the settings were validated; cuda alone is the first
	return n
}
