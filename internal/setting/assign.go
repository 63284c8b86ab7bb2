package setting

import (
	"fmt"
	"strings"
)

// Assign sets settings of v, a pointer to a struct. The texts are such as relation.width=16, with
// full names.
func Assign(v any, texts ...string) error {
	for _, text := range texts {
		name, value, ok := strings.Cut(text, "=")
		if !ok {
			return fmt.Errorf("%q is not NAME=VALUE", text)
		}
		s, ok := find(v, name)
		if !ok {
			return fmt.Errorf("unknown setting %s", name)
		}
		if err := s.Set(v, value); err != nil {
			return err
		}
	}
	return nil
}

func find(v any, name string) (Setting, bool) {
	for _, s := range List("", v) {
		if s.Name == name {
			return s, true
		}
	}
	return Setting{}, false
}
