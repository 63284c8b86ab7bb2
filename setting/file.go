package setting

import (
	"errors"
	"strings"

	"go.yaml.in/yaml/v3"
)

// An Entry is one setting as a file has it.
type Entry struct {
	Name  string // in full
	Value string
	Row   int // where its name stands
}

// String returns NAME=VALUE, as --set takes it.
func (e Entry) String() string { return e.Name + "=" + e.Value }

// Flatten reads the text of a settings file, whoever wrote it, in its order.
func Flatten(text []byte) ([]Entry, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return nil, err
	}
	if len(doc.Content) == 0 || doc.Content[0].Kind != yaml.MappingNode {
		return nil, errors.New("no settings")
	}
	return entries(doc.Content[0], ""), nil
}

func entries(n *yaml.Node, prefix string) []Entry {
	var all []Entry
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if value.Kind == yaml.MappingNode {
			all = append(all, entries(value, prefix+key.Value+".")...)
			continue
		}
		all = append(all, Entry{prefix + key.Value, value.Value, key.Line})
	}
	return all
}

// Encode returns the settings of v, a struct or a pointer to one, as a YAML
// document for yaml.Marshal to write: what a MarshalYAML returns for a struct
// with an interface in it, which package yaml does not write in its place.
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

// child returns the group of that name in n.
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
