package config

import (
	"os"
	"slices"
	"strings"

	"pacia/internal/badinput"
	"pacia/internal/each"
	"pacia/internal/setting"
)

// envPrefix is the prefix of environment variables that set a setting.
const envPrefix = "PACIA_"

// reserved lists the variables with that prefix that are not settings: those of the
// set-up and of the tests, the path of pacia-rdkit, those that select the code of matrix products, the compiler of
// kernels and CUDA graphs, and PACIA_DEBUG, which prints stack traces.
var reserved = []string{
	"PACIA_ANYWAY", "PACIA_ASSAYS", "PACIA_CUDA", "PACIA_CXX", "PACIA_CXXFLAGS", "PACIA_DEBUG", "PACIA_DEPS",
	"PACIA_FIXTURES", "PACIA_FLIPS", "PACIA_FORM", "PACIA_FUZZ", "PACIA_GRAPHS", "PACIA_KEEP", "PACIA_KERNEL", "PACIA_KERNELS",
	"PACIA_KERNEL_CACHE", "PACIA_LDFLAGS", "PACIA_LONG", "PACIA_NVRTC", "PACIA_PICTURES", "PACIA_PNA_FIXTURE", "PACIA_PNA_THREADS", "PACIA_PRECOMPILED",
	"PACIA_PRODUCT", "PACIA_PYTHON", "PACIA_RDKIT", "PACIA_SHARED", "PACIA_STANDIN", "PACIA_STANDIN_LIBS", "PACIA_TEST_BREAK",
	"PACIA_TEST_CONFIG", "PACIA_TEST_DEVICE", "PACIA_TEST_DIR", "PACIA_TEST_LAUNCHES", "PACIA_TEST_LEARNER", "PACIA_TEST_MEMORY",
	"PACIA_TEST_SERVES", "PACIA_TORCH",
}

// fromEnvironment returns the settings that variables set. It rejects unknown variables
// with the prefix of settings. Empty variables are ignored.
func fromEnvironment() (all []assignment, err error) {
	known := each.Pairs(settings, func(s setting.Setting) (string, setting.Setting) { return Variable(s.Name), s })
	env := os.Environ()
	slices.Sort(env) // the reported error must not depend on the shell
	for _, pair := range env {
		name, text, _ := strings.Cut(pair, "=")
		if !strings.HasPrefix(name, envPrefix) || slices.Contains(reserved, name) {
			continue
		}
		s, ok := known[name]
		if !ok {
			return nil, unknownVariable(name)
		}
		if text == "" {
			continue
		}
		if _, err := s.Parse(text); err != nil {
			return nil, &badinput.Error{What: "environment variable " + name, Err: err}
		}
		all = append(all, assignment{s.Name, text, "", badinput.Error{What: "environment variable " + name + ": "}})
	}
	return all, nil
}

// unknownVariable suggests a variable by comparing variables, not names of settings: an underscore may stand
// for a point or for itself.
func unknownVariable(name string) error {
	known := each.Of(settings, func(s setting.Setting) string { return Variable(s.Name) })
	return &badinput.Error{
		What: "environment variable " + name + " is not a setting",
		Fix:  badinput.Suggest(name, known, listed),
	}
}
