package request

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"

	"pacia/internal/badinput"
	"pacia/internal/each"
	"pacia/internal/setting"
)

// valueName matches the name of a value in a field's meaning.
var valueName = regexp.MustCompile(`'([A-Z]+)'`)

// Check returns an error for a field that is out of range or has no effect beside others, as a *badinput.Error that names
// flags. given reports whether a field was written, by its name.
func (r *Request) Check(ctx context.Context, given func(name string) bool) error {
	var rules []Rule
	there := map[string]bool{} // fields with a value, also by default
	for _, f := range Fields() {
		there[f.Name] = given(f.Name) || !f.Field(r).IsZero()
		if !given(f.Name) {
			continue
		}
		if f.Tag("word") == "" { // otherwise Set has checked it
			if err := f.Verify(r); err != nil {
				return err
			}
		}
		rules = append(rules, f.rule())
	}
	if err := CheckRules(rules, given, func(name string) bool { return there[name] }); err != nil {
		return err
	}
	if err := r.LearnNumbers(); err != nil {
		return err
	}
	var err error
	if r.share, err = parseShare(r.Prior); err != nil {
		return err
	}
	r.Wanted.Match, r.Wanted.Exclude = r.Match, r.Exclude
	for _, list := range r.Columns {
		if err := r.Wanted.Describe(list); err != nil {
			return err
		}
	}
	return r.Wanted.Check(ctx)
}

// Set parses the text of a field of v, from which f was listed, and checks its range; a zero is that of a field that was not
// given. Errors are *badinput.Errors that name the flag.
func (f Field) Set(v any, text string) error {
	if err := f.Setting.Set(v, text); err != nil || f.Field(v).IsZero() {
		return f.fault(err)
	}
	return f.Verify(v)
}

// Verify returns an error if the value of the field of v is out of range, as a *badinput.Error that names the flag.
func (f Field) Verify(v any) error { return f.fault(f.Setting.Check(v)) }

// fault turns an error of package setting into bad input.
func (f Field) fault(err error) error {
	e := (*setting.Error)(nil)
	if !errors.As(err, &e) {
		return err
	}
	name := "--" + FlagName(f.Name)
	if flag, _ := f.Flag(); flag != "" {
		name = "--" + flag
	}
	b := &badinput.Error{What: name + " " + e.Value + " " + e.Fault, Fix: e.Fix}
	switch what, is := strings.CutPrefix(e.Fault, "is not "); {
	case strings.HasPrefix(what, "one of "):
		b.What, b.Fix = name+" "+e.Value+" is not known", "write "+Or(f.Choices())
	case is:
		b.What, b.Fix = name+" cannot be "+e.Value, "write "+what
	}
	return b
}

// LearnNumbers makes the column of potency the one of the labels. It refuses a different label.
func (r *Request) LearnNumbers() error {
	if r.Potency == "" {
		return nil
	}
	if column := r.Labels.Columns; column != "" && column != r.Potency {
		return &badinput.Error{What: "--potency names another column than --label", Fix: "leave out --label"}
	}
	r.Labels.Columns, r.Labels.Numbers = r.Potency, true
	return nil
}

// Share returns the share of actives that is expected in the library, once Check has read it; 0: that of the support set.
func (r *Request) Share() float64 { return r.share }

// A Rule states that a field has no effect without others, or with others.
type Rule struct {
	Name    string
	Needs   []string // one of these is needed; empty: none is
	Without []string // it has no effect with any of these
}

func (f Field) rule() Rule {
	return Rule{f.Name, strings.Fields(f.Tag("needs")), strings.Fields(f.Tag("without"))}
}

// Rules returns the rules of the fields of v, a pointer to a struct.
func Rules(v any) []Rule { return each.Of(FieldsOf(v), Field.rule) }

// CheckRules refuses a field that would have no effect: the user expects one. given reports whether a field was written, and
// there whether it has a value.
func CheckRules(rules []Rule, given, there func(name string) bool) error {
	for _, rule := range rules {
		if !given(rule.Name) {
			continue
		}
		flag := "--" + FlagName(rule.Name)
		if i := slices.IndexFunc(rule.Without, given); i >= 0 {
			return &badinput.Error{What: flag + " has no effect with --" + FlagName(rule.Without[i]), Fix: "leave out one of them"}
		}
		if len(rule.Needs) > 0 && !slices.ContainsFunc(rule.Needs, there) {
			needed := Or(each.Of(rule.Needs, func(name string) string { return "--" + FlagName(name) }))
			return &badinput.Error{What: flag + " has no effect without " + needed, Fix: "also write " + needed + ", or leave it out"}
		}
	}
	return nil
}

// Or joins words: "a, b or c".
func Or(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
