package statedict

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
)

// Values that a pickle builds, in addition to nil, bool, int64, float64 and string.
type (
	tuple []any
	list  struct{ items []any }
	dict  struct {
		keys   []string
		values map[string]any
		odd    error // a key that is not a name, as the state of an optimiser has them
	}
	global struct{ module, name string }
	bigInt []byte // of more than 8 bytes, little endian
	mark   struct{}
)

func (d *dict) set(key, value any) {
	name, ok := key.(string)
	if !ok {
		d.odd = fmt.Errorf("a dictionary has the key %s, which is not a name", describe(key))
		return
	}
	if d.values == nil {
		d.values = map[string]any{}
	}
	if _, there := d.values[name]; !there {
		d.keys = append(d.keys, name)
	}
	d.values[name] = value
}

// describe returns a short description of a value.
func describe(v any) string {
	switch v := v.(type) {
	case *dict:
		return fmt.Sprintf("a dictionary of %d", len(v.keys))
	case *list:
		return fmt.Sprintf("a list of %d", len(v.items))
	case tuple:
		return fmt.Sprintf("a tuple of %d", len(v))
	case *tensor:
		return "a tensor"
	case *storage:
		return "a storage"
	case global:
		return v.module + "." + v.name
	case string:
		return "a string"
	case nil:
		return "None"
	}
	return fmt.Sprintf("a number (%v)", v)
}

// machine executes the pickles in data, one after the other.
type machine struct {
	data   []byte
	at     int
	stack  []any
	memo   map[uint32]any
	stores map[string]*storage // by key
}

// run executes one pickle and returns its result.
func (m *machine) run() (any, error) {
	m.stack, m.memo = nil, map[uint32]any{}
	for {
		code, err := m.next(1)
		if err != nil {
			return nil, err
		}
		if code[0] == opStop {
			return m.pop()
		}
		if err := m.step(code[0]); err != nil {
			return nil, err
		}
	}
}

func (m *machine) next(n int) ([]byte, error) {
	if n < 0 || n > len(m.data)-m.at {
		return nil, errShort
	}
	m.at += n
	return m.data[m.at-n : m.at], nil
}

func (m *machine) number(size int) (uint32, error) {
	b, err := m.next(size)
	if err != nil {
		return 0, err
	}
	var wide [4]byte
	copy(wide[:], b)
	return binary.LittleEndian.Uint32(wide[:]), nil
}

func (m *machine) line() (string, error) {
	n := bytes.IndexByte(m.data[m.at:], '\n')
	b, err := m.next(n + 1)
	if n < 0 || err != nil {
		return "", errShort
	}
	return string(b[:n]), nil
}

func (m *machine) push(v any) { m.stack = append(m.stack, v) }

var errStack = errors.New("its pickle uses a value that does not exist")

func (m *machine) pop() (any, error) {
	if len(m.stack) == 0 {
		return nil, errStack
	}
	v := m.stack[len(m.stack)-1]
	m.stack = m.stack[:len(m.stack)-1]
	if v == (mark{}) {
		return nil, errStack
	}
	return v, nil
}

// popMany pops the last n values, or with n < 0 those after the last mark.
func (m *machine) popMany(n int) ([]any, error) {
	marked := len(m.stack) - 1
	for marked >= 0 && m.stack[marked] != any(mark{}) && (n < 0 || len(m.stack)-marked <= n) {
		marked--
	}
	values := m.stack[marked+1:]
	switch {
	case n < 0 && marked >= 0:
		m.stack = m.stack[:marked]
	case n >= 0 && len(values) == n:
		m.stack = m.stack[:marked+1]
	default:
		return nil, errStack
	}
	return slices.Clone(values), nil
}

// step executes one opcode: one for numbers and texts in literal, one for the memo in
// remember, and one that pops values in build.
func (m *machine) step(code byte) error {
	if known, err := m.literal(code); known || err != nil {
		return err
	}
	if known, err := m.remember(code); known || err != nil {
		return err
	}
	return m.build(code)
}

func (m *machine) literal(code byte) (known bool, err error) {
	var n uint32
	var b []byte
	switch code {
	case opProto:
		_, err = m.next(1)
	case opFrame:
		_, err = m.next(8)
	case opMark:
		m.push(mark{})
	case opNone:
		m.push(nil)
	case opTrue, opFalse:
		m.push(code == opTrue)
	case opEmptyDict:
		m.push(new(dict))
	case opEmptyList:
		m.push(new(list))
	case opEmptyTuple:
		m.push(tuple{})
	case opInt:
		n, err = m.number(4)
		m.push(int64(int32(n)))
	case opInt1, opInt2:
		n, err = m.number(map[byte]int{opInt1: 1, opInt2: 2}[code])
		m.push(int64(n))
	case opLong1:
		if n, err = m.number(1); err == nil {
			b, err = m.next(int(n))
			m.push(long(b))
		}
	case opFloat:
		if b, err = m.next(8); err == nil {
			m.push(math.Float64frombits(binary.BigEndian.Uint64(b)))
		}
	case opUnicode, opShortUnicode, opString, opShortString:
		size := 4
		if code == opShortUnicode || code == opShortString {
			size = 1
		}
		if n, err = m.number(size); err == nil {
			b, err = m.next(int(n))
			m.push(string(b))
		}
	default:
		return false, nil
	}
	return true, err
}

// long decodes a signed number of any length.
func long(b []byte) any {
	if len(b) > 8 {
		return bigInt(b)
	}
	var wide [8]byte
	copy(wide[:], b)
	n := int64(binary.LittleEndian.Uint64(wide[:]))
	if len(b) == 0 {
		return int64(0)
	}
	shift := 64 - 8*len(b)
	return n << shift >> shift
}

func (m *machine) remember(code byte) (known bool, err error) {
	size := 1
	if code == opLongPut || code == opLongGet {
		size = 4
	}
	n := uint32(len(m.memo))
	switch code {
	case opPut, opLongPut:
		if n, err = m.number(size); err != nil {
			return true, err
		}
		fallthrough
	case opMemoize:
		if len(m.stack) == 0 {
			return true, errStack
		}
		m.memo[n] = m.stack[len(m.stack)-1]
	case opGet, opLongGet:
		if n, err = m.number(size); err != nil {
			return true, err
		}
		v, there := m.memo[n]
		if !there {
			return true, errStack
		}
		m.push(v)
	default:
		return false, nil
	}
	return true, nil
}
