package request

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"pacia/internal/setting"
)

// A Field is a field of a [Request].
type Field struct{ setting.Setting }

// Fields returns all fields of a request, in the order of the declaration.
func Fields() []Field { return FieldsOf(new(Request)) }

// FieldsOf returns the fields of v, a pointer to a Request or to a struct that is part of one.
func FieldsOf(v any) (all []Field) {
	for _, s := range setting.List("", v) {
		all = append(all, Field{s})
	}
	return all
}

// Find returns the field with this name.
func Find(name string) (Field, bool) {
	all := Fields()
	if at := slices.IndexFunc(all, func(f Field) bool { return f.Name == name }); at >= 0 {
		return all[at], true
	}
	return Field{}, false
}

// Flag returns the name of the field's flag without dashes, or "" and the reason for which it has none.
func (f Field) Flag() (name, reason string) {
	name, reason = place(f.Tag("flag"))
	if name == "" && reason == "" {
		name = FlagName(f.Name)
	}
	return name, reason
}

// FlagName returns the name of a flag for a field's name.
func FlagName(name string) string { return strings.ReplaceAll(name, "_", "-") }

// HasFlag reports whether a command has the field's flag.
func (f Field) HasFlag(command string) bool {
	name, _ := f.Flag()
	only := f.Tag("only")
	return name != "" && (only == "" || slices.Contains(strings.Fields(only), command))
}

// Sent reports whether requests to a server have the field. If they have not, it returns the reason.
func (f Field) Sent() (is bool, reason string) {
	_, reason = place(f.Tag("form"))
	return reason == "", reason
}

// Page returns where the field's input is on the page, or "" and the reason for which it has none.
func (f Field) Page() (where, reason string) {
	outer := reflect.TypeFor[Request]().Field(f.Path[0]).Tag.Get("page")
	if where, reason = place(f.Tag("page")); where == "" && reason == "" {
		where = outer
	}
	if _, unsent := f.Sent(); reason == "" {
		reason = unsent
	}
	return where, reason
}

// place splits a tag that has a value, or "-: " and a reason.
func place(tag string) (value, reason string) {
	if reason, none := strings.CutPrefix(tag, "-: "); none {
		return "", reason
	}
	return tag, ""
}

// Files returns the number of files that the field takes; 0: it holds a value.
func (f Field) Files() int {
	n, _ := strconv.Atoi(f.Tag("file"))
	return n
}

// List reports whether the field may be repeated.
func (f Field) List() bool { return f.Type.Kind() == reflect.Slice }

// Same reports whether the field does not change the ranking.
func (f Field) Same() bool { return f.Tag("same") != "" }

// Offered returns the values that are offered for the field.
func (f Field) Offered() []string {
	if all := strings.Fields(f.Tag("choices")); len(all) > 0 {
		return all
	}
	return f.Choices()
}

// Usage returns the meaning of the field, with the value's name in the given quotation mark.
func (f Field) Usage(mark string) string { return valueName.ReplaceAllString(f.Doc, mark+"$1"+mark) }

// Kind describes a value of the field, such as "a whole number".
func (f Field) Kind() string {
	switch f.Type.Kind() {
	case reflect.Int:
		return "a whole number"
	case reflect.Float64:
		return "a number"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice:
		return "a text, or a list of texts"
	}
	return "a text"
}
