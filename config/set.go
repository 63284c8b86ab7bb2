package config

import (
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"pacia/internal/badinput"
)

// fromSet reads the texts NAME=VALUE of --set.
func (o Options) fromSet() (all []assignment, err error) {
	for _, text := range o.Set {
		a, err := readSet(text)
		if err != nil {
			return nil, withSource("--set", err)
		}
		all = append(all, a)
	}
	return all, nil
}

// CheckSet returns the error that Load would return for NAME=VALUE alone: an unknown
// name or a value of a wrong type.
func CheckSet(text string) error {
	_, err := readSet(text)
	return err
}

func readSet(text string) (assignment, error) {
	name, value, ok := strings.Cut(text, "=")
	if !ok {
		return assignment{}, &badinput.Error{What: fmt.Sprintf("%s has no value", badinput.Quote(text)), Fix: "write --set NAME=VALUE"}
	}
	s, method, err := settingNamed(strings.TrimSpace(name))
	if err != nil {
		return assignment{}, err
	}
	value = unquote(value)
	if _, err := s.Parse(value); err != nil {
		return assignment{}, &badinput.Error{What: err.Error()}
	}
	return assignment{s.Name, value, method, badinput.Error{What: "--set "}}, nil
}

// unquote removes the quotes of a YAML scalar. It leaves all other text unchanged, since
// paths may contain any character.
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
	var f *badinput.Error
	if errors.As(err, &f) {
		f.What = where + " " + f.What
	}
	return err
}
