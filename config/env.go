package config

import (
	"os"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
	"github.com/spf13/viper"

	"pacia/fault"
)

// envPrefix begins the name of every environment variable that is a setting.
const envPrefix = "PACIA_"

// reserved are the variables with that prefix that are not settings: those of
// the set-up and of the tests, who makes the matrix products and who compiles
// kernels, and the one that asks for stack traces.
var reserved = []string{
	"PACIA_ANYWAY", "PACIA_CUDA", "PACIA_CXX", "PACIA_DEBUG", "PACIA_DEPS",
	"PACIA_FIXTURE", "PACIA_KEEP", "PACIA_KERNELS", "PACIA_KERNEL_CACHE", "PACIA_LDFLAGS", "PACIA_LONG",
	"PACIA_NVRTC", "PACIA_PNA_FIXTURE", "PACIA_PNA_THREADS", "PACIA_PRODUCT", "PACIA_SHARED", "PACIA_SKLEARN_FIXTURE",
	"PACIA_TEST_CONFIG", "PACIA_TEST_DEVICE", "PACIA_TEST_DIR", "PACIA_TEST_LAUNCHES", "PACIA_TEST_LEARNER",
}

// environment binds every setting to its variable, and rejects variables
// that look like settings and are none.
func environment(v *viper.Viper) error {
	known := map[string]setting{}
	for _, s := range settings {
		known[s.Env()] = s
		if err := v.BindEnv(s.Name, s.Env()); err != nil {
			return err
		}
	}
	env := os.Environ()
	slices.Sort(env) // the first fault must not depend on the shell
	for _, pair := range env {
		name, text, _ := strings.Cut(pair, "=")
		if !strings.HasPrefix(name, envPrefix) || slices.Contains(reserved, name) {
			continue
		}
		s, ok := known[name]
		if !ok {
			return unknownVariable(name)
		}
		if _, err := s.parse(text); err != nil && text != "" { // viper ignores empty ones
			return &fault.Error{What: "environment variable " + name, Err: err}
		}
	}
	return nil
}

func unknownVariable(name string) error {
	return &fault.Error{
		What: "environment variable " + name + " is no setting",
		Fix:  "the nearest known one is " + nearestEnv(name).Env(),
	}
}

// nearestEnv compares variables, not names: an underscore may stand for a
// point or for itself.
func nearestEnv(variable string) setting {
	edits := func(s setting) int { return levenshtein.ComputeDistance(variable, s.Env()) }
	return slices.MinFunc(settings, func(a, b setting) int { return edits(a) - edits(b) })
}
