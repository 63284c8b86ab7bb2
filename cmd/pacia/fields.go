package main

import (
	"cmp"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pacia/internal/each"
	"pacia/screen/request"
)

// addFields adds the flags of fields of v, a pointer to a request or to a part of one. The values of v are the defaults.
func addFields(f *pflag.FlagSet, v any, fields []request.Field) {
	for _, field := range fields {
		name, _ := field.Flag()
		usage := field.Usage("`")
		switch to := field.Field(v).Addr().Interface().(type) {
		case *string:
			f.StringVar(to, name, *to, usage)
		case *[]string:
			f.StringArrayVar(to, name, nil, usage)
		case *bool:
			f.BoolVar(to, name, *to, usage)
		case *float64:
			f.Float64Var(to, name, *to, usage)
		case *int:
			if field.Tag("word") != "" {
				f.Var(wordOrNumber{field, v}, name, usage)
				break
			}
			f.IntVar(to, name, *to, usage)
		}
		if strings.Contains(field.Doc, "(default") && !field.List() { // in words
			f.Lookup(name).DefValue = map[bool]string{true: "0"}[field.Type.Kind() == reflect.Int]
		}
	}
}

// wordOrNumber is the value of a flag that is a number or a word, such as none.
type wordOrNumber struct {
	request.Field
	value any
}

func (w wordOrNumber) Set(text string) error {
	return cmp.Or(w.Field.Set(w.value, text), w.Verify(w.value))
}

func (w wordOrNumber) String() string {
	if number := w.Field.Field(w.value); !number.IsZero() {
		return strconv.FormatInt(number.Int(), 10)
	}
	return ""
}

func (w wordOrNumber) Type() string { return "row" }

// checkRules refuses a flag that would have no effect beside others, or without others.
func checkRules(c *cobra.Command, rules []request.Rule) error {
	given := func(name string) bool { return c.Flags().Changed(request.FlagName(name)) }
	for i, rule := range rules { // only flags of this command are offered
		rules[i].Needs = each.If(rule.Needs, func(name string) bool { return c.Flags().Lookup(request.FlagName(name)) != nil })
	}
	return request.CheckRules(rules, given, given)
}

// choices are the values that are offered for flags of requests.
func choices() map[string][]string {
	all := map[string][]string{}
	for _, field := range request.Fields() {
		if name, _ := field.Flag(); name != "" && len(field.Offered()) > 0 {
			all[name] = field.Offered()
		}
	}
	return all
}

// fieldsOf returns the fields whose flags a command has.
func fieldsOf(command string) []request.Field {
	return slices.DeleteFunc(request.Fields(), func(f request.Field) bool { return !f.HasFlag(command) })
}
