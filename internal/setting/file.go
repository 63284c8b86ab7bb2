package setting

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"

	"pacia/internal/badinput"
)

// An Entry is one setting in a file.
type Entry struct {
	Name  string // in full
	Value string
	Row   int // of its name
}

// Flatten parses a settings file and returns its entries in their order. It accepts any
// names. Text that is not YAML, a list, or a repeated setting is a *badinput.Error with
// its row.
func Flatten(text []byte) ([]Entry, error) {
	doc, err := Document(text)
	if doc == nil {
		return nil, err
	}
	r := reader{rows: map[string]int{}}
	err = r.group(doc, "")
	return r.all, err
}

// Document returns the node of the only document in YAML text, or nil without a document.
// Text that is not YAML, and a second document, are *badinput.Errors.
func Document(text []byte) (*yaml.Node, error) {
	var docs [2]yaml.Node
	for d, i := yaml.NewDecoder(bytes.NewReader(text)), 0; i < len(docs); i++ {
		if err := d.Decode(&docs[i]); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, &badinput.Error{What: "not a YAML file", Err: err}
		}
	}
	if second := docs[1].Content; len(second) > 0 && second[0].Tag != "!!null" {
		return nil, &badinput.Error{Row: second[0].Line, What: "a second document begins, after ---", Fix: "write it to a file of its own"}
	}
	if len(docs[0].Content) == 0 {
		return nil, nil
	}
	return docs[0].Content[0], nil
}

// A reader collects the entries of a document.
type reader struct {
	all  []Entry
	rows map[string]int // by name
}

// group reads the mapping n of settings. Their names begin with prefix.
func (r *reader) group(n *yaml.Node, prefix string) error {
	if n.Kind != yaml.MappingNode {
		return &badinput.Error{Row: n.Line, What: fmt.Sprintf("%s where settings should be", badinput.Quote(n.Value)), Fix: "write name: value"}
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if value.Kind == yaml.AliasNode {
			if value = value.Alias; value.Kind != yaml.ScalarNode { // it may contain itself, or grow exponentially
				return &badinput.Error{Row: key.Line, What: prefix + key.Value + " is an alias of a group", Fix: "write the settings out"}
			}
		}
		e := Entry{prefix + key.Value, value.Value, key.Line}
		switch {
		case value.Kind == yaml.MappingNode:
			if err := r.group(value, e.Name+"."); err != nil {
				return err
			}
			continue
		case value.Kind != yaml.ScalarNode:
			return &badinput.Error{Row: e.Row, What: e.Name + " takes one value, not a list or a group"}
		case value.Tag == "!!null":
			e.Value = ""
		}
		if row, twice := r.rows[e.Name]; twice {
			return &badinput.Error{Row: e.Row, What: fmt.Sprintf("%s is set twice, first in row %d", e.Name, row), Fix: "keep one of the two"}
		}
		r.rows[e.Name] = e.Row
		r.all = append(r.all, e)
	}
	return nil
}

// Encode returns the settings of v, a struct or a pointer to one, as a YAML document for
// yaml.Marshal. MarshalYAML of a struct with an inlined interface returns it, since package
// yaml does not support these.
func Encode(v any) (*yaml.Node, error) {
	root := &yaml.Node{Kind: yaml.MappingNode}
	for _, s := range List("", v) {
		parts := strings.Split(s.Name, ".")
		at := root
		for _, group := range parts[:len(parts)-1] {
			at = child(at, group)
		}
		key, value := &yaml.Node{}, &yaml.Node{}
		if err := errors.Join(key.Encode(parts[len(parts)-1]), value.Encode(s.Field(v).Interface())); err != nil {
			return nil, err
		}
		at.Content = append(at.Content, key, value)
	}
	return root, nil
}

func child(n *yaml.Node, name string) *yaml.Node {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			return n.Content[i+1]
		}
	}
	key, group := &yaml.Node{Kind: yaml.ScalarNode, Value: name}, &yaml.Node{Kind: yaml.MappingNode}
	n.Content = append(n.Content, key, group)
	return group
}
