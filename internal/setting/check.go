package setting

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"pacia/internal/badinput"
	"pacia/internal/each"
)

// An Error is a setting whose value is not allowed.
type Error struct {
	Name  string // in full
	Value string // as in a message: 70, or "text"
	Fault string // what is wrong: "is out of range"
	Fix   string // how to correct it: "write 1 to 64"; may be empty
}

// Error returns one line, such as "model.layers: 70 is out of range; write 1 to 64".
func (e *Error) Error() string {
	line := e.Name + ": "
	if e.Value != "" {
		line += e.Value + " "
	}
	if line += e.Fault; e.Fix != "" {
		line += "; " + e.Fix
	}
	return line
}

// Check returns an *Error if the setting's value in v is outside its range or choices.
func (s Setting) Check(v any) error {
	if e := s.check(s.Field(v)); e != nil {
		e.Name = s.Name
		return e
	}
	return nil
}

// Check returns an *Error for the first setting of v, a struct or a pointer to one, whose
// value is outside its range or choices.
func Check(prefix string, v any) error {
	for _, s := range List(prefix, v) {
		if err := s.Check(v); err != nil {
			return err
		}
	}
	return nil
}

func (s Setting) check(v reflect.Value) *Error {
	if s.Zero() != "" && v.IsZero() {
		return nil
	}
	switch v.Kind() {
	case reflect.String:
		if choices := s.Choices(); len(choices) > 0 && !slices.Contains(choices, v.String()) {
			return &Error{Value: badinput.Quote(v.String()), Fault: "is not one of " + strings.Join(choices, ", ")}
		}
		if form := s.tag.Get("form"); form != "" && v.String() == "" {
			return &Error{Fault: "is empty", Fix: "write " + form}
		}
	case reflect.Int, reflect.Uint64, reflect.Float64:
		b, ok := s.bounds()
		if word, value := s.word(); word != "" && v.Kind() == reflect.Int && int(v.Int()) == value {
			return nil
		}
		if ok && !b.hold(v.Convert(reflect.TypeFor[float64]()).Float()) {
			return &Error{Value: text(v), Fault: "is out of range", Fix: "write " + s.number() + s.Range}
		}
	}
	return nil
}

// number begins the advice for a setting whose value need not be a whole number.
func (s Setting) number() string {
	switch {
	case s.Type.Kind() != reflect.Float64:
		return ""
	case strings.HasPrefix(s.Range, "above") || strings.HasPrefix(s.Range, "below"):
		return "a number "
	}
	return "a number from "
}

// Choices returns the possible values of a setting with the tag oneof.
func (s Setting) Choices() []string {
	tag := s.tag.Get("oneof")
	if table, ok := strings.CutPrefix(tag, "@"); ok {
		return each.Of(offered[table](), func(c Choice) string { return c.Name })
	}
	return strings.Fields(tag)
}

// A Choice is a value of a setting, and what it means.
type Choice struct{ Name, Text string }

var offered = map[string]func() []Choice{}

// Offer defines the choices of settings with the tag oneof:"@table", such as the names in a table
// of encoders. It must be called while packages are initialised.
func Offer(table string, names func() []string) {
	OfferExplained(table, func() []Choice { return each.Of(names(), func(name string) Choice { return Choice{Name: name} }) })
}

// OfferExplained is like Offer. The meaning of the setting goes on with those choices that have a text.
func OfferExplained(table string, choices func() []Choice) { offered[table] = choices }

// meaning returns the setting's tag doc, and the texts of its choices.
func (s Setting) meaning() string {
	text := s.tag.Get("doc")
	if table, ok := strings.CutPrefix(s.tag.Get("oneof"), "@"); ok {
		for _, c := range offered[table]() {
			if c.Text != "" {
				text += "; " + c.Name + " is " + c.Text
			}
		}
	}
	return text
}

func (s Setting) allowed() string {
	text := s.tag.Get("form")
	if choices := s.Choices(); len(choices) > 0 {
		text = strings.Join(choices, " | ")
	}
	switch s.Type.Kind() {
	case reflect.Bool:
		return "true | false"
	case reflect.Int, reflect.Uint64, reflect.Float64:
		b, ok := s.bounds()
		switch {
		case !ok && s.Type.Kind() == reflect.Uint64:
			return "0 or more"
		case !ok:
			return ""
		case s.Zero() != "" && b.hold(0):
			return b.describe("0 (" + s.Zero() + ")")
		}
		text = b.describe(b.least)
	}
	if zero := s.Zero(); zero != "" && text != "" {
		empty := "0"
		if s.Type.Kind() == reflect.String {
			empty = "empty"
		}
		text += fmt.Sprintf(" (%s: %s)", empty, zero)
	}
	return text
}
