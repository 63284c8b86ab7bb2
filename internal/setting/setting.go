package setting

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// A Setting is one leaf of a struct of settings.
type Setting struct {
	Name  string // in full, such as train.episodes
	Doc   string // meaning
	Range string // valid values, for messages: "1 to 64", "mean | sum | max"
	Value string // as in a settings file
	Group string // meaning of its group
	Type  reflect.Type
	Path  []int // indices of the outer fields and of its own; see Field

	tag reflect.StructTag
}

// List returns all settings of v, a struct or a pointer to one, in the order of
// its fields. Their names begin with prefix.
func List(prefix string, v any) []Setting {
	return leaves(prefix, "", reflect.ValueOf(v), nil)
}

func leaves(prefix, group string, v reflect.Value, path []int) []Setting {
	v = inside(v)
	var all []Setting
	for i := range v.NumField() {
		f := v.Type().Field(i)
		name, inline := nameOf(f)
		if name == "-" || !f.IsExported() && !f.Anonymous {
			continue
		}
		at := append(slices.Clone(path), i)
		switch field := inside(v.Field(i)); {
		case !field.IsValid(): // a nil pointer or interface
		case field.Kind() == reflect.Struct && omitted(f) && field.IsZero():
		case field.Kind() == reflect.Struct && inline:
			all = append(all, leaves(prefix, group, field, at)...)
		case field.Kind() == reflect.Struct:
			all = append(all, leaves(prefix+name+".", f.Tag.Get("doc"), field, at)...)
		default:
			s := Setting{Name: prefix + name, Value: text(field), Group: group, Type: field.Type(), Path: at, tag: f.Tag}
			s.Doc, s.Range = s.meaning(), s.allowed()
			all = append(all, s)
		}
	}
	return all
}

// nameOf returns the name of a field, and whether the field is inlined.
func nameOf(f reflect.StructField) (name string, inline bool) {
	name, options, _ := strings.Cut(f.Tag.Get("yaml"), ",")
	if name == "" {
		return strings.ToLower(f.Name), strings.Contains(options, "inline")
	}
	return name, false
}

// omitted reports whether a group is left out if all its values are zero.
func omitted(f reflect.StructField) bool { return strings.Contains(f.Tag.Get("yaml"), ",omitempty") }

// inside follows pointers and interfaces to their values.
func inside(v reflect.Value) reflect.Value {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	return v
}

// Field returns the field of the setting in v, a struct of the type from which s was
// listed. The field is for reading only; Set sets it.
func (s Setting) Field(v any) reflect.Value {
	field := inside(reflect.ValueOf(v))
	for _, i := range s.Path {
		field = inside(field.Field(i))
	}
	return field
}

// Zero returns the special meaning of 0 or of an empty text, or "".
func (s Setting) Zero() string { return s.tag.Get("zero") }

// Tag returns another tag of the field, or "".
func (s Setting) Tag(name string) string { return s.tag.Get(name) }

// text formats a value as in YAML.
func text(v reflect.Value) string {
	switch v.Kind() {
	case reflect.String:
		return v.String()
	case reflect.Bool:
		return strconv.FormatBool(v.Bool())
	case reflect.Int:
		return strconv.FormatInt(v.Int(), 10)
	case reflect.Uint64:
		return strconv.FormatUint(v.Uint(), 10)
	case reflect.Float64:
		return strconv.FormatFloat(v.Float(), 'g', -1, 64)
	case reflect.Slice:
		return strings.Join(v.Interface().([]string), ", ")
	}
	panic("setting: no text can be read as a " + v.Type().String())
}
