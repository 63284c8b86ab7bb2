package config

import (
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"pacia/fault"
)

// assignment reads NAME=VALUE.
func assignment(text string) (string, any, error) {
	name, value, ok := strings.Cut(text, "=")
	if !ok {
		return "", nil, &fault.Error{What: fmt.Sprintf("--set %q has no value", text), Fix: "write --set NAME=VALUE"}
	}
	s, err := lookUp(strings.TrimSpace(name))
	if err != nil {
		return "", nil, withSource("--set", err)
	}
	typed, err := s.parse(unquote(value))
	return s.Name, typed, withSource("--set", err)
}

// unquote takes off the quotes of a YAML scalar; everything else stays as it
// is, since paths may hold any sign.
func unquote(text string) string {
	if !strings.HasPrefix(text, `"`) && !strings.HasPrefix(text, `'`) {
		return text
	}
	var s string
	if err := yaml.Unmarshal([]byte(text), &s); err != nil {
		return text
	}
	return s
}

func withSource(where string, err error) error {
	var f *fault.Error
	if errors.As(err, &f) {
		f.What = where + " " + f.What
	}
	return err
}
