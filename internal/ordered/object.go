// Package ordered has objects of JSON whose members have an order.
package ordered

import "encoding/json"

// An Object is the members of an object, in their order.
type Object []Member

// A Member is a name with its value.
type Member struct {
	Name  string
	Value any
}

// MarshalJSON writes the members as an object.
func (o Object) MarshalJSON() ([]byte, error) {
	text := []byte{'{'}
	for i, member := range o {
		name, _ := json.Marshal(member.Name) // of a text
		value, err := json.Marshal(member.Value)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			text = append(text, ',')
		}
		text = append(append(append(text, name...), ':'), value...)
	}
	return append(text, '}'), nil
}
