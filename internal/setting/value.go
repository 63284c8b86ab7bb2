package setting

import (
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"pacia/internal/badinput"
)

// Set parses text and sets the setting's field of v, a pointer to a struct of the type from
// which s was listed. A list grows by the text.
func (s Setting) Set(v any, text string) error {
	value, err := s.Parse(text)
	if err == nil {
		if list, repeated := value.([]string); repeated {
			value = append(slices.Clone(s.Field(v).Interface().([]string)), list...)
		}
		put(reflect.ValueOf(v), s.Path, reflect.ValueOf(value))
	}
	return err
}

// put sets the field at path. A value in an interface cannot be changed in place, so that
// the interface is set to a changed copy.
func put(v reflect.Value, path []int, value reflect.Value) {
	switch {
	case v.Kind() == reflect.Pointer:
		put(v.Elem(), path, value)
	case v.Kind() == reflect.Interface:
		changed := reflect.New(v.Elem().Type()).Elem()
		changed.Set(v.Elem())
		put(changed, path, value)
		v.Set(changed)
	case len(path) > 0:
		put(v.Field(path[0]), path[1:], value)
	default:
		v.Set(value)
	}
}

// Parse parses text as a value of the setting's type. It does not check the range. All
// sources of settings use it. The error is an *Error.
func (s Setting) Parse(text string) (any, error) {
	switch s.Type.Kind() {
	case reflect.String:
		return text, nil
	case reflect.Bool:
		switch text {
		case "true", "True", "TRUE":
			return true, nil
		case "false", "False", "FALSE":
			return false, nil
		}
		return nil, s.wrong(text, "true or false")
	case reflect.Slice:
		return []string{text}, nil
	case reflect.Int:
		if v, ok := whole(text); ok {
			return v, nil
		}
		if word, value := s.word(); word != "" && strings.EqualFold(text, word) {
			return value, nil
		} else if word != "" {
			return nil, s.wrong(text, "a whole number, or "+word)
		}
		return nil, s.wrong(text, "a whole number")
	case reflect.Uint64:
		if v, err := strconv.ParseUint(text, 10, 64); err == nil {
			return v, nil
		}
		return nil, s.wrong(text, "a whole number, 0 or more")
	case reflect.Float64:
		if v, err := strconv.ParseFloat(text, 64); err == nil && !math.IsNaN(v) && !math.IsInf(v, 0) {
			return v, nil
		}
		return nil, s.wrong(text, "a number")
	}
	panic("setting: " + s.Name + " has a type that no text can be read as: " + s.Type.String())
}

func (s Setting) wrong(text, want string) error {
	return &Error{Name: s.Name, Value: badinput.Quote(text), Fault: "is not " + want}
}

// exact is the limit below which float64 represents all whole numbers.
const exact = 1 << 53

// whole parses 25000 and also 2.5e4, which is a float in YAML.
func whole(text string) (int, bool) {
	if v, err := strconv.Atoi(text); err == nil {
		return v, true
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) >= exact {
		return 0, false
	}
	return int(f), true
}

// word returns the word of the tag word and the number for which it stands, such as "none -1".
func (s Setting) word() (word string, value int) {
	word, number, _ := strings.Cut(s.tag.Get("word"), " ")
	value, _ = strconv.Atoi(number)
	return word, value
}
