package statedict

import (
	"errors"
	"fmt"
)

// build executes the opcodes that build objects from values on the stack.
func (m *machine) build(code byte) error {
	switch code {
	case opPop:
		_, err := m.pop()
		return err
	case opTuple, opTuple1, opTuple2, opTuple3:
		n := -1
		if code != opTuple {
			n = int(code) - opTuple1 + 1
		}
		values, err := m.popMany(n)
		m.push(tuple(values))
		return err
	case opAppend, opAppends:
		return m.fill(code == opAppends, 1, func(to any, values []any) error {
			l, ok := to.(*list)
			if !ok {
				return errStack
			}
			l.items = append(l.items, values...)
			return nil
		})
	case opSetItem, opSetItems:
		return m.fill(code == opSetItems, 2, func(to any, values []any) error {
			d, ok := to.(*dict)
			if !ok || len(values)%2 != 0 {
				return errStack
			}
			for i := 0; i < len(values); i += 2 {
				d.set(values[i], values[i+1])
			}
			return nil
		})
	case opGlobal, opStackGlobal:
		return m.global(code)
	case opReduce:
		return m.reduce()
	case opBuild: // attribute _metadata of an OrderedDict: versions of layers
		return m.fill(false, 1, func(to any, _ []any) error {
			if _, ok := to.(*dict); !ok {
				return fmt.Errorf("it sets a state of %s", describe(to))
			}
			return nil
		})
	case opPersistentName:
		return m.persistent()
	}
	return fmt.Errorf("its pickle has the opcode 0x%02x at byte %d, which no tensors need", code, m.at-1)
}

// fill pops n values, or those after a mark, and calls f with the object below them.
func (m *machine) fill(marked bool, n int, f func(to any, values []any) error) error {
	if marked {
		n = -1
	}
	values, err := m.popMany(n)
	if err != nil {
		return err
	}
	if len(m.stack) == 0 {
		return errStack
	}
	return f(m.stack[len(m.stack)-1], values)
}

// calls lists the functions that a pickle may name. They are not called: their results are
// built here.
var calls = map[global]func(args tuple) (any, error){
	{"collections", "OrderedDict"}:         orderedDict,
	{"torch._utils", "_rebuild_tensor_v2"}: rebuildTensor,
	{"torch._utils", "_rebuild_parameter"}: rebuildParameter,
}

// global pushes the name of a function or of a type of storage.
func (m *machine) global(code byte) error {
	var g global
	if code == opStackGlobal {
		values, err := m.popMany(2)
		if err != nil {
			return err
		}
		module, isText := values[0].(string)
		name, alsoText := values[1].(string)
		if !isText || !alsoText {
			return errStack
		}
		g = global{module, name}
	} else {
		var err error
		if g.module, err = m.line(); err != nil {
			return err
		}
		if g.name, err = m.line(); err != nil {
			return err
		}
	}
	_, call := calls[g]
	_, number := kinds[g.name]
	if !call && (g.module != "torch" || !number) {
		return fmt.Errorf("it would call %q, which tensors do not need; nothing was called", g.module+"."+g.name)
	}
	m.push(g)
	return nil
}

func (m *machine) reduce() error {
	values, err := m.popMany(2)
	if err != nil {
		return err
	}
	g, named := values[0].(global)
	args, many := values[1].(tuple)
	call := calls[g]
	if !named || !many || call == nil {
		return fmt.Errorf("it calls %s", describe(values[0]))
	}
	v, err := call(args)
	if err != nil {
		return fmt.Errorf("%s.%s: %w", g.module, g.name, err)
	}
	m.push(v)
	return nil
}

var errArguments = errors.New("it has other arguments than those of torch.save")

func orderedDict(args tuple) (any, error) {
	if len(args) != 0 {
		return nil, errArguments
	}
	return new(dict), nil
}

// rebuildTensor rebuilds a tensor. The arguments are storage, offset, shape, strides,
// whether gradients are required, and hooks.
func rebuildTensor(args tuple) (any, error) {
	if len(args) < 4 {
		return nil, errArguments
	}
	of, isStorage := args[0].(*storage)
	offset, isNumber := args[1].(int64)
	shape, haveShape := sizes(args[2])
	stride, haveStride := sizes(args[3])
	if !isStorage || !isNumber || !haveShape || !haveStride {
		return nil, errArguments
	}
	return newTensor(of, offset, shape, stride)
}

func sizes(v any) ([]int64, bool) {
	t, ok := v.(tuple)
	numbers := make([]int64, len(t))
	for i := range t {
		n, number := t[i].(int64)
		numbers[i], ok = n, ok && number
	}
	return numbers, ok
}

// rebuildParameter returns the tensor of a parameter.
func rebuildParameter(args tuple) (any, error) {
	if len(args) == 0 {
		return nil, errArguments
	}
	t, ok := args[0].(*tensor)
	if !ok {
		return nil, errArguments
	}
	return t, nil
}

// persistent pops the reference ("storage", type, key, device, elements, …) of a tensor to its
// storage. Several tensors may refer to one storage.
func (m *machine) persistent() error {
	v, err := m.pop()
	if err != nil {
		return err
	}
	id, ok := v.(tuple)
	if !ok || len(id) < 5 || id[0] != "storage" {
		return fmt.Errorf("it refers to %s outside of itself", describe(v))
	}
	g, isGlobal := id[1].(global)
	key, isText := id[2].(string)
	n, isNumber := id[4].(int64)
	kind, known := kinds[g.name]
	if !isGlobal || !isText || !isNumber || !known || n < 0 || n > maxSize {
		return errArguments
	}
	if len(id) > 5 && id[5] != nil {
		return errors.New("a storage is part of another, as PyTorch before 0.4 had them")
	}
	s := &storage{kind, g.name, key, n}
	if before := m.stores[key]; before == nil {
		if m.stores == nil {
			m.stores = map[string]*storage{}
		}
		m.stores[key] = s
	} else if before.name != s.name || before.n != n {
		return fmt.Errorf("storage %q has %d elements of %s, and %d of %s", key, before.n, before.name, n, s.name)
	}
	m.push(s)
	return nil
}
