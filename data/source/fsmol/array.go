package fsmol

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"math"
	"regexp"
	"strconv"
	"unsafe"
)

// Values are raw JSON, which encoding/json has already checked to be well formed.

// items iterates over the items of an array. A value that is not an array, see isArray, has no
// items.
func items(raw json.RawMessage) iter.Seq[json.RawMessage] {
	return func(yield func(json.RawMessage) bool) {
		if !isArray(raw) {
			return
		}
		depth, quoted, first := 0, false, 1
		for i := 0; i < len(raw); i++ {
			switch c := raw[i]; {
			case quoted:
				if c == '\\' {
					i++
				}
				quoted = c != '"'
			case c == '"':
				quoted = true
			case c == '[' || c == '{':
				depth++
			case c == ',' && depth == 1, (c == ']' || c == '}') && depth == 1:
				item := bytes.TrimSpace(raw[first:i])
				if c == ',' || len(item) > 0 {
					if !yield(item) {
						return
					}
				}
				first = i + 1
				if c != ',' {
					return
				}
			case c == ']' || c == '}':
				depth--
			}
		}
	}
}

func isArray(raw json.RawMessage) bool { return len(raw) > 0 && raw[0] == '[' }

func present(raw json.RawMessage) bool { return len(raw) > 0 && raw[0] != 'n' }

// number reads a number, which may be written as a string.
func number(raw json.RawMessage) (float64, error) {
	switch len(raw) { // most numbers of a file are 0, 1, 0.0 or 1.0
	case 1:
		if raw[0] >= '0' && raw[0] <= '9' {
			return float64(raw[0] - '0'), nil
		}
	case 3:
		if raw[1] == '.' && raw[2] == '0' && raw[0] >= '0' && raw[0] <= '9' {
			return float64(raw[0] - '0'), nil
		}
	}
	text := raw
	if len(raw) > 1 && raw[0] == '"' {
		text = bytes.TrimSpace(raw[1 : len(raw)-1])
	}
	v, err := strconv.ParseFloat(unsafe.String(unsafe.SliceData(text), len(text)), 64)
	if err != nil && !math.IsInf(v, 0) { // a number out of range is infinite, as in Python
		return 0, fmt.Errorf("%.20s is not a number", raw)
	}
	return v, nil
}

// index reads a whole number in 0..largest.
func index(raw json.RawMessage, largest int) (int, error) {
	v, err := number(raw)
	if err != nil {
		return 0, err
	}
	if v != math.Trunc(v) || v < 0 || v > float64(largest) {
		return 0, fmt.Errorf("%.20s is not a whole number of 0 to %d", raw, largest)
	}
	return int(v), nil
}

// text reads a string. A number is read as its text, and null as an empty string.
func text(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return string(raw)
	}
	return s
}

// nonFinite matches NaN and infinities, which Python writes although JSON does not have them.
var nonFinite = regexp.MustCompile(`([\[,:]\s*)(NaN|-?Infinity)\b`)

// unmarshal is json.Unmarshal, but accepts NaN and Infinity.
func unmarshal(line []byte, v any) error {
	err := json.Unmarshal(line, v)
	if err == nil || !nonFinite.Match(line) {
		return err
	}
	return json.Unmarshal(nonFinite.ReplaceAll(line, []byte(`$1"$2"`)), v)
}
