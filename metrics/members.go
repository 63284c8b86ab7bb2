package metrics

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// A struct can hold the values of all metrics in one field, such as
//
//	Last Values `json:"auc_last" further:"*_last"`
//
// and JSON has a member for each: that of the first metric has the name in the tag json, those of the other metrics have
// the name in the tag further, with the name of the metric for the asterisk. The latter are left out without a value.
// They follow the last of these fields, or the field with the tag further:"behind". The field is a slice in the order
// of [All], of numbers or of pointers.

// members is the form of a struct in JSON.
type members struct {
	form    reflect.Type // a struct with a field for each member
	sources []source     // of its fields
}

// A source is the part of a struct that a member shows.
type source struct {
	field  []int // index of the field
	metric int   // index in the field, or whole
	zero   bool  // the member is left out, or was by earlier versions, if it is 0
}

const whole = -1

var known sync.Map // the members of each type

// MarshalMembers encodes a struct with values of metrics.
func MarshalMembers(v any) ([]byte, error) {
	from := reflect.ValueOf(v)
	return json.Marshal(membersOf(from.Type()).fill(from).Interface())
}

// UnmarshalMembers decodes a struct, to which v points. Fields without a member in text keep their values.
func UnmarshalMembers(text []byte, v any) error {
	to := reflect.ValueOf(v).Elem()
	m := membersOf(to.Type())
	form := reflect.New(m.form)
	form.Elem().Set(m.fill(to))
	if err := json.Unmarshal(text, form.Interface()); err != nil {
		return err
	}
	m.store(form.Elem(), to)
	return nil
}

func membersOf(t reflect.Type) *members {
	if m, ok := known.Load(t); ok {
		return m.(*members)
	}
	var fields, values []reflect.StructField
	m, behind := &members{}, 0
	for _, f := range reflect.VisibleFields(t) {
		further, ok := f.Tag.Lookup("further")
		if f.Anonymous && !ok {
			continue // its fields follow
		}
		form := reflect.StructField{Name: f.Name, Type: f.Type, Tag: f.Tag}
		s := source{f.Index, whole, false}
		if ok && further != "behind" {
			values = append(values, f)
			name := f.Tag.Get("json")
			form.Type, s.metric, s.zero = memberType(f), 0, name == "-" || strings.HasSuffix(name, ",omitempty")
		}
		fields, m.sources = append(fields, form), append(m.sources, s)
		if ok {
			behind = len(fields)
		}
	}
	for i := 1; i < len(All); i++ {
		for _, f := range values {
			tag := fmt.Sprintf(`json:"%s,omitempty"`, strings.ReplaceAll(f.Tag.Get("further"), "*", All[i].Name))
			fields = slices.Insert(fields, behind, reflect.StructField{Name: fmt.Sprint(f.Name, i), Type: memberType(f),
				Tag: reflect.StructTag(tag)})
			m.sources = slices.Insert(m.sources, behind, source{f.Index, i, false})
			behind++
		}
	}
	m.form = reflect.StructOf(fields)
	known.Store(t, m)
	return m
}

// memberType returns the type of the members of a field: a pointer.
func memberType(f reflect.StructField) reflect.Type {
	if e := f.Type.Elem(); e.Kind() == reflect.Pointer {
		return e
	}
	return reflect.PointerTo(f.Type.Elem())
}

// fill returns the form of a struct.
func (m *members) fill(from reflect.Value) reflect.Value {
	form := reflect.New(m.form).Elem()
	for i, s := range m.sources {
		value := from.FieldByIndex(s.field)
		switch {
		case s.metric == whole:
			form.Field(i).Set(value)
		case s.metric >= value.Len() || missing(value.Index(s.metric)):
		case value.Index(s.metric).Kind() == reflect.Pointer:
			form.Field(i).Set(value.Index(s.metric))
		default:
			number := value.Index(s.metric).Float()
			form.Field(i).Set(reflect.ValueOf(&number))
		}
	}
	return form
}

// store sets the fields of a struct to those of its form.
func (m *members) store(form, to reflect.Value) {
	for i, s := range m.sources {
		field, member := to.FieldByIndex(s.field), form.Field(i)
		switch s.metric {
		case whole:
			field.Set(member)
			continue
		case 0:
			field.SetZero()
		}
		if member.IsNil() {
			continue
		}
		for field.Len() <= s.metric {
			field.Set(reflect.Append(field, m.unmeasured(s.field, field)))
		}
		if slot := field.Index(s.metric); slot.Kind() == reflect.Pointer {
			slot.Set(member)
		} else {
			slot.Set(member.Elem())
		}
	}
}

// unmeasured returns the next element of values that have no member.
func (m *members) unmeasured(index []int, values reflect.Value) reflect.Value {
	e := reflect.New(values.Type().Elem()).Elem()
	zero := func(s source) bool { return s.zero && slices.Equal(s.field, index) }
	if e.Kind() == reflect.Float64 && !(values.Len() == 0 && slices.ContainsFunc(m.sources, zero)) {
		e.SetFloat(math.NaN())
	}
	return e
}

func missing(v reflect.Value) bool {
	if v.Kind() == reflect.Pointer {
		return v.IsNil()
	}
	return math.IsNaN(v.Float())
}
